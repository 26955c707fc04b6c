"""The file of a backup: a compressed tar with the database, the keys, and a manifest that has their hashes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal

import msgspec

from spelunke.core.errors import BadInput
from spelunke.house.store import FILE

MANIFEST = "manifest.json"
DATABASE = "database"
KEYS = ("secret", "key", "push")
"""The suffixes of the key files beside an SQLite database.

`secret` signs cookies, `key` signs hash chains and records, and `push` signs push messages.
"""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a backup.

    `made` is the time of the backup. `migration` is the newest migration of the database, and `tables` the
    number of stored game tables, including those whose game is over. `keys` are the key files in the
    backup (see `KEYS`). `files` maps the name of each file to its SHA-256.
    """

    format: Literal["spelunke backup 1"] = "spelunke backup 1"
    spelunke: str
    made: str
    store: Literal["sqlite", "postgresql"]
    migration: str
    tables: int
    keys: tuple[str, ...]
    files: dict[str, str]


@contextlib.contextmanager
def working_folder(beside: Path) -> Iterator[Path]:
    """Yield a private folder on the same disk as `beside`, and delete the folder at the end.

    Raise BadInput if the folder can't be made, or if the `with` block raises an OSError.
    """
    try:
        folder = tempfile.mkdtemp(prefix=".spelunke-", dir=beside.parent)
    except OSError as error:
        raise BadInput(f"{beside} can't be written: {_why(error)}") from None
    try:
        yield Path(folder)
    except OSError as error:
        raise BadInput(f"{beside}: {_why(error)}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def write_archive(to: Path, folder: Path, manifest: Manifest) -> None:
    """Write the archive `to`. It contains the manifest, and the files of `folder` that the manifest lists.

    The archive is first written under a temporary name. It is renamed when it is complete and on disk.
    """
    part = to.with_name(f".{to.name}.{secrets.token_hex(4)}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
    try:
        with os.fdopen(handle, "wb") as out:
            with tarfile.open(fileobj=out, mode="w:gz", compresslevel=6) as archive:
                (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
                for name in (MANIFEST, *manifest.files):
                    archive.add(folder / name, name, recursive=False, filter=_anonymous)
            out.flush()
            os.fsync(out.fileno())
        part.replace(to)
    finally:
        part.unlink(missing_ok=True)


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = FILE
    return member


def read_archive(source: Path, folder: Path) -> Manifest:
    """Unpack the backup `source` into a folder, check the hash of each file, and return the manifest.

    Raise BadInput if the backup can't be read, if it is incomplete or damaged, or if its manifest lists a file that
    doesn't belong to a backup.
    """
    try:
        with tarfile.open(source, mode="r:gz") as archive:
            manifest = msgspec.json.decode(_member(archive, MANIFEST).read(1 << 20), type=Manifest)
            for name in manifest.files:
                if name not in {DATABASE, *KEYS}:
                    raise BadInput(f"{source} contains a file that doesn't belong to a backup: {name!r}")
                _unpack(_member(archive, name), folder / name)
    except (
        tarfile.TarError,
        zlib.error,
        EOFError,
        KeyError,
        msgspec.MsgspecError,
        UnicodeDecodeError,
    ) as error:
        raise BadInput(f"{source} is no complete backup of a house: {error}") from None
    except OSError as error:
        raise BadInput(f"{source} can't be read as a backup: {_why(error)}") from None
    for name, wanted in manifest.files.items():
        if digest(folder / name) != wanted:
            raise BadInput(f"{source} is damaged: its {name} has changed since it was saved")
    if DATABASE not in manifest.files or set(manifest.keys) != set(manifest.files) - {DATABASE}:
        raise BadInput(f"{source} is no complete backup of a house: its list of files is incomplete")
    return manifest


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    member = archive.getmember(name)
    found = archive.extractfile(member) if member.isfile() else None
    if found is None:
        raise KeyError(name)
    return found


def _unpack(source: IO[bytes], to: Path) -> None:
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE), "wb") as out:
        shutil.copyfileobj(source, out)


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
