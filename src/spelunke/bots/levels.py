"""Find bots by name: the levels in a game's ``levels.toml``, and kinds of bots with settings."""

from __future__ import annotations

import inspect
import math

import msgspec

from spelunke.bots.chance import ChanceBot
from spelunke.bots.flat import FlatBot
from spelunke.bots.greedy import GreedyBot
from spelunke.bots.search import AnswerBot, SearchBot
from spelunke.core.bot import AnyBot, BotMaker
from spelunke.core.errors import BadInput
from spelunke.games.game import Game

GENERAL: dict[str, BotMaker] = {
    "chance": ChanceBot,
    "greedy": GreedyBot,
    "flat": FlatBot,
    "search": SearchBot,
    "answer": AnswerBot,
}
"""The bots for all games; ``greedy`` needs the kernels ``worth`` and ``quiescent`` of the game.

A game can add its own bots by the hook ``bots``.
"""

NOT_SETTINGS = frozenset({"title", "help", "bot", "default", "first"})

NUMBERS: dict[str, tuple[str, type | tuple[type, ...]]] = {
    "int": ("a whole number", int),
    "float": ("a number", (int, float)),
    "float | None": ("a number", (int, float)),
}
"""For each type annotation of a bot's numeric setting: the type's name in messages, and the allowed types of a value.

A value of another type is rejected before the game starts.
"""


class Level(msgspec.Struct, frozen=True):
    """A level of a game's bots, with the texts that pages and commands show."""

    name: str
    title: str
    help: str
    default: bool
    first: bool = False


def levels(game: Game) -> tuple[Level, ...]:
    """Return the game's levels in the order of ``levels.toml``."""
    return tuple(
        Level(
            name,
            str(card.get("title", name)),
            str(card.get("help", "")),
            bool(card.get("default", False)),
            bool(card.get("first", False)),
        )
        for name, card in game.levels.items()
    )


def default_level(game: Game) -> str:
    """Return the name of the level that plays if a person chooses none."""
    known = levels(game)
    return next((level.name for level in known if level.default), known[0].name)


def first_level(game: Game) -> str:
    """Return the name of the level for a person who has not played the game yet."""
    return next((level.name for level in levels(game) if level.first), default_level(game))


def seat_player(game: Game, name: str) -> AnyBot:
    """Return the bot with this name. The name is a level, or a kind of bot with settings.

    An example of a kind with settings is ``greedy:depth=4,noise=0.5``. The setting ``to`` must come last, because its
    value is the name of another bot, which may have settings too. If the name is unknown, raise BadInput with the known
    names. Also raise BadInput if the settings can't be read, or don't suit the bot.
    """
    return _seat(game, name, ", or process:COMMAND")


def _seat(game: Game, name: str, more: str) -> AnyBot:
    if name in game.levels:
        return seat_bot(game, name)
    kind, _, rest = name.partition(":")
    own = game.hooks.bots()
    if kind not in GENERAL and kind not in own:
        known = ", ".join(dict.fromkeys((*game.levels, *GENERAL, *own)))
        raise BadInput(f"{game.title} has no level {name!r}; it has {known}{more}", "players")
    maker = GENERAL[kind] if kind in GENERAL else own[kind]
    settings = _parse_settings(rest, name)
    if "to" in settings:
        settings["to"] = _answered(game, str(settings["to"]), name)
    try:
        wanted = inspect.signature(maker).bind(game, **settings).signature.parameters
    except TypeError as error:
        raise BadInput(f"{name!r} can't be played: {error}", "players") from None
    for setting, value in settings.items():
        declared = str(wanted[setting].annotation) if setting in wanted else ""
        words, kinds = NUMBERS.get(declared, ("", object))
        if not isinstance(value, kinds):
            raise BadInput(f"{name!r} can't be played: {setting} must be {words}, not {value!r}", "players")
    return maker(game, **settings)


def _answered(game: Game, name: str, player: str) -> AnyBot:
    """Return the bot ``name`` as an opponent. The bot ``player`` will play the best answer to its choices.

    To find the best answer, ``player`` lets this opponent choose many times in the same position. A program can't do
    this, so raise BadInput if ``name`` is a program.
    """
    if name.startswith("process:"):
        raise BadInput(
            f"{player!r} can't be played: the player that it answers must choose many times in one position, "
            "which a program can't; name a level or a kind of bot",
            "players",
        )
    return _seat(game, name, "; 'to' must come last, because all after it names that player")


def _parse_settings(text: str, player: str) -> dict[str, object]:
    """Return the values of a bot's settings by name. The value of the setting ``to`` is all the text after ``to=``.

    Raise BadInput if the text does not have the form ``depth=4,noise=0.5``, or names a setting twice.
    """
    found: dict[str, object] = {}
    while text:
        part, _, rest = text.partition(",")
        setting, sign, value = part.partition("=")
        if not sign or not setting.isidentifier():
            raise BadInput(f"{player!r} can't be read at {part!r}; write KIND:SETTING=VALUE,...", "players")
        if setting in found:
            raise BadInput(f"{player!r} names {setting} twice", "players")
        if setting == "to":
            return {**found, "to": text.removeprefix("to=")}
        found[setting] = _parse_value(value)
        text = rest
    return found


def _parse_value(text: str) -> str | int | float:
    """Return the number that the text stands for, or the text itself if it stands for no finite number."""
    for read in (int, float):
        try:
            number = read(text)
        except ValueError:
            continue
        return number if abs(number) < math.inf else text
    return text


def seat_bot(game: Game, level: str) -> AnyBot:
    """Return a bot of a level. If the level is unknown, raise BadInput with the known levels."""
    card = game.levels.get(level)
    if card is None:
        raise BadInput(f"{game.title} has no level {level!r}; it has {', '.join(game.levels)}", "level")
    settings = {key: value for key, value in card.items() if key not in NOT_SETTINGS}
    kind = str(card["bot"])
    return (GENERAL if kind in GENERAL else game.hooks.bots())[kind](game, **settings)
