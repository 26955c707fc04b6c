"""Kernels that play whole games, for learning and for comparing players.

In a comparison, all players get the same decks.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below, pick_seat
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, Stream
from spelunke.games.sanghai import estimates, quick, shrewd, state
from spelunke.games.sanghai.laying import may_lay, wish_of
from spelunke.games.sanghai.layings import lay
from spelunke.games.sanghai.planning import FAR, lacking
from spelunke.games.sanghai.rules import actors, apply_chance, play, result, start
from spelunke.games.sanghai.state import State, wide
from spelunke.games.sanghai.traces import count_live, weigh_danger

Reals = npt.NDArray[np.float64]
Cubes = npt.NDArray[np.float64]


@kernel
def shuffle(s: State, seed: int, order: Numbers) -> int:
    """Write the cards of the stock into ``order``, shuffled. Return their number.

    The order depends only on the stock, the seed, the round, and the number of reshuffles.
    """
    stream = np.empty(1, np.int64)
    stream[0] = seed * 1000 + 100 * s.lap + s.shuffled + 1
    for _ in range(4):
        below(stream, 1 << 30)
    n = 0
    for kind in range(state.KINDS):
        for _ in range(s.stock[kind]):
            order[n] = kind
            n += 1
    for k in range(n - 1, 0, -1):
        other = below(stream, k + 1)
        order[k], order[other] = order[other], order[k]
    return wide(n)


@kernel
def act(
    s: State, seat: int, style: int, nets: Cubes, tuned: Reals, listed: Numbers, stream: Stream, blind: int
) -> int:
    """Return the action of a seat, or -1 to lay the contract.

    If ``style`` is 0, the seat is a quick player (:mod:`.quick`). Otherwise it is a learned player
    (:mod:`.shrewd`) with the network ``nets[style - 1]`` and the tuned numbers ``tuned[style - 1]``. Before the
    seat has laid, its discard is random with the probability ``blind`` / 1000.
    """
    if s.phase == state.TURN and s.laid[seat] == 0 and may_lay(s, seat):
        return wide(-1)
    if blind > 0 and s.phase == state.TURN and s.laid[seat] == 0 and below(stream, 1000) < blind:
        kind = throw_blindly(s, seat, stream)
        if kind >= 0:
            return wide(state.DISCARD + kind)
    if style > 0:
        return shrewd.choose(s, seat, nets[style - 1], tuned[style - 1], listed, stream)
    return quick.answer(s, seat, listed, stream)


@kernel
def throw_blindly(s: State, seat: int, stream: Stream) -> int:
    """Return the kind of a random discard, or -1 if no card is accepted.

    Try up to 4 random cards of the hand, and return the first that is accepted. A joker is never accepted. A
    card that the hand needs for the contract is accepted with the probability 1/8, and any other card always.
    """
    h = np.empty(state.KINDS, np.int16)
    h[:] = s.hand[seat]
    none = np.zeros(0, np.int16)
    far = lacking(h, wish_of(s), wide(FAR), none)
    for _ in range(4):
        kind = 0
        skip = below(stream, int(s.held[seat]))
        while skip >= h[kind]:
            skip -= int(h[kind])
            kind += 1
        if kind == state.JOKER:
            continue
        h[kind] -= 1
        worse = lacking(h, wish_of(s), wide(far + 1), none) > far
        h[kind] += 1
        if not worse or below(stream, 8) == 0:
            return wide(kind)
    return wide(-1)


@kernel
def decide_chance(work: Pool, k: int, seed: int, deck: Stream, order: Numbers, stream: Stream) -> None:
    """Decide the first dealer, a tie of calls, or the next card of the deck.

    If necessary, shuffle the deck first.
    """
    phase = work[k].phase
    if phase == state.SEATING:
        apply_chance(work[k], wide(state.DEALER + seed % work[k].seats))
    elif phase == state.TYING:
        apply_chance(work[k], wide(state.LUCKY + work[k].caller[below(stream, int(work[k].tied))]))
    else:
        key = 64 * int(work[k].lap) + int(work[k].shuffled)
        if key != deck[0]:
            shuffle(work[k], seed, order)
            deck[0] = key
            deck[1] = 0
        apply_chance(work[k], wide(order[deck[1]]))
        deck[1] += 1


@kernel
def advance(
    work: Pool,
    k: int,
    seed: int,
    deck: Stream,
    order: Numbers,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    stream: Stream,
    blind: int,
) -> int:
    """Play one step at table ``k``: an outcome of chance, or an action of a random seat among those to act.

    Return the seat that acted, or CHANCE. If the game is over, play nothing and return OVER.

    ``order`` is a shuffled deck. ``deck`` has three numbers: the key of this deck (computed from the round and the
    number of reshuffles), the number of cards already drawn from it, and the number of decisions so far.
    """
    who = actors(work[k])
    if who == OVER:
        return wide(OVER)
    if who == CHANCE:
        decide_chance(work, k, seed, deck, order, stream)
        return wide(CHANCE)
    seat = pick_seat(who, stream)
    deck[2] += 1
    action = act(work[k], wide(seat), wide(styles[seat]), nets, tuned, listed, stream, blind)
    if action < 0:
        lay(work[k], wide(seat))
    else:
        play(work[k], wide(seat), action)
    return wide(seat)


@kernel
def play_match(
    work: Pool,
    setup: Numbers,
    seed: int,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    stream: Stream,
    blind: int,
    rows: Reals,
    ends: Reals,
    whose: Numbers,
    begun: int,
    every: int,
) -> tuple[int, int]:
    """Play one match, and write the features of some hands into ``rows`` from row ``begun`` on.

    Return the number of rows in use, and the number of decisions in the match. For each row, ``ends`` receives
    the cost of the round for the seat with this hand (:func:`cost_of`), and ``whose`` receives the seat. If
    ``every`` is 0, no hand is recorded. The larger ``every`` is, the fewer hands are recorded.
    """
    start(work[0], setup)
    order = np.empty(300, np.int16)
    deck = np.zeros(3, np.int64)
    deck[0] = -1
    n = begun
    first = n
    lap = 0
    while True:
        s_phase = work[0].phase
        if every > 0 and n + work[0].seats < len(rows):
            if s_phase == state.DRAWING and work[0].laid[work[0].turn] == 0 and below(stream, every) == 0:
                note(work[0], wide(work[0].turn), rows[n])
                whose[n] = work[0].turn
                n += 1
            if s_phase == state.WINDOW and work[0].callers == 0 and work[0].waits == 0:
                for seat in range(work[0].seats):
                    rare = every if seat == work[0].giver else 2 * every
                    if work[0].laid[seat] == 0 and below(stream, rare) == 0:
                        note(work[0], wide(seat), rows[n])
                        whose[n] = seat
                        n += 1
        who = advance(work, wide(0), seed, deck, order, styles, nets, tuned, listed, stream, blind)
        if work[0].lap != lap or who == OVER:
            for row in range(first, n):
                ends[row] = cost_of(work[0], lap, wide(whose[row]))
            first = n
            lap = int(work[0].lap)
        if who == OVER:
            break
    return wide(n), wide(deck[2])


@kernel
def cost_of(s: State, lap: int, seat: int) -> float:
    """Return the seat's points in round ``lap`` minus the mean points of the other seats."""
    total = 0.0
    for other in range(s.seats):
        total += s.sheet[lap, other]
    mine = float(s.sheet[lap, seat])
    return float(mine - (total - mine) / (s.seats - 1))


@kernel
def note(s: State, seat: int, row: Reals) -> None:
    """Write the features of a seat's hand into ``row``.

    If the seat has just discarded, the features include the demand for the discarded card.
    """
    h = np.empty(state.KINDS, np.int16)
    h[:] = s.hand[seat]
    look_at(s, seat, h, wide(s.held[seat]), row)
    if s.phase == state.WINDOW and s.giver == seat:
        note_danger(s, seat, wide(s.top), row)


@kernel
def note_danger(s: State, seat: int, kind: int, row: Reals) -> None:
    """Write into ``row`` the demand for a card that ``seat`` discards.

    The demand is two probabilities: that the next seat takes the card, and that another seat gets it by a call
    (:func:`.traces.weigh_danger`).
    """
    kinds = np.zeros(state.KINDS, np.int16)
    next_wants = np.empty(state.KINDS)
    calls = np.empty(state.KINDS)
    kinds[kind] = 1
    weigh_danger(s, seat, kinds, next_wants, calls)
    row[38] = next_wants[kind]
    row[39] = calls[kind]


@kernel
def look_at(s: State, seat: int, h: Numbers, held: int, row: Reals) -> None:
    """Write the features of a possible hand of the seat into ``row``.

    ``h`` has the number of cards of each kind in this hand, and ``held`` is the number of all its cards.
    """
    helps = np.zeros(state.KINDS, np.int16)
    live = np.empty(state.KINDS, np.int16)
    known = np.empty(state.KINDS, np.int16)
    count = count_live(s, seat, live, known)
    estimates.read_table(s, seat, row)
    estimates.read_hand(s, h, held, wish_of(s), live, known, count, helps, row)


@kernel
def play_matches(
    work: Pool,
    setup: Numbers,
    seeds: Stream,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    points: Numbers,
    ranks: Numbers,
    leads: Reals,
    places: Reals,
) -> int:
    """Play matches of one player of style 1 against players of style 0 (see :func:`act`).

    For each seed, play one match for each seat that the player of style 1 can have. All matches of a seed have the same
    decks. For each seed, ``leads`` receives the mean lead of this player in points, and ``places``
    receives its mean rank. Return the number of decisions.
    """
    seats = int(setup[0])
    styles = np.zeros(8, np.int16)
    none = np.zeros((0, 1))
    ends = np.zeros(0)
    whose = np.zeros(0, np.int16)
    stream = np.zeros(1, np.int64)
    decisions = 0
    for k in range(len(seeds)):
        for mine in range(seats):
            styles[:] = 0
            styles[mine] = 1
            stream[0] = seeds[k]
            _, made = play_match(
                work,
                setup,
                wide(seeds[k] % 1000000007),
                styles,
                nets,
                tuned,
                listed,
                stream,
                wide(0),
                none,
                ends,
                whose,
                wide(0),
                wide(0),
            )
            decisions += made
            result(work[0], points, ranks)
            total = 0.0
            for seat in range(seats):
                total += points[seat]
            leads[k] += ((total - points[mine]) / (seats - 1) - points[mine]) / seats
            places[k] += ranks[mine] / seats
    return wide(decisions)


@kernel
def gather(
    work: Pool,
    setup: Numbers,
    seeds: Stream,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    blind: int,
    rows: Reals,
    ends: Reals,
    whose: Numbers,
    every: int,
) -> int:
    """Play a match with each seed, but stop when the arrays of hands are full. Return the number of recorded hands."""
    n = wide(0)
    stream = np.zeros(1, np.int64)
    for k in range(len(seeds)):
        stream[0] = seeds[k]
        n, _ = play_match(
            work,
            setup,
            wide(seeds[k] % 1000000007),
            styles,
            nets,
            tuned,
            listed,
            stream,
            blind,
            rows,
            ends,
            whose,
            n,
            every,
        )
        if n + setup[0] >= len(rows):
            break
    return n
