"""Secrets: whatever is sent to a visitor is the same, byte for byte, for deals that the visitor cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from helpers.cases import cases
from helpers.other_deals import other_deals, replay_for
from helpers.sent_bytes import VISITORS, TappedTable, table

from cluedo.engine.board import Board
from cluedo.engine.codec import command_json
from cluedo.engine.commands import Accusation, Hypothesis, Move, Stay
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.errors import IllegalCommand
from cluedo.engine.game import Game
from cluedo.engine.state import REFUTE
from cluedo.session.tables.online_table import OnlineTable
from cluedo.session.tables.seating import TableOptions
from cluedo.web import table_page
from cluedo.web.guard import Guard

SEATS = 3


@cache
def game(seed: int) -> Game:
    """Some turns of a game, with as many questions as can be and one wrong accusation."""
    board, rules, random = Board.load("tiny"), TableOptions("tiny").rules(SEATS), Random(seed)
    found = Game(board, rules, draw_deal(Seeds(seed, 0, SEATS), board.deck, rules))
    accused = False
    while len(found.events) < 45 or found.state.step is REFUTE:  # that somebody can show a card is known as well
        legal = found.legal()
        asking = [
            one for one in legal if isinstance(one, Hypothesis) or (isinstance(one, Move) and one.to >= board.rooms_at)
        ]
        wrong = [one for one in legal if isinstance(one, Accusation) and one.cards != found.state.deal.envelope]
        if wrong and not accused and len(found.events) > 25:
            accused = True
            found.execute(random.choice(wrong))
        else:
            found.execute(random.choice(asking or [one for one in legal if not isinstance(one, Accusation)]))
    return found


def played(at: TappedTable, found: Game, who: str) -> list[Any]:
    """All that is sent to a visitor while this game is played, with a look at everything now and then."""
    for number, command in enumerate(found.commands):
        if number % 9 == 0:
            at.look_around(who)
        if number == len(at.table.session.game.commands):  # the turn of who is out ends by itself
            at.act(command)
    at.look_around(who)
    return at.sent(who)


@cache
def first(seed: int, who: str) -> list[Any]:
    """What is sent to a visitor in the game as it was dealt."""
    with table(game(seed).state.deal) as at:
        return played(at, game(seed), who)


def told_apart(who: str, wanted: int, seed: int = 0) -> Iterator[tuple[Any, Any]]:
    """What is sent to a visitor in a game, and in each of those that they cannot tell from it."""
    # Who watches knows what everybody knows: less than any seat, so a deal that fits a seat's view fits theirs.
    seats = range(SEATS) if who == "watcher" else [VISITORS.index(who)]
    found = ((seat, other_deals(game(seed), seat, Random(seed), wanted)) for seat in seats)
    seat, deals = next((seat, deals) for seat, deals in found if deals)
    for deal in deals:
        with table(deal) as at:
            yield first(seed, who), played(at, replay_for(seat, game(seed), deal), who)


@pytest.mark.slow
@pytest.mark.parametrize("who", VISITORS)
@pytest.mark.parametrize("seed", range(cases(6, 1)))
def test_nothing_that_is_sent_tells_deals_apart_that_a_visitor_cannot(who, seed):
    for one, other in told_apart(who, cases(4), seed):
        assert one == other


def in_a_header(patch: pytest.MonkeyPatch) -> None:
    guarded = Guard.__call__

    async def leaking(guard, scope, receive, send):
        async def leak(message):
            if message["type"] == "http.response.start" and "/sheet" in scope["path"]:
                (opened,) = scope["app"].state.site.tables._open.values()
                message["headers"] = [*message["headers"], (b"etag", str(hands(opened.table)).encode())]
            await send(message)

        await guarded(guard, scope, receive, leak)

    patch.setattr(Guard, "__call__", leaking)


def in_a_page(patch: pytest.MonkeyPatch) -> None:
    setting_json = table_page.setting_json
    patch.setattr(table_page, "setting_json", lambda table: setting_json(table) | {"hands": hands(table)})


def in_a_stream(patch: pytest.MonkeyPatch) -> None:
    update_json = table_page.update_json
    patch.setattr(
        table_page, "update_json", lambda table, key, since: update_json(table, key, since) | {"seed": hands(table)}
    )


def in_an_error(patch: pytest.MonkeyPatch) -> None:
    do = OnlineTable.do

    def leaking(table, seat, after, value):
        if value == {"type": "fly"}:
            raise IllegalCommand("none of {hands} can fly", hands=hands(table))
        do(table, seat, after, value)

    patch.setattr(OnlineTable, "do", leaking)


def hands(table: OnlineTable) -> list[int]:
    """What nobody may be told."""
    return [] if table.session is None else list(table.session.game.state.deal.hands)


@pytest.mark.slow
@pytest.mark.parametrize("leak", [in_a_header, in_a_page, in_a_stream, in_an_error])
def test_a_leak_is_found(leak, monkeypatch):
    first.cache_clear()
    leak(monkeypatch)
    assert all(one != other for one, other in told_apart("Bob", 1))
    first.cache_clear()


@pytest.mark.slow
def test_once_all_cards_are_open_everybody_downloads_the_same():
    with table(game(0).state.deal) as at:
        for name in VISITORS:
            for page in ("record", "replay"):
                assert at.visitors[name].get(f"{at.path}/{page}", follow_redirects=False).status_code == 403
        ann, online = at.visitors["Ann"], at.table
        while online.session.game.state.to_act != 0:
            at.act(online.session.game.legal()[0])
        at.act(Stay())
        sent = command_json(Accusation(*online.session.game.state.deal.envelope), online.board)
        assert ann.send_json(f"{at.path}/do", {"after": online.moment, "do": sent}).status_code == 200
        for page in ("record", "replay"):
            answers = [at.visitors[name].get(f"{at.path}/{page}", follow_redirects=False) for name in VISITORS]
            assert {answer.status_code for answer in answers} == {200 if page == "record" else 303}
            assert len({(answer.content, str(answer.headers)) for answer in answers}) == 1
