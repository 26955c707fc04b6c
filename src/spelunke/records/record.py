"""The record of a game: a JSON document that can be replayed. For the format, see docs/records.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from spelunke.core.contract import CHANCE
from spelunke.core.errors import BadInput, BadRecord
from spelunke.core.misfit import explain_misfit
from spelunke.core.option import write_value
from spelunke.core.values import ChanceOutcome
from spelunke.games import find_game
from spelunke.games.game import Game, Settled
from spelunke.games.match import Match
from spelunke.records.proof import Hex, Natural, Proof

FORMAT: Literal["spelunke-record-1"] = "spelunke-record-1"
PROVEN: Literal["spelunke-record-2"] = "spelunke-record-2"
"""The format of a record with a proof of its moves and result."""
LARGEST = 4 * 1024 * 1024
"""The maximum size of a record in bytes. Even the longest game needs far fewer bytes."""

Line = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
Deed = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
Nonce = Annotated[str, Meta(max_length=64, pattern=r"^[!-~]*$")]
Time = Annotated[datetime, Meta(tz=True)]


class Share(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The range of random numbers that gives an outcome of chance: ``[low, high, total]``.

    If a number is drawn from 0 to ``total - 1``, the numbers from ``low`` to ``high - 1`` give the outcome.
    """

    low: Natural
    high: Natural
    total: Annotated[int, Meta(ge=1, le=2**53)]


class Entry(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """One ply: ``[seat, text, ms, share]``.

    ``seat`` is -1 for chance. ``ms`` is the time in milliseconds since the game's start. Only an outcome of chance has
    a ``share``.
    """

    seat: Annotated[int, Meta(ge=-1, le=63)]
    text: Deed
    ms: Natural
    share: Share | None = None


class Seat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player of a seat; ``level`` is the level of a bot."""

    name: Line
    kind: Literal["person", "bot"]
    level: Line | None = None


class Deal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The source of chance that a table shares with other tables of an event, for example of a tournament.

    ``event`` is the event whose seed decided chance. An event can have several deals, and all tables with the same deal
    have the same chance. ``number`` is the number of the table's deal, from 1.
    """

    event: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
    number: Annotated[int, Meta(ge=1, le=2**31)]


class Fairness(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The data that decided chance. ``nonces`` has a text for each seat, empty if the seat gave none.

    ``seed`` is null until the server reveals it. ``commitment`` is the SHA-256 of the seed. ``deal`` is present only
    if the table shares its chance with other tables.
    """

    commitment: Hex
    nonces: Annotated[tuple[Nonce, ...], Meta(min_length=1, max_length=64)]
    seed: Hex | None = None
    deal: Deal | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The end of the game, after ``ply`` plies.

    ``ranks`` begin at 1, which is best. If two seats share the first place, the next rank is 3. ``scores`` is null
    if the game was not played out. ``seat`` is the seat that resigned, ran out of time or left.
    """

    reason: Literal["played", "resigned", "agreed", "time", "left", "called_off"]
    ranks: Annotated[tuple[Annotated[int, Meta(ge=1, le=64)], ...], Meta(min_length=1, max_length=64)]
    scores: tuple[Annotated[int, Meta(ge=-(2**31), le=2**31)], ...] | None = None
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    ply: Natural


class Origin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The position from which a game began, and its source.

    ``position`` is the position after ``ply`` plies of the game at ``table``, in the game's own format. The record
    does not contain these plies. ``chained`` is true if each hash chain of the new game begins with an entry that
    contains a seal of the position. In older records, ``chained`` is false.
    """

    table: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
    ply: Natural
    position: dict[str, object]
    chained: bool = False


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of one game.

    ``options`` are texts like ``on`` or ``3/2/3``. A missing option has its default. ``result`` is null for an
    unfinished game. ``fairness`` is null if real dice or cards decided chance. ``proof`` is present only in format
    2, and ``origin`` only for a game that began from a position.
    """

    format: Literal["spelunke-record-1", "spelunke-record-2"] = FORMAT
    game: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[a-z][a-z0-9_]*$")]
    rules: Annotated[int, Meta(ge=1, le=2**31, description="version of the rules")]
    table: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
    created: Time
    finished: Time | None = None
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=64)]
    options: dict[str, Annotated[str, Meta(max_length=200)]] = {}
    origin: Origin | None = None
    fairness: Fairness | None = None
    result: Result | None = None
    proof: Proof | None = None
    plies: Annotated[tuple[Entry, ...], Meta(max_length=100_000)] = ()


_DECODER = msgspec.json.Decoder(Record)


def parse_record(data: bytes | str) -> Record:
    """Return the record in a file.

    Raise UnknownGame if its game is not installed. If anything else is wrong, raise BadRecord with the place
    (``plies[17]``) and the reason. This function checks the format, the seats and the options. Only a replay checks the
    moves.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if len(data) > LARGEST:
        raise BadRecord(f"it has {len(data):,} bytes; a record has at most {LARGEST:,}")
    if not data.strip():
        raise BadRecord("it is empty; a record is a JSON document")
    try:
        record = _DECODER.decode(data)
    except msgspec.ValidationError as error:
        raise _explain(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(explain_json(str(error), data)) from None
    except RecursionError:
        raise BadRecord("the JSON is nested too deeply; a record is a flat JSON document") from None
    check_record(record)
    return record


def explain_json(reason: str, data: bytes) -> str:
    """Return a clause that tells people why ``data`` is not JSON. ``reason`` is the error message of msgspec."""
    # A number that ends too early is called invalid, not truncated.
    if "truncated" in reason or reason.endswith(f"invalid number (byte {len(data)})"):
        return "it ends in the middle; a part of the file is missing"
    return f"it is not a JSON document: {reason.removeprefix('JSON is malformed: ')}"


def _explain(message: str) -> BadRecord:
    reason, place = explain_misfit(message)
    if place == "format":
        reason += f"; this program reads {FORMAT!r} and {PROVEN!r}"
    return BadRecord(reason, place)


def check_record(record: Record) -> Game:
    """Check that a record fits its game, and return the game.

    Raise UnknownGame if the game is not installed. Raise BadRecord if the record contradicts itself, or if its seats,
    its options or the version of its rules don't fit the installed game.
    """
    game = find_game(record.game)
    seats = len(record.seats)
    if record.rules != game.version:
        raise BadRecord(
            f"version {record.rules} of the rules of {game.title} is not here; this program has version {game.version}",
            "rules",
        )
    try:
        game.settle(seats, record.options)
    except BadInput as error:
        place = error.place.replace("option ", "options.")
        raise BadRecord(error.reason, place) from None
    if record.fairness is not None and len(record.fairness.nonces) != seats:
        raise BadRecord(
            f"there are {len(record.fairness.nonces)} for {seats} seats; each seat has one, which may be empty",
            "fairness.nonces",
        )
    before = 0
    for number, entry in enumerate(record.plies):
        place = f"plies[{number}]"
        if entry.seat >= seats:
            raise BadRecord(f"there is no seat {entry.seat}; the seats are 0 to {seats - 1}", place)
        if entry.ms < before:
            raise BadRecord("this ply has an earlier time than the ply before it", place)
        if entry.share is not None and entry.seat != CHANCE:
            raise BadRecord(
                "only outcomes of chance (seat -1) have a fourth entry, their share of the random numbers",
                place,
            )
        if entry.share is not None and not entry.share.low < entry.share.high <= entry.share.total:
            raise BadRecord("a share is [low, high, total] with low < high <= total", place)
        before = entry.ms
    if record.result is not None:
        _check_result(record.result, seats, len(record.plies))
    _check_proof(record, seats)
    return game


def _check_proof(record: Record, seats: int) -> None:
    proof = record.proof
    if (proof is None) == (record.format == PROVEN):
        raise BadRecord(f"a record has a proof if its format is {PROVEN!r}, and otherwise none", "proof")
    if proof is None:
        return
    if record.fairness is None:
        raise BadRecord("a record with a proof must name its sources of chance", "fairness")
    if len(proof.nonces) != seats:
        raise BadRecord(f"there are {len(proof.nonces)} for {seats} seats", "proof.nonces")
    undone = () if isinstance(proof.undone, msgspec.UnsetType) else proof.undone
    rows = len(record.plies) + len(proof.notes) + len(undone)
    before = 0
    for number, note in enumerate(proof.notes):
        if note.seat >= seats:
            raise BadRecord(f"there is no seat {note.seat}", f"proof.notes[{number}]")
        if not before < note.row <= rows:
            raise BadRecord(
                "notes must be in the order of their rows, and their rows must exist",
                f"proof.notes[{number}]",
            )
        before = note.row
    before, noted = 0, {note.row for note in proof.notes}
    for number, move in enumerate(undone):
        if move.seat >= seats:
            raise BadRecord(f"there is no seat {move.seat}", f"proof.undone[{number}]")
        if not before < move.row <= rows or move.row in noted:
            raise BadRecord(
                "moves taken back must be in the order of their rows; each of these rows must exist and must not "
                "be a note",
                f"proof.undone[{number}]",
            )
        before = move.row
    if [head.viewer for head in proof.heads] != [None, *range(seats)]:
        raise BadRecord(
            "list one head (the last link of a hash chain) for the spectators, whose viewer is null, then one head "
            "for each seat",
            "proof.heads",
        )
    if (proof.key is None) != (proof.signature is None):
        raise BadRecord("a signature needs a key, and a key needs a signature", "proof.signature")


def _check_result(result: Result, seats: int, plies: int) -> None:
    if len(result.ranks) != seats:
        raise BadRecord(f"there are {len(result.ranks)} for {seats} seats", "result.ranks")
    for rank in result.ranks:
        if rank != 1 + sum(1 for other in result.ranks if other < rank):
            raise BadRecord(
                "places are counted from 1; if two players share place 1, the next place is 3 (1, 1, 3)",
                "result.ranks",
            )
    if result.scores is not None and len(result.scores) != seats:
        raise BadRecord(f"there are {len(result.scores)} for {seats} seats", "result.scores")
    if result.ply != plies:
        raise BadRecord(f"the game ended after {result.ply} plies, but {plies} are here", "result.ply")
    if result.reason == "played" and result.scores is None:
        raise BadRecord("a game that was played to its end must have scores", "result.scores")
    if result.reason in {"resigned", "time", "left"}:
        if result.seat is None or result.seat >= seats:
            raise BadRecord(f"it must name the seat, 0 to {seats - 1}", "result.seat")
        if result.ranks[result.seat] != max(result.ranks):
            raise BadRecord(f"seat {result.seat} gave up and must have the last place", "result.ranks")
    elif result.seat is not None:
        raise BadRecord(f"no seat is named if the reason is {result.reason!r}", "result.seat")
    if result.reason in {"agreed", "called_off"} and set(result.ranks) != {1}:
        raise BadRecord(
            f"when the reason is {result.reason!r}, everybody has the first place", "result.ranks"
        )


def write_record(record: Record) -> bytes:
    """Return the record as JSON, with one line for each field and each ply, and a newline at the end.

    Parsing the result gives an equal record. Raise BadRecord if the result would be too large.
    """
    lines = ["{"]
    plain = to_plain(record)
    del plain["plies"]
    rows = [_json(row) for row in _rows(record)]
    lines.extend(f"  {_json(name)}: {_json(value)}," for name, value in plain.items())
    if rows:
        lines.append('  "plies": [')
        lines.extend(f"    {row}," for row in rows[:-1])
        lines.extend((f"    {rows[-1]}", "  ]"))
    else:
        lines.append('  "plies": []')
    lines.append("}\n")
    data = "\n".join(lines).encode()
    if len(data) > LARGEST:
        raise BadRecord(f"it would have {len(data):,} bytes; a record has at most {LARGEST:,}")
    return data


def _rows(record: Record) -> list[list[object]]:
    rows = (msgspec.to_builtins(entry) for entry in record.plies)
    return [row if row[-1] is not None else row[:-1] for row in rows]


def to_plain(record: Record) -> dict[str, object]:
    """Return the record as JSON values, in the form of its file."""
    plain: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(record, plies=()))
    plain["plies"] = _rows(record)
    if record.proof is None:
        del plain["proof"]
    if record.origin is None:
        del plain["origin"]
    if record.fairness is not None and record.fairness.deal is None:
        del plain["fairness"]["deal"]  # type: ignore[attr-defined]
    return plain


def _json(value: object) -> str:
    text = msgspec.json.format(msgspec.json.encode(value), indent=0)
    return text.decode()


def share_of(match: Match, chance: ChanceOutcome) -> Share:
    """Return the range of random numbers that gives an outcome of chance in the match's current position.

    Raise BadRecord if the outcome is not possible there.
    """
    low = 0
    found: Share | None = None
    weights = match.chances()
    total = sum(weight for _, weight in weights)
    for outcome, weight in weights:
        if outcome == chance:
            found = Share(low, low + weight, total)
        low += weight
    if found is None:
        raise BadRecord("this outcome of chance is not possible here")
    return found


def compose(
    match: Match,
    *,
    table: str,
    seats: Sequence[Seat],
    created: datetime,
    finished: datetime | None = None,
    times: Sequence[int] = (),
    fairness: Fairness | None = None,
    result: Result | None = None,
    origin: Origin | None = None,
) -> Record:
    """Return the record of a match in its current state.

    ``times`` has a number for each ply, in milliseconds since the start. Pass ``result`` only for a game that was
    not played out (resigned, agreed, ...).
    """
    outcome = match.outcome
    if result is None and outcome is not None:
        result = Result(reason="played", ranks=outcome.ranks, scores=outcome.scores, ply=match.ply)
    entries: list[Entry] = []
    for ply in match.plies:
        before = entries[-1].ms if entries else 0
        # A clock that was set back must not make an unreadable record.
        ms = max(before, times[ply.number]) if ply.number < len(times) else before
        share = None
        if isinstance(ply.deed, ChanceOutcome):
            share = share_of(match.match_at(ply.number), ply.deed)
        entries.append(Entry(ply.seat, ply.text, ms, share))
    return Record(
        game=match.game.name,
        rules=match.game.version,
        table=table,
        created=to_the_second(created),
        finished=None if finished is None else to_the_second(finished),
        seats=tuple(seats),
        options=write_options(match.options),
        origin=origin,
        fairness=fairness,
        result=result,
        plies=tuple(entries),
    )


def write_options(settled: Settled) -> dict[str, str]:
    """Return the value of every option as text: ``on``, ``again``, ``3/2/3``."""
    return {name: write_value(value) for name, value in settled.items()}


def to_the_second(moment: datetime) -> datetime:
    """Return the moment in UTC, without fractions of a second. Records store all dates in this form."""
    return moment.astimezone(UTC).replace(microsecond=0)
