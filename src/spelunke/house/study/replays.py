"""Replays of finished games: any position, as a seat or a spectator saw it, or with nothing hidden.

Of a running game, people can see only the parts that `Replays.watch` returns. The expensive parts of a finished game
are computed once (:class:`Course`).
"""

from __future__ import annotations

import bisect
from typing import Literal, TypeAlias

import msgspec

from spelunke.core.caches import Cache
from spelunke.core.contract import CHANCE
from spelunke.core.errors import BadInput
from spelunke.core.values import Event, State, View
from spelunke.core.words import Translator, plain
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.games.match import Match
from spelunke.house.budgets import COURSES, VERDICTS
from spelunke.house.messages import LogLine, Replay
from spelunke.house.people import call_names
from spelunke.house.play import ROW_BYTES, TABLE_BYTES, TableStore
from spelunke.house.refusals import NotAllowed, NotNow
from spelunke.house.sight import Viewer, say_note
from spelunke.house.store import is_revealed
from spelunke.house.study.game_record import record_of
from spelunke.house.table import Row, Table, find_behind, find_open_part
from spelunke.records.claims import Kept
from spelunke.records.fairness import Verdict, verify
from spelunke.records.position import write_position
from spelunke.records.record import Record
from spelunke.records.viewer import LogViewer

Eyes: TypeAlias = int | Literal["open"] | None
"""A viewpoint of a replay: a seat, None for a spectator, or ``open`` if nothing is hidden.

In the code, a viewpoint is called eyes.
"""

PAGE = 24
"""The number of lines on a page of the log.

The replay of a position shows the page with this position, and a few lines before and after the page.
"""
MARGIN = 6
LINE_BYTES = 150
"""The estimated size in bytes of one row's lines for one viewpoint."""


class Past(LogViewer):
    """The log of a game as a viewpoint (`eyes`) knew it at an earlier moment.

    `rows` is the number of rows that the game's log had at the earlier moment.
    """

    def __init__(self, course: Course, eyes: Eyes, rows: int) -> None:
        super().__init__(course.game.hooks, None if eyes == "open" else eyes)
        self._course = course
        self._eyes = eyes
        self._rows = rows

    @property
    def entries(self) -> int:
        """The number of rows that the log had at the earlier moment. Rows secret from the viewpoint count too."""
        return self._rows

    def actor_of(self, entry: int) -> int:
        """Return the seat that acted in the row with the index `entry`, or -1 for chance and for a note."""
        row = self._course.log[entry]
        return CHANCE if row.is_note else row.seat

    def events_of(self, entry: int) -> tuple[Event, ...]:
        """Return the events that the viewpoint saw when the row with the index `entry` was added."""
        return self._course.told(entry, self._eyes)


class Line(msgspec.Struct, frozen=True):
    """A line of the log before its translation: its row, and its event.

    For a note (a row that is not part of the game itself, such as a resignation), the event is None.
    """

    row: int
    event: Event | None
    part: int = 0
    """The number of events of the same row before this event."""


class Course:
    """A game with all its positions. A position is identified by the number of plies before it.

    The game is finished, or it is the part of a running game that a `watcher` may watch. If there is a watcher, only
    the plies that the watcher noticed count, and the positions between them are left out.
    """

    def __init__(self, table: Table, match: Match, watcher: Viewer | None = None) -> None:
        self.table = table
        self.watcher = watcher
        self.game: Game = table.game
        self.match = match
        self.log: list[Row] = table.log.rows
        # by row, the position after the row; by position, the number of all plies before it
        self.position_of: list[int] = []
        self._plies_before, done = [0], 0
        counts = range(len(self.log) + 1) if watcher is None else watcher.noticed.counts
        for row, ply in enumerate(table.log.plies):
            done += ply is not None
            if ply is not None and counts[row] < counts[row + 1]:
                self._plies_before.append(done)
            self.position_of.append(self.last)
        self.taught: frozenset[int] = frozenset(
            self.position_of[index] - 1
            for index, row in enumerate(self.log[: table.lesson_rows])
            if not row.is_note
        )
        """The plies of the lesson with which the game began. A ply is the number of plies before it."""
        self.unchosen: frozenset[int] = self.taught.union(
            self.position_of[index] - 1
            for index, row in enumerate(self.log)
            if row.bot is not None and not row.is_note
        )
        """The plies that no person chose: bots played them, or a lesson did. A ply is the number of plies before it."""
        self._lines: dict[Eyes, list[Line]] = {}
        self._telling: dict[Eyes, list[int]] = {}
        hooks = self.game.hooks
        states = [match.state_at(ply) for ply in self._plies_before]
        rounds = [hooks.rounds_done(state) for state in states]
        self.rounds: tuple[int, ...] = (0, *(n for n in range(1, len(states)) if rounds[n] > rounds[n - 1]))
        """The positions in which rounds begin.

        If the last round was played to its end, its end is the last entry.
        """
        points = [hooks.points(state) for state in states] if hooks.has(Hooks.points) else []
        self.points: tuple[tuple[int, ...], ...] = tuple(found for found in points if found is not None)
        """The points of all seats in each position. The tuple is empty if the game has no points before its end."""

    @property
    def last(self) -> int:
        """The last position."""
        return len(self._plies_before) - 1

    @property
    def size(self) -> int:
        """The estimated size of this object in bytes, with the table and the lines for all viewpoints."""
        eyes = self.table.seats + 2
        return TABLE_BYTES + self.table.row * (ROW_BYTES + LINE_BYTES * eyes)

    def rows_at(self, position: int) -> int:
        """Return the number of log rows up to a position, including notes between this position and the next ply."""
        return bisect.bisect_right(self.position_of, position)

    def told(self, row: int, eyes: Eyes) -> tuple[Event, ...]:
        """Return those events of a row that the viewpoint `eyes` could see when the row was added."""
        return self.table.events_of(row) if eyes == "open" else self.table.noticed(eyes).events_of(row)

    def lines(self, eyes: Eyes) -> list[Line]:
        """Return all lines of the log for a viewpoint."""
        if eyes not in self._lines:
            self._lines[eyes] = [
                Line(index, event, part)
                for index, row in enumerate(self.log)
                for part, event in enumerate((None,) if row.is_note else self.told(index, eyes))
            ]
        return self._lines[eyes]

    def view(self, position: int, eyes: Eyes) -> View:
        """Return the part of a position that the viewpoint `eyes` may see."""
        state = self.state_at(position)
        whole: View | None = self.game.hooks.open_view(state) if eyes == "open" else None
        return whole or self.game.view.view(state, None if eyes == "open" else eyes)

    def state_at(self, position: int) -> State:
        """Return the game's state in a position."""
        return self.match.state_at(self._plies_before[position])

    def match_at(self, position: int) -> Match:
        """Return a new match that begins with this position of the game."""
        return self.match.match_at(self._plies_before[position])

    def actors_at(self, position: int) -> tuple[int, ...]:
        """Return the seats to act in a position.

        For a `watcher` of a running game, the result is empty before the last position, because a watcher knows the
        seats to act only in the last one.
        """
        if self.watcher is None:
            return self.match_at(position).actors
        return self.watcher.asked if position == self.last else ()

    def steps(self, position: int, eyes: Eyes) -> tuple[int | None, int | None]:
        """Return the nearest positions before and after `position` at which the viewpoint saw a change.

        The first and the last position of the game count as changes. Events that the short log omits
        (`Detail`) don't count. If one of the two positions does not exist, its value is None.
        """
        if eyes not in self._telling:
            found = {
                self.position_of[line.row]
                for line in self.lines(eyes)
                if line.event is None or not line.event.detail
            }
            self._telling[eyes] = sorted(found | {0, self.last})
        telling = self._telling[eyes]
        before, after = bisect.bisect_left(telling, position), bisect.bisect_right(telling, position)
        return telling[before - 1] if before else None, telling[after] if after < len(telling) else None


class Replays:
    """Finished games, and the parts of running games that people may watch. Finished games are cached."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._courses: Cache[str, Course] = Cache(COURSES)
        self._verdicts: Cache[str, Verdict] = Cache(VERDICTS, each=4000)

    def look(
        self,
        table_id: str,
        person: str | None = None,
        *,
        ply: int | None = None,
        eyes: Eyes = "open",
        translate: Translator = plain,
        words: Translator = plain,
    ) -> Replay:
        """Return a position of a finished game as seen from a viewpoint.

        `ply` is the number of plies before the position. By default, return the last position.

        Raise UnknownTable. Raise NotNow if the game is running or never began, WatchLater while only its players
        may see it, or BadInput for a ply or seat that does not exist.
        """
        with self._tables.open(table_id) as slot:
            course = self._course(slot.table, person)
            position = self._check(course, ply)
            if isinstance(eyes, int) and not 0 <= eyes < slot.table.seats:
                raise BadInput(f"there is no seat {eyes}; the seats are 0 to {slot.table.seats - 1}", "as")
            return _look_at(course, Viewer.of(slot.table, person), position, eyes, translate, words)

    def watch(
        self,
        table_id: str,
        person: str | None = None,
        *,
        ply: int | None = None,
        eyes: Eyes = None,
        translate: Translator = plain,
        words: Translator = plain,
    ) -> Replay:
        """Return a position of a running game, as a person may watch it.

        `eyes` is the viewpoint: None for a spectator, a seat whose person lets spectators see the seat's hand,
        or ``open`` for all hands. With ``open``, only finished rounds are shown, because nobody can profit any
        more from seeing the hands of these rounds. The table's delay applies to all viewpoints. `ply` is the
        number of plies that the viewpoint noticed before the position. By default, return the last position that may
        be shown. With ``open``, return the last one in which the hands are not empty.

        Raise UnknownTable. Raise NotNow if the game is not running, if the person plays at the table, or, with
        ``open``, if no round has ended yet. At a table of an event or of a game of the day, raise NotNow for all
        viewpoints but a spectator's. Raise WatchLater while only the table's players may see the game, NotAllowed
        if the seat's person does not let spectators see the hand, or BadInput for a ply or seat that does not
        exist.
        """
        with self._tables.open(table_id) as slot:
            table = slot.table
            _admit(table, person)
            if not table.running:
                raise NotNow(
                    "this game is over; open its replay"
                    if table.facts.started_ms
                    else "this game has not started; there is nothing to watch"
                )
            if table.facts.seat_of(person) is not None:
                raise NotNow("you play at this table, so you can't watch it from the seats of others")
            if eyes is not None and table.facts.deal is not None:
                raise NotNow(
                    "you can't see the hand of a seat now, because other tables have the same dice and "
                    "cards: watch as a spectator, or open the replay afterwards"
                )
            if isinstance(eyes, int):
                if not 0 <= eyes < table.seats:
                    raise BadInput(f"there is no seat {eyes}; the seats are 0 to {table.seats - 1}", "as")
                if not table.facts.chairs[eyes].eyes:
                    raise NotAllowed(f"{table.names[eyes]} does not show their hand to spectators")
            seen: Table | None = find_behind(table)
            if eyes == "open" and seen is not None:
                seen = find_open_part(seen)
            if seen is None or seen.match is None:
                raise NotNow("all hands are shown only after the first round has ended")
            course = Course(seen, seen.match, None if eyes == "open" else Viewer(seen, eyes))
            position = self._check(course, ply)
            # At the end of a round, hands are empty. So show the position before it.
            if ply is None and eyes == "open":
                position = course.steps(position, eyes)[0] or position
            return _look_at(course, Viewer(seen, None), position, eyes, translate, words, over=False)

    def position(self, table_id: str, ply: int | None = None, person: str | None = None) -> bytes:
        """Return a position of a finished game in the format of position files. Raise the errors of `look`."""
        with self._tables.open(table_id) as slot:
            course = self._course(slot.table, person)
            return write_position(course.match_at(self._check(course, ply)))

    def branch(self, table_id: str, person: str | None, ply: int | None) -> tuple[Match, int, int | None]:
        """Return three values: a match, the number of the position with which it begins, and the person's seat.

        The position is from a finished game. The seat is None if the person did not play. Raise the errors of
        `look`.
        """
        with self._tables.open(table_id) as slot:
            course = self._course(slot.table, person)
            position = self._check(course, ply)
            return course.match_at(position), position, slot.table.facts.seat_of(person)

    def course(self, table_id: str, person: str | None = None) -> Course:
        """Return a finished game with all its positions. Raise the errors of `look`."""
        with self._tables.open(table_id) as slot:
            return self._course(slot.table, person)

    def match_at(self, table_id: str, ply: int | None = None, person: str | None = None) -> Match:
        """Return a match that begins with a position of a finished game. Raise the errors of `look`."""
        return self.branch(table_id, person, ply)[0]

    def about(self, table_id: str, person: str | None = None) -> tuple[Game, int]:
        """Return the game that a finished table played, and its number of plies. Raise the errors of `look`."""
        with self._tables.open(table_id) as slot:
            course = self._course(slot.table, person)
            return course.game, course.match.ply

    def record(self, table_id: str, person: str | None = None) -> Record:
        """Return the whole record of a finished game. Raise the errors of `look`.

        If the game belongs to an event or is a game of the day, the record has no seed until the seed of the event
        or day is published.
        """
        with self._tables.open(table_id) as slot:
            self._course(slot.table, person)
            reveal = self._may_reveal(slot.table)
            return record_of(Viewer(slot.table, None), self._store.signer, reveal=reveal)

    def _may_reveal(self, table: Table) -> bool:
        """Return whether the seed of a finished game may be published.

        All tables of an event or of a day use the same seed, so it may be published only after the event or day.
        """
        deal = table.facts.deal
        if deal is None:
            return True
        with self._store.read() as connection:
            return is_revealed(connection, deal.event, self._store.now())

    def verify(self, table_id: str, person: str | None = None) -> Verdict:
        """Verify chance, moves and result of a finished game by computing them again. Return the verdict.

        Raise the errors of `look`.
        """
        with self._tables.open(table_id) as slot:
            self._course(slot.table, person)
            found = self._verdicts.get(table_id)
        if found is None:
            record = self.record(table_id, person)
            found = verify(record, Kept(key=self._store.key))
            if record.fairness is None or record.fairness.seed is not None:
                self._verdicts.put(table_id, found)
        return found

    def _course(self, table: Table, person: str | None) -> Course:
        _admit(table, person)
        facts, match = table.facts, table.match
        if match is None or table.running or facts.status != "over":
            raise NotNow(
                "this table was closed before its game began; there is nothing to look at"
                if facts.status == "over"
                else "this game is not over yet; afterwards everybody can replay it"
            )
        found = self._courses.get(facts.id)
        if found is None or found.table is not table:
            found = Course(table, match)
            self._courses.put(facts.id, found, found.size)
        return found

    @staticmethod
    def _check(course: Course, ply: int | None) -> int:
        last = course.last
        if ply is not None and not 0 <= ply <= last:
            raise BadInput(f"there is no ply {ply}; this game has plies 0 to {last}", "ply")
        return last if ply is None else ply


def _admit(table: Table, person: str | None) -> None:
    """Raise WatchLater if only the table's players may see its game now and the person is not one of them."""
    if table.facts.seat_of(person) is None:
        table.facts.admit_spectator()


def _look_at(
    course: Course,
    viewer: Viewer,
    position: int,
    eyes: Eyes,
    translate: Translator,
    words: Translator,
    *,
    over: bool | None = None,
) -> Replay:
    """Return a position of a game as seen from the viewpoint `eyes`.

    `over` says whether the position is the end of the game. By default, only the last position is the end.
    """
    table, facts, game = course.table, course.table.facts, course.game
    names = call_names(table.names, words)
    over = position == course.last if over is None else over
    before, after = course.steps(position, eyes)
    log, more_before, more_after = _write_log(course, position, eyes, names, translate, words)
    return Replay(
        table=facts.id,
        game=facts.game,
        title=game.title,
        options=facts.options,
        changed=game.changed(table.seats, facts.options),
        names=names,
        kinds=tuple("bot" if chair.level else "person" for chair in facts.chairs),
        faces=tuple(
            (bot.face if bot else chair.figure, chair.colour)
            for chair, bot in zip(facts.chairs, table.companions, strict=True)
        ),
        seat=viewer.seat,
        ply=position,
        plies=course.last,
        eyes=eyes,
        hides=game.hidden or game.together,
        view=course.view(position, eyes),
        last=Past(course, eyes, course.rows_at(position)).last(),
        actors=() if over else course.actors_at(position),
        over=over,
        result=viewer.result(names, words),
        before=before,
        after=after,
        rounds=tuple((at, _name_round(course, at, translate)) for at in course.rounds),
        points=course.points,
        log=log,
        more_before=more_before,
        more_after=more_after,
        ended_ms=facts.ended_ms or (course.watcher or table).last_at,
        rematch=facts.rematch,
        origin=None if facts.origin is None else (facts.origin.table, facts.origin.ply),
    )


def _name_round(course: Course, at: int, translate: Translator) -> str:
    return "" if at == course.last else course.game.hooks.name_round(course.state_at(at), translate)


def _write_log(
    course: Course,
    position: int,
    eyes: Eyes,
    names: tuple[str, ...],
    translate: Translator,
    words: Translator,
) -> tuple[tuple[LogLine, ...], int | None, int | None]:
    """Return the log's lines around a position, and the positions of two more lines.

    The first of these two lines is the last one before the returned lines, and the second is the first one after them.
    If there is no such line, the position is None.
    """
    lines = course.lines(eyes)
    here = bisect.bisect_right(lines, position, key=lambda line: course.position_of[line.row]) - 1
    first = max(0, here // PAGE * PAGE - MARGIN) if here >= 0 else 0
    last = min(len(lines), max(0, here) // PAGE * PAGE + PAGE + MARGIN)
    said: dict[int, tuple[str, ...]] = {}
    found = []
    for line in lines[first:last]:
        row = course.log[line.row]
        if line.event is None:
            text, seat = say_note(row, course.table, names, words), None
        else:
            if line.row not in said:
                events = course.told(line.row, eyes)
                ply = course.table.log.plies[line.row]
                said[line.row] = course.match.say(ply, events, names, translate)
            text, seat = said[line.row][line.part], row.seat
        found.append(
            LogLine(ply=course.position_of[line.row], seat=seat, text=text, at_ms=row.at, event=line.event)
        )
    more_before = course.position_of[lines[first - 1].row] if first else None
    more_after = course.position_of[lines[last].row] if last < len(lines) else None
    return tuple(found), more_before, more_after
