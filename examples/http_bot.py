"""A bot that plays at a house over HTTP: it looks, plays, and listens for news; at random, until its game is over.

    python examples/http_bot.py http://localhost:8000 --game GAME --level LEVEL      # a table of its own, with a bot
    python examples/http_bot.py http://localhost:8000 --table NAME --invite CODE     # a seat at somebody's table
    ... --program "python examples/line_bot.py"        # let a program choose that speaks lines (docs/write-a-bot.md)

The addresses and what they answer: docs/protocol.md. Everything here is Python's own library.
"""

import argparse
import json
import random
import shlex
import subprocess
import time
import urllib.error
import urllib.request
import uuid


class House:
    """A house's API, asked as one guest."""

    def __init__(self, address: str, name: str) -> None:
        self.base = address.rstrip("/") + "/api/v1"
        self.headers = {"Content-Type": "application/json"}
        self.headers["Authorization"] = "Bearer " + self.ask("/guests", {"name": name})["token"]

    def ask(self, path: str, body: dict | None = None) -> dict:
        """GET, or POST where there is a body; refusals come back as {"error": ..., "message": ...}."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, self.headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            return json.load(refusal)

    def looks(self, table: str):
        """Every look that the house pushes, as server-sent events; a line that breaks is taken up again."""
        while True:
            try:
                request = urllib.request.Request(f"{self.base}/tables/{table}/stream", headers=self.headers)
                with urllib.request.urlopen(request, timeout=60) as stream:
                    for line in stream:
                        if line.startswith(b"data: "):
                            yield json.loads(line[6:])
            except OSError:
                time.sleep(1)


def choose(look: dict) -> str:
    """One of the legal moves; `look["view"]` holds all that this seat may see."""
    return random.choice(look["legal"])["text"]


def ask_program(command: str, game: str):
    """What chooses as `choose` does, by asking a program on its standard input and output."""
    program = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(**question) -> str:
        print(json.dumps(question), file=program.stdin, flush=True)
        return program.stdout.readline().strip()  # if nothing comes, the table's clock ends the turn

    say(ask="hello", protocol=1, game=game)
    return lambda look: say(ask="move", view=look["view"], legal=[move["text"] for move in look["legal"]])


def play(house: House, table: str, choose=choose) -> dict:
    """Play until the table is over; returns the last look, which tells as well what became of a move."""
    for look in house.looks(table):
        if "nonce" in look["may"]:
            house.ask(f"/tables/{table}/nonce", {"nonce": uuid.uuid4().hex})
        while look["status"] == "playing" and look["legal"]:
            action = {"move": choose(look), "ply": look["ply"], "key": uuid.uuid4().hex}
            house.ask(f"/tables/{table}/act", action)
            look = house.ask(f"/tables/{table}")
        if look["status"] == "over":
            break
    return look


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("house", "--game", "--level", "--table", "--invite", "--program"):
        parser.add_argument(name, default="")
    given = parser.parse_args()
    house = House(given.house, "random-bot")
    if table := given.table:
        house.ask(f"/tables/{table}/join", {"invite": given.invite})
    else:
        table = house.ask("/tables", {"game": given.game, "seats": ["me", f"bot:{given.level}"]})["table"]
    print("playing at", f"{given.house}/t/{table}", flush=True)
    chooser = ask_program(given.program, given.game) if given.program else choose
    print(json.dumps(play(house, table, chooser)["result"]))


if __name__ == "__main__":
    main()
