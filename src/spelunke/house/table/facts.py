"""The stored data of a table, except its log."""

from __future__ import annotations

from typing import Literal

import msgspec

from spelunke.core.chance import commitment
from spelunke.games.game import Game, Settled
from spelunke.house.messages import ChatLine, Status
from spelunke.house.plan import BOT, HERE, LINK, Clock, Terms
from spelunke.house.refusals import NotSeated, WatchLater
from spelunke.records.chain import Opening
from spelunke.records.proof import Given
from spelunke.records.record import Deal, Origin
from spelunke.records.sealing import given_of, opening_of

OF_DAY = "day:"
"""The prefix of an event's name if the event is a game of the day. The whole name is `day:GAME:DATE`."""


class Attention(msgspec.Struct, frozen=True, omit_defaults=True):
    """The summaries of rounds that a seat's person has seen. A summary is identified by its row in the log.

    ``held`` is the newest summary that the seat's page has shown. At a table without bots, nothing waits for
    people who look at a summary, so ``held`` is not stored. ``seen`` is the newest summary that the person
    dismissed. ``again``: the person has opened the newest summary again. ``rev`` is a number that grows when
    the page must be drawn again.
    """

    held: int = 0
    seen: int = 0
    again: bool = False
    rev: int = 0


class Chair(msgspec.Struct, frozen=True):
    """The stored data of a seat.

    `plan` is the seat's value in the table's `Plan`. `kept` is the person for whom the seat is reserved until
    they sit down. `name` is the name of the seat's person, or of the person in `kept`. `figure` and `colour`
    describe the person's portrait. `reaction` is the newest reaction, and `reaction_ms` its time. `eyes`:
    spectators may see everything that this seat sees. `program`: a program plays for the person.
    `vacation_ms` is the end of the person's newest vacation, which may be past. `since_ms` is the time when the person
    in `name` was created.
    """

    seat: int
    plan: str
    person: str | None
    name: str | None
    nonce: str | None
    nonce_commitment: str | None
    orders: str | None
    orders_rev: int
    kept: str | None = None
    seen_ms: int | None = None
    nudged_ms: int | None = None
    nudged_by: int | None = None
    call_off_ms: int | None = None
    attention: Attention = Attention()
    figure: str = ""
    colour: str = ""
    reaction: str | None = None
    reaction_ms: int | None = None
    eyes: bool = False
    program: bool = False
    vacation_ms: int | None = None
    since_ms: int | None = None

    @property
    def level(self) -> str | None:
        """The level of the bot that the table's plan has for this seat, or None."""
        return self.plan.removeprefix(BOT) if self.plan.startswith(BOT) else None

    @property
    def here(self) -> bool:
        """Whether the seat's person plays on the device of the table's host, and is not the host."""
        return self.plan.startswith(HERE)

    @property
    def kind(self) -> Literal["open", "link", "kept", "person", "bot"]:
        """The kind of player at this seat, or the kind of people who may sit down there: see `SeatLook`."""
        if self.level:
            return "bot"
        if self.person:
            return "person"
        if self.kept:
            return "kept"
        return "link" if self.plan == LINK else "open"

    @property
    def free(self) -> bool:
        """Whether somebody may still sit down at this seat."""
        return self.person is None and self.level is None


class Facts(msgspec.Struct, frozen=True):
    """The stored data of a table except its log. It includes the seats (`Chair`) and the newest chat.

    No value is older than the table's revision `rev`.
    """

    id: str
    game: str
    rules_version: int
    options: Settled
    clock: Clock
    listed: bool
    status: Status
    host: str
    invite: str
    seed: str
    created_ms: int
    ready_ms: int | None
    closed_ms: int | None
    started_ms: int | None
    ended_ms: int | None
    rev: int
    shown: int
    offers: dict[int, int]
    previous: str | None
    rematch: str | None
    # the people for whom seats of the rematch are kept, and the person who offered the rematch
    invited: frozenset[str]
    offered_by: str | None
    result: str | None
    origin: Origin | None
    chairs: tuple[Chair, ...]
    chat: tuple[ChatLine, ...]
    # the person who wrote each line of chat, and the writers whom a person has muted or blocked
    writers: tuple[str, ...] = ()
    mutes: dict[str, frozenset[str]] = {}
    # whether the result changes ratings, and the time when it was counted
    rated: bool = False
    counted_ms: int | None = None
    # If true, only the host's friends see the table in lists. Only they and people with the link may sit down.
    friends: bool = False
    # the number of plies by which spectators are behind, and whether the players' chat is closed to them
    delay: int = 0
    chat_closed: bool = False

    @property
    def terms(self) -> Terms:
        """The table's settings that belong to `Terms`, for example whether the table is rated."""
        return Terms(rated=self.rated, friends=self.friends, delay=self.delay, chat_closed=self.chat_closed)

    # the deal of an event whose chance this table uses; None: the table has its own chance
    deal: Deal | None = None
    # whether only its own players may see the table, because other tables of a running round or day have the same
    # cards
    players_only: bool = False

    @property
    def of_day(self) -> bool:
        """Whether this is a table of a game of the day."""
        return self.deal is not None and self.deal.event.startswith(OF_DAY)

    def seat_of(self, person: str | None) -> int | None:
        """Return the person's seat, or None."""
        if person is None:
            return None
        return next((chair.seat for chair in self.chairs if chair.person == person), None)

    def require_seat(self, person: str | None) -> int:
        """Return the person's seat. Raise NotSeated if the person has none."""
        seat = self.seat_of(person)
        if seat is None:
            raise NotSeated("you have no seat at this table; you may watch")
        return seat

    def admit_spectator(self) -> None:
        """Raise WatchLater if only the table's own players may see its game now.

        Call this for each person without a seat who wants to see the game or to chat about it.
        """
        if not self.players_only:
            return
        event = "" if self.deal is None else self.deal.event
        if self.of_day:
            raise WatchLater(
                "other tables of this game of the day have the same dice and cards, so you can look at this table only "
                "when the day is in the archive",
                event,
            )
        raise WatchLater(
            "other tables of this round have the same dice and cards, so you can watch this table only when the "
            "round is over",
            event,
        )

    @property
    def shares_device(self) -> bool:
        """Whether several people play on the host's device."""
        return any(chair.here for chair in self.chairs)

    def at_device(self, person: str | None) -> tuple[Chair, ...]:
        """Return the chairs of all people at this person's device, including the person's own.

        If nobody else plays on the device, the result is empty.
        """
        if not self.shares_device:
            return ()
        there = tuple(chair for chair in self.chairs if chair.here or chair.person == self.host)
        return there if any(chair.person == person for chair in there) else ()

    @property
    def nonces(self) -> tuple[str, ...]:
        """Each seat's nonce (its contribution to chance), or an empty text if the seat sent none.

        At tables of an event, all are empty.
        """
        if self.deal is not None:
            return ("",) * len(self.chairs)
        return tuple(chair.nonce or "" for chair in self.chairs)

    @property
    def missing_nonces(self) -> bool:
        """Whether the table still needs a nonce: some person has sent neither a nonce nor a commitment to one.

        Tables of an event need no nonces, and people on the host's device send none.
        """
        return self.deal is None and any(
            c.person and not c.here and c.nonce is None and c.nonce_commitment is None for c in self.chairs
        )

    @property
    def unopened_nonces(self) -> bool:
        """Whether some seat has sent a commitment but not yet its nonce. At tables of an event, always false."""
        return self.deal is None and any(
            c.nonce_commitment is not None and c.nonce is None for c in self.chairs
        )

    @property
    def given(self) -> tuple[Given, ...]:
        """For each seat, the commitment to its nonce, and the way in which the seat gave the nonce (see `Given`)."""
        if self.deal is not None:
            return (given_of("", None),) * len(self.chairs)
        return tuple(given_of(chair.nonce or "", chair.nonce_commitment) for chair in self.chairs)

    def make_opening(self, game: Game) -> Opening:
        """Return the opening of the table's hash chains: the data from which the first hash of each chain is
        computed.

        The game must have started.
        """
        assert self.started_ms is not None
        seed = bytes.fromhex(self.seed)
        return opening_of(
            game,
            self.options,
            table=self.id,
            levels=[chair.level for chair in self.chairs],
            started=self.started_ms,
            commitment=commitment(seed),
            nonces=self.nonces,
            given=self.given,
            origin=self.origin,
            seed=seed,
            deal=self.deal,
        )
