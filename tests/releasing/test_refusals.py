"""If a release can't be made, the command says why, fails, and leaves everything as it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from release import __main__ as command
from release import changelog, making, shell, signing
from release.building import compare, write_checksums, write_version
from release.checks import Wish
from release.shell import Failed

LOG = """# Changelog

## Unreleased

### Added

- Play a fourth game.

## 0.2.0 – 2026-11-23

The first version.
"""
PROJECT = '[project]\nversion = "0.2.0"\nclassifiers = ["Development Status :: 3 - Alpha"]\n'
Change = Callable[[Path], object]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write_log(text: str) -> Change:
    def change(folder: Path) -> None:
        (folder / "CHANGELOG.md").write_text(text, encoding="utf-8")
        git(folder, "commit", "-qam", "Change the changelog")

    return change


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with the files that a release changes."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "repository"
    (folder / "docs").mkdir(parents=True)
    (folder / "CHANGELOG.md").write_text(LOG, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (folder / "docs/openapi.json").write_text('{"info": {"version": "0.2.0"}}\n', encoding="utf-8")
    (folder / ".gitignore").write_text("/dist/\n/build/\n", encoding="utf-8")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "Rosa")
    git(folder, "config", "user.email", "rosa@example.org")
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "Begin")
    return folder


def release(repository: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    given = ["release", "--root", str(repository), "--without-image", *arguments]
    monkeypatch.setattr(sys, "argv", given)
    return command.main()


def look(repository: Path) -> tuple[str, str, str, bool]:
    """Return everything that a release could change."""
    return (
        git(repository, "for-each-ref"),
        git(repository, "status", "--porcelain"),
        (repository / "CHANGELOG.md").read_text(encoding="utf-8"),
        any((repository / "dist").glob("*")),
    )


@pytest.mark.parametrize(
    ("version", "change", "sentence"),
    [
        ("", lambda folder: None, "Name the version: `make release VERSION=1.0.0`"),
        ("one", lambda folder: None, "“one” is no version: write three numbers, such as 1.0.0."),
        ("0.2.0", lambda folder: None, "CHANGELOG.md has a version 0.2.0 already"),
        ("0.1.9", lambda folder: None, "0.1.9 is not above the version 0.2.0 in pyproject.toml"),
        (
            "0.3.0",
            lambda folder: (folder / "pyproject.toml").write_text(f"{PROJECT}\n"),
            "The tree has changes that are not committed (pyproject.toml): commit or remove them.",
        ),
        (
            "0.3.0",
            lambda folder: (folder / "new.py").write_text(""),
            "The tree has changes that are not committed (new.py)",
        ),
        (
            "0.3.0",
            lambda folder: git(folder, "switch", "-qc", "feature"),
            "The branch is feature: releases are made from main (`git switch main`).",
        ),
        (
            "0.3.0",
            lambda folder: git(folder, "switch", "-q", "--detach"),
            "No branch is checked out: releases are made from main",
        ),
        (
            "0.3.0",
            lambda folder: git(folder, "tag", "v0.3.0"),
            "The tag v0.3.0 exists already: choose a higher number.",
        ),
        (
            "0.3.0",
            write_log(LOG.replace("- Play a fourth game.\n", "")),
            "CHANGELOG.md lists nothing under *Unreleased*",
        ),
        ("0.3.0", write_log(LOG.replace("## Unreleased\n", "")), "has no section “## Unreleased”"),
        (
            "0.3.0",
            write_log(LOG.replace("### Added", "### News")),
            "has “### News” under *Unreleased*; use one of",
        ),
        (
            "0.3.0",
            write_log(LOG.replace("0.2.0", "0.2.1")),
            "the newest in CHANGELOG.md is 0.2.1: make them equal.",
        ),
        (
            "0.3.0",
            lambda folder: (folder / "dist/spelunke-0.3.0").mkdir(parents=True),
            "dist/spelunke-0.3.0 is there already",
        ),
    ],
)
def test_a_refused_release_gives_the_reason_and_changes_nothing(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    version: str,
    change: Change,
    sentence: str,
) -> None:
    change(repository)
    before = look(repository)
    assert release(repository, monkeypatch, *(["--version", version] if version else [])) == 2
    assert sentence in capsys.readouterr().err
    assert look(repository) == before


def test_all_reasons_against_a_release_are_listed_at_once(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    git(repository, "tag", "v0.3.0")
    git(repository, "switch", "-qc", "feature")
    (repository / "new.py").write_text("")
    assert release(repository, monkeypatch, "--version", "0.3.0") == 2
    assert capsys.readouterr().err.count("release: ") == 3


def test_a_missing_key_is_noticed_before_anything_is_built(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    git(repository, "config", "gpg.format", "ssh")
    git(repository, "config", "user.signingkey", str(repository.parent / "missing.pub"))
    monkeypatch.setattr(making, "build", lambda *_: pytest.fail("it was built"))
    before = look(repository)
    assert release(repository, monkeypatch, "--version", "0.3.0") == 2
    assert (
        "git cannot sign a tag here: set user.name, user.email and user.signingkey" in capsys.readouterr().err
    )
    assert look(repository) == before


@pytest.fixture
def signer(repository: Path) -> Path:
    """Let the repository sign with an SSH key."""
    signing.make_key(repository, repository.parent)
    return repository


def build_nothing(folder: Path, out: Path) -> list[Path]:
    out.mkdir()
    files = [out / "spelunke-0.3.0-py3-none-any.whl", out / "spelunke-0.3.0.tar.gz"]
    for file in files:
        file.write_text(git(folder, "rev-parse", "HEAD"))
    return files


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out everything that takes long: compiling, installing, packing."""
    monkeypatch.setattr(making, "build", build_nothing)
    monkeypatch.setattr(making, "write_fixtures", lambda *_: None)
    monkeypatch.setattr(making, "_accompany", lambda *_: None)


@pytest.mark.usefixtures("small")
def test_a_release_makes_commit_tag_and_files(signer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert release(signer, monkeypatch, "--version", "0.3.0") == 0
    assert git(signer, "log", "-1", "--format=%s") == "Release 0.3.0"
    assert git(signer, "rev-parse", "v0.3.0^{commit}") == git(signer, "rev-parse", "main")
    assert signing.verify(signer, "v0.3.0", signer.parent) == "SSH"
    text = git(signer, "cat-file", "tag", "v0.3.0")
    sums = (signer / "dist/spelunke-0.3.0/SHA256SUMS").read_text(encoding="utf-8")
    assert "- Play a fourth game." in text
    assert sums in text
    assert git(signer, "status", "--porcelain") == ""
    assert changelog.released((signer / "CHANGELOG.md").read_text(encoding="utf-8")) == ["0.3.0", "0.2.0"]
    assert release(signer, monkeypatch, "--version", "0.3.0") == 2


@pytest.mark.usefixtures("small")
def test_a_dry_run_leaves_branch_and_tags_alone(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = look(repository)
    assert release(repository, monkeypatch, "--dry-run") == 0
    assert look(repository) == before
    assert len(list((repository / "build/release/spelunke-0.3.0").iterdir())) == 3


@pytest.mark.usefixtures("small")
def test_a_failed_release_leaves_no_tag_and_no_files(
    signer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise Failed("The disk is full.")

    before = look(signer)
    monkeypatch.setattr(making, "_accompany", fail)
    assert release(signer, monkeypatch, "--version", "0.3.0") == 1
    said = capsys.readouterr().err
    assert "release: The disk is full.\nrelease: The release was not made, and nothing was changed." in said
    assert look(signer) == before


@pytest.mark.usefixtures("small")
def test_a_branch_that_moved_during_the_release_stays_unchanged(
    signer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        making, "_accompany", lambda *_: git(signer, "commit", "-q", "--allow-empty", "-m", "More")
    )
    assert release(signer, monkeypatch, "--version", "0.3.0") == 1
    assert "The branch main has moved on meanwhile: start again." in capsys.readouterr().err
    assert git(signer, "tag") == ""
    assert not (signer / "dist").exists()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("step", ["fetch", "merge"])
def test_a_release_that_is_stopped_while_it_is_handed_over_is_undone(
    signer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], step: str
) -> None:
    def stop(folder: Path, *arguments: str, given: str | None = None) -> str:
        done = shell.git(folder, *arguments, given=given)
        if arguments[0] == step:
            raise KeyboardInterrupt
        return done

    before = look(signer)
    monkeypatch.setattr(making, "git", stop)
    assert release(signer, monkeypatch, "--version", "0.3.0") == 130
    assert "The release was stopped, and nothing was changed." in capsys.readouterr().err
    assert look(signer) == before


@pytest.mark.usefixtures("small")
def test_files_that_cannot_be_put_into_their_folder_are_reported_without_a_traceback(
    signer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = look(signer)
    within = signer.parent / "file"
    within.write_text("no folder")
    assert release(signer, monkeypatch, "--version", "0.3.0", "--into", str(within)) == 1
    assert f"release: The files can't be put into {within}: " in capsys.readouterr().err
    assert look(signer) == before


@pytest.mark.usefixtures("small")
def test_a_release_that_cannot_be_merged_is_undone(signer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file changes at the last moment, the branch can't move to the release. The new tag and files are removed."""
    monkeypatch.setattr(
        making, "_accompany", lambda *_: (signer / "CHANGELOG.md").write_text("Something else\n")
    )
    assert release(signer, monkeypatch, "--version", "0.3.0") == 1
    assert git(signer, "tag") == ""
    assert list((signer / "dist").iterdir()) == []
    assert git(signer, "log", "-1", "--format=%s") == "Begin"


def test_the_changelog_of_version_1_links_to_the_compatibility_promises(repository: Path) -> None:
    write_version(repository, "1.0.0", "2026-12-01")
    log = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    assert log.startswith(
        "# Changelog\n\n## Unreleased\n\n## 1.0.0 – 2026-12-01\n\nFrom here on, [docs/compatibility.md]"
    )
    assert changelog.unreleased(log) == ""
    assert "5 - Production/Stable" in (repository / "pyproject.toml").read_text(encoding="utf-8")
    assert '"version": "1.0.0"' in (repository / "docs/openapi.json").read_text(encoding="utf-8")
    assert "From here on" not in changelog.release(LOG, "0.3.0", "2026-12-01")


def test_two_builds_that_differ_are_refused(tmp_path: Path) -> None:
    for folder, text in (("one", "a"), ("two", "b")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.whl").write_text(text)
    with pytest.raises(Failed, match=r"differ in x\.whl"):
        compare([tmp_path / "one/x.whl"], [tmp_path / "two/x.whl"])


def test_checksums_are_read_by_sha256sum(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_text("a")
    write_checksums(tmp_path)
    subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True
    )


def test_an_unsigned_tag_is_not_verified(signer: Path) -> None:
    git(signer, "tag", "-a", "-m", "Without a key", "v9.0.0")
    with pytest.raises(Failed, match="has no signature"):
        signing.verify(signer, "v9.0.0", signer.parent)


def test_a_tag_of_another_key_is_not_verified(signer: Path, tmp_path: Path) -> None:
    signing.sign(signer, "v9.0.0", "Signed by the first key")
    other = tmp_path / "other"
    other.mkdir()
    signing.make_key(signer, other)
    with pytest.raises(Failed, match="verify-tag"):
        signing.verify(signer, "v9.0.0", signer.parent)


def test_the_tag_and_the_folder_are_named_by_the_version() -> None:
    wish = Wish(Path("root"), "1.0.0", "main", Path("dist"), dry=False)
    assert (wish.tag, wish.goal) == ("v1.0.0", Path("dist/spelunke-1.0.0"))
