"""The events of one seat as lines of the log, and the latest of them as news."""

from __future__ import annotations

from cluedo.engine.events import Event, TurnEnded
from cluedo.engine.state import Table
from cluedo.session.narration import Sentence, Story

__all__ = ["Teller"]


class Teller:
    """Tells events in the order in which they happened.

    Attributes:
        told: how many events were told.
    """

    def __init__(self, table: Table, eyes: int | None):
        self._story = Story(table, eyes)
        self.told = 0
        self._turn = 1
        self._news: list[str] = []
        self._news_of = 1

    def line(self, event: Event) -> Sentence | None:
        """The next event as a line; None for the end of a turn, which goes without saying."""
        self.told += 1
        if isinstance(event, TurnEnded):
            self._turn += 1
            return None
        text = self._story.tell(event)
        if self._news_of != self._turn:  # the last turn is news until something happens in the next
            self._news, self._news_of = [], self._turn
        self._news.append(text)
        return Sentence(self._turn, event.seat, text)

    def news(self, room: int) -> str:
        """What happened last in the latest turn, as much as fits into so many characters."""
        told = self._news
        while len(told) > 1 and len(" ".join(told)) > room:
            told = told[1:]
        return " ".join(told)
