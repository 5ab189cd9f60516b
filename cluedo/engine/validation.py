"""What is wrong with what files and callers give, as sentences that can be translated.

The forms of files are pydantic's. Its own words are English and speak of Python, so each of its common
kinds of error has a sentence here; what a check of ours finds is raised as :class:`InvalidForm`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import index
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from cluedo.engine.cards import closest
from cluedo.engine.errors import CluedoError, one_line, safe_repr
from cluedo.engine.phrase import Phrase, one_of

__all__ = ["FileForm", "InvalidForm", "complaints", "sentence", "validated", "whole_number", "wrong"]

M = TypeVar("M", bound=BaseModel)


class FileForm(BaseModel):
    """The base class of the forms of files: an unknown key is an error, and what was read does not change."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        """Refuse an unknown key before anything else: it is often the one that is missing, misspelt."""
        known = cls.__pydantic_fields__  # model_fields takes three times as long, for each event of a record
        if isinstance(data, dict) and not data.keys() <= known.keys():
            raise InvalidForm(*[_unknown(key, known) for key in data if key not in known])
        return data


def _unknown(key: object, known: Iterable[str]) -> Phrase:
    return Phrase("there is no key {key}; {closest}", key=safe_repr(key), closest=closest(str(key), known))


class InvalidForm(CluedoError, ValueError):
    """Something wrong that a check of ours finds inside a pydantic model.

    Args:
        pattern, values: as for any :class:`CluedoError`.
        more: a sentence for each further thing that is wrong.
    """

    def __init__(self, pattern: str, /, *more: str, **values: object):
        super().__init__(pattern if isinstance(pattern, Phrase) else Phrase(pattern, **values))
        self.args += more

    def __str__(self) -> str:
        return "\n".join(self.args)


def sentence(error: ValidationError) -> str:
    """The first complaint of pydantic as one sentence that names the place in the file."""
    first, *others = complaints(error)
    return Phrase("{first} (and {count} more)", first=first, count=len(others)) if others else first


def validated(kind: type[M], data: object) -> M:
    """What a file or a program says, as a form of this kind; raises :class:`CluedoError` with a :func:`sentence`."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise CluedoError(sentence(error)) from None


def complaints(error: ValidationError) -> list[str]:
    """Every complaint of pydantic as a sentence that names the place in the file; a check of ours may make several."""
    told: list[str] = []
    for part in error.errors(include_url=False):
        place = one_line("".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in part["loc"]).lstrip("."))
        told += [Phrase("{place}: {wrong}", place=place, wrong=what) if place else what for what in wrong(part)]
    return told


def wrong(part: Mapping[str, Any]) -> tuple[str, ...]:
    """One of pydantic's errors as a sentence without the place, or as several."""
    kind, context = part["type"], part.get("ctx", {})
    if isinstance(faults := context.get("error"), InvalidForm):
        return faults.args
    if kind in _SAYS:
        return (_SAYS[kind],)
    if kind in _BOUNDS:
        return (_BOUNDS[kind](context),)
    if kind in ("too_long", "too_short"):
        return _length(part["input"], context)
    return (one_line(part["msg"].removeprefix("Value error, ")),)


_SAYS: Final[Mapping[str, str]] = {
    "missing": Phrase("is missing"),
    **dict.fromkeys(("string_type", "string_unicode"), Phrase("must be a text")),
    **dict.fromkeys(
        ("int_type", "int_parsing", "int_from_float", "int_parsing_size"), Phrase("must be a whole number")
    ),
    **dict.fromkeys(("float_type", "float_parsing"), Phrase("must be a number")),
    "finite_number": Phrase("must be a finite number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), Phrase("must be true or false")),
    **dict.fromkeys(("tuple_type", "list_type", "set_type", "frozen_set_type"), Phrase("must be a list")),
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type", "mapping_type"), Phrase("must be an object")),
    "none_required": Phrase("must be null"),
}
"""By pydantic's kind of error."""

_PATTERNS: Final[Mapping[str, Phrase]] = {
    r"^[A-Z]$": Phrase("must be one letter from A to Z, in upper case"),
    r"^#[0-9a-fA-F]{6}$": Phrase("must be a colour such as #3366cc"),
    r"^\S(.*\S)?$": Phrase("must not begin or end with a blank"),
    r"^[\w+-][\w.+-]*$": Phrase("must be letters, digits and any of _ . + - without blanks, and not begin with a dot"),
    r"^[a-z][a-z0-9_]*$": Phrase("must be lower-case letters, digits and underscores, and begin with a letter"),
    r"^[\w-]{1,40}$": Phrase("must be 1 to 40 letters, digits, hyphens or underscores"),
}
"""What texts of files have to match, in words."""


def _pattern(found: Mapping[str, Any]) -> Phrase:
    """What a text has to look like to match a pattern, in words if we have some."""
    pattern = found["pattern"]
    return _PATTERNS.get(pattern) or Phrase("must match the pattern {pattern}", pattern=pattern)


_BOUNDS: Final[Mapping[str, Callable[[Mapping[str, Any]], Phrase]]] = {
    "greater_than": lambda found: Phrase("must be more than {bound:,}", bound=_short(found["gt"])),
    "greater_than_equal": lambda found: Phrase("must be {bound:,} or more", bound=_short(found["ge"])),
    "less_than": lambda found: Phrase("must be less than {bound:,}", bound=_short(found["lt"])),
    "less_than_equal": lambda found: Phrase("must be {bound:,} or less", bound=_short(found["le"])),
    "string_too_short": lambda found: (
        Phrase("must not be empty")
        if found["min_length"] == 1
        else Phrase("must have {least} letters or more", least=found["min_length"])
    ),
    "string_too_long": lambda found: Phrase("must have {most:,} letters or fewer", most=found["max_length"]),
    "string_pattern_mismatch": _pattern,
    "literal_error": lambda found: Phrase("must be {expected}", expected=one_of(found["expected"].rsplit(" or ", 1))),
    "union_tag_invalid": lambda found: Phrase(
        "{tag} is not known; it must be one of: {expected}",
        tag=safe_repr(found["tag"]),
        expected=found["expected_tags"],
    ),
    "union_tag_not_found": lambda found: Phrase("the key {key} is missing", key=found["discriminator"]),
}
"""Sentences by type of error, with a place for what would be right."""


def _length(given: Any, context: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """The error for a list or a text of wrong length; none for a list that only seems short, as wrong items do.

    Pydantic does not count wrong items.
    """
    if isinstance(given, str):
        return (_BOUNDS["string_too_long" if "max_length" in context else "string_too_short"](context),)
    count, most, least = len(given), context.get("max_length"), context.get("min_length", 0)
    if most is not None:
        return (Phrase("there are {count:,}; at most {most:,} are possible", count=count, most=most),)
    if count >= least:
        return ()
    return (Phrase("there are {count:,}; {least:,} or more are needed", count=count, least=least),)


def _short(bound: float) -> float:
    """A bound without needless decimals: pydantic turns the bounds of a float into floats."""
    return int(bound) if bound == int(bound) else bound


def whole_number(value: object, least: int, most: int | None = None) -> int | None:
    """A whole number in these bounds, perhaps numpy's, as a Python int; None for anything else.

    >>> whole_number(3, 0), whole_number(3, 0, 2), whole_number(3.0, 0), whole_number(True, 0)
    (3, None, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if least <= number and (most is None or number <= most) else None
