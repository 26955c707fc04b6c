"""The names of seats if several people at a table have the same name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from spelunke.boards.stage import render_name
from spelunke.core.words import tell_apart
from spelunke.house.plan import Plan

if TYPE_CHECKING:
    from spelunke.house.house import House


def test_equal_names_are_numbered_from_the_second_on() -> None:
    assert tell_apart(["Anna", "Mate", "Mate", "Anna", "Mate"]) == (
        "Anna",
        "Mate",
        "Mate 2",
        "Anna 2",
        "Mate 3",
    )


def test_a_number_is_skipped_if_it_would_give_the_name_of_another_seat() -> None:
    assert tell_apart(["A", "A", "A 2"]) == ("A", "A 3", "A 2")
    assert tell_apart(["A 2", "A", "A", "A 2"]) == ("A 2", "A", "A 3", "A 2 2")


def test_people_of_one_name_have_one_number_in_talk_and_rematches(house: House, clockwork: Any) -> None:
    first = house.people.create("Anna").id
    clockwork.wait(1)
    second = house.people.create("Anna").id
    table = house.lobby.create(first, Plan(game="shanghaien", seats=("me", "open")))
    house.lobby.join(table, second)
    for person in (first, second):
        house.lobby.add_nonce(table, person, person)
        house.chat.say(table, person, "ahoy")
    look = house.looks.look(table)
    assert look.names == ("Anna", "Anna 2")
    assert [line.name for line in look.chat] == ["Anna", "Anna 2"]
    house.play.resign(table, first, "give-it-up")
    made = house.next_games.rematch(table, first)
    house.next_games.rematch(table, second)
    again = house.looks.look(made, first)
    assert again.names == ("Anna 2", "Anna")
    assert again.names[again.seat or 0] == "Anna"
    for person in (first, second):
        house.lobby.add_nonce(made, person, person)
    house.play.resign(made, first, "give-up-again")
    lines, _ = house.histories.own(first)
    assert [line.names for line in lines] == [("Anna 2", "Anna"), ("Anna", "Anna 2")]


def test_names_that_begin_alike_are_told_apart_where_they_are_shortened() -> None:
    names = ("Bartholomew the Great I", "Bartholomew the Great II", "Wilhelmina Winterbottom", "Anna")
    ends = []
    for name in names:
        text = str(render_name(name, names))
        assert f">{name}<" in text or text == name, "who listens hears all of it"
        found = re.search(
            'name-head" aria-hidden="true">(.*?)</span>.*name-end" aria-hidden="true">(.*?)<', text
        )
        if found:
            assert "".join(found.groups()) == name, "where there is room, all of it is shown"
            ends.append(found[2])
    assert ends == ["t I", " II", ""], "what tells them apart is never left out"
    assert "&lt;b&gt;" in render_name("<b>Bartholomew the Bold", names)
    assert len(re.findall("&#8230;", render_name("Bartholomew the Unforgettable", names))) == 1
