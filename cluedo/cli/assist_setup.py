"""The table of a new case, asked for line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cluedo.ai.knowledge.caselog import Setting
from cluedo.cli.asking import ask_until
from cluedo.cli.terminal import Terminal
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.language import tr
from cluedo.session.case.setup import checked, read_hand, read_players
from cluedo.session.case.vocabulary import named
from cluedo.session.default_map import default_map
from cluedo.session.narration import and_join

__all__ = ["ask_setting"]


def ask_setting(terminal: Terminal, source: str | None, *, free: bool) -> Setting:
    """Ask for all that is needed, again where it is wrong; raises Left where the input ends."""
    if source is None:
        known = ", ".join(map_names())
        prompt = tr("Board or deck ({known}, or a file)? [{default}]", known=known, default=default_map())
        board = ask_until(terminal, prompt, lambda text: Board.load(text or default_map()))
    else:
        board = Board.load(source)
    seated = ask_until(terminal, tr("Players, in turn order, separated by commas?"), lambda text: _seated(text, board))
    names = [name for name, _ in seated]
    if seated[0][1] is None and (board.deck.size - 3) % len(seated):
        prompt = tr("How many cards does each hold ({count} in all), in that order?", count=board.deck.size - 3)
        seated = ask_until(terminal, prompt, lambda text: _with_sizes(text, names, board))
    me = ask_until(terminal, tr("Which of them are you? (Enter: a spectator)"), lambda text: _me(text, names))
    if me is None:
        return Setting.make(board, seated, free=free)
    return ask_until(
        terminal,
        tr("Your cards?"),
        lambda text: Setting.make(board, seated, me, read_hand(text, board), free=free),
    )


def _seated(text: str, board: Board) -> list[tuple[str, int | None]]:
    """Players that can sit at a table; whether their hand sizes add up is checked, too, if they are told."""
    seated = read_players(text)
    told = [cards for _, cards in seated if cards is not None]
    sizes = seated if len(told) == len(seated) else _even([name for name, _ in seated], board)
    checked(Setting.make(board, sizes))
    return seated if len(told) == len(seated) else [(name, None) for name, _ in seated]


def _even(names: Sequence[str], board: Board) -> list[tuple[str, int | None]]:
    """Any sizes that add up, to check all else."""
    each, more = divmod(board.deck.size - 3, len(names))
    return [(name, each + (seat < more)) for seat, name in enumerate(names)]


def _with_sizes(text: str, names: Sequence[str], board: Board) -> list[tuple[str, int | None]]:
    sizes = re.findall(r"\d+", text)
    if len(sizes) != len(names) or any(len(size) > 4 for size in sizes):
        raise CluedoError("{count} numbers are needed, for {names}", count=len(names), names=and_join(names))
    seated: list[tuple[str, int | None]] = [(name, int(size)) for name, size in zip(names, sizes, strict=True)]
    Setting.make(board, seated)
    return seated


def _me(text: str, names: Sequence[str]) -> str | None:
    return names[named(text, names)] if text else None
