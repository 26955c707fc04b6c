"""A coach: what each move of a person is worth now, in a game against bots alone."""

from __future__ import annotations

from collections.abc import Callable

from spelunke.core.words import plain
from spelunke.house.messages import Advice
from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import NotNow, NotSeated
from spelunke.house.sight.viewers import Viewer
from spelunke.house.study.judging import Judging, as_known
from spelunke.house.study.teller import say_move


class Coach:
    """Advice for running games; what it rests on is what the person may see."""

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
        """Return what each move of the person is worth now, with a sentence and a reason for each.

        Raises NotSeated, NotNow where another person sits or when the person is not asked, TooFast while too many wait,
        NotYet where it takes longer than `patience` seconds.
        """
        with self._tables.open(table_id) as slot:
            viewer = Viewer.of(slot.table, person)
            if viewer.seat is None:
                raise NotSeated("you have no seat at this table; you may watch")
            if not viewer.may_be_coached:
                raise NotNow("a coach helps in games against bots alone, while they are played")
            match, names = slot.table.match, slot.table.names
            if match is None or viewer.seat not in match.actors:
                raise NotNow("it is not your turn; the coach speaks when you are asked")
            seat, view = viewer.seat, match.view(viewer.seat)
            here = as_known(match, seat)
        found = self._judging.judge(here, seat, patience)
        reasons = here.game.hooks.reasons
        return Advice(
            judgement=found,
            told=tuple(say_move(here, seat, one.move, names, translate) for one in found.alternatives),
            why=tuple(reasons(here.parse(one.move), view, names, translate) for one in found.alternatives),
        )
