"""The public facts of a round (cards that seats took, discarded or did not take), and random deals that fit them."""

from __future__ import annotations

import random

import msgspec
import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadPosition
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, bots, notation
from spelunke.games.sanghai.cards import kind_of

from .positions import at_window, play


def deeds(match: Match) -> tuple[object, object, object]:
    seen = match.view(None)
    return seen.taken, seen.thrown, seen.let_go


def test_a_card_that_is_taken_is_known_until_it_leaves_the_hand() -> None:
    match = play(at_window(), "1: take")
    assert deeds(match) == (((), ("7s",), (), ()), ((), (), (), ()), ((), (), (), ()))
    play(match, "1: discard 4c")
    assert deeds(match)[:2] == (((), ("7s",), (), ()), ((), ("4c",), (), ()))
    match = play(at_window(), "1: take", "1: discard 7s")
    assert deeds(match)[:2] == (((), (), (), ()), ((), ("7s",), (), ()))


def test_a_draw_or_a_pass_records_the_discard_as_let_go() -> None:
    match = play(at_window(5), "4: hep", "2: pass", "3: pass")
    assert deeds(match)[2] == ((), (), (), (), ())  # while nobody learns who passed
    play(match, "1: stock")
    assert deeds(match) == (((), (), (), (), ("7s",)), ((),) * 5, ((), ("7s",), ("7s",), ("7s",), ()))


def test_only_the_owner_knows_a_penalty_card() -> None:
    match = play(
        at_window(5, hep_penalty=2), "4: hep", "2: pass", "3: pass", "1: stock", "card ks", "card 9d"
    )
    assert match.view(4).hand.count("ks") == match.view(4).hand.count("9d") == 1
    play(match, "card qh")  # the player on turn draws
    assert match.view(1).hand.count("qh") == 1
    assert deeds(match) == (((), (), (), (), ("7s",)), ((),) * 5, ((), ("7s",), ("7s",), ("7s",), ()))


@pytest.mark.parametrize(
    ("tie", "settled", "winner"),
    [
        ("vote", ("0: vote 4", "1: vote 4", "4: vote 3"), 3),
        ("vote", ("0: vote 4", "1: vote 3", "4: vote 3"), 2),
        ("random", ("lucky 4",), 3),
        ("nobody", (), None),
        ("seat_order", (), 2),
    ],
)
def test_a_call_never_records_the_discard_as_let_go(
    tie: str, settled: tuple[str, ...], winner: int | None
) -> None:
    match = play(at_window(5, hep_tie=tie), "3: hep", "2: hep tied", "4: pass", "1: stock", *settled)
    taken, _, let_go = deeds(match)
    assert taken == tuple(("7s",) if seat == winner else () for seat in range(5))
    assert let_go == ((), ("7s",), (), (), ("7s",))


def test_a_discard_taken_before_all_answered_is_not_recorded_as_let_go() -> None:
    match = play(at_window(5), "3: pass", "1: take")
    assert deeds(match)[2] == ((), (), (), (), ())


def test_laying_removes_the_known_cards_and_a_new_round_clears_the_records() -> None:
    position = {
        "turn": 1,
        "phase": "window",
        "pile": "9h",
        "seats": [
            {"hand": "2c", "thrown": "9h kd", "let_go": "3d"},
            {"hand": "7s 7h 7d 9s 9d 5c"},
            {"hand": "3c 4c", "taken": "4c"},
            {"hand": "2h"},
        ],
    }
    match = Match(GAME, 4, state=notation.parse_position(position))
    play(match, "2: pass", "3: pass", "1: take")
    assert match.view(None).taken == ((), ("9h",), ("4c",), ())
    play(match, "1: lay 7s 7h 7d | 9s 9h 9d")
    assert match.view(None).taken == ((), (), ("4c",), ())
    play(match, "1: discard 5c")
    assert match.view(None).lap == 2
    assert deeds(match) == (((),) * 4, ((),) * 4, ((),) * 4)


def test_a_position_stores_the_known_cards_and_refuses_impossible_ones() -> None:
    match = play(at_window(5), "4: hep", "2: pass", "3: pass", "1: stock", "card ks", "1: discard 4c")
    text = notation.write_position(match.state)
    assert notation.parse_position(text).tobytes() == match.state.tobytes()
    del text["seats"][4]["taken"], text["seats"][1]["let_go"]  # as in older texts
    assert GAME.view.view(notation.parse_position(text), None).taken == ((),) * 5
    for name, cards in (("taken", "7s 7s"), ("taken", "9z"), ("thrown", "9z")):
        text["seats"][4].update(taken="", thrown="")
        text["seats"][4][name] = cards
        with pytest.raises(BadPosition, match=rf"seats\[4\]\.{name}"):
            notation.parse_position(text)


def test_redealt_worlds_keep_the_openly_taken_cards_and_the_pile() -> None:
    rng, bot, stream = random.Random(4), bots.PlannerBot(GAME), seed_stream(4)
    match, checked = Match(GAME, 4, {"joker_swap": True}), 0
    while match.view(None).lap < 3 and checked < 40:
        if match.chance:
            found = match.chances()
            match.apply_chance(rng.choices([o for o, _ in found], [w for _, w in found])[0])
            continue
        seat = rng.choice(match.actors)
        match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
        if rng.random() < 0.15:
            seen, s = match.view(seat), match.state
            assert (s.hand >= s.taken).all()
            world = GAME.view.imagine(seen, stream)
            assert (world.hand >= s.taken).all()
            assert (world.pile == s.pile).all()
            assert (world.hand[seat] == s.hand[seat]).all()
            assert (world.held == world.hand.sum(axis=1)).all()
            assert world.stock.sum() == s.stocked
            whole = s.stock + s.hand.sum(axis=0)
            assert (world.stock + world.hand.sum(axis=0) == whole).all()
            assert msgspec.json.encode(GAME.view.view(world, seat)) == msgspec.json.encode(seen)
            checked += any(map(any, seen.taken))
    assert checked > 5


def test_redealt_hands_favour_taken_ranks_and_avoid_discarded_ranks() -> None:
    position = {
        "turn": 0,
        "pile": "kd kc 2h",
        "seats": [
            {"hand": "2c 3d 5h 8s 9c jd"},
            {"hand": "7s 4c 5c 6d 10h qd", "taken": "7s", "thrown": "kd kc"},
            {"hand": "3c 4d 5s 8h 9d jc"},
            {"hand": "3s 4h 5d 8d 9h js"},
        ],
    }
    seen = GAME.view.view(notation.parse_position(position), 0)
    stream, found = seed_stream(9), {1: [0, 0], 2: [0, 0]}
    for _ in range(150):
        world = GAME.view.imagine(seen, stream)
        for seat, counts in found.items():
            for k, rank in enumerate(("7", "k")):
                counts[k] += sum(int(world.hand[seat, kind_of(rank + suit)]) for suit in "shdc") - (
                    seat == 1 and k == 0
                )
    assert found[1][0] > 1.3 * found[2][0]
    assert found[1][1] < 0.7 * found[2][1]
