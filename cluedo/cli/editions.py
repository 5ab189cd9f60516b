"""``cluedo editions``: lists the editions that come with the program."""

from __future__ import annotations

from cluedo.cli.terminal import Terminal
from cluedo.engine.editions import shipped_editions
from cluedo.language import tr
from cluedo.words.rule_text import rule_sentences

__all__ = ["editions"]


def editions() -> None:
    """List the editions of the game: how many play, on which map, by which rules."""
    terminal = Terminal()
    for edition in shipped_editions():
        terminal.say(edition.name, style="bold")
        terminal.say("  " + tr(edition.title))
        least, most = edition.players
        players = str(least) if least == most else tr("{low} to {high}", low=least, high=most)
        terminal.say("  " + tr("players: {players}; map: {map}", players=players, map=edition.map))
        if edition.rules_text:
            terminal.say("  " + tr("rules: {rules}", rules=edition.rules_text))
        for sentence in rule_sentences(edition.rules):
            terminal.say(f"    {sentence}")
        terminal.say()
    terminal.say(tr("--edition NAME takes its map and its rules; --map and --rule change them."))
    terminal.say(tr("An edition of your own is a TOML file with a map and rules: --edition my.toml"))
