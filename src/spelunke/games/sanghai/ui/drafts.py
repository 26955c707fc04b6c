"""What follows while somebody picks cards or writes orders: parts of the board that are rendered anew by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.aside import Aside
from spelunke.games.sanghai.rehearsal import Rehearsal, Rehearsed
from spelunke.games.sanghai.tray import Slot, Tray
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.frame import Frame

LATEST = 5
"""How many past discards are shown at once; the others are behind a word to press."""


def render_picked(frame: Frame) -> Markup:
    """What each set and run of the contract has of the picked cards, what it lacks, and whether a card stays."""
    tray = frame.considered.tray if frame.considered else None
    name = f"{frame.id}-picked"
    least = 2 if frame.legal[moves.Discard] else 1  # one card picked on one's turn is about to be discarded
    if tray is None or (tray.picked < least and not tray.aside):
        return Markup(f'<div id="{escape(name)}" class="sg-picked" role="status"></div>')
    rows = "".join(_aside(frame, n, one) for n, one in enumerate(tray.aside, 1))
    rows += "".join(_slot(frame, slot) for slot in tray.slots)
    if tray.spare:
        cards = ", ".join(frame.card(card) for card in tray.spare)
        rows += f'<li class="amiss">{frame.say("no place for {cards}", cards=cards)}</li>'
    rows += f'<li class="{"done" if tray.leaves else "amiss"}">{_stays(frame, tray)}</li>'
    lay = ""
    if tray.amiss:
        rows += (
            f'<li class="amiss">{frame.say("these cards are no meld that this contract still wants")}</li>'
        )
    if tray.meld and not (tray.lays and not tray.aside):
        lay = f'<button type="submit" id="{escape(frame.id)}-aside-on" class="button" name="draft" value="aside">{frame.say("Set aside as a meld")}</button>'
    if (
        tray.lays
        and not (tray.aside and tray.picked)
        and (frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun])
    ):
        title = frame.say("Lay these melds") if tray.aside else frame.say("Lay these cards")
        lay = compose_button(frame, title, "button primary", "picked")
    return Markup(
        f'<div id="{escape(name)}" class="sg-picked{" lays" if tray.lays else ""}" role="status">'
        f'<ul class="sg-checks" aria-label="{frame.say("The picked cards")}">{rows}</ul>{lay}</div>'
    )


def _aside(frame: Frame, n: int, one: Aside) -> str:
    """A meld that is set aside, with the way to take it back."""
    title = frame.say("Set") if one.meld.form == "set" else frame.say("Run")
    cards = "".join(
        f'<span class="{art.suit_class(card)}">{escape(_role(frame, card, role))}</span> '
        for card, role in zip(one.meld.cards, one.meld.stands, strict=True)
    )
    label = frame.say("Take meld {n} back", n=n)
    return (
        f'<li class="done"><b>{n}. {title}</b> {cards}<button type="submit" id="{escape(frame.id)}-back-{n}" class="link-button"'
        f' name="draft" value="back {n}" aria-label="{label}">{frame.say("take back")}</button></li>'
    )


def _slot(frame: Frame, slot: Slot) -> str:
    title = frame.say("Set") if slot.form == "set" else frame.say("Run")
    cards = "".join(
        f'<span class="{art.suit_class(card)}">{escape(_role(frame, card, role))}</span> '
        for card, role in zip(slot.cards, slot.stands, strict=True)
    )
    if slot.done:
        said = Markup()
    elif not slot.cards:
        said = frame.say("{n} missing", n=slot.missing)
    elif slot.form == "set":
        rank = next((card[:-1].upper() for card in slot.wants), "")
        said = frame.say("{n} missing: any {rank}", n=slot.missing, rank=rank)
    else:
        wants = ", ".join(frame.card(card) for card in slot.wants)
        said = frame.say("{n} missing: {cards}", n=slot.missing, cards=wants)
    return f'<li class="{"done" if slot.done else "open"}"><b>{title}</b> {cards}<em>{said}</em></li>'


def _role(frame: Frame, card: str, role: str) -> str:
    if role in (card, "*"):
        return frame.card(card) if card != "*" else "★"
    return f"{'★' if card == '*' else frame.card(card)}={frame.card(role)}"


def _stays(frame: Frame, tray: Tray) -> Markup:
    if tray.leaves and tray.left == 1:
        return frame.say("one card is left to discard")
    if tray.leaves:
        return frame.say("{n} cards are left, one of them to discard", n=tray.left)
    if tray.left < 1:
        return frame.say("no card would be left to discard")
    return frame.say("in this round exactly one card must be left, not {n}", n=tray.left)


def compose_button(frame: Frame, title: Markup, kind: str, nth: str) -> str:
    """Lays what is checked, in whatever way makes the contract."""
    return f'<button type="submit" id="{escape(frame.id)}-compose-{nth}" class="{kind}" name="move" value="compose">{title}</button>'


def render_rehearsal(frame: Frame) -> Markup:
    """What the orders that are kept, or being written, would have done with the discards so far; for their owner alone."""
    found = frame.considered
    name = f"{frame.id}-rehearsal"
    inner = ""
    if found is not None and found.trouble:
        inner = f'<p class="sg-trouble">{escape(found.trouble)}</p>'
    elif found is not None and found.orders is not None:
        inner = _rehearsal(frame, found.orders)
    return Markup(f'<div id="{escape(name)}" class="sg-rehearsal" role="status">{inner}</div>')


def _rehearsal(frame: Frame, orders: Rehearsal) -> str:
    told = orders.discards
    if not told:
        return f'<p class="small">{frame.say("Nothing was discarded yet that you could call for.")}</p>'
    head = frame.say(
        "These orders would have called for {n} of the {all} discards that you could call for.",
        n=orders.calls,
        all=len(told),
    )
    latest = "".join(f"<li>{_discard(frame, one)}</li>" for one in told[:LATEST])
    rest = ""
    if len(told) > LATEST:
        rows = "".join(
            _round(frame, lap, told[LATEST:]) for lap in sorted({d.lap for d in told[LATEST:]}, reverse=True)
        )
        rest = (
            f'<details id="{escape(frame.id)}-earlier" class="sg-earlier"><summary>{frame.say("Earlier")}</summary>'
            f"<ul>{rows}</ul></details>"
        )
    note = frame.say(
        "This is how they would have worked from the first card on, judging each discard by the hand you held "
        "then. Where others called as well, the call counts as won. With other cards the game would have gone "
        "differently."
    )
    return f'<p><b>{head}</b></p><ul class="sg-told">{latest}</ul>{rest}<p class="small muted">{note}</p>'


def _discard(frame: Frame, one: Rehearsed) -> str:
    card = f'<b class="{art.suit_class(one.card)}">{escape(frame.card(one.card))}</b>'
    giver = frame.say("round {n}, from {name}", n=one.lap, name=frame.name(one.giver))
    return f'{card} <span class="small muted">({giver})</span>: {_verdict(frame, one)}'


def _verdict(frame: Frame, one: Rehearsed) -> Markup:
    if one.called is None:
        return frame.say("you would have been asked")
    if not one.called:
        return frame.say("pass")
    words = {
        "won": frame.say("hep! You would have got it."),
        "lost": frame.say("hep! Somebody else got it."),
        "contested": frame.say("hep! Others called as well."),
        "open": frame.say("hep! It is there to be called for now."),
    }
    return Markup(f'<span class="called">{words[one.fate]}</span>')


def _round(frame: Frame, lap: int, told: Sequence[Rehearsed]) -> str:
    mine = [one for one in told if one.lap == lap]
    called = [one for one in mine if one.called]
    cards = " ".join(
        f'<b class="{art.suit_class(one.card)}{" lost" if one.fate == "lost" else ""}">{escape(frame.card(one.card))}</b>'
        for one in called
    )
    head = frame.say("Round {lap}: {n} of {all}", lap=lap, n=len(called), all=len(mine))
    lost = sum(one.fate == "lost" for one in called)
    more = f' <span class="small muted">({frame.say("{n} lost to others", n=lost)})</span>' if lost else ""
    return f"<li>{head} {cards}{more}</li>"
