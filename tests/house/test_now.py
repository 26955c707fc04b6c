"""If the machine's clock is set wrong, and right again, the house's own time goes on, and no player loses time."""

from __future__ import annotations

from typing import Any

import pytest

from spelunke.house.house import UNDO_PAUSES
from spelunke.house.plan import Clock, Plan
from spelunke.house.store.now import SLEW, Now

HOUR = 3600.0
DAY = 24 * HOUR
LIVE = Plan(
    game="shanghaien",
    seats=("me", "open"),
    clock=Clock(kind="live", minutes=10, increment=5),
    options={"first_starter": 0},
)


class Machine:
    """A machine with a clock that anybody may set, and a count of seconds that nobody can."""

    def __init__(self) -> None:
        self.wall = 1_700_000_000.0
        self.count = 500.0

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.count += seconds

    def now(self) -> Now:
        return Now(lambda: self.wall, lambda: self.count)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.mark.parametrize("jump", [-HOUR, HOUR, -3, 3, -10 * 365 * 24 * HOUR])
def test_time_goes_on_evenly_when_the_clock_jumps(machine: Machine, jump: float) -> None:
    now = machine.now()
    before = now()
    machine.wall += jump
    assert now() == before
    machine.wait(60)
    assert before + 60 * (1 - SLEW) <= now() <= before + 60 * (1 + SLEW)
    assert (now.problem is not None) == (abs(jump) > 60)


def test_the_time_slowly_approaches_the_machines_clock(machine: Machine) -> None:
    now = machine.now()
    machine.wall += 10
    for _ in range(100):
        machine.wait(30)
        now()
    assert now() == pytest.approx(machine.wall)
    assert now.problem is None


def test_time_never_goes_back(machine: Machine) -> None:
    now = machine.now()
    told = []
    for jump in (-HOUR, 5, HOUR, -7 * HOUR, 0, 2):
        machine.wall += jump
        machine.wait(0.25)
        told.append(now())
    assert told == sorted(told)


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_a_jump_of_the_machines_clock_does_not_affect_running_games(
    opener: Any, sit: Any, machine: Machine, jump: float
) -> None:
    house = opener(clock=machine.now(), bot_pause=2.0)
    table = sit(house, LIVE)
    left = [seat.left_ms for seat in table.look().seats]
    machine.wall += jump
    assert [seat.left_ms for seat in table.look().seats] == left
    assert house.tick() == 0
    asked = table.look().actors[0]
    house.play.stand_in(table.id, table.people[asked].id)
    assert house.tick() == 0
    machine.wait(2.0 * UNDO_PAUSES + 0.1)  # bots let people read the dice at the start
    assert house.tick() == 1, "the bot moves when its pause is over"
    times = [row.at for row in house._tables._slots[table.id].table.log.rows]
    assert times == sorted(times)
    assert table.look().status == "playing"
    assert any("the machine's clock" in problem for problem in house.health().problems)
    assert house.health().ok


def test_a_house_that_opens_after_the_clock_went_back_goes_on_from_its_log(
    opener: Any, sit: Any, machine: Machine
) -> None:
    first = opener(clock=machine.now(), bot_pause=2.0)
    table = sit(first, LIVE)
    asked = table.look().actors[0]
    machine.wait(30)
    first.play.stand_in(table.id, table.people[asked].id)
    left = table.look().seats[1 - asked].left_ms
    first.close()
    machine.wall -= HOUR
    house = table.house = opener(clock=machine.now(), bot_pause=2.0)
    ply = table.look().ply
    machine.wait(2.0 * UNDO_PAUSES + 0.1)  # bots let people read the dice at the start
    house.tick()
    assert table.look().ply > ply, "the bot does not wait for an hour"
    while table.look().actors == (asked,):
        machine.wait(2.0 * UNDO_PAUSES + 0.1)  # bots let people read the dice at the start
        house.tick()
    machine.wait(20)
    look = table.look()
    assert look.status == "playing"
    assert left - 21_000 < look.seats[1 - asked].left_ms < left - 19_000, "and neither do clocks"


def test_nobody_loses_if_a_house_opens_after_the_clock_went_forward(
    opener: Any, sit: Any, machine: Machine
) -> None:
    first = opener(clock=machine.now())
    table = sit(first, LIVE)
    first.close()
    machine.wall += HOUR
    house = table.house = opener(clock=machine.now())
    house.tick()
    look = table.look()
    assert look.status == "playing"
    assert look.seats[look.actors[0]].left_ms == 600_000


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jumps", [(HOUR, -HOUR), (-HOUR, HOUR), (DAY, -DAY), (3 * DAY,), (-3 * DAY,)])
def test_games_over_days_outlive_a_wrong_clock(
    opener: Any, sit: Any, machine: Machine, jumps: tuple[float, ...]
) -> None:
    """If the machine's clock jumps by hours or days, no player loses time or the game. The true deadline counts."""
    house = opener(clock=machine.now())
    plan = Plan(game="shanghaien", seats=("me", "open"), clock=Clock(kind="days", days=2))
    table = sit(house, plan)
    left = [seat.left_ms for seat in table.look().seats]
    for jump in jumps:
        machine.wall += jump
        house.tick()
        assert table.look().status == "playing"
        assert [seat.left_ms for seat in table.look().seats] == left
    for _ in range(47):
        machine.wait(HOUR)
        house.tick()
    assert table.look().status == "playing"
    look = table.look()
    machine.wait(look.seats[look.actors[0]].left_ms / 1000 * (1 - 2 * SLEW))
    for _ in range(120):
        machine.wait(1)
        house.tick()
    assert table.look().status == "over"
    assert table.look().result.reason == "time"


def test_a_smeared_leap_second_is_followed(machine: Machine) -> None:
    """If time servers smear a leap second, the machine's clock is slower for a day, and the house's time follows it."""
    now = machine.now()
    for _ in range(24 * 60):
        machine.count += 60
        machine.wall += 60 * (1 - 1 / DAY)
        assert abs(now() - machine.wall) < 0.01
        assert now.problem is None
