"""The sentences of a report.

What may be somebody's text (names of levels, of experiments) goes through :class:`markupsafe.Markup`,
which escapes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup

from cluedo.engine.phrase import Phrase
from cluedo.experiments.read import telling
from cluedo.experiments.read.counts import Standing
from cluedo.experiments.read.source import Source
from cluedo.experiments.read.stats import Estimate
from cluedo.experiments.report.facts import Effect, ReportFacts
from cluedo.experiments.report.model_knowledge import ModelKnowledge, WrongClaim
from cluedo.language import number, percent, tr
from cluedo.words.narration import and_join, or_join

__all__ = [
    "answer",
    "decided_tests",
    "elo",
    "fair",
    "games_played",
    "hand_verdict",
    "html",
    "lengths_label",
    "mean",
    "model_accusations",
    "order_verdict",
    "rate",
    "reason_word",
    "sequential_tests",
    "wrong_claim",
    "wrong_guesses",
]


def fair(share: float) -> str:
    """A fair share in per cent, with three significant digits."""
    return percent(share, ".3g")


def answer(facts: ReportFacts) -> list[Markup]:
    """The main result, in a few sentences of HTML."""
    best = facts.standings[0]
    not_won = [Markup(told) for told in telling.without_winner(facts.games, facts.standings)]
    if not any(entry.wins for entry in facts.standings):
        return not_won
    if len(facts.standings) == 1:
        return [
            html(
                "Every seat was played by <strong>{level}</strong>, so there is nobody to compare it with.",
                level=facts.names[best.level],
            ),
            html("Of {games}, {won} had a winner.", games=telling.games(facts.games), won=number(best.wins)),
        ]
    second = facts.standings[1]
    a, b = _strong(facts, [best, second])
    told = [_best(facts), *not_won]
    meeting = facts.meetings.get((best.level, second.level))
    if meeting is not None:
        return [*told, *map(Markup, telling.comparison(meeting, a, b))]
    if second in _equals(facts):
        return [*told, html("{first} and {second} never met, so they are not compared.", first=a, second=b)]
    text = html(
        "<strong>{level}</strong> comes second against its fair share; the two never met, so they are not compared.",
        level=facts.names[second.level],
    )
    return [*told, text]


def _equals(facts: ReportFacts) -> list[Standing]:
    """The levels that are best against their fair share: one, or several that win equally often."""
    return [entry for entry in facts.standings if entry.multiple == facts.standings[0].multiple]


def _best(facts: ReportFacts) -> Markup:
    """Which level wins most; against its fair share alone where others win more of their seats, at smaller tables."""
    best, *others = equals = _equals(facts)
    if others:
        return html(
            "Against their fair share {levels} win equally often, and nobody wins more.",
            levels=Markup(and_join(_strong(facts, equals))),
        )
    share, interval = telling.in_percent(best.rate)
    told = {"level": facts.names[best.level], "share": share, "interval": interval, "fair": fair(best.fair_share)}
    if any(entry.win_rate > best.win_rate for entry in facts.standings):
        return html(
            "Against its fair share, <strong>{level}</strong> wins most: {share} of its seats {interval}, where {fair} "
            "would be fair.",
            **told,
        )
    return html(
        "<strong>{level}</strong> wins most: {share} of its seats {interval}; the fair share is {fair}.", **told
    )


def _strong(facts: ReportFacts, entries: Iterable[Standing]) -> list[Markup]:
    """The short names of levels in bold, as HTML."""
    return [Markup("<strong>{}</strong>").format(facts.names[entry.level]) for entry in entries]


def games_played(facts: ReportFacts) -> str:
    """How many games the report is based on."""
    if facts.games == facts.planned:
        return telling.games(facts.games)
    return tr("{games} of {planned:,} planned", games=telling.games(facts.games), planned=facts.planned)


def sequential_tests(facts: ReportFacts, source: Source, *, decided: bool) -> list[str]:
    """What the sequential tests of an experiment say: those that have decided, or those that have not."""
    told = []
    stop, parts = source.manifest.experiment.stop, source.manifest.experiment.parts
    for test in source.manifest.stopped:
        if stop is not None and (test.verdict is not None) == decided and test.part < len(parts):
            part, rule = parts[test.part], stop.sprt
            line_up, a, b = (
                ", ".join(facts.names.get(level, level) for level in levels)
                for levels in (part.line_up, [rule.a], [rule.b])
            )
            where = f"{facts.map_names[part.map]}, {line_up}"
            claims = rule.elo0, rule.elo1
            told.append(telling.sequential_test(where, a, b, claims, test.verdict, test.llr, test.deals))
    return told


def decided_tests(facts: ReportFacts) -> str:
    """What all sequential tests that have decided say."""
    return " ".join(told for source in facts.sources for told in sequential_tests(facts, source, decided=True))


def wrong_guesses(facts: ReportFacts) -> list[str]:
    """Which levels accused wrongly, and how often; nothing if none did."""
    told = [
        tr(
            "{level} was eliminated by a wrong accusation in {wrong} of its {seats} seats ({share})",
            level=facts.names[entry.level],
            wrong=number(wrong),
            seats=number(entry.seats),
            share=percent(wrong / entry.seats),
        )
        for entry in facts.standings
        if (wrong := facts.play[entry.level].wrong)
    ]
    return [tr("; ").join(told) + "."] if told else []


def reason_word(reason: str) -> str:
    """How a game ended, in a word."""
    return {"solved": tr("solved"), "unsolved": tr("unsolved"), "unfinished": tr("unfinished")}[reason]


def lengths_label(facts: ReportFacts) -> str:
    """What the picture of lengths shows."""
    lengths = facts.lengths
    ends = ", ".join(f"{number(counts.total())} {reason_word(reason)}" for reason, counts in lengths.by_reason.items())
    return tr(
        "Histogram of the turns of {games} ({ends}): mean {mean:.1f}, median {median}, nine in ten between {low} and "
        "{high} turns.",
        games=telling.games(lengths.games),
        ends=ends,
        mean=lengths.mean,
        median=lengths.median,
        low=lengths.middle[0],
        high=lengths.middle[1],
    )


def order_verdict(facts: ReportFacts) -> list[str]:
    """Whether the place in the order of play matters, a sentence for each number of players."""
    return _effect_verdict(
        facts.by_order,
        Phrase("With {players} players the place in the order of play matters: from {low} to {high} ({chance})."),
        Phrase(
            "With {players} players the place in the order of play makes no difference that {deals} could show "
            "({chance})."
        ),
    )


def hand_verdict(facts: ReportFacts) -> list[str]:
    """Whether the number of cards matters, a sentence for each number of players and of cards dealt to them."""
    return _effect_verdict(
        facts.by_hand,
        Phrase(
            "With {players} players, who hold {values} cards, the number of cards matters: from {low} to {high} "
            "({chance})."
        ),
        Phrase(
            "With {players} players, who hold {values} cards, the number of cards makes no difference that {deals} "
            "could show ({chance})."
        ),
    )


def _effect_verdict(effects: list[Effect], matters: Phrase, none: Phrase) -> list[str]:
    told = []
    for effect in effects:
        rates = [rate.value for rate in effect.rates]
        # Two are told in their order, as the numbers of cards are: 3 or 4, from 22 % to 17 %.
        low, high = rates if len(rates) == 2 else (min(rates), max(rates))
        p = effect.p_value
        chance = f"p < {number(0.001, 'g')}" if p < 0.001 else f"p = {number(p, '.3f' if p < 0.1 else '.2f')}"
        told.append(
            tr(
                matters if p < 0.05 and low != high else none,
                players=effect.players,
                values=or_join(map(str, effect.values)),
                low=percent(low),
                high=percent(high),
                deals=telling.deals(effect.deals),
                chance=chance.replace(" ", "\N{NO-BREAK SPACE}"),
            )
        )
    return told


def model_accusations(model: ModelKnowledge) -> str:
    """How a language model accused: with proof, without, and how often it did not although it could be sure."""
    told = [tr("with proof: {count:,}", count=len(model.accusations(accused=True, proved=True)))]
    if model.guess_chance is not None:
        guesses = len(model.accusations(accused=True, proved=False))
        told.append(tr("guessed: {count:,}, at {chance} on average", count=guesses, chance=percent(model.guess_chance)))
    missed = len(model.accusations(accused=False, proved=True))
    return tr("; ").join([*told, *([tr("missed a proof: {count:,}", count=missed)] if missed else [])])


def wrong_claim(facts: ReportFacts, wrong: WrongClaim) -> list[str]:
    """A claim of a language model that is not proved: when it was made, what it says, and why it is wrong."""
    seat = wrong.where.seat
    game = f"{seat.game} ({seat.experiment})" if len(facts.sources) > 1 else str(seat.game)
    return [
        tr("Game {game}, turn {turn}: {claim}.", game=game, turn=wrong.where.turn, claim=tr(wrong.claim)),
        tr("That is false.") if wrong.refuted else tr("That is not proved."),
        *map(tr, wrong.lines),
    ]


def mean(estimate: Estimate) -> str:
    """A mean and its interval, if it has one."""
    value, low, high = map(telling.three_digits, estimate)
    return value if math.isnan(estimate.low) else f"{value} {telling.bracketed(low, high)}"


def html(sentence: str, /, **values: object) -> Markup:
    """A translated sentence as HTML; its values are escaped."""
    return Markup(tr(sentence)).format(**values)


def rate(estimate: Estimate | None) -> str:
    """A share and its interval, if it has one; a dash where there is no share."""
    if estimate is None:
        return "–"
    # The interval of a mean of shares may go beyond what a share can be.
    value, between = telling.in_percent(Estimate(estimate.value, max(0.0, estimate.low), min(1.0, estimate.high)))
    return value if math.isnan(estimate.low) else f"{value} {between}"


def elo(estimate: Estimate) -> str:
    """A rating's interval."""
    return "" if estimate.low == estimate.high else telling.ends(estimate.low, estimate.high, ".0f")
