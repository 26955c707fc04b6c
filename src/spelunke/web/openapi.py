"""The OpenAPI 3.1 document of the JSON API, made from its table of operations and its typed shapes."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from spelunke.records.schema import trim_descriptions
from spelunke.web.operations import OPERATIONS, ROOT, Operation
from spelunke.web.refusal import Fault

REASONS = {
    400: "What was sent can't be understood",
    401: "Nobody is known by this token or cookie",
    403: "Not the asker's seat",
    404: "No such thing",
    409: "Understood, but not allowed at this moment",
    413: "The body is too large",
    415: "The body is not JSON",
    429: "Too many requests",
    503: "The house can't answer just now",
}
QUERIES: dict[str, dict[str, Any]] = {
    "list": {"schema": {"type": "string", "enum": ["open", "running", "mine"], "default": "open"}},
    "game": {"schema": {"type": "string", "pattern": "^[a-z0-9_-]+$"}, "description": "Name of a game"},
    "since": {
        "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
        "description": "Ply after which log lines are wanted",
    },
}


def write_openapi(version: str) -> dict[str, Any]:
    """The whole document as plain JSON values."""
    types = {kind for op in OPERATIONS for kind in (op.body, op.answer) if kind not in (None, dict)} | {Fault}
    ordered = sorted(types, key=lambda kind: kind.__name__)
    schemas, components = msgspec.json.schema_components(
        ordered,
        schema_hook=lambda _kind: {"description": "Any JSON value"},
        ref_template="#/components/schemas/{name}",
    )
    named = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(ROOT + operation.path, {})[operation.method.lower()] = _operation(operation, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Spelunke",
            "version": version,
            "description": "A house of games. Everything that its pages do; docs/protocol.md tells how to play.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": trim_descriptions(components),
            "securitySchemes": {
                "guest": {"type": "http", "scheme": "bearer", "description": "`token` of POST /guests"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "guest"},
            },
        },
    }


def _operation(operation: Operation, named: dict[Any, Any]) -> dict[str, Any]:
    words = [operation.method.lower(), *re.findall(r"[a-z]+", operation.path)]
    out: dict[str, Any] = {
        "operationId": "_".join(words),
        "summary": operation.summary,
        "parameters": _parameters(operation),
        "responses": {str(operation.status): _answer(operation, named)},
    }
    for status in sorted({*operation.faults, 429, 503}):
        out["responses"][str(status)] = {
            "description": REASONS[status],
            "content": {"application/json": {"schema": named[Fault]}},
        }
    if operation.body:
        out["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": named[operation.body]}},
        }
        out["responses"]["413"] = {
            "description": REASONS[413],
            "content": {"application/json": {"schema": named[Fault]}},
        }
    if operation.secured:
        out["security"] = [{"guest": []}, {"cookie": []}]
    return out


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    places = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": "^[0-9A-Za-z]{1,32}$"},
        }
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    queries = [{"name": name, "in": "query", "required": False, **QUERIES[name]} for name in operation.query]
    if operation.stream:
        for query in queries:
            query["schema"] = {"type": "string", "maxLength": 32}
            query["description"] = (
                "What the client has: the id of the last event; the header Last-Event-ID wins"
            )
    return places + queries


def _answer(operation: Operation, named: dict[Any, Any]) -> dict[str, Any]:
    if operation.stream:
        content: dict[str, Any] = {"text/event-stream": {"schema": {"type": "string"}}}
    elif operation.answer is dict:
        content = {"application/json": {"schema": {"type": "object"}}}
    else:
        content = {"application/json": {"schema": named[operation.answer]}}
    return {"description": operation.summary, "content": content}


if __name__ == "__main__":
    # Prints the document, for docs/openapi.json.
    import json
    from importlib.metadata import version

    print(json.dumps(write_openapi(version("spelunke")), indent=1, ensure_ascii=False))
