"""Servers and a browser for the tests, started when a test first asks for them and ended with the run.

``postgres_url`` and ``redis_url`` are shared by all workers of a run; a test takes a database of its own
(``CREATE DATABASE``) or a prefix of its own. ``browser`` belongs to one module at a time, ``page`` to one test.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parent.parent
# Chromium as root and without a network; the rest keeps it from calling home: docs/why/tests.md.
CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _program(*names: str) -> str:
    """The first of these programs that is there; where Debian keeps them out of PATH, the newest."""
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
        "run `make tools`, or install Debian's packages postgresql, redis-server and chromium."
    )


class _Shared:
    """One server for all workers of a run: the first who asks starts it, the last who ends stops it."""

    def __init__(self, name: str, factory: pytest.TempPathFactory, worker: str) -> None:
        base = factory.getbasetemp()
        folder = base if worker == "master" else base.parent
        self.note = folder / f"{name}.json"
        self.lock = folder / f"{name}.lock"

    @contextlib.contextmanager
    def locked(self) -> Iterator[dict[str, Any]]:
        with self.lock.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            state = json.loads(self.note.read_text()) if self.note.exists() else {}
            yield state
            self.note.write_text(json.dumps(state))

    @contextlib.contextmanager
    def use(self, start: Any, stop: Any) -> Iterator[str]:
        with self.locked() as state:
            if not state.get("users"):
                state.clear()
                state.update(start())
                state["users"] = 0
            state["users"] += 1
            url = state["url"]
        try:
            yield url
        finally:
            with self.locked() as state:
                state["users"] -= 1
                if not state["users"]:
                    stop(state)


def _server_user() -> pwd.struct_passwd | None:
    """PostgreSQL refuses to run as root: whom to become, or None if nobody has to be become."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    pytest.fail("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.")


def _run_as(user: pwd.struct_passwd | None, command: list[str], folder: Path) -> None:
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


def _start_postgres() -> dict[str, Any]:
    initdb, control = _program("initdb"), _program("pg_ctl")
    user = _server_user()
    # Not under pytest's own folder, which only its owner may enter, and where the socket's path gets too long.
    folder = Path(tempfile.mkdtemp(prefix="spelunke-pg-"))
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    data = folder / "data"
    common = ["--username=spelunke", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    _run_as(user, [initdb, f"--pgdata={data}", *common], folder)
    port = _free_port()
    # Durability is tested by killing our own processes, never this one, so it may skip its syncs.
    settings = (
        f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} "
        "-c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=64MB"
    )
    _run_as(
        user, [control, "start", "-w", "-D", str(data), "-l", str(folder / "log"), "-o", settings], folder
    )
    return {"url": f"postgresql+psycopg://spelunke@127.0.0.1:{port}/postgres", "folder": str(folder)}


def _stop_postgres(state: dict[str, Any]) -> None:
    folder = Path(state["folder"])
    stop = [_program("pg_ctl"), "stop", "-w", "-m", "immediate", "-D", str(folder / "data")]
    _run_as(_server_user(), stop, folder)
    shutil.rmtree(folder, ignore_errors=True)


def _start_redis() -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp(prefix="spelunke-redis-"))
    port = _free_port()
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
            [_program("redis-server"), *options],
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
                # It outlives this worker if others still use it, so nobody here waits for it.
                process.returncode = 0
                return {"url": f"redis://127.0.0.1:{port}/0", "folder": str(folder), "process": process.pid}
        time.sleep(0.05)
    process.kill()
    process.wait()
    pytest.fail(f"redis-server did not start:\n{(folder / 'log').read_text()}")


def _stop_redis(state: dict[str, Any]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(state["process"], signal.SIGTERM)
    shutil.rmtree(state["folder"], ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """A PostgreSQL of this run's own, as SQLAlchemy writes it (``postgresql+psycopg://...``)."""
    with _Shared("postgres", tmp_path_factory, worker_id).use(_start_postgres, _stop_postgres) as url:
        yield url


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[str]:
    """An empty database of this test's own on ``postgres_url``."""
    import secrets

    import psycopg

    server = postgres_url.replace("+psycopg", "")
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name}")
    try:
        yield postgres_url.rsplit("/", 1)[0] + f"/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as line:
            line.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """A Redis of this run's own."""
    with _Shared("redis", tmp_path_factory, worker_id).use(_start_redis, _stop_redis) as url:
        yield url


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[str]:
    """A PostgreSQL that no other module uses: for tests that make it stand still."""
    state = _start_postgres()
    try:
        yield state["url"]
    finally:
        _stop_postgres(state)


class OwnRedis(NamedTuple):
    """A Redis that no other test uses, and its process."""

    url: str
    process: int


@pytest.fixture
def own_redis() -> Iterator[OwnRedis]:
    """A Redis for a test that makes it stand still, or kills it."""
    state = _start_redis()
    try:
        yield OwnRedis(state["url"], state["process"])
    finally:
        _stop_redis(state)


# A page's own share in the chance of a game is the same in every run, or no deal would be.
SHARE = "crypto.getRandomValues = bytes => bytes.fill(7)"


def _context(make: Callable[..., BrowserContext], **given: Any) -> BrowserContext:
    context = make(**given)
    context.add_init_script(SHARE)
    return context


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium with a fresh profile, without a window; one per module.

    Not one per run: while Playwright's synchronous face is open, its event loop counts as running in this thread,
    and no test after it could use ``asyncio.run``. Ended with its module, it disturbs nobody.
    """
    from playwright.sync_api import sync_playwright

    program = _program("chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        try:
            with patch.object(chromium, "new_context", partial(_context, chromium.new_context)):
                yield chromium
        finally:
            chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own: no cookies, nothing stored."""
    context = browser.new_context()
    context.set_default_timeout(10_000)
    try:
        yield context.new_page()
    finally:
        context.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core; ``page.evaluate(axe)`` puts it into a page past the content policy."""
    file = ROOT / "node_modules/axe-core/axe.min.js"
    if not file.is_file():
        pytest.fail("axe-core is not installed: run `make tools`, or `npm ci --ignore-scripts`.")
    return file.read_text(encoding="utf-8")
