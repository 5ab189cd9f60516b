"""The pages of the assistant, of replays and of the puzzle in a real browser, on a phone and on a desktop."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from helpers.accessibility import faults
from helpers.browser import NEEDS_CHROMIUM, browser, quiet, url_of
from helpers.browser_tables import wait_until
from helpers.cases import cases
from helpers.french import ENGLISH
from helpers.recorded import played, record_of
from helpers.said import said
from helpers.sites import DESKTOP, PATIENT, PHONE, served
from helpers.tables import noted_game
from playwright.sync_api import Page, Route, expect

from cluedo.ai.knowledge import MODELS
from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HypothesisMade, Moved, Passed, Rolled
from cluedo.session.advice import case_sections
from cluedo.session.case.case import Case
from cluedo.session.case.exports import page as page_of_case
from cluedo.web.assist_work import case_view
from cluedo.web.guard import Limits
from cluedo.web.shared import SiteSettings
from cluedo.web.workers import Workers

pytestmark = [pytest.mark.slow, NEEDS_CHROMIUM]

SIZES = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
NARROW = DESKTOP | {"width": 1030}
"""As narrow as a window with three columns may be."""
DAY = "2026-11-20"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(PATIENT) as url:
        yield url


class Assisted:
    """The assistant in a browser, counting taps."""

    def __init__(self, page: Page, setting: Setting):
        self.page, self.setting, self.taps = page, setting, 0
        for name in setting.names:
            self.tap(f'.chips:visible button[data-name="{name}"]')
        for seat, size in enumerate(setting.sizes):
            self.page.fill(f'[name="size-{seat}"]', str(size))
        if setting.me is not None:
            self.page.locator(f'[name="me"][value="{setting.me}"]').check()
            for name in setting.deck.names_in(setting.hand):
                self.page.locator(".deck:visible").get_by_label(name, exact=True).check()
        self.page.get_by_role("button", name="Start").click()
        self.page.wait_for_url("**/assistant/*")

    def tap(self, selector: str) -> None:
        self.page.locator(selector).click()
        self.taps += 1

    def enter(self, entry: Entry) -> int:
        """Enter by taps; gives how many it took."""
        names, deck, self.taps = self.setting.names, self.setting.deck.names, 0
        by = names[entry.by]
        if self.page.locator(f'[data-by="{by}"]').get_attribute("aria-pressed") != "true":
            self.tap(f'[data-by="{by}"]')
        for card in entry.cards:
            self.tap(f'[data-card="{deck[card]}"]')
        if isinstance(entry.head, Accused):
            self.tap(f'[data-verdict="{"right" if entry.head.correct else "wrong"}"]')
        elif entry.refuter is None:
            self.tap('#shown button:text-is("nobody")')
        else:
            card = "" if entry.card is None else f" {deck[entry.card]}"
            self.tap(f'#shown button:text-is("{names[entry.refuter]} shows{card}")')
        self.settle()
        return self.taps

    def type(self, *lines: str) -> None:
        """Type lines, one after another."""
        for line in lines:
            self.page.fill("#line", line)
            self.page.keyboard.press("Enter")
            self.settle()

    def settle(self) -> None:
        """Wait for the answer; a doubtful entry is kept."""
        self.page.wait_for_selector("body:not(.busy)")
        if self.page.locator("#keep").is_visible():
            self.page.click("#keep")
            self.page.wait_for_selector("body:not(.busy)")

    def go(self, panel: str) -> None:
        """Turn to a panel, where they are not all in sight."""
        tab = self.page.locator(f'.tabbar [data-go="{panel}"]')
        if tab.is_visible():
            tab.click()

    def cells(self) -> list[str]:
        return self.page.locator("#panel-sheet .cell").all_text_contents()


def at_the_assistant(url: str, screen: dict) -> Iterator[Assisted]:
    """A case of four players, of which nothing was entered yet."""
    with quiet(f"{url}/assistant", screen) as page:
        yield Assisted(page, noted_game("classic", 4, 2, "medium")[0])


@pytest.fixture
def on_desktop(url: str) -> Iterator[Assisted]:
    yield from at_the_assistant(url, DESKTOP)


@pytest.fixture
def on_phone(url: str) -> Iterator[Assisted]:
    yield from at_the_assistant(url, PHONE)


def cells_of(case: Case) -> list[str]:
    """The same from the session."""
    return [cell["text"] for part in case_view(case)["sheet"] for row in part["rows"] for cell in row["cells"]]


TWICE = "async (button) => { button.click(); await new Promise((done) => setTimeout(done, 100)); button.click(); }"


def test_a_form_is_sent_once_however_often_its_button_is_pressed(url):
    with browser(**PHONE, service_workers="block") as visit:
        page, sent = visit.page, []
        page.goto(url)
        page.route("**/play/computer", lambda route: sent.append(route))  # nobody answers yet
        page.get_by_role("button", name="easy").evaluate(TWICE)
        wait_until(page, lambda: sent)
        assert len(sent) == 1
        sent[0].continue_()
        page.wait_for_selector("#table")


# ---- the assistant -----------------------------------------------------------------------------------


def test_a_page_that_waits_for_the_detective_fills_itself(monkeypatch):
    ready = threading.Event()

    async def ready_soon(_: Workers) -> bool:
        return ready.is_set()

    monkeypatch.setattr(Workers, "ready_soon", ready_soon)
    with served() as url, browser(**PHONE) as visit:
        visit.page.goto(f"{url}/assistant")
        for number in range(3):
            visit.page.locator(".chips:visible button").nth(number).click()
        visit.page.get_by_label("I am only watching").check()
        visit.page.get_by_role("button", name="Start").click()
        visit.page.get_by_role("heading", name="being prepared").wait_for()
        ready.set()
        visit.page.get_by_role("combobox", name="Entry or command").wait_for()


def test_a_game_by_at_most_five_taps_an_entry_is_answered_as_by_cluedo_assist(url):
    setting, noted = noted_game("classic", 4, 2, "medium")
    count = cases(25, 10)
    case = Case(setting, model=MODELS["uniform"])
    with quiet(f"{url}/assistant", PHONE) as page:
        assisted = Assisted(page, setting)
        for number, entry in enumerate(noted[:count], 1):
            assert assisted.enter(entry) <= 5
            case.enter(entry)
            if number % 5 == 0:
                assert assisted.cells() == cells_of(case)
                told = " ".join(page.locator("#panel-advice").text_content().split())
                for section in case_sections(case, envelopes=5):
                    for line in () if section.questions else said([section]):
                        assert " ".join(line.split()) in told
        shown = page.locator("[data-entry]").evaluate_all("(all) => all.map((one) => one.dataset.text)")
        assert shown[::-1] == [case.grammar.write(entry) for entry in case.entries]
        page.reload()
        assert assisted.cells() == cells_of(case)


def make_it_forget(url: str) -> None:
    """Begin another case, where the server keeps only one."""
    with httpx2.Client(timeout=300) as other:
        start = other.get(f"{url}/assistant").text
        form = {"token": re.search(r'name="token" content="(\w+)"', start)[1], "edition": "classic"}
        form |= {"player-0": "Ann", "player-1": "Bob", "player-2": "Cy"}
        assert other.post(f"{url}/assistant", data=form, headers={"Origin": url}).status_code == 303


def test_neither_a_reload_nor_a_lost_server_nor_a_tunnel_loses_an_entry():
    setting, noted = noted_game("classic", 4, 2, "medium")
    with served(SiteSettings(limits=Limits(documents=1))) as url, browser(**PHONE) as visit:
        page = visit.page
        page.goto(f"{url}/assistant")
        assisted = Assisted(page, setting)
        assisted.enter(noted[0])
        page.context.set_offline(True)
        page.fill("#line", Case(setting).grammar.write(noted[1]))
        page.keyboard.press("Enter")
        page.wait_for_selector("#waiting:visible")
        page.context.set_offline(False)
        page.wait_for_selector("#waiting", state="hidden")
        assert page.locator("[data-entry]").count() == 2
        make_it_forget(url)
        page.route("**/back", lambda route: route.fulfill(status=429, json={"error": "Too many requests."}), times=1)
        assisted.enter(noted[2])
        page.wait_for_selector("[data-entry='3']", state="attached")
        page.keyboard.press("Control+z")  # what the server had forgotten is taken back
        page.wait_for_selector("[data-entry='3']", state="detached")
        page.keyboard.press("Control+z")
        page.wait_for_selector("[data-entry='2']", state="detached")
        for number in (2, 3):
            page.keyboard.press("Control+Shift+z")
            page.wait_for_selector(f"[data-entry='{number}']", state="attached")
        make_it_forget(url)
        page.reload()
        page.wait_for_selector("[data-entry='3']", state="attached")
        page.goto(f"{url}/assistant")
        told = page.locator("#kept .when").first.inner_text()
        assert told.split(" · ")[0] == ", ".join(setting.names)
        assert len(told.split(" · ")) == 2, "when it was, and no number that says not of what"
        page.locator("#kept a").first.click()
        page.wait_for_selector("[data-entry='3']", state="attached")


def test_a_line_on_which_the_server_fails_is_given_back_and_holds_up_no_other():
    setting, noted = noted_game("classic", 4, 2, "medium")
    write = Case(setting).grammar.write
    failed = []

    def fail_once(route):
        if failed:
            route.continue_()
        else:
            failed.append(route.request)
            route.fulfill(status=500, json={"error": "Something went wrong here."})

    with served(SiteSettings()) as url, browser(**PHONE) as visit:
        page = visit.page
        page.goto(f"{url}/assistant")
        assisted = Assisted(page, setting)
        page.route("**/line", fail_once)
        page.fill("#line", write(noted[0]))
        page.keyboard.press("Enter")
        page.wait_for_selector("#trouble:visible")
        assert page.inner_text("#trouble") == "Something went wrong here."
        assert page.input_value("#line") == write(noted[0])
        assert page.locator("#waiting").is_hidden()
        assisted.enter(noted[0])
        assert page.locator("[data-entry]").count() == 1


def test_by_keyboard_alone_one_enters_looks_why_changes_and_undoes(on_desktop):
    page = on_desktop.page
    page.keyboard.press("/")
    page.keyboard.type("1 asks plum rope ")
    page.wait_for_selector("#offers li:text-is('Study')")  # not what was offered for less of the line
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type("nobody")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-entry='1']")
    page.locator(".cell").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("#reply[open]")
    assert page.locator("#reply").inner_text().strip()
    page.keyboard.press("Escape")
    page.locator("[data-entry='1']").focus()
    page.keyboard.press("Enter")
    page.locator("#do-edit").focus()
    page.keyboard.press("Enter")
    assert focused(page, "#panel-enter")
    page.locator("#leave-mode").focus()
    page.keyboard.press("Enter")
    page.locator("[data-entry='1']").focus()
    page.keyboard.press("Enter")
    page.locator("#do-drop").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-entry='1']", state="detached")
    page.locator("h1").click(force=True)
    page.keyboard.press("Control+z")
    page.wait_for_selector("[data-entry='1']")


def choose(page: Page, *cards: str) -> None:
    """Tap cards."""
    for card in cards:
        page.click(f'[data-card="{card}"]')


def begin(page: Page, *players: str, button: str = "Start") -> None:
    """Tap players, and begin a case as a spectator."""
    for name in players:
        page.click(f'.chips:visible button[data-name="{name}"]')
    page.check('[name="me"][value=""]')
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/assistant/*")


def focused(page: Page, selector: str) -> bool:
    """Whether this has the focus, once what was sent is answered."""
    page.wait_for_selector("body:not(.busy)")
    return page.evaluate("(selector) => document.activeElement.matches(selector)", selector)


def test_whatever_is_drawn_anew_the_keyboard_goes_on_from_there(on_desktop):
    page = on_desktop.page
    page.click('[data-by="Scarlett"]')
    for card in ("Plum", "Wrench", "Hall"):
        page.focus(f'[data-card="{card}"]')
        page.keyboard.press("Space")
    assert focused(page, "#answers")
    page.focus("#shown button >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-entry='1']")
    assert focused(page, "#choose")
    page.focus(".cell >> nth=7")
    page.keyboard.press("Enter")
    page.wait_for_selector("#reply[open]")
    page.keyboard.press("Escape")
    assert focused(page, '.cell[data-why="Mustard=Mustard"][tabindex="0"]')
    page.focus("#pawn")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".question:not(.far)")
    assert focused(page, "#pawn")
    assert page.input_value("#pawn") == "Library"  # the second below the hall
    page.select_option("#pawn", "")
    page.wait_for_selector(".question:not(:has(.worth .when))")  # from no room nobody knows how far it is
    page.focus("#panel-entries [data-line=undo]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-entry='1']", state="detached")
    assert focused(page, "#panel-entries")  # there is nothing more to undo
    page.fill("#line", "1 asks plum wrench hall: nobody")
    page.keyboard.press("Enter")
    page.wait_for_selector("#entered:visible")
    page.focus("#entered [data-line=undo]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-entry='1']", state="detached")
    assert focused(page, "#panel-enter")
    page.set_viewport_size({"width": 320, "height": 256})  # enlarged four times, one part is shown at a time
    page.click(".tabbar [data-go=advice]")
    page.focus(".question >> nth=0")
    page.keyboard.press("Enter")
    assert focused(page, "#panel-enter")


def test_a_look_at_a_cell_and_a_doubt_leave_the_cards_that_are_chosen(on_desktop):
    page = on_desktop.page
    chosen = page.locator('[data-card][aria-pressed="true"]')
    page.click('[data-card="Plum"]')
    page.click(".cell >> nth=7")
    page.click("#reply [data-close]")
    assert chosen.all_text_contents() == ["Plum"]
    page.fill("#line", "1 asks plum rope hall: nobody")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-entry='1']")
    page.click('[data-by="Green"]')
    choose(page, "Plum", "Wrench", "Hall")
    page.click("#shown button >> nth=0")
    page.wait_for_selector("#keep:visible")  # is it the turn of Green?
    page.click("#reply [data-close]")
    assert chosen.all_text_contents() == ["Plum", "Wrench", "Hall"]


def test_a_change_of_an_entry_begins_with_who_asked_and_the_cards_and_one_before_it_with_neither(on_phone):
    page = on_phone.page
    pressed = page.locator("[data-by][aria-pressed=true], [data-card][aria-pressed=true]")
    on_phone.type("2 asks mustard dagger study: 3", "3 accuses plum rope hall: wrong")
    page.click(".tabbar [data-go=entries]")
    page.click("[data-entry='1']")
    page.click("#do-insert")
    expect(pressed).to_have_count(0)
    page.click("#leave-mode")
    page.click(".tabbar [data-go=entries]")
    page.click("[data-entry='1']")
    page.click("#do-edit")
    assert page.locator("#entered").is_hidden(), "it would lie over the cards"
    expect(page.locator("#asked")).to_have_text("Mustard asks Mustard, Dagger, Study")
    page.click("#shown button:text-is('Green shows')")
    on_phone.settle()
    expect(page.locator("[data-entry='1']")).to_contain_text("Mustard asks Mustard, Dagger, Study: Green shows")
    page.click(".tabbar [data-go=entries]")
    page.click("[data-entry='2']")
    page.click("#do-edit")
    expect(page.locator("#asked")).to_have_text("White asks Plum, Rope, Hall")
    page.click("[data-verdict=right]")
    on_phone.settle()
    expect(page.locator("[data-entry='2']")).to_contain_text("White accuses Plum, Rope, Hall: right")


def test_a_change_that_is_refused_is_mended_in_its_place_and_one_that_is_begun_waits_for_no_answer(url):
    held: list[Route] = []
    with browser(**PHONE) as visit:  # which complains of what is refused
        page = visit.page
        page.goto(f"{url}/assistant")
        assisted = Assisted(page, noted_game("classic", 4, 2, "medium")[0])
        assisted.type("2 asks plum dagger study: 3", "3 asks white wrench lounge: 4")
        page.click(".tabbar [data-go=entries]")
        page.click("[data-entry='2']")
        page.click("#do-edit")
        page.fill("#line", "3 asks white wrench hell: 1")
        page.keyboard.press("Enter")
        page.wait_for_selector("#trouble:visible")
        assert page.input_value("#line") == "3 asks white wrench hell: 1"
        page.fill("#line", "3 asks white wrench lounge: 1")
        page.route("**/line", lambda route: held.append(route))  # nobody answers yet
        page.keyboard.press("Enter")
        page.click(".tabbar [data-go=entries]")
        page.click("[data-entry='1']")
        page.click("#do-edit")
        begun = page.input_value("#line")
        while not held:
            page.wait_for_timeout(20)
        held[0].continue_()
        page.wait_for_selector(
            "[data-entry='2']:has-text('White asks White, Wrench, Lounge: Scarlett shows')", state="attached"
        )
        assert page.locator("#mode:visible").count()
        assert page.input_value("#line") == begun
        expect(page.locator("#asked")).to_have_text("Mustard asks Plum, Dagger, Study")


TOO_SMALL_OR_CUT = """(parts) => parts.filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left < 0 || right > innerWidth || one.clientWidth < 40 || parseFloat(getComputedStyle(one).fontSize) < 12;
}).map((one) => one.textContent || one.name)"""


def test_on_a_phone_that_is_enlarged_twice_names_keep_their_size_and_all_fields_their_place(url):
    with quiet(f"{url}/assistant", PHONE | {"width": 195, "height": 422}) as page:
        for name in ("Scarlett", "Mustard", "White"):
            page.click(f'.chips:visible button[data-name="{name}"]')
        fields = page.locator(".chips button:visible, .seat input[type=text]:visible, .seat [data-step]:visible")
        assert fields.evaluate_all(TOO_SMALL_OR_CUT) == []
        page.check('[name="me"][value=""]')
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**/assistant/*")
        assert page.locator("[data-card]").evaluate_all(TOO_SMALL_OR_CUT) == []


def test_the_first_player_is_me_unless_one_says_otherwise(url):
    with browser(**PHONE) as visit:
        page = visit.page
        page.goto(f"{url}/assistant")
        me, heading = page.locator('[name="me"]:checked'), page.locator(".seat-heads:visible")
        assert heading.count() == 0
        for name in ("White", "Mustard", "Plum", "Green"):
            page.click(f'.chips:visible button[data-name="{name}"]')
        assert heading.inner_text() == "Cards held"
        assert me.input_value() == "0"
        page.click('.chips:visible button[data-name="White"]')  # who was me leaves
        assert me.input_value() == "0"
        page.check('[name="me"][value="2"]')
        page.click('.chips:visible button[data-name="Mustard"]')  # who was third is second now
        assert me.input_value() == "1"
        page.check('[name="me"][value=""]')
        page.click('.chips:visible button[data-name="Mustard"]')
        page.locator(".deck:visible").get_by_label("Rope", exact=True).check()
        page.get_by_role("button", name="Start").click()
        assert "whose are they?" in page.get_by_role("alert").inner_text()
        assert page.locator(".deck:visible").get_by_label("Rope", exact=True).is_checked()
        page.check('[name="me"][value="0"]')
        for name in ("Hall", "Study", "Plum", "Scarlett", "Dagger"):
            page.locator(".deck:visible").get_by_label(name, exact=True).check()
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**/assistant/*")
        assert page.locator("#my-hand").text_content().split(", ") == [
            "Scarlett", "Plum", "Dagger", "Rope", "Study", "Hall",
        ]  # fmt: skip


def test_figures_for_experts_stay_as_they_were_left(on_desktop):
    page = on_desktop.page
    figures = page.locator("#panel-advice details.expert")
    assert not figures.get_by_text("bits are unknown").is_visible()
    assert "bit" not in page.locator("main").inner_text()
    figures.locator("summary").click()
    assert figures.get_by_text("bits are unknown").is_visible()
    page.fill("#line", "1 asks plum rope hall: nobody")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-entry='1']")
    assert figures.get_by_text("bits are unknown").is_visible()
    page.reload()
    assert figures.get_by_text("bits are unknown").is_visible()
    page.fill("#line", "bits")
    page.keyboard.press("Enter")
    figures.get_by_text("bits are unknown").wait_for(state="hidden")
    page.reload()
    assert not figures.get_by_text("bits are unknown").is_visible()


def test_an_answer_that_is_tapped_twice_is_entered_once(on_phone):
    page = on_phone.page
    choose(page, "Plum", "Wrench", "Hall")
    assert page.locator(".who.missing").is_visible()
    page.click('[data-by="Scarlett"]')
    page.locator("#shown button").first.evaluate("(one) => { one.click(); one.click(); }")
    page.wait_for_selector("[data-entry='1']", state="attached")
    page.wait_for_selector("body:not(.busy)")
    assert page.locator("#reply[open]").count() == 0


def test_a_contradiction_is_explained_and_mended_by_a_tap(on_phone):
    page = on_phone.page
    others = [[card for card in ids if not on_phone.setting.hand >> card & 1] for ids in on_phone.setting.deck.ids]
    three = " ".join(on_phone.setting.deck.names[cards[0]] for cards in others)
    on_phone.type(f"2 asks {three}: nobody", f"2 asks {three}: 3 shows")
    toast = page.locator("#entered:visible")
    assert "✓" not in toast.inner_text()
    assert "This contradicts other entries." in toast.inner_text()
    toast.get_by_role("button", name="How to resolve it").click()
    page.wait_for_selector("#panel-advice .fixes:visible")
    page.click(".verdict.contradiction")
    assert "contradict" in page.locator("#panel-advice").inner_text()
    page.locator(".fixes button").first.click()
    page.wait_for_selector(".verdict:not(.contradiction)")


def test_on_a_phone_ones_own_column_is_underlined_and_all_that_is_kept_begins_at_the_edge(on_phone):
    page = on_phone.page
    page.click('.tabbar [data-go="sheet"]')
    head = page.locator(".odds .me span")  # on its side, where it takes no underline from around it
    assert head.evaluate("(head) => getComputedStyle(head).textDecorationLine") == "underline"
    page.click('.tabbar [data-go="entries"]')
    lefts = {page.locator(one).first.bounding_box()["x"] for one in ("#correct", "#copy", ".files a")}
    assert len(lefts) == 1


def test_ten_players_scroll_past_the_names_of_the_cards_on_a_phone(url):
    with quiet(f"{url}/assistant", PHONE) as page:
        page.select_option("[name=edition]", "master")
        for seat in range(10):
            page.fill(f"[name=player-{seat}]", f"Maximiliane {seat}")
        begin(page)
        page.click('.tabbar [data-go="sheet"]')
        page.locator(".sheet .cell").nth(10).scroll_into_view_if_needed()
        assert page.locator(".scroll").evaluate("(sheet) => sheet.scrollLeft") > 50
        assert page.get_by_role("rowheader", name="Scarlet").bounding_box()["x"] >= 0


def test_a_hand_laid_open_is_entered_by_taps(url):
    with quiet(f"{url}/assistant", PHONE) as page:
        page.click("summary:has-text('More')")
        page.fill("[name=rules]", "wrong_shows_hand=true")
        begin(page, "Scarlett", "Mustard", "White")
        page.click('[data-by="Mustard"]')
        choose(page, "Plum", "Rope", "Hall")
        page.click('[data-verdict="wrong"]')
        page.get_by_role("button", name="Mustard lays their hand open").click()
        cards = ["Green", "Plum", "Dagger", "Rope", "Study", "Kitchen"]
        for name in cards:
            assert page.locator("#lay-open").is_disabled()
            page.click(f'[data-card="{name}"]')
        page.click("#lay-open")
        page.wait_for_selector("[data-entry='2']", state="attached")
        assert page.locator("[data-entry='2']").get_attribute("data-text") == "Mustard lays open " + ", ".join(cards)
        assert page.locator("#to-lay-open").is_hidden()


# ---- replays, and the puzzle ---------------------------------------------------------------------------


def replay(page: Page, record: Path) -> None:
    """Send a record, and wait for its replay."""
    page.set_input_files("input[type=file]", record)
    page.locator("main form button.primary").click()
    page.wait_for_url("**/replay/*")


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (1280, 800), (844, 390)], ids="{0[0]}x{0[1]}".format)
def test_board_lines_and_controls_of_a_replay_are_seen_at_once(url, size, tmp_path):
    game = played(deal=26, levels=("hard",) * 4)  # its last turn has as many long lines as one of four can have
    said_last = [type(event) for event in game.events[-7:]]
    assert said_last == [Rolled, Moved, HypothesisMade, *[Passed] * 3, Accused]
    screen = {"width": size[0], "height": size[1]}
    with quiet(f"{url}/replay", screen) as page:
        replay(page, record_of(game, tmp_path / "game.jsonl"))
        for _ in range(game.state.turn):
            page.keyboard.press("ArrowRight")
            hidden = page.locator("#now").evaluate(
                "(now) => Math.max(now.scrollHeight - now.clientHeight, now.scrollWidth - now.clientWidth)"
            )
            assert hidden <= 1, page.locator("#now").inner_text()
        for part in ("#turn-title", "#house svg", "#now", ".controls"):
            box = page.locator(part).bounding_box()
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= size[1], part
        assert page.locator("#house svg").bounding_box()["height"] > 200


@SIZES
def test_a_record_is_sent_and_replayed(url, screen, tmp_path):
    with quiet(f"{url}/replay", screen) as page:
        replay(page, record_of(played(), tmp_path / "game.jsonl"))
        page.keyboard.press("End")
        assert f"({played().state.turn} of {played().state.turn})" in page.locator("#turn-title").inner_text()
        assert "Review" in page.locator(".review:visible").inner_text()
        page.keyboard.press("ArrowLeft")
        page.focus("#forward")
        page.keyboard.press("Enter")
        assert focused(page, "#jump")
        assert page.locator(".touchless").is_visible() == (screen is DESKTOP)  # what keys do
        if screen is PHONE:
            tops = [page.locator(one).bounding_box()["y"] for one in (".rows >> visible=true", "footer", "#copy")]
            assert tops == sorted(tops), "the figures, what they mean, and then what can be done"
        assert faults(page) == []
        page.goto(f"{page.url}#7")
        page.reload()
        assert page.locator("#jump").input_value() == "7"


@SIZES
def test_the_puzzle_is_solved_by_keyboard_and_kept_over_a_reload(url, screen):
    with quiet(f"{url}/puzzle/{DAY}", screen) as page:
        hint, regions = page.get_by_role("button", name="Hint"), page.locator(REGIONS).count()
        hint.dblclick()
        for number in range(1, 4):
            page.wait_for_selector(f"text=/\\b{number} hint/")
            hint.focus()
            page.keyboard.press("Enter")
        page.wait_for_selector("text=2 proofs are left.")
        assert page.locator(REGIONS).count() == regions
        page.reload()
        page.wait_for_selector("text=4 hints")
        page.get_by_role("button", name="Solution").focus()
        page.keyboard.press("Enter")
        page.locator("#do-solution").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("text=The best question:")
        page.reload()
        expect(page.locator("[data-part=score]")).to_contain_text("The puzzle is over. 0 of")


def test_what_is_found_in_one_tab_of_the_puzzle_is_not_lost_by_another(url):
    with quiet(f"{url}/puzzle/{DAY}", DESKTOP) as page:
        other = page.context.new_page()
        other.goto(page.url)
        for tab, told in ((page, "1 hint"), (other, "2 hints")):
            tab.get_by_role("button", name="Hint").click()
            expect(tab.locator("[data-part=score]")).to_contain_text(told)


def test_the_puzzle_fits_a_phone_in_french_and_is_printed_whole(url):
    with quiet(f"{url}/puzzle/{DAY}", PHONE, locale="fr-FR") as page:
        page.click('.tabbar [data-go="sheet"]')
        heads = page.locator(".claims thead th span")
        assert heads.evaluate_all("(all) => all.filter((one) => one.scrollHeight > one.clientHeight)") == []
        page.emulate_media(media="print")
        assert page.locator("#panel-position").is_visible()
        assert page.locator("#panel-sheet").is_visible()
        assert not page.locator(".tabbar").is_visible()


def test_a_page_in_dark_colours_is_printed_in_light_ones_without_its_bar(url):
    with quiet(f"{url}/how-to-play", DESKTOP) as page:
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("button", name="dark").click()
        page.wait_for_selector("[data-theme=dark]")
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
        assert not page.locator(".bar").is_visible()


def test_sheet_and_answer_of_the_puzzle_stay_in_sight_while_one_reads_on(url):
    with quiet(f"{url}/puzzle/{DAY}", DESKTOP | {"height": 600}) as page:
        page.get_by_role("button", name="Hint").click()
        page.locator(".told-panel").wait_for()
        page.locator(".events li").last.scroll_into_view_if_needed()
        assert page.evaluate("scrollY") > 300
        for part in (".claims thead", ".told-panel"):
            assert page.locator(part).bounding_box()["y"] > 0, part
        page.locator(".claims .cell").last.click()
        assert page.locator("#claim").is_visible()


def test_where_the_puzzle_cannot_be_reached_that_is_seen_on_a_phone(url):
    with browser(**PHONE) as visit:
        page = visit.page
        page.goto(f"{url}/puzzle/{DAY}")
        page.click('.tabbar [data-go="sheet"]')
        for offline, told in ((True, "#trouble"), (False, "[data-part=told]")):
            page.context.set_offline(offline)
            page.click('.tabbar [data-do="hint"]')
            page.wait_for_selector(f"{told}:not(:empty)")
            box = page.locator(told).bounding_box()
            assert box["y"] + box["height"] < PHONE["height"]
        assert page.locator("#trouble").is_hidden()


# ---- for everybody -------------------------------------------------------------------------------------


@SIZES
def test_axe_finds_no_serious_fault(url, screen):
    setting, noted = noted_game("classic", 4, 2, "medium")
    with quiet(f"{url}/assistant", screen) as page:
        found = {"form": faults(page)}
        assisted = Assisted(page, setting)
        for entry in noted[:2]:
            assisted.enter(entry)
        for panel in ("enter", "sheet", "advice", "entries") if screen is PHONE else ("all",):
            assisted.go(panel)
            found[panel] = faults(page)
        page.locator("[data-entry='1']").click()
        found["dialog"] = faults(page)
        page.keyboard.press("Escape")
        known = setting.hand | sum(1 << card for card in {card for entry in noted[:2] for card in entry.cards})
        suspect, weapon, room = (next(card for card in ids if not known >> card & 1) for ids in setting.deck.ids)
        assisted.go("enter")
        assisted.enter(setting.hypothesis(setting.me, (suspect, weapon, room), {}))
        assisted.go("advice")
        assert "That is proved." in page.locator("#panel-advice").inner_text()
        found["proof"] = faults(page)
        for path in ("/replay", f"/puzzle/{DAY}"):
            page.goto(url + path)
            found[path] = faults(page)
        assert {where: faulty for where, faulty in found.items() if faulty} == {}


@pytest.mark.parametrize("size", [DESKTOP, {"width": 320, "height": 256}], ids=["desktop", "enlarged four times"])
def test_what_the_keyboard_reaches_is_not_hidden_by_the_bar_at_the_bottom(url, size):
    with quiet(f"{url}/assistant", size, reduced_motion="reduce") as page:
        bar = page.locator(".go")
        for _ in range(36):
            page.keyboard.press("Tab")
            here, over = page.locator(":focus").bounding_box(), bar.bounding_box()
            hidden = over["y"] <= here["y"] and here["y"] + here["height"] <= over["y"] + over["height"]
            assert not hidden or bar.locator(":focus").count()


REGIONS = "[role=status]:not([hidden], [hidden] *)"
"""What is told to who hears the page; what comes with its region is not."""


@pytest.mark.parametrize("height", [640, 256], ids=["a phone", "enlarged four times"])
def test_what_was_entered_is_told_and_nothing_stays_below_it(on_phone, height):
    page = on_phone.page
    page.set_viewport_size({"width": 320, "height": height})
    before = page.locator(REGIONS).count()
    page.fill("#line", "1 asks plum rope hall: nobody")
    page.keyboard.press("Enter")
    page.wait_for_selector("#entered:visible")
    assert page.locator(REGIONS).count() == before
    page.click("[data-line=help]")
    page.wait_for_selector("#reply[open]")


def test_in_high_contrast_what_is_chosen_has_an_edge_of_its_own(url):
    with quiet(f"{url}/assistant", PHONE, forced_colors="active") as page:
        page.click(".chips:visible [data-name=Plum]")
        page.check("[value=Rope]:visible")
        assert edge(page, ".chips:visible [data-name=Plum]") > edge(page, ".chips:visible button")
        assert edge(page, "[value=Rope]:visible + span") > edge(page, "[value=Wrench]:visible + span")
        page.uncheck("[value=Rope]:visible")
        begin(page, "White", "Green")
        assert edge(page, ".tabbar [data-go=enter]") > edge(page, ".tabbar [data-go=sheet]")


def edge(page: Page, selector: str) -> float:
    """How thick the edge of the first of these is."""
    return float(page.locator(selector).first.evaluate("(part) => parseFloat(getComputedStyle(part).borderTopWidth)"))


def test_names_as_long_as_may_be_stay_in_sight_on_a_phone(url):
    with quiet(f"{url}/assistant", PHONE) as page:
        for seat, letter in enumerate("MWN"):
            page.fill(f"[name=player-{seat}]", letter * 40)
        begin(page)
        page.locator("[data-by]").first.click()
        assert page.locator("[data-by]").nth(1).bounding_box()["x"] < PHONE["width"] / 2
        for kind in range(3):
            page.locator(f"[data-kind='{kind}']").first.click()
        answers = page.locator("#shown button")
        assert answers.count() == 3
        assert answers.evaluate_all("all => Math.max(...all.map((one) => one.scrollWidth - one.clientWidth))") <= 0


def test_the_page_of_a_case_has_all_columns_in_sight_on_a_phone(tmp_path):
    setting, noted = noted_game("classic", 6, 1)
    file = tmp_path / "case.html"
    for names in (setting.names, tuple(letter * 40 for letter in "MWNABC")):
        case = Case(replace(setting, names=names))
        for entry in noted[:9]:
            case.enter(entry)
        file.write_text(page_of_case(case), encoding="utf-8")
        with quiet(url_of(file), PHONE) as page:
            sheet, entries = page.locator(".scroll").all()
            for table in [sheet, entries] if names == setting.names else [sheet]:
                assert table.evaluate("part => part.scrollWidth - part.clientWidth") <= 0
            assert sheet.locator("thead").bounding_box()["height"] < 130
            heads = sheet.locator("thead span").all()
            lines = [head.evaluate("part => getComputedStyle(part).textDecorationLine") for head in heads]
            assert lines == ["none", "underline", *["none"] * 5], "one's own column"


@SIZES
def test_the_settings_close_by_a_key_and_by_a_tap_beside_them(url, screen):
    with quiet(f"{url}/", screen) as page:
        settings = page.get_by_role("button", name="Settings")
        for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(4, 400)):
            settings.focus()
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Français").wait_for()
            close()
            page.get_by_role("button", name="Français").wait_for(state="hidden")
        settings.click()
        assert faults(page) == []
        page.get_by_role("button", name="Français").click()
        page.wait_for_selector("html[lang=fr]")


def choose_in_settings(page: Page, choice: str) -> None:
    page.locator("[popovertarget=settings]").click()
    with page.expect_navigation():  # a click does not wait for it
        page.get_by_role("button", name=choice).click()


@pytest.mark.parametrize(("choice", "chosen"), [("dark", "[data-theme=dark]"), ("Français", "[lang=fr]")])
def test_what_is_filled_in_stays_when_the_settings_change(url, choice, chosen):
    with quiet(f"{url}/assistant", PHONE) as page:
        page.select_option("[name=edition]", "classic")
        for name in ("White", "Mustard", "Plum"):
            page.click(f'.chips:visible button[data-name="{name}"]')
        page.check('[name="me"][value="1"]')
        page.locator(".deck:visible").get_by_label("Rope", exact=True).check()
        choose_in_settings(page, choice)
        assert page.locator(f"html{chosen}").count() == 1
        assert page.locator(".seat:visible [name^=player]").count() == 4
        assert page.locator("[name=player-2]").input_value() == "Plum"
        assert page.locator('[name="me"]:checked').input_value() == "1"
        assert page.locator(".deck:visible .count").inner_text() == "1 / 6"


def test_what_was_refused_stays_when_the_settings_change_but_not_afterwards(url):
    with browser(**PHONE) as visit:
        page = visit.page
        page.goto(f"{url}/play")
        page.fill("[name=name]", "expert")
        page.select_option("[name=seat-1]", "expert")
        page.locator("main button.primary").click()
        page.wait_for_selector(".notice.bad")
        choose_in_settings(page, "Français")
        assert page.locator("[name=seat-1]").input_value() == "expert"
        page.reload()
        assert page.locator("[name=seat-1]").input_value() == "open"


def test_with_nothing_filled_in_the_board_is_that_of_the_language_that_is_chosen(url):
    with quiet(f"{url}/play", PHONE) as page:
        board = page.locator("[name=map]")
        assert board.input_value() == "classic"
        choose_in_settings(page, "Français")
        assert board.input_value() == "manoir"


STICKING_OUT = """() => [...document.querySelectorAll(".pick:not([hidden] *) span, [data-card]")].filter((chip) => {
    const text = document.createRange();
    text.selectNodeContents(chip);
    const [inner, outer] = [text, chip].map((one) => one.getBoundingClientRect());
    return outer.width && (inner.left < outer.left + 2 || inner.right > outer.right - 2);
}).map((chip) => chip.textContent)"""
"""The names that are not two pixels within the button that has them: its border, and a little more."""


OVERLAPPING = """() => [...document.querySelectorAll(".question")].filter((question) => {
    const [cards, worth] = [".cards", ".worth"].map((part) => question.querySelector(part).getBoundingClientRect());
    const named = document.createRange();
    named.selectNodeContents(question.querySelector(".cards"));
    return Math.max(cards.right, named.getBoundingClientRect().right) > worth.left;
}).map((question) => question.textContent)"""


@pytest.mark.parametrize("screen", [PHONE, DESKTOP, NARROW], ids=["phone", "desktop", "narrow"])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_names_of_the_cards_stay_within_what_is_tapped(url, screen, locale):
    with quiet(f"{url}/assistant", screen, locale=locale) as page:
        for name in page.locator(".chips:visible button").all()[:3]:
            name.click()
        cards = page.locator(".deck:visible .pick input")
        cards.evaluate_all("picks => picks.slice(5, 11).forEach((one) => one.click())")
        assert page.evaluate(STICKING_OUT) == []
        page.locator(".go button").click()
        page.wait_for_url("**/assistant/*")
        assert page.evaluate(STICKING_OUT) == []
        if screen is PHONE:
            page.click('.tabbar [data-go="advice"]')
        page.locator("#panel-advice select").select_option(index=1)
        page.wait_for_selector(".question .when")  # how far it is, too
        assert page.evaluate(OVERLAPPING) == []


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_in_a_replay_how_many_envelopes_are_left_is_told_in_one_line(url, locale, tmp_path):
    with quiet(f"{url}/replay", DESKTOP, locale=locale) as page:
        replay(page, record_of(played(), tmp_path / "game.jsonl"))
        meters = page.locator(".meter")
        assert max(meters.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")) < 30


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_phone_the_sheet_of_a_replay_has_all_its_columns_in_sight(url, locale, tmp_path):
    with quiet(f"{url}/replay", PHONE, locale=locale) as page:
        replay(page, record_of(played(), tmp_path / "game.jsonl"))
        page.locator("#last").click()
        for view in range(page.locator("#view option").count()):
            page.locator("#view").select_option(index=view)
            around = page.locator(".scroll:has(#sheet)")
            assert around.evaluate("(scroll) => scroll.scrollWidth - scroll.clientWidth") == 0


def test_in_french_a_colon_has_a_space_before_it(url, tmp_path):
    with quiet(f"{url}/replay", DESKTOP, locale="fr-FR") as page:
        replay(page, record_of(played(), tmp_path / "game.jsonl"))
        texts = page.locator(".review").all_text_contents()
        page.goto(f"{url}/play")
        texts += page.locator("option").all_text_contents()
        page.goto(f"{url}/puzzle/{DAY}")
        texts += page.locator("[aria-label]").evaluate_all("all => all.map((one) => one.ariaLabel)")
        page.goto(f"{url}/assistant")
        begin(page, "Rose", "Olive", "Violet", button="Commencer")
        texts += page.locator("h1, [aria-label]").evaluate_all(
            "all => all.map((one) => one.ariaLabel ?? one.textContent)"
        )
        assert [text for text in texts if re.search(r"[^\N{NO-BREAK SPACE}]: ", text)] == []


def test_in_french_no_word_of_english_is_left(url):
    with quiet(f"{url}/assistant", PHONE, locale="fr-FR") as page:
        begin(page, "Rose", "Olive", "Violet", button="Commencer")
        texts = [page.inner_text("body")]
        for panel in ("sheet", "advice", "entries"):
            page.click(f'.tabbar [data-go="{panel}"]')
            texts.append(page.inner_text("body"))
        for path in ("/replay", f"/puzzle/{DAY}"):
            page.goto(url + path)
            texts.append(page.inner_text("body"))
        assert [ENGLISH.findall(text) for text in texts] == [[]] * len(texts)
