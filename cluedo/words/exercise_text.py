"""The rules of a table and a position in words, for people and for language models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cluedo.engine.cards import Category
from cluedo.engine.rules import BOX_RULES, Rules
from cluedo.language import tr, tr_count
from cluedo.words.narration import Narrator, set_aside

if TYPE_CHECKING:  # the engines are slow to import
    from cluedo.ai.knowledge.caselog import CaseLog, Setting

__all__ = ["entry_sentences", "position_text", "rule_sentences", "table_sentences"]


def position_text(log: CaseLog) -> str:
    """The whole position of a player, from the cards of the game on, in the language spoken."""
    lines = [*table_sentences(log.setting), tr("What has happened so far:")]
    lines += [f"{number}. {told}" for number, told in enumerate(entry_sentences(log), 1)]
    return "\n".join([*lines, tr("Now it is your turn.")])


def table_sentences(table: Setting) -> list[str]:
    """The cards, the players, and what one holds; a sentence each."""
    assert table.me is not None, "a position is a player's"
    deck = table.deck
    pool = 0 if table.pool_size == table.rules.pool else table.pool_size  # else the rules say it
    held = (
        f"{name} ({tr_count('{count} card', '{count} cards', size)})"
        for name, size in zip(table.names, table.sizes, strict=True)
    )
    return [
        *(
            tr("{title}: {cards}.", title=category.title, cards=deck.listed(deck.ids[category]))
            for category in Category
        ),
        tr("Players in turn order: {players}.", players=", ".join(held)),
        *rule_sentences(table.rules),
        *set_aside(deck, pool, table.open_cards),
        tr(
            "You are {who} and hold {cards}.",
            who=table.names[table.me],
            cards=", ".join(deck.names_in(table.hand)),
        ),
    ]


def entry_sentences(log: CaseLog) -> list[str]:
    """What has happened, a line each: hypotheses with their answers, accusations, looks into the pool, open hands."""
    narrator = Narrator(log.setting.deck, log.setting.names, log.setting.me)
    return [" ".join(map(narrator.tell, entry.events)) for entry in log.entries]


def rule_sentences(rules: Rules) -> list[str]:
    """A sentence for each rule that differs, in the order of their numbers; none for the rules of the box."""
    return [*_moving(rules), *_dealing(rules), *_asking(rules)]


def _moving(rules: Rules) -> Iterator[str]:
    if rules.free:
        yield tr("Pawns may enter any room, without dice.")
    elif (rules.dice, rules.sides) != (BOX_RULES.dice, BOX_RULES.sides):
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
    if rules.starts == "first_suspect":
        yield tr("The player whose suspect comes first on the map starts.")
    if rules.last_wins:
        yield tr("When all others have accused wrongly, the last player wins.")
