"""Tables with every option, and changed or invented records, which neither command nor page may verify as fair."""

from __future__ import annotations

import copy
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spelunke.core.errors import BadInput
from spelunke.core.option import Choice, Count, Switch
from spelunke.games.game import Game
from spelunke.records.record import Record, parse_record, write_record
from spelunke.records.sealing import sign
from spelunke.records.signing import Signer
from walks import any_table

sys.path.insert(0, str(Path(__file__).parent))
from random_games import sealed_of

Plain = dict[str, Any]
STRANGER = Signer(bytes(range(1, 33)))
"""A signing key that no reader knows."""


def every_table(game: Game) -> list[tuple[int, dict[str, Any]]]:
    """Return a table for each combination of a number of seats and a value of one option that this number allows.

    All other options have their usual values. Of an option that is a number, only the least and the greatest are tried.
    Options that split a total are not tried.
    """
    found = []
    for seats in game.seats:
        for option in game.options:
            values: list[Any] = []
            if isinstance(option, Switch):
                values = [False, True]
            elif isinstance(option, Choice):
                values = list(option.values)
            elif isinstance(option, Count):
                values = [option.least, option.most]
            for value in values:
                try:
                    game.settle(seats, {option.name: value})
                except BadInput:
                    continue
                found.append((seats, {option.name: value}))
    return found


def tables_of(
    game: Game, rng: random.Random, part: int = 0, parts: int = 1
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each table of :func:`every_table` once, in random order. Then yield tables with random options, endlessly.

    If several tests share the tables, ``parts`` is their number, and ``part`` selects one test's share.
    """
    tables = every_table(game)
    random.Random(f"tables {game.name}").shuffle(tables)
    yield from tables[part::parts]
    while True:
        yield any_table(game, rng)


def honest_records(game: Game, rng: random.Random, part: int = 0, parts: int = 1) -> Iterator[Record]:
    """Yield records of random games as a server would write them, at the tables of `tables_of`."""
    for seed, (seats, options) in enumerate(tables_of(game, rng, part, parts)):
        yield sealed_of.__wrapped__(
            game.name, seed, plies=rng.randint(30, 150), seats=seats, options=tuple(options.items())
        )


# --- one thing is changed


def _ply(plain: Plain, rng: random.Random, *, chance: bool) -> int:
    plies = plain["plies"]
    return rng.choice([n for n, ply in enumerate(plies) if (ply[0] == -1) == chance] or range(len(plies)))


def change_outcome(plain: Plain, rng: random.Random) -> None:
    """Replace an outcome of chance by another one, but keep the interval of random numbers that gives the old one."""
    here = _ply(plain, rng, chance=True)
    texts = {ply[1] for ply in plain["plies"] if ply[0] == -1} - {plain["plies"][here][1]}
    plain["plies"][here][1] = rng.choice(sorted(texts)) if texts else "other"


def change_share(plain: Plain, rng: random.Random) -> None:
    """Change the share of an outcome of chance (its interval of numbers), so that the drawn number is outside of it."""
    share = plain["plies"][_ply(plain, rng, chance=True)][3]
    share[0], share[1] = (0, share[0]) if share[0] else (share[1], share[2] + 1)
    share[2] = max(share[2], share[1])


def change_move(plain: Plain, rng: random.Random) -> None:
    """Replace a move by another move of this record, or by an unknown text if the record has no other moves."""
    here = _ply(plain, rng, chance=False)
    texts = {ply[1] for ply in plain["plies"] if ply[0] >= 0} - {plain["plies"][here][1]}
    plain["plies"][here][1] = rng.choice(sorted(texts)) if texts else "other"


def change_seat(plain: Plain, rng: random.Random) -> None:
    """Give a move to another seat."""
    ply = plain["plies"][_ply(plain, rng, chance=False)]
    ply[0] = (ply[0] + 1) % len(plain["seats"])


def change_time(plain: Plain, rng: random.Random) -> None:
    """Delay a ply and everything after it."""
    for ply in plain["plies"][rng.randrange(len(plain["plies"])) :]:
        ply[2] += 1


def change_seed(plain: Plain, rng: random.Random) -> None:
    """Reveal another seed."""
    plain["fairness"]["seed"] = rng.randbytes(32).hex()


def change_commitment(plain: Plain, rng: random.Random) -> None:
    """Replace the commitment by that of another seed."""
    plain["fairness"]["commitment"] = rng.randbytes(32).hex()


def change_nonce(plain: Plain, rng: random.Random) -> None:
    """Change a nonce."""
    nonces = plain["fairness"]["nonces"]
    nonces[rng.randrange(len(nonces))] += "x"


def change_how(plain: Plain, rng: random.Random) -> None:
    """Mark a committed nonce as sent, or a sent nonce as committed."""
    given = rng.choice([one for one in plain["proof"]["nonces"] if one[1] != "none"] or [[None, ""]])
    given[1] = "sent" if given[1] == "committed" else "committed"


def change_table(plain: Plain, rng: random.Random) -> None:
    """Change the id of the table."""
    plain["table"] = f"table{rng.randint(2, 999)}"


def change_name(plain: Plain, rng: random.Random) -> None:
    """Put another person on a seat."""
    rng.choice(plain["seats"])["name"] = f"Zoe {rng.random()}"


def change_result(plain: Plain, rng: random.Random) -> None:
    """Change the seat that resigned, left or ran out of time. If there is no such seat, reverse the ranks."""
    result = plain["result"]
    if result["seat"] is None:
        result["ranks"].reverse()
    else:
        result["seat"] = (result["seat"] + rng.randint(1, len(plain["seats"]) - 1)) % len(plain["seats"])


def change_start(plain: Plain, rng: random.Random) -> None:
    """Change the time at which the game began."""
    plain["proof"]["started"] += rng.randint(1, 10**6)


def change_note(plain: Plain, rng: random.Random) -> None:
    """Change a note of the house."""
    note = rng.choice(plain["proof"]["notes"])
    note[2] = "!away" if note[2] != "!away" else "!person"


def change_link(plain: Plain, rng: random.Random) -> None:
    """Change a viewer's last link."""
    rng.choice(plain["proof"]["heads"])["link"] = rng.randbytes(32).hex()


def change_signature(plain: Plain, rng: random.Random) -> None:
    """Invent a signature."""
    plain["proof"]["signature"] = rng.randbytes(64).hex()


def cut_end(plain: Plain, rng: random.Random) -> None:
    """Leave out the last plies."""
    cut = rng.randint(1, 10)
    plain["plies"] = plain["plies"][:-cut]
    plain["result"]["ply"] -= cut


def repeat_ply(plain: Plain, rng: random.Random) -> None:
    """Let a ply happen twice."""
    here = rng.randrange(len(plain["plies"]))
    plain["plies"].insert(here, copy.deepcopy(plain["plies"][here]))
    plain["result"]["ply"] += 1


CHANGES: tuple[Callable[[Plain, random.Random], None], ...] = (
    change_outcome,
    change_share,
    change_move,
    change_seat,
    change_time,
    change_seed,
    change_commitment,
    change_nonce,
    change_how,
    change_table,
    change_name,
    change_result,
    change_start,
    change_note,
    change_link,
    change_signature,
    cut_end,
    repeat_ply,
)


# --- and then it is finished


def keep(plain: Plain) -> Plain:
    """Leave the signature of the true record in place."""
    return plain


def unsign(plain: Plain) -> Plain:
    """Remove the signature, and mark all nonces as committed."""
    plain["proof"] |= {"signature": None, "key": None}
    plain["proof"]["nonces"] = [
        [one, "committed" if how == "sent" else how] for one, how in plain["proof"]["nonces"]
    ]
    return plain


def age(plain: Plain) -> Plain:
    """Convert the record to the first format, which has no proof."""
    return {**plain, "format": "spelunke-record-1", "proof": None}


def sign_otherwise(plain: Plain) -> Plain:
    """Sign the record with another key."""
    signed: Plain = json.loads(write_record(sign(parse_record(json.dumps(plain)), STRANGER)))
    return signed


FINISHES: tuple[Callable[[Plain], Plain], ...] = (keep, unsign, age, sign_otherwise)


def forgeries(game: Game, rng: random.Random) -> Iterator[tuple[str, Plain]]:
    """Yield forgeries, each with a description.

    A forgery has one or two changes and a finish (see `FINISHES`), or is a whole honest game with a finish that
    removes or replaces its signature.
    """
    records = honest_records(game, rng)
    pairs = list(itertools.permutations(CHANGES, 2))
    rng.shuffle(pairs)
    for pair in itertools.cycle(pairs):
        for changes in (*((change,) for change in CHANGES), pair, ()):
            finish = rng.choice(FINISHES if changes else FINISHES[1:])
            plain = json.loads(write_record(next(records)))
            before = copy.deepcopy(plain)
            for change in changes:
                change(plain, rng)
            if changes and plain == before:
                continue
            try:
                plain = finish(plain)
            except BadInput:
                finish = unsign  # an invalid record can't be signed
                plain = unsign(plain)
            what = " and ".join(change.__name__ for change in changes) or "whole"
            yield f"{what}, {finish.__name__}", plain
