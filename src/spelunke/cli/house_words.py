"""The commands for playing on a server line by line, in English and in the person's language."""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.cli.words import translate as _
from spelunke.core.words import plain

AT_LISTS = {
    "tables": plain("show the tables again"),
    "open": plain("open a table by its number, link or id, and sit down if a seat is free for you"),
    "new": plain("make a table against bots; write the name of a game after this command"),
    "guest": plain("play without an account"),
    "login": plain(
        "log in; after this command, write the link from the button “Use another device too” on your account page"
    ),
    "help": plain("show this list of commands"),
    "quit": plain("leave"),
}
AT_TABLE = {
    "board": plain("show the table again"),
    "moves": plain("show the legal moves again"),
    "log": plain("show everything that happened so far"),
    "say": plain("send a message"),
    "more": plain("list the actions that are not moves; write a number after this command to choose one"),
    "orders": plain("set the standing orders that you write after this command; without text, delete them"),
    "help": plain("show how to write moves, and this list of commands"),
    "quit": plain("go back to the tables"),
}
# Translators: the words that are typed at a server in the terminal, each of them one word in small letters.
TYPED = {
    "tables": plain.within("typed", "tables"),
    "open": plain.within("typed", "open"),
    "new": plain.within("typed", "new"),
    "guest": plain.within("typed", "guest"),
    "login": plain.within("typed", "login"),
    "say": plain.within("typed", "say"),
    "more": plain.within("typed", "more"),
    "orders": plain.within("typed", "orders"),
    "help": plain.within("typed", "help"),
    "board": plain.within("typed", "board"),
    "moves": plain.within("typed", "moves"),
    "log": plain.within("typed", "log"),
    "quit": plain.within("typed", "quit"),
}
SHORT = {"?": "help", "q": "quit", "exit": "quit"}


def typed(word: str) -> str:
    """Return the word that a person types for a command, in their language."""
    return _.within("typed", word)


def read_command(line: str, known: Mapping[str, str]) -> tuple[str, str]:
    """Return the command with which a line begins, and the rest of the line.

    If the line begins with no command, return an empty text and the whole line.
    """
    first, _space, rest = line.partition(" ")
    first = first.lower()
    first = next((word for word in known if typed(word) == first), SHORT.get(first, first))
    return (first, rest.strip()) if first in known else ("", line)


def list_commands(known: Mapping[str, str]) -> list[str]:
    """Return a line of help for each command."""
    return [f"  {typed(word):9} {_(meaning)}" for word, meaning in known.items()]
