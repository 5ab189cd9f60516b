"""What an answer in sections says."""

from __future__ import annotations

from collections.abc import Iterable

from cluedo.session.sections import Section


def said(sections: Iterable[Section]) -> list[str]:
    """All titles and lines, one after the other."""
    return [line for section in sections for line in (section.title, *section.lines) if line]
