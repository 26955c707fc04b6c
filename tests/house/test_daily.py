"""The game of the day: its chance is shared and provable, and only people who have played may compare results."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from alembic import command
from sqlalchemy import select, update

from spelunke.core.chance import below, commitment
from spelunke.house.daily import Day
from spelunke.house.daily.results import lead_of
from spelunke.house.refusals import NotNow, UnknownDay, WatchLater
from spelunke.house.store import Write, day_plays, tables
from spelunke.house.store.engine import _config, migrate, open_engine
from spelunke.records.claims import Kept
from spelunke.records.fairness import verify

GAME = "shanghaien"
HOUR, DAY = 3600, 86400


class Chooser:
    """A bot that takes a legal action at random, with numbers from the stream that the house gives it."""

    def choose(self, _view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        return legal[below(stream, len(legal))]


@pytest.fixture
def house(opener: Any) -> Any:
    return opener(bots=lambda _game, _level: Chooser())


def today(house: Any, game: str = GAME) -> Day:
    return house.days.of(game, house.days.today().isoformat())


def finish(house: Any, person: str, table: str, seed: int = 1) -> None:
    """Play the person's game to its end by seeded random moves."""
    chooser, moves = random.Random(seed), 0
    while True:
        house.tick()
        look = house.looks.look(table, person)
        if look.status == "over":
            return
        if look.seat in look.actors:
            moves += 1
            text = chooser.choice([text for _, text in look.legal])
            house.play.act(table, person, text, ply=look.ply, key=f"key-{moves:08d}")


def play(house: Any, name: str, seed: int = 1, game: str = GAME) -> tuple[str, str]:
    person = house.people.create(name).id
    table = house.days.play(person, game, today(house, game).day)
    finish(house, person, table, seed)
    return person, table


def test_the_seed_of_a_day_is_committed_before_the_day_begins(house: Any, clockwork: Any) -> None:
    today(house)
    clockwork.wait(5)
    house.tick()
    tomorrow = house.days.today().fromordinal(house.days.today().toordinal() + 1).isoformat()
    bound = house.days.of(GAME, tomorrow)
    assert bound.when == "coming"
    assert bound.early
    assert bound.seed is None
    with pytest.raises(NotNow, match="begins on that day"):
        house.days.play(house.people.create("Anna").id, GAME, tomorrow)
    clockwork.wait(DAY)
    house.tick()
    assert house.days.of(GAME, tomorrow).commitment == bound.commitment
    assert house.days.of(GAME, tomorrow).when == "today"


def test_the_same_deal_and_moves_give_everyone_the_same_game(house: Any) -> None:
    played = [play(house, name) for name in ("Anna", "Ben", "Cleo", "Dora", "Emil")]
    by_deal: dict[int, set[tuple[str, ...]]] = {}
    for person, table in played:
        record = house.replays.record(table, person)
        by_deal.setdefault(record.fairness.deal.number, set()).add(tuple(one.text for one in record.plies))
        assert record.fairness.nonces == ("", "")
        assert house.day_results.standing(person, today(house)).over
    assert all(len(games) == 1 for games in by_deal.values())
    assert len({one for games in by_deal.values() for one in games}) == len(by_deal)


def test_the_seed_is_published_an_hour_after_the_day_and_proves_its_chance(
    house: Any, clockwork: Any
) -> None:
    day = today(house)
    person, table = play(house, "Anna")
    record = house.replays.record(table, person)
    assert record.fairness.seed is None
    assert house.looks.look(table, person).fairness.seed is None
    assert house.replays.verify(table, person).verdict == "unproven"
    clockwork.wait((day.reveal_ms - house.store.now()) / 1000 + 1)
    house.tick()
    record = house.replays.record(table)
    assert commitment(bytes.fromhex(record.fairness.seed)) == day.commitment
    verdict = verify(record, Kept(commitment=day.commitment))
    assert verdict.verdict == "fair"
    claim = next(one for one in verdict.claims if one.claim == "chance")
    assert "The players added no texts" in claim.text
    assert house.days.of(GAME, day.day).seed == record.fairness.seed


def test_a_changed_outcome_or_seed_is_found(house: Any, clockwork: Any) -> None:
    day = today(house)
    person, table = play(house, "Anna")
    clockwork.wait(2 * DAY)
    record = house.replays.record(table, person)
    other = msgspec.structs.replace(record.fairness, seed="00" * 32)
    found = verify(msgspec.structs.replace(record, fairness=other), Kept(commitment=day.commitment))
    assert found.verdict == "altered"
    assert found.deviation.place == "fairness.seed"
    deal = msgspec.structs.replace(record.fairness.deal, number=record.fairness.deal.number % 2 + 1)
    other = msgspec.structs.replace(record.fairness, deal=deal)
    assert verify(msgspec.structs.replace(record, fairness=other)).verdict == "altered"


def test_results_of_others_are_shown_to_those_who_have_finished(house: Any) -> None:
    day = today(house)
    anna, _ = play(house, "Anna", seed=1)
    play(house, "Ben", seed=2)
    stranger = house.people.create("Cleo").id
    for reader in (None, stranger):
        with pytest.raises(NotNow, match="after you have finished"):
            house.day_results.lines(day, reader)
    lines, count = house.day_results.lines(day, anna)
    assert count == 2
    assert sorted(line.name for line in lines) == ["Anna", "Ben"]
    assert [line.more for line in lines] == sorted((line.more for line in lines), reverse=True)
    assert [line.table is not None for line in lines] == [line.you for line in lines]
    mine = next(line for line in lines if line.you)
    assert house.day_results.standing(anna, day).rank == mine.rank
    # The cleaning deletes guests whose games were deleted.
    forget = update(day_plays).where(day_plays.c.person != anna).values(person="deleted")
    house.store.writer.write(Write(call=lambda connection: connection.execute(forget).rowcount))
    assert "somebody who left" in {line.name for line in house.day_results.lines(day, anna)[0]}


def test_a_table_is_shown_to_others_when_its_day_is_over(opener: Any, clockwork: Any) -> None:
    house, other = (opener(bots=lambda _game, _level: Chooser()) for _ in range(2))
    day = today(house)
    anna, table = play(house, "Anna")
    ben = house.people.create("Ben").id
    begun = house.days.play(ben, GAME, day.day)
    for each in (house, other):
        for reader in (None, ben):
            with pytest.raises(WatchLater, match="when the day is in the archive"):
                each.looks.look(table, reader)
            with pytest.raises(WatchLater, match="when the day is in the archive"):
                each.replays.record(table, reader)
        assert each.replays.look(table, anna).over
    clockwork.wait((day.ends_ms - house.store.now()) / 1000 + 60)
    house.tick()
    with pytest.raises(WatchLater):
        house.looks.look(begun, anna)
    clockwork.wait((day.reveal_ms - house.store.now()) / 1000)
    house.tick()
    for each in (house, other):
        assert each.looks.look(table, ben).status == "over"
        assert each.replays.record(table).fairness.seed
        assert each.looks.look(begun, anna).status == "playing", "a game that is late does not count"
    old = house.days.play(ben, GAME, day.day)
    assert house.looks.look(old, anna).status == "playing"


@pytest.mark.deep
def test_a_migration_hides_the_tables_of_a_day_that_is_not_over(
    opener: Any, database: str, clockwork: Any
) -> None:
    def open_again() -> Any:
        return opener(bots=lambda _game, _level: Chooser(), nonce_wait=0.0)

    house = open_again()
    _, old = play(house, "Anna")
    clockwork.wait(2 * DAY)
    house.tick()
    _, new = play(house, "Ben")
    house.close()
    engine = open_engine(database)
    with engine.connect() as connection, connection.begin():
        command.downgrade(_config(connection), "0019")
        connection.execute(update(tables).values(players_only=None))
    migrate(engine)
    engine.dispose()
    house = open_again()
    with pytest.raises(WatchLater):
        house.looks.look(new)
    assert house.looks.look(old).status == "over"


@pytest.mark.deep
def test_the_ranking_of_friends_shows_their_ranks_among_all_players(house: Any) -> None:
    day = today(house)
    persons = [play(house, name, seed)[0] for seed, name in enumerate(("Anna", "Ben", "Carl"), 1)]
    for person, name in zip(persons, ("Anna", "Ben", "Carl"), strict=True):
        house.members.become(person, name, label="here", password="lantern mussel quarry tin")
    anna, ben, carl = persons
    assert house.day_results.friends(day, anna) == ()
    house.ties.befriend(anna, "Carl")
    house.ties.befriend(carl, "Anna")
    own = house.day_results.friends(day, anna)
    assert {line.name for line in own} == {"Anna", "Carl"}
    everybody = {line.name: line.rank for line in house.day_results.lines(day, anna)[0]}
    assert {line.name: line.rank for line in own} == {name: everybody[name] for name in ("Anna", "Carl")}
    assert [line.you for line in own].count(True) == 1
    assert house.day_results.friends(day, ben) == ()
    late = house.people.create("Doro").id
    house.members.become(late, "Doro", label="here", password="lantern mussel quarry tin")
    house.ties.befriend(late, "Anna")
    house.ties.befriend(anna, "Doro")
    assert house.day_results.friends(day, late) == (), "nobody sees results before they have played"


@pytest.mark.deep
def test_decisions_are_compared_with_those_at_the_same_position(house: Any) -> None:
    people = [play(house, f"P{n}", seed=1)[0] for n in range(4)]
    day = today(house)
    deals = [house.day_results.standing(person, day).deal for person in people]
    for person, deal in zip(people, deals, strict=True):
        others = house.day_results.others(person, day)
        assert others
        assert all(one.most == one.played and one.all == deals.count(deal) for one in others)
    with pytest.raises(NotNow, match="after you have finished your game of that day"):
        house.day_results.others(house.people.create("Anna").id, day)


def test_a_person_begins_the_game_of_a_day_once_and_in_time(house: Any, clockwork: Any) -> None:
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    day = today(house)
    table = house.days.play(anna, GAME, day.day)
    assert house.days.play(anna, GAME, day.day) == table
    clockwork.wait((day.ends_ms - house.store.now()) / 1000 + 60)
    assert house.days.play(anna, GAME, day.day) == table
    with pytest.raises(NotNow, match="that day is over"):
        house.days.play(ben, GAME, day.day)
    clockwork.wait(HOUR)
    old = house.days.play(ben, GAME, day.day)
    assert house.days.play(ben, GAME, day.day) != old
    finish(house, ben, old)
    assert house.day_results.standing(ben, day) is None
    finish(house, anna, table)
    assert house.day_results.standing(anna, day).without == "late"
    assert house.days.archive(GAME) == (day.day,)


def test_two_workers_that_begin_a_persons_game_of_the_day_make_one_table(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, day = house.people.create("Anna").id, today(house).day
    lobby, found = house.days._lobby, house.days._lobby.found
    first = []

    def be_overtaken(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(lobby, "found", found)
        first.append(house.days.play(anna, GAME, day))
        return found(*given, **named)

    monkeypatch.setattr(lobby, "found", be_overtaken)
    table = house.days.play(anna, GAME, day)
    with house.store.read() as connection:
        made = connection.execute(select(tables.c.id)).scalars().all()
    assert first == made == [table]


def test_a_game_that_was_given_up_does_not_count_and_there_is_no_advice(house: Any) -> None:
    anna = house.people.create("Anna").id
    table = house.days.play(anna, GAME, today(house).day)
    look = house.looks.look(table, anna)
    assert look.shares_chance
    assert "hint" not in look.may
    with pytest.raises(NotNow, match="the coach does not help in games of the day"):
        house.coach.advise(table, anna)
    house.play.resign(table, anna, "key-00000001")
    assert house.day_results.standing(anna, today(house)).without == "given up"
    assert house.day_results.lines(today(house), anna) == ((), 0)
    assert house.day_results.streak(anna).now == 0


@pytest.mark.deep
def test_days_in_a_row_are_counted(house: Any, clockwork: Any) -> None:
    anna = house.people.create("Anna").id
    for gap in (DAY, DAY, 2 * DAY, 0):
        finish(house, anna, house.days.play(anna, GAME, today(house).day))
        house.day_results.settle()
        clockwork.wait(gap)
    streak = house.day_results.streak(anna)
    assert (streak.now, streak.longest) == (1, 3)
    first = house.days.today().replace(day=1)
    assert sum(mark.finished for mark in house.day_results.marks(anna, first, house.days.today())) == 4


def test_unknown_days_are_refused(house: Any) -> None:
    for day in ("2001-01-01", "2026-13-01", "20261124", "today", ""):
        with pytest.raises(UnknownDay):
            house.days.of(GAME, day)


def test_points_ahead_are_positive_for_the_better_in_every_game() -> None:
    assert lead_of((10, 4), (1, 2), 0) == 6
    assert lead_of((10, 40, 70), (1, 2, 3), 0) == 45
    assert lead_of((10, 40, 70), (1, 2, 3), 2) == -45
    assert lead_of((5, 5), (1, 1), 0) == 0


def test_the_game_of_the_day_allows_no_undo(house: Any) -> None:
    anna = house.people.create("Anna").id
    table = house.days.play(anna, GAME, today(house).day)
    house.tick()
    look = house.looks.look(table, anna)
    house.play.act(table, anna, look.legal[0][1], ply=look.ply, key="key-00000001")
    assert not {"undo", "ask_undo"} & set(house.looks.look(table, anna).may)
