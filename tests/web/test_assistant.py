"""The assistant as pages: it answers as `cluedo assist` does, and loses nothing."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from helpers.said import said
from helpers.sites import another, client, words
from helpers.tables import noted_game
from helpers.web_tables import site_of

from cluedo.ai.knowledge import MODELS
from cluedo.engine.errors import CluedoError
from cluedo.session.advice import case_sections
from cluedo.session.case.case import Case
from cluedo.session.case.interpreter import Interpreter
from cluedo.web import assistant, submissions
from cluedo.web.assist_work import CaseState, answer, case_view, restore
from cluedo.web.guard import Concurrent

HAND = ("Rope", "Hall", "Study", "Plum", "Green", "Dagger")
TABLE = {"edition": "classic", "player-0": "Mustard", "player-1": "White", "player-2": "Green", "me": "2"}
TABLE |= {f"card-classic-{name}": name for name in HAND}


class Assisted:
    """A case of a browser, entered as its script would."""

    def __init__(self, visitor, **table: str):
        self.visitor = visitor
        self.page = visitor.send_form("/assistant", **(table or TABLE))
        assert self.page.status_code == 200, self.page.text
        self.link = self.page.url.path
        self.version = 0

    def send(self, line: str, *, after: int | None = None, **more: object):
        wish = {"line": line, "after": self.version if after is None else after, **more}
        answer = self.visitor.send_json(f"{self.link}/line", wish)
        self.version = answer.json().get("version", self.version)
        return answer

    def log(self) -> dict:
        return self.visitor.get(f"{self.link}/case.json").json()


@pytest.fixture
def entered(visitor):
    """A case with one entry."""
    assisted = Assisted(visitor)
    assisted.send("mu scar wrench kit nobody")
    return assisted


def test_no_line_of_a_page_ends_between_a_number_and_its_per_cent_sign(entered):
    page = entered.visitor.get(entered.link).text
    assert re.search("[0-9]\N{NO-BREAK SPACE}%", page)
    assert not re.search("[0-9] %", page)


# ---- exactly the answers of `cluedo assist` ----------------------------------------------------------


def test_every_sentence_of_the_assistant_stands_in_the_page(visitor):
    setting, noted = noted_game("classic", 4, 7)
    case = Case(setting, model=MODELS["uniform"])
    table = {"edition": "classic", "me": "0", "model": "uniform"}
    table |= {f"player-{seat}": name for seat, name in enumerate(setting.names)}
    table |= {f"size-{seat}": str(size) for seat, size in enumerate(setting.sizes)}
    table |= {f"card-classic-{name}": name for name in setting.deck.names_in(setting.hand)}
    assisted = Assisted(visitor, **table)
    for entry in noted[:5]:
        reply = Interpreter(case).answer(case.grammar.write(entry))
        answer = assisted.send(case.grammar.write(entry), sure=True).json()
        told = words(answer["parts"])
        for section in reply.sections:
            for line in () if section.questions else said([section]):  # questions are buttons
                assert " ".join(line.split()) in told
        for question in case.questions:
            assert " ".join(case.setting.deck.names[card] for card in question.cards[2:]) in told
        case = Case(setting, case.entries, model=MODELS["uniform"])
    assert assisted.log()["events"] == case.log.to_json()["events"]


def test_the_example_in_the_line_can_be_entered(entered):
    page = entered.visitor.get(entered.link).text
    line = re.search('placeholder="or type: ([^"]+)"', page)[1]
    assert line == "mustard peacock wrench lounge, white shows"
    assert entered.send(line, sure=True).json()["kind"] == "changed"


def test_the_longer_the_bar_of_a_question_the_more_it_rules_out(entered):
    sections = case_view(CaseState.read({"log": entered.log()}).case)["sections"]
    asked = [question for section in sections for question in section["questions"]]
    left = [int(re.search("[0-9]+", question["about"])[0]) for question in asked]
    bars = [question["ruled_out"] for question in asked]
    assert len(set(left)) > 1
    assert [left[at] for at in sorted(range(len(left)), key=lambda at: -bars[at])] == sorted(left)
    page = entered.visitor.get(entered.link).text
    assert [float(value) for value in re.findall('<meter max="1" value="([^"]+)"', page)] == bars


def test_why_and_what_if_are_answered_and_change_nothing(entered):
    before = entered.log()
    told = entered.send("why wrench=white").json()
    assert "White" in words(told["parts"])
    assert told["kind"] == "told"
    tried = entered.send("whatif white scar wrench kit nobody").json()
    assert tried["kind"] == "told"
    assert "(None of this is saved.)" in words(tried["parts"])
    assert entered.log() == before
    assert entered.version == 1


def test_a_proof_and_a_gamble_never_look_alike(visitor):
    assisted = Assisted(visitor)
    assert 'class="verdict plain"' in assisted.send("mu scar wrench kit nobody").json()["parts"]
    for line in ("white scar wrench kit nobody", "me scar wrench kit nobody"):
        answer = assisted.send(line, sure=True).json()
    assert 'class="verdict proved"' in answer["parts"]
    assert 'class="verdict guess"' not in answer["parts"]


def test_who_has_accused_wrongly_is_out_and_the_game_goes_on_until_it_is_solved(entered):
    out = entered.send("green accuses scarlett, wrench, kitchen: wrong", sure=True).json()
    assert "You are out, but still show cards." in words(out["parts"])
    assert out["next"] == 0
    over = entered.send("mustard accuses peacock, wrench, kitchen: right", sure=True).json()
    assert "The game is over." in words(over["parts"])
    assert over["next"] is None


def test_a_doubtful_entry_is_asked_about_first(entered):
    doubted = entered.send("mu scar wrench kit nobody").json()
    assert doubted["kind"] == "doubted"
    assert len(doubted["log"]["events"]) == 1
    assert len(entered.send("mu scar wrench kit nobody", sure=True).json()["log"]["events"]) == 2


# ---- changing and keeping ----------------------------------------------------------------------------


def test_what_is_sent_twice_counts_once(visitor):
    assisted = Assisted(visitor)
    for _ in range(2):
        answer = assisted.send("mu scar wrench kit nobody", after=0, id="one")
        assert answer.status_code == 200
    assert len(assisted.log()["events"]) == 1


def test_what_is_sent_again_while_it_is_worked_on_counts_once(visitor, monkeypatch):
    work, again = assistant.run_detective, []

    async def overtaken(request, function, *arguments, **keywords):
        done = await work(request, function, *arguments, **keywords)
        if function is answer and not again:
            again.append(request)
            await assistant.enter(request)
        return done

    assisted = Assisted(visitor)
    monkeypatch.setattr(assistant, "run_detective", overtaken)
    told = assisted.send("mu scar wrench kit nobody", after=0, id="one")
    assert (told.status_code, told.json()["error"]) == (200, "")
    assert len(assisted.log()["events"]) == 1


def test_a_change_that_follows_an_older_state_is_refused_with_the_present_one(entered):
    late = entered.send("white pea rope lounge nobody", after=0, id="two")
    assert late.status_code == 409
    assert "another device" in late.json()["error"]
    assert len(late.json()["log"]["events"]) == 1


def test_a_case_that_the_server_has_lost_comes_back_from_the_browser(visitor):
    assisted = Assisted(visitor)
    log = assisted.send("mu scar wrench kit nobody").json()["log"]
    with client() as other:
        assert other.get(assisted.link).status_code == 404
        assert other.send_json(f"{assisted.link}/back", {"log": log}).json() == {"at": assisted.link}
        assert "Scarlett, Wrench, Kitchen" in words(other.get(assisted.link).text)
        other.send_json(f"{assisted.link}/line", {"line": "drop 1", "after": 0})
        assert other.send_json(f"{assisted.link}/back", {"log": log}).status_code == 200
        assert other.get(f"{assisted.link}/case.json").json()["events"] == []  # what is there is not overwritten


def test_what_a_browser_brings_back_is_read_where_nobody_waits_for_it(visitor, monkeypatch):
    """Half a megabyte of JSON takes a tenth of a second."""
    monkeypatch.setattr(submissions, "json_object", None)
    log = noted_game("classic", 3, 1)[0].log().to_json()
    assert visitor.send_json(f"/assistant/{'y' * 22}/back", {"log": log}).status_code == 200


def test_a_case_that_two_bring_back_at_once_is_the_one_that_came_first(visitor):
    """The second found none when it asked, and by now somebody has gone on with the case of the first."""
    assisted = Assisted(visitor)
    assisted.send("mu scar wrench kit nobody")
    token = assisted.link.rpartition("/")[2]
    database = site_of(visitor).database
    before = visitor.portal.call(database.get, "case", token)
    visitor.portal.call(partial(database.put, "case", token, "something else", new=True))
    assert visitor.portal.call(database.get, "case", token) == before


@pytest.mark.parametrize("log", [None, 7, {}, {"map": "/etc/passwd"}, {"format": 2}, {"map": "classic", "players": []}])
def test_what_is_no_case_is_refused_with_a_sentence(visitor, log):
    answer = visitor.send_json(f"/assistant/{'x' * 22}/back", {"log": log})
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")


def test_the_link_is_the_secret(visitor):
    assisted = Assisted(visitor)
    assert another(visitor).get(assisted.link).status_code == 200
    assert visitor.get(assisted.link[:-1] + ("a" if assisted.link[-1] != "a" else "b")).status_code == 404
    assert visitor.get("/assistant/short").status_code == 404
    gone = visitor.ask_json(f"/assistant/{'x' * 22}/offers?line=mu").json()
    assert gone == {"error": "There is no such case here any more."}


# ---- the form, and what is typed -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (dict.fromkeys(("player-0", "player-1", "player-2"), ""), "Say who plays, in turn order"),
        ({"player-0": "", "player-1": ""}, "The edition 'classic' is for 3 to 6 players, not 1"),
        ({"card-classic-Rope": ""}, "needs 6 cards, and has 5"),
        ({"card-classic-Wrench": "Wrench"}, "needs 6 cards, and has 7"),
        ({"edition": "../../etc/passwd"}, "is not known here"),
        ({"size-0": "40"}, "every player's number of cards"),
        ({"me": ""}, "You have ticked cards: whose are they?"),
        ({"me": "5"}, "You have ticked cards: whose are they?"),
    ],
)
def test_a_form_that_is_wrong_says_so_and_keeps_what_was_filled_in(visitor, changed, sentence):
    page = visitor.send_form("/assistant", **TABLE | changed)
    assert page.status_code == 400
    assert sentence in words(page.text)
    assert 'value="Green"' in page.text


def test_who_ticks_no_cards_is_asked_for_them_and_told_how_to_watch(visitor):
    table = {name: value for name, value in TABLE.items() if not name.startswith("card-")}
    page = visitor.send_form("/assistant", **table)
    assert page.status_code == 400
    assert "Tick the cards that you hold, or choose that you are only watching." in words(page.text)
    assert visitor.send_form("/assistant", **table | {"me": ""}).status_code == 200


def test_what_is_typed_is_bounded_and_completed(visitor):
    assisted = Assisted(visitor)
    assert assisted.send("x" * 401).status_code == 400
    assert assisted.send("gibberish").json()["error"].startswith("'gibberish'")
    assert assisted.send("save /tmp/out.json").json()["error"] == "No files can be written from here."
    assert visitor.send_json(f"{assisted.link}/line", {"line": "x" * 20_000}).status_code == 413
    found = visitor.ask_json(f"{assisted.link}/offers?line=mustard asks plum ").json()
    assert {"word": "Rope", "line": "mustard asks plum Rope "} in found


@pytest.mark.parametrize("name", ["case.json", "case.html", "sheet.csv", "timeline.csv"])
def test_a_case_can_be_saved(entered, name):
    saved = entered.visitor.get(f"{entered.link}/{name}")
    assert saved.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert "Scarlett" in saved.text
    assert entered.visitor.get(f"{entered.link}/case.exe").status_code == 404


def test_no_table_waits_while_a_file_of_a_case_is_made(entered, monkeypatch):
    site, path = site_of(entered.visitor), f"{entered.link}/sheet.csv"
    monkeypatch.setattr(site, "jobs", Concurrent(0, 0))
    assert entered.visitor.get(path).status_code == 200
    monkeypatch.setattr(site, "replay_jobs", Concurrent(0, 0))
    assert entered.visitor.get(path).status_code == 429


def test_editions_and_house_rules_are_played_by():
    with client() as visitor:
        two = {"edition": "two", "player-0": "Ann", "player-1": "Bob"}
        assisted = Assisted(visitor, **two)
        assert '<span class="upright">pool</span>' in assisted.page.text
        assert 'id="looks"' in assisted.page.text
        assert assisted.send("ann looks into the pool").status_code == 200
        three = {f"player-{seat}": name for seat, name in enumerate(("Ann", "Bob", "Cy"))}
        everybody = Assisted(visitor, edition="classic", rules="refuters=all", **three)
        assert '"allAnswer":true' in everybody.page.text
        assert everybody.send("ann asks plum rope hall: bob shows; cy shows").status_code == 200
        wrong = visitor.send_form("/assistant", edition="classic", rules="sides=x", **three)
        assert wrong.status_code == 400
        assert 'value="sides=x"' in wrong.text


# ---- a case as plain data --------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, None], ids=["in a room", "in no room"])
def test_a_case_put_away_and_taken_out_again_is_the_same(room):
    setting, noted = noted_game("classic", 3, 1)
    case = Case(setting)
    for entry in noted[:6]:
        case.enter(entry)
    case.drop(2)
    case.undo()
    case.place_pawn(None if room is None else setting.board.room_place(setting.deck.rooms.start + room))
    state = json.loads(json.dumps(CaseState.of(case).to_json()))
    again = CaseState.read(state).case
    assert (again.entries, again.memory, again.pawn) == (case.entries, case.memory, case.pawn)
    assert CaseState.of(again).to_json() == CaseState.of(case).to_json()
    assert case_sections(again)[0] == case_sections(case)[0]
    while case.undo():
        assert again.undo()
    assert again.entries == case.entries == ()


@pytest.mark.parametrize(
    "broken",
    [
        {"undone": [[0]]}, {"known": [{"by": "Mustard"}]}, {"placed": [0, 10_000]}, {"placed": [-1, 0]},
        {"undone": [[]] * 1000}, {"redone": "all"},
    ],
)  # fmt: skip
def test_what_a_case_remembers_is_refused_where_it_cannot_be(broken):
    state = CaseState.of(Case(noted_game("classic", 3, 1)[0])).to_json()
    with pytest.raises(CluedoError, match="remembers beside its entries"):
        CaseState.read(state | broken)
    case = json.loads(restore(json.dumps({"log": state["log"], "memory": broken}).encode()))
    assert (case["log"], case["undone"]) == (state["log"], [])


def test_a_case_of_a_model_that_is_no_more_is_refused_in_a_sentence():
    state = CaseState.of(Case(noted_game("classic", 3, 1)[0])).to_json()
    with pytest.raises(CluedoError, match="no model is called 'none'; known: "):
        CaseState.read(state | {"model": "none"})
