"""Measure the application on several web servers: requests, the cost of Spelunke's gate, and misbehaving clients.

    python bench/servers.py [--seconds 4] [--python ENVIRONMENT/bin/python] [--only NAME ...]

ENVIRONMENT must also have granian and hypercorn (`uv pip install granian hypercorn`). A missing server is left out. The
command takes about five minutes, and writes its section of `bench/results.md`.

The gate limits the size of request heads, the time for a request, and the number of connections
(:mod:`spelunke.web.gate`). Each server runs the same application with one worker and its own database. The processor
time is the time of the server's processes. It is valid on a busy machine too, but the number of requests per second
is not.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
from report import machine, write_section

HERE = Path(__file__).parent
GATE = """
import uvicorn
from spelunke.web.app import create_app
from spelunke.web.gate import make_config
from spelunke.web.settings import read_settings
settings = read_settings()
config = make_config(create_app(settings), settings, port={port})
uvicorn.Server(config).run()
"""
GRANIAN = (
    *("-m", "granian", "--interface", "asgi", "served:app", "--port", "{port}"),
    *("--no-ws", "--log-level", "error"),
)
SERVERS: dict[str, tuple[str, ...]] = {
    "uvicorn with our gate": ("-c", GATE),
    "uvicorn": (
        *("-m", "uvicorn", "served:app", "--port", "{port}", "--no-access-log", "--log-level", "error"),
        *("--ws", "none", "--http", "httptools"),
    ),
    "hypercorn": ("-m", "hypercorn", "served:app", "--bind", "127.0.0.1:{port}", "--worker-class", "uvloop"),
    "granian": GRANIAN,
    "granian, backpressure 10,000": (*GRANIAN, "--backlog", "10000", "--backpressure", "10000"),
}
OTHERS = ("granian", "hypercorn")
HALF_OPEN, STREAMS = 1100, 1000
FILES = 1024
"""The usual soft limit of open files in a shell. Spelunke's gate raises it to the hard limit, but at most to 65,536."""


class Server:
    """A running web server with its processes."""

    def __init__(self, name: str, python: str, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {
            **os.environ,
            "PYTHONPATH": f"{HERE.parent / 'src'}:{HERE}",
            "SPELUNKE_DATABASE": f"sqlite:///{folder / 'house.sqlite3'}",
            "SPELUNKE_SECRET": "a secret of the benchmark",
            "SPELUNKE_LOG_LEVEL": "error",
            "SPELUNKE_READS_PER_MINUTE": "100000000",
            "SPELUNKE_WRITES_PER_MINUTE": "100000000",
            "SPELUNKE_STREAMS_PER_ADDRESS": "100000",
        }
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))  # the server inherits it
        self.process = subprocess.Popen(
            [python, *(part.replace("{port}", str(self.port)) for part in SERVERS[name])],
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        until = time.monotonic() + 120
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                if httpx2.get(f"{self.url}/health").status_code == 200:
                    return
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError(f"{name} did not start")
            time.sleep(0.1)

    def _pids(self) -> list[int]:
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = status.read_text().rpartition(") ")[2].split()
                if int(fields[3]) == self.process.pid:  # the session
                    found.append(int(status.parent.name))
        return found

    def cpu(self) -> float:
        """Return the processor time that the server has used, in seconds."""
        ticks = 0
        for pid in self._pids():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Return the resident memory of the server in megabytes."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._pids())
        return pages * resource.getpagesize() / 1e6

    def stop(self) -> None:
        """Kill the server and all processes that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def served(name: str, python: str) -> Iterator[Server]:
    """Yield a new server for one measurement, and stop it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="spelunke-servers-"))
    server = Server(name, python, folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


async def _read_answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    if length:
        await reader.readexactly(int(length[1]))
    return int(head.split(b" ", 2)[1])


def requests(server: Server, path: str, seconds: float, lines: int = 16) -> tuple[float, float]:
    """Return the number of requests per second, and the server's processor time for each in milliseconds.

    The requests use ``lines`` keep-alive connections.
    """

    async def ask(until: float) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        done = 0
        while time.perf_counter() < until:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert await _read_answer(reader) == 200
            done += 1
        writer.close()
        return done

    async def all_lines(seconds: float) -> int:
        until = time.perf_counter() + seconds
        return sum(await asyncio.gather(*(ask(until) for _ in range(lines))))

    asyncio.run(all_lines(1))
    began, spent = time.perf_counter(), server.cpu()
    done = asyncio.run(all_lines(seconds))
    return done / (time.perf_counter() - began), (server.cpu() - spent) * 1000 / done


def is_served(server: Server) -> float | None:
    """Return the time in milliseconds until a new client gets an answer, or None after five seconds."""
    began = time.perf_counter()
    with contextlib.suppress(httpx2.HTTPError):
        if httpx2.get(f"{server.url}/health", timeout=5).status_code == 200:
            return (time.perf_counter() - began) * 1000
    return None


def half_open(server: Server) -> str:
    """Open many connections with half a request, and return a cell for the table of results.

    The cell has the time until other clients get an answer, and the number of connections that are open after 30 s.
    """
    held = []
    for _ in range(HALF_OPEN):
        line = socket.socket()
        line.settimeout(2)
        with contextlib.suppress(OSError):
            line.connect(("127.0.0.1", server.port))
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        held.append(line)
    answers = [is_served(server) for _ in range(3)]
    served = [a for a in answers if a is not None]
    time.sleep(30)
    open_still = 0
    for line in held:
        line.setblocking(False)
        try:
            line.recv(1)
        except BlockingIOError:
            open_still += 1
        except OSError:
            pass
        line.close()
    told = f"{statistics.median(served):.0f} ms" if len(served) == 3 else f"{3 - len(served)} of 3 not served"
    return f"{told}; {open_still:,} held after 30 s"


def slow_lines(server: Server, most: int = 60_000_000) -> str:
    """Send one header line after the other, so that the headers never end.

    Return a table cell with the number of bytes that the server accepts, and the memory by which it grows.
    """
    before, sent = server.memory(), 0
    until = time.monotonic() + 40
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with contextlib.suppress(OSError):
            while sent < most and time.monotonic() < until:
                line.sendall(b"x: y\r\n" * 500)
                sent += 3000
        grown = server.memory() - before
    return f"{sent / 1e6:.1f} MB, {max(0.0, grown):.0f} MB"


def drip(server: Server, most: float = 25.0) -> str:
    """Send a header line each second. Return a table cell with the time until the server ends the connection."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with contextlib.suppress(OSError):
            while time.monotonic() - began < most:
                line.sendall(b"x: y\r\n")
                line.settimeout(1)
                with contextlib.suppress(TimeoutError):
                    line.recv(100)  # a refusal, or the end of the connection
                    break
    spent = time.monotonic() - began
    return f"{spent:.0f} s" if spent < most else f"more than {most:.0f} s"


def streams(server: Server) -> str:
    """Open many streams of a table, and return a cell for the table of results.

    The cell has three results: the number of streams that began successfully, the memory that the server needed more
    for them, and the times until half of them and until all of them have received a change.
    """
    with httpx2.Client(base_url=f"{server.url}/api/v1") as client:
        token = client.post("/guests", json={"name": "Anna"}).json()["token"]
        asked = {"authorization": f"Bearer {token}"}
        plan = {"game": "shanghaien", "seats": ["me", "open"]}
        table = client.post("/tables", json=plan, headers=asked).json()["table"]
    before = server.memory()

    async def one(begun: asyncio.Event, came: list[float]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 22)
        writer.write(f"GET /t/{table}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await reader.readuntil(b": here")
        begun.set()
        await reader.readuntil(b"hello")  # the first message has everything that the page lacks
        came.append(time.perf_counter())
        writer.close()

    async def run() -> tuple[int, float, list[float], float | None]:
        came: list[float] = []
        events = [asyncio.Event() for _ in range(STREAMS)]
        tasks: list[asyncio.Task[None]] = []
        for start in range(0, STREAMS, 50):
            tasks += [asyncio.create_task(one(event, came)) for event in events[start : start + 50]]
            await asyncio.sleep(0.3)
        waits = [asyncio.ensure_future(event.wait()) for event in events]
        await asyncio.wait(waits, timeout=60)
        for wait in waits:
            wait.cancel()
        begun = sum(event.is_set() for event in events)
        grown = server.memory() - before
        said = asyncio.to_thread(
            httpx2.post,
            f"{server.url}/api/v1/tables/{table}/chat",
            json={"text": "hello"},
            headers=asked,
            timeout=20,
        )
        at = time.perf_counter()
        answered: float | None = None
        with contextlib.suppress(httpx2.HTTPError):
            await said
            answered = (time.perf_counter() - at) * 1000
        if answered is not None:
            await asyncio.wait(tasks, timeout=30)
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        faults = {repr(d) for d in done if isinstance(d, Exception)}
        if faults:
            print("   ", *list(faults)[:3], file=sys.stderr)
        return begun, grown, sorted(c - at for c in came), answered

    begun, grown, came, answered = asyncio.run(run())
    if answered is None:
        return f"{begun:,} begin; then nobody is served"
    if len(came) < begun or not came:
        return f"{begun:,} begin, {grown:.0f} MB; a change reaches {len(came):,}"
    middle, last = came[len(came) // 2], came[-1]
    return f"{begun:,} begin, {grown:.0f} MB; a change in {middle:.1f} s, the last {last:.1f} s"


def find_version(package: str, python: str) -> str:
    """Return the version of a package in the environment of ``python``, or an empty text if it is not there."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def is_there(name: str, python: str) -> bool:
    """Return whether the environment of ``python`` has the server. If not, print a line."""
    package = name.partition(" ")[0].rstrip(",")
    found = bool(find_version(package, python))
    if not found:
        print(f"{package} is not installed for {python}: left out", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument(
        "--python", default=sys.executable, help="of an environment that has the other servers too"
    )
    parser.add_argument("--only", nargs="*", default=list(SERVERS), choices=list(SERVERS), metavar="NAME")
    given = parser.parse_args()
    chosen = [name for name in given.only if is_there(name, given.python)]
    others = [f"{name} {find_version(name, given.python) or 'not installed'}" for name in OTHERS]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(8192, hard)), hard))
    text = [
        "## The house behind several servers",
        "",
        machine("starlette", "uvicorn"),
        (
            f"Besides {', '.join(others)}. One worker each, client and server on the same cores, a soft limit of "
            f"{FILES:,} open files. Milliseconds are those of the server's processor for one request; they hold on a "
            "busy machine, requests a second don't."
        ),
        "",
        "| server | front page a second | ms each | `/health` a second | ms each |",
        "|---|---:|---:|---:|---:|",
    ]
    behaviour = []
    for name in chosen:
        print(name, file=sys.stderr)
        with served(name, given.python) as server:
            front, each = requests(server, "/", given.seconds)
            health, small = requests(server, "/health", given.seconds)
            many = streams(server)
            dripping = drip(server)
        print("  ", f"{front:.0f} {each:.2f} {health:.0f} {small:.2f}", file=sys.stderr)
        text.append(f"| {name} | {front:,.0f} | {each:.2f} | {health:,.0f} | {small:.2f} |")
        with served(name, given.python) as server:
            endless = slow_lines(server)
            row = (name, half_open(server), endless, dripping, many)
        print("  ", *row, sep="\n   ", file=sys.stderr)
        behaviour.append(f"| {' | '.join(row)} |")
    text += [
        "",
        (
            f"| server | {HALF_OPEN:,} half-open connections: others are served in | header lines without end: taken, "
            f"memory | a header line a second: heard for | {STREAMS:,} open streams |"
        ),
        "|---|---|---|---|---|",
        *behaviour,
    ]
    write_section("servers", "\n".join(text))


if __name__ == "__main__":
    main()
