"""The values of single positions, for the analysis board, the coach and problems."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong

from spelunke.analysis.analysis import Analyst, Judgement
from spelunke.core.caches import Cache
from spelunke.core.chance import seed_stream
from spelunke.games.match import Match
from spelunke.house.budgets import JUDGEMENTS
from spelunke.house.refusals import NotYet, TooFast
from spelunke.records.position import write_position

MOST_WAITING = 12
JUDGED_BYTES = 300
"""The estimated size in bytes of the value of one move in the cache."""


def as_known(match: Match, seat: int) -> Match:
    """Return a match with a position that may be the true one, as far as the seat knows.

    Random facts that fit the seat's view replace the hidden facts. The match is made only from the
    seat's view, so hidden facts can't influence the values that are computed from the match.
    """
    game, state = match.game, match.state
    if game.hidden or game.together:
        state = game.view.imagine(match.view(seat), seed_stream(0))
    return Match(game, match.seats, match.options, state=state)


class Judging:
    """The values of positions, computed one after the other in a separate process, and cached.

    While the value of a position is computed, other requests for this value wait for the result. The
    computation continues even if nobody waits any more, because a page that timed out asks again.
    """

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._known: Cache[tuple[bytes, int | None], Judgement] = Cache(JUDGEMENTS)
        self._gate = threading.Lock()
        self._under_way: dict[tuple[bytes, int | None], Future[Judgement]] = {}
        self._worker = ThreadPoolExecutor(1, "house-judging")

    def judge(self, match: Match, seat: int | None = None, patience: float | None = None) -> Judgement:
        """Return the value of a match's position, and of its examined moves or outcomes of chance (see `Judgement`).

        If several seats are to act, ``seat`` is the seat whose moves are valued. Raise TooFast if too many
        requests wait. Raise NotYet after ``patience`` seconds. If ``patience`` is None, there is no timeout.
        """
        position = write_position(match)
        key = (position, seat)
        with self._gate:
            found = self._known.get(key)
            if found is not None:
                return found
            asked = self._under_way.get(key)
            if asked is None:
                if len(self._under_way) >= MOST_WAITING:
                    raise TooFast(
                        f"{MOST_WAITING} positions are waiting for the analysis; try again in a moment"
                    )
                asked = self._under_way[key] = self._worker.submit(self._work, key)
        try:
            return asked.result(patience)
        except TooLong:
            raise NotYet("this position is still being analysed; ask again in a moment") from None

    def _work(self, key: tuple[bytes, int | None]) -> Judgement:
        try:
            found = self._analyst.judge(*key)
            size = 1000 + JUDGED_BYTES * (len(found.alternatives) + len(found.prospects))
            self._known.put(key, found, size)
        finally:
            with self._gate:
                del self._under_way[key]
        return found

    def close(self) -> None:
        """Stop the computation. Waiting requests fail."""
        self._analyst.close()
        self._worker.shutdown(wait=False)
