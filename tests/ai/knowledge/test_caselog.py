"""Case logs: what is read, and the sentence for each thing that can be wrong."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from unicodedata import normalize

import pytest
from helpers import knowledge_tables as tables
from helpers.editions import EDITIONS, edition_game
from helpers.support import CASE_LOG, make_match

from cluedo.ai.knowledge import (
    CaseLogError,
    EvidenceReader,
    InconsistentEvidence,
    Posterior,
    SatDeducer,
    case_log,
    read_case_log,
)
from cluedo.engine.board import Board
from cluedo.engine.events import Shown


def read(**changes):
    return read_case_log(CASE_LOG | changes, Board.load)


def test_reads():
    log = read_case_log(json.dumps(CASE_LOG), Board.load)
    table = log.setting
    assert (table.board.source, table.names, table.sizes, table.me) == ("classic", ("Ann", "Bob", "Cid"), (6, 6, 6), 1)
    assert len(log.entries) == 5
    assert read_case_log(json.dumps(log.to_json()), Board.load) == log
    evidence = log.evidence()
    assert evidence.unit == "Entry"
    shown = [fact.event.card for fact in evidence.facts if isinstance(fact.event, Shown)]
    assert [card is None for card in shown] == [False, False, True]
    assert Posterior(evidence).deals < Posterior(log.evidence(2)).deals < Posterior(log.evidence(0)).deals
    assert len(log.evidence(0).facts) == 0


def test_cards_and_me_may_be_left_out():
    players = [{"name": name} for name in ("Ann", "Bob", "Cid")]
    events = [{"by": "Ann", "hypothesis": ["Green", "Rope", "Library"], "refuted_by": "Bob"}]
    log = read(players=players, me=None, hand=None, events=events)
    assert log.setting.sizes == (6, 6, 6)
    assert log.evidence().me is None


def event(number, **changes):
    events = copy.deepcopy(CASE_LOG["events"])
    events[number - 1].update(changes)
    return {"events": [{k: v for k, v in e.items() if v is not ...} for e in events]}


BAD = {
    "nobody": (event(2, by="Zoe"), "entry 2: nobody at the table is called 'Zoe'; known: Ann, Bob, Cid"),
    "card": (event(3, hypothesis=["White", "Wrensh", "Library"]), "entry 3: no weapon is called 'Wrensh'; did"),
    "order": (event(3, hypothesis=["Wrench", "White", "Library"]), "entry 3: no suspect is called 'Wrench'"),
    "asker": (event(3, refuted_by="Cid"), "entry 3: Cid cannot refute their own hypothesis"),
    "refuter": (event(3, refuted_by="Dan"), "entry 3: nobody at the table is called 'Dan'"),
    "not asked": (event(2, card="Rope"), "entry 2: 'Rope' is not one of the three"),
    "not seen": (event(3, card="White"), "entry 3: only Cid and Ann saw the card"),
    "not shown": (event(2, refuted_by=None), "entry 2: nobody refuted, so 'Dagger' was not shown"),
    "missing": (event(3, refuted_by=...), "entry 3: 'refuted_by': is missing"),
    "extra": (event(3, colour="red"), "entry 3: there is no key 'colour'; known: by, hypothesis, "),
    "verdict": (event(5, correct="no"), "entry 5: 'correct': must be true or false"),
    "not mine": (
        event(3, hypothesis=["Plum", "Wrench", "Library"], refuted_by="Bob", card="Wrench"),
        "entry 3: you cannot have shown 'Wrench', which is not in your hand",
    ),
    "not held": (event(3, refuted_by="Bob"), "entry 3: you hold none of the three cards, so you cannot have shown one"),
    "held": (event(4, hypothesis=["Green", "Rope", "Library"]), "entry 4: you hold 'Rope', so you had to show a card"),
    "no event": ({"events": [3]}, "entry 1: must be an object"),
    "misspelt": (event(3, hypothesis=..., hypothesys=[]), "entry 3: there is no key 'hypothesys'; did you mean 'hypo"),
    "neither": (event(3, hypothesis=...), "entry 3: there is neither a 'hypothesis' nor an 'accusation'"),
    "two cards": (event(3, hypothesis=["White", "Wrench"]), "entry 3: 'hypothesis' must be a suspect, a weapon and"),
    "after the end": ({"events": [CASE_LOG["events"][4] | {"correct": True}] * 2}, "entry 2: nothing follows a right"),
    "twice": ({"hand": ["Plum", "Plum", "Hall", "Study", "Lounge", "Kitchen"]}, "the hand has 'Plum' twice"),
    "short": ({"hand": ["Plum", "Hall"]}, "the hand of Bob needs 6 cards, and has 2"),
    "strange": ({"hand": ["Plume", "Rope", "Hall", "Study", "Lounge", "Kitchen"]}, "the hand: no card is called"),
    "me": ({"me": "Zoe"}, "nobody at the table is called 'Zoe'"),
    "half": ({"me": None}, "'me' and 'hand' go together"),
    "names": ({"players": [{"name": n} for n in ("Ann", "Cid", "Ann")]}, "two players are called Ann; give each"),
    "place": ({"players": [{"name": n} for n in ("Ann", "Bob", "envelope")]}, "no player can be called 'envelope': c"),
    "sum": ({"players": [{"name": n, "cards": 5} for n in ("Ann", "Bob", "Cid")]}, "hold 18 cards in all, not 15"),
    "uneven": ({"players": [{"name": n} for n in ("Ann", "Bob", "Cid", "Dan")]}, "every player's number of cards"),
    "one": ({"players": [{"name": "Ann"}]}, "Cluedo is played by 2 to 10 players, not 1"),
    "player": ({"players": [{"name": "Ann"}, {"name": "Bob", "cards": "six"}]}, "player 2: 'cards': must be a whole"),
    "both": (
        event(3, accusation=["White", "Wrench", "Library"], correct=False, refuted_by=...),
        "entry 3: there is no key 'hypothesis'; known: by, acc",
    ),
    "movement": ({"movement": "fly"}, "the case log: 'movement': must be 'walk' or 'free'"),
    "true": ({"format": True}, "the case log: 'format': must be 1"),
    "zero": ({"format": 0}, "the case log: 'format': must be 1"),
    "bell": ({"map": "\a"}, "the case log: 'map': must not have control characters"),
    "two lines": ({"players": [{"name": "A\nB"}, {"name": "C"}]}, "player 1: 'name': must be"),
    "format": ({"format": 2}, "format 2 is newer than this program knows (it reads 1)"),
    "map": ({"map": 3}, "the case log: 'map': must be a text"),
    "rule": ({"rules": {"dice": 0}}, "the case log: 'rules.dice': must be 1 or more"),
    "no rule": ({"rules": {"dyce": 1}}, "the case log: 'rules': there is no key 'dyce'; did you mean 'dice'?"),
}


def test_not_json():
    with pytest.raises(CaseLogError, match="not JSON"):
        read_case_log("{", Board.load)
    with pytest.raises(CaseLogError, match="a case log is a JSON object, not a list"):
        read_case_log("[]", Board.load)


def test_a_name_of_a_player_is_the_same_in_each_form_of_unicode():
    composed, other = "Zoé", normalize("NFD", "Zoé")
    players = [{"name": name, "cards": 6} for name in (other, "Bob", "Cid")]
    events = [entry | {key: composed for key in entry if entry[key] == "Ann"} for entry in CASE_LOG["events"]]
    log = read(players=players, events=events)
    assert log.setting.names[0] == composed
    assert log.entries[0].by == 0
    assert read(players=players, events=[events[0] | {"by": other}]).entries[0].by == 0


def test_contradictory_events_are_named():
    log = read(**event(4, hypothesis=["Green", "Dagger", "Library"]))
    told = "Entry 2: Cid showed you Dagger; Entry 4: Cid could not show Green, Dagger or Library"
    with pytest.raises(InconsistentEvidence, match=told):
        Posterior(log.evidence()).update()


def test_the_first_event_that_contradicts_is_named():
    events = [*CASE_LOG["events"], {"by": "Cid", "hypothesis": ["Plum", "Dagger", "Study"], "refuted_by": "Ann"}]
    events += [{"by": "Ann", "hypothesis": ["White", "Dagger", "Ballroom"], "refuted_by": None}] * 3
    log = read(events=events)
    assert log.consistent(5).facts == log.evidence(5).facts
    with pytest.raises(CaseLogError, match=r"^entry 6: no deal fits these facts together: .*Entry 6: Ann showed"):
        log.consistent()
    suspects = list(tables.named_deck("classic").names[:6])
    with pytest.raises(CaseLogError, match=r"^the hand: no deal fits these facts together: You hold"):
        read(hand=suspects, events=[]).consistent()


# ---- editions and house rules ----------------------------------------------------------------------


def asks(by, cards, *refuters):
    """A hypothesis, in a log of a game in which all who can answer do."""
    return {"by": by, "hypothesis": cards.split(), "refuted_by": list(refuters) or None}


def looks(*seen):
    """A log of what Bob sees of the pool: positions and cards."""
    return {"events": [{"by": "Bob", "peek": position, "card": card} for position, card in seen]}


HOUSE = {
    "map": "classic",
    "rules": {"pool": 2, "leftover": "open", "peek": True, "wrong_shows_hand": True, "refuters": "all"},
    "open": ["Wrench"],
    "players": [{"name": name} for name in ("Ann", "Bob", "Cid")],
    "me": "Bob",
    "hand": ["Plum", "Rope", "Hall", "Study", "Lounge"],
    "events": [
        asks("Bob", "White Dagger Library", "Cid", "Ann") | {"cards": {"Cid": "Dagger", "Ann": "White"}},
        asks("Cid", "Green Revolver Kitchen"),
        {"by": "Cid", "peek": 1},
        {"by": "Bob", "peek": None, "card": "Kitchen"},
        {"by": "Ann", "accusation": ["Green", "Revolver", "Ballroom"], "correct": False},
        {"by": "Ann", "hand": ["White", "Mustard", "Candlestick", "Ballroom", "Conservatory"]},
    ],
}


def test_with_another_hand_all_else_at_the_table_stays():
    table = read_case_log(HOUSE | {"events": []}, Board.load).setting
    hand = ["Plum", "Rope", "Hall", "Study", "Kitchen"]
    assert table.with_hand(hand) == replace(table, hand=table.deck.mask(hand))


def test_a_log_tells_the_rules_of_the_house_and_what_they_bring():
    log = read_case_log(HOUSE, Board.load)
    setting, deck = log.setting, log.setting.deck
    assert (setting.sizes, setting.pool_size, setting.rules.peek) == ((5, 5, 5), 2, True)
    assert setting.places == ("Ann", "Bob", "Cid", "pool", "open", "envelope")
    evidence = log.consistent()
    known = SatDeducer(evidence)
    assert known.status(deck.id("Kitchen"), evidence.pool_at) is True
    assert known.status(deck.id("Wrench"), evidence.open_at) is True
    assert known.has[0] == deck.mask(HOUSE["events"][-1]["hand"])
    again = log.to_json()
    assert again["rules"] == HOUSE["rules"]
    assert again["open"] == HOUSE["open"]
    assert read_case_log(again, Board.load) == log


BAD_HOUSE = {
    "several": ({"rules": HOUSE["rules"] | {"refuters": "first"}}, "entry 1: only the first who can answer shows"),
    "no look": ({"rules": HOUSE["rules"] | {"peek": False}}, "entry 3: nobody looks into the pool"),
    "position": ({"events": [{"by": "Cid", "peek": 2}]}, "entry 1: 2 is not a position in the pool"),
    "not seen": ({"events": [{"by": "Cid", "peek": 1, "card": "Rope"}]}, "entry 1: only Cid saw the card"),
    "hidden": ({"rules": HOUSE["rules"] | {"wrong_shows_hand": False}}, "entry 6: nobody lays their hand open"),
    "part": ({"events": [{"by": "Ann", "hand": ["Rope"]}]}, "entry 1: the hand of Ann needs 5 cards, and has 1"),
    "twice": ({"events": [{"by": "Ann", "hand": ["Rope", "Plum", "Rope"] * 2}]}, "entry 1: the hand has 'Rope' twice"),
    "two answers": ({"events": [asks("Ann", "Plum Rope Hall", "Bob", "Bob")]}, "entry 1: refuted_by has 'Bob' twice"),
    "answered": (
        {"events": [asks("Cid", "White Dagger Library", "Ann"), {"by": "Cid", "peek": 1}]},
        "entry 2: Cid was shown a card, so they cannot look into the pool",
    ),
    "another card": (looks((1, "White"), (1, "Kitchen")), "entry 2: this card of the pool was 'White', so it cannot"),
    "same card": (looks((1, "White"), (0, "White")), "entry 2: two cards of the pool cannot both be 'White'"),
    "open": ({"open": ["Wrench", "Rope"]}, "the number of cards that lie open under these rules is 1, not 2"),
    "none open": ({"open": []}, "the number of cards that lie open under these rules is 1, not 0"),
    "mine": ({"open": ["Rope"]}, "'Rope' is in your hand and lies open"),
    "strange": ({"open": ["Wrensh"]}, "the open cards: no card is called 'Wrensh'"),
    "name": ({"players": [{"name": name} for name in ("pool", "Bob", "Cid")]}, "no player can be called 'pool'"),
    "rule": ({"rules": {"poool": 2}}, "the case log: 'rules': there is no key 'poool'"),
    "own cards": (
        {"rules": HOUSE["rules"] | {"own_cards": "not_all"}, "events": [asks("Bob", "Plum Rope Hall")]},
        "entry 1: one card of a hypothesis at least is not one's own",
    ),
}


@pytest.mark.parametrize(
    ("log", "changes", "message"),
    [*((CASE_LOG, *bad) for bad in BAD.values()), *((HOUSE, *bad) for bad in BAD_HOUSE.values())],
)
def test_says_what_is_wrong(log, changes, message):
    with pytest.raises(CaseLogError) as caught:
        read_case_log(log | changes, Board.load)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_log_of_a_seat_in_an_edition_holds_what_the_seat_knows(name):
    for number in range(3):
        game = edition_game(name, number, max_turns=12)
        make_match(game, ["random"] * game.table.seats, number).play()
        for seat in range(game.table.seats):
            view = game.view(seat)
            log = case_log(view.table, view.events, seat, view.hand)
            again = read_case_log(log.to_json(), Board.load)
            assert again.entries == log.entries
            one, other = again.evidence(), EvidenceReader(view).evidence
            fields = ("counts", "may", "has", "clauses", "bans", "choices", "named", "peeked", "pool_at", "open_at")
            for field in fields:
                assert getattr(one, field) == getattr(other, field), field
