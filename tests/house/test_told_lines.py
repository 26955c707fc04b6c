"""The sentences of a log are written once for each language of its spectators. Only a few languages are cached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from spelunke.core.catalogues import Catalogue
from spelunke.core.words import Translator
from spelunke.house.messages import LogLine
from spelunke.house.table.log import Log, Row
from spelunke.house.table.noticed import LANGUAGES, SPECTATORS, Noticed


class Counted:
    """A stand-in for the function that writes the sentences for a row of the log. It counts its calls."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, _index: int, _row: Row) -> Iterator[LogLine]:
        self.times += 1
        return iter(())


def looks(seat: int | None, languages: int, rounds: int) -> int:
    import gettext

    noticed = Noticed(Log(), None, seat, None)
    tongues: list[Translator] = [Catalogue(f"l{n}", gettext.NullTranslations()) for n in range(languages)]
    rows = [cast("Row", object())]
    told = Counted()
    for _round in range(rounds):
        for tongue in tongues:
            noticed.told_lines(("Anna", "Bert"), tongue, running=True).after(-1, rows, told)
    assert len(noticed._lines) <= (SPECTATORS if seat is None else LANGUAGES)
    return told.times


def test_each_log_row_is_rendered_once_for_each_language_of_spectators() -> None:
    assert looks(None, 6, 5) == 6


def test_the_languages_of_spectators_and_of_a_seat_are_bounded() -> None:
    assert looks(None, SPECTATORS + 1, 3) == 3 * (SPECTATORS + 1)
    assert looks(0, 3, 2) == 6
