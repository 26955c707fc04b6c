"""The board of Sanghai on a page, from a seat's view alone.

The hand is a row of checkboxes that wraps. One checked card brings up its discard button, several bring up the tray's;
both through ``:has()``, so nothing needs a script. Cards that fit a meld stand at it as glowing buttons.
"""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.scene import Scene
from spelunke.boards.stage import render_name
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.cards import RANKS, SUITS, Card
from spelunke.games.sanghai.happenings import RoundScored
from spelunke.games.sanghai.sentences import say
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.drafts import render_picked
from spelunke.games.sanghai.ui.frame import Frame, button
from spelunke.games.sanghai.ui.hand import find_fitting, render_cards, sort_by_suit
from spelunke.games.sanghai.ui.melds import render_adds, render_fits, render_melds, write_short
from spelunke.games.sanghai.ui.panels import (
    render_call,
    render_orders,
    render_scores,
    render_tray,
    render_votes,
)
from spelunke.games.sanghai.ui.steps import LAYING, render_steps, say_steps


def render_board(scene: Scene) -> Markup:
    """The whole board; ``scene.legal`` decides which buttons there are."""
    frame = Frame(scene)
    seen = frame.view
    if scene.past:
        mine = _hands(frame)
    else:
        mine = "" if frame.me is None else _hand(frame)
    call = (
        "" if frame.me is not None and seen.hand and not scene.past else render_call(frame)
    )  # with the hand it is always in sight
    # The Enter key in a field presses the first button of a form: here one that changes nothing.
    first = '<button type="submit" name="draft" value="enter" hidden tabindex="-1"></button>'
    return Markup(
        f'<div class="sanghai" id="{escape(frame.id)}" data-phase="{escape(seen.phase)}" data-seats="{seen.seats}">'
        f"{'' if frame.me is None else first}"
        f'<div class="sg-whole"><div class="sg-main"><section class="sg-table night" aria-label="{frame.say("The table")}">'
        f"{_contract(frame)}{_players(frame)}{_middle(frame)}{render_melds(frame) or _ended(frame)}</section>"
        f'{mine}{render_votes(frame)}{call}</div><div class="sg-side">'
        f"{'' if scene.past else render_tray(frame) + render_orders(frame)}{render_scores(frame)}</div></div></div>"
    )


# ---- what everybody plays for ------------------------------------------------------------------------------------


def _contract(frame: Frame) -> str:
    seen = frame.view
    contract = seen.contract
    slots = "".join('<i class="sg-slot set"><b></b><b></b><b></b></i>' for _ in range(contract.sets))
    slots += "".join(
        f'<i class="sg-slot run">{"<b></b>" * contract.length}</i>' for _ in range(contract.runs)
    )
    return (
        f'<header class="sg-contract"><span class="sg-round">'
        f"{frame.say('Round {n} of {all}', n=seen.lap, all=len(seen.contracts))}</span>"
        f'<strong>{escape(frame.contract(contract))}</strong><span class="sg-slots" aria-hidden="true">{slots}</span></header>'
    )


def _ended(frame: Frame) -> str:
    """How the round before ended, until the viewer acts in the next: its cards are gone from the table at once."""
    scored = [event for event in frame.scene.last if isinstance(event, RoundScored)]
    if not scored or frame.view.phase == "over":
        return ""
    return f'<p class="sg-ended">{escape(say(scored[-1], frame.scene.names, frame._))}</p>'


def _players(frame: Frame) -> str:
    return f'<ul class="sg-players">{"".join(_player(frame, seat) for seat in frame.seats)}</ul>'


def _player(frame: Frame, seat: int) -> str:
    seen = frame.view
    classes = ["sg-player", f"seat-{seat}"]
    if seat == frame.me:
        classes.append("me")
    if seat == seen.turn and seen.phase != "over":
        classes.append("on-turn")
    if seat in frame.scene.actors:
        classes.append("asked")
    if seen.laid[seat]:
        classes.append("laid")
    calls = frame.say("{n} of {all} calls won", n=seen.heps[seat], all=seen.hep_limit)
    heps = "".join(
        f'<i class="sg-pip{" used" if k < seen.heps[seat] else ""}"></i>' for k in range(seen.hep_limit)
    )
    marks = ""
    if seat in seen.calls:
        order = seen.calls.index(seat) + 1
        marks += (
            f'<span class="sg-shout">{frame.say("hep!")}{f" {order}" if len(seen.calls) > 1 else ""}</span>'
        )
    dealer = ""
    if seat == seen.dealer:
        dealer = f'<span class="sg-dealer" title="{frame.say("dealer")}">D</span>'
    if seen.laid[seat]:
        marks += f'<span class="sg-laid">{frame.say("laid")}</span>'
    return (
        f'<li class="{" ".join(classes)}"><span class="sg-who"><b class="sg-name">{render_name(frame.name(seat), frame.scene.names)}</b>{dealer}{marks}</span>'
        f'<span class="sg-left" title="{frame.say("cards left")}">{art.back()}<b>{seen.held[seat]}</b>'
        f'<span class="sr">{frame.say("cards left")}</span></span>'
        f'<span class="sg-heps" title="{calls}"><small aria-hidden="true">{frame.say("hep")}</small>{heps}<span class="sr">{calls}</span></span>'
        f'<span class="sg-total">{seen.totals[seat]}<span class="sr"> {frame.say("points")}</span></span></li>'
    )


# ---- stock and discards ------------------------------------------------------------------------------------------


def _middle(frame: Frame) -> str:
    seen = frame.view
    stock = f'{art.back()}<span class="sg-count">{seen.stock}</span>'
    for _action, text in frame.legal[moves.Stock]:
        stock = button(text, frame.say("Draw from the stock"), stock, "bare sg-pile lit", "s")
    if not frame.legal[moves.Stock]:
        stock = f'<span class="sg-pile">{stock}</span>'
    top = art.card(seen.top) if seen.top else '<span class="sg-none"></span>'
    label = frame.say("Take the {card}", card=frame.spoken(seen.top)) if seen.top else Markup()
    count = f'<span class="sg-count">{seen.pile}</span>' if seen.pile else ""
    pile = f'<span class="sg-pile">{top}{count}</span>'
    for _action, text in frame.legal[moves.Take]:
        pile = button(text, label, f"{top}{count}", "bare sg-pile lit", "t")
    spoken = frame.spoken(seen.top) if seen.top else frame._("nothing")
    under = ""
    if seen.discards is not None and len(seen.discards) > 1:
        cards = "".join(f"<li>{escape(frame.card(card))}</li>" for card in seen.discards[:-1])
        under = f'<details class="sg-under"><summary>{frame.say("all discards")}</summary><ul>{cards}</ul></details>'
    wait = "".join(
        button(
            text,
            frame.say("Let the others answer first"),
            frame.say("wait for calls"),
            "button quiet sg-wait",
            "w",
        )
        for _action, text in frame.legal[moves.Wait]
    )
    return (
        f'<div class="sg-middle"><figure class="sg-stock">{stock}<figcaption>{frame.say("stock")}</figcaption></figure>'
        f'<figure class="sg-discard"><span class="sr">{frame.say("On top of the discards: {card}", card=spoken)}</span>'
        f"{pile}<figcaption>{frame.say('discards')}</figcaption></figure>{wait}{under}</div>"
    )


# ---- melds -------------------------------------------------------------------------------------------------------


# ---- the hand ----------------------------------------------------------------------------------------------------


def _hand(frame: Frame) -> str:
    seen = frame.view
    if not seen.hand:  # before the deal: its room, so that nothing moves when it comes
        return "" if seen.phase == "over" else '<section class="sg-mine blank"></section>'
    helps = set(frame.hints["helps"].cards) if "helps" in frame.hints else set()
    discards = []
    drops = {action.card: text for action, text in frame.legal[moves.Discard]}
    fitting = find_fitting(frame)
    for at, card in enumerate(sort_by_suit(seen.hand)):
        if card in fitting:
            discards += render_fits(frame, card, at)
        if card in drops:
            kind = "button" if card in fitting else "button primary"
            label = frame.say("Discard the {card}", card=frame.spoken(card))
            body = f"{frame.say('Discard')} <b>{escape(write_short(card))}</b>"
            discards.append(button(drops[card], label, body, f"{kind} sg-drop d{at}", nth=f"-{at}"))
    prompt = say_asked(frame)
    best = ""
    lay = ""
    if "lay" in frame.hints and (frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun]):
        text = frame.hints["lay"].text  # on a phone the tray is out of sight
        label = frame.say("Lay {melds}", melds=text.removeprefix("lay "))
        lay = button(text, label, frame.say("Lay the contract"), "button primary sg-lay-here", nth="-here")
    if "best" in frame.hints and drops:
        best = f'<span class="sg-hint best">{frame.say("The planner would {move}.", move=_tell(frame, frame.hints["best"].text))}</span>'
    helping = ""
    if helps and seen.phase not in LAYING:
        helping = f'<span class="sg-hint">{frame.say("Would help: {cards}", cards=_list_cards(frame, helps))}</span>'
    asked = " asked" if frame.scene.legal else ""
    return (
        f'<section class="sg-mine" aria-label="{frame.say("Your hand")}"><div class="sg-bar">'
        f"{_sorting(frame)}</div>"
        f"{render_cards(frame)}"
        f'<div class="sg-acts"><span class="sg-prompt{asked}" role="status">{prompt}</span>{render_call(frame)}{render_steps(frame)}{render_adds(frame)}{lay}{"".join(discards)}{render_picked(frame)}{_check_button(frame)}'
        f'<div class="sg-hints">{helping}{best}</div></div></section>'
    )


def _hands(frame: Frame) -> str:
    """In a game that is looked at again, the hands that these eyes see: to be looked at, and nothing else."""
    seen = frame.view
    if seen.phase == "over":  # the score table shows what was left
        return ""
    hands = enumerate(seen.shown) if seen.shown is not None else [(frame.me, seen.hand)]
    rows = "".join(
        f'<div class="sg-owner seat-{seat}"><span class="sg-whose">{escape(frame.name(seat))}</span>'
        f'<ol class="sg-cards">{"".join(_shown_card(frame, card) for card in cards)}</ol></div>'
        for seat, cards in hands
        if seat is not None and cards
    )
    return f'<section class="sg-hands" aria-label="{frame.say("Hands")}">{rows}</section>' if rows else ""


def _shown_card(frame: Frame, card: Card) -> str:
    return f'<li>{art.card(card)}<span class="sr">{escape(frame.spoken(card))}</span></li>'


def _list_cards(frame: Frame, cards: set[Card]) -> str:
    """Cards in few words: where all four suits of a rank are meant, the rank alone."""
    words = []
    for rank in RANKS:
        own = [rank + suit for suit in SUITS if rank + suit in cards]
        words += (
            [frame._("any {rank}").format(rank=rank.upper())]
            if len(own) == 4
            else [frame.card(c) for c in own]
        )
    return ", ".join([*([frame.card("*")] if "*" in cards else []), *words])


def _check_button(frame: Frame) -> str:
    """Where no script runs, the picked cards are checked by a button."""
    title = frame.say("Check the picked cards")
    aside = frame.say("Set them aside as a meld")
    return (
        f'<noscript><button name="draft" value="cards" class="button quiet">{title}</button>'
        f'<button name="draft" value="aside" class="button quiet">{aside}</button></noscript>'
    )


def _tell(frame: Frame, text: str) -> str:
    """A move of the planner in words."""
    word, _space, rest = text.partition(" ")
    if word == "lay":
        return frame._("lay the contract")
    return frame._("discard {card}").format(card=frame.card(rest))


def say_asked(frame: Frame) -> Markup:
    """What is asked of the viewer now, or how far its hand is."""
    seen = frame.view
    if frame.legal[moves.Discard]:
        if frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun]:
            return frame.say("You can lay the contract. Or pick a card to discard.")
        if frame.legal[moves.Add]:
            return frame.say("Add cards to melds, or pick one to discard.")
        return frame.say("Pick a card to discard.")
    if frame.legal[moves.Stock] or frame.legal[moves.Take]:
        return (
            frame.say("Draw from the stock, or take the discard.") if seen.top else frame.say("Draw a card.")
        )
    if frame.legal[moves.Hep]:
        return frame.say("Do you want the {card}?", card=frame.card(seen.top or "*"))
    if "calls" in frame.hints:
        return frame.say(
            "This contract needs {n} more cards than you hold: call hep for some.",
            n=frame.hints["calls"].number,
        )
    if seen.phase in LAYING:
        return say_steps(frame)
    if "missing" in frame.hints:
        n = frame.hints["missing"].number
        return frame.say("Cards missing: {n}.", n=n) if n else frame.say("Your contract is complete.")
    return Markup()


def say_short(frame: Frame) -> str:
    """What is asked of the viewer now, as it follows "Your turn:"."""
    seen, legal, _ = frame.view, frame.legal, frame._
    if legal[moves.Discard]:
        if legal[moves.OpenSet] or legal[moves.OpenRun]:
            return _("lay the contract, or discard")
        if legal[moves.Add]:
            return _("add cards to melds, or discard")
        return _("swap a joker out, or discard") if legal[moves.Swap] else _("discard a card")
    if legal[moves.Stock] or legal[moves.Take]:
        return (
            _("draw, or take the {card}").format(card=frame.card(seen.top)) if seen.top else _("draw a card")
        )
    if legal[moves.Hep]:
        return _("hep for the {card}, or pass").format(card=frame.card(seen.top or "*"))
    if seen.phase in LAYING:
        return _("lay the next card")
    return _("say who was first") if legal[moves.Vote] else ""


def _sorting(frame: Frame) -> str:
    group = f"{frame.id}-sort"
    ways = (("suit", frame.say("by suit")), ("rank", frame.say("by rank")), ("own", frame.say("my order")))
    radios = "".join(
        f'<label><input type="radio" name="{escape(group)}" value="{way}" data-sort="{way}"'
        f"{' checked' if way == 'suit' else ''}>{title}</label>"
        for way, title in ways
    )
    boxes = (
        ("four-colours", frame.say("four colours")),
        ("no-hints", frame.say("no hints")),
        ("best-hints", frame.say("show the best discards")),
    )
    display = "".join(
        f'<label class="check"><input type="checkbox" data-preference="{name}"> {title}</label>'
        for name, title in boxes
    )
    return (
        f'<fieldset class="sg-sort"><legend class="sr">{frame.say("Sort the hand")}</legend>{radios}</fieldset>'
        f'<details class="sg-display"><summary>{frame.say("Display")}</summary>{display}</details>'
    )


# ---- pictures in the rules ---------------------------------------------------------------------------------------


def render_part(part: str, scene: Scene) -> Markup | None:
    """A part of the board by name: ``hand``, ``melds``, ``call`` (with the discard it is about), ``scores``."""
    frame = Frame(scene)
    inner = {
        "hand": lambda: _felt(_contract(frame)) + _hand(frame),
        "melds": lambda: _felt(_contract(frame) + render_melds(frame)),
        "call": lambda: _felt(_middle(frame)) + render_call(frame),
        "scores": lambda: render_scores(frame),
    }.get(part)
    return None if inner is None else Markup(f'<div class="sanghai sg-picture">{inner()}</div>')


def _felt(inner: str) -> str:
    return f'<div class="sg-table night">{inner}</div>'
