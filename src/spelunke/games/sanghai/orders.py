"""Standing orders: the server calls for discards while a player is away. Only this player sees the orders.

Each order is on a line of its own, or orders are separated by commas: ``any nine``, ``hearts``, ``9h``,
``jokers``, ``anything that helps``, ``at most one more``, ``no calls in round 3`` or ``never in round 3``,
``only in rounds 5-8``, ``pass``. The server calls for the named cards, within the limits of the orders, and passes
on all others. If the orders name neither cards nor ``pass``, they only set limits: the server passes if a limit
forbids the call, and otherwise the player decides. Players may write orders in any language of the pages
(`order_words.py`).

The server passes in each round that ``never in`` names. With ``only in``, all other orders hold only in the named
rounds, and in the other rounds the player decides: a contract may need a call that the orders must not give away.

A rank with a suit is one card: ``9s`` and ``nine of spades`` are the nine of spades, and ``10s`` is the ten of
spades. All cards of a rank are written as ``nines``, ``10`` or ``any ten``. After ``any`` or ``all``, ``9s``,
``10s`` and ``ks`` also mean all cards of a rank. ``at most one`` limits the calls won in each round. ``at most one
more`` does the same, but does not count calls that were won before the player gave the order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import msgspec

from spelunke.core.errors import BadInput
from spelunke.core.words import plain
from spelunke.games.sanghai.cards import RANKS, SUITS, Card, parse_card, rank_of, suit_of
from spelunke.games.sanghai.moves import Action, Hep, Pass
from spelunke.games.sanghai.order_words import read_words
from spelunke.games.sanghai.reader import helping
from spelunke.games.sanghai.view import View

WORDS = {
    "ace": 1, "two": 2, "deuce": 2, "three": 3, "four": 4, "five": 5, "six": 6, "sixe": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "jack": 11, "queen": 12, "king": 13, "j": 11, "q": 12, "k": 13,
    **{str(rank): rank for rank in range(2, 11)},
}  # fmt: skip
SUIT_WORDS = {"spade": "s", "heart": "h", "diamond": "d", "club": "c"}
NUMBERS = {
    "no": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    **{str(n): n for n in range(7)},
}
LIKE = plain("any nine, hearts, 9h, jokers, what helps, at most one more, no calls in round 3")
EVERY = frozenset({"any", "all"})
IGNORED = EVERY | {"the", "of", "call", "please", "hep"}
LONGEST = 400
MOST_ROUNDS = 10
"""The number of rounds in the longest schedule."""


class Orders(msgspec.Struct, frozen=True, omit_defaults=True):
    """Parsed standing orders.

    ``most`` is the maximum number of calls won in a round; None sets no limit. If ``more`` is True, calls that were
    won before the player gave the order do not count (see ``since``).
    """

    ranks: tuple[int, ...] = ()
    suits: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    helps: bool = False
    most: int | None = None
    more: bool = False
    since: tuple[int, int] | None = None
    """The round in which the player wrote an order with "more", and the number of calls already won in that round.

    With None, all calls of a round count.
    """
    rounds: tuple[int, ...] = ()
    """The rounds in which the orders hold. In others the player decides. With an empty tuple, they always hold."""
    never: tuple[int, ...] = ()
    """The rounds in which the orders allow no calls."""
    silent: bool = False
    """Whether the orders tell the server to pass on every card."""

    @property
    def wants(self) -> bool:
        """Whether the orders do one of two things: name cards to call for, or tell the server to pass on every card."""
        return bool(self.ranks or self.suits or self.cards or self.helps or self.silent)

    @property
    def limits(self) -> bool:
        """Whether the orders limit the number of calls, or forbid calls in some rounds."""
        return self.most is not None or bool(self.never)


@dataclass
class _Lines:
    """The orders on all lines that were read so far. The game has ``last`` rounds."""

    last: int = MOST_ROUNDS
    ranks: list[int] = field(default_factory=list)
    suits: list[str] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    rounds: set[int] = field(default_factory=set)
    never: set[int] = field(default_factory=set)
    helps: bool = False
    silent: bool = False
    most: int | None = None
    more: bool = False

    def orders(self) -> Orders:
        return Orders(
            tuple(self.ranks),
            tuple(self.suits),
            tuple(self.cards),
            helps=self.helps,
            most=self.most,
            more=self.more,
            rounds=tuple(sorted(self.rounds)),
            never=tuple(sorted(self.never)),
            silent=self.silent,
        )


def read_orders(text: str, last: int = MOST_ROUNDS) -> Orders:
    """Return the orders that a text means, in a game with ``last`` rounds.

    Raise BadInput if a line is not an order, or if the text has more than ``LONGEST`` characters.

    The docstring of this module describes the form of orders.
    """
    if len(text) > LONGEST:
        raise BadInput(f"standing orders have at most {LONGEST} characters", "orders")
    found = _Lines(last)
    for line in re.split(r"[\n,;]+", text.lower()):
        said = read_words(line)
        parts = [list(part) for ends, part in groupby(said, "and".__eq__) if not ends]
        parts = [words for part in parts if (words := [word for word in part if word not in IGNORED])]
        if parts:
            _read_line(parts, line.strip(), found, every=not EVERY.isdisjoint(said))
    return found.orders()


def _read_line(parts: Sequence[list[str]], line: str, found: _Lines, *, every: bool) -> None:
    """Read a line of orders. ``parts`` are its words, split at each "and"."""
    words = [word for part in parts for word in part]
    if words[:3] == ["no", "calls", "in"]:
        words = ["never", *words[2:]]
    if words[:2] == ["at", "most"] and len(words) >= 3:
        number = NUMBERS.get(words[2])
        if number is None or words[3:] not in (
            [],
            ["more"],
            ["call"],
            ["calls"],
            ["more", "call"],
            ["more", "calls"],
        ):
            raise BadInput(f"{line!r}: say how many, like 'at most one more'", "orders")
        found.most, found.more = number, "more" in words
    elif words[0] in {"never", "only"} and len(words) >= 3 and words[1] == "in":
        (found.never if words[0] == "never" else found.rounds).update(
            _read_rounds(words[2:], line, found.last)
        )
    elif words in (["never"], ["pass"], ["nothing"], ["none"]):
        found.silent = True
    elif words in (
        ["what", "helps"],
        ["helps"],
        ["anything", "that", "helps"],
        ["that", "helps"],
        ["useful"],
    ):
        found.helps = True
    else:
        for part in parts:
            _read_cards(part, line, found, every)


def _read_rounds(words: list[str], line: str, last: int) -> set[int]:
    """Read the rounds of an order. Rounds after the game's last are allowed: stored orders may have them."""
    rounds: set[int] = set()
    for word in words:
        span = re.fullmatch(r"(\d+)(?:[-–](\d+))?", word)
        if span:
            low, high = int(span[1]), int(span[2] or span[1])
            if low > high:
                raise BadInput(
                    f"{line!r}: the first round must not be after the last, like 'only in rounds 2-4'",
                    "orders",
                )
            if low and high <= MOST_ROUNDS:
                rounds.update(range(low, high + 1))
                continue
        if word not in {"round", "rounds"}:
            raise BadInput(f"{line!r}: say a round from 1 to {last}, like 'never in round 3'", "orders")
    if not rounds:
        raise BadInput(f"{line!r}: say which round, like 'never in round 3'", "orders")
    return rounds


def _read_cards(words: list[str], line: str, found: _Lines, every: bool) -> None:
    """Read words for cards. A word for a rank and a word for a suit together mean one card."""
    if words == ["a"]:
        found.ranks.append(WORDS["ace"])
        return
    if words[0] == "a":  # the article
        words = words[1:]
    here = _Lines()
    for word in words:
        _read_card(word, line, here, every)
    if here.ranks and here.suits:
        if len(words) != 2:
            raise BadInput(
                f"{line!r}: name one card, like '7s', or put commas between ranks and suits", "orders"
            )
        here.cards.append(RANKS[here.ranks.pop() - 1] + here.suits.pop())
    found.ranks += here.ranks
    found.suits += here.suits
    found.cards += here.cards


def _read_card(word: str, line: str, found: _Lines, every: bool) -> None:
    single = word.removesuffix("s")
    spelled = single.isalpha() and len(single) > 1  # `10s` is a card, but `tens` can only mean all tens
    if single in SUIT_WORDS or word in {"♠", "♥", "♦", "♣"}:
        suit = SUIT_WORDS.get(single) or SUITS["♠♥♦♣".index(word)]
        found.suits.append(suit)
    elif (rank := WORDS.get(single if every or spelled else word)) is not None:
        found.ranks.append(rank)
    elif single == "joker":
        found.cards.append("*")
    else:
        try:
            found.cards.append(parse_card(word))
        except BadInput:
            raise BadInput(
                f"{line!r} is not a standing order; standing orders look like {LIKE}", "orders"
            ) from None


BY_TEXT = "text"
"""The value of the form field ``call`` while the stored text says something that the form can't express."""


def compose_orders(fields: Mapping[str, object], last: int = MOST_ROUNDS) -> str:
    """Return a text of standing orders for the choices in a web form, in a game with ``last`` rounds.

    The form fields are ``call`` (``helps`` or ``pass``), ``most`` (the maximum number of calls won in a round),
    and the rounds ``from`` and ``to``. An empty field sets no limit. Raise BadInput if the first round is after the
    last. Other impossible values are refused only when the text is parsed.
    """
    chosen = {name: str(fields.get(name, "")).strip() for name in ("call", "most", "from", "to")}
    lines = {"helps": ["what helps"], "pass": ["pass"]}.get(chosen["call"], [])
    if chosen["most"]:
        lines.append(f"at most {chosen['most']}")
    if chosen["from"] or chosen["to"]:
        span = [int(one) for one in (chosen["from"] or "1", chosen["to"] or str(last)) if one.isdecimal()]
        if span != sorted(span):
            raise BadInput("the first round must not be after the last", "orders")
        lines.append(f"only in rounds {chosen['from'] or '1'}-{chosen['to'] or last}")
    return "\n".join(lines)


def choose_orders(text: str, last: int = MOST_ROUNDS) -> dict[str, str]:
    """Return the form fields that mean the same as a text of orders. This reverses :func:`compose_orders`.

    The fields for the first and the last round of the game are empty, as in the form. The form can express only one
    span of rounds of the game, so rounds 2 and 5 become 2 to 5, and rounds after the last one are left out. Other
    parts of the text that the form can't express are left out. If the text can't be read, return an empty
    dictionary.
    """
    known = orders_of({"text": text})
    if known is None:
        return {}
    rounds = [number for number in known.rounds if number <= last]
    return {
        "call": "pass" if known.silent else "helps" if known.helps else "",
        "most": "" if known.most is None else str(known.most),
        "from": str(rounds[0]) if rounds and rounds[0] > 1 else "",
        "to": str(rounds[-1]) if rounds and rounds[-1] < last else "",
    }


def _takes_text(orders: Mapping[str, object], last: int) -> bool:
    """Return whether a form is saved by its text, and not by its other fields.

    ``was`` is the text that the page showed first. Without it, only the field ``call`` decides. Raise BadInput if the
    player has changed both the text and other fields, because one of them would be lost.
    """
    text, was, by_text = str(orders.get("text", "")), orders.get("was"), orders.get("call") == BY_TEXT
    if not isinstance(was, str):
        return by_text
    if not text.strip() or (mean_the_same(text, was) and not by_text):
        return False
    before = choose_orders(was, last)
    if compose_orders(orders, last) != compose_orders({**before, "call": ""} if by_text else before, last):
        raise BadInput(
            "the fields and the text say different things: "
            "write all orders in the text and save it, or delete the text",
            "orders",
        )
    return True


def mean_the_same(text: str, other: str) -> bool:
    """Return whether two texts mean the same standing orders. The texts may differ in language and line ends."""
    try:
        return read_orders(text) == read_orders(other)
    except BadInput:
        return text == other


def check_orders(orders: object, view: View | None = None) -> dict[str, str]:
    """Return the mapping that the server stores for standing orders. Raise BadInput if they can't be read.

    ``orders`` come from a web form or a client. They are a text, a list of lines, or a mapping with ``text``. If the
    field ``do`` of the mapping is ``form``, the form fields of :func:`compose_orders` replace ``text``, unless the
    field ``call`` is `BY_TEXT`, or only the text has changed (see `_takes_text`). If ``do`` is ``never 3``, the order
    ``never in round 3`` is added to ``text``. If the orders contain "more" and ``view`` is the view of a seat, the
    stored mapping includes the round and the number of calls that the seat has won in it.
    """
    last = MOST_ROUNDS if view is None else len(view.contracts)
    text = orders.get("text", "") if isinstance(orders, Mapping) else orders
    if isinstance(orders, Mapping) and orders.get("do") == "form" and not _takes_text(orders, last):
        text = compose_orders(orders, last)
    if isinstance(text, Sequence) and not isinstance(text, str):
        text = "\n".join(str(line) for line in text)
    if not isinstance(text, str):
        raise BadInput(f"standing orders must be text, like {LIKE}", "orders")
    do = str(orders.get("do", "")) if isinstance(orders, Mapping) else ""
    if re.fullmatch(r"never \d+", do):  # the order "not this round"
        line = f"never in round {do.removeprefix('never ')}"
        if not set(read_orders(line).never) <= set(read_orders(text).never):
            text = f"{text.strip()}\n{line}"
    known = read_orders(text, last)
    if known.rounds and not (known.wants or known.limits):
        raise BadInput(
            "rounds alone are no order: choose also what to call for, or at most how often", "orders"
        )
    kept = {"text": text.strip()}
    if known.more and view is not None and view.seat is not None:
        kept["since"] = f"{view.lap} {view.heps[view.seat]}"
    return kept


def orders_of(kept: object) -> Orders | None:
    """Return the orders that a stored value contains.

    Return None if the value is empty, or if the orders can't be read.
    """
    if not kept:
        return None
    text = kept.get("text", "") if isinstance(kept, Mapping) else str(kept)
    since = kept.get("since") if isinstance(kept, Mapping) else None
    try:
        orders = read_orders(str(text))
        if since and orders.more:
            lap, heps = str(since).split()
            orders = msgspec.structs.replace(orders, since=(int(lap), int(heps)))
    except (BadInput, ValueError):
        return None
    return orders


def wants_card(orders: Orders, card: Card, lap: int, won: int, helps: Sequence[Card] = ()) -> bool:
    """Return whether the orders call for this card in round ``lap``.

    ``won`` is the number of calls that the seat has won in this round so far. ``helps`` are the cards that help
    the hand.
    """
    if orders.silent or lap in orders.never or (orders.rounds and lap not in orders.rounds):
        return False
    if orders.most is not None:
        before = orders.since[1] if orders.since and orders.since[0] == lap else 0
        if won - before >= orders.most:
            return False
    return (
        card in orders.cards
        or (card != "*" and (rank_of(card) in orders.ranks or suit_of(card) in orders.suits))
        or (orders.helps and card in helps)
    )


def action_by_orders(orders: object, view: View, legal: Sequence[Action]) -> Action | None:
    """Return the legal action that the seat's standing orders choose now, or None if the player has to decide."""
    if Pass() not in legal:
        return None
    called = _judge_top(orders, view)
    return None if called is None else Hep() if called else Pass()


def orders_pass(orders: object, view: View) -> bool:
    """Return whether the viewer's standing orders pass on the top discard, whether or not the viewer has answered."""
    return _judge_top(orders, view) is False


def _judge_top(orders: object, view: View) -> bool | None:
    known = orders_of(orders)
    if known is None or view.seat is None or view.top is None:
        return None
    return judge(known, view.top, view.lap, view.heps[view.seat], helping(view) if known.helps else ())


def judge(orders: Orders, card: Card, lap: int, won: int, helps: Sequence[Card]) -> bool | None:
    """Return True if the orders call for a card, False if they pass on it, and None if the player has to decide.

    Orders that name neither cards nor ``pass`` only set limits. If a limit forbids the call, such orders pass on the
    card. Otherwise the player has to decide, and also in rounds in which the orders do not hold.
    """
    if orders.rounds and lap not in orders.rounds and lap not in orders.never:
        return None
    if orders.wants:
        return wants_card(orders, card, lap, won, helps)
    if not orders.limits:
        return None
    anything = msgspec.structs.replace(orders, suits=SUITS, cards=("*",))
    return None if wants_card(anything, card, lap, won) else False
