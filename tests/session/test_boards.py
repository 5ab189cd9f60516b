"""The board where none is named: it speaks the language spoken, but that batches have one in every language."""

from __future__ import annotations

import json

import pytest
from helpers.command_line import run
from helpers.screen_driver import driven
from textual.widgets import Select

from cluedo.language import speak
from cluedo.session.boards import default_map

OF_LANGUAGES = [("en", "classic", "Classic mansion"), ("fr", "manoir", "Le manoir")]


def first_line(*arguments: str) -> str:
    return run(*arguments, typed="quit\n").splitlines()[0]


@pytest.mark.parametrize(("language", "name", "title"), OF_LANGUAGES)
def test_the_default_board_speaks_the_language(language, name, title):
    speak(language)
    assert default_map() == name
    assert title in first_line("maps", "show", "--lang", language)
    for seed in ((), ("--seed", "1")):
        assert title in first_line("play", "--players", "human,easy,easy", "--plain", "--lang", language, *seed)
    assert f"[{name}]" in run("assist", "--plain", "--lang", language, typed="\n\nAnn,Bob,Cy\n\nquit\n")


def test_a_language_without_a_board_of_its_own_has_the_english_one(monkeypatch):
    monkeypatch.setattr("cluedo.session.boards.current", lambda: "de")
    assert default_map() == "classic"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_batch_has_the_same_board_in_every_language(language):
    played = "autoplay", "--players", "random,random,random", "--games", "3", "--workers", "1", "--json"
    assert json.loads(run(*played, "--lang", language))["map"] == "manoir"


@pytest.mark.parametrize(("language", "name", "title"), OF_LANGUAGES)
def test_the_start_of_a_game_on_the_screen_offers_that_board(language, name, title):
    speak(language)

    async def script(app, pilot):
        await pilot.pause()
        assert app.screen.query_one("#map", Select).value == name

    driven(script, None)
