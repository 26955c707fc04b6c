"""The files of `deploy/`, run as far as possible without containers: nginx, systemd, PostgreSQL, Redis."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest
from starlette.testclient import TestClient

from proxy import DEPLOY as NGINX_FILES
from proxy import find_nginx, read_version, run_nginx, write_config, write_whole
from servers import free_port, program, run_as, server_user
from waiting import wait_until

from .conftest import Guest, Server, serve
from .test_live import Stream

DEPLOY = NGINX_FILES.parent
HTTP2_ON = (1, 25, 1)
"""The first version of nginx that understands `http2 on`."""


@pytest.fixture
def nginx() -> str:
    found = find_nginx()
    if found is None:
        pytest.skip("nginx is not installed; NGINX_PROGRAM may say where it is")
    return found


def check(nginx: str, config: Path) -> str:
    done = subprocess.run([nginx, "-t", "-c", str(config)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_nginx_logs_no_address_with_a_code(client: TestClient) -> None:
    text = (NGINX_FILES / "proxy.conf").read_text(encoding="utf-8")
    unlogged = re.search(r"location ~ (\S+) \{\n    access_log off;", text)
    assert unlogged
    known = [getattr(route, "path", "") for route in client.app.routes]  # type: ignore[attr-defined]
    paths = [path for path in known if "{code}" in path or "{invite}" in path]
    assert len(paths) > 6
    for path in paths:
        assert re.match(unlogged[1], path), path


def test_nginx_accepts_the_configuration_for_a_dedicated_machine(nginx: str, tmp_path: Path) -> None:
    text = (NGINX_FILES / "spelunke.conf").read_text(encoding="utf-8")
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    make = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=house.example",
    ]
    subprocess.run([*make, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    text = text.replace("/etc/nginx/spelunke", str(NGINX_FILES))
    text = text.replace("/etc/letsencrypt/live/house.example", str(tmp_path))
    for port in ("80", "443"):
        text = text.replace(f"listen {port}", f"listen 127.0.0.1:{free_port()}")
        text = re.sub(rf"^ *listen \[::\]:{port}.*\n", "", text, flags=re.MULTILINE)
    if read_version(nginx) < HTTP2_ON:
        text = text.replace("    http2 on;\n", "").replace(" ssl;", " ssl http2;", 1)
    assert "[warn]" not in check(nginx, write_whole(tmp_path, text))


class Front:
    """Two workers behind nginx."""

    def __init__(self, url: str, workers: list[Server]) -> None:
        self.url = url
        self.workers = workers

    def get(self, path: str, headers: dict[str, str] | None = None) -> Any:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, json: Any = None, headers: dict[str, str] | None = None) -> Any:
        return self._ask("POST", path, json, headers)

    def _ask(self, method: str, path: str, json: Any, headers: dict[str, str] | None) -> Any:
        import httpx2

        with httpx2.Client(base_url=self.url, timeout=120) as client:
            return client.request(method, path, json=json, headers=headers)


@pytest.fixture
def front(nginx: str, tmp_path: Path, postgres_database: str, redis_url: str) -> Iterator[Front]:
    shared = {"database": postgres_database, "redis": redis_url, "heartbeat": 0.2}
    port = free_port()
    with contextlib.ExitStack() as opened:
        workers = [opened.enter_context(serve(tmp_path, **shared)) for _ in range(2)]
        config = write_config(tmp_path, port, [worker.port for worker in workers])
        check(nginx, config)
        opened.enter_context(run_nginx(nginx, config))
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(url))
        yield Front(url, workers)


def answers(url: str) -> bool:
    with contextlib.suppress(OSError), urlopen(f"{url}/health", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


@pytest.mark.deep
def test_a_game_is_played_through_nginx(front: Front) -> None:
    anna, bert = Guest(front), Guest(front, "Bert")
    table = anna.table("me", "open", options={"first_starter": "0"})
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    for guest in (anna, bert):
        assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
    look = anna.wait(table, lambda look: bool(look["legal"]))
    began = time.monotonic()
    stream = Stream(f"{front.url}/api/v1/tables/{table}/stream", bert.headers, proxied=True)
    stream.wait(1)
    stream.live_on()
    assert anna.play(table, look["legal"][0]["text"], look["ply"]).status_code == 200
    stream.wait(2)
    assert time.monotonic() - began < 20, "nginx keeps back what the house sends"
    stream.close()
    # All requests for one table go to one worker.
    assert sorted(bool(looks_at(worker)) for worker in front.workers) == [False, True]


def looks_at(worker: Server) -> float:
    """Return how often this worker was asked about a table."""
    registry = worker.server.config.app.state.site.meter.registry  # type: ignore[union-attr]
    labels = {"route": "/api/v1/tables/{table}", "method": "GET", "status": "200"}
    return float(registry.get_sample_value("spelunke_requests_total", labels) or 0)


@pytest.mark.deep
def test_nginx_sends_each_table_to_the_worker_that_owns_it(front: Front) -> None:
    anna = Guest(front)
    tables = [anna.table("me", "bot:deckhand") for _ in range(12)]
    for worker in front.workers:
        wait_until(lambda worker=worker: len(worker.house.store.workers.living) == 2)
    before = [worker.app.state.exchange.taken_over for worker in front.workers]
    for table in tables:
        anna.look(table)
    assert [worker.app.state.exchange.taken_over for worker in front.workers] == before, (
        "nothing is handed on"
    )


@pytest.mark.deep
def test_nginx_hides_metrics_and_health_details_from_clients(front: Front) -> None:
    assert front.get("/metrics").status_code == 404
    assert front.get("/health").json() == {"status": "ok", "ok": True}, "no details through the proxy"
    assert front.get("/").headers["content-security-policy"].startswith("default-src 'self'")


@pytest.mark.deep
def test_nginx_skips_a_stopped_worker(front: Front) -> None:
    anna = Guest(front)
    tables = [anna.table("me", "bot:deckhand") for _ in range(4)]
    front.workers[0].stop()
    try:
        for table in tables:
            assert anna.look(table)["status"] in {"ready", "playing"}
            assert front.get(f"/t/{table}").status_code == 200
    finally:
        front.workers[0].start()


@pytest.mark.deep
def test_nginx_bounds_bodies(front: Front) -> None:
    asked = Request(f"{front.url}/tables", data=b"x" * 300_000, method="POST")
    with pytest.raises(HTTPError) as refused:
        urlopen(asked, timeout=20)
    assert refused.value.code == 413
    refused.value.close()


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Return the systemd unit of a worker. It starts this checkout's program instead of the installed one."""
    text = (DEPLOY / "systemd" / "spelunke@.service").read_text(encoding="utf-8")
    text = text.replace("/opt/spelunke/bin/spelunke serve", f"{sys.executable} -m spelunke.cli serve")
    for name in ("spelunke@.service", "spelunke@8001.service"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for file in (DEPLOY / "systemd").glob("spelunke[-.]*"):
        others = file.read_text(encoding="utf-8").replace("/opt/spelunke/bin/spelunke", sys.executable)
        (tmp_path / file.name).write_text(others, encoding="utf-8")
    return tmp_path / "spelunke@8001.service"


UNITS = (
    "spelunke@8001.service",
    "spelunke.service",
    "spelunke-migrate.service",
    "spelunke-backup.service",
    "spelunke-backup.timer",
)


@pytest.mark.parametrize("name", UNITS)
def test_systemd_takes_the_units(unit: Path, name: str) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    unit = unit.with_name(name)
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    if unit.suffix == ".timer":
        return
    asked = [analyze, "security", "--offline=true", "--threshold=50", "--no-pager", str(unit)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_unit_is_checked() -> None:
    there = {file.name.replace("@.", "@8001.") for file in (DEPLOY / "systemd").glob("spelunke*")}
    assert there == set(UNITS)


def test_an_upgrade_of_the_package_migrates_before_the_workers_start_again() -> None:
    """The unit of the migration stays active after it has run, so only a restart runs it again."""
    unit = (DEPLOY / "systemd" / "spelunke-migrate.service").read_text(encoding="utf-8")
    assert "RemainAfterExit=yes" in unit.splitlines()
    text = (DEPLOY / "debian" / "postinst").read_text(encoding="utf-8")
    restarted = re.findall(r"systemctl try-restart (.*?) \|\|", text)
    assert [shlex.split(one) for one in restarted] == [
        ["spelunke-migrate.service", "spelunke.service", "spelunke@*.service"]
    ]


def test_the_nightly_backup_keeps_the_newest(tmp_path: Path) -> None:
    """The backup's two commands keep the newest 14 backups, and all other files. Here a stub writes the backup."""
    text = (DEPLOY / "systemd/spelunke-backup.service").read_text(encoding="utf-8")
    program = tmp_path / "spelunke"
    program.write_text('#!/bin/sh\n[ "$1" = backup ] && : > "$2"\n', encoding="utf-8")
    program.chmod(0o755)
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 18):
        (folder / f"house-2020-01-{day:02d}-041700.backup").touch()
    (folder / "mine.txt").touch()
    commands = [shlex.split(line) for line in re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)]
    for command in commands:
        asked = [
            part.replace("/opt/spelunke/bin/spelunke", str(program)).replace("%%", "%") for part in command
        ]
        subprocess.run(asked, env={"PATH": os.environ["PATH"], "FOLDER": str(folder)}, check=True)
    kept = sorted(file.name for file in folder.iterdir())
    assert len(kept) == 15
    assert kept[-1] == "mine.txt"
    assert kept[0] == "house-2020-01-05-041700.backup"


def test_the_unit_allows_enough_open_files_for_4000_connections(unit: Path) -> None:
    limit = re.search(r"^LimitNOFILE=(\d+)$", unit.read_text(), flags=re.MULTILINE)
    assert limit
    assert int(limit[1]) >= 2 * 4000, (
        "a connection is a file, and each has one to the store or a stream beside it"
    )


def test_postgresql_takes_its_settings(postgres_url: str) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as line:
        (folder,) = line.execute("show data_directory").fetchone() or ("",)
    config = Path(folder).parent / "ours.conf"
    config.write_text((DEPLOY / "postgresql.conf").read_text(encoding="utf-8"), encoding="utf-8")
    config.chmod(0o644)
    asked = [
        program("postgres"),
        "-C",
        "synchronous_commit",
        "-D",
        str(folder),
        "-c",
        f"config_file={config}",
    ]
    run_as(server_user(), asked, Path(folder).parent)


def test_redis_takes_its_settings(tmp_path: Path) -> None:
    port = free_port()
    asked = ["redis-server", str(DEPLOY / "redis.conf"), "--port", str(port), "--bind", "127.0.0.1"]
    process = subprocess.Popen([*asked, "--dir", str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        from redis import Redis

        with Redis(port=port) as line:
            wait_until(lambda: _pings(line))
            assert line.config_get("save") == {"save": ""}  # type: ignore[no-untyped-call]
    finally:
        process.kill()
        process.communicate()


def _pings(line: Any) -> bool:
    with contextlib.suppress(Exception):
        return bool(line.ping())
    return False


def test_all_that_compose_mounts_is_there() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    mounted = re.findall(r"- (\./[\w./-]+):", text)
    assert len(mounted) >= 4
    assert [name for name in mounted if not (DEPLOY / name).exists()] == []


def test_the_workers_of_compose_reach_the_internet() -> None:
    """The workers join a second network to send push messages, e-mails and webhooks: `inner` has no Internet access."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    inner = re.findall(r"^  (\w+): \{ internal: true \}$", text, re.MULTILINE)
    (joined,) = re.findall(r"networks: \[(.*)\]", text[: text.index("services:")])
    assert inner == ["inner"]
    assert set(joined.split(", ")) - set(inner)


CONFIGURED = ("/etc/pip.conf", "/etc/ssl/certs", "/usr/local/share/ca-certificates")
"""The files in which a machine names its package sources; the build uses them as well."""


@pytest.mark.deep(minutes=5)
def test_the_image_is_built_without_a_daemon_and_serves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = [name for name in ("buildah", "mmdebstrap") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed; Debian has packages of that name")
    for name, value in {
        "STORAGE_DRIVER": "vfs",
        "BUILDAH_ISOLATION": "chroot",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "CONTAINERS_STORAGE_CONF": str(write_storage(tmp_path)),
    }.items():
        monkeypatch.setenv(name, value)
    given = [part for name in CONFIGURED if Path(name).exists() for part in ("--volume", f"{name}:{name}:ro")]
    name = f"spelunke-test-{tmp_path.name}"
    subprocess.run([str(DEPLOY / "build-image"), "--from-debian", "--tag", name, *given], check=True)
    container = buildah("from", "--pull-never", name)
    port = free_port()
    asked = ["buildah", "run", "--env", f"SPELUNKE_PORT={port}", container, "spelunke", "serve"]
    served = subprocess.Popen(asked, stdin=subprocess.DEVNULL)
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}"), "the container does not serve")
        who = buildah("run", container, "id", "--user", "--name")
        assert who == "spelunke", "nobody serves as root"
    finally:
        served.terminate()
        served.wait(30)
        buildah("rm", container)
        buildah("rmi", "--all", "--force")


def buildah(*asked: str) -> str:
    return subprocess.run(["buildah", *asked], check=True, capture_output=True, text=True).stdout.strip()


def write_storage(folder: Path) -> Path:
    """Write the configuration of a test's own image store, in a folder of its own."""
    file = folder / "storage.conf"
    lines = [
        "[storage]",
        'driver = "vfs"',
        f'graphroot = "{folder / "images"}"',
        f'runroot = "{folder / "run"}"',
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def http2_frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame of HTTP/2 (RFC 9113, 4.1)."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def http2_head(path: str, host: str) -> bytes:
    """Return the fields of a GET as literals without indexing (RFC 7541, 6.2.2)."""
    fields = ((":method", "GET"), (":scheme", "http"), (":path", path), (":authority", host))
    return b"".join(
        b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in fields
    )


def http2_answers(line: socket.socket, number: int) -> dict[int, bool]:
    """Read until ``number`` streams have been answered. Return for each stream whether it got status 200."""
    found: dict[int, bool] = {}
    had = b""
    while len(found) < number:
        more = line.recv(65536)
        assert more, "nginx closed the connection"
        had += more
        while len(had) >= 9 and len(had) >= 9 + (size := int.from_bytes(had[:3], "big")):
            kind, stream, payload = had[3], int.from_bytes(had[5:9], "big"), had[9 : 9 + size]
            had = had[9 + size :]
            if kind == 1:
                found.setdefault(stream, payload[:1] == b"\x88")  # the indexed field `:status: 200`
            elif kind == 3:
                found.setdefault(stream, False)
    return found


@pytest.mark.deep
def test_hundreds_of_streams_over_one_http2_connection(nginx: str, tmp_path: Path) -> None:
    """One connection may carry many streams, so the house counts streams, not only connections."""
    port, most = free_port(), 20
    with serve(tmp_path, heartbeat=0.2, streams_per_address=most) as worker:
        config = write_config(tmp_path, port, [worker.port])
        site, listen = tmp_path / "site.conf", f"listen 127.0.0.1:{port}"
        http2 = f"{listen} http2" if read_version(nginx) < HTTP2_ON else f"{listen}; http2 on"
        site.write_text(site.read_text(encoding="utf-8").replace(listen, http2), encoding="utf-8")
        check(nginx, config)
        table = Guest(Front(worker.url, [worker])).table("me", "open")
        with run_nginx(nginx, config):
            line = wait_until(lambda: reach(port))
            host = f"127.0.0.1:{port}"
            line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + http2_frame(4, 0, 0, b""))
            streams = range(1, 201, 2)
            for stream in streams:
                line.sendall(http2_frame(1, 5, stream, http2_head(f"/api/v1/tables/{table}/stream", host)))
            served = http2_answers(line, len(streams))
            assert sum(served.values()) == most
            assert answers(worker.url), "the house serves others meanwhile"
            line.close()


def reach(port: int) -> socket.socket | None:
    """Return a connection to that port, or None."""
    with contextlib.suppress(OSError):
        return socket.create_connection(("127.0.0.1", port), timeout=60)
    return None
