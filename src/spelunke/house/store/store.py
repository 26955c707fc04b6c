"""The store of a house: its database with the writer and readers, the clock, and people's presence.

The store also has the bus (messages to other workers and to open pages), the list of live workers, the metrics,
and the signer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping

import structlog
from sqlalchemy import Connection, Engine, Table, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from spelunke.house.refusals import HouseClosed, UnknownTable
from spelunke.house.store.bus import Bus
from spelunke.house.store.metrics import Metrics
from spelunke.house.store.now import Now
from spelunke.house.store.reading import read_latest
from spelunke.house.store.schema import tables
from spelunke.house.store.trouble import NOT_READ
from spelunke.house.store.workers import Workers
from spelunke.house.store.writer import Write, Writer
from spelunke.house.table import Presence
from spelunke.records.signing import Signer

log = structlog.get_logger("spelunke.house.store")

INSERT: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""The function that builds an insert with a clause for conflicts, by dialect."""
PATIENCE_S = 5.0
"""The seconds after which a request to the database times out."""


class Store:
    """The store that all services of the house use.

    `TableStore` has the tables in memory. If `alone` is false, other processes may write to the same database.
    Then a table in memory may be outdated, unless `workers` assigns the table to this worker.
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
        # Connections to PostgreSQL time out much earlier. This timeout is for a frozen disk and overloaded
        # machines.
        self.writer = Writer(engine, patience=3 * patience)
        self.bus = bus
        self.workers = Workers()
        self.metrics = Metrics()
        self.clock = now
        self.presence = Presence(self.now, bus.tell)
        bus.hear = self.presence.hear
        # signs hash chains and records; None if the house has no key
        self.signer = signer
        # called with the people whose notifications changed
        self.noted: Callable[[Iterable[str]], None] = lambda _people: None
        # called with the id of a table whose facts were changed only in the database; see `TableStore.changed`
        self.changed: Callable[[str], None] = lambda _table_id: None

    @property
    def key(self) -> str | None:
        """The public key (hexadecimal) with which anybody can verify the server's signatures.

        The value is None if the server does not sign.
        """
        return self.signer.public if self.signer else None

    def now(self) -> int:
        """Return the house's present time in milliseconds since 1970."""
        return int(self.clock() * 1000)

    def begin_after_the_log(self) -> None:
        """Move the clock forward to the latest time of tables and running games (see `read_latest`).

        If the clock is already later, it stays as it is. Raise HouseClosed if the store can't be reached.
        """
        with self.read() as connection:
            self.clock.begin_after(read_latest(connection) / 1000)

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection that sees the newest commits.

        Raise HouseClosed if the store can't be reached, or if a statement on the connection fails.
        """
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

    def open_tables(self, players_only: Iterable[str]) -> None:
        """Let everybody see these tables, which only their players could see before.

        To prevent deadlocks, callers must pass the ids in the same order each time. Raise UnknownTable if one of
        the tables does not exist; then no table is changed.
        """
        opened = tuple(players_only)

        def put(connection: Connection) -> None:
            for table in opened:
                touch(connection, table)
                connection.execute(update(tables).where(tables.c.id == table).values(players_only=False))

        self.writer.write(Write(call=put))
        for table in opened:
            self.changed(table)

    def _unread(self, error: SQLAlchemyError) -> HouseClosed:
        log.warning("store can't be read", error=type(error).__name__)
        if isinstance(error, DBAPIError):
            self.writer.doubt(error)
        return HouseClosed(NOT_READ)

    def close(self) -> None:
        """Write the queued changes, and disconnect from the database and the bus."""
        self.workers.leave()
        self.writer.close()
        self.bus.close()
        self.engine.dispose()
        self.reader.dispose()


def insert_new(connection: Connection, table: Table, *rows: Mapping[str, object]) -> int:
    """Insert the rows whose keys the table does not have yet. Return their number.

    All rows need the same columns. If another worker inserts a row with the same key in a transaction that is still
    open, wait for its end.
    """
    if not rows:
        return 0
    insert = INSERT[connection.dialect.name](table).on_conflict_do_nothing()
    return connection.execute(insert.execution_options(preserve_rowcount=True), rows).rowcount


def insert_or_update(
    connection: Connection, table: Table, row: Mapping[str, object], changes: Mapping[str, object]
) -> None:
    """Insert a row, or make `changes` to the row that has its primary key, and lock it until the transaction ends."""
    insert = INSERT[connection.dialect.name](table).values(row)
    connection.execute(insert.on_conflict_do_update(index_elements=table.primary_key, set_=changes))


def touch(connection: Connection, table_id: str, *, shown: bool = True) -> None:
    """Increase the table's `rev`, its count of changes except moves. If `shown`, also increase its
    count of visible changes.

    Until the transaction ends, the table's row in the database is locked. Raise UnknownTable.
    """
    counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + int(shown)}
    done = connection.execute(update(tables).where(tables.c.id == table_id).values(**counted))
    if done.rowcount != 1:
        raise UnknownTable(f"there is no table {table_id}")
