"""Write the alternatives and marks of an analysis, for the terminal and for an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spelunke.analysis.analysis import Alternative, Analysis, Decision, Total, Value


def write_alternative(one: Alternative) -> str:
    """Return a move with its value: a bound if it was not played out, the share if the choice is secret."""
    if one.value.bounded:
        return f"{one.move} ({write_chance(one.value)})"
    often = "" if one.share is None else f", {write_often(one)} of 100"
    return f"{one.move} ({write_chance(one.value)}, {one.value.points:+.1f}{often})"


def write_chance(value: Value) -> str:
    """Return a chance to win; "at most" if it was not played out."""
    return f"{'at most ' if value.bounded else ''}{100 * value.chance:.1f} %"


def write_often(one: Alternative) -> str:
    """Return how many of 100 secret choices should be this one, or an empty text if the choice is not secret."""
    return "" if one.share is None else f"{100 * one.share:.0f}"


def write_lost(total: Total) -> str:
    """Return the mean loss of a decision with a choice, as a part of the chance to win."""
    return f"{100 * total.cost_chance / max(1, total.decisions):.2f} %"


def shown_alternatives(one: Decision, width: int) -> tuple[Alternative, ...]:
    """Return the best alternatives; for a secret choice, those with the largest shares."""
    if not one.secret:
        return one.alternatives[:width]
    kind = one.played.split()[0]
    same = [a for a in one.alternatives if a.move.split()[0] == kind]
    return tuple(sorted(same, key=lambda a: -(a.share or 0.0))[: max(3, width)])


def say_marks(found: Analysis) -> str:
    """Return a sentence on the meaning of the marks in this analysis."""
    from spelunke.analysis.analysis import SURE

    marks = ", ".join(f"{name} from {100 * least:g} %" for name, least in found.thresholds.items())
    told = f"Marks by what a decision costs of the chance to win: {marks}."
    if any(one.cost_error for one in found.decisions):
        told += f" Only where that is at least {SURE:g} times its standard error."
    return told + " Ten errors that cost 10 % each give away one win."
