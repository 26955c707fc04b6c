"""The guided first game of Shanghaien: two rounds that teach laying dice, ties, Shanghai, tricks and scoring."""

from __future__ import annotations

from spelunke.core.words import plain
from spelunke.games.lesson import Lesson, Step, chance, do, read

BOT = 1
COUNTING = plain(
    "At the end, each nation is counted separately. If only one player has sailors of a nation, they count in full. If "
    "both have some, the stronger crew scores only the strength of the weaker one, and the weaker crew scores nothing."
)
"""The rule for the points of crews (S-R25)."""


def _bot(dice: str, place: str) -> tuple[Step, ...]:
    return Step(BOT, "roll"), *chance(f"dice {dice}"), Step(BOT, place)


def _deal(*cards: str) -> tuple[Step, ...]:
    return chance(*(f"deal {card}" for card in cards))


FIRST_ROUND = (
    *_deal("red 3", "green 1", "yellow 3", "both", "red 2", "grey 4"),
    read(
        plain(
            "Welcome to the tavern. You and the bot hire sailors for your crews. There are eight rounds of "
            "six cards. Dice decide who hires whom."
        )
    ),
    do("roll", plain("You have six dice. In your turn you usually roll two of them. Press Roll.")),
    *chance("dice 1 4"),
    do(
        "place 4 left",
        plain(
            "You lay one of the two dice on the card with its number. The numbers are counted "
            "from one end of the row. The first die of a round decides from which end. Lay the 4 "
            "on the trick card: this makes the left end number 1."
        ),
    ),
    *_bot("3 3", "place 3"),
    do(
        "roll",
        plain(
            "The bot has laid a 3 on the Chinese sailor. The player with more dice on a card gets it. Roll again."
        ),
    ),
    *chance("dice 4 5"),
    do(
        "place 5",
        plain(
            "A second die on the trick card would be safe. But one is enough for now: lay the 5 on the "
            "American 2."
        ),
    ),
    *_bot("4 6", "place 4"),
    read(
        plain(
            "Now each of you has one die on the trick card. To break the tie, each of you adds "
            "up the pips of their own dice on the two neighbouring cards. You have 5 there and "
            "the bot has 3, so you would still get the card."
        )
    ),
    do("roll", plain("Roll once more.")),
    *chance("dice 1 2"),
    do(
        "place 1",
        plain(
            "Lay the 1 on the American 3. Two sailors of one nation are worth more together, as you will see."
        ),
    ),
    *_bot("3 6", "place 6"),
    do(
        "shanghai",
        plain(
            "With at least two of your dice on cards, you may end the round instead of rolling."
            " Right now you would win both Americans and the trick card, but the bot could soon"
            " spoil that. Call Shanghai."
        ),
    ),
)
SECOND_ROUND = (
    *_deal("green 2", "grey 1", "red 4", "orange 3", "yellow 4", "purple 2"),
    read(
        plain(
            "You won both Americans and the trick card. The bot won the Chinese and the Italian"
            " sailor. Nobody had a die on the Spanish 1, so it left the game."
        )
    ),
    read(COUNTING),
    *_bot("5 6", "place 5 left"),
    do(
        "roll",
        plain("You called Shanghai, so the bot began this round. Card 1 is at the left end again. Roll."),
    ),
    *chance("dice 2 3"),
    do(
        "both",
        plain(
            "The Italian 1 looks small, but if you win it, the bot's Italian 4 scores only 1 "
            "point. The American 4 would join your other Americans. You don't have to choose "
            "between these two cards: play your trick card and lay both dice. You may play one trick in "
            "each round, directly after a roll."
        ),
    ),
    *_bot("3 5", "place 3"),
    do(
        "shanghai",
        plain(
            "The bot wants the American 4 as well, but your 2 on the neighbouring card breaks "
            "the tie. The badge under the card shows that it is yours for now. With it, your "
            "Americans count 9. Call Shanghai."
        ),
    ),
    *_deal("darkblue 3", "pm1", "purple 1", "green 3", "orange 4", "darkblue 1"),
    read(
        plain(
            "Only you have Americans: that is 9 points so far. The bot's Italian scores only 1."
            " A trick card that you don't play is worth 1 point at the end. You can also add it"
            " to one of your crews, where it counts 2."
        )
    ),
    read(
        plain(
            "Now you know enough to play. From here on the dice are real and the bot thinks for itself. Six rounds are "
            "left. Have fun!"
        )
    ),
)

LESSON = Lesson(
    seats=("me", "bot:deckhand"),
    options={"first_starter": "0"},
    steps=FIRST_ROUND + SECOND_ROUND,
)
