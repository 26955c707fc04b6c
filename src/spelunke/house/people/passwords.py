"""Passwords: their strength, storage and verification.

Passwords are stored as argon2id hashes, with the settings that OWASP recommends for a server with little
memory. One hash takes tens of milliseconds of a core. So at most two hashes are computed at a time, a few
requests wait, and further requests are refused. Games continue even if many people try passwords.
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
"""The least zxcvbn score (0 to 4) of an accepted password.

According to zxcvbn, a password with this score is moderately safe even if somebody steals its slow hash.
"""
JUDGED = 72
"""The most characters of a password that `grade` reads.

The time for grading grows with the square of this number. Further characters of a password don't improve its
grade.
"""
AT_ONCE = 2
WAITING = 8
"""The most threads that may compute a hash or a grade, or wait to compute one."""

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_turns = threading.BoundedSemaphore(AT_ONCE)
_room = threading.BoundedSemaphore(WAITING)
# A hash that no password matches. It is checked for unknown names, so that they take as much time as known ones.
_NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$3M/ATCC6sWOO3JFM1J503Q$lsBkePa1pTzUkpDThf3bZgMwCx90s7mS2vpv0Thq19c"


@contextlib.contextmanager
def _turn() -> Iterator[None]:
    """Wait until this thread may hash a password or compute its strength. Raise TooFast if too many threads wait."""
    if not _room.acquire(blocking=False):
        raise TooFast("many people are logging in just now: try again in a minute")
    try:
        with _turns:
            yield
    finally:
        _room.release()


def _plain(password: str) -> bytes:
    # The same letters typed on two keyboards are the same password. Lone surrogates are allowed.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def check_password(password: str, *own: str) -> None:
    """Raise WeakPassword if a password is too short, too long, or easy to guess.

    `own` are words related to the password's owner, such as the name. Raise TooFast if too many threads wait.
    """
    if not LEAST <= len(password) <= MOST:
        raise WeakPassword(
            f"a password has {LEAST} to {MOST} characters, and this one has {len(password)}; four unrelated "
            "words make a good password",
            "password",
        )
    if grade(password, *own) < GOOD:
        raise WeakPassword(
            "this password is easy to guess: use four unrelated words, or let your password manager make one",
            "password",
        )


def grade(password: str, *own: str) -> int:
    """Return the strength of a password, from 0 (weak) to 4. `own` are words related to the password's owner.

    Raise TooFast if too many threads wait.
    """
    from zxcvbn import zxcvbn  # the import takes a third of a second, because it loads word lists

    with _turn():
        found = zxcvbn(unicodedata.normalize("NFKC", password)[:JUDGED], user_inputs=[*own, "spelunke"])
    return int(found["score"])


def hash_password(password: str) -> str:
    """Return the hash of a password, in the form in which it is stored. Raise TooFast if too many threads wait."""
    with _turn():
        return _HASHER.hash(_plain(password))


def is_right(stored: str | None, password: str) -> bool:
    """Return whether a password matches the stored hash.

    If `stored` is None, return False, after the same time as for a wrong password. Raise TooFast if too many
    threads wait.
    """
    with _turn():
        try:
            _HASHER.verify(stored or _NOBODY, _plain(password[: MOST + 1]))
        except (VerificationError, InvalidHashError):
            return False
    return stored is not None


def is_outdated(stored: str) -> bool:
    """Return whether a hash was made with other settings than those that are used now."""
    return _HASHER.check_needs_rehash(stored)
