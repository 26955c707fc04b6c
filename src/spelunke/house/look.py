"""What a viewer is told of a table: every field named here, and history only through the game's own `tell`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from spelunke.core.chance import commitment
from spelunke.core.contract import ALL, CHANCE
from spelunke.core.hooks import Hooks
from spelunke.core.ui import tell_apart
from spelunke.house.customs import consider, has_standing
from spelunke.house.messages import Fairness, LogLine, Look, Result, SeatLook
from spelunke.house.play import can_agree, people_at, version_of
from spelunke.house.refusals import NotNow
from spelunke.house.tables import AWAY, COME_BACK, DRAW, RESIGN, STAND_IN, TIME, Row, Table
from spelunke.house.told import told_clocks

Words = Callable[[str], str]


Fields = Mapping[str, Sequence[str]]


def look_at(
    live: Table,
    person: str | None,
    *,
    now: int,
    since: int,
    translate: Words,
    words: Words,
    draft: Fields | None = None,
) -> Look:
    """The table as this person may see it; ``draft`` are the fields of a form that the person has not sent yet."""
    facts, match = live.facts, live.match
    seat = facts.seat_of(person)
    names = names_at(live)
    actors = live.asked(seat)
    legal: tuple[tuple[Any, str], ...] = ()
    revise: tuple[tuple[Any, str], ...] = ()
    if match is not None and seat is not None and live.running and live.hand(seat) is None:
        legal = tuple((action, live.game.notation.write(action)) for action in match.legal(seat))
        revise = tuple((action, live.game.notation.write(action)) for action in live.revisions(seat))
    counts = live.seen(seat)
    return Look(
        table=facts.id,
        game=facts.game,
        title=live.game.title,
        rules_version=facts.rules_version,
        options=facts.options,
        changed=live.game.changed(live.seats, facts.options),
        clock=facts.clock,
        listed=facts.listed,
        status=facts.status,  # type: ignore[arg-type]  # the column holds nothing else
        ply=counts[-1],
        version=version_of(live, seat),
        now_ms=now,
        created_ms=facts.created_ms,
        started_ms=facts.started_ms,
        seat=seat,
        seats=_seats(live, seat, names, actors, now),
        names=names,
        actors=actors,
        view=live.view(seat),
        legal=legal,
        revise=revise,
        last=_last(live, seat),
        log=_log(live, seat, since, names, translate, words),
        chat=facts.chat,
        fairness=Fairness(
            commitment=commitment(bytes.fromhex(facts.seed)),
            nonces=tuple(chair.nonce for chair in facts.chairs),
            seed=facts.seed if facts.status == "over" else None,
        ),
        may=_may(live, person, seat),
        invite=facts.invite if seat is not None and person == facts.host else None,
        rematch=facts.rematch,
        previous=facts.previous,
        result=_result(live, names, words),
        standing=_standing(live, seat),
        pause_ms=live.pause[2] if live.pause else None,
        pause_left_ms=max(0, live.pause[1] + live.pause[2] - now) if live.pause else None,
        considered=consider(live, seat, draft or {}) if seat is not None else None,
    )


def names_at(live: Table) -> tuple[str, ...]:
    """What each seat is called; a bot by its level's title, a free seat by a dash. Equal names are numbered."""
    levels = live.game.levels if any(chair.level for chair in live.facts.chairs) else {}
    called = [
        chair.name or (str(levels.get(chair.level, {}).get("title", chair.level)) if chair.level else None)
        for chair in live.facts.chairs
    ]
    taken = iter(tell_apart(name for name in called if name))
    return tuple(next(taken) if name else "–" for name in called)


def _seats(
    live: Table, viewer: int | None, names: tuple[str, ...], actors: tuple[int, ...], now: int
) -> tuple[SeatLook, ...]:
    facts = live.facts
    offers = live.offers() if live.running else ()
    clocks = told_clocks(live, viewer)
    told = []
    for chair in facts.chairs:
        kind = (
            "bot" if chair.level else "person" if chair.person else "link" if chair.plan == "link" else "open"
        )
        known = clocks.asked[chair.seat] is not None and chair.seat in actors
        left = clocks.left(chair.seat, now) if chair.person and facts.started_ms is not None else None
        told.append(
            SeatLook(
                seat=chair.seat,
                name=names[chair.seat],
                kind=kind,  # type: ignore[arg-type]
                level=live.hand(chair.seat),
                absent=live.stands_in[chair.seat] is not None,
                you=chair.seat == viewer,
                host=chair.person == facts.host,
                nonce=chair.nonce if chair.person else "",
                left_ms=left,
                ticking=known and live.running and facts.clock.kind != "none",
                ready=chair.seat not in live.actors and bool(live.revisions(chair.seat)),
                offers_draw=chair.seat in offers,
            )
        )
    return tuple(told)


def _last(live: Table, seat: int | None) -> tuple[Any, ...]:
    sight = seat if live.running else ALL
    first = 0
    for index in range(live.ply - 1, -1, -1):
        row = live.rows[index]
        # What a spectator did not notice (a sealed choice that was changed) must not shift what he is shown.
        if row.seat == seat or (seat is None and row.seat != CHANCE and live.events_of(index, sight)):
            first = index
            break
    # Where a game tells in scenes (hook `begins_scene`), the whole scene stays, so that it can be gone through again.
    opens = live.game.hooks.begins_scene
    if live.game.hooks.has(Hooks.begins_scene):
        for index in range(min(first, live.ply - 1), -1, -1):
            if any(opens(event) for event in live.events_of(index, sight)):
                first = index
                break
    return tuple(event for index in range(first, live.ply) for event in live.events_of(index, sight))


def _log(
    live: Table, viewer: int | None, since: int, names: tuple[str, ...], translate: Words, words: Words
) -> tuple[LogLine, ...]:
    counts = live.seen(viewer)
    sight = viewer if live.running else ALL
    say = live.game.events.say
    lines = []
    for index, row in enumerate(live.rows):
        number = counts[index + 1]
        if number <= since:
            continue
        if row.move.startswith("!"):
            lines.append(
                LogLine(ply=number, seat=None, text=_say_note(live, row, names, words), at_ms=row.at)
            )
        for event in live.events_of(index, sight):
            text = say(event, names, translate)
            lines.append(LogLine(ply=number, seat=row.seat, text=text, at_ms=row.at, event=event))
    return tuple(lines)


def _say_note(live: Table, row: Row, names: tuple[str, ...], words: Words) -> str:
    name = names[row.seat]
    word = row.move.partition(" ")[0]
    if word == TIME and live.facts.clock.when_out(live.seats) == "bot":
        return words("{name}'s time is up; a bot plays on.").format(name=name)
    said = {
        RESIGN: words("{name} resigns."),
        TIME: words("{name}'s time is up."),
        DRAW: words("A draw is agreed."),
        STAND_IN: words("A bot plays for {name} for now."),
        COME_BACK: words("{name} is back."),
        AWAY: words("The house was away; the time for this decision begins anew."),
    }
    return said[word].format(name=name)


def _may(live: Table, person: str | None, seat: int | None) -> frozenset[str]:
    facts = live.facts
    may = {"chat"} if person is not None else set()
    if facts.status == "open" and seat is None:
        may.add("join")
    if seat is None:
        return frozenset(may)
    if facts.status in {"open", "ready"}:
        may |= {"leave", "nonce"}
        if facts.status == "ready":
            may.add("start")
        elif person == facts.host:
            may.add("fill")
    if facts.status == "over" and facts.started_ms is not None:
        may.add("rematch")
    if not live.running:
        return frozenset(may)
    if seat not in live.resigned:
        may.add("resign")
        may.add("come_back" if live.stands_in[seat] is not None else "stand_in")
    offers = set(live.offers())
    if offers - {seat} and seat in people_at(live) and seat not in offers:
        may |= {"accept_draw", "decline_draw"}
    elif can_agree(live) and not live.offered_since_own_move(seat):
        may.add("offer_draw")
    if live.revisions(seat) and live.hand(seat) is None:
        may.add("take_back")
    if has_standing(live):
        may.add("standing")
    return frozenset(may)


def _result(live: Table, names: tuple[str, ...], words: Words) -> Result | None:
    outcome = live.outcome() if live.match is not None else None
    if outcome is None:
        return None
    winners = [names[seat] for seat in outcome.winners]
    quit_by = live.ended.seat if live.ended is not None and outcome.reason in {"resigned", "time"} else None
    if outcome.reason == "agreed":
        text = words("A draw was agreed.")
    elif len(winners) == live.seats:
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


def _standing(live: Table, seat: int | None) -> Any:
    kept = live.facts.chairs[seat].standing if seat is not None else None
    return msgspec.json.decode(kept) if kept is not None else None


def record_of(live: Table) -> Any:
    """The whole game with its seed; raises NotNow before it is over."""
    from spelunke.records import record as records

    facts = live.facts
    outcome = live.outcome()
    if live.match is None or outcome is None or facts.started_ms is None:
        raise NotNow("the record is open to all when the game is over")
    names = names_at(live)
    result = None
    if outcome.reason != "played":
        by = live.ended.seat if live.ended is not None and outcome.reason != "agreed" else None
        result = records.Result(
            reason=outcome.reason,  # type: ignore[arg-type]
            ranks=outcome.ranks,
            seat=by,
            ply=live.match.ply,
        )
    times = [row.at - facts.started_ms for index, row in enumerate(live.rows) if live.where(index) >= 0]
    return records.compose(
        live.match,
        table=facts.id,
        seats=[
            records.Seat(name=names[chair.seat], kind="bot" if chair.level else "person", level=chair.level)
            for chair in facts.chairs
        ],
        created=datetime.fromtimestamp(facts.created_ms / 1000, UTC),
        finished=datetime.fromtimestamp((facts.ended_ms or live.last_at) / 1000, UTC),
        times=times,
        fairness=records.Fairness(
            commitment=commitment(bytes.fromhex(facts.seed)), nonces=facts.nonces, seed=facts.seed
        ),
        result=result,
    )
