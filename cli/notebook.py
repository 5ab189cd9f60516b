"""What a person at the table could have written down: cards seen, and by whom they were shown."""

from __future__ import annotations

from cluedo.cards import Category
from cluedo.cli.story import Story
from cluedo.events import Shown
from cluedo.view import PlayerView

__all__ = ["notes", "players", "remark"]

_TITLES = {Category.SUSPECT: "Suspects", Category.WEAPON: "Weapons", Category.ROOM: "Rooms"}


def remark(view: PlayerView, card: int) -> str:
    """What the seat knows about a card at first hand: that it holds it, or who showed it."""
    if view.hand >> card & 1:
        return "yours"
    shower = _shown_to(view).get(card)
    return "" if shower is None else f"shown by {view.table.name(shower)}"


def notes(view: PlayerView) -> list[str]:
    """The cards that the seat has seen and those that it has not, category by category."""
    given = [event for event in view.events if isinstance(event, Shown) and event.seat == view.seat]
    lines = []
    for category in Category:
        seen, unseen = [], []
        for card in view.deck.ids[category]:
            name, known = view.deck.names[card], remark(view, card)
            to = sorted({event.asker for event in given if event.card == card})
            if to:
                known += f", shown to {', '.join(view.table.name(seat) for seat in to)}"
            if known:
                seen.append(f"{name} ({known})")
            else:
                unseen.append(name)
        lines.append(f"{_TITLES[category]}")
        lines.append(f"  seen:   {', '.join(seen) or 'none'}")
        lines.append(f"  unseen: {', '.join(unseen) or 'none'}")
    return lines


def players(view: PlayerView) -> list[str]:
    """Who sits where, clockwise, with how many cards."""
    table, story = view.table, Story(view.table, view.seat)
    lines = []
    for seat, size in enumerate(table.hand_sizes):
        you = " (you)" if seat == story.eyes else ""
        out = ", has accused wrongly and is out" if view.eliminated >> seat & 1 else ""
        lines.append(f"{seat + 1} {table.name(seat)}{you}: {size} cards{out}")
    return lines


def _shown_to(view: PlayerView) -> dict[int, int]:
    """By card that the seat was shown, who showed it."""
    return {
        event.card: event.seat
        for event in view.events
        if isinstance(event, Shown) and event.asker == view.seat and event.card is not None
    }
