"""The sums in the summary of a round.

For each card, the dice on the neighbouring cards add up to the sums that decide a tie. The changes of each player's
crews and trick cards add up to the change of the player's points.
"""

from __future__ import annotations

import html
import random
import re

import pytest

from spelunke.boards.scene import Summary
from spelunke.games.match import Match
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.events import Settled
from spelunke.games.shanghaien.ui.changes import follow_round
from spelunke.games.shanghaien.ui.summary import near_dice, render_summary


def test_the_numbers_in_a_summary_add_up() -> None:
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
        if not match.over:
            counting = re.search(r'popovertarget="([^"]+)">How the points are counted<', str(shown))
            assert counting
            assert f'<div popover id="{counting[1]}"' in shown
            assert "the stronger crew scores only the strength of the weaker one" in shown
        told = sum(claim.rule in ("neighbours", "tie") and any(claim.pips) for claim in event.claims)
        assert str(shown).count('class="sh-nears"') == told, "where no dice lie beside it, no sums are shown"
        assert {seat for seat in range(2) if GAME.hooks.points(after)[seat] < 0} == set()
        begin = match.ply
    assert settled == 8
    assert decided, "choose another seed: neighbours decided nothing"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"match": "best_of_three"},
        {"sharks_exchange": "on", "crazy_captain": "on", "start_trick": "both"},
    ],
    ids=["plain", "match", "extras"],
)
def test_changes_add_up_to_the_change_of_the_points(options: dict[str, object]) -> None:
    """In each round's summary, the changes in a player's column add up to the change of the player's points."""
    rng = random.Random(11)
    match = Match(GAME, options=options)
    begin = match.ply
    tricks = lost = rounds = 0
    while not match.over:
        if match.chance:
            match.apply_chance(rng.choice(match.chances())[0])
            continue
        seat = match.actors[0]
        texts = match.texts(seat)
        wanted = [text for text in texts if not re.match(r"place|roll$|shanghai|left|right", text)]
        calls = "shanghai" in texts and rng.random() < 0.5
        move = "shanghai" if calls else rng.choice(wanted or texts)
        match.act(seat, match.parse(move))
        if not any(isinstance(e, Settled) for e in match.events_of(match.ply - 1)):
            continue
        rounds += 1
        before, after = GAME.view.view(match.state_at(begin), 0), GAME.view.view(match.state, 0)
        events = match.events(0, begin)
        start, played, settled = follow_round(before, events)
        tricks += start != played
        lost += any(played.tricks[who] < start.tricks[who] for who in range(2))
        assert tuple(start.points(who) for who in range(2)) == before.points
        if after.games == before.games or after.phase == "over":
            assert settled.strengths == tuple(tuple(crew.strength for crew in crews) for crews in after.crews)
            assert tuple(settled.points(who) for who in range(2)) == after.points
        drawn = render_summary(
            Summary(before=before, view=after, events=events, seat=0, names=("Anna", "Ben"), over=match.over)
        )
        assert drawn is not None
        shown = html.unescape(drawn)
        changes = re.search(r"<table class=\"sh-sums sh-changes.*?</table>", shown)
        if changes:
            heads = re.findall(r'<th scope="col">(.*?)</th>', changes[0])
            assert heads == ["Strength", "Points"] * 2, "each figure has its name above it"
        for who in range(2):
            cells = (
                re.findall(rf'<td class="s{who}">(.*?)</td>', changes[0].split("<tfoot")[0])
                if changes
                else []
            )
            found = [re.search(r"<b>([+\u2212])(\d+)</b>", cell) for cell in cells[1::2]]
            total = sum(int(one[2]) * (1 if one[1] == "+" else -1) for one in found if one)
            assert total == settled.points(who) - start.points(who)
            steps = re.findall(rf'<td class="s{who}" colspan="2">(.*?)</td>', changes[0]) if changes else []
            assert len(steps) in (0, 1, 3)
            if len(steps) == 3:
                assert f"{start.points(who)} → {played.points(who)}" in steps[0] or "→" not in steps[0]
        assert ('<h3 class="sh-caller">How the points are counted' in shown) == match.over
        assert ("How the points are counted" in shown) == (match.over or after.games == before.games)
        begin = match.ply
    assert rounds >= 8
    assert tricks
    assert lost
