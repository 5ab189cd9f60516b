"""The screen where a game is chosen, kept games, and what follows a game that is over."""

from __future__ import annotations

import re

import pytest
from helpers.screen_driver import (
    actions,
    beginning,
    came,
    driven,
    frame,
    playing,
    pressed,
    session,
    settled,
    shown,
    until,
)
from textual.widgets import Input, Select

from cluedo.ai.levels import LEVELS
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Roll, Stay
from cluedo.language import speak
from cluedo.session.line_up import level_labels
from cluedo.tui.play_dialogs import Confirm
from cluedo.tui.play_start import StartScreen
from cluedo.tui.replay_screen import ReplayScreen


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder of kept games of one's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "cluedo" / "games"


choosing = beginning(lambda: None)


@choosing
async def test_enter_starts_the_usual_game(app, pilot, folder):
    assert not app.screen.query("#saved")
    offered = {value: str(text) for text, value in app.screen.query_one("#kind-1", Select)._options}
    assert offered["montecarlo"] == "montecarlo: plays it out"
    assert set(offered) == {"human", "nobody", *LEVELS}
    await settled(app, pilot, "enter")
    assert app.tables[0].session.names == ["human", "easy", "medium", "medium"]
    assert app.tables[0].session.game.table.board.map.name == "classic"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_each_level_does_is_read_whole_on_80_columns(language, folder):
    async def script(app, pilot):
        for level, told in level_labels():
            app.screen.query_one("#kind-1", Select).value = level
            words = told.replace("\N{NO-BREAK SPACE}", " ")
            await until(pilot, lambda words=words: words in frame(app))

    speak(language)
    driven(script, None)


@pytest.mark.slow
@choosing
async def test_players_suspects_and_names_are_chosen(app, pilot, folder):
    start = app.screen
    start.query_one("#map", Select).value = "tiny"
    await until(pilot, lambda: [row.display for row in start.query(".seat")] == [True] * 4 + [False] * 6)
    await until(pilot, lambda: all(name in frame(app) for name in Board.load("tiny").deck.names[:4]))
    start.query_one("#kind-3", Select).value = "nobody"
    start.query_one("#kind-1", Select).value = "human"
    start.query_one("#suspect-0", Select).value = "Denim"
    name = start.query_one("#name-1", Input)
    await until(pilot, lambda: not name.disabled)
    assert start.query_one("#name-2").disabled
    start.set_focus(name)
    await pressed(pilot, *"Bob")
    await until(pilot, lambda: name.value == "Bob")
    start.query_one("#suspect-1", Select).value = "Denim"
    await pressed(pilot, "ctrl+s")
    await until(pilot, lambda: "a suspect of their own" in frame(app))
    start.query_one("#suspect-1", Select).value = "Amber"
    await pressed(pilot, "ctrl+s")
    await settled(app, pilot)
    session = app.tables[0].session
    assert session.names == ["human", "human:Bob", "medium"]
    assert session.called == ["Denim", "Amber (Bob)", "Coral"]


@pytest.mark.slow
@choosing
async def test_an_edition_brings_its_board_its_rules_and_its_players(app, pilot, folder):
    start = app.screen

    def chosen() -> list[object]:
        return [start.query_one(f"#{name}", Select).value for name in ("map", "movement")]

    start.query_one("#edition", Select).value = "master"
    await until(pilot, lambda: chosen() == ["master", "free"])
    await until(pilot, lambda: [row.display for row in start.query(".seat")] == [True] * 10)
    start.query_one("#edition", Select).value = "two"
    await until(pilot, lambda: chosen() == ["classic", "walk"])
    await pressed(pilot, "ctrl+s")
    await until(pilot, lambda: app.tables)
    session = app.tables[0].session
    assert session.names == ["human", "easy"]
    assert (session.game.table.rules.pool, session.game.table.rules.peek) == (4, True)


@pytest.mark.slow
@choosing
async def test_arrows_walk_from_choice_to_choice_and_enter_opens_one(app, pilot, folder):
    app.screen.query_one("#map").focus()
    await pressed(pilot, "down")
    assert app.focused.id == "movement"
    assert not app.focused.expanded
    await pressed(pilot, "up")
    assert app.focused.id == "map"
    seen = [one for one in app.screen.query("Select #label") if one.styles.text_style.reverse]  # without colours, too
    assert [one.parent.parent.id for one in seen] == ["map"]
    await pressed(pilot, "enter")
    await until(pilot, lambda: app.screen.query_one("#map").expanded)
    await pressed(pilot, "escape")
    await until(pilot, lambda: not app.screen.query_one("#map").expanded)
    await pressed(pilot, "escape")
    await until(pilot, lambda: not app.is_running)


def test_a_kept_game_is_offered_and_gone_on_with(folder):
    game = session()
    game.game.execute(Roll())
    game.save()

    async def script(app, pilot):
        await came(pilot, StartScreen)
        saved = app.screen.query_one("#saved", Select)
        label = next(str(text) for text, path in saved._options if path == game.autosave.path)
        assert re.match(r"\w{3} \d+ \w{3,4}, \d\d:\d\d  \w+: ", label), label
        saved.value = game.autosave.path
        await settled(app, pilot)
        assert app.tables[0].session.game.commands == [Roll()]
        assert "You rolled" in shown(app, "prompt")

    driven(script, None)


def over():
    """A game that has just ended: the person accused rightly in the first turn."""
    game = next(game for game in (session(seed=seed) for seed in range(100)) if game.game.table.first == 0)
    for command in (Stay(), Accusation(*game.game.state.deal.envelope)):
        game.game.execute(command)
    return game


@playing(game=over)
async def test_a_game_that_is_over_is_replayed_and_reviewed_by_a_key(app, pilot, folder):
    assert actions(app) == {"v": "replay and review", "r": "rematch", "n": "new game"}
    await pressed(pilot, "v")
    await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
    await until(pilot, lambda: "The cards are dealt (0 of 1)" in frame(app))
    await pressed(pilot, "r")
    await until(pilot, lambda: "Guessed in turn 1" in frame(app))
    await pressed(pilot, "r", "q")
    await until(pilot, lambda: app.screen is app.tables[0])


@playing(game=over)
async def test_a_rematch_by_a_key_has_the_same_players_and_another_seed(app, pilot, folder):
    await pressed(pilot, "r")
    await until(pilot, lambda: len(app.tables) == 2 and app.screen is app.tables[1])
    first, second = (table.session for table in app.tables)
    assert second.names == first.names
    assert second.seeds.seed != first.seeds.seed
    await came(pilot, Confirm, "q")


@playing(game=over)
async def test_another_game_is_chosen_by_a_key(app, pilot, folder):
    await came(pilot, StartScreen, "n")
    await settled(app, pilot, "enter")
    assert len(app.tables) == 2
    await came(pilot, Confirm, "q")
