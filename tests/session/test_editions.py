"""People play and replay games by the rules of editions: what they are offered, told and shown."""

from __future__ import annotations

import json
from random import Random

import pytest
from helpers.editions import EDITIONS, ask_in_vain, edition_game, unanswered
from helpers.screen_driver import driven, pressed, session as session_of, settled, shown
from helpers.support import drawn_game, make_match, play_random

from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Command, Peek
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.state import END
from cluedo.language import tr
from cluedo.session.actions import CardChoice, offer
from cluedo.session.hints import hint_sections
from cluedo.session.review_text import review_json
from cluedo.session.timeline import review_game
from cluedo.tui.sheet_view import columns, open_cells
from cluedo.web.replay_page import replay_data
from cluedo.words.narration import Story, set_aside_sentences


def played(name: str, number: int = 1) -> Game:
    """A game of simple levels."""
    game = edition_game(name, number, max_turns=14)
    make_match(game, ["medium"] * game.table.seats, number).play()
    return game


@pytest.mark.parametrize("name", EDITIONS)
def test_what_is_offered_may_be_done_and_every_kind_of_command_is_offered(name):
    offered: set[type] = set()
    given: set[type] = set()

    def step(command: Command) -> None:
        view = game.view(game.state.to_act)
        called = [view.table.name(seat) for seat in range(view.table.seats)]
        may_do = offer(view, called, revocable=False)
        assert (may_do.prompt == "End your turn?") == (view.step is END)
        for action in may_do.actions:
            if isinstance(action.value, CardChoice):
                rooms = {legal.room for legal in view.legal() if isinstance(legal, action.value.kind)}
                assert action.value.room in (*rooms, None)
                assert action.value.kind is not Accusation or (action.value.room is None) == (len(rooms) > 1)
                offered.add(action.value.kind)
            elif isinstance(action.value, Command):
                assert action.value in view.legal()
                offered.add(type(action.value))
        assert len({action.key for action in may_do.actions}) == len(may_do.actions)
        given.add(type(command))

    for number in range(6):
        game = edition_game(name, number, max_turns=12)
        play_random(game, Random(number), "eager", before=step)
    assert given <= offered
    rules = Rules(**EDITIONS[name].rules)
    assert (Peek in offered) == rules.peek


@pytest.mark.parametrize("name", EDITIONS)
def test_a_game_is_told_reviewed_and_put_on_a_page(name):
    game = played(name)
    players = [f"P{seat}" for seat in range(game.table.seats)]
    for viewer in (None, 0):
        told = [sentence.text for sentence in Story(game.table, viewer).sentences(game.events)]
        assert all(told)
        timeline, reviews = review_game(game, players, viewer)
        assert reviews
        text = json.dumps([review_json(game, viewer), replay_data(timeline)])
        assert "NaN" not in text
    places = len(columns(game.table, None))
    cells = open_cells(game.table, game.state.deal)
    assert {column for _, column in cells} == set(range(places))
    assert sum(cell.text == "✓" for cell in cells.values()) == game.table.deck.size


def test_nobody_is_told_what_another_one_saw_in_the_pool():
    game = unanswered(peek=True)
    seat = game.state.active
    card = game.table.deck.names[game.execute(Peek(1))[0].card]
    told = {viewer: [*Story(game.table, viewer).sentences(game.events)][-1].text for viewer in (seat, 1 - seat, None)}
    assert told[seat] == f"You look at card 2 of the pool: {card}."
    assert card not in told[1 - seat]
    assert told[None].endswith(f"looks at card 2 of the pool: {card}.")


def test_cards_that_were_not_dealt_are_told_at_the_start():
    game = drawn_game(Board.load("classic"), 4, 1, pool=1, leftover="open")
    first, second = set_aside_sentences(game.table.deck, game.table.pool_size, game.table.open_cards)
    assert first == "1 card lies face down beside the board."
    assert second == f"{tr('Face up for all: {cards}.', cards=game.table.deck.names_in(game.table.open_cards)[0])}"


def test_a_replay_begins_with_the_rules_that_are_not_those_of_the_box():
    game = played("accuse_here")
    timeline, _ = review_game(game, [f"P{seat}" for seat in range(game.table.seats)], None)
    begin = [said.text for said in timeline.log(None) if said.turn == 0]
    assert "Players may accuse only the room they are in." in begin[:-1]
    assert begin[-1] == f"{game.table.name(game.table.first)} begins."


@pytest.mark.parametrize("name", ["two", "together"])
def test_the_detective_hints_at_what_is_legal(name):
    looks = 0
    for number in range(4):
        game = edition_game(name, number, max_turns=10)

        def hinted(_command: Command, game: Game = game) -> None:
            nonlocal looks
            view = game.view(game.state.to_act)
            if Peek.obstacle(view) is None:
                looks += hint_sections(view)[0].title.startswith("Look at a card of the pool")

        play_random(game, Random(number), "eager", before=hinted)
    assert looks


def test_a_person_looks_into_the_pool_by_a_key():
    rules = ["pool=4", "peek=true", "starts=first_suspect", "movement=free"]
    game = session_of("human,easy", "tiny", seed=3, rule=rules)
    ask_in_vain(game.game)

    async def script(app, pilot):
        await settled(app, pilot)
        assert game.game.state.active == 0
        await pressed(pilot, "k")
        await settled(app, pilot)
        card = game.game.table.deck.names[game.game.state.deal.pool[0]]
        assert f"You look at card 1 of the pool: {card}." in " ".join(shown(app, "news").split())
        sheet = app.screen.query_one("#sheet")
        assert sheet.cells[game.game.state.deal.pool[0], 3].text == "✓"

    driven(script, game)
