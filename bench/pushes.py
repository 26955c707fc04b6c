"""Measure the size of a push to a page, and the cost of drawing and writing it, for two players of each game.

    python bench/pushes.py [--moves 120] [--again 5] [--languages] [--dry]

Moves are random with a fixed seed. At each ply, both pages are drawn and receive their changes. The results have the
bytes of the uncompressed message, and the bytes of all parts that changed. Times are processor times: the smallest of
several measurements for each ply, and the median of these over the plies. They don't include the look, which is the
state of the table as the player may see it. The cache already contains the pieces of boards.

With `--languages`, the command compares the languages instead. At each ply, it measures the time to make the looks and
to draw both pages in each language. The results have the ratio of each language's time to the time of English.

The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from report import machine, write_section

from spelunke.games import find_game, shelf
from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.web.parts.waiting import Invitation
from spelunke.web.patches import mark_of
from spelunke.web.renderings import Asker, Held, Renderings, Shown, render_all
from spelunke.web.words import languages, tongue_of

THERE = Invitation("http://here")


class Sums:
    """The measurements of one game."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.whole: list[int] = []
        self.drawing: list[float] = []
        self.writing: list[float] = []


def least(again: int, work: Callable[[], object]) -> float:
    """Return the smallest processor time of ``again`` calls of ``work``, in microseconds."""
    found = []
    for _ in range(again):
        begun = time.process_time_ns()
        work()
        found.append((time.process_time_ns() - begun) / 1000)
    return min(found)


def send(
    shown: list[Shown], held: list[Held], plies: list[int], before: list[Shown], again: int, sums: Sums
) -> None:
    """Draw the changes of both players' pages as messages. Add the sizes and the times to ``sums``."""
    anew = [Shown(one.glance, one.look, one.since, one.parts) for one in shown for _ in range(again)]
    copies = iter(anew)

    def draw() -> None:
        for one in shown:
            render_all(one.look, find_game(one.look.game), "en", THERE)

    def write() -> None:
        for place in range(len(shown)):
            copy = anew[place * again + turn[0]]
            copy.write_parts(held[place], plies[place], whole=False)
        turn[0] += 1

    turn = [0]
    sums.drawing.append(least(again, draw))
    sums.writing.append(least(again, write))
    for place, one in enumerate(shown):
        message, held[place] = next(copies).write_parts(held[place], plies[place], whole=False)
        plies[place] = one.since_after(plies[place]).ply
        old = before[place].parts
        sums.sent.append(len(message))
        sums.whole.append(sum(len(part.encode()) for name, part in one.parts.items() if old[name] != part))


def open_table(house: House, game: str) -> tuple[str, list[str]]:
    """Open and start a table of a game for the smallest number of people. Return its id and the people."""
    seats = min(shelf()[game].seats)
    people = [house.people.create(name).id for name in ("Anna", "Bert", "Carl")[:seats]]
    table = house.lobby.create(people[0], Plan(game=game, seats=("me", *["open"] * (seats - 1))))
    for person in people[1:]:
        house.lobby.join(table, person)
    for person in people:
        house.lobby.add_nonce(table, person, "bench")
    return table, people


def measure(house: House, game: str, moves: int, again: int) -> Sums:
    """Play a table of a game, and return the measurements of the pushes after each move.

    The first push, before any move, sends whole pages and is not measured.
    """
    sums, choose = Sums(), random.Random(22)
    table, people = open_table(house, game)
    drawn = Renderings(house, seconds=1000.0)

    def draw(person: str, since: int) -> Shown:
        return drawn.draw(
            "page", table, Asker(person, "en", THERE), house.attendance.glance(table, person), since
        )

    before = [draw(person, 0) for person in people[:2]]
    held, plies = [Held(), Held()], [0, 0]
    for place, one in enumerate(before):
        held[place] = one.write_parts(held[place], 0, whole=False)[1]
        plies[place] = one.since_after(0).ply
    for number in range(moves):
        looks = [(person, house.looks.look(table, person, since=1 << 30)) for person in people]
        mover = next(((person, look) for person, look in looks if look.legal), None)
        if mover is None:
            break
        text = choose.choice(mover[1].legal)[1]
        house.play.act(table, mover[0], text, mover[1].ply, f"key-{number:08}")
        after = [draw(person, ply) for person, ply in zip(people[:2], plies, strict=True)]  # as streams do
        send(after, held, plies, before, again, sums)
        before = after
    return sums


def compare(house: House, game: str, moves: int, again: int) -> dict[str, list[float]]:
    """Play a game at a table. Return, for each language, a list of times in microseconds, one time for each ply.

    It is the time to make the looks of two players (the table as each player may see it), and then to draw both pages.
    Each time is measured ``again`` times, and the smallest result counts.
    """
    times: dict[str, list[float]] = {language: [] for language in languages()}
    table, people = open_table(house, game)
    choose, kind = random.Random(22), find_game(game)

    def draw(language: str, ply: int) -> None:
        tongue = tongue_of(language)
        for person in people[:2]:
            look = house.looks.look(table, person, since=ply, translate=tongue.games, words=tongue.house)
            render_all(look, kind, language, THERE)

    for number in range(moves):
        looks = [(person, house.looks.look(table, person, since=1 << 30)) for person in people]
        mover = next(((person, look) for person, look in looks if look.legal), None)
        if mover is None:
            break
        ply = mover[1].ply
        house.play.act(table, mover[0], choose.choice(mover[1].legal)[1], ply, f"key-{number:08}")
        for language in choose.sample(list(times), len(times)):
            draw(language, ply)  # as on a running server, the cache has the pieces that stay the same
            times[language].append(least(again, partial(draw, language, ply)))
    return times


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--moves", type=int, default=120)
    parser.add_argument("--again", type=int, default=5)
    parser.add_argument("--languages", action="store_true", help="compare the languages")
    parser.add_argument("--dry", action="store_true", help="print, and leave bench/results.md alone")
    given = parser.parse_args()
    about = machine("msgspec", "markupsafe")
    mark_of("")  # load once, which is not measured
    folder = Path(tempfile.mkdtemp(prefix="spelunke-bench-"))
    house = open_house(f"sqlite:///{folder}/house.db", timers=False)
    rows = []
    try:
        for game in sorted(shelf()):
            if given.languages:
                each = compare(house, game, given.moves, given.again)
                typical = {language: statistics.median(times) for language, times in each.items()}
                ratios = " | ".join(f"{one / typical['en']:.2f}" for one in typical.values())
                rows.append(f"| {game} | {len(each['en'])} | {typical['en']:,.0f} | {ratios} |")
                print(rows[-1], flush=True)
                continue
            sums = measure(house, game, given.moves, given.again)
            sizes = f"{statistics.median(sums.whole):,.0f} | {statistics.median(sums.sent):,.0f}"
            most = statistics.quantiles(sums.sent, n=20)[-1]
            times = f"{statistics.median(sums.drawing):,.0f} | {statistics.median(sums.writing):,.0f}"
            rows.append(f"| {game} | {len(sums.sent)} | {sizes} | {most:,.0f} | {times} |")
            print(rows[-1], flush=True)
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)
    if given.languages:
        text = [
            *("## What a move costs in each language", "", about, ""),
            "Two looks and two pages drawn after each move; processor time, the least of several at each ply, and the",
            "median of these. English in µs, the languages in parts of English.",
            "",
            f"| game | moves | English, µs | {' | '.join(languages())} |",
            f"|---|---:|---:|{'---:|' * len(languages())}",
            *rows,
        ]
        if not given.dry:
            write_section("languages", "\n".join(text))
        return
    text = [
        *("## What a push to a page weighs", "", about, ""),
        "| game | pushes | whole parts, bytes | patches, bytes | 95 of 100 | drawing two, µs | writing two, µs |",
        *("|---|---:|---:|---:|---:|---:|---:|", *rows),
    ]
    if not given.dry:
        write_section("pushes", "\n".join(text))


if __name__ == "__main__":
    main()
