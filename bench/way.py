"""Count the functions and files that run for one move, from the POST request to the push to the other page.

    python bench/way.py [--tables 3] [--each] [--src PATH]

Two people play at a table of Shanghaien. Anna posts the move `roll`, and the stream of Bert's page pushes the parts
that changed. The command counts the functions of the package that are called in this time, in any thread, without
comprehensions and lambdas. Rules are not compiled (SPELUNKE_JIT=0), so that kernels count too. The result is the
smallest count of several tables, because background work (heartbeats, polling for due tasks) runs during some moves.
`--src` measures another checkout.
"""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

os.environ["SPELUNKE_JIT"] = "0"
Place = tuple[str, int, str]


class Watch:
    """A profiler that records each function of the package that is called while ``on`` is true."""

    def __init__(self, home: Path) -> None:
        self.home = f"{home}{os.sep}"
        self.on = False
        self.seen: set[Place] = set()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if not self.on or event != "call":
            return
        code = frame.f_code
        if code.co_filename.startswith(self.home) and not code.co_name.startswith("<"):
            self.seen.add((code.co_filename[len(self.home) :], code.co_firstlineno, code.co_qualname))


def ask(url: str, body: object = None, token: str = "", *, form: bool = False) -> Any:
    """Return the server's answer to a POST with JSON or a form, or to a GET request if there is no body."""
    import msgspec

    headers = {"accept": "application/json", "hx-request": "true"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None
    if body is not None:
        headers["content-type"] = "application/x-www-form-urlencoded" if form else "application/json"
        headers["origin"] = "/".join(url.split("/")[:3])
        data = urlencode(body).encode() if form else msgspec.json.encode(body)  # type: ignore[arg-type]
    with urlopen(Request(url, data, headers), timeout=60) as answer:
        text = answer.read()
    return msgspec.json.decode(text) if text[:1] in b"{[" and text else text


class Page:
    """Bert's page: a thread that reads the stream, and sets ``pushed`` at each push."""

    def __init__(self, url: str, token: str) -> None:
        self.pushed = threading.Event()
        headers = {"authorization": f"Bearer {token}"}
        self.stream = urlopen(Request(url, headers=headers), timeout=60)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.stream:
            if line == b"\n" and self.pushed_data:
                self.pushed.set()
            self.pushed_data = line.startswith(b"data:")

    pushed_data = False


def roll(house: str, watch: Watch, number: int) -> set[Place]:
    """Play one move at a new table, and return the functions that were called."""
    anna, bert = (ask(f"{house}/api/v1/guests", {"name": name})["token"] for name in ("Anna", "Bert"))
    plan = {"game": "shanghaien", "seats": ["me", "open"], "options": {"first_starter": "0"}}
    table = ask(f"{house}/api/v1/tables", plan, anna)["table"]
    api = f"{house}/api/v1/tables/{table}"
    ask(f"{api}/join", {}, bert)
    for token in (anna, bert):
        ask(f"{api}/nonce", {"nonce": "share"}, token)
    while not (look := ask(api, token=anna))["legal"]:
        time.sleep(0.05)
    page = Page(f"{house}/t/{table}/stream", bert)
    assert page.pushed.wait(30), "the page never received the state of the table"
    time.sleep(0.5)
    page.pushed.clear()
    watch.seen, watch.on = set(), True
    ask(
        f"{house}/t/{table}/act",
        {"move": "roll", "ply": look["ply"], "key": f"key-{number:06d}"},
        anna,
        form=True,
    )
    assert page.pushed.wait(30), "no push came"
    watch.on = False
    return watch.seen


def open_house(folder: str, watch: Watch) -> str:
    """Start a server in this process, and return its address."""
    threading.setprofile(watch)
    import structlog
    import uvicorn

    from spelunke.web.app import create_app
    from spelunke.web.settings import Settings

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    app = create_app(Settings(database=f"sqlite:///{folder}/house.sqlite3", secret="of a measurement"))
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", access_log=False))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{port}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--each", action="store_true", help="name each function")
    parser.add_argument("--src", type=Path, default=Path(__file__).resolve().parent.parent / "src")
    given = parser.parse_args()
    sys.path.insert(0, str(given.src.resolve()))
    import spelunke

    home = Path(spelunke.__file__).resolve().parent
    assert home == (given.src / "spelunke").resolve(), f"another spelunke was there first: {home}"
    watch = Watch(home)
    with tempfile.TemporaryDirectory() as folder:
        house = open_house(folder, watch)
        seen = min((roll(house, watch, number) for number in range(given.tables)), key=len)
    files = {file for file, _, _ in seen}
    print(f"{len(seen)} functions in {len(files)} files")
    own = [file for file, _, _ in seen if room_of(file) in {"web", "house", "records"}]
    print(f"{len(own)} in {len(set(own))} files without the game and what it stands on")
    rooms = Counter(room_of(file) for file, _, _ in seen)
    for room, count in sorted(rooms.items()):
        print(f"  {count:4} in {sum(room_of(file) == room for file in files):2} files of {room}")
    if given.each:
        for file, line, name in sorted(seen):
            print(f"{file}:{line} {name}")
    sys.stdout.flush()
    os._exit(0)  # the streams are still open


def room_of(file: str) -> str:
    """Return the package of a file. The boards of a game (its folder ``ui``) count as a separate package."""
    parts = Path(file).parts
    return "/".join(parts[:2] + parts[2:3] * (parts[2:3] == ("ui",))) if parts[0] == "games" else parts[0]


if __name__ == "__main__":
    main()
