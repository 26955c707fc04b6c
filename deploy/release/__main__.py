"""``python -m release``: make a release. ``make release`` runs it."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from release.checks import Wish, check, current, following
from release.making import Making, make
from release.shell import Failed, Refused
from release.steps import Steps

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Make the release, and return the exit status.

    It is 0 if the release was made, 1 if a step failed, 2 if the release was refused before anything was built, or 130
    after Ctrl+C.
    """
    given = _arguments().parse_args()
    root = given.root.resolve()
    console = Console(stderr=True)
    version = given.version or (following(current(root)) if given.dry_run else "")
    if not version:
        _complain(console, "Name the version: `make release VERSION=1.0.0`, or `make release DRY=1` to try.")
        return 2
    into = given.into or root / ("build/release" if given.dry_run else "dist")
    wish = Wish(root, version.removeprefix("v"), given.branch, into.resolve(), given.dry_run)
    scratch = Path(tempfile.mkdtemp(prefix="spelunke-release-"))
    kept = given.keep
    try:
        check(wish)
        plan = Making(
            wish,
            scratch,
            datetime.now(UTC),
            image=not given.without_image,
            image_options=shlex.split(given.image_options),
            address=given.address,
        )
        make(plan, Steps(console))
    except Refused as error:
        _complain(console, *error.args)
        return 2
    except Failed as error:
        _complain(console, str(error), "The release was not made, and nothing was changed.")
        return 1
    except KeyboardInterrupt:
        _complain(console, "The release was stopped, and nothing was changed.")
        return 130
    finally:
        if kept:
            console.print(f"The clones are kept in {scratch}.", highlight=False)
        else:
            shutil.rmtree(scratch, ignore_errors=True)
    return 0


def _complain(console: Console, *sentences: str) -> None:
    for sentence in sentences:
        console.print(f"release: {sentence}", style="red", markup=False, highlight=False, soft_wrap=True)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument(
        "--version", help="the new version, such as 1.0.0; a dry run takes the next minor one"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="make everything and change no branch and no tag"
    )
    parser.add_argument("--branch", default="main", help="the branch that releases are made from")
    parser.add_argument(
        "--into", type=Path, help="the folder for the files: dist, or build/release in a dry run"
    )
    parser.add_argument("--without-image", action="store_true", help="make no container image")
    parser.add_argument(
        "--image-options", default="", help="further options of the image's build, as one text"
    )
    parser.add_argument(
        "--address",
        default="https://house.example/releases",
        help="where the files will be, for the Homebrew formula",
    )
    parser.add_argument("--keep", action="store_true", help="keep the temporary folder")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository")
    return parser


if __name__ == "__main__":
    sys.exit(main())
