"""A look at a table: the fields that the house publishes, each taken from a viewer."""

from __future__ import annotations

from spelunke.core.chance import commitment
from spelunke.house.messages import Fairness, Look, Result
from spelunke.house.tables import Table
from spelunke.house.viewers import Fields, Viewer, Words


def look_at(
    viewer: Viewer,
    *,
    named: bool,
    now: int,
    since: int,
    translate: Words,
    words: Words,
    draft: Fields | None = None,
) -> Look:
    """The table as this viewer may see it; `named`: the house knows who it is, so that it may chat.

    `draft` are the fields of a form that the person has not sent yet.
    """
    table, facts = viewer.table, viewer.table.facts
    names = table.names
    return Look(
        table=facts.id,
        game=facts.game,
        title=table.game.title,
        rules_version=facts.rules_version,
        options=facts.options,
        changed=table.game.changed(table.seats, facts.options),
        clock=facts.clock,
        listed=facts.listed,
        status=facts.status,
        ply=viewer.seen,
        version=viewer.version,
        now_ms=now,
        created_ms=facts.created_ms,
        started_ms=facts.started_ms,
        seat=viewer.seat,
        seats=viewer.seats(names, now),
        names=names,
        actors=viewer.asked,
        view=viewer.view,
        legal=viewer.legal,
        revise=viewer.revise,
        last=viewer.last(),
        log=viewer.log(since, names, translate, words),
        chat=facts.chat,
        fairness=Fairness(
            commitment=commitment(bytes.fromhex(facts.seed)),
            nonces=tuple(chair.nonce for chair in facts.chairs),
            seed=facts.seed if facts.status == "over" else None,
        ),
        may=viewer.deeds | ({"chat"} if named else set()),
        invite=facts.invite if viewer.is_host else None,
        rematch=facts.rematch,
        previous=facts.previous,
        result=_result(table, names, words),
        standing=viewer.orders,
        pause_ms=table.wait.ms if table.wait else None,
        pause_left_ms=max(0, table.wait.ends - now) if table.wait else None,
        considered=viewer.preview(draft or {}),
    )


def _result(table: Table, names: tuple[str, ...], words: Words) -> Result | None:
    outcome, ended = table.outcome, table.seating.ended_by
    if outcome is None:
        return None
    winners = [names[seat] for seat in outcome.winners]
    quit_by = ended.seat if ended is not None and outcome.reason in {"resigned", "time"} else None
    if outcome.reason == "agreed":
        text = words("A draw was agreed.")
    elif len(winners) == table.seats:
        text = words("Nobody is ahead: the win is shared.")
    else:
        text = words("{winners} wins." if len(winners) == 1 else "{winners} share the win.")
        text = text.format(winners=words(" and ").join(winners))
    if quit_by is not None:
        why = words("{name} resigned.") if outcome.reason == "resigned" else words("{name}'s time is up.")
        text = f"{why.format(name=names[quit_by])} {text}"
    return Result(
        ranks=outcome.ranks,
        scores=outcome.scores if outcome.reason == "played" else None,
        reason=outcome.reason,  # type: ignore[arg-type]
        seat=quit_by,
        text=text,
        outcome=outcome,
    )
