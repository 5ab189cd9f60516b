"""Files that commands write: found to be writable before the work, and nothing of others overwritten."""

from __future__ import annotations

from pathlib import Path

from cluedo.errors import CluedoError

__all__ = ["check_new", "check_picture", "write_bytes", "write_new"]

_PNG = b"\x89PNG\r\n\x1a\n"


def check_new(path: Path) -> None:
    """Raise :class:`CluedoError` unless a file can be made at ``path`` where there is none yet."""
    try:
        path.open("x").close()
        path.unlink()
    except FileExistsError:
        raise CluedoError(f"{path} exists already and is not overwritten") from None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def write_new(path: Path, text: str) -> None:
    """Write a file that did not exist; raises :class:`CluedoError`."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise CluedoError(f"{path} has come to exist meanwhile and is not overwritten") from None
    except OSError as error:
        raise _unwritable(path, error) from None


def check_picture(path: Path) -> None:
    """Raise :class:`CluedoError` unless ``path`` can be a new picture, or is one to be replaced."""
    try:
        if path.is_dir():
            raise CluedoError(f"{path} is a folder, not a picture")
        if path.suffix.lower() != ".png":
            raise CluedoError(f"a picture's name ends in .png, and {path} does not")
        if not path.exists():
            check_new(path)
            return
        with path.open("rb") as file:
            begin = file.read(len(_PNG))
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    if begin not in (b"", _PNG):
        raise CluedoError(f"{path} exists and is no PNG picture; it is not overwritten")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, replacing what is there; raises :class:`CluedoError`."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: Exception) -> CluedoError:
    return CluedoError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}")
