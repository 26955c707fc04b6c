"""Measure the server's processor time for a move, a page, a watcher and a stream.

    python bench/move.py [--moves 300] [--tables 8] [--watchers 500] [--many 1000]
                         [--only page json watch load memory many] [--dry]

The server runs in its own process, on SQLite, with compiled rules. The processor time is the time of all its threads,
so it is valid on a busy machine too. Waiting times are valid only on a quiet machine. The command writes its section of
`bench/results.md`.

- `page`, `json`: a move at a live table of two people: the action, its commit, and the messages to both streams. Then
  the same bytes with the same commit in a bare ASGI app (`floor.py`). The ratio of the two is valid on any machine.
- `watch`: the additional time for one more watcher of a table, and the time until the last watcher has the move.
- `load`: the whole page of a table of Sanghai with many rows.
- `memory`: the memory of a table, of a row and of an idle stream.
- `many`: the cost of idle tables and streams, and their effect on a move. Moves are measured three times: at a few
  tables alone, at the same few tables while many others are idle, and at the others in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import floor
from players import Kind, Line, Pair, Server, Stream, open_server
from report import machine, write_section

PLIES = (100, 400, 1000)
HERE_S = 45.0
"""The interval in seconds at which a page reports that its person is there."""
BATCH = 10
"""The number of moves in a batch.

On a busy machine, the minimum over many batches is closest to the true cost of a move.
"""


def ms(values: list[float]) -> str:
    """Return a text with the median and the 99th percentile in milliseconds. ``values`` are in seconds."""
    values = sorted(values)
    return f"{statistics.median(values) * 1000:.1f} / {values[int(len(values) * 0.99)] * 1000:.1f}"


async def seat(server: Server, kind: Kind, count: int) -> list[Pair]:
    pairs = [Pair(server.port, kind, seed) for seed in range(count)]
    for pair in pairs:
        await pair.sit()
    return pairs


async def play(pairs: list[Pair], moves: int) -> int:
    """Play one move at each table in turn, up to ``moves`` moves in total. Return the number of played moves.

    If a game ends, no new game begins at its table.
    """
    done = 0
    while done < moves and any(not pair.over for pair in pairs):
        for pair in pairs:
            if not pair.over and done < moves:
                done += await pair.move()
    return done


async def measure_moves(server: Server, kind: Kind, tables: int, moves: int) -> list[str]:
    pairs = await seat(server, kind, tables)
    await play(pairs, min(40, moves))  # warm
    for pair in pairs:
        pair.answered.clear()
        pair.shown.clear()
        for stream in pair.streams:
            stream.size = stream.messages = 0
    done, each = 0, []
    while done < moves:
        began = server.processor
        batch = await play(pairs, BATCH)
        if batch < BATCH:
            break
        each.append((server.processor - began) / batch * 1000)
        done += batch
    shown = [one for pair in pairs for one in pair.shown]
    sizes = sum(s.size for p in pairs for s in p.streams) / max(
        1, sum(s.messages for p in pairs for s in p.streams)
    )
    for pair in pairs:
        pair.close()
    what = {"page": "a move, both pages told", "json": "a move, both JSON streams told"}[kind]
    about = f"{done} moves at {tables} tables, {sizes / 1000:.1f} kB a message"
    with floor.open_floor(int(sizes)) as ground:
        least = await floor.measure(ground, int(sizes), moves, BATCH)
    median = statistics.median(each) / statistics.median(least)
    below = f"{statistics.median(least):.3f}, least {min(least):.3f}"
    ratio = f"the house takes {median:.1f} × as much, least {min(each) / min(least):.1f} ×"
    return [
        f"| {what} | {statistics.median(each):.2f}, least {min(each):.2f} | {ms(shown)} | {about} |",
        f"| its floor: raw ASGI, same bytes, same commit | {below} | | {ratio} |",
    ]


async def measure_watching(server: Server, watchers: int, moves: int) -> list[str]:
    """Measure moves at a table with two players alone, and then with many watchers. Return the rows."""
    [pair] = await seat(server, "page", 1)
    [aside] = await seat(server, "page", 1)
    await play([pair], 8)
    began = server.processor
    alone = (server.processor - began + 0.0, await play([pair], moves))
    alone_s = (server.processor - began) / alone[1]
    watching = [Stream(server.port, pair.table, "page") for _ in range(watchers)]
    opened = server.processor
    for start in range(0, watchers, 50):
        await asyncio.gather(*(stream.open() for stream in watching[start : start + 50]))
    opened = server.processor - opened
    last, spent, others, done = [], 0.0, [], 0
    for _ in range(moves):
        before = server.processor
        began = time.perf_counter()
        ply = max(stream.ply for stream in watching)
        beside = asyncio.create_task(aside.move())
        if not await pair.move():
            break
        await asyncio.gather(*(stream.reach(ply + 1) for stream in watching))
        last.append(max(stream.at for stream in watching) - began)
        await beside
        others.append(aside.shown[-1])
        spent += server.processor - before
        done += 1
        if aside.over:
            break
    for stream in watching:
        stream.close()
    pair.close()
    aside.close()
    each = (spent / done - 2 * alone_s) / watchers
    return [
        f"| opening the stream of one more watcher | {opened / watchers * 1000:.2f} | | |",
        f"| telling one more watcher | {each * 1000:.3f} | {ms(last)} | {watchers} watchers; wait: for the last |",
        f"| a move at another table meanwhile | | {ms(others)} | |",
    ]


def long_table(database: str, plies: tuple[int, ...]) -> list[tuple[int, str]]:
    """Return new tables of Sanghai. Each table is given by a pair: the number of rows in its log, and its id.

    ``plies`` has the number of log rows that each table should have. Random players play at the tables before the
    server starts.
    """
    from spelunke.house.house import open_house
    from spelunke.house.plan import Plan

    house = open_house(database, timers=False)
    chooser, found = random.Random(5), []
    for want in plies:
        people = [house.people.create(name).id for name in ("Anna", "Bert", "Cleo")]
        table = house.lobby.create(
            people[0], Plan(game="sanghai", seats=("me", "open", "open"), listed=False)
        )
        for person in people[1:]:
            house.lobby.join(table, person)
        for person in people:
            house.lobby.add_nonce(table, person, "bench")
        number = 0
        while True:
            with house._tables.open(table, fresh=False) as slot:
                running = slot.table
                if running.row >= want or not running.running or running.match is None:
                    break
                seat = running.actors[0]
                texts = running.match.texts(seat)
                # drawing and discarding without laying makes the game long
                dull = [text for text in texts if not text.startswith(("lay", "add", "hep"))] or list(texts)
                move, ply = chooser.choice(dull), running.noticed(seat).seen
            number += 1
            house.play.act(table, people[seat], move, ply, f"key-{number:08d}")
        found.append((running.row, table))
    house.close()
    return found


async def measure_pages(server: Server, tables: list[tuple[int, str]], times: int) -> list[str]:
    """Measure a page that the server must draw, and a page that was requested a moment ago. Return the rows."""
    rows = []
    line = Line(server.port)
    for plies, table in tables:
        for pause, told in ((1.1, "drawn again"), (0.0, "again within a second")):
            waits, each, content = [], [], b""
            for _ in range(times + 2):
                await asyncio.sleep(pause)  # caches.RENDERED_S
                await line.open()
                before, began = server.processor, time.perf_counter()
                line.send("GET", f"/t/{table}")
                status, content = await line.answer()
                assert status == 200
                waits.append(time.perf_counter() - began)
                each.append((server.processor - before) * 1000)
            cost = f"{statistics.median(each[2:]):.2f}, least {min(each[2:]):.2f}"
            what = f"a page of Sanghai after {plies} rows, {told}"
            rows.append(f"| {what} | {cost} | {ms(waits[2:])} | {len(content) / 1000:.0f} kB |")
    line.close()
    return rows


async def measure_memory(server: Server, tables: int, streams: int) -> list[str]:
    pairs = await seat(server, "page", 4)
    await play(pairs, 40)
    empty, own = server.memory, server.own_memory
    more = await seat(server, "page", tables)
    started = server.memory
    rows = await play(more, tables * 10)
    played = server.memory
    watching = [Stream(server.port, pairs[0].table, "page") for _ in range(streams)]
    for start in range(0, streams, 50):
        await asyncio.gather(*(stream.open() for stream in watching[start : start + 50]))
    idle = server.memory
    for stream in watching:
        stream.close()
    for pair in pairs + more:
        pair.close()
    return [
        f"| a house with four tables | {empty:.0f} MB, {own:.0f} its own, the others pages of libraries |",
        f"| a live table, its two streams among it, after a deal | {(started - empty) / tables * 1000:.0f} kB |",
        f"| a move more | {(played - started) / rows * 1e6:,.0f} bytes |",
        f"| an idle stream of a watcher | {(idle - played) / streams * 1000:.0f} kB |",
    ]


async def measure_cost(server: Server, pairs: list[Pair], moves: int) -> tuple[float, float]:
    """Return two processor times of the server for a move, in milliseconds: median and minimum over batches of moves.

    Each of ``pairs`` plays at its own table. After a move at one table, the next move is made at the next table.
    """
    each = []
    for start in range(0, moves, BATCH):
        began = server.processor
        batch = await play(pairs[start % len(pairs) :] + pairs[: start % len(pairs)], BATCH)
        if batch < BATCH:
            break
        each.append((server.processor - began) / batch * 1000)
    return statistics.median(each), min(each)


async def stay(pairs: list[Pair]) -> None:
    """Report at intervals to the server that the people at these tables are present, as their pages do."""
    while True:
        for pair in [pair for pair in pairs if len(pair.streams) == 2]:
            for line in pair.lines:
                await line.insist("GET", f"/t/{pair.table}/here", b"", "text/plain")
            await asyncio.sleep(HERE_S / len(pairs))
        await asyncio.sleep(0.1)


async def measure_many(server: Server, kind: Kind, tables: int, moves: int, few: int = 8) -> list[str]:
    """Measure the cost of idle tables with two streams each, and of moves while these tables exist.

    Return the rows for the table of results.
    """
    used = server.processor
    await asyncio.sleep(10)
    empty = (server.processor - used) / 10
    pairs = await seat(server, kind, few)
    await play(pairs, 5 * few)  # warm
    alone, least_alone = await measure_cost(server, pairs, moves)
    rest = [Pair(server.port, kind, seed) for seed in range(few, tables)]
    began, used = time.perf_counter(), server.processor
    staying = asyncio.create_task(stay(pairs + rest if kind == "page" else []))
    for start in range(0, len(rest), 32):
        await asyncio.gather(*(pair.sit() for pair in rest[start : start + 32]))
    took, used = time.perf_counter() - began, server.processor - used
    await asyncio.sleep(3)
    began, idle = time.perf_counter(), server.processor
    await asyncio.sleep(30)
    idle = (server.processor - idle) / (time.perf_counter() - began)
    staying.cancel()
    await asyncio.gather(staying, return_exceptions=True)
    for line in [line for pair in pairs + rest for line in pair.lines]:
        line.close()  # one may have been waiting for an answer
        line.reader = None
    beside, least_beside = await measure_cost(server, pairs, moves)
    among, least_among = await measure_cost(server, rest, moves)
    for pair in pairs + rest:
        pair.close()

    shows = f"each page shows every {HERE_S:.0f} s that somebody is there" if kind == "page" else ""

    def told(cost: float, least: float) -> str:
        times = f"{cost / alone:.2f} times, least {least / least_alone:.2f}"
        return f"| {cost:.2f} ms, least {least:.2f} | {times} |"

    return [
        f"| an idle house, of a core | {empty:.1%} | |",
        f"| {tables} idle tables with two streams each, of a core | {idle:.1%} | {shows} |",
        f"| one table, two who sit down, two streams | {used / len(rest) * 1000:.1f} ms | {took:.0f} s for all |",
        f"| a move at {few} tables | {alone:.2f} ms, least {least_alone:.2f} | |",
        f"| at these {few} while {tables} stand open {told(beside, least_beside)}",
        f"| at the other {len(rest)} in turn {told(among, least_among)}",
    ]


async def measure(
    server: Server, given: argparse.Namespace, long: list[tuple[int, str]]
) -> tuple[list[str], list[str], list[str]]:
    rows, held, many = [], [], []
    for kind in ("page", "json"):
        if kind in given.only:
            rows += await measure_moves(server, kind, given.tables, given.moves)  # type: ignore[arg-type]
            print("\n".join(rows[-2:]), flush=True)
    if "load" in given.only:
        rows += await measure_pages(server, long, 8)
        print("\n".join(rows[-6:]), flush=True)
    if "memory" in given.only:
        held = await measure_memory(server, 40, 200)
        print("\n".join(held), flush=True)
    if "watch" in given.only:
        rows += await measure_watching(server, given.watchers, 10)
        print("\n".join(rows[-3:]), flush=True)
    for kind in ("page", "json"):
        if "many" in given.only:
            many += [f"| **{kind}** | | |", *await measure_many(server, kind, given.many, given.moves)]
            print("\n".join(many[-7:]), flush=True)
    return rows, held, many


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--many", type=int, default=1000)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--only", nargs="*", default=["page", "json", "watch", "load", "memory", "many"])
    parser.add_argument("--dry", action="store_true", help="print, and leave bench/results.md alone")
    given = parser.parse_args()
    about = machine("starlette", "uvicorn", "sqlalchemy")
    # Put the folder beside this checkout, because /tmp may be in memory, where no commit is durable.
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    database = f"sqlite:///{folder / 'house.sqlite3'}"
    try:
        long = long_table(database, PLIES) if "load" in given.only else []
        with open_server(database) as server:
            rows, held, many = asyncio.run(measure(server, given, long))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = [
        *("## What a move costs the house", "", about),
        "Processor is that of the house's process, all threads; waits are median / 99 of 100, load generator on the",
        "same cores.",
        *("", "| what | processor, ms | wait, ms | |", "|---|---:|---:|---|", *rows),
    ]
    if held:
        text += ["", "| what is held | memory |", "|---|---:|", *held]
    if many:
        text += ["", f"| at {given.many} tables | processor | |", "|---|---:|---|", *many]
    if not given.dry:
        write_section("move", "\n".join(text))


if __name__ == "__main__":
    main()
