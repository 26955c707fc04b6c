"""Messages of the house: immutable snapshots of a table for one viewer, and short lines for lists."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from spelunke.analysis.analysis import Analysis, Judgement
from spelunke.core.values import Action, Event, View
from spelunke.games.game import Settled
from spelunke.house.plan import Clock

Status = Literal["open", "ready", "playing", "over"]
"""``open``: some seats are free.

``ready``: all seats are taken, and nonces are collected. ``playing``: the game is running. ``over``: the game
is finished, or the table was closed.
"""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person. ``id`` is a secret between the server and that person's cookie. Others only ever see
    ``name``.

    A person who is not a ``member`` is a guest, and identified only by a signed cookie. ``shut_out_ms`` is
    None, the end of a ban, or 0 for a ban for good (see `house.bans`). ``figure`` and ``colour`` are the
    portrait that the person has chosen, or empty. ``coached``: the coach gives advice at each decision
    without being asked.
    """

    id: str
    name: str
    member: bool = False
    figure: str = ""
    colour: str = ""
    coached: bool = False
    shut_out_ms: int | None = None


class SeatLook(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everybody may see it.

    ``kind`` is the current player: ``open`` is free, ``link`` is for a friend with the link, ``kept`` is
    reserved for a person, ``person``, or ``bot`` from the start. ``level`` is the bot's level, also if it
    plays for a person (``absent`` is then true and ``kind`` stays ``person``). ``nonce`` is None until
    given, None for others until the start, and empty if the game started without it. ``used_ms`` and
    ``left_ms`` are the clock's times, or None without a clock. While ``ticking``, ``left_ms`` counts down
    from ``Look.now``. ``ready``: the seat has sealed its choice while others have not. ``presence`` of a
    person: ``here`` looks at the table, ``away`` has it open in the background, ``offline`` neither, None
    unknown; ``away_ms`` is its beginning. ``here``: the person plays at the host's device. ``figure`` and
    ``colour`` are the portrait, or empty if a person has chosen none; ``about`` is a sentence on how a bot
    plays. ``reaction`` is the newest of the seat's person, ``reaction_ms`` its time. ``eyes``: spectators
    may see what this seat sees. ``program``: a program plays with the person's token.
    ``vacation_ms``: the end of the person's vacation, at a table where each decision may take days.
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
    here: bool = False
    figure: str = ""
    colour: str = ""
    about: str = ""
    reaction: str = ""
    reaction_ms: int | None = None
    eyes: bool = False
    program: bool = False
    vacation_ms: int | None = None


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """An absent player whose turn it is, as the viewer may know it.

    ``since_ms`` is the time since which the player has been absent on their turn.

    ``grace_ends_ms`` is when the others may go on without that player (None: the clock decides).
    ``nudged_ms`` is when somebody nudged the player about this decision. ``may`` lists the viewer's actions
    now: nudge, let_bot, take_win, call_off. ``agreed`` are the seats that want to call the game off,
    ``missing`` the present ones that have not agreed.
    """

    seat: int
    since_ms: int
    grace_ends_ms: int | None
    nudged_ms: int | None
    may: frozenset[str]
    agreed: tuple[int, ...]
    missing: tuple[int, ...]


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the log, as the viewer may know it. ``ply`` counts the rows of the table's log from 1.

    ``seat`` is the seat that acted (-1 chance, None the house). ``event`` is the game's own event (None for
    lines of the house).
    """

    ply: int
    seat: int | None
    text: str
    at_ms: int
    event: Any = None  # opaque in the published schema


class ChatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A chat message; ``seat`` is None for a spectator."""

    n: int
    seat: int | None
    name: str
    text: str
    at_ms: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game. In ``ranks``, 1 is best, and shared places are 1, 1, 3.

    ``scores`` is None if the game was not played out. ``reason`` is that of an Outcome: ``played``,
    ``resigned``, ``time``, ``left``, ``agreed`` or ``called_off``. ``seat`` is the one that resigned, ran out
    of time or left. ``text`` is a sentence. ``outcome`` is the match's own Outcome if it was played out.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: Literal["played", "resigned", "time", "left", "agreed", "called_off"]
    seat: int | None
    text: str
    outcome: Any = None  # opaque in the published schema


class Fairness(msgspec.Struct, frozen=True, kw_only=True):
    """The data to verify chance: the commitment from the start, and the seed (hex) once the game is over.

    ``nonces`` of others are None until the game starts; until then ``nonce_commitments`` (SHA-256) show who
    gave one. ``opening``: everybody has given a nonce or a commitment, and people who gave a commitment must
    give their nonces now.
    """

    commitment: str
    nonces: tuple[str | None, ...]
    seed: str | None = None
    nonce_commitments: tuple[str | None, ...] = ()
    opening: bool = False


class LessonLook(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson for its learner: ``number`` of ``of``.

    ``move`` is the move text that the lesson waits for; None if the learner reads and continues. ``text`` is
    empty while others move.
    """

    number: int
    of: int
    text: str = ""
    move: str | None = None


class ChainLook(msgspec.Struct, frozen=True, kw_only=True):
    """The current link of the viewer's chain, after the rows that it noticed (`ply` of the look), also as six words.

    ``link`` goes with the next action, so that the server can't continue from another past. ``signature`` is
    the server's signature by ``key`` of the text that docs/records.md defines. It is None if the server has
    no key, and in streams: fetch the chain instead.
    """

    ply: int
    link: str
    words: str
    key: str | None = None
    signature: str | None = None


class ToldRows(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a viewer's chain, from which anybody can recompute it.

    The first link is the SHA-256 of ``opening``. Each next one is the SHA-256 of the previous link (32 bytes)
    followed by the next text of ``told``. ``link`` is the link after ``since`` rows, None if there are fewer
    rows; ``told`` are the texts after it, up to ``chain``.
    """

    table: str
    viewer: int | None
    opening: str
    since: int
    link: str | None
    told: tuple[str, ...]
    chain: ChainLook


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The newest round that has ended, as one viewer may know it; see `boards.scene.Summary`.

    ``row`` identifies the round. ``number`` counts rounds from 1. ``name`` is the game's own name for the
    round, and may be empty.
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
    """A table as one viewer may see it, with everything that a page needs. Only fields listed here leave the
    server.

    ``ply`` is sent with an action of this viewer. It counts the events that the viewer saw, so secret actions
    don't change it. ``version`` counts each change that this viewer can see, and is used in event ids and
    ``?since=``. Two looks of one viewer with the same version differ only in clocks and presence. ``stamp``
    identifies the state of these.

    ``view`` is the game's View (None before the start). ``legal`` pairs each Action with its move text. It is
    empty if the viewer is not to act, or if a bot plays for the viewer. ``revise`` are the actions that
    change a sealed choice; they are sent to `act` too. ``last`` are the events since the viewer's own last
    action, including that action. For a spectator, they are the events since anybody's last action. ``log``
    are the sentences after ply ``since``.

    ``may`` lists the operations that are possible for the viewer, besides playing: join, sit_down (join
    without an invitation), start, leave, nonce, resign, offer_draw, accept_draw, decline_draw, take_back,
    rematch, accept_rematch, decline_rematch, analyse, hint, chat, stand_in, come_back, nudge, let_bot,
    take_win, call_off (the last four for a seat of ``waits``), read_on, go_alone, play_on, dismiss_summary,
    recall, show_hand, hide_hand, react, undo (at once), ask_undo, answer_undo.

    ``nudged_by`` is the seat that nudged the viewer during this decision, ``rematch_by`` the seat that
    offered the rematch, and ``undo_by`` the seat that asks to take its newest move back. ``origin`` is the
    table and ply of the position from which this game began. ``summary`` is the round that has just ended,
    while the board shows it. ``standing`` are this seat's own orders, which no other seat sees. ``pause_ms``
    is the pause for calls out of turn. It is the same for everybody whether or not they have answered.
    ``pause_left_ms`` is the rest of this pause: 0 if it is over, and None if there is none. ``lesson`` is the
    step of a lesson for the seat that learns. ``chain`` is the viewer's chain over all that the viewer
    received (None before the start). ``considered`` is the preview of the seat's stored orders or of its
    unsent form (hook `preview_draft`).
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
    rated: bool = False
    friends: bool = False
    delay: int = 0
    chat_closed: bool = False
    undo_by: int | None = None


class Knowledge(msgspec.Struct, frozen=True):
    """All facts about a person on which their looks at a table depend.

    Two looks at a table are equal if their knowledge, version and stamp are equal. The fields are the seat
    (None for a spectator), whether a seat is kept for the person, whether they have a name, and the writers
    of chat whom they have muted.
    """

    seat: int | None
    invited: bool
    named: bool
    muted: frozenset[str] = frozenset()


class Glance(msgspec.Struct, frozen=True):
    """The present version and stamp of a look.

    After ``again_ms`` they may change without an event. If ``again_ms`` is None, they change only with an
    event.
    """

    version: int
    stamp: str
    again_ms: int | None
    knowledge: Knowledge


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A position of a finished game, as a seat or a spectator saw it, or with nothing hidden.

    ``ply`` of ``plies`` is the number of plies before the position. ``eyes`` is the viewpoint: a seat, a
    spectator (None), or ``open``, from which nothing is hidden. ``hides``: in this game the viewpoints
    differ. ``view``, ``last`` and ``actors`` are the board's input. ``over`` marks the last position.
    ``before`` and ``after`` are the nearest positions in which this viewpoint saw something. ``rounds`` pairs
    the first position of each round with the round's name (empty if it only has a number). If the last round
    was played out, the last entry is the end of that round. ``points`` are the points of all seats by
    position (empty if the game counts none before its end). ``log`` are the lines around the position. The
    ``ply`` of each line is the position after it. Earlier and later lines begin at the positions
    ``more_before`` and ``more_after``. ``seat`` is the viewer's seat in that game. ``origin`` is the table
    and ply of the position from which the game began.
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
    """The analysis of a finished game, and its progress.

    ``none``: nobody has requested it. ``working``: ``done`` of ``plies`` are finished. ``failed``:
    ``problem`` gives the reason. ``impossible``: nothing was played.
    """

    table: str
    status: Literal["none", "working", "done", "failed", "impossible"]
    done: int = 0
    plies: int = 0
    problem: str = ""
    made_ms: int | None = None
    analysis: Analysis | None = None


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """A coach's advice on a decision: the value of each move, each value in words, and the reasons for and against
    it.
    """

    judgement: Judgement
    told: tuple[str, ...]
    why: tuple[tuple[str, ...], ...] = ()


class FirstLook(msgspec.Struct, frozen=True, kw_only=True):
    """A coach's first impression: the moves that look best at a quick look, the best first.

    Each comes with its sentence and the reasons for and against it. ``alike``: at a quick look, all moves are
    equally good.
    """

    moves: tuple[str, ...]
    told: tuple[str, ...]
    why: tuple[tuple[str, ...], ...]
    alike: bool


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an action, with the present version.

    ``done``: the action is played and stored. ``repeated``: an action with the same key was played before,
    and nothing changed. ``stale``: the table has changed since the person's look, and the action was not
    played. The person must look again.
    """

    status: Literal["done", "repeated", "stale"]
    ply: int
    version: int


class TableLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list. ``yours``: it's the viewer's turn. ``seats`` are names, None if free.

    ``since_ms`` is when the viewer last saw something happen. ``free``: anybody may sit down. ``lesson``: it
    is a lesson. ``rated``: its result changes ratings. ``friends``: it is for friends of its host.
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
    rated: bool = False
    friends: bool = False


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game in a player's list. The player sat at ``seat``.

    ``names``, ``ranks`` and ``scores`` are by seat. ``scores`` is None if the game was not played out.
    ``begun_from_position``: it began from a position of another game. ``helped``: a bot has made a move for
    the player. ``undone``: the player took moves back against bots. In both cases, the game doesn't count as
    won. ``pages`` are the addresses of the players' pages by seat, or None if the reader may not see the
    page.
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
    undone: bool = False
    at_one_device: bool = False
    pages: tuple[str | None, ...] = ()


class GameTally(msgspec.Struct, frozen=True, kw_only=True):
    """The number of games that a person has finished, and the number of those that they won without a bot's
    help.
    """

    game: str
    title: str
    played: int
    won: int


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A message on the bus: ``table`` may have changed, so its readers must read it again. It contains no
    secrets.

    ``ply`` and ``version`` are negative if they are unknown.
    """

    table: str
    ply: int
    version: int

    @property
    def newest(self) -> tuple[int, int] | None:
        """Return the rev and the last row that the table had after the change, or None if they are unknown."""
        return None if self.ply < 0 else (self.version - self.ply, self.ply)

    def joined(self, other: Change) -> Change:
        """Return one change that stands for both.

        It has the newest values, or unknown ones if a value of either is unknown.
        """
        if self.newest is None or other.newest is None:
            return Change(table=self.table, ply=-1, version=-1)
        rev, row = map(max, self.newest, other.newest)
        return Change(table=self.table, ply=row, version=rev + row)


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The health of the house: its store, its writer and its timers.

    ``late_ms`` is the delay of the oldest due task. ``bots_late_ms`` is the longest delay of a bot for which
    people at a table wait.
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
        """``down``: the house can't work.

        ``degraded``: it works with a problem. The public status shows nothing else.
        """
        if not self.ok:
            return "down"
        return "degraded" if self.problems else "ok"
