"""What the house tells: immutable pictures of a table as one viewer may see it, and short lines for lists."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from spelunke.analysis.analysis import Analysis, Judgement
from spelunke.core.values import Action, Event, View
from spelunke.games.game import Settled
from spelunke.house.plan import Clock

Status = Literal["open", "ready", "playing", "over"]
"""``open``: seats are free. ``ready``: all are taken, nonces come in. ``playing``. ``over``: nothing more to play."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody. ``id`` is secret between the house and that person's cookie; others only ever see ``name``.

    Whoever is no ``member`` is a guest, whom the house knows by a signed cookie alone. ``shut_out_ms``: None, or until
    when the hosts have shut that person out, 0 for good (see `house.bans`). ``figure`` and ``colour`` are those of the
    person's portrait, empty where none was chosen; ``coached``: the coach speaks at each decision without being asked.
    """

    id: str
    name: str
    member: bool = False
    figure: str = ""
    colour: str = ""
    coached: bool = False
    shut_out_ms: int | None = None


class SeatLook(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as everybody may see it.

    ``kind`` is who plays it now: ``open`` nobody yet, ``link`` a friend with the link, ``kept`` whoever it is kept for,
    ``person``, or ``bot`` from the start; ``level`` is the
    bot's, also when it plays for a person (``absent`` is then True and ``kind`` stays ``person``). ``nonce``
    is None until given, and for others until the start; empty when the game started without one.
    ``used_ms``/``left_ms`` are the clock's (None: no clock); while ``ticking``, ``left_ms`` goes down from the moment
    ``Look.now``. ``ready`` is a lamp: the seat has sealed its choice while others have not. ``presence`` of a person:
    ``here`` looks at the table, ``away`` has it open behind another page, ``offline`` neither (None: not known);
    ``away_ms`` is since when. ``figure`` and ``colour`` are those of the portrait, empty where a person chose none;
    ``about`` is a sentence about how a bot plays. ``reaction`` is what the seat's person said last without words, and
    ``reaction_ms`` when.
    """

    seat: int
    name: str
    kind: Literal["open", "link", "kept", "person", "bot"]
    level: str | None = None
    absent: bool = False
    you: bool = False
    host: bool = False
    nonce: str | None = None
    left_ms: int | None = None
    ticking: bool = False
    ready: bool = False
    offers_draw: bool = False
    presence: Literal["here", "away", "offline"] | None = None
    away_ms: int | None = None
    figure: str = ""
    colour: str = ""
    about: str = ""
    reaction: str = ""
    reaction_ms: int | None = None


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is asked and not there, as the viewer may know it: since when both.

    ``grace_ends_ms`` is when the others may go on without (None: here they wait for its clock). ``nudged_ms`` is when
    it was nudged about this decision. ``may`` is what the viewer may do now: nudge, let_bot, take_win, call_off.
    ``agreed`` are the seats that would call the game off, ``missing`` those that are there and have not said so.
    """

    seat: int
    since_ms: int
    grace_ends_ms: int | None
    nudged_ms: int | None
    may: frozenset[str]
    agreed: tuple[int, ...]
    missing: tuple[int, ...]


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

    ``reason`` is the Outcome's: ``played``, ``resigned``, ``time``, ``left``, ``agreed`` or ``called_off``; ``seat`` is
    who resigned, ran out of time or left. ``text`` is a sentence. ``outcome`` is the match's own Outcome when it was
    played out.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: Literal["played", "resigned", "time", "left", "agreed", "called_off"]
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


class LessonLook(msgspec.Struct, frozen=True, kw_only=True):
    """What a guided game tells its learner: step ``number`` of ``of``.

    ``move`` is the move text that it waits for; None: the learner reads, and goes on. An empty ``text``: others move.
    """

    number: int
    of: int
    text: str = ""
    move: str | None = None


class ChainLook(msgspec.Struct, frozen=True, kw_only=True):
    """Where the viewer's chain is: its link after the rows that it noticed (`ply` of the look), also as six words.

    ``link`` goes with the next action, so that the house can't play on from another past. ``signature`` is the house's,
    by ``key``, over what docs/records.md says; None where the house has no key, and in streams: ask for the chain.
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


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The newest round that has ended, as one viewer may know it: see `boards.scene.Summary`.

    ``row`` tells it from others, ``number`` counts the rounds from 1, ``name`` is the game's own (may be empty).
    """

    row: int
    number: int
    name: str
    before: View
    view: View
    events: tuple[Event, ...]
    points_before: tuple[int, ...] | None
    points: tuple[int, ...] | None
    over: bool


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a page needs of a table for one viewer; built by allow-list.

    ``ply`` is what an action of this viewer must carry; it counts what the viewer saw happen, so hidden acts
    don't move it. ``version`` counts every change that this viewer can see: it
    goes into event ids and into ``?since=``; two looks with the same version of one viewer are the same but for clocks
    and presence, which ``stamp`` tells apart.
    ``view`` is the game's View (None before the start); ``legal`` pairs each Action with its move text (empty
    when the viewer is not asked, or a bot plays for it); ``revise`` are the ways to change a choice that it
    has sealed, given to `act` as well. ``last`` are the events from the viewer's last own act on, that act
    included (for a spectator: from the last act of anybody). ``log`` are the sentences after ply ``since``.
    ``may`` names what the viewer can do now besides playing: join, sit_down (join without an invitation), start,
    leave, nonce, resign, offer_draw,
    accept_draw, decline_draw, take_back, rematch, accept_rematch, decline_rematch, analyse, hint, chat, stand_in,
    come_back, nudge, let_bot, take_win, call_off (the last four for a seat of ``waits``), read_on, go_alone, play_on,
    dismiss_summary, recall, react.
    ``nudged_by`` is who nudged the viewer, while it is asked; ``rematch_by`` the seat that offered the rematch.
    ``origin``: the table and ply of the position that this game was begun from.
    ``summary``: the round that has just ended, while it holds the board. ``standing`` is this seat's own
    and nobody else's. ``pause_ms`` is how long everybody sees the table wait now (for calls out of turn), whoever
    has answered, and ``pause_left_ms`` what is left of it, 0 when it is over; None where it waits for nobody's time.
    ``lesson`` is what a guided game tells the seat that learns.
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
    summary: RoundSummary | None = None
    origin: tuple[str, int] | None = None
    considered: msgspec.Struct | None = None
    lesson: LessonLook | None = None
    chain: ChainLook | None = None
    stamp: str = ""
    waits: tuple[Wait, ...] = ()
    nudged_by: int | None = None
    rematch_by: int | None = None


class Knowledge(msgspec.Struct, frozen=True):
    """What a person's looks at a table rest on: to whom it is the same, at one version and stamp they are the same.

    The seat (None: a spectator), whether a seat is kept for the person, and whether the house knows who it is.
    """

    seat: int | None
    invited: bool
    named: bool


class Glance(msgspec.Struct, frozen=True):
    """What a look would have now. ``again_ms``: after so long it may be another one by itself (None: it won't)."""

    version: int
    stamp: str
    again_ms: int | None
    knowledge: Knowledge


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over in one of its positions, as some eyes saw it then.

    ``ply`` is how many plies of the match lie behind the position, of ``plies``. ``eyes`` are a seat's, a spectator's
    (None), or ``open``: nothing is hidden; ``hides``: whether that makes a difference in this game. ``view``,
    ``last`` and ``actors`` are what a board is given, ``over``: it is the last position. ``before`` and ``after`` are
    the nearest positions at which something was told. ``rounds`` pairs the position in which each round begins with
    its name (empty: it has a number alone); the end of the last is the last entry where it was played out. ``points``
    are, by position, those of all seats (empty: the game counts none before its end). ``log`` are the lines about the
    position, the ``ply`` of each being the position after it; ``more_before`` and ``more_after`` where those before
    and after begin. ``seat`` is where the person who looks sat. ``origin``: table and ply of the position that the
    game was begun from.
    """

    table: str
    game: str
    title: str
    options: Settled
    changed: dict[str, str]
    names: tuple[str, ...]
    kinds: tuple[Literal["person", "bot"], ...]
    seat: int | None
    ply: int
    plies: int
    eyes: int | Literal["open"] | None
    hides: bool
    view: View
    last: tuple[Event, ...]
    actors: tuple[int, ...]
    over: bool
    result: Result | None
    before: int | None
    after: int | None
    rounds: tuple[tuple[int, str], ...]
    points: tuple[tuple[int, ...], ...]
    log: tuple[LogLine, ...]
    more_before: int | None
    more_after: int | None
    ended_ms: int
    rematch: str | None = None
    origin: tuple[str, int] | None = None


class AnalysisLook(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of a game that is over, and how far it is.

    ``none``: nobody has asked for it. ``working``: ``done`` of ``plies`` are. ``failed``: ``problem`` says why.
    ``impossible``: nothing was played.
    """

    table: str
    status: Literal["none", "working", "done", "failed", "impossible"]
    done: int = 0
    plies: int = 0
    problem: str = ""
    made_ms: int | None = None
    analysis: Analysis | None = None


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What a coach says of a decision: what each move is worth; in words, what each is, and what speaks for and against
    it."""

    judgement: Judgement
    told: tuple[str, ...]
    why: tuple[tuple[str, ...], ...] = ()


class FirstLook(msgspec.Struct, frozen=True, kw_only=True):
    """What a coach says before it has worked anything out: the best moves of a first look, the best first.

    In words, what each is, and what speaks for and against it. ``alike``: a first look finds no difference.
    """

    moves: tuple[str, ...]
    told: tuple[str, ...]
    why: tuple[tuple[str, ...], ...]
    alike: bool


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

    ``since_ms`` is when the viewer was last told of something that happened. ``free``: anybody may sit down there.
    ``lesson``: it is a guided game.
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
    free: bool = False
    lesson: bool = False


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game in the list of somebody who played it, at ``seat``.

    ``names``, ``ranks`` and ``scores`` are by seat; ``scores`` is None where it was not played out.
    ``begun_from_position``: it did not begin at the start. ``helped``: a bot has made a move for its person, who has
    then won nothing. ``pages``: by seat, the address of that person's page where
    the reader may see it.
    """

    table: str
    game: str
    title: str
    ended_ms: int
    seat: int
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str
    begun_from_position: bool = False
    helped: bool = False
    pages: tuple[str | None, ...] = ()


class GameTally(msgspec.Struct, frozen=True, kw_only=True):
    """How often somebody has finished a game, and won it without a bot's help."""

    game: str
    title: str
    played: int
    won: int


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A word on the bus: something may have changed at ``table``; look for yourself. Carries no secret.

    ``ply`` and ``version`` are negative where they are not known.
    """

    table: str
    ply: int
    version: int

    @property
    def newest(self) -> tuple[int, int] | None:
        """The table's rev and last row that were stored with the change; None where that is not known."""
        return None if self.ply < 0 else (self.version - self.ply, self.ply)

    def joined(self, other: Change) -> Change:
        """Both in one word: the newest that either tells, and nothing known where one of them knows nothing."""
        if self.newest is None or other.newest is None:
            return Change(table=self.table, ply=-1, version=-1)
        rev, row = map(max, self.newest, other.newest)
        return Change(table=self.table, ply=row, version=rev + row)


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the house can work: its store answers, its writer and timers live.

    ``late_ms``: of the oldest due work; ``bots_late_ms``: of the bot that people at a table have waited for longest.
    """

    ok: bool
    store: str
    store_ms: float
    writer_queue: int
    tables_in_memory: int
    late_ms: int
    bots_late_ms: int
    worker: str
    problems: tuple[str, ...] = ()

    @property
    def status(self) -> Literal["ok", "degraded", "down"]:
        """``down``: it can't work; ``degraded``: it works, and something is wrong. All that strangers are told."""
        if not self.ok:
            return "down"
        return "degraded" if self.problems else "ok"
