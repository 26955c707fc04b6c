"""Save and load a PostgreSQL database with PostgreSQL's own programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import URL, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from spelunke.core.errors import BadInput
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import open_engine


def dump(url: URL, to: Path) -> None:
    """Write a consistent snapshot of the database to a file, with `pg_dump`.

    Raise HouseClosed if `pg_dump` is not installed or fails.
    """
    _run("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", "--file", str(to))


def load(url: URL, source: Path) -> None:
    """Replace the contents of the database by the dump `source`, in one transaction.

    Database tables that the dump lacks are dropped too: a later version of the program may have made them, and will
    make them again when it migrates the database.

    Raise BadInput if another program is connected to the database. Raise HouseClosed if the database can't be
    reached, or if `pg_restore` or `psql` is not installed or fails.
    """
    engine = open_engine(url.render_as_string(hide_password=False))
    try:
        with engine.connect() as connection:
            others = connection.execute(
                text(
                    "select count(*) from pg_stat_activity "
                    "where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"
                )
            ).scalar()
            quote = connection.dialect.identifier_preparer.quote
            there = ", ".join(map(quote, inspect(connection).get_table_names()))
    except SQLAlchemyError as error:
        raise HouseClosed(f"the database can't be reached: {type(error).__name__}") from None
    finally:
        engine.dispose()
    if others:
        raise BadInput("other programs are connected to that database; stop the server's workers first")
    script = source.with_suffix(".sql")
    forms = ("--clean", "--if-exists", "--no-owner", "--no-privileges")
    _run("pg_restore", None, *forms, "--file", str(script), str(source))
    begin = "set client_min_messages = warning;" + (f" drop table {there} cascade;" if there else "")
    at_once = ("--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1")
    _run("psql", url, *at_once, "--command", begin, "--file", str(script))


def _run(name: str, url: URL | None, *options: str) -> None:
    environment = dict(os.environ)
    if url is not None:
        address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
        options = (f"--dbname={address}", "--no-password", *options)
        # Pass the password through the environment: everybody on the machine can read command lines.
        environment |= {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(  # the database's own program, without a shell
        [_find(name), *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it gave no reason"])[0]
        raise HouseClosed(f"{name} failed: {said}")


def _find(name: str) -> str:
    """Return the path of a PostgreSQL program in its newest installed version.

    An old `pg_dump` refuses a newer server, and Debian keeps several versions in separate folders. Raise
    HouseClosed if the program is not installed.
    """
    versions = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    newest = max(
        versions, key=lambda path: int(path.parts[4]) if path.parts[4].isdigit() else 0, default=None
    )
    found = str(newest) if newest is not None else shutil.which(name)
    if found is None:
        raise HouseClosed(f"{name} is not installed here; on Debian it comes with postgresql-client")
    return found
