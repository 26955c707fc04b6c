"""OpenSpiel's own tests and algorithms, run on every registered game."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

sys.path.insert(0, str(Path(__file__).parent))
from endings import SHORT, find_ending, hidden_search, take_chance

from spelunke.adapters import open_spiel as adapter
from spelunke.core.errors import BadInput
from spelunke.core.option import Switch
from spelunke.games import find_game, shelf
from spelunke.games.match import Match

GAMES = sorted(shelf())


def late(name: str, folder: Path, most: int, *, whole: bool = True) -> Any:
    """Return OpenSpiel's game with this name. It begins from a position near the end of the game."""
    file = find_ending(find_game(name), folder, most, whole=whole)
    return pyspiel.load_game(adapter.PREFIX + name, {"position": str(file)})


def walk(state: Any, plies: int, seed: int = 1) -> Any:
    rng = random.Random(seed)
    for _ in range(plies):
        if state.is_terminal():
            break
        if state.is_chance_node():
            take_chance(state, rng)
        elif state.is_simultaneous_node():
            state.apply_actions(
                [rng.choice(state.legal_actions(p) or [0]) for p in range(state.num_players())]
            )
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", adapter.NAMES)
def test_each_game_passes_the_simulation_test_of_open_spiel(name: str, tmp_path: Path) -> None:
    """OpenSpiel's simulation test passes. It takes long for long games, so it starts near the end of a game."""
    base = name.removeprefix(adapter.PREFIX).removesuffix(adapter.TOGETHER)
    file = find_ending(find_game(base), tmp_path, 1500, whole=False)
    pyspiel.random_sim_test(
        pyspiel.load_game(name, {"position": str(file)}), num_sims=2, serialize=True, verbose=False
    )


@pytest.mark.deep(minutes=4)
@pytest.mark.parametrize("name", adapter.NAMES)
def test_each_game_passes_the_simulation_test_over_whole_games(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_state_follows_the_same_course_as_a_match(game: str) -> None:
    """A state of OpenSpiel and a Match with the same actions and outcomes agree on states, choices and texts."""
    card = find_game(game)
    state = pyspiel.load_game(adapter.PREFIX + game).new_initial_state()
    match = Match(card)
    rng = random.Random(3)
    for _ in range(120):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes = dict(state.chance_outcomes())
            total = sum(weight for _, weight in match.chances())
            assert {
                card.moves.encode_chance(chance): pytest.approx(weight / total)
                for chance, weight in match.chances()
            } == outcomes
            action = rng.choice(sorted(outcomes))
            match.land(card.moves.decode_chance(action))
        else:
            seat = state.current_player()
            assert seat == match.actors[0]
            assert state.legal_actions() == list(match.numbers(seat))
            action = rng.choice(state.legal_actions())
            assert state.action_to_string(seat, action) == card.notation.write(card.moves.decode(action))
            match.act(seat, card.moves.decode(action))
        state.apply_action(action)
        assert state.desk.state.tobytes() == match.state.tobytes()


@pytest.mark.parametrize("name", adapter.NAMES)
def test_calls_from_python_and_through_cpp_agree(name: str) -> None:
    """Calls from Python, which skip C++, return the same as calls through C++: at each node, for each player."""
    state, theirs = pyspiel.load_game(name).new_initial_state(), pyspiel.State
    nodes = set()
    for ply in range(120):
        nodes.add(state.current_player())
        assert state.is_chance_node() == theirs.is_chance_node(state)
        assert state.is_simultaneous_node() == theirs.is_simultaneous_node(state)
        assert state.legal_actions() == theirs.legal_actions(state)
        for player in range(state.num_players()):
            assert state.legal_actions(player) == theirs.legal_actions(state, player)
        walk(state, 1, ply)
    assert nodes & {0, 1} or pyspiel.PlayerId.SIMULTANEOUS in nodes


@pytest.mark.parametrize("game", GAMES)
def test_copies_and_pickles_are_the_same_state(game: str) -> None:
    loaded = pyspiel.load_game(adapter.PREFIX + game)
    state = walk(loaded.new_initial_state(), 60)
    for twin in (state.clone(), loaded.deserialize_state(state.serialize())):
        for player in range(loaded.num_players()):
            assert twin.information_state_string(player) == state.information_state_string(player)
        assert walk(twin, 10).desk.state.tobytes() == walk(state.clone(), 10).desk.state.tobytes()


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_resampling_keeps_what_the_player_knows(game: str) -> None:
    """At each decision, a resampled state gives the player to act the same information as the real state."""
    state = pyspiel.load_game(adapter.PREFIX + game).new_initial_state()
    rng = np.random.RandomState(1)
    worlds = set()
    for _ in range(120):
        if state.is_terminal():
            break
        if not state.is_chance_node():
            player = state.current_player()
            world = state.resample_from_infostate(player, rng.random_sample)
            assert world.current_player() == player
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.legal_actions() == state.legal_actions()
            worlds.add(world.desk.state.tobytes() == state.desk.state.tobytes())
            walk(world, 5)
        walk(state, 1, int(rng.randint(10**6)))
    if not find_game(game).hidden:
        assert worlds == {True}
    else:
        assert False in worlds


@pytest.mark.parametrize("game", [name for name in GAMES if hasattr(find_game(name).rules, "revise")])
def test_a_sealed_choice_stays_hidden(game: str) -> None:
    """After a sealed choice, the information states of the other players are the same for each possible choice."""
    state = pyspiel.load_game(adapter.PREFIX + game).new_initial_state()
    rng = random.Random(1)
    checked = 0
    while checked < 3 and not state.is_terminal():
        who = state.desk.who()
        if who > 0 and who & (who - 1) and len(state.legal_actions()) > 1:
            seen = set()
            for action in state.legal_actions()[:4]:
                child = state.child(action)
                if child.desk.who() == who & (who - 1):  # sealed: the others still have to choose
                    seen.add(child.information_state_string(child.current_player()))
            if seen:
                assert len(seen) == 1
                checked += 1
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(actions))
    assert checked


def play(state: Any, bots: list[Any], seed: int = 1) -> Any:
    rng = random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            take_chance(state, rng)
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


def search_bot(loaded: Any, seed: int, evaluator: Any = None) -> Any:
    """Return an MCTS bot if the game hides nothing, else an IS-MCTS bot. By default, it uses random rollouts."""
    rng = np.random.RandomState(seed)
    evaluator = evaluator or mcts.RandomRolloutEvaluator(1, rng)
    if loaded.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return mcts.MCTSBot(loaded, 2.0, 8, evaluator, random_state=rng)
    return hidden_search(loaded, rng, 6, evaluator, 2.0)


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_searches_of_open_spiel_play_an_ending_to_the_end(game: str, tmp_path: Path) -> None:
    loaded = late(game, tmp_path, 1500, whole=False)
    bots = [search_bot(loaded, seat) for seat in range(loaded.num_players())]
    assert sum(play(loaded.new_initial_state(), bots)) == pytest.approx(0)


class Glance(mcts.Evaluator):  # type: ignore[misc]
    """An evaluator that uses the game's own estimate of a state, because a playout could take thousands of plies."""

    def evaluate(self, state: Any) -> Any:
        if state.is_terminal():
            return np.array(state.returns())
        table = state.desk.table
        worth = table.game.knowledge.worth
        return np.tanh([worth(state.desk.state, seat) / 50 for seat in range(table.seats)])

    def prior(self, state: Any) -> Any:
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_searches_of_open_spiel_play_whole_games(game: str) -> None:
    short = {
        name: value for name, value in SHORT.items() if name in {o.name for o in find_game(game).options}
    }
    loaded = pyspiel.load_game(adapter.PREFIX + game, short)
    bots = [search_bot(loaded, seat, Glance()) for seat in range(loaded.num_players())]
    assert sum(play(loaded.new_initial_state(), bots)) == pytest.approx(0)


@pytest.mark.parametrize("game", [name for name in GAMES if hasattr(find_game(name).rules, "revise")])
def test_regret_minimisation_comes_closer_to_equilibrium(game: str, tmp_path: Path) -> None:
    loaded = late(game, tmp_path, 80)
    solver = cfr.CFRPlusSolver(loaded)
    first = exploitability.nash_conv(loaded, solver.average_policy())
    for _ in range(6):
        solver.evaluate_and_update_policy()
    last = exploitability.nash_conv(loaded, solver.average_policy())
    assert -1e-9 <= last <= first + 1e-9
    assert last < 0.5 * first or last < 0.02


def test_the_options_of_a_game_are_parameters_in_open_spiel() -> None:
    for game in shelf().values():
        parameters = pyspiel.load_game(adapter.PREFIX + game.name).get_parameters()
        assert set(parameters) == {"seats", "position", "worlds"} | {option.name for option in game.options}
        seats = game.seats[-1]
        loaded = pyspiel.load_game(adapter.PREFIX + game.name, {"seats": seats})
        assert loaded.num_players() == seats


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_an_option_is_loaded_and_stored(game: str) -> None:
    """OpenSpiel's text of a game can contain any value of an option. The loaded game has this value.

    If OpenSpiel stores this game and loads it again, the game still has the value.
    """
    card = find_game(game)
    tried = 0
    for option in card.options:
        values = getattr(option, "values", None) or range(
            getattr(option, "least", 0), getattr(option, "most", 1) + 1
        )
        mixed = len({type(value) for value in values}) > 1
        for value in values:
            wanted = bool(value) if isinstance(option, Switch) else value
            try:
                card.settle(card.usual_seats, {option.name: wanted})
            except BadInput:
                continue  # not at this table
            text = f"_{value}" if mixed and isinstance(value, int) else str(wanted)
            loaded = pyspiel.load_game(f"{adapter.PREFIX}{game}({option.name}={text})")
            assert loaded.table.options[option.name] == wanted
            state = loaded.new_initial_state()
            again, twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(loaded, state))
            assert again.table.options == loaded.table.options
            assert str(twin) == str(state)
            assert str(pyspiel.load_game(str(loaded))) == str(loaded)
            tried += 1
    assert tried > 10


def test_an_option_accepts_a_number_written_as_text(tmp_path: Path) -> None:
    loaded = pyspiel.load_game(f"{adapter.PREFIX}sanghai", {"face_points": "10"})
    assert loaded.table.options["face_points"] == 10
    assert pyspiel.load_game(str(loaded)).table.options["face_points"] == 10


def test_the_seats_given_with_a_position_must_match_the_position() -> None:
    file = str(Path(__file__).parents[2] / "docs/examples/sanghai-last-turns.json")
    name = f"{adapter.PREFIX}sanghai"
    seats = pyspiel.load_game(name, {"position": file}).num_players()
    assert pyspiel.load_game(name, {"position": file, "seats": seats}).num_players() == seats
    with pytest.raises(BadInput, match=f"the position has {seats} seats"):
        pyspiel.load_game(name, {"position": file, "seats": seats + 1})


def test_a_missing_position_file_is_reported() -> None:
    with pytest.raises(BadInput, match="No such file"):
        pyspiel.load_game(adapter.PREFIX + GAMES[0], {"position": "nowhere.json"})


def test_texts_are_json() -> None:
    state = pyspiel.load_game(adapter.PREFIX + GAMES[0]).new_initial_state()
    assert isinstance(msgspec.json.decode(state.observation_string(0)), dict)
    assert isinstance(msgspec.json.decode(str(state)), dict)


def test_an_observer_never_mixes_public_with_private_information() -> None:
    game = pyspiel.load_game("spelunke_halunken")
    public = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    assert make_observation(game, public) is None
    assert make_observation(game, INFO_STATE_OBS_TYPE) is not None
    assert make_observation(pyspiel.load_game("spelunke_shanghaien"), public) is not None
