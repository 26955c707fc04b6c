"""The house's own sentences about a table, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable

from spelunke.house.log import ALONE, AWAY, COME_BACK, DRAW, LESSON, READ, RESIGN, STAND_IN, TIME, Row
from spelunke.house.tables import Table

Words = Callable[[str], str]
"""Translates the house's sentences, or a game's."""


def say_note(row: Row, table: Table, names: tuple[str, ...], words: Words) -> str:
    """A note of the log."""
    word, _level = row.note
    name = names[row.seat]
    if word == TIME and table.facts.clock.when_out(table.seats) == "bot":
        return words("{name}'s time is up; a bot plays on.").format(name=name)
    said = {
        RESIGN: words("{name} resigns."),
        TIME: words("{name}'s time is up."),
        DRAW: words("A draw is agreed."),
        STAND_IN: words("A bot plays for {name} for now."),
        COME_BACK: words("{name} is back."),
        LESSON: words("{name} is taught the game; chance and the others follow the lesson."),
        READ: "",
        ALONE: words("{name} plays on alone."),
        AWAY: words("The house was away; the time for this decision begins anew."),
    }
    return said[word].format(name=name)


def say_result(
    winners: tuple[int, ...], reason: str, quit_by: int | None, names: tuple[str, ...], words: Words
) -> str:
    """How a game ended; `quit_by` resigned or ran out of time."""
    won = [names[seat] for seat in winners]
    if reason == "agreed":
        text = words("A draw was agreed.")
    elif len(won) == len(names):
        text = words("Nobody is ahead: the win is shared.")
    else:
        text = words("{winners} wins." if len(won) == 1 else "{winners} share the win.")
        text = text.format(winners=words(" and ").join(won))
    if quit_by is None:
        return text
    why = words("{name} resigned.") if reason == "resigned" else words("{name}'s time is up.")
    return f"{why.format(name=names[quit_by])} {text}"
