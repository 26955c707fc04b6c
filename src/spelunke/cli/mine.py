"""The command ``spelunke mine``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from spelunke.cli.arguments import GameName, check_writable, find_card, write_file
from spelunke.cli.output import out, progress
from spelunke.cli.words import translate as _


def mine(
    game: GameName,
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="The file to write the problems into.")
    ] = Path("problems.json"),
    players: Annotated[
        str,
        typer.Option(
            metavar="LEVEL,LEVEL", help="The levels of the bots. By default, the second best level."
        ),
    ] = "",
    games: Annotated[int, typer.Option(min=1, max=100_000, help="The number of games.")] = 40,
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="The seed of chance. The same seed gives the same problems.")
    ] = 1,
    margin: Annotated[
        float,
        typer.Option(
            min=0.01,
            max=0.9,
            help="The minimum difference in the chance to win (from 0 to 1) between the best move and any wrong "
            "move.",
        ),
    ] = 0.06,
    most: Annotated[
        int, typer.Option(min=1, max=10_000, help="The maximum number of problems to save.")
    ] = 120,
) -> None:
    """Make problems: let bots play, and save the positions in which all wrong moves are clearly worse than the best.

    [dim]spelunke mine GAME --games 60 --to problems.json[/dim]
    """
    from spelunke.arena.problems import Recipe
    from spelunke.arena.problems import mine as mine_problems
    from spelunke.records.problems import write_problems

    card = find_card(game)
    below = list(card.levels)[-2:][0]
    named = tuple(name for name in players.split(",") if name) or (below,) * card.usual_seats
    check_writable(str(to))
    recipe = Recipe(game=game, players=named, games=games, seed=seed, margin=margin, most=most)
    with progress(_("Making problems"), games) as (bar, task):
        found = mine_problems(
            recipe, f"{datetime.now(UTC):%Y-%m-%d}", lambda done, of: bar.update(task, completed=done)
        )
    write_file(str(to), write_problems(found))
    kept = len(found.problems)
    told = _.many("{n} problem in {file}", "{n} problems in {file}", kept)
    out().print(told.format(n=kept, file=to), markup=False)
