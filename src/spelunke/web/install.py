"""The files by which a phone installs the site as an app: manifest, service worker, offline page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from spelunke.web.pages import site_of
from spelunke.web.words import LANGUAGE
from spelunke.web.words import translate as _

NIGHT = "#0c1622"
"""The colour at the top of each page: `night-1` in `house.css`."""
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-whole-512.png", "512x512", "image/png", "maskable"),
)


async def show_manifest(request: Request) -> Response:
    """Send the manifest, for installation on a home screen."""
    site = site_of(request)
    sign = {"src": site.static("icon-192.png"), "sizes": "192x192", "type": "image/png"}
    manifest = {
        "id": "/",
        "name": "Spelunke",
        "short_name": "Spelunke",
        "description": _("Dice and cards in dark taverns, against bots or friends."),
        "lang": LANGUAGE.get(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "categories": ["games"],
        "icons": [
            {"src": site.static(name), "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in ICONS
        ],
        "shortcuts": [
            {"name": _("Next table waiting for me"), "url": "/me/next", "icons": [sign]},
            {"name": _("My tables"), "url": "/me", "icons": [sign]},
        ],
    }
    return JSONResponse(
        manifest, media_type="application/manifest+json", headers={"cache-control": "no-cache"}
    )


async def show_offline(request: Request) -> Response:
    """Show the offline page. Browsers store this page, so it contains no name and no table."""
    page = (
        site_of(request)
        .templates.get_template("offline.html")
        .render(me=None, here="/offline", language=LANGUAGE.get(), theme="auto")
    )
    return HTMLResponse(page, headers={"cache-control": "no-cache"})


async def show_worker(request: Request) -> Response:
    """Send the service worker. Its address is in the root folder, because a worker controls only its own folder."""
    site = site_of(request)
    return Response(site.worker, media_type="text/javascript", headers={"cache-control": "no-cache"})


ROUTES = [
    Route("/manifest.webmanifest", show_manifest),
    Route("/offline", show_offline),
    Route("/worker.js", show_worker),
]
