"""Classes from files of others."""

from __future__ import annotations

import importlib
import pickle
import shutil
import sys

import pytest
from helpers.programs import told_by_python

from cluedo import play
from cluedo.ai.loading import class_in
from cluedo.ai.player import Player
from cluedo.engine.errors import PlayerError

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="bots have processes of their own on a Unix")

_TELL = """
import sys
from pathlib import Path
from cluedo.ai.loading import class_in
from cluedo.ai.player import Player
for path in sys.argv[1:]:
    print(class_in(Path(path), "Bot", Player).__module__)
"""


def test_a_class_of_a_file_has_the_same_name_in_every_process(tmp_path):
    """What a bot answers wrongly is told by its repr, which names its module: equal seeds give equal results."""
    path = tmp_path / "bot.py"
    path.write_text("from cluedo import Player\n\n\nclass Bot(Player):\n    pass\n", encoding="utf-8")
    assert len({told_by_python("-c", _TELL, path, PYTHONHASHSEED=seed) for seed in ("1", "2")}) == 1


def test_an_error_of_a_file_names_its_line(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("def prepare():\n    return {}['seats']\n\n\nprepare()\n", encoding="utf-8")
    with pytest.raises(PlayerError, match=r"bot\.py: cannot be loaded, line 2: KeyError: 'seats'"):
        class_in(path, "Bot", Player)


@pytest.mark.parametrize("trusted", [True, pytest.param(False, marks=UNIX)])
def test_a_file_that_plays_with_its_own_class_while_it_is_loaded_is_refused(tmp_path, trusted):
    """Loaded for that again it would play again, in ever more processes."""
    path = tmp_path / "bot.py"
    path.write_text(
        "from cluedo import play\nfrom cluedo.ai.level_easy import EasyPlayer\n\nclass Bot(EasyPlayer):\n    pass\n\n"
        f"play('tiny', [__file__ + ':Bot', 'easy', 'easy'], trusted={trusted})\n"
    )
    told = 'it plays with a class of its own while it is loaded; put that under if __name__ == "__main__":'
    with pytest.raises(PlayerError, match=f"cannot be loaded, line 7: {told}$"):
        play("tiny", [f"{path}:Bot", "easy", "easy"], trusted=trusted)


_BOT = """
from numba import njit
from cluedo import Player


@njit(cache=True)
def two():
    return 2


@njit(cache=True)
def four():
    return two() + two()


class Bot(Player):
    number = four()
"""


@pytest.mark.slow
def test_what_is_compiled_is_found_whoever_imports_the_file(tmp_path):
    """numba's cache lies beside the file and names the module that it was made in."""
    here, there = (tmp_path / name / "kbot.py" for name in ("here", "there"))
    here.parent.mkdir()
    here.write_text(_BOT, encoding="utf-8")

    def run(program, *paths):
        told_by_python("-c", program, *paths, folder=paths[0].parent)

    for program in ("import kbot", _TELL, "import kbot", "import runpy; runpy.run_path('kbot.py')"):
        run(program, here)
    shutil.copytree(here.parent, there.parent)
    run(_TELL, there)
    shutil.rmtree(there.parent / "__pycache__")
    there.write_text(_BOT.replace("return 2", "return 3"), encoding="utf-8")
    for paths in ((here, there), (there,), (there, here)):
        run(_TELL, *paths)


def test_a_file_that_was_imported_is_not_run_again(tmp_path, monkeypatch):
    (tmp_path / "kept_bot.py").write_text("from cluedo import Player\n\n\nclass Bot(Player):\n    pass\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("kept_bot")
    assert class_in(tmp_path / "kept_bot.py", "Bot", Player) is module.Bot


@pytest.mark.parametrize("name", ["bot.py", "random.py", "__main__.py", "numba.py", "my-bot.py", "bot.v2.py"])
def test_no_file_takes_the_name_of_another_module(tmp_path, name):
    before = {name: sys.modules[name] for name in ("random", "__main__", "numba") if name in sys.modules}
    found = []
    for folder in ("one", "two"):
        path = tmp_path / folder / name
        path.parent.mkdir()
        path.write_text(f"from cluedo import Player\n\n\nclass Bot(Player):\n    at = {folder!r}\n", "utf-8")
        found.append(class_in(path, "Bot", Player))
    assert [bot.at for bot in found] == ["one", "two"]
    assert [pickle.loads(pickle.dumps(bot)) for bot in found] == found
    assert {name: sys.modules[name] for name in before} == before
