"""Files are read safely, and written whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import threading

import pytest
from helpers.small_files import files_of_at_most

from cluedo.engine import file_io
from cluedo.engine.file_io import (
    Missing,
    Unreadable,
    atomic_write,
    json_object,
    json_value,
    read_bytes,
    read_text,
    source,
    toml_table,
)

# ---- files -----------------------------------------------------------------------------------------


def test_no_more_is_read_than_may_be(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * 11)
    assert read_bytes(path, 11) == b"x" * 11
    with pytest.raises(Unreadable, match="it holds more than 10 bytes"):
        read_bytes(path, 10)


def test_a_file_without_content_is_not_read_to_its_end(tmp_path):
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(10**13)
    with pytest.raises(Unreadable, match="it holds more than"):
        read_text(tmp_path / "hole", 1_000)


def test_a_text_is_utf_8(tmp_path):
    path = tmp_path / "file"
    path.write_bytes("Dé".encode())
    assert read_text(path) == "Dé"
    path.write_bytes("Dé".encode("utf-8-sig"))  # as Notepad and spreadsheets write it
    assert read_text(path) == "Dé"
    path.write_bytes("Dé".encode("latin-1"))
    with pytest.raises(Unreadable, match=r"^cannot be read: not UTF-8 text, at byte 1$"):
        read_text(path)


def test_what_is_not_there_is_missing_and_what_no_file_can_be_called_unreadable(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "none", tmp_path / "file" / "below"):
        with pytest.raises(Missing, match=r"^cannot be read: (No such file|Not a)"):
            read_bytes(path)
    for name, told in (("a\0b", "null byte"), ("x" * 300, "name too long"), ("", "."), (".", "directory")):
        with pytest.raises(Unreadable, match=f"^cannot be read: .*{told}"):
            read_bytes(name and f"{tmp_path}/{name}")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(Unreadable, match="symbolic links"):
        read_bytes(tmp_path / "loop")


@pytest.mark.parametrize("path", [0, True, None, b"x"])
def test_a_number_is_no_path(path):
    """It would be an open file of this process, which is closed after it is read."""
    with pytest.raises(Unreadable, match="a path is a text or a Path"):
        read_bytes(path)
    os.fstat(0)


def test_a_disk_that_fails_while_it_is_read_is_told(tmp_path, monkeypatch):
    class Broken(io.FileIO):
        def readinto(self, buffer):
            raise OSError(5, "Input/output error")

    (tmp_path / "file").touch()
    monkeypatch.setattr(file_io, "source", lambda path: io.BufferedReader(Broken(path)))
    with pytest.raises(Unreadable, match=r"^cannot be read: Input/output error$"):
        read_bytes(tmp_path / "file")


def test_a_pipe_that_somebody_writes_is_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[b"x" * 300_000])
    writer.start()
    assert read_bytes(tmp_path / "pipe") == b"x" * 300_000
    writer.join()


def test_a_pipe_that_nobody_writes_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(file_io, "_PATIENCE_S", 0.02)
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "pipe").open("rb+", buffering=0), pytest.raises(Unreadable, match=r"nothing .* for 0\.02 seconds"):
        read_bytes(tmp_path / "pipe")


def test_a_stream_is_read_only_so_far_and_a_file_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(file_io, "_MOST_STREAM", 100_000)
    with pytest.raises(Unreadable, match="does not end within 100,000 bytes"), source("/dev/zero") as zeros:
        zeros.read()
    (tmp_path / "file").write_bytes(bytes(200_000))
    assert len(read_bytes(tmp_path / "file")) == 200_000


def test_a_device_that_is_at_its_end_is_empty():
    with source(os.devnull) as file:
        assert file.readable()
        assert file.read() == b""
    file.close()  # a second time does no harm


# ---- formats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON: it is empty"),
        (b" \n", "not JSON: it is empty"),
        ("{\n'a': 1}", "not JSON: it cannot be read from line 2, column 1 on"),
        ("[" * 100_000, "not JSON: it is nested too deeply"),
        (b"\xff", "not JSON: no UTF-8 text, at byte 0"),
        ("9" * 5000, "not JSON: a number in it is too long"),
        ('["\\ud800"]', "not JSON: a text in it holds half a character"),
        (b'{"a\\uDCFF": 1}', "not JSON: a text in it holds half a character"),
        (b'"\xed\xa0\x80"', "not JSON: no UTF-8 text, at byte 1"),
        ('[{"a": "b\\u0000"}]', "not JSON: a text in it holds half a character or a NUL"),
    ],
    ids=["nothing", "blank", "Python", "deep", "bytes", "digits", "half", "half in bytes", "half as bytes", "NUL"],
)
def test_what_is_no_json_is_told_in_one_sentence(text, told):
    with pytest.raises(Unreadable) as refusal:
        json_value(text)
    assert str(refusal.value).startswith(told)


def test_a_character_may_be_written_as_two_halves():
    assert json_value(r'["\ud83d\udd0d", "\u00e9"]') == ["\N{LEFT-POINTING MAGNIFYING GLASS}", "é"]
    assert json_value(rb'"\ud83d\udd0d"') == "\N{LEFT-POINTING MAGNIFYING GLASS}"


@pytest.mark.parametrize("text", ["\ufeff[1]", "\ufeff[1]".encode()])
def test_a_byte_order_mark_before_json_is_left_out(text):
    assert json_value(text) == [1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("[]", "a list"), ('""', "a text"), ("false", "true or false"), ("null", "null"), ("1e3", "a number")],
)
def test_what_is_no_object_is_told_by_what_it_is(text, kind):
    assert json_object('{"a": 1}', "a map") == {"a": 1}
    with pytest.raises(Unreadable, match=f"^a map is a JSON object, not {kind}$"):
        json_object(text, "a map")


def test_toml_is_read_or_told_in_one_sentence():
    assert toml_table("a.b = 1\n[c]\nd = 'x'") == {"a": {"b": 1}, "c": {"d": "x"}}
    with pytest.raises(Unreadable, match=r"^not TOML: .*line 1"):
        toml_table("a = =")
    with pytest.raises(Unreadable, match=r"^not TOML: it is nested too deeply$"):
        toml_table("a = " + "[" * 100_000)
    with pytest.raises(Unreadable, match=r"^line 3 has more than 1,000 dots"):
        toml_table("\n\n" + ".".join("a" * 2_000) + " = 1")


def write(path, data=b"new", **more):
    with atomic_write(path, **more) as part:
        part.write_bytes(data)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def test_a_file_is_replaced_and_nothing_left_beside_it(path):
    write(path)
    assert path.read_bytes() == b"new"
    assert names(path.parent) == ["file"]


def test_an_error_leaves_the_older_file_alone(path):
    for error in (OSError(errno.ENOSPC, "full"), KeyboardInterrupt()):
        with pytest.raises(type(error)), atomic_write(path) as part:  # noqa: PT012
            part.write_bytes(b"half")
            raise error
    assert path.read_bytes() == b"old"
    assert names(path.parent) == ["file"]


def test_a_file_that_becomes_too_large_leaves_the_older_one_whole(path):
    with files_of_at_most(1000), pytest.raises(OSError, match="too large"):
        write(path, bytes(2000))
    assert path.read_bytes() == b"old"
    assert names(path.parent) == ["file"]


def test_permissions_are_those_of_the_older_file_or_as_the_user_wants_new_ones(path):
    path.chmod(0o640)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        write(path.with_name("another"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.with_name("another").stat().st_mode) == 0o640


def test_a_link_stays_one_and_what_it_leads_to_is_replaced(path):
    (path.parent / "deep").mkdir()
    link = path.parent / "deep" / "link"
    link.symlink_to(path)
    write(link)
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert names(path.parent / "deep") == ["link"]


def test_a_pipe_a_folder_or_a_loop_is_left_alone(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = names(tmp_path)
    for name in before:
        with pytest.raises(OSError):  # noqa: PT011 - each its own
            write(tmp_path / name)
    assert names(tmp_path) == before
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_new_file_never_replaces_one(path):
    with pytest.raises(FileExistsError):
        write(path, new=True)
    dangling = path.with_name("dangling")
    dangling.symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        write(dangling, new=True)
    assert path.read_bytes() == b"old"
    write(path.with_name("another"), new=True)
    with pytest.raises(KeyboardInterrupt), atomic_write(path.with_name("third"), new=True):
        raise KeyboardInterrupt
    assert names(path.parent) == ["another", "dangling", "file"]
