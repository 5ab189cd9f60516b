"""Advice for a case at a real table: what to do now and why, the odds, and what is proved.

It is a list of sections, like a hint in a game (:mod:`cluedo.session.hints`), which shares parts of it. Whoever shows
them goes through the list, whatever is in it. People count envelopes; figures in bits stand in a section for experts.

All odds of one list come from one model: the model that was chosen for the case; in a game `choice`. The chances of
waiting are those of `choice`, to which they were fitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cluedo.ai.accuse_or_wait import Advice
from cluedo.ai.knowledge import SeatKnowledge, Triple
from cluedo.engine.phrase import Phrase
from cluedo.language import number, tr
from cluedo.session.best_rooms import RoomQuestion
from cluedo.session.case.case import Case
from cluedo.session.case.findings import contradiction_sections, news_lines
from cluedo.session.figures import deal_count, envelopes_left, model_line, rounded_percent, sampled_note, with_error
from cluedo.session.sections import ReasonLine, Section, Tone
from cluedo.words.narration import and_join, or_join

__all__ = [
    "NEWS",
    "case_sections",
    "figures_section",
    "odds_section",
    "question_section",
    "showable",
    "todo_section",
    "verdict_in_short",
    "verdict_section",
    "weighing",
]

NEWS: Final = Phrase("New:")
"""The title of what an entry has brought."""

# ---- a case --------------------------------------------------------------------------------------


def case_sections(case: Case, questions: int = 3, envelopes: int = 3) -> list[Section]:
    """The advice for a case: what to do, what is new and why, and the odds; or the contradiction.

    Args:
        case: the case.
        questions: how many questions are told at most.
        envelopes: how many envelopes are told at most.
    """
    known = case.known
    if known is None:
        return contradiction_sections(case)
    verdict, ask = verdict_section(case), question_section(case, questions)
    accuse = case.advice is not None and case.advice.accuse
    first, last = (verdict, None) if accuse else (todo_section(case), verdict)
    news = Section(tr(NEWS), tuple(news_lines(case)))
    figures = figures_section(known, case.questions)
    sections = [first, news if news.lines else None, ask, last, odds_section(case, envelopes)]
    return [section for section in (*sections, figures if figures.lines else None) if section is not None]


def todo_section(case: Case) -> Section | None:
    """Where to go and what to ask there, with the reasons; None if there is nothing to ask."""
    known, questions = case.known, case.questions
    if known is None or not questions:
        return None
    best = questions[0]
    lines = [*showable(known, best.cards), *_changed(case, best)]
    return Section(_way(case, best), tuple(lines), proposed=best.cards)


def _way(case: Case, question: RoomQuestion) -> str:
    """What to do to ask a question, in a sentence."""
    board, names, pawn = case.setting.board, case.setting.deck.names, case.pawn
    suspect, weapon, name = (names[card] for card in question.cards)
    room = board.room_place(question.room)
    told = {"room": name, "cards": f"{suspect}, {weapon}"}
    if pawn is None:
        return tr("Ask in {room}: {cards}.", **told)
    if pawn.place == room:
        if pawn.used == room:
            return tr("Leave {room}, come back and ask: {cards}.", **told)
        return tr("Stay in {room} and ask: {cards}.", **told)
    if board.is_room(pawn.place) and board.passage(pawn.place) == room:
        return tr("Go to {room} by the secret passage and ask: {cards}.", **told)
    return tr("Go to {room} and ask: {cards}.", **told)


def _changed(case: Case, best: RoomQuestion) -> Iterator[str]:
    """That the last change made another question the best, which nobody expects whose pawn has not moved."""
    before = case.question_before
    if before is None or before.cards == best.cards:
        return
    cards = case.setting.deck.listed(before.cards)
    if case.grown:
        yield tr("Entry {number} changed this: before, it was {cards}.", number=len(case.entries), cards=cards)
    else:
        yield tr("This is because of your change: before, it was {cards}.", cards=cards)


def verdict_section(case: Case) -> Section | None:
    """Whether to accuse; None if there is nothing to decide."""
    known, advice = case.known, case.advice
    if known is None or advice is None:
        return None
    if advice.proved:
        cards = case.setting.deck.listed(advice.cards)
        return Section(tr("Accuse: {cards}. That is proved.", cards=cards), tone=Tone.PROVED)
    lines = tuple(weighing(known, advice))
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
    known, questions = case.known, tuple(case.questions[:most])
    if known is None or not questions:
        return None
    lines = tuple(_with_when(one.told(known), one) for one in questions)
    return Section(tr("Ask next ({left} now):", left=envelopes_left(known)), lines, questions=questions)


def odds_section(case: Case, most: int) -> Section | None:
    """How much is unknown, and the likeliest envelopes; None where the entries contradict each other."""
    known = case.known
    if known is None:
        return None
    if known.deals is None:
        return Section(sampled_note(known))
    listed = case.setting.deck.listed
    if known.certain:
        return Section(tr("The envelope is proved: {cards}.", cards=listed(known.envelopes[0][0])))
    title = tr("{left}; the likeliest:", left=envelopes_left(known))
    lines = [f"{_envelope_odds(known, cards):>6}  {listed(cards)}" for cards, _ in known.envelopes[:most]]
    return Section(title, tuple(lines if known.exact else [*lines, sampled_note(known)]))


# ---- parts that hints share ----------------------------------------------------------------------


def weighing(known: SeatKnowledge, advice: Advice) -> Iterator[str]:
    """The odds of a guess that is not proved, and of waiting, as far as they are known: a short line each."""
    cards, chances = known.evidence.deck.listed(advice.cards), advice.chances
    yield tr("{cards} would be right in {chance} of cases.", cards=cards, chance=_envelope_odds(known, advice.cards))
    if chances is None:
        yield tr("A wrong guess puts you out of the game.")
        return
    yield tr(
        "Waiting wins about {chance} of the time, going by what was asked so far:", chance=rounded_percent(chances.wait)
    )
    careless, careful, guessing = map(rounded_percent, chances.waits)
    yield ReasonLine(tr("against note-takers: {chance}", chance=careless))
    yield ReasonLine(tr("against thinkers who wait for a proof: {chance}", chance=careful))
    yield ReasonLine(tr("against thinkers who guess as well: {chance}", chance=guessing))
    if not advice.accuse and advice.probability > chances.wait:
        yield tr("At tables like this such a guess has won less often than that.")


def _envelope_odds(known: SeatKnowledge, cards: Triple) -> str:
    """The probability of an envelope as text, the same everywhere on a page."""
    return with_error(known.chance(cards), known.envelope_error(cards))


def showable(known: SeatKnowledge, cards: Triple) -> Iterator[str]:
    """Which of the cards of my question can be shown, and why not the others; nothing where all can."""
    evidence, names = known.evidence, known.evidence.deck.names
    mine = [card for card in cards if evidence.hand >> card & 1]
    beside = range(evidence.seats, evidence.places)
    nobodys = [card for card in cards if any(known.status(card, place) for place in beside)]
    left = [names[card] for card in cards if card not in (*mine, *nobodys)]
    told = {
        "mine": and_join(names[card] for card in mine),
        "nobodys": and_join(names[card] for card in nobodys),
        "left": or_join(left),
    }
    if len(left) == len(cards):
        return
    if not left:
        yield tr("Nobody else holds one of these cards, so nobody can show one.")
    elif not nobodys:
        yield tr("You hold {mine}, so only {left} can be shown.", **told)
    elif not mine:
        yield tr("Nobody holds {nobodys}, so only {left} can be shown.", **told)
    else:
        yield tr("You hold {mine} and nobody holds {nobodys}, so only {left} can be shown.", **told)


def figures_section(known: SeatKnowledge, questions: Sequence[RoomQuestion]) -> Section:
    """Figures for experts: what is unknown and what questions are expected to tell, in bits; and the model."""
    lines: list[str] = []
    if known.bits is not None:
        deck = known.evidence.deck
        lines = [
            tr("One bit is a yes-or-no question whose answers are equally likely."),
            tr(
                "The envelope: {bits} bits are unknown; {deals} left.",
                bits=number(known.bits, ".2f"),
                deals=deal_count(known),
            ),
            *(
                _with_when(f"{tr('{bits:.1f} bits', bits=one.bits)}  {deck.listed(one.cards)}", one)
                for one in questions
            ),
            model_line(known.model),
            sampled_note(known),
        ]
    return Section(tr("Figures for experts"), tuple(filter(None, lines)), Tone.EXPERT)


def _with_when(line: str, question: RoomQuestion) -> str:
    """A question's line, with when it can be asked."""
    return f"{line}  ({question.when})" if question.when else line
