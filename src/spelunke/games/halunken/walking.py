"""The part of an hour (a round) after the reveal: figures that stay, moves and robberies.

:func:`step` carries out one stage at a time, so that each effect can be reported as an event. :func:`walk` continues
until a seat or chance must decide. Then ``phase`` and ``turn`` show who decides.
"""

from __future__ import annotations

from spelunke.core.kernel import hot
from spelunke.games.halunken import state
from spelunke.games.halunken.hours import end_hour
from spelunke.games.halunken.sailors import NONE, join, leave
from spelunke.games.halunken.state import FIELDS, FIGURES, JACK, MODE, NOBODY, REST, RUM, STANDARD, TWO, State


@hot
def shows(s: State, figure: int) -> int:
    """Return the figure's open card, or 0 if it has none.

    With 3 or 4 players, return 0 for Black Jack too: his card cancels no other and does not restrict Rum (H-R9, H-C5).
    """
    if figure == JACK and s.options[MODE] != TWO:
        return 0
    return int(s.laid[figure])


@hot
def figure_at(s: State, field: int, besides: int) -> int:
    """Return the figure on that field, or NOBODY. The figure ``besides`` does not count."""
    for figure in range(FIGURES):
        if s.field[figure] == field and figure != besides:
            return figure
    return NOBODY


@hot
def resolve(s: State) -> int:
    """Store in the state which figures stay and which move: figures with the same card stay.

    If a figure moves by the card Rum, also store who decides its number, a seat or chance, and return REST. Otherwise
    return the next stage. If nobody hired Black Jack, his Rum can make him stay (option ``bj2_rum_unhired``; H-R8 to
    H-R10, H-A12, H-A13, H-A37).
    """
    rum = NOBODY
    for figure in range(FIGURES):
        card = shows(s, figure)
        if card == 0:
            continue
        alone = True
        for other in range(FIGURES):
            if other != figure and shows(s, other) == card:
                alone = False
        if not alone:
            s.staying |= 1 << figure
            continue
        s.moving |= 1 << figure
        if card == RUM:
            rum = figure
    if s.options[MODE] == STANDARD:
        s.moving |= 1 << JACK
    if rum == NOBODY:
        return state.NEXT
    if rum != JACK:
        s.turn = rum
        s.phase = state.NAMING
    elif s.hirer != NOBODY:  # H-A36
        s.turn = s.hirer
        s.phase = state.NAMING
    elif s.options[state.BJ2_RUM_UNHIRED] == state.OPENER_CHOOSES:  # H-A37
        s.turn = s.opener
        s.phase = state.NAMING
    elif s.options[state.BJ2_RUM_UNHIRED] == state.STAY:
        s.moving ^= 1 << JACK
        s.staying |= 1 << JACK
        return state.NEXT
    else:
        s.turn = NOBODY
        s.phase = state.FALLING
    return REST


@hot
def next_mover(s: State) -> int:
    """Return the figure that moves next: the one with the lowest number (H-R10, H-R17).

    With 3 or 4 players, Black Jack is last. If no figure is left, return NOBODY.
    """
    best = NOBODY
    least = 99
    for figure in range(FIGURES):
        if (s.moving >> figure) & 1:
            number = shows(s, figure)
            if number == RUM:
                number = int(s.named)
            elif number == 0:
                number = 98
            if number < least:
                best = figure
                least = number
    return best


@hot
def walk(s: State, stage: int) -> None:
    """Continue from this stage until a seat or chance must decide."""
    while stage != REST:
        stage = step(s, stage)


@hot
def step(s: State, stage: int) -> int:
    """Carry out one stage of an hour whose cards are revealed, such as the move of one figure. Change ``s`` in place.

    Return the next stage, or REST if a seat or chance must decide, or if the hour has ended.
    """
    if stage == state.NEXT:
        if s.staying:
            return collect(s)
        return set_out(s)
    if stage == state.OVERTAKING:
        if ask_overtaken(s):
            return REST
        if s.options[MODE] == STANDARD:
            s.mover = NOBODY
            return state.NEXT
        return state.RECRUITING
    if stage == state.RECRUITING:
        return REST if recruit(s, s.mover) else state.MEETING_OTHER
    if stage == state.MEETING_OTHER:
        return REST if ask_landed(s) else state.PUSHING
    displace(s)
    return state.NEXT


@hot
def collect(s: State) -> int:
    """Let the first staying figure take a sailor from its tavern (H-R10).

    Return the next stage, or REST if chance must turn up the next sailor of the pile.
    """
    figure = 0
    while not (s.staying >> figure) & 1:
        figure += 1
    s.staying ^= 1 << figure
    return REST if recruit(s, figure) else state.NEXT


@hot
def set_out(s: State) -> int:
    """Move the next figure to its new field. If all have moved, end the hour (H-R10, H-R11, H-R17).

    If the next figure is Black Jack and his card is not open yet, let chance or his hirer decide the card first. In
    this case, or if the hour has ended, return REST. Otherwise return the next stage.
    """
    figure = next_mover(s)
    if figure == NOBODY:
        end_hour(s)
        return REST
    if figure == JACK and s.options[MODE] == STANDARD:
        if s.laid[JACK] == 0:
            if s.options[state.TACTICAL_BJ_34] and s.hirer != NOBODY:
                s.turn = s.hirer
                s.phase = state.PICKING
            else:
                s.turn = NOBODY
                s.phase = state.FLIPPING
            return REST
        prowl(s)
    else:
        number = int(s.laid[figure])
        if number == RUM:
            number = int(s.named)
        if figure == JACK and s.options[state.BJ2_PASS_THEFT]:
            overtake(s, number)
        s.field[figure] = (s.field[figure] + number) % FIELDS
    s.moving ^= 1 << figure
    s.mover = figure
    s.took = 0
    return (
        state.OVERTAKING
        if figure == JACK and (s.options[MODE] == STANDARD or s.options[state.BJ2_PASS_THEFT])
        else state.RECRUITING
    )


@hot
def recruit(s: State, figure: int) -> bool:
    """Take the top sailor of the figure's tavern, if there is one (H-R12, H-A8, H-A27).

    Return whether chance must turn up the next sailor of the pile.
    """
    tavern = s.field[figure]
    sailor = s.top[tavern]
    if sailor == NONE:
        return False
    seat = figure if figure != JACK else s.hirer
    if seat == NOBODY:
        join(s.harbour, sailor)
        s.afloat += 1
    else:
        join(s.crew[seat], sailor)
        s.hands[seat] += 1
    if s.mover != NOBODY:
        s.took = 1
    s.top[tavern] = NONE
    if s.under[tavern] == 0:
        return False
    s.opening = tavern
    s.turn = NOBODY
    s.phase = state.OPENING
    return True


@hot
def may_rob(s: State, thief: int, victim: int) -> bool:
    """Return whether a captain may rob another after an arrival (H-R13, H-A5, H-A6, H-C6).

    The victim must have a sailor, and the thief's crew must not be larger than the victim's.
    With the option ``rob_count`` at ``before``, a sailor that the thief has just taken in the tavern does not count.
    """
    mine = s.hands[thief]
    if s.options[state.ROB_COUNT] == state.BEFORE:
        mine -= s.took
    return bool(s.hands[victim] > 0 and mine <= s.hands[victim])


@hot
def may_fish(s: State, occupant: int) -> bool:
    """Return whether the mover may take a sailor from the harbour (H-R22, H-A25).

    The mover must have met Black Jack, and the harbour must not be empty.
    """
    return s.mover != JACK and occupant == JACK and s.afloat > 0


@hot
def prey_of(s: State, occupant: int) -> int:
    """Return the seat that may be robbed now, or NOBODY. The mover has just met the figure ``occupant``.

    Rules: H-R13, H-R27, H-R28, H-A31 to H-A35.
    """
    if s.mover == JACK:
        if s.hirer != NOBODY and occupant != s.hirer and may_rob(s, s.hirer, occupant):
            return occupant
    elif occupant == JACK:
        if (
            s.options[MODE] == TWO
            and s.hirer != NOBODY
            and s.mover != s.hirer
            and may_rob(s, s.mover, s.hirer)
        ):
            return int(s.hirer)
    elif may_rob(s, s.mover, occupant):
        return occupant
    return NOBODY


@hot
def ask_landed(s: State) -> bool:
    """Let a seat decide after an arrival: it may take a sailor, or must give one.

    Return False if there is nothing to decide (H-C3).
    """
    occupant = figure_at(s, s.field[s.mover], s.mover)
    if occupant == NOBODY:
        return False
    if s.mover == JACK and s.hirer == NOBODY:  # H-A34
        if s.hands[occupant] == 0:
            return False
        s.turn = occupant
    elif prey_of(s, occupant) != NOBODY or may_fish(s, occupant):
        s.turn = s.mover if s.mover != JACK else s.hirer
    else:
        return False
    s.phase = state.LANDED
    return True


@hot
def displace(s: State) -> None:
    """End the move. If another figure was on the field of arrival, put it on the next free field.

    Rules: H-R13, H-R22, H-A9.
    """
    occupant = figure_at(s, s.field[s.mover], s.mover)
    if occupant != NOBODY:
        field = (s.field[occupant] + 1) % FIELDS
        while figure_at(s, field, NOBODY) != NOBODY:
            field = (field + 1) % FIELDS
        s.field[occupant] = field
    s.mover = NOBODY
    s.took = 0


@hot
def prowl(s: State) -> None:
    """Move Black Jack by the number on his card, and list in ``s.queue`` the captains that he overtakes.

    If the field that he would reach is occupied, move him to the next free field. Call this kernel only in games of
    3 or 4 players (H-R20, H-A22, H-A23).
    """
    steps = int(s.laid[JACK])
    while figure_at(s, (s.field[JACK] + steps) % FIELDS, JACK) != NOBODY:
        steps += 1
    overtake(s, steps)
    s.field[JACK] = (s.field[JACK] + steps) % FIELDS


@hot
def overtake(s: State, steps: int) -> None:
    """List in ``s.queue`` the captains fewer than ``steps`` fields ahead of Black Jack, except the hirer's captain."""
    n = 0
    for step in range(1, steps):
        captain = figure_at(s, (s.field[JACK] + step) % FIELDS, JACK)
        if captain != NOBODY and captain != s.hirer:
            s.queue[n] = captain
            n += 1


@hot
def ask_overtaken(s: State) -> bool:
    """Let a seat decide about the next overtaken captain (H-R20, H-R21, H-C3).

    If Black Jack is hired, the hirer may rob a captain whose crew is not smaller than the hirer's. If nobody hired
    Black Jack, a captain that has sailors must give one. A captain about whom there is nothing to decide leaves the
    queue. Return False if the queue is empty in the end.
    """
    while s.queue[0] != NOBODY:
        victim = s.queue[0]
        if s.hands[victim] > 0:
            if s.hirer == NOBODY:
                s.turn = victim
                s.phase = state.PASSING
                return True
            if s.hands[s.hirer] <= s.hands[victim]:
                s.turn = s.hirer
                s.phase = state.PASSING
                return True
        forget(s)
    return False


@hot
def forget(s: State) -> None:
    """Remove the first captain from the queue of overtaken ones."""
    for place in range(3):
        s.queue[place] = s.queue[place + 1]
    s.queue[3] = NOBODY


@hot
def rob(s: State, victim: int, thief: int, sailor: int) -> None:
    """Move a sailor from the victim's crew to the thief's crew."""
    leave(s.crew[victim], sailor)
    s.hands[victim] -= 1
    join(s.crew[thief], sailor)
    s.hands[thief] += 1


@hot
def sink(s: State, seat: int, sailor: int) -> None:
    """Move a sailor from the seat's crew to the harbour."""
    leave(s.crew[seat], sailor)
    s.hands[seat] -= 1
    join(s.harbour, sailor)
    s.afloat += 1


@hot
def fish(s: State, seat: int, sailor: int) -> None:
    """Move a sailor from the harbour to the seat's crew."""
    leave(s.harbour, sailor)
    s.afloat -= 1
    join(s.crew[seat], sailor)
    s.hands[seat] += 1


@hot
def after_opening(s: State) -> int:
    """Return the stage that follows after a pile's next sailor is turned up."""
    return state.NEXT if s.mover == NOBODY else state.MEETING_OTHER
