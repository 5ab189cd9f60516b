"""Served to others: what a visitor's process may touch, who is let in, and games in a real browser."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
from playwright.sync_api import Page, sync_playwright

from cluedo.cli.serve import listen
from cluedo.engine.errors import CluedoError
from cluedo.engine.record import read_record
from cluedo.language import speak
from cluedo.tui.app import CluedoApp
from cluedo.tui.keys import KeyCommands
from cluedo.tui.main_menu import MainMenu

CLUEDO = [sys.executable, "-m", "cluedo"]
CHROMIUM = "/usr/bin/chromium"
SWITCHES = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


# ---- the sandbox -------------------------------------------------------------------------------


def in_a_sandbox(folder: Path, code: str) -> list[str]:
    """What a process prints in a sandbox with this folder; each line of code by its outcome."""
    script = f"""
import os, socket, subprocess, sys, tempfile
from pathlib import Path
from cluedo.tui import sandbox
sandbox.enter(Path({str(folder)!r}))
for line in {code.strip().splitlines()!r}:
    try:
        print(eval(line))
    except Exception as error:
        print(type(error).__name__, error)
"""
    ran = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder.parent,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the host beside the sandbox's folder."""
    (tmp_path / "sandbox").mkdir()
    path = tmp_path / "secret.json"
    path.write_text('{"secret": 1}', encoding="utf-8")
    return path


def test_a_sandboxed_process_reads_and_writes_nothing_outside_its_folder(tmp_path, secret):
    outside = str(tmp_path / "new")
    lines = in_a_sandbox(
        tmp_path / "sandbox",
        f"""
open({str(secret)!r}).read()
open("../secret.json").read()
open("/etc/passwd").read()
open({outside!r}, "w")
open({str(secret)!r}, "a")
os.open({str(secret)!r}, os.O_RDONLY)
os.listdir("..")
os.mkdir({outside!r})
os.remove({str(secret)!r})
os.rename({str(secret)!r}, "mine")
os.symlink({str(secret)!r}, "mine")
os.link({str(secret)!r}, "mine")
Path({str(secret)!r}).replace("mine")
""",
    )
    assert len(lines) == 13
    assert all(line.startswith("PermissionError [Errno 13] outside the sandbox") for line in lines), lines
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sandbox", "secret.json"]
    assert not list((tmp_path / "sandbox").iterdir())


def test_a_sandboxed_process_starts_no_process_and_calls_nobody(tmp_path, secret):
    with socket.create_server(("127.0.0.1", 0)) as server:
        lines = in_a_sandbox(
            tmp_path / "sandbox",
            f"""
subprocess.run(["true"])
os.system("true")
os.execv("/bin/true", ["true"])
os.posix_spawn("/bin/true", ["true"], {{}})
os.fork()
socket.create_connection({server.getsockname()!r})
socket.socket().bind(("127.0.0.1", 0))
""",
        )
    assert len(lines) == 7
    assert all(line.startswith("PermissionError [Errno 13] not allowed in the sandbox") for line in lines), lines


@pytest.mark.slow
def test_a_sandboxed_process_has_its_own_folder_and_the_program(tmp_path, secret):
    lines = in_a_sandbox(
        tmp_path / "sandbox",
        """
Path("mine").write_text("mine") and Path("mine").read_text()
Path("mine").replace("yours").name
tempfile.gettempdir() == os.getcwd()
os.environ["XDG_STATE_HOME"] == os.getcwd()
__import__("cluedo.session.autosave", fromlist=["x"]).saves_folder().is_relative_to(os.getcwd())
__import__("cluedo").Board.load("tiny").map.name
__import__("cluedo.ai.levels", fromlist=["x"]).parse_player("expert").prepare()
__import__("random").SystemRandom().random() < 1
""",
    )
    assert lines == ["mine", "yours", "True", "True", "True", "tiny", "None", "True"]


def test_what_names_a_file_is_refused_in_a_sentence(tmp_path, secret):
    lines = in_a_sandbox(
        tmp_path / "sandbox",
        f"""
__import__("cluedo").Board.load({str(secret)!r})
__import__("cluedo").read_record({str(secret)!r})
__import__("cluedo.ai.levels", fromlist=["x"]).parse_player({str(tmp_path / "bot.py")!r} + ":Bot")
__import__("cluedo.ai.levels", fromlist=["x"]).parse_player("/etc/passwd:Bot")
""",
    )
    assert lines[0].startswith("MapError ")
    assert lines[1].startswith("RecordError ")
    assert lines[2].startswith("PlayerError ")
    assert lines[3].startswith("PlayerError ")
    assert "outside the sandbox" in lines[0] + lines[1]
    assert not any("secret" in line.replace(str(secret), "") for line in lines)


# ---- the main menu -----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_main_menu_leads_to_everything_and_everything_back_to_it():
    async def walk() -> list[str]:
        app, met = CluedoApp(MainMenu(), files=False), []
        async with app.run_test(size=(100, 36)) as pilot:

            async def press(*keys: str) -> None:
                await pilot.press(*keys)
                await pilot.pause(0.3)
                met.append(type(app.screen).__name__)

            await press("enter")
            await press("enter")
            await press("q")
            await press("n")
            await press("q")
            await press("y")
            await pilot.press("down", "enter")
            for _ in range(200):  # the sample game is being played
                if not isinstance(app.screen, MainMenu):
                    break
                await pilot.pause(0.1)
            await press("right")
            await press("q")
            await press("down", "enter")
            await press("escape")
            assert {KeyCommands} == app.COMMANDS, "a palette of Textual's own would write files"
            await press("ctrl+p")
            await press("escape")
            await press("q")
            assert not app.is_running
        return met

    speak("en")
    met = asyncio.run(walk())
    game = ["StartScreen", "TableScreen", "Confirm", "TableScreen", "Confirm", "MainMenu"]
    assert met[:-1] == [*game, "ReplayScreen", "MainMenu", "AssistStart", "MainMenu", "CommandPalette", "MainMenu"]


@pytest.mark.parametrize("size", [(80, 24), (142, 38)])
def test_the_main_menu_fits(size):
    async def look() -> None:
        app = CluedoApp(MainMenu(), files=False)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert isinstance(app.screen, MainMenu)
            for widget in app.screen.query("OptionList, Static"):
                assert app.screen.region.contains_region(widget.region)

    asyncio.run(look())


# ---- the server --------------------------------------------------------------------------------


@contextmanager
def served(tmp_path: Path, *options: str) -> Iterator[str]:
    """A server in a process of its own; its address. Its visits' folders are in ``tmp_path``."""
    process = subprocess.Popen(
        [*CLUEDO, "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, first + process.stdout.read()
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert "Traceback" not in rest
    assert not list(tmp_path.glob("cluedo-visits-*"))


def status(url: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=300) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


WEBSOCKET = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "x" * 24,
}


def test_only_this_machine_and_our_own_page_are_let_in(tmp_path):
    with served(tmp_path) as url:
        assert status(url) == 200
        assert status(url, Host="evil.example") == 403
        assert status(url, Host="localhost:8000") == 200
        assert status(url + "ws", Origin="http://evil.example", **WEBSOCKET) == 403
        assert status(url + "ws", Host="evil.example", Origin="http://evil.example", **WEBSOCKET) == 403
        assert status(url + "static/js/textual.js") == 200
        assert status(url + "static/js/textual.js", Host="evil.example") == 403
        assert status(url + "static/js/textual.js", Host="[") == 403
        assert status(url, Origin="http://[") == 403
        for folder in ("static", "static/", "static/js/"):
            assert status(url + folder) in (403, 404)
        for path in ("static/../../server.py", "static/%2e%2e/server.py", "etc/passwd", "download/x"):
            assert status(url + path) == 404
        with urllib.request.urlopen(url, timeout=300) as answer:
            page = answer.read().decode()
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"(?:https?:)?//[\w.]+\.\w+", page), "nothing is asked of other machines"


def test_a_port_in_use_and_addresses_that_are_none():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = subprocess.run(
            [*CLUEDO, "serve", "--port", str(port)], capture_output=True, text=True, timeout=300, check=False
        )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"cluedo: port {port} of 127.0.0.1 is in use; choose another with --port\n"
    with pytest.raises(CluedoError, match="this is not an address"):
        listen("not an address", 0)
    with pytest.raises(CluedoError, match="this machine has no such address"):
        listen("192.0.2.1", 0)
    with pytest.raises(CluedoError, match="this is not an address"):
        listen("a" * 70 + ".invalid", 0)


def test_other_machines_are_told_where_it_is_and_what_that_means(tmp_path):
    process = subprocess.Popen(
        [*CLUEDO, "serve", "--port", "0", "--host", "0.0.0.0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        if line == "Press Ctrl-C to stop it.\n":
            break
        said.append(line)
        assert "0.0.0.0" not in line
        assert status(re.findall(r"http://\S+", line)[0]) == 200
    assert said[0].startswith("Cluedo is at http://127.0.0.1:")
    assert all(line.startswith("for other machines: http://") for line in said[1:])
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=300)
    assert errors == (
        "cluedo: whoever can reach 0.0.0.0 over the network can play here: there is no password and no encryption\n"
    )


def test_without_the_extra_it_is_said_how_to_get_it():
    code = (
        "import sys\n"
        "sys.modules['textual_serve'] = None\n"
        "sys.argv = ['cluedo', 'serve', '--port', '0']\n"
        "from cluedo.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 2
    assert ran.stderr == "cluedo: serving needs textual-serve, which is not installed: pip install 'cluedo[web]'\n"


# ---- visitors who mean harm --------------------------------------------------------------------


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def megabytes(process: int) -> int:
    """What a process holds in memory."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    return int(found[1]) // 1024 if found else 0


class Harm:
    """Visits without a browser, to a server in a process of its own."""

    def __init__(self, client: aiohttp.ClientSession, url: str, server: int):
        self.client, self.url, self.server = client, url, server

    async def visit(self, question: str = "") -> tuple[aiohttp.ClientWebSocketResponse, int]:
        """A visit whose screen is there, and its process."""
        before = children(self.server)
        connection = await self.client.ws_connect(f"{self.url}ws{question}")
        assert (await connection.receive(timeout=300)).type is aiohttp.WSMsgType.BINARY
        (process,) = set(children(self.server)) - set(before)
        return connection, process

    async def ended(self) -> None:
        """Return when no visit is left: within 5 seconds, unless the machine has much else to do."""
        async with asyncio.timeout(20):
            while children(self.server):
                await asyncio.sleep(0.05)


def harm(tmp_path: Path, work: Callable[[Harm], Awaitable[None]], *options: str) -> None:
    """Do something to a server, which has to serve on, and to end at once and without a trace when told to."""

    async def do(url: str, server: int) -> None:
        async with aiohttp.ClientSession() as client:
            await work(Harm(client, url, server))
            assert status(url) == 200

    with served(tmp_path, *options) as url:
        (server,) = [
            child for child in children(os.getpid()) if b"\0serve\0" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]
        asyncio.run(do(url, server))


@pytest.mark.slow
def test_who_types_more_than_a_game_can_take_is_shown_out_and_their_place_is_free(tmp_path):
    async def flood(at: Harm) -> None:
        connection, process = await at.visit()
        most = 0
        keys = json.dumps(["stdin", "\x1b[A\x1b[B" * 300])
        with suppress(ConnectionError, TimeoutError):
            for _ in range(1000):  # 6 MB
                await asyncio.wait_for(connection.send_str(keys), 5)
                if Path(f"/proc/{process}/stat").exists():
                    most = max(most, megabytes(process), megabytes(at.server))
        await connection.close()
        await at.ended()
        assert 0 < most < 250
        await at.visit()

    harm(tmp_path, flood, "--visitors", "1")


@pytest.mark.slow
def test_no_message_is_long_and_none_without_sense_does_anything(tmp_path):
    async def chatter(at: Harm) -> None:
        connection, process = await at.visit()
        for nonsense in ("", "[", "[]", "7", "{}", '["stdin"]', '["stdin", 7]', '["stdin", "\\ud800"]', "[" * 4000,
                         '["resize", 1]', '["resize", {"width": "a", "height": null}]', '["away"]'):  # fmt: skip
            await connection.send_str(nonsense)
        await connection.send_bytes(b"\xff")
        await asyncio.sleep(0.5)
        assert children(at.server) == [process]
        await connection.send_str(json.dumps(["stdin", "x" * 10_000]))
        await at.ended()

    harm(tmp_path, chatter)


@pytest.mark.slow
def test_no_terminal_is_larger_than_a_screen(tmp_path):
    async def grow(at: Harm) -> None:
        connection, process = await at.visit("?width=20000&height=20000")
        began = Path(f"/proc/{process}/environ").read_text(encoding="utf-8").split("\0")
        assert {"COLUMNS=500", "ROWS=200"} <= set(began)
        for width, height in ((20_000, 20_000), (-1, 0), (10**30, -(10**30))):
            await connection.send_str(json.dumps(["resize", {"width": width, "height": height}]))
        await asyncio.sleep(1.0)
        assert children(at.server) == [process]
        assert megabytes(process) < 250

    harm(tmp_path, grow)


@pytest.mark.slow
def test_a_visit_that_does_not_listen_is_ended_all_the_same(tmp_path):
    async def freeze(at: Harm) -> None:
        connection, process = await at.visit()
        assert os.getpgid(process) == process, "a Ctrl-C at the server's terminal is not for the visits"
        os.kill(process, signal.SIGSTOP)
        await connection.close()
        await at.ended()
        _, process = await at.visit()
        os.kill(process, signal.SIGSTOP)

    harm(tmp_path, freeze)


@pytest.mark.slow
def test_a_page_whose_game_is_gone_is_told(tmp_path):
    async def crash(at: Harm) -> None:
        connection, process = await at.visit()
        os.kill(process, signal.SIGKILL)
        async with asyncio.timeout(5):
            async for _ in connection:
                pass
        assert connection.closed
        await at.ended()

    harm(tmp_path, crash)


@pytest.mark.slow
def test_visits_end_with_a_server_that_is_killed(tmp_path):
    process = subprocess.Popen(
        [*CLUEDO, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]

    async def orphan() -> None:
        async with aiohttp.ClientSession() as client:
            at = Harm(client, url, process.pid)
            _, visit = await at.visit()
            process.kill()
            async with asyncio.timeout(10):
                while Path(f"/proc/{visit}/cmdline").exists() and Path(f"/proc/{visit}/cmdline").read_bytes():
                    await asyncio.sleep(0.05)

    try:
        asyncio.run(orphan())
    finally:
        process.kill()
        process.communicate(timeout=300)


# ---- in a browser ------------------------------------------------------------------------------


class Visitor:
    """A page of Chromium on a served game, and everything that it asked for or complained about."""

    def __init__(self, page: Page, url: str):
        self.page, self.requests, self.trouble = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", lambda opened: self.requests.append(opened.url))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("console", lambda said: self.trouble.append(said.text) if said.type in ("error", "warning") else None)
        page.goto(url)
        page.wait_for_selector("body.-first-byte", timeout=120_000)

    def press_until(self, keys: list[str], reached: Callable[[], bool], seconds: float = 120.0) -> None:
        """Press the keys in turn until something is so."""
        ends = time.monotonic() + seconds
        while not reached():
            for key in keys:
                self.page.keyboard.press(key)
                self.page.wait_for_timeout(40)
            self.page.wait_for_timeout(200)  # or what follows an Escape would be taken for its second letter
            assert time.monotonic() < ends, "nothing came of it"


@contextmanager
def visitor(url: str, width: int, height: int) -> Iterator[Visitor]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        try:
            context = browser.new_context(viewport={"width": width, "height": height})
            yield Visitor(context.new_page(), url)
        finally:
            browser.close()


def turns_of_mine(folder: Path) -> int:
    """The turns that the person of the only game in the folder has ended."""
    games = list(folder.glob("cluedo-visits-*/*/cluedo/games/*.json"))
    if not games:
        return 0
    (game,) = games
    record = read_record(game)
    seat = [player.name for player in record.players].index("human")
    return sum(event.type == "end_turn" and event.seat == seat for event in record.events)


@pytest.mark.slow
@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium")
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (375, 667)])
def test_two_turns_by_keyboard_in_a_browser(tmp_path, width, height):
    with served(tmp_path) as url, visitor(url, width, height) as at:
        assert at.page.evaluate("document.documentElement.scrollWidth") <= width
        columns, lines = map(int, re.findall(r"(?:width|height)=(\d+)", next(u for u in at.requests if "/ws" in u)))
        assert columns >= 80
        assert lines >= 24
        at.page.wait_for_timeout(500)
        at.page.keyboard.press("Enter")  # through the first door
        at.page.wait_for_timeout(700)
        # Who begins is left to chance, and a game is kept from its first command on: a roll, if it is ours.
        at.press_until(["Control+s", "r"], lambda: bool(list(tmp_path.glob("cluedo-visits-*/*/cluedo/games/*.json"))))
        # Roll, stay where one is or ask nothing, show the first card, end the turn; skip what others do.
        at.press_until(["Space", "r", "s", "1", "e", "Escape"], lambda: turns_of_mine(tmp_path) >= 2)
        assert not at.trouble
        assert {re.sub(r"^\w+://([^/]+)/.*", r"\1", asked) for asked in at.requests} == {url.split("/")[2]}
    assert not list(tmp_path.iterdir()), "nothing of a visit is left"


@pytest.mark.slow
@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium")
def test_each_visitor_has_their_own_game_and_too_many_have_none(tmp_path):
    def folders() -> int:
        return len(list(tmp_path.glob("cluedo-visits-*/*")))

    with served(tmp_path, "--visitors", "2") as url, visitor(url, 800, 600) as first:
        second = Visitor(first.page.context.new_page(), url)
        assert folders() == 2
        third = first.page.context.new_page()
        third.goto(url)
        third.wait_for_selector("body.-closed", timeout=120_000)
        assert third.locator(".closing").is_visible()
        second.page.close()
        for _ in range(50):
            if folders() == 1:
                break
            time.sleep(0.1)
        assert folders() == 1, "who leaves takes everything along"
        third.wait_for_timeout(1000)  # its process is gone a moment later than its folder
        third.reload()
        third.wait_for_selector("body.-first-byte", timeout=120_000)
