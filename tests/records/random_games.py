"""Random games from a seed for the tests of records. Their chance is drawn as a house draws it."""

from __future__ import annotations

import functools
import random
from datetime import UTC, datetime

import msgspec

from spelunke.core.chance import Verifiable, commitment
from spelunke.games import find_game, shelf
from spelunke.games.match import Match
from spelunke.records.chain import Line, nonce_commitment
from spelunke.records.fairness import commit, decide
from spelunke.records.record import Record, Result, Seat, compose
from spelunke.records.sealing import given_of, head_of, opening_of, seal
from spelunke.records.signing import Signer

GAMES = tuple(shelf())
EXAMPLE = "shanghaien"
USUAL: dict[str, dict[str, object]] = {"sanghai": {"schedule": "short"}}
"""The options of games that would have thousands of plies with the default options."""
CREATED = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)


def play_match(
    game: str,
    seed: int,
    plies: int | None = None,
    options: dict[str, object] | None = None,
    seats: int | None = None,
) -> tuple[Match, bytes, tuple[str, ...]]:
    rng = random.Random(seed)
    secret = rng.randbytes(32)
    match = Match(find_game(game), seats, options or USUAL.get(game))
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
def record_of(
    game: str,
    seed: int,
    plies: int | None = None,
    reveal: bool = True,
    seats: int | None = None,
    options: tuple[tuple[str, object], ...] = (),
) -> Record:
    match, secret, nonces = play_match(game, seed, plies, dict(options), seats)
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


SIGNER = Signer(bytes(range(32)))


def lines_of(record: Record, notes: dict[int, tuple[int, str]]) -> list[Line]:
    """Return the log of a game: its plies, and notes (such as resignations) at the given rows.

    Mark seat 0's plies as a bot's.
    """
    lines: list[Line] = []
    ms = 0
    for entry in record.plies:
        while len(lines) + 1 in notes:
            seat, text = notes[len(lines) + 1]
            lines.append(Line(len(lines) + 1, seat, text, ms))
        ms = entry.ms
        lines.append(Line(len(lines) + 1, entry.seat, entry.text, ms, "chance" if entry.seat == 0 else None))
    for row in sorted(notes):
        if row > len(lines):
            lines.append(Line(len(lines) + 1, notes[row][0], notes[row][1], ms))
    return lines


@functools.cache
def sealed_of(
    game: str,
    seed: int,
    plies: int | None = None,
    signed: bool = True,
    seats: int | None = None,
    options: tuple[tuple[str, object], ...] = (),
) -> Record:
    """Return the record of a game as a server would write it: in format 2, with notes.

    If ``plies`` is given, the last seat resigns after this number of plies.
    """
    match, secret, nonces = play_match(game, seed, plies, dict(options), seats)
    if match.over and plies is not None:  # nobody is left to resign
        return sealed_of(game, seed, None, signed, seats, options)
    record = record_of(game, seed, plies, seats=seats, options=options)
    if plies is not None:
        loser = match.seats - 1
        ranks = tuple(match.seats if seat == loser else 1 for seat in range(match.seats))
        result = Result(reason="resigned", ranks=ranks, seat=loser, ply=plies)
        record = msgspec.structs.replace(record, result=result)
    notes = {5: (1, "!bot greedy"), 9: (1, "!person")}
    if plies is not None:
        notes[plies + 3] = (match.seats - 1, "!resign greedy")
    lines = lines_of(record, notes)
    given = [given_of(nonce, nonce_commitment(nonce) if nonce else None) for nonce in nonces]
    opening = opening_of(
        match.game,
        match.options,
        table="table1",
        levels=["chance", *[None] * (match.seats - 1)],
        started=1_700_000_000_000,
        commitment=commitment(secret),
        nonces=nonces,
        given=given,
    )
    heads = [head_of(opening, lines, match, seat) for seat in (None, *range(match.seats))]
    return seal(
        record,
        opening=opening,
        lines=lines,
        given=given,
        heads=heads,
        seed=secret,
        signer=SIGNER if signed else None,
    )
