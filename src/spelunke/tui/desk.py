"""The interface between the table screen and its table, which is on this machine or on a server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from spelunke.boards.drafting import Fields
from spelunke.boards.scene import Scene
from spelunke.core.catalogues import chosen_language
from spelunke.core.errors import SpelunkeError
from spelunke.games.game import Game, Settled
from spelunke.tui.acts import Act, list_acts
from spelunke.tui.words import translate as _

Tone = Literal["mine", "others", "heading", "detail", "house"]
Offer = Literal["record", "hint", "again"]
Status = Literal["open", "ready", "playing", "over"]


class Refused(SpelunkeError):
    """A table or a server refused a request. The text is one sentence for the person."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log, of the chat, or of another list, such as the values of moves.

    In the log and the chat, newer lines have larger keys. Log lines of the same ply share their key. If a line shows a
    reaction, its key is the time of the reaction. In other lists, the key is the number at the left of the line.
    """

    key: int
    text: str
    tone: Tone = "others"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """A seat: the name of its person or bot, its clock in milliseconds, and whether its person is present."""

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

    ``turn`` is a sentence with the players to move, or with the result. ``may`` has the names of the operations
    that are possible besides playing. ``curtain`` is empty while the board is visible. If the board is hidden
    until the next person sits down at a shared screen, ``curtain`` is that person's name. ``notice`` is a sentence
    about the connection or the table, for example about an offered draw. ``waiting`` is a text that is shown in
    place of the board before the game starts. ``seats`` is the table's number of seats, and ``options`` are its
    options. If they are left out, :attr:`rules` uses the game's defaults.
    """

    game: Game
    scene: Scene | None
    status: Status = "playing"
    turn: str = ""
    chairs: tuple[Chair, ...] = ()
    log: tuple[Line, ...] = ()
    chat: tuple[Line, ...] = ()
    reactions: tuple[Line, ...] = ()
    may: frozenset[str] = field(default_factory=frozenset)
    curtain: str = ""
    notice: str = ""
    waiting: str = ""
    connected: bool = True
    seats: int = 0
    options: Settled | None = None

    @property
    def rules(self) -> str:
        """The short rules of the table's game as Markdown, for the table's seats and options."""
        return self.game.card(chosen_language(), self.seats, self.options)


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
        """Update the present state of the table until the person leaves."""

    @abstractmethod
    async def play(self, move: str) -> None:
        """Play a move. Raise Refused if the move can't be played."""

    @abstractmethod
    async def do(self, operation: str, **fields: object) -> Desk | None:
        """Run an operation other than a move. Raise Refused if the operation isn't possible.

        If the operation leads to another table, return that table.
        """

    def age_ms(self) -> int:
        """Return the age of :attr:`moment` in milliseconds. Callers subtract it from the time of a running clock."""
        return 0

    def hurry(self) -> None:  # noqa: B027 (most desks have nothing to hurry)
        """Skip the pauses after the bots' next actions. The screen calls this when a person presses a key."""

    def offers(self, what: Offer) -> bool:
        """Return whether the table offers ``what``.

        ``what`` is ``record`` (the record of the finished game), ``again`` (another game), or ``hint`` (hints of a
        coach).
        """
        return False

    def list_acts(self) -> list[Act]:
        """Return the operations that are possible besides playing."""
        return list_acts(self.moment.may, [])

    async def record(self) -> bytes | None:
        """Return the record of the finished game, or None while the game runs. Raise Refused if the server refuses."""
        return None

    async def hint(self) -> tuple[Line, ...]:
        """Return the coach's value of each move, the advised move first.

        Raise Refused if the coach gives no values. If the table offers no hints (:meth:`offers`), either raise Refused
        or return an empty tuple.
        """
        return ()

    async def preview(self, fields: Fields) -> object:
        """Return the game's preview of a move that the person is putting together. By default, return None.

        ``fields`` are the things that the person has picked so far. Raise Refused if the server refuses.
        """
        return None

    async def close(self) -> None:  # noqa: B027 (most desks hold nothing)
        """Close the table's connections."""


def write_hint(move: str, chance: float, share: float | None) -> str:
    """Return the coach's line for a move, with its chance to win.

    If ``share`` is given, the line also says how often the best play chooses the move.
    """
    told = f"{move}   {100 * chance:.0f} %"
    if share is None:
        return told
    often = _("the best play chooses it in {n} of 100 cases").format(n=round(100 * share))
    return f"{told}   {often}"


def write_clock(left_ms: int) -> str:
    """Return the time on a clock as text: ``12:04``, ``1:02:03`` with hours, or ``2 d 3 h`` with days."""
    seconds = max(0, left_ms) // 1000
    if seconds >= 86400:
        return f"{seconds // 86400} d {seconds % 86400 // 3600} h"
    if seconds >= 3600:
        return f"{seconds // 3600}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"
