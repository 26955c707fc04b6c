"""Run programs, and define the two errors that end a release early."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

LAST_LINES = 30


class Refused(Exception):
    """The release cannot begin. Each argument is a sentence with what is wrong and what to do."""


class Failed(Exception):
    """A step of the release failed. Nothing was changed."""


def run(
    command: Sequence[str | Path],
    folder: Path | None = None,
    *,
    more: Mapping[str, str] | None = None,
    given: str | None = None,
) -> str:
    """Run a program and return its output. Raise Failed with the last lines of its messages."""
    environment = {**os.environ, **(more or {})}
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            env=environment,
            input=given if given is not None else "",
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise Failed(f"{command[0]} is not installed.") from error
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
        raise Failed(f"`{' '.join(map(str, command))}` ended with {done.returncode}:\n{said}")
    return done.stdout


def succeeds(command: Sequence[str | Path], folder: Path | None = None) -> bool:
    """Run a command. Return whether its program exists and ends with exit code 0."""
    try:
        run(command, folder)
    except Failed:
        return False
    return True


def git(folder: Path, *arguments: str, given: str | None = None) -> str:
    """Run git in a folder and return its output without the last line break."""
    return run(["git", *arguments], folder, given=given).rstrip("\n")
