"""``cluedo experiment``: many line-ups from a file, on this machine or on a cluster, resumed where they stopped."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from cluedo.bots.naming import is_level
from cluedo.cli.options import Observe, RequireSandbox, SeedSecret, Trusted, out_folder
from cluedo.cli.running import (
    check_sandbox,
    duration,
    finish,
    play_on_screen,
    processes,
    ready_runner,
    say_how_long,
    secret_for,
    standings_table,
    tell_early_end,
    tell_faults,
    tell_score,
    this_command,
    wide_terminal,
)
from cluedo.engine.errors import CluedoError, SetupError
from cluedo.experiments.plan.experiment import Experiment, shipped_experiments
from cluedo.experiments.plan.part import AUTO
from cluedo.experiments.play.backends import BACKENDS, Backend
from cluedo.experiments.play.run import Run, expected_time
from cluedo.experiments.read.score import read_score, read_summary
from cluedo.experiments.read.telling import three_digits, without_winner
from cluedo.experiments.store.folder import EXPERIMENT, MANIFEST, command_to_continue, in_use, lock_folder
from cluedo.experiments.store.manifest import Manifest
from cluedo.experiments.store.store import Store
from cluedo.language import number, tr, tr_count

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command("run")
def run_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A TOML file, or the name of a built-in experiment.")],
    out: Annotated[
        Path | None,
        typer.Option(parser=out_folder, metavar="DIR", help="The folder of the results.", show_default="results/NAME"),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(help="Processes that play.", show_default="the available CPUs, or those of the cluster"),
    ] = None,
    backend: Annotated[
        str, typer.Option(metavar="|".join(BACKENDS), help="This machine, or a Dask or Ray cluster.")
    ] = "local",
    address: Annotated[
        str | None, typer.Option(help="The cluster's scheduler; without it one is started on this machine.")
    ] = None,
    seed_secret: SeedSecret = None,
    observe: Observe = None,
    trusted: Trusted = False,
    require_sandbox: RequireSandbox = False,
    resume: Annotated[bool, typer.Option("--resume", help="Play only what is missing in DIR.")] = False,
) -> None:
    """Play an experiment and keep its results, for `cluedo report`.

    The results are the same on any number of workers and any backend. However a run ends, finished chunks of games
    are kept, and --resume continues it.
    """
    experiment = Experiment.load(file)
    if observe:
        experiment = experiment.but(observers=(*experiment.observers, *observe))
    if trusted:
        experiment = experiment.but(trusted=True)
    where = Path("results", experiment.name) if out is None else out
    experiment = _with_its_secret(experiment, seed_secret, where if resume else None)
    place = Backend(backend, address, workers)
    if require_sandbox:
        check_sandbox(experiment, local=place.local)
    runner = ready_runner(experiment, where)
    if not resume:
        _check_not_overwritten(Path(file), where)
    with (
        lock_folder(where),
        Store(where, experiment, command=this_command(experiment.seed_secret), resume=resume) as store,
    ):
        # A bot would play games that are counted nowhere, and may take note of them.
        if place.local and not resume and all(map(is_level, experiment.levels)):
            say_how_long(experiment, workers)
        run, failure = Run(store, runner, place), None
        try:
            play_on_screen(run)
        except CluedoError as error:
            if not run.counted:  # what is stored cannot be read, so nobody knows yet how much it is
                raise
            failure = error
        finally:
            tell_faults(run.score)
        tell_early_end(run.score, failure, where)
        finish(run)
    _tell(run, where)


def _with_its_secret(experiment: Experiment, given: str | None, resumed: Path | None) -> Experiment:
    """The experiment with the secret part of its seed, if it has one.

    That is what is ``given``, or else what its file says; where neither names one, that with which the ``resumed`` run
    began, or one drawn at random if that is wanted.
    """
    wanted = experiment.seed_secret if given is None else given
    if resumed is not None and wanted in (None, AUTO) and (resumed / MANIFEST).exists():
        wanted = Manifest.read(resumed).experiment.seed_secret or wanted
    return experiment.but(seed_secret=secret_for(wanted))


def _check_not_overwritten(file: Path, where: Path) -> None:
    """Raise :class:`SetupError` where the results would overwrite the file that describes the experiment."""
    if (where / EXPERIMENT).exists() and file.exists() and file.samefile(where / EXPERIMENT):
        raise SetupError(
            "{file} is in the folder of the results, which get a file of that name; give another with --out", file=file
        )


@app.command("status")
def status(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of an experiment's results.")],
) -> None:
    """Show how far an experiment is and how its levels are doing, while it runs or afterwards."""
    terminal = wide_terminal()
    name = Manifest.read(folder).experiment.name
    if (alone := read_summary(folder)) is not None:
        games, levels = alone
        told = tr("{name}: {games:,} games, finished; only its summary is kept", name=name, games=games)
        terminal.say(told, style="bold")
        terminal.table(standings_table(levels))
        for told in without_winner(games, levels):
            terminal.say(told)
        return
    score = read_score(folder)
    values = {"name": name, "games": score.games, "wanted": score.wanted, "command": command_to_continue(folder)}
    if score.finished:
        told = tr("{name}: {games:,} of {wanted:,} games, finished", **values)
    elif in_use(folder):
        told = tr("{name}: {games:,} of {wanted:,} games, running", **values)
    else:
        told = tr("{name}: {games:,} of {wanted:,} games, not finished; continue with `{command}`", **values)
    terminal.say(told, style="bold")
    tell_score(terminal, score, *without_winner(score.games, score.standings()))
    tell_faults(score)


@app.command("list")
def list_() -> None:
    """List the experiments that come with the package."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    headings = tr("name"), tr("games"), tr("line-ups"), tr("maps"), tr("time"), tr("what it asks")
    for heading, is_number in zip(headings, (False, True, True, False, True, False), strict=True):
        table.add_column(heading, justify="right" if is_number else "left", overflow="fold")
    for name in shipped_experiments():
        experiment = Experiment.load(name)
        ready_runner(experiment)
        time = duration(expected_time(experiment).seconds / processes())
        counts = number(experiment.total), str(len(experiment.every_line_up))
        table.add_row(name, *counts, ", ".join(experiment.maps), time, Text(experiment.title))
    terminal = wide_terminal()
    terminal.table(table)
    terminal.say(
        tr_count(
            "The times are for this machine and {count} process, going by a few games played just now.",
            "The times are for this machine and {count} processes, going by a few games played just now.",
            processes(),
        )
    )


def _tell(run: Run, where: Path) -> None:
    """How it went, and what to do next."""
    score, terminal = run.score, wide_terminal()
    line_ups = len(score.experiment.every_line_up)
    if run.played:
        told = tr_count(
            "{games:,} games of {count:,} line-up, {speed} games per second",
            "{games:,} games of {count:,} line-ups, {speed} games per second",
            line_ups,
            games=score.games,
            speed=three_digits(run.played / run.elapsed_s),
        )
    else:
        told = tr_count(
            "{games:,} games of {count:,} line-up", "{games:,} games of {count:,} line-ups", line_ups, games=score.games
        )
    tell_score(terminal, score, told, *without_winner(score.games, score.standings()))
    if score.experiment.record == "none":  # no games are there to be drawn
        terminal.say(tr("The summary is in {folder}.", folder=where))
        return
    command = shlex.join(["cluedo", "report", str(where)])
    terminal.say(tr("The results are in {folder}; for pictures: {command}", folder=where, command=command))
