"""The pictures of the terminal in the documents load nothing from another server."""

import re
from pathlib import Path

PICTURES = sorted((Path(__file__).parents[2] / "docs/pictures").glob("terminal-*.svg"))
KNOWN = {"http://www.w3.org/2000/svg", "https://www.textualize.io", "https://spelunke.example"}
"""The name of the format, a comment, and a text on a screen."""


def test_the_pictures_load_nothing_from_other_addresses() -> None:
    assert len(PICTURES) >= 4
    for file in PICTURES:
        text = file.read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[\w./-]+", text)) <= KNOWN, file.name
        assert "@import" not in text
        assert "url(http" not in text
