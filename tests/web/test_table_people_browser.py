"""Tables in real browsers: who comes, goes, comes back, and who plays their seats."""

from __future__ import annotations

import re
from functools import partial
from types import SimpleNamespace

import pytest
from helpers.browser import NEEDS_CHROMIUM
from helpers.browser_tables import (
    SEED,
    act,
    at_a_table,
    browsers,
    deal,
    groups,
    join,
    leave,
    leave_cards,
    name_cards,
    open_table,
    play_to_a_right_accusation,
    seated,
    two_at_a_table,
    wait_for_one,
    wait_until,
)
from helpers.sites import DESKTOP, PHONE, Server, served
from playwright.sync_api import Locator, Page, Route, expect

from cluedo.session.tables import online_table
from cluedo.session.tables.turn_clock import TurnClock

pytestmark = [pytest.mark.slow, NEEDS_CHROMIUM]


def test_who_sits_down_while_the_host_holds_a_seats_choice_is_seen_when_it_is_let_go(server):
    with browsers(DESKTOP, PHONE) as (ann, bob):
        link = open_table(ann.page, server, "open", "easy")
        ann.page.locator(".seat-form select").first.focus()
        with ann.page.expect_response(link):  # it is told
            join(bob.page, link, "Bob")
        ann.page.focus("a.button.quiet")
        ann.page.locator("#seat-list", has_text="Bob").wait_for()
        deal(ann.page, bob.page)


@pytest.mark.parametrize(
    "fault", [lambda route: route.abort(), lambda route: route.fulfill(status=429)], ids=["lost", "busy"]
)
def test_who_sits_down_is_seen_also_where_the_server_had_no_answer_at_first(server, fault):
    with browsers(DESKTOP, PHONE) as (ann, bob):
        link = open_table(ann.page, server, "open", "easy")
        ann.page.evaluate("window.stays = true")
        bob.page.route("**/events?*", lambda route: route.abort())  # what follows would be news as well
        ann.page.route(link, fault)
        with ann.page.expect_request(link):
            join(bob.page, link, "Bob")
        ann.page.unroute(link)
        ann.page.locator("#seat-list", has_text="Bob").wait_for()
        assert ann.page.evaluate("window.stays")  # it is not loaded again, to be refused in its turn


def test_cards_shown_to_the_level_that_plays_for_somebody_do_not_pile_up_on_their_board(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(online_table, "TurnClock", partial(TurnClock, lambda: now[0]))
    with served() as url, browsers(PHONE, PHONE) as (ann, watcher):
        page = ann.page
        at_a_table(page, SimpleNamespace(url=f"{url}/"), board="classic", clock="30")
        leave_cards(page)
        wait_for_one(page)
        now[0] += 31
        watcher.page.goto(f"{page.url}?watch")  # whoever comes lets the table look at its clock
        page.locator("#log", has_text="shows you").wait_for(state="attached")
        assert page.locator("#shown").is_hidden()


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
            page.wait_for_function("() => document.querySelectorAll('#actions button:not([disabled])').length === 0")
            marks: list[Route] = []
            page.route("**/sheet", lambda route: marks.append(route))
            with page.expect_response("**/do") as done:
                page.context.set_offline(False)
            page.wait_for_selector("#lost:has-text('Connected again')", state="attached")
            wait_until(page, lambda: bool(marks) and page.locator("#log li").count() > log)
            assert page.locator("#sheet .cell:text-is('✓'):not(.yes)").count() == 1, "news that know of no mark"
            with page.expect_response("**/sheet") as marked:
                marks[0].continue_()
            assert (done.value.status, marked.value.status) == (200, 200), "what was pressed in a tunnel"
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


def test_who_is_at_a_table_that_the_server_has_lost_is_told(tmp_path):
    server = Server(tmp_path)
    try:
        with browsers(PHONE) as (ann,):
            page = ann.page
            at_a_table(page, server)
            server.kill()
            for file in tmp_path.glob("site.db*"):
                file.unlink()
            server.begin()
            page.get_by_text("There is no such table").wait_for()
            page.wait_for_function("() => localStorage.getItem('cluedo-games') === '{}'")  # nothing leads back
    finally:
        server.end()


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
        page.wait_for_url(server.url)  # nobody is left there
        page.goto(f"{link}?watch")  # the levels may have played to the end by now
        page.get_by_text("You are watching.").wait_for()
        assert page.locator('[data-side="sheet"]:visible, #pane-sheet:visible').count() == 0
        page.goto(server.url)
        assert page.locator("#games:visible").count() == 0


def test_the_invitation_is_copied_also_where_there_is_no_https(server):
    with seated(server, DESKTOP, scripts=["Object.defineProperty(navigator, 'clipboard', {})"]) as page:
        link = page.url
        page.locator("#people-open").click()
        page.locator("#copy").click()
        expect(page.locator("#copy[aria-live]")).to_have_text("Copied")
        page.goto(f"{server.url}replay")
        page.locator("summary").click()
        page.locator("textarea").press("Control+V")
        assert page.locator("textarea").input_value() == link


def test_the_start_page_leads_back_to_a_table_that_waits_for_others_until_one_leaves_it(server):
    with browsers(PHONE | {"service_workers": "block"}) as (ann,):
        page = ann.page
        link = open_table(page, server, "open", "easy", board="tiny")
        kept = partial(page.evaluate, "(localStorage.getItem('cluedo-games') ?? '').includes('/r/')")
        wait_until(page, kept)
        page.goto(server.url)
        game = page.locator("#games a")
        expect(game.locator("span")).to_have_text([re.compile(" · easy$"), re.compile(r"\d{4}, \d+:\d\d")])
        page.route(link, lambda route: route.fulfill(status=204), times=1)
        with page.expect_response(link):  # the page of the table does not come
            game.click(no_wait_after=True)
        page.reload()
        game.click()
        page.wait_for_selector(".lobby")
        assert page.url == link
        wait_until(page, kept)
        page.get_by_role("button", name="Leave the table").click()
        page.wait_for_url(server.url)  # nobody is left there
        assert game.count() == 0
        assert not [told for told in ann.complaints if "Service Worker registration blocked" not in told]
        page.evaluate("localStorage.setItem('cluedo-games', JSON.stringify({ '/r/abcdefghij': { title: 'Gone' } }))")
        page.reload()
        game.click()
        page.get_by_role("heading", name="There is no such table").wait_for()
        wait_until(page, lambda: not kept())


def test_everybody_is_told_who_plays_a_seat_from_now_on_and_after_a_reload_where_it_was_told(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        link = two_at_a_table(ann, bob, server, "easy")
        leave(bob)
        expect(ann.locator("#log")).to_contain_text("medium now plays ")
        bob.goto(link)
        bob.fill("[name=name]", "Cyd")
        bob.get_by_role("button", name="Sit down").click()
        expect(ann.locator("#log")).to_contain_text("Cyd now plays ")
        for _ in range(2):
            act(wait_for_one(ann, bob))
        wait_for_one(ann, bob)  # until then the levels play on
        lines = [page.locator("#log li") for page in (ann, bob)]
        wait_until(ann, lambda: lines[0].count() == lines[1].count())  # each in its own time
        told = ann.locator("#log").inner_text()
        ann.reload()
        expect(ann.locator("#log")).to_have_text(told, use_inner_text=True)
        expect(bob.locator("#log")).to_contain_text("medium now plays ")
        assert not visits[0].complaints


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
        back = bob.get_by_role("button", name="I am back")
        back.evaluate("(button) => { button.pressed = true; }")
        told = bob.locator("#log li").count()
        ann.keyboard.press("Escape")
        act(wait_for_one(ann))
        wait_until(bob, lambda: bob.locator("#log li").count() > told)
        assert back.evaluate("(button) => button.pressed"), "a click on what is drawn anew meanwhile is lost"
        back.click()
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


def until_one_may_take_back(taker: Page, *pages: Page) -> Locator:
    """Play until somebody may take a move back; the button for it."""
    back = taker.get_by_role("button", name="take back")
    while (page := wait_for_one(*pages)) and not back.count():
        act(page)
    return back


def test_who_plays_a_seat_from_now_on_is_told_also_with_what_was_taken_back(server):
    with browsers(DESKTOP, DESKTOP) as visits:
        ann, bob = (visit.page for visit in visits)
        two_at_a_table(ann, bob, server, "easy")
        back = until_one_may_take_back(bob, ann, bob)
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
        back = until_one_may_take_back(ann, ann, bob)
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


def test_who_comes_to_the_table_takes_neither_the_keyboard_nor_a_click_from_the_host(server):
    with browsers(DESKTOP, PHONE) as (ann, bob):
        page = ann.page
        link = open_table(page, server, "open", "easy")
        page.locator(".seat-row.open").wait_for()
        page.evaluate("document.querySelector('.danger').pressed = true")
        for held, change, seen in [
            ("a.button.quiet", lambda: join(bob.page, link, "Bob"), "Bob"),
            ("form[action$=start] button", bob.page.close, "Bob.*offline"),
        ]:
            page.focus(held)
            change()
            page.locator(".seat-row", has_text=re.compile(seen, re.DOTALL)).wait_for()
            assert page.evaluate("(held) => document.activeElement.matches(held)", held), held
            assert page.evaluate("document.querySelector('.danger').pressed"), "a click on what is drawn anew is lost"
            expect(page.get_by_role("status")).to_have_text(re.compile(seen, re.DOTALL))  # who hears the page is told
        page.keyboard.press("Enter")
        page.wait_for_selector("#prompt:not(:empty)")
