"""Compares what `expert` claims with what happens: how often its guesses are right, and how often it wins by waiting.

Run as a program it plays games on a seed of its own and prints for each table the share of games that `expert` won, and
by tenths of what was claimed, how many claims there were, their mean, the share that came true and its 95 % interval:

    python -m research.guesses

- *guesses*: accusations without a proof, what it claims of each by 4,000 deals of which nothing was picked, and whether
  they were right;
- *waits*: turns in which a guess of 20 % or more was weighed and not made, and whether that player won the game. Turns
  of one game depend on each other, so these intervals are too narrow.

With ``--told`` the games are the same, and `expert` claims what it would if it had known from the beginning how the
others solve the case: so one sees how much of its error comes from having to learn who they are. With ``--informed`` it
plays by that knowledge: so one sees how many games having to learn it costs. To let only one of several know it, write
that one differently, as in ``--players expert:caution=0,expert,expert,expert``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge import entropy
from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.ai.level_expert import ExpertPlayer, WinChances
from cluedo.ai.levels import parse_players, split_players
from cluedo.ai.opponents import KINDS_PRIOR, OPPONENT_KINDS, DealLikelihoods, Opponents, Outlook, weighed_envelopes
from cluedo.ai.race import value_of_waiting
from cluedo.engine.commands import Accusation
from cluedo.engine.errors import CluedoError, PlayerError
from cluedo.engine.view import PlayerView
from cluedo.experiments.read.stats import wilson_interval
from research.games import matches

__all__ = ["TABLES", "Forecast", "Forecaster", "GameForecasts", "forecasts", "kinds_like", "table"]

TABLES = {
    "easy": "expert,easy,easy,easy",
    "medium": "expert,medium,medium,medium",
    "hard": "expert,hard,hard,hard",
    "expert": "expert,expert,expert,expert",
}
"""Line-ups by name."""

_BINS = 10
_DEALS = 4_000  # that say how likely a guess is to be right
_NEARLY = 1.0 - 1e-9  # a chance that is no proof
_LEAST = 0.2  # a wait is counted where a guess had this chance: below, there was little to weigh


class Forecast(NamedTuple):
    """A chance that `expert` claimed, and whether it came true.

    Attributes:
        guessed: whether it accused; else it waited.
        chance: how likely it said the envelope was, or that it would win if it waited.
        true: whether it was.
    """

    guessed: bool
    chance: float
    true: bool


class GameForecasts(NamedTuple):
    """The forecasts in a game of the players named like the first of the line-up, and whether one of them won."""

    said: list[Forecast]
    won: bool


class _Informed(Opponents):
    """Judges the others by how likely each of OPPONENT_KINDS is known to be, an array (kinds)."""

    __slots__ = ("kinds",)
    kinds: Floats

    def outlook(self, likelihoods: DealLikelihoods, prior: Floats | None = None) -> Outlook:
        return super().outlook(likelihoods, self.kinds if prior is None else prior)


class Forecaster(ExpertPlayer):
    """`expert`, and what it said whenever it weighed a guess: (whether it guesses, how likely it is to win so).

    Attributes:
        kinds: how likely each of OPPONENT_KINDS is, an array (kinds): it claims what it would had it known this.
        informed: whether it plays by that, too.
    """

    kinds: Floats = KINDS_PRIOR
    informed = False

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.said: list[tuple[bool, float]] = []
        if self.informed:
            self._opponents = known = _Informed(self._reader.evidence, self._model)
            known.kinds = self.kinds

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        answer = super().choose_accusation(view)
        if answer is not None:
            if self._odds.joint.max() < 1.0:
                self.said.append((True, self._chances(answer).guess))
        elif self.weighed is not None and self.weighed.guess >= _LEAST:
            as_it_weighed = self.informed or self.kinds is KINDS_PRIOR
            self.said.append((False, self.weighed.wait if as_it_weighed else self._chances(None).wait))
        return answer

    def _chances(self, guess: Accusation | None) -> WinChances:
        """How likely a guess is to be right, or the likeliest envelope, and to win by playing on.

        By deals of which nothing was picked: whoever decides by a few guesses where these flatter an envelope, so what
        was weighed is too high on average (the winner's curse).
        """
        random = Random(len(self._reader.evidence.facts))  # of its own: the game goes on as it would
        deals = self._odds.sample(random, _DEALS)
        outlook = self._opponents.outlook(self._opponents.likelihoods(deals, random.getrandbits(62)), self.kinds)
        joint = weighed_envelopes(self._odds.joint, deals, outlook.weights, self._envelope).joint
        best = min(float(joint.max()), _NEARLY)
        waiting = value_of_waiting(entropy(joint), best, self._opponents.race, outlook.survival)
        if guess is not None:
            first = [ids.start for ids in self._reader.evidence.deck.ids]
            at = tuple(card - start for card, start in zip(guess.cards, first, strict=True))
            best = min(float(joint[at]), _NEARLY)
        return WinChances(best, waiting)


def forecasts(
    line_up: str,
    deals: range,
    seed: int,
    *,
    map_name: str = "manoir",
    movement: str = "walk",
    told: bool = False,
    informed: bool = False,
) -> Iterator[GameForecasts]:
    """The forecasts of the first player of a line-up, an `expert`, and of others with the same name, one game a deal.

    The line-up turns round the table with the deals. If they are ``told``, they claim what they would had they known
    that all others solve the case as the last player of the line-up does; ``informed``, they play by it, too.

    Raises:
        CluedoError: this cannot be played; or they are told, and the last player is none of the known solving styles.
    """
    specs = parse_players(split_players(line_up))
    kinds = kinds_like(specs[-1].text) if told or informed else KINDS_PRIOR
    specs = [replace(spec, player_class=Forecaster) if spec == specs[0] else spec for spec in specs]
    for _, match in matches(specs, deals, seed, board=map_name, movement=movement):
        experts = {seat: player for seat, player in enumerate(match.players) if isinstance(player, Forecaster)}
        for player in experts.values():
            player.kinds, player.informed = kinds, informed
        winner = match.play().winner
        said = [Forecast(*words, winner == seat) for seat, player in experts.items() for words in player.said]
        yield GameForecasts(said, winner in experts)


def kinds_like(player: str) -> Floats:
    """How likely each of OPPONENT_KINDS is if somebody solves the case like a player: an array (kinds)."""
    shares: Floats = np.array([kind.prior * (kind.solving.name == player) for kind in OPPONENT_KINDS])
    if not shares.any():
        styles = ", ".join(sorted({kind.solving.name for kind in OPPONENT_KINDS}))
        raise PlayerError("nobody can be told how {what} solves the case, only {known}", what=player, known=styles)
    shares /= shares.sum()
    return shares


def table(found: Iterable[Forecast]) -> list[str]:
    """A line for each tenth of claimed chance, and one for all."""
    found = sorted(found, key=lambda claim: claim.chance)
    lines = []
    for tenth in range(_BINS):
        some = [claim for claim in found if min(int(_BINS * claim.chance), _BINS - 1) == tenth]
        if some:
            lines.append(f"{100 * tenth // _BINS:3} to {100 * (tenth + 1) // _BINS:3} %  " + _line(some))
    if found:
        lines.append(f"{'all':12}  " + _line(found))
    return lines


def _line(some: Sequence[Forecast]) -> str:
    mean, true = sum(claim.chance for claim in some) / len(some), sum(claim.true for claim in some)
    low, high = wilson_interval(true, len(some))
    return f"{len(some):6,}   claimed {mean:.3f}   true {true / len(some):.3f}   ({low:.3f} to {high:.3f})"


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m research.guesses", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2_500, help="games of each line-up, one for each deal")
    parser.add_argument("--seed", type=int, default=880_040, help="of the deals; nothing is fitted on this one")
    parser.add_argument("--map", default="manoir", help="the board")
    parser.add_argument("--movement", default="walk", choices=("walk", "free"), help="how pawns move")
    parser.add_argument("--told", action="store_true", help="claim as if it had known that all solve it like the last")
    parser.add_argument("--informed", action="store_true", help="play as if it had known that, too")
    parser.add_argument(
        "--players", action="append", help="a line-up, an expert first, in place of the four; may be given again"
    )
    arguments = parser.parse_args()
    line_ups = arguments.players or TABLES.values()
    if arguments.games < 1:
        parser.error("--games is 1 at least")
    try:
        if any(parse_players(split_players(line_up))[0].player_class is not ExpertPlayer for line_up in line_ups):
            parser.error("the first player of a line-up has to be an expert")
        _play(line_ups, arguments)
    except CluedoError as error:
        parser.error(str(error))


def _play(line_ups: Iterable[str], arguments: argparse.Namespace) -> None:
    deals, where = range(arguments.games), {"map_name": arguments.map, "movement": arguments.movement}
    for line_up in line_ups:
        known = {"told": arguments.told, "informed": arguments.informed}
        games = list(forecasts(line_up, deals, arguments.seed, **where, **known))
        won, found = sum(game.won for game in games), [forecast for game in games for forecast in game.said]
        low, high = wilson_interval(won, len(games))
        print(f"{line_up}, {arguments.map}, {arguments.movement}: {len(games):,} games,", end=" ")
        print(f"{won / len(games):.3f} ({low:.3f} to {high:.3f}) won by {line_up.partition(',')[0]}")
        for title, guessed in (("guesses", True), ("waits", False)):
            print("  " + "\n  ".join([title, *table(claim for claim in found if claim.guessed is guessed)]), flush=True)


if __name__ == "__main__":
    main()
