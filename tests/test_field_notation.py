"""If a game has no `notation.py`, the texts of its moves and positions are made from the fields of action and state."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from spelunke.core.errors import BadGame, BadPosition, BadText
from spelunke.core.values import Action
from spelunke.games.field_notation import FieldNotation, write_struct, write_value
from spelunke.games.game import Game


class Place(Action, frozen=True, tag="place"):
    card: int
    side: str | None
    face_up: bool
    dice: tuple[int, ...] = ()


class Shout(Action, frozen=True, tag="shout"):
    words: str


@pytest.fixture
def dinghy(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "fourth"))
    import dinghy

    game: Game = dinghy.GAME
    assert isinstance(game.notation, FieldNotation)
    return game


def test_fields_are_written_as_words() -> None:
    assert write_struct(Place(2, "left", True, (1, 6))) == "place 2 left yes 1,6"
    assert write_struct(Place(2, None, False)) == "place 2 - no -"
    with pytest.raises(TypeError, match=r"notation\.py"):
        write_struct(Shout("two words"))
    with pytest.raises(TypeError, match=r"notation\.py"):
        write_value(1.5)


def test_moves_are_read_as_they_are_written(dinghy: Game) -> None:
    for number in range(dinghy.rules.ACTIONS):
        action = dinghy.moves.decode(number)
        assert dinghy.notation.parse(dinghy.notation.write(action)) == action
    for number in range(dinghy.rules.OUTCOMES):
        chance = dinghy.moves.decode_chance(number)
        assert dinghy.notation.parse_chance(dinghy.notation.write_chance(chance)) == chance
    assert dinghy.notation.parse("  ROW ") == dinghy.moves.decode(0)


def test_an_unknown_move_is_refused_with_the_list_of_known_moves(dinghy: Game) -> None:
    with pytest.raises(BadText, match="'swim' is not a move of Dinghy; it knows: row, land"):
        dinghy.notation.parse("swim")
    with pytest.raises(BadText, match="it knows: wave BARRELS"):
        dinghy.notation.parse_chance("wave 7")


def test_positions_are_read_as_they_are_written(dinghy: Game) -> None:
    text: dict[str, object] = {
        "seats": 3,
        "options": {"goal": "30"},
        "state": {"turn": 2, "aboard": 5, "rowing": 1, "ashore": [4, 0, 29]},
    }
    s: Any = dinghy.notation.parse_position(text)
    assert (s.turn, s.aboard, s.ashore.tolist()) == (2, 5, [4, 0, 29])
    assert dinghy.notation.write_position(s) == text
    assert (
        dinghy.notation.parse_position({"seats": 2}).tobytes()
        == dinghy.notation.parse_position({"seats": 2, "state": {"turn": 0}}).tobytes()
    )


@pytest.mark.parametrize(
    ("state", "refusal"),
    [
        ({"oars": 2}, r"state\.oars: Dinghy has no such field"),
        ({"options": [1]}, r"state\.options: Dinghy has no such field"),
        ({"turn": 3}, r"state\.turn: it must be from 0 to 2"),
        ({"turn": -1}, r"state\.turn: it must be from 0 to 2"),
        ({"turn": 10**30}, r"state\.turn: it must be from 0 to 2"),
        ({"turn": True}, r"state\.turn: it must be a whole number"),
        ({"turn": 2}, "state: the turn is of a seat that this table does not have"),
        ({"ashore": [1, 2]}, r"state\.ashore: it must be a list of 3"),
        ({"ashore": [1, 2, "3"]}, r"state\.ashore\[2\]: it must be a whole number"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_place(
    dinghy: Game, state: dict[str, object], refusal: str
) -> None:
    with pytest.raises(BadPosition, match=refusal):
        dinghy.notation.parse_position({"seats": 2, "state": state})


def test_a_field_without_bounds_cannot_be_changed(dinghy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules["dinghy.rules"].State.__annotations__, "aboard", "Cell")
    notation = FieldNotation(dinghy)
    assert notation.parse_position({"seats": 2, "state": {"aboard": 0}})
    with pytest.raises(BadPosition, match=r"state\.aboard: the game does not say which values are possible"):
        notation.parse_position({"seats": 2, "state": {"aboard": 1}})


def test_two_moves_with_one_text_are_refused(dinghy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = [Place(1, "left", True), Place(1, "LEFT", True)]
    monkeypatch.setattr(dinghy.moves, "decode", sides.__getitem__)
    with pytest.raises(BadGame, match=r"two moves are written 'place 1 left yes -'.*notation\.py"):
        FieldNotation(dinghy).parse("row")
