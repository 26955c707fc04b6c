"""Check the hooks of each game when the registry is built, without importing the games' ``hooks.py``."""

from __future__ import annotations

import ast
import importlib.util
import inspect
from pathlib import Path

from spelunke.core.errors import BadGame
from spelunke.core.sources import parse
from spelunke.games.hooks import Hooks, hook_names


def check_hooks(package: str) -> None:
    """Raise BadGame if a game's ``hooks.py`` is wrong.

    The file is wrong if it doesn't define ``HOOKS``. It is also wrong if its class of hooks has an unknown hook, a
    hook with wrong parameters or an ``async`` hook, or assigns an attribute whose name does not begin with ``_``. A
    game without ``hooks.py`` is all right.

    The file is parsed and not imported, so that the registry loads quickly.
    """
    spec = importlib.util.find_spec(package)
    file = Path(spec.origin).with_name("hooks.py") if spec is not None and spec.origin else None
    if file is None or not file.is_file():
        return
    body = parse(file).body
    place = f"{package}.hooks"
    for node in body:
        if isinstance(node, ast.ClassDef) and any("Hooks" in ast.unparse(base) for base in node.bases):
            for part in node.body:
                _check_part(place, part)
    if "HOOKS" not in (name for node in body for name in _assigned(node)):
        raise BadGame("this file must define HOOKS, an instance of Hooks", place)


def _assigned(node: ast.stmt) -> list[str]:
    """Return the names that a statement assigns."""
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _check_part(place: str, part: ast.stmt) -> None:
    """Raise BadGame if a statement in the body of a game's hooks class is wrong.

    If the statement assigns names, they must begin with ``_``. If it defines a function, this must be a hook, or have a
    name that begins with ``_``. A hook must have the right parameters, and no ``async``.
    """
    for name in _assigned(part):
        if not name.startswith("_"):
            raise BadGame(
                f"{name!r} is not a method; write a hook as a method, and begin any other name with _",
                place,
            )
    if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) or part.name.startswith("_"):
        return
    if part.name not in hook_names():
        raise BadGame(
            f"there is no hook {part.name!r}; begin the name of a helper with _, or use one of "
            + ", ".join(hook_names()),
            place,
        )
    if isinstance(part, ast.AsyncFunctionDef):
        raise BadGame(f"the hook {part.name!r} is called and not awaited: write def, not async def", place)
    wanted = list(inspect.signature(vars(Hooks)[part.name]).parameters)
    given = [a.arg for a in (*part.args.posonlyargs, *part.args.args)]
    more = [a.arg for a in (part.args.vararg, *part.args.kwonlyargs, part.args.kwarg) if a is not None]
    if given != wanted or more:
        raise BadGame(
            f"the hook {part.name!r} takes ({', '.join(wanted)}), not ({', '.join(given + more)})", place
        )
