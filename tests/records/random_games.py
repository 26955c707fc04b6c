"""Games for the tests of records, played at random from a seed, with chance as a house decides it."""

from __future__ import annotations

import functools
import random
from datetime import UTC, datetime

from spelunke.core.chance import Verifiable
from spelunke.core.match import Match
from spelunke.games import find_game, shelf
from spelunke.records.fairness import commit, decide
from spelunke.records.record import Record, Seat, compose

GAMES = tuple(shelf())
EXAMPLE = "shanghaien"
CREATED = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)


def play_match(
    game: str, seed: int, plies: int | None = None, options: dict[str, object] | None = None
) -> tuple[Match, bytes, tuple[str, ...]]:
    rng = random.Random(seed)
    secret = rng.randbytes(32)
    match = Match(find_game(game), None, options)
    nonces = tuple(f"nonce-{seed}-{seat}" if seat else "" for seat in range(match.seats))
    chance = Verifiable(secret, "table1", nonces)
    while not match.over and (plies is None or match.ply < plies):
        if match.chance:
            match.apply_chance(decide(match, chance))
        else:
            seat = rng.choice(match.actors)
            match.act(seat, rng.choice(match.legal(seat)))
    return match, secret, nonces


@functools.cache
def record_of(game: str, seed: int, plies: int | None = None, reveal: bool = True) -> Record:
    match, secret, nonces = play_match(game, seed, plies)
    return compose(
        match,
        table="table1",
        seats=[
            Seat(name="Bot", kind="bot", level="chance"),
            *(Seat(name=f"Anna {n}", kind="person") for n in range(1, match.seats)),
        ],
        created=CREATED,
        finished=CREATED,
        times=range(0, 1000 * match.ply, 1000),
        fairness=commit(secret, nonces, reveal=reveal),
    )
