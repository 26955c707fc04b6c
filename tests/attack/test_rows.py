"""Each route of the house has a row in the table of attacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.routing import Route

from spelunke.web.app import create_app
from web.conftest import make_settings

from .rows import AT_TABLE, ENDLESS, MINE, READ, TO_API, TO_PAGES, row_of


def routes_of(app: Any) -> Iterator[str]:
    """Return the routes of an app, as `METHOD /path`."""
    for route in app.routes:
        assert isinstance(route, Route), f"{route!r} is nothing that the attacks know how to ask"
        yield from (f"{method} {route.path}" for method in sorted((route.methods or set()) - {"HEAD"}))


def test_every_route_has_a_row_of_attacks_and_every_row_a_route(tmp_path: Path) -> None:
    routes = set(routes_of(create_app(make_settings(tmp_path))))
    for route in routes:
        row_of(route)  # raises KeyError for a route without a row
    assert {*TO_PAGES, *TO_API, *READ, *ENDLESS, *MINE} <= routes
    assert {route.rpartition("/")[2] for route in routes} >= set(AT_TABLE)
