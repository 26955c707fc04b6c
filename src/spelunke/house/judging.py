"""Single positions, judged for whoever asks: for the analysis board, the coach and problems."""

from __future__ import annotations

import threading
from collections.abc import Callable

from spelunke.core.analysis import Analyst, Judgement
from spelunke.core.caches import JUDGEMENTS, Cache
from spelunke.core.chance import seed_stream
from spelunke.core.match import Match
from spelunke.house.refusals import TooFast
from spelunke.records.position import write_position

MOST_WAITING = 12
JUDGED_BYTES = 300
"""What a judged move is taken to hold."""


def as_known(match: Match, seat: int) -> Match:
    """A match that stands where the seat can take it to stand: what it may not know is as it might be, and no more.

    Made from the seat's view alone, so that nothing hidden can have a part in what is said of it.
    """
    game, state = match.game, match.state
    if game.hidden or game.together:
        state = game.view.imagine(match.view(seat), seed_stream(0))
    return Match(game, match.seats, match.options, state=state)


class Judging:
    """Judgements of positions, the newest kept; an analyst of its own works them out one after the other."""

    def __init__(self, analyst: Callable[[], Analyst]) -> None:
        self._make_analyst = analyst
        self._analyst: Analyst | None = None
        self._known: Cache[tuple[bytes, int | None], Judgement] = Cache(JUDGEMENTS)
        self._gate = threading.Lock()
        self._waiting = 0

    def judge(self, match: Match, seat: int | None = None) -> Judgement:
        """What the position is worth in which a match stands, and what its moves or its chance lead to.

        ``seat``: whose moves, where several are asked. Raises TooFast while too many wait.
        """
        position = write_position(match)
        key = (position, seat)
        with self._gate:
            found = self._known.get(key)
            if found is not None:
                return found
            if self._waiting >= MOST_WAITING:
                raise TooFast(
                    f"{MOST_WAITING} others wait for a position to be judged; try again in a moment"
                )
            self._waiting += 1
            if self._analyst is None:
                self._analyst = self._make_analyst()
            analyst = self._analyst
        try:
            found = analyst.judge(position, seat)
        finally:
            with self._gate:
                self._waiting -= 1
        self._known.put(key, found, 1000 + JUDGED_BYTES * (len(found.alternatives) + len(found.prospects)))
        return found

    def close(self) -> None:
        """End; who waits is refused."""
        with self._gate:
            analyst = self._analyst
        if analyst is not None:
            analyst.close()
