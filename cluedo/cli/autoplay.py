"""``cluedo autoplay``: lets levels play each other; this is an experiment with one line-up on one map."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias, get_args

import typer

from cluedo.ai.levels import split_players
from cluedo.ai.player import USUAL_CLOCK
from cluedo.cli.options import (
    EditionName,
    Observe,
    RequireSandbox,
    SeedSecret,
    SetRules,
    ThinkLimit,
    TimeBank,
    Trusted,
    out_folder,
    seeded_map,
)
from cluedo.cli.running import (
    check_sandbox,
    finish,
    play_on_screen,
    ready_runner,
    secret_for,
    tell_early_end,
    tell_faults,
    tell_score,
    this_command,
    wide_terminal,
)
from cluedo.cli.terminal import notify
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError, SetupError
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.part import Engine
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.chunks import runner_of
from cluedo.experiments.play.run import NoStore, Run
from cluedo.experiments.read.telling import three_digits
from cluedo.experiments.report.report_files import FOLDER, remove_report
from cluedo.experiments.store.folder import lock_folder, results_in
from cluedo.experiments.store.store import ResultsThere, Store
from cluedo.language import tr, tr_count
from cluedo.session.boards import BATCH_MAP

__all__ = ["autoplay"]

_PLAYERS = "medium,medium,hard,hard"


Players: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="The line-up: levels (see `cluedo levels`) or path/to/bot.py:Class, separated by commas.",
        show_default=_PLAYERS,
    ),
]
Games: TypeAlias = Annotated[int, typer.Option(help="How many games are played.")]
Seed: TypeAlias = Annotated[int, typer.Option(help="The master seed; the same seed gives the same games.")]
MapName: TypeAlias = Annotated[str | None, seeded_map(BATCH_MAP)]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        parser=out_folder,
        metavar="DIR",
        help="Write summary.json, games.jsonl, win_rates.png and what `cluedo report` reads into this folder.",
    ),
]
Workers: TypeAlias = Annotated[
    int | None,
    typer.Option(
        help="Processes that play; fewer if there are too few games for so many.", show_default="the available CPUs"
    ),
]
EngineName: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="|".join(get_args(Engine)),
        help="What plays: `compiled` knows random, easy, medium, hard and blueprint, up to six of them, and is fast.",
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the summary as JSON instead of a table.")]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace older cluedo results in DIR.")]


def autoplay(
    players: Players = None,
    games: Games = 400,
    seed: Seed = 0,
    seed_secret: SeedSecret = None,
    edition: EditionName = None,
    map_: MapName = None,
    rule: SetRules = None,
    out: Out = None,
    workers: Workers = None,
    engine: EngineName = "python",
    clock: ThinkLimit = USUAL_CLOCK,
    time_bank: TimeBank = 0.0,
    trusted: Trusted = False,
    require_sandbox: RequireSandbox = False,
    observe: Observe = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Let levels play each other, and show who wins.

    Every deal is played once with each rotation of the line-up round the table, so that luck and seat cancel. Ctrl-C
    stops early and reports the games that are finished.
    """
    if force and out is None:
        raise SetupError("--force replaces results in the folder of --out, which is not given")
    chosen = Edition.chosen(edition, BATCH_MAP, map_, rule or ())
    line_up = tuple(split_players(chosen.line_up(_PLAYERS) if players is None else players))
    chosen.check_players(len(line_up))
    backend = Backend("local", workers=workers)
    experiment = Experiment.of(
        name="autoplay",
        maps=(chosen.map,),
        line_ups=(line_up,),
        games=games,
        seed=seed,
        seed_secret=secret_for(seed_secret),
        record="none" if out is None else "full",
        batch=out is not None,
        think_limit=clock.think_limit,
        time_bank=time_bank,
        trusted=trusted,
        observers=tuple(observe or ()),
        engine=engine,
        rules=chosen.rules,
    )
    if require_sandbox:
        check_sandbox(experiment)
    runner = ready_runner(experiment, out)
    with _store(experiment, out, force=force) as store:
        run = Run(store, runner, backend)
        failure = None
        try:
            play_on_screen(run)
        except CluedoError as error:
            failure = error
        if run.score.games:
            finish(run)
            _report(run, as_json=as_json)
    tell_early_end(run.score, failure, out if run.score.games else None)


@contextmanager
def _store(experiment: Experiment, out: Path | None, *, force: bool) -> Iterator[Store | NoStore]:
    """Where the results go; by force, older ones are removed here, so everything else has been checked before."""
    if out is None:
        yield NoStore(experiment)
        return
    if force:
        _check_not_needed(experiment, out)
    command = this_command(experiment.seed_secret)
    with lock_folder(out):
        try:
            store = Store(out, experiment, command=command, replace=force)
        except ResultsThere as error:
            raise SetupError("{error}, or --force to replace them", error=error) from None
        with store:
            if replaced := store.replaced + [FOLDER] * (force and remove_report(out / FOLDER)):
                notify(tr("--force replaces in {folder}: {names}", folder=out, names=", ".join(replaced)))
            yield store


def _check_not_needed(experiment: Experiment, out: Path) -> None:
    """Raise :class:`SetupError` where --force would remove a file that takes part, such as exchanges to be replayed."""
    results = [(out / name).resolve() for name in results_in(out)]
    players = [player for part in experiment.parts for player in runner_of(part, experiment.conditions).players]
    named = [Path(value) for player in players for _, value in player.arguments if isinstance(value, str)]
    for file in (*experiment.own_files(), *named):
        if any(file.resolve().is_relative_to(result) for result in results):
            raise SetupError("{file} is needed for these games, and --force would remove it", file=file)


def _report(run: Run, *, as_json: bool) -> None:
    """The summary on standard output, and faults on standard error."""
    summary = run.batch_summary()
    if as_json:
        sys.stdout.write(json.dumps(summary, indent=2) + "\n")
    else:
        told = tr_count(
            "{count:,} game: {unsolved:,} unsolved, {unfinished:,} unfinished, "
            "{turns:.1f} turns on average, {speed} games per second",
            "{count:,} games: {unsolved:,} unsolved, {unfinished:,} unfinished, "
            "{turns:.1f} turns on average, {speed} games per second",
            summary["games"],
            unsolved=summary["unsolved"],
            unfinished=summary["unfinished"],
            turns=summary["mean_turns"],
            speed=three_digits(summary["games_per_s"]),
        )
        tell_score(wide_terminal(), run.score, told)
    tell_faults(run.score)
