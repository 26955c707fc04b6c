"""Common parts of the command lines of this folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from spelunke.core.errors import BadInput

Folder = Annotated[
    Path | None, typer.Option(help="A folder for the games; begun again, it goes on.", file_okay=False)
]


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, if they don't exist. Raise BadInput if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"it can't be a folder ({str(error.strerror).lower()})", str(folder)) from None


def run_app(app: typer.Typer) -> None:
    """Run a command line. For BadInput, print the error as one sentence, and exit with code 2."""
    try:
        app()
    except BadInput as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2)
