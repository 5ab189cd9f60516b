"""Games that go on: a match from any state of a game, dice that go on, and files that survive what kills a process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from helpers.command_line import complaint, run
from helpers.programs import python
from helpers.screen_driver import session as begun
from helpers.support import drawn_game, make_match, view_json
from helpers.tmux_pane import needs_tmux

from cluedo import Dice, Rules
from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.player import USUAL_CLOCK
from cluedo.bots.naming import ProgramSpec
from cluedo.cli.play import _resume as resumed
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import as_seen_by
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord, RecordWriter, read_record
from cluedo.session.autosave import Autosave, saved_games, saves_folder
from cluedo.session.game_session import GameSession, UntrustedBots
from cluedo.session.line_up import parse_line_up

CLUEDO = [sys.executable, "-m", "cluedo"]


class Listener(MediumPlayer):
    """Writes down what it is told, and with which view it sat down."""

    def begin(self, view, random):
        super().begin(view, random)
        self.began, self.heard = view, []

    def notice(self, event):
        self.heard.append(event)


def finished(deal: int) -> Game:
    game = drawn_game(Board.load("tiny"), 3, seed=7, deal=deal, max_turns=60)
    make_match(game, ["medium"] * 3).play()
    return game


def line_of(game: Game, who: str = "human") -> str:
    """A record of a game between somebody and two of ``easy``."""
    return RecordWriter(game.table.board, game.table.rules).line(game, [who, "easy", "easy"]) + "\n"


# ---- matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize("deal", range(3))
def test_a_match_goes_on_from_every_state(deal):
    whole = finished(deal)
    for done in range(len(whole.commands)):
        game = Game(whole.table.board, whole.table.rules, whole.state.deal)
        for command in whole.commands[:done]:
            game.execute(command)
        players = [Listener() for _ in range(3)]
        match = make_match(game, players)
        match.play()
        assert game.over
        assert match.faults == []
        assert game.commands[:done] == whole.commands[:done]
        for seat, player in enumerate(players):
            assert player.began.time == 0
            assert player.began.events == ()
            assert player.heard == [as_seen_by(event, seat) for event in game.events]


def test_a_strong_player_who_comes_late_knows_all_that_was_said():
    """A match of `hard` goes on as it would have, but for its own chances; what it claims stays proved."""
    board = Board.load("tiny")
    for deal in range(4):
        game = drawn_game(board, 3, seed=3, deal=deal, max_turns=200)
        stop = make_match(game, ["hard"] * 3)
        for _ in range(20):
            if not game.over:
                stop.advance()
        result = make_match(game, ["hard"] * 3).play()
        assert result.reason == "solved"
        assert game.state.eliminated == 0


# ---- dice --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [2, 6, 100])
def test_dice_go_on_as_they_would_have(sides):
    rules = Rules(sides=sides)
    straight = Dice(rules, Random(5))
    rolls = [straight[k] for k in range(20)]
    for known in range(20):
        late = Dice.after(rules, Random(5), rolls[:known])
        assert [late[k] for k in range(20)] == rolls


def test_a_resumed_game_has_the_dice_of_its_seed(tmp_path):
    path = tmp_path / "game.json"
    session = begun(seed=9, record=path)
    for _ in range(4):
        session.game.execute(session.game.legal()[0])
    session.save()
    resumed = GameSession.resume(path)
    assert resumed.game.commands == session.game.commands
    assert view_json(resumed.game.view(0)) == view_json(session.game.view(0))
    dice = [[[one[k] for k in range(9)] for one in game.game.state.deal.dice] for game in (session, resumed)]
    assert dice[0] == dice[1]


def test_a_record_without_a_seed_gets_new_dice(tmp_path):
    path = tmp_path / "game.json"
    game = drawn_game(Board.load("tiny"), 3, seed=1)
    game.execute(game.legal()[0])
    path.write_text(line_of(game))
    resumed = GameSession.resume(path)
    assert len(resumed.game.state.deal.dice[1][5]) == 2


def test_no_seed_is_kept_of_a_deal_that_came_from_none():
    record = GameRecord.from_json(line_of(finished(0)))
    over = GameSession.go_on(record, parse_line_up("human,easy,easy"), Autosave(None, chosen=False))
    assert GameRecord.from_json(over.line()).seed is None
    assert not over.seeded


# ---- sessions ----------------------------------------------------------------------------------


def test_names_and_suspects_come_back(tmp_path):
    path = tmp_path / "game.json"
    session = begun("human:Ann,medium:original=true,human", seed=4, rule=["dice=1"], suspects=[2, 0, 1], record=path)
    session.save()
    resumed = GameSession.resume(path)
    for one in (session, resumed):
        assert [one.game.table.name(seat) for seat in range(3)] == ["Coral", "Amber", "Basil"]
        assert one.called[0] == "Coral (Ann)"
        assert one.people == [0, 2]


def test_what_cannot_be_resumed(tmp_path):
    assert "nowhere.json: cannot be read" in complaint("play", "--resume", "nowhere.json")
    assert "--seed cannot be set" in complaint("play", "--resume", "nowhere.json", "--seed", "1")
    over, machines = tmp_path / "over.json", tmp_path / "machines.json"
    over.write_text(line_of(finished(0)), encoding="utf-8")
    with pytest.raises(CluedoError, match="the game is over; cluedo replay shows it"):
        GameSession.resume(over)
    machines.write_text(line_of(drawn_game(Board.load("tiny"), 3, seed=1), "easy"), encoding="utf-8")
    with pytest.raises(CluedoError, match=r"machines\.json: there is no human among the players"):
        GameSession.resume(machines)


@pytest.mark.parametrize("theirs", ["MY PRECIOUS NOTES", '{"format": 99, "seats": {}}', '{"format": 1}'])
def test_a_file_in_the_place_of_the_sheets_that_is_none_of_ours_is_kept(tmp_path, theirs):
    path = tmp_path / "game.json"
    sheets = path.with_name("game.json.sheets")
    sheets.write_text(theirs, encoding="utf-8")
    with pytest.raises(CluedoError, match=r"game\.json\.sheets exists already"):
        Autosave.new(path, "tiny")
    path.write_text(line_of(drawn_game(Board.load("tiny"), 3, seed=1)), encoding="utf-8")
    with pytest.raises(CluedoError, match="holds no sheets that this program can read; move it away"):
        GameSession.resume(path)
    assert sheets.read_text(encoding="utf-8") == theirs
    sheets.write_text('{"format": 1, "seats": {}}', encoding="utf-8")
    assert GameSession.resume(path).people


# ---- files -------------------------------------------------------------------------------------


def test_games_are_kept_in_the_folder_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert saves_folder() == tmp_path / "cluedo" / "games"
    assert list(saved_games()) == []
    session = begun()
    session.save()
    assert list(saved_games()) == [], "a game in which nothing happened is not worth a file"
    session.game.execute(session.game.legal()[0])
    session.save()
    (saves_folder() / "broken.json").write_text("{", encoding="utf-8")
    [(path, record)] = saved_games()
    assert path == session.autosave.path
    assert record == read_record(path)
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert saves_folder() == Path("~/.local/state/cluedo/games").expanduser()


def test_lines_are_added_to_a_file_and_a_failure_is_told(tmp_path):
    path = tmp_path / "deep" / "game.json"
    path.parent.mkdir()
    autosave = Autosave.new(path, "tiny")
    autosave.begin("one")
    assert path.read_text(encoding="utf-8") == "one\n"
    assert autosave.add("two")
    assert path.read_text(encoding="utf-8") == "one\ntwo\n"
    assert sorted(file.name for file in path.parent.iterdir()) == ["game.json"]
    path.unlink()
    path.parent.rmdir()
    assert not autosave.add("three"), "a file that was taken away is not made again from its last lines"
    autosave.begin("three")
    with pytest.raises(CluedoError, match="cannot be written"):
        autosave.check()


def test_two_that_continue_the_same_game_lose_nothing(tmp_path):
    path = tmp_path / "game.json"
    begun("human,human,human", record=path).save()
    first, second, idle = (GameSession.resume(path) for _ in range(3))
    for session in (first, second):
        for _ in range(2):
            session.do(session.person_to_act, session.game.legal()[0])
    idle.save()
    first.do(first.person_to_act, first.game.legal()[0])
    kept = [session.autosave.path for session in (first, second, idle)]
    assert [file.name for file in kept] == ["game.json", "game-2.json", "game-3.json"]
    for file, session in zip(kept, (first, second, idle), strict=True):
        assert read_record(file).replay().events == session.game.events
    assert [session.autosave.left for session in (first, second, idle)] == [None, path, path]


@pytest.mark.slow
def test_a_killed_process_loses_nothing(tmp_path):
    """Line by line, through a pipe: what was answered is in the file, and the game goes on from there."""
    path = tmp_path / "game.json"
    command = [*CLUEDO, "play", "--plain", "--map", "tiny", "--seed", "5", "--players", "human,easy,easy"]
    command += ["--record", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write("roll\nattic\ncoral, ladle\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("> Accuse?"):
                break
        process.send_signal(signal.SIGKILL)
        assert process.wait(300) == -signal.SIGKILL
    kept = read_record(path)
    assert [event.type for event in kept.events[:3]] == ["roll", "move", "hypothesis"]
    told = run("play", "--plain", "--resume", path, typed="end\nquit\n")
    assert "The game continues in turn 1." in told
    assert "You ask: Coral, Ladle, Attic?" in told
    later = read_record(path)
    assert later.events[: len(kept.events)] == kept.events
    assert len(later.events) > len(kept.events)
    assert later.seed == 5


# ---- a real terminal ---------------------------------------------------------------------------

PLAY = f"{sys.executable} -m cluedo play"
GAME = f"{PLAY} --map tiny --seed 5 --players human,easy,easy --record game.json --speed 0"


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize("pane", [(80, 24, f"{GAME}; echo left $?")], indirect=True)
def test_ctrl_c_asks_once_and_leaves_the_terminal_as_it_was(pane, tmp_path):
    pane.wait_for("How do you move?")
    pane.press("r")
    pane.wait_for("where do you go?")
    pane.press("C-c")
    pane.wait_for("Leave the game?")
    pane.press("C-c")
    text = pane.wait_for("left 130")
    assert "─" not in text, "the board is gone with the screen"
    assert "To continue it: " in text
    assert read_record(tmp_path / "game.json").events[0].type == "roll"
    assert pane.run("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}").strip() == "0 1 0"


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize("pane", [(79, 24, GAME), (80, 23, GAME), (80, 24, f"TERM=dumb {GAME}")], indirect=True)
def test_line_by_line_where_no_full_screen_fits(pane):
    text = pane.wait_for("How do you move?")
    assert "You hold Poker and Shears." in text


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize("pane", [(80, 24, f"NO_COLOR=1 {GAME}")], indirect=True)
def test_without_colours_the_screen_is_in_greys(pane):
    pane.wait_for("? keys q leave")
    drawn = pane.run("capture-pane", "-p", "-e")
    tints = {tuple(rgb) for rgb in re.findall(r"[34]8;2;(\d+);(\d+);(\d+)m", drawn)}
    assert tints
    assert all(red == green == blue for red, green, blue in tints)


def test_textual_is_imported_for_a_full_screen_only():
    tells = "import atexit, sys; atexit.register(lambda: print('textual' in sys.modules))\n"
    command = ("play", "--map", "tiny", "--players", "human,easy,easy")
    done = python("-c", f"{tells}from cluedo.cli import main; main()", *command, typed="quit\n")
    assert done.stdout.splitlines()[-1] == "False", done.stderr


# ---- programs that a record names -----------------------------------------------------------------


@pytest.fixture
def kept_with_a_bot(tmp_path):
    """A kept game in which a bot plays; running its file leaves another beside it."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from pathlib import Path\nfrom cluedo.ai.level_easy import EasyPlayer\n"
        "Path(__file__).with_name('run').touch()\nclass Bot(EasyPlayer): pass\n"
    )
    path = tmp_path / "kept.json"
    begun("human,medium,easy", record=path).save()
    path.write_text(path.read_text().replace('"medium"', json.dumps(f"{bot}:Bot")))
    return path


def test_a_record_runs_no_bot_that_nobody_trusts(kept_with_a_bot):
    with pytest.raises(UntrustedBots, match=r"bot\.py:Bot"):
        GameSession.resume(kept_with_a_bot)
    told = complaint("play", "--plain", "--resume", kept_with_a_bot)
    assert "runs a program that it names as a player" in told
    assert "--allow-bots" in told
    assert not kept_with_a_bot.with_name("run").exists()
    assert GameSession.resume(kept_with_a_bot, allowed=True).names[2] == "easy"


@pytest.mark.parametrize(("answer", "runs"), [("y", True), ("oui", True), ("n", False), ("", False)])
def test_who_sits_at_the_terminal_is_asked_first(kept_with_a_bot, monkeypatch, capsys, answer, runs):
    class Keyboard(StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdin", Keyboard(f"{answer}\n"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    if runs:
        assert resumed(kept_with_a_bot, USUAL_CLOCK, allowed=False, trusted=False).names[2] == "easy"
    else:
        with pytest.raises(UntrustedBots):
            resumed(kept_with_a_bot, USUAL_CLOCK, allowed=False, trusted=False)
    assert "Run it? [y/N]" in capsys.readouterr().err
    assert not kept_with_a_bot.with_name("run").exists(), "it is started later, in a process of its own"


def test_a_trusted_bot_of_a_record_runs_in_this_process(kept_with_a_bot):
    session = GameSession.resume(kept_with_a_bot, trusted=True)
    assert kept_with_a_bot.with_name("run").exists()
    assert not any(isinstance(level, ProgramSpec) for level in session.levels)


def test_without_a_file_the_last_game_that_is_not_over_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert f"there is no game to continue in {saves_folder()}" in complaint("play", "--plain", "--resume")
    begin = ("play", "--plain", "--map", "tiny", "--players")
    games = []
    for number in (1, 2):
        run(*begin, "human:Ann,easy,easy", typed="roll\nquit\n")
        (new,) = (path for path in saves_folder().glob("*.json") if path.stat().st_mtime > 2)
        os.utime(new, (number, number))
        games.append(new)
    told = run("play", "--resume", "--plain", typed="quit\n")
    assert re.search(r"The game continues in turn \d+\..*You roll", told, re.DOTALL), "what has happened is told again"
    assert str(games[1]) in told
    assert str(games[0]) in run("play", "--plain", "--resume", games[0], typed="quit\n")
    assert "cluedo play --resume game.json" in complaint("play", "game.json")
