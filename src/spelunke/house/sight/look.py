"""Functions that build a look at a table: all data about the table that one viewer may see."""

from __future__ import annotations

from spelunke.core.words import Translator
from spelunke.games.hooks import Hooks
from spelunke.house.messages import ChainLook, Look
from spelunke.house.sight.absence import Absence
from spelunke.house.sight.summaries import find_summary
from spelunke.house.sight.viewers import Fields, Viewer
from spelunke.records.chain import write_head
from spelunke.records.signing import Signer, words_of


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

    `absence` has the absent players and the viewer's actions against them. `named`: the viewer's person has a
    name, so they may chat. The log leaves out the first `since` rows that the viewer noticed. `translate` is for
    the game's sentences, and `words` for the site's. `draft` has the fields of a form that the person has not
    sent yet. `recall`: include the summary of the newest finished round even if the board does not show it now. For
    `signer` and `signs`, see `chain_of`. `undo_ms` is the bots' pause after a move that the viewer can take back.
    """
    table, facts = viewer.table, viewer.table.facts
    names, asked = table.names, viewer.asked
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
        seats=viewer.seats(names, asked, now, absence.signs),
        names=names,
        actors=asked,
        view=viewer.noticed.view,
        legal=viewer.legal,
        revise=viewer.revise if table.game.together else (),
        last=viewer.last(),
        log=viewer.log(since, names, translate, words),
        chat=viewer.chat,
        fairness=viewer.fairness,
        may=may,
        invite=facts.invite if viewer.is_host else None,
        rematch=facts.rematch,
        previous=facts.previous,
        result=None if table.running else viewer.result(names, words),
        standing=viewer.orders if viewer.chair is not None and viewer.chair.orders else None,
        pause_ms=table.wait.ms if table.wait and not table.late else None,
        pause_left_ms=max(0, table.wait.ends - now) if table.wait and not table.late else None,
        lesson=None if table.lesson is None else viewer.lesson(translate),
        summary=find_summary(viewer, translate, asked=recall) if table.round_ends else None,
        origin=None if facts.origin is None else (facts.origin.table, facts.origin.ply),
        considered=viewer.preview(draft or {}) if Hooks.preview_draft in table.game.hooks.offered else None,
        chain=chain_of(viewer, signer, signs=signs),
        stamp=absence.stamp,
        waits=absence.waits,
        nudged_by=absence.nudged_by,
        rematch_by=facts.seat_of(facts.offered_by),
        rated=facts.rated,
        friends=facts.friends,
        delay=facts.delay,
        chat_closed=facts.chat_closed,
        undo_by=table.asking.by,
        undo_left_ms=max(0, min(map(table.opened_at, bots)) + undo_ms - now) if bots else None,
    )


def chain_of(viewer: Viewer, signer: Signer | None, *, signs: bool = True) -> ChainLook | None:
    """Return the newest entry of the viewer's hash chain, or None before the game starts.

    If `signs` is true, `signer` signs the entry. If it is false, the entry has a signature only if one was
    made before, because a new signature takes more time than the rest of a look.
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
