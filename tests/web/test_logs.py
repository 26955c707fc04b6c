"""The house's logs: their destinations, and what happens if nobody reads them any more."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from spelunke.web.app import set_up_logs

from .conftest import make_settings


@pytest.fixture(autouse=True)
def logs(tmp_path: Path) -> Iterator[None]:
    set_up_logs(make_settings(tmp_path))
    yield
    structlog.reset_defaults()


def test_a_line_goes_to_the_stderr_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("first", "second"):
        screen = io.StringIO()
        monkeypatch.setattr("sys.stderr", screen)
        structlog.get_logger("spelunke").warning(word)
        assert word in screen.getvalue()


def test_a_closed_stderr_raises_no_error_in_the_logger(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipe(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    closed = io.StringIO()
    closed.close()
    for screen in (closed, Pipe()):
        monkeypatch.setattr("sys.stderr", screen)
        structlog.get_logger("spelunke").error("nobody reads this")
