"""Rules that were compiled ahead of time: a library for each game, used only where it was made from these very sources.

``python -m spelunke.ahead`` makes them, and a wheel brings them. Beside each library lies a description: from which
files it was made, and which kernels it has. What can't be used is left alone, with one line that says why; then Numba
compiles the rules, or they run plain: docs/why/native.md.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import json
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypedDict, cast

FORMAT = 1
"""Counts up when descriptions or the way in which kernels are called change."""
ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT.name
FRONT = "_front.so" if sys.platform != "win32" else "_front.pyd"


class Front(Protocol):
    """The extension module that calls libraries (``ahead/front.c``)."""

    def open(self, path: str) -> object:
        """Load the library that lies there; raises OSError."""
        ...

    def text(self, library: object, name: str) -> str:
        """Return what a function of the library without arguments says."""
        ...

    def kernel(
        self, library: object, symbol: str, name: str, letters: str, result: str, record: int, brief: bool
    ) -> Callable[..., object]:
        """Return a kernel of the library as a function."""
        ...


class Binding(TypedDict):
    """A module as it was compiled: its kernels, each with its symbol and the letters of its arguments and result."""

    brief: bool
    kernels: dict[str, tuple[str, str, str]]


class Description(TypedDict):
    """What stands beside a library."""

    game: str
    library: str
    platform: str
    sha256: str
    digest: str
    record: int
    files: list[str]
    bindings: dict[str, Binding]


class Unusable(Exception):
    """Why a library is left alone."""


def platform() -> str:
    """The system and processor that machine code is for."""
    return sysconfig.get_platform()


def digest_of(files: Iterable[str]) -> str:
    """The digest of these files of the package (paths below it): their names and what stands in them."""
    digest = hashlib.sha256()
    for name in files:
        text = (ROOT / name).read_bytes()
        digest.update(f"{name} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()


def module_file(module: str) -> str:
    """Where a module of the package would lie below it."""
    return "/".join(module.split(".")[1:]) + ".py"


@functools.cache
def folder() -> Path | None:
    """Where the libraries lie: ``SPELUNKE_NATIVE``, else in the package; None where there are none or none are wanted.

    An empty ``SPELUNKE_NATIVE`` turns them off. Where indices are to be checked, only libraries that are named are
    used: those of a wheel don't check them.
    """
    named = os.environ.get("SPELUNKE_NATIVE")
    if os.environ.get("SPELUNKE_JIT") == "0" or named == "":
        return None
    if named is None and os.environ.get("NUMBA_BOUNDSCHECK", "0") not in {"", "0"}:
        return None
    place = Path(named) if named else ROOT / "native"
    return place if (place / FRONT).is_file() else None


@functools.cache
def front() -> Front:
    """The extension module; raises Unusable."""
    place = folder()
    assert place is not None
    loader = ExtensionFileLoader("_front", str(place / FRONT))
    spec = importlib.util.spec_from_file_location("_front", place / FRONT, loader=loader)
    assert spec is not None
    try:
        return cast(Front, importlib.util.module_from_spec(spec))
    except ImportError as error:
        raise Unusable(f"it can't be loaded: {error}") from error


class Library:
    """The kernels of one game. Raises Unusable."""

    def __init__(self, place: Path, description: Description) -> None:
        self.files = frozenset(description["files"])
        self._record = int(description["record"])
        self._bindings = description["bindings"]
        if not isinstance(self._bindings, dict):
            raise Unusable("its description is damaged")
        if description["platform"] != platform():
            raise Unusable(f"it was made for {description['platform']}, and this is {platform()}")
        library = place / description["library"]
        # Before it is loaded: of a file that was cut off the loader reads what isn't there, and the process ends.
        if hashlib.sha256(library.read_bytes()).hexdigest() != description["sha256"]:
            raise Unusable("it is damaged, or another one than its description says")
        try:
            current = digest_of(description["files"])
        except OSError:
            raise Unusable("it was made from files that are not here") from None
        if current != description["digest"]:
            raise Unusable("it was made from other sources than those beside it")
        try:
            self._library = front().open(str(library))
            told = front().text(self._library, f"spelunke_{description['game']}_digest")
        except (OSError, AttributeError) as error:
            raise Unusable(f"it can't be loaded: {error}") from error
        if told != current:
            raise Unusable("it was made from other sources than its description says")

    def bound(self, key: str) -> dict[str, Callable[..., object]] | None:
        """The kernels of a generic module, or of a module of the game, by name; None where it wasn't compiled."""
        found = self._bindings.get(key)
        if found is None:
            return None
        brief = bool(found["brief"])
        return {
            name: front().kernel(self._library, symbol, name, letters, result, self._record, brief)
            for name, (symbol, letters, result) in found["kernels"].items()
        }

    def covers(self, module: str) -> bool:
        """Whether what this module has is compiled in."""
        return module_file(module) in self.files


def _read(place: Path) -> Description:
    try:
        description = json.loads(place.read_text(encoding="utf-8"))
    except ValueError:
        raise Unusable("its description is damaged") from None
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise Unusable("it was made by another version")
    return cast(Description, description)


@functools.cache
def library_of(package: str) -> Library | None:
    """The library of a game (its package, ``spelunke.games.x``); None where there is none that can be used."""
    place, game = folder(), package.rpartition(".")[2]
    if place is None or package != f"{PACKAGE}.games.{game}":
        return None
    description = place / f"{game}.json"
    if not description.is_file():
        return None
    try:
        return Library(place, _read(description))
    except Unusable as reason:
        say(f"The compiled rules of {game} are not used: {reason}.")
    except OSError as error:
        say(f"The compiled rules of {game} are not used: {error}.")
    except (KeyError, TypeError, ValueError):
        say(f"The compiled rules of {game} are not used: their description is damaged.")
    return None


def say(sentence: str) -> None:
    """One line for whoever started this process."""
    print(sentence, file=sys.stderr, flush=True)


def package_of(module: str) -> str:
    """The package of the game that a module belongs to, or would."""
    return ".".join(module.split(".")[:3])


def is_ahead(package: str) -> bool:
    """Whether the rules of a game were compiled ahead of time and are used."""
    return library_of(package) is not None


def bound_name(module: str, sources: tuple[str, ...]) -> str:
    """The name of a generic module that is bound to a game."""
    return f"{PACKAGE}_bound_{sources[0].replace('.', '_')}__{module.replace('.', '_')}"


class Bound:
    """A generic module as a library has it: its kernels, and the constants of the module itself."""

    def __init__(self, module: str, name: str, kernels: dict[str, Callable[..., object]]) -> None:
        self.__name__ = name
        self._module = module
        self.__dict__.update(kernels)

    def __getattr__(self, name: str) -> object:
        """A constant; raises AttributeError for a kernel that was not compiled."""
        found = getattr(importlib.import_module(self._module), name)
        if callable(found) and not isinstance(found, type):
            raise AttributeError(f"{self._module}.{name} was not compiled ahead")
        return found


def bound(module: str, sources: tuple[str, ...]) -> ModuleType | None:
    """What :func:`spelunke.core.kernel.bind` gives, out of a library; None where none has it."""
    library = library_of(package_of(sources[0]))
    kernels = library.bound(" ".join((module, *sources))) if library is not None else None
    if kernels is None:
        return None
    return cast(ModuleType, Bound(module, bound_name(module, sources), kernels))
