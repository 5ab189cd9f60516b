"""The sentences of a report: the answer, and what each picture shows, with its figures.

What may be somebody's text (names of levels, of experiments) goes through :class:`markupsafe.Markup`,
which escapes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from cluedo.experiments.growth import Places
from cluedo.experiments.report.facts import Effect, Facts, Meeting, Rating
from cluedo.experiments.report.names import map_name
from cluedo.experiments.results import Standing
from cluedo.experiments.stats import Estimate

__all__ = [
    "answer",
    "compared",
    "count",
    "effect_label",
    "effect_verdict",
    "elo",
    "fair",
    "growth_label",
    "interval",
    "lengths_label",
    "listed",
    "maps_label",
    "matrix_label",
    "percent",
    "places_label",
    "ratings_label",
    "standing",
    "thought_label",
    "verdicts",
    "win_rates_label",
    "wrong_guesses",
]


def percent(share: float, digits: int = 1) -> str:
    """A share as 12.3 %; the space does not break."""
    return f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%".replace("-", "−")


def interval(low: float, high: float) -> str:
    """The ends of an interval of shares, as [10.1, 14.9]."""
    return f"[{100 * low:.1f},\N{NO-BREAK SPACE}{100 * high:.1f}]".replace("-", "−")


def fair(share: float) -> str:
    """A fair share, which has few digits or endlessly many."""
    return f"{100 * share:.3g}\N{NO-BREAK SPACE}%"


def count(number: int, one: str, many: str = "") -> str:
    """A number of things."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(texts: Sequence[str]) -> str:
    """Texts in one sentence: a, b and c."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def answer(facts: Facts) -> list[Markup]:
    """What came out, in a few sentences of HTML."""
    best = facts.standings[0]
    if not any(entry.won.wins for entry in facts.standings):
        return [Markup("Nobody won any of {}.").format(count(facts.games, "game"))]
    if len(facts.standings) == 1:
        return [
            Markup("Every seat was played by <strong>{}</strong>, so there is nobody to compare it with.").format(
                facts.names[best.level]
            ),
            Markup("Of {}, {} had a winner.").format(count(facts.games, "game"), f"{best.won.wins:,}"),
        ]
    said = [
        Markup("<strong>{}</strong> wins most: {} of its seats {}; the fair share is {}.").format(
            facts.names[best.level],
            percent(best.won.rate),
            interval(*best.won.interval),
            fair(best.fair),
        )
    ]
    second = facts.standings[1]
    meeting = facts.meetings.get((best.level, second.level))
    if meeting is None:
        text = "<strong>{}</strong> comes second against its fair share; the two never met, so they are not compared."
        said.append(Markup(text).format(facts.names[second.level]))
    else:
        said.append(Markup("{}").format(compared(meeting, facts.names[best.level], facts.names[second.level])))
    return said


def compared(meeting: Meeting, a: str, b: str) -> Markup:
    """Whether one of two levels is better, as far as these games tell."""
    figures = f"{_points(meeting.lead.value)} per seat {interval(meeting.lead.low, meeting.lead.high)}, over " + count(
        meeting.deals, "deal"
    )
    if not meeting.differ:
        return Markup(
            "These games do not show whether it is better than <strong>{}</strong>: at the same tables it leads by {}, "
            "and the interval includes zero."
        ).format(b, figures)
    if meeting.lead.value > 0:
        return Markup("At the same tables it leads <strong>{}</strong> by {}, more than chance explains.").format(
            b, figures
        )
    return Markup(
        "But at the same tables <strong>{}</strong> does better than <strong>{}</strong>, whose lead is {}."
    ).format(b, a, figures)


def standing(facts: Facts) -> str:
    """How many games all of this rests on."""
    told = count(facts.games, "game")
    return told if facts.games == facts.planned or not facts.planned else f"{told} of {facts.planned:,} planned"


def verdicts(facts: Facts) -> list[str]:
    """What sequential tests have decided."""
    told = []
    for source in facts.sources:
        stop = source.manifest.experiment.stop
        for test in source.manifest.stopped:
            if stop is None or not test.verdict or test.part >= len(source.manifest.parts):
                continue
            a, b, part = facts.names.get(stop.sprt.a, stop.sprt.a), stop.sprt.b, source.manifest.parts[test.part]
            elo = f"{stop.sprt.elo1:g} Elo points or more" if test.verdict == "H1" else f"{stop.sprt.elo0:g} or less"
            told.append(
                f"On {map_name(part.map)}, a sequential test of {a} against {facts.names.get(b, b)} decided after "
                f"{count(test.deals, 'deal')} for {test.verdict}: that {a} leads by {elo} "
                f"(log likelihood ratio {test.llr:.2f})."
            )
    return told


def win_rates_label(facts: Facts) -> str:
    """What the picture of win rates shows."""
    return "Games won per seat, with 95 % intervals. " + "; ".join(
        f"{facts.names[entry.level]} {_share(entry)}, fair share {fair(entry.fair)}" for entry in facts.standings
    )


def ratings_label(facts: Facts) -> str:
    """What the picture of ratings shows."""
    return "Ratings in Elo points, with 95 % intervals. " + "; ".join(
        f"{facts.names[rating.level]} {_elo(rating)}" for rating in facts.ratings
    )


def maps_label(facts: Facts) -> str:
    """What the picture of win rates on each map shows."""
    told = [
        f"On {map_name(name)}: "
        + ", ".join(
            f"{facts.names[level]} {percent(shares[level].rate)} {interval(*shares[level].interval)}"
            for level in facts.levels
            if level in shares
        )
        for name, shares in facts.maps.items()
    ]
    return "Games won per seat on each map. " + ". ".join(told)


def matrix_label(facts: Facts) -> str:
    """What the picture of level against level shows."""
    return "Share of the games won by either of two levels. " + "; ".join(
        f"{facts.names[a]} against {facts.names[b]} {percent(meeting.share.value)} "
        f"{interval(meeting.share.low, meeting.share.high)}"
        for (a, b), meeting in facts.meetings.items()
        if meeting.share is not None
    )


def wrong_guesses(facts: Facts) -> list[str]:
    """Who lost games by accusing wrongly, and how many; nothing if nobody did."""
    told = [
        f"{facts.names[entry.level]} lost {count(entry.wrong, 'game')} by a wrong accusation "
        f"({percent(entry.wrong / entry.won.trials)} of its seats)"
        for entry in facts.standings
        if entry.wrong
    ]
    return ["; ".join(told) + "."] if told else []


def lengths_label(facts: Facts) -> str:
    """What the picture of lengths shows."""
    lengths = facts.lengths
    ends = ", ".join(f"{counts.total():,} {reason}" for reason, counts in lengths.by_reason.items())
    return (
        f"Histogram of the turns of {count(lengths.games, 'game')} ({ends}): mean {lengths.mean:.1f}, "
        f"median {lengths.median}, nine in ten between {lengths.middle[0]} and {lengths.middle[1]} turns."
    )


def effect_label(by_players: dict[int, Effect], what: str, shift: int) -> str:
    """What a picture of an effect of seats shows."""
    told = [
        f"{players} players: "
        + ", ".join(
            f"{what} {value + shift}: {percent(rate.value)} {interval(rate.low, rate.high)}"
            for value, rate in zip(effect.values, effect.test.rates, strict=True)
        )
        for players, effect in by_players.items()
    ]
    return f"Games won by {what}, with 95 % intervals. " + ". ".join(told)


def effect_verdict(by_players: dict[int, Effect], what: str) -> list[str]:
    """Whether the groups differ, a sentence for each number of players."""
    told = []
    for players, effect in by_players.items():
        rates = [rate.value for rate in effect.test.rates]
        least, most = effect.values[rates.index(min(rates))], effect.values[rates.index(max(rates))]
        p = effect.test.p_value
        chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
        chance = chance.replace(" ", "\N{NO-BREAK SPACE}")
        said = f"With {players} players {what}" + (
            f" matters: from {percent(min(rates))} to {percent(max(rates))} ({chance})."
            if p < 0.05 and least != most
            else f" makes no difference that {count(effect.deals, 'deal')} could show ({chance})."
        )
        told.append(said)
    return told


def growth_label(facts: Facts) -> str:
    """What the picture of growing knowledge shows."""
    curves = facts.growth.curves
    told = []
    for level in facts.levels:
        if level in curves:
            mean = curves[level].mean
            told.append(f"{facts.names[level]} from {mean[0]:.1f} to {mean[-1]:.1f} bits after {len(mean) - 1} turns")
    return "Mean uncertainty about the envelope, turn by turn: " + "; ".join(told)


def places_label(name: str, places: Places) -> str:
    """What a picture of the board shows."""
    board, counts = places
    total = max(int(counts.sum()), 1)
    rooms = {room.name: int(counts[board.rooms_at + k]) / total for k, room in enumerate(board.map.rooms)}
    told = ", ".join(f"{room} {percent(share)}" for room, share in sorted(rooms.items(), key=lambda item: -item[1]))
    return (
        f"Where turns ended on {map_name(name)}, of {total:,} turns: {told}; "
        f"corridors {percent(int(counts[: board.rooms_at].sum()) / total)}."
    )


def thought_label(facts: Facts) -> str:
    """What the picture of thinking time shows."""
    return "Thinking time for a turn, and games won as a multiple of the fair share. " + "; ".join(
        f"{facts.names[entry.level]} {entry.think_ms:.3g} ms, {entry.won.rate / entry.fair:.2f}"
        for entry in facts.standings
    )


def _points(share: float) -> str:
    """A difference of shares in percentage points."""
    return f"{100 * share:.1f} points".replace("-", "−")


def _share(entry: Standing) -> str:
    return f"{percent(entry.won.rate)} {interval(*entry.won.interval)}"


def _elo(rating: Rating) -> str:
    value, low, high = rating.elo
    return f"{value:.0f}" if low == high else f"{value:.0f} [{low:.0f}, {high:.0f}]".replace("-", "−")


def elo(estimate: Estimate) -> str:
    """A rating's interval."""
    return "" if estimate.low == estimate.high else f"[{estimate.low:.0f}, {estimate.high:.0f}]".replace("-", "−")
