"""``cluedo replay``: reviews, pages, animations and pictures, at the command line."""

from __future__ import annotations

import io
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from helpers.command_line import complaint, run
from helpers.recorded import deck_game, played, record_of, too_many, twins
from helpers.support import board_from, house
from PIL import Image, ImageChops, ImageSequence

from cluedo.ai.knowledge import TooManyDeals
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.seat_knowledge import Best, uncertainty
from cluedo.ai.review import AskedQuestion, Guess, Review, TurnReview, review, turning_point
from cluedo.engine.board import Board
from cluedo.engine.events import HypothesisMade
from cluedo.experiments.draw.animation import Frame, animation, still
from cluedo.experiments.draw.board_picture import board_figure
from cluedo.experiments.draw.literal_text import png_of
from cluedo.language import number as figure
from cluedo.session.review_text import (
    KnowledgeCurve,
    curve_lines,
    questions,
    review_paragraphs,
    summary,
    tell_reviews,
    turn_rows,
)
from cluedo.session.timeline import Timeline
from cluedo.words.narration import turns_of


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return record_of(played(), tmp_path / "game.jsonl", seed=31, number=0, deal=0, rotation=0)


def pixels(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB"))


# ---- the review --------------------------------------------------------------------------------


def test_a_review_of_a_seat_tells_what_the_review_holds(record):
    game = played()
    for seat in range(4):
        found, text = review(game, seat), run("replay", record, "--review", "--as", game.table.name(seat))
        for sentence in summary(found, game.table):
            assert sentence in text
        assert f"to halve the envelopes {found.expected:.1f} times" in text
        assert f"the same rooms {found.best:.1f} times." in text
        assert f"luck: {figure(found.luck, '+.1f')}" in text
        assert not re.search(r"\bbits?\b", text), "nobody at a table counts in bits"
        for _, sentence in questions(found, game.table):
            assert sentence in text
        rows = turn_rows(found, game).rows
        assert len(rows) >= len(found.questions)
        assert {who for _, who, *_ in rows} <= {game.table.name(one) for one in range(4)}, "a name without a sign"


@pytest.mark.parametrize(
    ("expected", "here", "elsewhere", "grade"),
    [
        (0.0, 0.04, 0.04, "no question within reach could tell much."),
        (0.8, 1.0, None, "telling."),
        (0.79, 1.0, None, "fair; {here} would have told more."),
        (0.4, 1.0, 1.04, "fair; {here} would have told more."),
        (0.39, 1.0, 0.5, "wasted; {here} would have told more."),
        (1.0, 1.0, 1.24, "telling."),
        (1.0, 1.0, 1.26, "fair; {elsewhere} would have told more."),
    ],
)
def test_a_question_is_graded_by_the_best_in_its_room_or_a_clearly_better_one(expected, here, elsewhere, grade):
    asked = AskedQuestion((0, 6, 12), expected, Best((1, 7, 13), here), learnt=0.0, refuted_by=1, card=0)
    reachable = None if elsewhere is None else Best((2, 8, 14), elsewhere)
    turn = TurnReview(5, seat=0, before=1.0, after=1.0, proved=(), question=asked, reachable=reachable)
    found = Review(0, (turn,), settled=(None, None, None), accusation=None, earliest=None)
    ((_, line),) = questions(found, played().table)
    listed = played().table.deck.listed
    told = grade.format(here=listed((1, 7, 13)), elsewhere=listed((2, 8, 14)))
    assert line == f"Turn 5: {listed(asked.cards)}: {told}"


def test_the_curves_of_a_review_are_what_was_open_after_each_turn():
    game = played()
    everybody, *each = tell_reviews(game, ["hard"] * 4, None)
    assert [curve for one in each for curve in one.curves] == list(everybody.curves)
    for curve in everybody.curves:
        found = review(game, curve.seat)
        assert len(curve.open) == len(found.turns) + 1
        assert curve.open[-1] == pytest.approx(2 ** found.turns[-1].after)


def test_curves_are_told_in_a_line_each_however_long_the_game():
    short, long = curve_lines(
        [KnowledgeCurve(0, "Rose", (64.0, 8.0, 1.0)), KnowledgeCurve(1, "Olive", tuple([64.0] * 500 + [2.0]))]
    )
    assert short == "Rose   █▅▁  64 → 1"
    assert len(long) < 80
    assert long.endswith("▂  64 → 2")
    assert curve_lines([KnowledgeCurve(0, "Rose", ())]) == []


def test_the_summary_says_when_it_was_certain_and_when_it_accused():
    game = played(levels=("hard",) * 4)
    winner = game.state.winner
    assert winner is not None
    found = review(game, winner)
    first, second, *_ = summary(found, game.table)
    assert first.startswith(f"Certain from turn {found.certain} on (the suspect from turn {found.settled[0]}, ")
    assert second == f"Accused in turn {game.state.turn}, as early as possible: right."


@pytest.mark.parametrize(
    ("settled", "guess", "earliest", "said"),
    [
        ((3, 5, 9), Guess(10, (0, 6, 12), 1.0, True), 10, "Accused in turn 10, as early as possible: right."),
        ((3, 5, 9), Guess(14, (0, 6, 12), 1.0, True), 10, "Accused in turn 14, although the proof was complete in"),
        ((None, 5, None), Guess(8, (0, 6, 12), 0.344, False), None, "Guessed in turn 8, with a chance of 34 %: wrong."),
        (
            (None, 5, None),
            Guess(8, (0, 6, 12), 0.9999, True),
            None,
            "Guessed in turn 8, with a chance of >99.9 %: right.",
        ),
        (
            (None, 5, None),
            Guess(8, (0, 6, 12), 0.003, False),
            None,
            "Guessed in turn 8, with a chance of 0.3 %: wrong.",
        ),
        ((None, 5, None), Guess(8, (0, 6, 12), 0.0, False), None, "Guessed in turn 8, with a chance of 0 %: wrong."),
        ((3, 5, 9), None, 10, "Could have accused with proof from turn 10 on, but did not."),
        ((3, 5, 9), None, None, "Certain from turn 9 on (the suspect from turn 3, the weapon from turn 5 and the room"),
        ((9, 9, 9), None, None, "Certain from turn 9 on."),
        ((None, 5, 9), None, None, "Not certain to the end. Proved: the weapon from turn 5 and the room from turn 9."),
        ((None, None, None), None, None, "Not certain to the end. Proved: no card of the envelope."),
    ],
)
def test_the_sentences_about_certainty_and_accusations(settled, guess, earliest, said):
    found = Review(0, (), settled, guess, earliest)
    told = summary(found, played().table)
    assert any(sentence.startswith(said) for sentence in told)


def test_all_seats_in_short_and_who_took_the_lead(record):
    game, text = played(), run("replay", record, "--review")
    for seat in range(4):
        line = next(line for line in text.splitlines() if line.startswith(f"{game.table.name(seat)} ("))
        assert f" {len(review(game, seat).questions)} " in line
    turn = turning_point(game, uncertainty(game, CHOICE))
    assert f"Turning point: from turn {turn} on, nobody knew more" in text


def test_a_review_as_json(record):
    game = played()
    all_of_them = json.loads(run("replay", record, "--review", "--json"))
    assert all_of_them["winner"] == game.table.name(game.state.winner)
    assert [one["seat"] for one in all_of_them["reviews"]] == [game.table.name(seat) for seat in range(4)]
    one = json.loads(run("replay", record, "--review", "--json", "--as", game.table.name(2)))
    assert one == {"model": "choice", **all_of_them["reviews"][2]}


def test_a_review_of_the_first_turns_alone(record):
    name = played().table.name(0)
    told = run("replay", record, "--review", "--as", name, "--to", "0")
    assert "Not certain to the end. Proved: no card of the envelope." in told
    later = run("replay", record, "--review", "--as", name, "--to", "5")
    assert re.search(r"Not certain to the end\. Proved: .+; about \d+ likely envelopes were left\.", later)
    assert len(json.loads(run("replay", record, "--review", "--json", "--as", name, "--to", "5"))["turns"]) == 5


def test_a_review_in_french(record):
    text = run("replay", record, "--review", "--as", played().table.name(1), "--lang", "fr")
    assert "elles promettaient" in text
    assert not re.search(r"\b(the|turn|halved|promised)\b", text)


@pytest.mark.parametrize("arguments", [["--review", "--as", "{name}"], ["--review", "--json", "--as", "{name}"], []])
def test_what_is_told_to_a_seat_holds_nothing_that_it_cannot_know(tmp_path, arguments):
    for seat in (0, 3):
        game, others = twins(seat)
        name = game.table.name(seat)
        options = [text.format(name=name) for text in arguments] or ["--as", name]
        true = run("replay", str(record_of(game, tmp_path / "true.jsonl", seed=1)), *options)
        assert len(others) > 1
        for other in others:
            path = record_of(other, tmp_path / "other.jsonl", seed=2)  # and from the seed follows the deal
            assert run("replay", str(path), *options).replace("other.jsonl", "true.jsonl") == true


@pytest.mark.parametrize("error", [MemoryError, TooManyDeals])
def test_where_the_deals_are_too_many_to_count_that_is_said(record, tmp_path, monkeypatch, error):
    game = played()
    too_many(monkeypatch, error)
    assert "too many" in complaint("replay", record, "--review")
    with pytest.raises(TooManyDeals):
        review(game, 0)
    assert np.isnan(uncertainty(game)).all()
    run("replay", record, "--html", str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count("the game cannot be reviewed") == 5
    known = Timeline(game, ["hard"] * 4).known(1, 3)
    assert (known.odds, known.envelopes) == (None, None)


# ---- what does not go together -----------------------------------------------------------------


def test_only_one_thing_at_a_time(record, tmp_path):
    assert "--log and --review do not go together" in complaint("replay", record, "--log", "--review")
    page = str(tmp_path / "page.html")
    assert "do not go together" in complaint("replay", record, "--review", "--html", page)
    assert "--json goes with --review" in complaint("replay", record, "--json")
    assert not Path(page).exists()


@pytest.mark.parametrize(("option", "suffix"), [("--html", ".html"), ("--gif", ".gif"), ("--png", ".png")])
def test_what_is_not_ours_is_not_overwritten_and_what_is_ours_is(record, tmp_path, option, suffix):
    path = tmp_path / f"game{suffix}"
    path.write_text("my own work", encoding="utf-8")
    assert "is not overwritten" in complaint("replay", record, option, str(path), "--to", "2")
    assert path.read_text(encoding="utf-8") == "my own work"
    path.unlink()
    for turns in ("1", "2"):
        assert run("replay", record, option, str(path), "--to", turns).startswith(f"Written: {path}")
    assert "ends in " + suffix in complaint("replay", record, option, str(tmp_path / "game.txt"))
    assert "cannot be written" in complaint("replay", record, option, str(tmp_path / "no" / f"game{suffix}"))
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    assert "is a folder" in complaint("replay", record, option, str(folder))


def test_a_map_without_a_board_has_pages_and_reviews_but_no_pictures(tmp_path):
    record = str(deck_game(tmp_path))
    for option, name in (("--gif", "a.gif"), ("--png", "a.png")):
        assert "has no board to draw" in complaint("replay", record, option, str(tmp_path / name))
        assert not (tmp_path / name).exists()
    run("replay", record, "--html", str(tmp_path / "a.html"))
    assert '<svg class="board"' not in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "Turning point" in run("replay", record, "--review")


# ---- pictures ----------------------------------------------------------------------------------


def test_an_animation_has_a_frame_for_the_deal_and_for_each_turn(tmp_path):
    path, game = tmp_path / "game.gif", played("tiny", 3)
    run("replay", record_of(game, tmp_path / "game.jsonl"), "--gif", path)
    with Image.open(path) as picture:
        frames = [pixels(frame) for frame in ImageSequence.Iterator(picture)]
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(picture)]
        assert picture.info["loop"] == 0
    assert len(frames) == game.state.turn + 1
    assert times[-1] > times[0] == times[1]
    assert all((one != two).any() for one, two in itertools.pairwise(frames))
    assert all((frame[:3] == 255).all() for frame in frames), "the paper is white"
    assert path.stat().st_size < 12_000 * len(frames)


def test_every_pawn_is_seen_where_it_stands_in_its_own_colour():
    board = Board.load("classic")
    pawns = [board.place((8, y)) for y in (7, 9, 11, 13, 15, 16)]
    told = ((board.starts, "", ""), (pawns, "one", "two"), (pawns[::-1], "a", "b"))
    gif = animation(board, [Frame(where, board.weapon_starts, *words) for where, *words in told])
    with Image.open(io.BytesIO(gif)) as picture:
        moved = [pixels(frame).reshape(-1, 3).astype(int) for frame in ImageSequence.Iterator(picture)]
    for suspect in board.map.suspects:
        colour = np.array([int(suspect.colour[k : k + 2], 16) for k in (1, 3, 5)])
        for frame in moved:
            assert (abs(frame - colour).max(axis=1) <= 12).sum() > 40, suspect.name


def test_a_picture_of_one_position(record, tmp_path):
    one, other = tmp_path / "one.png", tmp_path / "other.png"
    run("replay", record, "--png", str(one), "--to", "1")
    run("replay", record, "--png", str(other))
    with Image.open(one) as a, Image.open(other) as b:
        assert a.format == b.format == "PNG"
        assert a.size == b.size
        assert (pixels(a) != pixels(b)).any()


def test_a_long_caption_is_cut_and_a_short_board_is_wide_enough():
    board = Board.load("tiny")
    long = Frame(board.starts, board.weapon_starts, "T" * 300, "word " * 300)
    with Image.open(io.BytesIO(still(board, long))) as picture:
        edge = pixels(picture)
    assert (edge[:, :2] == 255).all()
    assert (edge[:, -2:] == 255).all()
    assert (edge[-2:] == 255).all()
    ended = long._replace(caption=f"{long.caption} You win.")
    assert still(board, long) != still(board, ended), "the end is not what is cut"


def test_signs_that_no_font_has_are_no_matter_for_pictures():
    data = house()
    data["rooms"][1]["name"] = "\N{HOUSE BUILDING}"
    board = board_from(data)
    frames = [Frame(board.starts, board.weapon_starts, title, "\N{GAME DIE}") for title in ("one", "two")]
    for drawn in (animation(board, frames), still(board, frames[0]), png_of(board_figure(board))):
        assert drawn[:3] in (b"GIF", b"\x89PN")  # a warning would be an error here


@pytest.mark.slow
def test_an_animation_for_a_seat_shows_it_only_what_it_saw(tmp_path):
    game, others = twins(1)
    name = game.table.name(1)
    made = []
    for number, one in enumerate([game, *others]):
        path = tmp_path / f"{number}.gif"
        run("replay", str(record_of(one, tmp_path / "game.jsonl")), "--gif", str(path), "--as", name, "--to", "6")
        made.append(path.read_bytes())
    assert len(made) > 2
    assert len(set(made)) == 1


def test_too_long_an_animation_is_refused_and_its_first_turns_are_not(monkeypatch, record, tmp_path):
    path = tmp_path / "game.gif"
    monkeypatch.setattr("cluedo.cli.replay._MOST_FRAMES", 5)
    page = tmp_path / "game.html"
    assert "too long (at most 4)" in complaint("replay", record, "--gif", path, "--html", page)
    assert not page.exists(), "all or nothing"
    run("replay", record, "--gif", path, "--to", "4")
    with Image.open(path) as picture:
        assert picture.n_frames == 5


def test_weapons_are_in_the_picture():
    board = Board.load("tiny")
    rooms = list(range(board.rooms_at, board.places))
    frames = [Frame(board.starts, (room, rooms[1], rooms[2]), "", "") for room in (rooms[0], rooms[3])]
    one, other = (Image.open(io.BytesIO(still(board, frame))).convert("RGB") for frame in frames)
    assert ImageChops.difference(one, other).getbbox() is not None


def test_a_review_shows_what_the_others_asked_and_names_one_turning_point():
    game = played()
    asked = {turn: event.cards for turn, _, event in turns_of(game.events) if isinstance(event, HypothesisMade)}
    found = review(game, 0)
    rows = turn_rows(found, game)
    others = [row for row in rows.rows if not row[1].endswith("*")]
    assert others
    for row in others:
        cards = asked.get(int(row[0]))
        assert row[2] == (", ".join(game.table.deck.names[card] for card in cards) if cards else "–")
    everybody, first, *_ = review_paragraphs(tell_reviews(game, ["hard"] * game.table.seats, None))
    assert "".join(everybody).count("Turning point") == 1
    assert "below 0" in first[-1]


def test_a_player_without_a_name_has_a_review_of_their_own():
    game = played()
    everybody, first, *_ = review_paragraphs(tell_reviews(game, [""] * game.table.seats, None))
    assert first[0] == f"{game.table.name(0)} ()"
    assert sum(f"{game.table.name(0)} ()" in part for part in everybody) == 1
