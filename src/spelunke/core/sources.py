"""Find the source files that a kernel's machine code depends on, and the folder that caches this code."""

from __future__ import annotations

import ast
import functools
import getpass
import hashlib
import importlib.util
import os
import re
import sys
import threading
from pathlib import Path

import numpy as np

IMPORT = re.compile(r"^(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([\w., \t]+))", re.MULTILINE)
HOME = __name__.partition(".")[0]
_PARSING = threading.Lock()


def parse(file: Path) -> ast.Module:
    """Return the syntax tree of a Python file.

    Only one thread parses at a time, because Python 3.11 fails if two threads build trees at once.
    """
    with _PARSING:
        return ast.parse(file.read_text(encoding="utf-8"))


@functools.cache
def roots(package: str) -> tuple[Path, ...]:
    """Return the folders of a top-level package, or the file of a top-level module.

    If there is no such package or module, return an empty tuple.
    """
    found = importlib.util.find_spec(package)
    if found is None:
        return ()
    if found.submodule_search_locations is not None:
        return tuple(Path(place).resolve() for place in found.submodule_search_locations)
    return (Path(found.origin).resolve(),) if found.origin else ()


@functools.cache
def file_of(module: str) -> Path | None:
    """Return the Python file of a module, or None if there is none. This call imports no packages."""
    package, *inside = module.split(".")
    for root in roots(package):
        place = root.joinpath(*inside)
        for file in (place / "__init__.py", place.with_suffix(".py")):
            if file.is_file():
                return file
    return None


@functools.cache
def imports(module: str) -> tuple[str, ...]:
    """Return the modules that a module imports from ``spelunke`` and from its own top-level package.

    If the module has no Python file, return an empty tuple. Indented imports don't count, for example those inside
    functions. A regular expression finds the imports in the text, which is faster than parsing the file.
    """
    file = file_of(module)
    if file is None:
        return ()
    homes = {module.partition(".")[0], HOME}
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    found: dict[str, None] = {}
    for source, names, plain in IMPORT.findall(file.read_text(encoding="utf-8")):
        source = importlib.util.resolve_name(source, package) if source else ""
        for name in (source, *re.split(r"[\s,]+", plain)):
            if name.partition(".")[0] in homes:
                found[name] = None
        if source.partition(".")[0] in homes:
            for name in re.findall(r"\w+", names):
                if file_of(f"{source}.{name}") is not None:
                    found[f"{source}.{name}"] = None
    return tuple(found)


def sources(modules: tuple[str, ...]) -> list[Path]:
    """Return the Python files of these modules and of all modules that they import, directly or indirectly.

    Raise ModuleNotFoundError if one of ``modules`` has no Python file.
    """
    seen: set[str] = set()
    left = list(modules)
    while left:
        module = left.pop()
        if module in seen:
            continue
        seen.add(module)
        left += imports(module)
    for module in modules:
        if file_of(module) is None:
            raise ModuleNotFoundError(module)
    return sorted({file for module in seen if (file := file_of(module)) is not None})


@functools.cache
def cache_folder(modules: tuple[str, ...]) -> Path:
    """Return the folder that caches the compiled kernels of these modules, and create it if necessary.

    Raise ModuleNotFoundError if one of the modules has no Python file. The folder is outside the package, and only the
    current user can read it. If the user's cache folder is read-only, use the system's folder for temporary files
    instead. The name of the folder is a hash of the versions of Python and NumPy, of the variable
    ``NUMBA_BOUNDSCHECK``, and of all files that the kernels depend on. So a changed file leads to another folder. This
    is necessary because Numba checks only the file that contains the kernel, and would miss a change of a function that
    the kernel calls.
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
    except (
        OSError
    ):  # the home folder is read-only: use a temporary folder, so kernels are compiled again after a restart
        import tempfile

        folder = Path(tempfile.gettempdir()) / f"spelunke-{getpass.getuser()}" / digest.hexdigest()[:20]
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
