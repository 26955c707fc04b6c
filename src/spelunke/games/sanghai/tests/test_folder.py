"""Imports between modules: there are no cycles, and the planner imports no views or moves.

Modules outside the planner import only its public names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from spelunke.games.sanghai import planning

HERE = Path(__file__).resolve().parent.parent
PACKAGE = "spelunke.games.sanghai"
INSIDE = f"{PACKAGE}.planning"


def modules() -> dict[str, Path]:
    found = {}
    for file in sorted(HERE.rglob("*.py")):
        parts = file.relative_to(HERE).with_suffix("").parts
        if parts[0] != "tests":
            found[".".join((PACKAGE, *(part for part in parts if part != "__init__")))] = file
    return found


def imports(file: Path) -> Iterator[str]:
    """Yield the full name of each import in a file, including imports inside functions and for the type checker."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.level == 0
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_other_modules_import_only_the_public_names_of_the_planner() -> None:
    named = set()
    for module, file in modules().items():
        if not f"{module}.".startswith(f"{INSIDE}."):
            for name in imports(file):
                if name.startswith(f"{INSIDE}."):
                    assert name.removeprefix(f"{INSIDE}.") in planning.__all__, f"{module} imports {name}"
                    named.add(name.removeprefix(f"{INSIDE}."))
    assert named <= set(planning.__all__)
    assert len(named) > 10


def test_the_planner_imports_neither_views_nor_moves() -> None:
    below = {"planning", "state", "cards"}
    for module, file in modules().items():
        if module.startswith(INSIDE):
            for name in imports(file):
                if name.startswith(f"{PACKAGE}."):
                    assert name.removeprefix(f"{PACKAGE}.").split(".")[0] in below, f"{module} imports {name}"


def test_no_module_imports_itself_through_other_modules() -> None:
    known = modules()
    graph: dict[str, set[str]] = {}
    for module, file in known.items():
        there = {name if name in known else name.rpartition(".")[0] for name in imports(file)}
        graph[module] = {name for name in there if name in known and name != module}
    graph[PACKAGE] = set()
    assert sum(map(len, graph.values())) > 100
    left = dict(graph)
    while left:  # remove modules that import nothing remaining
        done = [module for module, there in left.items() if not there & left.keys()]
        assert done, f"a circle among {', '.join(sorted(left))}"
        for module in done:
            del left[module]
