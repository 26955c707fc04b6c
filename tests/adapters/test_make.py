"""The function `spelunke.make`, which makes a game for each interface, and the games' names in Gymnasium."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pytest

import spelunke
import spelunke.adapters.gymnasium
from compiling import smallest
from spelunke.adapters import INTERFACES
from spelunke.adapters.desk import Desk
from spelunke.core.errors import BadInput, BadOption
from spelunke.games import shelf

SMALL = smallest()
WITHOUT = """
import sys
sys.modules.update(pettingzoo=None)
import spelunke
try:
    spelunke.make(sys.argv[1], "aec")
except spelunke.SpelunkeError as error:
    print(error)
"""


@pytest.mark.parametrize("game", shelf())
def test_a_match_has_the_given_seats_and_options(game: str) -> None:
    card = shelf()[game]
    match = spelunke.make(game, seats=max(card.seats))
    assert (match.game, match.seats) == (card, max(card.seats))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", shelf())
@pytest.mark.parametrize("interface", ["gymnasium", "aec", "parallel"])
def test_make_returns_an_environment_that_resets(game: str, interface: str) -> None:
    env = spelunke.make(game, interface, seats=max(shelf()[game].seats))
    env.reset(seed=1)
    assert env.desk.table.seats == max(shelf()[game].seats)


def test_make_returns_an_environment_with_many_tables() -> None:
    env = spelunke.make(SMALL, "vector", tables=3)
    seen, _info = env.reset(seed=1)
    assert len(seen["action_mask"]) == 3


@pytest.mark.parametrize("game", shelf())
def test_open_spiel_gets_each_option(game: str) -> None:
    card = shelf()[game]
    settled = card.settle(card.usual_seats)
    loaded = spelunke.make(game, "open_spiel", seats=card.usual_seats, options=settled)
    assert loaded.num_players() == card.usual_seats
    assert loaded.table.options == settled


@pytest.mark.sampled
@pytest.mark.parametrize("game", shelf())
def test_gymnasium_knows_the_games(game: str) -> None:
    name = f"Spelunke/{game.title()}-v{shelf()[game].rules.VERSION}"
    env = gymnasium.make(name)
    _seen, info = env.reset(seed=1)
    assert info["action_mask"].any()
    assert isinstance(env.unwrapped.desk, Desk)


def test_gymnasium_makes_many_tables() -> None:
    env = gymnasium.make_vec(f"Spelunke/{SMALL.title()}-v{shelf()[SMALL].rules.VERSION}", num_envs=4)
    assert env.num_envs == 4


def test_wrong_names_and_tables_are_refused() -> None:
    with pytest.raises(BadInput, match=", ".join(INTERFACES)):
        spelunke.make(SMALL, "rllib")
    with pytest.raises(BadInput, match="backgammon"):
        spelunke.make("backgammon")
    with pytest.raises(BadOption):
        spelunke.make(SMALL, "gymnasium", options={"speed": "light"})


def test_a_missing_package_is_named() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT, SMALL], capture_output=True, text=True, check=True)
    assert (
        done.stdout.strip() == 'interface: aec needs the package pettingzoo: pip install "spelunke[research]"'
    )
