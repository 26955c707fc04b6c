"""The command `spelunke` with its subcommands.

The exit code is 0 for success, 1 if a check found a problem or the program has a bug, 2 for bad input, 3 if a record
is not completely proven (``spelunke verify``), or 130 after Ctrl+C.
"""

from __future__ import annotations

import copy
import os
import sys
from typing import Annotated

import typer

from spelunke.cli import (
    analyse,
    arena,
    backup,
    bench,
    games,
    host,
    migrate,
    mine,
    perft,
    play,
    playout,
    position,
    problem,
    ratings,
    replay,
    schema,
    serve,
    tui,
    verify,
)
from spelunke.cli.help_texts import translate_help
from spelunke.cli.output import refuse
from spelunke.cli.words import say_refusal, translate
from spelunke.core.errors import SpelunkeError
from spelunke.core.words import plain

# Rich takes as long to import as everything else together. Programs that read the help get plain text.
STYLED = sys.stdout.isatty()
APP = typer.Typer(
    name="spelunke",
    help="Play games, examine positions and records, check that chance was fair, and measure bots and speed.",
    epilog="Exit codes: 0 for success, 1 if a check found a problem or the program has a bug, 2 for bad input, "
    "3 if a record is not completely proven, 130 after Ctrl+C.",
    no_args_is_help=True,
    rich_markup_mode="rich" if STYLED else None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
PLAY, LOOK, MEASURE = plain("Play"), plain("Examine games"), plain("Count and measure")


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"spelunke {version('spelunke')}")
        raise typer.Exit


@APP.callback()
def _all(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version."),
    ] = False,
    # These two are listed only for the help: they are read before the commands are loaded (`cli/words.py`).
    language: Annotated[
        str,
        typer.Option(
            "--language",
            metavar="CODE",
            help="The language: en, de, nl, fr, it or fi. To choose it for all commands, set SPELUNKE_LANGUAGE.",
        ),
    ] = "",
    letters: Annotated[
        str,
        typer.Option(
            "--letters",
            metavar="LETTERS",
            help="The letters for cards and nations: own (of your language), english, or notation (English letters for "
            "cards, letters of your language for nations).",
        ),
    ] = "",
) -> None:
    pass


APP.command("serve", rich_help_panel=PLAY)(serve.serve)
APP.command("migrate", rich_help_panel=PLAY)(migrate.migrate)
APP.command("host", rich_help_panel=PLAY)(host.host)
APP.command("ratings", rich_help_panel=PLAY)(ratings.ratings)
APP.command("play", rich_help_panel=PLAY)(play.play)
APP.command("tui", rich_help_panel=PLAY)(tui.tui)
APP.command("backup", rich_help_panel=PLAY)(backup.backup)
APP.command("restore", rich_help_panel=PLAY)(backup.restore)
APP.command("problem", rich_help_panel=PLAY)(problem.problem)
APP.command("games", rich_help_panel=PLAY)(games.games)
APP.command("position", rich_help_panel=LOOK)(position.position)
APP.command("replay", rich_help_panel=LOOK)(replay.replay)
APP.command("analyse", rich_help_panel=LOOK)(analyse.analyse)
APP.command("verify", rich_help_panel=LOOK)(verify.verify)
APP.command("schema", rich_help_panel=LOOK)(schema.schema)
APP.command("perft", rich_help_panel=MEASURE)(perft.perft)
APP.command("playout", rich_help_panel=MEASURE)(playout.playout)
APP.command("mine", rich_help_panel=MEASURE)(mine.mine)
APP.command("arena", rich_help_panel=MEASURE)(arena.arena)
APP.command("bench", rich_help_panel=MEASURE)(bench.bench)


def _with_command(arguments: list[str]) -> typer.Typer:
    """Return the program with a single command: the command with which the arguments begin.

    If they begin with no command, return the program with all commands. With all commands, a start takes 10 ms
    longer, because Typer reads the parameters of every command.
    """
    named = [one for one in APP.registered_commands if arguments[:1] == [one.name]]
    if not named:
        return APP
    found = copy.copy(APP)
    found.registered_commands = named
    return found


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code. Print an error as one sentence on stderr.

    If the variable ``SPELUNKE_TRACE`` is set, raise unexpected errors instead of printing them.
    """
    try:
        command = typer.main.get_command(_with_command(arguments))
        translate_help(command, translate, styled=STYLED)
        code = command(arguments, prog_name="spelunke", standalone_mode=False)
        sys.stdout.flush()
    except SpelunkeError as error:
        refuse(say_refusal(error))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:  # `spelunke replay FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        # Typer's own errors in a command line have this method; their class differs between versions.
        if not hasattr(error, "format_message"):
            if os.environ.get("SPELUNKE_TRACE"):
                raise
            text = translate(
                "this is a bug in Spelunke, not your mistake ({error}); set SPELUNKE_TRACE=1 to see the traceback"
            )
            refuse(text.format(error=f"{type(error).__name__}: {error}"))
            return 1
        message = str(error.format_message())
        if not message:  # no command: the help was shown
            return 2
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "spelunke"
        refuse(
            translate("{message}; for help, run `{command} --help`").format(
                message=message.rstrip("."), command=path
            )
        )
        return 2
    return code if isinstance(code, int) else 0
