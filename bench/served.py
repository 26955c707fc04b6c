"""The house as an application for other servers; settings come from the environment."""

from __future__ import annotations

from spelunke.web.app import create_app

app = create_app()
