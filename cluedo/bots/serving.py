"""Serves a player of ours as a bot: the bot's side of the protocol, over standard input and output."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from cluedo import __version__
from cluedo.ai.absent import Absent, AbsentPlayer, player_or_absent
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import describe_frames
from cluedo.ai.player import Clock, Player
from cluedo.bots.channels import take_channels
from cluedo.bots.naming import any_player
from cluedo.bots.protocol import NO_CHOICES, PROTOCOL, STREAM, Message, line_of, message_of, read_stream
from cluedo.bots.seat_game import SeatGame
from cluedo.engine.codec import command_json
from cluedo.engine.commands import Command
from cluedo.engine.errors import CluedoError, PlayerError, by_a_person, safe_repr
from cluedo.engine.turn import QUESTIONS

__all__ = ["serve"]

_METHODS: Final = {question.name: question.method for question in QUESTIONS}


def serve(text: str) -> None:
    """Play the games that come over standard input, until it ends.

    The player is loaded here, behind the channels: its code may print, or raise anything. Why it cannot play, if it
    cannot, is the answer to the hello.

    Args:
        text: the player, as a line-up has it.
    """
    questions, answers = take_channels()
    if not questions.isatty():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # so that every KeyboardInterrupt is known to be the player's own

    def say(message: Message) -> None:
        answers.write(line_of(message))
        answers.flush()

    next(questions, None)  # the host's hello
    hello = {"type": "hello", "protocol": PROTOCOL, "name": text, "version": __version__, "wants": [STREAM, NO_CHOICES]}
    try:
        spec = any_player(text, trusted=True)
        spec.prepare()
    except CluedoError as error:
        say(hello | {"error": str(error)})
        return
    say(hello)
    served = _ServedSeat(spec)
    for line in questions:
        for reply in served.replies(_message(line)):
            say(reply)


def _message(line: bytes) -> Mapping[str, Any]:
    """What the host says; raises :class:`PlayerError`."""
    try:
        message = message_of(line)
    except ValueError:
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise PlayerError("this is no message of a host, which is JSON with a type: {line}", line=safe_repr(line))
    return message


class _ServedSeat:
    """A player and the game that it is in."""

    def __init__(self, spec: PlayerSpec):
        self._spec = spec
        self._trouble: str | None = None
        self._process = os.getpid()

    def replies(self, message: Mapping[str, Any]) -> Iterator[Message]:
        """What is answered to a message, if anything."""
        match message["type"]:
            case "game":
                self._guarded(self._begin, message)
            case "question":
                yield {"id": message["id"]} | self._answer(message)
            case "result":
                self._guarded(self._end, message)

    def _begin(self, message: Mapping[str, Any]) -> None:
        self._trouble = None
        self._game = SeatGame(message)
        table = self._game.table
        try:
            self._spec.check(table.deck, table.rules, table.seats)
        except CluedoError as error:
            self._player: Player = AbsentPlayer(error.phrase)
        else:
            self._player = player_or_absent(self._spec)
        self._listens = type(self._player).notice is not Player.notice
        view, random = self._game.view(message["state"]), read_stream(message[STREAM])
        self._player.sit_down((view, random, Clock(**message["clock"])))

    def _end(self, message: Mapping[str, Any]) -> None:
        self._take_note(message)
        outcome = {key: message[key] for key in ("winner", "reason")}
        self._player.over(self._game.view(message["state"] | outcome))

    def _answer(self, message: Mapping[str, Any]) -> Message:
        """An answer to a question, or why there is none."""
        command = self._guarded(self._chosen, message)
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            return {"error": trouble}
        if command is None:
            return {"answer": None}
        if not isinstance(command, Command):
            return {"error": f"asked for {message['ask']}, answered {safe_repr(command)}"}
        try:
            return {"answer": command_json(command, self._game.table.board)}
        except Exception:  # cards and places that the board does not have
            why = ""
            with suppress(Exception):  # one that was made by tricks, without its fields
                why = f": {command.why_not(self._game.view(message['state']))}"
            return {"error": f"answered {safe_repr(command)}{why}"}

    def _chosen(self, message: Mapping[str, Any]) -> Any:
        self._take_note(message)
        return getattr(self._player, _METHODS[message["ask"]])(self._game.view(message["state"]))

    def _take_note(self, message: Mapping[str, Any]) -> None:
        for event in self._game.add_events(message["events"]):
            if self._listens:
                self._player.notice(event)

    def _guarded(self, run: Callable[[Mapping[str, Any]], Any], message: Mapping[str, Any]) -> Any:
        """Run somebody's code; an error is kept, and reported as the answer to the next question."""
        try:
            return run(message)
        except BaseException as error:
            if by_a_person(error):
                raise
            if isinstance(error, Absent):  # raised by ourselves for a player that could not be made
                self._trouble = self._trouble or error.phrase
                return None
            frames = traceback.extract_tb(error.__traceback__)
            where = describe_frames((frame.filename, frame.lineno or 0, frame.name) for frame in reversed(frames))
            text = f"raised {safe_repr(error)}"
            self._trouble = self._trouble or (f"{text} ({where})" if where else text)
            return None
        finally:
            if os.getpid() != self._process:
                os._exit(0)  # a copy of this process that the player has made would answer, too
