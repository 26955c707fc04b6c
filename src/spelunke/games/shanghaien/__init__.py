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
        "El Dado and Terrible Michael roll dice for the sailors of a tavern. Stop in time. Narrowly won nations "
        "score most."
    ),
    minutes=(15, 30),
    presets=(
        Preset(
            name="usual",
            title=plain("The game"),
            help=plain("Two captains, eight taverns and the standard rules."),
            seats=2,
        ),
        Preset(
            name="trick",
            title=plain("A trick up the sleeve"),
            help=plain("Each of you begins with a trick card that lets you lay both dice."),
            seats=2,
            options={"start_trick": "both"},
        ),
        Preset(
            name="sharks",
            title=plain("Sharks in the harbour"),
            help=plain(
                "Once per game, each of you may feed a card to the sharks, so that nobody gets it, "
                "or take a die back."
            ),
            seats=2,
            options={"sharks_exchange": True},
        ),
        Preset(
            name="match",
            title=plain("Best of three"),
            help=plain(
                "At most three games. The player who wins more of them wins the match. The players take "
                "turns to start."
            ),
            seats=2,
            options={"match": "best_of_three"},
        ),
    ),
    options=(
        Choice(
            name="start_trick",
            title=plain("A trick card from the start"),
            help=plain(
                "Each player begins with one trick card of the chosen kind, in addition to the 48 "
                "cards of the game."
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
                "Each player begins with one extra card. With it, they either feed a card of the row "
                "to the sharks, so that nobody gets it, or take one of their dice back."
            ),
            source="extra card 2",
        ),
        Switch(
            name="crazy_captain",
            title=plain("Extra card: crazy captain"),
            help=plain(
                "Experimental. Each player begins with one extra card. With it, you can make "
                "the other player lay the die that they did not choose."
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
            title=plain("When to choose which end is number 1"),
            help=plain(
                "The player who begins a round chooses which end of the row is number 1, either when they "
                "lay the first die or right after the first roll."
            ),
            default="at_first_placement",
            values=("at_first_placement", "after_first_roll"),
            titles={
                "at_first_placement": plain("when the first die is laid"),
                "after_first_roll": plain("after the first roll"),
            },
            source="online version",
        ),
        Split(
            name="trick_split",
            title=plain("Trick cards in the deck"),
            help=plain(
                "How many of the 8 trick cards are “plus or minus one”, “both dice” and “roll again”."
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
                "Who wins if the points are equal: both players, the player with more unplayed trick cards, or "
                "the player who did not start."
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
                "A random seat or a fixed one. In the later games of a match, the players take turns starting."
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
            help=plain("One game, best of three, or the total points of three games."),
            default="single",
            values=("single", "best_of_three", "sum_of_three"),
            titles={
                "single": plain("one game"),
                "best_of_three": plain("best of three"),
                "sum_of_three": plain("three games, points added up"),
            },
            source="",
        ),
    ),
)
