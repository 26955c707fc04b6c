"""The page with the rules of a game, and with pictures that the game's board draws."""

from __future__ import annotations

import importlib.resources

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spelunke.games.hooks import Hooks
from spelunke.web import words
from spelunke.web.pages import known_game, site_of
from spelunke.web.parts.rules import read_rules, render_card, render_rules
from spelunke.web.parts.teaching import list_signs
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator


async def show_rules(request: Request) -> Response:
    """Show the rules of a game, in the reader's language if available, with rule numbers on request."""
    site = site_of(request)
    game = known_game(request.path_params["game"])
    folder = importlib.resources.files(game.package)
    language = words.LANGUAGE.get()
    file = folder.joinpath(f"rules.{language}.md")
    if not file.is_file():
        language, file = words.DEFAULT, folder.joinpath("rules.md")
    if not file.is_file():
        raise Refusal(
            404, "not_found", _("The rules of {title} are not written yet.").format(title=game.title)
        )
    tell = translator(game)
    rules = read_rules(file.read_text(encoding="utf-8"))
    numbers = "numbers" in request.query_params
    text = await call(render_rules, rules, game, tell, numbers=numbers)
    return await site.page(
        request,
        "rules.html",
        game=game,
        text=text,
        card=render_card(game.card(words.LANGUAGE.get())),
        contents=rules.contents,
        rules_language=language,
        numbers=numbers,
        has_numbers=rules.has_numbers,
        signs=list_signs(game, tell),
        sprite=game.hooks.render_sprite(),
        lesson=game.hooks.has(Hooks.lesson),
    )


def routes() -> list[Route]:
    """Return the routes of the rules."""
    return [Route("/rules/{game}", show_rules)]
