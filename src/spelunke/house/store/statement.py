"""SQL statements that run with every move.

Each statement is compiled once for each kind of database, set of columns and number of rows. Then the compiled text is
passed to the driver. SQLAlchemy takes longer to compile three lines of SQL than SQLite takes to run them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

from sqlalchemy import BindParameter, Connection, Delete, Insert, Update, bindparam
from sqlalchemy.exc import DBAPIError

AT_ONCE = 32
"""The most rows in one statement on SQLite.

SQLite's driver releases the GIL several times per statement, so one statement for many rows is faster.
"""

Row: TypeAlias = Mapping[str, object]
Wanted: TypeAlias = Mapping[str, BindParameter[object]]
"""A row whose values are placeholders, by column name."""
Place: TypeAlias = tuple[int, str]
"""The position of a value among several rows: the number of its row, and the name of its column."""
Key: TypeAlias = tuple[str, tuple[str, ...], int]
"""The key of a compiled statement: the dialect, the column names, and the number of rows."""
Text: TypeAlias = tuple[str, list[Place] | None]
"""A compiled statement, and the order of its values. The order is None if the driver uses names for values."""


class Statement:
    """An SQL statement that returns no rows.

    `say` builds the SQL for one or more rows of parameters. All these rows must have the same column names.
    Values must be texts or numbers, which every driver accepts.
    """

    def __init__(self, say: Callable[[Sequence[Wanted]], Insert | Update | Delete]) -> None:
        self._say = say
        self._texts: dict[Key, Text] = {}

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run the statement for each row. Raise DBAPIError if the database reports an error."""
        on_file = connection.dialect.name == "sqlite"
        most = AT_ONCE if on_file else max(1, len(rows))
        for first in range(0, len(rows), most):
            some = rows[first : first + most]
            # With PostgreSQL, run the statement for one row at a time, so that it locks rows in their order.
            key = (connection.dialect.name, tuple(some[0]), len(some) if on_file else 1)
            text, order = self._texts.get(key) or self._compile(connection, key)
            if order is None:
                connection.exec_driver_sql(
                    text, [{_name(0, name): row[name] for name in row} for row in some]
                )
            else:
                run_sqlite(connection, text, [some[number][name] for number, name in order])

    def _compile(self, connection: Connection, key: Key) -> Text:
        _dialect, names, count = key
        places = {_name(number, name): (number, name) for number in range(count) for name in names}
        wanted: list[Wanted] = [
            {name: bindparam(_name(number, name)) for name in names} for number in range(count)
        ]
        compiled = self._say(wanted).compile(dialect=connection.dialect)
        order = compiled.positiontup
        found = (str(compiled), None if order is None else [places[name] for name in order])
        self._texts[key] = found
        return found


def run_sqlite(connection: Connection, text: str, values: Sequence[object] = ()) -> None:
    """Run a statement with SQLite's driver, within the connection's transaction.

    Raise the driver's errors as DBAPIError.

    The statement does not go through SQLAlchemy, because that would take longer than the statement itself.
    """
    driver = cast(sqlite3.Connection, connection.connection.driver_connection)
    try:
        driver.execute(text, values)
    except sqlite3.Error as error:
        raise DBAPIError.instance(text, None, error, sqlite3.Error, dialect=connection.dialect) from error


def _name(number: int, name: str) -> str:
    """Return the name of the SQL parameter for the value in column `name` of row `number`.

    It differs from all column names.
    """
    return f"{name}_of_{number}"
