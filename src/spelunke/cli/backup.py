"""The commands ``spelunke backup`` and ``spelunke restore``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.output import err
from spelunke.cli.words import translate as _

if TYPE_CHECKING:
    from spelunke.house.backup import Manifest

Database = Annotated[
    str | None,
    typer.Option(
        help="The address of the database, such as sqlite:////srv/house.sqlite3."
        " By default, SPELUNKE_DATABASE or the file in your data folder."
    ),
]


def backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="The file to write. It must not exist yet.")],
    database: Database = None,
) -> None:
    """Save all data of a server into one file: tables, people, and the keys stored beside the database.

    The server may run meanwhile, and running games are saved too. Only you can read the file. If the server reads its
    keys from environment variables, they are not in the file: keep them as well.

    [dim]spelunke backup house-2026-11-22.backup[/dim]
    """
    from spelunke.house.backup.saving import back_up
    from spelunke.web.settings import find_database

    saved = back_up(find_database(database), to)
    told = _("{file}: {content}, {size} kB.")
    print(told.format(file=to, content=_count(saved.manifest), size=max(1, saved.size // 1024)))
    _tell_keys(saved.manifest)


def restore(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="A file that `spelunke backup` wrote.")],
    database: Database = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Replace the data of an existing server. Its SQLite file is renamed; its PostgreSQL database is"
            " overwritten.",
        ),
    ] = False,
) -> None:
    """Restore the data of a server from a backup. The server must not run meanwhile.

    The command checks the whole backup before it changes anything.

    [dim]spelunke restore house-2026-11-22.backup[/dim]
    """
    from spelunke.house.backup.saving import restore as bring_back
    from spelunke.web.settings import find_database

    restored = bring_back(source, find_database(database), replace=replace)
    manifest = restored.manifest
    print(
        _("The data saved at {time} is restored: {content}.").format(
            time=manifest.made, content=_count(manifest)
        )
    )
    if restored.kept:
        print(_("The replaced data is kept: {files}.").format(files=", ".join(map(str, restored.kept))))
    _tell_keys(manifest)


def _count(manifest: Manifest) -> str:
    count = manifest.tables
    told = _.many("{n} game table, migration {name}", "{n} game tables, migration {name}", count)
    return told.format(n=count, name=manifest.migration)


def _tell_keys(manifest: Manifest) -> None:
    if "secret" not in manifest.keys:
        err().print(
            _(
                "The backup does not contain the keys, because the server reads them from the "
                "environment (SPELUNKE_SECRET, SPELUNKE_SIGNING_KEY). Keep them: with other keys, "
                "the restored server recognizes no guest."
            ),
            soft_wrap=True,
        )
