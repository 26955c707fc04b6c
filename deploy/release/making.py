"""The steps of a release. Only the last one, `hand_over`, changes the repository (see docs/why/release.md)."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from release import changelog, signing
from release.bill import write_bill
from release.building import build, clone, compare, digest, write_checksums, write_version
from release.checks import Wish
from release.debian import NoDebian, build_package, check_debian
from release.fixtures import write_fixtures
from release.formula import write_formula
from release.image import NoImage, build_image, find_builder
from release.shell import Failed, git
from release.steps import Steps


@dataclass(frozen=True, slots=True)
class Making:
    """A release while it is made, in a temporary folder."""

    wish: Wish
    scratch: Path
    now: datetime
    image: bool
    image_options: Sequence[str]
    address: str

    @property
    def first(self) -> Path:
        """The clone of the first build, which has the commit and the tag."""
        return self.scratch / "first"

    @property
    def second(self) -> Path:
        """The clone of the second build, in a folder with a longer path."""
        return self.scratch / "another-folder" / "second"

    @property
    def stage(self) -> Path:
        """The temporary folder with the files of the release. `hand_over` copies them to their final folder."""
        return self.scratch / "stage"


def make(plan: Making, steps: Steps) -> None:
    """Make the release. Raise Refused or Failed; in both cases the repository is as before."""
    wish = plan.wish
    with steps.step(f"Commit {wish.version} in a clone, with its changelog, old records and a key"):
        start = git(wish.root, "rev-parse", "HEAD")
        _commit(plan)
    with steps.step("Build wheels and sources"):
        files = build(plan.first, plan.scratch / "out-1")
    with steps.step("Build them again in another folder, and compare the bytes"):
        git(plan.scratch, "clone", "-q", "--no-hardlinks", str(plan.first), str(plan.second))
        compare(files, build(plan.second, plan.scratch / "out-2"))
    plan.stage.mkdir()
    for file in files:
        shutil.copy(file, plan.stage)
    _accompany(plan, steps, files)
    with steps.step(f"Sign the tag {wish.tag}, and verify it"):
        write_checksums(plan.stage)
        signing.sign(plan.first, wish.tag, _message(plan))
        signing.verify(plan.first, wish.tag, plan.scratch)
    with steps.step("Hand it over" if not wish.dry else "Leave the files, and nothing else"):
        hand_over(plan, start)
    for file in sorted(wish.goal.iterdir()):
        steps.say(f"{file.stat().st_size / 1e6:8.2f} MB  {file.name}")
    steps.say(f"All of it is in {wish.goal}.")
    if not wish.dry:
        steps.say(f"Publish it with `git push origin {wish.branch} {wish.tag}`, and upload the files.")


def _commit(plan: Making) -> None:
    """Make the commit of the release in a clone, and check that the clone can sign."""
    wish = plan.wish
    clone(wish.root, plan.first, wish.branch)
    signing.take_settings(wish.root, plan.first)
    if wish.dry:
        signing.make_key(plan.first, plan.scratch)
    signing.check_key(plan.first)
    write_version(plan.first, wish.version, plan.now.date().isoformat())
    write_fixtures(plan.first, wish.version)
    git(plan.first, "add", "--all")
    git(plan.first, "commit", "-q", "-m", f"Release {wish.version}")


def _accompany(plan: Making, steps: Steps, files: list[Path]) -> None:
    """Make all files that accompany the wheel and the source archive, in the folder `Making.stage`."""
    version = plan.wish.version
    wheel, *_, sources = files
    made = datetime.fromtimestamp(int(git(plan.first, "log", "-1", "--format=%ct")), UTC)
    with steps.step("List what an installation consists of (CycloneDX)"):
        shutil.move(write_bill(wheel, plan.first, plan.scratch, version, made), plan.stage)
    with steps.step("Write the Homebrew formula"):
        write_formula(
            plan.first, plan.stage, version, f"{plan.address}/{plan.wish.tag}/{sources.name}", digest(sources)
        )
    try:
        check_debian()
        with steps.step("Build the Debian package"):
            build_package(wheel, plan.first, plan.scratch, plan.stage, version, made)
    except NoDebian as error:
        steps.say(str(error))
    if not plan.image:
        steps.say("No container image was made, as asked.")
        return
    try:
        builder = find_builder()
    except NoImage as error:
        steps.say(str(error))
        return
    with steps.step(f"Build the container image with {builder}"):
        image = build_image(builder, wheel, plan.second, plan.scratch, version, plan.image_options)
        shutil.move(image, plan.stage)


def _message(plan: Making) -> str:
    """Return the text of the tag: the notes of the version, and the digests that the signature covers."""
    log = (plan.first / "CHANGELOG.md").read_text(encoding="utf-8")
    notes = changelog.notes(log, plan.wish.version)
    sums = (plan.stage / "SHA256SUMS").read_text(encoding="utf-8")
    return f"Spelunke {plan.wish.version}\n\n{notes}\n\nSHA-256 of the files:\n\n{sums}"


def hand_over(plan: Making, start: str) -> None:
    """Move the files to their folder, and take commit and tag into the repository.

    If anything fails or the user stops it, undo everything. Raise Failed if a step failed.
    """
    wish = plan.wish
    if not wish.dry and git(wish.root, "rev-parse", "HEAD") != start:
        raise Failed(f"The branch {wish.branch} has moved on meanwhile: start again.")
    if wish.goal.exists():
        raise Failed(f"{wish.goal} appeared meanwhile: move it away.")
    part = wish.into / f".{wish.goal.name}.part"
    tag = f"refs/tags/{wish.tag}"
    try:
        shutil.rmtree(part, ignore_errors=True)
        wish.into.mkdir(parents=True, exist_ok=True)
        shutil.copytree(plan.stage, part)
        part.replace(wish.goal)
        if not wish.dry:
            git(wish.root, "fetch", "-q", "--no-tags", str(plan.first), f"{tag}:{tag}")
            git(wish.root, "merge", "-q", "--ff-only", f"{wish.tag}^{{commit}}")
    except BaseException as error:
        _undo(plan, start, part)
        if isinstance(error, OSError):
            raise Failed(f"The files can't be put into {wish.into}: {error}") from error
        raise


def _undo(plan: Making, start: str, part: Path) -> None:
    """Undo the changes that `hand_over` has made so far: remove files and tag, and move the branch back."""
    wish = plan.wish
    for folder in (part, wish.goal):
        shutil.rmtree(folder, ignore_errors=True)
    if wish.dry:
        return
    if git(wish.root, "rev-parse", "HEAD") == git(plan.first, "rev-parse", "HEAD"):
        git(wish.root, "reset", "-q", "--keep", start)
    tag = f"refs/tags/{wish.tag}"
    made = git(plan.first, "rev-parse", tag)
    if git(wish.root, "for-each-ref", "--format=%(objectname)", tag) == made:
        git(wish.root, "update-ref", "-d", tag, made)
