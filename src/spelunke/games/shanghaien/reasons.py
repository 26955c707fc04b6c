"""The reasons for and against a choice, using only facts that its seat can see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spelunke.core.words import Translator
from spelunke.games.explaining import Against, InFavour
from spelunke.games.shanghaien import moves
from spelunke.games.shanghaien.cards import NATIONS, Card, End, Nation, Trick
from spelunke.games.shanghaien.events import CREWS, name_card
from spelunke.games.shanghaien.moves import Action
from spelunke.games.shanghaien.outlook import FALLS, NUMBERS, Outlook, chance_of_any, joker_worth
from spelunke.games.shanghaien.state import DICE, ROUNDS
from spelunke.games.shanghaien.view import View


def reasons(action: Action, view: View, names: Sequence[str], translate: Translator) -> tuple[str, ...]:
    """Return the reasons for and against an action (see :meth:`spelunke.games.hooks.Hooks.reasons`)."""
    if view.seat is None:
        return ()
    return tuple(_Reasons(view, view.seat, names, translate).of(action))


class _Reasons:
    """The sentences about the choices of one seat."""

    def __init__(self, view: View, seat: int, names: Sequence[str], translate: Translator) -> None:
        self.view = view
        self.seat = seat
        self.other = 1 - seat
        self.rival = names[self.other]
        self._ = translate

    def of(self, action: Action) -> Iterator[str]:
        """Yield the sentences about an action."""
        _ = self._
        match action:
            case moves.Roll():
                yield from self._roll()
            case moves.Shanghai():
                yield from self._shanghai()
            case moves.Place(value, end):
                yield from self._place(value, end)
            case moves.Nudge(value) if self.view.end is not None:
                yield from self._place(value, None, trick=True)
            case moves.Joker(nation):
                yield from self._joker(nation)
            case moves.PlaceBoth() | moves.Sharks() | moves.Exchange():
                yield from self._special(action)
            case moves.RollAgain() | moves.Reroll():
                yield from self._hopes()
            case moves.Object() | moves.Allow():
                yield from self._object(objects=isinstance(action, moves.Object))
            case moves.Direct(end):
                yield from self._direct(end)
            case _:
                pass
        if isinstance(action, moves.Nudge | moves.PlaceBoth | moves.RollAgain | moves.CrazyCaptain):
            yield Against(_("This uses up a trick card, which would be worth a point at the end."))

    def _card(self, board: Outlook, number: int) -> str:
        return self._name(board.cards[number - 1])

    def _name(self, card: Card | None) -> str:
        return name_card(card, self._) if card else ""

    # --- rolling and calling ---

    def _roll(self) -> Iterator[str]:
        """Yield sentences about the possible results of a roll, and about the next action of the other player."""
        _, view = self._, self.view
        yield from self._hopes()
        if view.supply[self.seat] == 2:
            yield Against(
                _("After you lay a die, you have one left, so you must call Shanghai in your next turn.")
            )
        if DICE - view.supply[self.other] >= 2:
            yield Against(_("{name} may call Shanghai right after your turn.").format(name=self.rival))

    def _hopes(self) -> Iterator[str]:
        """Yield sentences about the numbers of a die that gain points, and the probability of rolling one of them."""
        board = Outlook.of(self.view)
        if board is None:
            return
        now = board.lead(self.seat)
        good = [n for n in NUMBERS if board.with_dice(self.seat, n).lead(self.seat) > now]
        if not good:
            yield Against(
                self._(
                    "No number that you can roll would immediately improve the difference in points for you."
                )
            )
            return
        yield InFavour(
            self._(
                "Numbers that immediately improve the difference in points for you: {numbers}. Such a number comes "
                "up in {n} of {all} rolls."
            ).format(numbers=self._.list([str(n) for n in good]), n=chance_of_any(good), all=FALLS)
        )

    def _shanghai(self) -> Iterator[str]:
        """Yield sentences about calling Shanghai now.

        The sentences name the cards that each player gets, and the score after that. Except in the last round,
        they also name the next starter and, if the other player could still roll, say whether that roll could cost the
        viewer points (:meth:`_answers`).
        """
        _, view, board = self._, self.view, Outlook.of(self.view)
        if board is None:
            return
        mine, theirs = (
            _.list([self._name(card) for card in board.takings(seat)]) or _("nothing")
            for seat in (self.seat, self.other)
        )
        yield _("This ends the round. You get {mine}, and {name} gets {theirs}.").format(
            mine=mine, theirs=theirs, name=self.rival
        )
        after = board.settled()
        yield _("The score is then {mine} to {theirs}.").format(
            mine=after.points(self.seat), theirs=after.points(self.other)
        )
        if view.tavern == ROUNDS:
            return
        if board.supply[self.other] > 1:
            yield from self._answers(board)
        yield _("{name} begins the next tavern.").format(name=self.rival)

    def _answers(self, board: Outlook) -> Iterator[str]:
        """Yield a sentence about the next roll of the other player. A call of Shanghai prevents this roll.

        The sentence gives the probability that the roll would cost the viewer points, or says that the roll
        can't do so.
        """
        now = board.lead(self.seat)
        bad = [n for n in NUMBERS if board.with_dice(self.other, n).lead(self.seat) < now]
        if bad:
            yield InFavour(
                self._(
                    "Shanghai keeps {name} from rolling: {n} of the {all} possible rolls would make the "
                    "difference in points worse for you."
                ).format(name=self.rival, n=chance_of_any(bad), all=FALLS)
            )
        else:
            yield self._("{name}'s next roll can't make the difference in points worse for you.").format(
                name=self.rival
            )

    # --- laying a die ---

    def _place(self, value: int, end: End | None, *, trick: bool = False) -> Iterator[str]:
        """Yield sentences about laying a die.

        The sentences describe the effect on the die's card and on the neighbouring cards, the gain in points, and
        the effect of the other player's next die.
        """
        board = Outlook.of(self.view, end)
        if board is None:
            return
        if self._may_object(trick):
            yield self._("{name} may object: then you lay the other die.").format(name=self.rival)
        before = board.without_trick(self.seat) if trick else board
        after = before.with_dice(self.seat, value)
        yield from self._on_card(before, after, value)
        yield from self._beside(before, after, value)
        yield from self._worth(board, after)
        yield from self._threat(after, value)
        if not trick:
            yield from self._given_up(board, after, value)
        yield from self._last_dice(after)

    def _may_object(self, trick: bool) -> bool:
        """Return whether the other player's crazy captain may object before the die is laid."""
        view = self.view
        double = view.rolled is not None and view.rolled[0] == view.rolled[1]
        return view.crazy[self.other] and not (trick or view.tricked or double)

    def _on_card(self, before: Outlook, after: Outlook, value: int) -> Iterator[str]:
        _, card = self._, self._card(after, value)
        mine, theirs = after.dice[self.seat][value - 1], after.dice[self.other][value - 1]
        near, far = after.pips(self.seat, value), after.pips(self.other, value)
        taker, fields = after.taker(value), {"card": card, "name": self.rival}
        if after.down[value - 1]:
            yield _("The {card} lies face down, so nobody gets it.").format(card=card)
        elif mine == theirs:
            text = _(
                "On the {card}, the number of dice is equal ({dice} each), and the pips on the "
                "neighbouring cards are equal too: nobody gets it."
            )
            if taker == self.seat:
                text = _(
                    "On the {card}, the number of dice is equal ({dice} each), and your pips on the "
                    "neighbouring cards win: {near} to {far}."
                )
            elif taker == self.other:
                text = _(
                    "On the {card}, the number of dice is equal ({dice} each), but {name}'s pips on the "
                    "neighbouring cards win: {far} to {near}."
                )
            yield text.format(**fields, dice=mine, near=near, far=far)
        elif taker == self.other:
            yield Against(
                _("{name} still leads on the {card}, with {theirs} dice to {mine}.").format(
                    **fields, theirs=theirs, mine=mine
                )
            )
            if after.supply[self.seat] >= 2 and after.with_dice(self.seat, value).taker(value) == self.seat:
                yield _("With one more die there, you would get the card.")
        elif before.taker(value) == self.seat:
            yield _("You already lead on the {card}, and this makes it {mine} dice to {theirs}.").format(
                **fields, mine=mine, theirs=theirs
            )
        elif theirs == 0:
            yield _("You alone would have a die on the {card}.").format(card=card)
        else:
            yield _("You take the lead on the {card}, with {mine} dice to {theirs}.").format(
                **fields, mine=mine, theirs=theirs
            )

    def _beside(self, before: Outlook, after: Outlook, *laid: int) -> Iterator[str]:
        """Yield sentences about the effect of a laid die on neighbouring cards.

        Each sentence names a card that the viewer now wins, or a card of the other player that now goes to nobody.
        """
        for number in NUMBERS:
            was, now = before.taker(number), after.taker(number)
            if number in laid or was == now:
                continue
            card = self._card(after, number)
            if now == self.seat:
                yield self._("With the new pips, you win the neighbouring {card}.").format(card=card)
            elif was == self.other and now is None:
                yield self._(
                    "With the new pips, the neighbouring {card} is a tie, so {name} no longer gets it."
                ).format(card=card, name=self.rival)

    def _worth(self, before: Outlook, after: Outlook) -> Iterator[str]:
        """Yield sentences about the change of the viewer's lead by this move, as if the round ended after the move.

        If the viewer's crew in a nation would grow but stay the weaker one, the other player may score more for this
        nation. Then one more sentence says so.
        """
        worth = after.lead(self.seat) - before.lead(self.seat)
        if worth > 0:
            yield InFavour(
                self._(
                    "If the round ended after this move, the difference in points would be {n} better for you than "
                    "if it ended now."
                ).format(n=worth)
            )
        elif worth < 0:
            yield Against(
                self._(
                    "If the round ended after this move, the difference in points would be {n} worse for you than "
                    "if it ended now."
                ).format(n=-worth)
            )
        else:
            yield self._(
                "If the round ended after this move, the difference in points would be the same as if it ended now."
            )
        was, now = before.settled(), after.settled()
        for nation in NATIONS:
            paid, pays = was.gain(self.other, nation), now.gain(self.other, nation)
            mine = now.crews[self.seat][nation.number]
            if pays > paid and mine > was.crews[self.seat][nation.number]:
                yield Against(
                    self._(
                        "Your {crew} would still be the weaker one, and {name} would score {n} for the nation instead "
                        "of {before}."
                    ).format(crew=self._(CREWS[nation]), name=self.rival, n=pays, before=paid)
                )

    def _threat(self, after: Outlook, value: int) -> Iterator[str]:
        """Yield sentences about the card on which a die was laid: whether the other player can still take it or tie."""
        if after.taker(value) != self.seat:
            return
        _, card, left = self._, self._card(after, value), after.supply[self.other]
        answer = after.with_dice(self.other, value).taker(value)
        if answer != self.seat and left >= 2:
            text = _("With a {number}, {name} would tie with you on the {card}, so nobody would get it.")
            if answer == self.other:
                text = _("With a {number}, {name} would take the {card} from you.")
            fall = _("A {number} comes up in {n} of {all} rolls.").format(
                number=value, n=chance_of_any([value]), all=FALLS
            )
            yield Against(f"{text.format(number=value, name=self.rival, card=card)} {fall}")
        lead = after.dice[self.seat][value - 1] - after.dice[self.other][value - 1]
        if lead > left and not any(Trick.EXTRA in held for held in self.view.tricks):
            yield InFavour(
                _.many(
                    "{name} has {left} die left: too few to take the {card} from you in this round.",
                    "{name} has {left} dice left: too few to take the {card} from you in this round.",
                    left,
                ).format(name=self.rival, left=left, card=card)
            )

    def _given_up(self, board: Outlook, after: Outlook, value: int) -> Iterator[str]:
        """Yield a sentence about the die that is not laid, if it would gain more points now than the laid die."""
        if not self.view.rolled or self.view.named:
            return
        low, high = self.view.rolled
        rest = high if value == low else low
        if rest == value or value not in self.view.rolled:
            return
        better = board.with_dice(self.seat, rest).lead(self.seat) - after.lead(self.seat)
        if better > 0:
            yield Against(
                self._(
                    "If you laid the {number} on the {card} instead, the difference in points would now be {n} "
                    "better for you than with this move."
                ).format(number=rest, card=self._card(board, rest), n=better)
            )

    def _last_dice(self, after: Outlook) -> Iterator[str]:
        left = after.supply[self.seat]
        if left <= 1 and self.view.supply[self.seat] > 1:
            yield Against(
                self._("You then have too few dice to roll: in your next turn you must call Shanghai.")
            )

    # --- tricks and extra cards ---

    def _joker(self, nation: Nation) -> Iterator[str]:
        mine, theirs = (self.view.crews[seat][nation.number].strength for seat in (self.seat, self.other))
        yield self._("Your {crew} then counts {mine} against {theirs}.").format(
            crew=self._(CREWS[nation]), mine=mine + 2, theirs=theirs
        )
        change = joker_worth(self.view, self.seat, nation)
        if change > 0:
            yield InFavour(
                self._(
                    "If the crews no longer change, this move makes the difference in points {n} better for you. "
                    "This already includes the point that you lose by playing the card."
                ).format(n=change)
            )
        elif change < 0:
            yield Against(
                self._(
                    "If the crews no longer change, this move makes the difference in points {n} worse for you. "
                    "This already includes the point that you lose by playing the card."
                ).format(n=-change)
            )
        else:
            yield self._(
                "If the crews no longer change, this move leaves the difference in points the same. "
                "This already includes the point that you lose by playing the card."
            )

    def _special(self, action: moves.PlaceBoth | moves.Sharks | moves.Exchange) -> Iterator[str]:
        """Yield sentences about laying both dice, turning a card face down, or taking a die back."""
        end = None if isinstance(action, moves.Exchange) else action.end
        board, rolled = Outlook.of(self.view, end), self.view.rolled
        if board is None or rolled is None:
            return
        before = board.without_trick(self.seat)
        if isinstance(action, moves.PlaceBoth):
            after = before.with_dice(self.seat, *rolled)
            for value in dict.fromkeys(rolled):
                yield from self._on_card(before, after, value)
            yield from self._beside(before, after, *rolled)
        elif isinstance(action, moves.Sharks):
            value = action.value
            after = before.with_dice(self.seat, value).with_sharks(value)
            card = self._card(board, value)
            yield self._("The {card} goes to the sharks: nobody gets it.").format(card=card)
            yield from self._beside(before, after, value)
        else:
            number = action.number
            after = before.with_dice(self.seat, *rolled, back=number)
            if before.taker(number) == self.seat != after.taker(number):
                yield Against(self._("You give up the {card}.").format(card=self._card(board, number)))
            yield from self._beside(before, after, number, *rolled)
        yield from self._worth(board, after)
        yield from self._last_dice(after)

    def _object(self, *, objects: bool) -> Iterator[str]:
        """Yield sentences about the die that the other player must lay after the viewer's answer.

        The sentences also say how much that die changes the viewer's lead. ``objects`` is whether the viewer objects
        to the announced die.
        """
        board, rolled, named = Outlook.of(self.view), self.view.rolled, self.view.named
        if board is None or rolled is None or named is None:
            return
        value = sum(rolled) - named if objects else named
        after = board.with_dice(self.other, value)
        yield self._("{name} then lays the {number} on the {card}.").format(
            name=self.rival, number=value, card=self._card(board, value)
        )
        yield from self._worth(board, after)

    def _direct(self, end: End) -> Iterator[str]:
        board = Outlook.of(self.view, end)
        if board is None or self.view.rolled is None:
            return
        for value in dict.fromkeys(self.view.rolled):
            yield self._("A die with a {number} would then go on the {card}.").format(
                number=value, card=self._card(board, value)
            )
