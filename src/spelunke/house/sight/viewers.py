"""A viewer of a table: the table as far as one seat, or a spectator, knows it.

Pages, API answers and streams show a running game only as a viewer knows it. The complete state is in `house.table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from spelunke.core.contract import CHANCE
from spelunke.core.values import Action, Event, View
from spelunke.core.words import Translator
from spelunke.games.hooks import Hooks
from spelunke.games.lesson import LEARNER
from spelunke.house.messages import Answer, ChatLine, Knowledge, Result
from spelunke.house.sight.sentences import say_result
from spelunke.house.sight.talk import count_apart, read_chat
from spelunke.house.table import (
    AWAY,
    COME_BACK,
    STAND_IN,
    Chair,
    Clocks,
    Table,
    find_behind,
    is_shown,
    seat_to_undo,
    undoable,
)
from spelunke.records.viewer import LogViewer

Fields = Mapping[str, Sequence[str]]


class Viewer(LogViewer):
    """The present knowledge that one seat, or a spectator (seat None), has about a table.

    Making a viewer takes little time, because the table caches the expensive parts.
    """

    seen: int
    """The number of log rows that the viewer noticed (`Table.noticed`). Rows secret from the viewer don't count."""
    plays: bool
    """Whether the seat's person plays now: the game is running, and no bot plays for the person."""

    def __init__(self, table: Table, seat: int | None) -> None:
        super().__init__(table.game.hooks, seat)
        self.table = table
        # whether a seat is reserved for the viewer
        self.invited = False
        # the writers of chat whom the viewer has muted or blocked
        self.muted: frozenset[str] = frozenset()
        # the rows that the viewer noticed, and the viewer's hash chain
        self.noticed = table.noticed(seat)
        self.seen = self.noticed.seen
        # the viewer's own chair
        self.chair: Chair | None = None if seat is None else table.facts.chairs[seat]
        self.plays = seat is not None and table.running and table.bot_at(seat) is None
        # whether standing orders may answer for the person
        self.ordered = table.takes_orders and self.chair is not None and bool(self.chair.orders)

    @classmethod
    def of(cls, table: Table, person: str | None) -> Viewer:
        """Return the viewer for this person. If `person` is None or has no seat, return a spectator's viewer.

        A spectator may see the game some log rows late. Raise WatchLater if the table admits no spectators now.
        """
        seat = table.facts.seat_of(person)
        if seat is None:
            table.facts.admit_spectator()
        viewer = cls(find_behind(table) if seat is None else table, seat)
        if seat is None and person is not None:
            viewer.invited = any(chair.kept == person for chair in table.facts.chairs)
        if person is not None and table.facts.mutes:
            viewer.muted = table.facts.mutes.get(person, viewer.muted)
        return viewer

    def knowledge(self, person: str | None) -> Knowledge:
        """Return the facts about a person on which their `Look` at this table depends.

        `person` must be the person for whom this viewer was made.
        """
        return Knowledge(self.seat, self.invited, person is not None, self.muted)

    @property
    def is_host(self) -> bool:
        """Whether the viewer's seat belongs to the host of the table."""
        return self.chair is not None and self.chair.person == self.table.facts.host

    # --- counters: secret rows change none of them

    @property
    def version(self) -> int:
        """A number that increases with each change that the viewer can see, except changes of clocks and presence."""
        chair = self.chair
        own = 0 if chair is None else chair.orders_rev + chair.attention.rev
        facts = self.table.facts
        return facts.shown + self.seen + own + (count_apart(facts, self.seat) if facts.chat else 0)

    @property
    def chat(self) -> tuple[ChatLine, ...]:
        """The messages that the viewer may read."""
        return read_chat(self.table, self.seat, self.muted) if self.table.facts.chat else ()

    @property
    def last_at(self) -> int:
        """The time of the last log row that the viewer noticed, or the time of the game's start if there is none."""
        return self.table.time_after(self.noticed.newest)

    def answer(self, status: Literal["done", "repeated", "stale"]) -> Answer:
        """Return the answer to an action, with the current version number of the table as the viewer sees it."""
        return Answer(status=status, ply=self.seen, version=self.version)

    # --- what happened

    @property
    def entries(self) -> int:
        """The number of rows in the log. Rows that the viewer did not notice (`Table.noticed`) count too."""
        return self.table.row

    def actor_of(self, entry: int) -> int:
        """Return the seat that acted in the log row with the index `entry`. For chance and for a note, return -1.

        A note is a row that is no ply of the match, such as a resignation.
        """
        row = self.table.log.rows[entry]
        return CHANCE if row.is_note else row.seat

    def events_of(self, entry: int) -> tuple[Event, ...]:
        """Return those events of the row with the index `entry` that the viewer may see.

        When the game is over, the viewer may see all events.
        """
        return self.noticed.events_of(entry) if self.table.running else self.table.events_of(entry)

    def last(self) -> tuple[Event, ...]:
        """Return the newest events, for the viewer's board (see `LogViewer.last`).

        They are cached until the log has another row that the viewer notices (`Table.noticed`).
        """
        key = (self.seen, self.table.running)
        known = self.noticed.last
        if known is None or known[0] != key:
            known = self.noticed.last = (key, super().last())
        return known[1]

    def events(self, since: int = 0) -> tuple[Event, ...]:
        """Return the events of all rows after the first `since` rows, without those of moves that were taken
        back.
        """
        undone = self.table.log.undone
        return tuple(
            event
            for entry in range(since, self.entries)
            if entry not in undone
            for event in self.events_of(entry)
        )

    @property
    def view(self) -> View | None:
        """The game's View for the viewer, or None before the start."""
        return self.noticed.view

    def result(self, names: tuple[str, ...], words: Translator) -> Result | None:
        """Return the result, or None before the end of the game."""
        outcome, ended = self.table.outcome, self.table.seating.ended_by
        if outcome is None:
            return None
        gave_up = ended is not None and outcome.reason in {"resigned", "time", "left"}
        quit_by = ended.seat if ended is not None and gave_up else None
        return Result(
            ranks=outcome.ranks,
            scores=outcome.scores if outcome.reason == "played" else None,
            reason=outcome.reason,  # type: ignore[arg-type]  # there are no others
            seat=quit_by,
            text=say_result(outcome.winners, outcome.reason, quit_by, names, words),
            outcome=outcome,
            quits=tuple(self.table.seating.quits),
        )

    # --- seats to act

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats to act, as far as the viewer knows.

        They are the seats to act after the last row of the table's log that the viewer noticed (see `Table.noticed`).
        If chance decided after that row, they are the seats to act at the next decision. If a seat has answered in
        secret, the other viewers still see it among the seats to act. The viewer's own seat is not among the seats
        if its standing orders answer.
        """
        table = self.table
        if not table.running:
            return ()
        calm = self.ordered and self.obeyed
        if table.secret is not None:
            seats = self._asked_in_secret(table.secret.checkpoints[-1].ply)
            return tuple([seat for seat in seats if seat != self.seat]) if calm else seats
        row = self.noticed.newest
        while row < table.row and not table.asked_after[row]:
            row += 1  # after this row, chance decided; skip to the next decision of a seat
        known = set(table.asked_after[row]) - {self.seat}
        if self.seat in table.actors and not calm:
            known.add(self.seat)
        return tuple(sorted(known))

    def _asked_in_secret(self, ply: int) -> tuple[int, ...]:
        """Return the seats that may still have to answer, as far as the viewer knows from the state at `ply`.

        While answers are secret, the viewer can't see which seats have answered.
        """
        match = self.table.match
        assert match is not None
        found = self._hooks.seats_maybe_asked(match.state_at(ply), self.seat)
        return self.table.actors if found is None else tuple(found[1])

    @property
    def clocks(self) -> Clocks:
        """The clocks as the viewer may see them. Do not change them.

        A stopped clock would reveal that its seat has answered. So during a decision that hides which seats
        have answered, each viewer sees clocks computed from its own knowledge. If the viewer can't know
        whether another seat has answered, that seat's clock runs from the start of the decision. A seat
        always sees its own true clock. After the decision, everybody sees the true clocks.
        """
        table = self.table
        if table.secret is None:
            return table.clocks
        first, *later = table.secret.checkpoints
        shown, counts = first.clocks.copy(), self.noticed.counts
        for point in later:
            if counts[point.row] == counts[point.row - 1]:
                continue  # the viewer did not notice the row
            row = table.log.rows[point.row - 1]
            if row.note[0] in {AWAY, STAND_IN, COME_BACK}:
                shown.note(row, table.time_begins(row.at))
                if row.move == COME_BACK and table.secret.runs[row.seat] and shown.asked[row.seat] is None:
                    shown.asked[row.seat] = table.time_begins(row.at)
            elif row.is_note:
                shown.acted(row.seat, row.at)
            asked = self._asked_in_secret(point.ply)
            for seat in range(table.seats):
                if seat not in asked or (seat == row.seat and not row.is_note):
                    shown.adopt(seat, point.clocks)
        if self.seat is not None:
            shown.adopt(self.seat, table.clocks)
        return shown

    # --- the viewer's options

    @property
    def legal(self) -> tuple[tuple[Action, str], ...]:
        """The present legal actions of the person, each with its move text.

        If the person is not to act, or if the seat's standing orders answer, there are none. An action is
        left out if the server would now play another one in its place (`Hooks.action_on_arrival`).
        """
        if self.seat is None or not self.plays or (self.ordered and self.obeyed):
            return ()
        actions = self.table.moment.legal(self.seat)
        if Hooks.action_on_arrival in self._hooks.offered and self.table.match is not None:
            arrive, state = self._hooks.action_on_arrival, self.table.match.state
            actions = tuple(action for action in actions if arrive(action, state, None) == action)
        write = self.table.game.notation.write
        return tuple((action, write(action)) for action in actions)

    @property
    def revise(self) -> tuple[tuple[Action, str], ...]:
        """The actions that may now replace the person's secret (sealed) choice, each with its move text."""
        if self.seat is None or not self.plays:
            return ()
        write = self.table.game.notation.write
        return tuple((action, write(action)) for action in self.table.moment.revisions(self.seat))

    @property
    def take_back(self) -> str | None:
        """The move text that takes back the seat's secret (sealed) choice, so that the seat decides again.

        If no move does this, the value is None.
        """
        match, seat = self.table.match, self.seat
        if match is None or seat is None:
            return None
        before = set(match.numbers(seat))  # not empty if the seat has sealed only the first of two choices
        for action in self.table.moment.revisions(seat):
            match.act(seat, action)
            after = set(match.numbers(seat))
            match.undo()
            if before < after:
                return self.table.game.notation.write(action)
        return None

    @property
    def operations(self) -> frozenset[str]:
        """The operations that are possible for the viewer besides playing, with the names in `Look.may`.

        They include neither chat nor the actions that are possible because a player is absent: `look_at` adds these.
        Spectators have operations too: they can, for example, join an open table.
        """
        table, facts, seat = self.table, self.table.facts, self.seat
        if seat is None:
            over = facts.status == "over" and facts.started_ms is not None
            open_here = facts.status == "open"
            free = open_here and (self.invited or any(chair.kind == "open" for chair in facts.chairs))
            possible = {
                "join": open_here,
                "sit_down": free,
                "play_on": over,
                "analyse": over,
            }
            return frozenset(word for word, can in possible.items() if can)
        operations = set[str]()
        if facts.status in {"open", "ready"}:
            operations |= {"leave", "nonce"}
            if facts.status == "ready":
                operations.add("start")
            elif self.is_host:
                operations |= (
                    {"fill", "invite"} if any(c.free and not c.kept for c in facts.chairs) else {"fill"}
                )
        if table.rounds.ends:
            operations.add("dismiss_summary" if is_shown(table, facts.chairs[seat]) else "recall")
        if facts.status == "over" and facts.started_ms is not None:
            operations |= self._operations_after(self.chair) | {"play_on", "analyse"}
        if table.running:
            operations |= self._operations_in_play(seat)
        beside = {seat, *(chair.seat for chair in facts.at_device(facts.chairs[seat].person))}
        if facts.started_ms is not None and any(c.person for c in facts.chairs if c.seat not in beside):
            operations.add("react")
        if table.lesson is not None and seat == LEARNER:
            operations.add("go_alone")
            if table.lesson.waiting is not None and not table.lesson.waiting.move:
                operations.add("read_on")
        return frozenset(operations)

    def _operations_after(self, chair: Chair | None) -> set[str]:
        """Return the operations with which the person of this seat may offer a rematch, or answer an offer."""
        facts = self.table.facts
        if facts.rematch is None:
            return set() if facts.shares_device and not self.is_host else {"rematch"}
        asked = chair is not None and chair.person in facts.invited
        return {"accept_rematch", "decline_rematch"} if asked else set()

    @property
    def may_be_coached(self) -> bool:
        """Whether a coach may help the seat's person.

        All other players must have been bots from the beginning, because a person for whom a bot plays may return. No
        coach helps in a lesson. No coach helps at a table whose dice and cards other tables have too, because advice
        would be unfair there.
        """
        table = self.table
        alone = all(level for seat, level in enumerate(table.levels) if seat != self.seat)
        return self.plays and alone and table.lesson is None and table.facts.deal is None

    def _operations_in_play(self, seat: int) -> set[str]:
        table, operations = self.table, set[str]()
        shared = any(chair.here for chair in table.facts.chairs)
        mover = seat_to_undo(table, seat) if shared else seat
        moved = table.match is not None and table.match.plies and table.match.plies[-1].seat == mover
        goes_on = not table.paused
        if goes_on and (moved or table.asking.by is not None) and (word := undoable(table, mover)):
            operations.add(word)
        if self.may_be_coached and seat in table.actors and not (self.ordered and self.obeyed):
            operations.add("hint")
        if seat not in table.seating.resigned:
            operations.add("resign")
            if goes_on:
                operations.add("come_back" if table.seating.stand_ins[seat] is not None else "stand_in")
        made = table.offers if table.facts.offers else None  # a game usually has no offers
        offers = set(made.valid) if made else set()
        if seat not in table.people:
            pass  # who has given up takes no part in draws
        elif offers - {seat} and seat not in offers:
            operations |= {"accept_draw", "decline_draw"}
        elif table.can_agree and not (made and made.made_since_own_move(seat)):
            operations.add("offer_draw")
        if goes_on and table.game.together and self.plays and table.moment.revisions(seat):
            operations.add("take_back")
        if table.takes_orders and seat not in table.seating.resigned:
            operations.add("standing")
        if table.game.hidden or table.game.together:
            operations.add("hide_hand" if table.facts.chairs[seat].eyes else "show_hand")
        return operations

    # --- standing orders and forms, for the seat alone

    @property
    def orders(self) -> object:
        """The standing orders of the viewer's seat, decoded from JSON, or None.

        They are the seat's stored instructions for its coming decisions. Each game defines their form.
        """
        kept = None if self.chair is None else self.chair.orders
        return None if kept is None else msgspec.json.decode(kept)

    def check_orders(self, text: str | None) -> str | None:
        """Check standing orders (JSON), and return them in the form in which they are stored.

        If `text` is None, if the game has not started, or if the game does not check orders, return `text` as it is.
        Raise BadInput if the game refuses the orders.
        """
        view = self.view
        if text is None or view is None or not self._hooks.has(Hooks.check_orders):
            return text
        return msgspec.json.encode(self._hooks.check_orders(msgspec.json.decode(text), view)).decode()

    @cached_property
    def obeyed(self) -> bool:
        """Whether the seat is to act now, but its standing orders will act for it after the usual pause.

        Only the seat's person knows this. As far as all other viewers know, the person still has to act.
        """
        table, seat = self.table, self.seat
        if seat is None or not self.plays or seat not in table.actors or self.move_by_orders() is None:
            return False
        return not table.in_vain["standing", seat, table.decisions.opened[seat] or 0]

    def move_by_orders(self) -> str | None:
        """Return the move text that the seat's standing orders choose now, or None if they choose none."""
        view = self.view
        if self.seat is None or view is None:
            return None
        action = self._hooks.action_by_orders(self.orders, view, self.table.moment.legal(self.seat))
        return None if action is None else self.table.game.notation.write(action)

    def preview(self, fields: Fields) -> msgspec.Struct | None:
        """Return the game's preview of a form that the seat fills in, or None.

        `fields` are the current fields of the form. Each game has its own type of preview.
        """
        chair, view = self.chair, self.view
        if chair is None or view is None or not self.table.running:
            return None
        key = (self.entries, chair.orders)
        known = self.noticed.preview
        if not fields and known is not None and known[0] == key:
            return known[1]
        found = self._hooks.preview_draft(fields, view, self._all_events, self.orders)
        if not fields:  # the usual request, unchanged until the next event
            self.noticed.preview = (key, found)
        return found

    def _all_events(self) -> Iterator[Event]:
        return iter(self.events())
