"""The level expert: each sentence about it, and what each parameter does, in whole games and in set positions."""

from __future__ import annotations

from itertools import islice, product
from math import log2
from time import process_time

import pytest
from helpers.knowledge_tables import fitting, joint, weigh
from helpers.level_games import played, seated, steps
from helpers.support import LARGE_DECK, accuse, ask, board_from, finish_turn, go, make_game, shows

from cluedo.ai import level_expert
from cluedo.ai.knowledge import CHOICE, Posterior, gain
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.ai.level_expert import ExpertPlayer
from cluedo.ai.levels import parse_player
from cluedo.ai.opponents import weighed_envelopes
from cluedo.engine.board import Board
from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import Accusation, Hypothesis, Roll, Stay
from cluedo.engine.errors import PlayerError
from cluedo.engine.events import Accused
from cluedo.engine.game import Game
from cluedo.engine.state import ACCUSE

# ---- whether to accuse ----------------------------------------------------------------------------


class Judged(ExpertPlayer):
    """Compares each answer on accusing with every deal that fits, and with what it weighed, on `tiny`."""

    proved = guessed = waited = 0

    def choose_accusation(self, view):
        answer = super().choose_accusation(view)
        margin = self._caution - 0.07 * log2((6 * 6 * 9) / (4 * 3 * 4))  # with few cards it guesses sooner
        evidence = EvidenceReader(view).evidence
        deals = fitting(evidence)
        odds = joint(evidence.deck, deals, weigh(evidence, deals, CHOICE), evidence.seats)
        first = [ids.start for ids in evidence.deck.ids]
        if odds.max() == pytest.approx(1.0):
            assert answer == Accusation(*(int(at[0]) + ids for at, ids in zip(odds.nonzero(), first, strict=True)))
            assert self.weighed is None
            type(self).proved += 1
        elif answer is None:
            assert self.weighed is None or self.weighed.guess <= self.weighed.wait + margin
            type(self).waited += 1
        else:
            assert self.weighed.guess > self.weighed.wait + margin
            assert odds[tuple(c - at for c, at in zip(answer.cards, first, strict=True))] > 0.0
            type(self).guessed += 1
        return answer


def test_it_accuses_when_the_envelope_is_proved_or_a_guess_is_worth_more_than_to_wait():
    Judged.proved = Judged.guessed = Judged.waited = 0
    for deal in range(20):
        players = [Judged(caution=caution) for caution in (0.06, 0.0, -0.3)]
        played(players, "tiny", 42, deal, movement=("walk", "free")[deal % 2])
    assert min(Judged.proved, Judged.guessed, Judged.waited) >= 5


def test_with_the_greatest_caution_every_accusation_is_proved():
    for deal in range(20):
        game = played(["expert:caution=1"] * 4, ("manoir", "tiny")[deal % 2], 41, deal).game
        assert game.result.reason == "solved"
        assert [event.correct for event in game.events if isinstance(event, Accused)] == [True]


def about_to_accuse() -> Game:
    """A game in which seat 0 is asked whether it accuses, and can prove nothing."""
    again, _ = next(
        islice(steps(played(["hard", "easy", "hard", "medium"], "tiny", 41, 5, max_turns=6).game), 17, None)
    )
    assert (again.state.to_act, again.state.step) == (0, ACCUSE)
    return again


@pytest.mark.parametrize("caution", [0.0, 0.06])
def test_it_guesses_where_that_is_likelier_to_win_than_to_play_on(caution, monkeypatch):
    """With whatever playing on is thought to be worth, and a guess worth more than that by its caution or not."""
    again = about_to_accuse()
    told = []
    for value in (0.0, 0.05, 0.9, 1.0):
        monkeypatch.setattr(level_expert, "value_of_waiting", lambda *_, value=value: value)
        player = seated(again, f"expert:caution={caution}")
        answer = player.choose_accusation(again.view(0))
        told.append(answer)
        assert answer is None or player.weighed.guess > value + caution
    assert told[0] is not None
    assert told[2:] == [None, None]


def test_a_guess_that_some_deals_flatter_is_not_made_unless_others_say_the_same(monkeypatch):
    again, drawn = about_to_accuse(), []

    def flattered_at_first(*drawn_and_weighed):
        found = weighed_envelopes(*drawn_and_weighed)
        drawn.append(drawn_and_weighed[1])
        if len(drawn) > 1:
            return found
        return found._replace(joint=0.01 * found.joint + 0.99 * (found.joint == found.joint.max()))

    monkeypatch.setattr(level_expert, "value_of_waiting", lambda *_: 0.9)
    monkeypatch.setattr(level_expert, "weighed_envelopes", flattered_at_first)
    player = seated(again, "expert")
    assert player.choose_accusation(again.view(0)) is None
    assert player.weighed.guess < 0.9, "what the others say"
    assert len(drawn[1]) == 2 * len(drawn[0])
    assert (drawn[1][: len(drawn[0])] != drawn[0]).any()


@pytest.mark.parametrize("most", [200, 1_000_000])
def test_before_a_guess_that_is_not_clearly_right_only_so_many_deals_are_drawn(most, monkeypatch):
    again, drawn, sample = about_to_accuse(), [], Posterior.sample
    monkeypatch.setattr(level_expert, "value_of_waiting", lambda *_: 0.0)
    monkeypatch.setattr(level_expert, "_CLEAR", 1e9)
    monkeypatch.setattr(level_expert, "_MOST_SAMPLES", most)
    monkeypatch.setattr(Posterior, "sample", lambda self, rng, count: drawn.append(count) or sample(self, rng, count))
    assert seated(again, "expert").choose_accusation(again.view(0)) is not None
    assert sum(drawn[1:]) == min(6 * drawn[0], most)


def test_nobody_guesses_while_nobody_is_near_to_winning():
    for seats in (3, 6):
        game = make_game("classic", seats=seats)
        player = seated(game, "expert")
        game.execute(Stay())
        assert player.choose_accusation(game.view(0)) is None


def test_it_does_not_bet_on_what_somebody_asked_in_vain_and_did_not_accuse(monkeypatch):
    """Two others asked about the envelope; nobody answered, nobody accused."""
    hands = [["Amber", "Ladle", "Attic"], ["Basil", "Poker", "Bath"], ["Coral", "Cellar"]]
    game = make_game("tiny", hands=hands, envelope=["Denim", "Shears", "Den"], movement="free", first=1)
    monkeypatch.setattr(level_expert, "value_of_waiting", lambda *_: 0.0)
    player = seated(game, "expert:reading=off")
    go(game, "Bath")
    ask(game, "Denim", "Shears", "Bath")  # seat 1 holds the bath: nobody answers
    finish_turn(game)
    go(game, "Attic")
    finish_turn(game)
    game.execute(Stay())
    answer = player.choose_accusation(game.view(0))
    assert isinstance(answer, Accusation)
    likeliest, probability = Posterior(EvidenceReader(game.view(0)).evidence, CHOICE).envelopes()[0]
    asked = game.table.deck.triple(["Denim", "Shears", "Bath"])
    assert likeliest == asked, "going by the answers alone"
    assert answer.cards != asked
    assert player.weighed.guess < 0.9 * probability


# ---- what to ask ----------------------------------------------------------------------------------


CLASSIC = {
    "hands": [
        ["White", "Green", "Candlestick", "Rope", "Study", "Lounge"],
        ["Scarlett", "Mustard", "Dagger", "Lead Pipe", "Hall", "Library"],
        ["Peacock", "Revolver", "Dining Room", "Conservatory", "Ballroom", "Billiard Room"],
    ],
    "envelope": ["Plum", "Wrench", "Kitchen"],
    "suspects": ["Scarlett", "Mustard", "Peacock"],
}
"""Seat 0 is Scarlett, and holds neither her card nor those of the two others at the table."""


def questions(level: str, game: Game) -> list[Hypothesis]:
    """What experts with different chances ask here."""
    found = []
    for seed in range(12):
        player = seated(game, level, seed=seed)
        hypothesis = player.choose_hypothesis(game.view(0))
        assert hypothesis.why_not(game.state) is None
        found.append(hypothesis)
    return found


def in_hall() -> Game:
    """Seat 0 may ask in the hall."""
    game = make_game("classic", **CLASSIC, pawns={"Scarlett": "Hall"})
    game.execute(Stay())
    return game


def names(hypotheses: list[Hypothesis], category: Category) -> set[str]:
    """The cards of a category in these."""
    return {Board.load("classic").deck.names[hypothesis.cards[category]] for hypothesis in hypotheses}


WIDE = ":candidates=6"


@pytest.mark.parametrize(("own", "other"), [("own_cards=9", "own_cards=-9"), ("other_cards=-9", "other_cards=9")])
def test_own_cards_and_other_cards_say_how_gladly_it_names_its_own_and_learns_where_others_are(own, other):
    mine = questions(f"expert:{own}{WIDE}", in_hall())
    assert names(mine, Category.SUSPECT) <= {"White", "Green"}
    assert names(mine, Category.WEAPON) <= {"Candlestick", "Rope"}
    others = questions(f"expert:{other}{WIDE}", in_hall())
    assert not names(others, Category.SUSPECT) & {"White", "Green"}
    assert not names(others, Category.WEAPON) & {"Candlestick", "Rope"}


def test_drag_says_how_gladly_it_moves_others():
    assert names(questions(f"expert:drag=9{WIDE}", in_hall()), Category.SUSPECT) <= {"Mustard", "Peacock"}
    alone = names(questions(f"expert:drag=-9{WIDE}", in_hall()), Category.SUSPECT)
    assert not alone & {"Mustard", "Peacock"}


def test_its_own_pawn_and_those_nobody_plays_are_no_drag():
    game = in_hall()
    player = seated(game, "expert")
    view, deck = game.view(0), game.table.deck
    wrench, nobody_near = deck.id("Wrench"), [0.0] * game.table.seats
    suspects = ("Scarlett", "Plum", "Mustard", "Peacock")
    worth = {name: player._extra(view, deck.id(name), wrench, nobody_near) for name in suspects}
    assert worth["Scarlett"] == worth["Plum"] == 0.0
    assert worth["Mustard"] == worth["Peacock"] > 0.0


def test_who_is_eliminated_is_not_worth_moving():
    game = make_game("classic", **CLASSIC, pawns={"Scarlett": "Hall"})
    finish_turn(game)
    game.execute(Stay())
    accuse(game, "White", "Rope", "Study")
    finish_turn(game)
    finish_turn(game)
    game.execute(Stay())
    assert names(questions(f"expert:drag=9{WIDE}", game), Category.SUSPECT) == {"Peacock"}


def near_victory() -> Game:
    """Mustard has asked three times without an answer; seat 0 may ask in the hall."""
    game = make_game("classic", **CLASSIC, movement="free", first=1)
    for room in ("Library", "Hall", "Library"):
        go(game, room)
        ask(game, "Mustard", "Dagger", room)
        for _ in range(3):
            finish_turn(game)
        assert game.state.active == 1
    finish_turn(game)
    finish_turn(game)
    go(game, "Hall")
    return game


def test_it_does_not_help_the_leader_where_that_costs():
    game = near_victory()
    player = seated(game, "expert")
    likelihoods = player._opponents.likelihoods(player._odds.sample(player.random, 200), 0)
    outlook = player._opponents.outlook(likelihoods)
    assert outlook.hazards[1] > 2 * outlook.hazards[2]
    assert "Mustard" not in names(questions(f"expert:leader_cost=900{WIDE}", game), Category.SUSPECT)
    assert names(questions(f"expert:leader_cost=-900{WIDE}", game), Category.SUSPECT) == {"Mustard"}


def test_its_question_tells_about_as_much_as_any_in_the_room():
    """Against the exact gain of every hypothesis in the room, for many positions of real games."""
    shares = []
    for deal in range(8):
        for game, command in steps(played(["expert"] * 3, "manoir", 41, deal).game):
            if isinstance(command, Hypothesis) and game.state.active == 0 and len(shares) < 12:
                posterior = Posterior(EvidenceReader(game.view(0)).evidence, CHOICE)
                deck, room = game.table.deck, command.room
                level = "expert:samples=2000:candidates=6:other_cards=0:drag=0:leader_cost=0:reading=off"
                asked = seated(game, level, seed=1).choose_hypothesis(game.view(0))
                pairs = product(deck.suspects, deck.weapons)
                gains = {(suspect, weapon): gain(posterior, (suspect, weapon, room)) for suspect, weapon in pairs}
                best = max(gains.values())
                if best > 0.1:
                    shares.append(gains[asked.suspect, asked.weapon] / best)
    assert len(shares) >= 8
    assert sum(shares) / len(shares) > 0.9
    assert min(shares) > 0.6


def test_reading_changes_what_is_thought_and_off_does_not_read():
    changed = 0
    for deal in range(6):
        game = played(["easy", "hard", "medium"], "manoir", 41, deal, movement="free", max_turns=12).game
        one, two = seated(game, "expert:reading=on"), seated(game, "expert:reading=off")
        plain = Posterior(EvidenceReader(game.view(0)).evidence, CHOICE)
        assert (two._odds.marginals == plain.marginals).all()
        changed += not (one._odds.marginals == plain.marginals).all()
    assert changed >= 4


def test_candidates_limit_what_may_be_named():
    for count in (1, 2):
        player = seated(in_hall(), f"expert:candidates={count}:own_cards=-9")
        player.choose_hypothesis(in_hall().view(0))
        for category in (Category.SUSPECT, Category.WEAPON):
            assert len({question[category] for question in player._questions}) <= count


# ---- where to go ----------------------------------------------------------------------------------


def test_the_discount_decides_between_a_question_now_and_a_better_one_later():
    """Half as much may be asked here as in the ballroom, which is far away."""
    game = make_game("classic", **CLASSIC, pawns={"Scarlett": "Study"})
    for discount, expected in [(0.01, Stay()), (0.99, Roll())]:
        player = seated(game, f"expert:gain_discount={discount}")
        player.choose_move(game.view(0))
        values = {"Study": 0.5, "Ballroom": 1.0}
        rooms = [game.table.deck.names[question.room] for question in player._questions]
        player._questions = [
            question._replace(worth=values.get(room, 0.0))
            for question, room in zip(player._questions, rooms, strict=True)
        ]
        assert player.choose_move(game.view(0)) == expected


def test_under_free_movement_it_enters_the_room_of_its_best_question_and_asks_it():
    for seed in range(5):
        game = make_game("classic", **CLASSIC, movement="free")
        player = seated(game, "expert", seed=seed)
        game.execute(player.choose_move(game.view(0)))
        asked = player.choose_hypothesis(game.view(0))
        best = max(question.worth for question in player._questions)
        assert (*asked.cards, best) in player._questions, "two rooms of its own may be worth the same"


# ---- what to show ---------------------------------------------------------------------------------


def test_it_shows_again_what_was_shown_or_else_one_of_the_largest_category():
    deck = Board.load("classic").deck
    rooms = 0
    for deal in range(30):
        match = played(["expert", "easy", "random", "easy"], "classic", 41, deal, max_turns=60)
        for seat, card, choices, before in shows(match.game):
            if seat:
                continue
            if choices & before:
                assert before >> card & 1
            elif choices & deck.masks[Category.ROOM]:
                assert deck.category(card) is Category.ROOM
                rooms += choices & (choices - 1) != 0
    assert rooms > 5


def test_of_equally_large_categories_it_shows_either():
    game = make_game("classic", **CLASSIC, pawns={"Scarlett": "Kitchen"})
    game.execute(Stay())
    ask(game, "Mustard", "Dagger", "Kitchen")
    shown = {seated(game, "expert", 1, seed).choose_card(game.view(1)).card for seed in range(40)}
    assert {game.table.deck.names[card] for card in shown} == {"Mustard", "Dagger"}


def test_largest_goes_by_the_deck_not_by_habit():
    game = make_game(board_from(LARGE_DECK | {"rooms": LARGE_DECK["rooms"][:4]}), seats=3, movement="free")
    holder = 1
    hand = game.state.deal.hands[holder]
    deck = game.table.deck
    suspect, weapon, room = (bits(hand & mask)[0] for mask in deck.masks)
    go(game, deck.names[room])
    game.execute(Hypothesis(suspect, weapon, room))
    assert game.state.to_act == holder
    assert seated(game, "expert", holder).choose_card(game.view(holder)).card == suspect


# ---- parameters -----------------------------------------------------------------------------------

WRONG = {
    "expert:samples=0": "^expert:samples=0: the player cannot be made: samples is a number from 1 to 1,000,000, not 0$",
    f"expert:samples=1{400 * '0'}": "from 1 to 1,000,000, not 1",
    "expert:candidates=0": "candidates is a number of 1 or more, not 0$",
    "expert:gain_discount=-0.5": "gain_discount is a number from 0 to 1, not -0.5$",
    "montecarlo:budget=0": "budget is a number from 1 to 1,000,000, not 0$",
    "montecarlo:playouts=hard": "known: medium, easy, random",
    "habit:memory=-1": "memory is a number of 0 or more, not -1$",
    "habit:wait=-1": "wait is a number of 0 or more, not -1$",
    "habit:own=2": "own is a number from 0 to 1, not 2.0$",
    "habit:guess=nan": "guess=nan: a finite number is needed$",
    "expert:reading=maybe": "known: on, off",
    "expert:readin=on": "did you mean 'reading'?",
    "expert:own_cards": "key=value",
    "hard:own_cards=always": "known: probe, never",
    "hard:caution=1": "there is no parameter 'caution'",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=WRONG)
def test_wrong_parameters_are_refused_when_they_are_read(text, message):
    with pytest.raises(PlayerError, match=message.replace("?", r"\?")) as caught:
        parse_player(text)
    assert str(caught.value).startswith(text[:140]), "what is very long is shortened"


@pytest.mark.parametrize(
    "level",
    [
        "expert:samples=1:candidates=1",
        "expert:candidates=99:samples=300",
        "expert:gain_discount=1",
        "expert:gain_discount=0",
        "expert:own_cards=2:other_cards=-2:drag=-1:leader_cost=-1:caution=-0.5",
    ],
)
def test_every_setting_plays_to_the_end(level):
    for deal in range(3):
        match = played([level, "hard", level], ("manoir", "tiny", "classic")[deal], 41, deal)
        assert match.game.result.reason in ("solved", "unsolved")


# ---- speed ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_of_four_takes_well_under_a_second():
    times = []
    for deal in range(5):
        began = process_time()
        played(["expert"] * 4, "manoir", 41, deal)
        times.append(process_time() - began)
    assert min(times) < 0.9
