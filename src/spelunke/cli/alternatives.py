"""Alternatives and marks of an analysis in words: for the terminal and for a page of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spelunke.analysis.analysis import Alternative, Analysis, Decision, Total, Value


def write_alternative(one: Alternative) -> str:
    """A move with its value; of what was not played out its bound, of a secret choice how often it should come."""
    if one.value.bounded:
        return f"{one.move} ({write_chance(one.value)})"
    often = "" if one.share is None else f", {write_often(one)} of 100"
    return f"{one.move} ({write_chance(one.value)}, {one.value.points:+.1f}{often})"


def write_chance(value: Value) -> str:
    """A chance to win; of what was not played out that it is no more than so much."""
    return f"{'at most ' if value.bounded else ''}{100 * value.chance:.1f} %"


def write_often(one: Alternative) -> str:
    """How many of 100 secret choices should be this one; empty where nobody chooses in secret."""
    return "" if one.share is None else f"{100 * one.share:.0f}"


def write_lost(total: Total) -> str:
    """What a decision with a choice lost on average of the chance to win."""
    return f"{100 * total.cost_chance / max(1, total.decisions):.2f} %"


def shown_alternatives(one: Decision, width: int) -> tuple[Alternative, ...]:
    """The best ones; of a secret choice those that its mixture has most of."""
    if not one.secret:
        return one.alternatives[:width]
    kind = one.played.split()[0]
    same = [a for a in one.alternatives if a.move.split()[0] == kind]
    return tuple(sorted(same, key=lambda a: -(a.share or 0.0))[: max(3, width)])


def say_marks(found: Analysis) -> str:
    """What marks mean in this analysis."""
    from spelunke.analysis.analysis import SURE

    marks = ", ".join(f"{name} from {100 * least:g} %" for name, least in found.thresholds.items())
    told = f"Marks by what a decision costs of the chance to win: {marks}."
    if any(one.cost_error for one in found.decisions):
        told += f" Only where that is at least {SURE:g} times its standard error."
    return told + " Wins are counted in whole ones: ten errors that cost 10 % each give away one win."
