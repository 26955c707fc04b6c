"""Playing at a table: accepted, refused, repeated and stale actions, and the end of games."""

from __future__ import annotations

import random
import threading
from typing import Any

import msgspec
import pytest

from circle import Circle
from proof import prove
from spelunke.core.errors import BadText, GameOver, IllegalMove, NotYourTurn, UnknownGame
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import BadPlan, NotNow, NotSeated
from spelunke.records.record import parse_record, write_record

BOTS = Plan(game="shanghaien", seats=("me", "bot:deckhand"))


def snapshot(table: Any, house: Any = None) -> tuple[Any, ...]:
    """Return what viewers see of the game and the seats, without presence, which each house measures itself."""

    def seats(look: Any) -> tuple[Any, ...]:
        return tuple(msgspec.structs.replace(seat, presence=None, away_ms=None) for seat in look.seats)

    looks = [table.look(seat, house) for seat in (None, 0, 1)]
    return tuple((look.ply, look.version, look.view, look.legal, look.log, seats(look)) for look in looks)


def test_a_game_is_played_to_its_end_and_verifies(house: Any, table: Any) -> None:
    assert table.play(2000) < 2000
    look = table.look(0)
    assert look.status == "over"
    assert look.result.reason == "played"
    assert look.legal == ()
    assert look.fairness.seed is not None
    record = parse_record(write_record(house.replays.record(table.id)))
    assert record.fairness.nonces == ("nonce0", "nonce1")
    prove(record)
    with pytest.raises(GameOver):
        house.play.act(table.id, table.people[0].id, "roll", look.ply, table.key())


def test_the_record_and_the_seed_are_closed_while_the_game_runs(house: Any, table: Any) -> None:
    table.play(5)
    with pytest.raises(NotNow):
        house.replays.record(table.id)
    with house._tables.open(table.id) as slot:
        seed = slot.table.facts.seed
    for seat in (None, 0, 1):
        look = table.look(seat)
        assert look.fairness.seed is None
        assert seed not in repr(look)


def test_only_the_seat_to_act_can_play_and_only_legal_moves(house: Any, table: Any) -> None:
    before = snapshot(table)
    asked = table.asked()
    other = next(person for person in table.people if person != asked)
    stranger = house.people.create("Cleo")
    ply = table.look(0).ply
    for claimed in (ply, ply + 1):  # nor by a future ply
        with pytest.raises(NotYourTurn, match=asked.name):
            house.play.act(table.id, other.id, "roll", claimed, table.key())
    with pytest.raises(NotSeated):
        house.play.act(table.id, stranger.id, "roll", ply, table.key())
    with pytest.raises(BadText):
        house.play.act(table.id, asked.id, "castle queenside", ply, table.key())
    with pytest.raises((IllegalMove, BadText)):
        house.play.act(table.id, asked.id, "place 4 left", ply, table.key())
    for key in ("", "short", "with space", "x" * 65):
        with pytest.raises(BadPlan, match="8 to 64"):
            house.play.act(table.id, asked.id, "roll", ply, key)
    assert snapshot(table) == before


def test_a_repeated_action_is_played_once(opener: Any, sit: Any) -> None:
    first, second = opener(), opener()
    table = sit(first)
    asked = table.asked()
    ply = table.look(0).ply
    answer = first.play.act(table.id, asked.id, "roll", ply, "the-same-key")
    assert answer.status == "done"
    before = snapshot(table)
    for house in (first, second, opener()):
        again = house.play.act(table.id, asked.id, "roll", ply, "the-same-key")
        assert (again.status, again.ply) == ("repeated", answer.ply)
        assert snapshot(table, house) == before


def test_a_stale_action_receives_the_present_state(opener: Any, sit: Any) -> None:
    first, second = opener(), opener()
    table = sit(first)
    ply = table.look(0).ply
    asked = table.asked()
    second.looks.look(table.id)
    first.play.act(table.id, asked.id, "roll", ply, table.key())
    now = table.look(0).ply
    for house in (first, second):
        answer = house.play.act(table.id, asked.id, "roll", ply, table.key())
        assert (answer.status, answer.ply) == ("stale", now)
    assert first.play.act(table.id, asked.id, "roll", now + 5, table.key()).status == "stale"
    assert table.look(0).ply == now


def test_workers_that_race_on_one_ply_never_both_win(opener: Any, sit: Any) -> None:
    houses = [opener(), opener()]
    table = sit(houses[0])
    chooser = random.Random(3)
    for _ in range(12):
        look = table.look()
        asked = table.asked()
        ply = look.ply
        legal = table.look(look.actors[0]).legal
        moves = [chooser.choice(legal)[1] for _ in houses]
        keys = [table.key() for _ in houses]
        answers: list[Any] = [None, None]
        gate = threading.Barrier(2)

        def run(n: int, gate: Any, action: tuple[Any, ...], answers: Any = answers) -> None:
            gate.wait()
            answers[n] = houses[n].play.act(table.id, *action)

        actions = [(asked.id, moves[n], ply, keys[n]) for n in range(2)]
        threads = [threading.Thread(target=run, args=(n, gate, actions[n])) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status for answer in answers) == ["done", "stale"]
        assert snapshot(table, houses[0]) == snapshot(table, houses[1])


def test_a_restart_in_the_middle_of_a_roll_changes_nothing(opener: Any, sit: Any) -> None:
    house = opener()
    table = sit(house)
    for _ in range(6):
        table.play(1)
        before = snapshot(table)
        house.close()
        house = opener()
        table.house = house
        assert snapshot(table) == before
    assert table.play(2000) < 2000


def test_bots_play_to_the_end_in_a_thread(opener: Any, sit: Any) -> None:
    house = opener()
    table = sit(house, BOTS)
    person = table.people[0]
    house.play.stand_in(table.id, person.id, "deckhand")
    for _ in range(2000):
        if not house.tick():
            break
    look = house.looks.look(table.id, person.id)
    assert look.status == "over"
    assert {row[0] for row in hands(house, table.id)} == {"deckhand"}
    prove(house.replays.record(table.id))


def hands(house: Any, table: str) -> list[Any]:
    from sqlalchemy import select

    from spelunke.house.store.schema import moves

    with house.store.read() as connection:
        query = select(moves.c.hand).where(moves.c.table_id == table, moves.c.seat >= 0)
        return list(connection.execute(query.where(moves.c.move.not_like("!%"))))


def test_a_bot_stands_in_and_gives_the_seat_back(house: Any, table: Any) -> None:
    asked = table.asked()
    seat = table.look().actors[0]
    house.play.stand_in(table.id, asked.id)
    look = table.look(seat)
    assert look.seats[seat].absent
    assert look.legal == ()
    with pytest.raises(NotNow, match="bot plays for you"):
        house.play.act(table.id, asked.id, "roll", look.ply, table.key())
    with pytest.raises(NotNow):
        house.play.stand_in(table.id, asked.id)
    assert house.tick() > 0
    house.play.come_back(table.id, asked.id)
    with pytest.raises(NotNow):
        house.play.come_back(table.id, asked.id)
    assert not table.look().seats[seat].absent
    assert any("is back" in line.text for line in table.look().log)
    table.play(5)


def test_a_bot_that_fails_does_not_stop_the_game(opener: Any, sit: Any) -> None:
    class Broken:
        def choose(self, view: Any, legal: Any, stream: Any) -> Any:
            raise ValueError("no idea")

    house = opener(bots=lambda game, level: Broken())
    table = sit(house, BOTS)
    house.play.stand_in(table.id, table.people[0].id)
    while house.tick():
        pass
    assert house.looks.look(table.id).status == "over"
    prove(house.replays.record(table.id))


def test_resigning_loses(house: Any, table: Any) -> None:
    table.play(3)
    key = table.key()
    assert house.play.resign(table.id, table.people[0].id, key).status == "done"
    assert house.play.resign(table.id, table.people[0].id, key).status == "repeated"
    look = table.look(1)
    assert (look.status, look.result.reason, look.result.ranks) == ("over", "resigned", (2, 1))
    assert look.result.text == "Anna resigned. Ben wins."
    assert look.log[-1].text == "Anna resigns."
    with pytest.raises(GameOver):
        house.play.resign(table.id, table.people[1].id, table.key())
    record = house.replays.record(table.id)
    prove(record)
    assert (record.result.reason, record.result.seat) == ("resigned", 0)


def test_a_draw_is_offered_declined_and_agreed(house: Any, table: Any) -> None:
    anna, ben = table.people
    with pytest.raises(NotNow):
        house.play.accept_draw(table.id, anna.id, table.key())
    version = table.look(1).version
    house.play.offer_draw(table.id, anna.id)
    look = table.look(1)
    assert look.version > version
    assert look.seats[0].offers_draw
    assert {"accept_draw", "decline_draw"} <= look.may
    with pytest.raises(NotNow, match="already"):
        house.play.offer_draw(table.id, anna.id)
    house.play.decline_draw(table.id, ben.id)
    assert not table.look(1).seats[0].offers_draw
    assert [table.look(seat).draw_declined for seat in (0, 1)] == [True, False]
    with pytest.raises(NotNow, match="already"):
        house.play.offer_draw(table.id, anna.id)
    while table.look().actors == (0,):
        table.play(1)
    house.play.offer_draw(table.id, anna.id)
    assert table.look(1).seats[0].offers_draw
    assert not table.look(0).draw_declined
    table.play(1)
    assert not table.look(1).seats[0].offers_draw
    house.play.offer_draw(table.id, ben.id)
    house.play.accept_draw(table.id, anna.id, table.key())
    look = table.look()
    assert (look.status, look.result.reason, look.result.ranks) == ("over", "agreed", (1, 1))
    prove(house.replays.record(table.id))


def test_two_offers_of_a_draw_are_an_agreement(house: Any, table: Any) -> None:
    for person in table.people:
        house.play.offer_draw(table.id, person.id)
    assert table.look().result.reason == "agreed"


def test_who_has_resigned_takes_no_part_in_draws(house: Any) -> None:
    circle = Circle(house, Clock(), 4)
    quitter, other, third = (circle.people[seat] for seat in (0, 1, 2))
    house.play.resign(circle.id, quitter, "resign-01")
    assert "offer_draw" not in circle.look(0).may
    for how in ("offer", "accept", "decline"):
        with pytest.raises(NotNow):
            house.play.answer_draw(circle.id, quitter, answer=how)
        if how == "offer":
            house.play.offer_draw(circle.id, other)
    house.play.accept_draw(circle.id, third, "accept-01")
    assert circle.look(None).status == "playing", "one has not agreed yet"
    house.play.offer_draw(circle.id, circle.people[3])
    assert circle.look(None).result.reason == "agreed"


def test_bots_agree_to_no_draw(house: Any, sit: Any) -> None:
    table = sit(house, BOTS)
    with pytest.raises(NotNow, match="bots"):
        house.play.offer_draw(table.id, table.people[0].id)
    assert "offer_draw" not in table.look(0).may


def test_a_rematch_is_one_table_with_the_seats_moved_on(house: Any, table: Any) -> None:
    anna, ben = table.people
    with pytest.raises(NotNow):
        house.next_games.rematch(table.id, anna.id)
    house.play.resign(table.id, anna.id, table.key())
    made = house.next_games.rematch(table.id, ben.id)
    assert house.next_games.rematch(table.id, anna.id) == made
    look = house.looks.look(made, anna.id)
    assert (look.names, look.seat, look.previous, look.status) == (("Ben", "Anna"), 1, table.id, "ready")
    assert table.look(0).rematch == made
    old, new = table.look().fairness, look.fairness
    assert old.commitment != new.commitment
    assert new.nonces == (None, None)


def test_at_a_shared_device_only_its_owner_offers_a_rematch(house: Any, sit: Any) -> None:
    table = sit(house, Plan(game="halunken", seats=("me", "here:Bea", "open")))
    anna, ben = table.people
    for person in table.people:
        house.play.resign(table.id, person.id, table.key())
    assert "rematch" not in table.look(1).may
    with pytest.raises(NotNow, match="device"):
        house.next_games.rematch(table.id, ben.id)
    assert "rematch" in table.look(0).may
    made = house.next_games.rematch(table.id, anna.id)
    assert house.next_games.rematch(table.id, ben.id) == made
    assert house.hands.hand(made, ben.id) is None
    assert "Bea" in house.looks.look(made, ben.id).names
    hand = house.hands.hand(made, anna.id)
    assert hand is not None
    assert len(hand.people) == 2


def test_taking_back_is_refused_without_a_sealed_choice(house: Any, table: Any) -> None:
    table.play(1)
    with pytest.raises(NotNow):
        house.play.take_back(table.id, table.people[0].id, table.look(0).ply, table.key())


def test_standing_orders_are_their_owners_alone(house: Any, table: Any) -> None:
    def others_see() -> list[Any]:
        spectator, _owner, other = snapshot(table)
        return [
            spectator,
            other,
            house.looks.version(table.id),
            house.looks.version(table.id, table.people[1].id),
        ]

    before = others_see()
    own = house.looks.version(table.id, table.people[0].id)
    house.play.set_orders(table.id, table.people[0].id, {"up to": "red 4"})
    assert table.look(0).standing == {"up to": "red 4"}
    assert table.look(1).standing is None
    assert table.look().standing is None
    assert others_see() == before
    assert house.looks.version(table.id, table.people[0].id) == table.look(0).version == own + 1
    with pytest.raises(BadPlan, match="at most"):
        house.play.set_orders(table.id, table.people[0].id, "x" * 5000)
    house.play.set_orders(table.id, table.people[0].id, None)
    assert table.look(0).standing is None


def test_a_game_is_pinned_to_the_rules_it_began_with(opener: Any, sit: Any) -> None:
    from sqlalchemy import update

    from spelunke.house.store.schema import tables

    house = opener()
    table = sit(house)
    with house.store.engine.begin() as connection:
        connection.execute(update(tables).values(rules_version=99))
    other = opener()
    with pytest.raises(UnknownGame, match="version 99 of the rules"):
        other.looks.look(table.id)
    assert other.lists.my_tables(table.people[0].id) == ()


def test_a_look_since_a_ply_has_only_newer_log_lines(house: Any, table: Any) -> None:
    table.play(4)
    seen = table.look(0)
    table.play(3)
    later = table.look(0, since=seen.ply)
    assert table.look(0).log == seen.log + later.log
    assert later.log
    assert all(line.ply > seen.ply for line in later.log)
