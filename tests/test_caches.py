"""Caches are bounded by bytes and by time. A state that a cache has dropped is the same when it is read again."""

from __future__ import annotations

import random

import pytest

from spelunke.core.caches import Cache
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.games.match import Match
from walks import walk


def test_a_full_cache_drops_the_least_recently_used_value() -> None:
    cache: Cache[str, str] = Cache(100)
    for name in "abc":
        cache.put(name, name.upper(), 30)
    assert cache.get("a") == "A"
    cache.put("d", "D", 30)
    assert [cache.get(name) for name in "abcd"] == ["A", None, "C", "D"]
    assert cache.size == 90
    cache.put("e", "E", 500)
    assert cache.get("e") == "E", "one that is too large alone is kept until the next"
    cache.drop("e")
    cache.drop("e")
    assert cache.size == 0


def test_a_cached_value_expires_after_a_time() -> None:
    now = 0.0
    cache: Cache[str, str] = Cache(100, each=10, seconds=5, clock=lambda: now)
    cache.put("a", "A")
    now = 5.0
    assert cache.get("a") == "A"
    now = 5.1
    assert cache.get("a") is None
    assert cache.size == 0


def test_an_expired_value_is_dropped_when_it_is_weighed() -> None:
    now = 0.0
    cache: Cache[str, str] = Cache(100, each=10, seconds=5, clock=lambda: now)
    cache.put("a", value := "A")
    now = 6.0
    cache.weigh("a", value, 20)
    assert cache.get("a") is None
    assert cache.size == 0


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_every_earlier_state_of_a_match_can_be_restored(game: Game) -> None:
    rng = random.Random(f"past {game.name}")
    match = Match(game)
    states = [match.state.tobytes()]
    while match.ply < 90 and not match.over:
        walk(match, rng, 1)
        states.append(match.state.tobytes())
    for ply in (*range(len(states)), *rng.sample(range(len(states)), 20)):
        assert match.state_at(ply).tobytes() == states[ply]
    told = match.events()
    while match.ply > len(states) // 2:
        match.undo()
        states.pop()
        assert match.state.tobytes() == states[-1]
    assert match.state_at(match.ply).tobytes() == states[-1]
    assert match.events() == told[: len(match.events())]
    walk(match, rng, 3)
    assert match.state_at(match.ply).tobytes() == match.state.tobytes()


def test_a_new_value_drops_the_expired_values_from_the_cache() -> None:
    now = [0.0]
    cache: Cache[str, str] = Cache(1000, seconds=2.0, clock=lambda: now[0])
    cache.put("old", "one", 10)
    now[0] = 1.5
    cache.put("new", "two", 20)
    assert cache.get("old") == "one"
    now[0] = 2.5
    cache.put("newer", "three", 30)
    assert (cache.get("old"), cache.size) == (None, 50)


def test_a_value_that_grew_is_weighed_again() -> None:
    cache: Cache[str, str] = Cache(100)
    cache.put("a", "one", 10)
    cache.put("b", "two", 10)
    cache.weigh("b", "two", 95)
    assert (cache.get("a"), cache.get("b"), cache.size) == (None, "two", 95)
    cache.weigh("b", "another", 5)
    assert cache.size == 95
