"""A problem from a server, shown like a game. The first move is the answer. Then the log shows the moves' values."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from spelunke.core.errors import UnknownGame
from spelunke.games import find_game
from spelunke.tui.client import Client, Json
from spelunke.tui.desk import Desk, Line, Moment, Refused
from spelunke.tui.live import read_scene
from spelunke.tui.words import translate as _

AROUND: Mapping[str, Json] = {
    "revise": (),
    "last": (),
    "result": None,
    "status": "playing",
    "table": "study",
    "standing": None,
    "pause_ms": None,
    "pause_left_ms": None,
}
"""The fields of a table's state that a problem does not have."""


def write_chance(chance: float) -> str:
    """Return a chance from 0 to 1 as a percentage with one decimal place."""
    return f"{100 * chance:.1f} %"


class ProblemDesk(Desk):
    """A problem. ``explained`` is the server's answer to the person's move, or None before the move."""

    def __init__(self, client: Client, problem: Mapping[str, Json]) -> None:
        super().__init__()
        self.client = client
        self.problem = problem
        self.title = str(problem["title"])
        try:
            self._game = find_game(str(problem["game"]))
        except UnknownGame:
            text = _("The game {game} is not installed here.")
            raise Refused(text.format(game=self.title)) from None
        self._scene = read_scene(self._game, {**AROUND, "actors": [problem["seat"]], **problem})
        self.explained: dict[str, Json] | None = None
        self.answered = ""
        self._acting = False

    @classmethod
    async def open(cls, client: Client, game: str, problem: str) -> ProblemDesk:
        """Fetch a problem. Raise Refused if the server returns none.

        Also raise Refused if this machine lacks the problem's game, or has another version of its rules.
        """
        return cls(client, await client.ask("GET", f"/problems/{game}/{problem}"))

    @property
    def moment(self) -> Moment:
        """The position. After the person's answer, also the verdict and the values of the moves."""
        turn = _("Which move is the best?")
        if self.problem["secret"]:
            turn = _("All players choose at the same time here, so more than one answer may be right.")
        return Moment(
            game=self._game,
            scene=self._scene,
            status="over" if self.explained else "playing",
            turn=self._say_verdict() if self.explained else turn,
            log=self._list_values(),
        )

    def _say_verdict(self) -> str:
        assert self.explained is not None
        best = self.explained["moves"][0]
        if self.explained["right"]:
            return _("Right.")
        text = _("Better: {move}. Your move lowers the chance to win by {lost} percentage points.")
        return text.format(lost=f"{100 * self.explained['lost']:.1f}", move=best["move"])

    def _list_values(self) -> tuple[Line, ...]:
        if self.explained is None:
            return ()
        found = [Line(0, _("Theme: {theme}").format(theme=self.explained["theme"]), "heading")]
        for place, one in enumerate(self.explained["moves"], 1):
            mark = "✓" if one["right"] else "×"
            mine = one["move"] == self.answered
            text = f"{mark} {write_chance(one['chance']):>7}  {one['told']}"
            if one["share"] is not None:
                text += f" · {100 * one['share']:.0f} %"
            found.append(Line(place, text, "mine" if mine else "others"))
        return tuple(found)

    def worth(self, move: str) -> dict[str, Json] | None:
        """Return the value of a move and the reasons for this value.

        Return None until the person has answered the problem, and for a move of which the server sent no value.
        """
        if self.explained is None:
            return None
        return next((one for one in self.explained["moves"] if one["move"] == move), None)

    async def run(self) -> None:
        """Do nothing: a problem changes only when the person answers."""
        await asyncio.sleep(0)

    async def play(self, move: str) -> None:
        """Send a move as the person's answer. After the server has accepted an answer, ignore further moves.

        Also ignore moves while an answer is being sent. Raise Refused if the person is not logged in, or if the server
        refuses the move.
        """
        if self.explained is not None or self._acting:
            return
        if not self.client.token:
            raise Refused(_("First log in, or play as a guest."))
        self._acting = True
        try:
            path = f"/problems/{self.problem['game']}/{self.problem['id']}"
            self.explained = await self.client.insist(path, {"move": move})
            self.answered = move
        finally:
            self._acting = False
        self.changed()

    async def do(self, operation: str, **fields: object) -> Desk | None:
        """Raise Refused, because a problem has no operations besides its answer."""
        raise Refused(_("In a problem you can only give an answer."))
