"""How often guesses of `expert` are right: what is counted, and how it is printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest

from cluedo.ai.opponents import OPPONENT_KINDS, SOLVING_STYLES
from research import guesses
from research.guesses import Forecast, GameForecasts, forecasts, kinds_like, table

HASTY = "expert:caution=-1:samples=20"  # it guesses as soon as it thinks of it


def said_in(games: Iterable[GameForecasts]) -> list[Forecast]:
    return [forecast for game in games for forecast in game.said]


def test_a_guess_is_a_claim_that_is_true_where_it_won():
    games = list(forecasts(f"{HASTY},easy,easy", range(24), 3, map_name="tiny"))
    assert games == list(forecasts(f"{HASTY},easy,easy", range(24), 3, map_name="tiny"))
    assert len(games) == 24
    found = said_in(games)
    assert all(claim.guessed and 0.0 < claim.chance < 1.0 for claim in found)
    assert 15 < len(found) <= 24, "one for each game in which it proved nothing at once: whoever guessed is out"
    assert {claim.true for claim in found} == {False, True}
    assert all(game.won is any(claim.true for claim in game.said) for game in games if game.said)


def test_whoever_never_guesses_claims_nothing_and_a_wait_is_true_where_it_was_won():
    assert said_in(forecasts("expert:caution=1,easy,easy", range(2), 3, map_name="tiny")) == []
    patient = said_in(forecasts("expert:caution=0.9,easy,easy", range(3), 3, map_name="tiny", movement="free"))
    assert patient
    assert all(not claim.guessed and 0.0 <= claim.chance <= 1.0 for claim in patient)
    assert any(claim.true for claim in patient), "nobody else wins"


def test_only_those_written_like_the_first_are_asked():
    games = list(forecasts(f"{HASTY},expert:caution=1,hard", range(6), 3, map_name="tiny"))
    assert all(len(game.said) <= 1 for game in games)
    assert any(not game.won for game in games)


def test_told_how_the_others_solve_it_they_play_the_same_games_and_claim_something_else():
    line_up, deals = f"{HASTY},easy,easy", range(24)
    untold = list(forecasts(line_up, deals, 3, map_name="tiny"))
    told = list(forecasts(line_up, deals, 3, map_name="tiny", told=True))
    assert told == list(forecasts(line_up, deals, 3, map_name="tiny", told=True))
    assert [game.won for game in told] == [game.won for game in untold]
    pairs = list(zip(said_in(untold), said_in(told), strict=True))
    assert pairs
    assert all(after.guessed and after.true is before.true and 0.0 < after.chance <= 1.0 for before, after in pairs)
    assert any(abs(before.chance - after.chance) > 0.1 for before, after in pairs)


@pytest.mark.parametrize(("others", "better"), [("easy", True), ("expert:caution=1", False)])
def test_told_who_sits_there_a_wait_is_worth_more_among_weak_players_and_less_among_its_equals(
    others, better, monkeypatch
):
    monkeypatch.setattr(guesses, "kinds_like", lambda _: kinds_like(others.partition(":")[0]))
    line_up, deals = f"expert:caution=0.9,{others},{others}", range(3)
    untold = said_in(forecasts(line_up, deals, 3, map_name="tiny", movement="free"))
    told = said_in(forecasts(line_up, deals, 3, map_name="tiny", movement="free", told=True))
    assert [claim._replace(chance=0) for claim in told] == [claim._replace(chance=0) for claim in untold]
    assert not any(claim.guessed for claim in told)
    assert all((after.chance > before.chance) is better for before, after in zip(untold, told, strict=True))


def test_informed_that_the_others_note_little_it_guesses_less_and_wins_more():
    known, unknown = (
        list(forecasts("expert,easy,easy", range(12), 3, map_name="tiny", movement="free", informed=informed))
        for informed in (True, False)
    )
    guessed = [sum(claim.guessed for claim in said_in(games)) for games in (known, unknown)]
    assert guessed[0] < guessed[1]
    assert sum(game.won for game in known) > sum(game.won for game in unknown)


@pytest.mark.parametrize("style", [style.name for style in SOLVING_STYLES])
def test_who_is_told_a_solving_style_still_does_not_know_how_they_name_cards(style):
    kinds = kinds_like(style)
    assert kinds.sum() == pytest.approx(1.0)
    assert {kind.solving.name for kind, share in zip(OPPONENT_KINDS, kinds, strict=True) if share} == {style}
    alike = [kind.prior for kind, share in zip(OPPONENT_KINDS, kinds, strict=True) if share]
    assert kinds[kinds > 0.0] == pytest.approx([prior / sum(alike) for prior in alike])


def test_claims_are_told_by_tenths():
    some = [Forecast(True, *said) for said in ((0.55, True), (0.5, False), (0.59, True), (0.995, True))]
    assert table(some) == [
        " 50 to  60 %       3   claimed 0.547   true 0.667   (0.208 to 0.939)",
        " 90 to 100 %       1   claimed 0.995   true 1.000   (0.207 to 1.000)",
        "all                4   claimed 0.659   true 0.750   (0.301 to 0.954)",
    ]
    assert table([]) == []


def test_the_program_prints_a_table_for_each_line_up(monkeypatch, capsys):
    arguments = ["--players", f"{HASTY},easy,easy", "--games", "2", "--map", "tiny", "--seed", "3"]
    monkeypatch.setattr(sys, "argv", ["guesses", *arguments])
    guesses.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{HASTY},easy,easy, tiny, walk: 2 games, ")
    assert lines[0].endswith(f" won by {HASTY}")
    assert lines[1].strip() == "guesses"
    assert lines[-2].startswith("  all                2   claimed ")
    assert lines[-1].strip() == "waits"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--players", "hard,expert,expert"], "exper"),
        (["--players", "expert,exprt,easy"], "exper"),
        (["--map", "nowhere"], "error: "),
        (["--games", "0"], "error: "),
        (["--seed", "-1"], "error: "),
        (["--told", "--players", "expert,easy,random"], "told how random solves the case, only easy, expert"),
        (["--told", "--players", "expert"], "players"),
    ],
)
def test_whatever_cannot_be_played_ends_the_program_with_a_sentence(wrong, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["guesses", "--games", "1", "--map", "tiny", *wrong])
    with pytest.raises(SystemExit) as ended:
        guesses.main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
