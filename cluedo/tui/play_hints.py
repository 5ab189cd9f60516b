"""What the detective says to a player who asks: what is proved, the odds, and what to ask next and why."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from rich.console import Group
from rich.text import Text

from cluedo.ai.knowledge import UNIFORM, Evidence, Posterior, Triple, best_hypotheses, entropy, explain
from cluedo.ai.knowledge.reader import EvidenceReader
from cluedo.engine.cards import Category
from cluedo.engine.commands import Hypothesis
from cluedo.engine.view import PlayerView
from cluedo.language import number, tr

__all__ = ["Hints", "find_hints", "told_hints"]

_SEED = 1  # of the deals that shortlist hypotheses: the same view always gives the same answer
_BEST = 3
_REASONS = 3
_REASON_S = 0.2
_LIKELIEST = 4


@dataclass(frozen=True, slots=True)
class Hints:
    """What follows from one seat's view.

    Attributes:
        proved: reasons, in words, for places of cards that are proved but were not seen; the first few.
        more: how many more of them there are.
        envelope: by category, the likeliest cards with their probability, likeliest first.
        bits: what is unknown about the envelope.
        certain: the envelope, if it is proved.
        here: the room that the questions are about, or None for any room.
        best: the best questions, with the bits that they are expected to tell.
    """

    proved: tuple[str, ...]
    more: int
    envelope: tuple[tuple[tuple[str, float], ...], ...]
    bits: float
    certain: Triple | None
    here: int | None
    best: tuple[tuple[Triple, float], ...]


def find_hints(view: PlayerView) -> Hints:
    """Think about a view; takes a moment, and the first time some seconds."""
    evidence = EvidenceReader(view).evidence
    posterior = Posterior(evidence, UNIFORM)
    chances, joint = posterior.marginals, posterior.envelopes()
    deck = evidence.deck
    odds = []
    for category in Category:
        ranked = sorted(((float(chances[card, evidence.envelope]), card) for card in deck.ids[category]), reverse=True)
        odds.append(tuple((deck.names[card], p) for p, card in ranked[:_LIKELIEST] if p > 0.0))
    # Before a hypothesis the room is given; else any room may come next.
    here = view.board.room_card(view.place) if Hypothesis.obstacle(view) is None and _mine(view) else None
    best = best_hypotheses(posterior, _BEST, Random(_SEED), room=here) if len(joint) > 1 else []
    found = [
        (card, place)
        for card in range(deck.size)
        for place in range(evidence.seats + 1)
        if chances[card, place] == 1.0 and not evidence.has[place] >> card & 1
    ]
    return Hints(
        proved=tuple(_reason(evidence, card, place) for card, place in found[:_REASONS]),
        more=max(0, len(found) - _REASONS),
        envelope=tuple(odds),
        bits=entropy(posterior.joint),
        certain=joint[0][0] if len(joint) == 1 else None,
        here=here,
        best=tuple(best),
    )


def _mine(view: PlayerView) -> bool:
    return view.active == view.seat


def _reason(evidence: Evidence, card: int, place: int) -> str:
    return "\n".join(map(tr, explain(evidence, card, place, seconds=_REASON_S).lines))


def told_hints(hints: Hints, view: PlayerView) -> Group:
    """The hints in words and figures."""
    names = view.deck.names
    parts: list[Text] = []

    def cards(triple: Triple) -> str:
        return ", ".join(names[card] for card in triple)

    if hints.certain is not None:
        parts.append(Text(tr("Proved: {cards}. Accuse!", cards=cards(hints.certain)), style="bold green"))
    else:
        parts.append(Text(tr("The envelope ({bits} bits unknown):", bits=number(hints.bits, ".2f")), style="bold"))
        parts += [Text(_odds(ranked)) for ranked in hints.envelope]
        where = tr("in {room}", room=names[hints.here]) if hints.here is not None else tr("in any room")
        parts.append(Text(tr("The best questions {where}:", where=where), style="bold"))
        for triple, bits in hints.best:
            parts.append(Text(tr("{bits} bits: {cards}", bits=number(bits, ".2f"), cards=cards(triple))))
        parts.append(Text(tr("So much an answer is expected to tell of the envelope."), style="dim"))
    if hints.proved:
        parts.append(Text(tr("Proved, though nobody showed it:"), style="bold"))
        parts += [Text(reason) for reason in hints.proved]
        if hints.more:
            parts.append(Text(tr("… and {count} more.", count=hints.more)))
    parts.append(Text(tr("All deals that fit what you have seen count the same."), style="dim"))
    return Group(*parts)


def _odds(ranked: tuple[tuple[str, float], ...]) -> str:
    """The likeliest cards of a category; what is neither certain nor impossible never looks so."""
    if ranked[0][1] == 1.0:
        return f"{ranked[0][0]} ✓"
    return ", ".join(f"{name} {min(99, max(1, round(100 * p)))} %" for name, p in ranked)
