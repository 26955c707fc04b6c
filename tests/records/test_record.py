"""Record files are read back unchanged and can be replayed. Malformed ones are refused with place and reason."""

from __future__ import annotations

import contextlib
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.errors import BadInput, BadRecord, UnknownGame
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.records.record import (
    LARGEST,
    Entry,
    Fairness,
    Record,
    Result,
    Seat,
    Share,
    compose,
    parse_record,
    write_options,
    write_record,
)
from spelunke.records.replay import replay

sys.path.insert(0, str(Path(__file__).parent))
from random_games import CREATED, EXAMPLE, GAMES, play_match, record_of

LINES = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=64)
HEX = st.binary(min_size=32, max_size=32).map(bytes.hex)
NONCES = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=64)


@st.composite
def records(draw: st.DrawFn) -> Record:
    game: Game = find_game(draw(st.sampled_from(GAMES)))
    seats = draw(st.sampled_from(game.seats))
    entries, ms = [], 0
    for _ in range(draw(st.integers(0, 8))):
        ms += draw(st.integers(0, 10**6))
        seat = draw(st.integers(-1, seats - 1))
        share = None
        if seat == -1 and draw(st.booleans()):
            low, high, total = sorted(draw(st.sets(st.integers(0, 99), min_size=3, max_size=3)))
            share = Share(low, high, total)
        entries.append(Entry(seat, draw(LINES), ms, share))
    kind = draw(st.sampled_from(["none", "played", "agreed", "resigned"]))
    result = None
    if kind == "played":
        scores = tuple(draw(st.integers(-99, 99)) for _ in range(seats))
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        result = Result(reason="played", ranks=ranks, scores=scores, ply=len(entries))
    elif kind == "agreed":
        result = Result(reason="agreed", ranks=(1,) * seats, ply=len(entries))
    elif kind == "resigned":
        loser = draw(st.integers(0, seats - 1))
        ranks = tuple(seats if seat == loser else 1 for seat in range(seats))
        result = Result(reason="resigned", ranks=ranks, seat=loser, ply=len(entries))
    return Record(
        game=game.name,
        rules=game.version,
        table=draw(NONCES.filter(bool)),
        created=CREATED + timedelta(seconds=draw(st.integers(0, 10**9))),
        finished=draw(st.none() | st.just(datetime(2030, 1, 1, tzinfo=UTC))),
        seats=tuple(Seat(name=draw(LINES), kind="person") for _ in range(seats)),
        options=write_options(game.settle(seats)),
        fairness=draw(
            st.none()
            | st.builds(Fairness, commitment=HEX, nonces=st.tuples(*[NONCES] * seats), seed=st.none() | HEX)
        ),
        result=result,
        plies=tuple(entries),
    )


@settings(deadline=None, max_examples=100)
@given(records())
def test_a_written_record_is_read_back_unchanged(record: Record) -> None:
    data = write_record(record)
    assert parse_record(data) == record
    assert write_record(parse_record(data)) == data
    assert json.loads(data)["game"] == record.game


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_replays_to_its_result(game: str, seed: int) -> None:
    record = record_of(game, seed)
    match = replay(parse_record(write_record(record)))
    assert match.outcome is not None
    assert record.result is not None
    assert match.outcome.scores == record.result.scores
    assert [ply.text for ply in match.plies] == [entry.text for entry in record.plies]


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_stops_at_the_given_ply(game: str) -> None:
    record = record_of(game, 1)
    for until in (0, 1, len(record.plies) // 2, len(record.plies)):
        assert replay(record, until).ply == until
    for outside in (-1, len(record.plies) + 1):
        with pytest.raises(BadInput, match=r"until: there is no ply"):
            replay(record, outside)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_put_aside_has_no_result(game: str) -> None:
    record = record_of(game, 1, 12)
    assert record.result is None
    assert replay(record).ply == 12


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reason", ["resigned", "time", "agreed"])
def test_a_record_of_a_game_that_ended_early_can_be_replayed(
    game: str, reason: Literal["resigned", "time", "agreed"]
) -> None:
    match, _, _ = play_match(game, 1, 12)
    loser = None if reason == "agreed" else match.seats - 1
    ranks = tuple(match.seats if seat == loser else 1 for seat in range(match.seats))
    result = Result(reason=reason, ranks=ranks, seat=loser, ply=12)
    people = [Seat(name=f"P{seat}", kind="person") for seat in range(match.seats)]
    record = compose(match, table="t", seats=people, created=CREATED, result=result)
    assert replay(parse_record(write_record(record))).ply == 12


def test_the_times_in_a_record_never_decrease() -> None:
    match, _, _ = play_match(EXAMPLE, 1, 5)
    people = [Seat(name=f"P{seat}", kind="person") for seat in range(match.seats)]
    record = compose(match, table="t", seats=people, created=CREATED, times=[-5, 100, 40, 200])
    assert [entry.ms for entry in parse_record(write_record(record)).plies] == [0, 100, 100, 200, 200]


def test_an_option_that_is_missing_has_its_default() -> None:
    record = record_of(EXAMPLE, 1, 12)
    assert replay(msgspec.structs.replace(record, options={})).options == replay(record).options


def test_the_longest_record_is_far_below_the_bound() -> None:
    assert len(write_record(record_of(EXAMPLE, 1))) * 20 < LARGEST


# --- refusals


def changed(**fields: object) -> bytes:
    plain = json.loads(write_record(record_of(EXAMPLE, 1, 12)))
    for path, value in fields.items():
        *way, last = path.split("__")
        here = plain
        for name in way:
            here = here[int(name) if name.isdigit() else name]
        key = int(last) if last.isdigit() else last
        if value is ...:
            del here[key]
        else:
            here[key] = value
    return json.dumps(plain).encode()


BAD = [
    (b"", "it is empty"),
    (b"  \n", "it is empty"),
    (b"\xff\xfe", "not a JSON document"),
    (b'{"game": "x"', "ends in the middle"),
    (b'{"plies": [[-', "ends in the middle"),
    (b'{"rules": 1.', "ends in the middle"),
    (b'{"rules": 1.}', "not a JSON document"),
    (b"nonsense", "not a JSON document"),
    (b"[]", "it must be an object, not a list"),
    (b"{}", "it lacks the field `game`"),
    (b'{"options": ' + b'{"a": ' * 100_000, "nested too deeply|it must be a text"),
    (
        b'{"format": "spelunke-record-9"}',
        r"^format: .*spelunke-record-9.*this program reads 'spelunke-record-1' and 'spelunke-record-2'",
    ),
    (changed(moves=[]), "unknown field `moves`"),
    (changed(plies=...)[:-40], "ends in the middle"),
    (changed(rules="1"), "^rules: it must be a whole number, not a text"),
    (changed(rules=77), "^rules: version 77 of the rules of .* is not here; this program has version 1"),
    (changed(table="two words"), "^table: "),
    (changed(created="yesterday"), "^created: "),
    (changed(created="2026-11-21T14:00:00"), "^created: .*timezone"),
    (changed(seats=[]), "^seats: "),
    (changed(seats__0__kind="ghost"), r"^seats\[0\].kind: it can't be 'ghost'"),
    (changed(seats__0__name="a\nb"), r"^seats\[0\].name: "),
    (changed(seats__0__name="\x9b2J"), r"^seats\[0\].name: "),
    (changed(options__colour="red"), "^options.colour: .* has no option of that name"),
    (changed(fairness__commitment="abc"), "^fairness.commitment: "),
    (changed(fairness__seed="zz"), "^fairness.seed: "),
    (changed(fairness__nonces=["a"]), "^fairness.nonces: there are 1 for 2 seats"),
    (changed(fairness__nonces=["a b", ""]), r"^fairness.nonces"),
    (changed(plies__3=[0]), r"^plies\[3\]: "),
    (changed(plies__3=[7, "roll", 5000]), r"^plies\[3\]: there is no seat 7"),
    (changed(plies__3=[-1, "roll", 1]), r"^plies\[3\]: this ply has an earlier time than the ply before"),
    (changed(plies__3__1=5), r"^plies\[3\]\[1\]: it must be a text, not a whole number"),
    (changed(plies__3__1=""), r"^plies\[3\]\[1\]: "),
    (changed(plies__3__3=[5, 4, 10]), r"^plies\[3\]: a share is"),
    (changed(plies__3__3=[5, 6]), r"^plies\[3\]\[3\]: "),
    (changed(plies__7=[0, "roll", 7000, [0, 1, 2]]), r"^plies\[7\]: only outcomes of chance"),
    (
        changed(result={"reason": "played", "ranks": [1, 2], "scores": [1, 2], "ply": 3}),
        "^result.ply: .*12 are here",
    ),
    (changed(result={"reason": "played", "ranks": [1, 2], "ply": 12}), "^result.scores: "),
    (changed(result={"reason": "played", "ranks": [1], "scores": [1, 2], "ply": 12}), "^result.ranks: "),
    (changed(result={"reason": "played", "ranks": [2, 3], "scores": [1, 2], "ply": 12}), "^result.ranks: "),
    (changed(result={"reason": "bored", "ranks": [1, 2], "ply": 12}), "^result.reason: it can't be 'bored'"),
    (changed(result={"reason": "resigned", "ranks": [1, 2], "ply": 12}), "^result.seat: it must name"),
    (
        changed(result={"reason": "resigned", "ranks": [1, 2], "seat": 0, "ply": 12}),
        "^result.ranks: .*last place",
    ),
    (changed(result={"reason": "agreed", "ranks": [1, 2], "ply": 12}), "^result.ranks: "),
    (changed(result={"reason": "agreed", "ranks": [1, 1], "seat": 1, "ply": 12}), "^result.seat: "),
    (b" " * (LARGEST + 1), "a record has at most"),
]


@pytest.mark.parametrize(("data", "message"), BAD, ids=range(len(BAD)))
def test_malformed_records_are_refused_with_place_and_reason(data: bytes, message: str) -> None:
    with pytest.raises(BadRecord, match=message) as error:
        parse_record(data)
    assert "\n" not in str(error.value).strip()


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame, match="'chess'; the games are "):
        parse_record(changed(game="chess"))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_truncation_is_refused(data: st.DataObject) -> None:
    whole = write_record(record_of(EXAMPLE, 1, 12)).rstrip()
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(BadRecord):
        parse_record(whole[:cut])


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_damaged_records_raise_only_bad_input(data: st.DataObject) -> None:
    whole = bytearray(write_record(record_of(EXAMPLE, 1, 12)))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BadInput):  # any other error fails the test
        replay(parse_record(bytes(whole)))


@pytest.mark.parametrize("game", GAMES)
def test_replay_names_the_ply_that_the_rules_refuse(game: str) -> None:
    record = record_of(game, 1)
    number = next(n for n, entry in enumerate(record.plies) if n > 20 and entry.seat >= 0)
    for text, seat in (("gibberish", record.plies[number].seat), (record.plies[number].text, -1)):
        plies = list(record.plies)
        plies[number] = Entry(seat, text, plies[number].ms)
        with pytest.raises(BadRecord, match=rf"^plies\[{number}\]: "):
            replay(msgspec.structs.replace(record, plies=tuple(plies)))


@pytest.mark.parametrize("game", GAMES)
def test_replay_refuses_another_result(game: str) -> None:
    record = record_of(game, 1)
    assert record.result is not None
    assert record.result.scores is not None
    scores = (record.result.scores[0] + 1, *record.result.scores[1:])
    with pytest.raises(BadRecord, match=r"^result.scores: "):
        replay(msgspec.structs.replace(record, result=msgspec.structs.replace(record.result, scores=scores)))
    result = msgspec.structs.replace(record.result, ply=len(record.plies) - 1)
    with pytest.raises(BadRecord, match="plies are missing"):
        replay(msgspec.structs.replace(record, plies=record.plies[:-1], result=result))
    with pytest.raises(BadRecord, match=r"^result: the game is over"):
        replay(msgspec.structs.replace(record, result=None))
