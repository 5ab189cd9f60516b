"""``cluedo serve``: where it is, whom it lets in, how it ends, and that a killed server goes on where it was."""

from __future__ import annotations

import re
import signal
import socket
import urllib.error
import urllib.request

import loky
import pytest
from helpers.command_line import complaint, ran
from helpers.programs import without
from helpers.sites import Server

from cluedo.cli.serve import listen, qr_code
from cluedo.engine.errors import CluedoError
from cluedo.web import server as web_server, site
from cluedo.web.guard import Guard
from cluedo.web.shared import SiteSettings


def status(url: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=300) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.slow
def test_it_answers_to_this_machine_and_a_trusted_name_and_may_be_behind_a_proxy(tmp_path):
    server = Server(tmp_path, "--trusted-host", "cluedo.example", "--root-path", "/games")
    assert server.url.endswith("/games/")
    url = server.url.removesuffix("games/")
    for host, code in (("127.0.0.1", 200), ("localhost:8000", 200), ("cluedo.example", 200), ("evil.example", 400)):
        assert status(url, Host=host) == code
    with urllib.request.urlopen(url) as answer:
        page = answer.read().decode()
    assert 'href="/games/play"' in page
    assert "/games/static/base.css" in page
    assert status(url + "static/base.css") == 200
    server.end(signal.SIGINT)


def test_a_file_that_is_no_database_is_refused_before_an_address_is_told(tmp_path):
    path = tmp_path / "text.db"
    path.write_text("this is no database, and long enough to be looked at" * 20)
    assert complaint("serve", "--port", "0", "--data", str(path)).startswith(f"{path} cannot be opened as a database")


def test_a_port_in_use_and_addresses_that_are_none():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CluedoError, match="is in use"):
        listen("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(CluedoError, match="this is not an address"):
        listen("not an address", 0)
    with pytest.raises(CluedoError, match="this machine has no such address"):
        listen("192.0.2.1", 0)
    with pytest.raises(CluedoError, match="this is not an address"):
        listen("a" * 70 + ".invalid", 0)


@pytest.mark.slow
def test_other_machines_are_told_where_it_is_and_what_that_means(tmp_path):
    server = Server(tmp_path, "--host", "0.0.0.0")
    said = [server.line, *iter(server.process.stdout.readline, "Press Ctrl-C to stop it.\n")]
    for line in said:
        assert "0.0.0.0" not in line
        assert status(re.findall(r"http://\S+", line)[0]) == 200
    assert said[0].startswith("Cluedo is at http://127.0.0.1:")
    assert all(line.startswith("for other machines: http://") for line in said[1:])
    warning = "cluedo: whoever can reach 0.0.0.0 over the network can play here; there is no encryption\n"
    assert server.end() == warning


def test_a_short_answer_waits_for_nothing_that_may_follow():
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_without_the_extra_it_is_said_how_to_get_it():
    assert without("starlette", "serve") == (2, "cluedo: this needs the extra web: pip install 'cluedo[web]'\n")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--root-path", "games/"], "--root-path games/: it must look like /games"),
        (["--root-path", "/a b?"], "--root-path /a b?: it must look like /games"),
        (["--root-path", "//evil"], "--root-path //evil: it must look like /games"),
        (["--trusted-host", "http://cluedo.example:443/"], "give the name alone, such as game.example.org"),
        (["--proxy", "bogus"], "--proxy bogus: this is neither an address nor a network"),
        (["--proxy", "172.17.0.1/16"], "--proxy 172.17.0.1/16: this is neither an address nor a network"),
    ],
)
def test_options_that_can_never_work_are_refused(options, told):
    assert told in complaint("serve", *options)


def test_as_many_processes_think_as_there_are_cpus_for_them_or_as_one_says_within_reason(monkeypatch, tmp_path):
    monkeypatch.setattr(loky, "cpu_count", lambda: 7)
    found = []
    monkeypatch.setattr(site, "make_site", found.append)
    monkeypatch.setattr(web_server, "run_site", lambda *_told, **_more: None)
    line = ["serve", "--port", 0, "--data", tmp_path / "site.db"]
    assert [ran(*line, *more).code for more in ((), ("--workers", 1000), ("--workers", 1001))] == [0, 0, 2]
    assert [settings.workers for settings in found] == [7, 1000]


def test_a_signal_that_comes_as_soon_as_the_address_is_told_ends_it_in_order(cluedo, monkeypatch, tmp_path):
    handlers = []

    def interrupted(guard: Guard, *_told: object, **_more: object) -> None:
        guard.app.state.site.close()
        handlers.append(signal.getsignal(signal.SIGTERM))
        raise KeyboardInterrupt

    monkeypatch.setattr(web_server, "run_site", interrupted)
    before = signal.getsignal(signal.SIGTERM)
    try:
        code, _, said = cluedo("serve", "--port", 0, "--data", tmp_path / "site.db")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (code, said, handlers) == (0, "", [signal.default_int_handler])


def test_a_second_ctrl_c_breaks_nothing_off():
    guard = site.make_site(SiteSettings())
    serving = web_server.SiteServer(guard)
    for _ in range(2):
        serving.handle_exit(signal.SIGINT, None)
    guard.app.state.site.close()
    assert (serving.should_exit, serving.force_exit) == (True, False)


def test_a_qr_code_in_half_blocks_is_the_code():
    import segno

    rows = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in qr_code("http://192.0.2.1:8000/").splitlines()]
    matrix = segno.make("http://192.0.2.1:8000/", micro=False).matrix
    dark = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    drawn = [[dark[sign][half] for sign in row] for row in rows for half in (0, 1)]
    assert [row[2:-2] for row in drawn[2 : 2 + len(matrix)]] == [list(map(int, row)) for row in matrix]
    assert not any(map(any, drawn[:2]))
