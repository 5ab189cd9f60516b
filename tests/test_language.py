"""The faces in French: nothing is left out or over, and whole games are told without a word of English."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from helpers.cases import some
from helpers.piped_player import Brain, Input, Table
from rich.text import Text
from typer.testing import CliRunner

from cluedo.ai.knowledge import Fact
from cluedo.ai.knowledge.evidence import Evidence, Own
from cluedo.ai.knowledge.sentences import conclusion
from cluedo.ai.knowledge.sentences import sentences as told_facts
from cluedo.cli.app import app
from cluedo.cli.play import play
from cluedo.cli.terminal import _folded
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError, SetupError
from cluedo.engine.events import Accused, HypothesisMade, Passed, Shown
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase, all_of, one_of
from cluedo.language import current, languages, number, speak, speaking, tr, tr_count, tr_you

ROOT = Path(__file__).parent.parent
CLUEDO = [sys.executable, "-m", "cluedo"]
NBSP = "\N{NO-BREAK SPACE}"
ENGLISH = re.compile(
    r"\b(the|you|yours?|and|is|are|was|were|of|with|from|to|cards?|turns?|seed|wrong|which|where|there|it|its|by|"
    r"nobody|others?|events?|deals?|holds?|shows?|asks?|enters?|rolls?|stays?|takes?|could|cannot|envelopes?)\b",
    re.IGNORECASE,
)
SAME = {"Suspects", "Notes", "notes", "bits"}
"""Words that are the same in both languages."""


@pytest.fixture(autouse=True)
def _english_before_and_after():
    speak("en")
    yield
    speak("en")


# ---- the sentences -----------------------------------------------------------------------------

FRENCH = ROOT / "cluedo" / "locale" / "fr" / "LC_MESSAGES" / "cluedo.po"


def messages(*arguments: str, tree: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the tool that compares the catalogues with the code."""
    command = [sys.executable, str(tree / ".ci" / "messages.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_every_sentence_is_translated_and_none_is_left_over():
    checked = messages("--check")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    some(
        [
            ('msgstr "nom"', 'msgstr ""', "'name' is not translated"),
            ("{who} commence.", "{qui} commence.", "'{who} begins.' has other places"),
            ('msgid "{who} begins."', 'msgid "{who} starts."', "'{who} begins.' is missing"),
            ('msgid "{who} begins."', 'msgid "{who} starts."', "'{who} starts.' is said nowhere any more"),
            ('msgid "{who} begins."', '#, fuzzy\nmsgid "{who} begins."', "'{who} begins.' is marked as doubtful"),
        ],
        3,
    ),
)
def test_a_catalogue_that_lags_behind_is_found_out(tmp_path, right, wrong, complaint):
    for folder in (".ci", "cluedo"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "cluedo" / "locale" / "fr" / "LC_MESSAGES" / "cluedo.po"
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    checked = messages("--check", tree=tmp_path)
    assert checked.returncode == 1
    assert complaint in checked.stderr


@pytest.mark.slow
def test_a_new_language_is_one_file(tmp_path):
    for folder in (".ci", "cluedo"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert messages("--new", "eo", tree=tmp_path).returncode == 0
    path = tmp_path / "cluedo" / "locale" / "eo" / "LC_MESSAGES" / "cluedo.po"
    begun = path.read_text(encoding="utf-8")
    path.write_text(begun.replace('msgid "name"\nmsgstr ""', 'msgid "name"\nmsgstr "Kennung"'), encoding="utf-8")
    ran = subprocess.run(
        [*CLUEDO, "maps", "--lang", "eo"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert "Kennung" in ran.stdout, ran.stderr


def french_sentences() -> list[str]:
    with FRENCH.open("rb") as file:
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


@pytest.mark.parametrize("phrase", [Phrase("a {brace"), Phrase("{a} and {b:,}", a=Phrase("x"), b=1000)])
def test_a_phrase_survives_pickling(phrase):
    copy = pickle.loads(pickle.dumps(phrase))
    assert (copy, copy.pattern, copy.values) == (phrase, phrase.pattern, phrase.values)


def test_lists_of_names():
    assert [all_of(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert one_of(["a", "b", "c"]) == "a, b or c"
    speak("fr")
    assert tr(all_of(["a", "b", "c"])) == "a, b et c"


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


def test_a_language_that_is_not_spoken_is_refused():
    with pytest.raises(CluedoError, match="the language 'eo' is not available; choose one of: en, "):
        speak("eo")
    result = subprocess.run([*CLUEDO, "maps", "--lang", "xx"], capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    names = ", ".join(languages())
    assert result.stderr == f"cluedo: the language 'xx' is not available; choose one of: {names}\n"


def test_the_option_outdoes_the_locale(monkeypatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "nom " in said("maps")
    assert "name " in said("maps", "--lang", "en")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert "Pièces" in said("maps", "--lang", "fr", "show", "tiny")
    assert "Pièces" in said("maps", "show", "tiny", "--lang", "fr")


# ---- what the commands say ---------------------------------------------------------------------


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def foreign(*names: str) -> re.Pattern[str]:
    """Everything that is no word of a language: names of cards and levels."""
    words = {word for name in names for word in re.findall(r"\w+", name)} | {
        "random",
        "easy",
        "medium",
        "habit",
        "hard",
        "expert",
    }
    return re.compile(r"\b(" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")\b")


def compare(english: str, french: str, map_: str = "manoir", *names: str) -> int:
    """Line for line the same is told, and in its own words; gives the lines that have any."""
    board = Board.load(map_)
    no_words = foreign(*board.deck.names, board.map.title, *names)
    ours, theirs = english.splitlines(), french.splitlines()
    assert len(ours) == len(theirs)
    told = 0
    for one, other in zip(ours, theirs, strict=True):
        if "cluedo play" in one:  # a command is no prose
            one, other = one.partition("cluedo")[0], other.partition("cluedo")[0]
        words = set(re.findall(r"[^\W\d_]{3,}", no_words.sub("", one))) - SAME
        assert one != other or not words, one
        assert not ENGLISH.search(no_words.sub("", other)), other
        told += bool(words)
    return told


class Recorder(Brain):
    """Remembers what it answered."""

    def __init__(self, board: Board):
        super().__init__(board)
        self.answers: list[str] = []

    def answer(self, prompt: str) -> str:
        self.answers.append(super().answer(prompt))
        return self.answers[-1]


FRENCH_ANSWERS = {"ROLL": "LANCER", "stay": "rester", "accuse": "accuser", "yes": "oui"}
ASIDES = [
    ("help", "aide"),
    ("notes", "notes"),
    ("hand", "main"),
    ("players", "joueurs"),
    ("board", "plateau"),
    ("log", "journal"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("line_up", "seed"), [("human,easy,medium,medium", 11), ("human,human,easy", 5)])
def test_a_whole_game_through_a_pipe_is_told_in_french_line_for_line(monkeypatch, line_up, seed):
    table = Table(Recorder(Board.load("manoir")))
    monkeypatch.setattr(sys, "stdout", table)
    monkeypatch.setattr(sys, "stdin", Input(table))
    play(players=line_up, map_="manoir", seed=seed)
    monkeypatch.undo()

    def piped(language: str, answers: list[str]) -> str:
        ran = subprocess.run(
            [*CLUEDO, "play", "--players", line_up, "--seed", str(seed), "--lang", language],
            input="\n".join(answers) + "\n",
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    wrong = ["accuse", "9,9", "nowhere", "99"]
    first, *rest = table.brain.answers
    english = piped("en", [first, *(aside for aside, _ in ASIDES), *wrong, *rest])
    answers = [FRENCH_ANSWERS.get(answer, answer) for answer in rest]
    french = piped(
        "fr", [FRENCH_ANSWERS.get(first, first), *(aside for _, aside in ASIDES), "accuser", *wrong[1:], *answers]
    )
    assert "The envelope held" in english
    assert "Dans l’enveloppe il y avait" in french
    assert compare(english.replace("'accuse'", "''"), french.replace("'accuser'", "''")) > 100


@pytest.mark.slow
def test_commands_in_french(tmp_path):
    folder = tmp_path / "games"
    arguments = [
        "autoplay",
        "--players",
        "easy,medium,hard",
        "--games",
        "12",
        "--workers",
        "1",
        "--force",
        "--out",
        str(folder),
    ]
    assert compare(said(*arguments), said(*arguments, "--lang", "fr")) > 1
    games = str(folder / "games.jsonl")
    for more in ([], ["--to", "0"], ["--to", "1"], ["--to", "9"], ["--as", "Rose"]):
        arguments = ["replay", games, "--game", "5", *more]
        assert compare(said(*arguments), said(*arguments, "--lang", "fr")) > 4
    logged = ["replay", games, "--game", "5", "--as", "Rose", "--log"]
    assert said(*logged) == said(*logged, "--lang", "fr"), "files know no language"
    log = tmp_path / "log.json"
    log.write_text(said(*logged), encoding="utf-8")
    for model in ("uniform", "choice", "kinds"):
        arguments = ["solve", str(log), "--model", model, "--to", "3"]
        assert compare(said(*arguments), said(*arguments, "--lang", "fr"), "manoir", model) > 5
    assert said("solve", str(log), "--json") == said("solve", str(log), "--json", "--lang", "fr")


def test_reasons_in_french(tmp_path):
    deck = Board.load("manoir").deck
    log = tmp_path / "log.json"
    log.write_text(REASONS, encoding="utf-8")
    whys = [f"--why={card}={place}" for card in deck.names for place in ("envelope", "Me", "Ann", "Bob")]
    english, french = said("solve", str(log), *whys), said("solve", str(log), "--lang", "fr", *whys)
    for word in ("You hold", "showed you", "could not show", "It is not known"):
        assert word in english
    assert compare(english, french, "manoir", "Me", "Ann", "Bob", "uniform") > 200
    assert said("solve", str(log), "--why", "Corde=enveloppe", "--lang", "fr") == said(
        "solve", str(log), "--why", "Corde=envelope", "--lang", "fr"
    )


def test_every_fact_in_french():
    deck = Board.load("manoir").deck
    evidence = Evidence(deck, (6, 6, 6), 0, 0b111111, names=("Me", "Ann", "Bob"))
    three = (1, 7, 13)
    facts = [Own(0), Own(1), Own(2)]
    for seat in (0, 1):
        events = HypothesisMade(seat, *three), Passed(seat), Shown(seat, 2, None)
        verdicts = [Accused(seat, *three, correct) for correct in (False, True)]
        facts += [Fact(4, event, three) for event in (*events, *verdicts)]
    facts += [Fact(5, Shown(seat, asker, card), three) for seat, asker, card in ((0, 1, 1), (1, 0, 7), (1, 2, 7))]
    phrases = told_facts(facts, evidence)
    phrases += [conclusion(3, place, proved, evidence) for place in range(4) for proved in (True, False)]
    speak("fr")
    names = foreign(*deck.names, "Me", "Ann", "Bob")
    french = [tr(phrase) for phrase in phrases]
    assert len(set(french)) == len(set(phrases)) == len(facts) - 2 + 8
    assert not [sentence for sentence in french if ENGLISH.search(names.sub("", sentence))]
    assert french[0] == "Vous avez en main : Rose, Moutarde et Leblanc.".replace(" :", f"{NBSP}:")


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
def test_maps_in_french(map_):
    assert compare(said("maps", "show", map_), said("maps", "show", map_, "--lang", "fr"), map_) >= 2


def test_levels_in_french():
    # The lines are folded anew, so they are not compared one by one. Parameters and their values are no words.
    english, french = (" ".join(said("levels", *lang).split()) for lang in ((), ("--lang", "fr")))
    assert compare(english, french, "manoir", "blueprint", "ask open any same show again lowest") == 1


@pytest.mark.parametrize("command", ["play", "autoplay", "solve", "experiment run", "maps show"])
def test_the_help_of_a_command_in_french(monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "200")
    by_option = said(*command.split(), "--lang", "fr", "--help")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert said(*command.split(), "--help") == by_option
    ours = by_option.partition("Usage:")[2].replace("Show this message and exit.", "")
    assert not re.search(r"\b(the|you|and|which|where|its?)\b", re.sub(r"--?[\w-]+|\[.*?\]", "", ours))


def test_an_error_of_a_lower_layer_in_french():
    ran = subprocess.run(
        [*CLUEDO, "maps", "show", "nowhere", "--lang", "fr"], capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"cluedo: aucun plateau ne s’appelle 'nowhere'{NBSP};")
    error = SetupError("--as: {error}", error=CluedoError("no {kind} is called {name!r}", kind="x", name="y"))
    assert str(error) == "--as: no x is called 'y'"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert pickle.loads(pickle.dumps(error)).phrase.values == error.phrase.values


@pytest.mark.slow
def test_a_report_in_french(tmp_path):
    folder = tmp_path / "games"
    said("autoplay", "--players", "easy,medium,random", "--games", "60", "--workers", "1", "--out", str(folder))
    said("report", str(folder), "--lang", "fr")
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in page
    prose = re.sub(r"<(style|script|code|pre)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    labels = " ".join(re.findall(r'aria-label="([^"]*)"', page))
    assert "Qui gagne" in prose
    assert not ENGLISH.search(foreign("autoplay", "cluedo", "games").sub("", prose + labels))


# ---- in a narrow terminal ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            f"Rose demande{NBSP}: Olive, Salle à manger{NBSP}? Oui.",
            [f"Rose demande{NBSP}:", "Olive, Salle à", f"manger{NBSP}? Oui."],
        ),
        ("one two", ["one two"]),
        ("", [""]),
        ("  " + "x" * 20 + " y", ["  " + "x" * 14, "xxxxxx y"]),
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
