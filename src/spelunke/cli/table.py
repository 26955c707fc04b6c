"""A match as text: the game's own terminal board, the seat to act, the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spelunke.cli.words import game_words
from spelunke.cli.words import translate as _

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spelunke.boards.scene import Scene
    from spelunke.core.outcome import Outcome
    from spelunke.games.match import Match
    from spelunke.records.viewer import MatchViewer


def default_names(match: Match) -> tuple[str, ...]:
    """Return a default name for each seat, such as ``Seat 0``. Seats count from 0, as in moves and records."""
    return tuple(_("Seat {n}").format(n=seat) for seat in range(match.seats))


def scene_of(viewer: MatchViewer, names: Sequence[str]) -> Scene:
    """Return the scene for this viewer: everything that the game needs to draw its board."""
    from spelunke.boards.scene import Scene

    match = viewer.match
    return Scene(
        view=viewer.view,
        seat=viewer.seat,
        names=tuple(names),
        legal=viewer.legal,
        last=viewer.last(),
        actors=match.actors,
        over=match.over,
        outcome=match.outcome,
        translate=game_words(match.game),
    )


def render_board(viewer: MatchViewer, names: Sequence[str]) -> RenderableType:
    """Return an object that the library Rich can print: the board as this viewer sees it."""
    return viewer.match.game.hooks.render_terminal(scene_of(viewer, names))


def tell_turn(match: Match, names: Sequence[str]) -> str:
    """Return a sentence with the result if the match is over. Otherwise it names the seats to act, or says that
    chance decides.
    """
    if (outcome := match.outcome) is not None:
        return tell_outcome(outcome, names)
    if match.chance:
        return _("Chance decides.")
    text = _.many("{names} is to move.", "{names} are to choose.", len(match.actors))
    return text.format(names=_.list([names[seat] for seat in match.actors]))


def tell_outcome(outcome: Outcome, names: Sequence[str]) -> str:
    """Return a sentence with the scores and the winners."""
    points = ", ".join(f"{name} {score}" for name, score in zip(names, outcome.scores, strict=True))
    winners = [names[seat] for seat in outcome.winners]
    if len(winners) == 1:
        return _("{name} wins: {points}.").format(name=winners[0], points=points)
    return _("{names} share the win: {points}.").format(names=_.list(winners), points=points)


MOVES_SHOWN = 24
"""The greatest number of legal moves in the line before a decision."""


def say_moves(texts: Sequence[str], command: str, most: int | None = None) -> str:
    """Return a line with the legal moves.

    If there are more than ``most``, the line has only the first ones, and names the ``command`` that lists all. If
    ``most`` is None, it is `MOVES_SHOWN`. If there is only one move, the line says that Enter plays it.
    """
    if len(texts) == 1:
        return _("Enter plays the only move: {move}.").format(move=texts[0])
    most = MOVES_SHOWN if most is None else most
    rest, moves = len(texts) - most, ", ".join(texts[:most])
    told = (
        _.many(
            "Moves: {moves} and {n} more (`{command}` lists all)",
            "Moves: {moves} and {n} more (`{command}` lists all)",
            rest,
        )
        if rest > 0
        else _("Moves: {moves}")
    )
    return told.format(moves=moves, n=rest, command=command)
