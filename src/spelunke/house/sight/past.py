"""Functions for a viewer's hash chain. A client and the server must have the same chain.

The chain has a hash for each row of the log that is not secret from the viewer. `check_link` compares a client's
hash with the server's. `told_since` returns the texts from which a client can compute the hashes.
"""

from __future__ import annotations

from typing import NoReturn

from spelunke.house.messages import ToldRows
from spelunke.house.refusals import AnotherPast, BadPlan, NotNow
from spelunke.house.sight.look import chain_of
from spelunke.house.sight.viewers import Viewer
from spelunke.records.signing import Signer, is_link, words_of


def check_link(viewer: Viewer, ply: int, link: str) -> None:
    """Raise AnotherPast if `link` is not the hash of the first `ply` rows in the viewer's hash chain.

    Raise BadPlan if `link` is malformed. Accept an empty `link`, because programs need not store the chain.
    """
    if not link:
        return
    if not is_link(link):
        raise BadPlan("a link of a hash chain has 64 hexadecimal digits, or is empty", "link")
    known = viewer.noticed.link_at(ply) if ply <= viewer.seen else None
    if known is None or known.hex() != link:
        _refuse_another_past(ply, link, known)


def _refuse_another_past(ply: int, link: str, known: bytes | None) -> NoReturn:
    """Raise AnotherPast for a client's hash.

    `known` is the server's hash at the same place in the chain, or None if the server's chain is shorter.
    """
    words = words_of(bytes.fromhex(link))
    if known is None:
        raise AnotherPast(
            f"you and the server have different histories of this table: after {ply} steps your six words were "
            f"{words!r}, but the server has fewer steps. Your move was not played. Keep your six words, open the table "
            "again, and compare with the other players. After the game, `spelunke verify` shows which history is right"
        )
    raise AnotherPast(
        f"you and the server have different histories of this table: after {ply} steps your six words were "
        f"{words!r}, but the server has {words_of(known)!r}. Your move was not played. Keep your six "
        "words, open the table again, and compare with the other players. After the game, `spelunke verify` "
        "shows which history is right"
    )


def told_since(viewer: Viewer, since: int, signer: Signer | None) -> ToldRows:
    """Return the texts that the viewer's hash chain covers, without those of the first `since` rows.

    Raise NotNow before the game starts.
    """
    chain = chain_of(viewer, signer)
    if chain is None:
        raise NotNow("the game has not started yet; its hash chain begins when it starts")
    rows = viewer.noticed.told(since) if since < chain.ply else []
    return ToldRows(
        table=viewer.table.facts.id,
        viewer=viewer.seat,
        opening=viewer.table.opening.text(viewer.seat).decode(),
        since=since,
        link=viewer.noticed.link_at(since).hex() if since <= chain.ply else None,
        told=tuple(row.decode() for row in rows),
        chain=chain,
    )
