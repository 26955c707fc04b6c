"""Workers of a house as processes, and nginx in front of them if wanted."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Self
from urllib.error import URLError
from urllib.request import urlopen

from proxy import find_nginx, run_nginx, write_config
from waiting import wait_until

PATIENCE_S = 600.0
"""The longest start; it takes a second, but more on a busy machine."""


@dataclass(frozen=True)
class Plan:
    """A way to run the server: the database, the number of workers, with nginx or without."""

    database: str
    redis: str
    workers: int
    nginx: bool

    @property
    def title(self) -> str:
        """Return the plan in words."""
        kind = self.database.partition(":")[0].partition("+")[0]
        count = "one worker" if self.workers == 1 else f"{self.workers} workers"
        return f"{kind}, {count}{', nginx' if self.nginx else ''}"


def serve(port: int, database: str, redis: str, log: str) -> None:
    """Run one worker, in a process of its own; append its output to a file."""
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    from spelunke.web.app import run
    from spelunke.web.settings import Settings

    sys.stderr = os.fdopen(2, "w", buffering=1)
    run(
        Settings(
            database=database,
            redis=redis,
            port=port,
            sockets=str(Path(log).parent / "s"),
            secret="the same for all workers",
            bot_pause=0.02,
            heartbeat=1.0,
            reads_per_minute=10**9,
            writes_per_minute=10**9,
            tables_per_hour=10**9,
        )
    )


def free_ports(count: int) -> list[int]:
    """Return ports on which nobody listens."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports


class Site:
    """The running house. Workers are forked from a process that has imported all of it, so that a start is quick."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan = plan
        self._folder = folder
        self._fork = multiprocessing.get_context("forkserver")
        self._fork.set_forkserver_preload(["spelunke.web.app", "spelunke.games.shanghaien.rules", "uvicorn"])
        *self.ports, self._front = free_ports(plan.workers + 1)
        self._processes: dict[int, BaseProcess] = {}
        self._stopped: set[int] = set()
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        for number, port in enumerate(self.ports):
            self.start(port)
            if not number:  # the first makes the tables of an empty database
                self.wait(port)
        if self._plan.nginx:
            nginx = find_nginx()
            assert nginx, "nginx is not installed (set NGINX_PROGRAM to where it is)"
            config = write_config(self._folder, self._front, self.ports)
            self._open.enter_context(run_nginx(nginx, config))
        for port in self.ports:
            self.wait(port)
        return self

    def __exit__(self, *_why: object) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join(30)
            process.kill()
        self._open.close()

    def address(self) -> str:
        """Return the address for the next request: nginx, or any worker."""
        awake = [port for port in self.ports if port not in self._stopped]
        return f"http://127.0.0.1:{self._front if self._plan.nginx else random.choice(awake)}"

    @contextlib.contextmanager
    def stopped(self, port: int) -> Iterator[None]:
        """Freeze the worker of a port for the duration of the block.

        Meanwhile, if there is no nginx, `address` returns only addresses of other workers.
        """
        process = self._processes[port].pid
        assert process is not None
        self._stopped.add(port)
        os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process, signal.SIGCONT)
            self._stopped.discard(port)

    def start(self, port: int) -> None:
        """Start the worker of a port."""
        log = str(self._folder / f"worker{self.ports.index(port)}.log")
        process = self._fork.Process(target=serve, args=(port, self._plan.database, self._plan.redis, log))
        process.start()
        self._processes[port] = process

    def kill(self, port: int) -> None:
        """Kill the worker of a port with -9, and start it again at once."""
        self.end(port)
        self.start(port)

    def end(self, port: int) -> None:
        """Kill the worker of a port with -9, and leave it dead."""
        process = self._processes[port]
        process.kill()
        process.join()

    def alive(self, port: int) -> bool:
        """Return whether the worker of a port reports good health."""
        assert self._processes[port].exitcode is None, "a worker has ended on its own; its log tells why"
        with (
            contextlib.suppress(URLError, OSError),
            urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer,
        ):
            return bool(answer.status == 200)
        return False

    def wait(self, port: int) -> float:
        """Wait until the worker reports good health; return the seconds."""
        began = time.monotonic()
        what = f"the worker on port {port} does not come up"
        wait_until(lambda: self.alive(port), what, patience=PATIENCE_S)
        return time.monotonic() - began
