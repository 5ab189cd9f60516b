"""The rules in words: those by which a table differs from the box, and all of them by number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import BOX_RULES, Rules
from cluedo.engine.state import Table
from cluedo.language import tr, tr_count
from cluedo.words.narration import set_aside_sentences

if TYPE_CHECKING:  # the detective is slow to import
    from cluedo.ai.knowledge.caselog import Setting

__all__ = ["house_rules", "numbered_rules", "rule_lines", "rule_sentences"]

_TOLD: Final[tuple[tuple[str, object, Phrase], ...]] = (
    ("leftover", "open", Phrase("Cards that do not go round evenly lie open on the table.")),
    ("leftover", "pool", Phrase("Cards that do not go round evenly lie face down in the pool.")),
    (
        "peek",
        True,
        Phrase("A player whose question nobody answers may look at one card of the pool, alone, and puts it back."),
    ),
    ("own_cards", "not_all", Phrase("A question names at least one card that is not the asker's own.")),
    ("accuse_in", "room", Phrase("Players may accuse only the room they are in.")),
    ("wrong_shows_hand", True, Phrase("A player who accuses wrongly lays their hand open.")),
    ("refuters", "all", Phrase("Everybody who holds one of the three cards shows one of them, to the asker alone.")),
    ("starts", "first_suspect", Phrase("The player whose suspect comes first on the map starts.")),
    ("last_wins", True, Phrase("When all others have accused wrongly, the last player wins.")),
)
"""The rules that only some editions have, from rule 14 on: by key and value, the sentence."""


def numbered_rules() -> tuple[list[str], list[str]]:
    """All rules in short, in the order of their numbers, by which messages name them (:mod:`cluedo.engine.rules`).

    Returns:
        Those of the box, and, with the numbers that follow, those that only some editions have.
    """
    box = [
        tr(
            "Two to ten play, each with a suspect; two need cards in a pool. The pawns of all suspects stand on the "
            "board, played or not."
        ),
        tr(
            "One suspect, one weapon and one room go into the envelope. The other cards are dealt one by one; hands "
            "may be unequal."
        ),
        tr("Everybody rolls, and the highest starts. Play goes clockwise."),
        tr(
            "A turn is a move, then perhaps a hypothesis, then perhaps an accusation. To move, you roll and walk, take "
            "a secret passage, or stay."
        ),
        tr(
            "You walk up to as many squares as you rolled, never diagonally, and never onto or through another pawn. A "
            "door costs a step, and a room ends the walk. You cannot go back into the room that you leave in this move."
        ),
        tr(
            "A hypothesis is made in a room, about that room, once a turn. The suspect's pawn and the weapon are moved "
            "there. You may name your own cards."
        ),
        tr(
            "Where you have made a hypothesis, you make the next one only once you have entered another room, or "
            "somebody else's hypothesis has moved you back."
        ),
        tr("If somebody else's hypothesis has moved your pawn, you may stay there and ask at once."),
        tr(
            "Clockwise from the asker, the first player who holds one of the three cards shows one of them, of their "
            "choice, to the asker alone. Those before say that they cannot."
        ),
        tr(
            "You accuse once a game at most, at the end of your turn, from anywhere, any three cards. If they are "
            "right, you win. If not, you are out but still show cards, and everybody learns that these three together "
            "are wrong."
        ),
        tr("The game ends when it is solved, when everybody is out, or at the limit of turns."),
        tr(
            "Where pawns move freely, without dice, you enter any room in your turn, or stay, and rule 7 does not hold."
        ),
    ]
    editions = {"pool": 4} | {key: value for key, value, _ in reversed(_TOLD)}  # of several values of a key, the first
    return box, rule_sentences(Rules.model_validate(editions))


def rule_lines() -> Iterator[str]:
    """All rules with their numbers, a line each."""
    box, editions = numbered_rules()
    yield from (f"{number:>2}. {rule}" for number, rule in enumerate(box, 1))
    yield tr("Only some editions have these:")
    yield from (f"{number:>2}. {rule}" for number, rule in enumerate(editions, len(box) + 1))


def house_rules(table: Table | Setting) -> list[str]:
    """Where a table differs from the box, a sentence each: its rules, and the cards that were not dealt."""
    pool = 0 if table.pool_size == table.rules.pool else table.pool_size  # else the rules say it
    return [*rule_sentences(table.rules), *set_aside_sentences(table.deck, pool, table.open_cards)]


def rule_sentences(rules: Rules) -> list[str]:
    """A sentence for each rule that differs, in the order of their numbers; none for the rules of the box."""
    told = (tr(sentence) for key, value, sentence in _TOLD if getattr(rules, key) == value)
    return [*_counted(rules), *told]


def _counted(rules: Rules) -> Iterator[str]:
    """The sentences that have a number in them, or stand in the place of one that has."""
    if rules.free:
        yield tr("Pawns may enter any room, without dice.")
    elif (rules.dice, rules.sides) != (BOX_RULES.dice, BOX_RULES.sides):
        yield tr_count(
            "{count} die with {sides} sides is thrown.",
            "{count} dice with {sides} sides are thrown.",
            rules.dice,
            sides=rules.sides,
        )
    if rules.pool:
        yield tr_count(
            "{count} card lies face down beside the board, in the pool.",
            "{count} cards lie face down beside the board, in the pool.",
            rules.pool,
        )
