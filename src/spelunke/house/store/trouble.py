"""What is wrong when the store fails: what was written, the line to the store, or the store itself.

Why it is made like this: docs/why/failures.md.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError

from spelunke.house.refusals import HouseClosed

NOT_SAVED = "the house can't save anything at the moment, so nothing was changed; please try again in a while"
NOT_KNOWN = (
    "the house lost its store while it was saving, and can't tell whether that was kept; please look again in a while "
    "(what is sent twice counts once)"
)
NOT_READ = "the house can't reach its store at the moment; please try again in a while"
BUSY = "others are changing the same at this moment, so nothing was changed; please try again"

_BUSY_STATES = frozenset({"55P03", "40P01", "40001"})
"""PostgreSQL: a lock was not to be had in time, a deadlock, a serialization failure."""

_SLEPT_STATE = "25P03"
"""PostgreSQL: it ended a transaction in which nothing came for too long."""


class Unsaved(HouseClosed):
    """The store takes nothing at the moment."""


def is_ours(error: DBAPIError) -> bool:
    """Whether it is what was written that is wrong, and not the store."""
    return isinstance(error, IntegrityError | DataError | ProgrammingError | NotSupportedError)


def is_busy(error: DBAPIError) -> bool:
    """Whether somebody else held what was wanted; the next try may succeed."""
    return getattr(error.orig, "sqlstate", None) in _BUSY_STATES


def has_slept(error: DBAPIError) -> bool:
    """Whether this worker stood still in mid-transaction: the store is well, and kept nothing of it."""
    return getattr(error.orig, "sqlstate", None) == _SLEPT_STATE


def is_lost(error: DBAPIError) -> bool:
    """Whether the line to the store broke; what it was doing may have been kept."""
    return error.connection_invalidated and not has_slept(error)


def is_gone(error: DBAPIError) -> bool:
    """Whether a server can't be reached at all, for reading neither; what it says itself has a state."""
    return not is_ours(error) and getattr(error.orig, "sqlstate", None) is None


def name_trouble(error: DBAPIError) -> str:
    """What the host reads in `/health`: the reason in the store's own words, one line, no data."""
    reason = str(error.orig or error).strip().splitlines() or [type(error).__name__]
    return f"the store takes nothing: {reason[0][:200]}"


def probe(engine: Engine) -> None:
    """Write something durably that changes nothing of the house; raises DBAPIError while the store takes nothing."""
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            _probe_sqlite(connection)
        else:
            # A file of the database grows, and its log is made durable: they may lie on two disks.
            connection.exec_driver_sql(
                "create temporary table house_probe on commit drop as select * from generate_series(1, 1000)"
            )
            connection.exec_driver_sql("select pg_logical_emit_message(true, 'spelunke', 'here')")


def _probe_sqlite(connection: Connection) -> None:
    # A number in the file's head that SQLite leaves to its user, and that the house does not read.
    number = int(connection.exec_driver_sql("PRAGMA user_version").scalar() or 0)
    connection.exec_driver_sql(f"PRAGMA user_version = {(number + 1) % 2**31}")
