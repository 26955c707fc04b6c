"""Games to choose from, each with its numbers of players, named ways to play, levels of bots, and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spelunke.bots.levels import Level, default_level, levels
from spelunke.core.errors import UnknownGame
from spelunke.games import find_game, shelf
from spelunke.games.game import Game, Preset
from spelunke.tui.settings import Setting, switch_values
from spelunke.tui.words import game_words
from spelunke.tui.words import translate as _

if TYPE_CHECKING:
    from spelunke.tui.client import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A game on this machine or on a server, with texts in the person's language."""

    game: Game
    pitch: str
    seats: tuple[int, ...]
    levels: tuple[Level, ...]
    ways: tuple[Preset, ...]
    options: tuple[Setting, ...]

    @property
    def usual_way(self) -> Preset:
        """The preselected way to play: the first one that is not meant for beginners, or else the first one."""
        return next((way for way in self.ways if not way.first), self.ways[0])

    @property
    def usual_level(self) -> str:
        """The name of the preselected level for bots."""
        return next((one.name for one in self.levels if one.default), self.levels[0].name)

    def settings(self, way: Preset, seats: int) -> list[Setting]:
        """Return the game's options, with the values that they have in this way to play and with ``seats`` players."""
        found = []
        for one in self.options:
            known = next((option for option in self.game.options if option.name == one.name), None)
            default = one.value if known is None else known.preset(seats)
            found.append(one.with_value(way.options.get(one.name, default)))
        return found


def offer_local(game: Game) -> Offer:
    """Return the entry for a game on this machine in a list of games to choose from."""
    words = game_words(game)
    return Offer(
        game=game,
        pitch=words(game.pitch),
        seats=game.seats,
        levels=tuple(
            Level(one.name, words(one.title), words(one.help), one.default, one.first) for one in levels(game)
        ),
        ways=tuple(replace(one, title=words(one.title), help=words(one.help)) for one in game.presets)
        or _usual_ways(game),
        options=tuple(
            Setting(
                one.name,
                words(one.title),
                words(one.help),
                one.preset(game.usual_seats),
                _list_values(
                    one.kind, [(value, words(one.call(value))) for value in one.choices], one.bounds
                ),
            )
            for one in game.options
            if not one.fine
        ),
    )


def offer_locals() -> list[Offer]:
    """Return the offers of all games on this machine, in the order of display."""
    return _in_order([offer_local(game) for game in shelf().values()])


def _in_order(offers: Sequence[Offer]) -> list[Offer]:
    return sorted(offers, key=lambda offer: (offer.game.place, offer.game.name))


def read_offers(answer: Mapping[str, Json]) -> list[Offer]:
    """Read a server's answer to ``GET /games``. Return its offers of games that are also installed on this machine."""
    found = []
    for card in answer["games"]:
        try:
            game = find_game(card["name"])
        except UnknownGame:
            continue
        found.append(_read_offer(game, card))
    return _in_order(found)


def _read_offer(game: Game, card: Mapping[str, Json]) -> Offer:
    usual = default_level(game)
    return Offer(
        game=game,
        pitch=card["pitch"],
        seats=tuple(card["seats"]),
        levels=tuple(
            Level(one["name"], one["title"], one.get("help", ""), one["name"] == usual)
            for one in card["levels"]
        ),
        ways=tuple(
            Preset(
                name=one["name"],
                title=one["title"],
                help=one["help"],
                seats=one["seats"],
                options=one["options"],
                first=one["first"],
            )
            for one in card.get("presets", ())
        )
        or _usual_ways(game),
        options=tuple(
            Setting(
                one["name"],
                one["title"],
                one["help"],
                one["default"],
                _list_values(
                    one["kind"],
                    list(zip(one["values"], one.get("titles") or map(str, one["values"]), strict=True)),
                    None if one["least"] is None else (one["least"], one["most"]),
                ),
            )
            for one in card["options"]
            if not one.get("fine")
        ),
    )


def _usual_ways(game: Game) -> tuple[Preset, ...]:
    return (Preset(name="", title=_("The usual rules"), help="", seats=game.usual_seats),)


def _list_values(
    kind: str, choices: Sequence[tuple[Json, str]], bounds: tuple[int, int] | None
) -> tuple[tuple[Json, str], ...]:
    """Return the values of an option with their texts, or an empty tuple if a person has to type the value."""
    if kind == "switch":
        return switch_values()
    if bounds is not None and bounds[1] - bounds[0] <= 20:
        return tuple((number, str(number)) for number in range(bounds[0], bounds[1] + 1))
    return tuple(choices)
