"""Reads and writes an entry as a line of words.

    ASKER [asks] SUSPECT WEAPON ROOM, WHO [shows] [CARD]      or … nobody
    ASKER accuses SUSPECT WEAPON ROOM, right                  or … wrong

The three cards come in any order, and names as :mod:`vocabulary` understands them. All readings of a
line are followed word by word. One that takes a word as a worse match than another does, and none as
a better one, is dropped; if two are left that mean different entries, the line is ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.entries import UNNOTED, Entry
from cluedo.engine.events import Accused, HandShown, Peeked, Shown
from cluedo.language import tr, tr_count
from cluedo.session.case.vocabulary import EXACT, Term, Vocabulary, Word, nearest, tokens
from cluedo.session.choices import Unclear, folded
from cluedo.session.narration import or_join

__all__ = ["Completion", "Grammar"]

_LONGEST = 400  # characters of a line that anybody types
_FEW = 7
"""Words that may all be offered where none is near."""


class _Stage(IntEnum):
    """What has been read, and so what may come next."""

    START = 0
    ASKER = 1
    CARDS = 2
    ASKED = 3
    REFUTER = 4
    SHOWS = 5
    NOBODY = 6
    ACCUSED = 7
    ALSO = 8
    ANSWERED = 9
    LOOKED = 10
    LOOKED_AT = 11
    LAYING = 12
    DONE = 13


_WHOLE = {
    *(_Stage.REFUTER, _Stage.SHOWS, _Stage.NOBODY, _Stage.ANSWERED),
    *(_Stage.LOOKED, _Stage.LOOKED_AT, _Stage.DONE),
}
"""Where a line may end."""
_ASIDE = {_Stage.LOOKED, _Stage.LOOKED_AT, _Stage.LAYING}
"""Where it is about the pool, or a hand laid open."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read the first words of a line; ``ranks`` says how well each was matched."""

    stage: _Stage = _Stage.START
    by: int = -1
    accuses: bool = False
    cards: tuple[int, ...] = ()
    shows: tuple[tuple[int, int | None], ...] = ()
    correct: bool = False
    looks: bool = False
    position: int = UNNOTED
    seen: int | None = None
    hand: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    spans: tuple[tuple[int, int, str], ...] = ()

    @property
    def sense(self) -> tuple[Any, ...]:
        """All that matters to what follows."""
        named = self.cards, self.shows, self.position, self.seen, self.hand
        return self.stage, self.by, self.accuses, self.correct, self.looks, *named

    def entry(self, setting: Setting) -> Entry:
        if self.looks:
            return Entry.peek(self.by, self.position, self.seen)
        if self.hand:
            return Entry.hand(self.by, self.hand)
        suspect, weapon, room = sorted(self.cards)  # in a deck suspects come before weapons before rooms
        three = (suspect, weapon, room)
        if self.accuses:
            return Entry.accusation(self.by, three, self.correct)
        seats = len(setting.names)
        if setting.rules.refuters == "all":
            return Entry.answered_by_all(seats, self.by, three, dict(self.shows))
        return Entry.hypothesis(seats, self.by, three, *(self.shows[0] if self.shows else (None, None)))


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion of a line: the name or word, and the line with it."""

    word: str
    line: str


class Grammar:
    """Reads, writes and completes the entries of one table.

    >>> from cluedo import Board
    >>> setting = Setting.make(Board.load("classic"), [("Ann", None), ("Bob", None), ("Cy", None)])
    >>> grammar = Grammar(setting)
    >>> entry = grammar.parse("bob pl ro hall cy")
    >>> grammar.write(entry)
    'Bob asks Plum, Rope, Hall: Cy shows'
    >>> grammar.parse(grammar.write(entry)) == entry
    True

    Raises:
        CluedoError: names that cannot be told apart when typed.
    """

    def __init__(self, setting: Setting):
        self.setting = setting
        self._known = Vocabulary(setting)

    def parse(self, text: str) -> Entry:
        """The entry that a line means; raises :class:`Unclear` with what is wrong and what would be right."""
        words = tokens(text[:_LONGEST])
        if not words:
            raise Unclear(tr("nothing was entered"))
        reached = self._follow(words)
        readings = _undominated([reading for reading in reached[-1] if reading.stage in _WHOLE])
        entries = list(dict.fromkeys(reading.entry(self.setting) for reading in readings))
        if len(entries) == 1:
            return entries[0]
        raise Unclear(self._doubt(words, readings) if entries else self._fault(words, reached))

    def write(self, entry: Entry) -> str:
        """The line of an entry, in the language spoken, which reads back as the same entry."""
        if isinstance(entry.head, Peeked | HandShown):
            return self._write_aside(entry.head)
        names, deck = self.setting.names, self.setting.deck
        three = deck.listed(entry.cards)
        told: dict[str, Any] = {"by": names[entry.by], "cards": three}
        if isinstance(entry.head, Accused):
            if entry.head.correct:
                return tr("{by} accuses {cards}: right", **told)
            return tr("{by} accuses {cards}: wrong", **told)
        if entry.refuter is None:
            return tr("{by} asks {cards}: nobody", **told)
        if len(entry.shows) > 1:
            return tr("{by} asks {cards}: {answers}", **told, answers="; ".join(map(self._write_shown, entry.shows)))
        told["refuter"] = names[entry.refuter]
        if entry.card is None:
            return tr("{by} asks {cards}: {refuter} shows", **told)
        return tr("{by} asks {cards}: {refuter} shows {card}", **told, card=deck.names[entry.card])

    def _write_shown(self, shown: Shown) -> str:
        refuter, names = self.setting.names[shown.seat], self.setting.deck.names
        if shown.card is None:
            return tr("{refuter} shows", refuter=refuter)
        return tr("{refuter} shows {card}", refuter=refuter, card=names[shown.card])

    def _write_aside(self, head: Peeked | HandShown) -> str:
        by, names = self.setting.names[head.seat], self.setting.deck.names
        match head:
            case HandShown(_, cards):
                return tr("{by} lays open {cards}", by=by, cards=", ".join(names[card] for card in cards))
            case Peeked(_, position, None):
                if position == UNNOTED:
                    return tr("{by} looks into the pool", by=by)
                return tr("{by} looks at card {number} of the pool", by=by, number=position + 1)
            case Peeked(_, position, seen):
                assert seen is not None
                if position == UNNOTED:
                    return tr("{by} looks into the pool: {card}", by=by, card=names[seen])
                told = {"by": by, "number": position + 1, "card": names[seen]}
                return tr("{by} looks at card {number} of the pool: {card}", **told)

    def complete(self, text: str) -> list[Completion]:
        """How the line may go on: with what the last words begin, or with what may come next."""
        words = tokens(text[:_LONGEST])
        begun = bool(words) and not text[-1:].isspace() and text[-1:] not in ",;:."
        reached = self._follow(words)
        found: dict[str, tuple[int, int, int, str]] = {}  # how well matched, by how many words, in which order
        for at in range(max(0, len(words) - 4), len(words)) if begun else [len(words)]:
            part = words[at:]
            plain = [folded(word) for word in part]
            for reading in _undominated(reached[at]):
                for order, (term, _) in enumerate(self._options(reading)):
                    rank = term.match(part, plain) if begun else EXACT
                    if rank is not None and self._offered(term):
                        line = f"{_before(text, len(part) if begun else 0)}{term.text} "
                        best = (rank, -len(part), order, line)
                        found[term.text] = min(found.get(term.text, best), best)
        return [Completion(word, line) for word, (*_, line) in sorted(found.items(), key=lambda item: item[1])]

    # ---- readings ------------------------------------------------------------------------------

    def _follow(self, words: Sequence[str]) -> list[list[_Reading]]:
        """By number of words, every reading of so many of them."""
        plain = [folded(word) for word in words]
        reached: list[list[_Reading]] = [[] for _ in range(len(words) + 1)]
        reached[0].append(_Reading())
        for at in range(len(words)):
            reached[at] = _distinct(reached[at])
            for reading in reached[at]:
                for term, changes in self._options(reading):
                    for end in range(at + 1, min(at + len(term.plain), len(words)) + 1):
                        rank = term.match(words[at:end], plain[at:end])
                        if rank is not None:
                            ranks = reading.ranks + (rank,) * (end - at)
                            spans = (*reading.spans, (at, end, term.text))
                            reached[end].append(replace(reading, ranks=ranks, spans=spans, **changes))
        reached[-1] = _distinct(reached[-1])
        return reached

    def _options(self, reading: _Reading) -> Iterator[tuple[Term, dict[str, Any]]]:
        """What may come next, each with how the reading goes on."""
        known, stage = self._known, reading.stage
        if stage in _ASIDE:
            yield from self._aside(reading)
            return
        match stage:
            case _Stage.START:
                yield from ((name, {"stage": _Stage.ASKER, "by": name.value}) for name in known.players)
            case _Stage.ASKER:
                yield from self._cards(reading)
                yield from ((word, {"stage": _Stage.CARDS}) for word in known.words[Word.ASKS])
                yield from ((w, {"stage": _Stage.CARDS, "accuses": True}) for w in known.words[Word.ACCUSES])
                yield from ((w, {"stage": _Stage.LOOKED, "looks": True}) for w in known.words[Word.LOOKS])
                yield from ((w, {"stage": _Stage.LAYING}) for w in known.words[Word.LAYS])
            case _Stage.CARDS:
                yield from self._cards(reading)
            case _Stage.ASKED:
                for name in known.players:
                    if name.value != reading.by:
                        yield name, {"stage": _Stage.REFUTER, "shows": ((name.value, None),)}
                yield from ((word, {"stage": _Stage.NOBODY}) for word in known.words[Word.NOBODY])
            case _Stage.REFUTER | _Stage.SHOWS:
                yield from self._card_shown(reading)
                shows = known.words[Word.SHOWS] if stage is _Stage.REFUTER else ()
                yield from ((word, {"stage": _Stage.SHOWS}) for word in (*shows, *known.words[Word.ME]))
                yield from self._others(reading)
            case _Stage.ALSO:
                yield from ((word, {"stage": _Stage.SHOWS}) for word in known.words[Word.SHOWS])
            case _Stage.ANSWERED:
                yield from ((word, {}) for word in known.words[Word.ME])
                yield from self._others(reading)
            case _Stage.NOBODY:
                yield from ((word, {}) for word in known.words[Word.SHOWS])
            case _Stage.ACCUSED:
                for meaning, correct in ((Word.RIGHT, True), (Word.WRONG, False)):
                    for word in known.words[meaning]:
                        yield word, {"stage": _Stage.DONE, "correct": correct}
            case _Stage.DONE:
                yield from ((word, {}) for word in known.words[Word.ME])
        if stage not in (_Stage.START, _Stage.ASKER):
            yield from ((word, {}) for word in known.words[Word.FILLER])

    def _card_shown(self, reading: _Reading) -> Iterator[tuple[Term, dict[str, Any]]]:
        """Which of the three the last who is said to show a card has shown."""
        *before, (seat, _) = reading.shows
        stage = _Stage.ANSWERED if self.setting.rules.refuters == "all" else _Stage.DONE
        for card in reading.cards:
            changes = {"stage": stage, "shows": (*before, (seat, card))}
            yield from ((name, changes) for name in self._known.names_of(card))

    def _others(self, reading: _Reading) -> Iterator[tuple[Term, dict[str, Any]]]:
        """Who else shows a card, where everybody answers; with a verb, for players can be called like cards."""
        if self.setting.rules.refuters == "first":
            return
        answered = {reading.by, *(seat for seat, _ in reading.shows)}
        for name in self._known.players:
            if name.value not in answered:
                yield name, {"stage": _Stage.ALSO, "shows": (*reading.shows, (name.value, None))}

    def _aside(self, reading: _Reading) -> Iterator[tuple[Term, dict[str, Any]]]:
        """What is said of a look into the pool, or a hand laid open."""
        known, cards = self._known, range(self.setting.deck.size)
        if reading.stage is _Stage.LAYING:
            last = len(reading.hand) == self.setting.sizes[reading.by] - 1
            for card in cards:
                if card not in reading.hand:
                    changes: dict[str, Any] = {"hand": (*reading.hand, card)}
                    changes |= {"stage": _Stage.DONE} if last else {}
                    yield from ((name, changes) for name in known.names_of(card))
        else:
            if reading.stage is _Stage.LOOKED:
                for position in range(self.setting.pool):
                    number = Term.of(str(position + 1), position)
                    yield number, {"stage": _Stage.LOOKED_AT, "position": position}
            for card in cards:
                yield from ((name, {"stage": _Stage.DONE, "seen": card}) for name in known.names_of(card))
        yield from ((word, {}) for word in known.asides)

    def _cards(self, reading: _Reading) -> Iterator[tuple[Term, dict[str, Any]]]:
        """The cards of the categories that have none yet."""
        deck = self.setting.deck
        taken = {deck.category(card) for card in reading.cards}
        last = len(reading.cards) == len(deck.ids) - 1
        full = _Stage.ACCUSED if reading.accuses else _Stage.ASKED
        for card in range(deck.size):
            if deck.category(card) not in taken:
                changes = {"stage": full if last else _Stage.CARDS, "cards": (*reading.cards, card)}
                yield from ((name, changes) for name in self._known.names_of(card))

    def _offered(self, term: Term) -> bool:
        """Whether a completion offers it: names, and one word of each meaning, in the language spoken."""
        if term.alias:
            return False
        if not isinstance(term.value, Word):
            return term not in self._known.players[len(self.setting.names) :]
        offered = {tr("asks"), tr("accuses"), tr("shows"), tr("nobody"), tr("right"), tr("wrong")}
        offered |= {tr("looks"), tr("lays")}
        return term.text in offered

    # ---- what is wrong -------------------------------------------------------------------------

    def _doubt(self, words: Sequence[str], readings: Sequence[_Reading]) -> str:
        """Why a line is ambiguous: the first word that is read in two ways, or whole readings."""
        for place in zip(*(reading.spans for reading in readings), strict=False):
            if len({(start, end) for start, end, _ in place}) > 1:
                break
            names = list(dict.fromkeys(name for _, _, name in place))
            if len(names) > 1:
                start, end, _ = place[0]
                word, these = " ".join(words[start:end]), or_join(names)
                return tr("'{word}' could be {these}", word=word, these=these)
        lines = list(dict.fromkeys(self.write(reading.entry(self.setting)) for reading in readings))
        return tr("this could mean: {these}", these="; ".join(lines[:3]))

    def _fault(self, words: Sequence[str], reached: Sequence[Sequence[_Reading]]) -> str:
        """Why a line is no entry: what is missing, or the first word that nothing can be made of."""
        furthest = max(at for at, readings in enumerate(reached) if readings)
        stages = {reading.stage for reading in reached[furthest]}
        reading = max(_undominated(reached[furthest]), key=lambda reading: reading.stage)
        wanted = self._wanted(reading)
        if furthest == len(words):
            return tr("the entry is not complete: {wanted}", wanted=wanted)
        word = words[furthest]
        known = [name.text for at in reached[furthest] for name, _ in self._options(at) if self._offered(name)]
        if stages <= {_Stage.DONE, _Stage.NOBODY}:
            return tr("the entry is complete before '{word}'", word=word[:40])
        if again := self._second(reading, word):
            return again
        near = nearest(word, dict.fromkeys(known))
        if not near and len(known) <= _FEW:
            near = known
        told = {"word": word[:40], "wanted": wanted}
        if not near:
            return tr("'{word}' is not understood: {wanted}", **told)
        return tr("'{word}' is not understood: {wanted}; did you mean {names}?", **told, names=or_join(near))

    def _second(self, reading: _Reading, word: str) -> str:
        """What is wrong with a second card of a category, or with the asker's own answer; nothing, if it is neither."""
        deck, plain = self.setting.deck, folded(word)
        if reading.stage is _Stage.ASKED and self._known.players[reading.by].match([word], [plain]) is not None:
            asker = self.setting.names[reading.by]
            return tr("{name} asked, so somebody else shows a card, or nobody", name=asker)
        if reading.stage is not _Stage.CARDS:
            return ""
        for first in reading.cards:
            for card in deck.ids[deck.category(first)]:
                if self._known.deck[card].match([word], [plain]) is not None:
                    names = {"second": deck.names[card], "first": deck.names[first]}
                    return tr("{second} does not go with {first}: one suspect, one weapon and one room", **names)
        return ""

    def _wanted(self, reading: _Reading) -> str:
        """What has to come next."""
        match reading.stage:
            case _Stage.START:
                return tr("first comes the player who asks or accuses")
            case _Stage.ASKER | _Stage.CARDS:
                deck = self.setting.deck
                kinds = (tr("a suspect"), tr("a weapon"), tr("a room"))
                taken = {deck.category(card) for card in reading.cards}
                left = [kind for category, kind in enumerate(kinds) if category not in taken]
                return tr("still to be named: {these}", these=", ".join(left))
            case _Stage.ASKED:
                return tr("say who showed a card, or nobody")
            case _Stage.ACCUSED:
                return tr("say whether that was right or wrong")
            case _Stage.ALSO:
                return tr("say that they showed a card")
            case _Stage.ANSWERED:
                return tr("say who else showed a card, or nothing more")
            case _Stage.LOOKED | _Stage.LOOKED_AT:
                return tr("say which card of the pool it was, or nothing more")
            case _Stage.LAYING:
                return tr_count(
                    "one card of the hand is still to be named",
                    "{count} cards of the hand are still to be named",
                    self.setting.sizes[reading.by] - len(reading.hand),
                )
            case _Stage.REFUTER | _Stage.SHOWS:
                return tr("say which of the three cards was shown, or nothing more")
        return tr("nothing more is needed")


def _distinct(readings: Sequence[_Reading]) -> list[_Reading]:
    """The best readings of each sense, or their number would grow with every word."""
    by_sense: dict[tuple[Any, ...], dict[tuple[int, ...], _Reading]] = {}
    for reading in readings:
        by_sense.setdefault(reading.sense, {}).setdefault(reading.ranks, reading)
    return [best for same in by_sense.values() for best in _undominated(list(same.values()))]


def _undominated(readings: Sequence[_Reading]) -> list[_Reading]:
    """The readings that no other matches better in one word and worse in none."""

    def beaten(one: _Reading) -> bool:
        return any(
            other.ranks != one.ranks and all(a <= b for a, b in zip(other.ranks, one.ranks, strict=True))
            for other in readings
        )

    return [reading for reading in readings if not beaten(reading)]


def _before(text: str, words: int) -> str:
    """The text without its last so many words, ready for the next one."""
    end = len(text)
    for _ in range(words):
        while end and not tokens(text[end - 1]):
            end -= 1
        while end and tokens(text[end - 1]):
            end -= 1
    return text[:end] if not text[:end] or text[end - 1].isspace() else f"{text[:end]} "
