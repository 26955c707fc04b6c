"""People who play while workers are killed.

Each action is written down before it is sent, and again when the house has acknowledged it.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2

PAUSE_S = 0.01
AGAIN_S = 0.05
PAGE_AGAIN_S = 0.2
"""The time until a page opens its stream again."""
AWAY = (502, 503, 504)
LONGEST_S = 1200
"""The longest time of a game after the last kill, on a busy machine."""


class Journal:
    """A file with a line for each table, tried action and acknowledged action. Each line is written in one piece."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._out = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(self, *words: object) -> None:
        """Add a line."""
        os.write(self._out, (" ".join(str(word) for word in words) + "\n").encode())

    def close(self) -> None:
        """Close the file."""
        os.close(self._out)


class GivenUp(Exception):
    """Raised if another part of the round has failed, so that no more answers will arrive."""


class Person:
    """A guest who repeats a request until there is an answer, as a browser does. A repeated action has the same key."""

    def __init__(self, address: Callable[[], str], name: str) -> None:
        self._address = address
        self._client = httpx2.Client(timeout=20)
        self.broken: list[str] = []
        # whether the round failed elsewhere, so that no answers will arrive any more
        self.given_up = False
        self._headers = {"authorization": f"Bearer {self.ask('POST', '/guests', {'name': name})['token']}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer as JSON, with its `status_code`. Repeat the request while the house can't be reached."""
        headers = getattr(self, "_headers", {})
        while not self.given_up:
            try:
                answer = self._client.request(
                    method, f"{self._address()}/api/v1{path}", json=body, headers=headers
                )
            except httpx2.TransportError:
                time.sleep(AGAIN_S)
                continue
            if answer.status_code in AWAY:
                time.sleep(AGAIN_S)
                continue
            if answer.status_code >= 500:
                self.broken.append(f"{method} {path}: {answer.status_code}")
            return {"status_code": answer.status_code, **(answer.json() if answer.content else {})}
        raise GivenUp

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


class Page:
    """The stream of a table, opened again whenever it breaks, as a page does automatically."""

    def __init__(self, address: Callable[[], str], table: str) -> None:
        self._address = address
        self._table = table
        self.ply = -1
        self.opened = 0
        self._stop = False
        self._client = httpx2.Client(timeout=10)
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while not self._stop:
            try:
                for ply in self._messages():
                    self.ply = ply
            except httpx2.TransportError:
                pass
            time.sleep(PAGE_AGAIN_S)
        self._client.close()

    def _messages(self) -> Iterator[int]:
        path = f"{self._address()}/api/v1/tables/{self._table}/stream"
        with self._client.stream("GET", path, timeout=10) as answer:
            if answer.status_code != 200:
                return
            self.opened += 1
            for line in answer.iter_lines():
                if self._stop:
                    return
                if line.startswith("data: "):
                    yield int(json.loads(line[6:])["ply"])

    def close(self) -> None:
        """Stop reading the stream. The thread ends at the next heartbeat."""
        self._stop = True


class Board:
    """People who play one game after the other to its end. Each person has a thread."""

    def __init__(self, address: Callable[[], str], journal: Journal, *, bot: bool) -> None:
        self._address = address
        self._journal = journal
        self._bot = bot
        self.stop = False
        self.late: list[str] = []
        self.reopened = 0
        self.ended = False
        self.people: list[Person] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the running game is over."""
        self._thread.join(LONGEST_S)
        assert not self._thread.is_alive(), "a game does not come to its end"
        assert self.ended, "a player has given up; the error stands above"

    def give_up(self) -> None:
        """Stop in the middle."""
        self.stop = True
        for person in self.people:
            person.given_up = True

    def _run(self) -> None:
        self.people = [Person(self._address, name) for name in ("Anna", "Bert")[: 1 if self._bot else 2]]
        with ThreadPoolExecutor(2) as pool:
            while True:
                table = self._sit_down()
                page = Page(self._address, table)
                for done in [pool.submit(self._play, table, person) for person in self.people]:
                    done.result()
                self._look_at(page, table)
                if self.stop:
                    break
        for person in self.people:
            person.close()
        self.ended = True

    def _sit_down(self) -> str:
        anna = self.people[0]
        plan = {"game": "shanghaien", "seats": ["me", "bot:deckhand" if self._bot else "open"]}
        table = str(anna.ask("POST", "/tables", plan)["table"])
        self._journal.note("table", table)
        if not self._bot:
            self.people[1].ask("POST", f"/tables/{table}/join", {})
        for person in self.people:
            person.ask("POST", f"/tables/{table}/nonce", {"nonce": secrets.token_hex(8)})
        return table

    def _play(self, table: str, person: Person) -> None:
        while (look := person.ask("GET", f"/tables/{table}")).get("status") != "over":
            if not look.get("legal"):
                time.sleep(PAUSE_S)
                continue
            move, key, ply = random.choice(look["legal"])["text"], secrets.token_hex(8), look["ply"]
            self._journal.note("try", key, table, ply, move)
            answer = person.ask("POST", f"/tables/{table}/act", {"move": move, "ply": ply, "key": key})
            if answer["status_code"] == 200 and answer["status"] != "stale":
                self._journal.note("ack", key, table, answer["ply"])

    def _look_at(self, page: Page, table: str) -> None:
        """Check that a page that was open all the time receives the last ply of the game."""
        ply = self.people[0].ask("GET", f"/tables/{table}")["ply"]
        until = time.monotonic() + LONGEST_S / 4
        while page.ply < ply and time.monotonic() < until:
            time.sleep(PAUSE_S)
        if page.ply != ply:
            self.late.append(f"{table}: the page stands at {page.ply}, the table at {ply}")
        self.reopened += page.opened - 1
        page.close()
