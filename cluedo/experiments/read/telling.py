"""Results in words and as a table of texts, the same in a report, on a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cluedo.engine.errors import one_line
from cluedo.experiments.read.counts import Standing
from cluedo.experiments.read.head_to_head import HeadToHead
from cluedo.experiments.read.stats import Estimate
from cluedo.language import decimals, number, percent, tr, tr_count

__all__ = [
    "bracketed",
    "comparison",
    "deals",
    "ends",
    "figures",
    "games",
    "in_percent",
    "sequential_test",
    "standings_note",
    "standings_rows",
    "three_digits",
    "two_ways",
    "without_winner",
]

_SURE: Final = 0.9995
"""From here on a chance is only said to be more than 99.9 %."""
_READ_OUT: Final = 1e12
"""Numbers up to this are written with all their digits."""
_HOPELESS: Final = 1_000_000
"""Games that nobody plays to tell two players apart."""


def games(count: int) -> str:
    """A number of games."""
    return tr_count("{count:,} game", "{count:,} games", count)


def deals(count: int) -> str:
    """A number of deals."""
    return tr_count("{count:,} deal", "{count:,} deals", count)


def without_winner(played: int, standings: Sequence[Standing]) -> list[str]:
    """How many of the games that were played nobody won, in a sentence; nothing if each was won."""
    lost = played - sum(standing.wins for standing in standings)
    if not lost:
        return []
    if lost == played:
        return [tr("In {games} nobody won.", games=games(played))]
    told = "Of {games}, {count:,} had no winner."
    return [tr_count(told, told, lost, games=games(played))]


def in_percent(share: Estimate) -> tuple[str, str]:
    """A share with its unit, and its interval: 12.3 % and [10.1, 14.9]."""
    value, low, high = _points(share)
    return tr("{share} %", share=value), bracketed(low, high)


def _points(share: Estimate) -> list[str]:
    """A share, or a difference of two, and the ends of its interval, in hundredths.

    All are written with as many decimals as it takes for none to look like 0 or 100 that is not, and for ends that
    differ to look so.
    """
    points = [100 * end for end in share]
    spec = f".{decimals([*points, (points[2] - points[1]) / 2])}f"
    return [number(value, spec) for value in points]


def three_digits(value: float) -> str:
    """A speed, or a mean of what an observer noted: three significant digits, or all of the whole part if it has more.

    Of numbers that nobody would read out, only the three digits and how many more there are.

    >>> three_digits(0.0833333), three_digits(25.54), three_digits(12345.6), three_digits(1e50)
    ('0.0833', '25.5', '12,346', '1e+50')
    """
    return number(value, ",.0f" if 999.5 <= abs(value) < _READ_OUT else ".3g")  # .3g of 1000 is 1e+03


def ends(low: float, high: float, spec: str) -> str:
    """The ends of an interval, as ``spec`` writes them."""
    return bracketed(number(low, spec), number(high, spec))


def bracketed(low: str, high: str) -> str:
    """An interval, from the texts of its ends."""
    return tr("[{low},\N{NO-BREAK SPACE}{high}]", low=low, high=high)


def figures(meeting: HeadToHead) -> str:
    """How far the first level is ahead."""
    points, low, high = _points(meeting.lead)
    return tr(
        "{points} points per seat {interval}, over {deals}",
        points=points,
        interval=bracketed(low, high),
        deals=deals(meeting.deals),
    )


def comparison(meeting: HeadToHead, a: str, b: str, players: int | None = None) -> list[str]:
    """Which of two levels leads, how likely it is the stronger one, and what would tell it if these games do not.

    Their names, ``a`` and ``b``, stand in the sentences as they are given. If ``players`` says how many play in all the
    games, these are counted rather than deals, and the lead is told in Elo, too.
    """
    if meeting.lead.value < 0:
        return comparison(meeting.turned, b, a, players)
    told: dict[str, object] = {"first": a, "second": b, "figures": figures(meeting)}
    if not meeting.lead.value:
        said = [tr("At the same tables {first} and {second} are level: {figures}.", **told)]
    elif players is None or meeting.elo is None:
        said = [tr("At the same tables {first} leads {second} by {figures}.", **told), _sureness(meeting, a)]
    else:
        elo = tr("{value:+.0f} Elo {interval}", value=meeting.elo.value, interval=ends(*meeting.elo[1:], ".0f"))
        said = [
            tr("At the same tables {first} leads {second} by {figures}; {elo}.", elo=elo, **told),
            _sureness(meeting, a),
        ]
    if not meeting.differ:
        said.append(tr("The interval does not exclude zero: these games do not tell which is stronger."))
        said.append(_open_question(meeting, players))
    return said


def _sureness(meeting: HeadToHead, leader: str) -> str:
    """How likely it is that the one who leads is the stronger one."""
    share = percent(meeting.chance)
    if meeting.chance >= _SURE:
        share = tr("more than {share}", share=percent(_SURE - 0.0005))
    return tr("That {leader} is the stronger one is {share} likely.", leader=leader, share=share)


def _open_question(meeting: HeadToHead, players: int | None) -> str:
    """About how many more games would tell who is stronger, or deals where the number of players is not given."""
    more = meeting.deals_to_show
    if more is None:
        return tr("Only more games can tell.")
    count = _two_digits(more * (players or 1))
    if count > _HOPELESS:
        return tr("If the difference is as small as it looks, a million games would hardly show it.")
    if players is None:
        wanted = tr_count("about {count:,} more deal", "about {count:,} more deals", count)
    else:
        wanted = tr_count("about {count:,} more game", "about {count:,} more games", count)
    return tr("If the difference is as large as it looks, {wanted} would show it, four times in five.", wanted=wanted)


def _two_digits(count: int) -> int:
    """The number with two significant digits."""
    return round(count, min(0, 2 - len(str(count))))


def two_ways() -> str:
    """Why seats are counted and pairs compared."""
    return tr(
        "The table counts the seats of each player by themselves; the difference compares two players deal by deal, "
        "with the same cards and dice, so the luck of the cards cancels. It is the difference that tells who is "
        "stronger."
    )


def sequential_test(
    where: str, a: str, b: str, claims: tuple[float, float], verdict: str | None, llr: float, played: int
) -> str:
    """What a sequential test of a against b says, after so many deals: whether it has decided, and for which claim."""
    told: dict[str, object] = {"where": where, "first": a, "second": b, "deals": deals(played), "ratio": llr}
    if verdict is None:
        return tr(
            "{where}: after {deals} a sequential test has not decided whether {first} leads {second} by {elo0:+g} or "
            "by {elo1:+g} Elo (log likelihood ratio {ratio:.2f}).",
            elo0=claims[0],
            elo1=claims[1],
            **told,
        )
    if verdict == "H0":
        return tr(
            "{where}: after {deals} a sequential test decided for H0: {first} is at most {elo:+g} Elo above {second} "
            "(log likelihood ratio {ratio:.2f}).",
            elo=claims[0],
            **told,
        )
    return tr(
        "{where}: after {deals} a sequential test decided for H1: {first} is at least {elo:+g} Elo above {second} "
        "(log likelihood ratio {ratio:.2f}).",
        elo=claims[1],
        **told,
    )


def standings_rows(levels: Sequence[Standing]) -> list[list[str]]:
    """The headings, then a row for each level: what it won per seat, the interval, the fair share, faults if any."""
    faulty = any(level.faults for level in levels)
    headings = [tr("level"), tr("seats"), tr("wins"), tr("won per seat"), tr("95 % interval"), tr("fair share")]
    rows = [headings + [tr("faults")] * faulty]
    for level in levels:
        rate, low, high = (tr("{share} %", share=points) for points in _points(level.rate))
        cells = [one_line(level.level), number(level.seats), number(level.wins), rate]
        cells += [tr("{low} to {high}", low=low, high=high), percent(level.fair_share)]
        rows.append(cells + [number(level.faults)] * faulty)
    return rows


def standings_note() -> str:
    """What a reader of the table has to know."""
    return tr("A seat is one player in one game; the fair share is what it would win if all players were alike.")
