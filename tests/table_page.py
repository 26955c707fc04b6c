"""Play at a table from its page, with requests like those of the page's own scripts. Tests and benchmarks use this."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_READ = "() => fetch(`/api/v1/tables/${location.pathname.split('/')[2]}`).then((answer) => answer.json())"
_SEND = """([move, ply]) => fetch(`${location.pathname}/act`, {
  method: "POST",
  headers: { "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({ move, ply, key: `page-${ply}-${Math.random()}`.slice(0, 40) }),
}).then((answer) => answer.status)"""
_LAYING = ("lay", "add", "shanghai")


def read_table(page: Page) -> dict[str, Any]:
    """Return the table as the person at this page may see it."""
    look: dict[str, Any] = page.evaluate(_READ)
    return look


def send_move(page: Page, move: str, ply: int) -> int:
    """Send a move that was chosen at this ply, and return the status of the server's answer."""
    status: int = page.evaluate(_SEND, [move, ply])
    return status


def choose_move(look: dict[str, Any], chance: random.Random) -> str | None:
    """Return a random legal move, or None if there is none.

    Moves that lay cards or call Shanghai are chosen more often, so that rounds end.
    """
    moves = [move["text"] for move in look["legal"]]
    if not moves:
        return None
    laying = [move for move in moves if move.startswith(_LAYING)]
    return chance.choice(laying if laying and chance.random() < 0.7 else moves)
