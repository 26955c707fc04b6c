"""The command ``spelunke migrate``."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput


def migrate(
    database: Annotated[
        str | None,
        typer.Option(
            help="The address of the database, such as sqlite:////srv/house.sqlite3. By default, SPELUNKE_DATABASE."
        ),
    ] = None,
) -> None:
    """Migrate the database of a server to this version. Run this before you start the workers.

    A server with a SQLite file migrates it automatically. If several processes migrate at once, one of them works and
    the others wait.
    """
    from spelunke.house.store.engine import migrate_database

    address = database or os.environ.get("SPELUNKE_DATABASE", "")
    if not address:
        raise BadInput("no database is given; use --database, or set SPELUNKE_DATABASE")
    print(_("The database is at migration {name}.").format(name=migrate_database(address)))
