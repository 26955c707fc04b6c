"""The end of a round: the dice shown for each card add up to the pips that decide it."""

from __future__ import annotations

import random

from spelunke.boards.scene import Summary
from spelunke.games.match import Match
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.events import Settled
from spelunke.games.shanghaien.ui.summary import near_dice, render_summary


def test_shown_numbers_add_up() -> None:
    rng = random.Random(4)
    match = Match(GAME)
    begin = match.ply
    settled = decided = 0
    while not match.over:
        if match.chance:
            match.apply_chance(rng.choice(match.chances())[0])
            continue
        seat = match.actors[0]
        texts = match.texts(seat)
        move = "shanghai" if "shanghai" in texts and rng.random() < 0.5 else rng.choice(texts)
        match.act(seat, match.parse(move))
        (event,) = [e for e in match.events_of(match.ply - 1) if isinstance(e, Settled)] or [None]
        if event is None:
            continue
        settled += 1
        for claim in event.claims:
            near = [near_dice(event.claims, claim, who) for who in range(2)]
            assert tuple(map(sum, near)) == claim.pips
            if claim.rule == "neighbours":
                decided += 1
                assert claim.taker == (0 if sum(near[0]) > sum(near[1]) else 1)
        before, after = match.state_at(begin), match.state
        shown = render_summary(
            Summary(
                before=GAME.view.view(before, 0),
                view=GAME.view.view(after, 0),
                events=match.events(0, begin),
                seat=0,
                names=("Anna", "Ben"),
                points_before=GAME.hooks.points(before),
                points=GAME.hooks.points(after),
            )
        )
        assert shown is not None
        assert str(shown).count("<li class") == 6
        assert f"{('You', 'Ben')[event.seat]} called Shanghai." in shown
        told = sum(claim.rule in ("neighbours", "tie") and any(claim.pips) for claim in event.claims)
        assert str(shown).count('class="sh-nears"') == told, "where no dice lie beside it, no sums are shown"
        assert {seat for seat in range(2) if GAME.hooks.points(after)[seat] < 0} == set()
        begin = match.ply
    assert settled == 8
    assert decided, "choose another seed: neighbours decided nothing"
