"""The pace of the pages: what moves there lies still before the next step."""

from __future__ import annotations

import re
from importlib.resources import files

from spelunke.web.settings import Settings

DICE = re.compile(r"span\.sh-rolled[^{]*\{ animation-duration: (\d+)ms;(?: animation-delay: (\d+)ms;)? \}")


def test_the_dice_of_a_bot_lie_still_before_it_lays_one() -> None:
    sheet = (files("spelunke.games.shanghaien.ui") / "board.css").read_text()
    thrown = [int(lasts) + int(waits or 0) for lasts, waits in DICE.findall(sheet)]
    assert len(thrown) == 2
    assert max(thrown) <= 1000 * Settings().bot_pause - 100
