"""Read the progress of an hour (a round) from a position: the auction, the figures still to move, and the decision."""

from __future__ import annotations

from spelunke.core.errors import BadPosition
from spelunke.core.kernel import copy
from spelunke.games.halunken import choices, rules, state
from spelunke.games.halunken.cards import parse_sailor
from spelunke.games.halunken.hours import owner_of_extreme
from spelunke.games.halunken.position import (
    ON_THE_WAY,
    REVEALED,
    SET_UP,
    PositionText,
)
from spelunke.games.halunken.sailors import holds
from spelunke.games.halunken.state import (
    BEGINNER,
    FIGURES,
    JACK,
    MODE,
    NOBODY,
    REST,
    RUM,
    STANDARD,
    TWO,
    State,
)
from spelunke.games.halunken.walking import ask_landed, ask_overtaken, resolve
from spelunke.games.reading import at_place


def read_number(value: int | None, most: int, place: str) -> int:
    """Return a seat or field from a position text, or NOBODY for None.

    Raise BadPosition if the value is not from 0 to ``most``.
    """
    if value is None:
        return NOBODY
    if not 0 <= value <= most:
        raise BadPosition(f"{value} is not possible; choose a number from 0 to {most}", place)
    return value


def read_auction(s: State, text: PositionText) -> None:
    """Read the parts of an auction: the opener, the offer, the passes and the hirer.

    Raise BadPosition if they don't fit each other or the rest of the position.
    """
    last = int(s.seats) - 1
    without = s.options[MODE] == BEGINNER or s.phase in SET_UP
    s.hirer = read_number(text.hirer, last, "hirer")
    s.opener = read_number(text.opener, last, "opener")
    if without and (s.hirer, s.opener) != (NOBODY, NOBODY):
        raise BadPosition(
            "leave out “hirer” and “opener” in the beginner game, which has no bidding, and in other games before the "
            "first hour",
            "opener" if text.hirer is None else "hirer",
        )
    if s.hirer != NOBODY and s.phase in (state.PEEKING, state.BIDDING, state.FINISHED):
        raise BadPosition("in this phase nobody has hired Black Jack", "hirer")
    if not without and s.opener == NOBODY:
        if s.hirer != NOBODY:
            s.opener = s.hirer
        elif all(size == 1 for size in s.hands[: last + 1]):
            s.opener = owner_of_extreme(s, True)
        else:
            raise BadPosition("say who opens the bidding", "opener")
    if s.hirer not in (NOBODY, s.opener):
        raise BadPosition(
            "the hirer of Black Jack opens the next bidding, so “hirer” and “opener” must be the same seat",
            "opener",
        )
    if s.phase != state.BIDDING:
        if text.offer or text.bidder is not None or text.passed or text.turn is not None:
            raise BadPosition(
                "leave out “offer”, “bidder”, “passed” and “turn”: they are only for the phase “bidding”",
                "offer",
            )
        return
    s.turn = read_number(text.turn, last, "turn") if text.turn is not None else s.opener
    s.bidder = read_number(text.bidder, last, "bidder")
    for k, seat in enumerate(text.passed):
        s.passed |= 1 << read_number(seat, last, f"passed[{k}]")
    if (text.offer is None) != (s.bidder == NOBODY):
        raise BadPosition("give both the offer and its bidder, or neither", "offer")
    if text.offer is not None:
        with at_place("offer"):
            s.offer = parse_sailor(text.offer).number
        if not holds(s.crew[int(s.bidder)], int(s.offer)):
            raise BadPosition(
                "until the bidder pays, the offered sailor stays in the bidder's crew: list him there",
                "offer",
            )
    _check_order_of_bids(s, last)


def _check_order_of_bids(s: State, last: int) -> None:
    """Raise BadPosition if the bids do not fit the order of turns.

    With more than two players, each seat has one turn. So the seats that have passed or offered must come
    before the seat to act.
    """
    acted = int(s.passed) | (1 << int(s.bidder) if s.bidder != NOBODY else 0)
    if int(s.passed) >> int(s.turn) & 1 or s.bidder == s.turn:
        raise BadPosition("that seat has already had its turn in the bidding", "turn")
    if s.options[MODE] == TWO:
        if acted == 0 and s.turn != s.opener:
            raise BadPosition("the opener has the first turn", "turn")
        if s.passed and s.bidder != NOBODY:
            raise BadPosition(
                "once one player has offered and the other has passed, the bidding is over", "passed"
            )
        return
    seat = int(s.opener)
    before = 0
    while seat != s.turn:
        before |= 1 << seat
        seat = (seat + 1) % (last + 1)
    if acted & ~before or (before and not acted):
        raise BadPosition("each seat has one turn, clockwise from the opener", "turn")


def _figure(word: int | str, s: State, place: str) -> int:
    if word == "jack" and s.options[MODE] != BEGINNER:
        return JACK
    if not isinstance(word, int) or not 0 <= word < s.seats:
        raise BadPosition(f"{word!r} is not a figure; write a seat or 'jack'", place)
    return word


def read_way(s: State, text: PositionText) -> None:
    """Read the figures that still have to take a sailor or to move in this hour, and the figure that moves now.

    Also read the number of the Rum, and the overtaken captains for whom a decision is still open. Raise BadPosition if
    the parts don't fit each other or the rest of the position.
    """
    for k, word in enumerate(text.staying):
        s.staying |= 1 << _figure(word, s, f"staying[{k}]")
    for k, word in enumerate(text.moving):
        s.moving |= 1 << _figure(word, s, f"moving[{k}]")
    if text.mover is not None:
        s.mover = _figure(text.mover, s, "mover")
    s.took = int(text.took)
    for k, seat in enumerate(text.overtaken[:4]):
        s.queue[k] = read_number(seat, int(s.seats) - 1, f"overtaken[{k}]")
    way = s.phase in ON_THE_WAY
    if not way and (text.staying or text.moving or text.mover is not None or text.took or text.overtaken):
        raise BadPosition(
            "no figure moves in this phase: leave out “staying”, “moving”, “mover”, “took” and “overtaken”",
            "mover",
        )
    if way and (s.staying & s.moving or (s.mover != NOBODY and (s.moving | s.staying) >> int(s.mover) & 1)):
        raise BadPosition("list each figure in only one of “staying”, “moving” and “mover”", "moving")
    if s.phase in (state.LANDED, state.PASSING) and s.mover == NOBODY:
        raise BadPosition(
            "in this phase a figure has met or overtaken another: under “mover”, give the figure that moved",
            "mover",
        )
    if s.mover != NOBODY and s.staying:
        raise BadPosition(
            "if you give “mover”, leave “staying” out: the figures that stay took their sailors before the "
            "first figure moved",
            "staying",
        )
    if (s.phase == state.PASSING) != bool(text.overtaken) or len(set(text.overtaken)) != len(text.overtaken):
        raise BadPosition(
            "in the phase “passing”, list each overtaken captain once; in every other phase, list none",
            "overtaken",
        )
    if text.named is not None:
        rums = [f for f in range(FIGURES) if s.laid[f] == RUM and (f != JACK or s.options[MODE] == TWO)]
        later = way or s.phase in (state.FLIPPING, state.PICKING)
        if len(rums) != 1 or not later or not 1 <= text.named <= 7 or not choices.may_name(s, text.named):
            raise BadPosition(
                "give “named” only if exactly one figure has laid Rum and the number of this Rum is known; that "
                "number is from 1 to 7, and no other figure has laid it",
                "named",
            )
        s.named = text.named


def read_moment(s: State) -> None:
    """Compute the parts of the state that follow from the parts that were read, such as the seat to act.

    Raise BadPosition if the parts that were read do not fit the phase.
    """
    _check_jack(s)
    if s.phase == state.HIDING:
        if any(size != 1 for size in s.hands[: int(s.seats)]):
            raise BadPosition("in this phase each captain has exactly one sailor", "seats")
        s.turn = owner_of_extreme(s, False)
    elif s.phase == state.MEETING:
        if s.hands[int(s.turn)]:
            raise BadPosition(
                "the captain that was placed most recently has no sailor yet", f"seats[{int(s.turn)}].crew"
            )
    elif s.phase in (state.NAMING, state.FALLING):
        wanted = int(s.phase)
        if resolve(s) != REST or s.phase != wanted:
            raise BadPosition("none of the laid cards is a Rum that still needs a number", "phase")
    elif s.phase in (state.FLIPPING, state.PICKING):
        _read_flip(s)
    elif s.phase == state.OPENING:
        collector = [f for f in range(FIGURES) if s.field[f] == s.opening]
        if s.mover not in ((NOBODY, *collector) if collector else ()) or bool(s.took) != (s.mover != NOBODY):
            raise BadPosition(
                "the figure that has just taken a sailor must be at the tavern where the next sailor is turned up",
                "mover",
            )
    elif s.phase == state.LANDED:
        if not ask_landed(s):
            raise BadPosition(
                "nobody can take or give a sailor here, so the phase can't be “landed”", "phase"
            )
    elif s.phase == state.PASSING:
        trial: State = copy(s)
        if s.mover != JACK:
            raise BadPosition(
                "the phase “passing” means that Black Jack has overtaken captains: give 'jack' as “mover”",
                "mover",
            )
        if not ask_overtaken(trial) or list(trial.queue) != list(s.queue):
            raise BadPosition(
                "Black Jack gets no sailor from the first captain in “overtaken”: leave that captain out",
                "overtaken",
            )
        s.turn = trial.turn


def _check_jack(s: State) -> None:
    """Raise BadPosition if Black Jack's card does not fit the phase and the options.

    Also raise BadPosition if the options exclude the phase, or if the phase is ``choosing`` and all cards are sealed.
    """
    standard, two = s.options[MODE] == STANDARD, s.options[MODE] == TWO
    laid = s.options[MODE] != BEGINNER and s.laid[JACK] > 0
    peeked = s.options[state.BJ_PEEK] and s.phase not in (state.PEEKING, state.FINISHED, *SET_UP)
    revealed = two and s.phase in REVEALED and s.phase != state.FLIPPING
    must = bool(peeked or revealed or (standard and s.mover == JACK))
    may = must or (s.phase in ON_THE_WAY and s.mover == JACK)
    if laid != must and not (laid and may):
        raise BadPosition(
            "Black Jack's card lies open from the moment it is flipped or revealed until the end of the hour",
            "jack.laid",
        )
    if s.sealed[JACK] and not (two and s.hirer != NOBODY):
        raise BadPosition("the hirer lays a card for Black Jack only in a game of two players", "jack.sealed")
    if s.phase == state.CHOOSING and rules.actors(s) == 0:
        raise BadPosition(
            "when the last card is sealed, all cards are revealed, so the phase “choosing” is over",
            "seats[0].sealed",
        )
    picked = s.options[state.TACTICAL_BJ_34] and s.hirer != NOBODY
    peeks = s.options[state.BJ_PEEK]
    passes = standard or s.options[state.BJ2_PASS_THEFT]
    if (
        (s.phase == state.PEEKING and not peeks)
        or (s.phase == state.PICKING and not picked)
        or (s.phase == state.PASSING and not passes)
    ):
        raise BadPosition("with these options, the game does not have this phase", "phase")


def _read_flip(s: State) -> None:
    """Check a position in which chance or the hirer is about to decide Black Jack's card.

    Also store in the state which figures still have to move, and which seat acts.
    """
    two = s.options[MODE] == TWO
    if (two and s.hirer != NOBODY) or (s.options[MODE] != BEGINNER and s.laid[JACK] > 0):
        raise BadPosition(
            "this phase is not possible: Black Jack's card lies open already, or (in a game of two players) the hirer "
            "lays a card for him",
            "phase",
        )
    if s.options[MODE] == STANDARD:
        s.moving = 1 << JACK
        if s.options[state.TACTICAL_BJ_34] and (s.hirer != NOBODY) != (s.phase == state.PICKING):
            raise BadPosition(
                "the hirer picks Black Jack's card; if nobody hired him, it is flipped", "phase"
            )
        rums = [seat for seat in range(int(s.seats)) if s.laid[seat] == RUM]
        if len(rums) == 1 and not s.named:
            raise BadPosition("in this phase the Rum already has a number: give it as “named”", "named")
    if s.phase == state.PICKING:
        s.turn = s.hirer
