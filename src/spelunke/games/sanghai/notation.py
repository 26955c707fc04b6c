"""Read and write moves of Sanghai as text.

Several forms of a move can be read, but only one is written. :mod:`.position_text` has the position texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from spelunke.core.errors import BadText
from spelunke.core.words import plain
from spelunke.games.sanghai import position, reading, state
from spelunke.games.sanghai.cards import (
    JOKER_TEXT,
    SUITS,
    Card,
    Meld,
    kind_of,
    parse_card,
    parse_meld,
    rank_of,
    role_at,
    write_meld,
)
from spelunke.games.sanghai.contracts import contract_of
from spelunke.games.sanghai.melds import swaps_out
from spelunke.games.sanghai.moves import (
    OUT,
    Action,
    Add,
    Chance,
    Close,
    Deal,
    Dealer,
    Discard,
    End,
    Hep,
    LayDown,
    Lucky,
    OpenRun,
    OpenSet,
    Pass,
    Put,
    Stock,
    Swap,
    Take,
    Vote,
    Wait,
)
from spelunke.games.sanghai.planning import arrange
from spelunke.games.sanghai.sentences import JOKER_SIGN, SIGNS
from spelunke.games.sanghai.state import State

write_position = position.write_position
parse_position = reading.parse_position

GRAMMAR = (
    "stock",
    "take",
    "wait",
    "hep",
    "pass",
    "vote 3",
    "lay 7s 7h * | 4d-7d",
    "add 9h to 2",
    "add * to 3 as 5d",
    "swap 5d into 3",
    "discard kd",
)
"""One example of each form of a move, without the small steps of a laying. They are for help texts."""

PLAIN: dict[str, Action] = {
    "stock": Stock(),
    "draw": Stock(),
    "take": Take(),
    "wait": Wait(),
    "hep": Hep(),
    "hep!": Hep(),
    "hep tied": Hep(tied=True),
    "pass": Pass(),
    "close": Close(),
}
SHORT = {
    "d": "discard",
    "throw": "discard",
    "meld": "lay",
    "s": "stock",
    "t": "take",
    "h": "hep",
    "p": "pass",
}


def write(action: Action) -> str:
    """Return an action as move text."""
    match action:
        case Stock():
            return "stock"
        case Take():
            return "take"
        case Wait():
            return "wait"
        case Hep(tied):
            return "hep tied" if tied else "hep"
        case Pass():
            return "pass"
        case Vote(seat):
            return f"vote {seat + 1}"
        case Discard(card):
            return f"discard {card}"
        case LayDown(melds):
            return "lay " + " | ".join(write_meld(meld) for meld in melds)
        case OpenSet(rank):
            return f"set {rank}"
        case OpenRun(suit, low):
            return f"run {role_at(suit, low)}"
        case Put(card):
            return f"put {card}"
        case Close(order):
            return " ".join(("close", *map(str, order)))
        case Add(card, meld, end):
            return f"add {card} to {meld}" + (f" {end}" if end else "")
        case Swap(card, meld, out):
            tail = "" if out is None else f" {out}" if out == "high" else f" for {out}"
            return f"swap {card} into {meld}{tail}"


def parse(text: str, s: State | None = None) -> Action:
    """Return the action that a move text means. Raise BadText if the text means no action.

    If the state ``s`` is given, the text may be shorter. If a card fits only one end of a run, or can be swapped for
    only one wild card, the text may omit the end or the wild card. If a wild card is added to a run, the text may name
    the card that it will stand for (``as 5d``) instead of the end. After ``lay``, the text may list cards without
    dividing them into melds. They are then arranged into the contract of the round.
    """
    words = text.strip().lower().split()
    if not words:
        raise BadText(f"a move is missing; try one of {', '.join(GRAMMAR[:5])}")
    words[0] = SHORT.get(words[0], words[0])
    alone = PLAIN.get(" ".join(words))
    if alone is not None:
        return alone
    rest = words[1:]
    match words[0]:
        case "vote":
            number = _number(_only(rest, text, plain("the number of a player's seat")), text)
            if not 1 <= number <= state.SEATS:
                raise BadText(f"{text!r}: seats are numbered from 1 to {state.SEATS}")
            return Vote(number - 1)
        case "discard":
            return Discard(parse_card(_only(rest, text, plain("one card"))))
        case "put":
            return Put(parse_card(_only(rest, text, plain("one card"))))
        case "set":
            rank = parse_card(_only(rest, text, plain("a rank")) + "s")[:-1]
            return OpenSet(rank)
        case "run":
            card = parse_card(_only(rest, text, plain("the lowest card of the run")))
            if card == JOKER_TEXT or rank_of(card) > 11:
                raise BadText(
                    f"{text!r}: write the lowest card of the run, which is at most the jack; if this card is a joker, "
                    "write the card that the joker stands for"
                )
            return OpenRun(card[-1], rank_of(card))  # type: ignore[arg-type]
        case "close":
            return _parse_close(rest, text)
        case "lay":
            return _parse_lay(text.strip()[len(text.split(maxsplit=1)[0]) :], s)
        case "add":
            return _parse_add(rest, text, s)
        case "swap":
            return _parse_swap(rest, text, s)
    raise BadText(f"{text!r} is not a move; moves look like {', '.join(GRAMMAR)}")


def _only(rest: list[str], text: str, what: str) -> str:
    if len(rest) != 1:
        raise BadText(f"{text!r}: after the first word, write only {what}")
    return rest[0]


def _number(word: str, text: str) -> int:
    if not (word.isascii() and word.isdecimal()) or len(word) > 3:
        raise BadText(f"{text!r}: {word!r} is not a number")
    return int(word)


def _parse_close(rest: list[str], text: str) -> Action:
    order = tuple(_number(word, text) for word in rest)
    if sorted(order) != list(range(1, len(order) + 1)) or len(order) > state.MOST_MELDS:
        raise BadText(f"{text!r}: give the number of each meld once, as in 'close 2 1'")
    while order and order[-1] == len(order):  # melds at the end that keep their number are left out
        order = order[:-1]
    return Close(order)


def _parse_lay(body: str, s: State | None) -> Action:
    black = s is not None and bool(s.options[state.BLACK_TWOS_WILD])
    if "|" not in body and s is not None:
        wanted = contract_of(s)
        sets, runs = wanted.sets, wanted.runs
        if not body.strip():
            raise BadText(f"first pick the cards of this round's contract (sets: {sets}, runs: {runs})")
        words = body.replace(",", " ").split()
        if words and not any("-" in w or "=" in w or (w.startswith("*") and len(w) > 1) for w in words):
            picked = [parse_card(word) for word in words]
            found = arrange(picked, s)
            if found:
                return LayDown(found)
            try:  # if only one meld is given, parse it, so that the rules refuse it with their reason
                meld = parse_meld(body, black)
            except BadText:
                meld = None
            if meld is not None and len(words) >= (3 if meld.form == "set" else wanted.length):
                return LayDown((meld,))
            cards = " ".join(
                JOKER_SIGN if card == JOKER_TEXT else card[:-1].upper() + SIGNS[card[-1]] for card in picked
            )
            raise BadText(
                f"these cards don't make this round's contract (sets: {sets}, runs: {runs}): {cards}"
            )
    parts = body.split("|")
    melds = [parse_meld(part, black) for part in parts]
    return LayDown(tuple(melds if s is None else _find_runs(melds, parts, s)))


def _find_runs(melds: list[Meld], parts: Sequence[str], s: State) -> list[Meld]:
    """Return the melds. If there are more sets than in the contract, read some sets as runs, beginning with the last.

    Only a set of one natural card and wild cards can be read as a run. ``parts`` has the text of each meld.
    """
    found, black = list(melds), bool(s.options[state.BLACK_TWOS_WILD])
    more = sum(meld.form == "set" for meld in melds) - contract_of(s).sets
    for at in reversed(range(len(melds))):
        if more > 0 and melds[at].form == "set":
            with suppress(BadText):
                found[at] = parse_meld(parts[at], black, run=True)
                more -= 1
    return found


def _parse_add(rest: list[str], text: str, s: State | None) -> Action:
    words = [word for word in rest if word not in {"meld", "the"}]
    if len(words) < 3 or words[1] != "to":
        raise BadText(f"{text!r}: say the card and the meld's number, like 'add 9h to 2'")
    card = parse_card(words[0])
    number = _meld_number(words[2], text)
    tail = words[3:]
    end: End | None = None
    role: Card | None = None
    if tail[:1] == ["as"] and len(tail) >= 2:
        role = parse_card(tail[1])
        tail = tail[2:]
    if tail == ["low"]:
        end = "low"
    elif tail == ["high"]:
        end = "high"
    elif tail:
        raise BadText(
            f"{text!r}: after the meld's number, write 'low', 'high', or what the card stands for, like 'as 5d'"
        )
    if s is not None and end is None:
        end = _find_end(s, card, number - 1, role, text)
    return Add(card, number, end)


def _meld_number(word: str, text: str) -> int:
    number = _number(word, text)
    if not 1 <= number <= state.MELDS:
        raise BadText(f"{text!r}: melds are numbered from 1 to {state.MELDS}")
    return number


def _find_end(s: State, card: Card, m: int, role: Card | None, text: str) -> End | None:
    """Return the end at which a card is added to meld ``m``. Return None if there is no such meld, or if it is a set.

    ``role`` is the card that the text names after ``as``, or None. If the card fits both ends, raise BadText. If
    it fits neither, return the high end, so that the rules refuse the move.
    """
    if m >= s.melds or s.form[m] != state.RUN:
        return None
    suit = SUITS[int(s.what[m])]
    places: dict[End, int] = {"low": int(s.low[m]) - 1, "high": int(s.high[m]) + 1}
    wild = card == JOKER_TEXT or (bool(s.options[state.BLACK_TWOS_WILD]) and card in ("2s", "2c"))
    fitting: list[End] = []
    for end, place in places.items():
        if 1 <= place <= state.PLACES:
            home = role_at(suit, place)
            if (role is None or role == home) and (wild or card == home):
                fitting.append(end)
    if len(fitting) == 2:
        low, high = (role_at(suit, places[end]) for end in fitting)
        raise BadText(
            f"{text!r}: the card fits both ends of the run; add 'low' or 'high'"
            if low == high
            else f"{text!r}: the card fits both ends of the run; add 'as {low}' or 'as {high}'"
        )
    return fitting[0] if fitting else "high"


def _parse_swap(rest: list[str], text: str, s: State | None) -> Action:
    words = [word for word in rest if word not in {"meld", "the"}]
    if len(words) < 3 or words[1] not in {"into", "in", "to"}:
        raise BadText(f"{text!r}: say the card and the meld's number, like 'swap 5d into 3'")
    card = parse_card(words[0])
    if card == JOKER_TEXT:
        raise BadText(f"{text!r}: swap in the card that the wild card stands for, not a joker")
    number = _meld_number(words[2], text)
    match words[3:]:
        case []:
            return Swap(card, number, None if s is None else _find_wild(s, card, number - 1))
        case ["low"] | ["for", "*"] | ["for", "joker"]:
            return Swap(card, number)
        case ["high"]:
            return Swap(card, number, "high")
        case ["for", ("2s" | "2c") as two]:
            return Swap(card, number, "2s" if two == "2s" else "2c")
    raise BadText(
        f"{text!r}: after the meld's number, you may write 'high' (for the ace at the high end), 'for 2s' or 'for 2c'"
        " (to get that black two)"
    )


def _find_wild(s: State, card: Card, m: int) -> Literal["high", "2s", "2c"] | None:
    """Return the value of the field ``out`` for a swap into meld ``m``, if the text of the swap names no wild card.

    If the card can be swapped for only one wild card, return this wild card (see :class:`.moves.Swap`), else None.
    """
    ways = [way for way in range(4) if m < s.melds and swaps_out(s, kind_of(card), m, way)]
    return OUT[ways[0]] if len(ways) == 1 else None


def write_chance(chance: Chance) -> str:
    """Return an outcome of chance as text: ``card 7s``, ``dealer 2`` or ``lucky 3``. Seats count from 1."""
    match chance:
        case Deal(card):
            return f"card {card}"
        case Dealer(seat):
            return f"dealer {seat + 1}"
        case Lucky(seat):
            return f"lucky {seat + 1}"


def parse_chance(text: str, s: State | None = None) -> Chance:
    """Return the outcome of chance that a text means. Raise BadText if the text means no outcome."""
    words = text.lower().split()
    if len(words) == 2 and words[0] in {"card", "deal"}:
        return Deal(parse_card(words[1]))
    if len(words) == 2 and words[0] in {"dealer", "lucky"}:
        number = _number(words[1], text)
        if 1 <= number <= state.SEATS:
            return Dealer(number - 1) if words[0] == "dealer" else Lucky(number - 1)
    raise BadText(
        f"{text!r} is not an outcome of chance; outcomes look like 'card 7s', 'dealer 2', 'lucky 3'"
    )
