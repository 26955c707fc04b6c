"""Replay a record: check each ply and the result against the rules."""

from __future__ import annotations

from spelunke.core.contract import CHANCE
from spelunke.core.errors import BadInput, BadRecord, SpelunkeError
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.position import build_match
from spelunke.records.record import Entry, Record, check_record


def replay(record: Record, until: int | None = None) -> Match:
    """Return the match of a record after ``until`` plies. By default, play all plies, and also check the result.

    Raise UnknownGame if the game is not installed. Raise BadRecord if the record does not fit the game, or if its
    result is wrong. Also raise BadRecord, with the place (``plies[17]``), at the first entry that the rules don't
    allow. Raise BadInput if ``until`` is below 0 or above the number of plies.
    """
    game = check_record(record)
    if until is not None and not 0 <= until <= len(record.plies):
        raise BadInput(f"there is no ply {until}; the record has plies 0 to {len(record.plies)}", "until")
    match = open_match(record, game)
    for number, entry in enumerate(record.plies[:until]):
        try:
            step(match, entry)
        except SpelunkeError as error:
            raise BadRecord(str(error), f"plies[{number}]") from None
    if until is None:
        check_result(record, match)
    return match


def open_match(record: Record, game: Game) -> Match:
    """Return the match of a record before its first ply.

    Raise BadRecord if the game began from a position that does not fit the game, the seats or the options.
    """
    start = Match(game, len(record.seats), record.options)
    if record.origin is None:
        return start
    try:
        match = build_match(game, dict(record.origin.position))
    except BadInput as error:
        raise BadRecord(error.reason, f"origin.position.{error.place}".rstrip(".")) from None
    if (match.seats, match.options) != (start.seats, start.options):
        raise BadRecord("the position's seats and options are not those of the record", "origin.position")
    return match


def step(match: Match, entry: Entry) -> None:
    """Play one entry of a record. If it can't be read or played, raise SpelunkeError and change nothing."""
    if entry.seat == CHANCE:
        match.apply_chance(match.game.notation.parse_chance(entry.text))
    else:
        match.act(entry.seat, match.parse(entry.text))


def check_result(record: Record, match: Match) -> None:
    """Raise BadRecord if the record's result differs from the result of the played match."""
    outcome, result = match.outcome, record.result
    if result is None:
        if outcome is not None:
            raise BadRecord("the game is over, but the record has no result", "result")
    elif result.reason != "played":
        if outcome is not None:
            raise BadRecord(
                f"the game was played to its end, so it can't be {result.reason!r}", "result.reason"
            )
    elif outcome is None:
        raise BadRecord("the game is not over after the last ply; plies are missing", "result")
    elif result.scores != outcome.scores:
        raise BadRecord(
            f"the scores are {_list(outcome.scores)}, not {_list(result.scores)}", "result.scores"
        )
    elif result.ranks != outcome.ranks:
        raise BadRecord(f"the places are {_list(outcome.ranks)}, not {_list(result.ranks)}", "result.ranks")


def _list(numbers: tuple[int, ...] | None) -> str:
    return ", ".join(str(number) for number in numbers or ())
