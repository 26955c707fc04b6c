"""The command ``spelunke schema``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spelunke.cli.arguments import write_file
from spelunke.cli.output import out, write_json
from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The name of a schema. By default, list all names.")
    ] = None,
    write: Annotated[
        str | None, typer.Option("--write", metavar="FOLDER", help="Write all schemas into this folder.")
    ] = None,
) -> None:
    """Print the JSON Schema of a format: records, analyses, verdicts, or the positions of a game.

    [dim]spelunke schema record > record.json[/dim]
    """
    from spelunke.records.schema import schemas, write_schema

    known = schemas()
    if write is not None:
        folder = Path(write)
        if not folder.is_dir():
            raise BadInput("there is no such folder", write)
        for each, found in known.items():
            write_file(str(folder / f"{each}.json"), write_schema(found))
        out().print(_("The schemas are in {folder}.").format(folder=folder), markup=False)
    elif name is None:
        for each, found in known.items():
            out().print(f"{each:24} {found['title']}", markup=False)
    elif name in known:
        write_json(known[name])
    else:
        raise BadInput(f"there is no schema {name!r}; there are {', '.join(known)}")
