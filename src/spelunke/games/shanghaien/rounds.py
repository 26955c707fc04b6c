"""The parts of a match: set-up, games, rounds, and the call "Shanghai" that ends a round."""

from __future__ import annotations

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers
from spelunke.games.shanghaien.deck import count_deck
from spelunke.games.shanghaien.extras import hand_out_extras
from spelunke.games.shanghaien.reckoning import break_tie, place_of, points, taker, unplayed
from spelunke.games.shanghaien.state import (
    BEST_OF_THREE,
    COPIES,
    DEALING,
    FINISHED,
    FIRST_STARTER,
    MATCH,
    NOTHING,
    ROUNDS,
    SAILORS,
    SINGLE,
    START_TRICK,
    STARTS_WITH,
    TRICK_SPLIT,
    UNFIXED,
    State,
)
from spelunke.games.shanghaien.turns import clear_roll


@kernel
def start(s: State, setup: Numbers) -> None:
    """Set up a match. ``setup`` has the number of seats, then the encoded options (S-R1 to S-R4)."""
    for k in range(1, len(setup)):
        s.options[k - 1] = setup[k]
    s.games = 0
    s.wins[:] = 0
    s.total[:] = 0
    s.spare[:] = 0
    s.opener = NOTHING
    s.first_opener = NOTHING
    begin(s)


@kernel
def begin(s: State) -> None:
    """Set up a game: put all cards back into the deck, hand out start tricks and extra cards, and begin to deal."""
    for kind in range(SAILORS):
        s.deck[kind] = COPIES[kind & 3]
    for trick in range(3):
        s.deck[SAILORS + trick] = s.options[TRICK_SPLIT + trick]
    count_deck(s)
    s.hand[:] = 0
    s.crew[:] = 0
    s.joker[:] = 0
    for seat in range(2):
        for trick in range(3):
            s.hand[seat, trick] = s.options[START_TRICK] == STARTS_WITH[trick]
        hand_out_extras(s, seat)
    if s.games > 0:
        s.opener = 1 - s.opener  # S-A13
    elif s.options[FIRST_STARTER] > 0:
        s.opener = s.options[FIRST_STARTER] - 1
        s.first_opener = s.opener
    s.starter = s.opener
    s.tavern = 0
    open_tavern(s)


@hot
def open_tavern(s: State) -> None:
    """Clear the table and begin to deal six new cards (S-R17)."""
    clear_tavern(s)
    s.phase = DEALING
    s.turn = max(s.starter, 0)


@hot
def clear_tavern(s: State) -> None:
    """Give dice and captains back to their owners, and empty the row (S-R17)."""
    s.row[:] = NOTHING
    s.down[:] = 0
    s.placed[:] = 0
    s.spent[:] = 0
    s.may_object[:] = 0
    s.dice[:] = 0
    s.dealt = 0
    s.end = UNFIXED
    clear_roll(s)


@hot
def shanghai(s: State, seat: int) -> None:
    """End the round and settle each card of the row. Then open the next row, or end the game (S-R14 to S-R17)."""
    for number in range(6):
        place = place_of(number, s.end)
        winner = taker(s, number)
        if winner != NOTHING and not s.down[place]:
            kind = s.row[place]
            if kind < SAILORS:
                s.crew[winner, kind >> 2, kind & 3] += 1
            else:
                s.hand[winner, kind - SAILORS] += 1
    s.tavern += 1
    s.starter = 1 - seat
    if s.tavern < ROUNDS:
        open_tavern(s)
    else:
        end_game(s)


@kernel
def end_game(s: State) -> None:
    """Add the points of a finished game to the match. Then begin the next game of the match, or end the match."""
    mine = points(s, 0)
    theirs = points(s, 1)
    balance = mine - theirs
    if balance == 0:  # S-A14
        balance = break_tie(s, unplayed(s, 0), unplayed(s, 1), s.opener)
    if balance > 0:
        s.wins[0] += 1
    elif balance < 0:
        s.wins[1] += 1
    s.total[0] += mine
    s.total[1] += theirs
    s.spare[0] += unplayed(s, 0)
    s.spare[1] += unplayed(s, 1)
    s.games += 1
    decided = s.options[MATCH] == BEST_OF_THREE and (s.wins[0] == 2 or s.wins[1] == 2)
    if s.options[MATCH] == SINGLE or s.games == 3 or decided:
        clear_tavern(s)
        s.phase = FINISHED
    else:
        begin(s)
