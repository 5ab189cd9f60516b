"""What each level does, sentence by sentence."""

from __future__ import annotations

from collections import Counter

import pytest
from helpers.asked_seat import Seat, uniform
from helpers.support import (
    LEVELS,
    accuse,
    ask,
    board_from,
    board_of,
    drawn_game,
    ends,
    finish_turn,
    go,
    make_game,
    make_match,
    show,
)

from cluedo.ai.levels import parse_player
from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.errors import PlayerError
from cluedo.engine.events import HypothesisMade, Shown
from cluedo.engine.game import Game

LONG_DECK = {
    "name": "long",
    "suspects": [{"name": f"S{k}"} for k in range(3)],
    "weapons": [{"name": f"W{k}"} for k in range(20)],
    "rooms": [{"name": f"R{k}"} for k in range(3)],
}
"""Without a board, it has fewer places before its rooms than cards."""


ALL = pytest.mark.parametrize("level", LEVELS)
FORGETFUL = pytest.mark.parametrize("level", ["random", "easy", "medium", "medium:original=true"])
NOTING = pytest.mark.parametrize("level", ["easy", "medium", "medium:original=true"])

# The first seat's cards, the two others', and the envelope, on the classic map.
HANDS = [
    ["White", "Green", "Peacock", "Plum", "Candlestick", "Study"],
    ["Mustard", "Dagger", "Lead Pipe", "Hall", "Library", "Billiard Room"],
    ["Revolver", "Rope", "Lounge", "Dining Room", "Conservatory", "Ballroom"],
]
TRUTH = ["Scarlett", "Wrench", "Kitchen"]


def classic(**options) -> Game:
    return make_game("classic", hands=HANDS, envelope=TRUTH, **options)


# ---- what all of them do --------------------------------------------------------------------------


@ALL
def test_every_level_asks_whenever_it_may_about_the_room_it_is_in(level):
    seat = Seat(classic(pawns={"Scarlett": "Lounge"}), level)
    seat.game.execute(Stay())
    for _ in range(50):
        hypothesis = seat.ask("choose_hypothesis")
        seat.game.verify(hypothesis)
        assert isinstance(hypothesis, Hypothesis)


@FORGETFUL
def test_the_simple_levels_show_each_card_that_they_may_about_equally_often(level):
    game = classic(pawns={"Scarlett": "Library"})
    seat = Seat(game, level, seat=1)
    game.execute(Stay())
    ask(game, "Mustard", "Dagger", "Library")
    uniform(
        seat.answers("choose_card"),
        [ShowCard(card) for card in game.table.deck.triple(["Mustard", "Dagger", "Library"])],
    )


@ALL
@pytest.mark.parametrize("name", ["tiny", "manoir"])
def test_every_level_gives_only_legal_commands_and_takes_no_chance_of_its_own(level, name):
    games = []
    for _ in range(2):
        game = drawn_game(board_of(name), 4, seed=6, max_turns=150)
        match = make_match(game, [level] * 4, seed=2)
        match.play()
        assert match.faults == []
        games.append(game.commands)
    assert games[0] == games[1]


@ALL
def test_every_level_plays_with_free_movement_too(level):
    game = drawn_game(board_of("classic"), 5, seed=1, movement="free")
    match = make_match(game, [level] * 5)
    result = match.play()
    assert match.faults == []
    assert level == "random" or result.reason == "solved"


# ---- random ---------------------------------------------------------------------------------------


def test_random_chooses_the_kind_of_move_uniformly_among_the_legal_ones():
    uniform(
        Seat(classic(pawns={"Scarlett": "Lounge"}), "random").answers("choose_move"), [Roll(), SecretPassage(), Stay()]
    )
    uniform(Seat(classic(pawns={"Scarlett": "Hall"}), "random").answers("choose_move"), [Roll(), Stay()])
    uniform(Seat(classic(), "random").answers("choose_move"), [Roll(), Stay()])


def test_random_chooses_the_destination_uniformly():
    seat = Seat(classic(rolls={0: [4]}, pawns={"Scarlett": (17, 7)}), "random")
    seat.game.execute(Roll())
    uniform(seat.answers("choose_move", 3000), [move for move in seat.game.legal() if isinstance(move, Move)])


def test_random_stays_where_it_cannot_walk():
    seat = Seat(classic(rolls={0: [9]}, pawns={"Mustard": (16, 1)}), "random")
    seat.game.execute(Roll())
    assert seat.ask("choose_move") == Stay()


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


def test_random_notes_nothing_and_accuses_of_its_own_cards_too():
    seat = Seat(classic(), "random")
    seat.game.execute(Stay())
    accused = {card for answer in seat.answers("choose_accusation") if answer for card in answer.cards}
    assert any(seat.game.view(0).hand >> card & 1 for card in accused)


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
    game = classic(pawns={"Scarlett": "Lounge"})
    seat = Seat(game, "easy")
    game.execute(Stay())
    ask(game, "Mustard", "Candlestick", "Lounge")
    show(game, "Mustard")
    seat.ask("choose_accusation")
    finish_turn(game)
    finish_turn(game)
    finish_turn(game)
    game.execute(SecretPassage())
    suspects, weapons, _ = seat.named()
    uniform(suspects, game.table.deck.names[:6])
    uniform(weapons, game.table.deck.names[6:12])


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


def test_easy_draws_no_conclusion_when_nobody_answers():
    game = make_game("tiny", **LITTLE, rolls={0: [12] * 9})
    seat = Seat(game, "easy")
    assert turn_in(seat, "Den", "Denim", "Shears") is None


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
    game = make_game(
        "classic", rolls={0: [8]}, pawns={"Scarlett": (8, 5)}, hands=with_first_hand("Study", "Lounge"), envelope=TRUTH
    )
    seat = Seat(game, level)
    rooms = rooms_in_reach(game)
    assert "Study" in rooms
    assert len(rooms) >= 3
    uniform(seat.answers("choose_move"), [Move(game.table.board.place(room)) for room in rooms - {"Study"}])


def with_first_hand(*names: str) -> list[list[str]]:
    """Hands of the classic map: these for seat 0, the rest halved."""
    deck = board_of("classic").deck
    rest = [name for name in deck.names if name not in (*names, *TRUTH)]
    return [list(names), rest[::2], rest[1::2]]


@MEDIUMS
def test_medium_passes_by_a_room_that_it_owns_for_the_nearest_unknown_one(level):
    hands = with_first_hand("Study", "Hall", "Lounge", "Dining Room")
    game = make_game("classic", dice=1, rolls={0: [6]}, pawns={"Scarlett": (9 - 1, 3)}, hands=hands, envelope=TRUTH)
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


def after_seeing_mustard(level: str) -> Seat:
    """Four suspects on the hand and the fifth seen: the sixth is in the envelope."""
    game = classic(pawns={"Scarlett": "Lounge"})
    seat = Seat(game, level)
    game.execute(Stay())
    ask(game, "Mustard", "Candlestick", "Lounge")
    show(game, "Mustard")
    assert seat.ask("choose_accusation") is None
    for _ in range(3):
        finish_turn(game)
    game.execute(SecretPassage())
    return seat


def test_medium_names_in_a_solved_category_a_card_it_owns_or_that_of_the_envelope():
    suspects, weapons, _ = after_seeing_mustard("medium").named()
    uniform(suspects, ["Scarlett", "White", "Green", "Peacock", "Plum"])
    uniform(weapons, ["Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"])


def test_medium_original_names_in_a_solved_category_one_of_its_first_k_cards_instead():
    suspects, weapons, _ = after_seeing_mustard("medium:original=true").named()
    uniform(suspects, ["Scarlett", "Mustard", "White", "Green", "Peacock"])
    uniform(weapons, ["Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"])


def test_medium_concludes_when_nobody_answers_that_the_cards_it_does_not_own_are_in_the_envelope():
    game = make_game("tiny", **LITTLE, rolls={0: [12] * 9})
    seat = Seat(game, "medium")
    assert turn_in(seat, "Den", "Denim", "Shears") == Accusation(*game.table.deck.triple(LITTLE["envelope"]))


def test_medium_concludes_nothing_about_the_cards_that_it_owns():
    hands = [["Amber", "Ladle", "Attic"], ["Basil", "Poker"], ["Coral", "Cellar", "Bath"]]
    game = make_game("tiny", hands=hands, envelope=["Denim", "Shears", "Den"], rolls={0: [12] * 9})
    seat = Seat(game, "medium")
    assert turn_in(seat, "Attic", "Denim", "Ladle") is None
    assert turn_in(seat, "Den", "Amber", "Ladle") is None
    assert turn_in(seat, "Attic", "Amber", "Shears") == Accusation(*game.table.deck.triple(["Denim", "Shears", "Den"]))


def test_medium_original_concludes_nothing_when_nobody_answers():
    game = make_game("tiny", **LITTLE, rolls={0: [12] * 9})
    seat = Seat(game, "medium:original=true")
    assert turn_in(seat, "Den", "Denim", "Shears") is None
    assert turn_in(seat, "Cellar", "Amber", "Ladle") is None
    assert turn_in(seat, "Bath", "Amber", "Ladle") is not None


def test_medium_does_not_accuse_while_a_category_is_open():
    game = classic(pawns={"Scarlett": "Lounge"})
    seat = Seat(game, "medium")
    game.execute(Stay())
    ask(game, "Scarlett", "Wrench", "Lounge")
    show(game, "Lounge")
    assert seat.ask("choose_accusation") is None


@pytest.mark.parametrize("level", ["easy", "medium", "medium:original=true"])
def test_easy_and_medium_never_accuse_wrongly(level):
    for deal in range(12):
        game = drawn_game(board_of("tiny"), 3 + deal % 2, seed=1, deal=deal)
        assert make_match(game, [level] * game.table.seats, seed=deal).play().reason == "solved"
        assert game.view(0).eliminated == 0


def test_the_honest_medium_wastes_no_answer_it_names_no_card_it_has_seen_elsewhere():
    for deal in range(6):
        game = drawn_game(board_of("manoir"), 3, seed=3, deal=deal)
        make_match(game, ["medium"] * 3, seed=deal).play()
        seen: dict[int, set[int]] = {seat: set() for seat in range(3)}
        for event in game.events:
            if isinstance(event, HypothesisMade):
                assert not seen[event.seat] & {event.suspect, event.weapon}
            elif isinstance(event, Shown):
                seen[event.asker].add(event.card)


# ---- together ----------------------------------------------------------------------------------------


def test_medium_beats_easy():
    wins = Counter()
    for deal in range(40):
        game = drawn_game(board_of("tiny"), 4, seed=9, deal=deal)
        levels = ["easy", "medium", "easy", "medium"] if deal % 2 else ["medium", "easy", "medium", "easy"]
        wins[levels[make_match(game, levels, seed=deal).play().winner]] += 1
    assert wins["medium"] > 2 * wins["easy"]


def test_a_wrong_accuser_is_not_asked_again():
    game = classic()
    game.execute(Stay())
    accuse(game, "Plum", "Rope", "Hall")
    assert game.legal() == [EndTurn()]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("def __init__(self, *, x: 'Foo' = 1): pass", "cannot be read"),
        ("def __init__(self): raise SystemExit(4)", "Bot: the player cannot be made: SystemExit: 4$"),
        ("def __init__(self): raise ValueError('no bluff of 5')", "Bot: the player cannot be made: no bluff of 5$"),
        ("def __init__(self): raise ValueError", "Bot: the player cannot be made: ValueError$"),
        (
            "def __init__(self): raise type('Odd', (__import__('cluedo').CluedoError,), {'__init__': lambda e: None})",
            "Bot: the player cannot be made: Odd$",
        ),
    ],
)
def test_a_bot_that_cannot_be_made_is_told_in_a_sentence(tmp_path, body, told):
    file = tmp_path / "bot.py"
    file.write_text(f"from cluedo.ai.level_easy import EasyPlayer\n\n\nclass Bot(EasyPlayer):\n    {body}\n")
    with pytest.raises(PlayerError, match=told):
        parse_player(f"{file}:Bot")


@pytest.mark.parametrize("level", ["random", "easy", "medium", "habit"])
def test_a_deck_may_have_more_weapons_than_the_map_has_squares(level):
    match = make_match(drawn_game(board_from(LONG_DECK), 3, seed=1, movement="free", max_turns=9), [level] * 3)
    match.play()
    assert not match.faults
