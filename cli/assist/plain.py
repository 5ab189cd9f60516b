"""The assistant line by line: for pipes, for terminals that can do no more, and for who likes it so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from cluedo.cli.assist.exports import export
from cluedo.cli.assist.insight import Insight
from cluedo.cli.assist.session import Session
from cluedo.cli.assist.telling import advice_line, clash_lines, news_lines, odds_lines, question_lines
from cluedo.cli.assist.vocabulary import named
from cluedo.cli.choices import Unclear, folded
from cluedo.cli.language import tr
from cluedo.cli.sheet import print_findings
from cluedo.cli.terminal import Left, Terminal
from cluedo.errors import CluedoError

__all__ = ["PlainAssistant", "as_sentence", "pair_of", "room_of", "split_number"]

_WORDS: Final = {
    "help": "help, ?, h, aide",
    "undo": "undo, annuler",
    "redo": "redo, refaire",
    "edit": "edit, modifier",
    "insert": "insert, insérer",
    "drop": "drop, supprimer",
    "mend": "mend, réparer",
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
"""By command, the words for it."""


class PlainAssistant:
    """Reads lines and answers them until the input ends.

    Args:
        terminal: where to.
        session: the case.
        kept: the file that it is kept in.
    """

    def __init__(self, terminal: Terminal, session: Session, kept: Path):
        self._terminal = terminal
        self._session = session
        self._kept = kept
        self._words = {folded(word): name for name, words in _WORDS.items() for word in words.split(", ")}
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "undo": self._undo,
            "redo": self._redo,
            "edit": self._edit,
            "insert": self._insert,
            "drop": self._drop,
            "mend": self._mend,
            "whatif": self._what_if,
            "why": self._why,
            "sheet": self._sheet,
            "odds": self._odds,
            "ask": self._ask,
            "log": self._log,
            "at": self._at,
            "save": self._save,
        }

    def run(self) -> None:
        """Until ``quit``, or the end of the input."""
        self._say([tr("The case is kept in {file}; help tells what can be typed.", file=self._kept)])
        if self._session.entries:
            self._log("")
        self._tell(self._session)
        while True:
            try:
                line = self._terminal.ask(tr("Entry:"))
            except Left:
                return
            if self._words.get(folded(line)) == "quit":
                return
            try:
                if line:
                    self.answer(line)
            except (CluedoError, Unclear) as error:
                self._say([as_sentence(str(error))])

    def answer(self, line: str) -> None:
        """Take an entry or a command; raises CluedoError or Unclear for what is neither."""
        word, _, rest = line.partition(" ")
        command = self._commands.get(self._words.get(folded(word), ""))
        try:
            entry = self._session.grammar.parse(line)
        except Unclear:
            if command is None:
                raise
            command(rest.strip())
            return
        self._changed(lambda: self._session.enter(entry), len(self._session.entries) + 1)

    # ---- changes -------------------------------------------------------------------------------

    def _changed(self, change: Callable[[], object], number: int = 0) -> None:
        """Make a change and tell what it brings; ``number`` is the entry that it makes or replaces."""
        change()
        if number:
            self._terminal.say(
                f"{number} {self._session.grammar.write(self._session.entries[number - 1])}", style="bold"
            )
        self._tell(self._session)

    def _undo(self, _rest: str) -> None:
        if not self._session.undo():
            raise CluedoError(tr("there is nothing to take back"))
        self._log("")
        self._tell(self._session)

    def _redo(self, _rest: str) -> None:
        if not self._session.redo():
            raise CluedoError(tr("there is nothing to make again"))
        self._log("")
        self._tell(self._session)

    def _edit(self, rest: str) -> None:
        number, text = split_number(rest)
        entry = self._session.grammar.parse(text)
        self._changed(lambda: self._session.edit(number, entry), number)

    def _insert(self, rest: str) -> None:
        number, text = split_number(rest)
        entry = self._session.grammar.parse(text)
        self._changed(lambda: self._session.insert(number, entry), number)

    def _drop(self, rest: str) -> None:
        number, _ = split_number(rest)
        self._changed(lambda: self._session.drop(number))

    def _mend(self, rest: str) -> None:
        choice, _ = split_number(rest)
        self._changed(lambda: self._session.mend(choice))

    def _what_if(self, rest: str) -> None:
        trial = self._session.what_if(self._session.grammar.parse(rest))
        self._terminal.say(tr("If {entry}:", entry=trial.grammar.write(trial.entries[-1])), style="bold")
        self._tell(trial)
        self._say([tr("(Nothing of that is kept.)")])

    def _at(self, rest: str) -> None:
        place = room_of(self._session, rest)
        self._changed(lambda: self._session.place(place))

    def _save(self, rest: str) -> None:
        path = Path(rest)
        if not rest:
            raise CluedoError(tr("name a file that ends in .json, .png, .html or .csv"))
        self._say([tr("Written: {file}.", file=", ".join(map(str, export(self._session, path))))])

    # ---- what is asked -------------------------------------------------------------------------

    def _help(self, _rest: str) -> None:
        self._say(help_lines())

    def _why(self, rest: str) -> None:
        insight = self._agreed()
        card, place = pair_of(self._session, rest)
        self._say([tr(line) for line in insight.why(card, place).lines])

    def _sheet(self, _rest: str) -> None:
        print_findings(self._terminal, self._agreed().findings)

    def _odds(self, _rest: str) -> None:
        insight = self._agreed()
        self._say([*odds_lines(insight, most=10), advice_line(insight)])

    def _ask(self, _rest: str) -> None:
        lines = question_lines(self._agreed(), most=len(self._session.setting.deck.rooms))
        self._say(lines or [tr("There is nothing to ask.")])

    def _log(self, _rest: str) -> None:
        written = [self._session.grammar.write(entry) for entry in self._session.entries]
        self._say([f"{number:>3} {line}" for number, line in enumerate(written, 1)] or [tr("Nothing is noted yet.")])

    def _agreed(self) -> Insight:
        """What follows; raises CluedoError where the entries contradict each other."""
        if self._session.insight is None:
            raise CluedoError("\n".join(clash_lines(self._session)))
        return self._session.insight

    def _tell(self, session: Session) -> None:
        """What is new, the odds, what to ask and whether to accuse; or what clashes."""
        insight = session.insight
        if insight is None:
            self._say(clash_lines(session))
            return
        self._say([*news_lines(session), *odds_lines(insight), *question_lines(insight), advice_line(insight)])

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            if line:
                self._terminal.say(line)


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


def split_number(text: str) -> tuple[int, str]:
    """The number that a text begins with, and the rest; raises CluedoError."""
    word, _, rest = text.partition(" ")
    if not word.isdecimal() or len(word) > 6:
        raise CluedoError(tr("the number of an entry is needed, not {word!r}", word=word[:20]))
    return int(word), rest.strip()


def pair_of(session: Session, text: str) -> tuple[int, int]:
    """The card and the place of ``CARD=PLACE``; raises Unclear or CluedoError."""
    setting = session.setting
    card, equals, place = text.partition("=")
    if not equals:
        raise CluedoError(tr("a card and a place are needed, as in: why {card}=envelope", card=setting.deck.names[0]))
    words = ["envelope"] + ([] if tr("envelope") == "envelope" else [tr("envelope")])
    seat = named(place, [*setting.names, *words])
    return named(card, setting.deck.names), min(seat, len(setting.names))


def room_of(session: Session, text: str) -> int:
    """The place on the board that is meant by a room's name; raises Unclear or CluedoError."""
    setting = session.setting
    if not setting.walks or setting.me is None:
        raise CluedoError(tr("where your pawn stands matters only to a player on a board"))
    rooms = setting.deck.rooms
    return setting.board.room_place(rooms.start + named(text, setting.deck.names[rooms.start : rooms.stop]))
