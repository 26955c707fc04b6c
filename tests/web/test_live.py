"""Streams: their messages, the times of the messages, and the place to resume after a lost connection."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import delete
from starlette.types import Message

from spelunke.house.house import House
from spelunke.house.messages import Glance, Knowledge
from spelunke.house.refusals import WatchLater
from spelunke.house.store import Change
from spelunke.house.store.bus import Bus
from spelunke.house.store.schema import seats, tables
from spelunke.house.store.waiting import wait
from spelunke.house.store.writer import Write
from spelunke.house.table.presence import Stay
from spelunke.web.audience import Audiences, Reader
from spelunke.web.hearts import CALM_AFTER, CALM_TIMES, Heart, Hearts
from spelunke.web.lines import Line
from spelunke.web.live import follow, respond
from spelunke.web.parts.waiting import Invitation
from spelunke.web.patches import PageParts
from spelunke.web.renderings import Asker, Renderings, Since
from spelunke.web.site import Site
from waiting import wait_until

from .conftest import AS_HOST, Guest, Server, ready_to_move, serve


class Web:
    """A client of a real server with the few methods of httpx that `Guest` uses."""

    def __init__(self, server: Server) -> None:
        import httpx2

        self.http = httpx2.Client(base_url=server.url, timeout=30)

    def get(self, path: str, headers: dict[str, str] | None = None) -> Any:
        return self.http.get(path, headers=headers)

    def post(self, path: str, json: Any = None, headers: dict[str, str] | None = None) -> Any:
        return self.http.post(path, json=json, headers=headers)


class Stream:
    """The messages of a stream as they arrive, read in a thread."""

    def __init__(self, url: str, headers: dict[str, str] | None = None, *, proxied: bool = False) -> None:
        self.messages: list[dict[str, str]] = []
        self.comments = 0
        self.ended = False
        self.response = urlopen(Request(url, headers=headers or {}), timeout=30)
        assert self.response.headers["content-type"].startswith("text/event-stream")
        # nginx obeys it, and does not pass it on.
        assert self.response.headers["x-accel-buffering"] == (None if proxied else "no")
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        message: dict[str, str] = {}
        try:
            for raw in self.response:
                line = raw.decode().rstrip("\n")
                if not line and message.get("event") == "beat":
                    self.comments += 1
                    message = {}
                elif not line and message:
                    self.messages.append(message)
                    message = {}
                elif line.startswith(":"):
                    self.comments += 1
                elif line:
                    name, _, value = line.partition(": ")
                    message[name] = message.get(name, "") + value
        except (OSError, ValueError, AttributeError):
            return
        finally:
            self.ended = True

    def wait(self, count: int) -> list[dict[str, str]]:
        wait_until(lambda: len(self.messages) >= count, f"{count} messages did not come")
        return self.messages

    def live_on(self) -> None:
        """Wait for two more heartbeats. Then all messages that were sent before this call have arrived."""
        before = self.comments
        wait_until(lambda: self.comments >= before + 2, "no heartbeat")

    def close(self) -> None:
        self.response.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server whose streams send frequent heartbeats."""
    with serve(tmp_path_factory.mktemp("live"), bot_pause=0.05, heartbeat=0.1) as server:
        yield server


@pytest.fixture
def web(server: Server) -> Iterator[Web]:
    web = Web(server)
    yield web
    web.http.close()


def game(web: Web) -> tuple[Guest, Guest, str]:
    anna, bert = Guest(web), Guest(web, "Bert")
    table = anna.table("me", "open", options={"first_starter": "0"})
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    for guest in (anna, bert):
        guest.post(f"/tables/{table}/nonce", {"nonce": "share"})
    anna.wait(table, ready_to_move)
    return anna, bert, table


def test_a_move_reaches_the_other_page_as_whole_parts(server: Server, web: Web) -> None:
    anna, bert, table = game(web)
    page = web.get(f"/t/{table}", headers={"cookie": f"guest={bert.token}"}).text
    since = re.search(r"stream\?since=([\w.]+)", page)
    assert since
    stream = Stream(
        f"{server.url}/t/{table}/stream?since={since.group(1)}", {"cookie": f"guest={bert.token}"}
    )
    stream.live_on()
    assert not stream.messages, "the page is up to date: nothing to send"
    look = anna.look(table)
    anna.play(table, look["legal"][0]["text"], look["ply"])
    (message,) = stream.wait(1)
    swapped = PageParts().take(message["data"])
    assert 'hx-target="#board"' in swapped
    assert 'hx-target="#log"' in swapped
    assert swapped.count("<hx-partial") == swapped.count("</hx-partial>")
    stream.close()


def test_a_spectators_page_shows_the_hand_of_its_reader_who_has_logged_in(server: Server, web: Web) -> None:
    """If a player opens a page without login, it shows the spectators' view. The stream with the login sends the hand.

    It does so even if the player's view has the same version as the spectators' view.
    """
    anna, _bert, table = game(web)
    since = re.search(r"stream\?since=([\w.]+)", web.get(f"/t/{table}").text)
    assert since
    stream = Stream(
        f"{server.url}/t/{table}/stream?since={since.group(1)}", {"cookie": f"guest={anna.token}"}
    )
    assert 'name="move"' in PageParts().take(stream.wait(1)[0]["data"])
    stream.close()


def test_a_stream_ends_with_the_device_that_opened_it(server: Server, web: Web) -> None:
    anna, bert, table = game(web)
    password = "lantern mussel quarry tin"
    anna.token = anna.post("/members", {"name": "Anna", "password": password}).json()["token"]
    asked = Request(f"{server.url}/t/{table}/stream?since=0", headers=anna.headers)
    with (
        urlopen(asked, timeout=30) as stream,
        urlopen(Request(f"{server.url}/t/{table}/stream?since=0", headers=bert.headers), timeout=30) as other,
    ):
        assert stream.readline()
        (device,) = (line["id"] for line in anna.get("/me/devices").json()["devices"])
        anna.post(f"/me/devices/{device}/end")
        stream.read()  # reaches its end
        assert other.readline(), "the streams of others go on"


def test_a_reconnected_stream_sends_only_the_news_since_its_last_message(server: Server, web: Web) -> None:
    anna, _bert, table = game(web)
    url = f"{server.url}/api/v1/tables/{table}/stream"
    first = Stream(url, anna.headers)
    message = first.wait(1)[0]
    assert message["event"] == "look"
    now = json.loads(message["data"])
    first.close()

    up_to_date = Stream(f"{url}?since=0.0", {**anna.headers, "last-event-id": message["id"]})
    up_to_date.live_on()
    assert not up_to_date.messages, "the header wins over the address, and nothing was missed"
    anna.play(table, now["legal"][0]["text"], now["ply"])
    (pushed,) = up_to_date.wait(1)
    later = json.loads(pushed["data"])
    assert later["ply"] > now["ply"]
    assert {line["ply"] for line in later["log"]}.isdisjoint(line["ply"] for line in now["log"])
    assert anna.post(f"/tables/{table}/resign", {"key": "give-it-up"}).status_code == 200
    seed = anna.look(table)["fairness"]["seed"]
    wait_until(lambda: seed in up_to_date.messages[-1]["data"], "the seed is published at the end")
    assert all(seed not in told["data"] for told in (message, pushed)), "and not before"
    up_to_date.close()


def test_a_silent_stream_sends_heartbeats_and_ends_with_its_reader(tmp_path: Any) -> None:
    with serve(tmp_path, heartbeat=0.1) as server:
        web = Web(server)
        _anna, _bert, table = game(web)
        stream = Stream(f"{server.url}/t/{table}/stream")
        stream.wait(1)
        stream.live_on()
        assert "spelunke_streams 1.0" in web.get("/metrics", headers=AS_HOST).text
        stream.close()
        wait_until(
            lambda: "spelunke_streams 0.0" in web.get("/metrics", headers=AS_HOST).text,
            "the stream was not given up",
        )
        web.http.close()


@pytest.mark.parametrize("error", [None, OSError("the line broke")])
def test_a_stream_ends_if_its_client_disconnects_or_its_connection_fails(error: OSError | None) -> None:
    ended: list[bool] = []

    async def for_ever() -> AsyncGenerator[bytes]:
        try:
            yield b"here"
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def receive() -> Message:
        if error is not None:
            raise error
        return {"type": "http.disconnect"}

    async def send(_message: Message) -> None:
        await asyncio.sleep(0)

    async def serve_one() -> str:
        async with asyncio.timeout(10):
            await respond(for_ever())({"type": "http"}, receive, send)
        await asyncio.sleep(0)  # nothing is cancelled afterwards
        return "went"

    if error is None:
        assert asyncio.run(serve_one()) == "went"
    else:
        with pytest.raises(OSError, match="the line broke"):
            asyncio.run(serve_one())
    assert ended == [True]


def test_a_waiting_stream_keeps_no_sent_message_in_memory() -> None:
    part = bytes(range(200))

    async def once() -> AsyncGenerator[bytes]:
        message = part
        yield message
        del message
        await asyncio.Event().wait()

    async def serve_one() -> int:
        sent, gone = asyncio.Event(), asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message.get("body"):
                sent.set()

        serving = asyncio.create_task(respond(once())({"type": "http"}, receive, send))
        await sent.wait()
        for _ in range(5):
            await asyncio.sleep(0)
        held = sys.getrefcount(part)
        gone.set()
        await serving
        return held

    before = sys.getrefcount(part)
    assert asyncio.run(asyncio.wait_for(serve_one(), 10)) == before


def make_house(bus: Bus, glances: Callable[..., list[Glance]]) -> House:
    """Return a stand-in for a house, with only the parts that an audience (the readers of one table) uses."""
    store = SimpleNamespace(bus=bus)
    return cast(House, SimpleNamespace(store=store, attendance=SimpleNamespace(glances=glances)))


def heard_of(
    glances: Callable[..., list[Glance]], beat_s: float, parts: int, renderings: Renderings | None = None
) -> list[bytes]:
    """Return the first ``parts`` parts of a stream that sends heartbeats after ``beat_s``.

    The table changes every 60 ms.
    """

    async def change(bus: Bus) -> None:
        while True:
            await asyncio.sleep(0.06)
            bus.publish(Change(table="a", ply=-1, version=-1))

    async def listen() -> list[bytes]:
        bus = Bus()
        house = make_house(bus, glances)
        changing = asyncio.create_task(change(bus))
        audiences = Audiences(house, renderings or Renderings(house), 15)
        site = cast(Site, SimpleNamespace(audiences=audiences))
        asker = Asker(None, "en", Invitation("http://here"))
        reader = Reader("look", asker, Since(7, 0, "same"), Stay("a", lasting=True))
        heard: list[bytes] = []
        following = follow(site, "a", reader, b"beat", beat_s)
        async with asyncio.timeout(10):
            async for part in following:
                heard.append(part)
                if len(heard) == parts:
                    break
        await following.aclose()
        changing.cancel()
        return heard

    return asyncio.run(listen())


def test_changes_without_news_for_the_reader_do_not_delay_heartbeats() -> None:
    """Heartbeats come on time while the table changes all the time without news for the reader."""
    looked = 0

    def glances(_table: str, readers: list[Any], _newest: object) -> list[Glance]:
        nonlocal looked
        looked += 1
        return [Glance(7, "same", None, Knowledge(None, False, False)) for _ in readers]

    assert heard_of(glances, 0.1, 4) == [b": here\n\n", b"beat", b"beat", b"beat"]
    assert looked > 2


def test_each_heartbeat_keeps_its_own_interval_and_can_be_stopped() -> None:
    beats: list[str] = []

    async def listen() -> None:
        hearts = Hearts()
        every = {
            name: Heart(seconds, partial(beats.append, name))
            for name, seconds in (("fast", 0.06), ("slow", 0.3))
        }
        for heart in every.values():
            hearts.begin(heart)
        while beats.count("fast") < 6:  # noqa: ASYNC110  # what is waited for are beats
            await asyncio.sleep(0.01)
        every["fast"].stop()
        heard = beats.count("fast")
        while beats.count("slow") < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert beats.count("fast") == heard, "it was stopped"

    asyncio.run(asyncio.wait_for(listen(), 20))
    assert beats.index("fast") < beats.index("slow"), "a slow stream sends fewer heartbeats"


def test_a_quiet_stream_sends_fewer_heartbeats_until_it_sends_data() -> None:
    """Each heartbeat announces the interval that follows it, so that a page knows how long to wait."""
    announced: list[float] = []

    async def listen() -> None:
        hearts = Hearts()
        heart = Heart(0.06, lambda: announced.append(heart.seconds), calms=True)
        hearts.begin(heart)
        while len(announced) < CALM_AFTER + 1:  # noqa: ASYNC110  # what is waited for are beats
            await asyncio.sleep(0.01)
        heart.said = asyncio.get_running_loop().time()
        while len(announced) < CALM_AFTER + 3:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        heart.stop()

    asyncio.run(asyncio.wait_for(listen(), 20))
    assert announced[: CALM_AFTER - 1] == [0.06] * (CALM_AFTER - 1)
    assert announced[CALM_AFTER - 1 : CALM_AFTER + 1] == [0.06 * CALM_TIMES] * 2
    assert announced[CALM_AFTER + 1 :] == [0.06] * 2, "data was sent"


def test_a_heartbeat_is_written_only_to_a_client_that_reads() -> None:
    """Each heartbeat is a chunk of its own. A client that doesn't read, or that has left, gets none."""
    flow, written, closing = SimpleNamespace(write_paused=False), [], []
    transport = SimpleNamespace(write=written.append, is_closing=lambda: bool(closing))
    line = Line(cast(Any, transport), cast(Any, flow))
    line.write_chunk(b"event: beat\n\n")
    assert written == [b"d\r\nevent: beat\n\n\r\n"]
    flow.write_paused = True
    line.write_chunk(b"event: beat\n\n")
    flow.write_paused = False
    closing.append(True)
    line.write_chunk(b"event: beat\n\n")
    assert len(written) == 1


def test_changes_that_arrive_during_a_look_are_covered_by_the_next_look() -> None:
    """If several changes arrive while a table is looked at, the next look takes account of all of them.

    If one of them doesn't have the table's new version, the next look reads the store.
    """
    unknown = Change(table="a", ply=-1, version=-1)
    looked_with: list[object] = []
    hold: list[Future[None]] = []

    def glances(_table: str, readers: list[Any], newest: object) -> list[Glance]:
        looked_with.append(newest)
        if hold:
            wait(hold[0], 10)
        return [Glance(7, "same", None, Knowledge(None, False, False)) for _ in readers]

    def tell(rev: int, row: int) -> Change:
        return Change(table="a", ply=row, version=rev + row)

    async def scene() -> None:
        bus = Bus()

        async def hear(*news: Change, looks: int) -> None:
            for one in news:
                bus.publish(one)
            while len(looked_with) < looks:  # noqa: ASYNC110  # what is waited for is a look
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.001)

        house = make_house(bus, glances)
        audiences = Audiences(house, Renderings(house), 15)
        reader = Reader(
            "look", Asker(None, "en", Invitation("http://here")), Since(7, 0, "same"), Stay("a", lasting=True)
        )
        async with asyncio.timeout(10):
            with audiences.joined("a", reader):
                await hear(looks=1)
                await hear(tell(5, 11), looks=2)
                hold.append(Future())
                await hear(tell(5, 12), looks=3)
                await hear(tell(6, 12), unknown, tell(5, 13), looks=3)
                hold.pop().set_result(None)
                await hear(looks=4)
                hold.append(Future())
                await hear(tell(6, 14), looks=5)
                await hear(tell(7, 14), tell(6, 15), looks=5)
                hold.pop().set_result(None)
                await hear(looks=6)

    asyncio.run(scene())
    assert looked_with == [None, (5, 11), (5, 12), None, (6, 14), (7, 15)]


def test_if_a_reader_loses_permission_only_that_readers_stream_ends() -> None:
    """If a player of a duplicate event deletes the account, the player's stream ends. The streams of others go on."""
    seated = {"anna", "ben"}

    def version(_table: str, person: str) -> int:
        if person not in seated:
            raise WatchLater("you can watch it when the round is over")
        return 7

    def glances(table: str, readers: list[Any], _newest: object) -> list[Glance]:
        return [
            Glance(version(table, person), "same", None, Knowledge(0, False, True)) for person, _ in readers
        ]

    async def scene() -> list[bool]:
        bus = Bus()
        house = make_house(bus, glances)
        house.looks = cast(Any, SimpleNamespace(version=version))
        audiences = Audiences(house, Renderings(house), 15)
        readers = [
            Reader(
                "look",
                Asker(name, "en", Invitation("http://here")),
                Since(7, 0, "same"),
                Stay("a", lasting=True),
            )
            for name in sorted(seated)
        ]
        with audiences.joined("a", readers[0]), audiences.joined("a", readers[1]):
            seated.remove("ben")
            bus.publish(Change(table="a", ply=-1, version=-1))
            async with asyncio.timeout(10):
                with pytest.raises(WatchLater):
                    await readers[1].wait()
            return [reader.news is None for reader in readers]

    assert asyncio.run(scene()) == [True, True]


def test_a_stream_with_frequent_news_sends_no_heartbeat() -> None:
    """While news comes about every 60 ms, the stream sends no heartbeat.

    A heartbeat is due only after 0.6 s without news.
    """
    version = 7

    def glances(_table: str, readers: list[Any], _newest: object) -> list[Glance]:
        nonlocal version
        version += 1
        return [Glance(version, "same", None, Knowledge(None, False, False)) for _ in readers]

    def draw(_kind: str, _table: str, _asker: Asker, glance: Glance, _since: int) -> Any:
        look = SimpleNamespace(version=glance.version, stamp=glance.stamp, seat=0)
        return SimpleNamespace(
            look=look,
            since_after=lambda ply: Since(look.version, ply),
            write_look=lambda _ply, _write: b"news",
        )

    renderings = cast(Renderings, SimpleNamespace(draw=draw))
    assert heard_of(glances, 0.6, 31, renderings) == [b": here\n\n", *[b"news"] * 30]


def test_chat_and_offers_are_pushed_too(server: Server, web: Web) -> None:
    anna, bert, table = game(web)
    stream = Stream(f"{server.url}/api/v1/tables/{table}/stream", bert.headers)
    stream.wait(1)
    anna.post(f"/tables/{table}/chat", {"text": "ahoy"})
    assert json.loads(stream.wait(2)[-1]["data"])["chat"][-1]["text"] == "ahoy"
    anna.post(f"/tables/{table}/draw", {"answer": "offer"})
    assert "accept_draw" in json.loads(stream.wait(3)[-1]["data"])["may"]
    stream.close()


@pytest.mark.parametrize("path", ["/t/{}/stream", "/api/v1/tables/{}/stream"])
def test_a_stream_ends_with_its_table(tmp_path: Path, path: str) -> None:
    """If a table is deleted, its streams end. Pages that show the table notice the deletion by polling."""
    with serve(tmp_path, heartbeat=0.1) as server:
        anna = Guest(Web(server))
        table = anna.table("me", "open")
        with urlopen(server.url + path.format(table), timeout=30) as stream:
            assert stream.readline() == b": here\n"
            house = server.house
            house.store.writer.write(Write(call=lambda c: c.execute(delete(seats)).rowcount))
            house.store.writer.write(Write(call=lambda c: c.execute(delete(tables)).rowcount))
            house._tables.drop(table)
            assert b"Traceback" not in stream.read()
        assert anna.get(f"/tables/{table}").status_code == 404
