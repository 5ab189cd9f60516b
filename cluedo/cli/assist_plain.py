"""The assistant line by line, for pipes and simple terminals: asks who plays, then answers each entry."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import typer

from cluedo.ai.knowledge.caselog import Setting
from cluedo.cli.plain_words import prompt_command
from cluedo.cli.sheet import print_knowledge
from cluedo.cli.terminal import Left, Terminal
from cluedo.engine.board import Board
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules
from cluedo.language import tr
from cluedo.session.advice import case_sections
from cluedo.session.boards import default_map
from cluedo.session.case.case import Case
from cluedo.session.case.interpreter import Interpreter, Reply, ReplyKind
from cluedo.session.case.setup import NamedPlayer, check_names, read_hand, read_players, read_rules
from cluedo.session.case.vocabulary import fold_text, index_of
from cluedo.session.sections import ReasonLine, Section, Tone, for_readers, switch_figures
from cluedo.words.narration import and_join

__all__ = ["ask_setting", "print_sections", "run"]

_Answer = TypeVar("_Answer")

_TITLE_STYLES = {
    Tone.PLAIN: "bold",
    Tone.EXPERT: "bold",
    Tone.PROVED: "bold green",
    Tone.GUESS: "bold yellow",
}

_FIRST_THE_TABLE = Phrase("First describe the table, with commas between names and between cards; quit leaves.")


def run(terminal: Terminal, case: Case, kept: Path) -> None:
    """Read lines and answer them until the input ends or somebody quits; the case is ``kept`` in this file."""
    interpreter = Interpreter(case)
    terminal.say(tr("The case is saved in {file}; type help for all commands.", file=kept))
    if case.entries:
        _say(terminal, interpreter.log())
    print_sections(terminal, for_readers(case_sections(case)))
    while True:
        try:
            reply = terminal.ask_until(tr("Entry:"), lambda line: interpreter.answer(line) if line else None)
        except Left:
            return
        if reply is None:
            continue
        if reply.kind is ReplyKind.QUIT:
            return
        if reply.kind is ReplyKind.SHEET and case.known is not None:
            print_knowledge(terminal, case.known)
        if reply.kind is ReplyKind.FIGURES:
            switch_figures()
        if reply.kind is not ReplyKind.DOUBTED or sys.stdin.isatty():
            _say(terminal, reply)
            continue
        # Nobody is there to be asked: what comes from a file or a pipe is noted, with the warning.
        _say(terminal, reply._replace(sections=reply.sections[:1]))
        _say(terminal, interpreter.answer(interpreter.word("keep")))


def _say(terminal: Terminal, reply: Reply) -> None:
    if reply.title:
        terminal.say(reply.title, style="bold")
    print_sections(terminal, for_readers(reply.sections))


def print_sections(terminal: Terminal, sections: Iterable[Section]) -> None:
    """Print sections one below the other, lines under a title indented."""
    for section in sections:
        if section.title:
            terminal.say(section.title, style=_TITLE_STYLES[section.tone])
        indent = "  " if section.title else ""
        for line in section.lines:
            terminal.say(f"{indent}    {line}" if isinstance(line, ReasonLine) else f"{indent}{line}")


def ask_setting(terminal: Terminal, chosen: Edition, *, fixed: bool) -> Setting:
    """Ask for the players, my cards and so on, again after errors; raises Left when the input ends, Exit at ``quit``.

    The map is asked for if none is chosen; the rules may change those chosen, unless they are ``fixed``.
    """
    terminal.say(tr(_FIRST_THE_TABLE))
    if not chosen.map:
        known = ", ".join(map_names())
        prompt = tr("Board or deck ({known}, or a file)? [{default}]", known=known, default=default_map())
        board = _ask(terminal, prompt, lambda text: Board.load(text or default_map()))
    else:
        board = Board.load(chosen.map)
    edition = chosen
    if not fixed:
        prompt = tr("House rules as KEY=VALUE, or an edition? (Enter: the rules of the box)")
        edition = _ask(terminal, prompt, lambda text: read_rules(text, chosen))
    rules = edition.rules
    seated = _ask(
        terminal,
        tr("Players, in turn order, separated by commas?"),
        lambda text: _read_checked_players(text, board, edition),
    )
    names = [name for name, _ in seated]
    pool, face_up = rules.set_aside(board.deck.outside, len(names))
    dealt = board.deck.outside - pool - face_up
    if seated[0][1] is None and dealt % len(seated):
        prompt = tr("How many cards does each hold ({count} in all), in that order?", count=dealt)
        seated = _ask(terminal, prompt, lambda text: _with_sizes(text, names, board, rules))
    shown: list[str] = []
    if face_up:
        prompt = tr("Which cards lie open for all ({count})?", count=face_up)
        shown = _ask(terminal, prompt, lambda text: _face_up(text, seated, board, rules))
    me = _ask(terminal, tr("Which of them are you? (Enter: a spectator)"), lambda text: _me(text, names))
    if me is None:
        return Setting.make(board, seated, rules=rules, open_cards=shown)
    return _ask(
        terminal,
        tr("Your cards?"),
        lambda text: Setting.make(board, seated, me, read_hand(text, board), rules=rules, open_cards=shown),
    )


def _ask(terminal: Terminal, prompt: str, read: Callable[[str], _Answer]) -> _Answer:
    """Ask until the answer can be read; what is no answer may be ``help`` or ``quit``."""

    def read_or_leave(text: str) -> _Answer:
        try:
            return read(text)
        except CluedoError:
            match prompt_command(fold_text(text)):
                case "quit":
                    raise typer.Exit from None
                case "help":
                    raise CluedoError(_FIRST_THE_TABLE) from None
            raise

    return terminal.ask_until(prompt, read_or_leave)


def _read_checked_players(text: str, board: Board, edition: Edition) -> list[NamedPlayer]:
    """Read the players of a table and check them: their number, their names, and their hand sizes if all are given."""
    seated = read_players(text)
    edition.check_players(len(seated))
    if any(cards is None for _, cards in seated):
        seated = [(name, None) for name, _ in seated]
    check_names(_any_setting(board, seated, edition.rules))
    return seated


def _any_setting(board: Board, seated: Sequence[NamedPlayer], rules: Rules) -> Setting:
    """A table with arbitrary open cards, and arbitrary hand sizes if they are not known, for checking the rest."""
    pool, face_up = rules.set_aside(board.deck.outside, len(seated))
    each, more = divmod(board.deck.outside - pool - face_up, len(seated))
    sized = [(name, each + (seat < more) if cards is None else cards) for seat, (name, cards) in enumerate(seated)]
    return Setting.make(board, sized, rules=rules, open_cards=board.deck.names[:face_up])


def _with_sizes(text: str, names: Sequence[str], board: Board, rules: Rules) -> list[NamedPlayer]:
    sizes = re.findall(r"\d+", text)
    if len(sizes) != len(names) or any(len(size) > 4 for size in sizes):
        raise CluedoError("{count} numbers are needed, for {names}", count=len(names), names=and_join(names))
    seated: list[NamedPlayer] = [(name, int(size)) for name, size in zip(names, sizes, strict=True)]
    _any_setting(board, seated, rules)
    return seated


def _face_up(text: str, seated: Sequence[NamedPlayer], board: Board, rules: Rules) -> list[str]:
    shown = read_hand(text, board)
    Setting.make(board, seated, rules=rules, open_cards=shown)
    return shown


def _me(text: str, names: Sequence[str]) -> str | None:
    return names[index_of(text, names)] if text else None
