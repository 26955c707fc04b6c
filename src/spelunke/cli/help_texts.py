"""Find the help of commands for the catalogue (``make words``), and translate it when the commands are built.

The help is written once, where a command is defined: in docstrings and in ``help=``.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, cast

from spelunke.core.words import Translator

Found = tuple[int, str | None, Any, list[str]]
HELP = frozenset({"help", "epilog"})


def extract(
    file: IO[bytes], keywords: Mapping[str, object], comment_tags: Sequence[str], options: Mapping[str, str]
) -> Iterator[Found]:
    """Yield the texts of a module of commands, in the form that Babel asks for."""
    from babel.messages.extract import extract_python

    source = file.read()
    file.seek(0)
    yield from cast("Iterator[Found]", extract_python(file, keywords, comment_tags, options))  # type: ignore[arg-type]
    tree = ast.parse(source)
    yield from _refusals(tree, in_refusals=str(getattr(file, "name", "")).endswith("refusals.py"))
    if b"import typer" not in source:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            told = ast.get_docstring(node)
            if told and "[dim]spelunke" in told:
                yield node.lineno, "", told, ["The help of a command. Keep the lines with [dim] as they are."]
        elif isinstance(node, ast.keyword) and node.arg in HELP and isinstance(node.value, ast.Constant):
            yield node.value.lineno, "", node.value.value, []


def _refusals(tree: ast.AST, *, in_refusals: bool) -> Iterator[Found]:
    """Yield the refusals that quote nothing: those in ``raise BadInput("…")``, and those in each ``return``
    of ``refusals.py``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            said = node.exc.args[0]
        elif isinstance(node, ast.Return) and in_refusals and node.value is not None:
            said = node.value
        else:
            continue
        if isinstance(said, ast.Constant) and isinstance(said.value, str) and said.value.count(" ") > 1:
            yield (
                said.lineno,
                "",
                said.value,
                ["A refusal: a clause without a capital letter and a full stop."],
            )


def translate_help(command: Any, translate: Translator) -> None:
    """Translate the help of a command, of its parameters and of its commands. ``command`` is one of the library that
    reads the command line, whose class differs between its versions.
    """
    for name in ("help", "short_help", "epilog", "rich_help_panel"):
        text = getattr(command, name, None)
        if isinstance(text, str):
            setattr(command, name, translate(inspect.cleandoc(text)))
    for parameter in getattr(command, "params", ()):
        if isinstance(text := getattr(parameter, "help", None), str):
            parameter.help = translate(text)
    for inner in getattr(command, "commands", {}).values():
        translate_help(inner, translate)
