"""A house on a disk whose fsync fails for a while: test_failing_disk.py runs it with unsynced.c loaded first."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.house.refusals import HouseClosed


def main(database: str) -> None:
    flag = Path(os.environ["UNSYNCED"])
    house = open_house(database, timers=False)
    anna = house.people.create("Anna").id
    plan = Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0})
    table = house.lobby.create(anna, plan)
    house.lobby.add_nonce(table, anna, "mine")
    before = house.looks.look(table, anna)
    for number in range(3):
        flag.touch()
        for _ in range(5):
            began = time.monotonic()
            assert refused(house, table, anna, before.ply, f"refused-{number}"), (
                "what is not durable is acknowledged"
            )
            assert time.monotonic() - began < 20, "each attempt waits for a queue of retries"
        assert not house.health().ok
        assert house.looks.look(table, anna).ply == before.ply
        flag.unlink()
        until = time.monotonic() + 120
        while not house.health().ok:
            assert time.monotonic() < until, "it does not recover without help"
            time.sleep(0.01)
        assert house.looks.look(table, anna).ply == before.ply, "what was refused has come back"
    assert house.play.act(table, anna, "roll", before.ply, "played-1").status == "done"
    played = house.looks.look(table, anna).ply
    house.close()
    with contextlib.closing(open_house(database, timers=False)) as again:
        assert again.looks.look(table, anna).ply == played
    print("ok")


def refused(house: House, table: str, person: str, ply: int, key: str) -> bool:
    try:
        house.play.act(table, person, "roll", ply, key)
    except HouseClosed:
        return True
    return False


if __name__ == "__main__":
    main(sys.argv[1])
