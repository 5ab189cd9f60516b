"""The table for an assistant: a game against levels."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import Field

from cluedo.agents.forms import Answer, Name, Names, TableForm, ToolForm, told
from cluedo.agents.storage import Opened, Storage, advance, opened_game
from cluedo.ai.levels import LEVELS, parse_player
from cluedo.bots.naming import is_level
from cluedo.engine.board import loaded_board
from cluedo.engine.cards import Category, bits, closest
from cluedo.engine.codec import CommandForm, command_json, command_of, place_json
from cluedo.engine.commands import Command
from cluedo.engine.errors import CluedoError, PlayerError, SetupError
from cluedo.engine.view import PlayerView
from cluedo.session.actions import CardChoice, Offer, TakeBack
from cluedo.session.autosave import Autosave
from cluedo.session.boards import default_map
from cluedo.session.game_session import GameSession
from cluedo.session.hints import hint_sections
from cluedo.session.line_up import Person, Seated
from cluedo.words.narration import Story
from cluedo.words.rule_text import rule_sentences

__all__ = ["Act", "GameNews", "Hint", "NewGame"]

_MOST_TURNS: Final = 1000
"""Of a game: as by the rules of the box."""


class NewGame(TableForm):
    """Deal a new game of Cluedo (Clue) against levels. The caller plays the first seat; who starts is drawn.

    Gives the id of the game, the hand, and what look gives.
    """

    tool = "new_game"
    plays = True
    opponents: Names = Field(
        ["medium", "hard"], description=f"In turn order after the caller; levels: {', '.join(LEVELS)}."
    )
    seed: int | None = Field(
        None, ge=0, lt=2**63, description="The same seed on the same map deals the same game again."
    )

    def answer(self, storage: Storage) -> Answer:
        edition = self.chosen(default_map())
        if edition.rules.max_turns > _MOST_TURNS:
            raise SetupError("max_turns: at most {most} here", most=_MOST_TURNS)
        for text in self.opponents:
            if not is_level(text):
                raise PlayerError("{text!r} is no level; {closest}", text=text, closest=closest(text, LEVELS))
        line_up: list[Seated] = [Person(), *map(parse_player, self.opponents)]
        edition.check_players(len(line_up))
        board = loaded_board(edition.map)

        def begin(path: Path) -> Opened[GameSession]:
            autosave = Autosave.new(path, board.source)
            return opened_game(GameSession.begin(line_up, board, edition.rules, autosave, seed=self.seed))

        name, session = storage.games.begin(begin)
        table, view = session.game.table, session.view(0)
        players = [
            {"suspect": table.name(seat), "player": text, "cards": table.hand_sizes[seat]}
            for seat, text in enumerate(session.names)
        ]
        return {
            "game": name,
            "you": table.name(0),
            "hand": view.deck.names_in(view.hand),
            "players": players,
            "cards": board.deck.by_kind,
            "rules": rule_sentences(table.rules),
            **_news(session, 0),
        }


class _OfGame(ToolForm):
    game: Name = Field(description="The id that new_game gave.")


class GameNews(_OfGame):
    """What happened in a game, as the caller's seat saw it, where all stand, and what the caller may do now."""

    tool = "look"
    reads = True
    since: int = Field(0, ge=0, description="Tell only what came after so many events: the `time` of an answer before.")

    def answer(self, storage: Storage) -> Answer:
        return _news(storage.games.get(self.game), self.since)


class Act(CommandForm, _OfGame):
    """Do one command for the caller's seat; the levels play on until it is asked again. Gives what happened since.

    By `type`: "roll"; "move" with `to`, a room or a square [x, y]; "secret_passage"; "stay"; "hypothesis" and
    "accusation" with `cards`, a suspect, a weapon and a room; "show" with `card`; "peek" with `position`; "end_turn".
    An answer lists in `may` what is allowed now. After a wrong accusation the caller only shows cards.
    """

    model_config = ToolForm.model_config
    tool = "act"
    plays = True

    def answer(self, storage: Storage) -> Answer:
        session = storage.games.get(self.game)
        before = session.view(0).time
        session.do(0, command_of(self, session.game.table.board))
        advance(session)
        session.autosave.check()
        return _news(session, before)


class Hint(_OfGame):
    """What the detective would do now on the caller's seat, and why, from what this seat knows."""

    tool = "hint"
    reads = True

    def answer(self, storage: Storage) -> Answer:
        view = storage.games.get(self.game).view(0)
        if view.reason is not None:
            raise CluedoError("the game is over")
        sections = hint_sections(view)
        command = next((section.do for section in sections if section.do is not None), None)
        do = None if command is None else command_json(command, view.board)
        return {"do": do, "said": told(sections)}


def _news(session: GameSession, since: int) -> Answer:
    """What a person is told of a game after the first ``since`` events."""
    view, table = session.view(0), session.game.table
    story = Story(table, 0, squares=True)
    pawns = {table.name(seat): view.board.node(view.pawns[suspect]) for seat, suspect in enumerate(table.suspects)}
    answer = {
        "time": view.time,
        "turn": view.turn,
        "happened": [line for line in map(story.tell, view.events_since(since)) if line],
        "pawns": pawns,
    }
    if session.game.result is not None:
        envelope = [view.deck.names[card] for card in session.game.state.deal.envelope]  # which all may see now
        return answer | {"over": story.ending(session.game.result), "envelope": envelope}
    offered = session.offer(0)
    return answer if offered is None else answer | _may(view, offered)


def _may(view: PlayerView, offered: Offer) -> Answer:
    """What may be done: the prompt, the commands, and the squares in reach."""
    may = [
        _command(view, action.value) | {"means": action.sentence}
        for action in offered.actions
        if not isinstance(action.value, TakeBack)  # a record that is played and taken back for ever would grow for ever
    ]
    squares = [place_json(place, view.board) for place in bits(offered.walk & view.board.squares)]
    return {"asked": offered.prompt, "may": may, **({"squares": squares} if squares else {})}


def _command(view: PlayerView, value: Command | CardChoice) -> Answer:
    """A command as JSON; where cards have to be chosen, what stands for them."""
    if not isinstance(value, CardChoice):
        return command_json(value, view.board)
    names = [category.name.lower() for category in Category]
    room = names[2] if value.room is None else view.deck.names[value.room]
    return {"type": value.kind.word, "cards": [*names[:2], room]}
