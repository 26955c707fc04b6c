"""Widgets that several screens share."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widgets import Static

Keys = Sequence[tuple[str, str, str]]
"""The keys of a screen, each as a tuple: its label, its effect in words, and the name of its action."""


class KeyBar(Static):
    """A line that lists keys of a screen. A click on a key has the same effect as the key.

    If the keys don't fit into the line, they are written without spaces around them. If they still don't fit, keys are
    left out from the right, except the last two keys (usually help and leave), which are always shown.
    """

    _keys: Keys = ()

    def show(self, keys: Keys) -> None:
        """Show these keys."""
        self._keys = keys
        self._write()

    def on_resize(self, _event: Resize) -> None:
        """Show the keys that fit into the new width."""
        self._write()

    def _write(self) -> None:
        kept, room = list(self._keys), self.size.width
        text = _write_keys(kept, " ")
        while room and text.cell_len > room:
            text = _write_keys(kept, "")
            if len(kept) <= 2 or text.cell_len <= room:
                break
            del kept[-3]
        self.update(text)


def _write_keys(keys: Keys, beside: str) -> Text:
    text = Text(no_wrap=True, overflow="ellipsis")
    for place, (key, effect, action) in enumerate(keys):
        style = Style(meta={"@click": f"screen.{action}"})
        text.append(" " if place else "", style)
        text.append(f"{beside}{key}{beside}", Style(reverse=True, bold=True) + style)
        text.append(f" {effect}", style)
    return text


class Headline(Static):
    """The first line of a screen, with a text at each end."""

    def show(self, left: str, right: str = "") -> None:
        """Write the two texts."""
        room = max(0, self.size.width - 2)
        text = Text(left[: max(0, room - len(right) - 1)], no_wrap=True)
        text.append(" " * max(1, room - text.cell_len - Text(right).cell_len))
        text.append(right)
        self.update(text)


class Pressable(Static):
    """A text with clickable parts. A click on a part whose style has the meta value ``move`` calls :meth:`pressed`."""

    def on_click(self, event: Click) -> None:
        """Pass the move of the clicked part to :meth:`pressed`."""
        move = event.style.meta.get("move")
        if isinstance(move, str):
            self.pressed(move)

    def pressed(self, move: str) -> None:
        """Play the move of the clicked part. Subclasses define this."""


class Fitting(MessagePump):
    """A base class for screens that redraw themselves when the size of the terminal changes."""

    class Resized(Message):
        """The message that the size of the terminal has changed."""

        def __init__(self, size: Size) -> None:
            super().__init__()
            self.size = size

    def on_resize(self, event: Resize) -> None:
        """Report the new size to the program, and call :meth:`fit`."""
        self.post_message(self.Resized(event.size))
        self.fit()

    def fit(self) -> None:
        """Redraw the parts that depend on the size."""
