"""Inputs for the fuzzer: moves, outcomes of chance, positions and records of every registered game."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from spelunke.core.errors import SpelunkeError
from spelunke.games import shelf
from spelunke.games.match import Match
from spelunke.records import position, record
from spelunke.records.fairness import commit, decide, verify
from spelunke.records.replay import replay
from spelunke.records.viewer import MatchViewer
from walks import any_table, step, walk

from .find import Find, judged
from .mutate import Json, mutate_json, mutate_text, write

CORPUS = Path(__file__).parent / "corpus"


class Face(Protocol):
    """A part of the program that takes input, for example the command line or the HTTP API.

    ``take`` makes the next input. ``feed`` passes an input to the program, and raises Find if the answer is improper.
    """

    name: str
    weight: float
    """The share of the inputs for this face, in relation to the weights of the other faces."""

    def take(self, rng: random.Random) -> bytes: ...
    def feed(self, data: bytes) -> None: ...
    def close(self) -> None: ...


def kept(name: str) -> list[str]:
    """Return the corpus of a face (entry point for input): texts that were once valid, or that once failed."""
    return [
        file.read_text(encoding="utf-8", errors="surrogateescape")
        for file in sorted((CORPUS / name).glob("*"))
    ]


def kept_documents(name: str) -> list[Json]:
    """Return the JSON texts of the corpus: only these can be mutated as JSON."""
    found: list[Json] = []
    for text in kept(name):
        with contextlib.suppress(ValueError):
            found.append(json.loads(text))
    return found


@cache
def moments() -> tuple[Match, ...]:
    """Return some matches of every game, with default and random options, at moments from the start to late play."""
    found = []
    for game in shelf().values():
        for seed, plies in enumerate((0, 1, 30, 60, 90, 130, 170, 230)):
            rng = random.Random(f"{game.name} {seed}")
            seats, options = (game.usual_seats, {}) if seed < 3 else any_table(game, rng)
            found.append(walk(Match(game, seats, options), rng, plies))
    return tuple(found)


class Moves:
    """Inputs ``MOMENT TEXT``: the number of a match from `moments`, and the text of a move or an outcome of chance."""

    name = "moves"
    weight = 60

    def __init__(self) -> None:
        self.seeds = kept("moves")
        for match in moments():
            self.seeds += [text for seat in match.actors for text in match.texts(seat)[:12]]
            self.seeds += [match.game.notation.write_chance(chance) for chance, _ in match.chances()[:4]]
        self.seeds += [f"{seat}: {text}" for seat, text in enumerate(self.seeds[:40])]

    def take(self, rng: random.Random) -> bytes:
        text = mutate_text(rng.choice(self.seeds), rng, self.seeds)
        return f"{rng.randrange(len(moments()))} {text}".encode("utf-8", "surrogatepass")

    def feed(self, data: bytes) -> None:
        number, _, text = data.decode("utf-8", "surrogatepass").partition(" ")
        match = moments()[int(number) % len(moments())]
        before, ply = match.state.tobytes(), match.ply
        try:
            with judged():
                notation = match.game.notation
                if match.chance:
                    chance = notation.parse_chance(text)
                    if notation.parse_chance(notation.write_chance(chance)) != chance:
                        raise Find("an outcome of chance is not read back", notation.write_chance(chance))
            with judged():
                position.apply(match, text)
            for seat in range(match.seats):
                with judged():
                    self._act(match, seat, text)
        finally:
            while match.ply > ply:
                match.undo()
        if match.state.tobytes() != before:
            raise Find("a refused move changed the state")

    def _act(self, match: Match, seat: int, text: str) -> None:
        action = match.parse(text)
        written = match.game.notation.write(action)
        if match.parse(written) != action:
            raise Find("a move is not read back", written)
        state = match.state.tobytes()
        try:
            match.act(seat, action)
        except SpelunkeError:
            if match.state.tobytes() != state:
                raise Find("a refused move changed the state", written) from None
            raise

    def close(self) -> None:
        pass


class Positions:
    """Position files: an accepted one must be a position that can be shown, written and played on."""

    name = "positions"
    weight = 40

    def __init__(self) -> None:
        self.seeds: list[Json] = kept_documents("positions")
        self.seeds += [json.loads(position.write_position(match)) for match in moments()]
        self.texts = [text for seed in self.seeds for text in _texts(seed)]
        # The kernels for reading are compiled first, so that no input seems slow because of it.
        for seed in self.seeds:
            with contextlib.suppress(SpelunkeError):
                position.parse_position(json.dumps(seed).encode())

    def take(self, rng: random.Random) -> bytes:
        return write(mutate_json(rng.choice(self.seeds), rng, self.seeds, self.texts), rng)

    def feed(self, data: bytes) -> None:
        with judged():
            match = position.parse_position(data)
            try:
                self._look(match, data)
            except SpelunkeError as error:
                raise Find(
                    f"a position that was taken is refused later ({type(error).__name__})", str(error)
                ) from None

    def _look(self, match: Match, data: bytes) -> None:
        text = position.write_position(match)
        again = position.parse_position(text)
        if again.state.tobytes() != match.state.tobytes():
            raise Find(f"a position of {match.game.name} is not read back", text.decode())
        for seat in (None, *range(match.seats)):
            _show(match, seat)
        walk(match, random.Random(len(data)), 6)

    def close(self) -> None:
        pass


def _show(match: Match, seat: int | None) -> None:
    viewer = MatchViewer(match, seat)
    viewer.history(names=[f"Player {k}" for k in range(match.seats)])
    assert viewer.view is not None
    assert viewer.texts is not None


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside: Sequence[Json] = (
        list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()
    )
    return [text for part in inside for text in _texts(part)]


class Records:
    """Record files: read, replayed, verified."""

    name = "records"
    weight = 20

    def __init__(self) -> None:
        self.seeds: list[Json] = kept_documents("records")
        self.seeds += [json.loads(data) for data in short_records()]
        self.texts = sorted({text for seed in self.seeds for text in _texts(seed)})

    def take(self, rng: random.Random) -> bytes:
        return write(mutate_json(rng.choice(self.seeds), rng, self.seeds, self.texts), rng)

    def feed(self, data: bytes) -> None:
        with judged():
            found = record.parse_record(data)
            text = record.write_record(found)
            if record.parse_record(text) != found:
                raise Find("a record is not read back", text.decode()[:2000])
            if len(found.plies) < 200:
                _verify(found)
                replay(found)

    def close(self) -> None:
        pass


def _verify(found: record.Record) -> None:
    told = verify(found).text
    if len(told.split()) < 3 or len(told) > 1200:
        raise Find("a verdict says nothing, or too much", told[:300])


@cache
def short_records() -> tuple[bytes, ...]:
    """Return two records of each game. Each has the first plies, with chance that can be verified."""
    from datetime import UTC, datetime

    from spelunke.core.chance import Verifiable

    found = []
    for game in shelf().values():
        for seed in range(2):
            rng = random.Random(f"{game.name} {seed}")
            seats = game.seats[seed % len(game.seats)]
            match = Match(game, seats)
            secret = rng.randbytes(32)
            nonces = tuple(f"nonce{seat}" for seat in range(seats))
            stream = Verifiable(secret, "table", nonces)
            while match.ply < 25 and not match.over:
                if match.chance:
                    match.apply_chance(decide(match, stream))
                else:
                    step(match, rng)
            people = [record.Seat(name=f"P{seat}", kind="person") for seat in range(seats)]
            made = record.compose(
                match,
                table="table",
                seats=people,
                created=datetime(2026, 1, 1, tzinfo=UTC),
                fairness=commit(secret, nonces, reveal=True),
            )
            found.append(record.write_record(made))
    return tuple(found)


def strict() -> None:
    """Let NumPy raise an error if a number overflows. Compiled kernels do not check this."""
    np.seterr(over="raise", invalid="raise")
