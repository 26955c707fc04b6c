"""Let people take moves back: at once against bots, and otherwise with the permission of the other people.

For the reasons, see docs/why/undo.md.
"""

from __future__ import annotations

import secrets
from typing import Literal

from spelunke.core.errors import GameOver
from spelunke.house.messages import Answer
from spelunke.house.play.play import check_key
from spelunke.house.play.table_store import TableStore
from spelunke.house.play.turns import Tries, Turn
from spelunke.house.refusals import NotNow
from spelunke.house.sight import Viewer
from spelunke.house.table import AGREE, ASK, REFUSE, UNDO, deciders, mates, seat_to_undo, undoable


class Undoing:
    """Takes moves back: a person asks to take back their own newest move, and the other people answer.

    The log stores each request and each answer as a note (a row that is no ply of the match). So the record
    of a game proves who asked and who agreed.
    """

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store

    def undo(
        self,
        table_id: str,
        person: str,
        *,
        answer: Literal["ask", "agree", "refuse"] = "ask",
        key: str | None = None,
    ) -> Answer:
        """Take back the person's newest move, ask the other people for permission, or answer such a request.

        If all other players are bots or play on the same device, the move is taken back at once. In this
        case, people at one device can also take back each other's newest move if the game hides nothing. If people
        play on other devices too, the move is taken back when all other people have agreed.

        If the seat has already acted with the same `key`, return the status ``repeated``. Raise UnknownTable. Raise
        NotSeated if the person has no seat, NotNow if the request or the answer is not possible now, GameOver if the
        game is not running, SiteClosed while the game is paused, or BadPlan if `key` is malformed.
        """
        key = check_key(key) if key else secrets.token_hex(8)
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                viewer, seat = turn.viewer(person)
                if turn.table.log.has(seat, key):
                    return viewer.answer("repeated")
                if not turn.table.running:
                    raise GameOver("the game is over; no move can be taken back any more")
                if answer == "ask":
                    mover = seat_to_undo(turn.table, seat)
                    if mover != seat:  # a mate at the same device, who makes the request
                        viewer, seat = turn.viewer(str(turn.table.facts.chairs[mover].person))
                        if turn.table.log.has(seat, key):
                            return viewer.answer("repeated")
                    return self._ask(turn, viewer, seat, key)
                return self._answer(turn, viewer, seat, key, agrees=answer == "agree")

    def _ask(self, turn: Turn, viewer: Viewer, seat: int, key: str) -> Answer:
        word = undoable(turn.table, seat)
        if word not in {"undo", "ask_undo"}:
            raise NotNow(_why_not(turn, seat))
        beside = mates(turn.table, seat) if word == "undo" else ()
        if beside:  # the record proves their consent too
            turn.apply(seat, ASK)
            for mate in beside:
                turn.apply(mate, AGREE)
        return turn.play(viewer, UNDO if word == "undo" else ASK, key)

    def _answer(self, turn: Turn, viewer: Viewer, seat: int, key: str, *, agrees: bool) -> Answer:
        asking = turn.table.asking
        if undoable(turn.table, seat) != "answer_undo" or asking.by is None:
            raise NotNow("nobody is asking to take a move back now")
        if not agrees:
            return turn.play(viewer, REFUSE, key)
        turn.apply(seat, AGREE, key)
        if deciders(turn.table, asking.by) <= asking.agreed:
            turn.apply(asking.by, UNDO)
        turn.commit()
        return Viewer(turn.table, seat).answer("done")


def _why_not(turn: Turn, seat: int) -> str:
    table = turn.table
    if table.asking.by == seat:
        return "you have asked already; wait for the answer"
    if table.match is not None and table.asking.since == table.match.ply:
        return "another player has said no; the move stays"
    return (
        "this move can't be taken back: you can take back only your newest move, and only until somebody else "
        "moves, dice are rolled, or something hidden is shown"
    )
