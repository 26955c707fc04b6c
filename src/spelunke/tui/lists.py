"""The lists of a server's tables, in words."""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.tui.client import Client, Json
from spelunke.tui.words import translate as _

LISTS = ("mine", "open", "running")


def list_titles() -> dict[str, str]:
    """Return the title of each list, in the order in which they are shown."""
    return {"mine": _("Your tables"), "open": _("Free seats"), "running": _("Running tables")}


async def fetch_lists(client: Client) -> dict[str, list[dict[str, Json]]]:
    """Return the lines of each list. A table is only in the first of the lists that have it. Raise Refused."""
    found: dict[str, list[dict[str, Json]]] = {}
    known: set[str] = set()
    for name in LISTS:
        if client.token or name != "mine":
            lines = (await client.ask("GET", "/tables", list=name))["tables"]
            found[name] = [line for line in lines if line["table"] not in known]
            known |= {line["table"] for line in lines}
    return found


def say_state(line: Mapping[str, Json]) -> str:
    """Return a text on the person's possibilities at a listed table, or an empty text."""
    if line["yours"]:
        return _("your turn")
    return _("a seat is free") if line["free"] else ""
