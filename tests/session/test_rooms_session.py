"""Rooms without a network: what is shown of a game, how clocks run, and who plays for whom."""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest
from helpers.other_deals import other_deals, replay_for

from cluedo.engine.codec import command_json, read_command
from cluedo.engine.commands import Accusation, Command, EndTurn, Hypothesis, ShowCard, Stay
from cluedo.engine.editions import shipped_editions
from cluedo.engine.errors import CluedoError, IllegalCommand
from cluedo.engine.events import Shown
from cluedo.engine.mapfile import map_names
from cluedo.engine.state import OVER, REFUTE
from cluedo.session.level_choice import think
from cluedo.session.rooms.room import TAKE_BACK, MomentPassed, Room, create_room
from cluedo.session.rooms.scenes import first_scene, next_scene
from cluedo.session.rooms.seating import RoomError, RoomOptions
from cluedo.session.rooms.showing import events_json, setting, state_json
from cluedo.session.rooms.turn_clock import TurnClock
from cluedo.web.open_rooms import OpenRoom
from cluedo.web.shared import Site, SiteSettings


class Time:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def begun(*others: str, clock: int = 0, movement: str = "walk") -> tuple[Room, Time]:
    """A game that has begun; Ann, the host, sits on seat 0, other people hold the keys k1, k2 …"""
    time = Time()
    room = create_room("room", RoomOptions("tiny", movement, hints=True, clock=clock), "k0", "Ann", others)
    room.clock = TurnClock(time)
    for number in room.open_chairs:
        room.sit(f"k{number}", f"Bob{number}")
    room.arrive("k0")
    room.start("k0")
    return room, time


def choose(room: Room, random: Random) -> Command:
    """A legal command for whoever has to act; nobody accuses before the game is long."""
    game = room.session.game
    late = len(game.events) > 60
    legal = [command for command in game.legal() if late or type(command).__name__ != "Accusation"]
    asked = [command for command in legal if isinstance(command, Hypothesis)]
    return random.choice(asked or legal)


def play(room: Room, events: int, random: Random) -> None:
    """Play at random until there have been so many events, or the game is over."""
    while room.phase == "playing" and len(room.session.game.events) < events:
        seat = room.session.game.state.to_act
        command = choose(room, random)
        if room.thinker():
            room.answer(room.moment, seat, [command])
        else:
            room.do(seat, room.moment, command_json(command, room.board))


def everything(room: Room, seat: int | None) -> str:
    """All that a seat is shown, as it goes over the wire."""
    values = [setting(room), state_json(room, seat), events_json(room, seat, 0)]
    return json.dumps(values, ensure_ascii=False)


# ---- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_seat_is_shown_the_same_bytes_for_deals_that_it_cannot_tell_apart(seat):
    checked = 0
    for seed in range(30):  # a room deals anew each time, and late in a game few other deals fit
        if checked >= 12:
            break
        random = Random(seed)
        room, _ = begun("open", "easy")
        play(room, 50 + 15 * (seed % 3), random)
        while room.phase == "playing" and room.session.game.state.step is REFUTE:  # that one can show is known as well
            play(room, len(room.session.game.events) + 1, random)
        game, moments = room.session.game, room.moment
        if room.phase == "over":
            continue
        # Who watches knows what everybody knows: less than any seat, so a deal that fits a seat's view fits theirs.
        for deal in other_deals(game, 0 if seat is None else seat, random, 6, 300):
            mine = everything(room, seat)
            room.session.game = replay_for(0 if seat is None else seat, game, deal)
            room._scenes.clear()
            for sheet in room._sheets:
                sheet.forget()
            assert everything(room, seat) == mine
            assert room.moment == moments
            room.session.game = game
            for sheet in room._sheets:
                sheet.forget()
            checked += 1
    assert checked >= 12


def test_who_watches_is_shown_no_hand_no_card_and_no_offer():
    random = Random(5)
    room, _ = begun("open", "easy")
    while not any(isinstance(event, Shown) for event in room.session.game.events):
        if room.phase == "over":
            room, _ = begun("open", "easy")
        play(room, len(room.session.game.events) + 1, random)
    now = state_json(room, None)
    assert (now["hand"], now["offer"], now["sheet"]) == ([], None, None)
    said = [event["text"] for event in events_json(room, None, 0) if event["kind"] == "Shown"]
    assert all(text.endswith("a card.") for text in said)


@pytest.mark.parametrize("seat", [0, 1, None], ids=["who shows or waits", "another seat", "a spectator"])
def test_while_somebody_must_show_a_card_it_is_still_the_askers_turn(seat):
    met = set()
    for seed in range(8):
        (room, _), random = begun("open", "easy", movement="free"), Random(seed)
        while room.phase == "playing":
            play(room, len(room.session.game.events) + 1, random)
            state, now = room.session.game.state, state_json(room, seat)
            last = events_json(room, seat, 0)[-1]
            if room.phase != "playing" or state.step is not REFUTE:
                continue
            assert (last["turn"], last["whose"]) == (now["turn"], now["active"]) == (state.turn, state.active)
            who, asker = (room.session.called[at] for at in (state.to_act, state.active))
            told = "you" if state.active == seat else asker
            if state.to_act != seat:
                assert now["prompt"] == f"{who} must show {told} a card …"
                met.add(told == "you")
    assert met == ({True, False} if seat is not None else {False})


# ---- scenes --------------------------------------------------------------------------------------


def test_scenes_end_where_the_game_stands():
    for seed in range(4):
        room, _ = begun("open", "easy", movement="free" if seed == 3 else "walk")
        play(room, 90, Random(seed))
        game = room.session.game
        scene = first_scene(room.board)
        for event in game.events:
            scene = next_scene(game.table, scene, event)
        assert (scene.pawns, scene.weapons) == (game.state.pawns, game.state.weapons)


# ---- what is done ---------------------------------------------------------------------------------------


def test_what_is_offered_is_what_can_be_done():
    random = Random(3)
    room, _ = begun("open", "open")
    for _ in range(60):
        seat = room.session.game.state.to_act
        offer = state_json(room, seat)["offer"]
        assert offer["actions"]
        for action in offer["actions"]:
            if not action["do"].get("name"):
                assert action["do"] == TAKE_BACK or read_command(action["do"], room.board)
        legal = {json.dumps(command_json(command, room.board)) for command in room.session.game.legal()}
        assert {json.dumps(place["do"]) for place in offer["walk"]} == {do for do in legal if '"move"' in do}
        plain = {json.dumps(action["do"]) for action in offer["actions"] if not action["do"].get("name")}
        assert plain - {json.dumps(TAKE_BACK)} <= legal
        room.do(seat, room.moment, command_json(choose(room, random), room.board))


def test_a_command_of_a_moment_that_has_passed_is_refused():
    room, _ = begun("open", "open")
    seat, before = room.session.game.state.to_act, room.moment
    room.do(seat, before, {"type": "stay"})
    with pytest.raises(MomentPassed):
        room.do(seat, before, {"type": "stay"})


def test_a_move_is_taken_back_and_told_anew():
    room, _ = begun("open", "open")
    seat, before = room.session.game.state.to_act, events_json(room, 0, 0)
    room.do(seat, room.moment, {"type": "stay"})
    seen = room.moment
    room.do(seat, room.moment, TAKE_BACK)
    assert events_json(room, 0, 0) == before
    assert room.seen_until(seen) == 0, "who saw it is told everything anew"
    with pytest.raises(IllegalCommand):
        room.do(seat, room.moment, TAKE_BACK)


# ---- levels and clocks ---------------------------------------------------------------------------


def test_a_level_that_is_asked_again_answers_the_same():
    room, _ = begun("easy", "random")
    while (thinker := room.thinker()) is None:
        play(room, len(room.session.game.events) + 1, Random(1))
    question = room.question(*thinker)
    assert think(question) == think(question)


def test_a_level_that_was_asked_of_another_moment_changes_nothing():
    room, _ = begun("easy", "easy")
    before = room.moment
    room.answer("1.0.999", room.session.game.state.to_act, [Stay(), EndTurn()])
    assert room.moment == before


def accused_wrongly(room: Room) -> list[Command]:
    """What a level chooses that accuses wrongly in its turn."""
    deal, deck = room.session.game.state.deal, room.board.deck
    suspect, weapon, at = deal.envelope
    other = next(card for card in deck.suspects if card != suspect)
    return [Stay(), Accusation(other, weapon, at), EndTurn()]


def levels_turn(room: Room) -> int:
    """Play until a level is to move; its seat."""
    while (thinker := room.thinker()) is None or room.session.game.state.step is REFUTE:
        play(room, len(room.session.game.events) + 1, Random(1))
    return thinker[0]


def test_a_level_that_accuses_wrongly_is_out_and_everybody_is_told():
    room, _ = begun("easy", "easy")
    seat = levels_turn(room)
    turn, changes = room.session.game.state.turn, room.changes
    room.answer(room.moment, seat, accused_wrongly(room))
    assert room.session.game.state.eliminated == 1 << seat
    assert room.session.game.state.turn == turn + 1
    assert room.changes > changes
    assert '"accusation"' in room.pending.lines[-1]


def test_the_last_who_is_left_ends_the_game_by_a_wrong_accusation():
    room, _ = begun("easy", "easy")
    seat = levels_turn(room)
    game = room.session.game
    game.state.eliminated = (1 << game.table.seats) - 1 - (1 << seat)
    room.answer(room.moment, seat, accused_wrongly(room))
    assert game.over


def test_what_a_level_did_before_it_failed_is_kept_and_told():
    room, _ = begun("easy", "easy")
    seat = levels_turn(room)
    changes = room.changes
    with pytest.raises(IllegalCommand):
        room.answer(room.moment, seat, [Stay(), ShowCard(0)])
    assert room.changes > changes
    assert '"stay"' in room.pending.lines[-1]


def test_who_takes_too_long_is_played_by_a_level_until_they_are_back():
    room, time = begun("open", "open", clock=30)
    seat = room.session.game.state.to_act
    time.now = 29.0
    assert room.clock.left == 1.0
    room.look_at_clock()
    assert room.thinker() is None
    time.now = 30.0
    room.look_at_clock()
    assert room.thinker() == (seat, "medium")
    assert state_json(room, seat)["offer"] is None
    assert state_json(room, seat)["chairs"][seat]["away"]
    room.come_back(seat)
    assert room.thinker() is None
    assert room.clock.left == 30.0


def test_a_rematch_leaves_nobody_away():
    room, time = begun("open", "open", clock=30)
    seat = room.session.game.state.to_act
    time.now = 30.0
    room.look_at_clock()
    assert room.away == {seat}
    room.session.game.state.step = OVER
    host = room.chairs[0].key
    room._vacate(room.chairs[1])
    room.rematch(host)
    assert room.away == set()


def test_a_command_that_is_refused_brings_nobody_back():
    room, time = begun("open", "open", clock=30)
    seat = room.session.game.state.to_act
    time.now = 30.0
    room.look_at_clock()
    changes = room.changes
    for refused in ({"type": "fly"}, {"type": "end_turn"}, TAKE_BACK):
        with pytest.raises(CluedoError):
            room.do(seat, room.moment, refused)
    assert (room.away, room.changes) == ({seat}, changes)
    room.do(seat, room.moment, {"type": "stay"})
    assert not room.away


def person_to_move(*others: str, clock: int) -> tuple[Room, Time, int]:
    """A game in which it is a person's turn, who is not there; the other one is."""
    while True:
        room, time = begun(*others, clock=clock)
        seat = room.session.game.state.to_act
        if room.chairs[seat].kind == "person":
            return room, time, seat


def test_no_time_runs_while_a_level_thinks():
    room, _ = begun("open", "easy", clock=60)
    assert (room.clock.left is None) == (room.thinker() is not None)


def test_time_runs_on_while_nobody_is_there_and_ends_a_turn_once_somebody_waits():
    """With a day for a turn, people look in now and then, and seldom at the same time."""
    room, time, seat = person_to_move("open", "open", clock=86_400)
    absent, other = (room.chairs[k].key for k in (seat, (seat + 1) % 3))
    room.depart("k0")
    for now in (20_000.0, 60_000.0):
        time.now = now
        room.arrive(other)
        assert room.time_left == 86_400 - now
        room.depart(other)
    time.now = 90_000.0
    assert room.time_left is None
    room.look_at_clock()
    assert room.thinker() is None, "nobody waits"
    room.arrive(other)
    assert room.time_left == 0.0
    room.look_at_clock()
    assert room.thinker() == (seat, "medium")
    assert absent not in room.present


def test_who_comes_first_to_their_turn_has_all_the_time_for_it():
    room, time, seat = person_to_move("open", "open", clock=30)
    room.depart("k0")
    time.now = 1_000.0
    room.arrive(room.chairs[seat].key)
    assert room.time_left == 30.0


def test_the_clock_goes_on_while_no_server_runs():
    room, time, seat = person_to_move("open", "open", clock=300)
    time.now = 100.0
    again = Room.from_json("room", room.to_json(), [*room.pending.lines])
    again.clock._now = time
    again.arrive(room.chairs[(seat + 1) % 3].key)
    assert again.time_left == 200.0
    older = json.loads(room.to_json())
    del older["clock"]
    again = Room.from_json("room", json.dumps(older), [*room.pending.lines])
    again.clock._now = time
    again.arrive(room.chairs[seat].key)
    assert again.time_left == 300.0


def test_a_turn_has_one_clock_for_all_of_its_choices():
    room, time = begun("open", "open", clock=60)
    seat = room.session.game.state.to_act
    time.now = 20.0
    room.do(seat, room.moment, {"type": "stay"})
    assert room.clock.left == 40.0
    room.do(seat, room.moment, {"type": "end_turn"})
    assert room.clock.left == 60.0


def test_who_comes_back_gives_nobody_else_more_time():
    room, time = begun("open", "open", clock=60)
    other = (room.session.game.state.to_act + 1) % 3
    room.away.add(other)
    time.now = 20.0
    room.come_back(other)
    assert room.clock.left == 40.0


def test_who_is_woken_for_nothing_waits_for_the_rest_of_the_time_only():
    room, _ = begun("open", "open")
    now = 0.0

    async def until_it_is_over() -> float:
        loop = asyncio.get_running_loop()
        loop.time = lambda: now
        site = Site(SiteSettings())
        open_room = OpenRoom(site, room)
        waiting = asyncio.create_task(open_room.wait_for_change(room.changes, 30.0))
        nonlocal now
        while not waiting.done() and now < 100.0:
            now += 10.0
            open_room.tell()  # a mark on somebody's sheet, say
            for _ in range(5):
                await asyncio.sleep(0)
        assert waiting.done()
        assert not waiting.result()
        await open_room.close()
        site.close()
        return now

    assert asyncio.run(until_it_is_over()) == 40.0


# ---- two players ---------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["edition:two", *map_names()])
def test_two_may_play_on_every_board_and_by_the_edition_for_two(table):
    options = RoomOptions.checked(table, "free", False, 0)
    room = create_room("room", options, "k0", "Ann", ["open"])
    room.sit("k1", "Bob")
    room.start("k0")
    game = room.session.game
    assert (room.phase, game.table.seats) == ("playing", 2)
    assert game.table.pool_size >= 1
    assert state_json(room, game.state.to_act)["offer"]["actions"]


@pytest.mark.parametrize("edition", shipped_editions(), ids=lambda edition: edition.name)
def test_an_edition_has_as_many_chairs_as_it_is_for(edition):
    options = RoomOptions.checked(f"edition:{edition.name}", "free", False, 0)
    least, most = edition.players
    wrong = [least - 1, most + 1] if most < 6 else [least - 1]
    for count in wrong:
        with pytest.raises(CluedoError, match=f"edition {edition.name} is for {least} "):
            create_room("room", options, "k0", "Ann", ["open"] * (count - 1))
    room = create_room("room", options, "k0", "Ann", ["easy"] * (least - 1))
    if most == least:
        with pytest.raises(RoomError, match="can have no more seats"):
            room.add_chair("k0")
    room.remove_chair("k0", 1)
    with pytest.raises(CluedoError, match=f"edition {edition.name} is for {least} "):
        room.start("k0")


# ---- keeping -------------------------------------------------------------------------------------


def test_a_room_is_the_same_after_it_was_kept():
    random = Random(4)
    room, _ = begun("open", "easy")
    lines: list[str] = []

    def keep() -> None:
        if room.pending.fresh:
            lines.clear()
        lines.extend(room.pending.lines)
        room.pending.mark_saved(len(room.pending.lines))

    for events in (10, 20, 30):
        play(room, events, random)
        keep()
    room.set_chair("k0", 1, "open")
    keep()
    play(room, 40, random)
    keep()
    again = Room.from_json("room", room.to_json(), lines)
    for seat in (0, 1, None):
        then, now = (json.loads(everything(each, seat)) for each in (again, room))
        then[1]["chairs"][0]["online"] = True  # nobody has come back yet
        assert then == now
    again.arrive("k0")
    play(again, 60, random)
    room_sheet = again.sheet(0)
    assert not room_sheet.marks
