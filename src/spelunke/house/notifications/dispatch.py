"""The dispatcher, which sends notifications when they are due.

A person with unsent notifications has a row in `outbox` with a due time, stored together with the
notifications. A worker claims the row and holds the claim while it sends. On PostgreSQL, workers claim rows with
`FOR UPDATE SKIP LOCKED`. On SQLite, there is only one process. After each failure, the reason is recorded, and
the pause before the next attempt is longer. A delivery is recorded after it was accepted. So after a crash a
message may arrive twice, but none is lost.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import structlog
from sqlalchemy import Connection, delete, insert, select, update

from spelunke.core.errors import SpelunkeError
from spelunke.house.notifications.carriers import Carrier, Undelivered
from spelunke.house.notifications.mail import stop_text
from spelunke.house.notifications.outside import Outside
from spelunke.house.notifications.planning import Channel, Waiting, plan, read_waiting
from spelunke.house.notifications.postman import BATCH, LEASE_MS, Postman
from spelunke.house.outbox import HOUR_MS, MINUTE_MS, SECOND_MS, InLanguage, Told, Way, gather
from spelunke.house.store import Leases, Store, Write, channels, deliveries, devices, outbox, seats
from spelunke.house.table import Presence

log = structlog.get_logger("spelunke.house.notifications")

BACKOFF_MS = (
    MINUTE_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
    24 * HOUR_MS,
)
"""The pauses in ms after failed attempts. If the attempt after the last pause fails, the channel ends."""
SWEEP_S = 5.0
GATHER_S = 0.25
IDLE_S = 60.0


def is_here(connection: Connection, presence: Presence, person: str, table: str) -> bool:
    """Return whether the person is looking at the table now."""
    mine = (seats.c.table_id == table, seats.c.person == person)
    seat = connection.execute(select(seats.c.seat).where(*mine)).scalar()
    return seat is not None and presence.of(table, int(seat)).state == "here"


class Dispatcher:
    """Sends notifications in its own threads, so that slow addresses delay no table."""

    def __init__(
        self,
        store: Store,
        outside: Outside,
        carriers: Mapping[Way, Carrier],
        postman: Postman,
        words: InLanguage,
        *,
        threads: int,
    ) -> None:
        self._store = store
        self._leases = Leases(store, outbox, LEASE_MS, most=BATCH)
        self._outside = outside
        self._carriers = carriers
        self._postman = postman
        self._words = words
        self._stopping = threading.Event()
        self._woken = threading.Event()
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._sweep_for_ever, name="house-notifications", daemon=True)
        ]
        self._threads += [
            threading.Thread(target=self._work, name=f"house-sending-{n}", daemon=True)
            for n in range(threads)
        ]
        self._runs = threads > 0

    def begin(self) -> None:
        """Start sending due notifications."""
        self._leases.begin()
        self._postman.leases.begin()
        if self._runs:
            for thread in self._threads:
                thread.start()

    def wake(self) -> None:
        """Let the sending thread check for due notifications now. This never waits."""
        self._woken.set()

    def tick(self) -> int:
        """Send everything that is due, in this thread. Return the number of people and e-mails handled.

        If the dispatcher has its own threads, do nothing and return 0.
        """
        if self._runs:
            return 0
        done = 0
        while jobs := self._claim():
            for job in jobs:
                job()
                done += 1
        return done

    def close(self) -> None:
        """Stop sending. Wait only a short time for running deliveries.

        A delivery that is not recorded by then is sent again after the next start.
        """
        self._stopping.set()
        self._woken.set()
        for _thread in self._threads:
            self._queue.put(None)
        if self._runs:
            for thread in self._threads:
                thread.join(timeout=0.5)

    # --- who is due -----------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (job := self._queue.get()) is not None and not self._stopping.is_set():
            job()

    def _sweep_for_ever(self) -> None:
        while not self._stopping.is_set():
            wait = SWEEP_S
            try:
                for job in self._claim():
                    self._queue.put(job)
                wait = self._idle()
            except SpelunkeError as error:
                log.warning("notifications wait", error=str(error))
            except Exception:
                log.exception("notifications are not looked for")
            self._woken.wait(wait)
            # Each move of a slow game may wake this thread. Wait a moment, so that one sweep handles all
            # moves of that moment.
            self._stopping.wait(GATHER_S)
            self._woken.clear()

    def _idle(self) -> float:
        """Return the seconds to wait before the next check for due notifications and e-mails.

        If other workers may store notifications too, the result is `SWEEP_S`. Otherwise the wait ends when the
        next notification or e-mail is due, but lasts at least 0.2 s and at most `IDLE_S`.
        """
        if not self._store.alone:
            return SWEEP_S
        times = (self._leases.next_ms(), self._postman.leases.next_ms())
        waits = [(at - self._store.now()) / 1000 for at in times if at is not None]
        return max(0.2, min([IDLE_S, *waits]))

    def _claim(self) -> list[Callable[[], None]]:
        people, letters = self._leases.claim_due(), self._postman.leases.claim_due()
        return [
            *(partial(self._guarded, self._look_after, row.person) for row in people),
            *(partial(self._guarded, self._postman.send, row.id) for row in letters),
        ]

    def _guarded(self, job: Callable[[str], None], name: str) -> None:
        try:
            job(name)
        except SpelunkeError as error:  # the job is retried when its lease expires
            log.warning("a notification waits", error=str(error))
        except Exception:
            log.exception("a notification failed")

    # --- one person -----------------------------------------------------------------------------------------------

    def _look_after(self, person: str) -> None:
        with self._store.read() as connection:
            waiting, here = self._read(connection, person, self._store.now())
            gone = _ended_devices(connection, waiting)
        for channel in waiting.channels:
            if self._stopping.is_set():
                return
            if channel.id in gone:
                self._keep(
                    channel,
                    ended=True,
                    reason="that browser was logged out: turn notifications on again in that browser",
                )
                continue
            planned = plan(waiting, channel, self._store.now(), here.__contains__)
            if planned.now:
                self._send(channel, planned.now, waiting)
        self._store.writer.write(Write(call=lambda connection: self._put_off(connection, person)))

    def _read(self, connection: Connection, person: str, now: int) -> tuple[Waiting, set[str]]:
        """Return the person's unread notifications, and the ids of tables that the person is looking at now.

        Leave out tables about which there is no unread notification.
        """
        waiting = read_waiting(connection, person, now)
        presence = self._store.presence
        return waiting, {t.table for t in waiting.told if is_here(connection, presence, person, t.table)}

    def _send(self, channel: Channel, told: Sequence[Told], waiting: Waiting) -> None:
        words = self._words(waiting.choices.language)
        message = gather(told, self._outside.base, channel.stop, words)
        carrier = self._carriers.get(channel.way)
        try:
            if carrier is None:
                raise Undelivered(
                    "the operator of the server has switched off this way to receive notifications",
                    lasting=True,
                )
            details = (
                {**channel.details, "stop_text": stop_text(words)}
                if channel.way == "mail"
                else channel.details
            )
            carrier.carry(channel.address, details, message)
        except Undelivered as error:
            self._fail(channel, error)
            return
        except Exception:  # a library may raise anything for a given address
            log.exception("a notification broke", way=channel.way)
            self._fail(channel, Undelivered("it could not be sent"))
            return
        log.info("notified", way=channel.way, told=len(told))
        self._keep(channel, told=told)

    def _fail(self, channel: Channel, error: Undelivered) -> None:
        lasting = error.lasting or channel.tries >= len(BACKOFF_MS)
        log.warning("not delivered", way=channel.way, tries=channel.tries + 1, given_up=lasting)
        pause = (
            0 if lasting else max(BACKOFF_MS[channel.tries], min((error.again_s or 0) * 1000, 24 * HOUR_MS))
        )
        self._keep(channel, ended=lasting, reason=str(error), pause=pause)

    def _keep(
        self,
        channel: Channel,
        *,
        told: Sequence[Told] = (),
        ended: bool = False,
        reason: str | None = None,
        pause: int = 0,
    ) -> None:
        now = self._store.now()
        values: dict[str, object] = {"problem": reason, "next_ms": now + pause if pause else None}
        values |= {"tries": channel.tries + 1} if reason else {"tries": 0, "sent_ms": now}
        if ended:
            values["ended_ms"] = now
        rows = [
            {"channel": channel.id, "kind": one.kind, "table_id": one.table, "at": one.at_ms, "sent_ms": now}
            for one in told
        ]

        def keep(connection: Connection) -> None:
            # If the channel was removed meanwhile, record nothing.
            if not connection.execute(
                update(channels).where(channels.c.id == channel.id).values(values)
            ).rowcount:
                return
            for row in rows:
                same = [deliveries.c[name] == row[name] for name in ("channel", "kind", "table_id")]
                connection.execute(delete(deliveries).where(*same))
            if rows:
                connection.execute(insert(deliveries), rows)

        self._store.writer.write(Write(call=keep))

    def _put_off(self, connection: Connection, person: str) -> None:
        """Store the time at which the person's next notification is due.

        If no notification of the person waits, delete the person's row in `outbox`.

        First, lock the person's row in `outbox`. Otherwise a notification that is stored during this method
        could be missed.
        """
        mine = outbox.c.person == person
        connection.execute(select(outbox.c.at).where(mine).with_for_update())
        now = self._store.now()
        waiting, here = self._read(connection, person, now)
        plans = [plan(waiting, channel, now, here.__contains__) for channel in waiting.channels]
        times = [one.next_ms for one in plans if one.next_ms is not None]
        if not times:
            connection.execute(delete(outbox).where(mine))
            return
        self._leases.release(connection, person, at=max(min(times), now + SECOND_MS))


def _ended_devices(connection: Connection, waiting: Waiting) -> set[str]:
    """Return the ids of the browser channels whose device was logged out."""
    of = {
        channel.id: channel.details["device"] for channel in waiting.channels if "device" in channel.details
    }
    if not of:
        return set()
    alive = set(connection.execute(select(devices.c.id).where(devices.c.id.in_(of.values()))).scalars())
    return {channel for channel, device in of.items() if device not in alive}
