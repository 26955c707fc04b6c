"""The guided first game of Sanghai: one round from the deal to the end, with a call out of turn.

For people who know rummy, there is a shorter lesson, which ends in the middle of the round.
"""

from __future__ import annotations

from spelunke.core.contract import CHANCE
from spelunke.core.words import plain
from spelunke.games.lesson import Lesson, Step, chance, do, read


def _deal(cards: str) -> tuple[Step, ...]:
    return chance(*(f"card {card}" for card in cards.split()))


def _line(*plies: str) -> tuple[Step, ...]:
    """Return a step of the lesson for each ply. The plies are texts, and belong to bots or to chance.

    A bot's ply begins with the number of its seat (``1 stock``). A ply of chance looks like ``card 7s``.
    """
    return tuple(Step(int(ply[0]), ply[2:]) if ply[0].isdecimal() else Step(CHANCE, ply) for ply in plies)


DEAL = (
    *chance("dealer 3"),
    *_deal(
        "10h qs js qh 10c kh jh 10c qs 8s 5h jd 2h 9h 4d 5d 8d qc 2d 5s js kd 9d 7c 8s 7d 3s 5d ah 4c 4c 6c "
        "3h"
    ),
    read(
        plain(
            "Everybody has eleven cards. Each round has a contract; the first asks for two sets, each of "
            "three or more cards of one rank. Once you have laid the contract, you can get rid of your other "
            "cards."
        )
    ),
    read(
        plain(
            "A joker stands for any card. Two packs are mixed, so there are two of every card. Sort your "
            "hand as you like, by dragging or with the buttons."
        )
    ),
)
ROUND = (
    do(
        "stock",
        plain(
            "You play first, and nobody has discarded yet, so you can draw only from the stock. For a "
            "set you need three cards of one rank. You already hold pairs of 8s, 5s and 2s. Draw from "
            "the stock."
        ),
    ),
    *_line("card ad"),
    do(
        "discard ad",
        plain(
            "Every turn ends with a discard. A lone ace is no help and would count 14 points against you "
            "at the end of the round: discard it."
        ),
    ),
    *_line("2 pass", "1 stock", "card ad", "1 discard qs"),
    do(
        "pass",
        plain(
            "The player after you has discarded a queen. Before the next player draws, the other players "
            "are asked whether they want the queen. You don't need it: pass."
        ),
    ),
    *_line("2 take", "2 lay js js jd | qs qs qc", "2 discard kh", "1 pass"),
    do(
        "stock",
        plain(
            "The third player took that queen and has already laid the contract. Sets and runs "
            "on the table are called melds. Once you have laid your own contract, you may add "
            "cards to any meld. Draw."
        ),
    ),
    *_line("card 2s"),
    do(
        "discard kd",
        plain(
            "A third 2: your first set is complete. A king counts 13 against you and you don't need it: "
            "discard it."
        ),
    ),
    *_line("1 stock", "card as", "1 discard 8d"),
    do(
        "hep",
        plain(
            "An 8! It would complete your second set, but it is not your turn. Call hep: if the next "
            "player draws from the stock, you get the 8."
        ),
    ),
    *_line("2 stock", "card 9c", "2 discard 9c", "1 hep"),
    do("stock", plain("The next player drew from the stock, so the 8 came to you. Draw.")),
    *_line("card 3c"),
    do("lay 2s 2h 2d | 8s 8s 8d", plain("Now you hold three 2s and three 8s: the contract. Lay both sets.")),
    do(
        "add qh to 2",
        plain(
            "Now that you have laid, you may add single cards to any meld, even to those of "
            "others. Add your queen to the queens."
        ),
    ),
    do("add jh to 1", plain("Add the jack to the jacks.")),
    do(
        "discard 10h",
        plain("Discard the 10: if another player finishes first, high cards cost you the most points."),
    ),
    *_line(
        "1 stock",
        "card 7h",
        "1 lay as ah ad | 9h 9d 9c",
        "1 discard 10c",
        "2 stock",
        "card 6d",
        "2 discard 7c",
    ),
    do(
        "stock",
        plain(
            "Now it is a race: the first player to get rid of their last card wins the round, and the "
            "others count the cards that they still hold. Draw."
        ),
    ),
    *_line("card 8c"),
    do("add 8c to 4", plain("Another 8: add it to your own set.")),
    do("discard 5d", plain("Discard a 5.")),
    *_line("1 stock", "card ah", "1 add ah to 5", "1 discard 10c", "2 stock", "card kh", "2 discard kh"),
    do("stock", plain("Draw.")),
    *_line("card 9d"),
    do("add 9d to 6", plain("You drew a 9, and there is a set of 9s on the table: add your 9 to it.")),
    do("discard 5d", plain("Discard the other 5.")),
    *_line("1 stock", "card qh", "1 add qh to 2", "1 discard 7h", "2 stock", "card 4s", "2 discard 6d"),
    do("stock", plain("Draw.")),
    *_line("card jc"),
    do("add jc to 1", plain("Add the jack to the jacks.")),
    do("discard 4c", plain("One card must always be left to discard. Discard the 4.")),
    *_line(
        "1 stock",
        "card *",
        "1 add * to 1",
        "1 discard 7d",
        "2 stock",
        "card *",
        "2 add * to 1",
        "2 discard 4s",
    ),
    do("stock", plain("Draw.")),
    *_line("card ac"),
    do("add ac to 5", plain("Add the ace to the aces.")),
    do("discard 3c", plain("Your last card: discard it, and you win the round.")),
)
END = (
    *_deal(
        "9d 4c 8h 7h 3c 10h 3h 3d qh 6h 2h ks 10s 3d 5d kc 2h jd 8s 6d 6h kd as 10h js ah kc 10c 9c 7c 4s "
        "ad 7s"
    ),
    read(
        plain(
            "You won the round with 0 points; the others count the cards that they still held. After all "
            "rounds, the player with the fewest points wins. A joker left in your hand costs 15, an ace "
            "14, a king 13, a queen 12, a jack 11, and every other card its number."
        )
    ),
    read(
        plain(
            "The next contract is two runs. A run is four or more cards of one suit in sequence. From here "
            "on the cards are really shuffled and the bots think for themselves. Have fun!"
        )
    ),
)

SHORT = (
    *chance("dealer 3"),
    *_deal(
        "2s qs 9d 8s qc 10d 2h qd kd 8d js 6s qh jc 7s 2d 8h as 10h kh 6c 5d 10c 7c 4c 7d 3d 3c 4h 9s 7h jd kc"
    ),
    read(
        plain(
            "As in rummy, you draw, lay melds and discard. But each round has a contract, and you lay "
            "all of it at once. The first contract is two sets. Jokers are wild. The player with the "
            "fewest points wins."
        )
    ),
    do("stock", plain("You hold three 2s already, and two 8s. Draw from the stock.")),
    *_line("card ad"),
    do("discard ad", plain("An ace would count 14 against you: discard it.")),
    *_line("2 pass", "1 stock", "card 5h", "1 lay qs qd qc | js jd jc", "1 discard 8h"),
    do(
        "hep",
        plain(
            "The second player has laid the contract and discards an 8. It is not your turn, but you may "
            "call for the 8: hep! If the next player draws from the stock, you get it. In each round, "
            "you can win up to three cards like this."
        ),
    ),
    *_line("2 stock", "card 9c", "2 discard kd"),
    do("stock", plain("The 8 came to you. Now it is your turn: draw.")),
    *_line("card 3h"),
    do("lay 2s 2h 2d | 8s 8h 8d", plain("Three 2s and three 8s are the contract: lay both sets.")),
    do(
        "add qh to 1",
        plain(
            "Once you have laid the contract, you may add cards to any meld: add your queen to the queens."
        ),
    ),
    do("discard 10h", plain("Every turn ends with a discard, even the last one. Discard the 10.")),
    read(
        plain(
            "The last round asks for four sets: you have enough cards for them only if you win a call. From here "
            "on the cards are really shuffled and the bots think for themselves. Have fun!"
        )
    ),
)

LESSON = Lesson(
    seats=("me", "bot:nephew", "bot:nephew"),
    options={"schedule": "short", "hep_window": "sequenced"},
    steps=DEAL + ROUND + END,
    known=plain("I know rummy"),
    short=SHORT,
)
