"""How often one network may ask: counted here, or in Redis for all workers together.

Redis has 40 ms to answer, so that nobody waits for more than 50. Once it has not, everything is counted here until it
does again, and nobody waits for that: docs/why/failures.md.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import structlog
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter

from spelunke.web.settings import Settings

log = structlog.get_logger("spelunke.web")

EXPORTS_PER_MINUTE = 20
"""Each may take seconds of the processor: all games of a person are written."""
NAME_PER_HOUR = 30
"""Tries of a password under one name, from wherever they come; passkeys and codes are not counted there."""
DEVICE_PER_HOUR = 30
DEVICES_PER_HOUR = 120
"""Tries of a member's password on one device of that member, and on all of them."""
HEALTH_PER_MINUTE = 120
GRADES_PER_MINUTE = 60
"""Passwords that are judged while they are typed; each takes some milliseconds of the processor."""
ANSWER_S = 0.04
AGAIN_S = 0.5
"""How often a Redis that did not answer is asked again, by nobody's request."""
JUMP_S = 30.0


class Limits:
    """Counts requests by kind and network."""

    def __init__(self, settings: Settings, wall: Callable[[], float] = time.time) -> None:
        self._items: dict[str, RateLimitItem] = {
            "read": RateLimitItemPerMinute(settings.reads_per_minute),
            "export": RateLimitItemPerMinute(EXPORTS_PER_MINUTE),
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
        # what a Redis that does not answer raises
        self._failures: tuple[type[Exception], ...] = (OSError, TimeoutError)
        if settings.redis:
            from redis.exceptions import RedisError

            self._failures += (RedisError,)
            # No retries: they would only make somebody wait.
            storage = RedisStorage(
                f"async+{settings.redis}",
                implementation="redispy",
                socket_timeout=ANSWER_S,
                socket_connect_timeout=ANSWER_S,
            )
            self._shared = FixedWindowRateLimiter(storage)
        self._asking: asyncio.Task[None] | None = None
        self._wall = wall
        self._ahead = wall() - time.monotonic()
        self._jumps = 0

    @property
    def problem(self) -> str | None:
        """Why limits are not counted for all workers together, or None."""
        return (
            None if self._asking is None else "redis does not answer: limits are counted by each worker alone"
        )

    async def allow(self, kind: str, who: str) -> bool:
        """Whether this one may pass; answers within 50 ms, whatever Redis does."""
        self._notice_jump()
        counted = (kind, who, str(self._jumps)) if self._jumps else (kind, who)
        if self._shared is not None and self._asking is None:
            try:
                async with asyncio.timeout(ANSWER_S):
                    return await self._shared.hit(self._items[kind], *counted)
            except self._failures as error:
                if self._asking is None:
                    log.warning("redis does not answer; limits are counted here", error=type(error).__name__)
                    self._asking = asyncio.create_task(self._ask_again(self._shared.storage))
        return await self._here.hit(self._items[kind], *counted)

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

    def _notice_jump(self) -> None:
        """Counts end by the clocks of machines: where that has gone back, they would last too long, so begin others."""
        ahead = self._wall() - time.monotonic()
        self._jumps += ahead < self._ahead - JUMP_S
        self._ahead = ahead

    async def close(self) -> None:
        """Let the connection to Redis go."""
        if self._asking is not None:
            self._asking.cancel()
        if self._shared is not None:
            storage = self._shared.storage
            assert isinstance(storage, RedisStorage)
            await storage.bridge.storage.aclose()  # type: ignore[attr-defined]  # of one of its three bridges
