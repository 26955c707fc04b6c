"""Find the prose of a file: docstrings, comments, sentences in strings, Markdown, and the text of templates."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["function", "class", "module", "text"]
FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"``.+?``|`[^`\n]+`")
TEMPLATE_STRING = re.compile(r"""(?<!\w)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'\w])//[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Text:
    """A piece of prose and the line on which it begins."""

    kind: Kind
    line: int
    text: str


def is_attribute(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is a property, or only declares a signature (an overload)."""
    names = {ast.unparse(decorator).split("(")[0].rpartition(".")[2] for decorator in node.decorator_list}
    return bool(names & {"property", "cached_property", "setter", "overload"})


def in_python(source: str) -> Iterator[Text]:
    """Yield docstrings, comments, and strings of three words and more."""
    docstrings = set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            continue
        said = ast.get_docstring(node)
        if said is None:
            continue
        first = node.body[0]
        assert isinstance(first, ast.Expr)
        docstrings.add(first.value)
        kind: Kind = "function"
        if isinstance(node, ast.Module):
            kind = "module"
        elif isinstance(node, ast.ClassDef):
            kind = "class"
        elif is_attribute(node):
            kind = "text"
        yield Text(kind, first.lineno, said)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in docstrings:
            continue
        if len(node.value.split()) >= 3:
            yield Text("text", node.lineno, node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text("text", token.start[0], token.string.lstrip("#! "))


def without(pattern: re.Pattern[str], source: str) -> str:
    """Return the source with a placeholder for each match. Line breaks in a match stay, so lines keep their numbers."""
    return pattern.sub(lambda found: "§" + "\n" * found[0].count("\n"), source)


def in_markdown(source: str) -> Iterator[Text]:
    """Yield each line outside of code blocks."""
    for number, line in enumerate(without(FENCE, source).splitlines(), 1):
        if line.strip():
            yield Text("text", number, line.strip())


def in_settings(source: str) -> Iterator[Text]:
    """Yield each whole line of a settings file: comments and sentences are not separated from names and values."""
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip():
            yield Text("text", number, line.strip())


def in_template(source: str) -> Iterator[Text]:
    """Yield three kinds of text in a template: comments, the text between tags, and long strings in its code."""
    for code in JINJA.finditer(source):
        for found in TEMPLATE_STRING.finditer(code[0]):
            said = ast.literal_eval(found[1])
            if len(said.split()) >= 3:
                yield Text("text", source.count("\n", 0, code.start() + found.start()) + 1, said)
    for number, line in enumerate(without(TAG, without(JINJA, source)).splitlines(), 1):
        if line.strip(" §"):
            yield Text("text", number, line.strip())


def in_script(source: str) -> Iterator[Text]:
    """Yield the comments of a script or a style sheet."""
    for found in SCRIPT_COMMENT.finditer(source):
        yield Text("text", source.count("\n", 0, found.start()) + 1, found[0].strip("/* \n"))


FINDERS = {
    ".py": in_python,
    ".md": in_markdown,
    ".html": in_template,
    ".js": in_script,
    ".css": in_script,
    ".ts": in_script,
    ".toml": in_settings,
    ".yml": in_settings,
    ".sh": in_settings,
    ".conf": in_settings,
}
