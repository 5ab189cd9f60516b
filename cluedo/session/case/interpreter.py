"""Answers a line typed into the assistant: an entry or a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Final, NamedTuple

from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.session.advice import case_sections, odds_section, question_section, verdict_section
from cluedo.session.case.case import Case
from cluedo.session.case.exports import export
from cluedo.session.case.findings import doubt_lines
from cluedo.session.case.grammar import Completion
from cluedo.session.case.setup import read_hand, read_pair
from cluedo.session.case.vocabulary import Unclear, fold_text, index_of, words_of
from cluedo.session.figures import envelope_first, titles
from cluedo.session.sections import Section, plain

__all__ = ["Interpreter", "Reply", "ReplyKind", "help_lines"]


class ReplyKind(Enum):
    """What an answer is about."""

    CHANGED = auto()
    """The case has changed, and this follows from it now."""
    DOUBTED = auto()
    """An entry is unlikely to have happened so, and is not noted yet."""
    TOLD = auto()
    """What was asked for, also what would follow from an entry that is not noted."""
    HELP = auto()
    """What can be typed."""
    SHEET = auto()
    """The whole sheet is to be shown."""
    FIGURES = auto()
    """Figures for experts are to be shown from now on, or no more."""
    QUIT = auto()
    """The user wants to leave."""


class Reply(NamedTuple):
    """An answer: what it is about, a title (or nothing), and sections."""

    kind: ReplyKind
    title: str = ""
    sections: tuple[Section, ...] = ()


class Interpreter:
    """Answers lines.

    An entry that is unlikely to have happened so is not noted at once: the answer says what is doubtful about it,
    and the same line again, or ``keep``, notes it.

    Args:
        case: the case.
        files: whether files may be written where a line says so.
    """

    def __init__(self, case: Case, *, files: bool = True):
        self.case = case
        self._files = files
        self._doubted: Entry | None = None
        self._named = {fold_text(word): name for name, one in _COMMANDS.items() for word in words_of(one.words)}

    def answer(self, line: str) -> Reply:
        """Take an entry or a command; raises CluedoError for what is neither."""
        word, _, rest = line.strip().partition(" ")
        command = self._named.get(fold_text(word))
        doubted, self._doubted = self._doubted, None
        try:
            entry = self.case.grammar.parse(line)
        except Unclear:
            if command is None:
                raise
            _, do, alone = _COMMANDS[command]
            if rest and alone:
                raise CluedoError("'{word}' takes nothing after it", word=word) from None
            self._doubted = doubted if command == "keep" else None
            return do(self) if alone else do(self, rest.strip())
        if entry != doubted and (doubts := tuple(doubt_lines(self.case, entry))):
            self.case.check(entry)
            self._doubted = entry
            advice = tr("Enter it again, or type keep, to keep it anyway.")
            return Reply(ReplyKind.DOUBTED, self.case.grammar.write(entry), (plain(*doubts), plain(advice)))
        return self._entered(entry)

    def _entered(self, entry: Entry) -> Reply:
        self.case.enter(entry)
        return self._changed(len(self.case.entries))

    def _keep(self) -> Reply:
        entry, self._doubted = self._doubted, None
        if entry is None:
            raise CluedoError("there is no doubtful entry to keep")
        return self._entered(entry)

    def word(self, command: str) -> str:
        """The word for a command in the language spoken."""
        return tr(_COMMANDS[command].words).partition(", ")[0]

    def complete(self, line: str) -> list[Completion]:
        """How a line may go on: an entry, a command, or an entry within a command."""
        word, space, rest = line.partition(" ")
        command = self._named.get(fold_text(word)) if space else ""
        if command in ("edit", "insert"):
            number, space, rest = rest.partition(" ")
            return _within(f"{word} {number} ", self.case.grammar.complete(rest)) if space else []
        if command == "whatif":
            return _within(f"{word} ", self.case.grammar.complete(rest))
        if command == "why":
            return self._complete_why(word, rest)
        if command == "at":
            return _beginning(f"{word} ", rest, self._rooms())
        if command:
            return []
        found = self.case.grammar.complete(line)
        if not line:
            count = 0 if self.case.contradiction is None else len(self.case.contradiction.fixes)
            return [Completion(fix, fix) for fix in (f"{self.word('fix')} {k + 1}" for k in range(count))] + found
        return found + ([] if space else _beginning("", line, [self.word(command) for command in _COMMANDS]))

    def _complete_why(self, word: str, rest: str) -> list[Completion]:
        """First a card, then a place."""
        setting = self.case.setting
        card, equals, place = rest.partition("=")
        if not equals:
            return [
                Completion(found.word, f"{found.line.rstrip()}=")
                for found in _beginning(f"{word} ", rest, setting.deck.names)
            ]
        return _beginning(f"{word} {card}=", place, envelope_first(titles(setting.places)))

    def _rooms(self) -> Sequence[str]:
        rooms = self.case.setting.deck.rooms
        return self.case.setting.deck.names[rooms.start : rooms.stop]

    def _help(self) -> Reply:
        return Reply(ReplyKind.HELP, sections=(plain(*help_lines()),))

    def _quit(self) -> Reply:
        return Reply(ReplyKind.QUIT)

    def log(self) -> Reply:
        """All entries by number."""
        written = [self.case.grammar.write(entry) for entry in self.case.entries]
        lines = [f"{number:>3} {line}" for number, line in enumerate(written, 1)]
        return Reply(ReplyKind.TOLD, sections=(plain(*lines or [tr("Nothing has been entered yet.")]),))

    # ---- changes -------------------------------------------------------------------------------

    def _changed(self, number: int = 0) -> Reply:
        """The reply after a change; ``number`` is the entry that was made or replaced."""
        title = ""
        if number:
            title = f"{number} {self.case.grammar.write(self.case.entries[number - 1])}"
        return Reply(ReplyKind.CHANGED, title, tuple(case_sections(self.case)))

    def _undo(self) -> Reply:
        return self._stepped(self.case.undo(), Phrase("there is nothing to take back"))

    def _redo(self) -> Reply:
        return self._stepped(self.case.redo(), Phrase("there is nothing to redo"))

    def _stepped(self, done: bool, why_not: Phrase) -> Reply:
        if not done:
            raise CluedoError(why_not)
        return Reply(ReplyKind.CHANGED, sections=(*self.log().sections, *case_sections(self.case)))

    def _edit(self, rest: str) -> Reply:
        number, text = _split_number(rest)
        self.case.edit(number, self.case.grammar.parse(text))
        return self._changed(number)

    def _insert(self, rest: str) -> Reply:
        number, text = _split_number(rest)
        self.case.insert(number, self.case.grammar.parse(text))
        return self._changed(number)

    def _drop(self, rest: str) -> Reply:
        number, _ = _split_number(rest)
        self.case.drop(number)
        return self._changed()

    def _fix(self, rest: str) -> Reply:
        choice, _ = _split_number(rest)
        self.case.fix(choice)
        return self._changed()

    def _hand(self, rest: str) -> Reply:
        self.case.correct_hand(read_hand(rest, self.case.setting.board))
        return self._changed()

    def _what_if(self, rest: str) -> Reply:
        trial = self.case.what_if(self.case.grammar.parse(rest))
        title = tr("If {entry}:", entry=trial.grammar.write(trial.entries[-1]))
        return Reply(ReplyKind.TOLD, title, (*case_sections(trial), plain(tr("(None of this is saved.)"))))

    def _at(self, rest: str) -> Reply:
        self.case.place_pawn(_room_of(self.case, rest) if rest else None)
        return self._changed()

    def _save(self, rest: str) -> Reply:
        if not self._files:
            raise CluedoError("no files can be written from here")
        if not rest:
            raise CluedoError("name a file that ends in .json, .png, .html or .csv")
        written = ", ".join(map(str, export(self.case, Path(rest))))
        return Reply(ReplyKind.TOLD, sections=(plain(tr("Written: {file}.", file=written)),))

    # ---- what is asked -------------------------------------------------------------------------

    def _why(self, rest: str) -> Reply:
        lines = self.case.consistent_knowledge().why(*read_pair(rest, self.case.setting)).lines
        return Reply(ReplyKind.TOLD, sections=(plain(*map(tr, lines)),))

    def _sheet(self) -> Reply:
        self.case.consistent_knowledge()
        return Reply(ReplyKind.SHEET)

    def _odds(self) -> Reply:
        self.case.consistent_knowledge()
        return _sections(odds_section(self.case, most=10), verdict_section(self.case))

    def _bits(self) -> Reply:
        return Reply(ReplyKind.FIGURES, sections=tuple(case_sections(self.case)))

    def _ask(self) -> Reply:
        self.case.consistent_knowledge()
        asked = question_section(self.case, most=len(self.case.setting.deck.rooms))
        return _sections(asked or plain(tr("There is nothing to ask.")))


class _Command(NamedTuple):
    """A command.

    Attributes:
        words: those for it in English, first the one that is offered; those of all languages are understood.
        do: what it does, with the text after it, if any may follow.
        alone: whether nothing may follow it.
    """

    words: Phrase
    do: Callable[..., Reply]
    alone: bool = False


_COMMANDS: Final = {
    "help": _Command(Phrase("help, ?, h"), Interpreter._help, alone=True),
    "undo": _Command(Phrase("undo"), Interpreter._undo, alone=True),
    "redo": _Command(Phrase("redo"), Interpreter._redo, alone=True),
    "keep": _Command(Phrase("keep"), Interpreter._keep, alone=True),
    "edit": _Command(Phrase("edit"), Interpreter._edit),
    "insert": _Command(Phrase("insert"), Interpreter._insert),
    "drop": _Command(Phrase("drop"), Interpreter._drop),
    "fix": _Command(Phrase("fix, mend"), Interpreter._fix),
    "hand": _Command(Phrase("hand"), Interpreter._hand),
    "whatif": _Command(Phrase("whatif"), Interpreter._what_if),
    "why": _Command(Phrase("why"), Interpreter._why),
    "sheet": _Command(Phrase("sheet"), Interpreter._sheet, alone=True),
    "odds": _Command(Phrase("odds"), Interpreter._odds, alone=True),
    "ask": _Command(Phrase("ask, questions"), Interpreter._ask, alone=True),
    "bits": _Command(Phrase("bits, figures"), Interpreter._bits, alone=True),
    "log": _Command(Phrase("log"), Interpreter.log, alone=True),
    "at": _Command(Phrase("at"), Interpreter._at),
    "save": _Command(Phrase("save"), Interpreter._save),
    "quit": _Command(Phrase("quit, exit, q"), Interpreter._quit, alone=True),
}


def _sections(*sections: Section | None) -> Reply:
    return Reply(ReplyKind.TOLD, sections=tuple(section for section in sections if section is not None))


def _within(before: str, found: Sequence[Completion]) -> list[Completion]:
    """Completions of the end of a line."""
    return [Completion(one.word, f"{before}{one.line}") for one in found]


def _beginning(before: str, text: str, names: Sequence[str]) -> list[Completion]:
    """The names that begin with a text."""
    begun = fold_text(text)
    return [Completion(name, f"{before}{name} ") for name in names if fold_text(name).startswith(begun)]


def help_lines() -> list[str]:
    """What can be typed."""
    return [
        tr("Type only as many letters as tell the names apart, and the three cards in any order:"),
        tr("  bob asks plum rope hall, cy shows       Bob asked, and Cy showed a card"),
        tr("  bob plum rope hall cy                   the same"),
        tr("  me plum rope hall, cy shows rope        I asked, and saw the card"),
        tr("  bob plum rope hall nobody               nobody could show one"),
        tr("  bob accuses plum rope hall wrong        or right"),
        tr("  bob plum rope hall, cy shows, di shows  where everybody answers"),
        tr("  me looks 2 rope                         I looked at card 2 of the pool"),
        tr("  bob lays open plum rope hall            a hand laid open after a wrong accusation"),
        tr("A player is a name, its beginning, a number in turn order, or me."),
        tr("Commands:"),
        tr("  undo, redo        take a change back, or make it again"),
        tr("  keep              keep a doubtful entry anyway"),
        tr("  log               the entries and their numbers"),
        tr("  edit N ENTRY      replace entry N"),
        tr("  insert N ENTRY    add an entry before entry N"),
        tr("  drop N            remove entry N"),
        tr("  fix N             make one of the changes offered for a contradiction"),
        tr("  hand CARDS        correct my hand: all the cards that I hold"),
        tr("  whatif ENTRY      what would follow from an entry; nothing is saved"),
        tr("  why CARD=PLACE    why it is there or not; a place is a player or envelope"),
        tr("  sheet, odds, ask  the whole sheet; the envelopes; the best question of each room"),
        tr("  bits              show figures for experts, or hide them again"),
        tr("  at ROOM           my pawn stands in this room"),
        tr("  at                my pawn stands in no room"),
        tr("  save FILE         write a file that ends in .json, .png, .html or .csv"),
        tr("  quit              leave; the case is saved"),
    ]


def _split_number(text: str) -> tuple[int, str]:
    """The number that a text begins with, and the rest; raises CluedoError."""
    word, _, rest = text.partition(" ")
    if not word.isdecimal() or len(word) > 6:
        raise CluedoError("the number of an entry is needed, not '{word}'", word=word[:20])
    return int(word), rest.strip()


def _room_of(case: Case, text: str) -> int:
    """The place on the board that is meant by a room's name; raises CluedoError."""
    setting = case.setting
    if not setting.walks or setting.me is None:
        raise CluedoError("where your pawn stands matters only if you play on a board")
    rooms = setting.deck.rooms
    return setting.board.room_place(rooms.start + index_of(text, setting.deck.names[rooms.start : rooms.stop]))
