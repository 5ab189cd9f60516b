"""The form of all tools: a class each, whose docstring and fields are what an assistant is told of it.

What is asked for is checked by pydantic, field by field. An answer is JSON. Sentences are in the language spoken.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from pydantic import ConfigDict, Field

from cluedo.agents.storage import Storage
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import SetupError
from cluedo.engine.mapfile import map_names
from cluedo.engine.validation import FileForm
from cluedo.session.sections import ReasonLine, Section, Tone

__all__ = ["Answer", "Name", "Names", "TableForm", "ToolForm", "told"]

Answer: TypeAlias = dict[str, Any]

Name = Annotated[str, Field(max_length=100)]
Names = Annotated[list[Name], Field(max_length=60)]
_MAPS: Final = ", ".join(map_names())
_EDITIONS: Final = ", ".join(edition.name for edition in shipped_editions())


def _without_titles(schema: dict[str, Any]) -> None:
    """Leave out of a schema the titles that pydantic makes of names."""
    for part in (schema, *schema["properties"].values()):
        part.pop("title", None)


class ToolForm(FileForm):
    """A call of a tool: its arguments, and what answers it.

    Attributes:
        tool: the name of the tool.
        reads: whether it changes nothing.
        plays: whether levels play, so that all is compiled; else what is quick enough is interpreted.
    """

    model_config = ConfigDict(json_schema_extra=_without_titles)
    tool: ClassVar[str]
    reads: ClassVar[bool] = False
    plays: ClassVar[bool] = False

    @abstractmethod
    def answer(self, storage: Storage) -> Answer:
        """The answer; raises :class:`CluedoError`."""


class TableForm(ToolForm):
    """What describes a table: the map, and the rules."""

    map: Name | None = Field(
        None, description=f"The board or deck: {_MAPS}. Left out: the edition's, or the language's own."
    )
    edition: Name | None = Field(
        None, description=f"The edition, a map with its rules: {_EDITIONS}. Left out: the rules of the box."
    )
    rules: Names = Field([], description="Rules that differ, as KEY=VALUE: movement=free, dice=1, pool=4, …")

    def chosen(self, usual_map: str) -> Edition:
        """The edition that is meant; an assistant names no file. Raises :class:`CluedoError`."""
        for name, known in ((self.map, _MAPS), (self.edition, _EDITIONS)):
            if name is not None and name not in known.split(", "):
                raise SetupError("{name!r} is not known here; known: {names}", name=name, names=known)
        return Edition.chosen(self.edition, usual_map, self.map, self.rules)


def told(sections: Iterable[Section | None]) -> list[str]:
    """Sections as lines: a title, the lines under it with a hyphen, the reasons for a line indented."""
    lines: list[str] = []
    for section in sections:
        if section is None or section.tone is Tone.EXPERT:
            continue
        lines += [section.title] if section.title else []
        lines += [
            f"  {line.strip()}" if isinstance(line, ReasonLine) else f"- {line.strip()}" for line in section.lines
        ]
    return lines
