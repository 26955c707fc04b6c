"""The command ``spelunke serve``."""

from __future__ import annotations

import contextlib
import socket
from typing import Annotated

import typer

from spelunke.core.errors import BadInput


def serve(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on. 0.0.0.0 lets other devices connect.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.", min=0, max=65535)] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="The address of the database, such as sqlite:////srv/house.sqlite3."
            " By default, SPELUNKE_DATABASE or the file in your data folder."
        ),
    ] = None,
    redis: Annotated[
        str | None,
        typer.Option(help="The address of Redis. It is needed if the server has several workers."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="The public address of the server, for links.")
    ] = None,
    bot_pause: Annotated[
        float | None,
        typer.Option("--bot-pause", help="How long a bot waits before it moves, in seconds.", min=0, max=60),
    ] = None,
    log_level: Annotated[
        str | None,
        typer.Option(
            "--log-level", help="Write log messages of this level and above: debug, info, warning or error."
        ),
    ] = None,
) -> None:
    """Start the server, and play in the browser against bots and friends.

    Environment variables can set the same options: SPELUNKE_PORT, SPELUNKE_DATABASE ...
    Stop the server with Ctrl+C. Running games continue when you start it again.
    """
    from spelunke.web.app import run
    from spelunke.web.settings import read_settings

    settings = read_settings(
        host=host,
        port=port,
        database=database,
        redis=redis,
        base_url=base_url,
        bot_pause=bot_pause,
        log_level=log_level,
    )
    check_free(settings.host, settings.port)
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl+C is the usual way to stop the server
        run(settings)


def check_free(host: str, port: int) -> None:
    """Raise BadInput if the address or port can't be used."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, number) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInput(
            f"the server can't listen on {host}:{port} ({reason}); choose another --host or --port"
        ) from None
