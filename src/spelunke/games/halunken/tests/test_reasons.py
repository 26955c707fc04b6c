"""The sentences for and against a move are true: those about points, robbing and cancelled cards."""

from __future__ import annotations

import random
import re

import pytest

from spelunke.core.words import plain
from spelunke.games.explaining import Against, InFavour
from spelunke.games.halunken import GAME, moves, notation
from spelunke.games.halunken.cards import Step
from spelunke.games.halunken.reasons import reasons
from spelunke.games.halunken.state import FIELDS
from spelunke.games.halunken.view import View, reckon
from spelunke.games.match import Match
from spelunke.house.study.teller import compare
from walks import step

NAMES = ("Anna", "Ben", "Cleo", "Dirk")


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"tactical_bj_34": True}),
        (3, {"rob_count": "before"}),
        (4, {}),
    ],
)
def test_the_reasons_for_each_legal_action_are_true(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(seats)
    for _game in range(4):
        match = Match(GAME, seats, options)
        while not match.over:
            if not match.chance:
                for seat in match.actors:
                    view = match.view(seat)
                    for action in match.legal(seat):
                        said = reasons(action, view, NAMES, plain)
                        assert not any("worth -" in sentence for sentence in said)
                        _check(action, view, seat, said, after=options.get("rob_count") != "before")
            step(match, rng)


@pytest.mark.parametrize(
    ("number", "there"), [(1, "Top sailor there now: red 8."), (2, "The tavern there is empty.")]
)
def test_an_unhired_black_jack_with_rum_walks_as_far_as_the_opener_says(
    number: int, there: str
) -> None:  # H-C5
    """The reasons name the field and its top sailor, even if a captain is on the field.

    They do not say who gets the sailor.
    """
    options = {"bj2_rum_unhired": "opener_chooses"}
    position: dict[str, object] = {
        "phase": "naming",
        "options": options,
        "opener": 1,
        "seats": [
            {"captain": 5, "crew": ["grey 5"], "laid": 4},
            {"captain": 9, "crew": ["grey 6"], "laid": 5},
        ],
        "jack": {"field": 4, "laid": "rum"},
        "taverns": {"5": "red 8"},
    }
    match = Match(GAME, 2, options, state=notation.parse_position(position))
    assert reasons(moves.Name(number), match.view(1), NAMES, plain) == (
        f"Leads to field {4 + number}.",
        there,
    )


@pytest.mark.parametrize(
    ("card", "hiring"),
    [
        (3, "If you hire Black Jack, he lays his last card, the 3, and can rob for you."),
        ("rum", "If you hire Black Jack, you choose how far he goes, and he can rob for you."),
    ],
)
def test_chance_does_not_choose_black_jacks_last_card(card: Step, hiring: str) -> None:
    used = [one for one in (1, 2, 3, 4, 5, 6, 7, "rum") if one != card]
    position: dict[str, object] = {
        "phase": "bidding",
        "opener": 1,
        "turn": 1,
        "seats": [
            {"captain": 5, "crew": ["grey 5"], "used": used},
            {"captain": 9, "crew": ["grey 6"], "used": used},
        ],
        "jack": {"field": 4, "used": used},
    }
    match = Match(GAME, 2, state=notation.parse_position(position))
    bid = next(action for action in match.legal(1) if isinstance(action, moves.Bid))
    last = "Rum" if card == "rum" else card
    assert reasons(moves.Pass(), match.view(1), NAMES, plain) == (
        f"If nobody hires Black Jack, he lays the only card that he has left: {last}.",
    )
    assert reasons(bid, match.view(1), NAMES, plain)[1] == hiring


def test_a_number_for_rum_tells_who_comes_later_and_could_rob() -> None:
    position: dict[str, object] = {
        "phase": "naming",
        "options": {"mode": "beginner"},
        "seats": [
            {"captain": 4, "crew": ["yellow 12"], "laid": "rum"},
            {"captain": 3, "crew": ["grey 10"], "laid": 7},
            {"captain": 13, "crew": ["red 5"], "laid": 1},
        ],
        "taverns": {"7": "yellow 5 +2", "10": "yellow 6 +2"},
    }
    match = Match(GAME, 3, {"mode": "beginner"}, state=notation.parse_position(position))
    far = reasons(moves.Name(6), match.view(0), NAMES, plain)
    near = reasons(moves.Name(3), match.view(0), NAMES, plain)
    threat = Against("Ben moves to field 10 later, and could rob you.")
    assert "Your crew would be worth 12 more." in far
    assert threat in far
    assert threat not in near
    kept, drawbacks = compare(near, far)
    assert drawbacks == [threat]
    assert not any("worth" in one for one in kept), "the played move brings more points"
    assert "Your crew would be worth 12 more." in compare(far, near)[0]


def _check(action: moves.Action, view: View, seat: int, said: tuple[str, ...], *, after: bool) -> None:
    crew = view.crews[seat]
    for sentence in said:
        if sentence.startswith("Your crew would be worth"):
            lost, same = sentence.endswith("less."), " 0 " in sentence
            assert type(sentence) is (Against if lost else str if same else InFavour)
    match action:
        case moves.Bid(sailor) | moves.Give(sailor):
            left = reckon(one for one in crew.sailors if one != sailor).worth
            assert said[0] == _worth(left - crew.worth)
            gains = [one for one in said[1:] if one.startswith("If you hire") and type(one) is InFavour]
            assert len(gains) == len(said) - 1 == isinstance(action, moves.Bid)
        case moves.Pass():
            hirer = None if view.bidder is None else NAMES[view.bidder]
            assert [hirer is not None and hirer in one for one in said] == [hirer is not None]
            assert type(said[0]) is (str if hirer is None else Against)
        case moves.Fish(sailor) | moves.Rob(sailor):
            assert said[0] == _worth(reckon((*crew.sailors, sailor)).worth - crew.worth)
        case moves.ChooseJack() if view.mode == "standard":
            assert all(re.fullmatch(FURTHER, sentence) for sentence in said), (
                "he takes no sailor from a tavern"
            )
        case moves.Choose(card):
            figures = [*view.captains, *([view.jack] if view.mode == "two_player" else [])]
            rivals = [one for one in figures if one is not None and one is not view.captains[seat]]
            alone = "Nobody can cancel this card" if card == "rum" else "Nobody else has this card"
            held = any(card in one.left for one in rivals)
            assert any(sentence.startswith(alone) for sentence in said) != held
            if card != "rum":
                _check_robbing(view, seat, card, said, after=after)


FURTHER = r"It leads to field \d+, or further if a captain stands there\."


def _worth(change: int) -> str:
    return f"Your crew would be worth {abs(change)} {'less' if change < 0 else 'more'}."


def _check_robbing(view: View, seat: int, card: int, said: tuple[str, ...], *, after: bool) -> None:
    """Check the sentences about the captains on the field to which a card leads.

    If ``after`` is true, the sizes of the crews are compared after the mover has taken the tavern's sailor. Otherwise,
    they are compared before (H-A5).
    """
    start = view.captains[seat].field
    assert start is not None
    field = (start + card) % FIELDS
    mine = len(view.crews[seat].sailors)
    then = mine + (after and view.taverns[field].top is not None)
    for other, captain in enumerate(view.captains):
        theirs = len(view.crews[other].sailors)
        told = [sentence for sentence in said if sentence.startswith(f"{NAMES[other]} stands there")]
        if other == seat or captain.field != field or not theirs:
            assert not told
        elif "could be robbed" in told[0]:
            assert then <= theirs
        elif "only if they get a sailor" in told[0]:
            assert then == theirs + 1 == mine + 1
        else:
            assert mine > theirs
