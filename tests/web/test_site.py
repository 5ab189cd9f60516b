"""The site as a whole: who is let in, what every answer carries, how much one may ask, and in which language."""

from __future__ import annotations

import re
import sqlite3
import sys
from contextlib import closing
from xml.etree import ElementTree

import pytest
from helpers.sites import ADDRESS, Client, client

from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import picture_names
from cluedo.web.guard import POLICY, Limits
from cluedo.web.shared import SiteSettings
from cluedo.web.site import make_site


def test_the_start_page_leads_everywhere_and_weighs_little(visitor):
    page = visitor.get("/")
    assert page.status_code == 200
    for path in ("/play", "/assistant", "/replay", "/puzzle", "/how-to-play"):
        assert f'href="{path}"' in page.text
    linked = re.findall(r'(?:href|src|content)="(/(?:static|pictures|manifest|worker)[^"]+)"', page.text)
    assert len(page.content) + sum(len(visitor.get(link).content) for link in linked) < 150_000


def test_the_rules_are_explained_with_the_board_and_cards(visitor):
    page = visitor.get("/how-to-play")
    assert page.status_code == 200
    assert 'class="board"' in page.text
    assert page.text.count('class="picture"') == 4
    assert "secret passage" in page.text
    assert all(f'<li id="rule-{number}">' in page.text for number in range(1, 22)), "messages refer to them by number"


def test_every_answer_forbids_what_is_not_ours(visitor):
    for path in ("/", "/nowhere", "/static/base.css"):
        headers = visitor.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY


def test_pages_have_no_code_and_no_style_of_their_own(visitor):
    page = visitor.get("/").text
    assert not re.search(r"<script(?![^>]*(src=|application/json))|<style| style=| on\w+=", page)


def test_a_browser_keeps_a_file_only_at_the_address_of_its_version(visitor):
    link = re.search(r'href="([^"]+base\.css\?v=)(\w+)"', visitor.get("/").text)
    for version, kept in ((link[2], True), ("0" * 10, False), ("", False)):
        assert ("immutable" in visitor.get(link[1] + version).headers["cache-control"]) == kept


def test_the_pictures_of_all_cards_come_in_one_file_that_browsers_keep(visitor):
    page = visitor.get("/").text
    link = re.search(r'name="pictures" content="([^"]+)"', page)[1]
    answer = visitor.get(link)
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "immutable" in answer.headers["cache-control"]
    assert visitor.get("/pictures.svg?v=of-old").headers["cache-control"] == "no-cache"
    assert {symbol.get("id") for symbol in ElementTree.fromstring(answer.text)} == set(picture_names())


def test_cookies_are_out_of_reach_of_scripts_and_other_sites():
    with client() as fresh:
        cookie = fresh.get("/").headers["set-cookie"]
    assert cookie.startswith("visitor=")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_a_form_of_another_site_is_refused(visitor):
    sent = {"token": visitor.token, "theme": "dark"}
    assert visitor.post("/settings", data=sent, headers={"Origin": "https://elsewhere.example"}).status_code == 403
    assert visitor.post("/settings", data=sent, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert visitor.post("/settings", data=sent | {"token": "0" * 32}, headers={"Origin": ADDRESS}).status_code == 403
    assert visitor.post("/settings", data=sent, headers={"Origin": ADDRESS}).status_code == 200


def test_a_site_answers_to_its_names_and_to_addresses_only():
    with client(SiteSettings(hosts=frozenset({"testserver"}))) as visitor:
        assert visitor.get("/").status_code == 200
        assert visitor.get("/", headers={"Host": "127.0.0.1:8000"}).status_code == 200
        assert visitor.get("/", headers={"Host": "elsewhere.example"}).status_code == 400
        assert visitor.get("/", headers={"Host": "[:::"}).status_code == 400


@pytest.mark.parametrize("hosts", [frozenset({"testserver"}), None], ids=["its names", "any name"])
@pytest.mark.parametrize("host", ["a@testserver", "testserver/a", "testserver?a", "testserver#a", "a" * 4000])
def test_what_is_more_than_a_name_and_a_port_is_no_host(hosts, host):
    with client(SiteSettings(hosts=hosts)) as visitor:
        assert visitor.get("/", headers={"Host": host}).status_code == 400


def test_what_is_too_large_is_refused(visitor):
    sent = visitor.send_form("/settings", back="/" * 20_000)
    assert sent.status_code == 413
    assert "too large" in sent.text

    headers = {"Origin": ADDRESS, "Content-Type": "application/x-www-form-urlencoded"}

    def endless():
        for _ in range(50):
            yield b"x" * 100_000

    assert visitor.post("/settings", content=endless(), headers=headers).status_code == 411, "before it is read"


@pytest.mark.parametrize("path", ["/", "/x/static/"], ids=["a page", "what is called as if it were a file"])
def test_who_asks_too_often_is_told_to_wait(path):
    with client(SiteSettings(limits=Limits(burst=3, per_second=0.0))) as visitor:
        answers = [visitor.get(path) for _ in range(4)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, False, True]
    assert int(answers[-1].headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("first", "second", "counted_as_one"),
    [
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("", "a.socket", False),
    ],
)
def test_of_ipv6_a_network_is_counted_as_one_visitor(first, second, counted_as_one):
    site = make_site(SiteSettings(limits=Limits(burst=1, per_second=0.0)))
    answers = [Client(site, client=(address, 1)).get("/").status_code for address in (first, second)]
    assert answers == [200, 429 if counted_as_one else 200]
    site.app.state.site.close()


def test_the_browsers_language_is_spoken_unless_another_is_chosen():
    with client() as visitor:
        assert '<html lang="fr"' in visitor.get("/", headers={"Accept-Language": "fr-CA,en;q=0.8"}).text
        assert '<html lang="en"' in visitor.get("/", headers={"Accept-Language": "xx"}).text
        visitor.send_form("/settings", language="fr", theme="dark")
        page = visitor.get("/").text
        assert '<html lang="fr" data-theme="dark"' in page
        assert "Jouer" in page


@pytest.mark.parametrize("back", ["//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example"])
def test_settings_lead_nowhere_else(visitor, back):
    sent = {"data": {"token": visitor.token, "back": back}, "headers": {"Origin": ADDRESS}}
    answer = visitor.post("/settings", **sent, follow_redirects=False)
    assert answer.headers["location"] == "/"


def test_what_is_not_there_is_said_in_a_page_and_to_a_script_in_a_value(visitor):
    page = visitor.get("/nowhere")
    assert page.status_code == 404
    assert re.findall("<(title|h1)>There is nothing here.", page.text) == ["title", "h1"]
    assert visitor.ask_json("/nowhere").json() == {"error": "There is nothing here."}


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("CREATE TABLE documents (text); PRAGMA user_version = 2", "newer version of this program"),
        ("CREATE TABLE photos (name); PRAGMA user_version = 75", "a database of another program"),
        ("CREATE TABLE settings (name, value); CREATE TABLE documents (text)", "a database of another program"),
    ],
)
def test_a_database_that_is_not_ours_to_write_is_refused_and_stays_as_it_was(tmp_path, script, told):
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as theirs:
        theirs.executescript(script)
    before = path.read_bytes()
    with pytest.raises(CluedoError, match=told), client(SiteSettings(database=path)):
        pass
    assert path.read_bytes() == before


def test_a_folder_is_no_database_and_nothing_is_left_beside_it(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(CluedoError, match="is a folder, a pipe"), client(SiteSettings(database=tmp_path / "folder")):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_nobody_else_on_the_machine_reads_what_is_kept(tmp_path):
    path = tmp_path / "kept.db"
    with client(SiteSettings(database=path)) as visitor:
        assert visitor.get("/").status_code == 200
        assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}


def test_a_token_outlives_the_server(tmp_path):
    tokens = []
    for _ in range(2):
        with client(SiteSettings(database=tmp_path / "kept.db")) as visitor:
            visitor.cookies.set("visitor", "a" * 32)
            tokens.append(visitor.token)
    assert tokens[0] == tokens[1]
