"""What the house tells: immutable pictures of a table as one viewer may see it, and short lines for lists."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from spelunke.core.game import Settled
from spelunke.core.values import Action, Event, View
from spelunke.house.plan import Clock

Status = Literal["open", "ready", "playing", "over"]
"""``open``: seats are free. ``ready``: all are taken, nonces come in. ``playing``. ``over``: nothing more to play."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A guest. ``id`` is secret between the house and that person's signed cookie; others only ever see ``name``."""

    id: str
    name: str


class SeatLook(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as everybody may see it.

    ``kind`` is who plays it now: ``open`` nobody yet, ``person``, or ``bot`` from the start; ``level`` is the
    bot's, also when it plays for a person (``absent`` is then True and ``kind`` stays ``person``). ``nonce``
    is None until given, and for others until the start; empty when the game started without one.
    ``used_ms``/``left_ms`` are the clock's (None: no clock); while ``ticking``, ``left_ms`` goes down from the moment
    ``Look.now``. ``ready`` is a
    lamp: the seat has sealed its choice while others have not.
    """

    seat: int
    name: str
    kind: Literal["open", "link", "person", "bot"]
    level: str | None = None
    absent: bool = False
    you: bool = False
    host: bool = False
    nonce: str | None = None
    left_ms: int | None = None
    ticking: bool = False
    ready: bool = False
    offers_draw: bool = False


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence of the log, as the viewer may know it. ``ply`` counts the rows of the table's log from 1.

    ``seat`` is who acted (-1 chance, None the house). ``event`` is the game's own event (None for the house's lines).
    """

    ply: int
    seat: int | None
    text: str
    at_ms: int
    event: Any = None  # the published schema leaves it to the game


class ChatLine(msgspec.Struct, frozen=True, kw_only=True):
    """One message; ``seat`` is None when a spectator said it."""

    n: int
    seat: int | None
    name: str
    text: str
    at_ms: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How it ended. ``ranks``: 1 is best, shared places 1, 1, 3. ``scores`` is None when the game was not played out.

    ``reason`` is the Outcome's: ``played``, ``resigned``, ``time`` or ``agreed``; ``seat`` is who resigned or
    ran out of time. ``text`` is a sentence. ``outcome`` is the match's own Outcome when it was played out.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: Literal["played", "resigned", "time", "agreed"]
    seat: int | None
    text: str
    outcome: Any = None  # the published schema says no more


class Fairness(msgspec.Struct, frozen=True, kw_only=True):
    """What a player needs to verify chance: the commitment from the start, the seed (hex) when the game is over.

    ``nonces`` of others are None until the game starts; ``nonce_commitments`` (SHA-256) tell before who gave one.
    ``opening``: all have given theirs; who gave a commitment gives the nonce now.
    """

    commitment: str
    nonces: tuple[str | None, ...]
    seed: str | None = None
    nonce_commitments: tuple[str | None, ...] = ()
    opening: bool = False


class ChainLook(msgspec.Struct, frozen=True, kw_only=True):
    """Where the viewer's chain is: its link after the rows that it noticed (`ply` of the look), also as six words.

    ``link`` goes with the next action, so that the house can't play on from another past. ``signature`` is the house's,
    by ``key``, over what docs/records.md says; None where the house has no key.
    """

    ply: int
    link: str
    words: str
    key: str | None = None
    signature: str | None = None


class ToldRows(msgspec.Struct, frozen=True, kw_only=True):
    """What a viewer's chain is made of, so that anybody can make it anew.

    The first link is the SHA-256 of ``opening``; each next is that of the link before (32 bytes) and the text in
    ``told`` after it. ``link`` is the one after ``since`` rows, None if there are not so many; ``told`` are the texts
    after it, up to ``chain``.
    """

    table: str
    viewer: int | None
    opening: str
    since: int
    link: str | None
    told: tuple[str, ...]
    chain: ChainLook


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a page needs of a table for one viewer; built by allow-list.

    ``ply`` is what an action of this viewer must carry; it counts what the viewer saw happen, so hidden acts
    don't move it. ``version`` counts every change that this viewer can see: it
    goes into event ids and into ``?since=``; two looks with the same version of one viewer are the same but for clocks.
    ``view`` is the game's View (None before the start); ``legal`` pairs each Action with its move text (empty
    when the viewer is not asked, or a bot plays for it); ``revise`` are the ways to change a choice that it
    has sealed, given to `act` as well. ``last`` are the events from the viewer's last own act on, that act
    included (for a spectator: from the last act of anybody). ``log`` are the sentences after ply ``since``.
    ``may`` names what the viewer can do now besides playing: join, start, leave, nonce, resign, offer_draw,
    accept_draw, decline_draw, take_back, rematch, chat, stand_in, come_back. ``standing`` is this seat's own
    and nobody else's. ``pause_ms`` is how long everybody sees the table wait now (for calls out of turn), whoever
    has answered, and ``pause_left_ms`` what is left of it, 0 when it is over; None where it waits for nobody's time.
    ``chain`` is where the viewer's chain over what it was told is (None before the start).
    ``considered`` is what the seat's kept orders, or a form that it has not sent yet, come to (hook `preview_draft`).
    """

    table: str
    game: str
    title: str
    rules_version: int
    options: Settled
    changed: dict[str, str]
    clock: Clock
    listed: bool
    status: Status
    ply: int
    version: int
    now_ms: int
    created_ms: int
    started_ms: int | None
    seat: int | None
    seats: tuple[SeatLook, ...]
    names: tuple[str, ...]
    actors: tuple[int, ...]
    view: View | None
    legal: tuple[tuple[Action, str], ...]
    revise: tuple[tuple[Action, str], ...]
    last: tuple[Event, ...]
    log: tuple[LogLine, ...]
    chat: tuple[ChatLine, ...]
    fairness: Fairness
    may: frozenset[str]
    invite: str | None = None
    rematch: str | None = None
    previous: str | None = None
    result: Result | None = None
    standing: object = None
    pause_ms: int | None = None
    pause_left_ms: int | None = None
    considered: msgspec.Struct | None = None
    chain: ChainLook | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an action; what is true now comes with it.

    ``done``: played and durable now. ``repeated``: that key was played before, nothing changed. ``stale``:
    the table had moved on, nothing changed; look again.
    """

    status: Literal["done", "repeated", "stale"]
    ply: int
    version: int


class TableLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list. ``yours``: the viewer is asked to act there. ``seats`` are names, None where free.

    ``since_ms`` is when the viewer was last told of something that happened.
    """

    table: str
    game: str
    title: str
    status: Status
    seats: tuple[str | None, ...]
    changed: dict[str, str]
    clock: Clock
    ply: int
    since_ms: int
    yours: bool = False
    seat: int | None = None
    result: str | None = None


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """A word on the bus: something may have changed at ``table``; look for yourself. Carries no secret."""

    table: str
    ply: int
    version: int


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the house can work: its store answers, its writer and timers live. ``late_ms`` is the oldest due work."""

    ok: bool
    store: str
    store_ms: float
    writer_queue: int
    tables_in_memory: int
    late_ms: int
    worker: str
    problems: tuple[str, ...] = ()

    @property
    def status(self) -> Literal["ok", "degraded", "down"]:
        """``down``: it can't work; ``degraded``: it works, and something is wrong. All that strangers are told."""
        if not self.ok:
            return "down"
        return "degraded" if self.problems else "ok"
