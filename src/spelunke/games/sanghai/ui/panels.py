"""The panels beside the table: call, vote, contract tray, and points."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, flag, html, join
from spelunke.boards.stage import cap, render_name
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.cards import Card, Meld, parse_meld
from spelunke.games.sanghai.contracts import Contract
from spelunke.games.sanghai.orders import orders_pass
from spelunke.games.sanghai.state import BLACK_TWOS_WILD
from spelunke.games.sanghai.timing import silent_vote
from spelunke.games.sanghai.ui.drafts import compose_button
from spelunke.games.sanghai.ui.frame import Frame, button, role_in
from spelunke.games.sanghai.ui.steps import LAYING, render_steps


def render_call(frame: Frame) -> Markup:
    """Render the buttons with which the viewer calls for the discard or passes.

    A ring shows the remaining time for calls, even if the viewer may not call, until the viewer knows that all have
    answered. If there is no discard to call for, return nothing.
    """
    seen, scene = frame.view, frame.scene
    if seen.phase != "window":
        return NOTHING
    time = (scene.pause_ms, scene.pause_left_ms, seen.lap, seen.turns)
    rests = (time, seen.answer, seen.answered, seen.top, frame.choices, frame.hints, scene.private)
    return frame.kept("call", rests, lambda: _call(frame))


def _call(frame: Frame) -> Markup:
    seen = frame.view
    ring = NOTHING if seen.answered else render_wait(frame)
    hep = [text for action, text in frame.legal[moves.Hep] if not action.tied]
    if not hep:
        said = {"passed": frame.say("You passed."), "called": frame.say("You called: hep!")}.get(seen.answer)
        if seen.answer in ("asked", "passed") and seen.top and orders_pass(frame.scene.private, seen):
            said = frame.say("Your standing orders pass for you.")
        if said is None and ring:
            said = (
                frame.say("The others may call hep for the discard.")
                if frame.scene.legal
                else frame.say("Waiting a moment for calls.")
            )
        return html('<div class="sg-call idle">{}<span>{}</span></div>', ring, said) if said else NOTHING
    card = seen.top or "*"
    told, about = _say_helps(frame, card), [f"{_wait_id(frame)}-left"] if ring else []
    if told:
        about.append(f"{frame.id}-helps")
    mark = html('<span class="sg-fits">+</span>') if _helps(frame, card) else NOTHING
    call = button(
        hep[0],
        frame.say("Call hep for the {card}", card=frame.spoken(card)),
        html(
            '{}<span class="sg-hep-word">{}</span><span class="sg-wanted">{}{}</span>{}',
            ring,
            frame.say("Hep!"),
            frame.face(card),
            mark,
            cap("H"),
        ),
        "sg-hep",
        "h",
        now=True,
        about=" ".join(about),
        final=True,
    )
    passing = join(
        button(text, frame.say("Pass"), html("{} {}", frame.say("Pass"), cap("P")), "button", "p", now=True)
        for _action, text in frame.legal[moves.Pass]
    )
    never = html(
        '<button type="submit" id="sg-b-never" class="button" name="standing" value="never {}">{}</button>',
        seen.lap,
        frame.say("Always pass in this round"),
    )
    return html('<div class="sg-call">{}<span class="sg-or">{}{}{}</span></div>', call, told, passing, never)


def _helps(frame: Frame, card: Card) -> bool:
    return "helps" in frame.hints and card in frame.hints["helps"].cards


def _say_helps(frame: Frame, card: Card) -> Markup:
    """Say whether the wanted card would help the viewer's hand. If no card would, return nothing."""
    if "helps" not in frame.hints:
        return NOTHING
    told = (
        frame.say("The {card} would help.", card=frame.card(card))
        if _helps(frame, card)
        else frame.say("The {card} would not help.", card=frame.card(card))
    )
    return html('<span class="sg-helps" id="{}-helps">{}</span>', frame.id, told)


def render_wait(frame: Frame) -> Markup:
    """Render the remaining time as a ring and a number. Return nothing if no time is running.

    A screen reader reads the number only when the number is first rendered. If the screen reader read a new number each
    second, the user would hear nothing else.
    """
    whole, left = frame.scene.pause_ms, frame.scene.pause_left_ms
    if not whole or not left:
        return NOTHING
    name = _wait_id(frame)
    gone = 100 - 100 * left // whole
    seconds = -(-left // 1000)
    said = frame.say_many("{n} second left", "{n} seconds left", seconds)
    return html(
        '<span class="sg-wait-left" id="{}" data-pause="{}" data-left="{}">'
        '<svg class="sg-ring" viewBox="0 0 44 44" aria-hidden="true"><circle cx="22" cy="22" r="19" class="track"/>'
        '<circle cx="22" cy="22" r="19" pathLength="100" class="left" stroke-dashoffset="-{}" data-ring/></svg>'
        '<b data-seconds aria-hidden="true">{}</b>'
        '<span class="sr" id="{}-left">{}</span></span>',
        name,
        whole,
        left,
        gone,
        seconds,
        name,
        said,
    )


def _wait_id(frame: Frame) -> str:
    return f"{frame.id}-wait-{frame.view.lap}-{frame.view.turns}-{frame.view.phase}"


def render_votes(frame: Frame) -> Markup:
    """Render the buttons with which the viewer votes on the first caller: one button for each tied caller (N-C4).

    If the viewer has no vote to cast, render only a sentence. If there is no vote now, return nothing.
    """
    if frame.view.phase != "vote":
        return NOTHING
    choices = join(
        button(
            text,
            frame.say("{name} was first", name=frame.name(action.seat)),
            escape(frame.name(action.seat)),
            "button",
        )
        for action, text in frame.legal[moves.Vote]
    )
    text = frame.say("The others vote.")
    if choices:
        text = frame.say("These calls count as simultaneous. Who was first?")
        tied = [action.seat for action, _text in frame.legal[moves.Vote]]
        if frame.scene.pause_ms and frame.view.turn is not None:
            first = silent_vote(frame.view.turn, frame.view.seats, tied)
            text += " " + frame.say(
                "Without an answer in time, your vote is for {name}.", name=frame.name(first)
            )
    return html(
        '<section class="sg-vote notice">{}<p>{}</p><div class="row">{}</div></section>',
        render_wait(frame),
        text,
        choices,
    )


def render_tray(frame: Frame) -> Markup:
    """Render the contract, the cards of the hand that fulfil it, and the buttons that lay it.

    If the seat has laid, render only a sentence that says so. Return nothing for a spectator, in a replay, and after
    the end of the game.
    """
    seen = frame.view
    if frame.me is None or seen.phase == "over" or frame.scene.past:
        return NOTHING
    if seen.laid[frame.me] or not seen.hand:  # keep the space of the tray, so that nothing below it moves
        text = frame.say("Your contract is laid.") if seen.laid[frame.me] else NOTHING
        return html('<p class="sg-tray done">{}</p>', text)
    rests = (
        seen.phase,
        seen.turn,
        seen.lap,
        seen.contracts,
        seen.hand,
        frame.choices,
        frame.hints,
        seen.setup,
    )
    return frame.kept("tray", rests, lambda: _tray(frame))


def _tray(frame: Frame) -> Markup:
    seen = frame.view
    # A program began to lay card by card. The steps are also here, because the hand may be far below.
    if seen.phase in LAYING:
        return html(
            '<section class="sg-tray ready sg-steps"><p>{}</p><div class="row">{}</div></section>',
            frame.say("The contract is being laid, card by card."),
            render_steps(frame, "-tray"),
        )
    wanted = seen.contract.cards
    missing = frame.hints["missing"].number if "missing" in frame.hints else wanted
    have = wanted - missing
    pips = join(html('<i class="{}"></i>', "on" if k < have else "") for k in range(wanted))
    can = bool(frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun])
    suggestion = NOTHING
    if can and "lay" in frame.hints:
        text = frame.hints["lay"].text
        points = frame.hints["points"]
        label = say_laying(frame, text)
        down = frame.say_many("{n} point less in your hand", "{n} points less in your hand", points.number)
        if points.more > points.number:
            down = frame.say_many(
                "{n} point less in your hand, or {more} less if you also add cards to melds",
                "{n} points less in your hand, or {more} less if you also add cards to melds",
                points.number,
                more=points.more,
            )
        suggestion = html(
            '<div class="sg-way">{}{}<span class="sg-points">{}</span></div>',
            _melds_of(frame, text),
            button(text, label, frame.say("Lay this"), "button primary"),
            down,
        )
    own = NOTHING
    if can:
        own = html(
            '<div class="sg-own">{}'
            '<input type="hidden" name="do" value="lay"><label class="sg-typed">{} '
            '<input name="melds" placeholder="7s 7h * | 4d-7d" autocomplete="off" data-enter="{}-compose-tray">'
            "</label></div>",
            compose_button(frame, frame.say("Lay the picked cards"), "button", "tray"),
            frame.say("or type the melds"),
            frame.id,
        )
    checks = _checklist(frame)
    opened = flag("open", bool(can))
    return html(
        '<details id="{}-tray" class="sg-tray{}"{}><summary><span>{}</span>'
        '<span class="sg-progress" role="img" aria-label="{}">{}</span>'
        "</summary>{}{}{}</details>",
        frame.id,
        " ready" if can else "",
        opened,
        frame.say("Contract tray"),
        frame.say_many("{have} of {n} card", "{have} of {n} cards", wanted, have=have),
        pips,
        checks,
        suggestion,
        own,
    )


def _checklist(frame: Frame) -> Markup:
    seen = frame.view
    items = []
    missing = frame.hints["missing"].number if "missing" in frame.hints else 1
    items.append(
        (
            missing == 0,
            frame.say(
                "cards that your hand still lacks for {contract}: {n}",
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
            frame.say("after you lay, a card is left to discard (cards in hand after you draw: {n})", n=size),
        )
    )
    turn = seen.turn == frame.me and seen.phase == "turn"
    items.append((turn, frame.say("it is your turn, and you have drawn")))
    rows = join(html('<li class="{}">{}</li>', "done" if done else "", text) for done, text in items)
    return html('<ul class="sg-checks">{}</ul>', rows)


def _parse_laying(frame: Frame, text: str) -> list[Meld]:
    black = bool(frame.view.option(BLACK_TWOS_WILD))
    return [parse_meld(part, black) for part in text.removeprefix("lay ").split(" | ")]


def say_laying(frame: Frame, text: str) -> Markup:
    """Return what a screen reader says for a move that lays the contract. ``text`` is the move text."""
    melds = "; ".join(frame.spoken_meld(meld) for meld in _parse_laying(frame, text))
    return frame.say("Lay {melds}", melds=melds)


def _melds_of(frame: Frame, text: str) -> Markup:
    rows = []
    for meld in _parse_laying(frame, text):
        cards = join(
            html('<li class="{}">{}</li>', "wild" if wild else "", frame.face(card, role_in(meld, stands)))
            for card, stands, wild in zip(meld.cards, meld.stands, meld.wild, strict=True)
        )
        rows.append(html('<ol class="sg-cards" aria-hidden="true">{}</ol>', cards))
    return html('<div class="sg-drawn">{}</div>', join(rows))


def render_scores(frame: Frame) -> Markup:
    """Render a table with the contract and the points of each round, and the totals.

    If the view shows all hands, render them below the table, except in a replay before the end of the game.
    """
    seen = frame.view
    brought = (seen.sheet, seen.winners, seen.downs, seen.totals)
    faces = frame.scene.faces()
    rests = (brought, seen.held, seen.lap, seen.phase == "over", seen.contracts, seen.shown, faces)
    return frame.kept("scores", rests, lambda: _scores(frame, faces))


def _kept_row(frame: Frame, lap: int) -> Markup:
    """Return the row of a round in the table of points. For the current round, it shows the size of each hand."""
    seen = frame.view
    done = lap < len(seen.sheet)
    brought = (seen.sheet[lap], seen.winners[lap], seen.downs[lap]) if done else None
    now = lap + 1 == seen.lap
    rests = (seen.contracts[lap], brought, now, now and seen.held, now and seen.phase == "over")
    return frame.kept(("lap", lap), rests, lambda: _row(frame, lap))


def _row(frame: Frame, lap: int) -> Markup:
    seen, contract = frame.view, frame.view.contracts[lap]
    cells = []
    for seat in range(seen.seats):
        if lap >= len(seen.sheet):
            held = html("<i>{}</i>", seen.held[seat]) if lap + 1 == seen.lap else NOTHING
            cells.append(html('<td class="num">{}</td>', held))
            continue
        won = seen.winners[lap] == seat
        mark = "★" if won else "" if seen.downs[lap][seat] else "○"
        cells.append(
            html(
                '<td class="num{}"><span class="sg-mark">{}</span>{}</td>',
                " won" if won else "",
                mark,
                seen.sheet[lap][seat],
            )
        )
    return html(
        '<tr class="{}"><th scope="row">{}. <span class="long">{}</span>'
        '<abbr class="short" title="{}">{}</abbr></th>{}</tr>',
        " now" if lap + 1 == seen.lap and seen.phase != "over" else "",
        lap + 1,
        frame.contract(contract),
        frame.contract(contract),
        _code(contract),
        join(cells),
    )


def _scores(frame: Frame, faces: tuple[Markup, ...]) -> Markup:
    seen = frame.view
    heads = join(
        html(
            '<th scope="col" class="num">{}<span>{}</span></th>',
            faces[seat] if faces else NOTHING,
            render_name(frame.name(seat), frame.scene.names),
        )
        for seat in range(seen.seats)
    )
    rows = [_kept_row(frame, lap) for lap in range(len(seen.contracts))]
    totals = join(html('<td class="num"><b>{}</b></td>', total) for total in seen.totals)
    shown = NOTHING
    # During a replay, the hands are below the table. Before the deal, nobody has a hand.
    if seen.shown is not None and (seen.phase == "over" or (any(seen.shown) and not frame.scene.past)):
        hands = join(
            html(
                "<li><b>{}</b> {}</li>",
                frame.name(k),
                " ".join(frame.card(c) for c in cards) or frame._("nothing left"),
            )
            for k, cards in enumerate(seen.shown)
        )
        shown = html('<ul class="sg-shown">{}</ul>', hands)
    return html(
        '<details id="{}-{}" class="sg-scores n{}" open><summary>{}</summary><div class="table-wrap">'
        '<table class="table"><thead><tr><th scope="col">{}</th>{}</tr></thead>'
        '<tbody>{}</tbody><tfoot><tr><th scope="row">{}</th>{}</tr></tfoot></table></div>'
        '<p class="small muted">{}'
        '<span class="short"> · {}</span></p>{}</details>',
        frame.id,
        # At the end, the table of points moves to the top. A new id keeps the page from scrolling along with the old
        # table.
        "scores" if seen.phase != "over" else "result",
        seen.seats,
        frame.say("Score table"),
        frame.say("round"),
        heads,
        join(rows),
        frame.say("total"),
        totals,
        frame.say("★ won the round · ○ had laid nothing · in italics: cards in hand"),
        frame.say("3: a set of three · r4: a run of four"),
        shown,
    )


def _code(contract: Contract) -> str:
    """Return a contract in a few characters, such as ``3+3`` or ``3+r4``.

    The line may break after each plus sign.
    """
    return "+\u200b".join(["3"] * contract.sets + [f"r{contract.length}"] * contract.runs)
