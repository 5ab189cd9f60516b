"""A position in words: all that somebody at the table knows, for people and for language models."""

from __future__ import annotations

from collections.abc import Iterator

from cluedo.ai.knowledge.caselog import CaseLog, Setting
from cluedo.engine.cards import Category
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HandShown, Passed, Peeked, Shown
from cluedo.language import tr, tr_count, tr_you
from cluedo.session.house_rules import rules_told
from cluedo.session.narration import and_join

__all__ = ["entries_told", "position_text", "setting_told"]


def position_text(log: CaseLog) -> str:
    """The whole position of a player, from the cards of the game on, in the language spoken."""
    lines = [*setting_told(log.setting), tr("What has happened so far:")]
    lines += [f"{number}. {told}" for number, told in enumerate(entries_told(log), 1)]
    return "\n".join([*lines, tr("Now it is your turn.")])


def setting_told(table: Setting) -> list[str]:
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
        *rules_told(table.rules),
        *_set_aside(table),
        tr(
            "You are {who} and hold {cards}.",
            who=table.names[table.me],
            cards=", ".join(deck.names_in(table.hand)),
        ),
    ]


def _set_aside(table: Setting) -> Iterator[str]:
    """What lies on the table, as far as the rules alone do not say it."""
    if table.pool != table.rules.pool:
        yield tr_count(
            "{count} card lies face down beside the board.",
            "{count} cards lie face down beside the board.",
            table.pool,
        )
    if table.open_cards:
        yield tr("Face up for all: {cards}.", cards=and_join(table.deck.names_in(table.open_cards)))


def entries_told(log: CaseLog) -> list[str]:
    """What has happened, a line each: hypotheses with their answers, accusations, looks into the pool, open hands."""
    return [" ".join(_entry(log.setting, entry)) for entry in log.entries]


def _entry(table: Setting, entry: Entry) -> Iterator[str]:
    names, mine = table.names, entry.by == table.me
    if isinstance(entry.head, Peeked):
        yield _peeked(table, entry.head)
        return
    if isinstance(entry.head, HandShown):
        told = {"who": names[entry.by], "cards": table.deck.listed(entry.head.cards)}
        yield tr_you(mine, "You lay your hand open: {cards}.", "{who} lays their hand open: {cards}.", **told)
        return
    cards = table.deck.listed(entry.cards)
    if isinstance(entry.head, Accused):
        yield tr_you(mine, "You accuse: {cards}.", "{who} accuses: {cards}.", who=names[entry.by], cards=cards)
        yield tr("That is right!") if entry.head.correct else tr("That is wrong.")
        return
    yield tr_you(mine, "You ask: {cards}?", "{who} asks: {cards}?", who=names[entry.by], cards=cards)
    for answer in entry.answers:
        me = answer.seat == table.me
        if isinstance(answer, Passed):
            yield tr_you(me, "You cannot answer.", "{who} cannot answer.", who=names[answer.seat])
        else:
            yield _shown(table, answer)


def _peeked(table: Setting, look: Peeked) -> str:
    mine, who = look.seat == table.me, table.names[look.seat]
    if look.position < 0:  # nobody has noted which of them it was
        if look.card is None:
            return tr_you(mine, "You look at a card of the pool.", "{who} looks at a card of the pool.", who=who)
        return tr("You look at a card of the pool: {card}.", card=table.deck.names[look.card])
    number = look.position + 1
    if look.card is None:
        return tr_you(
            mine,
            "You look at card {number} of the pool.",
            "{who} looks at card {number} of the pool.",
            who=who,
            number=number,
        )
    return tr("You look at card {number} of the pool: {card}.", number=number, card=table.deck.names[look.card])


def _shown(table: Setting, shown: Shown) -> str:
    told = {
        "who": table.names[shown.seat],
        "asker": table.names[shown.asker],
        "card": tr("a card") if shown.card is None else table.deck.names[shown.card],
    }
    if shown.asker == table.me:
        return tr("{who} shows you {card}.", **told)
    return tr_you(shown.seat == table.me, "You show {asker} {card}.", "{who} shows {asker} {card}.", **told)
