"""Kernels: small functions on a record that run compiled (Numba) or plain (``SPELUNKE_JIT=0``), with the same result.

Importing this module is cheap; Numba is only imported when the first kernel is declared. Why kernels, and why bound by
text: docs/why/kernels.md.
"""

from __future__ import annotations

import ast
import functools
import getpass
import hashlib
import importlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

Function = TypeVar("Function", bound=Callable[..., Any])
Cell: TypeAlias = int
"""A scalar field of a record."""
Cells: TypeAlias = npt.NDArray[np.int16]
"""An array field of a record; its shape stands in ``Annotated[Cells, 2, 6]``."""

JIT = os.environ.get("SPELUNKE_JIT", "1") != "0"
"""Whether kernels are compiled in this process."""

FIELD = np.int16
RESERVED = frozenset(dir(np.record))


def layout(shape: type) -> np.dtype[Any]:
    """The record type of an annotated class: ``Cell`` is one int16, ``Annotated[Cells, 2, 6]`` a block of them.

    Raises TypeError for other annotations and for a name that ``np.record`` has a method of (it would break plain
    mode, where the method wins over the field).
    """
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(shape, include_extras=True).items():
        if name in RESERVED:
            raise TypeError(f"{shape.__name__}.{name}: np.record has a method of that name; choose another")
        if hint is int:
            fields.append((name, FIELD))
        elif get_origin(hint) is Annotated and get_args(hint)[0] == Cells:
            fields.append((name, FIELD, get_args(hint)[1:]))
        else:
            raise TypeError(f"{shape.__name__}.{name}: declare it as Cell or as Annotated[Cells, sizes...]")
    return np.dtype((np.record, fields))


def pool(state: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    """``count`` zeroed records side by side."""
    return np.zeros(count, state)


def copy(s: Any) -> Any:
    """Another record with the same bytes."""
    twin = np.empty(1, s.dtype)
    twin[0] = s
    return twin[0]


def sources(modules: tuple[str, ...]) -> Iterator[Path]:
    """The Python files whose change makes the kernels of these modules stale: this folder's, and their own folders'."""
    folders = {Path(__file__).resolve().parent}
    for module in modules:
        found = importlib.util.find_spec(module)
        if found is None or found.origin is None:
            raise ModuleNotFoundError(module)
        folders.add(Path(found.origin).resolve().parent)
    for folder in sorted(folders):
        yield from sorted(folder.glob("*.py"))


@functools.cache
def cache_folder(modules: tuple[str, ...]) -> Path:
    """Where compiled kernels of these modules lie: per user, outside the package, private to its owner.

    Numba checks only the file of the kernel itself, so a changed callee in another file would go unnoticed; a folder
    keyed by all sources that can be called can't be stale. A kernel calls its own folder and this one.
    """
    digest = hashlib.sha256(
        f"{sys.version}{np.__version__}{os.environ.get('NUMBA_BOUNDSCHECK', '')}".encode()
    )
    for file in sources(modules):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    home = os.environ.get("SPELUNKE_CACHE") or os.environ.get("XDG_CACHE_HOME")
    base = Path(home) if home else Path.home() / ".cache"
    folder = base / "spelunke" / "kernels" / digest.hexdigest()[:20]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:  # a home that can't be written: still correct, compiled anew for each machine start
        folder = Path(tempfile.gettempdir()) / f"spelunke-{getpass.getuser()}" / digest.hexdigest()[:20]
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


@functools.cache
def _numba() -> Any:
    import numba

    return numba


_bound: dict[str, tuple[str, ...]] = {}
"""Which modules a bound module was made of."""


def kernel(function: Function) -> Function:
    """Declare a kernel: compiled at its first call and cached on disk, or left plain by ``SPELUNKE_JIT=0``.

    It must not call itself: what calls a recursive kernel crashes once it comes from the disk cache (numba#6061).
    """
    return _compile(function)


def hot(function: Function) -> Function:
    """Declare a kernel that runs at almost every ply: compiled into each of its callers, it may not make arrays.

    For the innermost rules: without calls and reference counts between them, playouts are half as fast again.
    """
    return _compile(function, forceinline=True, _nrt=False)


def _compile(function: Function, **flags: bool) -> Function:
    if not JIT:
        return function
    numba = _numba()
    module = function.__module__
    # Numba reads the folder when a kernel is declared, so each may have its own.
    numba.config.CACHE_DIR = str(cache_folder(_bound.get(module, (module,))))
    compiled: Function = numba.njit(cache=True, nogil=True, **flags)(function)
    return compiled


class _Rebind(ast.NodeTransformer):
    """Sends imports of the contract's stubs to the first of the given modules that has the name."""

    def __init__(self, modules: tuple[ModuleType, ...]) -> None:
        self.modules = modules

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        """One import of the contract becomes one import for each module that serves it."""
        if node.module != "spelunke.core.contract":
            return node
        served: dict[str, list[ast.alias]] = {}
        for alias in node.names:
            home = next((m.__name__ for m in self.modules if hasattr(m, alias.name)), node.module)
            served.setdefault(home, []).append(alias)
        return [ast.ImportFrom(home, names, 0) for home, names in served.items()]


@functools.cache
def bind(module: str, *sources: str) -> ModuleType:
    """Load the generic kernel module ``module`` for the rules module ``sources[0]`` (dotted names).

    Names that it imports from ``spelunke.core.contract`` come from the first of the sources that has them, so that a
    game's knowledge can stand behind its rules. The text lies in the cache folder, because Numba's disk cache wants a
    file of its own for each copy.
    """
    homes = tuple(importlib.import_module(source) for source in sources)
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    name = f"spelunke_bound_{sources[0].replace('.', '_')}__{module.replace('.', '_')}"
    tree = _Rebind(homes).visit(ast.parse(Path(spec.origin).read_text(encoding="utf-8")))
    text = ast.unparse(ast.fix_missing_locations(tree))
    _bound[name] = (module, *sources)
    file = cache_folder(_bound[name]) / f"{name}.py"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(text, encoding="utf-8")
        part.replace(file)
    found = importlib.util.spec_from_file_location(name, file)
    if found is None or found.loader is None:
        raise ImportError(name)
    bound = importlib.util.module_from_spec(found)
    sys.modules[name] = bound
    found.loader.exec_module(bound)
    return bound
