"""People at the table: whole games by script, in memory, through a pipe and in a real terminal."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from helpers.command_line import complaint, run
from helpers.piped_player import HAND_OVER, Brain, Table
from helpers.programs import python
from helpers.screen_driver import session
from helpers.tmux_pane import needs_tmux

from cluedo.cli.plain_game import PlainGame
from cluedo.cli.play import play
from cluedo.cli.terminal import Left, Screen
from cluedo.engine.board import Board
from cluedo.engine.record import read_record

CLUEDO = [sys.executable, "-m", "cluedo"]


def played(monkeypatch: pytest.MonkeyPatch, map_: str, **options: object) -> str:
    """The output of a game that a script plays through plain input and output."""
    table = Table(Brain(Board.load(map_)))
    monkeypatch.setattr(sys, "stdout", table)
    monkeypatch.setattr(sys, "stdin", table)
    play(map_=map_, **options)  # type: ignore[arg-type]
    monkeypatch.undo()
    return table.getvalue()


@pytest.mark.parametrize("rule", [["movement=free"], ["dice=1", "sides=4"]])
def test_other_rules(monkeypatch, rule):
    text = played(monkeypatch, "tiny", players="human,easy,random", seed=4, rule=rule)
    assert "The envelope held" in text
    assert f"--rule {rule[0]}" in text


def test_suspects_are_named_by_seat_and_the_others_get_those_left(monkeypatch):
    text = played(monkeypatch, "tiny", players="human,easy,random", seed=4, suspects="coral,AMB")
    assert "--suspects Coral,Amber,Basil" in text


def test_a_right_accusation(monkeypatch):
    """The script is a fair detective, so on some of the first deals it wins against those who guess."""
    texts = [played(monkeypatch, "tiny", players="human,random,random", seed=seed) for seed in range(4)]
    assert any("You solve the case and win" in text for text in texts)
    assert any("That is wrong" in text for text in texts)


def segments(text: str) -> Iterator[tuple[int, list[str]]]:
    """What each seat had on the screen, hand-over by hand-over."""
    seat, lines = None, []
    for line in text.splitlines():
        if found := HAND_OVER.match(line):
            if seat is not None:
                yield seat, lines
            seat, lines = int(found[2]) - 1, []
        lines.append(line)
    if seat is not None:
        yield seat, lines


def is_public(line: str) -> bool:
    """Whether a line is made of what everybody may hear, or lists choices."""
    told = re.search(
        r"\b(asks?:|accuses?:|enters? |stay in |secret passage|envelope held|you are out)|^You may ask", line
    )
    listed = re.match(r" |\d+ \D|\d\d |> Where|You are in ", line)  # choices, the board, its legend
    return bool(told or listed)


@pytest.mark.parametrize(
    ("map_", "players", "seed"), [("tiny", "human,human,easy", 2), ("manoir", "human,human,easy", 7)]
)
def test_nobody_sees_another_ones_cards(monkeypatch, tmp_path, map_, players, seed):
    path = tmp_path / "game.json"
    text = played(monkeypatch, map_, players=players, seed=seed, record=path)
    record = read_record(path)
    names, hands = record.replay().table.deck.names, [set(player.hand) for player in record.players]
    may_see = [set(hand) for hand in hands]
    asker = 0
    for event in record.events:
        if event.type == "hypothesis":
            asker = event.seat
        elif event.type == "show":
            may_see[asker].add(event.card)
    parts = list(segments(text))
    assert {seat for seat, _ in parts} >= set(range(players.count("human")))
    suspects = {player.suspect for player in record.players}
    looked = 0
    for seat, lines in parts:
        for line in lines:
            if found := re.match(r"You hold (.+)\.", line):
                assert set(re.split(r", | and ", found[1])) == hands[seat]
                looked += 1
            if is_public(line):
                continue
            secret = {name for name in names if name not in suspects and re.search(rf"\b{re.escape(name)}\b", line)}
            assert secret <= may_see[seat], line
    assert looked > 4


def test_people_who_share_the_screen_are_called_by_their_names():
    players = "human:Ann,human:Bob,easy"
    told = run("play", "--players", players, "--map", "tiny", "--seed", "2", "--plain", typed="\nquit\n")
    assert re.search(r"--- Hand over to \w+ \(Bob\), player 2: your turn ---", told)
    assert re.search(r"> \w+ \(Bob\), press Enter when nobody else is looking\.", told)
    assert re.search(r"\w+ \(Bob\) has left the game", told)


def test_after_a_hand_over_one_reads_what_one_missed(monkeypatch):
    text = played(monkeypatch, "tiny", players="human,human,human", seed=3)
    mine = [lines for seat, lines in segments(text) if seat == 0]
    assert any(re.match(r"(Basil|Coral) (rolls|asks|enters|stays)", line) for lines in mine[1:] for line in lines)


# ---- answers that are wrong, and ways to leave -------------------------------------------------


def test_wrong_answers_are_asked_again_with_the_reason():
    answers = "accuse\n3,4\nBath\nfoo\n9\n\n\nnowhere\n99,99\n5,0\n4,0\n0,0\n1\nask\nquit\n"
    told = run("play", "--players", "human,easy,medium", "--map", "tiny", "--seed", "5", typed=answers)
    for reason in (
        "an accusation comes at the end of a turn, after the move (rule 10)",
        "the dice are rolled before the walk (rule 4)",
        "'foo' is not one of the choices",
        "9 is not between 1 and 2",
        "an answer is needed",
        "'nowhere' is not one of the choices",
        "(99, 99) lies outside the board",
        "cannot be reached with this roll round the other pawns (rule 5)",
        "(4, 0) is a wall",
    ):
        assert reason in told
    assert told.count("Not possible") >= 9
    assert "You enter Attic." in told  # 0,0 is a square inside it
    assert "Amber has left the game" in told
    assert "seed was" not in told, "the game may go on"


def test_what_can_be_asked_for_at_any_prompt():
    answers = "help\nBOARD\nhand\nsheet\nlog\nplayers\n?\n"
    told = run("play", "--players", "human,easy,medium", "--map", "tiny", "--seed", "5", typed=answers)
    for word in ("quit     leave the game", "Secret passages", "You hold Poker and Shears.", "Poker (yours)"):
        assert word in told
    assert "1 Amber (you): 2 cards" in told
    assert "The input has ended" in told


def test_the_words_of_the_full_screen_for_undo_and_hint_are_understood_too():
    game = "play", "--players", "human,easy,easy", "--map", "tiny", "--seed", "5"
    pairs = ("en", ("undo", "take back")), ("fr", ("annuler", "annuler le coup")), ("fr", ("indice", "indices"))
    for language, words in pairs:
        told = [run(*game, "--lang", language, typed=f"r\n{word}\nquit\n").rpartition("\n> ")[0] for word in words]
        assert told[0] == told[1]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_hint_is_given_at_any_prompt_with_figures_on_demand(language):
    asked = "hint\nbits\nquit\n"
    told = run("play", "--players", "human,easy,easy", "--seed", "5", "--lang", language, typed=asked)
    hint, bits = told.split("> ")[1:3]
    assert ("Proved" in hint or "Chance of" in hint) if language == "en" else "enveloppe" in hint, told
    assert "bits" not in hint
    assert " bits " in bits
    assert set(hint.splitlines()[1:]) <= set(bits.splitlines())


def test_the_first_lines_say_that_there_are_hints_and_h_asks_for_one_as_on_the_full_screen():
    told = run("play", "--players", "human,easy,easy", "--map", "tiny", "--seed", "5", typed="h\nquit\n")
    welcome, hint = told.split("> ")[:2]
    assert "Type hint when you want advice." in welcome
    assert "  Ask there: " in hint


def test_a_hint_that_is_asked_for_twice_is_the_same():
    told = run("play", "--players", "human,easy,easy", "--map", "tiny", "--seed", "16", typed="h\nh\nquit\n")
    first, second = told.split("> ")[1:3]
    assert "Proved, though nobody showed it:" in first
    assert first.splitlines()[1:] == second.splitlines()[1:]


def test_the_rules_that_messages_name_by_their_numbers_are_read_at_any_prompt_all_or_one():
    told = run("play", "--players", "human,easy,easy", "--map", "tiny", typed="rules 7\nrules 99\nrules\nquit\n")
    one, none, all_ = told.split("> ")[1:4]
    (seventh,) = (line.strip() for line in all_.splitlines() if line.startswith(" 7. "))
    assert seventh.startswith("7. Where you have made a hypothesis")
    assert [line.strip() for line in one.splitlines()[1:]] == [seventh]
    assert re.search(r"^21\. ", all_, re.MULTILINE)
    assert "Not possible: 99 is not between 1 and 21." in none


def test_the_house_rules_are_told_before_the_game_and_after_all_others():
    options = ("--rule", "accuse_in=room", "--rule", "pool=1", "--rule", "leftover=pool")
    told = run("play", "--players", "human,easy,easy", "--map", "tiny", *options, typed="rules\nquit\n")
    before, _, after = told.partition("Type help")
    house = [
        "Cards that do not go round evenly lie face down in the pool.",
        "Players may accuse only the room they are in.",
    ]
    assert [line for line in before.splitlines() if line in house] == house
    assert after.partition("House rules\n")[2].splitlines()[1:3] == house
    assert "House rules" not in run("play", "--players", "human,easy,easy", "--map", "tiny", typed="rules\nquit\n")


def test_no_hint_is_given_where_they_are_switched_off():
    told = run("play", "--players", "human,easy,easy", "--no-hints", typed="hint\nquit\n")
    assert "Not possible: this game is played without hints." in told
    assert "Type hint" not in told


def test_that_a_game_is_not_saved_is_said_at_once_and_once(tmp_path, monkeypatch):
    (tmp_path / "cluedo").write_text("a file", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    arguments = ("play", "--players", "human,easy,easy", "--map", "tiny", "--seed", "5", "--plain")
    told = run(*arguments, typed="stay\nend the turn\nquit\n")
    unsaved = f"This game is not being saved: {tmp_path / 'cluedo' / 'games'} cannot be made."
    assert told.count(unsaved) == 1
    assert told.index("You stay put.") < told.index(unsaved) < told.index("End your turn")


def test_the_seed_of_a_game_that_may_go_on_is_not_told(tmp_path):
    path = tmp_path / "game.json"
    told = run("play", "--players", "human,easy,easy", "--map", "tiny", "--record", path, typed="roll\n")
    seed = read_record(path).seed
    assert str(seed) not in told
    assert read_record(path).result is None
    read_record(path).replay()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "easy,easy,easy"], "there is no human among the players"),
        (["--players", "humna,easy,easy"], "no level is called 'humna'"),
        (["--players", "human,easy,node bot.js"], "or path/to/bot.py:Class, or exec:COMMAND for a program"),
        (["--think-limit", "0"], "a think limit is from"),
        (["--rule", "dice=9"], "dice"),
        (["--record", "/nowhere/game.json"], "cannot be written"),
        (["--record", "/"], "/"),
        (["--suspects", "nobody"], "--suspects: 'nobody' is not one of them"),
        (["--suspects", "Amber,Amber"], "a suspect of their own"),
        (["--suspects", "Amber,Basil,Coral,Denim"], "--suspects names 4 for 3 players"),
        (["--players", "human:\x1b[2J,easy,easy"], "at most 20 printable letters"),
        (["--speed", "nan"], "a speed is 0 or from 0.1 to 100"),
        (["--allow-bots"], "--allow-bots goes with --resume; a bot that --players names runs without it"),
    ],
)
def test_wrong_arguments(arguments, sentence):
    assert sentence in complaint("play", "--map", "tiny", "--players", "human,easy,easy", *arguments)


def test_a_record_that_exists_is_not_overwritten(tmp_path):
    path = tmp_path / "game.json"
    path.write_text("mine", encoding="utf-8")
    assert "exists already" in complaint("play", "--record", path)
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_what_bots_print_is_not_on_the_screen_and_a_slow_one_loses_its_choice(tmp_path):
    (tmp_path / "bot.py").write_text(
        "import time\nfrom cluedo.ai.level_easy import EasyPlayer\n"
        "print('read')\n"
        "class Loud(EasyPlayer):\n"
        "    def begin(self, view, random):\n"
        "        super().begin(view, random)\n"
        "        print('thinking aloud')\n"
        "    def choose_move(self, view):\n"
        "        time.sleep(30)\n",
        encoding="utf-8",
    )
    bot = f"{tmp_path / 'bot.py'}:Loud"
    table = ("--players", f"human,{bot},{bot}", "--map", "tiny", "--seed", "5")
    result = python("-m", "cluedo", "play", *table, "--think-limit", "0.05", "--trusted", typed="stay\n\n" * 9)
    assert "thinking aloud" in result.stderr
    assert "read\n" in result.stderr
    assert "turn 2: a choice was lost\n" in result.stderr
    assert "took longer" not in result.stderr, "what a fault was may tell cards, and the game may go on"
    assert "thinking aloud" not in result.stdout
    assert "read\n" not in result.stdout
    assert re.search(r" begins\. .*Type help", result.stdout)


@pytest.mark.slow
def test_a_reader_who_leaves_in_the_middle_of_an_answer_ends_the_game():
    command = [*CLUEDO, "play", "--map", "tiny", "--seed", "5", "--players", "human,easy,easy"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for _ in range(12):
            process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"help\n" * 1000)
        process.stdin.flush()
        assert process.wait(300) == 141
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_an_output_that_is_not_utf_8(tmp_path):
    plain = {"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "ascii"}
    typed = b"roll\nboard\n\xff\n"
    result = subprocess.run([*CLUEDO, "play", "--seed", "1"], input=typed, capture_output=True, check=False, env=plain)
    assert result.returncode == 0, result.stderr
    assert b"+---" in result.stdout


def test_an_error_at_the_terminal_is_no_fault_of_the_player(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    begun = session()
    with pytest.raises(Left, match="input has ended"):
        PlainGame(begun, Screen(1, plain=True)).play()
    assert begun.faults == []


PLAY = f"{sys.executable} -m cluedo play --map tiny --seed 5"


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize("pane", [(100, 30, "PS1='$ ' bash --norc -i")], indirect=True)
def test_a_full_screen_is_suspended_and_comes_back(pane):
    pane.type(f"{PLAY} --players human,easy,medium")
    pane.wait_for("How do you move?")
    pane.press("C-z")
    assert "How do you move?" not in pane.wait_for("Stopped")
    pane.type("fg")
    pane.wait_for("How do you move?")
    pane.press("r")
    pane.wait_for("where do you go?")


# ---- a real terminal, too narrow for a full screen ---------------------------------------------


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize("pane", [(79, 24, f"{PLAY} --players human,easy,medium")], indirect=True)
def test_a_turn_in_a_real_terminal(pane):
    assert "for the full screen, the window needs 80 columns and 24 lines" in pane.wait_for("How do you move?")
    pane.type("roll")
    text = pane.wait_for("Where to?")
    assert "│Attic │" in text
    assert "\x1b[" in pane.text("-e")  # colours
    pane.type("attic")
    pane.wait_for("Which suspect?")
    pane.type("coral, ladle")
    pane.wait_for("Accuse?")
    pane.type("quit")
    assert "You ask: Coral, Ladle, Attic?" in pane.wait_for("To continue it")


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize("pane", [(44, 24, f"{PLAY} --players human:Ann,easy,medium --plain")], indirect=True)
def test_no_word_is_cut_at_the_edge_of_a_terminal(pane):
    typed = ["help", "hint", "quit"]
    for already, word in enumerate(typed):  # what is typed before the next prompt would stand among the help
        pane.wait_for("How do you move?", times=already + 1)
        pane.type(word)
    seen = pane.wait_for("it stops")
    whole = run(*PLAY.split()[3:], "--players", "human:Ann,easy,medium", "--plain", typed="\n".join(typed))
    paths = re.compile(r"\S*/\S*|\S*\.json\S*")  # longer than a line, and of another game
    assert set(paths.sub("", seen).split()) <= set(paths.sub("", whole).split()) | set(typed)


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize(
    "pane",
    [(120, 40, f"{colours}{PLAY} --players human,human,human --plain") for colours in ("NO_COLOR=1 ", "")],
    indirect=True,
    ids=["without colours", "plain"],
)
def test_a_hand_over_leaves_nothing_on_the_screen_or_above_it(pane):
    text = pane.wait_for("press Enter")
    assert "You hold" not in text
    assert "3 players" in text
    pane.type("")
    assert "You hold Poker and Shears." in pane.wait_for("How do you move?")
    for _ in range(3):
        pane.type("board")  # more than fits, so that some of it scrolls away
    pane.type("stay")
    pane.wait_for("Accuse?")
    pane.type("end")
    text = pane.wait_for("Basil, press Enter")
    assert "Poker" not in text
    assert "Shears" not in text
    assert text.strip().startswith("--- Hand over to Basil, player 2: your turn ---")
    pane.run("send-keys", "Up")  # what was typed before does not come back either
    time.sleep(0.2)
    assert "end" not in pane.text().split("looking.")[1]


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize(
    "pane", [(79, 24, f"{PLAY} --players human,easy,medium --record game.json; echo left $?")], indirect=True
)
def test_an_interrupt_keeps_the_record(pane, tmp_path):
    pane.wait_for("How do you move?")
    pane.type("roll")
    pane.wait_for("Where to?")
    pane.run("send-keys", "C-c")
    text = pane.wait_for("left 130")
    assert "Interrupted: the game stops here." in text
    assert read_record(tmp_path / "game.json").events[0].type == "roll"
