"""Quick choices in Halunken und Spelunken for searches and analyses. :func:`stage` counts the finished hours."""

from __future__ import annotations

from typing import Final

from spelunke.core.chance import below
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.halunken import state
from spelunke.games.halunken.choices import legal
from spelunke.games.halunken.sailors import NONE, VALUE, join, leave, worth_of
from spelunke.games.halunken.state import FIELDS, JACK, NOBODY, RUM, State
from spelunke.games.halunken.walking import figure_at

TRIES: Final = 3
"""The number of cards that are drawn at random. The seat lays the best of them."""
CHEAP: Final = 5
"""The limit for a random bid: the offered sailor must cost the crew fewer points than this."""
ENVY: Final = 0.5
"""The weight of the harm to the robbed captain, beside the robber's own gain.

The harm is estimated as the sailor's value.
"""


@kernel
def stage(s: State) -> int:
    """Return the number of finished hours (rounds) of the match.

    After the last game, the number is eight too high, because the hours of this game count twice.
    """
    return int(s.games) * state.HOURS + int(s.hour)


@kernel
def gain(s: State, seat: int, sailor: int) -> int:
    """Return the points that the seat's crew would gain with a sailor that it doesn't have."""
    before = worth_of(s.crew[seat])
    join(s.crew[seat], sailor)
    after = worth_of(s.crew[seat])
    leave(s.crew[seat], sailor)
    return int(after - before)


@kernel
def loss(s: State, seat: int, sailor: int) -> int:
    """Return the points that the seat's crew would lose without one of its sailors."""
    before = worth_of(s.crew[seat])
    leave(s.crew[seat], sailor)
    after = worth_of(s.crew[seat])
    join(s.crew[seat], sailor)
    return int(before - after)


@kernel
def catch(s: State, seat: int, figure: int, number: int) -> float:
    """Return the estimated points that the seat gains if the figure moves ``number`` fields.

    The figure reaches a field, and the open sailor on this field gives points. If Black Jack is on the field, the
    harbour gives points too. If a captain who can be robbed is on the field, this captain gives points too.
    """
    field = (s.field[figure] + number) % FIELDS
    found = 0.0
    if s.top[field] != NONE:
        found = float(gain(s, seat, s.top[field]))
    there = figure_at(s, field, figure)
    if there == JACK:
        found += 2.0 * min(4, int(s.afloat))
    elif there != NOBODY and there != seat and s.hands[seat] <= s.hands[there]:
        found += 8.0
    return found


@kernel
def try_cards(s: State, seat: int, out: Numbers, n: int, stream: Stream) -> int:
    """Return the action with the best of ``TRIES`` random cards. ``out`` has the ``n`` legal actions.

    If the captain's card is still to be chosen, try only the captain's cards. Otherwise try cards of Black Jack.
    """
    own = 0
    while own < n and out[own] < state.JACK_CARD:
        own += 1
    count = own if own > 0 else n
    best = int(out[0])
    most = -1.0
    for _ in range(TRIES):
        action = int(out[below(stream, count)])
        if own > 0:
            card = action - state.CARD + 1
            figure = seat
        else:
            card = action - state.JACK_CARD + 1
            figure = JACK
            if action == state.JACK_CARD + state.JACK_RUM:
                card = RUM
        if (own > 0 and card == RUM) or (own == 0 and action == state.JACK_CARD + state.JACK_RUM):
            card = 1 + below(stream, 7)
        found = catch(s, seat, figure, card)
        if found > most:
            most = found
            best = action
    return best


@kernel
def name_number(s: State, seat: int, out: Numbers, n: int) -> int:
    """Return the action that names the most profitable number for a Rum. ``out`` has the ``n`` legal actions."""
    figure = seat if s.laid[seat] == RUM else JACK
    best = int(out[0])
    most = -1.0
    for k in range(n):
        found = catch(s, seat, figure, int(out[k]) - state.NAME + 1)
        if found > most:
            most = found
            best = int(out[k])
    return best


@kernel
def offer(s: State, seat: int, out: Numbers, n: int, stream: Stream) -> int:
    """Choose at random between a pass and the bid that costs the crew the fewest points. Return the choice.

    If each bid costs ``CHEAP`` points or more, always return a pass. ``out`` has the ``n`` legal actions.
    """
    best = state.PASS
    least = CHEAP
    if below(stream, 2):
        for k in range(1, n):
            cost = loss(s, seat, int(out[k]) - state.BID)
            if cost < least:
                least = cost
                best = int(out[k])
    return best


@kernel
def take(s: State, seat: int, out: Numbers, n: int, envy: float) -> int:
    """Return the best of these actions: take the most valuable sailor, give the least valuable one, or decline.

    ``out`` has the ``n`` legal actions. A robbery counts as the seat's own gain, plus ``envy`` times the value of the
    robbed sailor, because a robbery also harms the robbed captain (see :data:`ENVY`).
    """
    best = int(out[0])
    most = -1000.0
    for k in range(n):
        action = int(out[k])
        found = 0.0
        if action >= state.GIVE and action < state.DECLINE:
            found = -float(loss(s, seat, action - state.GIVE))
        elif action >= state.FISH and action < state.GIVE:
            found = float(gain(s, seat, action - state.FISH))
        elif action >= state.ROB and action < state.FISH:
            sailor = action - state.ROB
            found = gain(s, seat, sailor) + envy * VALUE[sailor]
        if found > most:
            most = found
            best = action
    return best


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a quick choice (see :func:`spelunke.core.contract.answer`).

    If a card is to be chosen, the choice is the best of a few random cards. If a sailor is to be taken or given, it is
    the sailor that gains most or costs least. For a Rum, it is the best number. In the bidding, it is a cheap bid or a
    pass. All other choices are random.
    """
    n = legal(s, seat, out)
    if n == 1:
        return int(out[0])
    if s.phase == state.CHOOSING or s.phase == state.PICKING:
        return try_cards(s, seat, out, n, stream)
    if s.phase == state.LANDED or s.phase == state.PASSING:
        return take(s, seat, out, n, ENVY)
    if s.phase == state.NAMING:
        return name_number(s, seat, out, n)
    if s.phase == state.BIDDING:
        return offer(s, seat, out, n, stream)
    return int(out[below(stream, n)])
