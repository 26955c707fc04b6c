"""The refusals of the house, besides those of the rules. The web maps each class to a status.

SpelunkeError
├── BadInput (400)
│   ├── BadPlan          seats, clock or name that can't be used
│   ├── BadNonce         a nonce of the wrong form
│   ├── BadMessage       chat that is empty or too long
│   └── WeakPassword     a password that is easy to guess
├── Refused (409)
│   ├── NotNow           the table is not in a state for that (not started, over, no offer, ...)
│   │   └── WatchLater   only the table's players may see it until its round is over
│   ├── NotYet           it is still being computed
│   ├── SeatTaken        somebody else sits there
│   ├── AnotherPast      the link sent with an action is not the one stored here
│   ├── NameTaken        a member has that name
│   └── TooFast          too many requests in a short time (429)
├── NotSeated            the person has no seat at the table (403)
├── NotAllowed           the host does not allow that (403)
│   └── NotProven        this device has not been confirmed lately
├── WrongProof           a wrong password, code or key (403)
├── SpentCode            a link or code that was used, expired or never existed (410)
├── UnknownTable         no such table (404)
├── UnknownDay           no game of that day (404)
├── UnknownEvent         no such tournament (404)
├── UnknownPerson        no such person (401)
├── UnknownProfile       no such page of a person, or none that this person may see (404)
├── ShutOut              the person is banned (403)
├── DamagedLog           a table's log was changed in the store (503)
└── HouseClosed          the house is shutting down or its store can't be reached (503)
"""

from __future__ import annotations

from spelunke.core.errors import BadInput, Refused, SpelunkeError


class BadPlan(BadInput):
    """Seats, a clock or a name that can't be used."""


class BadNonce(BadInput):
    """A malformed nonce: it must have 1 to 64 printable characters without spaces."""


class BadMessage(BadInput):
    """A message that is empty or too long."""


class WeakPassword(BadInput):
    """A password that is easy to guess."""


class NameTaken(Refused):
    """A member has that name, or one that looks the same."""


class NotAllowed(SpelunkeError):
    """The host does not allow this action."""


class NotProven(NotAllowed):
    """This device has not been confirmed lately."""


class WrongProof(SpelunkeError):
    """A wrong password, code or key."""


class SpentCode(SpelunkeError):
    """A link or code that was used, expired or never existed."""


class NotNow(Refused):
    """The table is not in a state in which this action is possible."""


class WatchLater(NotNow):
    """Other tables of the round have the same chance, so only its own players may see this table."""


class NotYet(Refused):
    """The result is still being computed. Try again in a moment."""


class SeatTaken(Refused):
    """Somebody else sits at this seat."""


class AnotherPast(Refused):
    """The link sent with an action is not the one stored for that viewer and ply."""


class TooFast(Refused):
    """Too many requests in a short time."""


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
    """There is no such page of a person, or this person may not see it."""


class ShutOut(SpelunkeError):
    """The person is banned."""


class DamagedLog(SpelunkeError):
    """The log of a table does not match its chain; the game can't go on."""

    def __init__(self, table: str, row: int, reason: str) -> None:
        super().__init__(
            f"the log of table {table} was changed in the store: row {row} {reason}. The game can't go on until "
            "the host has restored the database from a backup"
        )
        self.table = table
        self.row = row


class HouseClosed(SpelunkeError):
    """The house is shutting down, its store can't be reached, or a host has closed it for a while."""


def refuse_closed(word: str) -> HouseClosed:
    """Return the refusal of actions while a host has closed the house. `word` is the host's reason."""
    return HouseClosed(f"the house is closed for a while, and its games are paused: {word}")
