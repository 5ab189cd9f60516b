"""What the page of a seat shows of a table, as plain values, and nothing that the seat may not know.

All of it comes from the view of the seat. Somebody who only watches sees nobody's cards. What has changed since a
moment is told as the events since then, one by one, and as the state of everything now.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from cluedo.engine.board import Board
from cluedo.engine.cards import Category, bits
from cluedo.engine.codec import command_json
from cluedo.engine.commands import Move
from cluedo.engine.events import Event, Peeked, Rolled, Shown, as_seen_by
from cluedo.engine.game import Game
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.actions import CardChoice, Offer, PersonCommand, TakeBack, waiting_for
from cluedo.session.level_choice import PREPARING
from cluedo.session.seat_sheet import SeatSheet
from cluedo.session.tables.online_table import TAKE_BACK, OnlineTable
from cluedo.session.tables.seating import Newcomer
from cluedo.session.tables.table_session import TableSession
from cluedo.words.narration import Story, place_name, turns_of

__all__ = ["events_json", "setting_json", "state_json", "update_json"]

_NOBODY = -1
_WATCHED = 50
"""Events, the latest, that are told with the board after them: who has missed more does not watch all of it again."""


def setting_json(table: OnlineTable) -> dict[str, Any]:
    """What does not change during a game: the cards, who plays which suspect, and how many cards they hold."""
    assert table.session is not None, "the cards are dealt"
    game_table = table.session.game.table
    deck, board = game_table.deck, game_table.board
    return {
        "cards": list(deck.names),
        "categories": [
            [tr(category.title), ids.start, ids.stop] for category, ids in zip(Category, deck.ids, strict=True)
        ],
        "suspects": list(game_table.suspects),
        "colours": [suspect.colour for suspect in board.map.suspects],
        "pictures": board.map.pictures,
        "names": game_table.names,
        "sizes": list(game_table.hand_sizes),
        "rooms": board.rooms_at,
    }


def state_json(table: OnlineTable, seat: int | None, *, host: bool = False) -> dict[str, Any]:
    """The present state of the table for a seat, or for a spectator (None)."""
    now: dict[str, Any] = {
        "moment": table.moment,
        "phase": table.phase,
        "you": seat,
        "host": host,
        "seats": [_table_seat(table, number, seat) for number in range(len(table.seats))],
        "watching": max(0, table.present[""]),
        "newcomers": [],
    }
    if table.session is not None:
        now |= _game(table, table.session, seat)
    return now


def update_json(table: OnlineTable, key: str, since: int) -> dict[str, Any]:
    """An update for the holder of a key who has seen ``since`` events: the later events, and the present state."""
    seat = table.seat_of(key)
    return {
        "from": since,
        "events": events_json(table, seat, since),
        "now": {**state_json(table, seat, host=table.is_host(key)), "frees": key == table.host},
    }


def events_json(table: OnlineTable, seat: int | None, since: int) -> list[dict[str, Any]]:
    """The events from number ``since`` on, as a seat saw them, the latest with the board after each."""
    if table.session is None:
        return []
    session, events = table.session, table.session.game.events
    tell = cache(Story(session.game.table, seat).tell)  # in a long game, most has happened before
    said = [
        {"turn": turn, "whose": whose, **_event_json(tell, seat, event)}
        for turn, whose, event in islice(turns_of(events), since, None)
    ]
    for later, latest in enumerate(reversed(said[-_WATCHED:])):
        latest.update(session.scene(len(events) - later))
    return said


def _event_json(tell: Callable[[Event], str], seat: int | None, event: Event) -> dict[str, Any]:
    seen = as_seen_by(event, seat)
    said: dict[str, Any] = {"seat": event.seat, "kind": type(event).__name__, "text": tell(seen)}
    if isinstance(event, Rolled):
        said["dice"] = list(event.dice)
    card = seen.card if isinstance(seen, Shown | Peeked) else None
    said["mine"] = card is not None
    if card is not None and not (isinstance(seen, Shown) and seen.seat == seat):
        said["card"] = card  # which this seat has just come to see
    return said


def _newcomer(session: TableSession, newcomer: Newcomer) -> dict[str, Any]:
    """Like an event: everybody is told who plays a suspect from now on, and sees the cards."""
    suspect = session.game.table.names[newcomer.seat]
    text = tr("{name} now plays {suspect}.", name=newcomer.name, suspect=suspect)
    return {
        "seat": newcomer.seat,
        "turn": newcomer.turn,
        "whose": newcomer.whose,
        "after": newcomer.after,
        "text": text,
    }


def _table_seat(table: OnlineTable, number: int, viewer: int | None) -> dict[str, Any]:
    """Who sits on a seat, as everybody may know; whoever looks is there, also before their page listens."""
    table_seat = table.seats[number]
    deck = table.board.deck
    suspect = None if table_seat.suspect is None else deck.names[deck.suspects[table_seat.suspect]]
    colour = None if table_seat.suspect is None else table.board.map.suspects[table_seat.suspect].colour
    away = table.session is not None and number in table.session.away
    return {
        "kind": table_seat.kind,
        "name": "" if table_seat.kind == "open" and table.session is None else table_seat.played_by,
        "suspect": suspect,
        "colour": colour,
        "online": table_seat.kind == "person" and (number == viewer or table.present[table_seat.key] > 0),
        "away": away,
        "host": table.is_host(table_seat.key),
    }


def _game(table: OnlineTable, session: TableSession, seat: int | None) -> dict[str, Any]:
    game = session.game
    view = _public(game) if seat is None else game.view(seat)
    told_to = seat if seat is not None and seat not in session.away else None
    offer = None if told_to is None else session.offer(told_to)
    return {
        "newcomers": [_newcomer(session, newcomer) for newcomer in session.newcomers],
        "turn": view.turn,
        "active": view.active,
        "to_act": None if game.over else view.to_act,
        "out": bits(view.eliminated),
        "dice": list(view.dice or ()),
        "hand": bits(view.hand),
        "face_up": bits(view.face_up),
        "board": session.scene(view.time),
        "prompt": _prompt(table, session, view, offer),
        "offer": None if offer is None else _offer(view, offer),
        "sheet": None if seat is None else _sheet(session.sheets[seat], view),
        "clock": None if table.clock.left is None else round(table.clock.left, 1),
        "end": _end(game) if game.over else None,
        "called": session.called,
    }


def _public(game: Game) -> PlayerView:
    """What everybody may know: the view of somebody who sits on no seat."""
    return game.view(0)._replace(seat=_NOBODY, hand=0, seen=(), card_shown=None)


def _prompt(table: OnlineTable, session: TableSession, view: PlayerView, offer: Offer | None) -> str:
    if session.game.result is not None:
        return Story(view.table, None if view.seat == _NOBODY else view.seat).ending(session.game.result)
    if table.prepared_percent is not None and session.thinker() is not None:
        return tr(PREPARING, done=table.prepared_percent)
    return offer.prompt if offer is not None else waiting_for(view, session.called)


def _offer(view: PlayerView, offer: Offer) -> dict[str, Any]:
    return {
        "actions": [
            {"key": action.key, "text": action.sentence, "do": _action_json(action.value, view.board)}
            for action in offer.actions
        ],
        "walk": _walk(view, offer.walk),
    }


def _action_json(command: PersonCommand, board: Board) -> dict[str, Any]:
    """What a person can do, as JSON; if cards have to be named, ``"name": true`` and perhaps the room that is given."""
    if isinstance(command, TakeBack):
        return TAKE_BACK
    if isinstance(command, CardChoice):
        return {"type": command.kind.word, "name": True, "room": command.room}
    return command_json(command, board)


def _walk(view: PlayerView, walk: int) -> list[dict[str, Any]]:
    """The places that can be walked to: rooms by name, and squares with where they are."""
    board = view.board
    found = []
    for place in bits(walk):
        node = board.node(place)
        at = {} if isinstance(node, str) or not board.has_grid else {"at": [node[0], node[1]]}
        found.append({"place": place, "name": place_name(board, place), "do": _action_json(Move(place), board), **at})
    return found


def _sheet(sheet: SeatSheet, view: PlayerView) -> dict[str, Any]:
    """What stands in each cell, as card, column, sign and whether the game says so; and the notes by card."""
    cells = [[card, column, sign, int(seen)] for (card, column), (sign, seen) in sorted(sheet.read(view).items())]
    return {"cells": cells, "notes": {str(card): note for card, note in sorted(sheet.notes.items())}}


def _end(game: Game) -> dict[str, Any]:
    """What the page shows at the end, with all cards open; the prompt says how it ended."""
    deal = game.state.deal
    return {
        "winner": game.state.winner,
        "envelope": list(deal.envelope),
        "hands": [bits(hand) for hand in deal.hands],
    }
