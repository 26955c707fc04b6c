"""Presence at the table, and the options of those who wait for an absent player."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from circle import DAYS, Circle
from spelunke.core.errors import Refused
from spelunke.house.house import House, open_house
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import NotNow, NotSeated
from spelunke.house.table.presence import LINGER_MS, READ_MS, SETTLE_MS, STREAM_MS, Sighting
from waiting import wait_until

FRIENDS = Plan(game="shanghaien", seats=("me", "open"), listed=False, options={"first_starter": 0})


class Page:
    """A page of a person at a table, with its stream."""

    def __init__(self, house: House, table: str, person: str | None) -> None:
        self.house, self.table, self.person = house, table, person
        self.stay = house.attendance.stay(table, lasting=False)
        self.glance()

    def glance(self) -> Any:
        return self.house.attendance.glance(self.table, self.person, self.stay)

    def close(self) -> None:
        self.house.attendance.leave(self.stay)


def open_pages(house: House, table: Any) -> list[Page]:
    return [Page(house, table.id, person.id) for person in table.people]


def states(look: Any) -> list[Any]:
    return [seat.presence for seat in look.seats]


def waiting(table: Any) -> tuple[int, int]:
    """Return the waiting seat, and the seat that may act."""
    asked = table.look().actors[0]
    return 1 - asked, asked


def test_a_seat_is_here_while_a_page_is_open_and_offline_when_it_is_gone(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    clockwork.wait(SETTLE_MS / 1000)
    table = sit(house, FRIENDS)
    assert states(table.look()) == ["offline", "offline"]
    anna, ben = open_pages(house, table)
    assert states(table.look(0)) == ["here", "here"]
    ben.close()
    second = Page(house, table.id, table.people[1].id)
    clockwork.wait(LINGER_MS / 1000)
    assert states(table.look(0)) == ["here", "here"], "who reloads a page was never gone"
    second.close()
    left = int(clockwork.now * 1000)
    clockwork.wait(LINGER_MS / 1000)
    look = table.look(0)
    assert states(look) == ["here", "offline"]
    assert look.seats[1].away_ms == left
    house.attendance.ping(table.id, table.people[1].id, near=False)
    look = table.look(0)
    assert (look.seats[1].presence, look.seats[1].away_ms) == ("away", left)
    anna.close()


def test_a_late_look_of_a_closed_page_makes_nobody_present(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    """After a page or a stream has closed, a glance that is still requested for it doesn't make its person present."""
    table = sit(house)
    anna, ben = (person.id for person in table.people)
    looks = Page(house, table.id, ben)
    clockwork.wait(SETTLE_MS / 1000 + 1)
    late = house.attendance.stay(table.id, lasting=False)
    house.attendance.leave(late)
    house.attendance.glance(table.id, anna, late)
    seen = Page(house, table.id, anna)
    seen.close()
    program = house.attendance.stay(table.id, lasting=True)
    house.attendance.glance(table.id, anna, program)
    house.attendance.leave(program)
    clockwork.wait(30)
    house.attendance.glance(table.id, anna, program)
    clockwork.wait(LINGER_MS / 1000 + 1)
    assert house.looks.look(table.id, ben).seats[0].presence == "offline"
    house.attendance.ping(table.id, anna, near=True)
    assert house.looks.look(table.id, ben).seats[0].presence == "here"
    looks.close()


def test_a_stream_without_pings_counts_as_gone(house: House, sit: Callable[..., Any], clockwork: Any) -> None:
    table = sit(house, FRIENDS)
    anna, _ben = open_pages(house, table)
    for _ in range(3):
        clockwork.wait(STREAM_MS / 2000)
        house.attendance.ping(table.id, table.people[0].id)
    assert states(table.look(0)) == ["here", "offline"]
    assert anna.glance().again_ms is not None, "and the page looks again without a request"


def test_a_page_has_time_to_repeat_a_lost_ping() -> None:
    script = (files("spelunke.web") / "static" / "connection.js").read_text(encoding="utf-8")
    found = re.search(r"PING_MS = ([\d_]+);", script)
    assert found is not None
    assert int(found[1]) + 10_000 <= STREAM_MS


def test_a_ping_of_a_present_person_changes_nothing_for_others(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house, FRIENDS)
    anna, _ben = open_pages(house, table)
    known = anna.glance()
    heard = house.store.presence.heard
    for _ in range(8):  # longer than a stream without pings counts
        clockwork.wait(STREAM_MS / 3000)
        for person in table.people:
            house.attendance.ping(table.id, person.id)
        assert states(table.look(0)) == ["here", "here"]
    assert house.store.presence.heard == heard, (
        "or each look at any table would find its absent players again"
    )
    assert (anna.glance().version, anna.glance().stamp) == (known.version, known.stamp)
    clockwork.wait(STREAM_MS / 1000)
    assert states(table.look(0)) == ["offline", "offline"], "the last ping counts from its own time"


def test_after_a_ping_an_earlier_fetch_no_longer_shows_a_person_present(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house, FRIENDS)
    open_pages(house, table)
    for seat in range(2):  # as another worker may report
        now = int(clockwork.now * 1000)
        house.store.presence.hear(Sighting(table.id, seat, "read", True, now, now + READ_MS))
    clockwork.wait(1)
    for person in table.people:
        house.attendance.ping(table.id, person.id)
    clockwork.wait(STREAM_MS / 1000 + 1)
    assert states(table.look(0)) == ["offline", "offline"]


def test_presence_is_unknown_just_after_a_house_opens(
    opener: Callable[..., House], sit: Callable[..., Any], clockwork: Any
) -> None:
    first = opener()
    table = sit(first, FRIENDS)
    pages = open_pages(first, table)
    clockwork.wait(100)
    pages[1].close()
    left = int(clockwork.now * 1000)
    first.close()
    clockwork.wait(60)
    again = opener()
    assert states(table.look(house=again)) == [None, None]
    clockwork.wait(SETTLE_MS / 1000)
    seats = table.look(house=again).seats
    assert [seat.presence for seat in seats] == ["offline", "offline"]
    assert seats[1].away_ms == left, "when it was there last is stored"


def test_a_waiting_player_can_nudge_an_absent_player(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    clockwork.wait(SETTLE_MS / 1000)
    table = sit(house, FRIENDS)
    table.play(2)
    waits, asked = waiting(table)
    open_pages(house, table)[asked].close()
    me = table.people[waits].id
    with pytest.raises(NotNow):
        house.going_on.nudge(table.id, me, asked)
    clockwork.wait(LINGER_MS / 1000)
    assert "nudge" in table.look(waits).may
    before = house.looks.version(table.id)
    house.going_on.nudge(table.id, me, asked)
    assert house.looks.version(table.id) > before
    assert table.look(asked).nudged_by == waits
    assert "nudge" not in table.look(waits).may
    with pytest.raises(NotNow):
        house.going_on.nudge(table.id, me, asked)
    clockwork.wait(60)
    house.going_on.nudge(table.id, me, asked)
    Page(house, table.id, table.people[asked].id)
    assert table.look(waits).waits == ()
    assert table.look(asked).nudged_by == waits
    table.play(1)
    assert table.look(asked).nudged_by is None, "answered"


def leave(house: House, table: Any, clockwork: Any) -> tuple[int, int]:
    """Let the seat that may act be absent until its grace period is over. Return the waiting and the absent seat."""
    clockwork.wait(SETTLE_MS / 1000)
    table.play(2)
    waits, asked = waiting(table)
    pages = open_pages(house, table)
    pages[asked].close()
    clockwork.wait(LINGER_MS / 1000)
    (wait,) = table.look(waits).waits
    assert wait.may == {"nudge"}
    assert wait.grace_ends_ms == wait.since_ms + 120_000
    me = table.people[waits].id
    for how in ("bot", "win", "off"):
        with pytest.raises(NotNow, match=r"may still come back; wait \d+ s"):
            house.going_on.go_on(table.id, me, asked, how)
    while clockwork.now * 1000 < wait.grace_ends_ms:
        clockwork.wait(10)
        house.attendance.ping(table.id, me)
    assert table.look(waits).waits[0].may == {"nudge", "let_bot", "take_win", "call_off"}
    return waits, asked


def test_after_the_grace_a_bot_plays_until_the_other_comes_back(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house, FRIENDS)
    waits, asked = leave(house, table, clockwork)
    answer = house.going_on.go_on(table.id, table.people[waits].id, asked, "bot")
    look = table.look(waits)
    assert (answer.ply, answer.version) == (look.ply, look.version)
    assert table.look().seats[asked].absent
    while asked in table.look().actors:
        house.tick()
    assert "come_back" in table.look(asked).may
    house.play.come_back(table.id, table.people[asked].id)
    assert not table.look().seats[asked].absent
    assert table.look(waits).waits == ()


def test_a_waiting_player_of_two_can_take_the_win(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house, FRIENDS)
    waits, asked = leave(house, table, clockwork)
    house.going_on.go_on(table.id, table.people[waits].id, asked, "win")
    result = table.look().result
    assert (result.reason, result.seat, result.ranks[waits]) == ("left", asked, 1)
    assert house.replays.record(table.id).result.reason == "left"  # type: ignore[union-attr]


def test_a_game_is_called_off_without_a_winner(house: House, sit: Callable[..., Any], clockwork: Any) -> None:
    table = sit(house, FRIENDS)
    waits, asked = leave(house, table, clockwork)
    house.going_on.go_on(table.id, table.people[waits].id, asked, "off")
    result = table.look().result
    assert (result.reason, result.ranks, result.seat) == ("called_off", (1, 1), None)
    assert house.replays.record(table.id).result.reason == "called_off"  # type: ignore[union-attr]


def test_the_grace_starts_again_after_an_absent_player_returned(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house, FRIENDS)
    waits, asked = leave(house, table, clockwork)
    page = Page(house, table.id, table.people[asked].id)
    assert table.look(waits).waits == ()
    with pytest.raises(NotNow):
        house.going_on.go_on(table.id, table.people[waits].id, asked, "win")
    page.close()
    clockwork.wait(LINGER_MS / 1000)
    assert table.look(waits).waits[0].may == {"nudge"}


def test_spectators_and_absent_players_cannot_decide_how_the_game_continues(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house, FRIENDS)
    _waits, asked = leave(house, table, clockwork)
    eve = house.people.create("Eve").id
    assert house.looks.look(table.id, eve).waits == ()
    with pytest.raises(NotSeated):
        house.going_on.go_on(table.id, eve, asked, "win")
    with pytest.raises(NotSeated):
        house.going_on.nudge(table.id, eve, asked)
    for how in ("bot", "win", "off"):
        with pytest.raises(Refused):
            house.going_on.go_on(table.id, table.people[asked].id, asked, how)


def test_at_a_table_over_days_a_waiting_player_can_only_nudge(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    clockwork.wait(SETTLE_MS / 1000)
    table = sit(house, msgspec.structs.replace(FRIENDS, clock=Clock(kind="days", days=3)))
    table.play(2)
    waits, _asked = waiting(table)
    clockwork.wait(24 * 3600)
    (wait,) = table.look(waits).waits
    assert wait.grace_ends_ms is None
    assert wait.may == {"nudge"}


@pytest.mark.parametrize("leaves", [False, True])
def test_all_present_players_must_agree_to_call_off_a_larger_game(
    house: House, clockwork: Any, *, leaves: bool
) -> None:
    clockwork.wait(SETTLE_MS / 1000)
    circle = Circle(house, Clock(), 4)
    asked = circle.look(None).actors[0]
    there = [seat for seat in circle.seats if seat != asked][:2]
    gone = next(seat for seat in circle.seats if seat not in (asked, *there))
    for _ in range(13):
        for seat in there:
            house.attendance.fetched(circle.id, circle.people[seat])
        clockwork.wait(10)
    first, second = there
    assert circle.look(first).waits[0].may == {"nudge", "let_bot", "call_off"}
    house.going_on.go_on(circle.id, circle.people[first], asked, "off")
    look = circle.look(second)
    assert look.status == "playing"
    assert look.waits[0].agreed == (first,)
    assert look.waits[0].missing == (second,)
    assert gone not in look.waits[0].missing, "who is not there is not asked"
    with pytest.raises(NotNow, match="you have agreed already"):
        house.going_on.go_on(circle.id, circle.people[first], asked, "off")
    while leaves and circle.look(first).waits[0].missing:  # until the second player counts as gone too
        clockwork.wait(10)
        house.attendance.fetched(circle.id, circle.people[first])
    last = first if leaves else second
    assert "call_off" in circle.look(last).waits[0].may
    house.going_on.go_on(circle.id, circle.people[last], asked, "off")
    assert circle.look(None).result.reason == "called_off"


OPEN_ENDED: tuple[tuple[Clock, dict[str, Any]], ...] = (
    (Clock(), {"hep_seconds": 0}),
    (Clock(), {"hep_seconds": 0, "hep_window": "sequenced"}),
    (DAYS, {}),
)


@pytest.fixture(scope="module", params=OPEN_ENDED, ids=lambda given: given[0].kind)
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a stored table of six people, at which four of them may call for a discard without a time limit."""
    path = tmp_path_factory.mktemp("window") / "house.sqlite3"
    clock, options = request.param
    house = open_house(f"sqlite:///{path}", timers=False, clock=lambda: 1_700_000_000.0, alone=False)
    circle = Circle(house, clock, 6, options)
    calling = circle.to_window(4)
    house.close()
    return path, circle, calling


class World:
    """A separate `House` with a copy of a stored table, and the data that each viewer gets there."""

    def __init__(self, window: Any, path: Path, clockwork: Any) -> None:
        shutil.copy(window[0], path)
        self.circle = copy.copy(window[1])
        self.house = self.circle.house = open_house(
            f"sqlite:///{path}", timers=False, clock=clockwork, alone=False, signing_key=bytes(32)
        )
        self.pages = [Page(self.house, self.circle.id, person) for person in self.circle.people]

    def told(self, viewer: int | None) -> bytes:
        person = None if viewer is None else self.circle.people[viewer]
        glance = self.house.attendance.glance(self.circle.id, person)
        mine = () if person is None else self.house.lists.my_tables(person)
        return msgspec.json.encode((self.circle.look(viewer), glance, mine), enc_hook=str)

    def go_on(self, viewer: int, seat: int, how: Any) -> str:
        try:
            self.house.going_on.go_on(self.circle.id, self.circle.people[viewer], seat, how)
        except Refused as error:
            return str(error)
        return "done"


@pytest.mark.sampled
def test_an_answer_in_secret_moves_neither_presence_nor_offers(
    window: Any, tmp_path: Path, clockwork: Any
) -> None:
    """If one seat passes in secret, all other viewers get the same bytes and options as without this pass."""
    _path, circle, (first, second, third, _fourth) = window
    one, two = worlds = [World(window, tmp_path / name, clockwork) for name in ("one", "two")]
    offered = set()

    def expect_same() -> None:
        for viewer in (None, *circle.seats):
            if viewer != second:
                assert one.told(viewer) == two.told(viewer), f"seat {viewer} receives more"
                offered.update(word for wait in one.circle.look(viewer).waits for word in wait.may)

    clockwork.wait(1)
    one.circle.act(second, "pass")
    expect_same()
    for world in worlds:  # the seat that passed leaves, and so does one that did not
        world.pages[second].close()
        world.pages[third].close()
        world.circle.act(first, "pass")
    expect_same()
    for _ in range(14):
        clockwork.wait(10)
        for world in worlds:
            for seat in circle.seats:
                if seat not in (second, third):
                    world.house.attendance.ping(circle.id, circle.people[seat])
        expect_same()
    for seat in (second, third):
        assert one.go_on(first, seat, "off") == two.go_on(first, seat, "off")
        assert one.go_on(first, seat, "bot") == two.go_on(first, seat, "bot")
        expect_same()
    grace = one.circle.look(None).clock.grace_ms is not None
    assert offered == ({"nudge", "let_bot", "call_off"} if grace else {"nudge"}), (
        "the test sees offers at all"
    )
    for world in worlds:
        world.house.close()


def test_a_page_that_follows_a_form_makes_nobody_present(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    clockwork.wait(SETTLE_MS / 1000)
    table = sit(house, FRIENDS)
    ben = table.people[1].id
    house.attendance.hush(table.id, ben)
    house.attendance.fetched(table.id, ben)
    assert table.look(0).seats[1].presence == "offline"
    house.attendance.fetched(table.id, ben)
    assert table.look(0).seats[1].presence == "here", "what is fetched after that counts"


def test_a_rematch_starts_when_all_have_accepted(
    house: House, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house, FRIENDS)
    anna, ben = (person.id for person in table.people)
    house.play.resign(table.id, anna, "resign-it")
    made = house.next_games.rematch(table.id, anna)
    assert house.next_games.rematch(table.id, anna) == made
    eve = house.people.create("Eve").id
    with pytest.raises(NotNow):
        house.lobby.join(made, eve)
    house.lobby.add_nonce(made, anna, "mine")
    clockwork.wait(3600)
    house.tick()
    look = house.looks.look(made, anna)
    assert look.status == "open"
    assert [seat.kind for seat in look.seats] == ["kept", "person"]
    assert look.names == ("Ben", "Anna")
    asked = table.look(1)
    assert {"accept_rematch", "decline_rematch"} <= asked.may
    assert asked.rematch_by == 0
    version = house.looks.version(table.id, ben)
    assert house.next_games.rematch(table.id, ben) == made
    assert house.looks.version(table.id, ben) > version
    assert "accept_rematch" not in table.look(1).may
    assert house.looks.look(made, ben).status == "ready"
    house.lobby.add_nonce(made, ben, "mine-too")
    assert house.looks.look(made, ben).status == "playing"


def test_a_rematch_that_is_declined_frees_the_seat(house: House, sit: Callable[..., Any]) -> None:
    table = sit(house, FRIENDS)
    anna, ben = (person.id for person in table.people)
    house.play.resign(table.id, anna, "resign-it")
    made = house.next_games.rematch(table.id, ben)
    house.next_games.decline_rematch(table.id, anna)
    with pytest.raises(NotNow):
        house.next_games.decline_rematch(table.id, anna)
    look = house.looks.look(made, ben)
    assert sorted(seat.kind for seat in look.seats) == ["link", "person"]
    assert not {"accept_rematch", "decline_rematch"} & table.look(0).may
    eve = house.people.create("Eve").id
    with pytest.raises(NotNow):
        house.lobby.join(made, eve)
    house.lobby.join(made, eve, invite=str(look.invite))
    assert house.looks.look(made, eve).seat is not None


def test_a_rematch_whose_host_leaves_can_be_offered_again(house: House, sit: Callable[..., Any]) -> None:
    table = sit(house, FRIENDS)
    anna, ben = (person.id for person in table.people)
    house.play.resign(table.id, anna, "resign-it")
    made = house.next_games.rematch(table.id, anna)
    house.lobby.leave(made, anna)
    assert "rematch" in table.look(1).may
    assert house.next_games.rematch(table.id, ben) != made


def test_tables_with_strangers_have_a_clock_unless_told_otherwise(house: House) -> None:
    anna = house.people.create("Anna").id

    def clock(**given: Any) -> str:
        table = house.lobby.create(anna, Plan(game="shanghaien", **given))
        return str(house.looks.look(table).clock.kind)

    assert clock(seats=("me", "open")) == "live"
    assert clock(seats=("me", "open"), listed=False) == "none"
    assert clock(seats=("me", "link")) == "none"
    assert clock(seats=("me", "bot:deckhand")) == "none"
    assert clock(seats=("me", "open"), clock=Clock()) == "none"


def test_a_message_that_is_sent_twice_is_said_once(house: House, sit: Callable[..., Any]) -> None:
    table = sit(house, FRIENDS)
    anna, ben = (person.id for person in table.people)
    for _ in range(3):
        house.chat.say(table.id, anna, "well?", "the-same-key")
    house.chat.say(table.id, ben, "well?", "the-same-key")
    assert [line.seat for line in table.look().chat] == [0, 1]


def test_presence_reaches_the_other_worker(
    postgres_database: str, redis_url: str, sit: Callable[..., Any]
) -> None:
    houses = [open_house(postgres_database, redis=redis_url, timers=False) for _ in range(2)]
    try:
        here, there = houses
        for house in houses:
            assert house.store.bus.ready.wait(10)  # type: ignore[attr-defined]
        table = sit(here, FRIENDS)
        page = Page(here, table.id, table.people[1].id)
        wait_until(lambda: table.look(0, house=there).seats[1].presence == "here")
        page.close()
        wait_until(lambda: table.look(0, house=there).seats[1].presence == "offline")
    finally:
        for house in houses:
            house.close()
