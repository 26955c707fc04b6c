"""After a wheel is installed in any usual way into an empty environment, one more command starts a game."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from compiling import library_folder, make_library
from servers import free_port
from spelunke.ahead.link import NoCompiler
from spelunke.games import shelf
from waiting import wait_until

ROOT = Path(__file__).parents[2]
UV = [sys.executable, "-m", "uv"]
OURS = ("PYTHON", "SPELUNKE_", "NUMBA_", "VIRTUAL_ENV", "XDG_")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel with compiled rules, if there is a compiler."""
    out = tmp_path_factory.mktemp("wheel")
    environment = dict(os.environ)
    with contextlib.suppress(NoCompiler):
        for game in shelf():
            make_library(game, library_folder())
        environment["SPELUNKE_LIBRARIES"] = str(library_folder())
    command = [*UV, "build", "-q", "--wheel", "--python", sys.executable, "--out-dir", str(out), str(ROOT)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))


class Place:
    """An empty home folder, and commands that run in it without anything of this checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(OURS)},
            "HOME": str(folder),
            "PIPX_HOME": str(folder / "pipx"),
            "PIPX_BIN_DIR": str(folder / "bin"),
            "UV_TOOL_DIR": str(folder / "tools"),
            "UV_TOOL_BIN_DIR": str(folder / "bin"),
        }

    def run(self, *command: str | Path) -> None:
        done = subprocess.run(
            list(map(str, command)),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def by_pip(place: Place, wheel: Path) -> list[str]:
    venv.create(place.folder / "environment", with_pip=True, symlinks=True)
    place.run(place.folder / "environment/bin/pip", "install", "-q", wheel)
    return [str(place.folder / "environment/bin/spelunke")]


def by_pipx(place: Place, wheel: Path) -> list[str]:
    venv.create(place.folder / "with-pipx", with_pip=True, symlinks=True)
    place.run(place.folder / "with-pipx/bin/pip", "install", "-q", "pipx")
    place.run(place.folder / "with-pipx/bin/pipx", "install", wheel)
    return [str(place.folder / "bin/spelunke")]


def by_uv(place: Place, wheel: Path) -> list[str]:
    place.run(*UV, "tool", "install", "-q", wheel)
    return [str(place.folder / "bin/spelunke")]


def by_uvx(place: Place, wheel: Path) -> list[str]:
    return [*UV, "tool", "run", "-q", "--from", str(wheel), "spelunke"]


@contextlib.contextmanager
def served(place: Place, command: list[str]) -> Iterator[str]:
    """Start a server by this command with the argument ``serve``, and yield the server's address."""
    port = free_port()
    process = subprocess.Popen(
        [*command, "serve"],
        cwd=place.folder,
        env={**place.environment, "SPELUNKE_PORT": str(port)},
        stdin=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: process.poll() is not None or answers(url), patience=300)
        assert process.poll() is None
        yield url
    finally:
        process.terminate()
        process.wait(60)


def answers(url: str) -> bool:
    with contextlib.suppress(OSError), urlopen(f"{url}/health", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def ask(url: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data=data, headers=headers), timeout=60) as answer:
        found = answer.read()
    return json.loads(found) if found else None


@pytest.mark.deep(minutes=4)
@pytest.mark.parametrize("install", [by_pip, by_pipx, by_uv, by_uvx], ids=lambda one: one.__name__)
def test_one_command_installs_a_server_that_plays_a_game(install: Any, wheel: Path, tmp_path: Path) -> None:
    place = Place(tmp_path)
    with served(place, install(place, wheel)) as url:
        with urlopen(f"{url}/", timeout=60) as page:
            assert "Shanghaien" in page.read().decode()
        api = f"{url}/api/v1"
        token = ask(f"{api}/guests", {"name": "Foggy Pelican"})["token"]
        plan = {"game": "shanghaien", "seats": ["me", "bot:deckhand"], "options": {"first_starter": "0"}}
        table = ask(f"{api}/tables", plan, token)["table"]
        ask(f"{api}/tables/{table}/nonce", {"nonce": "share"}, token)
        look = wait_until(lambda: (found := ask(f"{api}/tables/{table}", None, token))["legal"] and found)
        move = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "first-move"}
        ask(f"{api}/tables/{table}/act", move, token)
        assert ask(f"{api}/tables/{table}", None, token)["ply"] > look["ply"]
        with urlopen(f"{url}/t/{table}", timeout=60) as page:
            assert "Foggy Pelican" in page.read().decode()
    assert (tmp_path / ".local/share/spelunke/house.sqlite3").is_file()


@pytest.mark.deep(minutes=4)
def test_an_installed_wheel_plays_all_games_as_plain_rules_do(wheel: Path, tmp_path: Path) -> None:
    """An installed wheel without Numba plays the same random games as plain Python, with each value of each option."""
    place = Place(tmp_path)
    command = Path(by_pip(place, wheel)[0])
    python = command.with_name("python")
    place.run(python, "-c", "from importlib.util import find_spec; assert find_spec('numba') is None")
    for game in shelf():
        twin = [str(ROOT / "tests/twin.py"), game, "2:600", "each:30"]
        installed = subprocess.run(
            [python, *twin],
            cwd=tmp_path,
            env=place.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        plain = subprocess.run(
            [sys.executable, *twin],
            env={**os.environ, "SPELUNKE_JIT": "0"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert installed.stderr == ""
        assert installed.stdout == plain.stdout != ""
