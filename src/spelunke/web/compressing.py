"""Compress responses: each static file once, each page when it is sent.

For the pages that may be compressed, and the reasons, see docs/why/compression.md.
"""

from __future__ import annotations

import gzip
import re
import threading
from collections.abc import Iterable
from functools import cache
from typing import Literal

import brotli
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from spelunke.web.cookies import DEVICE, GUEST, find_cookie

Coding = Literal["br", "gzip", ""]
LEAST = 1_024
"""The minimum size in bytes of a response to compress. Shorter responses would save no packet."""
FILE_BROTLI, FILE_GZIP = 11, 9
"""The levels of compression for files. They are slow, but each file is compressed only once."""
PAGE_BROTLI, PAGE_GZIP = 5, 5
"""The levels of compression for pages. A page is compressed for each reader: about 2 ms for 90 kB."""
KINDS = ("text/", "image/svg+xml", "application/wasm")
"""The media types to compress, or their beginnings. Pictures and archives are compressed already."""

_CSS_COMMENT = re.compile(rb"/\*.*?\*/\n?", re.DOTALL)
_CODING = re.compile(r"\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([0-9.]+)\s*)?")


def find_codings(accept: str) -> set[str]:
    """Return the names of the codings that an ``Accept-Encoding`` header allows."""
    allowed = set()
    for part in accept.lower().split(","):
        found = _CODING.fullmatch(part)
        if found and not re.fullmatch(r"0(\.0*)?", found[2] or "1"):
            allowed.add(found[1])
    return allowed


def choose_coding(accept: str) -> Coding:
    """Return the best coding that an ``Accept-Encoding`` header allows, or an empty text if it allows none."""
    allowed = find_codings(accept)
    if "br" in allowed:
        return "br"
    return "gzip" if "gzip" in allowed else ""


@cache
def squeeze_file(content: bytes, coding: Coding) -> bytes:
    """Return a file's content, compressed with the given coding. The result is cached."""
    if coding == "br":
        return bytes(brotli.compress(content, quality=FILE_BROTLI))
    return gzip.compress(content, FILE_GZIP, mtime=0) if coding else content


def strip_css(content: bytes) -> bytes:
    """Return a style sheet without its comments."""
    return _CSS_COMMENT.sub(b"", content)


def is_squeezable(content: bytes, kind: str) -> bool:
    """Return whether to compress a file: it is large enough, and files of its media type become smaller."""
    return len(content) >= LEAST and kind.startswith(KINDS)


def answer_file(content: bytes, kind: str, accept: str, headers: dict[str, str]) -> Response:
    """Return a file in the best coding that its reader accepts."""
    coding: Coding = choose_coding(accept) if is_squeezable(content, kind) else ""
    if coding:
        headers = headers | {"content-encoding": coding}
    return Response(
        squeeze_file(content, coding), media_type=kind, headers=headers | {"vary": "accept-encoding"}
    )


def prepare_files(files: Iterable[tuple[bytes, str]]) -> threading.Thread:
    """Compress the files in a thread before the first reader needs them. Return the thread."""
    wanted = [content for content, kind in files if is_squeezable(content, kind)]

    def squeeze_all() -> None:
        for content in wanted:
            squeeze_file(content, "br")
            squeeze_file(content, "gzip")

    thread = threading.Thread(target=squeeze_all, name="compressing", daemon=True)
    thread.start()
    return thread


def may_squeeze(request: Request) -> bool:
    """Return whether a page may be compressed. The length of a compressed page can reveal its content.

    Over HTTPS, return False if the reader has a cookie and another site may have opened the page. If such a page were
    compressed, an attacker who can choose a part of the page and see its compressed length could guess the rest of the
    page. Over plain HTTP, always return True, because others can read the pages anyway.
    """
    if request.url.scheme != "https":
        return True
    if request.headers.get("sec-fetch-site") in ("same-origin", "none"):
        return True
    cookies = request.cookies
    return not any(find_cookie(cookies, name, "https") for name in (DEVICE, GUEST))


def squeeze_page(request: Request, response: Response) -> None:
    """Compress a page of `LEAST` bytes or more, if the client accepts this and `may_squeeze` allows it.

    In any case, add the header ``Vary: Accept-Encoding``.
    """
    headers = MutableHeaders(raw=response.raw_headers)
    headers.add_vary_header("accept-encoding")
    body = bytes(response.body)
    coding = choose_coding(Headers(scope=request.scope).get("accept-encoding", ""))
    if not coding or len(body) < LEAST or not may_squeeze(request):
        return
    if coding == "br":
        response.body = bytes(brotli.compress(body, quality=PAGE_BROTLI))
    else:
        response.body = gzip.compress(body, PAGE_GZIP, mtime=0)
    headers["content-encoding"] = coding
    headers["content-length"] = str(len(response.body))
