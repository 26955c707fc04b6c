"""Melds are numbered in the order in which they were declared (N-C10), not in the order of a laying's steps."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.contract import ALL
from spelunke.core.errors import BadText, IllegalMove
from spelunke.core.words import plain
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, events, happenings, moves, notation, state
from spelunke.games.sanghai.cards import Meld, make_run, make_set

NAMES = ("Anna", "Bert", "Cleo", "Dora")
LAYINGS = (  # the round, the melds in the order of the steps, and the other cards of the hand
    (1, "7s 7h 7c | 9s 9h 9d", "kh"),
    (2, "7s 7h * | 4d-7d", "8d"),
    (3, "4d-7d | 9h-qh", "8d"),
    (4, "3s 3h 3c | 7s 7h 7c | 9s 9h 9d", "kh"),
    (5, "7s 7h 7c | 9h 9d * * | as-4s", "5s"),
    (6, "7s 7h 7c | as-4s | 4d *5d 6d 7d", "8d"),
    (8, "3s 3h 3c | 7s 7h 7c | 9s 9h 9d | js jh jc", "kh"),
)


def with_hand(hand: str, lap: int) -> Match:
    options = {"hep_limit": 5, "hep_penalty": 2, "packs": 4}
    position = {
        "options": options,
        "round": lap,
        "finished": [{"points": [0] * 4}] * (lap - 1),
        "turn": 0,
        "pile": "qc",
        "melds": [{"owner": 1, "cards": cards} for cards in ONES[lap]],
        "seats": [{"hand": hand, "heps": 3}, {"hand": "3h", "laid": True}, {"hand": "3d"}, {"hand": "4h"}],
    }
    return Match(GAME, 4, options, state=notation.parse_position(position))


# Melds that another player laid before in that round: the new melds come after these.
SETS, RUNS = ("2s 2h 2c", "5s 5h 5c", "qs qh qc", "ks kh kc"), ("9c-qc", "9s-qs", "as-4s")
ONES = {
    lap: (*SETS[: body.count("|") + 1 - runs], *RUNS[:runs])
    for (lap, body, _), runs in zip(LAYINGS, (0, 1, 2, 0, 1, 2, 0), strict=True)
}


def cards_of(body: str) -> str:
    black = [notation.parse_meld(part) for part in body.split("|")]
    return " ".join(card for meld in black for card in meld.cards)


@settings(deadline=None)
@given(st.sampled_from(LAYINGS), st.data())
def test_melds_are_numbered_in_the_declared_order(laying: tuple[int, str, str], data: st.DataObject) -> None:
    lap, body, rest = laying
    parts = data.draw(st.permutations([part.strip() for part in body.split("|")]))
    match = with_hand(f"{cards_of(body)} {rest}", lap)
    text = "lay " + " | ".join(parts)
    action = match.parse(text)
    assert notation.write(action) == text
    before = len(match.view(None).melds)
    match.act(0, action)
    seen = match.view(None).melds[before:]
    assert [entry.meld for entry in seen] == [notation.parse_meld(part) for part in parts]
    (told,) = (event for event in match.events(ALL) if isinstance(event, happenings.Laid))
    assert [number for number, _ in told.melds] == list(range(before + 1, before + 1 + len(parts)))
    assert [meld for _, meld in told.melds] == [entry.meld for entry in seen]
    again = with_hand(f"{cards_of(body)} {rest}", lap)
    again.act(0, again.parse(match.plies[-1].text))
    assert again.state.tobytes() == match.state.tobytes()
    kept = msgspec.json.decode(msgspec.json.encode(notation.write_position(match.state)))
    assert notation.parse_position(kept).tobytes() == match.state.tobytes()


@pytest.mark.parametrize(("lap", "body", "rest"), LAYINGS)
def test_the_order_of_melds_changes_only_the_numbers(lap: int, body: str, rest: str) -> None:
    parts = [part.strip() for part in body.split("|")]
    found = set()
    for order in permutations(parts):
        match = with_hand(f"{cards_of(body)} {rest}", lap)
        match.act(0, match.parse("lay " + " | ".join(order)))
        position = notation.write_position(match.state)
        melds = position.pop("melds")
        assert isinstance(melds, list)
        position["melds"] = sorted(map(str, melds))
        found.add(msgspec.json.encode(position))
    assert len(found) == 1


def test_a_card_is_added_to_the_meld_with_the_given_number() -> None:
    match = with_hand("7s 7h 7c 4d 5d 6d 7d 8d 2d", 2)
    match.act(0, match.parse("lay 4d-7d | 7s 7h 7c"))
    match.act(0, match.parse("add 8d to 3"))
    assert match.view(None).melds[2].meld.high == 8


def to_the_last_step(match: Match) -> None:
    while moves.Close() not in match.legal(0) or match.state.runs_left:
        match.act(0, next(a for a in match.legal(0) if not isinstance(a, moves.Discard)))


def test_the_last_step_of_a_laying_sets_the_order_of_the_melds() -> None:
    match = with_hand("7s 7h 7c 4d 5d 6d 7d 2d", 2)
    to_the_last_step(match)
    assert all(not getattr(action, "order", ()) for action in match.legal(0))  # perft counts one laying once
    told = match.ply
    match.act(0, match.parse("close 2 1"))
    assert [entry.meld.form for entry in match.view(None).melds[2:]] == ["run", "set"]
    loud = [events.say(event, NAMES, plain) for event in match.events(ALL, told)]
    assert loud == ["Anna lays 3: 4♦–7♦, 4: 7♠ 7♥ 7♣."]


def test_only_the_last_step_of_a_laying_can_order_the_melds() -> None:
    match = with_hand("7s 7h 7c 4d 5d 6d 7d 2d", 2)
    with pytest.raises(IllegalMove, match="last step of laying"):
        match.act(0, match.parse("close 2 1"))
    to_the_last_step(match)
    with pytest.raises(IllegalMove, match="last step"):  # this contract has two melds
        match.act(0, match.parse("close 1 3 2"))
    match.act(0, match.parse("close 1 2"))
    with pytest.raises(IllegalMove, match="last step"):
        match.act(0, match.parse("close 2 1"))
    for text in ("close 2", "close 1 1", "close 0 1", "close 5 4 3 2 1", "close x", "close 2 ²"):
        with pytest.raises(BadText, match=r"\w+ \w+"):
            match.parse(text)


def test_every_order_of_melds_has_an_action_number() -> None:
    for number in range(state.CLOSE_AS, state.ACTIONS):
        action = moves.decode(number)
        assert isinstance(action, moves.Close)
        assert moves.encode(action) == (number,)
        assert notation.parse(notation.write(action)) == action
        assert action.order[-1] != len(action.order)


SET = make_set(("7s", "7h", "7c"))
RUN = make_run(("4d", "5d", "6d", "7d"), "d", 4)
BY_HAND = (
    (make_run(("qs", "ks", "as", "*"), "s", 12), "from the ace below the 2 to the ace above the king"),
    (make_run(("qs", "ks", "as"), "s", 12), "can't begin above the jack"),
    (make_run(("as", "2s", "3s", "4s"), "s", 0), "from the ace below the 2"),
    (make_run(("4d", "5d", "6d", "7d"), "x", 4), "the next card of the same suit"),
    (Meld("run", ("4d", "5d", "6d", "7d"), RUN.stands, 5), "the next card of the same suit"),
    (Meld("run", ("4d", "5d", "6d", "7d"), RUN.stands[:3], 4), "the card that each of them stands for"),
    (Meld("run", (), (), 4), "the card that each of them stands for"),
    (Meld("run", ("4d", "5d", "6d", "zz"), RUN.stands, 4), "'zz' is not a card"),
)


@pytest.mark.parametrize(("meld", "why"), BY_HAND)
def test_a_run_that_no_cards_can_form_is_refused(meld: Meld, why: str) -> None:
    match = with_hand("7s 7h 7c 4d 5d 6d 7d js qs ks as * 2d", 2)
    before = match.state.tobytes()
    with pytest.raises(IllegalMove, match=why):
        match.act(0, moves.LayDown((SET, meld)))
    assert match.state.tobytes() == before


@pytest.mark.parametrize(
    "meld",
    [Meld("set", ("*", "*", "*"), ("*", "*", "*")), Meld("set", ("7s", "8h", "9c"), ("7s", "8h", "9c"))],
)
def test_a_set_that_no_cards_can_form_is_refused(meld: Meld) -> None:
    match = with_hand("7s 7h 7c 4d 5d 6d 7d 8h 9c * * * 2d", 2)
    with pytest.raises(IllegalMove, match="in a set, all natural cards must have the same rank"):
        match.act(0, moves.LayDown((meld, RUN)))


def test_the_order_of_cards_in_a_set_does_not_matter() -> None:
    match = with_hand("7s 7h * 4d 5d 6d 7d 2d", 2)
    ply = match.act(0, moves.LayDown((Meld("set", ("*", "7h", "7s"), ("*", "7h", "7s")), RUN)))
    assert ply.text == "lay 7s 7h * | 4d-7d"
    assert match.view(None).melds[2].meld == make_set(("7s", "7h", "*"))


def test_no_contract_has_more_than_four_melds() -> None:
    with pytest.raises(IllegalMove, match="more than 4 melds"):
        moves.encode(moves.LayDown((RUN, SET, SET, SET, SET)))
