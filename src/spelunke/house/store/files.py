"""Private files: only the owner may read them.

The database has the seeds of running games and the secret choices of players, so its files must be private.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

FILE, FOLDER = 0o600, 0o700


def keep_private(file: Path) -> None:
    """Remove all permissions of other users on a file. If there is no such file, make an empty one.

    If the file belongs to another user or can't be made, raise nothing: the code that opens the file will
    report the error.
    """
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    except FileExistsError:
        _tighten(file, FILE)
    except OSError:
        pass


def keep_database_private(file: Path) -> None:
    """Make an SQLite database file private, and also the existing files beside it, such as the write-ahead log.

    If the database file does not exist, make an empty one. When SQLite makes more files later, they get the
    permissions of the database file.
    """
    keep_private(file)
    for beside in ("-wal", "-shm", ".lock"):
        _tighten(file.with_name(file.name + beside), FILE)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can open. If the folder exists, do not change its permissions.

    Also make missing parent folders, with the usual permissions. Raise OSError if a folder can't be made.
    """
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def keep_folder_private(folder: Path) -> None:
    """Make a folder if it does not exist, and remove all permissions of other users on it.

    Raise OSError if the folder can't be made.
    """
    make_folder(folder)
    _tighten(folder, FOLDER)


REPLACED = (
    "the database file was removed or replaced while the server was running: put it "
    "back, or restart the server"
)


class Replaced(Exception):  # not a SpelunkeError: only the store catches it
    """The commit went into a file that had been removed or replaced on disk."""


class OpenFile:
    """An open SQLite file with its write-ahead log, and a check that nobody has removed or replaced the two
    files.

    A removed file still accepts writes, but they are lost when the process ends.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._log = file.with_name(f"{file.name}-wal")
        self._is = _identify(file)
        self._log_is: tuple[int, int] | None = None
        # whether the write-ahead log was removed or replaced; its commits are lost, even if a new log is made
        self._log_lost = False

    @property
    def problem(self) -> str | None:
        """The reason why commits may be lost, as a sentence for the host, or None."""
        return None if _identify(self._file) == self._is and not self._log_lost else REPLACED

    def check(self, *, first: bool) -> None:
        """Raise Replaced if the last commit did not go into these files.

        Set `first` if that commit was the first on a new connection.
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
