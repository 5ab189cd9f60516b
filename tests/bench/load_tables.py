"""Full tables, at a server that is killed while they play: ``python tests/bench/load_tables.py --help``.

A real ``cluedo serve`` runs on loopback. At every table people sit who move by themselves, through what the public
pages offer: the form that opens a table, the stream of events, the commands with the moment that they follow. Each
comes from an address of their own, as a proxy would tell. What is told: the time from a command until everybody at
its table has been told of it, what was lost or came twice, and the memory of the server and the processes that think.

It ends with 1 if an event was lost or doubled, a page or a command failed, or a game did not go on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
from bisect import bisect_left
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic
from typing import Any, NamedTuple

import httpx2

from cluedo.engine.board import Board
from cluedo.engine.cards import Deck

QUIET_S = 60.0
"""How long nothing may be told to somebody who waits for the end of a run."""


class Browser:
    """Somebody's browser, at an address of its own; what it asks raises an error where there is no server."""

    def __init__(self, port: int, address: str):
        root = f"http://127.0.0.1:{port}"
        headers = {"Origin": root, "X-Forwarded-For": address, "Accept": "text/html"}
        self.client = httpx2.AsyncClient(base_url=root, headers=headers, timeout=None, verify=False, trust_env=False)

    async def page(self, path: str) -> str:
        """A page."""
        return (await self.client.get(path)).text

    async def form(self, path: str, **fields: str) -> httpx2.Response:
        """Send a form as its page would."""
        return await self.client.post(path, data={"token": self.client.headers["X-Token"], **fields})

    async def json(self, path: str, value: object) -> httpx2.Response:
        """Send JSON as a script of ours would."""
        return await self.client.post(path, json=value, headers={"Accept": "application/json"})

    async def stream(self, path: str, last: str) -> AsyncIterator[tuple[str, str]]:
        """The messages of a stream of events, each with its id, until the server ends."""
        asked = self.client.stream("GET", path, params={"after": "0.0.0"}, headers={"Last-Event-ID": last})
        async with asked as answer:
            if answer.status_code != 200:
                raise httpx2.TransportError(f"{path} answers {answer.status_code}")
            id = ""
            async for line in answer.aiter_lines():
                name, _, value = line.partition(": ")
                if name == "id":
                    id = value
                elif name == "data":
                    yield id, value


class Told(NamedTuple):
    """When somebody had been told so many events of a game."""

    game: str
    events: int
    when: float


class Crowd:
    """Everybody, and what they have seen.

    Attributes:
        troubles: what should not be, in sentences.
        commands: those that were done: the table, how far its game was after it, when it was sent.
        down: whether the server is being killed: those are the only failures that are none.
    """

    def __init__(self, port: int, pace: float, seed: str):
        self.port, self.pace, self.seed = port, pace, seed
        self.troubles: list[str] = []
        self.commands: list[tuple[ServedTable, Told]] = []
        self.repeated = self.messages = self.games = 0
        self.down = self.ending = False


class ServedTable:
    """One table: its path, and the people at it."""

    def __init__(self, crowd: Crowd, number: int):
        self.crowd, self.number, self.path = crowd, number, ""
        self.people: list[Person] = []

    @property
    def rests(self) -> bool:
        """Whether everybody has been told all that was done, and the game waits for one of them."""
        done = max(((int(one.game), one.events) for table, one in self.crowd.commands if table is self), default=(0, 0))
        moment = self.people[0].now["moment"]
        return all(
            not person.moves
            and not person.waits_for_level
            and person.now["moment"] == moment
            and (int(person.told[-1].game), person.told[-1].events) >= done
            and monotonic() - person.told[-1].when > 0.3
            for person in self.people
        )

    async def open(self, people: int, levels: list[str], map: str) -> None:
        """Open it, sit down, deal."""
        self.people = [Person(self, k) for k in range(people)]
        host, *others = self.people
        for person in self.people:
            page = await person.browser.page("/")
            found = re.search(r'<meta name="token" content="(\w+)">', page)
            assert found, page
            person.browser.client.headers["X-Token"] = found[1]
        sitters = ["open"] * len(others) + levels
        fields = {f"seat-{k}": who for k, who in enumerate(sitters, start=1)}
        opened = await host.browser.form("/play", name="P0", map=map, movement="walk", hints="on", clock="0", **fields)
        assert opened.status_code == 303, opened
        self.path = opened.headers["location"]
        for person in others:
            joined = await person.browser.form(self.path, name=f"P{person.number}")
            assert joined.status_code == 303, joined
        assert (await host.browser.form(f"{self.path}/start")).status_code == 303

    def latency(self, done: Told) -> float | None:
        """Seconds from a command until the last at the table was told of it; None where somebody was cut off."""
        last = 0.0
        for person in self.people:
            at = bisect_left(person.told, (int(done.game), done.events), key=lambda told: (int(told.game), told.events))
            if at == len(person.told) or any(begin < person.told[at].when and done.when < end for begin, end in CUTS):
                return None
            last = max(last, person.told[at].when - done.when)
        return last


CUTS: list[tuple[float, float]] = []
"""From when to when there was no server."""


class Person:
    """Somebody at a table, who moves when it is their turn.

    Attributes:
        events: of the present game, as they were told.
        now: how everything stands, as it was told last.
        told: when they had been told how many events.
        moves: whether a command of theirs is on its way.
    """

    def __init__(self, table: ServedTable, number: int):
        self.table, self.number = table, number
        self.browser = Browser(table.crowd.port, f"10.{table.number // 250}.{table.number % 250}.{number}")
        self.random = Random(f"{table.crowd.seed} {table.number} {number}")
        self.events: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {}
        self.told: list[Told] = []
        self.news = asyncio.Event()
        self.moves = False
        self._moment = ""

    async def listen(self) -> None:
        """Be told, and come back whenever the server ends."""
        while True:
            try:
                async for id, data in self.browser.stream(f"{self.table.path}/events", self._moment):
                    self._take(id, data)
            except httpx2.TransportError as error:
                if not self.table.crowd.down:
                    self.table.crowd.troubles.append(f"a stream broke: {error}")
            await asyncio.sleep(self.random.uniform(0.1, 0.7))  # as a browser does, not all at once

    def _take(self, id: str, data: str) -> None:
        message = json.loads(data)
        crowd, events = self.table.crowd, message["events"]
        crowd.messages += 1
        game, _, count = id.partition(".")[0], 0, int(id.rpartition(".")[2])
        if game != self._moment.partition(".")[0]:
            self.events = []
        elif message["from"] == 0 and self.events:  # the server knows less than we do: what we saw has to come again
            if events[: len(self.events)] != self.events:
                crowd.troubles.append(
                    f"{self.table.path}: {len(self.events)} events were told, and {len(events)} others later"
                )
            self.events = []
        if message["from"] != len(self.events) or message["from"] + len(events) != count:
            crowd.troubles.append(
                f"{self.table.path}: {message['from']}+{len(events)} told after {len(self.events)}, to {count}"
            )
        self.events += events
        self.now, self._moment = message["now"], id
        self.told.append(Told(game, count, monotonic()))
        self.news.set()

    async def play(self) -> None:
        """Move whenever it is one's turn, until all is to end."""
        crowd, done = self.table.crowd, ""
        while not crowd.ending:
            self.news.clear()
            if self._moment != done and (self.now.get("offer") or self._ended()):
                done = self._moment
                await asyncio.sleep(self.random.expovariate(1 / crowd.pace))
                if done == self._moment and not crowd.ending:
                    self.moves = True
                    await self._move()
                    self.moves = False
            else:
                await self.news.wait()

    @property
    def waits_for_level(self) -> bool:
        """Whether the game waits for a level, by what this person was told."""
        at = self.now.get("to_act")
        seat = None if at is None else self.now["seats"][at]
        return seat is not None and (seat["kind"] != "person" or seat["away"])

    def _ended(self) -> bool:
        return self.number == 0 and self.now.get("phase") == "over"

    async def _move(self) -> None:
        """Do something, and send it again for as long as nobody has answered."""
        crowd, path = self.table.crowd, self.table.path
        if self._ended():
            crowd.games += 1
            await self._until_answered(lambda: self.browser.form(f"{path}/rematch"), ())
            return
        sent = {"after": self._moment, "do": self._command()}
        tried, began = 0, monotonic()

        async def send() -> httpx2.Response:
            nonlocal tried, began
            tried, began = tried + 1, monotonic()
            return await self.browser.json(f"{path}/do", sent)

        answer = await self._until_answered(send, (200, 409) if crowd.down else (200,))
        if answer.status_code == 200:
            moment = answer.json()["moment"]
            after = Told(moment.partition(".")[0], int(sent["after"].rpartition(".")[2]) + 1, began)
            crowd.commands.append((self.table, after))
        crowd.repeated += tried > 1

    async def _until_answered(self, send: Any, allowed: tuple[int, ...]) -> httpx2.Response:
        while True:
            try:
                answer: httpx2.Response = await send()
            except httpx2.TransportError as error:
                allowed = (*allowed, 400, 409)  # it may have been done before the server was killed
                if not self.table.crowd.down:
                    self.table.crowd.troubles.append(f"a command found no server: {error}")
                await asyncio.sleep(self.random.uniform(0.1, 0.5))
                continue
            if allowed and answer.status_code not in allowed:
                self.table.crowd.troubles.append(f"{self.table.path}: {answer.status_code} {answer.text[:200]!r}")
            return answer

    def _command(self) -> dict[str, Any]:
        """Something that is offered; nobody accuses, or the games would soon be over."""
        offer = self.now["offer"]
        offered = [one["do"] for one in offer["actions"] if one["do"]["type"] not in ("accusation", "take_back")]
        offered += [place["do"] for place in offer["walk"]]
        chosen: dict[str, Any] = self.random.choice(offered)
        if "name" in chosen:
            suspects, weapons, _ = DECK[0].ids
            named = [self.random.choice(suspects), self.random.choice(weapons), chosen["room"]]
            return {"type": chosen["type"], "cards": [DECK[0].names[card] for card in named]}
        return chosen

    async def check(self) -> None:
        """Compare what was told one by one with what the page tells at once."""
        page = await self.browser.page(self.table.path)
        found = re.search(r'id="state">(.*?)</script>', page, re.DOTALL)
        whole = json.loads(found[1])["events"] if found else []
        if whole != self.events:
            self.table.crowd.troubles.append(f"{self.table.path}: {len(self.events)} events were told of {len(whole)}")


DECK: list[Deck] = []
"""The cards of the map that is played."""


class Server:
    """``cluedo serve``, to be killed and started again at the same port."""

    def __init__(self, folder: Path, workers: int):
        self._command = [sys.executable, "-m", "cluedo", "serve", "--proxy", "127.0.0.1"]
        self._command += ["--workers", str(workers), "--data", str(folder / "site.db")]
        self.port = 0  # any that is free
        self.process: subprocess.Popen[bytes] | None = None

    async def begin(self) -> None:
        """Start it; it is there when it has said so."""
        self.process = subprocess.Popen([*self._command, "--port", str(self.port)], stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        said = re.search(rb"http://[^:]+:(\d+)", await asyncio.to_thread(self.process.stdout.readline))
        assert said, "the server has not started"
        self.port = int(said[1])

    async def kill(self) -> None:
        """Kill it, as a lack of memory would."""
        assert self.process is not None
        self.process.kill()
        await asyncio.to_thread(self.process.wait)

    def end(self) -> None:
        """Let it end by itself."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(QUIET_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise

    def memory(self) -> list[int]:
        """Megabytes that the server has, then each process of its own; Linux tells."""
        assert self.process is not None
        own = Path(f"/proc/{self.process.pid}")
        found = []
        with suppress(OSError):
            children = (own / "task" / own.name / "children").read_text().split()
            for process in (own.name, *children):
                pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
                found.append(pages * 4096 // 2**20)
        return found


async def run(args: argparse.Namespace) -> list[str]:
    """Everything; gives what should not have been."""
    DECK.append(Board.load(args.map).deck)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), args.workers)
        try:
            await server.begin()
            crowd = Crowd(server.port, args.pace, args.seed)
            await _play(crowd, server, args)
        finally:
            server.end()
    return crowd.troubles


async def _play(crowd: Crowd, server: Server, args: argparse.Namespace) -> None:
    tables = [ServedTable(crowd, number) for number in range(args.tables)]
    for table in tables:
        await table.open(args.people, args.levels.split(",") if args.levels else [], args.map)
    people = [person for table in tables for person in table.people]
    tasks = [asyncio.create_task(work()) for person in people for work in (person.listen, person.play)]
    print(f"{args.tables} tables, {len(people)} people", flush=True)
    try:
        began = monotonic()
        watch = asyncio.create_task(_watch(server, crowd, began))
        tasks.append(watch)
        for _ in range(args.kills):
            await asyncio.sleep(args.seconds / (args.kills + 1))
            await _kill(crowd, server, people)
        await asyncio.sleep(max(0.0, args.seconds - (monotonic() - began)))
        crowd.ending = True
        await _quiet(tables)
        for person in people:
            await person.check()
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        for person in people:
            await person.browser.client.aclose()
    crowd.troubles += [repr(error) for error in ended if isinstance(error, Exception)]
    _tell(crowd, people, args)


async def _kill(crowd: Crowd, server: Server, people: list[Person]) -> None:
    crowd.down, killed = True, monotonic()
    await server.kill()
    await server.begin()
    there = monotonic()
    while waiting := [person for person in people if not person.told or person.told[-1].when < there]:
        if monotonic() - there > QUIET_S:
            crowd.troubles.append(f"{len(waiting)} people were not told anything after the server had been killed")
            break
        await asyncio.sleep(0.05)
    CUTS.append((killed, monotonic()))
    print(f"killed: {there - killed:.1f} s to start, {CUTS[-1][1] - there:.1f} s until everybody was back", flush=True)
    await asyncio.sleep(1)  # commands that were sent while it was down are answered
    crowd.down = False


async def _watch(server: Server, crowd: Crowd, began: float) -> None:
    """Tell the memory from time to time."""
    while True:
        memory = server.memory()
        if memory:
            print(f"{monotonic() - began:5.0f} s: server {memory[0]} MB, others {memory[1:]} MB, ", end="")
            print(f"{len(crowd.commands)} commands, {crowd.messages} messages, {crowd.games} games over", flush=True)
        await asyncio.sleep(10)


async def _quiet(tables: list[ServedTable]) -> None:
    """Wait until all tables are at rest."""
    end = monotonic() + QUIET_S
    for table in tables:
        while not table.rests:
            if monotonic() > end:
                table.crowd.troubles.append(f"{table.path}: the game does not come to rest")
                return
            await asyncio.sleep(0.05)


def _tell(crowd: Crowd, people: list[Person], args: argparse.Namespace) -> None:
    took = sorted(found for table, done in crowd.commands if (found := table.latency(done)) is not None)
    still = sum(len(person.events) < 2 for person in people)
    if still:
        crowd.troubles.append(f"{still} people have seen nothing happen")
    print(f"{len(crowd.commands)} commands ({len(crowd.commands) / args.seconds:.1f} a second), ", end="")
    print(f"{crowd.repeated} sent again, {crowd.messages} messages, {crowd.games} games over")
    if took:
        p99 = took[int(0.99 * (len(took) - 1))]
        print(f"from a command to everybody: median {1000 * median(took):.0f} ms, p99 {1000 * p99:.0f} ms, ", end="")
        print(f"longest {1000 * took[-1]:.0f} ms")
    else:
        crowd.troubles.append("no command was done")


def main() -> int:
    """Read the options, run, tell what should not have been."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--people", type=int, default=4, help="at each table")
    parser.add_argument("--levels", default="medium", help="at each table, separated by commas")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--pace", type=float, default=3.0, help="seconds that people think on average")
    parser.add_argument("--kills", type=int, default=10, help="how often the server is killed")
    parser.add_argument("--workers", type=int, default=2, help="processes that think")
    parser.add_argument("--map", default="manoir")
    parser.add_argument("--seed", default="1")
    troubles = asyncio.run(run(parser.parse_args()))
    for trouble in troubles[:20]:
        print(trouble)
    print(f"{len(troubles)} troubles" if troubles else "nothing was lost, nothing came twice")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
