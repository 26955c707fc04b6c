"""The data types that several packages return: people, a table as one viewer may see it, and replays.

All are immutable. Fields that end in ``_ms`` are times in milliseconds since 1970, unless a docstring says
otherwise.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from spelunke.core.values import Action, Event, View
from spelunke.games.game import Settled
from spelunke.house.plan import Clock

Status = Literal["open", "ready", "playing", "over"]
"""The status of a table.

``open``: some seats are free. ``ready``: all seats are taken, and the players may send their nonces (their
shares in chance). ``playing``: the game is running. ``over``: the game is finished, or the table was closed.
"""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person who uses this server. The server never shows the ``id`` to other people.

    A person who is not a ``member`` is a guest, whom the server recognises only by a signed cookie or a
    token. ``figure`` and ``colour`` describe the portrait that the person chose, and are empty if the person
    chose none. ``coached``: the coach gives advice at each decision without a request. ``shut_out_ms`` is the
    end of a ban: 0 if the ban is permanent, and None if there is no ban (see `house.people.bans`).
    """

    id: str
    name: str
    member: bool = False
    figure: str = ""
    colour: str = ""
    coached: bool = False
    shut_out_ms: int | None = None


class SeatLook(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everybody may see it. Times are in milliseconds since 1970.

    ``kind``: ``open`` (anybody may sit down), ``link`` (anybody with the table's link may sit down), ``kept``
    (reserved for one person), ``person``, or ``bot``. ``level`` is the level of the bot that plays the seat
    now, or null. If ``absent`` is true, this bot plays for a person, and ``kind`` is still ``person``.
    ``you``: it is the viewer's own seat. ``host``: its person created the table.

    ``nonce`` is the text that the seat's person contributed to chance. It is null if the person has sent
    none, or if the game has not started and the seat is another person's. For bots and free seats it is
    empty.

    ``left_ms`` is the time left on the seat's clock, in milliseconds. It is null for bots, before the start,
    at a table without a clock, and for spectators who see the game some plies late. If ``ticking`` is true, the
    clock runs, and ``left_ms`` is its value at the time ``now_ms`` of the look. ``ready``: the seat has made its
    secret choice and waits for the others. ``offers_draw``: the seat offers a draw.

    ``presence`` is ``here`` if the seat's person looks at the table, ``away`` if the table's page is open in
    the background, ``offline`` if the page is not open, and null if the server does not know. ``away_ms`` is
    the time at which the person last looked. ``here``: the person plays on the host's device. ``program``: a
    program plays with the person's token. ``vacation_ms`` is the end of the person's vacation, at a table
    where each decision may take days.

    ``figure`` and ``colour`` describe the portrait; both are empty if the person chose none. ``about`` is a
    sentence on how the bot plays. ``reaction`` is the newest reaction of the seat's person, and
    ``reaction_ms`` its time. ``eyes``: spectators may see everything that this seat sees.
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
    """An absent player whose turn it is, as far as the viewer knows. Times are in milliseconds since 1970.

    ``since_ms`` is the time since which the player has been absent on their turn. From ``grace_ends_ms`` on,
    the others may continue without the player; if it is null, only the clock ends the wait. ``nudged_ms`` is
    the time of the newest reminder (nudge) during this decision, or null. ``may`` lists the viewer's possible
    actions: nudge, let_bot, take_win, call_off. ``agreed`` are the seats that want to end the game without a
    winner. ``missing`` are the seats of present players that have not agreed to this yet.
    """

    seat: int
    since_ms: int
    grace_ends_ms: int | None
    nudged_ms: int | None
    may: frozenset[str]
    agreed: tuple[int, ...]
    missing: tuple[int, ...]


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the log, as the viewer may know it.

    ``ply`` is the viewer's ``Look.ply`` after the logged action. In a replay, it is the number of the
    position after the action. ``seat`` is the seat that acted, -1 for chance, or null for a message of the
    server. ``event`` is the event in the game's own type, or null for a message of the server.
    """

    ply: int
    seat: int | None
    text: str
    at_ms: int
    event: Any = None  # opaque in the published schema


class ChatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A chat message, with its number ``n`` at the table.

    ``seat`` is the writer's seat, or null for a spectator.
    """

    n: int
    seat: int | None
    name: str
    text: str
    at_ms: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game. ``ranks`` and ``scores`` are by seat.

    Rank 1 is best, and tied seats share a rank, for example 1, 1, 3. ``scores`` is null if the game was not played to
    its end. ``reason``: ``played`` (to its end), ``resigned``, ``time`` (a seat ran out of time), ``left`` (a player
    did not return), ``agreed`` (a draw), or ``called_off``. ``seat`` is the seat that resigned, ran out of time or
    left, or null. ``text`` announces the result in a sentence. ``outcome`` is the result in the rules' own type.
    ``quits`` is by seat. If the player of a seat gave the game up, the entry is ``resigned``, ``time`` or ``left``,
    even if a bot played on for the seat. Otherwise the entry is null.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: Literal["played", "resigned", "time", "left", "agreed", "called_off"]
    seat: int | None
    text: str
    outcome: Any = None  # opaque in the published schema
    quits: tuple[Literal["resigned", "time", "left"] | None, ...] = ()


class Fairness(msgspec.Struct, frozen=True, kw_only=True):
    """The data with which a player can verify that the server did not choose the outcomes of chance.

    ``commitment`` is the SHA-256 of the server's secret seed. ``seed`` is the seed in hexadecimal digits, once the
    game is over. If the table shares its seed with other tables of an event or a day, ``seed`` is always null, because
    the seed is published with the event or the day. ``nonces`` are the texts that the players contributed to chance,
    by seat. Those of other seats are null until the game starts. ``nonce_commitments`` has the SHA-256 of each nonce,
    or null for a seat that sent neither a nonce nor a commitment. If ``opening`` is true, the server
    accepts no more commitments, and players who sent a commitment must now send the nonce itself.
    """

    commitment: str
    nonces: tuple[str | None, ...]
    seed: str | None = None
    nonce_commitments: tuple[str | None, ...] = ()
    opening: bool = False


class LessonLook(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson, for its learner.

    ``number`` counts the steps from 1, and ``of`` is the number of all steps.

    ``text`` is the text to read. It is empty while other seats move. ``move`` is the text of the move that
    the lesson expects. If it is null, the learner only reads the text and continues.
    """

    number: int
    of: int
    text: str = ""
    move: str | None = None


class ChainLook(msgspec.Struct, frozen=True, kw_only=True):
    """The newest entry of the viewer's hash chain.

    The chain covers every row of the log except those that are secret from the viewer. ``ply`` is the number
    of covered rows, ``link`` the entry's hash in hexadecimal digits, and ``words`` the same hash as six words
    for people. Send ``link`` with the next action. If the server has changed an earlier row, the hashes
    differ, and the server refuses the action.
    ``signature`` is the server's signature of a text about this entry, made with ``key``. For the text, see
    docs/records.md. The signature is null if the server has no key. In streams, it may be null too. A client that
    needs the signature fetches the chain.
    """

    ply: int
    link: str
    words: str
    key: str | None = None
    signature: str | None = None


class ToldRows(msgspec.Struct, frozen=True, kw_only=True):
    """The data from which anybody can recompute a viewer's hash chain.

    The chain is a sequence of hashes. The first one is the SHA-256 of the text ``opening``. Each row of the log
    that is not secret from the viewer has a text and adds a hash: the SHA-256 of the previous hash (32 bytes)
    followed by the row's text. ``link`` is the hash after the first ``since`` rows, or null if the viewer's chain
    has fewer rows. ``told`` has the texts of all later rows. ``chain`` is the newest entry of the chain.
    ``viewer`` is a seat, or null for spectators.
    """

    table: str
    viewer: int | None
    opening: str
    since: int
    link: str | None
    told: tuple[str, ...]
    chain: ChainLook


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The newest finished round, as one viewer may know it; see `boards.scene.Summary`.

    ``row`` identifies the round. ``number`` counts rounds from 1. ``name`` is the game's name for the round,
    and may be empty. ``before`` and ``view`` are the game's views at the start and at the end of the round,
    and ``events`` are the events between them. ``points_before`` and ``points`` are each seat's points at
    these times, or None if the game counts no points before its end. ``over``: the game ended with this round.
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
    """A table as one viewer may see it, with everything that a page needs.

    ``ply`` is the number of log entries that this viewer has noticed: all entries except those that are
    secret from the viewer. A client sends this number with an action. ``version`` increases with each change
    that this viewer can see. It is used in event ids and in ``?since=``. Two looks of one viewer with the
    same version differ only in clocks and presence. ``stamp`` changes with the presence of people.

    ``view`` is the game's View (None before the start). ``actors`` are the seats to act, as far as the viewer knows. If
    the viewer's standing orders (stored instructions) are about to answer, ``actors`` does not contain the viewer's
    seat. ``legal`` pairs each legal Action with its move text. It is empty if the viewer is not to act, if a bot plays
    for the viewer, or if standing orders are about to answer. ``revise`` has the actions that can replace the viewer's
    sealed choice. A client sends such an action to `act`, like any other. ``last`` has the events since the viewer's
    own last action, including that action. For a spectator, it has the events since the last action of any seat.
    ``log`` has the sentences after ply ``since`` of the request.

    ``may`` lists the operations that are possible for the viewer, besides playing: join, sit_down (join without an
    invitation), start, leave, nonce, fill, invite, resign, offer_draw, accept_draw, decline_draw, take_back, rematch,
    accept_rematch, decline_rematch, analyse, hint, chat, stand_in, come_back, read_on, go_alone, play_on,
    dismiss_summary, recall, show_hand, hide_hand, react, standing, undo (at once), ask_undo, answer_undo. If players
    are absent on their turn (``waits``), it can also have nudge, let_bot, take_win and call_off.

    ``nudged_by`` is the seat that reminded (nudged) the viewer during this decision. ``rematch_by`` is the seat
    that offered the rematch. ``draw_declined``: the viewer's offer of a draw was declined, and no other seat has
    acted since. ``undo_by`` is the seat that asks to take its newest move back. ``undo_of`` is the seat
    whose move the viewer can take back with ``undo``, if another person at the same device made that move. A page
    without an open hand is nobody's, so it names the person who has just acted.
    ``undo_left_ms`` is the time in milliseconds in which the viewer can take its newest move back before a bot acts, or
    None if no bot is to act. ``origin`` is the table and ply of the position from which this game began. ``summary`` is
    the newest finished round, while the board shows its summary. ``rounds_over`` is the number of finished rounds.
    ``standing`` has the viewer's stored orders, which no other seat sees. ``considered`` is the preview of these orders
    or of an unsent form (hook `preview_draft`).

    In some games, the table pauses for a fixed time in which several seats may answer the same move. ``pause_ms`` is
    the length of the pause in milliseconds, and ``pause_left_ms`` the time that is left, or 0. Both are the same for
    all viewers, so they do not reveal who has answered. Both are None if there is no pause, and for spectators who see
    the game some plies late. ``lesson`` is the
    current step of a lesson, for its learner only. ``chain`` is the newest entry of the viewer's hash chain (None
    before the start). ``shares_chance``: other tables have the same dice and cards, because the table belongs to a
    game of the day or an event. There, no coach helps.
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
    rounds_over: int = 0
    origin: tuple[str, int] | None = None
    draw_declined: bool = False
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
    undo_of: int | None = None
    undo_left_ms: int | None = None
    shares_chance: bool = False


class Knowledge(msgspec.Struct, frozen=True):
    """The facts about a person that decide which `Look` at a table the person receives.

    If two people have equal knowledge, and their looks have the same version and stamp, the looks differ only in
    their clocks.
    ``seat`` is the person's seat, or None for a spectator. ``invited``: a seat is kept for the person.
    ``named``: the person is a guest or a member, and not an anonymous visitor. ``muted`` are the writers of chat
    whom the person has muted.
    """

    seat: int | None
    invited: bool
    named: bool
    muted: frozenset[str] = frozenset()


class Glance(msgspec.Struct, frozen=True):
    """A short description of a person's look at a table.

    If two glances are equal, the looks differ only in their clocks. ``version`` and ``stamp`` are those of the `Look`.
    ``knowledge`` has the facts about this person that decide which look the person receives. After ``again_ms``
    milliseconds, the stamp may change without an event. If ``again_ms`` is None, version and stamp change only with an
    event.
    """

    version: int
    stamp: str
    again_ms: int | None
    knowledge: Knowledge


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A position of a finished game, or of a running game that the reader watches.

    The position is shown as a seat or a spectator saw it, or with nothing hidden.
    ``ply`` is the number of the position: 0 is the start, and ``plies`` is the end. ``eyes`` is the
    viewpoint: a seat, None for a spectator, or ``open`` if nothing is hidden. ``hides``: in this game the
    viewpoints differ. ``seat`` is the reader's own seat in that game, or None. ``view`` is the game's View,
    ``last`` the newest events, and ``actors`` the seats to act; from these, a page draws the board. ``over`` marks
    the end of a finished game. ``before`` and ``after`` are the nearest positions in which this viewpoint saw a change.
    ``faces`` has the figure and the colour of each seat's portrait, as in :class:`SeatLook`.

    ``rounds`` pairs the first position of each round with the round's name, which is empty if the round has
    only a number. If the last round was played to its end, the last entry is the end of that round.
    ``points`` has the points of all seats for each position. It is empty if the game counts no points before
    its end.

    ``log`` has the lines around the position. The ``ply`` of a line is the position after the logged action.
    ``log`` may leave out earlier and later lines. ``more_before`` is the position of the nearest earlier line that
    is left out, and ``more_after`` of the nearest later one. Each is None if there is no such line. ``origin`` is the
    table and ply of the position from which the game began.
    """

    table: str
    game: str
    title: str
    options: Settled
    changed: dict[str, str]
    names: tuple[str, ...]
    kinds: tuple[Literal["person", "bot"], ...]
    faces: tuple[tuple[str, str], ...]
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


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an action, with the version of the table after it.

    ``done``: the action is played and stored. ``repeated``: an action with the same key was played before,
    and nothing changed. ``stale``: the action was not played, because the table has changed since the
    look from which the person chose the action. The person must look again.
    """

    status: Literal["done", "repeated", "stale"]
    ply: int
    version: int
