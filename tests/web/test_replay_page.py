"""The page that replays a game, in a real browser: it does as it is told, stays quiet, and keeps its secrets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from helpers.accessibility import faults
from helpers.browser import NEEDS_CHROMIUM, browser, quiet, url_of
from helpers.command_line import run
from helpers.other_deals import cut
from helpers.recorded import deck_game, envelopes_left, played, record_of, twins
from helpers.sites import DESKTOP, PHONE
from helpers.support import drawn_game, house, make_match, write_map
from playwright.sync_api import Page, expect

from cluedo.ai.knowledge import SatDeducer
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.ai.review import review
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation
from cluedo.engine.events import Shown, as_seen_by
from cluedo.engine.game import Game
from cluedo.engine.geometry import spots
from cluedo.engine.record import GameRecord, read_record
from cluedo.session import review_text
from cluedo.session.review_text import summary, tell_reviews
from cluedo.session.timeline import Timeline
from cluedo.web.replay_page import replay_data, replay_page
from cluedo.words.narration import Story


def in_browser(test):
    """Mark a test that needs a browser."""
    return pytest.mark.slow(NEEDS_CHROMIUM(test))


SIZES = pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])


@pytest.fixture(scope="module")
def page_file(tmp_path_factory) -> Path:
    return made(tmp_path_factory.mktemp("page"))


def made(folder: Path, *options: str, game: Game | None = None) -> Path:
    """The page of a game."""
    path = folder / "page.html"
    record = record_of(game or played(), folder / "game.jsonl", seed=31, number=4)
    run("replay", str(record), "--html", str(path), *options)
    return path


def state_of(page: Page) -> dict[str, object]:
    """What the page shows now."""
    return page.evaluate(
        """() => ({
            title: document.getElementById("turn-title").textContent,
            log: [...document.querySelectorAll("#now p")].map((line) => line.textContent),
            pawns: [...document.querySelectorAll(".pawn")].map((pawn) => pawn.style.transform),
            left: [...document.querySelectorAll("#bars .value")].map((value) => value.textContent),
            lengths: [...document.querySelectorAll("#bars .fill")].map((bar) => parseFloat(bar.style.width)),
            cells: [...document.querySelectorAll("#sheet tbody td")].map((cell) => cell.textContent),
        })"""
    )


def expected(game: Game, turn: int, viewer: int | None = None) -> dict[str, object]:
    """What it should show of log, pawns and envelopes."""
    events = game.events if viewer is None else [as_seen_by(event, viewer) for event in game.events]
    log = [sentence.text for sentence in Story(game.table, viewer).sentences(events) if sentence.turn == turn]
    if turn == game.state.turn and game.result is not None:
        log.append(Story(game.table, viewer).ending(game.result))
    part = cut(game, turn)
    seats = range(game.table.seats) if viewer is None else [viewer]
    left = [f"{envelopes_left(game, turn, seat)} left" for seat in seats]
    pawns = [f"translate({round(x, 2):g}px, {round(y, 2):g}px)" for x, y in spots(game.table.board, part.state.pawns)]
    return {"log": log, "pawns": pawns, "left": left}


def check(page: Page, game: Game, turn: int, viewer: int | None = None) -> None:
    expect(page.locator("#jump")).to_have_value(str(turn))  # a touch takes a moment
    shown, true = state_of(page), expected(game, turn, viewer)
    assert f"({turn} of {game.state.turn})" in str(shown["title"])
    assert shown["pawns"] == true["pawns"]
    assert shown["left"] == true["left"]
    by_length = sorted(zip(shown["lengths"], (int(text.split()[0]) for text in true["left"]), strict=True))
    assert [count for _, count in by_length] == sorted(count for _, count in by_length)
    if turn:
        assert shown["log"] == true["log"]


def proved(game: Game, turn: int, seat: int) -> dict[int, str]:
    """By number of the cell, the sign of what the solver proves: the envelope first, then the seats, card by card."""
    part = cut(game, turn, Accusation(*game.state.deal.envelope))
    known, seats = SatDeducer(EvidenceReader(part.view(seat)).evidence), game.table.seats
    found = {}
    for card in range(game.table.deck.size):
        for column, place in enumerate([seats, *range(seats)]):
            status = known.status(card, place)
            if status is not None:
                found[card * (seats + 1) + column] = "✓" if status else "✗"
    return found


# ---- in the browser ----------------------------------------------------------------------------


@in_browser
@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_asks_nobody_and_complains_of_nothing(page_file, screen, scheme):
    with quiet(url_of(page_file), screen, color_scheme=scheme) as page:
        for _ in range(5):
            page.keyboard.press("PageDown")
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        dark = sum(map(int, re.findall(r"\d+", paper)[:3])) < 3 * 128
        assert dark == (scheme == "dark")


@in_browser
def test_names_of_forty_letters_fit_a_phone(tmp_path):
    data = house()
    for suspect, letter in zip(data["suspects"], "MWNA", strict=True):
        suspect["name"] = letter * 40
    game = drawn_game(Board.load(str(write_map(tmp_path, data))), 3, 1)
    make_match(game, ["hard"] * 3).play()
    with quiet(url_of(made(tmp_path, game=game)), PHONE) as page:
        page.keyboard.press("End")
        expect(page.locator(".knowledge:visible")).to_have_count(1)
        log = page.locator(".log")
        assert log.evaluate("(log) => log.scrollWidth - log.clientWidth") <= 0


@in_browser
@SIZES
def test_stepping_by_keyboard_by_click_and_by_slider_shows_what_the_record_says(page_file, screen):
    game = played()
    last = game.state.turn
    with quiet(url_of(page_file), screen) as page:
        check(page, game, 0)
        for turn in (1, 2, 3):
            page.keyboard.press("ArrowRight")
            check(page, game, turn)
        for key, turn in [("ArrowLeft", 2), ("End", last), ("ArrowRight", last), ("Home", 0)]:
            page.keyboard.press(key)
            check(page, game, turn)
        ways = {"One turn forward": 1, "To the end": last, "One turn back": last - 1, "Turn 4:": 4}
        for button, turn in ways.items():
            page.get_by_role("button", name=button).click()
            check(page, game, turn)
        page.get_by_role("slider", name="Jump to a turn").fill("7")
        check(page, game, 7)
        page.goto(url_of(page_file) + "#9")
        page.reload()
        check(page, game, 9)


@in_browser
def test_swiping_over_the_board_steps_and_swiping_down_does_not(page_file):
    game = played()
    with quiet(url_of(page_file), PHONE) as page:
        touch = page.context.new_cdp_session(page)
        box = page.locator("#house").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        def swipe(across: float, down: float) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
            for part in (0.5, 1.0):
                there = [{"x": x + across * part, "y": y + down * part}]
                touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": there})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        for across, down, turn in [(-120, 5, 1), (-120, 5, 2), (120, -5, 1), (30, 90, 1)]:
            swipe(across, down)
            check(page, game, turn)


@in_browser
def test_it_plays_at_a_speed_pauses_and_stops_at_the_end(page_file):
    game = played()
    with browser() as visit:
        page = visit.page
        page.clock.install(time=0)
        page.goto(url_of(page_file))
        page.clock.pause_at(1_000)  # from here on no time passes but what is run
        page.keyboard.press("Space")
        assert page.get_by_role("button", name="Pause").count() == 1
        page.clock.run_for(1_250)
        check(page, game, 1)
        page.get_by_label("Speed").select_option("250")
        page.clock.run_for(1_010)
        check(page, game, 5)
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(5_000)
        check(page, game, 5)
        page.get_by_role("button", name="Play").click()
        page.clock.run_for(60_000)
        check(page, game, game.state.turn)
        assert page.get_by_role("button", name="Play").count() == 1


@in_browser
def test_each_view_has_its_own_log_sheet_bars_and_review(page_file):
    game = played()
    with quiet(url_of(page_file), DESKTOP) as page:
        page.keyboard.press("End")
        assert "Review: all players" in page.locator(".review:visible").inner_text()
        assert set(state_of(page)["cells"]) == {"", "✓"}
        for seat in range(4):
            name = game.table.name(seat)
            page.locator("#view").select_option(label=name)
            check(page, game, game.state.turn, seat)
            told = page.locator(".review:visible").inner_text().replace("\xa0", " ")  # before a per cent sign
            assert all(sentence in told for sentence in summary(review(game, seat), game.table))
            page.locator("h1").click()
            for turn in (game.state.turn, game.state.turn - 1):
                check(page, game, turn, seat)
                signs = {number: cell for number, cell in enumerate(state_of(page)["cells"]) if cell in "✓✗"}
                assert signs == proved(game, turn, seat)
                page.keyboard.press("ArrowLeft")
            page.keyboard.press("End")


@in_browser
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_a_review_says_of_a_turn_leads_to_that_turn(page_file, screen):
    game = played()
    with quiet(url_of(page_file), screen) as page:
        page.locator("#view").select_option(label=game.table.name(0))
        lines = page.locator(".review:visible li")
        assert lines.count() > 2
        for line in [lines.first, lines.last]:
            turn = int(re.match(r"Turn (\d+)", line.inner_text())[1])
            line.get_by_role("button").click()
            check(page, game, turn, 0)
            assert 0 <= page.locator("#turn-title").bounding_box()["y"] < 100, "it is seen at once"
        number = page.locator(".review:visible tbody button").nth(1)
        turn = int(number.inner_text())
        number.press("Enter")
        check(page, game, turn, 0)


@in_browser
def test_everything_to_press_has_a_name_and_is_large_enough_for_a_finger(page_file):
    with quiet(url_of(page_file), PHONE) as page:
        for control in page.locator(".controls button, .controls select, .controls input, #view").all():
            assert control.evaluate("(it) => it.getAttribute('aria-label') || it.labels[0].textContent.trim()")
            box = control.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert box["width"] >= 44
        assert page.locator("svg.board").get_attribute("aria-label")
        assert page.locator("#now").get_attribute("aria-live") == "polite"
        page.select_option("#view", index=1)
        page.keyboard.press("End")
        page.add_style_tag(content=".scroll { background: none }")  # axe knows no contrast over a shadow
        assert faults(page) == []


@in_browser
def test_enlarged_four_times_nothing_is_wider_than_the_window_and_keys_scroll_the_sheet(tmp_path):
    path = made(tmp_path, game=played(seats=6))
    with quiet(url_of(path), {"width": 568, "height": 320}) as page:
        page.set_viewport_size({"width": 320, "height": 256})
        sheet, turn = page.locator(".scroll").first, page.locator("#turn-title")
        before = turn.inner_text()
        sheet.press("ArrowRight")
        expect(sheet).not_to_have_js_property("scrollLeft", 0)
        assert turn.inner_text() == before
        page.locator("#forward").press("ArrowRight")
        assert turn.inner_text() != before


@in_browser
def test_the_end_of_a_long_turn_is_in_sight(tmp_path):
    path = made(tmp_path, "--lang", "fr", game=played(seats=6, deal=25, levels=("hard",) * 6))
    for width, height in ((1280, 800), (844, 390), (667, 375), (360, 640)):
        with quiet(url_of(path), {"width": width, "height": height}) as page:
            page.keyboard.press("End")
            lines, ending = (page.locator(part).bounding_box() for part in ("#now", "#now p:last-child"))
            for start, length in (("x", "width"), ("y", "height")):
                assert lines[start] <= ending[start]
                assert ending[start] + ending[length] <= lines[start] + lines[length] + 1


@in_browser
def test_a_page_of_a_deck_without_a_board_works_too(tmp_path):
    record = deck_game(tmp_path)
    run("replay", str(record), "--html", str(tmp_path / "page.html"))
    with quiet(url_of(tmp_path / "page.html"), PHONE) as page:
        page.keyboard.press("End")
        assert page.locator("#log li:visible").count() == read_record(record).result.turns + 1


@in_browser
def test_a_page_in_french(tmp_path):
    path = made(tmp_path, "--lang", "fr")
    with quiet(url_of(path), PHONE) as page:
        page.keyboard.press("End")
        text = page.inner_text("body")
        assert page.locator("html").get_attribute("lang") == "fr"
        assert not re.search(r"\b(the|turn|asks|shows|unknown|review|weapons)\b", text, re.IGNORECASE)
        assert re.search(r"reste \d+", text)


# ---- what it holds -----------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_page_for_a_seat_is_the_same_for_deals_that_it_cannot_tell_apart(tmp_path, seat):
    game, others = twins(seat)
    name = game.table.name(seat)
    true = made(tmp_path, "--as", name, game=game).read_text(encoding="utf-8")
    assert others
    for other in others:
        assert made(tmp_path, "--as", name, game=other).read_text(encoding="utf-8") == true


def test_a_page_for_a_seat_has_no_other_view_and_no_seed(tmp_path):
    game = played()
    text = made(tmp_path, "--as", game.table.name(2)).read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert [view["seat"] for view in data["views"]] == [2]
    assert [seat for seat, _ in data["views"][0]["left"]] == [2]
    assert "seed" not in text
    assert text.count('class="review"') == 1
    shown = [sentence for turn in data["views"][0]["log"] for _, sentence in turn if " shows " in sentence]
    hidden = [event for event in game.events if isinstance(event, Shown) and 2 not in (event.seat, event.asker)]
    assert sum(sentence.endswith(" a card.") for sentence in shown) == len(hidden) > 0


def test_an_open_page_has_every_seat_and_the_truth():
    game = played()
    data = replay_data(Timeline(game, ["hard"] * 4))
    assert [view["seat"] for view in data["views"]] == [None, 0, 1, 2, 3]
    deal = game.state.deal
    places = [sum(1 << card for card in deal.envelope), *deal.hands]
    truth = [100 * (cards >> card & 1) for card in range(game.table.deck.size) for cards in places]
    assert data["views"][0]["sheets"] == [truth]
    for view in data["views"][1:]:
        for sheet in view["sheets"]:
            assert all(value == true for value, true in zip(sheet, truth, strict=True) if value in (0, 100))


def test_a_person_is_told_by_their_name_alone(tmp_path):
    record = json.loads(record_of(played(), tmp_path / "game.jsonl").read_text())
    record["players"][0]["name"] = "human:Ann"
    page = replay_page(GameRecord.from_json(json.dumps(record)), played())
    assert "Rose (Ann)" in page
    assert "human:" not in page


def test_a_turning_point_in_the_last_turn_is_told_as_such(monkeypatch):
    last, who = played().state.turn, played().table.name(played().state.winner)
    monkeypatch.setattr(review_text, "turning_point", lambda *_: last)
    (said,) = tell_reviews(played(), ["hard"] * 4, None)[0].sentences
    assert said == f"{who} took the lead in the last turn: until then, somebody else knew more."


def test_names_cannot_break_out_of_the_page(tmp_path):
    game = played()
    record = read_record(record_of(game, tmp_path / "game.jsonl"))
    evil = "</script><script>alert(1)</script>"
    players = tuple(player.model_copy(update={"name": evil}) for player in record.players)
    text = replay_page(record.model_copy(update={"players": players}), game)
    assert evil not in text
    assert text.count("<script") == 2


def test_the_page_is_marked_as_ours_and_forbids_the_network(page_file):
    text = page_file.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>\n<!-- A game of Cluedo, replayed -->\n")
    assert "default-src 'none'" in text
    assert not re.search(r"(?<!xmlns=\")https?://", text)
