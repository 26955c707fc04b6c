"""Tournaments, leagues and other events: entering and leaving, automatic rounds, standings, seasons, and refusals."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from alembic import command
from sqlalchemy import select, update
from structlog.testing import capture_logs

from spelunke.core.chance import below, commitment
from spelunke.games import find_game
from spelunke.house.events import EventPlan, next_divisions, runner
from spelunke.house.plan import Clock
from spelunke.house.refusals import BadPlan, HouseClosed, NotAllowed, NotNow, UnknownEvent, WatchLater
from spelunke.house.store import Write, event_players, events, tables
from spelunke.house.store.engine import _config, migrate, open_engine
from spelunke.records.claims import Kept
from spelunke.records.fairness import verify

from .test_rounds import standings_again

GAME = "shanghaien"
PASSWORD = "lantern mussel quarry tin"
LEVELS = {GAME: ("deckhand",), "sanghai": ("novice", *("nephew",) * 19)}
"""By game: the levels of the bots that enter, in turn. Tables of a duplicate event differ by their players."""
CALM = EventPlan(game=GAME, name="Evening", clock=Clock())


class Chooser:
    """A bot that takes a legal action at random, with numbers from the stream that the house gives it."""

    def choose(self, _view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        return legal[below(stream, len(legal))]


def seat(game: Any, level: str) -> Any:
    """Seat a bot that takes any action.

    In Sanghai, seat one that can go out, because a random game hardly ever ends.
    """
    from spelunke.bots.levels import seat_bot

    return seat_bot(game, level) if game.name == "sanghai" else Chooser()


@pytest.fixture
def house(opener: Any) -> Any:
    return opener(bots=seat, nonce_wait=0.0)


@pytest.fixture
def host(house: Any) -> str:
    person: str = house.people.create("Hanna").id
    house.members.become(person, "Hanna", label="here", password=PASSWORD)
    return person


def make(house: Any, host: str, bots: int, **changed: Any) -> str:
    event: str = house.events.create(host, msgspec.structs.replace(CALM, **changed))
    levels = LEVELS[changed.get("game", GAME)]
    for number in range(bots):
        house.events.enter(event, host, level=levels[number % len(levels)])
    return event


def run(house: Any, clockwork: Any, event: str, most: int = 2000, step: float = 3) -> Any:
    """Let time pass in steps of ``step`` seconds until the event is over; return the event."""
    for _ in range(most):
        house.tick()
        look = house.events.look(event)
        if look.status == "over":
            return look
        clockwork.wait(step)
    raise AssertionError("the event did not end")


def check_standings(look: Any) -> None:
    from spelunke.house.events import Meeting

    meetings = [Meeting(one.round, tuple(map(str, one.players)), one.ranks, one.leads) for one in look.tables]
    again = standings_again(len(look.players), meetings)
    for line in look.standings:
        assert (line.points, line.buchholz, line.sonneborn) == pytest.approx(again[line.name])


def test_a_swiss_event_of_bots_runs_to_its_end(house: Any, host: str, clockwork: Any) -> None:
    event = make(house, host, 5, rounds=2)
    house.events.start(event, host)
    look = run(house, clockwork, event)
    assert look.round == look.rounds == 2
    assert len(look.tables) == 6
    assert all(one.ranks for one in look.tables)
    check_standings(look)


def test_a_round_is_paired_once_although_two_threads_check_the_event(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a second thread checks an event whose round the first thread has just paired, nothing is paired again."""
    event = make(house, host, 4, rounds=2)
    runner = house.event_runner
    open_tables = runner._open_tables

    def be_overtaken(*given: Any) -> None:
        monkeypatch.setattr(runner, "_open_tables", open_tables)
        open_tables(*given)
        runner.go_on(event)  # the other thread

    # An earlier version that crashed left such an event: begun, without a round.
    begun = update(events).where(events.c.id == event).values(status="running", rounds=2)
    house.store.writer.write(Write(call=lambda connection: connection.execute(begun).rowcount))
    monkeypatch.setattr(runner, "_open_tables", be_overtaken)
    runner.go_on(event)
    look = house.events.look(event)
    assert (look.status, look.round) == ("running", 1)
    assert len(look.tables) == 2


def test_players_can_enter_or_leave_while_the_first_round_is_paired(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 2, rounds=1)
    anna, ben, cleo = (house.people.create(name).id for name in ("Anna", "Ben", "Cleo"))
    house.events.enter(event, anna)
    house.events.enter(event, ben)

    def be_overtaken(*given: Any) -> Any:
        monkeypatch.setattr(runner, "pair_round", pair)
        paired = pair(*given)
        house.events.leave(event, anna)
        house.events.enter(event, cleo)
        return paired

    pair = runner.pair_round
    monkeypatch.setattr(runner, "pair_round", be_overtaken)
    house.events.start(event, host)
    look = house.events.look(event)
    paired = {number for one in look.tables for number in one.players}
    assert paired == {one.number for one in look.players}
    assert {"Ben", "Cleo"} < {one.name for one in look.players}
    assert "Anna" not in {one.name for one in look.players}


def test_entering_or_leaving_during_the_start_applies_to_the_running_tournament(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 3, rounds=2)
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    house.events.enter(event, anna)
    head = house.events._book.head

    def be_overtaken(*given: Any) -> Any:
        monkeypatch.setattr(house.events._book, "head", head)
        found = head(*given)
        house.event_runner.begin(event)
        return found

    monkeypatch.setattr(house.events._book, "head", be_overtaken)
    house.events.leave(event, anna)
    look = house.events.look(event, anna)
    assert look.left
    assert [one.left for one in look.players] == [False, False, False, True]
    knockout = make(house, host, 4, kind="knockout")
    event = knockout
    monkeypatch.setattr(house.events._book, "head", be_overtaken)
    with pytest.raises(NotNow, match="has begun"):
        house.events.enter(knockout, ben)


def test_all_tables_of_a_duplicate_event_share_one_proven_seed(house: Any, host: str, clockwork: Any) -> None:
    event = make(house, host, 4, rounds=1, duplicate=True)
    bound = house.events.look(event)
    assert bound.seed is None
    house.events.start(event, host)
    look = run(house, clockwork, event)
    assert commitment(bytes.fromhex(look.seed)) == bound.commitment
    records = [house.replays.record(one.table) for one in look.tables]
    assert len({tuple(entry.text for entry in record.plies) for record in records}) == 1
    assert verify(records[0], Kept(commitment=bound.commitment)).verdict == "fair"


def start_for_two_tables(house: Any, host: str) -> tuple[str, list[str], dict[str, str]]:
    """Start a duplicate event of four people. Return it, its tables, and a person of each table."""
    event = make(house, host, 0, rounds=2, duplicate=True)
    people = [house.people.create(name).id for name in ("Anna", "Ben", "Carl", "Dora")]
    for person in people:
        house.events.enter(event, person)
    house.events.start(event, host)
    players = {house.events.look(event, person).yours: person for person in people}
    return event, sorted(players), players


def refused(house: Any, table: str, person: str | None = None) -> bool:
    """Return whether a person may not look at a table yet because other tables have the same cards or dice."""
    try:
        house.looks.look(table, person)
    except WatchLater:
        return True
    return False


def migrate_again(database: str, older: str) -> None:
    """Downgrade a database to an older migration, and bring it up to date."""
    engine = open_engine(database)
    with engine.connect() as connection, connection.begin():
        command.downgrade(_config(connection), older)
    migrate(engine)
    engine.dispose()


def test_every_worker_hides_a_duplicate_table_until_its_round_is_over(
    opener: Any, house: Any, host: str, clockwork: Any
) -> None:
    other = opener(bots=seat, nonce_wait=0.0)
    event, (one, two), players = start_for_two_tables(house, host)
    assert all(refused(each, table) for each in (house, other) for table in (one, two))
    assert refused(other, one, players[two])
    assert refused(house, one, host)
    assert not refused(other, one, players[one])
    with pytest.raises(WatchLater):
        house.chat.say(one, players[two], "a six comes next")
    house.play.resign(one, players[one], "key-00000001")
    house.event_runner.go_on(event)
    for look in (house.replays.record, house.replays.verify, house.analyses.look, other.analyses.begin):
        with pytest.raises(WatchLater, match="when the round is over"):
            look(one, players[two])
    assert house.replays.record(one, players[one]).result.reason == "resigned"
    look = other.events.look(event)
    assert [(line.over, line.ranks) for line in look.tables] in (
        [(True, ()), (False, ())],
        [(False, ()), (True, ())],
    )
    assert {line.points for line in look.standings} == {0.0}
    house.play.resign(two, players[two], "key-00000002")
    house.event_runner.go_on(event)
    assert not any(refused(each, table) for each in (house, other) for table in (one, two))
    look = other.events.look(event)
    assert (look.round, {line.points for line in look.standings}) == (2, {0.0, 1.0})
    third = next(line.table for line in look.tables if line.round == 2)
    assert refused(house, third)
    house.events.end(event, host)
    assert not refused(house, third)
    assert not refused(other, third)


def test_an_event_of_an_older_version_hides_its_round_after_the_migration(
    opener: Any, house: Any, host: str, database: str, clockwork: Any
) -> None:
    event, (one, two), players = start_for_two_tables(house, host)
    plain = make(house, host, 0)
    for person in players.values():
        house.events.enter(plain, person)
    house.events.start(plain, host)
    shown = house.events.look(plain).tables[0].table
    house.close()
    migrate_again(database, "0018")
    house = opener(bots=seat, nonce_wait=0.0)
    assert refused(house, one)
    assert refused(house, two)
    assert not refused(house, shown)
    for number, table in enumerate((one, two)):
        house.play.resign(table, players[table], f"key-0000001{number}")
    house.event_runner.go_on(event)
    assert not refused(house, one)


def test_people_are_notified_of_a_new_round(house: Any, host: str, clockwork: Any) -> None:
    event = make(house, host, 2, rounds=1)
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    house.events.enter(event, anna)
    house.events.enter(event, ben)
    house.events.start(event, host)
    house.tick()
    for person in (anna, ben):
        (told,) = [one for one in house.notifications.inbox.of(person) if one.kind == "round"]
        table = house.events.look(event, person).yours
        assert (told.table, told.path, told.unread) == (table, f"/t/{table}", True)
        house.notifications.inbox.saw(person, table)
        assert house.notifications.inbox.unread(person) == 0


def test_people_can_enter_a_running_tournament_and_leave_before_the_end(
    house: Any, host: str, clockwork: Any
) -> None:
    event = make(house, host, 3, rounds=2)
    anna, late = (house.people.create(name).id for name in ("Anna", "Lotte"))
    house.events.enter(event, anna)
    assert house.events.enter(event, anna) == house.events.enter(event, anna)
    house.events.start(event, host)
    house.tick()
    table = house.events.look(event, anna).yours
    clockwork.wait(1)
    house.tick()
    house.events.enter(event, late)
    house.events.leave(event, anna)
    with pytest.raises(NotNow, match="not in this tournament"):
        house.events.leave(event, anna)
    house.play.resign(table, anna, "key-00000001")
    for _ in range(300):
        house.tick()
        clockwork.wait(3)
        look = house.events.look(event, late)
        if look.round == 2 and look.yours:
            break
    second = [number for one in look.tables if one.round == 2 for number in one.players]
    assert sorted(second) == [1, 2, 3, 5]
    house.play.resign(look.yours, late, "key-00000002")
    assert run(house, clockwork, event).status == "over"


def test_a_player_can_not_leave_a_table_of_a_round_before_its_game_starts(
    house: Any, host: str, clockwork: Any
) -> None:
    event = make(house, host, 0, rounds=1, round_minutes=5)
    for name in ("Anna", "Ben"):
        house.events.enter(event, person := house.people.create(name).id)
    house.events.start(event, host)
    table = house.events.look(event, person).yours
    assert house.looks.look(table).status == "ready"
    with pytest.raises(NotNow, match="a table of a tournament"):
        house.lobby.leave(table, person)
    house.leaving.leave(person)
    house.tick()
    assert house.looks.look(table).status == "playing"
    clockwork.wait(301)
    assert run(house, clockwork, event).tables[0].ranks == (1, 1)


def test_when_the_time_of_a_round_is_over_open_tables_end_in_a_tie(
    house: Any, host: str, clockwork: Any
) -> None:
    event = make(house, host, 0, rounds=1, round_minutes=5)
    for name in ("Anna", "Ben"):
        house.events.enter(event, house.people.create(name).id)
    house.events.start(event, host)
    house.tick()
    clockwork.wait(301)
    look = run(house, clockwork, event)
    table = look.tables[0].table
    assert look.tables[0].ranks == (1, 1)
    assert house.looks.look(table).status == "over"
    assert "The time of the round is over: the game is called off." in [
        line.text for line in house.looks.look(table).log
    ]
    assert house.replays.record(table).result.reason == "called_off"
    assert house.replays.verify(table).ok


def start_late(house: Any, host: str, clockwork: Any) -> tuple[str, str]:
    """Start an event of two people, and let the time of its round run out. Return the event and one of the people."""
    event = make(house, host, 0, rounds=1, round_minutes=5)
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    for person in (anna, ben):
        house.events.enter(event, person)
    house.events.start(event, host)
    house.tick()
    clockwork.wait(301)
    return event, ben


def test_a_game_that_ends_when_its_round_is_over_counts(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, ben = start_late(house, host, clockwork)
    play, call_off = house.event_runner._play, house.event_runner._play.call_off

    def be_overtaken(table: str, *given: Any, **named: Any) -> None:
        house.play.resign(table, ben, "key-00000001")
        call_off(table, *given, **named)

    monkeypatch.setattr(play, "call_off", be_overtaken)
    look = run(house, clockwork, event)
    record = house.replays.record(look.tables[0].table)
    assert record.result.reason == "resigned"
    assert look.tables[0].ranks == record.result.ranks != (1, 1)


def test_a_round_waits_for_a_table_that_can_not_be_called_off_now(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, _ben = start_late(house, host, clockwork)
    play, call_off = house.event_runner._play, house.event_runner._play.call_off
    monkeypatch.setattr(play, "call_off", Mock(side_effect=HouseClosed("the disk is full")))
    house.tick()
    look = house.events.look(event)
    assert (look.status, look.tables[0].ranks) == ("running", ())
    monkeypatch.setattr(play, "call_off", call_off)
    look = run(house, clockwork, event)
    assert look.tables[0].ranks == (1, 1)
    assert house.looks.look(look.tables[0].table).status == "over"


def test_while_the_house_is_closed_no_time_of_a_live_round_runs(
    house: Any, host: str, clockwork: Any
) -> None:
    clocks = (Clock(kind="live", minutes=15), Clock())
    live, calm = (make(house, host, 0, rounds=1, round_minutes=5, clock=clock) for clock in clocks)
    for event in (live, calm):
        for name in ("Anna", "Ben"):
            house.events.enter(event, house.people.create(name).id)
        house.events.start(event, host)
    house.tick()
    ends = house.events.look(live).ends_ms
    clockwork.wait(200)
    house.closing.close(host, "New cables")
    for _ in range(5):
        clockwork.wait(200)
        house.tick()
    for event in (live, calm):
        assert house.events.look(event).tables[0].ranks == ()
    house.closing.open(host)
    assert house.events.look(live).ends_ms == ends + 1_000_000
    clockwork.wait(90)
    house.tick()
    assert house.events.look(live).tables[0].ranks == ()
    assert house.events.look(calm).status == "over", "games without live clocks were not paused"
    clockwork.wait(20)
    house.tick()
    assert house.events.look(live).tables[0].ranks == (1, 1)


def test_an_event_begins_at_its_time_or_is_called_off(house: Any, host: str, clockwork: Any) -> None:
    begins = house.store.now() + 60_000
    full, empty = (make(house, host, bots, rounds=1, begins_ms=begins, duplicate=True) for bots in (2, 1))
    clockwork.wait(121)
    house.tick()
    assert house.events.look(full).status in ("running", "over")
    look = house.events.look(empty)
    assert look.status == "off"
    assert commitment(bytes.fromhex(look.seed)) == look.commitment


def test_a_league_has_a_next_season(house: Any, host: str, clockwork: Any) -> None:
    event = make(house, host, 4, kind="league", division_size=2, rounds=1)
    house.events.start(event, host)
    look = run(house, clockwork, event)
    after = house.events.next_season(event, host)
    assert house.events.next_season(event, host) == after
    assert house.events.look(after).season == 2
    before = {line.name: line.division for line in look.standings}
    assert sorted(before.values()) == [1, 1, 2, 2]


@pytest.mark.deep
def test_a_league_is_divided_evenly_and_each_division_plays_all_its_rounds(
    house: Any, host: str, clockwork: Any
) -> None:
    event = make(house, host, 5, kind="league", division_size=4)
    house.events.start(event, host)
    look = run(house, clockwork, event)
    assert [one.division for one in look.players] == [1, 1, 1, 2, 2]
    assert look.round == look.rounds == 3
    met = sorted(sorted(one.players) for one in look.tables if len(one.players) == 2)
    assert met == [[1, 2], [1, 3], [2, 3], [4, 5]]


def test_a_league_that_ran_with_a_division_of_one_continues(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 1.0.0 made such divisions."""
    event = make(house, host, 3, kind="league")
    pair = runner.pair_round
    with monkeypatch.context() as patch:
        patch.setattr(runner, "split_divisions", lambda _entrants, _size: {"1": 1, "2": 1, "3": 2})
        house.events.start(event, host)
    assert runner.pair_round is pair
    look = run(house, clockwork, event)
    assert [sorted(one.players) for one in look.tables] == [[1, 2]]


def test_a_tournament_that_can_not_be_paired_stays_as_it_is(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 4, kind="league", division_size=2)
    before = house.events.look(event)
    refuse = Mock(side_effect=NotNow("no pairs"))
    with monkeypatch.context() as patch:
        patch.setattr(runner, "pair_round", refuse)
        with pytest.raises(NotNow, match="no pairs"):
            house.events.start(event, host)
    assert house.events.look(event) == before
    house.events.start(event, host)
    assert house.events.look(event).status == "running"


def test_new_players_of_a_league_begin_in_its_last_division(house: Any, host: str, clockwork: Any) -> None:
    event = make(house, host, 4, kind="league", division_size=2, rounds=1)
    house.events.start(event, host)
    run(house, clockwork, event)
    after = house.events.next_season(event, host)
    assert house.events.enter(after, host, level="deckhand") == 5
    assert [one.division for one in house.events.look(after).players] == [1, 1, 2, 2, 2]


@pytest.mark.deep
def test_the_next_season_lists_the_players_in_the_order_of_the_standings(
    house: Any, host: str, clockwork: Any
) -> None:
    event = make(house, host, 0, kind="league")
    for level in sorted(find_game(GAME).levels):
        house.events.enter(event, host, level=level)
    house.events.start(event, host)
    look = run(house, clockwork, event)
    after = house.events.look(house.events.next_season(event, host))
    levels = {str(one.number): one.level for one in look.players}
    assert [one.level for one in after.players] == [levels[line.name] for line in look.standings]


def test_a_league_that_everybody_has_left_has_an_empty_next_season(
    house: Any, host: str, clockwork: Any
) -> None:
    event = make(house, host, 0, kind="league", rounds=1)
    people = [host, house.people.create("Ida").id]
    house.members.become(people[1], "Ida", label="here", password=PASSWORD)
    for person in people:
        house.events.enter(event, person)
    house.events.start(event, host)
    for person in people:
        house.events.leave(event, person)
    # Nobody comes to the only table. The house ends it after an hour.
    run(house, clockwork, event, step=120)
    after = house.events.look(house.events.next_season(event, host))
    assert after.season == 2
    assert not after.players


def test_two_requests_at_once_make_one_next_season(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 4, kind="league", division_size=2, rounds=1)
    house.events.start(event, host)
    run(house, clockwork, event)
    divide, first = next_divisions, []

    def be_overtaken(*given: Any) -> Any:
        monkeypatch.setattr("spelunke.house.events.events.next_divisions", divide)
        first.append(house.events.next_season(event, host))
        return divide(*given)

    monkeypatch.setattr("spelunke.house.events.events.next_divisions", be_overtaken)
    assert [house.events.next_season(event, host)] == first
    assert len([line for line in house.events.page() if line.status == "open"]) == 1


def sign_up(house: Any, name: str) -> str:
    person: str = house.people.create(name).id
    house.members.become(person, name, label="here", password=PASSWORD)
    return person


def replace_person(house: Any, person: str, by: str) -> None:
    """Replace the id of an event's player, to get a row as an older version of Spelunke left it."""
    change = update(event_players).where(event_players.c.person == person).values(person=by)
    house.store.writer.write(Write(call=lambda connection: connection.execute(change).rowcount))


def pair_only(house: Any, event: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start an event, and stop after the pairing of its first round, as a crash would."""
    with monkeypatch.context() as patch:
        patch.setattr(house.event_runner, "_lay_tables", lambda _event: None)
        house.events.start(event, host)


def test_a_deleted_account_leaves_a_tournament_that_has_not_begun(house: Any, host: str) -> None:
    event = make(house, host, 2, rounds=1)
    house.events.enter(event, anna := sign_up(house, "Anna"))
    house.leaving.leave(anna)
    assert [one.number for one in house.events.look(event).players] == [1, 2]
    house.events.start(event, host)
    assert len(house.events.look(event).tables) == 1


@pytest.mark.parametrize("begins", [None, 600], ids=["on order", "at a time"])
def test_a_tournament_is_called_off_if_nobody_can_begin_it_after_its_host_leaves(
    house: Any, host: str, clockwork: Any, begins: int | None
) -> None:
    begins_ms = None if begins is None else house.store.now() + begins * 1000
    event = make(house, host, 0, rounds=1, duplicate=True, begins_ms=begins_ms)
    people = [house.people.create(name).id for name in ("Anna", "Ben")]
    for person in people:
        house.events.enter(event, person)
    house.leaving.leave(host)
    look = house.events.look(event)
    if begins is None:
        assert (look.status, house.events.page()) == ("off", ())
        assert commitment(bytes.fromhex(look.seed)) == look.commitment
        with pytest.raises(NotNow, match="over"):
            house.events.enter(event, house.people.create("Carl").id)
    else:
        assert (look.status, look.seed) == ("open", None)
        clockwork.wait(begins + 60)
        house.tick()
        assert house.events.look(event).status == "running"


@pytest.mark.deep
def test_a_tournament_plays_on_without_a_deleted_account(house: Any, host: str, clockwork: Any) -> None:
    event = make(house, host, 4, rounds=2)
    house.events.start(event, host)
    house.events.enter(event, anna := sign_up(house, "Anna"))
    house.leaving.leave(anna)
    look = run(house, clockwork, event)
    assert [(one.name, one.left) for one in look.players][4] == ("somebody who left", True)
    assert [line.name for line in look.standings if line.left] == ["5"]
    assert not any(5 in one.players for one in look.tables)


def test_a_deleted_account_with_a_table_is_not_paired_again(house: Any, host: str, clockwork: Any) -> None:
    event = make(house, host, 2, rounds=2)
    house.events.enter(event, anna := sign_up(house, "Anna"))
    house.events.enter(event, ben := house.people.create("Ben").id)
    house.events.start(event, host)
    table = house.events.look(event, anna).yours
    house.tick()
    clockwork.wait(10)
    house.tick()
    house.leaving.leave(anna)
    assert house.looks.look(table).status == "over"
    for _ in range(300):
        house.tick()
        clockwork.wait(3)
        look = house.events.look(event, ben)
        if look.status == "over":
            break
        if look.yours and house.looks.look(look.yours).status == "playing":
            house.play.resign(look.yours, ben, f"key-{look.yours}")
    assert look.status == "over"
    assert not any(3 in one.players for one in look.tables if one.round == 2)


def test_a_player_who_left_before_the_table_was_made_loses(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 0, rounds=1)
    for person in (anna := sign_up(house, "Anna"), house.people.create("Ben").id):
        house.events.enter(event, person)
    pair_only(house, event, host, monkeypatch)
    house.leaving.leave(anna)
    house.event_runner.go_on(event)
    look = house.events.look(event)
    assert (look.status, look.tables[0].table) == ("over", None)
    assert [(line.name, line.points) for line in look.standings] == [("2", 1.0), ("1", 0.0)]


def test_at_a_table_of_four_a_bot_replaces_a_player_who_left(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 3, rounds=1, game="sanghai", seats=(4,))
    house.events.enter(event, anna := sign_up(house, "Anna"))
    pair_only(house, event, host, monkeypatch)
    house.leaving.leave(anna)
    house.event_runner.go_on(event)
    look = house.events.look(event)
    names = [chair.name for chair in house.looks.look(look.tables[0].table).seats]
    assert len(names) == 4
    assert "somebody who left" not in names


def test_a_player_who_leaves_while_a_round_is_paired_gets_no_table(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, tables, players = start_for_two_tables(house, host)
    pair, gone = runner.pair_round, players[tables[0]]

    def be_overtaken(*given: Any) -> Any:
        monkeypatch.setattr(runner, "pair_round", pair)
        paired = pair(*given)
        house.events.leave(event, gone)
        return paired

    for number, table in enumerate(tables):
        house.play.resign(table, players[table], f"key-0000001{number}")
    monkeypatch.setattr(runner, "pair_round", be_overtaken)
    house.event_runner.go_on(event)
    look = house.events.look(event, gone)
    assert (look.round, look.yours) == (2, None)
    mine = next(one.number for one in look.players if one.you)
    (given_up,) = (one for one in look.tables if one.round == 2 and mine in one.players)
    assert given_up.table is None
    assert given_up.ranks[given_up.players.index(mine)] == 2


def test_a_person_with_the_name_of_deleted_people_plays_on(house: Any, host: str) -> None:
    event = make(house, host, 1, rounds=1)
    house.events.enter(event, anna := house.people.create("somebody who left").id)
    house.events.start(event, host)
    look = house.events.look(event, anna)
    assert [one.left for one in look.players] == [False, False]
    assert house.looks.look(look.yours, anna).status != "over"


def test_an_old_tournament_with_the_id_of_a_deleted_account_goes_on(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier versions could keep the id of a deleted account among an event's players. Such an event goes on."""
    waiting, running = (make(house, host, 2, rounds=2, round_minutes=2) for _ in range(2))
    for event in (waiting, running):
        for name in ("Anna", "Ben"):
            house.events.enter(event, house.people.create(name).id)
    pair_only(house, running, host, monkeypatch)
    for number, event in enumerate((waiting, running)):
        one = next(each for each in house.events._book.players(event) if each.name == "Anna")
        replace_person(house, one.person, f"gone-{number}")
    assert house.events.look(waiting).players[2].name == "somebody who left"
    house.events.start(waiting, host)
    assert [one.number for one in house.events.look(waiting).players] == [1, 2, 4]
    house.event_runner.go_on(running)
    look = house.events.look(running)
    (forfeited,) = [one for one in look.tables if 3 in one.players]
    assert (forfeited.table, sorted(forfeited.ranks)) == (None, [1, 2])
    assert forfeited.ranks[forfeited.players.index(3)] == 2
    for _ in range(12):
        clockwork.wait(60)
        house.tick()
    for event in (waiting, running):
        look = house.events.look(event)
        assert (look.status, look.round) == ("over", 2)
        assert not any(3 in one.players for one in look.tables if one.round == 2)


def test_a_migration_distinguishes_deleted_people_from_players_with_the_same_name(
    opener: Any, house: Any, host: str, database: str
) -> None:
    event, kept = make(house, host, 1, rounds=1), make(house, host, 0)
    stuck, older = (make(house, sign_up(house, name), 0) for name in ("Sam", "Olga"))
    house.events.enter(event, anna := sign_up(house, "Anna"))
    house.events.enter(event, sign_up(house, "somebody who left"))
    house.events.start(event, host)
    house.leaving.leave(anna)
    nobody = next(one.person for one in house.events._book.players(event) if one.number == 2)
    for number, by in ((stuck, nobody), (older, "gone-1")):
        change = update(events).where(events.c.id == number).values(host=by)
        house.store.writer.write(Write(call=lambda connection, to=change: connection.execute(to).rowcount))
    house.close()
    migrate_again(database, "0020")
    house = opener(bots=seat, nonce_wait=0.0)
    assert [one.left for one in house.events.look(event).players] == [False, True, False]
    assert [house.events.look(one).status for one in (stuck, older, kept)] == ["off", "off", "open"]


def test_a_round_ends_in_time_although_its_tables_cannot_be_made(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 2, rounds=1, round_minutes=5)
    refuse = Mock(side_effect=NotNow("no"))
    monkeypatch.setattr(house.event_runner._lobby, "found", refuse)
    house.events.start(event, host)
    clockwork.wait(301)
    assert run(house, clockwork, event).tables[0].ranks == (1, 1)
    assert refuse.called


def test_an_empty_place_of_a_knock_out_is_a_free_pass(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 0, kind="knockout", round_minutes=5)
    people = []
    for seed in range(1, 17):
        if seed in (1, 8, 9, 16):  # the players of the first two tables
            people.append(house.people.create(f"Person {seed}").id)
            house.events.enter(event, people[-1])
        else:
            house.events.enter(event, host, level="deckhand")
    # Without a game, each table ends in a tie when the time is up. Then the better seed continues.
    monkeypatch.setattr(house.event_runner._lobby, "found", Mock(side_effect=NotNow("no")))
    house.events.start(event, host)
    for person in people:
        house.events.leave(event, person)
    look = run(house, clockwork, event, step=301)
    assert [(one.round, one.number, sorted(one.players)) for one in look.tables if one.round > 1] == [
        *((2, 2, [4, 5]), (2, 3, [2, 7]), (2, 4, [3, 6])),
        *((3, 1, [4]), (3, 2, [2, 3])),
        (4, 1, [2, 4]),
    ]


def test_a_knock_out_that_everybody_has_left_ends(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 0, kind="knockout", round_minutes=5)
    people = [house.people.create(f"Person {seed}").id for seed in range(1, 5)]
    for person in people:
        house.events.enter(event, person)
    monkeypatch.setattr(house.event_runner._lobby, "found", Mock(side_effect=NotNow("no")))
    house.events.start(event, host)
    for person in people:
        house.events.leave(event, person)
    look = run(house, clockwork, event, step=301)
    assert (look.round, len(look.tables)) == (1, 2)


def test_a_broken_event_does_not_stop_the_others(
    house: Any, host: str, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, other = (make(house, host, 2, rounds=1) for _ in range(2))
    for event in (broken, other):
        house.events.start(event, host)
    lay_tables = house.event_runner._lay_tables

    def fail(event: str) -> None:
        if event == broken:
            raise ValueError("a broken event")
        lay_tables(event)

    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(house.event_runner, "_lay_tables", fail)
        run(house, clockwork, other)
    assert house.events.look(broken).status == "running"
    assert any(one["log_level"] == "error" and one.get("which") == broken for one in logs)
    run(house, clockwork, broken)


def test_two_workers_that_make_the_tables_of_a_round_make_each_once(
    house: Any, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make(house, host, 4, rounds=1)
    lobby, found = house.event_runner._lobby, house.event_runner._lobby.found

    def be_overtaken(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(lobby, "found", found)
        house.event_runner.go_on(event)
        return found(*given, **named)

    monkeypatch.setattr(lobby, "found", be_overtaken)
    house.events.start(event, host)
    with house.store.read() as connection:
        made = connection.execute(select(tables.c.id)).scalars().all()
    assert sorted(made) == sorted(one.table for one in house.events.look(event).tables)


def test_the_name_of_a_tournament_may_contain_the_pirate_flag(house: Any, host: str) -> None:
    name = "Ahoy \N{WAVING BLACK FLAG}\N{ZERO WIDTH JOINER}\N{SKULL AND CROSSBONES}"
    event = house.events.create(host, msgspec.structs.replace(CALM, name=name))
    assert house.events.look(event).plan.name == name


def test_the_name_of_a_tournament_is_stored_with_single_usual_spaces(house: Any, host: str) -> None:
    event = house.events.create(host, msgspec.structs.replace(CALM, name=" Grand  tournoi\u00a0! "))
    assert house.events.look(event).plan.name == "Grand tournoi !"


def test_bad_plans_and_actions_of_an_event_are_refused_with_a_reason(
    house: Any, host: str, clockwork: Any
) -> None:
    guest = house.people.create("Gast").id
    with pytest.raises(NotAllowed, match="only members"):
        house.events.create(guest, CALM)
    for changed, sentence in (
        ({"name": " "}, "1 to 60"),
        ({"name": "\u200d"}, "1 to 60"),
        ({"seats": (5,)}, "seats"),
        ({"rounds": 101}, "rounds"),
        ({"round_minutes": 0}, "minute"),
        ({"kind": "knockout", "seats": (4,), "game": "sanghai"}, "2 players"),
    ):
        with pytest.raises(BadPlan, match=sentence):
            house.events.create(host, msgspec.structs.replace(CALM, **changed))
    event = make(house, host, 1, rounds=1, kind="knockout")
    with pytest.raises(NotNow, match="at least 2 players"):
        house.events.start(event, host)
    assert house.events.look(event).status == "open"
    with pytest.raises(NotAllowed, match="only the host"):
        house.events.start(event, guest)
    house.events.enter(event, host, level="deckhand")
    house.events.start(event, host)
    with pytest.raises(NotNow, match="has begun"):
        house.events.enter(event, guest)
    with pytest.raises(NotNow, match="begun already"):
        house.events.start(event, host)
    run(house, clockwork, event)
    with pytest.raises(NotNow, match="over"):
        house.events.enter(event, guest)
    with pytest.raises(UnknownEvent):
        house.events.look("nothing")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "bots", "seats", "duplicate", "rounds"),
    [("shanghaien", 200, (2,), False, 5), ("sanghai", 60, (4,), True, 2)],
)
def test_many_bots_play_an_event(
    house: Any,
    host: str,
    clockwork: Any,
    game: str,
    bots: int,
    seats: tuple[int, ...],
    duplicate: bool,
    rounds: int,
) -> None:
    scoring: Any = "points" if duplicate else "places"
    options = {"schedule": "short"} if game == "sanghai" else {}
    event = make(
        house,
        host,
        bots,
        game=game,
        seats=seats,
        duplicate=duplicate,
        rounds=rounds,
        scoring=scoring,
        options=options,
        round_minutes=10_000,
    )
    house.events.start(event, host)
    look = run(house, clockwork, event, most=50_000)
    assert len(look.tables) == rounds * bots // seats[0]
    check_standings(look)
    if scoring == "points":
        lead = {line.name: 0.0 for line in look.standings}
        for one in look.tables:
            for number, ahead in zip(one.players, one.leads, strict=True):
                lead[str(number)] += ahead
        order = sorted(lead.values(), reverse=True)
        assert [line.lead for line in look.standings] == pytest.approx(
            order, abs=1e-6
        )  # rounded to six digits
