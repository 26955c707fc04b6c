"""Sentences for the plies of a game, and for moves that a player can make or could have made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spelunke.core.errors import IllegalMove
from spelunke.core.values import Action
from spelunke.core.words import Translator
from spelunke.games.explaining import Against, InFavour
from spelunke.games.match import Match
from spelunke.house.study.replays import Course


def say_ply(match: Match, number: int, names: Sequence[str], translate: Translator) -> str:
    """Return the sentences for all events of the ply with this number, with nothing hidden."""
    told = match.say(number, match.events_of(number), names, translate)
    return " ".join(sentence for sentence in told if sentence)


def say_next(match: Match, text: str, names: Sequence[str], translate: Translator) -> str:
    """Return the sentences for the events that a move or an outcome of chance would cause.

    `text` is the text of the move or outcome. If several seats are to act, the first of them makes the move.
    The match does not change. Raise BadText if the text is malformed, or Refused if the move or outcome is not
    possible.
    """
    at = match.match_at()
    if at.chance:
        at.apply_chance(at.game.notation.parse_chance(text))
    else:
        at.act(at.actors[0], at.parse(text))
    return say_ply(at, 0, names, translate)


def say_move(match: Match, seat: int, text: str, names: Sequence[str], translate: Translator) -> str:
    """Return the sentence for a seat's move.

    `match` contains only what the seat knows. In a game that hides something or lets several seats act at a time, leave
    out the sentences for the consequences of the move, because they depend on facts that the seat does not know. If the
    game then has no sentence for the move, return the text of the move.
    """
    at = match.match_at()
    at.act(seat, at.parse(text))
    return _say_alone(at, 0, names, translate) or text


def _say_alone(match: Match, number: int, names: Sequence[str], translate: Translator) -> str:
    """Return the sentences for the ply with this number.

    In a game that hides something or lets several seats act at a time, return only the first sentence: the action or
    the outcome of chance. The consequences may depend on hidden facts (see `say_move`). They can also be long, for
    example if captains move after a sailor was turned up.
    """
    game = match.game
    if not (game.hidden or game.together):
        return say_ply(match, number, names, translate)
    told = (game.events.say(event, names, translate) for event in match.events_of(number))
    return next((sentence for sentence in told if sentence), "")


def say_to_player(match: Match, seat: int, text: str, names: Sequence[str], translate: Translator) -> str:
    """Return a seat's move as an instruction to this seat, such as “Lay the 4 on Spanish 3.”

    `match` contains only what the seat knows. If the game does not describe its actions, return the sentence for the
    move.
    """
    game = match.game
    told = game.hooks.describe_action(match.parse(text), match.view(seat), names, translate)
    if not told:
        return say_move(match, seat, text, names, translate)
    return f"{told[0].upper()}{told[1:]}{'' if told.endswith(('.', '!', '?')) else '.'}"


def say_why(
    match: Match, seat: int, text: str, names: Sequence[str], translate: Translator
) -> tuple[str, ...]:
    """Return the reasons for and against a seat's move, based only on what that seat sees."""
    return as_texts(match.game.hooks.reasons(match.parse(text), match.view(seat), names, translate))


def leave_out_contrary(reasons: Iterable[str]) -> list[str]:
    """Return the reasons without those that speak against the move."""
    return [reason for reason in reasons if not isinstance(reason, Against)]


def compare(better: Sequence[str], played: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the reasons for a better move than the played one, and the reasons against the played move.

    Leave out reasons against the played move that also speak against the better move. ``better`` and ``played`` are the
    reasons for and against the two moves. Points are no reason for the better move if the played move brought as many.
    """
    most = max((one.points or 0 for one in played if isinstance(one, InFavour)), default=0)
    kept = [
        one
        for one in leave_out_contrary(better)
        if not isinstance(one, InFavour) or one.points is None or one.points > most
    ]
    return kept, [one for one in played if isinstance(one, Against) and one not in better]


def as_texts(reasons: Iterable[str]) -> tuple[str, ...]:
    """Return reasons as plain texts, which do not say whether a reason speaks for or against a move."""
    return tuple(map(str, reasons))


def find_choice(course: Course, number: int, text: str) -> Match:
    """Return a match at the newest position, up to the ply `number`, in which the ply's seat could play `text`.

    If the seat changed its secret choice at this ply, return the position before its first choice.
    """
    seat = course.match.plies[number].seat
    for ply in range(number, -1, -1):
        if course.match.plies[ply].seat == seat and _offers(at := course.match_at(ply), seat, text):
            return at
    return course.match_at(number)


def _offers(match: Match, seat: int, text: str) -> bool:
    """Return whether the seat can choose this move. If it only could change a sealed choice, return False.

    Raise BadText if the text is malformed.
    """
    trial, action = match.match_at(), match.parse(text)
    if seat not in trial.actors or action in trial.revisions(seat):
        return False
    try:
        trial.act(seat, action)
    except IllegalMove:
        return False
    return True


class Teller:
    """Makes sentences for the plies of a `Course`, and for moves that a player could have made instead.

    A course is a game with all its positions.
    """

    def __init__(self, course: Course, translate: Translator) -> None:
        self._course = course
        self._translate = translate
        self._names = course.table.names

    def find_people(self, seat: int | None) -> tuple[int, ...]:
        """Return all seats of a reader who has the seat `seat`, or an empty tuple if `seat` is None.

        A reader whose device is shared has the seats of all people at the device. Any other reader has one
        seat.
        """
        if seat is None:
            return ()
        facts = self._course.table.facts
        return tuple(chair.seat for chair in facts.at_device(facts.chairs[seat].person)) or (seat,)

    def is_chosen(self, number: int) -> bool:
        """Return whether a person chose the move of this ply.

        If a lesson or a bot chose it, return False, even if the bot moved in a person's place.
        """
        return number not in self._course.unchosen

    def ply(self, number: int) -> str:
        """Return the sentences for a ply.

        In a game that hides something or lets several seats act at a time, leave out the sentences for the consequences
        of the action or outcome of chance, as :meth:`move` does.
        """
        return _say_alone(self._course.match, number, self._names, self._translate)

    def move(self, number: int, text: str) -> str:
        """Return the sentence for a move that was possible at the ply `number`. `text` is the move text."""
        at, seat = self._find_choice(number, text)
        return say_move(at, seat, text, self._names, self._translate)

    def to_player(self, number: int, text: str) -> str:
        """Return the move `text`, which was possible at the ply `number`, as an instruction to the player who acted."""
        at, seat = self._find_choice(number, text)
        return say_to_player(at, seat, text, self._names, self._translate)

    def round(self, number: int) -> str:
        """Return the name of the round to which the ply belongs, such as “Tavern 5”.

        If the round has no name, return an empty text.
        """
        course = self._course
        return course.game.hooks.name_round(course.match.state_at(number), self._translate)

    def why(self, number: int, text: str) -> tuple[str, ...]:
        """Return the reasons for and against a move at the ply `number`, based only on what the acting seat saw."""
        at, seat = self._find_choice(number, text)
        return say_why(at, seat, text, self._names, self._translate)

    def why_better(self, number: int, better: str, played: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the reasons for a better move at the ply `number`, and the reasons against the played move.

        Leave out reasons against the played move that also speak against the better move.
        """
        found = []
        for text in (better, played):
            at, seat = self._find_choice(number, text)
            hooks = at.game.hooks
            found.append(hooks.reasons(at.parse(text), at.view(seat), self._names, self._translate))
        kept, drawbacks = compare(*found)
        return as_texts(kept), as_texts(drawbacks)

    def _find_choice(self, number: int, text: str) -> tuple[Match, int]:
        """Return the result of :func:`find_choice`, and the seat that acted at the ply `number`."""
        return find_choice(self._course, number, text), self._course.match.plies[number].seat

    def action(self, number: int, text: str) -> Action:
        """Return the action for the text of a move that was possible at the ply `number`.

        Raise BadText if the text means no action in that position.
        """
        return self._course.match_at(number).parse(text)
