"""Statements that run with every move: compiled once for each database, then passed to the driver directly.

SQLAlchemy takes longer to compile three lines of SQL than SQLite takes to run them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from sqlalchemy import BindParameter, Connection, Delete, Insert, Update, bindparam
from sqlalchemy.exc import DBAPIError

AT_ONCE = 32
"""The number of rows in one statement on SQLite, whose driver releases the GIL several times per statement."""

Row: TypeAlias = Mapping[str, object]
Wanted: TypeAlias = Mapping[str, BindParameter[object]]
"""A row with placeholders for its values."""
Place: TypeAlias = tuple[int, str]
"""A value: the number of its row, and its name there."""


class Statement:
    """A statement without a result. `say` builds it for some rows with the same names.

    Values must be of types that the driver accepts: texts and numbers.
    """

    def __init__(self, say: Callable[[Sequence[Wanted]], Insert | Update | Delete]) -> None:
        self._say = say
        # by dialect, names and number of rows: the text, and the order of values if the driver uses positions
        self._texts: dict[tuple[str, tuple[str, ...], int], tuple[str, list[Place] | None]] = {}

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run the statement for each row."""
        on_file = connection.dialect.name == "sqlite"
        for some in _split(rows, AT_ONCE if on_file else max(1, len(rows))):
            # On a server, run it row by row, so that it locks rows in their order.
            text, order = self._find(connection, tuple(some[0]), len(some) if on_file else 1)
            if order is None:
                connection.exec_driver_sql(
                    text, [{_name(0, name): row[name] for name in row} for row in some]
                )
            else:
                _run_on_file(connection, text, [some[number][name] for number, name in order])

    def _find(
        self, connection: Connection, names: tuple[str, ...], count: int
    ) -> tuple[str, list[Place] | None]:
        key = (connection.dialect.name, names, count)
        if key not in self._texts:
            places = {_name(number, name): (number, name) for number in range(count) for name in names}
            wanted: list[Wanted] = [
                {name: bindparam(_name(number, name)) for name in names} for number in range(count)
            ]
            compiled = self._say(wanted).compile(dialect=connection.dialect)
            order = compiled.positiontup
            self._texts[key] = (str(compiled), None if order is None else [places[name] for name in order])
        return self._texts[key]


def _name(number: int, name: str) -> str:
    """Return a value's parameter name, which differs from all column names."""
    return f"{name}_of_{number}"


def _split(rows: Sequence[Row], most: int) -> Iterator[Sequence[Row]]:
    for first in range(0, len(rows), most):
        yield rows[first : first + most]


def _run_on_file(connection: Connection, text: str, values: list[object]) -> None:
    """Run it with SQLite's own driver in the connection's transaction; raise errors as SQLAlchemy does."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        driver.execute(text, values)
    except sqlite3.Error as error:
        raise DBAPIError.instance(text, None, error, sqlite3.Error, dialect=connection.dialect) from error
