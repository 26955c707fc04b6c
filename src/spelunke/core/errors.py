"""Errors for people: each message says what is wrong and what would be right.

SpelunkeError
├── BadInput             what was given can't be understood (a 4xx on the page, exit code 2 in the terminal)
│   ├── BadOption        an unknown option of a table, or a value it can't have
│   ├── BadText          move text that can't be read
│   ├── BadPosition      a position that is malformed or impossible
│   ├── BadRecord        a record that is malformed, truncated or was edited
│   ├── BadGame          a game's folder that doesn't keep to the contract
│   └── UnknownGame      no such game on the shelf, or not in that version of its rules
└── Refused              understood, but not allowed at this moment
    ├── IllegalMove      the rules don't allow it in this position
    ├── NotYourTurn      the seat is not asked to act
    └── GameOver         nothing can be played any more
"""

from __future__ import annotations

LONGEST_SENTENCE = 1000
"""A sentence quotes what was given; of what is longer, the beginning and the end are told."""


def shorten(sentence: str) -> str:
    """The sentence, with its middle left out where it is too long to be read."""
    if len(sentence) <= LONGEST_SENTENCE:
        return sentence
    return f"{sentence[: LONGEST_SENTENCE // 3]} … {sentence[-LONGEST_SENTENCE // 2 :]}"


class SpelunkeError(Exception):
    """The root: everything that this package raises on purpose, told in one sentence."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(shorten(sentence))


class BadInput(SpelunkeError):
    """What was given can't be understood.

    ``place`` names where it stands (``crews.red[2]``, ``ply 17``), empty where there is only one place.
    """

    def __init__(self, reason: str, place: str = "") -> None:
        self.place = shorten(place)
        self.reason = shorten(reason)
        super().__init__(f"{self.place}: {self.reason}" if place else self.reason)


class BadOption(BadInput):
    """An unknown option of a table, or a value that it can't have."""


class BadText(BadInput):
    """A move text that can't be read."""


class BadPosition(BadInput):
    """A position that is malformed or impossible."""


class BadRecord(BadInput):
    """A record that is malformed, truncated or was edited."""


class BadGame(BadInput):
    """A game's folder that doesn't keep to the contract: a misspelt hook, a part that is missing."""


class UnknownGame(BadInput):
    """No such game on the shelf, or not in that version of its rules."""


class Refused(SpelunkeError):
    """Understood, but not allowed at this moment."""


class IllegalMove(Refused):
    """The rules don't allow it in this position."""


class NotYourTurn(Refused):
    """The seat is not asked to act."""


class GameOver(Refused):
    """Nothing can be played any more."""
