"""A game as a page replays it: for each pair of eyes what they saw, knew and could prove after every turn.

Everything for one seat's eyes comes from its own views and from the events as it saw them, so that a page for one
seat holds nothing that it may not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cluedo.ai.knowledge.gains import entropy
from cluedo.ai.knowledge.history import after_each_turn
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.ai.knowledge.witness import Witness
from cluedo.cli.language import tr
from cluedo.cli.story import Story
from cluedo.errors import CluedoError
from cluedo.events import as_seen_by
from cluedo.experiments.board_shape import spots, weapon_spots
from cluedo.game import Game
from cluedo.record import GameRecord

__all__ = ["replay_data"]

_UNKNOWN = -1


def replay_data(record: GameRecord, game: Game, eyes: int | None) -> dict[str, Any]:
    """The game for a page, plain values only.

    Args:
        record: the game as it stands in its file, for the players' names.
        game: the game played again, as far as the page shall tell it.
        eyes: the only seat whose knowledge the page may hold, or None for all cards open and every seat's eyes.

    Returns:
        ``turns`` (who, pawns and weapons after each of them; the first is the deal), ``places`` (the columns of a
        sheet), ``views`` (the first is shown at first) and what does not change: cards, seats, suspects.
    """
    table = game.table
    deck, board = table.deck, table.board
    minds = [_Mind(game, seat) for seat in range(table.seats) if eyes in (None, seat)]
    turns: list[dict[str, Any]] = []
    for position in after_each_turn(game):
        state = position.state
        pawns = [[round(x, 2), round(y, 2)] for x, y in spots(board, state.pawns)] if board.has_grid else []
        weapons = [[round(x, 2), round(y, 2)] for x, y in weapon_spots(board, state.weapons)] if board.has_grid else []
        turns.append({"pawns": pawns, "weapons": weapons})
        for mind in minds:
            mind.look(position)
    players = [player.name for player in record.players]
    views = [_view(game, mind.seat, mind.sheets, mind.sheet_at, {mind.seat: mind.bits}) for mind in minds]
    if eyes is None:
        bits = {mind.seat: mind.bits for mind in minds}
        views.insert(0, _view(game, None, [_truth(game)], [0] * len(turns), bits))
    return {
        "cards": list(deck.names),
        "categories": [[ids.start, ids.stop] for ids in deck.ids],
        "places": [tr("envelope"), *(table.name(seat) for seat in range(table.seats))],
        "seats": [
            {
                "name": table.name(seat),
                "player": players[seat],
                "suspect": table.suspects[seat],
                "colour": _colour(game, seat),
            }
            for seat in range(table.seats)
        ],
        "turns": turns,
        "who": _whose_turns(game),
        "views": views,
    }


class _Mind:
    """What one seat knows, turn after turn."""

    def __init__(self, game: Game, seat: int):
        start = Game(game.table.board, game.table.rules, game.state.deal)
        self.seat = seat
        self._witness = Witness(start.view(seat))
        self._posterior = Posterior(self._witness.evidence, CHOICE)
        self._facts = -1
        self.sheets: list[list[float]] = []
        self.sheet_at: list[int] = []
        self.bits: list[float | None] = []

    def look(self, game: Game) -> None:
        """Take in what is new, and keep the sheet and what is unknown."""
        facts = len(self._witness.read(game.view(self.seat)).facts)
        if facts == self._facts:
            self.sheet_at.append(self.sheet_at[-1])
            self.bits.append(self.bits[-1])
            return
        self._facts = facts
        try:
            odds, bits = self._posterior.marginals, round(entropy(self._posterior.joint), 3) + 0.0
        except (CluedoError, MemoryError):
            self.sheets.append([_UNKNOWN] * (game.table.deck.size * (game.table.seats + 1)))
            self.bits.append(None)
        else:
            order = [game.table.seats, *range(game.table.seats)]
            self.sheets.append([_percent(float(p)) for row in odds for p in row[order]])
            self.bits.append(bits)
        self.sheet_at.append(len(self.sheets) - 1)


def _percent(p: float) -> float:
    """0 and 100 are proofs; what is near them says so by a half."""
    if p in (0.0, 1.0):
        return 100 * int(p)
    whole = round(100 * p)
    return 0.5 if whole == 0 else 99.5 if whole == 100 else whole


def _truth(game: Game) -> list[float]:
    """Where every card is."""
    deal = game.state.deal
    at = [sum(1 << card for card in deal.envelope), *deal.hands]
    return [100 * (cards >> card & 1) for card in range(game.table.deck.size) for cards in at]


def _view(
    game: Game,
    eyes: int | None,
    sheets: list[list[float]],
    sheet_at: list[int],
    bits: dict[int, list[float | None]],
) -> dict[str, Any]:
    table = game.table
    story = Story(table, eyes)
    seen = game.events if eyes is None else [as_seen_by(event, eyes) for event in game.events]
    log: list[list[list[Any]]] = [[] for _ in range(len(sheet_at))]
    log[0] = [[None, line] for line in _deal_lines(game, eyes)]
    for sentence in story.sentences(seen):
        log[sentence.turn].append([sentence.seat, sentence.text])
    if game.result is not None:
        log[-1].append([None, story.ending(game.result)])
    return {
        "seat": eyes,
        "name": tr("All cards open") if eyes is None else table.name(eyes),
        "log": log,
        "sheets": sheets,
        "sheetAt": sheet_at,
        "bits": [[seat, values] for seat, values in bits.items()],
    }


def _deal_lines(game: Game, eyes: int | None) -> Iterable[str]:
    table = game.table
    if eyes is not None:
        hand = ", ".join(table.deck.names_in(game.state.deal.hands[eyes]))
        yield tr("You are {who} and hold {cards}.", who=table.name(eyes), cards=hand)
    yield tr("{who} begins.", who=table.name(table.first))


def _whose_turns(game: Game) -> list[int | None]:
    """By turn, whose it was; nobody's for the deal."""
    who: list[int | None] = [None]
    again = Game(game.table.board, game.table.rules, game.state.deal)
    for command in game.commands:
        if again.state.turn == len(who):
            who.append(again.state.active)
        again.execute(command)
    return who


def _colour(game: Game, seat: int) -> str:
    return game.table.board.map.suspects[game.table.suspects[seat]].colour
