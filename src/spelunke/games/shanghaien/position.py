"""Read and write positions of Shanghaien: a JSON object in the game's words.

A text is refused with a reason if its parts contradict each other or the rules, as far as this module checks. A card
that is not in the row, a crew, a hand or ``removed`` is unseen, and the text need not list it.
"""

from __future__ import annotations

import msgspec

from spelunke.core.errors import BadPosition
from spelunke.core.kernel import pool
from spelunke.core.option import OptionsText
from spelunke.games.positions import none_if_negative, write_options
from spelunke.games.reading import at_place, read_setup, read_shape
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.cards import (
    DEALT,
    ENDS,
    NATIONS,
    TRICKS,
    Nation,
    Trick,
    card_of,
    kind_of,
    parse_card,
    parse_trick,
    write_card,
)
from spelunke.games.shanghaien.deck import count_deck
from spelunke.games.shanghaien.rounds import start
from spelunke.games.shanghaien.state import (
    AFTER_FIRST_ROLL,
    COPIES,
    CRAZY_CAPTAIN,
    DEALING,
    DICE,
    DIRECTING,
    DIRECTION_TIMING,
    DRAWING_STARTER,
    FINISHED,
    MATCH,
    NOTHING,
    NUDGED,
    OBJECTING,
    ROLLED,
    ROLLING,
    ROUNDS,
    SAILORS,
    SINGLE,
    STATE,
    TRICK_SPLIT,
    UNFIXED,
    State,
)
from spelunke.games.shanghaien.view import PHASES, copies, removed_kinds


class CrewText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A seat's sailors of one nation: their values, and the trick cards that were laid with them as jokers."""

    sailors: list[int] = []
    jokers: list[str] = []


class SeatText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The cards and dice of one seat, and its results in the finished games of the match.

    ``dice`` has, for each laid die, the number of its card.
    """

    dice: list[int] = []
    crew: dict[Nation, CrewText] = {}
    tricks: list[str] = []
    trick_spent: bool = False
    crazy_captain_played: bool = False
    wins: int = 0
    total: int = 0
    unused_tricks: int = 0


class PositionText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The contents of a position text.

    ``phase`` is one of dealing, starter, turn, rolling, direction, rolled, changed, objection, over.
    """

    seats: list[SeatText]
    row: list[str] = []
    options: OptionsText = {}
    phase: str = "turn"
    tavern: int = 1
    turn: int = 0
    starter: int | None = None
    direction: str | None = None
    face_down: list[int] = []
    rolled: list[int] = []
    named: int | None = None
    trick_this_turn: bool = False
    rerolled: bool = False
    removed: list[str] = []
    opener: int | None = None
    first_opener: int | None = None
    games: int = 0


def write_position(s: State) -> dict[str, object]:
    """Return the position as a JSON object."""
    removed = [write_card(card_of(kind)) for kind, n in enumerate(removed_kinds(s)) for _ in range(n)]
    text = PositionText(
        seats=[_write_seat(s, seat) for seat in range(2)],
        row=[write_card(card_of(int(kind))) for kind in s.row if kind >= 0],
        options=write_options(GAME, 2, s.options.tolist()),
        phase=PHASES[int(s.phase)],
        tavern=int(s.tavern) + int(s.phase != FINISHED),
        turn=int(s.turn),
        starter=none_if_negative(s.starter),
        direction=ENDS[int(s.end)],
        face_down=[place + 1 for place in range(6) if s.down[place]],
        rolled=[int(s.low), int(s.high)] if s.low else [],
        named=int(s.named) or None,
        trick_this_turn=bool(s.tricked),
        rerolled=bool(s.rerolled),
        removed=removed,
        opener=none_if_negative(s.opener),
        first_opener=none_if_negative(s.first_opener),
        games=int(s.games),
    )
    built: dict[str, object] = msgspec.to_builtins(text)
    return built


def _write_seat(s: State, seat: int) -> SeatText:
    crew = {}
    for nation in NATIONS:
        n = nation.number
        values = [v + 1 for v in range(4) for _ in range(int(s.crew[seat, n, v]))]
        jokers = [trick for trick in DEALT for _ in range(int(s.joker[seat, n, trick.number]))]
        if values or jokers:
            crew[nation] = CrewText(values, [*jokers])
    return SeatText(
        dice=[number + 1 for number in range(6) for _ in range(int(s.dice[seat, number]))],
        crew=crew,
        tricks=[trick for trick in TRICKS for _ in range(int(s.hand[seat, trick.number]))],
        trick_spent=bool(s.spent[seat]),
        crazy_captain_played=bool(s.may_object[seat]),
        wins=int(s.wins[seat]),
        total=int(s.total[seat]),
        unused_tricks=int(s.spare[seat]),
    )


def parse_position(text: dict[str, object], where: str = "") -> State:
    """Return the state that the contents of a position text describe.

    If they describe no possible state, raise BadPosition with the reason and the place: the name of the wrong field.
    """
    told = read_shape(text, PositionText, where)
    if len(told.seats) != 2:
        raise BadPosition(f"Shanghaien has two seats, here are {len(told.seats)}", "seats")
    s: State = pool(STATE, 1)[0]
    start(s, read_setup(GAME, 2, told.options))
    _read_table(s, told)
    _read_cards(s, told)
    for seat, part in enumerate(told.seats):
        _read_dice(s, seat, part)
    _check_moment(s, told)
    return s


def _one_of(value: object, known: tuple[object, ...], place: str) -> int:
    if value not in known:
        raise BadPosition(
            f"{value!r} is not possible; choose one of {', '.join(str(k) for k in known)}", place
        )
    return known.index(value)


def _read_table(s: State, text: PositionText) -> None:
    s.phase = _one_of(text.phase, PHASES, "phase")
    s.tavern = _one_of(text.tavern, tuple(range(1, 9)), "tavern") + (s.phase == FINISHED)
    s.turn = _one_of(text.turn, (0, 1), "turn")
    s.end = _one_of(text.direction, tuple(e if e is None else str(e) for e in ENDS), "direction")
    s.games = _one_of(text.games, (0, 1, 2, 3), "games")
    s.starter = _one_of(text.starter, (None, 0, 1), "starter") - 1
    s.opener = _one_of(text.opener, (None, 0, 1), "opener") - 1
    s.first_opener = _one_of(text.first_opener, (None, 0, 1), "first_opener") - 1
    if s.starter == NOTHING and s.phase not in (DEALING, DRAWING_STARTER):
        s.starter = s.turn
    if s.opener == NOTHING and s.phase not in (DEALING, DRAWING_STARTER):
        s.opener = s.starter
    if s.first_opener == NOTHING:
        s.first_opener = s.opener


class _Unseen:
    """The cards in ``s.deck`` that the text has not named so far. A card leaves the deck when the text names it."""

    def __init__(self, s: State) -> None:
        self._s = s
        self._taken: dict[int, str] = {}
        for trick in range(3):  # each seat's start trick is added, so that the text can name it
            s.deck[SAILORS + trick] = copies(s, SAILORS + trick)

    def take(self, kind: int, place: str) -> None:
        """Remove a card of this kind. Raise BadPosition if none is left.

        ``place`` is the part of the text that names the card.
        """
        s, taken = self._s, self._taken
        if s.deck[kind] == 0:
            total = int(COPIES[kind & 3] if kind < SAILORS else s.options[TRICK_SPLIT + kind - SAILORS])
            raise BadPosition(self._say_none_left(write_card(card_of(kind)), total, taken.get(kind)), place)
        s.deck[kind] -= 1
        taken[kind] = place

    @staticmethod
    def _say_none_left(card: str, total: int, first: str | None) -> str:
        """Return the reason why none of the ``total`` copies of a card is left.

        ``first`` is a place in the position's text that names one of the copies, or None if no place names one.
        """
        if total == 1:
            return (
                f"there is only one card {card!r}; it is at {first}"
                if first
                else f"there is only one card {card!r}"
            )
        if first:
            return f"there are only {total} cards {card!r}; another is at {first}"
        return f"there are only {total} cards {card!r}"

    def take_named(self, word: str, place: str) -> int:
        """Remove the card that a text names, and return its kind. Raise BadPosition if none is left."""
        with at_place(place):
            kind = kind_of(parse_card(word))
        self.take(kind, place)
        return kind

    def close(self) -> None:
        """Finish the deck: it has all cards that the text did not name, except the start tricks.

        A start trick is a trick card that a seat owns from the start of a game.
        """
        s = self._s
        for trick in range(3):
            s.deck[SAILORS + trick] = min(s.deck[SAILORS + trick], s.options[TRICK_SPLIT + trick])
        count_deck(s)


def _read_cards(s: State, text: PositionText) -> None:
    """Read the cards that the text names. All other cards except the start tricks become the deck."""
    extras = [trick for trick in TRICKS if trick not in DEALT and s.hand[0, trick.number]]
    s.hand[:] = 0
    unseen = _Unseen(s)
    _read_row(s, text, unseen)
    for seat, part in enumerate(text.seats):
        _read_hand(s, seat, part, extras, unseen)
        _read_crews(s, seat, part, unseen)
    for index, word in enumerate(text.removed):
        unseen.take_named(word, f"removed[{index}]")
    unseen.close()
    coming = (ROUNDS - 1 - min(int(s.tavern), 7)) * 6 + (6 - s.dealt if s.phase != FINISHED else 0)
    if s.unseen < coming:
        raise BadPosition(
            f"{coming} cards are still to be dealt, but only {int(s.unseen)} are unseen", "tavern"
        )


def _read_row(s: State, text: PositionText, unseen: _Unseen) -> None:
    if len(text.row) > 6:
        raise BadPosition(f"a row has six cards, here are {len(text.row)}", "row")
    if "" in text.row:
        raise BadPosition("fill the row from the left", "row")
    for index, word in enumerate(text.row):
        s.row[index] = unseen.take_named(word, f"row[{index}]")
    s.dealt = len(text.row)
    for spot in text.face_down:
        if not 1 <= spot <= s.dealt:
            raise BadPosition(f"there is no card at place {spot} of the row", "face_down")
        s.down[spot - 1] = 1


def _read_hand(s: State, seat: int, part: SeatText, extras: list[Trick], unseen: _Unseen) -> None:
    """Read the seat's trick cards.

    ``extras`` are the kinds of extra cards that the options add to the game. Each seat may have one card of each of
    these kinds. Extra cards are never in the deck.
    """
    place = f"seats[{seat}].tricks"
    left = list(extras)
    for word in part.tricks:
        with at_place(place):
            trick = parse_trick(word)
        if trick in left:
            left.remove(trick)
        elif trick in DEALT:
            unseen.take(SAILORS + trick.number, place)
        else:
            raise BadPosition(f"a card {str(trick)!r} exists only with its option, once for each seat", place)
        s.hand[seat, trick.number] += 1


def _read_crews(s: State, seat: int, part: SeatText, unseen: _Unseen) -> None:
    for nation, crew in part.crew.items():
        place = f"seats[{seat}].crew.{nation}"
        for value in crew.sailors:
            if not 1 <= value <= 4:
                raise BadPosition(f"sailors have values 1 to 4, not {value}", place)
            unseen.take(4 * nation.number + value - 1, place)
            s.crew[seat, nation.number, value - 1] += 1
        for word in crew.jokers:
            with at_place(place):
                trick = parse_trick(word)
            if trick not in DEALT:
                raise BadPosition(f"a card {str(trick)!r} has no joker half", place)
            unseen.take(SAILORS + trick.number, place)
            s.joker[seat, nation.number, trick.number] += 1
        if crew.jokers and not crew.sailors:
            raise BadPosition("a joker needs at least one sailor of its nation", place)


def _read_dice(s: State, seat: int, part: SeatText) -> None:
    here = f"seats[{seat}]"
    if len(part.dice) > DICE:
        raise BadPosition(f"a seat has six dice, here are {len(part.dice)} on cards", f"{here}.dice")
    for number in part.dice:
        if not 1 <= number <= 6:
            raise BadPosition(f"cards have the numbers 1 to 6, not {number}", f"{here}.dice")
        s.dice[seat, number - 1] += 1
    s.placed[seat] = len(part.dice)
    s.spent[seat] = int(part.trick_spent)
    s.may_object[seat] = int(part.crazy_captain_played)
    for name, value, most in (
        ("wins", part.wins, 3),
        ("total", part.total, 400),
        ("unused_tricks", part.unused_tricks, 40),
    ):
        if not 0 <= value <= most:
            raise BadPosition(f"must be from 0 to {most}", f"{here}.{name}")
    s.wins[seat], s.total[seat], s.spare[seat] = part.wins, part.total, part.unused_tricks
    if part.crazy_captain_played and not (s.options[CRAZY_CAPTAIN] and part.trick_spent):
        raise BadPosition(
            "if a seat has played the crazy captain, its trick_spent must be true and the option "
            "crazy_captain must be on",
            here,
        )


def _check_moment(s: State, text: PositionText) -> None:
    """Raise BadPosition if the phase needs something that is missing, or if parts of the text contradict each other."""
    laid = int(s.placed.sum())
    if s.phase > DEALING and s.phase != FINISHED and s.dealt != 6:
        raise BadPosition(f"the row has {int(s.dealt)} cards, and the phase {text.phase!r} needs six", "row")
    if s.phase == DEALING and s.dealt == 6:
        raise BadPosition("the row is full, so the phase can't be 'dealing'", "phase")
    if laid and s.end == UNFIXED:
        raise BadPosition(
            "there are dice on cards, so the direction is known: write left or right", "direction"
        )
    early = s.options[DIRECTION_TIMING] == AFTER_FIRST_ROLL
    if not laid and s.end != UNFIXED and not early:
        raise BadPosition("no die is on a card yet, so leave out the direction", "direction")
    rolled = s.phase in (DIRECTING, ROLLED, NUDGED, OBJECTING)
    if 0 in text.rolled:
        raise BadPosition("give two rolled dice, or none", "rolled")
    if rolled != bool(text.rolled):
        raise BadPosition(
            "write two rolled dice if the phase is 'direction', 'rolled', 'changed' or 'objection', and none "
            "in other phases",
            "rolled",
        )
    if text.rolled:
        if len(text.rolled) != 2 or not all(1 <= die <= 6 for die in text.rolled):
            raise BadPosition("write two dice from 1 to 6, like [2, 4]", "rolled")
        s.low, s.high = sorted(text.rolled)
    if (rolled or s.phase == ROLLING) and s.placed[s.turn] > DICE - 2:
        raise BadPosition(
            f"seat {int(s.turn)} has {int(s.placed[s.turn])} of six dice on the row and can't roll two",
            "rolled",
        )
    s.named = text.named or 0
    if (s.phase in (NUDGED, OBJECTING)) != bool(s.named):
        raise BadPosition(
            "write a named die if the phase is 'changed' or 'objection', and none in other phases", "named"
        )
    if s.phase == NUDGED and 1 not in (abs(s.named - s.low), abs(s.named - s.high)):
        raise BadPosition("a changed die must differ by one from a rolled die", "named")
    if s.phase == OBJECTING and (s.named not in (s.low, s.high) or not s.may_object[1 - s.turn]):
        raise BadPosition(
            "in the phase 'objection', the named die must be one of the rolled dice, and crazy_captain_played must be "
            "true for the opponent of the seat that rolled",
            "named",
        )
    s.tricked, s.rerolled = int(text.trick_this_turn or s.phase == NUDGED), int(text.rerolled)
    if s.tricked and not s.spent[s.turn]:
        raise BadPosition(
            "a trick was played in this turn, so trick_spent must be true",
            f"seats[{int(s.turn)}].trick_spent",
        )
    if s.phase == DIRECTING and not early:
        raise BadPosition(
            "the phase 'direction' exists only if direction_timing is after_first_roll", "phase"
        )
    if s.games and s.options[MATCH] == SINGLE and s.phase != FINISHED:
        raise BadPosition("a single game has no earlier games", "games")
