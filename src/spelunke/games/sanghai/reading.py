"""Read position texts of Sanghai. Impossible positions are refused with the place and the reason."""

from __future__ import annotations

import numpy as np

from spelunke.core.errors import BadPosition, BadText
from spelunke.games.reading import at_place, read_setup, read_shape
from spelunke.games.sanghai import GAME, state
from spelunke.games.sanghai.cards import Card, is_wild, kind_of, parse_card, parse_meld
from spelunke.games.sanghai.laying import legal_steps
from spelunke.games.sanghai.position_text import LayingText, PositionText, SeatText
from spelunke.games.sanghai.state import State, wide
from spelunke.games.sanghai.turns import voters
from spelunke.games.sanghai.view import ANSWERS, PHASES, start_table, write_meld_cells

MOST_TIMES = 999
"""The maximum number of equal cards in a list of public facts of a seat.

Such a list has the cards that the seat discarded in this round, or those that it let go.
"""


def parse_position(text: dict[str, object], where: str = "") -> State:
    """Return the state that the contents of a position text describe.

    If they describe no possible state, raise BadPosition with the reason and the place: the name of the wrong field.
    """
    given = read_shape(text, PositionText, where)
    s = start_table(read_setup(GAME, len(given.seats), given.options))
    if given.phase not in PHASES:
        raise BadPosition(f"{given.phase!r} is not a phase; choose one of {', '.join(PHASES)}", "phase")
    s.phase = PHASES.index(given.phase)
    _read_rounds(s, given)
    _read_cards(s, given)
    _read_table(s, given)
    _read_window(s, given)
    _check(s, given)
    return s


def _need(number: int | None, n: int, place: str) -> int:
    if number is None or not 0 <= number < n:
        raise BadPosition(f"seats are 0 to {n - 1}", place)
    return number


def _count(number: int, most: int, place: str, what: str) -> int:
    if not 0 <= number <= most:
        raise BadPosition(f"{what} must be from 0 to {most}", place)
    return number


def _read_rounds(s: State, text: PositionText) -> None:
    n, laps = len(text.seats), int(state.rounds(s))
    over = s.phase == state.FINISHED
    if not 1 <= text.round <= laps:
        raise BadPosition(f"this game has rounds 1 to {laps}", "round")
    done = text.round - 1 + int(over)
    if len(text.finished) != done or (over and text.round != laps):
        raise BadPosition(f"in round {text.round} there are {done} finished rounds", "finished")
    s.lap = text.round - 1
    for lap, entry in enumerate(text.finished):
        place = f"finished[{lap}]"
        if len(entry.points) != n or any(not -50 <= p <= 9999 for p in entry.points):
            raise BadPosition(f"points are {n} numbers, one for each seat", f"{place}.points")
        if entry.winner is not None:
            s.won[lap] = _need(entry.winner, n, f"{place}.winner")
        for seat in range(n):
            s.sheet[lap, seat] = entry.points[seat]
        for seat in entry.laid:
            s.down[lap, _need(seat, n, f"{place}.laid")] = 1
    if s.phase != state.SEATING:
        s.dealer = _need(text.dealer if text.dealer is not None else n - 1, n, "dealer")
        s.turn = (s.dealer + 1) % n if text.turn is None else _need(text.turn, n, "turn")
    most_turns = state.TURN_LIMIT * n - (0 if over else 1)  # the last turn ends the round (N-C7)
    s.turns = _count(text.turns, most_turns, "turns", "turns played in this round")
    most = int(s.options[state.RESHUFFLE_LIMIT]) or 9999
    s.shuffled = _count(text.reshuffles, most, "reshuffles", "reshuffles in this round")


def _cards(text: str, place: str) -> list[Card]:
    with at_place(place):
        return [parse_card(word) for word in text.replace(",", " ").split()]


def _draw_from(s: State, card: Card, place: str) -> None:
    kind = kind_of(card)
    if s.stock[kind] == 0:
        held = int(state.copies(s, kind))
        raise BadPosition(f"the packs hold {held} of {card}, and here is one more", place)
    s.stock[kind] -= 1


def _read_cards(s: State, text: PositionText) -> None:
    for seat, entry in enumerate(text.seats):
        for card in _cards(entry.hand, f"seats[{seat}].hand"):
            _draw_from(s, card, f"seats[{seat}].hand")
            state.give(s, seat, kind_of(card))
        limit = int(state.hep_limit(s))
        if not 0 <= entry.heps <= limit:
            raise BadPosition(f"a seat wins at most {limit} cards by calling", f"seats[{seat}].heps")
        s.heps[seat] = entry.heps
        s.laid[seat] = int(entry.laid)
        _read_public_facts(s, seat, entry)
    pile = _cards(text.pile, "pile")
    for card in pile:
        _draw_from(s, card, "pile")
        s.pile[kind_of(card)] += 1
    s.top = kind_of(pile[-1]) if pile else state.NONE
    s.under = kind_of(pile[-2]) if len(pile) > 1 and not text.top_taken else state.NONE


def _read_public_facts(s: State, seat: int, entry: SeatText) -> None:
    """Read the public facts about a seat in this round: the cards that it openly took, the cards that it
    discarded, and the cards that it could have had but did not take.
    """
    told = (
        ("taken", entry.taken, s.taken),
        ("thrown", entry.thrown, s.thrown),
        ("let_go", entry.let_go, s.let_go),
    )
    for name, text, cells in told:
        place = f"seats[{seat}].{name}"
        for card in _cards(text, place):
            kind = kind_of(card)
            if name == "taken" and s.taken[seat, kind] == s.hand[seat, kind]:
                raise BadPosition(f"this hand has fewer of {card}", place)
            if cells[seat, kind] == MOST_TIMES:
                raise BadPosition(f"at most {MOST_TIMES} times the same card", place)
            cells[seat, kind] += 1


def _read_table(s: State, text: PositionText) -> None:
    n, black = len(text.seats), bool(s.options[state.BLACK_TWOS_WILD])
    if len(text.melds) > state.MELDS:
        raise BadPosition(f"there is room for {state.MELDS} melds", "melds")
    for m, entry in enumerate(text.melds):
        place = f"melds[{m}]"
        with at_place(f"{place}.cards"):
            meld = parse_meld(entry.cards, black)
        for card, wild in zip(meld.cards, meld.wild, strict=True):
            if wild and not is_wild(card, black):
                raise BadPosition(f"{card} doesn't belong there", f"{place}.cards")
            _draw_from(s, card, f"{place}.cards")
        begun = text.laying is not None and m == len(text.melds) - 1
        if all(meld.wild) and not begun:
            raise BadPosition("a meld has at least one natural card", f"{place}.cards")
        write_meld_cells(s, m, _need(entry.owner, n, f"{place}.owner"), meld)
    s.melds = len(text.melds)
    s.fresh = int(text.laid_this_turn)
    most = sum(int(state.copies(s, kind)) for kind in range(state.KINDS) if state.is_wild(s, kind))
    s.wilds = _count(text.wild_this_turn, most, "wild_this_turn", "wild cards put down in this turn")
    if text.laying is not None:
        _read_laying(s, text.laying)
    if text.stock is not None:
        given = _cards(text.stock, "stock")
        rest = s.stock.copy()
        s.stock[:] = 0
        for card in given:
            if rest[kind_of(card)] == 0:
                raise BadPosition(f"there is no {card} left for the stock", "stock")
            rest[kind_of(card)] -= 1
            s.stock[kind_of(card)] += 1
        s.pile += rest
        if s.top < 0 and rest.sum():
            raise BadPosition(
                "some cards are in no hand, meld or stock, so they are in the discard pile: name its top "
                "card",
                "pile",
            )
        if s.under < 0 and rest.sum() and not text.top_taken:
            s.under = int(np.flatnonzero(rest)[0])
    s.stocked = s.stock.sum()
    s.piled = s.pile.sum()
    if s.phase == state.DEALING:
        s.dealt = s.held.sum()
    elif s.phase != state.SEATING:
        s.dealt = int(s.seats) * int(state.cards_dealt(s))


def _read_laying(s: State, laying: LayingText) -> None:
    if s.phase not in (state.LAYING, state.SETTING, state.RUNNING):
        raise BadPosition(
            "leave this part out: a contract is laid only in the phases “laying”, “in set” and “in run”",
            "laying",
        )
    s.sets_left = _count(laying.sets, int(state.sets_wanted(s)), "laying.sets", "sets still wanted")
    s.runs_left = _count(laying.runs, int(state.runs_wanted(s)), "laying.runs", "runs still wanted")
    s.least_rank = _count(laying.least_rank, 13, "laying.least_rank", "the least rank of the next set")
    s.least_run = _count(laying.least_run, 63, "laying.least_run", "the least place of the next run")
    if s.phase == state.LAYING:
        return
    if laying.open == "last meld" and s.melds > 0:
        s.melds -= 1
        return
    word, _, card = laying.open.partition(" ")
    m = int(s.melds)
    try:
        kind = kind_of(parse_card(card if word == "run" else card + "s"))
    except (BadText, KeyError):
        raise BadPosition("write 'set 7', 'run 4d' or 'last meld'", "laying.open") from None
    s.owner[m] = s.turn
    if word == "set":
        s.form[m], s.what[m] = state.SET, kind % 13
    else:
        s.form[m], s.what[m] = state.RUN, kind // 13
        s.low[m] = kind % 13 + 1
        s.high[m] = s.low[m] - 1


def _read_window(s: State, text: PositionText) -> None:
    n = len(text.seats)
    window = s.phase in (state.WINDOW, state.VOTING, state.TYING)
    if window or text.discarder is not None:
        giver = (int(s.turn) - 1) % n if text.discarder is None else text.discarder
        s.giver = _need(giver, n, "discarder")
    limit = state.hep_limit(s)
    for seat, entry in enumerate(text.seats):
        if entry.answer not in ANSWERS:
            raise BadPosition(f"an answer is one of {', '.join(ANSWERS)}", f"seats[{seat}].answer")
        free = seat not in (s.giver, s.turn) and not s.laid[seat] and s.heps[seat] < limit
        given = entry.answer
        if seat in text.calls:
            given = "called"
        elif given == "called" and window:
            raise BadPosition("list the seats that called, in the order of their calls", "calls")
        elif given == "none" and window and free:
            given = "asked" if s.phase == state.WINDOW else "passed"
        if given != "none" and not window:
            place = "calls" if seat in text.calls else f"seats[{seat}].answer"
            raise BadPosition("seats call and answer only in the phases “window”, “vote” and “tie”", place)
        if given != "none" and not free:
            raise BadPosition("this seat can't call for the discard", f"seats[{seat}].answer")
        s.answer[seat] = ANSWERS.index(given)
        if entry.vote is not None:
            s.ballot[seat] = _need(entry.vote, n, f"seats[{seat}].vote")
    if len(set(text.calls)) != len(text.calls):
        raise BadPosition("a seat can call only once", "calls")
    for k, caller in enumerate(text.calls):
        s.caller[k] = _need(caller, n, "calls")
    s.callers = len(text.calls)
    tied = text.tied
    if tied is None:
        tied = len(text.calls) if s.options[state.HEP_WINDOW] else min(1, len(text.calls))
    if not min(1, len(text.calls)) <= tied <= len(text.calls):
        raise BadPosition(
            "this number must be from 1 to the number of calls; if there are no calls, it must be 0", "tied"
        )
    s.tied = tied
    s.waits = int(text.waits)
    s.owed = _count(text.owed, int(s.options[state.HEP_PENALTY]), "owed", "cards still owed for a call")
    if text.owed_to is not None:
        s.owing = _need(text.owed_to, n, "owed_to")
    elif text.owed:
        raise BadPosition("name the seat that must still draw the penalty cards", "owed_to")


def _check(s: State, text: PositionText) -> None:
    """Raise BadPosition if the parts of the text contradict each other."""
    n, phase = len(text.seats), int(s.phase)
    if phase in (state.WINDOW, state.VOTING, state.TYING) and s.top < 0:
        raise BadPosition("seats can call only after a discard", "pile")
    if phase in (state.SEATING, state.DEALING, state.OPENING) and (s.piled or s.melds):
        raise BadPosition("before the first turn there are no discards and no melds", "pile")
    if phase in (state.DRAWING, state.PENALTY) and s.stocked == 0:
        raise BadPosition("the stock is empty, so no card can be drawn", "phase")
    if phase == state.DEALING and s.dealt >= n * state.cards_dealt(s):
        raise BadPosition("all cards are dealt already, so the deal is over", "phase")
    if phase != state.FINISHED and (phase == state.PENALTY) != (s.owed > 0):
        raise BadPosition("penalty cards are owed in the phase “penalty” and in no other phase", "owed")
    _check_votes(s, text)
    building = phase in (state.LAYING, state.SETTING, state.RUNNING)
    if building and text.laying is None:
        raise BadPosition("say how much of the contract is laid already", "laying")
    if building and not legal_steps(s, wide(s.turn), np.zeros(state.ACTIONS, np.int16), 0):
        raise BadPosition("from this position, the contract can't be completed", "laying")
    sets, runs = int(state.sets_wanted(s)), int(state.runs_wanted(s))
    for seat in range(n):
        place = (seat - int(s.dealer) - 1) % n  # in the order of the deal
        if phase in (state.SEATING, state.DEALING) and s.held[seat] != (int(s.dealt) + n - 1 - place) // n:
            raise BadPosition(
                "this hand has too many or too few cards: hands are empty before the deal, and the cards are "
                "dealt one at a time, in turn from the seat after the dealer",
                f"seats[{seat}].hand",
            )
        own = [m for m in range(int(s.melds)) if s.owner[m] == seat]
        if building and seat == s.turn:
            continue
        forms = [int(s.form[m]) for m in own]
        if s.laid[seat] and (forms.count(state.SET), forms.count(state.RUN)) != (sets, runs):
            raise BadPosition(
                f"a seat that has laid has {sets} sets and {runs} runs on the table", f"seats[{seat}].laid"
            )
        if own and not s.laid[seat]:
            raise BadPosition("a seat that has melds must have laid its contract", f"seats[{seat}].laid")
        drawn = phase == state.TURN and seat == s.turn
        most = (
            int(state.cards_dealt(s))
            + int(s.heps[seat]) * (1 + int(s.options[state.HEP_PENALTY]))
            + int(drawn)
        )
        if s.held[seat] > most:
            raise BadPosition(f"this seat holds at most {most} cards now", f"seats[{seat}].hand")
        if phase >= state.TURN and phase != state.FINISHED and seat == s.turn and s.held[seat] == 0:
            raise BadPosition("the player on turn must have a card to discard", f"seats[{seat}].hand")
        if phase < state.TURN and phase > state.OPENING and s.held[seat] == 0:
            raise BadPosition("no hand is empty before the end of a round", f"seats[{seat}].hand")


def _check_votes(s: State, text: PositionText) -> None:
    """Raise BadPosition if a tie has to be decided but no calls are tied, or if the votes contradict the calls."""
    if s.phase in (state.VOTING, state.TYING) and s.tied < 2:
        raise BadPosition("in the phases “vote” and “tie”, at least two calls are simultaneous", "tied")
    tied = text.calls[: int(s.tied)]
    for seat, entry in enumerate(text.seats):
        if entry.vote is not None and (
            s.phase != state.VOTING or seat in text.calls or entry.vote not in tied
        ):
            raise BadPosition(
                "leave this vote out: in the phase “vote”, a seat that did not call can vote for one of the seats "
                "that called at the same time; no other vote is possible",
                f"seats[{seat}].vote",
            )
    if s.phase == state.VOTING and not voters(s):
        raise BadPosition("in the phase “vote”, at least one vote is missing", "seats")
