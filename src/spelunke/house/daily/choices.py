"""Counts of the choices that people made in each position of a day's deal."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection

from spelunke.games.match import Match
from spelunke.house.store import day_choices, insert_or_update


def spot_of(match: Match, ply: int) -> str:
    """Return a short key of the position before a ply. The database stores this key, not the position.

    Two positions have the same key if their full states are equal and the same seat acts.
    """
    state = match.state_at(ply)
    seat = match.plies[ply].seat
    return hashlib.sha256(b"%d\n" % seat + state.tobytes()).hexdigest()[:24]


def choices_of(match: Match, seat: int) -> list[tuple[int, str, str]]:
    """Return the seat's decisions with several legal actions: for each, the ply, the position's key and the
    move.
    """
    found = []
    for ply in match.plies:
        if ply.seat != seat:
            continue
        if len(match.match_at(ply.number).numbers(seat)) > 1:
            found.append((ply.number, spot_of(match, ply.number), ply.text))
    return found


def count_choices(
    connection: Connection, at: tuple[str, str, int], choices: tuple[tuple[int, str, str], ...]
) -> None:
    """Add one to the stored count of each of these choices. `at` is the game, the day and the deal.

    `choices` has the values that `choices_of` returns.
    """
    game, day, deal = at
    for _, spot, move in choices:
        key = {"game": game, "day": day, "deal": deal, "spot": spot, "move": move[:200]}
        insert_or_update(connection, day_choices, {**key, "count": 1}, {"count": day_choices.c.count + 1})
