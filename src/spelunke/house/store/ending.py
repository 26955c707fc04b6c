"""The stored ending of a game, and SQL expressions for its parts.

The ending is JSON text in `tables.outcome`. The expressions work on SQLite and PostgreSQL.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Integer, String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from spelunke.core.outcome import Outcome


class Ending(msgspec.Struct, frozen=True):
    """The stored ending of a game. ``scores`` is None if the game was not played to its end.

    ``helped`` has a number for each seat: 0 if the game counts for the seat's person, and otherwise a number for the
    reason why it does not, such as a bot's move for the person (see `house.table.seating`). In old endings ``helped``
    is empty.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str
    helped: tuple[int, ...] = ()


def write_ending(outcome: Outcome, helped: tuple[int, ...]) -> str:
    """Return the ending of a game as the text to store.

    `helped` has, for each seat, the reason why the game does not count for the seat's person, or 0.
    """
    scores = outcome.scores if outcome.reason == "played" else None
    return msgspec.json.encode(Ending(outcome.ranks, scores, outcome.reason, helped)).decode()


class ReasonOf(FunctionElement[str]):
    """The SQL expression for the reason why a game ended.

    Its argument is the column of the stored ending.
    """

    inherit_cache = True
    name = "reason_of"
    type = String()


class RankOf(FunctionElement[int]):
    """The SQL expression for a seat's rank in a stored ending.

    Its arguments are the columns of the ending and of the seat.
    """

    inherit_cache = True
    name = "rank_of"
    type = Integer()


class HelpOf(FunctionElement[int]):
    """The SQL expression for the entry of a seat in ``helped`` (see :class:`Ending`).

    If ``helped`` is empty, the expression gives 0. Its arguments are the columns of the stored ending and of the
    seat.
    """

    inherit_cache = True
    name = "help_of"
    type = Integer()


@compiles(ReasonOf, "sqlite")
def _reason_in_sqlite(element: ReasonOf, compiler: SQLCompiler, **given: object) -> str:
    (ending,) = (compiler.process(one, **given) for one in element.clauses)
    return f"json_extract({ending}, '$.reason')"


@compiles(ReasonOf, "postgresql")
def _reason_in_postgresql(element: ReasonOf, compiler: SQLCompiler, **given: object) -> str:
    (ending,) = (compiler.process(one, **given) for one in element.clauses)
    return f"(CAST({ending} AS JSON) ->> 'reason')"


@compiles(RankOf, "sqlite")
def _rank_in_sqlite(element: RankOf, compiler: SQLCompiler, **given: object) -> str:
    ending, seat = (compiler.process(one, **given) for one in element.clauses)
    return f"json_extract({ending}, '$.ranks[' || {seat} || ']')"


@compiles(RankOf, "postgresql")
def _rank_in_postgresql(element: RankOf, compiler: SQLCompiler, **given: object) -> str:
    ending, seat = (compiler.process(one, **given) for one in element.clauses)
    return f"CAST(CAST({ending} AS JSON) -> 'ranks' ->> {seat} AS INTEGER)"


@compiles(HelpOf, "sqlite")
def _help_in_sqlite(element: HelpOf, compiler: SQLCompiler, **given: object) -> str:
    (ending, seat) = (compiler.process(one, **given) for one in element.clauses)
    return f"coalesce(json_extract({ending}, '$.helped[' || {seat} || ']'), 0)"


@compiles(HelpOf, "postgresql")
def _help_in_postgresql(element: HelpOf, compiler: SQLCompiler, **given: object) -> str:
    (ending, seat) = (compiler.process(one, **given) for one in element.clauses)
    return f"coalesce(CAST(CAST({ending} AS JSON) -> 'helped' ->> {seat} AS INTEGER), 0)"
