"""Problems from a person's own games.

If a decision cost the person much of their chance to win, the decision becomes a problem. The server poses
the problem to the person again at growing intervals, until the person has learned it.
"""

from __future__ import annotations

import zlib
from collections.abc import Container
from typing import Literal

import msgspec
from sqlalchemy import case, exists, func, or_, select, update

from spelunke.analysis.analysis import Alternative, Analysis, Decision
from spelunke.analysis.problems import FINE_COST, is_right
from spelunke.core.caches import Cache
from spelunke.core.errors import SpelunkeError
from spelunke.games.match import Match
from spelunke.house.budgets import SEARCHED
from spelunke.house.refusals import BadPlan, NotNow, UnknownTable
from spelunke.house.store import HelpOf, Store, Write, analyses, insert_new, own_problems, seats, tables
from spelunke.house.study.histories import TAUGHT
from spelunke.house.study.replays import Replays
from spelunke.house.study.teller import find_choice

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
AGAIN_MS = 10 * MINUTE_MS
"""The time in ms between a wrong answer and the return of the problem."""
INTERVALS_MS = (DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 21 * DAY_MS)
"""The times in ms after which a problem returns.

The first time is for a problem that was solved once, the second for a problem that was solved twice in a row,
and so on. If a problem is solved after the last of these times, it is learned and does not return.
"""
LEAST_COST = 0.05
"""The least cost of a decision that becomes a problem, as a loss in the chance to win (0 to 1)."""
MOST_EACH = 5
"""The most problems from one game: the decisions that cost most."""
SCANNED = 20
"""The most games of a person in which one call of `OwnProblems.collect` searches for problems."""
SHOWN = 200
_HAS_GAME = exists().where(tables.c.id == own_problems.c.table_id)
"""An SQL condition: the problem's game is stored.

Earlier versions of the cleaning deleted games, and kept the problems from these games.
"""

State = Literal["due", "later", "learned"]


class OwnProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem from one of the person's own games.

    ``ply`` is the number of plies before the decision in the game at ``table``. ``theme`` is the first word
    of the best move's text, for example ``place`` for ``place 4 left``. ``cost`` is the loss in the chance to
    win that the person's own move caused. ``box`` is the number of times in a row that the person has solved
    the problem. ``due_ms`` is the time at which the problem is due again, in milliseconds since 1970.
    """

    table: str
    ply: int
    game: str
    theme: str
    cost: float
    box: int
    due_ms: int
    state: State


class Posed(msgspec.Struct, frozen=True, kw_only=True):
    """A problem with its position and the decision as it was analysed."""

    line: OwnProblem
    match: Match
    names: tuple[str, ...]
    decision: Decision

    @property
    def best(self) -> Alternative:
        """The best move according to the analysis."""
        return self.decision.alternatives[0]

    def cost_of(self, move: str) -> float:
        """Return the loss in the chance to win that a move causes, compared with the best move.

        Raise BadPlan if the analysis has no value for the move.
        """
        chosen = self.find(move)
        return max(0.0, self.best.value.chance - chosen.value.chance)

    def find(self, move: str) -> Alternative:
        """Return the analysed move with this text. Raise BadPlan if the analysis has no value for it."""
        found = next((one for one in self.decision.alternatives if one.move == move), None)
        if found is None:
            raise BadPlan("the analysis has no value for that move; choose another one", "move")
        return found

    def solves(self, move: str) -> bool:
        """Return whether a move solves the problem.

        A move solves it if it costs almost nothing compared with the best move, or if the decision is a secret
        choice and the best strategy plays the move often enough. Raise BadPlan if the analysis has no value for
        the move.
        """
        chosen = self.find(move)
        if is_right(self.decision.alternatives, chosen, secret=self.decision.secret):
            return True
        return self.cost_of(move) < FINE_COST


class OwnProblems:
    """Collects problems from people's own games, and checks answers."""

    def __init__(self, store: Store, replays: Replays) -> None:
        self._store = store
        self._replays = replays
        # By person and table: the time of the analysis that gave no problem.
        self._without: Cache[tuple[str, str], int] = Cache(SEARCHED, each=200)

    def collect(self, person: str) -> int:
        """Make problems from the person's analysed games, and return the number of new problems.

        A call searches only the newest `SCANNED` games that have not been searched yet. The next call searches
        older games.
        """
        known = exists(
            select(own_problems.c.ply).where(
                own_problems.c.person == person, own_problems.c.table_id == analyses.c.table_id
            )
        )
        helped = or_(HelpOf(tables.c.outcome, seats.c.seat) > 0, TAUGHT).label("helped")
        query = (
            select(analyses.c.table_id, analyses.c.made_ms, seats.c.seat, tables.c.game, helped)
            .join(seats, seats.c.table_id == analyses.c.table_id)
            .join(tables, tables.c.id == analyses.c.table_id)
            .where(seats.c.person == person, analyses.c.body.is_not(None), ~known)
            .order_by(tables.c.ended_ms.desc())
        )
        now = self._store.now()
        rows: list[dict[str, object]] = []
        with self._store.read() as connection:
            new = [
                one
                for one in connection.execute(query)
                if self._without.get((person, one.table_id)) != (one.made_ms or 0)
            ][:SCANNED]
            which = analyses.c.table_id.in_([one.table_id for one in new])
            stored = connection.execute(select(analyses.c.table_id, analyses.c.body).where(which))
            bodies = {row.table_id: row.body for row in stored}
        for one in new:
            body = bodies.get(one.table_id)
            if body is None:  # the analysis was deleted meanwhile
                continue
            analysis = msgspec.json.decode(zlib.decompress(body), type=Analysis)
            found = _costly(analysis, one.seat, self._unchosen(one.table_id, person) if one.helped else ())
            rows += [_row(person, one.table_id, one.game, decision, now) for decision in found]
            if not found:
                self._without.put((person, one.table_id), one.made_ms or 0)
        if not rows:
            return 0
        return self._store.writer.write(Write(call=lambda to: insert_new(to, own_problems, *rows)))

    def _unchosen(self, table: str, person: str) -> Container[int]:
        try:
            return self._replays.course(table, person).unchosen
        except SpelunkeError:  # it can't be replayed, so its problems can't be posed either
            return ()

    def list(self, person: str) -> tuple[OwnProblem, ...]:
        """Return the person's problems: due ones first, then later ones, then learned ones.

        Each of the three groups is sorted by due time, the earliest first. If there are more than `SHOWN` problems,
        leave out learned ones, and then those with the latest due times.
        """
        learned = case((own_problems.c.box > len(INTERVALS_MS), 1), else_=0)
        query = (
            select(own_problems)
            .where(own_problems.c.person == person, _HAS_GAME)
            .order_by(learned, own_problems.c.due_ms, own_problems.c.cost.desc())
            .limit(SHOWN)
        )
        now = self._store.now()
        with self._store.read() as connection:
            found = [_line(dict(row), now) for row in connection.execute(query).mappings()]
        order = ("due", "later", "learned")
        return tuple(sorted(found, key=lambda one: (order.index(one.state), one.due_ms)))

    def pose(self, person: str, table: str, ply: int) -> Posed:
        """Return a problem with its position. Raise UnknownTable if the person has no such problem."""
        query = select(own_problems).where(
            own_problems.c.person == person, own_problems.c.table_id == table, own_problems.c.ply == ply
        )
        with self._store.read() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            raise UnknownTable("this is not one of your problems; choose one from the list")
        course = self._replays.course(table, person)
        decision = msgspec.json.decode(row["body"], type=Decision)
        return Posed(
            line=_line(dict(row), self._store.now()),
            match=find_choice(course, ply, decision.alternatives[0].move),
            names=course.table.names,
            decision=decision,
        )

    def answer(self, person: str, table: str, ply: int, move: str) -> bool:
        """Return whether an answer to a problem is right, and store the time at which the problem is due again.

        If the problem is not due, store nothing. Raise UnknownTable, or BadPlan if the analysis has no value
        for the move.
        """
        posed = self.pose(person, table, ply)
        solved = posed.solves(move)
        line, now = posed.line, self._store.now()
        if line.state == "due":
            box = line.box + 1 if solved else 0
            after = AGAIN_MS if not solved else INTERVALS_MS[min(box, len(INTERVALS_MS)) - 1]
            this = (own_problems.c.person == person, own_problems.c.table_id == table)
            change = (
                update(own_problems)
                .where(*this, own_problems.c.ply == ply, own_problems.c.due_ms == line.due_ms)
                .values(box=box, due_ms=now + after, tries=own_problems.c.tries + 1)
            )
            self._store.writer.write(Write(call=lambda connection: connection.execute(change).rowcount))
        return solved

    def next(self, person: str) -> OwnProblem:
        """Return the person's problem that has been due for the longest time.

        Raise NotNow if none is due.
        """
        first = next((one for one in self.list(person) if one.state == "due"), None)
        if first is None:
            raise NotNow(
                "none of your problems is due now; analyse one of your games, or come back another day"
            )
        return first

    def count_due(self, person: str) -> int:
        """Return the number of the person's problems that are due for an answer."""
        due = (own_problems.c.due_ms <= self._store.now(), own_problems.c.box <= len(INTERVALS_MS))
        mine = (own_problems.c.person == person, _HAS_GAME)
        query = select(func.count()).select_from(own_problems).where(*mine, *due)
        with self._store.read() as connection:
            return connection.execute(query).scalar() or 0


def _costly(found: Analysis, seat: int, unchosen: Container[int]) -> list[Decision]:
    """Return the most costly decisions of a seat. Leave out the plies `unchosen`, which no person chose."""
    mine = [
        one
        for one in found.decisions
        if one.seat == seat
        and one.ply not in unchosen
        and one.cost_chance >= LEAST_COST
        and one.mark in {"mistake", "blunder"}
        and len(one.alternatives) > 1
    ]
    return sorted(mine, key=lambda one: -one.cost_chance)[:MOST_EACH]


def _row(person: str, table: str, game: str, one: Decision, now: int) -> dict[str, object]:
    return {
        "person": person,
        "table_id": table,
        "ply": one.ply,
        "game": game,
        "theme": one.alternatives[0].move.split()[0][:64],
        "cost": one.cost_chance,
        "body": msgspec.json.encode(one).decode(),
        "box": 0,
        "due_ms": now,
        "tries": 0,
        "made_ms": now,
    }


def _line(row: dict[str, object], now: int) -> OwnProblem:
    line = msgspec.convert(
        {
            "table": row["table_id"],
            "state": "due",
            **{name: row[name] for name in ("ply", "game", "theme", "cost", "box", "due_ms")},
        },
        OwnProblem,
    )
    if line.box > len(INTERVALS_MS):
        return msgspec.structs.replace(line, state="learned")
    return msgspec.structs.replace(line, state="due" if line.due_ms <= now else "later")
