"""Cards, melds, moves and positions as text: several forms are read, one is written, and errors name the place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spelunke.core.errors import BadPosition, BadText
from spelunke.core.words import plain
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, notation
from spelunke.games.sanghai.cards import CARDS, make_run, make_set, parse_card, parse_meld, write_meld
from spelunke.games.sanghai.hands import SCHEDULES
from spelunke.games.sanghai.state import LENGTH_OF, ROUNDS_OF, RUNS_OF, SETS_OF

from .positions import SWAPPING, at_window


@given(st.sampled_from(CARDS), st.booleans())
def test_cards_are_read_in_many_ways(card: str, upper: bool) -> None:
    assert parse_card(card.upper() if upper else card) == card
    if card != "*":
        assert parse_card(card[-1] + card[:-1]) == card
        assert parse_card(card[:-1] + {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[card[-1]]) == card


@given(st.integers(0, 3), st.integers(1, 11), st.integers(4, 14), st.integers(0, 2**14), st.booleans())
def test_runs_are_written_and_read(suit: int, low: int, size: int, wild: int, black: bool) -> None:
    size = min(size, 15 - low)
    homes = [CARDS[13 * suit + (low + k - 1) % 13] for k in range(size)]
    jokers = ["2s" if black and k % 3 == 0 else "*" for k in range(size)]
    cards = [
        j if wild >> k & 1 and j != home else home
        for k, (j, home) in enumerate(zip(jokers, homes, strict=True))
    ]
    meld = make_run(cards, "shdc"[suit], low)
    if not all(meld.wild):
        assert parse_meld(write_meld(meld), black) == meld


@given(st.integers(0, 12), st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(0, 3))
def test_sets_are_written_and_read(rank: int, suits: list[int], jokers: int) -> None:
    meld = make_set([CARDS[13 * suit + rank] for suit in suits] + ["*"] * jokers)
    assert parse_meld(write_meld(meld)) == meld


@pytest.mark.parametrize(
    "text",
    [
        "add 9h",
        "add * to 0",
        "lay",
        "vote 9",
        "swap * into 2",
        "discard 1x",
        "hep hep",
        "",
        "lay 7s 8h 9d | 4d-7d",
    ],
)
def test_move_texts_without_meaning_are_refused(text: str) -> None:
    with pytest.raises(BadText, match=r"\w+ \w+"):
        notation.parse(text, at_window().state)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("lay ", "first pick the cards of this round's contract (sets: 2, runs: 0)"),
        ("lay 7s", "these cards don't make this round's contract (sets: 2, runs: 0): 7♠"),
        ("lay 7s 8h * jd", "these cards don't make this round's contract (sets: 2, runs: 0): 7♠ 8♥ ★ J♦"),
    ],
)
def test_picked_cards_that_cannot_be_laid_are_refused_without_the_syntax_of_moves(
    text: str, told: str
) -> None:
    with pytest.raises(BadText) as refused:
        notation.parse(text, at_window().state)  # type: ignore[arg-type]
    assert str(refused.value) == told


CALLED: dict[str, object] = {"pile": "9h", "turn": 0, "calls": [1, 2], "tied": 2}
THREE = [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}]
VOTED = [{"hand": "7s", "vote": 1}, *THREE[1:], {"hand": "4d", "vote": 2}]
WRONG: tuple[tuple[dict[str, object], str, str], ...] = (
    ({"seats": [{"hand": "7s 7s 7s"}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].hand", "one more"),
    ({"seats": [{"hand": "7s"}, {"hand": "2c"}]}, "seats", "players"),
    ({"seats": [{"hand": "7s", "laid": True}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].laid", "2 sets"),
    ({"seats": [{"hand": "zz"}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].hand", "not a card"),
    ({"seats": [{"hand": "7s", "heps": 4}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].heps", "at most 3"),
    (
        {"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "phase": "window"},
        "pile",
        "only after a discard",
    ),
    (
        {"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "phase": "whist"},
        "phase",
        "'whist' is not a phase; choose one of dealer, .*, turn, .* over",
    ),
    (
        {"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "laying": {"sets": 2, "runs": 0}},
        "laying",
        "only in the phases “laying”, “in set” and “in run”",
    ),
    (
        {"seats": [{"hand": "7s"}, {"hand": "2c", "answer": "called"}, {"hand": "2d"}]},
        "seats[1].answer",
        "only in the phases “window”, “vote” and “tie”",
    ),
    (
        {"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "calls": [2]},
        "calls",
        "only in the phases “window”, “vote” and “tie”",
    ),
    ({"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "round": 9}, "round", "1 to 8"),
    ({"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "colour": "red"}, "", "colour"),
    (
        {
            "seats": [THREE[0], {"hand": "2c", "vote": 2}, THREE[2], {"hand": "4d"}],
            "phase": "vote",
            **CALLED,
        },
        "seats[1].vote",
        "leave this vote out",
    ),
    (
        {
            "seats": [*VOTED[:2], {"hand": "2d", "answer": "called"}, {"hand": "4d"}],
            "phase": "window",
            **CALLED,
            "calls": [1],
        },
        "calls",
        "order of their calls",
    ),
    ({"seats": THREE, "phase": "dealer"}, "seats[0].hand", "too many or too few cards"),
    (
        {"seats": [{"hand": "7s 8s"}, *THREE[1:]], "phase": "dealing", "dealer": 0},
        "seats[0].hand",
        "too many or too few cards",
    ),
    (
        {
            "seats": [
                {"hand": " ".join(f"{rank}{suit}" for rank in range(2, 11)) + f" j{suit} q{suit}"}
                for suit in "shd"
            ],
            "phase": "dealing",
        },
        "phase",
        "all cards are dealt",
    ),
)


@pytest.mark.parametrize(
    "position",
    [
        {"seats": [VOTED[0], *THREE[1:], {"hand": "4d"}], "phase": "vote", **CALLED},
        {"seats": [*THREE, {"hand": "4d"}], "phase": "tie", **CALLED},
        {
            "seats": THREE,
            "phase": "penalty",
            "turn": 0,
            "pile": "9h",
            "owed": 1,
            "owed_to": 2,
            "options": {"hep_penalty": 1},
        },
        {"seats": [{"hand": "7s"}, {"hand": "8s 9s"}, {"hand": "2d"}], "phase": "dealing", "dealer": 0},
        {"seats": [{}, {}, {}], "phase": "dealer"},
    ],
)
def test_a_position_in_the_middle_of_a_vote_or_a_deal_can_be_read(position: dict[str, object]) -> None:
    s = notation.parse_position(position)
    assert notation.parse_position(notation.write_position(s)).tobytes() == s.tobytes()
    match = Match(GAME, int(s.seats), position.get("options"), state=s)
    assert match.chances() or all(match.legal(seat) for seat in match.actors)


@pytest.mark.parametrize(("position", "place", "reason"), WRONG)
def test_impossible_positions_are_refused(position: dict[str, object], place: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason) as refused:
        notation.parse_position(position)
    assert refused.value.place == place


def test_a_position_with_a_laying_that_cannot_be_completed_is_refused() -> None:
    position = {
        "seats": [{"hand": "4s 10c"}, {"hand": "9c"}, {"hand": "ac"}],
        "phase": "in set",
        "turn": 0,
        "laying": {"sets": 1, "runs": 0, "open": "set 7"},
    }
    with pytest.raises(BadPosition, match="can't be completed") as refused:
        notation.parse_position(position)
    assert refused.value.place == "laying"


Put: TypeAlias = Callable[[dict[str, object], int], None]
NUMBERS = (
    ("seats[0].heps", lambda p, n: p["seats"][0].update(heps=n)),
    ("turns", lambda p, n: p.update(turns=n)),
    ("reshuffles", lambda p, n: p.update(reshuffles=n)),
    ("wild_this_turn", lambda p, n: p.update(wild_this_turn=n)),
    ("owed", lambda p, n: p.update(owed=n, owed_to=0)),
    ("tied", lambda p, n: p.update(tied=n)),
    ("round", lambda p, n: p.update(round=n)),
    ("dealer", lambda p, n: p.update(dealer=n)),
    ("turn", lambda p, n: p.update(turn=n)),
    ("discarder", lambda p, n: p.update(discarder=n)),
    ("owed_to", lambda p, n: p.update(owed_to=n)),
    ("calls", lambda p, n: p.update(calls=[n])),
    ("seats[1].vote", lambda p, n: p["seats"][1].update(vote=n)),
    ("melds[0].owner", lambda p, n: p.update(melds=[{"owner": n, "cards": "9s 9h 9d"}])),
    ("laying.sets", lambda p, n: p.update(phase="laying", laying={"sets": n, "runs": 0})),
    ("laying.runs", lambda p, n: p.update(phase="laying", laying={"sets": 0, "runs": n})),
    (
        "laying.least_rank",
        lambda p, n: p.update(phase="laying", laying={"sets": 1, "runs": 0, "least_rank": n}),
    ),
    (
        "laying.least_run",
        lambda p, n: p.update(phase="laying", laying={"sets": 1, "runs": 0, "least_run": n}),
    ),
)


@pytest.mark.parametrize("number", [-(2**15) - 1, 2**15, 2**63, 10**30])
@pytest.mark.parametrize(("place", "put"), NUMBERS, ids=[place for place, _ in NUMBERS])
def test_numbers_too_large_for_the_state_are_refused_with_their_place(
    place: str, put: Put, number: int
) -> None:
    position: dict[str, object] = {"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}]}
    put(position, number)
    with pytest.raises(BadPosition, match=r"\w+ \w+") as refused:
        notation.parse_position(position)
    assert refused.value.place == place


@pytest.mark.parametrize(
    ("hand", "pile", "reason"),
    [
        ("7s 7d 7c 9s 9d 9c kd", "*", "You have all cards for the contract."),
        ("7s 7d 7c 9s 9d 9c kd", "2d", "You have all cards for the contract."),
        ("7s 7d 9s 9d 9c kd", "*", "The card helps: the number of cards that you lack falls from 1 to 0."),
        ("7s 7d 9s 9d 9c kd", "2d", "The card doesn't bring you nearer to the contract."),
    ],
)
def test_a_card_helps_only_a_hand_that_lacks_cards(hand: str, pile: str, reason: str) -> None:
    seats = [{"hand": "5c 6c"}, {"hand": hand}, {"hand": "10s js"}]
    position = {"phase": "window", "turn": 2, "pile": pile, "seats": seats}
    match = Match(GAME, 3, {}, state=notation.parse_position(position))
    hooks = match.game.hooks
    assert hooks.reasons(match.parse("hep"), match.view(1), ["A", "B", "C"], plain)[0] == reason


@pytest.mark.parametrize("language", ["en", "de", "fi", "fr", "it", "nl"])
@pytest.mark.parametrize("schedule", [0, 1, 2, 3])
def test_the_short_rules_name_the_rounds_of_the_table_in_which_a_call_is_needed(
    schedule: int, language: str
) -> None:
    name = SCHEDULES[schedule]
    laps = range(ROUNDS_OF[schedule])
    wanted = [3 * SETS_OF[schedule, n] + LENGTH_OF[schedule, n] * RUNS_OF[schedule, n] for n in laps]
    due = [n + 1 for n in laps if wanted[n] + 1 > 12]  # eleven cards, and one drawn
    text = GAME.card(language, 4, GAME.settle(4, {"schedule": name}))
    told = [[int(n) for n in re.findall(r"\d+", line)] for line in text.splitlines()]
    assert told.count([due[0], due[-1]] if len(due) > 1 else due) == 1, text
    assert "<!--" not in text
    two = GAME.settle(2, {"schedule": name, "two_player_deal12": True})
    assert len(GAME.card(language, 2, two).splitlines()) == len(text.splitlines()) - 2  # nobody can call


@pytest.mark.parametrize("language", ["en", "de", "fi", "fr", "it", "nl"])
def test_the_short_rules_have_the_numbers_of_the_table(language: str) -> None:
    def numbers(**options: object) -> list[list[str]]:
        text = GAME.card(language, 4, GAME.settle(4, {"schedule": "short", **options}))
        return [found for line in text.splitlines() if (found := re.findall(r"\d+", line))]

    assert numbers() == [["3"], ["4"], ["14", "13", "12", "11", "15"]]
    given = {"hep_limit": 1, "ace_points": 15, "face_points": 10, "joker_points": 50}
    assert numbers(**given) == [["1"], ["4"], ["15", "10", "50"]]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("swap 7s into 1", "swap 7s into 1 for 2s"),
        ("swap ad into 2", "swap ad into 2 high"),
        ("swap 8s into 3", "swap 8s into 3"),
        ("swap 8s into 3 for 2c", "swap 8s into 3 for 2c"),
        ("swap ad into 4", "swap ad into 4"),
        ("swap ad into 4 high", "swap ad into 4 high"),
        ("swap 3c into 1", "swap 3c into 1"),
        ("swap 3c into 32", "swap 3c into 32"),
    ],
)
def test_a_swap_need_not_name_the_only_wild_card_that_it_can_take(text: str, written: str) -> None:
    s = notation.parse_position(SWAPPING)
    assert notation.write(notation.parse(text, s)) == written


@pytest.mark.parametrize("seats", [2, 3])
def test_a_laying_costs_calls_only_at_tables_where_anybody_can_call(seats: int) -> None:
    options = {"two_player_deal12": True}
    hands = [{"hand": "7s 7d 7c 9s 9d 9c kd"}, {"hand": "2c"}, {"hand": "2d"}][:seats]
    position = {"options": options, "turn": 0, "seats": hands}
    match = Match(GAME, seats, options, state=notation.parse_position(position))
    lay = match.parse("lay 7s 7d 7c | 9s 9d 9c")
    told = GAME.hooks.reasons(lay, match.view(0), ["A", "B", "C"], plain)
    assert ("After you lay, you can't call any more in this round." in told) == (seats > 2)
