"""New tables: the chosen settings of a table, and the rows that are stored for it."""

from __future__ import annotations

import json
import secrets
import string
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from spelunke.games.game import Game, Settled
from spelunke.house.outbox import Note
from spelunke.house.plan import BOT, USUAL, Clock, Terms
from spelunke.house.table import seat_companions
from spelunke.records.record import Deal, Origin

LETTERS = string.ascii_lowercase + string.digits
TRIES = 100
"""The number of ids to try, so that the bots of a rematch keep their characters. A level has about 4 characters."""
Levels: TypeAlias = Sequence[str | None]


def new_word(size: int) -> str:
    """Return a random text of `size` lowercase letters and digits."""
    return "".join(secrets.choice(LETTERS) for _ in range(size))


def word_for_rematch(game: Game, earlier: str, levels: Levels, later: Levels) -> str:
    """Return an id for a rematch's table. If possible, choose an id with which the bots keep their names and faces.

    A bot's name and face depend on the table's id and on the bot's level. `earlier` is the id of the earlier game's
    table. `levels` has the level of each seat's bot at that table, or None for a person. `later` has the levels at the
    rematch. If the bots get other levels, they can't keep their names and faces. In this case, return a random id.
    """
    before = Counter(seat_companions(game, earlier, levels))
    word = new_word(10)
    for _ in range(TRIES if Counter(levels) == Counter(later) else 0):
        if Counter(seat_companions(game, word, later)) == before:
            break
        word = new_word(10)
    return word


class PlannedChair(NamedTuple):
    """A seat of a new table.

    ``plan`` is the seat's value in `Plan.seats`, such as ``open``. ``person`` is the person who sits there, or None.
    ``kept`` is the person for whom the seat is reserved, or None.
    """

    plan: str
    person: str | None
    kept: str | None = None

    @property
    def level(self) -> str | None:
        """The level of the bot on this seat, or None."""
        return self.plan.removeprefix(BOT) if self.plan.startswith(BOT) else None


class NewTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that `Lobby.found` is to make.

    `options` has a value for each option of the game. `id` is the table's id, or None for a random one. If the table
    is a rematch, `previous` is the id of the earlier game's table. `origin` is the position from which the game
    begins. If the table belongs to an event or a game of the day, `deal` is the table's deal, and `seed` is the seed of
    the whole event or day. Tables with the same deal have the same source of chance. If `players_only` is true, only
    the table's players may see the table until `Store.open_tables` lets everybody see it.
    """

    game: Game
    options: Settled
    chairs: Sequence[PlannedChair]
    host: str
    id: str | None = None
    clock: Clock = Clock()
    listed: bool = False
    previous: str | None = None
    origin: Origin | None = None
    terms: Terms = USUAL
    deal: Deal | None = None
    seed: str | None = None
    players_only: bool = False

    @property
    def full(self) -> bool:
        """Whether no seat is free: each seat has a person or a bot."""
        return all(chair.person is not None or chair.plan.startswith(BOT) for chair in self.chairs)

    def row(self, table_id: str, now: int) -> dict[str, object]:
        """Return the table's row in the database. `now` is in milliseconds."""
        return {
            "id": table_id,
            "game": self.game.name,
            "rules_version": self.game.version,
            "options": json.dumps(self.options),
            "clock": msgspec.json.encode(self.clock).decode(),
            "listed": self.listed,
            "status": "ready" if self.full else "open",
            "host": self.host,
            "invite": new_word(20),  # 100 bits
            "seed": self.seed or secrets.token_hex(32),
            "created_ms": now,
            "ready_ms": now if self.full else None,
            "rev": 0,
            "shown": 0,
            "offers": "{}",
            "previous": self.previous,
            "origin": _encode(self.origin),
            **msgspec.structs.asdict(self.terms),
            "deal": _encode(self.deal),
            "players_only": self.players_only,
        }

    def chair_rows(self, table_id: str) -> list[dict[str, object]]:
        """Return the rows of the table's seats."""
        return [
            {
                "table_id": table_id,
                "seat": seat,
                "plan": chair.plan,
                "person": chair.person,
                "kept": None if chair.person else chair.kept,
            }
            for seat, chair in enumerate(self.chairs)
        ]

    def rematch_notes(self, table_id: str, by: str) -> list[Note]:
        """Return a notification of the rematch for each person for whom a seat is kept. `by` is the host's name."""
        return [
            Note(
                person=chair.kept,
                kind="rematch",
                table=table_id,
                game=self.game.name,
                live=self.clock.kind != "days",
                by=by,
            )
            for chair in self.chairs
            if chair.kept is not None and chair.person is None and chair.kept != self.host
        ]


def _encode(part: Origin | Deal | None) -> str | None:
    return None if part is None else msgspec.json.encode(part).decode()
