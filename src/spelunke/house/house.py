"""The facade: everything that a server, a terminal or a test may ask of the house.

All methods are synchronous and thread-safe and may wait for the disk: from a coroutine call them in a thread, or by
`await waiting.run(house.act, ...)` what does little but wait. Only `subscribe` is asynchronous.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal

from spelunke.core.analysis import Analyst, Judgement
from spelunke.core.bot import AnyBot
from spelunke.core.caches import TABLES
from spelunke.core.game import Game
from spelunke.core.match import Match
from spelunke.core.ui import plain
from spelunke.house.hosting.health import check_health
from spelunke.house.hosting.hosting import Hosting
from spelunke.house.hosting.leaving import Leaving
from spelunke.house.hosting.registry import Registry
from spelunke.house.lobby.inviting import Inviting
from spelunke.house.lobby.lists import Lists
from spelunke.house.lobby.lobby import Lobby
from spelunke.house.lobby.next_games import NextGames
from spelunke.house.lobby.starting import Starting
from spelunke.house.messages import (
    Advice,
    AnalysisLook,
    Answer,
    Change,
    GameLine,
    GameTally,
    Glance,
    Health,
    Look,
    Person,
    Replay,
    TableLine,
    ToldRows,
)
from spelunke.house.notifications.outside import Outside
from spelunke.house.notifications.room import Notifications
from spelunke.house.outbox.kinds import InLanguage
from spelunke.house.people.devices import Devices, Lasting
from spelunke.house.people.histories import ALL as ALL_GAMES
from spelunke.house.people.histories import GameWish, Histories
from spelunke.house.people.members import Members
from spelunke.house.people.people import People
from spelunke.house.people.profiles import Profile, Profiles
from spelunke.house.play.attendance import Attendance
from spelunke.house.play.chat import Talk
from spelunke.house.play.going_on import GoingOn, Way
from spelunke.house.play.play import Play
from spelunke.house.play.table_store import PATIENCE_S, TableStore
from spelunke.house.refusals import BadPlan, HouseClosed, NotNow, NotSeated
from spelunke.house.sight.absence import Absence
from spelunke.house.sight.look import look_at
from spelunke.house.sight.past import told_since
from spelunke.house.sight.viewers import Viewer
from spelunke.house.store.bus import open_bus
from spelunke.house.store.engine import check, is_empty, lock_alone, migrate_database, open_engine
from spelunke.house.store.key_file import keep_key
from spelunke.house.store.now import Now
from spelunke.house.study.analyses import Analyses
from spelunke.house.study.answers import Answers
from spelunke.house.study.game_record import record_of
from spelunke.house.study.judging import Judging, as_known
from spelunke.house.study.replays import Eyes, Replays
from spelunke.house.study.teller import Teller, say_move
from spelunke.house.table.attention import call_back, go_on, hold
from spelunke.house.table.plan import Plan
from spelunke.house.table.presence import Stay
from spelunke.house.table.tasks import Pauses
from spelunke.house.work.cleaning import Cleaner, Keeping
from spelunke.house.work.scheduler import Scheduler
from spelunke.house.work.task_runner import SeatBot, TaskRunner
from spelunke.records.fairness import Verdict
from spelunke.records.record import Record
from spelunke.records.signing import Signer


def _bound(limit: int) -> int:
    return max(1, min(limit, 200))


def _seat_bot(game: Game, level: str) -> AnyBot:
    from spelunke.bots.levels import seat_bot

    bot: AnyBot = seat_bot(game, level)
    return bot


def _analyst() -> Analyst:
    from spelunke.solvers.analyst import ProcessAnalyst

    return ProcessAnalyst()


class House:
    """A house on a database. Open it once per process with `open_house`, and close it.

    What has a door of its own: `members` (who is known again, by password or passkey), their `devices`, `profiles` (the
    pages of people), `notifications`, `hosting` and `registry` (what hosts do and see), and `leaving`.
    """

    def __init__(
        self,
        store: TableStore,
        *,
        alone: bool,
        threads: int,
        bots: SeatBot | None = None,
        analyst: Callable[[], Analyst] | None = None,
        held: IO[str] | None = None,
        keeping: Keeping | None = None,
        lasting: Lasting | None = None,
        outside: Outside | None = None,
        push_key: bytes | None = None,
        words: InLanguage | None = None,
    ) -> None:
        self._held = held
        self._store = store
        self._people = People(store)
        self.devices = Devices(store, lasting)
        self.members = Members(store, self._people, self.devices)
        self.profiles = Profiles(store)
        self._play = Play(store)
        cleaner = Cleaner(store, keeping or Keeping(), forget=self._people.forget)
        starting = Starting(store)
        self._runner = TaskRunner(store, self._play, starting, bots or _seat_bot, cleaner)
        self._talk = Talk(store, self._people)
        self._replays = Replays(store)
        self._analyses = Analyses(store, self._replays, analyst or _analyst, waits=threads > 0)
        self._judging = Judging(analyst or _analyst)
        self._answers = Answers(store, self._people)
        self._histories = Histories(store)
        self._lists = Lists(store)
        self._lobby = Lobby(store, self._people, starting)
        self.leaving = Leaving(store, self._people, self.devices, self.members, self._play, self._lobby)
        self.registry = Registry(store)
        self.hosting = Hosting(store, self._people, self.devices, self.members, self._play, self._lobby)
        self._next_games = NextGames(store, self._people, starting, self._replays, self._lobby)
        self._inviting = Inviting(store, self._people)
        self._going_on = GoingOn(store, self._play)
        self._attendance = Attendance(store)
        self.notifications = Notifications(store, outside or Outside(), push_key, words, runs=threads > 0)
        self._scheduler = Scheduler(store, self._runner.do, threads=threads, alone=alone)
        self._closed = False
        store.schedule = self._scheduler.schedule
        store.begin_after_the_log()
        cleaner.begin()
        self._scheduler.begin()
        self.notifications.begin()

    def now(self) -> int:
        """The time of the house, in milliseconds since 1970."""
        return self._store.now()

    # --- people -------------------------------------------------------------------------------------------------

    def create_guest(self, name: str) -> Person:
        """A new guest; its id goes into a signed cookie. The name is one line of 1 to 24 characters (BadPlan).

        Raises NotAllowed where the host of the house lets no guests in.
        """
        return self._people.create(name)

    def person(self, person: str) -> Person:
        """Who that id is; raises UnknownPerson."""
        return self._people.find(person)

    def known_person(self, person: str) -> Person | None:
        """Who that id is, if the house has it in mind; never waits."""
        return self._people.known(person)

    def rename(self, person: str, name: str) -> Person:
        """Give a person another name, at running tables as well; raises UnknownPerson, BadPlan, NameTaken."""
        return self._people.rename(person, name)

    # --- lobby --------------------------------------------------------------------------------------------------

    def open_tables(self, game: str | None = None, limit: int = 50) -> tuple[TableLine, ...]:
        """Listed tables with a free seat that are at most a day old, newest first."""
        return self._lists.open_tables(game, _bound(limit))

    def my_tables(self, person: str, limit: int = 50, *, finished: bool = True) -> tuple[TableLine, ...]:
        """Tables where the person sits: those that wait for it first, then running, open, and over if `finished`."""
        return self._lists.my_tables(person, _bound(limit), finished=finished)

    def next_table(self, person: str, after: str = "") -> str | None:
        """The table that has waited longest for the person, or the one that follows `after`; None where none waits."""
        return self._lists.next_table(person, after)

    def my_games(
        self, person: str, page: int = 1, wish: GameWish = ALL_GAMES
    ) -> tuple[tuple[GameLine, ...], int]:
        """The finished games of a person that are wanted, the newest first, 100 a page, and how many there are."""
        return self._histories.games(person, max(1, page), wish, reader=person)

    def games_of(
        self, profile: Profile, reader: str | None, page: int = 1, wish: GameWish = ALL_GAMES
    ) -> tuple[tuple[GameLine, ...], int]:
        """The same of another's page (`profiles.find`): tables that were listed, and those where the reader sat."""
        return self._histories.games(profile.person, max(1, page), wish, reader=reader)

    def tallies(self, person: str, reader: str | None) -> tuple[GameTally, ...]:
        """How many games of each kind a person has finished and won, as far as the reader may know."""
        return self._histories.tallies(person, reader=reader)

    def games_finished(self, person: str) -> frozenset[str]:
        """The names of the games of which a person has finished one."""
        return self._histories.games_finished(person)

    def count_finished(self, person: str, table_id: str, most: int) -> int:
        """How many games like that of this table a person has finished, up to `most`."""
        return self._histories.count_finished(person, table_id, most)

    def running_tables(self, game: str | None = None, limit: int = 50) -> tuple[TableLine, ...]:
        """Listed tables that are being played, for spectators, last changed first."""
        return self._lists.running_tables(game, _bound(limit))

    # --- a table before it starts -------------------------------------------------------------------------------

    def create_table(self, person: str, plan: Plan) -> str:
        """Make a table and return its id, 10 letters and digits. A table without free seats is `ready` at once.

        Raises UnknownPerson, UnknownGame, BadOption, BadPlan, BadInput (seats).
        """
        return self._lobby.create(person, plan)

    def begin_lesson(self, person: str, game: str) -> str:
        """Begin the guided game of that game and return its table: chance and bots follow the lesson.

        Raises UnknownPerson, UnknownGame, BadPlan where the game has none.
        """
        return self._next_games.begin_lesson(person, game)

    def join(self, table: str, person: str, *, invite: str = "", seat: int | None = None) -> int:
        """Sit down at a free seat (the first that the person may take, if none is named) and return it; twice is once.

        `invite` is `Look.invite` of the host, needed for seats planned as `link`. Two who race for a seat: one gets
        it, the other SeatTaken. Raises UnknownTable, NotNow.
        """
        return self._lobby.join(table, person, invite, seat)

    def invite(self, table: str, person: str, name: str) -> None:
        """The host tells a member of that name that a seat is free. Raises NotSeated, NotNow, TooFast, BadPlan."""
        self._inviting.invite(table, person, name)

    def leave(self, table: str, person: str) -> None:
        """Stand up before the start; a table that its host leaves is closed (`over`). Raises NotSeated, NotNow."""
        self._lobby.leave(table, person)

    def add_nonce(self, table: str, person: str, nonce: str = "", commitment: str = "") -> None:
        """Give the seat's share in chance (1 to 64 printable characters, no spaces), or first its SHA-256.

        When all seats are taken and every person has given one or the other, no other is taken any more: who gave a
        commitment opens it, by giving the nonce. Then the game starts. It starts without what is missing a few seconds
        later (setting `nonce_wait`), or by `start`. Nobody is shown another's nonce before. Raises BadNonce, NotSeated,
        NotNow.
        """
        self._lobby.add_nonce(table, person, nonce, commitment)

    def start(self, table: str, person: str) -> None:
        """Start now, when all seats are taken (`fill` puts bots on free ones); any seated person may say so.

        Raises NotSeated, NotNow.
        """
        self._lobby.start(table, person)

    def fill(self, table: str, person: str, level: str | None = None, seat: int | None = None) -> None:
        """The host puts a bot on one free seat, or on all; `level` None is the default. NotSeated, NotNow, BadPlan."""
        self._lobby.fill(table, person, level, seat)

    # --- looking ------------------------------------------------------------------------------------------------

    def look(
        self,
        table: str,
        person: str | None = None,
        *,
        since: int = 0,
        translate: Callable[[str], str] = plain,
        words: Callable[[str], str] = plain,
        draft: Mapping[str, Sequence[str]] | None = None,
        recall: bool = False,
    ) -> Look:
        """The table as this person may see it (None or somebody without a seat: a spectator).

        `since` is the ply after which log lines are wanted. `translate` is for the game's sentences, `words` for the
        house's own. `draft` are the fields of a form that the person has not sent yet, for `Look.considered`; they
        change nothing and are told to nobody. `recall`: with the summary of the last round.
        `translate` and `words` give the same words each time, as sentences are kept by them.

        Raises UnknownTable, and UnknownGame when the rules of its version are
        not available.
        """
        return self.visit(
            table, person, since=since, translate=translate, words=words, draft=draft, recall=recall
        )[1]

    def visit(
        self,
        table: str,
        person: str | None = None,
        *,
        since: int = 0,
        translate: Callable[[str], str] = plain,
        words: Callable[[str], str] = plain,
        draft: Mapping[str, Sequence[str]] | None = None,
        recall: bool = False,
        fresh: bool = True,
    ) -> tuple[Glance, Look]:
        """A `look`, and the glance that goes with it: to whom else it may be shown.

        Not `fresh`: at least as new as the last glance, without asking the store again.
        """
        with self._store.open(table, fresh=fresh) as slot:
            viewer = Viewer.of(slot.table, person)
            now = self._store.now()
            absence = Absence(viewer, self._store.presence, now)
            look = look_at(
                viewer,
                absence,
                named=person is not None,
                now=now,
                since=since,
                translate=translate,
                words=words,
                draft=draft,
                signer=self._store.signer,
                recall=recall,
            )
            return self._attendance.glance_of(viewer, person, absence), look

    def version(self, table: str, person: str | None = None) -> int:
        """The version that a look would have now; cheap. Raises UnknownTable."""
        with self._store.open(table) as slot:
            return Viewer.of(slot.table, person).version

    def told(self, table: str, person: str | None = None, *, since: int = 0, viewer: str = "") -> ToldRows:
        """The texts and links of this person's chain after ply `since`, to recompute it. Raises UnknownTable, NotNow.

        When the game is over nothing is hidden, and `viewer` may ask for another's: a seat, or `spectator`.
        """
        with self._store.open(table) as slot:
            asked = Viewer.of(slot.table, person)
            if viewer:
                if slot.table.outcome is None:
                    raise NotNow("the chains of others are open when the game is over")
                seats = {str(seat): seat for seat in range(slot.table.seats)}
                if viewer not in {"spectator", *seats}:
                    raise BadPlan(f"it is spectator, or a seat from 0 to {slot.table.seats - 1}", "viewer")
                asked = Viewer(slot.table, seats.get(viewer))
            return told_since(asked, since, self._store.signer)

    def glance(self, table: str, person: str | None = None, stay: Stay | None = None) -> Glance:
        """Version and stamp that a look would have now; cheap. With a `stay`, its stream is open now, see `stay`."""
        return self._attendance.glances(table, [(person, stay)])[0]

    def glances(
        self,
        table: str,
        readers: Sequence[tuple[str | None, Stay | None]],
        newest: tuple[int, int] | None = None,
    ) -> list[Glance]:
        """The glances of many at one table, each a person with the stay of its stream; cheap.

        `newest` is `Change.newest` of all that was heard: where the table is as new as that here, the store need not be
        asked.
        """
        return self._attendance.glances(table, readers, newest)

    def stay(self, table: str, *, lasting: bool) -> Stay:
        """A stream that is about to open: while `glance` is given it now and then, its person is at the table.

        `lasting`: it counts as long as it is open; else only with a `ping` every half minute. `leave` ends it.
        """
        return Stay(table, lasting=lasting)

    def leave_stream(self, stay: Stay) -> None:
        """The stream has ended. Never waits, and raises nothing."""
        self._attendance.leave(stay)

    def ping(self, table: str, person: str, *, near: bool = True) -> None:
        """A page with a stream shows that its line is alive; not `near`: a page without one, behind another page."""
        self._attendance.ping(table, person, near=near)

    def fetched(self, table: str, person: str) -> None:
        """The person fetched the table's page, or looked at it by a program."""
        self._attendance.fetched(table, person)

    def hush(self, table: str, person: str) -> None:
        """The next `fetched` of this person follows a form, and must not tell others that there was one."""
        self._store.presence.hush(table, person)

    def subscribe(self, table: str) -> AsyncIterator[Change]:
        """Changes from now on; those that a slow reader leaves become one. Never ends by itself; `aclose` it.

        A change may be missed when workers lose each other: look again after a heartbeat's silence.
        """
        return self._store.bus.subscribe(table)

    def record(self, table: str) -> Record:
        """The whole game as a record, seed and all; raises NotNow before the game is over."""
        with self._store.open(table) as slot:
            return record_of(Viewer(slot.table, None), self._store.signer)

    @property
    def key(self) -> str | None:
        """The public key of the house, in hexadecimal: what it signs is checked with it. None: it does not sign."""
        return self._store.signer.public if self._store.signer else None

    # --- games that are over ------------------------------------------------------------------------------------

    def replay(
        self,
        table: str,
        person: str | None = None,
        *,
        ply: int | None = None,
        eyes: Eyes = "open",
        translate: Callable[[str], str] = plain,
        words: Callable[[str], str] = plain,
    ) -> Replay:
        """A finished game as it stood after so many plies (None: at its end), as those eyes saw it, or with all open.

        Raises UnknownTable, NotNow while it is not over, BadInput for a ply or a seat that there is not.
        """
        return self._replays.look(table, person, ply, eyes, translate, words)

    def position(self, table: str, ply: int | None = None) -> bytes:
        """The position of a finished game after so many plies as a position file; raises like `replay`."""
        return self._replays.position(table, ply)

    def verify(self, table: str) -> Verdict:
        """Whether chance, moves and result of a finished game are right, all recomputed. Raises NotNow."""
        return self._replays.verify(table)

    def analyse(self, table: str, _person: str = "") -> None:
        """Have a finished game analysed, if it is not yet; `analysis` tells how far it is. Anybody may ask.

        Raises UnknownTable, NotNow while it is not over, BadPlan where nothing judges the game, TooFast while many
        wait.
        """
        self._analyses.begin(table)

    def analysis(self, table: str) -> AnalysisLook:
        """The analysis of a finished game, and how far it is. Raises UnknownTable, NotNow while it is not over."""
        return self._analyses.look(table)

    def judge(self, match: Match, patience: float | None = None) -> Judgement:
        """What the position is worth in which a match stands, and what its moves or its chance lead to.

        For positions that belong to no table, or to one that is over; a running game has `advise`. Raises TooFast while
        too many wait, NotYet where it takes longer than so many seconds of ``patience``.
        """
        return self._judging.judge(match, patience=patience)

    def advise(
        self,
        table: str,
        person: str,
        *,
        translate: Callable[[str], str] = plain,
        patience: float | None = None,
    ) -> Advice:
        """What each move of the person is worth now: a coach's word, in a game against bots alone.

        It rests on what the person may see. Raises NotSeated, NotNow where another person sits or when the person is
        not asked, TooFast while too many wait, NotYet where it takes longer than `patience` seconds.
        """
        with self._store.open(table) as slot:
            viewer = Viewer.of(slot.table, person)
            if viewer.seat is None:
                raise NotSeated("you have no seat at this table; you may watch")
            if not viewer.may_be_coached:
                raise NotNow("a coach helps in games against bots alone, while they are played")
            match, names = slot.table.match, slot.table.names
            if match is None or viewer.seat not in match.actors:
                raise NotNow("it is not your turn; the coach speaks when you are asked")
            seat, view = viewer.seat, match.view(viewer.seat)
            here = as_known(match, seat)
        found = self._judging.judge(here, seat, patience)
        reasons = here.game.hooks.reasons
        return Advice(
            judgement=found,
            told=tuple(say_move(here, seat, one.move, names, translate) for one in found.alternatives),
            why=tuple(reasons(here.parse(one.move), view, names, translate) for one in found.alternatives),
        )

    def answer_problem(self, person: str, game: str, problem: str, *, right: bool) -> None:
        """Note that the person answered a problem; raises UnknownPerson."""
        self._answers.keep(person, game, problem, right=right)

    def answered(self, person: str, game: str) -> dict[str, bool]:
        """The problems of a game that the person has answered, each with whether it is solved."""
        return self._answers.of(person, game)

    def match_at(self, table: str, ply: int | None = None) -> Match:
        """A match that stands in a position of a finished game; raises like `replay`."""
        return self._replays.branch(table, None, ply)[0]

    def teller(self, table: str, translate: Callable[[str], str] = plain) -> Teller:
        """Tells the plies of a finished game, and what else could have been played. Raises like `replay`."""
        return Teller(self._replays.course(table), translate)

    def play_on(
        self,
        table: str,
        person: str,
        *,
        ply: int | None = None,
        seat: int | None = None,
        level: str | None = None,
    ) -> str:
        """Make a table that begins from a position of a finished game, and return it; its record says so.

        The person sits at `seat` (the own one, else who acts next), bots at the others. Raises like `replay`, BadPlan.
        """
        return self._next_games.play_on(table, person, ply, seat, level)

    # --- playing ------------------------------------------------------------------------------------------------

    def act(self, table: str, person: str, move: str, ply: int, key: str, link: str = "") -> Answer:
        """Play a move text for the person's seat; returns after it is durable.

        `ply` is `Look.ply` of the look that it was chosen from; `key` is any text of 8 to 64 characters, new for each
        action. `link` is `Look.chain.link` of that look, if the person keeps it: the house can then not play on from
        another past. Raises UnknownTable, NotSeated, BadText, IllegalMove, NotYourTurn, GameOver, NotNow, AnotherPast;
        the table is then as it was.
        """
        return self._play.act(table, person, move, ply, key, link)

    def take_back(self, table: str, person: str, ply: int, key: str, link: str = "") -> Answer:
        """Take back the own sealed choice while others still choose; raises NotNow when that can't be."""
        return self._play.take_back(table, person, ply, key, link)

    def resign(self, table: str, person: str, key: str) -> Answer:
        """Give up: at two seats the game is over; at more the seat's place is last and a bot plays on for it."""
        return self._play.resign(table, person, key)

    def offer_draw(self, table: str, person: str) -> Answer:
        """Offer a draw to all others; it lapses when another seat moves. Once per own move. Raises NotNow."""
        return self._play.offer_draw(table, person)

    def accept_draw(self, table: str, person: str, key: str) -> Answer:
        """Accept; when all people at the table have, the game is drawn. Raises NotNow without an offer."""
        return self._play.accept_draw(table, person, key)

    def decline_draw(self, table: str, person: str) -> Answer:
        """Decline; the offer is gone. Raises NotNow without an offer."""
        return self._play.decline_draw(table, person)

    def rematch(self, table: str, person: str) -> str:
        """Offer the next game, or accept it: same settings, seats moved on by one. Returns its table.

        The first who asks makes it and sits down there; the other people's seats are kept for them. It starts when all
        have accepted.
        """
        return self._next_games.rematch(table, person)

    def decline_rematch(self, table: str, person: str) -> None:
        """Decline the next game: the seat that is kept for the person there is a friend's with the link. NotNow."""
        self._next_games.decline_rematch(table, person)

    def stand_in(self, table: str, person: str, level: str | None = None) -> Answer:
        """Let a bot play for the person's own seat until `come_back`; raises NotSeated, NotNow."""
        return self._play.stand_in(table, person, level)

    def come_back(self, table: str, person: str) -> Answer:
        """Take the own seat over from the bot again; raises NotSeated, NotNow."""
        return self._play.come_back(table, person)

    def go_on_in_lesson(
        self, table: str, person: str, way: Literal["read", "alone"], ply: int, key: str
    ) -> Answer:
        """Go on in a guided game: its text was read, or (`alone`) the rest is played without it.

        `ply` and `key` are as for `act`. Raises NotSeated, NotNow, GameOver.
        """
        return self._play.go_on_in_lesson(table, person, way, ply, key)

    # --- who is not there -----------------------------------------------------------------------------------------

    def nudge(self, table: str, person: str, seat: int) -> Answer:
        """Remind somebody who is asked and not there; once a minute for each seat. Raises NotSeated, NotNow."""
        return self._going_on.nudge(table, person, seat)

    def go_on(self, table: str, person: str, seat: int, how: Way) -> Answer:
        """Go on without somebody who is asked and has not been there for the table's grace.

        ``bot``: one plays for them until they come back. ``win``: where two people play, the game is the other's.
        ``off``: the game is called off, with nobody's win; where more are there, when all of those have said so. Raises
        NotSeated, NotNow.
        """
        return self._going_on.go_on(table, person, seat, how)

    # --- the summary of a round ---------------------------------------------------------------------------------

    def hold_summary(self, table: str, person: str) -> None:
        """The person's page shows the newest summary: bots wait until it goes on, for a time. Nothing without one."""
        self._play.attend(table, person, hold)

    def dismiss_summary(self, table: str, person: str) -> None:
        """Dismiss the summary of the last round; raises NotSeated."""
        self._play.attend(table, person, go_on)

    def recall_summary(self, table: str, person: str) -> None:
        """Show the summary of the last round once more; raises NotSeated, NotNow before a round has ended."""
        self._play.attend(table, person, call_back)

    # --- beside the game ----------------------------------------------------------------------------------------

    def say(self, table: str, person: str, text: str, key: str | None = None) -> None:
        """Chat, 1 to 300 characters, at most 5 messages in 10 seconds; spectators too. Raises BadMessage, TooFast.

        With a `key`, the same message sent twice is said once.
        """
        self._talk.say(table, person, text, key)

    def set_standing(self, table: str, person: str, orders: object) -> None:
        """Keep standing orders for this seat (JSON-able, at most 4 kB, None forgets); only its owner sees them.

        Raises NotSeated, NotNow, BadPlan, and BadInput where the game refuses them.
        """
        self._play.set_orders(table, person, orders)

    # --- the house itself ---------------------------------------------------------------------------------------

    def health(self, *also: str | None) -> Health:
        """How the house is; never raises. `also`: what its owner found wrong, which does not keep it from working."""
        return check_health(self._store, self._scheduler, also)

    def metrics(self) -> bytes:
        """All counters in the text format of Prometheus; holds no names and no table ids."""
        return self._store.metrics.text()

    def tick(self) -> int:
        """Do all due work now, in this thread; returns how many tasks. For tests and programs without timers."""
        return self._scheduler.tick() + self._analyses.work_off() + self.notifications.tick()

    def close(self) -> None:
        """Stop timers and bots, write what is queued, close the store. What is due is taken up by the next start."""
        if not self._closed:
            self._closed = True
            self._analyses.close()
            self._judging.close()
            self.notifications.close()
            self._scheduler.close()
            self._store.close()
            if self._held is not None:
                self._held.close()


def open_house(
    database: str,
    *,
    redis: str = "",
    bot_pause: float = 0.7,
    nonce_wait: float = 5.0,
    bot_threads: int = 2,
    timers: bool = True,
    clock: Callable[[], float] | None = None,
    bots: SeatBot | None = None,
    analyst: Callable[[], Analyst] | None = None,
    alone: bool | None = None,
    patience: float = PATIENCE_S,
    keeping: Keeping | None = None,
    lasting: Lasting | None = None,
    signing_key: bytes | None = None,
    push_key: bytes | None = None,
    outside: Outside | None = None,
    words: InLanguage | None = None,
    in_memory: int = TABLES,
) -> House:
    """Open the house on a SQLAlchemy address (`sqlite:///path`, `postgresql+psycopg://...`); brings a SQLite
    file or an empty database up to date.

    `bot_pause`: seconds before a bot moves. `timers=False` leaves due work to `House.tick()` (tests, with `clock`, a
    function that returns seconds since 1970; where it jumps, time has passed). `patience`: seconds that anybody waits
    for a store that says nothing. `alone`: no other process writes this database, which spares asking the
    store at each look; so for SQLite, whose file it then holds, unless said otherwise. `keeping`: how long what nobody
    uses is kept. `lasting`: how long sessions of members last. `signing_key`: 32 bytes that all workers share; by
    default a house on SQLite keeps one beside its file, and another does not sign. `push_key`: the same for Web Push.
    `outside`: what the host has set for what goes out of the house. `words`: its texts by language. `in_memory`: bytes
    of tables that are held replayed.
    """
    engine = open_engine(database, most=2, patience=patience)
    sqlite = engine.dialect.name == "sqlite"
    alone = sqlite if alone is None else alone
    held = None
    try:
        if alone and sqlite:
            held = lock_alone(engine)
        if problem := check(engine):
            if not (sqlite or is_empty(engine)):
                raise HouseClosed(f"{problem}; `spelunke migrate` brings it up to date")
            migrate_database(database)
        if signing_key is None and sqlite:
            signing_key = keep_key(Path(f"{engine.url.database}.key"))
        if push_key is None and sqlite:
            push_key = keep_key(Path(f"{engine.url.database}.push"))
    except BaseException:
        engine.dispose()
        if held is not None:
            held.close()
        raise
    pauses = Pauses(bot_ms=int(bot_pause * 1000), nonce_ms=int(nonce_wait * 1000))
    reader = open_engine(database, autocommit=True, patience=patience)
    now = Now() if clock is None else clock if isinstance(clock, Now) else Now(clock, clock)
    store = TableStore(
        engine,
        reader,
        open_bus(redis),
        now,
        alone=alone,
        in_memory=in_memory,
        pauses=pauses,
        patience=patience,
        signer=None if signing_key is None else Signer(signing_key),
    )
    return House(
        store,
        alone=alone,
        threads=bot_threads if timers else 0,
        bots=bots,
        analyst=analyst,
        held=held,
        keeping=keeping,
        lasting=lasting,
        outside=outside,
        push_key=push_key,
        words=words,
    )
