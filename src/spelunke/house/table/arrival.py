"""Checks of a move text when it arrives.

A lesson may expect a different move, and a game may replace a move that arrives late.
"""

from __future__ import annotations

from spelunke.games.hooks import Hooks
from spelunke.games.lesson import LEARNER
from spelunke.house.refusals import NotNow
from spelunke.house.table.table import Table


def check_lesson(table: Table, seat: int, text: str) -> None:
    """Raise NotNow if the lesson expects the learner to play a different move, or to read a text first.

    Other seats may play any move. If the lesson expects a move, raise BadText if the learner's move text is malformed.
    """
    step = None if table.lesson is None or seat != LEARNER else table.lesson.waiting
    if step is None or table.match is None:
        return
    if not step.move:
        raise NotNow("read the lesson's text, then press Next")
    if table.game.notation.write(table.match.parse(text)) != step.move:
        raise NotNow("the lesson is waiting for a different move: follow its text, or play on without it")


def move_on_arrival(table: Table, seat: int, text: str, at: int) -> str:
    """Return the text of the move that the server plays when the move `text` of a seat arrives.

    `at` is the time of arrival in ms since 1970. In a game with the hook `action_on_arrival`, the server may
    play another move if the text arrives late. In such a game, return the move in its canonical form, and raise
    BadText if the text is malformed. In other games, return `text` without a check.
    """
    if table.match is None or Hooks.action_on_arrival not in table.game.hooks.offered:
        return text
    action = table.match.parse(text)
    since_first = None
    for index in range(table.decisions.opened[seat] or 0, table.row):
        ply = table.log.plies[index]
        if ply is not None and type(table.match.plies[ply].deed) is type(action):
            since_first = at - table.log.rows[index].at
            break
    counts = table.game.hooks.action_on_arrival(action, table.match.state, since_first)
    return table.game.notation.write(counts)
