"""All people commit to their nonces before any nonce is shown. So nobody knows the nonces of others beforehand.

If a person gives no nonce in time, the game can start without it.
"""

from __future__ import annotations

from typing import Any

import pytest

from spelunke.house.house import House
from spelunke.house.plan import Plan
from spelunke.house.refusals import BadNonce, NotNow
from spelunke.records.chain import nonce_commitment
from spelunke.records.claims import Kept
from spelunke.records.fairness import verify

from .conftest import Clockwork, Open

HASHES = {word: nonce_commitment(word) for word in ("apple", "pear", "plum")}


class Waiting:
    """People at a table that has not started."""

    def __init__(self, house: House, *seats: str) -> None:
        self.house = house
        self.people = [
            house.people.create(name).id for name in ("Anna", "Ben", "Cleo")[: 1 + seats.count("open")]
        ]
        game = "shanghaien" if len(seats) == 1 else "sanghai"
        self.id = house.lobby.create(self.people[0], Plan(game=game, seats=("me", *seats)))

    def join(self, number: int) -> None:
        self.house.lobby.join(self.id, self.people[number])

    def give(self, number: int, nonce: str = "", commitment: str = "") -> None:
        self.house.lobby.add_nonce(self.id, self.people[number], nonce, commitment)

    def look(self, number: int | None = None) -> Any:
        return self.house.looks.look(self.id, None if number is None else self.people[number])

    def claims(self) -> dict[str, Any]:
        self.house.play.resign(self.id, self.people[0], "enough-now")
        return {
            claim.claim: claim
            for claim in verify(self.house.replays.record(self.id), Kept(key=self.house.store.key)).claims
        }


@pytest.fixture
def house(opener: Open) -> House:
    """Return a house that signs records, because an unsigned record proves nothing."""
    return opener(signing_key=bytes(range(32)))


@pytest.fixture
def two(house: House) -> Waiting:
    table = Waiting(house, "open")
    table.join(1)
    return table


def test_the_game_starts_after_all_committed_and_opened_their_nonces(two: Waiting) -> None:
    two.give(0, commitment=HASHES["apple"])
    assert two.look(1).fairness.nonce_commitments == (HASHES["apple"], None)
    assert not two.look(1).fairness.opening
    two.give(1, commitment=HASHES["pear"])
    assert two.look(1).fairness.opening
    assert two.look().status == "ready"
    two.give(1, "pear")
    for viewer, shown in ((None, (None, None)), (0, (None, None)), (1, (None, "pear"))):
        assert two.look(viewer).fairness.nonces == shown, "nobody is shown another's before the start"
    two.give(0, "apple")
    look = two.look()
    assert (look.status, look.fairness.nonces) == ("playing", ("apple", "pear"))
    assert two.claims()["nonces"].state == "proven"


def test_a_nonce_without_a_commitment_is_hidden_from_others_before_the_start(two: Waiting) -> None:
    two.give(0, "apple")
    look = two.look(1)
    assert (look.fairness.nonces, look.seats[0].nonce) == ((None, None), None)
    assert look.fairness.nonce_commitments == (HASHES["apple"], None)
    assert two.look(0).fairness.nonces == ("apple", None)
    two.give(1, commitment=HASHES["pear"])
    two.give(1, "pear")
    assert two.look().status == "playing"
    claim = two.claims()["nonces"]
    assert claim.state == "not proven"
    assert "Anna: the text (nonce) was sent without an earlier commitment" in claim.text


def test_a_nonce_may_be_replaced_until_all_seats_have_given_one(two: Waiting) -> None:
    two.give(0, commitment=HASHES["apple"])
    two.give(0, commitment=HASHES["plum"])
    two.give(1, "pear")
    for given in ({"commitment": HASHES["apple"]}, {"nonce": "apple"}, {"nonce": "pear"}):
        with pytest.raises((NotNow, BadNonce)):
            two.give(0, **given)
    with pytest.raises(NotNow, match="too late to change yours"):
        two.give(1, "another")
    assert two.look().status == "ready"
    two.give(0, "plum")
    assert two.look().fairness.nonces == ("plum", "pear")


def test_an_unopened_nonce_counts_as_none_and_does_not_block_the_start(
    two: Waiting, clockwork: Clockwork
) -> None:
    two.give(0, commitment=HASHES["apple"])
    two.give(1, commitment=HASHES["pear"])
    two.give(1, "pear")
    two.house.lobby.start(two.id, two.people[1])  # a player who has opened his nonce can't hurry the other
    assert two.look().status == "ready"
    clockwork.wait(4.9)
    two.house.tick()
    assert two.look().status == "ready"
    clockwork.wait(0.2)
    two.house.tick()
    look = two.look()
    assert (look.status, look.fairness.nonces) == ("playing", (None, "pear"))
    assert look.fairness.nonce_commitments == (HASHES["apple"], HASHES["pear"])
    claim = two.claims()["nonces"]
    assert claim.state == "not proven"
    assert "Anna committed to a text (nonce), but never showed it" in claim.text


def test_a_player_without_a_nonce_does_not_block_the_start(two: Waiting, clockwork: Clockwork) -> None:
    two.give(0, commitment=HASHES["apple"])
    clockwork.wait(5.1)
    two.house.tick()
    assert two.look().fairness.opening
    with pytest.raises(NotNow):
        two.give(1, "pear")
    two.give(0, "apple")
    assert two.look().fairness.nonces == ("apple", None)
    assert two.claims()["nonces"].state == "proven"


def test_a_player_against_bots_commits_and_opens_a_nonce(house: House) -> None:
    table = Waiting(house, "bot:deckhand")
    table.give(0, commitment=HASHES["apple"])
    assert table.look(0).fairness.opening
    table.give(0, "apple")
    assert table.look().status == "playing"
    assert table.claims()["nonces"].state == "proven"


def test_leaving_while_nonces_are_opened_makes_all_commit_again(two: Waiting, clockwork: Clockwork) -> None:
    two.give(0, commitment=HASHES["apple"])
    two.give(1, commitment=HASHES["pear"])
    two.give(0, "apple")
    two.house.lobby.leave(two.id, two.people[1])
    look = two.look(0)
    assert (look.status, look.fairness.opening) == ("open", False)
    assert look.fairness.nonces == (None, None)
    two.join(1)
    two.give(1, commitment=HASHES["plum"])
    assert not two.look(0).fairness.opening, "what was known is given again"
    two.give(0, commitment=HASHES["pear"])
    two.give(0, "pear")
    two.give(1, "plum")
    assert two.look().fairness.nonces == ("pear", "plum")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"nonce": "apple", "commitment": HASHES["apple"]},
        {"nonce": "two words"},
        {"commitment": "apple"},
        {"commitment": HASHES["apple"].upper()},
        {"commitment": "0" * 63},
    ],
)
def test_a_malformed_nonce_or_commitment_is_refused(two: Waiting, given: dict[str, str]) -> None:
    with pytest.raises(BadNonce):
        two.give(0, **given)
    assert two.look(0).fairness.nonce_commitments == (None, None)


def test_a_nonce_committed_at_one_worker_can_be_opened_at_another(opener: Open, clockwork: Clockwork) -> None:
    one, other = opener(), opener()
    table = Waiting(one, "open", "open")
    table.join(1)
    table.join(2)
    table.give(0, commitment=HASHES["apple"])
    table.give(1, commitment=HASHES["pear"])
    other.lobby.add_nonce(table.id, table.people[2], "", HASHES["plum"])
    assert table.look().fairness.opening
    other.lobby.add_nonce(table.id, table.people[0], "apple")
    table.give(1, "pear")
    clockwork.wait(5.1)
    assert other.tick() == 1
    assert table.look().fairness.nonces == ("apple", "pear", None)
    assert table.look().status == "playing"
