"""Whether to accuse without a proof: what is said of winning by playing on, and where nothing is said."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.cases import some
from helpers.support import drawn_game, make_match
from helpers.tables import noted_game

from cluedo.ai.accuse_or_wait import (
    TABLE_KINDS,
    Advice,
    Chances,
    advise,
    chance_terms,
    chances,
    is_fitted_table,
    outlooks,
)
from cluedo.ai.knowledge import CHOICE, UNIFORM, EvidenceReader, SeatKnowledge, case_log
from cluedo.ai.knowledge.caselog import Setting
from cluedo.ai.race import AHEAD
from cluedo.engine.board import Board
from cluedo.engine.events import TurnEnded, as_seen_by
from cluedo.session.case.grammar import Grammar
from research.chances import moments


def known_after(setting: Setting, entries, model=CHOICE) -> SeatKnowledge:
    return SeatKnowledge(setting.log(entries).evidence(), model)


def weighed(seats: int = 4, seed: int = 5) -> tuple[Setting, tuple, Advice]:
    """A case in which a guess is weighed for the first time."""
    setting, entries = noted_game("classic", seats, seed)
    for count in range(len(entries)):
        advice = advise(known_after(setting, entries[:count]))
        if advice.chances is not None:
            return setting, entries[:count], advice
    raise AssertionError


def chance(kind: int, bits: float, best: float, seats: int, survival: np.ndarray) -> float:
    """How likely it is to win by playing on, at a table of a kind."""
    odds = chance_terms(bits, best, seats, survival) @ np.array(TABLE_KINDS[kind].wins)
    return float(1.0 / (1.0 + np.exp(-odds)))


@pytest.mark.parametrize("kind", range(len(TABLE_KINDS)))
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_the_sooner_others_win_the_less_waiting_is_worth_and_where_one_wins_next_turn_nothing(kind, seats):
    dangers = (0.0, 0.1, 0.3, 0.6, 0.9)
    for bits, best in ((1.0, 0.6), (3.0, 0.2)):
        chances = [chance(kind, bits, best, seats, (1.0 - danger) ** np.arange(1, AHEAD + 1)) for danger in dangers]
        assert chances == sorted(chances, reverse=True)
        assert len(set(chances)) == len(dangers)


@pytest.mark.parametrize("kind", range(len(TABLE_KINDS)))
def test_a_guess_is_worth_more_the_likelier_it_is(kind):
    survival = 0.9 ** np.arange(1, AHEAD + 1)
    best_ones = (0.0, 0.1, 0.3, 0.6, 0.9)  # 0.0 where other deals were sampled than those that are shown
    odds = [chance_terms(2.0, best, 4, survival) @ np.array(TABLE_KINDS[kind].right) for best in best_ones]
    assert odds == sorted(odds)


def test_a_careless_table_leaves_time_and_a_guessing_one_little():
    for seats, seed in ((3, 1), (4, 5), (6, 1)):
        found = weighed(seats, seed)[2].chances
        careless, careful, guessing = found.waits
        assert 1.0 > careless > careful > guessing > 0.0
        assert sum(found.shares) == pytest.approx(1.0)
        assert guessing < found.wait < careless
        assert min(found.guesses) < found.guess < max(found.guesses)


def test_what_is_said_in_all_weighs_the_sorts_by_how_likely_they_are():
    found = Chances((0.5, 0.5, 0.3), (0.9, 0.6, 0.2), (0.5, 0.25, 0.25))
    assert (found.guess, found.wait) == pytest.approx((0.45, 0.65))


def test_a_guess_is_advised_where_it_is_likelier_to_win_than_to_wait():
    for guess, accuse in ((0.66, True), (0.64, False)):
        found = Chances((guess,) * 3, (0.9, 0.6, 0.2), (0.5, 0.25, 0.25))
        assert Advice((0, 6, 12), 0.66, found).accuse is accuse
        assert not Advice((0, 6, 12), 0.64, found).accuse, "by the odds that are shown waiting is better"
    assert not Advice((0, 6, 12), 0.99, None).accuse, "nobody knows what waiting is worth"
    assert Advice((0, 6, 12), 1.0, None).accuse


def test_who_is_left_alone_wins_by_waiting():
    """Both others are out: whoever waits for a proof cannot lose any more."""
    setting, entries, _ = weighed(3, 1)
    known = known_after(setting, entries)
    wrong = [cards for cards, _ in known.envelopes[-2:]]
    names = setting.deck.names
    grammar = Grammar(setting)
    for seat, cards in zip((1, 2), wrong, strict=True):
        line = f"{setting.names[seat]} accuses {', '.join(names[card] for card in cards)} wrong"
        entries = (*entries, grammar.parse(line))
    assert advise(known_after(setting, entries)).chances.waits == (1.0, 1.0, 1.0)


def test_the_same_case_is_always_advised_the_same():
    setting, entries, advice = weighed()
    assert advise(known_after(setting, entries)) == advice
    assert (advice.cards, advice.probability) == known_after(setting, entries).envelopes[0]


def test_whichever_odds_are_shown_waiting_is_worth_the_same():
    setting, entries, advice = weighed()
    shown = known_after(setting, entries, UNIFORM)
    other = advise(shown)
    assert (other.cards, other.probability) == shown.envelopes[0]
    assert other.chances == advice.chances


def test_the_guess_that_is_weighed_is_the_likeliest_of_the_odds_that_are_shown():
    """Not that of `choice`, beside which another would stand as likelier; nor does it count as if it were likelier."""
    setting, entries = noted_game("classic", 4, 5)
    shown, by_choice = (known_after(setting, entries[:14], model) for model in (UNIFORM, CHOICE))
    cards, best = shown.envelopes[0]
    assert shown.chance(by_choice.envelopes[0][0]) < best - 0.2
    weighed_one, likeliest = advise(shown), advise(by_choice)
    assert (weighed_one.cards, weighed_one.probability) == (cards, best)
    assert weighed_one.chances.guess < likeliest.chances.guess
    assert weighed_one.chances.waits == likeliest.chances.waits


def test_a_log_says_the_same_as_the_seat_that_it_tells_of():
    """A log numbers entries, a seat's evidence turns: who accused in the same turn did not keep silent."""
    compared = accused = 0
    for deal in (4, 6):
        game = drawn_game(Board.load("manoir"), 3, 8, deal)
        make_match(game, ["expert:caution=-1", "hard", "expert:caution=-1"], deal).play()
        again = drawn_game(Board.load("manoir"), 3, 8, deal)
        for command in game.commands:
            events = again.execute(command)
            if again.over or not any(isinstance(event, TurnEnded) for event in events) or compared > 30:
                continue
            seat = SeatKnowledge(EvidenceReader(again.view(1)).evidence, CHOICE)
            if seat.certain:
                break
            log = case_log(again.table, [as_seen_by(e, 1) for e in again.events], 1, again.state.deal.hands[1])
            found = outlooks(SeatKnowledge(log.evidence(), CHOICE))
            for one, other in zip(found, outlooks(seat), strict=True):
                assert (one.survival == other.survival).all()
            compared += 1
            accused += again.view(1).eliminated != 0
    assert compared > 5
    assert accused > 0


@pytest.mark.parametrize(
    ("seats", "changed"),
    [(4, {"movement": "free"}), (4, {"dice": 1}), (4, {"max_turns": 40}), (2, {"pool": 4}), (5, {"leftover": "open"})],
)
def test_of_other_tables_nothing_is_said_but_the_odds_of_the_guess(seats, changed):
    game = drawn_game(Board.load("classic"), seats, 3, **changed)
    evidence = EvidenceReader(game.view(0)).evidence
    assert not is_fitted_table(evidence)
    assert is_fitted_table(
        EvidenceReader(drawn_game(Board.load("classic"), 5, 3, starts="first_suspect").view(0)).evidence
    )
    assert is_fitted_table(EvidenceReader(drawn_game(Board.load("classic"), 4, 3, max_turns=2000).view(0)).evidence)
    assert not is_fitted_table(EvidenceReader(drawn_game(Board.load("tiny"), 3, 3).view(0)).evidence)
    advice = advise(SeatKnowledge(evidence, CHOICE))
    assert advice.chances is None
    assert not advice.accuse


def test_a_spectator_is_not_advised():
    setting, _ = noted_game("classic", 4, 5)
    table = Setting(setting.board, setting.names, setting.sizes)
    assert advise(known_after(table, ())) is None


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "others"), some(enumerate(("medium", "hard", "expert")), 1))
def test_what_is_said_of_waiting_comes_true_and_what_is_said_of_other_tables_does_not(kind, others):
    """Within what so few games leave to chance: three standard errors, the moments of a game counted as one."""
    games = 150  # with a third of them two kinds of tables cannot be told apart
    said, won = [], []
    for moment in moments(others, 4, range(games), 990_801, "manoir"):
        known = SeatKnowledge(moment.evidence, CHOICE)
        said.append(chances(known, known.envelopes[0][0]).waits)
        won.append(moment.won)
    errors = []
    for mean in np.mean(said, 0):
        error = np.sqrt(mean * (1.0 - mean) / games)
        errors.append(abs(mean - np.mean(won)) / (3.0 * error + 0.05))
    assert [error < 1.0 for error in errors] == [which == kind for which in range(len(TABLE_KINDS))]
