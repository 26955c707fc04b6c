"""Named strengths: the bots that a game's ``levels.toml`` offers."""

from __future__ import annotations

import msgspec

from spelunke.bots.chance import ChanceBot
from spelunke.bots.greedy import GreedyBot
from spelunke.core.bot import AnyBot, BotMaker
from spelunke.core.errors import BadInput
from spelunke.core.game import Game

GENERAL: dict[str, BotMaker] = {"chance": ChanceBot, "greedy": GreedyBot}
"""The bots that play any game; a game adds its own by the hook ``bots``."""


class Level(msgspec.Struct, frozen=True):
    """One named strength as a page or a command offers it."""

    name: str
    title: str
    help: str
    default: bool


def levels(game: Game) -> tuple[Level, ...]:
    """The game's levels in the order of its file."""
    return tuple(
        Level(name, str(card.get("title", name)), str(card.get("help", "")), bool(card.get("default", False)))
        for name, card in game.levels.items()
    )


def default_level(game: Game) -> str:
    """The level that "play a bot" takes."""
    known = levels(game)
    return next((level.name for level in known if level.default), known[0].name)


def seat_bot(game: Game, level: str) -> AnyBot:
    """A player of that level; raises BadInput with the levels there are."""
    card = game.levels.get(level)
    if card is None:
        raise BadInput(f"{game.title} has no level {level!r}; it has {', '.join(game.levels)}", "level")
    settings = {key: value for key, value in card.items() if key not in {"title", "help", "bot", "default"}}
    kind = str(card["bot"])
    return (GENERAL if kind in GENERAL else game.hooks.bots())[kind](game, **settings)
