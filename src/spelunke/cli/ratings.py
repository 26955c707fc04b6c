"""``spelunke ratings``."""

from __future__ import annotations

from typing import Annotated

import typer


def ratings(
    database: Annotated[
        str | None, typer.Option(help="SQLAlchemy address; without it, the house in your data folder.")
    ] = None,
) -> None:
    """Compute all ratings of people again from the logs of their rated games. Exit with 1 if one has changed.

    The house may run meanwhile if its database is PostgreSQL; stop a house on SQLite first.
    """
    from spelunke.house.house import open_house
    from spelunke.web.settings import read_settings

    house = open_house(read_settings(database=database).database, timers=False)
    try:
        done = house.ratings.recount()
    finally:
        house.close()
    print(f"{done.tables:,} rated games, {done.people:,} ratings, {done.changed:,} of them changed.")
    if done.lost:
        print(f"The logs of {done.lost:,} games were deleted; their stored results count.")
    if done.unreadable:
        print(f"The logs of {done.unreadable:,} games can't be replayed; their stored results count.")
    if done.changed:
        raise typer.Exit(1)
