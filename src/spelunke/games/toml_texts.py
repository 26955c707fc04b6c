"""Find the texts for people in a game's TOML files, so that ``make words`` adds them to the catalogues.

The pages translate these texts: the title and help of each level (``levels.toml``), and the sentence about each
bot (``players.toml``). Names of bots are not translated.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

Found = tuple[int, str, str, list[str]]
"""A text for Babel: its line number, the name of the function around it (empty), the text, and comments."""


def extract(
    file: IO[bytes],
    keywords: Sequence[str],
    comment_tags: Sequence[str],
    options: Mapping[str, str],
) -> Iterator[Found]:
    """Yield a tuple for each text of a file, in the form that Babel expects.

    The tuple has the line number, an empty function name, the text, and the comments for translators.
    """
    source = file.read().decode("utf-8")
    for name, entry in tomllib.loads(source).items():
        if not isinstance(entry, dict):
            continue
        for key, value in entry.items():
            if key == "title" and "bot" in entry:
                yield _line(source, value), "", value, ["The name of a level of bots."]
            elif key == "help" and "bot" in entry:
                yield _line(source, value), "", value, [f"How the bots of the level “{entry['title']}” play."]
            elif isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value):
                yield _line(source, value[1]), "", value[1], [f"About the bot {key}, of the level “{name}”."]


def _line(source: str, text: str) -> int:
    """Return the line number, from 1, of the first line that contains this text, or 1 if no line contains it."""
    return source.count("\n", 0, max(source.find(text), 0)) + 1
