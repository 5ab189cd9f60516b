"""Statistics of one's own: observers, their columns, and what is wrong with them."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import duckdb
import numpy as np
import pytest
from helpers.command_line import complaint, run
from helpers.laboratory import MIXED, played, rows_of, small
from helpers.stores import change_manifest

from cluedo.ai.knowledge import CHOICE
from cluedo.ai.knowledge.seat_knowledge import uncertainty
from cluedo.engine.errors import CluedoError
from cluedo.engine.record import GameRecord
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.score import read_score
from cluedo.experiments.read.stats import clustered_mean
from cluedo.experiments.rows.observer import GREATEST, ObservedColumn, UnfitValues
from cluedo.experiments.rows.observers import OBSERVERS, columns_of
from cluedo.experiments.store.folder import ResultsError
from cluedo.experiments.store.store import Store, StoreReader

EXAMPLES = Path(__file__).parents[3] / "examples"

STATISTICS = '''
from cluedo.engine.events import Accused, Rolled, TurnEnded
from cluedo.experiments import Observer

class Pips(Observer):
    """What was rolled: by seat, on average, and by game."""
    per_seat = {"order": float, "first_to_roll": bool}
    per_game = {"pips": int}

    def on_deal(self, game):
        self.rolls = [[] for _ in game.levels]
        self.first = None

    def on_event(self, event):
        if isinstance(event, Rolled):
            self.rolls[event.seat] += event.dice
            self.first = event.seat if self.first is None else self.first

    def on_result(self, result):
        return {
            "order": [sum(pips) / len(pips) if pips else None for pips in self.rolls],
            "first_to_roll": [seat == self.first for seat in range(len(self.rolls))],
            "pips": sum(map(sum, self.rolls)),
        }

class Known(Observer):
    """What a seat knew in the end, and whether on_turn is called between the right events."""
    per_seat = {"bits": float, "cards": int}
    per_game = {"in_step": bool, "looks": int}

    def on_deal(self, game):
        self.ended, self.looks, self.in_step, self.behind = 0, 0, True, 0

    def on_event(self, event):
        self.ended += isinstance(event, TurnEnded)

    def on_turn(self, turn, seats):
        self.looks += 1
        self.in_step &= self.behind == 0
        self.behind = turn - self.ended  # in the end 1 if the last turn was won in
        self.bits = [seat.knowledge.bits for seat in seats]
        self.cards = [seat.view.hand.bit_count() for seat in seats]

    def on_result(self, result):
        in_step = self.in_step and self.behind < 2
        return {"bits": self.bits, "cards": self.cards, "in_step": in_step, "looks": self.looks}

class Fails(Pips):
    def on_event(self, event):
        if isinstance(event, Accused):
            raise KeyError("no such seat")
        super().on_event(event)

'''

BOT = "from cluedo.ai.level_easy import EasyPlayer\nclass Bot(EasyPlayer):\n    pass\n"


@pytest.fixture
def statistics(tmp_path):
    """The text of an observer of the file above, to which more lines may be added, by its class."""
    path = tmp_path / "stat.py"

    def named(name, *more):
        path.write_text("\n".join([STATISTICS, *more]), encoding="utf-8")
        return f"{path}:{name}"

    return named


def records_of(path: Path) -> list[dict]:
    return [json.loads(record) for (record,) in rows_of(path, "record") if record]


# What is noted


def test_the_shipped_observers_say_what_the_records_say(tmp_path):
    played(small(games=24, observers=tuple(OBSERVERS)), tmp_path)
    noted = rows_of(tmp_path, "unrefuted, own_named, rooms_entered, passages")
    expected = []
    for record in records_of(tmp_path):
        events = record["events"]
        for seat, player in enumerate(record["players"]):
            asked = [k for k, e in enumerate(events) if e["type"] == "hypothesis" and e["seat"] == seat]
            shown = sum(next(e for e in events[k + 1 :] if e["type"] != "pass")["type"] == "show" for k in asked)
            named = [len(set(events[k]["cards"]) & set(player["hand"])) for k in asked]
            moves = [e["to"] for e in events if e["type"] == "move" and e["seat"] == seat]
            passages = sum(e["type"] == "secret_passage" and e["seat"] == seat for e in events)
            mean = sum(named) / len(named) if named else None
            expected.append((len(asked) - shown, mean, sum(isinstance(to, str) for to in moves), passages))
    assert noted == expected
    assert len({row[0] for row in noted}) > 1
    assert any(row[1] is None for row in noted)


def test_columns_have_their_types_and_one_of_a_game_is_the_same_in_all_its_rows(tmp_path, statistics):
    played(small(observers=(statistics("Pips"),)), tmp_path)
    with duckdb.connect() as connection:
        found = connection.read_parquet(f"{tmp_path}/chunks/*.parquet")
        kinds = dict(zip(found.columns, map(str, found.types), strict=True))
    assert (kinds["order"], kinds["first_to_roll"], kinds["pips"]) == ("DOUBLE", "BOOLEAN", "BIGINT")
    pips = [sum(sum(e["dice"]) for e in r["events"] if e["type"] == "roll") for r in records_of(tmp_path)]
    assert [row[0] for row in rows_of(tmp_path, "pips")] == [value for value in pips for _ in MIXED]
    firsts = [next(e["seat"] for e in r["events"] if e["type"] == "roll") for r in records_of(tmp_path)]
    assert [s for s, first in rows_of(tmp_path, "seat, first_to_roll") if first] == firsts


def test_an_observer_sees_what_each_seat_knows_after_each_turn(tmp_path, statistics):
    watchers = statistics("Known"), f"{EXAMPLES}/first_proof.py:FirstProof"
    played(small(("hard", "medium", "random"), games=9, observers=watchers), tmp_path)
    noted = iter(rows_of(tmp_path, "bits, first_proof, cards, hand_size, in_step, looks"))
    proofs = []
    for record in records_of(tmp_path):
        known = uncertainty(GameRecord.from_json(json.dumps(record)).replay(), CHOICE)
        for seat, (bits, first, cards, size, in_step, looks) in zip(range(3), noted, strict=False):
            proved = np.flatnonzero(known[:, seat] < 1e-9)
            assert bits == pytest.approx(known[-1, seat])
            assert first == (proved[0] if proved.size else None)
            assert (cards, looks) == (size, len(known))
            assert in_step
            proofs.append(first)
    assert None in proofs
    assert any(proofs)


@pytest.mark.slow
def test_the_same_on_any_number_of_workers_and_beside_bots_from_files(tmp_path, statistics, eager_workers):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, encoding="utf-8")
    line_ups = ("random", "easy", "medium"), ("random", f"{bot}:Bot", "medium")
    experiment = small(line_ups=line_ups, games=12, observers=("unrefuted", statistics("Pips")))
    for name, backend in (("one", Backend("local", None, 1)), ("two", Backend("local", None, 2))):
        assert played(experiment, tmp_path / name, backend=backend).score.means().mean("pips", None)
    assert rows_of(tmp_path / "one") == rows_of(tmp_path / "two")
    noted = rows_of(tmp_path / "one", 'unrefuted, "order", first_to_roll, pips')
    assert noted[: 12 * 3] == noted[12 * 3 :]


def test_means_are_those_of_the_rows_and_leave_out_nulls(tmp_path, statistics):
    score = played(small(observers=("own_cards", statistics("Pips"))), tmp_path).score
    asked = f"FROM '{tmp_path}/chunks/*.parquet'"
    with duckdb.connect() as connection:
        by_level = dict(connection.execute(f"SELECT level, avg(own_named) {asked} GROUP BY level").fetchall())
        pips = connection.execute(f"SELECT avg(pips) {asked} WHERE seat = 0").fetchone()
    summary = score.summary()
    assert {level: one["observed"]["own_named"] for level, one in summary["levels"].items()} == pytest.approx(by_level)
    assert summary["observed"] == {"pips": pytest.approx(pips[0])} == summary["parts"][0]["observed"]
    assert read_score(tmp_path).summary() == summary


def test_without_observers_a_summary_speaks_of_none(tmp_path):
    summary = played(small(), tmp_path).score.summary()
    assert "observed" not in json.dumps(summary)


def test_sql_and_csv_have_the_columns_and_null_where_an_experiment_lacks_them(tmp_path, statistics):
    played(small(observers=("unrefuted", statistics("Pips")), record="results"), tmp_path / "a")
    played(small(observers=("unrefuted",), seed=6, record="results"), tmp_path / "b")
    played(small(seed=7, record="results"), tmp_path / "c")
    with Results.open([tmp_path / name for name in "abc"]) as results:
        query = "SELECT experiment, count(first_to_roll), count(unrefuted) FROM seats GROUP BY 1 ORDER BY 1"
        told = "".join(results.query(query))
        assert [line.split(",")[1:] for line in told.split()[1:]] == [["88", "88"], ["0", "88"], ["0", "0"]]
        assert "".join(results.query("SELECT count(pips) FROM games")).split() == ["count(pips)", "22"]
        head, *rows = "".join(results.csv()).splitlines()
        assert head.split(",")[-4:] == ["pips", "unrefuted", "order", "first_to_roll"]
        assert len(rows) == 3 * 88
        results.standings()
        results.deals()


# What an experiment keeps of them


def test_they_are_kept_in_the_experiment_and_a_run_that_goes_on_has_the_same(tmp_path, statistics):
    experiment = small(observers=("rooms", statistics("Pips")))
    played(experiment, tmp_path / "out")
    assert Experiment.load(tmp_path / "out" / "experiment.toml") == experiment
    with StoreReader.open(tmp_path / "out") as store:
        assert store.observed == columns_of(experiment.observers)
        assert store.experiment.observers == experiment.observers
    (tmp_path / "out" / "chunks" / "00000001.parquet").unlink()
    assert played(experiment, tmp_path / "out", resume=True).played == 8
    for other in (small(), small(observers=("rooms",)), experiment.but(observers=(*experiment.observers, "unrefuted"))):
        with pytest.raises(ResultsError, match="results of another experiment"):
            Store(tmp_path / "out", other, command="", resume=True)
    (tmp_path / "stat.py").write_text(STATISTICS + "# changed\n", encoding="utf-8")
    with pytest.raises(ResultsError, match=r"a file has changed since .*stat\.py\); give"):
        Store(tmp_path / "out", experiment, command="", resume=True)


def test_an_experiment_without_observers_has_the_hash_that_it_had_before_there_were_any():
    assert small().digest() == "5ff50f6118d467e51d2a8f8b5301b57e5b8b132e2572a4398acda396737335f5"


def test_looking_at_results_runs_no_observer(tmp_path, statistics):
    experiment = small(observers=(statistics("Pips"),), record="results")
    before = played(experiment, tmp_path / "out").score.summary()
    (tmp_path / "stat.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    assert read_score(tmp_path / "out").summary() == before
    assert "first_to_roll" in run("experiment", "status", tmp_path / "out")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("'many' AS pips", "its column 'pips' is VARCHAR, not BIGINT"),
        ("'infinity'::DOUBLE AS \"order\"", r'seat 0, order is inf, where "order" IS NULL OR abs\("order"'),
        ('1e300::DOUBLE AS "order"', r'seat 0, order is 1e\+?300, where "order" IS NULL OR abs\("order"'),
    ],
)
def test_columns_are_checked_when_they_are_read(tmp_path, statistics, change, told):
    played(small(observers=(statistics("Pips"),)), tmp_path)
    path = tmp_path / "chunks" / "00000001.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS SELECT * REPLACE ({change}) FROM '{path}'")
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    path.with_name("SHA256SUMS").unlink()
    with pytest.raises(ResultsError, match=told):
        read_score(tmp_path)
    with pytest.raises(CluedoError, match="00000001"):
        Results.open([tmp_path])


@pytest.mark.parametrize(
    "columns",
    [
        [{"name": "turns", "per": "seat", "type": "int"}],
        [{"name": 'x" FROM seats; --', "per": "seat", "type": "int"}],
        [{"name": "x", "per": "table", "type": "int"}],
        "x",
    ],
)
def test_a_manifest_that_speaks_of_other_columns_is_no_manifest(tmp_path, columns):
    played(small(observers=("unrefuted",)), tmp_path)
    change_manifest(tmp_path, columns=columns)
    for read in (read_score, lambda path: Results.open([path])):
        with pytest.raises(CluedoError, match="not the manifest of an experiment"):
            read(tmp_path)


# On the command line


def test_autoplay_prints_and_keeps_the_means(tmp_path, statistics):
    games = ("autoplay", "--map", "tiny", "--games", "8", "--players", "random,easy,random", "--workers", "1")
    out = run(*games, "--observe", "unrefuted", "--observe", statistics("Pips"), "--out", tmp_path / "out")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert set(summary["players"]["easy"]["observed"]) == {"unrefuted", "order", "first_to_roll"}
    assert set(summary["observed"]) == {"pips"}
    assert f"pips: {summary['observed']['pips']:.3g} per game" in out
    assert "\nmeans per seat\n" in out
    row = next(line for line in out.splitlines() if line.split()[:1] == ["easy"] and "%" not in line)
    assert row.split()[2] == f"{summary['players']['easy']['observed']['order']:.3g}"
    assert "observed" not in json.loads(run(*games, "--json"))


def test_an_experiment_is_watched_by_those_of_its_file_and_of_the_command(tmp_path):
    (tmp_path / "mine.toml").write_text(small(observers=("rooms",), record="results").to_toml(), encoding="utf-8")
    command = ("experiment", "run", tmp_path / "mine.toml", "--out", tmp_path / "out", "--workers", "1")
    assert {"rooms_entered", "unrefuted"} <= set(run(*command, "--observe", "unrefuted").split())
    assert "results of another experiment" in complaint(*command, "--resume")


def test_the_help_names_every_observer_that_comes_with_the_program():
    for command in (["autoplay"], ["experiment", "run"]):
        told = re.sub(r"[\s│]+", " ", run(*command, "--help"))
        assert f"Add a statistic to the results: {', '.join(OBSERVERS)} or path" in told


# What is wrong


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["class Other: pass"], "no subclass of cluedo.experiments.rows.observer.Observer is called 'Bad'; "),
        (["class Bad(Pips): per_seat = {'turns': int}"], "there is a column 'turns' already"),
        (["class Bad(Pips): per_seat = {'two words': int}"], "not a valid column: name"),
        (["class Bad(Pips): per_seat = {'said': str}"], "not a valid column: type"),
        (["class Bad(Pips): per_seat = per_game = {}"], "it declares no columns"),
        (["class Bad(Pips): per_seat = ['pips']"], "per_seat and per_game are dicts"),
        (["class Bad(Pips):", "  def __init__(self): 1 / 0"], "the observer cannot be made, line "),
        (["class Bad(Observer): per_seat = {'x': int}"], "the observer cannot be made: TypeError"),
    ],
)
def test_an_observer_that_cannot_be_is_one_sentence_before_anything_is_written(tmp_path, statistics, lines, told):
    out = tmp_path / "out"
    assert told in complaint("autoplay", "--games", 8, "--observe", statistics("Bad", *lines), "--out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["unrefused"], "no observer is called 'unrefused'; did you mean 'unrefuted'"),
        (["there_is_none.py:Class"], "there is no such file"),
        (["rooms", "rooms"], "observers[1]: 'rooms' stands there twice"),
    ],
)
def test_a_wrong_name_is_one_sentence(arguments, told):
    assert told in complaint("autoplay", "--games", 8, *[w for text in arguments for w in ("--observe", text)])


@pytest.mark.slow
@pytest.mark.parametrize("line_up", [("random",) * 4, ("random", "BOT", "random", "random")], ids=["levels", "bot"])
@pytest.mark.parametrize(
    ("noted", "told"),
    [
        (None, "raised KeyError\\('no such seat'\\) \\(stat.py:[0-9]+ in on_event\\), over game 0 of"),
        ("noted | {'order': [1.0]}", "order: 4 values are needed, one for each seat, not \\[1.0\\]"),
        ("noted | {'pips': 'many'}", "pips: a whole number from -9007199254740992 to 9007199254740992 or"),
        (
            "noted | {'order': [float('inf')] * 4}",
            "order: a number from -1e\\+100 to 1e\\+100 or None is needed, not inf",
        ),
        ("{'pips': 3}", "a dict of first_to_roll, order, pips is needed"),
        ("next(x for x in iter(int, 1) if x)", "took longer than the think limit .*over game 0"),
        ("sys.exit(3)", "raised SystemExit\\(3\\)"),
    ],
)
def test_an_observer_that_fails_ends_the_run_with_one_sentence(tmp_path, statistics, line_up, noted, told):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, encoding="utf-8")
    line_up = tuple(text.replace("BOT", f"{bot}:Bot") for text in line_up)
    bad = ["import sys", "class Bad(Pips):", "  def on_result(self, result):"]
    bad += ["    noted = super().on_result(result)", f"    return {noted}"]
    observer = statistics("Bad", *bad) if noted else statistics("Fails")
    limit = 0.5 if "took longer" in told else 60.0
    with pytest.raises(CluedoError, match=told) as caught:
        played(small(line_up=line_up, observers=(observer,), think_limit=limit), tmp_path / "out")
    assert observer.rpartition("/")[2] in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        ("int", 2**53 + 1, "x: a whole number from -9007199254740992 to 9007199254740992 or None is needed, not 900"),
        ("float", 1e101, "x: a number from -1e+100 to 1e+100 or None is needed, not 1e+101"),
        ("float", math.nan, "x: a number from -1e+100 to 1e+100 or None is needed, not nan"),
        ("float", 10**400, "x: a number from -1e+100 to 1e+100 or None is needed, not 1000"),
        ("float", np.float32("-inf"), "x: a number from -1e+100 to 1e+100 or None is needed, not np.float32(-inf)"),
    ],
)
def test_a_value_beyond_what_is_stored_is_refused_with_the_limit(kind, value, told):
    with pytest.raises(UnfitValues, match=re.escape(told)):
        ObservedColumn(name="x", per="game", type=kind).plain(value)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_number_of_numpy_is_stored_as_pythons(kind):
    assert ObservedColumn(name="x", per="game", type="float").plain(kind(0.5)) == 0.5


def test_the_largest_values_that_are_stored_have_a_mean_and_an_interval():
    sums = GREATEST * np.array([1.0, -1.0, 1.0] * 100)
    with np.errstate(all="raise"):
        assert np.isfinite(clustered_mean(sums, np.ones(300))).all()
