"""Hints for a viewer about their own hand, and the choice of the least useful card."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai.cards import Card, card_of, is_wild, write_meld
from spelunke.games.sanghai.planning import FAR, SPAN, Wish, lacking, new_plan, unload, wish
from spelunke.games.sanghai.reader import Reader, counts_of, lacks
from spelunke.games.sanghai.state import KINDS, LAYOFF_SAME_TURN, wide
from spelunke.games.sanghai.view import View


class Hint(msgspec.Struct, frozen=True):
    """One hint of the planner about the viewer's own hand.

    ``kind`` is one of these:

    - ``missing``: ``number`` is the number of cards that the hand lacks for the contract.
    - ``helps``: ``cards`` are the cards that would help.
    - ``lay``: ``text`` is the laying with the most points.
    - ``points``: ``number`` is the points that the seat can put down by laying. ``more`` is the points that it can put
      down if it also adds cards to melds in the same turn. Both are equal if the options forbid this.
    - ``best``: ``text`` is ``lay`` if the seat should lay (the hint ``lay`` has the melds), or else a good discard
      (``discard 7s``). Before the discard, cards that can be added to melds should be added.
    - ``calls``: ``number`` is the number of cards by which the hand is too small to lay, even after the seat's draw.
      Only won calls make the hand larger (N-A10).
    """

    kind: str
    number: int = 0
    more: int = 0
    cards: tuple[Card, ...] = ()
    text: str = ""


def hints(seen: View) -> tuple[Hint, ...]:
    """Return hints about the viewer's own hand. In the viewer's turn, after the draw, they include a good move.

    Return an empty tuple for a spectator or an empty hand, before and during the deal, and after the end of the game.
    Also return an empty tuple for a seat that has laid, except in its own turn after the draw.
    """
    if seen.seat is None or not seen.hand or seen.phase in ("dealing", "dealer", "over"):
        return ()
    reader = Reader(seen)
    found: list[Hint] = []
    best = ""
    if not seen.laid[seen.seat]:
        far, helps = reader.lacks(reader.hand)
        found.append(Hint("missing", far))
        if helps:
            found.append(Hint("helps", cards=helps))
        drawn = seen.phase == "turn" and seen.turn == seen.seat
        short = seen.contract.cards + 1 - len(seen.hand) - (0 if drawn else 1)
        if short > 0:
            found.append(Hint("calls", short))
        if far == 0:
            alone, laying = reader.plan(False)
            most = reader.plan(True)[0] if seen.option(LAYOFF_SAME_TURN) else alone
            if alone >= 0:
                found.append(Hint("lay", text="lay " + " | ".join(map(write_meld, laying))))
                found.append(Hint("points", alone, most))
                best = "lay" if drawn else ""
    if seen.phase == "turn" and seen.turn == seen.seat:
        found.append(Hint("best", text=best or f"discard {best_discard(reader)}"))
    return tuple(found)


def best_discard(reader: Reader) -> Card:
    """Return the least useful card of the hand."""
    seen = reader.seen
    assert seen.seat is not None
    score = np.empty(KINDS, np.float64)
    if seen.laid[seen.seat]:
        score[:] = np.where(reader.hand > 0, reader.points.astype(np.float64), -1e9)
    else:
        survey(reader.hand, reader.want, reader.unseen, reader.points, score)
    for kind in np.flatnonzero(reader.hand):
        card = card_of(int(kind))
        if reader.addable(card) and any(seen.laid[k] for k in range(seen.seats) if k != seen.seat):
            score[kind] -= 6.0  # another player could add the card to a meld, now or later
        if is_wild(card, reader.black) and not seen.laid[seen.seat]:
            score[kind] -= 40.0
    return card_of(int(np.argmax(score)))


@kernel
def survey(h: Numbers, want: Wish, unseen: Numbers, worth_of: Numbers, out: npt.NDArray[np.float64]) -> None:
    """Write into ``out``, for each kind in the hand, the value of the hand after a discard of that kind.

    Kinds that are not in the hand get -1e9. A higher value means a better discard. Each missing card subtracts 100 from
    the value. Each unseen card that helps adds 1.2, and the discard adds its points.
    """
    helps = np.zeros(KINDS, np.int16)
    for kind in range(KINDS):
        out[kind] = -1e9
        if h[kind] == 0:
            continue
        h[kind] -= 1
        far = lacking(h, want, wide(FAR), helps)
        outs = 0.0
        for other in range(KINDS):
            if helps[other] != 0:
                outs += unseen[other]
        h[kind] += 1
        out[kind] = -100.0 * far + 1.2 * outs + worth_of[kind]


def warm_kernels() -> None:
    """Call the kernels ``lacking``, ``survey`` and ``unload`` once, to compile them before the first laying."""
    h = counts_of(("7s", "7h", "7c", "4d", "5d", "6d", "7d", "2s", "*"))
    want = wish(1, 1, 4, 0, 0, 0, 0)
    points = np.ones(KINDS, np.int16)
    lacks(h, want)
    survey(h, want, points, points, np.empty(KINDS, np.float64))
    unload(h, want, points, np.zeros(13, np.int16), np.zeros(0, SPAN), new_plan())
