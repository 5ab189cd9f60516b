"""Small builders: games with known hands and known dice, pawns where a test wants them, games played through."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from cluedo.ai.levels import LEVELS as SHIPPED_LEVELS, level_class, parse_player
from cluedo.ai.match import Match
from cluedo.ai.player import Player
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck
from cluedo.engine.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.engine.deal import Deal, Dice, Seeds
from cluedo.engine.events import Event, HypothesisMade, Shown
from cluedo.engine.game import Game
from cluedo.engine.mapfile import MapFile, map_names
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView

MAPS = [name for name in map_names() if MapFile.load(name).grid]
"""The shipped maps with a board to walk on."""

LEVELS: dict[str, Callable[[], Player]] = {name: level_class(name) for name in SHIPPED_LEVELS}
LEVELS |= {
    "medium:original=true": parse_player("medium:original=true").make,
    "montecarlo": parse_player("montecarlo:budget=16").make,
}
"""Every level that comes with the program, and the other manner of ``medium``; all of them quick."""

GIANT_STEP = 200
"""A roll that reaches every square."""

HOUSE: dict[str, Any] = {
    "name": "house",
    "suspects": [
        {"name": "Amber", "start": [0, 3]}, {"name": "Basil", "start": [5, 0]},
        {"name": "Coral", "start": [10, 3]}, {"name": "Denim", "start": [5, 6]},
    ],
    "weapons": [{"name": "Ladle"}, {"name": "Poker"}, {"name": "Shears"}],
    "rooms": [
        {"name": "Attic", "symbol": "A", "passage": "Den"}, {"name": "Bath", "symbol": "B"},
        {"name": "Cellar", "symbol": "C"}, {"name": "Den", "symbol": "D", "passage": "Attic"},
    ],
    "grid": ["AAAA#.#BBBB", "AAAA...BBBB", "AAAAa..BBBB", "..a....b.b.", "CCCCc.dDDDD", "CCCC...DDDD", "CCCC#.#DDDD"],
}  # fmt: skip
"""A valid map for tests to damage (``house()`` gives a copy)."""


def deck_alone(*sizes: int, name: str = "cards") -> dict[str, Any]:
    """A map without a grid, of so many suspects, weapons and rooms: S0, S1 …, W0 …, R0 …"""
    kinds = zip(("suspects", "weapons", "rooms"), sizes, strict=True)
    return {"name": name} | {kind: [{"name": f"{kind[0].upper()}{k}"} for k in range(size)] for kind, size in kinds}


DECK_ALONE = deck_alone(6, 6, 9)
LARGE_DECK = deck_alone(10, 8, 12, name="large")


def house() -> dict[str, Any]:
    """A copy of :data:`HOUSE`, to be changed."""
    return copy.deepcopy(HOUSE)


def write_map(folder: Path, data: Any) -> Path:
    """A map file with this content: a JSON value, or the text itself."""
    path = folder / "house.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


CASE_LOG = {
    "map": "classic",
    "players": [{"name": "Ann", "cards": 6}, {"name": "Bob", "cards": 6}, {"name": "Cid", "cards": 6}],
    "me": "Bob",
    "hand": ["Plum", "Rope", "Hall", "Study", "Lounge", "Kitchen"],
    "events": [
        {"by": "Ann", "hypothesis": ["Green", "Rope", "Library"], "refuted_by": "Bob", "card": "Rope"},
        {"by": "Bob", "hypothesis": ["Green", "Dagger", "Library"], "refuted_by": "Cid", "card": "Dagger"},
        {"by": "Cid", "hypothesis": ["White", "Wrench", "Library"], "refuted_by": "Ann"},
        {"by": "Ann", "hypothesis": ["Green", "Revolver", "Library"], "refuted_by": None},
        {"by": "Ann", "accusation": ["Green", "Revolver", "Library"], "correct": False},
    ],
}
"""What Bob knows at a table where Ann has accused wrongly."""


def write_log(folder: Path, log: object) -> Path:
    """A case log's file, of what may be none."""
    path = folder / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    return path


def board_from(data: Mapping[str, Any]) -> Board:
    """A board from the content of a map file."""
    return Board(MapFile.model_validate(data))


def roll_of(total: int, dice: int) -> tuple[int, ...]:
    """Dice that show ``total``."""
    return (*[total // dice] * (dice - 1), total - total // dice * (dice - 1))


def make_game(
    board: str | Board = "tiny",
    *,
    seats: int = 3,
    hands: Sequence[Iterable[str]] | None = None,
    envelope: Sequence[str] | None = None,
    suspects: Sequence[str] | None = None,
    first: int = 0,
    rolls: Mapping[int, Sequence[int]] | None = None,
    pawns: Mapping[str, tuple[int, int] | str] | None = None,
    **rules: Any,
) -> Game:
    """A game with everything that chance would decide given.

    ``envelope`` is by default the last card of each category, the ``hands`` the other cards dealt in
    order from seat 0; ``rolls`` are totals by seat (later rolls follow from a fixed seed). ``pawns``
    says where pawns of the players shall stand: a first round of giant rolls takes them there.
    """
    if isinstance(board, str):
        board = Board.load(board)
    deck, set_rules = board.deck, Rules(**rules)
    hidden = deck.triple(envelope or [deck.names[ids[-1]] for ids in deck.ids])
    if hands is None:
        masks = dealt_in_order(deck, hidden, seats)
    else:
        masks = [deck.mask(hand) for hand in hands]
        assert sum(masks) + sum(1 << card for card in hidden) == deck.all, "hands and envelope are not one deck"
    taken = [deck.id(name) for name in suspects] if suspects else list(deck.suspects[: len(masks)])
    pawns, dice = pawns or {}, []
    for seat, suspect in enumerate(taken):
        known = [roll_of(total, set_rules.dice) for total in (rolls or {}).get(seat, ())]
        setting_out = [(GIANT_STEP,)] if deck.names[suspect] in pawns and not set_rules.free else []
        dice.append(Dice(set_rules, Random(seat), setting_out + known))
    game = Game(board, set_rules, Deal(hidden, tuple(masks), tuple(taken), first, tuple(dice)))
    for _ in masks if pawns else ():
        name = game.table.name(game.state.active)
        if name in pawns:
            go(game, pawns[name])
            game.execute(EndTurn())
        else:
            pass_turn(game)
    return game


def dealt_in_order(deck: Deck, envelope: Iterable[int], seats: int) -> list[int]:
    """The masks of the hands when the rest is dealt unshuffled from seat 0."""
    masks = [0] * seats
    for k, card in enumerate(card for card in range(deck.size) if card not in set(envelope)):
        masks[k % seats] |= 1 << card
    return masks


def drawn_game(board: Board, seats: int, seed: int, deal: int = 0, **rules: Any) -> Game:
    """A game as it is dealt from a seed."""
    return Game.begin(board, Rules(**rules), Seeds(seed, deal, seats))


def pawn(game: Game, name: str) -> tuple[int, int] | str:
    """Where a pawn stands."""
    board = game.table.board
    return board.node(game.state.pawns[board.deck.id(name)])


def go(game: Game, to: tuple[int, int] | str) -> tuple[Event, ...]:
    """Walk (after a roll, if one is due) to a square or a room."""
    if Roll() in game.legal():
        game.execute(Roll())
    return game.execute(Move(game.table.board.place(to)))


def ends(game: Game) -> set[tuple[int, int] | str]:
    """Where the active pawn may move to now."""
    return {game.table.board.node(move.to) for move in game.legal() if isinstance(move, Move)}


def ask(game: Game, *names: str) -> tuple[Event, ...]:
    """Make a hypothesis, by names."""
    return game.execute(Hypothesis(*game.table.deck.triple(names)))


def show(game: Game, name: str) -> tuple[Event, ...]:
    """Show a card, by name."""
    return game.execute(ShowCard(game.table.deck.id(name)))


def accuse(game: Game, *names: str) -> tuple[Event, ...]:
    """Accuse, by names."""
    return game.execute(Accusation(*game.table.deck.triple(names)))


def pass_turn(game: Game) -> None:
    """Stay and end the turn."""
    game.execute(Stay())
    game.execute(EndTurn())


def finish_turn(game: Game) -> None:
    """Do what is left of the turn in the dullest way: show the first card, end the turn."""
    turn = game.state.turn
    while game.state.turn == turn and not game.over:
        legal = game.legal()
        game.execute(legal[0] if isinstance(legal[0], ShowCard) else Stay() if Stay() in legal else EndTurn())


def kinds(game: Game) -> set[type[Command]]:
    """The kinds of command that are legal now."""
    return {type(command) for command in game.legal()}


MANNERS: dict[str, dict[type[Command], float]] = {
    "rash": {Accusation: 0.3},
    "patient": {Accusation: 0.0},
    "lingering": {Accusation: 0.01, Stay: 3.0},
    "eager": {Accusation: 0.01, SecretPassage: 3.0, Hypothesis: 5.0, Peek: 5.0, Stay: 0.2},
}
"""Weights of the kinds of command for :func:`play_random`; 1 where nothing is said."""


def random_command(game: Game, random: Random, weights: Mapping[type[Command], float]) -> Command:
    """A legal command: its kind by weight, then uniform among that kind."""
    legal = game.legal()
    present = sorted({type(command) for command in legal}, key=lambda kind: kind.__name__)
    kind = random.choices(present, [weights.get(kind, 1.0) for kind in present])[0]
    return random.choice([command for command in legal if type(command) is kind])


def play_random(
    game: Game,
    random: Random,
    manner: str = "eager",
    *,
    limit: int = 1_000_000,
    insight: float = 0.0,
    before: Callable[[Command], object] = lambda command: None,
) -> list[Command]:
    """Give random legal commands until the game is over or ``limit`` are given; returns them.

    With the chance ``insight`` an accusation that is legal is the right one, so that games also end
    solved. ``before`` is called with each command before it is executed.
    """
    truth = Accusation(*game.state.deal.envelope)
    given: list[Command] = []
    while not game.over and len(given) < limit:
        command = random_command(game, random, MANNERS[manner])
        if isinstance(command, EndTurn) and random.random() < insight and truth in game.legal():
            command = truth
        before(command)
        game.execute(command)
        given.append(command)
    return given


def make_match(game: Game, levels: Sequence[str | Player], seed: int = 0, **options: Any) -> Match:
    """A match of the named levels, which may have parameters."""
    randoms = [Random(f"{seed} {seat}") for seat in range(len(levels))]
    return Match(game, [make_player(level) for level in levels], randoms, **options)


def make_player(level: str | Player) -> Player:
    """A player from its name, or its text with parameters; or the player itself."""
    if isinstance(level, Player):
        return level
    return LEVELS[level]() if level in LEVELS else parse_player(level).make()


def shows(game: Game) -> Iterator[tuple[int, int, int, int]]:
    """For every card shown: the seat, the card, the mask it could choose from, and what this asker had seen of it."""
    seen: dict[tuple[int, int], int] = {}
    named = 0
    for event in game.events:
        if isinstance(event, HypothesisMade):
            named = sum(1 << card for card in event.cards)
        elif isinstance(event, Shown):
            before = seen.get((event.seat, event.asker), 0)
            assert event.card is not None, "the log of the game is open"
            yield event.seat, event.card, game.state.deal.hands[event.seat] & named, before
            seen[event.seat, event.asker] = before | 1 << event.card


def seen_by_all(game: Game) -> tuple[object, ...]:
    """All that can be seen of a game, by everybody: equal for games that nothing tells apart."""
    views = tuple(view_json(game.view(seat)) for seat in range(game.table.seats))
    return views, game.events, tuple(game.commands), game.result


def view_json(view: PlayerView) -> str:
    """All that a view holds, as JSON with sorted keys: equal texts are equal knowledge."""
    told_below = ("table", "reach", "past", "recent", "seen")
    data: dict[str, Any] = {name: getattr(view, name) for name in view._fields if name not in told_below}
    table = view.table
    data["table"] = {
        "map": table.board.map.name,
        "rules": table.rules.model_dump(),
        "suspects": table.suspects,
        "hand_sizes": table.hand_sizes,
        "first": table.first,
        "pool_size": table.pool_size,
        "open_cards": table.open_cards,
    }
    data["reach"] = view.reach.places
    data["events"] = [repr(event) for event in view.events]
    return json.dumps(data, sort_keys=True)
