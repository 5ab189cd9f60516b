"""Files are written whole or not at all, whatever happens."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat

import pytest

from cluedo.engine.writing import atomic_write


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
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write(path, bytes(2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
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
