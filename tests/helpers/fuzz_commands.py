"""Command lines drawn from what the commands themselves say they take: every command, every argument, every option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from typer.core import TyperGroup

from cluedo.cli.app import COMMANDS, command_line
from helpers.fuzz_mutations import ODD_TEXTS, mutate, spoil
from helpers.fuzz_samples import KINDS

_NUMBERS = (
    "0", "1", "2", "3", "5", "-1", "x", "", "1.5", "1e3", "10" * 8, "9" * 400, "nan", "-0", " 1", "٣", "0x10", "None",
)  # fmt: skip
_SECONDS = ("0.5", "1", "30", "0", "-1", "1e-9", "1e300", "1e999", "nan", "inf", "-inf", "x", "")
_LINE_UPS = (
    "easy,random,easy", "random,random,random,random", "medium,easy,hard", "expert,easy,easy",
    "hard,hard,hard,hard,hard,hard",
    "human,easy,easy", "human:Ann,human:Bob,easy", "human", "easy", "easy," * 40, "easy,easy,nobody",
    "expert:x=1,easy,easy",
    "expert:gain_discount=nan,easy,easy", "medium:original=maybe,easy,easy", ",,", "easy,,easy", "human:,easy,easy",
    "human:[b]Ann[/b],easy,easy", "bot.py:Bot,easy,random", "bot.py:No,easy,easy", "no.py:Bot,easy,easy",
    "bot.py:,easy,easy",
    "bot.py,easy,easy", "letter.txt:Bot,easy,easy", "photos:Bot,easy,easy", ":,easy,easy", "easy:a=b=c,easy,easy",
)  # fmt: skip
_RULES = (
    "dice=1", "dice=2", "movement=free", "max_turns=5", "dice=0", "dice=-1", "dice=x", "dice=1e9",
    "dice=999999999999",
    "sides=0", "sides=100000000000", "max_turns=0", "max_turns=-1", "movement=fly", "=", "dice", "=1", "x=1",
    "dice=", "a=b=c",
)  # fmt: skip
_QUERIES = (
    "SELECT count(*) FROM games", "FROM seats", "SELECT", "", ";", "SELECT 1; SELECT 2", "SELECT * FROM nothing",
    "DROP TABLE games",
    "COPY seats TO 'stolen.csv'", "EXPLAIN ANALYZE COPY seats TO 'letter.txt'", "ATTACH 'new.db'",
    "SELECT * FROM 'letter.txt'",
    "SELECT * FROM read_text('letter.txt')", "INSTALL httpfs", "SET threads=1", "PRAGMA version",
    "EXPORT DATABASE 'photos'",
    "SELECT 'a\nb', NULL, [1], {'a': 1}", "SELECT 1/0", "SELECT 'é'::BLOB", "CREATE TABLE x AS SELECT 1",
    "CHECKPOINT", "\\", "'",
)  # fmt: skip
_PLACES = ("Rope=envelope", "=", "Rope", "Rope=", "=envelope", "Rope=Nobody", "a=b=c", "envelope=Rope")
_WORDS = (
    "tiny,manoir", "Ann,Bob,Cy", "Ann:5,Bob:5,Cy:5", "Ann,Ann,Ann", "Ann:-1,Bob", "Ann:x", "Ann",
    "envelope,Bob,Cy", "Ann:99,Bob,Cy",
    "Rose,Moutarde", "P1", *ODD_TEXTS,
)  # fmt: skip
_ADDRESSES = ("here", "tcp://:1", "10.0.0.1", "tcp://a:b", "")
_WRONG_PORTS = ["-1", "65536", "x", ""]
_HOSTS = ("not an address", "192.0.2.1", "a" * 70 + ".invalid", "", "::1::", "127.0.0.1:80", "[", "999.1.1.1")
_OUTPUTS = (
    "new", "new.png", "new.html", "new.gif", "letter.txt", "photos", "letter.txt/new", "no/such/folder",
    "/dev/full", "/dev/null",
    "pipe", "", ".", "..", "a" * 300, "game.json", "results", "contest", "experiment.toml", "house.json",
    "é \n$x$", "readonly",
)  # fmt: skip
_ODD_FILES = (
    "no.json", "photos", "", ".", "/dev/null", "/dev/zero", "a" * 300, "letter.txt", "é\n", "letter.txt/x", "~", "-",
)  # fmt: skip
_TYPED = (
    "1", "2", "3", "", "r", "s", "e", "q", "y", "n", "?", "help", "0", "-1", "99", "all", "undo", "why", "tell",
    "odds", "quit",
    "whatif", "sheet", "ask", "next", "hand", "bob plum rope hall, cy", "a b c d, -", "=", ",", "\x04", "\x1b[A",
    "log", "end",
)  # fmt: skip

_VALUES: dict[str, tuple[str, ...]] = {
    "players": _LINE_UPS, "rule": _RULES, "query": _QUERIES, "why": _PLACES, "address": _ADDRESSES, "host": _HOSTS,
    "backend": ("local", "sge", ""), "games": ("1", "3", "4", "6", *_NUMBERS),
    "model": ("uniform", "choice", "kinds", "all"),
    "seed": ("0", "7", *_NUMBERS), "to": _NUMBERS, "game": _NUMBERS,
    "as": ("White", "Amber", *_WORDS), "hand": ("Rope,Hall", *_WORDS), "suspects": ("Rose,Olive", *_WORDS),
    "workers": ("1", "2", "0", "-1", "x", "100000", "10" * 8), "think-limit": _SECONDS, "speed": _SECONDS,
    "board": ("auto", "none", "grid.txt", *_ODD_FILES),
    "edition": ("two", "house", "discover", "tow", "own.toml", *_ODD_FILES),
}  # fmt: skip
_INPUTS: dict[tuple[str, str], str] = {
    ("show", "name"): "map", ("replay", "file"): "record", ("solve", "file"): "case", ("assist", "file"): "case",
    ("grade", "answers"): "answers", ("grade", "key"): "key", ("new", "names"): "names",
    ("play", "resume"): "saved", ("run", "file"): "experiment", ("status", "folder"): "results", ("report",
    "folders"): "results",
}  # fmt: skip
_KEPT = {("assist", "file"), ("play", "resume")}
"""What is read, and then kept up to date."""
_WRITTEN = {"out", "png", "html", "gif", "csv", "record"}


_NEW_MAP = ("maps", "new", "new.json", "--names", "names.csv", "--board", "grid.txt")
_CONTEST = ("autoplay", "--players", "easy,random,easy", "--games", "3", "--workers", "1", "--out", "new")
_RUN = ("experiment", "run", "--workers", "1")
_READINGS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("house.json", ("maps", "show", "house.json"), ()),
    ("own.toml", (*_CONTEST, "--edition", "own.toml"), ("new",)),
    ("names.csv", _NEW_MAP, ("new.json",)),
    ("grid.txt", _NEW_MAP, ("new.json",)),
    ("house.json", (*_CONTEST, "--map", "house.json"), ("new",)),
    ("deck.json", (*_CONTEST, "--map", "deck.json", "--rule", "movement=free"), ("new",)),
    ("game.json", ("replay", "game.json", "--to", "3"), ()),
    ("game.json", ("replay", "game.json", "--log", "--as", "Amber"), ()),
    ("game.json", ("replay", "game.json", "--html", "new.html"), ("new.html",)),
    ("saved.json", ("play", "--plain", "--resume", "saved.json"), ("saved.json",)),
    ("case.json", ("solve", "case.json"), ()),
    ("case.json", ("assist", "--plain", "case.json"), ("case.json",)),
    ("answers.jsonl", ("grade", "answers.jsonl", "--key", "key.jsonl"), ()),
    ("answers.jsonl", ("grade", "answers.jsonl", "--key", "key.jsonl", "--lenient", "--json"), ()),
    ("key.jsonl", ("grade", "answers.jsonl", "--key", "key.jsonl"), ()),
    ("spectator.json", ("solve", "spectator.json", "--json"), ()),
    ("experiment.toml", (*_RUN, "experiment.toml", "--out", "new"), ("new",)),
    ("round.toml", (*_RUN, "round.toml", "--out", "new"), ("new",)),
    ("results/manifest.json", ("experiment", "status", "results"), ()),
    ("results/manifest.json", ("report", "results", "--csv", "new.csv"), ("new.csv",)),
    ("results/manifest.json", (*_RUN, "experiment.toml", "--out", "results", "--resume"), ("results",)),
    ("contest/manifest.json", ("report", "contest", "--query", "FROM games"), ()),
)
"""A file, a right line that reads it, and what the line may change."""


class Line(NamedTuple):
    """A command line, what is typed at it, and the files that it may change: the outputs that it names."""

    arguments: list[str]
    typed: str
    outputs: list[str]


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command, with the words that call it."""
    for name in COMMANDS:
        command: Any = command_line([name]).commands[name]
        for inner in getattr(command, "commands", {}).values():
            yield (name, inner.name), inner
        if not isinstance(command, TyperGroup) or command.invoke_without_command:
            yield (name,), command


def draw_line(rng: Random, folder: Path, name: tuple[str, ...], command: Any) -> Line:
    """A line for a command, with its files in the folder, which holds the samples; some of them are spoilt here."""
    arguments, outputs, used = list(name), [], set[str]()
    for parameter in command.params:
        key = _key(parameter)
        option = parameter.param_type_name == "option"
        if key == "help" or (option and rng.random() > _likely(name, key)):
            continue
        if not option and not parameter.required and rng.random() < 0.3:
            continue
        used.add(key)
        often = rng.choice([1, 1, 2]) if parameter.nargs == -1 or getattr(parameter, "multiple", False) else 1
        values = [_value(rng, folder, name, parameter) for _ in range(often)]
        if (name[-1], key) in _KEPT or (key in _WRITTEN and not getattr(parameter, "is_flag", False)):
            outputs += values
        if not option:
            arguments += values
        elif parameter.is_flag:
            arguments.append(rng.choice([*parameter.opts, *parameter.secondary_opts]))
        else:
            arguments += [word for value in values for word in (parameter.opts[0], value)]
    if name == ("report",) and rng.random() < 0.9 and not used & {"csv", "query"}:  # the whole page takes seconds
        arguments.append("--csv")
    if rng.random() < 0.05:
        arguments.insert(rng.randrange(len(arguments) + 1), rng.choice(ODD_TEXTS))
    if name == ("serve",):  # else it would serve
        arguments += rng.choice([["--host", rng.choice(_HOSTS)], ["--port", rng.choice(_WRONG_PORTS)]])
    if name == ("mcp",):
        arguments += ["--http", rng.choice(_WRONG_PORTS)]
    if rng.random() < 0.1:
        arguments += ["--lang", rng.choice(["en", "fr", "de", ""])]
    typed = "\n".join(rng.choice((*_TYPED, *ODD_TEXTS)) for _ in range(rng.choice([0, 3, 30])))
    return Line(arguments, typed, outputs)


def draw_reading(rng: Random, folder: Path) -> Line:
    """A right line that reads a file of the folder, in which something is odd."""
    file, arguments, outputs = rng.choice(_READINGS)
    mutate(rng, folder / file)
    return Line(list(arguments), "1\n1\nq\n", list(outputs))


def _likely(name: tuple[str, ...], key: str) -> float:
    """How often an option is used. A contest without small numbers, or on many processes, is no quick one."""
    if key in ("games", "workers"):
        return 1.0
    if (name[-1], key) in _INPUTS:
        return 0.6
    if key in ("gif", "backend", "address"):
        return 0.05
    return 0.2


def _key(parameter: Any) -> str:
    """What an option is called on the command line, or an argument in the code."""
    return str(parameter.opts[0]).lstrip("-") if parameter.param_type_name == "option" else str(parameter.name)


def _value(rng: Random, folder: Path, name: tuple[str, ...], parameter: Any) -> str:
    key = _key(parameter)
    kind = _INPUTS.get((name[-1], key))
    if kind is not None:
        return _input(rng, folder, kind)
    if key == "map":
        return rng.choice(["tiny", "classic", "manoir", "master"]) if rng.random() < 0.4 else _input(rng, folder, "map")
    if key in _WRITTEN:
        if rng.random() < 0.5:
            return rng.choice(_OUTPUTS)
        return rng.choice(["full", "pipe", "letter", "photos/new"]) + ("" if key in ("out", "record") else f".{key}")
    if key in ("games", "workers") and rng.random() < 0.8:
        return "1" if key == "workers" else rng.choice(["1", "3", "4"])
    if key == "players" and name == ("assist",):
        return rng.choice(_WORDS)
    if key in _VALUES and rng.random() < 0.9:
        if key == "players" and rng.random() < 0.1:
            mutate(rng, folder / "bot.py")
        return rng.choice(_VALUES[key])
    return rng.choice((*_NUMBERS, *_WORDS))


def _input(rng: Random, folder: Path, kind: str) -> str:
    """A file or folder to read: a right one, one of another kind, none at all, or, nearly always, one with a fault."""
    found = rng.choice(KINDS[kind])
    what = rng.random()
    if what < 0.04:
        return rng.choice(KINDS[rng.choice(sorted(KINDS))])
    if what < 0.08:
        return rng.choice(_ODD_FILES)
    if what < 0.9:
        spoil(rng, folder / found)
    return found
