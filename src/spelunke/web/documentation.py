"""Serve the documentation under `/docs`, if the operator has set the folder that `make docs` built.

These pages work with the site's usual security headers: see docs/why/documentation.md.
"""

from __future__ import annotations

import os

from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope


class Documentation(StaticFiles):
    """Serves the files of the built documentation. The page of a folder is its `index.html`."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file, marked as English even if the reader has chosen another language for other pages.

        Browsers must check with the server before they reuse a cached file.
        """
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["content-language"] = "en"
        response.headers["cache-control"] = "no-cache"
        return response


def routes(folder: str) -> list[Mount]:
    """Return the routes of the documentation in a folder. If ``folder`` is an empty text, return no routes."""
    if not folder:
        return []
    return [Mount("/docs", Documentation(directory=folder, html=True), name="docs")]
