"""A bot that plays at a house over HTTP (docs/protocol.md): it looks, plays and listens until its game is over.

python examples/http_bot.py http://localhost:8000 --game GAME --level LEVEL      # a table of its own, with a bot
python examples/http_bot.py http://localhost:8000 --table NAME --invite CODE     # a seat at somebody's table
... --program "python examples/line_bot.py"        # let a program choose that speaks lines (docs/write-a-bot.md)
"""

import argparse
import json
import random
import shlex
import sys
import time
from contextlib import suppress
from subprocess import PIPE, Popen
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class House:
    """A house's API, asked as one guest."""

    def __init__(self, address: str, name: str) -> None:
        self.base = address.rstrip("/") + "/api/v1"
        self.headers = {"Content-Type": "application/json"}
        self.headers["Authorization"] = "Bearer " + self.ask("/guests", {"name": name})["token"]

    def ask(self, path: str, body: dict | None = None) -> dict:
        """Send a GET request, or POST a body. A refusal is returned as {"error": ..., "message": ...}."""
        request = Request(self.base + path, json.dumps(body).encode() if body else None, self.headers)
        try:
            with urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except HTTPError as refusal:
            time.sleep(int(refusal.headers["Retry-After"] or 1))  # wait as long as the house asks
            return self.ask(path, body) if refusal.code == 429 else json.load(refusal)

    def looks(self, table: str):
        """Yield each look that the house sends as a server-sent event; reconnect if the stream breaks."""
        while True:
            try:
                request = Request(f"{self.base}/tables/{table}/stream", headers=self.headers)
                with urlopen(request, timeout=60) as stream:
                    yield from (json.loads(line[6:]) for line in stream if line.startswith(b"data: "))
            except OSError:
                time.sleep(1)


def choose(look: dict) -> str:
    """Return one of the legal moves; `look["view"]` holds all that this seat may see."""
    return random.choice(look["legal"])["text"]


def ask_program(command: str, game: str):
    """Return a function that chooses as `choose` does, by asking a program on its standard input and output."""
    program = Popen(shlex.split(command), bufsize=0, stdin=PIPE, stdout=PIPE)

    def say(**question) -> str:
        with suppress(BrokenPipeError):
            program.stdin.write(json.dumps(question).encode() + b"\n")
        return program.stdout.readline().decode().strip() or sys.exit(f"No more answer from: {command}")

    say(ask="hello", protocol=1, game=game)
    return lambda look: say(ask="move", view=look["view"], legal=[move["text"] for move in look["legal"]])


def play(house: House, table: str, choose=choose) -> dict:
    """Play until the table is over: one move for each look, even if it is refused. Return the last look."""
    for look in house.looks(table):
        if "nonce" in look["may"] and not look["fairness"]["nonces"][look["seat"]]:
            house.ask(f"/tables/{table}/nonce", {"nonce": random.randbytes(16).hex()})
        if look["status"] == "playing" and look["legal"]:
            action = {"move": choose(look), "ply": look["ply"], "key": random.randbytes(16).hex()}
            if refusal := house.ask(f"/tables/{table}/act", action).get("message"):
                print(refusal, file=sys.stderr)
        if look["status"] == "over":
            break
    return look


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("house", "--game", "--level", "--table", "--invite", "--program"):
        parser.add_argument(name, default="")
    given = parser.parse_args()
    house = House(given.house, "random-bot")
    path, body = f"/tables/{given.table}/join", {"invite": given.invite}
    if not given.table:
        path, body = "/tables", {"game": given.game, "seats": ["me", f"bot:{given.level}"]}
    if "error" in (answer := house.ask(path, body)):
        sys.exit(answer["message"])
    table = given.table or answer["table"]
    print("playing at", f"{given.house}/t/{table}", flush=True)
    chooser = ask_program(given.program, house.ask(f"/tables/{table}")["game"]) if given.program else choose
    print(json.dumps(play(house, table, chooser)["result"]))


if __name__ == "__main__":
    main()
