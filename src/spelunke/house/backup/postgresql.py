"""PostgreSQL's own programs for saving and loading a database."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError

from spelunke.core.errors import BadInput
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import open_engine


def dump(url: URL, to: Path) -> None:
    """One moment of the database as `pg_dump` writes it."""
    _run("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", "--file", str(to))


def load(url: URL, source: Path) -> None:
    """Put a dump in the place of what is there, as a whole or not at all; nobody else may be connected."""
    engine = open_engine(url.render_as_string(hide_password=False))
    try:
        with engine.connect() as connection:
            others = connection.execute(
                text(
                    "select count(*) from pg_stat_activity "
                    "where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"
                )
            ).scalar()
    except SQLAlchemyError as error:
        raise HouseClosed(f"the database can't be reached: {type(error).__name__}") from None
    finally:
        engine.dispose()
    if others:
        raise BadInput("other programs are connected to that database; stop the house's workers first")
    options = (
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
    )
    _run("pg_restore", url, *options, str(source))


def _run(name: str, url: URL, *options: str) -> None:
    # The password goes through the environment: a command line can be read by everybody on the machine.
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    done = subprocess.run(  # the database's own program, and no shell
        [_find(name), f"--dbname={address}", "--no-password", *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it told no reason"])[0]
        raise HouseClosed(f"{name} could not do it: {said}")


def _find(name: str) -> str:
    """The newest of a program: an older one refuses a newer server. Debian keeps them by version."""
    versions = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    newest = max(
        versions, key=lambda path: int(path.parts[4]) if path.parts[4].isdigit() else 0, default=None
    )
    found = str(newest) if newest is not None else shutil.which(name)
    if found is None:
        raise HouseClosed(f"{name} is not installed here; on Debian it comes with postgresql-client")
    return found
