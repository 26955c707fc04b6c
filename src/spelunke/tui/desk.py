"""A table as the screen shows it, on this machine or on a server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from spelunke.boards.scene import Scene
from spelunke.core.errors import SpelunkeError
from spelunke.games.game import Game

Tone = Literal["mine", "others", "heading", "detail", "house"]
Status = Literal["open", "ready", "playing", "over"]


class Refused(SpelunkeError):
    """A table or a server refused something. The text is one sentence."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the log, or a message. Newer lines have larger keys, except for the sentences of one ply."""

    key: int
    text: str
    tone: Tone = "others"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """A seat: its name, its person or bot, its clock in milliseconds, and whether its person is there."""

    seat: int
    name: str
    kind: Literal["person", "bot", "free"] = "person"
    acts: bool = False
    clock_ms: int | None = None
    runs: bool = False
    away: bool = False
    mine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The present state of a table, as the people at this screen may see it.

    ``turn`` is a sentence: the seats to act, or the result. ``may`` names the operations that are possible besides
    playing. ``curtain`` is the name of the next player at this screen whose hand must not be seen yet. ``notice``
    is a sentence about the connection or the table, such as an offered draw. ``waiting`` is shown in place of the
    board before the start.
    """

    game: Game
    scene: Scene | None
    status: Status = "playing"
    turn: str = ""
    chairs: tuple[Chair, ...] = ()
    log: tuple[Line, ...] = ()
    chat: tuple[Line, ...] = ()
    may: frozenset[str] = field(default_factory=frozenset)
    curtain: str = ""
    notice: str = ""
    waiting: str = ""
    connected: bool = True


class Desk(ABC):
    """A table to play at. ``changed`` is called whenever :attr:`moment` changes."""

    title: str = ""

    def __init__(self) -> None:
        self.changed: Callable[[], None] = lambda: None

    @property
    @abstractmethod
    def moment(self) -> Moment:
        """The present state of the table."""

    @abstractmethod
    async def run(self) -> None:
        """Keep the present state of the table up to date until the person leaves it."""

    @abstractmethod
    async def play(self, move: str) -> None:
        """Play a move. Raise Refused with one sentence if it can't be played."""

    @abstractmethod
    async def do(self, operation: str, **fields: object) -> None:
        """Run an operation other than a move. Raise Refused if it isn't possible."""

    def age_ms(self) -> int:
        """Return the age of :attr:`moment` in milliseconds. Running clocks have advanced by that time."""
        return 0

    def hurry(self) -> None:  # noqa: B027 (most desks have nothing to hurry)
        """Skip slow displays, because somebody has pressed a key."""

    def offers(self, what: Literal["record", "hint"]) -> bool:
        """Return whether the table offers the record of a finished game, or the hints of a coach."""
        return False

    async def record(self) -> bytes | None:
        """Return the record of the finished game, or None if there is none yet. Raise Refused."""
        return None

    async def hint(self) -> tuple[Line, ...]:
        """Return the coach's value of each move, the best move first. Raise Refused."""
        return ()

    async def close(self) -> None:  # noqa: B027 (most desks hold nothing)
        """Close the table's connections."""


def write_clock(left_ms: int) -> str:
    """Return the time on a clock: 12:04, or 2 d 3 h for games over days."""
    seconds = max(0, left_ms) // 1000
    if seconds >= 86400:
        return f"{seconds // 86400} d {seconds % 86400 // 3600} h"
    if seconds >= 3600:
        return f"{seconds // 3600}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"
