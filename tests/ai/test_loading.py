"""Classes from files of others."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys

import pytest

from cluedo.ai.loading import class_in
from cluedo.ai.player import Player
from cluedo.engine.errors import PlayerError

_TELL = """
import sys
from pathlib import Path
from cluedo.ai.loading import class_in
from cluedo.ai.player import Player
print(class_in(Path(sys.argv[1]), "Bot", Player).__module__)
"""


def test_a_class_of_a_file_has_the_same_name_in_every_process(tmp_path):
    """What a bot answers wrongly is told by its repr, which names its module: equal seeds give equal results."""
    path = tmp_path / "bot.py"
    path.write_text("from cluedo import Player\n\n\nclass Bot(Player):\n    pass\n", encoding="utf-8")
    told = {
        subprocess.run(
            [sys.executable, "-c", _TELL, path],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_an_error_of_a_file_names_its_line(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("def prepare():\n    return {}['seats']\n\n\nprepare()\n", encoding="utf-8")
    with pytest.raises(PlayerError, match=r"bot\.py: cannot be loaded, line 2: KeyError: 'seats'"):
        class_in(path, "Bot", Player)


def test_what_is_kept_beside_a_file_is_of_its_copy_too(tmp_path):
    """numba's cache and pickles name the module that they were made in."""
    here, there = (tmp_path / name / "bot.py" for name in ("here", "there"))
    here.parent.mkdir()
    here.write_text("from cluedo import Player\n\n\nclass Bot(Player):\n    pass\n", encoding="utf-8")
    shutil.copytree(here.parent, there.parent)
    original = class_in(here, "Bot", Player)
    kept = pickle.dumps(original)
    copy = class_in(there, "Bot", Player)
    assert copy is not original, "each may read other files beside it"
    assert pickle.loads(kept) is copy
