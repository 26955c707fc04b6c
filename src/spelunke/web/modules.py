"""The rules of the games as WebAssembly modules, which pages run (``make wasm``, docs/why/native.md).

A module is used only if it was compiled from exactly the present sources.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from spelunke.core.native import FORMAT, ROOT, Unusable, digest_of, say


def folder() -> Path:
    """Return the folder of the modules: ``SPELUNKE_MODULES``, or the folder that a wheel contains."""
    return Path(os.environ.get("SPELUNKE_MODULES") or ROOT / "web" / "modules")


def read_modules() -> Iterator[tuple[str, bytes, str]]:
    """Yield the name, content and media type of each file of the WebAssembly modules that pages can use.

    If a module can't be used, print one line with the reason. The server then does the module's work for the pages.
    """
    for description in sorted(folder().glob("*.words.json")):
        game = description.name.partition(".")[0]
        try:
            words, module = description.read_bytes(), (folder() / f"{game}.wasm").read_bytes()
            file = folder() / f"{game}.weights"
            weights = file.read_bytes() if file.exists() else b""
            _check(json.loads(words), module, weights)
        except Unusable as reason:
            say(f"Browsers get no rules of {game}: {reason}.")
        except OSError as error:
            say(f"Browsers get no rules of {game}: {error}.")
        except (KeyError, TypeError, ValueError):
            say(f"Browsers get no rules of {game}: their description is damaged.")
        else:
            yield f"{game}.wasm", module, "application/wasm"
            yield f"{game}.words.json", words, "application/json"
            if weights:
                yield file.name, weights, "application/gzip"


def _check(description: dict[str, object], module: bytes, weights: bytes) -> None:
    """Raise Unusable if the module is damaged, or was not compiled from the present sources.

    ``weights`` is the content of the file `GAME.weights` in the same folder, or empty if there is no such file.

    ``description`` is the content of the module's JSON file, with the hashes and the sources. Raise KeyError, TypeError
    or ValueError if it is damaged.
    """
    if description["format"] != FORMAT:
        raise Unusable("the rules were compiled by another version of Spelunke")
    found = hashlib.sha256(module).hexdigest(), hashlib.sha256(weights).hexdigest()
    if found != (description["sha256"], description["weights"]):
        raise Unusable("the module is damaged, or its description belongs to another module")
    files = description["files"]
    if not isinstance(files, list):
        raise TypeError(files)
    try:
        current = digest_of(files)
    except OSError:
        raise Unusable("the rules were compiled from files that are not in this installation") from None
    if current != description["digest"]:
        raise Unusable("the rules were compiled from other sources than those in this installation")
