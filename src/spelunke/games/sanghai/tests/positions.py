"""Positions with which the tests of the rules begin, and functions that play on from them."""

from __future__ import annotations

import random

from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, notation

HANDS = ("2c 3c", "4c 5c", "6c 7c", "8c 9c", "10c jc", "qc kc", "2d 3d", "4d 5d")

SWAPPING: dict[str, object] = {
    "options": {"joker_swap": True, "black_twos_wild": True},
    "round": 2,
    "finished": [{"points": [0, 0, 0]}],
    "turn": 0,
    "seats": [
        {"hand": "7s 8s 8h ad 3c", "laid": True},
        {"hand": "2h", "laid": True},
        {"hand": "2d"},
    ],
    "melds": [
        {"owner": 0, "cards": "7h 7d 2s"},
        {"owner": 0, "cards": "jd qd kd *ad"},
        {"owner": 1, "cards": "8d 2c *"},
        {"owner": 1, "cards": "*ad 2d 3d 4d 5d 6d 7d 8d 9d 10d jd qd kd *ad"},
    ],
}
"""Seat 0 can swap its cards for several wild cards."""


def step(match: Match, rng: random.Random) -> None:
    if match.chance:
        found = match.chances()
        match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
    else:
        seat = rng.choice(match.actors)
        match.act(seat, rng.choice(match.legal(seat)))


def at_window(seats: int = 4, pile: str = "7s", **options: object) -> Match:
    position = {
        "options": options,
        "phase": "window",
        "turn": 1,
        "dealer": seats - 1,
        "pile": pile,
        "seats": [{"hand": hand} for hand in HANDS[:seats]],
    }
    state = notation.parse_position(position)
    return Match(GAME, seats, options, state=state)


def play(match: Match, *texts: str) -> Match:
    for text in texts:
        seat, _, move = text.partition(": ")
        if move:
            match.act(int(seat), match.parse(move))
        else:
            match.land(notation.parse_chance(text))
    return match


def laid_with(cards: str, contract_round: int, lay: str, **options: object) -> None:
    done = [{"points": [0, 0, 0, 0]}] * (contract_round - 1)
    position = {
        "options": options,
        "round": contract_round,
        "finished": done,
        "turn": 0,
        "seats": [{"hand": cards}, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}],
    }
    match = Match(GAME, 4, options, state=notation.parse_position(position))
    match.act(0, match.parse(lay))
    assert match.view(0).laid[0]
