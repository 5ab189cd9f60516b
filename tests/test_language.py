"""The languages: how sentences are said, that all are said through ``tr``, and what a catalogue may hold."""

from __future__ import annotations

import ast
import html
import pickle
import re
import shutil
import sys
import threading
from gettext import NullTranslations
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from helpers.cases import some
from helpers.command_line import run
from helpers.piped_player import Brain, Table
from rich.text import Text

from cluedo import language
from cluedo.ai.knowledge import Fact
from cluedo.ai.knowledge.evidence import Evidence, Given
from cluedo.ai.knowledge.sentences import conclusion, facts_in_words
from cluedo.ai.levels import LEVELS
from cluedo.cli.play import play
from cluedo.cli.terminal import _folded
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HypothesisMade, Passed, Shown
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase, all_of
from cluedo.language import current, languages, number, percent, speak, speaking, tr, tr_count, tr_you

ROOT = Path(__file__).parent.parent
NBSP = "\N{NO-BREAK SPACE}"
FRENCH = "--lang", "fr"


# ---- the catalogues ----------------------------------------------------------------------------

CATALOGUE = ROOT / "cluedo" / "locale" / "fr" / "LC_MESSAGES" / "cluedo.po"


@pytest.fixture(scope="module")
def messages():
    """The tool that compares the catalogues with the code, which it reads once."""
    spec = spec_from_file_location("messages", ROOT / ".ci" / "messages.py")
    assert spec
    assert spec.loader
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    template = tool.extract()
    tool.extract = lambda: template
    return tool


def catalogue(identity: object, *strings: object, fuzzy: bool = False) -> Catalog:
    """A catalogue with one sentence."""
    made = Catalog(locale="fr")
    made.add(identity, *strings, flags=["fuzzy"] if fuzzy else [])  # type: ignore[arg-type]
    return made


@pytest.mark.parametrize(
    ("identity", "string", "right"),
    [
        ("{who} begins.", "{who} commence.", True),
        ("{who} begins.", "{qui} commence.", False),
        ("{who} begins.", "On commence.", False),
        ("{a:,} of {b}", "{b}\u00a0: {a:,}", True),
        ("{a:,} of {b}", "{b}\u00a0: {a}", False),
        (("{count} card", "{count} cards"), ("{count} carte", "{count} cartes"), True),
        (("one card", "{count} cards"), ("une carte", "{count} cartes"), True),
        (("{count} card", "{count} cards"), ("{count} carte", "{nombre} cartes"), False),
        ("{who} begins.", "", True),
    ],
)
def test_a_translation_has_the_places_of_its_sentence(messages, identity, string, right):
    assert bool(messages.wrong(catalogue(identity, string))) is not right


def test_a_release_has_every_sentence_translated_and_no_other(messages):
    said = catalogue("{who} begins.")
    assert messages.unfinished(catalogue("{who} begins.", "{who} commence."), said) == []
    for lacking in (catalogue("{who} begins.", ""), catalogue("{who} begins.", "{who} commence.", fuzzy=True)):
        assert messages.unfinished(lacking, said) == ["'{who} begins.' is not translated"]
    assert messages.unfinished(catalogue("{who} starts.", "{who} part."), said) == [
        "'{who} begins.' is not translated",
        "'{who} starts.' is said nowhere any more",
    ]


def test_sentences_are_found_in_calls_docstrings_options_and_templates(messages):
    found = {message.id for message in messages.extract()}
    assert {
        "{who} begins.",
        ("{count} card", "{count} cards"),
        "List the levels, what each does, and their parameters.",
        "Stop after this many entries.",
        "Print the version and exit.",
        "the detective's arithmetic",
    } <= found
    with pytest.raises(SystemExit, match="put together before it is translated"):
        messages.text_of(ast.parse("f'{a} b'", mode="eval").body)


@pytest.fixture
def other_languages(tmp_path, monkeypatch):
    """A copy of the catalogues, which the program reads instead of its own."""
    copied = tmp_path / "cluedo"
    shutil.copytree(ROOT / "cluedo" / "locale", copied / "locale")
    with monkeypatch.context() as patch:
        patch.setattr(language, "files", lambda _: copied)
        languages.cache_clear()
        language._read.cache_clear()
        yield copied
    languages.cache_clear()
    language._read.cache_clear()


def test_a_new_language_is_one_file_whose_sentences_are_said_as_they_come(
    messages, other_languages, monkeypatch, capsys
):
    monkeypatch.setattr(messages, "ROOT", other_languages.parent)
    monkeypatch.setattr(messages, "PACKAGE", other_languages)

    def done(*options):
        monkeypatch.setattr(sys, "argv", ["messages.py", *options])
        with pytest.raises(SystemExit) as ended:
            messages.main()
        return ended.value.code, capsys.readouterr().out

    code, out = done("--new", "eo")
    assert code == 0
    assert (out.count(" is not translated\n"), out.count("eo/LC_MESSAGES/cluedo.po: and ")) == (20, 1)
    assert [done(way)[0] for way in ("--check", "--release")] == [0, 1]
    path = other_languages / "locale" / "eo" / "LC_MESSAGES" / "cluedo.po"
    empty = path.read_text(encoding="utf-8")
    path.write_text(empty.replace('msgid "name"\nmsgstr ""', 'msgid "name"\nmsgstr "Kennung"'), encoding="utf-8")
    told = run("maps", "--lang", "eo")
    assert "Kennung" in told
    assert "suspects" in told


def french_sentences() -> list[str]:
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale="fr")
    both = [(message.string,) if isinstance(message.string, str) else message.string for message in catalogue]
    return [text for texts in both[1:] for text in texts]


def test_french_typography():
    sentences = french_sentences()
    assert len(sentences) > 500
    for french in sentences:
        bare = "".join(text for text, *_ in Formatter().parse(french))
        assert not re.search(r"[ \w][;?!%»]| :", bare.replace(NBSP, "·")), (
            f"high punctuation takes a no-break space: {french}"
        )
        assert not re.search(r"\w'\w|\.\.\.", bare), french


# ---- saying them -------------------------------------------------------------------------------


def test_english_is_said_as_it_is_written():
    assert tr("{who} begins.", who="Rose") == "Rose begins."
    assert tr("{games:,} games", games=12345) == "12,345 games"
    assert tr("a {brace") == "a {brace"


def test_french_is_looked_up_and_what_it_lacks_stays_english():
    speak("fr")
    assert current() == "fr"
    assert tr("{who} begins.", who="Rose") == "Rose commence."
    assert tr("no such sentence {n:,}", n=12345.5) == f"no such sentence 12{NBSP}345,5"
    assert tr("{who} begins.", who="{card}") == "{card} commence."


def test_what_is_quoted_stands_in_the_quotation_marks_of_the_language(monkeypatch):
    class Marks(NullTranslations):
        def gettext(self, message):
            return "« {text} »" if message == "'{text}'" else message

    assert tr("no card is called {name!r}", name="it's\n") == r"no card is called 'it's\n'"
    monkeypatch.setattr(language, "_read", lambda code: Marks())
    assert tr("no card is called {name!r}", name="it's\n") == r"no card is called « it's\n »"
    assert tr("no seat is {seat!r}", seat=5) == "no seat is 5"


@pytest.mark.parametrize(
    ("language", "value", "spec", "text"),
    [
        ("en", 1234567.891, ",.2f", "1,234,567.89"),
        ("fr", 1234567.891, ",.2f", f"1{NBSP}234{NBSP}567,89"),
        ("fr", 0.5, ".1f", "0,5"),
        ("fr", 12, ",", "12"),
        ("fr", 3.14159, ">6.2f", "  3,14"),
    ],
)
def test_numbers(language, value, spec, text):
    speak(language)
    assert number(value, spec) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.123, "12,3 %"),
        (0.0, "0,0 %"),
        (1.0, "100,0 %"),
        (0.0002, "0,02 %"),
        (1 - 1e-5, "99,999 %"),
        (0.9995, "99,95 %"),
        (-0.9996, "−99,96 %"),
        (1e-17, "0,0 %"),
    ],
)
def test_a_percentage_looks_like_none_or_all_only_where_it_is(share, text):
    speak("fr")
    assert percent(share).replace(NBSP, " ") == text


def test_what_is_one_and_what_is_many():
    assert [tr_count("{count} card", "{count} cards", n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    speak("fr")
    assert [tr_count("{count} card", "{count} cards", n) for n in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]


def test_who_is_spoken_to():
    both = "You stay put.", "{who} stays put."
    assert tr_you(True, *both, who="Rose") == "You stay put."
    speak("fr")
    assert tr_you(True, *both, who="Rose") == "Vous restez sur place."
    assert tr_you(False, *both, who="Rose") == "Rose reste sur place."


def test_a_phrase_is_its_english_and_can_be_said_in_french_with_what_it_holds():
    card = Phrase("{card} is in the envelope", card="Corde")
    phrase = Phrase("Therefore {conclusion}.", conclusion=card)
    assert phrase == "Therefore Corde is in the envelope."
    assert tr(phrase) == str(phrase)
    speak("fr")
    assert tr(phrase) == "Donc Corde est dans l’enveloppe."
    assert tr(Phrase("{card} is in the envelope", card="a {brace}")) == "a {brace} est dans l’enveloppe"
    assert tr(all_of(["a", "b", "c"])) == "a, b et c"


@pytest.mark.parametrize("phrase", [Phrase("a {brace"), Phrase("{a} and {b:,}", a=Phrase("x"), b=1000)])
def test_a_phrase_survives_pickling(phrase):
    copy = pickle.loads(pickle.dumps(phrase))
    assert (copy, copy.pattern, copy.values) == (phrase, phrase.pattern, phrase.values)


# ---- which language ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "eo.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "fr_BE.UTF-8"}, "fr"),
        ({"LANG": "eo.UTF-8", "LANGUAGE": "eo:fr:en"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "nonsense"}, "en"),
    ],
)
def test_the_locale_chooses(monkeypatch, environment, code):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    speak(None)
    assert current() == code


def test_a_language_that_is_not_spoken_is_refused(cluedo):
    with pytest.raises(CluedoError, match="the language 'eo' is not available; choose one of: en, "):
        speak("eo")
    names = ", ".join(languages())
    told = f"cluedo: the language 'xx' is not available; choose one of: {names}\n"
    assert cluedo("maps", "--lang", "xx") == (2, "", told)


def test_the_option_outdoes_the_locale(monkeypatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "nom " in run("maps")
    assert "name " in run("maps", "--lang", "en")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert "Pièces" in run("maps", "--lang", "fr", "show", "tiny")
    assert "Pièces" in run("maps", "show", "tiny", "--lang", "fr")


# ---- what the commands say ---------------------------------------------------------------------


class Loud(NullTranslations):
    """A language that has a translation for every sentence: the same in capitals."""

    def gettext(self, message: str) -> str:
        return re.sub(r"({[^{}]*})|([^{}]+)", lambda found: found[1] or found[2].upper(), message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def loud(monkeypatch):
    """French is said in loud English, so that what is not said through ``tr`` is heard, translated or not."""
    catalogues = {"en": NullTranslations(), "fr": Loud()}
    monkeypatch.setattr(language, "_read", catalogues.__getitem__)


def quiet_words(text: str, *names: str) -> list[str]:
    """The words of three letters or more that are not said loudly; names of levels and others, and paths, are none."""
    known = {*re.findall(r"\w+", " ".join(names)), *LEVELS}
    words = [word for word in re.findall(r"[^\W\d_]{3,}", re.sub(r"\S*/\S*", "", text)) if not word.isupper()]
    return [word for word in words if not any(name.startswith(word) for name in known)]


def compare(english: str, french: str, map_: str = "manoir", *names: str) -> int:
    """Check that line for line the same is told, and all of it through ``tr``; gives the lines that have any words."""
    board = Board.load(map_)
    ours, theirs = english.splitlines(), french.splitlines()
    assert len(ours) == len(theirs)
    told = 0
    for one, other in zip(ours, theirs, strict=True):
        other = re.sub(r"cluedo (play|replay) .*", "", other)  # a command is no prose
        assert quiet_words(other, *board.deck.names, board.map.title, *names) == []
        told += one != other
    return told


class Recorder(Brain):
    """Remembers what it answered."""

    def __init__(self, board: Board):
        super().__init__(board)
        self.answers: list[str] = []

    def answer(self, prompt: str) -> str:
        self.answers.append(super().answer(prompt))
        return self.answers[-1]


ASIDES = "help", "sheet", "hand", "players", "board", "log"


@pytest.mark.slow
@pytest.mark.parametrize(("line_up", "seed"), some([("human,human,easy", 5), ("human,easy,medium,medium", 11)], 1))
def test_a_whole_game_through_a_pipe_is_said_in_the_language_spoken_line_for_line(monkeypatch, loud, line_up, seed):
    table = Table(Recorder(Board.load("manoir")))
    with monkeypatch.context() as piped:
        piped.setattr(sys, "stdout", table)
        piped.setattr(sys, "stdin", table)
        play(players=line_up, map_="manoir", seed=seed)
    arguments = "play", "--players", line_up, "--seed", seed, "--map", "manoir"
    first, *rest = table.brain.answers
    lines = [first, *ASIDES, "accuse", "9,9", "nowhere", "99", *rest]
    english, french = (run(*arguments, *lang, typed="\n".join(lines) + "\n") for lang in ((), FRENCH))
    assert "The envelope held" in english
    assert "THE ENVELOPE HELD" in french
    assert compare(english, french.replace("'accuse'", "''").replace("'nowhere'", "''")) > 100


def test_what_is_typed_in_a_game_may_be_french():
    asides = ("aide", "feuille", "main", "joueurs", "plateau", "journal")
    game = ("play", "--players", "human,easy,easy", "--seed", 1, *FRENCH)
    told = [run(*game, typed="\n".join([*words, ""])) for words in (ASIDES, asides)]
    assert told[0] == told[1]
    assert "Passages secrets" in told[0]


@pytest.mark.slow
def test_what_commands_print_is_said_in_the_language_spoken(tmp_path, loud):
    folder = tmp_path / "games"
    played = "autoplay", "--players", "easy,medium,hard", "--games", "12", "--workers", "1", "--force", "--out", folder
    assert compare(run(*played), run(*played, *FRENCH), "manoir", str(folder)) > 1
    games = folder / "games.jsonl"
    for more in ([], ["--to", "0"], ["--to", "1"], ["--to", "9"], ["--as", "Rose"]):
        replayed = "replay", games, "--game", "5", *more
        assert compare(run(*replayed), run(*replayed, *FRENCH)) > 4
    logged = "replay", games, "--game", "5", "--as", "Rose", "--log"
    assert run(*logged) == run(*logged, *FRENCH), "files know no language"
    log = tmp_path / "log.json"
    log.write_text(run(*logged), encoding="utf-8")
    for model in ("uniform", "choice", "kinds"):
        solved = "solve", log, "--model", model, "--to", "3"
        assert compare(run(*solved), run(*solved, *FRENCH), "manoir", model) > 5
    assert run("solve", log, "--json") == run("solve", log, "--json", *FRENCH)


def test_reasons_are_said_in_the_language_spoken(tmp_path, loud):
    deck = Board.load("manoir").deck
    log = tmp_path / "log.json"
    log.write_text(REASONS, encoding="utf-8")
    whys = [f"--why={card}={place}" for card in deck.names for place in ("envelope", "Me", "Ann", "Bob")]
    english, french = run("solve", log, *whys), run("solve", log, *FRENCH, *whys)
    for word in ("You hold", "showed you", "could not show", "It is not known"):
        assert word in english
    assert compare(english, french, "manoir", "Me", "Ann", "Bob", "uniform") > 200


def test_a_contradiction_is_said_in_the_language_spoken(tmp_path, cluedo):
    log = tmp_path / "log.json"
    rest = '"Pistolet", "Entrée"], "correct": '
    wrong = REASONS.replace(f'"Leblanc", {rest}false', f'"Violet", {rest}true')
    log.write_text(wrong, encoding="utf-8")
    code, _, err = cluedo("solve", str(log), *FRENCH)
    assert code == 2
    assert re.search(rf"ensemble{NBSP}: Entr\w+ 2{NBSP}: Bob vous a montré Violet{NBSP}; Entr\w+ 5{NBSP}: Bob a", err)


def test_a_place_may_be_named_in_french(tmp_path):
    log = tmp_path / "log.json"
    log.write_text(REASONS, encoding="utf-8")
    told = [run("solve", log, "--why", f"Corde={place}", *FRENCH) for place in ("enveloppe", "envelope")]
    assert told[0] == told[1]


def test_every_fact_is_said_in_the_language_spoken(loud):
    deck = Board.load("manoir").deck
    evidence = Evidence(deck, (6, 6, 6), 0, 0b111111, names=("Me", "Ann", "Bob"))
    three = (1, 7, 13)
    facts = [Given(0, 0), Given(1, 0), Given(2, 0)]
    for seat in (0, 1):
        events = HypothesisMade(seat, *three), Passed(seat), Shown(seat, 2, None)
        verdicts = [Accused(seat, *three, correct) for correct in (False, True)]
        facts += [Fact(4, event, three) for event in (*events, *verdicts)]
    facts += [Fact(5, Shown(seat, asker, card), three) for seat, asker, card in ((0, 1, 1), (1, 0, 7), (1, 2, 7))]
    phrases = facts_in_words(facts, evidence)
    phrases += [conclusion(3, place, proved, evidence) for place in range(4) for proved in (True, False)]
    speak("fr")
    french = [tr(phrase) for phrase in phrases]
    assert len(set(french)) == len(set(phrases)) == len(facts) - 2 + 8
    assert quiet_words(" ".join(french), *deck.names, "Me Ann Bob") == []
    assert french[0] == "YOU HOLD Rose, Moutarde AND Leblanc"


REASONS = """{"map": "manoir",
 "players": [{"name": "Me"}, {"name": "Ann"}, {"name": "Bob"}], "me": "Me",
 "hand": ["Rose", "Olive", "Corde", "Salon", "Cuisine", "Garage"],
 "events": [
  {"by": "Ann", "hypothesis": ["Rose", "Corde", "Bureau"], "refuted_by": "Me", "card": "Corde"},
  {"by": "Me", "hypothesis": ["Violet", "Pistolet", "Salon"], "refuted_by": "Bob", "card": "Violet"},
  {"by": "Bob", "hypothesis": ["Violet", "Poignard", "Bureau"], "refuted_by": "Ann"},
  {"by": "Ann", "hypothesis": ["Leblanc", "Chandelier", "Entrée"], "refuted_by": null},
  {"by": "Bob", "accusation": ["Leblanc", "Pistolet", "Entrée"], "correct": false}]}"""


@pytest.mark.parametrize("map_", map_names())
def test_a_map_is_shown_in_the_language_spoken(map_, loud):
    assert compare(run("maps", "show", map_), run("maps", "show", map_, *FRENCH), map_) >= 2


def test_levels_are_listed_in_the_language_spoken(loud):
    text = run("levels", *FRENCH)
    assert "random\n  MOVES, ASKS AND SHOWS AT RANDOM." in text
    said = re.sub(r"[\w:]+=…\s\([^)]*\)|\S*[:=]\S*|--\S+", "", text)  # parameters, their values, and examples
    assert quiet_words(said, "blueprint human bot") == []
    assert "(TRUE OR FALSE, DEFAULT false)" in " ".join(text.split())


@pytest.mark.parametrize("command", ["play", "experiment run", "maps show"])
def test_the_help_of_a_command_is_said_in_the_language_spoken(monkeypatch, command, loud):
    monkeypatch.setenv("COLUMNS", "200")
    by_option = run(*command.split(), *FRENCH, "--help")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert run(*command.split(), "--help") == by_option
    help_of_typer = {"Usage", "Arguments", "Options", "Show", "this", "message", "and", "exit", "default", "required"}
    said = re.sub(r"--?[\w-]+|<.*?>|\w+(?:\|\w+)+|default: [^\]]*|TEXT.auto|Usage: [\w ]*", "", by_option)
    assert set(quiet_words(said)) <= help_of_typer


@pytest.mark.slow
def test_a_report_is_written_in_the_language_spoken(tmp_path, loud):
    folder = tmp_path / "games"
    played = "autoplay", "--map", "tiny", "--players", "easy,medium,random", "--games", "12", "--workers", "1"
    run(*played, "--out", folder)
    run("report", folder, *FRENCH)
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in page
    prose = re.sub(r"<(style|script|code|pre)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    labels = " ".join(re.findall(r'aria-label="([^"]*)"', page))
    assert "WHO WINS" in prose
    said = re.sub(r"\w+=\S+", "", html.unescape(prose + labels))  # rules are no words
    names = "autoplay cluedo games tiny Elo Python Linux"
    assert quiet_words(said, names, *Board.load("tiny").deck.names) == []


# ---- in a narrow terminal ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"Rose dit{NBSP}: Olive, Poignards{NBSP}? Oui.", [f"Rose dit{NBSP}:", "Olive,", f"Poignards{NBSP}? Oui."]),
        ("one two", ["one two"]),
        ("", [""]),
        ("  " + "x" * 20 + " y", ["  " + "x" * 14, "    xxxxxx y"]),
        ("日本" * 6, ["日本" * 4, "日本" * 2]),
        ("a b " * 5 + "\n\nc", ["a b a b a b a b", "a b ", "", "c"]),
    ],
)
def test_lines_are_not_broken_at_no_break_spaces(text, lines):
    assert _folded(Text(text, style="bold"), 16).plain.split("\n") == lines


def test_a_task_speaks_a_language_of_its_own_for_a_while():
    with speaking("fr"):
        assert current() == "fr"
        assert tr("Roll the dice.") == "Lancez les dés."
        assert number(1234.5, ",.1f").endswith(",5")
        heard = []
        thread = threading.Thread(target=lambda: heard.append(current()))
        thread.start()
        thread.join()
    assert heard == [current()] == ["en"]
