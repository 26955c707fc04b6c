"""Requirements of the board on pages and in terminals. One test checks many positions of played games."""

from __future__ import annotations

import dataclasses
import html
import random
import re
import time
from html.parser import HTMLParser
from typing import Literal

import pytest
from markupsafe import Markup

from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.core.catalogues import words_of
from spelunke.core.chance import seed_stream
from spelunke.core.letters import with_letters
from spelunke.core.words import plain
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, bots, drafts, moves
from spelunke.games.sanghai.cards import kind_of, parse_meld
from spelunke.games.sanghai.drafts import compose_move
from spelunke.games.sanghai.happenings import HepWon, RoundScored
from spelunke.games.sanghai.hints import hints
from spelunke.games.sanghai.ui import (
    awaited,
    prompt,
    render_board,
    render_draft,
    render_picture,
    render_screen,
    render_sprite,
    render_terminal,
)
from spelunke.games.sanghai.ui.frame import Frame

from .positions import SWAPPING, at_window, play, step

NAMES = ("Anna & Co", "<b>Bernd</b>", "Carla", "Dirk", "Eino", "Frida", "Gerd", "Hanna")
VOID = {"input", "br", "wbr"}
OPTIONS: tuple[tuple[int, dict[str, object]], ...] = (
    (4, {}),
    (8, {"show_discards": "all", "joker_swap": True, "black_twos_wild": True}),
    (3, {"hep_window": "sequenced", "hep_tie": "vote", "schedule": "shanghai10"}),
    (2, {"two_player_deal12": True}),
)
ABOUT_TO_LAY = {
    "round": 1,
    "turn": 0,
    "seats": [{"hand": hand, "heps": 2} for hand in ("7s 7h 7c 9s 9d * jh", "2c", "2d", "2h")],
}


class Page(HTMLParser):
    """The HTML elements of a board. The constructor fails if an element is not closed properly."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def scene_of(match: Match, seat: int | None) -> Scene:
    legal = match.legal(seat) if seat is not None else ()
    return Scene(
        view=match.view(seat),
        seat=seat,
        names=NAMES[: match.seats],
        legal=tuple((action, GAME.notation.write(action)) for action in legal),
        last=match.events(seat, max(0, match.ply - 4)),
        actors=match.actors,
        over=match.over,
    )


def look(match: Match) -> None:
    for seat in (None, *range(min(match.seats, 3))):
        scene = scene_of(match, seat)
        text = str(render_board(scene))
        page = Page(text)
        ids = [attrs["id"] for _, attrs in page.tags if attrs.get("id")]
        assert len(ids) == len(set(ids))
        assert not re.search(r"\sstyle=|<style|<script|\son[a-z]+=", text)
        assert "<b>Bernd" not in text
        offered = {
            str(attrs.get("value"))
            for tag, attrs in page.tags
            if tag == "button" and attrs.get("name") == "move"
        }
        legal = {t for _, t in scene.legal}
        assert {text for text in offered if text != "compose" and not text.startswith("lay ")} <= legal
        for action, move in scene.legal:
            if not isinstance(action, moves.OpenSet | moves.OpenRun) and move != "hep tied":
                assert move in offered, move
        below = [
            attrs.get("value")
            for tag, attrs in page.tags
            if tag == "button" and "sg-drop" in str(attrs.get("class"))
        ]
        for action, move in scene.legal:
            if isinstance(action, moves.Add | moves.Swap):
                assert below.count(move) == scene.view.hand.count(action.card), (
                    "one for each such card in hand"
                )
        for tag, attrs in page.tags:
            if tag == "button" and attrs.get("name") == "move" and attrs.get("value") != "compose":
                assert attrs.get("aria-label")
        plain = render_terminal(scene).plain
        assert plain
        assert "lack 0" not in plain, "a complete contract says so"


@pytest.mark.sampled
@pytest.mark.parametrize(("seats", "options"), OPTIONS)
@pytest.mark.parametrize("planned", [False, True])
def test_the_board_offers_exactly_the_legal_moves(
    seats: int, options: dict[str, object], planned: bool
) -> None:
    match = Match(GAME, seats, options)
    rng = random.Random(seats + planned)
    bot, stream = bots.PlannerBot(GAME), seed_stream(seats)
    looked = 0
    for _ in range(420):
        if match.over:
            break
        if match.chance:
            found = match.chances()
            match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
            continue
        if rng.random() < 0.15:
            look(match)
            looked += 1
        seat = rng.choice(match.actors)
        legal = match.legal(seat)
        match.act(seat, bot.choose(match.view(seat), legal, stream) if planned else rng.choice(legal))
    assert looked > 20


def test_the_table_shows_how_a_round_ended_until_the_next_action() -> None:
    match = Match(GAME, 3, {})
    rng, bot, stream = random.Random(3), bots.PlannerBot(GAME), seed_stream(3)
    told = 0
    while match.view(None).lap < 3:
        lap = match.view(None).lap
        if match.chance:
            found = match.chances()
            match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
        if match.view(None).lap > lap:
            for seat in range(3):
                text = str(
                    render_board(
                        dataclasses.replace(scene_of(match, seat), last=match.events(seat, match.ply - 1))
                    )
                )
                assert text.count('class="sg-ended"') == 1
                assert f"round {lap}." in text
                assert 'class="sg-ended"' not in str(
                    render_board(dataclasses.replace(scene_of(match, seat), last=()))
                )
                told += 1
    assert told == 6


def about_to_lay(language: str, own: bool | None = None) -> Scene:
    """Return the scene of a player who may lay the contract."""
    words = words_of(GAME.package, language)
    match = Match(GAME, 4, state=GAME.notation.parse_position(ABOUT_TO_LAY))
    return dataclasses.replace(
        scene_of(match, 0), translate=words if own is None else with_letters(words, own=own)
    )


def test_each_column_of_the_score_table_has_the_face_of_the_player() -> None:
    scene = scene_of(at_window(), 0)
    faces = tuple(Markup('<svg class="avatar n{}"></svg>').format(seat) for seat in range(len(scene.names)))
    drawn = str(render_board(dataclasses.replace(scene, faces=lambda: faces)))
    heads = re.findall(r'<th scope="col" class="num"><svg class="avatar n(\d)"></svg><span>', drawn)
    assert heads == [str(seat) for seat in range(len(scene.names))]
    assert "avatar" not in str(render_board(scene))


def test_a_laying_is_read_aloud_in_words() -> None:
    for language, told in {
        "en": "Lay 7 of spades, 7 of hearts and 7 of clubs; 9 of spades, 9 of diamonds and joker",
        "de": "Auslegen: Pik 7, Herz 7 und Kreuz 7; Pik 9, Karo 9 und Joker",
        "fi": "Pöytää: pata 7, hertta 7 ja risti 7; pata 9, ruutu 9 ja jokeri",
    }.items():
        tags = Page(str(render_board(about_to_lay(language)))).tags
        labels = {attrs["aria-label"] for _, attrs in tags if str(attrs.get("value")).startswith("lay ")}
        assert labels == {told}


@pytest.mark.parametrize("language", ["en", "de", "nl", "fr", "it", "fi"])
def test_no_label_contains_a_card_in_move_notation(language: str) -> None:
    for _tag, attrs in Page(str(render_board(about_to_lay(language)))).tags:
        written = re.search(r"\b(10|[2-9jqka])[shdc]\b", f"{attrs.get('aria-label')} {attrs.get('title')}")
        assert not written, attrs


def test_a_meld_is_read_aloud_in_words() -> None:
    frame = Frame(about_to_lay("de"))
    assert frame.spoken_meld(parse_meld("4d-7d")) == "Karo 4 bis Karo 7"
    assert frame.spoken_meld(parse_meld("5c *6c 7c 8c")) == "Kreuz 5, Joker als Kreuz 6, Kreuz 7 und Kreuz 8"


def test_spoken_court_cards_have_the_form_of_each_language() -> None:
    said = {"en": "queen of spades", "de": "Pik Dame", "nl": "schoppenvrouw", "fi": "patarouva"}
    assert {language: Frame(about_to_lay(language)).spoken("qs") for language in said} == said


def test_the_button_of_a_discard_is_one_sentence() -> None:
    for language, told in {"en": "Discard <b>J♥</b>", "de": "<b>J♥</b> abwerfen"}.items():
        board = html.unescape(str(render_board(about_to_lay(language))))
        assert re.search(rf'value="discard jh"[^>]*>{re.escape(told)} <kbd[^>]*>Enter</kbd></button>', board)


@pytest.mark.parametrize(("own", "jack"), [(None, "J♥"), (True, "B♥"), (False, "J♥")])
def test_the_terminal_uses_the_card_letters_that_the_reader_chose(own: bool | None, jack: str) -> None:
    scene = about_to_lay("de", own)
    assert jack in render_terminal(scene).plain
    assert jack in render_screen(scene, Screen(80, 20)).plain


def test_the_button_that_waits_for_calls_looks_like_a_button() -> None:
    match = at_window()
    offered = [
        str(attrs["class"])
        for seat in match.actors
        for _tag, attrs in Page(str(render_board(scene_of(match, seat)))).tags
        if attrs.get("value") == "wait"
    ]
    assert offered == ["button sg-wait"]


def test_a_replay_shows_each_hand_once_and_none_before_the_deal() -> None:
    for match, hands in ((Match(GAME, 4), 0), (at_window(), 4)):
        view = GAME.hooks.open_view(match.state)
        board = str(render_board(Scene(view=view, seat=None, names=NAMES[:4], past=True)))
        assert "nothing left" not in board
        assert "sg-shown" not in board
        assert board.count('<ol class="sg-cards">') == hands


def test_players_without_the_wait_button_have_a_place_reserved_for_it() -> None:
    match = at_window()
    kept = {
        seat: "sg-wait-place" in render_board(scene_of(match, seat)) for seat in (None, *range(match.seats))
    }
    asked = {seat: (moves.Wait(), "wait") in scene_of(match, seat).legal for seat in kept}
    assert kept == {seat: seat is not None and not asked[seat] for seat in kept}
    assert sum(asked.values()) == 1


@pytest.mark.parametrize("text", ["pass", "never in round 1", "any king", "at most 0"])
def test_the_board_says_that_orders_pass_before_and_after_the_answer(text: str) -> None:
    match = at_window()
    orders = {"private": {"text": text}, "legal": (), "pause_ms": 5000, "pause_left_ms": 4000}
    before = render_board(dataclasses.replace(scene_of(match, 2), **orders))
    play(match, "2: pass")
    after = render_board(dataclasses.replace(scene_of(match, 2), **orders))
    assert "Your standing orders pass for you." in before
    assert "Your standing orders pass for you." in after
    assert "Hep!" not in before
    other = dataclasses.replace(scene_of(at_window(), 2), **(orders | {"private": {"text": "any 7"}}))
    assert "Waiting a moment for calls." in render_board(other)


def test_the_prompt_offers_the_stock_only_after_all_have_answered() -> None:
    match = at_window(4)
    assert "Take the discard, or wait for calls." in render_board(scene_of(match, 1))
    assert prompt(scene_of(match, 1)) == "take the 7♠, or wait for calls"
    play(match, "2: pass", "3: pass")
    assert "Draw from the stock, or take the discard." in render_board(scene_of(match, 1))
    assert prompt(scene_of(match, 1)) == "take the 7♠, or draw"


def test_the_fields_of_the_form_become_the_text_of_a_move() -> None:
    assert compose_move({"do": ["lay"], "card": ["7s.1", "7s.2"], "melds": [""]}) == "lay 7s 7s"
    assert (
        compose_move({"do": ["lay"], "card": ["7s.1"], "melds": ["7s 7h * | 4d-7d"]}) == "lay 7s 7h * | 4d-7d"
    )
    assert compose_move({"do": ["discard"], "card": ["kd.1"]}) == "discard kd"


def test_drawings_are_well_formed_and_rendered_quickly() -> None:
    Page(str(render_sprite()))
    Page(str(render_picture()))
    match = Match(GAME, 8)
    while match.chance:
        match.land(match.chances()[0][0])
    scene = scene_of(match, 0)
    render_board(scene)
    began = time.process_time()  # independent of other load on the machine
    for _ in range(5):
        render_board(scene)
    assert time.process_time() - began < 1.0


def test_the_countdown_ring_is_the_same_for_every_viewer() -> None:
    match = play(at_window(5), "3: pass")
    for viewer in (None, 0, 1, 2, 3, 4):
        scene = dataclasses.replace(scene_of(match, viewer), pause_ms=5000, pause_left_ms=3200)
        text = str(render_board(scene))
        assert text.count('data-pause="5000" data-left="3200"') == 1, viewer
        assert '<b data-seconds aria-hidden="true">4</b>' in text
        over = str(render_board(dataclasses.replace(scene, pause_left_ms=0)))
        assert "data-pause" not in over


@pytest.mark.parametrize(
    ("left", "said"), [(4800, "5 seconds left"), (1001, "2 seconds left"), (1000, "1 second left")]
)
def test_screen_readers_get_the_time_left_to_call(left: int, said: str) -> None:
    match = at_window(5)
    callers = 0
    for viewer in (None, 0, 1, 2, 3, 4):
        scene = dataclasses.replace(scene_of(match, viewer), pause_ms=5000, pause_left_ms=left)
        text = str(render_board(scene))
        told = re.findall(r'<span class="sr" id="([^"]*-left)">([^<]*)</span>', text)
        assert [words for _, words in told] == [said], viewer
        assert not re.search(r'class="sg-call[^>]*(aria-live|role=)', text), (
            "a screen reader must not read it each second"
        )
        hep = [attrs for _, attrs in Page(text).tags if "sg-hep" in str(attrs.get("class")).split()]
        assert all(told[0][0] in str(attrs["aria-describedby"]).split() for attrs in hep)
        callers += len(hep)
        still = str(render_board(dataclasses.replace(scene, pause_ms=None, pause_left_ms=None)))
        assert told[0][0] not in still
    assert callers


def test_the_draft_names_the_rank_that_a_set_needs_if_a_joker_could_complete_it() -> None:
    hands = ({"hand": hand} for hand in ("3s 3s 3d 3c * 9h jh", "2c", "2d", "2h"))
    position = {"round": 1, "turn": 0, "seats": list(hands)}
    match = Match(GAME, 4, state=GAME.notation.parse_position(position))
    fields = {"card": ["3s.1", "3s.2", "3d.1", "3c.1"]}
    considered = drafts.preview_draft(fields, match.view(0), lambda: match.events(0), None)
    scene = dataclasses.replace(scene_of(match, 0), draft=fields, considered=considered)
    assert re.findall("<em>([^<]*)</em>", str(render_board(scene))) == ["1 missing: any 3"] * 2


def test_the_draft_says_how_many_cards_would_be_left() -> None:
    match = Match(GAME, 4, state=GAME.notation.parse_position(ABOUT_TO_LAY))
    for cards, said in (
        ("7s 7h 7c 9s 9d *", "one card is left to discard"),
        ("7s 7h 7c 9s 9d", "2 cards are left, one of them to discard"),
        ("7s 7h 7c 9s 9d * jh", "no card would be left to discard"),
    ):
        fields = {"card": [f"{card}.1" for card in cards.split()]}
        considered = drafts.preview_draft(fields, match.view(0), lambda: match.events(0), None)
        scene = dataclasses.replace(scene_of(match, 0), draft=fields, considered=considered)
        assert said in str(render_board(scene))


@pytest.mark.parametrize("laid", [False, True])
def test_of_several_picked_cards_none_can_be_discarded(*, laid: bool) -> None:
    hands = [{"hand": "7s 9d jh", "laid": laid}, *({"hand": card, "laid": laid} for card in ("2c", "2d"))]
    melds = [
        {"owner": seat, "cards": f"{rank}s {rank}h {rank}c"}
        for seat in range(3)
        for rank in ("kq5"[seat], "j86"[seat])
    ]
    position = {"turn": 0, "seats": hands, "melds": melds if laid else []}
    match = Match(GAME, 3, state=GAME.notation.parse_position(position))
    for picked, said in ((1, False), (2, True)):
        fields = {"card": ["7s.1", "9d.1"][:picked]}
        considered = drafts.preview_draft(fields, match.view(0), lambda: match.events(0), None)
        scene = dataclasses.replace(scene_of(match, 0), draft=fields, considered=considered)
        assert ("To discard, pick only one card." in str(render_board(scene))) == said


def test_parts_that_follow_a_draft_are_parts_of_the_board() -> None:
    match = at_window(5)
    kept = {"text": "sevens"}
    fields = {"card": [f"{card}.1" for card in match.view(2).hand[:1]], "order.text": ["hearts"]}
    considered = drafts.preview_draft(fields, match.view(2), lambda: match.events(2), kept)
    scene = dataclasses.replace(scene_of(match, 2), private=kept, draft=fields, considered=considered)
    text = str(render_board(scene))
    parts = render_draft(scene)
    assert len(parts) == 4
    for name, part in parts.items():
        assert f'id="{name}"' in part
        assert str(part) in text
        Page(str(part))
    assert f'value="{fields["card"][0]}" checked' in text
    assert ">hearts</textarea>" in text
    Page(text)


@pytest.mark.parametrize(
    ("seats", "owners", "last", "large"),
    [
        (4, 1, "4s 4h 4c", True),
        (4, 2, "4s 4h 4c", True),
        (4, 3, "4s 4h 4c", False),
        (4, 1, "4s 4h 4c 4d 4s 4h 4c 4d", False),
        (3, 1, "4s 4h 4c 4d 4s 4h 4c 4d", True),
        (3, 3, "4s 4h 4c", False),
    ],
)
def test_melds_have_large_cards_while_the_table_has_space(
    seats: int, owners: int, last: str, *, large: bool
) -> None:
    melds = [
        {"owner": seat, "cards": f"{rank}s {rank}h {rank}c"}
        for seat in range(owners)
        for rank in ("kq8"[seat], "5j6"[seat])
    ]
    melds[-1]["cards"] = last
    hands = [
        {"hand": ["7s 7h 9s 2c", "7s 7h 9d", "10s 10h 9s", "7c 7d 9h"][seat], "laid": seat < owners}
        for seat in range(seats)
    ]
    position = {"turn": 0, "seats": hands, "melds": melds}
    match = Match(GAME, seats, state=GAME.notation.parse_position(position))
    assert ('class="sg-laid-out roomy"' in str(render_board(scene_of(match, 0)))) == large


def test_the_number_of_a_meld_and_the_next_card_do_not_cover_the_label_of_a_wild_card() -> None:
    melds = [{"owner": 0, "cards": cards} for cards in ("* js qs ks", "9h * jh qh")]
    seats = [{"hand": hand, "laid": hand == "2c"} for hand in ("2c", "2d", "2h")]
    done = [{"points": [0, 0, 0]}] * 2
    position = {"round": 3, "finished": done, "turn": 0, "seats": seats, "melds": melds}
    match = Match(GAME, 3, state=GAME.notation.parse_position(position))
    board = str(render_board(scene_of(match, 0)))
    assert [found == " led" for found in re.findall('class="sg-meld run( led)?[ "]', board)] == [True, False]
    left, width = re.search(r'class="role [^>]*><rect x="([\d.]+)" [^>]*width="([\d.]+)"', board).groups()
    assert float(left) + float(width) < 60 * 0.8, "the next card leaves 80 % of a wild card free"
    assert re.findall(r'class="as"[^>]*>([^<]*)', html.unescape(board)) == ["10♠", "10♥"]


@pytest.mark.parametrize(
    ("move", "place"), [("add jc to 1", 3), ("add * to 1", 4), ("add * to 2 low", 0), ("add * to 2 high", 5)]
)
def test_an_added_card_slides_from_the_hand_to_its_place_and_back(move: str, place: int) -> None:
    """Each card of a meld keeps its id, and a card that returns from a meld to the hand names the meld first."""
    melds = [{"owner": 0, "cards": cards} for cards in ("js jh jc *", "4h * 6h 7h 8h")]
    seats = [{"hand": hand, "laid": hand == "* jc kc"} for hand in ("* jc kc", "2d", "2h")]
    done = [{"points": [0, 0, 0]}]
    position = {"round": 2, "finished": done, "turn": 0, "seats": seats, "melds": melds}
    match = Match(GAME, 3, state=GAME.notation.parse_position(position))
    meld, before = move.split()[3], str(render_board(scene_of(match, 0)))
    play(match, f"0: {move}")
    after = str(render_board(scene_of(match, 0)))
    cards = f'<li id="([^"]*-m{meld}-[^"]*)" class="[^"]*" data-piece="([^"]*)" data-from="(?:[^"]*)"'
    known, found = (re.findall(cards, board) for board in (before, after))
    assert [at for at, card in enumerate(found) if card not in known] == [place]
    assert [card for card in found if card in known] == known
    card = f'data-piece="hand-{re.escape(move.split()[1])}" data-from="([^"]*)"'
    assert re.findall(card, before)[0].split()[-2:] == [found[place][1], "stock"]


def test_the_top_card_slides_from_its_player_until_the_next_draw() -> None:
    position = {"turn": 0, "seats": [{"hand": hand} for hand in ("kc jc", "2d", "2h")]}
    match = Match(GAME, 3, state=GAME.notation.parse_position(position))
    play(match, "0: discard kc")
    origin = re.compile('data-piece="pile-kc" data-from="([^"]*)"')
    assert origin.findall(str(render_board(scene_of(match, None)))) == ["hand-kc left-0"]
    while match.view(None).phase != "turn":
        if match.chance:
            step(match, random.Random(1))
        else:
            texts = [(seat, text) for seat in match.actors for text in match.texts(seat)]
            play(match, next(f"{seat}: {text}" for seat, text in texts if text in ("pass", "stock")))
    assert origin.findall(str(render_board(scene_of(match, None)))) == [""]


def test_the_hint_adds_cards_to_melds_before_it_discards() -> None:
    others = ({"hand": card} for card in ("2c", "3c", "4c"))
    position = {"turn": 0, "seats": [{"hand": "7s 7h 7c 9s 9h 9c 9d kc"}, *others]}
    match = Match(GAME, 4, state=GAME.notation.parse_position(position))
    said = []
    for move in ("lay 7s 7h 7c | 9s 9h 9c", "add 9d to 2", ""):
        said += re.findall(r"Best now: ([^<]*?)\.<", html.unescape(render_board(scene_of(match, 0))))
        if move:
            match.act(0, match.parse(move))
    assert said == ["lay the contract", "add cards to melds", "discard K♣"]


def waiting(match: Match, seat: int) -> str:
    """Return the sentence that a seat reads while it waits for one other seat."""
    told = match.game.hooks.seats_maybe_asked(match.state_at(match.ply), seat)
    actors = match.actors if told is None else told[1]
    return awaited(dataclasses.replace(scene_of(match, seat), actors=actors))


def test_the_board_names_the_seat_that_may_still_call() -> None:
    match = play(at_window(3), "1: wait")
    assert waiting(match, 1) == "Carla may still call hep."
    match = play(match, "2: pass")
    assert waiting(match, 2) == "", "it is the next player's turn"


def test_the_board_names_the_seat_whose_vote_is_missing() -> None:
    match = play(
        at_window(hep_tie="vote", hep_window="sequenced"), "2: hep", "3: hep", "1: stock", "0: vote 3"
    )
    assert waiting(match, 0) == "Waiting for the vote of <b>Bernd</b>."


def test_the_dealer_of_the_last_round_is_marked_after_the_game() -> None:
    match, rng = Match(GAME, 3, {"schedule": "short"}), random.Random(2)
    dealer = -1
    while not match.over:
        dealer = int(match.state.dealer)
        step(match, rng)
    scene = Scene(view=match.view(0), seat=0, names=NAMES[:3], over=True)
    page = str(render_board(scene))
    marked = [
        seat for seat, line in enumerate(re.split(r'class="sg-player seat-', page)[1:]) if "sg-dealer" in line
    ]
    lines = re.findall(r'class="sg-player seat-(\d)', page)
    assert [int(lines[place]) for place in marked] == [dealer]
    lines = render_terminal(scene).plain.splitlines()
    assert [name for name in NAMES[:3] if any(name in line and "dealer" in line for line in lines)] == [
        NAMES[dealer]
    ]


def test_each_swap_names_the_wild_card_that_it_takes() -> None:
    match = Match(
        GAME, 3, {"joker_swap": True, "black_twos_wild": True}, state=GAME.notation.parse_position(SWAPPING)
    )
    scene = scene_of(match, 0)
    board = str(render_board(scene))
    swaps = [action for action, _text in scene.legal if isinstance(action, moves.Swap)]
    seven, ace = "7 of spades", "ace of diamonds"
    taken = {(seven, "2 of spades", 1), (ace, "joker", 2), (ace, "joker", 4)} | {
        (card, wild, 3) for card in ("8 of spades", "8 of hearts") for wild in ("joker", "2 of clubs")
    }
    labels = {f"Swap the {card} for the {wild} of meld {n}" for card, wild, n in taken}
    assert set(re.findall(r'aria-label="(Swap the [^"]*)"', board)) == labels
    assert "Take the 2♣ of meld 3" in html.unescape(board)
    assert len(swaps) == len(labels) + 1  # the longest run has a joker at each end
    told = [GAME.hooks.describe_action(swap, scene.view, scene.names, plain) for swap in swaps]
    assert "Swap the 8♠ for the 2♣ of meld 3" in told
    names = [name for meaning in GAME.hooks.explain_choices(scene) for name in meaning.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("black", [False, True])
def test_a_black_two_that_is_wild_says_so(black: bool) -> None:
    hands = [{"hand": hand} for hand in ("2s 2d 5h", "2c", "2h")]
    position = {"turn": 0, "options": {"black_twos_wild": black}, "seats": hands}
    match = Match(GAME, 3, {}, state=GAME.notation.parse_position(position))
    board = str(render_board(dataclasses.replace(scene_of(match, 0), table=f"black-{black}")))
    said = re.findall(r'<span class="sr">([^<]* of [^<]*)</span><span class="sr">wild</span>', board)
    assert said == ["2 of spades"] * black
    assert board.count('class="rank">&#9733;') == black


@pytest.mark.parametrize(("window", "knowing"), [("live", {1}), ("sequenced", {0, 1, 2, 3, None})])
def test_no_time_for_calls_is_shown_to_those_who_know_that_all_have_answered(
    window: str, knowing: set[int | None]
) -> None:
    match = play(at_window(4, hep_window=window), "2: pass")
    time = {"pause_ms": 5000, "pause_left_ms": 3000}
    for passed in (False, True):
        if passed:
            play(match, "3: pass")
        for seat in (None, 0, 1, 2, 3):
            scene = dataclasses.replace(scene_of(match, seat), **time)
            known = passed and seat in knowing
            assert ("data-pause" in str(render_board(scene))) is not known
            assert ("seconds left" in render_screen(scene, Screen(80, 24)).plain) is not known


NO_CARD = "The stock is empty: if you don't take the discard, you get no card."
NO_ROUND = "The stock is empty for good: if you don't take the discard, the round ends."


@pytest.mark.parametrize(
    ("pile", "shuffled", "call", "told"),
    [
        ("7s", 0, "pass", NO_CARD),
        ("9s 7s", 0, "hep", NO_CARD),
        ("9s 7s", 0, "pass", ""),
        ("9s 7s", 1, "pass", NO_ROUND),
        ("9s 7s", 1, "hep", NO_CARD),
        ("9s 8s 7s", 1, "hep", NO_ROUND),
    ],
)
def test_a_draw_from_an_empty_stock_says_what_follows(pile: str, shuffled: int, call: str, told: str) -> None:
    match = play(at_window(4, reshuffle_limit=1), "2: pass", f"3: {call}")
    s = match.state
    s.stock[:] = s.pile[:] = 0
    for card in pile.split():
        s.pile[kind_of(card)] += 1
    s.stocked, s.piled, s.shuffled = 0, len(pile.split()), shuffled
    scene = scene_of(match, 1)
    meaning = next(one for one in GAME.hooks.explain_choices(scene) if "stock" in one.moves)
    board = html.unescape(str(render_board(scene)))
    for sentence in (NO_CARD, NO_ROUND):
        assert (sentence in meaning.text) == (sentence in board) == (sentence == told)
    play(match, "1: stock")
    ends, draws = match.view(None).lap == 2, match.chance
    assert (ends, draws) == (told == NO_ROUND, told == "" or told == NO_ROUND)


def test_a_call_says_whether_its_card_would_help() -> None:
    said = set()
    for pile in ("7s", "3h", "kd"):
        match = at_window(4, pile)
        for seat in range(4):
            scene = scene_of(match, seat)
            found = {hint.kind: hint for hint in hints(scene.view)}
            board = str(render_board(scene))
            if moves.Hep() not in [action for action, _text in scene.legal] or "helps" not in found:
                assert "sg-helps" not in board
                continue
            helps = scene.view.top in found["helps"].cards
            told = re.search(r'class="sg-helps" id="([^"]+)">The .+ would( not)? help\.', board)
            assert told is not None
            assert (told[2] is None) == helps == ('<span class="sg-fits">+' in board)
            hep = board[board.index('class="sg-hep"') :]
            assert told[1] in re.search(r'aria-describedby="([^"]+)"', hep)[1].split()
            said.add(helps)
    assert said == {True, False}


def test_a_call_is_explained_once_even_if_it_could_tie() -> None:
    match = play(at_window(5), "3: hep")
    told = [one.choice for one in GAME.hooks.explain_choices(scene_of(match, 2))]
    assert told == ["Hep!", "Pass"]
    assert render_screen(scene_of(match, 2), Screen(80, 24)).plain.count("Hep!") == 1


def test_no_card_of_a_new_deal_is_marked_as_new() -> None:
    match = at_window(4)
    won = (HepWon(0, "2c", 1), RoundScored(1, 1, (0,) * 4, (0,) * 4, ((),) * 4, "out"))
    scene = dataclasses.replace(scene_of(match, 0), last=won[:1])
    assert 'class="sg-new"' in str(render_board(scene))
    scene = dataclasses.replace(scene, last=won, table="another")
    assert 'class="sg-new"' not in str(render_board(scene))


@pytest.mark.parametrize("most", [0, 1, 4, 6])
def test_the_form_of_orders_shows_the_stored_limit(most: int) -> None:
    scene = dataclasses.replace(scene_of(at_window(4), 0), private={"text": f"what helps\nat most {most}"})
    board = str(render_board(scene))
    assert f'<option value="{most}" selected>at most {most} in a round' in board
    assert f">They answer for you: what helps · at most {most}</span>" in board
    assert 'class="sg-orders"><summary>' in board, "the head says it, and the panel stays closed"
    assert ">They answer" not in str(render_board(scene_of(at_window(4), 0)))


@pytest.mark.parametrize(("rounds", "first", "as_text"), [("3-10", "3", False), ("7-9", "", True)])
def test_orders_for_rounds_after_the_last_one_can_be_shown(rounds: str, first: str, as_text: bool) -> None:
    match = at_window(4, schedule="short")
    text = f"what helps\nonly in rounds {rounds}"
    board = str(render_board(dataclasses.replace(scene_of(match, 0), private={"text": text})))
    (shown,) = re.findall(r'<select[^>]*name="order.from".*?</select>', board, re.DOTALL)
    assert f'value="{first}" selected' in shown
    assert bool(re.search(r'-orders-text" open', board)) == as_text
    assert ('<option value="text" selected>' in board) == as_text


def test_only_voters_are_asked_who_was_first() -> None:
    match = play(at_window(5), "3: hep", "2: hep tied", "4: pass", "1: stock")
    for seat in (None, 0, 1, 2, 3, 4):
        scene, votes = scene_of(match, seat), seat in (0, 1, 4)
        for shown in (render_screen(scene, Screen(80, 24)).plain, str(render_board(scene))):
            assert ("Who was first?" in shown, "The others vote." in shown) == (votes, not votes)


def test_a_vote_says_what_silence_means() -> None:
    """Silence is a vote for the caller who comes first in turn (N-C4): the page says so while the time runs."""
    match = play(at_window(5), "3: hep", "2: hep tied", "4: pass", "1: stock")
    scene = scene_of(match, 4)
    silent = GAME.hooks.silent_action(match.state, 4)
    assert isinstance(silent, moves.Vote)
    said = f"Without an answer in time, your vote is for {scene.names[silent.seat]}."
    assert said in str(render_board(dataclasses.replace(scene, pause_ms=5000, pause_left_ms=4000)))
    assert "Without an answer" not in str(render_board(scene)), "no time is running"


def test_an_instruction_names_the_end_of_a_run_in_words() -> None:
    ends: tuple[tuple[Literal["low", "high"] | None, str], ...] = (
        ("low", ", at its low end"),
        ("high", ", at its high end"),
        (None, ""),
    )
    for end, said in ends:
        told = GAME.hooks.describe_action(moves.Add("5c", 2, end), at_window().view(1), NAMES, plain)
        assert told == f"Add the 5♣ to meld 2{said}"


def test_a_tooltip_says_how_to_sort_the_hand() -> None:
    board = str(render_board(scene_of(at_window(), 0)))
    assert re.search(
        r'<label title="Drag the cards[^"]*"><input [^>]*data-sort="own">my order</label>', board
    )
