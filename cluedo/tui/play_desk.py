"""Where the match and the screen meet: the match plays in a thread of its own, the screen is never kept waiting.

Everything that crosses over is a value: views of the people's seats one way, commands the other. The
game itself stays on the match's side; the screen looks at it only while the match waits for an answer,
or when it is over.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from queue import SimpleQueue
from threading import Thread
from typing import Any

from cluedo.ai.match import Fault, MatchStopped
from cluedo.ai.player import Movement, Player
from cluedo.engine.commands import Accusation, Command, Hypothesis, ShowCard
from cluedo.engine.view import PlayerView
from cluedo.session.game import Sitting

__all__ = ["Ask", "Desk", "News", "Over", "Question"]


class Ask(Enum):
    """What a person is asked for."""

    MOVE = "move"
    HYPOTHESIS = "hypothesis"
    CARD = "card"
    ACCUSATION = "accusation"


@dataclass(frozen=True, slots=True)
class News:
    """Something happened: what each person may know now.

    Attributes:
        views: by seat of a person, its view.
        afresh: the log does not go on from the last news: the match has begun, or a move was taken back.
        faults: the seats that lost a choice since the last news; what went wrong may betray their cards.
    """

    views: dict[int, PlayerView]
    afresh: bool
    faults: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A person is asked, and the match waits."""

    ask: Ask
    view: PlayerView


@dataclass(frozen=True, slots=True)
class Over:
    """The match has ended: with the game, or by an error that stops everything."""

    error: BaseException | None


class _Left(MatchStopped):
    """The screen has gone."""


class _TakenBack(MatchStopped):
    """The last command is to be undone."""


_LEAVE: Any = object()
_TAKE_BACK: Any = object()


class Desk:
    """Runs the match of a sitting beside the screen.

    Args:
        sitting: the game and who plays it.
        think_limit: seconds for each answer of a level.
        post: takes what happens, called from the match's thread; RuntimeError means that nobody is there any more.
    """

    def __init__(self, sitting: Sitting, think_limit: float, post: Callable[[News | Question | Over], None]):
        self.sitting = sitting
        self._think_limit = think_limit
        self._post = post
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._faults: list[Fault] = []
        self._told = 0
        # A daemon, for a level that never answers must not keep anybody from leaving.
        self._thread = Thread(target=self._run, name="match", daemon=True)

    def start(self) -> None:
        """Let the match begin."""
        self._thread.start()

    def answer(self, command: Command | None) -> None:
        """Answer the question asked last."""
        self._answers.put(command)

    def may_take_back(self) -> bool:
        """Whether the last command can be undone: by somebody alone with machines, and nothing was revealed.

        To be asked only while the match waits for an answer.
        """
        return len(self.sitting.people) == 1 and self.sitting.game.revocable

    def take_back(self) -> None:
        """Undo the last command, in answer to a question."""
        self._answers.put(_TAKE_BACK)

    def leave(self, seconds: float = 1.0) -> None:
        """Stop the match, if it stops in time; one that is lost in thought is left behind."""
        self._answers.put(_LEAVE)
        if self._thread.is_alive():
            self._thread.join(seconds)

    @property
    def faults(self) -> list[str]:
        """What went wrong at the table, in words; for when the game is over or left."""
        names = self.sitting.names
        return [
            f"{names[fault.seat]}, player {fault.seat + 1}, turn {fault.turn}: {fault.text}" for fault in self._faults
        ]

    # ---- in the match's thread -------------------------------------------------------------

    def _run(self) -> None:
        error: BaseException | None = None
        self.sitting.keep()
        try:
            while not self._play():
                self.sitting.game.undo()
                self.sitting.keep()
        except _Left:
            return
        except BaseException as raised:  # the screen has to be told whatever it is
            error = raised
        with suppress(_Left):
            self._send(Over(error))

    def _send(self, item: News | Question | Over) -> None:
        try:
            self._post(item)
        except RuntimeError:
            raise _Left from None

    def _play(self) -> bool:
        """Play to the end; False if a command is to be taken back."""
        self._told = 0
        match = self.sitting.match(
            lambda _: _Person(self),
            self._think_limit,
            lambda: self._tell(match.faults),
            interrupted=lambda: False,  # no Ctrl-C comes to this thread: one that does is a level's own
        )
        self._tell([], afresh=True)
        try:
            match.play()
        except _TakenBack:
            return False
        finally:
            self._faults += match.faults
        return True

    def _tell(self, faults: list[Fault], *, afresh: bool = False) -> None:
        """Tell the screen; ``faults`` are those of the match so far."""
        game = self.sitting.game
        views = {seat: game.view(seat) for seat in self.sitting.people}
        self._send(News(views, afresh, tuple(fault.seat for fault in faults[self._told :])))
        self._told = len(faults)

    def ask(self, question: Question) -> Any:
        """Ask the screen, and wait for its answer; called by the people at the table."""
        self._send(question)
        answer = self._answers.get()
        if answer is _LEAVE:
            raise _Left
        if answer is _TAKE_BACK:
            raise _TakenBack
        return answer


class _Person(Player):
    """Somebody before the screen."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def choose_move(self, view: PlayerView) -> Movement:
        move: Movement = self._desk.ask(Question(Ask.MOVE, view))
        return move

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        asked: Hypothesis | None = self._desk.ask(Question(Ask.HYPOTHESIS, view))
        return asked

    def choose_card(self, view: PlayerView) -> ShowCard:
        shown: ShowCard = self._desk.ask(Question(Ask.CARD, view))
        return shown

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        accused: Accusation | None = self._desk.ask(Question(Ask.ACCUSATION, view))
        return accused
