"""What the detective would do now, for a player who asks: one thing to do, and why, in words and percentages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cluedo.ai.choosing import may_ask_here, rooms_to_ask_in
from cluedo.ai.knowledge import CHOICE, UNIFORM, SeatKnowledge, Triple
from cluedo.ai.knowledge.reader import EvidenceReader
from cluedo.ai.travel import LATER, roll_odds, turns_from
from cluedo.ai.waiting import advise
from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import Accusation, Hypothesis, Peek, ShowCard
from cluedo.engine.events import Shown
from cluedo.engine.rules import Rules
from cluedo.engine.state import ASK, MOVE, REFUTE, WALK
from cluedo.engine.view import PlayerView
from cluedo.language import number, tr, tr_count
from cluedo.session.figures import chances_told, percent, sampled_note
from cluedo.session.narration import place_name

__all__ = ["Hint", "find_hint", "proved_envelope", "reach_chance"]

_REASONS = 3
_LIKELIEST = 4


@dataclass(frozen=True, slots=True)
class Hint:
    """What one seat should do.

    Attributes:
        do: what to do now, in a sentence.
        proved: whether it is an accusation that is proved.
        why: reasons for it.
        envelope: by category, how likely its cards are to be in the envelope.
        found: what is proved though nobody showed it, with reasons.
        figures: the same for experts: what is unknown, and what questions are expected to tell, in bits.
    """

    do: str
    proved: bool
    why: tuple[str, ...]
    envelope: tuple[str, ...]
    found: tuple[str, ...]
    figures: tuple[str, ...]


def find_hint(view: PlayerView) -> Hint:
    """Think about a view; takes a moment, and the first time some seconds."""
    known = SeatKnowledge(EvidenceReader(view).evidence, UNIFORM)
    do, *why = _Adviser(view, known).advise()
    suspect, weapon, room = (-1 if card is None else card for card in known.settled)
    accuse = known.certain and view.to_act == view.seat and Accusation(suspect, weapon, room).why_not(view) is None
    return Hint(do, accuse, tuple(why), tuple(_envelope(known)), tuple(_found(known)), tuple(_figures(known)))


def proved_envelope(view: PlayerView) -> list[int]:
    """The cards that a seat can prove to be in the envelope."""
    return [card for card in SeatKnowledge(EvidenceReader(view).evidence, UNIFORM).settled if card is not None]


class _Adviser:
    """Advises one seat: first what to do, then why."""

    def __init__(self, view: PlayerView, known: SeatKnowledge):
        self.view, self.known = view, known
        self.names = view.deck.names

    def advise(self) -> list[str]:
        view = self.view
        if view.to_act != view.seat:
            who = view.table.name(view.to_act)
            return [tr("Wait: {who} has to choose.", who=who), *self._later()]
        if view.step is REFUTE:
            return self._show()
        if Peek.obstacle(view) is None and not self.known.certain and (look := self._look()):
            return look
        if view.step in (MOVE, WALK):
            return self._move()
        if view.step is ASK and Hypothesis.obstacle(view) is None and not self.known.certain:
            return self._ask()
        return self._end()

    def _later(self) -> list[str]:
        if self.known.certain:
            return [tr("The envelope is proved: accuse at the end of your next turn.")]
        return []

    def _show(self) -> list[str]:
        """A card that tells the asker least."""
        view, names = self.view, self.names
        held = bits(ShowCard.choices(view))
        asker = view.table.name(view.active)
        given = [event for event in view.events if isinstance(event, Shown) and event.seat == view.seat]
        again = [card for card in held if any((card, view.active) == (event.card, event.asker) for event in given)]
        if len(held) == 1:
            return [tr("Show {card}: you can show no other.", card=names[held[0]])]
        if again:
            return [tr("Show {card}: {who} has seen it already.", card=names[again[0]], who=asker)]
        others = [card for card in held if any(card == event.card for event in given)]
        if others:
            return [tr("Show {card}: somebody else has seen it already.", card=names[others[0]])]
        return [tr("Show {card}: any of them is new to {who}.", card=names[held[0]], who=asker)]

    def _look(self) -> list[str]:
        """A look into the pool, unless this seat has seen all of it."""
        looked_at = self.view.looked_at
        if len(looked_at) == self.view.table.pool_size:
            return []
        return [tr("Look at a card of the pool: it shows you one that is not in the envelope.")]

    def _ask(self) -> list[str]:
        here = self.view.board.room_card(self.view.place)
        best = self.known.best_few(1, here)
        if not best:
            return [tr("Ask about the two cards that you know least about.")]
        return [tr("Ask: {cards}.", cards=self.view.deck.listed(best[0].cards)), *self._chances(best[0].cards)]

    def _end(self) -> list[str]:
        if Accusation.obstacle(self.view) is not None or not self.known.envelopes:
            return [tr("End the turn.")]
        cards, chance = self.known.envelopes[0]
        if self.known.certain and Accusation(*cards).why_not(self.view) is not None:
            room = self.view.board.room_place(cards[Category.ROOM])
            return [tr("End the turn, and accuse in {room}: {cards}. It is proved.", **self._told(cards, room))]
        if self.known.certain:
            return [tr("Accuse now: {cards}. It is proved.", cards=self.view.deck.listed(cards))]
        return self._weigh(cards, chance)

    def _weigh(self, cards: Triple, chance: float) -> list[str]:
        """Whether to guess the likeliest envelope; by the odds of `choice`, which hold for those who could choose."""
        advice = advise(SeatKnowledge(self.known.evidence, CHOICE))
        listed = self.view.deck.listed
        if advice is None or advice.chances is None:
            why = tr(
                "The likeliest envelope, {cards}, is right in only {chance} of cases; if you are wrong, you are out.",
                cards=listed(cards),
                chance=percent(chance),
            )
            return [tr("End the turn, and do not accuse yet."), why]
        told = chances_told(listed(advice.cards), advice.chances)
        if advice.accuse:
            return [tr("Accuse now, though it is a gamble: {cards}.", cards=listed(advice.cards)), *told]
        return [tr("End the turn, and do not accuse yet."), *told]

    def _move(self) -> list[str]:
        view, known = self.view, self.known
        if known.certain:
            proved = self.view.deck.listed(known.envelopes[0][0])
            room = view.board.room_place(known.envelopes[0][0][Category.ROOM])
            if view.rules.accuse_in == "room" and room != view.place:
                told = self._told(known.envelopes[0][0], room)
                return [tr("Go to {room} and accuse there: {cards}. It is proved.", **told)]
            return [tr("Stay, and accuse at the end of the turn: {cards}. It is proved.", cards=proved)]
        if not known.best_by_room:
            return [tr("Roll the dice.") if view.step is MOVE else tr("Walk to the next room.")]
        now = {view.board.room_place(card) for card in rooms_to_ask_in(view)}
        turns = self._turns(now)
        worth = {
            view.board.room_place(best.cards[Category.ROOM]): best.bits * LATER ** (turns[k] - 1.0)
            for k, best in enumerate(known.best_by_room)
        }
        room = max(worth, key=lambda place: (worth[place], -place))
        cards = known.best_by_room[room - view.board.rooms_at].cards
        ask = tr("Ask there: {cards}.", cards=self.view.deck.listed(cards))
        return [self._way(room, now), ask, *self._chances(cards)]

    def _told(self, cards: Triple, room: int) -> dict[str, str]:
        return {"cards": self.view.deck.listed(cards), "room": place_name(self.view.board, room)}

    def _turns(self, now: set[int]) -> list[float]:
        """By room, in how many turns one can expect to ask there; 1: in this one."""
        view = self.view
        rooms = range(view.board.rooms_at, view.board.places)
        if view.table.free:
            return [1.0] * len(rooms)
        later = turns_from(view.board, view.rules, view.place, view.used[view.seat])
        walked = 1.0 if view.step is WALK else 0.0  # who does not get there by this walk goes on in the next turn
        return [1.0 if room in now else later[k] + walked for k, room in enumerate(rooms)]

    def _way(self, room: int, now: set[int]) -> str:
        view, name = self.view, place_name(self.view.board, room)
        if room == view.place and may_ask_here(view):
            return tr("Stay in {room} and ask.", room=name)
        if room in now and view.step is MOVE and not view.table.free:
            return tr("Take the secret passage to {room}.", room=name)
        if room in now:
            return tr("Go to {room}.", room=name)
        steps = int(view.board.distance[room - view.board.rooms_at][view.place])
        away = tr_count("{count} step", "{count} steps", steps)
        if view.step is WALK:
            return tr("Walk towards {room}, which is {steps} away.", room=name, steps=away)
        chance = percent(reach_chance(steps, view.rules))
        return tr(
            "Roll, and go to {room}: {steps} away; {chance} of rolls reach it.",
            room=name,
            steps=away,
            chance=chance,
        )

    def _chances(self, cards: Triple) -> Iterator[str]:
        """How likely the cards of a question are to be in the envelope."""
        envelope = self.known.evidence.envelope
        odds = self.known.odds
        if odds is None:
            return
        for card in cards:
            p = float(odds[card, envelope])
            if 0.0 < p < 1.0:
                yield tr("{card}: {chance} likely to be in the envelope.", card=self.names[card], chance=percent(p))
            elif p == 0.0:
                yield tr("{card} is not in the envelope, so the answer is about the other two.", card=self.names[card])


def reach_chance(steps: int, rules: Rules) -> float:
    """The chance that a roll is at least so many steps."""
    odds = roll_odds(rules.dice, rules.sides)
    reached = [p for total, p in odds if total >= steps]
    return 1.0 if len(reached) == len(odds) else sum(reached)


def _envelope(known: SeatKnowledge) -> Iterator[str]:
    """By category, the likeliest cards; what is neither certain nor impossible never looks so."""
    odds, names = known.odds, known.evidence.deck.names
    if odds is None:
        yield tr("There are too many deals to count exactly.")
        return
    for ids in known.evidence.deck.ids:
        ranked = sorted(((float(odds[card, known.evidence.envelope]), card) for card in ids), reverse=True)
        if ranked[0][0] == 1.0:
            yield f"{names[ranked[0][1]]} ✓"
        else:
            yield ", ".join(f"{names[card]} {percent(p)}" for p, card in ranked[:_LIKELIEST] if p > 0.0)


def _found(known: SeatKnowledge) -> Iterator[str]:
    """Reasons for cards that are proved to be somewhere and were not seen there."""
    has = known.evidence.has
    found = [proof for proof in sorted(known.proofs) if proof.there and not has[proof.place] >> proof.card & 1]
    for proof in found[:_REASONS]:
        yield "\n".join(map(tr, known.why(proof.card, proof.place).lines))
    if len(found) > _REASONS:
        yield tr("… and {count} more.", count=len(found) - _REASONS)


def _figures(known: SeatKnowledge) -> Iterator[str]:
    """What is unknown and what questions are expected to tell, in bits."""
    if known.bits is None:
        return
    yield tr("One bit is a yes-or-no question whose answers are equally likely.")
    yield tr("The envelope: {bits} bits are unknown.", bits=number(known.bits, ".2f"))
    for best in sorted(known.best_by_room, key=lambda one: -one.bits):
        cards = known.evidence.deck.listed(best.cards)
        yield tr("{bits} bits: {cards}", bits=number(best.bits, ".2f"), cards=cards)
    yield tr("All deals that fit what you have seen count equally.")
    if not known.exact:
        yield sampled_note(known)
