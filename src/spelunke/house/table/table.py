"""The complete state of a table in memory: its stored facts, and its game replayed from the log.

The state includes secrets. A :class:`spelunke.house.sight.viewers.Viewer` decides which parts of it each seat
may see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import msgspec

from spelunke.core.chance import Verifiable
from spelunke.core.contract import ALL, CHANCE
from spelunke.core.errors import SpelunkeError, UnknownGame
from spelunke.core.outcome import Outcome
from spelunke.core.values import Event
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.games.lesson import Progress
from spelunke.games.match import Match
from spelunke.house.refusals import DamagedLog
from spelunke.house.table.clocks import SCENE_MS, Clocks
from spelunke.house.table.companions import name_seats, seat_companions
from spelunke.house.table.decisions import Checkpoint, Decisions, SecretAnswers, VisibleWait, give_back
from spelunke.house.table.facts import Facts
from spelunke.house.table.log import (
    ALONE,
    AWAY,
    LESSON,
    READ,
    SHORT,
    UNDO,
    Log,
    Row,
)
from spelunke.house.table.moments import Moment, Rounds
from spelunke.house.table.noticed import Noticed
from spelunke.house.table.offers import Asking, DrawOffers
from spelunke.house.table.seating import Seating
from spelunke.records.chain import Opening, RowChain
from spelunke.records.dealt import DealtChance
from spelunke.records.fairness import decide

T = TypeVar("T")

NO_CHOICES: frozenset[object] = frozenset()


def find_rules(name: str, version: int) -> Game:
    """Return the game with this version of its rules.

    Raise UnknownGame if the game is not installed, or is installed with another version.
    """
    game = find_game(name)
    if game.version != version:
        raise UnknownGame(
            f"this table began with version {version} of the rules of {game.title}, and this house has version "
            f"{game.version}; install version {version} to continue it"
        )
    return game


class Table:
    """A table with its game replayed. `match` is None until the game starts.

    This class is not thread-safe. While you use a table, hold the lock of its `house.play.table_store.Slot`.
    """

    def __init__(self, facts: Facts) -> None:
        self.game = find_rules(facts.game, facts.rules_version)
        self.seats = len(facts.chairs)
        # whether the game has standing orders
        self.takes_orders = Hooks.action_by_orders in self.game.hooks.offered
        # whether the log marks moves by standing orders: not if the server also turns silence into moves
        self.tells_orders = self.takes_orders and Hooks.silent_action not in self.game.hooks.offered
        self.adopt(facts)
        self.log = Log()
        # the number of rows in the log, with notes and chance; the time of the game's start (before it, the time at
        # which the table was made); and the time of the newest row
        self.row = 0
        self.began_at = self.last_at = facts.started_ms or facts.created_ms
        self.match: Match | None = None
        self.seating = Seating(self.seats)
        self.clocks = Clocks(facts.clock, self.seats)
        self.decisions = Decisions(self.seats)
        self.asking = Asking()
        self.wait: VisibleWait | None = None
        self.secret: SecretAnswers | None = None
        self.lesson: Progress | None = None  # None if there is no lesson, or no longer
        self.lesson_rows = 0  # the number of rows up to the end of the lesson
        # how often a task (kind, seat, row) had no effect, such as standing orders that leave a decision open
        self.in_vain: Counter[tuple[str, int, int]] = Counter()
        # the table some plies ago, with the facts from which it was made (see `behind`); and whether this table
        # is such an earlier one
        self.behind: tuple[Facts, Table] | None = None
        self.late = False
        self._chance: Verifiable | DealtChance | None = None
        self._opening: Opening | None = None
        self._chain: RowChain | None = None
        self._noticed: dict[int | None, Noticed] = {}
        self._events: dict[int, tuple[Event, ...]] = {}
        # People at one device play one after the other, so the table is not live. The same holds if each
        # decision may take days.
        self._live = facts.clock.kind != "days" and not facts.shares_device
        self.moment = Moment(self.game, None, live=self._live)
        # whether the game is being played, and the seats to act, as in `moment`
        self.running = False
        self.actors: tuple[int, ...] = ()
        # while a host has closed the site and the table has a live clock: the host's reason; otherwise empty
        self.paused = ""
        # the seats to act after each number of rows
        self.asked_after: list[tuple[int, ...]] = []
        self.rounds = Rounds()
        if facts.status == "playing" or (facts.status == "over" and facts.started_ms is not None):
            self.begin()

    def adopt(self, facts: Facts) -> None:
        """Replace the table's facts, and update the values that depend only on facts.

        This does not store the facts. If the table is stored and the facts are new, the caller must commit them.
        """
        self.facts = facts
        # by seat, the level of the bot in the table's plan, or None
        self.levels = tuple(chair.level for chair in facts.chairs)
        # by seat, the character of that bot
        self.companions = seat_companions(self.game, facts.id, self.levels)
        # the name of each seat; a free seat's is a dash, and equal names are numbered
        self.names = name_seats([(chair.name, chair.since_ms) for chair in facts.chairs], self.companions)
        # the kind of player at each seat: see `SeatLook`
        self.kinds = tuple(chair.kind for chair in facts.chairs)
        # by seat, whether its person plays at the host's device
        self.here = tuple(chair.here for chair in facts.chairs)
        # whether at most one person plays; then no other person waits for an answer, and the game is not `live`
        self.alone = self.levels.count(None) <= 1
        self._by_facts: dict[Hashable, object] = {}

    # --- the past

    def time_after(self, row: int) -> int:
        """Return the time of row `row`. If `row` is 0, return the time at which the game began."""
        return self.log.rows[row - 1].at if row else self.began_at

    def events_of(self, index: int) -> tuple[Event, ...]:
        """Return all events of row `index`, including secret ones.

        Everybody may see them when the game is over.
        """
        events = self._events.get(index)
        if events is None:
            ply = self.log.plies[index]
            events = () if self.match is None or ply is None else self.match.events_of(ply, ALL)
            self._events[index] = events
        return events

    def noticed(self, seat: int | None) -> Noticed:
        """Return the rows that a viewer has noticed so far.

        A viewer notices a row if the row is a note, if the viewer made the move, or if the viewer receives one
        of the row's events. In a game that hides nothing, everybody notices every row. The viewer is a seat, or
        a spectator if `seat` is None.
        """
        found = self._noticed.get(seat)
        if found is None:
            hides = seat is None or self.game.hidden or self.game.together
            everybody = None if hides else self.noticed(None)
            found = Noticed(self.log, self.match, seat, self._opening, open_to_all=everybody)
            self._noticed[seat] = found
        if len(found.counts) <= self.row:
            found.follow()
        return found

    def notice(self) -> None:
        """Find the rows that each viewer has noticed, and compute each viewer's hash chain from these rows.

        The viewers are a spectator and the seats in `people`.

        The game must have begun. The results are cached, and later calls only add the new rows.
        """
        for seat in (None, *self.people):
            noticed = self.noticed(seat)
            noticed.link_at(noticed.seen)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None before the end of the game.

        If the game ended because all seats but one gave up, the seats that gave up share the last rank.
        """
        if self.match is None or self.running:
            return None
        return self.seating.outcome or self.match.outcome

    # --- the players

    def bot_at(self, seat: int) -> str | None:
        """Return the level of the bot that plays the seat now, or None if no bot plays it."""
        return self.levels[seat] or self.seating.stand_ins[seat]

    def by_facts(self, what: Hashable, find: Callable[[], T]) -> T:
        """Return the cached value for the key `what`. If there is none, call `find` and cache its result.

        The cache is cleared when the facts change, so the value must depend only on the facts and the key.
        """
        if what not in self._by_facts:
            self._by_facts[what] = find()
        return cast(T, self._by_facts[what])

    @property
    def people(self) -> list[int]:
        """The seats of people who have not given up: they have not resigned, left, or lost on time."""
        return [
            c.seat for c in self.facts.chairs if c.person is not None and c.seat not in self.seating.resigned
        ]

    @property
    def can_agree(self) -> bool:
        """Whether the players can agree on a draw.

        They can if at least two people have not given up, and if the table was set up without bots.
        """
        return not any(self.levels) and len(self.people) >= 2

    @property
    def offers(self) -> DrawOffers:
        """The draw offers at this table."""
        return DrawOffers(self.facts.offers, self.log, self.noticed(None))

    @property
    def taught(self) -> bool:
        """Whether the game began as a lesson. In a lesson, the outcomes of chance are determined in advance."""
        return bool(self.log.rows) and self.log.rows[0].note[0] == LESSON

    def waits_for_learner(self, seat: int) -> bool:
        """Return whether this seat must not move now, because the lesson waits for its learner."""
        return self.lesson is not None and self.lesson.due(seat) is None

    # --- the seats' present decisions

    def opened_at(self, seat: int) -> int:
        """Return the time at which the seat's present decision began. If the seat has none, return the game's start."""
        return self.time_after(self.decisions.opened[seat] or 0)

    def window_closes(self, seat: int) -> int | None:
        """Return the time at which the seat's silence becomes an answer, or None if it never becomes one."""
        length = self.moment.window_ms
        silent = seat in self.actors and self.moment.silence(seat) is not None
        if length is None or not silent or self.lesson is not None:  # no time runs for learners who read
            return None
        return max(self.opened_at(seat), self.clocks.anew) + length

    def time_begins(self, at: int) -> int:
        """Return the time at which clocks start for a decision that opens at the time `at`.

        Clocks start after the end of a visible wait. In a live game, they also wait until people have had
        time to look at a round's result.
        """
        begins = at if self.wait is None else max(at, self.wait.ends)
        if self._live and self.rounds.ends:
            begins = max(begins, self.time_after(self.rounds.ended) + SCENE_MS)
        return begins

    # --- moving on

    def begin(self) -> None:
        """Set up the match. Call this before the first row is applied."""
        self.match = self._open_match()
        facts, seed = self.facts, bytes.fromhex(self.facts.seed)
        self._chance = Verifiable(seed, facts.id, facts.nonces)
        if facts.deal is not None:
            self._chance = DealtChance(seed, facts.deal)
        self._noticed = {}
        assert facts.started_ms is not None
        self._opening = facts.make_opening(self.game)
        self._chain = RowChain(self._opening, seed)
        self.began_at = self.last_at = facts.started_ms
        self._move_on(facts.started_ms)

    @property
    def opening(self) -> Opening:
        """The data from which the first hash of each of the table's hash chains is computed.

        The game must have started.
        """
        assert self._opening is not None
        return self._opening

    def _open_match(self) -> Match:
        if self.facts.origin is None:
            return Match(self.game, self.seats, self.facts.options)
        state = self.game.notation.parse_position(dict(self.facts.origin.position))
        return Match(self.game, self.seats, self.facts.options, state=state)

    def replay(self, rows: list[Row]) -> None:
        """Apply stored rows.

        Raise DamagedLog if a row is missing, does not match its hash, or can't be played.
        """
        assert self._chain is not None
        for row in rows:
            if row.number != self.row + 1:
                raise DamagedLog(self.facts.id, self.row + 1, "is missing")
            if row.link not in {None, self._chain.find(row.line(self.began_at)).hex()}:
                raise DamagedLog(
                    self.facts.id, row.number, "(or the table's opening) does not match its chain"
                )
            try:
                self.apply(row)
            except SpelunkeError as error:
                raise DamagedLog(self.facts.id, row.number, f"can't be played: {error}") from None

    def apply(self, row: Row) -> Row:
        """Apply the next row of the log. Return the row with its canonical move text and its hash (`Row.link`).

        Raise SpelunkeError if a row is missing before this one, or if the row can't be read. Raise Refused if the
        match does not allow the row's action or outcome of chance.
        """
        assert self.match is not None
        if row.number != self.row + 1:
            raise SpelunkeError(
                f"table {self.facts.id}: ply {row.number} follows {self.row}; the log has a gap"
            )
        if row.is_note:
            self._note(row)
            return self._append(row, None)
        if row.seat == CHANCE:
            ply = self.match.land(self.game.notation.parse_chance(row.move))
        else:
            ply = self.match.act(row.seat, self.match.parse(row.move))
            row = msgspec.structs.replace(row, move=ply.text)
            self.decisions.opened[row.seat] = None
        return self._append(row, ply.number)

    def decide_chance(self, at: int) -> list[Row]:
        """Decide outcomes of chance until a seat is to act or the game is over.

        Return the new rows, which are already applied.
        """
        assert self.match is not None
        assert self._chance is not None
        rows = []
        while self.moment.at_chance:
            step = None if self.lesson is None else self.lesson.due(CHANCE)
            if step is not None:
                ply = self.match.apply_chance(self.game.notation.parse_chance(step.move))
            else:
                ply = self.match.apply_chance(decide(self.match, self._chance))
            rows.append(self._append(Row(self.row + 1, CHANCE, ply.text, at), ply.number))
        return rows

    def _note(self, row: Row) -> None:
        word, rest = row.note
        self._follow_wait(row.at, anew=word == AWAY)
        self.clocks.note(row, self.time_begins(row.at))
        if word == LESSON:
            lesson = self.game.hooks.lesson()
            steps = () if lesson is None else lesson.short if rest == SHORT else lesson.steps
            self.lesson = Progress(steps) if steps else None
        elif word == READ:
            if self.lesson is not None:
                self.lesson.went_on()
        elif word == ALONE:
            self.lesson = None
        elif word == UNDO:
            self._note_undo(row)
        elif word != AWAY and not self.seating.apply(row, self.facts):
            raise SpelunkeError(f"table {self.facts.id}: the house can't read its note {row.move!r}")

    def _note_undo(self, row: Row) -> None:
        """Take the newest move back, or update the request to take it back (docs/why/undo.md).

        Before a move is taken back, compute the move's events for each viewer, because afterwards the match
        has no data of the move.
        """
        assert self.match is not None
        if row.move != UNDO:
            self.asking.note(row, self.match.ply)
            return
        index = self.log.newest_ply()
        self.events_of(index)
        for seat in (None, *range(self.seats)):
            noticed = self.noticed(seat)
            noticed.events_of(index)
            noticed.link_at(noticed.seen)
        self.match.undo()
        self.decisions.opened = [None] * self.seats  # a move chosen before the undo is stale
        self.log.void(index)
        self.asking.lapse()

    def _append(self, row: Row, ply: int | None) -> Row:
        assert self._chain is not None
        row = msgspec.structs.replace(row, link=None)
        self.log.append(row, ply)
        self.row, self.last_at = row.number, row.at
        if ply is not None and self.asking.by is not None:
            self.asking.lapse()
        link = self._chain.add(row.line(self.began_at))
        if self.lesson is not None:
            self._follow_lesson(row, ply)
        acted = ply is not None and row.seat != CHANCE
        if acted and not (self.game.together and self._is_half_done(row.seat)):
            self.clocks.acted(row.seat, row.at)
        self._move_on(row.at)
        return msgspec.structs.replace(row, link=link.hex())

    def _follow_lesson(self, row: Row, ply: int | None) -> None:
        """Advance the lesson after this row.

        The lesson ends after its last step. It also ends if a move differs from the lesson, for example
        because a newer version changed the lesson.
        """
        lesson, self.lesson_rows = self.lesson, self.row
        assert lesson is not None
        if (ply is not None and not lesson.follows(row.seat, row.move)) or lesson.over:
            self.lesson = None

    def _is_half_done(self, seat: int) -> bool:
        """Return whether the seat must act again after an action that nobody else has noticed.

        This happens after the first of two sealed actions of the seat. The seat's clock must then continue: if
        it started again, the other players would see that the seat has acted.
        """
        assert self.match is not None
        if seat not in self.match.actors:
            return False
        counts = self.noticed(None).counts
        return counts[self.row] == counts[self.row - 1]

    def _move_on(self, at: int) -> None:
        """Update the seats to act, their decisions and the clocks.

        This is called at the start and after each row.
        """
        assert self.match is not None
        ended = self.seating.ended_by is not None
        moment = Moment(self.game, self.match, live=self._live and not self.alone, ended=ended)
        self.moment, self.running, self.actors = moment, moment.running, moment.actors
        self.asked_after.append(moment.actors)
        self.rounds.follow(self.match, self.row, moment.running)
        if moment.at_chance:  # chance takes no time
            return
        counts, runs = [], []
        for seat in range(self.seats):
            # if one seat acts at a time, each row opens a new decision
            choices = moment.choices(seat) if self.game.together else NO_CHOICES
            self.decisions.follow(seat, self.row, seat in moment.actors, choices)
            # a seat's time counts unless its silence is an answer as well
            counts.append(moment.window_ms is None or moment.silence(seat) is None)
            runs.append(counts[seat] and self.bot_at(seat) is None)
        if self.wait is not None or moment.visible_wait is not None:
            self._follow_wait(at)
        if self.secret is not None and self.secret.name != moment.secret:
            give_back(self.secret, self.clocks, self.log.rows, live=self.facts.clock.kind == "live")
            self.secret = None
        self.clocks.ask(moment.actors, runs, at, self.time_begins(at))
        if moment.secret is not None:
            if self.secret is None:
                self.secret = SecretAnswers(moment.secret, counts, timed=self.wait is not None)
            self.secret.checkpoints.append(Checkpoint(self.row, self.match.ply, self.clocks.copy()))

    def _follow_wait(self, at: int, *, anew: bool = False) -> None:
        """Record a visible wait that begins at the time `at`, or remove the wait if it has ended.

        If `anew` is true, a wait that is already recorded begins again.
        """
        found = self.moment.visible_wait
        if found is None:
            self.wait = None
        elif anew or self.wait is None or self.wait.name != found[0]:
            self.wait = VisibleWait(found[0], at, found[1])
