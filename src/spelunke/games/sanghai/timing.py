"""The time for calls: its length, the wait that everybody sees, the meaning of silence, and simultaneous calls."""

from __future__ import annotations

from collections.abc import Iterable

from spelunke.games.hooks import Options
from spelunke.games.sanghai import state
from spelunke.games.sanghai.moves import Action, Hep, Pass, Vote
from spelunke.games.sanghai.state import State


def answer_window_ms(options: Options, live: bool, s: State) -> int | None:
    """Return the time in milliseconds after which silence counts as an answer, or None if there is no limit.

    The time is the same after every discard, and also for a vote (N-C4). It depends neither on hands nor on
    answers, so it reveals nothing about them. The next player may draw from the stock only after all have
    answered or the time is over.
    """
    if not live or s.phase not in (state.WINDOW, state.VOTING):
        return None
    return _seconds(options) * 1000 or None


def visible_wait(options: Options, live: bool, s: State) -> tuple[str, int] | None:
    """Return the name and the length in milliseconds of the wait that everybody sees now.

    If there is no such wait, return None.

    If people play at the same time (``live``) and have a time limit, there is a wait after a discard that at least one
    seat may call for, and also during a vote. Everybody knows the seats that may call. The wait does not depend on
    their answers.
    """
    seconds = _seconds(options)
    if not live or not seconds:
        return None
    if s.phase == state.WINDOW and any(s.answer[seat] != state.SILENT for seat in range(int(s.seats))):
        return "window", seconds * 1000
    return ("vote", seconds * 1000) if s.phase == state.VOTING else None


def seats_maybe_asked(s: State, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
    """Return a name for the present decision, and the seats that may be deciding, as far as ``viewer`` can know.

    The result does not reveal who has answered. ``viewer`` (None is a spectator) knows its own answer and public
    calls. It does not know sealed votes or the passes of others. It also does not know whether the next player waits
    until the others have answered. Return None if there is neither a vote nor a window for calls. If the
    option ``hep_window`` is ``sequenced``, return None also after the last answer, because then everybody knows which
    seats are to act.
    """
    seats, turn = range(int(s.seats)), int(s.turn)
    if s.phase == state.VOTING:
        voters = [k for k in seats if s.answer[k] != state.CALLED]
        return "vote", tuple(k for k in voters if k != viewer or s.ballot[k] == state.NONE)
    complete = not _waiting(s)
    if s.phase != state.WINDOW or (s.options[state.HEP_WINDOW] and complete):
        return None
    known = {state.SILENT} if s.options[state.HEP_WINDOW] else {state.SILENT, state.CALLED}
    may = {k for k in seats if int(s.answer[k]) not in known and (k != viewer or s.answer[k] == state.ASKED)}
    if complete and viewer == turn:
        return "window", (turn,)
    if not s.options[state.HEP_WINDOW] and not (viewer == turn and s.waits):
        may.add(turn)
    return "window", tuple(sorted(may))


def _seconds(options: Options) -> int:
    return int(str(options.get("hep_seconds", 5)))


def _waiting(s: State) -> bool:
    return any(s.answer[seat] == state.ASKED for seat in range(int(s.seats)))


def silent_action(s: State, seat: int) -> Action | None:
    """Return the action that the server plays for a seat that has not answered when the time for answers is over.

    Return None if the server waits for the seat.
    """
    if s.phase == state.WINDOW and s.answer[seat] == state.ASKED:
        return Pass()
    if s.phase == state.VOTING:
        return Vote(
            silent_vote(int(s.turn), int(s.seats), (int(caller) for caller in s.caller[: int(s.tied)]))
        )
    return None


def silent_vote(turn: int, seats: int, tied: Iterable[int]) -> int:
    """Return the caller for whom silence counts as a vote: the first one in turn, who would also win without a vote."""
    return min(tied, key=lambda caller: (caller - turn) % seats)


def action_on_arrival(action: Action, s: State, since_first_ms: int | None) -> Action:
    """Return a call as the log records it, with ``tied`` set if it counts as simultaneous with the first call (N-C2).

    A call counts as simultaneous only if the option ``hep_window`` is ``live`` and ``hep_priority`` is ``first_call``.
    It must come at most ``hep_tie_ms`` after the first call, and every call in between must count as simultaneous too.
    ``since_first_ms`` is the time in milliseconds since the first call, or None for the first call itself. Actions
    that are no calls are returned unchanged.
    """
    if not isinstance(action, Hep):
        return action
    simultaneous = (
        since_first_ms is not None
        and since_first_ms <= int(s.options[state.HEP_TIE_MS])
        and s.options[state.HEP_WINDOW] == 0
        and s.options[state.HEP_PRIORITY] == 0
        and s.callers > 0
        and s.tied == s.callers
    )
    return Hep(tied=bool(simultaneous))
