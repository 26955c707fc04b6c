"""The melds on the table, with buttons for the cards of the viewer's hand that fit them."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, flag, html, join
from spelunke.boards.stage import cap, render_name
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.frame import Frame, button, role_in
from spelunke.games.sanghai.view import TableMeld

WHOLE_NAME, WHOLE_WORD = 18, 9
"""The limits for an owner's name that is shown in full: the length of the name, and the length of its longest word.

Both are in characters. A phone has no space for longer names, so they are shortened.
"""

ROW, WIDE_ROW, GAP, SMALL, LARGE, MIDDLE, OVERLAP, NUMBER = 14.0, 30.0, 0.6, 1.8, 3.0, 2.35, 0.4, 1.6
"""The measures of melds, in rem: a row of an owner's melds, beside another owner's or alone as at tables of three, and
the space between two melds. Then the widths of small cards, and of large cards if the contract has at most two melds,
or more. Last, the part of a card that is visible beside the next card, and the number of a meld whose first card is
wild.

``board.css`` has the same numbers.
"""

MOST_ADDS, SMALL_HAND = 5, 8
"""On a phone: the maximum number of buttons in one row of :func:`render_adds`, and the largest size of a small hand.

A small hand has two rows of buttons, and a larger hand has one row. Buttons for other cards appear when their
card is picked.
"""


def render_melds(frame: Frame) -> Markup:
    """Render all melds by owner, with the cards of the hand that fit them. Without melds, return nothing."""
    seen = frame.view
    if not seen.melds:
        return NOTHING
    return frame.kept("melds", (seen.melds, frame.choices), lambda: _melds(frame))


def _melds(frame: Frame) -> Markup:
    """Render the melds of each owner.

    The owner who laid first comes first, so that melds don't move when others lay.
    """
    seen = frame.view
    groups = []
    for seat in dict.fromkeys(entry.owner for entry in sorted(seen.melds, key=lambda entry: entry.number)):
        own = [entry for entry in seen.melds if entry.owner == seat]
        if own:
            melds = join(_kept_meld(frame, entry) for entry in own)
            groups.append(
                html(
                    '<div class="sg-owner seat-{}"><span class="sg-whose">{}</span>'
                    '<ol class="sg-melds">{}</ol></div>',
                    seat,
                    _owner(frame, seat),
                    melds,
                )
            )
    return html(
        '<div class="sg-laid-out{}" aria-label="{}">{}</div>',
        " roomy" if _fit_large(frame) else "",
        frame.say("Melds on the table"),
        join(groups),
    )


def _fit_large(frame: Frame) -> bool:
    """Return whether the table has space for melds of large cards: two owners beside each other, with two rows each.

    At a table of three, each owner has one row, which is as wide as the table.

    With large cards, each meld must be in the same row as with small cards. When a third owner lays melds, the cards
    become small, and no meld may then move to another row.
    """
    seen = frame.view
    owned: dict[int, list[TableMeld]] = {}
    for entry in seen.melds:
        owned.setdefault(entry.owner, []).append(entry)
    alone = seen.seats == 3
    card = LARGE if alone or seen.contract.sets + seen.contract.runs <= 2 else MIDDLE
    room, most = (WIDE_ROW, 1) if alone else (ROW, 2)
    ways = [(_break_rows(melds, card, room), _break_rows(melds, SMALL, room)) for melds in owned.values()]
    return len(owned) <= 2 and all(large == small and max(large) < most for large, small in ways)


def _break_rows(melds: list[TableMeld], card: float, room: float) -> list[int]:
    """Return the row of each meld, if cards have this width. A row 2 stands for a meld that is too long for any row."""
    row, used = 0, 0.0
    rows = []
    for entry in melds:
        whole = sum(entry.meld.wild[:-1])  # twice as much is visible of a wild card
        width = card * (1 + OVERLAP * (len(entry.meld.cards) - 1 + whole)) + NUMBER * entry.meld.wild[0]
        if used and used + GAP + width > room:
            row, used = row + 1, 0.0
        used += width + (GAP if used else 0)
        rows.append(row if width <= room else 2)
    return rows


def _owner(frame: Frame, seat: int) -> Markup:
    """Render the name of an owner, shortened if it is long.

    If two players have names with the same beginning, the shortened names still differ.
    """
    name = frame.name(seat)
    whole = len(name) <= WHOLE_NAME and max(map(len, name.split()), default=0) <= WHOLE_WORD
    return escape(name) if whole else render_name(name, frame.scene.names)


def _kept_meld(frame: Frame, entry: TableMeld) -> Markup:
    """Render a meld. If neither the meld nor its buttons have changed, return the markup of the last rendering."""
    targets = _targets(frame, entry)
    rests = (entry, targets, frame.view.lap)
    return frame.kept(("meld", entry.number), rests, lambda: _meld(frame, entry, targets))


def _meld(frame: Frame, entry: TableMeld, targets: Markup) -> Markup:
    meld = entry.meld
    # In a run, the id contains the place of the card: of two jokers, the new one may be the first.
    cards = join(
        html(
            '<li id="{}-m{}-{}-{}" class="{}" data-piece="meld{}-{}" data-from="hand-{} acting">{}</li>',
            frame.id,
            entry.number,
            "x" if card == "*" else card,
            meld.low + at if meld.form == "run" else meld.cards[:at].count(card),
            "wild" if wild else "",
            frame.view.lap,
            card,
            card,
            frame.face(card, role_in(meld, stands)),
        )
        for at, (card, stands, wild) in enumerate(zip(meld.cards, meld.stands, meld.wild, strict=True))
    )
    number = frame.say("Meld {n}: {cards}", n=entry.number, cards=frame.spoken_meld(meld))
    return html(
        '<li class="sg-meld {}{}{}" id="{}-m{}"{}{}>'
        '<span class="sr">{}</span><span class="sg-no" aria-hidden="true">{}</span>'
        '<ol class="sg-cards" aria-hidden="true">{}</ol>{}</li>',
        meld.form,
        " led" if meld.wild[0] else "",
        " lit" if targets else "",
        frame.id,
        entry.number,
        frame.takes(f"add * to {entry.number}|swap * into {entry.number}"),
        flag("data-press", targets),
        number,
        entry.number,
        cards,
        targets,
    )


def _targets(frame: Frame, entry: TableMeld) -> Markup:
    """Render a button for each card of the hand that fits this meld."""
    found = []
    for action, text in frame.legal[moves.Add]:
        if action.meld == entry.number:
            end = {"low": "◂", "high": "▸", None: "+"}[action.end]
            label = frame.say("Add the {card} to meld {n}", card=frame.spoken(action.card), n=entry.number)
            body = html(
                '{}<span class="{}">{}</span>', end, art.suit_class(action.card), frame.short(action.card)
            )
            found.append(button(text, label, body, "sg-add"))
    for action, text in frame.legal[moves.Swap]:
        if action.meld == entry.number:
            shown = frame.short(action.card)
            body = html(
                '⇄<span class="{}">{}</span>{}', art.suit_class(action.card), shown, _which(frame, action)
            )
            label = _say_swap(frame, action)
            found.append(button(text, label, body, "sg-add swap"))
    return html('<span class="sg-targets">{}</span>', join(found)) if found else NOTHING


def render_fits(frame: Frame, card: Card, at: int) -> list[Markup]:
    """Render a button for each meld that the picked card fits.

    The buttons are below the hand, because the buttons beside the melds may be out of view. If only one
    button is rendered, Enter presses it.
    """
    found = []
    moving = [a for kind in (moves.Add, moves.Swap) for a, _text in frame.legal[kind] if a.card == card]
    key, sign = ("enter", html(" {}", cap("Enter"))) if len(moving) == 1 else ("", NOTHING)
    for action, text in frame.legal[moves.Add]:
        if action.card == card:
            end = {"low": " ◂", "high": " ▸", None: ""}[action.end]
            label = frame.say("Add the {card} to meld {n}", card=frame.spoken(card), n=action.meld)
            body = html("{}{}{}", frame.say("Add to meld {n}", n=action.meld), end, sign)
            nth = f"-{at}{action.end or ''}"
            found.append(button(text, label, body, f"button primary sg-drop d{at}", key, nth))
    for action, text in frame.legal[moves.Swap]:
        if action.card == card:
            end = frame.which(action)
            taken = frame.say(
                "Take the {wild} of meld {n}", wild=frame.card(frame.taken_by(action)), n=action.meld
            )
            body = html("⇄ {}{}{}", taken, f" {end}" if end in "◂▸" and end else "", sign)
            kind = f"button primary sg-drop d{at}"
            found.append(button(text, _say_swap(frame, action), body, kind, key, f"-{at}"))
    return found


def render_adds(frame: Frame) -> Markup:
    """Render buttons beside the hand for the cards that fit a meld. Each button shows the number of its meld.

    Phones need these buttons, because the melds on a phone have no space for buttons.
    """
    if not (frame.legal[moves.Add] or frame.legal[moves.Swap]):
        return NOTHING
    return frame.kept("adds", (len(frame.view.hand), frame.choices), lambda: _adds(frame))


def _adds(frame: Frame) -> Markup:
    found = []
    for action, text in frame.legal[moves.Add]:
        sign = {"low": "◂", "high": "▸", None: "+"}[action.end]
        label = frame.say("Add the {card} to meld {n}", card=frame.spoken(action.card), n=action.meld)
        found.append(
            button(text, label, _draw_add(frame, sign, action.card, action.meld), "sg-add", nth="-hand")
        )
    for action, text in frame.legal[moves.Swap]:
        body = _draw_add(frame, join(["⇄", _which(frame, action)]), action.card, action.meld)
        found.append(button(text, _say_swap(frame, action), body, "sg-add", nth="-hand"))
    most = MOST_ADDS * (2 if len(frame.view.hand) <= SMALL_HAND else 1)
    return html('<div class="sg-adds">{}</div>', join(found[:most]))


def _which(frame: Frame, swap: moves.Swap) -> Markup:
    which = frame.which(swap)
    return html(" {}", which) if which else NOTHING


def _say_swap(frame: Frame, swap: moves.Swap) -> Markup:
    return frame.say(
        "Swap the {card} for the {wild} of meld {n}",
        card=frame.spoken(swap.card),
        wild=frame.spoken(frame.taken_by(swap)),
        n=swap.meld,
    )


def _draw_add(frame: Frame, sign: str | Markup, card: Card, meld: int) -> Markup:
    shown = html('<span class="{}">{}</span>', art.suit_class(card), frame.short(card))
    return html('{}{}<span class="sg-no" data-no="{}"></span>', shown, sign, meld)
