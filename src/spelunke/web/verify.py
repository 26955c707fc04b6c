"""The page that verifies a game in the reader's own browser, without the server."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spelunke.records.sentences import STATES, TITLES, UNKNOWN, VERDICTS
from spelunke.records.signing import word_list
from spelunke.web.pages import site_of


async def show_verify(request: Request) -> Response:
    """Show the page; `?table=` only sets the address of that table's record."""
    table = request.query_params.get("table", "")
    return await site_of(request).page(
        request,
        "verify.html",
        table=table if table.isalnum() and len(table) < 33 else "",
        key=site_of(request).house.store.key,
        verdicts=VERDICTS,
        unknown=UNKNOWN,
        titles=TITLES,
        states=STATES,
    )


async def show_words(_request: Request) -> Response:
    """Send the words of links, in their order."""
    return JSONResponse(list(word_list()), headers={"cache-control": "public, max-age=86400"})


ROUTES = [
    Route("/verify", show_verify),
    Route("/verify/words.json", show_words),
]
