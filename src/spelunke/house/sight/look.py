"""Functions that build a look at a table: all data about the table that one viewer may see."""

from __future__ import annotations

from collections.abc import Iterator

from spelunke.core.chance import commitment
from spelunke.core.words import Translator
from spelunke.games.hooks import Hooks
from spelunke.games.lesson import LEARNER
from spelunke.house.messages import ChainLook, Fairness, LessonLook, LogLine, Look, SeatLook
from spelunke.house.people import NOBODY, call_names
from spelunke.house.sight.absence import Absence
from spelunke.house.sight.sentences import mark_order, say_note
from spelunke.house.sight.summaries import find_summary
from spelunke.house.sight.viewers import Fields, Viewer
from spelunke.house.table import AGREE, ASK, Facts, Row, Sign, Table, seat_to_undo
from spelunke.records.chain import write_head
from spelunke.records.signing import Signer, words_of

NEWEST = 40
"""If a request needs at most this many rows, the sentences of these rows are made without the cache.

If a request needs more rows, the sentences of all rows are made and cached.
"""


def look_at(
    viewer: Viewer,
    absence: Absence,
    *,
    named: bool,
    now: int,
    since: int,
    translate: Translator,
    words: Translator,
    draft: Fields | None = None,
    signer: Signer | None = None,
    recall: bool = False,
    signs: bool = True,
    undo_ms: int = 0,
) -> Look:
    """Return the table as this viewer may see it.

    `absence` has the absent players, and the actions that the viewer may take because of them. `named`: the viewer's
    person has a name, so they may chat. Of the log rows that the viewer has noticed, the first `since` are left out.
    `translate` is for the game's sentences, and `words` for the site's. `draft` has the fields of a form that the
    person has not sent yet. `recall`: include the summary of the newest finished round even if the board does not show
    it now. For `signer` and `signs`, see `chain_of`. `undo_ms` is the bots' pause after a move that the viewer can take
    back.
    """
    table, facts = viewer.table, viewer.table.facts
    names, asked = table.names, viewer.asked
    if NOBODY in " ".join(names):  # rare, and each move builds two looks
        names = call_names(names, words)
    may = viewer.operations | absence.operations | ({"chat"} if named else set())
    bots = (
        [seat for seat in table.actors if table.bot_at(seat) is not None]
        if "undo" in may and table.alone
        else []
    )
    return Look(
        table=facts.id,
        game=facts.game,
        title=table.game.title,
        rules_version=facts.rules_version,
        options=facts.options,
        changed=table.by_facts("changed", lambda: table.game.changed(table.seats, facts.options)),
        clock=facts.clock,
        listed=facts.listed,
        status=facts.status,
        ply=viewer.seen,
        version=viewer.version,
        now_ms=now,
        created_ms=facts.created_ms,
        started_ms=facts.started_ms,
        seat=viewer.seat,
        seats=_look_at_seats(viewer, names, asked, now, absence.signs),
        names=names,
        actors=asked,
        view=viewer.noticed.view,
        legal=viewer.legal,
        revise=viewer.revise if table.game.together else (),
        last=viewer.last(),
        log=_tell_log(viewer, since, names, translate, words),
        chat=viewer.chat,
        fairness=table.by_facts(("fairness", viewer.seat), lambda: _find_fairness(facts, viewer.seat)),
        may=may,
        invite=facts.invite if viewer.is_host else None,
        rematch=facts.rematch,
        previous=facts.previous,
        result=None if table.running else viewer.result(names, words),
        standing=viewer.orders if viewer.chair is not None and viewer.chair.orders else None,
        pause_ms=table.wait.ms if table.wait and not table.late else None,
        pause_left_ms=max(0, table.wait.ends - now) if table.wait and not table.late else None,
        lesson=None if table.lesson is None else _look_at_lesson(viewer, translate),
        summary=find_summary(viewer, translate, asked=recall) if table.rounds.ends else None,
        rounds_over=len(table.rounds.ends),
        origin=None if facts.origin is None else (facts.origin.table, facts.origin.ply),
        considered=viewer.preview(draft or {}) if Hooks.preview_draft in table.game.hooks.offered else None,
        chain=chain_of(viewer, signer, signs=signs),
        stamp=absence.stamp,
        waits=absence.waits,
        nudged_by=absence.nudged_by,
        rematch_by=facts.seat_of(facts.offered_by),
        draw_declined=bool(facts.offers) and table.running and viewer.seat in table.offers.declined,
        rated=facts.rated,
        friends=facts.friends,
        delay=facts.delay,
        chat_closed=facts.chat_closed,
        undo_by=table.asking.by,
        undo_of=_find_mate_to_undo(viewer) if "undo" in may and facts.shares_device else None,
        undo_left_ms=max(0, min(map(table.opened_at, bots)) + undo_ms - now) if bots else None,
        shares_chance=facts.deal is not None,
    )


def chain_of(viewer: Viewer, signer: Signer | None, *, signs: bool = True) -> ChainLook | None:
    """Return the newest entry of the viewer's hash chain, or None before the game starts.

    If `signs` is true, `signer` (if given) signs the entry. If `signs` is false, the entry has a signature only if one
    was made before, because a new signature takes more time than the rest of a look.
    """
    if viewer.table.match is None:
        return None
    seen, noticed = viewer.seen, viewer.noticed
    link = noticed.link_at(seen)
    if signs and signer is not None and (noticed.signature is None or noticed.signature[0] != seen):
        head = write_head(viewer.table.facts.id, viewer.seat, seen, link.hex())
        noticed.signature = (seen, signer.sign(head))
    return ChainLook(
        ply=seen,
        link=link.hex(),
        words=words_of(link),
        key=signer.public if signer else None,
        signature=noticed.signature[1] if noticed.signature and noticed.signature[0] == seen else None,
    )


def _look_at_seats(
    viewer: Viewer, names: tuple[str, ...], asked: tuple[int, ...], now: int, signs: tuple[Sign, ...]
) -> tuple[SeatLook, ...]:
    """Return all seats as the viewer may see them.

    `names` are the names for the reader. `asked` are the seats to act, as far as the viewer knows. `signs` has the
    presence of each seat.
    """
    table, facts, clocks = viewer.table, viewer.table.facts, viewer.clocks
    offers = table.offers.valid if facts.offers and table.running else ()
    settled, together = facts.started_ms is not None, table.game.together
    days = facts.clock.kind == "days" and table.running
    told = []
    for chair, companion in zip(facts.chairs, table.companions, strict=True):
        seat = chair.seat
        you = seat == viewer.seat
        ticking = clocks.asked[seat] is not None and seat in asked and not table.late and not table.paused
        timed = chair.person and settled and not table.late
        # after a pause of the game, all clocks are as they were before the present decision
        left = (clocks.bank[seat] if table.paused else clocks.left(seat, now)) if timed else None
        told.append(
            SeatLook(
                seat=seat,
                name=names[seat],
                kind=table.kinds[seat],
                level=table.bot_at(seat),
                absent=table.running and table.seating.stand_ins[seat] is not None,
                you=you,
                host=chair.person == facts.host,
                nonce=(chair.nonce if settled or you else None) if chair.person else "",
                left_ms=left,
                ticking=ticking and table.running and facts.clock.kind != "none",
                ready=together and seat not in table.actors and bool(table.moment.revisions(seat)),
                offers_draw=seat in offers,
                presence=signs[seat].state,
                away_ms=signs[seat].since,
                here=table.here[seat],
                figure=companion.face if companion else chair.figure,
                colour=chair.colour,
                about=companion.about if companion else "",
                reaction=chair.reaction or "",
                reaction_ms=chair.reaction_ms,
                eyes=chair.eyes,
                program=chair.program,
                vacation_ms=chair.vacation_ms if days and (chair.vacation_ms or 0) > now else None,
            )
        )
    return tuple(told)


def _tell_log(
    viewer: Viewer, since: int, names: tuple[str, ...], translate: Translator, words: Translator
) -> tuple[LogLine, ...]:
    """Return the sentences of the log that the viewer noticed. Leave out those of the first `since` noticed rows.

    `translate` is for the game's sentences, and `words` for the site's. Each of
    them must be the same object at every call, because it is a part of the key of the cached sentences.
    """
    table = viewer.table
    match, plies, counts = table.match, table.log.plies, viewer.noticed.counts
    events_of = viewer.noticed.events_of if table.running else table.events_of
    # After a game on a shared device, the page speaks to none of its people.
    tells = table.tells_orders and (table.running or not table.facts.shares_device)
    own = viewer.seat if tells else None

    def tell(index: int, row: Row) -> Iterator[LogLine]:
        number = counts[index + 1]
        silent = row.move in {ASK, AGREE} and _all_at_one_device(table)
        if row.is_note and not silent and (text := say_note(row, table, names, words)):
            yield LogLine(ply=number, seat=None, text=text, at_ms=row.at)
        by_order = row.seat == own and row.bot is None and not row.by_person
        events = events_of(index)
        if match is None or not events:
            return
        for event, text in zip(events, match.say(plies[index], events, names, translate), strict=True):
            if by_order:  # only its owner may learn that an order exists
                text, by_order = mark_order(text, words), False
            yield LogLine(ply=number, seat=row.seat, text=text, at_ms=row.at, event=event)

    rows = table.log.rows
    first = viewer.noticed.first_after(since)
    if len(rows) - first <= NEWEST:
        return tuple(line for index in range(first, len(rows)) for line in tell(index, rows[index]))
    return viewer.noticed.told_lines(names, translate, words, running=table.running).after(since, rows, tell)


def _find_mate_to_undo(viewer: Viewer) -> int | None:
    """Return the other seat at the viewer's device whose newest move the viewer can take back.

    If an undo would take back the viewer's own move, return None.
    """
    assert viewer.seat is not None
    mover = seat_to_undo(viewer.table, viewer.seat)
    return None if mover == viewer.seat else mover


def _all_at_one_device(table: Table) -> bool:
    """Return whether all people at the table share the host's device, so that they can agree to an undo by talking."""
    facts = table.facts
    there = facts.at_device(facts.host)
    return bool(there) and all(chair in there for chair in facts.chairs if chair.person is not None)


def _find_fairness(facts: Facts, seat: int | None) -> Fairness:
    """Return the data to verify chance.

    The seed is included only when the game is over. At a table of an event or a game of the day, it is never
    included, because it is published with the event or the day.
    """
    return Fairness(
        commitment=commitment(bytes.fromhex(facts.seed)),
        # Before the game starts, each nonce is shown only to its own person.
        nonces=tuple(
            chair.nonce if facts.started_ms is not None or chair.seat == seat else None
            for chair in facts.chairs
        ),
        # The seed of an event is published with the event.
        seed=facts.seed if facts.status == "over" and facts.deal is None else None,
        nonce_commitments=tuple(given.commitment for given in facts.given),
        opening=facts.status == "ready" and facts.closed_ms is not None,
    )


def _look_at_lesson(viewer: Viewer, translate: Translator) -> LessonLook | None:
    """Return the current step of the table's lesson.

    If the table has no lesson, or the viewer is not the learner, return None.
    """
    progress = viewer.table.lesson
    if progress is None or viewer.seat != LEARNER:
        return None
    step = progress.waiting
    if step is None:
        return LessonLook(number=progress.number, of=progress.told)
    return LessonLook(
        number=progress.number, of=progress.told, text=translate(step.text), move=step.move or None
    )
