"""The deck, starters, turns in a round, matches, refusals, move texts and the settlement follow the rules."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.errors import BadOption, BadPosition, BadText, IllegalMove, NotYourTurn
from spelunke.games.match import Match
from spelunke.games.shanghaien import GAME, moves, notation, state
from spelunke.games.shanghaien.cards import End, Nation, Sailor, Trick, TrickCard
from spelunke.games.shanghaien.events import GameCounted, Settled
from spelunke.games.shanghaien.reckoning import gain, taker


def play(match: Match, seed: int, plies: int = 10_000) -> Match:
    rng = random.Random(seed)
    for _ in range(plies):
        if match.over:
            break
        if match.chance:
            found = match.chances()
            match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
        else:
            match.act(match.actors[0], rng.choice(match.legal(match.actors[0])))
    return match


def test_the_deck_has_48_cards_with_13_of_each_nation() -> None:  # S-R2, S-A2
    cards = Counter({chance.card: weight for chance, weight in Match(GAME).chances()})
    assert cards.total() == 48
    for nation in {card.nation for card in cards if isinstance(card, Sailor)}:
        values = sorted(c.value for c in cards.elements() if isinstance(c, Sailor) and c.nation == nation)
        assert values == [1, 2, 3, 3, 4]
    assert [n for card, n in sorted(cards.items(), key=repr) if isinstance(card, TrickCard)] == [3, 2, 3]


def test_a_game_draws_six_cards_one_by_one_and_then_the_starter() -> None:  # S-R4
    match = Match(GAME)
    kinds = []
    while match.chance:
        kinds.append(type(match.chances()[0][0]).__name__)
        match.land(match.chances()[0][0])
    assert kinds == ["Deal"] * 6 + ["Starter"]


def test_a_roll_is_one_chance_of_21_outcomes() -> None:  # S-R4
    match = play(Match(GAME), 1, 7)
    match.act(match.actors[0], moves.Roll())
    weights = dict(match.chances())
    assert len(weights) == 21
    assert all(weight == (1 if roll.low == roll.high else 2) for roll, weight in weights.items())


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_starter_can_be_fixed(seat: int) -> None:  # S-A13
    match = Match(GAME, 2, {"first_starter": seat})
    while match.chance:
        match.land(match.chances()[0][0])
    assert match.actors == (seat,)


@pytest.mark.parametrize("seed", range(6))
def test_eight_rounds_of_five_to_eleven_turns_use_all_cards(seed: int) -> None:  # S-R6, S-T17
    match = play(Match(GAME), seed)
    settled = [event for event in match.events() if isinstance(event, Settled)]
    assert [event.tavern for event in settled] == list(range(1, 9))
    assert sum(isinstance(ply.deed, moves.Deal) for ply in match.plies) == 48
    turns, longest = 0, 0
    for ply in match.plies:
        if isinstance(ply.deed, moves.Roll | moves.Shanghai):
            turns += 1
        if isinstance(ply.deed, moves.Shanghai):
            assert 3 <= turns <= 11
            longest, turns = max(longest, turns), 0
    assert longest


def test_the_longest_round_has_eleven_turns() -> None:  # S-T17
    match = play(Match(GAME), 1, 7)
    first = match.actors[0]
    for _ in range(10):
        seat = match.actors[0]
        match.act(seat, moves.Roll())
        match.land(moves.Fall(1, 2))
        match.act(seat, match.legal(seat)[0])
    assert match.actors == (first,)
    assert match.legal(first) == (moves.Shanghai(),)


def test_in_a_best_of_three_the_other_seat_starts_the_next_game() -> None:  # S-A13
    for seed in range(4):
        match = Match(GAME, 2, {"match": "best_of_three"})
        openers = []
        rng = random.Random(seed)
        while not match.over:
            begun = match.state.tavern == 0 and match.state.dealt == 6 and not match.chance
            if begun and len(openers) <= match.state.games:
                openers.append(int(match.state.opener))
            play(match, rng.randrange(10**6), 1)
        assert all(a != b for a, b in itertools.pairwise(openers))
        assert len(openers) == match.state.games
        outcome = match.outcome
        assert outcome is not None
        assert max(outcome.scores) == 2 or match.state.games == 3


@pytest.mark.parametrize("seed", range(3))
def test_a_sum_of_three_adds_the_points(seed: int) -> None:
    match = play(Match(GAME, 2, {"match": "sum_of_three"}), seed)
    counted = [event for event in match.events() if isinstance(event, GameCounted)]
    assert len(counted) == 3
    assert match.outcome is not None
    assert match.outcome.scores == tuple(sum(e.points[seat] for e in counted) for seat in range(2))


@pytest.mark.parametrize(("kind", "winner"), [("sum_of_three", None), ("best_of_three", 1)])
def test_a_tie_in_one_of_three_added_games_is_not_broken(kind: str, winner: int | None) -> None:  # S-A14
    """If the points of three games are added, the tie-break applies only to the totals."""
    options = {"match": kind, "tiebreak": "not_starter"}
    start = {"row": ROW, "options": options, "direction": "left", "tavern": 8, "opener": 0}
    seats = [{"dice": [1, 2]}, {"dice": [1, 2]}]
    match = Match(GAME, 2, options, state=GAME.notation.parse_position({**start, "seats": seats}))
    match.act(0, moves.Shanghai())
    counted = [event for event in match.events() if isinstance(event, GameCounted)]
    assert [(event.points, event.winner) for event in counted] == [((0, 0), winner)]


def test_refusals_say_why() -> None:
    match = play(Match(GAME, 2, {"first_starter": 0}), 1, 6)
    with pytest.raises(NotYourTurn, match="seat 0"):
        match.act(1, moves.Roll())
    with pytest.raises(IllegalMove, match="you need at least two of your dice on cards"):
        match.act(0, moves.Shanghai())
    match.act(0, moves.Roll())
    match.land(moves.Fall(2, 4))
    with pytest.raises(IllegalMove, match="add left or right"):
        match.act(0, moves.Place(2))
    with pytest.raises(IllegalMove, match="dice show 2 and 4"):
        match.act(0, match.parse("place 5 left"))
    with pytest.raises(BadText, match="not a number from 1 to 6"):
        match.parse("place 9")
    with pytest.raises(BadText, match="not a nation"):
        match.parse("joker polkadot using both")


@pytest.mark.parametrize(
    "move", ["roll", "shanghai", "place 2", "pm1 3", "joker red using both", "again", "crazy"]
)
def test_every_refusal_during_an_objection_names_the_objection(move: str) -> None:
    s = GAME.notation.parse_position(
        {
            "row": ROW,
            "options": {"crazy_captain": True},
            "direction": "left",
            "phase": "objection",
            "rolled": [2, 4],
            "named": 4,
            "seats": [{"dice": [1, 2]}, {"dice": [1, 2], "trick_spent": True, "crazy_captain_played": True}],
        }
    )
    match = Match(GAME, state=s)
    with pytest.raises(IllegalMove, match="the other player wants to lay the 4; object, or let it pass"):
        match.act(1, match.parse(move))


@pytest.mark.parametrize("move", ["roll", "shanghai", "place 2", "place 2 left", "pm1 3", "allow"])
def test_every_refusal_before_the_choice_of_direction_asks_for_the_choice(move: str) -> None:
    match = play(Match(GAME, 2, {"first_starter": 0, "direction_timing": "after_first_roll"}), 1, 6)
    match.act(0, moves.Roll())
    match.land(moves.Fall(2, 4))
    with pytest.raises(IllegalMove, match="choose at which end of the row card 1 lies"):
        match.act(0, match.parse(move))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"trick_split": "3/3/3"}, "add up to 8"),
        ({"trick_split": "9/-1/0"}, "add up to 8"),
        ({"match": "best_of_five"}, "best_of_three"),
        ({"sharks_exchange": "perhaps"}, "on or off"),
        ({"start_trick": 3}, "pm1"),
    ],
)
def test_impossible_options_are_refused(given: dict[str, object], reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        GAME.settle(2, given)


ROW = ["red 1", "lightblue 1", "darkblue 1", "yellow 1", "orange 1", "purple 1"]


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ({"seats": [{}]}, "seats", "two seats"),
        ({"seats": [{}, {}], "row": ["red 1", "red 1", *ROW[2:]]}, "row[1]", "only one card"),
        (
            {"seats": [{}, {"crew": {"red": {"sailors": [3, 3, 3]}}}], "row": ROW},
            "seats[1].crew.red",
            "only 2",
        ),
        (
            {"seats": [{"dice": [1, 2, 3, 4, 5, 6, 6]}, {}], "row": ROW, "direction": "left"},
            "seats[0].dice",
            "six dice",
        ),
        (
            {
                "seats": [{"dice": [1] * 5}, {}],
                "row": ROW,
                "direction": "left",
                "phase": "rolled",
                "rolled": [1, 2],
            },
            "rolled",
            "can't roll two",
        ),
        ({"seats": [{"dice": [1]}, {}], "row": ROW}, "direction", "left or right"),
        ({"seats": [{}, {}], "row": ROW[:5]}, "row", "needs six"),
        ({"seats": [{}, {}], "row": ROW, "phase": "asleep"}, "phase", "choose one of"),
        ({"seats": [{}, {}], "row": [*ROW[:5], "pink 1"]}, "row[5]", "not a nation"),
        (
            {"seats": [{"crew": {"red": {"jokers": ["both"]}}}, {}], "row": ROW},
            "seats[0].crew.red",
            "at least one",
        ),
        ({"seats": [{}, {}], "row": ROW, "moon": 1}, "", "moon"),
        ({"seats": [{}, {}], "row": ROW, "options": {"match": "no"}}, "options.match", "single"),
        ({"seats": "none", "row": ROW}, "seats", "must be a list, not a text"),
    ],
)
def test_impossible_positions_are_refused(text: dict[str, object], place: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason) as refused:
        notation.parse_position(text)
    assert refused.value.place == place


@pytest.mark.parametrize(
    ("action", "number"),
    [
        (moves.Roll(), state.ROLL),
        (moves.Shanghai(), state.SHANGHAI),
        (moves.Direct(End.RIGHT), state.DIRECT + 1),
        (moves.Reroll(), state.REROLL),
        (moves.Place(3), state.PLACE + 2),
        (moves.Place(3, End.RIGHT), state.PLACE + 6 * state.RIGHT + 2),
        (moves.Nudge(1), state.NUDGE),
        (moves.PlaceBoth(End.LEFT), state.PLACE_BOTH + state.LEFT),
        (moves.RollAgain(), state.ROLL_AGAIN),
        (moves.Joker(Nation.ITALIAN, Trick.AGAIN), state.JOKER + 3 * 7 + state.AGAIN),
        (moves.Sharks(6, End.LEFT), state.SHARKS + 6 * state.LEFT + 5),
        (moves.Exchange(2), state.EXCHANGE + 1),
        (moves.CrazyCaptain(), state.PLAY_CRAZY),
        (moves.Object(), state.OBJECT),
        (moves.Allow(), state.ALLOW),
    ],
)
def test_actions_have_the_numbers_of_the_kernels(action: moves.Action, number: int) -> None:
    assert moves.encode(action) == (number,)
    assert moves.decode(number) == action
    assert len(moves.TABLE) == state.ACTIONS


def test_outcomes_have_the_numbers_of_the_kernels() -> None:
    assert moves.encode_chance(moves.Deal(TrickCard(Trick.BOTH))) == state.DEAL + state.SAILORS + state.BOTH
    assert moves.encode_chance(moves.Starter(1)) == state.STARTER + 1
    assert moves.encode_chance(moves.Fall(2, 4)) == state.FALL + state.PAIR_OF[2, 4]
    assert len(moves.OUTCOMES) == state.OUTCOMES


@given(st.sampled_from(moves.TABLE.values), st.booleans())
def test_a_written_move_is_read_back_unchanged(action: moves.Action, shout: bool) -> None:
    text = notation.write(action)
    assert notation.parse(text.upper() if shout else text) == action


@given(st.text(max_size=40))
def test_any_text_is_a_move_or_refused_in_a_sentence(text: str) -> None:
    try:
        action = notation.parse(text)
    except BadText as refused:
        reason = refused.reason
    else:
        reason = notation.write(action)
    assert reason


@settings(max_examples=150)
@given(st.lists(st.integers(1, 6), max_size=6), st.lists(st.integers(1, 6), max_size=6))
def test_each_card_goes_to_the_seat_that_the_rule_names(
    mine: list[int], theirs: list[int]
) -> None:  # S-R14, S-R15
    text = {
        "row": ROW,
        "direction": "left" if mine or theirs else None,
        "seats": [{"dice": mine}, {"dice": theirs}],
    }
    table = notation.parse_position(text)
    for card in range(1, 7):
        a, b = mine.count(card), theirs.count(card)
        if a == b:
            near = (card - 1, card + 1)
            a, b = (sum(d for d in dice if d in near) if a else 0 for dice in (mine, theirs))
        expected = 0 if a > b else 1 if b > a else state.NOTHING
        assert taker(table, card - 1) == expected


@given(
    st.lists(st.sampled_from([1, 2, 3, 3, 4]), max_size=5), st.lists(st.sampled_from([1, 2, 4]), max_size=3)
)
def test_the_stronger_crew_gets_the_sum_of_the_weaker(mine: list[int], theirs: list[int]) -> None:  # S-R25
    a, b = sum(mine), sum(theirs)
    paid = (gain(a, b), gain(b, a))
    if a and b:
        assert sum(paid) == (0 if a == b else min(a, b))
        assert paid[a < b] == max(paid)
    else:
        assert paid == (a, b)
