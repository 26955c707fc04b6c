"""The style sheets of a table's page: inside the page on the first visit, and separate files later.

For the reasons, see docs/why/first-paint.md.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from functools import cache

from markupsafe import Markup
from starlette.requests import Request

from spelunke.boards.markup import html, join, trusted
from spelunke.web.security import POLICY

COOKIE = "sheets"
"""The name of the cookie that lists, by version, the sheets that the browser has cached (``static/app.js``)."""
SHEETS = ("house.css", "pages.css", "analysis.css", "company.css")
"""The style sheets of every table's page. The game's own style sheet comes after these."""


class Sheets:
    """The style sheets of one response.

    ``elements`` is the HTML that loads them. ``policy`` is a content security policy that allows the sheets inside
    the page.
    """

    def __init__(
        self,
        request: Request,
        statics: Mapping[str, tuple[bytes, str]],
        address: Callable[[str], str],
        game: str,
    ) -> None:
        stored = request.cookies.get(COOKIE, "").split(".")
        names = [name for name in (*SHEETS, f"{game}.css") if name in statics]
        inside = [name for name in names if _mark(address(name)) not in stored]
        self.elements = join(
            _embed(statics[name][0], address(name)) if name in inside else _link(address(name))
            for name in names
        )
        hashes = "".join(f" '{_hash(statics[name][0])}'" for name in inside)
        self.policy = f"{POLICY}; style-src 'self'{hashes}"


def _mark(address: str) -> str:
    """Return the version of a static file, which is the part after the `=` in its address."""
    return address.rpartition("=")[2]


def _link(address: str) -> Markup:
    return html('<link rel="stylesheet" href="{}">', address)


def _embed(content: bytes, address: str) -> Markup:
    return html('<style data-sheet="{}">{}</style>', address, trusted(content.decode()))


@cache
def _hash(content: bytes) -> str:
    """Return a style sheet's hash in the form that a content security policy uses."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"
