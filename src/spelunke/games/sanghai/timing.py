"""How long calls are waited for, what everybody sees of it, what silence means, and which calls are simultaneous."""

from __future__ import annotations

from spelunke.games.hooks import Options
from spelunke.games.sanghai import state
from spelunke.games.sanghai.moves import Action, Hep, Pass, Vote
from spelunke.games.sanghai.state import State


def answer_window_ms(options: Options, live: bool, s: State) -> int | None:
    """Milliseconds that an open decision may wait before silence answers; None: for ever.

    It is as long after every discard, whether or not anybody could call, and whether or not all have answered, which
    nobody knows: the house runs it for the whole window and for a vote, and lets the next player draw from the stock
    only when it is over or all have answered.
    """
    if not live or s.phase not in (state.WINDOW, state.VOTING):
        return None
    return _seconds(options) * 1000 or None


def visible_wait(options: Options, live: bool, s: State) -> tuple[str, int] | None:
    """Name and milliseconds of the time that the table is seen to wait now, whoever has answered meanwhile; or None.

    It rests on what everybody knows: who may call at all, not who has been asked or has said what.
    """
    seconds = _seconds(options)
    if not live or not seconds:
        return None
    if s.phase == state.WINDOW and any(s.answer[seat] != state.SILENT for seat in range(int(s.seats))):
        return "window", seconds * 1000
    return ("vote", seconds * 1000) if s.phase == state.VOTING else None


def seats_maybe_asked(s: State, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
    """The name of a moment in which it is told to nobody who has answered, and the seats that may be asked in it.

    ``viewer`` (None: a spectator) knows of its own answer and of calls that are heard. It can't tell who has passed,
    whether the next player lets the others answer first, nor what was sealed. None: everybody knows who is asked.
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
    """What the house plays for a seat whose time in the window has run out; None: it goes on waiting for the seat."""
    if s.phase == state.WINDOW and s.answer[seat] == state.ASKED:
        return Pass()
    if s.phase == state.VOTING:  # the caller nearest after the player on turn, as if there were no vote
        tied = {int(caller) for caller in s.caller[: int(s.tied)]}
        for distance in range(1, int(s.seats)):
            other = (int(s.turn) + distance) % int(s.seats)
            if other in tied:
                return Vote(other)
    return None


def action_on_arrival(action: Action, s: State, since_first_ms: int | None) -> Action:
    """A call as the log takes it: within ``hep_tie_ms`` of the first call it is tied with it, else later (N-C2).

    ``since_first_ms`` is None for a first call. Anything else than a call comes back as it is.
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
