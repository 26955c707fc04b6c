"""What examples can't tell: secrets, options, refusals, counts over whole games."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.chance import seed_stream
from spelunke.core.contract import ALL
from spelunke.core.errors import BadInput, BadOption, BadPosition, BadText, IllegalMove, NotYourTurn
from spelunke.core.kernel import bind, copy, pool
from spelunke.core.match import Match
from spelunke.games.halunken import GAME, moves, notation, rules, state, view
from spelunke.games.halunken.cards import ALL_SAILORS, sailor_of
from spelunke.games.halunken.sailors import FULL, sailors_of, size_of, worth_of
from spelunke.games.halunken.state import CHOOSING, JACK

TABLES: list[tuple[int, dict[str, Any]]] = [
    (3, {}),
    (4, {}),
    (2, {}),
    (3, {"mode": "beginner"}),
    (4, {"mode": "beginner", "auto_place": True}),
    (2, {"mode": "beginner", "two_player_beginner": True}),
    (3, {"tactical_bj_34": True, "tiebreak": "cards"}),
    (4, {"bj_peek": True, "rob_count": "before", "match": 3}),
    (2, {"bj2_pass_theft": True, "bj2_rum_unhired": "opener_chooses", "bid_colour_tiebreak": True}),
    (2, {"bj2_rum_unhired": "stay", "rob_count": "before"}),
]
each_table = pytest.mark.parametrize(("seats", "options"), TABLES)
MOVED = (state.NAMING, state.FALLING, state.OPENING, state.LANDED, state.PASSING, state.PICKING)


def step(match: Match, rng: random.Random, *, changes: bool = False) -> None:
    if match.chance:
        found = match.chances()
        match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
        return
    choices = [(seat, action) for seat in match.actors for action in match.legal(seat)]
    if changes and rng.random() < 0.3:
        choices = [(s, a) for s in range(match.seats) for a in match.revisions(s)] or choices
    match.act(*rng.choice(choices))


def play_to(match: Match, rng: random.Random, phase: int, times: int = 1) -> bool:
    """Play until the phase has come that often; False when the match ends before."""
    while not match.over:
        step(match, rng)
        if match.state.phase == phase:
            times -= 1
            if times == 0:
                return True
    return False


def test_the_sailors() -> None:  # H-R2, H-A1
    assert len(ALL_SAILORS) == 42
    per_colour = {
        c: [s.value for s in ALL_SAILORS if s.colour == c] for c in ("yellow", "grey", "violet", "red")
    }
    assert {c: sum(v) for c, v in per_colour.items()} == {"yellow": 78, "grey": 78, "violet": 77, "red": 75}
    assert per_colour["red"] == [4, 5, 6, 7, 8, 9, 10, 11, 15]


def test_the_codec_and_the_kernels_number_alike() -> None:
    first = {
        moves.Pass: state.PASS,
        moves.Bid: state.BID,
        moves.Choose: state.CARD,
        moves.ChooseJack: state.JACK_CARD,
        moves.TakeBack: state.TAKE_BACK,
        moves.Name: state.NAME,
        moves.Rob: state.ROB,
        moves.Fish: state.FISH,
        moves.Give: state.GIVE,
        moves.Decline: state.DECLINE,
    }
    for kind, number in first.items():
        assert isinstance(moves.ACTION_CODEC.values[number], kind)
        assert not isinstance(moves.ACTION_CODEC.values[number - 1], kind)
    assert len(moves.ACTION_CODEC.values) == rules.ACTIONS == len(set(moves.ACTION_CODEC.values))
    assert moves.ACTION_CODEC.values[state.JACK_CARD + state.JACK_RUM] == moves.ChooseJack("rum")
    assert moves.CHANCE_CODEC.values[state.FLIPPED + state.JACK_RUM] == moves.Flip("rum")
    assert moves.CHANCE_CODEC.values[state.SEEN] == moves.Seen(sailor_of(0))
    assert moves.CHANCE_CODEC.values[state.FALLS] == moves.Falls(1)
    assert len(moves.CHANCE_CODEC.values) == rules.OUTCOMES == len(set(moves.CHANCE_CODEC.values))


@each_table
def test_every_sailor_is_in_one_place(seats: int, options: dict[str, Any]) -> None:  # H-T18
    rng = random.Random(f"places {seats} {options}")
    match = Match(GAME, seats, options)
    flips = 0
    while not match.over:
        step(match, rng)
        s = match.state
        flips += isinstance(match.plies[-1].deed, moves.Flip)
        where = [int(top) for top in s.top if top >= 0]
        for masks in (*s.crew[:seats], s.harbour, s.unseen):
            where += sailors_of(masks)
        assert sorted(where) == list(range(42))
        assert s.under.sum() == s.dark == size_of(s.unseen)
        assert s.afloat == size_of(s.harbour)
        assert [int(n) for n in s.hands[:seats]] == [size_of(s.crew[seat]) for seat in range(seats)]
        if s.phase in (state.HIDING, state.CHOOSING) and s.hour == 0 and s.afloat == 0 and s.hirer < 0:
            assert (s.top >= 0).sum() + s.under.sum() == 42 - seats
        standing = [int(f) for f in s.field if f >= 0]
        assert len(set(standing)) >= len(standing) - (s.phase in MOVED)
    if match.state.options[state.MODE] == state.STANDARD and not options.get("tactical_bj_34"):
        assert flips == 8 * (3 if match.state.options[state.MATCH] else 1)
        assert size_of(np.array([match.state.cards[JACK], 0, 0, 0])) == 4  # H-A2


@each_table
def test_every_captain_uses_each_card_once(seats: int, options: dict[str, Any]) -> None:  # H-R7, H-R14
    match = Match(GAME, seats, options)
    rng = random.Random(3)
    while not match.over:
        step(match, rng, changes=True)
    assert not match.state.cards[:seats].any()
    assert match.outcome is not None
    assert match.state.games == (3 if match.state.options[state.MATCH] else 1)


def test_set_up_opens_each_start_card_before_the_next_captain(  # H-C1, H-A4
) -> None:
    match = Match(GAME, 3)
    match.land(moves.First(1))
    for seat in (1, 2, 0):
        assert match.actors == (seat,)
        match.act(seat, match.legal(seat)[0])
        match.land(match.chances()[0][0])
    for field in range(14):
        assert match.state.opening == field
        match.land(match.chances()[0][0])
    assert len(match.actors) == 1
    assert match.state.phase == state.HIDING


def test_options_that_do_not_fit_are_refused() -> None:
    refused: list[tuple[int, dict[str, Any], str]] = [
        (2, {"mode": "standard"}, "two_player"),
        (3, {"mode": "two_player"}, "2 players"),
        (2, {"mode": "beginner"}, "two_player_beginner"),
        (3, {"mode": "beginner", "two_player_beginner": True}, "beginner game of two"),
        (2, {"two_player_beginner": True}, "beginner game of two"),
        (3, {"bj2_pass_theft": True}, "no use"),
        (4, {"bj2_rum_unhired": "stay"}, "no use"),
        (2, {"tactical_bj_34": True}, "no use"),
        (2, {"bj_peek": True}, "no use"),
        (3, {"mode": "beginner", "bid_colour_tiebreak": True}, "no use"),
        (3, {"mode": "beginner", "bj_peek": True}, "no use"),
        (3, {"tactical_bj_34": True, "bj_peek": True}, "off"),
        (3, {"match": 2}, "1, 3"),
    ]
    for seats, options, why in refused:
        with pytest.raises(BadOption, match=why):
            GAME.settle(seats, options)
    for seats in (1, 5):
        with pytest.raises(BadInput, match="players"):
            GAME.settle(seats)
    assert GAME.settle(2)["mode"] == "two_player"
    assert GAME.settle(4)["mode"] == "standard"


def test_a_match_of_three_adds_totals_and_sets_up_anew() -> None:  # H-R23, H-C8
    match = Match(GAME, 3, {"match": 3})
    rng = random.Random(5)
    sums = np.zeros(3, int)
    crews = None
    while not match.over:
        games = int(match.state.games)
        crews = match.state.crew.copy()
        before = copy(match.state)
        step(match, rng)
        if match.state.games > games:
            told = match.events_of(match.ply - 1, ALL)[-1]
            sums += np.array(told.points)
            assert tuple(int(n) for n in match.state.total[:3]) == told.totals == tuple(sums)
            if not match.over:
                assert match.state.phase == state.FIRST
                assert match.state.dark == 42
                assert before.games == games
    assert crews is not None
    assert match.outcome is not None
    assert match.outcome.scores == tuple(sums)


# ---- sealed choices ----------------------------------------------------------------------------------------------


def seal_somebody(match: Match, rng: random.Random) -> None:
    """Some seats seal, never the last."""
    for _ in range(rng.randrange(1, 4)):
        open_now = [(seat, a) for seat in match.actors for a in match.legal(seat)]
        last = len(match.actors) == 1 and len({type(a) for _, a in open_now}) == 1
        if not last:
            match.act(*rng.choice(open_now))


@each_table
def test_what_others_sealed_changes_no_byte(seats: int, options: dict[str, Any]) -> None:
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
def test_others_hear_of_a_seal_that_a_seat_is_ready_and_nothing_else(
    seats: int, options: dict[str, Any]
) -> None:
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
def test_what_lies_under_a_pile_is_not_in_the_state(seats: int, options: dict[str, Any]) -> None:
    rng = random.Random(f"piles {seats}")
    match = Match(GAME, seats, options)
    play_to(match, rng, CHOOSING)
    seen = msgspec.json.encode(match.view(0))
    again = Match(GAME, seats, options, state=copy(match.state))
    # Whatever is turned up next has the same unseen sailors to come from: there is no order to peek at.
    assert "order" not in match.state.dtype.names
    assert msgspec.json.encode(again.view(0)) == seen
    assert len(match.view(0).unseen) == match.state.dark


def test_a_seat_changes_and_takes_back_until_the_last_is_in() -> None:  # H-C4
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
    with pytest.raises(IllegalMove, match="nothing is sealed"):
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


# ---- what is told ------------------------------------------------------------------------------------------------


@each_table
def test_the_story_of_a_ply_ends_where_the_rules_end(seats: int, options: dict[str, Any]) -> None:
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


def test_an_example_is_told_in_the_order_of_the_rules() -> None:  # H-T1
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

    told = [say(e, ("Yellow", "Red", "Blue", "Green"), str) for e in match.events(None, 3)]
    assert told == [
        "Green is ready.",
        "The cards – Yellow: Rum, Red: 3, Blue: 5, Green: 5. Equal cards: Blue and Green stay.",
        "Yellow makes the Rum a 1.",
        "Blue stays at tavern 9 and takes grey 7.",
        "Green stays at tavern 11 and takes yellow 3.",
        "Yellow goes 1 to field 4.",
        "Yellow takes violet 9.",
        "Tavern 4 now shows red 4.",
        "Yellow robs Red of red 8.",
        "Red has to give way, to field 5.",
        "Red goes 3 to field 8.",
        "Red takes yellow 12.",
        "Hour 2 begins.",
    ]


# ---- texts -------------------------------------------------------------------------------------------------------


@given(st.sampled_from(moves.ACTION_CODEC.values))
def test_moves_are_written_and_read(action: moves.Action) -> None:
    text = notation.write(action)
    assert notation.parse(text) == action
    assert notation.parse(f" {text.upper()} ") == action


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (notation.parse, notation.parse_chance):
        with contextlib.suppress(BadText):
            parse(text)


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
def test_positions_are_written_and_read(table: tuple[int, dict[str, Any]], seed: int, plies: int) -> None:
    match = Match(GAME, table[0], table[1])
    rng = random.Random(seed)
    for _ in range(plies):
        if not match.over:
            step(match, rng, changes=True)
    text = msgspec.json.decode(msgspec.json.encode(notation.write_position(match.state)))
    assert notation.parse_position(text).tobytes() == match.state.tobytes()


REFUSED: list[tuple[str, dict[str, Any], str]] = [
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
    ("seats[2].captain", {"seats": [{"captain": 0}, {"captain": 1}, {}]}, "stands on a field"),
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
        "open one on top",
    ),
    (
        "taverns.3",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "taverns": {"3": "red 4 +3"}},
        "three sailors",
    ),
    (
        "jack",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "jack": {"field": 3}},
        "no Black Jack",
    ),
    ("phase", {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "phase": "sleeping"}, "no phase"),
    (
        "phase",
        {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "phase": "bidding"},
        "no such phase",
    ),
    ("seats", {"seats": [{"captain": 0}]}, "players"),
    ("harbour", {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "harbour": ["red 4"]}, "harbour"),
    ("mover", {"seats": [{"captain": 0}, {"captain": 1}, {"captain": 2}], "mover": 1}, "on the way"),
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
    place: str, text: dict[str, Any], why: str
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


# ---- standing orders, bots, figures ------------------------------------------------------------------------------


def test_a_standing_order_bids_up_to_its_card() -> None:
    start = {
        "phase": "bidding",
        "opener": 0,
        "seats": [
            {"captain": 0, "crew": ["red 5"]},
            {"captain": 1, "crew": ["grey 6", "grey 9", "violet 11"]},
            {"captain": 2},
        ],
        "jack": {"field": 9},
    }
    match = Match(GAME, 3, state=notation.parse_position(start))
    seen = match.view(1)
    orders = {"up_to": "grey 9"}
    assert action_by_orders(orders, seen, match.legal(1)) is None
    match.act(0, match.parse("bid red 5"))
    assert action_by_orders(orders, match.view(1), match.legal(1)) == match.parse("bid grey 6")
    assert action_by_orders({"up_to": "grey 4"}, match.view(1), match.legal(1)) == moves.Pass()
    assert action_by_orders({"up_to": "pass"}, match.view(1), match.legal(1)) == moves.Pass()
    for nonsense in ({}, {"up_to": "a king's ransom"}, {"up_to": ""}, None, 7, {"up_to": 3}):
        assert action_by_orders(nonsense, match.view(1), match.legal(1)) is None


def test_the_watchman_takes_what_is_best() -> None:
    from spelunke.bots.levels import seat_bot

    start = {
        "phase": "landed",
        "options": {"mode": "beginner"},
        "mover": 0,
        "took": True,
        "seats": [
            {"captain": 5, "laid": 2, "crew": ["red 4"]},
            {"captain": 5, "laid": 7, "crew": ["red 15", "yellow 1"]},
            {"captain": 9, "laid": 1},
        ],
    }
    match = Match(GAME, 3, {"mode": "beginner"}, state=notation.parse_position(start))
    bot = seat_bot(GAME, "greedy")
    assert bot.choose(match.view(0), match.legal(0), seed_stream(1)) == match.parse("rob red 15")


@pytest.mark.parametrize(
    ("seats", "mode", "decisions", "mean"),
    [(3, "beginner", 31, 83), (4, "beginner", 42, 76), (2, "two_player", 45, 82)],
)
def test_games_are_as_long_and_as_rich_as_simulated(seats: int, mode: str, decisions: int, mean: int) -> None:
    kernels: Any = bind("spelunke.core.playout", rules.__name__)
    table = pool(rules.STATE, 1)
    setup = GAME.setup(seats, GAME.settle(seats, {"mode": mode}))
    stream = seed_stream(11)
    played = 0
    points = 0
    for _ in range(150):
        played += kernels.playouts(table, 0, setup, stream, 1)
        points += int(table[0].total.sum())
    # Random play bids more often than people do, which costs crews sailors.
    assert abs(played / 150 - decisions) < 7
    assert abs(points / 150 / seats - mean) < (6 if mode == "beginner" else 30)


def test_the_doubled_colour_is_the_owners_best() -> None:  # H-R15
    crew = np.array([FULL[0] & 0b111, FULL[1] & 0b1110, 0, 0], np.int16)
    assert worth_of(crew) == (1 + 2 + 3) + 2 * (2 + 3 + 4)
