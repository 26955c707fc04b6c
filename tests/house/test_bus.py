"""Messages that a table has changed: within a process, between workers by Redis, and without Redis."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event

from spelunke.house.refusals import HouseClosed
from spelunke.house.store import Change
from spelunke.house.store.bus import Bus, RedisBus
from waiting import wait_until


def change(table: str, ply: int) -> Change:
    return Change(table=table, ply=ply, version=ply)


async def listen(bus: Bus, table: str, heard: list[int], ready: asyncio.Event, until: int) -> None:
    done = asyncio.Event()

    def hear(change: Change) -> None:
        heard.append(change.ply)
        if change.ply >= until:
            done.set()

    listener = bus.listen(table, hear)
    ready.set()
    await done.wait()
    bus.ignore(table, listener)


async def next_change(bus: Bus, table: str, tell: Callable[[], Awaitable[object]]) -> Change:
    """Return the first change that the bus reports for the table after a call of ``tell``."""
    heard: asyncio.Queue[Change] = asyncio.Queue()
    listener = bus.listen(table, heard.put_nowait)
    await tell()
    async with asyncio.timeout(10):
        change = await heard.get()
    bus.ignore(table, listener)
    return change


def test_hints_come_from_any_thread_and_the_newest_wins() -> None:
    bus = Bus()

    async def run() -> list[int]:
        heard: list[int] = []
        ready = asyncio.Event()
        task = asyncio.ensure_future(listen(bus, "a", heard, ready, 50))
        await ready.wait()
        assert bus.tables_watched == 1

        def tell() -> None:
            for ply in range(1, 51):
                bus.publish(change("b", 99))
                bus.publish(change("a", ply))

        threading.Thread(target=tell).start()
        await asyncio.wait_for(task, 10)
        return heard

    heard = asyncio.run(run())
    assert heard == sorted(heard)
    assert heard[-1] == 50
    assert bus.tables_watched == 0


def test_a_subscriber_whose_loop_has_closed_is_forgotten() -> None:
    bus = Bus()

    async def run() -> Any:
        return bus.listen("a", lambda _change: None)

    asyncio.run(run())
    bus.publish(change("a", 1))
    assert bus.tables_watched == 0


def test_joined_changes_have_the_highest_version_and_row() -> None:
    """If several changes are joined, the result has the highest revision and the highest row of all of them.

    If one of them doesn't know its revision and row, the result doesn't either, and its reader asks the store.
    """

    def tell(rev: int, row: int) -> Change:
        return Change(table="a", ply=row, version=rev + row)

    unknown = Change(table="a", ply=-1, version=-1)
    assert unknown.joined(tell(5, 11)).newest is None
    assert tell(5, 11).joined(unknown).newest is None
    assert tell(6, 11).joined(tell(5, 12)).newest == (6, 12)


def test_hints_reach_other_workers_by_redis(redis_url: str) -> None:
    here, there = RedisBus(redis_url), RedisBus(redis_url)
    assert here.ready.wait(10)
    assert there.ready.wait(10)

    async def run() -> list[int]:
        heard: list[int] = []
        ready = asyncio.Event()
        task = asyncio.ensure_future(listen(there, "a", heard, ready, 3))
        await ready.wait()
        for ply in (1, 2, 3):
            here.publish(change("a", ply))
        await asyncio.wait_for(task, 10)
        return heard

    try:
        assert asyncio.run(run())[-1] == 3
        assert here.problem is None
    finally:
        here.close()
        there.close()


def test_without_redis_changes_still_arrive_locally_and_a_problem_is_reported() -> None:
    bus = RedisBus("redis://127.0.0.1:1/0")
    try:
        wait_until(lambda: "can't be reached" in (bus.problem or ""))

        async def run() -> list[int]:
            heard: list[int] = []
            ready = asyncio.Event()
            task = asyncio.ensure_future(listen(bus, "a", heard, ready, 1))
            await ready.wait()
            bus.publish(change("a", 1))
            await asyncio.wait_for(task, 10)
            return heard

        assert asyncio.run(run()) == [1]
    finally:
        bus.close()


def test_an_action_is_heard_at_another_worker(opener: Any, sit: Any, redis_url: str) -> None:
    here, there = opener(redis=redis_url), opener(redis=redis_url)
    table = sit(here)
    assert there.store.bus.ready.wait(10)

    async def run() -> int:
        await next_change(there.store.bus, table.id, lambda: asyncio.to_thread(table.play, 1))
        return int(there.looks.look(table.id).ply)

    before = there.looks.look(table.id).ply
    assert asyncio.run(run()) > before


def test_a_worker_reads_each_received_change_from_the_store_once(opener: Any, sit: Any) -> None:
    """A worker reads another worker's change from the store once, and not again for the same change."""
    here, there = opener(), opener()
    table = sit(here)
    heard: list[Change] = []
    for house in (here, there):
        publish = house.store.bus.publish
        house.store.bus.publish = lambda change, publish=publish: (heard.append(change), publish(change))
    asked: list[str] = []
    event.listen(there.store.reader, "before_cursor_execute", lambda *given: asked.append(given[2]))
    readers = [(person.id, None) for person in table.people]

    def glance(newest: tuple[int, int] | None) -> tuple[int, int]:
        asked.clear()
        seen = there.attendance.glances(table.id, readers, newest)[0].version
        return seen, len(asked)

    began, _reads = glance(None)
    table.play(1)
    seen, reads = glance(heard[-1].newest)
    assert seen > began
    assert reads
    assert glance(heard[-1].newest) == (seen, 0)
    assert glance(None) == (seen, 1), "who is not sure asks"
    there.looks.visit(table.id, table.people[0].id, fresh=False)
    assert len(asked) == 1
    there.chat.say(table.id, table.people[0].id, "hello")  # a change without the table's present state
    assert heard[-1].newest is None
    assert glance(heard[-1].newest)[0] > seen


def test_a_chat_line_just_before_a_move_is_in_the_next_look(sit: Any, opener: Any) -> None:
    """A chat line just before a move is in the next look, although the change for the move does not mention it."""
    house = opener(alone=True)
    table = sit(house)
    heard: list[Change] = []
    publish = house.store.bus.publish
    house.store.bus.publish = lambda change: (heard.append(change), publish(change))
    readers = [(person.id, None) for person in table.people]
    seat = table.look().actors[0]
    look = table.look(seat)
    began = house.attendance.glances(table.id, readers)[0].version
    house.chat.say(table.id, table.people[0].id, "hello")
    house.play.act(table.id, table.people[seat].id, look.legal[0][1], look.ply, table.key())
    assert [change.newest is None for change in heard] == [True, False]
    seen = house.attendance.glances(table.id, readers, heard[-1].newest)[0].version
    assert seen == house.attendance.glances(table.id, readers)[0].version > began + 1
    assert [line.text for line in house.looks.look(table.id, table.people[1].id).chat] == ["hello"]


def test_a_change_that_could_not_be_read_is_read_later(sit: Any, opener: Any, monkeypatch: Any) -> None:
    house = opener(alone=True)
    table = sit(house)
    readers = [(person.id, None) for person in table.people]
    before = house.attendance.glances(table.id, readers)[0].version
    house.chat.say(table.id, table.people[0].id, "hello")
    with monkeypatch.context() as patched:
        patched.setattr(type(house.store.writer), "gone", property(lambda _writer: True))
        with pytest.raises(HouseClosed):
            house.attendance.glances(table.id, readers)
    assert house.attendance.glances(table.id, readers)[0].version > before
