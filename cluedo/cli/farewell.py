"""What is said when somebody leaves a game: where it is saved, how it ended, and the commands that lead back to it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from cluedo.engine.rules import value_text
from cluedo.language import tr
from cluedo.session.autosave import Autosave, saves_folder
from cluedo.session.game_session import GameSession
from cluedo.words.narration import Story

__all__ = ["farewell"]


def farewell(session: GameSession) -> Iterator[str]:
    """The lines: where the game is saved, and of one that is over how it ended and how to play it again.

    The seed holds the deal: it is not told of a game that may go on.
    """
    yield from _where_saved(session.autosave, over=session.game.over)
    result, table = session.game.result, session.game.table
    if result is None:
        return
    story = Story(table, session.people[0] if len(session.people) == 1 else None)
    yield ""
    yield story.ending(result)
    yield tr("The envelope held {cards}.", cards=table.deck.listed(session.game.state.deal.envelope))
    if session.seeded:
        seed = session.seeds.seed
        told = tr("The secret seed was {seed}.", seed=seed) if session.secret else tr("The seed was {seed}.", seed=seed)
        yield told + " " + tr("The same deal again: {command}", command=_again(session))


def _where_saved(autosave: Autosave, *, over: bool) -> Iterator[str]:
    path = autosave.path
    if path is None and not autosave.saved:
        yield tr("This game was not saved: {folder} cannot be made. --record names a file.", folder=saves_folder())
    if path is None or not (autosave.saved and path.exists()):
        return
    if autosave.left is not None:
        yield tr("Another program has written into {file}, so this game has a file of its own.", file=autosave.left)
    if over:
        yield tr("The game is recorded in {file}.", file=path)
        again = ["cluedo", "replay", str(path)]
        yield tr("To see it again: {command}", command=shlex.join(again))
        yield tr("To review it: {command}", command=shlex.join([*again, "--review"]))
    else:
        go_on = shlex.join(["cluedo", "play", "--resume", str(path)])
        yield tr("The game is recorded in {file}. To continue it: {command}", file=path, command=go_on)


def _again(session: GameSession) -> str:
    """The command that plays the same deal again."""
    table = session.game.table
    words = ["cluedo", "play", "--players", ",".join(session.names), "--map", table.board.source]
    if table.suspects != tuple(table.deck.suspects[: table.seats]):
        words += ["--suspects", ",".join(table.names)]
    words += ["--seed", str(session.seeds.seed)]
    for key, value in table.rules.model_dump(exclude_defaults=True).items():
        words += ["--rule", f"{key}={value_text(value)}"]
    return shlex.join(words)
