"""The board in a terminal of 80 columns. Each colour is also shown by a letter or a sign."""

from __future__ import annotations

from functools import cache

from rich.text import Text

from spelunke.boards.scene import Scene
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui.frame import Frame
from spelunke.games.halunken.ui.orders import say_active_order
from spelunke.games.halunken.view import Figure

STYLES = {
    "yellow": "bold black on yellow",
    "grey": "bold black on grey70",
    "violet": "bold white on magenta",
    "red": "bold white on red",
}
SEATS = ("bold red", "bold blue", "bold green", "bold yellow")
WIDTH = 15
RING = (
    (0, 1, 2, 3, 4),
    (13, None, None, None, 5),
    (12, None, None, None, 6),
    (11, 10, 9, 8, 7),
)
"""The rows of fields, as they are drawn around the basin. ``None`` stands for a piece of the basin."""


def render(scene: Scene) -> Text:
    """Return the board as styled text: the taverns, the crews, the used cards, and the viewer's sealed cards."""
    frame = Frame(scene)
    out = Text()
    out.append_text(write_headline(frame)).append("\n\n")
    _ring(frame, out)
    for seat in frame.order:
        _crew(frame, out, seat)
    _jack(frame, out)
    _sealed(frame, out)
    return out


def write_headline(frame: Frame) -> Text:
    """Return a line with the hour, the number of the game, Black Jack's hirer, and the last offer of the bidding.

    If nobody has made an offer, the line has the viewer's standing order instead.
    """
    seen, _ = frame.view, frame._
    parts = [_("Hour {hour} of 8").format(hour=seen.hour)]
    if seen.match > 1:
        parts.append(_("Game {n} of 3").format(n=min(seen.games + 1, 3)))
    if seen.hirer is not None:
        parts.append(_("Black Jack works for {name}").format(name=frame.named(seen.hirer)))
    if seen.offer is not None and seen.bidder is not None:
        parts.append(
            _("{name} offers {sailor}.").format(
                name=frame.named(seen.bidder), sailor=frame.sailor(seen.offer)
            )
        )
    elif order := say_active_order(frame):
        parts.append(order)
    return Text(" · ".join(parts), "bold yellow")


def _sailor(frame: Frame, out: Text, sailor: Sailor) -> None:
    letter = _letters(
        tuple(frame._(COLOUR_NAMES[colour]) for colour in STYLES), list(STYLES).index(sailor.colour)
    )
    out.append(f" {letter}{sailor.value} ", STYLES[sailor.colour])


@cache
def _letters(names: tuple[str, ...], nth: int) -> str:
    """Return the shortest beginning of ``names[nth]`` with which no other name in ``names`` begins."""
    for n in range(1, len(names[nth])):
        if sum(name[:n].casefold() == names[nth][:n].casefold() for name in names) == 1:
            return names[nth][:n].capitalize()
    return names[nth].capitalize()


def _mark(figure: int) -> str:
    return "J" if figure == JACK else str(figure)


def _ring(frame: Frame, out: Text) -> None:
    seen = frame.view
    standing: dict[int, list[int]] = {}
    for figure, part in (*enumerate(seen.captains), (JACK, seen.jack)):
        if part is not None and part.field is not None:
            standing.setdefault(part.field, []).append(figure)
    for row in RING:
        for line in range(2):
            for field in row:
                cell = Text()
                if field is None:
                    cell.append("~ " * 7 if line else " ~" * 7, "blue")
                elif line == 0:
                    cell.append(f"{field:>2} ", "bold")
                    tavern = seen.taverns[field]
                    if tavern.top:
                        _sailor(frame, cell, tavern.top)
                    cell.append("▒" * tavern.under, "dim")
                    if not tavern.top and not tavern.under:
                        cell.append("–", "dim")
                else:
                    cell.append("   ")
                    for figure in standing.get(field, []):
                        style = "bold white on black" if figure == JACK else SEATS[figure] + " reverse"
                        cell.append(f"[{_mark(figure)}]", style)
                cell.truncate(WIDTH)
                cell.pad_right(WIDTH - cell.cell_len)
                out.append_text(cell)
            out.append("\n")
    out.append("\n")


def _cards(frame: Frame, out: Text, part: Figure) -> None:
    laid = (
        f"[{frame.card_label(part.laid)}]" + ("x" if part.cancelled else "") if part.laid is not None else ""
    )
    used = " ".join(write_card(card) for card in part.used) or "–"
    word = frame._("used")
    out.append(f"   {word} {used} {laid}\n", "dim")


def write_card(card: Step) -> str:
    """Return a movement card as a number or, for Rum, a letter."""
    return "R" if card == "rum" else str(card)


def _crew(frame: Frame, out: Text, seat: int) -> None:
    seen = frame.view
    crew = seen.crews[seat]
    lamp = ""
    if seen.phase == "choosing":
        lamp = " ●" if seen.ready[seat] else " ○"
    out.append(f"[{seat}] {frame.name(seat)}{lamp}", SEATS[seat])
    out.append("  " + frame._.many("{n} point", "{n} points", crew.worth).format(n=crew.worth) + "  ")
    for sailor in crew.sailors:
        _sailor(frame, out, sailor)
        out.append("²" if sailor.colour is crew.doubled else " ")
    if seen.games:
        out.append("  " + frame._("total {n}").format(n=seen.totals[seat]))
    out.append("\n")
    _cards(frame, out, seen.captains[seat])


def _jack(frame: Frame, out: Text) -> None:
    seen = frame.view
    if seen.jack is None:
        return
    # Translators: before the sailors in the harbour, in the terminal.
    harbour = frame._("harbour:")
    out.append(f"[J] {frame.name(JACK)}  {harbour} ", "bold")
    for sailor in seen.harbour:
        _sailor(frame, out, sailor)
        out.append(" ")
    out.append("\n")
    _cards(frame, out, seen.jack)


def _sealed(frame: Frame, out: Text) -> None:
    seen, _ = frame.view, frame._
    if seen.sealed is not None:
        out.append(_("Your card lies face down: {card}").format(card=frame.card(seen.sealed)) + "\n", "cyan")
    if seen.sealed_jack is not None:
        text = _("Black Jack's card lies face down: {card}").format(card=frame.card(seen.sealed_jack))
        out.append(text + "\n", "cyan")
