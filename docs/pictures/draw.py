"""Make the pictures of the documentation again; `make pictures` runs it (it needs chromium).

Boards, the animation and the pictures of reports are made by the commands that the pages show beside them. For the
screens, a game on the board classic is played by fixed answers up to a turn of the user's own; it and a case are opened
on a screen of 130 by 42 characters. The web pages are those of a real server: a table on a desktop, with cards of its
own each time, and the case on a phone.

What a picture is drawn from, as the program prints or shows it, is kept beside the pictures in data.json, with a hash
of the picture; `.ci/check_pictures.py` tells when one of them is out of date.
"""

from __future__ import annotations

import asyncio
import hashlib
import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from cluedo import Case
from cluedo.session.game_session import GameSession
from cluedo.tui.app import CluedoApp, Settings

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = HERE / "data.json"
WEB = "web.png"
CLUEDO = Path(sys.executable).with_name("cluedo")
BROWSER = os.environ.get("CHROMIUM") or ("chromium" if shutil.which("chromium") else "chromium-headless-shell")
COLUMNS, ROWS = 130, 42
FIRST_GAMES = 40
PLAYERS, SEED, TURN = "human:Ann,medium,hard,medium", 11, 18
CASE = ROOT / "examples" / "case.json"
TABLE_PLAYERS, TABLE_MOVES = ("medium", "hard", "medium"), 14
DESKTOP, PHONE, GAP = (1280, 800), (360, 640), 24
"""Pixels of the browser's windows, and between them in the picture."""
PATIENCE_S = 120
"""In which the words have to be on a screen that it is to show."""
PASSING = re.compile(r"games per second|recorded in|saved in|continue it|has left|Written|^ *$")
"""Lines that tell of times and folders."""


class Drawing(NamedTuple):
    """A picture to be: what it is drawn from, line by line, and the function that draws it into a file."""

    data: list[str]
    draw: Callable[[Path], object]


def main() -> None:
    """Make those named, or all of them, and note what they are drawn from."""
    for name in sys.argv[1:] or [*PICTURES, WEB]:
        with drawing_folder() as folder:
            if name == WEB:
                visit(HERE / name, folder)
                continue
            drawing = PICTURES[name](folder)
            drawing.draw(HERE / name)
            note(name, drawing.data)


@contextmanager
def drawing_folder() -> Iterator[Path]:
    """A folder to draw in; what whoever draws has set and saved changes no picture that is drawn meanwhile."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, XDG_STATE_HOME=folder):
        yield Path(folder)


def note(name: str, data: list[str]) -> None:
    """Keep what a picture is drawn from, and which picture that is."""
    noted = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    noted[name] = {"sha256": hash_of(HERE / name), "data": data}
    text = json.dumps(dict(sorted(noted.items())), indent=1, ensure_ascii=False)
    DATA.write_text(f"{text}\n", encoding="utf-8")


def hash_of(picture: Path) -> str:
    """Which picture it is."""
    return hashlib.sha256(picture.read_bytes()).hexdigest()


def run(*arguments: str | Path, folder: Path, typed: str = "") -> list[str]:
    """Run a command of the program, in English; what it prints, without what differs each time."""
    done = subprocess.run(
        [CLUEDO, *arguments, "--lang", "en"], cwd=folder, input=typed, check=True, capture_output=True, text=True
    )
    return [line.rstrip() for line in done.stdout.splitlines() if not PASSING.search(line)]


def shown(page: str, words: str) -> list[str]:
    """The arguments of the command with these words that a page shows."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = [line for line in re.findall(r"^\$ cluedo (.*)$", text, re.MULTILINE) if words in line]
    if not found:
        sys.exit(f"{page} shows no command with {words!r}")
    return shlex.split(found[0])


def printed(page: str, words: str) -> list[str]:
    """What a page says that this command prints, without what differs each time."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.search(rf"^\$ cluedo [^\n]*{re.escape(words)}[^\n]*\n(.*?)^(?:\$|```)", text, re.MULTILINE | re.DOTALL)
    assert found
    return [line for line in found[1].splitlines() if not PASSING.search(line)]


def words_of(lines: list[str]) -> list[str]:
    """The words, however the lines are broken."""
    return " ".join(lines).split()


def made_by(page: str, words: str, file: str, folder: Path) -> Drawing:
    """A picture that a command of a page writes into a file."""
    data = run(*shown(page, words), folder=folder)
    return Drawing(data, partial(shutil.copyfile, folder / file))


def reported(page: str, results: str, name: str, folder: Path) -> Drawing:
    """A picture of the report of a batch that a page shows.

    It is out of date if the page prints something else, or the first games end in another way: to play them all takes
    a CPU half a minute, so that is done where the picture is drawn.
    """
    command, said = shown(page, f"--out {results}"), printed(page, f"--out {results}")

    def draw(picture: Path) -> None:
        told = run(*command, folder=folder)
        if words_of(told) != words_of(said):
            sys.exit(f"{page} says that this is printed, which is not so:\n" + "\n".join(told))
        run("report", results, folder=folder)
        shutil.copyfile(folder / results / "report" / name, picture)

    first = [*command[: command.index("--out")], "--games", str(FIRST_GAMES)]
    return Drawing([*said, *run(*first, folder=folder)], draw)


def animated(folder: Path) -> Drawing:
    """The animation of the page about sharing."""
    page = "docs/howto/share.md"
    run(*shown(page, "--out results/five"), folder=folder)
    command = shown(page, "--gif game.gif")
    data = run(*command[: command.index("--html")], "--plain", folder=folder)

    def draw(picture: Path) -> None:
        run(*command, folder=folder)
        shutil.copyfile(folder / "game.gif", picture)

    return Drawing(data, draw)


def played(folder: Path) -> Drawing:
    """The screen of a game, with a hint."""
    game = folder / "game.json"
    play(game)
    return on_screen(GameSession.resume(game), "h", shows="Chance of being in the envelope")


def assisted(_folder: Path) -> Drawing:
    """The screen of the assistant."""
    return on_screen(Case.load(CASE), shows="envelopes left; the likeliest")


PICTURES: dict[str, Callable[[Path], Drawing]] = {
    "classic.png": partial(made_by, "docs/howto/boards.md", "maps show classic", "classic.png"),
    "game.gif": animated,
    "settling.png": partial(reported, "README.md", "results", "settling.png"),
    "matrix.png": partial(reported, "docs/tutorials/compare.md", "results/four", "matrix.png"),
    "play.png": played,
    "assist.png": assisted,
}
"""Those that come out the same each time: by name, what prepares them in a folder."""


def play(record: Path) -> None:
    """Answer every prompt until it is turn :data:`TURN` or later and the user has rolled the dice."""
    arguments = ["play", "--plain", "--map", "classic", "--players", PLAYERS, "--seed", str(SEED), "--record", record]
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


def on_screen(opening: GameSession | Case, *keys: str, shows: str) -> Drawing:
    """The screen after some keys, once it shows these words and rests."""

    async def run() -> tuple[str, str]:
        app = CluedoApp(opening, Settings(speed=0.0))
        async with asyncio.timeout(PATIENCE_S), app.run_test(size=(COLUMNS, ROWS)) as pilot:
            await pilot.press(*keys)
            text = ""
            while text != (now := text_of(svg := app.export_screenshot())) or shows not in now:
                text = now
                await pilot.pause(0.2)
            for table in app.tables:
                await table.leave()
        return text, svg

    text, svg = asyncio.run(run())
    return Drawing(text.splitlines(), partial(photograph, svg))


def text_of(svg: str) -> str:
    """The text of the picture of a screen, which has it in pieces."""
    lines: dict[float, str] = {}
    for top, text in re.findall(r'<text [^>]*y="([\d.]+)"[^>]*>(.*?)</text>', svg):
        lines[float(top)] = lines.get(float(top), "") + html.unescape(text)
    return "\n".join(lines[top].rstrip() for top in sorted(lines)).replace("\N{NO-BREAK SPACE}", " ")


def photograph(svg: str, picture: Path) -> None:
    """Draw the picture of a screen as a PNG."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert box
    width, height = (round(float(side)) for side in box.groups())
    drawn = picture.with_suffix(".svg")
    drawn.write_text(svg, encoding="utf-8")
    subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--window-size={width},{height}", f"--screenshot={picture}", drawn.as_uri()],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    drawn.unlink()


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
    """A table on a desktop, and beside it the assistant on a phone."""
    with served(folder) as site, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which(BROWSER), args=["--no-sandbox"])
        parts = []
        for (width, height), open_page in (DESKTOP, table), (PHONE, assistant):
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


def table(page: Page) -> None:
    """Play at a new table for a while, by what is offered first."""
    page.get_by_role("link", name="Play").first.click()
    page.fill("input[name=name]", "Ann")
    page.select_option("select[name=map]", "classic")
    for number, level in enumerate(TABLE_PLAYERS, 1):
        page.select_option(f"select[name=seat-{number}]", level)
    page.click("main button.primary")
    page.click("button.primary:has-text('Deal')")
    page.add_locator_handler(page.locator("button.shown"), lambda card: card.click())
    at_move = page.locator("#actions button:has-text('Roll')")
    for number in count():
        page.wait_for_selector("#actions button:not([disabled])")
        if number >= TABLE_MOVES and at_move.count():
            break  # with the board in sight
        groups = page.locator("#chooser section")
        for group in groups.all() if page.locator("#chooser:visible").count() else []:
            group.locator("button").first.click()
        page.locator("#actions button.primary, #actions button:not([disabled])").first.click()
        page.wait_for_timeout(500)
    page.locator("#actions").hover()  # whoever is shown a card puts it away first
    page.wait_for_timeout(1000)


def assistant(page: Page) -> None:
    """The case of the examples, its sheet in sight."""
    page.goto(page.url.rstrip("/") + "/replay")
    page.set_input_files("input[type=file]", CASE)
    page.click("main button.primary")
    page.wait_for_url("**/assistant/*")
    page.click(".tabbar [data-go=sheet]")
    page.wait_for_timeout(1000)


if __name__ == "__main__":
    main()
