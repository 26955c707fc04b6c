"""The messages in a table's chat that a viewer may read.

During a game, players and spectators have separate chats.
"""

from __future__ import annotations

import msgspec

from spelunke.house.messages import ChatLine
from spelunke.house.store import WATCHING
from spelunke.house.table import Facts, Table


def count_apart(facts: Facts, seat: int | None) -> int:
    """Return the number of chat messages for this viewer that `Facts.shown` does not count.

    `Facts.shown` counts only changes that all viewers may see. The result includes messages of people whom the viewer
    has muted.
    """
    said = 0
    if seat is None or facts.status == "over":
        said += max((line.n - WATCHING for line in facts.chat if line.n > WATCHING), default=0)
    if seat is not None and facts.chat_closed:
        said += max((line.n for line in facts.chat if line.n <= WATCHING), default=0)
    return said


def read_chat(table: Table, seat: int | None, muted: frozenset[str]) -> tuple[ChatLine, ...]:
    """Return the chat messages that a viewer may read.

    While a game is played, players don't see the messages of spectators, because spectators may know more.
    Spectators see the players' messages unless the table's chat is closed to them. Nobody sees messages of
    people whom they have muted or blocked. Players have the names of their seats, because several people may have the
    same name.
    """

    def find() -> tuple[ChatLine, ...]:
        facts = table.facts
        apart = seat is not None and facts.status == "playing"
        closed = seat is None and facts.chat_closed
        return tuple(
            _name_seat(table, line, writer)
            for line, writer in zip(facts.chat, facts.writers, strict=True)
            if writer not in muted and not (closed if line.n <= WATCHING else apart)
        )

    return table.by_facts(("chat", seat is None, muted), find)


def _name_seat(table: Table, line: ChatLine, writer: str) -> ChatLine:
    """Return the message with the name of its writer's seat, if the writer still sits there."""
    seat = line.seat
    if seat is None or table.facts.chairs[seat].person != writer:
        return line
    return msgspec.structs.replace(line, name=table.names[seat])
