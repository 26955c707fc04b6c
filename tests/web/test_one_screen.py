"""One screen holds a decision, and nothing on it jumps: at two widths, zoomed, with names as long as they may be."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.match import Match
from spelunke.games import find_game
from spelunke.games.sanghai.bots import PlannerBot

from .conftest import Server
from .onescreen import NEEDS, SCREENS, ZOOMED, Stage, decisions, measure, shifts, watch_shifts
from .test_browser import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MOST_SHIFT = 0.02
USUAL: dict[str, tuple[int, dict[str, Any]]] = {
    "shanghaien": (2, {"start_trick": "both", "sharks_exchange": True}),
    "halunken": (2, {}),
    "sanghai": (4, {}),
}
EVERY: list[tuple[str, int, dict[str, Any]]] = [
    ("shanghaien", 2, {}),
    ("shanghaien", 2, {"crazy_captain": True, "doubles_reroll": True, "match": "sum_of_three"}),
    ("shanghaien", 2, {"direction_timing": "after_first_roll", "sharks_exchange": True}),
    ("halunken", 2, {"match": 3}),
    ("halunken", 3, {"tactical_bj_34": True}),
    ("halunken", 4, {"bj_peek": True}),
    ("halunken", 3, {"mode": "beginner"}),
    ("sanghai", 3, {"hep_window": "sequenced", "hep_tie": "vote", "schedule": "shanghai10"}),
    ("sanghai", 4, {"joker_swap": True}),
    ("sanghai", 6, {"show_discards": "all"}),
]


def planner(game: str) -> Any:
    """Who plays so that melds are laid; None: anybody does."""
    return PlannerBot(find_game(game)) if game == "sanghai" else None


def check(stage: Stage, page: Page, kind: str, size: tuple[int, int]) -> list[str]:
    """What is amiss on the page, and after each first step of a choice (a trick that is picked shows its targets)."""
    game, reach = stage.game.name, size == ZOOMED
    found = [f"{size[0]} {kind}: {told}" for told in measure(page, game, reach=reach)]
    for n in range(page.locator("#board .sh-pick > input").count()):
        pick = page.locator("#board .sh-pick > input").nth(n)
        if pick.is_visible():
            pick.evaluate("one => one.click()")
            found += [f"{size[0]} {kind}, picked: {told}" for told in measure(page, game, reach=reach)]
    return found


def sweep(
    browser: Browser, server: Server, game: str, seats: int, options: dict[str, Any], *, every: bool
) -> None:
    stage = Stage(server, game, seats, **options)
    amiss: list[str] = []
    with person(browser) as page:
        stage.open(page)
        seen: set[str] = set()
        for seed in range(3 if every else 1):
            match = stage.match()
            for kind, seat in decisions(match, seed, planner(game), 900 if every else 260):
                if kind in seen or (not every and kind.partition("\u00b7")[0] in seen):
                    continue
                seen |= {kind, kind.partition("\u00b7")[0]}
                look = stage.look_at(match, seat)
                for size in (*SCREENS.values(), ZOOMED):
                    page.set_viewport_size({"width": size[0], "height": size[1]})
                    stage.show(page, look)
                    amiss += check(stage, page, kind, size)
        assert len(seen) > 6
    assert not amiss, "\n".join(amiss)


@pytest.mark.parametrize("game", NEEDS)
def test_a_decision_is_on_one_screen(browser: Browser, server: Server, game: str) -> None:
    sweep(browser, server, game, *USUAL[game], every=False)


@pytest.mark.deep
@pytest.mark.parametrize(("game", "seats", "options"), EVERY)
def test_every_kind_of_decision_is_on_one_screen(
    browser: Browser, server: Server, game: str, seats: int, options: dict[str, Any]
) -> None:
    sweep(browser, server, game, seats, options, every=True)


def go_on(match: Match, chooser: random.Random, bot: Any) -> int:
    """One ply; whose it was."""
    if match.chance:
        outcomes, weights = zip(*match.chances(), strict=True)
        match.land(chooser.choices(outcomes, weights)[0])
        return -1
    seat = chooser.choice(match.actors)
    legal = match.legal(seat)
    match.act(
        seat, bot.choose(match.view(seat), legal, seed_stream(match.ply)) if bot else chooser.choice(legal)
    )
    return seat


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", NEEDS)
def test_nothing_jumps(browser: Browser, server: Server, game: str, screen: str) -> None:
    """From the first paint on, while dice and melds are laid, while calls run: what is there stays where it is."""
    seats, options = USUAL[game]
    stage = Stage(server, game, seats, **options)
    chooser, bot = random.Random(5), planner(game)
    match = stage.match()
    with person(browser, SCREENS[screen]) as page:
        watch_shifts(page)
        stage.open(page)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        at_load = shifts(page)
        assert sum(size for size, _pressed, _what in at_load) < MOST_SHIFT, at_load
        shown, own = 0, False
        while shown < 40 and not match.over:
            own = (
                go_on(match, chooser, bot) == 0 or own
            )  # what follows one's own press may move, as it was asked for
            if match.chance:
                continue
            shown += 1
            stage.show(page, stage.look_at(match, 0))
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
            moved = shifts(page)
            assert own or sum(size for size, _pressed, _what in moved) < MOST_SHIFT, moved
            own = False
