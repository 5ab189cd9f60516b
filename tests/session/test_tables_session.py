"""Tables without a network: what is shown of a game, how clocks run, and who plays for whom."""

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
from cluedo.engine.game import Game
from cluedo.engine.mapfile import map_names
from cluedo.engine.record import GameRecord
from cluedo.engine.state import OVER, REFUTE
from cluedo.session.level_choice import think
from cluedo.session.tables.online_table import TAKE_BACK, MomentPassed, OnlineTable, create_table
from cluedo.session.tables.scenes import first_scene, next_scene
from cluedo.session.tables.seating import TableOptions
from cluedo.session.tables.showing import events_json, setting_json, state_json
from cluedo.session.tables.turn_clock import TurnClock
from cluedo.web.open_tables import OpenTable
from cluedo.web.shared import Site, SiteSettings


class Time:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def begun(*others: str, clock: int = 0, movement: str = "walk") -> tuple[OnlineTable, Time]:
    """A game that has begun; Ann, the host, sits on seat 0, other people hold the keys k1, k2 …"""
    time = Time()
    table = create_table("table", TableOptions("tiny", movement, hints=True, clock=clock), "k0", "Ann", others)
    table.clock = TurnClock(time)
    for number in table.open_seats:
        table.sit(f"k{number}", f"Bob{number}")
    table.arrive("k0")
    table.start("k0")
    return table, time


def choose(table: OnlineTable, random: Random) -> Command:
    """A legal command for whoever has to act; nobody accuses before the game is long."""
    game = table.session.game
    late = len(game.events) > 60
    legal = [command for command in game.legal() if late or type(command).__name__ != "Accusation"]
    asked = [command for command in legal if isinstance(command, Hypothesis)]
    return random.choice(asked or legal)


def play(table: OnlineTable, events: int, random: Random) -> None:
    """Play at random until there have been so many events, or the game is over."""
    while table.phase == "playing" and len(table.session.game.events) < events:
        seat = table.session.game.state.to_act
        command = choose(table, random)
        if table.thinker():
            table.carry_out(table.moment, [command])
        else:
            table.do(seat, table.moment, command_json(command, table.board))


def everything(table: OnlineTable, seat: int | None) -> str:
    """All that a seat is shown, as it goes over the wire."""
    values = [setting_json(table), state_json(table, seat), events_json(table, seat, 0)]
    return json.dumps(values, ensure_ascii=False)


# ---- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_seat_is_shown_the_same_bytes_for_deals_that_it_cannot_tell_apart(seat):
    checked = 0
    for seed in range(30):  # a table deals anew each time, and late in a game few other deals fit
        if checked >= 12:
            break
        random = Random(seed)
        table, _ = begun("open", "easy")
        play(table, 50 + 15 * (seed % 3), random)
        while table.phase == "playing" and table.session.game.state.step is REFUTE:  # that one can show is known too
            play(table, len(table.session.game.events) + 1, random)
        game, moments = table.session.game, table.moment
        if table.phase == "over":
            continue
        # Who watches knows what everybody knows: less than any seat, so a deal that fits a seat's view fits theirs.
        for deal in other_deals(game, 0 if seat is None else seat, random, 6, 300):
            mine = everything(table, seat)
            table.session.game = replay_for(0 if seat is None else seat, game, deal)
            table.session._scenes.clear()
            for sheet in table.session.sheets:
                sheet.forget()
            assert everything(table, seat) == mine
            assert table.moment == moments
            table.session.game = game
            for sheet in table.session.sheets:
                sheet.forget()
            checked += 1
    assert checked >= 12


PLAYING = "somebody who is playing, or was less than two minutes ago"


def test_nobody_else_is_let_into_the_seat_of_somebody_who_plays():
    table, _ = begun("open", "easy")
    table.arrive("k1")
    table.arrive("")  # who watches
    for who in ("open", "medium"):
        with pytest.raises(CluedoError, match=PLAYING):
            table.set_seat("k0", 1, who)
    table.let_level_play("k0", 1)
    with pytest.raises(CluedoError, match=PLAYING):  # nor in two steps
        table.set_seat("k0", 1, "open")
    table.set_seat("k0", 2, "open")  # of a level
    assert table.open_seats == [2]


def test_a_level_plays_for_somebody_as_the_host_says_until_they_are_back():
    table, _ = begun("open", "easy")
    table.arrive("k1")
    table.let_level_play("k0", 1)
    assert state_json(table, 1)["seats"][1]["away"]
    while table.session.game.state.to_act != 1:
        play(table, len(table.session.game.events) + 1, Random(1))
    assert table.thinker() == (1, "medium")
    assert state_json(table, 1)["offer"] is None
    table.come_back(1)
    assert table.seat_of("k1") == 1
    assert table.thinker() is None
    assert state_json(table, 1)["offer"] is not None


@pytest.mark.parametrize("seat", [0, 2], ids=["the host's own", "a level's"])
def test_a_level_plays_for_no_host_and_for_no_level(seat):
    table, _ = begun("open", "easy")
    with pytest.raises(CluedoError, match="cannot be given"):
        table.let_level_play("k0", seat)
    with pytest.raises(CluedoError, match="only the host"):
        table.let_level_play("k1", seat)


@pytest.mark.parametrize("late", [False, True], ids=["in time", "a level plays for them"])
def test_the_seat_of_somebody_who_has_gone_for_a_moment_is_theirs_for_two_minutes(late):
    table, time = begun("open", "easy", clock=30)
    table.arrive("k1")
    if late:
        table.let_level_play("k0", 1)
    with pytest.raises(CluedoError, match=PLAYING):
        table.set_seat("k0", 1, "open")
    time.now = 1000.0
    table.depart("k1")
    time.now = 1119.0
    with pytest.raises(CluedoError, match=PLAYING):
        table.set_seat("k0", 1, "open")
    time.now = 1120.0
    table.set_seat("k0", 1, "open")
    assert table.open_seats == [1]
    table.sit("k5", "Eve")
    table.set_seat("k0", 1, "easy")  # Eve has not been here
    assert table.seat_of("k5") is None


def test_while_the_host_has_gone_somebody_who_is_there_is_host():
    table, time = begun("open", "open", "easy")
    table.arrive("k2")
    table.depart("k0")
    time.now = 119.0
    assert table.is_host("k0")
    assert table.next_look == 1.0
    time.now = 120.0
    assert table.next_look is None
    changes = table.changes
    table.look_at_clock()
    assert table.changes > changes, "everybody is told"
    assert [table.is_host(key) for key in ("k0", "k1", "k2", "")] == [False, False, True, False]
    table.let_level_play("k2", 0)
    table.arrive("k0")
    assert [table.is_host(key) for key in ("k0", "k1", "k2", "")] == [True, False, False, False]


def test_nobody_is_host_in_place_of_one_who_has_gone_while_nobody_is_there():
    table, time = begun("open", "easy")
    table.depart("k0")
    time.now = 1000.0
    assert table.is_host("k0")
    assert table.next_look is None


def test_whoever_is_host_while_another_has_gone_frees_no_seat_of_a_game_whose_cards_they_could_see_then():
    table, time = begun("open", "open", "easy")
    table.arrive("k1")
    table.depart("k0")
    time.now = 1000.0
    for gone in (0, 2):
        with pytest.raises(CluedoError, match="while the host has gone"):
            table.set_seat("k1", gone, "open")
        table.let_level_play("k1", gone)
    with pytest.raises(CluedoError, match="while the host has gone"):
        table.set_seat("k1", 3, "open")
    table.set_seat("k1", 3, "hard")
    table.leave("k0")
    assert table.is_host("k1")
    table.set_seat("k1", 2, "open")


def test_before_the_game_whoever_is_host_after_another_has_gone_may_remove_them_and_deal():
    table = create_table("table", TableOptions("tiny"), "k0", "Ann", ["open", "open", "easy"])
    time = Time()
    table.clock = TurnClock(time)
    table.sit("k1", "Bob")
    table.arrive("k0")
    table.arrive("k1")
    table.depart("k0")
    time.now = 1000.0
    table.remove_seat("k1", 0)
    table.set_seat("k1", 1, "easy")
    table.start("k1")
    assert table.phase == "playing"


def test_between_two_games_every_seat_but_the_hosts_may_be_freed():
    table, _ = begun("open", "open")
    table.arrive("k1")
    play(table, 10_000, Random(1))
    table.leave("k2")
    table.rematch("k0")
    assert table.phase == "lobby"
    table.set_seat("k0", 0, "open")  # where Bob1 sits, who is there
    assert table.open_seats == [0, 1]


def test_the_record_names_all_who_have_played_a_seat_and_nobody_who_has_not():
    table, time = begun("open", "easy")

    def names(table: OnlineTable) -> list[str]:
        return [player.name for player in GameRecord.from_json(table.record).players]

    def until_it_is(seat: int) -> None:
        while table.session.game.state.to_act != seat:
            play(table, len(table.session.game.events) + 1, Random(1))
        play(table, len(table.session.game.events) + 1, Random(1))

    until_it_is(2)
    until_it_is(1)
    table.let_level_play("k0", 1)
    assert names(table)[1] == "human:Bob1"
    until_it_is(1)
    assert names(table)[1] == "human:Bob1, medium"
    time.now = 1000.0
    table.set_seat("k0", 1, "open")
    table.sit("k5", "Eve")
    table.set_seat("k0", 1, "expert")  # before she has done anything
    table.set_seat("k0", 2, "hard")
    until_it_is(2)
    until_it_is(1)
    again = OnlineTable.from_json("table", table.to_json(), table.pending.lines)
    assert names(again) == names(table)
    assert names(table)[1:] == ["human:Bob1, medium, expert", "easy, hard"]
    table.session.played[1] = [f"human:{letter * 40}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert names(table)[1].endswith(", " + "z" * 40)


def test_whoever_sits_down_after_the_end_reads_no_notes_of_the_one_before():
    table, _ = begun("open", "easy")
    table.write(1, {"card": 2, "note": "mine alone"})
    play(table, 10_000, Random(1))
    assert table.phase == "over"
    table.leave("k1")
    table.sit("k5", "Eve")
    assert state_json(table, 1)["sheet"]["notes"] == {}


def test_a_mark_that_comes_after_the_rematch_is_not_written_on_the_new_sheet():
    table, _ = begun("easy", "easy")
    mark = {"card": 2, "note": "mine", "game": table.game}
    table.write(0, mark)
    play(table, 10_000, Random(1))
    table.rematch("k0")
    with pytest.raises(MomentPassed):
        table.write(0, mark)
    assert state_json(table, 0)["sheet"]["notes"] == {}


def by_an_edition(*others: str) -> OnlineTable:
    """A table before the game, by rules that montecarlo cannot play; Ann, the host, sits on seat 0."""
    options = TableOptions.checked("edition:discover", "", hints=True, clock=0)
    return create_table("table", options, "k0", "Ann", others)


def test_a_deal_that_a_level_cannot_play_is_refused_and_changes_nothing():
    table = by_an_edition("easy", "montecarlo")
    before = table.to_json()
    with pytest.raises(CluedoError, match="montecarlo cannot play"):
        table.start("k0")
    assert table.to_json() == before


def test_seats_of_a_game_go_from_hand_to_hand_so_often_and_no_more():
    """Everybody is told of all of it at every change."""
    table, _ = begun("open", "easy")
    for who in ("medium", "easy") * 50:
        table.set_seat("k0", 2, who)
    with pytest.raises(CluedoError, match="cannot be given"):
        table.set_seat("k0", 2, "medium")
    table.leave("k1")
    with pytest.raises(CluedoError, match="no free seat"):
        table.sit("k1", "Bob")
    assert len(state_json(table, 0)["newcomers"]) == 101


def test_a_level_that_cannot_play_by_the_rules_gets_no_seat_in_a_game_which_a_server_could_not_go_on_with():
    table = by_an_edition("easy", "easy")
    table.start("k0")
    before, lines = table.to_json(), list(table.pending.lines)
    with pytest.raises(CluedoError, match="montecarlo cannot play"):
        table.set_seat("k0", 1, "montecarlo")
    assert (table.to_json(), table.pending.lines) == (before, lines)
    assert OnlineTable.from_json("table", before, lines).to_json() == before


@pytest.mark.parametrize("kept", ["{}", '{"format": 99}', "[]", "rubbish"])
def test_a_table_that_was_kept_in_another_form_is_told(kept):
    with pytest.raises(CluedoError, match="kept by another version of the program, or is damaged"):
        OnlineTable.from_json("table", kept, [])


def test_who_watches_is_shown_no_hand_no_card_and_no_offer():
    random = Random(5)
    table, _ = begun("open", "easy")
    while not any(isinstance(event, Shown) for event in table.session.game.events):
        if table.phase == "over":
            table, _ = begun("open", "easy")
        play(table, len(table.session.game.events) + 1, random)
    now = state_json(table, None)
    assert (now["hand"], now["offer"], now["sheet"]) == ([], None, None)
    said = [event["text"] for event in events_json(table, None, 0) if event["kind"] == "Shown"]
    assert all(text.endswith("a card.") for text in said)


@pytest.mark.parametrize("seat", [0, 1, None], ids=["who shows or waits", "another seat", "a spectator"])
def test_while_somebody_must_show_a_card_it_is_still_the_askers_turn(seat):
    met = set()
    for seed in range(8):
        (table, _), random = begun("open", "easy", movement="free"), Random(seed)
        while table.phase == "playing":
            play(table, len(table.session.game.events) + 1, random)
            state, now = table.session.game.state, state_json(table, seat)
            last = events_json(table, seat, 0)[-1]
            if table.phase != "playing" or state.step is not REFUTE:
                continue
            assert (last["turn"], last["whose"]) == (now["turn"], now["active"]) == (state.turn, state.active)
            who, asker = (table.session.called[at] for at in (state.to_act, state.active))
            told = "you" if state.active == seat else asker
            if state.to_act != seat:
                assert now["prompt"] == f"{who} must show {told} a card …"
                met.add(told == "you")
    assert met == ({True, False} if seat is not None else {False})


# ---- scenes --------------------------------------------------------------------------------------


def test_scenes_end_where_the_game_stands():
    for seed in range(4):
        table, _ = begun("open", "easy", movement="free" if seed == 3 else "walk")
        play(table, 90, Random(seed))
        game = table.session.game
        scene = first_scene(table.board)
        for event in game.events:
            scene = next_scene(game.table, scene, event)
        assert (scene.pawns, scene.weapons) == (game.state.pawns, game.state.weapons)


def test_who_has_missed_much_is_told_all_of_it_and_shown_the_latest_on_the_board():
    table, _ = begun("open", "easy")
    play(table, 60, Random(1))
    told = events_json(table, 0, 0)
    assert len(told) == len(table.session.game.events) > 50
    assert ["pawns" in event for event in told] == [False] * (len(told) - 50) + [True] * 50
    assert events_json(table, 0, 10) == told[10:]


def test_a_game_is_told_without_putting_its_log_together_for_every_event(monkeypatch):
    table, _ = begun("open", "easy")
    play(table, 60, Random(1))
    events, read = Game.events, []
    monkeypatch.setattr(Game, "events", property(lambda game: read.append(game) or events.fget(game)))
    assert len(events_json(table, 0, 0)) > 30
    assert len(read) < 5


# ---- what is done ---------------------------------------------------------------------------------------


def test_what_is_offered_is_what_can_be_done():
    random = Random(3)
    table, _ = begun("open", "open")
    for _ in range(60):
        seat = table.session.game.state.to_act
        offer = state_json(table, seat)["offer"]
        assert offer["actions"]
        for action in offer["actions"]:
            if not action["do"].get("name"):
                assert action["do"] == TAKE_BACK or read_command(action["do"], table.board)
        legal = {json.dumps(command_json(command, table.board)) for command in table.session.game.legal()}
        assert {json.dumps(place["do"]) for place in offer["walk"]} == {do for do in legal if '"move"' in do}
        plain = {json.dumps(action["do"]) for action in offer["actions"] if not action["do"].get("name")}
        assert plain - {json.dumps(TAKE_BACK)} <= legal
        table.do(seat, table.moment, command_json(choose(table, random), table.board))


def test_a_command_of_a_moment_that_has_passed_is_refused():
    table, _ = begun("open", "open")
    seat, before = table.session.game.state.to_act, table.moment
    table.do(seat, before, {"type": "stay"})
    with pytest.raises(MomentPassed):
        table.do(seat, before, {"type": "stay"})


def test_a_move_is_taken_back_and_told_anew():
    table, _ = begun("open", "open")
    seat, before = table.session.game.state.to_act, events_json(table, 0, 0)
    table.do(seat, table.moment, {"type": "stay"})
    seen = table.moment
    table.do(seat, table.moment, TAKE_BACK)
    assert events_json(table, 0, 0) == before
    assert table.seen_until(seen) == 0, "who saw it is told everything anew"
    with pytest.raises(IllegalCommand):
        table.do(seat, table.moment, TAKE_BACK)


def test_a_move_that_is_taken_back_again_and_again_leaves_nothing_to_be_kept():
    table, _ = begun("open", "open")
    seat, kept = table.session.game.state.to_act, []
    for do in [{"type": "stay"}, TAKE_BACK] * 3:
        table.do(seat, table.moment, do)
        kept = [*([] if table.pending.fresh else kept), *table.pending.lines]
        table.pending.mark_saved(len(table.pending.lines))
    assert len(kept) == 1
    assert OnlineTable.from_json("table", table.to_json(), kept).moment == table.moment


# ---- levels and clocks ---------------------------------------------------------------------------


def test_a_level_that_is_asked_again_answers_the_same():
    table, _ = begun("easy", "random")
    while (thinker := table.thinker()) is None:
        play(table, len(table.session.game.events) + 1, Random(1))
    task = table.choice_task(*thinker)
    assert think(task) == think(task)


def test_a_level_that_was_asked_of_another_moment_changes_nothing():
    table, _ = begun("easy", "easy")
    before = table.moment
    table.carry_out("1.0.999", [Stay(), EndTurn()])
    assert table.moment == before


def accused_wrongly(table: OnlineTable) -> list[Command]:
    """What a level chooses that accuses wrongly in its turn."""
    deal, deck = table.session.game.state.deal, table.board.deck
    suspect, weapon, at = deal.envelope
    other = next(card for card in deck.suspects if card != suspect)
    return [Stay(), Accusation(other, weapon, at), EndTurn()]


def levels_turn(table: OnlineTable) -> int:
    """Play until a level is to move; its seat."""
    while (thinker := table.thinker()) is None or table.session.game.state.step is REFUTE:
        play(table, len(table.session.game.events) + 1, Random(1))
    return thinker[0]


def test_a_level_that_accuses_wrongly_is_out_and_everybody_is_told():
    table, _ = begun("easy", "easy")
    seat = levels_turn(table)
    turn, changes = table.session.game.state.turn, table.changes
    table.carry_out(table.moment, accused_wrongly(table))
    assert table.session.game.state.eliminated == 1 << seat
    assert table.session.game.state.turn == turn + 1
    assert table.changes > changes
    assert '"accusation"' in table.pending.lines[-1]


def test_the_last_who_is_left_ends_the_game_by_a_wrong_accusation():
    table, _ = begun("easy", "easy")
    seat = levels_turn(table)
    game = table.session.game
    game.state.eliminated = (1 << game.table.seats) - 1 - (1 << seat)
    table.carry_out(table.moment, accused_wrongly(table))
    assert game.over


def test_what_a_level_did_before_it_failed_is_kept_and_told():
    table, _ = begun("easy", "easy")
    levels_turn(table)
    changes = table.changes
    with pytest.raises(IllegalCommand):
        table.carry_out(table.moment, [Stay(), ShowCard(0)])
    assert table.changes > changes
    assert '"stay"' in table.pending.lines[-1]


def test_who_takes_too_long_is_played_by_a_level_until_they_are_back():
    table, time = begun("open", "open", clock=30)
    seat = table.session.game.state.to_act
    time.now = 29.0
    assert table.clock.left == 1.0
    table.look_at_clock()
    assert table.thinker() is None
    time.now = 30.0
    table.look_at_clock()
    assert table.thinker() == (seat, "medium")
    assert state_json(table, seat)["offer"] is None
    assert state_json(table, seat)["seats"][seat]["away"]
    table.come_back(seat)
    assert table.thinker() is None
    assert table.clock.left == 30.0


def test_a_rematch_leaves_nobody_away():
    table, time = begun("open", "open", clock=30)
    seat = table.session.game.state.to_act
    time.now = 30.0
    table.look_at_clock()
    assert table.session.away == {seat}
    table.session.game.state.step = OVER
    host = table.seats[0].key
    table._vacate(1)
    table.rematch(host)
    assert not any(seat["away"] for seat in state_json(table, 0)["seats"])


def test_a_command_that_is_refused_brings_nobody_back():
    table, time = begun("open", "open", clock=30)
    seat = table.session.game.state.to_act
    time.now = 30.0
    table.look_at_clock()
    changes = table.changes
    for refused in ({"type": "fly"}, {"type": "end_turn"}, TAKE_BACK):
        with pytest.raises(CluedoError):
            table.do(seat, table.moment, refused)
    assert (table.session.away, table.changes) == ({seat}, changes)
    table.do(seat, table.moment, {"type": "stay"})
    assert not table.session.away


def person_to_move(*others: str, clock: int) -> tuple[OnlineTable, Time, int]:
    """A game in which it is a person's turn, who is not there; the other one is."""
    while True:
        table, time = begun(*others, clock=clock)
        seat = table.session.game.state.to_act
        if table.seats[seat].kind == "person":
            return table, time, seat


def test_no_time_runs_while_a_level_thinks():
    table, _ = begun("open", "easy", clock=60)
    assert (table.clock.left is None) == (table.thinker() is not None)


def test_time_runs_on_while_nobody_is_there_and_ends_a_turn_once_somebody_waits():
    """With a day for a turn, people look in now and then, and seldom at the same time."""
    table, time, seat = person_to_move("open", "open", clock=86_400)
    absent, other = (table.seats[k].key for k in (seat, (seat + 1) % 3))
    table.depart("k0")
    for now in (20_000.0, 60_000.0):
        time.now = now
        table.arrive(other)
        assert table.time_left == 86_400 - now
        table.depart(other)
    time.now = 90_000.0
    assert table.time_left is None
    table.look_at_clock()
    assert table.thinker() is None, "nobody waits"
    table.arrive(other)
    assert table.time_left == 0.0
    table.look_at_clock()
    assert table.thinker() == (seat, "medium")
    assert absent not in table.present


def test_who_comes_first_to_their_turn_has_all_the_time_for_it():
    table, time, seat = person_to_move("open", "open", clock=30)
    table.depart("k0")
    time.now = 1_000.0
    table.arrive(table.seats[seat].key)
    assert table.time_left == 30.0


def test_the_clock_goes_on_while_no_server_runs():
    table, time, seat = person_to_move("open", "open", clock=300)
    time.now = 100.0
    again = OnlineTable.from_json("table", table.to_json(), [*table.pending.lines])
    again.clock.now = time
    again.arrive(table.seats[(seat + 1) % 3].key)
    assert again.time_left == 200.0


def test_nobody_waits_for_hours_because_the_clock_was_put_back():
    table, time, seat = person_to_move("open", "open", clock=30)
    time.now = -3_600.0
    table.look_at_clock()
    assert table.time_left == 30.0
    time.now += 30.0
    table.look_at_clock()
    assert table.thinker() == (seat, "medium")


def test_who_comes_is_told_after_what_was_done_before_and_not_after_what_was_taken_back():
    table, _ = begun("easy", "open", "open")
    while table.session.game.state.to_act != 0 or not table.session.revocable:
        play(table, len(table.session.game.events) + 1, Random(1))
    events = len(table.session.game.events)
    table.leave("k2")
    assert [one["after"] for one in state_json(table, 0)["newcomers"]] == [events]
    again = OnlineTable.from_json("table", table.to_json(), [*table.pending.lines])
    assert again.session.newcomers == table.session.newcomers
    table.do(0, table.moment, TAKE_BACK)
    assert [one["after"] for one in state_json(table, 0)["newcomers"]] == [len(table.session.game.events)]


def test_a_turn_has_one_clock_for_all_of_its_choices():
    table, time = begun("open", "open", clock=60)
    seat = table.session.game.state.to_act
    time.now = 20.0
    table.do(seat, table.moment, {"type": "stay"})
    assert table.clock.left == 40.0
    table.do(seat, table.moment, {"type": "end_turn"})
    assert table.clock.left == 60.0


def test_who_comes_back_gives_nobody_else_more_time():
    table, time = begun("open", "open", clock=60)
    other = (table.session.game.state.to_act + 1) % 3
    table.session.away.add(other)
    time.now = 20.0
    table.come_back(other)
    assert table.clock.left == 40.0


def test_who_is_woken_for_nothing_waits_for_the_rest_of_the_time_only():
    table, _ = begun("open", "open")
    now = 0.0

    async def until_it_is_over() -> float:
        loop = asyncio.get_running_loop()
        loop.time = lambda: now
        site = Site(SiteSettings())
        open_table = OpenTable(site, table)
        waiting = asyncio.create_task(open_table.wait_for_change(table.changes, 30.0))
        nonlocal now
        while not waiting.done() and now < 100.0:
            now += 10.0
            open_table.notify()  # a mark on somebody's sheet, say
            for _ in range(5):
                await asyncio.sleep(0)
        assert waiting.done()
        assert not waiting.result()
        await open_table.close()
        site.close()
        return now

    assert asyncio.run(until_it_is_over()) == 40.0


# ---- two players ---------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["edition:two", *map_names()])
def test_two_may_play_on_every_board_and_by_the_edition_for_two(table):
    options = TableOptions.checked(table, "free", False, 0)
    table = create_table("table", options, "k0", "Ann", ["open"])
    table.sit("k1", "Bob")
    table.start("k0")
    game = table.session.game
    assert (table.phase, game.table.seats) == ("playing", 2)
    assert game.table.pool_size >= 1
    assert state_json(table, game.state.to_act)["offer"]["actions"]


@pytest.mark.parametrize("edition", shipped_editions(), ids=lambda edition: edition.name)
def test_an_edition_has_as_many_seats_as_it_is_for(edition):
    options = TableOptions.checked(f"edition:{edition.name}", "free", False, 0)
    least, most = edition.players
    wrong = [least - 1, most + 1] if most < 6 else [least - 1]
    for count in wrong:
        with pytest.raises(CluedoError, match=f"edition '{edition.name}' is for {least} "):
            create_table("table", options, "k0", "Ann", ["open"] * (count - 1))
    table = create_table("table", options, "k0", "Ann", ["easy"] * (least - 1))
    if most == least:
        with pytest.raises(CluedoError, match="can have no more seats"):
            table.add_seat("k0")
    table.remove_seat("k0", 1)
    with pytest.raises(CluedoError, match=f"edition '{edition.name}' is for {least} "):
        table.start("k0")


# ---- keeping -------------------------------------------------------------------------------------


def test_a_table_is_the_same_after_it_was_kept():
    random = Random(4)
    table, _ = begun("open", "easy")
    lines: list[str] = []

    def keep() -> None:
        if table.pending.fresh:
            lines.clear()
        lines.extend(table.pending.lines)
        table.pending.mark_saved(len(table.pending.lines))

    for events in (10, 20, 30):
        play(table, events, random)
        keep()
    table.set_seat("k0", 1, "open")
    keep()
    play(table, 40, random)
    keep()
    again = OnlineTable.from_json("table", table.to_json(), lines)
    for seat in (0, 1, None):
        then, now = (json.loads(everything(each, seat)) for each in (again, table))
        then[1]["seats"][0]["online"] = True  # nobody has come back yet
        assert then == now
    again.arrive("k0")
    play(again, 60, random)
    sheet_there = again.session.sheets[0]
    assert not sheet_there.marks
