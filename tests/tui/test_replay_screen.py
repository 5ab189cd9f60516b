"""``cluedo replay`` on the whole screen: by pilot, in a real terminal, and what it may not show."""

from __future__ import annotations

import re
import sys
from functools import cache, partial
from pathlib import Path

import pytest
from helpers.cases import some
from helpers.other_deals import cut
from helpers.recorded import deck_game, envelopes_left, played, record_of, too_many, twins
from helpers.screen_driver import as_test, driven, frame, lines_alone, pressed, shown, still, until
from helpers.tmux_pane import needs_tmux
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from cluedo.ai.review import review
from cluedo.engine.events import Moved, PassageTaken, Stayed, TurnEnded
from cluedo.engine.game import Game
from cluedo.engine.record import read_record
from cluedo.language import speak
from cluedo.session.review_text import summary
from cluedo.session.timeline import Timeline, review_game
from cluedo.tui.app import CluedoApp
from cluedo.tui.board_view import BoardView
from cluedo.tui.replay_screen import Bar, EnvelopesBar, ReplayScreen
from cluedo.tui.sheet_view import SheetView
from cluedo.tui.table_panes import LogView

PLAYERS = ["hard", "expert", "medium", "hard"]


def replay_of(game: Game, viewer: int | None = None, turn: int = 0) -> ReplayScreen:
    return ReplayScreen(*replayed(game, viewer), turn)


@cache
def replayed(game: Game, viewer: int | None):
    """What is told of a game, worked out once."""
    return review_game(game, PLAYERS[: game.table.seats], viewer)


def screen_of(app: CluedoApp) -> ReplayScreen:
    screen = app.screen_stack[1]
    assert isinstance(screen, ReplayScreen)
    return screen


def check(app: CluedoApp, game: Game, turn: int, view: int | None = None) -> None:
    """Board, bars and log are those of a turn."""
    screen = screen_of(app)
    assert (screen.turn, screen.view) == (turn, view)
    look = screen.query_one(BoardView).look
    state = cut(game, turn).state
    assert (look.pawns, look.weapons) == (state.pawns, state.weapons)
    seats = range(game.table.seats) if view is None else [view]
    left = [bar.envelopes for bar in screen.query_one(EnvelopesBar).bars]
    assert left == [envelopes_left(game, turn, seat) for seat in seats]
    log = screen.query_one(LogView)
    assert log.highlighted is not None
    assert log.lines[log.highlighted].turn == turn
    assert log.highlighted == 0 or log.lines[log.highlighted - 1].turn == turn - 1


def replaying(turn=0, size=(130, 45)):
    """Decorate what is done with a game, the app that replays it from a turn on, and its pilot: a test."""

    def run(act):
        game = played()
        driven(partial(act, game), replay_of(game, turn=turn() if callable(turn) else turn), size=size)

    return lambda act: as_test(act, 3, run)


# ---- by keys, mouse and clock ------------------------------------------------------------------


@pytest.mark.slow
@replaying(size=(80, 24))
async def test_keys_step_and_jump(game, app, pilot):
    last = game.state.turn
    check(app, game, 0)
    for key, then in [
        ("right", 1), ("n", 2), ("left", 1), ("p", 0), ("left", 0), ("pagedown", 5), ("right", 6), ("pageup", 1),
        ("end", last), ("right", last), ("left", last - 1), ("home", 0),
    ]:  # fmt: skip
        await pressed(pilot, key)
        check(app, game, then)
    await pressed(pilot, "j", "9", "9", "enter")
    await until(pilot, lambda: f"from 0 to {last}" in frame(app))
    await pressed(pilot, "backspace", "enter")
    check(app, game, 9)
    await pressed(pilot, "j", "escape")
    check(app, game, 9)


@pytest.mark.slow
@replaying(turn=lambda: played().state.turn, size=(80, 24))
async def test_what_ends_the_game_is_told_where_there_is_little_room(game, app, pilot):
    ending = screen_of(app).query_one(LogView).lines[-1].text
    assert ending.endswith(f"wins after {game.state.turn} turns.")
    assert ending in " ".join((await still(app, pilot)).split())


@pytest.mark.slow
@replaying()
async def test_a_line_of_the_log_leads_to_its_turn(game, app, pilot):
    log = screen_of(app).query_one(LogView)
    wanted = next(number for number, line in enumerate(log.lines) if line.turn == 6)
    log.focus()
    log.highlighted = wanted + 1
    await pressed(pilot, "enter")
    check(app, game, 6)


@pytest.mark.slow
@replaying()
async def test_what_stands_below_can_be_clicked(game, app, pilot):
    screen = screen_of(app)
    await until(pilot, lambda: any(key.region for key in screen.query(FooterKey)))
    for name, turn in (("forward", 1), ("forward", 2), ("back", 1)):
        [key] = [key for key in screen.query(FooterKey) if key.description == name]
        await pilot.click(key)
        await until(pilot, lambda turn=turn: screen.turn == turn)


@pytest.mark.slow
@replaying(turn=lambda: played().state.turn - 12)
async def test_it_plays_and_pauses_and_stops_at_the_end(game, app, pilot):
    await pressed(pilot, "minus", "space")  # slow enough for any machine to pause it in time
    await until(pilot, lambda: shown(app, "status").startswith("▶"))
    await pressed(pilot, "space")
    await until(pilot, lambda: not shown(app, "status").startswith("▶"))
    here = screen_of(app).turn
    assert here < game.state.turn
    await pilot.pause(0.4)
    screen_of(app)._tick()  # one that was on its way
    assert screen_of(app).turn == here
    await pressed(pilot, "plus", "plus", "plus", "space")
    await until(pilot, lambda: screen_of(app).turn == game.state.turn and not shown(app, "status").startswith("▶"))
    check(app, game, game.state.turn)
    await until(pilot, lambda: "speed 5×" in frame(app))
    await pressed(pilot, "plus", "space")
    assert screen_of(app).turn < game.state.turn, "it begins again"
    await until(pilot, lambda: "speed 0.5×" in frame(app))


@pytest.mark.slow
@replaying(turn=12, size=(200, 60))
async def test_views_go_round_the_table_and_each_has_its_sheet_and_review(game, app, pilot):
    assert "Turning point" in "".join(app._opening._reviews[None])
    signs = {cell.text for cell in screen_of(app).query_one(SheetView).cells.values()}
    assert signs == {"✓", "✗"}
    for seat in range(4):
        await pressed(pilot, "v")
        check(app, game, 12, seat)
        await pressed(pilot, "r")
        await until(pilot, lambda seat=seat: f"view: {game.table.name(seat)}" in frame(app))
        told = next(summary(review(game, seat), game.table))[:30]
        await until(pilot, lambda told=told: told in re.sub(r"\s+", " ", frame(app)))
    await pressed(pilot, "v")
    check(app, game, 12)


@pytest.mark.slow
@replaying(turn=3, size=(80, 24))
async def test_where_there_is_room_for_one_thing_the_keys_choose_it(game, app, pilot):
    screen = screen_of(app)
    sheet, side = screen.query_one("#known"), screen.query_one("#side")
    assert (sheet.display, side.display) == (True, False)
    await until(pilot, lambda: re.search("rolls|stays", frame(app)) is not None)  # what happened is told below
    await pressed(pilot, "l")
    assert (sheet.display, side.display) == (False, True)
    await pressed(pilot, "r")
    await until(pilot, lambda: "Turning point" in frame(app))
    await pressed(pilot, "m")
    assert (sheet.display, side.display) == (True, False)


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+q", 0), ("ctrl+c", 130)])
def test_leaving(key, code):
    app = driven(lambda _, pilot: pressed(pilot, key), replay_of(played()))
    assert (app.return_code or 0) == code


@pytest.mark.slow
def test_a_deck_without_a_board_and_a_game_of_no_turns(tmp_path):
    game = read_record(deck_game(tmp_path)).replay()
    nothing = Game(game.table.board, game.table.rules, game.state.deal)

    async def act(app: CluedoApp, pilot: Pilot[int]) -> None:
        await pressed(pilot, "end")
        check(app, game, game.state.turn)

    async def look(app: CluedoApp, pilot: Pilot[int]) -> None:
        await pressed(pilot, "right", "end", "space", "left")
        check(app, nothing, 0)

    driven(act, replay_of(game))
    driven(look, replay_of(nothing))


def test_where_nothing_could_be_counted_the_bars_say_so(monkeypatch):
    game = played()
    too_many(monkeypatch)

    async def act(app: CluedoApp, pilot: Pilot[int]) -> None:
        await pressed(pilot, "right", "v")
        await until(pilot, lambda: "?" in frame(app))
        assert screen_of(app).query_one(SheetView).cells == {}

    driven(act, ReplayScreen(*review_game(game, PLAYERS), 0))


def test_in_french():
    speak("fr")

    async def act(app: CluedoApp, pilot: Pilot[int]) -> None:
        text = await still(app, pilot)
        assert "vue : " in text
        assert "4 sur" in text
        assert not re.search(r"\b(turn|of|seen|speed|leave|review|sheet)\b", text, re.IGNORECASE)

    driven(act, ReplayScreen(*review_game(played(), PLAYERS), 4), size=(130, 45))


def test_a_pawn_leaves_a_trail_where_it_walked_and_none_where_it_did_not():
    game = played()
    timeline, walked = Timeline(game, PLAYERS), {True: 0, False: 0}
    moves = [[] for _ in range(timeline.turns + 1)]
    turn = 1
    for event in game.events:
        moves[turn].append(event) if isinstance(event, Moved | PassageTaken | Stayed) else None
        turn += isinstance(event, TurnEnded)
    for turn in range(1, timeline.turns + 1):
        event, walk = moves[turn][0], timeline.snapshots[turn].walk
        before = timeline.snapshots[turn - 1].pawns[game.table.suspects[event.seat]]
        assert (walk and walk[:2]) == ((before, event.to) if isinstance(event, Moved) else None)
        walked[walk is not None] += 1
    assert all(walked.values())


# ---- secrets -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seat", some(range(4), 2))
def test_one_seat_sees_the_same_in_every_deal_that_it_cannot_tell_apart(seat):
    game, others = twins(seat, wanted=1)

    def frames(one: Game) -> list[str]:
        texts = []

        async def act(app: CluedoApp, pilot: Pilot[int]) -> None:
            for key in ("l", "r", "v"):
                await pressed(pilot, key)
                texts.append(await still(app, pilot))
            for turn in range(0, one.state.turn, 3):  # every turn is compared where the page is tested
                screen_of(app).action_go(turn)
                texts.append(await still(app, pilot))

        driven(act, replay_of(one, seat), size=(120, 40))
        return texts

    seen = [frames(one) for one in [game, *others]]
    assert len(seen) == 2
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > game.state.turn / 6


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


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return record_of(played(), tmp_path / "game.jsonl")


REPLAY = f"{sys.executable} -m cluedo replay game.jsonl"


@needs_tmux
@pytest.mark.slow
@pytest.mark.parametrize("pane", [(100, 30, f"{REPLAY} --to 2; echo END $?")], indirect=True, ids=[""])
def test_in_a_real_terminal_it_opens_steps_and_leaves_no_trace(record, pane):
    game = played()
    assert "view: All cards face up" in pane.wait_for(f"(2 of {game.state.turn})")
    pane.press("Right")
    pane.wait_for(f"(3 of {game.state.turn})")
    pane.press("v")
    pane.wait_for(f"view: {game.table.name(0)}")
    pane.press("End")
    pane.wait_for(f"({game.state.turn} of {game.state.turn})")
    pane.press("q")
    assert "view: " not in pane.wait_for("END 0")


@needs_tmux
@pytest.mark.slow
@pytest.mark.parametrize(
    "pane",
    [(100, 40, f"{REPLAY} --to 1 --plain; echo END $?"), (79, 40, f"{REPLAY} --to 1; echo END $?")],
    indirect=True,
)
def test_where_there_is_no_room_or_no_wish_for_it_there_is_text(record, pane):
    assert "the game goes on." in pane.wait_for("END 0")


def test_bars_are_longer_where_more_envelopes_are_left():
    bars = EnvelopesBar(324)
    bars.show([Bar(f"P{k}", "", left) for k, left in enumerate((324, 18, 1, None))])
    full, half, none, unknown = lines_alone(bars, (60, 30))[:4]
    assert full.count("█") == 2 * half.count("█")
    assert "█" not in none
    assert "18 left" in half
    assert "?" in unknown
