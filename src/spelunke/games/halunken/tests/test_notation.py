"""Move texts and position texts are written and read, and wrong texts are refused."""

from __future__ import annotations

import contextlib
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.errors import BadPosition, BadText
from spelunke.games.halunken import GAME, moves, notation
from spelunke.games.halunken.cards import sailor_of
from spelunke.games.halunken.tests.playing import TABLES, step
from spelunke.games.match import Match


@given(st.sampled_from(moves.ACTION_CODEC.values))
def test_moves_are_written_and_read(action: moves.Action) -> None:
    text = notation.write(action)
    assert notation.parse(text) == action
    assert notation.parse(f" {text.upper()} ") == action


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse, write in ((notation.parse, notation.write), (notation.parse_chance, notation.write_chance)):
        with contextlib.suppress(BadText):
            read = parse(text)
            assert parse(write(read)) == read


def test_moves_are_read_leniently() -> None:
    said = {
        "5": "card 5",
        "r": "card rum",
        "rob red 8 from 2": "rob red 8",
        "bid g5": "bid grey 5",
        "harbor purple 14": "harbour violet 14",
        "unready": "take back",
        "place at field 5": "place 5",
        "no": "decline",
    }
    for text, form in said.items():
        assert notation.write(notation.parse(text)) == form
    for text, why in {
        "bid red 12": "no red 12",
        "rum 8": "1 to 7",
        "place 14": "0 to 13",
        "card 9": "1 to 7",
    }.items():
        with pytest.raises(BadText, match=why):
            notation.parse(text)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 2**32), st.integers(0, 140))
def test_positions_are_written_and_read(table: tuple[int, dict[str, object]], seed: int, plies: int) -> None:
    match = Match(GAME, table[0], table[1])
    rng = random.Random(seed)
    for _ in range(plies):
        if not match.over:
            step(match, rng, changes=True)
    text = msgspec.json.decode(msgspec.json.encode(notation.write_position(match.state)))
    assert notation.parse_position(text).tobytes() == match.state.tobytes()


REFUSED: list[tuple[str, dict[str, object], str]] = [
    (
        "seats[1].crew[0]",
        {"seats": [{"captain": 0, "crew": ["red 4"]}, {"captain": 1, "crew": ["red 4"]}, {"captain": 2}]},
        "there is one red 4",
    ),
    (
        "seats[0].crew[0]",
        {"seats": [{"captain": 0, "crew": ["red 12"]}, {"captain": 1}, {"captain": 2}]},
        "no red 12",
    ),
    ("seats[1].captain", {"seats": [{"captain": 0}, {"captain": 0}, {"captain": 2}]}, "stands on field 0"),
    ("seats[2].captain", {"seats": [{"captain": 0}, {"captain": 1}, {}]}, "is on a field"),
    (
        "seats[1].used",
        {"seats": [{"captain": 0, "used": [1]}, {"captain": 1}, {"captain": 2}]},
        "used 1 cards",
    ),
    (
        "seats[0].used[1]",
        {
            "seats": [
                {"captain": 0, "used": [1, 1]},
                {"captain": 1, "used": [1, 2]},
                {"captain": 2, "used": [1, 2]},
            ]
        },
        "once",
    ),
    (
        "taverns.14",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "taverns": {"14": "red 4"}},
        "0 to 13",
    ),
    (
        "taverns.3",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "taverns": {"3": "+2"}},
        "open sailor on top",
    ),
    (
        "taverns.3",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "taverns": {"3": "red 4 +3"}},
        "three sailors",
    ),
    *(
        (
            "taverns",
            {
                "seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}],
                "phase": phase,
                "taverns": {str(field): "+1" for field in range(closed)},
            },
            why,
        )
        for phase, closed, why in (
            ("opening", 0, "exactly one"),
            ("opening", 2, "exactly one"),
            ("turning", 0, "at least one"),
        )
    ),
    (
        "jack",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "jack": {"field": 3}},
        "no Black Jack",
    ),
    (
        "phase",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "phase": "sleeping"},
        "not a phase",
    ),
    (
        "phase",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "phase": "bidding"},
        "does not have this phase",
    ),
    ("seats", {"seats": [{"captain": 0}]}, "players"),
    ("harbour", {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "harbour": ["red 4"]}, "harbour"),
    ("mover", {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "mover": 1}, "no figure moves"),
    (
        "seats[0].laid",
        {"seats": [{"captain": 0, "laid": 2}, {"captain": 1}, {"captain": 2}]},
        "from the reveal",
    ),
    (
        "seats[0].sealed",
        {"seats": [{"captain": 0, "sealed": 9}, {"captain": 1}, {"captain": 2}]},
        "no movement card 9",
    ),
    (
        "options.mode",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "options": {"mode": "two_player"}},
        "2 players",
    ),
]


@pytest.mark.parametrize(("place", "text", "why"), REFUSED)
def test_impossible_positions_are_refused_with_place_and_reason(
    place: str, text: dict[str, object], why: str
) -> None:
    text = {"options": {"mode": "beginner"}, **text}
    with pytest.raises(BadPosition, match=why) as refusal:
        notation.parse_position(text)
    assert refusal.value.place == place


def test_sailors_may_be_left_out_of_play() -> None:  # H-C10
    text = {
        "options": {"mode": "beginner"},
        "seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}],
        "taverns": {"3": "red 4 +1"},
        "out": ["red 15"],
    }
    match = Match(GAME, 3, {"mode": "beginner"}, state=notation.parse_position(text))
    assert match.state.dark == 40
    assert notation.write_position(match.state)["out"] == ["red 15"]
    for seat, card in ((0, 3), (1, 1), (2, 2)):
        match.act(seat, moves.Choose(card))
    assert moves.Seen(sailor_of(41)) not in [chance for chance, _ in match.chances()]
    assert len(match.chances()) == 40


def test_a_position_with_overtaken_captains_needs_black_jack_as_mover() -> None:
    rng = random.Random(0)
    match = Match(GAME, 3)
    while notation.write_position(match.state)["phase"] != "passing":
        step(match, rng, changes=True)
    text = notation.write_position(match.state)
    field = text["jack"]["field"]
    with pytest.raises(BadPosition, match="give 'jack' as “mover”") as refused:
        notation.parse_position({**text, "jack": {"field": field}, "mover": 0})
    assert refused.value.place == "mover"


@pytest.mark.parametrize("passes", [False, True])
def test_with_two_players_the_phase_passing_needs_its_option(passes: bool) -> None:  # H-A29
    options = {"mode": "two_player", "bj2_pass_theft": passes}
    text: dict[str, object] = {
        "options": options,
        "phase": "passing",
        "seats": [{"captain": 9, "laid": 1}, {"captain": 4, "laid": 2, "crew": ["red 4"]}],
        "jack": {"field": 6, "laid": 5},
        "hirer": 0,
        "mover": "jack",
        "overtaken": [1],
    }
    if passes:
        assert notation.parse_position(text).turn == 0
        return
    with pytest.raises(BadPosition, match="does not have this phase") as refused:
        notation.parse_position(text)
    assert refused.value.place == "phase"


@pytest.mark.parametrize("games", [-5, -1, 1, 3, 99999, 2**15, 10**30])
def test_an_impossible_number_of_games_is_refused_with_its_place(games: int) -> None:
    text = notation.write_position(Match(GAME, 3).state)
    with pytest.raises(BadPosition, match="doesn't fit the option “match”") as refused:
        notation.parse_position({**text, "games": games})
    assert refused.value.place == "games"
