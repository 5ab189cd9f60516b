"""The README is short, pages list what there is, and the check of the pages notices what one says wrongly."""

from __future__ import annotations

import ast
import importlib
import json
import re
import runpy
import shlex
import sys
import textwrap
from pathlib import Path

import pytest
from helpers.programs import python

from cluedo.ai.knowledge import caselog
from cluedo.ai.levels import COMPILED_LEVELS, LEVELS
from cluedo.ai.positions import grading
from cluedo.engine import codec, editions, entries, mapfile, record
from cluedo.engine.editions import shipped_editions
from cluedo.engine.rules import Rules, value_text
from cluedo.engine.validation import FileForm
from cluedo.experiments.plan import experiment
from cluedo.experiments.rows.observers import OBSERVERS

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def check_docs(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / ".ci")
    return importlib.import_module("check_docs")


def example(check_docs, printed: str, **how: str):
    return check_docs.Example("page.md", 1, "", how, "console", "true", printed)


@pytest.fixture(scope="module")
def ask_model():
    return runpy.run_path(str(ROOT / "examples" / "ask_model.py"))


def test_the_prompt_of_the_example_is_that_of_the_page(ask_model):
    page = (ROOT / "docs" / "howto" / "language-models.md").read_text(encoding="utf-8")
    assert textwrap.indent(ask_model["PROMPT"], "    ") in page


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ('{"proved": []}', {"proved": []}),
        ('Let {x}: {"a": 1}.\n```json\n{"id": "?",\n "envelope": {"Plum": 1}}\n```', {"envelope": {"Plum": 1}}),
        ('{"proved": [1]} no: {"proved": [], "more": 2} {"a": {}}', {"proved": []}),
        ("I do not know {", None),
        ("", None),
    ],
)
def test_the_answer_of_a_model_is_found_in_what_it_says(ask_model, said, answer):
    assert ask_model["answer_in"](said) == answer


def test_a_model_is_asked_about_each_position():
    model = "import sys; print('Hm.', '{\"proved\": []}' if 'Ann, Bob' in sys.stdin.read() else '?')"
    positions = "".join(json.dumps({"id": name, "text": f"{name}, Bob.\n"}) + "\n" for name in ("Ann", "Cy"))
    done = python(ROOT / "examples" / "ask_model.py", shlex.join([sys.executable, "-c", model]), typed=positions)
    assert done.stdout == '{"id": "Ann", "proved": []}\n'
    assert done.stderr == "Cy: no answer in what the model said: Hm. ?\n"


@pytest.mark.parametrize(
    ("example", "arguments"),
    [
        *(('ask_model.py "COMMAND"', arguments) for arguments in ([], ["no-such-model"], ["cat", "dog"])),
        *(("stand_in_model.py COMMAND", arguments) for arguments in ([], ["no-such-program", "cat"])),
    ],
)
def test_a_command_that_is_none_is_told_in_a_sentence(example, arguments):
    done = python(ROOT / "examples" / example.split()[0], *arguments)
    assert done.returncode == 1
    assert done.stderr == f"{example}: name a command that can be run\n"


def test_the_readme_and_the_changes_are_read_in_a_few_minutes():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130
    unreleased = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## Unreleased\n")[2]
    assert 0 < len(unreleased.partition("\n## ")[0].split()) <= 1000


def rows(page: str, heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without what marks code."""
    below = (ROOT / "docs" / page).read_text(encoding="utf-8").partition(heading + "\n")[2]
    table = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)
    return [line.replace("`", "").strip("| ").split(" | ") for line in table[0].splitlines()[2:]]


def test_the_page_of_the_rules_has_all_that_can_be_set_with_their_defaults():
    told = {key: default for key, default, _ in rows("reference/rules.md", "## Set a rule")}
    assert told == {key: value_text(field.default) for key, field in Rules.model_fields.items()}


def test_the_page_of_editions_has_all_that_come_with_the_program():
    told = [row[:4] for row in rows("reference/editions.md", "# Editions")]
    assert told == [
        [one.name, one.map, "–".join(dict.fromkeys(map(str, one.players))), one.rules_text or "none"]
        for one in shipped_editions()
    ]


def test_the_page_of_statistics_has_all_observers_that_come_with_the_program():
    told = {
        name: columns.split(", ") for name, columns, _ in rows("howto/statistics.md", "# Add a statistic of your own")
    }
    assert told == {name: [*kind.per_seat, *kind.per_game] for name, kind in OBSERVERS.items()}


def test_the_page_of_levels_has_all_of_them():
    page = (ROOT / "docs" / "explanation" / "levels.md").read_text(encoding="utf-8")
    assert {*re.findall(r"^`(\w+)`\n: ", page, re.MULTILINE)} == {*LEVELS, *COMPILED_LEVELS}


@pytest.mark.parametrize(
    ("section", "module"),
    [
        ("Map", mapfile),
        ("Edition", editions),
        ("Case log", caselog),
        ("Case log", entries),
        ("Game record", record),
        ("Game record", codec),
        ("Position", grading),
        ("Experiment", experiment),
    ],
)
def test_the_page_of_formats_has_every_key_of_a_file(section, module):
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    below = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    forms = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__]
    keys = {key for form in forms if issubclass(form, FileForm) for key in form.model_fields} - {"format"}
    assert keys
    assert not {key for key in keys if not re.search(rf'[`".\[ ]{key}[`".\] ]', below)}


def test_what_is_named_where_things_are_added_is_there():
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Add something\n")[2]
    names = {name for name in re.findall(r"`([\w./]+)`", told) if "NAME" not in name and "/de/" not in name}
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "cluedo").rglob("*.py"))
    paths = [path for folder in ("cluedo", "docs", "tests") for path in (ROOT / folder).rglob("*")]
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in [*paths, *ROOT.glob("*.toml")]]

    def there(name: str) -> bool:
        if "/" in name or name.endswith((".html", ".md", ".py", ".toml")):
            return any(file.endswith(f"/{name.rstrip('/')}") for file in files)
        return re.search(rf"\b{name.rpartition('.')[2]}\b", code) is not None

    assert len(names) > 100
    assert not {name for name in names if not there(name)}


def test_every_program_on_a_page_imports_what_there_is():
    """Those too that are not run, since they need more than the extras."""
    pytest.importorskip("pettingzoo", reason="the extra cluedo[rl] is not installed")
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    programs = [
        program
        for page in pages
        for program in re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    ]
    found = 0
    for program in programs:
        for node in ast.walk(ast.parse(program)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "cluedo":
                exec(compile(ast.Module([node], []), "page.md", "exec"), {})
                found += 1
    assert found > 10


def test_commands_are_found_with_what_they_print(check_docs):
    assert list(check_docs.commands("$ a\none\n\ntwo\n$ b\n")) == [(0, "a", "one\n\ntwo"), (4, "b", "")]


def test_a_script_is_found_with_what_stands_right_after_it(check_docs, tmp_path, monkeypatch):
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    page = "```python\nprint(1)\n```\n\n```text\n1\n```\n\n```python\nx = 2\n```\nand\n```text\nno\n```\n"
    (tmp_path / "page.md").write_text(page)
    told = [(one.line, one.command, one.printed) for one in check_docs.examples("page.md")]
    assert told == [(2, "print(1)\n", "1\n"), (10, "x = 2\n", "")]


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("one\ntwo", "one\ntwo\n"),
        ("one\ntwo", "\none  \ntwo\n\n"),
        ("one … three", "one two three\n"),
        ("one\n…\nfour", "one\ntwo\nthree\nfour\n"),
        ("one\n…", "one\ntwo\nthree\n"),
    ],
)
def test_what_a_page_says_is_what_is_printed(check_docs, said, printed):
    check_docs.compare(example(check_docs, said), printed)


@pytest.mark.parametrize(("said", "printed"), [("one", "two\n"), ("one", "one\ntwo\n"), ("one\ntwo", "one\n")])
def test_what_a_page_says_wrongly_is_noticed(check_docs, said, printed):
    with pytest.raises(SystemExit, match=r"page\.md:1"):
        check_docs.compare(example(check_docs, said), printed)
    check_docs.compare(example(check_docs, said, varies=""), printed)


# ---- pictures and pages --------------------------------------------------------------------------


@pytest.fixture
def check_pictures(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / ".ci")
    return importlib.import_module("check_pictures")


def test_every_picture_is_the_one_that_was_drawn_and_is_shown_by_a_page(check_pictures):
    draw = check_pictures.drawing_program()
    noted = json.loads(draw.DATA.read_text(encoding="utf-8"))
    assert set(noted) == set(draw.PICTURES)
    pages = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    for name, entry in noted.items():
        assert draw.hash_of(draw.HERE / name) == entry["sha256"], f"{name} is not the one that was drawn: make pictures"
        assert entry["data"], name
        assert f"pictures/{name})" in pages


def test_a_picture_is_out_of_date_if_what_it_is_drawn_from_or_the_picture_itself_is_another(check_pictures):
    noted = {"sha256": "a", "data": ["hard 38.8 %", "expert 59.1 %"]}
    assert check_pictures.trouble(noted, ["hard 38.8 %", "expert 59.1 %"], "a") == ""
    assert "+expert 60.0 %" in check_pictures.trouble(noted, ["hard 38.8 %", "expert 60.0 %"], "a")
    assert "not the picture" in check_pictures.trouble(noted, ["hard 38.8 %", "expert 59.1 %"], "b")
    assert "never noted" in check_pictures.trouble(None, [], "a")


def test_a_picture_that_there_is_not_is_one_sentence(check_pictures, monkeypatch):
    monkeypatch.setattr("sys.argv", ["check_pictures.py", "matrix.png", "nowhere.png"])
    with pytest.raises(SystemExit, match=r"^no picture that can be checked: nowhere\.png; these can: .*matrix\.png"):
        check_pictures.main()


def test_the_command_of_a_picture_is_the_one_that_its_page_shows(check_pictures, tmp_path, monkeypatch):
    draw = check_pictures.drawing_program()
    (tmp_path / "page.md").write_text("$ cluedo maps\n\n$ cluedo maps show 'my board' --png x.png\none\n\n  two\n```\n")
    monkeypatch.setattr(draw, "ROOT", tmp_path)
    assert draw.shown("page.md", "maps show") == ["maps", "show", "my board", "--png", "x.png"]
    assert draw.words_of(draw.printed("page.md", "maps show")) == ["one", "two"]
    with pytest.raises(SystemExit, match="shows no command with 'autoplay'"):
        draw.shown("page.md", "autoplay")


def test_the_site_names_no_private_base_class(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    public_bases = importlib.import_module("conf")._public_bases

    class Public:
        pass

    class _Hidden(Public):
        pass

    class _Deeper(_Hidden):
        pass

    hidden = type("_A", (), {})
    for bases, named in (([_Deeper], [Public]), ([_Hidden, int], [Public, int]), ([int], [int]), ([hidden], [object])):
        public_bases(None, "", None, None, bases)
        assert bases == named
