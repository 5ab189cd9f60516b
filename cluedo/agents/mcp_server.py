"""A server of the tools by the Model Context Protocol: on standard input and output, or by HTTP."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final

import anyio
import anyio.to_thread
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from cluedo import __version__
from cluedo.agents.forms import ToolForm
from cluedo.agents.storage import Storage
from cluedo.agents.tools import TOOLS
from cluedo.ai.knowledge.kernels.compiled import watching
from cluedo.ai.knowledge.kernels.detective_kernels import (
    interpreted_at_first,
    kernels_of_an_answer,
    kernels_of_the_detective,
)
from cluedo.engine.cards import closest
from cluedo.engine.ctrl_c import killed_by_interrupt
from cluedo.engine.errors import CluedoError, one_line
from cluedo.engine.validation import validated
from cluedo.language import tr
from cluedo.session.level_choice import PREPARING

__all__ = ["PATH", "make_server", "serve_http", "serve_stdio"]

PATH: Final = "/mcp"
"""The path of the server by HTTP."""

_INSTRUCTIONS: Final = """\
Cluedo (Clue). At a real table: open_case, then enter all that happens; proofs, odds and questions say what follows. \
Against levels: new_game, then act; look and hint help. To be tested: position, then grade. \
Never guess ids: use those that open_case and new_game give. Names of cards may be shortened in entries only."""
_log: Final = logging.getLogger(__name__)
_BEAT_S: Final = 1.0
"""Seconds between two notes of progress."""


def make_server() -> Server[Any]:
    """A server with cases and games of its own."""
    tools = _Tools()
    return Server(
        "cluedo",
        version=__version__,
        title="Cluedo",
        instructions=_INSTRUCTIONS,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call,
    )


def serve_stdio() -> None:
    """Serve one client until standard input ends, or nobody reads standard output.

    What anything prints meanwhile goes to standard error.
    """

    async def serve() -> None:
        server = make_server()
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    # Each would else wait for the thread that reads, which waits for a line.
    if sys.platform != "win32":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with killed_by_interrupt():
        anyio.run(serve)


def serve_http(listening: socket.socket) -> None:
    """Serve clients of this machine until Ctrl-C or SIGTERM; pages of other sites are refused."""
    app = make_server().streamable_http_app(streamable_http_path=PATH)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, ws="none")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        _HttpServer(config).run(sockets=[listening])


class _HttpServer(uvicorn.Server):
    """Ends at once: else all would wait for the thread of a tool, which may work for half a minute."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn gives them
        os._exit(0)  # files are written whole or not at all


class _Tools:
    """Answers calls of tools, one after another, each in a thread, so that progress can be told meanwhile."""

    def __init__(self) -> None:
        self._storage = Storage()
        self._turn = anyio.Lock()

    async def list_tools(self, _: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(kind) for kind in TOOLS.values()])

    async def call(self, context: ServerRequestContext[Any], asked: CallToolRequestParams) -> CallToolResult:
        """The answer of a tool; what the caller can mend comes back as an error of one sentence."""
        progress = _Progress(context)
        try:
            form = _read(asked)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(progress.go_on)
                async with self._turn:
                    answer = await anyio.to_thread.run_sync(_outcome, form, self._storage, progress.tell)
                tasks.cancel_scope.cancel()
            if isinstance(answer, CluedoError):
                return _refusal(answer)
        except CluedoError as error:
            return _refusal(error)
        text = json.dumps(answer, ensure_ascii=False)
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=answer)


class _Progress:
    """Tells a client that its call is being worked on, and how much is compiled, where that has to be."""

    def __init__(self, context: ServerRequestContext[Any]):
        self._context = context
        self._share: float | None = None

    def tell(self, share: float) -> None:
        """Note what share is compiled; 1 where that is over."""
        self._share = None if share == 1.0 else share

    async def go_on(self) -> None:
        """Tell it every second."""
        beats = 0
        while True:
            await anyio.sleep(_BEAT_S)
            beats += 1
            share = self._share
            note = tr("thinking") if share is None else tr(PREPARING, done=round(100 * share))
            await self._context.session.report_progress(beats, message=note)


def _read(asked: CallToolRequestParams) -> ToolForm:
    """The call, checked; raises :class:`CluedoError`."""
    kind = TOOLS.get(asked.name)
    if kind is None:
        raise CluedoError("there is no tool {name!r}; {closest}", name=asked.name, closest=closest(asked.name, TOOLS))
    return validated(kind, asked.arguments or {})


def _outcome(form: ToolForm, storage: Storage, tell: Callable[[float], None]) -> dict[str, Any] | CluedoError:
    """The answer to a call, or what is wrong with it: a task group would wrap an exception in others."""
    try:
        if form.plays:
            with watching(tell, kernels_of_the_detective):
                return form.answer(storage)
        with watching(tell, kernels_of_an_answer), interpreted_at_first():
            return form.answer(storage)
    except CluedoError as error:
        return error
    except Exception:  # what an error of ours says may be what a seat may not know
        _log.exception("%s failed", form.tool)
        return CluedoError("a fault in the program stopped this call; see its standard error")


def _refusal(error: CluedoError) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=one_line(tr(error)))], is_error=True)


def _listed(kind: type[ToolForm]) -> Tool:
    schema = kind.model_json_schema()
    description = " ".join(schema.pop("description").split())
    hints = ToolAnnotations(read_only_hint=kind.reads, destructive_hint=False, open_world_hint=False)
    return Tool(name=kind.tool, description=description, input_schema=schema, annotations=hints)
