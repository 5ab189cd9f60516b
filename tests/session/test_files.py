"""Files that commands write: what is wrong with a name, in the language spoken."""

from __future__ import annotations

import pytest

from cluedo.engine.errors import CluedoError
from cluedo.language import speaking, tr
from cluedo.session.files import ANIMATION, PICTURE, check_replaceable


def test_what_a_file_should_be_is_said_in_the_language_spoken(tmp_path):
    (tmp_path / "game.png").write_bytes(b"no picture")
    with pytest.raises(CluedoError, match=r"game\.png exists and is not a PNG picture") as other:
        check_replaceable(tmp_path / "game.png", PICTURE)
    with pytest.raises(CluedoError, match="is a folder, not an animation") as folder:
        check_replaceable(tmp_path, ANIMATION)
    with speaking("fr"):
        assert "(image PNG)" in tr(other.value)
        assert tr(folder.value).endswith("une animation")
