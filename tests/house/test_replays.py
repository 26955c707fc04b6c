"""Replays of finished games: every position, from any viewpoint, and games played on from there."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update

from empty_house import lay_tables
from proof import prove
from spelunke.core.errors import BadInput
from spelunke.core.words import plain
from spelunke.games import shelf
from spelunke.house.plan import Plan
from spelunke.house.refusals import BadPlan, NotNow, UnknownTable
from spelunke.house.store.schema import tables
from spelunke.records.claims import Kept, KeptLink
from spelunke.records.fairness import verify
from spelunke.records.position import parse_position
from spelunke.records.record import Record, parse_record, write_record
from spelunke.records.replay import replay
from spelunke.records.sealing import sign
from spelunke.records.signing import Signer

GAMES = sorted(shelf())
LONG = "sanghai"
"""Random bots need thousands of plies for it."""
HIDING = [name for name, game in shelf().items() if game.hidden]


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Return the address of an SQLite database. These tests don't run with PostgreSQL.

    test_histories.py checks that both databases store a finished game in the same way.
    """
    return lay_tables(tmp_path / "house.sqlite3")


@pytest.fixture
def house(opener: Callable[..., Any]) -> Any:
    """Return a house whose bots wait a second before each move, so that one tick does not play a game to its end."""
    return opener(bot_pause=1.0)


def let_play(house: Any, clockwork: Any, table: str, rows: int = 1 << 30) -> None:
    """Let the bots play until there are ``rows`` rows, or the game is over."""
    for _ in range(3000):
        look = house.looks.look(table, since=1 << 30)
        if look.status != "playing" or look.ply >= rows:
            return
        clockwork.wait(1)
        house.tick()


@pytest.fixture
def finished(house: Any, clockwork: Any) -> Callable[..., tuple[str, str]]:
    """Return a function that plays some actions and outcomes of a game, and ends it by resignations.

    The function returns the id of the table, and the person who created it.
    """

    def make(name: str, rows: int = 45) -> tuple[str, str]:
        first, *others = [
            house.people.create(who).id for who in ("Anna", "Ben", "Cleo")[: shelf()[name].seats[0]]
        ]
        table = house.lobby.create(first, Plan(game=name, seats=("me", *["open" for _ in others])))
        for person in others:
            house.lobby.join(table, person)
        for person in (first, *others):
            house.lobby.add_nonce(table, person, "share")
        for person in (first, *others):
            house.play.stand_in(table, person)
        let_play(house, clockwork, table, rows)
        for number, person in enumerate(others):  # the last who stays has won
            if house.looks.look(table).status == "playing":
                house.play.resign(table, person, f"resign-{number}")
        assert house.looks.look(table).status == "over"
        return table, first

    return make


@pytest.mark.parametrize("name", GAMES)
def test_every_position_is_that_of_the_record(
    house: Any, finished: Callable[..., tuple[str, str]], name: str
) -> None:
    table, person = finished(name)
    record = house.replays.record(table)
    last = house.replays.look(table, person)
    assert (last.ply, last.plies, last.over) == (len(record.plies), len(record.plies), True)
    assert last.result == house.looks.look(table).result
    chosen = random.Random(1).sample(range(last.plies + 1), 8)
    for ply in chosen:
        match = replay(record, ply)
        seen = house.replays.look(table, ply=ply, eyes=None)
        assert seen.view == match.view(None)
        assert seen.actors == (match.actors if ply < last.plies else ())
        assert house.replays.look(table, ply=ply, eyes=0).view == match.view(0)
        assert parse_position(house.replays.position(table, ply)).state.tobytes() == match.state.tobytes()
        if seen.points:
            assert seen.points[ply] == shelf()[name].hooks.points(match.state)


def test_a_replay_through_a_seats_eyes_shows_no_hidden_facts(
    house: Any, finished: Callable[..., tuple[str, str]]
) -> None:
    for name in HIDING:
        table, _person = finished(name)
        record = house.replays.record(table)
        hidden = sum(
            house.replays.look(table, ply=ply).view != house.replays.look(table, ply=ply, eyes=None).view
            for ply in range(0, len(record.plies), 2)
        )
        for ply in range(0, len(record.plies), 7):
            match = replay(record, ply)
            for eyes in (0, None):
                told = [
                    line.text for line in house.replays.look(table, ply=ply, eyes=eyes).log if line.ply == ply
                ]
                events = match.events_of(ply - 1, eyes) if ply else ()
                names = house.replays.look(table).names
                assert told == [match.game.events.say(event, names, plain) for event in events]
        assert hidden, f"with all open {name} shows no more"


@pytest.mark.sampled
@pytest.mark.parametrize("name", GAMES)
def test_rounds_and_steps_lead_through_the_whole_game(
    house: Any, finished: Callable[..., tuple[str, str]], name: str
) -> None:
    table, _person = finished(name, 90)
    seen = house.replays.look(table, ply=0)
    assert seen.before is None
    assert [at for at, _name in seen.rounds] == sorted({at for at, _name in seen.rounds})
    assert seen.rounds[0][0] == 0
    steps = [0]
    while (after := house.replays.look(table, ply=steps[-1]).after) is not None:
        assert house.replays.look(table, ply=after).before == steps[-1]
        steps.append(after)
    assert steps[-1] == seen.plies
    lines = {line.ply for at in steps for line in house.replays.look(table, ply=at).log}
    assert {line.ply for line in seen.log} < lines
    assert all(len(house.replays.look(table, ply=at).log) < 80 for at in steps), (
        "a window of the log, not all of it"
    )


def test_a_running_game_has_no_replay(house: Any, table: Any) -> None:
    for ask in (house.replays.look, house.replays.position, house.replays.verify):
        with pytest.raises(NotNow, match="not over yet"):
            ask(table.id)
    with pytest.raises(NotNow, match="not over yet"):
        house.next_games.play_on(table.id, table.people[0].id, ply=1)
    assert "play_on" not in table.look(0).may | table.look().may
    with pytest.raises(UnknownTable):
        house.replays.look("nowhere")
    closed = house.lobby.create(table.people[0].id, Plan(game="shanghaien", seats=("me", "open")))
    house.lobby.leave(closed, table.people[0].id)
    with pytest.raises(NotNow, match="closed before"):
        house.replays.look(closed)


def test_unknown_plies_seats_and_bot_levels_are_refused(house: Any, table: Any) -> None:
    table.play(6)
    house.play.resign(table.id, table.people[0].id, table.key())
    last = house.replays.look(table.id).plies
    assert house.replays.look(table.id).log[-1].text == "Anna resigns."
    for ply in (-1, last + 1):
        with pytest.raises(BadInput, match=f"this game has plies 0 to {last}"):
            house.replays.look(table.id, ply=ply)
    with pytest.raises(BadInput, match="the seats are 0 to 1"):
        house.replays.look(table.id, eyes=2)
    with pytest.raises(BadPlan, match="no bot"):
        house.next_games.play_on(table.id, table.people[0].id, ply=4, level="nobody")
    with pytest.raises(BadPlan, match="the seats are 0 to 1"):
        house.next_games.play_on(table.id, table.people[0].id, ply=4, seat=5)


@pytest.mark.parametrize("name", GAMES)
def test_a_table_begins_from_a_position_and_its_record_says_so(
    house: Any, opener: Any, clockwork: Any, finished: Callable[..., tuple[str, str]], name: str
) -> None:
    table, _person = finished(name)
    eve = house.people.create("Eve").id
    ply = house.replays.look(table).plies // 2
    made = house.next_games.play_on(table, eve, ply=ply, seat=1)
    look = house.looks.look(made, eve)
    assert (look.seat, look.status, look.origin) == (1, "ready", (table, ply))
    clockwork.wait(6)
    house.lobby.add_nonce(made, eve, "mine")
    begun = parse_position(house.replays.position(table, ply)).state.tobytes()
    house.play.stand_in(made, eve)
    other = opener()  # another worker gets the same result
    assert other.looks.look(made).view == house.looks.look(made).view
    if name != LONG:
        let_play(house, clockwork, made)
        check_origin(house, made, table, ply, begun, eve)


def test_bots_keep_their_levels_and_names_in_a_game_from_a_position(house: Any) -> None:
    anna = house.people.create("Anna").id
    plan = Plan(game="shanghaien", seats=("bot:boatswain", "me"))
    table = house.lobby.create(anna, plan)
    house.lobby.add_nonce(table, anna, "mine")
    house.play.resign(table, anna, "resign-it")
    old = house.looks.look(table, anna)
    for level, expected in ((None, ["boatswain"]), ("admiral", ["admiral"])):
        made = house.next_games.play_on(table, anna, ply=1, level=level)
        look = house.looks.look(made, anna)
        assert [seat.level for seat in look.seats if not seat.you] == expected
        assert look.seat == 1
        assert level or look.names == old.names


def check_origin(house: Any, made: str, table: str, ply: int, begun: bytes, person: str) -> None:
    """Check that the game's record, its verdict and its first position name the origin of the game."""
    record = house.replays.record(made)
    assert record.origin is not None
    assert (record.origin.table, record.origin.ply) == (table, ply)
    assert replay(record, 0).state.tobytes() == begun
    again = parse_record(write_record(record))
    assert again == record
    verdict = verify(again, Kept(key=house.store.key))
    assert verdict.verdict == ("fair" if house.store.key else "unproven"), verdict.text
    assert f"began from the position at ply {ply} of table {table}" in verdict.text
    assert house.replays.verify(made) == verdict
    assert house.replays.look(made, ply=0).origin == (table, ply)
    (line,), _count = house.histories.own(person)
    assert line.begun_from_position


def begun(house: Any, finished: Callable[..., tuple[str, str]]) -> tuple[str, str]:
    """Make a table that begins from a position and is ready to play. Return its id and the person who sits there."""
    table, person = finished("shanghaien")
    made = house.next_games.play_on(table, person, ply=20)
    house.lobby.add_nonce(made, person, "mine")
    return made, person


def states(record: Record, kept: Kept | None = None) -> dict[str, str]:
    return {claim.claim: claim.state for claim in verify(record, kept).claims}


def test_the_chains_of_a_game_begin_with_its_position(
    house: Any, finished: Callable[..., tuple[str, str]]
) -> None:
    made, person = begun(house, finished)
    first = house.looks.look(made, person).chain
    kept = Kept(links=(KeptLink(link=first.link, seen=first.ply, viewer=0),), key=house.store.key)
    house.play.resign(made, person, "resign-it")
    record = house.replays.record(made)
    prove(record)
    assert record.origin is not None
    assert states(record, kept)["moves"] == states(record, kept)["kept"] == "proven"
    found = next(
        claim.text for claim in verify(record, Kept(key=house.store.key)).claims if claim.claim == "moves"
    )
    assert "begins with the position" in found
    for change in ({"ply": 21}, {"table": "another"}, {"chained": False}):
        forged = msgspec.structs.replace(record, origin=msgspec.structs.replace(record.origin, **change))
        forged = sign(forged, Signer(bytes(32)))  # a forger has a key as well
        assert states(forged, kept)["moves"] == "contradicted", change
        assert states(forged, kept)["kept"] == "contradicted", change
    other = {**record.origin.position, "seats": list(reversed(record.origin.position["seats"]))}
    assert other != record.origin.position, "both hold the same in this deal: another is needed"
    origin = msgspec.structs.replace(record.origin, position=other)
    verdict = verify(msgspec.structs.replace(record, origin=origin), kept)
    assert verdict.verdict == "altered"
    assert {claim.claim for claim in verdict.claims if claim.state == "contradicted"} >= {"moves", "kept"}


def test_an_old_game_whose_chain_lacks_its_starting_position_stays_valid(
    house: Any, opener: Any, finished: Callable[..., tuple[str, str]]
) -> None:
    table, person = finished("shanghaien")
    made = house.next_games.play_on(table, person, ply=20)
    with house.store.engine.begin() as connection:
        text = connection.execute(select(tables.c.origin).where(tables.c.id == made)).scalar()
        old = {name: value for name, value in json.loads(text).items() if name != "chained"}
        done = update(tables).where(tables.c.id == made).values(origin=json.dumps(old))
        assert connection.execute(done).rowcount == 1
    other = opener()
    other.lobby.add_nonce(made, person, "mine")
    other.play.resign(made, person, "resign-it")
    record = other.replays.record(made)
    prove(record)
    known = Kept(key=house.store.key)
    assert states(record, known)["moves"] == states(record, known)["result"] == "proven"
    found = next(
        claim.text for claim in verify(record, Kept(key=house.store.key)).claims if claim.claim == "moves"
    )
    assert "only the signature proves the position" in found


def test_an_impossible_origin_is_refused(house: Any, finished: Callable[..., tuple[str, str]]) -> None:
    made, person = begun(house, finished)
    house.play.resign(made, person, "resign-it")
    record = house.replays.record(made)
    for position, reason in (
        ({**record.origin.position, "row": "nonsense"}, "origin.position"),
        ({**record.origin.position, "options": {"match": "best_of_three"}}, "origin.position"),
    ):
        origin = msgspec.structs.replace(record.origin, position=position)
        with pytest.raises(BadInput, match=reason):
            verify(msgspec.structs.replace(record, origin=origin))


def test_a_game_that_was_played_out_can_not_be_played_on_at_its_end(house: Any, clockwork: Any) -> None:
    anna = house.people.create("Anna").id
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    house.lobby.add_nonce(table, anna, "mine")
    house.play.stand_in(table, anna)
    let_play(house, clockwork, table)
    with pytest.raises(NotNow, match="over in that position"):
        house.next_games.play_on(table, anna)
    assert house.replays.look(table).points[-1] == house.looks.look(table).result.scores
    made = house.next_games.play_on(table, anna, ply=house.replays.look(table).plies - 1)
    assert house.looks.look(made, anna).seat == 0, "at the own seat"
