"""Load the libraries of rules that were compiled ahead of time.

Each game has its own library. ``python -m spelunke.ahead`` builds the libraries, and a wheel contains them. A file
beside each library describes its kernels and the source files that it was made from. A library is used only if it
was made from exactly the installed sources. If a library can't be used, one line on stderr gives the reason. Then
Numba compiles the rules, or they run as plain Python. For the reasons, see docs/why/native.md.
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
from types import BuiltinFunctionType, ModuleType
from typing import Protocol, TypedDict, cast

FORMAT = 3
"""The version of the format of descriptions and of kernel calls. It increases with each change of either."""
ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT.name
FRONT = "_front.so" if sys.platform != "win32" else "_front.pyd"


class Front(Protocol):
    """The extension module through which Python calls the games' libraries (``ahead/front.c``)."""

    def open(self, path: str) -> object:
        """Return the library at this path. Raise OSError if it can't be loaded."""
        ...

    def text(self, library: object, name: str) -> str:
        """Return the text that a function of the library returns. The function takes no arguments.

        Raise AttributeError if the library has no such function.
        """
        ...

    def kernel(
        self, library: object, symbol: str, name: str, letters: str, result: str, record: int, brief: bool
    ) -> Callable[..., object]:
        """Return a kernel of the library as a function.

        Raise AttributeError if the library lacks the function ``symbol``. ``letters`` and ``result`` name the types of
        the kernel's arguments and result (:mod:`spelunke.ahead.exports`). ``record`` is the size of a state in bytes.
        If ``brief`` is true, calls don't release the GIL.
        """
        ...

    def hold(self, kernel: Callable[..., object], *given: object) -> Callable[..., object]:
        """Return a function that calls the kernel with fixed arguments; see :func:`hold`."""
        ...


class Binding(TypedDict):
    """The kernels of a compiled module.

    For each kernel: its symbol in the library, and letters for the types of its arguments and of its result.
    If ``brief`` is true, calls of the kernels don't release the GIL.
    """

    brief: bool
    kernels: dict[str, tuple[str, str, str]]


class Description(TypedDict):
    """The contents of the description file beside a library."""

    game: str
    library: str
    platform: str
    sha256: str
    digest: str
    record: int
    files: list[str]
    bindings: dict[str, Binding]


class Unusable(Exception):
    """The reason why a library is not used."""


def platform() -> str:
    """Return the name of this machine's operating system and processor, for which libraries are compiled.

    On macOS, omit the version that ``sysconfig`` adds: it is the version for which Python was built, and libraries
    don't depend on it.
    """
    if sys.platform == "darwin":
        return f"macosx-{os.uname().machine}"
    return sysconfig.get_platform()


def digest_of(files: Iterable[str]) -> str:
    """Return a digest of the names and contents of these files, given as paths below the package.

    Raise OSError if a file can't be read.
    """
    digest = hashlib.sha256()
    for name in files:
        text = (ROOT / name).read_bytes()
        digest.update(f"{name} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()


def module_file(module: str) -> str:
    """Return the path of a module's file below the package."""
    return "/".join(module.split(".")[1:]) + ".py"


@functools.cache
def folder() -> Path | None:
    """Return the folder of the libraries, or None if libraries are not used.

    The environment variable ``SPELUNKE_NATIVE`` names the folder. By default, it is in the package. Libraries are not
    used if the variable is empty, if ``SPELUNKE_JIT`` is 0, or if the folder lacks the extension module of
    :func:`front`. If this module is missing from a folder that the variable names, or from a default folder that
    exists, print one line to stderr. If Numba must check array indices (``NUMBA_BOUNDSCHECK``), the default folder is
    not used, because the libraries of a wheel don't check them.
    """
    named = os.environ.get("SPELUNKE_NATIVE")
    if os.environ.get("SPELUNKE_JIT") == "0" or named == "":
        return None
    if named is None and os.environ.get("NUMBA_BOUNDSCHECK", "0") not in {"", "0"}:
        return None
    place = Path(named) if named else ROOT / "native"
    if (place / FRONT).is_file():
        return place
    if named or place.is_dir():
        say(f"The compiled rules in {place} are not used: {FRONT} is missing.")
    return None


@functools.cache
def front() -> Front:
    """Return the extension module through which Python calls the games' libraries.

    Raise Unusable if it is damaged or can't be loaded. Call this function only if :func:`folder` returns a folder.
    """
    place = folder()
    assert place is not None
    # Check before loading, as for the libraries.
    found = hashlib.sha256((place / FRONT).read_bytes()).hexdigest()
    try:
        expected = (place / f"{FRONT}.sha256").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        raise Unusable(f"the digest of {FRONT} is missing or damaged") from None
    if found != expected:
        raise Unusable(f"{FRONT} is damaged, or was made by another version")
    loader = ExtensionFileLoader("_front", str(place / FRONT))
    spec = importlib.util.spec_from_file_location("_front", place / FRONT, loader=loader)
    assert spec is not None
    try:
        return cast(Front, importlib.util.module_from_spec(spec))
    except ImportError as error:
        raise Unusable(f"it can't be loaded: {error}") from error


class Library:
    """The library of one game.

    The constructor raises Unusable if the library is damaged, or does not fit this machine or the installed sources. It
    raises OSError if the library can't be read. If the description is malformed, it raises Unusable, KeyError,
    TypeError or ValueError.
    """

    def __init__(self, place: Path, description: Description) -> None:
        self.files = frozenset(description["files"])
        self._record = int(description["record"])
        bindings = description["bindings"]
        if not isinstance(bindings, dict):
            raise Unusable("its description is damaged")
        if description["platform"] != platform():
            raise Unusable(f"it was made for {description['platform']}, and this is {platform()}")
        library = place / description["library"]
        if not library.is_file():
            raise Unusable(f"{library.name} is missing")
        # Check before loading: the loader reads past the end of a truncated file, which kills the process.
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
        try:
            self._kernels = {key: self._bind(binding) for key, binding in bindings.items()}
        except AttributeError as error:
            raise Unusable(f"it lacks a kernel that its description lists: {error}") from error

    def _bind(self, binding: Binding) -> dict[str, Callable[..., object]]:
        brief = bool(binding["brief"])
        return {
            name: front().kernel(self._library, symbol, name, letters, result, self._record, brief)
            for name, (symbol, letters, result) in binding["kernels"].items()
        }

    def bound(self, key: str) -> dict[str, Callable[..., object]] | None:
        """Return the kernels of a module by their names, or None if the library doesn't contain the module.

        ``key`` is the name of a module of the game, or the arguments of :func:`spelunke.core.kernel.bind` for a
        generic module, separated by spaces.
        """
        return self._kernels.get(key)

    def covers(self, module: str) -> bool:
        """Return whether this module is compiled into the library."""
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
    """Return the library of the game with this package (``spelunke.games.x``), or None if none is usable.

    If the library is missing in the folder of libraries, or can't be used, print the reason to stderr.
    """
    place, game = folder(), package.rpartition(".")[2]
    if place is None or package != f"{PACKAGE}.games.{game}":
        return None
    description = place / f"{game}.json"
    if not description.is_file():
        say(f"There are no compiled rules of {game} in {place}.")
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
    """Print one line to stderr."""
    print(sentence, file=sys.stderr, flush=True)


def package_of(module: str) -> str:
    """Return the first three parts of a module's name.

    For a module of a game, the result is the name of the game's package.
    """
    return ".".join(module.split(".")[:3])


def is_ahead(package: str) -> bool:
    """Return whether the game with this package uses rules that were compiled ahead of time."""
    return library_of(package) is not None


def bound_name(module: str, sources: tuple[str, ...]) -> str:
    """Return the name of the copy that :func:`spelunke.core.kernel.bind` makes of a generic module for a game."""
    return f"{PACKAGE}_bound_{sources[0].replace('.', '_')}__{module.replace('.', '_')}"


def hold(kernel: Callable[..., object], *given: object) -> Callable[..., object]:
    """Return a function that calls the kernel with these arguments.

    None in ``given`` stands for an integer that is still unknown. Pass these integers to the returned function, in the
    same order. If the kernel was compiled ahead of time, a call of the returned function takes half as long as a call
    of the kernel, because :func:`hold` has already checked the arrays.
    """
    if isinstance(kernel, BuiltinFunctionType):
        return front().hold(kernel, *given)
    places = [place for place, value in enumerate(given) if value is None]
    arguments = list(given)

    def held(*open_ones: int) -> object:
        for place, value in zip(places, open_ones, strict=True):
            arguments[place] = value
        return kernel(*arguments)

    return held


class Bound:
    """A generic module, bound to one game: kernels come from the game's library, constants from the module itself."""

    def __init__(self, module: str, name: str, kernels: dict[str, Callable[..., object]]) -> None:
        self.__name__ = name
        self._module = module
        self.__dict__.update(kernels)

    def __getattr__(self, name: str) -> object:
        """Return a constant of the module.

        Raise AttributeError if the name is unknown, or belongs to a kernel that was not compiled.
        """
        found = getattr(importlib.import_module(self._module), name)
        if callable(found) and not isinstance(found, type):
            raise AttributeError(f"{self._module}.{name} was not compiled ahead")
        return found


def bound(module: str, sources: tuple[str, ...]) -> ModuleType | None:
    """Return a generic module for one game from the game's library, or None if no library contains the module.

    For the arguments, see :func:`spelunke.core.kernel.bind`.
    """
    library = library_of(package_of(sources[0]))
    kernels = library.bound(" ".join((module, *sources))) if library is not None else None
    if kernels is None:
        return None
    return cast(ModuleType, Bound(module, bound_name(module, sources), kernels))
