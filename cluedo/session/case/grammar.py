"""Reads and writes an entry as a line of words.

    ASKER [asks] SUSPECT WEAPON ROOM, WHO [shows] [CARD]      or … nobody, or first: WHO passes
    ASKER accuses SUSPECT WEAPON ROOM, right                  or … wrong

The three cards come in any order, and names as :mod:`vocabulary` understands them. All parses of a
line are followed word by word. One that takes a word as a worse match than another does, and none as
a better one, is dropped; if two are left that mean different entries, the line is ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from unicodedata import normalize

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.entries import UNNOTED, Entry
from cluedo.engine.events import Accused, HandShown, Peeked, Shown
from cluedo.language import tr, tr_count
from cluedo.session.case.parses import ACCEPTING, ASIDE, Parse, Stage, distinct, undominated
from cluedo.session.case.vocabulary import (
    EXACT,
    Term,
    Unclear,
    Vocabulary,
    Word,
    fold_text,
    nearest,
    tokens,
    without_last,
)
from cluedo.words.narration import first_few, or_join

__all__ = ["Completion", "Grammar"]

_LONGEST = 400  # characters of a line that anybody types
_FEW = 7
"""Words that may all be offered where none is near."""


_WORDS_NEXT: Final[dict[Stage, tuple[tuple[Word, dict[str, Any]], ...]]] = {
    Stage.ASKER: (
        (Word.ASKS, {"stage": Stage.CARDS}),
        (Word.GUESSES, {"stage": Stage.CARDS}),
        (Word.ACCUSES, {"stage": Stage.CARDS, "accuses": True}),
        (Word.LOOKS, {"stage": Stage.LOOKED, "looks": True}),
        (Word.LAYS, {"stage": Stage.LAYING}),
    ),
    Stage.ASKED: ((Word.NOBODY, {"stage": Stage.NOBODY}),),
    Stage.REFUTER: ((Word.SHOWS, {"stage": Stage.SHOWS}), (Word.ME, {"stage": Stage.SHOWS})),
    Stage.SHOWS: ((Word.ME, {"stage": Stage.SHOWS}),),
    Stage.ALSO: ((Word.SHOWS, {"stage": Stage.SHOWS}),),
    Stage.ANSWERED: ((Word.ME, {}),),
    Stage.NOBODY: ((Word.SHOWS, {}),),
    Stage.ACCUSED: (
        (Word.RIGHT, {"stage": Stage.DONE, "correct": True}),
        (Word.WRONG, {"stage": Stage.DONE, "correct": False}),
    ),
    Stage.DONE: ((Word.ME, {}),),
}
"""By what has been read, the words that may come next, by their meaning, and how the parse goes on."""


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
            raise Unclear("nothing was entered")
        reached = self._follow(words)
        parses = undominated([parse for parse in reached[-1] if parse.stage in ACCEPTING])
        entries = list(dict.fromkeys(parse.entry(self.setting) for parse in parses))
        if len(entries) == 1:
            return entries[0]
        raise Unclear(self._doubt(words, parses) if entries else self._fault(words, reached))

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
            answers = tr("; ").join(map(self._write_shown, entry.shows))
            return tr("{by} asks {cards}: {answers}", **told, answers=answers)
        told["refuter"] = names[entry.refuter]
        if entry.card is None:
            return tr("{by} asks {cards}: {refuter} shows", **told)
        return tr("{by} asks {cards}: {refuter} shows {card}", **told, card=deck.names[entry.card])

    def example(self) -> str:
        """A line that could be typed at this table, of short words: how somebody else asks about cards of others."""
        setting, deck, names = self.setting, self.setting.deck, self.setting.names
        others = [seat for seat in range(len(names)) if seat != setting.me]
        by, refuter = others[0] if len(others) > 1 else 1 - others[0], others[-1]
        called = set(map(fold_text, names))

        def clear_and_short(card: int) -> tuple[bool, bool, int]:
            name = deck.names[card]
            return bool(setting.hand >> card & 1), fold_text(name) in called, len(name)

        suspect, weapon, room = (min(ids, key=clear_and_short) for ids in deck.ids)
        cards = suspect, weapon, room
        entry = setting.hypothesis(by, cards, {refuter: None})
        three = " ".join(deck.names[card] for card in cards)
        line = f"{names[by]} {three}, {names[refuter]} {tr('shows')}".lower()
        try:
            return line if self.parse(line) == entry else self.write(entry)
        except Unclear:
            return self.write(entry)

    def _write_shown(self, shown: Shown) -> str:
        refuter, names = self.setting.names[shown.seat], self.setting.deck.names
        if shown.card is None:
            return tr("{refuter} shows", refuter=refuter)
        return tr("{refuter} shows {card}", refuter=refuter, card=names[shown.card])

    def _write_aside(self, head: Peeked | HandShown) -> str:
        by, names = self.setting.names[head.seat], self.setting.deck.names
        match head:
            case HandShown(_, cards):
                return tr("{by} lays open {cards}", by=by, cards=self.setting.deck.listed(cards))
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
        """Completions of the line: of the last words, or of what may come next."""
        text = normalize("NFC", text[:_LONGEST])
        words = tokens(text)
        begun = bool(words) and not text[-1:].isspace() and text[-1:] not in ",;:."
        reached = self._follow(words)
        found: dict[str, tuple[int, int, int, str]] = {}  # how well matched, by how many words, in which order
        for at in range(max(0, len(words) - 4), len(words)) if begun else [len(words)]:
            part = words[at:]
            plain = [fold_text(word) for word in part]
            for parse in undominated(reached[at]):
                for order, (term, _) in enumerate(self._options(parse)):
                    rank = term.match(part, plain) if begun else EXACT
                    if rank is not None and self._offered(term):
                        line = f"{_before(text, len(part) if begun else 0)}{term.text} "
                        best = (rank, -len(part), order, line)
                        found[term.text] = min(found.get(term.text, best), best)
        return [Completion(word, line) for word, (*_, line) in sorted(found.items(), key=lambda item: item[1])]

    # ---- parses --------------------------------------------------------------------------------

    def _follow(self, words: Sequence[str]) -> list[list[Parse]]:
        """By number of words, all parses of that many first words."""
        plain = [fold_text(word) for word in words]
        reached: list[list[Parse]] = [[] for _ in range(len(words) + 1)]
        reached[0].append(Parse())
        for at in range(len(words)):
            reached[at] = distinct(reached[at])
            for parse in reached[at]:
                for term, changes in self._options(parse):
                    for end in range(at + 1, min(at + len(term.plain), len(words)) + 1):
                        rank = term.match(words[at:end], plain[at:end])
                        if rank is not None:
                            ranks = parse.ranks + (rank,) * (end - at)
                            spans = (*parse.spans, (at, end, term.text))
                            reached[end].append(replace(parse, ranks=ranks, spans=spans, **changes))
        reached[-1] = distinct(reached[-1])
        return reached

    def _options(self, parse: Parse) -> Iterator[tuple[Term, dict[str, Any]]]:
        """What may come next, each with how the parse goes on."""
        known, stage = self._known, parse.stage
        if stage in ASIDE:
            yield from self._aside(parse)
            return
        match stage:
            case Stage.START:
                yield from ((name, {"stage": Stage.ASKER, "by": name.value}) for name in known.players)
            case Stage.ASKER | Stage.CARDS:
                yield from self._cards(parse)
            case Stage.ASKED:
                yield from self._answerers(parse)
            case Stage.REFUTER | Stage.SHOWS:
                yield from self._card_shown(parse)
        for meaning, changes in _WORDS_NEXT.get(stage, ()):
            yield from ((word, changes) for word in known.words[meaning])
        if stage in (Stage.REFUTER, Stage.SHOWS, Stage.ALSO):
            yield from self._passes(parse)
        if stage is Stage.ASKED and parse.passed >= 0:
            yield from ((word, {}) for word in known.words[Word.SHOWS])  # "cannot show"
        if stage in (Stage.REFUTER, Stage.SHOWS, Stage.ANSWERED):
            yield from self._others(parse)
        if stage not in (Stage.START, Stage.ASKER):
            yield from ((word, {}) for word in known.words[Word.FILLER])

    def _answerers(self, parse: Parse) -> Iterator[tuple[Term, dict[str, Any]]]:
        """Who answers; where only the first one shows, that is somebody who is asked after those that passed."""
        after = 0 if self.setting.everybody or parse.passed < 0 else self._turn(parse, parse.passed)
        for name in self._known.players:
            if self._turn(parse, name.value) > after:
                yield name, {"stage": Stage.REFUTER, "shows": ((name.value, None),)}

    def _passes(self, parse: Parse) -> Iterator[tuple[Term, dict[str, Any]]]:
        """The player named last passes."""
        *shows, (seat, _) = parse.shows
        stage = Stage.ANSWERED if shows else Stage.ASKED
        if not self.setting.everybody and self._turn(parse, seat) == len(self.setting.names) - 1:
            stage = Stage.NOBODY
        changes = {"stage": stage, "shows": tuple(shows), "passed": seat}
        yield from ((word, changes) for word in self._known.words[Word.PASSES])

    def _turn(self, parse: Parse, seat: Any) -> int:
        """When a seat is asked, from 1; 0 for the asker."""
        return int(seat - parse.by) % len(self.setting.names)

    def _card_shown(self, parse: Parse) -> Iterator[tuple[Term, dict[str, Any]]]:
        """Which of the three cards was shown by the player named last."""
        *before, (seat, _) = parse.shows
        stage = Stage.ANSWERED if self.setting.everybody else Stage.DONE
        for card in parse.cards:
            changes = {"stage": stage, "shows": (*before, (seat, card))}
            yield from ((name, changes) for name in self._known.names_of(card))

    def _others(self, parse: Parse) -> Iterator[tuple[Term, dict[str, Any]]]:
        """Further players who show a card, if everybody answers; with a verb, since players can be named like cards."""
        if not self.setting.everybody:
            return
        answered = {parse.by, *(seat for seat, _ in parse.shows)}
        for name in self._known.players:
            if name.value not in answered:
                yield name, {"stage": Stage.ALSO, "shows": (*parse.shows, (name.value, None))}

    def _aside(self, parse: Parse) -> Iterator[tuple[Term, dict[str, Any]]]:
        """The options in an entry about a look into the pool, or a hand laid open."""
        known, cards = self._known, range(self.setting.deck.size)
        if parse.stage is Stage.LAYING:
            last = len(parse.hand) == self.setting.sizes[parse.by] - 1
            for card in cards:
                if card not in parse.hand:
                    changes: dict[str, Any] = {"hand": (*parse.hand, card)}
                    changes |= {"stage": Stage.DONE} if last else {}
                    yield from ((name, changes) for name in known.names_of(card))
        else:
            if parse.stage is Stage.LOOKED:
                for position in range(self.setting.pool_size):
                    number = Term.of(str(position + 1), position)
                    yield number, {"stage": Stage.LOOKED_AT, "position": position}
            for card in cards:
                yield from ((name, {"stage": Stage.DONE, "seen": card}) for name in known.names_of(card))
        yield from ((word, {}) for word in known.asides)

    def _cards(self, parse: Parse) -> Iterator[tuple[Term, dict[str, Any]]]:
        """The cards of the categories that have none yet."""
        deck = self.setting.deck
        taken = {deck.category(card) for card in parse.cards}
        last = len(parse.cards) == len(deck.ids) - 1
        full = Stage.ACCUSED if parse.accuses else Stage.ASKED
        for card in range(deck.size):
            if deck.category(card) not in taken:
                changes = {"stage": full if last else Stage.CARDS, "cards": (*parse.cards, card)}
                yield from ((name, changes) for name in self._known.names_of(card))

    def _offered(self, term: Term) -> bool:
        """Whether a completion offers it: names, and one word of each meaning, in the language spoken."""
        if term.alias:
            return False
        if not isinstance(term.value, Word):
            return term not in self._known.players[len(self.setting.names) :]
        offered = {tr("asks"), tr("accuses"), tr("shows"), tr("nobody"), tr("right"), tr("wrong")}
        offered |= {tr("looks"), tr("lays"), tr("passes")}
        return term.text in offered

    # ---- what is wrong -------------------------------------------------------------------------

    def _doubt(self, words: Sequence[str], parses: Sequence[Parse]) -> str:
        """Why a line is ambiguous: the first word that is read in two ways, or whole parses."""
        for place in zip(*(parse.spans for parse in parses), strict=False):
            if len({(start, end) for start, end, _ in place}) > 1:
                break
            names = list(dict.fromkeys(name for _, _, name in place))
            if len(names) > 1:
                start, end, _ = place[0]
                word, these = " ".join(words[start:end]), or_join(names)
                return tr("'{word}' could be {these}", word=word, these=these)
        lines = list(dict.fromkeys(self.write(parse.entry(self.setting)) for parse in parses))
        return tr("this could mean: {these}", these=tr("; ").join(first_few(lines, 3)))

    def _fault(self, words: Sequence[str], reached: Sequence[Sequence[Parse]]) -> str:
        """Why a line is no entry: what is missing, or the first word that nothing can be made of."""
        furthest = max(at for at, parses in enumerate(reached) if parses)
        stages = {parse.stage for parse in reached[furthest]}
        parse = max(undominated(reached[furthest]), key=lambda parse: parse.stage)
        wanted = self._wanted(parse)
        if furthest == len(words):
            return tr("the entry is not complete: {wanted}", wanted=wanted)
        word = words[furthest]
        known = [name.text for at in reached[furthest] for name, _ in self._options(at) if self._offered(name)]
        if again := self._against_rules(parse, word):
            return again
        if stages <= {Stage.DONE, Stage.NOBODY}:
            return tr("the entry is complete before '{word}'", word=word[:40])
        near = nearest(word, dict.fromkeys(known))
        if not near and len(known) <= _FEW:
            near = list(dict.fromkeys(known))
        told = {"word": word[:40], "wanted": wanted}
        if not near:
            return tr("'{word}' is not understood: {wanted}", **told)
        return tr("'{word}' is not understood: {wanted}; did you mean {names}?", **told, names=or_join(near))

    def _against_rules(self, parse: Parse, word: str) -> str:
        """The fault if a word is understood, but is one too many; else "".

        It may be a second card of a category, the asker as who answers, or a player who is asked before the last one.
        """
        deck, plain = self.setting.deck, fold_text(word)
        if parse.stage is Stage.ASKED and self._known.players[parse.by].match([word], [plain]) is not None:
            asker = self.setting.names[parse.by]
            return tr("{name} asked, so somebody else shows a card, or nobody", name=asker)
        if parse.stage in (Stage.ASKED, Stage.NOBODY) and parse.passed >= 0:
            for name in self._known.players[: len(self.setting.names)]:
                if name.match([word], [plain]) is not None:
                    told = {"name": name.text, "last": self.setting.names[parse.passed]}
                    return tr("{name} is asked before {last}; those who cannot answer are named in that order", **told)
        if parse.stage is not Stage.CARDS:
            return ""
        for first in parse.cards:
            for card in deck.ids[deck.category(first)]:
                if self._known.deck[card].match([word], [plain]) is not None:
                    names = {"second": deck.names[card], "first": deck.names[first]}
                    return tr("{second} does not go with {first}: one suspect, one weapon and one room", **names)
        return ""

    def _wanted(self, parse: Parse) -> str:
        """What has to come next."""
        match parse.stage:
            case Stage.START:
                return tr("first comes the player who asks or accuses")
            case Stage.ASKER | Stage.CARDS:
                deck = self.setting.deck
                kinds = (tr("a suspect"), tr("a weapon"), tr("a room"))
                taken = {deck.category(card) for card in parse.cards}
                left = [kind for category, kind in enumerate(kinds) if category not in taken]
                return tr("still to be named: {these}", these=", ".join(left))
            case Stage.ASKED:
                return tr("say who showed a card, or nobody")
            case Stage.ACCUSED:
                return tr("say whether that was right or wrong")
            case Stage.ALSO:
                return tr("say that they showed a card")
            case Stage.ANSWERED:
                return tr("say who else showed a card, or nothing more")
            case Stage.LOOKED | Stage.LOOKED_AT:
                return tr("say which card of the pool it was, or nothing more")
            case Stage.LAYING:
                return tr_count(
                    "one card of the hand is still to be named",
                    "{count} cards of the hand are still to be named",
                    self.setting.sizes[parse.by] - len(parse.hand),
                )
            case Stage.REFUTER | Stage.SHOWS:
                return tr("say which of the three cards was shown, or nothing more")
        return tr("nothing more is needed")


def _before(text: str, words: int) -> str:
    """The text without its last words, ready for the next one."""
    kept = without_last(text, words) if words else text
    return kept if not kept or kept[-1].isspace() else f"{kept} "
