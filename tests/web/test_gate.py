"""A house with misbehaving clients still serves everybody else."""

from __future__ import annotations

import contextlib
import logging
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from spelunke.web import gate
from waiting import wait_until

from .conftest import Server, make_settings, serve

GUESTS = b"/api/v1/guests"
FORM = b"POST /tables HTTP/1.1\r\nHost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Server]:
    with serve(tmp_path, request_seconds=0.5, heartbeat=0.1) as server:
        yield server


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def read_all(line: socket.socket) -> bytes:
    """Return everything that arrives until the server closes the connection."""
    found = b""
    with contextlib.suppress(OSError):
        while more := line.recv(65_536):
            found += more
    return found


def is_served(server: Server) -> bool:
    return httpx2.get(f"{server.url}/health", timeout=60).status_code == 200


def memory() -> int:
    """Return the memory of this process in bytes. The house runs in this process too."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()


def test_half_open_connections_keep_nobody_out(tmp_path: Path) -> None:
    with serve(tmp_path, request_seconds=60) as server, contextlib.ExitStack() as stack:
        for number in range(1100):
            line = stack.enter_context(connect(server))
            if number % 2:
                line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            if number % 100 == 0:
                assert is_served(server)
        assert is_served(server)
        wait_until(lambda: len(server.server.server_state.connections) <= gate.WAITING + 1, "none was cut")


@pytest.mark.parametrize("line", [b"x: y\r\n", b"x: " + b"y" * 5000 + b"\r\n", b"y" * 5000])
def test_endless_heads_take_no_memory(house: Server, line: bytes) -> None:
    assert is_served(house)
    before = memory()
    sent = 0
    with connect(house) as peer:
        peer.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nz: ")
        with contextlib.suppress(OSError):
            while sent < 100_000_000:
                peer.sendall(line * 20)
                sent += len(line) * 20
        assert sent < 10_000_000, "the house read on"
        told = read_all(peer)
    assert not told or told.startswith(b"HTTP/1.1 431 ")
    assert memory() - before < 20_000_000
    assert is_served(house)


def test_a_head_of_many_lines_is_refused_in_a_sentence(house: Server) -> None:
    lines = {f"x-{number}": "y" for number in range(gate.HEAD_LINES + 1)}
    answer = httpx2.get(f"{house.url}/health", headers=lines)
    assert (answer.status_code, answer.text[:20]) == (431, "The head of a reques")
    assert httpx2.get(f"{house.url}/health", headers={"x": "y" * 30_000}).status_code == 200
    assert httpx2.get(f"{house.url}/health", headers={"x": "y" * 33_000}).status_code == 431


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        FORM + b"content-length: 99\r\n\r\ng",
    ],
)
def test_a_request_that_takes_its_time_is_ended(house: Server, begun: bytes) -> None:
    began = time.monotonic()
    with connect(house) as peer:
        peer.sendall(begun)
        for _ in range(20):  # a byte now and then does not keep a connection open
            with contextlib.suppress(OSError):
                peer.sendall(b"a")
            time.sleep(0.05)
        assert read_all(peer).startswith((b"HTTP/1.1 408 ", b"HTTP/1.1 400 "))
    assert time.monotonic() - began < 40


def test_trailers_without_end_are_cut(house: Server) -> None:
    with connect(house) as peer:
        peer.sendall(FORM + b"transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n")
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 50_000_000:
                peer.sendall(b"x: y\r\n" * 1000)
                sent += 6000
        assert sent < 10_000_000
    assert is_served(house)


def test_a_client_that_disconnects_during_its_body_causes_no_traceback(tmp_path: Path) -> None:
    told: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = told.append  # type: ignore[method-assign]
    with serve(tmp_path) as server:
        logger = logging.getLogger("uvicorn.error")
        logger.addHandler(handler)
        try:
            for path, kind in (
                (b"/tables", b"application/x-www-form-urlencoded"),
                (GUESTS, b"application/json"),
            ):
                with connect(server) as peer:
                    head = b"POST %s HTTP/1.1\r\nHost: x\r\ncontent-type: %s\r\ncontent-length: 100\r\n\r\n"
                    peer.sendall(head % (path, kind) + b"half")
                    wait_until(lambda: server.server.server_state.tasks, "nobody answers")
                wait_until(lambda: not server.server.server_state.tasks, "it is still being answered")
            assert is_served(server)
        finally:
            logger.removeHandler(handler)
    assert [record.getMessage() for record in told if record.levelno >= logging.WARNING] == []


def test_a_stream_outlives_the_time_for_requests(house: Server) -> None:
    with httpx2.Client(base_url=house.url) as client:
        token = client.post("/api/v1/guests", json={"name": "Anna"}).json()["token"]
        plan = {"game": "shanghaien", "seats": ["me", "open"]}
        table = client.post("/api/v1/tables", json=plan, headers={"authorization": f"Bearer {token}"}).json()[
            "table"
        ]
        with client.stream("GET", f"/t/{table}/stream") as stream:
            began, chunks = time.monotonic(), stream.iter_bytes()
            while time.monotonic() - began < 1:
                assert next(chunks)


def test_no_address_takes_all_connections(tmp_path: Path) -> None:
    doors = gate.Doors(
        make_settings(tmp_path, connections_per_address=3, connections=5), frozenset({"10.0.0.1"}), 1000
    )
    assert doors.address_of(("10.0.0.1", 1)) == ""
    assert doors.address_of(("2001:db8::1", 1)) == doors.address_of(("2001:db8::2", 1))
    assert doors.most == 16


def test_the_server_raises_its_file_limit_to_the_system_maximum() -> None:
    assert gate.raise_file_limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def test_no_address_takes_all_streams(tmp_path: Path) -> None:
    with (
        serve(tmp_path, streams_per_address=2, heartbeat=0.1) as server,
        httpx2.Client(base_url=server.url) as client,
    ):
        token = client.post("/api/v1/guests", json={"name": "Anna"}).json()["token"]
        plan = {"game": "shanghaien", "seats": ["me", "open"]}
        table = client.post("/api/v1/tables", json=plan, headers={"authorization": f"Bearer {token}"}).json()[
            "table"
        ]
        address = f"/api/v1/tables/{table}/stream"
        with (
            client.stream("GET", address) as first,
            client.stream("GET", address) as second,
            client.stream("GET", address) as third,
        ):
            assert (first.status_code, second.status_code, third.status_code) == (200, 200, 429)

        def is_free() -> bool:
            with client.stream("GET", address) as again:
                return again.status_code == 200

        wait_until(is_free, "a closed stream still counts")


def test_slow_bodies_keep_nobody_out(tmp_path: Path) -> None:
    with serve(tmp_path, request_seconds=2, heartbeat=0.1) as server, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connect(server)) for _ in range(150)]
        for line in lines:
            line.sendall(FORM + b"content-length: 9999\r\n\r\nga")
        assert is_served(server)
        for line in lines:
            with contextlib.suppress(OSError):
                line.sendall(b"m")
        assert is_served(server)
        for line in lines:
            assert read_all(line).startswith((b"HTTP/1.1 408 ", b"HTTP/1.1 400 "))


@pytest.mark.deep
def test_a_thousand_streams_of_one_address_leave_room_for_others(tmp_path: Path) -> None:
    """With the default limits, an address has only a limited number of streams, and other addresses are served."""
    with serve(tmp_path, heartbeat=0.5) as server, contextlib.ExitStack() as lines:
        found = httpx2.post(f"{server.url}/api/v1/guests", json={"name": "Anna"})
        token = found.json()["token"]
        plan = {"game": "shanghaien", "seats": ["me", "open"]}
        made = httpx2.post(
            f"{server.url}/api/v1/tables", json=plan, headers={"authorization": f"Bearer {token}"}
        )
        request = f"GET /api/v1/tables/{made.json()['table']}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        answers: dict[bytes, int] = {}
        for _ in range(1000):
            try:
                line = lines.enter_context(connect(server))
                line.sendall(request)
                status = line.recv(12)[9:]
            except OSError:
                status = b"cut"
            answers[status] = answers.get(status, 0) + 1
        assert set(answers) <= {b"200", b"429", b"503", b"cut", b""}
        assert answers[b"200"] <= server.settings.streams_per_address
        assert answers[b"200"] >= 10
        assert is_served_from(server, "127.0.0.2")


def is_served_from(server: Server, address: str) -> bool:
    """Return whether the house answers a client that has this address."""
    with socket.create_connection(
        ("127.0.0.1", server.port), timeout=60, source_address=(address, 0)
    ) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return line.recv(12).endswith(b"200")
