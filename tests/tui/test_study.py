"""A server's problems and its game of the day, in the terminal."""

import asyncio

import pytest

from house_server import Server
from spelunke.games import find_game
from spelunke.records.problems import load_problems
from spelunke.tui.client import Client
from spelunke.tui.days_screen import DaysScreen
from spelunke.tui.house_screen import HouseScreen
from spelunke.tui.problem_screen import ProblemScreen, ProblemsScreen
from spelunke.tui.table_screen import TableScreen
from spelunke.tui.tokens import keep_token
from terminal import Pilot, open_terminal, table_of, text_of, until

pytestmark = pytest.mark.usefixtures("own_config")


async def log_in(server: Server) -> None:
    """Store a login token for the terminal, as if Anna had confirmed the terminal in her browser."""
    client = Client(server.url)
    me = await client.ask("POST", "/guests", {"name": "Anna"})
    anna = server.app.state.site.signer.loads(me["token"])
    code = await asyncio.to_thread(server.house.members.codes.make, "device", anna)
    linked = await client.ask("POST", "/me/devices/link", {"code": code})
    await client.close()
    keep_token(server.url, linked["token"])


async def open_problems(pilot: Pilot[None]) -> ProblemsScreen:
    await pilot.press("p")
    await until(pilot, lambda: isinstance(pilot.app.screen, ProblemsScreen) and pilot.app.screen.found)
    screen = pilot.app.screen
    assert isinstance(screen, ProblemsScreen)
    return screen


async def open_problem(pilot: Pilot[None]) -> ProblemScreen:
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ProblemScreen) and pilot.app.screen._choices)
    screen = pilot.app.screen
    assert isinstance(screen, ProblemScreen)
    return screen


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_a_problem_is_answered_and_its_values_are_shown(server: Server, game: str) -> None:
    found = load_problems(find_game(game))
    assert found is not None
    best = found.problems[0].best

    async def solve() -> None:
        await log_in(server)
        async with open_terminal(house=server.url) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, HouseScreen))
            listed = await open_problems(pilot)
            while listed.found["game"] != game:
                before = listed.found
                await pilot.press("right")
                await until(pilot, lambda before=before: listed.found is not before)
            await until(pilot, lambda: f"0 of {len(found.problems)} solved." in text_of(pilot))
            screen = await open_problem(pilot)
            await pilot.press(":", *best, "enter")
            await until(pilot, lambda: screen.problem.explained)
            assert "Right." in text_of(pilot)
            assert "✓" in text_of(pilot)
            await pilot.press("N")
            await until(pilot, lambda: pilot.app.screen is not screen and table_of(pilot)._choices)
            after = pilot.app.screen
            assert isinstance(after, ProblemScreen)
            await pilot.press("enter")
            await until(pilot, lambda: after.problem.explained)
            assert after.problem.answered == after._choices[0][1]
            assert "◀" in text_of(pilot)
            await pilot.press("q")
            solved = 1 + after.problem.explained["right"]
            await until(pilot, lambda: f"{solved} of {len(found.problems)} solved." in text_of(pilot))

    asyncio.run(solve())


def test_the_game_of_the_day_can_be_started_and_continued(server: Server) -> None:
    async def play() -> None:
        await log_in(server)
        async with open_terminal(house=server.url) as pilot:
            await pilot.press("d")
            await until(pilot, lambda: isinstance(pilot.app.screen, DaysScreen) and pilot.app.screen.looks)
            assert text_of(pilot).count("not played yet") == 3
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
            table = table_of(pilot).desk
            await pilot.press("q")
            await until(pilot, lambda: "started: press Enter to continue" in text_of(pilot))
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
            screen = table_of(pilot)
            assert screen.desk.table == table.table
            await screen.desk.do("resign")
            await until(pilot, lambda: screen.desk.moment.status == "over")
            await pilot.press("q")
            await until(pilot, lambda: "played, but it doesn't count" in text_of(pilot))

    asyncio.run(play())


@pytest.mark.deep
def test_a_terminal_guest_sees_why_the_game_of_the_day_is_unavailable(server: Server) -> None:
    async def come() -> None:
        keep_token(server.url, None)
        async with open_terminal(house=server.url) as pilot:
            screen = pilot.app.screen
            assert isinstance(screen, HouseScreen)
            await pilot.press("g")
            await until(pilot, lambda: screen.client.token and screen.name_there)
            await pilot.press("d")
            await until(pilot, lambda: isinstance(pilot.app.screen, DaysScreen) and pilot.app.screen.looks)
            await pilot.press("enter")
            await until(pilot, lambda: "can't play the game of the day" in " ".join(text_of(pilot).split()))

    asyncio.run(come())
