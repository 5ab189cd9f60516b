"""What is wrong with a file is told in the language spoken, whoever found it: pydantic or a check of ours."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pytest
from helpers.french import assert_french
from pydantic import Field, ValidationError

import cluedo
from cluedo.ai.knowledge.caselog import CaseLogError, read_case_log
from cluedo.engine.board import Board
from cluedo.engine.codec import EventForm
from cluedo.engine.errors import CluedoError, MapError
from cluedo.engine.mapfile import MapFile
from cluedo.engine.phrase import Phrase, listed
from cluedo.engine.validation import _PATTERNS, FileForm, InvalidForm, sentence, whole_number
from cluedo.experiments.plan.experiment import Experiment
from cluedo.language import speak, tr


class Sample(FileForm):
    text: Annotated[str, Field(min_length=2, max_length=5, pattern="^[a-z]+$")] = "abc"
    whole: Annotated[int, Field(ge=1, le=2000)] = 1
    share: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] = 0.5
    name: Annotated[str, Field(min_length=1)] = "a"
    hue: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")] = "#123456"
    truth: bool = True
    items: Annotated[tuple[int, ...], Field(min_length=1, max_length=3)] = (1,)
    inner: Sample | None = None
    table: dict[str, int] = Field(default_factory=dict)
    choice: Literal["walk", "free"] = "walk"
    event: EventForm | None = None
    nothing: None = None


def complaint(**values: object) -> str:
    with pytest.raises(ValidationError) as caught:
        Sample(**values)  # type: ignore[arg-type]
    return sentence(caught.value)


KINDS = {
    "unknown": ({"colour": 1}, "there is no key 'colour'; known: text, whole, "),
    "misspelt": ({"hole": 1, "text": 3}, "there is no key 'hole'; did you mean 'whole'? known: text, "),
    "unknown within": ({"inner": {"tex": "abc"}}, "inner: there is no key 'tex'; did you mean 'text'? known: "),
    "two unknown": ({"colour": 1, "size": 2}, "there is no key 'colour'; known: "),
    "empty": ({"name": ""}, "name: must not be empty"),
    "text": ({"text": 3}, "text: must be a text"),
    "short": ({"text": "a"}, "text: must have 2 letters or more"),
    "long": ({"text": "abcdef"}, "text: must have 5 letters or fewer"),
    "pattern": ({"text": "A1"}, "text: must match the pattern ^[a-z]+$"),
    "colour": ({"hue": "red"}, "hue: must be a colour such as #3366cc"),
    "whole": ({"whole": "x"}, "whole: must be a whole number"),
    "fraction": ({"whole": 1.5}, "whole: must be a whole number"),
    "least": ({"whole": 0}, "whole: must be 1 or more"),
    "most": ({"whole": 3000}, "whole: must be 2,000 or less"),
    "number": ({"share": "x"}, "share: must be a number"),
    "finite": ({"share": float("inf")}, "share: must be a finite number"),
    "above": ({"share": 0}, "share: must be more than 0"),
    "below": ({"share": 1}, "share: must be less than 1"),
    "truth": ({"truth": "x"}, "truth: must be true or false"),
    "list": ({"items": 3}, "items: must be a list"),
    "few": ({"items": []}, "items: there are 0; 1 or more are needed"),
    "many": ({"items": [1] * 4}, "items: there are 4; at most 3 are possible"),
    "item": ({"items": [1, None]}, "items[1]: must be a whole number"),
    "object": ({"inner": 3}, "inner: must be an object"),
    "table": ({"table": []}, "table: must be an object"),
    "choice": ({"choice": "fly"}, "choice: must be 'walk' or 'free'"),
    "null": ({"nothing": 1}, "nothing: must be null"),
    "kind": ({"event": {"type": "fly"}}, "event: 'fly' is not known; it must be one of: 'roll', "),
    "no kind": ({"event": {}}, "event: the key 'type' is missing"),
    "missing": ({"event": {"type": "stay"}}, "event.stay.seat: is missing"),
    "others": ({"text": 3, "truth": "x", "items": 3}, "text: must be a text (and 2 more)"),
}


@pytest.mark.parametrize(("values", "english"), KINDS.values(), ids=KINDS)
def test_what_pydantic_finds_is_told_in_our_words_and_in_the_language_spoken(values, english):
    told = complaint(**values)
    assert str(told).startswith(english)
    assert_french(CluedoError("{told}", told=told), "")


def test_numbers_in_what_is_found_are_written_as_the_language_writes_them():
    speak("fr")
    assert tr(complaint(whole=3000)) == "whole\N{NO-BREAK SPACE}: doit être 2\N{NO-BREAK SPACE}000 au plus"


def test_a_place_and_a_value_of_somebodys_own_are_one_line():
    assert complaint(**{"a\x1b[2J\n": 1}).startswith(r"there is no key 'a\x1b[2J\n'; ")
    assert r"'\x1b[2J'" in complaint(event={"type": "\x1b[2J"})


def test_faults_of_ours_stay_apart_and_translatable():
    faults = InvalidForm(Phrase("is missing"), Phrase("must be a list"))
    assert str(faults) == "is missing\nmust be a list"
    assert pickle.loads(pickle.dumps(faults)).args == faults.args
    speak("fr")
    assert tr(listed(faults.args)) == "manque\N{NO-BREAK SPACE}; doit être une liste"


EXPERIMENTS = {
    "no line-ups": "",
    "unknown key": 'line_up = [["easy", "easy", "hard"]]',
    "too many": 'line_ups = [["easy", "easy", "hard"]]\ngames = 2000000000\nchunk = 3',
    "not playing": 'line_ups = [["easy", "hard", "easy", "hard"]]\ngames = 8\n[stop.sprt]\na = "easy"\nb = "medium"',
    "no test": 'line_ups = [["easy", "hard", "easy", "hard"]]\ngames=8\n[stop.sprt]\na = "easy"\nb = "hard"\nelo1 = 0',
}


@pytest.mark.parametrize("text", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_a_broken_experiment_is_told_in_french(text):
    games = "" if "games" in text else "games = 12\n"
    with pytest.raises(CluedoError) as caught:
        Experiment.from_toml(f'name = "x"\nmaps = ["tiny"]\n{games}{text}', "x.toml")
    assert_french(caught.value, "x.toml")


LOGS = {
    "key": {"mep": 1},
    "players": {"players": [{"name": "Ann"}]},
    "size": {"players": [{"name": "Ann", "cards": -1}, {"name": "Bob"}, {"name": "Cy"}]},
    "cards": {"events": [{"by": "Ann", "hypothesis": ["Plum"], "refuted_by": None}]},
}


@pytest.mark.parametrize("changes", LOGS.values(), ids=LOGS)
def test_a_broken_case_log_is_told_in_french(changes):
    log = {"map": "classic", "players": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"}], "events": []} | changes
    with pytest.raises(CaseLogError) as caught:
        read_case_log(log, Board.load)
    assert_french(caught.value, "")


def test_a_file_that_is_something_else_is_told_in_french(tmp_path):
    path = tmp_path / "house.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(MapError) as caught:
        MapFile.load(path)
    assert str(caught.value).endswith("a map is a JSON object, not a list")
    assert_french(caught.value, str(path))


def test_every_pattern_of_a_file_is_told_in_words():
    package = Path(cluedo.__file__).parent
    sources = [file.read_text(encoding="utf-8") for file in package.rglob("*.py")]
    found = {pattern for source in sources for pattern in re.findall(r'Field\(.*pattern=r?"([^"]+)"', source)}
    assert found == set(_PATTERNS)


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_a_whole_number_of_any_kind_is_read_as_an_int(value):
    number = whole_number(value, 0)
    assert (number, type(number)) == (3, int)


@pytest.mark.parametrize("value", [True, False, np.True_, 3.0, "3", None, b"3", [3]])
def test_nothing_else_is_one(value):
    assert whole_number(value, 0) is None


def test_the_bounds_belong_to_what_is_allowed():
    assert [whole_number(value, 2, 4) for value in range(1, 6)] == [None, 2, 3, 4, None]
    assert whole_number(10**30, 0) == 10**30
