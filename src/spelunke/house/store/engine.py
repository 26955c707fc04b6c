"""Connections to SQLite and PostgreSQL, and the migrations of their tables.

On SQLite, the engine uses a write-ahead log with `synchronous=FULL`, because with NORMAL a power cut can lose
the last commits. The engine begins transactions with an explicit `BEGIN IMMEDIATE`. On PostgreSQL, the engine
uses psycopg 3 and READ COMMITTED. On both databases, if two workers insert the same primary key, only the first
succeeds. For the reasons, see docs/why/store.md.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from spelunke.house.refusals import HouseClosed
from spelunke.house.store.files import keep_database_private, keep_private, make_folder
from spelunke.house.store.schema import NEWEST
from spelunke.house.store.statement import run_sqlite

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATION_LOCK = 5_077_865_213
"""The number of the advisory lock in PostgreSQL that a worker holds while it migrates the database.

So workers that start at the same time migrate one after the other.
"""


def read_address(database: str) -> URL:
    """Return the address of a database as an SQLAlchemy URL. Raise HouseClosed if the house can't use it."""
    try:
        url = make_url(database)
    except ArgumentError:
        raise HouseClosed(
            f"{database!r} is not a database address; use sqlite:///house.sqlite3 or "
            "postgresql://user@host/name"
        ) from None
    if url.drivername in {"postgresql", "postgres"}:
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise HouseClosed(
            f"the house stores its tables in SQLite or PostgreSQL, not in {url.get_backend_name()}"
        )
    if url.drivername not in {"sqlite", "sqlite+pysqlite", "postgresql+psycopg"}:
        raise HouseClosed(
            f"the house does not use the driver {url.drivername.partition('+')[2]!r}; write the database address "
            f"without it, as {url.get_backend_name()}://…"
        )
    return url


def open_engine(
    database: str, *, autocommit: bool = False, most: int = 20, patience: float | None = None
) -> Engine:
    """Open an engine for an SQLAlchemy address. `most` is the greatest number of its connections.

    For SQLite, make the folder and the file if they do not exist.

    `autocommit` is for connections that only read: each statement sees the newest commits, and no transaction
    is opened. `patience` is a timeout in seconds: on PostgreSQL for all answers, on SQLite only for locks. If
    `patience` is None, PostgreSQL has no timeout, and SQLite waits 30 s for a lock. Migrations may take long, so
    use None for them. Raise HouseClosed if the address can't be used or the folder can't be made.
    """
    url = read_address(database)
    connect = partial(create_engine, url, pool_size=min(5, most), max_overflow=most - min(5, most))
    if autocommit:
        connect = partial(connect, isolation_level="AUTOCOMMIT")
    if url.get_backend_name() == "postgresql":
        return _connect_postgresql(connect, patience)
    if url.database in {None, "", ":memory:"}:
        raise HouseClosed("the server needs a database file, such as sqlite:///house.sqlite3")
    file = Path(str(url.database))
    try:
        make_folder(file.parent)
    except OSError as error:
        raise HouseClosed(
            f"there is no folder for {file}: {(error.strerror or str(error)).lower()}"
        ) from None
    if file.is_dir():
        raise HouseClosed(f"{file} is a folder; the database is a file, such as {file / 'house.sqlite3'}")
    keep_database_private(file)
    engine = connect(connect_args={"check_same_thread": False, "timeout": patience or 30})
    event.listen(engine, "connect", _prepare_sqlite)
    if not autocommit:
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _connect_postgresql(connect: Callable[..., Engine], patience: float | None) -> Engine:
    if patience is None:
        return connect(pool_pre_ping=True)
    from spelunke.house.store.patient import be_patient

    # The server's own timeout comes first, and the rest of the time is for one new connection. A worker that
    # stopped in mid-transaction must not hold its locks longer than the others wait.
    ms = int(patience * 500)
    limits = {
        "statement_timeout": ms,
        "lock_timeout": ms // 2,
        "idle_in_transaction_session_timeout": ms // 2,
    }
    given = {
        "connect_timeout": max(2, int(patience * 0.4)),
        "options": " ".join(f"-c {name}={value}" for name, value in limits.items()),
    }
    engine = connect(pool_pre_ping=True, pool_timeout=patience, connect_args=given)
    be_patient(engine, patience * 0.6)
    return engine


def lock_alone(engine: Engine) -> IO[str]:
    """Lock an SQLite file for this process, and return the open lock file.

    The lock ends when the lock file is closed or when the process ends. Raise HouseClosed if the database
    is locked already, or if the lock file can't be opened. On systems without `fcntl`, lock nothing.
    """
    lock = Path(f"{engine.url.database}.lock")
    keep_private(lock)
    try:
        held = lock.open("a", encoding="ascii")
    except OSError as error:
        raise _closed(engine, error) from None
    try:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # This system has no such locks, so the operator must take care.
        pass
    except OSError:
        held.close()
        raise HouseClosed(
            f"another house has {engine.url.database} open; several workers need PostgreSQL, or another file"
        ) from None
    return held


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-16000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # Every transaction writes, so take the lock at its beginning, not in the middle.
    run_sqlite(connection, "BEGIN IMMEDIATE")


def migrate(engine: Engine) -> None:
    """Migrate the database to the newest tables. Several workers may call this at once.

    Raise HouseClosed if the database can't be reached, or if it has a migration that this version does not know.
    """
    # Import Alembic here: it takes 11 MB, and few starts have anything to migrate.
    from alembic import command
    from alembic.util import CommandError

    try:
        with engine.connect() as connection, connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
            command.upgrade(_config(connection), "head")
    except CommandError as error:  # the database has a migration that this version does not know
        raise HouseClosed(f"the database was made by another version of Spelunke: {error}") from None
    except SQLAlchemyError as error:
        raise _closed(engine, error) from None


def _closed(engine: Engine, error: SQLAlchemyError | OSError) -> HouseClosed:
    """Return an error for the operator, with the database's address and the first line of the reason.

    The address is shown without the password.
    """
    reason = str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).strip()
    line = reason.splitlines()[0] if reason else type(error).__name__
    place = engine.url.render_as_string(hide_password=True)
    return HouseClosed(f"the database {place} can't be reached: {line[:1].lower()}{line[1:]}")


def migrate_database(database: str) -> str:
    """Migrate the database at an address, and return the name of its newest migration.

    Raise the errors of `open_engine` and `migrate`.
    """
    engine = open_engine(database)
    try:
        migrate(engine)
        return str(read_migration(engine))
    finally:
        engine.dispose()


def is_empty(engine: Engine) -> bool:
    """Return whether the database has no tables yet. Raise HouseClosed if it can't be reached."""
    try:
        return not inspect(engine).get_table_names()
    except SQLAlchemyError as error:
        raise _closed(engine, error) from None


def read_migration(engine: Engine) -> str | None:
    """Return the name of the newest migration that the database has, or None before the first one.

    Raise HouseClosed if the database can't be reached.
    """
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            found = connection.exec_driver_sql("select version_num from alembic_version").scalar()
            return None if found is None else str(found)
    except SQLAlchemyError as error:
        raise _closed(engine, error) from None


def check(engine: Engine) -> str | None:
    """Return a sentence that says why this version of the program can't use the database.

    If the program can use it, return None.
    """
    try:
        found = read_migration(engine)
    except HouseClosed as error:
        return str(error)
    if found is None:
        return "the database has no tables of a house yet"
    return None if found == NEWEST else f"the database is at migration {found}, this version needs {NEWEST}"


def _config(connection: Connection | None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
