"""A bot that knows all that can be known: it asks what tells it most, and accuses when the odds are good enough."""

from random import Random

from cluedo import Accusation, Hypothesis, Movement, Player, PlayerView, ShowCard
from cluedo.ai.knowledge import SeatKnowledge
from cluedo.ai.walking import best_move, way_to_accuse
from cluedo.engine.cards import bits


class ExactBot(Player):
    """Plays by the exact odds.

    Args:
        guess: how likely an envelope has to be before it is accused.
    """

    def __init__(self, *, guess: float = 0.5):
        self.guess = guess

    @classmethod
    def prepare(cls) -> None:
        """Called before the games: compile what takes long, or load it."""
        SeatKnowledge.prepare()

    def begin(self, view: PlayerView, random: Random) -> None:
        """Called when the cards are dealt."""
        super().begin(view, random)  # sets self.random
        self.known = SeatKnowledge.of(view)

    def choose_move(self, view: PlayerView) -> Movement:
        """Go where a question tells most; a turn later it is worth 0.6 times as much."""
        decided = self.decided(view)
        if decided and view.table.accused_here:  # some editions allow it only in that room
            return way_to_accuse(view, decided, self.random)
        worth = {best.cards[2]: best.bits for best in self.known.best_by_room}
        return best_move(view, [worth.get(room, 0.0) for room in view.deck.rooms], 0.6, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        """Ask what tells most here."""
        self.known.read(view)
        return Hypothesis(*self.known.best(rooms=[view.board.room_card(view.place)])[0].cards)

    def choose_card(self, view: PlayerView) -> ShowCard:
        """Show any of the cards that may be shown."""
        return ShowCard(self.random.choice(bits(ShowCard.choices(view))))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        """Called at the end of each of its own turns, after the answer."""
        decided = self.decided(view)
        return decided if decided and not decided.why_not(view) else None

    def decided(self, view: PlayerView) -> Accusation | None:
        """The likeliest envelope, if it is likely enough."""
        self.known.read(view)
        cards, chance = self.known.envelopes[0]
        return Accusation(*cards) if chance >= self.guess else None
