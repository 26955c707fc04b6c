"""Check the prose of all files that git holds against docs/style.md, and compare with the counts of each folder.

``python -m prose`` compares with counts.txt. With files or folders it lists each place in them. ``--lower`` writes
lower counts into counts.txt; otherwise counts never rise.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

from prose.rules import Finding, check
from prose.texts import FINDERS

ROOT = Path(__file__).resolve().parents[2]
COUNTS = Path(__file__).with_name("counts.txt")
# This file shows what not to write, and so do these rules.
EXEMPT = ("docs/style.md", "tests/prose/", "tests/test_prose.py")
# Written by a program, or not ours.
GENERATED = ("src/spelunke/web/static/vendor", "node_modules/")
Counts = Counter[tuple[str, str]]


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


def folder(name: str) -> str:
    """Return the folder under which a file's findings are counted."""
    parts = Path(name).parts
    if parts[:3] == ("src", "spelunke", "games"):
        return "/".join(parts[: 4 if len(parts) > 4 else 3])
    if parts[:2] == ("src", "spelunke"):
        return "/".join(parts[: 3 if len(parts) > 3 else 2])
    return parts[0] if len(parts) > 1 else "."


def find(names: list[str]) -> dict[str, list[Finding]]:
    """Return the findings of each file."""
    return {name: check(name, (ROOT / name).read_text(encoding="utf-8")) for name in names}


def count(found: dict[str, list[Finding]]) -> Counts:
    """Return the number of findings by folder and rule."""
    return Counter((folder(name), finding.rule) for name, findings in found.items() for finding in findings)


def read_counts(text: str) -> Counts:
    """Return the counts that a folder may not exceed; of a pair that a merge left there twice, the lower one."""
    counts: Counts = Counter()
    for line in text.splitlines():
        place, rule, number = line.split()
        counts[place, rule] = min(int(number), counts.get((place, rule), int(number)))
    return counts


def write_counts(counts: Counts) -> str:
    """Return the text of the counts, one folder and rule on a line."""
    return "".join(
        f"{place} {rule} {counts[place, rule]}\n" for place, rule in sorted(counts) if counts[place, rule]
    )


def compare(found: Counts, allowed: Counts) -> tuple[list[str], list[str]]:
    """Return a line for each count that has risen, and one for each that has fallen."""
    risen = [
        f"{place}: {rule} {number}, allowed {allowed[place, rule]}"
        for (place, rule), number in sorted(found.items())
        if number > allowed[place, rule]
    ]
    fallen = [
        f"{place}: {rule} {found[place, rule]}, allowed {number}"
        for (place, rule), number in sorted(allowed.items())
        if found[place, rule] < number
    ]
    return risen, fallen


def show(found: dict[str, list[Finding]]) -> None:
    """Print each finding."""
    for name, findings in found.items():
        for finding in findings:
            print(f"{name}:{finding.line}: {finding.rule}: {finding.text[:100]}")


def main() -> int:
    """Check as the arguments say; return 1 if a count has risen."""
    reader = argparse.ArgumentParser(prog="python -m prose", description=__doc__)
    reader.add_argument("places", nargs="*", help="files or folders to list the findings of")
    reader.add_argument("--lower", action="store_true", help="write lower counts into counts.txt")
    reader.add_argument(
        "--rebase",
        action="store_true",
        help="write all counts: for a merge of work that began before the linter",
    )
    choices = reader.parse_args()
    names = files()
    if choices.places:
        chosen = tuple(place.removeprefix("./").rstrip("/") for place in choices.places)
        show(find([name for name in names if any(name == at or name.startswith(f"{at}/") for at in chosen)]))
        return 0
    found = find(names)
    counts, allowed = count(found), read_counts(COUNTS.read_text(encoding="utf-8"))
    risen, fallen = compare(counts, allowed)
    if choices.rebase:
        COUNTS.write_text(write_counts(counts), encoding="utf-8")
        risen = []
    elif choices.lower:
        lower = Counter({pair: min(number, counts[pair]) for pair, number in allowed.items()})
        COUNTS.write_text(write_counts(lower), encoding="utf-8")
    elif fallen:
        print(f"{len(fallen)} counts of tests/prose/counts.txt have fallen: `make prose-counts` lowers them.")
    if risen:
        print("More places than before break docs/style.md:", *risen, sep="\n  ", file=sys.stderr)
        print("See them with: PYTHONPATH=tests python -m prose FOLDER", file=sys.stderr)
        return 1
    print(f"Prose: {sum(counts.values())} places left to mend in {len(names)} files.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
