"""Maps, levels and replay at the command line: right input and wrong."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from helpers.cases import some
from helpers.command_line import complaint, painted_and_bare, run
from helpers.recorded import record_of
from helpers.support import DECK_ALONE, board_from, drawn_game, house, make_match, write_map
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table

from cluedo.cli.board_text import board_lines, board_text
from cluedo.cli.plain_words import Choice, Menu
from cluedo.cli.terminal import Name, Terminal
from cluedo.engine.board import Board
from cluedo.engine.events import HypothesisMade, Rolled, Shown
from cluedo.engine.game import Result
from cluedo.engine.geometry import pawn_codes, weapon_codes
from cluedo.session.board_glyphs import board_glyphs
from cluedo.session.case.vocabulary import Unclear
from cluedo.words.narration import Story

CLUEDO = [sys.executable, "-m", "cluedo"]


# ---- maps --------------------------------------------------------------------------------------


def test_maps_are_listed():
    text = run("maps")
    assert re.search(r"^manoir +Le manoir +6 +6 +9 +24 x 25", text, re.MULTILINE)
    assert re.search(r"^tiny +A tiny house +4 +3 +4 +11 x 7", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["manoir", "classic", "tiny"])
def test_a_map_is_shown_within_80_columns(name):
    text, board = run("maps", "show", name), Board.load(name)
    assert "\x1b" not in text
    crowded = [board.place(board.map.rooms[1].name)] * len(board.map.suspects)  # the longest legend
    for drawn in (board_text(board), board_text(board, pawns=crowded)):
        lines = [line.plain for line in drawn.split()]
        assert max(map(len, lines)) <= 80
        assert any("Pawns" in line for line in lines[:1])
    for card in board.deck.names:
        assert card in text
    for code in pawn_codes(board.deck):
        assert code in text


def test_every_room_has_its_name_inside_and_every_door_an_arrow():
    board = Board.load("manoir")
    lines = [line.plain for line in board_lines(board)]
    drawn = "\n".join(lines)
    for room in board.map.rooms:
        assert room.name in drawn or all(word in drawn for word in room.name.split())
    assert len(re.findall("[↑↓]{2}| →|← ", drawn)) == len(board.door_room)


def test_pawns_and_marks_on_the_board():
    board = Board.load("tiny")
    attic = board.place("Attic")
    reach = board.reach(board.place((5, 0)), 2, 0)
    lines = [line.plain for line in board_lines(board, [attic, board.place((5, 0)), attic, attic], reach.mask)]
    assert "".join(lines).count("+") == reach.mask.bit_count() - len(reach.rooms)
    assert "Ba" in lines[1]
    for code in ("Am", "Co", "De"):
        assert any(code in line[3:11] for line in lines[1:4])


def test_the_board_says_the_same_with_and_without_colours():
    painted, bare = painted_and_bare(board_text(Board.load("manoir")))
    assert painted.split() == bare.split()


@pytest.mark.parametrize("names", [("Anna", "Anton", "An", "À"), ("ßa", "İ", "ßb", "ﬁ")])
def test_pawns_with_like_names_get_different_letters(names):
    data = house()
    for kind in ("suspects", "weapons"):
        for entry, name in zip(data[kind], names, strict=False):
            entry["name"] = f"{name} {kind}"
    for codes in (pawn_codes(board_from(data).deck), weapon_codes(board_from(data).deck)):
        assert len(set(codes)) == len(codes)
        assert all(len(code) == 2 for code in codes)


def test_a_map_of_ones_own_and_a_deck_alone(tmp_path):
    assert "Attic" in run("maps", "show", str(write_map(tmp_path, house())))
    text = run("maps", "show", str(write_map(tmp_path, DECK_ALONE)))
    assert "a deck without a board" in text
    assert "S0: outside" in text


def test_odd_houses_are_drawn_too():
    data = house()
    for room in data["rooms"]:
        room.pop("passage", None)
    data["rooms"][0]["name"] = "Aroomwithaverylongname"
    data["rooms"][1]["name"] = "浴室"
    data["rooms"][2]["name"] = "कमरा"  # its letters take fewer columns than there are of them
    data["grid"] += ["." * len(data["grid"][0])] * 100
    axis, *rows, _ = [line.plain for line in board_lines(board_from(data))]
    drawn = "\n".join(rows)
    assert "Aroom." in drawn
    assert "B" in drawn
    assert {row.index("·") for row in rows[-100:]} == {axis.index("0")}
    assert {cell_len(row) - len(row) for row in rows} == {0}


def test_a_report_lays_its_own_colours_under_a_board():
    from matplotlib.colors import to_hex
    from matplotlib.figure import Figure

    from cluedo.experiments.draw.board_picture import draw_board

    axes, board = Figure().add_subplot(), Board.load("tiny")
    pawns = [board.place("Attic")] * 3 + [board.starts[3]]
    draw_board(axes, board, pawns=pawns, room_colours={"Den": "#123456"}, square_colours={(4, 3): "#654321"})
    colours = {to_hex(colour) for squares in axes.collections for colour in squares.get_facecolor()}
    assert {"#123456", "#654321"} <= colours


ESCAPE = "\x1b]0;mine\x07"


def test_nothing_that_is_read_can_steer_the_terminal(record, tmp_path):
    data = json.loads(record.read_text(encoding="utf-8"))
    data["players"][1]["name"] = ESCAPE
    for bad, place in ((data, "players[1].name"), (data | {"map": ESCAPE}, "map")):
        record.write_text(json.dumps(bad), encoding="utf-8")
        text = complaint("replay", record)
        assert text.startswith(f"{record}, line 1: {place}: must not have control characters")
    titled = write_map(tmp_path, house() | {"title": ESCAPE})
    assert "title: must not have control characters" in complaint("maps", "show", str(titled))


def test_a_deck_alone_has_no_picture(tmp_path):
    alone = write_map(tmp_path, DECK_ALONE)
    assert "no grid to draw" in complaint("maps", "show", str(alone), "--png", str(tmp_path / "board.png"))


# ---- levels ------------------------------------------------------------------------------------


def test_levels_are_listed_with_their_parameters():
    text = " ".join(run("levels").split())
    for word in ("random", "easy", "medium", "human", "path/to/bot.py:MyBot", "in compiled games only"):
        assert word in text
    assert re.search(r"medium:original=… \(true or false, default false\): \w+", text)
    one = run("levels", "medium")
    assert one.startswith("medium")
    assert "medium:original" in one
    assert "expert" not in one
    assert "llm:MODEL:replay=… (text): " in text, "an empty default says nothing"
    assert "did you mean 'medium'?" in complaint("levels", "mediun")


# ---- replay ------------------------------------------------------------------------------------


def write_record(path: Path, seed: int = 6) -> Path:
    game = drawn_game(Board.load("tiny"), 3, seed)
    make_match(game, ["easy", "medium", "easy"], seed).play()
    return record_of(game, path, seed=seed)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A recorded game on the tiny board."""
    return write_record(tmp_path / "game.json")


def test_a_game_is_told_turn_by_turn(record):
    text = run("replay", record)
    turns = [int(turn) for turn in re.findall(r"^Turn (\d+): ", text, re.MULTILINE)]
    assert turns == list(range(1, json.loads(record.read_text(encoding="utf-8"))["result"]["turns"] + 1))
    assert re.search(r"^  \w+ rolls \d \+ \d = \d+\.$", text, re.MULTILINE)
    assert re.search(r"^  \w+ shows \w+ (?!a card)\w+\.$", text, re.MULTILINE)
    assert "The envelope holds" in text
    assert re.search(r"solves the case and wins after \d+ turns\.$", text.rstrip())
    assert "│Attic" in text


def test_a_person_is_called_by_their_name(record):
    text = record.read_text(encoding="utf-8").replace('"name":"medium"', '"name":"human:Ann"')
    record.write_text(text.replace('"name": "medium"', '"name": "human:Ann"'), encoding="utf-8")
    assert " (Ann) holds " in run("replay", record)
    assert re.search(r"^\w+ \(Ann\) +\d", run("replay", record, "--review"), re.MULTILINE)
    assert "human:" not in run("replay", record) + run("replay", record, "--review")


def test_zero_turns_are_the_deal_and_n_turns_are_n(record):
    deal = run("replay", record, "--to", "0")
    assert "Turn 1" not in deal
    assert "nothing has happened yet" in deal
    two = run("replay", record, "--to", "2")
    assert "Turn 2" in two
    assert "Turn 3" not in two
    assert "2 turns are played; the game goes on." in two


def test_one_game_of_many(tmp_path):
    path = tmp_path / "games.jsonl"
    one, other = (write_record(path, seed).read_text(encoding="utf-8") for seed in (1, 2))
    path.write_text(one + other, encoding="utf-8")
    assert "seed 2" in run("replay", path, "--game", "1")
    assert "several games" in complaint("replay", path)


def test_a_record_of_a_map_that_has_moved(record, tmp_path):
    data = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps(data | {"map": str(tmp_path / "gone.json")}), encoding="utf-8")
    assert str(record) in complaint("replay", record)
    assert "Turn 1" in run("replay", record, "--map", "tiny")


def test_an_unfinished_record(record):
    data = json.loads(record.read_text(encoding="utf-8"))
    data["events"], data["result"] = data["events"][:2], None
    record.write_text(json.dumps(data), encoding="utf-8")
    assert "the record ends here, and the game is not over" in run("replay", record)


# ---- the words ---------------------------------------------------------------------------------


def test_a_story_depends_on_who_is_told_it():
    table = drawn_game(Board.load("tiny"), 3, seed=0).table
    shown, hidden = Shown(1, 0, 5), Shown(1, 0, None)
    assert Story(table).tell(shown) == "Basil shows Amber Poker."
    assert Story(table, 0).tell(shown) == "Basil shows you Poker."
    assert Story(table).tell(Shown(1, 0, 0)) == "Basil shows Amber the card Amber."
    assert Story(table, 1).tell(shown) == "You show Amber Poker."
    assert Story(table, 2).tell(hidden) == "Basil shows Amber a card."
    assert Story(table, 0).tell(Rolled(0, (3, 4))) == "You roll 3 + 4 = 7."
    assert Story(table).tell(Rolled(0, (3,))) == "Amber rolls 3."
    asked = HypothesisMade(0, 1, 5, 8)
    assert Story(table, 2).tell(asked) == "Amber asks: Basil, Poker, Bath?"
    assert Story(table, 1).tell(asked) == "Amber asks: Basil, Poker, Bath? (Your pawn is now in Bath.)"
    assert Story(table, 1).ending(Result(1, "solved", 7)) == "You solve the case and win after 7 turns."
    assert "unsolved" in Story(table).ending(Result(None, "unsolved", 7))
    assert "unfinished" in Story(table).ending(Result(None, "unfinished", 1))


def test_a_menu_understands_numbers_names_and_beginnings():
    menu = Menu([Choice(1, "Salle à manger"), Choice(2, "Salle de bain"), Choice(3, "Entrée")], [Choice(4, "Garage")])
    assert [menu.read(text) for text in ("2", "SALLE A  MANGER", "entr", "salle d", "gar")] == [2, 1, 3, 2, 4]
    several = "could be Salle à manger or Salle de bain"
    for text, why in (("salle", several), ("0", "not between"), ("", "needed"), ("x", "not one")):
        with pytest.raises(Unclear, match=why):
            menu.read(text)
    assert Menu([Choice(1, "a")], default=Choice(5, "b")).read(" ") == 5


def test_a_menu_understands_names_as_they_are_typed_elsewhere_and_first_what_it_lists():
    menu = Menu([Choice(1, "Lead Pipe"), Choice(2, "take the secret passage to Hall"), Choice(3, "Ballroom")])
    menu.others = [Choice(4, "Hall"), Choice(5, "Billiard Room")]
    assert [menu.read(text) for text in ("pipe", "Pi", "le p", "hall", "secret", "b")] == [1, 1, 1, 4, 2, 3]


# ---- an output that takes nothing --------------------------------------------------------------


COMMANDS = {
    "autoplay": ["autoplay", "--map", "tiny", "--games", "3", "--players", "easy,easy,easy"],
    "levels": ["levels"],
    "maps": ["maps"],
    "show": ["maps", "show", "tiny"],
    "json": ["autoplay", "--map", "tiny", "--games", "3", "--players", "easy,easy,easy", "--json"],
    "play": ["play", "--map", "tiny", "--players", "human,easy,easy"],
    "help": ["--help"],
    "version": ["--version"],
}
A_FEW = pytest.mark.parametrize("command", some(COMMANDS, 3))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@A_FEW
def test_a_full_disk_is_one_sentence(command):
    for takes_errors in (True, False):
        with open("/dev/full", "w") as full:  # noqa: PTH123
            streams = {"stdin": subprocess.DEVNULL, "stdout": full, "stderr": subprocess.PIPE if takes_errors else full}
            ended = subprocess.run([*CLUEDO, *COMMANDS[command]], **streams, text=True, timeout=300, check=False)
        assert ended.returncode == 2
        assert ended.stderr == ("cluedo: cannot go on: No space left on device\n" if takes_errors else None)


@pytest.mark.slow
@A_FEW
def test_a_reader_who_has_gone_is_told_nothing(command):
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*CLUEDO, *COMMANDS[command]], stdin=subprocess.DEVNULL, **pipes) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.wait(300) == 141
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_a_reader_who_has_gone_under_a_progress_bar():
    near, far = os.openpty()
    command = [*CLUEDO, *COMMANDS["autoplay"]]
    environment = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=far, env=environment
    ) as process:
        assert process.stdout
        process.stdout.close()
        assert process.wait(300) == 141
    os.close(far)
    shown = os.read(near, 65536)
    os.close(near)
    assert b"3/3" in shown
    assert b"Traceback" not in shown


@pytest.mark.parametrize("name", ["manoir", "classic", "tiny"])
@pytest.mark.parametrize("weapons", [False, True])
def test_every_passage_is_drawn_and_names_the_room_that_it_leads_to(name, weapons):
    board = Board.load(name)
    rows = board_glyphs(board, weapons=board.weapon_starts if weapons else None)
    text = "\n".join("".join(char for char, _ in row) for row in rows)
    assert text.count("»") == sum(there >= 0 for there in board.passages)
    for there in filter(lambda place: place >= 0, board.passages):
        room = board.map.rooms[there - board.rooms_at].name
        assert re.search(f"» {re.escape(room[:3])}", text), room


def printed(capsys, columns, headings, *rows):
    """The lines of a table on a terminal so wide; only the cells of levels may be broken."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, no_wrap=heading != "level", overflow="fold")
    for row in rows:
        table.add_row(*row)
    Terminal(plain=True, columns=columns).table(table)
    return [line for line in capsys.readouterr().out.splitlines() if line.strip()]


def test_a_narrow_terminal_takes_no_letter_and_no_figure_from_a_table(capsys):
    rows = ("medium", "16.3 % to 56.3 %"), ("a level with a name of many words", "1.0 % to 2.0 %")
    lines = printed(capsys, 20, ("level", "95 % interval"), *rows)
    out = "\n".join(lines)
    assert "16.3 % to 56.3 %" in out
    assert "medium" in out
    assert "…" not in out
    assert max(map(len, lines)) < 40


def test_headings_are_broken_where_a_table_would_be_too_wide_otherwise(capsys):
    table = ("won per seat", "seats", "95 % interval"), ("12.3 %", "10", "1 % to 2 %")
    wide, narrow = ([line.split() for line in printed(capsys, columns, *table)] for columns in (40, 30))
    assert wide[0] == ["won", "per", "seat", "seats", "95", "%", "interval"]
    assert narrow[:2] == [["won", "per", "95", "%"], ["seat", "seats", "interval"]]


def test_a_name_in_a_table_is_broken_between_its_parts_only(capsys):
    names = ["hard:own_cards=never", "examples/bots/my_bot.py:MyBot:bluff=0.3", "Green (hard:own_cards=never)"]
    lines = printed(capsys, 40, ("level", "95 % interval"), *((Name(name), "16.3 % to 56.3 %") for name in names))
    parts = [line[:18].strip() for line in lines[2:]]
    assert max(map(len, lines)) <= 40
    assert "".join(parts).replace(" ", "") == "".join(names).replace(" ", "")
    assert "own_cards=never" in parts


def test_help_is_told_in_any_encoding_and_errors_name_files_in_full():
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    tell = partial(subprocess.run, capture_output=True, env=environment)
    told = tell([*CLUEDO, "--lang", "fr", "maps", "--help"], check=True)
    assert b"Lister les plateaux, en montrer un, ou faire le v?tre." in told.stdout
    assert rb"Zo\xe9.json" in tell([*CLUEDO, "replay", "Zoé.json"]).stderr


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("ascii", "Tapez < aide >, l'accusation o"),
        ("cp1252", "Tapez « aide », l’accusation o"),
        ("utf-8", "Tapez « aide », l’accusation ○"),
    ],
)
def test_a_sign_is_replaced_where_the_encoding_lacks_it_alone(monkeypatch, encoding, told):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding))
    Terminal(plain=True).say("Tapez « aide », l’accusation ○")
    sys.stdout.flush()
    assert written.getvalue().decode(encoding) == f"{told}\n"


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("  Wrench has about 18 % and the Rope 7 %.", ["  Wrench has about", "    18 % and the", "    Rope 7 %."]),
        (
            "It goes on; continue with `cluedo play a`, or `cluedo play my/long/game` in this folder.",
            ["It goes on; continue", "with", "`cluedo play a`, or", "`cluedo play my/long/game`", "in this folder."],
        ),
        ("Continue with `cluedo play my/long/game`", ["Continue with", "`cluedo play my/long/game`"]),
    ],
    ids=["percent sign", "command", "command at the end"],
)
def test_in_twenty_columns_what_belongs_together_stays_so_and_an_indented_line_goes_on_indented(
    monkeypatch, said, lines
):
    edge = io.StringIO()
    monkeypatch.setattr(sys, "stdout", edge)
    terminal = Terminal(plain=True)
    monkeypatch.setattr("cluedo.cli.terminal._columns_of", lambda _: 20)
    terminal.say(said)
    assert edge.getvalue().splitlines() == lines


def test_what_is_said_after_ctrl_c_at_a_prompt_has_a_line_of_its_own(capsys, monkeypatch):
    def interrupted(prompt):
        sys.stdout.write(prompt)
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    terminal = Terminal()
    terminal.plain = False
    with pytest.raises(KeyboardInterrupt):
        terminal.ask("Suspects?")
    assert capsys.readouterr().out == "Suspects? \n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "closed"),
    [
        (["levels"], "<&- >&- 2>&-"),
        (["play", "--plain", "--map", "tiny", "--players", "human,easy,easy", "--record", "kept.json"], "<&- >&-"),
        (["assist", "kept.json", "--plain", "--map", "tiny", "--players", "A,B"], "<&-"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_a_stream_that_is_closed_is_an_empty_one(arguments, closed, tmp_path):
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *CLUEDO, *arguments]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    for kept in tmp_path.glob("kept.json"):
        json.loads(kept.read_text(encoding="utf-8"))
