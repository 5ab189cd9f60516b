"""A statistic of your own, for `--observe`."""

from cluedo import Result
from cluedo.engine.events import Event, HypothesisMade, Shown
from cluedo.experiments import DealtGame, Observer


class AskedAgain(Observer):
    """How many of a seat's questions name a card that it has been shown before."""

    per_seat = {"asked_again": int}

    def on_deal(self, game: DealtGame) -> None:
        self.seen: list[set[int | None]] = [set() for _ in range(game.table.seats)]
        self.again = [0] * game.table.seats

    def on_event(self, event: Event) -> None:
        if isinstance(event, HypothesisMade):
            self.again[event.seat] += any(card in self.seen[event.seat] for card in event.cards)
        elif isinstance(event, Shown):
            self.seen[event.asker].add(event.card)

    def on_result(self, result: Result) -> dict[str, list[int]]:
        return {"asked_again": self.again}
