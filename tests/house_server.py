"""A house with its web layer in a thread, for real browsers and for the terminal."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

from empty_house import lay_tables
from servers import free_port
from spelunke.house.house import House
from spelunke.web.app import create_app
from spelunke.web.gate import make_config
from spelunke.web.settings import Settings
from waiting import wait_until

TOKEN = "a token of the tests"


def make_settings(folder: Path, **given: Any) -> Settings:
    plain: dict[str, Any] = {
        "database": "" if "database" in given else lay_tables(folder / "house.sqlite3"),
        "secret": "a secret of the tests",
        "metrics_token": TOKEN,
        "sockets": str(folder / "s"),
        "bot_pause": 0.0,
        "reads_per_minute": 1_000_000,
        "writes_per_minute": 1_000_000,
        "tables_per_hour": 1_000_000,
    }
    return Settings(**(plain | given))


class Server:
    """uvicorn in a thread, on a port that stays the same over restarts."""

    def __init__(self, settings: Settings, port: int = 0) -> None:
        self.port = port or free_port()
        worker = settings.worker or f"127.0.0.1:{self.port}"
        self.settings = msgspec.structs.replace(settings, worker=worker)
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        self.app = create_app(self.settings)
        config = make_config(self.app, self.settings, port=self.port, log_level="error")
        config.timeout_graceful_shutdown = 1
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        wait_until(lambda: self.server.started, "the server did not start")

    @property
    def house(self) -> House:
        """The house that it opened."""
        house: House = self.app.state.site.house
        return house

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()


@contextlib.contextmanager
def serve(folder: Path, **given: Any) -> Iterator[Server]:
    server = Server(make_settings(folder, **given))
    try:
        yield server
    finally:
        server.stop()
