"""The assistant's sessions: whatever is changed, all is as if it had been entered so from the start."""

from __future__ import annotations

import json
import math
import time
from random import Random
from statistics import median

import pytest
from support import DECK_ALONE, board_from, board_of
from tables import noted_game, setting_of

from cluedo.ai.knowledge import CHOICE, MODELS, Posterior, SatDeducer, read_case_log
from cluedo.ai.race import PATIENCE, Race
from cluedo.cli.assist.clash import fits
from cluedo.cli.assist.entries import Setting
from cluedo.cli.assist.insight import Question
from cluedo.cli.assist.session import Session
from cluedo.cli.assist.telling import advice_line, clash_lines, news_lines, question_line
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HypothesisMade


def snapshot(session: Session):
    """All that a session knows."""
    insight, clash = session.insight, session.clash
    if insight is None:
        return session.entries, clash
    findings = insight.findings
    return session.entries, findings.chances, findings.envelopes, insight.questions, insight.advice, session.standpoint


def random_change(session: Session, random: Random, spare: list) -> str:
    """Change something somewhere, as somebody might who mistyped; gives what was done."""
    count = len(session.entries)
    kind = random.choice(["enter", "insert", "edit", "drop", "undo", "redo"] if count else ["enter"])
    match kind:
        case "enter":
            session.enter(random.choice(spare))
        case "insert":
            session.insert(random.randint(1, count), random.choice(spare))
        case "edit":
            session.edit(random.randint(1, count), random.choice(spare))
        case "drop":
            session.drop(random.randint(1, count))
        case "undo":
            session.undo()
        case "redo":
            session.redo()
    return kind


# ---- changes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "seats", "seed"), [("classic", 3, 1), ("tiny", 3, 2), ("classic", 6, 3), ("master", 4, 4)]
)
def test_changes_anywhere_equal_a_session_of_the_changed_list(board, seats, seed):
    setting, noted = noted_game(board, seats, seed)
    random, kept = Random(seed), []
    session = Session(setting, keep=lambda session: kept.append(session.entries))
    for step in range(24):
        before = session.entries
        try:
            random_change(session, random, list(noted))
        except CluedoError:  # nothing follows a right accusation
            assert session.entries == before
            continue
        if kept:
            assert kept[-1] == session.entries
        if step % 3 == 0:
            assert snapshot(session)[:-1] == snapshot(Session(setting, session.entries))[:-1]
            assert session.standpoint == Session(setting, session.entries).standpoint


def test_undo_and_redo_go_all_the_way():
    setting, noted = noted_game("classic", 3, 1)
    session, states = Session(setting), []
    for entry in noted[:6]:
        states.append(session.entries)
        session.enter(entry)
    session.drop(2)
    states.append(noted[:6])
    for entries in reversed(states):
        assert session.undo()
        assert session.entries == entries
    assert not session.undo()
    while session.redo():
        pass
    assert session.entries == (noted[0], *noted[2:6])
    session.undo()
    session.enter(noted[6])
    assert not session.redo()


def test_what_cannot_have_happened_is_refused_and_nothing_changed():
    session = Session(setting_of())
    session.enter(session.grammar.parse("mu scar wrench kit n"))
    before = snapshot(session)
    for line, words in (
        ("mu plum wrench kit white shows", None),
        ("mu plum wrench kit n", "event 2: you hold 'Plum', so you cannot have passed"),
        ("mu scar wrench kit me", "event 2: you hold none of the three cards"),
        ("mu scar wrench kit white wrench", "event 2: only Mustard and White saw the card"),
        ("me scar wrench kit white; rope", None),
    ):
        if words is None:
            continue
        with pytest.raises(CluedoError, match=words):
            session.enter(session.grammar.parse(line))
        assert snapshot(session) == before
    for change in (lambda: session.drop(2), lambda: session.drop(0), lambda: session.edit(-1, session.entries[0])):
        with pytest.raises(CluedoError, match="there is no entry"):
            change()
    session.enter(session.grammar.parse("white accuses scar wrench kit right"))
    with pytest.raises(CluedoError, match="nothing follows a right accusation"):
        session.enter(session.entries[0])


def test_a_hand_that_leaves_nothing_for_the_envelope_is_refused():
    with pytest.raises(CluedoError, match="the hand: no deal fits these facts together: You hold"):
        setting_of("tiny", ("Ann", "Bob"), "Ann", board_of("tiny").deck.names[:4])


def test_what_if_leaves_no_trace():
    setting, noted = noted_game("classic", 4, 5)
    kept = []
    session = Session(setting, noted[:6], keep=kept.append)
    before, undo = snapshot(session), session.undo
    for entry in noted[6:10]:
        trial = session.what_if(entry)
        assert trial.entries == (*noted[:6], entry)
        assert snapshot(trial)[:-1] == snapshot(Session(setting, (*noted[:6], entry)))[:-1]
    assert snapshot(session) == before
    assert not kept
    assert not undo()


def test_numbers_come_from_the_model_that_is_named():
    setting, noted = noted_game("classic", 3, 1)
    for model in MODELS.values():
        insight = Session(setting, noted[:8], model=model).insight
        posterior = Posterior(setting.case(noted[:8]).evidence(), model)
        assert insight.findings.chances == posterior.marginals.tolist()
    assert Session(setting).model is CHOICE


# ---- news ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "seats"), [("classic", 3), ("classic", 5), ("tiny", 3)])
def test_news_are_what_is_proved_now_and_was_not(board, seats):
    setting, noted = noted_game(board, seats, 7)
    session = Session(setting)
    assert session.news == []
    told: set[tuple[int, int, bool]] = set()
    for entry in noted:
        session.enter(entry)
        insight = session.insight
        for item in session.news:
            assert insight.status(item.card, item.place) is item.there
            assert not item.lost
            assert (item.card, item.place, item.there) not in told
            told.add((item.card, item.place, item.there))
    known = SatDeducer(setting.case(noted).evidence())
    places = range(len(setting.names) + 1)
    for card in range(setting.deck.size):
        if not setting.hand >> card & 1:
            at = [place for place in places if known.status(card, place) is True]
            assert all((card, place, True) in told for place in at)


def test_news_come_with_their_reasons_and_what_was_said_in_short():
    session = Session(setting_of())
    for line in ("me white lead li, white shows lead", "white scar lead li mu"):
        session.enter(session.grammar.parse(line))
    assert news_lines(session) == [
        "Mustard holds Scarlett.",
        "    Event 1: Mustard could not show White, Lead Pipe or Library.",
        "    Event 2: Mustard showed Scarlett, Lead Pipe or Library.",
    ]
    session.undo()
    assert news_lines(session) == ["No longer proved: Mustard holds Scarlett."]
    session.undo()
    session.enter(session.grammar.parse("me white lead li, white shows lead"))
    assert news_lines(session) == ["White holds Lead Pipe.", "Mustard holds none of these: White, Library."]


# ---- contradictions ------------------------------------------------------------------------------


def wrong_lists(board: str, seats: int, seed: int, count: int = 4):
    """Lists of a real game in which one answer was noted wrongly, so that no deal fits."""
    setting, noted = noted_game(board, seats, seed)
    random, found = Random(seed), 0
    asked = [at for at, entry in enumerate(noted) if isinstance(entry.head, HypothesisMade)]
    for _ in range(400):
        at = random.choice(asked)
        others = [seat for seat in range(seats) if seat not in (noted[at].by, noted[at].refuter)]
        wrong = Entry.hypothesis(seats, noted[at].by, noted[at].cards, random.choice([*others, None]))
        entries = [*noted[:at], wrong, *noted[at + 1 :]]
        try:
            if fits(setting.case(entries).evidence()):
                continue
        except CluedoError:
            continue
        yield setting, entries
        found += 1
        if found == count:
            return


@pytest.mark.parametrize(
    ("board", "seats", "seed"),
    [("classic", 3, 1), ("classic", 4, 2), ("tiny", 3, 3), pytest.param("master", 5, 1, marks=pytest.mark.slow)],
)
def test_the_entries_that_clash_are_a_minimal_set_and_every_mend_mends(board, seats, seed):
    met = 0
    for setting, entries in wrong_lists(board, seats, seed):
        met += 1
        session = Session(setting, entries)
        assert session.insight is None
        clash = session.clash
        chosen = [entries[number - 1] for number in clash.numbers]
        assert not fits(setting.case(chosen).evidence())
        for left_out in range(len(chosen)):
            assert fits(setting.case(chosen[:left_out] + chosen[left_out + 1 :]).evidence())
        for choice, mend in enumerate(clash.mends, 1):
            assert mend.number in clash.numbers
            again = Session(setting, entries)
            again.mend(choice)
            assert again.clash is None
            assert again.insight is not None
            assert len(again.entries) == len(entries) - (mend.entry is None)
        told = clash_lines(session)
        assert all(any(line.startswith(f"  {number} ") for line in told) for number in clash.numbers)
        with pytest.raises(CluedoError, match="there is no mend"):
            session.mend(len(clash.mends) + 1)
    assert met >= 3


def test_a_contradiction_is_kept_until_it_is_mended_and_then_told_what_changed():
    session = Session(setting_of())
    for line in ("me white lead li, white shows lead", "mu scar lead ball n"):
        session.enter(session.grammar.parse(line))
    assert session.clash.numbers == (1, 2)
    assert session.clash.hand == ()
    assert [mend.entry for mend in session.clash.mends[:2]] == [None, None]
    session.enter(session.grammar.parse("white scar revolver ball mu"))
    assert session.clash.numbers == (1, 2)
    assert len(session.entries) == 3
    session.edit(2, session.grammar.parse("mu scar lead ball white"))
    assert session.clash is None
    assert "White holds Lead Pipe." not in news_lines(session)  # it was known before


def test_own_cards_are_named_where_the_contradiction_needs_them():
    setting = setting_of()
    session = Session(setting)
    session.enter(session.grammar.parse("mu accuses scarlett rope kitchen right"))
    assert session.clash.numbers == (1,)
    assert session.clash.hand == (setting.deck.id("Rope"),)
    assert any("you hold" in line for line in clash_lines(session))


def test_a_hand_told_wrongly_is_corrected():
    kept = []
    session = Session(setting_of(), keep=lambda session: kept.append(session.setting.hand))
    session.enter(session.grammar.parse("mu accuses scarlett rope kitchen right"))
    for wrong in (["Rope"], ["Rope"] * 6, ["Wrench", "Hall", "Study", "Plum", "Green", "Nothing"]):
        with pytest.raises(CluedoError):
            session.correct_hand(wrong)
        assert session.clash is not None
    right = ["Wrench", "Hall", "Study", "Plum", "Green", "Dagger"]
    session.correct_hand(right)
    assert session.clash is None
    assert snapshot(session) == snapshot(Session(setting_of(hand=right), session.entries))
    assert kept[-1] == session.setting.hand
    with pytest.raises(CluedoError, match="a spectator has no hand"):
        Session(setting_of(me=None)).correct_hand(right)


# ---- what to ask and when to accuse --------------------------------------------------------------


def test_there_is_a_question_for_every_room_and_its_bits_are_the_gain():
    from cluedo.ai.knowledge import gain

    setting, noted = noted_game("classic", 4, 5)
    insight = Session(setting, noted[:5]).insight
    assert sorted(question.cards[2] for question in insight.questions) == list(setting.deck.rooms)
    posterior = Posterior(insight.evidence, CHOICE)
    for question in insight.questions:
        assert question.bits == pytest.approx(gain(posterior, question.cards), abs=0.1)
        best = max(
            gain(posterior, (s, w, question.cards[2]))
            for s in list(setting.deck.suspects)[:3]
            for w in list(setting.deck.weapons)[:3]
        )
        assert question.bits > best - 0.15
    worths = [question.worth for question in insight.questions]
    assert worths == sorted(worths, reverse=True)


def test_my_pawn_is_where_i_asked_was_drawn_or_said():
    setting, board = setting_of(), board_of("classic")
    session = Session(setting)

    def enter(line: str) -> None:
        session.enter(session.grammar.parse(line))

    def at(room: str) -> int:
        return board.place(room)

    assert session.standpoint is None
    assert all(question.turns is None for question in session.insight.questions)
    enter("me scar wrench kit white wrench")
    assert (session.standpoint.place, session.standpoint.used) == (at("Kitchen"), at("Kitchen"))
    turns = {question.cards[2]: question.turns for question in session.insight.questions}
    assert turns[setting.deck.id("Kitchen")] == math.inf
    assert turns[setting.deck.id("Study")] == 1.0  # by the secret passage
    assert turns[setting.deck.id("Ballroom")] < turns[setting.deck.id("Lounge")]
    enter("mu green wrench lounge me")
    assert (session.standpoint.place, session.standpoint.used) == (at("Lounge"), -1)
    session.place(at("Hall"))
    assert session.standpoint.place == at("Hall")
    enter("mu scar wrench kit n")
    assert session.standpoint.place == at("Hall")
    enter("white green wrench lib me")
    assert session.standpoint.place == at("Library")
    session.undo()
    assert session.standpoint.place == at("Hall")


def test_where_nobody_walks_every_room_is_next():
    for setting in (
        setting_of(free=True),
        Setting.make(
            board_from(DECK_ALONE), [("A1", 9), ("B1", 9)], "A1", [f"R{k}" for k in range(3, 9)] + ["S0", "S1", "W0"]
        ),
    ):
        session = Session(setting)
        assert session.standpoint is None
        assert {question.turns for question in session.insight.questions} == {1.0}
        assert "turn" not in question_line(session.insight, session.insight.questions[0])


def test_it_is_time_to_accuse_when_the_likeliest_envelope_beats_the_chance_that_nobody_else_wins():
    setting, noted = noted_game("classic", 4, 5)
    session = Session(setting)
    for entry in noted:
        session.enter(entry)
        insight = session.insight
        advice = insight.advice
        assert (advice is None) == insight.over
        if advice is not None:
            assert (advice.cards, advice.probability) == insight.findings.envelopes[0]
            assert advice.accuse == (advice.probability > advice.waiting)
            assert advice_line(insight).startswith("Accuse" if advice.accuse else "Wait")
            if advice.probability == 1.0:
                assert advice.accuse


def test_the_chance_to_wait_is_that_of_the_level_expert():
    """The same as Race reads from the views of a real game, at the ends of turns in which somebody asked."""
    from support import drawn_game, make_match

    from cluedo.ai.knowledge import case_log
    from cluedo.engine.events import TurnEnded, as_seen_by

    game = drawn_game(board_of("tiny"), 3, 4)
    make_match(game, ["hard"] * 3, 4).play()
    board, compared = board_of("tiny"), 0
    again = drawn_game(board, 3, 4)
    race, idle, asked = Race(again.view(0)), False, False
    for command in game.commands:
        events = again.execute(command)
        asked |= any(isinstance(event, HypothesisMade | Accused) for event in events)
        if any(isinstance(event, TurnEnded) for event in events):
            idle |= not asked
            asked = False
            if idle or again.over:
                break  # a turn without a hypothesis is none that a log tells of
            view = again.view(0)
            race.read(view)
            log = case_log(again.table, [as_seen_by(e, 0) for e in again.events], 0, again.state.deal.hands[0])
            insight = Session(Setting.of(log, board), log.entries).insight
            if insight.advice is not None and insight.advice.probability < 1.0:
                assert insight.advice.waiting == pytest.approx(race.survival(view) ** PATIENCE)
                compared += 1
    assert compared >= 1


def test_a_spectator_is_told_the_odds_and_no_advice():
    session = Session(setting_of(me=None))
    session.enter(session.grammar.parse("mu scar wrench kit white"))
    assert session.insight.questions == []
    assert session.insight.advice is None
    assert session.insight.findings.deals > 0


def test_once_the_case_is_closed_nothing_is_advised():
    session = Session(setting_of())
    session.enter(session.grammar.parse("me accuse scar wrench kit wrong"))
    assert session.insight.over
    assert session.insight.advice is None
    assert session.insight.questions == []
    session.undo()
    session.enter(session.grammar.parse("mu accuses scar wrench kit wrong"))
    assert not session.insight.over
    assert session.insight.advice is not None


def test_a_question_is_worth_less_the_later_it_comes():
    soon, late, never = (Question((0, 6, 12), 1.0, turns) for turns in (1.0, 2.0, math.inf))
    assert soon.worth > late.worth > never.worth == 0.0


# ---- speed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["classic", "master"])
def test_an_entry_late_in_a_game_of_six_is_answered_at_once(board):
    from cluedo.cli.assist.clerk import tell

    setting, noted = noted_game(board, 6, 1)
    assert len(noted) > 15
    session = Session(setting, noted[:10])
    tell(session)
    times = []
    for entry in noted[10:-1]:
        begun = time.process_time()
        session.enter(entry)
        tell(session)
        times.append(time.process_time() - begun)
    assert median(times) < 0.2
    assert max(times) < 1.0


def test_the_log_of_a_session_is_the_log_of_its_game():
    setting, noted = noted_game("classic", 3, 1)
    log = setting.case(noted)
    again = read_case_log(json.dumps(log.to_json()), lambda _: setting.deck)
    assert again == log
    assert again.entries == noted
