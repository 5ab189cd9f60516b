"""Takes what is typed, an entry or a command, and answers in sentences; faces print or draw them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

from cluedo.cli.assist.exports import export
from cluedo.cli.assist.grammar import Completion
from cluedo.cli.assist.insight import Insight
from cluedo.cli.assist.session import Session
from cluedo.cli.assist.setup import read_hand
from cluedo.cli.assist.telling import advice_line, clash_lines, news_lines, odds_lines, question_lines
from cluedo.cli.assist.vocabulary import named
from cluedo.engine.errors import CluedoError
from cluedo.language import current, tr
from cluedo.session.choices import Unclear, folded

__all__ = ["Clerk", "Kind", "Reply", "as_sentence", "help_lines", "tell"]

_WORDS: Final = {
    "help": "help, ?, h, aide",
    "undo": "undo, annuler",
    "redo": "redo, refaire",
    "edit": "edit, modifier",
    "insert": "insert, insérer",
    "drop": "drop, supprimer",
    "mend": "mend, réparer",
    "hand": "hand, main",
    "whatif": "whatif, si",
    "why": "why, pourquoi",
    "sheet": "sheet, feuille",
    "odds": "odds, cotes",
    "ask": "ask, questions",
    "log": "log, journal",
    "at": "at, lieu",
    "save": "save, enregistrer",
    "quit": "quit, exit, q, quitter",
}
"""By command, the words for it: the English one first, the French one last."""


class Kind(Enum):
    """What an answer is about."""

    CHANGED = auto()
    TOLD = auto()
    HELP = auto()
    TRIAL = auto()
    SHEET = auto()
    QUIT = auto()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: what it is about, a title (or nothing), and sentences, a line each."""

    kind: Kind
    title: str = ""
    lines: tuple[str, ...] = ()


class Clerk:
    """Answers lines.

    Args:
        session: the case.
        files: whether files may be written where a line says so.
    """

    def __init__(self, session: Session, *, files: bool = True):
        self.session = session
        self._files = files
        self._words = {folded(word): name for name, words in _WORDS.items() for word in words.split(", ")}
        self._commands: dict[str, Callable[[str], Reply]] = {
            "help": lambda _: Reply(Kind.HELP, lines=tuple(help_lines())),
            "undo": self._undo,
            "redo": self._redo,
            "edit": self._edit,
            "insert": self._insert,
            "drop": self._drop,
            "mend": self._mend,
            "hand": self._hand,
            "whatif": self._what_if,
            "why": self._why,
            "sheet": self._sheet,
            "odds": self._odds,
            "ask": self._ask,
            "log": lambda _: self.log(),
            "at": self._at,
            "save": self._save,
            "quit": lambda _: Reply(Kind.QUIT),
        }

    def answer(self, line: str) -> Reply:
        """Take an entry or a command; raises CluedoError or Unclear for what is neither."""
        word, _, rest = line.strip().partition(" ")
        command = self._commands.get(self._words.get(folded(word), ""))
        try:
            entry = self.session.grammar.parse(line)
        except Unclear:
            if command is None:
                raise
            return command(rest.strip())
        self.session.enter(entry)
        return self._changed(len(self.session.entries))

    def word(self, command: str) -> str:
        """The word for a command in the language spoken."""
        return _WORDS[command].split(", ")[0 if current() == "en" else -1]

    def complete(self, line: str) -> list[Completion]:
        """How a line may go on: an entry, a command, or an entry within a command."""
        word, space, rest = line.partition(" ")
        command = self._words.get(folded(word), "") if space else ""
        if command in ("edit", "insert"):
            number, space, rest = rest.partition(" ")
            return _within(f"{word} {number} ", self.session.grammar.complete(rest)) if space else []
        if command == "whatif":
            return _within(f"{word} ", self.session.grammar.complete(rest))
        if command == "why":
            return self._complete_why(word, rest)
        if command == "at":
            return _beginning(f"{word} ", rest, self._rooms())
        if command:
            return []
        found = self.session.grammar.complete(line)
        if not line:
            count = 0 if self.session.clash is None else len(self.session.clash.mends)
            return [Completion(mend, mend) for mend in (f"{self.word('mend')} {k + 1}" for k in range(count))] + found
        return found + ([] if space else _beginning("", line, [self.word(command) for command in _WORDS]))

    def _complete_why(self, word: str, rest: str) -> list[Completion]:
        """First a card, then a place."""
        setting = self.session.setting
        card, equals, place = rest.partition("=")
        if not equals:
            return [
                Completion(found.word, f"{found.line.rstrip()}=")
                for found in _beginning(f"{word} ", rest, setting.deck.names)
            ]
        return _beginning(f"{word} {card}=", place, (tr("envelope"), *setting.names))

    def _rooms(self) -> Sequence[str]:
        rooms = self.session.setting.deck.rooms
        return self.session.setting.deck.names[rooms.start : rooms.stop]

    def log(self) -> Reply:
        """All entries by number."""
        written = [self.session.grammar.write(entry) for entry in self.session.entries]
        lines = [f"{number:>3} {line}" for number, line in enumerate(written, 1)]
        return Reply(Kind.TOLD, lines=tuple(lines or [tr("Nothing is noted yet.")]))

    # ---- changes -------------------------------------------------------------------------------

    def _changed(self, number: int = 0) -> Reply:
        """What a change has brought; ``number`` is the entry that it made or replaced."""
        title = ""
        if number:
            title = f"{number} {self.session.grammar.write(self.session.entries[number - 1])}"
        return Reply(Kind.CHANGED, title, tuple(tell(self.session)))

    def _undo(self, _rest: str) -> Reply:
        if not self.session.undo():
            raise CluedoError(tr("there is nothing to take back"))
        return Reply(Kind.CHANGED, lines=(*self.log().lines, *tell(self.session)))

    def _redo(self, _rest: str) -> Reply:
        if not self.session.redo():
            raise CluedoError(tr("there is nothing to make again"))
        return Reply(Kind.CHANGED, lines=(*self.log().lines, *tell(self.session)))

    def _edit(self, rest: str) -> Reply:
        number, text = _split_number(rest)
        self.session.edit(number, self.session.grammar.parse(text))
        return self._changed(number)

    def _insert(self, rest: str) -> Reply:
        number, text = _split_number(rest)
        self.session.insert(number, self.session.grammar.parse(text))
        return self._changed(number)

    def _drop(self, rest: str) -> Reply:
        number, _ = _split_number(rest)
        self.session.drop(number)
        return self._changed()

    def _mend(self, rest: str) -> Reply:
        choice, _ = _split_number(rest)
        self.session.mend(choice)
        return self._changed()

    def _hand(self, rest: str) -> Reply:
        self.session.correct_hand(read_hand(rest, self.session.setting.board))
        return self._changed()

    def _what_if(self, rest: str) -> Reply:
        trial = self.session.what_if(self.session.grammar.parse(rest))
        title = tr("If {entry}:", entry=trial.grammar.write(trial.entries[-1]))
        return Reply(Kind.TRIAL, title, (*tell(trial), tr("(Nothing of that is kept.)")))

    def _at(self, rest: str) -> Reply:
        self.session.place(_room_of(self.session, rest))
        return self._changed()

    def _save(self, rest: str) -> Reply:
        if not self._files:
            raise CluedoError(tr("no files can be written from here"))
        if not rest:
            raise CluedoError(tr("name a file that ends in .json, .png, .html or .csv"))
        written = ", ".join(map(str, export(self.session, Path(rest))))
        return Reply(Kind.TOLD, lines=(tr("Written: {file}.", file=written),))

    # ---- what is asked -------------------------------------------------------------------------

    def _why(self, rest: str) -> Reply:
        self._agreed()
        return self.why(*_pair_of(self.session, rest))

    def why(self, card: int, place: int) -> Reply:
        """Why a card is or is not at a place; raises CluedoError where the entries contradict each other."""
        try:
            lines = self._agreed().why(card, place).lines
        except MemoryError:
            raise CluedoError("the open refutations are too many to count exactly") from None
        return Reply(Kind.TOLD, lines=tuple(tr(line) for line in lines))

    def _sheet(self, _rest: str) -> Reply:
        self._agreed()
        return Reply(Kind.SHEET)

    def _odds(self, _rest: str) -> Reply:
        insight = self._agreed()
        return Reply(Kind.TOLD, lines=(*odds_lines(insight, most=10), advice_line(insight)))

    def _ask(self, _rest: str) -> Reply:
        lines = question_lines(self._agreed(), most=len(self.session.setting.deck.rooms))
        return Reply(Kind.TOLD, lines=tuple(lines or [tr("There is nothing to ask.")]))

    def _agreed(self) -> Insight:
        """What follows; raises CluedoError where the entries contradict each other."""
        if self.session.insight is None:
            raise CluedoError(tr("the entries contradict each other; mend that first"))
        return self.session.insight


def tell(session: Session) -> list[str]:
    """What is new, the odds, what to ask and whether to accuse; or what clashes."""
    insight = session.insight
    if insight is None:
        return clash_lines(session)
    advice = insight.advice
    urgent = advice is not None and advice.accuse
    told = [*odds_lines(insight), *question_lines(insight)]
    told.insert(0 if urgent else len(told), advice_line(insight))
    return [line for line in (*news_lines(session), *told) if line]


def _within(before: str, found: Sequence[Completion]) -> list[Completion]:
    """Completions of the end of a line."""
    return [Completion(one.word, f"{before}{one.line}") for one in found]


def _beginning(before: str, text: str, names: Sequence[str]) -> list[Completion]:
    """The names that a text begins."""
    begun = folded(text)
    return [Completion(name, f"{before}{name} ") for name in names if folded(name).startswith(begun)]


def help_lines() -> list[str]:
    """What can be typed."""
    return [
        tr("An entry takes as few letters as tell its names apart, and the three cards in any order:"),
        tr("  mu asks plum rope hall, white shows     somebody asked, and White showed a card"),
        tr("  mu plum rope hall white                 the same"),
        tr("  me plum rope hall, white shows rope     I asked, and saw the card"),
        tr("  mu plum rope hall nobody                nobody could show one"),
        tr("  mu accuses plum rope hall wrong         or right"),
        tr("A player is a name, its beginning, a number in turn order, or me."),
        tr("Commands:"),
        tr("  undo, redo        take a change back, or make it again"),
        tr("  log               the entries and their numbers"),
        tr("  edit N ENTRY      put another entry in place of number N"),
        tr("  insert N ENTRY    put an entry before number N"),
        tr("  drop N            take out number N"),
        tr("  mend N            one of the changes offered for a contradiction"),
        tr("  hand CARDS        which cards I really hold, all of them"),
        tr("  whatif ENTRY      what would follow; nothing is kept"),
        tr("  why CARD=PLACE    why it is there or not; a place is a player or envelope"),
        tr("  sheet, odds, ask  the whole sheet; the envelopes; the best question of each room"),
        tr("  at ROOM           where my pawn stands"),
        tr("  save FILE         write a file that ends in .json, .png, .html or .csv"),
        tr("  quit              leave; the case is kept"),
    ]


def as_sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?', ':')) else '.'}"


def _split_number(text: str) -> tuple[int, str]:
    """The number that a text begins with, and the rest; raises CluedoError."""
    word, _, rest = text.partition(" ")
    if not word.isdecimal() or len(word) > 6:
        raise CluedoError(tr("the number of an entry is needed, not '{word}'", word=word[:20]))
    return int(word), rest.strip()


def _pair_of(session: Session, text: str) -> tuple[int, int]:
    """The card and the place of ``CARD=PLACE``; raises Unclear or CluedoError."""
    setting = session.setting
    card, equals, place = text.partition("=")
    if not equals:
        raise CluedoError(tr("a card and a place are needed, as in: why {card}=envelope", card=setting.deck.names[0]))
    names = setting.deck.names
    try:
        return named(card, names), named(place, [*setting.names, tr("envelope")])
    except Unclear:
        if folded(place) != "envelope":  # understood in every language
            raise
        return named(card, names), len(setting.names)


def _room_of(session: Session, text: str) -> int:
    """The place on the board that is meant by a room's name; raises Unclear or CluedoError."""
    setting = session.setting
    if not setting.walks or setting.me is None:
        raise CluedoError(tr("where your pawn stands matters only to a player on a board"))
    rooms = setting.deck.rooms
    return setting.board.room_place(rooms.start + named(text, setting.deck.names[rooms.start : rooms.stop]))
