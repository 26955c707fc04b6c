"""Shared set-up of the terminal's tests."""

import pytest


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw as in a terminal of many colours, whatever the tests run in."""
    for name in ("NO_COLOR", "TERM", "COLORTERM", "SPELUNKE_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
