"""The committed files: no machine's paths, no leftovers, and documents whose links lead somewhere."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 1_500_000
# A path on somebody's machine, not in a container or on a server that deploy/ describes.
MACHINE_PATH = re.compile(r"(?<![\w.~$})/-])/(?:work|root|home)(?=[/\s\"'`),;:]|$)")
# Written so that this file does not match itself.
REGISTRY = re.compile(r"\b(?:pypi|pythonhosted|npmjs|yarnpkg|rubygems|crates|deb\.debian)\.(?:org|com|io)\b")
LEFTOVER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b")
LINK = re.compile(
    r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|<(?:img|a)\s[^>]*?(?:src|href)=\"([^\"]+)\""
)


@cache
def tracked() -> tuple[Path, ...]:
    """Return the tracked files that still exist."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(f for name in done.stdout.split("\0") if name and (f := ROOT / name).is_file())


@cache
def texts() -> tuple[tuple[str, str], ...]:
    found = []
    for file in tracked():
        try:
            found.append((file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return tuple(found)


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def documents() -> Iterator[tuple[str, str]]:
    for name, text in texts():
        if name.endswith(".md"):
            # Code is shown, not linked.
            yield (
                name,
                re.sub(
                    r"`[^`\n]*`", "", re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
                ),
            )


@cache
def anchors(file: Path) -> frozenset[str]:
    """Return the anchors that a Markdown file's headings usually get."""
    text = re.sub(r"^(```|~~~).*?^\1", "", file.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found = set()
    for heading in re.findall(r"^#+\s+(.*)$", text, flags=re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return frozenset(found)


def test_at_least_20_files_are_checked() -> None:
    assert len(tracked()) > 20


def test_no_file_contains_a_path_of_one_machine() -> None:
    assert lines_with(MACHINE_PATH) == []


def test_no_file_contains_an_address_of_a_registry() -> None:
    assert lines_with(REGISTRY) == []


def test_the_lock_files_hold_no_addresses() -> None:
    for name in ("package-lock.json", "constraints.txt"):
        assert re.findall(r"https?:|://", (ROOT / name).read_text(encoding="utf-8")) == []


def test_no_comment_is_a_reminder_of_unfinished_work() -> None:
    assert lines_with(LEFTOVER) == []


def test_no_file_is_too_large() -> None:
    assert [
        f"{f.relative_to(ROOT)}: {f.stat().st_size}" for f in tracked() if f.stat().st_size > LARGEST
    ] == []


def test_no_built_file_is_committed() -> None:
    done = subprocess.run(
        ["git", "ls-files", "-ci", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""


def test_the_version_is_the_newest_release_of_the_changelog() -> None:
    """The package and the changelog's newest release have the same version.

    If this commit has a release tag, the tag names this version too.
    """
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    released = re.findall(
        r"^## (\d+\.\d+\.\d+) – \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert released[0] == version
    assert released == sorted(
        released, key=lambda number: [int(part) for part in number.split(".")], reverse=True
    )
    tags = subprocess.run(
        ["git", "tag", "--points-at", "HEAD", "v*"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert tags in ([], [f"v{version}"])


def test_every_decision_has_a_date_and_is_linked_from_code_or_settings() -> None:
    wrong = []
    for name, text in texts():
        if not re.fullmatch(r"docs/why/[\w-]+\.md", name):
            continue
        if not any(re.search(r"\b20\d\d-\d\d-\d\d\b", line) for line in text.splitlines()[:6]):
            wrong.append(f"{name}: no date (2026-11-21) in its first lines")
        if not any(name in other for path, other in texts() if not path.endswith(".md")):
            wrong.append(f"{name}: no line of code or settings refers to it by this path")
    assert wrong == []


def test_every_reference_to_a_decision_leads_somewhere() -> None:
    wrong = [
        f"{name}: {target}"
        for name, text in texts()
        for target in re.findall(r"docs/why/[\w-]+\.md", text)
        if not (ROOT / target).is_file()
    ]
    assert wrong == []


def test_every_link_in_the_documents_leads_somewhere() -> None:
    wrong = []
    for name, text in documents():
        for found in LINK.finditer(text):
            target = found[1] or found[2]
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (ROOT / name).parent / path if path else ROOT / name
            if not file.exists():
                wrong.append(f"{name}: {target} does not exist")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.resolve()):
                wrong.append(f"{name}: {target}: there is no such heading")
    assert wrong == []
