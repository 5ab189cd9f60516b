"""A bot to start from: it listens to every question at the table, and beats the level medium.

    cluedo autoplay --players examples/my_bot.py:MyBot,medium,medium,medium --games 2000

A bot is a subclass of Player. It answers four questions (choose_move, choose_hypothesis, choose_card,
choose_accusation) from a PlayerView, which holds what its seat may know and nothing else.

Cards are numbers: suspects first, then weapons, then rooms, as in `view.deck`. A set of cards is a mask,
an int in which bit k stands for card k. `bits(mask)` lists them.
"""

from __future__ import annotations

from random import Random
from typing import TypeVar

from cluedo import Accusation, Hypothesis, Movement, Player, PlayerView, ShowCard
from cluedo.ai.walking import toward_rooms
from cluedo.engine.cards import bits
from cluedo.engine.events import Event, HandShown, HypothesisMade, Passed, Peeked, Shown

C = TypeVar("C", Hypothesis, Accusation)


class MyBot(Player):
    """Notes where each card may be, from everybody's questions and answers.

    Args:
        bluff: how often it names a card of its own although it could ask about an unknown one, from 0 to 1.
    """

    # Keyword arguments are parameters: --players "examples/my_bot.py:MyBot:bluff=0.2,medium,medium".
    def __init__(self, *, bluff: float = 0.0):
        self.bluff = bluff

    def begin(self, view: PlayerView, random: Random) -> None:
        """Called once a game, when the cards are dealt. All chance has to come from `random`: a seed repeats a game."""
        super().begin(view, random)
        table, seats = view.table, view.table.seats
        # Where a card may be: seats 0, 1, …, beside the board (some editions lay cards there), and in the envelope.
        self.seat, self.beside, self.envelope = view.seat, seats, seats + 1
        self.categories = [list(ids) for ids in view.deck.ids]  # suspects, weapons, rooms
        self.cards = [card for category in self.categories for card in category]
        self.sizes = [*table.hand_sizes, table.pool_size + table.open_cards.bit_count()]
        self.may = {card: set(range(seats + 2)) for card in self.cards}
        # "This seat holds at least one of these", from cards shown to somebody else.
        self.shown: list[tuple[int, tuple[int, ...]]] = []
        self.shown_to: dict[int, set[int]] = {seat: set() for seat in range(seats)}
        for card in self.cards:
            if view.hand >> card & 1:
                self.may[card] = {self.seat}
            elif table.open_cards >> card & 1:
                self.may[card] = {self.beside}
            else:
                self.may[card].discard(self.seat)
        self.conclude()

    # ---- listening ----

    def notice(self, event: Event) -> None:
        """Called after each event, as this seat sees it: a card shown to somebody else is None."""
        match event:
            case HypothesisMade():
                self.asked = event.cards
            case Passed(seat=seat):
                for card in self.asked:
                    self.may[card].discard(seat)
                self.conclude()
            case Shown(seat=seat, card=None):
                self.shown.append((seat, self.asked))
                self.conclude()
            case Shown(seat=seat, card=card) if seat != self.seat:
                self.may[card] = {seat}
                self.conclude()
            case HandShown(seat=seat, cards=cards):
                self.may.update((card, {seat}) for card in cards)
                self.conclude()
            case Peeked(card=card) if card is not None:
                self.may[card] = {self.beside}
                self.conclude()

    def conclude(self) -> None:
        """Repeat four simple rules until none of them says anything new."""
        before = -1
        while before != (before := sum(map(len, self.may.values()))):
            # A seat that showed a card and may hold only one of the three holds that one.
            for seat, cards in self.shown:
                left = [card for card in cards if seat in self.may[card]]
                if len(left) == 1:
                    self.may[left[0]] = {seat}
            # A hand whose cards are all known holds no others; one with no more candidates than cards holds them all.
            for seat, size in enumerate(self.sizes):
                held = [card for card in self.cards if self.may[card] == {seat}]
                possible = [card for card in self.cards if seat in self.may[card]]
                for card in possible:
                    if len(possible) == size:
                        self.may[card] = {seat}
                    elif len(held) == size and card not in held:
                        self.may[card].discard(seat)
            # The envelope holds one card of each category.
            for category in self.categories:
                proved = [card for card in category if self.may[card] == {self.envelope}]
                left = self.open(category)
                for card in category:
                    if proved and card not in proved:
                        self.may[card].discard(self.envelope)
                    elif left == [card]:
                        self.may[card] = {self.envelope}

    def open(self, category: list[int]) -> list[int]:
        """The cards of a category that may be in the envelope."""
        return [card for card in category if self.envelope in self.may[card]]

    # ---- answering ----

    def choose_move(self, view: PlayerView) -> Movement:
        """Go to a room that may be in the envelope; if that room is known, to one that nobody else can show.

        Some editions allow an accusation only in the room that it names: there it goes to that room.
        """
        rooms = self.categories[2]
        wanted = self.open(rooms)
        if len(wanted) == 1 and not view.table.accused_here:
            wanted = self.safe(rooms)
        mask = sum(1 << view.board.room_place(room) for room in wanted)
        return toward_rooms(view, mask, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        """Ask about cards that may be in the envelope, here."""
        suspect, weapon = (self.named(category) for category in self.categories[:2])
        return self.allowed(Hypothesis(suspect, weapon, view.board.room_card(view.place)), view)

    def named(self, category: list[int]) -> int:
        unknown = self.open(category)
        if len(unknown) == 1 or self.random.random() < self.bluff:
            return self.random.choice(self.safe(category))
        return self.random.choice(unknown)

    def safe(self, category: list[int]) -> list[int]:
        """Cards that nobody else can show: naming one makes an answer say something about the other two."""
        others = set(range(self.beside)) - {self.seat}
        return [card for card in category if not self.may[card] & others] or category

    def choose_card(self, view: PlayerView) -> ShowCard:
        """Show a card that this asker has seen before, if there is one, so that they learn nothing new."""
        choices = bits(ShowCard.choices(view))
        seen = self.shown_to[view.active]
        card = self.random.choice([card for card in choices if card in seen] or choices)
        seen.add(card)
        return ShowCard(card)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        """Accuse when one card of each category is left."""
        left = [self.open(category) for category in self.categories]
        if any(len(cards) > 1 for cards in left):
            return None
        return self.allowed(Accusation(*(cards[0] for cards in left)), view)

    def allowed(self, command: C, view: PlayerView) -> C | None:
        """The command, or None where the rules of an edition do not allow it."""
        return None if command.why_not(view) else command
