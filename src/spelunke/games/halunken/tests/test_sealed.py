"""Other seats learn nothing about a sealed choice, and the seat that made the choice can change it."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from spelunke.core.errors import IllegalMove, NotYourTurn
from spelunke.core.kernel import copy
from spelunke.games.halunken import GAME, moves, notation, state, view
from spelunke.games.halunken.cards import sailor_of
from spelunke.games.halunken.sailors import sailors_of
from spelunke.games.halunken.state import CHOOSING, JACK
from spelunke.games.halunken.tests.playing import each_table, play_to, step
from spelunke.games.match import Match


def seal_somebody(match: Match, rng: random.Random) -> None:
    """Let some seats seal cards, but leave out the last choice: it would reveal all cards."""
    for _ in range(rng.randrange(1, 4)):
        open_now = [(seat, a) for seat in match.actors for a in match.legal(seat)]
        last = len(match.actors) == 1 and len({type(a) for _, a in open_now}) == 1
        if not last:
            match.act(*rng.choice(open_now))


@each_table
def test_a_viewer_gets_the_same_bytes_for_any_cards_sealed_by_others(
    seats: int, options: dict[str, object]
) -> None:
    rng = random.Random(f"secrets {seats} {options}")
    match = Match(GAME, seats, options)
    compared = 0
    out = np.zeros((2, view.FEATURES), np.float32)
    while play_to(match, rng, CHOOSING):
        seal_somebody(match, rng)
        for viewer in (None, *range(seats)):
            other = copy(match.state)
            changed = False
            for figure in (*range(seats), JACK):
                owner = int(match.state.hirer) if figure == JACK else figure
                if other.sealed[figure] and owner != viewer:
                    hand = [c for c in range(1, 9) if int(other.cards[figure]) >> c - 1 & 1]
                    swap = rng.choice(hand)
                    changed |= swap != other.sealed[figure]
                    other.sealed[figure] = swap
            twin = Match(GAME, seats, options, state=other)
            assert msgspec.json.encode(twin.view(viewer)) == msgspec.json.encode(match.view(viewer))
            assert twin.actors == match.actors
            if viewer is not None:
                assert twin.legal(viewer) == match.legal(viewer)
                assert twin.revisions(viewer) == match.revisions(viewer)
                for k, s in enumerate((match.state, other)):
                    view.features(s, viewer, out[k])
                assert out[0].tobytes() == out[1].tobytes()
            compared += changed
    assert compared > 5


@each_table
def test_other_seats_see_only_that_a_seat_has_sealed_a_card(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(f"tell {seats}")
    match = Match(GAME, seats, options)
    heard = 0
    for _ in range(5):
        assert play_to(match, rng, CHOOSING)
        seat = match.actors[0]
        before = copy(match.state)
        for action in match.legal(seat):
            trial = Match(GAME, seats, options, state=before)
            trial.act(seat, action)
            if trial.state.phase != CHOOSING:
                continue
            others = [v for v in (None, *range(seats)) if v != seat]
            told = {msgspec.json.encode(trial.events_of(0, viewer)) for viewer in others}
            assert len(told) == 1
            (text,) = told
            assert text in (b"[]", msgspec.json.encode([{"type": "ready", "seat": seat, "ready": True}]))
            assert len(trial.events_of(0, seat)) >= 1
            heard += 1
            for change in trial.revisions(seat):
                again = Match(GAME, seats, options, state=copy(trial.state))
                again.act(seat, change)
                if isinstance(change, moves.TakeBack):
                    continue
                assert not [e for v in others for e in again.events_of(0, v)]
    assert heard > 10


@each_table
def test_the_state_stores_no_order_of_the_unseen_sailors(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(f"piles {seats}")
    match = Match(GAME, seats, options)
    assert play_to(match, rng, CHOOSING)
    assert "order" not in match.state.dtype.names
    assert len(match.view(0).unseen) == match.state.dark
    # The next sailor can be any of the unseen ones: no order exists that could leak.
    turned = 0
    while not match.over:
        if match.chance and isinstance(match.chances()[0][0], moves.Seen):
            assert {chance.sailor for chance, _ in match.chances()} == {
                sailor_of(number) for number in sailors_of(match.state.unseen)
            }
            assert {weight for _, weight in match.chances()} == {1}
            turned += 1
        step(match, rng)
    assert turned > 5


def test_a_seat_may_change_a_sealed_card_until_all_seats_have_sealed() -> None:  # H-C4
    match = Match(GAME, 3, {"mode": "beginner"})
    rng = random.Random(1)
    play_to(match, rng, CHOOSING)
    assert match.revisions(0) == ()
    match.act(0, moves.Choose(3))
    assert match.actors == (1, 2)
    assert match.legal(0) == ()
    assert match.view(0).sealed == 3
    assert match.view(1).sealed is None
    assert match.view(1).ready == (True, False, False)
    with pytest.raises(IllegalMove):
        match.act(0, moves.Choose(3))
    match.act(0, moves.Choose(5))
    match.act(0, moves.TakeBack())
    assert match.actors == (0, 1, 2)
    with pytest.raises(IllegalMove, match="there is no card to take back"):
        match.act(0, moves.TakeBack())
    match.act(0, moves.Choose("rum"))
    match.act(2, moves.Choose(1))
    match.act(1, moves.Choose(2))
    with pytest.raises((NotYourTurn, IllegalMove)):
        match.act(2, moves.TakeBack())


def test_the_hirer_of_two_seals_two_cards_in_any_order() -> None:  # H-C4
    start = {
        "phase": "choosing",
        "hirer": 0,
        "seats": [{"captain": 0}, {"captain": 5}],
        "jack": {"field": 9},
    }
    for first, second in (("jack 4", "card 2"), ("card 2", "jack 4")):
        match = Match(GAME, 2, state=notation.parse_position(start))
        match.act(0, match.parse(first))
        assert match.view(None).ready == (False, False)
        assert match.actors == (0, 1)
        match.act(0, match.parse(second))
        assert match.view(None).ready == (True, False)
        assert match.view(0).sealed_jack == 4
        assert match.view(1).sealed_jack is None
        match.act(0, match.parse("jack 6"))
        match.act(0, match.parse("take back jack"))
        assert match.actors == (0, 1)
        match.act(0, match.parse("jack rum"))
        match.act(1, match.parse("card 7"))
        assert match.state.phase == state.NAMING
        assert match.texts(0) == ("rum 1", "rum 3", "rum 4", "rum 5", "rum 6")
