"""The tables of an empty house's database, made once per process.

Migrating the database is the slowest part of opening a house.
"""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path


@functools.cache
def _made() -> Path:
    from spelunke.house.store.engine import migrate_database

    folder = Path(tempfile.mkdtemp(prefix="spelunke-tables-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate_database(f"sqlite:///{folder / 'house.sqlite3'}")
    return folder / "house.sqlite3"


def lay_tables(file: Path) -> str:
    """Return the address of the SQLite database at this path.

    If there is no file, first make a house's database, in which all database tables are empty.
    """
    if not file.exists():
        shutil.copy(_made(), file)
    return f"sqlite:///{file}"
