"""Spectators watch some plies behind, from the viewpoint of a seat that allows it, or with the open hands of finished
rounds.

What they see must be the same whatever happens later or in secret.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from spelunke.core.errors import BadInput
from spelunke.games import find_game, shelf
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.house.plan import Plan
from spelunke.house.refusals import NotAllowed, NotNow
from spelunke.house.sight import Viewer
from spelunke.house.table import hides_nothing

DELAY = 7


def begin(house: Any, clockwork: Any, game: str, seats: int, **plan: Any) -> tuple[str, list[str]]:
    people = [house.people.create(f"Player {seat}").id for seat in range(seats)]
    table = house.lobby.create(people[0], Plan(game=game, seats=("me", *["open"] * (seats - 1)), **plan))
    for person in people[1:]:
        house.lobby.join(table, person)
    clockwork.wait(10)
    house.tick()
    return str(table), people


def step(
    house: Any, table: str, people: list[str], rng: random.Random, key: int, *, revise: bool = False
) -> bool:
    """Play one random move of a seat that may act. With `revise`, a seat can also change its secret choice."""
    for person in rng.sample(people, len(people)):
        look = house.looks.look(table, person)
        moves = look.legal or (look.revise if revise else ())
        if moves:
            house.play.act(table, person, rng.choice(moves)[1], look.ply, f"key-{key:06d}")
            return True
    return False


def watched(house: Any, table: str, eyes: int | None) -> tuple[int, int, bytes]:
    """Return the results for a viewpoint: two counts, and three answers of `house.replays.watch` as one JSON text.

    The counts are the number of log rows that the viewpoint has noticed (`Table.noticed`), and `Replay.plies`.
    """
    with house._tables.open(table) as slot:
        seen = Viewer(slot.table, eyes).seen
    with pytest.raises(BadInput) as refused:
        house.replays.watch(table, ply=1 << 20, eyes=eyes)
    replay = house.replays.watch(table, eyes=eyes)
    first = house.replays.watch(table, ply=replay.before, eyes=eyes)
    return seen, replay.plies, msgspec.json.encode((replay, first, str(refused.value)))


def at_once(house: Any, table: str) -> tuple[int, Any]:
    """Return the number of log rows that a spectator without a delay has noticed, and the spectator's view."""
    with house._tables.open(table) as slot:
        viewer = Viewer(slot.table, None)
        return viewer.seen, viewer.view


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "seats"), [("shanghaien", 2), ("halunken", 3), ("sanghai", 3)])
def test_spectators_are_some_plies_behind(opener: Any, clockwork: Any, game: str, seats: int) -> None:
    house = opener()
    table, people = begin(house, clockwork, game, seats, delay=DELAY)
    rng, views = random.Random(9), {}
    for key in range(90):
        seen, view = at_once(house, table)
        views[seen] = view
        look = house.looks.look(table, None)
        assert look.delay == DELAY
        if look.status == "over":
            break
        assert look.fairness.seed is None
        if seen - DELAY in views:
            assert look.ply <= max(seen - DELAY, min(views))
        if look.ply in views:
            assert look.view == views[look.ply], "the same as a spectator saw without the delay"
        clockwork.wait(1)
        assert all(seat.left_ms is None for seat in look.seats)
        if not step(house, table, people, rng, key):
            break
    assert key > 30


@pytest.mark.deep
def test_a_secret_choice_changes_nothing_for_delayed_spectators(opener: Any, clockwork: Any) -> None:
    """If an action is secret from spectators without a delay, it changes no byte for spectators with a delay."""
    house = opener()
    table, people = begin(house, clockwork, "sanghai", 3, delay=2)
    rng, secret = random.Random(4), 0
    for key in range(80):
        clockwork.wait(0.01)
        seen, _view = at_once(house, table)
        before = house.looks.look(table, None)
        if before.status == "over" or not step(house, table, people, rng, key):
            break
        if at_once(house, table)[0] == seen:
            secret += 1
            after = house.looks.look(table, None)
            assert msgspec.json.encode(after) == msgspec.json.encode(before)
    assert secret > 3


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["halunken", "sanghai"])
def test_a_secret_choice_changes_nothing_for_those_who_watch(opener: Any, clockwork: Any, game: str) -> None:
    """As long as a viewpoint has noticed no new log row, `watch` returns the same for it as before, byte for byte.

    The viewpoints are that of all spectators, and that of a seat that shows them its hand.
    """
    house = opener()
    table, people = begin(house, clockwork, game, 3)
    house.showing.show(table, people[1], shown=True)
    rng, secret, shown = random.Random(4), {None: 0, 1: 0}, {}
    for key in range(90):
        if house.looks.look(table, None).status == "over":
            break
        for eyes in secret:
            now = seen, plies, _ = watched(house, table, eyes)
            assert plies <= seen
            before = shown.get(eyes)
            if before is not None and before[0] == seen:
                secret[eyes] += 1
                assert now == before
            shown[eyes] = now
        clockwork.wait(0.01)
        if not step(house, table, people, rng, key, revise=True):
            break
    assert min(secret.values()) > 3


def test_a_table_without_a_delay_is_seen_at_once(opener: Any, clockwork: Any) -> None:
    house = opener()
    table, people = begin(house, clockwork, "shanghaien", 2)
    step(house, table, people, random.Random(1), 1)
    seen, view = at_once(house, table)
    look = house.looks.look(table, None)
    assert (look.ply, look.view) == (seen, view)


def test_the_delay_of_spectators_ends_with_the_game(opener: Any, clockwork: Any) -> None:
    house = opener()
    table, people = begin(house, clockwork, "shanghaien", 2, delay=100)
    house.play.resign(table, people[1], "resign-001")
    assert house.looks.look(table, None).result is not None
    with pytest.raises(NotNow, match="open its replay"):
        house.replays.watch(table)


def test_a_hand_is_shown_only_where_its_seat_allows_it(opener: Any, clockwork: Any) -> None:
    house = opener()
    table, people = begin(house, clockwork, "sanghai", 3, delay=2)
    rng = random.Random(2)
    for key in range(12):
        clockwork.wait(1)
        step(house, table, people, rng, key)
        house.tick()
    with pytest.raises(NotAllowed, match="Player 1 does not show"):
        house.replays.watch(table, eyes=1)
    assert "show_hand" in house.looks.look(table, people[1]).may
    house.showing.show(table, people[1], shown=True)
    assert "hide_hand" in house.looks.look(table, people[1]).may
    seen = house.replays.watch(table, eyes=1)
    with house._tables.open(table) as slot:
        behind = Viewer.of(slot.table, None).table
        assert behind is not slot.table
        assert seen.view == Viewer(behind, 1).view
    stranger = house.people.create("Stranger").id
    assert house.replays.watch(table, stranger, eyes=None).view != seen.view
    with pytest.raises(NotNow, match="you play at this table"):
        house.replays.watch(table, people[0], eyes=1)
    with pytest.raises(BadInput):
        house.replays.watch(table, eyes=9)
    house.showing.show(table, people[1], shown=False)
    with pytest.raises(NotAllowed):
        house.replays.watch(table, eyes=1)
    open_game, players = begin(house, clockwork, "shanghaien", 2)
    with pytest.raises(NotNow, match="nothing is hidden"):
        house.showing.show(open_game, players[0], shown=True)


@pytest.mark.deep
def test_open_hands_are_those_of_finished_rounds(opener: Any, clockwork: Any) -> None:
    house = opener()
    table, people = begin(house, clockwork, "halunken", 2)
    with pytest.raises(NotNow, match="first round"):
        house.replays.watch(table, eyes="open")
    rng, key, shown = random.Random(3), 0, b""
    rounds = 0
    for key in range(400):
        clockwork.wait(1)
        if house.looks.look(table, None).status == "over" or not step(house, table, people, rng, key):
            break
        with house._tables.open(table) as slot:
            ended = len(slot.table.rounds.ends)
        if not ended or house.looks.look(table, None).status == "over":
            continue
        now = msgspec.json.encode(house.replays.watch(table, eyes="open"))
        assert ended > rounds or now == shown, "the running round changes nothing"
        rounds, shown = ended, now
    assert rounds > 2


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_no_seat_has_hidden_facts_at_the_end_of_a_round(game: Game) -> None:
    """At the end of each round, no card or choice is hidden, so all hands of the finished round may be shown."""
    match, rng, done, ends = Match(find_game(game.name), game.seats[0]), random.Random(5), 0, 0
    for _ in range(4000):
        if match.over:
            break
        if match.chance:
            outcomes = match.chances()
            match.land(rng.choices([one for one, _ in outcomes], [weight for _, weight in outcomes])[0])
        else:
            seat = match.actors[0]
            match.act(seat, rng.choice(match.legal(seat)))
        if game.hooks.rounds_done(match.state) > done:
            done = game.hooks.rounds_done(match.state)
            ends += hides_nothing(game, match.state)
    assert ends == done > 1
