"""The players at a table: bots with their own names, portraits that people choose, and reactions at a limited rate."""

from __future__ import annotations

import random
from typing import Any

import pytest

from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.house.people import COLOURS, FIGURES
from spelunke.house.plan import Plan
from spelunke.house.refusals import BadMessage, BadPlan, NotNow, NotSeated, TooFast
from spelunke.house.table.companions import seat_companions
from spelunke.web.parts.portraits import PEOPLE, WORDS


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_each_level_has_four_players_with_faces(game: Game) -> None:
    assert set(game.players) == set(game.levels)
    names = [name for known in game.players.values() for name in known]
    assert len(names) == len(set(names))
    for known in game.players.values():
        assert len(known) == 4
        faces = [face for face, _about in known.values()]
        assert len(set(faces)) == 4
        for face, about in known.values():
            assert set(face.split()) <= WORDS
            assert about.endswith(".")
            assert len(about) <= 80


def test_every_figure_can_be_drawn() -> None:
    assert tuple(PEOPLE) == FIGURES
    assert all(set(face.split()) <= WORDS for face in PEOPLE.values())


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_bots_of_a_table_have_different_names_that_stay(game: Game) -> None:
    for level in game.levels:
        levels = [None, *[level] * (max(game.seats) - 1)]
        for table in ("abc", "bcd", "cde", "def"):
            found = seat_companions(game, table, levels)
            assert found == seat_companions(game, table, levels)
            names = [one.name for one in found if one]
            assert len(set(names)) == len(names)
            assert not any(letter.isdigit() for name in names for letter in name)


def test_a_portrait_is_kept_with_its_person_and_seen_at_the_table(house: Any) -> None:
    table, anna, ben = pair(house)
    house.people.choose_portrait(anna, "braid", "teal")
    assert (house.people.find(anna).figure, house.people.find(anna).colour) == ("braid", "teal")
    for reader in (anna, ben, None):
        seat = house.looks.look(table, reader).seats[0]
        assert (seat.figure, seat.colour) == ("braid", "teal")
    for figure, colour in (("nobody", "teal"), ("braid", "invisible")):
        with pytest.raises(BadPlan):
            house.people.choose_portrait(anna, figure, colour)
    house.people.rename(anna, "Anne")
    assert house.people.find(anna).figure == "braid"
    assert "teal" in COLOURS


def test_reactions_are_seen_and_bounded(house: Any) -> None:
    table, anna, ben = pair(house)
    assert "react" in house.looks.look(table, anna).may
    before = house.looks.look(table, ben)
    house.reactions.react(table, anna, "bravo")
    look = house.looks.look(table, ben)
    assert look.seats[0].reaction == "bravo"
    assert look.version > before.version
    assert look.ply == before.ply, "a reaction is no move"
    for word in ("cheers", "ouch"):
        house.reactions.react(table, anna, word)
    for _ in range(100):
        with pytest.raises(TooFast):
            house.reactions.react(table, anna, "haha")
    assert house.looks.look(table, ben).seats[0].reaction == "ouch"
    house.reactions.react(table, ben, "thanks")
    with pytest.raises(BadMessage):
        house.reactions.react(table, ben, "shout")
    with pytest.raises(NotSeated):
        house.reactions.react(table, house.people.create("Cleo").id, "hm")


def test_reactions_are_refused_to_a_person_alone_with_bots(house: Any) -> None:
    anna = house.people.create("Anna").id
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
    house.lobby.add_nonce(table, anna, "share")
    assert "react" not in house.looks.look(table, anna).may
    with pytest.raises(NotNow):
        house.reactions.react(table, anna, "hm")


def test_an_abandoned_game_shows_no_earlier_round(house: Any) -> None:
    table, anna, ben = pair(house)
    rng, key = random.Random(3), 0
    while not house.looks.look(table, anna).summary:
        for who in (anna, ben):
            look = house.looks.look(table, who)
            if look.legal:
                moves = [text for _action, text in look.legal]
                key += 1
                move = "shanghai" if "shanghai" in moves else rng.choice(moves)
                house.play.act(table, who, move, look.ply, f"key-{key:06d}")
                break
    house.play.resign(table, ben, "give-it-up")
    assert house.looks.look(table, anna).summary is None
    assert house.looks.look(table, anna, recall=True).summary is not None


def pair(house: Any) -> tuple[str, str, str]:
    """Return a running game of two people."""
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    plan = Plan(game="shanghaien", seats=("me", "open"), options={"first_starter": 0})
    table = house.lobby.create(anna, plan)
    house.lobby.join(table, ben)
    for person in (anna, ben):
        house.lobby.add_nonce(table, person, "share")
    assert house.looks.look(table).status == "playing"
    return table, anna, ben
