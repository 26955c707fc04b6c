"""A viewer's history contains only events that the game releases to this viewer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spelunke.core.contract import ALL
from spelunke.core.errors import BadInput
from spelunke.games.hooks import Hooks
from spelunke.records.viewer import MatchViewer

sys.path.insert(0, str(Path(__file__).parent))
from random_games import GAMES, play_match


@pytest.mark.parametrize("game", GAMES)
def test_a_viewer_receives_the_events_that_the_game_shows_them(game: str) -> None:
    match, _, _ = play_match(game, 3, 40)
    for viewer in (None, *range(match.seats)):
        told = MatchViewer(match, viewer).history()
        assert len(told) > 5
        assert tuple(line.event for line in told) == match.events(viewer)
        assert MatchViewer(match, viewer).history(25) == tuple(line for line in told if line.ply >= 25)
        assert all(line.text.strip() and "{" not in line.text for line in told)


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_spectators_see_all_events_of_a_finished_game(game: str) -> None:
    match, _, _ = play_match(game, 3)
    assert tuple(line.event for line in MatchViewer(match, None).history()) == match.events(ALL)
    running, _, _ = play_match(game, 3, 40)
    assert tuple(
        line.event for line in MatchViewer(running, None, finished=True).history()
    ) == running.events(ALL)


@pytest.mark.parametrize("game", GAMES)
def test_the_last_events_hold_everything_since_the_viewers_last_action(game: str) -> None:
    match, _, _ = play_match(game, 3, 40)
    hooks = match.game.hooks
    for viewer in range(match.seats):
        last = max((ply.number for ply in match.plies if ply.seat == viewer), default=0)
        since = match.events(viewer, last)
        told = MatchViewer(match, viewer).last()
        assert told[len(told) - len(since) :] == since
        if not hooks.has(Hooks.begins_scene):
            assert told == since
        elif told != since:  # earlier events belong to the scene that was in progress
            assert any(hooks.begins_scene(event) for event in told)


@pytest.mark.parametrize("game", GAMES)
def test_a_viewer_without_a_seat_is_refused(game: str) -> None:
    match, _, _ = play_match(game, 3, 10)
    for viewer in (match.seats, -1, ALL):
        with pytest.raises(BadInput, match="there is no seat"):
            MatchViewer(match, viewer)
