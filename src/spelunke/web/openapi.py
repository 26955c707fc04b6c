"""The OpenAPI 3.1 document of the JSON API, made from the list of endpoints and the types of their bodies."""

from __future__ import annotations

import re

import msgspec

from spelunke.records.schema import trim_descriptions
from spelunke.web.endpoint import Endpoint
from spelunke.web.endpoints import ROOT, endpoints
from spelunke.web.refusal import Fault

REASONS = {
    400: "What was sent can't be understood",
    401: "The token or cookie is not valid",
    403: "Not allowed: another person's seat, a closed door, a wrong password",
    404: "No such thing",
    409: "Not allowed at this moment",
    410: "A code that was used, expired or never existed",
    413: "The body is too large",
    415: "The body is not JSON",
    429: "Too many requests",
    503: "The server can't answer at the moment",
}
Json = dict[str, object]
PATTERNS = {"address": "^[0-9A-Za-z_-]{1,16}$", "day": "^(today|[0-9]{4}-[0-9]{2}-[0-9]{2})$"}
"""The regular expressions of those path parameters to which the default expression does not apply."""
QUERIES: dict[str, Json] = {
    "list": {"schema": {"type": "string", "enum": ["open", "running", "mine"], "default": "open"}},
    "game": {"schema": {"type": "string", "pattern": "^[a-z0-9_-]+$"}, "description": "Name of a game"},
    "seats": {
        "schema": {"type": "string", "pattern": "^[0-9]$"},
        "description": "The number of seats",
    },
    "page": {"schema": {"type": "string", "pattern": "^[1-9][0-9]{0,3}$"}},
    "pace": {"schema": {"type": "string", "enum": ["any", "none", "live", "days"], "default": "any"}},
    "rated": {"schema": {"type": "string", "enum": ["any", "yes", "no"], "default": "any"}},
    "least": {
        "schema": {"type": "string", "pattern": "^[0-9]{1,6}$"},
        "description": "The lowest rating that the host of a table may have",
    },
    "most": {
        "schema": {"type": "string", "pattern": "^[0-9]{1,6}$"},
        "description": "The highest rating that the host of a table may have; 0 means no limit",
    },
    "friends": {
        "schema": {"type": "string", "enum": ["yes", "no"], "default": "no"},
        "description": "Whether a friend must sit there",
    },
    "since": {
        "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
        "description": "Ply after which log lines are wanted",
    },
    "viewer": {
        "schema": {"type": "string", "pattern": "^(spectator|[0-9]{1,2})$"},
        "description": "The viewer of the chain, when the game is over: a seat, or spectator",
    },
}
FROM_HERE: Json = {
    "schema": {"type": "string", "maxLength": 32},
    "description": "The client's state: the id of the last event; the header Last-Event-ID wins",
}


def write_openapi(version: str) -> Json:
    """Return the whole document as plain JSON values."""
    types = {kind for end in endpoints() for kind in (end.body, end.answer) if kind and kind is not dict}
    ordered = sorted(types | {Fault}, key=lambda kind: kind.__name__)
    schemas, components = msgspec.json.schema_components(
        ordered,
        schema_hook=lambda _kind: {"description": "Any JSON value"},
        ref_template="#/components/schemas/{name}",
    )
    named: dict[type, Json] = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, Json] = {}
    for endpoint in endpoints():
        paths.setdefault(ROOT + endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Spelunke",
            "version": version,
            "description": "A site of games. The API does nearly everything that its pages do; see docs/protocol.md.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": trim_descriptions(components),
            "securitySchemes": {
                "guest": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "`token` of POST /guests, or of a member's device",
                },
                "cookie": {"type": "apiKey", "in": "cookie", "name": "guest"},
            },
        },
    }


def _operation(endpoint: Endpoint, named: dict[type, Json]) -> Json:
    faults = sorted({*endpoint.faults, 429, 503}) + ([413] if endpoint.body else [])
    refusals = {
        str(status): {
            "description": REASONS[status],
            "content": {"application/json": {"schema": named[Fault]}},
        }
        for status in faults
    }
    out: Json = {
        "operationId": "_".join([endpoint.method.lower(), *re.findall(r"[a-z]+", endpoint.path)]),
        "summary": endpoint.summary,
        "parameters": _parameters(endpoint),
        "responses": {str(endpoint.status): _answer(endpoint, named), **refusals},
    }
    if endpoint.body:
        out["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": named[endpoint.body]}},
        }
    if endpoint.secured:
        out["security"] = [{"guest": []}, {"cookie": []}]
    return out


def _parameters(endpoint: Endpoint) -> list[Json]:
    places: list[Json] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": PATTERNS.get(name, "^[0-9A-Za-z]{1,32}$")},
        }
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    queries: list[Json] = [
        {"name": name, "in": "query", "required": False, **(FROM_HERE if endpoint.stream else QUERIES[name])}
        for name in endpoint.query
    ]
    return places + queries


def _answer(endpoint: Endpoint, named: dict[type, Json]) -> Json:
    content: Json
    if endpoint.answer is None:
        content = {"text/event-stream": {"schema": {"type": "string"}}}
    elif endpoint.answer is dict:
        content = {"application/json": {"schema": {"type": "object"}}}
    else:
        content = {"application/json": {"schema": named[endpoint.answer]}}
    return {"description": endpoint.summary, "content": content}


if __name__ == "__main__":
    # Print the document, for docs/openapi.json.
    import json
    from importlib.metadata import version

    print(json.dumps(write_openapi(version("spelunke")), indent=1, ensure_ascii=False))
