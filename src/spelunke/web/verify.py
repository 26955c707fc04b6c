"""The page that verifies a game in the reader's own browser: the house sends it, and then takes no part."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spelunke.records.signing import word_list
from spelunke.web.book import kept_book, known_books, write_book
from spelunke.web.pages import known_game, site_of
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _

LONGEST = 2000
MOST_WANTED = 8
"""Books that are waited for at once; they are written one after the other, a third of a second each."""


async def show_verify(request: Request) -> Response:
    """The page; `?table=` only puts the address of that table's record on it."""
    table = request.query_params.get("table", "")
    return await site_of(request).page(
        request,
        "verify.html",
        table=table if table.isalnum() and len(table) < 33 else "",
        books=msgspec.json.encode(known_books()).decode(),
        key=site_of(request).house.store.key,
    )


async def show_words(_request: Request) -> Response:
    """The words by which links are told, in their order."""
    return JSONResponse(list(word_list()), headers={"cache-control": "public, max-age=86400"})


async def show_book(request: Request) -> Response:
    """What chance can bring at a table with these options: rules as data, nothing about any game that was played."""
    if len(request.url.query) > LONGEST:
        raise Refusal(400, "field_wrong", _("There are too many options."))
    query = dict(request.query_params)
    game = known_game(query.pop("game", ""))
    seats = query.pop("seats", "")
    if not (seats.isascii() and seats.isdecimal() and len(seats) < 3):
        raise Refusal(400, "field_wrong", _("The number of seats is a whole number."))
    settled = game.settle(int(seats), query)
    chosen = frozenset(game.changed(int(seats), settled).items())
    book = kept_book(game.name, int(seats), chosen)
    if book is None:
        site = site_of(request)
        if site.books_wanted >= MOST_WANTED:
            raise Refusal(
                429, "too_fast", _("Others are waiting for a page like this. Try again in a minute.")
            )
        site.books_wanted += 1
        try:
            async with site.writing_book:
                book = await call(write_book, game.name, int(seats), chosen)
        finally:
            site.books_wanted -= 1
    return JSONResponse(msgspec.to_builtins(book), headers={"cache-control": "public, max-age=3600"})


ROUTES = [
    Route("/verify", show_verify),
    Route("/verify/book.json", show_book),
    Route("/verify/words.json", show_words),
]
