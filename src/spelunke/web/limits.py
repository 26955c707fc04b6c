"""Rate limits by network, counted in this process, or in Redis for all workers together.

Redis has 40 ms to answer, so that a lost Redis delays no request by more than 50 ms. After a timeout, each process
counts alone until Redis answers again (docs/why/failures.md).

Reads (requests that change nothing) never wait for Redis. Each process counts them, and adds its counts to those in
Redis twice a second. If a network has sent more reads to all workers together than the limit allows, its further
reads are refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator

import structlog
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter

from spelunke.web.settings import Settings

log = structlog.get_logger("spelunke.web")

EXPORTS_PER_MINUTE = 20
"""The maximum number of exports for a network. Each may take seconds of processor time to write all games."""
NAME_PER_HOUR = 30
"""The maximum number of password attempts under one name, and of requested login links for one e-mail address.

Attempts from all networks are counted. Passkeys and codes don't count.
"""
DEVICE_PER_HOUR = 30
DEVICES_PER_HOUR = 120
"""The maximum number of password attempts on all devices of a member. `DEVICE_PER_HOUR` is for one device."""
VERDICTS_PER_MINUTE = 30
"""The maximum number of records to verify for a network. Analyses on the readers' own devices count too."""
HEALTH_PER_MINUTE = 120
GRADES_PER_MINUTE = 60
"""The maximum number of strength checks of typed passwords. Each takes some milliseconds of processor time."""
ANSWER_S = 0.04
AGAIN_S = 0.5
"""The interval, in seconds, at which a process checks whether a silent Redis answers again.

No request waits for a check.
"""
JUMP_S = 30.0
SHARE_S = 0.5
"""The interval in seconds for reporting reads to Redis."""


class Limits:
    """Counts requests by kind and network, and decides which to refuse."""

    def __init__(self, settings: Settings, wall: Callable[[], float] = time.time) -> None:
        self._items: dict[str, RateLimitItem] = {
            "read": RateLimitItemPerMinute(settings.reads_per_minute),
            "export": RateLimitItemPerMinute(EXPORTS_PER_MINUTE),
            "verify": RateLimitItemPerMinute(VERDICTS_PER_MINUTE),
            "write": RateLimitItemPerMinute(settings.writes_per_minute),
            "table": RateLimitItemPerHour(settings.tables_per_hour),
            "log-in": RateLimitItemPerHour(settings.log_ins_per_hour),
            "name": RateLimitItemPerHour(NAME_PER_HOUR),
            "device": RateLimitItemPerHour(DEVICE_PER_HOUR),
            "devices": RateLimitItemPerHour(DEVICES_PER_HOUR),
            "health": RateLimitItemPerMinute(HEALTH_PER_MINUTE),
            "grade": RateLimitItemPerMinute(GRADES_PER_MINUTE),
        }
        self._here = FixedWindowRateLimiter(MemoryStorage())
        self._shared: FixedWindowRateLimiter | None = None
        # the errors of a Redis that does not answer
        self._failures: tuple[type[Exception], ...] = (OSError, TimeoutError)
        if settings.redis:
            from redis.exceptions import RedisError

            self._failures += (RedisError,)
            # no retries: they would only delay requests
            storage = RedisStorage(
                f"async+{settings.redis}",
                implementation="redispy",
                socket_timeout=ANSWER_S,
                socket_connect_timeout=ANSWER_S,
            )
            self._shared = FixedWindowRateLimiter(storage)
        # the open streams of each network, and their maximum
        self._streams: Counter[str] = Counter()
        self._most_streams = settings.streams_per_address
        self._asking: asyncio.Task[None] | None = None
        # unreported reads; the refused networks, and the end of each refusal by the machine's clock
        self._untold: Counter[tuple[str, ...]] = Counter()
        self._refused: dict[tuple[str, ...], float] = {}
        self._sharing: asyncio.Task[None] | None = None
        self._wall = wall
        self._ahead = wall() - time.monotonic()
        self._jumps = 0

    @property
    def problem(self) -> str | None:
        """A sentence for the host if Redis does not answer and each worker counts alone. Otherwise None."""
        return (
            None if self._asking is None else "redis does not answer: limits are counted by each worker alone"
        )

    async def allow(self, kind: str, who: str) -> bool:
        """Count a request of `who`, such as a network, and return whether it is within the limit of its `kind`.

        This takes at most 50 ms, even without Redis.
        """
        # Start new counts if the machine's clock was set back: counts end by that clock, and would last too long.
        ahead = self._wall() - time.monotonic()
        self._jumps += ahead < self._ahead - JUMP_S
        self._ahead = ahead
        counted = (kind, who, str(self._jumps)) if self._jumps else (kind, who)
        if self._shared is not None and self._asking is None:
            if kind == "read":
                self._untold[counted] += 1
                if self._sharing is None:
                    self._sharing = asyncio.create_task(self._share(self._shared))
                if self._refused.get(counted, 0.0) > self._wall():
                    return False
            else:
                try:
                    async with asyncio.timeout(ANSWER_S):
                        return await self._shared.hit(self._items[kind], *counted)
                except self._failures as error:
                    self._begin_asking(self._shared, error)
        return await self._here.hit(self._items[kind], *counted)

    def may_stream(self, who: str) -> bool:
        """Return whether a network may open one more stream."""
        return self._streams[who] < self._most_streams

    @contextlib.contextmanager
    def streaming(self, who: str) -> Iterator[None]:
        """Count a stream while it is open."""
        self._streams[who] += 1
        try:
            yield
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]

    async def _share(self, shared: FixedWindowRateLimiter) -> None:
        """Add the number of new reads (requests that change nothing) to the counts in Redis, again and again.

        Store the networks that exceed the limit, so that `allow` refuses them. Stop when there are no new reads.

        Also stop when Redis does not answer. Keep the unsent reads, and send them when Redis answers again. Do not
        repeat a message that got no answer, because Redis may have counted its reads.
        """
        untold: Counter[tuple[str, ...]] = Counter()
        try:
            while self._untold and self._asking is None:
                await asyncio.sleep(SHARE_S)
                untold, self._untold = self._untold, Counter()
                now = self._wall()
                self._refused = {who: until for who, until in self._refused.items() if until > now}
                while untold:
                    who, times = untold.popitem()
                    item = self._items[who[0]]
                    async with asyncio.timeout(ANSWER_S):
                        if not await shared.hit(item, *who, cost=times):
                            self._refused[who] = (await shared.get_window_stats(item, *who)).reset_time
        except self._failures as error:
            self._untold.update(untold)
            self._begin_asking(shared, error)
        finally:
            self._sharing = None

    def _begin_asking(self, shared: FixedWindowRateLimiter, error: Exception) -> None:
        if self._asking is None:
            log.warning("redis does not answer; limits are counted here", error=type(error).__name__)
            self._asking = asyncio.create_task(self._ask_again(shared.storage))

    async def _ask_again(self, storage: Storage) -> None:
        while True:
            await asyncio.sleep(AGAIN_S)
            try:
                async with asyncio.timeout(ANSWER_S):
                    alive = await storage.check()
            except self._failures:
                continue
            if alive:
                self._asking = None
                log.info("redis answers again")
                return

    async def close(self) -> None:
        """Close the connection to Redis."""
        for task in (self._asking, self._sharing):
            if task is not None:
                task.cancel()
        if self._shared is not None:
            storage = self._shared.storage
            assert isinstance(storage, RedisStorage)
            await storage.bridge.storage.aclose()  # type: ignore[attr-defined]  # is one of its three bridges
