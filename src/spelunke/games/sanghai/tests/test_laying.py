"""Under all options, laying card by card leads to all legal layings, to no others, and to no dead ends.

Hints are correct.
"""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from spelunke.core.kernel import copy, pool
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, cards, hints, moves, notation, rules, state
from spelunke.games.sanghai.cards import card_of
from spelunke.games.sanghai.laying import legal_steps, may_lay, step

_spec = importlib.util.spec_from_file_location("sanghai_brute", Path(__file__).with_name("brute.py"))
assert _spec is not None
assert _spec.loader is not None
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

Meld: TypeAlias = tuple[int, int, int, int]
Laying: TypeAlias = tuple[tuple[int, ...], tuple[Meld, ...]]
"""The hand that stays, and the melds."""

LAPS = {(2, 0): 1, (1, 1): 2, (0, 2): 3, (3, 0): 4, (2, 1): 5, (1, 2): 6, (0, 3): 7, (4, 0): 8}
"""For each contract (number of sets, number of runs), the number of its round in the default schedule."""
PLENTY = {"packs": 4, "jokers_per_pack": 4, "hep_limit": 5, "hep_penalty": 2}


def at_turn(hand: str, lap: int, **options: object) -> Match:
    """Return a match in which seat 0 has drawn and each other seat holds one card."""
    options = {**PLENTY, **options}
    position = {
        "options": options,
        "round": lap,
        "finished": [{"points": [0] * 4}] * (lap - 1),
        "turn": 0,
        "seats": [{"hand": hand, "heps": 2}, {"hand": "3h"}, {"hand": "3d"}, {"hand": "4h"}],
    }
    return Match(GAME, 4, options, state=notation.parse_position(position))


def follow_all_steps(start: state.State) -> tuple[set[Laying], int]:
    """Return all layings to which legal steps lead (in the form of ``brute.layings``), and the number of dead ends."""
    out = np.zeros(state.ACTIONS, np.int16)
    found: set[Laying] = set()
    met: set[tuple[object, ...]] = set()
    dead = 0
    todo = [start] if may_lay(start, 0) else []
    while todo:
        s = todo.pop()
        count = legal_steps(s, 0, out, 0)
        dead += count == 0
        for action in out[:count].tolist():
            after = copy(s)
            step(after, 0, action)
            if after.phase == state.TURN:
                found.add(
                    (tuple(after.hand[0].tolist()), tuple(meld_of(after, m) for m in range(after.melds)))
                )
            elif (key := outline(after)) not in met:
                met.add(key)
                todo.append(after)
    return found, dead


def meld_of(s: state.State, m: int) -> Meld:
    run = s.form[m] == state.RUN
    return int(s.form[m]), int(s.what[m]), int(s.low[m]) if run else 0, int(s.high[m]) if run else 0


def outline(s: state.State) -> tuple[object, ...]:
    """Return the facts that decide the next steps of a begun laying."""
    m = int(s.melds)
    of_set = s.form[m] == state.SET
    size = int(s.cells[m, :7].sum()) if of_set else 0
    natural = of_set or bool((s.cells[m] == state.NATURAL).any())
    melds = tuple(meld_of(s, k) for k in range(m + 1))
    return s.hand[0].tobytes(), m, melds, int(s.phase), size, natural


def near_hand(rng: random.Random, size: int, black: bool) -> list[int]:
    """Return the counts of a hand by kind. Most of its cards are close in rank or wild."""
    base = rng.choice([0, 1, 12]) if black and rng.random() < 0.6 else rng.randrange(13)
    suits = rng.sample(range(4), rng.randint(1, 2))
    near = [13 * suit + (base + up) % 13 for suit in suits for up in range(rng.randint(1, 5))]
    kinds = [52] * rng.randint(0, 6) + ([1, 40] * rng.randint(0, 3) if black else [])
    kinds += [rng.choice(near) for _ in range(size)] + [rng.randrange(52) for _ in range(2)]
    if rng.random() < 0.5:
        rng.shuffle(kinds)
    hand = [0] * 53
    for kind in kinds:
        if sum(hand) < size and hand[kind] < (8 if kind == 52 else 4):
            hand[kind] += 1
    return hand


def some_options(rng: random.Random) -> dict[str, bool]:
    """Return a random combination of all options that affect laying."""
    return {
        "black_twos_wild": rng.random() < 0.6,
        "distinct_sets": rng.random() < 0.4,
        "no_adjacent_runs": rng.random() < 0.4,
        "last_round_at_once": rng.random() < 0.5,
    }


def check_steps(seed: int, wide: bool) -> int:
    """Check that laying card by card leads to all layings that brute force finds, and to no others.

    Return the number of these layings, or 0 if the case is too large to check.
    """
    rng = random.Random(seed)
    sets, runs = rng.choice([*list(LAPS)[:3], *list(LAPS)] if wide else list(LAPS)[:3])
    options = some_options(rng)
    black = options["black_twos_wild"]
    hand = near_hand(rng, 3 * sets + 4 * runs + rng.randint(1, 1 + wide), black)
    wilds = hand[52] + (hand[1] + hand[40] if black else 0)
    if 3 * sets + 4 * runs > 8 and wilds > 4:
        return 0
    found = brute.layings(
        tuple(hand), sets, runs, 4, black, options["distinct_sets"], options["no_adjacent_runs"]
    )
    if len(found) > (2500 if wide else 300):
        return 0
    if (sets, runs) == (0, 3):
        options["schedule"] = "contract7"
    last = (sets, runs) == (4, 0) or "schedule" in options
    if options["last_round_at_once"] and last:
        found = {(rest, melds) for rest, melds in found if sum(rest) == 1}
    s = pool(state.STATE, 1)[0]
    rules.start(s, GAME.setup(3, GAME.settle(3, {**PLENTY, **options})))
    s.lap, s.turn, s.phase = LAPS[sets, runs] - 1, 0, state.TURN
    s.hand[0] = hand
    s.held[0] = sum(hand)
    reached, dead = follow_all_steps(s)
    case = " ".join(card_of(k) for k in range(53) for _ in range(hand[k])), (sets, runs), options
    assert dead == 0, case
    assert reached == found, case
    return len(found)


@pytest.mark.deep
def test_legal_steps_reach_every_legal_laying_and_no_other() -> None:
    assert sum(check_steps(seed, wide=False) for seed in range(60)) > 300


@pytest.mark.deep
@pytest.mark.parametrize("part", range(8))
def test_legal_steps_reach_every_laying_of_every_contract(part: int) -> None:
    assert sum(check_steps(1000 * (part + 1) + number, wide=True) for number in range(400)) > 2000


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("hand", "lap", "options"),
    [
        ("* * * * * 2c 2c 2s 2s ac", 4, {"distinct_sets": True}),  # the rest must not be only twos
        ("2s 2s 2c 2c * * * *", 1, {"distinct_sets": True}),
        ("2s 2s 2c 2c 2c * * * *", 4, {}),
        ("5h 6h * * * * * * kc", 3, {"no_adjacent_runs": True}),
    ],
)
def test_no_legal_step_leads_to_a_dead_end(hand: str, lap: int, options: dict[str, object]) -> None:
    match = at_turn(hand, lap, black_twos_wild=True, **options)
    _, dead = follow_all_steps(match.state)
    assert dead == 0


@pytest.mark.parametrize("options", [{}, {"no_adjacent_runs": True}])
@pytest.mark.parametrize(
    ("hand", "laying"),
    [
        ("5d 6d 7d 8d 5h 6h 7h 8h 2s * * * kc", "*as 2s *3s *4s | 5h-8h | 5d-8d"),
        ("5d 6d 7d 8d 5h 6h 7h 8h 2c * * * kc", "5h-8h | 5d-8d | *ac 2c *3c *4c"),
    ],
)
def test_a_black_two_in_its_place_is_natural_where_one_card_must_stay(
    hand: str, laying: str, options: dict[str, object]
) -> None:
    match = at_turn(hand, 7, black_twos_wild=True, last_round_at_once=True, schedule="contract7", **options)
    match.act(0, match.parse(f"lay {laying}"))
    assert match.view(0).hand == ("kc",)


def test_a_run_may_leave_its_card_to_the_next_where_one_card_must_stay() -> None:
    hand = "5h 6h 5d * * * * * * * * * kc"
    match = at_turn(hand, 7, last_round_at_once=True, schedule="contract7")
    match.act(0, match.parse("lay 5h *6h *7h *8h | *5h 6h *7h *8h | 5d *6d *7d *8d"))
    assert match.view(0).hand == ("kc",)


def grown_table(seed: int) -> Match:
    """Return a table with random options. Seat 0 has drawn, and its cards often contain the round's contract."""
    rng = random.Random(seed)
    options = {
        **some_options(rng),
        **PLENTY,
        "schedule": rng.choice(["source", "contract7", "shanghai10"]),
        "packs": rng.choice([2, 4]),
    }
    s = pool(state.STATE, 1)[0]
    rules.start(s, GAME.setup(3, GAME.settle(3, options)))
    s.lap = rng.randrange(int(state.rounds(s)))
    s.dealer, s.turn, s.phase = 2, 0, state.TURN
    size = int(state.cards_wanted(s)) + 1 + rng.randint(0, 2)
    if rng.random() < 0.4:
        kinds = [
            k
            for k, n in enumerate(near_hand(rng, size, bool(s.options[state.BLACK_TWOS_WILD])))
            for _ in range(n)
        ]
    else:
        kinds = grow_contract(rng, s)
    for kind in [*kinds, *(rng.randrange(52) for _ in range(20))]:
        if s.stock[kind] and s.held[0] < size:
            deal(s, 0, kind)
    for seat in (1, 2):
        deal(s, seat, int(np.flatnonzero(s.stock)[0]))
    return Match(GAME, 3, options, state=s)


def grow_contract(rng: random.Random, s: state.State) -> list[int]:
    length = int(state.run_length(s))
    kinds = []
    for _ in range(int(state.sets_wanted(s))):
        rank = rng.randrange(13)
        kinds += [13 * rng.randrange(4) + rank for _ in range(3)]
    for _ in range(int(state.runs_wanted(s))):
        suit, low = rng.randrange(2), rng.randint(1, 15 - length)
        kinds += [13 * suit + (place - 1) % 13 for place in range(low, low + length)]
    rng.shuffle(kinds)
    wilds = rng.randint(0, 3)
    return kinds[wilds:] + [52] * wilds


def deal(s: state.State, seat: int, kind: int) -> None:
    s.stock[kind] -= 1
    s.stocked -= 1
    state.give(s, seat, kind)


def check_hint(seed: int) -> bool:
    """Check that there is a hint for a laying exactly if the seat can lay, and that the hint is legal.

    Return whether the seat can lay.
    """
    match = grown_table(seed)
    opens = any(isinstance(action, moves.OpenSet | moves.OpenRun) for action in match.legal(0))
    told = {hint.kind: hint for hint in hints.hints(match.view(0))}
    assert ("lay" in told) == opens, match.view(0).hand
    if opens:
        held = match.view(0).hand
        match.act(0, match.parse(told["lay"].text))
        gone = before_after(match, held)
        assert gone == told["points"].number, (held, told)
        assert told["points"].more >= gone
    return opens


def before_after(match: Match, held: tuple[str, ...]) -> int:
    """Return the points of the cards that seat 0 has laid from the hand ``held``."""
    s = match.state
    before = sum(int(state.worth_of(s, int(k))) for k in map(cards.kind_of, held))
    return before - int(state.hand_points(s, 0))


def check_way(seed: int) -> bool:
    """Check that random legal steps complete a laying that has begun. Return False if the seat can't begin one."""
    rng = random.Random(seed)
    match = grown_table(seed)
    first = [a for a in match.legal(0) if isinstance(a, moves.OpenSet | moves.OpenRun)]
    if not first:
        return False
    case = match.view(0).hand, match.options
    match.act(0, rng.choice(first))
    while match.state.phase != state.TURN:
        steps = match.legal(0)
        assert steps, case
        match.act(0, rng.choice(steps))
    assert match.view(0).laid[0], case
    return True


def test_hinted_layings_are_legal() -> None:
    assert sum(check_hint(seed) for seed in range(30)) > 10


def test_a_laying_with_random_legal_steps_can_be_completed() -> None:
    assert sum(check_way(seed) for seed in range(1000, 1060)) > 20


@pytest.mark.deep
@pytest.mark.parametrize("part", range(8))
def test_many_hints_are_legal_and_many_layings_can_be_completed(part: int) -> None:
    seeds = range(10_000 * (part + 1), 10_000 * (part + 1) + 500)
    assert sum(check_hint(seed) for seed in seeds) > 150
    assert sum(check_way(seed) for seed in seeds) > 150


def test_a_hint_avoids_adjacent_runs_if_the_rule_forbids_them() -> None:
    match = at_turn("4d 5d 6d 7d 9d 10d jd qd * 3h 8h", 3, no_adjacent_runs=True)
    (hint,) = [hint for hint in hints.hints(match.view(0)) if hint.kind == "lay"]
    match.act(0, match.parse(hint.text))
    assert match.view(0).laid[0]


@pytest.mark.parametrize("allowed", [True, False])
def test_a_hint_promises_additions_only_if_the_rules_allow_them_in_this_turn(allowed: bool) -> None:
    position = {
        "options": {"layoff_same_turn": allowed},
        "turn": 0,
        "seats": [
            {"hand": "7s 7h 7c 9s 9h 9d kd 2s", "heps": 2},
            {"hand": "3h", "laid": True},
            {"hand": "3d"},
            {"hand": "4h"},
        ],
        "melds": [{"owner": 1, "cards": "ks kh kc"}, {"owner": 1, "cards": "4s 4h 4c"}],
    }
    match = Match(GAME, 4, position["options"], state=notation.parse_position(position))
    (points,) = [hint for hint in hints.hints(match.view(0)) if hint.kind == "points"]
    assert (points.more > points.number) is allowed
