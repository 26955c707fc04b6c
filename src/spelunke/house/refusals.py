"""The errors with which the house refuses a request.

The number in parentheses is the HTTP status that the web layer sends. An error without a number has the status of
its parent in the tree.

SpelunkeError
├── BadInput (400)
│   ├── BadPlan          a setting with a value that is not possible, such as a clock of 0 minutes
│   ├── BadNonce         a malformed nonce
│   ├── BadMessage       a message that is not accepted, for example an empty or too long one
│   └── WeakPassword     a password that is easy to guess
├── Refused (409)
│   ├── NotNow           the action is not possible now (not started, over, no offer, ...)
│   │   └── WatchLater   only a table's players may see its game until the round or the game of the day is over
│   ├── SiteClosed       a host has closed the site for a while
│   ├── NotYet           the result is still being computed
│   ├── SeatTaken        somebody else sits there
│   ├── AnotherPast      the hash sent with an action is not the one that the server stored
│   ├── NameTaken        a member has that name
│   └── TooFast          too many requests in a short time, or too many that wait (429)
├── NotSeated            the person has no seat at the table (403)
├── NotAllowed           this person may not do that (403)
│   └── NotProven        the person must confirm their identity first
├── WrongProof           a wrong password, code or key (403)
├── SpentCode            a link or code that was used, expired or never existed (410)
├── UnknownTable         no such table (404)
├── UnknownDay           no game of that day (404)
├── UnknownEvent         no such tournament (404)
├── UnknownPerson        no such person (401)
├── UnknownProfile       no person has a page with this address, or the reader may not see it (404)
├── ShutOut              the person is banned (403)
├── DamagedLog           the stored log of a table is damaged or was changed (503)
└── HouseClosed          the house can't work now: it is shutting down, its store fails or is busy, ... (503)
"""

from __future__ import annotations

from spelunke.core.errors import BadInput, Refused, SpelunkeError


class BadPlan(BadInput):
    """A setting with a value that is not possible, such as a clock of 0 minutes."""


class BadNonce(BadInput):
    """A malformed nonce: it must have 1 to 64 printable characters without spaces."""


class BadMessage(BadInput):
    """A message that is not accepted, for example an empty or too long one."""


class WeakPassword(BadInput):
    """A password that is easy to guess."""


class NameTaken(Refused):
    """A member has that name, or one that looks the same."""


class NotAllowed(SpelunkeError):
    """This person may not do this action."""


class NotProven(NotAllowed):
    """The person must first confirm their identity on this device, because the last confirmation was too long
    ago.
    """


class WrongProof(SpelunkeError):
    """A wrong password, code or key."""


class SpentCode(SpelunkeError):
    """A link or code that was used, expired or never existed."""


class NotNow(Refused):
    """The action is not possible in the present state of the table or the site."""


class WatchLater(NotNow):
    """Only a table's own players may see its game until the round or the game of the day is over.

    Other tables of the round or of the game of the day have the same cards or dice. `event` is the name of the event to
    which the tables belong, or empty if there is none.
    """

    def __init__(self, sentence: str, event: str = "") -> None:
        super().__init__(sentence)
        self.event = event


class SiteClosed(Refused):
    """A host has closed the site for a while, for the given reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(_say_closed(reason))


def _say_closed(reason: str) -> str:
    return f"the site is closed for a while, and live games are paused: {reason}"


class NotYet(Refused):
    """The result is still being computed. Try again in a moment."""


class SeatTaken(Refused):
    """Somebody else sits at this seat."""


class AnotherPast(Refused):
    """The hash that a client sent with its action is not the one that the server stored for this viewer and
    ply.
    """


class TooFast(Refused):
    """Too many requests in a short time, or too many that wait."""


class NotSeated(SpelunkeError):
    """The person has no seat at this table."""


class UnknownTable(SpelunkeError):
    """There is no such table."""


class UnknownDay(SpelunkeError):
    """There is no game of that day."""


class UnknownEvent(SpelunkeError):
    """There is no such tournament."""


class UnknownPerson(SpelunkeError):
    """There is no such person."""


class UnknownProfile(SpelunkeError):
    """No person has a page with this address, or the reader may not see the page."""


class ShutOut(SpelunkeError):
    """The person is banned."""


class DamagedLog(SpelunkeError):
    """The stored log of a table is damaged or was changed, so the game can't go on."""

    def __init__(self, table: str, row: int, reason: str) -> None:
        super().__init__(
            f"the log of table {table} was changed in the store: row {row} {reason}. The game can't go on until "
            "the host has restored the database from a backup"
        )
        self.table = table
        self.row = row


class HouseClosed(SpelunkeError):
    """The server can't work now: for example, it is shutting down, or its database is busy or can't be reached."""
