"""The page of a person's settings: name, portrait, visibility, theme, language, letters on cards, explanations."""

from __future__ import annotations

from collections.abc import Container

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.letters import LETTERS
from spelunke.core.words import plain
from spelunke.house.people import Shown
from spelunke.web import words
from spelunke.web.cookies import KEPT
from spelunke.web.entering import need_person
from spelunke.web.forms import need, read_form
from spelunke.web.pages import local, site_of
from spelunke.web.parts.games import render_day
from spelunke.web.parts.portraits import COLOUR_NAMES, FIGURE_NAMES, usual_of
from spelunke.web.refusal import Refusal
from spelunke.web.security import LANGUAGE_COOKIE
from spelunke.web.site import EXPLAIN_COOKIE, EXPLAINS, THEME_COOKIE, THEMES
from spelunke.web.threads import call
from spelunke.web.words import LETTERS_COOKIE
from spelunke.web.words import translate as _

SETTINGS = "/me/settings"
SHOWN: dict[Shown, tuple[str, str]] = {
    "everybody": (
        plain("Everybody"),
        plain("Everybody who has the address of your page: members, guests and strangers."),
    ),
    "mates": (
        plain("Friends, and people I have played with"),
        plain("Your friends, and everybody who sat with you at a table where a game began."),
    ),
    "nobody": (plain("Nobody"), plain("Nobody but you can open your page.")),
}


async def show_settings(request: Request) -> Response:
    """Show the settings page."""
    site = site_of(request)
    me = await site.guest(request)
    return await site.page(
        request,
        "settings.html",
        vacation=await call(site.house.vacations.of, me.id) if me else None,
        day=render_day,
        me=me,
        here=SETTINGS,
        languages=words.named_languages(),
        explain=request.cookies.get(EXPLAIN_COOKIE, "auto"),
        profile=await call(site.house.profiles.of, me.id) if me else None,
        choices=[(value, _(title), _(told)) for value, (title, told) in SHOWN.items()],
        figures=[(figure, _(title)) for figure, title in FIGURE_NAMES.items()],
        colours=[(colour, _(title)) for colour, title in COLOUR_NAMES.items()],
        chosen=(me.figure or usual_of(me.name)[0], me.colour or usual_of(me.name)[1])
        if me
        else usual_of("?"),
        saved="saved" in request.query_params,
    )


async def choose_shown(request: Request) -> Response:
    """Set who may see the person's page, and whether friends see that the person is online."""
    site = site_of(request)
    form = await read_form(request)
    me = await need_person(site, request)
    await call(site.house.profiles.choose, me.id, need(form, "shown"))
    if "online" in form:
        await call(lambda: site.house.profiles.show_online(me.id, shown=form["online"] == "yes"))
    return RedirectResponse(f"{SETTINGS}?saved=1#page", 303)


async def rename_me(request: Request) -> Response:
    """Change the person's name. An unknown visitor becomes a guest."""
    site = site_of(request)
    name = need(await read_form(request), "name")
    me = await site.guest(request)
    if me:
        me = await call(site.house.people.rename, me.id, name)
    else:
        me = await call(site.house.people.create, name)
    response = RedirectResponse(f"{SETTINGS}?saved=1", 303)
    site.remember(request, response, me)
    return response


async def choose_portrait(request: Request) -> Response:
    """Set the figure and the colour of the person's portrait. An unknown visitor becomes a guest."""
    site = site_of(request)
    form = await read_form(request)
    me = await site.welcome(request)
    figure, colour = need(form, "figure"), need(form, "colour")
    me = await call(site.house.people.choose_portrait, me.id, figure, colour)
    response = RedirectResponse(f"{SETTINGS}?saved=1", 303)
    site.remember(request, response, me)
    return response


async def _keep(request: Request, field: str, cookie: str, offered: Container[str], refusal: str) -> Response:
    """Store the form's choice in a cookie, and redirect back. Refuse a choice that is not ``offered``."""
    form = await read_form(request)
    chosen = need(form, field)
    if chosen not in offered:
        raise Refusal(400, "field_wrong", refusal)
    response = RedirectResponse(local(form.get("back", "/")), 303)
    response.set_cookie(cookie, chosen, max_age=KEPT, samesite="lax")
    return response


async def choose_theme(request: Request) -> Response:
    """Set the theme: light, dark, or like the device's own theme."""
    return await _keep(request, "theme", THEME_COOKIE, THEMES, _("Choose “auto”, “light” or “dark”."))


async def choose_explaining(request: Request) -> Response:
    """Set whether choices at a table are explained: in the first games, always, or never."""
    return await _keep(request, "explain", EXPLAIN_COOKIE, EXPLAINS, _("Choose “auto”, “always” or “never”."))


async def choose_letters(request: Request) -> Response:
    """Set the letters that stand for cards and nations (see `core.letters`).

    Store the choice on the device and for the person.
    """
    response = await _keep(
        request, "letters", LETTERS_COOKIE, LETTERS, _("Choose “notation”, “own” or “english”.")
    )
    site = site_of(request)
    if me := await site.guest(request):
        chosen, channels = need(await read_form(request), "letters"), site.house.notifications.channels
        await call(channels.choose_letters, me.id, chosen, words.LANGUAGE.get())
    return response


async def choose_language(request: Request) -> Response:
    """Set the language. Store the choice on the device and for the person."""
    unknown = _("The site is not translated into that language yet.")
    response = await _keep(request, "language", LANGUAGE_COOKIE, words.languages(), unknown)
    site = site_of(request)
    if me := await site.guest(request):
        chosen = need(await read_form(request), "language")
        await call(site.house.notifications.channels.speak, me.id, chosen)
    return response


ROUTES = [
    Route(SETTINGS, show_settings),
    Route("/me", rename_me, methods=["POST"]),
    Route("/me/portrait", choose_portrait, methods=["POST"]),
    Route("/me/shown", choose_shown, methods=["POST"]),
    Route("/me/theme", choose_theme, methods=["POST"]),
    Route("/me/language", choose_language, methods=["POST"]),
    Route("/me/letters", choose_letters, methods=["POST"]),
    Route("/me/explain", choose_explaining, methods=["POST"]),
]
