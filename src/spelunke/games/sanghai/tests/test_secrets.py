"""Events show a drawn card only to its owner. Sealed answers and passes are hidden from all other seats."""

from __future__ import annotations

import random

import msgspec
import pytest

from spelunke.core.contract import ALL
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, happenings

from .positions import at_window, play, step


def test_only_the_owner_sees_a_drawn_card_in_the_events() -> None:
    rng = random.Random(8)
    match = Match(GAME, 4, {"hep_penalty": 1})
    for _ in range(300):
        step(match, rng)
    hidden = 0
    for ply in range(match.ply):
        for event in match.events_of(ply, ALL):
            if isinstance(event, happenings.Dealt | happenings.Drew):
                hidden += 1
                for viewer in (None, 0, 1, 2, 3):
                    told = [e for e in match.events_of(ply, viewer) if type(e) is type(event)]
                    assert len(told) == 1
                    assert told[0].card == (event.card if viewer == event.seat else None)
    assert hidden > 50


@pytest.mark.parametrize("answer", ["hep", "pass"])
def test_a_sealed_answer_changes_no_byte_for_the_others(answer: str) -> None:
    match = at_window(5, hep_window="sequenced")
    twin = at_window(5, hep_window="sequenced")
    play(match, f"3: {answer}")
    play(twin, "3: pass")
    for seat in (None, 0, 1, 2, 4):
        assert msgspec.json.encode(match.view(seat)) == msgspec.json.encode(twin.view(seat))
        assert match.events_of(0, seat) == twin.events_of(0, seat) == ()
        if seat is not None:
            assert match.texts(seat) == twin.texts(seat)


def test_a_pass_is_revealed_to_nobody() -> None:
    match = play(at_window(5), "3: pass")
    for seat in (None, 0, 1, 2, 4):
        assert msgspec.json.encode(match.view(seat)) == msgspec.json.encode(at_window(5).view(seat))
    assert match.events_of(0, 2) == match.events_of(0, None) == ()
    assert len(match.events_of(0, 3)) == 1
