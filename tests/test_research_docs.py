"""The pages for research run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"
SMALLER = {
    "TABLES, ROUNDS = 256, 60": "TABLES, ROUNDS = 24, 130",
    "GAMES = 6": "GAMES = 1",
    "tables=256": "tables=8",
}


@pytest.mark.parametrize("page", ["train-a-player.md", "environments.md", "write-a-bot.md"])
def test_the_page_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    names: dict[str, Any] = {"__name__": page}
    for block in blocks:
        for large, small in SMALLER.items():
            block = block.replace(large, small)
        exec(compile(block, page, "exec"), names)
    if page == "train-a-player.md":
        assert names["usable"].any()
        assert -1 <= names["score"] / (2 * names["GAMES"]) <= 1
