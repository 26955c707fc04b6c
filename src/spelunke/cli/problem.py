"""The command ``spelunke problem``."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import GameName, find_card
from spelunke.cli.output import out
from spelunke.cli.table import default_names, render_board
from spelunke.cli.words import game_words, say_refusal
from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput, SpelunkeError
from spelunke.core.words import plain

if TYPE_CHECKING:
    from spelunke.analysis.problems import Collection, Problem
    from spelunke.games.match import Match

DIFFICULTY = {1: plain("easy"), 2: plain("medium"), 3: plain("hard")}


def problem(
    game: GameName,
    name: Annotated[
        str,
        typer.Argument(metavar="[PROBLEM]", help="The id of a problem. By default, the problem of the day."),
    ] = "",
    listed: Annotated[bool, typer.Option("--list", help="List the problems instead of solving one.")] = False,
    theme: Annotated[
        str, typer.Option(metavar="WORD", help="With --list: show only the problems with this theme.")
    ] = "",
    answer: Annotated[str, typer.Option(metavar="MOVE", help="Give this answer, without a prompt.")] = "",
) -> None:
    """Solve a problem: find the best move, or one of several right moves, and see the value of each move.

    [dim]spelunke problem GAME[/dim]
    """
    from spelunke.records.problems import load_problems, set_up

    card = find_card(game)
    found = load_problems(card)
    if found is None:
        raise BadInput(f"there are no problems of {card.title} yet", "game")
    if listed:
        _list(found, theme)
        return
    one = found.find(name) if name else found.of_day(datetime.now(UTC).date())
    if one is None:
        raise BadInput(f"{card.title} has no problem {name!r}; --list lists all problems", "problem")
    match = set_up(card, one)
    _show(match, one)
    _explain(match, one, _read(match, one, answer))


def _list(found: Collection, theme: str) -> None:
    if theme and theme not in found.themes:
        raise BadInput(f"there is no theme {theme!r}; the themes are {', '.join(found.themes)}", "--theme")
    for one in found.problems:
        if theme in ("", one.theme):
            out().print(f"{one.id}  {_(DIFFICULTY[one.difficulty]):6}  {one.theme}", markup=False)


def _show(match: Match, one: Problem) -> None:
    from spelunke.records.viewer import MatchViewer

    console = out()
    names = default_names(match)
    console.print(render_board(MatchViewer(match, one.seat), names))
    console.print(
        _("{name} to move: what is best? ({difficulty}, problem {id})").format(
            name=names[one.seat], difficulty=_(DIFFICULTY[one.difficulty]), id=one.id
        ),
        markup=False,
    )


def _read(match: Match, one: Problem, answer: str) -> str:
    """Return the move that ``answer`` means. If ``answer`` is empty, prompt the person until they type a possible move.

    Raise BadInput if ``answer`` is neither empty nor a possible move, or if the input ends.
    """
    moves = [alternative.move for alternative in one.alternatives]
    while True:
        text = answer or _ask(moves)
        try:
            move = match.game.notation.write(match.parse(text))
            if move in moves:
                return move
            reason = _("{move} can't be played here").format(move=repr(move))
        except SpelunkeError as error:
            reason = say_refusal(error)
        if answer:
            raise BadInput(reason, "--answer")
        out().print(reason, markup=False)


def _ask(moves: list[str]) -> str:
    out().print("  " + "   ".join(sorted(moves)), markup=False, style="dim")
    print("> ", end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise BadInput("no answer is given; give one with --answer MOVE")
    return line.strip()


def _explain(match: Match, one: Problem, move: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    console = out()
    best = one.alternatives[0].value
    chosen = next(alternative.value for alternative in one.alternatives if alternative.move == move)
    theme = game_words(match.game)(match.game.hooks.themes().get(one.theme, one.theme))
    if one.solves(move):
        console.print(_("Right. Theme: {theme}.").format(theme=theme), markup=False, style="green")
    else:
        lost = 100 * (best.chance - chosen.chance)
        console.print(
            _(
                "Not the best: your move lowers the chance to win by {lost} percentage points; {best} is better. "
                "Theme: {theme}."
            ).format(lost=f"{lost:.1f}", best=one.best, theme=theme),
            markup=False,
            style="yellow",
        )
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("move"), justify="left")
    for column in (_("chance to win"), _("lead"), _("costs")):
        table.add_column(column, justify="right")
    for one_more in one.alternatives:
        value = one_more.value
        table.add_row(
            _("{move} (yours)").format(move=move) if one_more.move == move else one_more.move,
            f"{100 * value.chance:.1f} %",
            f"{value.points:+.1f}",
            f"{100 * (best.chance - value.chance):.1f} %" if value is not best else "",
        )
    console.print(table)
