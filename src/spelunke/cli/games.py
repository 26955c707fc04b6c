"""The command ``spelunke games``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import Json, complete_game, find_card
from spelunke.cli.output import out, write_json
from spelunke.cli.words import game_words
from spelunke.cli.words import translate as _

if TYPE_CHECKING:
    from spelunke.core.option import Option
    from spelunke.games.game import Game


@dataclass(frozen=True, slots=True)
class LevelCard:
    """The published data of a level (strength) of a game's bots."""

    title: str
    help: str


@dataclass(frozen=True, slots=True)
class OptionCard:
    """The published data of a game's option. The default and the possible values are text, as people type them."""

    name: str
    title: str
    help: str
    default: str
    values: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The published data of a game. ``rules`` is the version of the game's rules."""

    name: str
    title: str
    pitch: str
    seats: tuple[int, ...]
    minutes: tuple[int, int]
    rules: int
    hidden: bool
    together: bool
    levels: dict[str, LevelCard]
    options: tuple[OptionCard, ...]


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="Show everything about one game.", autocompletion=complete_game
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the games. If you name a game, show its options and levels.

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
        span = _("{least}–{most} min").format(least=card.minutes[0], most=card.minutes[1])
        console.print(f"[bold]{card.name}[/]  {card.title}, {_seats(card.seats)}, {span}")
        console.print(f"  {card.pitch}", style="dim")
    console.print(
        "\n" + _("`spelunke play GAME` starts a game here, and `spelunke games GAME` shows its options."),
        style="dim",
    )


def describe(game: Game) -> Card:
    """Return the published data of a game."""
    from spelunke.core.option import write_value

    tell = game_words(game)

    try:
        levels = {
            name: LevelCard(tell(str(level.get("title", name))), tell(str(level.get("help", ""))))
            for name, level in game.levels.items()
        }
    except FileNotFoundError:
        levels = {}
    return Card(
        name=game.name,
        title=game.title,
        pitch=tell(game.pitch),
        seats=game.seats,
        minutes=game.minutes,
        rules=game.version,
        hidden=game.hidden,
        together=game.together,
        levels=levels,
        options=tuple(
            OptionCard(
                o.name,
                tell(o.title),
                tell(o.help),
                write_value(o.preset(game.usual_seats)),
                say_possible(o),
            )
            for o in game.options
        ),
    )


def say_possible(option: Option) -> str:
    """Return the possible values of an option, as people type them. The values themselves are not translated."""
    from spelunke.core.option import Count, Split

    if isinstance(option, Count):
        return _("{least} to {most}").format(least=option.least, most=option.most)
    if isinstance(option, Split):
        parts = " / ".join(option.parts)
        return _("counts of {parts} that add up to {total}").format(parts=parts, total=option.total)
    return option.possible


def _seats(seats: tuple[int, ...]) -> str:
    span = str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}"
    return _.many("{n} player", "{n} players", seats[-1]).format(n=span)


def _show(card: Card) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console = out()
    console.print(f"[bold]{card.title}[/], {_seats(card.seats)}: {card.pitch}\n")
    options = _("Options")
    console.print(f"[bold]{options}[/] (`--option NAME=VALUE`)")
    for option in card.options:
        line = Text.assemble((option.name, "bold"), f" = {option.default}   ", (option.values, "dim"))
        console.print(Padding(line, (0, 0, 0, 2), expand=False))
        words = Text(f"{option.title}. {option.help}", "dim")
        console.print(Padding(words, (0, 0, 0, 6), expand=False))
    if card.levels:
        levels = _("Levels")
        console.print(f"\n[bold]{levels}[/] (`--level NAME`)")
        for name, level in card.levels.items():
            console.print(f"  [bold]{name}[/]  {level.title}. [dim]{level.help}[/]")
