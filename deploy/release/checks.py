"""Check whether a release may begin, before anything is made. Only the key for signatures is checked later."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from release import changelog
from release.shell import Refused, git, succeeds

NUMBER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


@dataclass(frozen=True, slots=True)
class Wish:
    """The release that was asked for."""

    root: Path
    version: str
    branch: str
    into: Path
    dry: bool

    @property
    def tag(self) -> str:
        """The name of the tag."""
        return f"v{self.version}"

    @property
    def goal(self) -> Path:
        """The folder for the files of this version."""
        return self.into / f"spelunke-{self.version}"


def current(root: Path) -> str:
    """Return the version that pyproject.toml names."""
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def following(version: str) -> str:
    """Return the next minor version, which a dry run takes if none is named."""
    major, minor, _ = version.split(".")
    return f"{major}.{int(minor) + 1}.0"


def check(wish: Wish) -> None:
    """Raise Refused with all reasons why this release can't be made."""
    wrong = [*_number_faults(wish), *_tree_faults(wish)]
    text = (wish.root / "CHANGELOG.md").read_text(encoding="utf-8")
    wrong += changelog.faults(text)
    if wish.version in changelog.released(text):
        wrong.append(f"CHANGELOG.md has a version {wish.version} already: choose a higher number.")
    if wish.goal.exists():
        wrong.append(f"{wish.goal} is there already: move it away, or choose another number.")
    if wrong:
        raise Refused(*wrong)


def _number_faults(wish: Wish) -> list[str]:
    if not NUMBER.fullmatch(wish.version):
        return [f"“{wish.version}” is no version: write three numbers, such as 1.0.0."]
    old = current(wish.root)
    found = []
    if _key(wish.version) <= _key(old):
        found.append(
            f"{wish.version} is not above the version {old} in pyproject.toml: choose a higher number."
        )
    newest = next(iter(changelog.released((wish.root / "CHANGELOG.md").read_text(encoding="utf-8"))), "none")
    if newest != old:
        found.append(
            f"pyproject.toml has version {old}, and the newest in CHANGELOG.md is {newest}: make them equal."
        )
    if succeeds(["git", "rev-parse", "-q", "--verify", f"refs/tags/{wish.tag}"], wish.root):
        found.append(f"The tag {wish.tag} exists already: choose a higher number.")
    return found


def _tree_faults(wish: Wish) -> list[str]:
    found = []
    branch = git(wish.root, "branch", "--show-current")
    if branch != wish.branch:
        where = f"The branch is {branch}" if branch else "No branch is checked out"
        found.append(f"{where}: releases are made from {wish.branch} (`git switch {wish.branch}`).")
    changed = git(wish.root, "status", "--porcelain").splitlines()
    if changed:
        named = ", ".join(line[3:] for line in changed[:3]) + (", …" if len(changed) > 3 else "")
        found.append(f"The tree has changes that are not committed ({named}): commit or remove them.")
    return found


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
