"""The packages `house` and `web` call nothing that turns text into code, SQL or commands (docs/security-asvs.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "spelunke"
FILES = sorted([*(SOURCE / "house").rglob("*.py"), *(SOURCE / "web").rglob("*.py")])
MODULES = {"pickle", "marshal", "shelve", "xml", "lxml", "ldap", "ldap3", "random"}
COMMANDS = {"house/backup/postgresql.py"}
"""These may start programs: PostgreSQL's own, on the host's command."""
BUILT = {"house/store/trouble.py", "house/store/statement.py"}
"""The first puts a number of the house into a PRAGMA, where SQLite accepts no parameters.

SQLAlchemy writes the statements of the second.
"""


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def called(node: ast.AST) -> str:
    """Return the last part of the called function's name, or an empty text if the node is no call of a name."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def imported(node: ast.AST) -> set[str]:
    """Return the top-level names of the modules that a statement imports, such as ``xml``."""
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and not node.level:
        return {str(node.module).partition(".")[0]}
    return set()


def test_at_least_100_files_are_checked() -> None:
    assert len(FILES) > 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_text_becomes_code_a_statement_or_a_command(path: Path) -> None:
    place = str(path.relative_to(SOURCE))
    for node in nodes(path):
        assert not imported(node) & MODULES, f"{place}: {imported(node)}"
        assert "subprocess" not in imported(node) or place in COMMANDS
        bare = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        assert not (bare and called(node) in {"eval", "exec", "compile"}), place
        assert called(node) not in {"from_string", "system", "popen", "md5", "sha1"}, place
        sql = called(node) == "exec_driver_sql" or (bare and called(node) == "text")
        if sql and place not in BUILT:
            assert isinstance(node, ast.Call)
            assert isinstance(node.args[0], ast.Constant), f"{place}: a statement that is put together"
