"""Tables by link: opening, joining, playing by requests, coming back, and who may do what."""

from __future__ import annotations

import gc
import json
import re
import weakref
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

import pytest
from helpers.chunk_work import wait_until
from helpers.sites import PATIENT, Client, another, client, words
from helpers.web_tables import (
    DECK,
    USUAL,
    begun,
    choose_command,
    joined,
    look_in,
    open_table,
    opened,
    play,
    site_of,
    state,
)

from cluedo.engine.codec import command_json
from cluedo.engine.commands import Accusation, Hypothesis, Move, Peek
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.record import GameRecord
from cluedo.language import speaking
from cluedo.session.boards import movements
from cluedo.session.tables import online_table
from cluedo.session.tables.online_table import OnlineTable
from cluedo.session.tables.turn_clock import TurnClock
from cluedo.web import open_tables, table_page
from cluedo.web.guard import Concurrent, Limits
from cluedo.web.shared import SiteSettings
from cluedo.web.table_page import _message


def written(visitor: Client) -> int:
    """How many rows the server has written so far."""
    return visitor.portal.call(site_of(visitor).database.run, lambda connection: connection.total_changes)


@pytest.fixture
def ann():
    with client(PATIENT) as visitor:
        yield visitor


def with_bob(ann: Client, *others: str, **settings: str) -> tuple[str, Client]:
    """A table whose game has begun, with Bob on the second seat; its path, and Bob."""
    path = opened(ann, "open", *others, **settings)
    bob = joined(ann, path, "Bob")
    ann.send_form(f"{path}/start")
    return path, bob


def asked(visitor: Client, path: str) -> dict:
    """The moment when this visitor may do something, or when the game is over."""
    while not ((now := state(visitor, path)["now"])["offer"] or now["end"]):
        pass
    return now


@pytest.mark.parametrize("level", ["easy", "medium", "expert"])
def test_one_tap_leads_to_a_game_against_the_computer(ann, level):
    assert f'name="level" value="{level}"' in ann.get("/").text
    answer = ann.send_form("/play/computer", level=level)
    assert answer.url.query == b"guide"
    now = state(ann, answer.url.path)["now"]
    assert [table_seat["name"] for table_seat in now["seats"]] == ["Guest", level, level]
    assert now["phase"] == "playing"
    assert len(now["hand"]) == 6


def test_a_seat_outlives_a_game_with_a_day_for_each_turn(ann):
    dealt = ann.send_form("/play/computer", level="easy").history[0]
    assert "Max-Age=31536000" in dealt.headers["set-cookie"]


@pytest.mark.parametrize("level", ["", "nobody", "open", "\x00"])
def test_a_game_against_nobody_is_refused_and_keeps_nothing(ann, level):
    before = written(ann)
    assert ann.send_form("/play/computer", level=level).status_code == 400
    assert written(ann) == before


def test_a_table_is_opened_joined_by_link_dealt_and_played(ann):
    path = opened(ann, "open", "easy")
    bob = another(ann)
    assert "Sit down" in bob.get(path).text
    assert bob.send_form(path, name="Bob").url.path == path
    assert ann.send_form(f"{path}/start").status_code == 200
    told = [state(visitor, path)["now"] for visitor in (ann, bob)]
    assert [now["you"] for now in told] == [0, 1]
    assert not set(told[0]["hand"]) & set(told[1]["hand"])
    assert [table_seat["name"] for table_seat in told[0]["seats"]] == ["Ann", "Bob", "easy"]
    play([ann, bob], path, 12)
    seen = [state(visitor, path)["events"] for visitor in (ann, bob)]
    assert len(seen[0]) > 12
    assert any(event["text"].startswith("You ") for event in seen[1])


def test_a_command_that_comes_twice_is_done_once(ann):
    path = begun(ann, "easy", "easy")
    now = asked(ann, path)
    sent = {"after": now["moment"], "do": choose_command(now, Random(1))}
    assert [ann.send_json(f"{path}/do", sent).status_code for _ in range(2)] == [200, 409]


@pytest.mark.parametrize(
    "do", [None, {"type": "move", "to": 10**9}, {"type": "hypothesis", "cards": ["Plum"]}, {"type": "fly"}]
)
def test_what_is_no_command_or_not_allowed_changes_nothing(ann, do):
    path = begun(ann, "easy", "easy")
    now = asked(ann, path)
    answer = ann.send_json(f"{path}/do", {"after": now["moment"], "do": do})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Not possible")
    assert state(ann, path)["now"]["moment"] == now["moment"]


def test_a_game_goes_on_after_the_server_was_started_again(tmp_path: Path):
    settings = SiteSettings(database=tmp_path / "kept.db")
    with client(settings) as ann:
        path = begun(ann, "easy", "easy")
        play([ann], path, 6)
        asked(ann, path)
        before = state(ann, path)
        filled = {(card, column) for card, column, *_ in before["now"]["sheet"]["cells"]}
        card = next(card for card in range(DECK.size) if (card, 2) not in filled)
        ann.send_json(f"{path}/sheet", {"card": card, "column": 2, "sign": "?"})
        ann.send_json(f"{path}/sheet", {"card": card, "note": "perhaps"})
        cookies = ann.cookies
    with client(settings) as ann:
        ann.cookies = cookies
        after = state(ann, path)
        assert after["events"] == before["events"]
        assert after["now"]["moment"] == before["now"]["moment"]
        assert [card, 2, "?", 0] in after["now"]["sheet"]["cells"]
        assert after["now"]["sheet"]["notes"] == {str(card): "perhaps"}
        play([ann], path, 4)


def test_after_a_restart_a_seat_is_still_that_of_its_person_for_two_minutes(tmp_path: Path, monkeypatch):
    now = 1000.0
    monkeypatch.setattr(online_table, "TurnClock", partial(TurnClock, lambda: now))
    settings = SiteSettings(database=tmp_path / "kept.db")
    with client(settings) as ann:
        path, _ = with_bob(ann, "easy")
        look_in(ann, path, 1)
        cookies = ann.cookies
    with client(settings) as ann:
        ann.cookies = cookies
        open_table(ann, path)
        now = 1119.0
        refused = ann.send_form(f"{path}/seats", number="1", who="open")
        assert "would see the cards of somebody" in words(refused.text)
        now = 1120.0
        assert ann.send_form(f"{path}/seats", number="1", who="open").status_code == 200
        assert open_table(ann, path).table.open_seats == [1]


def test_a_seat_goes_along_to_another_device(ann):
    path = opened(ann, "easy", "easy")
    link = re.search(r'value="(http[^"]*/mine/[^"]*)"', ann.get(f"{path}/mine").text)[1]
    phone = another(ann)
    phone.get(link.removeprefix("http://testserver"))
    ann.send_form(f"{path}/start")
    assert state(phone, path)["now"]["you"] == 0
    assert another(ann).get(f"{path}/mine/wrong").status_code == 404
    assert ann.get(link).url.path == path, "it is their own"


def test_the_link_to_the_seat_of_somebody_else_costs_nobody_their_own(ann):
    path = opened(ann, "open", "easy")
    bob = joined(ann, path, "Bob")
    link = re.search(r'value="(http[^"]*/mine/[^"]*)"', bob.get(f"{path}/mine").text)[1]
    refused = ann.get(link)
    assert refused.status_code == 409
    assert "You already have a seat at this table." in refused.text
    ann.send_form(f"{path}/start")
    assert state(ann, path)["now"]["you"] == 0


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "cluedo.example"])
def test_a_link_that_no_other_device_can_follow_says_so(ann, name):
    path = opened(ann, "open", "easy")
    for page in (path, f"{path}/mine"):
        told = ann.get(page, headers={"Host": name}).text
        assert ("This link opens on this computer only" in told) == (name != "cluedo.example"), page


def test_who_is_invited_reads_what_the_game_will_be_like(ann):
    path = opened(ann, "open", "easy", movement="free", hints="off")
    assert all(word in another(ann).get(path).text for word in ("Pawns may enter any room", "no hints"))


def test_how_pawns_can_move_is_said_as_on_the_full_screen(ann):
    told = re.search(r'<select name="movement">(.*?)</select>', ann.get("/play").text, re.DOTALL)[1]
    assert [(text, name) for name, text in re.findall(r'value="(\w+)"[^>]*>([^<]+)<', told)] == movements()


def test_who_watches_and_chooses_a_language_goes_on_watching(ann):
    watcher = another(ann)
    path = f"{opened(ann, 'open', 'easy')}?watch"
    assert f'name="back" value="{path}"' in watcher.get(path).text
    answer = watcher.send_form("/settings", back=path, language="fr")
    assert "Vous êtes spectateur" in answer.text


def test_the_host_alone_deals_and_changes_seats(ann):
    path = opened(ann, "open", "easy")
    bob = joined(ann, path, "Bob")
    for refused in (bob.send_form(f"{path}/start"), bob.send_form(f"{path}/seats", number="2", who="hard")):
        assert refused.status_code == 400
        assert "Only the host" in refused.text
    ann.send_form(f"{path}/seats", number="1", who="hard")
    assert "Sit down" not in bob.get(f"{path}?watch").text
    ann.send_form(f"{path}/start")
    assert state(bob, path)["now"]["you"] is None


def test_until_the_deal_host_and_guest_choose_a_pawn_that_nobody_else_has(ann):
    path = opened(ann, "open", "easy")
    bob = joined(ann, path, "Bob")
    for visitor, suspect, told in [(ann, "2", None), (bob, "2", "taken"), (bob, "1", None), (bob, "", None)]:
        answer = visitor.send_form(f"{path}/pawn", suspect=suspect)
        assert (told or "Before the game") in answer.text
    assert '<option value="2" selected>' in ann.get(path).text
    assert '<option value="2"' not in bob.get(path).text
    ann.send_form(f"{path}/start")
    assert ann.send_form(f"{path}/pawn", suspect="3").status_code == 400
    assert open_table(ann, path).table.session.game.table.suspects == (2, 0, 1)


def test_in_a_game_the_host_frees_a_seat_and_somebody_else_goes_on_with_it(ann):
    path, _ = with_bob(ann, "easy")
    ann.send_form(f"{path}/seats", number="1", who="open")
    table_seat = state(ann, path)["now"]["seats"][1]
    assert (table_seat["kind"], table_seat["name"]) == ("open", "medium")
    cyd = joined(ann, path, "Cyd")
    assert state(cyd, path)["now"]["you"] == 1
    play([ann, cyd], path, 4)


def test_who_leaves_is_played_by_a_level_and_the_next_person_is_host(ann):
    path, bob = with_bob(ann, "easy")
    ann.send_form(f"{path}/leave")
    now = state(bob, path)["now"]
    assert now["host"]
    assert now["seats"][0]["kind"] == "open"
    play([bob], path, 4)


def test_the_last_person_who_leaves_goes_home_others_to_the_table(ann):
    path, bob = with_bob(ann, "easy")
    assert ann.send_form(f"{path}/leave").url.path == path
    assert bob.send_form(f"{path}/leave").url.path == "/"


def test_who_watches_is_shown_no_cards_and_may_do_nothing(ann):
    path = begun(ann, "easy", "easy")
    watcher = another(ann)
    now = state(watcher, path)["now"]
    assert (now["you"], now["hand"], now["sheet"], now["offer"]) == (None, [], None, None)
    assert watcher.send_json(f"{path}/do", {"after": now["moment"], "do": {"type": "roll"}}).status_code == 403
    assert watcher.ask_json(f"{path}/hint").status_code == 403


def test_a_record_is_given_out_and_replayed_when_the_game_is_over(ann):
    path = begun(ann, "easy", "easy")
    assert [ann.get(f"{path}/{name}").status_code for name in ("record", "replay")] == [403, 403]
    ended = accuse_rightly(ann, path)
    assert ended["end"]["envelope"]
    record = GameRecord.from_json(ann.get(f"{path}/record").text)
    assert record.replay().over
    assert record.players[0].name == "human:Ann"
    answer = ann.get(f"{path}/replay", follow_redirects=False)
    assert ann.get(f"{answer.headers['location']}/game.jsonl").text == ann.get(f"{path}/record").text


def accuse_rightly(visitor: Client, path: str) -> dict:
    """Play until one may accuse, and accuse of what the envelope holds; the server is asked for that."""
    table = open_table(visitor, path).table
    random = Random(2)
    for _ in range(4000):
        now = state(visitor, path)["now"]
        if now["end"]:
            return now
        if now["offer"]:
            do = choose_command(now, random)
            if "accusation" in (action["do"]["type"] for action in now["offer"]["actions"]):
                do = command_json(Accusation(*table.session.game.state.deal.envelope), table.board)
            visitor.send_json(f"{path}/do", {"after": now["moment"], "do": do})
    pytest.fail("the game does not end")


def test_a_rematch_turns_the_seats(ann):
    path = begun(ann, "easy", "medium")
    accuse_rightly(ann, path)
    ann.send_form(f"{path}/rematch")
    now = state(ann, path)["now"]
    assert [table_seat["name"] for table_seat in now["seats"]] == ["easy", "medium", "Ann"]
    assert (now["you"], now["moment"].split(".")[0], now["phase"]) == (2, "2", "playing")


def test_forms_that_come_twice_lead_where_they_led_the_first_time(ann):
    path = opened(ann, "easy", "easy")
    answers = [ann.send_form(f"{path}/start") for _ in range(2)]
    accuse_rightly(ann, path)
    answers += [ann.send_form(f"{path}/{what}") for what in ("rematch", "leave") for _ in range(2)]
    led = [(200, path)] * 4 + [(200, "/")] * 2
    assert [(answer.status_code, answer.url.path) for answer in answers] == led
    assert open_table(ann, path).table.game == "2"


def test_a_hint_is_the_detectives_and_only_where_it_is_allowed(ann):
    path = begun(ann, "easy", "easy")
    sections = ann.ask_json(f"{path}/hint").json()["sections"]
    assert sections[0]["title"]
    assert [section["tone"] for section in sections].count("expert") == 1, "its figures reach the page, too"
    path = begun(ann, "easy", "easy", hints="")
    assert ann.ask_json(f"{path}/hint").status_code == 403


def test_what_a_clock_does_is_told_right_below_it(ann):
    told = re.search(r'<select name="clock"(.*?)<select', ann.get("/play").text, re.DOTALL)[1]
    assert 'aria-describedby="clock-note"' in told
    assert "a level plays for anyone whose time runs out" in told


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "  "}, "A name is needed"),
        ({"map": "../../etc/passwd"}, "no board"),
        ({"clock": "7"}, "clocks"),
        ({"movement": "fly"}, "Pawns walk"),
        ({"seat-1": "bot.py:Bot"}, "no such level"),
        ({"seat-1": "", "seat-2": ""}, "2 to"),
    ],
)
def test_what_cannot_be_a_table_is_told_and_the_form_kept(ann, fields, told):
    answer = ann.send_form("/play", **USUAL | {"seat-1": "easy", "seat-2": "easy"} | fields)
    assert answer.status_code == 400
    assert told in answer.text


def test_a_table_that_is_none_is_told(ann):
    assert ann.get("/r/abcdefghij").status_code == 404
    assert ann.get("/r/" + "a" * 500).status_code == 404


def test_names_are_told_apart_and_kept_as_they_are_or_refused(ann):
    path = opened(ann, "open", "easy")
    bob = another(ann)
    assert "is already called ann" in bob.send_form(path, name="ann").text
    for name, why in {
        "<b>Bob</b>": "a name cannot contain",
        "\N{MAN}\N{ZERO WIDTH JOINER}\N{GIRL}": "emoji joined from several",
        "Medium": "Medium is what a level is called",
        "x" * 21: "of up to 20 letters",
    }.items():
        assert why.casefold() in bob.send_form(path, name=name).text.casefold(), name
    bob.send_form(path, name=" Conan  O'Brien ")
    assert "Conan O’Brien" in ann.get(path).text


def test_the_rules_of_an_edition_are_told_to_all(ann):
    path = opened(ann, "open", "easy", map="edition:house")
    bob = another(ann)
    for told in (bob.get(path).text, ann.get(path).text):  # joining, and waiting
        assert "House rules: cards left over" in told
        assert "Players may accuse only the room they are in." in told
    bob.send_form(path, name="Bob")
    ann.send_form(f"{path}/start")
    assert "Players may accuse only the room they are in." in bob.get(path).text


def test_whose_seat_was_given_away_before_the_game_is_told(ann):
    path = opened(ann, "open", "easy")
    bob = joined(ann, path, "Bob")
    ann.send_form(f"{path}/seats", number="1", who="medium")
    assert "You no longer have a seat at this table." in bob.get(path).text
    assert "no longer" not in another(ann).get(path).text


def test_who_is_refused_a_seat_may_change_the_language_and_pass_the_address_on(ann):
    path = opened(ann, "open", "easy")
    bob = another(ann)
    refused = bob.send_form(path, name="Ann")
    assert refused.status_code == 400
    assert refused.url.path == path
    assert f'name="back" value="{path}"' in refused.text


@pytest.mark.parametrize("form", ["seats", "seats/more", "pawn", "start", "rematch", "leave"])
def test_the_address_of_a_form_at_a_table_leads_to_the_table(ann, form):
    path = begun(ann, "easy", "easy")
    assert ann.get(f"{path}/{form}").url.path == path


@pytest.mark.parametrize("form", ["seats", "seats/more", "pawn"])
def test_what_is_refused_at_a_table_leads_back_to_it(ann, form):
    path = begun(ann, "easy", "easy")
    refused = ann.send_form(f"{path}/{form}", number="0", who="open")
    assert refused.status_code == 400
    assert f'href="{path}">Back to the table' in refused.text
    assert f'name="back" value="{path}"' in refused.text
    assert "To the start page" in ann.get("/nowhere").text


def test_an_invitation_has_a_qr_code(ann):
    path = opened(ann, "open", "easy")
    answer = ann.get(f"{path}/qr")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "<svg" in answer.text


@pytest.mark.parametrize("edition", [edition.name for edition in shipped_editions()])
def test_a_table_of_every_edition_is_played(ann, edition):
    least = max(2, Edition.load(edition).players[0])
    path = opened(ann, *["easy"] * (least - 1), map=f"edition:{edition}")
    assert ann.send_form(f"{path}/start").status_code == 200
    assert state(ann, path)["now"]["phase"] == "playing"
    now = asked(ann, path)
    offered = [action["do"] for action in now["offer"]["actions"] if not action["do"].get("name")]
    assert ann.send_json(f"{path}/do", {"after": now["moment"], "do": offered[0]}).status_code == 200


def test_who_asks_for_the_head_of_a_stream_is_answered_and_does_not_watch(ann):
    path = begun(ann, "easy", "easy")
    answer = ann.head(f"{path}/events")
    assert (answer.status_code, answer.text) == (200, "")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert state(ann, path)["now"]["watching"] == 0


def test_a_stream_goes_on_after_the_last_moment_that_was_told(ann):
    path = begun(ann, "easy", "easy")
    play([ann], path, 5)
    asked(ann, path)  # nobody else plays meanwhile
    whole = state(ann, path)
    game, backs, time = whole["now"]["moment"].split(".")
    table = open_table(ann, path).table
    key = table.seats[0].key
    late, never = f"{game}.{backs}.3", f"{game}.{backs}.99999"
    for last, since in ((late, 3), (f"{game}.7.3", 0), ("", 0), (never, 0), ("x.y", 0)):
        with speaking("en"):
            message = _message(table, key, last)
        lines = dict(line.split(": ", 1) for line in message.strip().splitlines())
        new = json.loads(lines["data"])
        assert (new["from"], lines["id"]) == (since, table.moment)
        assert new["events"][: int(time) - since] == whole["events"][since:]


# ---- what requests may not do to one another -----------------------------------------------------


def turn_while_read(monkeypatch, table: OnlineTable) -> None:
    """Let the seats turn, as for a new game, while the next request is read."""
    read = table_page.read_json

    async def read_late(request):
        value = await read(request)
        table.seats.append(table.seats.pop(0))
        return value

    monkeypatch.setattr(table_page, "read_json", read_late)


def test_what_is_sent_is_done_on_the_seat_that_its_sender_has_by_then(ann, monkeypatch):
    path, bob = with_bob(ann)
    table = open_table(ann, path).table
    sender = (ann, bob)[table.session.game.state.to_act]
    now = state(sender, path)["now"]
    turn_while_read(monkeypatch, table)
    answer = sender.send_json(f"{path}/do", {"after": now["moment"], "do": choose_command(now, Random(1))})
    assert answer.status_code == 400
    assert table.moment == now["moment"]
    assert ann.send_json(f"{path}/sheet", {"card": 0, "note": "mine"}).status_code == 200
    assert [table.session.sheets[seat].notes for seat in (0, 1)] == [{0: "mine"}, {}], "the seats have turned twice"


def test_a_deed_that_is_refused_is_not_written_wakes_nobody_and_brings_nobody_back(ann, monkeypatch):
    path, bob = with_bob(ann)
    found = open_table(ann, path)
    seat = found.table.session.game.state.to_act
    sender, other = (ann, bob)[seat], (bob, ann)[seat]
    deed_now = {"after": found.table.moment, "do": {"type": "stay"}}
    found.table.session.away.add(1 - seat)
    rows, changes, woken = written(ann), found.table.changes, []
    notify = found.notify
    monkeypatch.setattr(found, "notify", lambda: (woken.append(True), notify()))
    assert other.send_json(f"{path}/do", deed_now).status_code == 400
    assert sender.send_json(f"{path}/do", deed_now | {"do": {"type": "fly"}}).status_code == 400
    assert sender.send_json(f"{path}/do", deed_now | {"after": "1.0.999"}).status_code == 409
    assert (written(ann), found.table.changes, woken) == (rows, changes, [])
    assert found.table.session.away == {1 - seat}
    assert sender.send_json(f"{path}/do", deed_now).status_code == 200
    assert woken
    assert written(ann) > rows


def test_nobody_is_offline_to_themselves(ann):
    path = opened(ann, "open", "easy")
    bob = joined(ann, path, "Bob")
    assert [words(visitor.get(path).text).count("offline") for visitor in (ann, bob)] == [1, 1]
    ann.send_form(f"{path}/start")
    for visitor, there in ((ann, [True, False]), (bob, [False, True])):
        assert [table_seat["online"] for table_seat in state(visitor, path)["now"]["seats"][:2]] == there


@pytest.mark.parametrize("lost", [False, True])
def test_who_sits_down_twice_takes_one_seat(ann, lost):
    path, bob = opened(ann, "open", "open"), another(ann)
    secret = re.search('name="secret" value="(.+?)"', bob.get(path).text)[1]
    for name in ("Bob", "Bob again"):
        assert bob.send_form(path, name=name, secret=secret).url.path == path
        assert "You have a seat." in bob.get(path).text
        if lost:  # the answer, and the cookie with it
            bob.cookies.delete("seat")
    assert [table_seat.name for table_seat in open_table(ann, path).table.seats] == ["Ann", "Bob", ""]


def test_who_sits_down_where_all_have_left_is_host_and_may_deal(ann):
    path = opened(ann, "open", "easy")
    ann.send_form(f"{path}/leave")
    bob = joined(ann, path, "Bob")
    assert bob.send_form(f"{path}/seats", number="1", who="easy").status_code == 200
    assert bob.send_form(f"{path}/start").status_code == 200
    now = state(bob, path)["now"]
    assert (now["host"], now["phase"]) == (True, "playing")


def test_a_look_into_the_pool_is_offered_done_and_told_to_one_seat_alone(ann):
    path, bob = with_bob(ann, map="edition:two")
    found = open_table(ann, path)

    def play_until_a_look(table: OnlineTable) -> None:
        random, rooms_at = Random(1), table.board.rooms_at
        while Peek.obstacle(table.session.game.state) is not None:
            game = table.session.game
            legal = [one for one in game.legal() if not isinstance(one, Accusation)]
            best = [
                one for one in legal if isinstance(one, Hypothesis) or (isinstance(one, Move) and one.to >= rooms_at)
            ]
            table.do(game.state.to_act, table.moment, command_json(random.choice(best or legal), table.board))

    ann.portal.call(found.act, play_until_a_look)
    seat = found.table.session.game.state.to_act
    looker, other = ((ann, bob), (bob, ann))[seat]
    now = state(looker, path)["now"]
    looks = [action["do"] for action in now["offer"]["actions"] if action["do"]["type"] == "peek"]
    assert [(look["type"], look["position"] in range(4)) for look in looks] == [("peek", True)]
    for wrong in (4, -1, "0", None):
        sent = {"after": now["moment"], "do": {"type": "peek", "position": wrong}}
        assert looker.send_json(f"{path}/do", sent).status_code == 400
    assert looker.send_json(f"{path}/do", {"after": now["moment"], "do": looks[0]}).status_code == 200
    card = found.table.board.deck.names[found.table.session.game.state.deal.pool[looks[0]["position"]]]
    seen, unseen, watched = (state(who, path)["events"][-1] for who in (looker, other, another(ann)))
    assert [told["kind"] for told in (seen, unseen, watched)] == ["Peeked"] * 3
    assert [told["mine"] for told in (seen, unseen, watched)] == [True, False, False]
    assert card in seen["text"]
    for told in (unseen, watched):
        assert card not in told["text"].partition(" looks at ")[2], "the looker may be called like the card"


# ---- limits --------------------------------------------------------------------------------------


def kept(visitor: Client) -> set[str]:
    """The paths of the tables that are kept."""
    query = "SELECT id FROM documents WHERE kind = 'room'"
    return visitor.portal.call(site_of(visitor).database.run, lambda db: {f"/r/{id}" for (id,) in db.execute(query)})


def test_the_oldest_tables_are_forgotten_but_none_that_is_open():
    with client(SiteSettings(limits=Limits(tables=1))) as ann:
        paths = [opened(ann, "open") for _ in range(3)]
        assert kept(ann) == set(paths)
        ann.portal.call(site_of(ann).tables._open.pop(paths[1].rpartition("/")[2]).close)
        paths.append(opened(ann, "open"))
        assert kept(ann) == {paths[0], paths[2], paths[3]}
        assert ann.get(paths[1]).status_code == 404
        assert [ann.get(path).status_code for path in (paths[0], paths[2], paths[3])] == [200] * 3


def test_a_table_that_is_being_opened_is_not_forgotten(monkeypatch):
    with client(SiteSettings(limits=Limits(tables=1))) as ann:
        old = opened(ann, "open")
        tables, id = site_of(ann).tables, old.rpartition("/")[2]
        ann.portal.call(tables._open.pop(id).close)
        reading, read = Event(), Event()
        from_json = OnlineTable.from_json

        def slowly(*kept):
            reading.set()
            assert read.wait(60)
            return from_json(*kept)

        monkeypatch.setattr(OnlineTable, "from_json", slowly)
        opening = ann.portal.start_task_soon(tables.get, id)
        assert reading.wait(60)
        new = opened(ann, "open")
        read.set()
        assert opening.result().table.id == id
        assert kept(ann) == {old, new}


@pytest.mark.slow
def test_a_table_that_nobody_is_in_any_more_leaves_nothing_in_memory(monkeypatch):
    monkeypatch.setattr(open_tables, "_IDLE_S", 0.1)
    with client(PATIENT) as ann:
        path = begun(ann, "easy", "easy")
        accuse_rightly(ann, path)
        before, table = state(ann, path)["now"], weakref.ref(open_table(ann, path).table)
        wait_until(lambda: gc.collect() >= 0 and table() is None)
        assert state(ann, path)["now"] == before


def test_an_address_begins_so_many_tables_rematches_and_cases_and_no_more():
    """Else one visitor would push out what others keep here."""
    table = USUAL | {"seat-1": "open"}
    case = {"player-0": "Ann", "player-1": "Bob", "player-2": "Cy", "edition": "classic"}
    limits = Limits(burst=100_000, new_documents=4, new_documents_per_second=0.0)
    with client(SiteSettings(limits=limits)) as ann:
        path = begun(ann, "easy", "easy")
        for status in (200, 429):
            accuse_rightly(ann, path)
            answers = [
                ann.send_form(f"{path}/rematch"),
                ann.send_form("/assistant", **case),
                ann.send_form("/play", **table),
            ]
            assert [answer.status_code for answer in answers] == [status] * 3
        assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
        elsewhere = Client(ann.app, headers={"Accept": "text/html"}, client=("192.0.2.7", 1))
        elsewhere.portal = ann.portal
        assert elsewhere.send_form("/play", **table).status_code == 200


def test_so_many_jobs_run_for_an_address_and_no_more(ann):
    path, _ = with_bob(ann)
    site = site_of(ann)
    site.jobs = Concurrent(1, 5)
    alone = {"player-0": "Ann"}
    with site.jobs.one("testclient"):
        answers = [ann.ask_json(f"{path}/hint"), ann.ask_json("/puzzle"), ann.send_form("/assistant", **alone)]
    assert [answer.status_code for answer in answers] == [429] * 3
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
    with site.jobs.one("192.0.2.7"):
        assert ann.send_form("/assistant", **alone).status_code == 400, "one player is too few"
    assert not site.jobs.full("testclient"), "a job that is done counts no longer"
