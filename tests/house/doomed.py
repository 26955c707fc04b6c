"""A house that plays automatic games until it is killed or all games are over.

test_killed.py runs it as a process. Arguments: the database, the journal, the number of games. The journal gets
`try`, before an action, and `ack`, after its answer. Lines are not buffered: a line survives a kill as soon as it is
written.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import sys
import threading
import time
from typing import Any

from spelunke.house.house import House, open_house
from spelunke.house.plan import Plan
from spelunke.house.refusals import NotNow


class Dicer:
    def choose(self, view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        return random.choice(legal)


def main(database: str, journal: str, games: int) -> None:
    house = open_house(
        database, bot_pause=0.0, nonce_wait=0.5, bot_threads=2, bots=lambda _game, _level: Dicer()
    )
    out = os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(*words: object) -> None:
        os.write(out, (" ".join(str(word) for word in words) + "\n").encode())

    with open(journal, encoding="ascii") as file:  # noqa: PTH123
        lines = [line.split() for line in file if line.endswith("\n")]
    seated: dict[str, list[str]] = {words[1]: words[2:] for words in lines if words[0] == "table"}
    acknowledged = {words[1] for words in lines if words[0] == "ack"}
    for words in lines:
        # An action without an answer is sent again, as a browser would: it must count once.
        if words[0] == "try" and words[1] not in acknowledged:
            _, key, table, person, ply, *move = words
            answer = house.play.act(table, person, " ".join(move), int(ply), key)
            if answer.status != "stale":
                note("ack", key, table, answer.ply)
    while len(seated) < games:
        people = [house.people.create(f"Guest {len(seated)}-{n}").id for n in range(2)]
        bot = len(seated) % 2
        table = house.lobby.create(
            people[0], Plan(game="shanghaien", seats=("me", "bot:deckhand" if bot else "open"))
        )
        if not bot:
            house.lobby.join(table, people[1])
        seated[table] = people[: 2 - bot]
        note("table", table, *seated[table])
        for person in seated[table]:
            with contextlib.suppress(NotNow):  # it may have started without us
                house.lobby.add_nonce(table, person, secrets.token_hex(8))
    threads = [
        threading.Thread(target=play, args=(house, note, [(t, seated[t]) for t in list(seated)[n::4]]))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    house.close()
    note("over")


def play(house: House, note: Any, tables: list[tuple[str, list[str]]]) -> None:
    """Play for the people at these tables, in turn, until all games are over."""
    chooser = random.Random()
    while tables:
        for table, people in tuple(tables):
            look = house.looks.look(table, since=10**9)
            if look.status == "over":
                tables.remove((table, people))
                continue
            for person in people:
                mine = house.looks.look(table, person, since=10**9)
                if mine.legal:
                    move, key = chooser.choice(mine.legal)[1], secrets.token_hex(8)
                    note("try", key, table, person, mine.ply, move)
                    answer = house.play.act(table, person, move, mine.ply, key)
                    if answer.status == "done":
                        note("ack", key, table, answer.ply)
        time.sleep(0.001)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
