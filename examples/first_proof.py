"""When each seat could first prove the envelope, for `--observe`."""

from cluedo.experiments import Observer


class FirstProof(Observer):
    """After how many turns of the game a seat could first prove the envelope; no value if it never could."""

    per_seat = {"first_proof": int}

    def on_deal(self, game):
        self.first = [None] * game.table.seats

    def on_turn(self, turn, seats):
        for seat, observed in enumerate(seats):
            if self.first[seat] is None and observed.knowledge.certain:
                self.first[seat] = turn

    def on_result(self, result):
        return {"first_proof": self.first}
