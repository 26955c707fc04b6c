"""Limits on connections and streams, tested over real sockets. A client that never reads delays no other client."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx2
import pytest

from spelunke.web import gate
from waiting import wait_until

from .conftest import Guest, Server, serve
from .test_gate import memory, read_all
from .test_live import Web

numbers = count(1)


def come(server: Server, address: str, path: str = "/health", *, room: int | None = None) -> socket.socket:
    """Return a connection from that address of this machine, with one request. ``room`` is its buffer size."""
    line = socket.socket()
    if room is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.bind((address, 0))
    line.settimeout(10)
    line.connect(("127.0.0.1", server.port))
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return line


def status_of(line: socket.socket) -> int:
    """Return the status of the next answer."""
    return int(line.recv(4096).split()[1])


@pytest.fixture
def lines() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def open_table(server: Server) -> str:
    return Guest(Web(server)).table("me", "open")


def test_no_address_holds_more_than_its_connections(tmp_path: Path, lines: contextlib.ExitStack) -> None:
    with serve(tmp_path, connections_per_address=5, heartbeat=0.1) as server:
        stream = f"/t/{open_table(server)}/stream"
        held = [lines.enter_context(come(server, "127.0.0.2", stream)) for _ in range(5)]
        assert [status_of(line) for line in held] == [200] * 5
        more = lines.enter_context(come(server, "127.0.0.2"))
        told = read_all(more)
        assert told.startswith(b"HTTP/1.1 503 ")
        assert b"Too many connections" in told
        assert status_of(lines.enter_context(come(server, "127.0.0.3"))) == 200, "others are served"
        held[0].close()

        def is_served() -> bool:
            with come(server, "127.0.0.2") as line, contextlib.suppress(OSError, IndexError):
                return status_of(line) == 200
            return False

        wait_until(is_served, "a place that was left is not free")


def test_all_clients_together_cannot_exceed_the_limit_of_connections(
    tmp_path: Path, lines: contextlib.ExitStack
) -> None:
    with serve(tmp_path, connections=16, heartbeat=0.1) as server:
        stream = f"/t/{open_table(server)}/stream"
        wait_until(
            lambda: not server.server.server_state.connections, "the first client did not go", patience=30
        )
        held = []
        for number in range(16):
            held.append(lines.enter_context(come(server, f"127.0.1.{number + 1}", stream)))
            assert status_of(held[-1]) == 200
        told = read_all(lines.enter_context(come(server, "127.0.2.1")))
        assert told.startswith(b"HTTP/1.1 503 ")
        assert all(line.recv(100) for line in held), "who was here before stays"
        for line in held[:8]:
            line.close()
        wait_until(lambda: len(server.server.server_state.connections) <= 8, "they still count")
        assert status_of(lines.enter_context(come(server, "127.0.2.1"))) == 200


def test_streams_are_counted_by_their_address(tmp_path: Path, lines: contextlib.ExitStack) -> None:
    with serve(tmp_path, streams_per_address=2, heartbeat=0.1) as server:
        stream = f"/t/{open_table(server)}/stream"
        held = [lines.enter_context(come(server, "127.0.0.2", stream)) for _ in range(3)]
        assert [status_of(line) for line in held] == [200, 200, 429]
        assert status_of(lines.enter_context(come(server, "127.0.0.3", stream))) == 200


def test_idle_connections_are_closed(tmp_path: Path, lines: contextlib.ExitStack) -> None:
    """A browser keeps its connection for the next request; the server closes it after five seconds."""
    with serve(tmp_path) as server:
        assert server.server.config.timeout_keep_alive == 5
        idle = [lines.enter_context(come(server, "127.0.0.2")) for _ in range(20)]
        assert [status_of(line) for line in idle] == [200] * 20
        began = time.monotonic()
        for line in idle:  # the rest of its answer, and the end
            read_all(line)
        assert time.monotonic() - began < 60
        wait_until(lambda: not server.server.server_state.connections, "they still count")


def test_a_client_that_never_reads_is_disconnected_and_uses_little_memory(
    tmp_path: Path,
    lines: contextlib.ExitStack,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server disconnects a client that never reads. Until then, the answers to this client use little memory."""
    monkeypatch.setattr(gate, "SEND_BUFFER", 16_384)
    with serve(tmp_path, stalled_seconds=0.5) as server:
        page = max(server.app.state.site.statics.items(), key=lambda item: len(item[1][0]))[0]
        size = len(httpx2.get(f"{server.url}/static/{page}").content)
        assert size > 30_000
        asked = f"GET /static/{page} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        before = memory()
        silent = []
        for _ in range(20):
            line = lines.enter_context(come(server, "127.0.0.2", f"/static/{page}", room=4096))
            line.sendall(asked * 12)
            silent.append(line)
        most = 0

        def are_cut() -> bool:
            nonlocal most
            most = max(most, memory() - before)
            assert httpx2.get(f"{server.url}/health", timeout=60).status_code == 200
            return len(server.server.server_state.connections) <= 2

        wait_until(are_cut, "who takes nothing is not cut", pause=0.05)
        assert most < 40_000_000, "20 clients who read nothing"
        for line in silent:
            assert len(read_all(line)) < 12 * size, "cut before its end"
    assert not [record for record in caplog.records if "Exception" in record.getMessage()]


def test_requests_that_run_far_ahead_of_their_answers_are_cut(
    tmp_path: Path, lines: contextlib.ExitStack
) -> None:
    with serve(tmp_path) as server:
        asked = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        line = lines.enter_context(come(server, "127.0.0.2"))
        line.sendall(asked * 8)
        told = b""
        while told.count(b"HTTP/1.1 200") < 9:
            told += line.recv(65_536)
        line.sendall(asked * 500)
        assert read_all(line).count(b"HTTP/1.1 200") < 100
        assert status_of(lines.enter_context(come(server, "127.0.0.2"))) == 200


@pytest.mark.deep
def test_a_stream_that_nobody_reads_holds_no_memory(tmp_path: Path, lines: contextlib.ExitStack) -> None:
    with serve(tmp_path, stalled_seconds=600, heartbeat=0.05) as server:
        anna, bert = Guest(Web(server)), Guest(Web(server), "Bert")
        table = anna.table("me", "open")
        assert bert.post(f"/tables/{table}/join", {}).status_code == 200
        assert anna.post(f"/tables/{table}/start").status_code == 200
        people = dict(enumerate((anna, bert)))
        unread = [
            lines.enter_context(come(server, "127.0.0.2", f"/t/{table}/stream", room=4096)) for _ in range(20)
        ]
        wait_until(lambda: server.app.state.site.audiences.readers >= 20, "the streams did not begin")
        before = memory()
        for _ in range(60):
            look = anna.look(table)
            if look["status"] == "over":
                break
            who = people[look["actors"][0]]
            mine = who.look(table)
            assert who.play(table, mine["legal"][0]["text"], mine["ply"]).status_code == 200
        assert look["ply"] > 40
        assert memory() - before < 40_000_000, "20 streams of which nobody reads a byte"
        assert len(unread) == 20
