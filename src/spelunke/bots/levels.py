"""Named strengths: the bots that a game's ``levels.toml`` offers."""

from __future__ import annotations

import inspect

import msgspec

from spelunke.bots.chance import ChanceBot
from spelunke.bots.flat import FlatBot
from spelunke.bots.greedy import GreedyBot
from spelunke.bots.search import AnswerBot, SearchBot
from spelunke.core.bot import AnyBot, BotMaker
from spelunke.core.errors import BadInput
from spelunke.core.game import Game

GENERAL: dict[str, BotMaker] = {
    "chance": ChanceBot,
    "greedy": GreedyBot,
    "flat": FlatBot,
    "search": SearchBot,
    "answer": AnswerBot,
}
"""The bots that play any game; a game adds its own by the hook ``bots``."""

NOT_SETTINGS = frozenset({"title", "help", "bot", "default", "first"})


class Level(msgspec.Struct, frozen=True):
    """One named strength as a page or a command offers it."""

    name: str
    title: str
    help: str
    default: bool
    first: bool = False


def levels(game: Game) -> tuple[Level, ...]:
    """The game's levels in the order of its file."""
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
    """The level that "play a bot" takes."""
    known = levels(game)
    return next((level.name for level in known if level.default), known[0].name)


def first_level(game: Game) -> str:
    """The level that a page offers who has not played the game yet."""
    return next((level.name for level in levels(game) if level.first), default_level(game))


def seat_player(game: Game, name: str) -> AnyBot:
    """A player as tournaments name them: a level, or a kind of bot with settings (``greedy:depth=4,noise=0.5``).

    Raises BadInput with what there is.
    """
    if name in game.levels:
        return seat_bot(game, name)
    kind, _, rest = name.partition(":")
    own = game.hooks.bots()
    if kind not in GENERAL and kind not in own:
        known = ", ".join(dict.fromkeys((*game.levels, *GENERAL, *own)))
        raise BadInput(f"{game.title} has no level {name!r}; it has {known}, or process:COMMAND", "players")
    settings: dict[str, object] = dict(_parse_setting(part, name) for part in rest.split(",") if part)
    if "to" in settings:  # the player that this one answers
        settings["to"] = seat_player(game, str(settings["to"]))
    maker = GENERAL[kind] if kind in GENERAL else own[kind]
    try:
        inspect.signature(maker).bind(game, **settings)
    except TypeError as error:
        raise BadInput(f"{name!r} can't be played: {error}", "players") from None
    return maker(game, **settings)


def _parse_setting(text: str, player: str) -> tuple[str, str | int | float]:
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise BadInput(f"{player!r} can't be read at {text!r}; write KIND:SETTING=VALUE,...", "players")
    for read in (int, float):
        try:
            return name, read(value)
        except ValueError:
            continue
    return name, value


def seat_bot(game: Game, level: str) -> AnyBot:
    """A player of that level; raises BadInput with the levels there are."""
    card = game.levels.get(level)
    if card is None:
        raise BadInput(f"{game.title} has no level {level!r}; it has {', '.join(game.levels)}", "level")
    settings = {key: value for key, value in card.items() if key not in NOT_SETTINGS}
    kind = str(card["bot"])
    return (GENERAL if kind in GENERAL else game.hooks.bots())[kind](game, **settings)
