"""The page of a running game for spectators.

It shows the game as a spectator sees it, as a seat sees it, or with all hands of finished rounds.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spelunke.games import find_game
from spelunke.house.messages import Look
from spelunke.web.pages import site_of
from spelunke.web.parts.replay import render_board, render_log, write_href
from spelunke.web.replay_pages import read_eyes, read_ply
from spelunke.web.threads import call
from spelunke.web.words import tongue_of, translator
from spelunke.web.words import translate as _

NO_LOG = 1 << 30


async def show_watch(request: Request) -> Response:
    """Show a running game from the chosen viewpoint.

    If no position is chosen, the page shows the newest one, and reloads every 10 s.
    """
    site = site_of(request)
    table, ply = request.path_params["table"], read_ply(request)
    eyes = read_eyes(request) if "as" in request.query_params else None
    me = await site.guest(request)
    reader = me.id if me else None
    words = {"translate": tongue_of().games, "words": tongue_of().house}
    replay = await call(site.house.replays.watch, table, reader, ply=ply, eyes=eyes, **words)
    look = await call(site.house.looks.look, table, reader, since=NO_LOG)
    game = find_game(replay.game)
    return await site.page(
        request,
        "watch.html",
        me=me,
        here=f"/t/{table}/watch",
        replay=replay,
        look=look,
        board=render_board(replay, game, translator(game)),
        log=render_log(replay),
        sprite=game.hooks.render_sprite(),
        chosen="table" if eyes is None else str(eyes),
        eyes=_offer(look),
        steps=[
            (label, write_href(replay, at))
            for label, at in ((_("Earlier"), replay.before), (_("Later"), replay.after))
            if at is not None
        ],
        newest=ply is None,
    )


def _offer(look: Look) -> list[tuple[str, str]]:
    """Return the viewpoints that a spectator can choose, each with its label."""
    seats = [(str(seat.seat), _("As {name}").format(name=seat.name)) for seat in look.seats if seat.eyes]
    return [("table", _("As a spectator")), *seats, ("open", _("All hands of finished rounds"))]


ROUTES = [Route("/t/{table}/watch", show_watch)]
