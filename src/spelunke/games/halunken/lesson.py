"""The guided first game of Halunken und Spelunken: four hours that teach moving, cancelling, robbing and Rum."""

from __future__ import annotations

from spelunke.core.words import plain
from spelunke.games.lesson import Lesson, Step, chance, do, read

FIRST, SECOND = 1, 2
"""The seats that bots play."""


def _bots(first: str, second: str) -> tuple[Step, ...]:
    return Step(FIRST, first), Step(SECOND, second)


def _sailors(*sailors: str) -> tuple[Step, ...]:
    return chance(*(f"sailor {sailor}" for sailor in sailors))


START = (
    *chance("first 0"),
    do(
        "place 2",
        plain(
            "Night in the harbour. Fourteen taverns stand around the basin, and your ship needs a crew. "
            "First each captain chooses a tavern to start from: go to the one on field 2."
        ),
    ),
    *_sailors("grey 5"),
    Step(FIRST, "place 5"),
    *_sailors("yellow 8"),
    Step(SECOND, "place 12"),
    *_sailors("violet 7"),
    *_sailors("yellow 2", "red 5", "yellow 6", "violet 4", "grey 9", "yellow 3", "red 11"),
    *_sailors("violet 8", "grey 3", "yellow 1", "yellow 10", "violet 10", "grey 7", "red 4"),
    read(
        plain(
            "Each captain has hired the top sailor of their tavern without seeing him first; "
            "yours is a grey 5. Now every tavern shows who can be hired there next. After eight"
            " hours you add up the numbers of your crew. The colour with the most sailors "
            "counts double."
        )
    ),
)
FIRST_HOUR = (
    do(
        "card 4",
        plain(
            "Every hour each captain secretly lays a movement card, and each card can be used only once. "
            "Your captain then walks as many fields as your card says, clockwise. Four fields ahead, at field 6, "
            "a red 11 is waiting: lay the 4."
        ),
    ),
    *_bots("card 3", "card 2"),
    *_sailors("violet 9", "yellow 5", "grey 2"),
)
SECOND_HOUR = (
    read(
        plain(
            "All cards were revealed together. The lowest number moved first. Yours was the highest, so you "
            "moved last, and hired the red 11. Each tavern that lost a sailor now shows its next one."
        )
    ),
    do(
        "card 3",
        plain(
            "Now for a raid. If you arrive where another captain stands, you hire the tavern's sailor first; "
            "then, if your crew is not larger than theirs, you may take one of their sailors. The captain on "
            "field 8 may well go one field further. Lay the 3, which takes you to field 9."
        ),
    ),
    *_bots("card 1", "card 5"),
    *_sailors("yellow 9", "red 8"),
    do(
        "rob yellow 8",
        plain("You meet, and your crews are the same size. Take the best sailor: the yellow 8."),
    ),
    *_sailors("red 6"),
)
THIRD_HOUR = (
    read(plain("The captain that you met has to move on to the next free field, and hires nobody there.")),
    do(
        "card 5",
        plain("Captains who lay the same card don't move. Lay the 5 to see what happens then."),
    ),
    *_bots("card 5", "card 1"),
    *_sailors("grey 10", "yellow 7"),
)
FOURTH_HOUR = (
    read(
        plain(
            "Both fives were cancelled. You and the other captain with a 5 stayed put, and each of you hired "
            "the top sailor of your own tavern before the third captain moved. Staying can be worth it, too."
        )
    ),
    do(
        "card rum",
        plain(
            "One of your cards is Rum. When all cards are open, you name a number from 1 to 7 that nobody "
            "else has laid, and walk that far. Lay the Rum."
        ),
    ),
    *_bots("card 6", "card 7"),
    do("rum 3", plain("Now you see what the others laid. Name the number 3.")),
    *_sailors("violet 5", "violet 6", "yellow 11"),
    read(
        plain(
            "Those are all the rules of the beginner game. In the full game Black Jack walks the harbour "
            "as well: captains bid sailors to hire him, and he can rob the captains he passes."
        )
    ),
    read(
        plain(
            "Four hours are left. From here on the sailors are really shuffled, and the others think "
            "for themselves. Watch which cards they have used: a card that is gone can't surprise you. "
            "Have fun!"
        )
    ),
)

LESSON = Lesson(
    seats=("me", "bot:shipsboy", "bot:shipsboy"),
    options={"mode": "beginner"},
    steps=START + FIRST_HOUR + SECOND_HOUR + THIRD_HOUR + FOURTH_HOUR,
)
