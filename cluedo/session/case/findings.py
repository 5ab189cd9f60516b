"""What a case has found out, as sentences: what is new and why, the odds, what to ask, what clashes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from cluedo.ai.knowledge.caselog import Setting
from cluedo.ai.knowledge.sentences import conclusion
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Peeked
from cluedo.language import tr
from cluedo.session.case.advising import Discovery, RoomQuestion
from cluedo.session.case.case import Case
from cluedo.session.case.contradictions import Mend
from cluedo.session.figures import chances_told, deals_told, percent, sampled_note, with_error
from cluedo.session.narration import and_join, as_sentence

__all__ = [
    "ASIDE",
    "Doubt",
    "advice_lines",
    "clash_lines",
    "doubt_lines",
    "doubts",
    "news_lines",
    "next_in_turn",
    "odds_lines",
    "question_line",
    "question_lines",
    "when_told",
]


class Doubt(Enum):
    """A reason to ask again."""

    TWICE = auto()
    ELIMINATED = auto()
    OUT_OF_TURN = auto()


def doubts(setting: Setting, entries: Sequence[Entry], entry: Entry) -> list[Doubt]:
    """What is doubtful about one more entry after these."""
    found = []
    last = entries[-1] if entries else None
    if entry == last:
        found.append(Doubt.TWICE)
    if entry.by in _eliminated(entries) and not isinstance(entry.head, HandShown):
        found.append(Doubt.ELIMINATED)
    elif not found and last is not None and _jumps(setting, entries, entry):
        found.append(Doubt.OUT_OF_TURN)
    return found


def next_in_turn(setting: Setting, entries: Sequence[Entry]) -> int:
    """The seat whose turn follows that of the last entry."""
    return _following(setting, entries)[0]


def _following(setting: Setting, entries: Sequence[Entry]) -> list[int]:
    """The seats that are in play, in turn order, from the one after the last entry on."""
    seats, out = len(setting.names), _eliminated(entries)
    order = [(entries[-1].by + step) % seats for step in range(1, seats + 1)]
    return [seat for seat in order if seat not in out] or order


def _eliminated(entries: Sequence[Entry]) -> set[int]:
    return {entry.by for entry in entries if isinstance(entry.head, Accused) and not entry.head.correct}


def _goes_on(last: Entry, entry: Entry) -> bool:
    """Whether an entry can be of the same turn as the last, by the same player."""
    match last.head, entry.head:
        case Accused(), HandShown():
            return True
        case HypothesisMade(), Peeked():
            return True
        case ((HypothesisMade() | Peeked()), Accused()):
            return True
        case Peeked(), HypothesisMade():
            return True  # a look that the starting player begins with
    return False


def _jumps(setting: Setting, entries: Sequence[Entry], entry: Entry) -> bool:
    """Whether too many turns would have passed without an entry.

    Where pawns walk, a turn without a hypothesis is common: only then is it strange if more than half of the others
    have had one. Where everybody enters any room they like, nobody is left out.
    """
    last = entries[-1]
    if entry.by == last.by and _goes_on(last, entry):
        return False  # in the same turn
    following = _following(setting, entries)
    skipped = following.index(entry.by)
    return skipped > (len(following) - 1) / 2 if setting.walks else skipped > 0


_TRIED = 24
"""News for which a reason is looked for: that takes a millisecond or some."""
_LONG = 24
"""Lines after which no more reasons are told."""
ASIDE = "    "
"""What lines that give reasons begin with."""


# ---- what is new ---------------------------------------------------------------------------------


def news_lines(case: Case) -> list[str]:
    """What the last change has brought, with reasons; what the entry itself says comes last, in short."""
    known = case.known
    if known is None:
        return []
    lines: list[str] = []
    short: list[Discovery] = []
    for tried, news in enumerate(case.news):
        card, place, there = news.proof
        answer = known.why(card, place) if tried < _TRIED and not news.lost else None
        # A single fact is what an entry says by itself.
        if answer is None or len(answer.facts) < 2 or len(lines) > _LONG:
            short.append(news)
            continue
        lines.append(as_sentence(tr(conclusion(card, place, there, known.evidence))))
        lines += [f"{ASIDE}{tr(line)}" for line in answer.lines[:-2]]  # without the conclusion, and how small it is
    return lines + list(_in_short(case, short))


def _in_short(case: Case, news: Iterable[Discovery]) -> Iterator[str]:
    """News without reasons, those of a place together."""
    grouped: dict[tuple[bool, bool, int], list[str]] = {}
    for item in news:
        card, place, there = item.proof
        grouped.setdefault((item.lost, there, place), []).append(case.setting.deck.names[card])
    for (lost, there, place), names in grouped.items():
        told = _places_told(case.setting, there, place, names)
        yield tr("No longer proved: {what}", what=told) if lost else told


def _places_told(setting: Setting, there: bool, place: int, names: list[str]) -> str:
    """That cards are, or are not, at a place."""
    cards = ", ".join(names)
    match setting.places[place]:
        case "envelope" if place >= len(setting.names):
            if there:
                return tr("In the envelope: {cards}.", cards=cards)
            return tr("Not in the envelope: {cards}.", cards=cards)
        case "pool" if place >= len(setting.names):
            return tr("In the pool: {cards}.", cards=cards) if there else tr("Not in the pool: {cards}.", cards=cards)
        case "open" if place >= len(setting.names):
            return tr("Open on the table: {cards}.", cards=cards)
    who = setting.names[place]
    if there:
        return tr("{who} holds {cards}.", who=who, cards=and_join(names))
    if len(names) == 1:
        return tr("{who} does not hold {card}", who=who, card=cards) + "."
    return tr("{who} holds none of these: {cards}.", who=who, cards=cards)


# ---- the odds and what to do ---------------------------------------------------------------------


def odds_lines(case: Case, most: int = 3) -> list[str]:
    """How much is unknown, and the likeliest envelopes; nothing where the entries contradict each other."""
    known = case.known
    if known is None:
        return []
    if known.deals is None:
        return [
            tr("There are too many deals to count exactly: ✓ and ✗ are proved, and nothing is known about the rest.")
        ]
    if known.certain:
        return [tr("The envelope is proved: {cards}.", cards=case.setting.deck.listed(known.envelopes[0][0]))]
    lines = [
        tr(
            "{envelopes:,} envelopes are possible ({bits:.2f} bits, {deals}); the likeliest:",
            envelopes=len(known.envelopes),
            bits=known.bits,
            deals=deals_told(known),
        )
    ]
    for cards, p in known.envelopes[:most]:
        share = with_error(p, known.envelope_error(cards), 1)
        lines.append(f"{share:>8}  {case.setting.deck.listed(cards)}")
    return lines if known.exact else [*lines, sampled_note(known)]


def advice_lines(case: Case) -> list[str]:
    """Whether to accuse, with the odds of being right and of winning otherwise; none where that is no question."""
    advice = case.advice
    if advice is None:
        return []
    cards = case.setting.deck.listed(advice.cards)
    if advice.proved:
        return [tr("Accuse: {cards}. That is proved.", cards=cards)]
    if advice.chances is None:
        chance = percent(advice.probability)
        return [tr("Do not accuse yet: {cards} is right in only {chance} of cases.", cards=cards, chance=chance)]
    do = tr("A gamble, but waiting is worse.") if advice.accuse else tr("Do not accuse yet.")
    odds, more = chances_told(cards, advice.chances)
    return [f"{do} {odds}", more]


def question_lines(case: Case, most: int = 3) -> list[str]:
    """The most promising questions; empty where there is nothing to ask."""
    questions = [question for question in case.questions if question.turns != math.inf][:most]
    if not questions:
        return []
    return [tr("Ask next:"), *(f"  {question_line(case, question)}" for question in questions)]


def question_line(case: Case, question: RoomQuestion) -> str:
    """A question: what it is worth, its cards, and when it can be asked."""
    line = f"{tr('{bits:.1f} bits', bits=question.bits)}  {case.setting.deck.listed(question.cards)}"
    when = when_told(case, question)
    return f"{line}  ({when})" if when else line


def when_told(case: Case, question: RoomQuestion) -> str:
    """When a question can be asked; nothing where nobody knows, or everybody."""
    if question.turns is None or not case.setting.walks:
        return ""
    if question.turns == math.inf:
        return tr("not from here")
    if question.turns < 1.05:
        return tr("next turn")
    return tr("{turns:.1f} turns", turns=question.turns)


# ---- doubts --------------------------------------------------------------------------------------


def doubt_lines(case: Case, entry: Entry) -> list[str]:
    """What is unlikely about one more entry, and how to note it all the same; empty where nothing is."""
    lines = [_doubt_told(case, entry, doubt) for doubt in doubts(case.setting, case.entries, entry)]
    return [*lines, tr("Enter it again, or type keep, to keep it anyway.")] if lines else []


def _doubt_told(case: Case, entry: Entry, doubt: Doubt) -> str:
    names = case.setting.names
    match doubt:
        case Doubt.TWICE:
            return tr("Is this the same entry twice? It is the same as the one before.")
        case Doubt.ELIMINATED:
            return tr(
                "{who} has accused wrongly and is out, so {who} cannot ask or accuse any more.", who=names[entry.by]
            )
        case Doubt.OUT_OF_TURN:
            last = case.entries[-1].by
            return tr(
                "Is it the turn of {who}? After {last} comes {next}.",
                who=names[entry.by],
                last=names[last],
                next=names[next_in_turn(case.setting, case.entries)],
            )


# ---- contradictions ------------------------------------------------------------------------------


def clash_lines(case: Case) -> list[str]:
    """Which entries clash, and numbered offers to mend it."""
    clash = case.clash
    if clash is None:
        return []
    lines = [tr("The entries contradict each other: no deal fits these together:")]
    lines += [f"  {at} {case.grammar.write(case.entries[at - 1])}" for at in clash.numbers]
    if clash.hand:
        held = and_join(case.setting.deck.names[card] for card in clash.hand)
        lines.append(f"  {tr('and that you hold {cards}; if not, type: hand …', cards=held)}")
    if clash.mends:
        lines.append(tr("Any one of these changes resolves it:"))
        lines += [f"  {k} {mend_told(case, mend)}" for k, mend in enumerate(clash.mends, 1)]
    else:
        lines.append(tr("No single change resolves it: edit or drop several entries."))
    return lines


def mend_told(case: Case, mend: Mend) -> str:
    """A change that would mend a contradiction."""
    if mend.entry is None:
        return tr("take out entry {number}", number=mend.number)
    return tr("entry {number}: {entry}", number=mend.number, entry=case.grammar.write(mend.entry))
