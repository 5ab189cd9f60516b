"""Make the pictures of the documentation again; `make pictures` runs it (it needs tmux and chromium).

The board, the animation and the picture of the README's batch are made by the commands that the pages show. For the
screens, a game on the board classic is played by fixed answers up to a turn of the user's own, and a case is copied;
then the real program opens each in a terminal of 130 by 42 characters, and the screen is kept as a picture. The web
pages are those of a real server: a room on a desktop, with cards of its own each time, and the case on a phone.
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent
CLUEDO = Path(sys.executable).with_name("cluedo")
COLUMNS, ROWS = 130, 42
PLAYERS, SEED, TURN = "human:Ann,medium,hard,medium", 11, 18
CASE = HERE.parents[1] / "examples" / "case.json"
LEVELS, GAMES_SEED, GAME = "easy,medium,hard,expert", 1, 16
"""The game of the animation: a short one."""
BATCH = ("--map", "manoir", "--players", "random,easy,medium,hard,expert", "--games", "2000")
"""The batch of the README."""
ROOM_PLAYERS, ROOM_MOVES = ("medium", "hard", "medium"), 14
DESKTOP, PHONE, GAP = (1280, 800), (360, 640), 24
"""Pixels of the browser's windows, and between them in the picture."""


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
        visit(HERE / "web.png", Path(folder))


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


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A site of its own, by its address."""
    command = [sys.executable, "-m", "cluedo", "serve", "--port", "0", "--data", str(folder / "site.db")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found
    try:
        yield found[0].rstrip("/")
    finally:
        server.terminate()
        server.wait()


def visit(picture: Path, folder: Path) -> None:
    """A room on a desktop, and beside it the assistant on a phone."""
    with served(folder) as site, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which(os.environ.get("CHROMIUM", "chromium")), args=["--no-sandbox"]
        )
        parts = []
        for (width, height), open_page in (DESKTOP, room), (PHONE, assistant):
            window = chromium.new_context(
                viewport={"width": width, "height": height}, device_scale_factor=2, locale="en-GB", color_scheme="light"
            )
            page = window.new_page()
            page.goto(site)
            open_page(page)
            part = folder / f"{width}.png"
            page.screenshot(path=part)
            parts.append(part)
        chromium.close()
    images = [Image.open(part).convert("RGB") for part in parts]
    side = DESKTOP[1]
    images = [
        image.resize((round(image.width * side / image.height), side), Image.Resampling.LANCZOS) for image in images
    ]
    whole = Image.new("RGB", (sum(image.width for image in images) + GAP, side), "white")
    whole.paste(images[0], (0, 0))
    whole.paste(images[1], (images[0].width + GAP, 0))
    whole.quantize(256).save(picture, optimize=True)


def room(page: Page) -> None:
    """Play in a new room for a while, by what is offered first."""
    page.get_by_role("link", name="Play").first.click()
    page.fill("input[name=name]", "Ann")
    page.select_option("select[name=map]", "classic")
    for number, level in enumerate(ROOM_PLAYERS, 1):
        page.select_option(f"select[name=seat-{number}]", level)
    page.click("main button.primary")
    page.click("button.primary:has-text('Deal')")
    for _ in range(ROOM_MOVES):
        page.wait_for_selector("#actions button:not([disabled])")
        groups = page.locator("#chooser section")
        for group in groups.all() if page.locator("#chooser:visible").count() else []:
            group.locator("button").first.click()
        page.locator("#actions button.primary, #actions button:not([disabled])").first.click()
        page.wait_for_timeout(500)
    page.wait_for_selector("#actions button:not([disabled])")
    page.wait_for_timeout(1000)


def assistant(page: Page) -> None:
    """The case of the examples, its sheet in sight."""
    page.goto(page.url.rstrip("/") + "/look-back")
    page.set_input_files("input[type=file]", CASE)
    page.click("main button.primary")
    page.wait_for_url("**/assistant/*")
    page.click(".tabbar [data-go=sheet]")
    page.wait_for_timeout(1000)


if __name__ == "__main__":
    main()
