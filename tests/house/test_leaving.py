"""The export of a person's data: it has all of them, and nothing that shows who reported the person."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from spelunke.house.events import EventPlan
from spelunke.house.plan import Clock, Plan
from spelunke.house.store import Write
from spelunke.house.store.schema import metadata

from .test_ties import address, member

EXPORTED = {
    "people": "name",
    "tables": "tables",
    "seats": "tables",
    "chat": "chat",
    "answers": "problems",
    "members": "member",
    "passkeys": "member",
    "devices": "devices",
    "notifications": "told",
    "channels": "told_by",
    "notification_choices": "told_how",
    "profiles": "page",
    "bans": "bans",
    "house_log": "done_by_hosts",
    "key_changes": "key_changes",
    "ties": "people",
    "reports": "reports_about",
    "ratings": "ratings",
    "results": "rated_games",
    "seeks": "seeks",
    "vacations": "vacations",
    "day_plays": "days",
    "events": "own_tournaments",
    "event_players": "tournaments",
    "solvers": "problem_ratings",
    "own_problems": "own_problems",
}
"""By table of the database with data about people: the part of the export with these data."""
SECRET_OR_PASSING = {"codes", "outbox"}
PERSONS = {"person", "kept", "host", "whom", "reporter", "about", "other"}


def add(house: Any, table: str, **values: Any) -> None:
    row = insert(metadata.tables[table]).values(**values)
    house.store.writer.write(Write(call=lambda connection: connection.execute(row).rowcount))


def test_each_table_with_data_about_people_is_in_the_export(house: Any) -> None:
    about = house.leaving.about(house.people.find(member(house, "Anna")))
    stored = {
        name
        for name, table in metadata.tables.items()
        if any(column.name in PERSONS and str(column.type) == "VARCHAR(32)" for column in table.columns)
    }
    assert stored - SECRET_OR_PASSING == EXPORTED.keys() - {"people"}
    assert set(EXPORTED.values()) <= about.keys()


def test_the_export_has_contests_problems_and_bans(house: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    own, other = (
        house.events.create(host, EventPlan(game="shanghaien", name="Evening", clock=Clock()))
        for host in (anna, ben)
    )
    house.events.enter(other, anna)
    day = {"game": "sanghai", "day": "2023-11-14", "table_id": "day-table", "deal": 3, "began_ms": 1}
    add(house, "day_plays", person=anna, **day, place=2, lead=-4.5)
    rating = {"game": "sanghai", "mu": 25.0, "sigma": 8.0, "tries": 7, "streak": 1, "longest": 3}
    add(house, "solvers", person=anna, **rating)
    problem = {"game": "sanghai", "table_id": "a-table", "ply": 9, "theme": "take", "cost": 0.2}
    more = {"body": "{}", "box": 1, "due_ms": 5, "tries": 2, "made_ms": 4}
    add(house, "own_problems", person=anna, **problem, **more)
    house.hosting.shut_out(ben, address(house, anna))
    about = house.leaving.about(house.people.find(anna))
    assert about["days"] == [{**day, "place": 2, "lead": -4.5, "ended_ms": None, "without": None}]
    assert about["problem_ratings"] == [rating]
    assert about["own_problems"] == [{**problem, **more}]
    assert [(one["id"], one["number"]) for one in about["tournaments"]] == [(other, 1)]
    assert [one["id"] for one in about["own_tournaments"]] == [own]
    assert about["bans"] == [{"since_ms": house.store.now(), "until_ms": None}]
    assert [one["what"] for one in about["done_by_hosts"]] == ["shut out"]
    assert [one["what"] for one in house.leaving.about(house.people.find(ben))["done_as_host"]] == [
        "shut out"
    ]
    assert ben not in str(about)


@pytest.mark.parametrize("decided", [False, True])
def test_the_export_does_not_show_who_reported_the_person(house: Any, decided: bool) -> None:
    anna, ben, host = (member(house, name) for name in ("Anna", "Ben", "Hanna"))
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open")))
    house.lobby.join(table, ben)
    house.chat.say(table, ben, "rude words")
    (line,) = house.looks.look(table, anna).chat
    house.reports.report_lines(table, anna, lines=(line.n,), text="He is rude to me, Anna.")
    if decided:
        house.reports.decide(host, house.reports.list(decided=False)[0][0].n, "warned")
    (report,) = house.leaving.about(house.people.find(ben))["reports_about"]
    assert report.keys() == {"at", "lines", "decided_ms", "decision"}
    assert report["decision"] == ("warned" if decided else None)
    assert ("rude words" in str(report["lines"])) == decided
    assert "to me" not in str(report)
