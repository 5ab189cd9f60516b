"""``cluedo solve``: right input and wrong."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from random import Random

import pytest
from helpers.command_line import complaint, painted_and_bare, run
from helpers.programs import python
from helpers.solved import check_parts
from helpers.support import CASE_LOG, drawn_game, write_log

from cluedo.ai.knowledge import MODELS, Posterior, SeatKnowledge, read_case_log
from cluedo.cli.sheet import print_knowledge
from cluedo.cli.terminal import Terminal
from cluedo.engine.board import Board

CASES = json.loads((Path(__file__).parents[1] / "data" / "cases" / "deduction.json").read_text(encoding="utf-8"))

LOG = CASE_LOG | {"events": CASE_LOG["events"][:4]}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path, LOG)


# ---- JSON --------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["expect"]["deals"]))
def test_exact_answers(case, tmp_path):
    path = write_log(tmp_path, case["log"])
    found = json.loads(run("solve", path, "--json"))
    assert list(found) == ["deals", "cards", "proved", "envelopes", "best"]
    assert found["deals"] == case["expect"]["deals"]
    assert found["cards"].keys() == case["expect"]["cards"].keys()
    for card, places in case["expect"]["cards"].items():
        assert found["cards"][card] == pytest.approx(places, abs=1e-9)
    check_parts(found, read_case_log(path.read_bytes(), Board.load).evidence())


def test_models_by_name(log):
    found = {name: json.loads(run("solve", log, "--json", "--model", name)) for name in MODELS}
    assert found["uniform"] == json.loads(run("solve", log, "--json"))
    for name, answer in found.items():
        assert answer["deals"] == found["uniform"]["deals"]
        assert answer["proved"] == found["uniform"]["proved"]
        assert f"\nModel {name}: " in run("solve", log, "--model", name)
        case = read_case_log(log.read_bytes(), lambda _: Board.load("classic"))
        expected = Posterior(case.evidence(), MODELS[name]).marginals
        assert answer["cards"]["White"]["Ann"] == expected[Board.load("classic").deck.id("White"), 0]
    assert found["choice"]["cards"] != found["uniform"]["cards"] != found["kinds"]["cards"]


def test_a_model_that_is_not_there_is_refused_in_a_sentence(log):
    assert "no model is called 'magic'; known: uniform, choice, kinds" in complaint("solve", log, "--model", "magic")


def test_only_the_first_events(log, tmp_path):
    shorter = copy.deepcopy(LOG)
    for count in range(5):
        shorter["events"] = LOG["events"][:count]
        assert run("solve", log, "--to", count, "--json") == run("solve", write_log(tmp_path, shorter), "--json")
        log.write_text(json.dumps(LOG), encoding="utf-8")
    assert "the first 2 of 4 entries" in run("solve", log, "--to", "2")
    assert run("solve", log, "--to", "4") == run("solve", log)
    assert complaint("solve", log, "--to", "5") == f"{log}: there is no entry 5: the log has 4"


def test_a_contradiction_after_the_first_events_does_not_matter(tmp_path):
    events = [*LOG["events"], {"by": "Ann", "accusation": ["White", "Dagger", "Ballroom"], "correct": True}]
    path = write_log(tmp_path, LOG | {"events": events})
    assert "entry 5: no deal fits" in complaint("solve", path)
    assert "deals are left" in run("solve", path, "--to", "4")


def test_a_spectator_asks_nothing(tmp_path):
    events = [{"by": "Ann", "hypothesis": ["Green", "Rope", "Library"], "refuted_by": "Cid"}]
    path = write_log(
        tmp_path, {"map": "classic", "players": [{"name": n} for n in ("Ann", "Bob", "Cid")], "events": events}
    )
    found = json.loads(run("solve", path, "--json"))
    assert found["best"] == []
    check_parts(found, read_case_log(path.read_bytes(), Board.load).evidence())
    text = run("solve", path)
    assert "as a spectator knows them" in text
    assert "hypotheses" not in text
    assert "is you" not in text


def many_refutations(count: int) -> dict:
    """A spectator's log in which always the next player shows a card, so that nothing is ruled out."""
    game = drawn_game(Board.load("classic"), 6, seed=3)
    deck, hands, random = Board.load("classic").deck, game.state.deal.hands, Random(1)
    names, events = [f"P{seat + 1}" for seat in range(6)], []
    while len(events) < count:
        by = random.randrange(6)
        triple = [random.choice(ids) for ids in deck.ids]
        if hands[(by + 1) % 6] & sum(1 << card for card in triple):
            told = [deck.names[card] for card in triple]
            events.append({"by": names[by], "hypothesis": told, "refuted_by": names[(by + 1) % 6]})
    return {"map": "classic", "players": [{"name": name} for name in names], "events": events}


def test_what_cannot_be_counted_is_sampled_and_still_deduced(tmp_path):
    path = write_log(tmp_path, many_refutations(80))
    text = run("solve", path)
    assert "too many deals to count exactly, so the odds are sampled" in text
    assert re.search(r"Left: about .* deals \(± .* %\)\.", text)
    assert re.search(r"\d % ± [\d.]+  \w", text)
    found = json.loads(run("solve", path, "--json"))
    assert sum(envelope["p"] for envelope in found["envelopes"]) == pytest.approx(1.0)
    assert len(found["sampled"]["envelopes"]) == len(found["envelopes"])
    card, place = next((c, p) for c, row in found["cards"].items() for p, chance in row.items() if 0.0 < chance < 1.0)
    assert 0.0 < found["sampled"]["cards"][card][place] < 0.1
    assert "sampled, ± " in run("solve", path, "--why", f"{card}={place}")


# ---- the sheet ---------------------------------------------------------------------------------


def test_the_sheet(tmp_path):
    text = run("solve", write_log(tmp_path, CASES[0]["log"]))
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[:6] == [
        "Classic mansion: 8 entries, as P1 knows them",
        "",
        "Suspects        envelope   P1*    P2     P3",
        " Scarlett          ✗        ✓      ✗      ✗",
        " Mustard          37 %      ✗    63 %     ✗",
        " White            23 %      ✗    46 %   31 %",
    ]
    assert " Rope              ✓        ✗      ✗      ✗" in lines
    assert "3,394 deals are left." in lines
    assert "24 envelopes are possible; the likeliest:" in lines
    assert "    12 %  Mustard, Rope, Conservatory" in lines
    assert sum(bool(re.match(r" +\d+ %  \w+, \w+, \w+$", line)) for line in lines) == 5
    assert sum(bool(re.match(r"  [^:]+: .+, about \d+ left$", line)) for line in lines) == 3
    assert not any(re.search(r"\bbits?\b", line) for line in lines), "nobody at a table counts in bits"
    assert lines[-1] == "Model uniform: every deal that fits the facts counts the same."


def test_six_seats_fit_into_80_columns(tmp_path):
    log = copy.deepcopy(CASES[3]["log"])
    assert max(map(len, sheet_lines(write_log(tmp_path, log)))) <= 80
    names = dict(zip((p["name"] for p in log["players"]), Board.load("classic").deck.names[:6], strict=True))
    for surname in ("", " of the long and winding name"):
        text = json.dumps(log)
        for old, name in names.items():
            text = text.replace(f'"{old}"', f'"{name}{surname}"')
        lines = sheet_lines(write_log(tmp_path, json.loads(text)))
        assert max(map(len, lines)) <= 80
        assert "…" not in "".join(lines)
        if not surname:
            assert lines[0].split() == ["Suspects", "envelope", *list(names.values())[:5], names["P6"] + "*"]


@pytest.mark.parametrize("columns", [14, 20, 30, 50, 80])
def test_no_percentage_is_cut_however_narrow_the_screen(columns, capsys):
    evidence = read_case_log(CASES[3]["log"], Board.load).evidence()
    print_knowledge(Terminal(plain=True, columns=columns), SeatKnowledge(evidence, MODELS["uniform"]))
    lines = [line.rstrip() for line in capsys.readouterr().out.partition("✓ is there")[0].splitlines()]
    assert max(map(len, lines)) <= columns
    signs = re.compile(r"✓|✗|[<>]?[\d.]+ %")
    for name in evidence.deck.names:
        found = [signs.findall(line) for line in lines if line.startswith(f" {name[:6]}")]
        assert sum(map(len, found)) == 1 + evidence.seats
    assert all(line.count("%") == len(re.findall(r"\d %", line)) for line in lines)


def sheet_lines(path):
    return [line.rstrip() for line in run("solve", path).partition("✓ is there")[0].splitlines()[2:]]


def test_the_envelope_when_it_is_proved(tmp_path):
    events = [{"by": "Ann", "accusation": ["Green", "Dagger", "Library"], "correct": True}]
    text = run("solve", write_log(tmp_path, LOG | {"events": events}))
    assert "The envelope is proved: Green, Dagger, Library." in text
    assert "hypotheses" not in text
    assert "100 %" not in text


@pytest.mark.slow
def test_without_colours_and_in_ascii(log):
    plain = python("-m", "cluedo", "solve", log, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout
    assert plain.isascii()
    assert "+ is there, - is not" in plain
    assert re.search(r"^ Plum +- +- +\+ +- *$", plain, re.MULTILINE)
    assert "\x1b" not in run("solve", log)


def test_colours_only_underline(log):
    from cluedo.cli.sheet import sheet_table

    case = read_case_log(log.read_bytes(), Board.load)
    table = sheet_table(SeatKnowledge(case.evidence(), MODELS["uniform"]), [3, 0, 1, 2], 80)
    painted, bare = painted_and_bare(table)
    assert painted == bare


# ---- reasons -----------------------------------------------------------------------------------


def test_why(tmp_path):
    path = write_log(tmp_path, CASES[0]["log"])
    proved = run("solve", path, "--why", "Rope=envelope")
    assert "Entry 7: P3 could not show Mustard, Rope or Library." in proved
    assert "Therefore Rope is in the envelope." in proved
    assert "Suspects" not in proved
    out = run("solve", path, "--why", "lead pipe = p2")
    assert out.splitlines()[:2] == ["Entry 6: P3 showed you Lead Pipe.", "Therefore P2 does not hold Lead Pipe."]
    opened = run("solve", path, "--why", "mus=env", "--model", "choice")
    assert re.match(r"It is not known whether Mustard is in the envelope: \d+(\.\d)? % \(model choice\)\.", opened)
    both = run("solve", path, "--why", "Rope=envelope", "--why", "Lead Pipe=P2")
    assert both == f"{proved}\n{out}"
    assert "Entry 7" not in run("solve", path, "--why", "Rope=envelope", "--to", "6")


def test_why_as_json(tmp_path):
    path = write_log(tmp_path, CASES[0]["log"])
    found = json.loads(run("solve", path, "--json", "--why", "rope=envelope", "--why", "rope=P1", "--why", "must=P2"))
    assert [(answer["card"], answer["place"], answer["proved"]) for answer in found] == [
        ("Rope", "envelope", True),
        ("Rope", "P1", False),
        ("Mustard", "P2", None),
    ]
    assert [answer["p"] for answer in found] == [1.0, 0.0, pytest.approx(0.632881555687, abs=1e-9)]
    assert found[0]["facts"] == ["Scarlett", "Peacock", "Wrench", "Study", "Hall", "Library", 3, 7]
    assert found[2]["facts"] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Rope", "a card and a place are needed"),
        ("Roap=envelope", "'Roap' is not one of them; did you mean Rope?"),
        ("Rope=Dan", "'Dan' is not one of them; did you mean Ann?"),
        ("Dining=", "'' is not one of them"),
        ("L=Ann", "'L' could be Lead Pipe, Lounge or Library"),
    ],
)
def test_wrong_questions(log, text, message):
    assert message in complaint("solve", log, "--why", text)


# ---- bad logs ----------------------------------------------------------------------------------


def changed(number, **changes):
    log = copy.deepcopy(LOG)
    log["events"][number - 1].update(changes)
    return log


BAD = {
    "two copies at the table": (
        changed(2, hypothesis=["Green", "Rope", "Library"], card="Rope"),
        "entry 2: no deal fits these facts together: You hold Rope; Entry 2: Cid showed you Rope",
    ),
    "unknown map": (LOG | {"map": "clasic"}, "did you mean 'classic'?"),
    "map that is gone": (LOG | {"map": "no/such/map.json"}, "map no/such/map.json: cannot be read"),
}


@pytest.mark.parametrize(("bad", "message"), BAD.values(), ids=BAD.keys())
def test_bad_logs(bad, message, tmp_path):
    path = write_log(tmp_path, bad)
    for arguments in ([], ["--json"], ["--why", "Rope=envelope"]):
        text = complaint("solve", path, *arguments)
        assert text.startswith(f"{path}: ")
        assert message in text


def test_what_is_no_text_is_told_with_its_place(tmp_path):
    path = tmp_path / "log.json"
    path.write_bytes(b'{"map": "\xff"}')
    assert complaint("solve", path) == f"{path}: not JSON: no UTF-8 text, at byte 9"


def test_a_log_as_other_systems_write_it(log):
    expected = run("solve", log, "--json")
    for encoding in ("utf-8-sig", "utf-16"):
        log.write_text(json.dumps(LOG), encoding=encoding)
        assert run("solve", log, "--json") == expected


def test_nothing_is_compiled_the_second_time(log):
    run("solve", log)
    assert python("-m", "cluedo", "solve", log).stderr == ""
