"""The definition of an operation at a table, and of its buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

import msgspec

from spelunke.core.errors import SpelunkeError
from spelunke.house.house import House
from spelunke.house.inputs import Body


@dataclass(frozen=True, kw_only=True)
class Button:
    """A button on a table's page. The page shows it while `Look.may` contains the value of ``may``.

    If ``may`` is empty, the first permission of the button's operation is used. ``fields`` are the form
    fields that the button sends. ``place`` is the part of the page that has the button:

    - ``foot``: the bottom of the page
    - ``result``: beside the result
    - ``waiting``: the area that is shown before the start
    - ``news``: the news above the board
    - ``lesson``: below the text of a lesson
    - ``react``: among the reactions
    - ``undo``: the end of the line that names the player to move

    The buttons of a place are sorted by ``order``.

    ``key`` is a keyboard shortcut. ``confirm`` has two texts: a question that the page shows first, and the label
    of the button that answers yes. ``for_two`` is this question at a table for two. ``unless_board`` hides the button
    in games that draw their own board (hook `render_board`), because such a board offers the same operation.
    ``among_people`` shows the button only if another person plays. ``from_position`` is the button's label after a
    game that began from a position.
    """

    label: str
    from_position: str = ""
    may: str = ""
    style: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    place: Literal["foot", "result", "waiting", "news", "lesson", "react", "undo"] = "foot"
    key: str = ""
    order: int = 60
    confirm: tuple[str, str] | None = None
    for_two: str = ""
    unless_board: bool = False
    among_people: bool = False


@dataclass(frozen=True)
class Operation:
    """An operation of a person at a table.

    ``calls`` takes the `House` and returns the method to call. This method gets the table, the person, and
    the input's fields by name. ``may`` has words: the operation is possible if one of them is in `Look.may`. The
    default word ``seat`` is an exception: it is never in `Look.may`, and means that the person needs only a seat.
    ``answer`` is the kind of result: nothing (``done``), an `Answer` (``acted``), a seat, a table's id, the preview
    of a form (``considered``), or a coach's advice. ``raises`` are the errors that the operation raises besides
    those that every operation may raise.

    Over HTTP, the operation is ``method`` /tables/TABLE/``name``. ``safe``: it changes nothing, and is
    rate-limited like reading. ``brief``: it is fast, like a move of the game, and runs on the event loop
    (`house.store.waiting`).

    On a page, the operation is a form of its own (``page`` is ``form``) or part of the form around the board.
    ``welcomes``: a visitor who uses it becomes a guest. ``once``: a person does it at most once at a table.
    The server recognizes a repeated request by a key. If ``once`` is true, the form sends no key, and the
    server makes it from the person's id. ``then`` is the page to show afterwards, if any.
    """

    name: str
    calls: Callable[[House], Callable[..., object]]
    summary: str
    input: type[Body] | None = None
    _: KW_ONLY
    may: tuple[str, ...] = ("seat",)
    answer: Literal["done", "acted", "seat", "table", "considered", "advice"] = "done"
    raises: tuple[type[SpelunkeError], ...] = ()
    method: Literal["POST", "PUT"] = "POST"
    safe: bool = False
    brief: bool = False
    page: Literal["form", "board"] = "form"
    welcomes: bool = False
    once: bool = False
    then: Literal["", "table", "front", "replay"] = ""
    buttons: tuple[Button, ...] = ()

    @property
    def may_be_secret(self) -> bool:
        """Whether the operation may be secret from other people.

        If so, the person's next page request is not counted as a sign that the person is present.
        """
        return self.page == "board" or self.answer == "acted"

    def do(self, house: House, table: str, person: str, given: Body | None) -> object:
        """Run the operation with its input, and return its result.

        This blocks the thread. Raise the errors of the operation's method.
        """
        return self.calls(house)(table, person, **(msgspec.structs.asdict(given) if given else {}))
