"""Two people at one table: one in a browser, the other in a terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from house_server import serve
from tmux import Tmux, open_tmux
from waiting import wait_until

from .test_browser import invite, person, play_one

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def come(terminal: Tmux, link: str) -> None:
    """Sit down at a table by its link, as a guest in the terminal."""
    terminal.wait_for("play as a guest")
    terminal.press("g")
    terminal.wait_for("new table")
    terminal.press("j")
    terminal.wait_for("The link of a table")
    terminal.type(link)
    terminal.press("Enter")
    terminal.wait_for("Tavern 1 of 8")


def is_asked(terminal: Tmux) -> bool:
    return terminal.text().partition("\n")[0].rstrip().endswith("Your turn")


def play_there(terminal: Tmux) -> None:
    """Play the marked choice in the terminal, and wait for its effect."""
    before = terminal.text()
    terminal.press("Enter")
    wait_until(lambda: terminal.text() != before, "nothing was played")


@pytest.mark.deep(minutes=15)
def test_a_game_of_two_people_one_in_a_browser_and_one_in_tmux(browser: Browser, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "spelunke.cli", "tui", "--house"]
    alone = {"XDG_CONFIG_HOME": str(tmp_path), "SPELUNKE_KEYRING": "0", "SPELUNKE_LANGUAGE": "en"}
    with serve(tmp_path) as server, person(browser) as page:
        page.goto(server.url)
        invite(page)
        link = page.locator("#invite-link").input_value()
        with open_tmux(tmp_path, [*command, server.url], **alone) as terminal:
            come(terminal, link)
            mine, over = page.locator('#turn[data-mine="true"]'), page.locator("#result-title")
            for turn in range(2000):
                wait_until(lambda: mine.count() or over.count() or is_asked(terminal), "no seat is to act")
                if over.count():
                    break
                if mine.count():
                    play_one(page, turn)
                else:
                    play_there(terminal)
            check_result(page, terminal)


def check_result(page: Page, terminal: Tmux) -> None:
    """Check that the terminal shows the same result as the server gives for the page's table."""
    address, _, table = page.url.split("?")[0].partition("/t/")
    look = page.request.get(f"{address}/api/v1/tables/{table}").json()
    assert look["status"] == "over"
    terminal.wait_for(look["result"]["text"])
