"""``cluedo replay`` on the whole screen: by pilot, in a real terminal, and what it may not show."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers.cases import some
from helpers.recorded import deck_game, played, record_of, too_many, twins
from helpers.screen_driver import frame, until
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from cluedo.ai.knowledge import CHOICE
from cluedo.ai.knowledge.history import uncertainty
from cluedo.ai.review import review
from cluedo.engine.events import Moved, PassageTaken, Stayed, TurnEnded
from cluedo.engine.game import Game
from cluedo.engine.record_files import read_record
from cluedo.language import speak
from cluedo.session.review_text import summary
from cluedo.session.timeline import Timeline, review_game
from cluedo.tui.app import CluedoApp
from cluedo.tui.board_view import BoardView
from cluedo.tui.replay_screen import BitsBar, ReplayScreen
from cluedo.tui.sheet_view import SheetView
from cluedo.tui.table_panes import LogView

PLAYERS = ["hard", "expert", "medium", "hard"]


def app_of(game: Game, eyes: int | None = None, turn: int = 0) -> CluedoApp:
    players = PLAYERS[: game.table.seats]
    return CluedoApp(ReplayScreen(*review_game(game, players, eyes), turn))


def pilot(app: CluedoApp, act: Callable[[Pilot[int]], Awaitable[None]], size: tuple[int, int] = (130, 45)) -> None:
    """Let ``act`` use the app."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(pilot)

    asyncio.run(run())


def screen_of(app: CluedoApp) -> ReplayScreen:
    screen = app.screen_stack[1]
    assert isinstance(screen, ReplayScreen)
    return screen


def position(game: Game, turn: int) -> Game:
    part = Game(game.table.board, game.table.rules, game.state.deal)
    for command in game.commands:
        if part.state.turn > turn:
            break
        part.execute(command)
    return part


def check(app: CluedoApp, game: Game, turn: int, view: int | None = None) -> None:
    """Board, bars and log are those of a turn."""
    screen = screen_of(app)
    assert (screen.turn, screen.view) == (turn, view)
    pieces = screen.query_one(BoardView).pieces
    state = position(game, turn).state
    assert (pieces.pawns, pieces.weapons) == (state.pawns, state.weapons)
    row = uncertainty(game, CHOICE)[turn]
    bits = [bar.bits for bar in screen.query_one(BitsBar).bars]
    assert bits == pytest.approx(row if view is None else [row[view]], abs=1e-6)
    log = screen.query_one(LogView)
    assert log.highlighted is not None
    assert log.lines[log.highlighted].turn == turn
    assert log.highlighted == 0 or log.lines[log.highlighted - 1].turn == turn - 1


# ---- by keys, mouse and clock ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (130, 45)])
def test_keys_step_and_jump(size):
    game = played()
    app, last = app_of(game), game.state.turn

    async def act(pilot: Pilot[int]) -> None:
        check(app, game, 0)
        turn = 0
        for key, then in [
            ("right", 1), ("n", 2), ("left", 1), ("p", 0), ("left", 0), ("pagedown", 5), ("right", 6), ("pageup", 1),
            ("end", last), ("right", last), ("left", last - 1), ("home", 0),
        ]:  # fmt: skip
            await pilot.press(key)
            check(app, game, then)
            turn = then
        assert turn == 0
        await pilot.press("j", "9", "9", "enter")
        assert f"from 0 to {last}" in frame(app)
        await pilot.press("backspace", "enter")
        check(app, game, 9)
        await pilot.press("j", "escape")
        check(app, game, 9)

    pilot(app, act, size)


@pytest.mark.slow
def test_a_line_of_the_log_leads_to_its_turn():
    game = played()
    app = app_of(game)

    async def act(pilot: Pilot[int]) -> None:
        log = screen_of(app).query_one(LogView)
        wanted = next(number for number, line in enumerate(log.lines) if line.turn == 6)
        log.focus()
        log.highlighted = wanted + 1
        await pilot.press("enter")
        check(app, game, 6)

    pilot(app, act)


@pytest.mark.slow
def test_what_stands_below_can_be_clicked():
    game = played()
    app = app_of(game)

    async def act(pilot: Pilot[int]) -> None:
        screen = screen_of(app)
        await until(pilot, lambda: any(key.region for key in screen.query(FooterKey)))
        for name, turn in (("forward", 1), ("forward", 2), ("back", 1)):
            [key] = [key for key in screen.query(FooterKey) if key.description == name]
            await pilot.click(key)
            await until(pilot, lambda turn=turn: screen.turn == turn)

    pilot(app, act)


@pytest.mark.slow
def test_it_plays_and_pauses_and_stops_at_the_end():
    game = played()
    app = app_of(game, turn=game.state.turn - 2)

    async def act(pilot: Pilot[int]) -> None:
        await pilot.press("minus", "space")  # slow enough for any machine to pause it in time
        await until(pilot, lambda: "playing" in frame(app))
        await pilot.press("space")
        await until(pilot, lambda: "playing" not in frame(app))
        here = screen_of(app).turn
        assert here < game.state.turn
        await pilot.pause(0.4)
        screen_of(app)._tick()  # one that was on its way
        assert screen_of(app).turn == here
        await pilot.press("plus", "plus", "plus", "space")
        await until(pilot, lambda: screen_of(app).turn == game.state.turn and "playing" not in frame(app))
        check(app, game, game.state.turn)
        assert "speed 5×" in frame(app)
        await pilot.press("plus", "space")
        assert screen_of(app).turn == 0, "it begins again"
        assert "speed 0.5×" in frame(app)

    pilot(app, act)


@pytest.mark.slow
def test_eyes_go_round_the_table_and_each_has_its_sheet_and_review():
    game = played()
    app = app_of(game, turn=12)

    async def act(pilot: Pilot[int]) -> None:
        assert "Turning point" in "".join(app._opening._reviews[None])
        signs = {cell.text for cell in screen_of(app).query_one(SheetView).cells.values()}
        assert signs == {"✓", "✗"}
        for seat in range(4):
            await pilot.press("e")
            check(app, game, 12, seat)
            await pilot.press("r")
            shown = frame(app)
            assert f"view: {game.table.name(seat)}" in shown
            assert summary(review(game, seat), game.table)[0][:30] in re.sub(r"\s+", " ", shown)
        await pilot.press("e")
        check(app, game, 12)

    pilot(app, act, (200, 60))


@pytest.mark.slow
def test_where_there_is_room_for_one_thing_the_keys_choose_it():
    game = played()
    app = app_of(game, turn=3)

    async def act(pilot: Pilot[int]) -> None:
        screen = screen_of(app)
        sheet, side = screen.query_one("#known"), screen.query_one("#side")
        assert (sheet.display, side.display) == (True, False)
        assert "rolls" in frame(app) or "stays" in frame(app), "what happened is told below"
        await pilot.press("l")
        assert (sheet.display, side.display) == (False, True)
        await pilot.press("r")
        assert "Turning point" in frame(app)
        await pilot.press("m")
        assert (sheet.display, side.display) == (True, False)

    pilot(app, act, (80, 24))


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+q", 0), ("ctrl+c", 130)])
def test_leaving(key, code):
    app = app_of(played())

    async def act(pilot: Pilot[int]) -> None:
        await pilot.press(key)

    pilot(app, act)
    assert (app.return_value or 0) == code


@pytest.mark.slow
def test_a_deck_without_a_board_and_a_game_of_no_turns(tmp_path):
    game = read_record(deck_game(tmp_path)).replay()
    app = app_of(game)

    async def act(pilot: Pilot[int]) -> None:
        await pilot.press("end")
        check(app, game, game.state.turn)

    pilot(app, act)
    nothing = Game(game.table.board, game.table.rules, game.state.deal)
    short = app_of(nothing)

    async def look(pilot: Pilot[int]) -> None:
        await pilot.press("right", "end", "space", "left")
        check(short, nothing, 0)

    pilot(short, look)


@pytest.mark.slow
def test_where_nothing_could_be_counted_the_bars_say_so(monkeypatch):
    game = played()
    too_many(monkeypatch)
    app = CluedoApp(ReplayScreen(*review_game(game, PLAYERS), 0))

    async def act(pilot: Pilot[int]) -> None:
        await pilot.press("right", "e")
        assert "?" in frame(app)
        assert screen_of(app).query_one(SheetView).cells == {}

    pilot(app, act)


def test_in_french():
    try:
        speak("fr")
        app = app_of(played(), turn=4)

        async def act(pilot: Pilot[int]) -> None:
            text = frame(app)
            assert "vue : " in text
            assert "4 sur" in text
            assert not re.search(r"\b(turn|of|seen|speed|leave|review|sheet)\b", text, re.IGNORECASE)

        pilot(app, act)
    finally:
        speak("en")


def test_a_pawn_leaves_a_trail_where_it_walked_and_none_where_it_did_not():
    game = played()
    timeline, walked = Timeline(game, PLAYERS), {True: 0, False: 0}
    moves = [[] for _ in range(timeline.turns + 1)]
    turn = 1
    for event in game.events:
        moves[turn].append(event) if isinstance(event, Moved | PassageTaken | Stayed) else None
        turn += isinstance(event, TurnEnded)
    for turn in range(1, timeline.turns + 1):
        event, walk = moves[turn][0], timeline.positions[turn].walk
        before = timeline.positions[turn - 1].pawns[game.table.suspects[event.seat]]
        assert walk == ((before, event.to) if isinstance(event, Moved) else None)
        walked[walk is not None] += 1
    assert all(walked.values())


# ---- secrets -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seat", some(range(4), 2))
def test_one_seat_sees_the_same_in_every_deal_that_it_cannot_tell_apart(seat):
    game, others = twins(seat, wanted=1)

    def frames(one: Game) -> list[str]:
        app, texts = app_of(one, seat), []

        async def act(pilot: Pilot[int]) -> None:
            for key in ("l", "r", "e"):
                await pilot.press(key)
                texts.append(frame(app))
            for turn in range(one.state.turn):
                screen_of(app).action_go(turn)
                await pilot.pause()
                texts.append(frame(app))

        pilot(app, act, (120, 40))
        return texts

    seen = [frames(one) for one in [game, *others]]
    assert len(seen) == 2
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > game.state.turn / 2


def test_a_timeline_for_one_seat_holds_no_other():
    game = played()
    timeline = Timeline(game, PLAYERS, 2)
    assert timeline.views == (2,)
    assert timeline.deal is None
    for other in (0, 1, 3):
        with pytest.raises(KeyError):
            timeline.known(other, 0)
    with pytest.raises(KeyError):
        timeline.log(None)


# ---- in a terminal -----------------------------------------------------------------------------

TMUX = shutil.which("tmux")


@contextmanager
def terminal(command: str, columns: int = 100, lines: int = 30, **environment: str) -> Iterator[Callable[..., str]]:
    """A command in a terminal of its own: the function given presses keys, and returns what is shown then."""
    assert TMUX is not None
    server = [TMUX, "-L", f"cluedo-{os.getpid()}-{time.monotonic_ns()}", "-f", "/dev/null"]
    settings = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
    told = " ".join(f"{name}='{value}'" for name, value in settings.items())
    size = ["-x", str(columns), "-y", str(lines)]
    # Readline, where a test before has loaded it, puts a size of its own into the environment.
    line = f"env -u COLUMNS -u LINES {told} {command}; echo END $?; sleep 60"
    subprocess.run([*server, "new-session", "-d", *size, line], check=True)

    def press(*keys: str, until: str, seconds: float = 120.0) -> str:
        if keys:
            subprocess.run([*server, "send-keys", *keys], check=True)
        ends = time.monotonic() + seconds
        while True:
            shown = subprocess.run([*server, "capture-pane", "-p"], check=True, capture_output=True, text=True).stdout
            if until in shown:
                return shown
            assert time.monotonic() < ends, shown
            time.sleep(0.1)

    try:
        yield press
    finally:
        subprocess.run([*server, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return record_of(played(), tmp_path / "game.jsonl")


@pytest.mark.slow
@pytest.mark.skipif(TMUX is None, reason="no tmux is installed")
def test_in_a_real_terminal_it_opens_steps_and_leaves_no_trace(record):
    game = played()
    with terminal(f"{sys.executable} -m cluedo replay {record} --to 2") as press:
        assert "view: All cards face up" in press(until=f"(2 of {game.state.turn})")
        press("Right", until=f"(3 of {game.state.turn})")
        press("e", until=f"view: {game.table.name(0)}")
        press("End", until=f"({game.state.turn} of {game.state.turn})")
        left = press("q", until="END 0")
        assert "view: " not in left


@pytest.mark.slow
@pytest.mark.skipif(TMUX is None, reason="no tmux is installed")
@pytest.mark.parametrize(
    ("options", "size", "environment"),
    [
        ("--plain", (100, 40), {}),
        ("", (79, 40), {}),
        ("", (100, 23), {}),
        ("", (100, 40), {"NO_COLOR": "1"}),
        ("", (100, 40), {"TERM": "dumb"}),
    ],
)
def test_where_there_is_no_room_or_no_wish_for_it_there_is_text(record, options, size, environment):
    with terminal(f"{sys.executable} -m cluedo replay {record} --to 1 {options}", *size, **environment) as press:
        assert "the game goes on." in press(until="END 0")
