"""A running table as it was some time ago, for spectators who see the game with a delay or watch open hands.

The earlier table is a separate `Table`, replayed from the first rows of the log. So its viewers can't receive
anything from later rows. Open hands are shown only in finished rounds. For the reasons, see
docs/why/watching.md.
"""

from __future__ import annotations

import bisect
import dataclasses

import msgspec

from spelunke.core.values import State
from spelunke.games.game import Game
from spelunke.house.table.table import Table


def find_behind(table: Table) -> Table:
    """Return the table as spectators may see it now.

    If the table has a delay and its game is running, the result is an earlier state of the table. Otherwise,
    the result is the table itself. The delay is a number of rows of the log. It counts only the rows that
    spectators notice, including notes. If it counted secret rows too, spectators could see when a secret row was added.
    The rows before the first decision set up the table and are always shown.
    """
    delay = table.facts.delay
    if not delay or not table.running:
        return table
    spectator = table.noticed(None)
    first = next((index for index, row in enumerate(table.log.rows) if row.seat >= 0), table.row)
    row = max(first, bisect.bisect_left(spectator.counts, max(0, spectator.seen - delay)))
    return _prefix(table, row)


def find_open_part(table: Table) -> Table | None:
    """Return the table as it was at the end of the newest round that ended with nothing hidden.

    At that time, all facts that were hidden before are public or no longer matter. So no seat can profit if
    spectators see them. If there is no such round, return None.
    """
    for row, ply in reversed(table.rounds.ends):
        if table.match is not None and hides_nothing(table.game, table.match.state_at(ply)):
            return _prefix(table, row)
    return None


def hides_nothing(game: Game, state: State) -> bool:
    """Return whether a spectator sees all of a state.

    A field that is empty or None hides nothing, even if the spectator's view lacks it.
    """
    whole = game.hooks.open_view(state)
    return whole is None or _without_empty(whole) == _without_empty(game.view.view(state, None))


def _without_empty(value: object) -> object:
    """Return a view as plain values, without fields that are None or empty. If nothing is left, return None."""
    if isinstance(value, msgspec.Struct) or dataclasses.is_dataclass(value):
        return _without_empty(msgspec.to_builtins(value))
    if isinstance(value, dict):
        found = {key: _without_empty(one) for key, one in value.items()}
        return {key: one for key, one in found.items() if one not in (None, [], {})} or None
    if isinstance(value, (list, tuple)):
        several = [_without_empty(one) for one in value]
        return several if any(one not in (None, [], {}) for one in several) else None
    return value


def _prefix(table: Table, row: int) -> Table:
    """Return the table as it was after row `row` of its log.

    The result is cached. If the next call is for the same row or a later row, it continues from the cached table.
    """
    kept = table.behind
    if kept is None or kept[1].row > row:
        facts = msgspec.structs.replace(table.facts, offers={})
        kept = (table.facts, Table(facts))
        kept[1].late = True
    elif kept[0] is not table.facts:
        kept[1].adopt(msgspec.structs.replace(table.facts, offers={}))
        kept = (table.facts, kept[1])
    table.behind = kept
    kept[1].replay(table.log.rows[kept[1].row : row])
    return kept[1]
