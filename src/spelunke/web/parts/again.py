"""Draw the buttons for the next game after a game against bots: the same level, or another level."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.games.game import Game
from spelunke.house.messages import Look
from spelunke.web.parts.buttons import is_against_bots, render_form
from spelunke.web.words import translate as _
from spelunke.web.words import translator


def render_again(look: Look, game: Game) -> list[Markup]:
    """Return the buttons for the next game against bots: the same level, and a stronger or an easier level.

    Winners are offered the stronger level, losers the easier one. If several people share the device, return only
    the button for the same level. If people on other devices play too, return no buttons: these people agree on a
    rematch instead. Also return no buttons for a spectator, and before the end of the game.
    """
    if look.result is None or look.seat is None or "rematch" not in look.may:
        return []
    if any(seat.here for seat in look.seats) and all(
        seat.here or seat.you or seat.kind == "bot" for seat in look.seats
    ):
        return [render_form(look, "again", {}, _("Play again"), "primary")]
    if not is_against_bots(look):
        return []
    won = look.result.ranks[look.seat] == 1
    other = _other_level(look, game, 1 if won else -1)
    again = render_form(
        look, "again", {}, _("Play again"), "" if won and other else "primary"
    )  # by default, losers play the same level again
    if other is None:
        return [again]
    several = len(look.seats) > 2
    title = translator(game)(str(game.levels[other].get("title", other)))
    if won:
        label = _("Stronger bots: {level}") if several else _("A stronger bot: {level}")
        return [render_form(look, "again", {"level": other}, label.format(level=title), "primary"), again]
    label = _("Easier bots: {level}") if several else _("An easier bot: {level}")
    return [again, render_form(look, "again", {"level": other}, label.format(level=title))]


def _other_level(look: Look, game: Game, step: int) -> str | None:
    """Return the next stronger (``step`` 1) or easier (-1) level.

    Return None if there is no such level, or if the bots have different levels.
    """
    played = {seat.level for seat in look.seats if seat.kind == "bot"}
    ladder = list(game.levels)
    if len(played) != 1 or (level := played.pop()) not in ladder:
        return None
    at = ladder.index(level) + step
    return ladder[at] if 0 <= at < len(ladder) else None
