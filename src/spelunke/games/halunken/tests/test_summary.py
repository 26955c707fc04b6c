"""The summary of a round: the events turn the old crews into the new ones, and each table of points adds up."""

from __future__ import annotations

import random
import re

import pytest

from spelunke.boards.scene import Summary
from spelunke.core.words import plain
from spelunke.games.halunken import GAME, notation
from spelunke.games.halunken.happenings import Counted, Gave, Named, Robbed
from spelunke.games.halunken.sentences import say
from spelunke.games.halunken.ui.summary import crew_after, render_summary
from spelunke.games.match import Match


@pytest.mark.parametrize("options", [{}, {"match": "3"}], ids=["one game", "three games"])
def test_the_numbers_in_a_summary_add_up(options: dict[str, str]) -> None:
    rng = random.Random(7)
    match = Match(GAME, 3, options)
    begin = hours = counts = 0
    while not match.over:
        if match.chance:
            match.apply_chance(rng.choice(match.chances())[0])
        else:
            seat = rng.choice(match.actors)
            match.act(seat, rng.choice(match.legal(seat)))
        before, after = match.state_at(begin), match.state
        if GAME.hooks.rounds_done(after) == GAME.hooks.rounds_done(before):
            continue
        hours += 1
        events = match.events(1, begin)
        old, new = GAME.view.view(before, 1), GAME.view.view(after, 1)
        crews = [crew_after(old.crews[who], events, who) for who in range(3)]
        counted = [event for event in events if isinstance(event, Counted)]
        if counted:
            counts += 1
            assert tuple(crew.worth for crew in crews) == counted[0].points
        else:
            assert tuple(crew.worth for crew in crews) == tuple(crew.worth for crew in new.crews)
        points = [GAME.hooks.points(state) for state in (before, after)]
        assert [b - a for a, b in zip(*points, strict=True)] == [
            crew.worth - old.crews[who].worth for who, crew in enumerate(crews)
        ]
        shown = str(
            render_summary(Summary(before=old, view=new, events=events, seat=1, names=("A", "B", "C")))
        )
        assert len(re.findall('class="hk-count"', shown)) == 3 * len(counted)
        for table in re.findall('<table class="hk-count">.*?</table>', shown):
            *rows, total = map(int, re.findall(r"<td><b>(\d+)</b></td>", table))
            assert sum(rows) == total
        assert len(re.findall("Black Jack moves", shown)) == 1
        for event in events:
            if isinstance(event, Robbed | Gave):
                assert say(event, ("A", "B", "C"), plain) in shown
            if isinstance(event, Named):
                assert f"= {event.number}</b>" in shown
        begin = match.ply
    assert counts == (3 if options else 1)
    assert hours == 8 * counts


def test_a_summary_says_which_figures_laid_the_same_card() -> None:
    start = {
        "options": {"mode": "beginner"},
        "seats": [{"captain": 2}, {"captain": 6}, {"captain": 10}],
        "taverns": {},
    }
    names = ("Anna", "Ben", "Cleo")
    match = Match(GAME, 3, {"mode": "beginner"}, state=notation.parse_position(start))
    before = match.view(1)
    for seat, card in enumerate(("4", "4", "2")):
        match.act(seat, match.parse(f"card {card}"))
    shown = render_summary(
        Summary(before=before, view=match.view(1), events=match.events(1, 0), seat=1, names=names)
    )
    told = re.findall(r'class="hk-who">(\w+)</b><span class="hk-played( gone)?">.*?</header>', str(shown))
    assert told == [("You", " gone"), ("Cleo", ""), ("Anna", " gone")]
    assert [shown.count(f"same card as {name}: stays") for name in names] == [1, 1, 0]
