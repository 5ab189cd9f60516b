"""A table and a position in words, for people and for language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cluedo.engine.cards import Category
from cluedo.language import tr, tr_count
from cluedo.words.narration import Narrator
from cluedo.words.rule_text import house_rules

if TYPE_CHECKING:  # the detective is slow to import
    from cluedo.ai.knowledge.caselog import CaseLog, Setting

__all__ = ["entry_sentences", "position_text", "table_sentences"]


def position_text(log: CaseLog) -> str:
    """The whole position of a player, from the cards of the game on, in the language spoken."""
    lines = [*table_sentences(log.setting), tr("What has happened so far:")]
    lines += [f"{number}. {told}" for number, told in enumerate(entry_sentences(log), 1)]
    return "\n".join([*lines, tr("Now it is your turn.")])


def table_sentences(table: Setting) -> list[str]:
    """The cards, the players, and what one holds; a sentence each."""
    assert table.me is not None, "a position is a player's"
    deck = table.deck
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
        *house_rules(table),
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
