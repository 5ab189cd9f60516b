"""One self-contained page that replays a game in a browser, without a network."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import chain, cycle, repeat
from typing import Any, Final

from markupsafe import Markup

from cluedo.engine.board_svg import board_svg
from cluedo.engine.cards import Category
from cluedo.engine.deal import Deal
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord
from cluedo.engine.state import Table
from cluedo.language import current, number, tr
from cluedo.session.review_text import OPEN_ENVELOPES, KnowledgeCurve, model_note
from cluedo.session.tables.scenes import pieces_json
from cluedo.session.timeline import Knowledge, Timeline, review_game
from cluedo.web.templating import json_of, templates
from cluedo.words.narration import Story, beside_the_board

__all__ = ["knowledge_graph", "replay_data", "replay_page", "replay_parts"]

_WIDTH, _HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 10, 24
_TICKS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
_DASHES: Final = ("none", "9 4", "2 3", "14 4 2 4", "24 5", "5 2")
_UNKNOWN = -1


def replay_page(record: GameRecord, game: Game, viewer: int | None = None) -> str:
    """The page: board, log, sheets, bars and reviews, turn by turn.

    Args:
        record: the game as it stands in its file.
        game: the game played again, as far as the page shall tell it.
        viewer: the seat whose page it is, which holds nothing that the seat may not know; or None for all cards open.
    """
    return (
        templates()
        .get_template("replay.html")
        .render(
            **replay_parts(record, game, viewer),
            language=current(),
            style=Markup(_part("base.css") + _part("replay.css")),
            script=Markup(_part("replay.js")),
        )
    )


def replay_parts(record: GameRecord, game: Game, viewer: int | None = None) -> dict[str, Any]:
    """The values for the template of a replay; arguments as of :func:`replay_page`."""
    table = game.table
    title = table.board.title
    timeline, reviews = review_game(game, [player.name for player in record.players], viewer)
    return {
        "title": title,
        "lead": _lead(timeline, game, viewer),
        "replayed": json_of(replay_data(timeline) | {"words": _words(), "language": current()}),
        "board": board_svg(table.board, label=tr("The board {title}", title=title)) if table.board.has_grid else None,
        "reviews": [(review, knowledge_graph(review.curves, table)) for review in reviews],
        "single": viewer is not None,
        "note": model_note(),
    }


def _part(name: str) -> str:
    return files("cluedo.web").joinpath("static", name).read_text(encoding="utf-8")


def _lead(timeline: Timeline, game: Game, viewer: int | None) -> str:
    table = game.table
    players = ", ".join(f"{table.name(seat)} ({name})" for seat, name in enumerate(timeline.players))
    return f"{players}. {Story(table, viewer).ending(game.result)}" if game.result is not None else f"{players}."


def _words() -> dict[str, Any]:
    """What the script says."""
    return {
        "play": tr("Play"),
        "pause": tr("Pause"),
        "deal": tr("The cards are dealt"),
        "turn": tr("Turn {turn}: {who}"),
        "of": tr("{turn} of {turns}"),
        "left": tr("{count} left"),
        "categories": [tr(category.title) for category in Category],
    }


# ---- the game ----------------------------------------------------------------------------------------


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
        "places": [tr("envelope"), *table.names, *beside_the_board(table)],
        "seats": [
            {
                "name": table.name(seat),
                "player": timeline.players[seat],
                "suspect": suspect,
                "colour": table.board.map.suspects[suspect].colour,
            }
            for seat, suspect in enumerate(table.suspects)
        ],
        "turns": [pieces_json(table.board, snapshot.pawns, snapshot.weapons) for snapshot in timeline.snapshots],
        "who": [snapshot.who for snapshot in timeline.snapshots],
        "views": [_view(timeline, view) for view in timeline.views],
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
        "left": [[seat, [timeline.known(seat, turn).envelopes for turn in turns]] for seat in shown],
    }


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


# ---- the graph of a review ---------------------------------------------------------------------------


def knowledge_graph(curves: Sequence[KnowledgeCurve], table: Table) -> Markup:
    """Lines in the colours of the pawns, with a legend; the envelopes on a logarithmic scale. Empty without turns.

    No two of six lines are broken in the same way: who sees no colours tells them apart, too.
    """
    turns = max((len(curve.open) for curve in curves), default=0) - 1
    if turns < 1:
        return Markup("")
    most = max(2.0, *chain.from_iterable(curve.open for curve in curves))
    told = ". ".join(tr("{name}: {title}", name=curve.name, title=curve.ends) for curve in curves if curve.open)
    colours = [table.board.map.suspects[table.suspects[curve.seat]].colour for curve in curves]
    points = [" ".join(f"{_x(turn, turns)},{_y(left, most)}" for turn, left in enumerate(each.open)) for each in curves]
    drawn = Markup("").join([*_axes(most, turns), *map(_line, points, colours, cycle(_DASHES))])
    samples = map(_line, repeat("0,5 36,5"), colours, cycle(_DASHES))
    legend = Markup("").join(map(_named, samples, (curve.name for curve in curves)))
    return Markup(
        '<figure class="knowledge"><figcaption>{}{}</figcaption>'
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg></figure>'
    ).format(tr(OPEN_ENVELOPES), legend, _WIDTH, _HEIGHT, told, drawn)


def _axes(most: float, turns: int) -> Iterator[Markup]:
    """Lines at round numbers of envelopes, and the turns below."""
    for tick in (tick for tick in _TICKS if tick <= most):
        y = _y(tick, most)
        yield Markup(
            '<path class="grid" d="M{} {}H{}"/><text class="tick" x="{}" y="{}" text-anchor="end">{}</text>'
        ).format(_LEFT, y, _WIDTH - _RIGHT, _LEFT - 6, y + 4, number(tick, ","))
    for turn in range(0, turns + 1, _step(turns)):
        yield Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>').format(
            _x(turn, turns), _HEIGHT - 6, turn
        )


def _step(turns: int) -> int:
    """The turns from one number below to the next: 1, 2 or 5, or these with zeros, so that at most 13 stand there."""
    power: int = 10 ** max(0, len(str(turns)) - 2)
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if turns <= 12 * step)


def _x(turn: int, turns: int) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * turn / turns, 1)


def _y(envelopes: float, most: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - math.log(envelopes) / math.log(most)), 1)


def _line(points: str, colour: str, dashes: str) -> Markup:
    """With a rim, for pawns as light as the paper."""
    return Markup(
        '<g stroke-dasharray="{2}"><polyline class="rim" points="{0}"/><polyline stroke="{1}" points="{0}"/></g>'
    ).format(points, colour, dashes)


def _named(sample: Markup, name: str) -> Markup:
    """A line of the legend."""
    return Markup(' <span class="of"><svg viewBox="0 0 36 10" aria-hidden="true">{}</svg>{}</span>').format(
        sample, name
    )
