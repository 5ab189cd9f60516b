"""``cluedo assist`` line by line and with files: what is typed, kept, read again and written."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command_line import ran, run
from helpers.tables import noted_game

from cluedo.ai.knowledge import Posterior
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.language import speak
from cluedo.session.case.case import Case
from cluedo.session.case.case_store import CaseStore
from cluedo.session.case.exports import export, timeline
from cluedo.session.case.grammar import Grammar

CLUEDO = [sys.executable, "-m", "cluedo"]
TABLE = "classic\n\nMustard,White,Green\ngreen\nrope,hall,study,plum,green,dagger\n"
CASE = ["--players", "Mustard,White,Green", "--me", "green", "--hand", "rope hall study plum green dagger"]
CASE += ["--map", "classic"]


def typed(*arguments: object, lines: str = "", code: int = 0) -> str:
    """What the command prints to these lines; its error, where it ends with another code."""
    done = ran("assist", *arguments, typed=lines)
    assert done.code == code, done
    return str(done.error) if code else done.out + done.err


def table(path: Path) -> list[list[str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


# ---- lines -----------------------------------------------------------------------------------------


def test_a_case_from_nothing_line_by_line(tmp_path):
    file = tmp_path / "case.json"
    lines = "me white lead li, white shows lead\nwhite scar lead li mu\nwhy scar=mu\nsheet\nquit\n"
    out = typed(file, lines=TABLE + lines)
    assert "  Mustard holds Scarlett.\n      Entry 1: Mustard could not show White, Lead Pipe or Library." in out
    assert "Therefore Mustard holds Scarlett." in out
    assert re.search(r"^ Scarlett +✗ +✓ +✗ +✗", out, re.MULTILINE)
    assert "Model uniform" in out
    assert f"cluedo assist {file}" in out
    shown = {"refuted_by": "White", "card": "Lead Pipe"}
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "format": 1,
        "map": "classic",
        "players": [{"name": "Mustard", "cards": 6}, {"name": "White", "cards": 6}, {"name": "Green", "cards": 6}],
        "me": "Green",
        "hand": ["Green", "Plum", "Dagger", "Rope", "Study", "Hall"],
        "events": [
            {"by": "Green", "hypothesis": ["White", "Lead Pipe", "Library"]} | shown,
            {"by": "White", "hypothesis": ["Scarlett", "Lead Pipe", "Library"], "refuted_by": "Mustard"},
        ],
    }


def test_answers_to_what_is_wrong_are_sentences_and_asked_again(tmp_path):
    table = ["nowhere", "classic", "nonsense", "pool=x", "", "Ann", "Ann,Ann", "Ann:1,Bob:2"]
    table += ["Ann:x,Bob", "Nobody,Ann", "Ann,Bob,Cy,Di"]
    mine = ["1 2", "5 5 4 4", "Zoe", "bob", "rope", "rope rope x", "rope,hall,study,plum,green"]
    lines = "\n".join([*table, *mine, "bogus", "drop 1", "undo", "at hall", "quit\n"])
    out = typed(tmp_path / "a.json", lines=lines)
    for words in (
        "No map is called 'nowhere'",
        "'nonsense' is no edition",
        "Rule pool: must be a whole number",
        "Cluedo is played by 2 to 10 players",
        "Two players are called Ann; give each a name of their own",
        "The players hold 18 cards in all, not 3",
        "after the colon must come the number of cards that they hold",
        "A player cannot be called 'Nobody'",
        "4 numbers are needed, for Ann, Bob, Cy and Di",
        "'Zoe' is not one of them",
        "The hand of Bob needs 5 cards, and has 1",
        "'x' is not one of them",
        "'bogus' is not understood: first comes the player who asks or accuses; did you mean Bob?",
        "There is no entry 1: there are 0.",
        "There is nothing to take back.",
    ):
        assert words in out, words
    assert "Traceback" not in out


def test_who_describes_a_table_may_ask_for_help_and_leave(tmp_path):
    for answers in ["", "classic\n", "classic\n\n", "classic\n\nAnn,Quentin,Cy\n", "classic\n\nAnn,Quentin,Cy\nq\n"]:
        out = typed(tmp_path / "case.json", lines=f"{answers}help\nquit\n")
        assert out.count("First describe the table") == 2, answers
    assert not (tmp_path / "case.json").exists()


def test_entries_are_changed_anywhere(tmp_path):
    file = tmp_path / "case.json"
    typed(file, *CASE, lines="mu scar rev ball n\nmu scar rev kit white\nquit\n")
    out = typed(
        file, lines="insert 1 white scar lead lib mu\nedit 2 mu peac rev ball n\ndrop 3\nlog\nundo\nredo\nquit\n"
    )
    assert (
        "  1 White asks Scarlett, Lead Pipe, Library: Mustard shows\n"
        "  2 Mustard asks Peacock, Revolver, Ballroom: nobody\n"
    ) in out
    entries = Case.load(file).entries
    assert len(entries) == 2


def test_what_if_keeps_nothing_and_a_contradiction_is_mended(tmp_path):
    asked = ["me white lead li, white lead", "whatif mu scar lead ball n", "why lead=white", "mu scar lead ball n"]
    lines = [*asked, "odds", "mend 1", "odds", "mend 1", "quit\n"]
    file = tmp_path / "case.json"
    out = typed(file, *CASE, lines="\n".join(lines))
    assert "If Mustard asks Scarlett, Lead Pipe, Ballroom: nobody:\nThe entries contradict each other" in out
    assert "(None of this is saved.)" in out
    assert out.count("  1 take out entry 2") == 2
    assert "The entries contradict each other; resolve that first." in out
    assert out.count("Therefore White holds Lead Pipe.") == 1
    assert "There is no change 1: 0 are offered." in out
    entries = Case.load(file).entries
    assert len(entries) == 1


def test_a_hand_told_wrongly_is_corrected_by_a_line(tmp_path):
    file = tmp_path / "case.json"
    lines = "mu accuses scar rope kit right\nhand wrench hall\nhand wrench hall study plum green dagger\nquit\n"
    out = typed(file, *CASE, lines=lines)
    assert "and that you hold Rope; if not, type: hand …" in out
    assert "The hand of Green needs 6 cards, and has 2." in out
    assert "The envelope is proved: Scarlett, Rope, Kitchen." in out
    setting = Case.load(file).setting
    assert "Wrench" in setting.deck.names_in(setting.hand)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("board", "seats"), [("classic", 4), ("manoir", 3)])
def test_a_whole_game_typed_is_the_game_that_was_noted(board, seats, language, tmp_path):
    setting, noted = noted_game(board, seats, 3)
    speak(language)
    grammar = Grammar(setting)
    lines = "\n".join(grammar.write(entry) for entry in noted)
    players = ",".join(f"{name}:{size}" for name, size in zip(setting.names, setting.sizes, strict=True))
    hand = ",".join(setting.deck.names_in(setting.hand))
    out = typed(tmp_path / "g.json", "--map", board, "--players", players, "--me", setting.names[0], "--hand", hand,
                "--lang", language, lines=lines)  # fmt: skip
    assert Case.load(tmp_path / "g.json").entries == noted
    final = Case(setting, noted).known
    assert ("enveloppe" in out.splitlines()[-3]) == (language == "fr") or len(final.envelopes) > 1
    if language == "fr":
        english = re.findall(r"\b(?:the|you|and|holds?|shows?|with|envelopes are)\b", out)
        assert not english


def test_help_in_both_languages(tmp_path):
    assert "whatif ENTRY" in typed(tmp_path / "a.json", *CASE, lines="help\n")
    assert "si ENTRÉE" in typed(tmp_path / "b.json", *CASE, "--lang", "fr", lines="aide\n")


@pytest.mark.parametrize("players", ["", ",", "Ann,,Bob"])
def test_a_player_without_a_name_is_told_before_anything_else(tmp_path, players):
    told = typed(tmp_path / "case.json", "--map", "tiny", "--players", players, "--me", "Bob", "--hand", "", code=2)
    assert "a player has no name; players are written in turn order, such as Ann,Bob,Cy" in told


def test_the_examples_of_the_help_are_understood_at_the_table_of_the_form(tmp_path):
    table = ["--players", "Ann, Bob, Cy", "--map", "classic", "--me", "Ann"]
    table += ["--hand", "green, white, study, lounge, wrench, dagger"]
    lines = typed(tmp_path / "help.json", *table, lines="help\n").splitlines()
    examples = [line.strip().partition("  ")[0] for line in lines if line.startswith(("  bob ", "  me plum"))]
    assert "bob asks plum rope hall, cy shows" in examples
    for k, example in enumerate(examples):
        if "di shows" not in example and "lays open" not in example:  # there are house rules for these
            typed(tmp_path / f"{k}.json", *table, lines=f"{example}\n")
            assert len(Case.load(tmp_path / f"{k}.json").entries) == 1


# ---- files -----------------------------------------------------------------------------------------


def test_a_case_is_kept_where_nobody_named_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    out = typed(*CASE, lines="mu scar rev ball n\n")
    (file,) = (tmp_path / "cluedo" / "cases").iterdir()
    assert str(file) in out
    assert len(Case.load(file).entries) == 1


@pytest.mark.parametrize(("table", "model"), [(("classic", 3, 1), "choice"), (("master", 4, 4), "uniform")])
def test_solve_reads_what_the_assistant_keeps(table, model, tmp_path):
    setting, noted = noted_game(*table)
    file = tmp_path / "case.json"
    session = CaseStore(file, model).new(setting)
    for entry in noted[:12]:
        session.enter(entry)
        found = json.loads(run("solve", file, "--json", "--model", model))
        assert found["deals"] == session.known.deals
    assert not list(tmp_path.glob(".*"))
    if table[0] == "master":
        assert {question.turns for question in session.questions} == {None}, "everybody enters any room"
        assert len(session.questions) == 12


def read_until(process, *beginnings):
    """Read what a process says up to a line that begins so."""
    assert any(line.startswith(beginnings) for line in iter(process.stdout.readline, "")), "it has ended"


@pytest.mark.slow
def test_kill_9_loses_nothing(tmp_path):
    file = tmp_path / "case.json"
    lines = ["me white lead li, white lead", "white scar lead li mu", "mu peac rev ball n"]
    with subprocess.Popen([*CLUEDO, "assist", str(file), *CASE], stdin=-1, stdout=-1, text=True) as process:
        assert process.stdin is not None
        process.stdin.write("\n".join([*lines, ""]))
        process.stdin.flush()
        for _ in (*lines, "before the first entry"):  # an answer is whole when the advice has come
            read_until(process, "Do not accuse", "Accuse", "A gamble")
        process.kill()
    log = Case.load(file)
    assert [Grammar(log.setting).write(entry) for entry in log.entries] == [
        "Green asks White, Lead Pipe, Library: White shows Lead Pipe",
        "White asks Scarlett, Lead Pipe, Library: Mustard shows",
        "Mustard asks Peacock, Revolver, Ballroom: nobody",
    ]


@pytest.mark.slow
def test_ctrl_c_tells_where_the_case_is(tmp_path):
    file = tmp_path / "case.json"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([*CLUEDO, "assist", str(file), *CASE], text=True, encoding="utf-8", **pipes)
    read_until(process, "Do not accuse yet")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out.endswith(f"The case is saved. To continue it: cluedo assist {file}\n")
    assert "Traceback" not in err


def test_a_full_disk_is_told_and_the_session_goes_on(tmp_path, monkeypatch):
    file = tmp_path / "case.json"
    setting, noted = noted_game("classic", 3, 1)
    store = CaseStore(file, "choice")
    session = store.new(setting)
    session.enter(noted[0])

    def full(self, target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(CluedoError, match=r"case.json cannot be written: No space left on device"):
            session.enter(noted[1])
    assert session.entries == noted[:2]
    assert len(Case.load(file).entries) == 1
    assert not list(tmp_path.glob(".*"))
    unsaved = "The last changes of this case were not saved: {file} cannot be written: No space left on device."
    assert store.farewell() == unsaved.format(file=file)
    session.enter(noted[2])
    assert Case.load(file).entries == noted[:3]
    assert store.farewell().startswith("The case is saved.")


def test_two_that_note_the_same_case_lose_nothing(tmp_path):
    file = tmp_path / "case.json"
    setting, noted = noted_game("classic", 3, 1)
    first, store = CaseStore(file, "choice").new(setting), CaseStore(file, "choice")
    second = store.resume(file)
    first.enter(noted[0])
    other = tmp_path / "case-2.json"
    with pytest.raises(CluedoError, match=r"another program has changed .*case\.json: .* saved in .*case-2\.json"):
        second.enter(noted[1])
    second.enter(noted[2])
    first.enter(noted[3])
    assert Case.load(file).entries == (noted[0], noted[3])
    assert Case.load(other).entries == (noted[1], noted[2])
    assert str(other) in store.farewell()
    file.unlink()
    first.undo()
    assert Case.load(file).entries == (noted[0],), "a file that is gone is written again"
    with pytest.raises(CluedoError, match="exists already"):
        CaseStore(file, "choice").new(setting)


@pytest.mark.parametrize("content", ["", '{"map": "classic"}', "notes of mine"])
def test_a_file_that_is_no_case_is_left_alone(content, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text(content, encoding="utf-8")
    assert str(file) in typed(file, lines="quit\n", code=2)
    assert file.read_text(encoding="utf-8") == content


def test_what_does_not_go_together_is_refused_before_anything_is_made(tmp_path):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    typed(old, *CASE, lines="quit\n")
    assert "to continue it" in typed(old, *CASE, code=2)
    assert "'me' and 'hand' go together" in typed(new, *CASE[:4], code=2)
    assert "--me, --hand and --open need --players" in typed(new, *CASE[2:], code=2)
    assert "need the file of a case" in typed(new, "--png", tmp_path / "a.png", code=2)
    assert "need the file of a case" in typed("--png", tmp_path / "a.png", code=2)
    assert "ends in .png" in typed(old, "--png", tmp_path / "a.gif", code=2)
    assert "no map is called" in typed(new, *CASE, "--map", "nowhere", code=2)
    assert "'zoe' is not one of them" in typed(new, *CASE[:2], "--me", "zoe", *CASE[4:], code=2)
    assert "the input ended before the table was described" in typed(new, lines="classic\n", code=2)
    assert "cannot be written" in typed(tmp_path / "no" / "where.json", *CASE, code=2)
    assert "cannot be written" in typed(tmp_path / "no" / "where.json", code=2)  # and asks nothing first
    assert {path.name for path in tmp_path.iterdir()} == {"old.json"}


def test_a_house_from_nothing_line_by_line(tmp_path):
    """A pool to look into, an open card, a hand laid open, and answers of all."""
    file = tmp_path / "house.json"
    rules = "peek=true pool=2, leftover=open refuters=all wrong_shows_hand=true"
    table = ["classic", rules, "Ann,Bob,Cy", "rope hall", "wrench", "bob", "plum rope hall study lounge"]
    entries = [
        "me white dagger library: cy shows dagger, ann shows white",
        "cy green revolver kitchen nobody",
        "cy peeks",
        "me green candle dining, nobody",
        "me look 2 kitchen",
        "ann accuses green revolver ballroom wrong",
        "ann lays open white mustard peacock ballroom conserv",
        "why kitchen=pool",
        "sheet",
        "undo",
        "quit\n",
    ]
    out = typed(file, lines="\n".join([*table, *entries]))
    assert "The number of cards that lie open under these rules is 1, not 2 (rule 14)" in out
    assert "7 Ann lays open Mustard, White, Peacock, Conservatory, Ballroom" in out
    assert "Entry 5: you saw Kitchen in the pool." in out
    assert re.search(r"^Suspects? +envelope +Ann +Bob\* +Cy +pool +open", out, re.MULTILINE)
    assert re.search(r"^ Wrench +✗ +✗ +✗ +✗ +✗ +✓", out, re.MULTILINE)
    log = json.loads(file.read_text(encoding="utf-8"))
    assert log["open"] == ["Wrench"]
    assert log["rules"] == {"pool": 2, "leftover": "open", "peek": True, "wrong_shows_hand": True, "refuters": "all"}
    assert log["events"][0]["refuted_by"] == ["Cy", "Ann"]
    assert log["events"][4] == {"by": "Bob", "peek": 1, "card": "Kitchen"}
    assert len(log["events"]) == 6


def test_a_house_of_options(tmp_path):
    """An edition brings its map and its rules; options change them."""
    file = tmp_path / "two.json"
    options = ["--edition", "two", "--rule", "peek=false", "--players", "Ann,Bob", "--me", "Ann"]
    options += ["--hand", "plum,rope,hall,study,lounge,wrench,dagger", "--map", "classic"]
    assert "1 Bob asks Green, Lead Pipe, Kitchen: nobody" in typed(
        file, *options, lines="bob green lead kitchen nobody\nquit\n"
    )
    log = json.loads(file.read_text(encoding="utf-8"))
    assert (log["rules"]["pool"], "peek" in log["rules"]) == (4, False)
    assert "'peeks' is not understood" in typed(file, lines="bob peeks\nquit\n")
    assert "another file for a new case" in typed(file, "--rule", "pool=2", code=2)


# ---- pictures, pages, tables -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def session() -> Case:
    setting, noted = noted_game("classic", 4, 2)
    return Case(setting, noted[:9])


def test_the_tables_hold_what_is_known(session, tmp_path):
    first, second = export(session, tmp_path / "case.csv")
    assert (first.name, second.name) == ("case.csv", "case-timeline.csv")
    head, *rows = table(first)
    assert head == ["card", "category", "envelope", *session.setting.names]
    chances = session.known.chances
    for card, row in enumerate(rows):
        assert row[0] == session.setting.deck.names[card]
        expected = [chances[card][-1], *chances[card][:-1]]
        assert [float(p) for p in row[2:]] == pytest.approx(expected, rel=1e-5)
    head, *rows = table(second)
    assert head[:4] == ["entries", "last", "deals", "bits"]
    assert len(rows) == len(session.entries) + 1
    for number, row in enumerate(rows):
        posterior = Posterior(session.setting.log(session.entries).evidence(number), session.model)
        assert int(row[2]) == posterior.deals
    bits = [moment.bits for moment in timeline(session)]
    assert bits[0] == max(bits)


@pytest.mark.slow
def test_pictures_and_pages(session, tmp_path):
    file = tmp_path / "case.json"
    export(session, file)
    out = typed(file, "--png", tmp_path / "a.png", "--html", tmp_path / "a.html", "--csv", tmp_path / "a.csv")
    assert out.startswith("Written: ")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert all(name in page for name in (*session.setting.deck.names, *session.setting.names))
    assert "each halving takes as much off a bar" in page
    assert not re.search(r"https?://|src=|@import|url\(", page)
    assert page.count('<td class="yes"') == sum(p == 1.0 for row in session.known.chances for p in row)
    assert "exists" in typed(file, "--html", tmp_path / "a.html", code=2)
    typed(file, "--png", tmp_path / "a.png")  # one of ours is drawn anew
    assert "enveloppes" in typed(file, "--lang", "fr", lines="odds\nquit\n")


def test_names_cannot_break_a_page_or_a_table(tmp_path):
    file = tmp_path / "case.json"
    log = {
        "map": "tiny",
        "players": [{"name": "<b>Ann</b>", "cards": 4}, {"name": '=1+1,"', "cards": 4}],
        "events": [{"by": "<b>Ann</b>", "hypothesis": ["Amber", "Poker", "Attic"], "refuted_by": '=1+1,"'}],
    }
    names = [entry["name"] for entry in json.loads(Path("maps/tiny.json").read_text(encoding="utf-8"))["weapons"]]
    log["events"][0]["hypothesis"][1] = names[0]
    file.write_text(json.dumps(log), encoding="utf-8")
    typed(file, "--html", tmp_path / "a.html", "--csv", tmp_path / "a.csv", "--png", tmp_path / "a.png")
    assert "<b>Ann" not in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert table(tmp_path / "a.csv")[0][3:] == ["<b>Ann</b>", '=1+1,"']


def test_files_of_others_are_not_overwritten_and_contradictions_not_drawn(session, tmp_path):
    other = tmp_path / "other.png"
    other.write_text("not a picture", encoding="utf-8")
    with pytest.raises(CluedoError, match="not overwritten"):
        export(session, other)
    for name in ("a", "a.gif", "a.JSONL"):
        with pytest.raises(CluedoError, match=r"ends in \.json, \.png, \.html or \.csv"):
            export(session, tmp_path / name)
    wrong = Case(session.setting, session.entries)
    mine, deck = session.setting.hand, session.setting.deck
    cards = tuple(next((card for card in ids if mine >> card & 1), ids[0]) for ids in deck.ids)
    wrong.enter(Entry.accusation(1, cards, correct=True))
    assert wrong.contradiction is not None
    with pytest.raises(CluedoError, match="contradict"):
        export(wrong, tmp_path / "b.png")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.png"]
