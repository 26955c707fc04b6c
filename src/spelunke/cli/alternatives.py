"""Texts for the moves and marks of an analysis, for the terminal and for an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spelunke.cli.words import game_words, house_words
from spelunke.cli.words import translate as _
from spelunke.core.words import plain

if TYPE_CHECKING:
    from spelunke.analysis.analysis import Alternative, Analysis, Decision, Total, Value


MARKS = {
    "blunder": (plain("blunder"), plain("blunders")),
    "mistake": (plain("mistake"), plain("mistakes")),
    "inaccuracy": (plain("inaccuracy"), plain("inaccuracies")),
}


def write_alternative(one: Alternative) -> str:
    """Return a move with its value as text.

    If the players choose secretly, the best play is random. Then the text also has the probability of the move in
    the best play. If the analysis did not examine the move, the text has only an upper bound of the chance to win.
    """
    if one.value.bounded:
        return f"{one.move} ({write_chance(one.value)})"
    told = f"{write_chance(one.value)}, {one.value.points:+.1f}"
    if one.share is not None:
        told = _("{value}, chosen by the best play in {n} of 100 cases").format(
            value=told, n=write_often(one)
        )
    return f"{one.move} ({told})"


def write_chance(value: Value) -> str:
    """Return a chance to win as text. If the analysis did not examine the move, the text says “at most”."""
    told = f"{100 * value.chance:.1f} %"
    return _("at most {chance}").format(chance=told) if value.bounded else told


def write_often(one: Alternative) -> str:
    """Return the probability of this move in the best play, in percent, or an empty text if the choice isn't secret."""
    return "" if one.share is None else f"{100 * one.share:.0f}"


def write_method(found: Analysis) -> str:
    """Return the description of an analysis's method in the chosen language.

    The description comes from the server or from a game, so the translators of both are used.
    """
    from spelunke.games import find_game

    return house_words()(game_words(find_game(found.game))(found.method))


def write_lost(total: Total) -> str:
    """Return the mean loss of chance to win per unforced decision, in percentage points."""
    return f"{100 * total.cost_chance / max(1, total.decisions):.2f} %"


def shown_alternatives(one: Decision, width: int) -> tuple[Alternative, ...]:
    """Return the ``width`` best moves.

    If the choice is secret, return only moves with the same first word as the played move, sorted by their
    probability in the best play. In this case, a ``width`` below 3 counts as 3.
    """
    if not one.secret:
        return one.alternatives[:width]
    kind = one.played.split()[0]
    same = [a for a in one.alternatives if a.move.split()[0] == kind]
    return tuple(sorted(same, key=lambda a: -(a.share or 0.0))[: max(3, width)])


def say_marks(found: Analysis) -> str:
    """Return sentences that explain the marks of this analysis, such as “blunder”."""
    from spelunke.analysis.analysis import SURE

    marks = ", ".join(
        _("{mark} from {least}").format(mark=name_mark(name), least=f"{100 * least:g}")
        for name, least in found.thresholds.items()
    )
    told = [
        _(
            "The mark of a decision depends on how many percentage points it takes off the chance to win: {marks}."
        ).format(marks=marks)
    ]
    if any(one.cost_error for one in found.decisions):
        told.append(
            _(
                "A decision is marked only if its cost is at least {factor} times the standard error of this "
                "cost (±)."
            ).format(factor=f"{SURE:g}")
        )
    if len(found.seats) > 2:
        told.append(
            _(
                "The lead compares a player with the best other player. All other numbers of points compare a "
                "player with the average of the others."
            )
        )
    told.append(_("Ten errors that each cost 10 percentage points add up to one win given away."))
    return " ".join(told)


def name_mark(mark: str) -> str:
    """Return the name of a decision's mark, such as ``blunder``, in the chosen language."""
    return _(MARKS[mark][0]) if mark in MARKS else mark


def name_marks(mark: str) -> str:
    """Return the plural name of a mark."""
    return _(MARKS[mark][1]) if mark in MARKS else mark
