"""The command ``spelunke position``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import File, Json, read_position
from spelunke.cli.output import out, write_json
from spelunke.cli.table import default_names, render_board, tell_turn
from spelunke.cli.words import game_words
from spelunke.core.errors import BadInput

if TYPE_CHECKING:
    from spelunke.games.match import Match


def position(
    file: File,
    game: Annotated[str | None, typer.Option(help="The game, if the file doesn't name it.")] = None,
    moves: Annotated[
        str, typer.Option(metavar="'MOVE; MOVE'", help="Moves and outcomes of chance to play first.")
    ] = "",
    legal: Annotated[
        bool, typer.Option("--legal", help="List the legal moves, or the outcomes of chance.")
    ] = False,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Show the board as this seat sees it. By default, the seat to move.", min=0
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the board of a position. With --legal, list its legal moves too. With --moves, play these moves first.

    [dim]spelunke position table.json --legal[/dim]
    [dim]spelunke position table.json --moves 'roll; dice 2 4; place 4'[/dim]
    """
    from spelunke.records.position import apply
    from spelunke.records.viewer import MatchViewer

    match = read_position(file, game)
    if seat is not None and seat >= match.seats:
        raise BadInput(f"there is no seat {seat}; the seats are 0 to {match.seats - 1}", "--seat")
    apply(match, moves)
    names = default_names(match)
    told = MatchViewer(match, None, finished=True).history(names=names, translate=game_words(match.game))
    if json:
        write_json(
            {**as_json(match, legal), "events": [{"ply": line.ply, "text": line.text} for line in told]}
        )
        return
    console = out()
    for line in told:
        console.print(line.text, markup=False)
    viewer = seat if seat is not None else match.actors[0] if len(match.actors) == 1 else None
    console.print(render_board(MatchViewer(match, viewer), names))
    console.print(tell_turn(match, names), markup=False)
    if legal:
        for text in list_legal(match):
            console.print(f"  {text}", markup=False)


def list_legal(match: Match) -> list[str]:
    """Return the legal moves as text. If chance decides, return the outcomes with their probabilities."""
    if match.chance:
        write = match.game.notation.write_chance
        total = sum(weight for _, weight in match.chances())
        return [f"{write(chance)}  {weight}/{total}" for chance, weight in match.chances()]
    many = len(match.actors) > 1
    return [f"{seat}: {text}" if many else text for seat in match.actors for text in match.texts(seat)]


def as_json(match: Match, legal: bool = True) -> dict[str, object]:
    """Return the state of a match as values for JSON."""
    found: dict[str, object] = {
        "game": match.game.name,
        "rules": match.game.version,
        "seats": match.seats,
        "ply": match.ply,
        "position": match.game.notation.write_position(match.state),
        "actors": match.actors,
        "chance": match.chance,
        "over": match.over,
        "outcome": match.outcome,
    }
    if legal and match.chance:
        write = match.game.notation.write_chance
        found["chances"] = [[write(chance), weight] for chance, weight in match.chances()]
    elif legal:
        found["legal"] = {str(seat): match.texts(seat) for seat in match.actors}
    return found
