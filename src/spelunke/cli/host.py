"""The command ``spelunke host``."""

from __future__ import annotations

from typing import Annotated

import typer

from spelunke.cli.words import translate as _


def host(
    database: Annotated[
        str | None,
        typer.Option(
            help="The address of the database, such as sqlite:////srv/house.sqlite3."
            " By default, SPELUNKE_DATABASE or the file in your data folder."
        ),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="The public address of the server.")
    ] = None,
) -> None:
    """Print a link that makes a member a host of the server. The link works once, and expires after a day.

    The server may run meanwhile. A server without a host prints such a link at each start.
    """
    from spelunke.house.people.members import make_host_code
    from spelunke.web.settings import read_settings

    settings = read_settings(database=database, base_url=base_url)
    code = make_host_code(settings.database)
    asked = f"http://localhost:{settings.port}"
    link = f"{settings.public_url(asked)}/host/{code}"
    print(_("Open this link to become a host of the server: {link}").format(link=link))
