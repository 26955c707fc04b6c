"""The worked examples of every game's rules: a position, moves, and the conditions after them.

The examples are in ``tests/examples.toml`` of each game. The conditions ``takers`` and ``points`` are compared
with the view of a seat.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from spelunke.core.errors import Refused
from spelunke.games import shelf
from spelunke.games.match import Match
from spelunke.records.position import apply, build_match


def _examples() -> list[Any]:
    found = []
    for game in shelf().values():
        file = files(game.package).joinpath("tests/examples.toml")
        if file.is_file():
            examples = tomllib.loads(file.read_text(encoding="utf-8"))["example"]
            found += [pytest.param(game, e, id=f"{game.name}: {e['id']}") for e in examples]
    return found


CHECKS = {"legal", "refused", "expect", "takers", "points", "ranks"}
KEYS = {"id", "position", "moves", *CHECKS}


def _holds(part: Any, whole: Any, place: str = "position") -> None:
    """Check that ``whole`` agrees with every key and list item of ``part``. A missing key counts as an empty value."""
    if isinstance(part, dict):
        for key, value in part.items():
            _holds(
                value, whole.get(key, type(value)()) if isinstance(whole, dict) else None, f"{place}.{key}"
            )
    elif isinstance(part, list) and part and isinstance(part[0], dict):
        assert len(part) == len(whole), place
        for index, value in enumerate(part):
            _holds(value, whole[index], f"{place}[{index}]")
    else:
        assert whole == part, place


def test_every_game_of_ours_has_examples() -> None:
    told = {param.values[0].name for param in _examples()}
    assert told == {game.name for game in shelf().values() if game.package.startswith("spelunke.")}


@pytest.mark.parametrize(("game", "example"), _examples())
def test_each_rule_example_plays_as_the_rules_say(game: Any, example: dict[str, Any]) -> None:
    assert set(example) <= KEYS, "a key that nothing reads"
    assert CHECKS & set(example), "an example that checks nothing"
    match: Match = build_match(game, example["position"])
    apply(match, example.get("moves", ""))
    seat = match.actors[0] if match.actors else 0
    if "legal" in example and "moves" in example and example["legal"] == ["shanghai"]:
        match = build_match(game, example["position"])
        assert list(match.texts(seat)) == example["legal"]
        apply(match, example["moves"])
    elif "legal" in example:
        assert sorted(match.texts(seat)) == sorted(example["legal"])
    for text in example.get("refused", []):
        before = match.state.tobytes()
        with pytest.raises(Refused):
            match.act(seat, match.parse(text))
        assert match.state.tobytes() == before
    if "expect" in example:
        _holds(example["expect"], game.notation.write_position(match.state))
    if "takers" in example:
        takers = {claim.number: claim.taker for claim in match.view(0).row}
        assert "".join({0: "A", 1: "B", None: "-"}[takers[n]] for n in range(1, 7)) == example["takers"]
    if "points" in example:
        assert list(match.view(0).points) == example["points"]
    if "ranks" in example:
        assert match.outcome is not None
        assert list(match.outcome.ranks) == example["ranks"]
