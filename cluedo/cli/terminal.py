"""Reads from and writes to the terminal: with colours for people, plain for pipes.

:class:`Terminal` prints and asks. :class:`Screen` is a terminal that several people share: it knows
who reads it and clears it when it changes hands.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any, TextIO, TypeVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from cluedo.engine.errors import CluedoError, one_line
from cluedo.language import tr
from cluedo.words.narration import as_sentence

__all__ = ["Left", "Name", "Screen", "Terminal", "fit_headings", "fits_full_screen", "notify", "progress_console"]

_Answer = TypeVar("_Answer")

_ASCII = str.maketrans("·○«»’↑↓←→─│┌┐└┘├┤┬┴┼╴╵╶╷✓✗…\N{NO-BREAK SPACE}", ".o<>'^v<>-|+++++++++-|-|+-~ ")
_ORDERS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
"""Control characters but for line ends; with the first of them every escape sequence is mere letters."""
_CLEAR_ALL = "\x1b[H\x1b[2J\x1b[3J"
"""Home, clear the screen, then what has scrolled off it: some terminals scroll away what they clear."""

_PLAIN = 80
"""Columns of an output that is no terminal."""

_BOUNDLESS = 10_000
"""Columns in which no table needs folding."""

_PARTS = re.compile(r"[^ /:,]+[ /:,]*|[ /:,]+")
"""The parts of a name, with what parts them: a line may end after each."""

_BREAKS = re.compile(r"`[^`]*`| +(?! |%)")
"""Where a line may be broken, if it is a space: a percent sign stays with its number, and a command is one piece."""

_HANGING = 2
"""Columns by which the rest of an indented line is indented more."""

_TALL = 38
"""Lines of a terminal that has room for the largest usual board and a menu below it."""

_LEAST_COLUMNS, _LEAST_LINES = 80, 24
"""Of a terminal that can show a full screen."""


class Left(Exception):
    """Somebody has left the game; the text says how."""


class _Console(Console):
    """A console that raises an error if the reader of our output is gone, for ``main`` to end the program."""

    def on_broken_pipe(self) -> None:
        """Raise an error; rich would exit, which a match would take for a fault of the player."""
        raise BrokenPipeError


def progress_console() -> Console:
    """Standard error as a place for a progress bar."""
    return _Console(stderr=True)


def notify(*lines: str) -> None:
    """Tell people how a run goes, on standard error; what a command was asked for, :class:`Terminal` prints."""
    columns = _columns_of(sys.stderr) or _BOUNDLESS
    sys.stderr.writelines(f"{_folded(Text(f'cluedo: {one_line(line)}'), columns).plain}\n" for line in lines)


def _columns_of(stream: TextIO) -> int | None:
    """How wide a terminal is; None for what is none, which has no edge."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else None
    except (OSError, ValueError):
        return None


def fits_full_screen() -> bool:
    """Whether input and output are a terminal that can colour and has at least 80 x 24 characters.

    If only it is too small, that is said. Where no colours are wanted (NO_COLOR), the screen is shown in greys.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return False
    try:
        size = os.get_terminal_size(sys.stdout.fileno())  # not COLUMNS and LINES, which outlive a resize
    except (OSError, ValueError):
        return False
    if Console().color_system is None:
        return False
    if size.columns >= _LEAST_COLUMNS and size.lines >= _LEAST_LINES:
        return True
    least = {"columns": _LEAST_COLUMNS, "lines": _LEAST_LINES}
    notify(tr("for the full screen, the window needs {columns} columns and {lines} lines", **least))
    return False


class Name:
    """A name in a table: broken only between its parts, after a space, a colon, a comma or a slash.

    Args:
        text: the name.
    """

    def __init__(self, text: str):
        self._text = text

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        longest = max((cell_len(part.rstrip()) for part in _PARTS.findall(self._text)), default=0)
        return Measurement(longest, cell_len(self._text))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [""]
        for part in _PARTS.findall(self._text):
            if lines[-1] and cell_len(lines[-1] + part.rstrip()) > options.max_width:
                lines.append("")
            lines[-1] += part
        yield Text("\n".join(line.rstrip() for line in lines), overflow="fold")


class Terminal:
    """Standard input and output, as they were when this was made: a later redirection does not matter.

    Args:
        plain: no colours, and every prompt a line of its own that begins with ``> ``.
            It is so in any case where input or output is no terminal.
        columns: how wide its tables and drawings are where the output is no terminal.
    """

    def __init__(self, *, plain: bool = False, columns: int = _PLAIN):
        self._out = sys.stdout
        dumb = os.environ.get("TERM", "") == "dumb"
        self.plain = plain or dumb or not (sys.stdin.isatty() and sys.stdout.isatty())
        self._clears = self._out.isatty() and not dumb
        self._columns = columns
        options: dict[str, Any] = {"color_system": None, "force_terminal": False, "width": columns}
        self._console = _Console(
            file=self._out, highlight=False, markup=False, emoji=False, **(options if self.plain else {})
        )
        encoding = getattr(self._out, "encoding", None) or "utf-8"
        self._lacking = {sign: plain for sign, plain in _ASCII.items() if not chr(sign).encode(encoding, "ignore")}
        if not self.plain:
            _edit_lines_without_history()

    @property
    def width(self) -> int:
        """Columns."""
        return (_columns_of(self._out) or self._columns) if self.plain else self._console.width

    def say(self, text: str = "", *, chip: tuple[str, str] | None = None, style: str = "") -> None:
        """Print a sentence; ``chip`` stands before it where there are colours."""
        line = Text(text, style=style)
        if chip is not None and not self.plain:
            line = Text.assemble(chip, " ", line)
        self._print(line, wrap=True)

    def show(self, text: Text) -> None:
        """Print a drawing, every line as it is."""
        self._print(text, wrap=False)

    def offer(self, lines: Sequence[str]) -> None:
        """Print choices: each on its own line, or side by side where the board above them would scroll away."""
        if self.plain or self._console.height >= _TALL:
            for line in lines:
                self.say(f"  {line}")
        else:
            self.say("   ".join(line.strip().replace(" ", "\N{NO-BREAK SPACE}") for line in lines))

    def table(self, table: Table) -> None:
        """Print a table, wider than the terminal where it would lose letters or figures otherwise."""
        self._console.width = self.width
        least = fit_headings(table, self._console)
        if least > self.width:
            table.width = least
        with self._console.capture() as captured:
            self._console.print(table, crop=False)
        text = captured.get()
        self._out.write(text.translate(self._lacking))

    def ask(self, prompt: str) -> str:
        """Print the prompt and read a line; raises :class:`Left` where the input ends."""
        if self.plain:
            self._print(Text(f"> {prompt}"), wrap=True)
            self._out.flush()
            line = sys.stdin.readline()
            if not line:
                raise Left(tr("The input has ended."))
            return line.strip()
        try:
            with redirect_stdout(self._out):  # only there can the line be edited
                *above, last = _folded(Text(f"{prompt} "), self.width).plain.split("\n")
                for line in above:
                    self.say(line)
                return input(last).strip()
        except KeyboardInterrupt:
            self.say()  # whatever is said next has a line of its own
            raise
        except EOFError:
            self.say()
            raise Left(tr("The input has ended.")) from None

    def ask_until(self, prompt: str, read: Callable[[str], _Answer]) -> _Answer:
        """Ask until ``read`` takes the answer without a complaint; raises :class:`Left` where the input ends."""
        while True:
            try:
                return read(self.ask(prompt))
            except CluedoError as error:
                self.say(as_sentence(tr(error)))

    def clear(self) -> None:
        """Clear the screen and what is above it, where there is a screen."""
        if self._clears:
            self._out.write(_CLEAR_ALL)
            self._out.flush()

    def _print(self, text: Text, *, wrap: bool) -> None:
        text = text.copy()
        plain = _ORDERS.sub("\N{REPLACEMENT CHARACTER}", text.plain)  # names come from files of others
        text.plain = plain.translate(self._lacking)
        if wrap and (not self.plain or _columns_of(self._out)):
            text = _folded(text, self.width)
        self._console.print(text, soft_wrap=True)


def fit_headings(table: Table, console: Console) -> int:
    """Break the headings of a table in two where it would be wider than a console; returns how wide it has to be."""
    if _least_width(table, console) > console.width:
        for column in table.columns:
            if isinstance(column.header, str):
                column.header = _in_two(column.header)
    return _least_width(table, console)


def _in_two(heading: str) -> str:
    """A heading on two lines, as short as they can be."""
    breaks = [found.span() for found in _BREAKS.finditer(heading)]
    return min((f"{heading[:k]}\n{heading[end:]}" for k, end in breaks), key=_longest_line, default=heading)


def _longest_line(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _least_width(table: Table, console: Console) -> int:
    """Columns that a table needs: all of those that do not fold, and the longest word of those that do."""
    options = console.options.update(width=_BOUNDLESS)
    spare = 0
    for column in (column for column in table.columns if not column.no_wrap):
        sizes = [Measurement.get(console, options, text) for text in (column.header, *column.cells)]
        spare += max(size.maximum for size in sizes) - max(size.minimum for size in sizes)
    return Measurement.get(console, options, table).maximum - spare


def _folded(text: Text, width: int) -> Text:
    """The text wrapped to a width; rich alone would also break lines at no-break spaces."""
    lines = []
    for rest in text.split("\n", allow_blank=True):
        indent = len(rest.plain) - len(rest.plain.lstrip(" "))
        hanging = " " * (indent + _HANGING if indent and indent + _HANGING <= width // 2 else 0)
        while cell_len(rest.plain) > width and rest.plain.strip(" ") and (k := _break(rest.plain, width)) < len(rest):
            line, rest = rest.divide([k])  # noqa: PLW2901
            line.rstrip()
            lines.append(line)
            rest = Text.assemble(hanging, rest)  # noqa: PLW2901
        lines.append(rest)
    return Text("\n").join(lines)


def _break(line: str, width: int) -> int:
    """Where to break a line: after the last space within the width, or inside a word that is too long.

    A command that is too long is left to the terminal: who copies it from there gets no line end within.
    """
    fitting = max(k for k in range(1, len(line)) if k == 1 or cell_len(line[:k]) <= width)
    spaces = [found for found in _BREAKS.finditer(line) if found[0][0] == " " and line[: found.start()].strip(" ")]
    ends = [space.end() for space in spaces if space.start() <= fitting]
    if ends:
        return ends[-1]
    if line.lstrip(" ").startswith("`"):
        return spaces[0].end() if spaces else len(line)
    return fitting


def _edit_lines_without_history() -> None:
    """Let the arrow keys edit a line, but not bring back what somebody else typed."""
    try:
        import readline
    except ImportError:  # where there is none, lines are still read
        return
    readline.set_auto_history(False)
    readline.clear_history()


class Screen(Terminal):
    """A terminal that people at one machine share.

    Attributes:
        holder: the seat that looks at the screen now; None before anybody does.
    """

    def __init__(self, people: int, *, plain: bool = False):
        super().__init__(plain=plain)
        self._people = people
        self.holder: int | None = None
        self._used = False

    @property
    def shared(self) -> bool:
        """Whether there is anybody to hide things from."""
        return self._people > 1

    def take(self, seat: int, name: str, why: str) -> bool:
        """Give the screen to a seat; True if that took a hand-over, after which nothing older is to be seen."""
        if self.holder == seat:
            return False
        if not self.shared:
            self.holder = seat
            return False
        # From here on it is nobody's: who is told something in between waits for their next look.
        self.holder = None
        if self._used:  # before that there is only the welcome, for all to read
            self.clear()
        self._used = True
        self.say(
            tr("--- Hand over to {name}, player {number}: {why} ---", name=name, number=seat + 1, why=why),
            style="bold",
        )
        self.ask(tr("{name}, press Enter when nobody else is looking.", name=name))
        self.clear()
        self.say(tr("--- {name}, player {number} ---", name=name, number=seat + 1), style="bold")
        self.holder = seat
        return True
