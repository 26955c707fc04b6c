"""The bus, which notifies the streams of a table when the table changes.

A stream is a connection that a page or a program keeps open for one table. The bus works within a process, and
through Redis between workers. A message about a change has the id of the table and two counters, but no data of
the game. A message may be lost, so each stream also checks its table from time to time. The bus also carries
sightings: messages that a person is present at a table (`house.table.presence`).
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import secrets
import threading
from collections import defaultdict
from collections.abc import Callable

import msgspec
import structlog

from spelunke.house.table import Sighting

log = structlog.get_logger("spelunke.house.store.bus")

CHANNEL = "spelunke:hints"
ANSWER_S = 1.0
"""The seconds after which a request to Redis times out. No player waits for Redis."""
SIGHTINGS = "spelunke:presence"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A message that a table may have changed. The receivers of the message read the table again.

    The message contains no secrets. ``ply`` is the number of the last row in the table's log. ``version`` is
    the sum of ``ply`` and the table's revision, which counts all changes except moves. ``ply`` and ``version``
    are negative if they are unknown.
    """

    table: str
    ply: int
    version: int

    @property
    def newest(self) -> tuple[int, int] | None:
        """The table's new revision and the number of its last row, or None if they are unknown."""
        return None if self.ply < 0 else (self.version - self.ply, self.ply)

    def joined(self, other: Change) -> Change:
        """Return one change that replaces this change and `other`.

        The new change has the greater revision and the later row of the two. If either change has unknown
        values, the result has unknown values too.
        """
        if self.newest is None or other.newest is None:
            return Change(table=self.table, ply=-1, version=-1)
        rev, row = map(max, self.newest, other.newest)
        return Change(table=self.table, ply=row, version=rev + row)


class Listener:
    """A subscriber to one table. The bus calls `hear` on the event loop on which the listener was made."""

    __slots__ = ("hear", "loop", "thread")

    def __init__(self, hear: Callable[[Change], None]) -> None:
        self.hear = hear
        self.loop = asyncio.get_running_loop()
        self.thread = threading.get_ident()


class Bus:
    """The bus for changes within one process. Any thread may call its methods."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._gate = threading.Lock()
        self.published = 0
        # receives sightings, and returns whether the visible presence changes
        self.hear: Callable[[Sighting], bool] = lambda _sighting: False
        # receives changes by other workers before the listeners do; None means that changes may have been lost
        self.heard: Callable[[Change | None], None] = lambda _change: None

    @property
    def reaches_others(self) -> bool:
        """Whether this bus is connected to other workers."""
        return False

    @property
    def watched(self) -> frozenset[str]:
        """The tables with listeners in this process."""
        with self._gate:
            return frozenset(self._listeners)

    @property
    def tables_watched(self) -> int:
        """The number of tables with listeners in this process."""
        with self._gate:
            return len(self._listeners)

    @property
    def problem(self) -> str | None:
        """The problem with the connection to other workers, or None."""
        return None

    def publish(self, change: Change) -> None:
        """Send a change to all listeners of the changed table."""
        self.published += 1
        self.deliver(change)

    def tell(self, sighting: Sighting) -> None:
        """Record that a person was seen at a table. If the visible presence changes, notify the table's listeners.

        If the bus connects workers, each worker does this.
        """
        if self.hear(sighting):
            self.deliver(Change(table=sighting.table, ply=-1, version=-1))

    def deliver(self, change: Change) -> None:
        """Send a change to this process's listeners of the table. Remove listeners whose event loop is closed."""
        with self._gate:
            listeners = tuple(self._listeners.get(change.table, ()))
        for one in listeners:
            try:
                if one.thread == threading.get_ident():
                    one.loop.call_soon(one.hear, change)  # spares the system call of a wake-up
                else:
                    one.loop.call_soon_threadsafe(one.hear, change)
            except RuntimeError:  # Its loop is closed, and it never unsubscribed.
                self.ignore(change.table, one)

    def deliver_everywhere(self) -> None:
        """Make all listeners of this process look at their tables again, because changes may have been lost."""
        with self._gate:
            names = tuple(self._listeners)
        for name in names:
            self.deliver(Change(table=name, ply=-1, version=-1))

    def listen(self, table: str, hear: Callable[[Change], None]) -> Listener:
        """Call `hear` on the running event loop with each change of a table, until `ignore` is called.

        A change may be missed while workers are disconnected. So the caller must also check the table regularly.
        Return the listener, which `ignore` needs.
        """
        listener = Listener(hear)
        with self._gate:
            self._listeners[table].add(listener)
        return listener

    def ignore(self, table: str, listener: Listener) -> None:
        """Remove a listener."""
        with self._gate:
            if listeners := self._listeners.get(table):
                listeners.discard(listener)
                if not listeners:
                    del self._listeners[table]

    def close(self) -> None:
        """Stop the background threads, if there are any."""


class RedisBus(Bus):
    """The bus for changes between workers, through Redis.

    One thread receives changes, and connects again after a failure. Another thread publishes changes, so that
    no player waits for Redis.
    """

    def __init__(self, url: str) -> None:
        super().__init__()
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        self._errors: tuple[type[Exception], ...] = (redis.RedisError, OSError)
        # The listener has no timeout by design: a timeout would end it whenever nobody plays.
        self._listening = redis.Redis.from_url(
            url,
            socket_timeout=None,
            socket_connect_timeout=5,
            socket_keepalive=True,
            health_check_interval=15,
        )
        self._telling = redis.Redis.from_url(
            url, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S, retry=Retry(NoBackoff(), 1)
        )
        self._out: queue.Queue[Change | Sighting | None] = queue.Queue(maxsize=10_000)
        self._stop = threading.Event()
        # Set when Redis answers again. Then the listener reconnects, because its connection may be broken.
        self._renew = threading.Event()
        self._origin = secrets.token_hex(4)
        self._unheard: str | None = "redis: not connected yet"
        self._untold: str | None = None
        self.ready = threading.Event()
        self._threads = [
            threading.Thread(target=self._listen, name="house-changes-in", daemon=True),
            threading.Thread(target=self._tell, name="house-changes-out", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def problem(self) -> str | None:
        """The problem with Redis, or None."""
        return self._unheard or self._untold

    @property
    def reaches_others(self) -> bool:
        """Whether the connection to Redis works."""
        return self.problem is None

    def publish(self, change: Change) -> None:
        """Notify all listeners of the table: in this process at once, in other workers soon."""
        super().publish(change)
        self._send(change)

    def tell(self, sighting: Sighting) -> None:
        """Report to this worker and all others that a person was seen at a table."""
        super().tell(sighting)
        self._send(sighting)

    def _send(self, word: Change | Sighting) -> None:
        try:
            self._out.put_nowait(word)
        except queue.Full:
            log.warning("word of changes is dropped: redis does not keep up")

    def close(self) -> None:
        """Stop both threads."""
        self._stop.set()
        self._out.put(None)
        for thread in self._threads:
            thread.join(timeout=6)
        self._listening.close()
        self._telling.close()

    def _listen(self) -> None:
        pause = 0.2
        while not self._stop.is_set():
            try:
                with self._listening.pubsub(ignore_subscribe_messages=False) as changes:  # type: ignore[no-untyped-call]
                    changes.subscribe(CHANNEL, SIGHTINGS)
                    self._renew.clear()
                    while not (self._stop.is_set() or self._renew.is_set()):
                        message = changes.get_message(timeout=0.5)
                        if message is None:
                            continue
                        if message["type"] == "subscribe":
                            self._unheard = None
                            self.ready.set()
                            pause = 0.2
                            self.heard(None)
                            self.deliver_everywhere()
                        elif message["type"] == "message":
                            self._receive(message["channel"] == SIGHTINGS.encode(), message["data"])
            except self._errors as error:
                self._unheard = f"redis can't be reached: {error.__class__.__name__}"
                log.warning("redis listener restarts", error=str(error), again_in=pause)
                self._stop.wait(pause)
                pause = min(pause * 2, 5.0)

    def _receive(self, sightings: bool, data: bytes) -> None:
        try:
            if sightings:
                origin, sighting = msgspec.json.decode(data, type=tuple[str, Sighting])
                if origin != self._origin:
                    super().tell(sighting)
                return
            origin, change = msgspec.json.decode(data, type=tuple[str, Change | None])
        except msgspec.DecodeError:
            log.warning("a change that can't be read")
            return
        if origin == self._origin:
            return
        self.heard(change)
        if change is None:
            self.deliver_everywhere()
        else:
            self.deliver(change)

    def _tell(self) -> None:
        """Send queued changes to Redis until the bus is closed.

        If the queue is empty, ping Redis from time to time, because a frozen server reports no error. While
        Redis does not answer, drop each change and ping Redis instead.
        """
        while not self._stop.is_set():
            try:
                word = self._out.get(timeout=ANSWER_S)
            except queue.Empty:
                self._try(self._telling.ping)
                continue
            if word is None:
                return
            if self._untold is None:
                self._publish(word)
            else:  # The change is lost. When Redis is back, all workers look again.
                self._try(self._telling.ping)

    def _publish(self, word: Change | Sighting | None) -> None:
        channel = SIGHTINGS if isinstance(word, Sighting) else CHANNEL
        self._try(lambda: self._telling.publish(channel, msgspec.json.encode((self._origin, word))))

    def _try(self, ask: Callable[[], object]) -> None:
        try:
            ask()
        except self._errors as error:
            if self._untold is None:
                log.warning("redis does not answer; word of changes is lost", error=str(error))
            self._untold = f"redis does not answer: {error.__class__.__name__}"
            self._drain()
            return
        if self._untold is not None:
            self._untold = None
            self._renew.set()
            self._publish(None)

    def _drain(self) -> None:
        """Drop the queued changes, because they would arrive too late."""
        with contextlib.suppress(queue.Empty):
            while not self._stop.is_set():
                self._out.get_nowait()


def open_bus(redis: str) -> Bus:
    """Return a bus that uses the Redis server at this address.

    For an empty address, return a bus within the process.
    """
    return RedisBus(redis) if redis else Bus()
