"""Every screen that needs no server, as text, in a small and in a large terminal and without colours."""

import asyncio

import msgspec
import pytest
from textual.pilot import Pilot

from spelunke.house.plan import Clock, Plan
from spelunke.tui.client import Client
from spelunke.tui.offers import offer_locals
from spelunke.tui.plan_screen import PlanScreen
from spelunke.tui.replay_screen import ReplayScreen
from spelunke.tui.settings import table_settings, write_terms
from studies import ERROR, RECORD, make_analysis
from terminal import LOOKS, compare_screen, open_terminal, reach_curtain, table_of, text_of, until


async def go_to(pilot: Pilot[None], name: str) -> None:
    """Open a screen as a person does it."""
    if name == "help":
        await pilot.press("question_mark")
    elif name == "curtain":
        screen = await reach_curtain(pilot)
        assert not screen.desk.moment.log  # it would say what only the next player knows
    elif name == "file":
        await pilot.press("r")
    elif name == "replay":
        await pilot.app.push_screen(ReplayScreen(RECORD))
        await pilot.press("pagedown", "pagedown", "e")
    elif name in ("analysis", "totals"):
        screen = ReplayScreen(RECORD)
        await pilot.app.push_screen(screen)
        screen._analysed(make_analysis())
        await pilot.press("n")
        assert screen.ply == ERROR
        if name == "totals":
            await pilot.press("t")
    elif name == "address":
        await pilot.press("h")
    elif name == "log":
        await pilot.press("enter")
        await until(pilot, lambda: table_of(pilot)._choices)
        await pilot.press("L")
    elif name in ("plan", "settings"):
        plan = PlanScreen(Client("https://spelunke.example"), offer_locals())
        await pilot.app.push_screen(plan)
        await pilot.press("down", "right", "down", "t", "t")
        if name == "settings":
            await pilot.press("v", "down")
            await until(pilot, lambda: "The time of each player" in text_of(pilot))
    elif name == "small":
        await pilot.resize_terminal(60, 20)
    await pilot.pause()


@pytest.mark.sampled(4)
@LOOKS
@pytest.mark.parametrize(
    "name",
    [
        "start",
        "help",
        "curtain",
        "log",
        "file",
        "address",
        "plan",
        "settings",
        "replay",
        "analysis",
        "totals",
        "small",
    ],
)
@pytest.mark.usefixtures("own_config")
def test_each_screen_equals_the_stored_text(
    name: str, size: tuple[int, int], colours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each screen equals its text in ``screens/``. With UPDATE_SCREENS=1, write the texts again; then look at them.

    A terminal without colours shows the same text, because nothing is shown by colour alone.
    """
    if colours == "plain":
        monkeypatch.setenv("NO_COLOR", "1")

    async def through() -> str:
        async with open_terminal(*size) as pilot:
            await go_to(pilot, name)
            return text_of(pilot) + "\n"

    seen = asyncio.run(through())
    compare_screen(seen, name, size)


@pytest.mark.parametrize("others", ["open", "link", "bot:greedy"])
@pytest.mark.parametrize("changed", [{}, {"listed": False}, {"rated": True}])
def test_the_minutes_to_wait_are_sent_even_with_the_usual_clock(
    others: str, changed: dict[str, bool]
) -> None:
    values = {"grace": 7.5, **changed}
    settings = [one.with_value(values.get(one.name, one.value)) for one in table_settings()]
    terms = write_terms(settings, for_anyone=others == "open")
    usual = Plan(game="sanghai", seats=("me", others), **changed).usual_clock
    assert msgspec.convert(terms["clock"], Clock) == msgspec.structs.replace(usual, grace=7.5)
