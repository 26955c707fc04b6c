"""Only the owner can read the files of a house, even if the umask lets everybody read new files."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from spelunke.house.house import open_house
from spelunke.web.settings import read_settings


@pytest.fixture(autouse=True)
def generous() -> Iterator[None]:
    """Set the umask to 0, so that everybody may read and write new files by default."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def play(database: Path) -> dict[str, int]:
    """Return the permissions of all files in the database's folder, after a write, while the house is open."""
    with contextlib.closing(open_house(f"sqlite:///{database}", timers=False)) as house:
        house.people.create("Anna")
        return modes(database.parent)


def test_a_new_house_is_private(tmp_path: Path) -> None:
    found = play(tmp_path / "made" / "house.sqlite3")
    assert found == dict.fromkeys(
        (
            "house.sqlite3",
            "house.sqlite3-wal",
            "house.sqlite3-shm",
            "house.sqlite3.lock",
            "house.sqlite3.key",
            "house.sqlite3.push",
        ),
        0o600,
    )
    assert modes(tmp_path) == {"made": 0o700}


def test_an_old_house_becomes_private(tmp_path: Path) -> None:
    database = tmp_path / "house.sqlite3"
    play(database)
    for file in tmp_path.iterdir():
        file.chmod(0o644)
    assert set(play(database).values()) == {0o600}


def test_the_data_folder_and_the_secret_are_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "spelunke"
    folder.mkdir()
    secret = read_settings({}).secret
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert modes(folder) == {"house.sqlite3.secret": 0o600}
    (folder / "house.sqlite3.secret").chmod(0o644)
    assert read_settings({}).secret == secret
    assert modes(folder) == {"house.sqlite3.secret": 0o600}
