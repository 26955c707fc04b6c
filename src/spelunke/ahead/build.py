"""Build a game's shared library, C header and JSON description, and the extension module that calls the library."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spelunke.ahead.exports import Export, browsers_own, exports_of
from spelunke.ahead.interface import write_header, write_source
from spelunke.ahead.link import link, link_front
from spelunke.ahead.targets import Target
from spelunke.core.native import FORMAT, PACKAGE, ROOT, Binding, digest_of
from spelunke.core.sources import sources
from spelunke.games.game import Game

if TYPE_CHECKING:
    from spelunke.ahead.lower import Lowered

HERE = Path(__file__).parent
APART = frozenset({"core/native.py"})
"""Modules that kernels import, but that no library contains, because these modules load the libraries.

The digest of a library does not cover these modules. If a change of their code makes old libraries unusable, increase
``FORMAT``.
"""


def files_of(game: Game) -> list[str]:
    """Return the Python files from which a game's kernels are compiled, relative to the package's folder."""
    exports = (*exports_of(game), *browsers_own(game))
    modules = {module for export in exports for module in (export.module, *export.sources)}
    # Leave out bound modules: each is a copy of a module that remains.
    modules = {module for module in modules if module.startswith(f"{PACKAGE}.")}
    found = [file.relative_to(ROOT).as_posix() for file in sources(tuple(sorted(modules)))]
    return [name for name in found if name not in APART]


@dataclass(frozen=True)
class Compiled:
    """The kernels of a game as LLVM text, not yet machine code, with the digest of their source files."""

    files: list[str]
    digest: str
    bindings: dict[str, Binding]
    kernels: list[Lowered]


def compile_kernels(game: Game, exports: Iterable[Export]) -> Compiled:
    """Return the kernels in ``exports``, compiled by Numba, with the digest of their source files.

    Raise RuntimeError if a source file changes during the compilation.
    """
    from spelunke.ahead.lower import lower  # it imports Numba

    files = files_of(game)
    digest = digest_of(files)
    bindings: dict[str, Binding] = {}
    kernels: list[Lowered] = []
    for export in exports:
        found = dict(lower(game, export))
        kernels += found.values()
        binding = bindings.setdefault(export.key, {"brief": export.brief, "kernels": {}})
        binding["kernels"] |= {name: (one.symbol, one.letters, one.result) for name, one in found.items()}
    if digest_of(files) != digest:
        raise RuntimeError("the sources changed during the compilation; start again")
    return Compiled(files, digest, bindings, kernels)


def build_library(game: Game, compiled: Compiled, target: Target, place: Path) -> None:
    """Write the shared library, the C header and the JSON description of a game for a platform into a folder.

    The description is written last, so that nothing uses the result of an interrupted build. Raise NoCompiler if no
    C compiler for the platform is installed, and RuntimeError if the build fails.
    """
    from spelunke.ahead.lower import assemble, machine_of  # it imports Numba

    with tempfile.TemporaryDirectory() as folder:
        parts = Path(folder)
        (parts / f"{game.name}.o").write_bytes(assemble(compiled.kernels, machine_of(target.triple)))
        (parts / f"{game.name}.c").write_text(write_source(game, compiled.digest), encoding="utf-8")
        header = write_header(game, compiled.digest, compiled.bindings)
        (parts / f"spelunke_{game.name}.h").write_text(header, encoding="utf-8")
        library = f"{game.name}{target.library}"
        inputs = [parts / f"{game.name}.c", parts / f"{game.name}.o"]
        link(inputs, parts / library, target, includes=[HERE, parts])
        # A library that a process has loaded must not be overwritten: a new file takes its name.
        content = (parts / library).read_bytes()
        put(place / library, content)
        put(place / f"spelunke_{game.name}.h", header.encode())
    description = {
        "format": FORMAT,
        "game": game.name,
        "library": library,
        "platform": target.platform,
        "tag": target.tag,
        "record": game.rules.STATE.itemsize,
        "digest": compiled.digest,
        "sha256": hashlib.sha256(content).hexdigest(),
        "files": compiled.files,
        "bindings": compiled.bindings,
    }
    put(place / f"{game.name}.json", (json.dumps(description, indent=1) + "\n").encode())


def build_front(target: Target, place: Path) -> None:
    """Build the extension module through which Python calls the games' libraries, and write it into a folder.

    Write the module's digest into a file beside it. Raise NoCompiler if Python's headers or a C compiler for the
    platform are missing, and RuntimeError if the build fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / target.front
        link_front(HERE / "front.c", output, target)
        content = output.read_bytes()
        put(place / target.front, content)
        put(place / f"{target.front}.sha256", f"{hashlib.sha256(content).hexdigest()}\n".encode())


def put(file: Path, content: bytes) -> None:
    """Write a file atomically: a reader gets either the whole old file or the whole new file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{os.getpid()}")
    part.write_bytes(content)
    part.replace(file)
