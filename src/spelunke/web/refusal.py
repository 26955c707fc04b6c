"""The responses to refused requests: their HTTP status, their sentence, and their format (JSON or HTML)."""

from __future__ import annotations

import html as entities
import re
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from spelunke.core.catalogues import NOT_ALLOWED
from spelunke.core.catalogues import translate_refusal as find_translation
from spelunke.core.errors import BadInput, Refused, SpelunkeError
from spelunke.house.refusals import (
    DamagedLog,
    HouseClosed,
    NotAllowed,
    NotSeated,
    ShutOut,
    SpentCode,
    TooFast,
    UnknownDay,
    UnknownEvent,
    UnknownPerson,
    UnknownProfile,
    UnknownTable,
    WatchLater,
    WrongProof,
)
from spelunke.web import words
from spelunke.web.site import OWNER, THEME_COOKIE, THEMES, Site
from spelunke.web.words import tongue_of
from spelunke.web.words import translate as _

FORM = re.compile(r"https?://(?P<host>[^/]+)(?P<path>/(?!/|login$)[!-\[\]-~]+)", re.ASCII)
"""Matches the address of a page that can have a form, except the front page and the login page.

Two slashes at the beginning of the path would lead to another site.
"""

STATUS: tuple[tuple[type[SpelunkeError], int], ...] = (
    (UnknownTable, 404),
    (UnknownDay, 404),
    (UnknownEvent, 404),
    (UnknownPerson, 401),
    (UnknownProfile, 404),
    (ShutOut, 403),
    (NotSeated, 403),
    (NotAllowed, 403),
    (WrongProof, 403),
    (SpentCode, 410),
    (TooFast, 429),
    (HouseClosed, 503),
    (DamagedLog, 503),
    (BadInput, 400),
    (Refused, 409),
    (SpelunkeError, 400),
)
"""The HTTP status of each class of errors. The first match counts."""


PAGES_OF = {"day": "daily", "event": "events"}
"""The first part of the address of an event's pages, by the kind of event.

The tables of an event share their dice and cards.
"""


class Fault(msgspec.Struct, frozen=True):
    """The answer to a refused request: an error code for programs, and a sentence for people."""

    error: str
    message: str


class Refusal(SpelunkeError):
    """A request that the web layer itself refuses, with an HTTP status, an error code and a sentence."""

    def __init__(self, status: int, word: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.word = word


def find_status(error: SpelunkeError) -> int:
    """Return the HTTP status for an error."""
    return error.status if isinstance(error, Refusal) else status_of(type(error))


def status_of(kind: type[SpelunkeError]) -> int:
    """Return the HTTP status for a class of errors."""
    return next(status for known, status in STATUS if issubclass(kind, known))


def find_word(error: SpelunkeError) -> str:
    """Return the error code for programs: the code of a `Refusal`, else the class name in snake case."""
    if isinstance(error, Refusal):
        return error.word
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


def write_sentence(text: str) -> str:
    """Return the text as a sentence: with a capital letter, and with a full stop if it ends with none of ``.!?``.

    If the text is empty, return "It can't be done."
    """
    text = text.strip() or "It can't be done"
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."


def translate_refusal(sentence: str, *, bare: bool = False) -> str:
    """Return an error's sentence in the language of the request. A quoted move stays unchanged.

    If ``bare``, return only the reason for which a move is refused, without the text of the move.
    """
    if bare and (refused := NOT_ALLOWED.fullmatch(sentence)):
        sentence = refused["reason"] or sentence
    house, games = tongue_of()
    return find_translation(sentence, house, (games,))


def write_refusal(error: Exception) -> str:
    """Return a sentence to show above a form: why the form was refused, in the language of the request.

    The sentence doesn't name the invalid field, because names of fields are not translated.
    """
    return write_sentence(translate_refusal(error.reason if isinstance(error, BadInput) else str(error)))


def _wants_json(request: Request) -> bool:
    path = request.url.path
    return (
        path.startswith("/api/")
        or path == "/health"
        or "application/json" in request.headers.get("accept", "")
    )


def wants_page(request: Request) -> bool:
    """Return whether the client expects a whole page, not JSON or a part of a page."""
    return not _wants_json(request) and not request.headers.get("hx-request")


def refuse(
    site: Site, request: Request, status: int, word: str, sentence: str, error: SpelunkeError | None = None
) -> Response:
    """Return the response to a refused request as the client expects it: JSON, a part of a page, or a page."""
    # On a page, the player saw the move, and knows no texts of moves.
    on_board = bool(request.headers.get("hx-request"))
    sentence = write_sentence(translate_refusal(sentence, bare=on_board))
    request.scope["refusal"] = word  # for the journal, which never logs the sentence: it may quote a move
    headers = {"cache-control": "no-store"}
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers["retry-after"] = "30"
    if _wants_json(request):
        return JSONResponse({"error": word, "message": sentence}, status, headers)
    if on_board:
        return HTMLResponse(f'<p class="notice bad">{entities.escape(sentence)}</p>', status, headers)
    theme = request.cookies.get(THEME_COOKIE, "auto")
    page = site.templates.get_template("message.html").render(
        me=request.scope.get(OWNER),
        unread=0,  # a count that changes would reveal that something has happened
        here=request.url.path if request.method == "GET" else "/",
        language=words.LANGUAGE.get(),
        theme=theme if theme in THEMES else "auto",
        title=_title(status),
        sentence=sentence,
        back=_find_back(request, error),
        refused=request.method == "POST",
    )
    return HTMLResponse(page, status, headers)


def _title(status: int) -> str:
    if status == HTTPStatus.NOT_FOUND:
        return _("Not found")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _("Something is wrong here")
    return _("That can't be done")


def _find_back(request: Request, error: SpelunkeError | None) -> str:
    """Return the address of a page that the reader may open after a refusal, or an empty text for the front page.

    Usually this page is the table in the request's path. For a banned person, it is the login page. If the person may
    not watch the table yet, it is the page of the table's tournament, league or game of the day. For other forms, it is
    the page that has the form.
    """
    if isinstance(error, ShutOut):
        return "/login"
    if isinstance(error, WatchLater):
        kind, _colon, name = error.event.partition(":")
        return f"/{PAGES_OF[kind]}/{name.replace(':', '/')}" if kind in PAGES_OF else ""
    if isinstance(error, UnknownTable):
        return ""
    found = re.match(r"/t/[0-9A-Za-z]+(?=/.)", request.url.path)
    if found or request.method != "POST":
        return found.group() if found else ""
    form = FORM.fullmatch(request.headers.get("referer", ""))
    return form["path"] if form and form["host"] == request.headers.get("host") else ""
