"""Halunken und Spelunken: captains fill their crews from fourteen taverns, and Black Jack robs the crews."""

from __future__ import annotations

from spelunke.core.errors import BadOption
from spelunke.core.option import Choice, Switch
from spelunke.core.words import plain
from spelunke.games.game import Game, Preset, Settled

# For each mode, the options that have no effect in it. They must keep their defaults there.
UNUSED = {
    "beginner": (
        "bid_colour_tiebreak",
        "bj2_pass_theft",
        "bj2_rum_unhired",
        "tactical_bj_34",
        "bj_peek",
    ),
    "standard": ("bj2_pass_theft", "bj2_rum_unhired"),
    "two_player": ("tactical_bj_34", "bj_peek"),
}


def check(seats: int, settled: Settled) -> None:
    """Raise BadOption if the options don't fit each other or the number of seats. The message says what to change.

    If the mode does not use an option, the option must keep its default.
    """
    mode = str(settled["mode"])
    if mode == "standard" and seats == 2:
        raise BadOption(
            "the standard game is for 3 or 4 players; for two, choose 'two_player'", "option mode"
        )
    if mode == "two_player" and seats != 2:
        raise BadOption(
            f"'two_player' is for 2 players, not for {seats}; choose standard or beginner", "option mode"
        )
    if mode == "beginner" and seats == 2 and not settled["two_player_beginner"]:
        raise BadOption(
            "the beginner game is for 3 or 4 players; for two players, also switch two_player_beginner on",
            "option mode",
        )
    if settled["two_player_beginner"] and (mode != "beginner" or seats != 2):
        raise BadOption(
            "this option is only for a beginner game of two players; switch it off",
            "option two_player_beginner",
        )
    for name in UNUSED[mode]:
        if settled[name] != GAME.option(name).preset(seats):
            raise BadOption(
                f"the game '{mode}' does not use this option; set it back to its default", f"option {name}"
            )
    if settled["tactical_bj_34"] and settled["bj_peek"]:
        raise BadOption(
            "Black Jack's card can't be both picked at his move and shown before the bidding; "
            "switch tactical_bj_34 or bj_peek off",
            "option bj_peek",
        )


GAME = Game(
    name="halunken",
    title="Halunken und Spelunken",
    package=__name__,
    seats=(2, 3, 4),
    version=1,
    place=20,
    pitch=plain(
        "Eight hours of night, fourteen taverns, one crew to find. And Black Jack works for the highest bidder."
    ),
    minutes=(15, 30),
    daily="full",
    presets=(
        Preset(
            name="beginner",
            title=plain("Beginner game"),
            help=plain(
                "Three or four captains, and no Black Jack. Good for learning, and for children aged 8 and up."
            ),
            seats=3,
            options={"mode": "beginner"},
            first=True,
        ),
        Preset(
            name="full",
            title=plain("Full game"),
            help=plain(
                "Three or four captains bid sailors for Black Jack, who can rob the captains he passes."
            ),
            seats=3,
        ),
        Preset(
            name="two",
            title=plain("For two"),
            help=plain("Two captains, and Black Jack as a second figure for the higher bidder."),
            seats=2,
        ),
        Preset(
            name="three_nights",
            title=plain("Three nights"),
            help=plain("Three full games; their totals are added up."),
            seats=3,
            options={"match": 3},
        ),
    ),
    options=(
        Choice(
            name="mode",
            title=plain("Way to play"),
            help=plain(
                "Beginner: captains only. Standard: Black Jack is for hire. Two players: "
                "he is a second figure for his hirer."
            ),
            default=lambda seats: "two_player" if seats == 2 else "standard",
            values=("beginner", "standard", "two_player"),
            titles={
                "beginner": plain("beginner"),
                "standard": plain("standard"),
                "two_player": plain("two players"),
            },
            source="rules",
        ),
        Choice(
            name="match",
            title=plain("Games"),
            help=plain("One game, or three games with their totals added up."),
            default=1,
            values=(1, 3),
            titles={1: plain("one game"), 3: plain("three games, totals added up")},
            source="tip in the rules",
        ),
        Choice(
            name="rob_count",
            title=plain("When crews are compared"),
            help=plain(
                "A captain may only rob a crew that is at least as large as his own."
                " Are the crews compared after or before he takes the tavern's sailor?"
            ),
            default="after",
            values=("after", "before"),
            titles={"after": plain("after taking the sailor"), "before": plain("before taking the sailor")},
            source="H-A5",
        ),
        Switch(
            name="bid_colour_tiebreak",
            title=plain("Colour decides between equal bids"),
            help=plain(
                "If two sailors have the same number, the higher bid is the one whose colour comes earlier in "
                "this order: yellow, grey, violet, red."
            ),
            source="H-A18",
        ),
        Switch(
            name="bj2_pass_theft",
            title=plain("Two players: Black Jack robs in passing"),
            help=plain(
                "Black Jack also robs the captains that he walks past, not only a captain on whose field he lands."
            ),
            source="H-A29",
        ),
        Choice(
            name="bj2_rum_unhired",
            title=plain("Two players: Black Jack's Rum when nobody hired him"),
            help=plain("Who names the number of fields that Black Jack moves?"),
            default="random",
            values=("random", "opener_chooses", "stay"),
            titles={
                "random": plain("chance"),
                "opener_chooses": plain("the player who opened the bidding"),
                "stay": plain("nobody: Black Jack stays on his field"),
            },
            source="H-A37",
        ),
        Switch(
            name="tactical_bj_34",
            title=plain("The hirer picks Black Jack's card"),
            help=plain(
                "Three or four players: when Black Jack moves, the hirer openly picks one of "
                "Black Jack's unused cards."
            ),
            source="our own",
        ),
        Switch(
            name="bj_peek",
            title=plain("Black Jack's card is shown before the bidding"),
            help=plain("Three or four players: everybody knows how far Black Jack will go."),
            source="our own",
        ),
        Switch(
            name="auto_place",
            title=plain("Captains start on random fields"),
            help=plain("This is quicker: nobody places captains, only Black Jack is placed."),
            source="our own",
        ),
        Choice(
            name="tiebreak",
            title=plain("Equal totals"),
            help=plain(
                "Either the win is shared, or the larger crew wins. If the crews are equally "
                "large, the highest single sailor decides."
            ),
            default="shared",
            values=("shared", "cards"),
            titles={"shared": plain("shared win"), "cards": plain("larger crew, then highest sailor")},
            source="H-A24",
        ),
        Switch(
            name="two_player_beginner",
            title=plain("Beginner game for two"),
            help=plain("Allows two players to play the game without Black Jack."),
            source="H-A40",
        ),
    ),
    check=check,
    hidden=True,
    together=True,
)
