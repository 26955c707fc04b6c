"""If a page of the documentation mentions a module, a class or a function, the code contains it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "spelunke"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ASVS = (ROOT / "docs" / "security-asvs.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
# `folder/module.py`, and after a colon the names in it: `folder/module.py: Class.method, function`.
NAMED = re.compile(r"(?<![\w./])((?:[a-z_]+/)+[a-z_]+\.py)(?:: ((?:\w+(?:\.\w+)?)(?:, \w+(?:\.\w+)?)*))?")
ELSEWHERE = ("tests/", "bench/")


def places(text: str) -> Iterator[tuple[str, str]]:
    """Yield ``(module, "")`` for each module that the text names.

    If the text also gives names from this module, yield ``(module, name)`` for each of these names.
    """
    for file, names in NAMED.findall(text):
        yield file, ""
        for name in names.split(", ") if names else ():
            yield file, name


def defined(file: Path) -> set[str]:
    """Return the names of a module: functions, classes, their methods, assigned names."""
    found: set[str] = set()

    def note(body: list[ast.stmt], before: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(before + node.name)
                if isinstance(node, ast.ClassDef):
                    note(node.body, f"{before}{node.name}.")
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            found.update(before + target.id for target in targets if isinstance(target, ast.Name))

    note(ast.parse(file.read_text(encoding="utf-8")).body, "")
    return found


@pytest.mark.parametrize("page", [PAGE, GLOSSARY, ASVS], ids=["architecture", "glossary", "asvs"])
def test_files_and_names_on_the_page_exist(page: str) -> None:
    names: defaultdict[Path, set[str]] = defaultdict(set)
    for file, name in places(page):
        names[ROOT / file if file.startswith(ELSEWHERE) else SRC / file].add(name)
    assert not [file for file in names if not file.is_file()], "there are no such files any more"
    missing = {file: names[file] - {""} - defined(file) for file in names if names[file] != {""}}
    assert not {file: them for file, them in missing.items() if them}, "these files lack these names"


def test_the_page_names_more_than_80_places_in_the_code() -> None:
    assert len(set(places(PAGE))) > 80
    for action in ("a roll", "a sealed card", "a hep"):
        assert f"## The path of {action}\n" in PAGE


def test_the_page_lists_every_package() -> None:
    rooms = {
        folder.name
        for folder in SRC.iterdir()
        if any(folder.glob("*.py")) and len(list(folder.glob("*.py"))) > 1
    }
    told = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert rooms | {"games"} == told
    inside = {folder.parent.name for folder in (SRC / "house").glob("*/__init__.py")}
    assert inside == set(re.findall(r"^\| `house/(\w+)/` \|", PAGE, re.MULTILINE))


def test_the_glossary_defines_each_word_once() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\*", GLOSSARY, re.MULTILINE)
    assert len(words) > 50
    assert len(words) == len(set(words))
