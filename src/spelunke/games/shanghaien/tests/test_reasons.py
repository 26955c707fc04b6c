"""Each sentence for or against a move is true. The tests compute the numbers in the sentences from the kernels."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import ClassVar, TypeAlias

import pytest

from spelunke.core.kernel import copy
from spelunke.core.words import Translator, plain
from spelunke.games import shelf
from spelunke.games.match import Match
from spelunke.games.shanghaien import events, moves, rules
from spelunke.games.shanghaien.cards import NATIONS, card_of
from spelunke.games.shanghaien.events import name_card
from spelunke.games.shanghaien.reasons import reasons
from spelunke.games.shanghaien.reckoning import gain, neighbour_pips, place_of, points, strength, taker
from spelunke.games.shanghaien.state import DICE, SAILORS, State
from spelunke.games.shanghaien.turns import lay
from walks import any_table, step, walk

GAME = shelf()["shanghaien"]
NAMES = ("Anna", "Ben")
Fields = dict[str, object]


class Told(str):
    """A text that stores itself and its values in ``heard`` when it is formatted."""

    __slots__ = ()
    heard: ClassVar[list[tuple[str, Fields]]] = []

    def format(self, *given: object, **fields: object) -> Told:
        self.heard.append((str(self), fields))
        return Told(super().format(*given, **fields))


class Telling(Translator):
    """A translator into English whose texts store the values that are filled in."""

    def __call__(self, text: str) -> str:
        return Told(text)

    def many(self, one: str, many: str, count: int) -> str:
        return Told(super().many(one, many, count))

    def within(self, context: str, text: str) -> str:
        return Told(text)


Crews: TypeAlias = tuple[list[list[int]], list[int]]


class Look:
    """A decision, and the states before and after it.

    ``known`` has the crews after the settlement for each state that was examined. All decisions at a ply use the same
    ``known``, because they need the same states again and again.
    """

    def __init__(self, match: Match, seat: int, action: moves.Action, known: dict[bytes, Crews]) -> None:
        self.seat, self.other = seat, 1 - seat
        self.known = known
        self.action = action
        self.before = self.fixed(match.state_at(match.ply))
        self.after = self.played(match.state_at(match.ply))

    def fixed(self, s: State) -> State:
        """Return the state ``s``. If the move chooses the end of the row with card 1, first set this end in ``s``."""
        end = getattr(self.action, "end", None)
        if end is not None:
            s.end = end.number
        return s

    def played(self, s: State) -> State:
        """Return the state with the action's dice laid, or with its trick played."""
        s = self.fixed(s)
        action, seat = self.action, self.seat
        if isinstance(action, moves.Place):
            lay(s, seat, action.value)
        elif isinstance(action, moves.Nudge):
            rules.play(s, seat, moves.encode(action)[0])
            lay(s, seat, action.value)
        elif isinstance(action, moves.Object | moves.Allow):
            lay(s, self.other, s.low + s.high - s.named if isinstance(action, moves.Object) else s.named)
        elif not isinstance(
            action, moves.Roll | moves.Shanghai | moves.RollAgain | moves.Reroll | moves.Direct
        ):
            rules.play(s, seat, moves.encode(action)[0])
        return s

    def card(self, s: State, number: int) -> str:
        return name_card(card_of(int(s.row[place_of(number, s.end)])), plain)

    def number(self, fields: Fields) -> int:
        """Return the number of the card that a sentence is about."""
        return int(str(fields["at"]))

    def meant(self, fields: Fields) -> list[Fields]:
        """Return, for each card that a sentence can mean, the values that fill the sentence.

        Several cards are possible, because equal cards have the same name.
        """
        if "card" not in fields:
            return [fields]
        return [{**fields, "at": n} for n in range(6) if self.card(self.before, n) == fields["card"]]

    def gets(self, s: State, number: int) -> int:
        return -1 if s.down[place_of(number, s.end)] else int(taker(s, number))

    def crews(self, s: State) -> Crews:
        """Return strengths by seat and nation, and unplayed tricks by seat, after the settlement of the row."""
        key = s.tobytes()
        if key not in self.known:
            self.known[key] = self.settled(s)
        return self.known[key]

    def settled(self, s: State) -> Crews:
        crews = [[int(strength(s, seat, n)) for n in range(8)] for seat in range(2)]
        held = [int(s.hand[seat].sum()) for seat in range(2)]
        for number in range(6):
            who, kind = self.gets(s, number), int(s.row[place_of(number, s.end)])
            if who >= 0 and kind < SAILORS:
                crews[who][kind >> 2] += (kind & 3) + 1
            elif who >= 0:
                held[who] += 1
        return crews, held

    def points(self, s: State, seat: int) -> int:
        crews, held = self.crews(s)
        return held[seat] + sum(int(gain(a, b)) for a, b in zip(crews[seat], crews[1 - seat], strict=True))

    def lead(self, s: State) -> int:
        return self.points(s, self.seat) - self.points(s, self.other)

    def with_die(self, s: State, seat: int, number: int) -> State:
        copied = copy(s)
        lay(copied, seat, number + 1)
        return copied

    def rolls(self, numbers: set[int]) -> int:
        return sum(a in numbers or b in numbers for a in range(6) for b in range(6))

    def hopes(self) -> set[int]:
        now = self.lead(self.before)
        return {n for n in range(6) if self.lead(self.with_die(self.before, self.seat, n)) > now}

    def fears(self) -> set[int]:
        now = self.lead(self.before)
        return {n for n in range(6) if self.lead(self.with_die(self.before, self.other, n)) < now}

    def cards(self, seat: int) -> str:
        found = [self.card(self.before, n) for n in range(6) if self.gets(self.before, n) == seat]
        return plain.list(found) or "nothing"

    def dice(self, f: Fields) -> tuple[int, int]:
        n = self.number(f)
        return int(self.after.dice[self.seat, n]), int(self.after.dice[self.other, n])

    def pips(self, f: Fields) -> tuple[int, int]:
        n = self.number(f)
        return int(neighbour_pips(self.after, self.seat, n)), int(neighbour_pips(self.after, self.other, n))

    def turned(self, f: Fields) -> tuple[int, int]:
        n = self.number(f)
        return self.gets(self.before, n), self.gets(self.after, n)

    def gained(self) -> int:
        return self.lead(self.after) - self.lead(self.before)

    def answered(self, f: Fields) -> int:
        assert self.after.placed[self.other] <= DICE - 2
        return self.gets(self.with_die(self.after, self.other, f["number"] - 1), f["number"] - 1)

    def crew_points(self, s: State) -> int:
        return int(points(s, self.seat)) - int(points(s, self.other))

    def weaker(self, f: Fields) -> bool:
        n = [events.CREWS[nation] for nation in NATIONS].index(f["crew"])
        (was, _), (now, _) = self.crews(self.before), self.crews(self.after)
        assert now[self.seat][n] <= now[self.other][n]
        return (f["before"], f["n"]) == tuple(
            int(gain(crews[self.other][n], crews[self.seat][n])) for crews in (was, now)
        )

    def other_die(self, f: Fields) -> bool:
        s = self.before
        assert {f["number"], self.action.value} == {int(s.low), int(s.high)}  # type: ignore[union-attr]
        then = self.lead(self.with_die(s, self.seat, f["number"] - 1))
        return self.card(s, f["number"] - 1) == f["card"] and then - self.lead(self.after) == f["n"] > 0

    def holds_out(self, f: Fields) -> bool:
        left, (mine, theirs) = int(str(f["left"])), self.dice(f)
        return (
            self.turned(f)[1] == self.seat
            and left == DICE - self.after.placed[self.other]
            and theirs + left < mine
        )

    def named(self, f: Fields) -> bool:
        laid = self.after.dice[self.other] - self.before.dice[self.other]
        return int(laid[f["number"] - 1]) == 1 and self.card(self.before, f["number"] - 1) == f["card"]


TRUE: dict[str, Callable[[Look, Fields], object]] = {
    "After you lay a die, you have one left, so you must call Shanghai in your next turn.": lambda at, f: (
        at.before.placed[at.seat] == DICE - 2
    ),
    "{name} may call Shanghai right after your turn.": lambda at, f: at.before.placed[at.other] >= 2,
    "No number that you can roll would immediately improve the difference in points for you.": lambda at, f: (
        not at.hopes()
    ),
    "Numbers that immediately improve the difference in points for you: {numbers}. Such a number comes up in "
    "{n} of {all} rolls.": lambda at, f: (
        f["numbers"] == plain.list([str(n + 1) for n in sorted(at.hopes())])
        and (f["n"], f["all"]) == (at.rolls(at.hopes()), 36)
    ),
    "This ends the round. You get {mine}, and {name} gets {theirs}.": lambda at, f: (
        (f["mine"], f["theirs"]) == (at.cards(at.seat), at.cards(at.other))
    ),
    "The score is then {mine} to {theirs}.": lambda at, f: (
        (f["mine"], f["theirs"]) == (at.points(at.before, at.seat), at.points(at.before, at.other))
    ),
    "Shanghai keeps {name} from rolling: {n} of the {all} possible rolls would make the difference in "
    "points worse for you.": lambda at, f: (
        at.before.placed[at.other] <= DICE - 2 and (f["n"], f["all"]) == (at.rolls(at.fears()), 36)
    ),
    "{name}'s next roll can't make the difference in points worse for you.": lambda at, f: (
        at.before.placed[at.other] <= DICE - 2 and not at.fears()
    ),
    "{name} begins the next tavern.": lambda at, f: at.before.tavern < 7,
    "{name} may object: then you lay the other die.": lambda at, f: (
        at.before.may_object[at.other] and at.before.low != at.before.high and not at.before.tricked
    ),
    "The {card} lies face down, so nobody gets it.": lambda at, f: at.before.down[
        place_of(at.number(f), at.before.end)
    ],
    "On the {card}, the number of dice is equal ({dice} each), and the pips on the "
    "neighbouring cards are equal too: nobody gets it.": lambda at, f: (
        at.dice(f) == (f["dice"],) * 2 and at.turned(f)[1] == -1 and at.pips(f)[0] == at.pips(f)[1]
    ),
    "On the {card}, the number of dice is equal ({dice} each), and your pips on the "
    "neighbouring cards win: {near} to {far}.": lambda at, f: (
        at.dice(f) == (f["dice"],) * 2 and at.turned(f)[1] == at.seat and at.pips(f) == (f["near"], f["far"])
    ),
    "On the {card}, the number of dice is equal ({dice} each), but {name}'s pips on the "
    "neighbouring cards win: {far} to {near}.": lambda at, f: (
        at.dice(f) == (f["dice"],) * 2 and at.turned(f)[1] == at.other and at.pips(f) == (f["near"], f["far"])
    ),
    "{name} still leads on the {card}, with {theirs} dice to {mine}.": lambda at, f: (
        at.dice(f) == (f["mine"], f["theirs"]) and at.turned(f) == (at.other, at.other)
    ),
    "With one more die there, you would get the card.": lambda at, f: any(
        at.gets(at.after, n) == at.other
        and at.gets(at.with_die(at.after, at.seat, n), n) == at.seat
        and at.after.placed[at.seat] <= DICE - 2
        for n in range(6)
        if at.after.dice[at.seat, n] > at.before.dice[at.seat, n]
    ),
    "You already lead on the {card}, and this makes it {mine} dice to {theirs}.": lambda at, f: (
        at.dice(f) == (f["mine"], f["theirs"]) and at.turned(f) == (at.seat, at.seat)
    ),
    "You alone would have a die on the {card}.": lambda at, f: (
        at.dice(f)[0] > 0 == at.dice(f)[1] and at.turned(f)[1] == at.seat
    ),
    "You take the lead on the {card}, with {mine} dice to {theirs}.": lambda at, f: (
        at.dice(f) == (f["mine"], f["theirs"]) and at.turned(f)[0] != at.seat == at.turned(f)[1]
    ),
    "With the new pips, you win the neighbouring {card}.": lambda at, f: (
        at.turned(f)[0] != at.seat == at.turned(f)[1]
    ),
    "With the new pips, the neighbouring {card} is a tie, so {name} no longer gets it.": lambda at, f: (
        at.turned(f) == (at.other, -1)
    ),
    "If the round ended after this move, the difference in points would be {n} better for you than if "
    "it ended now.": lambda at, f: at.gained() == f["n"] > 0,
    "If the round ended after this move, the difference in points would be {n} worse for you than if "
    "it ended now.": lambda at, f: at.gained() == -f["n"] < 0,
    "If the round ended after this move, the difference in points would be the same as if it ended "
    "now.": lambda at, f: at.gained() == 0,
    "Your {crew} would still be the weaker one, and {name} would score {n} for the nation instead of "
    "{before}.": Look.weaker,
    "With a {number}, {name} would tie with you on the {card}, so nobody would get it.": lambda at, f: (
        at.turned(f)[1] == at.seat and at.answered(f) == -1
    ),
    "With a {number}, {name} would take the {card} from you.": lambda at, f: (
        at.turned(f)[1] == at.seat and at.answered(f) == at.other
    ),
    "A {number} comes up in {n} of {all} rolls.": lambda at, f: (
        (f["n"], f["all"]) == (at.rolls({f["number"] - 1}), 36)
    ),
    "{name} has {left} die left: too few to take the {card} from you in this round.": lambda at, f: (
        f["left"] == 1 and at.holds_out(f)
    ),
    "{name} has {left} dice left: too few to take the {card} from you in this round.": lambda at, f: (
        f["left"] != 1 and at.holds_out(f)
    ),
    "If you laid the {number} on the {card} instead, the difference in points would now be {n} better for "
    "you than with this move.": Look.other_die,
    "You then have too few dice to roll: in your next turn you must call Shanghai.": lambda at, f: (
        at.after.placed[at.seat] >= DICE - 1
    ),
    "This uses up a trick card, which would be worth a point at the end.": lambda at, f: isinstance(
        at.action, moves.Nudge | moves.PlaceBoth | moves.RollAgain | moves.CrazyCaptain
    ),
    "Your {crew} then counts {mine} against {theirs}.": lambda at, f: (
        (f["mine"], f["theirs"])
        == tuple(
            int(strength(at.after, seat, [events.CREWS[n] for n in NATIONS].index(f["crew"])))
            for seat in (at.seat, at.other)
        )
    ),
    "If the crews no longer change, this move makes the difference in points {n} better for you. "
    "This already includes the point that you lose by playing the card.": lambda at, f: (
        at.crew_points(at.after) - at.crew_points(at.before) == f["n"] > 0
    ),
    "If the crews no longer change, this move makes the difference in points {n} worse for you. "
    "This already includes the point that you lose by playing the card.": lambda at, f: (
        at.crew_points(at.before) - at.crew_points(at.after) == f["n"] > 0
    ),
    "If the crews no longer change, this move leaves the difference in points the same. This "
    "already includes the point that you lose by playing the card.": lambda at, f: (
        at.crew_points(at.before) == at.crew_points(at.after)
    ),
    "The {card} goes to the sharks: nobody gets it.": lambda at, f: at.turned(f)[1] == -1,
    "You give up the {card}.": lambda at, f: at.turned(f)[0] == at.seat != at.turned(f)[1],
    "{name} then lays the {number} on the {card}.": Look.named,
    "A die with a {number} would then go on the {card}.": lambda at, f: (
        at.card(at.before, f["number"] - 1) == f["card"]
    ),
}
"""For each English sentence that gives a reason, the condition under which the sentence is true."""
PARTS = ("trick card “{trick}”", *events.SAILORS.values())


def listen(match: Match, seat: int, action: moves.Action) -> list[tuple[str, Fields]]:
    """Return the sentences on an action. Each is a pair: its English text, and the values of its placeholders."""
    Told.heard.clear()
    said = reasons(action, match.view(seat), NAMES, Telling())
    assert all(sentence and "{" not in sentence for sentence in said)
    written = [(text, fields) for text, fields in Told.heard if text not in PARTS]
    told = {text for text, _ in written}
    return written + [(str(one), {}) for one in said if str(one) in TRUE and str(one) not in told]


def check(match: Match, heard: Counter[str]) -> None:
    known: dict[bytes, Crews] = {}
    for seat in match.actors:
        for action in match.legal(seat):
            look = Look(match, seat, action, known)
            for text, fields in listen(match, seat, action):
                assert text in TRUE, f"nobody checks {text!r}"
                assert fields.get("name", NAMES[1 - seat]) == NAMES[1 - seat]
                assert any(TRUE[text](look, one) for one in look.meant(fields)), (
                    text,
                    fields,
                    action,
                    match.view(seat),
                )
                heard[text] += 1


def play(options: Mapping[str, object], rng: random.Random, heard: Counter[str]) -> None:
    """Play a random game with long rounds, in which the crazy captain is played as soon as possible."""
    match = Match(GAME, 2, options)
    while not match.over:
        if not match.chance:
            check(match, heard)
            seat = match.actors[0]
            wanted = [moves.CrazyCaptain(), *([moves.Roll()] if rng.random() < 0.8 else [])]
            if first := [action for action in wanted if action in match.legal(seat)]:
                match.act(seat, first[0])
                continue
        step(match, rng)


@pytest.mark.deep
def test_every_reason_is_true_in_each_position_that_shows_it() -> None:
    rng, heard = random.Random(24), Counter[str]()
    extras = {"crazy_captain": True, "sharks_exchange": True}
    for number in range(12):
        play((any_table(GAME, rng)[1], {}, extras)[number % 3], rng, heard)
    missing = set(TRUE) - set(heard)
    assert not missing, f"never said, so never checked: {missing}"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_spectator_is_given_no_reasons(seat: int) -> None:
    match = walk(Match(GAME, 2, {}), random.Random(seat), 40)
    assert reasons(moves.Roll(), match.view(None), NAMES, plain) == ()
