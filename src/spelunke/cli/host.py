"""The command ``spelunke host``."""

from __future__ import annotations

from typing import Annotated

import typer

from spelunke.cli.words import translate as _


def host(
    database: Annotated[
        str | None, typer.Option(help="SQLAlchemy address; without it, the house in your data folder.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="The public address of the house.")
    ] = None,
) -> None:
    """Print a link that makes a member host of the house. It works once, and for a day.

    A house without a host prints one at each start. The house may run meanwhile.
    """
    from spelunke.house.people.members import make_host_code
    from spelunke.web.settings import read_settings

    settings = read_settings(database=database, base_url=base_url)
    code = make_host_code(settings.database)
    asked = f"http://localhost:{settings.port}"
    link = f"{settings.public_url(asked)}/host/{code}"
    print(_("Open this link to become host of the house: {link}").format(link=link))
