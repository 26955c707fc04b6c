"""A table's rows form a hash chain in the store. Each viewer's chain is the same at every worker and in the record."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, update
from sqlalchemy import select as choose

from proof import prove
from spelunke.house.house import House
from spelunke.house.plan import Plan
from spelunke.house.refusals import DamagedLog, HouseClosed, UnknownPerson
from spelunke.house.store.engine import open_engine
from spelunke.house.store.schema import moves, seats
from spelunke.records.chain import write_head
from spelunke.records.claims import Kept, KeptLink
from spelunke.records.fairness import verify
from spelunke.records.signing import is_signed

from .conftest import Clockwork, Open, Table

KEY = bytes(range(32))
Change = Callable[[Any], Any]


def change(database: str, statement: Any) -> None:
    """Change the database directly, not through the house."""
    engine = open_engine(database)
    with engine.begin() as connection:
        assert connection.execute(statement).rowcount >= 1
    engine.dispose()


def stored(database: str) -> list[str | None]:
    engine = open_engine(database)
    with engine.connect() as connection:
        found = [link for (link,) in connection.execute(choose(moves.c.link).order_by(moves.c.ply))]
    engine.dispose()
    return found


def test_each_viewer_has_a_chain_and_the_house_signs_it(opener: Open, clockwork: Clockwork) -> None:
    house = opener(signing_key=KEY)
    table = Table(house)
    before = [table.look(seat).chain for seat in (None, 0, 1)]
    assert len({chain.link for chain in before if chain}) == 3
    clockwork.wait(3)
    table.play(9)
    for seat in (None, 0, 1):
        look = table.look(seat)
        chain = look.chain
        assert chain is not None
        assert chain.ply == look.ply
        assert len(chain.words.split()) == 6
        assert chain.key == house.store.key
        assert is_signed(
            chain.key or "", write_head(table.id, seat, chain.ply, chain.link), chain.signature or ""
        )
        assert chain not in before


def test_two_workers_tell_the_same_links(opener: Open) -> None:
    one, two = opener(signing_key=KEY), opener(signing_key=KEY)
    table = Table(one)
    for turn in range(12):
        table.play(1, house=(one, two)[turn % 2])
        for seat in (None, 0, 1):
            assert table.look(seat, one).chain == table.look(seat, two).chain


def test_the_record_proves_moves_result_and_the_link_that_a_page_kept(opener: Open) -> None:
    house = opener(signing_key=KEY)
    table = Table(house)
    table.play(7)
    kept = table.look(1).chain
    assert kept is not None
    house.play.stand_in(table.id, table.people[0].id)
    house.tick()
    house.play.come_back(table.id, table.people[0].id)
    table.play(5)
    house.play.resign(table.id, table.people[0].id, "enough-now")
    record = house.replays.record(table.id)
    prove(record)
    assert record.proof is not None
    assert record.proof.key == house.store.key
    assert any("!bot" in note.text for note in record.proof.notes)
    verdict = verify(
        record, Kept(links=(KeptLink(link=kept.link, seen=kept.ply, viewer=1),), key=house.store.key)
    )
    assert {claim.claim: claim.state for claim in verdict.claims} == {
        "chance": "proven",
        "nonces": "not proven",  # both sent their nonces openly
        "rules": "proven",
        "moves": "proven",
        "result": "proven",
        "kept": "proven",
    }
    head = table.look(1).chain
    assert head is not None
    assert record.proof.heads[2].link == head.link, "the end of the game shows more, and changes no chain"


CHANGES: dict[str, tuple[int, Change]] = {
    "time": (6, lambda table: update(moves).where(moves.c.ply == 6).values(at=moves.c.at + 1)),
    "bot": (7, lambda table: update(moves).where(moves.c.ply == 7).values(hand="boatswain")),
    "outcome": (1, lambda table: update(moves).where(moves.c.ply == 1).values(move="deal red 4")),
    "move": (8, lambda table: update(moves).where(moves.c.ply == 8).values(move="resign", link=None)),
    "link": (9, lambda table: update(moves).where(moves.c.ply == 9).values(link="0" * 64)),
    "missing": (5, lambda table: delete(moves).where(moves.c.ply == 5)),
    "nonce": (1, lambda table: update(seats).where(seats.c.seat == 1).values(nonce="another")),
    "hidden link": (
        7,
        lambda table: update(moves).where(moves.c.ply == 6).values(at=moves.c.at + 1, link=None),
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_row_in_the_store_is_named_and_stops_its_table(
    opener: Open, database: str, what: str
) -> None:
    row, make = CHANGES[what]
    one = opener()
    table = Table(one)
    table.play(12)
    person, look = table.asked(), table.look(table.look().actors[0])
    change(database, make(table))
    two = opener()
    for attempt in (
        lambda: two.looks.look(table.id),
        lambda: two.play.act(table.id, person.id, look.legal[0][1], look.ply, "a-new-key"),
        lambda: two.replays.record(table.id),
    ):
        with pytest.raises(
            DamagedLog, match=rf"the log of table {table.id} was changed in the store: row {row} "
        ):
            attempt()
    health = two.health()
    assert health.status == "degraded"
    assert f"row {row} " in health.problems[0]
    other = Table(two)
    other.play(3)  # the other tables go on
    two.leaving.leave(person.id)  # an account can be deleted although its game can't be resigned
    with pytest.raises(UnknownPerson):
        two.people.find(person.id)


def test_a_log_that_was_put_right_is_played_on(opener: Open, database: str) -> None:
    table = Table(opener())
    table.play(5)
    change(database, update(moves).where(moves.c.ply == 3).values(at=moves.c.at + 1))
    two = opener()
    with pytest.raises(DamagedLog):
        two.looks.look(table.id)
    change(database, update(moves).where(moves.c.ply == 3).values(at=moves.c.at - 1))
    table.play(3, house=two)
    assert two.health().status == "ok"


def test_rows_of_an_older_version_are_played_on(opener: Open, database: str) -> None:
    one = opener()
    table = Table(one)
    table.play(6)
    links = stored(database)
    assert None not in links
    change(database, update(moves).values(link=None))
    two = opener()
    table.play(4, house=two)
    assert stored(database)[: len(links)] == [None] * len(links)
    assert None not in stored(database)[len(links) :]
    assert table.look(0, two).chain == table.look(0, one).chain


def test_the_key_is_kept_beside_the_database_for_its_owner_alone(
    tmp_path: Path, opener: Open, database: str
) -> None:
    if not database.startswith("sqlite"):
        assert opener().store.key is None  # several machines share a setting
        return
    file = tmp_path / "house.sqlite3.key"
    key = opener().store.key
    assert key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert opener().store.key == key
    for name, what in (("push", "push"), ("key", "signing")):
        (tmp_path / f"house.sqlite3.{name}").write_text("nonsense")
        with pytest.raises(HouseClosed, match=f"the {what} key of the house: 64 hexadecimal digits"):
            opener()


def test_a_house_without_a_key_chains_and_does_not_sign(house: House, database: str) -> None:
    if database.startswith("sqlite"):
        return
    table = Table(house, Plan(game="shanghaien", seats=("me", "open")))
    chain = table.look(0).chain
    assert chain is not None
    assert (chain.key, chain.signature) == (None, None)
    house.play.resign(table.id, table.people[0].id, "enough-now")
    found = verify(house.replays.record(table.id))
    assert found.verdict == "unproven"
    assert any("no server signed" in claim.text for claim in found.claims)
