"""Several seats that act at once: sealed choices and their changes, standing orders, and secrecy."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sqlalchemy import select

from proof import prove
from spelunke.house.house import House
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import NotNow
from spelunke.house.store.schema import due, moves


class Round:
    """Three people and a bot at a table of Halunken."""

    def __init__(self, house: House, **given: Any) -> None:
        self.house = house
        self.people = [house.people.create(name).id for name in ("Anna", "Ben", "Cleo")]
        seats = ("me", "open", "open", "bot:" + next(iter(levels())))
        self.id = house.lobby.create(self.people[0], Plan(game="halunken", seats=seats, **given))
        for number, person in enumerate(self.people):
            if number:
                house.lobby.join(self.id, person)
            house.lobby.add_nonce(self.id, person, f"nonce{number}")
        self.keys = 0

    def look(self, seat: int | None) -> Any:
        return self.house.looks.look(self.id, None if seat is None else self.people[seat])

    def act(self, seat: int, move: str, ply: int | None = None) -> Any:
        self.keys += 1
        ply = self.look(seat).ply if ply is None else ply
        return self.house.play.act(self.id, self.people[seat], move, ply, f"key-{self.keys:06d}")

    def advance(self, until: Any, plies: int = 500) -> None:
        """Play at random until the condition holds for the table."""
        chooser = random.Random(5)
        for _ in range(plies):
            if until(self.look(None)):
                return
            if self.house.tick():
                continue
            look = self.look(None)
            assert look.status == "playing"
            seat = chooser.choice([seat for seat in look.actors if seat < 3])
            assert self.act(seat, chooser.choice(self.look(seat).legal)[1]).status == "done"
        pytest.fail("that moment did not come")


def levels() -> dict[str, Any]:
    from spelunke.games import find_game

    return find_game("halunken").levels


def sight(table: Round, seat: int | None) -> tuple[Any, ...]:
    look = table.look(seat)
    return (
        look.ply,
        look.version,
        look.view,
        look.legal,
        look.log,
        look.last,
        look.seats,
        look.may,
        look.revise,
    )


@pytest.fixture
def round_table(house: House) -> Round:
    table = Round(house)
    table.advance(lambda look: {0, 1, 2} <= set(look.actors))
    return table


def test_a_choice_made_from_an_older_look_counts_while_the_others_choose(round_table: Round) -> None:
    plies = [round_table.look(seat).ply for seat in range(3)]
    moves = [round_table.look(seat).legal[0][1] for seat in range(3)]
    assert round_table.act(2, moves[2], plies[2]).status == "done"
    assert round_table.act(0, moves[0], plies[0]).status == "done"
    assert round_table.look(None).seats[2].ready
    assert not round_table.look(None).seats[1].ready
    assert round_table.act(1, moves[1], plies[1]).status == "done"


def test_a_sealed_choice_is_changed_and_nobody_learns_what_it_was(round_table: Round) -> None:
    legal = [move for _, move in round_table.look(0).legal]
    round_table.act(0, legal[0])
    others = [sight(round_table, seat) for seat in (None, 1, 2)]
    mine = round_table.look(0)
    assert "take_back" in mine.may
    assert legal[1] in [move for _, move in mine.revise]
    assert round_table.act(0, legal[1]).status == "done"
    assert [sight(round_table, seat) for seat in (None, 1, 2)] == others


def test_a_sealed_choice_changes_nothing_that_others_see(round_table: Round) -> None:
    legal = [move for _, move in round_table.look(0).legal]
    round_table.act(0, legal[0])
    first = [sight(round_table, seat)[2:4] for seat in (None, 1, 2)]
    round_table.house.play.take_back(
        round_table.id, round_table.people[0], round_table.look(0).ply, "take-back-1"
    )
    assert 0 in round_table.look(0).actors
    assert not round_table.look(None).seats[0].ready
    round_table.act(0, legal[-1])
    assert [sight(round_table, seat)[2:4] for seat in (None, 1, 2)] == first


def test_nothing_is_taken_back_after_the_reveal(round_table: Round) -> None:
    for seat in range(3):
        round_table.act(seat, round_table.look(seat).legal[0][1])
    while round_table.house.tick():
        pass
    look = round_table.look(0)
    assert look.revise == ()
    with pytest.raises(NotNow):
        round_table.house.play.take_back(round_table.id, round_table.people[0], look.ply, "take-back-1")


def test_a_whole_game_of_people_and_a_bot_replays(house: House) -> None:
    table = Round(house)
    table.advance(lambda look: look.status == "over", plies=5000)
    prove(house.replays.record(table.id))


def test_one_of_four_resigns_and_a_bot_plays_on(round_table: Round) -> None:
    house = round_table.house
    house.play.resign(round_table.id, round_table.people[1], "resign-01")
    look = round_table.look(1)
    assert look.status == "playing"
    assert look.seats[1].level is not None
    assert look.legal == ()
    with pytest.raises(NotNow, match="resigned"):
        house.play.come_back(round_table.id, round_table.people[1])
    for seat in (0, 2):
        house.play.resign(round_table.id, round_table.people[seat], f"resign-{seat}1")
    look = round_table.look(None)
    assert (look.result.reason, look.result.ranks) == ("resigned", (2, 2, 2, 1))
    prove(house.replays.record(round_table.id))


def test_a_bot_takes_over_each_seat_whose_time_runs_out(house: House, clockwork: Any) -> None:
    table = Round(house, clock=Clock(kind="days", days=1))
    table.advance(lambda look: {0, 1, 2} <= set(look.actors))
    table.act(0, table.look(0).legal[0][1])
    clockwork.wait(86_401)
    house.tick()
    look = table.look(None)
    assert [seat.absent for seat in look.seats] == [False, True, True, False]
    assert look.status == "playing"


def test_standing_orders_act_for_their_owner_alone(house: House) -> None:
    table = Round(house)
    others = [sight(table, seat) for seat in (None, 1, 2)]
    house.play.set_orders(table.id, table.people[0], {"up_to": "pass"})
    assert [sight(table, seat) for seat in (None, 1, 2)] == others
    table.advance(lambda look: look.status == "over", plies=5000)
    with house.store.read() as connection:
        query = select(moves.c.key).where(
            moves.c.table_id == table.id, moves.c.seat == 0, moves.c.move == "pass"
        )
        keys = list(connection.execute(query).scalars())
    assert keys
    assert set(keys) == {None}


def test_the_log_marks_a_move_by_an_order_for_its_owner_alone(house: House) -> None:
    table = Round(house)
    table.advance(lambda look: look.view.phase == "bidding" and look.actors == (0,))
    for hours in ("next", "every"):
        house.play.set_orders(table.id, table.people[0], {"up_to": "pass", "hours": hours})
    table.advance(lambda look: look.view.hour == 3, plies=5000)
    marked = "Anna passes. Your standing order did this."
    told = {seat: [line.text for line in table.look(seat).log] for seat in (None, 0, 1, 2)}
    assert told[0].count(marked) >= 2
    for seat in (None, 1, 2):
        assert not any("standing order" in text for text in told[seat])
        assert told[seat].count("Anna passes.") == sum(text.startswith("Anna passes.") for text in told[0])
    house.play.set_orders(table.id, table.people[0], None)
    assert [line.text for line in table.look(0).log].count(marked) >= 2, "they stay marked"


def test_a_person_who_resigned_gives_no_standing_orders(house: House) -> None:
    table = Round(house)
    table.advance(lambda look: look.view.phase == "bidding")
    assert "standing" in table.look(0).may
    house.play.resign(table.id, table.people[0], "resign-1")
    assert "standing" not in table.look(0).may
    with pytest.raises(NotNow, match="resigned"):
        house.play.set_orders(table.id, table.people[0], {"up_to": "pass"})
    assert "standing" in table.look(1).may


def test_an_order_for_one_hour_leaves_the_next_auction_to_its_owner(house: House) -> None:
    table = Round(house)
    table.advance(lambda look: look.view.phase == "bidding")
    house.play.set_orders(table.id, table.people[0], {"up_to": "pass", "hours": "next"})
    table.advance(lambda look: look.view.hour == 2 and look.view.phase == "bidding" and look.actors == (0,))
    house.tick()
    assert table.look(0).actors == (0,), "the order is over"
    table.act(0, "pass")
    assert [line.text for line in table.look(0).log].count("Anna passes.") == 1


@pytest.mark.parametrize("kind", ["days", "live"])
def test_the_first_of_two_sealed_cards_moves_no_clock_that_others_see(
    house: House, clockwork: Any, kind: Any
) -> None:
    """The captain who hired Black Jack seals two cards. After the first, all viewers see the same clocks as before."""
    clock = Clock(kind=kind, days=2, minutes=10, increment=5)
    plan = Plan(game="halunken", seats=("me", "open"), options={"mode": "two_player"}, clock=clock)
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    table = house.lobby.create(anna, plan)
    house.lobby.join(table, ben)
    for person in (anna, ben):
        house.lobby.add_nonce(table, person, "mine")
    keys = iter(range(1000))

    def act(person: str, move: str) -> None:
        ply = house.looks.look(table, person).ply
        assert house.play.act(table, person, move, ply, f"key-{next(keys):06d}").status == "done"

    def told(person: str | None) -> list[Any]:
        return [(seat.left_ms, seat.ticking, seat.ready) for seat in house.looks.look(table, person).seats]

    def sealing(person: str) -> list[str]:
        return [move for _, move in house.looks.look(table, person).legal if move.startswith("card ")]

    while not (sealing(anna) and sealing(ben)):
        person = anna if house.looks.look(table, anna).legal else ben
        act(person, house.looks.look(table, person).legal[-1][1])
    # The captain with the higher bid has hired Black Jack, and owes his card as well.
    hirer = (
        anna if len(house.looks.look(table, anna).legal) > len(house.looks.look(table, ben).legal) else ben
    )
    clockwork.wait(3600 if kind == "days" else 5)
    before = [told(anna), told(ben), told(None)]
    stored, legal = due_at(house, table), house.looks.look(table, hirer).legal
    act(hirer, sealing(hirer)[0])
    assert house.looks.look(table, hirer).legal
    assert not sealing(hirer)
    assert [told(anna), told(ben), told(None)] == before
    assert due_at(house, table) == stored
    ply = house.looks.look(table, hirer).ply
    assert house.play.take_back(table, hirer, ply, "take-back").status == "done"
    assert house.looks.look(table, hirer).legal == legal, "both cards can be chosen again"
    with house.store.read() as connection:
        query = select(moves.c.move).where(moves.c.table_id == table, moves.c.key == "take-back")
        assert connection.execute(query).scalar() == "take back"


def due_at(house: House, table: str) -> list[int]:
    """Return the times when the stored clocks of a table run out."""
    with house.store.read() as connection:
        query = select(due.c.at).where(due.c.table_id == table, due.c.kind == "clock")
        return list(connection.execute(query).scalars())
