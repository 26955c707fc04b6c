"""Check whether the players of a record were allowed to take back the moves that they took back.

For the conditions, see docs/why/undo.md.
"""

from __future__ import annotations

from spelunke.core.contract import CHANCE
from spelunke.core.errors import SpelunkeError
from spelunke.core.kernel import copy
from spelunke.core.values import Action, State
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.games.match import Match
from spelunke.records.chain import AGREE, ASK, UNDO, Line
from spelunke.records.claims import Deviation
from spelunke.records.record import Record
from spelunke.records.sealing import Branch, lines_in, plies_before, undone_in
from spelunke.records.viewer import MatchViewer

GONE = ("!resign", "!bot", "!time", "!left")
"""Notes after which the person at a seat no longer plays.

After such a note, no undo needs the agreement of this seat, until the note ``!person`` follows.
"""


def may_take_back(game: Game, action: Action, before: State) -> bool:
    """Return whether an action that was played in the state ``before`` may be taken back.

    An action may be taken back if it neither revealed a hidden fact nor hid a visible one (hook ``reveals``). If the
    game lacks this hook, the action may be taken back only if the game has neither hidden facts nor simultaneous
    choices.
    """
    if game.hooks.has(Hooks.reveals):
        return not game.hooks.reveals(action, before)
    return not (game.hidden or game.together)


def find_wrong_undo(record: Record, match: Match) -> Deviation | None:
    """Return the first deviation from the conditions for taking moves back, or None.

    For the conditions, see docs/why/undo.md. ``match`` must be played to the end.
    """
    if record.proof is None:
        return None
    undone = undone_in(record.proof)
    lines = lines_in(record)
    if not undone and all(line.text != UNDO for line in lines):
        return None
    number_of = {one.row: number for number, one in enumerate(undone)}
    branch = Branch(MatchViewer(match, None))
    taking = _Taking(record)
    ply = 0
    for line in lines:
        reason = taking.follow(line)
        place = f"the note of row {line.number}"
        try:
            if line.undone:
                place = f"proof.undone[{number_of[line.number]}]"
                before = match.state_at(ply) if branch.state is None else copy(branch.state)
                branch.play(line, ply)
                if not reason and not may_take_back(match.game, branch.newest, before):
                    reason = (
                        f"{line.text!r} shows something hidden or hides something visible, so it can't be taken "
                        "back"
                    )
            elif line.text == UNDO and not reason:
                branch.take_back()
        except SpelunkeError as error:
            reason = reason or str(error)
        if reason:
            return Deviation(place=place, ply=plies_before(record, line.number), reason=reason)
        ply += not (line.is_note or line.undone)
    for line in taking.open:
        if line.undone:
            place = f"proof.undone[{number_of[line.number]}]"
            return Deviation(place=place, reason="no later row takes this move back")
    return None


class _Taking:
    """A check of each undo in a log, row by row.

    It stores the moves that can be taken back now, and the seats that have agreed.
    """

    def __init__(self, record: Record) -> None:
        self.open: list[Line] = []
        self._people = {seat for seat, one in enumerate(record.seats) if one.kind == "person"}
        self._asked: int | None = None
        self._agreed: set[int] = set()

    def follow(self, line: Line) -> str:
        """Check the next row of the log. Return the reason why it is wrong, or an empty text if it is right."""
        if not line.is_note:
            self._asked = None
            stays = [one for one in self.open if one.undone]
            same = all(one.seat == line.seat for one in self.open)
            if stays and (not same or not line.undone):
                return (
                    f"proof.undone lists the move in row {stays[-1].number}, but no note before this row takes it "
                    "back"
                )
            self.open = [*(self.open if same else ()), line] if line.seat != CHANCE else []
            return ""
        word = line.text.partition(" ")[0]
        if line.text == ASK:
            self._asked, self._agreed = line.seat, set()
        elif line.text == AGREE:
            self._agreed.add(line.seat)
        elif word in GONE:
            self._people.discard(line.seat)
        elif word == "!person":
            self._people.add(line.seat)
        elif line.text == UNDO:
            return self._take_back(line)
        return ""

    def _take_back(self, line: Line) -> str:
        newest = self.open[-1] if self.open else None
        if newest is None or newest.seat != line.seat:
            return f"seat {line.seat} had no move to take back here"
        if not newest.undone:
            return f"this note takes back the move in row {newest.number}, but proof.undone does not list that row"
        if newest.level is not None:
            return f"a bot made the move in row {newest.number}, so no person could take it back"
        others = self._people - {line.seat}
        if others and (self._asked != line.seat or not others <= self._agreed):
            return "not all other players had agreed to take this move back"
        self.open.pop()
        self._asked = None
        return ""
