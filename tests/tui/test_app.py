"""What all screens have from the application."""

from __future__ import annotations

from helpers.screen_driver import playing, until


@playing()
async def test_the_whole_screen_is_drawn_when_the_program_comes_back_to_the_foreground(app, pilot, monkeypatch):
    await pilot.pause(0.2)  # nothing is left to draw
    drawn = []
    monkeypatch.setattr(app, "_display", lambda screen, update: drawn.append(update))
    app.app_resume_signal.publish(app)
    await until(pilot, lambda: any(getattr(update, "region", None) == app.screen.region for update in drawn), 10)
