"""Extract texts for translators (``make words``), and translate the help of commands before a command runs.

The texts are the help of commands, error messages, and the texts that tell people what a record proves. The help is in
the source of each command: in its docstring and in ``help=``.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import IO, Any, Protocol, cast

from spelunke.core.words import REFUSAL, Translator

Found = tuple[int, str | None, Any, list[str]]
HELP = frozenset({"help", "epilog"})
PROVING = re.compile(r"/records/(fairness|judgement|evidence|undoing)\.py$")
OF_FILES = re.compile(
    r"((?<!store/)reading\w*|positions?|learning|markup|checks|game|field_notation|record|chain|schema|replay|process|levels|settings|scripts|forwarding|api|table|undoing|kept)\.py$"
    r"|/(backup|store(?!/reading)|solving|arena)/"
)
"""A pattern for the paths of modules whose error messages quote parts of files or programs.

Of these messages, only those without quoted values are translated.
"""
SHORTEST = 5
"""The minimum length of an error message with values. Only the letters outside the values count.

Shorter messages are not translated, because they are not distinctive.
"""
WIDEST = 78
"""The maximum length of a line of the help, without its indent."""
REFUSED = "A refusal: a clause without a capital letter and a full stop."
PROVEN = "What proves a record, or what is wrong with it: a clause or a sentence, as in English."


def extract(
    file: IO[bytes], keywords: Mapping[str, object], comment_tags: Sequence[str], options: Mapping[str, str]
) -> Iterator[Found]:
    """Yield the translatable texts of a module, in the form that Babel expects."""
    from babel.messages.extract import extract_python

    source = file.read()
    file.seek(0)
    yield from cast("Iterator[Found]", extract_python(file, keywords, comment_tags, options))  # type: ignore[arg-type]
    tree = ast.parse(source)
    name = str(getattr(file, "name", ""))
    if PROVING.search(name):
        yield from _proofs(tree)
    yield from _refusals(tree, in_refusals=name.endswith("refusals.py"), quoting=not OF_FILES.search(name))
    if b"import typer" not in source:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            told = ast.get_docstring(node)
            if told and ("[dim]spelunke" in told or node.name == PurePath(name).stem):
                yield node.lineno, "", told, ["The help of a command. Keep the lines with [dim] as they are."]
        elif isinstance(node, ast.keyword) and node.arg in HELP and isinstance(node.value, ast.Constant):
            yield node.value.lineno, "", node.value.value, []


def _refusals(tree: ast.AST, *, in_refusals: bool, quoting: bool) -> Iterator[Found]:
    """Yield the error messages in the source of a module, for example the text in each ``raise BadInput("…")``.

    If ``in_refusals`` is true, the module is ``refusals.py``, where each text that a function returns is an error
    message too. If an error takes its message from a variable or a function of the module, yield every message that the
    error may get from there.

    A message that quotes values is an f-string. For translators, it gets a name in braces for each value, and the
    context :data:`spelunke.core.words.REFUSAL`. If ``quoting`` is false, leave out messages that quote values.
    """
    named = _named_texts(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            # `self.refuse(value, "on or off")` of options
            said = node.exc.args[-1 if isinstance(node.exc.func, ast.Attribute) else 0]
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Call) and _makes_error(node.value):
            said = node.value.args[0]
        elif isinstance(node, ast.Return) and in_refusals and node.value is not None:
            said = node.value
        else:
            continue
        for text in _texts_of(said, named):
            if quoting or isinstance(text, ast.Constant):
                yield from _found(text, REFUSED)


def _proofs(tree: ast.AST) -> Iterator[Found]:
    """Yield the texts in the functions of a module that verifies records, except docstrings.

    These texts tell people what is proven and what is wrong.
    """
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        inside = {
            id(part) for node in ast.walk(function) if isinstance(node, ast.JoinedStr) for part in node.values
        }
        told = function.body[0] if ast.get_docstring(function) else None
        for node in ast.walk(function):
            if (
                isinstance(node, (ast.JoinedStr, ast.Constant))
                and id(node) not in inside
                and not (isinstance(told, ast.Expr) and node is told.value)
                and not (
                    isinstance(node, ast.JoinedStr) and " " not in _template_of(node)
                )  # without spaces, it names a place in a file
            ):
                yield from _found(node, PROVEN)


def _found(text: ast.JoinedStr | ast.Constant, comment: str) -> Iterator[Found]:
    """Yield the text as an entry of the catalogues of translations. If the text is too short, yield nothing.

    If the text is an f-string, the entry has the context `REFUSAL`.
    """
    if isinstance(text, ast.Constant):
        if isinstance(text.value, str) and text.value.count(" ") > 1:
            yield text.lineno, "", text.value, [comment]
        return
    template = _template_of(text)
    if len(re.sub(r"\{\w+\}|\W", "", template)) >= SHORTEST:
        yield text.lineno, "within", (REFUSAL, template), [comment]


def _makes_error(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id.startswith("Bad") and bool(call.args)


def _named_texts(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Return expressions by name: the first value of each variable in a module, and the results of each function."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            returns = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value]
            named[node.name] = returns
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, [node.value])
    return named


def _texts_of(
    said: ast.expr, named: Mapping[str, Sequence[ast.expr]] = MappingProxyType({})
) -> Iterator[ast.JoinedStr | ast.Constant]:
    """Yield the texts that an expression may evaluate to. `named` is the result of `_named_texts` for the module."""
    if isinstance(said, ast.BoolOp):  # `return first_reason(s) or "a text"`
        for value in said.values:
            yield from _texts_of(value, named)
    elif isinstance(said, ast.IfExp):
        yield from _texts_of(said.body, named)
        yield from _texts_of(said.orelse, named)
    elif isinstance(said, (ast.JoinedStr, ast.Constant)):
        yield said
    else:
        name = said.func if isinstance(said, ast.Call) else said
        for value in named.get(name.id, ()) if isinstance(name, ast.Name) else ():
            yield from _texts_of(value)


def _template_of(text: ast.JoinedStr) -> str:
    """Return an f-string as a template, with a name in braces for each value: ``{text} is not a card``."""
    parts: list[str] = []
    names: list[str] = []
    for part in text.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        elif isinstance(part, ast.FormattedValue):
            named = [
                node.id if isinstance(node, ast.Name) else node.attr
                for node in ast.walk(part.value)
                if isinstance(node, (ast.Name, ast.Attribute))
            ]
            name = re.sub(r"\W", "", named[0]).lower() if named else "value"
            names.append(name)
            again = names.count(name)
            parts.append(f"{{{name}{again if again > 1 else ''}}}")
    return "".join(parts)


def translate_help(command: Any, translate: Translator, *, styled: bool) -> None:
    """Translate the help of a command, of its parameters and of its subcommands.

    If ``styled`` is false, leave out the marks for bold and dim letters. ``command`` is an object of the command-line
    library. Its class differs between versions of this library.
    """
    for name in ("help", "short_help", "epilog", "rich_help_panel"):
        text = getattr(command, name, None)
        if isinstance(text, str):
            said = translate(inspect.cleandoc(text))
            setattr(command, name, said if styled else _without_styles(said))
    _translate_library(command, translate)
    for parameter in getattr(command, "params", ()):
        if isinstance(text := getattr(parameter, "help", None), str):
            parameter.help = translate(text)
    for inner in getattr(command, "commands", {}).values():
        translate_help(inner, translate, styled=styled)


def _without_styles(text: str) -> str:
    """Return a help text without Rich's marks.

    Keep the line breaks of an example if its lines fit on the screen. The command-line library wraps all other text.
    """
    paragraphs = []
    for styled in text.split("\n\n"):
        plain = re.sub(r"\[/?(?:bold|dim)?\]", "", styled)
        fits = max(map(len, plain.splitlines())) <= WIDEST
        paragraphs.append(f"\b\n{plain}" if fits and styled.startswith("[dim]spelunke") else plain)
    return "\n\n".join(paragraphs)


class _HelpOption(Protocol):
    help: str | None


class _Command(Protocol):
    """A command of the command-line library, with the two methods that write its help."""

    get_help_option: Callable[[object], _HelpOption | None]
    get_help: Callable[[object], str]


def _translate_library(command: _Command, translate: Translator) -> None:
    """Translate the texts that the command-line library itself adds to the help of a command."""
    find_option, write_help = command.get_help_option, command.get_help

    def help_option(context: object) -> _HelpOption | None:
        option = find_option(context)
        if option is not None and option.help:
            option.help = translate(option.help)
        return option

    def help_text(context: object) -> str:
        return re.sub(r"\AUsage:", lambda found: translate(found[0]), write_help(context))

    command.get_help_option, command.get_help = help_option, help_text
