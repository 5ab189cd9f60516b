"""Tables in real browsers: what is seen, and where, on windows of every size."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial

import pytest
from helpers.accessibility import faults
from helpers.browser import NEEDS_CHROMIUM
from helpers.browser_tables import (
    LOW,
    SIDEWAYS,
    TIP_COVERS,
    act,
    at_a_table,
    browsers,
    go_on,
    guided,
    open_table,
    play_to_a_right_accusation,
    seated,
    wait_for_one,
)
from helpers.sites import DESKTOP, PHONE
from playwright.sync_api import Page, TimeoutError, expect

pytestmark = [pytest.mark.slow, NEEDS_CHROMIUM]


def test_a_browser_that_keeps_no_settings_shows_the_table(server):
    no_storage = 'Object.defineProperty(window, "localStorage", {get() {throw new DOMException("no");}})'
    with seated(server, DESKTOP, scripts=[no_storage]) as page:
        assert page.locator("#hand li").count() >= 1
        wait_for_one(page)
        page.evaluate('document.getElementById("sound").click()')


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
    with seated(server, DESKTOP | {"color_scheme": scheme}) as page:
        mine = page.locator("#house .pawn.mine circle")
        other = page.locator("#house .pawn:not(.mine) circle").first
        size, ring = "(it) => parseFloat(getComputedStyle(it).r)", "(it) => getComputedStyle(it).stroke"
        assert mine.evaluate(size) > other.evaluate(size)
        assert contrast(mine.evaluate(ring), other.evaluate(ring)) > 3


HEIGHTS = {844: 1.0, 664: 0.8}
"""Of a phone's screen, all of it and below the browser's bars: how much of its width the board takes at least."""


@pytest.mark.parametrize("others", [1, 2, 5])
def test_a_phone_held_upright_shows_the_board_as_wide_as_it_is_and_all_of_the_hand(server, others):
    with seated(server, PHONE, *["easy"] * others, board="classic") as page:
        for _ in range(3):
            wait_for_one(page)
            for height, least in HEIGHTS.items():
                page.set_viewport_size({"width": 390, "height": height})
                if page.locator("#house:visible").count():
                    width, covered = page.evaluate(LAID_OUT)
                    one_row = page.locator("#actions").bounding_box()["height"] < 50
                    assert width >= least - 1e-3 or not one_row
                    assert covered == []
            act(page)


def test_the_board_of_a_phone_stays_where_it_is_whatever_is_said_and_asked(server):
    with seated(server, PHONE | {"height": 844, "width": 390}, board="classic") as page:
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
    with seated(server, PHONE, board="classic") as page:
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
    with seated(server, screen, *["easy"] * 5, board="edition:master") as page:
        page.locator(".switch [data-side=sheet]").evaluate("(button) => button.click()")
        names = page.locator("#sheet .card-name")
        assert len(set(names.evaluate_all("(all) => all.map((one) => one.offsetHeight)"))) == 1
        assert page.locator("#pane-sheet").evaluate("(pane) => pane.scrollWidth <= pane.clientWidth")


def test_on_a_phone_held_across_one_acts_with_the_sheet_in_sight(server):
    with seated(server, PHONE | {"width": 844, "height": 390}) as page:
        page.locator(".switch [data-side=sheet]").click()
        wait_for_one(page)
        assert page.locator("#actions button").first.is_visible()
        assert page.locator("#sheet").is_visible()


def test_on_a_low_phone_the_clock_leaves_the_name_of_whose_time_runs(server):
    with seated(server, PHONE, *["easy"] * 4, board="classic", clock="300") as page:
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
    with seated(server, PHONE, board="classic") as page:
        wait_for_one(page)
        actions = page.locator("#actions")
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
    with seated(server, DESKTOP) as page:
        first, word, dots = page.locator("#prompt").evaluate(ENDS)
        assert first < word == dots


def test_names_of_rooms_stand_in_the_middle_of_their_buttons_also_where_an_accusation_is_named_on_a_phone(server):
    with seated(server, PHONE) as page:
        while wait_for_one(page) and not page.get_by_role("button", name="accuse").count():
            act(page)
        page.get_by_role("button", name="accuse").click()
        button = page.locator(".chooser.three section:last-child button:not(:has(.known))").first
        outer, name = button.bounding_box(), button.locator("span").bounding_box()
        assert name["height"] < 30 < outer["height"], "else its text stands at its top"
        assert abs(outer["y"] + outer["height"] / 2 - name["y"] - name["height"] / 2) < 2


def test_without_squares_to_tap_every_room_is_in_sight_on_a_phone(server):
    with seated(server, PHONE, board="edition:master") as page:
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


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_phone_held_sideways_a_hint_has_the_height_and_a_tip_leaves_most_of_the_board(server, locale):
    with guided(server, SIDEWAYS | {"locale": locale}) as page:
        page.locator(".tip .primary").click()
        page.locator("#actions .primary").click()
        page.wait_for_selector(".tip")
        tip, house = (page.locator(what).bounding_box()["height"] for what in (".tip", "#house"))
        assert tip < 0.4 * house
        page.locator("#hint").click()
        page.wait_for_selector("#talk-body .told")
        hint = page.locator("#talk")
        assert hint.evaluate("(it) => it.scrollHeight <= it.clientHeight || it.clientHeight > 0.9 * innerHeight")


def test_the_buttons_of_a_tip_stand_side_by_side_in_french_and_within_it_on_a_phone_that_is_enlarged_twice(server):
    with guided(server, PHONE | {"width": 390, "height": 844, "locale": "fr-FR"}) as page:
        page.wait_for_selector(".tip")
        tops = page.locator(".tip button").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
        assert len(tops) == 2
        assert len(set(tops)) == 1
        page.set_viewport_size({"width": 180, "height": 370})
        assert page.locator(".tip").evaluate("(tip) => tip.scrollWidth <= tip.clientWidth")


def test_a_tip_finds_a_free_place_however_much_room_the_hand_takes(server):
    with guided(server, LOW, "hand", "walk", "ask", "shown", "sheet", "accuse") as page:
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


def test_a_wheel_over_the_board_scrolls_the_page_and_with_the_control_key_looks_closer(server):
    with seated(server, DESKTOP) as page:
        play_to_a_right_accusation(server, page.url, [page])
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
    with seated(server, PHONE) as page:
        play_to_a_right_accusation(server, page.url, [page])
        page.wait_for_selector("#end:not([hidden])")
        page.locator("#house").evaluate("(house) => house.scrollIntoView()")
        main = page.locator("main")
        before = main.evaluate("(main) => main.scrollTop")
        box = page.locator("#house").bounding_box()
        drag(page, box["x"] + box["width"] / 2, box["y"] + 20, 100)
        expect(main).not_to_have_js_property("scrollTop", before)
        assert main.evaluate("(main) => main.scrollTop") < before


def drag(page: Page, x: float, y: float, down: int) -> None:
    """Move a finger from a point downwards."""
    touch = partial(page.context.new_cdp_session(page).send, "Input.dispatchTouchEvent")
    touch({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for moved in range(0, down + 1, 10):
        touch({"type": "touchMove", "touchPoints": [{"x": x, "y": y + moved}]})
    touch({"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_serious_fault(server, screen):
    with browsers(screen) as (ann,):
        for path in "", "play":
            ann.page.goto(server.url + path)
            assert faults(ann.page) == []
        open_table(ann.page, server, "open", "easy", "easy")
        assert faults(ann.page) == []
        at_a_table(ann.page, server, *["easy"] * 5, board="classic")
        wait_for_one(ann.page)
        assert faults(ann.page) == []


def test_enlarged_four_times_each_part_of_the_table_has_the_width_of_the_window(server):
    with seated(server, DESKTOP) as page:
        wait_for_one(page)
        for width, height in ((640, 400), (320, 200)):
            page.set_viewport_size({"width": width, "height": height})
            page.get_by_role("button", name="Settings").click()
            page.locator("#settings legend").first.hover()
            page.mouse.wheel(0, 600)
            expect(page.locator("#speed")).to_be_in_viewport(ratio=1)
            page.keyboard.press("Escape")
        for part in ("#pane-board", "#doing", "#seats"):
            box = page.locator(part).bounding_box()
            assert box["width"] > 280, part
            assert box["height"] > 20, part


@pytest.mark.parametrize("size", [(195, 422), (240, 427)], ids=["twice", "one and a half times"])
def test_on_a_phone_that_is_enlarged_the_board_and_the_cards_to_choose_have_their_height(server, size):
    with seated(server, PHONE | {"width": size[0], "height": size[1]}, board="classic") as page:
        while wait_for_one(page) and not page.locator("#chooser:visible").count():
            assert page.locator("#house").bounding_box()["height"] > 190
            act(page)
        assert page.locator("#chooser").evaluate("(cards) => cards.clientHeight >= cards.scrollHeight")


def test_who_sits_at_a_table_is_told_in_whole_words_on_the_narrowest_phone(server):
    with browsers(PHONE | {"width": 320, "locale": "fr-FR"}) as (visit,):
        open_table(visit.page, server, "easy", "easy")
        lines = visit.page.locator(".who").evaluate_all("(all) => all.map((one) => one.clientHeight)")
        assert len(set(lines)) == 1, "“l’ordinateur” takes one line, as “hôte” does"
        assert visit.overflow <= 0
