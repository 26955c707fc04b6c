"""HTML is made by one builder: all values are escaped, and no other code makes Markup from text."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, fill, flag, hidden, html, join, rewrite

SRC = Path(__file__).resolve().parent.parent / "src" / "spelunke"
DRAWN = sorted({*SRC.glob("games/*/ui/*.py"), *SRC.glob("web/parts/*.py"), SRC / "boards" / "stage.py"})
"""The files that draw boards and pages."""
DOOR = SRC / "boards" / "markup.py"
TRUSTING = {"web/parts/rules.py": 1, "web/sheets.py": 1}
"""The places that accept text unchanged, with their number: HTML of another library, and the house's style sheets.
(Rules that are read from Markdown rewrite their own HTML.)
"""
MAKERS = ("Mark", "trust", "html")
"""The beginnings of what `misdeeds` says about a file that makes Markup from text, and of the names that do it."""
TAG = re.compile(r"</?[a-z][a-z0-9]*[\s>/]|</?[a-z]+$|(^|\s)[a-z-]+=\"|/>")
"""Pieces of tags and attributes, in text."""


# --- its results ---


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (html("<b>{}</b>", "<i>"), "<b>&lt;i&gt;</b>"),
        (html("<b>{}</b>", html("<i>{}</i>", "&")), "<b><i>&amp;</i></b>"),
        (html('<b title="{name}">{0}</b>', 7, name='"'), '<b title="&#34;">7</b>'),
        (html("{0}{1}{0}", "<", 1), "&lt;1&lt;"),
        (html("100% {{}} {}", True), "100% {} True"),
        (html("<br>"), "<br>"),
        (html("{}", None), "None"),
        (escape("<" * 200), "&lt;" * 200),
        (escape(Markup("<b>")), "<b>"),
        (fill("<{name}>", name=Markup("<b>")), "&lt;<b>&gt;"),
        (join(["<", Markup("<b>"), 1]), "&lt;<b>1"),
        (join(["a", "b"], "<br>"), "a&lt;br&gt;b"),
        (flag("open", on=True), " open"),
        (flag("open", on=[]), ""),
        (
            hidden(a="<", b=2),
            '<input type="hidden" name="a" value="&lt;"><input type="hidden" name="b" value="2">',
        ),
        (
            rewrite(Markup("<b>1</b>"), re.compile(r"\d"), lambda one: html("<i>{}</i>", one)),
            "<b><i>1</i></b>",
        ),
        (NOTHING, ""),
    ],
)
def test_every_inserted_value_is_escaped(made: Markup, expected: str) -> None:
    assert type(made) is Markup
    assert made == expected


def test_equal_values_of_different_types_are_cached_separately() -> None:
    class Name(str):
        __slots__ = ()

        def __str__(self) -> str:
            return f"<{super().__str__()}>"

    for _ in range(2):
        assert html("{}", "one") == "one"
        assert html("{}", Name("one")) == "&lt;one&gt;"
        assert html("{}{}{}", 1, True, 1.0) == "1True1.0"


@pytest.mark.parametrize(
    ("template", "values"), [("<b>{}</b>", ()), ("<b>{}</b>", (1, 2)), ("{0}{2}", (1, 2)), ("{name}", ())]
)
def test_a_template_has_as_many_fields_as_values(template: str, values: tuple[object, ...]) -> None:
    with pytest.raises((ValueError, IndexError, KeyError)):
        html(template, *values)


@pytest.mark.parametrize("template", ["{:02d}", "{!r}", "{a.b}", "{a[0]}"])
def test_fields_of_a_template_are_names_and_numbers(template: str) -> None:
    with pytest.raises(ValueError, match="a field of a template is a name"):
        html(template, 1, a="x")


# --- no other code makes HTML ---


def of_text(node: ast.expr) -> Iterator[str]:
    """Yield the literal texts of an expression that become part of its value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "\0".join(str(part.value) if isinstance(part, ast.Constant) else "" for part in node.values)
    elif isinstance(node, ast.BinOp):
        yield from (*of_text(node.left), *of_text(node.right))


def name_of(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def of_method(call: ast.Call) -> ast.expr:
    """Return the object of a method call, or the function itself if the call has no object."""
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def misdeeds(source: str) -> Iterator[tuple[int, str]]:
    """Find the places where a source makes HTML from text without the builder.

    For each place, yield the number of its line, and a description of what the source does there.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr) and any(TAG.search(text) for text in of_text(node)):
            yield node.lineno, "an f-string with a tag"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod | ast.Mult):
            if any(TAG.search(text) for text in of_text(node)):
                yield node.lineno, "text with a tag put together"
        elif isinstance(node, ast.Call):
            name, first = name_of(node), node.args[0] if node.args else None
            if name == "html" and not (first is not None and is_literal(first)):
                yield node.lineno, "html() of what is no literal"
            elif name in ("Markup", "trusted") and first is not None and not is_literal(first):
                yield node.lineno, f"{name}() of what is no literal"
            elif name in ("format", "join", "replace") and any(
                TAG.search(text) for text in of_text(of_method(node))
            ):
                yield node.lineno, f"a text with a tag, and .{name}()"


@pytest.mark.parametrize(
    "source",
    [
        "f'<b>{x}</b>'",
        "f'<b {x}'",
        "f'{x}</b>'",
        "f' title=\"{x}\"'",
        "'<b>%s</b>' % x",
        "'<b>' + x",
        "x + '</b>'",
        "'<b>{}</b>'.format(x)",
        "'<br>'.join(x)",
        "Markup(x)",
        "markupsafe.Markup(f'{x}')",
        "trusted(x)",
        "html(x)",
        "html(f'{x}')",
        "html('<b>' + x)",
    ],
)
def test_the_check_finds_html_made_from_text(source: str) -> None:
    assert list(misdeeds(source))


@pytest.mark.parametrize(
    "source",
    [
        "html('<b>{}</b>', x)",
        "f'{x}-{y}'",
        "f'M{x} {y}'",
        "x + y",
        "join(x)",
        "Markup()",
        "a < b",
        "f'{x} < {y}'",
    ],
)
def test_the_check_accepts_code_that_makes_no_html_from_text(source: str) -> None:
    assert not list(misdeeds(source))


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: str(path.relative_to(SRC)))
def test_boards_and_pages_make_html_only_with_the_builder(path: Path) -> None:
    found = list(misdeeds(path.read_text()))
    name = str(path.relative_to(SRC))
    trusting = [line for line, what in found if what.startswith("trusted()")]
    assert len(trusting) == TRUSTING.get(name, 0), found
    assert [(line, what) for line, what in found if line not in trusting] == []


def fields_of(template: str) -> set[str]:
    """Return the names of a template's fields. A field without a name has its number instead."""
    names = [name for _text, name, *_form in Formatter().parse(template) if name is not None]
    return {name or str(number) for number, name in enumerate(names)}


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: str(path.relative_to(SRC)))
def test_each_call_of_html_gives_exactly_the_fields_of_the_template(path: Path) -> None:
    """Each call of ``html`` without ``*`` and ``**`` gives exactly the fields of its template.

    This includes pages that no test draws.
    """
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            not isinstance(node, ast.Call)
            or name_of(node) != "html"
            or not isinstance(node.args[0], ast.Constant)
        ):
            continue
        if any(isinstance(given, ast.Starred) for given in node.args) or any(
            not word.arg for word in node.keywords
        ):
            continue
        given = {str(number) for number in range(len(node.args) - 1)} | {
            str(word.arg) for word in node.keywords
        }
        assert fields_of(str(node.args[0].value)) == given, node.lineno


def test_no_other_file_makes_markup_from_text() -> None:
    """Files outside of the drawing code make no Markup from text. Ruff's rule `S704` finds only the plain cases."""
    for path in sorted(SRC.rglob("*.py")):
        if path in DRAWN or path == DOOR:
            continue
        text = path.read_text()
        makers = [
            (line, what)
            for line, what in (misdeeds(text) if any(word in text for word in MAKERS) else ())
            if what.startswith(MAKERS)
        ]
        trusting = [made for made in makers if made[1].startswith("trusted()")]
        assert len(trusting) == TRUSTING.get(str(path.relative_to(SRC)), 0), (path, trusting)
        assert [made for made in makers if made not in trusting] == [], path
