"""The full screen of ``cluedo play``: whole games by keys alone, what may be seen, and every key and click."""

from __future__ import annotations

import asyncio
import re
import signal
import threading
from collections import defaultdict
from contextlib import contextmanager
from random import Random
from statistics import median
from time import perf_counter
from unittest.mock import patch

import pytest
from helpers.cases import some
from helpers.editions import edition_game
from helpers.screen_driver import (
    Detective,
    actions,
    asked,
    came,
    driven,
    frame,
    handled,
    playing,
    pressed,
    session,
    settled,
    shown,
    until,
)
from helpers.support import play_random, view_json
from textual.command import CommandPalette
from textual.widgets import Static

from cluedo.ai.knowledge.kernels import compiled
from cluedo.ai.knowledge.kernels.detective_kernels import kernels_of_an_answer
from cluedo.ai.player import Clock
from cluedo.engine.commands import EndTurn, Move, Roll, Stay
from cluedo.engine.events import Accused, HypothesisMade, Rolled, Shown
from cluedo.engine.record import read_record
from cluedo.session import timeline
from cluedo.session.actions import offer
from cluedo.session.game_session import GameSession
from cluedo.session.hints import proved_envelope
from cluedo.session.sections import Section
from cluedo.tui import table_panes
from cluedo.tui.app import CluedoApp
from cluedo.tui.board_view import BoardView
from cluedo.tui.choosers import ActionBar, CardChooser
from cluedo.tui.keys import KeysHelp, keys_of
from cluedo.tui.play_dialogs import Confirm, HandOver, NoteInput
from cluedo.tui.play_pace import Pace
from cluedo.tui.play_table import TableScreen
from cluedo.tui.sections_text import SectionsText
from cluedo.tui.sheet_view import SheetView
from cluedo.tui.table_panes import HintsPane, LogView, NewsLines, SeatBar
from cluedo.words.narration import Sentence, turns_of


def hint_lines(app):
    told = app.screen.query_one("#hints", HintsPane).query_one(SectionsText)
    return [line for section in told._sections for line in (section.title, *section.lines)]


# ---- whole games -------------------------------------------------------------------------------


def test_a_whole_game_against_three_machines_to_a_right_accusation():
    """By keys alone; the detective knows nothing but what the screen shows, and wins one game of a few."""

    async def script(app, pilot):
        await Detective(app, pilot).play()
        assert "The envelope held" in shown(app, "hand")
        sheet = app.screen.query_one("#sheet", SheetView)
        assert sum(cell.text == "✓" for cell in sheet.cells.values()) == sheet.deck.size  # all cards are open
        ends.append(shown(app, "prompt"))

    ends: list[str] = []
    for seed in (4, 10, 8, 14):
        game = session("human,easy,easy,easy", "tiny", seed=seed)
        driven(script, game)
        assert game.game.result is not None
        assert read_record(game.autosave.path).replay().result == game.game.result
        assert ("You solve the case and win" in ends[-1]) == (game.game.result.winner == 0)
        if game.game.result.winner == 0:
            return
    pytest.fail(f"no game was won: {ends}")


def test_what_comes_of_ones_own_question_or_accusation_can_be_read_ones_own_roll_passes_at_once(monkeypatch):
    view, paused = session().view(0), []

    async def pause(_, seconds):
        paused.append(seconds)

    monkeypatch.setattr(Pace, "_pause", pause)
    for event in (Rolled(0, (3,)), HypothesisMade(0, 1, 5, 8), Accused(0, 1, 5, 8, correct=False)):
        asyncio.run(Pace(1).watch(event, view, view, None))
    assert paused == [1.0, 1.5]


@pytest.mark.slow
def test_a_deck_without_a_board(tmp_path):
    """Rooms are listed, and chosen with the same keys."""
    path = tmp_path / "deck.json"
    rooms = ", ".join(f'{{"name": "Room {k}", "symbol": "{k}", "colour": "#80a0c0"}}' for k in "ABCDE")
    suspects = ", ".join(f'{{"name": "Sir {k}", "colour": "#c04040"}}' for k in "VWXYZ")
    weapons = ", ".join(f'{{"name": "Thing {k}"}}' for k in "KLMN")
    cards = f'"suspects": [{suspects}], "weapons": [{weapons}], "rooms": [{rooms}]'
    path.write_text(f'{{"name": "deck", "title": "A deck", {cards}}}', encoding="utf-8")

    async def script(app, pilot):
        await settled(app, pilot)
        board = app.screen.query_one("#board", BoardView)
        assert board.look.lit.bit_count() == 5
        first = board.pointed
        await pressed(pilot, "down")
        assert board.pointed == first + 1
        await Detective(app, pilot).play()
        assert app.screen.over

    driven(script, session(map_=str(path), rule=["movement=free", "max_turns=6"]))


# ---- secrets -----------------------------------------------------------------------------------


class Filmed(CluedoApp):
    """Keeps every frame, with the seat that it was shown to."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.film = []
        self.ticked = defaultdict(set)
        self.holder = None

    def _display(self, screen, renderable):
        super()._display(screen, renderable)
        table = self.tables[-1] if self.tables else None
        if table is None or table.over:
            return
        if isinstance(screen, HandOver):
            self.holder = None
        elif table._front is not None:
            self.holder = table._front  # who keeps the screen until it is handed over
        cells = table.query_one("#sheet", SheetView).cells if table.query("#sheet") else {}
        self.ticked[self.holder] |= {place for place, cell in cells.items() if cell.text == "✓"}
        self.film.append((self.holder, "\n".join(strip.text for strip in screen._compositor.render_strips())))


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seed"), some([("human:Ann,human:Bob,easy", 5), ("human,human,human", 3)], 1))
def test_no_frame_shows_what_the_seat_in_front_may_not_know(players, seed):
    game = session(players, "tiny", seed, rule=["max_turns=8"])
    table = game.game.table

    async def script(app, pilot):
        await Detective(app, pilot).play()

    app = driven(script, game, kind=Filmed)
    assert game.game.over
    assert len({front for front, _ in app.film}) == len(game.people) + 1
    assert not re.search(r"\b[Yy]ou", " ".join(line.text for line in app.tables[0]._panes.log.lines))
    names, hands = table.deck.names, game.game.state.deal.hands
    for seat in game.people:
        held = [names[card] for card in range(table.deck.size) if hands[seat] >> card & 1]
        frames = [text for front, text in app.film if front == seat]
        assert any(f"You hold: {', '.join(held)}" in text for text in frames)
    for front, text in app.film:
        if found := re.search(r"You hold: (.+?)\s*$", text, re.MULTILINE):
            assert front is not None
            assert game.game.table.deck.mask(found[1].split(", ")) == hands[front]
        if front is None:  # nobody, or nobody yet: nothing but names of the people
            assert "✓" not in text
            assert "shows" not in text
    for seat in game.people:
        shown = [event for event in game.game.view(seat).events if isinstance(event, Shown) and event.asker == seat]
        shown_to = {(event.card, event.seat + 1) for event in shown}
        own = {(card, seat + 1) for card in range(table.deck.size) if hands[seat] >> card & 1}
        proved = {(card, 0) for card in proved_envelope(game.game.view(seat))}
        assert app.ticked[seat] == own | ((shown_to | proved) & app.ticked[seat])
        assert app.ticked[seat] > own
    assert app.ticked[None] == set()
    for front, text in app.film:
        for shower, asker, card in re.findall(r"(\w+) shows (\w+) (?:the card )?(\w+)\.", text):
            # Who looks on reads "a card."; a card itself is named to asker and shower alone.
            assert asker == "you" or (asker, card) == (asker, "card"), (front, shower, asker, card)


@playing("human:Ann,human,easy")
async def test_a_hand_over_hides_everything(app, pilot):
    assert isinstance(app.screen, HandOver)
    assert "Ann" in frame(app)
    for name in app.tables[0].session.game.table.deck.names:
        assert name == "Amber" or name not in frame(app)
    await settled(app, pilot, "enter")
    assert "You hold: Poker, Shears" in frame(app)
    for _ in range(20):
        if isinstance(app.screen, HandOver):
            break
        await Detective(app, pilot).play(1)
        await settled(app, pilot)
    assert "Poker" not in frame(app)
    left = {pane.id: str(pane.content) for pane in app.tables[0].query(Static) if pane.id != "signs"}
    assert {"hand", "news", "prompt"} < left.keys()
    assert not [name for name, text in left.items() if "Poker" in text], "the screen below is seen for a moment"


@playing("human:Ann,human:Bob,easy")
async def test_a_hand_over_takes_the_note_of_whoever_sat_there_away(app, pilot):
    await settled(app, pilot, "enter")
    table = app.screen
    app.push_screen(NoteInput("Rope", "Bob bluffs"))
    await came(pilot, NoteInput)
    table.run_worker(table._hand_over(table.session.view(table._front)))
    await came(pilot, HandOver)
    assert not any(isinstance(screen, NoteInput) for screen in app.screen_stack)
    await pilot.pause()
    assert "Bob bluffs" not in frame(app)


@playing(size=(120, 40))
async def test_that_a_game_is_not_saved_is_said_at_once(app, pilot):
    assert "not being saved" not in frame(app)
    app.tables[0].session.autosave.path = None
    await settled(app, pilot, "r")
    await until(pilot, lambda: "This game is not being saved" in frame(app))


@playing(hints=False)
async def test_without_hints_the_detective_is_silent(app, pilot):
    await pressed(pilot, "h")
    assert not app.screen.query_one("#hints", HintsPane).display
    await pressed(pilot, "question_mark")
    await pilot.pause()
    assert "detective" not in frame(app)


@playing(rule=["accuse_in=room"], size=(80, 50))
async def test_log_and_help_tell_the_house_rules(app, pilot):
    log = app.screen.query_one("#log", LogView)
    assert log.lines[0].text == "Players may accuse only the room they are in."
    await came(pilot, KeysHelp, "question_mark")
    await until(pilot, lambda: "Players may accuse only the room they are in." in frame(app))


# ---- one key after the other -------------------------------------------------------------------


@playing(rule=["dice=1", "sides=2"])
async def test_a_turn_by_keys_and_the_reasons_of_the_game(app, pilot):
    assert actions(app) == {"r": "roll the dice", "s": "stay"}
    assert shown(app, "prompt").startswith("It is your turn")
    await pressed(pilot, "a", "9", "z")  # keys that mean nothing now
    assert app.tables[0].session.game.commands == []
    await settled(app, pilot, "r")
    board = app.screen.query_one("#board", BoardView)
    assert app.focused is board
    assert actions(app) == {"s": "stay", "enter": "walk to the mark (arrow keys)"}
    assert {"↑ ↓ ← →", "⏎"} < {key.sign for key in keys_of(app.screen)}
    lit = board.look.lit
    assert lit.bit_count() == len(app.tables[0].session.game.legal()) - 1  # all but to stay
    while board.pointed is not None and lit >> board.pointed & 1:
        before = board.pointed
        await pressed(pilot, "right")
        if board.pointed == before:
            break
    await pressed(pilot, "full_stop")
    assert lit >> board.pointed & 1
    await settled(app, pilot, "comma")
    there = board.pointed
    app.screen.set_focus(app.screen.query_one("#actions", ActionBar))
    await settled(app, pilot, "left", "enter")
    assert app.tables[0].session.game.commands[-1] == Move(there)
    assert "⏎" not in {key.sign for key in keys_of(app.screen)}


@playing(rule=["dice=1", "sides=2"])
async def test_a_place_out_of_reach_is_refused_with_the_rule(app, pilot):
    await settled(app, pilot, "r")
    board = app.screen.query_one("#board", BoardView)
    far = next(room for room in range(board.board.rooms_at, board.board.places) if not board.look.lit >> room & 1)
    board.post_message(BoardView.Chosen(far))
    await until(pilot, lambda: "cannot be reached with this roll" in frame(app))
    assert board.look.lit  # and one may choose again


@playing(rule=["movement=free"])
async def test_the_mouse_names_no_card_that_nobody_chose(app, pilot):
    await settled(app, pilot, "1")
    state, chooser = app.screen.session.game.state, app.screen.query_one("#chooser", CardChooser)
    await until(pilot, lambda: chooser.region)  # else a click hits nothing
    for proposed in ([], [0, state.table.deck.weapons.start]):
        app.screen._present()
        chooser.propose(proposed)
        await handled(pilot)
        await pilot.click("#cards-1", offset=(3, 2))
        await handled(pilot)
        assert state.hypothesis is None
        assert app.focused.id == ("cards-1" if proposed else "cards-0"), "only a card that was open is chosen at once"
    await pilot.click("#cards-0", offset=(3, 3))
    await until(pilot, lambda: chooser.cards[0] == 2)
    assert state.hypothesis is None, "it was proposed to name another"
    await pilot.click("#cards-0", offset=(3, 3))
    await until(pilot, lambda: state.hypothesis is not None)


@playing()
async def test_the_mouse_leads_back_from_the_help_and_from_a_note(app, pilot):
    for kind, keys in ((KeysHelp, ["question_mark"]), (NoteInput, ["m", "n"])):
        await came(pilot, kind, *keys)
        row, line = next((row, line) for row, line in enumerate(frame(app).splitlines()) if "Esc back" in line)
        await pilot.click(offset=(line.index("Esc back"), row))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))


@pytest.mark.slow
@playing()
async def test_the_mouse_rolls_and_walks_and_marks(app, pilot):
    await pilot.click("#actions", offset=(3, 0))
    await settled(app, pilot)
    board = app.screen.query_one("#board", BoardView)
    place = next(place for place in range(board.board.rooms_at) if board.look.lit >> place & 1)
    x, y = board.board.node(place)
    await pilot.hover("#board", offset=(2 * x, y - round(board.scroll_y)))
    assert board.pointed is not None
    await pilot.click("#board", offset=(2 * x, y - round(board.scroll_y)))
    await settled(app, pilot)
    assert app.tables[0].session.game.commands[-1] == Move(place)
    sheet = app.screen.query_one("#sheet", SheetView)
    await pilot.click("#sheet", offset=(sheet.size.width - 3, 2))
    await handled(pilot)
    assert "✓" in [cell.text for (_, column), cell in sheet.cells.items() if column == 3]


def test_a_move_can_be_taken_back_and_nothing_else():
    async def script(app, pilot):
        game = app.tables[0].session.game
        await settled(app, pilot)
        assert "u" not in actions(app)
        await settled(app, pilot, "r")
        assert "u" not in actions(app), "dice that were seen stay thrown"
        dice, here = game.state.dice, game.state.place
        await settled(app, pilot, "1")
        assert game.state.place != here
        assert actions(app)["u"] == "take back"
        await pressed(pilot, "u")
        await until(pilot, lambda: game.state.place == here and asked(app))
        assert game.state.dice == dice
        assert game.commands == [Roll()]
        log = [line.text for line in app.screen.query_one("#log", LogView).lines]
        assert len(log) == 1
        assert log[0].startswith("You roll")
        await settled(app, pilot, "s")
        assert isinstance(game.commands[-1], Stay)
        assert "u" in actions(app)
        await pressed(pilot, "u")
        await until(pilot, lambda: game.commands == [Roll()] and asked(app))
        await settled(app, pilot, "1")
        await settled(app, pilot, "enter", "enter")
        assert game.state.hypothesis is not None
        assert "u" not in actions(app), "an answer that was heard stays heard"

    game = session()
    driven(script, game)
    replayed = read_record(game.autosave.path).replay()
    assert view_json(replayed.view(0)) == view_json(game.game.view(0))


@playing("human,human,easy")
async def test_where_people_share_the_screen_a_move_is_taken_back_before_it_is_handed_over(app, pilot):
    await settled(app, pilot, "enter")
    before = view_json(app.screen.session.game.view(0))
    await settled(app, pilot, "s")
    assert "e" in actions(app)
    await pressed(pilot, "u")
    await until(pilot, lambda: asked(app) and "r" in actions(app))
    assert view_json(app.screen.session.game.view(0)) == before
    await settled(app, pilot, "s")
    await came(pilot, HandOver, "e")
    await settled(app, pilot, "enter")
    assert "u" not in actions(app), "what somebody else did is theirs"


@playing()
async def test_naming_cards(app, pilot):
    await settled(app, pilot, "r")
    await settled(app, pilot, "1")
    chooser = app.screen.query_one("#chooser", CardChooser)
    assert len(chooser.cards) == 3
    first = chooser.cards
    await pressed(pilot, "down", "right", "down", "left")
    assert chooser.cards == (first[0] + 1, first[1] + 1, first[2])
    names = chooser.deck.names
    assert ", ".join(names[card] for card in chooser.cards) in shown(app, "prompt")
    await settled(app, pilot, "escape")
    assert app.tables[0].session.game.state.hypothesis is None
    await pressed(pilot, "a")
    assert len(chooser.cards) == 3
    await pressed(pilot, "escape")
    assert "e" in actions(app)
    await pressed(pilot, "a")
    while not chooser.completes:  # once for each list whose card nobody has proved yet
        await pressed(pilot, "enter")
    await came(pilot, Confirm, "enter")
    chooser.post_message(CardChooser.Chosen(chooser.cards))  # of a second Enter, which was on its way
    await handled(pilot)
    assert sum(isinstance(screen, Confirm) for screen in app.screen_stack) == 1, "it is asked once"
    await pressed(pilot, "enter")  # no is what Enter does
    await came(pilot, TableScreen)
    assert app.tables[0].session.game.state.eliminated == 0


@pytest.mark.slow
def test_what_is_proved_is_under_the_cursors_of_an_accusation():
    game = session("human,easy,easy", "tiny", seed=4)

    async def script(app, pilot):
        def proved_is_pointed_at():
            return app.screen.query_one("#chooser", CardChooser).cards == game.game.state.deal.envelope

        while True:
            await settled(app, pilot)
            if app.screen.over:
                break
            if "a" in actions(app) and len(proved_envelope(game.view(0))) == 3:
                await pressed(pilot, "a")
                await until(pilot, proved_is_pointed_at)
                await came(pilot, Confirm, "enter")
                assert "You are about to accuse" in frame(app)
                await pressed(pilot, "y")
            else:
                await Detective(app, pilot).answer()

    driven(script, game)
    assert game.game.result is not None


@playing()
async def test_marks_and_notes_on_the_sheet(app, pilot):
    sheet = app.screen.query_one("#sheet", SheetView)
    await pressed(pilot, "m")
    await until(pilot, lambda: app.focused is sheet)
    assert sheet.cursor == (0, 0)
    for key, sign in (("v", "✓"), ("x", "✗"), ("enter", "?")):
        await pressed(pilot, key)
        assert sheet.cells[0, 0].text == sign
    await pressed(pilot, "delete")
    assert (0, 0) not in sheet.cells
    await pressed(pilot, "space")
    assert sheet.cells[0, 0].text == "✓"
    await pressed(pilot, "right", "down")
    assert sheet.cursor == (1, 1)
    await pressed(pilot, "v")
    assert sheet.cells[1, 1].text == "✗", "what was seen stands above what is thought"
    await came(pilot, NoteInput, "n")
    await came(pilot, TableScreen, *"hum", "enter")
    await handled(pilot)
    assert re.search(r"Basil +\*", frame(app))


@playing(rule=["movement=free"])
@pytest.mark.parametrize("there", ["m", "l"])
@pytest.mark.parametrize("back", ["escape", "again"])
async def test_from_sheet_and_log_the_keys_that_are_shown_are_those_that_work(app, pilot, there, back):
    await settled(app, pilot, "1")
    await pressed(pilot, "enter")
    offered, list_ = actions(app), app.focused
    await pressed(pilot, there)
    assert isinstance(app.focused, {"m": SheetView, "l": LogView}[there])
    assert actions(app) == {"escape": "back"} | {key: text for key, text in offered.items() if key != "enter"}
    assert app.screen.query_one("#actions", ActionBar).size.height == 1
    assert "Esc  back" in frame(app)
    shown_keys = {key.sign for key in keys_of(app.screen)}
    assert {"esc", "? f1"} <= shown_keys
    assert ({"v", "x", "n", "del ⌫", "⏎ space"} <= shown_keys) is (there == "m")
    commands = app.screen.session.game.commands[:]
    await pressed(pilot, "enter")
    assert app.screen.session.game.commands == commands, "Enter asks nothing from here"
    await came(pilot, KeysHelp, "question_mark")
    await came(pilot, TableScreen, "escape")
    await pressed(pilot, there if back == "again" else back)
    assert (actions(app), app.focused) == (offered, list_)
    assert "esc" not in {key.sign for key in keys_of(app.screen)}
    await settled(app, pilot, there, "e")
    assert app.screen.session.game.commands[len(commands)] == EndTurn()


@playing()
async def test_who_waits_for_a_hint_is_told_how_far_it_is(app, pilot):
    tells, go_on = [], threading.Event()

    @contextmanager
    def watching(tell, expected):
        tells.append((tell, expected))
        yield

    def slow(_view, _since):
        tells[-1][0](0.4)
        go_on.wait(60)
        return [Section("Nothing to do.")]

    with patch.object(compiled, "watching", watching), patch.object(table_panes, "hint_sections", slow):
        await pressed(pilot, "h")
        await until(pilot, lambda: "40 % done" in " ".join(frame(app).split()))
        go_on.set()
        await until(pilot, lambda: "Nothing to do." in frame(app))
    tell, expected = tells[0]
    assert expected is kernels_of_an_answer
    tell(0.5)
    await pilot.pause()
    assert "% done" not in frame(app), "the hint is there"


@playing(rule=["movement=free"])
async def test_the_cursors_begin_on_the_cards_that_a_hint_of_this_turn_proposed(app, pilot):
    await settled(app, pilot, "1")
    chooser, deck = app.screen.query_one("#chooser", CardChooser), app.screen.session.game.table.deck
    cards = (deck.suspects[-1], deck.weapons[-1], chooser.cards[2])
    with patch.object(table_panes, "hint_sections", lambda *_: [Section("Ask about something.", proposed=cards)]):
        await pressed(pilot, "h")
        await until(pilot, lambda: "Ask about something." in frame(app))
    await until(pilot, lambda: chooser.cards == cards)
    await until(pilot, lambda: actions(app)["enter"] == "ask")
    await pressed(pilot, "up")
    moved = chooser.cards
    app.screen.on_hints_pane_told()
    assert chooser.cards == moved != cards, "a hint that comes late leaves the cards that somebody is choosing"
    await pressed(pilot, "down")
    await settled(app, pilot, "enter")
    assert app.screen.session.game.state.hypothesis == cards, "one Enter asks what was proposed"


@playing(rule=["dice=1", "sides=2"])
async def test_the_mark_on_the_board_begins_on_the_place_that_a_hint_of_this_turn_proposed(app, pilot):
    await settled(app, pilot, "r")
    board, game = app.screen.query_one("#board", BoardView), app.screen.session.game
    places = [command.to for command in game.legal() if isinstance(command, Move)]
    there = next(place for place in reversed(places) if place != board.pointed)
    with patch.object(table_panes, "hint_sections", lambda *_: [Section("Walk towards a room.", do=Move(there))]):
        await pressed(pilot, "h")
        await until(pilot, lambda: "Walk towards a room." in frame(app))
    await until(pilot, lambda: board.pointed == there)
    await pressed(pilot, "comma")
    moved = board.pointed
    app.screen.on_hints_pane_told()
    assert board.pointed == moved != there, "a hint that comes late leaves the mark where somebody has put it"
    await pressed(pilot, "full_stop")
    await settled(app, pilot, "enter")
    assert game.commands[-1] == Move(there), "one Enter walks where was proposed"


@playing(rule=["movement=free"])
async def test_no_hint_counts_on_what_was_taken_back_since_the_one_before(app, pilot):
    moments = []

    def hint(view, since):
        moments.append((view.time, since))
        return [Section("Ask about something.")]

    with patch.object(table_panes, "hint_sections", hint):
        await settled(app, pilot, "1")
        await pressed(pilot, "h")
        await until(pilot, lambda: len(moments) == 1)
        await settled(app, pilot, "u")
        await until(pilot, lambda: len(moments) == 2)
    (then, _), (now, since) = moments
    assert (now, since) == (then - 1, 0)


@playing(rule=["movement=free"])
async def test_the_row_of_actions_says_what_enter_does_in_each_list(app, pilot):
    await settled(app, pilot, "1")
    await until(pilot, lambda: actions(app)["enter"] == "next")
    await pilot.click("#actions", offset=(3, 0))
    await until(pilot, lambda: actions(app)["enter"] == "ask")
    await pressed(pilot, "left")
    await until(pilot, lambda: actions(app)["enter"] == "next")
    await settled(app, pilot, "right", "enter")
    assert app.screen.session.game.state.hypothesis is not None


@playing()
async def test_news_are_told_whole_and_what_there_is_no_room_for_ends_with_dots(app, pilot):
    news = app.screen.query_one("#news", NewsLines)
    told = [f"Player number {number} of this game cannot show a card of these." for number in range(7)]
    news.tell([*told, "You show Green the Ballroom."])
    await pilot.pause()
    lines = frame(app).splitlines()
    last = next(k for k in range(len(lines)) if "You show Green the Ballroom." in " ".join(lines[k - 1 : k + 1]))
    assert " ".join(" ".join(lines[last - 3 : last + 1]).split()) == " ".join(
        [*told[3:], "You show Green the Ballroom."]
    )
    news.tell(["You show Green " + "a card of yours " * 30])
    await pilot.pause()
    assert news.size.height == 4
    assert str(news.content).endswith("…")


def test_no_key_of_the_screen_is_that_of_an_action():
    offered = {"v", "r", "n"}  # when the game is over
    for number in range(4):
        game = edition_game("together", number)

        def note(_, game=game):
            view = game.view(game.state.to_act)
            offered.update(action.key for action in offer(view, view.table.names, revocable=True).actions)

        play_random(game, Random(number), before=note, limit=200)
    assert {"1", "a", "e", "k", "p", "r", "s", "u"} <= offered
    bound = {key for binding in (*TableScreen.BINDINGS, *CluedoApp.BINDINGS) for key in binding.key.split(",")}
    assert (bound & offered) <= {"enter", "escape"}, "a screen's own key comes first"


def test_a_key_that_comes_before_the_table_is_laid_out_does_nothing():
    table = TableScreen(session("human,easy,easy", "tiny", 5), speed=0, hints=True)
    assert table.check_action("back", ()) is False


@playing()
async def test_neither_news_nor_log_are_broken_at_no_break_spaces(app, pilot):
    news, log = app.screen.query_one("#news", NewsLines), app.screen.query_one("#log", LogView)
    await pressed(pilot, "l")
    lines = []
    for letters in range(10, 80):
        told = f"{'a' * letters} is right\N{NO-BREAK SPACE}!"
        news.tell([told])
        log.reset([Sentence(1, 0, told)])
        await handled(pilot)
        lines += [re.split(r"  +", line.rstrip())[-1].strip() for line in frame(app).splitlines()]
    assert "right !" in lines
    assert "!" not in lines


@playing(rule=["max_turns=6"])
async def test_when_the_game_is_over_the_detective_advises_no_more(app, pilot):
    with patch.object(table_panes, "hint_sections", lambda *_: [Section("Ask about something.")]):
        await pressed(pilot, "h")
        await until(pilot, lambda: "Ask about something." in frame(app))
        await Detective(app, pilot).play()
    assert app.screen.over
    assert "Ask about something." not in frame(app)
    await pressed(pilot, "h")
    assert not app.screen._panes.hints_shown
    assert {"h", "b", "space"}.isdisjoint(key.sign for key in keys_of(app.screen))
    await until(pilot, lambda: frame(app).splitlines()[-1].rstrip() == "l log m sheet ? keys q leave")


def over():
    game = session()
    play_random(game.game, Random(1))
    return game


@playing()
async def test_who_ends_the_program_from_elsewhere_has_the_terminal_back(app, pilot):
    signal.raise_signal(signal.SIGTERM)  # by itself it would end the tests as well
    await until(pilot, lambda: app.return_code == 143)


@playing(game=over)
async def test_a_key_that_is_held_at_the_end_begins_one_game(app, pilot):
    for _ in range(3):
        app.simulate_key("r")
    await until(pilot, lambda: len(app.tables) == 2)
    await settled(app, pilot)
    assert app.tables[1].is_current
    assert not app.tables[1].over


@playing(game=over)
async def test_who_leaves_as_a_game_begins_leaves_in_peace(app, pilot):
    app.simulate_key("r")
    while len(app.tables) == 1:
        await asyncio.sleep(0)
    app.exit()  # before there is anything on its screen


@playing(game=over)
async def test_a_review_that_comes_when_another_game_is_on_is_not_shown(app, pilot):
    review, go_on = timeline.review_game, threading.Event()

    def slow(*of):
        go_on.wait(60)
        return review(*of)

    with patch.object(timeline, "review_game", slow):
        await pressed(pilot, "v")
        await until(pilot, lambda: any(worker.group == "replay" for worker in app.workers))
        await settled(app, pilot, "r")
        go_on.set()
        await until(pilot, lambda: all(worker.group != "replay" for worker in app.workers))
    assert app.tables[1].is_current


@playing("human:A,human:B,easy", rule=["movement=free"])
async def test_of_two_keys_that_leave_a_dialog_the_second_does_nothing(app, pilot):
    table = app.tables[0]
    for dialog, opens, leaves in (
        (HandOver, [], "enter"),
        (KeysHelp, ["question_mark"], "escape"),
        (Confirm, ["q"], "escape"),
        (NoteInput, ["m", "n"], "escape"),
        (CommandPalette, ["ctrl+p"], "escape"),
    ):
        await came(pilot, dialog, *opens)
        for key in (leaves, leaves):
            app.simulate_key(key)
        await until(pilot, lambda: app.screen is table)
        await handled(pilot)
        assert table.is_active


@pytest.mark.slow
@playing()
async def test_a_dialog_stays_in_sight_when_the_terminal_shrinks(app, pilot):
    await settled(app, pilot)
    for dialog, key in ((KeysHelp, "question_mark"), (Confirm, "q")):
        await came(pilot, dialog, key)
        await pilot.resize_terminal(40, 15)
        await until(pilot, lambda: app.screen.query_one(".dialog").region.right <= 40)
        await pilot.resize_terminal(80, 24)
        await came(pilot, TableScreen, "escape")


@pytest.mark.slow
@playing()
async def test_log_keys_hints_and_light(app, pilot):
    await settled(app, pilot, "r")
    log = app.screen.query_one("#log", LogView)
    assert not log.region
    await pressed(pilot, "l")
    await until(
        pilot, lambda: bool(log.region) and "You roll" in frame(app)
    )  # what was rolled is told below the board, too
    await pressed(pilot, "l")
    await until(pilot, lambda: not log.region)
    await came(pilot, KeysHelp, "question_mark")
    await until(pilot, lambda: "skip to where it is your turn" in frame(app))
    await pressed(pilot, "end")
    await until(pilot, lambda: " 21. " in f" {frame(app)}")  # the rules, by the numbers that messages name
    await came(pilot, TableScreen, "escape")
    dark = app.current_theme.dark
    await pressed(pilot, "t")
    assert app.current_theme.dark is not dark
    await pressed(pilot, "h")
    await until(pilot, lambda: "Chance of being" in frame(app))
    assert re.search(r"Go to \w+\.|Walk towards", frame(app))
    assert " bits" not in frame(app)
    await pressed(pilot, "b")
    await until(pilot, lambda: any("4.00 bits" in line for line in hint_lines(app)))
    await pressed(pilot, "b")
    await pressed(pilot, "h")
    await until(pilot, lambda: "Chance of being" not in frame(app))


@pytest.mark.parametrize(("size", "both"), [((80, 24), False), ((120, 24), True), ((80, 40), True), ((120, 40), True)])
def test_what_fits_is_shown(size, both):
    async def script(app, pilot):
        await settled(app, pilot)
        await pilot.pause()
        assert app.screen.query_one("#sheet", SheetView).region
        assert bool(app.screen.query_one("#log", LogView).region) is both
        lines = frame(app).splitlines()
        assert len(lines) == size[1]
        assert "You hold" in lines[1]
        assert "It is your turn" in lines[-3], lines
        assert "roll the dice" in lines[-2]

    driven(script, session("human,easy,easy", "manoir", 3), size=size)


@pytest.mark.parametrize("size", [(160, 30), (160, 45), (200, 50)])
def test_board_sheet_and_log_are_side_by_side_where_there_is_room(size):
    async def script(app, pilot):
        await settled(app, pilot, "r")
        await pilot.pause()
        board, sheet, log = (app.screen.query_one(name).region for name in ("#board", "#sheet", "#log"))
        assert board.right <= sheet.x < sheet.right < log.x
        assert board.y == sheet.y == log.y
        assert sheet.width >= 50
        assert log.width >= 40
        assert any("You roll" in line for line in frame(app).splitlines()[2:-4])

    driven(script, session("human,easy,easy,medium", "manoir", 3), size=size)


@playing("human,easy,easy", "manoir", 3)
async def test_a_resize_in_the_middle(app, pilot):
    await settled(app, pilot, "r")
    for size in ((120, 40), (60, 15), (80, 24)):
        await pilot.resize_terminal(*size)
        await until(pilot, lambda size=size: len(frame(app).splitlines()) == size[1])
    await until(pilot, lambda: "You rolled" in frame(app))
    await settled(app, pilot, "1")
    assert "You may ask" in shown(app, "prompt")


# ---- pace --------------------------------------------------------------------------------------


@playing("human,easy,easy", "manoir", 3, speed=0.001)
async def test_the_others_walk_and_one_can_skip_it(app, pilot):
    await settled(app, pilot, "s")
    await pressed(pilot, "e")
    await until(pilot, lambda: "plays" in shown(app, "prompt") or "rolls" in shown(app, "news"))
    assert not asked(app), "at this speed a turn takes minutes"
    await settled(app, pilot, "space")


@playing(rule=["max_turns=8"])
async def test_the_turn_that_is_shown_is_that_of_the_event_that_is_told(app, pilot):
    seen, show = [], SeatBar.show

    def watch(bar, turn, active, eliminated, me):
        seen.append((turn, active))
        show(bar, turn, active, eliminated, me)

    game = app.screen.session.game
    with patch.object(SeatBar, "show", watch):
        await Detective(app, pilot).play()
    whose = {turn: seat for turn, seat, _ in turns_of(game.events)}
    told = [(turn, active) for turn, active in seen if active >= 0]
    assert any(isinstance(event, Shown) for event in game.events)
    assert len({turn for turn, _ in told}) > 3
    assert [one for one in told if whose.get(one[0], one[1]) != one[1]] == []


def bot(folder, *thinks):
    """A class of a file that does so before it moves, as ``easy`` does."""
    head = "import time\nfrom cluedo.ai.level_easy import EasyPlayer\nclass Bot(EasyPlayer):\n"
    lines = ["    def choose_move(self, view):", *(f"        {line}" for line in thinks)]
    (folder / "bot.py").write_text(head + "\n".join([*lines, "        return super().choose_move(view)"]))
    return f"{folder / 'bot.py'}:Bot"


@pytest.mark.slow
@pytest.mark.parametrize("thinks", ["time.sleep(0.02)", "sum(range(100_000))"])
def test_keys_are_answered_while_machines_think(tmp_path, thinks):
    answered = tmp_path / "answered"
    waiting = f"while time.perf_counter() < end and not Path({str(answered)!r}).exists(): {thinks}"
    slow = bot(tmp_path, "from pathlib import Path", "end = time.perf_counter() + 600", waiting)

    async def script(app, pilot):
        await settled(app, pilot)
        await settled(app, pilot, "s")
        await pressed(pilot, "e")
        waits = []
        for _ in range(6):
            assert not asked(app)
            began, before = perf_counter(), app.screen.has_class("side")
            app.simulate_key("l")
            await until(pilot, lambda before=before: app.screen.has_class("side") is not before)
            waits.append(perf_counter() - began)
            await asyncio.sleep(0.02)
        answered.touch()
        assert median(waits) < 5

    driven(script, session(f"human,{slow},{slow}"))


@pytest.mark.slow
def test_who_never_answers_does_not_keep_one_from_leaving(tmp_path):
    async def script(app, pilot):
        await settled(app, pilot)
        await settled(app, pilot, "s")
        await pressed(pilot, "e")
        await pilot.pause(0.1)
        await came(pilot, Confirm, "q")
        await pressed(pilot, "y")
        await until(pilot, lambda: app.return_code is not None)

    began = perf_counter()
    app = driven(script, session(f"human,{bot(tmp_path, 'time.sleep(600)')},easy", clock=Clock(600.0)))
    assert app.return_code == 0
    assert perf_counter() - began < 120


# ---- leaving, and going on ---------------------------------------------------------------------


@pytest.mark.slow
def test_leaving_asks_once_and_going_on_finds_everything_and_the_sheet_as_it_was():
    game = session()
    left = {}

    async def begin(app, pilot):
        await settled(app, pilot)
        sheet = app.screen._sheets[0]
        for card, sign in ((0, "✓"), (3, "?"), (5, "✗"), (5, "")):
            sheet.mark(card, 1, sign)
        sheet.note(3, "« perhaps »")
        await settled(app, pilot, "r")
        await came(pilot, Confirm, "q")
        await came(pilot, TableScreen, "escape")
        left["frame"] = frame(app)
        await came(pilot, Confirm, "ctrl+c")
        await pressed(pilot, "ctrl+c")

    assert driven(begin, game).return_code == 130

    async def go_on(app, pilot):
        await settled(app, pilot)
        await until(pilot, lambda: frame(app) == left["frame"])
        sheet = app.screen._sheets[0]
        assert (sheet.marks, sheet.notes) == ({(0, 1): "✓", (3, 1): "?"}, {3: "« perhaps »"})
        await Detective(app, pilot).play(2)
        assert len(resumed.game.commands) > 2

    resumed = GameSession.resume(game.autosave.path)
    driven(go_on, resumed)


@pytest.mark.slow
def test_a_level_that_interrupts_itself_is_at_fault_and_the_game_goes_on(tmp_path):
    async def script(app, pilot):
        await Detective(app, pilot).answer_until(lambda: len(app._notifications) > 0)
        assert "lost a choice" in next(iter(app._notifications)).message
        await Detective(app, pilot).play(2)

    app = driven(script, session(f"human,{bot(tmp_path, 'raise KeyboardInterrupt')},easy"))
    assert "raised KeyboardInterrupt()" in app.tables[0].session.faults[0].text


def test_an_error_of_the_game_is_raised_when_the_screen_is_gone(monkeypatch):
    def broken(self):
        raise ValueError("no more")

    monkeypatch.setattr(GameSession, "advance", broken)

    async def script(app, pilot):
        await Detective(app, pilot).answer_until(lambda: app.error is not None)

    app = driven(script, session("human,easy,easy"))
    assert isinstance(app.error, ValueError)
