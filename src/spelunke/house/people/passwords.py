"""Passwords: which are good enough, what is kept of them, and whether one is right.

Kept is argon2id with the settings that OWASP names for a server with little memory. One takes tens of milliseconds of a
core, so two at a time are worked on, a few wait, and others are told to come back: games go on, however many try.
"""

from __future__ import annotations

import contextlib
import threading
import unicodedata
from collections.abc import Iterator

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from spelunke.house.refusals import TooFast, WeakPassword

LEAST = 12
MOST = 128
GOOD = 3
"""zxcvbn's grade, 0 to 4, from which on a password holds against somebody who has stolen the database."""
JUDGED = 72
"""So many characters are judged: its time grows with the square, and what they are worth is enough."""
AT_ONCE = 2
WAITING = 8
"""So many threads of the house may be busy with passwords, or wait for that."""

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_turns = threading.BoundedSemaphore(AT_ONCE)
_room = threading.BoundedSemaphore(WAITING)
# Of no password: whoever is not known costs as much time as whoever is.
_NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$3M/ATCC6sWOO3JFM1J503Q$lsBkePa1pTzUkpDThf3bZgMwCx90s7mS2vpv0Thq19c"


@contextlib.contextmanager
def _turn() -> Iterator[None]:
    """Wait for one's turn; raises TooFast where too many do."""
    if not _room.acquire(blocking=False):
        raise TooFast("many people are coming in just now: try again in a minute")
    try:
        with _turns:
            yield
    finally:
        _room.release()


def _plain(password: str) -> bytes:
    # The same letters typed on two keyboards are the same password. Halves of characters are some, too.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def check_password(password: str, *own: str) -> None:
    """Whether a password is good enough; `own` are words that are near to its owner. Raises WeakPassword."""
    if not LEAST <= len(password) <= MOST:
        raise WeakPassword(
            f"a password has {LEAST} to {MOST} characters, this one {len(password)}: four words that have "
            "nothing to do with each other are a good one",
            "password",
        )
    if grade(password, *own) < GOOD:
        raise WeakPassword(
            "that one is soon guessed: take four words that have nothing to do with each other, or let your "
            "password manager make one",
            "password",
        )


def grade(password: str, *own: str) -> int:
    """How hard a password is to guess, from 0 to 4; `own` are words that are near to its owner."""
    from zxcvbn import zxcvbn  # reads its lists for a third of a second

    with _turn():
        found = zxcvbn(unicodedata.normalize("NFKC", password)[:JUDGED], user_inputs=[*own, "spelunke"])
    return int(found["score"])


def hash_password(password: str) -> str:
    """What is stored of a password."""
    with _turn():
        return _HASHER.hash(_plain(password))


def is_right(stored: str | None, password: str) -> bool:
    """Whether that is the password; as slow where there is none."""
    with _turn():
        try:
            _HASHER.verify(stored or _NOBODY, _plain(password[: MOST + 1]))
        except (VerificationError, InvalidHashError):
            return False
    return stored is not None


def is_outdated(stored: str) -> bool:
    """Whether it was made with settings that are ours no longer."""
    return _HASHER.check_needs_rehash(stored)
