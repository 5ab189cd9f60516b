"""Asks a language model about positions of ``cluedo positions``, and prints its answers for ``cluedo grade``.

    cluedo positions --test-set | head -20 | python3 examples/ask_model.py "COMMAND" > answers.jsonl
    cluedo grade answers.jsonl

The command is any that reads a prompt from standard input and writes the model's answer to standard output. The last
object of JSON in it counts, whatever stands around it; standard error names the positions without one.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from typing import Any

PROMPT = """\
You play Cluedo. One suspect, one weapon and one room are in an envelope; the players hold all other cards. Whoever
asks names a suspect, a weapon and a room. Going round the table in turn order, each player who holds none of the
three says so ("cannot answer"); the first who holds one or more shows exactly one of them, to the asker alone.
Nobody is asked after that. A wrong accusation says that these three are not in the envelope together.

{text}

Answer with one line of JSON and nothing else:
{"id": "{id}", "proved": [["Rope", "Bob", true], ["Hall", "envelope", false]],
 "envelope": {"Plum": 0.4, "White": 0.6}, "question": ["Plum", "Rope", "Hall"]}

proved: all that follows with certainty and was not shown to you. A card, a place (a player or "envelope"), and true
if the card is there, or false if it is not. Give every card whose place is certain. Of cards whose place is not
certain, give those that cannot be in the envelope. Do not guess: what is not certain counts as wrong.
envelope: for each card the probability that it is in the envelope, if all deals that fit are equally likely.
question: the suspect, the weapon and the room that you would ask about now to learn most about the envelope.
"""
PARTS = ("proved", "envelope", "question")


def answer_in(text: str) -> dict[str, Any] | None:
    """The parts of an answer, from the last object of JSON in a text that has any."""
    decoder, found, start = json.JSONDecoder(), None, text.find("{")
    while start >= 0:
        try:
            given, end = decoder.raw_decode(text, start)
        except ValueError:
            end = start + 1
        else:
            found = {part: given[part] for part in PARTS if part in given} or found
        start = text.find("{", end)
    return found


def main() -> None:
    """Ask about each position that comes over standard input."""
    command = shlex.split(sys.argv[1]) if len(sys.argv) == 2 else []
    if not command or shutil.which(command[0]) is None:
        sys.exit('ask_model.py "COMMAND": name a command that can be run')
    for line in sys.stdin:
        position = json.loads(line)
        prompt = PROMPT.replace("{id}", position["id"]).replace("{text}", position["text"].strip())
        said = subprocess.run(command, input=prompt, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
        answer = answer_in(said.stdout)
        if answer is None:
            print(f"{position['id']}: no answer in what the model said: {said.stdout.strip()[-200:]}", file=sys.stderr)
        else:
            print(json.dumps({"id": position["id"], **answer}), flush=True)


if __name__ == "__main__":
    main()
