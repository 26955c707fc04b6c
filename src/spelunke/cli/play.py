"""The command ``spelunke play``: check the arguments, run a session, and save its record."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import (
    Options,
    Seats,
    check_writable,
    choose_file,
    complete_game,
    find_card,
    parse_options,
    write_file,
)
from spelunke.cli.words import say_refusal
from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput
from spelunke.core.words import plain

if TYPE_CHECKING:
    from spelunke.cli.session import Session


# Translators: the name of a person in the terminal who gave none. Guess no gender.
NAME = plain("Player")
Seed = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="The seed of chance. The same seed and moves give the same game. If you choose the seed, you can know all "
        "outcomes of chance in advance.",
    ),
]


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="[GAME]",
            help="The name of a game from `spelunke games`. With --house, make a new table of this game.",
            autocompletion=complete_game,
        ),
    ] = "",
    level: Annotated[
        str | None,
        typer.Option("--level", "-l", help="The level of the bots. `spelunke games GAME` lists the levels."),
    ] = None,
    seat: Annotated[
        int, typer.Option(metavar="N", help="The number of your seat, counted from 0.", min=0, max=15)
    ] = 0,
    name: Annotated[str, typer.Option(help="Your name.")] = NAME,
    seed: Seed = None,
    nonce: Annotated[
        str | None, typer.Option(help="Your nonce: a word without spaces. Chance depends on it too.")
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the record into this file when you leave or the game ends. With --house, the "
            "record is written only when you leave a table whose game is over. If the file has content already, or if "
            "you play more games, the record goes into a new file with a number, such as game-2.json.",
        ),
    ] = None,
    seats: Seats = None,
    option: Options = None,
    json: Annotated[
        bool,
        typer.Option(
            "--json", help="For programs: print one JSON document per line, and read one move per line."
        ),
    ] = False,
    house: Annotated[
        str, typer.Option(metavar="URL", help="Play at the tables of this server, with people or bots.")
    ] = "",
    table: Annotated[
        str, typer.Option(metavar="LINK", help="With --house: the link or the id of a table to open.")
    ] = "",
) -> None:
    """Play in the terminal line by line: against bots, or at tables of a server.

    Type your moves, or send them through a pipe.
    During the game, [bold]help[/] shows how to write moves and [bold]quit[/] leaves.

    [dim]spelunke play GAME[/dim]
    [dim]spelunke play GAME --level LEVEL --option match=best_of_three --save game.json[/dim]
    [dim]spelunke play --house https://spelunke.example[/dim]
    """
    if house:
        if seed is not None or nonce is not None:
            raise BadInput(
                "at a server's table, chance comes from the server: leave this option out",
                "--seed" if nonce is None else "--nonce",
            )
        if game and table:
            raise BadInput("the table states its game: name either the game or the table", "--table")
        _play_at(house, table, game, level, seat, name, seats, option, json, save)
        return
    if table:
        raise BadInput("name the server as well: --house URL", "--table")
    if not game:
        raise BadInput("name a game; `spelunke games` lists them", "GAME")
    import hashlib

    from spelunke.cli.session import Session
    from spelunke.records.fairness import check_nonce, new_nonce, new_seed

    card = find_card(game)
    count = seats if seats is not None else card.usual_seats
    card.settle(count, parse_options(option))
    if seat >= count:
        raise BadInput(f"there is no seat {seat}; the seats are 0 to {count - 1}", "--seat")
    clean = _clean(name if name != NAME else _(NAME))
    if save is not None:
        check_writable(save)
    if nonce is not None:
        check_nonce(nonce, "--nonce")
    secret = new_seed() if seed is None else hashlib.sha256(b"spelunke-play-1\n%d" % seed).digest()
    mine = nonce or (new_nonce() if seed is None else f"seed-{seed}")
    session = Session(
        card,
        count,
        parse_options(option),
        seat=seat,
        name=clean,
        level=level,
        secret=secret,
        nonce=mine,
        json=json,
    )
    _run(session)
    leave(session, save)


def _play_at(
    house: str,
    table: str,
    game: str,
    level: str | None,
    seat: int,
    name: str,
    seats: int | None,
    option: list[str] | None,
    json: bool,
    save: str | None,
) -> None:
    """Play at the tables of a server."""
    import importlib.util

    if importlib.util.find_spec("httpx2") is None:
        raise BadInput(_("install the extra “tui” first: pip install 'spelunke[tui]'"), "--house")
    from spelunke.cli.house_play import Wish, play_at

    card = find_card(game) if game else None
    if card is not None:
        count = seats if seats is not None else card.usual_seats
        card.settle(count, parse_options(option))
        if seat >= count:
            raise BadInput(f"there is no seat {seat}; the seats are 0 to {count - 1}", "--seat")
    if save is not None:
        check_writable(save)
    wish = Wish(
        game=card,
        table=table,
        seats=seats,
        seat=seat,
        level=level,
        options=parse_options(option),
        name="" if name == NAME else _clean(name),
    )
    with contextlib.suppress(KeyboardInterrupt):
        play_at(house, wish, json=json, save=save)


def _run(session: Session) -> None:
    """Play until the game ends or the player leaves.

    If the compilation of the rules is postponed, compile them during the game. Otherwise compile them first.
    """
    from spelunke.bots.warming import Warming, warm
    from spelunke.core.kernel import can_compile, is_postponed

    card = session.match.game
    with contextlib.ExitStack() as stack:
        if is_postponed():  # plain rules serve until the compiled ones are ready
            warming = Warming([card])
            stack.callback(warming.stop)
            warming.start()
        elif can_compile():
            warm(card, session.level)
        try:
            session.run()
        except KeyboardInterrupt:
            session.write("")
        except EOFError:
            pass


def _clean(name: str) -> str:
    """Return the name with single spaces. Raise BadInput if it is empty, too long, or has unprintable characters."""
    clean = " ".join(name.split())
    if not 1 <= len(clean) <= 24 or not clean.isprintable():
        raise BadInput("a name has 1 to 24 characters", "--name")
    return clean


def leave(session: Session, save: str | None) -> None:
    """Save the record if a file was named, or if the player at a terminal wants it.

    If the file can't be written, ask the player at a terminal for another one. Raise BadInput if there is no terminal.
    """
    can_ask = not session.json and sys.stdin.isatty() and bool(session.match.ply)
    name = save
    if name is None and can_ask:
        name = _ask_for_file()
    while name is not None:
        try:
            path = choose_file(name)
            write_file(path, session.write_record())
        except BadInput as error:
            if not can_ask:
                raise
            session.write(f"{say_refusal(error)}.", "red")
            name = _ask_for_file()
        else:
            session.say_saved(path, name)
            return


def _ask_for_file() -> str | None:
    """Return the name of the file that the player types for the record, or None to leave without the record."""
    try:
        question = _("To keep the record, type a file name. To leave without it, press Enter: ")
        return input(question).strip() or None
    except (EOFError, KeyboardInterrupt):
        print()
        return None
