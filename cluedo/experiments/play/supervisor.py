"""Games with bots from files, played in a process of their own, which is killed when a bot holds it up.

A bot is somebody's code, and may hang, end its process, or change what it finds there. Inside, the
:class:`~cluedo.ai.watchdog.Watchdog` interrupts whoever lets itself be interrupted. This is the net
beneath: out here nothing of a bot is ever run, not even its file, and whoever holds up the process is known.
Such a bot is absent from that game, which is played again with the defaults in its place, and if that
happens :data:`MOST_KILLS` times, from the rest of the chunk. So what a chunk holds does not depend on other chunks.
"""

from __future__ import annotations

import os
import pickle
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from pydantic import TypeAdapter, ValidationError

from cluedo.ai.match import told_frames
from cluedo.bots.naming import code_of
from cluedo.engine.errors import CluedoError, PlayerError
from cluedo.engine.phrase import Phrase
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.observer import ObservedColumn, UnfitValues, plain_values
from cluedo.experiments.play.observers import columns_of
from cluedo.experiments.play.pools import ONE_THREAD
from cluedo.experiments.play.rows import GameResult
from cluedo.experiments.play.supervised import (
    FRAMES_FILE,
    LOADING,
    NOBODY,
    PULSE_FILE,
    Absence,
    Answer,
    Order,
    Pulse,
)

__all__ = ["LOADING_S", "MOST_KILLS", "Supervisor"]

LOADING_S: Final = 120.0
"""Seconds that a bot may take to be loaded and to prepare itself, unless the think limit is longer."""

MOST_KILLS: Final = 2
"""How often a bot may have its process killed in a chunk before it is absent from the rest of it."""

_PROCESSES: Final = 4
"""Processes that are kept, each for other files: what one bot does to its process must not touch another's games."""

_LOOK_S: Final = 0.1
"""Seconds between looks at who is thinking."""

_DUMP_S: Final = 0.2
"""Seconds that a process gets to say where it is before it is killed."""

_IDLE_S: Final = 10.0
"""Seconds at least that may pass in a game while nobody is thinking; nothing that is ours takes as long."""

_FORGED: Final = Phrase("wrote where results are told")

_ANSWERS: Final = TypeAdapter(Answer)

_FRAME: Final = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)


class Supervisor:
    """Has games with bots from files played, and checks whether they can be.

    Its processes end with it, and with this process.

    Args:
        think_limit: seconds that a player may take for one answer.
        time_bank: seconds that its answers may take beyond that, in all of a game.
        records: whether results carry the games' records.
        observers: who watches the games; they look on in there, too.
    """

    def __init__(self, think_limit: float, *, time_bank: float = 0.0, records: bool, observers: tuple[str, ...] = ()):
        self._think_limit = think_limit
        self._time_bank = time_bank
        self._records = records
        self._observers = observers
        self._columns = columns_of(observers)
        self._processes: OrderedDict[frozenset[str], _Process] = OrderedDict()

    def check(self, plan: Plan) -> None:
        """Load the bots of a plan; raises :class:`CluedoError` in one sentence if it cannot be played."""
        try:
            list(self._results(self._order(plan, range(0)), Interrupt.of_nobody()))
        except _Lost as lost:
            text = Phrase("its bots") if lost.place is None else plan.line_up[lost.place]
            raise PlayerError("{what}: cannot be loaded: {told}", what=text, told=lost.told) from None

    def play(self, plan: Plan, games: range, interrupt: Interrupt) -> list[GameResult]:
        """Play some consecutive games, in order.

        Args:
            plan: what they are of.
            games: their numbers.
            interrupt: once it is wanted, the games finished so far are returned.
        """
        results: list[GameResult] = []
        losses = _Losses(plan, games)
        while len(results) < len(games) and not interrupt.wanted():
            order = self._order(plan, games[len(results) :], losses.absences)
            try:
                for result in self._results(order, interrupt):
                    results.append(result)  # noqa: PERF402 - what came before a loss counts
            except _Lost as lost:
                losses.add(lost, games[len(results)])
        return results

    def _order(self, plan: Plan, games: range, absences: Sequence[Absence] = ()) -> Order:
        return Order(plan, self._think_limit, self._time_bank, self._records, self._observers, games, tuple(absences))

    def _results(self, order: Order, interrupt: Interrupt) -> Iterator[GameResult]:
        """What comes of an order; raises :class:`_Lost` when its process is, and ends when that is wanted."""
        process = self._process(order.plan)
        try:
            yield from process.results(order, self._columns, interrupt)
        except BaseException:
            process.kill()
            raise
        if interrupt.wanted():
            process.kill()

    def _process(self, plan: Plan) -> _Process:
        """The process for the files of a plan, as it was left or new."""
        files = frozenset(code for code in map(code_of, plan.line_up) if code is not None)
        process = self._processes.pop(files, None)
        if process is None or not process.alive:
            process = _Process()
        self._processes[files] = process
        while len(self._processes) > _PROCESSES:
            self._processes.popitem(last=False)[1].kill()
        return process


class _Lost(Exception):
    """A process was lost.

    Attributes:
        game: in which game, or LOADING.
        place: who of the line-up was thinking; None if nobody of whom one could say so.
        told: what happened.
        stuck: whether it had to be killed; else it ended, which others may have done to it.
    """

    def __init__(self, game: int, place: int | None, told: str, *, stuck: bool):
        super().__init__(told)
        self.game = game
        self.place = place
        self.told = told
        self.stuck = stuck


class _Losses:
    """Who is absent from which games of a chunk, from the processes that were lost over it.

    A process that has ended may have been killed by the system or by somebody, so the same is tried once
    more. Where nobody was thinking (a bot's thread, or what it has done to Python itself), all bots of
    the line-up that are from files are absent.
    """

    def __init__(self, plan: Plan, games: range):
        self.absences: list[Absence] = []
        self._bots = [place for place, text in enumerate(plan.line_up) if code_of(text) is not None]
        self._games = games
        self._ended: Counter[int | None] = Counter()
        self._kills: Counter[int | None] = Counter()

    def add(self, lost: _Lost, next_game: int) -> None:
        """Book a loss; ``next_game`` is the first of which there is no result."""
        place = lost.place if lost.place in self._bots else None
        if not lost.stuck:
            self._ended[place] += 1
            if self._ended[place] == 1:
                return
        self._kills[place] += 1
        game = lost.game if lost.game in range(next_game, self._games.stop) else next_game
        forever = lost.game == LOADING or self._kills[place] >= MOST_KILLS
        games = range(game, self._games.stop) if forever else range(game, game + 1)
        for absent in self._bots if place is None else [place]:
            self.absences.append(Absence(absent, games, _why(lost, forever=forever)))


def _why(lost: _Lost, *, forever: bool) -> str:
    told = lost.told if lost.place is not None else Phrase("while no bot was asked, {told}", told=lost.told)
    if forever:
        return Phrase("{told}; absent from these games", told=told)
    return Phrase("{told}; absent from this game", told=told)


class _Beat(NamedTuple):
    """What a pulse says."""

    calls: int
    game: int
    place: int


class _Process:
    """A process in which bots play."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="cluedo-"))
        self._pulse = Pulse.new(folder / PULSE_FILE)
        self._frames = (folder / FRAMES_FILE).open("w+", errors="replace")
        start = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from cluedo.experiments.play.supervised import main; main({str(folder)!r}, {os.getpid()})"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | ONE_THREAD,
            start_new_session=True,  # a group of its own, that can be killed with all that bots have started
        )
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()
        self._end = weakref.finalize(self, _end, self._process, self._frames, folder)

    @property
    def alive(self) -> bool:
        """Whether it can be given orders."""
        return self._end.alive and self._process.poll() is None

    def kill(self) -> None:
        """End it, and all that it has started."""
        self._end()

    def results(self, order: Order, columns: Sequence[ObservedColumn], interrupt: Interrupt) -> Iterator[GameResult]:
        """Give an order and what comes of it, with these columns of observers.

        Raises:
            _Lost: the process is.
            CluedoError: it came instead of results.
        """
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended: that shows below
            pickle.dump(order, self._process.stdin)
            self._process.stdin.flush()
        for game in (*order.games, None):
            line = self._next(order, interrupt)
            if line is None:
                return
            try:
                answer = _ANSWERS.validate_json(line)
            except ValidationError:
                raise self._lost(_FORGED, stuck=True) from None
            if answer.wrong is not None:
                raise CluedoError(answer.wrong)
            if answer.broken is not None:
                raise self._lost(Phrase("broke the game: {error}", error=answer.broken), stuck=True)
            if not _fits(answer.result, game, order.plan.seats, columns):
                raise self._lost(_FORGED, stuck=True)
            if answer.result is not None:
                yield answer.result

    def _next(self, order: Order, interrupt: Interrupt) -> bytes | None:
        """The next line that it says; None once an end is wanted.

        Time is counted only while this process runs itself: one that is stopped, or starved, blames nobody.
        """
        seen, since, looked = self._beat(), 0.0, time.monotonic()
        while not interrupt.wanted():
            over = self._process.poll() is not None  # what it has said before may be still to come
            with suppress(queue.Empty):
                line = self._answers.get(timeout=_LOOK_S)
                if not line:
                    raise self._ended()
                return line
            if over:  # and a copy of it, that a bot has made, keeps the channel open
                raise self._ended()
            now = time.monotonic()
            since += min(now - looked, 2 * _LOOK_S)
            looked = now
            if (beat := self._beat()) != seen:
                seen, since = beat, 0.0
            limit = _patience(beat, order.think_limit + order.time_bank)
            if since > limit:
                late = Phrase("took longer than {seconds:g} s and could not be interrupted", seconds=limit)
                raise self._lost(late, stuck=True)
        return None

    def _beat(self) -> _Beat:
        return _Beat(*self._pulse.read())

    def _lost(self, told: str, *, stuck: bool) -> _Lost:
        """That this process is lost, with all that is known about why."""
        if stuck and hasattr(signal, "SIGUSR1") and self._process.poll() is None:
            self._process.send_signal(signal.SIGUSR1)
            time.sleep(_DUMP_S)
        _, game, place = self._beat()
        self._frames.seek(0)
        where = told_frames((file, int(line), name) for file, line, name in _FRAME.findall(self._frames.read()))
        if where:
            told = Phrase("{told} ({where})", told=told, where=where)
        return _Lost(game, None if place == NOBODY else place, told, stuck=stuck)

    def _ended(self) -> _Lost:
        """That this process is lost because it has ended, and how."""
        how: str
        try:
            code = self._process.wait(_DUMP_S)
        except subprocess.TimeoutExpired:
            how = Phrase("or its channel")
        else:
            how = Phrase("exit code {code}", code=code)
            with suppress(ValueError):
                how = signal.Signals(-code).name
        return self._lost(Phrase("ended its process ({how})", how=how), stuck=False)


def _fits(result: GameResult | None, game: int | None, seats: int, columns: Sequence[ObservedColumn]) -> bool:
    """Whether a result can be this game's; None is none."""
    if result is None or game is None:
        return result is None and game is None
    try:
        plain_values(columns, result.observed, seats)
    except UnfitValues:
        return False
    by_seat = result.hand_sizes, result.own_turns, result.hypotheses, result.accusations, result.faults, result.think_s
    return result.game == game and {len(values) for values in by_seat} == {seats}


def _patience(beat: _Beat, think_limit: float) -> float:
    """Seconds that may pass without a beat: more than the interruptions from inside take to come."""
    if beat.game == LOADING:
        return max(LOADING_S, think_limit)
    limit = 1.25 * think_limit + 1.0
    return max(limit, _IDLE_S) if beat.place == NOBODY else limit


def _listen(stream: Any, answers: queue.SimpleQueue[bytes]) -> None:
    """Pass lines on until there are no more, then an empty one."""
    with suppress(OSError, ValueError), stream:
        for line in stream:
            answers.put(line)
    answers.put(b"")


def _end(process: subprocess.Popen[bytes], frames: TextIO, folder: Path) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    assert process.stdin is not None
    with suppress(OSError):  # what it was not told any more
        process.stdin.close()
    frames.close()
    shutil.rmtree(folder, ignore_errors=True)
