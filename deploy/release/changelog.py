"""Read CHANGELOG.md, and turn its *Unreleased* section into a version."""

from __future__ import annotations

import re

from release.shell import Refused

SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
UNRELEASED = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
RELEASED = re.compile(r"^## (\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d)$", re.MULTILINE)
STABLE = (
    "From here on, [docs/compatibility.md](docs/compatibility.md) says what stays stable: records, positions,\n"
    "the text of moves, databases and backups, the API, the protocol of bots, commands, and names in Python."
)
"""The first lines of each version that begins with a new major number."""


def released(text: str) -> list[str]:
    """Return the released versions, newest first."""
    return [version for version, _ in RELEASED.findall(text)]


def unreleased(text: str) -> str:
    """Return the lines of the *Unreleased* section, without empty lines around them."""
    found = UNRELEASED.search(text)
    return found[1].strip("\n") if found else ""


def faults(text: str) -> list[str]:
    """Return the faults of the *Unreleased* section, one sentence each."""
    if not UNRELEASED.search(text):
        return ["CHANGELOG.md has no section “## Unreleased”: add one above the newest version."]
    body = unreleased(text)
    parts = re.split(r"^### (.*)$", body, flags=re.MULTILINE)
    names, texts = parts[1::2], parts[2::2]
    if not re.search(r"^- \S", body, re.MULTILINE):
        return ["CHANGELOG.md lists nothing under *Unreleased*: write what changed for users, a line each."]
    found = [
        f"CHANGELOG.md has “### {name}” under *Unreleased*; use one of {', '.join(SECTIONS)}."
        for name in names
        if name not in SECTIONS
    ]
    found += [
        f"CHANGELOG.md has “### {name}” twice under *Unreleased*: put their lines together."
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    found += [
        f"“### {name}” under *Unreleased* in CHANGELOG.md has no line: remove the heading."
        for name, lines in zip(names, texts, strict=True)
        if not lines.strip()
    ]
    return found


def release(text: str, version: str, date: str) -> str:
    """Return the changelog with the lines of *Unreleased* under the new version.

    Raise Refused if the section *Unreleased* has faults (:func:`faults`).
    """
    if wrong := faults(text):
        raise Refused(*wrong)
    body = unreleased(text)
    if version.endswith(".0.0"):
        body = f"{STABLE}\n\n{body}"
    section = f"## Unreleased\n\n## {version} – {date}\n\n{body}\n\n"
    return UNRELEASED.sub(lambda _: section, text, count=1).rstrip("\n") + "\n"


def notes(text: str, version: str) -> str:
    """Return the lines of one released version."""
    found = re.search(rf"^## {re.escape(version)} – [^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip("\n") if found else ""
