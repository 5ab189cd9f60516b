"""Reading results: what SQL counts is what a plain loop counts; nothing but the results can be reached."""

from __future__ import annotations

import csv
import io
import textwrap
from collections import Counter, defaultdict

import duckdb
import numpy as np
import pytest
from helpers.cases import cases, some
from helpers.laboratory import contents
from helpers.programs import told_by_python
from helpers.stores import (
    change_manifest,
    made_up,
    play,
    stored_rows,
    won_of,
    write_chunk,
    write_made_up,
    write_manifest,
    write_rows,
)
from hypothesis import given, settings, strategies as st

from cluedo.engine.errors import CluedoError
from cluedo.engine.rules import Rules
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.score import read_score
from cluedo.experiments.read.stats import rate_difference
from cluedo.experiments.store.folder import ResultsError
from cluedo.language import speaking, tr

POINTS = {"columns": [{"name": "points", "type": "float", "per": "seat"}]}
"""The part of a manifest that says so of a column."""

LINE_UPS = (("easy", "medium", "easy"), ("hard", "easy", "medium", "hard"))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Real games on the smallest map: the folder, and its rows."""
    folder = tmp_path_factory.mktemp("played") / "trial"
    play(folder, [("easy", "medium", "random"), ("easy", "hard", "easy")], 21)
    return folder, stored_rows(folder)


def sample_of_games(seed, count):
    rng = np.random.default_rng(seed)
    return [
        (int(turns), None if winner > 2 else int(winner)) for turns, winner in rng.integers([1, 0], [90, 4], (count, 2))
    ]


def rows_from(text):
    return list(csv.DictReader(io.StringIO("".join(text))))


# ---- what is counted ---------------------------------------------------------------------------


def check_counts(results, rows):
    by_level = defaultdict(list)
    for row in rows:
        by_level[row["level"]].append(row)
    standings, play = results.standings(), results.play()
    assert set(play) == set(by_level)
    assert {entry.level for entry in standings} == set(by_level)
    for entry in standings:
        mine = by_level[entry.level]
        fair = sum(1 / (row["line_up"].count(",") + 1) for row in mine) / len(mine)
        assert (entry.wins, entry.seats, entry.rate) == (sum(row["won"] for row in mine), len(mine), won_of(mine))
        assert entry.fair_share == pytest.approx(fair, abs=1e-12)
        assert play[entry.level].hypotheses == pytest.approx(sum(row["hypotheses"] for row in mine) / len(mine))
        assert play[entry.level].wrong == sum(
            row["accused"] - (row["won"] and row["reason"] == "solved") for row in mine
        )
        assert entry.faults == sum(row["faults"] for row in mine)
        thought = sum(row["think_ms"] for row in mine) / max(1, sum(row["own_turns"] for row in mine))
        assert play[entry.level].think_ms == pytest.approx(thought, rel=1e-3, abs=1e-4)
    strengths = [entry.win_rate / entry.fair_share for entry in standings]
    assert strengths == sorted(strengths, reverse=True)

    games = [row for row in rows if row["seat"] == 0]
    assert results.games() == len(games)
    lengths = Counter((row["reason"], row["turns"]) for row in games)
    assert {(reason, turns): n for reason, found in results.lengths().items() for turns, n in found.items()} == lengths
    assert results.line_ups() == sorted({tuple(row["line_up"].split(",")) for row in games})
    for name, found in (("hand_size", results.by_hand_size()), ("order", results.by_order())):
        hands = Counter()
        for row in rows:
            hands[row["game"]] += row["hand_size"]
        wins, played = Counter(), Counter()
        for row in rows:
            players = row["line_up"].count(",") + 1
            at_hand = players, hands[row["game"]], row["hand_size"]
            key = at_hand if name == "hand_size" else (players, 0, (row["seat"] - row["first"]) % players + 1)
            played[key] += 1
            wins[key] += row["won"]
        told = Counter(
            (groups.players, value, int(groups.wins[:, k].sum()), int(groups.games[:, k].sum()))
            for groups in found
            for k, value in enumerate(groups.values)
        )
        assert told == Counter((key[0], key[2], wins[key], played[key]) for key in played)


@pytest.mark.parametrize("seats", [2, 7, 10])
def test_results_of_two_players_and_of_more_than_six_are_read(tmp_path, seats):
    """As editions have it; a fair share is exact however many play."""
    line_up = ("medium", *["random"] * (seats - 1))
    rules = Rules(movement="free", pool=3 if seats == 2 else 0)
    play(tmp_path / "trial", [line_up], seats, maps=["master"], rules=rules)
    with Results.open([tmp_path / "trial"]) as results:
        check_counts(results, stored_rows(tmp_path / "trial"))


def test_counts_of_real_games(played):
    folder, rows = played
    with Results.open([folder]) as results:
        check_counts(results, rows)
        assert results.sources[0].over


def test_a_terminal_and_a_report_say_the_same_of_a_level(tmp_path):
    """Whether the rows are counted as they come or by the database, and though line-ups of two sizes share a level."""
    play(tmp_path, LINE_UPS, 24, ("tiny", "manoir"))
    with Results.open([tmp_path]) as results:
        assert sorted(results.standings()) == sorted(read_score(tmp_path).standings())


def test_a_terminal_and_a_report_name_the_same_first_faults(tmp_path):
    code = "from cluedo.ai.level_easy import EasyPlayer\n\nclass Lost(EasyPlayer):\n    choose_move = None\n"
    (tmp_path / "bot.py").write_text(code)
    lost = f"{tmp_path}/bot.py:Lost"
    play(tmp_path / "played", [("easy", "medium", "easy"), ("easy", lost, "medium"), (lost,) * 3], 6, trusted=True)
    with Results.open([tmp_path / "played"]) as results:
        (fault,) = results.first_faults()
    assert read_score(tmp_path / "played").first_faults() == [fault]
    assert (fault.level, fault.experiment, fault.game) == (lost, "trial", 6)


NAMES = st.sampled_from(["a", "b", "c'd", "é:x=1"])


@pytest.mark.slow
@settings(max_examples=10)
@given(
    outcomes=st.lists(st.tuples(st.integers(1, 65535), st.none() | st.integers(0, 2)), min_size=1, max_size=30),
    line_ups=st.lists(st.lists(NAMES, min_size=3, max_size=6), min_size=1, max_size=4, unique_by=tuple),
)
def test_counts_of_any_rows(tmp_path_factory, outcomes, line_ups):
    folder = tmp_path_factory.mktemp("rows")
    rows = write_made_up(folder, line_ups, outcomes)
    with Results.open([folder]) as results:
        check_counts(results, rows)
        check_deals(results, rows)


def check_deals(results, rows):
    """Pairs and tables hold what a loop over the rows finds."""
    deals = results.deals()
    for a in deals.levels:
        for b in deals.levels:
            if a == b:
                continue
            expected = defaultdict(lambda: [0, 0, 0, 0, 0])
            for row in rows:
                line_up = row["line_up"].split(",")
                if a in line_up and b in line_up and row["level"] in (a, b):
                    key, at = (len(line_up), row["deal"]), 0 if row["level"] == a else 2
                    expected[key][at] += row["won"]
                    expected[key][at + 1] += 1
                    expected[key][4] = len(line_up)
            pair = deals.pair(a, b)
            found = [] if pair is None else [tuple(map(int, row)) for row in zip(*pair, strict=True)]
            assert sorted(found) == sorted(map(tuple, expected.values()))
    seats, wins, numbers = deals.table()
    assert len(set(zip(numbers.tolist(), map(tuple, seats.tolist()), strict=True))) <= len(numbers)
    assert wins.sum() == sum(row["won"] for row in rows)
    line_ups = {tuple(row["line_up"].split(",")) for row in rows}
    assert {tuple(row) for row in seats.tolist()} == {
        tuple(line_up.count(level) for level in deals.levels) for line_up in line_ups
    }


def test_deals_of_several_seeds_scatter_about_one_rate(tmp_path):
    """A deal of each of ten seeds, with games that all end alike, is worth no more than ten deals of one seed."""
    ends = [[(9, (level - rotation) % 3) for rotation in range(3)] for level in [0, 1] * 5]
    of_one = made_up("abc", [game for deal in ends for game in deal])
    of_many = [row for seed, deal in enumerate(ends) for row in made_up("abc", deal, seed=seed, first_game=3 * seed)]
    told = []
    for name, rows in (("one", of_one), ("many", of_many)):
        write_rows(tmp_path / name, rows)
        with Results.open([tmp_path / name]) as results:
            told.append([entry[1:] for entry in results.standings()])
            check_counts(results, rows)
    assert told[0] == told[1]


def test_deals_are_the_same_for_all_line_ups_of_one_size(tmp_path):
    write_made_up(tmp_path, [("a", "b", "c"), ("a", "a", "b")], [(5, 0), (6, 1), (7, 2)] * 4)
    with Results.open([tmp_path]) as results:
        pair = results.deals().pair("a", "b")
        assert len(pair.wins_a) == 4
        assert set(map(int, pair.seats_a)) == {9}
        assert results.deals().pair("b", "c").seats_a.tolist() == [3] * 4
        assert len(results.deals().table()[2]) == 8


@pytest.mark.parametrize("wider", [("float", "DOUBLE"), ("int", "BIGINT")])
def test_a_column_that_is_of_two_types_is_of_the_wider_one(tmp_path, wider):
    rows = made_up(("a", "b", "c"), [(9, 0)] * 6)
    kinds = ("bool", "BOOLEAN", True), (*wider, 3)
    for type_, kind, value in kinds:
        columns = [{"name": "x", "per": "seat", "type": type_}]
        write_rows(tmp_path / type_, [row | {"x": value} for row in rows], {"x": kind}, columns=columns)
    for order in (kinds, kinds[::-1]):
        with Results.open([tmp_path / type_ for type_, *_ in order]) as results:
            assert results.observed()[0].means["a"].value == 2
            assert rows_from(results.query("SELECT DISTINCT typeof(x) AS type FROM seats")) == [{"type": wider[1]}]


def test_a_deal_is_one_observation_on_whatever_map(tmp_path):
    """The cards and the dice are the same on all of them; and deals come as they were played, not map by map."""
    outcomes = ([(5, number**2 % 3) for number in range(6)] + [(6, 1)] * 6) * 3
    boards = [made_up(("a", "b", "c"), outcomes, board=board) for board in ("manoir", "tiny")]
    four = made_up(("a", "b", "a", "b"), [(5, 0)] * 12, board="tiny")
    for k, rows in enumerate((*boards, four)):
        write_rows(tmp_path / f"of_{k}", [row | {"points": 1.0} for row in rows], {"points": "DOUBLE"}, **POINTS)
    folders = [tmp_path / f"of_{k}" for k in range(3)]
    with Results.open(folders) as results:
        assert results.deals().pair("a", "b").seats_a.tolist() == [6, 8] * 3 + [6] * 9
        three, _ = results.by_order()
        assert three.games.tolist() == [[6, 6, 6]] * 12
        assert results.observed()[0].means["a"].value == 1.0
    with Results.open(folders[:1]) as one, Results.open(folders[:2]) as two:
        pairs = [results.deals().pair("a", "b") for results in (one, two)]
        assert rate_difference(*pairs[0], seed=0) == rate_difference(*pairs[1], seed=0)


def test_a_level_that_never_had_a_turn_has_no_thinking_time_per_turn(tmp_path):
    """It answered, so it thought; and its game was over before its first turn."""
    rows = made_up(("a", "b", "c"), [(1, 0)])
    write_rows(tmp_path, [row | {"own_turns": int(row["seat"] == 0)} for row in rows])
    with Results.open([tmp_path]) as results:
        assert {level: play.think_ms for level, play in results.play().items()} == {"a": 1.5, "b": 0.0, "c": 0.0}


def test_the_sample_is_the_same_each_time_and_takes_of_every_line_up(tmp_path):
    write_made_up(tmp_path, LINE_UPS, sample_of_games(1, 40))
    with Results.open([tmp_path]) as results:
        sample = results.sample(10)
        assert sample == results.sample(10) == results.sample(40)[:10]
        assert len({(chosen.experiment, chosen.game) for chosen in sample}) == 10
        assert sum(chosen.game < 40 for chosen in sample) == 5
        assert len(results.sample(1000)) == 80


# ---- CSV and SQL -------------------------------------------------------------------------------


def test_csv_holds_every_seat_of_every_game_in_order(played):
    folder, rows = played
    with Results.open([folder]) as results:
        told = rows_from(results.csv())
    assert [(int(row["game"]), int(row["seat"])) for row in told] == [(row["game"], row["seat"]) for row in rows]
    for row, said in zip(rows, told, strict=True):
        assert said["experiment"] == "trial"
        for name in ("map", "line_up", "level", "reason"):
            assert said[name] == row[name]
        for name in ("turns", "own_turns", "hypotheses", "accused", "hand_size", "first", "deal", "seed"):
            assert int(said[name]) == row[name]
        assert said["won"] == str(row["won"]).lower()
        assert said["winner_seat"] == ("" if row["winner_seat"] is None else str(row["winner_seat"]))


def test_queries(played):
    folder, rows = played
    with Results.open([folder]) as results:
        games = rows_from(results.query("SELECT * FROM games"))
        assert len(games) == 42
        names = "experiment,game,map,line_up,deal,rotation,seed,first,winner_seat,winner,reason,turns"
        assert ",".join(games[0]) == names
        seats = rows_from(results.query("FROM seats"))
        assert len(seats) == len(rows)
        query = "SELECT count(*) AS n FROM games JOIN seats USING (experiment, game) WHERE seat - first < 0 AND won"
        [answer] = rows_from(results.query(query))
        assert int(answer["n"]) == sum(row["won"] and row["seat"] < row["first"] for row in rows)
        assert rows_from(results.query("DESCRIBE games"))[0]["column_name"] == "experiment"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 AS n -- why not",
        "WITH x AS (FROM seats) SELECT count(*) FROM x",
        "SUMMARIZE games",
        "SHOW TABLES",
        "PIVOT games ON reason USING count(*);",
        "SELECT * FROM (PIVOT games ON reason USING count(*))",
        "PIVOT games ON reason IN ('solved') USING count(*)",
        "UNPIVOT (SELECT turns, first FROM games) ON turns, first",
        "(SELECT 1) UNION ALL VALUES (2)",
        "TABLE games",
    ],
)
def test_queries_that_read(played, sql):
    with Results.open([played[0]]) as results:
        assert rows_from(results.query(sql))


# Statements that leave something behind, or would.
WRITES = (
    "COPY (SELECT 1) TO '{chunk}' (FORMAT parquet, USE_TMP_FILE false)",
    "COPY games TO '{folder}/stolen.csv'",
    "COPY games TO '/dev/stdout'",
    "EXPORT DATABASE '{folder}/all'",
    "ATTACH '{folder}/x.db'",
    "CREATE TABLE t AS FROM games",
    "CREATE SECRET (TYPE s3)",
    "INSERT INTO games FROM games",
    "DELETE FROM games",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("", "one SQL statement, not 0"),
        ("SELECT '\udcff'", "a statement in UTF-8"),
        ("SELECT 1; SELECT 2", "one SQL statement, not 2"),
        ("SELECT 1; COPY games TO '{folder}/stolen.csv'", "one SQL statement, not 2"),
        ("SELEC", "syntax error"),
        ("SELECT nothing FROM games", '"nothing" not found'),
        ("SELECT * FROM '{path}'", "disabled by configuration"),
        ("SELECT * FROM '{chunk}'", "disabled by configuration"),
        ("SELECT * FROM read_text('{path}')", "disabled by configuration"),
        ("SELECT * FROM read_csv('https://example.org/x.csv')", "disabled"),
        ("SELECT * FROM query_table('{path}')", "disabled by configuration"),
        ("SELECT * FROM query('COPY games TO ''{folder}/stolen.csv''')", "SELECT statement"),
        ("SELECT * FROM glob('{folder}/*')", "disabled by configuration"),
        ("SELECT * FROM sniff_csv('{path}')", "disabled by configuration"),
        ("SELECT getenv('HOME')", "does not exist"),
        ("FROM enable_logging(storage = 'file', storage_path = '{folder}/log')", ""),
        *((sql, "only reads") for sql in WRITES),
        *((f"EXPLAIN ANALYZE {sql}", "") for sql in some(WRITES, 4)),
        *((f"WITH x AS ({sql}) FROM x", "") for sql in some(WRITES, 4)),
        *((f"WITH x AS MATERIALIZED ({sql}) FROM x", "") for sql in some(WRITES, 4)),
        ("EXPLAIN ANALYZE SELECT 1", "only reads"),
        ("WITH x AS (DELETE FROM games RETURNING *) FROM x", "read-only"),
        ("COPY (PIVOT games ON reason) TO '{chunk}'", "only reads"),
        ("CREATE TABLE t AS PIVOT games ON reason", "only reads"),
        ("INSTALL httpfs", "only reads"),
        ("SET enable_external_access = true", "only reads"),
        ("PRAGMA database_list", "only reads"),
        ("PREPARE p AS COPY games TO '{folder}/stolen.csv'", "only reads"),
        ("FROM rows", "does not exist"),
        ("FROM observed_rows", "does not exist"),
        ("SELECT error('no')", "no"),
        ("SELECT 1 WHERE 'x'::INTEGER = 1", "Could not convert"),
    ],
)
def test_a_query_only_reads_the_results(played, tmp_path, monkeypatch, sql, told):
    folder, _ = played
    monkeypatch.chdir(tmp_path)
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n", encoding="utf-8")
    chunk = next((folder / "chunks").glob("*.parquet"))
    before = contents(folder), contents(tmp_path)
    rows = [object()]  # somebody's variable, which DuckDB would find by its name
    with Results.open([folder]) as results, pytest.raises(ResultsError) as error:
        list(results.query(sql.format(path=secret, folder=tmp_path, chunk=chunk)))
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert before == (contents(folder), contents(tmp_path))
    assert rows


# ---- which folders are results -----------------------------------------------------------------


def refusal(*folders):
    with pytest.raises(CluedoError) as error:
        Results.open(list(folders))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_folders_that_are_none(tmp_path):
    assert "there is no such folder" in refusal(tmp_path / "nowhere")
    assert "it has no manifest.json" in refusal(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "this is a file, not a folder" in refusal(tmp_path / "file")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "a manifest is a JSON object, not a list"),
        ('{"name": "x"}', "not the manifest of an experiment"),
        ('{"format": 1, "hash": 3, "cluedo": "", "name": "x"}', "not the manifest of an experiment: hash"),
        *(
            (f'{{"format": 1, "hash": "", "cluedo": "", "name": "x", "experiment": {wrong}}}', "experiment")
            for wrong in ("null", "[]", '"x"', "{}", '{"cls": 1}')
        ),
        ('{"format": 2, "hash": "", "cluedo": "", "name": "x"}', "format 2 is newer"),
        ('{"format": 0, "hash": "", "cluedo": "", "name": "x"}', "not the manifest of an experiment: format must be 1"),
        ('{"format": "one", "hash": "", "cluedo": "", "name": "x"}', "format must be 1"),
    ],
)
def test_manifests_that_are_none(tmp_path, text, told):
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    assert told in refusal(tmp_path)


def test_no_games_yet(tmp_path):
    write_manifest(tmp_path, LINE_UPS, 6, finished=False)
    assert "holds no games yet" in refusal(tmp_path)
    (tmp_path / "chunks").mkdir()
    (tmp_path / "chunks" / ".cluedo-0123.part").write_bytes(b"PAR1")
    assert "holds no games yet" in refusal(tmp_path)


def test_games_that_were_not_kept(tmp_path):
    write_manifest(tmp_path, LINE_UPS, 6)
    change_manifest(tmp_path, experiment={"record": "none"})
    assert 'record = "results"' in refusal(tmp_path)


@pytest.mark.parametrize("kept", [0, 100, -1])
def test_a_file_that_is_half_written_is_named(tmp_path, kept):
    write_made_up(tmp_path, LINE_UPS, [(9, 0)] * 6)
    broken = tmp_path / "chunks" / "00000001.parquet"
    broken.write_bytes(broken.read_bytes()[:kept])
    assert str(broken) in refusal(tmp_path)
    assert "00000001.parquet: cannot be read: " in refusal(tmp_path)
    with pytest.raises(CluedoError) as error:
        Results.open([tmp_path])
    with speaking("fr"):
        assert "ne peut pas être lu" in tr(error.value)


def test_a_foreign_file_is_named(tmp_path):
    write_made_up(tmp_path, LINE_UPS, [(9, 0)] * 6)
    foreign = tmp_path / "chunks" / "other.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 1::BIGINT AS game, 'x' AS map) TO '{foreign}' (FORMAT parquet)")
    assert str(foreign) in refusal(tmp_path)
    assert "no column 'line_up'" in refusal(tmp_path)


def test_several_experiments_of_one_name(tmp_path):
    for name in ("one", "two"):
        write_made_up(tmp_path / name, [("a", "b", "c")], [(9, 0)] * 3, name="trial")
    write_made_up(tmp_path / "three", [("a", "b", "c")], [(9, 0)] * 3, name="other")
    with Results.open([tmp_path / "one", tmp_path / "two", tmp_path / "three", tmp_path / "one"]) as results:
        assert [source.name for source in results.sources] == ["one", "two", "other"]
        assert results.games() == 9
        told = rows_from(results.query("SELECT experiment, count(*) AS n FROM games GROUP BY ALL ORDER BY ALL"))
    assert told == [{"experiment": name, "n": "3"} for name in ("one", "other", "two")]


def test_any_name_of_a_folder(tmp_path):
    folder = tmp_path / "it's [1] * {odd} ? é"
    write_made_up(folder.with_name("plain"), [("a", "b", "c")], [(9, 0)] * 3)
    folder.with_name("plain").rename(folder)
    folder.with_name("it's 1 x {odd} y é").mkdir()
    with Results.open([folder]) as results:
        assert results.games() == 3
        assert len(rows_from(results.query("FROM seats"))) == 9


def test_chunks_are_read_in_the_order_of_their_games(tmp_path):
    for number, start in enumerate((6, 0, 3)):
        rows = made_up(("a", "b", "c"), [(9, 0)] * 3, first_game=start)
        write_chunk(tmp_path / "chunks" / f"{number:08}.parquet", rows)
    write_manifest(tmp_path, [("a", "b", "c")], 9)
    with Results.open([tmp_path]) as results:
        assert [int(row["game"]) for row in rows_from(results.csv())] == [game for game in range(9) for _ in range(3)]


# ---- many --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_memory_does_not_grow_with_the_games(tmp_path):
    """A million games of four are counted (in CI fewer), and 400,000 rows printed, in less than 1 GB."""
    write_rows(tmp_path, made_up(("a", "b", "c", "d"), [(20 + game % 17, game % 4) for game in range(10_000)]))
    first = tmp_path / "chunks" / "00000000.parquet"
    with duckdb.connect() as connection:
        for chunk in range(1, cases(100, 20)):
            later = f"game + {10_000 * chunk} AS game, deal + {2_500 * chunk} AS deal"
            connection.execute(
                f"COPY (SELECT * REPLACE ({later}) FROM '{first}') TO '{first.with_stem(f'{chunk:08}')}'"
            )
    program = """
        import itertools, resource, sys
        from pathlib import Path
        from cluedo.experiments.read.head_to_head import HeadToHead, settling
        from cluedo.experiments.report.facts import _effects, _pairs
        from cluedo.experiments.read.results import Results
        with Results.open([Path(sys.argv[1])]) as results:
            levels = [entry.level for entry in results.standings()]
            results.lengths(), results.line_ups(), results.sample(60)
            _effects(results.by_order()), _effects(results.by_hand_size())
            for pair in _pairs(results.deals(), levels).values(): HeadToHead.of(pair), list(settling(pair))
            for piece in itertools.islice(results.csv(), 40): pass
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    """
    assert int(told_by_python("-c", textwrap.dedent(program), tmp_path)) < 1000
