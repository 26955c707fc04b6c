"""Evenings that hosts announce, players' vacations, and a house that is closed for a while."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from circle import Circle
from spelunke.house.hosting import write_calendar
from spelunke.house.people import Doors
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import BadMessage, BadPlan, NotNow, SiteClosed

from .test_presence import leave
from .test_ties import member
from .test_undo import play_until

DAY = 24 * 3600


FLAG = "\N{WAVING BLACK FLAG}\N{ZERO WIDTH JOINER}\N{SKULL AND CROSSBONES}\N{VARIATION SELECTOR-16}"
"""The pirate flag, which consists of several characters. Two of them are invisible."""


def announce(house: Any, host: str, **more: Any) -> str:
    given = {
        "title": "Tavern night",
        "about": "Bring rum; and a friend, if you like",
        "begins": "2023-11-20T20:00",
    }
    given |= {"minutes": 180, "zone": "Europe/Berlin", **more}
    return str(house.evenings.add(host, *given.values(), weekly=False))


def test_evenings_and_reasons_may_contain_the_pirate_flag(house: Any) -> None:
    hanna = member(house, "Hanna")
    announce(house, hanna, title=f"Night {FLAG}", about=FLAG)
    (one,) = house.evenings.coming()
    assert (one.title, one.about) == (f"Night {FLAG}", FLAG)
    for wrong in ("\u200d", "a\x00"):
        with pytest.raises(BadPlan, match="title"):
            announce(house, hanna, title=wrong)
        with pytest.raises(BadPlan, match="description"):
            announce(house, hanna, about=wrong)
        with pytest.raises(BadMessage):
            house.closing.close(hanna, wrong)
    house.closing.close(hanna, f"We sail {FLAG}")
    assert house.closing.word() == f"We sail {FLAG}"
    house.closing.open(hanna)


def test_an_evening_is_in_the_calendar(house: Any) -> None:
    hanna = member(house, "Hanna")
    evening = announce(house, hanna)
    (one,) = house.evenings.coming()
    assert (one.evening, one.title, one.minutes, one.begins_ms) == (
        evening,
        "Tavern night",
        180,
        1_700_506_800_000,
    )
    text = write_calendar((one,), "Spelunke", "https://house.example/evenings").decode()
    assert text.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert "DTSTART:20231120T190000Z\r\nDURATION:PT180M\r\n" in text
    assert "Bring rum\\; and a friend\\, if you like" in text.replace("\r\n ", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    house.evenings.remove(hanna, evening)
    assert house.evenings.coming() == ()
    with pytest.raises(NotNow):
        house.evenings.remove(hanna, evening)


def test_a_weekly_evening_keeps_its_hour_when_clocks_change(house: Any, clockwork: Any) -> None:
    hanna = member(house, "Hanna")
    house.evenings.add(hanna, "Monday", "", "2023-11-20T20:00", 60, "Europe/Berlin", weekly=True)
    found = [one.begins_ms for one in house.evenings.coming()]
    assert len(found) > 20
    hours = {(ms // 3_600_000) % 24 for ms in found}
    assert hours == {19, 18}, "eight in the evening is 19 h UTC in winter, and 18 h in summer"
    clockwork.wait(30 * DAY)
    assert house.evenings.coming()[0].begins_ms > found[2]
    text = write_calendar(house.evenings.coming(), "Spelunke", "")
    assert len(set(re.findall(rb"UID:(\S+)", text))) == len(house.evenings.coming())


def test_past_evenings_leave_room_in_a_full_calendar(house: Any, clockwork: Any) -> None:
    hanna = member(house, "Hanna")
    for number in range(50):
        announce(house, hanna, title=f"Night {number}", begins="2023-11-15T20:00")
    with pytest.raises(NotNow, match="50 evenings"):
        announce(house, hanna)
    clockwork.wait(2 * DAY)
    evening = announce(house, hanna)
    assert [one.evening for one in house.evenings.coming()] == [evening]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"title": ""}, "a title"),
        ({"minutes": 1}, "10 minutes"),
        ({"zone": "Atlantis"}, "no time zone"),
        ({"begins": "tomorrow"}, "a date and a time"),
        ({"begins": "2020-01-01T20:00"}, "has passed"),
        ({"about": "x" * 501}, "description"),
    ],
)
def test_an_impossible_evening_is_refused_with_a_reason(
    house: Any, wrong: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadPlan, match=sentence):
        announce(house, member(house, "Hanna"), **wrong)


def test_on_vacation_no_clock_over_days_runs_out(house: Any, clockwork: Any, sit: Any) -> None:
    plan = Plan(
        game="shanghaien",
        seats=("me", "open"),
        options={"first_starter": 0},
        clock=Clock(kind="days", days=2),
    )
    table = sit(house, plan)
    asked = table.asked()
    until = house.vacations.begin(asked.id, 5)
    assert house.vacations.of(asked.id).until_ms == until
    for _ in range(40):
        clockwork.wait(DAY / 8)
        house.tick()
    assert table.look().status == "playing"
    assert any("starts again" in line.text for line in table.look().log)
    for _ in range(24):
        clockwork.wait(DAY / 8)
        house.tick()
    assert table.look().status == "over", "after the vacation the clock runs as before"


def test_days_of_vacation_are_counted(house: Any, clockwork: Any) -> None:
    hanna, anna = member(house, "Hanna"), member(house, "Anna")
    assert house.vacations.of(anna).left == house.vacations.days_a_year() == 30
    house.vacations.set_days(hanna, 10)
    house.vacations.begin(anna, 4)
    with pytest.raises(NotNow, match="on vacation already"):
        house.vacations.begin(anna, 1)
    clockwork.wait(1.5 * DAY)
    house.vacations.end(anna)
    assert house.vacations.of(anna).left == 8, "a begun day counts"
    with pytest.raises(NotNow, match="8 of 10 days"):
        house.vacations.begin(anna, 9)
    with pytest.raises(NotNow, match="not on vacation"):
        house.vacations.end(anna)
    for days in (0, -3):
        with pytest.raises(BadPlan):
            house.vacations.begin(anna, days)
    with pytest.raises(BadPlan):
        house.vacations.set_days(hanna, 400)


def test_a_vacation_counts_in_the_year_in_which_it_begins(house: Any, clockwork: Any) -> None:
    anna = member(house, "Anna")
    clockwork.now = datetime(2026, 12, 20, tzinfo=UTC).timestamp()
    house.vacations.begin(anna, 30)
    assert house.vacations.of(anna).left == 0
    clockwork.now = datetime(2027, 1, 2, tzinfo=UTC).timestamp()
    assert house.vacations.is_away(anna)
    assert house.vacations.of(anna).until_ms is not None
    clockwork.now = datetime(2027, 2, 1, tzinfo=UTC).timestamp()
    assert house.vacations.of(anna).left == 30


def test_a_closed_house_pauses_live_games_and_goes_on(opener: Any, clockwork: Any, sit: Any) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    plan = Plan(
        game="shanghaien",
        seats=("me", "open"),
        options={"first_starter": 0},
        clock=Clock(kind="live", minutes=1, increment=0),
    )
    table = sit(house, plan)
    with pytest.raises(BadMessage):
        house.closing.close(hanna, " ")
    assert house.closing.close(hanna, "We restart at eight.") == 1
    assert table.look(0).chat[-1].text == "We restart at eight."
    asked = table.asked()
    look = house.looks.look(table.id, asked.id)
    with pytest.raises(SiteClosed, match="We restart at eight"):
        house.play.act(table.id, asked.id, look.legal[0][1], look.ply, "key-000001")
    with pytest.raises(SiteClosed, match="closed for a while"):
        house.lobby.create(asked.id, Plan(game="shanghaien", seats=("me", "open")))
    with pytest.raises(NotNow, match="already closed"):
        house.closing.close(hanna, "Again")
    shown = [(seat.left_ms, seat.ticking) for seat in table.look().seats]
    assert shown == [(60_000, False), (60_000, False)]
    for _ in range(10):
        clockwork.wait(30)
        house.tick()
    assert table.look().status == "playing", "no clock runs out meanwhile"
    assert table.look().ply == look.ply, "nothing is written into the log meanwhile"
    assert [(seat.left_ms, seat.ticking) for seat in table.look().seats] == shown
    house.closing.open(hanna)
    look = house.looks.look(table.id, asked.id)
    seat = look.seats[look.seat]
    assert (seat.left_ms or 0) > 0
    house.play.act(table.id, asked.id, look.legal[0][1], look.ply, "key-000002")
    assert [line.what for line in house.hosting.log()[0][:2]] == ["opened", "closed"]
    with pytest.raises(NotNow):
        house.closing.open(hanna)


def test_while_the_house_is_closed_nobody_goes_on_without_an_absent_player(
    opener: Any, clockwork: Any, sit: Any
) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    plan = Plan(game="shanghaien", seats=("me", "open"), clock=Clock(kind="live", minutes=15))
    table = sit(house, plan)
    waits, asked = leave(house, table, clockwork)
    me = table.people[waits].id
    house.closing.close(hanna, "New cables")
    assert table.look(waits).waits == ()
    for how in ("bot", "win", "off"):
        with pytest.raises(SiteClosed, match="New cables"):
            house.going_on.go_on(table.id, me, asked, how)
    with pytest.raises(SiteClosed, match="New cables"):
        house.going_on.nudge(table.id, me, asked)
    house.closing.open(hanna)
    house.attendance.ping(table.id, me)
    with pytest.raises(NotNow, match="may still come back"):
        house.going_on.go_on(table.id, me, asked, "win")


def test_while_the_house_is_closed_players_may_only_end_their_games(
    opener: Any, clockwork: Any, sit: Any
) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    live, calm = (
        sit(house, Plan(game="shanghaien", seats=("me", "open"), clock=clock))
        for clock in (Clock(kind="live", minutes=15), Clock())
    )
    going_on = {"ask_undo", "answer_undo", "stand_in", "come_back"}
    ending = {"resign", "offer_draw"}
    seat, _move = play_until(live, "place")
    me, other = live.people[seat].id, live.people[1 - seat].id
    assert {"ask_undo", "stand_in", *ending} <= live.look(seat).may
    house.closing.close(hanna, "New cables")
    assert live.look(seat).may & (going_on | ending) == ending
    for act in (
        lambda: house.undoing.undo(live.id, me),
        lambda: house.play.stand_in(live.id, me),
        lambda: house.play.stand_in(live.id, other),
    ):
        with pytest.raises(SiteClosed, match="New cables"):
            act()
    calm_seat = calm.look().actors[0]
    assert "stand_in" in calm.look(calm_seat).may, "only live games are paused"
    house.play.stand_in(calm.id, calm.people[calm_seat].id)
    house.closing.open(hanna)
    assert {"stand_in", *ending} <= live.look(seat).may
    house.closing.close(hanna, "New cables again")
    asked = live.look().actors[0]
    house.play.offer_draw(live.id, live.people[1 - asked].id)
    house.closing.open(hanna)
    assert live.look().seats[1 - asked].offers_draw, "nobody has acted since the offer"
    house.closing.close(hanna, "New cables at last")
    house.play.accept_draw(live.id, live.people[asked].id, "accept-1")
    assert live.look().status == "over"


def test_while_the_house_is_closed_a_stand_in_waits_and_its_person_too(
    opener: Any, clockwork: Any, sit: Any
) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    table = sit(house, Plan(game="shanghaien", seats=("me", "open"), clock=Clock(kind="live", minutes=15)))
    seat = table.look().actors[0]
    house.play.stand_in(table.id, table.people[seat].id)
    house.closing.close(hanna, "New cables")
    assert "come_back" not in table.look(seat).may
    with pytest.raises(SiteClosed, match="New cables"):
        house.play.come_back(table.id, table.people[seat].id)
    house.closing.open(hanna)
    house.play.come_back(table.id, table.people[seat].id)


def test_an_open_page_hears_when_the_house_closes_and_opens(opener: Any, sit: Any) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    table = sit(house, Plan(game="shanghaien", seats=("me", "open"), clock=Clock(kind="live", minutes=15)))
    open_look = table.look(0)
    house.closing.close(hanna, "New cables")
    closed_look = table.look(0)
    assert closed_look.stamp != open_look.stamp
    house.closing.open(hanna)
    assert table.look(0).stamp == open_look.stamp


def test_bots_at_live_tables_move_only_after_the_house_has_opened(
    opener: Any, clockwork: Any, sit: Any
) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    live, calm = (
        sit(house, Plan(game="shanghaien", seats=("me", "open"), clock=clock))
        for clock in (Clock(kind="live", minutes=1, increment=0), Clock())
    )
    for table in (live, calm):
        house.play.stand_in(table.id, table.asked().id)
    before = [table.look().ply for table in (live, calm)]
    house.closing.close(hanna, "New cables")
    for _ in range(8):
        clockwork.wait(30)
        house.tick()
    assert live.look().ply == before[0]
    assert calm.look().ply > before[1], "only live games are paused"
    house.closing.open(hanna)
    house.tick()
    assert live.look().ply > before[0] + 1


def test_a_window_and_standing_orders_wait_until_the_house_opens(opener: Any, clockwork: Any) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    by_time, by_orders = Circle(house), Circle(house)
    calling = by_time.to_window(2)
    first, *_others = by_orders.to_window(2)
    clockwork.wait(3)
    text = "any ace, any king, hearts, spades, clubs, diamonds, joker"
    house.play.set_orders(by_orders.id, by_orders.people[first], {"text": text})
    house.closing.close(hanna, "New cables")
    for _ in range(8):
        clockwork.wait(30)
        house.tick()
    assert by_time.calling() == calling
    assert by_orders.calls() == []
    house.closing.open(hanna)
    turn = next(seat for seat in by_time.seats if "take" in by_time.moves(seat))
    left = by_time.look(turn).seats[turn].left_ms
    house.tick()
    assert [seat for seat, _tied in by_orders.calls()] == [first]
    assert by_time.look(None).pause_left_ms == 5000, "the window is open for its whole time again"
    clockwork.wait(4.9)
    house.tick()
    assert by_time.calling() == calling
    clockwork.wait(0.2)
    house.tick()
    assert by_time.calling() == []
    assert by_time.look(turn).seats[turn].left_ms == left - 5100


def test_the_rules_for_new_people_change_no_other_setting(opener: Any) -> None:
    house = opener()
    hanna = member(house, "Hanna")
    house.vacations.set_days(hanna, 5)
    house.closing.close(hanna, "New cables")
    house.hosting.set_doors(hanna, Doors(guests="closed"))
    house.hosting.set_doors(hanna, Doors(members="invited"))
    assert house.members.doors() == Doors(members="invited")
    assert house.vacations.days_a_year() == 5
    assert house.closing.word() == "New cables"


def test_a_start_opens_a_house_that_was_closed(opener: Any, clockwork: Any, sit: Any) -> None:
    house = opener(alone=True)
    hanna = member(house, "Hanna")
    table = sit(house, Plan(game="shanghaien", seats=("me", "open"), clock=Clock(kind="live", minutes=1)))
    house.closing.close(hanna, "New cables")
    house.close()
    clockwork.wait(3600)
    again = opener(alone=True)
    assert again.closed == again.closing.word() == ""
    again.tick()
    assert again.looks.look(table.id).status == "playing"


def test_resigning_before_the_start_is_refused_with_a_reason(house: Any) -> None:
    anna = member(house, "Anna")
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open")))
    with pytest.raises(NotNow, match="has not started; leave the table instead"):
        house.play.resign(table, anna, "resign-001")
