"""Save a house to a file while the house runs, and restore it from such a file."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from sqlalchemy import URL, func, select
from sqlalchemy.exc import SQLAlchemyError

from spelunke.core.errors import BadInput
from spelunke.house.backup import postgresql
from spelunke.house.backup.archive import (
    DATABASE,
    KEYS,
    Manifest,
    digest,
    read_archive,
    working_folder,
    write_archive,
)
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import (
    is_empty,
    keep_private,
    lock_alone,
    make_folder,
    open_engine,
    read_address,
    tables,
)


@dataclass(frozen=True)
class Saved:
    """The result of a backup: its manifest, and the size of its file in bytes."""

    manifest: Manifest
    size: int


@dataclass(frozen=True)
class Restored:
    """The result of a restoration: the manifest of the backup, and the files that keep the replaced data."""

    manifest: Manifest
    kept: tuple[Path, ...]


def back_up(database: str, to: Path) -> Saved:
    """Save a house to a new file that only its owner can read. The house may be running.

    Raise BadInput if the file exists or can't be written. Raise HouseClosed if there is no house at the
    address `database`, or if its database can't be copied.
    """
    if to.exists():
        raise BadInput(f"{to} exists already; choose another name")
    url = read_address(database)
    if url.get_backend_name() == "sqlite" and not _file(url).is_file():
        raise HouseClosed(f"there is no house in {_file(url)}")
    with working_folder(to.absolute()) as folder:
        copy = folder / DATABASE
        if url.get_backend_name() == "sqlite":
            _copy_sqlite(_file(url), copy)
            keys = _copy_keys(_file(url), folder)
            migration, count = _describe(f"sqlite:///{copy}")
        else:
            migration, count = _describe(database)
            postgresql.dump(url, copy)
            keys = ()
        manifest = Manifest(
            spelunke=version("spelunke"),
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            store="sqlite" if url.get_backend_name() == "sqlite" else "postgresql",
            migration=migration,
            tables=count,
            keys=keys,
            files={name: digest(folder / name) for name in (DATABASE, *keys)},
        )
        write_archive(to, folder, manifest)
    return Saved(manifest, to.stat().st_size)


def restore(source: Path, database: str, *, replace: bool = False) -> Restored:
    """Restore the backup `source` to a database address at which no house is running.

    If a house is stored there already, `replace` must be true. The files of an old SQLite database are kept, with the
    suffix `.replaced`, or `.replaced-2` and so on if such files exist. The contents of an old PostgreSQL database are
    overwritten. The whole backup is read and checked before anything changes. Raise BadInput if the backup can't be
    restored, or HouseClosed if the database can't be used.
    """
    url = read_address(database)
    beside = _file(url) if url.get_backend_name() == "sqlite" else Path.cwd() / "restored"
    make_folder(beside.parent)
    kept: tuple[Path, ...] = ()
    with working_folder(beside.absolute()) as folder:
        manifest = read_archive(source, folder)
        if manifest.store != url.get_backend_name():
            kinds = _name(manifest.store), _name(url.get_backend_name())
            raise BadInput(f"{source} was saved from {kinds[0]}; it can't be restored to {kinds[1]}")
        if manifest.store == "sqlite":
            _check_sqlite(folder / DATABASE, source)
            kept = _place_sqlite(_file(url), folder, manifest, replace=replace)
        else:
            _place_postgresql(database, url, folder / DATABASE, replace=replace)
    return Restored(manifest, kept)


def _file(url: URL) -> Path:
    if url.database in {None, "", ":memory:"}:
        raise HouseClosed("the server needs a database file, such as sqlite:///house.sqlite3")
    return Path(str(url.database))


def _name(store: str) -> str:
    return "SQLite" if store == "sqlite" else "PostgreSQL"


def _copy_sqlite(source: Path, to: Path) -> None:
    """Copy the database file `source` to `to`, in a consistent state. The house may write during the copy.

    Raise HouseClosed if the database can't be copied.
    """
    try:
        to.touch(mode=0o600)
        there, here = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True), sqlite3.connect(to)
        try:
            there.backup(here)
        finally:
            there.close()
            here.close()
    except sqlite3.Error as error:
        raise HouseClosed(f"{source} can't be saved: {error}") from None


def _copy_keys(source: Path, folder: Path) -> tuple[str, ...]:
    found = []
    for key in KEYS:
        file = source.with_name(f"{source.name}.{key}")
        if file.is_file():
            keep_private(folder / key)
            (folder / key).write_bytes(file.read_bytes())
            found.append(key)
    return tuple(found)


def _describe(database: str) -> tuple[str, int]:
    """Return the newest migration of a database, and the number of stored game tables.

    Raise HouseClosed if there is no house at the address.
    """
    engine = open_engine(database)
    try:
        with engine.connect() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
            count = connection.execute(select(func.count()).select_from(tables)).scalar() if found else 0
    except SQLAlchemyError as error:
        raise HouseClosed(f"there is no house at {engine.url}: {type(error).__name__}") from None
    finally:
        engine.dispose()
    if found is None:
        raise HouseClosed(f"there is no house at {engine.url.render_as_string(hide_password=True)}")
    return str(found), int(count or 0)


def _check_sqlite(file: Path, source: Path) -> None:
    try:
        with sqlite3.connect(file) as line:
            (said,) = line.execute("pragma integrity_check").fetchone()
        line.close()
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        raise BadInput(f"the database in {source} is damaged: {said}")


def _place_sqlite(file: Path, folder: Path, manifest: Manifest, *, replace: bool) -> tuple[Path, ...]:
    """Move the files of a backup to their places, and rename the files that are there. Return the new names."""
    names = ["", *(f".{key}" for key in KEYS)]
    there = [old for name in names if (old := file.with_name(file.name + name)).exists()]
    if there and not replace:
        raise BadInput(f"{there[0]} exists already; --replace renames it and restores the backup")
    engine = open_engine(f"sqlite:///{file}")
    try:
        with lock_alone(engine):  # no house may use the file during the replacement
            suffix = _free_suffix([file.with_name(file.name + name) for name in names])
            kept = tuple(old.with_name(old.name + suffix) for old in there)
            for old, new in zip(there, kept, strict=True):
                if old == file:
                    _close_log(file)
                old.replace(new)
            for name in ("-wal", "-shm"):
                file.with_name(file.name + name).unlink(missing_ok=True)
            # Place the keys first: without them, a house would make new ones at its next start.
            for key in manifest.keys:
                (folder / key).replace(file.with_name(f"{file.name}.{key}"))
            (folder / DATABASE).replace(file)
            handle = os.open(file.parent, os.O_RDONLY)
            os.fsync(handle)
            os.close(handle)
    finally:
        engine.dispose()
    return kept


def _free_suffix(files: list[Path]) -> str:
    """Return the first of `.replaced`, `.replaced-2` and so on that gives each of these files an unused name."""
    suffix, number = ".replaced", 1
    while any(file.with_name(file.name + suffix).exists() for file in files):
        number += 1
        suffix = f".replaced-{number}"
    return suffix


def _close_log(file: Path) -> None:
    """Move the contents of the old database's write-ahead log into the database file."""
    try:
        line = sqlite3.connect(file)
        line.execute("pragma wal_checkpoint(truncate)")
        line.close()
    except sqlite3.Error:  # The file is no database any more, which may be the reason for restoring a backup.
        pass


def _place_postgresql(database: str, url: URL, dump: Path, *, replace: bool) -> None:
    engine = open_engine(database)
    try:
        empty = is_empty(engine)
    finally:
        engine.dispose()
    if not (empty or replace):
        place = url.render_as_string(hide_password=True)
        raise BadInput(f"there is a house at {place} already; --replace overwrites it with the backup")
    postgresql.load(url, dump)
