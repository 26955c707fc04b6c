"""The browser's scripts: modules as they lie in ``static/``, linked into one file for each page.

One file starts a page sooner than thirty requests do, and is evaluated as one; linking it here, as the house reads its
static files, needs no bundler for who edits a script (docs/why/browser-scripts.md). The modules use the plain forms
alone: ``import "./x.js"``, ``import { a, b } from "./x.js"``, ``export function``, ``export const``.
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
"""The modules that pages ask for; the others come with them."""
WORKER = "worker.js"
"""The service worker, which browsers keep beside the pages: a script by itself."""
VENDOR = "vendor.js"
"""The kept libraries: a plain script, whose names are there for all."""

IMPORT = re.compile(r'^import (?:\{\s*\w+(?:\s*,\s*\w+)*,?\s*\} from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
"""A comment that has its lines to itself: for who reads the source, and not for browsers."""
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def order_modules(modules: Mapping[str, str], page: str) -> tuple[str, ...]:
    """The page's module and all that it imports, each after what it imports itself; what is not there is left out."""
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
    """One script of a page's module and all that it imports. Raises ValueError for a form that is not linked.

    Each module keeps its names to itself, within a function; what it exports is there for those that follow.
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
