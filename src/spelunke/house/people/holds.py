"""Tell an event stream when the login of its reader has ended."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import Connection

from spelunke.house.refusals import HouseClosed
from spelunke.house.store import Store

HOLD_S = 15.0
"""The seconds after which a stream checks again whether another worker has logged out the reader's device.

The check is made at the stream's next message or heartbeat.
"""


class Hold:
    """Tells an event stream whether the login of its reader has ended.

    The stream asks at each message and heartbeat. Usually, this object can answer without reading the database.
    """

    def __init__(
        self, store: Store, over: Callable[[Connection], bool], changes: Callable[[], int], *, asks: bool
    ) -> None:
        self._store = store
        self._over = over
        self._changes = changes
        self._asks = asks
        self._seen = changes()
        self._asked = time.monotonic()

    @property
    def in_doubt(self) -> bool:
        """Whether the login may have ended since the last check. If so, the caller must call `is_over`.

        Reading this property never waits.
        """
        # Other workers don't report the devices that they log out.
        late = self._asks and time.monotonic() - self._asked > HOLD_S
        return late or self._seen != self._changes()

    def is_over(self) -> bool:
        """Return whether the login has ended. If the database can't be read, return False."""
        self._seen, self._asked = self._changes(), time.monotonic()
        try:
            with self._store.read() as connection:
                return self._over(connection)
        except HouseClosed:
            return False
