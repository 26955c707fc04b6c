"""Input that is not sent yet: the contract tray, and the effect of standing orders on past discards."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.errors import SpelunkeError
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, bots, drafts, happenings, moves, notation, orders, reader
from spelunke.games.sanghai.aside import write_aside
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.rehearsal import Rehearsal, rehearse
from spelunke.games.sanghai.tray import Tray, check_tray


def at_turn(hand: str, lap: int = 1, **options: object) -> Match:
    position = {
        "options": options,
        "round": lap,
        "finished": [{"points": [0, 0, 0, 0]}] * (lap - 1),
        "turn": 0,
        "seats": [{"hand": hand, "heps": 2}, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}],
    }
    return Match(GAME, 4, options, state=notation.parse_position(position))


def tell_slots(match: Match, picked: str) -> list[str]:
    tray = check_tray(match.view(0), picked.split())
    assert tray is not None
    return [
        f"{slot.form} {' '.join(slot.cards) or '-'}{f', {slot.missing} missing' if slot.missing else ''}"
        for slot in tray.slots
    ]


HAND = "7s 7h 7c 9s 9d 4d 5d 6d 7d kh * 2s"


@pytest.mark.parametrize(
    ("lap", "picked", "slots"),
    [
        (1, "", ["set -, 3 missing", "set -, 3 missing"]),
        (1, "7s 7h", ["set 7s 7h, 1 missing", "set -, 3 missing"]),
        (1, "7s 7h 7c 9s", ["set 7s 7h 7c", "set 9s, 2 missing"]),
        (1, "7s 7h 7c 9s 9d *", ["set 7s 7h 7c", "set 9s 9d *"]),
        (1, "7s 7h 7c 7d 9s 9d *", ["set 7s 7h 7d 7c", "set 9s 9d *"]),
        (2, "7s 7h 7c 4d 6d", ["set 7s 7h 7c", "run 4d 6d, 2 missing"]),
        (2, "7s 7h 7c 4d 5d 6d 7d", ["set 7s 7h 7c", "run 4d 5d 6d 7d"]),
        (2, "9s 9d * 4d 5d 6d 7d", ["set 9s 9d *", "run 4d 5d 6d 7d"]),
        (3, "4d 5d 6d", ["run 4d 5d 6d, 1 missing", "run -, 4 missing"]),
    ],
)
def test_each_set_and_run_reports_the_number_of_missing_cards(
    lap: int, picked: str, slots: list[str]
) -> None:
    assert tell_slots(at_turn(HAND, lap), picked) == slots


def test_the_tray_names_the_wanted_cards_of_each_begun_meld() -> None:
    match = at_turn(HAND, 2)
    tray = check_tray(match.view(0), "7s 7h 4d 6d".split())
    assert tray is not None
    assert tray.slots[0].wants[0][:-1] == "7"
    assert "5d" in tray.slots[1].wants
    assert tray.missing == 3
    assert not tray.lays
    nothing = check_tray(match.view(0), [])
    assert nothing is not None
    assert all(slot.wants == () for slot in nothing.slots)


def test_picked_cards_that_fit_no_meld_are_spare_and_one_must_stay() -> None:
    match = at_turn(HAND)
    tray = check_tray(match.view(0), "7s 7h 7c 9s 9d * kh".split())
    assert tray is not None
    assert (tray.missing, tray.spare, tray.lays) == (0, ("kh",), False)
    tray = check_tray(match.view(0), "7s 7h 7c 9s 9d *".split())
    assert tray is not None
    assert (tray.spare, tray.left, tray.leaves, tray.lays) == ((), 6, True, True)
    tight = at_turn("7s 7h 7c 9s 9d 9c")
    tray = check_tray(tight.view(0), list(tight.view(0).hand))
    assert tray is not None
    assert (tray.missing, tray.left, tray.leaves, tray.lays) == (0, 0, False, False)


def test_cards_of_others_and_second_copies_do_not_count() -> None:
    match = at_turn(HAND)
    tray = check_tray(match.view(0), "7s 7s 2c kd".split())
    assert tray is not None
    assert tray.picked == 1
    assert check_tray(match.view(None), ["7s"]) is None
    match.act(0, match.parse("lay 7s 7h 7c | 9s 9d *"))
    assert check_tray(match.view(0), ["kh"]) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "options", [{}, {"black_twos_wild": True}, {"distinct_sets": True}, {"no_adjacent_runs": True}]
)
def test_the_tray_accepts_exactly_the_cards_that_the_rules_allow(options: dict[str, object]) -> None:
    rng = random.Random(str(options))
    said = refused = 0
    for _ in range(60):
        lap = rng.randint(1, 8)
        pack = [*notation_cards(), "*", "*", "*", "*"]
        weights = [4 if card[0] in "4567*" else 1 for card in pack]
        hand = [
            card
            for card, _ in sorted(zip(pack, weights, strict=True), key=lambda one: -rng.random() * one[1])
        ]
        hand = hand[:14]
        match = at_turn(" ".join(hand), lap, **options)
        view = match.view(0)
        _most, laying = reader.Reader(view).plan(False)
        picked = [card for meld in laying for card in meld.cards] or rng.sample(hand, 8)
        if rng.random() < 0.4:
            picked = rng.sample(picked, len(picked) - 1)
        tray = check_tray(view, picked)
        assert tray is not None
        assert Counter([c for slot in tray.slots for c in slot.cards] + list(tray.spare)) == Counter(picked)
        assert sum(slot.missing for slot in tray.slots) == tray.missing
        legal = lays(match, picked)
        assert tray.lays == legal
        said += legal
        refused += not legal
    assert said > 10
    assert refused > 10


@pytest.mark.parametrize(
    ("lap", "hand", "picked", "options"),
    [
        (8, "6h 5h 8h kh jh 9h 2s 3d", "6h 5h 8h kh jh 9h", {"last_round_at_once": True}),
        (8, "6h 5h 8h kh jh 9h 2s 3d", "6h 5h 8h kh jh 9h", {}),
        (7, "* 2c 3h 6h", "3h", {"black_twos_wild": True}),
        (7, "* 2c 3h 6h", "* 2c", {"black_twos_wild": True}),
        (7, "2s 2c * *", "2s 2c * *", {"black_twos_wild": True}),
        (2, "* * * * 2s 2s 2c kd", "* * * * 2s 2s 2c", {"black_twos_wild": True}),
    ],
)
def test_each_set_and_run_has_its_line(lap: int, hand: str, picked: str, options: dict[str, object]) -> None:
    match = at_turn(hand, lap, **options)
    check_lines(match, picked.split())


@pytest.mark.parametrize("seed", range(12))
def test_each_set_and_run_has_its_line_whatever_is_picked(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(16):
        names = ("black_twos_wild", "distinct_sets", "no_adjacent_runs", "last_round_at_once")
        options = {name: rng.random() < 0.5 for name in names}
        lap = 8 if number % 4 == 0 else rng.randint(1, 8)
        suits = rng.sample("shdc", rng.randint(1, 4))
        pack = [card for card in notation_cards() if card[-1] in suits]
        pack += ["*"] * rng.randint(0, 4) + ["2c"] * rng.randint(0, 1)
        hand = rng.sample(pack, min(rng.randint(3, 14), len(pack) - 1))
        match = at_turn(" ".join(hand), lap, **options)
        check_lines(match, rng.sample(hand, rng.randint(0, len(hand))))


def check_lines(match: Match, picked: list[Card]) -> None:
    contract = match.view(0).contract
    tray = check_tray(match.view(0), picked)
    assert tray is not None
    forms = [slot.form for slot in tray.slots]
    assert (forms.count("set"), forms.count("run")) == (contract.sets, contract.runs), picked
    assert sum(slot.missing for slot in tray.slots) == tray.missing
    assert Counter([c for slot in tray.slots for c in slot.cards] + list(tray.spare)) == Counter(picked)


def notation_cards() -> list[Card]:
    ranks = ("a", *map(str, range(2, 11)), "j", "q", "k")
    return [rank + suit for suit in "shdc" for rank in ranks if rank != "2" or suit == "s"] * 2


def lays(match: Match, picked: list[Card]) -> bool:
    try:
        match.act(0, match.parse("lay " + " ".join(picked)))
    except SpelunkeError:  # refused, for any reason
        return False
    match.undo()
    return True


# ---- standing orders on past discards


def walk(seed: int, plies: int, **options: object) -> Match:
    """Play up to ``plies`` plies of a game between planner bots, but with random calls."""
    match = Match(GAME, 4, {"hep_limit": 2, **options})
    rng = random.Random(seed)
    bot, stream = bots.PlannerBot(GAME), seed_stream(seed)
    for _ in range(plies):
        if match.over:
            break
        if match.chance:
            found = match.chances()
            match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
            continue
        seat = rng.choice(match.actors)
        legal = match.legal(seat)
        if moves.Hep() in legal:
            match.act(seat, rng.choice([moves.Hep(), moves.Pass(), moves.Pass()]))
        else:
            match.act(seat, bot.choose(match.view(seat), legal, stream))
    return match


def rehearsed(match: Match, seat: int, text: str) -> Rehearsal:
    return rehearse(orders.read_orders(text), match.events(seat), match.view(seat))


def windows_of(match: Match, seat: int) -> list[tuple[int, Card, bool]]:
    """Return the round, the card, and whether the card helps, for each discard that the seat could call for.

    The result is computed from the states alone.
    """
    found = []
    for ply in match.plies:
        if isinstance(ply.deed, moves.Discard):
            state = match.state_at(ply.number + 1) if ply.number + 1 < match.ply else match.state
            seen = GAME.view.view(state, seat)
            if seen.phase == "window" and seat in seen.entitled:
                found.append((seen.lap, seen.top, seen.top in reader.helping(seen)))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("options", [{}, {"hep_window": "sequenced", "hep_penalty": 1, "hep_tie": "vote"}])
def test_a_rehearsal_lists_each_callable_discard_with_the_hand_at_that_time(
    options: dict[str, object],
) -> None:
    match = walk(3, 900, **options)
    asked = passed = called = 0
    for seat in range(4):
        windows = windows_of(match, seat)
        found = rehearsed(match, seat, "what helps, at most five").discards[::-1]
        assert [(one.lap, one.card) for one in found] == [(lap, card) for lap, card, _ in windows]
        limits = {}
        for one, (lap, _card, helps) in zip(found, windows, strict=True):
            limits[lap] = limits.get(lap, 0) + (one.fate in ("won", "contested"))
            if limits[lap] <= 2 and one.called is False:
                assert not helps or limits[lap] == 2
                passed += 1
            elif one.called:
                assert helps
                called += 1
            asked += 1
    assert asked > 60
    assert passed > 10
    assert called > 3


def test_the_limit_of_an_order_counts_within_each_round() -> None:
    match = walk(5, 900)
    for seat in range(4):
        most: dict[int, int] = {}
        for one in rehearsed(match, seat, "any, spades, hearts, diamonds, clubs, at most one more").discards:
            if one.fate in ("won", "contested"):
                most[one.lap] = most.get(one.lap, 0) + 1
        assert most
        assert set(most.values()) == {1}
        never = rehearsed(match, seat, "spades, hearts; never in round 1")
        assert any(one.lap == 1 for one in never.discards)
        assert not any(one.called for one in never.discards if one.lap == 1)
        assert never.calls == sum(bool(one.called) for one in never.discards)


def test_orders_with_only_limits_leave_other_calls_to_the_player() -> None:
    match = walk(5, 900)
    found = rehearsed(match, 2, "never in round 1").discards
    assert {one.called for one in found if one.lap == 1} == {False}
    assert {one.called for one in found if one.lap > 1} == {None}


def test_a_rehearsal_says_whether_a_call_would_have_won() -> None:
    def tale(*what: happenings.Event) -> str:
        match = Match(GAME, 4)
        seen = msgspec.structs.replace(match.view(2), hand=("7s",))
        found = rehearse(
            orders.read_orders("sevens"), (happenings.Discarded(0, "7h", 9), *what), seen
        ).discards
        assert len(found) == 1
        return found[0].fate

    assert tale() == "open"
    assert tale(happenings.Took(1, "7h")) == "lost"
    assert tale(happenings.Declined(1)) == "won"
    assert (
        tale(happenings.Called(3, "7h", False), happenings.Declined(1), happenings.HepWon(3, "7h", 1))
        == "contested"
    )
    assert (
        tale(happenings.Called(2, "7h", False), happenings.Declined(1), happenings.HepWon(2, "7h", 1))
        == "won"
    )
    lost = (happenings.Called(3, "7h", False), happenings.Called(2, "7h", False), happenings.Declined(1))
    assert tale(*lost, happenings.HepWon(3, "7h", 1)) == "lost"
    assert tale(*lost, happenings.CardStays("7h")) == "lost"


def test_a_rehearsal_depends_only_on_events_and_view_of_the_seat() -> None:
    """A rehearsal (the calls that orders would have made) is the same if only the cards of other seats differ."""
    match = walk(7, 500)
    told = match.events(1)
    world = GAME.view.imagine(match.view(1), seed_stream(7))
    assert world.tobytes() != match.state.tobytes()
    again = rehearse(orders.read_orders("what helps"), told, GAME.view.view(world, 1))
    assert again.discards
    assert again == rehearsed(match, 1, "what helps")
    others = [event.card for event in told if isinstance(event, happenings.Dealt) and event.seat != 1]
    assert set(others) == {None}


def test_the_preview_of_a_draft_reports_picked_cards_and_orders() -> None:
    match = at_turn(HAND)
    view = match.view(0)

    def consider(fields: dict[str, list[str]], kept: object = None) -> drafts.Draft | None:
        return drafts.preview_draft(fields, view, lambda: match.events(0), kept)

    assert consider({}) == drafts.Draft()
    assert consider({"card": ["7s.1", "7h.1"]}).tray.picked == 2
    assert consider({"card": []}).tray.picked == 0
    assert consider({"order.text": ["any elephant"]}).trouble
    assert consider({"order.text": [""]}, {"text": "sevens"}).orders is None
    assert consider({}, {"text": "sevens"}).orders == Rehearsal((), 0, False)
    form = {"order.call": [""], "order.most": [""], "order.from": [""], "order.to": [""]}
    assert consider(form | {"order.text": ["was hilft"]}, {"text": "what helps"}).orders is None
    assert consider(form | {"order.text": ["hearts\r\nnines"]}, {"text": "hearts\nnines"}).orders
    assert consider(form | {"order.text": ["any elephant"]}, {"text": "what helps"}).trouble
    assert drafts.preview_draft({"card": ["7s.1"]}, match.view(None), lambda: (), None) is None


def test_a_contract_is_put_together_meld_by_meld() -> None:
    match = at_turn(HAND, 2)
    view = match.view(0)

    def press(**fields: str) -> Tray:
        given = {name: text.split() if name == "card" else [text] for name, text in fields.items()}
        found = drafts.preview_draft(given, view, lambda: match.events(0), None)
        assert found is not None
        assert found.tray is not None
        return found.tray

    run = press(card="6d.1 4d.1 7d.1 5d.1", draft="aside")
    assert write_aside(run.aside) == "4d.1 5d.1 6d.1 7d.1"
    assert [(slot.form, slot.missing) for slot in run.slots] == [("set", 3)]
    picked = press(aside=write_aside(run.aside), card="7h.1 *.1 7s.1")
    assert picked.meld
    both = press(aside=write_aside(run.aside), card="7h.1 *.1 7s.1", draft="aside")
    assert (both.lays, both.picked, both.missing, both.left) == (True, 0, 0, 5)
    move = drafts.compose_move({"do": ["lay"], "melds": [""], "aside": [write_aside(both.aside)]})
    assert move == "lay 4d 5d 6d 7d | 7s 7h *"
    back = press(aside=write_aside(both.aside), draft="back 1")
    assert (write_aside(back.aside), back.lays) == ("7s.1 7h.1 *.1", False)
    match.act(0, match.parse(move))
    assert [entry.meld.form for entry in match.view(0).melds] == ["run", "set"]


@pytest.mark.parametrize(
    ("lap", "hand", "melds"),
    [
        (3, "5s * * * 8h 9h 10h jh 2c", ("5s.1 *.1 *.2 *.3", "8h.1 9h.1 10h.1 jh.1")),
        (2, "5s * * * 8h 8d 8c 2c", ("8h.1 8d.1 8c.1", "5s.1 *.1 *.2 *.3")),
        (2, "2s * * * 8h 8d 8c 2c", ("8h.1 8d.1 8c.1", "2s.1 *.1 *.2 *.3")),
        (5, "5s * * * 5h 5d 5c 8h 8d 8c 2c", ("5h.1 5d.1 5c.1", "8h.1 8d.1 8c.1", "5s.1 *.1 *.2 *.3")),
    ],
)
@pytest.mark.parametrize("black", [False, True])
def test_one_card_with_jokers_is_the_form_that_the_contract_still_needs(
    lap: int, hand: str, melds: tuple[str, ...], black: bool
) -> None:  # N-T2
    match = at_turn(hand, lap, jokers_per_pack=4, black_twos_wild=black)
    view, aside = match.view(0), ""
    for cards in melds:
        assert consider_cards(match, aside, cards, "").meld
        tray = consider_cards(match, aside, cards, "aside")
        assert not tray.amiss
        aside = write_aside(tray.aside)
        assert write_aside(consider_cards(match, aside, "", "").aside) == aside
    assert tray.lays
    match.act(0, match.parse(drafts.compose_move({"do": ["lay"], "aside": [aside]})))
    forms = [entry.meld.form for entry in match.view(0).melds]
    assert (forms.count("set"), forms.count("run")) == (view.contract.sets, view.contract.runs)


def consider_cards(match: Match, aside: str, cards: str, draft: str) -> Tray:
    fields = {"aside": [aside], "card": cards.split(), "draft": [draft]}
    found = drafts.preview_draft(fields, match.view(0), lambda: match.events(0), None)
    assert found is not None
    assert found.tray is not None
    return found.tray


@pytest.mark.parametrize(
    ("aside", "card", "draft", "kept", "amiss"),
    [
        ("", "7s.1 6d.1 kh.1", "aside", "", True),  # no meld
        ("", "4d.1 5d.1 6d.1", "aside", "", True),  # too short for this contract's run
        ("7s.1 7h.1 7c.1", "9s.1 9d.1 *.1", "aside", "7s.1 7h.1 7c.1", True),  # the contract has only one set
        ("7s.1 7h.1 9c.1", "", "", "", False),
        ("7s.2 7h.1 7c.1", "", "", "7s.1 7h.1 7c.1", False),  # the other 7s was discarded
        ("7s.2 7h.1 7c.1", "7s.1", "", "7s.1 7h.1 7c.1", False),
        ("7s.1 7h.1 7c.1 | 7s.1 9s.1 9d.1", "", "", "7s.1 7h.1 7c.1", False),  # no card twice
        ("7s.1 7h.1 7c.1", "", "back 7", "7s.1 7h.1 7c.1", False),
        ("elephant | 7s", "7s.1", "back x", "", False),
        ("7s.1 7h.1 7c.1", "", f"back {'1' * 5000}", "7s.1 7h.1 7c.1", False),
    ],
)
def test_cards_that_form_no_meld_are_not_set_aside(
    aside: str, card: str, draft: str, kept: str, amiss: bool
) -> None:
    tray = consider_cards(at_turn(HAND, 2), aside, card, draft)
    assert (write_aside(tray.aside), tray.amiss) == (kept, amiss)
