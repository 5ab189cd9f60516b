"""Bring the catalogues of all languages up to date with the sentences in the code, or check that they are.

    python .ci/messages.py            update cluedo/locale/*/LC_MESSAGES/cluedo.po; new sentences stay empty
    python .ci/messages.py --check    change nothing; fail if a sentence is missing, stale, doubtful or wrong
    python .ci/messages.py --new de   begin a language

A sentence is found where a function of :data:`SPOKEN` or an error of ours is given one, or in the help of
a command or a level. The code is read as a syntax tree, since one call may hold two sentences that are no
singular and plural, which Babel's own reader cannot say.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import TypeAlias

import typer
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PACKAGE = ROOT / "cluedo"
Places: TypeAlias = tuple[int | tuple[int, int], ...]
SPOKEN: dict[str, Places] = {
    "tr": (0,),
    "tr_count": ((0, 1),),
    "tr_you": (1, 2),
    "_narrate": (1, 2),
    "Phrase": (0,),
    "html": (0,),
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
    from cluedo.ai.levels import parameters
    from cluedo.cli.app import app
    from cluedo.cli.lazy import reword
    from cluedo.cli.levels import about, every_level

    found: list[tuple[str, str]] = []
    root = typer.main.get_command(app)
    commands = [("cluedo/cli/app.py", root)]
    commands += [(f"cluedo/cli/{name}.py", root.load(name)) for name in root.lazy]
    for where, command in commands:
        reword(command, lambda text, where=where: found.append((where, text)) or text)
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


def complaints(message: Message) -> Iterator[str]:
    """What is wrong with the translation of a sentence."""
    ours = (message.id,) if isinstance(message.id, str) else message.id
    theirs = (message.string,) if isinstance(message.string, str) else message.string or ("",)
    if not all(theirs):
        yield "is not translated"
    elif message.fuzzy:
        yield "is marked as doubtful"
    else:
        allowed = [places(text) for text in ours]
        if any(places(text) not in allowed for text in theirs):
            yield f"has other places in its translation: {theirs[0]!r}"


def check(path: Path, template: Catalog) -> list[str]:
    """What is missing, stale or wrong in a language's catalogue."""
    kept = catalogue_of(path)
    wanted = {message.id for message in template if message.id}
    found = {message.id for message in kept if message.id}
    told = [f"{first(identity)!r} is missing" for identity in wanted - found]
    told += [f"{first(identity)!r} is said nowhere any more" for identity in found - wanted]
    told += [f"{first(message.id)!r} {text}" for message in kept if message.id for text in complaints(message)]
    return [f"{path.relative_to(ROOT)}: {line}" for line in sorted(told)]


def first(identity: str | tuple[str, ...]) -> str:
    """The sentence, or its singular."""
    return identity if isinstance(identity, str) else identity[0]


def main() -> None:
    """Do what the options ask for; exit code 1 and the complaints where ``--check`` finds any."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--new", metavar="CODE")
    options = parser.parse_args()
    template = extract()
    if options.new:
        path = PACKAGE / "locale" / options.new / "LC_MESSAGES" / "cluedo.po"
        path.parent.mkdir(parents=True)
        path.write_bytes(written(begun(options.new)))
    paths = sorted((PACKAGE / "locale").glob("*/LC_MESSAGES/cluedo.po"))
    if options.check:
        told = [line for path in paths for line in check(path, template)]
        sys.exit("\n".join([*told, "`make messages` brings the catalogues up to date"]) if told else 0)
    for path in paths:
        kept = catalogue_of(path)
        kept.update(template, no_fuzzy_matching=True)
        path.write_bytes(written(kept))
        empty = sum(1 for message in kept if message.id and any(complaints(message)))
        print(f"{path.relative_to(ROOT)}: {len(kept)} sentences, {empty} to be translated")


if __name__ == "__main__":
    main()
