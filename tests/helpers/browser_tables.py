"""Tables in real browsers for tests: opened, joined and played as people do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from cluedo.engine.record import GameRecord
from helpers.browser import PATIENCE_MS, Visit, browser
from helpers.sites import PHONE, Server

SEED = 3
"""Of every game here: its cards and dice let happen what the tests wait for."""


AT_ONCE = """if (location.protocol === "http:") localStorage["cluedo-table"] ??= JSON.stringify({ speed: "off" })"""


def choose_speed(page: Page, speed: str) -> None:
    """Choose at a table how fast everything is told from now on."""
    settings = page.get_by_role("button", name="Settings")
    settings.click()
    page.get_by_label("Speed").select_option(speed)
    settings.click()


@contextmanager
def browsers(*screens: dict[str, Any]) -> Iterator[list[Visit]]:
    """Windows of people who know nothing of each other, and read so fast that nothing has to wait for them."""
    with ExitStack() as windows:
        options = {"reduced_motion": "reduce", "locale": "en-GB"}
        visits = [windows.enter_context(browser(**options | screen)) for screen in screens]
        for visit in visits:
            visit.page.add_init_script(AT_ONCE)
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
    """Leave the table in the middle of its game, or after it, and see the page to which that leads."""
    page.locator("#people-open").click()
    page.locator("#leave button").click()
    with page.expect_navigation():  # by a form that a script sends: a click does not wait for it
        page.locator("#talk .danger").click()


def at_a_table(page: Page, server: Server, *others: str, **settings: str) -> str:
    """Open a table with two levels, or with these others, and deal; its link."""
    link = open_table(page, server, *(others or ("easy", "easy")), **settings)
    deal(page)
    return link


@contextmanager
def seated(
    server: Server, screen: dict[str, Any], *others: str, scripts: Sequence[str] = (), **settings: str
) -> Iterator[Page]:
    """Somebody at a table, as :func:`at_a_table` opens it, whose page complains of nothing and fits the window."""
    with browsers(screen) as (visit,):
        for script in scripts:
            visit.page.add_init_script(script)
        at_a_table(visit.page, server, *others, **settings)
        yield visit.page
        assert not visit.complaints
        assert visit.overflow <= 0


@contextmanager
def guided(server: Server, screen: dict[str, Any], *seen: str) -> Iterator[Page]:
    """Somebody in a first game who has seen these tips already, and whose page complains of nothing."""
    with browsers(screen) as (visit,):
        visit.page.goto(server.url)
        visit.page.evaluate("(seen) => localStorage.setItem('cluedo-guide', JSON.stringify(seen))", seen)
        visit.page.locator(".now button").first.click()
        visit.page.wait_for_selector("#prompt:not(:empty)")
        yield visit.page
        assert not visit.complaints


def wait_until(page: Page, so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = monotonic() + PATIENCE_MS / 1000
    while not so():
        assert monotonic() < end, f"it did not come to pass: {page.locator('body').inner_text()}"
        page.wait_for_timeout(20)


def who_may_act(*pages: Page) -> Page | None:
    """Who may do something now; nobody once the game is over."""
    end = monotonic() + PATIENCE_MS / 1000
    while True:
        for page in pages:
            if page.locator("#actions button:not([disabled])").count():
                return page
        if pages[0].locator("#end:visible").count():
            return None
        assert monotonic() < end, f"nobody may act: {[page.locator('#doing').inner_text() for page in pages]}"
        pages[0].wait_for_timeout(20)


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
