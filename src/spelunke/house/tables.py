"""A table in memory: its facts as stored, and its game as replayed from the log.

A row is a move of a seat, an outcome of chance (seat -1), or a note of the house: a text that begins with `!`.
"""

from __future__ import annotations

import bisect
from typing import Any

import msgspec

from spelunke.core.chance import Verifiable
from spelunke.core.contract import CHANCE
from spelunke.core.errors import SpelunkeError, UnknownGame
from spelunke.core.game import Game
from spelunke.core.hooks import Hooks
from spelunke.core.match import Match
from spelunke.core.outcome import Outcome
from spelunke.games import find_game
from spelunke.house.clocks import Clocks
from spelunke.house.facts import Facts

RESIGN, TIME, DRAW = "!resign", "!time", "!draw"
STAND_IN, COME_BACK, AWAY = "!bot", "!person", "!away"


class Row(msgspec.Struct, frozen=True):
    """One row of the log."""

    ply: int
    seat: int
    move: str
    at: int
    key: str | None = None
    hand: str | None = None


def find_rules(name: str, version: int) -> Game:
    """The game in that version of its rules; raises UnknownGame."""
    game = find_game(name)
    if game.version != version:
        raise UnknownGame(
            f"this table was begun with version {version} of the rules of {game.title}, and this house has version "
            f"{game.version}; it can go on only where version {version} is installed"
        )
    return game


class Veil:
    """A moment in which it is told to nobody who has answered (hook `seats_maybe_asked`), as it has gone so far."""

    __slots__ = ("after", "name", "runs")

    def __init__(self, name: str, runs: list[bool]) -> None:
        self.name = name
        # whose clocks run while they are asked in it
        self.runs = runs
        # rows and plies of the match there were, and the true clocks: at its beginning, and after each row since
        self.after: list[tuple[int, int, Clocks]] = []


class Table:
    """A table that is replayed: `match` is None until it starts. Not thread-safe: its slot's lock guards it."""

    def __init__(self, facts: Facts) -> None:
        self.game = find_rules(facts.game, facts.rules_version)
        self.facts = facts
        self.rows: list[Row] = []
        self.match: Match | None = None
        self.keys: set[tuple[int, str]] = set()
        n = len(facts.chairs)
        self.seats = n
        self.stands_in: list[str | None] = [None] * n
        self.resigned: list[int] = []
        self.ended: Row | None = None
        self.clocks = Clocks(facts.clock, n)
        # opened[seat]: rows there were when the seat's present decision began, None when it has none
        self.opened: list[int | None] = [None] * n
        self.chances = 0
        # the ply of the match that each row became, -1 for notes
        self._where: list[int] = []
        # whether the game is being played, the seats that are asked, and whether chance is to decide
        self.running = False
        self.actors: tuple[int, ...] = ()
        self.at_chance = False
        # the seats that were asked after each number of rows
        self._actors_after: list[tuple[int, ...]] = []
        self._offered: list[tuple[bool, frozenset[Any]]] = [(False, frozenset())] * n
        self._seen: dict[int | None, list[int]] = {}
        self._told: dict[int | None, dict[int, tuple[Any, ...]]] = {}
        self._views: dict[int | None, Any] = {}
        self._verifiable: Verifiable | None = None
        # the name of the time that the table is seen to wait, when it began, and how long it is
        self.pause: tuple[str, int, int] | None = None
        self.veil: Veil | None = None
        # (kind, seat, opened) of due work that led to nothing: standing orders that leave it to their owner
        self.given_up: set[tuple[str, int, int]] = set()
        # by seat, for which moment and kept orders, what they come to
        self.considered: dict[int, tuple[Any, Any]] = {}
        if facts.status == "playing" or (facts.status == "over" and facts.started_ms is not None):
            self.begin()

    def begin(self) -> None:
        """Set the match up; its rows follow."""
        self.match = Match(self.game, self.seats, self.facts.options)
        self._verifiable = Verifiable(bytes.fromhex(self.facts.seed), self.facts.id, self.facts.nonces)
        assert self.facts.started_ms is not None
        self._settle()
        if not self.at_chance:
            self._ask(self.facts.started_ms)

    @property
    def ply(self) -> int:
        """How many rows the log has."""
        return len(self.rows)

    @property
    def last_at(self) -> int:
        """The time of the last row, or of the start."""
        return self.rows[-1].at if self.rows else (self.facts.started_ms or self.facts.created_ms)

    def _settle(self) -> None:
        """Work out once per row what is asked for all the time."""
        assert self.match is not None
        self._views = {}
        over = self.ended is not None or self.match.over
        self.running = not over
        self.actors = () if over else self.match.actors
        self.at_chance = not over and not self.actors
        del self._actors_after[self.ply :]
        self._actors_after.append(self.actors)

    def hand(self, seat: int) -> str | None:
        """The level of the bot that plays the seat now, or None for its person."""
        return self.facts.chairs[seat].level or self.stands_in[seat]

    def replay(self, rows: list[Row]) -> None:
        """Apply rows that are stored; they must follow."""
        for row in rows:
            self.apply(row)

    def apply(self, row: Row) -> Row:
        """Apply the next row of the log; returns it with the move's one written form. Raises what the match raises."""
        assert self.match is not None
        if row.ply != self.ply + 1:
            raise SpelunkeError(f"table {self.facts.id}: ply {row.ply} follows {self.ply}; the log has a gap")
        if row.move.startswith("!"):
            self._note(row)
        elif row.seat == CHANCE:
            ply = self.match.land(self.game.notation.parse_chance(row.move))
            self._where.append(ply.number)
            self.chances += 1
        else:
            ply = self.match.act(row.seat, self.match.parse(row.move))
            row = msgspec.structs.replace(row, move=ply.text)
            self._where.append(ply.number)
            self.clocks.acted(row.seat, row.at)
            self.opened[row.seat] = None
        self.rows.append(row)
        if row.key:
            self.keys.add((row.seat, row.key))
        self._settle()
        if not self.at_chance:
            self._ask(row.at)
        return row

    def _ask(self, at: int) -> None:
        """Settle whose decision is open, and the clocks, after a row (chance excepted: it takes no time)."""
        assert self.match is not None
        now = self.actors
        for seat in range(self.seats):
            # A decision goes on while all that could be chosen still can be, whatever others do meanwhile; a sealed
            # choice that can be changed is a decision too.
            acting = seat in now
            choices = self._choices(seat) if acting else frozenset(self.revisions(seat))
            offered = (acting, choices)
            if not (acting or choices):
                self.opened[seat] = None
            elif (
                self.opened[seat] is None
                or self._offered[seat][0] != acting
                or not self._offered[seat][1] <= choices
            ):
                self.opened[seat] = self.ply
            self._offered[seat] = offered
        self._note_pause(at)
        counts = self._counting()
        runs = [counts[seat] and self.hand(seat) is None for seat in range(self.seats)]
        self.clocks.ask(now, runs, at, self.time_begins(at))
        self._note_veil(counts)

    def _note_pause(self, at: int) -> None:
        """Keep when the time began that everybody sees the table wait (`core.hooks`)."""
        if self.match is None:
            return
        found = self.game.hooks.visible_wait(
            self.match.options, self.facts.clock.kind != "days", self.match.state
        )
        if found is None or not self.running:
            self.pause = None
        elif self.pause is None or self.pause[0] != found[0]:
            self.pause = (found[0], at, found[1])

    def time_begins(self, at: int) -> int:
        """When the time of who is asked at that moment begins to count: not while everybody sees the table wait."""
        return at if self.pause is None else max(at, self.pause[1] + self.pause[2])

    def _note_veil(self, counts: list[bool]) -> None:
        """Keep the clocks of a moment in which not everybody knows who has answered (`house.told`)."""
        if self.match is None:
            return
        found = self.game.hooks.seats_maybe_asked(self.match.state, None) if self.running else None
        if found is None:
            self.veil = None
            return
        if self.veil is None or self.veil.name != found[0]:
            self.veil = Veil(found[0], counts)
        self.veil.after.append((self.ply, self.match.ply, self.clocks.copy()))

    def _choices(self, seat: int) -> frozenset[Any]:
        """What the seat can choose; empty where one seat acts at a time, as then each row opens a new decision.

        What the house makes of a choice by the time of its arrival is not the seat's to choose, so it doesn't count
        that another's call puts an end to it.
        """
        assert self.match is not None
        if not self.game.together:
            return frozenset()
        if not self.game.hooks.has(Hooks.action_on_arrival):
            return frozenset(self.match.numbers(seat))
        arrive = self.game.hooks.action_on_arrival
        return frozenset(arrive(action, self.match.state, None) for action in self.match.legal(seat))

    def _counting(self) -> list[bool]:
        """By seat, whether its time counts if a person plays it: not where silence is an answer as well."""
        window = self.window_ms()
        return [window is None or self.silence(seat) is None for seat in range(self.seats)]

    def window_ms(self) -> int | None:
        """How long the present decision may wait until silence is an answer (`core.hooks`); None: for ever."""
        if self.match is None or not self.actors:
            return None
        return self.game.hooks.answer_window_ms(
            self.match.options, self.facts.clock.kind != "days", self.match.state
        )

    def silence(self, seat: int) -> str | None:
        """The move text of a seat that says nothing until its window closes, or None."""
        assert self.match is not None
        action = self.game.hooks.silent_action(self.match.state, seat)
        return None if action is None else str(self.game.notation.write(action))

    def window_closes(self, seat: int) -> int | None:
        """When the seat's silence becomes its answer, or None when it does not."""
        length = self.window_ms()
        if length is None or seat not in self.actors or self.silence(seat) is None:
            return None
        return self.opened_at(seat) + length

    def asked(self, viewer: int | None) -> tuple[int, ...]:
        """The seats that the viewer knows to be asked: those that were after the last row that it noticed.

        Whoever answered without others being told still counts as asked for them. A seat knows of itself.
        """
        if not self.running:
            return ()
        if self.veil is not None:
            return self.asked_then(viewer, self.veil.after[-1][1])
        counts = self.seen(viewer)
        noticed = bisect.bisect_left(counts, counts[-1])
        while noticed < self.ply and not self._actors_after[noticed]:
            noticed += 1  # chance was to decide there: what followed is the first that anybody was asked
        known = set(self._actors_after[noticed]) - {viewer}
        if viewer in self.actors:
            known.add(viewer)
        return tuple(sorted(known))

    def asked_then(self, viewer: int | None, ply: int) -> tuple[int, ...]:
        """The seats that the viewer took to be asked before that ply of the match, in the present veil."""
        assert self.match is not None
        found = self.game.hooks.seats_maybe_asked(self.match.state_at(ply), viewer)
        return self.actors if found is None else tuple(found[1])

    def _note(self, row: Row) -> None:
        self._where.append(-1)
        word, _, rest = row.move.partition(" ")
        if word == DRAW:
            self.ended = row
        elif word == STAND_IN:
            self.stands_in[row.seat] = rest
        elif word == COME_BACK:
            self.stands_in[row.seat] = None
        elif word == AWAY:
            self.clocks.begin_anew(row.at)
        elif word == TIME and self.facts.clock.when_out(self.seats) == "bot":
            self.stands_in[row.seat] = rest
        elif word in {RESIGN, TIME}:
            self.resigned.append(row.seat)
            if self.seats - len(self.resigned) < 2:
                self.ended = row
            elif self.hand(row.seat) is None:
                self.stands_in[row.seat] = rest
        else:
            raise SpelunkeError(f"table {self.facts.id}: the house can't read its note {row.move!r}")

    def revisions(self, seat: int) -> tuple[Any, ...]:
        """How the seat may change what it has sealed; empty when it has not, or can't any more."""
        if self.match is None or not self.running or not self.game.together:
            return ()
        return self.match.revisions(seat)

    def draw_chance(self, at: int) -> list[Row]:
        """Let the verifiable chance decide until a seat is asked; returns the new rows, already applied."""
        assert self.match is not None
        assert self._verifiable is not None
        rows = []
        while self.at_chance:
            outcomes = self.match.chances()
            index = self._verifiable.pick(self.chances, [weight for _, weight in outcomes])
            text = self.game.notation.write_chance(outcomes[index][0])
            rows.append(self.apply(Row(self.ply + 1, CHANCE, text, at)))
        return rows

    def events_of(self, index: int, viewer: int | None) -> tuple[Any, ...]:
        """The game's events of row `index`, as the viewer (a seat, None, or ALL) may know them."""
        told = self._told.setdefault(viewer, {})
        events = told.get(index)
        if events is None:
            ply = self._where[index]
            events = self.match.events_of(ply, viewer) if self.match is not None and ply >= 0 else ()
            told[index] = events
        return events

    def view(self, viewer: int | None) -> Any:
        """The game's View for a seat or a spectator; made once per row, however many watch. None before the start."""
        if self.match is None:
            return None
        if viewer not in self._views:
            self._views[viewer] = self.match.view(viewer)
        return self._views[viewer]

    def seen(self, viewer: int | None) -> list[int]:
        """seen[i]: how many of the first i rows the viewer noticed; what it can't know moves none of its counters."""
        counts = self._seen.setdefault(viewer, [0])
        for index in range(len(counts) - 1, self.ply):
            row = self.rows[index]
            open_game = not (self.game.hidden or self.game.together)
            noticed = open_game or self._where[index] < 0 or row.seat == viewer
            counts.append(counts[-1] + (noticed or bool(self.events_of(index, viewer))))
        return counts

    def told_at(self, viewer: int | None) -> int:
        """The time of the last row that the viewer noticed, or of the start."""
        counts = self.seen(viewer)
        rows = bisect.bisect_left(counts, counts[-1])
        return self.rows[rows - 1].at if rows else (self.facts.started_ms or self.facts.created_ms)

    def outcome(self) -> Outcome | None:
        """How it ended; None while it runs. Who gave up has the last place (shared, if several did)."""
        if self.match is None or self.running:
            return None
        n = self.seats
        if self.ended is None:
            return self.match.outcome
        if self.ended.move == DRAW:
            return Outcome((0,) * n, (1,) * n, "agreed")
        last = n - len(self.resigned) + 1
        ranks = tuple(last if seat in self.resigned else 1 for seat in range(n))
        return Outcome((0,) * n, ranks, "time" if self.ended.move.startswith(TIME) else "resigned")

    def opened_at(self, seat: int) -> int:
        """When the seat's present decision began."""
        opened = self.opened[seat] or 0
        return self.rows[opened - 1].at if opened else (self.facts.started_ms or self.facts.created_ms)

    def where(self, index: int) -> int:
        """The ply of the match that row `index` became, -1 for notes."""
        return self._where[index]

    def offers(self) -> tuple[int, ...]:
        """The seats whose offer of a draw stands: nobody else has moved since, as far as everybody was told."""
        return tuple(
            seat
            for seat, ply in self.facts.offers.items()
            if ply >= 0 and not any(self._heard(index, seat) for index in range(ply, self.ply))
        )

    def _heard(self, index: int, seat: int) -> bool:
        """Whether row `index` is an act of somebody else than the seat of which everybody was told."""
        counts = self.seen(None)
        return self.rows[index].seat not in {seat, CHANCE} and counts[index] != counts[index + 1]

    def offered_since_own_move(self, seat: int) -> bool:
        """Whether the seat has offered a draw (declined or not) and not moved since."""
        ply = self.facts.offers.get(seat)
        if ply is None:
            return False
        ply = ply if ply >= 0 else -ply - 1
        return not any(row.seat == seat and not row.move.startswith("!") for row in self.rows[ply:])
