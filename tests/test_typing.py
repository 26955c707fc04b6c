"""Checks beyond the type checker: uses of `Any`, Protocols of kernels, and parts of games looked up by a string."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src" / "spelunke"
# The number of times that src uses the word `Any`. It may only fall: NumPy, Numba or JSON force each one.
MOST_ANY = 55
# The parts of a game: `game.hooks`, `match.game.moves`, a variable `rules` ...
PARTS = frozenset(
    {"rules", "moves", "events", "notation", "view", "knowledge", "hooks", "levels", "game", "card"}
)


def sources() -> Iterator[Path]:
    yield from sorted(SRC.rglob("*.py"))


def count_any(text: str) -> int:
    """Return the number of times that code uses the name `Any`. Comments and strings don't count."""
    if "Any" not in text:  # reading all words of all sources takes seconds
        return 0
    return sum(
        token.type == tokenize.NAME and token.string == "Any"
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )


def test_the_count_of_any_leaves_out_comments() -> None:
    assert count_any('from typing import Any\nx: "Any" = 1  # Any\ny: list[Any]\n') == 2


def test_the_number_of_any_in_the_sources_equals_the_limit() -> None:
    by_file = {file: count_any(file.read_text(encoding="utf-8")) for file in sources()}
    found = sum(by_file.values())
    worst = sorted(by_file, key=lambda file: -by_file[file])[:8]
    told = ", ".join(f"{file.relative_to(SRC)} {by_file[file]}" for file in worst)
    assert found <= MOST_ANY, f"{found} of `Any`, {MOST_ANY} are allowed: give it its type. Most: {told}"
    assert found == MOST_ANY, (
        f"only {found} of `Any` are left: lower the number MOST_ANY in {Path(__file__).name}"
    )


BOUND = (
    "core/step",
    "core/revise",
    "core/variants",
    "core/playout",
    "core/perft",
    "bots/lookahead",
    "adapters/sweep",
    "solvers/learners",
    "solvers/rollout",
)


@pytest.mark.parametrize("module", BOUND)
def test_a_bound_module_is_called_as_its_protocol_says(module: str) -> None:
    """Each method of the Protocol has the signature of its kernel. The type checker can't see this through `bind`."""
    body = ast.parse((SRC / f"{module}.py").read_text(encoding="utf-8")).body
    kernels = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    (protocol,) = (node for node in body if isinstance(node, ast.ClassDef))
    methods = [node for node in protocol.body if isinstance(node, ast.FunctionDef)]
    assert methods
    for method in methods:
        method.args.args = method.args.args[1:]
        kernel = kernels[method.name]
        assert ast.unparse(method.args) == ast.unparse(kernel.args), method.name
        assert ast.unparse(method.returns or method) == ast.unparse(kernel.returns or kernel), method.name


def asked_by_text(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and code of each getattr or hasattr with a literal name on a game or one of its parts."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"getattr", "hasattr"}
            and len(node.args) >= 2
            and isinstance(node.args[1], ast.Constant)
        ):
            asked = node.args[0]
            names = {part.id for part in ast.walk(asked) if isinstance(part, ast.Name)}
            names |= {part.attr for part in ast.walk(asked) if isinstance(part, ast.Attribute)}
            names |= {
                str(part.args[0].value)
                for part in ast.walk(asked)
                if isinstance(part, ast.Call) and part.args and isinstance(part.args[0], ast.Constant)
            }
            if names & PARTS:
                yield node.lineno, ast.unparse(node)


def test_the_check_finds_parts_of_a_game_looked_up_by_text() -> None:
    for code in (
        'getattr(game.moves, "stand", None)',
        'hasattr(self.match.game.hooks, "draft")',
        'getattr(rules, "revise")',
        'getattr(self._part("hooks"), "HOOKS", None)',
    ):
        assert list(asked_by_text(ast.parse(code))), code
    assert not list(asked_by_text(ast.parse('getattr(game, name); getattr(error, "place", "")')))


def test_no_code_looks_up_a_part_of_a_game_by_text() -> None:
    """No code looks up a game's part by getattr or hasattr: games/hooks.py has a default for each optional part."""
    texts = {file: file.read_text(encoding="utf-8") for file in sources()}
    wrong = [
        f"{file.relative_to(SRC)}:{line}: {code}"
        for file, text in texts.items()
        if "getattr" in text or "hasattr" in text
        for line, code in asked_by_text(ast.parse(text))
    ]
    assert wrong == []
