"""``cluedo mcp``, as assistants use it: the library's own client, by standard input and output, and by HTTP."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from functools import partial

import anyio
import httpx2
import pytest
from helpers.agents import Assistant, by_http, by_stdio, play_by_hints, run, running
from helpers.programs import python, without
from mcp import Client, MCPError

from cluedo.agents.mcp_server import make_server
from cluedo.agents.tools import TOOLS
from cluedo.ai.positions.grading import _AnswerLine

HAND = ["Plum", "Rope", "Study", "Wrench", "Dagger", "Green"]
TABLE = {"players": ["Ann", "Bob", "Cy"], "me": "Ann", "hand": HAND, "map": "classic"}


@pytest.fixture(scope="module")
def address():
    """Where a server runs."""
    with running() as url:
        yield url


@pytest.fixture(params=["stdio", "http"])
def connect(request, tmp_path):
    """How an assistant connects: in the way of versions before 2026, and in that since."""
    if request.param == "stdio":
        return partial(by_stdio, tmp_path, "legacy")
    return partial(by_http, request.getfixturevalue("address"))


def test_every_tool_says_what_it_does_and_what_it_takes(connect):
    async def listed(assistant: Assistant):
        return (await assistant.client.list_tools()).tools

    tools = run(connect, listed)
    assert [tool.name for tool in tools] == list(TOOLS)
    for tool in tools:
        assert 20 < len(tool.description) < 900
        assert "\n" not in tool.description
        assert tool.input_schema["type"] == "object"
        assert not tool.input_schema["additionalProperties"]
        assert "title" not in json.dumps(tool.input_schema)


def test_an_answer_to_a_position_may_say_all_that_a_file_of_answers_may():
    assert TOOLS["grade"].model_fields.keys() == _AnswerLine.model_fields.keys() - {"comment"}


def test_a_whole_case_from_its_first_entry_to_the_envelope(connect):
    async def case(assistant: Assistant):
        opened = await assistant.call("open_case", **TABLE)
        assert opened["places"] == ["Ann", "Bob", "Cy", "envelope"]
        assert opened["cards"]["rooms"][1] == "Hall"
        tell = partial(assistant.call, "enter", case=opened["case"])
        ask = partial(assistant.call, case=opened["case"])
        entered = await tell(line="bob asks plum rope hall, cy shows")
        assert entered["entry"] == "1 Bob asks Plum, Rope, Hall: Cy shows"
        assert "- Cy holds Hall." in entered["said"]
        assert (await ask("proofs"))["proved"]["Hall"] == "Cy"
        assert (await ask("proofs", why="Hall=Cy"))["why"][2] == "Therefore Cy holds Hall."
        odds = (await ask("odds"))["odds"]
        assert odds["Hall"]["envelope"] == 0.0
        assert abs(sum(odds[card]["envelope"] for card in opened["cards"]["weapons"]) - 1.0) < 0.001
        before = (await ask("questions"))["questions"]
        assert len(before) == 9
        for line in ("me asks white lead kitchen, nobody", "undo", "redo", "log"):
            entered = await tell(line=line)
        assert entered["said"][-1] == "- 2 Ann asks White, Lead Pipe, Kitchen: nobody"
        proofs = await ask("proofs")
        assert {proofs["proved"][card] for card in ("White", "Lead Pipe", "Kitchen")} == {"envelope"}
        assert (await ask("questions"))["said"] == ["Accuse: White, Lead Pipe, Kitchen. That is proved."]
        assert (await tell(line="me accuses white lead kitchen right"))["kind"] == "changed"
        assert (await ask("questions"))["questions"] == []

    run(connect, case)


def test_a_contradiction_is_said_and_mended(address):
    async def case(assistant: Assistant):
        name = (await assistant.call("open_case", **TABLE))["case"]
        for line in ("bob asks white revolver hall, nobody", "me asks white revolver hall, cy shows white"):
            assert (await assistant.call("enter", case=name, line=line))["kind"] == "changed"
        said = await assistant.refusal("odds", {"case": name})
        assert said == "the entries contradict each other; resolve that first"
        assert (await assistant.call("enter", case=name, line="drop 1"))["kind"] == "changed"
        assert (await assistant.call("proofs", case=name))["proved"]["White"] == "Cy"

    run(partial(by_http, address), case)


def test_whole_games_to_a_right_accusation(address):
    async def games(assistant: Assistant):
        play = partial(play_by_hints, assistant, opponents=["random", "easy"])
        without_board = await play(map="discover", rules=["movement=free"], seed=1)
        return [without_board, *[await play(map="tiny", seed=seed) for seed in (1, 2)]]

    ended = run(partial(by_http, address), games)
    assert any(one["over"].startswith("You solve the case and win") for one in ended)
    assert all(len(one["envelope"]) == 3 for one in ended)


def test_cards_that_have_to_be_chosen_are_placeholders_of_which_the_tool_tells(address):
    async def asked(assistant: Assistant):
        now = await assistant.call("new_game", map="tiny", opponents=["easy", "easy"], rules=["movement=free"], seed=1)
        game, cards = now["game"], now["cards"]
        while "hypothesis" not in (offered := {one["do"]["type"]: one["do"] for one in now["may"]}):
            now = await assistant.call("act", game=game, **now["may"][0]["do"])
        *placeholders, room = offered["hypothesis"]["cards"]
        assert (placeholders, room in cards["rooms"]) == (["<suspect>", "<weapon>"], True)
        assert offered["accusation"]["cards"] == ["<suspect>", "<weapon>", "<room>"]
        told = {tool.name: tool.description for tool in (await assistant.client.list_tools()).tools}["act"]
        assert all(placeholder in told for placeholder in offered["accusation"]["cards"])
        said = await assistant.refusal("act", {"game": game, "type": "hypothesis", "cards": [*placeholders, room]})
        assert said.startswith("no suspect is called '<suspect>'; ")
        chosen = [cards["suspects"][0], cards["weapons"][0], room]
        assert (await assistant.call("act", game=game, type="hypothesis", cards=chosen))["happened"]

    run(partial(by_http, address), asked)


POSITION = {"id": "classic-3-b68a6d85"}
WRONG = {
    "open_case": [
        ({"players": ["Smith, Ann", "Bob", "Cy"]}, "'Smith, Ann': a name has no comma in it"),
        ({"players": ["Ann", "Bob", "Cy"], "hand": ["Rope"]}, "'me' and 'hand' go together"),
        ({}, "players: is missing"),
        (TABLE | {"map": "../secret.json"}, "'../secret.json' is not known here; known: "),
        (TABLE | {"edition": "none.toml"}, "'none.toml' is not known here; known: "),
        (TABLE | {"hand": ["Plumm"]}, "'Plumm' is not one of them; did you mean Plum?"),
        (TABLE | {"hand": HAND[1:]}, "the hand of Ann needs 6 cards, and has 5"),
        (TABLE | {"me": "Di"}, "'Di' is not one of them"),
        (TABLE | {"rules": ["dice"]}, "rule 'dice': a rule is set as KEY=VALUE, for example dice=1"),
        (TABLE | {"players": "Ann, Bob"}, "players: must be a list"),
        (TABLE | {"players": []}, "players: there are 0; 2 or more are needed"),
        (TABLE | {"players": ["Ann"] * 61}, "players: there are 61; at most 60 are possible"),
        (TABLE | {"colour": "red"}, "there is no key 'colour'; known: "),
    ],
    "enter": [
        ({"case": "case-000000000000", "line": "x"}, "there is no case 'case-000000000000'; open_case opens one"),
        ({"case": "../../etc/passwd", "line": "x"}, "there is no case '../../etc/passwd'"),
        ({"case": "CASE", "line": "bob frobs"}, "'frobs' is not understood"),
        ({"case": "CASE", "line": "save x.json"}, "no files can be written from here"),
        ({"case": "CASE", "line": "drop 7"}, "there is no entry 7: there are 0"),
        ({"case": "CASE", "line": "x" * 301}, "line: must have 300 letters or fewer"),
    ],
    "proofs": [
        ({"case": "CASE", "why": "Hall"}, "a card and a place are needed, as in Scarlett=envelope"),
        ({"case": "CASE", "why": "Hall=Zoe"}, "'Zoe' is not one of them"),
    ],
    "odds": [({"case": 7}, "case: must be a text")],
    "questions": [({}, "case: is missing")],
    "new_game": [
        ({"opponents": ["grandmaster"]}, "'grandmaster' is no level"),
        ({"opponents": ["exec:rm x", "easy"]}, "'exec:rm x' is no level"),
        ({"opponents": ["bot.py:Bot", "easy"]}, "'bot.py:Bot' is no level"),
        ({"opponents": []}, "Cluedo is played by 2 to 10 players, not 1"),
        ({"opponents": ["easy"] * 7}, "8 players are too many for the 6 suspects of this map"),
        ({"seed": -1}, "seed: must be 0 or more"),
        ({"rules": ["max_turns=1000000"]}, "max_turns: at most 1000 here"),
        ({"map": "atlantis"}, "'atlantis' is not known here"),
    ],
    "look": [
        ({"game": "game-1"}, "there is no game 'game-1'; new_game deals one, and the last 100 are kept"),
        ({"game": "CASE"}, "there is no game 'case-"),
        ({"game": "GAME", "since": -1}, "since: must be 0 or more"),
    ],
    "act": [
        ({"game": "GAME", "type": "fly"}, "'fly' is no command"),
        ({"game": "GAME"}, "type: is missing"),
        ({"game": "GAME", "type": "move"}, "to is missing"),
        ({"game": "GAME", "type": "move", "to": {}}, "to: must be the name of a room, or a square as [x, y]"),
        ({"game": "GAME", "type": "move", "to": "Hell"}, "no room is called 'Hell'; known: Salon, "),
        ({"game": "GAME", "type": "end_turn"}, "the end of the turn is not possible now: the turn waits for a move"),
        ({"game": "GAME", "type": "accusation", "cards": ["Rose", "Corde", "Salon"]}, "an accusation comes at the"),
        ({"game": "GAME", "type": "take_back"}, "'take_back' is no command"),
    ],
    "hint": [({"game": ""}, "there is no game ''")],
    "position": [({"number": 501}, "there are 500 such positions"), ({"difficulty": 6}, "difficulty: must be 5 or ")],
    "grade": [
        ({"id": "classic"}, "there is no position classic"),
        (POSITION | {"proved": [["Rope", "Bob"]]}, "proved[0][2]: is missing"),
        (POSITION | {"proved": [["Ropee", "Bob", True]]}, "'Ropee' is not known here"),
    ],
    "opencase": [({}, "there is no tool 'opencase'; did you mean 'open_case'?")],
}


def test_where_pawns_stand_is_told_in_the_terms_of_the_bot_protocol(address):
    async def looked(assistant: Assistant):
        game = await assistant.call("new_game", map="tiny", opponents=["easy", "hard"], seed=3)
        assert game["pawns"] == {"Amber": [0, 3], "Basil": [5, 0], "Coral": "Den"}

    run(partial(by_http, address), looked)


def test_what_is_wrong_with_a_call_is_one_sentence(address):
    async def calls(assistant: Assistant):
        case, game = await assistant.call("open_case", **TABLE), await assistant.call("new_game", map="manoir", seed=7)
        names = {"CASE": case["case"], "GAME": game["game"]}
        for tool, wrong in WRONG.items():
            for arguments, begin in wrong:
                meant = {key: names.get(str(value), value) for key, value in arguments.items()}
                said = await assistant.refusal(tool, meant)
                assert said.startswith(begin), (tool, arguments, said)
                assert said.isprintable(), (tool, arguments, said)
                assert "Traceback" not in said
                assert len(said) < 700
        assert (await assistant.call("look", game=names["GAME"]))["time"] == 3, "nothing has happened"

    assert set(TOOLS) < set(WRONG)
    run(partial(by_http, address), calls)


@pytest.mark.slow
def test_a_later_process_goes_on_with_what_an_earlier_one_began(tmp_path):
    async def begin(assistant: Assistant):
        case = (await assistant.call("open_case", **TABLE))["case"]
        await assistant.call("enter", case=case, line="bob asks plum rope hall, cy shows")
        game = (await assistant.call("new_game", map="manoir", seed=7))["game"]
        await assistant.call("act", game=game, type="roll")
        return case, game, await assistant.call("look", game=game)

    async def go_on(assistant: Assistant):
        assert (await assistant.call("proofs", case=case))["proved"]["Hall"] == "Cy"
        assert await assistant.call("look", game=game) == looked
        await assistant.call("act", game=game, type="move", to="Garage")

    connect = partial(by_stdio, tmp_path)
    case, game, looked = run(connect, begin)
    run(connect, go_on)


def test_nothing_but_the_protocol_is_written_to_standard_output(tmp_path):
    """Without any messages nothing is, and the end of the input ends the server."""
    ran = python("-m", "cluedo", "mcp")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGPIPE])
def test_ctrl_c_or_a_client_that_reads_no_more_ends_it_though_the_input_goes_on(how):
    with subprocess.Popen([sys.executable, "-m", "cluedo", "mcp"], stdin=-1, stdout=-1, stderr=-1) as server:
        try:
            ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
            server.stdin.write(ping)
            server.stdin.flush()
            assert b'"id":1' in server.stdout.readline()
            if how == signal.SIGINT:
                server.send_signal(how)
            else:
                server.stdout.close()
                server.stdin.write(ping)
                server.stdin.flush()
            assert server.wait(timeout=60) == -how
            assert server.stderr.read() == b""
        finally:
            server.kill()


@pytest.mark.slow
def test_while_all_is_compiled_a_client_is_told_how_far_it_is(tmp_path):
    """A folder without machine code, as after an installation; what is told first is enough."""

    def told(assistant: Assistant) -> list[str]:
        return [note for note in assistant.notes if note and note.startswith("The detective is being prepared, once")]

    async def cold(assistant: Assistant):
        async with anyio.create_task_group() as tasks:

            async def hint():
                game = (await assistant.call("new_game", map="tiny", opponents=["expert", "expert"], seed=3))["game"]
                await assistant.call("hint", game=game)
                tasks.cancel_scope.cancel()

            tasks.start_soon(hint)
            while len(told(assistant)) < 3:
                await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()
        return told(assistant)

    notes = run(partial(by_stdio, tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "code")), cold)
    assert len(notes) >= 3
    assert notes == sorted(notes, key=lambda note: int(note.split()[-3]))


@pytest.mark.slow
def test_a_server_ends_at_once_though_a_client_listens_and_a_tool_works(tmp_path, monkeypatch):
    """A folder without machine code, so that the tool works for longer than the end may take."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    async def end(assistant: Assistant):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(assistant.call, "new_game", map="tiny", opponents=["expert", "expert"]))
            while not assistant.notes:
                await anyio.sleep(0.05)
            server.process.send_signal(signal.SIGTERM)
            codes.append(server.process.wait(timeout=5))

    codes, server = [], running()
    with server as url, suppress(MCPError, BaseExceptionGroup):
        run(partial(by_http, url, "legacy"), end)
    assert codes == [0]


def test_two_calls_at_once_are_answered_one_after_the_other(address):
    async def both(assistant: Assistant):
        async with anyio.create_task_group() as tasks:
            for seed in range(3):
                tasks.start_soon(partial(play_by_hints, assistant, map="tiny", opponents=["easy", "easy"], seed=seed))

    run(partial(by_http, address), both)


def test_a_fault_of_the_program_tells_nothing_and_ends_nothing(monkeypatch, caplog):
    def fail(self, _kept):
        raise ValueError("Rope is in the envelope")

    monkeypatch.setattr(TOOLS["odds"], "answer", fail)

    async def calls(assistant: Assistant):
        said = await assistant.refusal("odds", {"case": "case"})
        assert said == "a fault in the program stopped this call; see its standard error"
        assert await assistant.refusal("hint", {"game": ""}) != said

    @asynccontextmanager
    async def here():
        async with Client(make_server()) as client:
            yield Assistant(client)

    run(here, calls)
    assert "Rope is in the envelope" in caplog.text


def test_pages_of_other_sites_are_refused(address):
    for headers in ({"host": "evil.example"}, {"origin": "https://evil.example"}):
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        asked = httpx2.post(address, json=ping, headers=headers, timeout=300)
        assert asked.status_code in (403, 421)


@pytest.mark.parametrize("missing", ["anyio", "mcp", "uvicorn"])
def test_without_the_extra_it_is_said_how_to_get_it(missing):
    assert without(missing, "mcp") == (2, "cluedo: this needs the extra mcp: pip install 'cluedo[mcp]'\n")
