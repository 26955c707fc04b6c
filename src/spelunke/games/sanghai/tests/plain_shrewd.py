"""Tests of the player with learned costs of hands, of its training, and of the kernels that play whole games.

``test_shrewd.py`` runs this module in another process, in which kernels are not compiled.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.kernel import copy_pool, pool
from spelunke.games.match import Match
from spelunke.games.sanghai import (
    GAME,
    bots,
    branches,
    estimates,
    foresight,
    hands,
    laying,
    layings,
    learning,
    moves,
    notation,
    selfplay,
    shrewd,
    state,
    traces,
    tracing,
)
from spelunke.games.sanghai.cards import KIND_OF
from spelunke.games.sanghai.reader import Reader
from spelunke.games.sanghai.state import LAYOFF_SAME_TURN

TABLES: tuple[tuple[int, dict[str, object]], ...] = (
    (4, {}),
    (3, {"black_twos_wild": True, "joker_swap": True, "hep_window": "sequenced", "schedule": "short"}),
    (2, {"two_player_deal12": True}),
    (8, {"hep_penalty": 2, "show_discards": "all", "schedule": "shanghai10"}),
)


def decisions(match: Match, count: int, seed: int) -> Iterator[int]:
    """Play a match between planner bots. Yield the seat that decides, before each decision with several legal actions.

    Stop after ``count`` of these decisions.
    """
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


def test_the_learned_weights_have_the_form_that_the_kernels_read() -> None:
    known = hands.load()
    assert known.net.shape[1] == estimates.SIGNS + 2
    assert known.tuned.shape == (shrewd.TUNED,)
    assert 0 < known.error < known.spread
    assert known.recipe
    assert np.abs(known.net).max() < 200


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_the_choice_is_legal_and_depends_only_on_the_view(table: int) -> None:
    seats, options = TABLES[table]
    match, bot = Match(GAME, seats, options), bots.ShrewdBot(GAME)
    for seat in decisions(match, 9, table):
        view, legal = match.view(seat), match.legal(seat)
        chosen = [bot.choose(view, legal, seed_stream(k)) for k in range(2)]
        assert chosen[0] == chosen[1]
        assert chosen[0] in legal or isinstance(chosen[0], moves.LayDown)


def test_the_learned_bot_plays_unlearned_contracts_as_the_planner_bot_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seats, options = TABLES[3]
    known = msgspec.structs.replace(hands.load(), schedules=["source", "short"])
    monkeypatch.setattr(hands, "load", lambda: known)
    assert not int(known.tuned[shrewd.LEARNED]) >> state.LONG_SCHEDULE & 1
    match, shrewdly, uncle = Match(GAME, seats, options), bots.ShrewdBot(GAME), bots.PlannerBot(GAME)
    for seat in decisions(match, 40, 8):
        given = match.view(seat), match.legal(seat), seed_stream(1)
        assert shrewdly.choose(*given) == uncle.choose(*given)


@pytest.mark.parametrize("table", [0, 1])
def test_the_kernels_lay_contracts_as_the_planner_does(table: int) -> None:
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


def test_the_same_deck_number_deals_the_same_cards() -> None:
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


def at_turn(seats: list[dict[str, object]], lap: int = 1, **more: object) -> state.State:
    done = [{"points": [0] * len(seats)}] * (lap - 1)
    return notation.parse_position({"turn": 0, "round": lap, "finished": done, "seats": seats, **more})


def test_a_card_that_the_next_player_collects_is_dangerous_to_discard() -> None:
    others: list[dict[str, object]] = [
        {"hand": "7s 7h 4c 9d qh"},
        {"hand": "2c 5d 8h jc ks"},
        {"hand": "3c 6d 9h jd kc"},
    ]
    hand: dict[str, object] = {"hand": "7d kd 4h 5s 9c jh"}
    before, told = (
        at_turn([hand, *others]),
        at_turn([hand, {**others[0], "taken": "7s 7h", "thrown": "kh"}, *others[1:]]),
    )
    kinds = np.zeros(state.KINDS, np.int16)
    seven, king = KIND_OF["7d"], KIND_OF["kd"]
    kinds[[seven, king]] = 1
    found = []
    for s in (before, told):
        wants, calls = np.zeros(state.KINDS), np.zeros(state.KINDS)
        traces.weigh_danger(s, 0, kinds, wants, calls)
        found.append((wants[seven], wants[king]))
        assert (calls[[seven, king]] > 0).all()
        assert calls[kinds == 0].sum() == 0
    assert found[1][0] > 1.5 * found[0][0]
    assert found[1][1] < 0.6 * found[0][1]


def test_cards_in_the_pile_or_in_known_hands_are_not_live() -> None:
    s = at_turn([{"hand": "7s 7h 2c"}, {"hand": "7d 9c", "taken": "7d"}, {"hand": "3c"}], pile="7c 7s kd")
    live, known = np.zeros(state.KINDS, np.int16), np.zeros(state.KINDS, np.int16)
    count = traces.count_live(s, 0, live, known)
    assert [int(live[KIND_OF[card]]) for card in ("7s", "7h", "7d", "7c", "kd", "3c")] == [0, 1, 1, 1, 1, 2]
    assert known[KIND_OF["7d"]] == known.sum() == 1
    assert count == live.sum()


def test_a_look_ahead_gives_the_weighted_mean_over_all_next_draws() -> None:
    s = at_turn([{"hand": "7s 7h 9c 9d kd qh"}, {"hand": "2c 3d"}, {"hand": "3c 5d"}, {"hand": "4c jd"}])
    net = np.zeros((2, estimates.SIGNS + 2))
    net[0, 0], net[0, -1] = 4.0, 10.0  # ten points for each missing card
    net[1, 5], net[1, -1] = 100.0, 0.5  # and half the points of the hand
    tuned, signs, h = np.zeros(shrewd.TUNED), np.zeros(estimates.SIGNS), s.hand[0].copy()
    live, known = np.zeros(state.KINDS, np.int16), np.zeros(state.KINDS, np.int16)
    count = traces.count_live(s, 0, live, known)
    given = (h, 6, laying.wish_of(s), live, known, count, net, tuned, signs)
    here = estimates.value_of(s, *given)
    assert here == pytest.approx(20 + 0.5 * 57)
    # Six sevens, six nines and the jokers each save ten points, and the king goes instead of the card drawn.
    saved = 6 * (10 + 0.5 * (13 - 7)) + 6 * (10 + 0.5 * (13 - 9)) + live[state.JOKER] * (10 + 0.5 * (13 - 15))
    assert estimates.look_ahead(s, *given) == pytest.approx(here - saved / count)
    assert (h == s.hand[0]).all()
    assert live.sum() == count


def test_close_choices_are_played_out_in_worlds_that_the_view_allows() -> None:
    # All know that the next player holds a jack to add, and goes out with any draw: a seat that keeps the king pays.
    seats: list[dict[str, object]] = [
        {"hand": "kd 2d"},
        {"hand": "jd", "taken": "jd", "laid": True},
        {"hand": "5c 6c 7d"},
        {"hand": "3c 4d 8d"},
    ]
    melds = [{"owner": 1, "cards": "js jh jc"}, {"owner": 1, "cards": "qs qh qc"}]
    s = at_turn(seats, melds=melds)
    work, listed = pool(state.STATE, 3), np.zeros(state.ACTIONS, np.int16)
    work[0] = s
    ways = np.array([state.DISCARD + KIND_OF[card] for card in ("kd", "2d")], np.int16)
    known = hands.load()
    tuned = known.tuned[None]
    tuned[0, shrewd.WORLDS], tuned[0, shrewd.TRUST] = 2, 0
    found = []
    for _ in range(2):
        costs = np.zeros(foresight.MOST)
        foresight.foresee(work, 0, ways, 2, known.net[None], tuned, listed, seed_stream(3), costs)
        found.append(costs)
    assert (found[0] == found[1]).all()
    assert found[0][0] < found[0][1] - 8
    assert work[0].tobytes() == s.tobytes()


def test_close_choices_are_legal_and_depend_only_on_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    known, foresee = hands.load(), foresight.foresee
    tuned = known.tuned[None]
    tuned[0, shrewd.WORLDS] = 1
    match, listed = Match(GAME, 4), np.zeros(state.ACTIONS, np.int16)
    work, phases, weighed = pool(state.STATE, 3), set(), []

    def note(*given: object) -> None:
        foresee(*given)
        phases.add(view.phase)
        weighed.append(given[-1].tolist())

    monkeypatch.setattr(foresight, "foresee", note)
    for seat in decisions(match, 60, 6):
        view, legal = match.view(seat), match.legal(seat)
        lays = any(isinstance(action, moves.OpenSet | moves.OpenRun) for action in legal)
        if lays or view.phase not in ("window", "turn"):
            continue
        found, worlds = [], []
        weighed.clear()
        for k in range(2):  # two tables that differ in facts hidden from the seat
            work[0] = GAME.view.imagine(view, seed_stream(k))
            worlds.append(work[0].tobytes())
            number = foresight.choose(work, seat, known.net[None], tuned, listed, seed_stream(9))
            found.append(moves.decode(int(number)))
            assert work[0].tobytes() == worlds[k]
        assert worlds[0] != worlds[1]
        assert found[0] == found[1]
        assert found[0] in legal
        assert weighed in ([], 2 * weighed[:1])
        if phases == {"window", "turn"}:
            return
    raise AssertionError(phases)


def test_discards_close_to_the_best_are_listed_with_the_best_first() -> None:
    s = at_turn([{"hand": "7s 7h 9c 9d kd qh"}, {"hand": "2c 3d"}, {"hand": "3c 5d"}, {"hand": "4c jd"}])
    work = pool(state.STATE, 3)
    work[0] = s
    net = np.zeros((1, estimates.SIGNS + 2))
    net[0, 5], net[0, -1] = 100.0, 1.0  # a hand costs its points
    tuned = np.zeros(shrewd.TUNED)
    ways, costs = np.zeros(foresight.MOST, np.int16), np.zeros(foresight.MOST)
    for narrow, cards in ((0.5, "kd"), (1.0, "kd qh"), (4.0, "kd qh 9d 9c")):
        tuned[shrewd.NARROW] = narrow
        count = foresight.list_throws(work, 0, net, tuned, ways, costs)
        assert [int(way) - state.DISCARD for way in ways[:count]][:2] == [
            KIND_OF[card] for card in cards.split()
        ][:2]
        assert costs[0] == pytest.approx(57 - 13)
        assert (np.diff(costs[:count]) >= 0).all()
        assert {int(way) - state.DISCARD for way in ways[:count]} == {KIND_OF[card] for card in cards.split()}


def test_learning_checks_draws_by_the_formula_that_the_bot_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    known = hands.load()
    net, tuned = known.net, known.tuned
    tuned[[shrewd.DRAW, shrewd.WILD]] = 0
    played: list[float] = []

    def look(work: state.State, seat: int, first: int, *given: object) -> float:
        assert first == state.TAKE
        played.append(shrewd.price_top(work[0], seat, net, tuned))
        return 0.0

    monkeypatch.setattr(branches, "branch", look)
    setup = GAME.setup(4, GAME.settle(4))
    seeds, every = seed_stream(3), np.array([30000, 30000, 4], np.int16)
    rows, costs = np.zeros((5, 2, estimates.SIGNS)), np.zeros((5, 2))
    work, listed, styles = pool(state.STATE, 2), np.zeros(state.ACTIONS, np.int16), np.zeros(8, np.int16)
    given = (work, setup, seeds, styles, net[None], tuned[None], listed, rows, costs, every)
    assert branches.gather_pairs(*given) == len(played) == 5
    checked = [estimates.judge(net, tuned, two[1]) - estimates.judge(net, tuned, two[0]) for two in rows]
    assert checked == pytest.approx(played)


def test_the_fits_recover_the_weights_behind_simulated_actions() -> None:
    rng = np.random.default_rng(5)
    true = np.where(np.arange(traces.TRACES) < 3, [1.0, -1.0, 0.5] + [0.0] * 13, 0.0)
    signs = rng.integers(0, 2, (1500, 30, traces.TRACES)).astype(np.float64)
    unseen = rng.integers(0, 3, (1500, 30)).astype(np.float64)
    rate = unseen * np.exp(signs @ true)
    held = np.array([rng.multinomial(8, row / row.sum()) for row in rate]).astype(np.float64)
    weights, told, flat = tracing.fit_lean(signs, held, unseen)
    assert np.abs(weights - true).max() < 0.1
    assert told > flat + 0.05
    x = np.column_stack([np.ones(20000), rng.normal(size=(20000, 2))])
    y = (rng.random(20000) < 1 / (1 + np.exp(1 - 2 * x[:, 1]))).astype(np.float64)
    weights, told, flat = tracing.fit_wants(x, y)
    assert np.abs(weights - [-1, 2, 0]).max() < 0.15
    assert told > flat + 0.1


def test_learning_resumes_from_stored_games_and_writes_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def play(
        number: int, seed: int, after: hands.Hands | None, size: int
    ) -> tuple[learning.Floats, learning.Floats]:
        asked.append((number, after is None))
        rng = np.random.default_rng([number, seed])
        x = rng.normal(size=(6000, estimates.SIGNS)).astype(np.float32)
        x[:, 16] = 0.5  # equal in all hands
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


def test_learning_ignores_games_of_other_players_or_of_an_older_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    players: list[hands.Hands | None] = []

    def play(
        number: int, seed: int, after: hands.Hands | None, size: int
    ) -> tuple[learning.Floats, learning.Floats]:
        players.append(after)
        return np.zeros((8, estimates.SIGNS), np.float32), np.zeros(8, np.float32)

    monkeypatch.setattr(learning, "play_part", play)
    known = hands.load()
    other = msgspec.structs.replace(known, units=[[2 * x for x in row] for row in known.units])
    bolder = msgspec.structs.replace(known, numbers=[*known.numbers[:-1], known.numbers[-1] + 1])
    fewer = msgspec.structs.replace(known, schedules=["source"])
    everyone = [None, known, other, bolder, fewer]
    for _ in range(2):  # the second run plays nothing
        for after in everyone:
            learning.gather(2, 1, tmp_path, after)
    assert players == [after for after in everyone for _ in range(2)]
    dated = msgspec.structs.replace(known, recipe="the same player", date="2000-01-01", error=1.0)
    learning.gather(2, 1, tmp_path, dated)
    assert len(players) == 2 * len(everyone)
    for name, value in (("BLIND", 100), ("EVERY", 4), ("TABLES", learning.TABLES[::-1])):
        with monkeypatch.context() as changed:
            changed.setattr(learning, name, value)
            learning.gather(1, 1, tmp_path, known)
        assert players.pop() is known, name
        assert len(players) == 2 * len(everyone), name
    learning.gather(1, 1, tmp_path, known, size=16)
    assert len(players) == 2 * len(everyone) + 1
    (tmp_path / "after-1-0.npz").write_bytes(b"of an older form")
    learning.gather(1, 1, tmp_path, known)
    assert len(players) == 2 * len(everyone) + 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("learn --on --share 0 0", "--share"),
        ("learn --on --share -1 2", "--share"),
        ("learn --on --share 2 2", "--share"),
        ("learn --share 0 2", "--share is for learn --on"),
        ("compare --on --share 0 2", "--share is for learn --on"),
        ("learn --trust 0.3", "--trust is for learn --on"),
        ("learn --on --trust nan", "--trust"),
        ("learn --parts 0", "--parts"),
        ("learn --parts -3", "--parts"),
        ("learn --epochs 0", "--epochs"),
        ("learn --keep FILE", "--keep"),
        ("learn --keep FILE/inside", "--keep"),
        ("learn --out FILE/inside", "--out"),
        ("learn --out .", "--out"),
        ("compare --seats 9", "3 to 8 players"),
        ("compare --rounds 1", "--rounds"),
    ],
)
def test_bad_options_are_refused_before_any_game_is_played(
    given: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(*given: object) -> tuple[learning.Floats, learning.Floats]:
        raise AssertionError(given)

    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(learning, "play_part", play)
    monkeypatch.setattr(sys, "argv", ["learning", *given.split()])
    with pytest.raises(SystemExit) as ended:
        learning.main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["FILE"]


def test_a_fit_takes_the_given_number_of_steps_for_any_sample_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken, slopes = [], learning.slopes

    def count(*given: learning.Floats) -> list[learning.Floats]:
        taken.append(len(given[1]))
        return slopes(*given)

    monkeypatch.setattr(learning, "slopes", count)
    monkeypatch.setattr(learning, "BATCH", 64)
    rng = np.random.default_rng(1)
    for size, batch in ((40, 40), (64, 64), (1000, 64)):
        taken.clear()
        x = rng.normal(size=(size, estimates.SIGNS)).astype(np.float32)
        net, _ = learning.fit(x, x[:, 0] * 20, 50, 1)
        assert taken == [batch] * 50
        assert np.isfinite(net).all()


@pytest.mark.parametrize("trust", [0.0, 0.5])
def test_continued_learning_weights_the_earlier_player_by_the_given_trust(
    trust: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = np.zeros((1, estimates.SIGNS + 2))
    unit[0, [0, -1]] = 1, 20
    before = msgspec.structs.replace(hands.Hands.nothing(), units=unit.tolist())

    def play(
        number: int, seed: int, after: hands.Hands | None, size: int
    ) -> tuple[learning.Floats, learning.Floats]:
        assert after is before
        x = np.random.default_rng([number, seed]).normal(size=(6000, estimates.SIGNS)).astype(np.float32)
        return x, np.zeros(6000, np.float32)

    monkeypatch.setattr(learning, "BATCH", 128)
    monkeypatch.setattr(learning, "load", lambda: before)
    monkeypatch.setattr(learning, "play_part", play)
    learning.learn(3, 20, 1, tmp_path, tmp_path / "on.json", on=True, trust=trust)
    found = msgspec.json.decode((tmp_path / "on.json").read_bytes(), type=hands.Hands)
    probe = np.zeros((2, estimates.SIGNS), np.float32)
    probe[1, 0] = 2
    low, high = learning.judge(found.net, float(found.tuned[estimates.OFFSET]), probe)
    assert high - low == pytest.approx(40 * trust, abs=4)
    assert f"--on --trust {trust:g}" in found.recipe
