"""One round: workers are killed at random moments while people play, then all that was stored is checked."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from kills.players import Board, Journal
from kills.reckoning import Tally, reckon
from kills.site import Plan, Site

MEAN_S = 0.25
"""The mean pause before a kill."""


def run_round(
    plan: Plan, folder: Path, kills: int, seed: int, tell: Callable[[int], None] = lambda _kills: None
) -> Tally:
    """Kill workers `kills` times, let the games end, and return the counts and faults. Call `tell` after each kill."""
    chooser = random.Random(seed)

    def strike(site: Site) -> float:
        slowest = 0.0
        for number in range(kills):
            time.sleep(chooser.expovariate(1 / MEAN_S))
            struck = chooser.sample(site.ports, _how_many(chooser, len(site.ports)))
            for port in struck:
                site.kill(port)
            # After one kill in four, the next pause begins before the workers are up.
            if chooser.random() < 0.75:
                slowest = max(slowest, *(site.wait(port) for port in struck))
            tell(number + 1)
        return slowest

    return _play_through(plan, folder, kills, strike)


def run_stopped(plan: Plan, folder: Path, times: int, seconds: float) -> Tally:
    """Stop each worker in turn for ``seconds``, while the remaining workers go on with its tables."""

    def stop(site: Site) -> float:
        for number in range(times):
            time.sleep(1)
            with site.stopped(site.ports[number % len(site.ports)]):
                time.sleep(seconds)
        return 0.0

    return _play_through(plan, folder, 0, stop)


def _play_through(plan: Plan, folder: Path, kills: int, harm: Callable[[Site], float]) -> Tally:
    journal = Journal(folder / "journal")
    began = time.monotonic()
    tally = Tally(plan.title, kills, 0)
    with Site(plan, folder) as site:
        boards = [Board(site.address, journal, bot=bot) for bot in (False, False, True)]
        try:
            tally.slowest_start = round(harm(site), 2)
            for port in site.ports:
                site.wait(port)
            for board in boards:
                board.stop = True
            for board in boards:
                board.join()
        except BaseException:  # otherwise they would repeat requests for ever
            for board in boards:
                board.give_up()
            raise
    journal.close()
    tally.late = tuple(late for board in boards for late in board.late)
    tally.broken = tuple(what for board in boards for person in board.people for what in person.broken)
    tally.reopened = sum(board.reopened for board in boards)
    reckon(tally, plan.database, journal.file)
    tally.seconds = round(time.monotonic() - began, 1)
    return tally


def _how_many(chooser: random.Random, workers: int) -> int:
    """Return the number of workers to kill: usually one, sometimes all."""
    return workers if chooser.random() < 0.15 else 1
