"""What happens at a table that cannot be kept has not happened: nobody is shown it, and the table goes on."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from helpers.sites import Client, another, client, words
from helpers.web_tables import USUAL, begun, choose_command, joined, look_in, open_table, opened, play, site_of, state

from cluedo.engine.errors import CluedoError
from cluedo.session.tables.online_table import OnlineTable
from cluedo.web import open_tables
from cluedo.web.database import Database
from cluedo.web.guard import Limits
from cluedo.web.shared import SiteSettings


@pytest.fixture
def ann(tmp_path: Path):
    settings = SiteSettings(tmp_path / "site.db", limits=Limits(burst=5000))
    with client(settings, raise_server_exceptions=False) as visitor:
        yield visitor


def let_write(visitor: Client, can: bool) -> None:
    """Let the database of a site be written, or be refused every write, as on a disk that is full or failing."""
    database = site_of(visitor).database
    visitor.portal.call(database.run, lambda connection: connection.execute(f"PRAGMA query_only = {not can}"))


def my_turn(visitor: Client, path: str) -> dict:
    """The state of the table, once its person is asked."""
    for _ in range(4000):
        now = state(visitor, path)["now"]
        if now["offer"]:
            return now
    pytest.fail("nobody is asked")


def check_kept(visitor: Client, path: str) -> None:
    """What pages show of a table is what a server would know that is begun after a kill, or earlier than that."""
    shown = state(visitor, path)["now"]["moment"]
    id, database = path.rpartition("/")[2], site_of(visitor).database
    kept = OnlineTable.from_json(id, *visitor.portal.call(database.run, lambda found: open_tables._read(found, id)))
    assert kept.seen_until(shown) == int(shown.rpartition(".")[2])


def test_while_nothing_can_be_written_nothing_happens_and_afterwards_all_goes_on(ann):
    path = begun(ann, "easy", "easy")
    before = my_turn(ann, path)
    deed = {"after": before["moment"], "do": choose_command(before, Random(1))}
    let_write(ann, False)
    refused = ann.send_json(f"{path}/do", deed)
    assert refused.status_code == 503
    assert "nothing was done" in refused.json()["error"]
    assert ann.send_json(f"{path}/sheet", {"card": 1, "note": "mine"}).status_code == 503
    assert ann.send_form("/play", **USUAL, **{"seat-1": "easy"}).status_code == 503
    assert state(ann, path)["now"] == before
    assert len(site_of(ann).tables._open) == 1, "a table that is not kept stays nowhere"
    let_write(ann, True)
    done = ann.send_json(f"{path}/do", deed)
    assert (done.status_code, done.json()["moment"] != before["moment"]) == (200, True)
    check_kept(ann, path)
    assert open_table(ann, path).table.session.sheets[before["you"]].notes == {}


def test_who_has_just_gone_keeps_the_seat_when_the_table_is_put_back(ann):
    path = opened(ann, "open", "easy")
    joined(ann, path, "Bob")
    ann.send_form(f"{path}/start")
    look_in(ann, path, 1)
    let_write(ann, False)
    assert ann.send_form(f"{path}/seats", number="2", who="medium").status_code == 503
    let_write(ann, True)
    refused = ann.send_form(f"{path}/seats", number="1", who="open")
    assert "would see the cards of somebody" in words(refused.text)


def test_a_disk_that_is_full_is_logged_once_until_something_is_written_again(ann, caplog):
    path = begun(ann, "easy", "easy")
    for spell in (1, 2):
        now = my_turn(ann, path)
        deed = {"after": now["moment"], "do": choose_command(now, Random(1))}
        let_write(ann, False)
        for _ in range(3):
            assert ann.send_json(f"{path}/do", deed).status_code == 503
            assert state(ann, path)["now"] == now
        assert len(caplog.records) == spell
        let_write(ann, True)
        assert ann.send_json(f"{path}/do", deed).status_code == 200


def test_a_level_whose_move_cannot_be_kept_chooses_again(ann, monkeypatch, caplog):
    monkeypatch.setattr(open_tables, "_AGAIN_S", 0.01)
    path = begun(ann, "easy", "easy")
    answered, refused = [], []
    carry_out, write = OnlineTable.carry_out, open_tables._write

    def told(table: OnlineTable, moment: str, *chosen: object) -> None:
        answered.append(moment)
        carry_out(table, moment, *chosen)

    def failing(connection, *table):
        if answered and len(refused) < 3:
            refused.append(answered.pop())
            raise OSError("the disk is gone")
        write(connection, *table)

    monkeypatch.setattr(OnlineTable, "carry_out", told)
    monkeypatch.setattr(open_tables, "_write", failing)
    play([ann], path, 20)
    assert refused == refused[:1] * 3, "it is asked again at the same moment"
    assert len(caplog.records) == 1
    check_kept(ann, path)


def test_an_error_of_ours_in_the_middle_of_a_deed_undoes_all_of_it(ann, monkeypatch):
    path = begun(ann, "easy", "easy")
    before = my_turn(ann, path)
    done = OnlineTable.do

    def broken(table: OnlineTable, *deed: object) -> None:
        done(table, *deed)
        raise AssertionError("an error of ours")

    deed = {"after": before["moment"], "do": choose_command(before, Random(1))}
    with monkeypatch.context() as patch:
        patch.setattr(OnlineTable, "do", broken)
        assert ann.send_json(f"{path}/do", deed).status_code == 500
    assert state(ann, path)["now"] == before
    assert ann.send_json(f"{path}/do", deed).status_code == 200
    check_kept(ann, path)


def test_what_is_refused_costs_the_table_nothing(ann, monkeypatch):
    path = begun(ann, "easy", "easy")
    before = my_turn(ann, path)

    async def read_anew(_: object) -> None:
        raise AssertionError("the table is played again from its record")

    monkeypatch.setattr(open_tables.OpenTable, "_reload", read_anew)
    deed = {"after": before["moment"], "do": {"type": "fly"}}
    assert another(ann).send_json(f"{path}/do", deed).status_code == 403
    assert ann.send_json(f"{path}/do", deed).status_code == 400
    assert state(ann, path)["now"] == before


def test_a_second_server_is_refused_the_file_of_the_first(tmp_path):
    path = tmp_path / "site.db"
    first = Database(path, documents=1)
    with pytest.raises(CluedoError, match=r"another server uses .*site\.db; give this one a file of its own with"):
        Database(path, documents=1)
    (tmp_path / "link.db").symlink_to(path)
    with pytest.raises(CluedoError, match=r"another server uses .*link\.db"):
        Database(tmp_path / "link.db", documents=1)
    first.close()
    Database(path, documents=1).close()


def test_a_link_leads_to_the_file_also_where_its_folder_is_still_to_be_made(tmp_path):
    link, loop = tmp_path / "link.db", tmp_path / "loop.db"
    link.symlink_to(tmp_path / "folder" / "site.db")
    Database(link, documents=1).close()
    assert (tmp_path / "folder" / "site.db").is_file()
    loop.symlink_to(loop)
    with pytest.raises(CluedoError, match=r"loop\.db cannot be opened as a database: Too many levels of symbolic"):
        Database(loop, documents=1)


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_a_folder_that_holds_no_new_files_is_not_taken_for_another_servers():
    with pytest.raises(
        CluedoError, match=r"^/proc/site\.db cannot be opened as a database: No such file or directory$"
    ):
        Database(Path("/proc/site.db"), documents=1)
