"""Files of the house are for its owner's eyes: in the database lie the seeds of running games and what was sealed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

FILE, FOLDER = 0o600, 0o700


def keep_private(file: Path) -> None:
    """Let nobody but the owner read or write the file from now on; makes an empty one if there is none.

    One that belongs to somebody else, or can't be made, is left to whoever opens it.
    """
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    except FileExistsError:
        _tighten(file, FILE)
    except OSError:
        pass


def keep_database_private(file: Path) -> None:
    """The same for an SQLite file; what SQLite makes beside it gets the rights of the file, unless it is there."""
    keep_private(file)
    for beside in ("-wal", "-shm", ".lock"):
        _tighten(file.with_name(file.name + beside), FILE)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can look into; one that is there stays as it is. Raises OSError."""
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def keep_folder_private(folder: Path) -> None:
    """Make the folder if there is none, and let nobody but the owner look into it. Raises OSError."""
    make_folder(folder)
    _tighten(folder, FOLDER)


REPLACED = "the file of the database was removed or replaced while the house ran: put it back, or start the house anew"


class Replaced(Exception):  # never leaves the store
    """What was written went into a file that nobody finds any more."""


class OpenFile:
    """An SQLite file that is open, and its log: whether they are still those that have their names.

    A file that was removed takes writes as before, and they are gone with the process.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._log = file.with_name(f"{file.name}-wal")
        self._is = _identify(file)
        self._log_is: tuple[int, int] | None = None
        # A log that is gone took commits with it: no new one makes up for them.
        self._log_lost = False

    @property
    def problem(self) -> str | None:
        """What is wrong, for the host; None while all is well."""
        return None if _identify(self._file) == self._is and not self._log_lost else REPLACED

    def check(self, *, first: bool) -> None:
        """Look after a commit whether it went where it is found again; `first`: by a new line. Raises Replaced."""
        log = _identify(self._log)
        if first:
            self._log_is = log
        if self.problem is None and (log is None or log != self._log_is):
            self._log_lost = True
        if self.problem is not None:
            raise Replaced(REPLACED)


def _identify(file: Path) -> tuple[int, int] | None:
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


def _tighten(path: Path, mode: int) -> None:
    if os.name != "posix":
        return
    try:
        about = path.stat()
        if about.st_uid == os.geteuid() and stat.S_IMODE(about.st_mode) & ~mode:
            path.chmod(stat.S_IMODE(about.st_mode) & mode)
    except OSError:
        pass
