"""Hints in a game: what to do now and why, the odds, and what is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from cluedo.ai.accuse_or_wait import advise
from cluedo.ai.choosing import may_ask_here, new_peek, rooms_to_ask_in
from cluedo.ai.knowledge import CHOICE, SeatKnowledge, Triple
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.ai.knowledge.kernels.detective_kernels import interpreted_at_first
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.ai.knowledge.seat_knowledge import Best
from cluedo.ai.knowledge.sentences import conclusion
from cluedo.ai.walking import roll_odds, toward_rooms, turns_from
from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Peek,
    ShowCard,
    Stay,
)
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Shown
from cluedo.engine.rules import Rules
from cluedo.engine.state import MOVE, REFUTE, WALK
from cluedo.engine.view import PlayerView
from cluedo.language import tr, tr_count
from cluedo.session.actions import shut_in
from cluedo.session.advice import figures_section, showable, weighing
from cluedo.session.best_rooms import best_rooms
from cluedo.session.figures import rounded_percent
from cluedo.session.sections import Section, Tone
from cluedo.words.narration import Story, and_join, first_few, place_name

__all__ = ["hint_sections", "proved_envelope", "reach_chance"]

_REASONS = 3
_LIKELIEST = 4
_TELLING = 0.005
"""Bits of a question; one that is expected to tell less is not worth the way."""


def hint_sections(view: PlayerView, since: int = 0) -> list[Section]:
    """What the detective would do on a seat, and why; takes a moment, and the first time some seconds.

    Args:
        view: what the seat knows.
        since: how many events there were at the hint before, if there was one: what was proved then is not told again.
    """
    try:
        with interpreted_at_first():
            known = SeatKnowledge.of(view, CHOICE)
            hint = _Hint(view, known)
            todo = hint.section()
            others = [
                Section(tr("Since your last hint:"), tuple(_news(view, since))),
                Section(tr("Chance of being in the envelope:"), tuple(_envelope(known))),
                Section(tr("Proved, though nobody showed it:"), tuple(_found(known, view, since))),
                figures_section(known, hint.questions),
            ]
    except (CluedoError, MemoryError):
        return [Section(tr("There are too many deals to count exactly."))]
    return [todo, *(section for section in others if section.lines)]


def proved_envelope(view: PlayerView) -> list[int]:
    """The cards that a seat can prove to be in the envelope."""
    with interpreted_at_first():
        return [card for card in SeatKnowledge.of(view).settled if card is not None]


def reach_chance(steps: int, rules: Rules) -> float:
    """The chance that a roll reaches this number of steps."""
    odds = roll_odds(rules.dice, rules.sides)
    reached = [p for total, p in odds if total >= steps]
    return 1.0 if len(reached) == len(odds) else sum(reached)


def _turns(view: PlayerView) -> list[float] | None:
    """By room, in how many turns the seat can expect to ask there; 1: in this one. None where nobody walks."""
    rooms = range(view.board.rooms_at, view.board.places)
    if view.table.free:
        return None
    mine = view.active == view.seat
    now = {view.board.room_place(card) for card in rooms_to_ask_in(view)} if mine else set()
    own = view.pawns[view.table.suspects[view.seat]]
    later = turns_from(view.board, view.rules, own, view.used[view.seat])
    walked = 1.0 if mine and view.step is WALK else 0.0  # a room that this walk does not reach is for the next turn
    return [1.0 if room in now else later[k] + walked for k, room in enumerate(rooms)]


class _Hint:
    """What one seat should do now."""

    def __init__(self, view: PlayerView, known: SeatKnowledge):
        self.view, self.known = view, known
        self.questions = best_rooms(known, _turns(view))
        self.names = view.deck.names

    def section(self) -> Section:
        """What to do as the title, with the reasons."""
        view, known = self.view, self.known
        if view.to_act != view.seat:
            later = [tr("The envelope is proved: accuse at the end of your next turn.")] if known.certain else []
            return Section(tr("Wait: {who} has to choose.", who=view.table.name(view.to_act)), tuple(later))
        if view.step is REFUTE:
            title, card = self._show()
            return Section(title, do=ShowCard(card))
        if known.certain:
            return self._proved()
        if Peek.obstacle(view) is None and (look := new_peek(view)) is not None:
            return Section(tr("Look at a card of the pool: it shows you one that is not in the envelope."), do=look)
        if view.step in (MOVE, WALK):
            return self._move()
        if Hypothesis.obstacle(view) is None:
            return self._ask()
        return self._end()

    def _show(self) -> tuple[str, int]:
        """The card that tells the asker least, in words and by number."""
        view, names = self.view, self.names
        held = bits(ShowCard.choices(view))
        asker = view.table.name(view.active)
        given = [event for event in view.events if isinstance(event, Shown) and event.seat == view.seat]
        again = [card for card in held if any((card, view.active) == (event.card, event.asker) for event in given)]
        others = [card for card in held if any(card == event.card for event in given)]
        if len(held) == 1:
            return tr("Show {card}: you can show no other.", card=names[held[0]]), held[0]
        if again:
            return tr("Show {card}: {who} has seen it already.", card=names[again[0]], who=asker), again[0]
        if others:
            return tr("Show {card}: somebody else has seen it already.", card=names[others[0]]), others[0]
        return tr("Show {card}: any of them is new to {who}.", card=names[held[0]], who=asker), held[0]

    def _proved(self) -> Section:
        """Where to accuse, as the envelope is proved."""
        view, cards = self.view, [card for card in self.known.settled if card is not None]
        room = view.board.room_place(cards[Category.ROOM])
        told = {"cards": view.deck.listed(cards), "room": place_name(view.board, room)}
        if view.step in (MOVE, WALK):
            if view.table.accused_here and room != view.place:
                todo = tr("Go to {room} and accuse there: {cards}. It is proved.", **told)
                return Section(todo, tone=Tone.PROVED, do=self._towards(room))
            todo = tr("Stay, and accuse at the end of the turn: {cards}. It is proved.", cards=told["cards"])
            return Section(todo, tone=Tone.PROVED, proposed=self.known.envelopes[0][0], do=Stay())
        if Accusation.obstacle(view) is not None:
            return Section(tr("End the turn."), do=EndTurn())
        if Accusation(*cards).why_not(view) is not None:
            todo = tr("End the turn, and accuse in {room}: {cards}. It is proved.", **told)
            return Section(todo, tone=Tone.PROVED, do=EndTurn())
        todo = tr("Accuse now: {cards}. It is proved.", cards=told["cards"])
        return Section(todo, tone=Tone.PROVED, proposed=self.known.envelopes[0][0], do=Accusation(*cards))

    def _ask(self) -> Section:
        best = self._best_in(self.view.board.room_card(self.view.place))
        if best is None:
            return Section(tr("Ask about the two cards that you know least about."))
        if best.bits < _TELLING:
            return self._end()
        cards = best.cards
        todo = tr("Ask: {cards}.", cards=self.view.deck.listed(cards))
        return Section(todo, tuple(self._chances(cards)), proposed=cards, do=Hypothesis(*cards))

    def _best_in(self, room: int) -> Best | None:
        """The best question in a room, which takes the place of the one that was estimated; None if none is counted."""
        found = self.known.best(rooms=[room])
        if not found:
            return None
        (best,) = found
        self.questions = [
            replace(one, cards=best.cards, bits=best.bits) if one.room == room else one for one in self.questions
        ]
        return best

    def _end(self) -> Section:
        """Whether to guess the likeliest envelope."""
        advice = advise(self.known) if Accusation.obstacle(self.view) is None else None
        if advice is None:
            return Section(tr("End the turn."), do=EndTurn())
        lines = tuple(weighing(self.known, advice))
        if advice.accuse:
            cards = self.view.deck.listed(advice.cards)
            todo = tr("Accuse now, though it is a gamble: {cards}.", cards=cards)
            return Section(todo, lines, Tone.GUESS, proposed=advice.cards, do=Accusation(*advice.cards))
        return Section(tr("End the turn, and do not accuse yet."), lines, do=EndTurn())

    def _move(self) -> Section:
        view = self.view
        questions = self.questions
        if not questions:
            return Section(tr("Roll the dice.") if view.step is MOVE else tr("Walk to the next room."))
        if not view.table.accused_here and all(one.bits < _TELLING for one in questions):
            return Section(tr("Stay: no question can tell you more about the envelope."), do=Stay())
        if shut_in(view):
            here = rooms_to_ask_in(view)
            questions = [one for one in questions if one.room in here]
            if not questions:
                return Section(tr("Stay: other pawns are in your way."), do=Stay())
        room = view.board.room_place(questions[0].room)
        best = self._best_in(questions[0].room)  # what is proposed on arrival, too
        assert best is not None, "there is a question for each room"
        cards = best.cards
        ask = tr("Ask there: {cards}.", cards=view.deck.listed(cards))
        return Section(self._way(room), (ask, *self._chances(cards)), proposed=cards, do=self._towards(room))

    def _towards(self, room: int) -> Command:
        """The movement that leads to a room; of the ways that are as short, always the same."""
        return toward_rooms(self.view, 1 << room, Random(0))

    def _way(self, room: int) -> str:
        view, name = self.view, place_name(self.view.board, room)
        now = view.board.room_card(room) in rooms_to_ask_in(view)
        if room == view.place and may_ask_here(view):
            return tr("Stay in {room} and ask.", room=name)
        if now and view.step is MOVE and not view.table.free:
            return tr("Take the secret passage to {room}.", room=name)
        if now:
            return tr("Go to {room}.", room=name)
        number, far = room - view.board.rooms_at, view.board.rooms_at  # no way has more steps than there are squares
        needed = view.board.steps_to_rooms(view.place, far, view.taken & ~(1 << view.place))[number]
        steps = needed if needed <= far else int(view.board.distance[number][view.place])  # pawns shut it off for now
        away = tr_count("{count} step", "{count} steps", steps)
        if view.step is WALK:
            return tr("Walk towards {room}, which is {steps} away.", room=name, steps=away)
        chance = rounded_percent(reach_chance(needed, view.rules))
        return tr(
            "Roll, and go to {room}: {steps} away; {chance} of rolls reach it.",
            room=name,
            steps=away,
            chance=chance,
        )

    def _chances(self, cards: Triple) -> Iterator[str]:
        """What the answer to a question can show, and how likely its cards are to be in the envelope."""
        odds, envelope = self.known.odds, self.known.evidence.envelope
        if odds is None:
            return
        yield from showable(self.known, cards)
        for card in cards:
            p = float(odds[card, envelope])
            if 0.0 < p < 1.0:
                yield tr(
                    "{card}: {chance} likely to be in the envelope.", card=self.names[card], chance=rounded_percent(p)
                )


def _news(view: PlayerView, since: int) -> Iterator[str]:
    """What may have changed the advice since an earlier hint: the last cards that were shown."""
    shown = [event for event in view.events_since(since) if since and isinstance(event, Shown)]
    yield from map(Story(view.table, view.seat).tell, shown[-_REASONS:])


def _envelope(known: SeatKnowledge) -> Iterator[str]:
    """The likeliest cards of each category; a percentage never looks like certainty unless it is."""
    odds, names = known.odds, known.evidence.deck.names
    if odds is None:
        yield tr("There are too many deals to count exactly.")
        return
    for ids in known.evidence.deck.ids:
        ranked = sorted(((float(odds[card, known.evidence.envelope]), card) for card in ids), reverse=True)
        if ranked[0][0] == 1.0:
            yield f"{names[ranked[0][1]]} ✓"
        else:
            likely = [f"{names[card]}\N{NO-BREAK SPACE}{rounded_percent(p)}" for p, card in ranked if p > 0.0]
            yield and_join(first_few(likely, _LIKELIEST))


def _found(known: SeatKnowledge, view: PlayerView, since: int) -> Iterator[str]:
    """Where cards are newly proved to be that were not seen there: the reasons of some, the others in a line."""
    has = known.evidence.has
    found = [proof for proof in sorted(known.proofs) if proof.there and not has[proof.place] >> proof.card & 1]
    if since and found:
        then = view._replace(past=(), recent=view.events[:since], seen=(), time=since)
        before = SatDeducer(EvidenceReader(then).evidence)
        found = [proof for proof in found if not before.status(proof.card, proof.place)]
    for proof in found[:_REASONS]:
        why = known.why(proof.card, proof.place)
        yield from map(tr, (*why.reason, why.conclusion))
    if len(found) > _REASONS:
        more = (tr(conclusion(*proof, known.evidence)) for proof in found[_REASONS:])
        yield tr("Also proved: {what}.", what=and_join(more))
