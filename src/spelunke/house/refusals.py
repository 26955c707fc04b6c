"""What the house refuses, beside what the rules refuse; the web maps each class to a status.

SpelunkeError
├── BadInput (400)
│   ├── BadPlan          seats, clock or name that can't be used
│   ├── BadNonce         a nonce of the wrong form
│   ├── BadMessage       chat that is empty or too long
│   └── WeakPassword     a password that is soon guessed
├── Refused (409)
│   ├── NotNow           the table is not in a state for that (not started, over, no offer, ...)
│   ├── NotYet           it is still being worked out
│   ├── SeatTaken        somebody else sits there
│   ├── AnotherPast      what the asker was shown is not what this house has
│   ├── NameTaken        a member has that name
│   └── TooFast          said too much in too short a time (429)
├── NotSeated            the person has no seat at the table (403)
├── NotAllowed           the host of the house has not opened that door (403)
│   └── NotProven        this device has not shown lately who it is
├── WrongProof           a password, code or key that is not the right one (403)
├── SpentCode            a link or code that was used, is too old, or never was (410)
├── UnknownTable         no such table (404)
├── UnknownPerson        no such person (401)
├── UnknownProfile       no such page of a person, or none that the asker may see (404)
├── ShutOut              the host of the house has shut that person out (403)
├── DamagedLog           a table's log was changed in the store (503)
└── HouseClosed          the house is shutting down or its store can't be reached (503)
"""

from __future__ import annotations

from spelunke.core.errors import BadInput, Refused, SpelunkeError


class BadPlan(BadInput):
    """Seats, a clock or a name that can't be used."""


class BadNonce(BadInput):
    """A nonce of the wrong form: 1 to 64 printable characters without spaces are right."""


class BadMessage(BadInput):
    """A message that is empty or too long."""


class WeakPassword(BadInput):
    """A password that is soon guessed."""


class NameTaken(Refused):
    """A member has that name, or one that looks the same."""


class NotAllowed(SpelunkeError):
    """The host of the house has not opened that door."""


class NotProven(NotAllowed):
    """This device has not shown lately who it is."""


class WrongProof(SpelunkeError):
    """A password, code or key that is not the right one."""


class SpentCode(SpelunkeError):
    """A link or code that was used, is too old, or never was."""


class NotNow(Refused):
    """The table is not in a state for that."""


class NotYet(Refused):
    """It is still being worked out: who asks again in a moment may find it."""


class SeatTaken(Refused):
    """Somebody else sits there."""


class AnotherPast(Refused):
    """The link that an action came with is not the one that this house has for that viewer and ply."""


class TooFast(Refused):
    """Said too much in too short a time."""


class NotSeated(SpelunkeError):
    """The person has no seat at this table."""


class UnknownTable(SpelunkeError):
    """No such table."""


class UnknownPerson(SpelunkeError):
    """No such person."""


class UnknownProfile(SpelunkeError):
    """No such page of a person, or none that the asker may see."""


class ShutOut(SpelunkeError):
    """The host of the house has shut that person out."""


class DamagedLog(SpelunkeError):
    """The log of a table is not the one that was chained; it is not played on."""

    def __init__(self, table: str, row: int, reason: str) -> None:
        super().__init__(
            f"the log of table {table} was changed in the store: row {row} {reason}. The table is not played on until "
            "the host has put the database right, from a backup"
        )
        self.table = table
        self.row = row


class HouseClosed(SpelunkeError):
    """The house is shutting down, or its store can't be reached."""
