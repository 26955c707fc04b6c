"""Measure the pairing of a thousand players in a tournament, and the page of a daily game with ten thousand results.

Run `python bench/company.py`. For comparison, the command also measures the page of a day without results, on the same
server.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from pathlib import Path

from sqlalchemy import insert
from starlette.testclient import TestClient

from spelunke.house.events import Entrant, Meeting, pair_round, rank_all
from spelunke.house.store import Write, day_plays, people
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

PLAYERS, RESULTS, ROUNDS, PAGES = 1_000, 10_000, 7, 15
GAME = "shanghaien"


def pair(sizes: tuple[int, ...]) -> tuple[float, float]:
    """Return two processor times in seconds: to pair a tournament's slowest round, and to compute its standings."""
    chooser = random.Random(1)
    entrants = [Entrant(str(number), number) for number in range(1, PLAYERS + 1)]
    meetings: list[Meeting] = []
    longest = 0.0
    for number in range(1, ROUNDS + 1):
        began = time.process_time()
        tables = pair_round("swiss", number, entrants, meetings, sizes)
        longest = max(longest, time.process_time() - began)
        for one in tables:
            ranks = list(range(1, len(one.names) + 1))
            chooser.shuffle(ranks)
            meetings.append(one if one.bye else Meeting(number, one.names, tuple(ranks), (0.0,) * len(ranks)))
    began = time.process_time()
    rank_all(entrants, meetings)
    return longest, time.process_time() - began


def list_results(folder: Path) -> tuple[float, float]:
    """Return the median processor times of two pages, in milliseconds.

    The first page lists a day's results. The second is for the same day of another game, which nobody has played.
    """
    settings = Settings(
        database=f"sqlite:///{folder / 'house.sqlite3'}",
        secret="a secret of the bench",
        sockets=str(folder / "s"),
        reads_per_minute=1_000_000,
        writes_per_minute=1_000_000,
    )
    with TestClient(create_app(settings), follow_redirects=False) as client:
        client.post(f"/daily/{GAME}/today")
        house = client.app.state.site.house  # type: ignore[attr-defined]
        day = house.days.of(GAME, house.days.today().isoformat())
        me = house.people.create("Anna").id
        chooser = random.Random(1)
        names = [me, *(f"person-{number}" for number in range(RESULTS - 1))]
        plays = [
            {
                "game": GAME,
                "day": day.day,
                "person": name,
                "table_id": f"t{number}",
                "deal": 1 + number % 16,
                "began_ms": day.begins_ms,
                "ended_ms": day.begins_ms + number,
                "place": chooser.choice((1, 2)),
                "lead": float(chooser.randint(-60, 60)),
                "without": "",
            }
            for number, name in enumerate(names)
        ]
        known = [{"id": name, "name": f"P {n}", "created_ms": 1} for n, name in enumerate(names) if n]

        def put(connection: object) -> None:
            connection.execute(insert(people), known)  # type: ignore[attr-defined]
            connection.execute(insert(day_plays), plays)  # type: ignore[attr-defined]

        house.store.writer.write(Write(call=put))
        client.cookies.clear()
        site = client.app.state.site  # type: ignore[attr-defined]
        client.cookies.set("guest", site.signer.dumps(me))
        return (
            measure(client, f"/daily/{GAME}/{day.day}?page=50"),
            measure(client, f"/daily/halunken/{day.day}"),
        )


def measure(client: TestClient, path: str) -> float:
    """Return the median processor time of a page in milliseconds."""
    client.get(path)
    times = []
    for _ in range(PAGES):
        began = time.process_time()
        answer = client.get(path)
        times.append(1000 * (time.process_time() - began))
        assert answer.status_code == 200, answer.text
    assert "day-table" in answer.text or "halunken" in path
    return statistics.median(times)


def main() -> None:
    """Run all measurements, and print the results."""
    for sizes in ((2,), (4, 3)):
        longest, standings = pair(sizes)
        print(f"{PLAYERS} players, tables of {sizes}: a round {longest:.2f} s, standings {standings:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        page, other = list_results(Path(folder))
    print(f"page 50 of {RESULTS} results: {page:.0f} ms; a day's page without results: {other:.0f} ms")


if __name__ == "__main__":
    main()
