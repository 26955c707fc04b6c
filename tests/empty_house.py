"""A house's tables, made once a process: to migrate an empty database takes most of what opening a house costs."""

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
    """The address of an SQLite house at this place; where none is yet, one with all tables and nothing in them."""
    if not file.exists():
        shutil.copy(_made(), file)
    return f"sqlite:///{file}"
