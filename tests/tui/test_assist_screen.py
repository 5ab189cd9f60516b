"""The assistant on the whole screen: every key, the mouse, a whole game by keyboard, and a real terminal."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from helpers.cases import cases
from helpers.said import said
from helpers.screen_driver import as_test, driven, handled, lines_alone, pressed, until
from helpers.support import DECK_ALONE
from helpers.tables import fresh, noted_game, setting_of
from helpers.tmux_pane import needs_tmux
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, SelectionList, Static

from cluedo.engine.mapfile import map_names
from cluedo.language import speak
from cluedo.session.boards import default_map
from cluedo.session.case.case import Case
from cluedo.session.case.case_store import CaseStore
from cluedo.session.case.interpreter import Interpreter
from cluedo.session.sections import plain
from cluedo.tui.app import CluedoApp
from cluedo.tui.assist_start import AssistStart
from cluedo.tui.assist_table import AssistScreen, Completions, EntryLine, History
from cluedo.tui.keys import keys_of
from cluedo.tui.sections_text import SectionsText
from cluedo.tui.sheet_view import SheetView

LINES = ["me white lead li, white shows lead", "white scar lead li mu"]


class Sitter:
    """Somebody before the screen, who presses keys and reads."""

    def __init__(self, app: CluedoApp, pilot: Pilot[int]):
        self.app, self.pilot = app, pilot

    @property
    def screen(self) -> AssistScreen:
        assert isinstance(self.app.screen, AssistScreen)
        return self.app.screen

    async def press(self, *keys: str) -> None:
        await pressed(self.pilot, *keys)
        await self.settle()

    async def put(self, text: str) -> None:
        """Have a text where the cursor is: as if typed, but quicker."""
        assert self.app.focused is not None
        self.app.focused.post_message(events.Paste(text))
        await self.settle()

    async def type(self, text: str) -> None:
        """A text, then Enter."""
        await self.put(text)
        await self.press("enter")

    async def clear(self) -> None:
        """Nothing in the line any more."""
        await pressed(self.pilot, "end", "ctrl+u")

    async def settle(self) -> None:
        """Wait until nothing is being worked out."""

        def idle() -> bool:
            screen = self.app.screen
            return not isinstance(screen, AssistScreen) or not (screen.busy or screen.told is None)

        await handled(self.pilot)
        await until(self.pilot, idle)
        await self.pilot.pause()

    @property
    def line(self) -> str:
        return self.screen.query_one(EntryLine).value

    @property
    def told(self) -> list[str]:
        reply = self.screen.told
        assert reply is not None
        lines = said(reply.sections)
        return [reply.title, *lines] if reply.title else lines

    @property
    def trouble(self) -> str:
        shown = self.screen.query_one("#trouble", Static)
        return str(shown.content) if shown.display else ""

    def text(self) -> list[str]:
        """The lines of the screen, as they are to be read."""
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    async def footer(self, unlike: str = "") -> str:
        """The keys at the foot of the screen, as soon as they are others than these."""

        def keys() -> str:
            return " ".join(self.text()[-1].split())

        await until(self.pilot, lambda: keys() not in ("", unlike))
        return keys()

    @property
    def offered(self) -> list[str]:
        return [one.word for one in self.screen.query_one(Completions).offered]


def sit(session: Case | None, steps: Callable[[Sitter], Awaitable[None]], size=(80, 24), store=None) -> int | None:
    """Run the screen and do something before it; gives the code it ends with."""

    async def script(app: CluedoApp, pilot: Pilot[int]) -> None:
        sitter = Sitter(app, pilot)
        await sitter.settle()
        await steps(sitter)

    return driven(script, session or AssistStart(store or CaseStore(None, "choice")), size=size).return_code


def sitting(*lines: str, size=(80, 24), language="en"):
    """Decorate what somebody does before a case of these entries: a test."""

    def run(steps):
        speak(language)
        sit(fresh(*lines), steps, size)

    return lambda steps: as_test(steps, 1, run)


# ---- the line --------------------------------------------------------------------------------------


@sitting()
async def test_an_entry_brings_news_the_sheet_and_the_odds(me):
    await me.type(LINES[0])
    await me.type(LINES[1])
    assert me.line == ""
    asked = "2 White asks Scarlett, Lead Pipe, Library: Mustard shows"
    assert me.told[:2] == [asked, "Go to Study and ask: White, Revolver."]
    news = me.told.index("Mustard holds Scarlett.")
    assert me.told[news + 1] == "Entry 1: Mustard could not show White, Lead Pipe or Library."
    shown = "\n".join(me.text())
    assert "Mustard holds Scarlett." in shown
    assert "2 entries" in shown
    deck = me.screen.case.setting.deck
    sheet = me.screen.query_one(SheetView).cells
    assert sheet[deck.id("Scarlett"), 1].text == "✓"
    assert sheet[deck.id("Scarlett"), 0].text == "✗"
    assert sheet[deck.id("White"), 0].text.isdecimal()


@pytest.mark.slow
@sitting()
async def test_tab_completes_and_what_fits_is_offered(me):
    assert me.offered == ["Mustard", "White", "Green"]
    await me.press(*"mu pl", "tab")
    assert me.line == "mu Plum "
    await me.press(*"rev b")
    assert me.offered[:2] == ["Billiard Room", "Ballroom"]
    await me.press("tab", *"n", "tab")
    assert me.line == "mu Plum rev Billiard Room nobody "
    await me.press("enter")
    assert me.trouble == "Entry 1: you hold 'Plum', so you had to show a card."
    assert me.line == "mu Plum rev Billiard Room nobody "
    await me.clear()
    await me.put("edit 1 mu sc")
    assert me.offered == ["Scarlett"]
    await me.clear()
    await me.put("why lead=w")
    await me.press("tab")
    assert me.line == "why lead=White "
    await me.clear()
    await me.put("at hal")
    await me.press("tab", "enter")
    assert me.screen.case.pawn is not None
    await me.press(*"un", "tab")
    assert me.line == "undo "


@sitting()
async def test_what_is_wrong_is_told_and_the_line_stays_to_be_mended(me):
    before = me.told
    await me.type("mu p rope hall white")
    assert me.trouble == "'p' could be Peacock or Plum."
    assert me.line == "mu p rope hall white"
    assert me.told == before
    await me.clear()
    await me.type("mu peac wrench hall me")
    assert me.trouble == ""
    assert len(me.screen.case.entries) == 1


@pytest.mark.slow
@sitting(size=(160, 40))
async def test_completions_are_picked_by_mouse_until_the_entry_is_whole(me):
    for word in ("Mustard", "Scarlett", "Revolver", "Kitchen", "nobody"):
        offers = me.screen.query_one(Completions)
        column = str(offers.content).replace("\N{NO-BREAK SPACE}", " ").index(word)
        await me.pilot.click(Completions, offset=(1 + column, 0))
        await me.settle()
    assert me.line == "Mustard Scarlett Revolver Kitchen nobody "
    assert str(me.screen.query_one(Completions).content).startswith(" Enter ")
    await me.pilot.click(Completions, offset=(3, 0))
    await me.settle()
    assert len(me.screen.case.entries) == 1


@pytest.mark.slow
@sitting(*LINES)
async def test_typing_replaces_a_line_that_was_refused_and_enter_confirms_a_doubtful_one(me):
    await me.type("mu plum wrench hall zebra")
    assert me.trouble
    await me.press("x")
    assert me.line == "x"
    await me.clear()
    again = "white scar lead li mu"
    await me.type(again)
    assert me.trouble == (
        "Is this the same entry twice? It is the same as the one before. "
        "Enter it again, or type keep, to keep it anyway."
    )
    assert (me.line, len(me.screen.case.entries)) == (again, 2)
    await me.press("enter")
    assert (me.line, me.trouble, len(me.screen.case.entries)) == ("", "", 3)


@pytest.mark.parametrize("width", [100, 116, 130, 149])
def test_from_100_columns_on_the_recommendation_has_room_and_no_card_name_is_broken(width):
    setting, noted = noted_game("classic", 6, 1)
    case = Case(setting, noted[:14])

    async def steps(me: Sitter) -> None:
        pane, history = me.screen.query_one("#pane"), me.screen.query_one(History)
        assert pane.size.width >= 50
        assert history.region.y >= pane.region.bottom, "the entries are below, not beside"
        shown = [line[pane.region.x :] for line in me.text()]
        assert shown[pane.region.y].strip().startswith(("Go to ", "Ask in "))
        told = " ".join(me.told)
        for name in setting.deck.names:
            if " " in name and name in told:
                assert any(name in line for line in shown), name

    sit(case, steps, size=(width, 30))


@pytest.mark.parametrize(("size", "first"), [((100, 30), False), ((160, 40), True), ((200, 50), True)])
def test_what_is_new_comes_right_after_the_entry_where_there_is_room_for_all(size, first):
    async def steps(me: Sitter) -> None:
        for line in LINES:
            await me.type(line)
        pane = me.screen.query_one("#pane").region
        told = [line[pane.x :].strip() for line in me.text()[pane.y :]]
        assert told[0].startswith("2 White asks Scarlett")
        assert told[1].startswith("New:") is first
        assert any(line.startswith("New:") for line in told)

    sit(Case(setting_of()), steps, size=size)


@pytest.mark.parametrize(("columns", "least"), [(60, 20), (80, 32)])
def test_what_is_told_has_room_beside_the_sheet_of_a_shrunken_terminal(columns, least):
    async def steps(me: Sitter) -> None:
        assert me.screen.query_one("#pane").size.width >= least

    sit(Case(setting_of()), steps, size=(columns, 20))


# ---- every key ---------------------------------------------------------------------------------------


@pytest.mark.slow
@sitting(*LINES)
async def test_the_sheet_tells_why(me):
    await me.press("f2", "right", "enter")
    assert me.told[-2] == "Therefore Mustard holds Scarlett."
    assert me.app.focused is me.screen.query_one(SheetView)
    await me.press("down", "left", "enter")
    assert me.told[0].startswith("It is not known whether Mustard is in the envelope")
    await me.press("escape")
    assert me.app.focused is me.screen.query_one(EntryLine)
    sheet = me.screen.query_one(SheetView)
    await me.pilot.click(SheetView, offset=(sheet._width_of_names() + sheet._cell_widths()[0] + 1, 1))
    await me.settle()
    assert me.told[-2] == "Therefore Mustard holds Scarlett."
    await me.press("escape")
    await me.type("sheet")
    assert me.app.focused is sheet


@pytest.mark.slow
@sitting(*LINES)
async def test_the_entries_are_edited_put_in_and_taken_out(me):
    history = me.screen.query_one(History)
    await me.press("f3")
    assert me.app.focused is history
    assert history.size.width > 0
    await me.press("up", "enter")
    assert me.line == "edit 1 Green asks White, Lead Pipe, Library: White shows Lead Pipe"
    await me.clear()
    await me.type("edit 1 me white lead li mu lead")
    assert me.screen.case.entries[0].refuter == 0
    await me.press("f3", "up", "i")
    assert me.line == "insert 1 "
    await me.type("mu peac rev ball n")
    assert [entry.by for entry in me.screen.case.entries] == [0, 2, 1]
    await me.press("f3", "up", "up", "delete")
    assert len(me.screen.case.entries) == 2
    await me.press("ctrl+z")
    assert len(me.screen.case.entries) == 3
    await me.press("ctrl+y")
    assert len(me.screen.case.entries) == 2
    await me.press("up")
    assert me.app.focused is history
    await me.press("escape")
    assert me.app.focused is me.screen.query_one(EntryLine)
    await me.press("down")
    assert me.app.focused is me.screen.query_one(SheetView)


@pytest.mark.slow
@sitting(*LINES)
async def test_help_and_what_if(me):
    await me.press("f1")
    assert "Commands:" in me.told
    await me.put("mu peac rev ball n")
    await me.press("f4")
    assert me.line == "whatif mu peac rev ball n"
    await me.press("enter")
    assert me.told[0] == "If Mustard asks Peacock, Revolver, Ballroom: nobody:"
    assert me.told[-1] == "(None of this is saved.)"
    assert len(me.screen.case.entries) == 2


@sitting(LINES[0])
async def test_a_contradiction_is_shown_where_it_is_and_mended(me):
    await me.type("mu scar lead ball n")
    assert "a contradiction" in me.text()[0]
    assert me.screen.query_one(SheetView).cells == {}
    assert me.offered[:2] == ["fix 1", "fix 2"]
    await me.press("tab", "enter")
    assert me.screen.case.contradiction is None
    assert me.screen.query_one(SheetView).cells


@pytest.mark.slow
def test_leaving():
    assert sit(fresh(), lambda me: me.type("quit")) == 0
    assert sit(fresh(), lambda me: me.pilot.press("ctrl+q")) == 0
    assert sit(fresh(), lambda me: me.pilot.press("ctrl+c")) == 130
    assert sit(None, lambda me: me.pilot.press("ctrl+c")) == 130
    sit(None, lambda me: me.pilot.press("escape"))


@sitting()
async def test_light_and_dark(me):
    assert me.app.current_theme.dark
    await me.press("ctrl+t")
    assert not me.app.current_theme.dark


@pytest.mark.slow
@sitting(*LINES, language="fr")
async def test_in_french_the_keys_begin_french_commands(me):
    await me.press("f4")
    assert me.line == "si "
    await me.clear()
    await me.press("f3", "enter")
    assert me.line.startswith("modifier 2 White demande Scarlett, Lead Pipe, Library")
    await me.press("enter")
    assert me.trouble == ""
    await me.type("aide")
    assert "Commandes\N{NO-BREAK SPACE}:" in me.told
    assert not me.screen.query_one(SheetView).display
    await me.press("f2")
    assert me.screen.query_one(SheetView).display
    await me.press("escape")
    await me.type("mu scar lead ball personne")
    assert me.offered[0] == "réparer 1"


@pytest.mark.slow
@sitting()
async def test_keys_are_answered_while_it_thinks(me, monkeypatch):
    gate = threading.Event()
    answer = Interpreter.answer

    def slow(self: Interpreter, line: str):
        gate.wait(120)
        return answer(self, line)

    monkeypatch.setattr(Interpreter, "answer", slow)

    await me.pilot.press(*"log", "enter")
    begun = time.perf_counter()
    await me.pilot.press(*"mu")
    assert me.line == "logmu"
    assert time.perf_counter() - begun < 60.0
    assert me.screen.busy
    assert "…" in me.text()[0]
    await me.pilot.press("enter")  # one line at a time
    assert me.line == "logmu"
    gate.set()
    await me.settle()
    assert me.told == ["Nothing has been entered yet."]
    assert me.line == "mu", "what was typed meanwhile stays"


def test_an_entry_is_saved_though_one_leaves_at_once(monkeypatch):
    case, leaving = fresh(), threading.Event()
    enter, leave = Case.enter, AssistScreen.leave

    def slow(self, entry):
        leaving.wait(60)
        enter(self, entry)

    async def left(self):
        leaving.set()
        await leave(self)

    async def enter_and_leave(me):
        await me.put(LINES[0])
        for key in ("enter", "ctrl+q"):
            me.app.simulate_key(key)
        await until(me.pilot, lambda: not me.app.is_running)
        assert len(case.entries) == 1

    monkeypatch.setattr(Case, "enter", slow)
    monkeypatch.setattr(AssistScreen, "leave", left)
    assert sit(case, enter_and_leave) == 0


# ---- the start ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_by_keyboard_alone(tmp_path):
    setting, noted = noted_game("tiny", 3, 2)
    noted = noted[: cases(len(noted), 2)]
    store = CaseStore(tmp_path / "case.json", "choice")
    players = ",".join(f"{name}:{size}" for name, size in zip(setting.names, setting.sizes, strict=True))

    async def steps(me: Sitter) -> None:
        below = map_names().index("tiny") - map_names().index(default_map())
        await me.press(*["shift+tab"] * 4, "enter", *["down"] * below, "enter", *["tab"] * 4)
        await me.press(*players, "enter", *setting.names[0], "enter")
        for card in range(setting.deck.size):
            if setting.hand >> card & 1:
                await pressed(me.pilot, "space")
            await pressed(me.pilot, "down")
        await me.press("ctrl+s")
        assert me.screen.case.setting.board.source == "tiny"
        for entry in noted:
            await me.press(*me.screen.case.grammar.write(entry).replace(",", ""), "enter")
            assert me.trouble == ""
        assert f"{len(noted)} entries" in me.text()[0]

    sit(None, steps, store=store)
    log = Case.load(tmp_path / "case.json")
    kept, entries = log.setting, log.entries
    assert (kept.names, kept.hand, tuple(entries)) == (setting.names, setting.hand, noted)


@pytest.mark.slow
def test_the_start_screen_says_what_is_wrong(tmp_path):
    deck = tmp_path / "deck.json"
    deck.write_text(json.dumps(DECK_ALONE), encoding="utf-8")
    store = CaseStore(tmp_path / "case.json", "choice")

    async def steps(me: Sitter) -> None:
        start = me.app.screen
        assert isinstance(start, AssistStart)

        async def trouble(**fields: str) -> str:
            """What is said when one begins after filling these in."""
            for name, value in fields.items():
                start.query_one(f"#{name}", Input).value = value
            await me.press("ctrl+s")
            return str(start.query_one("#trouble", Static).content)

        async def read(file: Path) -> str:
            """What is said of a map's file."""
            start.query_one("#file", Input).value = str(file)
            await me.pilot.pause()
            start.query_one("#file").focus()
            await me.press("enter")
            return str(start.query_one("#trouble", Static).content)

        assert await trouble() == "Name the players, in turn order, with commas between them."
        assert "Give every player's number of cards" in await trouble(players="Ann,Bob,Cy,Di")
        assert (await trouble(players="Ann,Bob,Cy", me="zoe")).startswith("'zoe' is not one of them")
        assert await trouble(me="bob") == "The hand of Bob needs 6 cards, and has 0."
        start.query_one("#map").value = "file"
        await me.pilot.pause()
        assert "cannot be read" in await read(tmp_path / "nothing.json")
        assert await trouble() == "Choose a board or a deck first."
        written = deck.read_text(encoding="utf-8")
        for name in ("Z", "S0"):
            deck.write_text(written.replace('"S0"', f'"{name}"'), encoding="utf-8")
            await read(deck)
            assert start.query_one("#hand", SelectionList).get_option_at_index(0).prompt == name, "as it is now"
        assert (await trouble(me="", rules="nonsense")).startswith("'nonsense' is no edition")
        open_cards = "The number of cards that lie open under these rules is 1, not 0 (rule 14)."
        assert await trouble(rules="pool=2 leftover=open peek=true") == open_cards
        start.query_one("#open", Input).value = "S1"
        await me.press("ctrl+s")
        setting = me.screen.case.setting
        assert setting.deck.names[0] == "S0"
        assert setting.places == ("Ann", "Bob", "Cy", "pool", "open", "envelope")

    sit(None, steps, store=store)
    assert Case.load(tmp_path / "case.json").setting.names == ("Ann", "Bob", "Cy")


@pytest.mark.slow
def test_a_case_that_was_kept_is_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    session = CaseStore(None, "choice").new(setting_of())
    session.enter(session.grammar.parse(LINES[0]))
    damaged = tmp_path / "cluedo" / "cases" / "0.json"
    damaged.write_text("{}", encoding="utf-8")
    os.utime(damaged, (0, 0))
    store = CaseStore(None, "choice")

    async def steps(me: Sitter) -> None:
        start = me.app.screen
        start.query_one("#kept").focus()
        await me.press("enter", "up", "enter")
        await me.pilot.pause()
        assert "0.json: the case log" in str(start.query_one("#trouble", Static).content)
        await me.press("enter", "up", "enter")
        await me.pilot.pause()
        await me.settle()
        assert me.screen.case.entries == session.entries
        await me.type(LINES[1])

    sit(None, steps, store=store)
    assert len(Case.load(store.path).entries) == 2
    assert len(list(damaged.parent.iterdir())) == 2


@sitting(LINES[0], size=(120, 30))
async def test_the_keys_at_the_foot_are_those_declared_where_one_is(me):
    found = [await me.footer()]
    for key in ("f3", "f2"):
        await me.press(key)
        found.append(await me.footer(unlike=found[-1]))
    assert found == [
        "tab fill in ^q quit f1 help f2 sheet f3 entries f4 what if ^z undo",
        "⏎ edit i insert before del take out f1 help f2 sheet f3 entries f4 what if ^z undo ? keys q leave",
        "f1 help f2 sheet f3 entries f4 what if ^z undo ? keys q leave",
    ]
    below = list(keys_of(me.screen))
    assert [key.text for key in below][:6] == [
        "help", "sheet", "entries", "what if", "figures for experts, in bits", "undo",
    ]  # fmt: skip


def test_the_keys_at_the_foot_of_a_new_case_speak_the_language():
    keys = "tab champ suivant ^s commencer esc quitter"

    async def steps(me: Sitter) -> None:
        assert await me.footer() == f"{keys} f1 touches"
        me.app.screen.query_one("#hand").focus()
        assert await me.footer(unlike=f"{keys} f1 touches") == f"espace cocher une carte {keys} ? touches q quitter"

    speak("fr")
    sit(None, steps, size=(100, 24))


# ---- how it looks --------------------------------------------------------------------------------------


def test_no_entry_is_broken_at_a_no_break_space():
    class Entries(History):
        def on_mount(self) -> None:
            self.show([f"Ann demande {'a' * letters}\N{NO-BREAK SPACE}: Bob montre" for letters in range(5, 35)])

    lines = [line.strip("▊▎ ") for line in lines_alone(Entries(), (40, 90))]
    assert "Bob montre" in lines, "some are broken there"
    assert not [line for line in lines if line.startswith(":")]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_everything_is_in_sight(size, language):
    speak(language)
    setting, noted = noted_game("classic", 6, 1)

    async def steps(me: Sitter) -> None:
        await me.footer()
        lines = me.text()
        assert len(lines) == size[1]
        assert lines[-1].rstrip().endswith("^z annuler" if language == "fr" else "^z undo")
        assert ("Entrée\N{NO-BREAK SPACE}:" if language == "fr" else "Entry:") in lines[-2]
        table = me.screen.query_one(SheetView)
        assert table.virtual_size.width <= table.size.width
        if size[1] == 40:
            assert all(any(line.startswith(name) for line in lines) for name in setting.deck.names)
            assert me.screen.query_one(History).size.width > 0

    sit(Case(setting, noted[:12]), steps, size=size)


@sitting()
async def test_a_head_that_is_cut_says_so(me):
    assert me.text()[1].split()[:4] == ["envel.", "Musta.", "White", "Green*"]


@sitting()
async def test_a_percent_sign_is_not_left_alone(me):
    told = me.screen.query_one(SectionsText)
    for words in range(8):
        told.show([plain("x" * words + " waiting wins in about 98 % of the cases, and in 94 % if they reason")])
        await me.pilot.pause()
        assert not any(line.strip().startswith("%") for line in str(told.render()).splitlines())


@sitting()
async def test_long_lines_go_on_below_their_words(me):
    lines = ["  12.0 %  Scarlett, Candlestick, Conservatory", "x" * 70, "    aside " * 6]
    me.screen.query_one(SectionsText).show([plain(*lines)])
    await me.pilot.pause()
    shown = [line[46:].rstrip() for line in me.text()]
    assert "  12.0 %  Scarlett, Candlestick," in [line[1:] for line in shown]
    assert "          Conservatory" in [line[1:] for line in shown]


@sitting()
async def test_in_the_help_what_words_mean_goes_on_below_its_beginning(me):
    await me.press("f1")
    lines = me.text()
    at = next(number for number, line in enumerate(lines) if "a hand laid open" in line)
    assert lines[at + 1].split()[0] == "accusation"
    assert lines[at + 1].index("accusation") == lines[at].index("a hand laid open")


# ---- a real terminal -----------------------------------------------------------------------------------


@needs_tmux
@pytest.mark.slow
@pytest.mark.parametrize("pane", [(80, 24, "bash")], indirect=True, ids=[""])
def test_in_a_real_terminal_of_80_by_24(pane, tmp_path):
    file = tmp_path / "case.json"
    CaseStore(file, "choice").new(setting_of())
    pane.type(f"clear; {sys.executable} -m cluedo assist {file.name}; echo ended with $?")
    assert "Classic mansion" in pane.wait_for("^q quit")
    pane.type(LINES[0])
    pane.wait_for("White holds Lead Pipe.")
    pane.type(LINES[1])
    pane.wait_for("2 entries")
    shown = pane.wait_for("Mustard holds Scarlett")
    assert len(shown.rstrip("\n").splitlines()) == 24
    pane.press("C-c")
    assert "The case is saved." in pane.wait_for("ended with 130")
    assert len(Case.load(file).entries) == 2
