"""Players of unusual habits, such as people and the bots of others have, for the levels to meet.

They mix how one names cards, how well one deduces and how readily one guesses, in ways that the level `habit` has not;
some show cards or walk oddly. They were written without knowing how `expert` judges others, and fitted to nobody, but
for `Believer`: how firmly it believes was chosen by games against an earlier `expert`.
Each plays wherever a bot from a file does:

    cluedo autoplay --players expert,expert,research/strangers.py:Actuary --map classic --rule movement=free --trusted

The experiments beside this file let `expert` meet them, on the board, without it and with few cards:

    cluedo experiment run research/strangers.toml
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from random import Random
from typing import ClassVar, Literal

import numpy as np

from cluedo import Accusation, Hypothesis, PlayerView, ShowCard
from cluedo.ai.choosing import allowed_here, allowed_hypothesis, pick, random_envelope
from cluedo.ai.knowledge import (
    AskerKind,
    Evidence,
    EvidenceReader,
    Model,
    Notebook,
    Posterior,
    SatDeducer,
    entropy,
    sampled_gains,
)
from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import best_move, toward_rooms, way_to_accuse
from cluedo.engine.cards import Triple, bits, triple_mask
from cluedo.engine.events import HypothesisMade, Passed, Shown, as_seen_by

__all__ = [
    "Actuary",
    "Believer",
    "Clockwatcher",
    "Doubter",
    "Eavesdropper",
    "Gambler",
    "Hothead",
    "Interrogator",
    "Jumpy",
    "Landlord",
    "Pinner",
    "Purist",
    "Racer",
    "Turncoat",
    "Wanderer",
]

_DEALS = 500  # that a weigher judges questions by
_LATER = 0.6  # what a bit is worth to it a turn later
_BELIEF = Model("belief", choice=True, kinds=(AskerKind(1.0, own=0.1, again=0.01),))


class Stranger(Player):
    """What all share: they name and seek open cards, and accuse on proof, where a habit does not differ.

    Attributes:
        deduces: "all" that follows; by the "rules" of a notebook; or by these from the answers to its "own" questions.
        names: any "open" card, or the "likeliest" of them, all deals counted alike.
        shows: a card that the asker has seen "again"; the "same" as to anybody before; a "room" first; the "least"
            surprising one to those who heard everything; "any".
        bar: how likely an envelope has to be for it to be accused; 1 is proof.
    """

    deduces: ClassVar[Literal["all", "rules", "own"]] = "all"
    names: ClassVar[Literal["open", "likeliest"]] = "open"
    shows: ClassVar[Literal["again", "same", "room", "least", "any"]] = "again"
    bar: float = 1.0

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.reader = EvidenceReader(view)
        self.evidence = self.reader.evidence.copy()
        self.mind = SatDeducer(self.evidence) if self.deduces == "all" else Notebook(self.evidence)
        self.posterior = Posterior(self.evidence)
        self.envelope = self.evidence.envelope
        self.shown_to = [0] * view.table.seats
        self.asker, self.facts_read = -1, 0

    def learn(self, view: PlayerView) -> None:
        """Take in what happened, as far as it listens."""
        for fact in self.reader.read(view).facts[self.facts_read :]:
            self.facts_read += 1
            if isinstance(fact.event, HypothesisMade):
                self.asker = fact.event.seat
            told = isinstance(fact.event, (HypothesisMade, Passed, Shown)) and self.asker != view.seat
            if self.deduces != "own" or not told:
                self.evidence.add(fact)
        self.mind.update()

    @property
    def open(self) -> int:
        """The mask of the cards that may be in the envelope and are not proved to be."""
        return self.mind.may[self.envelope] & ~self.mind.has[self.envelope]

    @property
    def proved(self) -> int:
        """The mask of the cards that are proved to be in the envelope."""
        return self.mind.has[self.envelope]

    def unknown(self, category: int) -> int:
        """The mask of the open cards of a category, or of the one that is in the envelope."""
        return self.open & category or self.proved & category

    def odds(self, card: int) -> float:
        """How likely a card is to be in the envelope."""
        return float(self.posterior.marginals[card, self.envelope])

    def public(self, view: PlayerView) -> Posterior:
        """What a bystander knows who heard everything and saw no card."""
        t = view.table
        heard = Evidence(t.deck, t.hand_sizes, pool_size=t.pool_size, open_cards=t.open_cards, rules=t.rules)
        for fact in self.reader.read(view).facts:
            heard.add(replace(fact, event=as_seen_by(fact.event, None)))  # type: ignore[arg-type]
        return Posterior(heard)

    def choose_move(self, view: PlayerView) -> Movement:
        self.learn(view)
        if view.table.accused_here and (decided := self.decided(view)) is not None:
            return way_to_accuse(view, decided, self.random)
        return self.walked(view)

    def walked(self, view: PlayerView) -> Movement:
        """The move to the rooms that it seeks."""
        cards = self.sought(view) or view.deck.masks[2]
        return toward_rooms(view, cards >> view.deck.rooms.start << view.board.rooms_at, self.random)

    def sought(self, view: PlayerView) -> int:
        """The mask of the room cards that it wants to be in."""
        return view.deck.masks[2] & (self.open if self.open & view.deck.masks[2] else self.proved | view.hand)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self.learn(view)
        suspect, weapon = (self.named(view, category) for category in view.deck.masks[:2])
        return allowed_hypothesis(view, suspect, weapon, self.random)

    def named(self, view: PlayerView, category: int) -> int:
        """The card of a category, a mask, to ask about."""
        if self.names == "likeliest":
            return self.likeliest(category)
        return pick(self.random, bits(self.open & category)) if self.open & category else self.safe(view, category)

    def likeliest(self, category: int) -> int:
        """The open card of a category that is likeliest to be in the envelope, or the one that is."""
        return max(bits(self.unknown(category)), key=self.odds)

    def safe(self, view: PlayerView, category: int) -> int:
        """A card of a category that nobody else can show, or an open one."""
        return pick(self.random, bits((self.proved | view.hand) & category or self.open & category))

    def choose_card(self, view: PlayerView) -> ShowCard:
        cards = ShowCard.choices(view)
        seen = {"again": self.shown_to[view.active], "same": int(np.bitwise_or.reduce(self.shown_to))}
        preferred = self.least(view) if self.shows == "least" else seen.get(self.shows, view.deck.masks[2])
        card = pick(self.random, bits((self.shows != "any" and cards & preferred) or cards))
        self.shown_to[view.active] |= 1 << card
        return ShowCard(card)

    def least(self, view: PlayerView) -> int:
        """The mask of what tells the asker least: what it has seen, or what a bystander would expect here most."""
        known, cards = self.public(view).marginals[:, view.seat], ShowCard.choices(view)
        return cards & self.shown_to[view.active] or 1 << max(bits(cards), key=lambda card: float(known[card]))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self.learn(view)
        return allowed_here(view, self.decided(view))

    def decided(self, view: PlayerView) -> Accusation | None:
        """The accusation that it wants to make, or None."""
        if self.proved.bit_count() == len(view.deck.masks):
            return Accusation(*bits(self.proved))
        others = (mask for seat, mask in enumerate(self.mind.may[: view.table.seats]) if seat != view.seat)
        if not self.open & int(np.bitwise_or.reduce(list(others))):  # what is open is in the envelope or the pool
            return self.likely(0.0)
        return self.guessed(view)

    def guessed(self, view: PlayerView) -> Accusation | None:  # noqa: ARG002 - for those who override it
        """The guess that it makes without a proof, or None."""
        return self.likely(self.bar) if self.bar < 1.0 else None

    def likely(self, bar: float) -> Accusation | None:
        """The likeliest envelope, if it is as likely as that."""
        cards, chance = self.posterior.envelopes()[0]
        return Accusation(*cards) if chance >= bar else None


class Weigher(Stranger):
    """Asks what tells it most about the envelope, all deals counted alike."""

    weighed = -1
    gains: Floats

    def weigh(self, view: PlayerView) -> Floats:
        """The bits that each question tells, an array (suspects, weapons, rooms); -1 for one that it does not ask."""
        if self.weighed != len(self.evidence.facts):
            self.weighed = len(self.evidence.facts)
            triples: list[Triple] = list(product(*view.deck.ids))
            gains = sampled_gains(self.posterior, triples, self.posterior.sample(self.random, _DEALS))
            gains[[not self.asks(view, triple) for triple in triples]] = -1.0
            self.gains = gains.reshape([len(ids) for ids in view.deck.ids])
        return self.gains

    def asks(self, view: PlayerView, triple: Triple) -> bool:  # noqa: ARG002 - for those who override it
        """Whether it would ask about these three."""
        return self.evidence.may_ask(triple)

    def walked(self, view: PlayerView) -> Movement:
        values = self.weigh(view).max(axis=(0, 1)).clip(0.0)
        return best_move(view, values.tolist(), _LATER, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self.learn(view)
        suspects, weapons, rooms = view.deck.ids
        here = self.weigh(view)[:, :, rooms.index(view.board.room_card(view.place))]
        suspect, weapon = divmod(int(here.argmax()), len(weapons))
        return allowed_hypothesis(view, suspects[suspect], weapons[weapon], self.random) if here.max() >= 0.0 else None


class Actuary(Weigher):
    """Exact odds, the question of most bits without own cards; guesses at 1 in the players left, and a fifth more."""

    def asks(self, view: PlayerView, triple: Triple) -> bool:
        return not view.hand & triple_mask(triple)

    def guessed(self, view: PlayerView) -> Accusation | None:
        return self.likely(0.2 + 1.0 / (view.table.seats - view.eliminated.bit_count()))


class Believer(Weigher):
    """Believes that nobody names a card of their own; asks what tells most then, and guesses at 40 %."""

    bar = 0.4

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.posterior = Posterior(self.evidence, _BELIEF)


class Racer(Weigher):
    """Exact odds, the question of most bits; guesses when waiting is worse, the others being as far as itself.

    One of them is taken to solve the case before its next turn with a chance of 1 in 2 ^ (bits it lacks itself + 1);
    if nobody does, its own guess is better then by the bits of its best question.
    """

    def guessed(self, view: PlayerView) -> Accusation | None:
        rivals = view.table.seats - view.eliminated.bit_count() - 1
        best = self.posterior.envelopes()[0][1]
        nobody = (1.0 - 0.5 ** (entropy(self.posterior.joint) + 1.0)) ** rivals
        return self.likely(nobody * min(1.0, best * 2.0 ** float(self.weigh(view).max())))


class Eavesdropper(Weigher):
    """Asks for most bits, shows what the log betrays anyhow, and guesses at 40 % once the log helps everybody."""

    shows = "least"

    def guessed(self, view: PlayerView) -> Accusation | None:
        heard = self.public(view).joint
        return self.likely(0.4) if entropy(heard) < 0.75 * np.log2(heard.size) else None


class Turncoat(Weigher):
    """Bluffs with own cards for three rounds; then asks for most bits, never about own ones; later guesses at 35 %."""

    def asks(self, view: PlayerView, triple: Triple) -> bool:
        own = (view.hand & triple_mask(triple)).bit_count()
        return self.evidence.may_ask(triple) and (own == 0 if view.turn > 3 * view.table.seats else 0 < own < 3)

    def guessed(self, view: PlayerView) -> Accusation | None:
        return self.likely(0.35) if view.turn > 6 * view.table.seats else None


class Purist(Stranger):
    """Deduces everything, names neither own cards nor any that it knows of somebody else, accuses on proof alone."""

    names = "likeliest"

    def sought(self, view: PlayerView) -> int:
        return self.unknown(view.deck.masks[2])

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self.learn(view)
        here = 1 << view.board.room_card(view.place)
        return super().choose_hypothesis(view) if here & (self.open | self.proved) else None


class Gambler(Stranger):
    """Deduces everything, asks about the likeliest cards, shows rooms first and accuses as soon as the odds allow.

    Args:
        guess: the probability at which it accuses.
    """

    names, shows = "likeliest", "room"

    def __init__(self, *, guess: float = 0.25):
        self.bar = guess


class Interrogator(Stranger):
    """Tests one card at a time, between two that nobody else can show; deduces everything; guesses at 70 %."""

    shows, bar = "same", 0.7

    def sought(self, view: PlayerView) -> int:
        return (self.open | self.proved | view.hand) & view.deck.masks[2]

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self.learn(view)
        suspects, weapons, _ = view.deck.masks
        suspect, weapon = self.safe(view, suspects), self.safe(view, weapons)
        if not self.open >> view.board.room_card(view.place) & 1:
            if (self.open & suspects).bit_count() > (self.open & weapons).bit_count():
                suspect = self.likeliest(suspects)
            else:
                weapon = self.likeliest(weapons)
        return allowed_hypothesis(view, suspect, weapon, self.random)


class Landlord(Stranger):
    """Names own cards only as rooms, where it asks whenever it can; a notebook; guesses at 50 %."""

    deduces, names, shows, bar = "rules", "likeliest", "same", 0.5

    def sought(self, view: PlayerView) -> int:
        suspects, weapons, rooms = view.deck.masks
        return (self.open & (suspects | weapons) and (view.hand | self.proved) & rooms) or self.open & rooms


class Pinner(Stranger):
    """Names the same suspect and weapon in two rooms; a notebook; guesses once three envelopes or fewer are left."""

    deduces = "rules"
    pinned: Hypothesis | None = None

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        asked = super().choose_hypothesis(view)
        if self.pinned is not None and asked is not None:
            asked = allowed_hypothesis(view, self.pinned.suspect, self.pinned.weapon, self.random)
        self.pinned = asked if self.pinned is None else None
        return asked

    def guessed(self, view: PlayerView) -> Accusation | None:
        may = self.mind.may[self.envelope]
        left = prod((may & category).bit_count() for category in view.deck.masks)
        return random_envelope(view, may, self.random) if left <= 3 else None


class Doubter(Stranger):
    """Asks about the least likely of the open cards; deduces everything; accuses on proof, or when it is left alone."""

    def named(self, view: PlayerView, category: int) -> int:
        cards = bits(self.open & category)
        return min(cards, key=self.odds) if cards else self.safe(view, category)

    def guessed(self, view: PlayerView) -> Accusation | None:
        return self.likely(0.0) if view.eliminated.bit_count() == view.table.seats - 1 else None


class Jumpy(Stranger):
    """Names own cards every second time, and guesses at 20 % once somebody has been shown half of what they lacked."""

    bar = 0.2

    def named(self, view: PlayerView, category: int) -> int:
        return self.safe(view, category) if self.random.random() < 0.5 else super().named(view, category)

    def guessed(self, view: PlayerView) -> Accusation | None:
        shown = [0] * view.table.seats
        for fact in self.reader.evidence.facts:
            if isinstance(fact.event, Shown):
                shown[fact.event.asker] += 1
        for seat, size in enumerate(view.table.hand_sizes):
            near = 2 * shown[seat] >= view.deck.outside - view.table.pool_size - size
            if near and seat != view.seat and not view.eliminated >> seat & 1:
                return super().guessed(view)
        return None


class Clockwatcher(Stranger):
    """Notes the answers to its own questions alone, bluffs with rooms at most, and accuses in its tenth turn."""

    deduces, names, shows = "own", "likeliest", "same"

    def guessed(self, view: PlayerView) -> Accusation | None:
        return self.likely(0.0) if view.turn > 9 * view.table.seats else None


class Hothead(Stranger):
    """Notes the answers to its own questions alone, names whatever comes to mind, and may lose patience at any turn."""

    deduces, shows = "own", "any"

    def named(self, view: PlayerView, category: int) -> int:  # noqa: ARG002 - its own cards as well
        return pick(self.random, bits(category))

    def guessed(self, view: PlayerView) -> Accusation | None:
        patience = self.random.random() > 0.05 or view.turn <= 4 * view.table.seats
        return None if patience else random_envelope(view, self.mind.may[self.envelope], self.random)


class Wanderer(Stranger):
    """Walks through the rooms one after another; a notebook; names the likeliest cards; guesses at 33 %."""

    deduces, names, shows, bar = "rules", "likeliest", "room", 0.33

    def sought(self, view: PlayerView) -> int:
        asked = sum(isinstance(event, HypothesisMade) and event.seat == view.seat for event in view.events)
        return 1 << view.deck.rooms[(asked + view.seat) % len(view.deck.rooms)]
