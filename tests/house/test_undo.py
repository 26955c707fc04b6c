"""Taking moves back: at once against bots, by consent among people, never after chance or another seat's action."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from spelunke.core.errors import GameOver
from spelunke.games.shanghaien.events import Laid, Rolled, Settled
from spelunke.house.house import UNDO_PAUSES, House
from spelunke.house.plan import Plan
from spelunke.house.refusals import NotNow
from spelunke.records.claims import Kept
from spelunke.records.fairness import verify
from spelunke.records.record import parse_record, write_record

from .conftest import Clockwork, Open, Table

ALONE = Plan(game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": 0})


def play_until(table: Table, word: str, seats: int = 2) -> tuple[int, str]:
    """Play until a person has played a move that begins with ``word``; return the seat and the move.

    The first ``seats`` seats are people. Bots move when the house ticks.
    """
    chooser = random.Random(3)
    for _ in range(400):
        table.house.tick()
        look = table.look()
        seat = look.actors[0]
        if seat >= seats:
            continue
        look = table.look(seat)
        moves = [move for _action, move in look.legal]
        wanted = [move for move in moves if move.startswith(word)]
        move = chooser.choice(wanted or moves)
        table.house.play.act(table.id, table.people[seat].id, move, look.ply, table.key())
        if wanted:
            return seat, move
    raise AssertionError("the game offered no such move")


def undo(table: Table, seat: int, answer: str = "ask") -> None:
    table.house.undoing.undo(table.id, table.people[seat].id, answer=answer)  # type: ignore[arg-type]


def finish(table: Table) -> None:
    table.house.play.resign(table.id, table.people[0].id, table.key())


def test_the_time_left_to_undo_ends_when_the_bot_acts(
    opener: Open, sit: Callable[..., Table], clockwork: Clockwork
) -> None:
    house = opener(bot_pause=60.0)
    table = sit(house, ALONE)
    assert table.look(0).undo_left_ms is None
    play_until(table, "place", 1)
    look = table.look(0)
    assert "undo" in look.may
    assert look.undo_left_ms == 60_000 * UNDO_PAUSES
    assert table.look().undo_left_ms is None, "a spectator can't undo"
    clockwork.wait(30)
    assert table.look(0).undo_left_ms == 60_000 * UNDO_PAUSES - 30_000
    clockwork.wait(60 * UNDO_PAUSES)
    house.tick()
    assert table.look(0).undo_left_ms is None


def test_against_bots_a_move_is_taken_back_at_once(opener: Open, sit: Callable[..., Table]) -> None:
    table = sit(opener(bot_pause=60.0), ALONE)
    before = None
    for _ in range(2):
        seat, move = play_until(table, "place", 1)
        assert seat == 0
        after = table.look(0)
        assert "undo" in after.may
        undo(table, 0)
        now = table.look(0)
        assert move in [text for _action, text in now.legal]
        assert now.view != after.view
        assert now.ply == after.ply + 1
        assert "undo" not in now.may
        before = now.view
        break
    assert before is not None
    assert [line.text for line in table.look(0).log][-1] == "Anna takes the move back."


def test_a_move_chosen_before_an_undo_is_not_played_after_it(table: Table) -> None:
    seat, _move = play_until(table, "joker")
    look = table.look(seat)
    undo(table, seat)
    undo(table, 1 - seat, "agree")
    both = {text for _action, text in look.legal} & {text for _action, text in table.look(seat).legal}
    answer = table.house.play.act(table.id, table.people[seat].id, min(both), look.ply, table.key())
    assert answer.status == "stale"


def test_a_bot_waits_a_moment_for_an_undo_and_then_moves(
    opener: Open, sit: Callable[..., Table], clockwork: Clockwork
) -> None:
    table = sit(opener(bot_pause=1.0), ALONE)
    play_until(table, "place", 1)
    clockwork.wait(1.5)
    table.house.tick()
    assert "undo" in table.look(0).may
    clockwork.wait(2.0)
    table.house.tick()
    assert "undo" not in table.look(0).may
    with pytest.raises(NotNow, match="can't be taken back"):
        undo(table, 0)


def test_a_roll_is_never_taken_back(house: House, sit: Callable[..., Table]) -> None:
    table = sit(house, ALONE)
    play_until(table, "roll", 1)
    assert "undo" not in table.look(0).may
    with pytest.raises(NotNow, match="dice are rolled"):
        undo(table, 0)


def test_an_undo_among_people_needs_the_agreement_of_the_other(table: Table) -> None:
    seat, move = play_until(table, "place")
    other = 1 - seat
    assert "ask_undo" in table.look(seat).may
    assert not {"undo", "ask_undo", "answer_undo"} & table.look(other).may
    undo(table, seat)
    assert table.look(other).undo_by == seat
    assert "answer_undo" in table.look(other).may
    with pytest.raises(NotNow, match="wait for the answer"):
        undo(table, seat)
    answer = table.house.undoing.undo(table.id, table.people[other].id, answer="agree")
    look = table.look(other)
    assert (answer.ply, answer.version) == (look.ply, look.version)
    assert move in [text for _action, text in table.look(seat).legal]
    assert table.look(other).undo_by is None


def test_a_refused_undo_cannot_be_asked_for_again(table: Table) -> None:
    seat, _move = play_until(table, "place")
    undo(table, seat)
    undo(table, 1 - seat, "refuse")
    assert table.look(1 - seat).actors == (1 - seat,)
    with pytest.raises(NotNow, match="said no"):
        undo(table, seat)
    with pytest.raises(NotNow, match="nobody is asking"):
        undo(table, 1 - seat, "agree")


def test_a_question_ends_when_the_other_moves(table: Table) -> None:
    seat, _move = play_until(table, "place")
    undo(table, seat)
    look = table.look(1 - seat)
    table.house.play.act(table.id, table.people[1 - seat].id, look.legal[0][1], look.ply, table.key())
    assert table.look(seat).undo_by is None
    with pytest.raises(NotNow):
        undo(table, 1 - seat, "agree")


def test_nothing_is_taken_back_after_the_end(table: Table) -> None:
    seat, _move = play_until(table, "place")
    finish(table)
    with pytest.raises(GameOver):
        undo(table, seat)


def test_another_worker_replays_a_game_with_an_undo_identically(opener: Open, table: Table) -> None:
    seat, _move = play_until(table, "place")
    undo(table, seat)
    undo(table, 1 - seat, "agree")
    play_until(table, "place")
    other = opener()
    for viewer in (0, 1, None):
        here, there = table.look(viewer), table.look(viewer, other)
        assert here.view == there.view
        assert here.chain == there.chain
        assert here.log == there.log
        assert here.last == there.last


@pytest.mark.parametrize("against_bots", [False, True])
def test_the_record_is_proven_and_says_what_was_taken_back(
    opener: Open, sit: Callable[..., Table], *, against_bots: bool
) -> None:
    house = opener(bot_pause=60.0 if against_bots else 0.0, signing_key=bytes(range(32)))
    table = sit(house, ALONE if against_bots else None)
    seat, move = play_until(table, "place", 1 if against_bots else 2)
    undo(table, seat)
    if not against_bots:
        undo(table, 1 - seat, "agree")
    kept = table.look(seat).chain
    assert kept is not None
    look = table.look(seat)
    again = next(text for _action, text in look.legal if text != move)
    house.play.act(table.id, table.people[seat].id, again, look.ply, table.key())
    finish(table)
    record = parse_record(write_record(house.replays.record(table.id)))
    assert record.proof is not None
    assert [one.text for one in record.proof.undone] == [move]  # type: ignore[union-attr]
    assert record.plies[-1].text == again
    verdict = verify(record, Kept(key=house.store.signer.public))  # type: ignore[union-attr]
    assert verdict.verdict == "fair", verdict.text
    assert "1 move was taken back" in verdict.text
    rows = len(record.plies) + len(record.proof.notes) + 1
    assert any(claim.text.startswith(f"all {rows} rows ") for claim in verdict.claims)


def test_a_forged_undo_is_found(table: Table) -> None:
    seat, _move = play_until(table, "place")
    undo(table, seat)
    undo(table, 1 - seat, "agree")
    finish(table)
    record = table.house.replays.record(table.id)
    assert record.proof is not None
    proof = record.proof
    no_consent = msgspec.structs.replace(
        proof,
        notes=tuple(
            msgspec.structs.replace(note, text="!undo no") if note.text == "!undo yes" else note
            for note in proof.notes
        ),
    )
    other_move = msgspec.structs.replace(
        proof,
        undone=tuple(msgspec.structs.replace(one, text="shanghai") for one in proof.undone),  # type: ignore[union-attr]
    )
    for changed, said in ((no_consent, "agreed"), (other_move, "proof.undone[0]")):
        verdict = verify(msgspec.structs.replace(record, proof=changed))
        assert verdict.verdict == "altered"
        assert said in verdict.text


def test_the_list_of_games_marks_a_game_with_moves_taken_back_against_bots(
    opener: Open, sit: Callable[..., Table]
) -> None:
    house = opener(bot_pause=60.0)
    table = sit(house, ALONE)
    play_until(table, "place", 1)
    undo(table, 0)
    finish(table)
    lines, _count = house.histories.own(table.people[0].id)
    assert lines[0].undone


def test_a_round_is_summed_up_without_moves_that_were_taken_back(
    opener: Open, sit: Callable[..., Table], clockwork: Clockwork
) -> None:
    table = sit(opener(bot_pause=60.0), ALONE)
    play_until(table, "place", 1)
    undo(table, 0)
    assert not any(isinstance(event, Rolled) for event in table.look(0).last), (
        "the board throws no dice again"
    )
    for _ in range(400):
        look = table.look(0)
        if look.summary is not None:
            break
        if look.legal:
            moves = [move for _action, move in look.legal]
            move = "shanghai" if "shanghai" in moves else moves[0]
            table.house.play.act(table.id, table.people[0].id, move, look.ply, table.key())
        else:
            clockwork.wait(60 * UNDO_PAUSES)
            table.house.tick()
    assert look.summary is not None
    laid = [event for event in look.summary.events if isinstance(event, Laid)]
    (settled,) = [event for event in look.summary.events if isinstance(event, Settled)]
    assert len(laid) == sum(sum(claim.dice) for claim in settled.claims)
