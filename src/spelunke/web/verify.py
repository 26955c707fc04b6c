"""The page that verifies a game in the reader's own browser: the house sends it and then takes no part."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spelunke.web.pages import site_of


async def show_verify(request: Request) -> Response:
    """The page; `?table=` only puts a link to that table's record on it."""
    table = request.query_params.get("table", "")
    return await site_of(request).page(request, "verify.html", table=table if table.isalnum() else "")


ROUTES = [Route("/verify", show_verify)]
