"""Other deals that a seat cannot tell from the true one, for tests that nothing tells more than a seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from cluedo.engine.cards import bits
from cluedo.engine.commands import Command, Hypothesis, ShowCard
from cluedo.engine.deal import Deal
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown
from cluedo.engine.game import Game


@dataclass
class Evidence:
    """What a seat knows of the others' cards after a game, as masks."""

    seat: int
    hand: int
    lacks: list[int]
    holds: list[int]
    clauses: list[tuple[int, int]]
    wrong: list[tuple[int, ...]]
    right: tuple[int, ...] | None
    open_cards: int = 0
    peeked: list[tuple[int, int]] = field(default_factory=list)
    laid_open: dict[int, int] = field(default_factory=dict)
    not_all: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game, seat: int) -> Evidence:
        seats = game.table.seats
        known = cls(seat, game.state.deal.hands[seat], [0] * seats, [0] * seats, [], [], None)
        known.open_cards = game.state.deal.open_cards
        named = 0
        for event in game.events:
            if isinstance(event, HypothesisMade):
                named = sum(1 << card for card in event.cards)
                if game.table.rules.own_cards == "not_all":
                    known.not_all.append((event.seat, named))
            elif isinstance(event, Peeked) and event.seat == seat:
                known.peeked.append((event.position, event.card))
            elif isinstance(event, HandShown):
                known.laid_open[event.seat] = sum(1 << card for card in event.cards)
            elif isinstance(event, Passed):
                known.lacks[event.seat] |= named
            elif isinstance(event, Shown):
                if seat in (event.seat, event.asker):
                    known.holds[event.seat] |= 1 << event.card
                else:
                    known.clauses.append((event.seat, named))
            elif isinstance(event, Accused) and event.correct:
                known.right = event.cards
            elif isinstance(event, Accused):
                known.wrong.append(event.cards)
        return known

    def allows(self, hands: list[int], envelope: tuple[int, ...], pool: Sequence[int] = (), face_up: int = 0) -> bool:
        """Whether the seat could not tell this deal from the true one."""
        return (
            hands[self.seat] == self.hand
            and face_up == self.open_cards
            and all(pool[position] == card for position, card in self.peeked)
            and all(hands[seat] == hand for seat, hand in self.laid_open.items())
            and all(hands[seat] & named != named for seat, named in self.not_all)
            and all(not hand & lack for hand, lack in zip(hands, self.lacks, strict=True))
            and all(hand & held == held for hand, held in zip(hands, self.holds, strict=True))
            and all(hands[seat] & named for seat, named in self.clauses)
            and envelope not in self.wrong
            and self.right in (None, envelope)
        )


def other_deals(game: Game, seat: int, random: Random, wanted: int, tries: int = 1500) -> list[Deal]:
    """Deals that the seat cannot tell from the true one, found by random swaps of two cards."""
    deal, deck = game.state.deal, game.table.deck
    known = Evidence.of(game, seat)
    assert known.allows(list(deal.hands), deal.envelope, deal.pool, deal.open_cards), "the true deal fits"
    hands, envelope, pool = list(deal.hands), list(deal.envelope), list(deal.pool)
    places = [place for place in range(game.table.seats) if place != seat]
    found: dict[tuple[object, ...], Deal] = {}
    for _ in range(tries):
        trial, hidden, laid = list(hands), list(envelope), list(pool)
        a = random.choice(places)
        one = random.choice(bits(trial[a]))
        if laid and random.random() < 0.3:
            position = random.randrange(len(laid))
            other, laid[position] = laid[position], one
        elif random.random() < 0.4 or len(places) == 1:
            category = deck.category(one)
            other, hidden[category] = hidden[category], one
        else:
            b = random.choice([place for place in places if place != a])
            other = random.choice(bits(trial[b]))
            trial[b] ^= 1 << one | 1 << other
        trial[a] ^= 1 << one | 1 << other
        if not known.allows(trial, tuple(hidden), laid, deal.open_cards):
            continue
        hands, envelope, pool = trial, hidden, laid
        if hands != list(deal.hands):
            suspect, weapon, room = envelope
            found[*hands, *envelope, *pool] = replace(
                deal, hands=tuple(hands), envelope=(suspect, weapon, room), pool=tuple(pool)
            )
    deals = list(found.values())
    return random.sample(deals, min(wanted, len(deals)))


def as_dealt(game: Game, deal: Deal, seat: int, random: Random) -> list[Command]:
    """The game's commands under another deal: what the seat did not see is shown from the new hands."""
    commands: list[Command] = []
    shows = iter([event for event in game.events if isinstance(event, Shown)])
    named = [event.cards for event in game.events if isinstance(event, HypothesisMade)]
    asked = -1
    for command in game.commands:
        asked += isinstance(command, Hypothesis)
        if isinstance(command, ShowCard):
            event = next(shows)
            if seat not in (event.seat, event.asker):
                triple = sum(1 << card for card in named[asked])
                command = ShowCard(random.choice(bits(deal.hands[event.seat] & triple)))
        commands.append(command)
    return commands


def cut(game: Game, turns: int, before: Command | None = None) -> Game:
    """The first turns of a game, or what went before a command if that came earlier."""
    part = Game(game.table.board, game.table.rules, game.state.deal)
    for command in game.commands:
        if part.state.turn > turns or command == before:
            break
        part.execute(command)
    return part


def replay_for(seat: int, game: Game, deal: Deal) -> Game:
    """The game again, under a deal that the seat cannot tell from the true one."""
    again = Game(game.table.board, game.table.rules, deal)
    for command in as_dealt(game, deal, seat, Random(0)):
        again.execute(command)
    return again
