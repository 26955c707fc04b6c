"""Sanghai: Finnish contract rummy in eight rounds. Players may call for a discard out of turn (hep)."""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.core.errors import BadOption
from spelunke.core.option import Choice, Count, Switch
from spelunke.core.words import plain
from spelunke.games.game import Game, Preset, Settled

MANY = (3, 4, 5, 6, 7, 8)
JOKER_WORTH = (15, 25, 50)
"""The possible points of a joker left in the hand (option ``joker_points``). The kernels use them too."""
ACE_WORTH = (14, 15)
TWO_PLAYERS = Switch(
    name="two_player_deal12",
    title=plain("Allow two players"),
    help=plain(
        "With two players nobody can call hep. So in the late rounds, everybody is dealt as many "
        "cards as the contract needs."
    ),
    source="our own, N-A3",
)


def _seats(given: Mapping[str, object]) -> tuple[int, ...]:
    """Return the possible numbers of seats.

    Two seats are possible only with the option ``two_player_deal12`` (N-C13).
    """
    two = TWO_PLAYERS.check(given.get(TWO_PLAYERS.name, False))
    return (2, *MANY) if two else MANY


def _check(seats: int, settled: Settled) -> None:
    """Raise BadOption if the contract of some round could never be laid.

    Some contracts need more cards than a seat is dealt. Only won calls make the hand large enough (N-A10), so the
    option ``hep_limit`` must allow enough of them.
    """
    if seats == 2 or settled["schedule"] != "shanghai10":
        return
    limit, penalty = int(str(settled["hep_limit"])), int(str(settled["hep_penalty"]))
    for number, needed in ((8, 13), (9, 14), (10, 15)):
        calls = limit + (number >= 9)
        if 12 + calls * (1 + penalty) < needed + 1:
            raise BadOption(
                f"round {number} of this schedule needs {needed + 1} cards in hand, more than a player can get "
                "with this limit of calls; set the limit to 3 or more",
                "option hep_limit",
            )


GAME = Game(
    name="sanghai",
    title="Sanghai",
    package=__name__,
    seats=MANY,
    usual=4,
    version=1,
    place=30,
    pitch=plain(
        "Eight rounds, a new contract in each, and a shout across the table when somebody discards the "
        "card that you need: hep!"
    ),
    minutes=(45, 120),
    check=_check,
    seats_of=_seats,
    hidden=True,
    together=True,
    daily="short",
    presets=(
        Preset(
            name="usual",
            title=plain("All eight rounds"),
            help=plain("The full game: eight rounds, in one or two hours."),
            seats=4,
        ),
        Preset(
            name="short",
            title=plain("Four rounds"),
            help=plain("Only rounds 1, 3, 5 and 8. Half as long as the full game."),
            seats=4,
            options={"schedule": "short"},
        ),
        Preset(
            name="calm",
            title=plain("No hurry"),
            help=plain(
                "After each discard, everybody calls or passes before the game goes on. Nobody "
                "has to be quick."
            ),
            seats=4,
            options={
                "hep_window": "sequenced",
                "hep_tie": "seat_order",
                "hep_seconds": 0,
            },  # all answer before the draw
        ),
        Preset(
            name="ten",
            title=plain("Ten rounds"),
            help=plain("The last rounds ask for longer runs. For players who know the game well."),
            seats=4,
            options={"schedule": "shanghai10"},
        ),
    ),
    options=(
        Count(
            name="packs",
            title=plain("Packs of cards"),
            help=plain(
                "Each pack has 52 cards and its jokers. By default, there is one pack for every two "
                "players, but at least two packs."
            ),
            default=lambda seats: max(2, (seats + 1) // 2),
            least=2,
            most=4,
            source="the source's rules, N-A2",
        ),
        Count(
            name="jokers_per_pack",
            title=plain("Jokers in each pack"),
            help=plain("Two to four."),
            default=2,
            least=2,
            most=4,
            source="the source's rules, N-A2",
        ),
        Choice(
            name="hep_window",
            title=plain("How calls are made"),
            help=plain(
                "If calls are live, players call as soon as they like, and the next player may take the card at "
                "any moment. If all answer first, everybody calls or passes before the next player decides, and "
                "all calls count as simultaneous."
            ),
            default="live",
            values=("live", "sequenced"),
            titles={"live": plain("live"), "sequenced": plain("all answer first")},
            source="N-C1",
        ),
        Choice(
            name="hep_priority",
            title=plain("Who gets a called card"),
            help=plain(
                "Who gets the card if several players call for it: the player who called first, or the caller "
                "whose turn comes soonest."
            ),
            default="first_call",
            values=("first_call", "seat_order"),
            titles={"first_call": plain("the first to call"), "seat_order": plain("the first in turn order")},
            source="N-A6",
        ),
        Choice(
            name="hep_tie",
            title=plain("Calls at the same time"),
            help=plain(
                "Who gets the card if the first calls come at the same time: the caller whose turn comes "
                "soonest, the winner of a vote, nobody, or a random caller. In a vote, everybody votes except the "
                "callers; if the vote is tied, nobody gets the card. If turn order decides who gets every called "
                "card, this option has no effect."
            ),
            default="vote",
            values=("seat_order", "vote", "nobody", "random"),
            titles={
                "seat_order": plain("first in turn order"),
                "vote": plain("a vote"),
                "nobody": plain("nobody"),
                "random": plain("by chance"),
            },
            source="N-A7; the vote is the source's own rule",
        ),
        Count(
            name="hep_tie_ms",
            title=plain("Time in which calls count as simultaneous (ms)"),
            fine=True,
            help=plain(
                "A call counts as simultaneous if it comes at most this many milliseconds after"
                " the first call."
            ),
            default=150,
            least=0,
            most=1000,
            source="N-A7",
        ),
        Count(
            name="hep_limit",
            title=plain("Limit of calls won in a round"),
            help=plain("How many cards a player may win by calling in one round."),
            default=3,
            least=1,
            most=5,
            source="the source's rules, N-A8",
        ),
        Count(
            name="hep_penalty",
            title=plain("Penalty cards for each call won"),
            help=plain("How many penalty cards a player draws from the stock for each call that they win."),
            default=0,
            least=0,
            most=2,
            source="N-A9",
        ),
        Switch(
            name="joker_swap",
            title=plain("Jokers can be swapped out"),
            help=plain(
                "Once you have laid your contract, you may replace a wild card on the table with the card "
                "that it stands for."
            ),
            source="N-A16",
        ),
        Switch(
            name="black_twos_wild",
            title=plain("Black twos are wild"),
            help=plain(
                "The twos of spades and clubs can stand for any card. A black two that stands for itself "
                "counts as a natural card."
            ),
            source="a Finnish variant",
        ),
        Choice(
            name="joker_points",
            title=plain("Points for a joker"),
            help=plain("Points for a wild card left in your hand."),
            default=15,
            values=JOKER_WORTH,
            source="the source's rules; variants",
        ),
        Choice(
            name="face_points",
            title=plain("Points for a jack, queen, king"),
            help=plain("Points for a jack, queen or king left in your hand."),
            default="number",
            values=("number", 10),
            titles={"number": plain("11, 12, 13"), 10: plain("10 each")},
            source="N-A29",
        ),
        Choice(
            name="ace_points",
            title=plain("Points for an ace"),
            help=plain("Points for an ace left in your hand."),
            default=14,
            values=ACE_WORTH,
            source="the source's rules; variants",
        ),
        Switch(
            name="last_round_at_once",
            title=plain("Last round: lay and finish in one turn"),
            help=plain(
                "In the last round, you may lay only if that leaves you exactly one card, which you discard."
            ),
            source="a variant",
        ),
        Switch(
            name="go_out_blind_bonus",
            title=plain("Bonus for laying and finishing in one turn"),
            help=plain(
                "If you lay and finish in one turn, 25 points come off your score, or 50 if you put down no wild card "
                "in this turn."
            ),
            source="a variant",
        ),
        Choice(
            name="schedule",
            title=plain("Rounds"),
            help=plain(
                "All eight rounds, a short game of four rounds, the first seven rounds, or ten rounds with long runs."
            ),
            default="source",
            values=("source", "short", "contract7", "shanghai10"),
            titles={
                "source": plain("the eight rounds"),
                "short": plain("four rounds (1, 3, 5, 8)"),
                "contract7": plain("seven rounds"),
                "shanghai10": plain("ten rounds with long runs"),
            },
            source="the source's rules; variants",
        ),
        Switch(
            name="distinct_sets",
            title=plain("Sets of different ranks"),
            help=plain("The sets that a player lays together must differ in rank."),
            source="a variant",
        ),
        Switch(
            name="no_adjacent_runs",
            title=plain("Runs kept apart"),
            help=plain("Two runs of the same suit that a player lays together must have a gap between them."),
            source="a variant",
        ),
        Switch(
            name="layoff_same_turn",
            title=plain("Add cards in the turn you lay"),
            help=plain("You may add cards to melds in the same turn in which you lay your contract."),
            default=True,
            source="N-A17",
        ),
        Count(
            name="reshuffle_limit",
            title=plain("Limit of reshuffles in a round"),
            help=plain(
                "After this many reshuffles, the round ends if the stock runs out again. 0 means no limit."
            ),
            default=0,
            least=0,
            most=9,
            source="the source's rules; the limit is our own, N-A21",
        ),
        TWO_PLAYERS,
        Choice(
            name="show_discards",
            title=plain("Discards shown"),
            help=plain(
                "Show only the top card, or the whole pile. The log names all discards in either case."
            ),
            default="top",
            values=("top", "all"),
            titles={"top": plain("the top card"), "all": plain("all")},
            source="N-A28",
        ),
        Choice(
            name="hep_seconds",
            title=plain("Time for calls"),
            help=plain(
                "How long a live table waits for calls after each discard. If nobody may call, it doesn't "
                "wait. If you play only against bots, it waits until you answer."
            ),
            default=5,
            values=(0, 3, 5, 8, 12),
            titles={
                0: plain("until all have answered"),
                3: plain("3 s"),
                5: plain("5 s"),
                8: plain("8 s"),
                12: plain("12 s"),
            },
            source="our own",
        ),
    ),
)
