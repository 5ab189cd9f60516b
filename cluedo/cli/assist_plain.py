"""The assistant line by line: for pipes, simple terminals, and anyone who prefers it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from cluedo.cli.sheet import print_knowledge
from cluedo.cli.terminal import Left, Terminal
from cluedo.engine.errors import CluedoError
from cluedo.language import tr
from cluedo.session.advice import case_sections
from cluedo.session.case.case import Case
from cluedo.session.case.interpreter import Interpreter, Reply, ReplyKind
from cluedo.session.narration import as_sentence
from cluedo.session.sections import Section, Tone, plain

__all__ = ["print_sections", "run"]

_STYLES: Final = {
    Tone.PLAIN: "bold",
    Tone.EXPERT: "bold",
    Tone.PROVED: "bold green",
    Tone.GUESS: "bold yellow",
}


def run(terminal: Terminal, case: Case, kept: Path) -> None:
    """Read lines and answer them until the input ends or somebody quits; the case is ``kept`` in this file."""
    interpreter = Interpreter(case)
    hello = tr("The case is saved in {file}; type help for all commands.", file=kept)
    _say(terminal, Reply(ReplyKind.TOLD, sections=(plain(hello),)))
    if case.entries:
        _say(terminal, interpreter.log())
    _say(terminal, Reply(ReplyKind.TOLD, sections=tuple(case_sections(case))))
    while True:
        try:
            line = terminal.ask(tr("Entry:"))
        except Left:
            return
        if not line:
            continue
        try:
            reply = interpreter.answer(line)
        except CluedoError as error:
            terminal.say(as_sentence(tr(error)))
            continue
        if reply.kind is ReplyKind.QUIT:
            return
        if reply.kind is ReplyKind.SHEET and case.known is not None:
            print_knowledge(terminal, case.known)
        _say(terminal, reply)
        if reply.kind is ReplyKind.DOUBTED and not sys.stdin.isatty():
            # Nobody is there to be asked: what comes from a file or a pipe is noted, with the warning.
            _say(terminal, interpreter.answer(interpreter.word("keep")))


def _say(terminal: Terminal, reply: Reply) -> None:
    if reply.title:
        terminal.say(reply.title, style="bold")
    print_sections(terminal, reply.sections)


def print_sections(terminal: Terminal, sections: Iterable[Section]) -> None:
    """Print sections one below the other."""
    for section in sections:
        if section.title:
            terminal.say(section.title, style=_STYLES[section.tone])
        for line in section.lines:
            terminal.say(line)
