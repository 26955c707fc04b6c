"""The log and the board say why nobody is robbed, and why Black Jack goes more fields than his card says."""

from __future__ import annotations

import random
import re

import pytest

from spelunke.boards.scene import Scene, Summary
from spelunke.core.contract import ALL
from spelunke.core.kernel import copy
from spelunke.core.words import plain
from spelunke.games.halunken import GAME, moves, notation, rules, state
from spelunke.games.halunken.moves import Action
from spelunke.games.halunken.state import FIELDS, JACK, NOBODY, State
from spelunke.games.halunken.tests.playing import each_table, step
from spelunke.games.halunken.ui.frame import TOLD, Frame
from spelunke.games.halunken.walking import figure_at, may_fish, prey_of
from spelunke.games.halunken.walking import step as walk_on
from spelunke.games.match import Match, Ply
from spelunke.records.viewer import MatchViewer

NAMES = ("Anna", "Bernd", "Carla", "Dirk")


def at_dawn(
    mode: str, crews: list[list[str]], captains: list[int], jack: int | None, **more: object
) -> Match:
    """Return a match in which the captains are about to choose their cards. No tavern has a sailor."""
    start: dict[str, object] = {
        "options": {"mode": mode},
        "seats": [{"captain": at, "crew": crew} for at, crew in zip(captains, crews, strict=True)],
        "taverns": {},
        **more,
    }
    if jack is not None:
        start |= {"phase": "choosing", "jack": {"field": jack}}
    return Match(GAME, len(crews), {"mode": mode}, state=notation.parse_position(start))


def lay(match: Match, *cards: str) -> None:
    """Let each seat lay its card."""
    for seat, card in enumerate(cards):
        match.act(seat, match.parse(card))


def told_by(match: Match) -> list[str]:
    """Return the lines of the log, beginning with the first move of a figure."""
    lines = [told.text for told in MatchViewer(match, 0).history(names=NAMES)]
    first = next(k for k, line in enumerate(lines) if " moves by " in line or " moves to field " in line)
    return lines[first:]


def story_of(match: Match, seat: int | None = 0) -> Frame:
    viewer = MatchViewer(match, seat)
    return Frame(Scene(view=viewer.view, seat=seat, names=NAMES, last=viewer.last(), translate=plain))


def test_black_jack_may_not_rob_smaller_crews_and_his_own_captain() -> None:  # H-T4, H-T12, H-R20
    crews = [["grey 5", "red 8"], ["violet 3"], [], ["yellow 4", "yellow 5"]]
    match = at_dawn("standard", crews, [5, 1, 4, 7], 0, opener=0, hirer=0)
    lay(match, *["card 6"] * 4)
    match.land(notation.parse_chance("flip 9"))
    walked = (
        "Black Jack moves to field 9 and overtakes Bernd, Carla and Dirk. "
        "Black Jack works for Anna and doesn't rob Anna. "
        "Anna has more sailors than Bernd, so Black Jack may not rob Bernd. "
        "Carla has no sailor to lose."
    )
    assert told_by(match) == [walked], "Anna has not decided about Dirk"
    assert story_of(match).told[-1] == walked
    match.act(0, match.parse("decline"))
    assert told_by(match) == [walked, "Anna leaves Dirk alone.", "Hour 2 begins; Anna opens the bidding."]


def test_a_robbery_can_forbid_the_next_one() -> None:  # H-T4
    match = at_dawn("standard", [["grey 5"], ["violet 3"], ["red 4"]], [5, 1, 4], 0, opener=0, hirer=0)
    lay(match, *["card 6"] * 3)
    match.land(notation.parse_chance("flip 9"))
    match.act(0, match.parse("rob violet 3"))
    assert told_by(match)[1] == (
        "Black Jack robs Bernd of violet 3 for Anna. "
        "Anna has more sailors than Carla, so Black Jack may not rob Carla."
    )


def test_without_a_hirer_black_jack_takes_nothing_from_an_empty_crew() -> None:  # H-A16
    match = at_dawn("standard", [["grey 5"], [], ["red 4"]], [5, 1, 4], 0, opener=0)
    lay(match, *["card 6"] * 3)
    match.land(notation.parse_chance("flip 9"))
    match.act(2, match.parse("give red 4"))
    match.act(0, match.parse("give grey 5"))
    assert told_by(match)[0].endswith("overtakes Bernd, Carla and Anna. Bernd has no sailor to lose.")
    assert [line for line in told_by(match)[1:] if "sailor to lose" in line or "may not rob" in line] == []


def test_a_captain_may_not_rob_a_smaller_crew() -> None:  # H-T3
    match = at_dawn("beginner", [["grey 5", "red 4"], ["violet 3"], []], [3, 4, 9], None)
    lay(match, "card 1", "card 5", "card 2")
    told = told_by(match)
    assert told[2] == (
        "Bernd has to make way and moves to field 5. Anna has more sailors than Bernd and may not rob Bernd."
    )
    assert list(story_of(match).told[-len(told) :]) == told


def test_the_summary_of_the_hour_says_why_a_robbery_was_forbidden() -> None:
    match = at_dawn("standard", [["grey 5", "red 8"], ["violet 3"], []], [5, 1, 4], 0, opener=0, hirer=0)
    before = match.view(0)
    lay(match, *["card 6"] * 3)
    match.land(notation.parse_chance("flip 9"))
    summary = Summary(
        before=before, view=match.view(0), events=match.events(ALL), seat=0, names=NAMES, translate=plain
    )
    page = str(GAME.hooks.render_summary(summary))
    assert "Anna has more sailors than Bernd, so Black Jack may not rob Bernd." in page


def test_black_jack_moves_on_from_an_occupied_field() -> None:  # H-R20, H-A22
    match = at_dawn("standard", [["grey 5"], ["violet 3"], []], [4, 1, 9], 0, opener=0, hirer=0)
    lay(match, *["card 6"] * 3)
    before = match.ply
    match.land(notation.parse_chance("flip 4"))
    assert told_by(match)[0].startswith(
        "Black Jack moves to field 5 and overtakes Bernd. "
        "Field 4 is taken, so Black Jack goes on to field 5. Black Jack works for Anna"
    )
    walked = next(told for told in story_of(match).told if told.startswith("Black Jack moves"))
    assert walked in told_by(match)[0]
    assert "taken" not in " ".join(
        GAME.events.say(event, NAMES, plain) for event in match.events_of(before, ALL)
    )


def test_black_jack_moves_on_from_several_occupied_fields() -> None:
    match = at_dawn("standard", [["grey 5"], [], []], [13, 0, 1], 12, opener=0, hirer=0)
    lay(match, *["card 6"] * 3)
    match.land(notation.parse_chance("flip 1"))
    assert "Fields 13, 0 and 1 are taken, so Black Jack goes on to field 2." in told_by(match)[0]


def test_an_empty_harbour_has_no_sailor_for_the_captain_who_meets_black_jack() -> None:  # H-R22, H-A25
    match = at_dawn("standard", [["grey 5"], ["violet 3"], []], [3, 10, 12], 4, opener=0, hirer=0)
    lay(match, "card 1", "card 6", "card 6")
    made_way = "Black Jack has to make way and moves to field 5. The harbour has no sailor for Anna."
    assert told_by(match)[-1] == made_way
    assert story_of(match).told[-1] == made_way


def test_a_captain_may_not_rob_the_smaller_crew_that_hired_black_jack() -> None:  # H-R28
    match = at_dawn("two_player", [["grey 5"], ["violet 3", "violet 4"]], [12, 3], 4, opener=0, hirer=0)
    lay(match, "card 6", "card 1")
    match.act(0, match.parse("jack 7"))
    assert (
        "The harbour has no sailor for Bernd. Bernd has more sailors than Anna and may not rob Anna."
        in " ".join(told_by(match))
    )


def test_the_story_of_two_players_knows_that_nobody_hired_black_jack() -> None:  # H-R29, H-A35
    match = at_dawn("two_player", [["grey 5"], ["violet 3", "violet 4"]], [12, 3], 4, opener=0)
    lay(match, "card 5", "card 1")
    match.land(notation.parse_chance("flip 7"))
    assert match.view(0).hour == 2
    drained = [text for text in story_of(match).told if "The harbour has no sailor for Bernd." in text]
    assert drained == [text for text in told_by(match) if "The harbour has no sailor for Bernd." in text]
    assert "rob" not in drained[0]


def expected(match: Match, ply: Ply) -> list[str]:
    """Return the sentences with which the log must explain, after a ply, why something did not happen as usual.

    They say why nobody may rob a captain, why a captain gets no sailor, and why Black Jack goes more fields than his
    card says. Carry out the rules stage by stage to find them. One reason is left out: that Black Jack does not rob the
    captain for whom he works.
    """
    s, found = match.state_at(ply.number), []
    if isinstance(ply.deed, Action):
        stage = int(rules.play_alone(s, ply.seat, moves.encode(ply.deed)[0]))
    else:
        stage = int(rules.chance_alone(s, moves.encode_chance(ply.deed)))
    if stage == state.REST or not s.hour < state.HOURS:
        return found
    while stage != state.REST:
        past = copy(s)
        at, stage = stage, int(walk_on(s, stage))
        found += detour_in(past, s) + spared_in(past, at, s)
    return found


def detour_in(before: State, s: State) -> list[str]:
    if s.options[state.MODE] != state.STANDARD or before.mover == JACK or s.mover != JACK:
        return []
    taken = []
    field = (int(before.field[JACK]) + int(s.laid[JACK])) % FIELDS
    while field in {int(before.field[who]) for who in range(before.seats)}:
        taken.append(str(field))
        field = (field + 1) % FIELDS
    if not taken:
        return []
    fields = f"Field {taken[0]} is" if len(taken) == 1 else f"Fields {plain.list(taken)} are"
    return [f"{fields} taken, so Black Jack goes on to field {field}."]


def spared_in(before: State, stage: int, s: State) -> list[str]:
    mover, jack = int(before.mover), before.mover == JACK
    thief = int(before.hirer) if jack else mover
    if stage == state.OVERTAKING:
        left = [int(who) for who in s.queue if who != NOBODY]
        met = [int(who) for who in before.queue if who != NOBODY and who not in left]
    elif stage == state.MEETING_OTHER:
        occupant = int(figure_at(before, before.field[mover], mover))
        if occupant == JACK:
            return drained_in(before)
        if occupant in (NOBODY, thief) or prey_of(before, occupant) != NOBODY:
            return []
        met = [] if thief == NOBODY and before.hands[occupant] else [occupant]
    else:
        return []
    return say_spared(before, met, thief, jack=jack)


def drained_in(before: State) -> list[str]:
    mover, hirer = int(before.mover), int(before.hirer)
    if may_fish(before, JACK) or prey_of(before, JACK) != NOBODY:
        return []
    owner = [hirer] if before.options[state.MODE] == state.TWO and hirer not in (NOBODY, mover) else []
    return [
        f"The harbour has no sailor for {NAMES[mover]}.",
        *say_spared(before, owner, mover, jack=False),
    ]


def say_spared(before: State, met: list[int], thief: int, *, jack: bool) -> list[str]:
    found = []
    for who in met:
        if before.hands[who] == 0:
            found.append(f"{NAMES[who]} has no sailor to lose.")
        elif jack:
            found.append(
                f"{NAMES[thief]} has more sailors than {NAMES[who]}, so Black Jack may not rob {NAMES[who]}."
            )
        else:
            found.append(f"{NAMES[thief]} has more sailors than {NAMES[who]} and may not rob {NAMES[who]}.")
    return found


@pytest.mark.sampled(2)
@each_table
def test_log_and_board_give_the_reasons_that_follow_from_the_rules(
    seats: int, options: dict[str, object]
) -> None:
    """The log gives the reasons that follow from the rules, such as why nobody may rob a captain.

    The board's list of the hour's steps gives the same reasons.
    """
    rng = random.Random(f"spared {seats} {sorted(options)}")
    reasons = compared = games = 0
    while not (reasons and compared):
        match = Match(GAME, seats, options)
        games += 1
        assert games < 20, "among two players, few captains meet"
        while not match.over:
            step(match, rng)
            reasons += check_ply(match, match.plies[-1])
            if not match.chance and rng.random() < 0.3:
                compared += check_story(match)


def check_ply(match: Match, ply: Ply) -> bool:
    """Compare the log's reasons with those of :func:`expected`. Return whether the log gives a reason."""
    events = match.events_of(ply.number, ALL)
    plainly = [GAME.events.say(event, NAMES, plain) for event in events]
    texts = match.say(ply.number, events, NAMES, plain)
    more = " ".join(text.removeprefix(said) for text, said in zip(texts, plainly, strict=True))
    for name in NAMES:
        more = more.replace(f"Black Jack works for {name} and doesn't rob {name}.", "")
    assert more.split() == " ".join(expected(match, ply)).split()
    return bool(more.strip())


def check_story(match: Match) -> bool:
    """Compare the sentences of the story with those of the log. Return whether there is a story.

    The story is the list of steps with which the page can replay the last played hour.
    """
    frame = story_of(match, None)
    lines = MatchViewer(match, None).history(names=NAMES)
    told = [line.text for line in lines if isinstance(line.event, TOLD)]
    if match.options["bj_peek"] and frame.hour_ends is not None:  # the story no longer knows his card
        told = [re.sub(r" Fields? [^.]* taken, so [^.]*\.", "", text) for text in told]
    assert not frame.tale or list(frame.told) == told[-len(frame.told) :]
    return bool(frame.tale)
