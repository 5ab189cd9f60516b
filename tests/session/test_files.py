"""Files that commands write: what is wrong with a name, in the language spoken."""

from __future__ import annotations

import os

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from cluedo.engine.errors import CluedoError
from cluedo.language import speaking, tr
from cluedo.session.files import ANIMATION, PICTURE, check_replaceable, latest_files


def test_what_a_file_should_be_is_said_in_the_language_spoken(tmp_path):
    (tmp_path / "game.png").write_bytes(b"no picture")
    with pytest.raises(CluedoError, match=r"game\.png exists and is not a PNG picture") as other:
        check_replaceable(tmp_path / "game.png", PICTURE)
    with pytest.raises(CluedoError, match="is a folder, not an animation") as folder:
        check_replaceable(tmp_path, ANIMATION)
    with speaking("fr"):
        assert "(image PNG de ce programme)" in tr(other.value)
        assert tr(folder.value).endswith("une animation")


def test_a_file_that_leads_nowhere_hides_no_other(tmp_path):
    for name, age in (("old", 100), ("new", 50)):
        (tmp_path / f"{name}.json").touch()
        os.utime(tmp_path / f"{name}.json", (age, 1e9 - age))
    (tmp_path / "lost.json").symlink_to(tmp_path / "nowhere")
    assert [path.stem for path in latest_files(tmp_path)] == ["new", "old"]
    assert latest_files(tmp_path / "none") == []


@pytest.mark.parametrize(("kind", "format"), [(PICTURE, "PNG"), (ANIMATION, "GIF")])
def test_a_picture_of_another_program_is_not_overwritten(tmp_path, kind, format):
    path = tmp_path / f"photo{kind.suffix}"
    Image.new("RGB", (8, 8)).save(path, format)
    with pytest.raises(CluedoError, match="of this program; it is not overwritten"):
        check_replaceable(path, kind)
    about = PngInfo()
    about.add_text("Software", "cluedo")
    Image.new("RGB", (8, 8)).save(path, format, **({"pnginfo": about} if format == "PNG" else {"comment": b"cluedo"}))
    check_replaceable(path, kind)
