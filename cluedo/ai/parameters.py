"""The parameters of a player's class: which it has, and what a text ``key=value`` sets one to."""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from cluedo.engine.cards import closest
from cluedo.engine.errors import PlayerError
from cluedo.engine.phrase import Phrase

__all__ = ["Parameter", "arguments", "check_number", "parameters"]

_TRUE, _FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a level: its name, type, default (``inspect.Parameter.empty`` for none) and one line about it."""

    name: str
    type: Any
    default: Any
    text: str


def parameters(kind: type[Any]) -> list[Parameter]:
    """The keyword parameters of a level, from its constructor's signature and the docstrings of it and its bases."""
    if kind.__init__ is object.__init__:
        return []
    try:
        hints = typing.get_type_hints(kind.__init__)
    except Exception as error:
        raise PlayerError(
            "{name}: its parameters' types cannot be read: {error}", name=kind.__name__, error=error
        ) from None
    texts = {key: text for base in reversed(kind.__mro__) for key, text in _argument_texts(base.__doc__).items()}
    return [
        Parameter(name, hints.get(name, str), p.default, texts.get(name, ""))
        for name, p in list(inspect.signature(kind.__init__).parameters.items())[1:]
        if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]


def arguments(text: str, kind: type[Any], options: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """The keyword arguments for a class from ``key=value`` texts; raises :class:`PlayerError` that quotes ``text``."""
    known = {parameter.name: parameter for parameter in parameters(kind)}
    values: dict[str, Any] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise PlayerError("{what}: a parameter is set as key=value, not {option!r}", what=text, option=option)
        if key not in known:
            told = closest(key, known) if known else Phrase("it has no parameters")
            raise PlayerError("{what}: there is no parameter {key!r}; {told}", what=text, key=key, told=told)
        values[key] = _value(text, known[key], value)
    return tuple(values.items())


def check_number(name: str, value: float, least: float = -math.inf, most: float = math.inf) -> None:
    """Raise :class:`PlayerError` unless a parameter is a finite number in a range.

    Args:
        name: of the parameter.
        value: what it is set to.
        least: the least number allowed; minus infinity where there is no bound.
        most: the greatest one; infinity where there is no bound.
    """
    if -math.inf < value < math.inf and least <= value <= most:
        return
    if most < math.inf:
        raise PlayerError(
            "{name} is a number from {least:,} to {most:,}, not {value:,}",
            name=name,
            least=least,
            most=most,
            value=value,
        )
    if least > -math.inf:
        raise PlayerError("{name} is a number of {least:,} or more, not {value:,}", name=name, least=least, value=value)
    raise PlayerError("{name} is a finite number, not {value:,}", name=name, value=value)


def _value(text: str, parameter: Parameter, value: str) -> Any:
    """What a parameter is set to, as its annotation says."""
    wanted, name = parameter.type, parameter.name
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        kinds = [kind for kind in typing.get_args(wanted) if kind is not type(None)]
        if len(kinds) < len(typing.get_args(wanted)) and value.lower() == "none":
            return None
        if len(kinds) == 1:
            wanted = kinds[0]
    if typing.get_origin(wanted) is typing.Literal:
        choices = {str(choice): choice for choice in typing.get_args(wanted)}
        if value not in choices:
            near = closest(value, choices)
            raise PlayerError("{what}: {name}={value}: {closest}", what=text, name=name, value=value, closest=near)
        return choices[value]
    if wanted is bool:
        if value.lower() not in _TRUE | _FALSE:
            raise PlayerError("{what}: {name}={value}: true or false is needed", what=text, name=name, value=value)
        return value.lower() in _TRUE
    if wanted in (int, float):
        with suppress(ValueError):
            number = wanted(value)
            if wanted is int or math.isfinite(number):
                return number
        kind = Phrase("a whole number") if wanted is int else Phrase("a finite number")
        raise PlayerError("{what}: {name}={value}: {kind} is needed", what=text, name=name, value=value, kind=kind)
    if wanted is not str:
        raise PlayerError(
            "{what}: {name} cannot be set: its type is bool, int, float, str or a Literal, perhaps or None, not {type}",
            what=text,
            name=name,
            type=inspect.formatannotation(wanted),
        )
    return value


def _argument_texts(doc: str | None) -> dict[str, str]:
    """The lines of a docstring's ``Args:`` section, by parameter."""
    texts: dict[str, str] = {}
    lines: Iterable[str] = inspect.cleandoc(doc or "").partition("Args:\n")[2].splitlines()
    name = ""
    for line in lines:
        if not line.startswith("    "):
            break
        if not line.startswith("     ") and ":" in line:
            name, _, text = line.strip().partition(":")
            texts[name] = text.strip()
        elif name:
            texts[name] += " " + line.strip()
    return texts
