"""Kernels: small functions on a record. Numba compiles them, or they run as plain Python, with the same result.

Importing this module is cheap. Numba is imported when the first kernel is declared. If :func:`postpone` was called
before that, Numba is imported only at the first call of :func:`switch`. If a game's rules were compiled ahead of time
(:mod:`spelunke.core.native`), Numba is imported only when something else must be compiled. If Numba is not installed,
kernels that were not compiled ahead of time run as plain Python. With ``SPELUNKE_JIT=0``, all kernels run as plain
Python. For the reasons, see docs/why/kernels.md.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import BuiltinFunctionType, ModuleType
from typing import Annotated, NamedTuple, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from spelunke.core import native
from spelunke.core.fields import Field, record_type
from spelunke.core.sources import cache_folder, imports, parse
from spelunke.core.values import Pool, State

Function = TypeVar("Function", bound=Callable[..., object])
S = TypeVar("S", bound=State)
Cell: TypeAlias = int
"""A scalar field of a record."""
Cells: TypeAlias = npt.NDArray[np.int16]
"""An array field of a record, declared with its shape: ``Annotated[Cells, 2, 6]``."""


class Within(NamedTuple):
    """The inclusive bounds of a field, declared as ``Annotated[Cell, Within(0, 6)]``.

    If the game has no ``notation.py``, a position with a value outside the bounds is refused when it is read.
    """

    least: int
    most: int


JIT = os.environ.get("SPELUNKE_JIT", "1") != "0"
"""Whether kernels may run compiled in this process. They also need Numba, or a library compiled ahead of time."""

FIELD = np.int16
RESERVED = frozenset(dir(np.record))


def layout(shape: type[State]) -> np.dtype[np.void]:
    """Return the record type for the annotations of a class.

    ``Cell`` becomes an int16, and ``Annotated[Cells, 2, 6]`` a 2 × 6 array of int16. Raise TypeError for other
    annotations, and for a field with the name of an attribute of ``np.record``: in plain mode the attribute would
    hide the field.
    """
    fields: list[Field] = []
    for name, hint in get_type_hints(shape, include_extras=True).items():
        if name in RESERVED:
            raise TypeError(f"{shape.__name__}.{name}: np.record has a method of that name; choose another")
        kind, *sizes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        sizes = [size for size in sizes if not isinstance(size, Within)]
        if kind is int and not sizes:
            fields.append((name, FIELD))
        elif kind == Cells and sizes:
            fields.append((name, FIELD, tuple(sizes)))
        else:
            raise TypeError(f"{shape.__name__}.{name}: declare it as Cell or as Annotated[Cells, sizes...]")
    return record_type(*fields)


def pool(state: np.dtype[np.void], count: int) -> Pool:
    """Return an array of ``count`` records that are filled with zeros."""
    return np.zeros(count, state)


def copy_pool(states: Pool) -> Pool:
    """Return a copy of a pool, an array of state records.

    This function copies bytes. NumPy would copy field by field, which takes thirty times as long.
    """
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def copy(s: S) -> S:
    """Return a copy of a record."""
    found: S = np.frombuffer(bytearray(s.tobytes()), s.dtype)[0]
    return found


@functools.cache
def _numba() -> ModuleType:
    import numba

    from spelunke.core import stacked  # noqa: F401 (teaches Numba the arrays of kernels)

    return numba


@functools.cache
def can_compile() -> bool:
    """Return whether Numba can compile kernels in this process: it is installed, and :data:`JIT` is true.

    If :data:`JIT` is true but Numba is missing, a kernel runs as plain Python unless it was compiled ahead of time.
    """
    if not JIT:
        return False
    if "numba" in sys.modules:
        return sys.modules["numba"] is not None
    return importlib.util.find_spec("numba") is not None


_bound: dict[str, tuple[str, ...]] = {}
"""For each module that :func:`bind` made, the names of the modules that it was made from."""
_later = threading.Event()
_packages: set[str] = set()
"""The packages for which :func:`switch` was called."""
_waiting: dict[str, list[tuple[object, Callable[..., object], dict[str, bool]]]] = {}
"""For each module, its kernels that Numba does not run yet: the stand-in, the function, and Numba's flags."""
_replaced: dict[int, tuple[object, object]] = {}
"""For the ``id`` of each replaced object, the plain object and its compiled replacement.

Both objects are kept alive, so that Python doesn't use the ``id`` for another object.
"""
_switching = threading.RLock()


def kernel(function: Function) -> Function:
    """Declare a function as a kernel.

    If Numba compiles the kernel, it does so when the kernel is called, and caches the machine code on disk. With
    ``SPELUNKE_JIT=0`` the kernel stays plain Python. A kernel must not call itself: if a caller of a recursive kernel
    is loaded from the disk cache, the caller crashes (numba#6061).
    """
    return _compile(function)


def hot(function: Function) -> Function:
    """Declare a function as a kernel that runs at almost every ply. Use this for the innermost rules.

    Numba inlines a hot kernel into each of its callers. Without calls and reference counts between kernels, playouts
    are 1.5 times as fast. A hot kernel must not make arrays. The kernels that it calls must not make arrays either: if
    a hot kernel is the first caller of another kernel, Numba compiles the other kernel without support for arrays, for
    all of its callers.
    """
    return _compile(function, forceinline=True, _nrt=False)


def postpone() -> None:
    """Run kernels as plain Python until :func:`switch` is called for their package.

    Kernels that were compiled ahead of time run compiled nevertheless. Plain rules are available immediately, and are
    fast enough for a table until the compiled rules are ready. So programs that people wait for should call this
    function. They must call it before a game's modules are loaded.
    """
    _later.set()


def is_postponed() -> bool:
    """Return whether kernels wait for :func:`switch` because :func:`postpone` was called.

    If Numba can't be used, return False, because :func:`switch` then does nothing.
    """
    return can_compile() and _later.is_set()


def runs_compiled(function: Callable[..., object]) -> bool:
    """Return whether this kernel is compiled, or will be compiled when it is called.

    If Numba can be used, a function from `_stand_in` counts as compiled, although it runs the kernel plain at first. A
    plain kernel is about 1000 times slower than a compiled one.
    """
    if hasattr(function, "stands_for"):
        return can_compile()
    return hasattr(function, "py_func") or isinstance(function, BuiltinFunctionType)


def switch(package: str) -> None:
    """Replace the waiting kernels of a package (``spelunke.games.x``) by kernels that Numba compiles.

    Also replace all waiting kernels that they call. Results stay the same, also in running games. If Numba's disk cache
    has no code for a kernel, the next call compiles the kernel and takes long. To avoid this, fill the cache in another
    process first. Modules of the package that are imported later get compiled kernels at once.

    Kernels wait for this call if :func:`postpone` was called, or if the rules were compiled ahead of time. If Numba
    can't be used, do nothing. Also do nothing if :func:`postpone` was not called and no kernel waits.
    """
    if not (_waiting or _later.is_set()) or not can_compile():
        return
    with _switching:
        _packages.add(package)  # even if nothing waits: the rules may be imported after this call
        _replace([module for module in _waiting if _is_switched(module)])


def _replace(left: list[str]) -> None:
    """Replace the kernels that wait for :func:`switch` by kernels that Numba compiles.

    Do this in the modules whose names are in ``left``, and in all modules that they import.
    """
    modules: set[str] = set()
    while left:
        module = left.pop()
        if module not in modules:
            modules.add(module)
            for source in _bound.get(module, (module,)):
                left += imports(source)
    new: dict[int, tuple[object, object]] = {}
    for module in modules:
        for shown, function, flags in _waiting.pop(module, []):
            new[id(shown)] = (shown, _jit(function, flags))
    if not new:
        return
    _replaced.update(new)
    places = [
        (names, compiled)
        for loaded in list(sys.modules.values())
        for names in (getattr(loaded, "__dict__", {}),)
        if (compiled := _compiled(names))
    ]
    for names, compiled in places:  # all at once: a kernel that is being compiled must not find plain callees
        names.update(compiled)


def _compiled(names: dict[str, object]) -> dict[str, object]:
    """Return the compiled replacements of the kernels in a module's namespace, by name."""
    return {name: _replaced[id(value)][1] for name, value in list(names.items()) if id(value) in _replaced}


def _is_switched(module: str) -> bool:
    return any(
        source == package or source.startswith(f"{package}.")
        for source in _bound.get(module, (module,))
        for package in _packages
    )


def _compile(function: Function, **flags: bool) -> Function:
    if not JIT:
        return function
    module = function.__module__
    ahead = _ahead(function)
    if ahead is None and not _later.is_set() and native.folder() is None:
        return _jit(function, flags) if can_compile() else _left_plain(function)
    if not can_compile():
        return cast(Function, ahead) if ahead is not None else _left_plain(function)
    with _switching:
        switched = _is_switched(module)
        if not switched:
            shown = ahead or function
            _waiting.setdefault(module, []).append((shown, function, flags))
            if ahead is not None or _later.is_set():
                return cast(Function, shown)
            # Without a stand-in, a kernel is compiled at once, together with all kernels that it can call.
            switch(_package_of(module))
            return cast(Function, _replaced[id(shown)][1])
        # The module declares this kernel after the switch, and may have imported kernels that still wait.
        _replace([module])
        function.__globals__.update(_compiled(function.__globals__))
    return _jit(function, flags)


def _ahead(function: Function) -> object | None:
    """Return the function that replaces a kernel until Numba compiles the kernel. If there is none, return None.

    For a kernel that was compiled ahead of time, return the function in the game's library. A library has no separate
    function for a kernel that only other kernels call. For such a kernel, return a function from :func:`_stand_in`. For
    a kernel of this project that belongs to no game, return ``function`` itself, which runs as plain Python.
    """
    module = function.__module__
    if module in _bound or native.folder() is None:
        return None
    package = native.package_of(module)
    if not package.startswith(f"{native.PACKAGE}.games."):
        return function if module.partition(".")[0] == native.PACKAGE else None
    library = native.library_of(package)
    if library is None:
        return None
    kernels = library.bound(module) or {}
    return kernels.get(function.__name__) or (_stand_in(function) if library.covers(module) else None)


PATIENCE_S = 1.0
"""The total time, in seconds, that a game's kernels may run plain when Python calls them.

After that time they are compiled, if that is possible (see :func:`_stand_in`).
"""
_spent: dict[str, float] = {}


class _Calls(threading.local):
    inside = False


_calls = _Calls()


def _stand_in(function: Function) -> Function:
    """Return a function that runs a kernel as plain Python until it is compiled, and then calls the compiled kernel.

    A game's plain kernels may run for `PATIENCE_S` in total. After that, Numba compiles the game's kernels if Numba can
    be used and :func:`postpone` was not called. Most kernels are called too rarely to be worth compiling.
    """
    package = _package_of(function.__module__)

    @functools.wraps(function)
    def plain(*given: object) -> object:
        if _calls.inside:  # by another plain kernel
            return function(*given)
        if (switched := _replaced.get(id(plain))) is not None:
            return cast(Function, switched[1])(*given)
        _calls.inside, begun = True, time.perf_counter()
        try:
            return function(*given)
        finally:
            _calls.inside = False
            _spent[package] = _spent.get(package, 0.0) + time.perf_counter() - begun
            if _spent[package] > PATIENCE_S and not _later.is_set():
                _end_patience(package)

    plain.stands_for = function  # type: ignore[attr-defined]
    return cast(Function, plain)


def _end_patience(package: str) -> None:
    if can_compile():
        switch(package)
    else:
        _say_plain()


def _package_of(module: str) -> str:
    """Return the package whose kernels are compiled together with the kernels of this module.

    If :func:`bind` made the module for a game, return the game's package.
    """
    sources = _bound.get(module, (module, module))
    package = native.package_of(sources[1])
    return package if package.startswith(f"{native.PACKAGE}.games.") else sources[1].rpartition(".")[0]


@functools.cache
def _say_plain() -> None:
    native.say(
        "Some rules run plain, about a thousand times slower: they were not compiled ahead, and Numba is not installed "
        '(pip install "spelunke[jit]").'
    )


def _left_plain(function: Function) -> Function:
    _say_plain()
    return function


def _jit(function: Function, flags: dict[str, bool]) -> Function:
    numba = _numba()
    module = function.__module__
    # Numba reads the folder when a kernel is declared, so each can have its own.
    numba.config.CACHE_DIR = str(cache_folder(_bound.get(module, (module,))))
    compiled = numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True, **flags)(function)
    compiled.get_call_template = functools.partial(_called, compiled.get_call_template)
    found: Function = compiled
    return found


def _called(find: Callable[..., object], given: tuple[object, ...], named: dict[str, object]) -> object:
    """Return Numba's template for a call from one kernel to another, with all integer arguments widened to 64 bits.

    Without the widening, Numba would compile another version of the called kernel for each constant argument and each
    integer type. ``find`` is Numba's function that returns the template for given types.
    """
    return find(tuple(map(_widened, given)), {name: _widened(one) for name, one in named.items()})


def _widened(given: object) -> object:
    types = _numba().types
    given = types.unliteral(given)
    return types.int64 if isinstance(given, types.Integer) and given.bitwidth < 64 else given


def homes(module: str) -> dict[str, str]:
    """Return a mapping from the names that ``module`` lists in ``KERNELS`` to the modules that define them.

    These kernels and constants are in other modules of the same folder. ``KERNELS = {"choices": "legal revise"}``
    in ``spelunke.games.x.rules`` means that ``legal`` and ``revise`` are in ``spelunke.games.x.choices``. A name that
    is not listed is in the module itself.
    """
    declared: dict[str, str] = vars(importlib.import_module(module)).get("KERNELS", {})
    folder = module.rpartition(".")[0]
    return {name: f"{folder}.{place}" for place, names in declared.items() for name in names.split()}


def home_of(module: str, name: str) -> str | None:
    """Return the name of the module that defines the kernel or constant ``name``, or None if no module defines it.

    The result is ``module`` itself or one of its :func:`homes`.
    """
    place = homes(module).get(name, module)
    return place if hasattr(importlib.import_module(place), name) else None


class Served:
    """A module, with access to the kernels and constants that it lists as being in other modules (:func:`homes`).

    Each access to a kernel looks up the kernel again, because :func:`switch` may have replaced it.
    """

    def __init__(self, module: str) -> None:
        self.__name__ = module
        self._homes = homes(module)

    def __getattr__(self, name: str) -> object:
        """Return the kernel or constant of that name. Raise AttributeError if there is none."""
        place = self._homes.get(name, self.__name__)
        return getattr(importlib.import_module(place), name)


class _Rebind(ast.NodeTransformer):
    """A transformer for the syntax tree of a generic module. It replaces imports from ``spelunke.core.contract``.

    The new import takes each name from the first of ``modules`` that has the name.
    """

    def __init__(self, modules: tuple[str, ...]) -> None:
        self.modules = modules

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.ImportFrom]:
        """Replace an import from ``spelunke.core.contract``, and return the new imports.

        Each imported name is imported from the first of ``modules`` that defines this name. If no module defines it, it
        is still imported from ``spelunke.core.contract``.
        """
        if node.module != "spelunke.core.contract":
            return [node]
        served: dict[str, list[ast.alias]] = {}
        for alias in node.names:
            found = (home_of(module, alias.name) for module in self.modules)
            home = next((place for place in found if place is not None), node.module)
            served.setdefault(home, []).append(alias)
        return [ast.ImportFrom(home, names, 0) for home, names in served.items()]


@functools.cache
def bind(module: str, *sources: str) -> ModuleType:
    """Return a copy of the generic module ``module`` for one game. All arguments are dotted names of modules.

    ``sources[0]`` is the game's rules module. Other sources, for example the game's module ``knowledge``, add kernels
    that the rules module lacks. The copy imports each name of ``spelunke.core.contract`` from the first source that
    has the name. If the kernels were compiled ahead of time, they come from the game's library. Otherwise the source
    text of the copy is written to the cache folder, because Numba's disk cache needs a file for each copy.
    """
    ahead = native.bound(module, sources)
    return bind_here(module, *sources) if ahead is None else ahead


@functools.cache
def bind_here(module: str, *sources: str) -> ModuleType:
    """Return a copy of the generic module ``module`` for ``sources``, with kernels that Numba compiles here.

    Unlike :func:`bind`, never take the kernels from a library compiled ahead of time.

    Raise ModuleNotFoundError if there is no module ``module``. Use this function to compile the kernels for another
    processor, for example a GPU.
    """
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    name = native.bound_name(module, sources)
    tree = _Rebind(sources).visit(parse(Path(spec.origin)))
    text = ast.unparse(ast.fix_missing_locations(tree))
    served = {place for source in sources for place in homes(source).values()}
    _bound[name] = (module, *sources, *sorted(served))
    file = cache_folder(_bound[name]) / f"{name}.py"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        part = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        part.write_text(text, encoding="utf-8")
        part.replace(file)
    found = importlib.util.spec_from_file_location(name, file)
    if found is None or found.loader is None:
        raise ImportError(name)
    bound = importlib.util.module_from_spec(found)
    sys.modules[name] = bound
    found.loader.exec_module(bound)
    return bound
