"""What a session has found out, as sentences: what is new and why, the odds, what to ask, what clashes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from cluedo.ai.knowledge.words import conclusion
from cluedo.cli.assist.clash import Mend
from cluedo.cli.assist.insight import Insight, News, Question
from cluedo.cli.assist.session import Session
from cluedo.cli.sheet import percent
from cluedo.language import tr, tr_count
from cluedo.session.narration import and_join

__all__ = ["advice_line", "cards_told", "clash_lines", "news_lines", "odds_lines", "question_line", "question_lines"]

_TRIED = 24
"""News for which a reason is looked for: that takes a millisecond or some."""
_LONG = 24
"""Lines after which no more reasons are told."""
_INDENT = "    "


def cards_told(insight: Insight, cards: Iterable[int]) -> str:
    """Names of cards, with commas."""
    return ", ".join(insight.setting.deck.names[card] for card in cards)


# ---- what is new ---------------------------------------------------------------------------------


def news_lines(session: Session) -> list[str]:
    """What the last change has brought, with reasons; what the entry itself says comes last, in short."""
    insight = session.insight
    if insight is None:
        return []
    lines: list[str] = []
    short: list[News] = []
    for tried, news in enumerate(session.news):
        answer = insight.why(news.card, news.place) if tried < _TRIED and not news.lost else None
        # A single fact is what an entry says by itself.
        if answer is None or len(answer.facts) < 2 or len(lines) > _LONG:
            short.append(news)
            continue
        lines.append(_sentence(conclusion(news.card, news.place, news.there, insight.evidence)))
        lines += [f"{_INDENT}{tr(line)}" for line in answer.lines[:-2]]  # without the conclusion, and how small it is
    return lines + list(_in_short(insight, short))


def _in_short(insight: Insight, news: Iterable[News]) -> Iterator[str]:
    """News without reasons, those of a place together."""
    grouped: dict[tuple[bool, bool, int], list[str]] = {}
    for item in news:
        grouped.setdefault((item.lost, item.there, item.place), []).append(insight.setting.deck.names[item.card])
    for (lost, there, place), names in grouped.items():
        told = _places_told(insight, there, place, names)
        yield tr("No longer proved: {what}", what=told) if lost else told


def _places_told(insight: Insight, there: bool, place: int, names: list[str]) -> str:
    """That cards are, or are not, at a place."""
    evidence = insight.evidence
    cards = ", ".join(names)
    if place == evidence.envelope:
        return (
            tr("In the envelope: {cards}.", cards=cards) if there else tr("Not in the envelope: {cards}.", cards=cards)
        )
    who = evidence.names[place]
    if there:
        return tr("{who} holds {cards}.", who=who, cards=and_join(names))
    if len(names) == 1:
        return tr("{who} does not hold {card}", who=who, card=cards) + "."
    return tr("{who} holds none of these: {cards}.", who=who, cards=cards)


def _sentence(text: str) -> str:
    """A conclusion as a sentence of its own."""
    told = tr(text)
    return f"{told[0].upper()}{told[1:]}."


# ---- the odds and what to do ---------------------------------------------------------------------


def odds_lines(insight: Insight, most: int = 3) -> list[str]:
    """How much is unknown, and the likeliest envelopes."""
    findings = insight.findings
    if findings.deals is None:
        return [tr("The deals are too many to count exactly: ✓ and ✗ are proved, of the rest nothing is known.")]
    if len(findings.envelopes) == 1:
        return [tr("The envelope is proved: {cards}.", cards=cards_told(insight, findings.envelopes[0][0]))]
    deals = tr_count("{count:,} deal", "{count:,} deals", findings.deals)
    lines = [
        tr(
            "{envelopes:,} envelopes are possible ({bits:.2f} bits, {deals}); the likeliest:",
            envelopes=len(findings.envelopes),
            bits=findings.bits,
            deals=deals,
        )
    ]
    return lines + [f"{percent(p, 1):>8}  {cards_told(insight, cards)}" for cards, p in findings.envelopes[:most]]


def advice_line(insight: Insight) -> str:
    """Whether to accuse; empty where that is no question."""
    advice = insight.advice
    if advice is None:
        return ""
    cards, chance = cards_told(insight, advice.cards), percent(advice.probability)
    if advice.probability == 1.0:
        return tr("Accuse: {cards}. That is proved.", cards=cards)
    waiting = percent(advice.waiting)
    told = {"cards": cards, "chance": chance, "waiting": waiting}
    if advice.accuse:
        return tr("Accuse now: {cards} ({chance}). To wait four rounds is safe with {waiting} only.", **told)
    return tr("Wait: {cards} has only {chance}; to wait four rounds is safe with {waiting}.", **told)


def question_lines(insight: Insight, most: int = 3) -> list[str]:
    """The most promising questions; empty where there is nothing to ask."""
    questions = [question for question in insight.questions if question.turns != math.inf][:most]
    if not questions:
        return []
    return [tr("Ask next:"), *(f"  {question_line(insight, question)}" for question in questions)]


def question_line(insight: Insight, question: Question) -> str:
    """A question: what it is worth, its cards, and when it can be asked."""
    line = f"{tr('{bits:.1f} bits', bits=question.bits)}  {cards_told(insight, question.cards)}"
    if question.turns is None or not insight.setting.walks:
        return line
    if question.turns == math.inf:
        return f"{line}  ({tr('not from here')})"
    if question.turns < 1.05:
        return f"{line}  ({tr('next turn')})"
    return f"{line}  ({tr('{turns:.1f} turns', turns=question.turns)})"


# ---- contradictions ------------------------------------------------------------------------------


def clash_lines(session: Session) -> list[str]:
    """Which entries clash, and numbered offers to mend it."""
    clash = session.clash
    if clash is None:
        return []
    lines = [tr("The entries contradict each other: no deal fits these together:")]
    lines += [f"  {at} {session.grammar.write(session.entries[at - 1])}" for at in clash.numbers]
    if clash.hand:
        held = and_join(session.setting.deck.names[card] for card in clash.hand)
        lines.append(f"  {tr('and that you hold {cards}; if not, type: hand …', cards=held)}")
    if clash.mends:
        lines.append(tr("Any one of these changes mends it:"))
        lines += [f"  {k} {mend_told(session, mend)}" for k, mend in enumerate(clash.mends, 1)]
    else:
        lines.append(tr("No single change mends it: edit or take out several of them."))
    return lines


def mend_told(session: Session, mend: Mend) -> str:
    """A change that would mend a contradiction."""
    if mend.entry is None:
        return tr("take out entry {number}", number=mend.number)
    return tr("entry {number}: {entry}", number=mend.number, entry=session.grammar.write(mend.entry))
