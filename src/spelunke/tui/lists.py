"""The lists of tables on a server: their titles, their tables, and a text for the state of each table."""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.tui.client import Client, Json
from spelunke.tui.words import translate as _

LISTS = ("mine", "open", "running")


def list_titles() -> dict[str, str]:
    """Return the title of each list by its name, in the order of display."""
    return {"mine": _("Your tables"), "open": _("Free seats"), "running": _("Running tables")}


async def fetch_lists(client: Client) -> dict[str, list[dict[str, Json]]]:
    """Return the tables of each list. A table that is in several lists is returned only in the first.

    Without a login, leave out the list of the person's own tables. Raise the errors of :meth:`Client.ask`.
    """
    found: dict[str, list[dict[str, Json]]] = {}
    known: set[str] = set()
    for name in LISTS:
        if client.token or name != "mine":
            lines = (await client.ask("GET", "/tables", list=name))["tables"]
            found[name] = [line for line in lines if line["table"] not in known]
            known |= {line["table"] for line in lines}
    return found


def say_state(line: Mapping[str, Json]) -> str:
    """Return “your turn” or “a seat is free” for a listed table, or an empty text if neither is true."""
    if line["yours"]:
        return _("your turn")
    return _("a seat is free") if line["free"] else ""
