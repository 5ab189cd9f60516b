"""Entries as lines: what is printed is read back, in few letters or many, and nothing is guessed."""

from __future__ import annotations

import time
from itertools import permutations
from random import Random

import pytest
from helpers.cases import cases
from helpers.tables import setting_of
from hypothesis import assume, example, given, settings, strategies as st

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.board import Board
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused
from cluedo.engine.rules import Rules
from cluedo.language import speak, tr
from cluedo.session.case.grammar import Grammar
from cluedo.session.case.vocabulary import Unclear, fold_text, index_of

MAPS = ("classic", "manoir", "master", "tiny")
NAMES = ["Ann", "Anna", "Anne-Marie", "Bob", "O'Neill", "Élodie", "el", "Jo 2", "7", "C", "van der Berg", "Mr. X"]


TYPED = ["mu", "white", "plum", "rope", "hall", "asks", "shows", "nobody", "a", ",", "1"]


def read_or_trouble(grammar: Grammar, line: str) -> tuple[Entry | None, str]:
    """The entry, or why there is none."""
    try:
        return grammar.parse(line), ""
    except Unclear as error:
        return None, str(error)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar(setting_of())


@pytest.fixture(scope="module")
def grammar_of_three() -> Grammar:
    return Grammar(setting_of(players=("Ann", "Bob", "Cy"), me="Cy"))


USUAL = Rules()
HOUSE = Rules(pool=3, peek=True, wrong_shows_hand=True, refuters="all")


@st.composite
def tables(draw, rules: Rules = USUAL, most: int = 6) -> Setting:
    """Tables of players who may be called like cards."""
    board = Board.load(draw(st.sampled_from(MAPS)))
    known = [*NAMES, *(board.deck.names[card] for card in board.deck.suspects)]
    names = draw(st.lists(st.sampled_from(known), min_size=2, max_size=most, unique_by=fold_text))
    each, more = divmod(board.deck.size - 3 - rules.pool, len(names))
    sizes = [each + (seat < more) for seat in range(len(names))]
    me = draw(st.sampled_from([None, *range(len(names))]))
    hand = board.deck.names[::2][: sizes[me]] if me is not None else None
    players = list(zip(names, sizes, strict=True))
    return Setting.make(board, players, None if me is None else names[me], hand, rules=rules)


@st.composite
def house_entries(draw, setting: Setting):
    seats, cards = range(len(setting.names)), range(setting.deck.size)
    by = draw(st.sampled_from(seats))
    kind = draw(st.sampled_from(["asks", "peeks", "lays"]))
    if kind == "peeks":
        return Entry.peek(by, draw(st.integers(-1, setting.pool_size - 1)), draw(st.sampled_from([None, *cards])))
    if kind == "lays":
        size = setting.sizes[by]
        return Entry.hand(by, draw(st.lists(st.sampled_from(cards), min_size=size, max_size=size, unique=True)))
    three = tuple(draw(st.sampled_from(list(ids))) for ids in setting.deck.ids)
    others = [seat for seat in seats if seat != by]
    shows = draw(st.dictionaries(st.sampled_from(others), st.sampled_from([None, *three]), max_size=3))
    return setting.hypothesis(by, three, shows)


@pytest.fixture(scope="module")
def house() -> Grammar:
    """The grammar of a table that plays by the rules of the house."""
    board = Board.load("classic")
    players = [("Ann", 5), ("Bob", 5), ("Cy", 5)]
    return Grammar(Setting.make(board, players, "Bob", board.deck.names[:5], rules=HOUSE))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ann peeks", "Ann looks into the pool"),
        ("me look 2", "Bob looks at card 2 of the pool"),
        ("bob looks at card 3 of the pool: rope", "Bob looks at card 3 of the pool: Rope"),
        ("1 looks into the pool", "Ann looks into the pool"),
        ("ann plum rope hall: bob shows, cy shows", "Ann asks Plum, Rope, Hall: Bob shows; Cy shows"),
    ],
)
def test_short_lines_of_a_house(line, meant, house):
    assert house.write(house.parse(line)) == meant


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ann guesses plum rope hall, bob can't, cy shows", "Ann asks Plum, Rope, Hall: Cy shows"),
        ("ann plum rope hall bob no cy shows him the rope", "Ann asks Plum, Rope, Hall: Cy shows Rope"),
        ("ann plum rope hall, bob couldn’t show, cy passes", "Ann asks Plum, Rope, Hall: nobody"),
        ("cy asks plum rope hall, nobody could answer", "Cy asks Plum, Rope, Hall: nobody"),
        ("bob accuses plum rope hall, he's wrong", "Bob accuses Plum, Rope, Hall: wrong"),
        ("bob accuses plum rope hall, not right", "Bob accuses Plum, Rope, Hall: wrong"),
        ("ann plum rope hall bob shows nothing cy", "Ann asks Plum, Rope, Hall: Cy shows"),
        ("ann plum rope hall, bob ne montre pas, cy montre", "Ann asks Plum, Rope, Hall: Cy shows"),
        ("ann plum rope hall, bob n’a rien, cy n", "Ann asks Plum, Rope, Hall: nobody"),
        ("bob accuse plum rope hall, ce n'est pas vrai", "Bob accuses Plum, Rope, Hall: wrong"),
    ],
)
def test_lines_as_people_write_them(line, meant, grammar_of_three):
    assert grammar_of_three.write(grammar_of_three.parse(line)) == meant


def test_passes_come_in_the_order_of_the_table_unless_everybody_answers(house, grammar_of_three):
    with pytest.raises(Unclear, match="Bob is asked before Cy"):
        grammar_of_three.parse("ann plum rope hall cy no, bob shows")
    for line in ("ann plum rope hall cy no, bob shows", "ann plum rope hall bob shows, cy no"):
        assert house.write(house.parse(line)) == "Ann asks Plum, Rope, Hall: Bob shows"


def test_no_beginning_of_a_name_is_a_guess():
    grammar = Grammar(setting_of("discover", ("Ann", "Bob", "Cy"), None, free=True))
    assert grammar.write(grammar.parse("bob g h plum rope cy")) == "Bob asks Plum, Rope, Guest House: Cy shows"


@pytest.mark.parametrize("line", ["ann plum rope hall, bob can't", "ann plum rope hall bob could not show"])
def test_who_cannot_show_did_not_show(line, grammar_of_three):
    with pytest.raises(Unclear, match="say who showed a card, or nobody"):
        grammar_of_three.parse(line)


def test_what_a_table_does_not_play_by_is_not_understood(grammar, house):
    with pytest.raises(Unclear, match="'peeks' is not understood"):
        grammar.parse("white peeks")
    with pytest.raises(Unclear, match="4 cards of the hand are still to be named"):
        house.parse("ann lays open rope")


@st.composite
def entries(draw, setting: Setting):
    three = tuple(draw(st.sampled_from(list(ids))) for ids in setting.deck.ids)
    seats = list(range(len(setting.names)))
    by = draw(st.sampled_from(seats))
    if draw(st.booleans()):
        return Entry.accusation(by, three, draw(st.booleans()))
    others = st.sampled_from([seat for seat in seats if seat != by])
    return setting.hypothesis(by, three, draw(st.dictionaries(others, st.sampled_from([None, *three]))))


@pytest.mark.parametrize(
    "at_home", [pytest.param(False, marks=pytest.mark.slow, id="usual"), pytest.param(True, id="house")]
)
@given(data=st.data(), language=st.sampled_from(["en", "fr"]))
@settings(max_examples=cases(150, 20))
def test_what_is_written_is_read_back(at_home, data, language):
    setting = data.draw(tables(HOUSE, 5) if at_home else tables())
    entry = data.draw(house_entries(setting) if at_home else entries(setting))
    speak(language)
    line = Grammar(setting).write(entry)
    assert Grammar(setting).parse(line) == entry
    assert at_home or Grammar(setting).parse(line.upper()) == entry
    speak("fr" if language == "en" else "en")
    assert Grammar(setting).parse(line) == entry, "the words of both languages are always understood"


@given(st.data())
@settings(max_examples=cases(100, 20))
def test_names_cut_short_mean_the_same_or_are_refused(data):
    setting = data.draw(tables())
    entry = data.draw(entries(setting))
    grammar, everything = Grammar(setting), {fold_text(name) for name in (*setting.names, *setting.deck.names)}

    def cut(name: str) -> str:
        short = name[: data.draw(st.integers(1, len(name)))].rstrip(" -'.")
        assume(fold_text(short) == fold_text(name) or fold_text(short) not in everything)
        return short

    names = [cut(setting.deck.names[card]) for card in data.draw(st.permutations(entry.cards))]
    words = [cut(setting.names[entry.by])]
    if isinstance(entry.head, Accused):
        words += ["accuses", *names, "right" if entry.head.correct else "wrong"]
    else:
        words += [data.draw(st.sampled_from(["asks", "", "demande"])), *names]
        words += ["nobody"] if entry.refuter is None else [cut(setting.names[entry.refuter])]
        words += [] if entry.card is None else ["shows", cut(setting.deck.names[entry.card])]
    read, trouble = read_or_trouble(grammar, data.draw(st.sampled_from([" ", ", "])).join(words))
    assert read == entry or "could be" in trouble or "could mean" in trouble


@given(st.text(max_size=60) | st.lists(st.sampled_from(TYPED)).map(" ".join))
@example("a " * 60)
@example("no " * 60)
@example("mu plum rope hall nobody " + "a the shows " * 20)
def test_whatever_is_typed_is_an_entry_or_a_sentence(text):
    grammar = Grammar(setting_of())
    begun = time.process_time()
    entry, trouble = read_or_trouble(grammar, text)
    assert (entry is None) == bool(trouble)
    assert "\n" not in trouble
    assert entry is None or grammar.parse(grammar.write(entry)) == entry
    grammar.complete(text)
    assert time.process_time() - begun < 0.5


MEANT = {
    "mu asks plum rope hall, white shows": "Mustard asks Plum, Rope, Hall: White shows",
    "mu plum rope hall white": "Mustard asks Plum, Rope, Hall: White shows",
    "MU  Hall pLuM;rope.  White!": "Mustard asks Plum, Rope, Hall: White shows",
    "me white lead li mu shows lead": "Green asks White, Lead Pipe, Library: Mustard shows Lead Pipe",
    "me white pi li mu pi": "Green asks White, Lead Pipe, Library: Mustard shows Lead Pipe",
    "mu pl ro ha n": "Mustard asks Plum, Rope, Hall: nobody",
    "mu asks plum rope hall no one shows": "Mustard asks Plum, Rope, Hall: nobody",
    "3 plum rope hall 1": "Green asks Plum, Rope, Hall: Mustard shows",
    "i asked about plum with the rope in the hall and white showed me the rope": (
        "Green asks Plum, Rope, Hall: White shows Rope"
    ),
    "white accuses plum rope hall wrong": "White accuses Plum, Rope, Hall: wrong",
    "white acc plum rope hall r": "White accuses Plum, Rope, Hall: right",
    "mu demande plum, rope dans le hall, personne ne montre": "Mustard asks Plum, Rope, Hall: nobody",
    "white accuse plum rope hall, c'est faux": "White accuses Plum, Rope, Hall: wrong",
    "mu green candle c white": "Mustard asks Green, Candlestick, Conservatory: White shows",
}


@pytest.mark.parametrize("line", MEANT)
def test_few_keys_suffice(line, grammar):
    assert grammar.write(grammar.parse(line)) == MEANT[line]


REFUSED = {
    "": "nothing was entered",
    " ,;": "nothing was entered",
    "mu p rope hall white": "'p' could be Peacock or Plum",
    "mu plum r hall white": "'r' could be Revolver or Rope",
    "mu plum rope": "the entry is not complete: still to be named: a room",
    "mu plum rope hall": "the entry is not complete: say who showed a card, or nobody",
    "mu accuses plum rope hall": "the entry is not complete: say whether that was right or wrong",
    "mu plum white hall green": "White does not go with Plum: one suspect, one weapon and one room",
    "mu plum rope hall mu": "Mustard asked, so somebody else shows a card, or nobody",
    "mu plum rope hall nobody rope": "the entry is complete before 'rope'",
    "mu qqqq rope kitchen white": "'qqqq' is not understood: still to be named: a suspect, a weapon, a room",
    "mu plum rope kitchn white": "'kitchn' is not understood: still to be named: a room; did you mean Kitchen?",
    "zz plum": "'zz' is not understood: first comes the player who asks or accuses; "
    "did you mean Mustard, White or Green?",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_not_clear_is_refused_in_a_sentence(line, grammar):
    with pytest.raises(Unclear) as refusal:
        grammar.parse(line)
    assert str(refusal.value) == REFUSED[line]


def test_a_word_of_another_language_is_understood_whole_and_begins_no_name():
    setting = setting_of(players=("Ann", "Nina", "Cy"), me="Cy")
    english = Grammar(setting)
    assert english.parse("cy plum rope hall a") == english.parse("cy asks plum rope hall: Ann shows")
    assert english.parse("cy plum rope hall aucun").refuter is None
    assert english.parse("cy plum rope hall nob").refuter is None
    speak("fr")
    french = Grammar(setting)
    assert french.parse("cy plum rope hall n") == french.parse("cy demande plum rope hall : Nina montre")
    assert french.parse("cy plum rope hall nobody").refuter is None
    assert french.parse("cy plum rope hall pers").refuter is None


def test_a_card_answers_to_its_other_names(grammar):
    deck = grammar.setting.deck
    for line, card in (
        ("mu rev green dagger hall nobody", "Green"),
        ("mu Reverend Green knife hall nobody", "Dagger"),
        ("mu colonel mustard lead piping hall nobody", "Lead Pipe"),
        ("mu mrs peacock spanner hall nobody", "Wrench"),
        ("mu prof. plum pistol hall nobody", "Revolver"),
    ):
        assert deck.id(card) in grammar.parse(line).cards
    assert index_of("knife", deck.names, Board.load("classic").map.aliases) == deck.id("Dagger")
    with pytest.raises(Unclear):
        index_of("knife", deck.names)
    # What begins a name is that name, whatever other names begin so.
    assert deck.id("Green") in grammar.parse("mu g rope hall nobody").cards
    assert "knife" not in grammar.write(grammar.parse("mu g knife hall nobody"))


def test_two_parses_of_different_kind_are_told_whole():
    grammar = Grammar(setting_of(players=("Mustard", "White", "Nora"), me=None))
    with pytest.raises(Unclear) as refusal:
        grammar.parse("mu plum rope hall n")
    assert "'n' could be Nora or no" in str(refusal.value)


def test_the_example_of_a_table_has_its_players_and_its_cards():
    board, hand = Board.load("classic"), ["Plum", "Rope", "Study", "Wrench", "Dagger", "Green"]
    players = [("Ann", None), ("Bob", None), ("Zoé", None)]
    for rules in (Rules(), Rules(refuters="all")):
        table = Setting.make(board, players, "Ann", hand, rules=rules)
        assert Grammar(table).example() == "bob white revolver hall, zoé shows"
    assert Grammar(setting_of()).example() == "mustard peacock wrench lounge, white shows"


@pytest.mark.parametrize("language", ["en", "fr"])
@given(table=st.one_of(tables(), tables(HOUSE, most=3)))
def test_the_example_can_be_typed_at_every_table(table, language):
    speak(language)
    try:
        grammar = Grammar(table)
    except CluedoError:
        assume(False)
    entry = grammar.parse(grammar.example())
    assert entry.refuter not in (None, table.me)
    assert not any(table.hand >> card & 1 for card in entry.cards)


def test_the_cards_come_in_any_order(grammar):
    meant = grammar.parse("mu plum rope hall white")
    assert all(grammar.parse(f"mu {' '.join(some)} white") == meant for some in permutations(["plum", "rope", "hall"]))


@pytest.mark.parametrize("names", [("Ann", "ann."), ("Ann", "Nobody"), ("A", "Personne"), ("A", "?!"), ("wrong", "x")])
def test_names_that_could_not_be_typed_are_refused_at_once(names):
    setting = Setting.make(Board.load("tiny"), [(names[0], 4), (names[1], 4)])
    if names == ("Ann", "ann."):
        assert Grammar(setting).parse("ann amber poker attic nobody").by == 1  # but for capitals, the better match
        return
    with pytest.raises(CluedoError, match="cannot be"):
        Grammar(setting)


def test_names_that_cannot_be_told_apart_are_named_in_the_language_spoken():
    """All of the sentence: what a value in it is, too."""
    deck = Board.load("tiny").deck
    setting = Setting.make(Board.load("tiny"), [("Jo 2", 4), ("Jo-2", 4)], "Jo 2", deck.names[::2][:4])
    with pytest.raises(CluedoError, match="the players 'Jo 2' and 'Jo-2' cannot be told apart") as refusal:
        Grammar(setting)
    speak("fr")
    assert tr(refusal.value).startswith("joueurs\xa0: on ne peut pas distinguer ")


def test_who_is_called_me_is_me():
    setting = Setting.make(Board.load("tiny"), [("Me", 4), ("You", 4)], "Me", Board.load("tiny").deck.names[::2][:4])
    grammar = Grammar(setting)
    entry = Entry.hypothesis(2, 1, (0, 4, 7), {0: None})
    assert grammar.parse(grammar.write(entry)) == entry
    with pytest.raises(CluedoError, match="cannot be called"):
        Grammar(
            Setting.make(Board.load("tiny"), [("Me", 4), ("You", 4)], "You", Board.load("tiny").deck.names[::2][:4])
        )


# ---- completions -------------------------------------------------------------------------------


def test_completions_go_on_with_what_is_begun(grammar):
    def words(line: str) -> list[str]:
        return [one.word for one in grammar.complete(line)]

    assert words("") == ["Mustard", "White", "Green"]
    assert words("mu a") == ["asks", "accuses"]
    assert words("mu pl")[0] == "Plum"
    assert words("mu plum rope b") == ["Billiard Room", "Ballroom"]
    assert words("mu plum rope hall ") == ["White", "Green", "nobody"]
    assert words("w acc plum rope hall ") == ["right", "wrong"]
    assert words("xyz ") == []
    assert grammar.complete("mu asks din")[0].line == "mu asks Dining Room "
    assert grammar.complete("mu asks dining r")[0].line == "mu asks Dining Room "


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("seed", range(30))
def test_completions_alone_lead_to_an_entry(seed, language):
    speak(language)
    random, grammar, line = Random(seed), Grammar(setting_of()), ""
    for _ in range(12):
        try:
            grammar.parse(line)
        except Unclear:
            line = random.choice(grammar.complete(line)).line
        else:
            return
    raise AssertionError(line)


def test_parses_do_not_grow_in_number_with_the_words_of_a_line():
    # "a" begins "à", which says nothing, and later words of "Clé anglaise" and "Salle à manger".
    reached = Grammar(setting_of("manoir", ("Ann", "Bob", "Cy"), me=None))._follow(("bob " + "a " * 40).split())
    assert len(reached[20]) == len(reached[40])


def test_one_name_of_many():
    names = ["Lead Pipe", "Rope", "Revolver", "Salle de bain", "Salle de jeux"]
    assert [index_of(text, names) for text in ("pi", "ROP", "bain", "salle j", "revolver")] == [0, 1, 3, 4, 2]
    for text, words in (("r", "could be Rope or Revolver"), ("salle", "could be"), ("x", "is not one of them")):
        with pytest.raises(Unclear, match=words):
            index_of(text, names)
