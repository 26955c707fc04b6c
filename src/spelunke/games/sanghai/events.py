"""The events of a table of Sanghai, as each viewer may know them.

The types of events are in :mod:`.happenings`, and the sentences in :mod:`.sentences`.
"""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.core.contract import ALL
from spelunke.games.sanghai import happenings, moves, sentences, state
from spelunke.games.sanghai.cards import JOKER_TEXT, SUITS, Card, card_of, kind_of, meld_at, role_at, spread
from spelunke.games.sanghai.happenings import Event
from spelunke.games.sanghai.moves import Action
from spelunke.games.sanghai.state import State

say = sentences.say
"""Return one sentence for the event."""


def tell(
    before: State, seat: int, deed: Action | values.ChanceOutcome, after: State, viewer: int | None
) -> tuple[Event, ...]:
    """Return the events of one ply that the viewer may know: the action and its consequences.

    ``before`` and ``after`` are the states before and after the ply. ``deed`` is the ply's action or outcome of
    chance.
    """
    turn = int(before.turn)
    match deed:
        case moves.Dealer(dealer):
            return (happenings.DealerChosen(dealer),)
        case moves.Deal(card):
            return _card_came(before, card, after, viewer)
        case moves.Lucky(_):
            return _settled(before, after)
        case moves.Wait():
            return ()
        case moves.Pass():
            own = (happenings.Passed(seat),) if viewer in (seat, ALL) else ()
            return (*own, *_revealed(after, viewer), *_answered(after, viewer))
        case moves.Hep(tied):
            if before.options[state.HEP_WINDOW]:
                told = viewer in (seat, ALL)
                own_call = (happenings.Called(seat, card_of(int(before.top)), False),) if told else ()
                return (*own_call, *_revealed(after, viewer))
            return (happenings.Called(seat, card_of(int(before.top)), tied),)
        case moves.Stock():
            head: tuple[Event, ...] = () if before.phase == state.OPENING else (happenings.Declined(turn),)
            return (*head, *_settled(before, after))
        case moves.Take():
            return (happenings.Took(turn, card_of(int(before.top))),)
        case moves.Vote(choice):
            cast = (happenings.VoteCast(seat, choice),) if viewer in (seat, ALL) else ()
            if after.phase == state.VOTING:
                return cast
            ballots = [(k, int(before.ballot[k])) for k in range(int(before.seats)) if before.ballot[k] >= 0]
            return (
                *cast,
                happenings.VotesCounted(tuple(sorted([*ballots, (seat, choice)]))),
                *_settled(before, after),
            )
        case moves.LayDown() | moves.Close():
            last = int(after.melds)
            first = int(before.melds)
            if (
                isinstance(deed, moves.Close) and deed.order
            ):  # the other melds of this laying get new numbers too
                first = last - int(state.sets_wanted(before)) - int(state.runs_wanted(before))
            laid = [(m + 1, meld_at(after, m)) for m in range(first, last)]
            return (happenings.Laid(seat, tuple((number, meld) for number, meld in laid if meld)),)
        case moves.OpenSet() | moves.OpenRun():
            return (happenings.Stepped(seat, int(before.melds) + 1, None),)
        case moves.Put(card):
            return (happenings.Stepped(seat, int(before.melds) + 1, card),)
        case moves.Add(card, number, end):
            stands = None
            if end is not None:
                m = number - 1
                place = int(after.high[m]) if end == "high" else int(after.low[m])
                home = role_at(SUITS[int(after.what[m])], place)
                stands = None if home == card else home
            return (happenings.Added(seat, card, number, stands),)
        case moves.Swap(card, number, out):
            return (happenings.Swapped(seat, card, number, _swapped_out(before, after, seat, out)),)
        case moves.Discard(card):
            left = int(before.held[seat]) - 1
            return (happenings.Discarded(seat, card, left), *_scored(before, after, (seat, card, -1)))
    raise TypeError(deed)


def _swapped_out(before: State, after: State, seat: int, out: str | None) -> Card:
    if out in ("2s", "2c"):
        return out
    gained = [k for k in range(state.KINDS) if after.hand[seat, k] > before.hand[seat, k]]
    return card_of(gained[0]) if gained else JOKER_TEXT


def _card_came(before: State, card: Card, after: State, viewer: int | None) -> tuple[Event, ...]:
    """Return the events after a card came from the stock.

    The card was dealt, drawn by the player on turn, or drawn as the penalty for a won call.
    """
    if before.phase == state.DEALING:
        seat = (int(before.dealer) + 1 + int(before.dealt)) % int(before.seats)
        dealt = happenings.Dealt(seat, card if viewer in (seat, ALL) else None)
        if after.phase != state.OPENING:
            return (dealt,)
        begins = happenings.RoundBegins(
            int(after.lap) + 1,
            int(state.sets_wanted(after)),
            int(state.runs_wanted(after)),
            int(state.run_length(after)),
            int(after.turn),
        )
        return (dealt, begins)
    owed = before.phase == state.PENALTY
    seat = int(before.owing) if owed else int(before.turn)
    drew = happenings.Drew(seat, card if viewer in (seat, ALL) else None, "hep" if owed else "turn")
    return (drew, *_went_on(before, after, (seat, card, 1)))


def _revealed(after: State, viewer: int | None) -> tuple[Event, ...]:
    """Return the events of the other seats' calls, if this ply reveals the calls.

    With the option ``hep_window`` at ``sequenced``, calls are secret until the last seat has answered (N-C1). For a
    viewer who sees everything, return no events: this viewer received each of these events at the time of the call.
    """
    n = int(after.seats)
    if (
        not after.options[state.HEP_WINDOW]
        or viewer == ALL
        or any(after.answer[k] == state.ASKED for k in range(n))
    ):
        return ()
    callers = sorted(int(c) for c in after.caller[: int(after.callers)])
    card = card_of(int(after.top))
    return tuple(happenings.Called(caller, card, len(callers) > 1) for caller in callers if caller != viewer)


def _answered(after: State, viewer: int | None) -> tuple[Event, ...]:
    """Return the event ``AllAnswered`` in a tuple if all seats have answered and the viewer may know this now.

    Otherwise, return an empty tuple. With the option ``hep_window`` at ``live`` (N-C1), only the player on turn gets
    the event. At ``sequenced``, viewers who see a call by another seat don't get the event, because the call itself
    shows that all seats have answered. The whole log (the viewer ALL) never has the event.
    """
    turn = int(after.turn)
    if any(after.answer[k] == state.ASKED for k in range(int(after.seats))):
        return ()
    if after.options[state.HEP_WINDOW]:
        # A lone caller knows its own call, but not yet that nobody else called.
        told = viewer != ALL and all(int(c) == viewer for c in after.caller[: int(after.callers)])
    else:
        told = viewer == turn
    return (happenings.AllAnswered(turn),) if told else ()


Change: TypeAlias = "tuple[int, Card, int] | None"
"""A change of one hand by a ply: the seat, the card, and 1 if the card came or -1 if it went. None: no change."""


def _settled(before: State, after: State) -> tuple[Event, ...]:
    """Return the events after the calls are settled: the winner of the discard, and the consequences.

    Return no events if a vote or chance must first decide between the seats that called (N-C3).
    """
    if before.phase == state.OPENING or after.phase in (state.VOTING, state.TYING):
        return ()
    card = card_of(int(before.top))
    winner = _winner(before, after)
    found: list[Event] = []
    if winner is not None:
        found.append(happenings.HepWon(winner, card, int(before.heps[winner]) + 1))
    elif before.callers:
        found.append(happenings.CardStays(card))
    return (*found, *_went_on(before, after, None if winner is None else (winner, card, 1)))


def _winner(before: State, after: State) -> int | None:
    """Return the seat that won the called card, or None if nobody won it.

    If this ply ended the round, each seat's points for the round are compared with the points of its hand before the
    ply. Only the winner's points for the round differ: they include the called card.
    """
    for k in range(int(before.seats)):
        if after.lap == before.lap and after.phase != state.FINISHED:
            if after.heps[k] > before.heps[k]:
                return k
        elif int(after.sheet[int(before.lap), k]) != int(state.hand_points(before, k)):
            return k
    return None


def _went_on(before: State, after: State, change: Change) -> tuple[Event, ...]:
    found: list[Event] = []
    same = after.lap == before.lap and after.phase != state.FINISHED
    if same and after.shuffled > before.shuffled:
        found.append(happenings.Reshuffled(int(after.stocked)))
    elif same and after.phase == state.TURN and before.phase != state.DRAWING:
        found.append(happenings.NothingDrawn(int(after.turn)))
    found.extend(_scored(before, after, change))
    return tuple(found)


def _scored(before: State, after: State, change: Change) -> tuple[Event, ...]:
    """Return, in a tuple, the event with the points of the round and the cards left in the hands.

    If this ply did not end the round, return an empty tuple.
    """
    if after.lap == before.lap and after.phase != state.FINISHED:
        return ()
    lap = int(before.lap)
    n = int(before.seats)
    hands = before.hand.copy()
    if change is not None:
        seat, card, step = change
        hands[seat, kind_of(card)] += step
    winner = int(after.won[lap])
    why = "out" if winner >= 0 else "turns" if change is not None and change[2] < 0 else "stock"
    return (
        happenings.RoundScored(
            lap=lap + 1,
            winner=winner if winner >= 0 else None,
            points=tuple(int(after.sheet[lap, k]) for k in range(n)),
            totals=tuple(int(sum(int(row[k]) for row in after.sheet[: lap + 1])) for k in range(n)),
            hands=tuple(spread(hands[k]) for k in range(n)),
            why=why,
        ),
    )
