"""Advice: what to do now and why, the odds, and what is proved.

A hint in a game (:func:`hint_sections`) and the assistant's advice at a real table (:func:`case_sections`) are the same
thing, a list of sections. Whoever shows them goes through the list, whatever is in it.

All odds of one list come from one model: the model that was chosen for the case; in a game `choice`, for which the
chances of waiting were fitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cluedo.ai.choosing import may_ask_here, rooms_to_ask_in
from cluedo.ai.knowledge import CHOICE, SeatKnowledge, Triple
from cluedo.ai.knowledge.reader import EvidenceReader
from cluedo.ai.knowledge.soon import answering_soon
from cluedo.ai.waiting import Advice, advise
from cluedo.ai.walking import roll_odds, turns_from
from cluedo.engine.cards import Category, Deck, bits
from cluedo.engine.commands import Accusation, Hypothesis, Peek, ShowCard
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Shown
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules
from cluedo.engine.state import ASK, MOVE, REFUTE, WALK
from cluedo.engine.view import PlayerView
from cluedo.language import number, tr, tr_count
from cluedo.session.best_rooms import RoomQuestion, best_rooms
from cluedo.session.case.case import Case
from cluedo.session.case.findings import clash_sections, news_lines
from cluedo.session.figures import deal_count, model_line, percent, sampled_note, with_error
from cluedo.session.narration import and_join, first_few, place_name
from cluedo.session.sections import Section, Tone

__all__ = [
    "NEWS",
    "case_sections",
    "hint_sections",
    "odds_section",
    "proved_envelope",
    "question_section",
    "reach_chance",
    "verdict_in_short",
    "verdict_section",
]

NEWS: Final = Phrase("New:")
"""The title of what an entry has brought."""
_REASONS = 3
_LIKELIEST = 4

# ---- parts of hints and of a case's advice -------------------------------------------------------


def _question_line(question: RoomQuestion, deck: Deck) -> str:
    """What a question is expected to tell, its cards, and when it can be asked."""
    line = f"{tr('{bits:.1f} bits', bits=question.bits)}  {deck.listed(question.cards)}"
    return f"{line}  ({question.when})" if question.when else line


def _envelope_odds(known: SeatKnowledge, cards: Triple) -> str:
    """The probability of an envelope as text, the same everywhere on a page."""
    return with_error(known.chance(cards), known.envelope_error(cards))


def _weighing(known: SeatKnowledge, advice: Advice) -> Iterator[str]:
    """The odds of a guess that is not proved, and of waiting, as far as they are known."""
    cards, odds = known.evidence.deck.listed(advice.cards), _envelope_odds(known, advice.cards)
    chances = advice.chances
    if chances is None:
        yield tr("{cards} is right in only {chance} of cases; if you are wrong, you are out.", cards=cards, chance=odds)
        return
    yield tr(
        "{cards} is right in {guess} of cases; waiting, going by what was asked so far, wins in about {wait}.",
        cards=cards,
        guess=odds,
        wait=percent(chances.wait),
    )
    if not advice.accuse and advice.probability > chances.wait:
        yield tr("At tables like this such a guess has won less often than that.")
    careless, careful, guessing = map(percent, chances.waits)
    yield tr(
        "If you know better how the others play: waiting wins in {careless} if they note only the cards that they "
        "see, in {careful} if they draw every conclusion and wait for a proof, in {guessing} if they guess as "
        "well.",
        careless=careless,
        careful=careful,
        guessing=guessing,
    )


# ---- a case --------------------------------------------------------------------------------------


def case_sections(case: Case, questions: int = 3, envelopes: int = 3) -> list[Section]:
    """The advice for a case: what to do, what is new and why, and the odds; or the contradiction.

    Args:
        case: the case.
        questions: how many questions are told at most.
        envelopes: how many envelopes are told at most.
    """
    if case.known is None:
        return clash_sections(case)
    verdict, ask = verdict_section(case), question_section(case, questions)
    accuse = case.advice is not None and case.advice.accuse
    todo = [verdict, ask] if accuse else [ask, verdict]
    news = Section(tr(NEWS), tuple(news_lines(case)))
    sections = [*todo, *([news] if news.lines else []), odds_section(case, envelopes)]
    return [section for section in sections if section is not None]


def verdict_section(case: Case) -> Section | None:
    """Whether to accuse; None if there is nothing to decide."""
    known, advice = case.known, case.advice
    if known is None or advice is None:
        return None
    if advice.proved:
        cards = case.setting.deck.listed(advice.cards)
        return Section(tr("Accuse: {cards}. That is proved.", cards=cards), tone=Tone.PROVED)
    lines = tuple(_weighing(known, advice))
    if advice.accuse:
        return Section(tr("A gamble, but waiting is worse."), lines, Tone.GUESS)
    return Section(tr("Do not accuse yet."), lines)


def verdict_in_short(case: Case) -> Section | None:
    """Whether to accuse, in a few words; None if there is nothing to decide."""
    verdict, known, advice = verdict_section(case), case.known, case.advice
    if verdict is None or known is None or advice is None:
        return None
    words = {
        Tone.PROVED: tr("proved: accuse"),
        Tone.GUESS: tr("a gamble: {chance}", chance=_envelope_odds(known, advice.cards)),
    }
    return Section(words.get(verdict.tone, tr("do not accuse yet")), tone=verdict.tone)


def question_section(case: Case, most: int) -> Section | None:
    """The most promising questions; None if there is nothing to ask."""
    questions = tuple(case.questions[:most])
    if not questions:
        return None
    deck = case.setting.deck
    return Section(tr("Ask next:"), tuple(_question_line(one, deck) for one in questions), questions=questions)


def odds_section(case: Case, most: int) -> Section | None:
    """How much is unknown, and the likeliest envelopes; None where the entries contradict each other."""
    known = case.known
    if known is None:
        return None
    if known.deals is None:
        return Section(
            tr("There are too many deals to count exactly: ✓ and ✗ are proved, and nothing is known about the rest.")
        )
    listed = case.setting.deck.listed
    if known.certain:
        return Section(tr("The envelope is proved: {cards}.", cards=listed(known.envelopes[0][0])))
    title = tr(
        "{envelopes:,} envelopes are possible ({bits:.2f} bits, {deals}); the likeliest:",
        envelopes=len(known.envelopes),
        bits=known.bits,
        deals=deal_count(known),
    )
    lines = [f"{_envelope_odds(known, cards):>8}  {listed(cards)}" for cards, _ in known.envelopes[:most]]
    return Section(title, tuple(lines if known.exact else [*lines, sampled_note(known)]))


# ---- a hint in a game ----------------------------------------------------------------------------


def hint_sections(view: PlayerView) -> list[Section]:
    """What the detective would do on a seat, and why; takes a moment, and the first time some seconds."""
    with answering_soon():
        return _hint_sections(view)


def _hint_sections(view: PlayerView) -> list[Section]:
    try:
        known = SeatKnowledge(EvidenceReader(view).evidence, CHOICE)
        sections = [
            _Hint(view, known).section(),
            Section(tr("Chance of being in the envelope:"), tuple(_envelope(known))),
            Section(tr("Proved, though nobody showed it:"), tuple(_found(known))),
            Section(tr("For experts:"), tuple(_figures(view, known)), Tone.EXPERT),
        ]
    except (CluedoError, MemoryError):
        return [Section(tr("There are too many deals to count exactly."))]
    return [sections[0], *(section for section in sections[1:] if section.lines)]


def proved_envelope(view: PlayerView) -> list[int]:
    """The cards that a seat can prove to be in the envelope."""
    with answering_soon():
        return [card for card in SeatKnowledge(EvidenceReader(view).evidence).settled if card is not None]


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
        self.names = view.deck.names

    def section(self) -> Section:
        """What to do as the title, with the reasons."""
        view, known = self.view, self.known
        if view.to_act != view.seat:
            later = [tr("The envelope is proved: accuse at the end of your next turn.")] if known.certain else []
            return Section(tr("Wait: {who} has to choose.", who=view.table.name(view.to_act)), tuple(later))
        if view.step is REFUTE:
            return Section(self._show())
        if known.certain:
            return self._proved()
        if Peek.obstacle(view) is None and len(view.looked_at) < view.table.pool_size:
            return Section(tr("Look at a card of the pool: it shows you one that is not in the envelope."))
        if view.step in (MOVE, WALK):
            return self._move()
        if view.step is ASK and Hypothesis.obstacle(view) is None:
            return self._ask()
        return self._end()

    def _show(self) -> str:
        """The card that tells the asker least."""
        view, names = self.view, self.names
        held = bits(ShowCard.choices(view))
        asker = view.table.name(view.active)
        given = [event for event in view.events if isinstance(event, Shown) and event.seat == view.seat]
        again = [card for card in held if any((card, view.active) == (event.card, event.asker) for event in given)]
        others = [card for card in held if any(card == event.card for event in given)]
        if len(held) == 1:
            return tr("Show {card}: you can show no other.", card=names[held[0]])
        if again:
            return tr("Show {card}: {who} has seen it already.", card=names[again[0]], who=asker)
        if others:
            return tr("Show {card}: somebody else has seen it already.", card=names[others[0]])
        return tr("Show {card}: any of them is new to {who}.", card=names[held[0]], who=asker)

    def _proved(self) -> Section:
        """Where to accuse, as the envelope is proved."""
        view, cards = self.view, [card for card in self.known.settled if card is not None]
        room = view.board.room_place(cards[Category.ROOM])
        told = {"cards": view.deck.listed(cards), "room": place_name(view.board, room)}
        if view.step in (MOVE, WALK):
            if view.rules.accuse_in == "room" and room != view.place:
                return Section(tr("Go to {room} and accuse there: {cards}. It is proved.", **told), tone=Tone.PROVED)
            todo = tr("Stay, and accuse at the end of the turn: {cards}. It is proved.", cards=told["cards"])
            return Section(todo, tone=Tone.PROVED)
        if Accusation.obstacle(view) is not None:
            return Section(tr("End the turn."))
        if Accusation(*cards).why_not(view) is not None:
            return Section(tr("End the turn, and accuse in {room}: {cards}. It is proved.", **told), tone=Tone.PROVED)
        return Section(tr("Accuse now: {cards}. It is proved.", cards=told["cards"]), tone=Tone.PROVED)

    def _ask(self) -> Section:
        best = self.known.best_few(1, self.view.board.room_card(self.view.place))
        if not best:
            return Section(tr("Ask about the two cards that you know least about."))
        cards = best[0].cards
        return Section(tr("Ask: {cards}.", cards=self.view.deck.listed(cards)), tuple(self._chances(cards)))

    def _end(self) -> Section:
        """Whether to guess the likeliest envelope."""
        advice = advise(self.known) if Accusation.obstacle(self.view) is None else None
        if advice is None:
            return Section(tr("End the turn."))
        lines = tuple(_weighing(self.known, advice))
        if advice.accuse:
            cards = self.view.deck.listed(advice.cards)
            return Section(tr("Accuse now, though it is a gamble: {cards}.", cards=cards), lines, Tone.GUESS)
        return Section(tr("End the turn, and do not accuse yet."), lines)

    def _move(self) -> Section:
        view = self.view
        questions = best_rooms(self.known, _turns(view))
        if not questions:
            return Section(tr("Roll the dice.") if view.step is MOVE else tr("Walk to the next room."))
        best = questions[0]
        ask = tr("Ask there: {cards}.", cards=view.deck.listed(best.cards))
        return Section(self._way(view.board.room_place(best.room)), (ask, *self._chances(best.cards)))

    def _way(self, room: int) -> str:
        view, name = self.view, place_name(self.view.board, room)
        now = view.board.room_card(room) in rooms_to_ask_in(view)
        if room == view.place and may_ask_here(view):
            return tr("Stay in {room} and ask.", room=name)
        if now and view.step is MOVE and not view.table.free:
            return tr("Take the secret passage to {room}.", room=name)
        if now:
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
        odds, envelope = self.known.odds, self.known.evidence.envelope
        if odds is None:
            return
        for card in cards:
            p = float(odds[card, envelope])
            if 0.0 < p < 1.0:
                yield tr("{card}: {chance} likely to be in the envelope.", card=self.names[card], chance=percent(p))
            elif p == 0.0:
                yield tr("{card} is not in the envelope, so the answer is about the other two.", card=self.names[card])


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
            open_ = [f"{names[card]} {percent(p)}" for p, card in ranked if p > 0.0]
            yield and_join(first_few(open_, _LIKELIEST))


def _found(known: SeatKnowledge) -> Iterator[str]:
    """Reasons for cards that are proved to be somewhere and were not seen there."""
    has = known.evidence.has
    found = [proof for proof in sorted(known.proofs) if proof.there and not has[proof.place] >> proof.card & 1]
    for proof in found[:_REASONS]:
        yield from map(tr, known.why(proof.card, proof.place).lines)
    if len(found) > _REASONS:
        yield tr("… and {count} more.", count=len(found) - _REASONS)


def _figures(view: PlayerView, known: SeatKnowledge) -> Iterator[str]:
    """What is unknown and what questions are expected to tell, in bits; and the model."""
    if known.bits is None:
        return
    yield tr("One bit is a yes-or-no question whose answers are equally likely.")
    yield tr("The envelope: {bits} bits are unknown.", bits=number(known.bits, ".2f"))
    for question in best_rooms(known, _turns(view)):
        yield _question_line(question, view.deck)
    yield model_line(known.model)
    if not known.exact:
        yield sampled_note(known)
