"""The coach, who gives advice to a person who plays against bots only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from spelunke.analysis.analysis import Judgement
from spelunke.core.values import View
from spelunke.core.words import Translator, plain
from spelunke.games.explaining import Against, InFavour
from spelunke.games.match import Match
from spelunke.house.play import TableStore
from spelunke.house.refusals import NotNow, NotSeated
from spelunke.house.sight import Viewer
from spelunke.house.study.judging import Judging, as_known
from spelunke.house.study.teller import as_texts, leave_out_contrary, say_to_player

SHOWN = 3
"""The number of moves in a coach's first impression."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """A coach's advice on a decision.

    ``judgement`` has the values of the examined moves: of many similar moves, a game may examine only the best.
    ``told`` has each of these moves as an instruction to the person, and ``why`` the reasons for and against each of
    them, in the order of ``judgement``. ``doubtful``: there are reasons against the best move, and none for it. If the
    advice is not doubtful, ``why`` leaves out the reasons against the best move.
    """

    judgement: Judgement
    told: tuple[str, ...]
    why: tuple[tuple[str, ...], ...] = ()
    doubtful: bool = False


class FirstLook(msgspec.Struct, frozen=True, kw_only=True):
    """A coach's first impression: the moves that look best after a short computation, the best first.

    ``told`` has each of these moves as an instruction to the person. ``why`` has the reasons for and against each
    move, but none against the best move. ``alike``: there are several moves, and after the short computation, all
    of them seem equally good.
    """

    moves: tuple[str, ...]
    told: tuple[str, ...]
    why: tuple[tuple[str, ...], ...]
    alike: bool


class Coach:
    """Gives advice to a person during a game against bots. The advice uses only what this person may see."""

    def __init__(self, table_store: TableStore, judging: Judging) -> None:
        self._tables = table_store
        self._judging = judging

    def advise(
        self,
        table_id: str,
        person: str,
        *,
        translate: Translator = plain,
        patience: float | None = None,
    ) -> Advice:
        """Return the values of the person's possible moves, with a sentence and reasons for each (see `Advice`).

        Raise UnknownTable, or NotSeated if the person has no seat. Raise NotNow if the coach does not help in
        this game, or if it is not the person's turn. Raise TooFast if too many requests wait, or NotYet if the
        advice takes longer than `patience` seconds.
        """
        at = self._find_decision(table_id, person)
        found = self._judging.judge(at.match, at.seat, patience)
        moves = [one.move for one in found.alternatives]
        why = at.explain(moves, translate)
        kinds = {type(reason) for reason in why[0]}
        doubtful = Against in kinds and InFavour not in kinds
        return Advice(
            judgement=found,
            told=at.tell(moves, translate),
            why=tuple(map(as_texts, why if doubtful else _without_contrary(why))),
            doubtful=doubtful,
        )

    def glance(self, table_id: str, person: str, *, translate: Translator = plain) -> FirstLook:
        """Return the moves that look best after a short computation, without values.

        Raise UnknownTable, NotSeated or NotNow, as `advise` does.
        """
        at = self._find_decision(table_id, person)
        game = at.match.game
        found = game.hooks.playouts().first_look(at.view, at.match.legal(at.seat))
        best = sorted(found, key=lambda one: -one[1])[:SHOWN]
        moves = [game.notation.write(action) for action, _value in best]
        return FirstLook(
            moves=tuple(moves),
            told=at.tell(moves, translate),
            why=tuple(map(as_texts, _without_contrary(at.explain(moves, translate)))),
            alike=len(found) > 1 and len({value for _action, value in found}) == 1,
        )

    def _find_decision(self, table_id: str, person: str) -> _Decision:
        with self._tables.open(table_id) as slot:
            viewer = Viewer.of(slot.table, person)
            if viewer.seat is None:
                raise NotSeated("you have no seat at this table; you may watch")
            if slot.table.lesson is not None:
                raise NotNow(
                    "the coach does not help in a lesson, because the lesson explains each move itself"
                )
            if slot.table.facts.deal is not None:
                raise NotNow("the coach does not help in games of the day or in tournaments")
            if not viewer.may_be_coached:
                raise NotNow("the coach helps only if all your opponents are bots")
            match, names = slot.table.match, slot.table.names
            if match is None or viewer.seat not in match.actors:
                raise NotNow("it is not your turn; ask the coach on your turn")
            return _Decision(as_known(match, viewer.seat), viewer.seat, match.view(viewer.seat), names)


def _without_contrary(why: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Leave out the reasons against the first move, so that no reason argues against the advice."""
    first, *others = why
    return [leave_out_contrary(first), *others]


class _Decision(NamedTuple):
    """A decision in a running game, with a match and a view that contain only what the seat knows."""

    match: Match
    seat: int
    view: View
    names: tuple[str, ...]

    def tell(self, moves: Iterable[str], translate: Translator) -> tuple[str, ...]:
        """Return each move in `moves` as an instruction to the seat."""
        return tuple(say_to_player(self.match, self.seat, move, self.names, translate) for move in moves)

    def explain(self, moves: Iterable[str], translate: Translator) -> tuple[tuple[str, ...], ...]:
        """Return the reasons for and against each move in `moves`."""
        reasons = self.match.game.hooks.reasons
        return tuple(reasons(self.match.parse(move), self.view, self.names, translate) for move in moves)
