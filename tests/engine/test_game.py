"""The three questions agree (why not, which, do it), and undo takes everything back, chance included."""

from __future__ import annotations

import pickle
from copy import deepcopy
from random import Random

import numpy as np
import pytest
from helpers.examples import TIMES, examples
from helpers.slow_rules import play_beside
from helpers.support import (
    DECK_ALONE,
    MANNERS,
    MAPS,
    board_from,
    drawn_game,
    make_game,
    play_random,
    seen_by_all,
    view_json,
)
from helpers.turns import refused
from hypothesis import given, strategies as st

from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Command, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.errors import SetupError
from cluedo.engine.events import TurnEnded
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.state import State

RULES = [{}, {"dice": 1}, {"sides": 3}, {"movement": "free"}]


@st.composite
def games(draw: st.DrawFn, limit: int = 60) -> Game:
    """A game of any kind, some commands in."""
    board = Board.load(draw(st.sampled_from(MAPS)))
    seats = draw(st.integers(3, min(6, len(board.deck.suspects))))
    rules = draw(st.sampled_from(RULES))
    game = drawn_game(board, seats, draw(st.integers(0, 99)), max_turns=20, **rules)
    how, commands = draw(st.sampled_from(sorted(MANNERS))), draw(st.integers(0, limit))
    play_random(game, Random(draw(st.integers(0, 2**32))), how, limit=commands)
    return game


CARDS = st.integers(-2, 25) | st.sampled_from([None, True, False, 1.0, 3.0, "Rope", -1, 10**9, 2**80, (), [0]])
PLACES = st.integers(-2, 700) | st.sampled_from([None, True, "x", -1, 1.0, 10**9, -(10**9), 2**80, [1, 2], (0, 0), {}])
COMMANDS = st.one_of(
    st.sampled_from([Roll(), SecretPassage(), Stay(), EndTurn()]),
    st.builds(Move, PLACES),
    st.builds(Hypothesis, CARDS, CARDS, CARDS),
    st.builds(ShowCard, CARDS),
    st.builds(Accusation, CARDS, CARDS, CARDS),
)


class Impostor(Stay):
    """A command that the rules do not know."""


NO_COMMANDS = [None, 0, True, "Roll", Roll, Stay, (), [], {}, object(), Impostor(), ("Move", 3), TurnEnded(0)]


def contains(legal: list[Command], command: Command) -> bool:
    """Whether the command is among the legal ones, type for type (1, True and 1.0 are equal, but not the same)."""
    return repr(command) in {repr(other) for other in legal}


@given(games())
@examples(30)
def test_every_legal_command_can_be_executed(game):
    legal = game.legal()
    assert len(set(legal)) == len(legal)
    assert bool(legal) == (not game.over)
    before = seen_by_all(game)
    for command in legal if len(legal) < 40 else Random(0).sample(legal, 40):
        assert command.why_not(game.state) is None
        assert game.execute(command)
        assert game.commands[-1] == command
        assert game.undo() == command
    assert seen_by_all(game) == before


@given(games(), st.lists(COMMANDS, min_size=20, max_size=60))
@examples(30)
def test_any_command_is_refused_unless_it_is_among_the_legal_ones(game, tries):
    legal, before = game.legal(), seen_by_all(game)
    for command in tries:
        if contains(legal, command):
            assert command.why_not(game.state) is None
            continue
        assert refused(game.execute, command) == command.why_not(game.state)
    assert seen_by_all(game) == before
    assert game.legal() == legal


@pytest.mark.parametrize("thing", NO_COMMANDS, ids=lambda thing: f"{type(thing).__name__}")
def test_what_is_no_command_is_refused(thing):
    game = make_game()
    before = seen_by_all(game)
    assert "is not a command" in refused(game.execute, thing)
    assert seen_by_all(game) == before


def test_a_walk_to_a_number_too_long_to_print_is_refused():
    game = make_game()
    game.execute(Roll())
    assert refused(game.execute, Move(10**5000))


@pytest.mark.parametrize("place", [-1, -88, 3, 88])
def test_a_walk_to_what_is_no_place_is_refused_as_that(place):
    """Where the first square can be walked on, a number below 0 was taken for it."""
    data = Board.load("tiny").map.model_dump(exclude_none=True)
    game = make_game(board_from(data | {"grid": [".AAA#.#BBBB", *data["grid"][1:]]}))
    game.execute(Roll())
    assert refused(game.execute, Move(place)) == f"{place} is not a place on this board"


def test_what_looks_like_a_number_and_is_no_int_is_refused_as_that():
    """A mask made with a number of numpy's would be one, too, and overflow."""
    game = make_game(pawns={"Amber": "Attic"})
    game.execute(Roll())
    move = next(command for command in game.legal() if isinstance(command, Move))
    said = "is of type {}; a card, a place and a position are of type int"
    assert refused(game.execute, Move(np.int64(move.to))) == f"{np.int64(move.to)!r} {said.format('int64')}"
    game.execute(Stay())
    *_, ask = (command for command in game.legal() if isinstance(command, Hypothesis))
    assert said.format("int64") in refused(game.execute, Hypothesis(ask.suspect, np.int64(ask.weapon), ask.room))
    game.execute(ask)
    show = game.legal()[0]
    assert isinstance(show, ShowCard)
    assert said.format("int64") in refused(game.execute, ShowCard(np.int64(show.card)))
    assert said.format("str") in refused(game.execute, ShowCard(game.table.deck.names[show.card]))


def test_every_refusal_names_the_rule():
    game = make_game(pawns={"Amber": "Attic"})
    deck = game.table.deck
    for command, rule in [
        (Move(game.state.place), 4),
        (Accusation(0, deck.weapons[0], deck.rooms[0]), 10),
        (ShowCard(0), 9),
        (EndTurn(), 4),
        (Hypothesis(0, deck.weapons[0], deck.rooms[0]), 4),
    ]:
        assert f"(rule {rule})" in refused(game.execute, command)
    game.execute(Stay())
    assert "(rule 6)" in refused(game.execute, Hypothesis(0, deck.weapons[0], deck.rooms[1]))
    for command in (Roll(), SecretPassage(), Stay(), Move(game.table.board.starts[0])):
        assert "(rule 4)" in refused(game.execute, command)


# ---- against a second referee ---------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("name", [*MAPS, "cards"])
def test_random_games_go_as_the_second_referee_says(name, rules):
    if name == "cards" and "movement" not in rules:
        pytest.skip("a deck alone is played with free movement")
    board = board_from(DECK_ALONE) if name == "cards" else Board.load(name)
    endings = set()
    for number, manner in enumerate([*MANNERS, "eager"]):
        seats = 3 + number % (min(6, len(board.deck.suspects)) - 2)
        game = drawn_game(board, seats, seed=number, max_turns=20 * TIMES, **rules)
        play_beside(game, Random(number), manner, insight=0.3 if number == 4 else 0.0)
        endings.add(game.result.reason)
    assert endings == {"solved", "unsolved", "unfinished"}


# ---- undo -----------------------------------------------------------------------------------------


@given(games(limit=120), st.data())
@examples(20)
def test_undo_and_other_commands_may_be_mixed_at_will(game, data):
    random = Random(data.draw(st.integers(0, 999)))
    for _ in range(8):
        for _ in range(random.randrange(6)):
            if game.commands:
                game.undo()
        play_random(game, random, limit=random.randrange(8))
    fresh = Game(game.table.board, game.table.rules, game.state.deal)
    for command in game.commands:
        fresh.execute(command)
    assert seen_by_all(game) == seen_by_all(fresh)
    assert game.legal() == fresh.legal()


def test_undo_with_nothing_done_is_refused():
    game = make_game()
    assert "nothing has been done" in refused(game.undo)


def test_only_what_has_told_nobody_anything_can_be_taken_back_unseen():
    game = make_game("tiny", rolls={0: [12]})
    assert not game.revocable
    for command, told in [(Roll(), True), (Move(game.table.board.place("Attic")), False)]:
        game.execute(command)
        assert game.revocable != told
    hypothesis = next(command for command in game.legal() if isinstance(command, Hypothesis))
    game.execute(hypothesis)
    assert not game.revocable


@given(games(limit=80), st.integers(0, 2**32))
@examples(20)
def test_views_given_out_before_an_undo_are_unchanged_after_it(game, seed):
    kept = []
    keep = lambda command=None: kept.extend(game.view(seat) for seat in range(game.table.seats))  # noqa: E731
    keep()
    play_random(game, Random(seed), limit=12, before=keep)
    texts = [view_json(view) for view in kept]
    events = [view.events for view in kept]
    for _ in range(min(10, len(game.commands))):
        game.undo()
    play_random(game, Random(seed + 1), limit=12)
    assert [view_json(view) for view in kept] == texts
    assert [view.events for view in kept] == events


# ---- views ----------------------------------------------------------------------------------------


@given(games())
@examples(30)
def test_the_view_of_the_seat_to_act_knows_what_is_legal_and_the_others_have_nothing_to_do(game):
    for seat in range(game.table.seats):
        expected = game.legal() if seat == game.state.to_act else []
        assert game.view(seat).legal() == expected


@given(games())
@examples(20)
def test_views_agree_with_the_game(game):
    for seat in range(game.table.seats):
        view = game.view(seat)
        assert view.rules == game.table.rules
        assert view.hand == game.state.deal.hands[seat]
        assert view.table.hand_sizes == tuple(hand.bit_count() for hand in game.state.deal.hands)
        assert len(view) == len(view._fields), "Game.view lists what PlayerView has, in that order"
        for name in set(view._fields) & set(State.__slots__) - {"card_shown"}:
            assert getattr(view, name) == getattr(game.state, name), name
        assert len(view.events) == len(game.events)
        assert view == game.view(seat)


def test_views_cannot_be_changed():
    view = make_game().view(0)
    with pytest.raises(AttributeError):
        view.hand = 0
    with pytest.raises(AttributeError):
        view.table.first = 2


# ---- setting up -----------------------------------------------------------------------------------


def test_a_game_says_where_it_stands():
    game = drawn_game(Board.load("tiny"), 3, seed=1)
    game.execute(Roll())
    assert repr(game) == f"<game on tiny: turn 1, seat {game.state.active}, WALK>"


def test_a_deck_alone_is_not_walked_in():
    with pytest.raises(SetupError, match="movement=free"):
        drawn_game(board_from(DECK_ALONE), 3, 0)


def test_the_same_seed_deals_the_same_game_and_another_deal_another():
    board, rules = Board.load("classic"), Rules()

    def facts(seed: int, deal: int) -> tuple[object, ...]:
        drawn = draw_deal(Seeds(seed, deal, 4), board.deck, rules)
        return drawn.envelope, drawn.hands, drawn.first, [dice[k] for dice in drawn.dice for k in range(9)]

    assert facts(7, 3) == facts(7, 3)
    assert facts(7, 3) != facts(7, 4)
    assert facts(7, 3) != facts(8, 3)


def test_the_rolls_of_a_seat_do_not_depend_on_how_often_others_roll():
    board, rules = Board.load("classic"), Rules()
    one, two = (draw_deal(Seeds(1, 1, 3), board.deck, rules) for _ in range(2))
    wanted = [one.dice[2][k] for k in range(20)]
    for k in range(50):
        two.dice[0][k], two.dice[1][3]
    assert [two.dice[2][k] for k in reversed(range(20))] == wanted[::-1]


@pytest.mark.parametrize("copied", [deepcopy, lambda game: pickle.loads(pickle.dumps(game))], ids=["copy", "pickle"])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_copy_of_a_game_plays_on_as_the_game_does(rules, copied):
    game = make_game("classic", **rules)
    play_random(game, Random(1), limit=40)
    assert game.table.board.reach(game.table.board.starts[0], 6, 0), "what a board remembers is not copied"
    copy = copied(game)
    assert seen_by_all(copy) == seen_by_all(game)
    for played in (game, copy):
        play_random(played, Random(2), limit=60)
    assert seen_by_all(copy) == seen_by_all(game)
    copy.undo()
    assert len(copy.commands) == len(game.commands) - 1


def test_there_is_no_view_of_a_seat_that_nobody_has():
    """Not of -1 either, which would be the last one's: others write it for nobody."""
    game = make_game("tiny")
    assert game.view(np.int64(1)) == game.view(1)
    for seat in (-1, game.table.seats, "a", 1.0, None):
        with pytest.raises(SetupError, match=f"a seat is a number from 0 to 2, not {seat!r}"):
            game.view(seat)


@pytest.mark.parametrize(
    ("place", "what", "kind"), [(0, "tiny", "Board"), (1, None, "Rules"), (1, {"dice": 1}, "Rules"), (2, 7, "Seeds")]
)
def test_a_game_begins_with_objects_of_ours(place, what, kind):
    given = [Board.load("tiny"), Rules(), Seeds(1, 0, 3)]
    given[place] = what
    with pytest.raises(SetupError, match=f"a game begins with a Board, Rules and Seeds: {what!r} is no {kind}"):
        Game.begin(*given)


@pytest.mark.parametrize(
    ("numbers", "complaint"),
    [
        ((-1, 0, 3), "a seed is a whole number from 0 up, not -1"),
        ((1, -1, 3), "deals are numbered"),
        ((1, "a", 3), "deals are numbered"),
        ((1, 0, -3), "2 to 10 players, not -3"),
    ],
)
def test_seeds_of_no_deal_are_refused(numbers, complaint):
    with pytest.raises(SetupError, match=complaint):
        Seeds(*numbers)
