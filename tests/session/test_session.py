"""A game with people in it, driven by what it says may be done: no screen, no thread, nobody called back."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from helpers.screen_driver import session as new_session
from helpers.support import view_json

from cluedo.engine.commands import Accusation, EndTurn, Move, Roll, Stay
from cluedo.engine.errors import IllegalCommand, PlayerError
from cluedo.engine.record import read_record
from cluedo.session.actions import CardChoice, TakeBack, waiting_for
from cluedo.session.game_session import GameSession
from cluedo.session.line_up import parse_line_up


def begun(path: Path, players: str = "human,easy,medium", **options) -> GameSession:
    return new_session(players, record=path, **options)


def chosen(session: GameSession, seat: int, random: Random):
    """Something that is offered to a seat, with cards named by chance."""
    offer = session.offer(seat)
    values = [action.value for action in offer.actions]
    if offer.walk:
        values += [Move(place) for place in range(session.game.table.board.places) if offer.walk >> place & 1]
    command = random.choice(values)
    if isinstance(command, CardChoice):
        deck = session.game.table.deck
        named = [random.choice(list(ids)) for ids in deck.ids]
        command = command.command([*named[:2], named[2] if command.room is None else command.room])
    return command


@pytest.mark.parametrize(("players", "rules"), [("human,human,easy", []), ("human,easy,easy", ["movement=free"])])
@pytest.mark.parametrize("seed", range(3))
def test_everything_that_is_offered_may_be_done_and_every_line_of_the_file_is_the_game_so_far(
    tmp_path, players, rules, seed
):
    session, random = begun(tmp_path / "game.json", players, seed=seed, rule=rules), Random(seed)
    for step in range(400):
        if session.game.over:
            break
        acting = session.person_to_act
        if acting is not None:
            others = [seat for seat in range(3) if seat != acting]
            assert [session.offer(seat) for seat in others] == [None, None]
            session.do(acting, chosen(session, acting, random))
        else:
            session.advance()
        if step < 40 or step % 10 == 0 or session.game.over:
            kept = read_record(tmp_path / "game.json").replay()
            assert kept.commands == session.game.commands
            assert kept.result == session.game.result
    assert session.faults == []


def test_keys_of_what_is_offered_differ_and_every_action_has_a_sentence(tmp_path):
    session, random = begun(tmp_path / "game.json", "human,human,human", map_="manoir"), Random(1)
    for _ in range(300):
        seat = session.person_to_act
        if seat is None:
            break
        actions = session.offer(seat).actions
        keys = [action.key for action in actions if action.key]
        assert len(set(keys)) == len(keys)
        assert all(action.sentence for action in actions)
        session.do(seat, chosen(session, seat, random))


def test_what_is_not_allowed_changes_nothing(tmp_path):
    session = begun(tmp_path / "game.json")
    before = view_json(session.view(0))
    for seat, command in ((0, EndTurn()), (1, Roll()), (0, TakeBack())):
        with pytest.raises(IllegalCommand):
            session.do(seat, command)
    assert view_json(session.view(0)) == before
    assert not session.game.commands
    session.do(0, Stay())
    session.do(0, Accusation(*session.game.state.deal.envelope))
    with pytest.raises(IllegalCommand, match="the game is over"):
        session.do(0, Roll())


def test_only_ones_own_last_move_is_taken_back_and_the_file_says_so(tmp_path):
    session = begun(tmp_path / "game.json", "human,human,easy")
    session.do(0, Stay())
    assert session.offer(0).actions[-1].value == TakeBack()
    session.do(0, TakeBack())
    assert (tmp_path / "game.json").read_text(encoding="utf-8").splitlines()[-1] == '{"undo": 1}'
    assert read_record(tmp_path / "game.json").events == ()
    session.do(0, Roll())
    assert not session.revocable, "dice that were seen stay thrown"
    session.do(0, Stay())
    session.do(0, EndTurn())
    assert session.person_to_act == 1
    assert not session.revocable, "what somebody else did is theirs"


def test_a_wrong_accusation_ends_the_turn_by_itself_and_who_is_out_is_told_as_long_as_they_wait(tmp_path):
    session = begun(tmp_path / "game.json")
    session.do(0, Stay())
    envelope = session.game.state.deal.envelope
    ids = session.game.table.deck.ids
    wrong = Accusation(next(card for card in ids[0] if card != envelope[0]), *envelope[1:])
    session.do(0, wrong)
    assert session.game.state.eliminated == 1
    assert session.game.state.active == 1
    told = [waiting_for(session.game.view(seat), session.called) for seat in (0, 2)]
    assert told == ["You are out, but still show your cards. Basil plays …", "Basil plays …"]


def test_people_at_one_screen_have_names_of_their_own():
    with pytest.raises(PlayerError, match="two people are called Ann; give each a name of their own"):
        parse_line_up("human:Ann,easy,human:ann")
    assert [who.text for who in parse_line_up("human,human,human:Ann,easy")][:3] == ["human", "human", "human:Ann"]


def test_a_rematch_has_the_same_players_and_other_cards(tmp_path):
    session = begun(tmp_path / "game.json", "human:Ann,easy,medium")
    again = session.rematch()
    assert again.names == session.names
    assert again.game.table.suspects == session.game.table.suspects
    assert again.secret
    assert again.autosave.path != session.autosave.path


# ---- files -------------------------------------------------------------------------------------


def played(path: Path, turns: int = 6) -> GameSession:
    session, random = begun(path), Random(2)
    while not session.game.over and session.game.state.turn <= turns:
        if session.person_to_act is not None:
            session.do(0, chosen(session, 0, random))
        else:
            session.advance()
    return session


def test_the_first_line_is_written_once(tmp_path):
    path = tmp_path / "game.json"
    session = begun(path)
    session.do(0, Roll())
    first = path.read_text(encoding="utf-8")
    session.do(0, Stay())
    session.do(0, EndTurn())
    session.advance()
    text = path.read_text(encoding="utf-8")
    assert text.startswith(first)
    assert text.count("players") == 1
    assert all(isinstance(json.loads(line), dict) for line in text.splitlines())


def test_a_line_that_was_cut_off_is_left_out_and_the_game_goes_on(tmp_path):
    path = tmp_path / "game.json"
    played(path)
    data = path.read_bytes()
    last = data[:-1].rfind(b"\n") + 1
    whole = read_record(path)
    for cut in range(last + 1, len(data) - 1):
        path.write_bytes(data[:cut])
        record = read_record(path)
        assert len(record.events) < len(whole.events)
        assert record.events == whole.events[: len(record.events)]
    session = GameSession.resume(path)
    if session.person_to_act is not None:
        session.do(0, chosen(session, 0, Random(1)))
    else:
        session.advance()
    assert read_record(path).replay().commands == session.game.commands
