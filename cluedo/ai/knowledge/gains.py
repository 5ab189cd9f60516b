"""How much a hypothesis is expected to tell me about the envelope, in bits.

An answer is: nobody, or who and with which card, of everybody where all show. Whoever can show several cards of the
three shows me one that they have shown me before, if there is one, else each of them equally often. Where nobody
answers, and I may then look into the pool, the card that I find there belongs to the answer. The gain is the mutual
information of answer and envelope, deals being weighed by the posterior's model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence, Fact
from cluedo.ai.knowledge.kernels.programme import Deals, Floats
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.engine.cards import Category, Triple, bits, triple_mask
from cluedo.engine.entries import UNNOTED
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import HypothesisMade, Passed, Peeked, Shown

__all__ = [
    "answers",
    "best_in_rooms",
    "countable",
    "entropy",
    "every_gain",
    "gain",
    "sampled_gains",
    "sampled_information",
    "shortlist",
]

_MOST_WORK = 1 << 22
"""States to weigh, beyond which gains are estimated: they take about a second."""
_GAINS = 12  # that have to be computed in that time
_SHORTLIST_DEALS, _ROOM_DEALS = 4000, 3000  # deals that a shortlist, and the best questions by room, come from
_SHORTLIST = 6  # hypotheses on a shortlist, at least


def entropy(table: Floats) -> float:
    """The entropy, in bits, of an array of probabilities."""
    p = table[table > 0.0]
    return float(-(p * np.log2(p)).sum())


def countable(posterior: Posterior) -> bool:
    """Whether a dozen gains can be computed exactly in a moment, judged by the number of states."""
    if not posterior.exact:
        return False
    others = posterior.evidence.seats - 1
    # Where all answer, each of the three cards is shown by somebody or not, and nobody shows two.
    shown = len(Category) if posterior.evidence.rules.refuters == "all" else 1
    answers = sum(math.comb(len(Category), k) * math.perm(others, k) for k in range(shown + 1))
    return _GAINS * answers * posterior.work <= _MOST_WORK


def gain(posterior: Posterior, triple: Triple) -> float:
    """The expected gain of naming ``triple``, in bits: exact, from a posterior for each answer."""
    before = entropy(posterior.joint)
    after = sum(p * entropy(table) for p, table in answers(posterior, triple))
    return max(before - after, 0.0)


def every_gain(posterior: Posterior) -> Floats:
    """The exact gain of every hypothesis, an array (suspects, weapons, rooms); 0 for one that I may not make."""
    evidence = posterior.evidence
    deck = evidence.deck
    likeliest = posterior.marginals.argmax(axis=1).tolist()
    proved = (posterior.marginals == 1.0).any(axis=1).tolist()
    # Cards that are proved to be at one place tell the same, but for those that I have been shown.
    alike = [
        (place, place < evidence.seats and bool(evidence.shown_me[place] >> card & 1)) if sure else (card, None)
        for card, (place, sure) in enumerate(zip(likeliest, proved, strict=True))
    ]
    known: dict[object, float] = {}
    table = np.zeros([len(ids) for ids in deck.ids])
    for at in np.ndindex(table.shape):
        triple = (at[0], at[1] + deck.weapons.start, at[2] + deck.rooms.start)
        if not evidence.may_ask(triple):
            continue
        kind = tuple(alike[card] for card in triple)
        if kind not in known:
            known[kind] = gain(posterior, triple)
        table[at] = known[kind]
    return table


def sampled_gains(posterior: Posterior, triples: Sequence[Triple], deals: Deals) -> Floats:
    """The estimated gain of each triple, in bits, from deals that :meth:`Posterior.sample` drew: an array (triples)."""
    return sampled_information(posterior, triples, deals)[:, 0]


def sampled_information(
    posterior: Posterior, triples: Sequence[Triple], deals: Deals, weights: Floats | None = None
) -> Floats:
    """The estimated gain of each triple, and what its answer tells beside that: an array (triples, 2), in bits.

    With 16 deals or more for each envelope among them this estimates the gain itself. With fewer, envelopes that
    differ only in cards not named are taken together: a little less than the gain (0.03 bits on average, and
    never more, but for noise), where counting them apart would see mostly noise. What is told beside is where the
    other cards are, and what a shower happens to choose.

    Args:
        posterior: what is known.
        triples: the hypotheses.
        deals: an array (deals, cards) of places that :meth:`Posterior.sample` drew.
        weights: theirs (deals), which add up to 1; None if they weigh the same.
    """
    from cluedo.ai.knowledge.kernels import scores  # numba is slow to import: only when it is used

    evidence = posterior.evidence
    sizes = [len(ids) for ids in evidence.deck.ids]
    peek = scores.PoolView(-1 if evidence.pool_at is None else evidence.pool_at, evidence.to_peek, evidence.peeked)
    score = scores.score_all if evidence.rules.refuters == "all" else scores.score_first
    return score(
        deals,
        np.full(len(deals), 1.0 / len(deals)) if weights is None else weights,
        np.array(triples, np.int64),
        _asker(evidence),
        np.array(evidence.shown_me),
        (sizes[0], sizes[1], sizes[2]),
        evidence.envelope,
        peek,
    )


def shortlist(posterior: Posterior, rooms: Sequence[int], k: int, rng: Random) -> list[Triple]:
    """Hypotheses in these rooms, best first by sampled deals: enough for the best ``k`` to be among them.

    One that the samples misjudge by much can be missed.
    """
    deck = posterior.evidence.deck
    triples = [
        triple
        for triple in ((s, w, r) for s in deck.suspects for w in deck.weapons for r in rooms)
        if posterior.evidence.may_ask(triple)
    ]
    scores = sampled_gains(posterior, triples, posterior.sample(rng, _SHORTLIST_DEALS))
    return [triples[index] for index in np.argsort(-scores, kind="stable")[: max(_SHORTLIST, 4 * k)]]


def best_in_rooms(posterior: Posterior, rng: Random) -> list[tuple[Triple, float]]:
    """For each room, in deck order, the hypothesis of the greatest gain there, with that gain in bits.

    Both are estimated from sampled deals, which is quick, and off by some hundredths of a bit.
    """
    deck = posterior.evidence.deck
    triples = [(s, w, r) for r in deck.rooms for s in deck.suspects for w in deck.weapons]
    gains = sampled_gains(posterior, triples, posterior.sample(rng, _ROOM_DEALS))
    gains[[not posterior.evidence.may_ask(triple) for triple in triples]] = -1.0
    gains = gains.reshape(len(deck.rooms), -1)
    best = gains.argmax(axis=1)
    return [(triples[row * gains.shape[1] + at], float(gains[row, at])) for row, at in enumerate(best.tolist())]


def answers(posterior: Posterior, triple: Triple) -> Iterator[tuple[float, Floats]]:
    """For each possible answer to my hypothesis: its probability, and the envelopes' joint after it."""
    base, uniform = posterior.log_weight, not posterior.model.choice
    model = CHOICE if uniform else posterior.model
    for chance, twin in _outcomes(posterior.evidence, triple, uniform=uniform):
        after = Posterior(twin, model)
        if after.possible():
            yield chance * math.exp(after.log_weight - base), after.joint


def _outcomes(evidence: Evidence, triple: Triple, *, uniform: bool) -> Iterator[tuple[float, Evidence]]:
    """The evidence after each answer, and the chance of it where the answer fits.

    If ``uniform``, only the new answer is weighed by the shower's choice.
    """
    before = evidence.copy()
    if uniform:
        del before.choices[:]
    me, turn = _asker(evidence), len(evidence.facts)
    for shown, after in _answered(before, Fact(turn, HypothesisMade(me, *triple), triple), evidence.shown_me, 1):
        if shown or not evidence.to_peek:
            yield 1.0, after
            continue
        assert evidence.pool_at is not None, "there are cards to look at"
        for card in bits(after.may[evidence.pool_at] & ~evidence.peeked):
            twin = after.copy()
            twin.add(Fact(turn, Peeked(me, UNNOTED, card)))
            yield 1.0 / evidence.to_peek, twin


def _answered(evidence: Evidence, asked: Fact, seen: Sequence[int], step: int) -> Iterator[tuple[bool, Evidence]]:
    """What is known after each answer of the seats from one on, and whether anybody showed a card.

    ``seen`` has for each seat the mask of the cards that it showed me before I ``asked``.
    """
    if step == evidence.seats:
        yield False, evidence
        return
    me = asked.event.seat
    seat = (me + step) % evidence.seats
    repeats = [card for card in asked.cards if seen[seat] >> card & 1]
    for card in repeats[:1] or asked.cards:
        if evidence.may[seat] >> card & 1:
            twin = evidence.copy()
            twin.add(Fact(asked.turn, Shown(seat, me, card), asked.cards))
            if evidence.rules.refuters == "all":
                yield from ((True, after) for _, after in _answered(twin, asked, seen, step + 1))
            else:
                yield True, twin
    if not evidence.has[seat] & triple_mask(asked.cards):
        twin = evidence.copy()
        twin.add(Fact(asked.turn, Passed(seat), asked.cards))
        yield from _answered(twin, asked, seen, step + 1)


def _asker(evidence: Evidence) -> int:
    if evidence.me is None:
        raise CluedoError("a spectator asks nothing")
    return evidence.me
