"""The browser's scripts: the modules in ``static/``, linked into one file for each page.

One file loads faster than thirty. The server links them while it reads its static files, so no bundler is
needed (docs/why/browser-scripts.md). The modules use only these forms: ``import "./x.js"``, ``import { a, b }
from "./x.js"``, ``export function``, ``export const``, ``export class``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

PAGES = (
    "account.js",
    "front.js",
    "me.js",
    "notifications.js",
    "replay.js",
    "study.js",
    "table.js",
    "verify.js",
)
"""The modules that pages load. All others are linked into these."""
WORKER = "worker.js"
"""The service worker, a script of its own."""
VENDOR = "vendor.js"
"""The vendored libraries: a plain script, whose names are global."""

SORTING = "sorting.js"
"""The part of the vendored libraries that pages fetch when somebody puts cards into an order of their own."""
LATER = "/* sortablejs/"
"""The text with which that part begins. It is the last part of the vendored file."""

IMPORT = re.compile(r'^import (?:\{\s*\w+(?:\s*,\s*\w+)*,?\s*\} from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
"""Matches a comment on separate lines. Browsers don't need these comments."""
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def split_vendor(text: str) -> tuple[str, str]:
    """Return the vendored libraries that every page needs, and the part that is fetched later."""
    core, found, later = text.partition(LATER)
    return core, f"{found}{later}"


def order_modules(modules: Mapping[str, str], page: str) -> tuple[str, ...]:
    """Return the page's module and all its imports, each after its own imports. Leave out missing modules."""
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
    """Link a page's module and all its imports into one script. Raise ValueError for an unsupported form.

    Each module becomes a function, so its names are private. Its exports are available to the modules after it.
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
