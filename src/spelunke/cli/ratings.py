"""The command ``spelunke ratings``."""

from __future__ import annotations

from typing import Annotated

import typer

from spelunke.cli.words import translate as _


def ratings(
    database: Annotated[
        str | None,
        typer.Option(
            help="The address of the database, such as sqlite:////srv/house.sqlite3."
            " By default, SPELUNKE_DATABASE or the file in your data folder."
        ),
    ] = None,
) -> None:
    """Compute all ratings again from the logs of the rated games. The exit code is 1 if a rating has changed.

    If the database is PostgreSQL, the server may run meanwhile. If it is SQLite, stop the server first.
    """
    from spelunke.house.house import open_house
    from spelunke.web.settings import read_settings

    house = open_house(read_settings(database=database).database, timers=False)
    try:
        done = house.ratings.recount()
    finally:
        house.close()
    told = _("Rated games: {games}. Ratings: {ratings}. Changed: {changed}.")
    print(told.format(games=f"{done.tables:,}", ratings=f"{done.ratings:,}", changed=f"{done.changed:,}"))
    if done.lost:
        told = _.many(
            "The log of {n} game was deleted; its stored result counts.",
            "The logs of {n} games were deleted; their stored results count.",
            done.lost,
        )
        print(told.format(n=f"{done.lost:,}"))
    if done.unreadable:
        told = _.many(
            "The log of {n} game can't be replayed; its stored result counts.",
            "The logs of {n} games can't be replayed; their stored results count.",
            done.unreadable,
        )
        print(told.format(n=f"{done.unreadable:,}"))
    if done.changed:
        raise typer.Exit(1)
