"""Players of installed packages: entry points of group ``cluedo.players``."""

from __future__ import annotations

import os
from functools import partial
from importlib.metadata import EntryPoint

import pytest
from helpers.command_line import run
from helpers.programs import told_by_python

from cluedo.ai import levels
from cluedo.ai.level_easy import EasyPlayer
from cluedo.bots import naming
from cluedo.engine.errors import PlayerError

PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "zoe-players"
version = "1.5"

[project.entry-points."cluedo.players"]
zoe = "zoe_players:Zoe"

[tool.setuptools]
py-modules = ["zoe_players"]
"""

MODULE = '''
from cluedo.ai.level_easy import EasyPlayer

class Zoe(EasyPlayer):
    """Plays like easy."""

    def __init__(self, *, mood: str = "good"):
        self.mood = mood
'''


@pytest.fixture
def offered(monkeypatch):
    """Entry points as if packages with them were installed."""
    entries = [
        EntryPoint("zoe", "cluedo.ai.level_easy:EasyPlayer", levels.GROUP),
        EntryPoint("hard", "cluedo.ai.level_easy:EasyPlayer", levels.GROUP),
        EntryPoint("text", "cluedo.ai.levels:LEVELS", levels.GROUP),
        EntryPoint("gone", "no_such_module:Bot", levels.GROUP),
    ]
    monkeypatch.setattr(levels, "entry_points", lambda group: entries)
    levels.installed_players.cache_clear()
    yield
    levels.installed_players.cache_clear()


def test_a_package_offers_players_by_name(offered):
    for player in (naming.any_player("zoe", trusted=True), levels.parse_player("zoe")):
        assert player.player_class is EasyPlayer
    assert naming.is_foreign("zoe")
    assert naming.any_player("hard").player_class is not EasyPlayer, "a level's name is its own"
    assert not naming.is_foreign("hard")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("hard:x=1", "level"), (" easy", "level"), ("zoe:x=1", "package"), ("zo", "unknown"), ("exec", "unknown")),
        *(("a/b.py:Bot:x=1", "file"), ("hard.py:Bot", "file"), ("exec:./x.py:Bot", "program")),
        *(("speedclue:./bot", "program"), ("llm:hard", "model")),
    ],
)
def test_every_text_of_a_player_is_of_one_kind(offered, text, kind):
    assert naming.kind_of(text) == kind


@pytest.mark.parametrize(("text", "told"), [("text", "no subclass"), ("gone", "No module named"), ("zoo", "no level")])
def test_what_is_no_player_is_told_in_a_sentence(offered, text, told):
    with pytest.raises(PlayerError, match=told):
        naming.any_player(text, trusted=True)


@pytest.mark.parametrize("text", ["zoe", "bot.py:Bot"])
def test_where_no_process_can_be_started_for_a_bot_it_has_to_be_trusted(offered, monkeypatch, text):
    monkeypatch.delattr(os, "fork", raising=False)
    with pytest.raises(PlayerError, match=f"{text}: .* with --trusted .* it runs in the process of the games"):
        naming.read_line_up(["easy", text])
    assert naming.any_player("zoe", trusted=True)


def test_the_levels_are_listed_with_those_of_packages(offered):
    told = "zoe\n  From an installed package: cluedo.ai.level_easy:EasyPlayer.\n"
    assert told in run("levels")
    assert run("levels", "zoe") == told


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="programs as players need a Unix")
def test_a_package_built_as_a_wheel_is_installed_listed_and_played(tmp_path):
    source, site = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    (source / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (source / "zoe_players.py").write_text(MODULE, encoding="utf-8")

    run_there = partial(told_by_python, "-m", folder=tmp_path, PYTHONPATH=str(site))
    run_there("pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, source)
    (wheel,) = tmp_path.glob("*.whl")
    run_there("pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, wheel)
    assert "zoe-players 1.5, zoe_players:Zoe" in run_there("cluedo", "levels")
    line_up = ["--players", "zoe,zoe:mood=bad,easy", "--map", "tiny", "--games", "3", "--workers", "1"]
    run_there("cluedo", "autoplay", *line_up, "--out", "here", "--trusted")
    run_there("cluedo", "autoplay", *line_up, "--out", "there")
    games = [(tmp_path / out / "games.jsonl").read_text(encoding="utf-8") for out in ("here", "there")]
    assert games[0] == games[1]
    assert '"zoe:mood=bad"' in games[0]
    assert '"version": "1.5"' in (tmp_path / "here" / "manifest.json").read_text(encoding="utf-8")
