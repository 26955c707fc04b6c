"""The class of the API's endpoints. The modules `endpoints` and `study_endpoints` list them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spelunke.web.api import Handler


@dataclass(frozen=True)
class Endpoint:
    """An endpoint of the API: its address, its handler, its input and output."""

    method: Literal["GET", "POST", "PATCH", "PUT"]
    path: str
    handler: Handler
    answer: type | None
    summary: str
    body: type | None = None
    status: int = 200
    query: tuple[str, ...] = ()
    secured: bool = False
    stream: bool = False
    faults: tuple[int, ...] = ()
