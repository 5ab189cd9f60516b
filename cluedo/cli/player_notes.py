"""The notes of a careful player: which cards the seat has seen, and who showed them."""

from __future__ import annotations

from collections.abc import Iterator

from cluedo.engine.cards import Category
from cluedo.engine.events import Peeked, Shown
from cluedo.engine.view import PlayerView
from cluedo.language import tr, tr_count

__all__ = ["notes", "players", "remark"]


def remark(view: PlayerView, card: int) -> str:
    """What the seat has seen of a card: that it holds it, where it lies, or who showed it."""
    if view.hand >> card & 1:
        return tr("yours")
    if view.face_up >> card & 1:
        return tr("face up")
    if any(isinstance(event, Peeked) and event.card == card for _, event in view.seen):
        return tr("in the pool")
    for event in view.events:
        if isinstance(event, Shown) and (event.asker, event.card) == (view.seat, card):
            return tr("shown by {who}", who=view.table.name(event.seat))
    return ""


def notes(view: PlayerView) -> Iterator[str]:
    """The cards that the seat has seen and those that it has not, category by category."""
    given = [event for event in view.events if isinstance(event, Shown) and event.seat == view.seat]
    for category in Category:
        seen, unseen = [], []
        for card in view.deck.ids[category]:
            name, known = view.deck.names[card], remark(view, card)
            to = sorted({event.asker for event in given if event.card == card})
            if to:
                known += ", " + tr("shown to {names}", names=", ".join(view.table.name(seat) for seat in to))
            if known:
                seen.append(f"{name} ({known})")
            else:
                unseen.append(name)
        yield tr(category.title)
        yield tr("  seen:   {cards}", cards=", ".join(seen) or tr("none"))
        yield tr("  unseen: {cards}", cards=", ".join(unseen) or tr("none"))


def players(view: PlayerView) -> Iterator[str]:
    """Who sits where, clockwise, with how many cards."""
    table = view.table
    for seat, size in enumerate(table.hand_sizes):
        name = tr("{name} (you)", name=table.name(seat)) if seat == view.seat else table.name(seat)
        cards = tr_count("{count} card", "{count} cards", size)
        out = ", " + tr("has accused wrongly and is out") if view.eliminated >> seat & 1 else ""
        yield tr("{title}: {cards}", title=f"{seat + 1} {name}", cards=cards) + out
