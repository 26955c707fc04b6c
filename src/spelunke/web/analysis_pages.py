"""The analysis board, which shows the value of each move in a position.

The page's address contains a position that was set up by hand, or the table and ply of a finished game. If it contains
neither, the board shows the start of a game. The address also contains the moves that the reader tried.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.analysis.analysis import Judgement
from spelunke.boards.markup import hidden
from spelunke.boards.scene import Arrow, ArrowKind, Scene
from spelunke.core.chance import below, seed_stream
from spelunke.core.errors import BadInput, BadPosition, Refused
from spelunke.core.words import Translator
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.house.refusals import NotYet
from spelunke.records.position import apply_one, build_match, parse_position, write_position
from spelunke.web.forms import read_form
from spelunke.web.pages import known_game, site_of
from spelunke.web.parts.judgement import render_judgement
from spelunke.web.parts.problems import name_seats
from spelunke.web.refusal import Refusal, write_refusal
from spelunke.web.site import Site
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator

LONGEST = 8_000
"""The maximum number of characters of a position in an address."""
MOST_MOVES = 200
SOON_S, AGAIN_S = 0.7, 2
"""A request waits ``SOON_S`` seconds for values. If the values are late, the page reloads after ``AGAIN_S`` seconds."""
SEED = 6
"""If the address contains neither a position nor a table, the board shows the start of a game with this seed."""


class Board:
    """The board that the page's address describes: an initial position, and the moves that the reader tried there.

    The constructor raises a `SpelunkeError` if the address has a wrong position, table or ply, an illegal move, or more
    than `MOST_MOVES` moves.
    """

    def __init__(self, site: Site, game: Game, query: Mapping[str, str], reader: str | None) -> None:
        self.game = game
        self.base = {name: query[name] for name in ("position", "table", "ply") if query.get(name)}
        self.moves = tuple(text.strip() for text in query.get("moves", "").split(";") if text.strip())
        if len(self.moves) > MOST_MOVES:
            raise Refusal(
                400,
                "field_wrong",
                _(
                    "You tried more moves than this page can hold. Go back to the previous page. "
                    "Below “The position as text”, press “Show this position”, then go on from there."
                ),
            )
        self.names = name_seats(max(game.seats))
        self.match = self._begin(site, reader)
        for number, text in enumerate(self.moves, 1):
            try:
                apply_one(self.match, text)
            except (BadInput, Refused) as error:
                raise BadInput(str(error), f"move {number}") from None

    def _begin(self, site: Site, reader: str | None) -> Match:
        if "table" in self.base:
            ply = self.base.get("ply", "")
            if ply and not (ply.isascii() and ply.isdecimal() and len(ply) < 8):
                raise Refusal(
                    400, "field_wrong", _("The field {name} must be a whole number.").format(name="ply")
                )
            match = site.house.replays.match_at(self.base["table"], int(ply) if ply else None, reader)
            if match.game is not self.game:
                raise Refusal(404, "not_found", _("That table is for another game."))
            self.names = site.house.replays.look(self.base["table"], reader, ply=0).names
            return match
        if "position" in self.base:
            if len(self.base["position"]) > LONGEST:
                raise BadPosition(f"a position in an address has at most {LONGEST} characters", "position")
            return parse_position(self.base["position"].encode(), self.game)
        match, stream = Match(self.game), seed_stream(SEED)
        while match.chance:
            outcomes = [outcome for outcome, weight in match.chances() for _ in range(weight)]
            match.apply_chance(outcomes[int(below(stream, len(outcomes)))])
        return Match(self.game, match.seats, match.options, state=match.state)

    def href(self, *more: str, back: int = 0) -> str:
        """Return the address of this board after removing its last `back` moves and adding the moves `more`."""
        moves = (*self.moves[: len(self.moves) - back], *more)
        query = {**self.base, **({"moves": ";".join(moves)} if moves else {})}
        return f"/analysis/{self.game.name}" + (f"?{urlencode(query)}" if query else "")

    @property
    def text(self) -> str:
        """The position as text, on one line."""
        return msgspec.json.format(write_position(self.match), indent=-1).decode()


def draw(match: Match) -> str:
    """Return a random outcome of chance, such as a roll, as text. Each outcome is as likely as in a game.

    If chance does not decide now, refuse the request.
    """
    outcomes = [outcome for outcome, weight in match.chances() for _ in range(weight)]
    if not outcomes:
        raise Refusal(409, "not_now", _("There is nothing to roll or deal here."))
    return match.game.notation.write_chance(secrets.choice(outcomes))


def make_scene(
    match: Match,
    names: tuple[str, ...],
    translate: Translator,
    marked: Mapping[ArrowKind, str] | None = None,
) -> Scene:
    """Return the scene from which the game draws its board, with a button for each move of the seat to act.

    If `marked` is given, the board has no buttons. Instead, it marks moves: `marked` has a move for each kind of mark.
    """
    seat = match.actors[0] if match.actors else None
    legal = match.legal(seat) if seat is not None and marked is None else ()
    view = (match.game.hooks.open_view(match.state) if match.game.hidden else None) or match.view(seat)
    return Scene(
        view=view,
        seat=seat,
        names=names,
        legal=tuple((action, match.game.notation.write(action)) for action in legal),
        actors=match.actors,
        over=match.over,
        outcome=match.outcome,
        translate=translate,
        arrows=tuple(Arrow(kind, match.parse(text)) for kind, text in (marked or {}).items()),
        table="study",
        past=True,
    )


async def show_board(request: Request) -> Response:
    """Show a position with the values of all moves. If the reader has pressed a move, redirect to the next position.

    Refuse games with hidden information, and games in which several players choose at the same time.
    """
    site = site_of(request)
    game = known_game(request.path_params["game"])
    if game.hidden or game.together:  # A position with hidden information would need a page of its own.
        raise Refusal(
            404, "not_found", _("Positions of {title} can't be analysed yet.").format(title=game.title)
        )
    query = dict(request.query_params)
    me = await site.guest(request)
    board = await call(Board, site, game, query, me.id if me else None)
    if pressed := query.get("move", "").strip():
        move = draw(board.match) if pressed == "?" else pressed[:400]
        await call(apply_one, board.match, move)  # refuse an illegal move here, not on the next page
        return RedirectResponse(board.href(move), 303)
    return await _show(request, board, None, "", 200)


async def _show(
    request: Request, board: Board, setup: Mapping[str, object] | None, sentence: str, status: int
) -> Response:
    """Show the page. If the form held an unusable position, `setup` has the form's fields, and `sentence` the error."""
    site, game = site_of(request), board.game
    tell = translator(game)
    judged, trouble, waits = await _judge(site, board.match)
    names = board.names[: board.match.seats]

    def steps() -> list[tuple[str, str]]:
        return [(board.href(back=len(board.moves) - k - 1), text) for k, text in enumerate(board.moves)]

    position = setup if setup is not None else game.notation.write_position(board.match.state)
    panel = await call(render_judgement, judged, board.match, names, tell, board.href) if judged else None
    response = await site.page(
        request,
        "analysis.html",
        status=status,
        here=board.href(),
        game=game,
        board=game.hooks.render_board(make_scene(board.match, names, tell)),
        sprite=game.hooks.render_sprite(),
        form=hidden(**board.base, moves=";".join(board.moves)),
        chance=board.match.chance,
        panel=panel,
        waits=waits,
        trouble=trouble,
        steps=steps(),
        start=board.href(back=len(board.moves)),
        back=board.href(back=1) if board.moves else "",
        link=site.link(request, board.href()),
        position=board.text,
        setup=game.hooks.render_setup(position, tell),
        sentence=sentence,
    )
    if waits and setup is None:  # keep the filled-in fields
        response.headers["refresh"] = str(AGAIN_S)
    return response


async def _judge(site: Site, match: Match) -> tuple[Judgement | None, str, bool]:
    """Return three things: the position's values, the reason of a refusal, and whether the values are being computed.

    The values are None while they are being computed, and if the computation is refused. If it is not refused, the
    reason is an empty text.
    """
    try:
        return await call(site.house.judging.judge, match, None, SOON_S), "", False
    except NotYet:
        return None, "", True
    except Refused as error:
        return None, write_refusal(error), False


async def set_up(request: Request) -> Response:
    """Redirect to the page of a position that was set up by hand. If the position is wrong, show the form again."""
    site = site_of(request)
    game = known_game(request.path_params["game"])
    form = await read_form(request)
    words = game.hooks.read_setup({name: [value] for name, value in form.items()})
    try:
        match = await call(build_match, game, dict(words))
    except BadPosition as error:
        board = await call(Board, site, game, {}, None)
        return await _show(request, board, words, write_refusal(error), 400)
    text = msgspec.json.format(write_position(match), indent=-1).decode()
    return RedirectResponse(f"/analysis/{game.name}?{urlencode({'position': text})}", 303)


def routes() -> list[Route]:
    """Return the routes of the analysis board."""
    return [
        Route("/analysis/{game}", show_board),
        Route("/analysis/{game}/position", set_up, methods=["POST"]),
    ]
