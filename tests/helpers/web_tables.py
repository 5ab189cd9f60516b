"""Tables of the site for tests: opened, joined and played by requests, as browsers do."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from cluedo.engine.board import Board
from cluedo.web.open_tables import OpenTable
from cluedo.web.shared import Site
from helpers.sites import Client, another

USUAL = {"name": "Ann", "map": "tiny", "movement": "walk", "hints": "on", "clock": "0"}


def state(visitor: Client, path: str) -> dict:
    """What the table's page begins with."""
    answer = visitor.get(path)
    assert answer.status_code == 200, answer.text
    return json.loads(re.search(r'id="state">(.*?)</script>', answer.text, re.S)[1])


def opened(visitor: Client, *others: str, **settings: str) -> str:
    """A new table of this visitor; its path."""
    seats = {f"seat-{k}": who for k, who in enumerate(others, start=1)}
    answer = visitor.send_form("/play", **USUAL | settings, **seats)
    assert answer.status_code == 200, answer.text
    return answer.url.path


def begun(visitor: Client, *others: str, **settings: str) -> str:
    """A new table of this visitor, whose game has begun; its path."""
    path = opened(visitor, *others, **settings)
    visitor.send_form(f"{path}/start")
    return path


def joined(visitor: Client, path: str, name: str) -> Client:
    """Somebody else, who has sat down there."""
    other = another(visitor)
    assert other.send_form(path, name=name).status_code == 200
    return other


def look_in(visitor: Client, path: str, seat: int) -> None:
    """Let the browser of a seat connect, and go."""

    async def come_and_go(table: OpenTable) -> None:
        async with table.connection(table.table.seats[seat].key):
            pass

    visitor.portal.call(come_and_go, open_table(visitor, path))


def site_of(visitor: Client) -> Site:
    """The site that this visitor is at."""
    return visitor.app.app.state.site


def open_table(visitor: Client, path: str) -> OpenTable:
    """The table at a path, as the server has it."""
    return visitor.portal.call(site_of(visitor).tables.get, path.rpartition("/")[2])


DECK = Board.load("tiny").deck


def choose_command(now: dict, random: Random) -> dict:
    """Something that is offered; cards are named at random, and nobody accuses."""
    kept = ("accusation", "take_back")
    offered = [action["do"] for action in now["offer"]["actions"] if action["do"]["type"] not in kept]
    chosen = random.choice(offered)
    if "name" in chosen:
        cards = (0, DECK.weapons.start, chosen["room"])
        return {"type": chosen["type"], "cards": [DECK.names[card] for card in cards]}
    return chosen


def play(visitors: list[Client], path: str, moves: int) -> None:
    """So many commands of the people, whoever's turn it is."""
    random = Random(1)
    for _ in range(4000):
        for visitor in visitors:
            now = state(visitor, path)["now"]
            if now["end"]:  # a level was quick
                return
            if now["offer"]:
                sent = visitor.send_json(f"{path}/do", {"after": now["moment"], "do": choose_command(now, random)})
                assert sent.status_code == 200, sent.text
                moves -= 1
        if moves <= 0:
            return
    pytest.fail("nobody is asked")
