"""Errors: one sentence with its values, which may be somebody's and do anything."""

from __future__ import annotations

import pickle
import signal
from pathlib import Path

import pytest

from cluedo.engine.errors import CluedoError, SetupError, by_a_person, in_short, one_line, safe_repr
from cluedo.engine.phrase import Phrase, all_of, one_of
from cluedo.language import speaking, tr


def test_an_error_keeps_its_sentence_and_what_stands_in_it():
    inner = SetupError("{count} players are too many", count=7)
    outer = CluedoError("{path}: {error}", path=["a"], error=inner)
    assert str(outer) == "['a']: 7 players are too many"
    assert isinstance(outer.phrase, Phrase)
    assert outer.phrase.values["error"] is inner.phrase
    assert inner.phrase.values == {"count": 7}
    assert CluedoError("a sentence with {braces}").phrase == "a sentence with {braces}"


def test_an_error_within_another_is_translated_with_or_without_values():
    inner = CluedoError("nothing follows a right accusation")
    with speaking("fr"):
        assert tr(CluedoError("{path}: {error}", path="x", error=inner)).endswith(tr(inner))
        assert tr(inner) != str(inner)


def test_an_error_goes_from_one_process_to_another_with_its_sentence():
    error = SetupError("{what} is no number", what=object)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is SetupError
    assert str(again) == "<class 'object'> is no number"
    assert (again.phrase.pattern, again.phrase.values) == (error.phrase.pattern, error.phrase.values)


def test_a_name_of_any_length_is_quoted_in_short():
    name = f"begin{'n' * 3000}end"
    inner = Phrase("no {kind} is called {name!r}", kind=Phrase("card"), name=name)
    for error in (
        CluedoError("{path}: cannot be read", path=Path(name)),
        CluedoError("{path}: {error}", path="x", error=CluedoError("no {name}", name=name)),
        CluedoError("{where}: {error}", where="x", error=inner),
        CluedoError(inner),
    ):
        assert len(str(error)) < 400
        for part in ("begin", " … ", "end"):
            assert part in str(error)
            assert part in tr(pickle.loads(pickle.dumps(error)))


def test_an_error_is_one_line_that_a_terminal_does_not_obey():
    assert one_line("a\nb\x1b[2Jc\u202e") == "a\ufffdb\ufffd[2Jc\ufffd"
    assert one_line("1\xa0000") == "1\xa0000"
    assert len(one_line("x" * 10**6)) < 5000
    assert one_line("0123456789", 4) == "01 … 89"


class Unprintable(Exception):
    """Has no text: asking for one raises what it was made with."""

    def __repr__(self) -> str:
        raise self.args[0]

    __str__ = __repr__


@pytest.mark.parametrize("raised", [ValueError(), SystemExit(), RecursionError()], ids=repr)
def test_what_has_no_text_is_told_by_its_kind(raised):
    assert safe_repr(Unprintable(raised)) == "a Unprintable that cannot be printed"
    assert in_short(Unprintable(raised)) == "Unprintable"


def test_what_has_a_text_is_told_in_short():
    assert safe_repr("x" * 1000) == "'" + "x" * 199
    assert safe_repr(print) == "<built-in function print>"
    assert safe_repr(object()) == "<object object>"
    assert in_short(ValueError("one\ntwo")) == "ValueError: one"
    assert in_short(ValueError("  ")) == "ValueError"
    assert len(in_short(ValueError("x" * 1000))) == 200


def test_a_persons_interrupt_is_passed_on_and_one_that_no_person_can_have_made_is_not():
    thing = Unprintable(KeyboardInterrupt())
    assert by_a_person(KeyboardInterrupt())
    assert not by_a_person(SystemExit())
    for tell in (safe_repr, in_short):
        with pytest.raises(KeyboardInterrupt):
            tell(thing)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert not by_a_person(KeyboardInterrupt())
        assert safe_repr(thing) == "a Unprintable that cannot be printed"
        assert in_short(thing) == "Unprintable"
    finally:
        signal.signal(signal.SIGINT, before)


def test_names_in_a_row():
    assert [all_of(list("abc")[:count]) for count in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert [one_of(list("abc")[:count]) for count in (1, 2, 3)] == ["a", "a or b", "a, b or c"]


def test_an_error_around_another_keeps_its_sentence_translatable():
    with pytest.raises(SetupError) as caught, SetupError.around("{path}: {error}", path="x"):
        raise CluedoError("no {what}", what="card")
    assert str(caught.value) == "x: no card"
    assert isinstance(caught.value.phrase.values["error"], Phrase)
    with pytest.raises(ValueError, match="not ours"), SetupError.around():
        raise ValueError("not ours")
