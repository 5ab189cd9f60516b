"""The assistant's sessions: whatever is changed, all is as if it had been entered so from the start."""

from __future__ import annotations

import math
import re
import time
from contextlib import suppress
from itertools import islice, product
from random import Random
from statistics import median

import pytest
from helpers.cases import cases, some
from helpers.said import said
from helpers.support import DECK_ALONE, board_from
from helpers.tables import fresh, noted_game, setting_of

from cluedo.ai.knowledge import MODELS, UNIFORM, Posterior, SatDeducer, gain
from cluedo.ai.knowledge.caselog import Setting
from cluedo.ai.knowledge.reasons import fits
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import HypothesisMade
from cluedo.language import number, speaking, tr
from cluedo.session.advice import case_sections, odds_section, question_section, todo_section, verdict_section
from cluedo.session.best_rooms import RoomQuestion
from cluedo.session.case import case as case_module
from cluedo.session.case.case import Case
from cluedo.session.case.findings import contradiction_sections, news_lines
from cluedo.session.case.interpreter import Interpreter, ReplyKind, help_lines
from cluedo.session.figures import cell_sign, rounded_percent, with_error
from cluedo.session.sections import ReasonLine, Tone, figures_shown, for_readers, switch_figures


def snapshot(session: Case):
    """All that a session knows."""
    known = session.known
    return session.entries, known.chances, known.envelopes, session.questions, session.advice, session.pawn


def random_change(session: Case, random: Random, spare: list) -> None:
    """Change something somewhere, as somebody might who mistyped."""
    count = len(session.entries)
    kind = random.choice(["enter", "insert", "edit", "drop", "undo", "redo"] if count else ["enter"])
    given = []
    if kind in ("insert", "edit", "drop"):
        given.append(random.randint(1, count))
    if kind in ("enter", "insert", "edit"):
        given.append(random.choice(spare))
    getattr(session, kind)(*given)


def test_a_case_that_is_full_can_still_be_changed(monkeypatch):
    monkeypatch.setattr(case_module, "MOST_ENTRIES", 1)
    session = fresh("mu scar rev ball n")
    again = session.grammar.parse("mu scar rev kit n")
    with pytest.raises(CluedoError, match="a case has at most 1 entries; begin another"):
        session.enter(again)
    session.edit(1, again)
    assert session.entries == (again,)
    assert session.undo()


# ---- changes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "seats", "seed"), some([("tiny", 3, 2), ("master", 4, 4), ("classic", 6, 3)], 2))
def test_changes_anywhere_equal_a_session_of_the_changed_list(board, seats, seed):
    setting, noted = noted_game(board, seats, seed)
    random, kept = Random(seed), []
    session = Case(setting, keep=lambda session: kept.append(session.entries))
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
            assert snapshot(session)[:-1] == snapshot(Case(setting, session.entries))[:-1]
            assert session.pawn == Case(setting, session.entries).pawn


def test_undo_and_redo_go_all_the_way():
    setting, noted = noted_game("classic", 3, 1)
    session, states = Case(setting), []
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


def test_of_many_changes_the_last_can_be_taken_back(monkeypatch):
    monkeypatch.setattr(case_module, "_MOST_UNDONE", 3)
    setting, noted = noted_game("classic", 3, 1)
    session = Case(setting)
    for entry in noted[:6]:
        session.enter(entry)
    assert [session.undo() for _ in range(4)] == [True, True, True, False]
    assert session.entries == noted[:3]


def test_what_cannot_have_happened_is_refused_and_nothing_changed():
    session = fresh("mu scar wrench kit n")
    before = snapshot(session)
    for line, words in (
        ("mu plum wrench kit n", "entry 2: you hold 'Plum', so you had to show a card"),
        ("mu scar wrench kit me", "entry 2: you hold none of the three cards"),
        ("mu scar wrench kit white wrench", "entry 2: only Mustard and White saw the card"),
    ):
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
        setting_of("tiny", ("Ann", "Bob"), "Ann", Board.load("tiny").deck.names[:4])


def test_what_if_leaves_no_trace():
    setting, noted = noted_game("classic", 4, 5)
    kept = []
    session = Case(setting, noted[:6], keep=kept.append)
    before, undo = snapshot(session), session.undo
    for entry in noted[6:10]:
        trial = session.what_if(entry)
        assert trial.entries == (*noted[:6], entry)
        assert snapshot(trial)[:-1] == snapshot(Case(setting, (*noted[:6], entry)))[:-1]
    assert snapshot(session) == before
    assert not kept
    assert not undo()


def test_numbers_come_from_the_model_that_is_named():
    setting, noted = noted_game("classic", 3, 1)
    for model in MODELS.values():
        case = Case(setting, noted[:8], model=model)
        posterior = Posterior(setting.log(noted[:8]).evidence(), model)
        assert case.known.chances == posterior.marginals.tolist()


# ---- news ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "seats"), [("classic", 3), ("classic", 5), ("tiny", 3)])
def test_news_are_what_is_proved_now_and_was_not(board, seats):
    setting, noted = noted_game(board, seats, 7)
    session = Case(setting)
    assert session.news == []
    told: set[tuple[int, int, bool]] = set()
    for entry in noted:
        session.enter(entry)
        for item in session.news:
            card, place, there = item.proof
            assert session.known.status(card, place) is there
            assert not item.lost
            assert item.proof not in told
            told.add(item.proof)
    known = SatDeducer(setting.log(noted).evidence())
    places = range(len(setting.names) + 1)
    for card in range(setting.deck.size):
        if not setting.hand >> card & 1:
            at = [place for place in places if known.status(card, place) is True]
            assert all((card, place, True) in told for place in at)


def test_news_come_with_their_reasons_and_what_was_said_in_short():
    session = fresh("me white lead li, white shows lead", "white scar lead li mu")
    news = news_lines(session)
    assert news == [
        "Mustard holds Scarlett.",
        "Entry 1: Mustard could not show White, Lead Pipe or Library.",
        "Entry 2: Mustard showed Scarlett, Lead Pipe or Library.",
    ]
    assert [isinstance(line, ReasonLine) for line in news] == [False, True, True]
    session.undo()
    assert news_lines(session) == ["No longer proved: Mustard holds Scarlett."]
    session.undo()
    session.enter(session.grammar.parse("me white lead li, white shows lead"))
    assert news_lines(session) == ["White holds Lead Pipe.", "Mustard holds none of these: White, Library."]


# ---- contradictions ------------------------------------------------------------------------------


def wrong_lists(board: str, seats: int, seed: int):
    """Lists of a real game in which one answer was noted wrongly, so that no deal fits."""
    setting, noted = noted_game(board, seats, seed)
    random = Random(seed)
    asked = [at for at, entry in enumerate(noted) if isinstance(entry.head, HypothesisMade)]
    for _ in range(400):
        at = random.choice(asked)
        others = [{seat: None} for seat in range(seats) if seat not in (noted[at].by, noted[at].refuter)]
        wrong = setting.hypothesis(noted[at].by, noted[at].cards, random.choice([*others, {}]))
        entries = [*noted[:at], wrong, *noted[at + 1 :]]
        with suppress(CluedoError):
            if not fits(setting.log(entries).evidence()):
                yield setting, entries


@pytest.mark.slow
@pytest.mark.parametrize(("board", "seats", "seed"), some([("tiny", 3, 3), ("classic", 4, 2), ("master", 5, 1)], 2))
def test_the_entries_that_clash_are_a_minimal_set_and_every_mend_mends(board, seats, seed):
    wrong = list(islice(wrong_lists(board, seats, seed), cases(4, 2)))
    assert len(wrong) >= 2
    for setting, entries in wrong:
        session = Case(setting, entries)
        assert session.known is None
        contradiction = session.contradiction
        chosen = [entries[number - 1] for number in contradiction.numbers]
        assert not fits(setting.log(chosen).evidence())
        for left_out in range(len(chosen)):
            assert fits(setting.log(chosen[:left_out] + chosen[left_out + 1 :]).evidence())
        for choice, mend in enumerate(contradiction.fixes, 1):
            assert mend.number in contradiction.numbers
            again = Case(setting, entries)
            again.fix(choice)
            assert again.contradiction is None
            assert again.known is not None
            assert len(again.entries) == len(entries) - (mend.entry is None)
        told = contradiction_sections(session)[0].lines
        assert all(any(line.startswith(f"  {number} ") for line in told) for number in contradiction.numbers)
        with pytest.raises(CluedoError, match="there is no change"):
            session.fix(len(contradiction.fixes) + 1)


def test_the_entries_that_clash_need_not_make_a_case_of_their_own():
    """The look follows a question that nobody answered, which is no part of the contradiction."""
    hand = ["White", "Rope", "Hall", "Study", "Green"]
    case = Case.begin("classic", ["Ann", "Bob", "Cy"], me="Ann", hand=hand, rules={"pool": 3, "peek": True})
    lines = "me plum wrench lounge, bob plum", "me white rope kitchen nobody", "me looks 1 dagger"
    for line in (*lines, "bob plum dagger hall, cy"):
        case.enter(case.grammar.parse(line))
    assert case.contradiction.numbers == (1, 3, 4)
    assert case.contradiction.hand == (case.setting.deck.id("Hall"),)


def test_a_contradiction_is_kept_until_it_is_mended_and_then_told_what_changed():
    session = fresh("me white lead li, white shows lead", "mu scar lead ball n")
    assert session.contradiction.numbers == (1, 2)
    assert session.contradiction.hand == ()
    assert [mend.entry for mend in session.contradiction.fixes[:2]] == [None, None]
    session.enter(session.grammar.parse("white scar revolver ball mu"))
    assert session.contradiction.numbers == (1, 2)
    assert len(session.entries) == 3
    session.edit(2, session.grammar.parse("mu scar lead ball white"))
    assert session.contradiction is None
    assert "White holds Lead Pipe." not in news_lines(session)  # it was known before


@pytest.mark.parametrize("remembered", [True, False])
def test_a_case_put_away_with_a_contradiction_tells_only_what_is_new_when_it_is_mended(remembered):
    session = fresh("me white lead li, white shows lead", "mu scar lead ball n")
    memory = {"memory": session.memory} if remembered else {}
    again = Case(session.setting, session.entries, **memory)
    assert again.contradiction.numbers == (1, 2)
    assert news_lines(again) == []
    again.drop(2)
    assert news_lines(again) == []
    again.enter(again.grammar.parse("white scar lead li mu"))
    assert news_lines(again)[0] == "Mustard holds Scarlett."


def test_own_cards_are_named_where_the_contradiction_needs_them():
    session = fresh("mu accuses scarlett rope kitchen right")
    assert session.contradiction.numbers == (1,)
    assert session.contradiction.hand == (session.setting.deck.id("Rope"),)
    assert any("you hold" in line for line in contradiction_sections(session)[0].lines)


def test_a_card_that_was_shown_is_mine_by_that_entry_too():
    hand, rules = ["Ladle", "Attic", "Bath"], {"refuters": "all", "wrong_shows_hand": True}
    case = Case.begin("tiny", {"Ann": 3, "Bob": 3, "Cy": 2}, me="Ann", hand=hand, rules=rules)
    for line in ("cy coral ladle attic, ann shows attic, bob shows", "cy lays open coral amber"):
        case.enter(case.grammar.parse(line))
    assert case.contradiction.numbers == (1, 2)
    assert case.contradiction.hand == (case.setting.deck.id("Ladle"),)


def test_a_hand_told_wrongly_is_corrected():
    kept = []
    session = Case(setting_of(), keep=lambda session: kept.append(session.setting.hand))
    session.enter(session.grammar.parse("mu accuses scarlett rope kitchen right"))
    for wrong in (["Rope"], ["Rope"] * 6, ["Wrench", "Hall", "Study", "Plum", "Green", "Nothing"]):
        with pytest.raises(CluedoError):
            session.correct_hand(wrong)
        assert session.contradiction is not None
    right = ["Wrench", "Hall", "Study", "Plum", "Green", "Dagger"]
    session.correct_hand(right)
    assert session.contradiction is None
    assert "Green holds Wrench." not in news_lines(session), "Green is me"
    assert snapshot(session) == snapshot(Case(setting_of(hand=right), session.entries))
    assert kept[-1] == session.setting.hand
    with pytest.raises(CluedoError, match="a spectator has no hand"):
        Case(setting_of(me=None)).correct_hand(right)


# ---- what to ask and when to accuse --------------------------------------------------------------


def test_there_is_a_question_for_every_room_and_its_bits_are_the_gain():
    setting, noted = noted_game("classic", 4, 5)
    case = Case(setting, noted[:5])
    assert sorted(question.cards[2] for question in case.questions) == list(setting.deck.rooms)
    posterior = Posterior(case.known.evidence, UNIFORM)
    for question in case.questions:
        assert question.bits == pytest.approx(gain(posterior, question.cards), abs=0.1)
        pairs = product([*setting.deck.suspects][:3], [*setting.deck.weapons][:3])
        best = max(gain(posterior, (suspect, weapon, question.cards[2])) for suspect, weapon in pairs)
        assert question.bits > best - 0.15
    worths = [question.worth for question in case.questions]
    assert worths == sorted(worths, reverse=True)


def test_my_pawn_is_where_i_asked_was_drawn_or_said():
    setting, board = setting_of(), Board.load("classic")
    session = Case(setting)

    def enter(line: str) -> None:
        session.enter(session.grammar.parse(line))

    assert session.pawn is None
    assert all(question.turns is None for question in session.questions)
    enter("me scar wrench kit white wrench")
    assert (session.pawn.place, session.pawn.used) == (board.place("Kitchen"), board.place("Kitchen"))
    turns = {question.cards[2]: question.turns for question in session.questions}
    assert turns[setting.deck.id("Kitchen")] == math.inf
    assert turns[setting.deck.id("Study")] == 1.0  # by the secret passage
    assert turns[setting.deck.id("Ballroom")] < turns[setting.deck.id("Lounge")]
    enter("mu green wrench lounge me")
    assert (session.pawn.place, session.pawn.used) == (board.place("Lounge"), -1)
    session.place_pawn(board.place("Hall"))
    assert session.pawn.place == board.place("Hall")
    enter("mu scar wrench kit n")
    assert session.pawn.place == board.place("Hall")
    enter("white green wrench lib me")
    assert session.pawn.place == board.place("Library")
    session.undo()
    assert session.pawn.place == board.place("Hall")
    Interpreter(session).answer("at")
    assert session.pawn is None, "it has gone out into a corridor"
    assert all(question.turns is None for question in session.questions)


def test_where_nobody_walks_every_room_is_next():
    hand = [*(f"R{k}" for k in range(3, 9)), "S0", "S1", "W0"]
    without = Setting.make(board_from(DECK_ALONE), [("A1", 9), ("B1", 9)], "A1", hand)
    for setting in (setting_of(free=True), without):
        session = Case(setting)
        assert session.pawn is None
        assert {question.turns for question in session.questions} == {None}
        assert not any("turn" in line for line in question_section(session, 9).lines)


def test_it_is_time_to_accuse_when_a_guess_is_likelier_to_win_than_to_wait():
    setting, noted = noted_game("classic", 4, 5)
    session = Case(setting)
    for entry in noted:
        session.enter(entry)
        advice = session.advice
        assert (advice is None) == session.over
        if advice is not None:
            assert (advice.cards, advice.probability) == session.known.envelopes[0]
            if not advice.proved:
                assert advice.accuse <= (advice.chances is not None and advice.probability > advice.chances.wait)
            begin = "Accuse: " if advice.proved else "A gamble" if advice.accuse else "Do not accuse yet"
            assert verdict_section(session).title.startswith(begin)
            assert advice.proved == (advice.probability == 1.0) == session.known.certain


def test_a_spectator_is_told_the_odds_and_no_advice():
    session = fresh("mu scar wrench kit white", me=None)
    assert session.questions == []
    assert session.advice is None
    assert session.known.deals > 0


def test_once_the_case_is_closed_nothing_is_advised():
    session = fresh("me accuse scar wrench kit wrong")
    assert session.over
    assert session.advice is None
    assert session.questions == []
    session.undo()
    session.enter(session.grammar.parse("mu accuses scar wrench kit wrong"))
    assert not session.over
    assert session.advice is not None


def test_a_question_is_worth_less_the_later_it_comes():
    soon, late, never = (RoomQuestion((0, 6, 12), 1.0, turns) for turns in (1.0, 2.0, math.inf))
    assert soon.worth > late.worth > never.worth == 0.0


# ---- a proof and a gamble, and what is doubtful ------------------------------------------------------


def test_a_proof_and_a_gamble_never_look_alike_and_an_envelope_has_one_figure():
    seen = set()
    for seats, seed in ((3, 1), (4, 5), (5, 7), (6, 1)):
        setting, noted = noted_game("classic", seats, seed)
        case = Case(setting)
        for entry in noted:
            case.enter(entry)
            sections, advice = case_sections(case), case.advice
            toned = [section for section in sections if section.tone in (Tone.PROVED, Tone.GUESS)]
            if advice is not None and advice.chances is not None:
                odds = odds_section(case, 3).lines[0].strip().split("  ")[0]
                assert verdict_section(case).lines[0].endswith(f"would be right in {odds} of cases.")
                sorts = [line for line in verdict_section(case).lines if isinstance(line, ReasonLine)]
                assert [line.count("%") for line in sorts] == [1, 1, 1], "the odds of waiting at tables of each sort"
            assert not [
                line for one in sections if one.tone is not Tone.EXPERT for line in said([one]) if "bit" in line
            ]
            if advice is None or not advice.accuse:
                assert toned == []
                continue
            assert toned == [sections[0]], "what is urgent comes first"
            seen.add(toned[0].tone)
            if toned[0].tone is Tone.PROVED:
                assert advice.probability == 1.0
                assert toned[0].title.endswith("That is proved.")
                assert not toned[0].lines
            else:
                assert advice.chances.wait < advice.probability < 1.0
                assert toned[0].title == "A gamble, but waiting is worse."
    assert seen == {Tone.PROVED, Tone.GUESS}


PASSAGES = ({"Study", "Kitchen"}, {"Lounge", "Conservatory"})


def test_the_first_sentence_says_where_to_go_and_what_to_ask_and_the_next_what_can_be_shown():
    case = Case(setting_of(hand=("White", "Lounge", "Green", "Plum", "Rope", "Wrench")))
    talk, deck, begun = Interpreter(case), case.setting.deck, set()
    for name in ("", *deck.names_in(sum(1 << card for card in deck.rooms))):
        talk.answer(f"at {name}")
        first, (best, *_) = todo_section(case), case.questions
        begun.add(first.title.partition(deck.names[best.room])[0])
        assert first.title.endswith(f" ask: {deck.names[best.cards[0]]}, {deck.names[best.cards[1]]}.") or not name
        assert first.title.startswith("Stay in") is (deck.names[best.room] == name)
        assert ("by the secret passage" in first.title) is ({name, deck.names[best.room]} in PASSAGES)
        assert first.proposed == best.cards
        assert case_sections(case)[0] == first
    assert begun >= {"Ask in ", "Go to "}
    mine = [card for card in case.questions[0].cards if case.setting.hand >> card & 1]
    assert (f"You hold {case.setting.deck.names[mine[0]]}" in first.lines[0]) if mine else not first.lines


def test_advice_that_an_entry_changed_says_which_and_what_it_was():
    setting, noted = noted_game("classic", 4, 5)
    case, told = Case(setting), 0
    for count, entry in enumerate(noted, 1):
        before = case.questions[:1]
        case.enter(entry)
        if before and case.questions:
            changed = before[0].cards != case.questions[0].cards
            line = f"Entry {count} changed this: before, it was {setting.deck.listed(before[0].cards)}."
            assert (line in todo_section(case).lines) is changed
            told += changed
    assert told
    assert not [line for line in said(case_sections(Case(setting, noted[:8]))) if "changed this" in line]


@pytest.mark.parametrize(
    ("p", "told"),
    [
        (0.0, "0 %"), (1e-4, "<0.1 %"), (0.007, "0.7 %"), (0.0096, "1 %"), (0.6667, "67 %"), (0.997, "99.7 %"),
        (0.9996, ">99.9 %"), (1.0, "100 %"),
    ],
)  # fmt: skip
def test_a_chance_has_the_same_figure_in_the_sheet_and_in_a_sentence(p, told):
    assert rounded_percent(p) == with_error(p, 0.0) == told
    assert cell_sign(p)[1] in (told, "✓", "✗")


def test_a_question_is_rated_by_the_envelopes_that_it_leaves():
    case = fresh("me white lead li, white shows lead")
    left = len(case.known.envelopes)
    lines = question_section(case, 9).lines
    for question, line in zip(case.questions, lines, strict=True):
        share = round(0.5**question.bits * left) / left
        assert f"about {share * left:.0f} left" in line
        assert ("halves them" in line) == (0.45 <= share < 0.55)
        assert ("leaves two fifths" in line) == (0.37 <= share < 0.45)
    assert question_section(case, 9).title == f"Ask next ({left} envelopes left now):"


def test_figures_in_bits_are_behind_a_switch_that_remembers_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    case = fresh("me white lead li, white shows lead")
    sections = Interpreter(case).answer("bits").sections
    for shown in (False, True, False):
        assert figures_shown() is shown
        lines = said(for_readers(sections))
        assert any(" bits" in line for line in lines) is shown
        switch_figures()


def test_a_doubtful_entry_is_kept_only_when_it_is_confirmed():
    case = Case(setting_of())
    talk = Interpreter(case)
    first = "mu scar wrench kit white"
    assert talk.answer(first).kind is ReplyKind.CHANGED
    reply = talk.answer(first)
    assert (reply.kind, len(case.entries)) == (ReplyKind.DOUBTED, 1)
    assert reply.sections[0].lines[0] == "Is this the same entry twice? It is the same as the one before."
    assert talk.answer(first).kind is ReplyKind.CHANGED  # said again
    assert len(case.entries) == 2
    talk.answer(first)
    talk.answer("log")
    assert talk.answer(first).kind is ReplyKind.DOUBTED  # something else was said in between
    assert talk.answer("keep").kind is ReplyKind.CHANGED
    assert len(case.entries) == 3
    with pytest.raises(CluedoError, match="no doubtful entry"):
        talk.answer("keep")


def test_a_command_that_nothing_follows_says_so():
    talk = Interpreter(fresh("me plum rope hall n"))
    for line in ("undo 2", "log 1", "quit now"):
        with pytest.raises(CluedoError, match=f"'{line.split()[0]}' takes nothing after it"):
            talk.answer(line)
    assert len(talk.case.entries) == 1


def test_somebody_eliminated_who_asks_is_doubtful():
    talk = Interpreter(fresh("mu accuses scar wrench kit wrong"))
    assert talk.answer("white peac wrench ball n").kind is ReplyKind.CHANGED
    reply = talk.answer("mu peac rev ball n")
    assert reply.kind is ReplyKind.DOUBTED
    assert reply.sections[0].lines[0].startswith("Mustard has accused wrongly and is out")


def test_an_entry_out_of_turn_is_doubtful():
    walking, free = Case(setting_of()), Case(setting_of(free=True))
    for case in (walking, free):
        assert Interpreter(case).answer("mu scar wrench kit white").kind is ReplyKind.CHANGED
        again = Interpreter(case).answer("mu peac rev ball n")
        assert again.kind is ReplyKind.DOUBTED
        assert again.sections[0].lines[0] == "Is it the turn of Mustard? After Mustard comes White."
    # Where pawns walk, a turn without a hypothesis is common; where everybody asks each turn, it is not.
    assert Interpreter(walking).answer("me peac rev ball n").kind is ReplyKind.CHANGED
    assert Interpreter(free).answer("me peac rev ball n").kind is ReplyKind.DOUBTED
    assert Interpreter(walking).answer("me accuse peac rev ball wrong").kind is ReplyKind.CHANGED


def test_a_hand_may_be_laid_open_in_anybodys_turn():
    talk = Interpreter(Case.begin("classic", ["Ann", "Bob", "Cy"], rules={"wrong_shows_hand": True}))
    assert talk.answer("bob accuses plum rope hall wrong").kind is ReplyKind.CHANGED
    assert talk.answer("cy asks green wrench study nobody").kind is ReplyKind.CHANGED
    assert talk.answer("bob lays open mustard, scarl, whi, peac, dagg, kit").kind is ReplyKind.CHANGED


def test_what_cannot_have_happened_is_refused_before_it_is_doubted():
    talk = Interpreter(fresh("mu scar wrench kit white"))
    with pytest.raises(CluedoError, match="you hold 'Plum', so you had to show a card"):
        talk.answer("mu plum wrench kit n")


def test_odds_questions_and_the_log_are_told():
    talk = Interpreter(fresh("me white lead li, white shows lead", "white scar lead li mu"))
    assert len(said(talk.answer("odds").sections)) == 14
    assert len(said(talk.answer("ask").sections)) == 10  # a line for each room, below the title
    assert said(talk.answer("log").sections)[0].startswith("  1 Green asks White")


def test_no_figure_has_a_sign_before_nothing():
    assert [number(value, ".2f") for value in (-0.0, -0.004, 0.004, -0.005001)] == ["0.00", "0.00", "0.00", "−0.01"]
    assert tr("{bits:.2f} bits", bits=-0.0) == "0.00 bits"
    assert number(-0.001, "+.2f") == "+0.00"


def test_a_notebook_shows_the_sheet_and_the_advice_or_what_contradicts():
    case = fresh("<b>ann scar wrench kit cy", players=("<b>Ann", "Bob", "Cy"), me="Bob")
    shown = case._repr_html_()
    assert "<html" not in shown
    assert "&lt;b&gt;Ann" in shown
    assert "<b>" not in shown
    assert all(section.title in shown for section in case_sections(case))
    case.enter(case.grammar.parse("bob accuses scar rope kit right"))
    assert "The entries contradict each other" in case._repr_html_()
    assert "<table" not in case._repr_html_()


@pytest.mark.parametrize(
    ("language", "block"), [("en", "examples"), ("en", "commands"), ("fr", "examples"), ("fr", "commands")]
)
def test_what_can_be_typed_stands_in_columns(language, block):
    with speaking(language):
        lines, commands = help_lines(), tr("Commands:")
    first = lines.index(commands)
    some = lines[first:] if block == "commands" else lines[:first]
    columns = {re.match(r"  .*? {2,}", line).end() for line in some if line.startswith("  ")}
    assert len(columns) == 1


# ---- speed ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("board", ["classic", "master"])
def test_an_entry_late_in_a_game_of_six_is_answered_at_once(board):

    setting, noted = noted_game(board, 6, 1)
    assert len(noted) > 15
    session = Case(setting, noted[:10])
    case_sections(session)
    times = []
    for entry in noted[10:-1]:
        begun = time.process_time()
        session.enter(entry)
        case_sections(session)
        times.append(time.process_time() - begun)
    assert median(times) < 0.2
    assert max(times) < 1.0
