"""The report: its figures are those of the rows, its page needs nobody, and no name can break it."""

from __future__ import annotations

import html
import os
import re
import shlex
import shutil
import signal
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from xml.etree import ElementTree

import numpy as np
import pytest
import tomli_w
from helpers.browser import NEEDS_CHROMIUM, browser, end_chromium, url_of
from helpers.command_line import complaint, run
from helpers.reports import NASTY, facts_of
from helpers.simulated_deals import most_errors
from helpers.stores import (
    change_manifest,
    made_up,
    play,
    stored_rows,
    won_of,
    write_made_up,
    write_manifest,
    write_rows,
)
from markupsafe import Markup

from cluedo.ai.knowledge.seat_knowledge import uncertainty
from cluedo.engine.ctrl_c import INTERRUPTED
from cluedo.engine.errors import CluedoError
from cluedo.engine.record import GameRecord
from cluedo.engine.rules import Rules
from cluedo.experiments.draw.theme import figure
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.source import check_apart
from cluedo.experiments.read.stats import Estimate, wilson_interval
from cluedo.experiments.report import growth as closer_look, page as report_page, words
from cluedo.experiments.report.chart import Chart
from cluedo.experiments.report.growth import curve_of_games, look_closer
from cluedo.experiments.report.page import charts_of, render, write_report
from cluedo.experiments.report.play_charts import (
    hand_label,
    order_label,
)
from cluedo.experiments.report.report_files import check_report, remove_report
from cluedo.language import speaking

REFERENCES = ("href", "src", "srcset", "action", "data", "xlink:href")


class Page(HTMLParser):
    """What a page holds: elements, text, and what it refers to."""

    def __init__(self, text: str):
        super().__init__()
        self.text = text
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.labels: list[str] = []
        self.cells: list[list[str]] = []
        self._in_cell = False
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        told = dict(attrs)
        self.ids += [told["id"]] if "id" in told else []
        self.links += [value for name, value in attrs if name in REFERENCES]
        self.links += re.findall(r"url\(([^)]*)\)", told.get("style") or "")
        self.links += re.findall(r"url\(([^)]*)\)", told.get("clip-path") or "")
        if "aria-label" in told:
            self.labels.append(told["aria-label"])
        if tag == "tr":
            self.cells.append([])
        self._in_cell = tag in ("td", "th") or (self._in_cell and tag not in ("tr", "table"))
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data):
        if self._in_cell and self.cells and self.cells[-1]:
            self.cells[-1][-1] += data

    def row(self, name: str) -> list[str]:
        """The first row of a table that begins with this."""
        return next([cell.strip() for cell in cells] for cells in self.cells if cells and cells[0].strip() == name)


def report_of(*folders: Path, out: Path | None = None) -> Page:
    with Results.open(folders) as results:
        return Page(write_report(results, out or folders[0] / "report").read_text(encoding="utf-8"))


def words_of(*folders: Path) -> str:
    """The page without its pictures, which take most of the time."""
    facts = facts_of(*folders)
    return render(facts, {name: Markup('<svg aria-label="{}"/>').format(label) for name, label, *_ in charts_of(facts)})


def percent(share):
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Real games on two maps, with records; the folder, its rows and its page."""
    folder = tmp_path_factory.mktemp("played")
    line_ups = [("easy", "medium", "hard"), ("easy", "easy", "medium", "hard")]
    play(folder, line_ups, 24, ("tiny", "manoir"), record="full")
    rows = stored_rows(folder)
    return folder, rows, report_of(folder)


# ---- what it says ------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_rows(played):
    _, rows, page = played
    for level in ("easy", "medium", "hard"):
        mine = [row for row in rows if row["level"] == level]
        wins = sum(row["won"] for row in mine)
        rate, low, high = won_of(mine)
        cells = page.row(level)
        assert cells[1] == percent(rate)
        assert cells[2] == f"[{100 * low:.1f},\N{NO-BREAK SPACE}{100 * high:.1f}]"
        assert cells[4:6] == [f"{wins:,}", f"{len(mine):,}"]
        label = next(label for label in page.labels if label.startswith("Games won per seat, with"))
        assert f"{level} {cells[1]} {cells[2]}" in label
    games = [row for row in rows if row["seat"] == 0]
    assert f"<dd>{len(games)}</dd>" in page.text
    assert f"mean {np.mean([row['turns'] for row in games]):.1f}" in page.text


def test_the_matrix_holds_what_two_levels_won_of_each_other(played):
    _, rows, page = played
    wins = {level: sum(row["won"] for row in rows if row["level"] == level) for level in ("easy", "medium", "hard")}
    head, *table = [cells for cells in page.cells if len(cells) == 4 and "Elo" not in cells[1]][-4:]
    levels = [cell.strip() for cell in head[1:]]
    for cells in table:
        a = cells[0].strip()
        for b, cell in zip(levels, cells[1:], strict=True):
            if a == b:
                assert not cell.strip()
            else:
                assert cell.strip().startswith(percent(wins[a] / (wins[a] + wins[b])))
                assert f"{wins[a] + wins[b]:,} games" in cell


def test_games_lost_by_wrong_accusations_are_told_beside_the_matrix(tmp_path):
    rows = made_up(("a", "b", "c"), [(9, 1)] * 8)
    lost = [row for row in rows if row["level"] == "a" and not row["won"]]
    for row in lost:
        row["accused"] = 1
    write_rows(tmp_path, rows)
    beside = words_of(tmp_path).partition("<h3>One against another</h3>")[2]
    assert f"a was eliminated by a wrong accusation in {len(lost)} of its 8 seats ({percent(len(lost) / 8)})." in beside
    assert "b was" not in beside


def test_where_turns_ended_has_a_scale(played):
    folder, _, _ = played
    text = (folder / "report" / "places_1.svg").read_text()
    assert "share of all turns that ended there" in text
    assert ">0.0 %<" in text


def test_every_picture_is_there_thrice_and_says_what_it_shows(played):
    folder, _, page = played
    made = {path.name for path in (folder / "report").iterdir()}
    names = {name.removesuffix(".svg") for name in made if name.endswith(".svg")}
    assert names == {
        "win_rates", "ratings", "matrix", "maps", "thought", "growth", "places_1", "places_2", "lengths", "order",
        "hand", "differences", "settling",
    }  # fmt: skip
    assert made == {"report.html"} | {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
    for name in names:
        assert (folder / "report" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        ElementTree.parse(folder / "report" / f"{name}.svg")
    pictures = [label for label in page.labels if re.search(r"\d", label)]
    assert len(pictures) == page.tags.count("svg") == len(names) - 1  # the matrix is a table here


def test_the_page_needs_nobody_and_its_parts_do_not_meet(played):
    _, _, page = played
    assert page.links
    for link in page.links:
        assert link.startswith(("#", "data:")), link
        if link.startswith("#"):
            assert link[1:] in page.ids
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.count("style") == page.tags.count("script") == 1
    assert "@import" not in page.text


@pytest.mark.slow
def test_the_same_results_give_the_same_page(played, tmp_path):
    folder, _, page = played
    assert report_of(folder, out=tmp_path).text == page.text
    for path in (folder / "report").glob("*.svg"):
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


@pytest.mark.parametrize(
    ("strong", "told"),
    [
        (lambda number: 0, ["<strong>a</strong> wins most", "<strong>a</strong> leads <strong>b</strong> by 100.0"]),
        (
            lambda number: number % 3,
            [
                "<strong>a</strong>, <strong>b</strong> and <strong>c</strong> win equally often, and nobody",
                "<strong>a</strong> and <strong>b</strong> are level: 0.0 points per seat",
                "exclude zero: these games do not tell which is stronger. Only more games can tell.",
            ],
        ),
    ],
)
def test_the_answer_tells_a_difference_from_chance(tmp_path, strong, told):
    """The first seat of a line-up wins always, or all in turn: only the first is a difference."""
    rows = made_up(("a", "b", "c"), [(9, (strong(number) - number % 3) % 3) for number in range(90)])
    write_rows(tmp_path, rows)
    page = words_of(tmp_path)
    for sentence in told:
        assert sentence in page


@pytest.mark.parametrize(
    ("line_ups", "outcomes", "told", "untold"),
    [
        ([("a", "b", "c")], [(9, 1)] * 6, "6 games", "by a wrong accusation"),
        ([("a", "x", "x"), ("x", "b", "x")], [(9, 0), (9, 2), (9, 2)] * 20, "the two never met", "Ratings</h2>"),
        ([("a",) * 3, ("b",) * 3], [(9, 0)] * 6, "</strong> never met, so they are not compared.", "comes second"),
        ([("hard",) * 3], [(9, 0), (12, None)] * 6, "nobody to compare it with", "One against another"),
        ([("a", "b", "c")], [(1000, None)] * 6, "In 6 games nobody won.", "Ratings"),
        ([("a", "b", "c")], [(9, 1), (1000, None), (9, 0)] * 4, "Of 12 games, 4 had no winner. At the", "nobody won"),
        ([("a", "b", "c")], [(9, 1), (9, 2), (9, 0)] * 4, "At the same tables", "no winner"),
        ([("a", "b", "c")], [(9, 1)], "over 1 deal", "over 1 deals"),
    ],
)
def test_what_little_can_be_said_of_odd_results(tmp_path, line_ups, outcomes, told, untold):
    write_made_up(tmp_path, line_ups, outcomes)
    page = words_of(tmp_path)
    assert told in page
    assert untold not in page


def test_whether_seats_matter_is_told_in_whole_sentences_to_translate(tmp_path, monkeypatch):
    write_made_up(tmp_path, [("a", "b", "c")], [(9, 1), (9, 0), (9, 2)] * 20)
    facts = facts_of(tmp_path)
    for module in ("words", "play_charts"):
        monkeypatch.setattr(f"cluedo.experiments.report.{module}.tr", lambda text, **_: f"<{text}>")
    for pattern in [*words.order_verdict(facts), order_label(facts), hand_label(facts)]:
        assert re.fullmatch("<[^<>]+>", pattern)
        assert "{what}" not in pattern


def test_numbers_of_cards_are_compared_where_the_same_deck_is_dealt(tmp_path):
    """With one deck, five cards are the larger hand, with another one the smaller; with a third all hands are alike."""
    outcomes = [(9, number % 4) for number in range(1, 41)]
    for dealt in (8, 18, 22):
        rows = made_up(("a", "b", "a", "b"), outcomes, board=f"deck_{dealt}")
        rows = [row | {"hand_size": dealt // 4 + (row["seat"] < dealt % 4)} for row in rows]
        write_rows(tmp_path / f"{dealt}", rows, seed=dealt)
    facts = facts_of(*[tmp_path / f"{dealt}" for dealt in (8, 18, 22)])
    assert [(effect.players, effect.values, effect.deals) for effect in facts.by_hand] == [
        (4, (4, 5), 10),
        (4, (5, 6), 10),
    ]
    told = [sentence.split(" the number")[0] for sentence in words.hand_verdict(facts)]
    assert told == ["With 4 players, who hold 4 or 5 cards,", "With 4 players, who hold 5 or 6 cards,"]


def test_what_each_number_of_cards_wins_is_told_in_their_order(tmp_path):
    write_rows(tmp_path, made_up(("a", "b", "a", "b"), [(9, 2), (9, 3), (9, 2), (9, 3)] * 20 + [(9, 0)] * 20))
    (told,) = words.hand_verdict(facts_of(tmp_path))
    assert "who hold 4 or 5 cards, the number of cards matters: from 40.0 % to 10.0 % (p" in told


def test_who_wins_most_is_said_against_the_fair_share_where_others_win_more_of_their_seats(tmp_path):
    """Four of six games of three players are twice the fair share, three of six games of six players three times."""
    for line_up, wins in ((("a", "x", "x"), 4), (("b", *"yyyyy"), 3)):
        seats = len(line_up)
        outcomes = [(9, (-number - (number >= wins)) % seats) for number in range(6)]  # the first level, then others
        write_made_up(tmp_path / line_up[0], [line_up], outcomes)
    page = words_of(tmp_path / "a", tmp_path / "b")
    assert "Against its fair share, <strong>b</strong> wins most: 50.0" in page
    assert "<strong>a</strong> wins most: 66.7" in words_of(tmp_path / "a")


def test_only_levels_that_met_the_best_one_themselves_or_through_others_are_rated(tmp_path):
    outcomes = [(9, 0), (9, 1), (9, 0)] * 20
    write_made_up(tmp_path, [("a", "b", "b"), ("b", "c", "c"), ("x", "y", "y")], outcomes)
    facts = facts_of(tmp_path)
    together = {"a", "b", "c"} if facts.levels[0] in "abc" else {"x", "y"}
    assert set(facts.ratings) == together
    assert "have no rating" in words_of(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "turns"), [("hard", [12, 9]), ("a", [1000])])
def test_pictures_of_one_level_alone_or_of_games_that_nobody_won(tmp_path, level, turns):
    write_made_up(tmp_path, [(level,) * 3], [(number, 0 if number == 9 else None) for number in turns])
    report_of(tmp_path)
    assert not (tmp_path / "report" / "ratings.svg").exists()


@pytest.mark.slow
def test_runs_that_are_not_over_and_tests_that_stopped_say_so(tmp_path):
    rows = write_made_up(tmp_path, [("a", "b", "c")], [(9, 1)] * 6)
    played = [("a", "b", "c")], 60
    write_manifest(tmp_path, *played, finished=False)
    page = words_of(tmp_path)
    assert "6 games of 60 planned so far" in page
    write_manifest(tmp_path, *played, elapsed_s=3.0)  # autoplay tells it of what was interrupted, too
    assert "6 games of 60 planned so far" in words_of(tmp_path)
    stop = {"sprt": {"a": "a", "b": "b", "elo0": 0, "elo1": 20, "alpha": 0.05, "beta": 0.05}}
    verdict = {"part": 0, "verdict": "H1", "llr": 2.97, "deals": 2}
    write_manifest(tmp_path, *played, stop=stop, stopped=[verdict])
    page = words_of(tmp_path)
    assert "Not finished" not in page
    told = "after 2 deals a sequential test decided for H1: a is at least +20 Elo above b (log likelihood ratio 2.97)"
    assert f"manoir, a, b, c: {told}." in page
    assert "a little towards its verdict" in page
    write_manifest(
        tmp_path, [("a", "b", "c"), ("b", "a", "c")], 60, stop=stop, stopped=[verdict, verdict | {"part": 1}]
    )
    page = words_of(tmp_path)
    assert page.count("a sequential test decided") == 2
    assert page.count("Stopped by a test") == 1
    write_manifest(tmp_path, *played, stop=stop, stopped=[verdict | {"verdict": None}])
    page = words_of(tmp_path)
    assert "Stopped by a test" not in page
    assert "manoir, a, b, c: after 2 deals a sequential test has not decided whether a leads b by +0 or by +20" in page
    assert "Not finished" in page
    assert len(rows) == 18


def test_faults_are_told(tmp_path):
    rows = made_up(("a", "b", "c"), [(9, 1)] * 6)
    for row in rows:
        if row["level"] == "b" and row["game"] >= 2:
            row |= {"faults": 3, "fault": "chose <nothing>", "fault_turn": 4}
    write_rows(tmp_path, rows)
    page = Page(words_of(tmp_path))
    assert "</span> 12. A fault is a choice that failed" in page.text
    assert page.text.count("chose &lt;nothing&gt;") == 1
    assert next(cells for cells in page.cells if "chose <nothing>" in cells)[2:4] == ["2", "4"]


def test_what_observers_noted_has_a_section_of_tables_and_pictures(tmp_path):
    """Columns of seats by level and of games by line-up; 30 deals, in which the value depends on the deal alone."""
    columns = [{"name": name, "per": per, "type": "float"} for name, per in (("x", "seat"), ("y", "game"))]
    rows = made_up(("a", "b", "c"), [(9, 0)] * 90)
    for row in rows:
        row |= {"x": row["deal"] % 3 if row["level"] != "b" else None, "y": -2.5}
    write_rows(tmp_path, rows, {"x": "DOUBLE", "y": "DOUBLE"}, columns=columns)
    page = report_of(tmp_path)
    section = Page(page.text.partition('<section aria-labelledby="observed">')[2].partition("</section>")[0])
    half = 2.045 * np.std([0, 1, 2] * 10, ddof=1) / np.sqrt(30)  # Student's quantile of 29 degrees
    expected = f"1 [{1 - half:.3g},\N{NO-BREAK SPACE}{1 + half:.3g}]"
    assert section.row("a") == ["a", expected]
    assert section.row("b") == ["b", "–"]
    assert section.row("a, b, c") == ["a, b, c", "−2.5"]
    assert f"Means of x, with 95\N{NO-BREAK SPACE}% intervals. a {expected}; c {expected}" in section.labels
    assert {path.stem for path in (tmp_path / "report").glob("observed_*.svg")} == {"observed_1", "observed_2"}


def test_what_is_true_or_false_has_the_interval_of_a_share(tmp_path):
    columns = [{"name": "odd", "per": "seat", "type": "bool"}]
    rows = made_up(("a", "b", "c"), [(9, 0)] * 90)
    for row in rows:
        row["odd"] = {"a": row["deal"] == 7, "b": None, "c": False}[row["level"]]
    write_rows(tmp_path, rows, {"odd": "BOOLEAN"}, columns=columns)
    with Results.open([tmp_path]) as results:
        (noted,) = results.observed()
        won = results.standings()[0]
    low, high = wilson_interval(0, 90)
    assert noted.means["c"] == pytest.approx((0, low, high))
    assert 0 < noted.means["a"].low < 3 / 90 < noted.means["a"].high < 0.25
    assert won.seats == 90
    assert "b" not in noted.means


def test_beside_the_ratings_it_is_said_what_that_of_a_level_that_never_won_is_worth(tmp_path):
    write_made_up(tmp_path / "never", [("a", "b", "c")], [(9, 0), (9, 2), (9, 0)] * 2)
    write_made_up(tmp_path / "all", [("a", "b", "c")], [(9, 0), (9, 0), (9, 0)] * 2)
    told = "For a level that never won, a rating is only an upper bound."
    assert told in words_of(tmp_path / "never").partition("<details>")[0]
    assert told not in words_of(tmp_path / "all")


def test_where_there_is_nothing_to_draw_no_empty_picture_stands(tmp_path):
    """No curve after a single deal, and no shares of games that nobody won."""
    write_made_up(tmp_path / "one", [("a", "b", "c")], [(9, 1)] * 3)
    write_made_up(tmp_path / "none", [("a", "b", "c")], [(9, None)] * 6)
    one, none = words_of(tmp_path / "one"), words_of(tmp_path / "none")
    assert "How the differences settled" not in one
    assert "One against another" in one
    assert "How the differences settled" in none
    assert "One against another" not in none


def test_runs_of_one_title_share_it(tmp_path):
    for seed, name in enumerate(("one", "two")):
        write_made_up(tmp_path / name, [("a", "b", "c")], [(9, 1)] * 6, name=name, seed=seed)
        change_manifest(tmp_path / name, experiment={"title": "Does it pay?"})
    assert "<h1>Does it pay?</h1>" in words_of(tmp_path / "one", tmp_path / "two")


def test_a_batch_is_called_by_its_players_and_its_board(tmp_path):
    write_made_up(tmp_path, [("a", "b", "c")], [(9, 1)] * 6, name="x")
    change_manifest(tmp_path, experiment={"batch": True, "record": "full"})
    assert "<h1>a, b and c on manoir</h1>" in words_of(tmp_path)


@NEEDS_CHROMIUM
@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1280])
def test_no_heading_of_a_column_is_broken_within_a_word(tmp_path, width):
    names = ["sometimes", "constant", "hypotheses_per_turn", "questions_wasted", "unrefuted_share"] * 2
    names = [f"{name}{'_again' * (k > 4)}" for k, name in enumerate(names)]
    rows = [row | dict.fromkeys(names, 0.5) for row in made_up(("a", "b", "c"), [(9, 1)] * 6)]
    columns = [{"name": name, "type": "float", "per": "seat"} for name in names]
    write_rows(tmp_path, rows, dict.fromkeys(names, "DOUBLE"), columns=columns)
    facts = facts_of(tmp_path)
    page = render(facts, {chart.name: Markup("<svg/>") for chart in charts_of(facts)})
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    with browser(width, 900) as visit:
        visit.page.goto(url_of(tmp_path / "page.html"))
        assert visit.overflow <= 0
        lines = "node => Array.from(node.childNodes, text => text.nodeName == 'WBR' ? 0 : "
        lines += "(r => (r.selectNode(text), r.getClientRects().length))(document.createRange()))"
        for heading in visit.page.locator("th code").all():
            assert max(heading.evaluate(lines)) == 1


@pytest.mark.parametrize("given", [["--seed-secret", 'it\'s "top secret"'], ['--seed-secret=it\'s "top secret"']])
def test_the_secret_part_of_a_seed_is_not_on_the_page(tmp_path, given):
    secret = 'it\'s "top secret"'
    write_made_up(tmp_path, [("a", "b", "c")], [(9, 1)] * 6)
    command = shlex.join(["cluedo", "autoplay", *given, "--out", "x"])
    change_manifest(tmp_path, command=command, experiment={"seed_secret": secret})
    (tmp_path / "experiment.toml").write_text(tomli_w.dumps({"games": 6, "seed_secret": secret}))
    page = html.unescape(words_of(tmp_path))
    assert "top secret" not in page
    assert "cluedo autoplay" in page
    assert 'games = 6\nseed_secret = "…"' in page
    change_manifest(tmp_path, command=command + "'")
    assert "top secret" not in words_of(tmp_path)
    (tmp_path / "experiment.toml").write_text("top secret")
    assert "top secret" not in words_of(tmp_path)


def test_a_level_is_broken_after_its_signs(tmp_path):
    write_made_up(tmp_path, [("habit:guess=0.5", "hard:own_cards=never", "a")], [(9, 1)] * 6)
    assert "hard:<wbr>own_<wbr>cards=<wbr>never" in words_of(tmp_path)


def test_two_maps_whose_files_have_the_same_name_are_told_apart(tmp_path):
    rows = []
    for k, board in enumerate(("m1.json", "dd/m1.json", "maps/other.json")):
        rows += made_up(("a", "b", "c"), [(9, 1), (9, 0), (9, 1)] * 4, board=board, first_game=12 * k)
    write_rows(tmp_path, rows)
    page = words_of(tmp_path)
    assert "<dd>dd/m1.json, m1.json, other</dd>" in page
    assert "On dd/m1.json: b" in page
    assert "<dt>other</dt><dd><code>maps/<wbr>other.json</code>" in page


def test_several_experiments_on_one_page(tmp_path):
    for name in ("one", "two"):
        write_made_up(tmp_path / name, [("a", "b", "c")], [(9, 1)] * 6, name=name)
    page = words_of(tmp_path / "one", tmp_path / "two")
    assert "<h1>one and two</h1>" in page
    assert "<dd>12</dd>" in page


# ---- names -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_name_breaks_the_page_or_a_picture(tmp_path):
    write_made_up(tmp_path, [(NASTY, "a&b", "<!--")], [(9, 0), (9, 1), (9, 2)] * 4)
    page = report_of(tmp_path)
    assert page.tags.count("script") == 1
    assert "&lt;!--" in page.text
    assert not page.text.count("<script>alert")
    assert page.row("<!--")
    for path in (tmp_path / "report").glob("*.svg"):
        ElementTree.parse(path)


# ---- a closer look -----------------------------------------------------------------------------


@pytest.mark.slow
def test_growth_is_the_mean_uncertainty_of_the_seats(played):
    folder, rows, _ = played
    with Results.open([folder]) as results:
        growth = look_closer(results)
        chosen = {sampled.game for sampled in results.sample(60)}
    assert (growth.games, growth.why_not) == (60, None)
    ends = {"easy": [], "medium": [], "hard": []}
    for row in rows:
        if row["seat"] == 0 and row["game"] in chosen:
            record = GameRecord.from_json(row["record"])
            bits = uncertainty(record.replay())
            for seat, player in enumerate(record.players):
                ends[player.name].append(bits[:, seat])
    for level, curves in ends.items():
        curve = growth.curves[level]
        for turn in (0, 3, len(curve.mean) - 1):
            assert curve.mean[turn] == pytest.approx(np.mean([bits[min(turn, len(bits) - 1)] for bits in curves]))
        assert (curve.low <= curve.mean + 1e-9).all()
        assert (curve.mean <= curve.high + 1e-9).all()
    assert set(growth.places) == {"tiny", "manoir"}
    turns = sum(row["turns"] for row in rows if row["seat"] == 0 and row["game"] in chosen)
    assert sum(int(places.counts.sum()) for places in growth.places.values()) == turns


@pytest.mark.parametrize("games", [3, 5, 30])
def test_the_band_of_a_curve_holds_what_it_promises_after_few_games_too(games):
    """Resampling three games would hold in three cases of four."""
    random, held, runs = np.random.default_rng(games), 0, 400
    for _ in range(runs):
        seats = random.integers(0, 3, games) + (np.arange(games) < 2)
        curve = curve_of_games(seats[:, None] * random.normal(4.0, 1.0, (games, 1)), seats.astype(float))
        held += curve.low[0] <= 4.0 <= curve.high[0]
    assert held >= runs - most_errors(runs, 0.05)


def test_the_band_of_a_single_game_and_of_games_that_do_not_differ_has_no_width():
    for games in (1, 4):
        curve = curve_of_games(np.full((games, 2), 3.0), np.ones(games))
        assert list(curve.low) == list(curve.mean) == list(curve.high) == [3.0, 3.0]


def test_games_played_again_tell_the_same_as_their_records(tmp_path, monkeypatch):
    found, again = [], []
    played_again = closer_look._played_again
    monkeypatch.setattr(closer_look, "_played_again", lambda *game: again.append(game) or played_again(*game))
    for name, record in (("bare", "results"), ("full", "full")):
        play(tmp_path / name, [("easy", "medium", "hard")], 24, record=record)
        with Results.open([tmp_path / name]) as results:
            found.append(look_closer(results))
    bare, full = found
    assert (bare.games, full.games, len(again)) == (24, 24, 24)
    assert bare.curves["hard"].mean.tolist() == full.curves["hard"].mean.tolist()
    assert bare.places["tiny"].counts.tolist() == full.places["tiny"].counts.tolist()


def test_somebodys_code_is_not_run_for_a_report(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("raise SystemExit('run')\n", encoding="utf-8")
    write_made_up(tmp_path / "results", [(f"{bot}:Bot", "easy", "easy")], [(9, 0)] * 6)
    with Results.open([tmp_path / "results"]) as results:
        growth = look_closer(results)
    assert growth.games == 0
    assert "bots of others are not run" in growth.why_not
    assert "bots of others are not run" in words_of(tmp_path / "results")


def test_what_cannot_be_played_again_is_left_out_and_said(tmp_path):
    write_made_up(tmp_path / "other", [("easy", "easy", "medium")], [(9, 0)] * 6)
    with Results.open([tmp_path / "other"]) as results:
        assert "it ended differently" in look_closer(results).why_not
    change_manifest(tmp_path / "other", cluedo="0.0.1")
    with Results.open([tmp_path / "other"]) as results:
        assert "played by version 0.0.1" in look_closer(results).why_not


# ---- the folder --------------------------------------------------------------------------------


def test_no_picture_is_written_that_would_not_be_replaced(tmp_path, monkeypatch):
    write_made_up(tmp_path, [("a", "b", "c")], [(9, 1)] * 6)
    monkeypatch.setattr(report_page, "charts_of", lambda _: [Chart("novel", "A new one.", lambda: figure(1.0))])
    monkeypatch.setattr(report_page, "render", lambda *_: "")
    with pytest.raises(AssertionError, match=r"report_files.py has no name for novel.png, novel.svg"):
        report_of(tmp_path)
    assert not list((tmp_path / "report").iterdir())


@pytest.mark.usefixtures("no_pictures")
def test_only_what_is_ours_is_replaced(tmp_path):
    write_made_up(tmp_path / "results", [("a", "b", "c")], [(9, 1)] * 6)
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    told: list[float] = []
    with Results.open([tmp_path / "results"]) as results:
        write_report(results, out, told.append)
    assert told == sorted(told)
    assert 0 <= told[0] < 0.3
    assert 0.9 < told[-1] <= 1
    (out / "growth.svg").write_text("<svg><dc:title>cluedo</dc:title></svg>", encoding="utf-8")
    report_of(tmp_path / "results", out=out)
    assert (out / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert not (out / "growth.svg").exists()
    assert not list(out.glob(".report-*"))

    for name, text in (("report.html", "<html>mine</html>"), ("matrix.png", "mine"), ("places_9.png", "\x89PNG")):
        theirs = tmp_path / f"theirs {name}"
        theirs.mkdir()
        (theirs / name).write_text(text, encoding="utf-8")
        with pytest.raises(CluedoError, match="is in the way"):
            report_of(tmp_path / "results", out=theirs)
        assert (theirs / name).read_text(encoding="utf-8") == text


def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path, monkeypatch):
    """As with the mode 300, where foreign files would be overwritten; root may read that all the same."""
    (tmp_path / "report.html").write_text("mine", encoding="utf-8")

    def refuse(*_):
        raise PermissionError

    for listing in ("listdir", "scandir"):
        monkeypatch.setattr(os, listing, refuse)
    with pytest.raises(PermissionError):
        check_report(tmp_path)
    assert not remove_report(tmp_path)


@pytest.mark.usefixtures("no_pictures")
def test_the_command(tmp_path):
    write_made_up(tmp_path / "results", [("a", "b", "c")], [(9, 1)] * 6)
    report = "report", tmp_path / "results"
    assert run(*report, "--query", "SELECT count(*) AS n FROM games") == "n\n6\n"
    assert run(*report, "--csv").count("\n") == 19
    assert not (tmp_path / "results" / "report").exists()
    assert run(*report, "--out", tmp_path / "page") == f"The report: {tmp_path / 'page' / 'report.html'}\n"


@pytest.mark.slow
def test_a_ctrl_c_ends_a_query_that_never_would(tmp_path):
    write_made_up(tmp_path / "results", [("a", "b", "c")], [(9, 1)] * 6)
    endless = "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT max(k) FROM n"
    command = [sys.executable, "-m", "cluedo", "report", tmp_path / "results", "--query", endless]
    process = Popen(command, stderr=PIPE, text=True)
    with suppress(TimeoutExpired):
        process.wait(6)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=300)[1] in ("", "cluedo: interrupted\n")  # this while it starts
    assert process.returncode in (-signal.SIGINT, INTERRUPTED)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "there is no such folder"),
        (["results", "--query", "SELEC"], "syntax error"),
        (["results", "--csv", "--query", "SELECT 1"], "--csv and --query do not go together"),
        (["results", "--out", "file"], "is a file"),
        (["results", "--out", ""], "--out needs the path of a folder"),
        (["file"], "this is a file, not a folder of results"),
    ],
)
def test_what_is_wrong_is_one_sentence(tmp_path, monkeypatch, arguments, told):
    write_made_up(tmp_path / "results", [("a", "b", "c")], [(9, 1)] * 6)
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert told in complaint("report", *arguments)


# ---- in a browser ------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def _no_browser_left():
    yield
    end_chromium()


@contextmanager
def opened(path, width, light="light"):
    """The page at a width and in a light, held to silence: no error, and no request but for itself."""
    with browser(width, 900, color_scheme=light) as visit:
        visit.page.goto(url_of(path))
        yield visit
    requests = [url for url in visit.requests if url != url_of(path) and not url.startswith("data:")]
    assert (visit.complaints, requests) == ([], [])


def first_column(page):
    return [text.strip() for text in page.locator("table.sortable tbody th").all_inner_texts()]


@NEEDS_CHROMIUM
@pytest.mark.slow
@pytest.mark.parametrize(("width", "light"), [(375, "dark"), (1280, "light")])
def test_the_page_fits_and_is_silent(played, width, light):
    folder, _, _ = played
    with opened(folder / "report" / "report.html", width, light) as visit:
        assert visit.overflow <= 0
        assert visit.page.locator("svg.chart").count() == 12
        for chart in visit.page.locator("svg.chart").all():
            box = chart.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["height"] > 80
        ground, ink = (
            sum(map(int, re.findall(r"\d+", visit.page.evaluate(f"getComputedStyle(document.body).{name}"))[:3]))
            for name in ("backgroundColor", "color")
        )
        assert (ground > ink) == (light == "light")
        text = visit.page.locator("svg.chart text").first
        letters = sum(map(int, re.findall(r"\d+", text.evaluate("node => getComputedStyle(node).fill"))[:3]))
        assert (letters > 380) == (light == "dark")


@NEEDS_CHROMIUM
@pytest.mark.slow
@pytest.mark.parametrize("gone", ["hand", "thought", "maps", "ratings"])
def test_cards_leave_no_hole_beside_them(played, tmp_path, gone):
    facts = facts_of(played[0])
    facts = replace(facts, growth=replace(facts.growth, places={}, why_not="a game is lost"))
    pictures = {name: Markup("<svg class=chart viewBox='0 0 2 1'/>") for name, *_ in charts_of(facts) if name != gone}
    (tmp_path / "page.html").write_text(render(facts, pictures), encoding="utf-8")
    with opened(tmp_path / "page.html", 1280) as visit:
        for grid in visit.page.locator(".grid").all():
            ends = {}
            for box in [card.bounding_box() for card in grid.locator("> .card").all()]:
                ends[box["y"]] = box["x"] + box["width"]
            whole = grid.bounding_box()
            assert list(ends.values()) == [pytest.approx(whole["x"] + whole["width"])] * len(ends)


@NEEDS_CHROMIUM
@pytest.mark.slow
def test_tables_sort_by_mouse_and_by_keyboard(played):
    folder, rows, _ = played
    wins = {level: sum(row["won"] for row in rows if row["level"] == level) for level in ("easy", "medium", "hard")}
    with opened(folder / "report" / "report.html", 1280) as visit:
        page = visit.page
        page.get_by_role("button", name="Wins").click()
        assert first_column(page) == sorted(wins, key=lambda level: -wins[level])
        head = page.get_by_role("columnheader", name="Wins")
        assert head.get_attribute("aria-sort") == "descending"
        page.get_by_role("button", name="Wins").press("Enter")
        assert first_column(page) == sorted(wins, key=lambda level: wins[level])
        assert head.get_attribute("aria-sort") == "ascending"
        page.get_by_role("button", name="Level").focus()
        page.keyboard.press("Space")
        assert first_column(page) == ["easy", "hard", "medium"]
        assert head.get_attribute("aria-sort") is None
        assert page.locator("[aria-sort]").count() == 1


@NEEDS_CHROMIUM
@pytest.mark.slow
def test_long_names_fit(tmp_path):
    write_made_up(tmp_path, [(NASTY, NASTY + "2", "a" * 200, "b")], [(9, 0), (9, 1), (9, 2), (9, 2)] * 6)
    report_of(tmp_path)
    for width in (375, 1280):
        with opened(tmp_path / "report" / "report.html", width) as visit:
            assert visit.overflow <= 0
            assert visit.page.evaluate("typeof globalThis.alerted") == "undefined"


@pytest.mark.parametrize(
    ("share", "told"),
    [
        ((0.25, 0.2, 0.31), "25.0 % [20.0, 31.0]"),
        ((0.00006, 0.00003, 0.00009), "0.006 % [0.003, 0.009]"),
        ((0.99998, 0.9999, 1.0), "99.998 % [99.990, 100.000]"),
        ((0.0, 0.0, 0.0004), "0.00 % [0.00, 0.04]"),
        ((1 - 2**-53, 0.9, 1.0), "100.0 % [90.0, 100.0]"),
        ((0.5, np.nan, np.nan), "50.0 %"),
        ((0.98, 0.95, 1.02), "98.0 % [95.0, 100.0]"),
        ((0.02, -0.03, 0.07), "2.0 % [0.0, 7.0]"),
    ],
)
def test_a_share_is_written_within_its_interval(share, told):
    assert words.rate(Estimate(*share)).replace("\N{NO-BREAK SPACE}", " ") == told


def test_no_game_is_counted_twice(tmp_path, monkeypatch):
    """Neither those of a folder named in two ways, nor those of a copy of it."""
    one, two = tmp_path / "one", tmp_path / "two"
    rows = write_made_up(one, [("a", "b", "c")], [(5, 0)] * 6)
    shutil.copytree(one, two)
    monkeypatch.chdir(tmp_path)
    with Results.open([one, Path("one"), two / ".." / "one"]) as results:
        assert results.games() == len(rows) / 3
    told = f"{one} and {two} hold the same games, which would count twice: a,b,c on manoir, seed 0; give one of the two"
    assert complaint("report", one, two) == told
    assert not (one / "report").exists()
    change_manifest(two, hash="that of a player that has changed")
    with Results.open([one, two]) as results:
        check_apart(results.sources)


def test_rules_ratings_and_what_is_read_out_of_a_chart_are_written_as_their_reader_writes_them(tmp_path):
    write_rows(tmp_path, made_up(("a", "b", "c"), [(5, 0), (6, 1), (9, 1)]), rules=Rules(last_wins=True))
    with speaking("fr"):
        page = words_of(tmp_path)
    assert "last_wins=true</dd>" in page
    assert re.search(r"<td>\[\d+\xa0;\s\d+\]</td>", page)
    read_out = " ".join(re.findall(r'aria-label="([^"]*)"', page))
    assert "\xa0; " in read_out
    assert not re.search(r"[\w)\]]; ", read_out)


def test_the_mean_of_a_single_deal_has_no_interval(tmp_path):
    rows = [row | {"points": row["seat"] / 3} for row in made_up(("a", "b", "c"), [(5, 0)] * 3)]
    write_rows(tmp_path, rows, {"points": "DOUBLE"}, columns=[{"name": "points", "type": "float", "per": "seat"}])
    assert "<td>0.333</td>" in words_of(tmp_path)
