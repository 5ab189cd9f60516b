"""What ``cluedo replay`` writes into files: a page for a browser, an animation, a picture."""

from __future__ import annotations

from pathlib import Path

from cluedo.cli.terminal import Terminal
from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord
from cluedo.experiments.draw.animation import Frame, animation, still
from cluedo.language import tr
from cluedo.session.files import ANIMATION, PICTURE, REPLAY_PAGE, check_replaceable, write_bytes
from cluedo.words.narration import Story

__all__ = ["Exports"]

_MOST_FRAMES = 400
"""Of an animation: more take long to draw, and nobody watches them."""


class Exports:
    """The requested files; that they can be written is checked first.

    Args:
        html, gif, png: where each shall be written, or None.

    Raises:
        CluedoError: one cannot be written there, or would overwrite something else.
    """

    def __init__(self, html: Path | None, gif: Path | None, png: Path | None):
        self._html, self._gif, self._png = html, gif, png
        for path, kind in ((html, REPLAY_PAGE), (gif, ANIMATION), (png, PICTURE)):
            if path is not None:
                check_replaceable(path, kind)

    def __bool__(self) -> bool:
        return any(path is not None for path in (self._html, self._gif, self._png))

    def write(self, terminal: Terminal, record: GameRecord, game: Game, viewer: int | None) -> None:
        """Write them all, and say so; ``viewer`` is the seat that they may be shown to, or None for anybody."""
        if (self._gif or self._png) and not game.table.board.has_grid:
            raise CluedoError(
                "the map {name} has no board to draw; a page (--html) can be made of it", name=game.table.board.source
            )
        frames = _frames(game, viewer) if self._gif or self._png else []
        if self._gif and len(frames) > _MOST_FRAMES:
            raise CluedoError(
                "an animation of {turns} turns would be too long (at most {most}); --to takes the first ones",
                turns=len(frames) - 1,
                most=_MOST_FRAMES - 1,
            )
        if self._html is not None:
            from cluedo.cli.compiling import tell_compiling  # the detective and Jinja are slow to import
            from cluedo.web.replay_page import replay_page

            with tell_compiling():
                page = replay_page(record, game, viewer)
            _write(terminal, self._html, page.encode())
        if self._gif is not None:
            _write(terminal, self._gif, animation(game.table.board, frames))
        if self._png is not None:
            _write(terminal, self._png, still(game.table.board, frames[-1]))


def _write(terminal: Terminal, path: Path, data: bytes) -> None:
    write_bytes(path, data)
    terminal.say(tr("Written: {path} ({size:,} kB).", path=path, size=max(round(len(data) / 1000), 1)))


def _frames(game: Game, viewer: int | None) -> list[Frame]:
    """The deal, and the end of every turn that something happened in, with what happened in it."""
    from cluedo.session.timeline import snapshots  # it brings the detective, which is slow to import

    table = game.table
    story = Story(table, viewer)
    told: dict[int, list[str]] = {}
    for sentence in story.sentences(game.events):
        told.setdefault(sentence.turn, []).append(sentence.text)
    title = table.board.title
    frames = [
        Frame(table.board.starts, table.board.weapon_starts, title, tr("{who} begins.", who=table.name(table.first)))
    ]
    for turn, snapshot in enumerate(snapshots(game)[1:], start=1):
        assert snapshot.who is not None
        heading = tr("Turn {turn}: {who}", turn=turn, who=table.name(snapshot.who))
        frames.append(Frame(snapshot.pawns, snapshot.weapons, heading, " ".join(told[turn])))
    if game.result is not None:
        last = frames[-1]
        frames[-1] = last._replace(caption=f"{last.caption} {story.ending(game.result)}")
    return frames
