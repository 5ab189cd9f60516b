"""Seats that misbehave lose the choice, not the game."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from random import Random

import pytest
from helpers.level_games import patient
from helpers.support import drawn_game, make_game

from cluedo.ai.level_easy import EasyPlayer
from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.match import Fault, Match, NoAnswer
from cluedo.ai.player import Clock
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.errors import CluedoError, SetupError
from cluedo.engine.events import Stayed
from cluedo.engine.game import Game
from cluedo.language import speaking, tr

QUESTIONS = ["choose_move", "choose_hypothesis", "choose_card", "choose_accusation"]
METHODS = ["begin", "notice", *QUESTIONS]
BAD = 1


def misbehaving(method: str, deed):
    """An easy player who does a deed where it is asked for ``method``, and is told of events if that is the method."""

    def misbehave(self, *about):
        return deed(*about)

    return type("Misbehaving", (EasyPlayer,), {method: misbehave})()


def match_with(player, *, max_turns=60, think_limit=30.0, deal=0, **options) -> Match:
    """A match on the tiny board with the player on seat 1 among players of medium level."""
    game = drawn_game(Board.load("tiny"), 3, seed=11, deal=deal, max_turns=max_turns)
    players = [player if seat == BAD else patient(MediumPlayer)() for seat in range(3)]
    return Match(game, players, [Random(seat) for seat in range(3)], Clock(think_limit), **options)


def unhealthy(match: Match) -> list[Fault]:
    """Play to the end; the faults, all of the misbehaving seat."""
    result = match.play()
    assert result == match.game.result
    assert match.game.over
    assert {fault.seat for fault in match.faults} <= {BAD}
    replayed = Game(match.game.table.board, match.game.table.rules, match.game.state.deal)
    for command in match.game.commands:
        replayed.execute(command)
    assert replayed.result == result
    return match.faults


def raising(error):
    def deed(*about):
        raise error

    return deed


class Unspeakable(Exception):
    """An error that cannot even be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Nameless:
    """An answer that cannot even be printed."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


class Leaving:
    """An answer whose text leaves the program."""

    def __repr__(self) -> str:
        raise SystemExit(9)


class Stop(BaseException):
    """An error that is no Exception."""


ERRORS = {
    "Exception": ValueError("oops"),
    "BaseException": Stop(),
    "SystemExit": SystemExit("bye"),
    "GeneratorExit": GeneratorExit(),
    "StopIteration": StopIteration(),
    "AssertionError": AssertionError(),
    "RecursionError": RecursionError(),
    "MemoryError": MemoryError(),
    "an error that cannot be printed": Unspeakable(),
}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("method", METHODS)
def test_whoever_raises_loses_the_choice_and_the_game_goes_on(method, error):
    faults = unhealthy(match_with(misbehaving(method, raising(ERRORS[error]))))
    assert faults
    assert type(ERRORS[error]).__name__ in faults[0].text
    if error == "Exception" and method != "begin":
        assert all("ValueError" in fault.text and "oops" in fault.text for fault in faults)


def test_what_a_player_did_instead_of_choosing_is_said_in_the_language_spoken():
    raised = unhealthy(match_with(misbehaving("choose_move", raising(ValueError("oops")))))[0]
    nonsense = unhealthy(match_with(misbehaving("choose_accusation", lambda *about: 7)))[0]
    assert (raised.text, nonsense.text) == ("raised ValueError('oops')", "asked for an accusation or none, answered 7")
    with speaking("fr"):
        assert tr(raised.text) == "a levé ValueError('oops')"
        assert tr(nonsense.text) == "devait donner une accusation ou aucune, a répondu 7"


def test_of_a_player_that_is_elsewhere_no_place_in_a_file_is_told():
    faults = unhealthy(match_with(misbehaving("choose_move", raising(NoAnswer("has gone")))))
    assert {(fault.text, fault.where) for fault in faults} == {("has gone", "")}


def test_who_cannot_sit_down_plays_on_as_well_as_it_can():
    faults = unhealthy(match_with(misbehaving("begin", raising(ValueError("no")))))
    assert faults[0][:2] == (BAD, 1)
    assert "ValueError" in faults[0].text
    assert len(faults) > 1, "an easy player that has not begun has no generator"


NONSENSE = {
    "None": None,
    "a text": "Roll",
    "a number": 7,
    "a list": [Roll()],
    "the end of the turn": EndTurn(),
    "a walk off the board": Move(10**9),
    "a walk to a text": Move("Hall"),
    "a hypothesis elsewhere": Hypothesis(0, 4, 99),
    "a card that does not exist": ShowCard(99),
    "a card that is a list": ShowCard([1]),
    "an accusation of True": Accusation(True, 4, 7),
    "an accusation of texts": Accusation("Amber", "Ladle", "Attic"),
    "an accusation half made": Accusation.__new__(Accusation),
    "an answer that leaves the program": Leaving(),
    "an answer that cannot be printed": Nameless(),
    "a walk to something that cannot be printed": Move(Nameless()),
    "a number too long to print": Move(10**5000),
}

FITTING = {("choose_hypothesis", "None"), ("choose_accusation", "None")}


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("method", QUESTIONS)
def test_whoever_answers_nonsense_loses_the_choice_and_the_game_goes_on(method, nonsense):
    answer = NONSENSE[nonsense]
    faults = unhealthy(match_with(misbehaving(method, lambda *about: answer)))
    assert bool(faults) == ((method, nonsense) not in FITTING)


def test_the_answer_of_begin_and_notice_does_not_matter():
    class Chatty(EasyPlayer):
        def begin(self, view, random):
            super().begin(view, random)
            return 7

        def notice(self, event):
            return Roll()

    assert unhealthy(match_with(Chatty())) == []


# ---- what is done instead ---------------------------------------------------------------------------------


def test_who_has_rolled_and_then_errs_stays_too():
    match = match_with(misbehaving("choose_move", lambda view: Roll()))
    faults = unhealthy(match)
    assert faults
    events = match.game.events
    for k, event in enumerate(events):
        if event.seat == BAD and type(event).__name__ == "Rolled":
            assert events[k + 1] == Stayed(BAD)


def test_each_lost_choice_is_one_fault_with_seat_and_turn():
    match = match_with(misbehaving("choose_move", lambda view: Stay() if view.turn % 2 else 7), max_turns=24)
    faults = unhealthy(match)
    turns = [event for event in match.game.events if event == Stayed(BAD)]
    assert all(fault.turn % 2 == 0 for fault in faults)
    assert len({fault.turn for fault in faults}) == len(faults)
    assert 0 < len(faults) < len(turns)
    assert all("7" in fault.text for fault in faults)


def test_an_illegal_command_is_told_with_its_reason():
    faults = unhealthy(match_with(misbehaving("choose_move", lambda view: SecretPassage())))
    assert faults[0].text.startswith('answered {"type": "secret_passage"}: ')
    assert "no secret passage here" in faults[0].text


def test_a_table_where_everybody_misbehaves_ends_too():
    game = drawn_game(Board.load("tiny"), 3, seed=0, max_turns=50)
    players = [misbehaving(method, raising(ValueError)) for method in ("begin", "choose_move", "choose_accusation")]
    match = Match(game, players, [Random(k) for k in range(3)])
    assert match.play().reason == "unfinished"
    assert {fault.seat for fault in match.faults} == {0, 1, 2}


def test_a_person_is_not_asked_by_the_match():
    game = drawn_game(Board.load("tiny"), 3, seed=0)
    match = Match(game, [None] * 3, [Random(seat) for seat in range(3)])
    for ask in (match.play, match.advance):
        with pytest.raises(SetupError, match="a person chooses here, and execute takes the command"):
            ask()
    match.execute(Stay())
    assert game.commands == [Stay()]


def test_faults_leave_the_other_players_choices_alone():
    """What a seat does wrong costs nobody else a random number."""
    match = match_with(misbehaving("notice", raising(ValueError)), max_turns=30)
    clean = match_with(EasyPlayer(), max_turns=30)
    unhealthy(match)
    clean.play()
    assert match.game.commands == clean.game.commands


# ---- the think limit ------------------------------------------------------------------------------

LIMIT = 0.04


def busy(*about):
    deadline = time.perf_counter() + 5
    while time.perf_counter() < deadline:
        pass


def asleep(*about):
    time.sleep(60)


def stubborn(*about):
    """Catches what interrupts it, goes on for a while, several times over, and answers too late."""
    for _ in range(3):
        with contextlib.suppress(BaseException):
            time.sleep(30)
    return Stay()


SLOW = [pytest.param(method, marks=pytest.mark.slow) for method in METHODS if method != "choose_move"]


@pytest.mark.parametrize("deed", [busy, asleep, stubborn])
@pytest.mark.parametrize("method", ["choose_move", *SLOW])
def test_whoever_thinks_too_long_is_interrupted_and_loses_the_choice(method, deed):
    match = match_with(misbehaving(method, deed), max_turns=5, think_limit=LIMIT)
    begun = time.perf_counter()
    faults = unhealthy(match)
    assert time.perf_counter() - begun < 20
    if method in ("begin", "notice", "choose_move"):
        assert f"{LIMIT:g} s" in faults[0].text
        assert match.think_s[BAD] >= LIMIT


def test_an_answer_that_comes_late_outside_the_main_thread_is_discarded():
    late = misbehaving("choose_move", lambda view: time.sleep(3 * LIMIT) or Roll())
    match = match_with(late, max_turns=6, think_limit=LIMIT)
    outcome: list[object] = []
    thread = threading.Thread(target=lambda: outcome.append(match.play()))
    thread.start()
    thread.join(30)
    assert outcome == [match.game.result]
    assert all(f"{LIMIT:g} s" in fault.text for fault in match.faults)
    assert not [event for event in match.game.events if event.seat == BAD and type(event).__name__ == "Rolled"]
    assert [event for event in match.game.events if event == Stayed(BAD)]


def test_without_a_limit_nobody_is_interrupted():
    slow = misbehaving("choose_move", lambda view: time.sleep(0.05) or Stay())
    match = match_with(slow, max_turns=3, think_limit=None)
    match.play()
    assert match.faults == []


def test_timer_and_handler_are_as_before_after_a_match():
    before = signal.getsignal(signal.SIGALRM)
    for deed in (asleep, raising(KeyboardInterrupt())):
        match = match_with(misbehaving("choose_move", deed), max_turns=3, think_limit=LIMIT)
        with contextlib.suppress(KeyboardInterrupt):
            match.play()
        assert signal.getsignal(signal.SIGALRM) is before
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_time_spent_thinking_is_counted_for_each_seat(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("cluedo.ai.match.perf_counter", lambda: now[0])

    def think(view):
        now[0] += 1.5
        return Stay()

    match = match_with(misbehaving("choose_move", think), max_turns=6, think_limit=None)
    match.play()
    assert match.think_s == [0.0, 3.0, 0.0]


# ---- what is no fault -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_persons_interrupt_stops_the_match(method):
    stopped = False
    for deal in range(8):
        match = match_with(misbehaving(method, raising(KeyboardInterrupt)), deal=deal)
        try:
            match.play()
        except KeyboardInterrupt:
            stopped = True
        assert match.faults == []
    assert stopped


def test_a_bot_that_makes_as_if_it_were_a_person_has_a_fault():
    interrupt = misbehaving("choose_move", raising(KeyboardInterrupt))
    assert unhealthy(match_with(interrupt, interrupted=lambda: False))


def test_players_and_generators_must_be_as_many_as_seats():
    game = make_game()
    for players, randoms in [(2, 3), (4, 4), (3, 2)]:
        with pytest.raises(CluedoError, match="3 seats"):
            Match(game, [EasyPlayer() for _ in range(players)], [Random(k) for k in range(randoms)])


@pytest.mark.parametrize(("clock", "told"), [(5, "a clock is a cluedo.Clock"), (Clock(-1), "a think limit is")])
def test_a_clock_is_checked(clock, told):
    with pytest.raises(SetupError, match=told):
        Match(make_game(), [EasyPlayer() for _ in range(3)], [Random(k) for k in range(3)], clock)


@pytest.mark.parametrize("player", ["easy", EasyPlayer, 3])
def test_what_is_no_player_is_refused(player):
    with pytest.raises(CluedoError, match="a match seats objects of Player, not "):
        Match(make_game(), [player] * 3, [Random(k) for k in range(3)])


@pytest.mark.parametrize("error", [RuntimeError("no"), SystemExit(3)])
def test_who_cannot_prepare_plays_on(error):
    kind = type(misbehaving("notice", lambda *about: None))
    kind.prepare = staticmethod(raising(error))
    assert "raised" in unhealthy(match_with(kind()))[0].text
