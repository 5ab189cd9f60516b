"""Commands that are imported when they are called, and not to be listed."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar, NamedTuple, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["LazyCommand", "LazyGroup"]

Loaded: TypeAlias = TyperCommand | TyperGroup


class LazyCommand(NamedTuple):
    """Where a command is, and the line about it in the list of commands.

    Attributes:
        module: the module that defines it.
        attribute: a function there, or a :class:`typer.Typer` with commands of its own.
        line: the first line of its help; a test compares.
    """

    module: str
    attribute: str
    line: str

    def load(self, name: str) -> Loaded:
        """The command itself, with its options."""
        found = getattr(import_module(self.module), self.attribute)
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            alone.command(name)(found)
            found = alone
        command = typer.main.get_command(found)
        command.name = name
        assert isinstance(command, TyperCommand | TyperGroup)
        return command


class LazyGroup(TyperGroup):
    """A group that lists its commands by what is written here, and imports the one that is called.

    typer looks a command up to list it, for which its name and a line will do, or to call it
    (:meth:`resolve_command`), which alone takes the command itself.
    """

    lazy: ClassVar[dict[str, LazyCommand]] = {}
    """By name, in the order of the help; for subclasses to fill."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        for name, command in self.lazy.items():
            self.add_command(TyperCommand(name, help=command.line))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if name in self.lazy:
            command = self.lazy[name].load(name)
        return name, command, rest
