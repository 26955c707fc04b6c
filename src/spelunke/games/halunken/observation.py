"""A seat's view as numbers for learning programs: the names of the features, and the kernel that writes them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import hot
from spelunke.core.values import Numbers
from spelunke.games.halunken import choices, state
from spelunke.games.halunken.cards import COLOURS, sailor_of
from spelunke.games.halunken.position import PHASES
from spelunke.games.halunken.sailors import COLOUR, NONE, PLACE, SAILOR, SAILORS, VALUE, worth_of
from spelunke.games.halunken.state import FIELDS, FIGURES, JACK, NOBODY, State

RELATIVE = ("mine", "next", "second next", "third next", "Black Jack")
NAMES = (
    *(f"phase {name}" for name in PHASES),
    "hour",
    "asked",
    *(f"hired by {who}" for who in RELATIVE[:4]),
    *(f"offer by {who}" for who in RELATIVE[:4]),
    "offer",
    "named",
    "harbour's size",
    *(f"sealed {card}" for card in range(1, 9)),
    *(f"sealed for Black Jack {card}" for card in range(1, 9)),
    *(
        f"{who}: {what}"
        for who in RELATIVE
        for what in (
            *(f"field {field}" for field in range(FIELDS)),
            *(f"has card {card}" for card in range(1, 13)),
            "ready",
            "laid",
            "stays",
            "is to move",
            "moves",
            "overtaken",
        )
    ),
    *(f"{who}: {what}" for who in RELATIVE[:4] for what in ("size", "worth", "total")),
    *(f"{who} {sailor_of(n)}" for who in (*RELATIVE[:4], "harbour", "unseen") for n in range(SAILORS)),
    *(
        f"tavern {field}: {what}"
        for field in range(FIELDS)
        for what in ("value", *(str(colour) for colour in COLOURS), "under")
    ),
)
"""The name of each feature, in the order in which :func:`features` writes them."""
FEATURES = len(NAMES)

# The index at which each group of features begins.
HOUR = NAMES.index("hour")
ASKED = NAMES.index("asked")
HIRED = NAMES.index("hired by mine")
BIDDER = NAMES.index("offer by mine")
OFFER = NAMES.index("offer")
NAMED = NAMES.index("named")
AFLOAT = NAMES.index("harbour's size")
SEALED = NAMES.index("sealed 1")
SEALED_JACK = NAMES.index("sealed for Black Jack 1")
FIGURE = NAMES.index("mine: field 0")
FIGURE_WIDTH = NAMES.index("next: field 0") - FIGURE
SEAT = NAMES.index("mine: size")
SEAT_WIDTH = NAMES.index("next: size") - SEAT
CREW = NAMES.index(f"mine {sailor_of(0)}")
HARBOUR = NAMES.index(f"harbour {sailor_of(0)}")
UNSEEN = NAMES.index(f"unseen {sailor_of(0)}")
TAVERN = NAMES.index("tavern 0: value")
TAVERN_WIDTH = NAMES.index("tavern 1: value") - TAVERN
# The index of each feature within the group of one figure.
CARDS = NAMES.index("mine: has card 1") - FIGURE
READY = NAMES.index("mine: ready") - FIGURE
LAID = NAMES.index("mine: laid") - FIGURE
STAYS = NAMES.index("mine: stays") - FIGURE
IS_TO_MOVE = NAMES.index("mine: is to move") - FIGURE
MOVES = NAMES.index("mine: moves") - FIGURE
OVERTAKEN = NAMES.index("mine: overtaken") - FIGURE


def feature_names() -> tuple[str, ...]:
    """Return the names of all ``FEATURES`` features. The names count seats clockwise from the viewer."""
    return NAMES


@hot
def write_sailors(crew: Numbers, out: npt.NDArray[np.float32], at: int) -> None:
    """Set ``out[at + number]`` to 1 for each sailor in the crew, where ``number`` is the sailor's number."""
    for colour in range(len(crew)):
        mask = int(crew[colour])
        while mask:
            bit = mask & -mask
            out[at + SAILOR[colour, PLACE[bit % 19]]] = 1.0
            mask ^= bit


@hot
def write_figure(s: State, figure: int, out: npt.NDArray[np.float32], at: int) -> None:
    """Write the features of a figure into ``out`` from index ``at``.

    The features are the figure's field, its cards, and its state in this hour (a round): for example, whether it is
    still to move.
    """
    if s.field[figure] != NOBODY:
        out[at + s.field[figure]] = 1.0
    for card in range(12):
        out[at + CARDS + card] = (s.cards[figure] >> card) & 1
    if figure != JACK and s.phase == state.CHOOSING and choices.ready(s, figure):
        out[at + READY] = 1.0
    out[at + LAID] = s.laid[figure] * (1.0 / 12.0)
    out[at + STAYS] = (s.staying >> figure) & 1
    out[at + IS_TO_MOVE] = (s.moving >> figure) & 1
    out[at + MOVES] = 1.0 if s.mover == figure else 0.0
    for place in range(4):
        if s.queue[place] == figure:
            out[at + OVERTAKEN] = 1.0


@hot
def features(s: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write the seat's view into ``out`` (float32[FEATURES], values from about 0 to 1), in the order of ``NAMES``."""
    out[:] = 0.0
    n = s.seats
    out[s.phase] = 1.0
    out[HOUR] = s.hour * (1.0 / 8.0)
    if (s.phase == state.CHOOSING and not choices.ready(s, seat)) or s.turn == seat:
        out[ASKED] = 1.0
    if s.hirer != NOBODY:
        out[HIRED + (s.hirer - seat + n) % n] = 1.0
    if s.bidder != NOBODY:
        out[BIDDER + (s.bidder - seat + n) % n] = 1.0
        out[OFFER] = VALUE[s.offer] * (1.0 / 15.0)
    out[NAMED] = s.named * (1.0 / 7.0)
    out[AFLOAT] = s.afloat * (1.0 / 12.0)
    if s.phase == state.CHOOSING:
        if s.sealed[seat] > 0:
            out[SEALED + s.sealed[seat] - 1] = 1.0
        if s.sealed[JACK] > 0 and choices.commands(s, seat):
            out[SEALED_JACK + s.sealed[JACK] - 1] = 1.0
    for k in range(n):
        write_figure(s, (seat + k) % n, out, FIGURE + FIGURE_WIDTH * k)
    write_figure(s, JACK, out, FIGURE + FIGURE_WIDTH * (FIGURES - 1))
    for k in range(n):
        who = (seat + k) % n
        at = SEAT + SEAT_WIDTH * k
        out[at] = s.hands[who] * (1.0 / 12.0)
        out[at + 1] = worth_of(s.crew[who]) * (1.0 / 150.0)
        out[at + 2] = s.total[who] * (1.0 / 300.0)
        write_sailors(s.crew[who], out, CREW + SAILORS * k)
    write_sailors(s.harbour, out, HARBOUR)
    write_sailors(s.unseen, out, UNSEEN)
    for field in range(FIELDS):
        at = TAVERN + TAVERN_WIDTH * field
        if s.top[field] != NONE:
            out[at] = VALUE[s.top[field]] * (1.0 / 15.0)
            out[at + 1 + COLOUR[s.top[field]]] = 1.0
        out[at + 5] = s.under[field] * (1.0 / 3.0)
