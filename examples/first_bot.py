"""The smallest bot worth playing: it asks about cards that it has not seen, and accuses when only three are left."""

from random import Random

from cluedo import Accusation, Hypothesis, Movement, Player, PlayerView, ShowCard
from cluedo.ai.walking import toward_rooms
from cluedo.engine.cards import bits


class FirstBot(Player):
    """Asks at random about cards that it has not seen."""

    def begin(self, view: PlayerView, random: Random) -> None:
        """Called when the cards are dealt."""
        super().begin(view, random)  # sets self.random
        self.seen = view.hand

    def choose_move(self, view: PlayerView) -> Movement:
        """Go to any room."""
        return toward_rooms(view, view.board.all_rooms, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        """Ask about cards not seen yet."""
        suspects, weapons, _ = view.deck.masks
        suspect = self.random.choice(bits(suspects & ~self.seen))
        weapon = self.random.choice(bits(weapons & ~self.seen))
        return Hypothesis(suspect, weapon, view.board.room_card(view.place))

    def choose_card(self, view: PlayerView) -> ShowCard:
        """Show any of the cards that may be shown."""
        return ShowCard(self.random.choice(bits(ShowCard.choices(view))))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        """Called at the end of each of its own turns, after the answer."""
        if view.card_shown is not None:
            self.seen |= 1 << view.card_shown
        left = [bits(category & ~self.seen) for category in view.deck.masks]
        if any(len(cards) > 1 for cards in left):
            return None
        return Accusation(*(cards[0] for cards in left))
