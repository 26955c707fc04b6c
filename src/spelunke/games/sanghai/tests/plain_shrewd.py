"""Run by ``test_shrewd.py`` with plain kernels: the player that has learned what hands cost, and games in kernels."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.kernel import copy_pool, pool
from spelunke.core.match import Match
from spelunke.games.sanghai import GAME, bots, hands, layings, learning, moves, selfplay, shrewd, state
from spelunke.games.sanghai.reader import Reader
from spelunke.games.sanghai.state import LAYOFF_SAME_TURN

TABLES: tuple[tuple[int, dict[str, object]], ...] = (
    (4, {}),
    (3, {"black_twos_wild": True, "joker_swap": True, "hep_window": "sequenced", "schedule": "short"}),
    (2, {"two_player_deal12": True}),
    (8, {"hep_penalty": 2, "show_discards": "all", "schedule": "shanghai10"}),
)


def decisions(match: Match, count: int, seed: int) -> Iterator[int]:
    """Each decision of a match with a choice, by Uncles; the seat that is asked."""
    rng, bot, stream = random.Random(seed), bots.PlannerBot(GAME), seed_stream(seed)
    while not match.over and count > 0:
        if match.chance:
            found = match.chances()
            match.apply_chance(rng.choices([o for o, _ in found], [w for _, w in found])[0])
            continue
        seat = rng.choice(match.actors)
        legal = match.legal(seat)
        if len(legal) > 1:
            count -= 1
            yield seat
        match.act(seat, bot.choose(match.view(seat), legal, stream))


def test_what_was_learned_is_of_the_form_that_the_kernels_read() -> None:
    known = hands.load()
    assert known.net.shape[1] == shrewd.SIGNS + 2
    assert known.tuned.shape == (shrewd.TUNED,)
    assert 0 < known.error < known.spread
    assert known.recipe
    assert np.abs(known.net).max() < 200


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_the_choice_is_legal_and_hangs_on_the_view_alone(table: int) -> None:
    seats, options = TABLES[table]
    match, bot = Match(GAME, seats, options), bots.ShrewdBot(GAME)
    for seat in decisions(match, 9, table):
        view, legal = match.view(seat), match.legal(seat)
        chosen = [bot.choose(view, legal, seed_stream(k)) for k in range(2)]
        assert chosen[0] == chosen[1]
        assert chosen[0] in legal or isinstance(chosen[0], moves.LayDown)


def test_contracts_that_were_not_learned_are_played_as_the_uncle_plays_them() -> None:
    seats, options = TABLES[3]
    match, shrewdly, uncle = Match(GAME, seats, options), bots.ShrewdBot(GAME), bots.PlannerBot(GAME)
    for seat in decisions(match, 40, 8):
        given = match.view(seat), match.legal(seat), seed_stream(1)
        assert shrewdly.choose(*given) == uncle.choose(*given)


@pytest.mark.parametrize("table", [0, 1])
def test_contracts_are_laid_in_kernels_as_the_planner_lays_them(table: int) -> None:
    seats, options = TABLES[table]
    match, laid = Match(GAME, seats, options), 0
    for seat in decisions(match, 400, 5):
        legal = match.legal(seat)
        if not any(isinstance(action, moves.OpenSet | moves.OpenRun) for action in legal):
            continue
        reader = Reader(match.view(seat))
        _, melds = reader.plan(bool(reader.seen.option(LAYOFF_SAME_TURN)))
        other = Match(GAME, seats, options, state=match.state)
        other.act(seat, moves.LayDown(melds))
        work = pool(state.STATE, 1)
        work[0] = match.state
        work = copy_pool(work)
        assert layings.lay(work[0], seat)
        assert sorted(map(repr, GAME.view.view(work[0], seat).melds)) == sorted(
            map(repr, other.view(seat).melds)
        )
        assert GAME.view.view(work[0], seat).hand == other.view(seat).hand
        laid += 1
        if laid == 2:
            return
    assert laid


def test_all_who_meet_the_same_decks_are_dealt_the_same_cards() -> None:
    setup = GAME.setup(4, GAME.settle(4))
    work, order = pool(state.STATE, 2), np.zeros(300, np.int16)
    found = []
    for k in range(2):
        GAME.rules.start(work[k], setup)
        work[k].phase = state.DEALING
        count = selfplay.shuffle(work[k], 17, order)
        found.append(order[:count].tolist())
    assert found[0] == found[1]
    assert sorted(found[0]) == sorted(kind for kind in range(53) for _ in range(int(work[0].stock[kind])))
    assert found[0] != sorted(found[0])


def test_learning_goes_on_where_it_was_cut_off_and_writes_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def play(number: int, seed: int, after: hands.Hands | None) -> tuple[learning.Floats, learning.Floats]:
        asked.append((number, after is None))
        rng = np.random.default_rng([number, seed])
        x = rng.normal(size=(6000, shrewd.SIGNS)).astype(np.float32)
        x[:, 16] = 0.5  # the same in all hands
        y = 20 * np.maximum(x[:, 0], 0) + rng.normal(size=6000)
        return x, y.astype(np.float32)

    monkeypatch.setattr(learning, "play_part", play)
    files = [tmp_path / f"{k}.json" for k in range(2)]
    for file in files:
        learning.learn(3, 70, 1, tmp_path, file)
    assert asked == [(k, first) for first in (True, False) for k in range(3)]
    assert files[0].read_bytes() == files[1].read_bytes()
    found = msgspec.json.decode(files[0].read_bytes(), type=hands.Hands)
    assert found.error < 0.7 * found.spread
    assert np.abs(found.net).max() < 200
