"""Logs and replays add the game's explanation to the sentence for an event, but not to a message of the server."""

from __future__ import annotations

from typing import Any

import pytest

from appraising import finish
from spelunke.games import find_game
from spelunke.house.house import House


def test_logs_and_replays_add_the_explanation_of_each_event(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = find_game("halunken").hooks

    def explain(self: object, events: Any, before: Any, after: Any, names: Any, translate: Any) -> Any:
        return tuple(f"({type(event).__name__})" for event in events)

    monkeypatch.setattr(type(hooks), "explain_events", explain)
    table, anna = finish(house, "halunken", acts=12)
    look = house.looks.look(table, anna)
    replay = house.replays.look(table, anna, ply=0)
    assert len(look.log) > 20
    for lines in (look.log, replay.log):
        for line in lines:
            if line.event is None:
                assert not line.text.endswith(")")
            else:
                assert line.text.endswith(f" ({type(line.event).__name__})")
