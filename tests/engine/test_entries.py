"""A hypothesis with its answers as one entry: from what was said, from a game's events, as a line of a case log."""

from __future__ import annotations

from random import Random

import pytest
from helpers.examples import examples
from helpers.support import drawn_game, play_random
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from cluedo.engine.board import Board
from cluedo.engine.entries import Entry, EntryForm, entries_of, entry_json, read_entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown, as_seen_by

DECK = Board.load("tiny").deck
NAMES = ("Ann", "Bob", "Cy", "Dee")
FORM: TypeAdapter[object] = TypeAdapter(EntryForm)
CARDS = st.tuples(*(st.sampled_from(ids) for ids in DECK.ids))


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    by, cards = draw(st.integers(0, 3)), draw(CARDS)
    if draw(st.booleans()):
        return Entry.accusation(by, cards, draw(st.booleans()))
    shown = st.sampled_from([None, *cards])
    if draw(st.integers(0, 5)) == 0:
        return Entry.peek(by, draw(st.integers(-1, 3)), draw(shown))
    if draw(st.integers(0, 5)) == 0:
        return Entry.hand(by, cards)
    others = st.sampled_from([seat for seat in range(4) if seat != by])
    return Entry.hypothesis(4, by, cards, draw(st.dictionaries(others, shown)), everybody=draw(st.booleans()))


@given(entries())
@examples(30)
def test_an_entry_is_written_as_a_line_and_read_back(entry):
    line = entry_json(entry, NAMES, DECK)
    assert read_entry(FORM.validate_python(line), NAMES, DECK) == entry
    assert line["by"] == NAMES[entry.by]


def test_those_between_asker_and_refuter_pass():
    entry = Entry.hypothesis(4, 2, (0, 4, 7), {1: 4})
    assert entry.events == (HypothesisMade(2, 0, 4, 7), Passed(3), Passed(0), Shown(1, 2, 4))
    assert (entry.by, entry.cards, entry.refuter, entry.card) == (2, (0, 4, 7), 1, 4)
    nobody = Entry.hypothesis(4, 2, (0, 4, 7), {})
    assert nobody.answers == (Passed(3), Passed(0), Passed(1))
    assert (nobody.shows, nobody.refuter, nobody.card) == ((), None, None)


def test_an_accusation_is_answered_by_nobody():
    entry = Entry.accusation(1, (0, 4, 7), correct=False)
    assert entry.events == (Accused(1, 0, 4, 7, False),)
    assert (entry.shows, entry.refuter, entry.card) == ((), None, None)


PEEKS = {"pool": 1, "peek": True, "refuters": "all", "wrong_shows_hand": True}


@pytest.mark.parametrize("seat", [None, 0, 2])
@pytest.mark.parametrize(
    ("rules", "heads", "answers"),
    [({}, {HypothesisMade, Accused}, {0, 1, 2, 3}), (PEEKS, {HypothesisMade, Accused, Peeked, HandShown}, {0, 3})],
    ids=["box", "edition"],
)
def test_the_entries_of_a_game_hold_all_that_was_said_and_shown(seat, rules, heads, answers):
    game = drawn_game(Board.load("tiny"), 4, 0, max_turns=60, movement="free", **rules)
    play_random(game, Random(1), insight=0.02)
    told = [as_seen_by(event, seat) for event in game.events]
    found = entries_of(told, game.table)
    kinds = HypothesisMade | Passed | Shown | Accused | Peeked | HandShown
    assert [event for entry in found for event in entry.events] == [event for event in told if isinstance(event, kinds)]
    assert {type(entry.head) for entry in found} == heads
    assert {len(entry.answers) for entry in found} == answers
    for entry in found:
        assert read_entry(FORM.validate_python(entry_json(entry, NAMES, DECK)), NAMES, DECK) == entry


def test_where_a_game_breaks_off_the_next_in_turn_is_the_refuter():
    made, shown = HypothesisMade(3, 0, 4, 7), Shown(0, 3, None)
    box, all_answer = (drawn_game(Board.load("tiny"), 4, 0, refuters=who).table for who in ("first", "all"))
    assert entries_of([made], box) == [Entry.hypothesis(4, 3, (0, 4, 7), {0: None})]
    assert entries_of([made, Passed(0)], box) == [Entry.hypothesis(4, 3, (0, 4, 7), {1: None})]
    assert entries_of([made, Passed(0), Passed(1), Passed(2)], box) == [Entry.hypothesis(4, 3, (0, 4, 7), {})]
    assert entries_of([made, shown], all_answer)[0].answers == (shown, Shown(1, 3, None))
    assert entries_of([made, shown, Passed(1)], all_answer)[0].refuter == 0


LINE = {"by": "Ann", "hypothesis": ["Amber", "Ladle", "Attic"], "refuted_by": "Bob"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"by": "Eve"}, "nobody at the table is called 'Eve'; did you mean 'Dee'? known: Ann, Bob, Cy, Dee"),
        ({"refuted_by": "bob"}, "nobody at the table is called 'bob'; did you mean 'Bob'?"),
        ({"refuted_by": "Ann"}, "Ann cannot refute their own hypothesis"),
        ({"refuted_by": None, "card": "Ladle"}, "nobody refuted, so 'Ladle' was not shown"),
        ({"card": "Spoon"}, "no card is called 'Spoon'"),
        ({"hypothesis": ["Ladle", "Amber", "Attic"]}, "no suspect is called 'Ladle'"),
        ({"refuted_by": ["Bob"], "card": "Ladle"}, "card stands only where refuted_by is one name"),
        ({"refuted_by": ["Bob"], "cards": {"Cy": "Ladle"}}, "Cy did not refute, so 'Ladle' was not shown"),
        ({"refuted_by": ["Ann"]}, "Ann cannot refute"),
        ({"refuted_by": ["Bob", "Cy", "Bob"]}, "refuted_by has 'Bob' twice"),
        ({"cards": {"Bob": "Ladle"}}, "cards stands only where refuted_by is a list"),
    ],
)
def test_a_line_that_cannot_be_is_refused_in_one_sentence(changes, told):
    with pytest.raises(CluedoError) as refusal:
        read_entry(FORM.validate_python(LINE | changes), NAMES, DECK)
    assert str(refusal.value).startswith(told)


@pytest.mark.parametrize("line", [3, {}, LINE | {"by": 3}, LINE | {"seat": 3}, LINE | {"correct": 1}])
def test_a_line_of_another_shape_is_refused(line):
    with pytest.raises(ValidationError):
        FORM.validate_python(line)


def test_a_hand_has_each_card_once():
    assert Entry.hand(1, [3, 2, 3]) == Entry.hand(1, [2, 3])
    line = {"by": "Ann", "hand": ["Amber", "Ladle", "Amber"]}
    with pytest.raises(CluedoError, match="the hand has 'Amber' twice"):
        read_entry(FORM.validate_python(line), NAMES, DECK)
