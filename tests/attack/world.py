"""A house with a victim, and the people who attack her."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from spelunke.house.house import House
from spelunke.house.messages import Look
from spelunke.house.plan import Plan
from spelunke.house.refusals import NotNow
from spelunke.house.store import people
from spelunke.web.app import create_app
from waiting import wait_until
from web.conftest import Guest, make_settings

PASSWORD = "lantern mussel quarry tin"
OTHER = "harbour velvet onion nine"
MAIL = "anna.secret@victim.example"
LABEL = "Annas private laptop"
VOLATILE = {
    "devices": {"seen_ms", "rotated_ms", "next_token", "last_token", "token"},
    "seats": {"seen_ms", "attention"},
    "tables": {"noticed_ms", "rev", "shown"},  # of the changes that they count, all but chat is compared
    "passkeys": {"used_ms"},
    "channels": {"sent_ms", "tries", "next_ms", "problem"},
}
"""The columns that change without a request."""
PASSING = frozenset(
    {"due", "outbox", "deliveries", "letters", "workers", "alembic_version", "analyses", "notifications"}
)
"""Rows of these tables appear and disappear as the house works.

Other tests check the content of e-mails and notifications.
"""
SHARED = frozenset({"chat"})
"""The tables to which everybody may add rows: for example, a spectator may chat."""


@dataclass
class Attacker:
    """Somebody who sends requests: a browser with its cookies, and perhaps a token for the API.

    Anna, the victim of the attacks, is an instance of this class too.
    """

    name: str
    client: TestClient
    token: str = ""
    person: str = ""

    def ask(self, method: str, path: str, body: Any, **headers: str) -> Any:
        """Send a request as a page would or, below /api/, as a program would."""
        if path.startswith("/api/"):
            headers |= {"authorization": f"Bearer {self.token}"} if self.token else {}
            return self.client.request(method, path, json=body, headers=headers)
        if method == "GET":
            return self.client.get(path, headers=headers)
        return self.client.request(method, path, data=body or {}, headers=headers)


@dataclass
class World:
    """The server, Anna (a member with tables, a device, a mail address, and codes), and the other people."""

    client: TestClient
    anna: Attacker
    attackers: list[Attacker]
    host: Attacker
    things: dict[str, list[str]]
    markers: dict[str, str]
    """The texts that nobody but Anna may receive, by kind."""
    file: Path
    own: set[str] = field(default_factory=set)
    """Anna's ids. A row with one of them belongs to her."""

    @property
    def house(self) -> House:
        house: House = self.client.app.state.site.house  # type: ignore[attr-defined]
        return house

    def rows(self, without: str = "") -> dict[str, set[tuple[Any, ...]]]:
        """Return Anna's rows and the house's settings, bans and log, by the name of their database table.

        Leave out rows that name the person `without`.
        """
        found: dict[str, set[tuple[Any, ...]]] = {}
        with sqlite3.connect(self.file) as connection:
            names = [
                name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")
            ]
            for name in names:
                if name in PASSING or name in SHARED or name.startswith("sqlite_"):
                    continue
                columns = [column[1] for column in connection.execute(f'pragma table_info("{name}")')]
                kept = [column for column in columns if column not in VOLATILE.get(name, set())]
                listed = ", ".join(f'"{column}"' for column in kept)
                for row in connection.execute(f'select {listed} from "{name}"'):
                    if name == "codes" and "mail" in row:
                        continue  # the house makes one with each try to deliver a letter
                    hers = name in {"house_settings", "bans", "house_log"} or self.own.intersection(
                        map(str, row)
                    )
                    if hers and (not without or without not in row):
                        found.setdefault(name, set()).add((name, *row))
        return found

    def paths(self, route: str) -> Iterable[str]:
        """Yield the addresses of a route, with the ids of Anna's data in place of its parameters.

        If there are several ids for a parameter, yield an address for each.
        """
        names = re.findall(r"{(\w+)}", route)
        count = max([len(self.things.get(name, ["guess"])) for name in names], default=1)
        for turn in range(count):
            path = route.split(" ", 1)[1]
            for name in names:
                offered = self.things.get(name, ["guess"])
                path = path.replace("{" + name + "}", offered[turn % len(offered)])
            yield path

    def fill(self, body: Any) -> Any:
        """Return a body in which each text such as `{table}` is replaced by the first value of `things["table"]`."""
        if isinstance(body, dict):
            return {key: self.fill(value) for key, value in body.items()}
        if isinstance(body, str) and re.fullmatch(r"{\w+}", body):
            return self.things[body[1:-1]][0]
        return body


@dataclass
class Crowd:
    """A house with the host Hanna, other members, and the guest Carl."""

    client: TestClient
    members: dict[str, TestClient]
    players: dict[str, str]
    """The ids of all people, by name."""
    token: str
    """Carl's token."""

    @property
    def house(self) -> House:
        house: House = self.client.app.state.site.house  # type: ignore[attr-defined]
        return house

    def browser(self) -> TestClient:
        """Return a browser without cookies."""
        return _browser(self.client.app)  # type: ignore[arg-type]

    def readers(self, guest: str) -> list[Attacker]:
        """Return the people who try to read Anna's table and must not see it.

        They are a stranger, a member, a host who plays, and Carl with his token. Carl's attacker gets the name `guest`.
        """
        return [
            Attacker("a stranger", self.browser()),
            Attacker("a member", self.members["Mallory"]),
            Attacker("a host of the house who plays", self.members["Hanna"]),
            Attacker(guest, self.browser(), self.token),
        ]

    def address(self, name: str) -> str:
        """Return the address of a member's page."""
        return self.house.profiles.of(self.players[name]).address


@contextlib.contextmanager
def open_crowd(folder: Path, *names: str) -> Iterator[Crowd]:
    """Open a house with Hanna, Mallory, the members with these names, and Carl."""
    app = create_app(make_settings(folder))
    with TestClient(app, follow_redirects=False) as client:
        crowd = Crowd(client, {}, {}, client.post("/api/v1/guests", json={"name": "Carl"}).json()["token"])
        first = f"/host/{crowd.house.members.codes.make('host')}"
        for name in ("Hanna", *names, "Mallory"):
            crowd.members[name] = _member(app, name, OTHER, first if name == "Hanna" else "/member")
        with crowd.house.store.read() as connection:
            rows = connection.execute(select(people.c.name, people.c.id))
            crowd.players.update({row.name: row.id for row in rows})
        yield crowd


def _browser(app: Starlette) -> TestClient:
    return TestClient(app, follow_redirects=False)


def _member(app: Starlette, name: str, password: str, path: str = "/member") -> TestClient:
    client = _browser(app)
    answer = client.post(path, data={"name": name, "password": password})
    assert answer.status_code == 303, answer.text
    return client


def open_world(folder: Path) -> World:
    """Open a house with Anna, her attackers and a host. Close its client with `client.__exit__`."""
    settings = make_settings(
        folder,
        base_url="http://testserver",
        mail_server="127.0.0.1:1",
        mail_security="none",
        mail_from="house@example.org",
    )
    client = TestClient(create_app(settings), follow_redirects=False)
    client.__enter__()
    app: Any = client.app
    house: House = app.state.site.house
    file = Path(str(house.store.engine.url.database))

    host = _member(app, "Hanna", OTHER, f"/host/{house.members.codes.make('host')}")
    anna = _member(app, "Anna", PASSWORD)
    mallory = _member(app, "Mallory", OTHER)
    recovery = re.findall(r"<code>([\w-]{8,})</code>", anna.post("/me/recovery").text)
    link = re.search(r'id="device-link" readonly value="[^"]*/link/([\w-]+)"', anna.post("/me/link").text)
    assert anna.post("/me/channels", data={"way": "mail", "address": MAIL}).status_code == 303
    carl, bert, olga = (Guest(_browser(app), name) for name in ("Carl", "Bert", "Olga"))
    names = {name: _ask(file, "select id from people where name = ?", name) for name in NAMES}
    me, opponent = names["Anna"], names["Bert"]

    def play(*seats: str, **plan: Any) -> str:
        return house.lobby.create(me, Plan(game="shanghaien", seats=seats, listed=False, **plan))

    running, waiting, over = play("me", "open", options={"first_starter": "0"}), play("me", "link"), ""
    house.lobby.join(running, opponent)
    over = play("me", "bot:deckhand")
    for table, person in ((running, me), (running, opponent), (over, me)):
        with contextlib.suppress(NotNow):  # the house may have started the game
            house.lobby.add_nonce(table, person, "share")
    look = wait_until(lambda: _playing(house, running, me))
    wait_until(lambda: _playing(house, over, me))
    house.play.resign(over, me, "resign-0001")
    house.registry.people("guests", "", 1)  # gives each an address
    addresses = {
        name: _ask(file, "select address from profiles where person = ?", names[name]) for name in NAMES
    }
    house.hosting.shut_out(names["Hanna"], addresses["Olga"])

    device = _ask(file, "select id from devices where person = ?", me)
    channel = _ask(file, "select id from channels where person = ?", me)
    session = next(cookie.value for cookie in anna.cookies.jar if "device" in cookie.name)
    markers = {
        "mail address": MAIL,
        "session": str(session),
        "password": _ask(file, "select password from members where person = ?", me),
        "stop code": _ask(file, "select stop from channels where id = ?", channel),
        "seed": _ask(file, "select seed from tables where id = ?", running),
        "invitation": _ask(file, "select invite from tables where id = ?", waiting),
        "secret of the house": settings.secret,
        **{f"recovery code {n}": code for n, code in enumerate(recovery)},
    }
    assert link is not None
    markers["link for a device"] = link[1]
    assert len(recovery) > 3
    assert all(len(marker) > 7 for marker in markers.values())
    return World(
        client=client,
        anna=Attacker("Anna", anna, person=me),
        attackers=[
            Attacker("a stranger", _browser(app)),
            Attacker("a guest", _with_cookie(app, carl.token), carl.token, names["Carl"]),
            Attacker("a member", mallory, "", names["Mallory"]),
            Attacker("the opponent", _with_cookie(app, bert.token), bert.token, opponent),
            Attacker("a guest who is shut out", _with_cookie(app, olga.token), olga.token, names["Olga"]),
            Attacker("a forger", _with_cookie(app, f"{carl.token[:-6]}AAAAAA"), "spk.forged.token"),
        ],
        host=Attacker("the host", host, person=names["Hanna"]),
        things={
            "table": [running, waiting, over],
            "person": [addresses["Anna"]],
            "address": [addresses["Anna"]],
            "device": [device],
            "channel": [channel],
            "game": ["shanghaien"],
            "name": ["house.css"],
            "operation": ["dance"],
            "move": ["roll"],
            "ply": [str(look.ply)],
            "password": [OTHER],
            "guess": ["0" * 24],
            "{": ["{"],
        },
        markers=markers,
        file=file,
        own={me, running, waiting, over, device, channel},
    )


NAMES = ("Hanna", "Anna", "Mallory", "Carl", "Bert", "Olga")


def _playing(house: House, table: str, person: str) -> Look | None:
    look = house.looks.look(table, person)
    return look if look.status == "playing" and look.legal else None


def _with_cookie(app: Starlette, token: str) -> TestClient:
    client = _browser(app)
    client.cookies.set("guest", token)
    return client


def _ask(file: Path, question: str, *given: str) -> str:
    """Return the only value of a database query."""
    with sqlite3.connect(file) as connection:
        ((found,),) = connection.execute(question, given).fetchall()
    return str(found)
