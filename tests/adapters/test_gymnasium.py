"""The environments for Gymnasium: one for a seat of one table, and one for many tables at once."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from compiling import smallest
from spelunke.adapters.desk import Desk, Table
from spelunke.adapters.gymnasium import SpelunkeEnv, SpelunkeVector
from spelunke.adapters.spaces import describe_spaces, outline_spaces
from spelunke.core.chance import seed_stream
from spelunke.core.contract import OVER
from spelunke.core.errors import BadInput, IllegalMove
from spelunke.games import find_game, shelf

GAMES = sorted(shelf())
SMALL = smallest()
"""The game whose kernels over many tables are compiled here."""


class Lawful(SpelunkeEnv):
    """An environment that replaces an illegal action by the next legal one. Gymnasium's checker ignores masks."""

    def step(self, action: int) -> Any:
        legal = self.desk.legal(self.seat)
        return super().step(min(legal, key=lambda number: (number < action, number)))


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_the_environment_of_one_seat_passes_the_gymnasium_checker(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # hints about unbounded boxes and spec-less environments
        check_env(Lawful(game), skip_render_check=True)


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_many_tables_follow_the_rules(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an action, each table of a vector has the same state as a single table on which the action is played.

    The rules of all games are compiled here, but the kernels over many tables only for one game, because each takes
    eight seconds to compile. `make deep` compiles all kernels (``test_vector_kernels_compile_with_an_empty_cache``).
    """
    env = SpelunkeVector(game, 5)
    if game != SMALL:
        sweep = vars(env.table.sweep)
        for name, kernel in list(sweep.items()):
            if getattr(kernel, "__module__", "") == sweep["__name__"] and hasattr(kernel, "py_func"):
                monkeypatch.setitem(sweep, name, kernel.py_func)
    seen, info = env.reset(seed=3)
    replayed = 0
    for _ in range(60 if game == SMALL else 7):
        before = env.pool.copy()
        actions = env.choose()
        seats = info["seat"].copy()
        over = env.over.copy()
        for i in np.flatnonzero(~over):
            assert seen["action_mask"][i, actions[i]] == 1
        seen, _, ended, truncated, info = env.step(actions)
        assert not truncated.any()
        for i in range(5):
            if over[i]:
                continue
            desk = Desk(env.table)
            desk.pool[0] = before[i]
            desk.play(int(seats[i]), int(actions[i]))
            here = Desk(env.table)
            here.pool[0] = env.pool[i]
            if not ended[i]:
                assert seen["action_mask"][i].tolist() == here.mask(int(info["seat"][i])).tolist()
                assert np.array_equal(seen["observation"][i], here.observe(int(info["seat"][i])))
                assert not env.payoffs[i].any()
            else:
                assert here.who() == OVER
                assert np.allclose(env.payoffs[i], here.payoffs())
            if desk.who() >= 0:  # otherwise the vector itself has played on by chance
                assert desk.state.tobytes() == here.state.tobytes()
                replayed += 1
    assert replayed > 20


@pytest.mark.deep
def test_the_environment_writes_into_the_arrays_of_the_caller() -> None:
    game = SMALL
    table = Table(find_game(game))
    mine = np.zeros((4, table.features), np.float32)
    env = SpelunkeVector(game, 4, buffers={"observation": mine})
    seen, _ = env.reset(seed=1)
    assert seen["observation"] is mine
    assert mine.any()
    assert env.step(env.choose())[0]["observation"] is mine
    with pytest.raises(BadInput, match="contiguous and writeable array of shape"):
        SpelunkeVector(game, 4, buffers={"seat": np.zeros(3, np.int64)})


def test_a_seed_gives_the_same_games_for_any_number_of_tables() -> None:
    wide, narrow = SpelunkeVector(SMALL, 6, learner=0), SpelunkeVector(SMALL, 2, learner=0)
    wide.reset(seed=7)
    narrow.reset(seed=7)
    for _ in range(40):
        wide.step(wide.choose())
        narrow.step(narrow.choose())
        assert wide.pool[:2].tobytes() == narrow.pool.tobytes()
        assert (wide.seat[~wide.over] == 0).all()


def test_an_illegal_action_changes_no_table() -> None:
    env = SpelunkeVector(SMALL, 3)
    seen, _ = env.reset(seed=1)
    actions = env.choose()
    actions[2] = int(np.flatnonzero(seen["action_mask"][2] == 0)[0])
    before = env.pool.tobytes()
    with pytest.raises(IllegalMove, match="table 2"):
        env.step(actions)
    assert env.pool.tobytes() == before


def test_an_opponent_receives_only_a_view() -> None:
    asked: list[Any] = []

    def first(view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        asked.append(view)
        return legal[0]

    env = SpelunkeEnv(SMALL, opponent=first)
    env.reset(seed=2)
    for _ in range(20):
        if env.step(env.desk.legal(0)[-1])[2]:
            break
    assert asked
    assert all(view.seat != 0 for view in asked)


@pytest.mark.parametrize("game", GAMES)
def test_spaces_are_described_from_the_code(game: str) -> None:
    card = find_game(game)
    text = describe_spaces(card)
    assert text.count("\n| ") == card.rules.ACTIONS + card.view.FEATURES + 2


def test_the_page_of_spaces_is_up_to_date() -> None:
    """The page docs/spaces.md is up to date. To write it: ``python -m spelunke.adapters.spaces > docs/spaces.md``."""
    page = Path(__file__).resolve().parents[2] / "docs" / "spaces.md"
    assert page.read_text(encoding="utf-8") == outline_spaces(shelf().values())


def test_without_features_the_masks_are_the_same() -> None:
    whole, bare = SpelunkeVector(SMALL, 4), SpelunkeVector(SMALL, 4, features=False)
    for env in (whole, bare):
        env.reset(seed=5)
    assert set(bare.single_observation_space) == {"action_mask"}
    for _ in range(40):
        actions = whole.choose()
        seen, other = whole.step(actions)[0], bare.step(actions)[0]
        assert set(other) == {"action_mask"}
        assert np.array_equal(seen["action_mask"], other["action_mask"])
        assert whole.pool.tobytes() == bare.pool.tobytes()


def test_one_call_for_each_decision_plays_the_same_game() -> None:
    """`Desk.advance` leaves the same state as `play`, `decide_chance` and `legal` one after the other."""
    table = Table(find_game(SMALL))
    quick, slow, quickest = Desk(table), Desk(table), Desk(Table(find_game(SMALL)))
    chances, same, third = seed_stream(2), seed_stream(2), seed_stream(2)
    step, kept = quickest.stepper(third), quickest.table.numbers
    seat = quick.advance(0, -1, chances)
    assert step(0, -1) == seat
    slow.decide_chance(same)
    while seat != OVER:
        listed = table.numbers[1 : 1 + table.numbers[0]].tolist()
        assert seat == slow.seat()
        assert listed == slow.legal(seat)
        slow.play(seat, listed[-1])
        slow.decide_chance(same)
        assert kept[: 1 + kept[0]].tolist() == [len(listed), *listed]
        before = seat
        seat = quick.advance(seat, listed[-1], chances)
        assert step(before, listed[-1]) == seat
        assert quick.pool.tobytes() == slow.pool.tobytes() == quickest.pool.tobytes()
    assert slow.who() == OVER
