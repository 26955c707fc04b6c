"""Render the viewer's trick cards beside the rolled dice, and the panels with the choices that a trick offers.

A half of a trick card that can be played now is a radio button, which opens the panel of its trick. Each half that
can't be played now shows a short reason. If one reason holds for all halves, it is shown once, above the cards. In some
cases there is no reason to show (:func:`why_not`).
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, html, join
from spelunke.core.words import plain
from spelunke.games.shanghaien.cards import Card, End, Sailor, Trick
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.events import TRICK_NAMES
from spelunke.games.shanghaien.moves import Action, Exchange, Joker, Nudge, PlaceBoth, Sharks
from spelunke.games.shanghaien.outlook import joker_worth
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame, button, plain_button
from spelunke.games.shanghaien.ui.halves import HALVES
from spelunke.games.shanghaien.ui.panels import render_over

KINDS = frozenset(half.kind for half in HALVES.values())
"""The types of the actions that play a trick."""


def render_held(frame: Frame, seat: int) -> Markup:
    """Render a player's unplayed trick cards in small size."""
    kinds = sorted(set(frame.view.tricks[seat]), key=lambda t: t.number)
    parts = []
    for trick in kinds:
        count = frame.view.tricks[seat].count(trick)
        name = frame._(TRICK_NAMES[trick])
        label = frame.say("{n} × trick card “{trick}”", n=count, trick=name)
        times = html("<b>{}×</b>", count) if count > 1 else NOTHING
        parts.append(
            html(
                '<span id="{}-held-{}-{}" class="sh-held" role="img" aria-label="{}" title="{}">{}{}</span>',
                frame.id,
                seat,
                trick,
                label,
                name,
                times,
                art.half(art.TRICKS[trick][-1]),
            )
        )
    return join(parts)


def render_in_row(frame: Frame, claim: Claim) -> Markup:
    """Render the picture of a card in the row. If the reader presses a trick card, a note shows what its halves do.

    In browsers that support ``interestfor``, the note also opens while the card is hovered or focused. While a button
    that lays a die covers the card, a question mark is visible above the button, in the corner of the card. A press on
    this mark opens the note. Finished games, pages of the past and pictures have no notes.
    """
    card = claim.card
    assert card is not None
    picture = frame.render_card(card)
    if isinstance(card, Sailor) or frame.scene.past or frame.scene.over or not frame.scene.table:
        return picture
    told, lines = [], NOTHING
    for half in art.TRICKS[card.trick]:
        word, tells = frame._(HALVES[half].word), frame._(HALVES[half].tells)
        told.append(f"{word} – {tells}")
        lines += html(
            '<p class="sh-crew">{}<b>{}</b><span>{}</span></p>',
            art.half(half),
            word,
            tells[:1].upper() + tells[1:],
        )
    name, key = frame.card(card), f"tells-{claim.place}"
    opener = html(
        '<button type="button" id="{0}-{1}-on" class="bare sh-tells" popovertarget="{0}-{1}" interestfor="{0}-{1}" aria-haspopup="dialog">'
        '<span class="sr">{2}</span></button>',
        frame.id,
        key,
        "; ".join(told),
    )
    return picture + opener + render_over(frame, key, escape(name[:1].upper() + name[1:]), lines)


def moves_of(frame: Frame, trick: Trick, half: str) -> list[tuple[Action, str]]:
    """Return the legal moves of one half of a trick card."""
    found: list[tuple[Action, str]] = frame.moves(HALVES[half].kind)
    return [(a, m) for a, m in found if not isinstance(a, Joker) or a.using is trick]


def why_not(frame: Frame, half: str) -> str:
    """Return a short reason why this half of a trick card can't be played now, or an empty text.

    If the viewer has already played a trick in this round, that is the reason. Otherwise, the text is empty in two
    cases: if the game is over, and if it is the viewer's turn but the viewer can't move, as in a replay.
    """
    seen, _ = frame.view, frame._
    if seen.spent[frame.me]:
        return _("one trick a round")
    if not frame.scene.legal and (seen.turn == frame.me or frame.scene.over):
        return ""
    if seen.turn != frame.me or seen.phase not in ("rolled", "direction"):
        return _("playable right after you roll")
    if seen.phase == "direction":
        return _("first choose where card 1 lies")
    return _(HALVES[half].lacks(seen))


def render_tricks(frame: Frame) -> Markup:
    """Return the viewer's trick cards. If nothing on which they depend has changed, they come from the cache."""
    seen = frame.view
    hand = seen.tricks[frame.me]
    if not hand:
        return NOTHING
    mine = seen.turn == frame.me
    moves = [pair for pair in frame.scene.legal if type(pair[0]) in KINDS]
    now = (
        mine and seen.phase,
        seen.spent[frame.me],
        seen.tavern,
        frame.stamp if moves else bool(frame.scene.legal),
    )
    return frame.kept("tricks", (hand, now, moves), lambda: _tricks(frame, hand))


def _tricks(frame: Frame, hand: tuple[Trick, ...]) -> Markup:
    kinds = sorted(set(hand), key=lambda t: t.number)
    reasons = {why_not(frame, half) for t in kinds for half in art.TRICKS[t] if not moves_of(frame, t, half)}
    none = not any(moves_of(frame, t, half) for t in kinds for half in art.TRICKS[t])
    once = reasons.pop() if none and len(reasons) == 1 else ""
    cards = join(_card(frame, trick, hand.count(trick), told=bool(once)) for trick in kinds)
    note = frame.say("Your tricks: {why}", why=once) if once else frame.say("Your tricks")
    label = frame.say("Your trick cards; each unplayed one is worth 1 point")
    return html(
        '<p class="sh-why-not">{}</p><ul class="sh-tricks" data-cards="{}" aria-label="{}">{}</ul>',
        note,
        len(kinds),
        label,
        cards,
    )


def _card(frame: Frame, trick: Trick, count: int, told: bool) -> Markup:
    times = html('<b class="count">{}×</b>', count) if count > 1 else NOTHING
    halves = join(_half(frame, trick, half, told) for half in art.TRICKS[trick])
    return html(
        '<li id="{}-trick-{}" class="sh-trick{}">{}{}</li>',
        frame.id,
        trick,
        " off" if told else "",
        times,
        halves,
    )


def _half(frame: Frame, trick: Trick, half: str, told: bool) -> Markup:
    moves = moves_of(frame, trick, half)
    word = frame.say(HALVES[half].word)
    inner = html("{}<b>{}</b>", art.half(half), word)
    tells = frame._(HALVES[half].tells)
    if not moves:
        why = "" if told else why_not(frame, half)
        reason = html("<small>{}</small>", why) if why else NOTHING
        return html(
            '<span id="{}-off-{}-{}" class="sh-half off">{}{}</span>', frame.id, trick, half, inner, reason
        )
    # People press a half to see its effect, and a trick can't be taken back. So a second step plays it.
    pick = f"joker-{trick}" if half == "joker" else half
    label = frame.say("{word}: {tells}; shows your choices", word=word, tells=tells)
    return html(
        '<label id="{}-on-{}-{}-{}" class="sh-half sh-glow sh-pick"><input id="{}-pick-{}-{}" class="pick-{} pick-trick" type="radio" name="{}-pick"'
        ' form="{}-none" aria-label="{}">{}</label>',
        frame.id,
        trick,
        half,
        frame.stamp,
        frame.id,
        pick,
        frame.stamp,
        pick,
        frame.id,
        frame.id,
        label,
        inner,
    )


def render_panels(frame: Frame) -> Markup:
    """Render the panels for the second step of playing a trick, one for each trick that can be played now.

    Depending on the trick, the player chooses a die's value, an end of the row, a crew or a card in this step. A card
    is chosen in the row, not in the panel. If a trick leaves no choice, its panel has one button, which plays the
    trick. A panel is visible only after its trick was chosen.
    """
    parts = [*_panel_nudge(frame), *_panel_both(frame), *_panels_plain(frame), *_panels_jokers(frame)]
    for half, text in (
        (Sharks, plain("Choose the card that goes to the sharks.")),
        (Exchange, plain("Choose the card to take your die back from.")),
    ):
        if half in frame.legal:
            parts.append(_panel(frame, "sharks" if half is Sharks else "exchange", frame.say(text), NOTHING))
    if parts:
        parts.append(
            html(
                '<label class="sh-back sh-pick button quiet"><input id="{}-pick-none-{}" class="pick-none" type="radio" name="{}-pick" form="{}-none">{}<span>{}</span></label>',
                frame.id,
                frame.stamp,
                frame.id,
                frame.id,
                _still_rolled(frame),
                frame.say("No trick: lay a die"),
            )
        )
    return join(parts)


def _still_rolled(frame: Frame) -> Markup:
    """Render the rolled dice in small size, because a panel covers the large ones."""
    rolled = frame.view.rolled or ()
    return html(
        '<span class="sh-still" aria-hidden="true">{}</span>', join(art.die(0, value) for value in rolled)
    )


def _panel_nudge(frame: Frame) -> Iterator[str]:
    nudges, rolled = frame.moves(Nudge), frame.view.rolled or ()
    if nudges:
        dice = join(
            button(
                frame,
                "p",
                move,
                frame._("Change a die to {value}").format(value=action.value),
                html(
                    '{}<small aria-hidden="true">{} → {}</small>',
                    art.die(0, action.value),
                    "/".join(str(one) for one in sorted(set(rolled)) if abs(one - action.value) == 1),
                    action.value,
                ),
                "bare sh-rolled sh-glow",
            )
            for action, move in nudges
        )
        yield _panel(frame, "pm1", frame.say("Change a die to:"), dice)


def _panel_both(frame: Frame) -> Iterator[str]:
    seen, both = frame.view, frame.moves(PlaceBoth)
    if both and seen.rolled:
        cards = {claim.place: claim.card for claim in seen.row if claim.card is not None}
        choices = NOTHING
        for action, move in both:
            places = [frame.place(value, action.end) for value in seen.rolled]
            names = [_name_short(frame, cards[place]) for place in places]
            on = f"2 × {names[0]}" if len(set(places)) == 1 else " + ".join(names)
            text = (
                frame._("On {cards} (card 1 is on the left)")
                if action.end is End.LEFT
                else frame._("On {cards} (card 1 is on the right)")
            )
            choices += plain_button(frame, move, escape(text.format(cards=on) if len(both) > 1 else on))
        yield _panel(frame, "both", frame.say("Lay both dice:"), choices)


def _panels_plain(frame: Frame) -> Iterator[str]:
    """Render the panels of the tricks that have no further choice. A panel's button names the trick's effect."""
    for half in ("again", "crazy"):
        for _action, move in frame.moves(HALVES[half].kind):
            tells = frame._(HALVES[half].tells)
            choice = plain_button(frame, move, escape(tells[:1].upper() + tells[1:]))
            yield _panel(frame, half, frame.say(HALVES[half].word), choice)


def _name_short(frame: Frame, card: Card) -> str:
    """Return the name of a card for a button. For a trick card, it is the name of the trick."""
    return frame.card(card) if isinstance(card, Sailor) else frame._(TRICK_NAMES[card.trick])


def _panels_jokers(frame: Frame) -> Iterator[str]:
    jokers = frame.moves(Joker)
    for trick in sorted({action.using for action, _ in jokers}, key=lambda t: t.number):
        mine = [(action, move) for action, move in jokers if action.using is trick]
        choices = NOTHING
        for action, move in mine:
            worth = joker_worth(frame.view, frame.me, action.nation)
            shown = f"{worth:+}".replace("-", "−") if worth else "±0"
            inner = html(
                '{}<span>{}</span><i>{}</i> <b class="{}">{}</b>',
                art.emblem(action.nation.number),
                frame.nation(action.nation),
                escape(frame.letter(action.nation)),
                "gains" if worth > 0 else "costs" if worth < 0 else "",
                shown,
            )
            # Translators: {worth} is a number of points with its sign, such as “+2”.
            told = frame._("your lead changes by {worth} points").format(worth=shown)
            choices += button(
                frame, "p", move, f"{frame.label_joker(action)}; {told}", inner, "button sh-nation"
            )
        title = frame.say("Choose a crew. Your lead changes by:")
        yield _panel(frame, f"joker-{trick}", title, choices)


def _panel(frame: Frame, pick: str, title: Markup, inner: Markup) -> Markup:
    return html(
        '<div id="{}-panel-{}-{}" class="sh-panel for-{}" role="group" aria-label="{}"><b>{}</b>{}</div>',
        frame.id,
        pick,
        frame.stamp,
        pick,
        title,
        title,
        inner,
    )
