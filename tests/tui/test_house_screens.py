"""The screens of a server as text, in a small and in a large terminal and without colours.

The server's address and the date differ from run to run. Before a comparison with a stored screen, fixed ones replace
them.
"""

import asyncio
import re

import pytest

from house_server import Server
from spelunke.tui.days_screen import DaysScreen
from spelunke.tui.house_screen import HouseScreen
from spelunke.tui.problem_screen import ProblemScreen, ProblemsScreen
from terminal import GROWING_LOOKS, Pilot, compare_sizes, open_terminal, text_of, until

PROBLEMS = ("shanghaien", "halunken", "sanghai")

pytestmark = pytest.mark.usefixtures("own_config")


async def go_to(pilot: Pilot[None], name: str) -> None:
    """Open a screen as a spectator does it."""
    await until(pilot, lambda: "you can only watch." in text_of(pilot))
    if name == "days":
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, DaysScreen) and pilot.app.screen.looks)
        await until(pilot, lambda: "There are no results" in text_of(pilot))
    if name.startswith("problem"):
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, ProblemsScreen) and pilot.app.screen.found)
        listed = pilot.app.screen
        assert isinstance(listed, ProblemsScreen)
        game = name.split("-")[1] if "-" in name else ""
        while game and listed.found["game"] != game:
            before = listed.found
            await pilot.press("right")
            await until(pilot, lambda before=before: listed.found is not before)
        if game:
            await pilot.press("home", "enter")
            await until(
                pilot, lambda: isinstance(pilot.app.screen, ProblemScreen) and pilot.app.screen._choices
            )
    if name.endswith("-answered"):
        await answer(pilot)
    if name == "results":
        await show_results(pilot)
    if name == "tables":
        list_tables(pilot)
    await pilot.pause()


async def answer(pilot: Pilot[None]) -> None:
    """Answer the problem on the screen with the first choice, as a guest."""
    screen = pilot.app.screen
    assert isinstance(screen, ProblemScreen)
    screen.problem.client.token = (await screen.problem.client.ask("POST", "/guests", {}))["token"]
    await pilot.press("enter")
    await until(pilot, lambda: screen.problem.explained)
    assert screen.problem.explained is not None
    for one in screen.problem.explained["moves"]:
        one["share"] = None  # it depends on the answers of earlier tests
    screen._show()
    await until(pilot, lambda: "◀" in text_of(pilot))


def list_tables(pilot: Pilot[None]) -> None:
    """List tables of the person, tables with free seats, and running games."""
    screen = pilot.app.screen
    assert isinstance(screen, HouseScreen)
    screen.client.token, screen.name_there = "the token of a person", "Anna"
    line = {"table": "a", "title": "Halunken und Spelunken", "yours": False, "free": 0}
    running = {**line, "title": "Sanghai", "seats": [f"Sailor of the {n}th mate" for n in range(1, 7)]}
    screen._list(
        {
            "mine": [
                {**line, "seats": ["Anna", "Bert", "Pelle"], "yours": True},
                {**line, "table": "b", "title": "Shanghaien", "seats": ["Anna", "Cleo"]},
            ],
            "open": [{**line, "table": "c", "seats": ["Dora", None, None], "free": 2}],
            "running": [{**running, "table": "d"}],
        }
    )
    screen.tell("")
    screen.fit()


async def show_results(pilot: Pilot[None]) -> None:
    """Show a game of the day that many people have played, with the person's own result among theirs."""
    await pilot.press("d")
    days = pilot.app.screen
    await until(pilot, lambda: isinstance(days, DaysScreen) and days.looks)
    assert isinstance(days, DaysScreen)
    days.looks["shanghaien"] |= {
        "count": 12,
        "own": {"over": True, "rank": 3, "count": 12},
        "results": [
            {
                "rank": place,
                "name": "Anna"
                if place == 3
                else f"Sailor of the {place}th mate with a long name"[: 12 + place * 3],
                "place": f"{1 + place % 2}/2",
                "lead": 9.5 - 2 * place,
                "more": 4.0 - place,
                "you": place == 3,
            }
            for place in range(1, 13)
        ],
    }
    days.streak = {"now": 4, "longest": 11}
    days.client.token = "the token of a person who has played"
    days._list()


@pytest.mark.sampled
@GROWING_LOOKS
@pytest.mark.parametrize(
    "name",
    [
        "lobby",
        "tables",
        "days",
        "results",
        "problems",
        *(f"problem-{game}{answered}" for game in PROBLEMS for answered in ("", "-answered")),
    ],
)
def test_a_screen_of_a_server_equals_the_stored_text(
    server: Server,
    name: str,
    sizes: tuple[tuple[int, int], ...],
    colours: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each screen equals its text in ``screens/``. With UPDATE_SCREENS=1, write the texts again; then look at them."""
    if colours == "plain":
        monkeypatch.setenv("NO_COLOR", "1")

    def same(seen: str) -> str:
        seen = re.sub(r"\d{4}-\d\d-\d\d", "2026-11-24", seen).replace(server.url, "http://127.0.0.1:12345")
        return re.sub("  problem of the day$", "", seen, flags=re.MULTILINE)

    async def through() -> None:
        async with open_terminal(*sizes[0], house=server.url) as pilot:
            await go_to(pilot, name)
            await compare_sizes(pilot, name, sizes, same)

    asyncio.run(through())
