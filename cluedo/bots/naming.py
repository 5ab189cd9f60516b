"""Reads the names of players of every kind (:func:`kind_of`), and says where the code of these comes from.

hard                        a level: in this process
path/to/bot.py:Class        a class in a file: in a process of its own, or here if it is trusted
zoo                         an entry point of group ``cluedo.players`` of an installed package: the same
exec:node bot.js --fast     a program that speaks the protocol: in a process of its own
llm:gpt-4.1-mini            a language model, which an endpoint has: asked from this process
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cluedo.ai.levels import LEVELS, PlayerSpec, checked_text, installed_players, parse_player, unquoted
from cluedo.ai.loading import SPEED_CLUE, check_not_running, file_of, is_model, is_program
from cluedo.ai.player import Player
from cluedo.engine.cards import Deck
from cluedo.engine.errors import PlayerError
from cluedo.engine.file_io import Unreadable, read_bytes
from cluedo.engine.rules import Rules

if TYPE_CHECKING:
    from cluedo.bots.host import HostedBot

__all__ = [
    "PlayerKind",
    "ProgramSpec",
    "any_player",
    "command_of_player",
    "files_of_program",
    "is_foreign",
    "is_level",
    "kind_of",
    "players_facts",
    "prepare_all",
    "read_line_up",
]

PlayerKind: TypeAlias = Literal["level", "file", "package", "program", "model", "unknown"]
_FIRST_LINE: Final = 256
"""Bytes that the first line of a script may have."""
_PROCESSES: Final = 12
"""Programs that a thread keeps running; more are ended, those unused for longest first."""


def kind_of(text: str) -> PlayerKind:
    """What a player's text names; ``unknown`` if nothing of that name is here."""
    if is_program(text):
        return "program"
    if is_model(text):
        return "model"
    if file_of(text) is not None:
        return "file"
    name = _name(text)
    return "level" if name in LEVELS else "package" if name in installed_players() else "unknown"


def is_level(text: str) -> bool:
    """Whether it is the text of a shipped level."""
    return kind_of(text) == "level"


def is_foreign(text: str) -> bool:
    """Whether the player is not ours: a class that is not shipped, a program, or a language model."""
    return kind_of(text) not in ("level", "unknown")


def _name(text: str) -> str:
    """The name of a level or of an entry point, without parameters."""
    return text.strip().partition(":")[0]


# ---- the players of a line-up ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProgramSpec(PlayerSpec):
    """A player in a process of its own: a program, or a class that is served as one.

    Attributes:
        bot: the program.
    """

    bot: HostedBot[Any] = field(compare=False)

    def check(self, deck: Deck, rules: Rules, seats: int) -> None:  # noqa: ARG002 - it is told how many there are
        self.bot.check(deck, rules)

    def prepare(self) -> None:
        """Start the program; raises :class:`PlayerError`."""
        try:
            self.bot.start()
        except PlayerError as error:
            if str(error).startswith(self.text):  # as one of ours says by itself why it cannot play
                raise
            raise PlayerError("{what}: {error}", what=self.text, error=error) from None

    def make(self) -> Player:
        return self.bot.player()


def prepare_all(players: Iterable[PlayerSpec]) -> None:
    """Let players load what takes long, and start those that are programs; raises :class:`PlayerError`.

    Programs are started last: among them may be bots made of our levels, which find then what was compiled.
    """
    for player in sorted(players, key=lambda player: isinstance(player, ProgramSpec)):
        player.prepare()


def any_player(text: str, *, trusted: bool = False) -> PlayerSpec:
    """One player of any kind, from its text; see :func:`read_line_up`."""
    return read_line_up([text], trusted=trusted)[0]


def read_line_up(
    texts: Iterable[str], *, trusted: bool = False, exchanges: Path | None = None, table: str = ""
) -> list[PlayerSpec]:
    """The players of a line-up. A program that is named twice gets two processes, which are not started yet.

    Args:
        texts: by place.
        trusted: whether classes of files and packages run in this process, where they are loaded here and now.
        exchanges: the file that keeps what language models are told and say, if it is kept.
        table: the map and the line-up, which several that share a seed are told apart by.

    Raises:
        PlayerError: in one sentence, if one is none.
    """
    before: Counter[tuple[str, ...]] = Counter()  # by command: it may be written in several ways
    specs: list[PlayerSpec] = []
    for text in map(checked_text, texts):
        command = None if trusted and not is_program(text) else command_of_player(text)
        if command is not None:
            specs.append(_program(text, command, before[command]))
            before[command] += 1
        elif is_model(text):
            from cluedo.bots.llm.model_player import model_spec  # few games have one

            specs.append(model_spec(text, exchanges, table))
        else:
            specs.append(parse_player(text))
    return specs


class _Running(threading.local):
    """The programs that a thread keeps running: games that are played at once may not talk to the same one.

    Attributes:
        programs: by kind, command, how many places before it the same program plays, and its code.
    """

    def __init__(self) -> None:
        self.programs: OrderedDict[tuple[object, ...], HostedBot[Any]] = OrderedDict()


_running = _Running()


def _program(text: str, command: tuple[str, ...], number: int) -> ProgramSpec:
    """The program of a player; one for all line-ups of this thread, until its code changes."""
    from cluedo.bots.host import ProtocolBot  # few games have a program
    from cluedo.bots.speedclue import SpeedClueBot

    if path := file_of(text):
        check_not_running(path)
    kind = SpeedClueBot if text.startswith(SPEED_CLUE) else ProtocolBot
    key = kind, command, number, _code(text, command)
    running = _running.programs
    bot = running.pop(key, None) or kind(command, text, number)
    running[key] = bot
    while len(running) > _PROCESSES:
        running.popitem(last=False)[1].end()
    return ProgramSpec(text, bot.player_class, (), bot)


def _code(text: str, command: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """What changes where a command runs other code than before: the folder, and the files that it names."""
    here, *files = [path.stat() for path in (Path(), *_files_in([*command, file_of(text) or ""]))]
    return (here.st_dev, here.st_ino), *((file.st_ino, file.st_size, file.st_mtime_ns) for file in files)


# ---- the command of a program ------------------------------------------------------------------------


def command_of_player(text: str) -> tuple[str, ...] | None:
    """The command with which a player plays in a process of its own: a program, or a class that is not shipped.

    None for a level or a language model; raises :class:`PlayerError` where nothing can be run.
    """
    kind = kind_of(text)
    if kind == "program":
        return _command_of_program(text)
    if kind not in ("file", "package"):
        return None
    if not hasattr(os, "fork"):
        raise PlayerError(
            "{what}: on this system there is no process of its own for a bot; "
            "with --trusted (in an experiment file: trusted = true) it runs in the process of the games",
            what=text,
        )
    return (sys.executable, "-P", "-m", "cluedo", "bot", "serve", text)


def _command_of_program(text: str) -> tuple[str, ...]:
    """The words of the command of a program; raises :class:`PlayerError` where there is no such program."""
    try:
        words = shlex.split(unquoted(text.strip().partition(":")[2]))
    except ValueError as error:
        raise PlayerError("{text}: the command cannot be read: {error}", text=text, error=error) from None
    if not words:
        raise PlayerError("{text}: the command is missing, as in exec:./mybot", text=text)
    program = shutil.which(words[0])
    if program is None:
        raise _not_run(text, words[0])
    _check_first_line(text, Path(program))
    return (program, *words[1:])


def _not_run(text: str, program: str) -> PlayerError:
    """Why a program cannot be run, and what would help."""
    here = Path(program)
    if not here.is_file():
        return PlayerError("{text}: there is no program {program!r} that could be run", text=text, program=program)
    if os.access(here, os.X_OK):
        return PlayerError("{text}: a program in this folder is called ./{program}", text=text, program=program)
    if here.suffix == ".py":
        return PlayerError(
            "{text}: the file {program} may not be run: name its class, as in {program}:MyBot, or what runs it, as in "
            "exec:python3 {program}",
            text=text,
            program=program,
        )
    return PlayerError(
        "{text}: the file {program} may not be run: name what runs it, as in exec:{runner} {program}",
        text=text,
        program=program,
        runner="node" if here.suffix == ".js" else "sh",
    )


def _check_first_line(text: str, program: Path) -> None:
    """Raise :class:`PlayerError` for a script with Windows line ends: its interpreter would not be found."""
    try:
        with program.open("rb") as script:
            first = script.readline(_FIRST_LINE)
    except OSError:  # it may be run and not read
        return
    if first.startswith(b"#!") and first.endswith(b"\r\n"):
        raise PlayerError(
            "{text}: the lines of {program} end as on Windows (CR LF), and its first line says what runs it: "
            "save it with Unix line ends",
            text=text,
            program=program,
        )


# ---- where code comes from ---------------------------------------------------------------------------


def files_of_program(text: str) -> list[Path]:
    """The files that a program's command names: itself, unless it is found by its name alone, and its arguments."""
    program, *words = _command_of_program(text)
    named = [program] if "/" in text.partition(":")[2].split()[0] else []
    return _files_in([*named, *words])


def _files_in(words: Iterable[str | Path]) -> list[Path]:
    """Those of the words of a command that are files; others may be anything, and longer than the name of a file."""
    return [Path(word) for word in words if os.path.isfile(word)]  # noqa: PTH113 - Path raises for such words


def players_facts(texts: Iterable[str]) -> dict[str, Any]:
    """By player, where its code comes from; of programs and of installed packages alone."""
    return {text: facts for text in texts if (facts := _facts(text)) is not None}


def _facts(text: str) -> dict[str, Any] | None:
    if is_program(text):
        command = _command_of_program(text)
        paths = dict.fromkeys([Path(command[0]), *files_of_program(text)])
        spec = any_player(text)
        assert isinstance(spec, ProgramSpec)
        name = spec.bot.name
        facts = {"command": list(command), "sha256": {str(path): _sha256(path) for path in paths}}
        return facts | ({} if name is None else name._asdict())
    if kind_of(text) != "package":
        return None
    entry = installed_players()[_name(text)]
    facts = {"entry_point": entry.value}
    return facts | ({} if entry.dist is None else {"package": entry.dist.name, "version": entry.dist.version})


def _sha256(path: Path) -> str | None:
    try:
        return hashlib.sha256(read_bytes(path, 1 << 30)).hexdigest()
    except Unreadable:
        return None
