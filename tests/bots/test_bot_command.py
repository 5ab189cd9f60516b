"""``cluedo bot``: a bot is begun, checked and served; the examples in three languages are better than medium."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from helpers.cases import cases, some
from helpers.command_line import complaint, ran, run
from helpers.laboratory import small
from helpers.strange_bots import HEAD, TAIL
from helpers.support import drawn_game

from cluedo.ai.player import USUAL_CLOCK
from cluedo.bots import conformance, host, serving
from cluedo.bots.conformance import check_bot
from cluedo.bots.host import ProtocolBot
from cluedo.bots.protocol import game_message, line_of, question_message
from cluedo.engine.board import Board
from cluedo.engine.errors import PlayerError
from cluedo.engine.turn_questions import QUESTIONS
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.chunks import ChunkRunner
from cluedo.experiments.play.run import NoStore, Run

EXAMPLES = Path(__file__).parents[2] / "examples"
STARTERS = Path(conformance.__file__).parent / "starters"
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="programs as players need a Unix")


def strange(folder: Path, text: str) -> str:
    """The path of a program that takes the first thing allowed, but for its text."""
    (folder / "bot.py").write_text(HEAD + text + TAIL, encoding="utf-8")
    return str(folder / "bot.py")


def found_wrong(*bot: str) -> str:
    """What a check says of a bot that does not pass it."""
    done = ran("bot", "check", *bot)
    assert (done.code, "WRONG" in done.out) == (1, True)
    return done.out


@pytest.mark.parametrize(("language", "suffix"), [("python", ".py"), ("javascript", ".js"), ("cpp", ".cpp")])
def test_a_new_bot_is_written_and_nothing_is_overwritten_without_force(tmp_path, monkeypatch, language, suffix):
    monkeypatch.chdir(tmp_path)
    out = run("bot", "new", language)
    path = tmp_path / f"bot{suffix}"
    whole = (STARTERS / path.name).read_text(encoding="utf-8")
    assert path.read_text(encoding="utf-8") == whole
    assert f"The bot is bot{suffix}. Next:" in out
    assert "    cluedo bot check " in out
    path.write_text("my own", encoding="utf-8")
    assert f"bot{suffix} exists already and is not overwritten" in complaint("bot", "new", language)
    assert path.read_text(encoding="utf-8") == "my own"
    run("bot", "new", language, "--force")
    assert path.read_text(encoding="utf-8") == whole
    assert f"the name of a bot in {language} ends in {suffix}" in complaint("bot", "new", language, tmp_path)
    run("bot", "new", language, tmp_path / "new" / path.name)
    assert (tmp_path / "new" / path.name).read_text(encoding="utf-8") == whole


@pytest.mark.slow
@UNIX
@pytest.mark.parametrize(
    ("language", "file", "needed"),
    [("python", "my bot.py", "python3"), ("javascript", "my bot.js", "node"), ("cpp", "my bot.cpp", "g++")],
)
def test_what_is_printed_after_a_new_bot_can_be_run_as_it_stands(tmp_path, monkeypatch, language, file, needed):
    if shutil.which(needed) is None:
        pytest.skip(f"{needed} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    commands = [line.strip() for line in run("bot", "new", language, f"a folder/{file}").splitlines()[1:]]
    assert len(commands) == 2 + (language == "cpp")
    for command in commands:
        few = " --games 4 --map tiny" if "autoplay" in command else ""
        done = subprocess.run(["sh", "-c", command + few], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done)


@pytest.mark.parametrize("command", ["", "no-such-program", "'"])
def test_a_command_that_cannot_be_run_is_refused_in_a_sentence(command):
    assert complaint("bot", "check", command).startswith("exec:")


@UNIX
def test_a_script_that_cannot_be_run_is_refused_with_what_would_help(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "bot.py"
    script.write_bytes(b"#!/usr/bin/env python3\r\n")
    told = "may not be run: name its class, as in ./bot.py:MyBot, or what runs it, as in exec:python3 ./bot.py"
    assert told in complaint("bot", "check", "./bot.py")
    (tmp_path / "bot.js").touch()
    assert complaint("bot", "check", "bot.js").endswith("name what runs it, as in exec:node bot.js")
    assert "easy is a level of ours; give a program or a class" in complaint("bot", "check", "easy")
    script.chmod(0o755)
    assert "a program in this folder is called ./bot.py" in complaint("bot", "check", "bot.py")
    assert "end as on Windows (CR LF)" in complaint("bot", "check", "./bot.py")


NO_MESSAGE = "this is no message of a host, which is JSON with a type: "


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        *((["HELLO", line], NO_MESSAGE) for line in ("5", "{}", '{"type": 7}', "\xff\x00")),
        (["HELLO", "garbage"], f"{NO_MESSAGE}garbage"),
        (["garbage"], f"{NO_MESSAGE}garbage"),
        (['{"type": "game"}'], 'the first message of a host is its hello, not {"type": "game"}'),
        (["HELLO", '{"type": "game"}'], "a message of type game cannot be read: KeyError: 'map'"),
        (["HELLO", '{"type": "question", "id": 1}'], "a message of type question came before a game"),
        (["HELLO", '{"type": "result"}'], "a message of type result came before a game"),
        (["HELLO", "GAME", '{"type": "question", "id": 1}'], "a message of type question cannot be read: KeyError"),
    ],
)
def test_a_served_level_ends_with_a_sentence_where_the_host_talks_nonsense(lines, told, heard):
    known = {"HELLO": '{"type": "hello"}', "GAME": line_of(a_game()).decode().strip()}
    with pytest.raises(PlayerError) as refused:
        heard([known.get(line, line) for line in lines])
    assert str(refused.value).startswith(told)


def a_game():
    """The message that begins a game on ``tiny``, without the generator that a bot in Python may ask for."""
    return game_message(drawn_game(Board.load("tiny"), 3, seed=5).dealt(0), USUAL_CLOCK, Random(1), stream=False)


class Typed(io.BytesIO):
    """What somebody at a terminal types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def heard(monkeypatch):
    """Serve a level to somebody who sends these lines; what it answers."""

    def serve(lines):
        said = io.BytesIO()
        typed = Typed("".join(f"{line}\n" for line in lines).encode("latin-1"))
        monkeypatch.setattr(serving, "take_channels", lambda: (typed, said))
        serving.serve("easy")
        return [json.loads(line) for line in said.getvalue().splitlines()]

    return serve


def test_a_served_level_takes_the_seed_where_the_host_sends_no_generator_and_knows_no_other_questions(heard):
    game = drawn_game(Board.load("tiny"), 3, seed=5)
    while game.state.to_act != 0:
        game.execute(game.legal()[-1])
    asked = question_message(1, QUESTIONS[1], game.view(0), 0, 0.0)
    talk = [{"type": "hello"}, a_game(), asked, asked | {"id": 2, "ask": "riddle", "events": []}]
    _, move, riddle = heard(map(json.dumps, talk))
    assert move["answer"]["type"] == "roll"
    assert riddle == {"id": 2, "answer": None}


def test_new_bots_are_short():
    assert {path.suffix for path in STARTERS.glob("bot.*")} >= {".py", ".js", ".cpp"}
    for path in STARTERS.glob("bot.*"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 150, path


def example(language: str, tmp_path: Path) -> tuple[str, ...]:
    """The command of an example; skips where its compiler or runtime is not installed."""
    needed = {"py": sys.executable, "js": "node", "cpp": "g++"}[language]
    program = shutil.which(needed)
    if program is None:
        pytest.skip(f"{needed} is not installed")
    source = str(STARTERS / f"bot.{language}")
    if language != "cpp":
        return program, source
    subprocess.run([program, "-O1", "-std=c++17", "-o", tmp_path / "sleuth", source], check=True)
    return (str(tmp_path / "sleuth"),)


@pytest.mark.slow
@UNIX
@pytest.mark.parametrize("language", ["py", "js", "cpp"])
def test_an_example_is_better_than_medium(language, tmp_path):
    bot = f"exec:{' '.join(example(language, tmp_path))}"
    games = cases(400, 60) // 4 * 4
    experiment = small([bot, "medium", "medium", "medium"], games, board="manoir", record="none")
    run = Run(NoStore(experiment), ChunkRunner.of(experiment), Backend("local", None, 1))
    run.play_all()
    (standing,) = [standing for standing in run.score.standings() if standing.level == bot]
    assert standing.faults == 0
    assert standing.ci95[0] > standing.fair_share


def asked_a_riddle(command):
    """What a check says of a bot's answer to a question that it does not know."""
    bot = ProtocolBot(command, "exec:bot")
    try:
        return conformance._unknown_question(bot, USUAL_CLOCK)
    finally:
        bot.end()


@UNIX
@pytest.mark.parametrize("language", ["py", "js", pytest.param("cpp", marks=pytest.mark.slow)])
def test_an_example_answers_null_to_a_question_that_it_does_not_know(language, tmp_path):
    assert asked_a_riddle(example(language, tmp_path)).good


@UNIX
def test_a_check_tells_of_a_bot_that_answers_something_else_to_a_question_that_it_does_not_know(tmp_path):
    good, text = asked_a_riddle((sys.executable, strange(tmp_path, "def choice(question): return {'type': 'stay'}\n")))
    assert not good
    assert text.startswith("a question that it cannot know: asked for a riddle or none, it answered ")


@pytest.mark.slow
@UNIX
def test_a_bot_that_takes_nothing_but_what_the_page_of_the_protocol_says_finds_nothing_wrong():
    bot = Path(__file__).parent.parent / "data" / "strict_bot.py"
    assert [line for line in check_bot([sys.executable, str(bot)], f"exec:{bot}", USUAL_CLOCK) if not line.good] == []


WRONG = {
    "illegal": (
        'def choice(question): return {"type": "stay"} if question["ask"] in ("move", "walk") else None\n',
        "asked for a card, it answered null",
    ),
    "looks_beyond": (
        "first = choice\n"
        "def choice(question):\n"
        '    allowed = question["allowed"]\n'
        '    if question["ask"] == "hypothesis":\n'
        '        cards = [allowed[kind][0] for kind in ("suspects", "weapons", "rooms")]\n'
        '        return {"type": "hypothesis", "cards": cards}\n'
        '    return {"type": "peek", "position": 99} if question["ask"] == "peek" else first(question)\n',
        "99 is not a position in the pool, which are 0 to 3 (rule 15)",
    ),
    "with_a_trace": (
        "sys.stderr.write('bot.js:3\\nError: no move\\n    at choose (bot.js:3)\\n\\nNode.js v20\\n')\nsys.exit(1)\n",
        "hello: ended (exit code 1): Error: no move",
    ),
    "never_flushed": ("def say(message): sys.stdout.write(json.dumps(message))\n", "it has to flush its output"),
    "silent": ("def hello(): sys.exit(4)\n", "hello: ended (exit code 4)"),
    "by_chance": (
        "import random\nfirst = choice\n"
        "def choice(question):\n"
        '    return {"type": random.choice(["roll", "stay"])} if question["ask"] == "move" else first(question)\n',
        "played differently",
    ),
}


@pytest.mark.slow
@UNIX
@pytest.mark.parametrize("name", some(WRONG, 4))
def test_a_check_tells_what_is_wrong(name, tmp_path, monkeypatch):
    text, told = WRONG[name]
    if name != "looks_beyond":  # which takes a pool
        monkeypatch.setattr(conformance, "_tables", partial(islice, list(conformance._tables()), 2))
    patience = []
    if name == "never_flushed":
        monkeypatch.setattr(host, "STARTUP_S", 1.0)
        patience = ["--think-limit", "1"]
    out = found_wrong(f"{sys.executable} {strange(tmp_path, text)}", *patience)
    assert told in out
    lines = [re.sub(r"turn \d+: | \(\d+ times\)$", "", line) for line in out.splitlines()]
    assert len(lines) == len(set(lines)), "what is wrong again and again is told once"


@UNIX
def test_a_check_ends_with_the_game_in_which_a_bot_hangs_until_it_is_absent(tmp_path):
    bot = strange(tmp_path, "def deed(question): time.sleep(9)\n")
    out = found_wrong(f"{sys.executable} {bot}", "--think-limit", "0.1")
    assert "took longer than 0.1 s" in out
    *_, before, last, count = out.splitlines()
    assert "after 3 failures absent" in before
    assert last == "WRONG  it answered too late until it counted as absent, so the check ends here"
    assert "things are wrong" in count
    assert "classic" not in out, "of the second game"


@pytest.mark.slow
@UNIX
@pytest.mark.parametrize("bot", ["first_bot.py:FirstBot", "my_bot.py:MyBot", "exact_bot.py:ExactBot"])
def test_the_tutorials_classes_follow_the_rules_of_all_editions(bot):
    out = run("bot", "check", f"{EXAMPLES / bot}")
    assert "ok  edition house, 4 players: " in out
    assert "WRONG" not in out


@UNIX
def test_what_is_wrong_with_a_class_that_is_not_there_is_told_by_name():
    told = "no subclass of cluedo.ai.player.Player is called 'Nobody'; known: MyBot"
    assert told in found_wrong(f"{EXAMPLES / 'my_bot.py'}:Nobody")


@UNIX
@pytest.mark.parametrize(
    ("version", "told"), [("", "ok  hello: js bot, "), (', "version": "2"', "ok  hello: js bot 2")]
)
def test_a_bot_without_a_version_is_greeted_without_one(tmp_path, version, told):
    hello = f'{{"type": "hello", "protocol": 1, "name": "js bot"{version}}}'
    bot = tmp_path / "bot.sh"
    bot.write_text(f"read line\necho '{hello}'\nread line\n", encoding="utf-8")
    first = next(check_bot(["sh", str(bot)], "js bot", USUAL_CLOCK))
    assert f"ok  {first.text}".startswith(told)


@UNIX
def test_of_many_faults_the_first_are_told_and_how_many_more_there_are(monkeypatch):
    faults = [f"turn {turn}: late" for turn in range(25)]
    monkeypatch.setattr(conformance, "_play", lambda *_: (SimpleNamespace(asked={}, longest_s=0.0, answers=[]), faults))
    bot = SimpleNamespace(end=lambda: None, absent=lambda: None)
    told = [line.text for line in conformance._games(bot, USUAL_CLOCK, conformance._tables(), ())]
    lines = [line for line in told if line.startswith("tiny")]
    assert len(lines) == 21
    assert lines[-1] == "tiny, 3 players: and 5 more"
