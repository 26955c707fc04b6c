"""What the house does by itself when work is due: bots, standing orders, clocks, windows that close."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
import structlog

from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput, IllegalMove
from spelunke.core.game import Game
from spelunke.house.customs import arrive, stand
from spelunke.house.play import Play, stand_in_level
from spelunke.house.scheduler import Work
from spelunke.house.table_store import TableStore
from spelunke.house.tables import AWAY, TIME, Row, Table

log = structlog.get_logger("spelunke.house.task_runner")

LATE_MS = 5_000
"""A clock that is found this late ran on while no worker watched it: the decision's time begins anew."""


class Bot(Protocol):
    """What the house asks of a bot: it sees a view and the legal actions, and nothing else."""

    def choose(self, view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        """One of `legal`."""


SeatBot = Callable[[Game, str], Bot]


class TaskRunner:
    """Due work at running tables; it acts through `Play`, as everybody does."""

    def __init__(self, store: TableStore, play: Play, seat_bot: SeatBot) -> None:
        self._store = store
        self._play = play
        self._seat_bot = seat_bot
        self._bots = threading.local()

    def do(self, work: Work) -> None:
        """One piece of due work."""
        kind = work["kind"]
        done = True
        if kind == "start":
            self._play.start(work["table_id"], nonces_due=True)
        else:
            todo = {
                "bot": self._bot,
                "clock": self._clock,
                "window": self._window,
                "standing": self._standing,
            }
            done = todo[kind](work) if kind in todo else False
        self._store.metrics.due.labels(kind, "done" if done else "void").inc()
        if not done:
            # What is stored no longer fits the table; store what does. What is due again at once and would lead to
            # nothing again is given up, or it would keep a thread busy for ever.
            with self._store.open(work["table_id"]) as slot:
                assert slot.table is not None
                same = ("kind", "seat", "at", "ply")
                if any(all(piece[n] == work[n] for n in same) for piece in self._store.work_of(slot.table)):
                    slot.table.given_up.add((kind, work["seat"], work["ply"]))
                    if kind != "standing":
                        log.error("due work leads to nothing", kind=kind, table=work["table_id"])
                slot.due = None
                self._store.commit(slot, [], quiet=True)

    def _bot(self, work: Work) -> bool:
        seat, opened = work["seat"], work["ply"]
        with self._store.open(work["table_id"]) as slot:
            live = slot.table
            assert live is not None
            level = live.hand(seat)
            if level is None or live.opened[seat] != opened or live.match is None:
                return False
            game, view, legal = live.game, live.match.view(seat), live.match.legal(seat)
        text = game.notation.write(self._think(game, level, view, legal))
        try:
            return self._answer(work, text, level)
        except (BadInput, IllegalMove) as error:
            log.error("a bot chose what is not legal", game=game.name, level=level, error=str(error))
            return self._answer(work, game.notation.write(secrets.choice(legal)), level)

    def _think(self, game: Game, level: str, view: Any, legal: tuple[Any, ...]) -> Any:
        if len(legal) == 1:
            return legal[0]
        stream = seed_stream(secrets.randbits(63))
        try:
            # One bot per thread and level: a bot may keep scratch space, and must not keep anything of a game.
            kept = self._bots.__dict__.setdefault("kept", {})
            bot = kept.get((game.name, level))
            if bot is None:
                bot = kept[game.name, level] = self._seat_bot(game, level)
            with self._store.metrics.thinking.time():
                return bot.choose(view, legal, stream)
        except Exception as error:  # noqa: BLE001  # whatever a bot does, the others at the table play on
            log.error("a bot failed", game=game.name, level=level, error=repr(error))
        return secrets.choice(legal)

    def _standing(self, work: Work) -> bool:
        seat, opened = work["seat"], work["ply"]
        with self._store.open(work["table_id"]) as slot:
            live = slot.table
            assert live is not None
            standing = live.facts.chairs[seat].standing
            if standing is None or live.opened[seat] != opened or live.match is None or live.hand(seat):
                return False
            text = stand(live, seat, msgspec.json.decode(standing))
            if text is None:
                return False
        return self._answer(work, text, None)

    def _answer(self, work: Work, text: str, hand: str | None) -> bool:
        """Play for a seat, if its decision is still the one that the work is about."""

        def make(live: Table, seat: int, at: int) -> list[Row] | None:
            if live.opened[seat] != work["ply"] or live.hand(seat) != hand or not live.running:
                return None
            return [live.apply(Row(live.ply + 1, seat, arrive(live, seat, text, at), at, None, hand))]

        answer = self._play.do(work["table_id"], lambda _live: int(work["seat"]), None, make)
        return answer.status == "done"

    def _clock(self, work: Work) -> bool:
        def make(live: Table, seat: int, at: int) -> list[Row] | None:
            end = live.clocks.deadline(seat) if live.running else None
            if end is None or end > at or live.opened[seat] != work["ply"]:
                return None
            note = AWAY if at - end > LATE_MS else f"{TIME} {stand_in_level(live.game)}"
            return [live.apply(Row(live.ply + 1, seat, note, at))]

        answer = self._play.do(work["table_id"], lambda _live: int(work["seat"]), None, make)
        return answer.status == "done"

    def _window(self, work: Work) -> bool:
        def make(live: Table, _seat: int, at: int) -> list[Row] | None:
            rows = []
            for seat in live.actors:
                end = live.window_closes(seat)
                text = live.silence(seat) if end is not None and end <= at else None
                if text is not None:
                    rows.append(live.apply(Row(live.ply + 1, seat, text, at)))
            return rows or None

        return self._play.do(work["table_id"], lambda _live: 0, None, make).status == "done"
