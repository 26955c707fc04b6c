"""A language that exists in tests alone: English with accents, a third longer, each text with a mark at both ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from spelunke.core import catalogues
from spelunke.core.words import Translator
from spelunke.web import words

LANGUAGE = "en"
"""The language that it replaces: English, so that the pages are the usual ones."""
BEGIN, END = "⟦", "⟧"
ACCENTS = str.maketrans("aeiouyAEIOUYcnsz", "áëîõüýÁËÎÕÜÝçñšž")
KEPT = re.compile(r"(\{\w*\})")


def stretch(text: str) -> str:
    """Return a text in the language of the tests: longer, with accents and marks. Placeholders stay unchanged."""
    if not text:
        return text
    parts = [part if KEPT.fullmatch(part) else part.translate(ACCENTS) for part in KEPT.split(text)]
    length = len(KEPT.sub("", text))
    more = "" if length < 2 else "~" * max(1, length // 3)
    # Long texts may be broken anywhere, as words of a real language may.
    more = " ".join(more[k : k + 7] for k in range(0, len(more), 7))
    return f"{BEGIN}{''.join(parts)}{' ' if length > 12 else ''}{more}{END}"


class Pseudo(Translator):
    """A translator into this module's invented language, which is English with accents and longer texts."""

    def __call__(self, text: str) -> str:
        return stretch(text)

    def many(self, one: str, many: str, count: int) -> str:
        return stretch(one if count == 1 else many)

    def within(self, context: str, text: str) -> str:
        return stretch(text)

    def list(self, parts: Sequence[str]) -> str:
        return f"{BEGIN}{super().list(parts)}{END}"


PSEUDO = Pseudo()


@contextmanager
def speaking() -> Iterator[None]:
    """Show pages in the test language of this module in place of English."""
    caches = (words._tongue,)
    for cache in caches:
        cache.cache_clear()
    with (
        patch.object(words, "translator_in", lambda _folder, _language: PSEUDO),
        patch.object(catalogues, "translator_in", lambda _folder, _language: PSEUDO),
        patch.object(words, "plain", PSEUDO),
    ):
        yield
    for cache in caches:
        cache.cache_clear()
