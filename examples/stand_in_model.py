"""Stands in for a language model: a small server that speaks the protocol of OpenAI, for trials without a model.

    python3 examples/stand_in_model.py cluedo autoplay --players llm:stand-in,easy,easy --games 3

The command finds the server in its environment, and the server ends with it.
It reads the prompt as a model does, and answers from it: it crosses out what it holds and was shown, asks about what is
left, and accuses when three cards are left. Asked what it knows, it says that. It needs nothing but Python.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Request = dict[str, Any]


def reply_of(text: str, read: int = 0) -> dict[str, Any]:
    """What a model said, in the form of the protocol; a word is taken for a token."""
    usage = {"prompt_tokens": read, "completion_tokens": len(text.split()), "total_tokens": read + len(text.split())}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {
        "id": "stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": "stand-in",
        "choices": [choice],
        "usage": usage,
    }


def answer(request: Request) -> str:
    """The answer to a request: an object of JSON in the form that it asks for, if it asks for one."""
    if "response_format" not in request:  # whether it is there
        return "Yes."
    told = "\n".join(message["content"] for message in request["messages"] if message["role"] == "user")
    form = request["response_format"]["json_schema"]["schema"]["properties"]
    notes = {"notes": ""} if "notes" in form else {}
    if "choice" in form:
        return json.dumps(notes | {"choice": chosen(form["choice"]["enum"], told)})
    seen = set(", ".join(re.findall(r"(?:and hold|Face up for all:) ([^.]*)\.", told)).split(", "))
    seen |= set(re.findall(r"shows you ([^.]*)\.", told))
    if "proved" in form:
        kinds = [names.split(", ") for names in re.findall(r"^(?:Suspects|Weapons|Rooms): (.*)\.$", told, re.MULTILINE)]
        return json.dumps(claims([[name for name in names if name not in seen] for names in kinds], seen))
    named = {kind: one["enum"] for kind, one in form["cards"]["anyOf"][0]["properties"].items()}
    left = {kind: [name for name in names if name not in seen] for kind, names in named.items()}
    accuses = "Do you accuse?" in request["messages"][-1]["content"]
    if accuses and any(len(names) != 1 for names in left.values()):
        return json.dumps(notes | {"cards": None})
    return json.dumps(notes | {"cards": {kind: (left[kind] or names)[0] for kind, names in named.items()}})


def claims(left: list[list[str]], seen: set[str]) -> Request:
    """What is known where these cards of each kind are left: the last of a kind is in the envelope."""
    last = [{"card": names[0], "place": "envelope", "there": True} for names in left if len(names) == 1]
    odds = {name: round(1 / len(names), 3) for names in left for name in names}
    return {"proved": last, "envelope": dict.fromkeys(seen, 0) | odds}


def chosen(choices: list[str], told: str) -> str:
    """A way into a room if there is one, else a roll, else a walk; of equals another one each time."""
    for begins in ("go to", "take", "roll", "walk", ""):
        fit = [choice for choice in choices if choice.startswith(begins)]
        if fit:
            return fit[len(told) % len(fit)]
    raise AssertionError("every choice begins with nothing")


class Handler(BaseHTTPRequestHandler):
    """Answers ``POST /v1/chat/completions``."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer leaves as a whole

    def do_POST(self) -> None:
        """Answer a request."""
        text = self.rfile.read(int(self.headers["content-length"]))
        self.send(200, reply_of(answer(json.loads(text)), len(text.split())))

    def send(self, status: int, body: object, **headers: str) -> None:
        """Send an object of JSON."""
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


def main() -> None:
    """Run a command, with the server where the client of OpenAI looks for one."""
    command = sys.argv[1:]
    if not command or shutil.which(command[0]) is None:
        sys.exit("stand_in_model.py COMMAND: name a command that can be run")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    where = {"OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1", "OPENAI_API_KEY": "none"}
    sys.exit(subprocess.run(command, env=os.environ | where, check=False).returncode)


if __name__ == "__main__":
    main()
