"""The words of an entry: names as they may be typed, and the words between them, in every language.

Words are compared without capitals, accents and signs. A name answers to itself, to its beginning,
and to the beginnings of some of its words in order: ``lead p`` and ``pi`` are the Lead Pipe.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.language import in_every_language, tr
from cluedo.words.narration import or_join

if TYPE_CHECKING:
    from cluedo.ai.knowledge.caselog import Setting

__all__ = [
    "EXACT",
    "Term",
    "Unclear",
    "Vocabulary",
    "Word",
    "fold_text",
    "index_of",
    "meant_by",
    "nearest",
    "tokens",
    "without_last",
    "words_of",
]

EXACT, FOLDED, BEGINNING, LETTERS, ALIAS = range(5)
"""How a name was typed, best first: to the letter; but for capitals and accents; its beginning; words of it; part of an
alias."""


class Unclear(CluedoError):
    """An answer matches no choice, or several; the text says which."""


def fold_text(text: str) -> str:
    """Normalise text for comparisons: no accents, no capitals, single spaces, plain apostrophes."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'"))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(letters.casefold().split())


class Word(Enum):
    """What a word between the names can mean."""

    ASKS = auto()
    GUESSES = auto()
    ACCUSES = auto()
    SHOWS = auto()
    NOBODY = auto()
    PASSES = auto()
    RIGHT = auto()
    WRONG = auto()
    LOOKS = auto()
    LAYS = auto()
    ME = auto()
    FILLER = auto()


_WORDS = {
    Word.ASKS: Phrase("asks, ask, asked, suggests"),
    Word.GUESSES: Phrase("guesses, guess, guessed, suggested"),
    Word.ACCUSES: Phrase("accuses, accuse, accused"),
    Word.SHOWS: Phrase("shows, show, showed, refutes"),
    Word.NOBODY: Phrase("nobody, no one, none"),
    Word.PASSES: Phrase(
        "passes, pass, passed, no, n, not, none, nothing, cannot, can't, couldn't, doesn't, didn't, hasn't, won't"
    ),
    Word.RIGHT: Phrase("right, correct, true, yes"),
    Word.WRONG: Phrase("wrong, incorrect, false, no, not right, not correct, not true"),
    Word.LOOKS: Phrase("looks, look, looked, peeks, peek, peeked"),
    Word.LAYS: Phrase("lays, lay, laid, reveals, revealed"),
    Word.ME: Phrase("me, I"),
    Word.FILLER: Phrase(
        "a, about, an, and, answer, card, could, did, does, has, have, he, her, him, in, is, it, of, or, she, that, "
        "the, them, to, was, with"
    ),
}
"""By meaning, every word for it in English; the words of all languages are understood, whichever is spoken."""

_WHOLE = frozenset((Word.FILLER, Word.PASSES, Word.GUESSES))
"""Words that are typed whole in any language: no beginning of a name is one of these, nor "can" that of "cannot"."""
_WORD = re.compile(r"(?:\bn['’](?=\w))?([^\W_]+?(?:(?<=n)['’]t)?)(?:['’]s)?(?![^\W_])", re.IGNORECASE)
"""*Can't* is one word, *he's* and *n'a* are *he* and *a*."""
_ASIDES = Phrase("at, card, cards, hand, her, his, into, of, open, pool, the, their")
"""Words without a meaning in entries about the pool and hands laid open."""


def words_of(words: Phrase) -> list[str]:
    """The words of a list, separated by commas, in every language."""
    return list(dict.fromkeys(word for told in in_every_language(words) for word in told.split(", ")))


def tokens(text: str) -> list[str]:
    """The words of a text, without the signs between them."""
    found = _WORD.findall(unicodedata.normalize("NFC", text))
    return [re.sub("['’]", "", word) for word in found]


def without_last(text: str, words: int) -> str:
    """A text without its last words, one at least."""
    return text[: [found.start() for found in _WORD.finditer(text)][-words]]


@dataclass(frozen=True, slots=True)
class Term:
    """Something that can be typed: a name, or a word between names.

    Attributes:
        text: how it is written.
        value: what it stands for: a seat, a card, or a :class:`Word`.
        words: its words; ``plain``: the same as they are compared.
        least: the best that it can be matched as.
        alias: whether ``words`` are another name of what is written ``text``: whole it counts as a name, in part
            for less than any name.
        whole: whether it has to be typed whole.
    """

    text: str
    value: int | Word
    words: tuple[str, ...]
    plain: tuple[str, ...]
    least: int = EXACT
    alias: bool = False
    whole: bool = False

    @classmethod
    def of(cls, text: str, value: int | Word, least: int = EXACT, *, whole: bool = False) -> Term:
        words = tokens(text)
        return cls(text, value, tuple(words), tuple(map(fold_text, words)), least, whole=whole)

    def with_name(self, alias: str) -> Term:
        """The same term under another name."""
        return replace(Term.of(alias, self.value, FOLDED), text=self.text, alias=True)

    def match(self, words: Sequence[str], plain: Sequence[str]) -> int | None:
        """How well these words (and the same, folded) are this phrase; None if not at all."""
        if len(plain) > len(self.plain) or not plain:
            return None
        if tuple(words) == self.words:
            return self.least
        if tuple(plain) == self.plain:
            return max(FOLDED, self.least)
        if self.alias:
            return ALIAS if tuple(plain) == self.plain[: len(plain)] else None
        if self.whole:
            return None
        if tuple(plain[:-1]) == self.plain[: len(plain) - 1] and self.plain[len(plain) - 1].startswith(plain[-1]):
            return BEGINNING
        rest = iter(self.plain)
        if all(any(word.startswith(begun) for word in rest) for begun in plain):
            return LETTERS
        return None


def meant_by(text: str, names: Sequence[str], aliases: Sequence[Sequence[str]] = ()) -> list[int]:
    """The indexes of the names that a text means, by name or by one of their ``aliases``; one where it is clear."""
    if text in names:  # whatever signs it is made of
        return [names.index(text)]
    words = tokens(text)
    plain = [fold_text(word) for word in words]
    ranks = []
    for index, name in enumerate(names):
        term = Term.of(name, index)
        terms = [term, *map(term.with_name, aliases[index] if aliases else ())]
        ranks.append(min((rank for one in terms if (rank := one.match(words, plain)) is not None), default=None))
    best = min((rank for rank in ranks if rank is not None), default=None)
    return [index for index, rank in enumerate(ranks) if rank is not None and rank == best]


def index_of(text: str, names: Sequence[str], aliases: Sequence[Sequence[str]] = ()) -> int:
    """The index of the name that a text means, as for :func:`meant_by`; raises :class:`Unclear`."""
    meant = meant_by(text, names, aliases)
    if len(meant) == 1:
        return meant[0]
    if meant:
        these = or_join(names[index] for index in meant)
        raise Unclear("{text!r} could be {names}", text=text.strip()[:40], names=these)
    told = text.strip()[:40]
    if near := nearest(text, names):
        raise Unclear("{text!r} is not one of them; did you mean {names}?", text=told, names=or_join(near))
    raise Unclear("{text!r} is not one of them; known: {names}", text=told, names=", ".join(names))


def nearest(text: str, names: Iterable[str]) -> list[str]:
    """The few names that are most like a text; none if none is near."""
    by_folded = {fold_text(name): name for name in names}
    return [by_folded[near] for near in difflib.get_close_matches(fold_text(text), by_folded, n=3, cutoff=0.5)]


def _terms_of(meaning: Word, known: Phrase) -> Iterator[Term]:
    """The words of a meaning, those of languages that are not spoken typed whole: *a* is Ann, and not *aucun*."""
    # A filler is never surer than a name begun: "shows le" may mean Leblanc.
    least = BEGINNING if meaning is Word.FILLER else EXACT
    spoken = tr(known).split(", ")
    for text in words_of(known):
        yield Term.of(text, meaning, least, whole=meaning in _WHOLE or text not in spoken)


class Vocabulary:
    """Everything that can be typed at a table.

    Attributes:
        players: the players' names by seat, then their numbers (from 1) and words for me, each for a seat.
        deck: by card, its name; ``aliases``: by card, its other names.
        words: by meaning, the words between names; none for what the rules of the table do not know.
        asides: words without a meaning in entries about the pool and hands laid open.

    Raises:
        CluedoError: two names cannot be told apart when typed, or a player is called like a word of an entry.
    """

    def __init__(self, setting: Setting):
        seats = range(len(setting.names))
        self.words = {meaning: tuple(_terms_of(meaning, known)) for meaning, known in _WORDS.items()}
        if not setting.peeks:
            self.words[Word.LOOKS] = ()
        if not setting.rules.wrong_shows_hand:
            self.words[Word.LAYS] = ()
        self.asides = tuple(Term.of(text, Word.FILLER, BEGINNING, whole=True) for text in words_of(_ASIDES))
        names = [Term.of(setting.names[seat], seat) for seat in seats]
        self.deck = tuple(Term.of(name, card) for card, name in enumerate(setting.deck.names))
        self.aliases = tuple(
            tuple(map(term.with_name, known)) for term, known in zip(self.deck, setting.board.map.aliases, strict=True)
        )
        _check_apart(names, Phrase("players"))
        _check_apart(self.deck, Phrase("cards"))
        for name in names:
            self._check_no_word(name, setting.me)
        numbers = [Term.of(str(seat + 1), seat, BEGINNING) for seat in seats]
        mine = [] if setting.me is None else [replace(me, value=setting.me) for me in self.words[Word.ME]]
        self.players = (*names, *numbers, *mine)

    def names_of(self, card: int) -> tuple[Term, ...]:
        """A card's name and its other names."""
        return self.deck[card], *self.aliases[card]

    def _check_no_word(self, name: Term, me: int | None) -> None:
        for meaning, known in self.words.items():
            mine = meaning is Word.ME and name.value == me
            if meaning not in _WHOLE and not mine and any(name.plain == word.plain for word in known):
                raise CluedoError(
                    "a player cannot be called {what!r} here: that word has a meaning in entries", what=name.text
                )


def _check_apart(names: Sequence[Term], kind: Phrase) -> None:
    """Raise an error unless each name can be typed so that no other is meant."""
    seen: dict[tuple[str, ...], str] = {}
    for name in names:
        if not name.words:
            raise CluedoError("{what!r} has neither a letter nor a digit, so it cannot be typed", what=name.text)
        if name.words in seen:
            raise CluedoError(
                "the {kind} {seen!r} and {what!r} cannot be told apart when typed",
                kind=kind,
                seen=seen[name.words],
                what=name.text,
            )
        seen[name.words] = name.text
