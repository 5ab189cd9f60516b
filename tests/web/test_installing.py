"""The site as an installed program: its manifest and icons, and what is read where the server cannot be reached."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from math import hypot
from urllib.parse import urljoin, urlsplit

import pytest
from helpers.accessibility import faults
from helpers.browser import NEEDS_CHROMIUM, browser
from helpers.sites import ADDRESS, DESKTOP, PHONE, Client, another, served
from helpers.tables import noted_game
from PIL import Image
from playwright.sync_api import Page

from cluedo.engine.entries import Entry
from cluedo.session.case.case import Case

CACHED = """async () => Promise.all((await caches.keys()).map(async (name) => {
  const cache = await caches.open(name);
  return Promise.all((await cache.keys()).map(async ({ url }) => [url, await (await cache.match(url)).text()]));
})).then((found) => found.flat())"""
INSTALLED = "() => navigator.serviceWorker.ready.then((installed) => Boolean(installed.active))"
REPLACED = "entry => !(localStorage.getItem('cluedo-last-case') ?? entry).includes(entry)"
UNREACHED = "There is no connection to the server, which this page needs."


# ---- what the server says ----------------------------------------------------------------------------


def test_the_manifest_has_what_browsers_want_before_they_install(visitor):
    link = re.search(r'rel="manifest" href="([^"]+)"', visitor.get("/").text)[1]
    answer = visitor.get(link)
    assert answer.headers["content-type"].startswith("application/manifest+json")
    told = answer.json()
    assert told["name"]
    assert told["display"] == "standalone"
    assert told["id"] == told["start_url"] == told["scope"] == "/"
    found = set()
    for icon in told["icons"]:
        drawn = visitor.get(icon["src"])
        assert drawn.headers["content-type"] == icon["type"] == "image/png"
        side = Image.open(BytesIO(drawn.content)).size
        assert icon["sizes"] == f"{side[0]}x{side[1]}"
        found.add((icon["purpose"], side))
    assert found == {(purpose, (side, side)) for purpose in ("any", "maskable") for side in (192, 512)}


@pytest.mark.parametrize("name", ["any-192", "any-512", "maskable-192", "maskable-512"])
def test_icons_are_small_and_show_a_lens_that_masks_leave_whole(visitor, name):
    data = visitor.get(f"/static/icon-{name}.png").content
    assert len(data) < 8_000
    image = Image.open(BytesIO(data)).convert("RGBA")
    side = image.width
    pixels = image.load()
    light = [(x, y) for x in range(side) for y in range(side) if pixels[x, y][1] > 150 and pixels[x, y][3] > 200]
    assert 0.05 < len(light) / side**2 < 0.3
    if name.startswith("maskable"):
        assert all(hypot(x + 0.5 - side / 2, y + 0.5 - side / 2) <= 0.4 * side for x, y in light)
        assert pixels[0, 0][3] == 255
    else:
        assert pixels[0, 0][3] == 0


def test_the_bar_of_the_browser_has_the_colour_of_ours(visitor):
    found = re.search(r"--card: light-dark\((#\w+), (#\w+)\)", visitor.get("/static/base.css").text)
    page = visitor.get("/").text
    for scheme, colour in zip(("light", "dark"), found.groups(), strict=True):
        assert f'content="{colour}" media="(prefers-color-scheme: {scheme})"' in page
    visitor.send_form("/settings", theme="dark")
    assert re.findall(r'name="theme-color" content="([^"]+)">', visitor.get("/").text) == [found[2]]
    visitor.send_form("/settings", theme="auto")


def test_what_the_worker_keeps_is_the_same_for_all_who_speak_a_language(visitor):
    worker, offline = visitor.get("/worker.js"), visitor.get("/offline").text
    assert worker.headers["content-type"].startswith("text/javascript")
    other = another(visitor)
    assert other.token != visitor.token
    assert (other.get("/worker.js").text, other.get("/offline").text) == (worker.text, offline)
    assert visitor.token not in worker.text + offline
    french = {"Accept-Language": "fr"}
    assert other.get("/worker.js", headers=french).text != worker.text
    files = json.loads(re.search(r"FILES = (.*);", worker.text)[1])
    linked = {path for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', offline) if "/icon-" not in path}
    assert linked <= set(files), "all but the icon of a home screen, which a page does not show"
    assert {visitor.get(file).status_code for file in files} == {200}


def test_below_a_path_the_worker_keeps_what_is_there(visitor):
    below = Client(visitor.app, base_url=ADDRESS, root_path="/games", headers={"Accept": "text/html"})
    below.portal = visitor.portal
    assert 'name="worker" content="/games/worker.js"' in below.get("/games/").text
    told = below.get("/games/manifest.webmanifest").json()
    assert {told["scope"], told["start_url"]} == {"/games/"}
    worker = below.get("/games/worker.js").text
    assert 'OFFLINE = "/games/offline"' in worker
    assert all(file.startswith("/games/static/") for file in json.loads(re.search(r"FILES = (.*);", worker)[1]))


# ---- in a browser ------------------------------------------------------------------------------------


@contextmanager
def at_a_case(screen: dict) -> Iterator[tuple[Page, Case, list[Entry]]]:
    """A case with two entries, in a browser that keeps what it needs to be offline; and the entries that follow."""
    setting, noted = noted_game("classic", 4, 2, "medium")
    case = Case(setting, noted[:2])
    with served() as url, browser(**screen) as visit:
        visit.page.goto(f"{url}/replay")
        visit.page.get_by_text("Or paste it here").click()
        visit.page.fill("[name=text]", json.dumps(case.log.to_json()))
        visit.page.get_by_role("button", name="Open").click()
        visit.page.wait_for_url("**/assistant/*")
        visit.page.wait_for_function(INSTALLED)
        visit.page.reload()  # a page that was about to open when the worker came is left alone by it
        yield visit.page, case, noted[2:]


def sentence(page: Page) -> str:
    """What a page says at its top."""
    return page.locator("h1:visible").text_content()


def offline(page: Page) -> None:
    """Lose the connection, and load the page again."""
    page.context.set_offline(True)
    page.reload()


def go(page: Page, path: str) -> None:
    """Go to another page of the site."""
    page.goto(urljoin(page.url, path))


def told(page: Page) -> dict[str, list[str]]:
    """What a page tells of its case, whether it is the case's own or the copy of it."""
    where = {"verdict": "strong", "sheet": "td, tbody th", "advice": "h3, .room, .worth", "entries": "h3, li"}
    return {
        part: page.locator(f'[data-part="{part}"]').locator(what).all_text_contents() for part, what in where.items()
    }


@pytest.mark.slow
@NEEDS_CHROMIUM
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_last_case_is_read_offline_as_it_was_seen(screen):
    with at_a_case(screen) as (page, case, noted):
        where = page.url
        page.fill("#line", case.grammar.write(noted[0]))
        page.keyboard.press("Enter")
        page.locator('[data-entry="3"]').wait_for(state="attached")
        seen = told(page)
        offline(page)
        page.get_by_text(re.compile("^As of .+, offline.$")).wait_for()
        assert all(seen.values())
        assert told(page) == seen
        assert page.locator("article button").all_text_contents() == ["Try again"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert faults(page) == []
        page.evaluate("window.stays = true")
        page.route("**/assistant", lambda route: route.fulfill(status=502), times=1)
        with page.expect_response("**/assistant"):  # a proxy is there, and no server yet
            page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(200)
        assert page.evaluate("window.stays")
        go(page, "/puzzle")
        assert sentence(page) == UNREACHED
        assert faults(page) == []
        page.get_by_role("link", name="Read the last case").click()
        page.wait_for_url(where)
        page.context.set_offline(False)  # it comes back by itself
        page.locator("#line").wait_for(state="attached")


@pytest.mark.slow
@NEEDS_CHROMIUM
def test_an_entry_that_waits_is_told_of_and_sent_when_the_server_is_back():
    with at_a_case(PHONE) as (page, case, noted):
        page.context.set_offline(True)
        page.fill("#line", case.grammar.write(noted[0]))
        page.keyboard.press("Enter")
        offline(page)
        page.get_by_text("What you entered since then is kept here and will be sent.").wait_for()
        page.context.set_offline(False)
        page.locator('[data-entry="3"]').wait_for(state="attached")


@pytest.mark.slow
@NEEDS_CHROMIUM
@pytest.mark.parametrize("way", ["mended", "left out"])
def test_an_entry_that_is_refused_keeps_those_behind_it_waiting(way):
    """None is lost, and they stay in order."""
    with at_a_case(PHONE) as (page, case, noted):
        page.context.set_offline(True)
        good = [case.grammar.write(entry) for entry in noted[:2]]
        for line in (f"nonsense {good[0]}", good[1]):
            page.fill("#line", line)
            page.keyboard.press("Enter")
        page.context.set_offline(False)
        page.get_by_text("Behind it wait: 1.").wait_for()
        assert page.locator("#trouble").is_visible()
        assert page.locator("#line").input_value() == f"nonsense {good[0]}"
        assert page.locator("[data-entry]").count() == 2
        if way == "mended":
            page.fill("#line", good[0])
            page.keyboard.press("Enter")
            page.locator('[data-entry="4"]').wait_for(state="attached")
            assert [page.locator(f'[data-entry="{k}"]').get_attribute("data-text") for k in (3, 4)] == good
        else:
            page.get_by_role("button", name="Leave it out").click()
            page.locator('[data-entry="3"]').wait_for(state="attached")
            assert page.locator('[data-entry="3"]').get_attribute("data-text") == good[1]
        assert page.locator("#waiting").is_hidden()
        assert page.locator("#trouble").is_hidden()
        assert faults(page) == []


@pytest.mark.slow
@NEEDS_CHROMIUM
@pytest.mark.parametrize("way", ["forgotten", "left", "another"])
def test_no_copy_stays_of_a_case_that_is_not_the_last_or_was_left(way):
    with at_a_case(DESKTOP) as (page, case, _):
        path = urlsplit(page.url).path
        kept = page.evaluate("localStorage.getItem('cluedo-last-case')")
        assert case.grammar.write(case.entries[0]) in kept
        if way == "left":
            page.fill("#line", "quit")
            page.keyboard.press("Enter")
            page.wait_for_url("**/assistant")
        else:
            go(page, "/assistant")
        if way == "forgotten":
            page.get_by_role("button", name="Forget").click()
        if way == "another":
            for number in range(3):
                page.locator(".chips:visible button").nth(number).click()
            page.get_by_label("I am only watching").check()
            page.get_by_role("button", name="Start").click()
            page.wait_for_function(REPLACED, arg=case.grammar.write(case.entries[0]))  # once its script has run
        page.context.set_offline(True)
        go(page, path)
        assert sentence(page) == UNREACHED
        assert page.get_by_role("link", name="Read the last case").is_visible() is (way == "another")
        assert case.grammar.write(case.entries[0]) not in str(page.evaluate("localStorage.getItem('cluedo-last-case')"))


@pytest.mark.slow
@NEEDS_CHROMIUM
def test_who_sends_a_form_offline_is_told_and_finds_the_form_again():
    with at_a_case(PHONE) as (page, _, _):
        go(page, "/")
        page.context.set_offline(True)
        page.get_by_role("button", name="easy").click()
        page.get_by_role("heading", name=UNREACHED).wait_for()
        page.context.set_offline(False)
        page.get_by_role("button", name="easy").click()
        page.locator("#hand li").first.wait_for()


@pytest.mark.slow
@NEEDS_CHROMIUM
def test_going_back_to_a_form_that_was_refused_is_not_taken_for_being_offline():
    with served() as url, browser(**PHONE) as friend, browser(**DESKTOP) as host:
        host.page.goto(f"{url}/play")
        host.page.fill("[name=name]", "Ann")
        host.page.get_by_role("button", name="Open the table").click()
        host.page.wait_for_url("**/r/*")
        page = friend.page
        page.goto(url)
        page.wait_for_function(INSTALLED)
        page.goto(host.page.url)
        for name in ("Ann", "Ben"):
            page.fill("[name=name]", name)
            page.get_by_role("button", name="Sit down").click()
            page.get_by_text("is already called" if name == "Ann" else "You have a seat").wait_for()
        page.go_back()
        assert sentence(page) == "Before the game"


@pytest.mark.slow
@NEEDS_CHROMIUM
def test_nothing_of_a_seat_or_a_case_is_in_what_the_worker_keeps():
    with at_a_case(DESKTOP) as (page, _, _):
        case = urlsplit(page.url).path
        go(page, "/")
        page.get_by_role("button", name="easy").click()
        page.locator("#hand li").first.wait_for()
        table = urlsplit(page.url).path
        page.reload()
        go(page, f"{table}/mine")
        kept = dict(page.evaluate(CACHED))
        seat = page.locator("input[readonly]").input_value().rpartition("/")[2]
        token = page.locator('meta[name="token"]').get_attribute("content")
        assert {urlsplit(url).path.split("/")[1] for url in kept} == {"offline", "static"}
        assert {len(secret) > 8 for secret in (seat, token, case, table)} == {True}
        assert not [url for url, text in kept.items() for secret in (seat, token, case, table) if secret in url + text]
        page.context.set_offline(True)
        go(page, table)
        assert sentence(page) == UNREACHED


@pytest.mark.slow
@NEEDS_CHROMIUM
def test_what_is_said_offline_is_in_the_language_that_was_chosen_last():
    with at_a_case(DESKTOP) as (page, _, _):
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("button", name="Français").click()
        page.wait_for_selector('html[lang="fr"]')
        for _ in range(1_200):  # two minutes
            spoken = {text[text.index("lang=") :][:9] for _, text in page.evaluate(CACHED) if "<html lang=" in text}
            if spoken == {'lang="fr"'}:  # the older worker is gone, with what it kept
                break
            page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
            page.wait_for_timeout(100)
        else:
            pytest.fail("what is kept stays in English")
        page.context.set_offline(True)
        go(page, "/play")
        assert sentence(page) == "Pas de connexion au serveur, dont cette page a besoin."
