"""Puts what is new, doubtful or contradictory in a case into sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cluedo.ai.knowledge.caselog import Setting
from cluedo.ai.knowledge.sentences import conclusion
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Peeked
from cluedo.language import tr
from cluedo.session.case.case import Case
from cluedo.session.case.contradictions import Fix
from cluedo.session.case.news import News
from cluedo.session.sections import ReasonLine, Section
from cluedo.words.narration import and_join, as_sentence

__all__ = ["contradiction_sections", "doubt_lines", "fix_sentence", "news_lines", "next_in_turn"]


_TRIED = 24
"""News for which a reason is looked for: that takes a millisecond or some."""
_LONG = 24
"""Lines after which no more reasons are told."""

# ---- what is new ---------------------------------------------------------------------------------


def news_lines(case: Case) -> list[str]:
    """What is new after the last change, with reasons; what the entry itself says comes last, in short."""
    known = case.known
    if known is None:
        return []
    lines: list[str] = []
    short: list[News] = []
    for tried, news in enumerate(case.news):
        card, place, there = news.proof
        answer = known.why(card, place) if tried < _TRIED and not news.lost else None
        # A single fact is what an entry says by itself.
        if answer is None or len(answer.facts) < 2 or len(lines) > _LONG:
            short.append(news)
            continue
        lines.append(as_sentence(tr(conclusion(card, place, there, known.evidence))))
        lines += [ReasonLine(tr(line)) for line in answer.reason]
    return lines + list(_in_short(case, short))


def _in_short(case: Case, news: Iterable[News]) -> Iterator[str]:
    """News without reasons, those of a place together."""
    grouped: dict[tuple[bool, bool, int], list[str]] = {}
    for item in news:
        card, place, there = item.proof
        grouped.setdefault((item.lost, there, place), []).append(case.setting.deck.names[card])
    for (lost, there, place), names in grouped.items():
        told = _places_sentence(case.setting, there, place, names)
        yield tr("No longer proved: {what}", what=told) if lost else told


def _places_sentence(setting: Setting, there: bool, place: int, names: list[str]) -> str:
    """A sentence that says that cards are at a place, or are not."""
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


# ---- doubts --------------------------------------------------------------------------------------


def doubt_lines(case: Case, entry: Entry) -> Iterator[str]:
    """What is doubtful about a new entry; nothing if nothing is."""
    setting, entries, names = case.setting, case.entries, case.setting.names
    last = entries[-1] if entries else None
    if entry == last:
        yield tr("Is this the same entry twice? It is the same as the one before.")
    if entry.by in _eliminated(entries) and not isinstance(entry.head, HandShown):
        yield tr("{who} has accused wrongly and is out, so {who} cannot ask or accuse any more.", who=names[entry.by])
    elif last not in (None, entry) and _jumps(setting, entries, entry):
        yield tr(
            "Is it the turn of {who}? After {last} comes {next}.",
            who=names[entry.by],
            last=names[last.by],
            next=names[next_in_turn(setting, entries)],
        )


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
    if isinstance(entry.head, HandShown):
        return False  # it may be entered later, in anybody's turn
    if entry.by == last.by and _goes_on(last, entry):
        return False  # in the same turn
    following = _following(setting, entries)
    skipped = following.index(entry.by)
    return skipped > (len(following) - 1) / 2 if setting.walks else skipped > 0


# ---- contradictions ------------------------------------------------------------------------------


def contradiction_sections(case: Case) -> list[Section]:
    """Two sections: which entries contradict each other, and numbered offers to fix it; none where they agree."""
    contradiction = case.contradiction
    if contradiction is None:
        return []
    lines = [f"  {at} {case.grammar.write(case.entries[at - 1])}" for at in contradiction.numbers]
    if contradiction.hand:
        held = and_join(case.setting.deck.names[card] for card in contradiction.hand)
        lines.append(f"  {tr('and that you hold {cards}; if not, type: hand …', cards=held)}")
    clashing = Section(tr("The entries contradict each other: no deal fits these together:"), tuple(lines))
    if not contradiction.fixes:
        return [clashing, Section(tr("No single change resolves it: edit or drop several entries."))]
    fixes = tuple(f"  {k} {fix_sentence(case, fix)}" for k, fix in enumerate(contradiction.fixes, 1))
    return [clashing, Section(tr("Any one of these changes resolves it:"), fixes)]


def fix_sentence(case: Case, fix: Fix) -> str:
    """A change that would fix a contradiction."""
    if fix.entry is None:
        return tr("take out entry {number}", number=fix.number)
    return tr("entry {number}: {entry}", number=fix.number, entry=case.grammar.write(fix.entry))
