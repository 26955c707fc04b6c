"""The browser's scripts: modules as they lie in ``static/``, under one address that changes with any of them.

Modules name each other relative to themselves, so the version is a folder of their address instead of a query
(docs/why/browser-scripts.md).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

IMPORT = re.compile(rb'^import (?:[^"]* from )?"\./([\w-]+\.js)";$', re.MULTILINE)


@dataclass(frozen=True)
class Scripts:
    """All scripts of a folder, by the names of their files."""

    files: dict[str, bytes]

    @classmethod
    def read(cls, folder: Path) -> Scripts:
        """The scripts as they lie in the folder now."""
        return cls({file.name: file.read_bytes() for file in sorted(folder.glob("*.js"))})

    @cached_property
    def version(self) -> str:
        """A short name of all their contents together."""
        digest = hashlib.sha256()
        for name, content in self.files.items():
            digest.update(b"%s %d\n" % (name.encode(), len(content)))
            digest.update(content)
        return digest.hexdigest()[:10]

    def address(self, name: str) -> str:
        """Where the pages find a script; browsers may keep what is there for ever."""
        return f"/static/{self.version}/{name}"

    def needed(self, name: str) -> tuple[str, ...]:
        """A script and all that it imports, in the order in which a browser evaluates them."""
        found: dict[str, None] = {}
        seen: set[str] = set()

        def visit(script: str) -> None:
            if script in seen or script not in self.files:
                return
            seen.add(script)
            for part in IMPORT.findall(self.files[script]):
                visit(part.decode())
            found[script] = None

        visit(name)
        return tuple(found)
