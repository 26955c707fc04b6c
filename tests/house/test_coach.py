"""A coach helps a person who plays against bots alone and has a decision. It helps nobody at a table of people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from appraising import FakeAnalyst
from empty_house import lay_tables
from spelunke.games import shelf
from spelunke.house.plan import Plan
from spelunke.house.refusals import NotNow, NotSeated
from spelunke.records.position import parse_position
from waiting import wait_until


@pytest.fixture
def database(tmp_path: Any) -> str:
    return lay_tables(tmp_path / "house.sqlite3")


@pytest.fixture
def analyst() -> FakeAnalyst:
    return FakeAnalyst()


@pytest.fixture
def house(opener: Callable[..., Any], analyst: FakeAnalyst) -> Any:
    return opener(analyst=lambda: analyst)


HIDING = [name for name, game in shelf().items() if game.hidden]


def begin(house: Any, *seats: str, game: str = "shanghaien", others: int = 0) -> tuple[str, list[str]]:
    seats = tuple(f"bot:{next(iter(shelf()[game].levels))}" if seat == "bot" else seat for seat in seats)
    people = [house.people.create(name).id for name in ("Anna", "Ben", "Cleo")[: others + 1]]
    options = {"first_starter": 0} if game == "shanghaien" else {}
    table = house.lobby.create(people[0], Plan(game=game, seats=seats, options=options))
    for person in people[1:]:
        house.lobby.join(table, person)
    for person in people:
        house.lobby.add_nonce(table, person, "share")
    assert house.looks.look(table).status == "playing"
    return table, people


def test_against_bots_every_move_is_told_with_its_value(house: Any, analyst: FakeAnalyst) -> None:
    table, (anna,) = begin(house, "me", "bot")
    look = house.looks.look(table, anna)
    assert "hint" in look.may
    advice = house.coach.advise(table, anna)
    assert {one.move for one in advice.judgement.alternatives} == {text for _action, text in look.legal}
    assert len(advice.told) == len(look.legal)
    assert house.looks.look(table, anna).ply == look.ply, "nothing was played"
    house.coach.advise(table, anna)
    assert analyst.positions == 1
    house.play.act(table, anna, look.legal[0][1], look.ply, "key-000001")
    look = house.looks.look(table, anna)
    assert house.coach.advise(table, anna).judgement.alternatives
    stranger = house.people.create("Ben").id
    with pytest.raises(NotSeated):
        house.coach.advise(table, stranger)
    assert "hint" not in house.looks.look(table).may
    house.play.resign(table, anna, "give-it-up")
    with pytest.raises(NotNow):
        house.coach.advise(table, anna)


def test_a_single_move_is_not_compared_with_others(house: Any) -> None:
    table, (anna,) = begin(house, "me", "bot")
    assert [text for _action, text in house.looks.look(table, anna).legal] == ["roll"]
    first = house.coach.glance(table, anna)
    assert first.moves == ("roll",)
    assert not first.alike


def test_the_coach_gives_no_advice_among_people(house: Any, analyst: FakeAnalyst) -> None:
    table, (anna, ben) = begin(house, "me", "open", others=1)
    for person in (anna, ben):
        assert "hint" not in house.looks.look(table, person).may
        with pytest.raises(NotNow, match="all your opponents are bots"):
            house.coach.advise(table, person)
    house.play.stand_in(table, ben)
    house.tick()
    with pytest.raises(NotNow, match="all your opponents are bots"):
        house.coach.advise(table, anna)
    assert analyst.positions == 0


def test_the_coach_gives_no_advice_while_a_bot_stands_in(house: Any) -> None:
    table, (anna,) = begin(house, "me", "bot")
    house.play.stand_in(table, anna)
    with pytest.raises(NotNow):
        house.coach.advise(table, anna)


@pytest.mark.parametrize("name", HIDING)
def test_the_coach_judges_only_the_position_that_the_seat_sees(
    house: Any, analyst: FakeAnalyst, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (anna,) = begin(house, "me", *["bot"] * (max(2, shelf()[name].seats[0]) - 1), game=name)
    wait_until(lambda: bool(house.tick() or house.looks.look(table, anna).legal), "no seat is to act")
    while not (look := house.looks.look(table, anna)).legal:
        house.tick()
    asked: list[tuple[bytes, int | None]] = []
    judge = analyst.judge

    def note(position: bytes, seat: int | None = None) -> Any:
        asked.append((position, seat))
        return judge(position, seat)

    monkeypatch.setattr(analyst, "judge", note)
    assert "hint" in look.may
    advice = house.coach.advise(table, anna)
    assert {one.move for one in advice.judgement.alternatives} == {text for _action, text in look.legal}
    assert all(advice.told)
    assert len(advice.why) == len(advice.told)
    ((position, seat),) = asked
    told = parse_position(position)
    assert seat == look.seat
    assert told.view(seat) == look.view


@pytest.mark.parametrize("name", HIDING)
def test_the_coach_gives_no_advice_among_people_in_games_with_secrets(
    house: Any, analyst: FakeAnalyst, name: str
) -> None:
    least = max(3, shelf()[name].seats[0])
    table, people = begin(house, "me", "open", *["bot"] * (least - 2), game=name, others=1)
    for person in people:
        assert "hint" not in house.looks.look(table, person).may
        with pytest.raises(NotNow, match="all your opponents are bots"):
            house.coach.advise(table, person)
    assert analyst.positions == 0


def test_the_coach_gives_no_advice_until_the_lesson_is_left(house: Any) -> None:
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, "shanghaien")
    with pytest.raises(NotNow):
        house.coach.advise(table, anna)
    look = house.looks.look(table, anna)
    house.play.go_on_in_lesson(table, anna, "alone", look.ply, "i-go-on-alone")
    assert "hint" in house.looks.look(table, anna).may, "the lesson was left"
    assert house.coach.advise(table, anna).judgement.alternatives
