"""Shared set-up of the terminal's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from house_server import Server, serve
from spelunke.core.letters import use_letters


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw as in a terminal of many colours, in whichever terminal the tests run."""
    for name in ("NO_COLOR", "TERM", "COLORTERM", "SPELUNKE_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture(autouse=True)
def _letters() -> Iterator[None]:
    """After each test, use the default letters of cards again: a test may have chosen others on a server."""
    yield
    use_letters(None)


@pytest.fixture
def own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tokens in a folder of the test, and not in the system's keyring."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SPELUNKE_KEYRING", "0")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("house")) as server:
        yield server
