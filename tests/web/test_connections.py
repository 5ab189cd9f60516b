"""Many connections of one address keep nobody else out, at a server on loopback, all of whose addresses are ours."""

from __future__ import annotations

import socket
import sys
from collections import Counter
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest
from helpers.sites import served
from hypothesis import given, strategies as st

from cluedo.web.guard import Limits
from cluedo.web.server import Connections
from cluedo.web.shared import SiteSettings

CLIENTS = "ABC"
EACH, TOTAL = 3, 5


DEEDS = st.sampled_from(["enter", "busy", "idle", "leave"])


@given(st.lists(st.tuples(DEEDS, st.integers(0, 20), st.sampled_from(CLIENTS))))
def test_no_client_has_more_than_it_may_and_idle_ones_leave_first(steps):
    connections, clients, busy = Connections[int](EACH, TOTAL), dict[int, str](), set[int]()
    for number, (what, which, client) in enumerate(steps, 100):
        some = list(clients)[which % len(clients)] if clients else 0
        if what == "enter":
            counts = Counter(clients.values())
            leaving = connections.enter(number, client)
            clients[number] = client
            assert (leaving is None) == (counts[client] < EACH and counts.total() < TOTAL)
            if leaving is not None:
                assert leaving not in busy, "who asks for something stays"
                if leaving == number:
                    others = [one for one, whose in clients.items() if counts[client] < EACH or whose == client]
                    assert set(others) - {number} <= busy
                del clients[leaving]
            counts = Counter(clients.values())
            assert max(counts.values()) <= EACH
            assert counts.total() <= TOTAL
        elif what == "leave":
            connections.leave(some)
            clients.pop(some, None)
            busy.discard(some)
        else:
            connections.set_idle(some, what == "idle")
            (busy.discard if what == "idle" else busy.add)(some)
            busy &= set(clients)


def connect(port: int, count: int, address: str, stack: ExitStack, sent: bytes = b"") -> list[socket.socket]:
    """So many connections of an address, that send nothing, or the beginning of a request."""
    clients = [
        stack.enter_context(socket.create_connection(("127.0.0.1", port), source_address=(address, 0)))
        for _ in range(count)
    ]
    for client in clients:
        client.sendall(sent)
    return clients


def answer(port: int, address: str) -> int:
    """The status of the answer to somebody at an address."""
    connection = HTTPConnection("127.0.0.1", port, timeout=300, source_address=(address, 0))
    try:
        connection.request("GET", "/static/icon.svg")
        return connection.getresponse().status
    finally:
        connection.close()


def is_open(client: socket.socket) -> bool:
    """Whether the server has not ended a connection."""
    client.setblocking(False)
    try:
        return bool(client.recv(1))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


loopback = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere loopback has one address")


@loopback
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n"], ids=["idle", "half a head"])
@pytest.mark.parametrize("proxies", [(), ("127.0.0.2",)], ids=["", "from a proxy"])
def test_many_connections_of_one_address_keep_nobody_out(sent, proxies):
    settings = SiteSettings(limits=Limits(connections=20, all_connections=30))
    with served(settings, proxies=proxies) as url, ExitStack() as stack:
        port = int(url.rpartition(":")[2])
        connected = connect(port, 60, "127.0.0.2", stack, sent)
        assert answer(port, "127.0.0.3") == 200
        assert answer(port, "127.0.0.2") == 200
        most = 30 if proxies else 20
        assert most - 2 <= sum(map(is_open, connected)) <= most
        assert not any(map(is_open, connected[:30])), "those that were idle for the longest time left first"
