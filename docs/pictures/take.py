"""Take the pictures of the tables again: ``make pictures``. This needs Chromium and the programs for the tests.

The program opens a new house, lets bots play each game to a moment that shows something, and photographs the page as a
player sees it, on a wide screen and on a phone. Dice and cards differ each time.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from playwright.sync_api import sync_playwright

from spelunke.games import find_game
from spelunke.house.play import stand_in_level
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

HERE = Path(__file__).resolve().parent
WIDE, PHONE = (1280, 900), (390, 844)
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
Look = dict[str, Any]


@dataclass(frozen=True)
class Sight:
    """A game, its players, and the moment to show. A bot plays for the person until shortly before this moment."""

    game: str
    seats: tuple[str, ...]
    near: Callable[[Look], bool]
    there: Callable[[Look], bool]


SIGHTS = (
    Sight(
        "shanghaien",
        ("me", "bot"),
        near=lambda look: look["view"]["tavern"] >= 4,
        there=lambda look: (
            bool(look["legal"])
            and look["view"]["phase"] == "rolled"
            and len(set(look["view"]["rolled"])) == 2
            and sum(sum(claim["dice"]) for claim in look["view"]["row"]) >= 4
        ),
    ),
    Sight(
        "halunken",
        ("me", "bot", "bot"),
        near=lambda look: look["view"]["hour"] >= 4,
        there=lambda look: bool(look["legal"]) and look["view"]["phase"] == "choosing",
    ),
    Sight(
        "sanghai",
        ("me", "bot", "bot", "bot"),
        near=lambda look: (
            look["view"]["lap"] >= 1
            and len(look["view"]["melds"]) >= 2
            and not look["view"]["laid"][0]
            and len(look["view"]["hand"]) >= 10
        ),
        there=lambda look: (
            not look["view"]["laid"][0] and any(move["text"].startswith("discard") for move in look["legal"])
        ),
    ),
)


@contextlib.contextmanager
def open_house() -> Iterator[str]:
    """Yield a house with a database of its own; remove both afterwards."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        settings = Settings(
            database=f"sqlite:///{folder}/house.sqlite3",
            secret="of the pictures",  # noqa: S106  # a house that lives for a minute
            bot_pause=0.05,
            reads_per_minute=1_000_000,
            writes_per_minute=1_000_000,
        )
        config = uvicorn.Config(create_app(settings), port=port, log_level="error", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join(20)


class Player:
    """A guest who lets a bot play until the moment for the picture."""

    def __init__(self, url: str, name: str = "Anna") -> None:
        self.client = httpx2.Client(base_url=url, timeout=60)
        self.token = self.client.post("/api/v1/guests", json={"name": name}).json()["token"]
        # as a page does, because a player with a token is shown as a bot
        self.client.cookies.set("guest", self.token)

    def post(self, path: str, **body: Any) -> Any:
        """Return the server's answer to a POST request. If the server refuses, raise AssertionError with the answer."""
        answer = self.client.post(f"/api/v1/tables{path}", json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def look(self, table: str) -> Look:
        """Return the table as the player sees it."""
        found: Look = self.client.get(f"/api/v1/tables/{table}").json()
        return found

    def reach(self, sight: Sight) -> str | None:
        """Play until the moment to show, and return the table. If the game has no such moment, return None."""
        # bots as strong as the person's stand-in: it lays melds before weaker ones in nearly every round of Sanghai
        level = stand_in_level(find_game(sight.game))
        seats = [f"bot:{level}" if seat.startswith("bot") else seat for seat in sight.seats]
        table = str(self.post("", game=sight.game, seats=seats)["table"])
        self.post(f"/{table}/nonce", nonce="lantern")
        away = False
        for turn in range(20_000):
            look = self.look(table)
            if look["status"] == "over":
                return None
            if look["status"] != "playing" or not look["view"]:
                time.sleep(0.05)
            elif not sight.near(look):
                if not away:
                    self.post(f"/{table}/stand-in")
                    away = True
                time.sleep(0.05)
            elif away:
                self.post(f"/{table}/come-back")
                away = False
            elif sight.there(look):
                return table
            elif look["legal"]:
                move = look["legal"][turn % len(look["legal"])]["text"]
                with contextlib.suppress(AssertionError):  # the moment has passed
                    self.post(f"/{table}/act", move=move, ply=look["ply"], key=f"picture-{turn:06d}")
            else:
                time.sleep(0.05)
        return None


def take(games: set[str], scheme: str, language: str) -> None:
    """Photograph these games at both sizes, in a language of the pages."""
    mark = "" if language == "en" else f"-{language}"
    with open_house() as url, sync_playwright() as play:
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        player = Player(url)
        for sight in SIGHTS:
            if sight.game not in games:
                continue
            table = next(found for _ in range(20) if (found := player.reach(sight)))
            for size in (WIDE, PHONE):
                context = browser.new_context(
                    viewport={"width": size[0], "height": size[1]},
                    color_scheme=scheme,  # type: ignore[arg-type]
                    reduced_motion="reduce",
                    locale=language,
                )
                context.add_cookies([{"name": "guest", "value": player.token, "url": url}])
                page = context.new_page()
                page.goto(f"{url}/t/{table}")
                page.locator('#connection[data-state="live"]').wait_for()
                page.wait_for_timeout(300)
                page.screenshot(path=HERE / f"{sight.game}{mark}-{size[0]}.png")
                context.close()
            print(f"{sight.game}: taken", flush=True)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Take the pictures of the tables again.")
    parser.add_argument("games", nargs="*", default=[sight.game for sight in SIGHTS])
    parser.add_argument("--scheme", choices=("light", "dark"), default="dark")
    parser.add_argument("--language", default="en")
    given = parser.parse_args()
    take(set(given.games), given.scheme, given.language)
