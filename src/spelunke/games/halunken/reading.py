"""Read position texts, and check that the parts fit each other. Errors name the place and the reason."""

from __future__ import annotations

from collections.abc import Iterable

from spelunke.core.errors import BadPosition
from spelunke.core.kernel import pool
from spelunke.games.halunken import GAME, rules, state
from spelunke.games.halunken.cards import Step, parse_sailor, sailor_of
from spelunke.games.halunken.position import (
    ON_THE_WAY,
    PHASES,
    REVEALED,
    SET_UP,
    JackText,
    PositionText,
    SeatText,
)
from spelunke.games.halunken.reading_hour import read_auction, read_moment, read_number, read_way
from spelunke.games.halunken.sailors import NONE, SAILORS, crew_of, highest_of, worth_of
from spelunke.games.halunken.state import (
    BEGINNER,
    FIELDS,
    JACK,
    MODE,
    NOBODY,
    RUM,
    TWO,
    State,
)
from spelunke.games.reading import at_place, read_setup, read_shape

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
    """Return the state that the contents of a position text describe.

    If they describe no possible state, raise BadPosition with the reason and the place: the name of the wrong field.
    """
    read = read_shape(text, PositionText, where)
    setup = read_setup(GAME, len(read.seats), read.options)
    s: State = pool(state.STATE, 1)[0]
    rules.start(s, setup)
    if read.phase not in PHASES:
        raise BadPosition(f"{read.phase!r} is not a phase; choose one of {', '.join(PHASES)}", "phase")
    s.phase = PHASES.index(read.phase)
    if s.options[MODE] == BEGINNER and s.phase in WITH_JACK:
        raise BadPosition("the beginner game does not have this phase", "phase")
    _read_figures(s, read)
    _read_sailors(s, read)
    _read_cards(s, read)
    _read_score(s, read)
    read_auction(s, read)
    read_way(s, read)
    read_moment(s)
    return s


def _read_figures(s: State, text: PositionText) -> None:
    if text.jack is not None and s.options[MODE] == BEGINNER:
        raise BadPosition("the beginner game has no Black Jack", "jack")
    wanted = [(seat, part.captain, f"seats[{seat}].captain") for seat, part in enumerate(text.seats)]
    wanted.append((JACK, text.jack.field if text.jack else None, "jack.field"))
    crowd = 2 if s.phase in ON_THE_WAY else 1
    for figure, value, place in wanted:
        field = read_number(value, FIELDS - 1, place)
        if field != NOBODY and sum(f == field for f in s.field) >= crowd:
            raise BadPosition(f"another figure stands on field {field} already", place)
        s.field[figure] = field
    s.first = read_number(text.first, int(s.seats) - 1, "first")
    if s.phase == state.FIRST:
        if s.first != NOBODY or any(field != NOBODY for field in s.field):
            raise BadPosition(
                "in this phase, chance has not drawn the first seat yet: leave out “first” and the fields of all "
                "figures",
                "first",
            )
        return
    if s.first == NOBODY:
        s.first = 0
    order = [(int(s.first) + k) % int(s.seats) for k in range(int(s.seats))]
    placed = [s.field[seat] != NOBODY for seat in order]
    if placed != sorted(placed, reverse=True):
        raise BadPosition(
            "the captains are placed in the order of the seats, beginning with the seat in “first”", "seats"
        )
    count = sum(placed)
    if s.phase in (state.STRAYING, state.PLACING, state.MEETING):
        if (s.phase == state.STRAYING) != bool(s.options[state.AUTO_PLACE]) and s.phase != state.MEETING:
            raise BadPosition(
                "if auto_place is on, chance places the captains; if it is off, the players do", "phase"
            )
        s.turn = order[count - 1] if s.phase == state.MEETING else order[min(count, len(order) - 1)]
        if count == (0 if s.phase == state.MEETING else len(order)):
            raise BadPosition("the number of placed captains doesn't fit the phase", "phase")
    elif count < len(order):
        missing = order[count]
        raise BadPosition("every captain is on a field in this phase", f"seats[{missing}].captain")
    hidden = s.phase in SET_UP or s.options[MODE] == BEGINNER
    if hidden != (s.field[JACK] == NOBODY):
        raise BadPosition(
            "before the first hour, Black Jack has no field; from then on, he needs one", "jack.field"
        )


class _Seen:
    """The sailors that a position text has named so far, with the place of each in the text.

    A text may name each sailor only once.
    """

    def __init__(self) -> None:
        self.places: dict[int, str] = {}

    def take(self, name: str, place: str) -> int:
        with at_place(place):
            sailor = parse_sailor(name).number
        if sailor in self.places:
            raise BadPosition(
                f"there is one {sailor_of(sailor)}, and it lies at {self.places[sailor]} already", place
            )
        self.places[sailor] = place
        return sailor

    def crew(self, names: Iterable[str], place: str) -> list[int]:
        return crew_of([self.take(name, f"{place}[{k}]") for k, name in enumerate(names)])


def _read_sailors(s: State, text: PositionText) -> None:
    """Read the crews, the harbour, the taverns and the sailors out of play. All other sailors count as unseen."""
    seen = _Seen()
    for seat, part in enumerate(text.seats):
        s.crew[seat] = seen.crew(part.crew, f"seats[{seat}].crew")
        s.hands[seat] = len(part.crew)
    s.harbour[:] = seen.crew(text.harbour, "harbour")
    s.afloat = len(text.harbour)
    if text.harbour and s.options[MODE] == BEGINNER:
        raise BadPosition("the beginner game has no sailors in the harbour", "harbour")
    _read_taverns(s, text, seen)
    for k, name in enumerate(text.out):
        seen.take(name, f"out[{k}]")
    unseen = [sailor for sailor in range(SAILORS) if sailor not in seen.places]
    s.unseen[:] = crew_of(unseen)
    s.dark = len(unseen)
    if s.under.sum() > s.dark:
        raise BadPosition(
            f"{int(s.under.sum())} sailors lie face down, but only {int(s.dark)} have not been seen",
            "taverns",
        )
    closed = [field for field in range(FIELDS) if s.top[field] == NONE and s.under[field]]
    if s.phase in (state.TURNING, state.OPENING):
        if s.phase == state.OPENING and len(closed) != 1:
            raise BadPosition(
                "in this phase, exactly one tavern has only face-down sailors, written like '+2'", "taverns"
            )
        if not closed:
            raise BadPosition(
                "in this phase, at least one tavern has only face-down sailors, written like '+2'", "taverns"
            )
        s.opening = closed[0]
    elif closed and s.phase not in SET_UP:
        raise BadPosition("a tavern with sailors must show an open sailor on top", f"taverns.{closed[0]}")


def _read_taverns(s: State, text: PositionText, seen: _Seen) -> None:
    """Read the piles of the taverns. A tavern that the text does not name is empty.

    For a position in the set-up, the text may lack ``taverns``. Then each tavern has three face-down sailors, or two if
    a captain on its field already has a sailor.
    """
    s.under[:] = 0
    taverns = text.taverns
    if taverns is None and s.phase in SET_UP:
        here = {int(s.field[seat]) for seat in range(int(s.seats)) if s.hands[seat]}
        taverns = {str(field): f"+{3 - (field in here)}" for field in range(FIELDS)}
    for key, pile in (taverns or {}).items():
        place = f"taverns.{key}"
        if not key.isdecimal() or len(key) > 2 or int(key) >= FIELDS:
            raise BadPosition("the taverns are numbered 0 to 13", place)
        name, plus, under = pile.partition("+")
        if plus and under.strip() not in {"0", "1", "2", "3"}:
            raise BadPosition("write the number of face-down cards as '+0' to '+3'", place)
        s.under[int(key)] = int(under.strip()) if plus else 0  # int() strips fewer spaces than strip()
        if name.strip():
            s.top[int(key)] = seen.take(name.strip(), place)
            if s.under[int(key)] > 2:
                raise BadPosition("a tavern has three sailors at most", place)


def _read_step(card: Step, figure: int, s: State, place: str) -> int:
    twelve = figure == JACK and s.options[MODE] != TWO
    most = 12 if twelve else 7
    if card == "rum":
        if twelve:
            raise BadPosition("Black Jack's twelve cards are numbered 1 to 12; none of them is Rum", place)
        return RUM
    if not 1 <= card <= most:
        raise BadPosition(f"there is no movement card {card}; they are 1 to {most}", place)
    return card


def _read_cards(s: State, text: PositionText) -> None:
    """Read used, laid and sealed movement cards. The number of used cards gives the hour."""
    parts: list[tuple[int, SeatText | JackText, str]] = [
        (seat, part, f"seats[{seat}]") for seat, part in enumerate(text.seats)
    ]
    if s.options[MODE] != BEGINNER:
        parts.append((JACK, text.jack or JackText(), "jack"))
    hours = len(text.seats[0].used)
    if (s.phase == state.FINISHED) != (hours == state.HOURS) or (hours and s.phase in SET_UP):
        raise BadPosition(
            "the number of used cards must fit the phase: 0 before the first hour, and 8 only after the game",
            "seats[0].used",
        )
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
                raise BadPosition("there are sealed cards only in the phase “choosing”", f"{place}.sealed")
        if figure != JACK and (s.phase in REVEALED) != (part.laid is not None):
            raise BadPosition(
                "every captain has an open card from the reveal to the end of the hour, and at no other time",
                f"{place}.laid",
            )


def _spend(s: State, figure: int, card: int, place: str) -> None:
    if not int(s.cards[figure]) >> card - 1 & 1:
        raise BadPosition("a player has each movement card only once", place)
    s.cards[figure] ^= 1 << card - 1


def _read_score(s: State, text: PositionText) -> None:
    over = s.phase == state.FINISHED
    most = 3 if s.options[state.MATCH] == state.THREE_GAMES else 1
    games = text.games or (1 if over else 0)
    if not (games == most if over else 0 <= games < most):
        raise BadPosition("the number of finished games doesn't fit the option “match”", "games")
    s.games = games
    for seat, part in enumerate(text.seats):
        if part.total is None and over and s.games == 1:
            s.total[seat], s.total_crew[seat] = worth_of(s.crew[seat]), s.hands[seat]
            s.best[seat] = highest_of(s.crew[seat])
            continue
        for name, given in (("total", part.total), ("total_crew", part.total_crew), ("best", part.best)):
            value = given or 0
            if not 0 <= value <= 3000:
                raise BadPosition(
                    f"{value} is not possible; choose a number from 0 to 3000", f"seats[{seat}].{name}"
                )
            if value and not s.games:
                raise BadPosition("leave this out: no game is finished yet", f"seats[{seat}].{name}")
        s.total[seat], s.total_crew[seat] = part.total or 0, part.total_crew or 0
        s.best[seat] = part.best or 0
