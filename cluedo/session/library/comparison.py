"""``cluedo.compare``: many games between the same players, and who is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from os.path import expanduser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from markupsafe import Markup

from cluedo.ai.levels import check_list
from cluedo.ai.player import USUAL_CLOCK, Clock, check_clock
from cluedo.engine.board_and_rules import AnyBoard, AnyRules, board_and_rules
from cluedo.engine.ctrl_c import postpone_interrupt
from cluedo.engine.deal import whole_seed
from cluedo.engine.errors import PlayerError, SetupError, one_line, short_repr
from cluedo.engine.validation import whole_number
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.chunks import ChunkRunner
from cluedo.experiments.play.run import Run
from cluedo.experiments.read import telling
from cluedo.experiments.read.head_to_head import HeadToHead
from cluedo.experiments.read.score import Score
from cluedo.experiments.read.source import load_rows
from cluedo.experiments.store.folder import lock_folder
from cluedo.experiments.store.store import Store
from cluedo.session.boards import BATCH_MAP
from cluedo.session.library.arguments import source_of
from cluedo.session.library.one_game import elements

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

__all__ = ["Comparison", "compare"]

T = TypeVar("T")


class Comparison:
    """How players did over many games.

    Attributes:
        experiment: what was played: ``experiment.to_toml()`` is the file that plays it again.
        scores: by player, once each and in the order of the line-up, the seats that it had, ``wins``, ``win_rate``
            (per seat) with its 95 % interval ``ci95``, ``fair_share``, and ``faults``.
        head_to_head: of two kinds of players, how far the first is ahead of the other at the same tables; None for
            other line-ups, and where nobody has won.
    """

    def __init__(self, score: Score, results: DuckDBPyConnection):
        self.experiment = score.experiment
        self.scores = tuple(score.standings())
        self.head_to_head: HeadToHead | None = score.tallies[0].head_to_head()
        self._results = results  # open as long as its rows may be asked for

    @property
    def rows(self) -> DuckDBPyRelation:
        """A row for each seat of each game, as a relation of DuckDB (the columns: ``docs/formats.md``).

        Filter, aggregate or query it with SQL; ``rows.fetchnumpy()``, ``rows.df()``, ``rows.pl()`` and
        ``rows.arrow()`` convert it for numpy, pandas, polars and Arrow, if they are installed.
        """
        return self._results.table("results")

    def __repr__(self) -> str:
        table = telling.standings_rows(self.scores)
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = (
            "  ".join([name.ljust(widths[0]), *map(str.rjust, cells, widths[1:])]).rstrip() for name, *cells in table
        )
        return "\n".join([*lines, *self._told()])

    def _repr_html_(self) -> str:
        """The scores as a table and what they say, for a notebook."""
        head, *rows = telling.standings_rows(self.scores)
        body = elements("tr", (elements("td", row) for row in rows))
        return Markup("<table><caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table>{}").format(
            telling.standings_note(), elements("th", head), body, elements("p", self._told())
        )

    def _told(self) -> list[str]:
        """How many games nobody won, and of two kinds of players the difference and how sure it is, in sentences."""
        told = telling.without_winner(self.experiment.total, self.scores)
        if self.head_to_head is None:
            return told
        first, second = (one_line(score.level) for score in self.scores)
        return told + telling.comparison(self.head_to_head, first, second, self.experiment.parts[0].seats)


def compare(
    players: Sequence[str],
    *,
    games: int = 400,
    seed: int = 0,
    board: AnyBoard = BATCH_MAP,
    rules: AnyRules = None,
    workers: int | None = None,
    clock: Clock = USUAL_CLOCK,
    trusted: bool = False,
    observers: Sequence[str] = (),
    out: str | Path | None = None,
) -> Comparison:
    """Let players play many games, each deal once with each rotation of the line-up round the table.

    The same arguments give the same games as ``cluedo autoplay``, by however many workers.

    Args:
        players: their texts, as on the command line; a class of yours is named by its file, for it plays in
            processes that can load it: ``"my_bot.py:MyBot"``.
        games: how many are played.
        seed: the master seed.
        board: as for :func:`cluedo.play`, but it has to have a name or a file.
        rules: as for :func:`cluedo.play`.
        workers: how many processes play; all CPUs of this machine if left out.
        clock: the time that each player has: 30 seconds for an answer, if nothing else is said.
        trusted: run classes of files and packages in the processes that play, not in processes of their own.
        observers: statistics that add columns to the rows, as of ``cluedo autoplay --observe``: ``"unrefuted"``,
            ``"my_statistic.py:MyStatistic"``.
        out: a folder that keeps the results, for ``cluedo report``; where it has some of these games already, only the
            others are played. Without it, nothing is left on disk.

    Raises:
        CluedoError: in one sentence, if there can be no such games.
        KeyboardInterrupt: it was interrupted, by Ctrl-C say.
    """
    check_list(players)
    if not all(isinstance(text, str) for text in players):
        raise PlayerError("compare takes a list of players' texts; a class is named by its file, as my_bot.py:MyBot")
    check_clock(clock)
    if clock.think_limit is None:
        raise SetupError("compare needs a think limit, or a player that hangs would hold it up for ever")
    if out is not None and not (isinstance(out, str | PathLike) and str(out)):
        raise SetupError("out is the path of a folder, not {what}", what=short_repr(out))
    found, chosen = board_and_rules(board, rules, len(players))
    backend = Backend(workers=_plain(workers))
    experiment = Experiment.of(
        name="compare",
        maps=(source_of(found),),
        line_ups=(tuple(players),),
        games=_plain(games),
        seed=whole_seed(seed),
        rules=chosen,
        trusted=trusted,
        observers=observers,
        **clock._asdict(),
    )
    return _played(experiment, backend, out)


def _plain(number: T) -> T | int:
    """A whole number of numpy's as Python's; anything else as it is, to be refused where it is read."""
    whole = whole_number(number, 0)
    return number if whole is None else whole


def _played(experiment: Experiment, backend: Backend, out: str | Path | None) -> Comparison:
    """Play an experiment; raises KeyboardInterrupt if somebody ends it before it is over."""
    runner = ChunkRunner.of(experiment)
    with _folder(out) as folder, Store(folder, experiment, command="cluedo.compare", resume=True) as store:
        run = Run(store, runner, backend)
        with run.interrupt:
            run.play_all()
        if not run.score.finished:
            raise KeyboardInterrupt
        run.finish()
        with postpone_interrupt():  # a KeyboardInterrupt from in there aborts the process
            import duckdb
        results = duckdb.connect()
        load_rows(results, folder)
    return Comparison(run.score, results)


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Path]:
    """The given folder, or a temporary one."""
    if out is None:
        with TemporaryDirectory(prefix="cluedo-") as folder:
            yield Path(folder)
    else:
        where = Path(expanduser(out))  # noqa: PTH111 - ~nobody is no error
        with lock_folder(where):
            yield where
