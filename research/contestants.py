"""Eight bots such as differently minded programmers write, on which `expert` is measured once.

They were written without reading how `expert` judges others and without a game against it. Their numbers, those of
their parameters as well, were fitted by games against `hard`, `medium`, `easy` and one another, and to nobody else.

Perfectionist  asks by exact bits, and accuses on proof alone
Falling        guesses at odds that are lower each round
Watcher        guesses when somebody else seems to be close
Profiler       learns how readily each of the others names cards of their own
Bluffer        names own cards at first; deduces all that follows, and hardly uses odds
Hoarder        gives away little by what it shows and asks
Simulator      guesses when that wins more often than playing on does in its imagination
Timekeeper     guesses when games are usually over

Each plays wherever a bot from a file does:

    cluedo autoplay --trusted --map classic --rule movement=free --players research/contestants.py:Watcher,expert,expert

The experiment beside this file lets `expert` meet them:

    cluedo experiment run research/contestants.toml
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import product
from math import inf, prod
from random import Random
from typing import Any, ClassVar, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from cluedo import Accusation, Hypothesis, PlayerView, ShowCard
from cluedo.ai.choosing import allowed_here, hidden_in_pool, pick
from cluedo.ai.knowledge import (
    CHOICE,
    UNIFORM,
    Evidence,
    EvidenceReader,
    Fact,
    InconsistentEvidence,
    Model,
    Notebook,
    Posterior,
    SatDeducer,
    SeatKnowledge,
    TooManyDeals,
    entropy,
    sampled_gains,
)
from cluedo.ai.knowledge.gains import sampled_information
from cluedo.ai.knowledge.kernels.programme import Deals, Floats, Ints
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import best_move, toward_rooms, turns_to, way_to_accuse
from cluedo.engine.cards import Triple, bits, triple_mask
from cluedo.engine.events import HypothesisMade, Peeked, Shown

__all__ = ["Bluffer", "Falling", "Hoarder", "Perfectionist", "Profiler", "Simulator", "Timekeeper", "Watcher"]

C = TypeVar("C", bound="Contestant")
R = TypeVar("R")


_SURE: Final = 1.0 - 1e-9  # a probability from which on something is proved


def until_learnt(find: Callable[[C], R]) -> Callable[[C], R]:
    """The decorator of methods of a bot whose answer is kept until it learns something."""

    @wraps(find)
    def kept(bot: C) -> R:
        if find not in bot.kept:
            bot.kept[find] = find(bot)
        answer: R = bot.kept[find]
        return answer

    return kept


class Contestant(Player):
    """What all eight share: the evidence and its odds, what each question is worth, and the answers.

    Attributes:
        model: how deals are weighed.
        sampled: how many deals questions are judged by.
        later: what a question is worth that is asked a turn later.
        own: what it is worth to name a card of its own.
        guess: how likely an envelope has to be for it to be guessed; 1 is never.
        others: the other seats, in the order of their turns.
        rivals: those of them who are still in.
        triples: the questions that it may ask.
        category: by card, the mask of all cards of its category.
        kept: what methods have answered since it last learned something.
    """

    model: ClassVar[Model] = CHOICE
    sampled: ClassVar[int] = 1000
    later: ClassVar[float] = 0.6
    own: float = 0.0
    guess: float = 1.0
    _ALIKE = 0.004  # questions whose worths differ by no more are as good

    @classmethod
    def prepare(cls) -> None:
        SeatKnowledge.prepare(cls.model)

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.noise = np.random.default_rng(random.getrandbits(32))
        self.reader = EvidenceReader(view)
        self.evidence = self.reader.evidence
        self.posterior = Posterior(self.evidence, self.model)
        self.table, self.deck, self.seats, self.me = view.table, view.deck, view.table.seats, view.seat
        self.others = [(self.me + step) % self.seats for step in range(1, self.seats)]
        self.triples: list[Triple] = [*filter(self.evidence.may_ask, product(*self.deck.ids))]
        self.category = [mask for mask in self.deck.masks for _ in bits(mask)]
        self.pool_hidden = hidden_in_pool(view) > 0
        self.questions_of_mine = 0
        self.kept: dict[object, Any] = {}
        self.facts_known = 0

    def look(self, view: PlayerView) -> None:
        """Take in what happened."""
        self.reader.read(view)
        self.rivals = [seat for seat in self.others if not view.eliminated >> seat & 1]
        if self.facts_known != len(self.evidence.facts):
            self.kept.clear()
            self.facts_known = len(self.evidence.facts)

    # What it knows.

    @until_learnt
    def deals(self) -> Deals:
        """Some deals that fit."""
        return self.posterior.sample(self.random, self.sampled)

    @until_learnt
    def envelope_of(self) -> Ints:
        """By deal, the number of its envelope, as they are counted in ``joint``."""
        there = self.deals() == self.evidence.envelope
        cards = [there[:, ids.start : ids.stop].argmax(axis=1) for ids in self.deck.ids]
        numbers: Ints = np.ravel_multi_index(cards, [len(ids) for ids in self.deck.ids])
        return numbers

    def joint(self) -> Floats:
        """How likely each envelope is, an array (suspects, weapons, rooms)."""
        return self.posterior.joint

    @until_learnt
    def best(self) -> tuple[Triple, float]:
        """The likeliest envelope, and how likely it is."""
        joint = self.joint()
        at = np.unravel_index(int(joint.argmax()), joint.shape)
        suspect, weapon, room = (ids[int(card)] for ids, card in zip(self.deck.ids, at, strict=True))
        return (suspect, weapon, room), float(joint[at])

    def ranks(self, deals: Deals) -> NDArray[np.integer[Any]]:
        """By deal and card, how many seats after mine its holder sits; the number of seats if no other holds it."""
        held = (deals < self.seats) & (deals != self.me)
        return np.where(held, (deals - self.me) % self.seats, self.seats)

    def times_shown(self, card: int) -> int:
        """To how many others it has shown a card."""
        return sum(mask >> card & 1 for mask in self.evidence.shown_by_me)

    @property
    def questions(self) -> int:
        """How many questions have been asked, by whomever."""
        return sum(self.evidence.asked) + self.questions_of_mine

    def envelopes_in(self, cards: int) -> int:
        """How many envelopes can be made of these cards, a mask; a category without any counts as one card."""
        return prod(max(1, (cards & category).bit_count()) for category in self.deck.masks)

    # What to ask.

    def score(self) -> Floats:
        """What each question is worth, an array (questions)."""
        return sampled_gains(self.posterior, self.triples, self.deals())

    @until_learnt
    def worths(self) -> dict[Triple, float]:
        """By question, what it is worth."""
        return dict(zip(self.triples, self.score().tolist(), strict=True))

    def room_values(self) -> list[float]:
        """By room, what the best question there is worth, and a hair more, so that all are worth going to."""
        values = dict.fromkeys(self.deck.rooms, 0.0)
        for (_, _, room), worth in self.worths().items():
            if worth > values[room]:
                values[room] = worth
        return [value + 1e-6 for value in values.values()]

    def choose_move(self, view: PlayerView) -> Movement:
        self.look(view)
        try:
            if view.table.accused_here and (decided := self.decided()):
                return way_to_accuse(view, decided, self.random)
            values = self.room_values()
        except TooManyDeals:
            values = [1.0] * len(self.deck.rooms)
        return self.walk(view, values)

    def walk(self, view: PlayerView, values: list[float]) -> Movement:
        """The next move, given what it is worth to ask in each room."""
        return best_move(view, values, self.later, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self.look(view)
        room = view.board.room_card(view.place)
        here = [triple for triple in self.triples if triple[2] == room]
        if not here:
            return None
        try:
            asked = self.question(here)
        except TooManyDeals:
            asked = self.any_of(here)
        self.questions_of_mine += 1
        return Hypothesis(*asked)

    def question(self, here: list[Triple]) -> Triple:
        """Which of these questions to ask."""
        worths = {
            triple: self.worths()[triple] + self.own * (triple_mask(triple) & self.evidence.hand).bit_count()
            for triple in here
        }
        most = max(worths.values())
        return self.any_of([triple for triple, worth in worths.items() if worth >= most - self._ALIKE])

    def any_of(self, triples: list[Triple]) -> Triple:
        """One of some questions, each equally likely."""
        return triples[pick(self.random, range(len(triples)))]

    # What to show.

    def choose_card(self, view: PlayerView) -> ShowCard:
        self.look(view)
        cards = ShowCard.choices(view)
        return ShowCard(pick(self.random, bits(cards & self.evidence.shown_by_me[view.active] or cards)))

    # When to accuse.

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self.look(view)
        try:
            return allowed_here(view, self.decided())
        except TooManyDeals:
            return None

    def decided(self) -> Accusation | None:
        """The accusation that it wants to make, or None."""
        cards, chance = self.best()
        sure = chance >= _SURE or self.learns_no_more()
        return Accusation(*cards) if sure or (self.rivals and self.guesses(chance)) else None

    def learns_no_more(self) -> bool:
        """Whether no question tells anything, where cards in the pool cannot be told from those in the envelope."""
        return self.pool_hidden and max(self.worths().values()) < 1e-3

    def guesses(self, chance: float) -> bool:
        """Whether to accuse the likeliest envelope, which is as likely as that."""
        return chance >= self.guess


class Listener(Contestant):
    """Weighs deals by the questions of others, and imagines what they know.

    Each of the others is taken for one of a few kinds of asker, by how readily they name a card of their own.

    Attributes:
        kinds: how many are of each kind, and how readily they name a card of their own, where any other counts 1.
    """

    kinds: ClassVar[Sequence[tuple[float, float]]] = ((0.12, 0.08), (0.12, 0.25), (0.16, 0.6), (0.5, 1.0), (0.1, 1.5))

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.log_shares, self.log_rates = np.log(np.array(self.kinds)).T

    def namings(self, seat: int) -> tuple[int, Ints]:
        """How many questions of a seat count, and by card how many of them named it."""
        size = self.deck.size
        return self.evidence.asked[seat], np.array(self.evidence.named[seat * size : (seat + 1) * size])

    @until_learnt
    def weights(self) -> Floats:
        """The weights of the deals, which add up to 1."""
        deals = self.deals()
        logs = np.zeros(len(deals))
        for seat in sorted(self.others):
            asked, named = self.namings(seat)
            if not asked:
                continue
            by_kind = np.tile(self.log_shares, (len(deals), 1))
            for ids in self.deck.ids if self.evidence.free else self.deck.ids[:2]:
                held = deals[:, ids.start : ids.stop] == seat
                own, count = held @ named[ids.start : ids.stop], held.sum(axis=1)
                all_cards = np.exp(self.log_rates) * count[:, None] + (len(ids) - count)[:, None]
                by_kind += own[:, None] * self.log_rates - asked * np.log(all_cards)
            logs += np.logaddexp.reduce(by_kind, axis=1)
        weights: Floats = np.exp(logs - logs.max())
        weights /= weights.sum()
        return weights

    def likely_deals(self, count: int) -> list[list[int]]:
        """Some deals, drawn by their weights."""
        found: list[list[int]] = self.deals()[self.noise.choice(len(self.deals()), count, p=self.weights())].tolist()
        return found

    @until_learnt
    def joint(self) -> Floats:
        joint = self.posterior.joint
        if joint.max() >= _SURE:
            return joint
        numbers = self.envelope_of()
        alike = np.bincount(numbers, minlength=joint.size) / len(numbers)
        weighed = np.bincount(numbers, self.weights(), joint.size)
        ratios = np.where(alike > 0.0, weighed / np.maximum(alike, 1e-12), 1.0)
        table = joint * ratios.reshape(joint.shape)
        weighed_joint: Floats = 0.9999999 * table / table.sum()  # habits prove nothing
        return weighed_joint

    def score(self) -> Floats:
        return sampled_information(self.posterior, self.triples, self.deals(), self.weights())[:, 0]

    def left_to(self, seat: int, deal: list[int]) -> int:
        """The mask of the cards that a seat's notebook leaves for the envelope, if this is the deal.

        Where nobody knows which card was shown, any that can have been is taken; 0 if that contradicts something.
        """
        table, hands, seen = self.table, [0] * self.evidence.places, [0] * self.seats
        for card, place in enumerate(deal):
            hands[place] |= 1 << card
        theirs = Evidence(
            self.deck,
            table.hand_sizes,
            seat,
            hands[seat],
            free=table.free,
            pool_size=table.pool_size,
            open_cards=table.open_cards,
            rules=table.rules,
        )
        for fact in self.evidence.facts:
            event = fact.event
            if isinstance(event, Peeked):
                continue  # I do not know what they saw, nor they what I did
            if isinstance(event, Shown):
                if seat not in event.viewers:
                    event = Shown(event.seat, event.asker, None)
                elif event.card is None:
                    able = hands[event.seat] & triple_mask(fact.cards)
                    if not able:
                        return 0
                    again = able & seen[event.seat] if event.asker == seat else 0
                    event = Shown(event.seat, event.asker, pick(self.random, bits(again or able)))
                if event.asker == seat and event.card is not None:
                    seen[event.seat] |= 1 << event.card
            theirs.add(fact if event is fact.event else Fact(fact.turn, event, fact.cards))
        try:
            return Notebook(theirs).may[theirs.envelope]
        except InconsistentEvidence:
            return 0


class Perfectionist(Contestant):
    """Asks by exact bits, rather with cards of its own where that costs next to nothing, and accuses on proof alone."""

    later = 0.55
    _NEXT_TO_NOTHING = 0.01  # in bits

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.known = SeatKnowledge(self.evidence, self.model)

    def question(self, here: list[Triple]) -> Triple:
        found = self.known.best(4, rooms=[here[0][2]])
        if not found:
            return super().question(here)
        near = [best for best in found if best.bits >= found[0].bits - self._NEXT_TO_NOTHING]
        hand = self.evidence.hand
        return max(near, key=lambda best: ((triple_mask(best.cards) & hand).bit_count(), best.bits)).cards


class Falling(Contestant):
    """Guesses at odds that are lower each round; asks what will make the likeliest envelope likeliest.

    Args:
        start: how likely an envelope has to be at first for it to be guessed.
        fall: how much less a round later.
        least: how likely it always has to be.
    """

    sampled = 800
    _HOPEFUL = 0.06  # how likely an envelope has to be for questions to be judged so; before, by bits alone
    _TELLING = 0.02  # how many bits a question has to tell to be judged so
    _BIT = 0.12  # what a bit is worth beside the chance to be right

    def __init__(self, *, start: float = 0.85, fall: float = 0.08, least: float = 0.3):
        self.start, self.fall, self.least = start, fall, least

    def score(self) -> Floats:
        gains = super().score()
        return gains if self.best()[1] < self._HOPEFUL else self.hits(gains) + self._BIT * gains

    def hits(self, gains: Floats) -> Floats:
        """By question, how likely the likeliest envelope will be; 0 where the bits are too few."""
        _, envelope_of = np.unique(self.envelope_of(), return_inverse=True)
        deals, envelopes = self.deals(), int(envelope_of.max()) + 1
        ranks = self.ranks(deals) + self.noise.random(deals.shape) * 0.5  # of several cards, any is shown
        hits = np.zeros(len(gains))
        for at in np.flatnonzero(gains >= self._TELLING).tolist():
            three = ranks[:, self.triples[at]]
            rank, which = three.min(axis=1).astype(np.int64), three.argmin(axis=1)
            # Whoever has shown me one of these shows it again; nobody shows nothing.
            named, tells = triple_mask(self.triples[at]), np.ones(self.seats + 1, np.int64)
            again = [step for step, seat in enumerate(self.others, 1) if self.evidence.shown_me[seat] & named]
            tells[[*again, self.seats]] = 0
            answers = 3 * rank + tells[rank] * which
            counts = np.bincount(answers * envelopes + envelope_of, minlength=3 * (self.seats + 1) * envelopes)
            hits[at] = counts.reshape(-1, envelopes).max(axis=1).sum() / len(deals)
        return hits

    def guesses(self, chance: float) -> bool:
        return chance >= max(self.least, self.start - self.fall * (self.questions / self.seats))


class Watcher(Listener):
    """Keeps a notebook for each of the others, and guesses when one seems close; takes first questions for honest.

    Args:
        nerve: how likely an envelope has to be for it to be guessed, over the chance that nobody else is sooner.
    """

    sampled = 1500
    later = 0.5
    kinds = ((1.0, 0.45),)
    _EARLY = 3  # questions of each that count
    _IMAGINED = 8  # deals in which it keeps notebooks
    _CLOSE = ((1, 0.95), (2, 0.55), (4, 0.35), (8, 0.15), (inf, 0.03))
    """How likely somebody is to accuse rightly in their next turn who has so many envelopes left at most."""
    _NEVER, _ALWAYS = 0.15, 0.85  # how likely an envelope is that it never guesses, and that it always does

    def __init__(self, *, nerve: float = 0.8):
        self.nerve = nerve

    def namings(self, seat: int) -> tuple[int, Ints]:
        facts = self.evidence.facts
        asked = [fact.cards for fact in facts if isinstance(fact.event, HypothesisMade) and fact.event.seat == seat]
        early = asked[: self._EARLY]
        return len(early), np.bincount(np.array(early, np.int64).ravel(), minlength=self.deck.size)

    def danger(self) -> float:
        """How likely somebody else accuses rightly before my next turn."""
        total = 0.0
        for deal in self.likely_deals(self._IMAGINED):
            left = [self.envelopes_in(self.left_to(seat, deal)) for seat in self.rivals]
            total += 1.0 - prod(1.0 - next(chance for most, chance in self._CLOSE if n <= most) for n in left)
        return total / self._IMAGINED

    def guesses(self, chance: float) -> bool:
        if chance < self._NEVER or chance >= self._ALWAYS:
            return chance >= self._ALWAYS
        return chance > (1.0 - self.danger()) * self.nerve


class Profiler(Listener):
    """Learns from the questions of each of the others how readily they name cards of their own; guesses at 60 %.

    Args:
        guess: the probability at which it guesses.
        own: what it is worth to name a card of its own, in bits.
    """

    sampled = 2000

    def __init__(self, *, guess: float = 0.6, own: float = 0.02):
        self.guess, self.own = guess, own


class Bluffer(Contestant):
    """Names two own cards twice, then open ones; deduces all that follows; guesses between two or three envelopes."""

    model = UNIFORM
    _BLUFFS = 2  # how often it bluffs
    _BLUFF = 3.0  # what naming two own cards is worth then, where asking about an open card is worth 1
    _QUIET = 0.3  # what it is worth to name a card that nobody else can show
    _HELD = 0.05  # what asking about an open card is worth less for each of the others who may hold it
    _AS_NEAR = 0.02  # rooms whose worths by turn differ by no more are as good
    _FEW = 12  # it looks at odds only between so many envelopes
    _LATE = 3  # rounds after which it guesses between three envelopes, too

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.sat = SatDeducer(self.evidence)

    def look(self, view: PlayerView) -> None:
        super().look(view)
        self.sat.update()

    @until_learnt
    def best(self) -> tuple[Triple, float]:
        may, has = self.sat.envelope
        if has.bit_count() == len(self.deck.masks):
            suspect, weapon, room = bits(has)
            return (suspect, weapon, room), 1.0
        if self.envelopes_in(may) > self._FEW:
            return self.triples[0], 0.0
        return super().best()

    def score(self) -> Floats:
        may, has = self.sat.envelope
        open_cards, hand, bluffs = may & ~has, self.evidence.hand, self.questions_of_mine < self._BLUFFS
        hands = [mask for seat, mask in enumerate(self.sat.may[: self.seats]) if seat != self.me]
        holders = [sum(mask >> card & 1 for mask in hands) for card in range(self.deck.size)]
        worths = []
        for triple in self.triples:
            mask = triple_mask(triple)
            asked = mask & open_cards
            worth = asked.bit_count() + self._QUIET * (mask & (hand | has)).bit_count()
            worth -= self._HELD * sum(holders[card] for card in bits(asked))
            if bluffs and (mask & hand).bit_count() == 2:
                worth += self._BLUFF
            worths.append(worth if asked else 0.0)
        return np.array(worths)

    def walk(self, view: PlayerView, values: list[float]) -> Movement:
        scores = [value / turns for value, turns in zip(values, turns_to(view), strict=True)]
        first, best = view.board.rooms_at, max(scores)
        wanted = sum(1 << first + room for room, score in enumerate(scores) if score >= best - self._AS_NEAR)
        return toward_rooms(view, wanted, self.random)

    def guesses(self, chance: float) -> bool:
        if chance == 0.0:
            return False
        left = np.count_nonzero(self.joint() > 1e-9)
        return bool(left <= 2 or (left == 3 and self.questions >= self._LATE * self.seats))


class Hoarder(Contestant):
    """Shows what is known or says least; asks what tells the table little and the next one lacks; guesses at 55 %.

    Args:
        secrecy: what a bit costs that everybody hears.
        neighbour: what it is worth to ask about cards of which the next one has none.
        guess: the probability at which it guesses.
    """

    later = 0.65
    _GOOD = 0.55  # the bits of a question, over those of the best, from which on it minds what others hear
    _POOR = 0.5  # what a bit of the questions below that is worth
    _HEARD = 500  # deals that it judges that by

    def __init__(self, *, secrecy: float = 0.35, neighbour: float = 0.06, guess: float = 0.55):
        self.secrecy, self.neighbour, self.guess = secrecy, neighbour, guess

    def score(self) -> Floats:
        gains = super().score()
        deals = self.deals()[: self._HEARD]
        ranks, there = self.ranks(deals), (deals == self.evidence.envelope).astype(np.int64)
        lacks = 1.0 - self.posterior.marginals[:, self.others[0]]
        worths = self._POOR * gains
        for at in np.flatnonzero(gains >= self._GOOD * gains.max()).tolist():
            three = list(self.triples[at])
            # What all hear is who shows a card; what it tells is which of the three are in the envelope.
            both = 8 * ranks[:, three].min(axis=1) + there[:, three] @ (1, 2, 4)
            chances = np.bincount(both, minlength=8 * (self.seats + 1)).reshape(-1, 8) / len(deals)
            heard = entropy(chances.sum(axis=1)) - entropy(chances) + entropy(chances.sum(axis=0))
            worths[at] = gains[at] - self.secrecy * heard + self.neighbour * lacks[three].prod()
        return worths

    def choose_card(self, view: PlayerView) -> ShowCard:
        self.look(view)
        evidence, size = self.evidence, self.deck.size

        def tells(card: int) -> tuple[int, int, float]:
            named = sum(evidence.named[card : self.seats * size : size])
            again = evidence.shown_by_me[view.active] >> card & 1
            return -again, -self.times_shown(card), -self.category[card].bit_count() + 0.5 * named

        return ShowCard(min(bits(ShowCard.choices(view)), key=tells))


class Simulator(Listener):
    """Plays the rest of the game in its imagination, and guesses if that wins less often.

    Args:
        margin: how much likelier the guess has to be.
        least: how likely it always has to be.
    """

    sampled = 1500
    kinds = ((0.4, 0.2), (0.6, 1.0))
    _IMAGINED, _EACH, _ROUNDS = 10, 4, 5  # deals, games from each of them, and rounds of a game
    _ALWAYS = 0.9  # how likely an envelope is that it always guesses
    _ASKS_ON_BOARD = 0.75  # how often somebody gets to ask in a turn
    _OVERHEARS = 0.6  # how often others see which card was shown, if it can only be one
    _BELIEVES = 0.5  # how often others see that cards are in the envelope that nobody showed
    _DARES = 0.5  # how often somebody guesses between two envelopes

    def __init__(self, *, margin: float = 0.0, least: float = 0.2):
        self.margin, self.least = margin, least

    def guesses(self, chance: float) -> bool:
        if chance < self.least or chance >= self._ALWAYS:
            return chance >= self.least
        return chance > self.waiting() + self.margin

    def waiting(self) -> float:
        """How likely I win if I do not guess."""
        joint = self.joint()
        odds = np.concatenate([joint.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))])
        mine = sum(1 << card for card in np.flatnonzero(odds > 1e-9).tolist())
        won = 0.0
        for deal in self.likely_deals(self._IMAGINED):
            left = {seat: self.left_to(seat, deal) for seat in self.rivals} | {self.me: mine}
            for _ in range(self._EACH):
                won += self.play_out(deal, left.copy())
        return won / (self._IMAGINED * self._EACH)

    def play_out(self, deal: list[int], left: dict[int, int]) -> float:
        """Whether I win a game from here on, or how likely that is if nobody has won when it is broken off.

        ``left`` has for each seat that is still in, in the order of their turns, the mask of the cards that they think
        may be in the envelope.
        """
        random = self.random.random
        asks = 1.0 if self.evidence.free else self._ASKS_ON_BOARD
        truth = sum(1 << card for card, place in enumerate(deal) if place == self.evidence.envelope)
        for _ in range(self._ROUNDS):
            for seat in list(left):
                left[seat] |= truth
                if random() < asks:
                    self.ask(seat, deal, left)
                envelopes = self.envelopes_in(left[seat])
                if envelopes == 1:
                    return float(seat == self.me)
                if envelopes == 2 and random() < self._DARES:
                    if random() < 0.5:
                        return float(seat == self.me)
                    if seat == self.me:
                        return 0.0
                    del left[seat]
        return 1.0 / (len(left) + 0.5)

    def ask(self, seat: int, deal: list[int], left: dict[int, int]) -> None:
        """Somebody names cards that are open to them; all strike out of ``left`` what they conclude."""
        random, envelope = self.random.random, self.evidence.envelope
        open_cards = [bits(left[seat] & category) for category in self.deck.masks]
        named = [pick(self.random, cards) for cards in open_cards if len(cards) > 1]
        shown = self.shown(seat, named, deal)
        if shown:
            left[seat] &= ~(1 << pick(self.random, shown))
        else:
            left[seat] = self.proved(left[seat], [card for card in named if deal[card] == envelope])
        for other, cards in left.items():
            unsure = [card for card in named if cards >> card & 1] if other != seat else []
            if not shown and unsure and random() < self._BELIEVES:
                left[other] = self.proved(cards, [card for card in unsure if deal[card] == envelope])
            elif shown and len(unsure) == 1 and deal[unsure[0]] != envelope and random() < self._OVERHEARS:
                left[other] = cards & ~(1 << unsure[0])

    def shown(self, asker: int, named: list[int], deal: list[int]) -> list[int]:
        """Those of the cards named of which the first who can shows one."""
        for step in range(1, self.seats):
            if able := [card for card in named if deal[card] == (asker + step) % self.seats]:
                return able
        return []

    def proved(self, cards: int, found: list[int]) -> int:
        """What is left of a mask of cards when some of them are found to be in the envelope."""
        for card in found:
            cards &= ~self.category[card] | 1 << card
        return cards


class Timekeeper(Contestant):
    """Counts questions, and guesses in its last turn before games are usually over; asks about the likeliest cards.

    Args:
        early: after how many questions games are taken to be over, over the usual number.
        least: how likely an envelope has to be for it to be guessed then.
    """

    later = 0.75
    _USUAL: ClassVar = {2: 12.0, 3: 13.0, 4: 13.0, 5: 14.0, 6: 15.0}
    """By number of seats, after how many questions games with 21 cards are usually over; 16 with more seats."""
    _ALWAYS, _SOON = 0.8, 0.6  # how likely an envelope is that it guesses at any time, or a round before
    _LIKELY = 0.25  # what it is worth to name a card that is surely in the envelope, but not proved to be
    _TELLING = 0.02  # how many bits a question has to tell for that to count

    def __init__(self, *, early: float = 1.0, least: float = 0.25):
        self.early, self.least = early, least

    def score(self) -> Floats:
        gains, odds = super().score(), self.posterior.marginals[:, self.evidence.envelope]
        hunted = np.where(odds < _SURE, odds, 0.0)[np.array(self.triples)].sum(axis=1)
        return np.where(gains > self._TELLING, gains + self._LIKELY * hunted, gains)

    def choose_card(self, view: PlayerView) -> ShowCard:
        self.look(view)
        again = self.evidence.shown_by_me[view.active]
        return ShowCard(max(bits(ShowCard.choices(view)), key=lambda c: (again >> c & 1, self.times_shown(c), c)))

    def guesses(self, chance: float) -> bool:
        usual = self._USUAL.get(self.seats, 16.0) * self.deck.size / 21.0 * self.early
        left, players = usual - self.questions, len(self.rivals) + 1
        bar = self.least if left < players else self._SOON if left < 2 * players else self._ALWAYS
        return chance >= min(bar, self._ALWAYS)
