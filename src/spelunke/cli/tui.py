"""The command ``spelunke tui``: the games on the whole screen of a terminal."""

from __future__ import annotations

import importlib.util
import sys
from enum import StrEnum
from typing import Annotated

import typer

from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput


class Look(StrEnum):
    """The colours of the screen."""

    NIGHT = "night"
    DAY = "day"


def tui(
    house: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Open the tables of the server at this address."),
    ] = None,
    theme: Annotated[Look, typer.Option(help="The colours: dark (night) or light (day).")] = Look.NIGHT,
) -> None:
    """Play full screen in the terminal: against bots, or at tables of a server.

    Choose with the arrow keys or the mouse, play with Enter, and press [bold]?[/] for help. NO_COLOR turns colours off.
    For screen readers and scripts there is [bold]spelunke play[/].

    [dim]spelunke tui[/dim]
    [dim]spelunke tui --house https://spelunke.example[/dim]
    """
    if importlib.util.find_spec("textual") is None:
        raise BadInput(_("install the extra “tui” first: pip install 'spelunke[tui]'"), "spelunke tui")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput(_("this command needs a terminal; in a pipe, use `spelunke play`"), "spelunke tui")
    from spelunke.tui.app import SpelunkeApp

    address = None
    if house is not None:
        from spelunke.tui.client import read_house

        address = read_house(house)

    SpelunkeApp(house=address, theme=theme.value).run()
