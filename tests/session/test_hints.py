"""Hints say what to do now, and it may be done; odds in per cent, no bits but for experts."""

from __future__ import annotations

import re
from itertools import chain, product

import pytest
from helpers.support import drawn_game, make_match

from cluedo.ai.knowledge import CHOICE, SeatKnowledge
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Move, Roll, SecretPassage, Stay
from cluedo.engine.events import Shown
from cluedo.engine.rules import Rules
from cluedo.engine.state import ACCUSE, ASK, MOVE, REFUTE, WALK, replaced
from cluedo.engine.view import PlayerView
from cluedo.session.actions import offer
from cluedo.session.hints import hint_sections, proved_envelope, reach_chance
from cluedo.session.sections import Tone
from cluedo.words.narration import Story, and_join, first_few


def moments(map_: str, seed: int, seats: int = 3, **rules):
    """A game, stopped at every decision."""
    game = drawn_game(Board.load(map_), seats, seed, **rules)
    match = make_match(game, ["medium"] * seats)
    while not game.over and game.state.turn < 25:
        yield game
        match.advance()


@pytest.mark.parametrize(
    ("map_", "rules"),
    [("tiny", {}), ("tiny", {"movement": "free"}), ("tiny", {"pool": 2, "peek": True}), ("manoir", {})],
)
def test_a_hint_is_about_what_may_be_done_now(map_, rules):
    met = set()
    for number, game in enumerate(moments(map_, 3, **rules)):
        if map_ == "manoir" and number % 4:
            continue
        view = game.view(game.state.to_act)
        sections = hint_sections(view)
        do = sections[0].title
        step, legal, names = view.step, view.legal(), view.deck.names
        assert sections[0].do in legal, "what is proposed can be done with one tap"
        met.add(step)
        rooms = [names[card] for card in view.deck.rooms]
        if step is REFUTE:
            assert any(do.startswith(f"Show {names[command.card]}:") for command in legal)
        elif step in (MOVE, WALK):
            if do.startswith("Stay"):
                assert Stay() in legal
            elif do.startswith("Take the secret passage"):
                assert SecretPassage() in legal
            elif found := re.match(r"Go to (.+)\.", do):
                assert any(getattr(command, "to", None) == view.board.place(found[1]) for command in legal)
            else:
                assert re.match(r"(Roll, and go to|Walk towards) .+ \d+ steps? away", do), do
        elif step is ASK and do.startswith("Ask: "):
            assert do.endswith(f"{names[view.board.room_card(view.place)]}.")
        else:
            assert do.startswith(("End the turn", "Accuse now", "Look at a card of the pool"))
        assert any(name in do for name in rooms) or step in (REFUTE, ASK, ACCUSE) or "proved" in do
        for section in sections:
            assert ("bits" in " ".join([section.title, *section.lines])) == (section.tone is Tone.EXPERT)
    assert {MOVE, ASK, REFUTE} & met


def test_the_reason_of_a_question_says_which_of_its_cards_can_be_shown():
    told = set()
    for game in chain.from_iterable(moments("tiny", seed) for seed in range(6)):
        view = game.view(game.state.to_act)
        if view.step is not ASK or view.to_act != view.seat:
            continue
        do, *_ = sections = hint_sections(view)
        names = re.findall(r"[\w ]+", do.title.removeprefix("Ask: "))
        if not do.title.startswith("Ask: "):
            continue
        reasons = [line for line in do.lines if "can be shown" in line or "can show one" in line]
        mine = {name.strip() for name in names if view.hand >> view.deck.id(name.strip()) & 1}
        assert len(reasons) <= 1
        if mine:
            (reason,) = reasons
            held, _, shown = reason.partition(", so only ")
            assert all(name in held and name not in shown for name in mine)
            told.add(len(mine))
        for card in proved_envelope(view):
            if view.deck.names[card] in do.title:
                assert f"nobody holds {view.deck.names[card]}".casefold() in reasons[0].casefold()
                told.add("proved")
        assert "about the other two" not in str(sections)
    assert told >= {1, "proved"}


@pytest.mark.parametrize("movement", ["walk", "free"])
def test_what_is_to_be_asked_in_a_room_stays_the_same_on_arrival(movement):
    arrived = 0
    for game in moments("classic", 3, movement=movement):
        view = game.view(game.state.to_act)
        if view.step not in (MOVE, WALK):
            continue
        way, *_, figures = hint_sections(view)
        if not way.proposed or not isinstance(way.do, (Move, SecretPassage)):
            continue
        assert any(f"bits  {view.deck.listed(way.proposed)}" in line for line in figures.lines)
        game.execute(way.do)
        there = game.view(view.seat)
        if there.step is ASK and there.place == view.board.room_place(way.proposed[2]):
            assert hint_sections(there)[0].proposed == way.proposed
            arrived += 1
        game.undo()
    assert arrived > 3


def test_what_is_proved_is_told_with_its_reasons_or_in_a_line_and_all_of_it():
    more = 0
    for game in chain.from_iterable(moments("tiny", seed, movement="free") for seed in range(5)):
        view = game.view(0)
        lines = [line for one in hint_sections(view) if one.title.startswith("Proved, though") for line in one.lines]
        known = SeatKnowledge(EvidenceReader(view).evidence)
        has = known.evidence.has
        found = {proof.card for proof in known.proofs if proof.there and not has[proof.place] >> proof.card & 1}
        reasons = [line for line in lines if line.startswith("Therefore ")]
        rest = [line for line in lines if line.startswith("Also proved: ")]
        assert len(reasons) == min(3, len(found))
        assert len(rest) == (len(found) > 3)
        assert all(view.deck.names[card] in " ".join([*reasons, *rest]) for card in found)
        assert "smaller reason" not in " ".join(lines)
        more += bool(rest)
    assert more


def test_a_later_hint_tells_only_what_has_been_proved_since():
    told = 0
    for seed in range(6):
        proved: set[tuple[int, int]] = set()
        before = 0
        for game in moments("tiny", seed, movement="free"):
            view = game.view(0)
            known = SeatKnowledge(EvidenceReader(view).evidence)
            has = known.evidence.has
            found = {(proof.card, proof.place) for proof in known.proofs if proof.there}
            players = view.deck.suspects  # they are named with whatever they hold
            fresh = [card for card, place in found - proved if card not in players and not has[place] >> card & 1]
            lines = chain.from_iterable(one.lines for one in hint_sections(view, before) if "Proved," in one.title)
            concluded = " ".join(line for line in lines if line.startswith(("Therefore ", "Also proved: ")))
            named = [card for card, name in enumerate(view.deck.names) if re.search(rf"\b{name}\b", concluded)]
            assert sorted(fresh) == [card for card in named if card not in players]
            told += bool(fresh and before)
            proved, before = found if view.time else set(), view.time  # a hint at the deal is told again
    assert told > 2


def test_where_no_question_tells_anything_none_is_proposed():
    told = set()
    for seed in range(3):
        for game in moments("tiny", seed, seats=2, pool=2):
            view = game.view(game.state.to_act)
            known = SeatKnowledge(EvidenceReader(view).evidence, CHOICE)
            if view.step in (MOVE, WALK, ASK) and not known.certain and max(one.bits for one in known.best(9)) < 0.005:
                do = hint_sections(view)[0]
                assert do.do == Stay() if view.step is not ASK else do.title.startswith(("End the turn", "Accuse now"))
                told.add(view.step)
    assert told == {MOVE, WALK, ASK}


def standing_at(place: int, *others: int, used: int = -1) -> PlayerView:
    """A classic game in which the pawn to move stands at a place, and others at others."""
    game = drawn_game(Board.load("classic"), 3, 1)
    state = game.state
    own = game.table.suspects[state.active]
    for suspect, to in enumerate([place, *others], start=own):
        state.put_pawn(suspect % 6, to)
    state.used = replaced(state.used, state.active, used)
    return game.view(state.active)


@pytest.mark.parametrize(
    ("room", "do", "offered"),
    [
        ("Lounge", "Take the secret passage to Conservatory.", [SecretPassage, Stay, Roll]),
        ("Dining Room", "Stay: other pawns are in your way.", [Stay, Roll]),
    ],
)
def test_who_is_shut_in_by_pawns_is_not_told_to_roll(room, do, offered):
    board = Board.load("classic")
    place = board.place(room)
    view = standing_at(place, *bits(board.doors[place - board.rooms_at]), used=place)
    assert hint_sections(view)[0].title == do
    assert [type(action.value) for action in offer(view, "abc", revocable=False).actions] == offered, "the usual first"


def test_who_was_moved_into_a_room_is_first_offered_to_ask_there():
    actions = offer(standing_at(Board.load("classic").place("Hall")), "abc", revocable=False).actions
    assert [action.sentence for action in actions] == ["stay and ask", "roll the dice"]


def test_the_way_that_a_hint_tells_leads_round_other_pawns():
    board = Board.load("classic")
    longer = 0
    for square in range(0, board.rooms_at, 7):
        beside = [place for place in board.reach(square, 1, 0).within if place < board.rooms_at]
        view = standing_at(square, *beside[:2])
        if found := re.match(r"Roll, and go to (.+): (\d+) steps?.* (\d+)\D%", hint_sections(view)[0].title):
            room = board.place(found[1]) - board.rooms_at
            needed = board.steps_to_rooms(square, 99, view.taken & ~(1 << square))[room]
            assert int(found[2]) == needed or (needed > 99 and found[3] == "0")
            longer += int(found[2]) > board.distance[room][square]
    assert longer


def test_cards_that_are_not_listed_are_counted():
    view = next(moments("manoir", 1)).view(0)
    (odds,) = (section.lines for section in hint_sections(view) if section.title.startswith("Chance of being"))
    for line, ids in zip(odds, view.deck.ids, strict=True):
        left = len([card for card in ids if not view.hand >> card & 1])
        assert line.count("%") == (left if left <= 5 else 4), "none is left out alone"
        assert line.endswith(f" and {left - 4} more" if left > 5 else " %")


def test_a_later_hint_says_which_cards_were_shown_since():
    told = 0
    for seed in range(4):
        before = 0
        for game in moments("tiny", seed):
            view = game.view(0)
            shown = [event for event in view.events_since(before) if isinstance(event, Shown)] if before else []
            lines = [one.lines for one in hint_sections(view, before) if one.title == "Since your last hint:"]
            assert lines == ([tuple(Story(view.table, 0).tell(event) for event in shown[-3:])] if shown else [])
            told += bool(shown)
            before = view.time
    assert told > 2


def test_what_is_proved_is_to_be_accused_and_nothing_else_is():
    told = []
    for seed in range(3):
        for game in moments("tiny", seed):
            view = game.view(game.state.to_act)
            if view.step is not ACCUSE:
                continue
            hint, proved = hint_sections(view)[0], proved_envelope(view)
            assert (hint.tone is Tone.PROVED) is (len(proved) == 3)
            assert set(proved) <= set(game.state.deal.envelope)
            told.append(hint.tone is Tone.PROVED)
            if hint.tone is Tone.PLAIN:
                assert "do not accuse" in hint.title or hint.title == "End the turn."
    assert True in told
    assert False in told


def test_who_has_to_wait_is_told_so():
    game = next(iter(moments("tiny", 1)))
    other = (game.state.to_act + 1) % 3
    assert hint_sections(game.view(other))[0].title.startswith("Wait: ")


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 4)])
def test_the_chance_to_reach_a_room_is_counted(dice, sides):
    rules = Rules(dice=dice, sides=sides)
    for steps in range(1, dice * sides + 2):
        rolls = [sum(roll) for roll in product(range(1, sides + 1), repeat=dice)]
        assert reach_chance(steps, rules) == pytest.approx(sum(roll >= steps for roll in rolls) / len(rolls))


@pytest.mark.parametrize(("count", "told"), [(2, "a and b"), (3, "a, b and c"), (6, "a, b and 4 more")])
def test_a_list_says_how_many_it_leaves_out_and_never_leaves_out_one(count, told):
    assert and_join(first_few("abcdef"[:count], 2)) == told
