"""The explanations of choices are true in the last tavern and for cards that lie face down."""

from __future__ import annotations

import random
from collections import Counter

from spelunke.boards.scene import Scene
from spelunke.games.match import Match
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.moves import Place, Shanghai
from spelunke.games.shanghaien.ui.frame import Frame
from walks import step


def test_explanations_of_choices_are_true() -> None:
    rng, found = random.Random(4), Counter[str]()
    while found["last"] < 3 or found["down"] < 3:
        match = Match(GAME, 2, {"sharks_exchange": True})
        while not match.over:
            if not match.chance:
                _check(match, found)
            step(match, rng)


def _check(match: Match, found: Counter[str]) -> None:
    seat = match.actors[0]
    legal = tuple((action, GAME.notation.write(action)) for action in match.legal(seat))
    scene = Scene(view=match.view(seat), seat=seat, names=("Anna", "Ben"), legal=legal)
    frame = Frame(scene)
    texts = {move: meaning.text for meaning in GAME.hooks.explain_choices(scene) for move in meaning.moves}
    for action, move in legal:
        match action:
            case Shanghai():
                last = scene.view.tavern == 8
                assert ("next tavern" in texts[move]) != last
                found["last"] += last
            case Place(value, end):
                claim = next(one for one in scene.view.row if one.place == frame.place(value, end))
                assert ("nobody gets it" in texts[move]) == claim.down
                found["down"] += claim.down
