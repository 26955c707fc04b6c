"""A coach: the value of each move of a person, in a game against bots alone."""

from __future__ import annotations

from collections.abc import Callable

from spelunke.core.words import plain
from spelunke.house.messages import Advice
from spelunke.house.play import TableStore
from spelunke.house.refusals import NotNow, NotSeated
from spelunke.house.sight import Viewer
from spelunke.house.study.judging import Judging, as_known
from spelunke.house.study.teller import say_move


class Coach:
    """Give advice on running games, based only on what the person may see."""

    def __init__(self, table_store: TableStore, judging: Judging) -> None:
        self._tables = table_store
        self._judging = judging

    def advise(
        self,
        table_id: str,
        person: str,
        *,
        translate: Callable[[str], str] = plain,
        patience: float | None = None,
    ) -> Advice:
        """Return the value of each move of the person, with a sentence and reasons for each.

        Raise NotSeated, NotNow if another person plays or it's not the person's turn, TooFast if too many
        wait, or NotYet if it takes longer than `patience` seconds.
        """
        with self._tables.open(table_id) as slot:
            viewer = Viewer.of(slot.table, person)
            if viewer.seat is None:
                raise NotSeated("you have no seat at this table; you may watch")
            if not viewer.may_be_coached:
                raise NotNow("the coach only helps in running games against bots alone")
            match, names = slot.table.match, slot.table.names
            if match is None or viewer.seat not in match.actors:
                raise NotNow("it is not your turn; ask the coach on your turn")
            seat, view = viewer.seat, match.view(viewer.seat)
            here = as_known(match, seat)
        found = self._judging.judge(here, seat, patience)
        reasons = here.game.hooks.reasons
        return Advice(
            judgement=found,
            told=tuple(say_move(here, seat, one.move, names, translate) for one in found.alternatives),
            why=tuple(reasons(here.parse(one.move), view, names, translate) for one in found.alternatives),
        )
