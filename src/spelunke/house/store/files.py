"""Private files.

The database holds the seeds of running games and sealed choices, so only its owner may read it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

FILE, FOLDER = 0o600, 0o700


def keep_private(file: Path) -> None:
    """Remove all other users' access to a file. Make an empty file if there is none.

    If the file belongs to another user or can't be made, raise nothing. The code that opens the file reports
    the error.
    """
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    except FileExistsError:
        _tighten(file, FILE)
    except OSError:
        pass


def keep_database_private(file: Path) -> None:
    """Make an SQLite file and the files beside it private.

    SQLite gives new files beside it the same rights.
    """
    keep_private(file)
    for beside in ("-wal", "-shm", ".lock"):
        _tighten(file.with_name(file.name + beside), FILE)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can open. If the folder exists, do not change it. Raise OSError."""
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def keep_folder_private(folder: Path) -> None:
    """Make a folder if there is none, and remove all other users' access. Raise OSError."""
    make_folder(folder)
    _tighten(folder, FOLDER)


REPLACED = (
    "the file of the database was removed or replaced while the house ran: put it back, or restart the house"
)


class Replaced(Exception):  # is handled within the store
    """The commit went into a file that was removed or replaced on disk."""


class OpenFile:
    """An open SQLite file and its write-ahead log. It can check that neither was removed or replaced.

    A removed file still accepts writes, but they are lost when the process ends.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._log = file.with_name(f"{file.name}-wal")
        self._is = _identify(file)
        self._log_is: tuple[int, int] | None = None
        # A lost log took commits with it. A new log does not restore them.
        self._log_lost = False

    @property
    def problem(self) -> str | None:
        """The reason why commits may be lost, for the host, or None."""
        return None if _identify(self._file) == self._is and not self._log_lost else REPLACED

    def check(self, *, first: bool) -> None:
        """Raise Replaced if the last commit did not go into these files.

        `first`: it was the first commit on a new connection.
        """
        log = _identify(self._log)
        if first:
            self._log_is = log
        if log is None or log != self._log_is:
            self._log_lost |= _identify(self._file) == self._is
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
