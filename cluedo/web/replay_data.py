"""A timeline as plain values, for a page to replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cluedo.engine.deal import Deal
from cluedo.engine.geometry import spots, weapon_spots
from cluedo.language import tr
from cluedo.session.narration import beside_the_board
from cluedo.session.timeline import Knowledge, Timeline
from cluedo.session.turn_positions import Position

__all__ = ["replay_data"]

_UNKNOWN = -1


def replay_data(timeline: Timeline) -> dict[str, Any]:
    """The game for a page.

    Returns:
        ``turns`` (where pawns and weapons are after each of them; the first is the deal) and ``who`` had it, ``places``
        (the columns of a sheet), ``views`` (the first is shown at first) and what does not change: cards and seats.
        Seats and cards are numbers; a sheet is a flat list of per cents, card by card.
    """
    table = timeline.table
    return {
        "cards": list(table.deck.names),
        "categories": [[ids.start, ids.stop] for ids in table.deck.ids],
        "places": [tr("envelope"), *(table.name(seat) for seat in range(table.seats)), *beside_the_board(table)],
        "seats": [
            {
                "name": table.name(seat),
                "player": timeline.players[seat],
                "suspect": suspect,
                "colour": table.board.map.suspects[suspect].colour,
            }
            for seat, suspect in enumerate(table.suspects)
        ],
        "turns": [_drawn(timeline, position) for position in timeline.positions],
        "who": [position.who for position in timeline.positions],
        "views": [_view(timeline, view) for view in timeline.views],
    }


def _drawn(timeline: Timeline, position: Position) -> dict[str, Any]:
    board = timeline.table.board
    if not board.has_grid:
        return {"pawns": [], "weapons": []}
    pawns, weapons = spots(board, position.pawns), weapon_spots(board, position.weapons)
    return {
        "pawns": [[round(x, 2), round(y, 2)] for x, y in pawns],
        "weapons": [[round(x, 2), round(y, 2)] for x, y in weapons],
    }


def _view(timeline: Timeline, view: int | None) -> dict[str, Any]:
    turns = range(timeline.turns + 1)
    log: list[list[list[Any]]] = [[] for _ in turns]
    for said in timeline.log(view):
        log[said.turn].append([said.seat, said.text])
    sheets: list[Sequence[float]] = []
    at: list[int] = []
    if view is None:
        assert timeline.deal is not None, "a timeline with all cards open has the deal"
        sheets, at = [_truth(timeline.deal, timeline.table.deck.size)], [0] * len(turns)
    else:
        before: Knowledge | None = None
        for turn in turns:
            now = timeline.known(view, turn)
            if now is not before:
                places = 1 + timeline.table.seats + len(beside_the_board(timeline.table))
                sheets.append(_sheet(now, timeline.table.deck.size * places))
            before = now
            at.append(len(sheets) - 1)
    shown = range(timeline.table.seats) if view is None else [view]
    return {
        "seat": view,
        "name": timeline.view_name(view),
        "log": log,
        "sheets": sheets,
        "sheetAt": at,
        "bits": [[seat, [_bits(timeline.known(seat, turn).bits) for turn in turns]] for seat in shown],
    }


def _bits(bits: float | None) -> float | None:
    return None if bits is None else round(bits, 3)


def _sheet(known: Knowledge, cells: int) -> list[float]:
    """The envelope first, then the other places."""
    if known.odds is None:
        return [_UNKNOWN] * cells
    envelope = known.odds.shape[1] - 1
    return [_percent(float(p)) for row in known.odds for p in row[[envelope, *range(envelope)]]]


def _percent(p: float) -> float:
    """0 and 100 are proofs; what is near them says so by a half."""
    if p in (0.0, 1.0):
        return 100 * int(p)
    whole = round(100 * p)
    return 0.5 if whole == 0 else 99.5 if whole == 100 else whole


def _truth(deal: Deal, cards: int) -> list[float]:
    """Where every card is."""
    *others, envelope = deal.places
    return [100 * (mask >> card & 1) for card in range(cards) for mask in (envelope, *others)]
