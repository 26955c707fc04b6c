"""Check the prose of all files that git holds against docs/style.md, and list each place that breaks a rule.

``python -m prose`` checks all files; with files or folders, only those.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from prose.rules import Finding, check
from prose.texts import FINDERS

ROOT = Path(__file__).resolve().parents[2]
# This file shows what not to write, and so do these rules.
EXEMPT = ("docs/style.md", "tests/prose/", "tests/test_prose.py")
# Written by a program, or not ours.
GENERATED = ("src/spelunke/web/static/vendor", "node_modules/")


def files() -> list[str]:
    """Return the files with prose that git knows or would add."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(
        name
        for name in done.stdout.split("\0")
        if Path(name).suffix in FINDERS
        and not name.startswith((*EXEMPT, *GENERATED))
        and (ROOT / name).is_file()
    )


def find(names: list[str]) -> dict[str, list[Finding]]:
    """Return the findings of each file."""
    return {name: check(name, (ROOT / name).read_text(encoding="utf-8")) for name in names}


def main() -> int:
    """Check the files that the arguments name, or all files. Return 1 if a text breaks a rule, else 0."""
    reader = argparse.ArgumentParser(prog="python -m prose", description=__doc__)
    reader.add_argument("places", nargs="*", help="files or folders to check, instead of all files")
    chosen = tuple(place.removeprefix("./").rstrip("/") for place in reader.parse_args().places)
    names = [
        name
        for name in files()
        if not chosen or any(name == at or name.startswith(f"{at}/") for at in chosen)
    ]
    found = find(names)
    for name, findings in found.items():
        for finding in findings:
            print(f"{name}:{finding.line}: {finding.rule}: {finding.text[:100]}", file=sys.stderr)
    broken = sum(map(len, found.values()))
    if broken:
        print(f"{broken} places break docs/style.md; see its section on words.", file=sys.stderr)
        return 1
    print(f"Prose: {len(names)} files break no rule of docs/style.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
