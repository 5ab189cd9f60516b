"""An endpoint of language models for tests, on this machine: what is behind it, a test says."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest

from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.ai.levels import level_class
from cluedo.ai.player import Player
from cluedo.bots.llm import chat
from cluedo.bots.llm.asking import asked, log_of
from cluedo.bots.llm.model_player import LanguageModel
from cluedo.engine.commands import Accusation, Hypothesis
from cluedo.engine.turn_questions import TurnQuestion
from cluedo.engine.view import PlayerView

_PATH = Path(__file__).parent.parent.parent / "examples" / "stand_in_model.py"
_spec = importlib.util.spec_from_file_location("stand_in_model", _PATH)
assert _spec is not None
assert _spec.loader is not None
stand_in = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(stand_in)

Mind = Callable[[dict[str, Any]], "str | bytes | Iterator[bytes] | Refusal"]
"""What is behind an endpoint: it answers a request with a text, or refuses it; bytes are sent as they stand.

Those that come one by one are sent for as long as somebody reads them.
"""


class Refusal:
    """An answer other than 200."""

    def __init__(self, status: int, said: str, **headers: str):
        self.status, self.said, self.headers = status, said, headers


class Endpoint(ThreadingHTTPServer):
    """The server, with what it was asked; whether it is there, another mind answers."""

    daemon_threads = True

    def __init__(self, mind: Mind):
        self.mind = mind
        self.trial: Mind = lambda _: "Yes."
        self.requests: list[dict[str, Any]] = []
        self.over = Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """Whoever asked has gone."""


class _Handler(stand_in.Handler):  # type: ignore[name-defined, misc]
    server: Endpoint

    def do_POST(self) -> None:  # noqa: N802 - the library calls it so
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if request["messages"] == [chat._TRIAL]:
            said = self.server.trial(request)
        else:
            self.server.requests.append(request)
            said = self.server.mind(request)
        if isinstance(said, Refusal):
            self.send(said.status, {"error": {"message": said.said}}, **said.headers)
        elif isinstance(said, bytes):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)
        elif isinstance(said, Iterator):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("connection", "close")
            self.end_headers()
            for part in said:
                self.wfile.write(part)
                self.wfile.flush()
        else:
            self.send(200, stand_in.reply_of(said, 10))


@contextmanager
def endpoint(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A server that the client finds in its environment."""
    server = Endpoint(mind)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    try:
        yield server
    finally:
        if chat._client_of.cache_info().currsize:  # else its connections are left to the garbage collector
            chat._client().close()
            chat._client_of.cache_clear()
            chat._try.cache_clear()
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


# ---- what may be behind it ---------------------------------------------------------------------------


class WithLevel(LanguageModel):
    """A language model behind which sits a level, which sees what the model's seat sees."""

    level = "hard"
    asking: tuple[Player, TurnQuestion, PlayerView]

    def begin(self, view: PlayerView, random: Random) -> None:
        own = Random(0)
        own.setstate(random.getstate())
        super().begin(view, random)
        self._behind = level_class(self.level)()
        self._behind.clock = self.clock
        self._behind.begin(view, own)

    def answer(self, question: TurnQuestion, view: PlayerView) -> Any:
        WithLevel.asking = self._behind, question, view
        return super().answer(question, view)


def level_behind(_request: dict[str, Any]) -> str:
    """The answer of the level that sits behind the model that asks."""
    player, question, view = WithLevel.asking
    command = getattr(player, question.method)(view)
    if question.kinds[0] in (Hypothesis, Accusation):
        names = None if command is None else [view.deck.names[card] for card in command.cards]
        return json.dumps({"notes": "", "cards": names})
    options = asked(question, view).options
    return json.dumps({"choice": next(name for name, one in options.items() if one == command)})


def exact_claims(request: dict[str, Any]) -> str:
    """The answer of :func:`level_behind`; and all that follows from what its seat knows, if it is asked for that."""
    if "proved" not in request["response_format"]["json_schema"]["schema"]["properties"]:
        return level_behind(request)
    evidence = log_of(WithLevel.asking[2])[0].evidence()
    known, names = SeatKnowledge(evidence, UNIFORM), evidence.deck.names
    proved = [[names[card], evidence.place_names[place], there] for card, place, there in known.proofs]
    assert known.odds is not None
    return json.dumps({"proved": proved, "envelope": dict(zip(names, known.odds[:, -1].tolist(), strict=True))})


def rubbish(request: dict[str, Any]) -> str:
    """Says what is no answer, each time something else."""
    sayings = ("", "I think that it was the butler.", '{"choice": "fly"}', '{"cards": ["Nobody", 1]}', "{" * 2000, "[]")
    return sayings[len(request["messages"][-1]["content"]) % len(sayings)]


def hanging(server_over: Event, seconds: float) -> Mind:
    """Says nothing for a while, and then something that nobody waits for."""

    def mind(_request: dict[str, Any]) -> str:
        server_over.wait(seconds)
        return "too late"

    return mind


def limited(behind: Mind) -> Mind:
    """Refuses every second request, and says when to come again."""
    count = 0

    def mind(request: dict[str, Any]) -> str | Refusal:
        nonlocal count
        count += 1
        return Refusal(429, "too many requests", retry_after="0.001") if count % 2 else behind(request)

    return mind
