"""The database of a house and what belongs to it: the writer, reads, the bus, the time, who is there."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator

import structlog
from sqlalchemy import Connection, Engine, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from spelunke.house.refusals import HouseClosed, UnknownTable
from spelunke.house.store.bus import Bus
from spelunke.house.store.metrics import Metrics
from spelunke.house.store.now import Now
from spelunke.house.store.reading import read_latest
from spelunke.house.store.schema import tables
from spelunke.house.store.trouble import NOT_READ
from spelunke.house.store.workers import Workers
from spelunke.house.store.writer import Writer
from spelunke.house.table import Presence
from spelunke.records.signing import Signer

log = structlog.get_logger("spelunke.house.store")

PATIENCE_S = 5.0
"""Seconds that anybody waits for the store before it counts as gone."""


class Store:
    """What every service of the house needs: reads, the writer, the time. Tables in memory are in `TableStore`.

    Not `alone`: other processes write the same database, so what is in memory may be old; of a table that `workers`
    tell is this one's it is not, as all others leave it alone.
    """

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        bus: Bus,
        now: Now,
        *,
        alone: bool = False,
        patience: float = PATIENCE_S,
        signer: Signer | None = None,
    ) -> None:
        self.engine = engine
        self.reader = reader
        self.alone = alone
        # Lines to a server break long before; this is for a disk that stands still, and machines that are too busy.
        self.writer = Writer(engine, patience=3 * patience)
        self.bus = bus
        self.workers = Workers()
        self.metrics = Metrics()
        self.clock = now
        self.presence = Presence(self.now, bus.tell)
        bus.hear = self.presence.hear
        # signs in the name of the house; None where it has no key
        self.signer = signer
        # called with the people who have new notifications, or whose notifications are settled
        self.noted: Callable[[Iterable[str]], None] = lambda _people: None
        # called with a table whose facts were changed past its place in memory; see `TableStore.changed`
        self.changed: Callable[[str], None] = lambda _table_id: None

    @property
    def key(self) -> str | None:
        """The public key that what the house signs is checked with, in hexadecimal; None where it does not sign."""
        return self.signer.public if self.signer else None

    def now(self) -> int:
        """Return the milliseconds since 1970."""
        return int(self.clock() * 1000)

    def begin_after_the_log(self) -> None:
        """Let the time go on from what the log of running tables tells; raises HouseClosed."""
        with self.read() as connection:
            self.clock.begin_after(read_latest(connection) / 1000)

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection that sees the newest commits; raises HouseClosed when the store can't be reached."""
        if self.writer.gone:
            raise HouseClosed(NOT_READ)
        try:
            connection = self.reader.connect()
        except SQLAlchemyError as error:
            raise self._unread(error) from None
        with connection:
            try:
                yield connection
            except DBAPIError as error:
                raise self._unread(error) from None

    def _unread(self, error: SQLAlchemyError) -> HouseClosed:
        log.warning("store can't be read", error=type(error).__name__)
        if isinstance(error, DBAPIError):
            self.writer.doubt(error)
        return HouseClosed(NOT_READ)

    def close(self) -> None:
        """Write what is queued, and let go of the database and the bus."""
        self.workers.leave()
        self.writer.close()
        self.bus.close()
        self.engine.dispose()
        self.reader.dispose()


def touch(connection: Connection, table_id: str, *, shown: bool = True) -> None:
    """Count the table's `rev` up (and what is shown); locks its row. Raises UnknownTable."""
    counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + int(shown)}
    done = connection.execute(update(tables).where(tables.c.id == table_id).values(**counted))
    if done.rowcount != 1:
        raise UnknownTable(f"there is no table {table_id}")
