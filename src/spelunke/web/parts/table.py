"""Draw the parts of a table's page. Each part is one element with an id. The page replaces each part that changes.

All parts are made from one `Look`, which contains only data that the viewer may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter

import msgspec
from markupsafe import Markup

from spelunke.boards.markup import NOTHING, fill, hidden, html, join
from spelunke.boards.scene import Arrow, Scene
from spelunke.boards.stage import draw_once, render_name
from spelunke.core.values import Action
from spelunke.core.words import Translator
from spelunke.games import find_game
from spelunke.games.explaining import Meaning
from spelunke.games.game import Game
from spelunke.house.messages import ChatLine, Look, SeatLook
from spelunke.house.operations import REACTIONS
from spelunke.web.numbers import write_day, write_time
from spelunke.web.parts.buttons import act_fields, render_buttons
from spelunke.web.parts.chain import render_chain
from spelunke.web.parts.coach import render_coach
from spelunke.web.parts.ending import is_at_one_device, is_shared, render_result
from spelunke.web.parts.lesson import render_lesson
from spelunke.web.parts.news import render_news, render_presence
from spelunke.web.parts.portraits import render_portrait
from spelunke.web.parts.summary import render_summary
from spelunke.web.parts.teaching import render_ask, render_meanings
from spelunke.web.words import LANGUAGE
from spelunke.web.words import translate as _

TWO_LINES = 34
"""The maximum number of characters for the names of the players to act, in the sentence above the board.

With more characters, the sentence would need a third line on a phone, and the board would move.
"""

PARTS = (
    "head",
    "meanings",
    "lesson",
    "news",
    "waiting",
    "result",
    "summary",
    "board",
    "coach",
    "chat-lines",
    "fairness",
    "chain",
    "foot",
    "react",
)
NOTHING_IN = {name: html('<div id="{}"></div>', name) for name in PARTS}
"""An empty element for each part, by the part's id."""

_HERE = attrgetter("here")
Draft = Mapping[str, Sequence[str]]
"""Unsent fields of the board's form."""


def render_parts(
    look: Look,
    game: Game,
    translate: Translator,
    draft: Draft | None = None,
    *,
    explains: bool = False,
    coached: bool = False,
    recalls: bool = False,
) -> dict[str, Markup]:
    """Return all parts of the page by their ids, except the log, which is sent line by line.

    The part `waiting` is an empty element. Before the start, `renderings` replaces it by the panel of `waiting.py`.

    If `explains`, add explanations of the viewer's choices. If `coached`, the coach's panel requests advice on each
    choice. If `recalls`, the page shows the summary to several people who share the device.
    """
    whose = (look.table, look.seat, LANGUAGE.get())
    meanings: tuple[Meaning, ...] = ()
    if explains and look.legal and look.lesson is None and look.summary is None:
        meanings = game.hooks.explain_choices(make_scene(look, translate))
    parts = dict(NOTHING_IN)
    # A shared device with closed hands has no button to go on. It says who is to open a hand.
    reads = look.summary is not None and look.status == "playing" and look.seat is not None
    reads = reads and (bool(look.legal) or not recalls)
    parts["head"] = render_head(look, game, translate, render_ask() if meanings else NOTHING, reads=reads)
    if meanings:
        parts["meanings"] = render_meanings(look, meanings)
    if look.lesson is not None:
        parts["lesson"] = render_lesson(look, look.lesson, game)
    parts["news"] = render_news(look, game)
    if look.result is not None:
        parts["result"] = render_result(look, look.result, game)
    if look.summary is not None:
        parts["summary"] = render_summary(look, look.summary, game, translate, recalls=recalls)
    parts["board"] = render_board(look, game, translate, draft)
    if look.seat is not None and all(seat.you or seat.kind == "bot" for seat in look.seats):
        parts["coach"] = render_coach(look, coached=coached)
    parts["chat-lines"] = draw_once((*whose, "chat", look.chat), lambda: render_chat(look.chat, look.seat))
    parts["fairness"] = draw_once(
        (*whose, "fairness", look.fairness, look.names), lambda: render_fairness(look)
    )
    parts["chain"] = render_chain(look)
    result = NOTHING
    if (
        look.seat is None and look.rounds_over
    ):  # players have a button, which stores that they read the result
        result = html('<a class="button quiet" href="/t/{}?round=last">{}</a>', look.table, _("Last result"))
    foot = join(render_buttons(look, game, "foot"))
    parts["foot"] = html('<div id="foot" class="row">{}{}</div>', foot, result)
    parts["react"] = html(
        '<div id="react" class="react row" role="group" aria-label="{}">{}</div>',
        _("React"),
        join(render_buttons(look, game, "react")),
    )
    return parts


def render_head(
    look: Look, game: Game, translate: Translator, ask: Markup = NOTHING, *, reads: bool = False
) -> Markup:
    """Draw the head of the page: players, clocks, prompt and undo buttons. `ask` is the button that explains choices.

    If `reads`, the board waits for the viewer, who reads the summary of a round.
    """
    seats = join(_render_seat(look, seat, reads=reads) for seat in look.seats)
    mine = bool(look.legal) or (look.status == "ready" and "nonce" in look.may)
    return html(
        '<div id="head" class="table-heading" data-title="{}" data-awake="{}"><ul class="players n{}">{}</ul>'
        '<div class="turn-line"><p id="turn" class="turn{}" data-mine="{}"><span>{}</span>{}</p>'
        '<div id="undo" class="undo">{}{}</div></div></div>',
        write_title(look),
        # whether the viewer plays a live game, so that the screen stays on
        "true"
        if look.status == "playing" and look.seat is not None and look.clock.kind != "days"
        else "false",
        len(look.seats),
        seats,
        " mine" if mine else "",
        "true" if look.legal else "false",
        _("Read the result, then go on.")
        if reads
        else (say_asked if look.legal else _say_awaited)(look, game, translate) or say_turn(look),
        ask,
        join(render_buttons(look, game, "undo")),
        html(
            '<span class="undo-left" data-pause="{0}" data-left="{0}" aria-hidden="true"><svg viewBox="0 0 100 4" '
            'preserveAspectRatio="none"><path d="M0 2H100" pathLength="100" data-ring/></svg></span>',
            look.undo_left_ms,
        )
        if look.undo_left_ms
        else NOTHING,
    )


def write_title(look: Look) -> str:
    """Return the title of the page: the game and its players."""
    named = [
        name for name, seat in zip(look.names, look.seats, strict=True) if seat.kind not in ("open", "link")
    ]
    seated = " – ".join(named) or _("table")
    return f"{look.title}: {seated} · Spelunke"


def say_asked(look: Look, game: Game, translate: Translator) -> Markup | str:
    """Return the game's prompt for a viewer who is to act (hook `prompt`), or an empty text if there is none."""
    told = game.hooks.prompt(make_scene(look, translate))
    if not told:
        return ""
    if look.seat is None or any(seat.here for seat in look.seats):  # several people look at this page
        actor = look.actors[0] if look.seat is None else look.seat
        name = html('<span class="whose">{}</span>', look.names[actor])
        return fill(_("{name}: {what}"), name=name, what=told)
    return _("Your turn: {what}").format(what=told)


def _say_awaited(look: Look, game: Game, translate: Translator) -> str:
    """Return the game's sentence about the only seat that the table waits for (hook `awaited`).

    If there is no sentence, or if the table does not wait for exactly one seat, return an empty text.
    """
    if len(look.actors) != 1 or look.status != "playing" or any(seat.ready for seat in look.seats):
        return ""
    return game.hooks.awaited(make_scene(look, translate))


def say_turn(look: Look) -> str:
    """Return a sentence that says for whom or for what the table waits. After the game, return its result."""
    if look.status == "over":
        return look.result.text if look.result else _("This table was closed before its game began.")
    if look.status == "open":
        return _("Waiting for players.")
    if look.status == "ready":
        return _("All seats are taken. The game is about to start.")
    if look.legal and look.seat is not None:
        others = [look.names[seat] for seat in look.actors if seat != look.seat]
        return _("Your move; the others are choosing too.") if others else _("It is your turn.")
    if look.actors:
        names = _.list([look.names[seat] for seat in look.actors])
        long = len(look.actors) > 1 and len(names) > TWO_LINES
        if (len(look.actors) > 2 or long) and not is_at_one_device(look):
            return _.many("Waiting for {n} player.", "Waiting for {n} players.", len(look.actors)).format(
                n=len(look.actors)
            )
        if long:  # the people at one device pass it to each other by name
            people = [seat for seat in look.actors if look.seats[seat].kind != "bot"]
            names = look.names[(people or look.actors)[0]]
        if len(look.actors) > 1 or any(seat.ready for seat in look.seats):  # others have answered already
            return _("Waiting for {names}.").format(names=names)
        return _("It is {name}'s turn.").format(name=names)
    if look.standing is not None:  # nobody else is to act
        return _("Your standing orders decide for you.")
    return _("The server rolls and deals.")


def _render_seat(look: Look, seat: SeatLook, *, reads: bool) -> Markup:
    moving = look.status == "playing" and seat.seat in look.actors
    moving = moving and not (reads and (seat.you or seat.kind == "bot"))  # bots wait for the reader
    lamp = len(look.actors) > 1 or seat.ready
    you = seat.you and not (look.status == "over" and is_shared(look))
    still = msgspec.structs.replace(seat, left_ms=None, ticking=False, you=you)
    rests = (look.table, look.seat, LANGUAGE.get(), "seat", still, look.names, moving, lamp)
    clock = NOTHING if seat.left_ms is None else render_clock(look, seat)
    drawn = draw_once(rests, lambda: _draw_seat(look.names, still, moving=moving, lamp=lamp))
    return html("{}{}</li>", drawn, clock)


def _draw_seat(names: tuple[str, ...], seat: SeatLook, *, moving: bool, lamp: bool) -> Markup:
    """Draw a seat without its clock. The clock is drawn separately because it changes with every message."""
    classes = ["seat", f"seat-{seat.seat}"]
    if moving:
        classes.append("to-move")
    if seat.absent:
        classes.append("away")
    # Each mark has an id: otherwise a morph might turn one into another and move it.
    marks: list[Markup] = []
    if seat.you:
        marks.append(_badge(seat, "you", _("you"), " you"))
    if seat.kind == "bot":
        marks.append(_badge(seat, "bot", _("bot")))
    if seat.program:
        marks.append(_badge(seat, "bot", _("bot of {name}").format(name=names[seat.seat]), short=_("bot")))
    if seat.vacation_ms:
        until = write_day(datetime.fromtimestamp(seat.vacation_ms / 1000, UTC))
        marks.append(_badge(seat, "vacation", _("on vacation until {day}").format(day=until)))
    if seat.absent:
        marks.append(_badge(seat, "stand-in", _("a bot plays instead"), " warn", short=_("bot")))
    if seat.offers_draw:
        marks.append(_badge(seat, "draw", _("offers a draw"), " lit", short="½"))
    if lamp:
        marks.append(
            html(
                '<span id="seat-{}-lamp" class="lamp" data-on="{}" role="img" aria-label="{}"></span>',
                seat.seat,
                "true" if seat.ready else "false",
                _("ready") if seat.ready else _("not ready yet"),
            )
        )
    marks.append(render_presence(seat))
    if seat.kind == "kept":
        marks.append(_badge(seat, "kept", _("not here yet"), " warn"))
    free = {"open": _("free seat"), "link": _("by invitation")}
    name = render_name(free.get(seat.kind, seat.name), names)
    turn = (
        html('<span id="seat-{}-turn" class="sr">{}</span>', seat.seat, _("to move")) if moving else NOTHING
    )
    return html(
        '<li class="{}">{}<span class="seat-name">{}</span>{}{}',
        " ".join(classes),
        _draw_face(seat, moving=moving),
        name,
        turn,
        join(marks),
    )


def _badge(seat: SeatLook, word: str, text: str, tone: str = "", *, short: str = "") -> Markup:
    """Draw a mark beside the name of a seat's player.

    If `short` is given, it is shown instead of `text` on a narrow page, and on any page with more than two seats.
    """
    less = html(' data-short="{}"', short) if short else NOTHING
    return html('<span id="seat-{}-{}" class="badge{}"{}>{}</span>', seat.seat, word, tone, less, text)


def _draw_face(seat: SeatLook, *, moving: bool) -> Markup:
    """Draw the portrait of a seat's player, with their newest reaction.

    If the player is to move and is not the viewer, also draw three dots: the player is thinking.
    """
    thinks = (
        html(
            '<span id="seat-{}-thinks" class="thinks" aria-hidden="true"><i></i><i></i><i></i></span>',
            seat.seat,
        )
        if moving and not seat.you
        else NOTHING
    )
    said = (
        html(
            '<span id="seat-{}-reaction" class="reaction" data-at="{}" hidden>{}</span>',
            seat.seat,
            seat.reaction_ms,
            _(REACTIONS[seat.reaction]),
        )
        if seat.reaction in REACTIONS
        else NOTHING
    )
    return html('<span class="face">{}{}{}</span>', thinks, said, render_portrait(seat))


def render_clock(look: Look, seat: SeatLook) -> Markup:
    """Draw the time on a seat's clock. A script counts down `data-left` as long as `data-until` stays the same."""
    left = max(0, seat.left_ms or 0) // 1000
    hours, rest = divmod(left, 3600)
    text = f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"
    if hours >= 48:
        text = _("{days} d {hours} h").format(days=hours // 24, hours=hours % 24)
    until = NOTHING
    if seat.ticking and hours < 48:
        until = html(' data-until="{}" data-left="{}"', (look.now_ms + (seat.left_ms or 0)) // 1000, left)
    low = " low" if left < 30 and look.status == "playing" else ""
    return html('<span id="seat-{}-clock" class="clock{}"{}>{}</span>', seat.seat, low, until, text)


def make_scene(
    look: Look,
    translate: Translator,
    preferences: Mapping[str, str] | None = None,
    draft: Draft | None = None,
    best: Action | None = None,
) -> Scene:
    """Return the scene from which the game draws its board. `best` is the coach's best move, which the board marks.

    While several people look at the board, it calls none of them “you”: after a game on a shared device, and during a game
    that hides nothing. While no hand is open on the device, the page can still show a decision (`Hand.decides`). Then the
    scene is for the deciding seat.
    """
    over, view = look.status == "over", look.view
    seat = None if over and is_shared(look) else look.seat
    shown = seat is None and bool(look.legal)
    game = find_game(look.game)
    hides = game.hidden or game.together
    if shown and view is not None:
        seat = look.actors[0]
        view = msgspec.structs.replace(view, seat=seat)
    return Scene(
        view=view,
        seat=seat,
        names=look.names,
        legal=look.legal,
        revise=look.revise,
        last=look.last,
        actors=look.actors,
        over=over,
        outcome=look.result.outcome if look.result else None,
        translate=translate,
        table=look.table,
        private=look.standing,
        draft=dict(draft or {}),
        considered=look.considered,
        pause_ms=look.pause_ms,
        pause_left_ms=look.pause_left_ms,
        preferences=dict(preferences or {}),
        arrows=() if best is None else (Arrow("best", best),),
        faces=lambda: tuple(render_portrait(seat) for seat in look.seats),
        shared=shown or (not hides and True in map(_HERE, look.seats)),
        takes_orders=look.seat is None or look.status != "playing" or "standing" in look.may,
    )


def render_board(
    look: Look, game: Game, translate: Translator, draft: Draft | None = None, best: str = ""
) -> Markup:
    """Draw the game's own board, with the hidden form fields that each move of a player sends.

    Before the start, draw an empty element. If the game has no board of its own, draw a button for each legal move.
    `best` is the coach's best move, which the board marks.
    """
    if look.view is None:
        return html('<div id="board" class="board-place"></div>')
    scene = make_scene(look, translate, draft=draft, best=_find_action(look, best) if best else None)
    board = game.hooks.render_board(scene)  # it escapes its HTML itself
    if board is None:
        moves = join(
            html('<button name="move" value="{0}">{0}</button>', text) for _action, text in scene.legal
        )
        board = html('<div class="row plain-board">{}</div>', moves)
    return html(
        '<div id="board" class="board-place">{}{}</div>',
        hidden(**act_fields(look)) if look.seat is not None or scene.shared else NOTHING,
        board,
    )


def _find_action(look: Look, move: str) -> Action | None:
    return next((action for action, text in look.legal if text == move), None)


def render_draft(look: Look, game: Game, translate: Translator, draft: Draft) -> dict[str, Markup]:
    """Return the parts of the board that depend on unsent form fields, by their ids (hook `render_draft`)."""
    if look.view is None or look.seat is None:
        return {}
    return dict(game.hooks.render_draft(make_scene(look, translate, draft=draft)))


def render_keys(game: Game, translate: Translator) -> Markup:
    """Draw the list of keyboard shortcuts: those of the game (hook `key_help`) and those of every table."""
    own = [(keys, translate(what)) for keys, what in game.hooks.key_help()]
    house = [
        ("Enter", _("confirm the move you have chosen")),
        ("Esc", _("take back the chosen move before it is sent")),
        ("U", _("undo your newest move")),
        ("?", _("show this list")),
    ]
    rows = join(
        html("<dt>{}</dt><dd>{}</dd>", join(html("<kbd>{}</kbd>", key) for key in keys.split()), what)
        for keys, what in own + house
    )
    return html('<dl class="keys">{}</dl>', rows)


def render_fairness(look: Look) -> Markup:
    """Draw the data on fair chance: the commitment to the seed, the players' nonces, and after the game the seed."""
    rows = [
        html(
            "<dt>{}</dt><dd><code>{}</code></dd>",
            _("The server's commitment (SHA-256 of its seed)"),
            look.fairness.commitment,
        )
    ]
    fairness = look.fairness
    for seat, nonce, bound in zip(look.seats, fairness.nonces, fairness.nonce_commitments, strict=True):
        if bound is not None or seat.kind == "person":
            name = seat.name or str(seat.seat + 1)
            text = nonce or (
                _("SHA-256 {hash}").format(hash=bound)
                if bound
                else _.within("randomness of a player", "none")
            )
            rows.append(
                html(
                    "<dt>{}</dt><dd><code>{}</code></dd>", _("Randomness from {name}").format(name=name), text
                )
            )
    seed = look.fairness.seed or _("published when the game is over")
    rows.append(html("<dt>{}</dt><dd><code>{}</code></dd>", _("The server's seed"), seed))
    return html('<dl id="fairness" class="fairness small">{}</dl>', join(rows))


def render_chat(lines: tuple[ChatLine, ...], seat: int | None) -> Markup:
    """Draw the chat. Messages of `seat` are marked as the viewer's own."""
    items = join(
        html(
            '<li id="chat-{}" class="chat-line{}"><b>{}</b><span>{}</span> <time datetime="{}">{}</time></li>',
            line.n,
            " own" if line.seat is not None and line.seat == seat else "",
            line.name if line.seat is not None else _("{name} (watching)").format(name=line.name),
            line.text,
            _instant(line.at_ms).isoformat(timespec="seconds"),
            write_time(_instant(line.at_ms)),
        )
        for line in lines
    )
    return html(
        '<ol id="chat-lines" class="chat-lines" data-pin tabindex="0" aria-label="{}">{}</ol>',
        _("Messages"),
        items,
    )


def _instant(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
