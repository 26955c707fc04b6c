"""Write positions of Halunken und Spelunken as JSON in the game's words. :mod:`.reading` reads them.

If the text does not name a sailor, nobody has seen this sailor yet. If more sailors are unseen than lie face down in
the taverns, some of the unseen sailors are out of play (H-C10). The hour (the round) and the cards in hand follow from
the rest of the text. Except during the bidding, the turn also follows from the rest of the text.
"""

from __future__ import annotations

import msgspec

from spelunke.core.kernel import Cells
from spelunke.core.option import OptionsText
from spelunke.games.halunken import GAME, state
from spelunke.games.halunken.cards import Step, figure_word, sailor_of, step_of
from spelunke.games.halunken.sailors import NONE, SAILORS, sailors_of
from spelunke.games.halunken.state import BEGINNER, FIELDS, FIGURES, JACK, MODE, NOBODY, TWO, State
from spelunke.games.positions import none_if_negative, write_options

PHASES = (
    "first",
    "straying",
    "placing",
    "meeting",
    "turning",
    "hiding",
    "peeking",
    "bidding",
    "choosing",
    "flipping",
    "naming",
    "falling",
    "opening",
    "landed",
    "passing",
    "picking",
    "over",
)
"""The names of the phases, in the order of their numbers."""
SET_UP = (state.FIRST, state.STRAYING, state.PLACING, state.MEETING, state.TURNING, state.HIDING)
REVEALED = (
    state.FLIPPING,
    state.NAMING,
    state.FALLING,
    state.OPENING,
    state.LANDED,
    state.PASSING,
    state.PICKING,
)
ON_THE_WAY = (state.OPENING, state.LANDED, state.PASSING)


class SeatText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The captain's field, the sailors, the movement cards and the totals of one seat.

    ``used`` are the movement cards of earlier hours. ``sealed`` and ``laid`` are the card of this hour, before and
    after the reveal.
    """

    captain: int | None = None
    crew: list[str] = []
    used: list[Step] = []
    sealed: Step | None = None
    laid: Step | None = None
    total: int | None = None
    total_crew: int | None = None
    best: int | None = None


class JackText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The field and cards of Black Jack, for modes in which he plays."""

    field: int | None = None
    used: list[Step] = []
    sealed: Step | None = None
    laid: Step | None = None


class PositionText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The contents of a position text.

    ``taverns`` has a text for each field with sailors. ``red 8 +2`` is an open sailor on two face-down ones, and
    ``+3`` is three face-down ones.
    """

    seats: list[SeatText]
    options: OptionsText = {}
    phase: str = "choosing"
    first: int | None = None
    turn: int | None = None
    opener: int | None = None
    hirer: int | None = None
    offer: str | None = None
    bidder: int | None = None
    passed: list[int] = []
    jack: JackText | None = None
    taverns: dict[str, str] | None = None
    harbour: list[str] = []
    out: list[str] = []
    named: int | None = None
    staying: list[int | str] = []
    moving: list[int | str] = []
    mover: int | str | None = None
    took: bool = False
    overtaken: list[int] = []
    games: int = 0


def setup_of(s: State) -> tuple[int, ...]:
    """Return the setup vector that ``start`` received for this state: the number of seats, then the encoded options."""
    return (int(s.seats), *(int(number) for number in s.options))


def cards_of(mask: int, twelve: bool = False) -> tuple[Step, ...]:
    """Return the movement cards in a bit mask.

    If ``twelve`` is true, the cards are Black Jack's cards 1 to 12. Otherwise, they are the cards 1 to 7 and Rum.
    """
    return tuple(card if twelve else step_of(card) for card in range(1, 13) if int(mask) >> card - 1 & 1)


def lost_sailors(s: State) -> tuple[int, ...]:
    """Return the numbers of the sailors that everybody knows to be out of play.

    They are not among the unseen sailors, and are in no crew, tavern or harbour.
    """
    here = {int(top) for top in s.top} | set(sailors_of(s.harbour)) | set(sailors_of(s.unseen))
    for seat in range(int(s.seats)):
        here |= set(sailors_of(s.crew[seat]))
    return tuple(sailor for sailor in range(SAILORS) if sailor not in here)


def _full(figure: int, s: State) -> int:
    if figure == JACK and s.options[MODE] != TWO:
        return state.JACK_CARDS
    return state.CAPTAIN_CARDS


def _card(card: int, figure: int, s: State) -> Step | None:
    if card == 0:
        return None
    return int(card) if figure == JACK and s.options[MODE] != TWO else step_of(int(card))


def _used(s: State, figure: int) -> list[Step]:
    used = _full(figure, s) ^ int(s.cards[figure])
    if s.laid[figure]:
        used ^= 1 << int(s.laid[figure]) - 1
    return list(cards_of(used, figure == JACK and s.options[MODE] != TWO))


def _names(masks: Cells) -> list[str]:
    return [str(sailor_of(sailor)) for sailor in sailors_of(masks)]


def _figures(mask: int) -> list[int | str]:
    return [figure_word(figure) for figure in range(FIGURES) if int(mask) >> figure & 1]


def write_tavern(s: State, field: int) -> str:
    """Return a tavern as text: ``red 8 +2``, ``red 8``, ``+3``, or an empty text if the tavern is empty."""
    top = str(sailor_of(int(s.top[field]))) if s.top[field] != NONE else ""
    under = f"+{int(s.under[field])}" if s.under[field] else ""
    return f"{top} {under}".strip()


def write_position(s: State) -> dict[str, object]:
    """Return the position as a JSON object."""
    jack = None
    if s.options[MODE] != BEGINNER:
        jack = JackText(
            field=none_if_negative(s.field[JACK]),
            used=_used(s, JACK),
            sealed=_card(s.sealed[JACK], JACK, s),
            laid=_card(s.laid[JACK], JACK, s),
        )
    way = s.phase in ON_THE_WAY
    text = PositionText(
        seats=[_write_seat(s, seat) for seat in range(int(s.seats))],
        options=write_options(GAME, int(s.seats), s.options.tolist()),
        phase=PHASES[int(s.phase)],
        first=none_if_negative(s.first),
        turn=none_if_negative(s.turn) if s.phase == state.BIDDING else None,
        opener=none_if_negative(s.opener),
        hirer=none_if_negative(s.hirer),
        offer=str(sailor_of(int(s.offer))) if s.offer != NONE else None,
        bidder=none_if_negative(s.bidder),
        passed=[seat for seat in range(int(s.seats)) if int(s.passed) >> seat & 1],
        jack=jack,
        taverns={str(f): write_tavern(s, f) for f in range(FIELDS) if write_tavern(s, f)},
        harbour=_names(s.harbour),
        out=[str(sailor_of(sailor)) for sailor in lost_sailors(s)],
        named=int(s.named) or None,
        staying=_figures(s.staying) if way else [],
        moving=_figures(s.moving) if way else [],
        mover=figure_word(int(s.mover)) if s.mover != NOBODY else None,
        took=bool(s.took),
        overtaken=[int(seat) for seat in s.queue if seat != NOBODY],
        games=int(s.games),
    )
    built: dict[str, object] = {"phase": text.phase, **msgspec.to_builtins(text)}
    return built


def _write_seat(s: State, seat: int) -> SeatText:
    scored = s.games > 0
    return SeatText(
        captain=none_if_negative(s.field[seat]),
        crew=_names(s.crew[seat]),
        used=_used(s, seat),
        sealed=_card(s.sealed[seat], seat, s),
        laid=_card(s.laid[seat], seat, s),
        total=int(s.total[seat]) if scored else None,
        total_crew=int(s.total_crew[seat]) if scored else None,
        best=int(s.best[seat]) if scored else None,
    )
