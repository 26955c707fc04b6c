"""Draw the pages of problems: the list, the task, and the explanation."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from markupsafe import Markup

from spelunke.analysis.analysis import ahead, by_share
from spelunke.analysis.problems import Collection, Problem
from spelunke.boards.markup import NOTHING, escape, html, join
from spelunke.boards.scene import Arrow, ArrowKind, Scene
from spelunke.boards.stage import draw_once
from spelunke.core.words import Translator, plain
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.house.ratings import ProblemLine, Solver
from spelunke.house.study import say_to_player, say_why
from spelunke.web.numbers import write_percent
from spelunke.web.parts.judgement import fold
from spelunke.web.parts.values import percent, render_bar, render_choice, render_player
from spelunke.web.words import LANGUAGE
from spelunke.web.words import translate as _

DIFFICULTY = {1: plain("easy"), 2: plain("medium"), 3: plain("hard")}
STATES = {None: "", True: plain("solved"), False: plain("not solved yet")}


def say_theme(game: Game, theme: str, translate: Translator) -> str:
    """Return the displayed name of a theme."""
    return translate(game.hooks.themes().get(theme, theme))


def render_difficulty(difficulty: int) -> Markup:
    """Draw a difficulty, as a word and as one to three filled diamonds."""
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
    rated: Mapping[str, ProblemLine],
) -> Markup:
    """Draw a list of problems with its filters and the number of solved ones. ``rated`` has the problems' ratings."""
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
    items = join(
        _item(game, one, numbers[one.id], answered.get(one.id), translate, rated.get(one.id))
        for one in chosen
    )
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


def _item(
    game: Game,
    one: Problem,
    number: int,
    state: bool | None,
    translate: Translator,
    rated: ProblemLine | None,
) -> Markup:
    mark = {None: "", True: "\N{CHECK MARK}", False: "\N{MULTIPLICATION X}"}[state]
    return html(
        '<li class="{}"><a href="/problems/{}/{}"><b class="num">{}</b><span class="pb-words">{}<small class="muted">{}</small></span>{}'
        '<span class="pb-state">{}<span class="sr">{}</span></span></a></li>',
        {None: "", True: "solved", False: "missed"}[state],
        game.name,
        one.id,
        number,
        say_theme(game, one.theme, translate),
        _name_round(game, one, translate)
        + (" · " + _("rating {points}").format(points=rated.points) if rated else ""),
        render_difficulty(one.difficulty),
        mark,
        _(STATES[state]) if STATES[state] else "",
    )


def _name_round(game: Game, one: Problem, translate: Translator) -> str:
    """Return the name of the round in which a problem's position was played."""

    usual = _("Round {n}").format(n=one.part)

    def name() -> Markup:
        return escape(game.hooks.name_round(game.notation.parse_position(one.position), translate) or usual)

    return draw_once(("round of a problem", game.name, one.id, LANGUAGE.get(), usual), name)


def name_seats(seats: int) -> tuple[str, ...]:
    """Return the names ``Player 1``, ``Player 2`` and so on, for a position without real players."""
    return tuple(_("Player {n}").format(n=seat + 1) for seat in range(seats))


def make_task_scene(match: Match, seat: int, names: Sequence[str], translate: Translator) -> Scene:
    """Return the input from which the game draws the board of a problem.

    The board will show the table as `seat` sees it, without buttons for moves and without marked moves.
    """
    return Scene(
        view=match.view(seat),
        seat=seat,
        names=tuple(names),
        actors=(seat,),
        translate=translate,
        table="study",
        past=True,
    )


def draw_task(
    match: Match,
    seat: int,
    names: Sequence[str],
    judged: Some[str],
    marks: Mapping[ArrowKind, str] | None,
    translate: Translator,
) -> Markup:
    """Draw the board of a problem, as the seat to act sees the table, with the moves in ``judged`` as buttons.

    A move without a button on the board gets a button below the board. For example, a move of several steps is not
    among the legal actions from which the board is drawn. If ``marks`` are given, the board shows the marks and has no
    buttons.
    """
    game, write = match.game, match.game.notation.write
    legal = tuple((one, write(one)) for one in match.legal(seat) if write(one) in judged)
    single = [text for _one, text in legal]
    # The order of `judged` may reveal the best move.
    offered = [*single, *sorted(text for text in judged if text not in single)] if marks is None else []
    scene = replace(
        make_task_scene(match, seat, names, translate),
        legal=legal if marks is None else (),
        arrows=tuple(Arrow(kind, match.parse(text)) for kind, text in (marks or {}).items()),
    )
    board = game.hooks.render_board(scene) or NOTHING
    # A board may offer a move otherwise than by one button, for example by picking cards first.
    rest = [text for text in offered if html('value="{}"', text) not in board]
    if not rest:
        return board
    buttons = join(
        html(
            '<button class="button" name="move" value="{}">{}</button>',
            text,
            say_to_player(match, seat, text, names, translate),
        )
        for text in rest
    )
    return html(
        '{}<div class="row pb-answers" role="group" aria-label="{}">{}</div>',
        board,
        _("Your answer"),
        buttons,
    )


def draw_problem(
    problem: Problem, match: Match, names: Sequence[str], translate: Translator, answer: str = ""
) -> Markup:
    """Draw the board of a problem in a collection. After an answer, mark the answer and the best move."""
    judged = {one.move for one in problem.alternatives}
    return draw_task(match, problem.seat, names, judged, mark_answer(problem.best, answer), translate)


def mark_answer(best: str, answer: str) -> dict[ArrowKind, str] | None:
    """Return the moves to mark on the board, or None before the answer."""
    if not answer:
        return None
    return {"best": best} if answer == best else {"best": best, "played": answer}


def render_task(problem: Problem, rated: ProblemLine | None, solver: Solver | None) -> Markup:
    """Draw the text of the task. It does not contain the theme or the values, which would reveal the answer."""
    note = (
        _("All players choose at the same time here, so more than one answer may be right.")
        if problem.secret
        else ""
    )
    return html(
        "<p>{}</p>{}<p>{}{}</p>{}",
        _("Play your answer on the board to see what each move is worth."),
        html('<p class="muted">{}</p>', note) if note else "",
        render_difficulty(problem.difficulty),
        html(' · <span class="num">{}</span>', say_rated(rated)) if rated else "",
        render_solver(solver) if solver else "",
    )


def say_rated(line: ProblemLine) -> str:
    """Return a problem's rating, and the number of people who solved it at the first attempt."""
    return _.many(
        "rating of this problem: {points}; {solved} of {n} person solved it at the first attempt",
        "rating of this problem: {points}; {solved} of {n} people solved it at the first attempt",
        line.tries,
    ).format(points=line.points, solved=line.solved, n=line.tries)


def render_solver(solver: Solver) -> Markup:
    """Draw the person's rating, and the number of problems in a row that they solved at the first attempt."""
    told = _("Your rating for solving problems: {points} ± {margin}").format(
        points=solver.points, margin=solver.either_side
    )
    row = _.many(
        "{n} solved in a row at the first attempt", "{n} solved in a row at the first attempt", solver.streak
    ).format(n=solver.streak)
    longest = _("most in a row: {n}").format(n=solver.longest)
    return html('<p class="muted pb-solver">{} · {} · {}</p>', told, row, longest)


def render_verdict(
    problem: Problem, match: Match, answer: str, names: Sequence[str], translate: Translator
) -> Markup:
    """Draw the result of the answer: right or wrong, its cost, and the best move."""
    best = problem.alternatives[0]
    chosen = next(one for one in problem.alternatives if one.move == answer)
    lost = best.value.chance - chosen.value.chance
    told = say_to_player(match, problem.seat, best.move, names, translate)
    if problem.solves(answer):
        return html('<p class="notice good" role="status"><b>{}</b> {}</p>', _("Right."), told)
    return html(
        '<p class="notice bad" role="status"><b>{}</b> {} <b>{}</b> {}</p>',
        _("Not the best:"),
        _("this move costs you {percent} of a win.").format(percent=write_percent(100 * lost, 1)),
        _("Better:"),
        told,
    )


def render_answer(
    game: Game,
    problem: Problem,
    match: Match,
    answer: str,
    names: Sequence[str],
    translate: Translator,
) -> Markup:
    """Draw the explanation of a problem: its theme, the chances of the players, and the value of each move."""
    best = problem.alternatives[0]
    rows = [
        render_choice(
            say_to_player(match, problem.seat, one.move, names, translate),
            one.value,
            best.value,
            "played" if one.move == answer else "",
            _("your answer"),
            share=one.share if problem.secret else None,
            why=say_why(match, problem.seat, one.move, names, translate)
            if one.move in (answer, best.move)
            else (),
            seats=len(names),
        )
        for one in by_share(problem.alternatives)
    ]
    standing = join(
        render_player(seat, names[seat], percent(value.chance), lead)
        for seat, (value, lead) in enumerate(
            zip(problem.values, ahead([value.points for value in problem.values]), strict=True)
        )
    )
    usual = {
        1: _("A bot of medium strength finds the best move."),
        2: _("A bot of medium strength misses the best move."),
        3: _("Even a strong bot misses the best move."),
    }[problem.difficulty]
    note = say_secret() if problem.secret else ""
    return html(
        '{}<p>{}: {}. {}</p>{}<ul class="an-standing">{}</ul><h3 class="an-choose">{}</h3>{}',
        html("<p>{}</p>", note) if note else "",
        _("Theme"),
        say_theme(game, problem.theme, translate),
        usual,
        render_bar([value.chance for value in problem.values]),
        standing,
        _("What each move is worth"),
        fold(rows),
    )


def say_secret() -> str:
    """Return sentences that explain which answers are right if all players choose secretly."""
    return _(
        "Everybody chose at the same time here, so several moves may be right. The best strategy may choose among them at "
        "random. A move is right if this strategy plays it at least one time in ten."
    )
