"""The halves of the trick cards: name, effect, move, and the reason if a half can't be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from spelunke.core.words import plain
from spelunke.games.shanghaien.moves import (
    Action,
    CrazyCaptain,
    Exchange,
    Joker,
    Nudge,
    PlaceBoth,
    RollAgain,
    Sharks,
)
from spelunke.games.shanghaien.view import View


class Half(NamedTuple):
    """One half of a trick card. Its texts are English; the page translates them."""

    kind: type[Action]
    word: str
    """The text that the card shows under this half."""
    tells: str
    """The effect of the half."""
    lacks: Callable[[View], str] = lambda _seen: plain("the cards of both dice are already face down")
    """A function that returns the reason why this half can't be used right after the seat's own roll.

    It is called only if the half can't be used.
    """


def _lacks_free_captain(seen: View) -> str:
    return (
        plain("not in the last round")
        if seen.tavern == 8
        else plain("not while the other player's is in play")
    )


HALVES = {
    "joker": Half(
        Joker,
        plain("2 sailors"),
        plain("add two sailors to one of your crews"),
        lambda _seen: plain("needs a sailor in your crew"),
    ),
    "pm1": Half(Nudge, plain("±1"), plain("change a die by one")),
    "both": Half(PlaceBoth, plain("both dice"), plain("lay both dice")),
    "again": Half(RollAgain, plain("roll again"), plain("roll both dice again")),
    "sharks": Half(Sharks, plain("sharks"), plain("feed the card under your die to the sharks")),
    "exchange": Half(
        Exchange,
        plain("exchange"),
        plain("take a die back and lay both rolled dice"),
        lambda _seen: plain("needs a die of yours in the row"),
    ),
    "crazy": Half(
        CrazyCaptain,
        plain("crazy captain"),
        plain("until the round ends, you may make the other player lay the die that they did not choose"),
        _lacks_free_captain,
    ),
}
