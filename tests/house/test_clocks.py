"""Clocks and other due tasks, with a clock that the test moves."""

from __future__ import annotations

from typing import Any

import pytest

from proof import prove
from spelunke.games.shanghaien.events import Rolled
from spelunke.house.house import UNDO_PAUSES
from spelunke.house.plan import Clock, Plan
from spelunke.house.table.clocks import SCENE_MS, Clocks
from waiting import wait_until

LIVE = Plan(game="shanghaien", seats=("me", "open"), clock=Clock(kind="live", minutes=1, increment=5))


def test_the_seat_to_act_loses_time_and_gains_an_increment_per_turn(
    house: Any, sit: Any, clockwork: Any
) -> None:
    table = sit(house, LIVE)
    seat = table.look().actors[0]
    clockwork.wait(20)
    look = table.look()
    assert look.seats[seat].ticking
    assert look.seats[seat].left_ms == 40_000
    assert look.seats[1 - seat].left_ms == 60_000
    assert not look.seats[1 - seat].ticking
    while table.look().actors == (seat,):
        table.play(1)
    look = table.look()
    assert look.seats[seat].left_ms == 45_000
    assert look.seats[1 - seat].ticking


@pytest.mark.parametrize("kind", ["live", "days"])
def test_a_bot_that_stands_in_for_a_moment_gives_no_time(
    house: Any, sit: Any, clockwork: Any, kind: Any
) -> None:
    clock = Clock(kind=kind, minutes=1, increment=0, days=1)
    table = sit(house, Plan(game="shanghaien", seats=("me", "open"), clock=clock))
    seat = table.look().actors[0]
    clockwork.wait(10)
    had = table.look().seats[seat].left_ms
    for _ in range(3):
        house.play.stand_in(table.id, table.people[seat].id)
        clockwork.wait(0.5)
        house.play.come_back(table.id, table.people[seat].id)
    assert table.look().seats[seat].left_ms == had - 1500
    table.house.play.stand_in(table.id, table.people[seat].id)
    house.tick()  # the bot has ended the decision
    while table.look().actors == (seat,):
        house.tick()
    house.play.come_back(table.id, table.people[seat].id)
    assert table.look().seats[seat].left_ms == (had - 1500 if kind == "live" else 86_400_000)


def test_a_live_clock_adds_time_for_the_scene_between_rounds(house: Any, sit: Any, clockwork: Any) -> None:
    table = sit(house, LIVE)
    while table.look().view.tavern == 1:
        table.play(1)
    (seat,) = table.look().actors
    had = table.look().seats[seat].left_ms - SCENE_MS
    assert had >= 60_000, "the time of the scene is added to the seat's own"
    clockwork.wait(SCENE_MS / 1000 - 5)
    while table.look().actors == (seat,):
        table.play(1)
    assert table.look().seats[seat].left_ms == had, "which it has not touched"
    (other,) = table.look().actors
    had = table.look().seats[other].left_ms
    clockwork.wait(10)
    assert table.look().seats[other].left_ms == had - 10_000, "but nobody can stall a game with it"


def test_a_clock_that_runs_out_loses(house: Any, sit: Any, clockwork: Any) -> None:
    table = sit(house, LIVE)
    seat = table.look().actors[0]
    clockwork.wait(59.9)
    assert house.tick() == 0
    clockwork.wait(0.2)
    assert house.tick() == 1
    look = table.look()
    assert (look.status, look.result.reason, look.result.seat) == ("over", "time", seat)
    assert look.result.ranks[seat] == 2
    assert house.tick() == 0


def test_a_clock_can_hand_the_seat_to_a_bot(house: Any, sit: Any, clockwork: Any) -> None:
    plan = Plan(game="shanghaien", seats=("me", "open"), clock=Clock(kind="days", days=1, out="bot"))
    table = sit(house, plan)
    seat = table.look().actors[0]
    clockwork.wait(86_401)
    assert house.tick() > 1
    look = table.look()
    assert look.seats[seat].absent
    assert look.status == "playing"
    assert any("a bot plays on" in line.text for line in look.log)
    house.play.come_back(table.id, table.people[seat].id)
    assert not table.look().seats[seat].absent


def test_time_that_ran_out_while_the_house_was_closed_is_given_back(
    opener: Any, sit: Any, clockwork: Any
) -> None:
    first = opener()
    table = sit(first, LIVE)
    first.close()
    clockwork.wait(3600)
    house = opener()
    table.house = house
    house.tick()
    look = table.look()
    assert look.status == "playing"
    assert look.seats[look.actors[0]].left_ms == 60_000
    assert "starts again" in look.log[-1].text
    clockwork.wait(50)
    house.tick()
    assert table.play(1) == 1


def test_time_given_back_runs_out_as_well(opener: Any, sit: Any, clockwork: Any) -> None:
    first = opener()
    table = sit(first, LIVE)
    first.close()
    clockwork.wait(3600)
    house = opener()
    house.tick()
    clockwork.wait(60.1)
    house.tick()
    assert table.look(house=house).result.reason == "time"


def test_a_task_due_before_a_restart_is_done_after_the_restart(opener: Any, sit: Any, clockwork: Any) -> None:
    first = opener(bot_pause=2.0)
    table = sit(first, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    while table.look().actors == (0,):
        table.play(1)
    ply = table.look().ply
    first.close()
    house = opener(bot_pause=2.0)
    house.tick()
    assert house.looks.look(table.id).ply == ply
    clockwork.wait(2.0 * UNDO_PAUSES + 0.001)  # longer if the person's last move could be taken back
    house.tick()
    assert house.looks.look(table.id).ply > ply


def test_a_bot_lets_people_read_the_dice_that_it_has_thrown(opener: Any, sit: Any, clockwork: Any) -> None:
    house = opener(bot_pause=2.0)
    table = sit(house, Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 1}))
    clockwork.wait(2.0 * UNDO_PAUSES)
    house.tick()
    thrown = table.look()
    assert isinstance(thrown.last[-1], Rolled)
    clockwork.wait(2.001)
    house.tick()
    assert table.look().ply == thrown.ply
    clockwork.wait(2.0 * (UNDO_PAUSES - 1))
    house.tick()
    assert table.look().ply > thrown.ply


def test_a_dead_workers_work_is_taken_over_when_its_claim_lapses(
    opener: Any, sit: Any, clockwork: Any
) -> None:
    dead, living = opener(), opener()
    table = sit(dead, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    while table.look().actors == (0,):
        table.play(1)
    assert living._scheduler._sweep(claim=True) == []
    clockwork.wait(10.5)
    (piece,) = living._scheduler._sweep(claim=True)
    assert (piece.table_id, piece.kind) == (table.id, "bot")
    assert dead._scheduler._sweep(claim=True) == []
    ply = living.looks.look(table.id).ply
    living._scheduler._do(piece)
    assert living.looks.look(table.id).ply > ply


def test_timers_let_bots_move_without_a_tick(opener: Any, sit: Any) -> None:
    import time

    house = opener(timers=True, clock=time.time, bot_pause=0.05)
    table = sit(house, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    house.play.stand_in(table.id, table.people[0].id)
    ply = house.looks.look(table.id).ply
    wait_until(lambda: house.looks.look(table.id).ply >= ply + 8)


def test_seats_that_decide_together_each_have_their_own_time() -> None:
    clocks = Clocks(Clock(kind="live", minutes=1, increment=0), 3)
    people = [True, True, False]
    clocks.ask((0, 1, 2), people, 1000)
    assert clocks.asked == [1000, 1000, None]
    clocks.acted(0, 4000)
    clocks.ask((1, 2), people, 4000)
    assert clocks.bank == [57_000, 60_000, 60_000]
    assert clocks.deadline(0) is None
    assert clocks.deadline(1) == 61_000
    clocks.acted(1, 11_000)
    clocks.ask((0,), people, 11_000)
    assert clocks.bank == [57_000, 50_000, 60_000]


def test_two_workers_with_timers_bring_every_game_to_its_end(opener: Any, sit: Any) -> None:
    import time

    houses = [opener(timers=True, clock=time.time) for _ in range(2)]
    tables = [sit(houses[n % 2], Plan(game="shanghaien", seats=("me", "bot:deckhand"))) for n in range(4)]
    for number, table in enumerate(tables):
        # The other worker takes the seat over, so both have written, and claimed, work of this table.
        houses[1 - number % 2].play.stand_in(table.id, table.people[0].id)
    wait_until(lambda: all(houses[0].looks.look(table.id).status == "over" for table in tables))
    for table in tables:
        assert houses[1].looks.look(table.id).result.reason == "played"
        prove(houses[0].replays.record(table.id))
    assert not any(house.health().problems for house in houses)


def test_a_clock_that_starts_later_earns_no_increment_before_its_start() -> None:
    clocks = Clocks(Clock(kind="live", minutes=1, increment=5), 2)
    clocks.ask((0,), [True, True], 1000, 6000)
    assert (clocks.deadline(0), clocks.left(0, 2000)) == (66_000, 64_000)
    clocks.acted(0, 3000)  # and may not act any more
    clocks.ask((1,), [True, True], 3000, 6000)
    assert clocks.bank == [60_000, 60_000]
    clocks.acted(1, 9000)
    clocks.ask((0,), [True, True], 9000)
    assert clocks.bank == [60_000, 62_000]
