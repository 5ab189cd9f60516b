"""Games in real browsers: two people and two levels, from the invitation to a right accusation, whatever happens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.accessibility import faults
from helpers.browser import NEEDS_CHROMIUM, Visit, browser
from helpers.cases import some
from helpers.french import ENGLISH
from helpers.sites import DESKTOP, PHONE, Server, served
from playwright.sync_api import Error, Locator, Page, Route, TimeoutError, expect

from cluedo.engine.record import GameRecord
from cluedo.session.tables import online_table
from cluedo.session.tables.turn_clock import TurnClock

pytestmark = [pytest.mark.slow, NEEDS_CHROMIUM]

SEED = 3
"""Of every game here: its cards and dice let happen what the tests wait for."""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("site"), seed=SEED)
    try:
        yield server
    finally:
        server.end()


@contextmanager
def browsers(*screens: dict[str, Any]) -> Iterator[list[Visit]]:
    """Windows of people who know nothing of each other."""
    with ExitStack() as windows:
        options = {"reduced_motion": "reduce", "locale": "en-GB"}
        visits = [windows.enter_context(browser(**options | screen)) for screen in screens]
        yield visits


def open_table(page: Page, server: Server, *others: str, board: str = "tiny", clock: str = "0") -> str:
    """Open a table by its form; its link."""
    page.goto(f"{server.url}play")
    page.fill("[name=name]", "Ann")
    page.select_option("[name=map]", board)
    page.select_option("[name=clock]", clock)
    for number in range(1, 6):
        page.select_option(f"[name=seat-{number}]", others[number - 1] if number <= len(others) else "")
    page.locator("main button.primary").click()
    page.wait_for_selector(".lobby")
    return page.url


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.fill("[name=name]", name)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(".lobby")


def deal(*pages: Page) -> None:
    """Deal the cards. From now on a card that is shown, which lies over everything, is tapped away."""
    pages[0].locator("button.primary:not([disabled])", has_text="Deal the cards").click()
    for page in pages:
        page.wait_for_selector("#prompt:not(:empty)")
        leave_cards(page)
        page.add_locator_handler(page.locator("#shown"), lambda shown: shown.click())


def two_at_a_table(ann: Page, bob: Page, server: Server, *others: str) -> str:
    """Open a table for two people and these levels, and deal; its link."""
    link = open_table(ann, server, "open", *others)
    join(bob, link, "Bob")
    deal(ann, bob)
    return link


def leave_cards(page: Page) -> None:
    """From now on a card that is shown is left where it is."""
    page.remove_locator_handler(page.locator("#shown"))


def leave(page: Page) -> None:
    """Leave the table in the middle of its game, or after it."""
    page.locator("#people-open").click()
    page.locator("#leave button").click()
    page.locator("#talk .danger").click()


def at_a_table(page: Page, server: Server) -> str:
    """Open a table with two levels, and deal; its link."""
    link = open_table(page, server, "easy", "easy")
    deal(page)
    return link


@contextmanager
def seated(server: Server, screen: dict[str, Any]) -> Iterator[Page]:
    """Somebody at a table with two levels, whose page complains of nothing."""
    with browsers(screen) as (visit,):
        at_a_table(visit.page, server)
        yield visit.page
        assert not visit.complaints


def wait_until(page: Page, so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    for _ in range(6_000):  # two minutes
        if so():
            return
        page.wait_for_timeout(20)
    pytest.fail(f"it did not come to pass: {page.locator('#doing').inner_text()}")


def who_may_act(*pages: Page) -> Page | None:
    """Who may do something now; nobody once the game is over."""
    for _ in range(6_000):  # two minutes
        for page in pages:
            if page.locator("#actions button:not([disabled])").count():
                return page
        if pages[0].locator("#end:visible").count():
            return None
        pages[0].wait_for_timeout(20)
    pytest.fail(f"nobody may do anything: {[page.locator('#doing').inner_text() for page in pages]}")


def wait_for_one(*pages: Page) -> Page:
    """Who may do something now."""
    page = who_may_act(*pages)
    assert page is not None, "the game is over"
    return page


def name_cards(page: Page, names: list[str]) -> None:
    """Three taps: a suspect, a weapon, and the word."""
    for name in names:
        page.locator("#chooser button", has=page.get_by_text(name, exact=True)).click()


def act(page: Page) -> None:
    """Something sensible: ask where one can, go to a room where one can, else the first that is offered.

    From then on nothing can be pressed until the page tells what has come of it.
    """
    if page.locator("#chooser:visible").count():
        for group in groups(page):
            group.locator("button").nth(0).click()
        page.locator("#actions button.primary").click()
    elif page.locator("#actions button.go").count():
        page.locator("#actions button.go").first.click()
    else:
        page.locator("#actions button:not([disabled])").first.click()


GO_ON = """() => {
  if (document.querySelector(".tip")) return;
  const press = (what) => document.querySelector(what)?.click();
  if (document.querySelector("#chooser").checkVisibility()) {
    for (const group of document.querySelectorAll("#chooser section")) group.querySelector("button").click();
    press("#actions button.primary");
  } else press(document.querySelector("#actions button.go") ? "#actions button.go" : "#actions button:not([disabled])");
}"""
"""As :func:`act`, unless a tip is there: looked at and done at once, so that none can come in between."""


def go_on(page: Page) -> None:
    """Tap a card that is shown away, or act if one may now and no tip has come meanwhile, or wait a little."""
    if page.locator("#shown:visible").count():
        page.locator("#shown").dispatch_event("click")  # a tip that has come meanwhile may lie over its middle
    elif page.locator("#actions button:not([disabled])").count():
        page.evaluate(GO_ON)
    else:
        page.wait_for_timeout(20)


def envelope(server: Server, link: str) -> list[str]:
    """What is in the envelope; the file of the server tells it."""
    import sqlite3

    with closing(sqlite3.connect(server.data)) as connection:
        line = connection.execute("SELECT text FROM lines WHERE room = ? ORDER BY number", (link[-10:],)).fetchone()[0]
    return list(GameRecord.from_json(line).envelope)


def groups(page: Page) -> list[Locator]:
    """The cards to choose from, by category."""
    return page.locator("#chooser section").all()


def accuse(page: Page, cards: list[str]) -> None:
    page.get_by_role("button", name=re.compile("^accuse")).first.click()
    name_cards(page, cards)
    page.locator("#actions button.primary").click()
    page.locator("#talk button.primary").click()


def play_to_a_right_accusation(server: Server, link: str, pages: list[Page]) -> None:
    """Do a few things, then accuse as soon as somebody may."""
    for number in range(64):
        page = wait_for_one(*pages)
        if number >= 4 and page.get_by_role("button", name=re.compile("^accuse")).count():
            accuse(page, envelope(server, link))
            return
        act(page)
    pytest.fail("nobody may accuse")


def test_a_browser_that_keeps_no_settings_shows_the_table(server):
    with browsers(DESKTOP) as (ann,):
        no_storage = 'Object.defineProperty(window, "localStorage", {get() {throw new DOMException("no");}})'
        ann.page.add_init_script(no_storage)
        at_a_table(ann.page, server)
        assert ann.page.locator("#hand li").count() >= 1
        wait_for_one(ann.page)
        ann.page.evaluate('document.getElementById("sound").click()')
        assert not ann.complaints


LAID_OUT = """() => {
    const shown = (one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight && one.contains(there);
    };
    const board = document.querySelector(".board");
    const { width, height } = board.getBoundingClientRect();
    const drawn = Math.min(width, height * board.viewBox.baseVal.width / board.viewBox.baseVal.height);
    const parts = [...document.querySelectorAll("#hand li, #actions, #hint, .switch button")];
    return [drawn / innerWidth, parts.filter((one) => !shown(one)).map((one) => one.textContent)];
}"""


def contrast(first: str, second: str) -> float:
    """Of two colours such as ``rgb(255, 253, 248)``, by WCAG 2."""

    def luminance(colour: str) -> float:
        channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted(map(luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ones_own_pawn_is_larger_and_has_another_ring_by_day_and_by_night(server, scheme):
    with browsers(DESKTOP | {"color_scheme": scheme}) as (ann,):
        at_a_table(ann.page, server)
        mine = ann.page.locator("#house .pawn.mine circle")
        other = ann.page.locator("#house .pawn:not(.mine) circle").first
        size, ring = "(it) => parseFloat(getComputedStyle(it).r)", "(it) => getComputedStyle(it).stroke"
        assert mine.evaluate(size) > other.evaluate(size)
        assert contrast(mine.evaluate(ring), other.evaluate(ring)) > 3


HEIGHTS = {844: 1.0, 664: 0.8}
"""Of a phone's screen, all of it and below the browser's bars: how much of its width the board takes at least."""


@pytest.mark.parametrize("others", [1, 2, 5])
def test_a_phone_held_upright_shows_the_board_as_wide_as_it_is_and_all_of_the_hand(server, others):
    with browsers(PHONE) as (ann,):
        open_table(ann.page, server, *["easy"] * others, board="classic")
        deal(ann.page)
        for _ in range(3):
            wait_for_one(ann.page)
            for height, least in HEIGHTS.items():
                ann.page.set_viewport_size({"width": 390, "height": height})
                if ann.page.locator("#house:visible").count():
                    width, covered = ann.page.evaluate(LAID_OUT)
                    one_row = ann.page.locator("#actions").bounding_box()["height"] < 50
                    assert width >= least - 1e-3 or not one_row
                    assert covered == []
                assert ann.overflow <= 0
            act(ann.page)


def test_the_board_of_a_phone_stays_where_it_is_whatever_is_said_and_asked(server):
    with browsers(PHONE | {"height": 844, "width": 390}) as (ann,):
        page = ann.page
        open_table(page, server, "easy", "easy", board="classic")
        deal(page)
        stood, below = set(), set()
        for _ in range(6):
            wait_for_one(page)
            if page.locator("#house:visible").count():
                stood.add(str(page.locator("#house").bounding_box()))
                below.add(page.locator("#doing").bounding_box()["height"])
                for side in ("sheet", "board"):
                    page.locator(f".switch [data-side={side}]").click()
                    if side == "sheet":
                        assert page.locator("#doing").bounding_box()["height"] < 100, "nothing is to be pressed there"
                stood.add(str(page.locator("#house").bounding_box()))
            act(page)
        assert len(below) > 1
        assert len(stood) == 1


def test_on_a_low_phone_the_board_stays_where_it_is_while_one_rolls(server):
    with browsers(PHONE) as (ann,):
        page = ann.page
        open_table(page, server, "easy", "easy", board="classic")
        deal(page)
        roll = page.get_by_role("button", name="Roll the dice")
        while wait_for_one(page) and not (roll.count() and page.locator("#news").text_content()):
            act(page)
        stood = page.locator("#house").bounding_box()
        with page.expect_request("**/do"):
            page.route("**/do", lambda route: None)
            roll.click()
        assert page.locator("#house").bounding_box() == stood


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_sheet_of_six_has_each_name_in_one_line_and_all_columns_in_sight(server, screen):
    with browsers(screen) as (ann,):
        page = ann.page
        open_table(page, server, *["easy"] * 5, board="edition:master")
        deal(page)
        page.locator(".switch [data-side=sheet]").evaluate("(button) => button.click()")
        names = page.locator("#sheet .card-name")
        assert len(set(names.evaluate_all("(all) => all.map((one) => one.offsetHeight)"))) == 1
        assert page.locator("#pane-sheet").evaluate("(pane) => pane.scrollWidth <= pane.clientWidth")


def test_on_a_phone_held_across_one_acts_with_the_sheet_in_sight(server):
    with browsers(PHONE | {"width": 844, "height": 390}) as (ann,):
        page = ann.page
        at_a_table(page, server)
        page.locator(".switch [data-side=sheet]").click()
        wait_for_one(page)
        assert page.locator("#actions button").first.is_visible()
        assert page.locator("#sheet").is_visible()


def test_on_a_low_phone_the_clock_leaves_the_name_of_whose_time_runs(server):
    with browsers(PHONE) as (ann,):
        page = ann.page
        open_table(page, server, *["easy"] * 4, board="classic", clock="300")
        deal(page)
        page.locator("#clock", has_text="s").wait_for()
        name, clock = (page.locator(f".seat:has(.clock) {one}").bounding_box() for one in (".names", ".clock"))
        assert name["x"] + name["width"] <= clock["x"]


OUTLINED = """(actions) => {
    const clip = actions.getBoundingClientRect();
    return [...actions.children].every((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left - 5 >= clip.left && right + 5 <= clip.right && top - 5 >= clip.top && bottom + 5 <= clip.bottom;
    });
}"""


def test_on_a_phone_the_outline_of_a_button_that_has_the_focus_is_not_cut(server):
    with browsers(PHONE) as (ann,):
        open_table(ann.page, server, "easy", "easy", board="classic")
        deal(ann.page)
        wait_for_one(ann.page)
        actions = ann.page.locator("#actions")
        assert actions.evaluate(OUTLINED)
        wide = '<button class="go">Stay, without a hypothesis</button>'
        actions.evaluate("(actions, row) => { actions.innerHTML = row.repeat(3); }", wide)
        assert actions.evaluate(OUTLINED), "three rows"
        actions.evaluate("(actions, row) => { actions.innerHTML = row.repeat(4); }", wide)
        assert actions.evaluate("(actions) => actions.lastChild.offsetTop < actions.offsetTop + actions.clientHeight")


ENDS = """(prompt) => {
    prompt.textContent = "Mustard (Bert) plays …";
    const top = (at) => {
        const range = document.createRange();
        range.setStart(prompt.firstChild, at);
        range.setEnd(prompt.firstChild, at + 1);
        return range.getBoundingClientRect().top;
    };
    return [0, 17, 21].map(top);
}"""


def test_no_line_of_what_is_asked_is_three_dots_alone(server):
    with browsers(DESKTOP) as (ann,):
        at_a_table(ann.page, server)
        first, word, dots = ann.page.locator("#prompt").evaluate(ENDS)
        assert first < word == dots


def test_names_of_rooms_stand_in_the_middle_of_their_buttons_also_where_an_accusation_is_named_on_a_phone(server):
    with browsers(PHONE) as (ann,):
        page = ann.page
        at_a_table(page, server)
        while wait_for_one(page) and not page.get_by_role("button", name="accuse").count():
            act(page)
        page.get_by_role("button", name="accuse").click()
        button = page.locator(".chooser.three section:last-child button:not(:has(.known))").first
        outer, name = button.bounding_box(), button.locator("span").bounding_box()
        assert name["height"] < 30 < outer["height"], "else its text stands at its top"
        assert abs(outer["y"] + outer["height"] / 2 - name["y"] - name["height"] / 2) < 2


def test_without_squares_to_tap_every_room_is_in_sight_on_a_phone(server):
    with browsers(PHONE) as (ann,):
        page = ann.page
        open_table(page, server, "easy", "easy", board="edition:master")
        deal(page)
        while wait_for_one(page).locator("#actions .go:not([disabled])").count() < 10:
            act(page)
        assert page.locator("#actions").evaluate("(actions) => actions.scrollHeight <= actions.clientHeight")
        last = page.locator("#actions button").last.bounding_box()
        assert last["y"] + last["height"] < page.locator(".switch").bounding_box()["y"]
        assert page.locator("#house > p").bounding_box()["x"] > 4


NAMED = """(name) => {
    name.textContent = "Maximiliana Longname";
    return name.scrollWidth <= name.clientWidth;
}"""


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_before_the_game_every_level_is_read_whole_where_there_is_room(server, locale):
    narrow = """(selects) => selects.filter((select) => {
        const given = select.offsetWidth;
        Object.assign(select.style, { width: "max-content", maxWidth: "none" });
        return select.offsetWidth > given;
    }).map((select) => select.offsetWidth)"""
    with browsers(DESKTOP | {"locale": locale}) as (ann,):
        open_table(ann.page, server, "open", "hard")
        assert ann.page.locator("#seat-list select").evaluate_all(narrow) == []


def test_the_log_begins_without_a_line_above_it(server):
    with seated(server, DESKTOP) as page:
        act(page)
        first = page.locator("#log li").first
        assert first.evaluate("(line) => getComputedStyle(line).borderTopWidth") == "0px"


def test_a_long_name_is_read_whole_before_the_game_on_a_phone(server):
    with browsers(PHONE) as (ann,):
        open_table(ann.page, server, "easy", "easy")
        assert ann.page.locator(".who strong").first.evaluate(NAMED)


PACES = {"off": 0.0, "usual": 1.0, "fast": 0.4, "slow": 2.0}


@pytest.mark.parametrize("pace", some(PACES, 2))
def test_animations_are_as_slow_as_wished_on_this_device(server, pace):
    with browsers(DESKTOP | {"reduced_motion": "no-preference"}) as (ann,):
        ann.page.add_init_script(DELAYS_ARE_NOTED)
        at_a_table(ann.page, server)
        ann.page.get_by_role("button", name="Settings").click()
        ann.page.get_by_label("Animations").select_option(pace)
        ann.page.reload()
        assert ann.page.locator("#pace").input_value() == pace
        duration = ann.page.locator(".pawn").first.evaluate("(pawn) => getComputedStyle(pawn).transitionDuration")
        assert float(duration.removesuffix("s")) == pytest.approx(0.45 * PACES[pace])
        for _ in range(12):
            over = who_may_act(ann.page) is None
            waited = set(ann.page.evaluate("window.delays"))
            seen = {one for one, factor in PACES.items() if factor and 1300 * factor in waited}  # after a question
            if seen or over:
                break
            act(ann.page)
        assert seen == {pace} - {"off"}
        ann.page.emulate_media(reduced_motion="reduce")
        expect(ann.page.locator("#pace")).to_be_disabled()
        assert ann.page.locator("#pace").input_value() == "off"
        assert ann.page.evaluate("document.documentElement.style.getPropertyValue('--pace')") == "0"


def test_what_somebody_is_about_to_press_is_not_drawn_anew(server):
    """A click on an element that is replaced meanwhile is lost."""
    with browsers(DESKTOP, DESKTOP) as (ann, bob):
        link = open_table(ann.page, server, "open", "easy")
        ann.page.evaluate("document.querySelector('.danger').pressed = true")
        join(bob.page, link, "Bob")
        ann.page.locator("#seat-list", has_text="Bob").wait_for()
        assert ann.page.evaluate("document.querySelector('.danger').pressed")
        deal(ann.page, bob.page)


def test_who_sits_down_while_the_host_holds_a_seats_choice_is_seen_when_it_is_let_go(server):
    with browsers(DESKTOP, PHONE) as (ann, bob):
        link = open_table(ann.page, server, "open", "easy")
        ann.page.locator(".seat-form select").first.focus()
        join(bob.page, link, "Bob")
        bob.page.locator("#seat-list", has_text="Bob").wait_for()
        ann.page.wait_for_timeout(500)  # so long that it was told
        ann.page.focus("a.button.quiet")
        ann.page.locator("#seat-list", has_text="Bob").wait_for()
        deal(ann.page, bob.page)


TIP_COVERS = """() => {
  const tip = document.querySelector(".tip").getBoundingClientRect(), there = document.querySelector(".pointed");
  const over = (one) => {
    const { top, bottom, left, right, width } = one.getBoundingClientRect();
    return width && tip.top < bottom && tip.bottom > top && tip.left < right && tip.right > left;
  };
  const needed = document.querySelectorAll("#hand, #shown .one, #doing, #actions button, .switch button");
  const all = [...needed, ...there.querySelector("button, .lit") ? [] : [there]];
  return all.filter(over).map((one) => one.id || one.textContent);
}"""
"""What a tip lies over of the question, its buttons, the cards, and what it explains, unless that is a whole pane."""

LOW = PHONE | {"width": 390, "height": 664}
"""A phone whose browser has its bars on the screen."""

SIDEWAYS = PHONE | {"width": 640, "height": 360}


@pytest.mark.parametrize("screen", [PHONE, LOW, SIDEWAYS, DESKTOP], ids=["phone", "low", "sideways", "desktop"])
def test_a_stranger_is_led_through_a_first_game(server, screen):
    with browsers(screen) as (ann,):
        page, told = ann.page, []
        page.goto(server.url)
        page.get_by_role("button", name="easy").click()
        page.wait_for_selector(".tip")
        for _ in range(6_000):
            if page.locator("#end:visible").count() or len(told) == 6:
                break
            if page.locator(".tip").count():
                told.append(page.locator(".tip p").inner_text())
                assert page.locator(".pointed:visible").count() == 1
                assert page.evaluate(TIP_COVERS) == [], told[-1]
                if screen is not DESKTOP and told[-1].startswith("Rooms and squares"):
                    tip_goes_and_comes_with_the_board(page)
                if len(told) % 2:
                    page.locator(".tip .primary").click()
                else:
                    page.keyboard.press("Escape")
            else:
                go_on(page)
        assert len(told) == len(set(told)) >= 4
        assert told[0].startswith("These are your cards")
        assert any(text.startswith("Rooms and squares") for text in told)
        page.reload()
        page.wait_for_selector("#prompt:not(:empty)")
        assert not any(text in page.locator("body").inner_text() for text in told), "each is said once"
        assert not faults(page)
        assert not ann.complaints


def tip_goes_and_comes_with_the_board(page: Page) -> None:
    tip = page.locator(".tip", has_text="Rooms and squares")
    for side, there in (("sheet", 0), ("board", 1)):
        page.locator(f".switch [data-side={side}]").evaluate("(button) => button.click()")
        expect(tip).to_have_count(there)


def test_a_tip_that_is_still_due_is_not_drawn_anew_under_ones_finger(server):
    with browsers(LOW) as (ann,):
        page = ann.page
        page.goto(server.url)
        page.get_by_role("button", name="easy").click()
        page.locator(".tip").evaluate("(tip) => { tip.still = true; }")
        page.evaluate("dispatchEvent(new Event('resize'))")
        assert page.locator(".tip").evaluate("(tip) => tip.still")
        page.locator(".tip .primary").click()
        expect(page.locator(".tip", has_text="These are your cards")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_phone_held_sideways_a_hint_has_the_height_and_a_tip_leaves_most_of_the_board(server, locale):
    with browsers(SIDEWAYS | {"locale": locale}) as (ann,):
        page = ann.page
        page.goto(server.url)
        page.locator(".now button").first.click()
        page.locator(".tip .primary").click()
        page.locator("#actions .primary").click()
        page.wait_for_selector(".tip")
        tip, house = (page.locator(what).bounding_box()["height"] for what in (".tip", "#house"))
        assert tip < 0.4 * house
        page.locator("#hint").click()
        page.wait_for_selector("#talk-body .told")
        hint = page.locator("#talk")
        assert hint.evaluate("(it) => it.scrollHeight <= it.clientHeight || it.clientHeight > 0.9 * innerHeight")


def test_the_buttons_of_a_tip_stand_side_by_side_in_french_too(server):
    with browsers(PHONE | {"width": 390, "height": 844, "locale": "fr-FR"}) as (ann,):
        page = ann.page
        page.goto(server.url)
        page.get_by_role("button", name="easy").click()
        page.wait_for_selector(".tip")
        tops = page.locator(".tip button").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
        assert len(tops) == 2
        assert len(set(tops)) == 1


def test_on_a_phone_that_is_enlarged_twice_the_buttons_of_a_tip_stay_within_it(server):
    with browsers(PHONE | {"width": 180, "height": 370, "locale": "fr-FR"}) as (ann,):
        page = ann.page
        page.goto(server.url)
        page.get_by_role("button", name="easy").click()
        page.wait_for_selector(".tip")
        assert page.locator(".tip").evaluate("(tip) => tip.scrollWidth <= tip.clientWidth")


def test_a_tip_finds_a_free_place_however_much_room_the_hand_takes(server):
    seen = ["hand", "walk", "ask", "shown", "sheet", "accuse"]
    with browsers(LOW) as (ann,):
        page = ann.page
        page.goto(server.url)
        page.evaluate("(seen) => localStorage.setItem('cluedo-guide', JSON.stringify(seen))", seen)
        page.get_by_role("button", name="easy").click()
        page.wait_for_selector("#prompt:not(:empty)")
        roll, tip, lit = (
            page.get_by_role("button", name="Roll the dice"),
            page.locator(".tip"),
            page.locator("#house .lit"),
        )
        # The tip of the hint comes some turns later; once places are lit, most of the board is to be pressed.
        while not (tip.count() and lit.count()):
            if tip.count() and roll.count():
                with suppress(TimeoutError):  # it was the button of the moment before
                    roll.click(timeout=3_000)
                    lit.first.wait_for(timeout=3_000)
            else:
                go_on(page)
        for height in range(40, 161, 20):
            page.evaluate("(height) => { document.getElementById('hand').style.minHeight = `${height}px`; }", height)
            page.evaluate("dispatchEvent(new Event('resize'))")
            assert page.evaluate(TIP_COVERS) == [], height


def test_a_card_that_is_shown_comes_up_large_and_stays_until_it_is_tapped(server):
    with seated(server, PHONE) as page:
        leave_cards(page)
        while wait_for_one(page) and not page.locator("#shown:visible").count():
            act(page)
        card = page.locator("#shown strong").inner_text()
        assert card in page.locator("#shown").inner_text().split("\n")[-1], "who showed it, and to whom"
        if (drawn := page.locator("#shown .picture")).count():
            assert drawn.evaluate("drawing => drawing.getBoundingClientRect().width") > 90
        page.locator("#shown").click()
        assert page.locator("#shown").is_hidden()


def is_still_offered(page: Page, offered: str) -> bool:
    """Whether nothing of this was pressed."""
    return page.locator("#actions:has(button:not([disabled]))").inner_text() == offered


def test_a_tap_beside_a_card_that_is_shown_puts_it_away_and_presses_nothing(server):
    with seated(server, PHONE) as page:
        leave_cards(page)
        while wait_for_one(page) and not page.locator("#shown:visible").count():
            act(page)
        offered = page.locator("#actions").inner_text()
        there = page.locator("#actions button").first.bounding_box()
        page.touchscreen.tap(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2)
        expect(page.locator("#shown")).to_be_hidden()
        assert is_still_offered(page, offered)


def test_cards_shown_to_the_level_that_plays_for_somebody_do_not_pile_up_on_their_board(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(online_table, "TurnClock", partial(TurnClock, lambda: now[0]))
    with served() as url, browsers(PHONE, PHONE) as (ann, watcher):
        page = ann.page
        page.goto(f"{url}/play")
        page.fill("[name=name]", "Ann")
        page.select_option("[name=clock]", "30")
        for number in (1, 2):
            page.select_option(f"[name=seat-{number}]", "easy")
        page.locator("main button.primary").click()
        page.wait_for_selector(".lobby")
        deal(page)
        leave_cards(page)
        wait_for_one(page)
        now[0] += 31
        watcher.page.goto(f"{page.url}?watch")  # whoever comes lets the table look at its clock
        page.locator("#log", has_text="shows you").wait_for(state="attached")
        assert page.locator("#shown").is_hidden()


def test_a_card_that_is_shown_goes_by_a_key_before_anything_else_is_done_by_it(server):
    with browsers(DESKTOP) as (ann,):
        page = ann.page
        at_a_table(page, server)
        leave_cards(page)
        for key in ("Enter", "Escape", "Space"):
            while wait_for_one(page) and not page.locator("#shown:visible").count():
                act(page)
            offered = page.locator("#actions").inner_text()
            page.locator("#actions button").first.focus()
            page.keyboard.press(key)
            assert page.locator("#shown").is_hidden()
            assert is_still_offered(page, offered)
        assert not ann.complaints


def test_a_tip_beside_a_card_that_is_shown_is_answered_by_its_own_button(server):
    with browsers(DESKTOP) as (ann,):
        page = ann.page
        page.goto(server.url)
        page.evaluate("localStorage.setItem('cluedo-guide', JSON.stringify(['hand', 'walk', 'ask', 'sheet', 'hint']))")
        page.get_by_role("button", name="easy").click()
        page.wait_for_selector("#prompt:not(:empty)")
        while not page.locator(".tip", has_text="Only you see this card").count():
            act(page)
            wait_for_one(page)
        page.locator(".tip .primary").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".tip")).to_have_count(0)
        assert page.locator("#shown").is_visible()


DELAYS_ARE_NOTED = """{
    const real = setTimeout;
    window.delays = [];
    window.setTimeout = (does, ms, ...rest) => { window.delays.push(ms); return real(does, ms, ...rest); };
}"""


def test_where_everybody_answers_each_card_stays_until_it_is_tapped(server):
    with browsers(DESKTOP) as (ann,):
        page = ann.page
        open_table(page, server, *["easy"] * 4, board="edition:master")
        deal(page)
        leave_cards(page)
        while wait_for_one(page) and page.locator("#shown .one").count() < 2:
            page.evaluate("document.querySelector('#shown').replaceChildren()")
            act(page)
        cards = page.locator("#shown strong").all_text_contents()
        for card in cards:
            assert page.locator("#shown").inner_text().split("\n")[0] == card
            page.locator("#shown").click()
        assert page.locator("#shown").is_hidden()
        assert not ann.complaints


FAST = """localStorage.setItem("cluedo-table", JSON.stringify({ pace: "fast" }))"""


PROMPTS_ARE_NOTED = """document.addEventListener("DOMContentLoaded", () => {
    const [news, prompt, actions] = ["news", "prompt", "actions"].map((id) => document.getElementById(id));
    const note = () => window.prompts.push([news.textContent, prompt.textContent, actions.childElementCount]);
    window.prompts = [];
    new MutationObserver(note).observe(news, { childList: true });
})"""


def test_who_accuses_wrongly_has_time_to_read_it_and_is_told_what_follows(server):
    with browsers(PHONE) as (ann,):
        page = ann.page
        page.add_init_script(DELAYS_ARE_NOTED)
        page.add_init_script(PROMPTS_ARE_NOTED)
        page.add_init_script(FAST)
        link = at_a_table(page, server)
        while wait_for_one(page) and not page.get_by_role("button", name="accuse").count():
            act(page)
        cards = envelope(server, link)
        page.get_by_role("button", name="accuse").click()
        wrong = [group.locator("button").first.get_attribute("data-card") for group in groups(page)]
        names = [page.locator(f"#chooser [data-card='{card}'] > span").first.inner_text() for card in wrong]
        assert names != cards
        name_cards(page, names)
        page.emulate_media(reduced_motion="no-preference")
        page.evaluate("window.delays.length = window.prompts.length = 0")
        page.locator("#actions button.primary").click()
        page.locator("#talk button.primary").click()
        page.wait_for_function("() => window.prompts.length > 3")
        assert 0.4 * 1800 in page.evaluate("window.delays")
        told = page.evaluate("window.prompts")
        assert any("That is wrong" in news for news, _, _ in told)
        after = [prompt for news, prompt, _ in told if news and "accuse" not in news]
        assert after
        assert ", ".join(names) not in after


def test_while_something_is_told_what_was_asked_and_offered_before_is_gone(server):
    with browsers(PHONE | {"reduced_motion": "no-preference"}) as (ann,):
        page = ann.page
        page.add_init_script(PROMPTS_ARE_NOTED)
        page.add_init_script(FAST)
        at_a_table(page, server)
        for _ in range(2):
            while wait_for_one(page) and not page.locator("#chooser:visible").count():
                act(page)
            act(page)
        wait_for_one(page)
        told = [(news, *rest) for news, *rest in page.evaluate("window.prompts") if re.search("shows|cannot", news)]
        assert {prompt for _, prompt, _ in told if "must show" in prompt or "," in prompt} == set()
        assert {prompt for news, prompt, _ in told if " you " in news} == {""}, "to a question of one's own"
        assert {buttons for news, _, buttons in told if not news.startswith("You show")} == {0}


TURNS_ARE_NOTED = """document.addEventListener("DOMContentLoaded", () => {
    const parts = ["#turn-now", ".seat.active .seat-name", "#prompt"];
    const note = () => window.turns.push(parts.map((part) => document.querySelector(part).textContent));
    window.turns = [];
    new MutationObserver(note).observe(document.getElementById("log"), { childList: true });
})"""


def test_who_comes_late_to_several_turns_is_told_in_each_who_plays(server):
    with browsers(DESKTOP, DESKTOP | {"reduced_motion": "no-preference"}) as (ann, bob):
        bob.page.add_init_script(TURNS_ARE_NOTED)
        bob.page.add_init_script(FAST)
        link = open_table(ann.page, server, "easy", "easy")
        deal(ann.page)
        held: list[Route] = []
        bob.page.route("**/events?*", lambda route: held.append(route))
        bob.page.goto(f"{link}?watch")
        while ann.page.locator("#log .new-turn").count() < 4:
            act(wait_for_one(ann.page))
        bob.page.unroute("**/events?*")
        for route in held:
            with suppress(Error):  # the page has given it up
                route.continue_()
        bob.page.locator("#log .new-turn").nth(3).wait_for()
        begun, *told = bob.page.evaluate("window.turns")
        later = [(who, prompt) for turn, who, prompt in told if turn != begun[0]]
        assert len({who for who, _ in later}) == 3
        assert [(who, prompt) for who, prompt in later if not prompt.startswith(who)] == []


def test_after_a_move_is_taken_back_the_log_is_there_at_once(server):
    with browsers(DESKTOP) as (ann,):
        page = ann.page
        page.add_init_script(DELAYS_ARE_NOTED)
        page.add_init_script(FAST)
        at_a_table(page, server)
        back = page.locator("#actions [data-key=u]")
        while wait_for_one(page) and not (back.count() and page.locator("#log .new-turn").count() > 3):
            act(page)
        log = page.locator("#log li").all_text_contents()
        page.emulate_media(reduced_motion="no-preference")
        page.evaluate("window.delays.length = 0")
        back.click()
        expect(back).to_have_count(0)
        told = page.locator("#log li").all_text_contents()
        assert told == log[: len(told)]
        assert page.locator("#shown").is_hidden()
        assert not {0.4 * 1300, 0.4 * 450} & set(page.evaluate("window.delays")), "after a question and an answer"
        assert not ann.complaints


REACHED_BY_A_TAP = """() => [...document.querySelectorAll(".lit")].every((lit) => {
    const { left, right, top, bottom } = lit.getBoundingClientRect();
    return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === lit;
}) && [...document.querySelectorAll(".door")].every((door) => getComputedStyle(door).pointerEvents === "none")"""


def test_the_squares_in_reach_are_chosen_by_keys(server):
    with seated(server, DESKTOP) as page:
        while wait_for_one(page) and page.locator(".lit").count() <= 2:
            act(page)
        assert page.locator(".lit[tabindex='0']").count() == 1
        assert page.evaluate(REACHED_BY_A_TAP)
        page.locator(".lit[tabindex='0']").focus()
        names = set()
        for key in ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"] * 3:
            page.keyboard.press(key)
            names.add(page.evaluate("document.activeElement.ariaLabel"))
        assert len(names) > 1
        focused, other = page.locator(".lit:focus"), page.locator(".lit:not(:focus)").first
        assert focused.evaluate("(square) => getComputedStyle(square).outlineStyle") == "none", "it hid the board"
        strokes = [one.evaluate("(one) => parseFloat(getComputedStyle(one).strokeWidth)") for one in (focused, other)]
        assert strokes[0] > 2 * strokes[1]
        with page.expect_request("**/do"):
            page.keyboard.press("Enter")


def test_a_wheel_over_the_board_scrolls_the_page_and_with_the_control_key_looks_closer(server):
    with browsers(DESKTOP) as (ann,):
        page = ann.page
        link = at_a_table(page, server)
        play_to_a_right_accusation(server, link, [page])
        page.wait_for_selector("#end:not([hidden])")
        page.locator("#house").hover(position={"x": 40, "y": 10})
        main, closer = page.locator("main"), page.get_by_role("button", name="whole board")
        main.evaluate("(main) => { main.onscroll = () => { main.dataset.scrolled = 'yes'; }; }")
        page.mouse.wheel(0, -40 if main.evaluate("(main) => main.scrollTop") else 40)
        expect(main).to_have_attribute("data-scrolled", "yes")
        expect(closer).to_be_hidden()
        page.keyboard.down("Control")
        page.mouse.wheel(0, -200)
        expect(closer).to_be_visible()


def test_after_the_end_a_finger_on_the_board_of_a_phone_scrolls_the_page(server):
    with browsers(PHONE) as (ann,):
        page = ann.page
        link = at_a_table(page, server)
        play_to_a_right_accusation(server, link, [page])
        page.wait_for_selector("#end:not([hidden])")
        page.locator("#house").evaluate("(house) => house.scrollIntoView()")
        before = page.locator("main").evaluate("(main) => main.scrollTop")
        box = page.locator("#house").bounding_box()
        drag(page, box["x"] + box["width"] / 2, box["y"] + 20, 100)
        assert page.locator("main").evaluate("(main) => main.scrollTop") < before


def drag(page: Page, x: float, y: float, down: int) -> None:
    """Move a finger from a point downwards."""
    touch = partial(page.context.new_cdp_session(page).send, "Input.dispatchTouchEvent")
    touch({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for moved in range(0, down + 1, 10):
        touch({"type": "touchMove", "touchPoints": [{"x": x, "y": y + moved}]})
    touch({"type": "touchEnd", "touchPoints": []})


def test_two_people_and_two_levels_from_the_invitation_to_a_right_accusation(server):
    with browsers(PHONE, DESKTOP) as visits:
        ann, bob = pages = [visit.page for visit in visits]
        link = two_at_a_table(ann, bob, server, "easy", "medium")
        for page in pages:
            assert page.locator("#hand li").count() >= 1
        bob.goto(server.url)
        games, computer = bob.locator("#games").bounding_box(), bob.locator(".card.now").bounding_box()
        assert games["y"] + games["height"] + 8 < computer["y"], "one card, and then another"
        bob.locator("#games a").click()  # the start page leads back
        bob.wait_for_selector("#hand li")
        play_to_a_right_accusation(server, link, pages)
        for page in pages:
            page.wait_for_selector("#end:not([hidden])")
            assert page.locator("#end-envelope li").count() == 3
            assert page.locator("#end-hands section").count() == 4
        assert [page.get_by_text("The host can begin a rematch.").is_visible() for page in pages] == [False, True]
        for visit in visits:
            assert visit.overflow <= 0
            assert not visit.complaints
            assert {re.sub(r"^(\w+://[^/]+)/.*", r"\1", url) for url in visit.requests} == {link[: link.index("/r/")]}
        ann.get_by_role("button", name="Rematch").click()
        ann.wait_for_selector("#end[hidden]", state="attached")
        bob.wait_for_selector("#next:visible")  # who is reading the end goes on reading
        expect(bob.get_by_text("The host can begin a rematch.")).to_be_hidden()
        where, status = bob.evaluate("fetch(document.getElementById('replay').href).then((r) => [r.url, r.status])")
        assert "/replay/" in where
        assert status in (200, 503), "the game that is over; its page may be waiting for the detective to be compiled"
        bob.locator("#next").click()
        bob.wait_for_selector("#end[hidden]", state="attached")
        wait_for_one(*pages)


def test_while_somebody_must_show_a_card_the_asker_stays_lit_for_players_and_spectators(server):
    with browsers(PHONE, DESKTOP, DESKTOP) as visits:
        ann, bob, eve = pages = [visit.page for visit in visits]
        link = two_at_a_table(ann, bob, server, "easy")
        eve.goto(f"{link}?watch")
        turn_of_an_asker_is_lit(ann, bob, eve)
        assert [visit.complaints for visit in visits] == [[], [], []]
        assert len({page.locator("#turn-now").inner_text() for page in pages}) == 1


def turn_of_an_asker_is_lit(*pages: Page) -> None:
    """Play until a person must show a card."""
    for _ in range(60):
        page = wait_for_one(*pages[:2])
        if page.locator("#prompt").inner_text().startswith(("Which card do you show", "You can show")):
            shower = page.locator(".seat.me .seat-name").inner_text()
            assert "asks" in page.locator("#question").inner_text()
            for other in pages:
                other.locator(".seat.asked").get_by_text(shower, exact=True).wait_for()
                asker = other.locator(".seat.active[aria-current] .seat-name").inner_text()
                assert asker != shower
                assert other is page or re.match(
                    f"{shower}.* must show (you|{asker}.*) a card", other.inner_text("#prompt")
                )
            return
        act(page)
    pytest.fail("nobody had to show a card")


def test_a_reload_and_a_killed_server_lead_back_to_the_seat(tmp_path):
    server = Server(tmp_path, seed=SEED)
    try:
        with browsers(DESKTOP, PHONE) as visits:
            ann, bob = (visit.page for visit in visits)
            two_at_a_table(ann, bob, server, "easy")
            for _ in range(5):
                act(wait_for_one(ann, bob))
            page = wait_for_one(ann, bob)
            hand, log = page.locator("#hand").inner_text(), page.locator("#log li").count()
            page.reload()
            page.wait_for_selector("#hand li")
            assert (page.locator("#hand").inner_text(), page.locator("#log li").count()) == (hand, log)
            page.context.set_offline(True)
            page.wait_for_selector("#lost:has-text('No connection')")
            page.locator("#sheet .cell:not(.yes, .no)").first.evaluate("(cell) => cell.click()")
            if page.locator("#chooser:visible").count():
                name_cards(page, [group.locator("button span").first.inner_text() for group in groups(page)])
            page.locator("#actions button:not([disabled])").first.click()
            page.wait_for_function("document.querySelectorAll('#actions button:not([disabled])').length === 0")
            with page.expect_response("**/do") as done, page.expect_response("**/sheet") as marked:
                page.context.set_offline(False)
            assert (done.value.status, marked.value.status) == (200, 200), "what was pressed in a tunnel"
            page.wait_for_selector("#lost:has-text('Connected again')", state="attached")
            assert page.locator("#sheet .cell:text-is('✓'):not(.yes)").count() == 1
            page = wait_for_one(ann, bob)
            hand, log = page.locator("#hand").inner_text(), page.locator("#log li").count()
            server.kill()
            page.wait_for_selector("#lost:has-text('No connection')")
            server.begin()
            page.wait_for_selector("#lost[hidden]", state="attached")
            assert (page.locator("#hand").inner_text(), page.locator("#log li").count()) == (hand, log)
            for _ in range(3):
                act(wait_for_one(ann, bob))
            told = [each.locator("#log li") for each in (ann, bob)]
            wait_until(bob, lambda: told[0].count() == told[1].count() > log)  # each in its own time
    finally:
        server.end()


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_serious_fault(server, screen):
    with browsers(screen) as (ann,):
        for path in "", "play":
            ann.page.goto(server.url + path)
            assert faults(ann.page) == []
        open_table(ann.page, server, "open", "easy", "easy")
        assert faults(ann.page) == []
        at_a_table(ann.page, server)
        wait_for_one(ann.page)
        assert faults(ann.page) == []


def said(page: Page) -> str:
    """All that a page says to who sees or hears it."""
    labels = page.locator("[aria-label], [title]").evaluate_all("(all) => all.map((one) => one.ariaLabel ?? one.title)")
    return "\n".join([page.title(), page.locator("body").inner_text(), *labels])


def reach(page: Page, selector: str, key: str = "Enter") -> None:
    """Press a key on something that the Tab key leads to."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            page.keyboard.press(key)
            return
    pytest.fail(f"Tab does not lead to {selector}")


def test_a_dialog_that_waits_for_a_hint_says_so_and_fills_in_by_itself(server):
    with browsers(DESKTOP) as (visit,):  # which complains of being offline at the end
        page = visit.page
        at_a_table(page, server)
        asked: list[Route] = []
        page.route("**/hint?*", lambda route: asked.append(route))
        title, hint = page.locator("#talk-title"), page.locator("#hint")
        for closed in (True, False):
            hint.click()
            title.get_by_text("The detective is thinking …").wait_for()
            wait_until(page, lambda closed=closed: len(asked) > (not closed))
            if closed:
                page.keyboard.press("Escape")
            with page.expect_response("**/hint?*"):
                asked[-1].continue_()
            page.wait_for_timeout(100)
            assert page.locator("#talk[open]").count() == (not closed), "who closes it is left alone"
        page.locator("#talk-body").get_by_text("Chance of being in the envelope:").wait_for()
        assert "thinking" not in title.inner_text()
        page.keyboard.press("Escape")
        page.unroute("**/hint?*")
        page.context.set_offline(True)
        hint.click()
        title.get_by_text("No connection: try again.").wait_for()  # nothing asks for a hint again by itself


def test_what_a_hint_proposes_is_done_with_one_tap_on_the_phone(server):
    with seated(server, PHONE) as page:
        for _ in range(3):
            wait_for_one(page)
            page.locator("#hint").click()
            do = page.get_by_role("button", name="Do it")
            do.wait_for()
            low = page.locator("#talk").bounding_box()
            assert low["y"] + low["height"] < page.locator("#actions").bounding_box()["y"], "the buttons stay in sight"
            do.click()
            if page.locator("#talk[open]").count():  # an accusation is asked about before
                return


def test_an_accusation_that_a_hint_proposes_is_made_once_it_is_confirmed(server):
    with seated(server, DESKTOP) as page:
        while wait_for_one(page) and not page.get_by_role("button", name=re.compile("^accuse")).count():
            act(page)
        cards = envelope(server, page.url)
        numbers = page.evaluate(
            "(cards) => cards.map((card) => JSON.parse(document.getElementById('setting').text).cards.indexOf(card))",
            cards,
        )
        first = {"title": "Accuse.", "tone": "proved", "lines": [], "proposed": numbers}
        advice = {"sections": [first], "do": {"type": "accusation", "cards": cards}}
        page.route("**/hint?*", lambda route: route.fulfill(json=advice))
        page.locator("#hint").click()
        page.get_by_role("button", name="Do it").click()
        page.locator("#talk-title").get_by_text("What is in the envelope?").wait_for()
        page.locator("#talk button.primary").click()
        page.wait_for_selector("#end:not([hidden])")


def test_who_leaves_is_asked_before_and_watches_without_a_sheet(server):
    with seated(server, PHONE) as page:
        link = page.url
        for sure in (False, True):
            page.locator("#people-open").click()
            page.locator("#leave button").click()
            talk = page.locator("#talk")
            talk.get_by_text("Leave the table?").wait_for()
            talk.get_by_role("button", name="Leave the table" if sure else "Cancel").click()
            if not sure:
                page.wait_for_selector("#talk:not([open])", state="attached")
                page.keyboard.press("Escape")
                assert page.locator("#hand li").count()
        page.wait_for_function("!document.querySelector('#hand li')")
        page.goto(f"{link}?watch")  # the levels may have played to the end by now
        page.get_by_text("You are watching.").wait_for()
        assert page.locator('[data-side="sheet"]:visible, #pane-sheet:visible').count() == 0
        page.goto(server.url)
        assert page.locator("#games:visible").count() == 0


def test_the_invitation_is_copied_also_where_there_is_no_https(server):
    with browsers(DESKTOP) as [ann]:
        page = ann.page
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {})")
        link = at_a_table(page, server)
        page.locator("#people-open").click()
        page.locator("#copy").click()
        expect(page.locator("#copy")).to_have_text("Copied")
        page.goto(f"{server.url}replay")
        page.locator("summary").click()
        page.locator("textarea").press("Control+V")
        assert page.locator("textarea").input_value() == link


def test_the_start_page_leads_back_to_a_table_that_waits_for_others_until_one_leaves_it(server):
    with browsers(PHONE) as (ann,):
        page = ann.page
        link = open_table(page, server, "open", "easy", board="tiny")
        kept = partial(page.evaluate, "(localStorage.getItem('cluedo-games') ?? '').includes('/r/')")
        wait_until(page, kept)
        page.goto(server.url)
        game = page.locator("#games a")
        expect(game.locator("span")).to_have_text([re.compile(" · easy$"), re.compile(r"\d{4}, \d+:\d\d")])
        game.click()
        page.wait_for_selector(".lobby")
        assert page.url == link
        wait_until(page, kept)
        page.get_by_role("button", name="Leave the table").click()
        page.wait_for_selector("#games", state="attached")  # nobody is left there
        assert game.count() == 0
        assert not ann.complaints


def test_everybody_is_told_who_plays_a_seat_from_now_on(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        link = two_at_a_table(ann, bob, server, "easy")
        leave(bob)
        expect(ann.locator("#log")).to_contain_text("medium now plays ")
        bob.goto(link)
        bob.fill("[name=name]", "Cyd")
        bob.get_by_role("button", name="Sit down").click()
        expect(ann.locator("#log")).to_contain_text("Cyd now plays ")
        wait_for_one(ann, bob)  # until then the levels play on
        told = ann.locator("#log").inner_text()
        ann.reload()
        expect(ann.locator("#log")).to_have_text(told, use_inner_text=True)
        expect(bob.locator("#log")).to_contain_text("medium now plays ")
        assert not visits[0].complaints


def test_who_plays_a_seat_from_now_on_stands_where_it_was_told_also_after_a_reload(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        two_at_a_table(ann, bob, server, "easy")
        first = wait_for_one(ann, bob)
        act(first)
        leave(ann if first is bob else bob)
        expect(first.locator("#log li").last).to_contain_text("medium now plays ")
        act(first)
        wait_for_one(first)
        told = first.locator("#log").inner_text()
        first.reload()
        expect(first.locator("#log")).to_have_text(told, use_inner_text=True)


def choose_who_plays(page: Page, seat: int, who: str, answer: str) -> None:
    """As host, choose who plays a seat, by the dialog of players, and answer what is asked."""
    if not page.locator("#people[open]").count():
        page.locator("#people-open").click()
    page.locator("#seat-list li").nth(seat).locator("select").select_option(label=who)
    page.locator("#talk").get_by_role("button", name=answer, exact=True).click()


def test_the_host_is_asked_before_a_level_plays_for_somebody_who_may_come_back(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        two_at_a_table(ann, bob, server, "easy")
        choose_who_plays(ann, 1, "let a level play for now", "Cancel")
        expect(ann.locator("#seat-list li").nth(1)).not_to_contain_text("away")
        choose_who_plays(ann, 1, "let a level play for now", "Let a level play")
        expect(ann.locator("#seat-list li").nth(1)).to_contain_text("away")
        expect(bob.locator("#prompt")).to_have_text("A level plays for you.")
        bob.get_by_role("button", name="I am back").click()
        expect(ann.locator("#seat-list li").nth(1)).not_to_contain_text("away")
        expect(bob.locator("#prompt")).not_to_have_text("A level plays for you.")
        assert not visits[0].complaints


def test_why_a_seat_cannot_be_freed_is_told_in_the_dialog_of_players(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        link = two_at_a_table(ann, bob, server, "easy")
        choose_who_plays(ann, 1, "free for somebody else", "Give it away")
        expect(ann.locator("#people-refusal")).to_contain_text("somebody who is playing")
        assert ann.url == link
        ann.locator("#seat-list li").nth(2).locator("select").select_option("medium")  # of a level: nobody is asked
        expect(ann.locator("#seat-list li").nth(2)).to_contain_text("medium")
        expect(ann.locator("#people-refusal")).to_be_hidden()


def test_who_has_gone_is_seen_and_somebody_else_is_host_after_a_moment(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(online_table, "TurnClock", partial(TurnClock, lambda: now[0]))
    with served() as url, browsers(DESKTOP, PHONE) as (visit, other):
        ann, bob = visit.page, other.page
        link = open_table(ann, SimpleNamespace(url=f"{url}/"), "open", "easy")
        join(bob, link, "Bob")
        deal(ann, bob)
        monkeypatch.setattr(online_table, "_MOMENT_S", 0.1)  # which is waited for
        ann.goto("about:blank")
        expect(bob.locator("#seats li").first).to_contain_text("offline")
        now[0] += 1.0
        bob.locator("#people-open").click()
        expect(bob.locator("#seat-list li").first).to_contain_text("offline")
        expect(bob.locator("#seat-list li").nth(1)).to_contain_text("host")
        expect(bob.locator("#seat-list option[value=open]")).to_have_count(0)
        choose_who_plays(bob, 0, "let a level play for now", "Let a level play")
        expect(bob.locator("#seat-list li").first).to_contain_text("away")
        expect(bob.locator("#seat-list li").first.locator("select")).to_have_count(0)
        assert not other.complaints


def test_where_the_host_has_gone_before_the_deal_somebody_else_deals(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(online_table, "TurnClock", partial(TurnClock, lambda: now[0]))
    with served() as url, browsers(DESKTOP, PHONE) as (visit, other):
        ann, bob = visit.page, other.page
        join(bob, open_table(ann, SimpleNamespace(url=f"{url}/"), "open", "easy"), "Bob")
        monkeypatch.setattr(online_table, "_MOMENT_S", 0.1)  # which is waited for
        ann.goto("about:blank")
        expect(bob.locator("#seat-list li").first).to_contain_text("offline")
        now[0] += 1.0
        deal(bob)
        assert not other.complaints


def test_who_plays_a_seat_from_now_on_is_told_also_with_what_was_taken_back(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        two_at_a_table(ann, bob, server, "easy")
        back = bob.get_by_role("button", name="take back")
        while (page := wait_for_one(ann, bob)) and not back.count():
            act(page)
        ann.context.set_offline(True)
        ann.wait_for_selector("#lost:has-text('No connection')")
        with bob.expect_response("**/do"):
            back.click()
        leave(bob)
        ann.context.set_offline(False)
        expect(ann.locator("#log")).to_contain_text("medium now plays ")


def test_who_plays_a_seat_from_now_on_stays_in_the_log_when_a_move_is_taken_back(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        two_at_a_table(ann, bob, server, "easy")
        back = ann.get_by_role("button", name="take back")
        while (page := wait_for_one(ann, bob)) and not back.count():
            act(page)
        leave(bob)
        log = ann.locator("#log")
        expect(log).to_contain_text("medium now plays ")
        back.click()
        expect(back).to_have_count(0)
        expect(log.locator("li").last).to_contain_text("medium now plays ")
        assert not visits[0].complaints


def test_after_the_end_nobody_plays_the_seat_of_who_leaves(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        link = two_at_a_table(ann, bob, server, "easy")
        play_to_a_right_accusation(server, link, [ann, bob])
        ann.wait_for_selector("#end:not([hidden])")
        leave(bob)
        expect(ann.locator("#seats")).to_contain_text("free")
        expect(ann.locator("#log")).not_to_contain_text("now plays")


def test_the_chooser_begins_with_the_cards_that_a_hint_proposed(server):
    with seated(server, DESKTOP) as page:
        while wait_for_one(page) and not page.locator("#chooser:visible").count():
            act(page)
        assert page.locator('#chooser [aria-pressed="true"]').count() == 0
        with page.expect_response("**/hint?*") as answer:
            page.locator("#hint").click()
        first = answer.value.json()["sections"][0]
        page.locator("#talk-title").get_by_text(first["title"]).wait_for()
        page.keyboard.press("Escape")
        chosen = page.locator('#chooser [aria-pressed="true"]').evaluate_all(
            "(all) => all.map((one) => one.dataset.card)"
        )
        assert list(map(int, chosen)) == first["proposed"][:2]
        assert page.locator("#actions .primary:not([disabled])").count() == 1


def test_a_hint_is_closed_when_the_game_is_over(server):
    advice = {"sections": [{"title": "Wait.", "tone": "plain", "lines": []}]}
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        ann.route("**/hint?*", lambda route: route.fulfill(json=advice))
        link = two_at_a_table(ann, bob, server, "easy")
        while (page := wait_for_one(ann, bob)) is ann or not page.get_by_role(
            "button", name=re.compile("^accuse")
        ).count():
            act(page)
        ann.locator("#hint").click()
        ann.locator("#talk-title").get_by_text("Wait.").wait_for()
        accuse(bob, envelope(server, link))
        ann.wait_for_selector("#end:not([hidden])")
        ann.wait_for_selector("#talk:not([open])", state="attached")


def test_who_comes_to_the_table_does_not_take_the_keyboard_from_the_host(server):
    with browsers(DESKTOP, PHONE) as (ann, bob):
        page = ann.page
        link = open_table(page, server, "open", "easy")
        page.locator(".seat-row.open").wait_for()
        for held, change, seen in [
            ("a.button.quiet", lambda: join(bob.page, link, "Bob"), "Bob"),
            ("form[action$=start] button", bob.page.close, "Bob.*offline"),
        ]:
            page.focus(held)
            change()
            page.locator(".seat-row", has_text=re.compile(seen, re.DOTALL)).wait_for()
            assert page.evaluate("(held) => document.activeElement.matches(held)", held), held
        page.keyboard.press("Enter")
        page.wait_for_selector("#prompt:not(:empty)")


def test_enlarged_four_times_each_part_of_the_table_has_the_width_of_the_window(server):
    with browsers(DESKTOP) as (ann,):
        at_a_table(ann.page, server)
        wait_for_one(ann.page)
        ann.page.set_viewport_size({"width": 320, "height": 200})
        for part in ("#pane-board", "#doing", "#seats"):
            box = ann.page.locator(part).bounding_box()
            assert box["width"] > 280, part
            assert box["height"] > 20, part
        assert ann.overflow <= 0


@pytest.mark.parametrize("size", [(195, 422), (240, 427)], ids=["twice", "one and a half times"])
def test_on_a_phone_that_is_enlarged_the_board_and_the_cards_to_choose_have_their_height(server, size):
    with browsers(PHONE | {"width": size[0], "height": size[1]}) as (ann,):
        page = ann.page
        open_table(page, server, "easy", "easy", board="classic")
        deal(page)
        while wait_for_one(page) and not page.locator("#chooser:visible").count():
            assert page.locator("#house").bounding_box()["height"] > 190
            act(page)
        assert page.locator("#chooser").evaluate("(cards) => cards.clientHeight >= cards.scrollHeight")
        assert ann.overflow <= 0


def choose_by_keys(page: Page, names: list[str]) -> None:
    for name in names:
        card = page.locator("#chooser button", has=page.get_by_text(name, exact=True)).get_attribute("data-card")
        reach(page, f'#chooser [data-card="{card}"]', "Space")
    reach(page, "#actions .primary")


def test_a_game_in_french_by_keyboard_alone_from_the_form_to_a_right_accusation(server):
    with browsers({**DESKTOP, "locale": "fr-FR"}) as (ann,):
        page = ann.page
        page.goto(f"{server.url}play")
        texts = [said(page)]
        reach(page, "[name=name]", "A")
        page.keyboard.type("nne")
        for seat in (1, 3):
            reach(page, f"[name=seat-{seat}]", "e")  # the first level that begins so
        reach(page, "main button.primary")
        page.wait_for_selector(".lobby")
        texts.append(said(page))
        reach(page, "form[action$=start] button")
        page.wait_for_selector("#prompt:not(:empty)")
        for name, role in [("Que faire", "region"), ("Feuille", "table"), ("Journal", "list"), ("Joueurs", "list")]:
            assert page.get_by_role(role, name=name, exact=True).count() == 1, name
        asked = False
        for turn in range(60):
            wait_for_one(page)
            assert not turn or page.evaluate("document.activeElement !== document.body"), "the focus is lost"
            texts.append(said(page))
            while page.locator("#shown:visible").count():
                page.keyboard.press("Escape")
            if page.locator("#chooser:visible").count():
                choose_by_keys(page, [group.locator("button span").first.inner_text() for group in groups(page)])
                asked = True
            elif asked and page.locator("#actions [data-key=a]").count():
                page.keyboard.press("a")
                choose_by_keys(page, envelope(server, page.url))
                page.wait_for_selector("#talk[open]")
                texts.append(said(page))
                reach(page, "#talk button.primary")
                break
            else:
                reach(page, "#actions button.go" if page.locator("#actions .go").count() > 2 else "#actions button")
        page.wait_for_selector("#end:not([hidden])")
        texts.append(said(page))
        assert "gagnez" in page.locator("#end-text").inner_text()
        reach(page, "#replay")
        page.wait_for_url("**/replay/*")
        texts.append(said(page))
        assert {word for text in texts for word in ENGLISH.findall(text)} == set()
        assert not ann.complaints
