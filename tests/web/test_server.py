"""Clients that are slow on purpose: each is cut off, at a server on loopback."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection

import pytest
from helpers.sites import served

from cluedo.web.database import Database
from cluedo.web.server import TimedProtocol
from cluedo.web.shared import SiteSettings

pytestmark = pytest.mark.slow

HEAD = b"HTTP/1.1\r\nHost: 127.0.0.1\r\n"
ONCE = HEAD + b"Connection: close\r\n"
FORM = HEAD + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of a server with time enough for everybody."""
    with served() as url:
        yield port_of(url)


@pytest.fixture
def impatient(monkeypatch) -> Iterator[int]:
    """The port of a server that waits for nobody."""
    monkeypatch.setattr(TimedProtocol, "seconds", {"head": 0.5, "body": 0.5})
    monkeypatch.setattr(TimedProtocol, "stuck_s", 0.5)
    with served() as url:
        yield port_of(url)


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


def ended(client: socket.socket) -> bytes:
    """Everything that a client is sent until the server ends the connection."""
    client.settimeout(60)
    found = b""
    try:
        while some := client.recv(65536):
            found += some
    except ConnectionError:
        pass
    return found


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / " + HEAD, b"POST /settings " + FORM + b"token="])
def test_who_does_not_go_on_with_a_request_is_cut_off(impatient, sent):
    with socket.create_connection(("127.0.0.1", impatient)) as client:
        client.sendall(sent)
        assert ended(client) == b""


def send_on(client: socket.socket, some: bytes) -> None:
    """Send something every now and then, for as long as the server takes it."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        client.sendall(some)
        time.sleep(0.05)


def test_who_sends_byte_by_byte_is_cut_off(impatient):
    with socket.create_connection(("127.0.0.1", impatient)) as client:
        client.sendall(b"GET / " + HEAD + b"X-Slow: ")
        with pytest.raises(ConnectionError):
            send_on(client, b"a")


def test_who_reads_nothing_is_cut_off(impatient):
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", impatient))
        client.sendall((b"GET /static/table.js " + HEAD + b"\r\n") * 2000)  # more than any buffer takes in
        with pytest.raises(ConnectionError):
            send_on(client, b"\r\n")


def test_who_reads_slowly_but_goes_on_is_sent_everything(monkeypatch, tmp_path):
    monkeypatch.setattr(TimedProtocol, "stuck_s", 1.5)  # all of it takes longer
    database, size, token = Database(tmp_path / "site.db", documents=1), 4_000_000, "a" * 22
    asyncio.run(database.put("record", token, "x" * size))
    database.close()
    with served(SiteSettings(database=tmp_path / "site.db")) as url, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port_of(url)))
        client.sendall(f"GET /replay/{token}/game.jsonl ".encode() + ONCE + b"\r\n")
        client.settimeout(60)
        got = 0
        while some := client.recv(65536):
            got += some.count(b"x")
            time.sleep(len(some) / 2_000_000)
    assert got >= size


def test_who_is_not_slow_is_answered_again_and_again():
    with served() as url, closing(HTTPConnection(url.removeprefix("http://"))) as client:
        client.connect()
        first = client.sock
        for _ in range(3):
            client.request("GET", "/static/base.css")
            answer = client.getresponse()
            assert (answer.status, answer.read() != b"") == (200, True)
        assert client.sock is first


def test_who_goes_in_the_middle_of_a_form_is_no_matter_for_the_log(port, caplog):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"POST /settings " + FORM + b"token=")
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET / " + ONCE + b"\r\n")
        assert ended(client).startswith(b"HTTP/1.1 200")
    assert not caplog.records


@pytest.mark.parametrize(
    "sent",
    [b"NONSENSE\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET / " + HEAD + b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n"],
)
def test_what_strangers_send_is_no_matter_for_the_log(port, caplog, sent):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        assert ended(client).startswith(b"HTTP/1.1 ")
    assert not caplog.records


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (b"http://127.0.0.1/play?guide", b"200"),
        (b"HTTP://127.0.0.1", b"200"),
        (b"http://127.0.0.1/nothing%20here", b"404"),
        (b"http://other.example/", b"400"),
    ],
)
def test_a_request_for_a_whole_address_is_answered_as_one_for_its_path(target, status):
    with served(SiteSettings(hosts=frozenset())) as url, socket.socket() as client:
        client.connect(("127.0.0.1", port_of(url)))
        client.sendall(b"GET " + target + b" " + ONCE + b"\r\n")
        assert ended(client).startswith(b"HTTP/1.1 " + status)


@pytest.mark.parametrize("header", [b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_question_has_no_body(port, header):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET / " + ONCE + header + b"\r\n")
        assert ended(client).startswith(b"HTTP/1.1 400")
