"""Measure the time from one player's press until the other player's page shows the move, for each game.

    python bench/seen.py [--moves 60] [--dry]

The command starts a new server on SQLite, and two real browser windows on the same machine. Both windows use the same
clock. Each move is a press of its button. If a move has no button, the command sends the request that a button would
send. Wall-clock times depend on the load of the machine. So the command also measures the processor time of the
server, and of the main threads of both pages. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from pathlib import Path
from typing import Any, NamedTuple

from pages import Person, browse, lay_table
from playwright.sync_api import Browser, Page
from report import machine, write_section

from spelunke.games import find_game

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from table_page import choose_move, read_table, send_move

GAMES = ("shanghaien", "halunken", "sanghai")
NAMES = ("Anna", "Bert", "Carla")
PATIENCE_MS = 2_000
"""The time in milliseconds after which a move counts as secret: the other player sees nothing of it."""
CALM_MS = 350
"""The pause in milliseconds before each move and after it, in which animations and pings end."""

# The first message after a press, the first change of the page, and the frame in which it is painted.
FOLLOW = """
const now = () => performance.timeOrigin + performance.now();
window.seen = {};
document.addEventListener("htmx:sse:before:message", ({ detail: { message } }) => {
  if (message.event !== "beat") window.seen.came ??= now();
});
new MutationObserver(() => {
  if (!window.seen.came || window.seen.changed) return;
  window.seen.changed = now();
  requestAnimationFrame(() => setTimeout(() => { window.seen.painted = now(); window.seen.tell?.(); }));
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
PRESS = """(move) => {
  const buttons = document.querySelectorAll("#board button[name=move]:not([disabled])");
  const button = [...buttons].find((one) => one.value === move && one.checkVisibility());
  const pressed = performance.timeOrigin + performance.now();
  button?.click();
  return [pressed, Boolean(button)];
}"""
WAIT = """(patience) => new Promise((tell) => {
  if (window.seen.painted) tell();
  window.seen.tell = tell;
  setTimeout(tell, patience);
}).then(() => window.seen.painted ? window.seen : null)"""
NOW = "() => performance.timeOrigin + performance.now()"


class Seat(NamedTuple):
    """A player's page and its DevTools session."""

    page: Page
    line: Any


class Seen(NamedTuple):
    """The times of one move in milliseconds.

    `came`, `changed` and `painted` are wall-clock times from the press to three moments on the other page: the first
    message arrives, the page changes for the first time after it, and this change is painted. `server`, `own` and
    `other` are processor times of the server and of the main threads of the player's own page and of the other page.
    """

    came: float
    changed: float
    painted: float
    server: float
    own: float
    other: float


def work_of(process: int) -> float:
    """Return the processor time of all threads of a process in milliseconds."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def task_time(seat: Seat) -> float:
    """Return the processor time of the page's tasks in milliseconds."""
    metrics = seat.line.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration")) * 1000


def sit(person: Person, table: str) -> Seat:
    """Open the table in a window of this person. In this window, the summaries of rounds are skipped."""
    person.context.add_init_script("try { localStorage.setItem('spelunke.summary', 'skip') } catch {}")
    person.context.add_init_script(FOLLOW)
    page = person.context.new_page()
    line = person.context.new_cdp_session(page)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(f"/t/{table}")
    page.wait_for_selector('#connection[data-state="live"]')
    return Seat(page, line)


def play_move(mine: Seat, other: Seat, move: str, ply: int, house: int) -> Seen | None:
    """Play a move, and return its times, or None if the other player sees nothing of it."""
    other.page.evaluate("() => { window.seen = {}; }")
    before = work_of(house), task_time(mine), task_time(other)
    pressed, has_button = mine.page.evaluate(PRESS, move)
    if not has_button:
        pressed = mine.page.evaluate(NOW)
        send_move(mine.page, move, ply)
    seen = other.page.evaluate(WAIT, PATIENCE_MS)
    if seen is None:
        return None
    mine.page.wait_for_timeout(CALM_MS)
    after = work_of(house), task_time(mine), task_time(other)
    times = [seen[name] - pressed for name in ("came", "changed", "painted")]
    return Seen(*times, *(b - a for a, b in zip(before, after, strict=True)))


def play_beside(person: Person, table: str, chance: random.Random) -> None:
    """Play a move of a person without a page, if they may act."""
    look = person.ask(f"/tables/{table}")
    if move := choose_move(look, chance):
        key = f"beside-{look['ply']:06d}"
        person.ask(f"/tables/{table}/act", move=move, ply=look["ply"], key=key)


def play(browser: Browser, address: str, game: str, moves: int, house: int) -> tuple[list[Seen], int]:
    """Play games at random. Return the times of the moves, and the number of secret moves.

    Two players have pages. If a game needs more players, the others use the API.
    """
    chance, found, secret = random.Random(7), [], 0
    while len(found) < moves:
        people = [Person(browser, address, name) for name in NAMES[: max(2, min(find_game(game).seats))]]
        table = lay_table(people, game)
        seats = [sit(person, table) for person in people[:2]]
        while len(found) < moves:
            seats[0].page.wait_for_timeout(CALM_MS)
            looks = [read_table(seat.page) for seat in seats]
            if looks[0]["status"] == "over":
                break
            acting = [k for k, look in enumerate(looks) if look["legal"]]
            if not acting:
                for person in people[2:]:
                    play_beside(person, table, chance)
                continue
            at = chance.choice(acting)
            move = choose_move(looks[at], chance)
            assert move is not None
            seen = play_move(seats[at], seats[1 - at], move, looks[at]["ply"], house)
            if seen is None:
                secret += 1
            else:
                found.append(seen)
        for person in people:
            person.context.close()
    return found, secret


def row_of(game: str, found: list[Seen], secret: int) -> str:
    """Return the row of the results for a game."""

    def late(values: list[float]) -> float:
        return sorted(values)[int(0.95 * (len(values) - 1))]

    cells = [f"{len(found)} + {secret}"]
    for name in ("came", "changed", "painted"):
        values = [getattr(one, name) for one in found]
        cells.append(f"{statistics.median(values):.0f} / {late(values):.0f}")
    works = [[getattr(one, name) for one in found] for name in ("server", "own", "other")]
    works.append([one.server + one.own + one.other for one in found])
    cells += [f"{statistics.median(values):.1f}" for values in works]
    return f"| {game} | {' | '.join(cells)} |"


def main() -> None:
    """Measure all games, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--moves", type=int, default=60, help="moves of each game (default: 60)")
    parser.add_argument("--dry", action="store_true", help="print, and leave bench/results.md alone")
    given = parser.parse_args()
    about = machine("starlette", "uvicorn")
    rows = []
    with browse() as (browser, address, pid):
        for game in GAMES:
            rows.append(row_of(game, *play(browser, address, game, given.moves, pid)))
            print(rows[-1], flush=True)
    if given.dry:
        return
    write_section(
        "seen",
        f"""## From a press to the other player's page

{about}
Two browser windows and the server on the same cores; a third player of Sanghai has no window. Times in ms, median / 95
of 100, from the press: until the message came to the other page, until this page changed, and until the change was
painted. Then the processor time of a move in ms, median: the server, the main threads of both pages, and their sum.
A secret move is one of which the other player sees nothing.

| game | moves + secret | message | change | painted | server | own page | other page | sum |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(rows)}""",
    )


if __name__ == "__main__":
    main()
