"""A statement that comes with every move: put into words once for each database, then given to the driver as it is.

SQLAlchemy takes longer to find out what a statement of three lines means than SQLite takes to do it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from sqlalchemy import BindParameter, Connection, Delete, Insert, Update, bindparam
from sqlalchemy.exc import DBAPIError

AT_ONCE = 32
"""For so many rows a file is given one statement: at each its driver gives Python's lock away several times."""

Row: TypeAlias = Mapping[str, object]
Wanted: TypeAlias = Mapping[str, BindParameter[object]]
"""A row whose values are not known yet."""
Place: TypeAlias = tuple[int, str]
"""A value: of which row, and its name there."""


class Statement:
    """One that returns nothing; `say` gives it for some rows of the same names.

    Values must be what the driver takes: texts, numbers.
    """

    def __init__(self, say: Callable[[Sequence[Wanted]], Insert | Update | Delete]) -> None:
        self._say = say
        # by dialect, names and number of rows: the text, and the order of values where the driver wants no names
        self._texts: dict[tuple[str, tuple[str, ...], int], tuple[str, list[Place] | None]] = {}

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Do it for each row."""
        on_file = connection.dialect.name == "sqlite"
        for some in _split(rows, AT_ONCE if on_file else max(1, len(rows))):
            # A server is given one row after the other: so it locks them in their order.
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
    """What a value is called in the statement: no column is called so."""
    return f"{name}_of_{number}"


def _split(rows: Sequence[Row], most: int) -> Iterator[Sequence[Row]]:
    for first in range(0, len(rows), most):
        yield rows[first : first + most]


def _run_on_file(connection: Connection, text: str, values: list[object]) -> None:
    """Do it by the driver of SQLite itself, in the connection's transaction; what fails is raised as by SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        driver.execute(text, values)
    except sqlite3.Error as error:
        raise DBAPIError.instance(text, None, error, sqlite3.Error, dialect=connection.dialect) from error
