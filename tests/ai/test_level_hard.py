"""The level hard: each sentence about it, in whole games and in set positions."""

from __future__ import annotations

from itertools import product

import pytest
from helpers.asked_seat import CLASSIC, with_first_hand
from helpers.cases import cases, some
from helpers.knowledge_tables import fitting
from helpers.level_games import played, seated
from helpers.support import DECK_ALONE, LARGE_DECK, ask, board_from, finish_turn, go, make_game, shows

from cluedo.ai.knowledge import SatDeducer
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.ai.level_hard import HardPlayer
from cluedo.ai.match import Match
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.events import HypothesisMade
from cluedo.engine.view import PlayerView

# ---- accuses when, and only when, all three cards are proved ------------------------------------


class AgainstBruteForce(HardPlayer):
    """Compares each answer on accusing with every deal that fits what it saw."""

    compared = 0

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        answer = super().choose_accusation(view)
        deals = fitting(EvidenceReader(view).evidence)
        envelopes = {tuple((deal == view.table.seats).nonzero()[0].tolist()) for deal in deals}
        expected = Accusation(*envelopes.pop()) if len(envelopes) == 1 else None
        assert answer == expected
        type(self).compared += 1
        return answer


class AgainstSolver(HardPlayer):
    """Compares each answer, on accusing and on what to ask, with a solver that starts anew."""

    compared = 0

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        answer = super().choose_accusation(view)
        known = SatDeducer(EvidenceReader(view).evidence)
        cards = bits(known.has[view.table.seats])
        assert answer == (Accusation(*cards) if len(cards) == 3 else None)
        return answer

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        answer = super().choose_hypothesis(view)
        assert answer is not None
        known = SatDeducer(EvidenceReader(view).evidence)
        proved = known.has[view.table.seats]
        still_open = known.may[view.table.seats] & ~proved
        for card, mask in zip(answer.cards[:2], view.deck.masks, strict=False):
            wanted = still_open & mask or (proved | view.hand) & mask
            assert wanted >> card & 1, "open cards; in a settled category its own or that of the envelope"
        type(self).compared += 1
        return answer


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("movement", ["walk", "free"])
def test_it_accuses_exactly_when_every_deal_that_fits_has_one_envelope(seats, movement):
    AgainstBruteForce.compared = 0
    for deal in range(4):
        played([AgainstBruteForce() for _ in range(seats)], "tiny", 21, deal, movement=movement)
    assert AgainstBruteForce.compared > 15


@pytest.mark.parametrize(("seats", "name"), [(3, "classic"), (4, "manoir"), (5, "classic"), (6, "manoir")])
def test_on_a_big_board_it_accuses_and_asks_as_a_solver_that_starts_anew_says(seats, name):
    AgainstSolver.compared = 0
    for deal in range(3):
        played([AgainstSolver() for _ in range(seats)], name, 21, deal)
    assert AgainstSolver.compared > 10


# ---- what it asks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("movement", ["walk", "free"])
@pytest.mark.parametrize("level", ["hard", "hard:own_cards=never"])
def test_own_cards_are_named_as_probes_or_never(level, movement):
    own, asked = [0, 0, 0], 0
    for deal in range(16):
        game = played([level] * (3 + deal % 4), "manoir", 21, deal, movement=movement).game
        for event in game.events:
            if isinstance(event, HypothesisMade):
                own = [
                    count + (game.state.deal.hands[event.seat] >> card & 1)
                    for count, card in zip(own, event.cards, strict=True)
                ]
                asked += 1
    assert asked > 100
    if level == "hard":
        assert all(own)
    else:
        assert own[:2] == [0, 0]
        assert own[2] == 0 or movement == "walk", "who walks asks where it is"
        assert own[2] < asked / 50


def test_without_probes_it_does_not_ask_in_its_own_room_where_nothing_is_open():
    hands = [["Amber", "Basil", "Coral", "Ladle", "Poker", "Attic", "Bath", "Cellar"], [], []]
    game = make_game("tiny", hands=hands, envelope=["Denim", "Shears", "Den"], movement="free")
    go(game, "Attic")
    assert seated(game, "hard:own_cards=never").choose_hypothesis(game.view(0)) is None
    assert seated(game, "hard").choose_hypothesis(game.view(0)) is not None


# ---- where it goes --------------------------------------------------------------------------------


def test_it_walks_into_an_open_room_rather_than_into_its_own():
    game = make_game("classic", **with_first_hand("Study", "Lounge"), rolls={0: [8]}, pawns={"Scarlett": (8, 5)})
    player = seated(game, "hard")
    assert player.choose_move(game.view(0)) == Roll()
    game.execute(Roll())
    board = game.table.board
    assert {"Study", "Hall"} <= {board.node(room) for room in game.state.reach.rooms}
    goals = {player.choose_move(game.view(0)) for _ in range(100)}
    near = {Move(room) for room in game.state.reach.rooms}
    assert goals == near - {Move(board.place("Study")), Move(board.place("Lounge"))}


def test_it_stays_and_asks_or_takes_the_passage_where_that_settles_as_much_as_any_walk():
    game = make_game("classic", **CLASSIC, pawns={"Scarlett": "Lounge"})
    player = seated(game, "hard")
    moves = {player.choose_move(game.view(0)) for _ in range(100)}
    assert moves == {Stay(), SecretPassage()}, "both are open, and no dice are needed"


def test_it_leaves_a_room_that_is_used_up():
    game = make_game("classic", **CLASSIC, pawns={"Scarlett": "Hall"})
    player = seated(game, "hard")
    game.execute(Stay())
    ask(game, "Mustard", "Candlestick", "Hall")
    for _ in range(3):
        finish_turn(game)
    assert player.choose_move(game.view(0)) == Roll()


def test_under_free_movement_it_enters_an_open_room():
    game = make_game("classic", **CLASSIC, movement="free")
    player = seated(game, "hard")
    board = game.table.board
    moves = {player.choose_move(game.view(0)) for _ in range(300)}
    assert moves == {Move(room) for room in range(board.rooms_at, board.places)} - {Move(board.place("Study"))}


# ---- what it shows --------------------------------------------------------------------------------


def test_a_card_that_this_asker_has_seen_is_shown_again():
    again = free_choice = 0
    for deal in range(80):  # easy players ask about cards that they have seen, too
        for seat, card, choices, before in shows(played(["hard", "easy", "random", "easy"], "tiny", 25, deal).game):
            if seat:
                continue
            if choices & before:
                assert before >> card & 1
                again += choices & ~before != 0
            else:
                free_choice += choices & (choices - 1) != 0
    assert again >= 3
    assert free_choice >= 3


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_what_another_asker_saw_does_not_count(level):
    """Seat 1 holds two of the three and is asked by seat 0, seat 2 and seat 0 again."""
    hands = [["Amber", "Attic", "Cellar"], ["Coral", "Poker", "Bath"], ["Basil", "Ladle"]]
    answers = []
    for k in range(40):
        game = make_game("tiny", movement="free", hands=hands, envelope=["Denim", "Shears", "Den"])
        player = seated(game, level, 1, k)
        shown = []
        for seat in (0, 2, 0):
            while game.state.active != seat:
                finish_turn(game)
            bath = game.table.board.place("Bath")  # Coral, that is seat 2, is moved there when named
            game.execute(Stay() if game.state.place == bath else Move(bath))
            ask(game, "Coral", "Poker", "Bath")
            card = player.choose_card(game.view(1))
            game.execute(card)
            shown.append(card)
        answers.append(shown)
    assert all(first == third for first, _, third in answers)
    assert any(first != second for first, second, _ in answers)


@pytest.mark.parametrize("level", ["hard", "expert"])
@pytest.mark.parametrize("shown", ["Coral", "Poker"])
def test_who_sits_down_in_a_game_under_way_shows_again_what_its_seat_has_shown(level, shown):
    hands = [["Amber", "Attic", "Cellar"], ["Coral", "Poker", "Bath"], ["Basil", "Ladle"]]
    game = make_game("tiny", movement="free", hands=hands, envelope=["Denim", "Shears", "Den"])
    go(game, "Bath")
    ask(game, "Coral", "Poker", "Bath")
    game.execute(ShowCard(game.table.deck.id(shown)))
    for _ in hands:
        finish_turn(game)
    go(game, "Den")
    ask(game, "Coral", "Poker", "Den")
    again = {seated(game, level, 1, seed).choose_card(game.view(1)) for seed in range(20)}
    assert again == {ShowCard(game.table.deck.id(shown))}


# ---- whole games ----------------------------------------------------------------------------------

TABLES = [(seats, name) for name in ("manoir", "classic", "tiny") for seats in range(3, 5 if name == "tiny" else 7)]


@pytest.mark.parametrize("level", ["hard", "hard:own_cards=never", "expert"])
@pytest.mark.parametrize(("seats", "name"), TABLES)
@pytest.mark.parametrize("dice", [1, 2])
def test_games_on_every_board_are_decided_soon(level, seats, name, dice):
    for deal in range(1 if level == "expert" else 3):
        assert_decided_soon(played([level] * seats, name, 21, deal, dice=dice))


def assert_decided_soon(match: Match) -> None:
    assert match.game.result.reason == "solved"
    assert match.game.result.turns < 120, "of a thousand"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "seats", "data"),
    some(
        product(["hard", "expert", "hard:own_cards=never", "expert:reading=off"], [3, 4, 6], [DECK_ALONE, LARGE_DECK]),
        5,
    ),
    ids=lambda value: value["name"] if isinstance(value, dict) else None,
)
def test_games_with_a_deck_alone_are_decided_soon(level, seats, data):
    for deal in range(cases(2)):
        assert_decided_soon(played([level] * seats, board_from(data), 22, deal, movement="free"))


@pytest.mark.parametrize("seats", [3, 4])
def test_the_large_deck_can_be_walked_too(seats):
    board = street()
    for deal in range(3):
        match = played(["hard", "expert", "hard", "expert"][:seats], board, 23, deal)
        assert match.game.result.reason == "solved"


def street() -> Board:
    """The large deck along a street: a room every three squares."""
    letters = "ABCDEFGHIJKL"
    data = {
        **LARGE_DECK,
        "suspects": [{"name": f"S{k}", "start": [3 * k, 2]} for k in range(10)],
        "rooms": [{"name": f"R{k}", "symbol": letter} for k, letter in enumerate(letters)],
        "grid": [
            "".join(letter * 2 + "#" for letter in letters),
            "".join(letter.lower() + ".." for letter in letters),
            "." * 36,
        ],
    }
    return board_from(data)
