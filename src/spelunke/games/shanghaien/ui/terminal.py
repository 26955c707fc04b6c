"""The table of Shanghaien in a terminal of 80 columns.

It is readable without colours, because letters and signs show everything that the colours show.
"""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text

from spelunke.boards.scene import Scene
from spelunke.games.shanghaien.cards import NATIONS, End, Nation, Sailor
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.ui.frame import Frame

WIDTH = 11
STYLES = {
    "red": "bold white on red",
    "lightblue": "bold black on cyan",
    "darkblue": "bold white on blue",
    "yellow": "bold black on yellow",
    "orange": "bold black on dark_orange",
    "purple": "bold white on magenta",
    "green": "bold black on green",
    "grey": "bold black on grey70",
}
SIDES = ("bold red", "bold blue")
SIGNS = {"down": "v", "up": "^", "out": "x", "sharked": "x"}


def render_terminal(scene: Scene) -> Text:
    """Return the board as styled text.

    The row of cards is in the middle, with the other player's dice above it and the viewer's dice below it. The last
    lines are the result of the last round if it has to be shown, the points, and the rolled dice if they have to be
    laid.
    """
    frame = Frame(scene)
    seen = frame.view
    out = Text()
    _headline(frame, out)
    _party(frame, out, 1)
    if seen.row:
        _row(frame, out)
        if seen.end:
            legend = frame._("v to {mine} · ^ to {theirs} · x leaves the game · ~ neighbouring pips decide")
            told = legend.format(mine=frame.name(frame.seats[0]), theirs=frame.name(frame.seats[1]))
            out.append("   " + "\n   ".join(wrap(told, 80 - 3)) + "\n", "dim")
    _party(frame, out, 0)
    out.append("\n")
    _settlement(frame, out)
    _standing(frame, out)
    _asked(frame, out)
    return out


def _headline(frame: Frame, out: Text) -> None:
    seen, _ = frame.view, frame._
    parts = [_("Tavern {tavern} of 8").format(tavern=seen.tavern)]
    if seen.match != "single":
        parts.append(_("game {n}").format(n=frame.game))
    if seen.end:
        parts.append(_("card 1 is on the left") if seen.end is End.LEFT else _("card 1 is on the right"))
    out.append(" · ".join(parts) + "\n", "bold yellow")


def _party(frame: Frame, out: Text, side: int) -> None:
    seen, _ = frame.view, frame._
    seat = frame.seats[side]
    mark = ">" if seat in frame.scene.actors else " "
    out.append(f"{mark} {'●◆'[side]} {frame.name(seat)[:16]:<16}", SIDES[side])
    facts = [
        _.many("{n} die left", "{n} dice left", seen.supply[seat]).format(n=seen.supply[seat]),
        _.many("{n} point", "{n} points", seen.points[seat]).format(n=seen.points[seat]),
    ]
    if seen.tricks[seat]:
        facts.append(_("tricks: {tricks}").format(tricks=" ".join(seen.tricks[seat])))
    if seen.spent[seat]:
        facts.append(_("trick played"))
    facts += frame.notes(seat)
    indent = "\n" + " " * 22  # so that a second line begins below the first note
    out.append("  " + indent.join(wrap(", ".join(facts), 80 - 22)) + "\n")


def _cells(out: Text, cells: list[tuple[str, str]]) -> None:
    out.append("   ")
    for text, style in cells:
        out.append(f"{text[:WIDTH]:^{WIDTH}}", style)
        out.append(" ")
    out.append("\n")


def _row(frame: Frame, out: Text) -> None:
    by_place = {claim.place: claim for claim in frame.view.row}
    claims = [by_place.get(place) for place in range(1, 7)]
    _cells(out, [(_dice(frame, claim, 1), SIDES[1]) for claim in claims])
    _cells(out, [_card(frame, claim) for claim in claims])
    _cells(out, [(_number(claim), "bold") for claim in claims])
    _cells(out, [(_verdict(frame, claim), _tone(frame, claim)) for claim in claims])
    _cells(out, [(_dice(frame, claim, 0), SIDES[0]) for claim in claims])


def _dice(frame: Frame, claim: Claim | None, side: int) -> str:
    count = claim.dice[frame.seats[side]] if claim else 0
    return (
        " ".join([f"[{claim.number}]"] * min(count, 2)) + (f"×{count}" if count > 2 else "")
        if claim and count
        else ""
    )


def _card(frame: Frame, claim: Claim | None) -> tuple[str, str]:
    if claim is None or claim.card is None:
        return "· · ·", "dim"
    if isinstance(claim.card, Sailor):
        room = WIDTH - (4 if claim.down else 2)  # the rest is for the value and the brackets
        text = f"{_shorten(frame.nation(claim.card.nation), room)} {claim.card.value}"
        style = STYLES[claim.card.nation]
    else:
        text, style = f"+2|{claim.card.trick}", "bold yellow on black"
    return (f"({text})", "dim") if claim.down else (text, style)


def _shorten(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}."


def _number(claim: Claim | None) -> str:
    if claim is None:
        return ""
    return f"<{claim.number}>" if claim.number else f"{claim.place} / {7 - claim.place}"


def _verdict(frame: Frame, claim: Claim | None) -> str:
    if claim is None or not claim.number or not (any(claim.dice) or claim.down):
        return ""
    rule = {"alone": "", "majority": "", "neighbours": "~", "tie": "~"}.get(claim.rule, "")
    return f"{SIGNS[frame.fate(claim)]} {rule}{frame.score(claim)}"


def _tone(frame: Frame, claim: Claim | None) -> str:
    if claim is None or claim.taker is None:
        return "dim"
    return SIDES[frame.side(claim.taker)]


def _settlement(frame: Frame, out: Text) -> None:
    event = frame.settled
    if event is None:
        return
    out.append(f"{frame.caller}\n", "bold")
    for claim in sorted(event.claims, key=lambda c: c.place):
        if claim.card is not None and claim.rule != "nobody":
            out.append(f"   {SIGNS[frame.fate(claim)]} ", _tone(frame, claim))
            told = wrap(f"{frame.card(claim.card)}: {frame.verdict(claim)}", 80 - 5)
            out.append(f"\n{' ' * 5}".join(told) + "\n")
    out.append("\n")


def _standing(frame: Frame, out: Text) -> None:
    seen, _ = frame.view, frame._
    trick, total = _("trick"), _("sum")
    out.append(
        f"{'':18}" + "".join(f"{frame.letter(n):>5}" for n in NATIONS) + f"{trick:>7}{total:>6}\n", "bold"
    )
    for side in (0, 1):
        seat = frame.seats[side]
        line = "".join(f"{crew.strength or '-':>5}" for crew in seen.crews[seat])
        out.append(
            f"{'●◆'[side]} {frame.name(seat)[:16]:<16}{line}{len(seen.tricks[seat]) or '-':>7}{seen.points[seat]:>6}\n",
            SIDES[side],
        )
    coming = "".join(f"{_points(frame, n) or '-':>5}" for n in NATIONS)
    tricks = sum(len(part) for part in seen.tricks_to_come)
    named = _("to come")[:16]
    out.append(f"  {named:<16}{coming}{tricks or '-':>7}\n", "dim")


def _points(frame: Frame, nation: Nation) -> int:
    coming = frame.view.to_come[nation.number]
    return sum(coming.row) + sum(coming.deck)


def _asked(frame: Frame, out: Text) -> None:
    seen, _ = frame.view, frame._
    if seen.rolled and seen.phase != "turn":
        told = _("{name} rolled [{low}] [{high}]")
        if seen.named and seen.phase == "changed":
            told = _("{name} rolled [{low}] [{high}] and changed one die to [{value}]")
        elif seen.named and seen.phase == "objection":
            told = _("{name} rolled [{low}] [{high}] and wants to lay [{value}]")
        low, high = seen.rolled
        said = told.format(name=frame.named(seen.turn), low=low, high=high, value=seen.named)
        out.append(f"\n{said}", "bold")
        out.append("\n")
