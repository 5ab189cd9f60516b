"""Scores of answers, by hand."""

from __future__ import annotations

import json
import math

import pytest

from cluedo.ai.positions import ExactAnswer, Finding, GivenAnswer, grade, read_answers, read_key, totals
from cluedo.engine.errors import CluedoError

EXACT = ExactAnswer(
    "tiny",
    2,
    (("Plum", "White"), ("Rope", "Dagger"), ("Hall", "Study")),
    8,
    1.5,
    {
        "Plum": {"Ann": 0.0, "Bob": 0.5, "envelope": 0.5},
        "White": {"Ann": 0.0, "Bob": 0.5, "envelope": 0.5},
        "Rope": {"Ann": 1.0, "Bob": 0.0, "envelope": 0.0},
        "Dagger": {"Ann": 0.0, "Bob": 0.0, "envelope": 1.0},
        "Hall": {"Ann": 0.25, "Bob": 0.0, "envelope": 0.75},
        "Study": {"Ann": 0.75, "Bob": 0.0, "envelope": 0.25},
    },
    (Finding("Dagger", "envelope", True, 2), Finding("Hall", "Bob", False, 4)),
    ("Plum", "Dagger", "Hall"),
    0.375,
    (((0.1, 0.2), (0.9, 1.0)), ((0.3, 0.4), (0.5, 0.6))),
    {},
)
EVEN = 0.5 * math.log2(0.5) * 2
KEY = {"tiny": EXACT}


def read(**parts: object) -> GivenAnswer:
    """The answer of one line."""
    return read_answers(json.dumps({"id": "tiny"} | parts).encode(), KEY)["tiny"]


def test_all_proofs_the_exact_odds_and_the_best_question_lose_nothing():
    odds = {name: row["envelope"] for name, row in EXACT.cards.items()}
    proved = [["Dagger", "envelope", True], ["Hall", "Bob", False]]
    said = read(proved=proved, envelope=odds, question=["Plum", "Dagger", "Study"])
    score = grade(EXACT, said)
    assert (score.found, score.wanted, score.wrong, score.complete) == (2, 2, 0, True)
    assert score.odds_lost == pytest.approx(0.0, abs=1e-9)
    assert (score.gain, score.question_lost) == (1.0, 0.0)


def test_statements_are_found_wrong_refuted_or_beside_the_point():
    said = read(
        proved=[
            ["Dagger", "envelope", True],  # one of two to be found
            ["Rope", "Ann", True],  # proved, though nobody had to prove it
            ["White", "envelope", False],  # open
            ["Hall", "Bob", True],  # the opposite is proved
        ]
    )
    score = grade(EXACT, said)
    assert (score.found, score.wrong, score.refuted, score.complete) == (1, 2, 1, False)


def test_odds_are_scored_by_the_mean_log_of_what_is_said_of_the_card_in_the_envelope():
    said = read(envelope={"Plum": 0.5, "White": 0.5, "Rope": 0.5, "Dagger": 0.5, "Hall": 0.5, "Study": 0.5})
    score = grade(EXACT, said)
    assert score.log_score == pytest.approx(-3.0)
    best = EVEN + 0.75 * math.log2(0.75) + 0.25 * math.log2(0.25)
    assert score.best_score == pytest.approx(best)
    assert score.odds_lost == pytest.approx(best + 3.0)


def test_cards_left_out_share_the_rest_and_what_is_more_than_one_is_scaled():
    assert grade(EXACT, read(envelope={"Hall": 0.75})) == grade(EXACT, read(envelope={"Hall": 0.75, "Study": 0.25}))
    assert grade(EXACT, read(envelope={"Hall": 1.0, "Study": 1.0})).log_score == pytest.approx(-3.0)
    assert grade(EXACT, read(envelope={"Hall": 0.0, "Study": 0.0})).log_score == pytest.approx(-3.0)


def test_to_rule_out_what_is_certain_costs_ten_bits_and_not_the_world():
    lost = grade(EXACT, read(envelope={"Rope": 1.0, "Dagger": 0.0})).odds_lost
    assert lost - grade(EXACT, read(envelope={"Rope": 0.0, "Dagger": 1.0})).odds_lost == pytest.approx(
        math.log2(1000), abs=0.01
    )


@pytest.mark.parametrize("said", [None, {}, {"proved": None, "envelope": None, "question": None}])
def test_what_is_not_said_counts_as_nothing_proved_even_odds_and_no_question(said):
    score = grade(EXACT, None if said is None else read(**said))
    assert (score.found, score.wrong, score.complete) == (0, 0, False)
    assert score.log_score == pytest.approx(-3.0)
    assert (score.gain, score.question_lost) == (0.0, 1.0)
    assert score.answered == (said is not None)


def test_totals_are_sums_and_means_over_all_positions():
    both = totals([grade(EXACT, None), grade(EXACT, read(question=["plum", "dagger", "STUDY"]))])
    silent, asked = grade(EXACT, None), grade(EXACT, read(question=["plum", "dagger", "STUDY"]))
    assert both == {
        "positions": 2,
        "answered": 1,
        "wanted": silent.wanted + asked.wanted,
        "found": 0,
        "wrong": 0,
        "complete": 0,
        "log_score": pytest.approx((silent.log_score + asked.log_score) / 2),
        "odds_lost": pytest.approx((silent.odds_lost + asked.odds_lost) / 2),
        "question_lost": 0.5,
    }


LINE = '{"id": "tiny"}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: an answer is a JSON object, not a list"),
        (f"{LINE}\n\n{LINE}", "line 3: position tiny is answered a second time"),
        ('{"id": "huge"}', "line 1: there is no position huge"),
        ('{"proved": []}', "line 1: id: is missing"),
        (
            '{"id": "tiny", "prooved": []}',
            "line 1: there is no key 'prooved'; did you mean 'proved'? known: id, proved,",
        ),
        ('{"id": "tiny", "proved": [["Rope", "Ann"]]}', "line 1: proved[0][2]: is missing"),
        ('{"id": "tiny", "proved": [["Rope", "Ann", "yes"]]}', "line 1: proved[0][2]: must be true or false"),
        ('{"id": "tiny", "proved": [["Roqe", "Ann", true]]}', "line 1: 'Roqe' is not known here; did you mean 'Rope'?"),
        ('{"id": "tiny", "proved": [["Rope", "Zoe", true]]}', "line 1: 'Zoe' is not known here"),
        (
            '{"id": "tiny", "proved": [["Rope", "Ann", true], ["rope", "ann", false]]}',
            "line 1: it says both that Rope is at Ann and that it is not",
        ),
        ('{"id": "tiny", "envelope": {"Rope": 80}}', "line 1: envelope.Rope: must be 1 or less"),
        ('{"id": "tiny", "envelope": {"Rope": NaN}}', "line 1: envelope.Rope: must be"),
        ('{"id": "tiny", "question": ["Rope", "Plum", "Hall"]}', "line 1: 'Rope' is not known here; known: Plum"),
        ('{"id": "tiny", "question": ["Plum", "Rope"]}', "line 1: question[2]: is missing"),
    ],
)
def test_a_line_that_is_no_answer_is_refused_with_its_number(text, says):
    with pytest.raises(CluedoError) as refused:
        read_answers(text.encode(), KEY)
    assert str(refused.value).startswith(says)
    told: list[CluedoError] = []
    assert set(read_answers(f"{text}\n".encode(), KEY, told.append)) <= {"tiny"}
    assert str(told[0]).startswith(says)


def test_a_key_is_read_as_it_was_written():
    assert read_key(json.dumps(EXACT.to_json()).encode()) == [EXACT]


DAMAGE = [{"gains": [[[0.0]]]}, {"gains": [[[0.0], []]]}, {"deck": [["Plum"], ["Rope"], ["Hall"]]}, {"id": 3}]
DAMAGE += [{"cards": {"Plum": {"Ann": 2.0}}}, {"proved": [["Rope", "Zoe", True, 3]]}]


@pytest.mark.parametrize("change", DAMAGE)
def test_a_damaged_key_is_refused_with_its_line(change):
    whole = json.dumps(EXACT.to_json())
    with pytest.raises(CluedoError, match=r"^line 2: no exact answer"):
        read_key(f"{whole}\n{json.dumps(EXACT.to_json() | change)}".encode())
    for text in (b"", b"{", b"\xff", b"[]" * 100_000):
        with pytest.raises(CluedoError):
            read_key(text)
