"""The table in a terminal of 80 columns."""

from __future__ import annotations

from rich.text import Text

from spelunke.boards.scene import Scene
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.sentences import say_lack
from spelunke.games.sanghai.ui.frame import Frame

COLOURS = {"s": "bold", "h": "bold red", "d": "bold bright_blue", "c": "bold green", "*": "bold magenta"}


def _card(frame: Frame, card: Card, stands: Card | None = None) -> Text:
    text = Text(frame.short(card), style=COLOURS[card[-1]])
    if stands and stands not in (card, "*"):
        text.append(f"={frame.short(stands)}", style="dim")
    return text


def render(scene: Scene) -> Text:
    """Return the board as styled text: players, piles, melds, the viewer's hand, and the points of finished rounds.

    The text also says how many cards the viewer lacks for the contract.
    """
    frame = Frame(scene)
    seen = frame.view
    out = Text()
    out.append(frame._("Round {n} of {all}").format(n=seen.lap, all=len(seen.contracts)) + ": ", style="bold")
    out.append(frame.contract(seen.contract) + "\n")
    for seat in frame.seats:
        mark = "▶" if seat == seen.turn and seen.phase != "over" else " "
        flags = " ".join(
            word
            for word, on in (
                (frame._("laid"), seen.laid[seat]),
                (frame._("hep!"), seat in seen.calls),
                (frame._("dealer"), seat == seen.dealt_by),
            )
            if on
        )
        heps = "●" * seen.heps[seat] + "○" * max(0, seen.hep_limit - seen.heps[seat])
        out.append(
            f"{mark} {frame.name(seat)[:18]:<18} {seen.held[seat]:>2} {heps} {seen.totals[seat]:>4}  {flags}\n"
        )
    stock, discards = frame._("stock"), frame._("discards")
    out.append(f"\n{stock} {seen.stock}   {discards} {seen.pile}: ")
    out.append_text(_card(frame, seen.top) if seen.top else Text("–"))
    out.append("\n")
    for entry in seen.melds:
        out.append(f"\n{entry.number:>2} {frame.name(entry.owner)[:12]:<12} ")
        for card, stands in zip(entry.meld.cards, entry.meld.stands, strict=True):
            out.append_text(_card(frame, card, stands))
            out.append(" ")
    if seen.melds:
        out.append("\n")
    if seen.hand:
        out.append("\n")
        for card in seen.hand:
            out.append_text(_card(frame, card))
            out.append(" ")
        out.append("\n")
    if "missing" in frame.hints:
        out.append(say_lack(frame.hints["missing"].number, frame._) + "\n", style="dim")
    for done, row in enumerate(seen.sheet):
        points = " ".join(f"{p:>4}" for p in row)
        out.append(f"{done + 1:>2}. {frame.contract(seen.contracts[done]):<20} {points}\n", style="dim")
    return out
