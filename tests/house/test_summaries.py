"""After a round, its summary covers a player's board until the player goes on. Bots wait for this, but not for ever."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from spelunke.games import shelf
from spelunke.house.plan import Plan
from spelunke.house.refusals import NotNow, NotSeated
from spelunke.house.work.task_runner import TaskRunner

GAMES = sorted(shelf())


@pytest.fixture
def house(opener: Callable[..., Any]) -> Any:
    """Return a house whose bots wait a second before each move."""
    return opener(bot_pause=1.0)


class Player:
    """A person who plays Shanghaien against a bot, up to the end of a round."""

    def __init__(self, house: Any, clockwork: Any) -> None:
        self.house, self.clockwork = house, clockwork
        self.id = house.people.create("Anna").id
        self.table = house.lobby.create(self.id, Plan(game="shanghaien", seats=("me", "bot:deckhand")))
        house.lobby.add_nonce(self.table, self.id, "mine")
        self.keys = 0
        self.chooser = random.Random(5)

    def look(self) -> Any:
        return self.house.looks.look(self.table, self.id, since=1 << 30)

    def act(self) -> None:
        look = self.look()
        moves = [move for _action, move in look.legal]
        move = "shanghai" if "shanghai" in moves else self.chooser.choice(moves)
        self.keys += 1
        self.house.play.act(self.table, self.id, move, look.ply, f"key-{self.keys:05d}")

    def pass_time(self, seconds: float = 1) -> None:
        self.clockwork.wait(seconds)
        self.house.tick()

    def to_summary(self, *, own: bool) -> Any:
        """Play until a call ends a round, and return the summary.

        The player who did not call begins the next round. If ``own``, the bot calls, so that the person begins it.
        Otherwise the person calls.
        """
        for _ in range(400):
            look = self.look()
            if look.summary is not None:
                called = next(e.seat for e in reversed(look.summary.events) if type(e).__name__ == "Settled")
                if (called == 1) == own:
                    return look.summary
                self.house.play.dismiss_summary(self.table, self.id)
            if look.legal:
                self.act()
            else:
                self.pass_time()
        raise AssertionError("no round ended")


@pytest.fixture
def player(house: Any, clockwork: Any) -> Player:
    return Player(house, clockwork)


def test_bots_wait_for_the_only_person_who_looks(player: Player) -> None:
    # If the bot has called, the person begins. Wait for a summary after which the bot is to move.
    player.to_summary(own=False)
    before = player.look().ply
    player.house.play.hold_summary(player.table, player.id)
    player.pass_time(500)
    assert player.look().ply == before or player.look().legal
    version = player.look().version
    player.house.play.dismiss_summary(player.table, player.id)
    look = player.look()
    assert look.version > version, "the page receives it"
    assert look.summary is None
    player.pass_time(2)
    assert player.look().legal or player.look().ply > before


def test_a_bot_moves_although_the_summary_closes_just_as_the_bot_waits(player: Player) -> None:
    player.to_summary(own=False)
    ply = player.look().ply
    shown = iter([True])
    answer, store_anew = TaskRunner._answer, TaskRunner._store_anew

    def answer_late(runner: Any, *given: Any) -> bool:
        if next(shown, False):
            player.house.play.hold_summary(player.table, player.id)
        return answer(runner, *given)

    def store_late(runner: Any, task: Any) -> None:
        player.house.play.dismiss_summary(player.table, player.id)
        store_anew(runner, task)

    with (
        patch.object(TaskRunner, "_answer", answer_late),
        patch.object(TaskRunner, "_store_anew", store_late),
    ):
        player.pass_time(2)
    assert next(shown, None) is None, "the bot began to move"
    player.pass_time(2)
    assert player.look().ply > ply


def test_a_summary_on_an_abandoned_page_does_not_stop_the_game(player: Player) -> None:
    player.to_summary(own=False)
    player.house.play.hold_summary(player.table, player.id)
    player.pass_time(700)
    player.pass_time(2)
    look = player.look()
    assert look.legal or look.ply, "the bots played on"
    assert look.summary is not None, "the summary is still there for its person"


def test_a_program_that_ignores_the_summary_delays_nobody(player: Player) -> None:
    player.to_summary(own=False)
    for _ in range(5):
        player.pass_time()
    assert player.look().legal, "a program that never goes on is asked all the same"
    player.act()
    assert player.look().summary is None, "acting is going on"


def test_a_summary_can_be_recalled_without_others_noticing(player: Player) -> None:
    house, table = player.house, player.table
    with pytest.raises(NotNow, match="no round has ended"):
        house.play.recall_summary(table, player.id)
    summary = player.to_summary(own=False)
    house.play.dismiss_summary(table, player.id)
    seen = house.looks.version(table)
    assert "recall" in player.look().may
    house.play.recall_summary(table, player.id)
    assert player.look().summary == summary
    assert "dismiss_summary" in player.look().may
    house.play.dismiss_summary(table, player.id)
    house.play.dismiss_summary(table, player.id)
    assert player.look().summary is None
    assert house.looks.version(table) == seen
    stranger = house.people.create("Eve").id
    for ask in (house.play.dismiss_summary, house.play.recall_summary, house.play.hold_summary):
        with pytest.raises(NotSeated):
            ask(table, stranger)
    assert house.looks.look(table, stranger).summary is None
    assert house.looks.look(table, stranger, recall=True).summary.events == summary.events


def test_points_of_a_summary_add_up_to_the_score(player: Player) -> None:
    house, table = player.house, player.table
    points = None
    rounds = 0
    for _ in range(3000):
        look = player.look()
        if look.summary is not None:
            assert look.summary.number == (rounds := rounds + 1)
            assert points in (None, look.summary.points_before)
            points = look.summary.points
            house.play.dismiss_summary(table, player.id)
        if look.status == "over":
            break
        if look.legal:
            player.act()
        else:
            player.pass_time()
    assert rounds == 8
    assert points == player.look().result.scores


def test_holding_a_summary_writes_only_if_a_bot_must_wait(
    house: Any, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house)
    anna, ben = (person.id for person in table.people)
    chooser = random.Random(5)
    while not (summary := house.looks.look(table.id, anna).summary):
        table.play(1, chooser)
    assert summary.events
    writer = house.store.writer
    written = writer.writes
    for person in (anna, ben):
        house.play.hold_summary(table.id, person)
    assert writer.writes == written

    asked = table.asked().id
    other = ben if asked == anna else anna
    clockwork.wait(60)
    house.play.stand_in(table.id, asked)
    before = house.looks.look(table.id, other).ply
    house.tick()
    assert house.looks.look(table.id, other).ply == before, (
        "the bot takes the time in which pages are drawn again"
    )
    house.play.hold_summary(table.id, other)
    assert writer.writes > written + 1
    before = house.looks.look(table.id, other).ply
    clockwork.wait(100)
    house.tick()
    assert house.looks.look(table.id, other).ply == before, (
        "the bot waits for the player who looks at the summary"
    )
    house.play.dismiss_summary(table.id, other)
    clockwork.wait(2)
    house.tick()
    assert house.looks.look(table.id, other).ply > before


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", GAMES)
def test_a_summary_tells_no_more_than_the_log(opener: Any, clockwork: Any, name: str) -> None:
    house, game = opener(bots=None, bot_pause=1.0), shelf()[name]
    people = [house.people.create(who).id for who in ("Anna", "Ben", "Cleo")[: game.seats[0]]]
    table = house.lobby.create(people[0], Plan(game=name, seats=("me", *["open"] * (len(people) - 1))))
    for person in people[1:]:
        house.lobby.join(table, person)
    for person in people:
        house.lobby.add_nonce(table, person, "share")
    for person in people:
        house.play.stand_in(table, person)
    while house.looks.look(table, recall=True, since=1 << 30).summary is None:
        assert house.looks.look(table, since=1 << 30).status == "playing"
        clockwork.wait(1)
        house.tick()
    for person in (*people, None):
        look = house.looks.look(table, person, recall=True)
        told = [line.event for line in look.log if line.event is not None]
        assert look.summary.events
        events = list(look.summary.events)
        assert events in [told[at : at + len(events)] for at in range(len(told))]


def test_the_summary_of_the_first_round_counts_from_the_points_first_seen(opener: Callable[..., Any]) -> None:
    """Halunken gives every captain a sailor before the first hour. This sailor does not count as won in that hour."""
    house = opener(bot_pause=0.0)
    people = [house.people.create(name).id for name in ("Anna", "Bert")]
    table = house.lobby.create(people[0], Plan(game="halunken", seats=("me", "open")))
    house.lobby.join(table, people[1])
    for person in people:
        house.lobby.add_nonce(table, person, "mine")
    shown: list[int] = []
    for step in range(80):
        looks = [house.looks.look(table, person) for person in people]
        if looks[0].summary is not None:
            break
        if not shown and looks[0].view.phase in ("bidding", "choosing"):
            shown = [crew.worth for crew in looks[0].view.crews]
        for person, look in zip(people, looks, strict=True):
            if look.legal:
                house.play.act(table, person, look.legal[-1][1], look.ply, f"key-{step:05d}-{look.seat}")
                break
    summary = looks[0].summary
    assert summary is not None
    assert min(shown) > 0
    assert list(summary.points_before) == shown
    assert [crew.worth for crew in summary.before.crews] == shown


class Hirer:
    """A person at a table of Halunken with two bots, at the end of an hour.

    The person has a standing order, and is the first to bid next.
    """

    def __init__(self, house: Any, clockwork: Any) -> None:
        self.house, self.clockwork = house, clockwork
        self.id = house.people.create("Anna").id
        self.keys = 0
        while not self.to_own_bidding():
            pass

    def look(self) -> Any:
        return self.house.looks.look(self.table, self.id)

    def pass_time(self, seconds: float = 1) -> None:
        self.clockwork.wait(seconds)
        self.house.tick()

    def to_own_bidding(self) -> bool:
        plan = Plan(game="halunken", seats=("me", "bot:landlubber", "bot:landlubber"))
        self.table = self.house.lobby.create(self.id, plan)
        self.house.lobby.add_nonce(self.table, self.id, "mine")
        self.house.play.set_orders(self.table, self.id, {"up_to": "yellow 12", "hours": "every"})
        while (look := self.look()).status == "playing":
            if look.summary is not None:
                if look.view.phase == "bidding" and look.view.turn == 0:
                    return True
                self.house.play.dismiss_summary(self.table, self.id)
            if look.legal:
                self.keys += 1
                self.house.play.act(self.table, self.id, look.legal[0][1], look.ply, f"key-{self.keys:05d}")
            else:
                self.pass_time()
        return False

    @property
    def bids(self) -> int:
        """The number of bids and passes of the person's seat."""
        said = [line.event for line in self.look().log if line.seat == 0 and line.event is not None]
        return sum(type(event).__name__ in ("Offered", "Passed") for event in said)


@pytest.fixture
def hirer(house: Any, clockwork: Any) -> Hirer:
    return Hirer(house, clockwork)


def test_the_summary_stays_although_a_standing_order_opens_the_next_bidding(hirer: Hirer) -> None:
    """If a standing order bids, its owner still gets the summary to read, and can't undo the bid."""
    before, summary = hirer.bids, hirer.look().summary
    hirer.pass_time()
    assert hirer.bids == before + 1
    look = hirer.look()
    assert look.summary == summary
    assert "undo" not in look.may
    assert look.undo_left_ms is None


def test_a_standing_order_waits_while_its_owner_looks_at_the_summary(hirer: Hirer) -> None:
    before = hirer.bids
    hirer.house.play.hold_summary(hirer.table, hirer.id)
    for _ in range(5):
        hirer.pass_time(3)
    assert hirer.bids == before
    hirer.house.play.dismiss_summary(hirer.table, hirer.id)
    hirer.pass_time()
    assert hirer.bids == before + 1


def test_a_standing_order_does_not_wait_for_a_page_that_was_left(hirer: Hirer) -> None:
    """A standing order acts when the time to read the summary is over, even if its owner has left the page."""
    before = hirer.bids
    hirer.house.play.hold_summary(hirer.table, hirer.id)
    hirer.pass_time(21)
    assert hirer.bids == before + 1
    assert hirer.look().summary is not None
