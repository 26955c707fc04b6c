"""The board meets its requirements in many positions of random games with various options."""

from __future__ import annotations

import html
import random
import re
import time
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import NamedTuple

import msgspec
import pytest

from spelunke.boards.scene import Arrow, Scene
from spelunke.boards.screen import Screen
from spelunke.core.words import Translator
from spelunke.games.match import Match
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.cards import Sailor, Trick
from spelunke.games.shanghaien.moves import Joker, Place, Roll
from spelunke.games.shanghaien.ui import (
    render_board,
    render_drawing,
    render_picture,
    render_screen,
    render_sprite,
    render_terminal,
)
from spelunke.games.shanghaien.ui.setup import read_setup, render_setup
from spelunke.games.shanghaien.view import PHASES

NAMES = ("Anna & Co", "<b>Bernd</b>")
VOID = {"input", "br", "hr", "img", "meta", "link"}
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"sharks_exchange": "on", "crazy_captain": "on", "doubles_reroll": "on", "match": "sum_of_three"},
    {"direction_timing": "after_first_roll", "start_trick": "both"},
    {"start_trick": "pm1", "doubles_reroll": "on", "crazy_captain": "on"},
)


def test_the_terminal_counts_the_games_that_were_played() -> None:
    """If a best of three ends after two games, the terminal shows "game 2" at the end."""
    options = {"match": "best_of_three"}
    seats = [{"wins": 2, "total": 30}, {"total": 20}]
    over = {"phase": "over", "tavern": 8, "games": 2, "options": options, "seats": seats}
    match = Match(GAME, 2, options, state=GAME.notation.parse_position(over))
    moment = Scene(view=match.view(0), seat=0, names=NAMES, over=True)
    assert "game 2" in render_terminal(moment).plain
    assert "game 2" in render_screen(moment, Screen(100, 40)).plain


def test_the_whole_screen_marks_a_die_to_lay_with_plus_and_a_die_to_take_back_with_minus() -> None:
    options = {"sharks_exchange": True}
    row = ["red 1", "lightblue 1", "darkblue 1", "yellow 1", "orange 1", "purple 1"]
    seats = [{"dice": [1, 3], "tricks": ["extra"]}, {}]
    rolled = {"row": row, "options": options, "phase": "rolled", "rolled": [2, 5], "direction": "left"}
    match = Match(GAME, 2, options, state=GAME.notation.parse_position({**rolled, "seats": seats}))
    for move, mark in (("place 5", "+[5]"), ("exchange 3", "-[3]")):
        arrows = (Arrow("chosen", match.parse(move)),)
        moment = Scene(view=match.view(0), seat=0, names=NAMES, arrows=arrows)
        assert mark in render_screen(moment, Screen(100, 40)).plain, move


def test_the_panel_of_plus_minus_one_says_which_die_becomes_which() -> None:
    row = ["red 1", "lightblue 1", "darkblue 1", "yellow 1", "orange 1", "purple 1"]
    base = {
        "tavern": 2,
        "row": row,
        "phase": "rolled",
        "direction": "left",
        "seats": [{"dice": [1, 3], "tricks": ["pm1"]}, {}],
    }
    for rolled, told in (
        ([2, 5], ["2 → 1", "2 → 3", "5 → 4", "5 → 6"]),
        ([2, 4], ["2 → 1", "2/4 → 3", "4 → 5"]),
    ):
        state = GAME.notation.parse_position({**base, "rolled": rolled})
        drawn = html.unescape(str(render_board(scene(Match(GAME, 2, state=state), 0))))
        assert re.findall("<small[^>]*>([^<]* → [^<]*)</small>", drawn) == told


class Page(HTMLParser):
    """The HTML elements of a board. The constructor raises AssertionError if they are not closed properly."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data

    @property
    def moves(self) -> list[str]:
        return [str(a["value"]) for t, a in self.tags if t == "button" and a.get("name") == "move"]


class Shot(NamedTuple):
    scene: Scene
    text: str
    page: Page


def scene(match: Match, seat: int | None, **more: object) -> Scene:
    since = max([0, *(i for i, ply in enumerate(match.plies) if ply.seat == seat)])
    legal = tuple(zip(match.legal(seat), match.texts(seat), strict=True)) if seat in match.actors else ()
    return Scene(
        view=match.view(seat),
        seat=seat,
        names=NAMES,
        legal=legal if seat is not None else (),
        last=match.events(seat, since),
        actors=match.actors,
        over=match.over,
        table="quay-7",
        **more,
    )


def walk(options: dict[str, object]) -> Match:
    return Match(GAME, 2, GAME.settle(2, options))


def step(match: Match, rng: random.Random) -> None:
    if match.chance:
        chances = match.chances()
        match.land(rng.choices([c for c, _ in chances], [w for _, w in chances])[0])
        return
    seat = match.actors[0]
    legal = match.legal(seat)
    liked = [a for a in legal if isinstance(a, Roll | Place)]
    match.act(seat, rng.choice(liked if liked and rng.random() < 0.6 else legal))


@pytest.fixture(scope="module", params=range(len(OPTIONS)))
def shots(request: pytest.FixtureRequest) -> list[Shot]:
    """Return boards of a random game, for about a third of its decisions.

    If several games make a match, return boards for about a tenth of the decisions.
    Each board is drawn and parsed once, for all tests that use it.
    """
    often = 0.1 if "match" in OPTIONS[request.param] else 0.3
    rng = random.Random(request.param)
    found: list[Scene] = []
    match = walk(OPTIONS[request.param])
    while not match.over:
        step(match, rng)
        if match.actors and rng.random() < often:
            found.append(scene(match, match.actors[0]))
            if rng.random() < 0.2:
                found.append(scene(match, rng.choice([1 - match.actors[0], None])))
        elif rng.random() < often / 5:
            found.append(scene(match, rng.choice([0, 1, None])))
    found += [scene(match, seat) for seat in (0, 1, None)]
    return [Shot(moment, text := render_board(moment), Page(text)) for moment in found]


@pytest.mark.sampled(2)
def test_exactly_the_legal_moves_have_a_button(shots: list[Shot]) -> None:
    kinds = set()
    for moment, text, page in shots:
        moves = Counter(page.moves)
        assert set(moves) == {text for _, text in moment.legal}
        # A die with a single target is itself a button, and so is its card; equal dice are two buttons.
        for action, text in moment.legal:
            kinds.add(type(action))
            assert moves[text] <= (3 if isinstance(action, Place) else 1), text
    assert Place in kinds


def test_the_shared_key_of_a_card_and_a_die_lays_that_die(shots: list[Shot]) -> None:
    """If the button on a card has the same keyboard key as a rolled die, the button lays this die."""
    offered = False
    for _moment, _text, page in shots:
        keyed = [found for _tag, found in page.tags if re.search(r"\d", found.get("data-key") or "")]
        dice = {one["data-key"] for one in keyed if "sh-target" not in (one.get("class") or "")}
        offered = offered or bool(dice)
        for one in keyed:
            classes = one.get("class") or ""
            if "sh-target" in classes and not re.search("for-(sharks|exchange)", classes):
                for key in set((one["data-key"] or "").split()) & dice:
                    assert (one["value"] or "").startswith(f"place {key}")
    assert offered


def test_elements_are_closed_and_ids_unique_and_the_content_policy_holds(shots: list[Shot]) -> None:
    for _moment, text, page in shots:
        assert len(page.ids) == len(set(page.ids))
        assert all(i.startswith("quay-7-sh") for i in page.ids)
        for _tag, attributes in page.tags:
            assert not [name for name in attributes if name == "style" or name.startswith("on")]
            assert not str(attributes.get("href", "#")).startswith("javascript")
        assert "<script" not in text
        assert "<style" not in text


def test_names_are_escaped(shots: list[Shot]) -> None:
    texts = [shot.text for shot in shots]
    assert not any("&lt;svg" in text or "&lt;span" in text for text in texts), "our own markup is not escaped"
    assert not any("<b>Bernd" in text for text in texts)
    assert any("&lt;b&gt;Bernd" in text for text in texts)


def test_a_prompt_has_fewer_than_48_characters(shots: list[Shot]) -> None:
    for moment, _text, _page in shots:
        said = GAME.hooks.prompt(moment)
        assert bool(said) == bool(moment.legal)
        assert len(said) < 48, "two lines on a phone, beside the question mark"


def test_every_control_has_an_accessible_name(shots: list[Shot]) -> None:
    for _moment, text, _page in shots:
        for tag in re.findall(r"<button\b.*?</button>|<input\b[^>]*>[^<]*", text):
            named = "aria-label=" in tag or re.sub(r"<kbd.*?</kbd>|<[^>]*>", "", tag).strip()
            assert named or 'class="peek"' in tag or "pick-none" in tag, tag


def test_every_card_and_die_has_a_description_in_words(shots: list[Shot]) -> None:
    for moment, _text, page in shots:
        labels = " ".join(str(a.get("aria-label", "")) for _, a in page.tags)
        for claim in moment.view.row:
            word = f"Card {claim.number}: " if claim.number else f"Place {claim.place}: "
            assert word in page.words
            for seat, count in enumerate(claim.dice):
                if count:
                    name = "You" if seat == moment.seat else NAMES[seat]
                    assert (
                        f"{name}: {count} {'die' if count == 1 else 'dice'} on card {claim.number}" in labels
                    )


def test_every_referenced_drawing_is_in_the_sprite(shots: list[Shot]) -> None:
    drawn = set(re.findall(r'id="([^"]+)"', render_sprite()))
    for _moment, text, _page in shots:
        assert set(re.findall(r'href="#([^"]+)"', text)) <= drawn
    assert set(re.findall(r'href="#([^"]+)"', render_sprite())) <= drawn


def test_each_player_sees_their_own_dice_below(shots: list[Shot]) -> None:
    for moment, text, _page in shots:
        if moment.seat is None:
            continue
        for claim in moment.view.row:
            for side, seat in enumerate((moment.seat, 1 - moment.seat)):
                ids = re.findall(rf'id="quay-7-sh-\d-d{side}-{claim.place}-\d"', text)
                assert len(ids) == claim.dice[seat]


def test_the_board_depends_only_on_the_view() -> None:
    rng = random.Random(3)
    match = walk({})
    for _ in range(150):
        step(match, rng)
    before = render_board(scene(match, 0))
    # A scene made again from a copy of the view gives the same bytes: the board can't reach the state.
    copied = msgspec.structs.replace(match.view(0))
    assert render_board(Scene(**{**_fields(scene(match, 0)), "view": copied})) == before
    # A spectator's board shows no moves.
    assert Page(render_board(scene(match, None))).moves == []


def _fields(moment: Scene) -> dict[str, object]:
    return {name: getattr(moment, name) for name in Scene.__dataclass_fields__}


class Loud(Translator):
    """A translator that turns texts into capital letters, except their placeholders."""

    def __call__(self, text: str) -> str:
        return re.sub(r"(^|})[^{]*", lambda words: words[0].upper(), text)


def test_the_texts_on_the_board_are_translated() -> None:
    rng = random.Random(5)
    match = walk({"start_trick": "again"})
    while not (match.actors and match.view(0).phase == "rolled"):
        step(match, rng)
    text = render_board(
        scene(
            match,
            match.actors[0],
            translate=Loud(),
        )
    )
    for words in ("TABLE OF THE NATIONS", "CHOOSE"):
        assert words in text
        assert words.capitalize() not in text


def test_the_terminal_fits_80_columns_and_says_the_same_without_colour(shots: list[Shot]) -> None:
    for moment, _text, _page in shots[::5]:
        plain = render_terminal(moment).plain
        assert max(len(line) for line in plain.splitlines()) <= 80
        for seat in (0, 1):
            assert str(moment.view.points[seat]) in plain
        for claim in moment.view.row:
            if claim.number:
                assert f"<{claim.number}>" in plain


def test_the_picture_needs_no_sprite_and_no_stylesheet() -> None:
    text = render_picture()
    assert "<use" not in text
    assert "class=" not in text
    assert "style=" not in text
    Page(text)
    Page(render_sprite())


def test_a_board_is_drawn_fast_and_small(shots: list[Shot]) -> None:
    some = [shot.scene for shot in shots[:40]]
    start = time.process_time()  # independent of other load on the machine
    sizes = [len(render_board(moment)) for moment in some]
    each = (time.process_time() - start) / len(some)
    assert max(sizes) < 48_000
    assert each < 0.02  # 1 ms on an idle machine


def test_a_trick_card_in_the_row_says_what_its_halves_do(shots: list[Shot]) -> None:
    told = re.compile(r'popovertarget="([^"]+-tells-\d)"[^>]*><span class="sr">([^<]+)')
    found = set()
    for moment, text, _page in shots:
        openers = told.findall(text)
        cards = [
            claim.card for claim in moment.view.row if not claim.down and not isinstance(claim.card, Sailor)
        ]
        assert len(openers) == len(cards)
        for target, label in openers:
            assert f'<div popover id="{target}"' in text
            found.add(html.unescape(label))
    assert "2 sailors – add two sailors to one of your crews; roll again – roll both dice again" in found


def test_the_calculation_of_the_points_says_its_rule_from_the_first_round() -> None:
    match = walk({})
    rng = random.Random(1)
    while match.chance:
        step(match, rng)
    text = str(render_board(scene(match, 0)))
    assert (
        "the stronger crew scores only the strength of the weaker one"
        in text[text.index('-sh-sums" class') :]
    )


def test_names_are_escaped_once() -> None:
    """If a player has played a trick, the label of their captain contains the player's name, escaped only once."""
    match = walk({"start_trick": "pm1"})
    rng = random.Random(4)
    while not any(match.view(None).spent):
        step(match, rng)
    drawn = str(render_board(replace(scene(match, None), names=("Anna & Co", "B & B"))))
    assert "has played a trick" in drawn
    assert "&amp;amp;" not in drawn


def test_a_resigned_game_prompts_nobody() -> None:
    match = Match(GAME, 2, {"first_starter": 0})
    while match.chance:
        match.land(match.chances()[0][0])
    drawn = str(render_board(Scene(view=match.view(0), seat=0, names=("Anna", "Bernd"), over=True)))
    assert "The game is over." in drawn
    assert "may roll" not in drawn


def test_the_points_in_the_standing_add_up(shots: list[Shot]) -> None:
    for moment, text, _page in shots:
        if 'class="sh-final"' in text:  # the sums replace the table of points
            continue
        standing = text.partition('class="sh-standing"')[2].partition("</table>")[0]
        for side, row in enumerate(re.findall(r'<tr class="s\d">(.*?)</tr>', standing)):
            seat = (moment.seat or 0) if side == 0 else 1 - (moment.seat or 0)
            assert sum(map(int, re.findall(r"<small>\+(\d+)</small>", row))) == moment.view.points[seat]
        shown = re.findall(
            r'<td class="[a-z]*" title="([^"]*)"><span aria-hidden="true">.*?</span><span class="sr">(.*?)</span>',
            standing,
        )
        assert shown
        assert all(title == heard for title, heard in shown), "a tooltip and a screen reader tell the same"
        assert "×" not in standing, "read out, 13 and 5× are 135"


def test_the_cards_to_come_that_lie_in_the_row_are_marked(shots: list[Shot]) -> None:
    tricks = 0
    for moment, text, _page in shots:
        view = moment.view
        overview = text.partition('-coming" class')[2].partition('class="sh-note"')[0]
        if not overview or not view.row:
            continue
        marked = re.findall(r'class="sh-chip-card (\w+) in-row"', overview)
        tricks += marked.count("joker")
        assert marked.count("joker") == len(view.tricks_to_come[0])
        assert len(marked) == sum(1 for claim in view.row if not claim.down)
    assert tricks


def test_badges_distinguish_dice_from_pips(shots: list[Shot]) -> None:
    found = set()
    for moment, text, _page in shots:
        chips = re.findall(r'class="sh-chip \w+ (\w+)".*?<span class="of-(\w+)">(\d+:\d+)?</span>', text)
        rules = {claim.rule for claim in moment.view.row}
        for rule, counted, _figures in chips:
            assert rule in rules
            assert counted == ("pips" if rule in ("neighbours", "tie") else "dice")
            found.add(counted)
    assert "dice" in found


def test_a_waiting_player_sees_what_the_other_player_may_do() -> None:
    match = walk({})
    rng = random.Random(8)
    told = {}
    while not match.over and len(told) < 2:
        step(match, rng)
        if match.actors and any(isinstance(action, Roll) for action in match.legal(match.actors[0])):
            text = render_board(scene(match, 1 - match.actors[0]))
            both = len(match.legal(match.actors[0])) == 2
            told[both] = "may roll or call Shanghai" in text
            assert ("is about to roll" in text) is not both
    assert told == {True: True, False: False}


def test_irreversible_moves_take_two_steps(shots: list[Shot]) -> None:
    jokers = 0
    for _moment, text, _page in shots:
        halves = re.findall(r'<ul class="sh-tricks".*?</ul>', text)
        assert not any('name="move"' in half for half in halves), "a press on a half shows its effect first"
        jokers += 'value="joker' in text
        assert not re.search(r'value="shanghai"(?![^>]*data-says="Call Shanghai and end the round)', text)
        order = re.search(r'value="roll".*?class="sh-peek".*?value="shanghai"', text)
        both = 'value="roll"' in text and 'value="shanghai"' in text
        assert bool(order) is both, "what ends the round does not lie beside what is pressed turn by turn"
    assert jokers


def test_a_joker_shows_its_points_beside_the_dice_that_were_rolled() -> None:
    match, rng, signs = walk({"start_trick": "pm1"}), random.Random(3), set()
    while not match.over:
        seat = match.actors[0] if match.actors else 0
        view = match.view(seat)
        for action in match.legal(seat) if match.actors else ():
            if not isinstance(action, Joker):
                continue
            then = match.match_at()
            then.act(seat, action)
            lead = [one.points[seat] - one.points[1 - seat] for one in (view, then.view(seat))]
            worth = lead[1] - lead[0]
            signs.add((worth > 0) - (worth < 0))
            shown = f"{worth:+}".replace("-", "\u2212") if worth else "\u00b10"
            text = html.unescape(render_board(scene(match, seat)))
            [found] = re.findall(
                rf'<button[^>]*value="{GAME.notation.write(action)}"[^>]*>.*?</button>', text
            )
            assert f">{shown}</b>" in found
            assert f"your lead changes by {shown} points" in found
            [back] = re.findall(r'<label class="sh-back.*?</label>', text)
            assert [int(value) for value in re.findall("#sh-d0-([1-6])", back)] == list(view.rolled)
        step(match, rng)
    assert signs == {-1, 0, 1}


def filled(page: Page) -> dict[str, list[str]]:
    """Return the fields that a browser sends for a form."""
    fields: dict[str, list[str]] = {}
    select = ""
    for tag, attrs in page.tags:
        name = str(attrs.get("name"))
        if tag == "select":
            select = name
            fields[select] = []
        elif tag == "option" and ("selected" in attrs or not fields[select]):
            fields[select] = [str(attrs["value"])]
        elif tag == "input" and (attrs.get("type") != "checkbox" or "checked" in attrs):
            fields[name] = [str(attrs.get("value", "on"))]
    return fields


def test_the_position_form_keeps_the_fields_that_it_does_not_show() -> None:
    rng = random.Random(5)
    seen = Counter[str]()
    for options in OPTIONS:
        match = walk(options)
        while True:
            position = GAME.notation.write_position(match.state)
            phase = str(position.get("phase", "turn"))
            seen[phase] += 1
            if seen[phase] < 8 or rng.random() < 0.05:
                again = read_setup(filled(Page(render_setup(position, Translator()))))
                assert GAME.notation.write_position(GAME.notation.parse_position(again)) == position
            if match.over:
                break
            step(match, rng)
    assert set(seen) == set(PHASES)


def test_changed_dice_in_the_position_form_drop_the_rest_of_the_turn() -> None:
    cards = ["red 4", "green 1", "both", "grey 2", "orange 3", "red 1"]
    before = {
        "row": cards,
        "seats": [{"trick_spent": True}, {}],
        "rolled": [2, 4],
        "phase": "changed",
        "named": 3,
        "trick_this_turn": True,
        "face_down": [2],
    }
    fields = filled(Page(render_setup(before, Translator())))
    assert read_setup(fields) == before
    other = read_setup({**fields, "low": ["5"]})
    assert other == {
        name: value for name, value in before.items() if name not in ("named", "trick_this_turn")
    } | {"phase": "rolled", "rolled": [5, 4]}
    short = read_setup({**fields, "row.5": [""]})
    assert (short["phase"], "face_down" in short) == ("dealing", False)


def test_sailors_can_be_typed_without_spaces() -> None:
    assert read_setup({"crew.0.red": ["1334"], "crew.1.red": ["1,3 pm1 34"]})["seats"] == [
        {"crew": {"red": {"sailors": [1, 3, 3, 4]}}},
        {"crew": {"red": {"sailors": [1, 3, 3, 4], "jokers": ["pm1"]}}},
    ]


def test_only_dice_just_rolled_are_shown_as_thrown() -> None:
    match = Match(GAME, options={"start_trick": "pm1"})
    rng = random.Random(5)
    while match.chance:
        match.apply_chance(rng.choice(match.chances())[0])
    seat = match.actors[0]
    match.act(seat, match.parse("roll"))
    match.apply_chance(rng.choice(match.chances())[0])

    rolled = scene(match, seat)
    assert 'class="sh-cast s0 thrown"' in str(render_board(rolled))
    resigned = replace(rolled, over=True)
    assert 'class="sh-cast s0"' in str(render_board(resigned))
    trick = next(text for text in match.texts(seat) if text.startswith("pm1"))
    match.act(seat, match.parse(trick))
    assert 'class="sh-cast s0"' in str(render_board(scene(match, seat))), "the trick rolled nothing"


def test_a_trick_of_the_other_player_is_named_until_the_viewer_acts() -> None:
    match = Match(GAME, options={"start_trick": "both"})
    rng = random.Random(5)

    def roll(seat: int) -> None:
        match.act(seat, match.parse("roll"))
        while match.chance:
            match.apply_chance(rng.choice(match.chances())[0])

    while match.chance:
        match.apply_chance(rng.choice(match.chances())[0])
    seat = match.actors[0]
    roll(seat)
    match.act(seat, match.parse("both left"))
    assert f"{NAMES[seat]} played “both dice”" in html.unescape(str(render_board(scene(match, 1 - seat))))
    assert "played “both dice”" not in html.unescape(str(render_board(scene(match, seat))))
    roll(1 - seat)
    assert "played “both dice”" not in html.unescape(str(render_board(scene(match, 1 - seat))))


@pytest.mark.parametrize("count", [0, 1, 4, 5, 8, 9])
def test_a_drawing_has_all_trick_cards_beside_each_other_inside_the_panel(count: int) -> None:
    match = Match(GAME, 2)
    view = msgspec.structs.replace(match.view(0), tricks=((Trick.BOTH,) * count, ()))
    svg = str(render_drawing(Scene(view=view, seat=0, names=("Anna", "Bert"))))
    found = re.findall(r'<svg x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" class="half-art"', svg)
    places = [tuple(map(float, place)) for place in found]
    assert len(places) == count
    for n, (x, y, width, height) in enumerate(places):
        assert 330 <= x <= 570 - width
        assert 354 <= y <= 422 - height  # between the points and the crews
        assert all(abs(x - left) >= width or abs(y - top) >= height for left, top, *_ in places[:n])


def test_no_false_reason_stands_below_the_tricks_if_nothing_can_be_played(shots: list[Shot]) -> None:
    looked = 0
    for moment, text, _page in shots:
        if moment.legal and moment.view.turn == moment.seat and not moment.view.spent[moment.seat]:
            still = render_board(replace(moment, legal=(), table="quay-8"))
            assert "<small>" not in still.partition('<ul class="sh-tricks"')[2].partition("</ul>")[0]
            looked += 'class="sh-tricks"' in text
    assert looked


def test_the_points_from_earlier_games_do_not_include_the_last_game(shots: list[Shot]) -> None:
    for moment, _text, _page in shots:
        seen = moment.view
        if seen.match != "sum_of_three":
            continue
        told = [f"from earlier games: {n}" for n in seen.totals]
        if seen.phase == "over":
            told = [f"from earlier games: {n - now}" for n, now in zip(seen.totals, seen.points, strict=True)]
        text = " ".join(render_terminal(moment).plain.split())
        assert all(one in text for one in told)
