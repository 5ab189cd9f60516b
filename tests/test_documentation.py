"""The README is short, and the check of the pages notices what a page says wrongly."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def check_docs(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / ".ci")
    return importlib.import_module("check_docs")


def example(check_docs, printed: str, **how: str):
    return check_docs.Example("page.md", 1, "", how, "console", "true", printed)


def test_the_readme_is_read_in_a_minute():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130


def test_commands_are_found_with_what_they_print(check_docs):
    assert list(check_docs.commands("$ a\none\n\ntwo\n$ b\n")) == [(0, "a", "one\n\ntwo"), (4, "b", "")]


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
