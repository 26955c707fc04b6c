"""Shanghaien: two captains roll dice for the sailors of eight nations."""

from __future__ import annotations

from spelunke.core.option import Choice, Split, Switch
from spelunke.core.words import plain
from spelunke.games.game import Game, Preset

GAME = Game(
    name="shanghaien",
    title="Shanghaien",
    package=__name__,
    seats=(2,),
    version=1,
    place=10,
    pitch=plain(
        "El Dado and Terrible Michael roll for the sailors of a tavern. Stop in time; win by as little as you can."
    ),
    minutes=(15, 30),
    presets=(
        Preset(
            name="usual",
            title=plain("The game"),
            help=plain("Eight taverns for two captains, as the rules have it."),
            seats=2,
        ),
        Preset(
            name="trick",
            title=plain("A trick up the sleeve"),
            help=plain("Each of you begins with a trick card that lays both dice."),
            seats=2,
            options={"start_trick": "both"},
        ),
        Preset(
            name="sharks",
            title=plain("Sharks in the harbour"),
            help=plain("Each of you may once feed a sailor to the sharks, or take a die back."),
            seats=2,
            options={"sharks_exchange": True},
        ),
        Preset(
            name="match",
            title=plain("Best of three"),
            help=plain("The first to win two games wins the match. You take turns to begin a game."),
            seats=2,
            options={"match": "best_of_three"},
        ),
    ),
    options=(
        Choice(
            name="start_trick",
            title=plain("A trick card from the start"),
            help=plain(
                "Each player begins with one trick card of this kind, in addition to the 48 cards of "
                "the game."
            ),
            default="none",
            values=("none", "again", "pm1", "both"),
            titles={
                "none": plain("none"),
                "again": plain("roll again"),
                "pm1": plain("plus or minus one"),
                "both": plain("both dice"),
            },
            source="suggested by one of the authors, played online",
        ),
        Switch(
            name="sharks_exchange",
            title=plain("Extra card: sharks or exchange"),
            help=plain(
                "Each player begins with a card that feeds a tavern card to the sharks, or takes a die back."
            ),
            source="extra card 2",
        ),
        Switch(
            name="crazy_captain",
            title=plain("Extra card: crazy captain"),
            help=plain(
                "Experimental. Each player begins with a card against the die that the other player "
                "names: the other die is laid instead."
            ),
            source="our reading of a card of 2009",
        ),
        Switch(
            name="doubles_reroll",
            title=plain("Doubles may be rolled again"),
            help=plain("If the first roll of a turn is a double, the player may roll both dice once more."),
            source="house rule",
        ),
        Choice(
            name="direction_timing",
            title=plain("When the end with card 1 is chosen"),
            help=plain("With the first die laid, or right after the first roll of the round."),
            default="at_first_placement",
            values=("at_first_placement", "after_first_roll"),
            titles={
                "at_first_placement": plain("with the first die laid"),
                "after_first_roll": plain("after the first roll"),
            },
            source="online version",
        ),
        Split(
            name="trick_split",
            title=plain("Trick cards in the deck"),
            help=plain(
                "The numbers of the 8 trick cards that are “plus or minus one”, “both dice” and “roll again”."
            ),
            default=(3, 2, 3),
            parts=("pm1", "both", "again"),
            total=8,
            source="S-A2",
        ),
        Choice(
            name="tiebreak",
            title=plain("Equal points"),
            help=plain(
                "The win is shared, or the player with more unplayed trick cards wins, "
                "or the player who did not start."
            ),
            default="none",
            values=("none", "unused_tricks", "not_starter"),
            titles={
                "none": plain("shared win"),
                "unused_tricks": plain("more unplayed trick cards"),
                "not_starter": plain("the player who did not start"),
            },
            source="S-A14",
        ),
        Choice(
            name="first_starter",
            title=plain("Who starts"),
            help=plain(
                "A random seat, or a fixed one. In each further game of a match the other seat starts."
            ),
            default="random",
            values=("random", 0, 1),
            titles={
                "random": plain("drawn at random"),
                0: plain("the first seat"),
                1: plain("the second seat"),
            },
            source="S-A13",
        ),
        Choice(
            name="match",
            title=plain("Match"),
            help=plain("One game, best of three, or the points of three games added."),
            default="single",
            values=("single", "best_of_three", "sum_of_three"),
            titles={
                "single": plain("one game"),
                "best_of_three": plain("best of three"),
                "sum_of_three": plain("sum of three"),
            },
            source="",
        ),
    ),
)
