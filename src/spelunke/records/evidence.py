"""Check the evidence in a record of format 2: hash chains, nonces, ending, signature, and links that a reader kept."""

from __future__ import annotations

import msgspec

from spelunke.core.words import plain
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.chain import RowChain, nonce_commitment, write_head
from spelunke.records.claims import Deviation, Kept, KeptLink
from spelunke.records.proof import SHORT, Given
from spelunke.records.record import Record, Seat
from spelunke.records.sealing import (
    follow,
    head_of,
    is_sealed,
    lines_in,
    opening_in,
    plies_before,
)
from spelunke.records.signing import is_signed, words_of
from spelunke.records.viewer import MatchViewer

KEPT_LINK = plain("kept link")
ENDINGS = {
    "resigned": "!resign",
    "time": "!time",
    "left": "!left",
    "agreed": "!draw",
    "called_off": "!off",
}
"""For each reason to end a game early, the first word of the note in the last row of the log."""


def find_changed_row(record: Record, game: Game) -> Deviation | None:
    """Return the first deviation of the log's rows from the hash chain in the record, or None.

    This check needs the seed, but no rules.
    """
    proof, fairness = record.proof, record.fairness
    assert proof is not None
    assert fairness is not None
    assert fairness.seed is not None
    lines = lines_in(record)
    chain = RowChain(opening_in(record, game), bytes.fromhex(fairness.seed))
    told = [proof.links[at : at + SHORT] for at in range(0, len(proof.links), SHORT)]
    if chain.link.hex()[:SHORT] != told[0]:
        reason = (
            "the hash chain was made for another table, other options, other seats, other nonces or another "
            "start time"
        )
        return Deviation(place="proof.links", reason=reason)
    for line, link in zip(lines, told[1:], strict=False):
        if chain.add(line).hex()[:SHORT] != link:
            ply = plies_before(record, line.number)
            place = f"the note of row {line.number}" if line.is_note else f"plies[{ply}]"
            if line.undone:
                place = f"the move in row {line.number}, which was taken back later"
            reason = f"{line.text!r} does not agree with the hash chain: the row, its time or its player was changed"
            return Deviation(place=place, ply=ply, reason=reason)
    if len(told) != len(lines) + 1:
        chained = len(told) - 1
        missing = chained - len(lines)
        reason = f"rows were added at the end: the hash chain has only {chained} rows"
        if missing > 0:
            reason = f"rows were removed at the end ({missing}): the hash chain has {chained} rows"
        ply = plies_before(record, min(len(lines), chained) + 1)
        return Deviation(place="plies", ply=ply, reason=reason)
    if chain.link.hex() != proof.head:
        return Deviation(place="proof.head", reason="this is not the hash-chain link of the last row")
    return None


def find_changed_head(record: Record, game: Game, match: Match) -> Deviation | None:
    """Recompute the last link of each viewer's hash chain from the moves, and compare it with the record.

    Return the deviation for the first viewer whose last link differs, or None. ``match`` must be played to the end.
    """
    assert record.proof is not None
    opening, lines = opening_in(record, game), lines_in(record)
    for number, head in enumerate(record.proof.heads):
        if head_of(opening, lines, match, head.viewer) != head:
            reason = "the last link of this viewer's hash chain does not follow from the moves of the record"
            return Deviation(place=f"proof.heads[{number}]", reason=reason)
    return None


def find_changed_ending(record: Record) -> Deviation | None:
    """Return the deviation if the last row of the log has another ending or another seat than the result, else None.

    If the game is unfinished or was played out, there is nothing to compare, so return None.
    """
    result = record.result
    if result is None or result.reason == "played":
        return None
    last = lines_in(record)[-1:]
    word = last[0].text.partition(" ")[0] if last else ""
    due = ENDINGS[result.reason]
    if word != due:
        return Deviation(
            place="result.reason",
            ply=result.ply,
            reason=f"the result gives the reason {result.reason!r}, so the last row must begin with {due!r}, "
            "but it does not",
        )
    if result.seat is not None and result.seat != last[0].seat:
        reason = f"the last row is about seat {last[0].seat}, but the result names seat {result.seat}"
        return Deviation(place="result.seat", ply=result.ply, reason=reason)
    return None


def find_changed_nonce(record: Record) -> Deviation | None:
    """Return the deviation at the first nonce that does not match its entry in the proof, or None."""
    assert record.proof is not None
    assert record.fairness is not None
    for seat, (nonce, given) in enumerate(zip(record.fairness.nonces, record.proof.nonces, strict=True)):
        place = f"fairness.nonces[{seat}]"
        name = record.seats[seat].name
        if bool(nonce) != (given.how in {"committed", "sent"}):
            return Deviation(
                place=place,
                reason=f"the nonce of {name} is {nonce!r}, but the proof lists it as {given.how!r}",
            )
        if (given.commitment is None) != (given.how == "none"):
            return Deviation(
                place=place,
                reason=f"the proof lists the nonce of {name} as {given.how!r}, but contains no commitment to this nonce"
                if given.commitment is None
                else f"the proof lists the nonce of {name} as {given.how!r}, but contains a commitment to this nonce",
            )
        if nonce and nonce_commitment(nonce) != given.commitment:
            return Deviation(
                place=place, reason=f"{name} had committed to a different nonce, not to {nonce!r}"
            )
    return None


def find_changed_seal(record: Record) -> Deviation | None:
    """Return the deviation if the record was changed after the server signed it, else None."""
    if is_sealed(record):
        return None
    reason = (
        "the signature does not belong to this record; at least one of these was changed: result, scores, players, "
        "times, length, nonces, or the signature itself"
    )
    return Deviation(place="proof.signature", reason=reason)


def doubts_about_nonces(given: tuple[Given, ...], seats: tuple[Seat, ...]) -> str:
    """Return the reason why somebody may have influenced chance by a choice of nonces or seeds.

    If nobody can have done so, return an empty text.
    """
    unopened = [seat.name for seat, one in zip(seats, given, strict=True) if one.how == "unopened"]
    sent = [seat.name for seat, one in zip(seats, given, strict=True) if one.how == "sent"]
    if all(one.how == "none" for one in given):
        return "no player gave a text (nonce), so the server could have tried many seeds and chosen one that it liked"
    if unopened:
        return (
            f"{', '.join(unopened)} committed to a text (nonce), but never showed it; if the server helps, a player "
            "who does this can choose between two deals"
        )
    if sent and sum(one.how != "none" for one in given) > 1:
        return (
            f"{', '.join(sent)}: the text (nonce) was sent without an earlier commitment; the other players "
            "could not see this text, but the server knew it before all players had committed to theirs"
        )
    return ""


class Links:
    """The hash chains of all viewers of a record. Each is recomputed from the moves when it is first needed."""

    def __init__(self, record: Record, game: Game, match: Match) -> None:
        self._record, self._game, self._match = record, game, match
        self._known: dict[int | None, list[tuple[int, bytes]]] = {}

    def of(self, viewer: int | None) -> list[tuple[int, bytes]]:
        """Return a pair for each entry of the viewer's hash chain: the number of its row in the log, and its link.

        The first pair is for the opening (row 0). The chain ends before the first row that could not be replayed.
        """
        if viewer not in self._known:
            opening = opening_in(self._record, self._game)
            lines = []
            plies = 0
            for line in lines_in(self._record):
                plies += not (line.is_note or line.undone)
                if plies > self._match.ply:
                    break
                lines.append(line)
            chain = follow(opening, lines, MatchViewer(self._match, viewer))
            self._known[viewer] = [(0, opening.link(viewer)), *chain]
        return self._known[viewer]

    def find(self, kept: KeptLink) -> str | Deviation:
        """Look for a kept link in the hash chains of the record.

        If a chain has the link at a place that fits `kept`, return a text with the viewer of this chain, the number
        of its rows up to the link, and the next ply. Otherwise, return a deviation.
        """
        viewers = [None, *range(len(self._record.seats))] if kept.viewer == "any" else [kept.viewer]
        for viewer in viewers:
            chain = self.of(viewer)
            steps = (
                range(len(chain)) if kept.seen is None else range(kept.seen, min(kept.seen + 1, len(chain)))
            )
            for seen in steps:
                row, link = chain[seen]
                if kept.link in {link.hex(), words_of(link)}:
                    ply = plies_before(self._record, row + 1)
                    if viewer is None:
                        return (
                            f"the page of a spectator showed this link at step {seen} of the hash chain, before ply "
                            f"{ply} of the game"
                        )
                    name = self._record.seats[viewer].name
                    return (
                        f"the page of {name} showed this link at step {seen} of the hash chain, before ply {ply} of "
                        "the game"
                    )
        return self._missing(kept, viewers[0] if len(viewers) == 1 else None)

    def _missing(self, kept: KeptLink, viewer: int | None) -> Deviation:
        reason = (
            f"the hash-chain link {kept.link!r} that you kept is not in this record: you saw a different game, or the "
            "link is wrong"
        )
        ply = None
        if kept.seen is not None:
            chain = self.of(viewer)
            row = chain[kept.seen][0] if kept.seen < len(chain) else chain[-1][0] + 1
            ply = plies_before(self._record, max(row, 1))
            reason = (
                f"at step {kept.seen} of the hash chain, this record does not have the link {kept.link!r} that you "
                "kept: you saw a different game, or the step or the link is wrong"
            )
        return Deviation(place=KEPT_LINK, ply=ply, reason=reason)


def compare_kept(record: Record, kept: Kept, links: Links | None) -> tuple[list[str], Deviation | None]:
    """Compare the record with each item that a reader kept, until an item differs.

    Return a text for each item that agrees, and the deviation of the item that differs. If all items agree, the
    deviation is None. Ignore a kept key if the record has no signature with this key.
    """
    agree: list[str] = []
    fairness = record.fairness
    for seat, nonce in kept.nonces.items():
        written = fairness.nonces[seat] if fairness else ""
        if written != nonce:
            reason = f"this record has the nonce {written!r} for seat {seat}, but you gave {nonce!r}"
            return agree, Deviation(place="fairness.nonces", reason=reason)
        agree.append(f"the nonce of seat {seat}")
    if kept.commitment is not None:
        written = fairness.commitment if fairness else ""
        if written != kept.commitment:
            reason = f"this record has the commitment {written!r}, but you saw {kept.commitment!r}"
            return agree, Deviation(place="fairness.commitment", reason=reason)
        agree.append("the commitment")
    if kept.key is not None and is_signed_with(record, kept.key):
        agree.append("the key of the server")
    for link in kept.links:
        found = _compare_link(record, link, links)
        if isinstance(found, Deviation):
            return agree, found
        agree.append(found)
    return agree, None


def is_signed_with(record: Record, key: str) -> bool:
    """Return whether the record names this key and has a signature. The signature itself is not verified here."""
    proof = record.proof
    return proof is not None and proof.signature is not None and proof.key == key


def _compare_link(record: Record, kept: KeptLink, links: Links | None) -> str | Deviation:
    if kept.table not in {None, record.table}:
        return Deviation(
            place=KEPT_LINK,
            reason=f"you kept this hash-chain link at table {kept.table}, but the record is of table {record.table}",
        )
    if links is None:
        return Deviation(place=KEPT_LINK, reason="this record has no hash chain to compare the link with")
    signed = False
    if kept.key and kept.signature and kept.seen is not None and kept.viewer != "any":
        head = write_head(record.table, kept.viewer, kept.seen, kept.link)
        if not is_signed(kept.key, head, kept.signature):
            reason = f"the hash-chain link that you kept was not signed with the key {kept.key}"
            return Deviation(place=KEPT_LINK, reason=reason)
        signed = True
    found = links.find(kept)
    if isinstance(found, Deviation):
        if not signed:
            return found
        reason = f"{found.reason}; the server signed this hash-chain link with the key {kept.key}"
        return msgspec.structs.replace(found, reason=reason)
    return (
        f"your hash-chain link, which the server signed ({found})"
        if signed
        else f"your hash-chain link ({found})"
    )
