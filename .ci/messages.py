"""Bring the catalogues of all languages up to date with the sentences in the code, or check that they are.

    python .ci/messages.py            update cluedo/locale/*/LC_MESSAGES/cluedo.po, and list what is not translated
    python .ci/messages.py --check    change nothing; fail if a sentence or its translation is wrong
    python .ci/messages.py --release  the same, and fail if a sentence is not translated, or is said no more
    python .ci/messages.py --new de   begin a language

Until a sentence is translated, the program says it in English. A sentence is wrong if it is put together before it is
translated, and a translation if it has other places than its sentence.

A sentence is found where a function of :data:`SPOKEN` or an error of ours is given one, or in the help of
a command or a level. The code is read as a syntax tree, since one call may hold two sentences that are no
singular and plural, which Babel's own reader cannot say.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PACKAGE = ROOT / "cluedo"
Places: TypeAlias = tuple[int | tuple[int, int], ...]
MOST = 20
"""Lines about one catalogue: a language that has just begun lacks thousands of sentences."""
SPOKEN: dict[str, Places] = {
    "tr": (0,),
    "tr_count": ((0, 1),),
    "tr_you": (1, 2),
    "_narrate": (1, 2),
    "Phrase": (0,),
    "html": (0,),
    "around": (0,),
}
"""By function, which of its arguments are sentences; a pair is the sentence for one and the one for many."""


def errors(trees: Iterable[ast.AST]) -> set[str]:
    """The names of the classes of errors whose sentences are for people: ``CluedoError`` and all made of it."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found, before = {"CluedoError"}, 0
    while len(found) > before:
        before = len(found)
        found |= {node.name for node in classes if any(getattr(base, "id", "") in found for base in node.bases)}
    return found


def calls(tree: ast.AST, spoken: Mapping[str, Places]) -> Iterator[tuple[ast.Call, int | tuple[int, int]]]:
    """Every call that says a sentence, and which arguments hold it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for which in spoken.get(name, ()):
                if len(node.args) > (which if isinstance(which, int) else max(which)):
                    yield node, which


def text_of(node: ast.expr) -> str | None:
    """The sentence itself, or None where it is made elsewhere.

    Raises:
        SystemExit: it is put together here, so that no catalogue can hold it.
    """
    if isinstance(node, ast.JoinedStr | ast.BinOp):
        raise SystemExit(f"a sentence is put together before it is translated: {ast.unparse(node)}")
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def template_texts(path: Path) -> Iterator[str | tuple[str, ...]]:
    """The sentences of a page's template."""
    for call in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        for which in SPOKEN.get(getattr(call.node, "name", ""), ()):
            texts = [call.args[k].as_const() for k in ((which,) if isinstance(which, int) else which)]
            yield texts[0] if len(texts) == 1 else tuple(texts)


def help_texts() -> Iterator[tuple[str, str]]:
    """What is said by docstrings and options: the help of all commands, and what is told of the levels."""
    from cluedo.ai.parameters import parameters
    from cluedo.cli.app import COMMANDS, command_line, translate_help
    from cluedo.cli.levels import about, every_level

    found: list[tuple[str, str]] = []
    commands = [("cluedo/cli/app.py", command_line([]))]
    commands += [(f"cluedo/cli/{name}.py", command_line([name]).commands[name]) for name in COMMANDS]
    for where, command in commands:
        translate_help(command, lambda text, where=where: found.append((where, text)) or text)
    for _, kind in every_level():
        where = f"{kind.__module__.replace('.', '/')}.py"
        texts = [*about(kind), *(parameter.text for parameter in parameters(kind))]
        found += [(where, text) for text in texts if text]
    yield from found


def extract() -> Catalog:
    """All sentences of the program, with the files where they stand."""
    from cluedo.engine.editions import shipped_editions

    template = Catalog()
    for edition in shipped_editions():
        template.add(edition.title, locations=[("cluedo/maps/editions.toml", None)])
    for where, text in help_texts():
        template.add(text, locations=[(where, None)])
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    spoken = SPOKEN | dict.fromkeys(errors(trees.values()), (0,))
    for path, tree in trees.items():
        where = (path.relative_to(ROOT).as_posix(), None)
        for call, which in calls(tree, spoken):
            texts = [text_of(call.args[k]) for k in ((which,) if isinstance(which, int) else which)]
            if all(texts):
                template.add(texts[0] if len(texts) == 1 else tuple(texts), locations=[where])  # type: ignore[arg-type, list-item]
    for path in sorted(PACKAGE.rglob("*.html")):
        for texts in template_texts(path):
            template.add(texts, locations=[(path.relative_to(ROOT).as_posix(), None)])
    return template


def begun(code: str) -> Catalog:
    """An empty catalogue of a language."""
    comment = "# What Cluedo says, in another language. `make messages` keeps it up to date with the code."
    return Catalog(locale=code, project="cluedo", version="1", header_comment=comment, fuzzy=False, charset="utf-8")


def catalogue_of(path: Path) -> Catalog:
    """A language's catalogue as it is kept."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def written(catalogue: Catalog) -> bytes:
    """The catalogue as a file: in the order of the alphabet, without dates, so that it changes only when it must."""
    made = io.BytesIO()
    write_po(
        made, catalogue, width=100, sort_output=True, ignore_obsolete=True, omit_header=False, include_lineno=False
    )
    lines = made.getvalue().decode().splitlines(keepends=True)
    dated = ('"POT-', '"PO-', '"Generated-By', '"Last-Translator', '"Report-Msgid', '"Language-Team')
    return "".join(line for line in lines if not line.startswith(dated)).encode()


def places(sentence: str) -> set[tuple[str, str, str | None]]:
    """The places of a sentence with their formats, whatever their order."""
    return {(name, spec or "", how) for _, name, spec, how in Formatter().parse(sentence) if name is not None}


def texts_of(identity: str | Sequence[str]) -> tuple[str, ...]:
    """A sentence or its translation as a tuple: one text, or one for each number."""
    return (identity,) if isinstance(identity, str) else tuple(identity)


def translated(message: Message) -> bool:
    """Whether the program would say the translation of a sentence, not its English."""
    return all(texts_of(message.string or "")) and not message.fuzzy


def wrong(kept: Catalog) -> list[str]:
    """The translations that name other places than their sentence has."""
    told = []
    for message in kept:
        allowed = [places(text) for text in texts_of(message.id)]
        if message.id and translated(message) and any(places(text) not in allowed for text in texts_of(message.string)):
            told.append(f"{first(message.id)!r} has other places in its translation: {first(message.string)!r}")
    return told


def unfinished(kept: Catalog, template: Catalog) -> list[str]:
    """The sentences of the program without a translation, and those kept that it says no more."""
    done = {message.id for message in kept if message.id and translated(message)}
    wanted = {message.id for message in template if message.id}
    stale = {message.id for message in kept if message.id} - wanted
    told = [f"{first(identity)!r} is not translated" for identity in wanted - done]
    return told + [f"{first(identity)!r} is said nowhere any more" for identity in stale]


def first(identity: str | Sequence[str]) -> str:
    """The sentence, or its singular."""
    return texts_of(identity)[0]


def main() -> None:
    """Do what the options ask for; exit code 1 where a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--release", action="store_true")
    parser.add_argument("--new", metavar="CODE")
    options = parser.parse_args()
    if options.new:
        path = PACKAGE / "locale" / options.new / "LC_MESSAGES" / "cluedo.po"
        path.parent.mkdir(parents=True)
        path.write_bytes(written(begun(options.new)))
    catalogues = {path: catalogue_of(path) for path in sorted((PACKAGE / "locale").glob("*/LC_MESSAGES/cluedo.po"))}
    failed = False
    template = extract()
    for path, kept in catalogues.items():
        if not (options.check or options.release):
            kept.update(template, no_fuzzy_matching=True)
            path.write_bytes(written(kept))
        found = sorted(wrong(kept)) + ([] if options.check else sorted(unfinished(kept, template)))
        failed = failed or bool(found)
        told = found if len(found) <= MOST else [*found[:MOST], f"and {len(found) - MOST:,} more"]
        for line in told:
            print(f"{path.relative_to(ROOT)}: {line}")
        if not found and not options.check:
            print(f"{path.relative_to(ROOT)}: all {len(kept)} sentences are translated")
    sys.exit(1 if failed and (options.check or options.release) else 0)


if __name__ == "__main__":
    main()
