"""The words, signs and figures of a detective's sheet: names of places, ✓ and ✗, percentages, numbers of deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cluedo.engine.cards import Category, Deck
from cluedo.engine.phrase import Phrase, percentage
from cluedo.language import number, tr, tr_count

if TYPE_CHECKING:
    from cluedo.ai.knowledge import Model, SeatKnowledge

__all__ = [
    "cell_sign",
    "deal_count",
    "envelope_first",
    "envelopes_left",
    "model_line",
    "rounded_percent",
    "sampled_note",
    "sheet_groups",
    "titles",
    "with_error",
]

T = TypeVar("T")


def titles(places: Sequence[str]) -> list[str]:
    """The names of places (of a setting or an evidence) as people read them."""
    return [tr(place) if isinstance(place, Phrase) else place for place in places]


def envelope_first(by_place: Sequence[T]) -> list[T]:
    """What is known by place in the order of a sheet: first the envelope, which comes last everywhere else."""
    *others, envelope = by_place
    return [envelope, *others]


def sheet_groups(deck: Deck, row: Callable[[int], T]) -> list[dict[str, Any]]:
    """The cards of a sheet by category: its ``title``, and the ``rows`` of its cards."""
    return [{"title": tr(category.title), "rows": [row(card) for card in deck.ids[category]]} for category in Category]


_PLAIN = 1_000_000  # deals that are told in full, if they are not counted


def rounded_percent(p: float) -> str:
    """A percentage, rounded as in a reason; one that is not exactly 0 or 1 never looks like 0 % or 100 %."""
    return tr(percentage(p))


def cell_sign(p: float | None) -> tuple[Literal["yes", "no", "open"], str]:
    """A cell of a sheet by its probability, None if nobody counted: whether that is a proof, and the sign or figure."""
    if p is None:
        return "open", "?"
    if p in (0.0, 1.0):
        return ("yes", "✓") if p else ("no", "✗")
    return "open", rounded_percent(p)


def with_error(p: float, error: float) -> str:
    """A percentage, with how far it may be off in points if it is sampled."""
    if error == 0.0:
        return rounded_percent(p)
    return tr("{share} ± {error}", share=rounded_percent(p), error=number(max(100 * error, 0.1), ".1f"))


def envelopes_left(known: SeatKnowledge) -> str:
    """How many envelopes are possible, in words."""
    return tr_count("{count:,} envelope left", "{count:,} envelopes left", len(known.envelopes))


def deal_count(known: SeatKnowledge) -> str:
    """The number of deals that fit, as text; "about" if it is sampled."""
    assert known.deals is not None, "somebody has looked"
    if known.exact:
        return tr_count("{count:,} deal", "{count:,} deals", known.deals)
    error = rounded_percent(max(known.deals_error, 0.01))
    if known.deals < _PLAIN:
        return tr("about {count:,} deals (± {error})", count=known.deals, error=error)
    power = len(str(known.deals)) - 1
    first = number(known.deals / 10**power, ".1f")
    return tr("about {first} · 10^{power} deals (± {error})", first=first, power=power, error=error)


def sampled_note(known: SeatKnowledge) -> str:
    """A note that there are no odds, or that they are sampled and how far they may be off; empty if they are exact."""
    if known.deals is None:
        return tr("There are too many deals to count exactly: ✓ and ✗ are proved, and nothing is known about the rest.")
    if known.exact:
        return ""
    points = number(max(100 * known.error, 0.1), ".1f")
    return tr(
        "There are too many deals to count exactly, so the odds are sampled: 19 of 20 are off by {points} points at "
        "most. ✓ and ✗ are proved.",
        points=points,
    )


def model_line(model: Model) -> str:
    """What the odds are weighed by."""
    return tr("Model {name}: {about}.", name=model.name, about=model.about)
