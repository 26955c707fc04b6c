"""Each event occurs in play, reaches only the viewers that may see it, and has a sentence."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from spelunke.core.contract import ALL
from spelunke.core.words import plain
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, events, happenings, moves, notation
from spelunke.games.sanghai.cards import make_run, make_set

from .positions import at_window, play

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil")
RUN = make_run(("4d", "*", "6d", "7d"), "d", 4)
SET = make_set(("7s", "7h", "*"))
SAID: tuple[tuple[happenings.Event, str], ...] = (
    (happenings.DealerChosen(2), "Carla deals first."),
    (happenings.Dealt(0, None), "Anna is dealt a card."),
    (happenings.Dealt(0, "10h"), "Anna is dealt 10♥."),
    (happenings.RoundBegins(6, 1, 2, 4, 1), "Round 6: 1 set and 2 runs. Bert begins."),
    (happenings.RoundBegins(5, 1, 1, 7, 1), "Round 5: 1 set and 1 run of 7. Bert begins."),
    (happenings.Declined(1), "Bert draws from the stock."),
    (happenings.Drew(1, None, "turn"), "Bert draws a card."),
    (happenings.Drew(1, "*", "turn"), "Bert draws joker."),
    (happenings.Drew(1, None, "hep"), "Bert draws a penalty card for the call."),
    (happenings.Drew(1, "as", "hep"), "Bert draws A♠ as a penalty card for the call."),
    (happenings.NothingDrawn(3), "There is nothing left for Dora to draw."),
    (happenings.Took(0, "kd"), "Anna takes K♦."),
    (happenings.Called(0, "kd", False), "Anna calls hep for K♦."),
    (happenings.Called(0, "kd", True), "Anna calls hep for K♦ at the same time as another player."),
    (happenings.Passed(0), "Anna passes."),
    (happenings.AllAnswered(1), "All have answered: Bert may draw."),
    (happenings.VoteCast(0, 2), "Anna votes for Carla."),
    (happenings.VotesCounted(((0, 2), (1, 3))), "The votes: Anna → Carla, Bert → Dora."),
    (happenings.HepWon(2, "7s", 2), "Carla gets 7♠ by hep (calls won this round: 2)."),
    (happenings.CardStays("7s"), "Nobody gets 7♠."),
    (happenings.Reshuffled(31), "The discards are shuffled into a new stock: 31 cards."),
    (happenings.Laid(0, ((1, SET), (2, RUN))), "Anna lays 1: 7♠ 7♥ joker, 2: 4♦ joker (5♦) 6♦ 7♦."),
    (happenings.Stepped(0, 1, None), "Anna begins meld 1."),
    (happenings.Stepped(0, 1, "7s"), "Anna puts 7♠ into meld 1."),
    (happenings.Added(0, "8d", 2, None), "Anna adds 8♦ to meld 2."),
    (happenings.Added(0, "*", 2, "3d"), "Anna adds joker to meld 2 as 3♦."),
    (happenings.Swapped(0, "5d", 2, "*"), "Anna swaps 5♦ into meld 2 and takes joker."),
    (happenings.Discarded(0, "2c", 4), "Anna discards 2♣."),
    (happenings.Discarded(0, "2c", 0), "Anna discards 2♣, their last card!"),
    (
        happenings.RoundScored(1, 0, (0, 9), (0, 9), ((), ("9c",)), "out"),
        "Anna wins round 1. Anna: 0, Bert: 9.",
    ),
    (
        happenings.RoundScored(1, None, (2, 9), (2, 9), (("2c",), ("9c",)), "stock"),
        "Round 1 ends: the stock is empty, and the discards can't be shuffled again. Anna: 2, Bert: 9.",
    ),
    (
        happenings.RoundScored(1, None, (2, 9), (2, 9), (("2c",), ("9c",)), "turns"),
        "Round 1 ends: it has lasted too long. Anna: 2, Bert: 9.",
    ),
)


@pytest.mark.parametrize(("event", "sentence"), SAID, ids=[sentence for _, sentence in SAID])
def test_an_event_is_one_sentence(event: happenings.Event, sentence: str) -> None:
    assert events.say(event, NAMES, plain) == sentence


def turn_with(hand: str, lap: int = 2, **more: object) -> Match:
    position = {
        "round": lap,
        "finished": [{"points": [0] * 4}] * (lap - 1),
        "turn": 0,
        "seats": [{"hand": hand}, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}],
        **more,
    }
    return Match(GAME, 4, more.get("options", {}), state=notation.parse_position(position))


def scenes() -> list[Match]:
    """Return short games that contain every kind of event."""
    start = Match(GAME, 4)
    while start.chance:
        start.land(start.chances()[0][0])
    play(start, "1: stock")
    start.land(start.chances()[0][0])
    vote = play(at_window(5, hep_tie="vote"), "2: hep", "3: hep tied", "4: pass", "1: stock")
    play(vote, "0: vote 3", "1: vote 4", "4: vote 3")
    stays = play(
        at_window(5, hep_tie="nobody", hep_penalty=1), "2: hep", "3: hep tied", "4: pass", "1: stock"
    )
    penalty = play(
        at_window(5, hep_penalty=1), "2: hep", "3: pass", "4: pass", "1: stock", "card 4h", "card 5h"
    )
    taken = play(at_window(5), "2: pass", "3: pass", "4: pass", "1: take")
    lay = turn_with("7s 7h 7c 4d * 6d 7d 8d 5d 3d 2s", options={"joker_swap": True})
    play(lay, "0: lay 7s 7h 7c | 4d * 6d 7d", "0: add 8d to 2", "0: swap 5d into 2", "0: add * to 2 as 9d")
    play(lay, "0: discard 2s")
    steps = turn_with("7s 7h 7c 4d 5d 6d 7d 2s")
    while not steps.view(0).laid[0]:
        steps.act(0, next(a for a in steps.legal(0) if not isinstance(a, moves.Discard)))
    shuffle = Match(
        GAME,
        4,
        state=notation.parse_position(
            {
                "phase": "window",
                "turn": 1,
                "pile": "3h 4h 5h 7s",
                "stock": "",
                "seats": [{"hand": "2c 3c"}, {"hand": "4c"}, {"hand": "6c"}, {"hand": "8c"}],
            }
        ),
    )
    play(shuffle, "2: pass", "3: pass", "1: stock")
    empty_state = shuffle.state_at(0)
    empty_state.pile[:] = 0
    empty_state.pile[6] = 1
    empty_state.piled, empty_state.under = 1, -1
    empty = play(Match(GAME, 4, state=empty_state), "2: pass", "3: pass", "1: stock", "1: discard 4c")
    return [start, vote, stays, penalty, taken, lay, steps, shuffle, empty]


def test_every_kind_of_event_happens_and_has_a_sentence() -> None:
    kinds = set(get_args(happenings.Event))
    happened: set[type] = set()
    for match in scenes():
        for viewer in (ALL, None, *range(match.seats)):
            for event in match.events(viewer):
                happened.add(type(event))
                assert events.say(event, NAMES, plain).strip().endswith((".", "!"))
    assert happened == kinds, "an event that never happens, or happens untold"
    assert {type(event) for event, _ in SAID} == kinds, "an event whose sentence no test reads"


def test_melds_laid_card_by_card_are_reported_when_complete() -> None:
    steps = turn_with("7s 7h 7c 4d 5d 6d 7d 2s")
    while not steps.view(0).laid[0]:
        steps.act(0, next(a for a in steps.legal(0) if not isinstance(a, moves.Discard)))
    told = steps.events(ALL)
    loud = [events.say(event, NAMES, plain) for event in told if not event.detail]
    assert loud == ["Anna lays 1: 7♠ 7♥ 7♣.", "Anna lays 2: 4♦–7♦."]
    assert [event.meld for event in told if isinstance(event, happenings.Stepped) and event.card is None] == [
        1,
        2,
    ]


def test_only_the_player_on_turn_learns_that_all_have_answered() -> None:
    match = play(at_window(5), "2: pass", "4: pass")
    assert not any(
        isinstance(e, happenings.AllAnswered) for seat in (None, *range(5)) for e in match.events(seat)
    )
    play(match, "3: pass")
    told = {seat: match.events_of(2, seat) for seat in (None, 0, 1, 2, 3, 4)}
    assert told == {
        None: (),
        0: (),
        1: (happenings.AllAnswered(1),),
        2: (),
        3: (happenings.Passed(3),),
        4: (),
    }
    assert match.events_of(2, ALL) == (happenings.Passed(3),)
    assert match.view(1).answered
    assert not match.view(0).answered


def test_all_seats_learn_that_a_sealed_window_ended_without_a_call() -> None:
    match = play(at_window(4, hep_window="sequenced"), "3: pass", "2: pass")
    for seat in (None, 0, 1):
        assert match.events_of(1, seat) == (happenings.AllAnswered(1),)
    assert match.events_of(1, 2) == (happenings.Passed(2), happenings.AllAnswered(1))
    called = play(at_window(4, hep_window="sequenced"), "3: hep", "2: pass")
    assert called.events_of(1, 0) == (happenings.Called(3, "7s", False),)
    assert called.events_of(1, 2) == (happenings.Passed(2), happenings.Called(3, "7s", False))
    assert called.events_of(1, 3) == (happenings.AllAnswered(1),)  # nobody else called


@pytest.mark.parametrize("answers", [("hep", "hep", "hep"), ("hep", "pass", "hep"), ("hep", "hep", "pass")])
def test_every_viewer_receives_each_call_once(answers: tuple[str, ...]) -> None:
    order = [2, 3, 4]
    for window in ("live", "sequenced"):
        for seed in range(6):
            random.Random(seed).shuffle(order)
            match = at_window(5, hep_window=window, hep_tie="seat_order")
            for seat, answer in zip(order, answers, strict=True):
                match.act(seat, match.parse(answer))
            play(match, "1: stock", "card 4h")
            callers = sorted(seat for seat, answer in zip(order, answers, strict=True) if answer == "hep")
            for viewer in (None, ALL, *range(5)):
                heard = [e.seat for e in match.events(viewer) if isinstance(e, happenings.Called)]
                assert sorted(heard) == callers, (window, viewer)
