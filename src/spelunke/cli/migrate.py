"""The command ``spelunke migrate``."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput


def migrate(
    database: Annotated[
        str | None, typer.Option(help="SQLAlchemy address; without it, SPELUNKE_DATABASE.")
    ] = None,
) -> None:
    """Migrate a house's database to this version, before its workers start.

    A house on a SQLite file does this automatically. If several processes try at once, one does it and the others wait.
    """
    from spelunke.house.store.engine import migrate_database

    address = database or os.environ.get("SPELUNKE_DATABASE", "")
    if not address:
        raise BadInput(
            "the database is missing; name it with --database, or SPELUNKE_DATABASE in the environment"
        )
    print(_("The database is at migration {name}.").format(name=migrate_database(address)))
