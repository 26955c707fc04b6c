"""Tests of every registered game."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import numpy as np
import pytest

from spelunke.bots.levels import default_level, seat_bot
from spelunke.core.chance import pick, seed_stream
from spelunke.core.contract import ALL
from spelunke.core.errors import BadInput, BadOption, Refused
from spelunke.core.kernel import pool
from spelunke.core.outcome import payoffs
from spelunke.core.words import plain
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.games.match import Match
from walks import any_table, step, walk

SEEDS = (1, 2, 3)
UNSAID = {"auto_place", "first_starter", "hep_seconds", "hep_tie", "hep_tie_ms", "jokers_per_pack", "packs"}
UNSAID |= {"show_discards", "trick_split", "two_player_beginner", "two_player_deal12"}
each_game = pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
each_table = pytest.mark.parametrize("seed", SEEDS)


def table(game: Game, seed: int) -> tuple[Match, random.Random]:
    """Return a match: with seed 1 the default game, with another seed a game with random options."""
    rng = random.Random(f"{game.name} {seed}")
    seats, options = (game.seats[0], {}) if seed == 1 else any_table(game, rng)
    return Match(game, seats, options), rng


def viewers(match: Match) -> list[int | None]:
    return [None, *range(match.seats)]


@each_game
def test_numbers_and_typed_actions_convert_both_ways(game: Game) -> None:
    match, _ = table(game, 1)
    for number in range(game.rules.ACTIONS):
        action = game.moves.decode(number)
        assert game.moves.encode(action, match.state) == (number,)
        assert game.moves.decode(number) == action
    for number in range(game.rules.OUTCOMES):
        chance = game.moves.decode_chance(number)
        assert game.moves.encode_chance(chance) == number
        assert game.notation.parse_chance(game.notation.write_chance(chance)) == chance


@each_game
@each_table
def test_a_random_game_keeps_the_contract_of_the_rules(game: Game, seed: int) -> None:
    match, rng = table(game, seed)

    def look(m: Match) -> None:
        if m.chance:
            found = m.chances()
            assert found
            assert all(weight > 0 for _, weight in found)
            assert len({chance for chance, _ in found}) == len(found)
            assert not any(m.numbers(seat) for seat in range(m.seats))
            return
        assert m.actors
        for seat in range(m.seats):
            numbers = m.numbers(seat)
            assert bool(numbers) == (seat in m.actors)
            assert list(numbers) == sorted(set(numbers))
            assert all(0 <= n < game.rules.ACTIONS for n in numbers)
            for action in m.legal(seat):
                text = game.notation.write(action)
                assert m.parse(text) == action
                assert m.parse(f"  {text.upper()}  ") == action

    walk(match, rng, 400, look)
    assert match.ply <= game.rules.LONGEST


@each_game
@each_table
def test_positions_views_and_imagination_agree(game: Game, seed: int) -> None:
    match, rng = table(game, seed)
    stream = seed_stream(seed)
    looked = 0
    for _ in range(25):
        walk(match, rng, 12)
        if match.over:
            break
        text = game.notation.write_position(match.state)
        again = msgspec.json.decode(msgspec.json.encode(text))
        assert game.notation.parse_position(again).tobytes() == match.state.tobytes()
        for viewer in viewers(match):
            seen = match.view(viewer)
            assert msgspec.json.encode(seen)
            if viewer is not None:
                world = game.view.imagine(seen, stream)
                assert msgspec.json.encode(game.view.view(world, viewer)) == msgspec.json.encode(seen)
                assert Match(game, match.seats, match.options, state=world).legal(viewer) == match.legal(
                    viewer
                )
        looked += 1
    assert looked > 1


@each_game
@each_table
def test_undo_leads_back_to_the_same_bytes(game: Game, seed: int) -> None:
    match, rng = table(game, seed)
    walk(match, rng, 60)
    states = [match.state_at(ply).tobytes() for ply in range(match.ply + 1)]
    while match.ply:
        assert match.state.tobytes() == states[match.ply]
        match.undo()
    assert match.state.tobytes() == states[0]
    with pytest.raises(Refused):
        match.undo()


@each_game
def test_an_illegal_action_is_refused_and_changes_nothing(game: Game) -> None:
    match, rng = table(game, 2)
    refused = 0
    for _ in range(60):
        if match.over:
            break
        before = match.state.tobytes()
        number = rng.randrange(game.rules.ACTIONS)
        for seat in range(match.seats):
            if number not in match.numbers(seat):
                with pytest.raises(Refused, match=r"\w+ \w+"):
                    match.act(seat, game.moves.decode(number))
                refused += 1
        assert match.state.tobytes() == before
        step(match, rng)
    assert refused > 20
    with pytest.raises(BadInput):
        match.parse("dance with the captain")


@each_game
@each_table
def test_every_event_has_a_sentence(game: Game, seed: int) -> None:
    match, rng = table(game, seed)
    walk(match, rng, 250)
    names = tuple(f"Player {seat}" for seat in range(match.seats))
    told = 0
    for viewer in (*viewers(match), ALL):
        for ply in range(match.ply):
            for event in match.events_of(ply, viewer):
                assert msgspec.json.encode(event)
                sentence = game.events.say(event, names, plain)
                assert sentence.strip()
                assert "{" not in sentence
                told += 1
    assert told > match.ply


@each_game
@each_table
def test_features_are_finite_and_named(game: Game, seed: int) -> None:
    match, rng = table(game, seed)
    assert len(game.view.feature_names()) == game.view.FEATURES
    out = np.zeros(game.view.FEATURES, np.float32)
    for _ in range(20):
        walk(match, rng, 9)
        for seat in range(match.seats):
            out[:] = np.nan
            game.view.features(match.state, seat, out)
            assert np.isfinite(out).all()


@each_game
def test_sampled_outcomes_follow_the_weights_of_the_chances(game: Game) -> None:
    match, rng = table(game, 2)
    stream = seed_stream(5)
    looked = 0
    while not match.over and looked < 6:
        if match.chance and rng.random() < 0.2:
            found = {game.moves.encode_chance(chance): weight for chance, weight in match.chances()}
            drawn = Counter(int(game.rules.sample_chance(match.state, stream)) for _ in range(1500))
            total = sum(found.values())
            assert set(drawn) <= set(found)
            for number, weight in found.items():
                expected = 1500 * weight / total
                assert abs(drawn[number] - expected) < 6 * expected**0.5 + 6
            looked += 1
        step(match, rng)
    assert looked


@pytest.mark.deep  # many tests of the server play whole games of bots
@each_game
@pytest.mark.parametrize("seats", [0, -1])
def test_a_match_of_default_bots_ends(game: Game, seats: int) -> None:
    match = Match(game, game.seats[seats])
    bot = seat_bot(game, default_level(game))
    stream = seed_stream(3)
    while not match.over:
        if match.chance:
            found = match.chances()
            weights = np.array([weight for _, weight in found], np.int16)
            match.land(found[int(pick(stream, weights, len(weights)))][0])
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    outcome = match.outcome
    assert outcome is not None
    assert match.ply <= game.rules.LONGEST
    assert min(outcome.ranks) == 1
    assert abs(sum(outcome.payoffs)) < 1e-9
    for seat, rank in enumerate(outcome.ranks):
        assert rank == 1 + sum(1 for other in outcome.ranks if other < rank), seat


# Searches take twenty seconds to compile; tests/solvers/plain_search.py makes the same tests with plain kernels.
LEVELS = [
    pytest.param(game, level, id=f"{game.name}-{level}", marks=[pytest.mark.deep] * (card["bot"] == "search"))
    for game in shelf().values()
    for level, card in game.levels.items()
]


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_a_bot_chooses_the_same_action_for_the_same_seed(game: Game, level: str) -> None:
    match, rng = table(game, 1)
    walk(match, rng, 10)
    bot = seat_bot(game, level)
    while match.chance:
        step(match, rng)
    seat = match.actors[0]
    chosen = [bot.choose(match.view(seat), match.legal(seat), seed_stream(7)) for _ in range(2)]
    assert chosen[0] == chosen[1]


@each_game
def test_a_level_that_a_game_lacks_is_refused(game: Game) -> None:
    with pytest.raises(BadInput, match="level"):
        seat_bot(game, "admiral of the fleet")


@each_game
def test_unknown_options_and_values_are_refused(game: Game) -> None:
    seats = game.seats[0]
    with pytest.raises(BadOption, match="no option of that name"):
        game.settle(seats, {"moonlight": True})
    with pytest.raises(BadInput, match="players"):
        game.settle(99, {})
    for option in game.options:
        with pytest.raises(BadOption, match=option.name):
            game.settle(seats, {option.name: "a purple elephant"})
        assert option.check(option.preset(seats)) == option.preset(seats)
        assert option.title


@pytest.mark.sampled
@each_game
@pytest.mark.parametrize("language", ["en", "de", "fi", "fr", "it", "nl"])
def test_the_short_rules_follow_the_options_that_change_what_a_player_does_or_scores(
    game: Game, language: str
) -> None:
    seats = max(game.seats)
    usual = {option.name: option.preset(seats) for option in game.options}
    # A game may have no short rules.
    for option in game.options if game.card("en", seats, usual) else ():
        values = option.choices or option.bounds or (False, True)
        tables = [{**usual, option.name: value} for value in values]
        texts = [game.card(language, seats, one).splitlines() for one in tables]
        english = [game.card("en", seats, one).splitlines() for one in tables]
        assert (texts[0] == texts[-1]) == (option.name in UNSAID), option.name
        assert [*map(len, texts)] == [*map(len, english)], option.name


@each_game
def test_states_of_a_pool_do_not_touch_each_other(game: Game) -> None:
    match, rng = table(game, 1)
    walk(match, rng, 30)
    states: Any = pool(game.rules.STATE, 3)
    before = states[[0, 2]].tobytes()
    states[1] = match.state
    stream = seed_stream(1)
    for _ in range(50):
        who = game.rules.actors(states[1])
        if who == -1:
            game.rules.apply_chance(states[1], game.rules.sample_chance(states[1], stream))
        elif who > 0:
            seat = (int(who) & -int(who)).bit_length() - 1
            out = np.zeros(game.rules.ACTIONS, np.int16)
            game.rules.legal(states[1], seat, out)
            game.rules.play(states[1], seat, int(out[0]))
    assert states[[0, 2]].tobytes() == before


def test_shared_ranks_share_the_payoffs() -> None:
    assert payoffs((1, 2)) == (1.0, -1.0)
    assert payoffs((1, 1)) == (0.0, 0.0)
    assert payoffs((1, 2, 2, 4)) == pytest.approx((1.0, 0.0, 0.0, -1.0))
    assert payoffs((1,)) == (0.0,)
