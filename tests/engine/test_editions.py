"""The rules of editions and houses, by their numbers; against a second referee, under undo, and in records."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from helpers.cases import cases
from helpers.editions import EDITIONS, edition_game, go_to, large_game, unanswered
from helpers.other_deals import cut
from helpers.seen_from import sights_compared
from helpers.slow_rules import play_beside
from helpers.support import MANNERS, accuse, ask, drawn_game, go, make_game, play_random, seen_by_all, show
from helpers.turns import refused

from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Peek, Roll, Stay
from cluedo.engine.deal import Seeds, check_seats, draw_deal
from cluedo.engine.errors import RecordError, SetupError
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown
from cluedo.engine.game import Game, Result
from cluedo.engine.record import GameRecord, RecordWriter
from cluedo.engine.rules import Rules

CLASSIC = Board.load("classic")
TINY = Board.load("tiny")


# ---- what can be set ------------------------------------------------------------------------------


def test_rules_that_are_not_set_are_not_written():
    assert list(Rules().model_dump()) == ["dice", "sides", "movement", "max_turns"]
    assert Rules().of_the_box
    for _, rules in EDITIONS.values():
        written = Rules(**rules).model_dump()
        assert {key: written[key] for key in rules} == rules
        assert Rules(**written) == Rules(**rules)
        assert not Rules(**rules).of_the_box


def test_every_rule_from_13_on_is_played_by_itself_and_with_all_the_others():
    together = EDITIONS["together"].rules.keys()
    assert together == Rules.model_fields.keys() - Rules().model_dump().keys()
    assert together == {key for name, edition in EDITIONS.items() if name != "together" for key in edition.rules}


def test_rule_15_needs_a_pool():
    with pytest.raises(SetupError, match="rule peek: there is no pool to look into; set pool=4"):
        Rules.from_options(["peek=yes"])
    for pool in ("pool=4", "leftover=pool"):
        assert Rules.from_options(["peek=yes", pool])


# ---- 1 and 13: players and the pool ---------------------------------------------------------------


def test_rule_01_ten_players_play_with_a_deck_of_ten_suspects():
    game = large_game(10)
    play_random(game, Random(1), limit=400)
    assert game.table.seats == 10
    assert {event.seat for event in game.events} == set(range(10))


def test_rule_13_two_players_need_a_pool():
    with pytest.raises(SetupError, match=r"two players need a pool of cards beside the board.*pool=4"):
        check_seats(CLASSIC.deck, Rules(), 2)
    assert check_seats(CLASSIC.deck, Rules(pool=4), 2) == (0, 1)


def test_rule_13_a_pool_leaves_everybody_a_card():
    with pytest.raises(SetupError, match="with 16 cards in the pool, 21 cards are too few for 3 players"):
        check_seats(CLASSIC.deck, Rules(pool=16), 3)


@pytest.mark.parametrize("pool", [0, 1, 4])
@pytest.mark.parametrize("leftover", ["dealt", "open", "pool"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_rules_13_and_14_every_card_is_in_one_place(pool, leftover, seats):
    firsts: set[int] = set()
    for number in range(60):
        deal = draw_deal(Seeds(3, number, seats), CLASSIC.deck, Rules(pool=pool, leftover=leftover))
        left = (18 - pool) % seats
        assert len(deal.pool) == pool + (left if leftover == "pool" else 0)
        assert deal.open_cards.bit_count() == (left if leftover == "open" else 0)
        sizes = [hand.bit_count() for hand in deal.hands]
        assert max(sizes) - min(sizes) == (1 if leftover == "dealt" and left else 0)
        there = [*deal.envelope, *deal.pool, *bits(deal.open_cards), *[c for hand in deal.hands for c in bits(hand)]]
        assert sorted(there) == list(range(21))
        firsts.update(deal.pool[:1])
    assert len(firsts) > 15 or not deal.pool, "any card may be the first of the pool"


def test_rule_13_nobody_shows_a_card_of_the_pool():
    assert [type(event) for event in unanswered().events[-2:]] == [HypothesisMade, Passed]


def test_rule_14_cards_left_over_lie_face_up_for_all():
    game = drawn_game(CLASSIC, 4, 3, leftover="open")
    assert game.table.open_cards.bit_count() == 2
    for seat in range(4):
        assert game.view(seat).face_up == game.table.open_cards


# ---- 15 and 21: peeking ---------------------------------------------------------------------------


def test_rule_15_whom_nobody_answers_may_look_at_one_card_alone():
    game = unanswered(peek=True)
    seat, other = game.state.active, 1 - game.state.active
    assert {command for command in game.legal() if isinstance(command, Peek)} == {Peek(k) for k in range(4)}
    card = game.state.deal.pool[2]
    assert game.execute(Peek(2)) == (Peeked(seat, 2, card),)
    assert game.view(seat).events[-1] == Peeked(seat, 2, card)
    assert game.view(other).events[-1] == Peeked(seat, 2, None)
    assert game.state.deal.pool[2] == card, "it stays in its place"
    assert refused(game.execute, Peek(1)) == "only one card of the pool is looked at in a turn (rule 15)"
    game.execute(EndTurn())
    assert game.state.peeked is None


def test_rule_15_names_what_is_wrong():
    game = unanswered(peek=True)
    for position in (4, -1):
        assert "is not a position in the pool, which are 0 to 3 (rule 15)" in refused(game.execute, Peek(position))
    game.execute(EndTurn())
    assert "not possible now" in refused(game.execute, Peek(0))
    game.execute(Stay())
    if game.table.board.is_room(game.state.place):
        assert "not possible now" in refused(game.execute, Peek(0))
    assert refused(unanswered().execute, Peek(0)) == "nobody looks into the pool under these rules (rule 15)"


def test_rule_15_nobody_looks_after_an_answer():
    game, random = edition_game("two", 0), Random(0)
    while game.state.refuted_by is None or game.state.step.name != "ACCUSE":
        play_random(game, random, limit=1)
    assert "only a player whose hypothesis nobody could answer" in refused(game.execute, Peek(0))


def test_rule_20_the_first_suspect_starts():
    deck = CLASSIC.deck
    for number in range(5):
        deal = draw_deal(Seeds(number, 0, 3), deck, Rules(starts="first_suspect"), [4, 2, 5])
        assert deal.first == 1


# ---- 16: own cards --------------------------------------------------------------------------------


def test_rule_16_one_card_named_is_not_ones_own():
    deck = TINY.deck
    names = [deck.names[ids[0]] for ids in deck.ids]
    hidden = [deck.names[ids[-1]] for ids in deck.ids]
    rest = [name for name in deck.names if name not in names + hidden]
    game = make_game("tiny", hands=[names, rest, []], movement="free", own_cards="not_all")
    go_to(game, deck.id(names[2]))
    legal = game.legal()
    assert sum(isinstance(command, Hypothesis) for command in legal) == len(deck.suspects) * len(deck.weapons) - 1
    why = refused(game.execute, Hypothesis(*deck.triple(names)))
    assert why == "one of the three cards at least is not the asker's own (rule 16)"
    ask(game, names[0], deck.names[deck.weapons[1]], names[2])


# ---- 17: where to accuse --------------------------------------------------------------------------


def test_rule_17_one_accuses_only_the_room_one_is_in():
    game = make_game("tiny", accuse_in="room", rolls={0: [3]})
    deck = TINY.deck
    game.execute(Roll())
    game.execute(Stay())
    triple = [deck.names[ids[0]] for ids in deck.ids]
    why = refused(game.execute, Accusation(*deck.triple(triple)))
    assert why == "an accusation is made in the room that it names (rule 17)"
    game = make_game("tiny", accuse_in="room", movement="free")
    here, there = deck.names[deck.rooms[0]], deck.names[deck.rooms[1]]
    go_to(game, deck.rooms[0])
    accusations = [command for command in game.legal() if isinstance(command, Accusation)]
    assert {command.room for command in accusations} == {deck.rooms[0]}
    assert f"{here}, not {there} (rule 17)" in refused(game.execute, Accusation(*deck.triple([*triple[:2], there])))
    accuse(game, *triple[:2], here)


# ---- 18: the open hand ----------------------------------------------------------------------------


def test_rule_18_a_wrong_accusation_shows_ones_hand_and_one_still_shows_cards():
    game = make_game("tiny", movement="free", wrong_shows_hand=True)
    deck = TINY.deck
    game.execute(Stay())
    wrong = [deck.names[ids[0]] for ids in deck.ids]
    hand = game.state.deal.hands[0]
    accused, laid = accuse(game, *wrong)
    assert isinstance(accused, Accused)
    assert laid == HandShown(0, tuple(bits(hand)))
    for seat in range(3):
        assert game.view(seat).events[-1] == laid
        assert game.view(seat).face_up == hand
    game.execute(EndTurn())
    suspect, weapon, room = (next((c for c in ids if hand >> c & 1), ids[-1]) for ids in deck.ids)
    go_to(game, room)
    game.execute(Hypothesis(suspect, weapon, room))
    assert game.state.to_act == 0
    assert {command.card for command in game.legal()} == {suspect, weapon, room} & set(laid.cards)


def test_rule_18_a_right_one_shows_nothing():
    game = make_game("tiny", movement="free", wrong_shows_hand=True)
    game.execute(Stay())
    assert len(game.execute(Accusation(*game.state.deal.envelope))) == 1


# ---- 19: all answer -------------------------------------------------------------------------------


def test_rule_19_every_holder_shows_one_card_in_turn():
    deck = CLASSIC.deck
    game = make_game("classic", seats=4, envelope=["Plum", "Wrench", "Study"], movement="free", refuters="all")
    hands = game.state.deal.hands
    suspect = deck.names_in(hands[1] & deck.masks[0])[0]
    room = deck.names_in(hands[3] & deck.masks[2])[0]
    go(game, room)
    first = ask(game, suspect, "Wrench", room)
    assert len(first) == 1
    assert game.state.to_act == 1
    assert show(game, suspect) == (Shown(1, 0, deck.id(suspect)), Passed(2))
    assert game.state.to_act == 3
    assert show(game, room) == (Shown(3, 0, deck.id(room)),)
    assert game.state.step.name == "ACCUSE"
    for seat, seen in enumerate(([suspect, room], [suspect, None], [None, None], [None, room])):
        shown = [event.card for event in game.view(seat).events if isinstance(event, Shown)]
        assert shown == [name and deck.id(name) for name in seen]


# ---- 21: the last one wins ------------------------------------------------------------------------


@pytest.mark.parametrize("last_wins", [False, True])
def test_rule_21_when_all_others_are_out_the_last_player_wins_at_once(last_wins):
    game = make_game("tiny", movement="free", last_wins=last_wins)
    wrong = [game.table.deck.names[ids[0]] for ids in game.table.deck.ids]
    for _ in range(2):
        assert game.result is None
        game.execute(Stay())
        accuse(game, *wrong)
        game.execute(EndTurn())
    assert game.result == (Result(2, "unsolved", 2) if last_wins else None)
    assert (game.legal() == []) is last_wins


# ---- against a second referee ---------------------------------------------------------------------


def told(game: Game, seat: int) -> set[str]:
    """The names of the cards that a seat has seen, by its view."""
    view = game.view(seat)
    seen = {event.card for _, event in view.seen if not isinstance(event, Shown) or event.asker == seat}
    return {view.deck.names[card] for card in seen} | set(view.deck.names_in(view.face_up))


def play_against_the_second_referee(name: str, number: int) -> Game:
    """A random game of an edition, compared at every step."""
    game = edition_game(name, number, max_turns=25)
    twin = play_beside(game, Random(number), list(MANNERS)[number % len(MANNERS)], insight=0.1)
    for seat in range(game.table.seats):
        laid_open = twin.hands[seat] if seat in twin.shown_hands else set()
        assert told(game, seat) == twin.seen[seat] | laid_open
    return game


@pytest.mark.parametrize("name", EDITIONS)
def test_random_games_of_editions_go_as_the_second_referee_says(name):
    for number in range(4):
        play_against_the_second_referee(name, number)


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITIONS)
def test_so_do_two_thousand_of_each(name):
    endings = Counter(play_against_the_second_referee(name, number).result.reason for number in range(cases(2000, 100)))
    assert endings.keys() == {"solved", "unsolved", "unfinished"}


# ---- undo, records, and what a seat may know ------------------------------------------------------


@pytest.mark.parametrize("name", EDITIONS)
def test_undo_puts_everything_back(name):
    game = edition_game(name, 3)
    before = [seen_by_all(game)]
    play_random(game, Random(2), limit=40, before=lambda _: before.append(seen_by_all(game)))
    before.append(seen_by_all(game))
    for _ in range(len(game.commands)):
        assert seen_by_all(game) == before.pop()
        game.undo()
    assert not game.events


@pytest.mark.parametrize("name", EDITIONS)
def test_a_record_replays_to_the_same_game(name):
    for number in range(3):
        game = edition_game(name, number, max_turns=30)
        play_random(game, Random(number))
        writer = RecordWriter(game.table.board, game.table.rules)
        players = [f"P{seat}" for seat in range(game.table.seats)]
        line = writer.line(game, players)
        again = GameRecord.from_json(line).replay()
        assert seen_by_all(again) == seen_by_all(game)
        assert writer.line(again, players) == line


def test_a_record_whose_pool_does_not_fit_the_rules_is_refused():
    game = drawn_game(TINY, 2, 5, pool=2, leftover="pool", peek=True)
    data = json.loads(RecordWriter(TINY, game.table.rules).line(game, ["a", "b"]))
    card = data["pool"].pop()
    data["players"][0]["hand"].append(card)
    with pytest.raises(RecordError, match=r"these rules lay \d+ cards face down and 0 face up, not"):
        GameRecord.from_json(json.dumps(data)).replay()
    data["pool"].append(card)
    with pytest.raises(RecordError, match="was dealt 2 times, not once"):
        GameRecord.from_json(json.dumps(data)).replay()


def test_a_record_tells_which_card_was_looked_at():
    game = unanswered(peek=True)
    game.execute(Peek(0))
    data = json.loads(RecordWriter(TINY, game.table.rules).line(game, ["a", "b"]))
    seen = {"position": 0, "card": TINY.deck.names[game.state.deal.pool[0]]}
    assert data["events"][-1] == {"type": "peek", "seat": game.state.active} | seen
    data["events"][-1]["card"] = TINY.deck.names[game.state.deal.pool[1]]
    with pytest.raises(RecordError, match="the record says"):
        GameRecord.from_json(json.dumps(data)).replay()


@pytest.mark.parametrize("name", EDITIONS)
def test_deals_that_a_seat_cannot_tell_apart_give_it_the_same_views(name):
    others, other_pools, peeks = 0, 0, 0
    random = Random(name)
    for number in range(6):
        game = edition_game(name, number, max_turns=8)
        play_random(game, Random(number), "eager")
        for seat in range(game.table.seats):
            found = sights_compared(cut(game, 6), seat, random, wanted=3)
            others += len(found)
            other_pools += sum(deal.pool != game.state.deal.pool for deal, _ in found)
        peeks += sum(isinstance(event, Peeked) for event in game.events)
    assert others >= 10, "too few other deals to show anything"
    rules = Rules(**EDITIONS[name].rules)
    assert bool(other_pools) == bool(rules.pool or rules.leftover == "pool")
    assert bool(peeks) == rules.peek


def test_only_a_shown_card_and_a_look_hide_something():
    game = edition_game("together", 4, max_turns=20)
    play_random(game, Random(4), "eager")
    for seat in range(game.table.seats):
        for mine, true in zip(game.view(seat).events, game.events, strict=True):
            if mine != true:
                assert isinstance(true, Shown | Peeked)
                assert seat not in true.viewers
