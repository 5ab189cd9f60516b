"""Secrets: a tool answers the same, byte for byte, for deals that the assistant's seat cannot tell apart."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from helpers.cases import cases
from helpers.other_deals import as_dealt, cut, other_deals
from helpers.support import drawn_game, make_match

from cluedo.agents import tools
from cluedo.agents.storage import Opened, Storage
from cluedo.agents.tools import Act, GameNews, Hint
from cluedo.engine.board import Board
from cluedo.engine.codec import command_json
from cluedo.engine.commands import Command, ShowCard
from cluedo.engine.deal import Deal, Seeds
from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game
from cluedo.session.autosave import Autosave
from cluedo.session.game_session import GameSession
from cluedo.session.line_up import Person

ANSWERS = cases(10_000, 400)
"""Answers of the longest test here."""

TABLES = [(3, "tiny"), (4, "tiny"), (3, "classic"), (4, "manoir"), (5, "classic")]


@cache
def played(number: int) -> Game:
    """The first turns of a game of levels."""
    seats, name = TABLES[number % len(TABLES)]
    game = drawn_game(Board.load(name), seats, 7, number, max_turns=30)
    make_match(game, ["medium", "random", "easy", "random", "medium"][:seats], seed=number).play()
    return game


def answers(game: Game, deal: Deal, commands: list[Command], wrong: int) -> list[str]:
    """All that the first seat is told while a game is played again: by each of its commands, by looks, hints, errors.

    A hint is asked for and a mistake is made before each command whose number divides by ``wrong``.
    """
    again = Game(game.table.board, game.table.rules, deal)
    people = [Person() for _ in range(game.table.seats)]
    storage = Storage()
    session = GameSession(again, list(people), Seeds(1, 0, len(people)), Autosave(None, chosen=False), secret=True)
    name, _ = storage.games.begin(lambda _: Opened(session, lambda: False))
    told: list[object] = []
    time = 0
    for number, command in enumerate(commands):
        if number < len(again.commands):
            continue  # the turn of who is out ends by itself
        seat = again.state.to_act
        if seat != 0:
            session.do(seat, command)
            continue
        told.append(GameNews(game=name, since=time).answer(storage))
        time = session.view(0).time
        if number % wrong == 0:
            told += [GameNews(game=name).answer(storage), Hint(game=name).answer(storage)]
            card = next(card for card in range(again.table.deck.size) if ShowCard(card) not in again.legal())
            with pytest.raises(CluedoError) as refused:
                Act(game=name, type="show", card=again.table.deck.names[card]).answer(storage)
            told.append(str(refused.value))
        told.append(Act(game=name, **command_json(command, again.table.board)).answer(storage))
    return [json.dumps(one) for one in told if not (isinstance(one, dict) and "over" in one)]


def compared(number: int, wanted: int) -> int:
    """How many answers, in a game and in its first half, were compared with those under other deals."""
    whole, random = played(number), Random(number)
    count = 0
    for game in (whole, cut(whole, whole.state.turn // 2)):
        true = answers(game, game.state.deal, game.commands, 7)
        for deal in other_deals(game, 0, random, wanted):
            other = answers(game, deal, as_dealt(game, deal, 0, random), 7)
            differing = next((pair for pair in zip(true, other, strict=False) if pair[0] != pair[1]), None)
            assert differing is None, f"told apart: {differing}"
            assert len(true) == len(other)
            count += len(true)
    return count


def test_no_answer_in_a_few_games_tells_a_card_that_the_seat_may_not_know():
    assert sum(compared(number, 2) for number in range(4)) > 100


@pytest.mark.slow
def test_nor_does_one_in_many_games():
    count, number = 0, 0
    while count < ANSWERS:
        count += compared(number, 3)
        number += 1


def in_the_news(patch):
    news = tools._news
    patch.setattr(tools, "_news", lambda one, since: news(one, since) | {"hands": one.game.state.deal.hands})


def in_the_view(patch):
    """What was shown to another is among what the seat has seen."""
    patch.setattr(GameSession, "view", lambda self, seat: self.game.view(seat)._replace(seen=self.game._shown))


def in_a_hint(patch):
    patch.setattr(Hint, "answer", lambda self, storage: {"do": storage.games.get(self.game).game.state.deal.envelope})


def in_an_error(patch):
    do = GameSession.do

    def leaking(self, seat, command):
        try:
            do(self, seat, command)
        except CluedoError:
            raise CluedoError("not {envelope}", envelope=self.game.state.deal.envelope) from None

    patch.setattr(GameSession, "do", leaking)


@pytest.mark.parametrize("plant", [in_the_news, in_the_view, in_a_hint, in_an_error])
def test_a_planted_leak_is_seen(plant, monkeypatch):
    plant(monkeypatch)
    with pytest.raises(AssertionError, match="told apart"):
        sum(compared(number, 3) for number in range(5))
