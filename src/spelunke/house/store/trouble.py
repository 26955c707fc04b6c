"""Kinds of database errors, messages about them, and a test that the database accepts writes.

For the reasons, see docs/why/failures.md.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError

from spelunke.house.refusals import HouseClosed

NOT_SAVED = "the server can't save anything at the moment, so nothing was changed; please try again later"
NOT_KNOWN = (
    "the server lost its database while it was saving, and doesn't know whether that was saved; please look again "
    "later (sending it twice counts once)"
)
NOT_READ = "the server can't reach its database at the moment; please try again later"
BUSY = "others are changing the same data at the moment, so nothing was changed; please try again"

_BUSY_STATES = frozenset({"55P03", "40P01", "40001"})
"""States of PostgreSQL errors that mean contention: a lock timeout, a deadlock, and a serialization failure."""

_SLEPT_STATE = "25P03"
"""The state of the PostgreSQL error for a transaction that was idle for too long."""


class Unsaved(HouseClosed):
    """The database can't be written to at the moment."""


def is_ours(error: DBAPIError) -> bool:
    """Return whether our own statement or its data caused the error. In that case the database works."""
    return isinstance(error, IntegrityError | DataError | ProgrammingError | NotSupportedError)


def is_busy(error: DBAPIError) -> bool:
    """Return whether the error means contention on PostgreSQL: a lock timeout, a deadlock, or a serialization failure.

    In that case a retry may succeed.
    """
    return getattr(error.orig, "sqlstate", None) in _BUSY_STATES


def has_slept(error: DBAPIError) -> bool:
    """Return whether PostgreSQL ended a transaction because this worker paused during it.

    In that case the database works.
    """
    return getattr(error.orig, "sqlstate", None) == _SLEPT_STATE


def is_lost(error: DBAPIError) -> bool:
    """Return whether the connection broke, so that nobody knows whether the transaction was committed.

    If PostgreSQL ended the transaction because this worker paused (`has_slept`), return False.
    """
    return error.connection_invalidated and not has_slept(error)


def is_gone(error: DBAPIError) -> bool:
    """Return whether PostgreSQL can't be reached at all. In that case the error has no SQLSTATE.

    Don't call this for SQLite: its errors never have an SQLSTATE.
    """
    return not is_ours(error) and getattr(error.orig, "sqlstate", None) is None


def name_trouble(error: DBAPIError) -> str:
    """Return the problem for `/health` as one line, with the database's own message, but without personal data."""
    reason = str(error.orig or error).strip().splitlines() or [type(error).__name__]
    return f"the database can't be written: {reason[0][:200]}"


def probe(engine: Engine) -> None:
    """Test that the database accepts durable writes, without changing any data of the house.

    Raise SQLAlchemyError if it does not.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            _probe_sqlite(connection)
        else:
            # Grow a file of the database, and flush its log: they may be on two disks.
            connection.exec_driver_sql(
                "create temporary table house_probe on commit drop as select * from generate_series(1, 1000)"
            )
            connection.exec_driver_sql("select pg_logical_emit_message(true, 'spelunke', 'here')")


def _probe_sqlite(connection: Connection) -> None:
    # `user_version` is a number that SQLite leaves to its user, and that the house does not read.
    number = int(connection.exec_driver_sql("PRAGMA user_version").scalar() or 0)
    connection.exec_driver_sql(f"PRAGMA user_version = {(number + 1) % 2**31}")
