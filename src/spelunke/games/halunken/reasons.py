"""The reasons for and against a choice, using only facts that its seat can see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spelunke.core.words import Translator
from spelunke.games.explaining import Against, InFavour
from spelunke.games.halunken import moves
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.moves import Action
from spelunke.games.halunken.sentences import JACK_NAME, name_card, name_sailor
from spelunke.games.halunken.state import BEFORE, FIELDS, JACK, ROB_COUNT
from spelunke.games.halunken.view import View, reckon


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
        self.names = names
        self._ = translate

    def of(self, action: Action) -> Iterator[str]:
        """Yield the sentences about an action."""
        match action:
            case moves.Choose("rum"):
                yield from self._rum()
            case moves.Choose(int() as card):
                yield from self._way(self.seat, card)
                yield from self._same(card)
            case moves.ChooseJack(int() as card):
                yield from self._way(JACK, card)
            case moves.Name(number):
                laid = self.view.captains[self.seat].laid
                yield from self._way(self.seat if laid == "rum" else JACK, number)
                if laid == "rum":
                    yield from self._followed(number)
            case moves.Rob(sailor):
                yield from self._rob(sailor)
            case moves.Fish(sailor):
                yield self._worth(self._gain(sailor))
            case moves.Bid(sailor):
                yield self._worth(-self._loss(self.seat, sailor))
                yield self._hiring()
            case moves.Pass():
                yield self._passing()
            case moves.Give(sailor):
                yield self._worth(-self._loss(self.seat, sailor))
            case _:
                return

    def _gain(self, sailor: Sailor) -> int:
        crew = self.view.crews[self.seat]
        return reckon((*crew.sailors, sailor)).worth - crew.worth

    def _loss(self, seat: int, sailor: Sailor) -> int:
        crew = self.view.crews[seat]
        return crew.worth - reckon(one for one in crew.sailors if one != sailor).worth

    def _worth(self, change: int) -> str:
        """Return a sentence about a change of the worth of the viewer's crew.

        A crew can lose points by getting a sailor, or gain points by losing one, because the colour that counts double
        may change.
        """
        if change < 0:
            return Against(self._("Your crew would be worth {points} less.").format(points=-change))
        text = self._("Your crew would be worth {points} more.").format(points=change)
        return InFavour(text, change) if change else text

    def _field(self, figure: int, number: int) -> int | None:
        place = self.view.jack if figure == JACK else self.view.captains[figure]
        return None if place is None or place.field is None else (place.field + number) % FIELDS

    def _way(self, figure: int, number: int) -> Iterator[str]:
        """Yield sentences about the field that a figure reaches in ``number`` steps.

        The sentences are about the open sailor on this field. If the figure is the viewer's own captain, they are also
        about the captains on this field. With more than two players, Black Jack takes no sailor there, and goes on if a
        captain stands there (H-R20). With two players, if nobody hired him, he takes the sailor into the harbour
        (H-R29).
        """
        _, field = self._, self._field(figure, number)
        if field is None:
            return
        top = self.view.taverns[field].top
        if figure == JACK and self.view.mode != "two_player":
            yield _("It leads to field {field}, or further if a captain stands there.").format(field=field)
        elif figure == JACK and self.view.hirer is None:
            yield _("Leads to field {field}.").format(field=field)
            yield (
                _("The tavern there is empty.")
                if top is None
                else _("Top sailor there now: {sailor}.").format(sailor=name_sailor(top, _))
            )
        elif top is None:
            yield Against(_("It leads to field {field}, where there is no sailor left.").format(field=field))
        else:
            yield _("It leads to field {field}, where you would take {sailor}.").format(
                field=field, sailor=name_sailor(top, _)
            )
            yield self._worth(self._gain(top))
        if figure == self.seat:
            yield from self._meeting(field, grows=top is not None)

    def _meeting(self, field: int, *, grows: bool) -> Iterator[str]:
        """Yield sentences about robbing the captains on a field. ``grows`` is true if the viewer takes a sailor there.

        When crew sizes are compared, the viewer's crew includes this sailor, unless the option ``rob_count`` is
        ``before``.
        """
        mine = len(self.view.crews[self.seat].sailors)
        after = mine + (grows and self.view.setup[1 + ROB_COUNT] != BEFORE)
        for other, captain in enumerate(self.view.captains):
            theirs = len(self.view.crews[other].sailors)
            if other == self.seat or captain.field != field or not theirs:
                continue
            name = self.names[other]
            if after <= theirs:
                yield InFavour(self._("{name} stands there and could be robbed.").format(name=name))
            elif mine <= theirs:
                yield self._(
                    "{name} stands there. The sailor that you take there makes your crew larger than theirs, and you "
                    "can't rob a smaller crew. So you can rob {name} only if they get a sailor before you arrive."
                ).format(name=name)
            else:
                yield self._(
                    "{name} stands there, but you can't rob them, because your crew is larger."
                ).format(name=name)

    def _followed(self, number: int) -> Iterator[str]:
        """Yield sentences about the captains who come later to the field that a Rum reaches, and may rob there."""
        field, after = self._field(self.seat, number), self.view.setup[1 + ROB_COUNT] != BEFORE
        if field is None:
            return
        mine = len(self.view.crews[self.seat].sailors) + (self.view.taverns[field].top is not None)
        laid = [captain.laid for captain in self.view.captains]
        for other, card in enumerate(laid):
            if not isinstance(card, int) or card <= number or laid.count(card) > 1:
                continue
            if self._field(other, card) == field and len(self.view.crews[other].sailors) + after <= mine:
                yield Against(
                    self._("{name} moves to field {field} later, and could rob you.").format(
                        name=self.names[other], field=field
                    )
                )

    def _hiring(self) -> str:
        """Return a sentence about what the viewer gains by hiring Black Jack (H-R20, H-R26)."""
        if self.view.mode == "two_player":
            last = self._last_of_jack()
            if last is not None and last != "rum":
                return InFavour(
                    self._(
                        "If you hire Black Jack, he lays his last card, the {card}, and can rob for you."
                    ).format(card=name_card(last, self._))
                )
            return InFavour(
                self._("If you hire Black Jack, you choose how far he goes, and he can rob for you.")
            )
        return InFavour(
            self._(
                "If you hire Black Jack, you take a sailor from each captain that he overtakes, but not from a "
                "crew that is smaller than yours."
            )
        )

    def _passing(self) -> str:
        """Return a sentence that says what happens with Black Jack if this seat passes and nobody makes another offer.

        See H-R20, H-R21 and H-R29.
        """
        view, two = self.view, self.view.mode == "two_player"
        last = self._last_of_jack()
        if view.bidder is None and two and last is not None:
            return self._(
                "If nobody hires Black Jack, he lays the only card that he has left: {card}."
            ).format(card=name_card(last, self._))
        if view.bidder is None:
            return (
                self._("If nobody hires Black Jack, chance decides how far he goes.")
                if two
                else self._(
                    "If nobody hires Black Jack, each captain that he overtakes has to give up a sailor."
                )
            )
        text = (
            self._("{name} then hires Black Jack, and can rob you with him.")
            if two
            else self._(
                "If {name} hires Black Jack, and Black Jack overtakes you while your crew is at least as large as "
                "{name}'s, you lose a sailor."
            )
        )
        return Against(text.format(name=self.names[view.bidder]))

    def _last_of_jack(self) -> Step | None:
        """Return Black Jack's card if he has only one left, else None."""
        left = self.view.jack.left if self.view.jack else ()
        return left[0] if len(left) == 1 else None

    def _holders(self, card: Step) -> list[str]:
        """Return the names of the other figures that can cancel a card because they still have the same card.

        Black Jack can do so only in a game of two players.
        """
        found = [
            self.names[other]
            for other, captain in enumerate(self.view.captains)
            if other != self.seat and card in captain.left
        ]
        jack = self.view.jack
        if self.view.mode == "two_player" and jack is not None and card in jack.left:
            found.append(self._(JACK_NAME))
        return found

    def _same(self, card: Step) -> Iterator[str]:
        holders = self._holders(card)
        if holders:
            yield self._(
                "If somebody else lays the same card, you don't move. Players who still have it: {names}."
            ).format(names=self._.list(holders))
        else:
            yield InFavour(self._("Nobody else has this card left."))

    def _rum(self) -> Iterator[str]:
        """Yield sentences about a Rum: its best result, and the players that could cancel it."""
        _ = self._
        tops = [
            top
            for number in range(1, 8)
            if (field := self._field(self.seat, number)) is not None
            and (top := self.view.taverns[field].top) is not None
        ]
        if tops:
            best = max(tops, key=self._gain)
            yield _(
                "You name the Rum's number after all cards are open. The best sailor within reach now is {sailor}."
            ).format(sailor=name_sailor(best, _))
            yield self._worth(self._gain(best))
        holders = self._holders("rum")
        if holders:
            yield _("Only another Rum cancels this card. Players who still have one: {names}.").format(
                names=self._.list(holders)
            )
        else:
            yield InFavour(_("Nobody can cancel this card: no other Rum is left."))

    def _rob(self, sailor: Sailor) -> Iterator[str]:
        yield self._worth(self._gain(sailor))
        for other, crew in enumerate(self.view.crews):
            if other != self.seat and sailor in crew.sailors:
                loss = self._loss(other, sailor)
                text = (
                    self._("The crew of {name} would be worth {points} less.")
                    if loss >= 0
                    else self._("The crew of {name} would be worth {points} more.")
                ).format(name=self.names[other], points=abs(loss))
                yield InFavour(text) if loss > 0 else Against(text) if loss < 0 else text
