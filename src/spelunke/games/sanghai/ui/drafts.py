"""The parts of the board that are rendered again while a player picks cards or writes orders.

The form for standing orders in a terminal is here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, html, join
from spelunke.boards.scene import OrderForm, Scene
from spelunke.boards.stage import cap, keyed
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.aside import Aside
from spelunke.games.sanghai.cards import JOKER_TEXT
from spelunke.games.sanghai.orders import LIKE
from spelunke.games.sanghai.rehearsal import Rehearsal, Rehearsed
from spelunke.games.sanghai.tray import Slot, Tray
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.frame import Frame

LATEST = 5
"""The maximum number of past discards that are listed one by one. A page sums up the earlier ones by round."""


def render_picked(frame: Frame) -> Markup:
    """Render the picked and the missing cards for each set and run of the contract.

    The result also shows whether a card would be left for the discard. If the picked cards can be laid or set aside, it
    has a button for this. If no meld is set aside and too few cards are picked, the result is an empty element.
    On the viewer's turn, several cards without such a button get a sentence in its place: only one can be discarded.
    """
    tray = frame.considered.tray if frame.considered else None
    name = f"{frame.id}-picked"
    least = (
        2 if frame.legal[moves.Discard] else 1
    )  # on the viewer's turn, a single picked card is more likely a discard than the beginning of a meld
    if tray is None or (tray.picked < least and not tray.aside):
        one = _say_one(frame, len(frame.picked)) if tray is None else NOTHING
        listed = html('<ul class="sg-checks">{}</ul>', one) if one else NOTHING
        return html('<div id="{}" class="sg-picked" role="status">{}</div>', name, listed)
    rows = join(_aside(frame, n, one) for n, one in enumerate(tray.aside, 1))
    rows += join(_slot(frame, slot) for slot in tray.slots)
    if tray.spare:
        cards = ", ".join(frame.card(card) for card in tray.spare)
        rows += html(
            '<li class="amiss">{}</li>', frame.say("the contract has no place for {cards}", cards=cards)
        )
    rows += html('<li class="{}">{}</li>', "done" if tray.leaves else "amiss", _stays(frame, tray))
    lay = NOTHING
    if tray.amiss:
        rows += html(
            '<li class="amiss">{}</li>',
            frame.say("these cards do not form a meld that this contract still needs"),
        )
    if tray.meld and not (tray.lays and not tray.aside):
        lay = html(
            '<button type="submit" id="{}-aside-on" class="button" name="draft" value="aside"{}>{} {}</button>',
            frame.id,
            keyed("enter"),
            frame.say("Put aside as a meld"),
            cap("Enter"),
        )
    if (
        tray.lays
        and not (tray.aside and tray.picked)
        and (frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun])
    ):
        title = frame.say("Lay these melds") if tray.aside else frame.say("Lay these cards")
        lay = compose_button(frame, title, "button primary", "picked", key="enter")
    return html(
        '<div id="{}" class="sg-picked{}" role="status">'
        '<ul class="sg-checks" aria-label="{}">{}</ul>{}</div>',
        name,
        " lays" if tray.lays else "",
        frame.say("The picked cards"),
        rows if lay else rows + _say_one(frame, tray.picked),
        lay,
    )


def _say_one(frame: Frame, picked: int) -> Markup:
    """Render why there is no button to discard, if several cards are picked on the viewer's turn."""
    if picked < 2 or not frame.legal[moves.Discard]:
        return NOTHING
    return html('<li class="one">{}</li>', frame.say("To discard, pick only one card."))


def _aside(frame: Frame, n: int, one: Aside) -> Markup:
    """Render meld ``n`` of the melds that are set aside, with a button that takes it back."""
    title = frame.say("Set") if one.meld.form == "set" else frame.say("Run")
    cards = join(
        html('<span class="{}">{}</span> ', art.suit_class(card), _role(frame, card, role))
        for card, role in zip(one.meld.cards, one.meld.stands, strict=True)
    )
    label = frame.say("Take meld {n} back", n=n)
    return html(
        '<li class="done"><b>{}. {}</b> {}<button type="submit" id="{}-back-{}" class="link-button"'
        ' name="draft" value="back {}" aria-label="{}">{}</button></li>',
        n,
        title,
        cards,
        frame.id,
        n,
        n,
        label,
        frame.say("take back"),
    )


def _slot(frame: Frame, slot: Slot) -> Markup:
    title = frame.say("Set") if slot.form == "set" else frame.say("Run")
    cards = join(
        html('<span class="{}">{}</span> ', art.suit_class(card), _role(frame, card, role))
        for card, role in zip(slot.cards, slot.stands, strict=True)
    )
    if slot.done:
        said = NOTHING
    elif not slot.cards:
        said = frame.say_many("{n} missing", "{n} missing", slot.missing)
    elif slot.form == "set":
        # Only the picked cards say the rank if a joker would complete the set: ``wants`` leaves out jokers.
        known = (card for card in (*slot.wants, *slot.stands) if card != JOKER_TEXT)
        rank = next((frame.rank(card[:-1]) for card in known), "")
        said = frame.say_many("{n} missing: any {rank}", "{n} missing: any {rank}", slot.missing, rank=rank)
    else:
        wants = ", ".join(frame.card(card) for card in slot.wants)
        said = frame.say_many("{n} missing: {cards}", "{n} missing: {cards}", slot.missing, cards=wants)
    return html(
        '<li class="{}"><b>{}</b> {}<em>{}</em></li>', "done" if slot.done else "open", title, cards, said
    )


def _role(frame: Frame, card: str, role: str) -> str:
    return frame.short(card) if role in (card, "*") else f"{frame.short(card)}={frame.card(role)}"


def _stays(frame: Frame, tray: Tray) -> Markup:
    if tray.leaves and tray.left == 1:
        return frame.say("one card is left to discard")
    if tray.leaves:
        return frame.say_many(
            "{n} card is left to discard",
            "{n} cards are left, one of them to discard",
            tray.left,
        )
    if tray.left < 1:
        return frame.say("no card would be left to discard")
    return frame.say("in this round you must keep exactly one card, not {n}", n=tray.left)


def compose_button(frame: Frame, title: Markup, kind: str, nth: str, key: str = "") -> Markup:
    """Return the button that lays the contract. A key can press it.

    It lays the typed melds. If there are none, it lays the melds that are set aside, or else the checked cards. The
    server arranges the checked cards into melds (:func:`spelunke.games.sanghai.drafts.compose_move`).
    """
    return html(
        '<button type="submit" id="{}-compose-{}" class="{}" name="move" value="compose"{}>{}</button>',
        frame.id,
        nth,
        kind,
        keyed(key) if key else NOTHING,
        html("{} {}", title, cap(key.capitalize())) if key else title,
    )


def render_rehearsal(frame: Frame) -> Markup:
    """Render the calls that the stored or unsent orders would have made on the discards so far.

    Only the owner of the orders sees them. If the orders can't be read, the error is beside their field. Screen readers
    read it here once, after a press on “Try these orders”.
    """
    found = frame.considered
    name = f"{frame.id}-rehearsal"
    inner = NOTHING
    if found is not None and found.trouble:
        tried = frame.scene.draft.get("draft", ("",))[-1] == "orders"
        inner = html('<p class="sr">{}</p>', frame._.refusal(found.trouble)) if tried else NOTHING
    elif found is not None and found.orders is not None:
        inner = _rehearsal(frame, found.orders)
    return html('<div id="{}" class="sg-rehearsal" role="status">{}</div>', name, inner)


def _rehearsal(frame: Frame, orders: Rehearsal) -> Markup:
    told = orders.discards
    if not told:
        return html(
            '<p class="small">{}</p>', frame.say("There has been no discard yet that you could call for.")
        )
    head = frame.say_many(
        "These orders would have called for {n} of the {all} discard that you could call for.",
        "These orders would have called for {n} of the {all} discards that you could call for.",
        len(told),
        n=orders.calls,
        all=len(told),
    )
    latest = join(html("<li>{}</li>", _discard(frame, one)) for one in told[:LATEST])
    rest = NOTHING
    if len(told) > LATEST:
        rows = join(
            _round(frame, lap, told[LATEST:]) for lap in sorted({d.lap for d in told[LATEST:]}, reverse=True)
        )
        rest = html(
            '<details id="{}-earlier" class="sg-earlier"><summary>{}</summary><ul>{}</ul></details>',
            frame.id,
            frame.say("Earlier"),
            rows,
        )
    note = frame.say(
        "This is how your orders would have worked since the first card. For each discard, your orders see the "
        "hand that you really held at that time. Cards that the orders would have won are not in that hand. If "
        "others called for a card and you did not, we assume that your orders would have won it."
    )
    return html(
        '<p><b>{}</b></p><ul class="sg-told">{}</ul>{}<p class="small muted">{}</p>', head, latest, rest, note
    )


def _discard(frame: Frame, one: Rehearsed) -> Markup:
    card = html('<b class="{}">{}</b>', art.suit_class(one.card), frame.card(one.card))
    giver = frame.say("round {n}, from {name}", n=one.lap, name=frame.name(one.giver))
    return html('{} <span class="small muted">({})</span>: {}', card, giver, _verdict(frame, one))


def _verdict(frame: Frame, one: Rehearsed) -> Markup:
    told = escape(say_verdict(frame, one))
    return html('<span class="called">{}</span>', told) if one.called else told


def say_verdict(frame: Frame, one: Rehearsed) -> str:
    """Return a phrase that says how the standing orders would have answered a discard."""
    if one.called is None:
        return frame._("you would have been asked")
    if not one.called:
        return frame._("pass")
    words = {
        "won": frame._("hep! Your orders would have won the card."),
        "lost": frame._("hep! Your orders would not have won the card."),
        "contested": frame._("hep! Others called as well."),
        "open": frame._("hep! It isn't decided yet who gets the card."),
    }
    return words[one.fate]


def describe_orders(scene: Scene) -> OrderForm:
    """Return the form for standing orders in a terminal, with the calls that the orders would have made so far."""
    frame = Frame(scene)
    kept = scene.private
    now = str(kept.get("text", "")) if isinstance(kept, Mapping) else ""
    lines = [frame._(LIKE)]
    found = frame.considered
    if found is not None and found.trouble:
        lines.append(frame._.refusal(found.trouble))
    elif found is not None and found.orders is not None:
        told = found.orders.discards
        head = frame._.many(
            "These orders would have called for {n} of the {all} discard that you could call for.",
            "These orders would have called for {n} of the {all} discards that you could call for.",
            len(told),
        )
        lines.append(
            head.format(n=found.orders.calls, all=len(told))
            if told
            else frame._("There has been no discard yet that you could call for.")
        )
        for one in told[:LATEST]:
            giver = frame._("round {n}, from {name}").format(n=one.lap, name=frame.name(one.giver))
            lines.append(f"{frame.card(one.card)} ({giver}): {say_verdict(frame, one)}")
    return OrderForm("text", ", ".join(now.splitlines()), tuple(lines))


def _round(frame: Frame, lap: int, told: Sequence[Rehearsed]) -> Markup:
    mine = [one for one in told if one.lap == lap]
    called = [one for one in mine if one.called]
    cards = join(
        (
            html(
                '<b class="{}{}">{}</b>',
                art.suit_class(one.card),
                " lost" if one.fate == "lost" else "",
                frame.card(one.card),
            )
            for one in called
        ),
        " ",
    )
    head = frame.say("Round {lap}, discards called for: {n} of {all}", lap=lap, n=len(called), all=len(mine))
    lost = sum(one.fate == "lost" for one in called)
    more = (
        html(
            ' <span class="small muted">({})</span>',
            frame.say_many("{n} not won", "{n} not won", lost),
        )
        if lost
        else NOTHING
    )
    return html("<li>{} {}{}</li>", head, cards, more)
