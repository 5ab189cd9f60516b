"""The assistant line by line: for pipes, for terminals that can do no more, and for who likes it so."""

from __future__ import annotations

from pathlib import Path

from cluedo.cli.assist.clerk import Clerk, Kind, Reply, as_sentence, tell
from cluedo.cli.assist.session import Session
from cluedo.cli.sheet import print_findings
from cluedo.cli.terminal import Left, Terminal
from cluedo.engine.errors import CluedoError
from cluedo.language import tr
from cluedo.session.choices import Unclear

__all__ = ["run"]


def run(terminal: Terminal, session: Session, kept: Path) -> None:
    """Read lines and answer them until the input ends or somebody quits; the case is ``kept`` in this file."""
    clerk = Clerk(session)
    _say(
        terminal, Reply(Kind.TOLD, lines=(tr("The case is kept in {file}; help tells what can be typed.", file=kept),))
    )
    if session.entries:
        _say(terminal, clerk.log())
    _say(terminal, Reply(Kind.TOLD, lines=tuple(tell(session))))
    while True:
        try:
            line = terminal.ask(tr("Entry:"))
        except Left:
            return
        if not line:
            continue
        try:
            reply = clerk.answer(line)
        except (CluedoError, Unclear) as error:
            terminal.say(as_sentence(str(error)))
            continue
        if reply.kind is Kind.QUIT:
            return
        if reply.kind is Kind.SHEET and session.insight is not None:
            print_findings(terminal, session.insight.findings)
        _say(terminal, reply)


def _say(terminal: Terminal, reply: Reply) -> None:
    if reply.title:
        terminal.say(reply.title, style="bold")
    for line in reply.lines:
        terminal.say(line)
