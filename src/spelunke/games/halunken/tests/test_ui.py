"""The harbour on the page and in the terminal: it offers every legal move and shows no secret."""

from __future__ import annotations

import html
import random
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import msgspec
import pytest
from markupsafe import escape

from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.core.kernel import copy
from spelunke.core.words import plain
from spelunke.games.halunken import GAME, moves, notation
from spelunke.games.halunken.cards import sailor_of
from spelunke.games.halunken.sailors import SAILORS
from spelunke.games.halunken.state import CHOOSING, JACK, NOBODY
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.board import _figures, _pool
from spelunke.games.halunken.ui.crews import card_states
from spelunke.games.halunken.ui.frame import HAND, Frame, span_of
from spelunke.games.halunken.ui.screen import Table
from spelunke.games.halunken.ui.story import track
from spelunke.games.halunken.ui.travels import POOL
from spelunke.games.halunken.view import reckon
from spelunke.games.match import Match
from spelunke.records.viewer import MatchViewer

from .playing import step

NAMES = ("Anna <b>", "Ben & Söhne", "Cleo", "Dirk")
TABLES: list[tuple[int, dict[str, object]]] = [
    (2, {"match": 3}),
    (3, {"tactical_bj_34": True}),
    (4, {"bj_peek": True}),
    (3, {"mode": "beginner"}),
]
each_table = pytest.mark.parametrize(("seats", "options"), TABLES)
VOID = {"path", "rect", "circle", "ellipse", "use", "stop", "input", "br", "img"}


class Page(HTMLParser):
    """A parser that collects buttons and ids.

    It raises AssertionError if a tag is not closed, or has a ``style`` or an event handler.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.moves: list[str] = []
        self.ids: list[str] = []
        self.labels: list[str | None] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert "style" not in found
        assert not [name for name in found if name.startswith("on")]
        if "id" in found:
            self.ids.append(str(found["id"]))
        if tag == "button" and found.get("name") == "move":
            self.moves.append(str(found["value"]))
            self.labels.append(found.get("aria-label"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def scene(match: Match, seat: int | None, private: object = None) -> Scene:
    legal = tuple((a, GAME.notation.write(a)) for a in match.legal(seat)) if seat is not None else ()
    revise = tuple((a, GAME.notation.write(a)) for a in match.revisions(seat)) if seat is not None else ()
    return Scene(
        view=match.view(seat),
        seat=seat,
        names=NAMES[: match.seats],
        legal=legal,
        revise=revise,
        last=MatchViewer(match, seat).last(),
        actors=match.actors,
        over=match.over,
        outcome=match.outcome,
        private=private,
    )


@pytest.mark.sampled(2)
@each_table
def test_every_legal_move_is_one_button(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(f"face {seats}")
    match = Match(GAME, seats, options)
    offered = 0
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
            continue
        seat = rng.choice(match.actors)
        if rng.random() < 0.12:
            for viewer in (None, *range(seats)):
                look = scene(match, viewer)
                page = Page(str(GAME.hooks.render_board(look)))
                assert sorted(page.moves) == sorted(text for _a, text in look.legal + look.revise)
                assert bool(GAME.hooks.prompt(look)) == bool(look.legal)
                assert all(page.labels)
                assert len(set(page.ids)) == len(page.ids)
                offered += len(page.moves)
        match.act(seat, rng.choice(match.legal(seat)))
    assert offered > 10
    for viewer in (None, 0):
        text = str(GAME.hooks.render_board(scene(match, viewer)))
        assert "Anna <b>" not in text
        Page(text)


@pytest.mark.sampled(2)
@each_table
def test_the_board_does_not_depend_on_the_sealed_cards_of_others(
    seats: int, options: dict[str, object]
) -> None:
    rng = random.Random(f"sealed {seats}")
    match = Match(GAME, seats, options)
    compared = 0
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
            continue
        seat = rng.choice(match.actors)
        match.act(seat, rng.choice(match.legal(seat)))
        if match.state.phase != CHOOSING or not match.state.sealed.any() or rng.random() < 0.6:
            continue
        for viewer in (None, *range(seats)):
            other = copy(match.state)
            for figure in (*range(seats), JACK):
                owner = int(match.state.hirer) if figure == JACK else figure
                if other.sealed[figure] and owner != viewer:
                    hand = [c for c in range(1, 9) if int(other.cards[figure]) >> c - 1 & 1]
                    other.sealed[figure] = rng.choice(hand)
                    compared += 1
            twin = Match(GAME, seats, options, state=other)
            for draw in (GAME.hooks.render_board, GAME.hooks.render_terminal):
                mine, theirs = (
                    str(draw(Scene(**{**dump(scene(match, viewer)), "view": m.view(viewer)})))
                    for m in (match, twin)
                )
                assert mine == theirs
    assert compared


def dump(found: Scene) -> dict[str, object]:
    return {name: getattr(found, name) for name in found.__slots__}


def test_the_board_shows_a_standing_order_only_to_the_owner() -> None:
    match = Match(GAME, 3)
    rng = random.Random(2)
    while match.state.hour < 2:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
        else:
            seat = match.actors[0]
            match.act(seat, rng.choice(match.legal(seat)))
    text = str(GAME.hooks.render_board(scene(match, 0, {"up_to": "grey 9"})))
    assert 'name="order.up_to"' in text
    assert "Your order bids up to value 9 in every hour." in text
    assert 'name="standing" value="clear"' in text
    shown = str(GAME.hooks.render_terminal(scene(match, 0, {"up_to": "grey 9"})))
    assert "Your order bids up to value 9 in every hour." in shown
    assert max(map(len, shown.splitlines())) <= 80
    over = str(GAME.hooks.render_board(scene(match, 0, {"up_to": "grey 9", "hour": 1})))
    assert 'class="hk-bids"' not in over, "its only auction is over"
    assert 'class="hk-bids"' not in str(GAME.hooks.render_board(scene(match, 0)))
    assert 'name="order.up_to"' not in str(GAME.hooks.render_board(scene(match, None)))


def test_a_player_who_can_only_pass_is_not_asked_for_a_sailor() -> None:
    start = {"phase": "bidding", "offer": "red 15", "bidder": 1, "opener": 1, "turn": 2}
    crews = {1: ["red 15"], 2: ["grey 2"]}
    seats = [{"captain": seat, "crew": crews.get(seat, [])} for seat in range(3)]
    for offer, asked in (
        ("red 15", "you can only pass"),
        (None, "offer a sailor for Black Jack, or pass"),
    ):
        begun = start if offer else {"phase": "bidding", "opener": 2, "turn": 2}
        match = Match(GAME, 3, state=notation.parse_position({**begun, "seats": seats, "jack": {"field": 9}}))
        assert GAME.hooks.prompt(scene(match, 2)) == asked
        assert "Passed:" not in GAME.hooks.render_board(scene(match, 2))


def test_the_board_says_who_has_passed_in_the_bidding() -> None:
    seats = [{"captain": seat, "crew": [f"grey {seat + 2}"]} for seat in range(3)]
    start = {"phase": "bidding", "opener": 0, "turn": 0, "seats": seats, "jack": {"field": 9}}
    match = Match(GAME, 3, state=notation.parse_position(start))
    for seat in range(2):
        match.act(seat, match.parse("pass"))
    assert f"Passed: {escape(NAMES[0])} and {escape(NAMES[1])}." in GAME.hooks.render_board(scene(match, 2))
    assert f"Passed: You and {escape(NAMES[0])}." in GAME.hooks.render_board(scene(match, 1))


@pytest.mark.parametrize(
    ("hired", "first", "missing"),
    [(True, "card 2", "Black Jack's"), (True, "jack 3", "your captain's"), (False, "", "")],
)
def test_the_last_who_lays_a_card_reads_that_it_is_revealed_at_once(
    hired: bool, first: str, missing: str
) -> None:
    match = Match(
        GAME,
        2,
        state=notation.parse_position(
            {
                "seats": [{"captain": 2, "crew": ["grey 2"]}, {"captain": 4, "crew": ["grey 5"]}],
                "jack": {"field": 9},
                "hirer": 1 if hired else None,
            }
        ),
    )
    change, both, last = (
        "until all are ready",
        "with both cards laid, all are revealed",
        "is revealed at once",
    )
    shown = {seat: str(GAME.hooks.render_board(scene(match, seat))) for seat in range(2)}
    assert all(change in page and "You are the last" not in page for page in shown.values())
    match.act(0, match.parse("card 1"))
    assert change not in (told := str(GAME.hooks.render_board(scene(match, 1))))
    assert (both if hired else last) in told
    assert change in str(GAME.hooks.render_board(scene(match, 0)))
    if hired:
        match.act(1, match.parse(first))
        assert both in str(GAME.hooks.render_board(scene(match, 1))), "one card is missing"
        assert GAME.hooks.prompt(scene(match, 1)) == f"now lay {missing} card face down"


def test_a_turned_up_card_of_black_jack_lies_beside_the_others_from_its_step_on() -> None:
    match = Match(
        GAME,
        2,
        state=GAME.notation.parse_position(
            {
                "seats": [{"captain": 2, "crew": ["grey 2"]}, {"captain": 4, "crew": ["grey 5"]}],
                "jack": {"field": 9},
            }
        ),
    )
    match.act(0, match.parse("card 1"))
    match.act(1, match.parse("card 2"))
    match.land(notation.parse_chance("flip 1"))
    board = str(GAME.hooks.render_board(scene(match, 0)))
    first, second, jack, _after = board.partition('<ul class="hk-reveal"')[2].split("</ul>")[0].split("</li>")
    assert 'class="k0">' in first
    assert '<em data-joins="1">stays' in first, "only the turned-up card cancels it"
    assert 'class="k1">' in second
    assert "<em" not in second
    assert 'class="jack" data-joins="1">' in jack
    assert '<em data-joins="1">stays' in jack


def test_who_meets_a_hired_black_jack_is_asked_about_both_choices() -> None:  # H-R28
    start: dict[str, object] = {
        "phase": "landed",
        "seats": [
            {"captain": 9, "crew": ["red 4", "red 5"], "laid": 2},
            {"captain": 4, "crew": ["grey 5"], "laid": 1},
        ],
        "jack": {"field": 4, "laid": 3},
        "harbour": ["grey 2"],
        "hirer": 0,
        "mover": 1,
    }
    match = Match(GAME, 2, state=notation.parse_position(start))
    asked = f"rob {NAMES[0]}, take a sailor out of the harbour, or take nothing"
    assert GAME.hooks.prompt(scene(match, 1)) == asked
    waits = f"{NAMES[1]} may rob {NAMES[0]} or take a sailor out of the harbour."
    assert escape(waits) in GAME.hooks.render_board(scene(match, None))
    empty = Match(GAME, 2, state=notation.parse_position({**start, "harbour": []}))
    assert GAME.hooks.prompt(scene(empty, 1)) == f"rob {NAMES[0]}, or take nothing"


@pytest.mark.parametrize(
    ("seats", "phase", "told"),
    [
        (3, "passing", "Black Jack overtakes you: give a sailor to the harbour."),
        (2, "landed", "Black Jack lands on your field: give a sailor to the harbour."),
    ],
)
def test_the_board_says_why_a_player_gives_up_a_sailor(seats: int, phase: str, told: str) -> None:
    rng, match = random.Random(5), Match(GAME, seats)
    while not any(text.startswith("give") for seat in match.actors for text in match.texts(seat)):
        if match.over:
            match = Match(GAME, seats)
        if match.view(None).phase == "bidding" and "pass" in match.texts(match.actors[0]):
            match.act(match.actors[0], match.parse("pass"))  # nobody hires Black Jack
        else:
            step(match, rng)
    seen = scene(match, match.actors[0])
    assert seen.view.phase == phase
    assert told in GAME.hooks.render_board(seen)


def test_the_board_says_why_a_player_may_rob() -> None:
    told = set()
    for seats, seed in ((2, 1), (3, 2)):
        rng, match = random.Random(seed), Match(GAME, seats, {})
        while len(told) < (3 if seats == 2 else 4):
            if match.over:
                match = Match(GAME, seats, {})
            step(match, rng)
            if not match.actors or moves.Rob not in {type(one) for one in match.legal(match.actors[0])}:
                continue
            seat = match.actors[0]
            seen = match.view(seat)
            name = f"{NAMES[seen.asked_about]}"
            hired = seats == 2 and seen.mover == seat and seen.jack.field == seen.captains[seat].field
            text = (
                f"Black Jack overtook {name}"
                if seen.phase == "passing"
                else f"Black Jack landed on the field of {name}"
                if seen.mover == JACK
                else f"You landed on the field of Black Jack. He works for {name}"
                if hired
                else f"You landed on the field of {name}"
            )
            end = f": take one of {name}'s sailors." if "He works" in text else ": take one sailor."
            assert text + end in html.unescape(GAME.hooks.render_board(scene(match, seat)))
            told.add(text.replace(name, ""))


def test_a_waiting_player_sees_which_choice_the_table_waits_for() -> None:
    start = {
        "options": {"mode": "beginner"},
        "seats": [{"captain": 3}, {"captain": 4}, {"captain": 9}],
        "taverns": {},
    }
    match = Match(GAME, 3, {"mode": "beginner"}, state=notation.parse_position(start))
    for seat, text in ((0, "card rum"), (1, "card 3"), (2, "card 5")):
        match.act(seat, match.parse(text))
    told = "Anna &lt;b&gt; is choosing the number of the Rum."
    assert told in GAME.hooks.render_board(scene(match, 1))
    assert told not in GAME.hooks.render_board(scene(match, 0))


def test_the_terminal_fits_eighty_columns() -> None:
    match = Match(GAME, 4)
    rng = random.Random(4)
    looked = 0
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
            continue
        seat = match.actors[0]
        if rng.random() < 0.2:
            drawn = GAME.hooks.render_terminal(scene(match, seat)).plain
            assert max(len(line) for line in drawn.splitlines()) <= 80
            assert len(drawn.splitlines()) < 24, "the moves that can be typed come below"
            looked += 1
        match.act(seat, rng.choice(match.legal(seat)))
    assert looked > 5


def stands_at(frame: Frame, figure: int, step: int) -> str:
    """Return the point, such as ``500,748``, at which a captain stands on the board after a step of the last hour."""
    drawn = re.search(
        rf'-f{figure}" [^>]*translate\((\d+) (\d+)\)"(?: data-track="([^"]*)")?', _figures(frame)
    )
    assert drawn
    walks = [part.split("=") for part in (drawn[3] or "").split("|") if part]
    if not walks:
        return f"{drawn[1]},{drawn[2]}"
    return next(
        (points.split()[-1] for k, points in reversed(walks) if int(k) <= step), walks[0][1].split()[0]
    )


@pytest.mark.sampled(2)
@each_table
def test_the_story_on_the_board_begins_in_the_state_before_the_reveal(
    seats: int, options: dict[str, object]
) -> None:
    """When the page replays the last hour, figures and crews are at first as they were before the cards' reveal."""
    rng = random.Random(f"story {seats}")
    match = Match(GAME, seats, options)
    before, compared = None, 0
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
            continue
        view = match.view(None)
        if view.phase == "choosing":
            before = view
        frame = Frame(scene(match, None)) if before else None
        if frame is not None and frame.tale.endswith(f".{before.hour}") and view.games == before.games:
            for figure, captain in enumerate(before.captains):
                now = track(frame, figure, (0, 0))
                x, y = art.SPOTS[captain.field]
                assert not now or now.split("=")[2].startswith(f"{x},{y} "), (now, captain)
            for k in range(len(frame.played)):
                stand = [stands_at(frame, figure, k) for figure in range(seats)]
                assert len(set(stand)) == seats, "no captain hides another"
            for seat, crew in enumerate(before.crews):
                place = ("crew", seat)
                kept = [s for s in view.crews[seat].sailors if not frame.since(place, s)]
                lost = [s for s, since, _until in frame.left(place) if since < 0]
                assert sorted(kept + lost) == sorted(crew.sailors)
                compared += bool(lost or len(kept) != len(view.crews[seat].sailors))
                moments = frame.moments(place, view.crews[seat].sailors)
                assert reckon(moments[0][2]) == crew, "points and doubled colour are those of that moment"
                assert reckon(moments[-1][2]) == view.crews[seat], "and in the end those that count"
                captain, then = view.captains[seat], before.captains[seat]
                for card in HAND:
                    state = card_states(frame, seat, captain, card)[0][0]
                    shown = "left" if card in then.left and card in captain.left else "laid"
                    assert state.startswith("used" if card in then.used else shown)
            pool = frame.moments(POOL, view.harbour)
            assert sorted(pool[0][2]) == sorted(before.harbour)
            drawn = _pool(frame)
            for sailor, since, until in frame.left(POOL):
                assert f"{span_of(sailor, since, until)}>" in drawn, "it lies in the harbour until this step"
        match.act(match.actors[0], rng.choice(match.legal(match.actors[0])))
    assert compared


def test_a_story_keeps_its_name_when_the_last_hour_ends_the_game() -> None:
    """The end of the game does not rename the story (the last hour), so the page does not replay the hour again."""
    decisions = 0
    for seed in range(6):
        rng = random.Random(f"name {seed}")
        match = Match(GAME, 4, {})
        last: list[tuple[object, str]] = []
        while not match.over:
            if match.chance:
                match.land(rng.choice(match.chances())[0])
            else:
                match.act(match.actors[0], rng.choice(match.legal(match.actors[0])))
            if match.over or match.view(None).hour == 8:
                frame = Frame(scene(match, None))
                last += [(frame.steps[0], frame.tale)] if frame.tale else []
        names = [tale for reveal, tale in last if reveal == last[-1][0]]
        assert len(set(names)) == 1, names
        decisions += len(names) - 1
    assert decisions


def test_the_board_of_a_resigned_game_says_that_the_game_is_over() -> None:
    look = scene(Match(GAME, 3), 0)
    given_up = Scene(**{**dump(look), "over": True, "actors": (), "legal": ()})
    text = str(GAME.hooks.render_board(given_up))
    assert "The game is over." in text
    assert "goes on" not in text


@pytest.mark.sampled(2)
@each_table
def test_a_sailor_who_leaves_a_tavern_is_drawn_over_the_door(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(f"door {seats}")
    match = Match(GAME, seats, options)
    doors = 0
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
            continue
        text = str(GAME.hooks.render_board(scene(match, None)))
        for tavern in re.findall(r'<g id="table-hk-t\d+">.*?<g class="hk-plate"', text):
            if "hk-door" in tavern and "hk-gone" in tavern:
                assert tavern.index("hk-door") < tavern.index("hk-gone")
                doors += 1
        match.act(match.actors[0], rng.choice(match.legal(match.actors[0])))
    assert doors


def test_the_sprite_and_the_picture_refer_to_no_address() -> None:
    for text in (GAME.hooks.render_sprite(), GAME.hooks.render_picture()):
        assert str(text).startswith("<svg")
        assert "http" not in str(text)


@pytest.mark.sampled(2)
@each_table
def test_each_movement_card_shows_the_target_field(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(f"leads {seats}")
    match = Match(GAME, seats, options)
    looked = 0
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
            continue
        seat = rng.choice(match.actors)
        look = scene(match, seat)
        view = look.view
        if view.phase == "choosing" and rng.random() < 0.3:
            text = str(GAME.hooks.render_board(look))
            for action, move in look.legal + look.revise:
                if move.startswith("card ") and move != "card rum":
                    field = (view.captains[seat].field + action.card) % 14
                    assert f'value="{move}" aria-label="lay {action.card}, to field {field}"' in text
                    assert f'class="hk-lead l{action.card} k{seat}"' in text
                    looked += 1
        match.act(seat, rng.choice(match.legal(seat)))
    assert looked > 10


def test_the_points_of_all_games_add_up_in_the_final_table() -> None:
    rng = random.Random(3)
    match = Match(GAME, 2, {"match": 3})
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
            continue
        seat = rng.choice(match.actors)
        match.act(seat, rng.choice(match.legal(seat)))
    text = str(GAME.hooks.render_board(scene(match, 0)))
    rows = re.findall(r"<td>(-?\d+)</td><td>\+(\d+)</td><td>\+(\d+) .*?<td>= <b>(\d+)</b>", text)
    assert len(rows) == 2
    assert all(sum(map(int, parts)) == int(total) for *parts, total in rows)
    assert ">Earlier games</th>" in text
    for seat, seen in ((seat, match.view(0)) for seat in (0, 1)):
        (line,) = Table(scene(match, 0), Screen()).party(seat)
        assert f"{seen.crews[seat].worth} +{seen.totals[seat] - seen.crews[seat].worth} " in line.plain


def test_each_number_for_black_jacks_rum_names_the_field_that_he_reaches() -> None:
    """Each choice of a number for Black Jack's Rum has a text: it names the field that he would reach (H-A36)."""
    rng, named = random.Random(5), 0
    while named < 3:
        match = Match(GAME, 2)
        while not match.over:
            if match.chance:
                match.land(rng.choice(match.chances())[0])
                continue
            seat = rng.choice(match.actors)
            view = match.view(seat)
            if view.phase == "naming" and view.captains[seat].laid != "rum":
                assert view.jack is not None
                assert view.jack.field is not None
                told = {one.moves[0]: one.text for one in GAME.hooks.explain_choices(scene(match, seat))}
                board = str(GAME.hooks.render_board(scene(match, seat)))
                assert "Which number is Black Jack&#39;s Rum?" in board
                assert '<div class="hk-hand jack">' in board
                assert 'class="hk-lead jl' in board, "the path of each number"
                for action, move in scene(match, seat).legal:
                    assert f"field {(view.jack.field + action.number) % 14}." in told[move]
                named += 1
            match.act(seat, rng.choice(match.legal(seat)))


@pytest.mark.parametrize(
    ("seats", "mode", "told", "other"),
    [(2, "two_player", "second card", "moves last"), (3, "standard", "moves last", "second card")],
)
def test_black_jack_is_explained_before_the_first_bidding_and_beside_a_pass(
    seats: int, mode: str, told: str, other: str
) -> None:
    match = Match(GAME, seats)
    match.land(match.chances()[0][0])
    placing = str(GAME.hooks.render_board(scene(match, match.actors[0])))
    short = GAME.card("en", seats, GAME.settle(seats, {}))
    while match.view(0).bidder is None:
        if match.chance:
            match.land(match.chances()[0][0])
        else:
            seat = match.actors[0]
            bids = [one for one in match.legal(seat) if isinstance(one, moves.Bid)]
            match.act(seat, bids[0] if bids else match.legal(seat)[0])
    meanings = GAME.hooks.explain_choices(scene(match, match.actors[0]))
    *_others, (choice, jack, none, _names) = meanings
    passed = next(one.text for one in meanings if one.moves == ("pass",))
    assert (choice, none) == ("Black Jack", ())
    for text in (placing, jack, short):
        assert told in text
        assert other not in text
    assert f"{NAMES[match.view(0).bidder or 0]} hires Black Jack for this hour." in passed
    assert "Black Jack" not in GAME.card("en", 3, GAME.settle(3, {"mode": "beginner"}))
    assert told in GAME.card("en"), "the rules for any number of players"


def test_the_board_addresses_the_bidder_as_you() -> None:
    match = Match(GAME, 2)
    while match.view(0).offer is None:
        if match.chance:
            match.apply_chance(match.chances()[0][0])
        else:
            seat = match.actors[0]
            bids = [one for one in match.texts(seat) if one.startswith("bid")]
            match.act(seat, match.parse(bids[0] if bids else match.texts(seat)[0]))
    bidder = match.view(0).bidder
    assert bidder is not None
    shown = [str(GAME.hooks.render_board(scene(match, seat))) for seat in range(2)]
    assert "You offer " in shown[bidder]
    assert f"{escape(NAMES[bidder])} offers " in shown[1 - bidder]


def test_every_sailor_in_the_harbour_is_drawn_beside_the_ship() -> None:
    match = Match(GAME, 4, {})
    every = [sailor_of(number) for number in range(SAILORS)]
    for count in (0, 1, 5, 6, 7, 8, 14, 16, 17, 25, 27, 28, 36, len(every)):
        view = msgspec.structs.replace(match.view(None), harbour=tuple(every[:count]))
        drawn = _pool(Frame(replace(scene(match, None), view=view)))
        places = [
            (float(x), float(y), float(scale))
            for x, y, scale in re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)", drawn)
        ]
        assert len(set(places)) == count
        high = 74 if count <= 16 else 28
        assert drawn.count(f'height="{high - 2}"') == 2 * count
        for x, y, scale in places:
            assert scale > 1.31, "values of 12 pixels on a phone, where the harbour has 350 pixels"
            assert 282 <= x <= 728 - 60 * scale
            assert 490 <= y <= 632 - high * scale
        for (x, y, _scale), (after, below, _scale) in pairwise(places):
            assert below != y or after - x > 44 or count > 36, "the next card covers no value"


def test_each_number_for_the_rum_names_the_target_field() -> None:
    start = {
        "options": {"mode": "beginner"},
        "seats": [{"captain": 12}, {"captain": 4}, {"captain": 9}],
        "taverns": {},
    }
    match = Match(GAME, 3, {"mode": "beginner"}, state=notation.parse_position(start))
    for seat, card in enumerate(("rum", "5", "6")):
        match.act(seat, match.parse(f"card {card}"))
    page = str(GAME.hooks.render_board(scene(match, 0)))
    assert 'aria-label="Rum counts as 3, leads to field 1"' in page
    others = page.split('aria-label="Cards of the others"')[1].split("</ul>", maxsplit=1)[0]
    assert re.findall(r'class="sr">(\w+)</span></span><small>(.*?)</small>', others) == [
        ("5", str(escape(NAMES[1]))),
        ("6", NAMES[2]),
    ]
    assert ">&#8594;&#8201;1</small>" in page


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("seats", "options"), [*TABLES, (4, {}), (2, {"bj2_pass_theft": True, "bj2_rum_unhired": "stay"})]
)
def test_the_badge_of_black_jack_shows_the_hirer_of_the_replayed_hour(
    seats: int, options: dict[str, object]
) -> None:
    """While the page replays the last hour, the badge shows the hirer of that hour.

    If the events do not show the hirer, the badge is hidden during the replay.
    """
    rng = random.Random(f"badge {seats}")
    match, before = Match(GAME, seats, options), -1
    shown, hidden, hirers = 0, 0, [NOBODY]
    while not match.over:
        if match.chance:
            match.land(rng.choice(match.chances())[0])
        else:
            match.act(*rng.choice([(seat, act) for seat in match.actors for act in match.legal(seat)]))
        chooses = match.state.phase == CHOOSING
        if chooses and before != CHOOSING:
            hirers.append(int(match.state.hirer))
        before = match.state.phase
        for viewer in (None, 0):
            look = scene(match, viewer)
            frame = Frame(look)
            ends = frame.hour_ends
            if ends is None:
                continue
            page = str(GAME.hooks.render_board(look))
            now = re.search(r'<span id="table-hk-hirer" [^>]*data-joins="(\d+)">', page)
            then = re.search(
                r'<span id="table-hk-hirer-then" class="(.*?)hk-gone".*? data-leaves="(\d+)">', page
            )
            assert (now is not None and int(now[1]) >= ends) or match.over or "beginner" in options.values()
            hidden += then is None
            if then is not None:
                seat = hirers[-2 if chooses else -1]
                assert then.groups() == ("" if seat == NOBODY else f"k{seat} ", str(ends))
                step = {"step": (f"{frame.tale}/{ends - 1}",)}
                line = Table(replace(look, draft=step), Screen()).headline().plain
                assert f"Hour {look.view.hour - (not match.over)} of 8" in line
                assert ("works for" in line) == (seat != NOBODY)
                shown += 1
    assert shown > 3 * hidden or (shown == 0 and "beginner" in options.values())


def test_the_board_gives_the_true_reason_why_a_player_places_black_jack() -> None:
    told = {}
    for seed in range(200):
        rng, match = random.Random(seed), Match(GAME, 3, {})
        while not (match.actors and match.view(match.actors[0]).phase == "hiding"):
            step(match, rng)
        seat = match.actors[0]
        put = GAME.hooks.describe_action(match.legal(seat)[0], match.view(seat), NAMES, plain)
        assert re.fullmatch(r"put Black Jack on field \d+", put)
        assert f'aria-label="{put}"' in GAME.hooks.render_board(scene(match, seat))
        first = [crew.sailors[0] for crew in match.view(seat).crews]
        tie = [one.value for one in first].count(first[seat].value) > 1
        assert first[seat].value == min(one.value for one in first)
        text = str(GAME.hooks.render_board(scene(match, seat)))
        assert ("is the lowest of all" in text) is not tie
        assert ("yours has the colour that comes first" in text) is tie
        told[tie] = True
        if len(told) == 2:
            return
    raise AssertionError("no tie was dealt")


def test_only_laid_cards_are_struck_out_if_nothing_can_be_chosen() -> None:
    match, rng, hours = Match(GAME, 3, {"mode": "beginner"}), random.Random(2), set()
    while match.state.hour < 3:
        if match.state.phase == CHOOSING and not match.view(0).ready[0]:
            still = replace(scene(match, 0), legal=(), revise=())
            text = str(GAME.hooks.render_board(still)).partition('class="hk-moves"')[2].partition("</div>")[0]
            assert text.count('class="hk-move') == len(HAND)
            assert (
                text.count('class="hk-move used"') == len(match.view(0).captains[0].used) == match.state.hour
            )
            hours.add(int(match.state.hour))
        step(match, rng)
    assert hours == {0, 1, 2}
