"""What each level does, sentence by sentence."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from typing import Literal, Optional

import pytest
from helpers.asked_seat import CLASSIC, Seat, after_seeing_mustard, uniform, with_first_hand
from helpers.level_games import played
from helpers.programs import told_by_python
from helpers.support import (
    LEVELS,
    ask,
    board_from,
    deck_alone,
    drawn_game,
    ends,
    finish_turn,
    go,
    make_game,
    make_match,
    show,
)

from cluedo.ai.level_easy import EasyPlayer
from cluedo.ai.level_hard import HardPlayer
from cluedo.ai.levels import parse_player, split_players
from cluedo.ai.parameters import arguments, parameters
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.errors import PlayerError
from cluedo.engine.events import HypothesisMade, Shown
from cluedo.engine.game import Game

LONG_DECK = deck_alone(3, 20, 3)
"""Without a board, it has fewer places before its rooms than cards."""


ALL = pytest.mark.parametrize("level", LEVELS)
FORGETFUL = pytest.mark.parametrize("level", ["random", "easy", "medium", "medium:original=true"])
NOTING = pytest.mark.parametrize("level", ["easy", "medium", "medium:original=true"])


def classic(**options) -> Game:
    return make_game("classic", **CLASSIC, **options)


# ---- what all of them do --------------------------------------------------------------------------


@ALL
def test_every_level_asks_whenever_it_may_about_the_room_it_is_in(level):
    seat = Seat(classic(pawns={"Scarlett": "Lounge"}), level)
    seat.game.execute(Stay())
    for _ in range(50):
        hypothesis = seat.ask("choose_hypothesis")
        assert hypothesis.why_not(seat.game.state) is None
        assert isinstance(hypothesis, Hypothesis)


@FORGETFUL
def test_the_simple_levels_show_each_card_that_they_may_about_equally_often(level):
    game = classic(pawns={"Scarlett": "Library"})
    seat = Seat(game, level, seat=1)
    game.execute(Stay())
    ask(game, "Mustard", "Dagger", "Library")
    allowed = game.table.deck.triple(["Mustard", "Dagger", "Library"])
    uniform(seat.answers("choose_card"), [ShowCard(card) for card in allowed])


@ALL
@pytest.mark.parametrize(("name", "movement"), [("tiny", "walk"), ("manoir", "walk"), ("classic", "free")])
def test_every_level_gives_only_legal_commands_and_takes_no_chance_of_its_own(level, name, movement):
    one, other = (played([level] * 4, name, 6, movement=movement, max_turns=400).game for _ in range(2))
    assert one.commands == other.commands
    assert level == "random" or movement == "walk" or one.result.reason == "solved"


# ---- random ---------------------------------------------------------------------------------------


def test_random_chooses_the_kind_of_move_uniformly_among_the_legal_ones():
    passage = Seat(classic(pawns={"Scarlett": "Lounge"}), "random")
    uniform(passage.answers("choose_move"), [Roll(), SecretPassage(), Stay()])
    uniform(Seat(classic(pawns={"Scarlett": "Hall"}), "random").answers("choose_move"), [Roll(), Stay()])
    uniform(Seat(classic(), "random").answers("choose_move"), [Roll(), Stay()])


def test_random_chooses_the_destination_uniformly():
    seat = Seat(classic(rolls={0: [4]}, pawns={"Scarlett": (17, 7)}), "random")
    seat.game.execute(Roll())
    uniform(seat.answers("choose_move", 3000), [move for move in seat.game.legal() if isinstance(move, Move)])


def test_random_under_free_movement_stays_half_the_time_or_enters_any_room():
    seat = Seat(classic(pawns={"Scarlett": "Hall"}, movement="free"), "random")
    answers = seat.answers("choose_move")
    total = answers.total()
    assert abs(answers.pop(Stay()) / total - 1 / 2) < 0.07
    uniform(answers, [move for move in seat.game.legal() if isinstance(move, Move)])


def test_random_asks_about_cards_chosen_uniformly_its_own_included():
    seat = Seat(classic(pawns={"Scarlett": "Lounge"}), "random")
    seat.game.execute(Stay())
    deck = seat.game.table.deck
    suspects, weapons, rooms = seat.named()
    uniform(suspects, [deck.names[card] for card in deck.suspects])
    uniform(weapons, [deck.names[card] for card in deck.weapons])
    assert set(rooms) == {"Lounge"}


def test_random_accuses_half_the_time_three_cards_at_random():
    seat = Seat(classic(), "random")
    seat.game.execute(Stay())
    answers = seat.answers("choose_accusation", 2000)
    assert abs(answers.pop(None) / 2000 - 1 / 2) < 0.05
    for k, ids in enumerate(seat.game.table.deck.ids):
        uniform(Counter(accusation.cards[k] for accusation in answers.elements()), ids)


# ---- easy -----------------------------------------------------------------------------------------


def test_easy_walks_to_one_of_the_reachable_rooms_at_random():
    seat = Seat(classic(rolls={0: [8]}, pawns={"Scarlett": (8, 5)}), "easy")
    go_rooms = rooms_in_reach(seat.game)
    assert len(go_rooms) >= 3
    board = seat.game.table.board
    uniform(seat.answers("choose_move"), [Move(board.place(room)) for room in go_rooms])


def rooms_in_reach(game: Game) -> set[str]:
    game.execute(Roll())
    return {end for end in ends(game) if isinstance(end, str)}


@NOTING
def test_with_no_room_in_reach_one_walks_towards_the_nearest_wanted_one(level):
    game = classic(rolls={0: [2]}, dice=1, pawns={"Scarlett": (16, 2)})
    seat, board = Seat(game, level), game.table.board
    assert rooms_in_reach(game) == set()
    nearest = min(range(len(board.distance)), key=lambda room: board.distance[room][game.state.place])
    table = board.distance[nearest]
    best = min(table[move.to] for move in game.legal() if isinstance(move, Move))
    assert best < table[game.state.place]
    for move in seat.answers("choose_move", 50):
        assert table[move.to] == best


def test_easy_asks_uniformly_its_own_cards_and_those_it_has_seen_included():
    suspects, weapons, _ = after_seeing_mustard("easy").named()
    names = Board.load("classic").deck.names
    uniform(suspects, names[:6])
    uniform(weapons, names[6:12])


LITTLE = {
    "hands": [["Amber", "Basil", "Coral", "Ladle", "Poker", "Attic"], ["Cellar"], ["Bath"]],
    "envelope": ["Denim", "Shears", "Den"],
}
"""Seat 0 lacks two rooms only."""


def turn_in(seat: Seat, room: str, *named: str):
    """A turn of seat 0 in a room: what it does not choose itself is given; its answer on accusing."""
    game = seat.game
    while game.state.active != 0:
        finish_turn(game)
    go(game, room)
    ask(game, *named, room)
    if game.state.step.name == "REFUTE":
        game.execute(game.legal()[0])
    answer = seat.ask("choose_accusation")
    game.execute(EndTurn())
    return answer


@NOTING
def test_one_accuses_when_elimination_leaves_one_card_in_each_category_and_not_before(level):
    game = make_game("tiny", **LITTLE, rolls={0: [12] * 9})
    seat = Seat(game, level)
    assert turn_in(seat, "Cellar", "Amber", "Ladle") is None
    assert turn_in(seat, "Bath", "Amber", "Ladle") == Accusation(*game.table.deck.triple(LITTLE["envelope"]))


@pytest.mark.parametrize("level", ["easy", "medium:original=true"])
def test_some_draw_no_conclusion_when_nobody_answers(level):
    seat = Seat(make_game("tiny", **LITTLE, rolls={0: [12] * 9}), level)
    assert turn_in(seat, "Den", "Denim", "Shears") is None
    assert turn_in(seat, "Cellar", "Amber", "Ladle") is None
    assert turn_in(seat, "Bath", "Amber", "Ladle") is not None


def test_easy_does_not_note_cards_that_others_were_shown():
    hands = [LITTLE["hands"][0], ["Cellar"], ["Bath"]]
    game = make_game("tiny", hands=hands, envelope=LITTLE["envelope"], rolls={0: [12] * 4, 1: [12] * 4})
    seat = Seat(game, "easy")
    assert turn_in(seat, "Cellar", "Amber", "Ladle") is None
    go(game, "Bath")
    ask(game, "Denim", "Shears", "Bath")
    show(game, "Bath")
    game.execute(EndTurn())
    finish_turn(game)
    game.execute(Stay())
    assert seat.ask("choose_accusation") is None


# ---- medium ---------------------------------------------------------------------------------------

MEDIUMS = pytest.mark.parametrize("level", ["medium", "medium:original=true"])


@MEDIUMS
def test_medium_walks_at_random_to_a_reachable_room_whose_mark_is_unknown(level):
    game = make_game("classic", rolls={0: [8]}, pawns={"Scarlett": (8, 5)}, **with_first_hand("Study", "Lounge"))
    seat = Seat(game, level)
    rooms = rooms_in_reach(game)
    assert "Study" in rooms
    assert len(rooms) >= 3
    uniform(seat.answers("choose_move"), [Move(game.table.board.place(room)) for room in rooms - {"Study"}])


@MEDIUMS
def test_medium_passes_by_a_room_that_it_owns_for_the_nearest_unknown_one(level):
    hands = with_first_hand("Study", "Hall", "Lounge", "Dining Room")
    game = make_game("classic", dice=1, rolls={0: [6]}, pawns={"Scarlett": (8, 3)}, **hands)
    seat = Seat(game, level)
    rooms = rooms_in_reach(game)
    assert "Hall" in rooms
    board, here = game.table.board, game.state.place
    unknown = ["Library", "Billiard Room", "Conservatory", "Ballroom", "Kitchen"]
    assert not rooms & set(unknown)
    near = min(unknown, key=lambda room: board.distance[board.place(room) - board.rooms_at][here])
    table = board.distance[board.place(near) - board.rooms_at]
    best = min(table[move.to] for move in game.legal() if isinstance(move, Move))
    assert {table[move.to] for move in seat.answers("choose_move", 50)} == {best}


@MEDIUMS
def test_medium_once_no_room_is_unknown_goes_to_those_it_owns_or_that_of_the_crime(level):
    hands = [["Attic", "Bath", "Amber"], ["Basil", "Coral"], ["Cellar", "Ladle", "Poker"]]
    game = make_game("tiny", hands=hands, envelope=["Denim", "Shears", "Den"], rolls={0: [12] * 9})
    seat = Seat(game, level)
    assert turn_in(seat, "Cellar", "Amber", "Shears") is None
    while game.state.active != 0:
        finish_turn(game)
    game.execute(Roll())
    assert {"Attic", "Bath", "Den"} <= ends(game)
    assert seat.destinations() == {"Attic", "Bath", "Den"}


@MEDIUMS
def test_medium_names_a_random_unknown_card_of_each_category(level):
    game = classic(pawns={"Scarlett": "Hall"})
    seat = Seat(game, level)
    game.execute(Stay())
    suspects, weapons, rooms = seat.named()
    uniform(suspects, ["Scarlett", "Mustard"])
    uniform(weapons, ["Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"])
    assert set(rooms) == {"Hall"}


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("medium", ["Scarlett", "White", "Green", "Peacock", "Plum"]),
        ("medium:original=true", ["Scarlett", "Mustard", "White", "Green", "Peacock"]),
        ("hard", ["Scarlett", "White", "Green", "Peacock", "Plum"]),
        ("hard:own_cards=never", ["Scarlett"]),
    ],
)
def test_in_a_solved_category_one_names_a_card_of_ones_own_or_that_of_the_envelope(level, expected):
    """`medium:original=true` names one of the first as many cards instead, and `hard` without probes the proved one."""
    suspects, weapons, _ = after_seeing_mustard(level).named()
    uniform(suspects, expected)
    uniform(weapons, ["Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"])


def test_medium_concludes_when_nobody_answers_that_the_cards_it_does_not_own_are_in_the_envelope():
    game = make_game("tiny", **LITTLE, rolls={0: [12] * 9})
    seat = Seat(game, "medium")
    assert turn_in(seat, "Den", "Denim", "Shears") == Accusation(*game.table.deck.triple(LITTLE["envelope"]))


@pytest.mark.parametrize(("level", "concludes"), [("medium", True), ("medium:original=true", False)])
def test_medium_that_sits_down_in_a_game_under_way_concludes_from_what_nobody_answered_before(level, concludes):
    game = make_game("tiny", **LITTLE, rolls={0: [12] * 9})
    turn_in(Seat(game, "random"), "Den", "Denim", "Shears")
    while game.state.active != 0:
        finish_turn(game)
    game.execute(Stay())
    proved = Accusation(*game.table.deck.triple(LITTLE["envelope"]))
    assert Seat(game, level).ask("choose_accusation") == (proved if concludes else None)


def test_medium_concludes_nothing_about_the_cards_that_it_owns():
    hands = [["Amber", "Ladle", "Attic"], ["Basil", "Poker"], ["Coral", "Cellar", "Bath"]]
    game = make_game("tiny", hands=hands, envelope=["Denim", "Shears", "Den"], rolls={0: [12] * 9})
    seat = Seat(game, "medium")
    assert turn_in(seat, "Attic", "Denim", "Ladle") is None
    assert turn_in(seat, "Den", "Amber", "Ladle") is None
    assert turn_in(seat, "Attic", "Amber", "Shears") == Accusation(*game.table.deck.triple(["Denim", "Shears", "Den"]))


@NOTING
def test_easy_and_medium_never_accuse_wrongly(level):
    for deal in range(12):
        game = played([level] * (3 + deal % 2), "tiny", 1, deal).game
        assert game.result.reason == "solved"
        assert game.view(0).eliminated == 0


@pytest.mark.parametrize("anew", [False, True])
def test_medium_names_no_card_that_its_seat_has_seen_elsewhere_though_it_sits_down_anew_for_each_choice(anew):
    """As at tables of the browser, where each choice is made by whichever process is free."""
    for deal in range(4):
        game = drawn_game(Board.load("manoir"), 3, 3, deal)
        match, seen = make_match(game, ["medium"] * 3, seed=deal), [0] * 3
        while not game.over:
            done = len(game.events)
            if anew:
                match = make_match(game, ["medium"] * 3, seed=done)
            match.advance()
            for event in game.events[done:]:
                if isinstance(event, HypothesisMade):
                    assert not seen[event.seat] & (1 << event.suspect | 1 << event.weapon)
                elif isinstance(event, Shown):
                    seen[event.asker] |= 1 << event.card


# ---- together ----------------------------------------------------------------------------------------


def test_medium_beats_easy():
    wins = Counter()
    for deal in range(40):
        levels = ["easy", "medium", "easy", "medium"] if deal % 2 else ["medium", "easy", "medium", "easy"]
        wins[levels[played(levels, "tiny", 9, deal).game.result.winner]] += 1
    assert wins["medium"] > 2 * wins["easy"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("def __init__(self, *, x: 'Foo' = 1): pass", "cannot be read"),
        ("def __init__(self): raise SystemExit(4)", "Bot: the player cannot be made, line 5: SystemExit: 4$"),
        ("def __init__(self): raise ValueError('no 5')", "Bot: the player cannot be made, line 5: no 5$"),
        ("def __init__(self): raise ValueError", "Bot: the player cannot be made, line 5: ValueError$"),
        (
            "def __init__(self): raise type('Odd', (__import__('cluedo').CluedoError,), {'__init__': lambda e: None})",
            "Bot: the player cannot be made, line 5: Odd$",
        ),
        ("prepare = lambda: 1 / 0", "Bot: cannot prepare, line 5: ZeroDivisionError: division by zero$"),
    ],
)
def test_a_bot_that_cannot_be_made_is_told_in_a_sentence(tmp_path, body, told):
    file = tmp_path / "bot.py"
    file.write_text(f"from cluedo.ai.level_easy import EasyPlayer\n\n\nclass Bot(EasyPlayer):\n    {body}\n")
    with pytest.raises(PlayerError, match=told):
        parse_player(f"{file}:Bot").prepare()


class Annotated(EasyPlayer):
    """One with parameters of every kind."""

    def __init__(
        self,
        *,
        number: float | None = None,
        count: Optional[int] = 3,  # noqa: UP045 - as others write it
        either: Literal[1, "x"] | None = 1,
        many: list[int] = (),
        mixed: int | str = 1,
        text="",
    ):
        pass


def test_what_a_class_raises_where_it_says_what_it_can_play_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(
        "from cluedo.ai.level_easy import EasyPlayer\n\n\nclass Bot(EasyPlayer):\n    @classmethod\n"
        "    def check(cls, deck, rules, seats): 1 / 0\n"
    )
    table = make_game("classic", **CLASSIC).table
    with pytest.raises(PlayerError, match=r"bot\.py:Bot cannot play, line 6: ZeroDivisionError: division by zero$"):
        parse_player(f"{path}:Bot").check(table.deck, table.rules, table.seats)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("number=1", 1.0), ("number=none", None), ("count=2", 2), ("count=None", None), ("text=4", "4")],
        *[("either=1", 1), ("either=x", "x"), ("either=none", None)],
        *[(f"number={word}", f"number={word}: a finite number is needed") for word in ("nan", "inf", "-inf", "x")],
        ("count=2.5", "count=2.5: a whole number is needed"),
        ("either=2", "either=2: known: 1, x"),
        *[
            (option, f"cannot be set: its type is bool, int, float, str or a Literal, perhaps or None, not {kind}")
            for option, kind in (("many=1", "list[int]"), ("mixed=1", "int | str"))
        ],
    ],
)
def test_a_parameter_is_what_its_annotation_says(option, value):
    if isinstance(value, str) and " " in value:
        with pytest.raises(PlayerError, match=re.escape(value)):
            arguments("bot", Annotated, [option])
    else:
        assert arguments("bot", Annotated, [option]) == ((option.partition("=")[0], value),)


def test_what_a_level_inherits_is_told_as_by_the_level_that_it_is_built_on():
    assert parameters(type("Heir", (HardPlayer,), {"__doc__": "An heir."})) == parameters(HardPlayer)


def test_quotes_round_a_player_keep_its_commas_and_go():
    text = "'my,bots.py:Mine', exec:\"./bot a,b\" ,easy"
    assert split_players(text) == ["my,bots.py:Mine", 'exec:"./bot a,b"', "easy"]


@pytest.mark.parametrize("level", ["random", "easy", "medium", "habit"])
def test_a_deck_may_have_more_weapons_than_the_map_has_squares(level):
    played([level] * 3, board_from(LONG_DECK), 1, movement="free", max_turns=9)


# ---- machine code ---------------------------------------------------------------------------------

PREPARED = """
import sys
from helpers.level_games import played
from cluedo.ai.knowledge.kernels import compiled
from cluedo.ai.level_hard import HardPlayer
from cluedo.ai.levels import parse_player

def made():
    return {str(kernel.function): len(kernel.entry.overloads) for kernel in [*compiled._kernels.values()]}

level = sys.argv[1]
parse_player(level).prepare()
before = made()
for deal, movement in enumerate(("walk", "free", "walk")):
    played([level, "medium", "hard", level], "manoir", 41, deal, movement=movement)
assert any(before.values())
assert made() == before, [name for name, number in made().items() if number != before.get(name, 0)]
"""


@pytest.mark.parametrize("level", ["expert", "expert:reading=off", "montecarlo:budget=30"])
def test_no_kernel_is_compiled_once_a_level_is_prepared(level):
    """What is compiled in a game counts as its time, so an experiment would be said to take far too long."""
    told_by_python("-c", PREPARED, level, PYTHONPATH=os.pathsep.join(sys.path))
