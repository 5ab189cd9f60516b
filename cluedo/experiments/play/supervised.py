"""The process in which bots from files play, from within: :mod:`.supervisor` starts and watches it.

It is told over its standard input what to play, as pickles, and answers over what was its standard output,
as lines of JSON: whoever wrote the bots may write there, too, and must not be able to run code outside.
Who is thinking stands in a file that both map into memory: noting it costs no call of the system.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import pickle
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from os import _exit, getpid  # bots may patch the module
from pathlib import Path
from random import Random
from sys import getrecursionlimit, setrecursionlimit
from typing import IO, Final, NamedTuple, TypeVar, TypeVarTuple

from cluedo.ai.absent import AbsentPlayer, seated
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Movement, Player
from cluedo.bots.channels import take_channels
from cluedo.bots.naming import any_player
from cluedo.engine.commands import Accusation, Hypothesis, Peek, ShowCard
from cluedo.engine.errors import CluedoError, PlayerError, in_short
from cluedo.engine.events import Event
from cluedo.engine.view import PlayerView
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.observers import parse_observer
from cluedo.experiments.play.rows import GameResult

__all__ = ["FRAMES_FILE", "LOADING", "NOBODY", "PULSE_FILE", "Absence", "Answer", "Order", "Pulse", "main"]

T = TypeVar("T")
About = TypeVarTuple("About")

NOBODY: Final = -1
"""In a pulse: no place of the line-up is thinking."""

LOADING: Final = -1
"""In a pulse: no game is being played yet; the bots' files are being loaded."""

PULSE_FILE, FRAMES_FILE = "pulse", "frames"

_CELLS: Final = 3
_CELL_BYTES: Final = 8

_RUNNERS: Final = 64
"""Plans whose board and bots are kept."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A place of the line-up for which nobody plays in some games; ``why`` is what its faults say."""

    place: int
    games: range
    why: str


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be played; without games, whether it can be."""

    plan: Plan
    think_limit: float
    time_bank: float
    records: bool
    observers: tuple[str, ...]
    games: range
    absences: tuple[Absence, ...] = ()

    def why_absent(self, place: int, games: range) -> str | None:
        """Why a place is absent from all of some games; None if it is not."""
        for absence in self.absences:
            if absence.place == place and absence.games.start <= games.start and games.stop <= absence.games.stop:
                return absence.why
        return None


class Answer(NamedTuple):
    """What the process says: a game's result, or why there is none; nothing of both when it has done what was ordered.

    Attributes:
        result: the next game's.
        wrong: why the order cannot be carried out, in one sentence.
        broken: what ended the game, which is a fault of whoever plays in it.
    """

    result: GameResult | None = None
    wrong: str | None = None
    broken: str | None = None


class Pulse:
    """What is being done, for two processes: how many calls were begun and ended, in which game, and who thinks."""

    def __init__(self, path: Path):
        with path.open("r+b") as file:
            self._cells = memoryview(mmap.mmap(file.fileno(), _CELLS * _CELL_BYTES)).cast("q")

    @classmethod
    def new(cls, path: Path) -> Pulse:
        """The pulse of a process that is about to start, in a new file."""
        path.write_bytes(bytes(_CELLS * _CELL_BYTES))
        pulse = cls(path)
        pulse._cells[1], pulse._cells[2] = LOADING, NOBODY
        return pulse

    def read(self) -> tuple[int, int, int]:
        """The count, the game or LOADING, and the place of the line-up or NOBODY."""
        count, game, place = self._cells
        return count, game, place

    def begin(self, place: int) -> None:
        """Somebody's code is called."""
        cells = self._cells
        cells[2] = place
        cells[0] += 1

    def end(self) -> None:
        """It has returned."""
        cells = self._cells
        cells[2] = NOBODY
        cells[0] += 1

    def at(self, game: int) -> None:
        """A game is begun, or loading."""
        self._cells[1] = game

    @contextmanager
    def of(self, place: int) -> Iterator[None]:
        """Somebody's code is called inside the ``with``."""
        self.begin(place)
        try:
            yield
        finally:
            self.end()


def main(folder: str, parent: int) -> None:
    """Play what is ordered until nobody orders any more."""
    orders, answers = _settle(parent)
    pulse = Pulse(Path(folder, PULSE_FILE))
    with Path(folder, FRAMES_FILE).open("w") as frames:
        shutil.rmtree(
            folder, ignore_errors=True
        )  # open files need no names, and so nobody has to be left to remove them
        faulthandler.enable(frames, all_threads=False)
        if hasattr(faulthandler, "register"):
            faulthandler.register(signal.SIGUSR1, frames, all_threads=False)
        try:
            while True:
                for answer in _obeyed(pickle.load(orders), pulse):
                    answers.write(json.dumps(answer).encode() + b"\n")
                    answers.flush()
        except (EOFError, OSError):
            _exit(0)  # nobody orders any more: whatever threads and exit handlers bots have left, this is the end
        finally:
            _exit(1)


def _settle(parent: int) -> tuple[IO[bytes], IO[bytes]]:
    """Be deaf to Ctrl-C, and mortal; over what orders come, and answers go."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        _die_with(parent)
        with suppress(OSError):  # if memory runs out, this is what has to end
            Path("/proc/self/oom_score_adj").write_text("1000")
    return take_channels()


def _die_with(parent: int) -> None:
    """Be killed when the parent ends, in the middle of whatever a bot does."""
    import ctypes

    set_death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
    if os.getppid() != parent:
        _exit(1)


def _obeyed(order: Order, pulse: Pulse) -> Iterator[Answer]:
    """What comes of an order."""
    try:
        runner = _runner(order.plan, order.think_limit, order.time_bank, order.records, order.observers, pulse)
        runner.enter(order)
        for result in runner.results(order.games, Interrupt.of_nobody()):
            yield Answer(result)  # at once: what is finished must not depend on when the process ends
        yield Answer()
    except CluedoError as error:
        yield Answer(wrong=str(error))
    except BaseException as error:  # what a bot has done to Python itself may make anything fail
        yield Answer(broken=in_short(error))
    finally:
        pulse.at(LOADING)


@lru_cache(_RUNNERS)
def _runner(
    plan: Plan, think_limit: float, time_bank: float, records: bool, observers: tuple[str, ...], pulse: Pulse
) -> _SupervisedRunner:
    return _SupervisedRunner(plan, think_limit, time_bank, records, observers, pulse)


class _SupervisedRunner(GameRunner):
    """Notes who is thinking, and lets places of the line-up be empty."""

    def __init__(
        self,
        plan: Plan,
        think_limit: float,
        time_bank: float,
        records: bool,
        observers: tuple[str, ...],
        pulse: Pulse,
    ):
        self._pulse = pulse
        self._loaded: dict[int, PlayerSpec | str] = {}
        watchers = [parse_observer(text) for text in observers]
        super().__init__(plan, think_limit, time_bank=time_bank, records=records, observers=watchers)

    def enter(self, order: Order) -> None:
        """Load the bots that are not loaded yet and have to play.

        Raises:
            PlayerError: one cannot be loaded, where the order is to find that out.
        """
        self._order = order
        for place, text in enumerate(self.plan.line_up):
            if place in self._loaded or order.why_absent(place, order.games or range(1)):
                continue
            try:
                with self._pulse.of(place):
                    spec = any_player(text)
                    spec.check(self.board.deck, self.plan.rules, self.plan.seats)
                    spec.prepare()
                self._loaded[place] = spec
            except PlayerError as error:
                if not order.games:
                    raise
                self._loaded[place] = str(error)

    def _read_line_up(self) -> list[PlayerSpec]:
        return []  # but one by one, on entering

    def _player(self, place: int, game: int) -> Player:
        self._pulse.at(game)
        why = self._order.why_absent(place, range(game, game + 1))
        if why is not None:
            return AbsentPlayer(why)
        spec = self._loaded[place]
        if isinstance(spec, str):
            return AbsentPlayer(spec)
        with self._pulse.of(place):
            player = seated(spec)
        listens = type(player).notice is not Player.notice
        return (_WatchedListener if listens else _Watched)(player, place, self._pulse)


class _Watched(Player):
    """Somebody's player, while it is noted when it thinks.

    A copy of this process that a bot has made (``os.fork``) ends here, where it would begin to play the game on.
    """

    def __init__(self, player: Player, place: int, pulse: Pulse):
        self._player = player
        self._place = place
        self._pulse = pulse

    def _asked(self, choose: Callable[[*About], T], *about: *About) -> T:
        self._pulse.begin(self._place)
        try:
            return choose(*about)
        finally:
            if getpid() != _PROCESS:
                _exit(0)
            setrecursionlimit(_RECURSION)  # whatever it has set: others play here, too
            self._pulse.end()

    def begin(self, view: PlayerView, random: Random) -> None:
        self._player.clock = self.clock
        self._asked(self._player.begin, view, random)

    def choose_move(self, view: PlayerView) -> Movement:
        return self._asked(self._player.choose_move, view)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        return self._asked(self._player.choose_hypothesis, view)

    def choose_card(self, view: PlayerView) -> ShowCard:
        return self._asked(self._player.choose_card, view)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        return self._asked(self._player.choose_accusation, view)

    def choose_peek(self, view: PlayerView) -> Peek | None:
        return self._asked(self._player.choose_peek, view)

    def over(self, view: PlayerView) -> None:
        self._asked(self._player.over, view)


class _WatchedListener(_Watched):
    """One that is told of events."""

    def notice(self, event: Event) -> None:
        self._asked(self._player.notice, event)


_PROCESS: Final = getpid()
_RECURSION: Final = getrecursionlimit()
