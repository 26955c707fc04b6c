"""``spelunke games``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from spelunke.cli.arguments import Json, complete_game, find_card
from spelunke.cli.output import out, write_json


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="Tell everything about one game.", autocompletion=complete_game
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the games, or the options and levels of one.

    [dim]spelunke games[/dim]
    [dim]spelunke games GAME --json[/dim]
    """
    from spelunke.games import shelf

    if game is not None:
        card = describe(find_card(game))
        write_json(card) if json else _show(card)
        return
    cards = [describe(each) for each in shelf().values()]
    if json:
        write_json(cards)
        return
    console = out()
    for card in cards:
        span = f"{card['minutes'][0]}–{card['minutes'][1]} min"
        console.print(f"[bold]{card['name']}[/]  {card['title']}, {_seats(card['seats'])}, {span}")
        console.print(f"  {card['pitch']}", style="dim")
    console.print(
        "\n`spelunke play GAME` starts one here, `spelunke games GAME` tells its options.", style="dim"
    )


def describe(game: Any) -> dict[str, Any]:
    """A game's card as plain values."""
    from spelunke.core.option import write_value

    try:
        levels = {
            name: {"title": level.get("title", name), "help": level.get("help", "")}
            for name, level in game.levels.items()
        }
    except FileNotFoundError:
        levels = {}
    return {
        "name": game.name,
        "title": game.title,
        "pitch": game.pitch,
        "seats": list(game.seats),
        "minutes": list(game.minutes),
        "rules": game.version,
        "hidden": game.hidden,
        "together": game.together,
        "levels": levels,
        "options": [
            {
                "name": option.name,
                "title": option.title,
                "help": option.help,
                "default": write_value(option.preset(game.usual_seats)),
                "values": values_of(option),
            }
            for option in game.options
        ],
    }


def values_of(option: Any) -> str:
    """What the option can be, in a few words."""
    if hasattr(option, "values"):
        return ", ".join(str(value) for value in option.values)
    if hasattr(option, "least"):
        return f"{option.least} to {option.most}"
    if hasattr(option, "parts"):
        return f"counts of {' / '.join(option.parts)}, together {option.total}"
    return "on, off"


def _seats(seats: list[int]) -> str:
    span = str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}"
    return f"{span} players"


def _show(card: dict[str, Any]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console = out()
    console.print(f"[bold]{card['title']}[/], {_seats(card['seats'])}: {card['pitch']}\n")
    console.print("[bold]Options[/] (`--option NAME=VALUE`)")
    for option in card["options"]:
        line = Text.assemble(
            (option["name"], "bold"), f" = {option['default']}   ", (option["values"], "dim")
        )
        console.print(Padding(line, (0, 0, 0, 2), expand=False))
        words = Text(f"{option['title']}. {option['help']}", "dim")
        console.print(Padding(words, (0, 0, 0, 6), expand=False))
    if card["levels"]:
        console.print("\n[bold]Levels[/] (`--level NAME`)")
        for name, level in card["levels"].items():
            console.print(f"  [bold]{name}[/]  {level['title']}. [dim]{level['help']}[/]")
