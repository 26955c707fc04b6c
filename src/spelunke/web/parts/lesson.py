"""Draw the present step of a lesson, with the button that leads to the next step."""

from __future__ import annotations

import re

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.games.game import Game
from spelunke.house.messages import LessonLook, Look
from spelunke.web.parts.buttons import act_fields, render_buttons, render_form
from spelunke.web.parts.summary import render_go_on
from spelunke.web.words import translate as _
from spelunke.web.words import translator


def render_lesson(look: Look, lesson: LessonLook, game: Game) -> Markup:
    """Draw the present step of a lesson: its text, its number and its buttons.

    If the step waits for a move, the attribute `data-move` holds the move. A script marks the control to press next.
    After a press on any other move, the script inserts the name of the marked control into the sentence in the
    attribute `data-waits`, and shows this sentence. While a story shows the events before this step, the page shows the
    sentence in `data-meanwhile`, and a press on the lesson ends the story. A text that needs less than half of its space is `short`: a narrow
    page writes it in larger letters.
    """
    room, text = _keep_room(lesson, game), _say(look, lesson)
    # The results of a round are no step: the next one has the next number.
    results = look.summary is not None and "read_on" not in look.may
    return html(
        '<section id="lesson" class="lesson" aria-label="{}" data-move="{}" data-skips><div class="lesson-words" data-room="{}"><div>'
        '<p class="lesson-text{}" role="status" data-meanwhile="{}"><span>{}</span></p><p class="lesson-waits" role="status" data-waits="{}"></p></div></div>'
        '<div class="lesson-foot"><span class="lesson-count muted">{}</span>{}{}{}</div></section>',
        _("Lesson"),
        lesson.move or "",
        room,
        " short" if 2 * len(text) < len(room) else "",
        _("Watch what the others do."),
        text,
        _("The lesson needs a different move now. Look for the white ring, and press “{what}”."),
        "" if results else _("{n} of {all}").format(n=lesson.number, all=lesson.of),
        _render_on(look, lesson),
        _render_short(lesson, game),
        NOTHING if _ends_here(look, lesson) else join(render_buttons(look, game, "lesson")),
    )


def _keep_room(lesson: LessonLook, game: Game) -> str:
    """Return filler text as long as the longest text of a step, so that the board below never changes its place.

    The filler repeats one letter, so it reveals nothing of later steps.
    """
    whole = game.hooks.lesson()
    if whole is None:
        return ""
    steps = whole.steps if lesson.of == sum(step.waits for step in whole.steps) else whole.short
    longest = max(map(translator(game), {step.text for step in steps if step.text}), key=len, default="")
    return re.sub(r"\S", "e", longest)  # a letter of average width


def _say(look: Look, lesson: LessonLook) -> str:
    """Return the text of the step.

    If a summary of a round covers the board, and the step is not a text to read, return an explanation of the summary.
    If the step has no text, ask the learner to watch the other players.
    """
    if look.summary is not None and "read_on" not in look.may:
        return _("These are the results of the round. Go on when you have read them.")
    return lesson.text or _("Watch what the others do.")


def _render_short(lesson: LessonLook, game: Game) -> Markup:
    """Draw the button to the short lesson, if the game has one and this is the first step of the full lesson."""
    whole = game.hooks.lesson()
    if (
        whole is None
        or not whole.short
        or lesson.number > 1
        or lesson.of != sum(s.waits for s in whole.steps)
    ):
        return NOTHING
    return html(
        '<form method="post" action="/lessons"><input type="hidden" name="game" value="{}">'
        '<button class="button" name="short" value="yes">{}</button></form>',
        game.name,
        translator(game)(whole.known),
    )


def _ends_here(look: Look, lesson: LessonLook) -> bool:
    """Return whether the button of this step ends the lesson. If so, the page needs no other button to end it."""
    return "read_on" in look.may and lesson.number == lesson.of


def _render_on(look: Look, lesson: LessonLook) -> Markup:
    """Draw the button that leads from a text to the next step, or from a summary back to the board.

    If a move is expected, draw nothing.
    """
    if "read_on" in look.may:
        label = _("Play on") if _ends_here(look, lesson) else _("Next")
        return render_form(look, "lesson", {"way": "read", **act_fields(look)}, label, "primary")
    return NOTHING if look.summary is None else render_go_on(look)
