"""The ASGI application for other web servers (`bench/servers.py`). Its settings come from the environment."""

from __future__ import annotations

from spelunke.web.app import create_app

app = create_app()
