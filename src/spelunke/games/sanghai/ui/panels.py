"""Beside the table: the call, the vote, the contract tray, standing orders, the score table."""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.boards.markup import escape
from spelunke.boards.stage import cap, render_name
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.cards import parse_meld
from spelunke.games.sanghai.contracts import Contract
from spelunke.games.sanghai.orders import choose_orders, compose_orders, orders_of, read_orders
from spelunke.games.sanghai.state import BLACK_TWOS_WILD
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.drafts import compose_button, render_rehearsal
from spelunke.games.sanghai.ui.frame import Frame, button, role_in
from spelunke.games.sanghai.ui.steps import LAYING, render_steps


def render_call(frame: Frame) -> str:
    """Hep, pass, and not this round; the ring shows what is left of the window, whether or not anybody may call."""
    seen = frame.view
    if seen.phase != "window":
        return ""
    ring = render_wait(frame)
    hep = [text for action, text in frame.legal[moves.Hep] if not action.tied]
    if not hep:
        said = {"passed": frame.say("You passed."), "called": frame.say("You called: hep!")}.get(seen.answer)
        if said is None and ring:
            said = (
                frame.say("The others may call hep for it.")
                if frame.scene.legal
                else frame.say("A moment to call hep.")
            )
        return f'<div class="sg-call idle">{ring}<span>{said}</span></div>' if said else ""
    card = seen.top or "*"
    helps = "helps" in frame.hints and card in frame.hints["helps"].cards
    mark = '<span class="sg-fits">+</span>' if helps else ""
    call = button(
        hep[0],
        frame.say("Call hep for the {card}", card=frame.spoken(card)),
        f'{ring}<span class="sg-hep-word">{frame.say("Hep!")}</span><span class="sg-wanted">{art.card(card)}{mark}</span>{cap("H")}',
        "sg-hep",
        "h",
        now=True,
        about=f"{_wait_id(frame)}-left" if ring else "",
    )
    passing = "".join(
        button(
            text,
            frame.say("Pass"),
            f"{frame.say('Pass')} {cap('P')}",
            "button",
            "p",
            now=True,
        )
        for _action, text in frame.legal[moves.Pass]
    )
    never = (
        f'<button type="submit" id="sg-b-never" class="button" name="standing" value="never {seen.lap}">'
        f"{frame.say('Not this round')}</button>"
    )
    return f'<div class="sg-call">{call}{passing}{never}</div>'


def render_wait(frame: Frame) -> str:
    """The time that is left, as a ring and as a number; empty where nobody's time runs.

    Who listens is told the seconds as they were when this was rendered: a number read out each second would drown the rest.
    """
    whole, left = frame.scene.pause_ms, frame.scene.pause_left_ms
    if not whole or not left:
        return ""
    name = _wait_id(frame)
    gone = 100 - 100 * left // whole
    seconds = -(-left // 1000)
    said = frame.say("{n} seconds left", n=seconds) if seconds > 1 else frame.say("1 second left")
    return (
        f'<span class="sg-wait-left" id="{escape(name)}" data-pause="{whole}" data-left="{left}">'
        '<svg class="sg-ring" viewBox="0 0 44 44" aria-hidden="true"><circle cx="22" cy="22" r="19" class="track"/>'
        f'<circle cx="22" cy="22" r="19" pathLength="100" class="left" stroke-dashoffset="-{gone}" data-ring/></svg>'
        f'<b data-seconds aria-hidden="true">{seconds}</b>'
        f'<span class="sr" id="{escape(name)}-left">{said}</span></span>'
    )


def _wait_id(frame: Frame) -> str:
    return f"{frame.id}-wait-{frame.view.lap}-{frame.view.turns}-{frame.view.phase}"


def render_votes(frame: Frame) -> str:
    """Who was first? One button for each caller."""
    if frame.view.phase != "vote":
        return ""
    choices = "".join(
        button(
            text,
            frame.say("{name} was first", name=frame.name(action.seat)),
            escape(frame.name(action.seat)),
            "button",
        )
        for action, text in frame.legal[moves.Vote]
    )
    text = (
        frame.say("They called at the same time. Who was first?")
        if choices
        else frame.say("The others vote.")
    )
    return f'<section class="sg-vote notice">{render_wait(frame)}<p>{text}</p><div class="row">{choices}</div></section>'


def render_tray(frame: Frame) -> str:
    """The contract, what of it is in hand, and the ways to lay it."""
    seen = frame.view
    if frame.me is None or seen.laid[frame.me] or seen.phase == "over" or not seen.hand or frame.scene.past:
        return ""
    if (
        seen.phase in LAYING
    ):  # begun card by card, by a program; where the hand is far down the steps are in sight here
        return (
            f'<section class="sg-tray ready sg-steps"><p>{frame.say("The contract is being laid, card by card.")}</p>'
            f'<div class="row">{render_steps(frame, "-tray")}</div></section>'
        )
    wanted = seen.contract.cards
    missing = frame.hints["missing"].number if "missing" in frame.hints else wanted
    have = wanted - missing
    pips = "".join(f'<i class="{"on" if k < have else ""}"></i>' for k in range(wanted))
    can = bool(frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun])
    suggestion = ""
    if can and "lay" in frame.hints:
        text = frame.hints["lay"].text
        points = frame.hints["points"]
        label = frame.say("Lay {melds}", melds=text.removeprefix("lay "))
        more = frame.say(" ({n} with additions)", n=points.more) if points.more > points.number else ""
        suggestion = (
            f'<div class="sg-way">{_melds_of(frame, text)}'
            + button(text, label, frame.say("Lay this"), "button primary")
            + f'<span class="sg-points">{frame.say("puts down {n} points", n=points.number)}{more}</span></div>'
        )
    own = ""
    if can:
        own = (
            f'<div class="sg-own">{compose_button(frame, frame.say("Lay the picked cards"), "button", "tray")}'
            f'<input type="hidden" name="do" value="lay"><label class="sg-typed">{frame.say("or say how")} '
            f'<input name="melds" placeholder="7s 7h * | 4d-7d" autocomplete="off" data-enter="{escape(frame.id)}-compose-tray">'
            "</label></div>"
        )
    checks = _checklist(frame)
    opened = " open" if can else ""
    return (
        f'<details id="{escape(frame.id)}-tray" class="sg-tray{" ready" if can else ""}"{opened}><summary><span>{frame.say("Contract tray")}</span>'
        f'<span class="sg-progress" role="img" aria-label="{frame.say("{have} of {n} cards", have=have, n=wanted)}">{pips}</span>'
        f"</summary>{checks}{suggestion}{own}</details>"
    )


def _checklist(frame: Frame) -> str:
    seen = frame.view
    items = []
    missing = frame.hints["missing"].number if "missing" in frame.hints else 1
    items.append(
        (
            missing == 0,
            frame.say(
                "your hand at its best: {n} more for {contract}",
                contract=frame.contract(seen.contract),
                n=missing,
            )
            if missing
            else frame.say("your hand holds {contract}", contract=frame.contract(seen.contract)),
        )
    )
    size = len(seen.hand) + int(not (seen.phase == "turn" and seen.turn == frame.me))
    items.append(
        (
            size > seen.contract.cards,
            frame.say("one more card, to discard ({n} in hand after you draw)", n=size),
        )
    )
    turn = seen.turn == frame.me and seen.phase == "turn"
    items.append((turn, frame.say("it is your turn, and you have drawn")))
    rows = "".join(f'<li class="{"done" if done else ""}">{text}</li>' for done, text in items)
    return f'<ul class="sg-checks">{rows}</ul>'


def _melds_of(frame: Frame, text: str) -> str:
    black = bool(frame.view.option(BLACK_TWOS_WILD))
    rows = []
    for part in text.removeprefix("lay ").split(" | "):
        meld = parse_meld(part, black)
        cards = "".join(
            f'<li class="{"wild" if wild else ""}">{art.card(card, role_in(meld, stands))}</li>'
            for card, stands, wild in zip(meld.cards, meld.stands, meld.wild, strict=True)
        )
        rows.append(f'<ol class="sg-cards" aria-hidden="true">{cards}</ol>')
    return f'<div class="sg-drawn">{"".join(rows)}</div>'


def render_orders(frame: Frame) -> str:
    """Standing orders: what is called for this seat while its owner is away; nobody else sees them."""
    seen = frame.view
    if frame.me is None or seen.phase == "over" or seen.seats == 2 or frame.scene.past:
        return ""
    kept = frame.scene.private
    now = str(kept.get("text", "")) if isinstance(kept, Mapping) else ""
    typed = frame.scene.draft.get("order.text", (now,))[-1]
    clear = (
        f'<button id="sg-b-clear" class="button quiet" name="standing" value="clear">{frame.say("Forget them")}</button>'
        if now
        else ""
    )
    return (
        f'<details id="{escape(frame.id)}-orders" class="sg-orders"{" open" if now or typed else ""}><summary>{frame.say("Standing orders for calls")}</summary>'
        f"{_order_form(frame, now)}"
        f'<details id="{escape(frame.id)}-orders-text"{" open" if _is_free_text(now) or typed != now else ""}><summary>{frame.say("Write them as text")}</summary>'
        f'<p class="small">{frame.say("One a line: any nine · hearts · what helps · at most one more · never in round 3 · pass")}</p>'
        f'<label><span class="sr">{frame.say("Orders")}</span><textarea name="order.text" rows="3" maxlength="400" data-draft>'
        f"{escape(typed)}</textarea></label>"
        f'<div class="row"><button id="sg-b-set" class="button" name="standing" value="set">{frame.say("Save this text")}</button>'
        f'<button id="sg-b-try" class="button quiet" name="draft" value="orders">{frame.say("Try these orders")}</button></div></details>'
        f'<div class="row">{clear}</div>'
        f"{render_rehearsal(frame)}</details>"
    )


def _is_free_text(now: str) -> bool:
    """Whether these orders say what the form can't."""
    return bool(now) and read_orders(compose_orders(choose_orders(now))) != orders_of({"text": now})


def _order_form(frame: Frame, now: str) -> str:
    """The orders that most people give, to be chosen: which cards, how many, in which rounds."""
    chosen, last = choose_orders(now), len(frame.view.contracts)
    counts = [(str(n), frame.say("at most {n} in a round", n=n)) for n in range(1, 5)]
    asked = (
        (
            "call",
            frame.say("Call for"),
            [
                ("", frame.say("nothing on its own: ask me")),
                ("helps", frame.say("every card that helps my hand")),
                ("pass", frame.say("no card at all")),
            ],
        ),
        ("most", frame.say("How many"), [("", frame.say("as many as I can get")), *counts]),
        ("from", frame.say("From round"), [("", "1"), *((str(n), str(n)) for n in range(2, last + 1))]),
        ("to", frame.say("To round"), [("", str(last)), *((str(n), str(n)) for n in range(1, last))]),
    )
    fields = []
    for name, label, choices in asked:
        options = "".join(
            f'<option value="{value}"{" selected" if value == chosen.get(name, "") else ""}>{text}</option>'
            for value, text in choices
        )
        fields.append(
            f'<div class="field"><label for="sg-order-{name}">{label}</label>'
            f'<select id="sg-order-{name}" name="order.{name}" data-draft>{options}</select></div>'
        )
    return (
        f'<div class="sg-order-form">{"".join(fields)}</div>'
        f'<div class="row"><button id="sg-b-form" class="button" name="standing" value="form">{frame.say("Save these orders")}</button></div>'
    )


def render_scores(frame: Frame) -> str:
    """Each round's contract and what it brought; the totals; at the end what each hand held."""
    seen = frame.view
    heads = "".join(
        f'<th scope="col" class="num"><span>{render_name(frame.name(seat), frame.scene.names)}</span></th>'
        for seat in range(seen.seats)
    )
    rows = []
    for lap, contract in enumerate(seen.contracts):
        cells = ""
        for seat in range(seen.seats):
            if lap >= len(seen.sheet):
                now = lap + 1 == seen.lap
                cells += f'<td class="num">{f"<i>{seen.held[seat]}</i>" if now else ""}</td>'
                continue
            won = seen.winners[lap] == seat
            mark = "★" if won else "" if seen.downs[lap][seat] else "○"
            cells += f'<td class="num{" won" if won else ""}"><span class="sg-mark">{mark}</span>{seen.sheet[lap][seat]}</td>'
        current = " now" if lap + 1 == seen.lap and seen.phase != "over" else ""
        rows.append(
            f'<tr class="{current}"><th scope="row">{lap + 1}. <span class="long">{escape(frame.contract(contract))}</span>'
            f'<abbr class="short" title="{escape(frame.contract(contract))}">{_code(contract)}</abbr></th>{cells}</tr>'
        )
    totals = "".join(f'<td class="num"><b>{total}</b></td>' for total in seen.totals)
    shown = ""
    if seen.shown is not None:
        hands = "".join(
            f"<li><b>{escape(frame.name(k))}</b> {escape(' '.join(frame.card(c) for c in cards) or frame._('nothing left'))}</li>"
            for k, cards in enumerate(seen.shown)
        )
        shown = f'<ul class="sg-shown">{hands}</ul>'
    return (
        f'<details id="{escape(frame.id)}-scores" class="sg-scores n{seen.seats}" open><summary>{frame.say("Score table")}</summary><div class="table-wrap">'
        f'<table class="table"><thead><tr><th scope="col">{frame.say("round")}</th>{heads}</tr></thead>'
        f'<tbody>{"".join(rows)}</tbody><tfoot><tr><th scope="row">{frame.say("total")}</th>{totals}</tr></tfoot></table></div>'
        f'<p class="small muted">{frame.say("★ won the round · ○ had laid nothing · in italics: cards in hand")}'
        f'<span class="short"> · {frame.say("3: a set · r4: a run of four")}</span></p>{shown}</details>'
    )


def _code(contract: Contract) -> str:
    """A contract in a few signs: 3+3, 3+r4; a line may end after each plus."""
    return "+\u200b".join(["3"] * contract.sets + [f"r{contract.length}"] * contract.runs)
