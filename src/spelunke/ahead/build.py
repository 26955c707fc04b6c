"""Build a game's library and its description."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from spelunke.ahead.exports import exports_of
from spelunke.ahead.interface import write_header, write_source
from spelunke.ahead.link import link, link_front
from spelunke.core.native import FORMAT, FRONT, PACKAGE, ROOT, Binding, digest_of, platform
from spelunke.core.sources import sources
from spelunke.games.game import Game

if TYPE_CHECKING:
    from spelunke.ahead.lower import Lowered

HERE = Path(__file__).parent
APART = frozenset({"core/native.py"})
"""Modules that kernels import, but that are not compiled into libraries: they load the libraries.

They don't count in the digest. If the code of one of them changes, increase ``FORMAT``.
"""


def files_of(game: Game) -> list[str]:
    """Return the source files of a game's library, as paths below the package's folder."""
    modules = {module for export in exports_of(game) for module in (export.module, *export.sources)}
    modules = {
        module for module in modules if module.startswith(f"{PACKAGE}.")
    }  # bound modules are copies of these modules
    found = [file.relative_to(ROOT).as_posix() for file in sources(tuple(sorted(modules)))]
    return [name for name in found if name not in APART]


def build_game(game: Game, place: Path) -> None:
    """Write the library, the description and the C header of a game into a folder.

    The description is written last, so that nothing uses the result of an interrupted build. Raise NoCompiler if
    there is no C compiler, and RuntimeError if the build fails.
    """
    from spelunke.ahead.lower import assemble, lower, target_machine  # Numba

    files = files_of(game)
    digest = digest_of(files)
    bindings: dict[str, Binding] = {}
    lowered: list[Lowered] = []
    for export in exports_of(game):
        kernels = dict(lower(game, export))
        lowered += kernels.values()
        binding = bindings.setdefault(export.key, {"brief": export.brief, "kernels": {}})
        binding["kernels"] |= {name: (one.symbol, one.letters, one.result) for name, one in kernels.items()}
    if digest_of(files) != digest:
        raise RuntimeError("the sources changed during the compilation; start again")
    with tempfile.TemporaryDirectory() as folder:
        parts = Path(folder)
        (parts / f"{game.name}.o").write_bytes(assemble(lowered, target_machine()))
        (parts / f"{game.name}.c").write_text(write_source(game, digest), encoding="utf-8")
        header = write_header(game, digest)
        (parts / f"spelunke_{game.name}.h").write_text(header, encoding="utf-8")
        library = f"{game.name}.so" if os.name != "nt" else f"{game.name}.dll"
        link([parts / f"{game.name}.c", parts / f"{game.name}.o"], parts / library, includes=[HERE, parts])
        # A library that a process has loaded must not be overwritten: a new file takes its name.
        content = (parts / library).read_bytes()
        put(place / library, content)
        put(place / f"spelunke_{game.name}.h", header.encode())
    description = {
        "format": FORMAT,
        "game": game.name,
        "library": library,
        "platform": platform(),
        "record": game.rules.STATE.itemsize,
        "digest": digest,
        "sha256": hashlib.sha256(content).hexdigest(),
        "files": files,
        "bindings": bindings,
    }
    put(place / f"{game.name}.json", (json.dumps(description, indent=1) + "\n").encode())


def build_front(place: Path) -> None:
    """Build the extension module that calls libraries, and write it into a folder.

    Raise NoCompiler if there is no C compiler, and RuntimeError if the build fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        link_front(HERE / "front.c", Path(folder) / FRONT)
        put(place / FRONT, (Path(folder) / FRONT).read_bytes())


def put(file: Path, content: bytes) -> None:
    """Write a file atomically, so that a reader gets the old file or the new file, and never a part."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{os.getpid()}")
    part.write_bytes(content)
    part.replace(file)
