"""Start PostgreSQL and Redis for tests, each in a folder and on a port of its own, and freeze processes.

Why: docs/why/tests.md.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MEMORY_ROOM = 1 << 30
"""The free memory that a PostgreSQL in memory needs; databases of the tests and its log take about 100 MB."""


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def program(*names: str) -> str:
    """Return the path of the first of these programs that is installed, in PATH or in Debian's PostgreSQL folders."""
    for name in names:
        found = shutil.which(name)
        if found and "/local/" not in found:
            return found
        debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda p: int(p.parts[4]))
        if debian:
            return str(debian[-1])
        if found:
            return found
    pytest.fail(
        f"{' or '.join(names)} is not installed, and tests that need it are not skipped: "
        "run `make tools`, or install Debian's packages postgresql, redis-server, chromium and tmux."
    )


def server_user() -> pwd.struct_passwd | None:
    """Return the user for PostgreSQL, which refuses to run as root. If this process is not root, return None."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    pytest.fail("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.")


def run_as(user: pwd.struct_passwd | None, command: list[str], folder: Path) -> None:
    """Run a server's command as this user (None: the current one). If it fails, show its output."""
    who: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        **who,
    )
    if done.returncode:
        log = folder / "log"
        said = log.read_text() if log.exists() else ""
        pytest.fail(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}{said}")


def folder_in_memory() -> str | None:
    """Return a folder in memory if there is one with space, else None for the usual temporary folder.

    A PostgreSQL database is three hundred small files. To copy it takes 0.1 s of processor time on a disk's file
    system, and 0.01 s in memory. SQLite waits for the disk at each commit.
    """
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= MEMORY_ROOM:
        return str(memory)
    return None


def start_postgres() -> dict[str, Any]:
    """Start a PostgreSQL in a folder of its own; return its address and folder."""
    initdb, control = program("initdb"), program("pg_ctl")
    user = server_user()
    # Not under pytest's own folder, which only its owner may enter, and where the socket's path gets too long.
    folder = Path(tempfile.mkdtemp(prefix="spelunke-pg-", dir=folder_in_memory()))
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    data = folder / "data"
    common = ["--username=spelunke", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    run_as(user, [initdb, f"--pgdata={data}", *common], folder)
    port = free_port()
    # Durability is tested by killing our own processes, never this one, so it may skip its syncs.
    settings = (
        f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} "
        "-c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=64MB -c max_wal_size=128MB"
    )
    run_as(user, [control, "start", "-w", "-D", str(data), "-l", str(folder / "log"), "-o", settings], folder)
    return {"url": f"postgresql+psycopg://spelunke@127.0.0.1:{port}/postgres", "folder": str(folder)}


def stop_postgres(state: dict[str, Any]) -> None:
    """Stop a PostgreSQL, and remove its folder."""
    folder = Path(state["folder"])
    stop = [program("pg_ctl"), "stop", "-w", "-m", "immediate", "-D", str(folder / "data")]
    run_as(server_user(), stop, folder)
    shutil.rmtree(folder, ignore_errors=True)


def start_redis() -> dict[str, Any]:
    """Start a Redis in a folder of its own; return its address, folder and process."""
    folder = Path(tempfile.mkdtemp(prefix="spelunke-redis-"))
    port = free_port()
    options = [
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        str(folder),
    ]
    log = (folder / "log").open("w")
    with log:
        process = subprocess.Popen(
            [program("redis-server"), *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    until = time.monotonic() + 20
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as line:
            line.sendall(b"PING\r\n")
            if line.recv(16).startswith(b"+PONG"):
                # It survives this worker if others still use it, so nobody here waits for it.
                process.returncode = 0
                return {"url": f"redis://127.0.0.1:{port}/0", "folder": str(folder), "process": process.pid}
        time.sleep(0.05)
    process.kill()
    process.wait()
    pytest.fail(f"redis-server did not start:\n{(folder / 'log').read_text()}")


def stop_redis(state: dict[str, Any]) -> None:
    """Stop a Redis, and remove its folder."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(state["process"], signal.SIGTERM)
    shutil.rmtree(state["folder"], ignore_errors=True)


def family(first: int) -> list[int]:
    """Return the ids of a process and of the processes that it has started."""
    found = [first]
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            number = int(entry.name)
            stat = Path(entry.path, "stat").read_text(encoding="ascii", errors="replace")
            if int(stat.rpartition(")")[2].split()[1]) == first:
                found.append(number)
    return found


def postgres_family(folder: Path) -> list[int]:
    """Return the ids of the PostgreSQL process with its data in this folder, and of all processes it has started."""
    return family(int((folder / "postmaster.pid").read_text(encoding="ascii").splitlines()[0]))


@contextlib.contextmanager
def frozen(*processes: int) -> Iterator[None]:
    """Freeze these processes for the duration of the block."""
    try:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):  # PostgreSQL's helpers come and go
                os.kill(process, signal.SIGSTOP)
        yield
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


@contextlib.contextmanager
def database_on(server: str, template: str = "template1") -> Iterator[str]:
    """Yield the address of a new database on this PostgreSQL server, copied from the template."""
    import psycopg

    asked = server.replace("+psycopg", "")
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(asked, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield server.rsplit("/", 1)[0] + f"/{name}"
    finally:
        # This only saves space: the server stops with the run, and its checkpoint may fail if others make and drop too.
        with contextlib.suppress(psycopg.Error), psycopg.connect(asked, autocommit=True) as line:
            line.execute(f"DROP DATABASE {name} WITH (FORCE)")
