"""The house's own sentences about a table, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable

from spelunke.house.table import (
    AGREE,
    ALONE,
    ASK,
    AWAY,
    CALLED_OFF,
    COME_BACK,
    DRAW,
    HOUSE_OFF,
    LEFT,
    LESSON,
    READ,
    REFUSE,
    RESIGN,
    STAND_IN,
    TIME,
    UNDO,
    Row,
    Table,
)

Words = Callable[[str], str]
"""Translates the sentences of the house, or of a game."""


def say_note(row: Row, table: Table, names: tuple[str, ...], words: Words) -> str:
    """Return the sentence of a note in the log."""
    word, _level = row.note
    name = names[row.seat]
    if word == TIME and table.facts.clock.when_out(table.seats) == "bot":
        return words("{name}'s time is up; a bot plays on.").format(name=name)
    if row.move == HOUSE_OFF:
        return words("A host of the house calls the game off.")
    if word == UNDO:
        return {
            UNDO: words("{name} takes the move back."),
            ASK: words("{name} asks to take the move back."),
            AGREE: words("{name} agrees."),
            REFUSE: words("{name} says no: the move stays."),
        }[row.move].format(name=name)
    said = {
        RESIGN: words("{name} resigns."),
        TIME: words("{name}'s time is up."),
        DRAW: words("A draw is agreed."),
        STAND_IN: words("A bot plays for {name} for now."),
        COME_BACK: words("{name} is back."),
        LESSON: words("{name} is taught the game; chance and the others follow the lesson."),
        READ: "",
        ALONE: words("{name} plays on alone."),
        LEFT: words("{name} has not come back."),
        CALLED_OFF: words("{name} calls the game off."),
        AWAY: words("The house was away; the time for this decision starts again."),
    }
    return said[word].format(name=name)


def say_result(
    winners: tuple[int, ...], reason: str, quit_by: int | None, names: tuple[str, ...], words: Words
) -> str:
    """Return the sentence for the end of a game; `quit_by` resigned, ran out of time or left."""
    won = [names[seat] for seat in winners]
    if reason == "agreed":
        text = words("A draw was agreed.")
    elif reason == "called_off":
        text = words("The game was called off: nobody wins.")
    elif len(won) == len(names):
        text = words("Nobody is ahead: the win is shared.")
    else:
        text = words("{winners} wins." if len(won) == 1 else "{winners} share the win.")
        text = text.format(winners=words(" and ").join(won))
    if quit_by is None:
        return text
    whys = {
        "resigned": words("{name} resigned."),
        "left": words("{name} did not come back."),
        "time": words("{name}'s time is up."),
    }
    return f"{whys[reason].format(name=names[quit_by])} {text}"
