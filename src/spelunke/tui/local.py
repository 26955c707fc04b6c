"""A table on this machine: people at this screen, and bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from spelunke.boards.scene import Scene
from spelunke.bots.local import LocalGame
from spelunke.core.errors import SpelunkeError
from spelunke.core.outcome import Outcome
from spelunke.tui.desk import Chair, Desk, Line, Moment, Offer, Refused, Tone, write_hint
from spelunke.tui.words import game_words, say_refusal
from spelunke.tui.words import translate as _

PACE = 0.35
"""The pause in seconds after each action of a bot. Any key skips the remaining pauses."""


class LocalDesk(Desk):
    """A local game. If several people share the screen, the screen shows only what the person to act may see.

    ``make`` returns a new game. It is called at the beginning, and again when the person wants another game.
    ``pace`` is the pause in seconds after each action of a bot.
    """

    def __init__(self, make: Callable[[], LocalGame], pace: float = PACE) -> None:
        super().__init__()
        self.game = game = make()
        self._make = make
        self.title = game.match.game.title
        self._pace = pace
        self._hurried = asyncio.Event()
        self._wake = asyncio.Event()
        self._words = game_words(game.match.game)
        self._seat = min(game.people)
        self._behind = False
        self._lines: tuple[Line, ...] = ()
        self._told = 0
        self._refresh()

    @property
    def moment(self) -> Moment:
        """The present state of the table."""
        return self._moment

    async def run(self) -> None:
        """Let bots and chance act until a person must act, or until the game is over.

        After each action of a person, let bots and chance act again.
        """
        while True:
            self._wake.clear()
            while await self._step():
                if not self._pace:
                    continue  # nobody would see it before the next action
                self._refresh()
                plies = self.game.match.plies
                if plies and plies[-1].seat >= 0 and not self._hurried.is_set():
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._hurried.wait(), self._pace)
            self._hurried.clear()
            self._turn_round()
            self._refresh()
            await self._wake.wait()

    async def _step(self) -> bool:
        return await asyncio.to_thread(self.game.step)

    def _turn_round(self) -> None:
        """Switch to the view of a person who is to act, unless the person whose view is shown is to act.

        After a switch in a game with hidden information, hide the board.
        """
        asked = self.game.asked
        if not asked or self._seat in asked:
            return
        self._seat = asked[0]
        self._told, self._lines = 0, ()
        self._behind = self.game.match.game.hidden

    def lift(self) -> None:
        """Show the hidden board: the next player now sits at the screen."""
        self._behind = False
        self._refresh()

    def hurry(self) -> None:
        """Skip the pauses after the bots' actions until a person is to act."""
        if not self.game.asked:
            self._hurried.set()

    async def play(self, move: str) -> None:
        """Play a move for the person at the screen. Raise Refused if the move can't be played.

        If it is too late to play or to change a sealed choice, do nothing.
        """
        if self._seat not in self.game.match.actors and not self.game.match.revisions(self._seat):
            return  # a key that came too late
        try:
            self.game.act(self._seat, move)
        except SpelunkeError as error:
            raise Refused(say_refusal(error, self.game.match.game)) from None
        self._refresh()
        self._wake.set()

    async def do(self, operation: str, **fields: object) -> Desk | None:
        """Take a move back (``undo``), show the hidden board (``lift``), or begin another game (``again``).

        Raise Refused for other operations, and if there is no move to take back.
        """
        if operation == "again":
            return LocalDesk(self._make, self._pace)
        if operation == "lift":
            self.lift()
            return None
        if operation != "undo":
            raise Refused(_("That isn't possible in a local game."))
        try:
            self.game.undo(self._seat)
        except SpelunkeError:
            raise Refused(
                _(
                    "There is nothing to take back: you can take a move back only until chance or another player acts."
                )
            ) from None
        self._told, self._lines = 0, ()
        self._refresh()
        return None

    def offers(self, what: Offer) -> bool:
        """Return True: a local game offers a record, hints, and another game."""
        return True

    async def record(self) -> bytes | None:
        """Return the record of a finished game, or None while the game runs.

        A record contains the seed. In a running game, the seed would reveal all coming dice and draws.
        """
        return self.game.write_record() if self.game.match.over else None

    async def hint(self) -> tuple[Line, ...]:
        """Return the moves with their values, computed only from the seat's knowledge."""
        from spelunke.analysis.analysis import by_share
        from spelunke.solvers.analysis import judge

        try:
            found = await asyncio.to_thread(judge, self.game.match, None, self._seat)
        except SpelunkeError as error:
            raise Refused(say_refusal(error, self.game.match.game)) from None
        return tuple(
            Line(number, write_hint(one.move, one.value.chance, one.share))
            for number, one in enumerate(by_share(found.alternatives), 1)
        )

    # --- the moment

    def _refresh(self) -> None:
        self._moment = self._look()
        self.changed()

    def _look(self) -> Moment:
        match, seat = self.game.match, self._seat
        viewer = self.game.viewers[seat]
        self._lines += tuple(self._news())
        self._told = match.ply
        scene = Scene(
            view=viewer.view,
            seat=seat,
            names=self.game.names,
            legal=viewer.legal,
            revise=viewer.revise,
            last=viewer.last(),
            actors=match.actors,
            over=match.over,
            outcome=match.outcome,
            translate=self._words,
        )
        return Moment(
            game=match.game,
            scene=scene,
            status="over" if match.over else "playing",
            turn=say_turn(self.game.names, match.actors, match.outcome, seat),
            chairs=tuple(
                Chair(
                    seat=each,
                    name=name,
                    kind="person" if each in self.game.people else "bot",
                    acts=each in match.actors,
                    mine=each == seat,
                )
                for each, name in enumerate(self.game.names)
            ),
            log=() if self._behind else self._lines,  # only the next player may read it
            may=frozenset({"undo"} if match.plies and match.plies[-1].seat == seat else ()),
            curtain=self.game.names[seat] if self._behind else "",
            seats=match.seats,
            options=match.options,
        )

    def _news(self) -> list[Line]:
        found = []
        viewer = self.game.viewers[self._seat]
        for told in viewer.history(self._told, names=self.game.names, translate=self._words):
            tone: Tone = "mine" if told.seat == self._seat else "others"
            if told.event.heading:
                tone = "heading"
            elif told.event.detail:
                tone = "detail"
            found.append(Line(told.ply, told.text, tone))
        return found


def say_turn(
    names: tuple[str, ...], actors: tuple[int, ...], outcome: Outcome | None, seat: int | None
) -> str:
    """Return a sentence that says who is to act, or the result of a finished game."""
    if outcome is not None:
        points = ", ".join(f"{name} {score}" for name, score in zip(names, outcome.scores, strict=True))
        if len(outcome.winners) == 1:
            return _("{name} wins: {points}.").format(name=names[outcome.winners[0]], points=points)
        winners = _.list([names[winner] for winner in outcome.winners])
        return _("{names} share the win: {points}.").format(names=winners, points=points)
    if seat in actors:
        return _("Your turn")
    if not actors:
        return _("Chance decides.")
    return _.many("{names} is to move.", "{names} are to choose.", len(actors)).format(
        names=_.list([names[actor] for actor in actors])
    )
