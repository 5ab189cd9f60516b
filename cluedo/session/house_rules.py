"""The rules of an edition or a house in words: what differs from those of the box."""

from __future__ import annotations

from collections.abc import Iterator

from cluedo.engine.rules import Rules
from cluedo.language import tr, tr_count

__all__ = ["rules_told"]

_BOX = Rules()


def rules_told(rules: Rules) -> list[str]:
    """A sentence for each rule that differs, in the order of their numbers; none for the rules of the box."""
    return [*_moving(rules), *_dealing(rules), *_asking(rules), *_starting(rules)]


def _moving(rules: Rules) -> Iterator[str]:
    if rules.free:
        yield tr("Pawns may enter any room, without dice.")
    elif (rules.dice, rules.sides) != (_BOX.dice, _BOX.sides):
        yield tr_count(
            "{count} die with {sides} sides is thrown.",
            "{count} dice with {sides} sides are thrown.",
            rules.dice,
            sides=rules.sides,
        )


def _dealing(rules: Rules) -> Iterator[str]:
    if rules.pool:
        yield tr_count(
            "{count} card lies face down beside the board, in the pool.",
            "{count} cards lie face down beside the board, in the pool.",
            rules.pool,
        )
    if rules.leftover == "open":
        yield tr("Cards that do not go round evenly lie open on the table.")
    elif rules.leftover == "pool":
        yield tr("Cards that do not go round evenly lie face down in the pool.")
    if rules.peek:
        yield tr("A player whose question nobody answers may look at one card of the pool, alone, and puts it back.")


def _asking(rules: Rules) -> Iterator[str]:
    if rules.own_cards == "not_all":
        yield tr("A question names at least one card that is not the asker's own.")
    if rules.accuse_in == "room":
        yield tr("Players may accuse only the room they are in.")
    if rules.wrong_shows_hand:
        yield tr("A player who accuses wrongly lays their hand open.")
    if rules.refuters == "all":
        yield tr("Everybody who holds one of the three cards shows one of them, to the asker alone.")


def _starting(rules: Rules) -> Iterator[str]:
    if rules.starts == "first_suspect":
        yield tr("The player whose suspect comes first on the map starts.")
