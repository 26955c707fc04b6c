"""Reading position text: every part is checked against the rest, and refused with its place and the reason."""

from __future__ import annotations

from collections.abc import Iterable

from spelunke.core.errors import BadPosition, BadText
from spelunke.core.kernel import copy, pool
from spelunke.core.reading import read_setup, read_shape
from spelunke.games.halunken import GAME, choices, rules, state
from spelunke.games.halunken.cards import Step, parse_sailor, sailor_of
from spelunke.games.halunken.hours import owner_of_extreme
from spelunke.games.halunken.position import (
    ON_THE_WAY,
    PHASES,
    REVEALED,
    SET_UP,
    JackText,
    PositionText,
    SeatText,
)
from spelunke.games.halunken.sailors import NONE, SAILORS, crew_of, highest_of, holds, worth_of
from spelunke.games.halunken.state import (
    BEGINNER,
    FIELDS,
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

WITH_JACK = (
    state.HIDING,
    state.PEEKING,
    state.BIDDING,
    state.FLIPPING,
    state.FALLING,
    state.PASSING,
    state.PICKING,
)


def parse_position(text: dict[str, object], where: str = "") -> State:
    """The state that a position text means. Raises BadPosition with the place and the reason."""
    read = read_shape(text, PositionText, where)
    setup = read_setup(GAME, len(read.seats), read.options)
    s: State = pool(state.STATE, 1)[0]
    rules.start(s, setup)
    if read.phase not in PHASES:
        raise BadPosition(f"{read.phase!r} is no phase; choose one of {', '.join(PHASES)}", "phase")
    s.phase = PHASES.index(read.phase)
    if s.options[MODE] == BEGINNER and s.phase in WITH_JACK:
        raise BadPosition("the beginner game has no such phase", "phase")
    _read_figures(s, read)
    _read_sailors(s, read)
    _read_cards(s, read)
    _read_score(s, read)
    _read_auction(s, read)
    _read_way(s, read)
    _read_moment(s)
    return s


def _number(value: int | None, most: int, place: str) -> int:
    """A seat or field from 0 to ``most``; None is nobody."""
    if value is None:
        return NOBODY
    if not 0 <= value <= most:
        raise BadPosition(f"{value} is not possible; choose a number from 0 to {most}", place)
    return value


def _read_figures(s: State, text: PositionText) -> None:
    if text.jack is not None and s.options[MODE] == BEGINNER:
        raise BadPosition("the beginner game has no Black Jack", "jack")
    wanted = [(seat, part.captain, f"seats[{seat}].captain") for seat, part in enumerate(text.seats)]
    wanted.append((JACK, text.jack.field if text.jack else None, "jack.field"))
    crowd = 2 if s.phase in ON_THE_WAY else 1
    for figure, value, place in wanted:
        field = _number(value, FIELDS - 1, place)
        if field != NOBODY and sum(f == field for f in s.field) >= crowd:
            raise BadPosition(f"another figure stands on field {field} already", place)
        s.field[figure] = field
    s.first = _number(text.first, int(s.seats) - 1, "first")
    if s.phase == state.FIRST:
        if s.first != NOBODY or any(field != NOBODY for field in s.field):
            raise BadPosition("before the first seat is drawn nobody stands anywhere", "first")
        return
    if s.first == NOBODY:
        s.first = 0
    order = [(int(s.first) + k) % int(s.seats) for k in range(int(s.seats))]
    placed = [s.field[seat] != NOBODY for seat in order]
    if placed != sorted(placed, reverse=True):
        raise BadPosition("captains are placed clockwise from the first seat on", "seats")
    count = sum(placed)
    if s.phase in (state.STRAYING, state.PLACING, state.MEETING):
        if (s.phase == state.STRAYING) != bool(s.options[state.AUTO_PLACE]) and s.phase != state.MEETING:
            raise BadPosition("auto_place decides who puts the captains on their fields", "phase")
        s.turn = order[count - 1] if s.phase == state.MEETING else order[min(count, len(order) - 1)]
        if count == (0 if s.phase == state.MEETING else len(order)):
            raise BadPosition("the number of placed captains doesn't fit the phase", "phase")
    elif count < len(order):
        missing = order[count]
        raise BadPosition("every captain stands on a field by then", f"seats[{missing}].captain")
    hidden = s.phase in SET_UP or s.options[MODE] == BEGINNER
    if hidden != (s.field[JACK] == NOBODY):
        raise BadPosition(
            "Black Jack comes when the fourteen sailors lie open, and then stands on a field", "jack.field"
        )


def _read_sailors(s: State, text: PositionText) -> None:
    seen: dict[int, str] = {}

    def take(name: str, place: str) -> int:
        try:
            sailor = parse_sailor(name).number
        except BadText as error:
            raise BadPosition(error.reason, place) from None
        if sailor in seen:
            raise BadPosition(
                f"there is one {sailor_of(sailor)}, and it lies at {seen[sailor]} already", place
            )
        seen[sailor] = place
        return sailor

    def crew(names: Iterable[str], place: str) -> list[int]:
        return crew_of([take(name, f"{place}[{k}]") for k, name in enumerate(names)])

    for seat, part in enumerate(text.seats):
        s.crew[seat] = crew(part.crew, f"seats[{seat}].crew")
        s.hands[seat] = len(part.crew)
    s.harbour[:] = crew(text.harbour, "harbour")
    s.afloat = len(text.harbour)
    if text.harbour and s.options[MODE] == BEGINNER:
        raise BadPosition("in the beginner game nothing comes into the harbour", "harbour")
    s.under[:] = 0
    taverns = text.taverns
    if taverns is None and s.phase in SET_UP:
        here = {int(s.field[seat]) for seat in range(int(s.seats)) if s.hands[seat]}
        taverns = {str(field): f"+{3 - (field in here)}" for field in range(FIELDS)}
    for key, pile in (taverns or {}).items():
        place = f"taverns.{key}"
        if not key.isdecimal() or len(key) > 2 or int(key) >= FIELDS:
            raise BadPosition("the taverns are 0 to 13", place)
        name, plus, under = pile.partition("+")
        if plus and under.strip() not in {"0", "1", "2", "3"}:
            raise BadPosition("write the cards face down as '+2'", place)
        s.under[int(key)] = int(under) if plus else 0
        if name.strip():
            s.top[int(key)] = take(name.strip(), place)
            if s.under[int(key)] > 2:
                raise BadPosition("a tavern has three sailors at most", place)
    out = {take(name, f"out[{k}]") for k, name in enumerate(text.out)}
    unseen = [sailor for sailor in range(SAILORS) if sailor not in seen and sailor not in out]
    s.unseen[:] = crew_of(unseen)
    s.dark = len(unseen)
    if s.under.sum() > s.dark:
        raise BadPosition(
            f"{int(s.under.sum())} sailors lie face down, but only {int(s.dark)} have not been seen",
            "taverns",
        )
    closed = [field for field in range(FIELDS) if s.top[field] == NONE and s.under[field]]
    if s.phase in (state.TURNING, state.OPENING):
        if not closed or (s.phase == state.OPENING and len(closed) > 1):
            raise BadPosition("one tavern waits for its next sailor to be turned up, like '+2'", "taverns")
        s.opening = closed[0]
    elif closed and s.phase not in SET_UP:
        raise BadPosition("a tavern with sailors has an open one on top", f"taverns.{closed[0]}")


def _read_step(card: Step, figure: int, s: State, place: str) -> int:
    twelve = figure == JACK and s.options[MODE] != TWO
    most = 12 if twelve else 7
    if card == "rum":
        if twelve:
            raise BadPosition("Black Jack's twelve cards are 1 to 12", place)
        return RUM
    if not 1 <= card <= most:
        raise BadPosition(f"there is no movement card {card}; they are 1 to {most}", place)
    return card


def _read_cards(s: State, text: PositionText) -> None:
    """Used, laid and sealed cards; the hour follows from how many are used."""
    parts: list[tuple[int, SeatText | JackText, str]] = [
        (seat, part, f"seats[{seat}]") for seat, part in enumerate(text.seats)
    ]
    if s.options[MODE] != BEGINNER:
        parts.append((JACK, text.jack or JackText(), "jack"))
    hours = len(text.seats[0].used)
    if (s.phase == state.FINISHED) != (hours == state.HOURS) or (hours and s.phase in SET_UP):
        raise BadPosition("eight used cards end the game, and none is used before it begins", "seats[0].used")
    s.hour = hours
    for figure, part, place in parts:
        if len(part.used) != hours and (figure != JACK or text.jack is not None):
            raise BadPosition(
                f"seat 0 has used {hours} cards, so has everybody; here are {len(part.used)}", f"{place}.used"
            )
        for k, card in enumerate(part.used):
            _spend(s, figure, _read_step(card, figure, s, f"{place}.used[{k}]"), f"{place}.used[{k}]")
        if part.laid is not None:
            s.laid[figure] = _read_step(part.laid, figure, s, f"{place}.laid")
            _spend(s, figure, int(s.laid[figure]), f"{place}.laid")
        if part.sealed is not None:
            s.sealed[figure] = _read_step(part.sealed, figure, s, f"{place}.sealed")
            if not int(s.cards[figure]) >> int(s.sealed[figure]) - 1 & 1:
                raise BadPosition("that card has been used", f"{place}.sealed")
            if s.phase != state.CHOOSING:
                raise BadPosition("cards are sealed in the phase choosing alone", f"{place}.sealed")
        if figure != JACK and (s.phase in REVEALED) != (part.laid is not None):
            raise BadPosition(
                "everybody's card lies open from the reveal to the end of the hour", f"{place}.laid"
            )


def _spend(s: State, figure: int, card: int, place: str) -> None:
    if not int(s.cards[figure]) >> card - 1 & 1:
        raise BadPosition("each movement card is there once", place)
    s.cards[figure] ^= 1 << card - 1


def _read_score(s: State, text: PositionText) -> None:
    over = s.phase == state.FINISHED
    s.games = text.games or (1 if over else 0)
    if s.games != (
        (3 if s.options[state.MATCH] else 1)
        if over
        else min(int(s.games), 2 if s.options[state.MATCH] else 0)
    ):
        raise BadPosition("the number of finished games doesn't fit the option match", "games")
    for seat, part in enumerate(text.seats):
        if part.total is None and over and s.games == 1:
            s.total[seat], s.total_crew[seat] = worth_of(s.crew[seat]), s.hands[seat]
            s.best[seat] = highest_of(s.crew[seat])
            continue
        for name in ("total", "total_crew", "best"):
            value = getattr(part, name) or 0
            if not 0 <= value <= 3000 or (value and not s.games):
                raise BadPosition("totals are of finished games", f"seats[{seat}].{name}")
        s.total[seat], s.total_crew[seat] = part.total or 0, part.total_crew or 0
        s.best[seat] = part.best or 0


def _read_auction(s: State, text: PositionText) -> None:
    last = int(s.seats) - 1
    without = s.options[MODE] == BEGINNER or s.phase in SET_UP
    s.hirer = _number(text.hirer, last, "hirer")
    s.opener = _number(text.opener, last, "opener")
    if without and (s.hirer, s.opener) != (NOBODY, NOBODY):
        raise BadPosition("nobody bids in this game, or not yet", "opener" if text.hirer is None else "hirer")
    if s.hirer != NOBODY and s.phase in (state.PEEKING, state.BIDDING, state.FINISHED):
        raise BadPosition("nobody has hired Black Jack in this phase", "hirer")
    if not without and s.opener == NOBODY:
        if s.hirer != NOBODY:
            s.opener = s.hirer
        elif all(size == 1 for size in s.hands[: last + 1]):
            s.opener = owner_of_extreme(s, True)
        else:
            raise BadPosition("say who opens the bidding", "opener")
    if s.hirer not in (NOBODY, s.opener):
        raise BadPosition("whoever hired Black Jack opens the next bidding", "opener")
    if s.phase != state.BIDDING:
        if text.offer or text.bidder is not None or text.passed or text.turn is not None:
            raise BadPosition("offers belong to the phase bidding", "offer")
        return
    s.turn = _number(text.turn, last, "turn") if text.turn is not None else s.opener
    s.bidder = _number(text.bidder, last, "bidder")
    for k, seat in enumerate(text.passed):
        s.passed |= 1 << _number(seat, last, f"passed[{k}]")
    if (text.offer is None) != (s.bidder == NOBODY):
        raise BadPosition("an offer has a bidder, and a bidder an offer", "offer")
    if text.offer is not None:
        try:
            s.offer = parse_sailor(text.offer).number
        except BadText as error:
            raise BadPosition(error.reason, "offer") from None
        if not holds(s.crew[int(s.bidder)], int(s.offer)):
            raise BadPosition("the offered sailor is in the bidder's crew until he is paid", "offer")
    acted = int(s.passed) | (1 << int(s.bidder) if s.bidder != NOBODY else 0)
    if int(s.passed) >> int(s.turn) & 1 or s.bidder == s.turn:
        raise BadPosition("that seat has had its turn in this auction", "turn")
    if s.options[MODE] == TWO:
        if acted == 0 and s.turn != s.opener:
            raise BadPosition("the opener begins", "turn")
        if s.passed and s.bidder != NOBODY:
            raise BadPosition("a pass after an offer ends the auction", "passed")
        return
    seat = int(s.opener)
    before = 0
    while seat != s.turn:
        before |= 1 << seat
        seat = (seat + 1) % (last + 1)
    if acted & ~before or (before and not acted):
        raise BadPosition("each seat has one turn, from the opener on clockwise", "turn")


def _figure(word: int | str, s: State, place: str) -> int:
    if word == "jack" and s.options[MODE] != BEGINNER:
        return JACK
    if not isinstance(word, int) or not 0 <= word < s.seats:
        raise BadPosition(f"{word!r} is no figure; write a seat or 'jack'", place)
    return word


def _read_way(s: State, text: PositionText) -> None:
    """What an hour under way has still to come."""
    for k, word in enumerate(text.staying):
        s.staying |= 1 << _figure(word, s, f"staying[{k}]")
    for k, word in enumerate(text.moving):
        s.moving |= 1 << _figure(word, s, f"moving[{k}]")
    if text.mover is not None:
        s.mover = _figure(text.mover, s, "mover")
    s.took = int(text.took)
    for k, seat in enumerate(text.overtaken[:4]):
        s.queue[k] = _number(seat, int(s.seats) - 1, f"overtaken[{k}]")
    way = s.phase in ON_THE_WAY
    if not way and (text.staying or text.moving or text.mover is not None or text.took or text.overtaken):
        raise BadPosition("nobody is on the way in this phase", "mover")
    if way and (s.staying & s.moving or (s.mover != NOBODY and (s.moving | s.staying) >> int(s.mover) & 1)):
        raise BadPosition("a figure stays, moves, or has done so", "moving")
    if s.phase in (state.LANDED, state.PASSING) and s.mover == NOBODY:
        raise BadPosition("somebody has moved and met or overtaken another", "mover")
    if s.mover != NOBODY and s.staying:
        raise BadPosition("those who stay collect before anybody moves", "staying")
    if (s.phase == state.PASSING) != bool(text.overtaken) or len(set(text.overtaken)) != len(text.overtaken):
        raise BadPosition("overtaken captains belong to the phase passing, each once", "overtaken")
    if text.named is not None:
        rums = [f for f in range(FIGURES) if s.laid[f] == RUM and (f != JACK or s.options[MODE] == TWO)]
        later = way or s.phase in (state.FLIPPING, state.PICKING)
        if len(rums) != 1 or not later or not 1 <= text.named <= 7 or not choices.may_name(s, text.named):
            raise BadPosition("it is the number of the one Rum, 1 to 7, that nobody else laid", "named")
        s.named = text.named


def _read_moment(s: State) -> None:
    """What follows from the rest, and whether it fits the phase."""
    _check_jack(s)
    if s.phase == state.HIDING:
        if any(size != 1 for size in s.hands[: int(s.seats)]):
            raise BadPosition("each captain has his one starting sailor by then", "seats")
        s.turn = owner_of_extreme(s, False)
    elif s.phase == state.MEETING:
        if s.hands[int(s.turn)]:
            raise BadPosition("the captain placed last has met no sailor yet", f"seats[{int(s.turn)}].crew")
    elif s.phase in (state.NAMING, state.FALLING):
        wanted = int(s.phase)
        if resolve(s) != REST or s.phase != wanted:
            raise BadPosition("these cards leave no Rum to be named", "phase")
    elif s.phase in (state.FLIPPING, state.PICKING):
        _read_flip(s)
    elif s.phase == state.OPENING:
        collector = [f for f in range(FIGURES) if s.field[f] == s.opening]
        if s.mover not in ((NOBODY, *collector) if collector else ()) or bool(s.took) != (s.mover != NOBODY):
            raise BadPosition("whoever took the last sailor stands at that tavern", "mover")
    elif s.phase == state.LANDED:
        if not ask_landed(s):
            raise BadPosition("nobody has anything to take or to give there", "phase")
    elif s.phase == state.PASSING:
        trial: State = copy(s)
        if s.mover != JACK or not ask_overtaken(trial) or list(trial.queue) != list(s.queue):
            raise BadPosition("the first overtaken captain has nothing to lose", "overtaken")
        s.turn = trial.turn


def _check_jack(s: State) -> None:
    """Whether Black Jack's card lies where the phase and the options let it."""
    standard, two = s.options[MODE] == STANDARD, s.options[MODE] == TWO
    laid = s.options[MODE] != BEGINNER and s.laid[JACK] > 0
    peeked = s.options[state.BJ_PEEK] and s.phase not in (state.PEEKING, state.FINISHED, *SET_UP)
    revealed = two and s.phase in REVEALED and s.phase != state.FLIPPING
    must = bool(peeked or revealed or (standard and s.mover == JACK))
    may = must or (s.phase in ON_THE_WAY and s.mover == JACK)
    if laid != must and not (laid and may):
        raise BadPosition(
            "Black Jack's card lies open from his flip or the reveal to the end of the hour", "jack.laid"
        )
    if s.sealed[JACK] and not (two and s.hirer != NOBODY):
        raise BadPosition("only the hirer of two players seals a card for Black Jack", "jack.sealed")
    if s.phase == state.CHOOSING and rules.actors(s) == 0:
        raise BadPosition("when the last card is in all lie open", "seats[0].sealed")
    picked = s.options[state.TACTICAL_BJ_34] and s.hirer != NOBODY
    peeks = s.options[state.BJ_PEEK]
    if (s.phase == state.PEEKING and not peeks) or (s.phase == state.PICKING and not picked):
        raise BadPosition("the options of this table have no such phase", "phase")


def _read_flip(s: State) -> None:
    """Black Jack's card is flipped, or picked by his hirer: what fits to that, and who moves and decides."""
    two = s.options[MODE] == TWO
    if (two and s.hirer != NOBODY) or (s.options[MODE] != BEGINNER and s.laid[JACK] > 0):
        raise BadPosition("Black Jack's card isn't flipped here", "phase")
    if s.options[MODE] == STANDARD:
        s.moving = 1 << JACK
        if s.options[state.TACTICAL_BJ_34] and (s.hirer != NOBODY) != (s.phase == state.PICKING):
            raise BadPosition("the hirer picks Black Jack's card; unhired it is flipped", "phase")
        rums = [seat for seat in range(int(s.seats)) if s.laid[seat] == RUM]
        if len(rums) == 1 and not s.named:
            raise BadPosition("the Rum has had its number by then", "named")
    if s.phase == state.PICKING:
        s.turn = s.hirer
