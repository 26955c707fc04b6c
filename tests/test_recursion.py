"""No kernel calls itself. If it did, Numba would load it from its disk cache with a wrong address, and crash."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "src" / "spelunke"


def test_no_kernel_calls_itself() -> None:
    found = []
    seen = 0
    for file in sorted(SOURCES.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "@kernel" not in text and "@hot" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef) or not any(
                isinstance(mark, ast.Name) and mark.id in {"kernel", "hot"} for mark in node.decorator_list
            ):
                continue
            seen += 1
            called = {
                call.func.id
                for call in ast.walk(node)
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
            }
            if node.name in called:
                found.append(f"{file.relative_to(SOURCES)}: {node.name}")
    assert not found
    assert seen > 100
