"""Draw the pages of problems: the list, the task, and the explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from spelunke.analysis.problems import Collection, Problem
from spelunke.boards.markup import html, join
from spelunke.core.words import Translator, plain
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.house.study import say_next, say_why
from spelunke.web.numbers import write_percent
from spelunke.web.parts.judgement import fold
from spelunke.web.parts.values import percent, render_bar, render_choice, signed
from spelunke.web.words import translate as _

DIFFICULTY = {1: plain("easy"), 2: plain("medium"), 3: plain("hard")}
STATES = {None: "", True: plain("solved"), False: plain("not solved yet")}


def say_theme(game: Game, theme: str, translate: Translator) -> str:
    """Return the displayed name of a theme."""
    return translate(game.hooks.themes().get(theme, theme))


def render_difficulty(difficulty: int) -> Markup:
    """Draw a difficulty, in words and as lanterns."""
    return html(
        '<span class="pb-hard">{} <span aria-hidden="true">{}</span></span>',
        _(DIFFICULTY[difficulty]),
        "\N{BLACK DIAMOND}" * difficulty + "\N{WHITE DIAMOND}" * (3 - difficulty),
    )


def render_collection(
    game: Game,
    found: Collection,
    chosen: Sequence[Problem],
    answered: Mapping[str, bool],
    filters: tuple[str, str],
    translate: Translator,
) -> Markup:
    """Draw the filters, the number of solved problems, and the list."""
    theme, difficulty = filters

    def link(label: object, at: tuple[str, str], *, here: bool) -> Markup:
        query = {name: value for name, value in zip(("theme", "difficulty"), at, strict=True) if value}
        return html(
            '<a class="choice-link" href="/problems/{}{}"{}>{}</a>',
            game.name,
            f"?{urlencode(query)}" if query else "",
            html(' aria-current="true"') if here else "",
            label,
        )

    themes = join(
        [
            link(_("All themes"), ("", difficulty), here=not theme),
            *(
                link(say_theme(game, one, translate), (one, difficulty), here=one == theme)
                for one in found.themes
            ),
        ]
    )
    levels = join(
        [
            link(_("Any difficulty"), (theme, ""), here=not difficulty),
            *(
                link(_(DIFFICULTY[n]), (theme, str(n)), here=str(n) == difficulty)
                for n in sorted({one.difficulty for one in found.problems})
            ),
        ]
    )
    numbers = {one.id: k for k, one in enumerate(found.problems, 1)}
    items = join(_item(game, one, numbers[one.id], answered.get(one.id), translate) for one in chosen)
    return html(
        '<nav class="pb-filter stack tight" aria-label="{}"><div class="row">{}</div><div class="row">{}</div></nav>'
        '<p class="muted" role="status">{}</p><ol class="pb-list">{}</ol>',
        _("Choose problems"),
        themes,
        levels,
        _("{solved} of {all} solved.").format(
            solved=sum(answered.get(one.id, False) for one in chosen), all=len(chosen)
        ),
        items,
    )


def _item(game: Game, one: Problem, number: int, state: bool | None, translate: Translator) -> Markup:
    mark = {None: "", True: "\N{CHECK MARK}", False: "\N{MULTIPLICATION X}"}[state]
    return html(
        '<li class="{}"><a href="/problems/{}/{}"><b class="num">{}</b><span class="pb-words">{}<small class="muted">{}</small></span>{}'
        '<span class="pb-state">{}<span class="sr">{}</span></span></a></li>',
        {None: "", True: "solved", False: "missed"}[state],
        game.name,
        one.id,
        number,
        say_theme(game, one.theme, translate),
        _("Round {n}").format(n=one.part),
        render_difficulty(one.difficulty),
        mark,
        _(STATES[state]) if STATES[state] else "",
    )


def render_task(problem: Problem) -> Markup:
    """Draw the task, without the theme and the values, which would reveal the answer."""
    return html(
        "<p>{}</p><p>{}</p>",
        _("Play your answer on the board to see what each move is worth."),
        render_difficulty(problem.difficulty),
    )


def render_answer(
    game: Game,
    problem: Problem,
    match: Match,
    answer: str,
    names: Sequence[str],
    translate: Translator,
) -> Markup:
    """Draw whether the answer was right, and the value of each move."""
    best = problem.alternatives[0]
    chosen = next(one for one in problem.alternatives if one.move == answer)
    lost = best.value.chance - chosen.value.chance
    told = say_next(match, best.move, names, translate)
    verdict = (
        html('<p class="notice good" role="status"><b>{}</b> {}</p>', _("Right."), told)
        if answer == problem.best
        else html(
            '<p class="notice bad" role="status"><b>{}</b> {} <b>{}</b> {}</p>',
            _("Not the best:"),
            _("it lowers the chance to win by {percent}.").format(percent=write_percent(100 * lost, 1)),
            _("Better:"),
            told,
        )
    )
    rows = [
        render_choice(
            say_next(match, one.move, names, translate) or one.move,
            one.value,
            best.value,
            "played" if one.move == answer else "",
            _("your answer"),
            why=say_why(match, problem.seat, one.move, names, translate)
            if one.move in (answer, best.move)
            else (),
        )
        for one in problem.alternatives
    ]
    standing = join(
        html(
            '<li class="s{}"><span class="an-who">{}</span> <b class="num">{}</b> <span class="num muted">{}</span></li>',
            seat,
            names[seat],
            percent(value.chance),
            signed(value.points),
        )
        for seat, value in enumerate(problem.values)
    )
    usual = {
        1: _("A quick-thinking bot finds this."),
        2: _("A quick-thinking bot misses this."),
        3: _("Even the strong bot that played this game missed this."),
    }[problem.difficulty]
    return html(
        '{}<p>{}: {}. {}</p>{}<ul class="an-standing">{}</ul><h3 class="an-choose">{}</h3>{}',
        verdict,
        _("Theme"),
        say_theme(game, problem.theme, translate),
        usual,
        render_bar([value.chance for value in problem.values]),
        standing,
        _("What each move is worth"),
        fold(rows),
    )
