"""The review of a game in words: a summary, a row for each turn, and which choices could have been better."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cluedo.ai.knowledge.evidence import place_names
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.seat_knowledge import uncertainty
from cluedo.ai.review import Review, TurnReview, review, turning_point
from cluedo.engine.cards import Triple
from cluedo.engine.events import HypothesisMade
from cluedo.engine.game import Game
from cluedo.engine.phrase import Phrase, percentage
from cluedo.engine.state import Table
from cluedo.language import number, tr, tr_count
from cluedo.session.line_up import person_name
from cluedo.words.narration import and_join, beside_the_board, turns_of

__all__ = [
    "OPEN_ENVELOPES",
    "KnowledgeCurve",
    "ReviewText",
    "Rows",
    "TurnLine",
    "curve_lines",
    "model_note",
    "questions",
    "review_json",
    "review_paragraphs",
    "summary",
    "tell_reviews",
    "turn_rows",
]

_TELLING = 0.005
"""Bits that are shown as 0.00 are not worth a word."""
_WORTH_SAYING = 0.05
"""Bits by which a question was worse than the best, from which on it is named."""
_TELLING_SHARE, _FAIR_SHARE = 0.8, 0.4
"""The least shares of what the best question promised, of one that is called telling or fair."""
OPEN_ENVELOPES = Phrase("Likely envelopes, turn by turn")
_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 60
"""Bars that a line has room for."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of texts: its heads, its rows, in which columns numbers stand, and by row its turn if they are turns."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int]
    turns: tuple[int, ...] = ()


class TurnLine(NamedTuple):
    """A line about a turn."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class KnowledgeCurve:
    """How many envelopes were open for a player, likely ones counting more: two to the power of the bits unknown.

    Attributes:
        seat, name: the player's.
        open: at the deal, then after each turn; the solution, once told, is left out.
    """

    seat: int
    name: str
    open: tuple[float, ...]

    @property
    def ends(self) -> str:
        """How many were open at the deal and at the end."""
        return tr("{first} → {last}", first=number(self.open[0], ",.0f"), last=number(self.open[-1], ",.0f"))


@dataclass(frozen=True, slots=True)
class ReviewText:
    """A review in words.

    Attributes:
        name: the player's suspect, or all players.
        player: what plays there; None for all players.
        sentences: what is said first.
        rows: a table of the turns, or of the players; None where there is nothing to tell.
        lists: more lines, below their titles.
        curves: who knew how much when.
    """

    name: str
    player: str | None
    sentences: Sequence[str]
    rows: Rows | None = None
    lists: Sequence[tuple[str, Sequence[TurnLine]]] = ()
    curves: Sequence[KnowledgeCurve] = ()

    @property
    def title(self) -> str:
        """Who, and what plays there."""
        return f"{self.name} ({self.player})"


def review_json(game: Game, viewer: int | None) -> dict[str, Any]:
    """One seat's review, or all of them and when the winner took the lead, by name."""
    table = game.table
    names = place_names(table.names, pool=table.pool_size > 0, face_up=table.open_cards > 0)
    if viewer is not None:
        return {"model": CHOICE.name, **review(game, viewer).to_json(table.deck, names)}
    winner = game.state.winner
    return {
        "model": CHOICE.name,
        "winner": None if winner is None else names[winner],
        "turning": turning_point(game, uncertainty(game, CHOICE)),
        "reviews": [review(game, seat).to_json(table.deck, names) for seat in range(table.seats)],
    }


def _lead_sentence(game: Game) -> str:
    """When the winner took the lead for good; "" if nobody won."""
    winner = game.state.winner
    if winner is None:
        return ""
    turn, who = turning_point(game, uncertainty(game, CHOICE)), game.table.name(winner)
    if turn is None:
        return tr("{who} won without ever being ahead for good: somebody else knew more at the end.", who=who)
    if turn == 0:
        return tr("Nobody ever knew more about the envelope than {who}.", who=who)
    if turn == game.state.turn:
        return tr("{who} took the lead in the last turn: until then, somebody else knew more.", who=who)
    return tr("Turning point: from turn {turn} on, nobody knew more about the envelope than {who}.", turn=turn, who=who)


def tell_reviews(game: Game, players: Sequence[str], viewer: int | None) -> list[ReviewText]:
    """One seat's review, or that of all of them in short, then each of them.

    Raises:
        CluedoError: the deals that fitted are too many to count.
    """
    table = game.table
    found = [review(game, seat) for seat in (range(table.seats) if viewer is None else [viewer])]
    players = [person_name(player) for player in players]
    told = [_review_text(one, game, players[one.seat]) for one in found]
    if viewer is None:
        lead = _lead_sentence(game)
        curves = [_curve(one, table) for one in found]
        rows = _overview(found, table, players)
        told.insert(0, ReviewText(tr("all players"), None, [lead] if lead else [], rows, curves=curves))
    return told


def _review_text(found: Review, game: Game, player: str) -> ReviewText:
    table = game.table
    lists = (
        (tr("What was found out"), _found_out(found, table)),
        (tr("The questions"), questions(found, table)),
    )
    return ReviewText(
        table.name(found.seat),
        player,
        list(summary(found, table)),
        turn_rows(found, game) if found.turns else None,
        [(title, lines) for title, lines in lists if lines],
        [_curve(found, table)],
    )


def review_paragraphs(reviews: Sequence[ReviewText]) -> list[list[str]]:
    """Each review in paragraphs, for where there is no room for tables; that of all players has the others in short."""
    told = []
    for one in reviews:
        if one.player is not None:
            paragraphs = [one.title, "\n".join(one.sentences)]
        else:
            short = ["\n".join([each.title, *each.sentences]) for each in reviews if each.player is not None]
            paragraphs = [*one.sentences, *short]
        if one.curves:
            paragraphs.append("\n".join([tr(OPEN_ENVELOPES), *curve_lines(one.curves)]))
        paragraphs += ["\n".join([title, *(line.text for line in lines)]) for title, lines in one.lists]
        told.append([*paragraphs, model_note()] if one.rows else paragraphs)
    return told


def model_note() -> str:
    """Where the numbers come from."""
    return tr(
        "Promised, best and told say how often an answer halves the envelopes, likely ones counting more: 1 leaves "
        "half of them, 2 a quarter; below 0 it left more open than before. What an answer told beyond what its "
        "question promised is luck. Likely is how many envelopes were left, counted in the same way: fewer than "
        "were possible, if some were likelier. All figures are those of the model choice, from what was known at the "
        "time: exact, or sampled where the deals were too many to count."
    )


def summary(review: Review, table: Table) -> Iterator[str]:
    """A few sentences: when it was certain and accused, how well it asked, how lucky it was, the turning point."""
    yield _certainty(review)
    if accused := _accusation(review):
        yield accused
    asked = len(review.questions)
    if asked:
        yield tr_count(
            "Asked once: that promised to halve the envelopes {expected:.1f} times, the best question in the same "
            "room {best:.1f} times.",
            "Asked {count} times: that promised to halve the envelopes {expected:.1f} times, the best questions in "
            "the same rooms {best:.1f} times.",
            asked,
            expected=review.expected,
            best=review.best,
        )
        yield tr(
            "The answers halved them {learnt:.1f} times (luck: {luck:+.1f}), everything else {heard:.1f} times.",
            learnt=review.learnt,
            luck=review.luck,
            heard=review.heard,
        )
    if review.missed >= _WORTH_SAYING:
        yield tr(
            "Better rooms within reach promised to halve the envelopes {missed:.1f} times more, over all turns.",
            missed=review.missed,
        )
    if review.turning is not None:
        turn = review.turns[review.turning - 1]
        yield tr(
            "No turn told more than turn {turn} ({who}): it halved the envelopes {times:.1f} times.",
            turn=turn.turn,
            who=table.name(turn.seat),
            times=turn.learnt,
        )


def _certainty(review: Review) -> str:
    suspect, weapon, room = review.settled
    proved = []
    if suspect is not None:
        proved.append(tr("the suspect from turn {turn}", turn=suspect))
    if weapon is not None:
        proved.append(tr("the weapon from turn {turn}", turn=weapon))
    if room is not None:
        proved.append(tr("the room from turn {turn}", turn=room))
    if review.certain is not None:
        if {suspect, weapon, room} == {review.certain}:
            return tr("Certain from turn {turn} on.", turn=review.certain)
        return tr("Certain from turn {turn} on ({parts}).", turn=review.certain, parts=and_join(proved))
    told = and_join(proved) if proved else tr("no card of the envelope")
    if not review.turns:
        return tr("Not certain to the end. Proved: {parts}.", parts=told)
    left = max(2, round(2.0 ** review.turns[-1].after))
    return tr(
        "Not certain to the end. Proved: {parts}; about {count:,} likely envelopes were left.", parts=told, count=left
    )


def _accusation(review: Review) -> str:
    guess, earliest = review.accusation, review.earliest
    if guess is None:
        if earliest is None:
            return ""
        return tr("Could have accused with proof from turn {turn} on, but did not.", turn=earliest)
    verdict = tr("right") if guess.correct else tr("wrong")
    if guess.chance < 1.0:
        return tr(
            "Guessed in turn {turn}, with a chance of {chance}: {verdict}.",
            turn=guess.turn,
            chance=percentage(guess.chance),
            verdict=verdict,
        )
    if earliest is not None and earliest < guess.turn:
        return tr(
            "Accused in turn {turn}, although the proof was complete in turn {earliest}: {verdict}.",
            turn=guess.turn,
            earliest=earliest,
            verdict=verdict,
        )
    return tr("Accused in turn {turn}, as early as possible: {verdict}.", turn=guess.turn, verdict=verdict)


def turn_rows(review: Review, game: Game) -> Rows:
    """A row for each turn of the seat, and for each other turn in which it learnt something."""
    table = game.table
    asked = {turn: event.cards for turn, _, event in turns_of(game.events) if isinstance(event, HypothesisMade)}
    heads = (
        tr("turn"),
        tr("who"),
        tr("asked"),
        tr("promised"),
        tr("best"),
        tr("told"),
        tr("likely"),
        tr("proved"),
    )
    turns = [turn for turn in review.turns if turn.seat == review.seat or turn.proved or abs(turn.learnt) >= _TELLING]
    rows = [_row(turn, table, asked.get(turn.turn)) for turn in turns]
    return Rows(heads, tuple(rows), frozenset({0, 3, 4, 5, 6, 7}), tuple(turn.turn for turn in turns))


def _row(turn: TurnReview, table: Table, cards: Triple | None) -> tuple[str, ...]:
    question = turn.question
    asked = table.deck.listed(cards) if cards else "–"
    return (
        str(turn.turn),
        table.name(turn.seat),
        asked,
        _times(question.expected) if question else "",
        _times(question.best.bits) if question else "",
        _times(turn.learnt),
        number(2.0**turn.after, ",.0f"),
        str(len(turn.proved)) if turn.proved else "",
    )


def _found_out(review: Review, table: Table) -> list[TurnLine]:
    """By turn, the cards whose place was proved."""
    told = []
    for turn in review.turns:
        found = [proof for proof in turn.proved if proof.there]
        if found:
            parts = and_join(_proof(proof.card, proof.place, table) for proof in found)
            told.append(TurnLine(turn.turn, tr("Turn {turn}: {proofs}.", turn=turn.turn, proofs=parts)))
    return told


def _proof(card: int, place: int, table: Table) -> str:
    name = table.deck.names[card]
    if place < table.seats:
        return tr("{card} with {who}", card=name, who=table.name(place))
    beside = beside_the_board(table)
    if place == table.seats + len(beside):
        return tr("{card} in the envelope", card=name)
    return f"{name} ({beside[place - table.seats]})"


def questions(review: Review, table: Table) -> list[TurnLine]:
    """By turn, how telling the seat's question was beside the best one, in its room or in one within reach."""
    return [TurnLine(turn.turn, line) for turn in review.turns if (line := _question(turn, table))]


def _question(turn: TurnReview, table: Table) -> str:
    asked, best, listed = turn.question, turn.reachable, table.deck.listed
    if asked is None:
        if best is None or best.bits < _WORTH_SAYING:
            return ""
        return tr("Turn {turn}: nothing, but {cards} was within reach.", turn=turn.turn, cards=listed(best.cards))
    if best is None or best.bits < asked.best.bits + _WORTH_SAYING:
        best = asked.best
    told = {"turn": turn.turn, "cards": listed(asked.cards), "better": listed(best.cards)}
    if best.bits < _WORTH_SAYING:
        return tr("Turn {turn}: {cards}: no question within reach could tell much.", **told)
    if asked.expected >= _TELLING_SHARE * best.bits:
        return tr("Turn {turn}: {cards}: telling.", **told)
    if asked.expected >= _FAIR_SHARE * best.bits:
        return tr("Turn {turn}: {cards}: fair; {better} would have told more.", **told)
    return tr("Turn {turn}: {cards}: wasted; {better} would have told more.", **told)


def _curve(review: Review, table: Table) -> KnowledgeCurve:
    bits = [review.turns[0].before, *(turn.after for turn in review.turns)] if review.turns else []
    return KnowledgeCurve(review.seat, table.name(review.seat), tuple(2.0**left for left in bits))


def curve_lines(curves: Sequence[KnowledgeCurve]) -> list[str]:
    """A line for each player: bars as high as the envelopes that were open, on a logarithmic scale, and how many."""
    most = max((max(curve.open, default=1.0) for curve in curves), default=1.0)
    width = max((len(curve.name) for curve in curves), default=0)
    return [f"{curve.name:<{width}}  {_bars(curve.open, most)}  {curve.ends}" for curve in curves if curve.open]


def _bars(values: Sequence[float], most: float) -> str:
    """One bar for a turn, or for the last of several where there are too many turns for a line."""
    step = math.ceil(len(values) / _WIDEST)
    shown = values[::-1][::step][::-1]
    return "".join(_BARS[round((len(_BARS) - 1) * math.log(value) / math.log(max(most, 2.0)))] for value in shown)


def _overview(reviews: Sequence[Review], table: Table, players: Sequence[str]) -> Rows:
    """All seats in short, a row each."""
    heads = (
        tr("player"),
        tr("asked"),
        tr("promised"),
        tr("best"),
        tr("told"),
        tr("luck"),
        tr("heard"),
        tr("certain"),
        tr("accused"),
    )
    rows = []
    for found, player in zip(reviews, players, strict=True):
        guess = found.accusation
        accused = f"{guess.turn} {'✓' if guess.correct else '✗'}" if guess else "–"
        rows.append(
            (
                f"{table.name(found.seat)} ({player})",
                str(len(found.questions)),
                _times(found.expected),
                _times(found.best),
                _times(found.learnt),
                number(found.luck, "+.2f"),
                _times(found.heard),
                "–" if found.certain is None else str(found.certain),
                accused,
            )
        )
    return Rows(heads, tuple(rows), frozenset(range(1, 9)))


def _times(value: float) -> str:
    return number(value if abs(value) >= _TELLING else 0.0, ".2f")
