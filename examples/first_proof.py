"""When each seat could first prove the envelope, for `--observe`."""

from collections.abc import Sequence

from cluedo import Result
from cluedo.experiments import DealtGame, ObservedSeat, Observer


class FirstProof(Observer):
    """After how many turns of the game a seat could first prove the envelope; no value if it never could."""

    per_seat = {"first_proof": int}

    def on_deal(self, game: DealtGame) -> None:
        self.first: list[int | None] = [None] * game.table.seats

    def on_turn(self, turn: int, seats: Sequence[ObservedSeat]) -> None:
        for seat, observed in enumerate(seats):
            if self.first[seat] is None and observed.knowledge.certain:
                self.first[seat] = turn

    def on_result(self, result: Result) -> dict[str, list[int | None]]:
        return {"first_proof": self.first}
