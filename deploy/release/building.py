"""Build the wheels and the sources in a clone, twice, and compare the bytes."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

from release import changelog
from release.checks import current
from release.shell import Failed, git, run
from spelunke.ahead.targets import TARGETS
from spelunke.core.native import platform

STABLE = "Development Status :: 5 - Production/Stable"


def clone(source: Path, target: Path, branch: str) -> Path:
    """Clone a repository without sharing files, so that nothing in the source can change."""
    target.parent.mkdir(parents=True, exist_ok=True)
    git(
        source,
        "clone",
        "-q",
        "--no-hardlinks",
        "--single-branch",
        "--branch",
        branch,
        str(source),
        str(target),
    )
    return target


def write_version(folder: Path, version: str, date: str) -> None:
    """Write the version and the date into the files that name them."""
    old = current(folder)
    log = folder / "CHANGELOG.md"
    log.write_text(changelog.release(log.read_text(encoding="utf-8"), version, date), encoding="utf-8")
    project = folder / "pyproject.toml"
    text = _replace(project, f'version = "{old}"', f'version = "{version}"')
    if not version.startswith("0."):
        text = re.sub(r"Development Status :: \d - [\w/ -]+", STABLE, text, count=1)
    project.write_text(text, encoding="utf-8")
    interface = folder / "docs/openapi.json"
    text = _replace(interface, f'"version": "{old}"', f'"version": "{version}"')
    interface.write_text(text, encoding="utf-8")


def _replace(file: Path, old: str, new: str) -> str:
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise Failed(f"{file.name} has `{old}` {text.count(old)} times; the release expects it once.")
    return text.replace(old, new)


def build(folder: Path, out: Path) -> list[Path]:
    """Compile the rules of a clone, and build its sources, and from these a wheel for each platform.

    Return the wheel for this machine, then the other wheels, then the sources. ``folder`` has the commit of the
    release. The build uses a new cache, and so nothing of an earlier build.
    """
    ahead = folder / "build/ahead"
    here = {
        "PYTHONPATH": str(folder / "src"),
        "SPELUNKE_CACHE": str(folder / "build/cache"),
        "SOURCE_DATE_EPOCH": git(folder, "log", "-1", "--format=%ct"),
    }
    platforms = sorted(TARGETS, key=lambda name: name != platform())
    if platforms[0] != platform():
        raise Failed(f"Releases are made on {', '.join(platforms)}, and this is {platform()}.")
    asked = [part for name in (*platforms, "wasm") for part in ("--platform", name)]
    run([sys.executable, "-m", "spelunke.ahead", "--into", ahead, *asked], folder, more=here)
    constraints = str(folder / "constraints.txt")
    command: list[str | Path] = [
        *uv(),
        "build",
        "-q",
        "--python",
        sys.executable,
        "--build-constraints",
        constraints,
    ]
    bare = {**here, "PYTHONPATH": ""}
    run([*command, "--out-dir", out, "--sdist"], folder, more=bare)
    (out / ".gitignore").unlink(missing_ok=True)
    sources = next(out.glob("*.tar.gz"))
    wheels: list[Path] = []
    for name in platforms:
        rules = {"SPELUNKE_LIBRARIES": str(ahead / name), "SPELUNKE_MODULES": str(ahead / "wasm")}
        run([*command, "--out-dir", out / name, "--wheel", sources], folder, more={**bare, **rules})
        wheels += (out / name).glob("*.whl")
    if len(wheels) != len(platforms):
        raise Failed(f"The build made {len(wheels)} wheels for {len(platforms)} platforms.")
    return [*wheels, sources]


def uv() -> list[str]:
    """Return the command of uv, which the Makefile installs."""
    return [sys.executable, "-m", "uv"]


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def compare(first: list[Path], second: list[Path]) -> None:
    """Raise Failed if the two builds differ."""
    one, other = ({file.name: digest(file) for file in files} for files in (first, second))
    if one.keys() != other.keys():
        raise Failed(f"Two builds made different files: {sorted(one)} and {sorted(other)}.")
    if different := [name for name in one if one[name] != other[name]]:
        raise Failed(
            f"Two builds of one commit differ in {', '.join(different)}. Compare {first[0].parent} and "
            f"{second[0].parent}, for example with diffoscope; `--keep` keeps these folders."
        )


def write_checksums(folder: Path) -> Path:
    """Write the SHA-256 of every file in a folder, in the form that ``sha256sum --check`` reads."""
    lines = [f"{digest(file)}  {file.name}\n" for file in sorted(folder.iterdir())]
    file = folder / "SHA256SUMS"
    file.write_text("".join(lines), encoding="utf-8")
    return file
