"""Make the JSON Schemas in docs/schemas: one for each format, from the Python types that read the format."""

from __future__ import annotations

import inspect
from typing import Any, TypeAlias

import msgspec

from spelunke.analysis.analysis import Analysis
from spelunke.games import shelf
from spelunke.records.fairness import Verdict
from spelunke.records.record import Record

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema as JSON values."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, Schema]:
    """Return the schemas by name: ``record``, ``analysis``, ``verdict``, and ``position.GAME``.

    A game has a schema only if its hook ``position_type`` returns a type.
    """
    found = {
        "record": _schema(Record, "A game of Spelunke, formats spelunke-record-1 and spelunke-record-2"),
        "analysis": _schema(Analysis, "The analysis of a game, format spelunke-analysis-1"),
        "verdict": _schema(Verdict, "What verifying a record found"),
    }
    for name, game in shelf().items():
        kind = game.hooks.position_type()
        if kind is not None:
            found[f"position.{name}"] = _position(kind, name, game.title)
    return found


def _schema(kind: type[msgspec.Struct], title: str) -> Schema:
    return {
        "$schema": DRAFT,
        "title": title,
        **trim_descriptions(msgspec.json.schema(kind, schema_hook=_describe)),
    }


def _describe(kind: type) -> Schema:
    """Return the schema of the type ``object``, which allows any JSON value.

    Raise NotImplementedError for other types.
    """
    if kind is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError(kind)


def trim_descriptions(schema: Any) -> Any:
    """Return the schema with its descriptions unindented. The descriptions come from docstrings.

    Python strips the indentation of docstrings only from version 3.13 on. Without this function, the published files
    would depend on the Python version.
    """
    if isinstance(schema, dict):
        return {
            name: inspect.cleandoc(part)
            if name == "description" and isinstance(part, str)
            else trim_descriptions(part)
            for name, part in schema.items()
        }
    return [trim_descriptions(part) for part in schema] if isinstance(schema, list) else schema


def _position(kind: type[msgspec.Struct], name: str, title: str) -> Schema:
    """Return the schema of a game's position file, with the game's own fields and the field ``game``."""
    schema = _schema(kind, f"A position of {title}")
    whole = schema["$defs"][kind.__name__]
    whole["properties"] = {"game": {"const": name}, **whole["properties"]}
    return schema


def write_schema(schema: Schema) -> bytes:
    """Return the contents of the schema's file in docs/schemas."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
