"""Standing orders are parsed, stored and obeyed."""

from __future__ import annotations

import pytest

from spelunke.core.errors import BadInput
from spelunke.games.sanghai import moves, orders

from .positions import at_window

ORDERS = (
    ("any nine", "9h", 1, 0, True),
    ("any nine", "8h", 1, 0, False),
    ("hearts", "2h", 1, 0, True),
    ("hearts, jokers", "*", 1, 0, True),
    ("nines\nat most one more", "9h", 1, 0, True),
    ("nines\nat most one more", "9h", 1, 1, False),
    ("nines; never in round 3", "9h", 3, 0, False),
    ("nines; no calls in round 3", "9h", 3, 0, False),
    ("nines; no calls in rounds 3-5", "9h", 6, 0, True),
    ("nines; never in rounds 3-5", "9h", 6, 0, True),
    ("nines; only in round 7", "9h", 6, 0, False),
    ("pass", "9h", 1, 0, False),
    *((text, "10s", 1, 0, True) for text in ("10s", "ts", "s10", "10♠", "tens", "any 10", "10", "any 10s")),
    *((text, "10h", 1, 0, False) for text in ("10s", "ts", "s10", "10♠", "9s", "nines, 10s")),
    *((text, "10h", 1, 0, True) for text in ("tens", "ten", "any 10", "all 10s", "9s 10", "nines, any 10s")),
    *((text, "9h", 1, 0, False) for text in ("9s", "10s", "any 10, 9s")),
    *((text, "9h", 1, 0, True) for text in ("nines", "any 9", "any 9s", "all nines", "9 10s")),
    *((text, "ks", 1, 0, True) for text in ("ks", "kings", "any k", "king")),
    *((text, "kh", 1, 0, False) for text in ("ks", "as", "js")),
)


@pytest.mark.parametrize(("text", "card", "lap", "won", "wanted"), ORDERS)
def test_standing_orders_want_the_cards_that_their_text_names(
    text: str, card: str, lap: int, won: int, wanted: bool
) -> None:
    known = orders.orders_of(orders.check_orders(text))
    assert known is not None
    assert orders.wants_card(known, card, lap, won) == wanted


@pytest.mark.parametrize("text", ["any elephant", "at most", "never in round 99", "x" * 500])
def test_orders_without_meaning_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"\w+ \w+"):
        orders.check_orders(text)


def test_orders_act_for_their_seat_alone() -> None:
    match = at_window(5)
    legal = match.legal(2)
    assert orders.action_by_orders({"text": "any seven"}, match.view(2), legal) == moves.Hep()
    assert orders.action_by_orders({"text": "hearts"}, match.view(2), legal) == moves.Pass()
    assert orders.action_by_orders({}, match.view(2), legal) is None
    assert orders.action_by_orders({"text": "at most three"}, match.view(2), legal) is None
    assert orders.action_by_orders({"text": "any seven"}, match.view(1), match.legal(1)) is None
    since = orders.check_orders("sevens, at most one more", match.view(2))
    assert since["since"] == "1 0"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("any seven, only in rounds 3-3", None),
        ("pass, only in rounds 2-4", None),
        ("at most 0, only in rounds 2-4", None),
        ("any seven, only in round 1", moves.Hep()),
        ("hearts, only in round 1", moves.Pass()),
        ("any seven, never in round 1", moves.Pass()),
        ("any seven, only in round 3, never in round 1", moves.Pass()),
    ],
)
def test_orders_for_some_rounds_leave_the_other_rounds_to_the_player(
    text: str, action: moves.Action | None
) -> None:
    match = at_window(5)
    kept = orders.check_orders(text, match.view(2))
    assert orders.action_by_orders(kept, match.view(2), match.legal(2)) == action


LIMITS = (  # with one call won in round 1 when the orders were stored
    ("sevens, at most one", 1, 1, False),
    ("sevens, at most two", 1, 1, True),
    ("sevens, at most two", 1, 2, False),
    ("sevens, at most one", 2, 0, True),
    ("sevens, at most one more", 1, 1, True),
    ("sevens, at most one more call", 1, 2, False),
    ("sevens, at most one more", 2, 0, True),
    ("sevens, at most one more", 2, 1, False),
    ("sevens, at most one more, at most one", 1, 1, False),
)


@pytest.mark.parametrize(("text", "lap", "won", "wanted"), LIMITS)
def test_only_a_limit_with_the_word_more_ignores_earlier_calls(
    text: str, lap: int, won: int, wanted: bool
) -> None:
    match = at_window(5)
    match.state.heps[2] = 1
    known = orders.orders_of(orders.check_orders(text, match.view(2)))
    assert known is not None
    assert orders.wants_card(known, "7s", lap, won) == wanted


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("never in round 10", (1, 10)),
        ("never in round 1", (1,)),
        ("never in rounds 1-3", (1, 2, 3)),
        ("never in rounds 3 1", (1, 3)),
        ("nines", (1,)),
        ("", (1,)),
    ],
)
def test_skipping_this_round_is_added_to_the_stored_orders(text: str, never: tuple[int, ...]) -> None:
    kept = orders.check_orders({"text": text, "do": "never 1"}, at_window(5).view(2))
    known = orders.orders_of(kept)
    assert known is not None
    assert known.never == never
    assert orders.check_orders({"text": kept["text"], "do": "never 1"})["text"] == kept["text"]


@pytest.mark.parametrize(
    ("was", "given", "kept"),
    [
        ("", {"text": "any nine"}, "any nine"),
        ("", {"text": "any nine", "call": "helps"}, None),
        ("", {"call": "helps"}, "what helps"),
        ("what helps", {"text": "was hilft", "call": "pass"}, "pass"),
        ("what helps", {"text": "nines", "call": "helps"}, "nines"),
        ("what helps", {"text": "", "call": "pass"}, "pass"),
        ("any nine", {"text": "tens", "call": "text"}, "tens"),
        ("any nine", {"text": "any nine", "call": "helps"}, "what helps"),
        ("any nine", {"text": "tens", "call": "text", "most": "2"}, None),
        ("nines, at most 2", {"text": "nines, at most 2", "call": "text", "most": "2"}, "nines, at most 2"),
        ("any nine", {"text": "", "call": "text", "most": "2"}, "at most 2"),
    ],
)
def test_saving_the_form_loses_no_changed_text(was: str, given: dict[str, str], kept: str | None) -> None:
    fields = {"call": "", "most": "", "from": "", "to": "", "text": "", "was": was, "do": "form", **given}
    if kept is None:
        with pytest.raises(BadInput, match="say different things"):
            orders.check_orders(fields)
    else:
        assert orders.check_orders(fields) == {"text": kept}


def test_the_fields_of_the_form_become_the_text_of_an_order() -> None:
    chosen = {"do": "form", "text": "any nine", "call": "helps", "most": "2", "from": "3", "to": ""}
    kept = orders.check_orders(chosen)
    assert kept == {"text": "what helps\nat most 2\nonly in rounds 3-10"}
    assert orders.choose_orders(kept["text"]) == {"call": "helps", "most": "2", "from": "3", "to": ""}
    assert orders.check_orders({**chosen, "call": "pass", "most": "", "from": ""}) == {"text": "pass"}
    assert orders.check_orders({"do": "form"}) == {"text": ""}
    assert orders.check_orders({**chosen, "do": "set"}) == {"text": "any nine"}
    assert orders.check_orders({**chosen, "call": orders.BY_TEXT}) == {"text": "any nine"}
    with pytest.raises(BadInput, match="rounds alone are no order"):
        orders.check_orders({"do": "form", "from": "3"})
    with pytest.raises(
        BadInput, match=r"^orders: the first round must not be after the last$"
    ):  # nobody wrote a line
        orders.check_orders({**chosen, "from": "5", "to": "2"})
    for field, value in (("most", "all"), ("from", "0"), ("to", "eleven"), ("from", "7 pass")):
        with pytest.raises(BadInput):
            orders.check_orders({**chosen, "to": "2", field: value})


@pytest.mark.parametrize(("first", "last", "rounds"), [("2", "", "2-4"), ("", "3", "1-3"), ("", "", "")])
def test_the_form_of_orders_shows_the_rounds_that_were_saved(first: str, last: str, rounds: str) -> None:
    view = at_window(4, schedule="short").view(2)
    kept = orders.check_orders({"do": "form", "call": "helps", "from": first, "to": last}, view)
    assert kept == {"text": f"what helps\nonly in rounds {rounds}" if rounds else "what helps"}
    shown = orders.choose_orders(kept["text"], len(view.contracts))
    assert (shown["from"], shown["to"]) == (first, last)
    assert orders.check_orders({"do": "form", **shown}, view) == kept


def test_a_refused_order_names_the_rounds_of_its_game() -> None:
    view = at_window(4, schedule="short").view(2)
    for text, reason in (
        ("only in rounds 4-2", "the first round must not be after the last"),
        ("never in round 11", "say a round from 1 to 4"),
    ):
        with pytest.raises(BadInput, match=reason):
            orders.check_orders(text, view)
    assert orders.check_orders("pass, only in rounds 2-10", view), "it is stored in games of four rounds"
