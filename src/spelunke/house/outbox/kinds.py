"""The kinds of notifications, with their titles, delays and sentences.

To add a kind, add it to `Kind`, `KINDS` and `say`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from spelunke.core.words import Translator, plain

Kind = Literal["turn", "nudged", "invited", "rematch", "ended", "found", "round", "friend"]
Way = Literal["push", "mail", "webhook", "ntfy", "service"]
"""A kind of channel through which messages are sent.

`service` is any service that the library apprise supports.
"""

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS

WAYS: tuple[Way, ...] = ("push", "mail", "webhook", "ntfy", "service")
PAUSES_MS: dict[Way, int] = {"mail": 5 * MINUTE_MS}
"""The least time in ms between two messages through one channel, by kind of channel.

Channels of kinds that are not listed have no pause.
"""


class About(msgspec.Struct, frozen=True):
    """A kind of notification: its title in the settings, and its delay.

    ``delay_ms`` is the time in ms before a message is sent. If the person sees the notification on a page before
    that time is over, no message is sent.
    """

    title: str
    delay_ms: int


KINDS: dict[Kind, About] = {
    "turn": About(plain("It is my turn"), MINUTE_MS),
    "nudged": About(plain("Somebody is waiting for me and nudges me"), 0),
    "invited": About(plain("Somebody invites me to a table"), 0),
    "rematch": About(plain("Somebody offers me a rematch"), 10 * SECOND_MS),
    "ended": About(plain("One of my games is over"), MINUTE_MS),
    "found": About(plain("Players were found for a game that I am looking for"), 0),
    "round": About(plain("A round of one of my tournaments begins"), 0),
    "friend": About(plain("Somebody wants to be my friend"), MINUTE_MS),
}

InLanguage = Callable[[str], Translator]
"""A function that returns the translator of the site's sentences for a language."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A notification as its recipient reads it.

    ``title`` is the name of the game. ``by`` is the name of the person who caused the notification, or None.
    ``others`` are the names of the other people at the table. ``path`` is the path of the page to open: the
    table, an invitation, or the page of friends. ``unread``: since the notification, the person has seen
    neither the table nor the list of notifications.
    """

    kind: Kind
    table: str
    path: str
    title: str
    by: str | None
    others: tuple[str, ...]
    at_ms: int
    unread: bool


def say(told: Told, words: Translator) -> str:
    """Return the sentence of a notification, in the language of `words`."""
    sentences = {
        "turn": plain("It is your turn: {game} with {others}"),
        "nudged": plain("{name} is waiting for you: {game}"),
        "invited": plain("{name} invites you to a table: {game}"),
        "rematch": plain("{name} offers you a rematch: {game}"),
        "ended": plain("The game is over: {game} with {others}"),
        "found": plain("Your game is ready, and you can sit down: {game} with {others}"),
        "round": plain("A new round has begun, and your table is ready: {game} with {others}"),
        "friend": plain("{name} wants to be your friend"),
    }
    alone = {
        "turn": plain("It is your turn: {game}"),
        "nudged": plain("The others are waiting for you: {game}"),
        "invited": plain("Somebody invites you to a table: {game}"),
        "rematch": plain("Somebody offers you a rematch: {game}"),
        "ended": plain("The game is over: {game}"),
        "found": plain("Your game is ready, and you can sit down: {game}"),
        "round": plain("A new round has begun, and your table is ready: {game}"),
        "friend": plain("Somebody wants to be your friend"),
    }
    named = bool(told.by) if told.kind in {"nudged", "invited", "rematch", "friend"} else bool(told.others)
    sentence = (sentences if named else alone)[told.kind]
    return words(sentence).format(game=told.title, name=told.by or "", others=words.list(told.others))


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message to send to one person, with one or more notifications.

    ``path`` is the path of the page to open, and ``url`` the absolute address of this page. ``urls`` has the address
    of the page for each notification. ``stop`` is the unsubscribe link of the channel. If the site's address is not
    set, all addresses are empty.
    """

    title: str
    lines: tuple[str, ...]
    kinds: tuple[str, ...]
    path: str
    url: str
    urls: tuple[str, ...]
    stop: str = ""


def gather(told: Sequence[Told], base: str, stop: str, words: Translator) -> Message:
    """Return one message with all these notifications, newest first.

    `base` is the site's address or empty, and `stop` the token of the unsubscribe link.
    """
    told = sorted(told, key=lambda one: -one.at_ms)
    lines = tuple(say(one, words) for one in told)
    one = len(told) == 1
    path = told[0].path if one else "/me/notifications"
    many = words.many("{n} new notification", "{n} new notifications", len(told))
    title = lines[0] if one else many.format(n=len(told))
    return Message(
        title=title,
        lines=lines,
        kinds=tuple(one.kind for one in told),
        path=path,
        url=f"{base}{path}" if base else "",
        urls=tuple(f"{base}{one.path}" if base else "" for one in told),
        stop=f"{base}/mail/stop/{stop}" if base else "",
    )
