"""Begin and end a game and its eight rounds. In this game's code, a round is called an hour."""

from __future__ import annotations

from spelunke.core.kernel import kernel
from spelunke.games.halunken import state
from spelunke.games.halunken.sailors import COLOUR, FULL, NONE, SAILORS, VALUE, highest_of, holds, worth_of
from spelunke.games.halunken.state import BEGINNER, FIELDS, FIGURES, JACK, MODE, NOBODY, TWO, State


@kernel
def begin(s: State) -> None:
    """Set up a game (H-R4, H-C8).

    Each tavern gets three face-down sailors. Each figure gets all its movement cards. No figure is on the board
    yet.
    """
    s.hour = 0
    s.first = NOBODY
    s.turn = NOBODY
    s.opener = NOBODY
    for figure in range(FIGURES):
        s.field[figure] = NOBODY
        s.cards[figure] = state.CAPTAIN_CARDS if figure < s.seats else 0
    if s.options[MODE] == TWO:
        s.cards[JACK] = state.CAPTAIN_CARDS  # H-R24
    elif s.options[MODE] != BEGINNER:
        s.cards[JACK] = state.JACK_CARDS
    for figure in range(FIGURES):
        s.sealed[figure] = 0
    for tavern in range(FIELDS):
        s.top[tavern] = NONE
        s.under[tavern] = 3
    for seat in range(4):
        s.hands[seat] = 0
        for colour in range(4):
            s.crew[seat, colour] = 0
    s.afloat = 0
    for colour in range(4):
        s.harbour[colour] = 0
        s.unseen[colour] = FULL[colour]
    s.dark = SAILORS
    s.opening = NOBODY
    clear_hour(s)
    s.phase = state.FIRST


@kernel
def clear_hour(s: State) -> None:
    """Prepare a new hour (a round): reset the offer, the hirer, the laid cards and the moves."""
    s.hirer = NOBODY
    s.offer = NONE
    s.bidder = NOBODY
    s.passed = 0
    for figure in range(FIGURES):
        s.laid[figure] = 0
    for place in range(4):
        s.queue[place] = NOBODY
    s.named = 0
    s.staying = 0
    s.moving = 0
    s.mover = NOBODY
    s.took = 0


@kernel
def open_hour(s: State) -> None:
    """Begin an hour (a round) with the bidding, or with the choice of cards in a game without Black Jack.

    With the option ``bj_peek``, Black Jack's card is revealed before the bidding (H-R7, H-R17).
    """
    if s.options[MODE] == BEGINNER:
        s.turn = NOBODY
        s.phase = state.CHOOSING
    elif s.options[state.BJ_PEEK]:
        s.turn = NOBODY
        s.phase = state.PEEKING
    else:
        s.turn = s.opener
        s.phase = state.BIDDING


@kernel
def end_hour(s: State) -> None:
    """Clear the table and begin the next hour. After the eighth hour, end the game (H-R15, H-R23)."""
    clear_hour(s)
    s.hour += 1
    if s.hour < state.HOURS:
        open_hour(s)
    else:
        end_game(s)


@kernel
def end_game(s: State) -> None:
    """Add the points of the crews to the totals.

    Then set up the next game of the match, or end the match (H-R23).
    """
    for seat in range(s.seats):
        s.total[seat] += worth_of(s.crew[seat])
        s.total_crew[seat] += s.hands[seat]
        s.best[seat] = max(s.best[seat], highest_of(s.crew[seat]))
    s.games += 1
    if s.options[state.MATCH] == state.THREE_GAMES and s.games < 3:
        begin(s)
    else:
        s.turn = NOBODY
        s.phase = state.FINISHED


@kernel
def starting_sailor(s: State, seat: int) -> int:
    """Return the number of the only sailor that the seat has before the first hour, or NONE if it has none."""
    for sailor in range(SAILORS):
        if holds(s.crew[seat], sailor):
            return sailor
    return NONE


@kernel
def owner_of_extreme(s: State, highest: bool) -> int:
    """Return the seat whose starting sailor has the highest value, or the lowest if ``highest`` is false (H-R16).

    If sailors have equal values, the colour decides, in the order yellow, grey, violet, red.
    """
    best = 0
    of_best = starting_sailor(s, 0)
    for seat in range(1, s.seats):
        sailor = starting_sailor(s, seat)
        ahead = VALUE[sailor] - VALUE[of_best]
        if not highest:
            ahead = -ahead
        if ahead > 0 or (ahead == 0 and COLOUR[sailor] < COLOUR[of_best]):
            best = seat
            of_best = sailor
    return best
