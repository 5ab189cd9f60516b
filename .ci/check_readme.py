"""Run every command and every Python example of the README, in order, in a fresh clone.

A fenced block marked ``console`` holds commands after ``$``; one marked ``python`` is run as a script.
A comment before a block says how it is run here:

    <!-- ci: games=40 -->      a long one: with that many games
    <!-- ci: input=quit -->    an interactive one: through a pipe, with these lines (separated by |, with _ for spaces)
    <!-- ci: until=http -->    one that does not end: it is ended when it has printed this
    <!-- ci: fresh -->         in another fresh clone of its own
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- ci: (?P<how>[^\n]*?) -->\n)?```(?P<kind>console|python)\n(?P<body>.*?)^```", re.S | re.M)


def main() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        tools = Path(scratch, "tools")
        # uv is not ours to require; the README shows it, so it is tried.
        subprocess.run([sys.executable, "-m", "venv", tools], check=True)
        subprocess.run([tools / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "uv"], check=True)
        clone = fresh_clone(Path(scratch, "clone"))
        count = 0
        for block in BLOCK.finditer(readme):
            how = dict(part.partition("=")[::2] for part in (block["how"] or "").split())
            where = fresh_clone(Path(scratch, f"clone-{block.start()}")) if "fresh" in how else clone
            path = os.pathsep.join([str(where / ".venv" / "bin"), os.environ["PATH"], str(tools / "bin")])
            environment = os.environ | {"PATH": path, "TERM": "dumb", "XDG_STATE_HOME": scratch}
            for command in commands(block["kind"], block["body"], how):
                count += 1
                print("$", command if block["kind"] == "console" else "python example", flush=True)
                text = how.get("input", "").replace("|", "\n").replace("_", " ") + "\n"
                if "until" in how:
                    run_until(how["until"], command, where, environment)
                    continue
                runner = ["bash", "-c"] if block["kind"] == "console" else ["python", "-W", "error", "-c"]
                done = subprocess.run(
                    [*runner, command], cwd=where, env=environment, input=text, text=True, check=False
                )
                if done.returncode != 0:
                    sys.exit(f"README: exit code {done.returncode}: {command}")
        if not count:
            sys.exit("README: there is no command in it")
        print(f"README: {count} commands ran")


def run_until(sign: str, command: str, where: Path, environment: dict[str, str]) -> None:
    """Run what does not end until it has printed a sign, then end it."""
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(line)
        if sign in line:
            break
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate(timeout=30)
    if not told or sign not in told[-1]:
        sys.exit(f"README: {command} ended without {sign}: {''.join(told)}")


def commands(kind: str, body: str, how: dict[str, str]) -> list[str]:
    if kind == "python":
        return [body]
    found = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
    if "games" in how:
        found = [re.sub(r"--games \d+", f"--games {how['games']}", command) for command in found]
    return found


def fresh_clone(where: Path) -> Path:
    """A clone of what is committed and of what is not yet, without what git ignores."""
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, files):
        source, target = ROOT / name, where / name
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target, follow_symlinks=False)
    return where


if __name__ == "__main__":
    main()
