"""The reasons that no event gives: why nobody may rob a captain, why a captain gets no sailor from the harbour, and why
Black Jack goes more fields than his card says.

This module infers them from the events, so that the log and the board can give the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from spelunke.core import values
from spelunke.core.words import Translator
from spelunke.games.halunken import happenings, sentences, state
from spelunke.games.halunken.cards import Step
from spelunke.games.halunken.state import FIELDS, JACK, State

Why: TypeAlias = Literal["employer", "empty", "small"]
"""The reason why nobody may rob a captain.

``employer``: it hired Black Jack. ``empty``: it has no sailor. ``small``: its crew is smaller than the thief's (H-R13,
H-R20).
"""


class Spared(NamedTuple):
    """A captain, ``victim``, that nobody may rob.

    ``jack`` is true if Black Jack met or overtook the victim. Then ``thief`` is the seat that hired him, or None if
    nobody did. Otherwise ``thief`` is the seat whose captain met the victim.
    """

    victim: int
    thief: int | None
    jack: bool
    why: Why


class Detour(NamedTuple):
    """Black Jack goes on to ``field``, because the fields in ``taken`` are occupied (H-R20, H-A22).

    The first field in ``taken`` is the one to which his card leads.
    """

    taken: tuple[int, ...]
    field: int


class Drained(NamedTuple):
    """A captain, ``seat``, that meets Black Jack while no sailor is in the harbour (H-R22, H-A25)."""

    seat: int


Reason: TypeAlias = Spared | Detour | Drained


class Spares:
    """A reader of events that finds the reasons that no event gives, such as why nobody may rob a captain.

    ``sizes`` are the sizes of the crews before the events, and ``fields`` the fields of the captains. ``hirer`` is the
    seat that hired Black Jack.

    If a move has begun before the events, ``mover`` is the figure that moves. If this figure is Black Jack, ``waiting``
    are the captains that he overtook, except those about whom a seat has already decided. If Black Jack's card was open
    before the events, ``card`` is its number.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        fields: Sequence[int | None],
        hirer: int | None,
        mover: int | None = None,
        waiting: Sequence[int] = (),
        card: Step | None = None,
    ) -> None:
        self._sizes = list(sizes)
        self._fields = list(fields)
        self._hirer = hirer
        self._mover = mover
        self._waiting = list(waiting)
        self._card = card
        self._decided = False
        """Whether a seat has decided to rob, give, fish or decline since the mover arrived."""
        self._last: list[Reason] = []
        """The reasons that belong to the last move or decision."""

    def read(self, events: Sequence[values.Event], asked: int | None = None) -> list[list[Reason]]:
        """Return a list of reasons for each event. A list is empty if there is no reason to give with its event.

        The events themselves do not contain these reasons. For example, a ``Spared`` in an event's list says why nobody
        may rob a captain after this event. ``asked`` is the overtaken captain
        about whom a seat now has to decide.
        """
        found = [self._read(event) for event in events]
        self._spare_waiting(asked)
        return found

    def _read(self, event: values.Event) -> list[Reason]:
        match event:
            case happenings.Robbed(thief, victim, _sailor, _jack):
                self._decide(victim)
                self._sizes[thief] += 1
                self._sizes[victim] -= 1
            case happenings.Declined(_seat, victim):
                self._decide(victim)
            case happenings.Gave(victim, _sailor):
                self._decide(victim)
                self._sizes[victim] -= 1
            case _:
                self._spare_waiting(None)
                self._last = []
                self._follow(event)
        return self._last

    def _follow(self, event: values.Event) -> None:
        """Update the crew sizes, the figures' fields and so on after an event that is no decision about a captain."""
        match event:
            case happenings.Placed(figure, field, _seat) if figure != JACK:
                self._fields[figure] = field
            case happenings.Met(seat, _sailor):
                self._sizes[seat] += 1
            case happenings.Hired(seat, _sailor):
                self._hirer = seat
                if seat is not None:
                    self._sizes[seat] -= 1
            case happenings.Fished(seat, _sailor):
                self._decided = True
                self._sizes[seat] += 1
            case happenings.Collected(figure, _field, sailor, seat) | happenings.Recruited(
                figure, _field, sailor, seat
            ):
                self._decided = False
                if figure == JACK:
                    self._hirer = seat
                if seat is not None and sailor is not None:
                    self._sizes[seat] += 1
            case happenings.Peeked(card) | happenings.Flipped(card):
                self._card = card
            case happenings.Walked():
                self._walk(event)
            case happenings.Displaced(figure, _start, field):
                if figure == JACK:
                    self._meet_jack()
                else:
                    self._meet(figure)
                    self._fields[figure] = field
                self._mover = None
            case _:
                pass

    def _walk(self, event: happenings.Walked) -> None:
        self._mover, self._decided = event.figure, False
        self._waiting = list(event.overtaken)
        if event.figure != JACK:
            self._fields[event.figure] = event.field
        elif len(self._fields) > 2:  # with two seats, the rules have him pass all captains (H-A29)
            steps = (event.field - event.start) % FIELDS or FIELDS
            if isinstance(self._card, int) and self._card < steps:
                taken = tuple((event.start + n) % FIELDS for n in range(self._card, steps))
                self._last.append(Detour(taken, event.field))
            passed = {(event.start + n) % FIELDS for n in range(1, steps)}
            for seat, field in enumerate(self._fields):
                if field in passed and seat not in event.overtaken:
                    self._last.append(Spared(seat, seat, True, "employer"))

    def _decide(self, victim: int | None) -> None:
        """Record that a seat has robbed or spared the captain ``victim``, or that this captain gave up a sailor.

        If ``victim`` is None, a seat has declined to take a sailor out of the harbour.
        """
        self._decided = True
        if victim in self._waiting:
            self._spare_waiting(victim)
        self._last = []

    def _spare_waiting(self, asked: int | None) -> None:
        """Record that nobody may rob the waiting captains that come before the captain ``asked``.

        The captains wait in the order in which Black Jack overtook them. If ``asked`` is None, note this for all of
        them.
        """
        while self._waiting:
            victim = self._waiting.pop(0)
            if victim == asked:
                return
            self._spare(victim, self._hirer, jack=True)

    def _meet(self, occupant: int) -> None:
        """Record that nobody may rob the captain ``occupant``, who has to make way.

        If a seat has decided since the mover arrived (to rob, give, fish or decline), record nothing.
        """
        if self._mover is None or self._decided:
            return
        jack = self._mover == JACK
        thief = self._hirer if jack else self._mover
        if thief == occupant:
            self._last.append(Spared(occupant, thief, jack, "employer"))
        else:
            self._spare(occupant, thief, jack=jack)

    def _meet_jack(self) -> None:
        """Record that the captain who met Black Jack gets no sailor from the harbour.

        With two players, also record that the captain may not rob Black Jack's hirer (H-R28). If a seat has decided
        since the captain arrived (to rob, give, fish or decline), record nothing.
        """
        if self._mover is None or self._decided:
            return
        self._last.append(Drained(self._mover))
        if len(self._fields) == 2 and self._hirer not in (None, self._mover):
            self._spare(self._hirer, self._mover, jack=False)

    def _spare(self, victim: int, thief: int | None, *, jack: bool) -> None:
        if self._sizes[victim] == 0:
            self._last.append(Spared(victim, thief, jack, "empty"))
        elif thief is not None:
            self._last.append(Spared(victim, thief, jack, "small"))


def find_spared(events: Sequence[values.Event], before: State, after: State) -> list[list[Reason]]:
    """Return a list of reasons for each event of one ply. A list is empty if there is no reason to give with its event.

    The events themselves do not contain these reasons. For example, a ``Spared`` in an event's list says why nobody may
    rob a captain after this event.
    ``before`` and ``after`` are the states before and after the ply.
    """
    seats = range(int(before.seats))
    spares = Spares(
        [int(before.hands[seat]) for seat in seats],
        [int(before.field[seat]) for seat in seats],
        _known(before.hirer),
        _known(before.mover),
        [int(who) for who in before.queue if who != state.NOBODY],
        int(before.laid[JACK]) or None,
    )
    return spares.read(events, _known(after.queue[0]) if after.phase == state.PASSING else None)


def _known(number: int) -> int | None:
    return None if number == state.NOBODY else int(number)


def say_with_reasons(
    events: Sequence[happenings.Event],
    spared: Sequence[Sequence[Reason]],
    names: Sequence[str],
    translate: Translator,
) -> tuple[str, ...]:
    """Return a text for each event: its sentence, then the sentences for its reasons in ``spared``."""
    return tuple(
        f"{sentences.say(event, names, translate)} {say_spared(each, names, translate)}".strip()
        for event, each in zip(events, spared, strict=True)
    )


def say_spared(spared: Sequence[Reason], names: Sequence[str], translate: Translator) -> str:
    """Return the sentences for these reasons as one text, which is empty if there are no reasons."""
    return " ".join(_say(one, names, translate) for one in spared)


def _say(one: Reason, names: Sequence[str], _: Translator) -> str:
    match one:
        case Detour(taken, field):
            text = _.many(
                "Field {fields} is taken, so Black Jack goes on to field {field}.",
                "Fields {fields} are taken, so Black Jack goes on to field {field}.",
                len(taken),
            )
            return text.format(fields=_.list([str(each) for each in taken]), field=field)
        case Drained(seat):
            return _("The harbour has no sailor for {name}.").format(name=names[seat])
        case Spared():
            return _say_spared(one, names, _)


def _say_spared(one: Spared, names: Sequence[str], _: Translator) -> str:
    victim = names[one.victim]
    if one.why == "employer":
        return _("Black Jack works for {name} and doesn't rob {name}.").format(name=victim)
    if one.why == "empty":
        return _("{victim} has no sailor to lose.").format(victim=victim)
    assert one.thief is not None, "Black Jack takes a sailor of everybody else if nobody hired him"
    text = (
        _("{name} has more sailors than {victim}, so Black Jack may not rob {victim}.")
        if one.jack
        else _("{name} has more sailors than {victim} and may not rob {victim}.")
    )
    return text.format(name=names[one.thief], victim=victim)
