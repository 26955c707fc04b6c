"""Sentences for tables of all games, for example "Anna resigns.", in the reader's language."""

from __future__ import annotations

from spelunke.core.words import Translator
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
    ROUND_OFF,
    STAND_IN,
    TIME,
    UNDO,
    Row,
    Table,
)


def mark_order(sentence: str, _: Translator) -> str:
    """Return the sentence about a move, followed by a second sentence.

    The second sentence says that the reader's standing order (an instruction that the reader stored) chose the move.
    """
    return " ".join((sentence, _("Your standing order did this.")))


def say_note(row: Row, table: Table, names: tuple[str, ...], _: Translator) -> str:
    """Return the sentence for a note: a row of the log that is not part of the game itself, such as a resignation.

    If the note has no sentence, return an empty text.
    """
    word, _level = row.note
    name = names[row.seat]
    if word == TIME and table.facts.clock.when_out(table.seats) == "bot":
        return _("{name}'s time is up; a bot plays on.").format(name=name)
    if row.move == HOUSE_OFF:
        return _("A host of the site calls the game off.")
    if row.move == ROUND_OFF:
        return _("The time of the round is over: the game is called off.")
    if word == UNDO:
        return {
            UNDO: _("{name} takes the move back."),
            ASK: _("{name} asks to take the move back."),
            AGREE: _("{name} agrees."),
            REFUSE: _("{name} says no: the move stays."),
        }[row.move].format(name=name)
    said = {
        RESIGN: _("{name} resigns."),
        TIME: _("{name}'s time is up."),
        DRAW: _("A draw is agreed."),
        STAND_IN: _("A bot plays for {name} for now."),
        COME_BACK: _("{name} is back."),
        LESSON: _(
            "{name} plays a lesson, which decides the outcomes of chance and the moves of the other players."
        ),
        READ: "",
        ALONE: _("{name} plays on without the lesson."),
        LEFT: _("{name} has not come back."),
        CALLED_OFF: _("{name} calls the game off."),
        AWAY: _("The time for this decision starts again."),
    }
    return said[word].format(name=name)


def say_result(
    winners: tuple[int, ...], reason: str, quit_by: int | None, names: tuple[str, ...], _: Translator
) -> str:
    """Return the sentence for the end of a game.

    `winners` are the seats with rank 1. For `reason`, see `Result`. `quit_by` is the seat that resigned, ran
    out of time or left, or None.
    """
    won = [names[seat] for seat in winners]
    if reason == "agreed":
        text = _("A draw was agreed.")
    elif reason == "called_off":
        text = _("The game was called off: nobody wins.")
    elif len(won) == len(names):
        text = _("Nobody is ahead: all players share the win.")
    else:
        text = _.many("{winners} wins.", "{winners} share the win.", len(won)).format(winners=_.list(won))
    if quit_by is None:
        return text
    whys = {
        "resigned": _("{name} resigned."),
        "left": _("{name} did not come back."),
        "time": _("{name}'s time is up."),
    }
    return f"{whys[reason].format(name=names[quit_by])} {text}"
