"""Serves a player of ours as a bot: the bot's side of the protocol, over standard input and output."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, Final

from cluedo import __version__
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import AbsentPlayer, NoAnswer, player_or_absent, where_raised
from cluedo.ai.player import Clock, Player
from cluedo.bots.naming import any_player
from cluedo.bots.process import quote, take_channels
from cluedo.bots.protocol import FAULTS, NO_CHOICES, PROTOCOL, STREAM, Message, line_of, message_of, read_stream
from cluedo.bots.seat_game import SeatGame
from cluedo.engine.codec import command_json, command_text
from cluedo.engine.errors import CluedoError, PlayerError, by_a_person, in_short, safe_repr
from cluedo.engine.turn_questions import QUESTIONS, TurnQuestion
from cluedo.engine.view import PlayerView

__all__ = ["serve"]

_ASKED: Final = {question.name: question for question in QUESTIONS}


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

    greeting = next(questions, None)
    if greeting is not None and _message(greeting)["type"] != "hello":
        raise PlayerError("the first message of a host is its hello, not {line}", line=quote(greeting))
    wants = [STREAM, NO_CHOICES, FAULTS]
    hello = {"type": "hello", "protocol": PROTOCOL, "name": text, "version": __version__, "wants": wants}
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
        raise PlayerError("this is no message of a host, which is JSON with a type: {line}", line=quote(line))
    return message


@contextmanager
def _reading(kind: str) -> Iterator[None]:
    """Read a message inside the ``with``; raises :class:`PlayerError` where it is none of the protocol."""
    try:
        yield
    except Exception as error:  # whatever is missing or of another kind
        why = in_short(error)
        raise PlayerError("a message of type {kind} cannot be read: {error}", kind=kind, error=why) from None


class _ServedSeat:
    """A player and the game that it is in."""

    def __init__(self, spec: PlayerSpec):
        self._spec = spec
        self._game: SeatGame | None = None
        self._faults: list[str] = []
        self._process = os.getpid()

    def replies(self, message: Mapping[str, Any]) -> Iterator[Message]:
        """What is answered to a message, if anything."""
        kind = message["type"]
        if kind == "game":
            self._begin(message)
        elif kind in ("question", "result"):
            if self._game is None:
                raise PlayerError("a message of type {kind} came before a game", kind=kind)
            answer = self._answer if kind == "question" else self._end
            yield answer(self._game, message) | self._told_faults()

    def _begin(self, message: Mapping[str, Any]) -> None:
        self._faults = []
        with _reading("game"):
            self._game = game = SeatGame(message)
            stream = message.get(STREAM)
            random = Random(int(message["seed"], 16)) if stream is None else read_stream(stream)
            seated = game.view(message["state"]), random, Clock(**message["clock"])
        try:
            self._spec.check(game.table.deck, game.table.rules, game.table.seats)
        except CluedoError as error:
            self._player: Player = AbsentPlayer(error.phrase)
        else:
            self._player = player_or_absent(self._spec)
        self._listens = type(self._player).notice is not Player.notice
        self._tell(self._player.sit_down, seated)

    def _end(self, game: SeatGame, message: Mapping[str, Any]) -> Message:
        """Tell how the game ended."""
        self._take_note(game, message)
        with _reading("result"):
            outcome = {key: message[key] for key in ("winner", "reason")}
            view = game.view(message["state"] | outcome)
        self._tell(self._player.over, view)
        return {}

    def _answer(self, game: SeatGame, message: Mapping[str, Any]) -> Message:
        """An answer to a question, or why there is none."""
        self._take_note(game, message)
        with _reading("question"):
            number, question, view = message["id"], _ASKED.get(message["ask"]), game.view(message["state"])
        if question is None:  # a later version may ask more
            return {"id": number, "answer": None}
        return {"id": number} | self._choice(game, question, view)

    def _choice(self, game: SeatGame, question: TurnQuestion, view: PlayerView) -> Message:
        command, trouble = self._guarded(getattr(self._player, question.method), view)
        if trouble:
            return {"error": trouble}
        if type(command) not in question.kinds:
            return {"error": f"asked for {question.what}, answered {safe_repr(command)}"}
        if command is None:
            return {"answer": None}
        try:
            why = command.why_not(view)
            if why is None:
                return {"answer": command_json(command, game.table.board)}
        except Exception as error:  # a command that was made by tricks, without its fields
            return {"error": f"answered a {type(command).__name__} that cannot be read: {safe_repr(error)}"}
        return {"error": f"answered {command_text(command, game.table.board)}: {why}"}

    def _take_note(self, game: SeatGame, message: Mapping[str, Any]) -> None:
        with _reading(message["type"]):
            events = game.add_events(message["events"])
        if self._listens:
            for event in events:
                self._tell(self._player.notice, event)

    def _tell(self, listen: Callable[[Any], object], told: object) -> None:
        """Tell the player something; what it raises then is a fault that costs no choice."""
        _, trouble = self._guarded(listen, told)
        if trouble:
            self._faults.append(trouble)

    def _told_faults(self) -> Message:
        """The faults since the last answer, if there are any."""
        faults, self._faults = self._faults, []
        return {"faults": faults} if faults else {}

    def _guarded(self, run: Callable[[Any], Any], told: object) -> tuple[Any, str]:
        """Run somebody's code; its answer, and what is wrong if it has none."""
        try:
            return run(told), ""
        except BaseException as error:
            if by_a_person(error):
                raise
            if isinstance(error, NoAnswer):  # raised by ourselves for a player that could not be made
                return None, error.phrase
            text, where = f"raised {safe_repr(error)}", where_raised(error)
            return None, f"{text} ({where})" if where else text
        finally:
            if os.getpid() != self._process:
                os._exit(0)  # a copy of this process that the player has made would answer, too
