"""The browser's scripts: the modules in ``static/``, linked into one file for each page.

One file loads faster than thirty. The server links the modules while it reads its static files, so no bundler is
needed (docs/why/browser-scripts.md). Imports and exports have only these forms: ``import "./x.js"``, ``import { a, b }
from "./x.js"``, ``export function``, ``export async function``, ``export const``, ``export class``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

PAGES = (
    "account.js",
    "event.js",
    "front.js",
    "judge.js",
    "me.js",
    "notifications.js",
    "refused.js",
    "replay.js",
    "settings.js",
    "study.js",
    "table.js",
    "verify.js",
)
"""The modules that pages load, and `JUDGE`, which a page's worker loads.

All other modules except `WORKER` are linked into these.
"""
JUDGE = "judge.js"
"""The script of a worker that runs playouts. It compiles WebAssembly, and the page does not."""
WORKER = "worker.js"
"""The service worker, which is a separate script."""
VENDOR = "vendor.js"
"""The third-party libraries: a plain script whose names are global."""

SORTING = "sorting.js"
"""The part of the third-party libraries that pages fetch only when a player sorts cards by hand."""
LATER = "/* sortablejs/"
"""The text in `VENDOR` at which `SORTING` begins. `SORTING` is everything from there to the end."""

IMPORT = re.compile(r'^import (?:\{\s*\w+(?:\s*,\s*\w+)*,?\s*\} from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
"""Matches a comment on its own lines. `link` removes these comments, because browsers don't need them."""
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def split_vendor(text: str) -> tuple[str, str]:
    """Return the third-party libraries in two parts: one for every page, and one that pages fetch later."""
    core, found, later = text.partition(LATER)
    return core, f"{found}{later}"


def order_modules(modules: Mapping[str, str], page: str) -> tuple[str, ...]:
    """Return the names of a page's module and of all modules that it needs. Leave out missing modules.

    Each module comes after the modules that it imports.
    """
    found: dict[str, None] = {}
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in seen or name not in modules:
            return
        seen.add(name)
        for part in IMPORT.findall(modules[name]):
            visit(part)
        found[name] = None

    visit(page)
    return tuple(found)


def link(modules: Mapping[str, str], page: str) -> str:
    """Return a page's module and all its imports as one script.

    Raise ValueError for unsupported syntax, or if two modules export the same name.

    Each module except `VENDOR` becomes a function or a block, so its names are private. Its exports are available to
    the modules after it.
    """
    parts: list[str] = []
    exported: dict[str, str] = {}
    for name in order_modules(modules, page):
        text = modules[name]
        if name == VENDOR:
            parts.append(text)
            continue
        names = EXPORT.findall(text)
        body = COMMENT.sub("", EXPORT.sub("", IMPORT.sub("", text)))
        if other := OTHER.search(body):
            raise ValueError(f"{name}: {other[0]}")
        if twice := [one for one in names if exported.setdefault(one, name) != name]:
            raise ValueError(f"{name}: {exported[twice[0]]} exports {twice[0]} too")
        given = f"{{ {', '.join(names)} }}"
        parts.append(
            f"const {given} = (() => {{\n{body}return {given};\n}})();" if names else f"{{\n{body}}}"
        )
    return "\n".join(parts)
