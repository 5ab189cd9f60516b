"""Make the pictures of the documentation again; `make pictures` runs it (it needs tmux and chromium).

The board, the animation and the picture of the README's batch are made by the commands that the pages show. For the
screens, a game on the board classic is played by fixed answers up to a turn of the user's own, and a case is copied;
then the real program opens each in a terminal of 130 by 42 characters, and the screen is kept as a picture.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLUEDO = Path(sys.executable).with_name("cluedo")
COLUMNS, ROWS = 130, 42
PLAYERS, SEED, TURN = "human:Ann,medium,hard,medium", 11, 18
CASE = HERE.parents[1] / "examples" / "case.json"
LEVELS, GAMES_SEED, GAME = "easy,medium,hard,expert", 1, 16
"""The game of the animation: a short one."""
BATCH = ("--map", "manoir", "--players", "random,easy,medium,hard,expert", "--games", "2000")
"""The batch of the README."""


def main() -> None:
    """Make all of them."""
    with tempfile.TemporaryDirectory() as folder:
        run("maps", "show", "classic", "--png", HERE / "classic.png")
        animate(HERE / "game.gif", Path(folder, "games"))
        compare(HERE / "matrix.png", Path(folder, "results"))
        game = Path(folder, "game.json")
        play(game)
        photograph(f"play --resume {game}", "wait:2,h,wait:2", HERE / "play.png", Path(folder))
        case = Path(folder, "case.json")
        case.write_bytes(CASE.read_bytes())
        photograph(f"assist {case}", "wait:3", HERE / "assist.png", Path(folder))


def run(*arguments: str | Path) -> None:
    """Run a command of the program, in English."""
    subprocess.run([CLUEDO, *arguments, "--lang", "en"], check=True, stdout=subprocess.DEVNULL)


def animate(picture: Path, games: Path) -> None:
    """Play some games, and write one of them as an animation."""
    run("autoplay", "--map", "classic", "--players", LEVELS, "--seed", str(GAMES_SEED), "--games", str(GAME + 4),
        "--out", games)  # fmt: skip
    picture.unlink(missing_ok=True)
    run("replay", games / "games.jsonl", "--game", str(GAME), "--gif", picture)


def compare(picture: Path, results: Path) -> None:
    """Play the batch of the README, and keep the report's picture of level against level."""
    run("autoplay", *BATCH, "--out", results)
    run("report", results)
    shutil.copyfile(results / "report" / "matrix.png", picture)


def play(record: Path) -> None:
    """Answer every prompt until it is turn :data:`TURN` or later and the user has rolled the dice."""
    arguments = [
        "play",
        "--plain",
        "--map",
        "classic",
        "--players",
        PLAYERS,
        "--seed",
        str(SEED),
        "--record",
        str(record),
    ]
    game = subprocess.Popen([CLUEDO, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert game.stdin
    assert game.stdout
    turn, options = 0, []
    for line in game.stdout:
        if found := re.match(r"--- Turn (\d+):", line):
            turn = int(found[1])
        elif re.match(r"  \d+ ", line):
            options.append(line.split(maxsplit=1)[1].strip())
        elif line.startswith("> "):
            if turn >= TURN and "Where to" in line:
                break
            game.stdin.write(answer(line, options) + "\n")
            options = []
    game.stdin.close()
    game.wait()


def answer(prompt: str, options: list[str]) -> str:
    """Enter where that does something; else the first of the options."""
    if "Enter" in prompt:
        return ""
    return next((str(k) for k, option in enumerate(options, 1) if "stay" not in option), "1")


def photograph(command: str, keys: str, picture: Path, folder: Path) -> None:
    """Open the program in a terminal, press keys, and keep the screen as a PNG."""
    svg = folder / f"{picture.stem}.svg"
    variables = {
        "TEXTUAL_PRESS": keys, "TEXTUAL_SCREENSHOT": "8", "TEXTUAL_SCREENSHOT_LOCATION": str(folder),
        "TEXTUAL_SCREENSHOT_FILENAME": svg.name, "COLORTERM": "truecolor", "LANG": "C.UTF-8",
    }  # fmt: skip
    told = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
    size = ["-x", str(COLUMNS), "-y", str(ROWS)]
    subprocess.run(
        ["tmux", "new-session", "-d", "-s", "cluedo-picture", *size, f"{told} {CLUEDO} {command}"], check=True
    )
    for _ in range(60):
        time.sleep(1)
        if svg.exists():
            break
    subprocess.run(["tmux", "kill-session", "-t", "cluedo-picture"], check=False, stderr=subprocess.DEVNULL)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.read_text())
    assert box
    width, height = (round(float(side)) for side in box.groups())
    subprocess.run(
        [os.environ.get("CHROMIUM", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--window-size={width},{height}", f"--screenshot={picture}", svg.as_uri()],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip


if __name__ == "__main__":
    main()
