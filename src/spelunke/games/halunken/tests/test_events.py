"""The events of a game and their order."""

from __future__ import annotations

import random

from spelunke.core.contract import ALL
from spelunke.core.kernel import copy
from spelunke.core.words import plain
from spelunke.games.halunken import GAME, notation
from spelunke.games.halunken.tests.playing import each_table, step
from spelunke.games.match import Match


@each_table
def test_the_events_of_a_ply_lead_to_the_state_after_the_ply(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(f"story {seats}")
    match = Match(GAME, seats, options)
    while not match.over:
        before = copy(match.state)
        step(match, rng)
        after = match.state
        told = match.events_of(match.ply - 1, ALL)
        if after.games != before.games:
            continue
        field = {f: int(before.field[f]) for f in range(5)}
        gains = [0] * seats
        for event in told:
            match event:
                case _ if type(event).__name__ in {"Walked", "Displaced"}:
                    assert field[event.figure] == event.start
                    field[event.figure] = event.field
                case _ if type(event).__name__ == "Placed":
                    field[event.figure] = event.field
                case _ if type(event).__name__ in {"Collected", "Recruited"}:
                    assert field[event.figure] == event.field
                    if event.seat is not None and event.sailor is not None:
                        gains[event.seat] += 1
                case _ if type(event).__name__ == "Robbed":
                    gains[event.seat] += 1
                    gains[event.victim] -= 1
                case _ if type(event).__name__ in {"Fished", "Met"}:
                    gains[event.seat] += 1
                case _ if type(event).__name__ == "Gave":
                    gains[event.seat] -= 1
                case _ if type(event).__name__ == "Hired" and event.seat is not None:
                    gains[event.seat] -= 1
        assert field == {f: int(after.field[f]) for f in range(5)}
        assert gains == [int(after.hands[seat] - before.hands[seat]) for seat in range(seats)]


def test_the_events_of_an_example_come_in_the_order_of_the_rules() -> None:  # H-T1
    start = {
        "options": {"mode": "beginner"},
        "seats": [
            {"captain": 3, "crew": ["grey 5"]},
            {"captain": 4, "crew": ["red 8", "grey 2"]},
            {"captain": 9, "crew": ["yellow 6"]},
            {"captain": 11, "crew": ["violet 3"]},
        ],
        "taverns": {"9": "grey 7", "11": "yellow 3", "4": "violet 9 +1", "8": "yellow 12"},
    }
    match = Match(GAME, 4, {"mode": "beginner"}, state=notation.parse_position(start))
    for seat, text in ((0, "card rum"), (1, "card 3"), (2, "card 5"), (3, "card 5"), (0, "rum 1")):
        match.act(seat, match.parse(text))
    match.land(notation.parse_chance("sailor red 4"))
    match.act(0, match.parse("rob red 8"))
    from spelunke.games.halunken.events import say

    told = [say(e, ("Yellow", "Red", "Blue", "Green"), plain) for e in match.events(None, 3)]
    assert told == [
        "Green is ready.",
        "The cards – Yellow: Rum, Red: 3, Blue: 5, Green: 5. Equal cards: Blue and Green stay.",
        "Yellow makes the Rum a 1.",
        "Blue stays at tavern 9 and takes grey 7.",
        "Green stays at tavern 11 and takes yellow 3.",
        "Yellow moves by 1 to field 4.",
        "Yellow takes violet 9.",
        "Tavern 4 now shows red 4.",
        "Yellow robs Red of red 8.",
        "Red has to make way and moves to field 5.",
        "Red moves by 3 to field 8.",
        "Red takes yellow 12.",
        "Hour 2 begins.",
    ]


def test_the_sentence_about_equal_points_names_no_leader() -> None:
    """If points are equal, the sentence names no winner: with the option ``tiebreak``, the larger crew may win."""
    from spelunke.games.halunken.events import say
    from spelunke.games.halunken.happenings import Counted

    names = ("Anna", "Bert", "Cleo")
    tie = say(Counted(1, (30, 20, 30), (30, 20, 30), (0, 2), True), names, plain)
    assert tie.endswith(" Most points: Anna and Cleo.")
    assert say(Counted(1, (31, 20, 30), (31, 20, 30), (0,), True), names, plain).endswith(" Anna wins.")
    assert say(Counted(1, (31, 20, 30), (31, 20, 30), (0,)), names, plain).endswith(" Ahead: Anna.")
