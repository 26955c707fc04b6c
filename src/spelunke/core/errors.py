"""Errors for people: each message says what is wrong and what would be right.

SpelunkeError
├── BadInput             the input is invalid (a 4xx on the page, exit code 2 in the terminal)
│   ├── BadOption        an unknown option of a table, or an invalid value
│   ├── BadText          move text that can't be read
│   ├── BadPosition      a position that is malformed or impossible
│   ├── BadRecord        a record that is malformed, truncated or edited
│   ├── BadGame          a game's folder that breaks the contract
│   └── UnknownGame      a game, or a version of its rules, that the registry lacks
└── Refused              valid input, but not allowed at this moment
    ├── IllegalMove      the rules don't allow the move in this position
    ├── NotYourTurn      the seat may not act now
    └── GameOver         the game has ended
"""

from __future__ import annotations

LONGEST_SENTENCE = 1000
"""The most characters of a message.

A message can quote long input. Of a longer message, only the beginning and the end are shown.
"""


def shorten(sentence: str) -> str:
    """Return the sentence. If it is too long, leave out its middle."""
    if len(sentence) <= LONGEST_SENTENCE:
        return sentence
    return f"{sentence[: LONGEST_SENTENCE // 3]} … {sentence[-LONGEST_SENTENCE // 2 :]}"


class SpelunkeError(Exception):
    """The base class of all errors whose message is meant for people. Each carries one sentence."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(shorten(sentence))


class BadInput(SpelunkeError):
    """The input is invalid.

    ``place`` names the invalid part (``crews.red[2]``, ``ply 17``). If the input has only one part, ``place`` is
    empty.
    """

    def __init__(self, reason: str, place: str = "") -> None:
        self.place = shorten(place)
        self.reason = shorten(reason)
        super().__init__(f"{self.place}: {self.reason}" if place else self.reason)


class BadOption(BadInput):
    """An unknown option of a table, or an invalid value."""


class BadText(BadInput):
    """A move text that can't be read."""


class BadPosition(BadInput):
    """A position that is malformed or impossible."""


class BadRecord(BadInput):
    """A record that is malformed, truncated or edited."""


class BadGame(BadInput):
    """A game's folder that breaks the contract, for example by a misspelt hook or a missing part."""


class UnknownGame(BadInput):
    """A game, or a version of its rules, that the registry lacks."""


class Refused(SpelunkeError):
    """Valid input, but not allowed at this moment."""


class IllegalMove(Refused):
    """The rules don't allow the move in this position."""


class NotYourTurn(Refused):
    """The seat may not act now."""


class GameOver(Refused):
    """The game has ended."""
