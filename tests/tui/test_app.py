"""What all screens have from the application."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import partialmethod

import pytest
from helpers.recorded import played
from helpers.screen_driver import driven, frame, playing, session, settled, until
from helpers.tables import noted_game
from textual.screen import Screen

from cluedo.ai.player import USUAL_CLOCK
from cluedo.language import speak
from cluedo.session.case.case import Case
from cluedo.session.case.case_store import CaseStore
from cluedo.session.puzzle import puzzle_of
from cluedo.session.timeline import review_game
from cluedo.tui.app import CluedoApp, run_on_screen
from cluedo.tui.assist_start import AssistStart
from cluedo.tui.play_start import StartScreen
from cluedo.tui.puzzle_screen import PuzzleScreen
from cluedo.tui.replay_screen import ReplayScreen

DAY = date(2026, 11, 26)


@playing()
async def test_the_whole_screen_is_drawn_when_the_program_comes_back_to_the_foreground(app, pilot, monkeypatch):
    await settled(app, pilot)
    await pilot.pause(0.2)  # nothing is left to draw
    drawn = []
    monkeypatch.setattr(app, "_display", lambda screen, update: drawn.append(update))
    app.app_resume_signal.publish(app)
    await until(pilot, lambda: any(getattr(update, "region", None) == app.screen.region for update in drawn))


class Broken(Screen[None]):
    """A screen with a fault in it."""

    def on_mount(self):
        raise RuntimeError("this is our fault")


def test_a_fault_of_the_program_is_told_by_the_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(CluedoApp, "run", partialmethod(CluedoApp.run, headless=True))
    assert run_on_screen(Broken()).code == 1
    assert "this is our fault" in capsys.readouterr().err


def noted() -> Case:
    setting, entries = noted_game("classic", 6, 1)
    return Case(setting, entries[:4])


def replayed() -> ReplayScreen:
    return ReplayScreen(*review_game(played(), ["hard"] * 4, 0), 0)


SCREENS: dict[str, tuple[Callable[[], object], list[str]]] = {
    "replay": (replayed, ["r"]),
    "puzzle": (lambda: PuzzleScreen(puzzle_of(DAY, "classic"), DAY), ["a"]),
    "play": (session, ["m"]),
    "new game": (lambda: StartScreen(USUAL_CLOCK), ["tab"]),
    "case": (noted, ["f3", "f2"]),
    "new case": (lambda: AssistStart(CaseStore(None, "choice")), ["tab", "tab"]),
}
"""By name, how a screen begins, and keys that lead to where other keys are shown."""


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", SCREENS)
def test_the_key_to_leave_is_seen_on_80_columns(name, language):
    begin, keys = SCREENS[name]

    async def script(app, pilot):
        def leaves() -> bool:
            return re.search(r"(q|esc) (leave|quit|quitter)\b", frame(app).splitlines()[-1]) is not None

        await until(pilot, leaves)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
            await until(pilot, leaves)

    speak(language)
    driven(script, begin())
