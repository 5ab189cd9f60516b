"""Assistants for tests: clients of ``cluedo mcp`` in a process of its own, and what they do with it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

LONG_S = 300.0
"""More than compiling takes on a slow machine."""


class Assistant:
    """One connection.

    Attributes:
        answers: how many answers it was given.
        notes: the notes of progress.
    """

    def __init__(self, client: Client):
        self.client = client
        self.answers = 0
        self.notes: list[str | None] = []

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The answer of a tool, which is no error."""
        result = await self._result(tool, arguments)
        assert not result.is_error, result
        return result.structured_content

    async def refusal(self, tool: str, arguments: dict[str, Any]) -> str:
        """The sentence of the error of a tool."""
        result = await self._result(tool, arguments)
        assert result.is_error, result
        assert result.structured_content is None
        return result.content[0].text

    async def _result(self, tool: str, arguments: dict[str, Any]) -> Any:
        self.answers += 1
        return await self.client.call_tool(tool, arguments, LONG_S, progress_callback=self._note)

    async def _note(self, _progress: float, _total: float | None, message: str | None) -> None:
        self.notes.append(message)


@asynccontextmanager
async def by_stdio(state: Path, mode: str = "auto", **variables: str) -> AsyncIterator[Assistant]:
    """An assistant that starts the server itself; games and cases are kept in ``state``.

    The ``mode`` is how the protocol's version is agreed on: ``legacy`` is the way of all versions before 2026.
    """
    variables |= {"XDG_STATE_HOME": str(state), "LC_ALL": "C.UTF-8"}
    server = StdioServerParameters(command=sys.executable, args=["-m", "cluedo", "mcp"], env=variables)
    async with Client(server, mode=mode) as client:
        yield Assistant(client)


@asynccontextmanager
async def by_http(url: str, mode: str = "auto") -> AsyncIterator[Assistant]:
    """An assistant of a server that runs already."""
    async with Client(url, mode=mode) as client:
        yield Assistant(client)


class running:  # noqa: N801 - it is used like a function
    """``cluedo mcp --http 0`` in a process of its own; the value is its address."""

    def __enter__(self) -> str:
        command = [sys.executable, "-m", "cluedo", "mcp", "--http", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said.startswith("Cluedo is at http://127.0.0.1:"), said
        return said.split()[-1]

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
        assert self.process.returncode == 0


def run(connect: Callable[[], Any], work: Callable[[Assistant], Coroutine[Any, Any, Any]]) -> Any:
    """Connect, and do something with it; an error of that is raised as it is, not in the groups of task groups."""
    failed: list[Exception] = []

    async def connected() -> Any:
        async with connect() as assistant:
            try:
                return await work(assistant)
            except Exception as error:
                failed.append(error)

    done = anyio.run(connected)
    if failed:
        raise failed[0]
    return done


async def play_by_hints(assistant: Assistant, **wish: Any) -> dict[str, Any]:
    """Play a game to its end, doing what the detective proposes; the last answer."""
    now = await assistant.call("new_game", **wish)
    game = now["game"]
    while "over" not in now:
        hint = await assistant.call("hint", game=game)
        first = next(one["do"] for one in now["may"] if one["do"]["type"] not in ("hypothesis", "accusation"))
        now = await assistant.call("act", game=game, **(hint["do"] or first))
    return now
