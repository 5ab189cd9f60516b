"""Build the wheel, compare it with the tree, install it in an empty environment and use it from elsewhere."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {".py", ".toml", ".html", ".css", ".js", ".svg", ".png", ".tcss", ".json", ".po", ".gz", ".cpp"}
PACKAGE = ROOT / "cluedo"


def main() -> None:
    """Build, compare, install and use it."""
    with tempfile.TemporaryDirectory() as scratch:
        dist, elsewhere = Path(scratch, "dist"), Path(scratch, "elsewhere")
        elsewhere.mkdir()
        # uv is not ours to require; it takes a tenth of the time that pip takes.
        run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv", cwd=elsewhere)
        build = [sys.executable, "-m", "build", "--installer", "uv"]
        run(*build, "--wheel", "--outdir", str(dist), str(ROOT), cwd=elsewhere)
        (wheel,) = dist.glob("*.whl")
        compare(wheel)
        environment = Path(scratch, "environment")
        venv.create(environment)
        install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(environment)]
        run(*install, str(wheel), cwd=elsewhere)
        cluedo = str(environment / "bin" / "cluedo")
        run(cluedo, "--version", cwd=elsewhere)
        run(cluedo, "maps", cwd=elsewhere)
        run(cluedo, "editions", cwd=elsewhere)
        run(cluedo, "autoplay", "--games", "20", cwd=elsewhere)


def compare(wheel: Path) -> None:
    """Every module, map, experiment, page and style of the tree is in the wheel, and nothing else is."""
    inside = (path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.*"))
    wanted = {f"cluedo/{path.as_posix()}" for path in inside if path.suffix in SUFFIXES}
    wanted.add("cluedo/py.typed")
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
    if wanted != found:
        sys.exit(f"wheel: missing {sorted(wanted - found)}, not in the tree {sorted(found - wanted)}")
    print(f"{wheel.name}: {len(found)} files, as in the tree")


def run(*command: str, cwd: Path) -> None:
    """Show a command and run it; raises if it fails."""
    print("$", *command, flush=True)
    subprocess.run(command, cwd=cwd, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
