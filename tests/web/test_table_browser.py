"""Games in real browsers: two people and two levels, from the invitation to a right accusation, whatever happens."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import pairwise

import pytest
from helpers.accessibility import faults
from helpers.browser import NEEDS_CHROMIUM
from helpers.browser_tables import (
    LOW,
    SIDEWAYS,
    TIP_COVERS,
    accuse,
    act,
    at_a_table,
    browsers,
    choose_speed,
    deal,
    envelope,
    go_on,
    groups,
    guided,
    leave_cards,
    name_cards,
    open_table,
    play_to_a_right_accusation,
    seated,
    two_at_a_table,
    wait_for_one,
    wait_until,
    who_may_act,
)
from helpers.cases import some
from helpers.french import ENGLISH
from helpers.sites import DESKTOP, PHONE
from playwright.sync_api import Error, Page, Route, expect

pytestmark = [pytest.mark.slow, NEEDS_CHROMIUM]


PACES = {"off": 0.0, "usual": 1.0, "fast": 0.4, "slow": 2.0}


@pytest.mark.parametrize("speed", some(PACES, 2))
def test_all_is_told_as_fast_as_wished_on_this_device(server, speed):
    with seated(server, DESKTOP | {"reduced_motion": "no-preference"}, scripts=[DELAYS_ARE_NOTED]) as page:
        choose_speed(page, speed)
        page.reload()
        assert page.locator("#speed").input_value() == speed
        duration = page.locator(".pawn").first.evaluate("(pawn) => getComputedStyle(pawn).transitionDuration")
        assert float(duration.removesuffix("s")) == pytest.approx(0.45 * PACES[speed])
        for _ in range(12):
            over = who_may_act(page) is None
            waited = set(page.evaluate("window.delays"))
            seen = {one for one, factor in PACES.items() if factor and 1300 * factor in waited}  # after a question
            if seen or over:
                break
            act(page)
        assert seen == {speed} - {"off"}


def test_who_wants_no_motion_has_time_to_read_nevertheless(server):
    with seated(server, DESKTOP, scripts=[DELAYS_ARE_NOTED]) as page:
        choose_speed(page, "fast")
        while wait_for_one(page) and not page.locator("#chooser:visible").count():
            act(page)
        act(page)
        wait_for_one(page)
        assert 0.4 * 1300 in page.evaluate("window.delays"), "after a question"
        assert page.evaluate("document.getAnimations().length") == 0
        assert page.locator(".pawn").first.evaluate("(pawn) => getComputedStyle(pawn).transitionDuration") == "0s"


@pytest.mark.parametrize("screen", [PHONE, LOW, SIDEWAYS, DESKTOP], ids=["phone", "low", "sideways", "desktop"])
def test_a_stranger_is_led_through_a_first_game(server, screen):
    with guided(server, screen) as page:
        told = []
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


def tip_goes_and_comes_with_the_board(page: Page) -> None:
    tip = page.locator(".tip", has_text="Rooms and squares")
    for side, there in (("sheet", 0), ("board", 1)):
        page.locator(f".switch [data-side={side}]").evaluate("(button) => button.click()")
        expect(tip).to_have_count(there)


def test_a_tip_that_is_still_due_is_not_drawn_anew_under_ones_finger(server):
    with guided(server, LOW) as page:
        page.locator(".tip").evaluate("(tip) => { tip.still = true; }")
        page.evaluate("dispatchEvent(new Event('resize'))")
        assert page.locator(".tip").evaluate("(tip) => tip.still")
        page.locator(".tip .primary").click()
        expect(page.locator(".tip", has_text="These are your cards")).to_have_count(0)


def is_still_offered(page: Page, offered: str) -> bool:
    """Whether nothing of this was pressed."""
    return page.locator("#actions:has(button:not([disabled]))").inner_text() == offered


def test_a_card_that_is_shown_comes_up_large_and_a_tap_beside_it_puts_it_away_and_presses_nothing(server):
    with seated(server, PHONE) as page:
        leave_cards(page)
        while wait_for_one(page) and not page.locator("#shown:visible").count():
            act(page)
        card = page.locator("#shown strong").inner_text()
        assert card in page.locator("#shown").inner_text().split("\n")[-1], "who showed it, and to whom"
        if (drawn := page.locator("#shown .picture")).count():
            assert drawn.evaluate("drawing => drawing.getBoundingClientRect().width") > 90
        offered = page.locator("#actions").inner_text()
        there = page.locator("#actions button").first.bounding_box()
        page.touchscreen.tap(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2)
        expect(page.locator("#shown")).to_be_hidden()
        assert is_still_offered(page, offered)


def test_a_card_that_is_shown_goes_by_a_key_before_anything_else_is_done_by_it(server):
    with seated(server, DESKTOP) as page:
        leave_cards(page)
        for key, place in (("Enter", "#actions button"), ("Escape", "#actions button"), ("Space", "#shown")):
            while wait_for_one(page) and not page.locator("#shown:visible").count():
                act(page)
            offered = page.locator("#actions").inner_text()
            page.locator(place).first.focus()
            page.keyboard.press(key)
            assert page.locator("#shown").is_hidden()
            assert is_still_offered(page, offered)
        expect(page.locator("#doing")).to_be_focused()


def test_letters_and_digits_press_no_button_where_that_is_not_wished(server):
    with seated(server, DESKTOP) as page:
        hints, wished = wait_for_one(page).locator("#actions kbd"), page.locator("#keys")
        offered, keys = page.locator("#actions").inner_text(), hints.all_text_contents()
        wished.evaluate("(box) => box.click()")
        expect(hints.first).to_be_hidden()
        for key in keys:
            page.keyboard.press(key)
        wished.evaluate("(box) => box.click()")
        assert is_still_offered(page, offered)
        page.keyboard.press(keys[0])
        expect(page.locator("#actions")).not_to_have_text(offered, use_inner_text=True)


def test_what_is_chosen_in_one_tab_stays_where_another_chooses_something_else(server):
    with seated(server, DESKTOP) as page:
        other = page.context.new_page()
        other.goto(page.url)
        for tab, box in ((page, "#keys"), (other, "#sound")):
            tab.locator(box).evaluate("(box) => box.click()")
        page.reload()
        for box in ("#keys", "#sound"):
            expect(page.locator(box)).not_to_be_checked()


def test_a_tip_beside_a_card_that_is_shown_is_answered_by_its_own_button(server):
    with guided(server, DESKTOP, "hand", "walk", "ask", "sheet", "hint") as page:
        while not page.locator(".tip", has_text="Only you see this card").count():
            act(page)
            wait_for_one(page)
        page.locator(".tip .primary").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".tip")).to_have_count(0)
        expect(page.locator("#doing")).to_be_focused()
        assert page.locator("#shown").is_visible()


DELAYS_ARE_NOTED = """{
    const real = setTimeout;
    window.delays = [];
    window.setTimeout = (does, ms, ...rest) => { window.delays.push(ms); return real(does, ms, ...rest); };
}"""


def test_where_everybody_answers_each_card_stays_until_it_is_tapped(server):
    with seated(server, DESKTOP, *["easy"] * 4, board="edition:master") as page:
        leave_cards(page)
        while wait_for_one(page) and page.locator("#shown .one").count() < 2:
            page.evaluate("document.querySelector('#shown').replaceChildren()")
            act(page)
        cards = page.locator("#shown strong").all_text_contents()
        for card in cards:
            assert page.locator("#shown").inner_text().split("\n")[0] == card
            page.locator("#shown").click()
        assert page.locator("#shown").is_hidden()


FAST = """localStorage.setItem("cluedo-table", JSON.stringify({ speed: "fast" }))"""


PROMPTS_ARE_NOTED = """document.addEventListener("DOMContentLoaded", () => {
    const [news, prompt, actions] = ["news", "prompt", "actions"].map((id) => document.getElementById(id));
    const note = () => window.prompts.push([news.textContent, prompt.textContent, actions.childElementCount]);
    window.prompts = [];
    if (news) new MutationObserver(note).observe(news, { childList: true });
})"""


def test_who_accuses_wrongly_has_time_to_read_it_and_is_told_what_follows(server):
    with seated(server, PHONE, scripts=[DELAYS_ARE_NOTED, PROMPTS_ARE_NOTED]) as page:
        while wait_for_one(page) and not page.get_by_role("button", name="accuse").count():
            act(page)
        cards = envelope(server, page.url)
        page.get_by_role("button", name="accuse").click()
        wrong = [group.locator("button").first.get_attribute("data-card") for group in groups(page)]
        names = [page.locator(f"#chooser [data-card='{card}'] > span").first.inner_text() for card in wrong]
        assert names != cards
        name_cards(page, names)
        choose_speed(page, "fast")
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
    with seated(server, PHONE | {"reduced_motion": "no-preference"}, scripts=[PROMPTS_ARE_NOTED, FAST]) as page:
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


LIVE_REGIONS_ARE_NOTED = """() => {
    window.heard = [];
    for (const region of document.querySelectorAll("main :is([aria-live], [role=log], [role=status])")) {
        const added = (changes) => changes.flatMap(({ addedNodes }) => [...addedNodes].map((node) => node.textContent));
        new MutationObserver((changes) => heard.push(...added(changes))).observe(region, { childList: true });
    }
}"""


def test_without_pauses_each_event_is_told_once_to_who_hears_the_page(server):
    with seated(server, DESKTOP) as page:
        wait_for_one(page).evaluate(LIVE_REGIONS_ARE_NOTED)
        before = page.locator("#log li").count()
        for _ in range(6):
            act(wait_for_one(page))
        wait_for_one(page)
        told = page.locator("#log li").all_text_contents()[before:]
        heard = page.evaluate("heard")
        assert len(told) > 8
        assert [text for text in heard if text in told] == told
        assert all(one != next_one for one, next_one in pairwise(heard))


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
    with seated(server, DESKTOP, scripts=[DELAYS_ARE_NOTED]) as page:
        back = page.locator("#actions [data-key=u]")
        while wait_for_one(page) and not (back.count() and page.locator("#log .new-turn").count() > 3):
            act(page)
        log = page.locator("#log li").all_text_contents()
        choose_speed(page, "fast")
        page.evaluate("window.delays.length = 0")
        back.click()
        expect(back).to_have_count(0)
        told = page.locator("#log li").all_text_contents()
        assert told == log[: len(told)]
        assert page.locator("#shown").is_hidden()
        assert not {0.4 * 1300, 0.4 * 450} & set(page.evaluate("window.delays")), "after a question and an answer"


LOOKS_ARE_COUNTED = """(() => {
    const height = Object.getOwnPropertyDescriptor(Element.prototype, "scrollHeight");
    window.looks = 0;
    const get = function () { window.looks++; return height.get.call(this); };
    Object.defineProperty(Element.prototype, "scrollHeight", { get });
})()"""


def test_a_page_lays_the_log_of_a_game_out_at_once_and_not_line_by_line(server):
    """Each look at its height takes longer than the one before: a minute for all of 4,000 lines."""
    with browsers(DESKTOP) as (ann,):
        at_a_table(ann.page, server)
        while ann.page.locator("#log li").count() < 20:
            act(wait_for_one(ann.page))
        wait_for_one(ann.page)  # what happens after the reload would be looked at line by line
        ann.page.add_init_script(LOOKS_ARE_COUNTED)
        ann.page.reload()
        ann.page.locator("#log li").nth(19).wait_for(state="attached")
        assert ann.page.evaluate("window.looks") < 10


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
                expect(hint).to_be_focused()
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


def test_what_a_hint_proposes_is_not_done_once_the_game_has_gone_on(server):
    with seated(server, DESKTOP) as page:
        other, asked = page.context.new_page(), []
        other.goto(page.url)
        wait_for_one(page)
        page.route("**/hint?*", lambda route: asked.append(route))
        page.locator("#hint").click()
        wait_until(page, lambda: bool(asked))
        before = page.locator("#actions").inner_text()
        act(wait_for_one(other))
        wait_until(page, lambda: page.locator("#actions").inner_text() not in (before, ""))
        asked[0].continue_()
        page.locator("#talk-body p").first.wait_for()
        assert page.locator("#talk .primary").count() == 0


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


def choose_by_keys(page: Page, names: list[str]) -> None:
    for name in names:
        card = page.locator("#chooser button", has=page.get_by_text(name, exact=True)).get_attribute("data-card")
        reach(page, f'#chooser [data-card="{card}"]', "Space")
    reach(page, "#actions .primary")


TONES_ARE_COUNTED = """const { createOscillator } = AudioContext.prototype;
    window.tones = 0;
    AudioContext.prototype.createOscillator = function () { window.tones += 1; return createOscillator.call(this); };"""


def test_a_game_in_french_by_keyboard_alone_from_the_form_to_a_right_accusation(server):
    with browsers({**DESKTOP, "locale": "fr-FR"}) as (ann,):
        page = ann.page
        page.add_init_script(TONES_ARE_COUNTED)
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
        assert page.evaluate("tones") > 0, "whose turn it is is heard"
        reach(page, "#replay")
        page.wait_for_url("**/replay/*")
        texts.append(said(page))
        assert {word for text in texts for word in ENGLISH.findall(text)} == set()
        assert not ann.complaints
