"""Replay and analysis of a record in the terminal."""

import asyncio
import json
from pathlib import Path

import pytest

from spelunke.analysis.analysis import Analysis
from spelunke.core.errors import BadInput
from spelunke.tui.chart import draw_chart, list_totals
from spelunke.tui.replay_screen import ReplayScreen
from studies import ERROR, FILE, RECORD, make_analysis
from terminal import Pilot, open_terminal, text_of, until


async def open_file(pilot: Pilot[None], file: Path) -> None:
    await pilot.press("r")
    await pilot.pause()
    await pilot.press(*str(file), "enter")
    await pilot.pause()


def test_a_record_is_replayed_ply_by_ply_as_each_seat_saw_it() -> None:
    async def through() -> None:
        async with open_terminal() as pilot:
            await open_file(pilot, FILE)
            screen = pilot.app.screen
            assert isinstance(screen, ReplayScreen)
            first, second = screen.names
            assert f"position 0 of {screen.plies}, as {first} saw it" in text_of(pilot)
            await pilot.press("left", "right", "right", "e")
            assert f"position 2 of {screen.plies}, as {second} saw it" in text_of(pilot)
            await pilot.press("end", "right", "pageup")
            assert screen.ply == screen.plies - 10
            await pilot.press("home", "pagedown")
            assert screen.ply == 10
            await pilot.press("q")
            assert not isinstance(pilot.app.screen, ReplayScreen)

    asyncio.run(through())


def test_the_analysis_shows_chances_errors_and_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spelunke.solvers.analysis.analyse", lambda match, names: make_analysis())

    async def through() -> None:
        async with open_terminal() as pilot:
            await pilot.app.push_screen(ReplayScreen(RECORD))
            screen = pilot.app.screen
            assert isinstance(screen, ReplayScreen)
            await pilot.press("n")  # without an analysis, this begins one
            await until(pilot, lambda: screen.analysis)
            await pilot.press("n")
            assert screen.ply == ERROR
            assert "chance to win by 12 percentage points" in text_of(pilot)
            await pilot.press("t")
            await pilot.pause()
            assert "Turning points" in text_of(pilot)

    asyncio.run(through())


def test_an_analysis_that_fails_can_be_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[bool] = []

    def analyse(match: object, names: object) -> Analysis:
        if not failed:
            failed.append(True)
            raise BadInput("this game can't be analysed")
        return make_analysis()

    monkeypatch.setattr("spelunke.solvers.analysis.analyse", analyse)

    async def through() -> None:
        async with open_terminal() as pilot:
            await pilot.app.push_screen(ReplayScreen(RECORD))
            screen = pilot.app.screen
            assert isinstance(screen, ReplayScreen)
            await pilot.press("a")
            await until(pilot, lambda: pilot.app._notifications)
            assert "Analysing" not in text_of(pilot)
            await pilot.press("a")
            await until(pilot, lambda: screen.analysis)

    asyncio.run(through())


def test_the_chart_rises_with_the_chance_to_win_and_marks_errors() -> None:
    analysis = make_analysis()
    lines = draw_chart(analysis, 0, 0, 45, 3).plain.split("\n")
    assert [len(line) for line in lines] == [45, 45, 45]
    assert lines[0][5] == "▼"
    assert lines[0].index("!") == 5 + ERROR * 39 // (len(analysis.curve) - 1)
    assert lines[1][5 + 20] > lines[1][5]
    assert set(lines[2][5:]) == {"█"}  # the chance is never below a half
    other = draw_chart(analysis, 1, 0, 45, 3).plain.split("\n")
    assert set(other[1][5:]) <= {" ", "▁"}


def test_the_totals_name_errors_and_luck() -> None:
    told = [line.text for line in list_totals(make_analysis(), ("Anna", "Ben"))]
    numbers = "decisions: 40 · errors: 1 · cost: 15.0 · luck: +8.0"
    assert told[0] == f"Anna · {numbers} (percentage points of the chance to win)"
    assert "luck: −8.0 (" in told[1]
    assert told[-1].endswith("Anna +12 %, Ben −12 %")


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["missing", "no record", "no user"])
def test_a_file_that_is_no_record_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    file = Path("~nobody-of-this-name/x") if name == "no user" else tmp_path / "record.json"
    if name == "no record":
        file.write_text(json.dumps({"format": "another"}), encoding="utf-8")

    async def through() -> None:
        async with open_terminal() as pilot:
            await open_file(pilot, file)
            assert len(pilot.app._notifications) == 1
            assert not isinstance(pilot.app.screen, ReplayScreen)

    asyncio.run(through())
