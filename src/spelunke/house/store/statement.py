"""A statement that comes with every move: put into words once for each database, then given to the driver as it is.

SQLAlchemy takes longer to find out what a statement of three lines means than SQLite takes to do it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Delete, Insert, Update
from sqlalchemy.exc import DBAPIError


class Statement:
    """One that returns nothing. All rows have the same names; values must be what the driver takes: texts, numbers."""

    def __init__(self, said: Insert | Update | Delete) -> None:
        self._said = said
        # by dialect and names: the text, and the order of values where the driver wants them without names
        self._texts: dict[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...] | None]] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Do it for each row; there is at least one."""
        key = (connection.dialect.name, tuple(rows[0]))
        if key not in self._texts:
            self._texts[key] = self._write(connection, key[1])
        text, order = self._texts[key]
        if order is None:
            connection.exec_driver_sql(text, [dict(row) for row in rows])
        else:
            _run_on_file(connection, text, [tuple([row[name] for name in order]) for row in rows])

    def _write(self, connection: Connection, names: tuple[str, ...]) -> tuple[str, tuple[str, ...] | None]:
        columns = list(names) if isinstance(self._said, Insert) else None
        compiled = self._said.compile(dialect=connection.dialect, column_keys=columns)
        order = compiled.positiontup
        return str(compiled), None if order is None else tuple(order)


def _run_on_file(connection: Connection, text: str, rows: list[tuple[object, ...]]) -> None:
    """Do it by the driver of SQLite itself, in the connection's transaction; what fails is raised as by SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        if len(rows) == 1:
            driver.execute(text, rows[0])
        else:
            driver.executemany(text, rows)
    except sqlite3.Error as error:
        raise DBAPIError.instance(text, None, error, sqlite3.Error, dialect=connection.dialect) from error
