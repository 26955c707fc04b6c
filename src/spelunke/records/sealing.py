"""Seal a record: make its proof from the rows of the log, and sign the record.

The module also checks signatures, restores the log from a record with a proof, and computes the hash chains of viewers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import msgspec

from spelunke.core.errors import BadRecord, SpelunkeError
from spelunke.core.values import Action, Event, State
from spelunke.games.game import Game, Settled
from spelunke.games.match import Match
from spelunke.records.chain import (
    UNDO,
    Line,
    Opening,
    RowChain,
    canonical,
    next_link,
    nonce_commitment,
    seal_origin,
    tell_row,
)
from spelunke.records.proof import SHORT, Given, Head, Note, Proof, Undone
from spelunke.records.record import PROVEN, Deal, Origin, Record, to_plain, write_options
from spelunke.records.signing import Signer, is_signed
from spelunke.records.viewer import MatchViewer


def given_of(nonce: str, commitment: str | None) -> Given:
    """Return the record's data on a seat's nonce.

    ``nonce`` is empty if the seat gave none. ``commitment`` is the seat's own commitment, or None.
    """
    if commitment is not None:
        return Given(commitment, "committed" if nonce else "unopened")
    return Given(nonce_commitment(nonce), "sent") if nonce else Given(None, "none")


def opening_of(
    game: Game,
    options: Settled,
    *,
    table: str,
    levels: Sequence[str | None],
    started: int,
    commitment: str,
    nonces: Sequence[str],
    given: Sequence[Given],
    origin: Origin | None = None,
    seed: bytes | None = None,
    deal: Deal | None = None,
) -> Opening:
    """Return the opening of a table: the first entry of each of its hash chains.

    ``levels`` has, for each seat, the level of its bot, or None for a person. ``seed`` is needed only if ``origin`` is
    ``chained``: the seed seals the position from which the game began.
    """
    sealed = ""
    if origin is not None and origin.chained:
        assert seed is not None
        begun = {"table": origin.table, "ply": origin.ply, "position": origin.position}
        sealed = seal_origin(seed, table, begun)
    return Opening(
        table=table,
        game=game.name,
        rules=game.version,
        options=write_options(options),
        seats=tuple("person" if level is None else f"bot:{level}" for level in levels),
        started=started,
        commitment=commitment,
        nonces=tuple(nonces),
        nonce_commitments=tuple(one.commitment or "" for one in given),
        origin=sealed,
        deal="" if deal is None else f"{deal.event} {deal.number}",
    )


def opening_in(record: Record, game: Game) -> Opening:
    """Return the first entry of the hash chains of a recorded game. All its chains begin with the same entry.

    The record must have a proof, and :func:`is_open` must return True for it.
    """
    assert record.proof is not None
    fairness = record.fairness
    assert fairness is not None
    return opening_of(
        game,
        game.settle(len(record.seats), record.options),
        table=record.table,
        levels=[None if seat.kind == "person" else seat.level or "" for seat in record.seats],
        started=record.proof.started,
        commitment=fairness.commitment,
        nonces=fairness.nonces,
        given=record.proof.nonces,
        origin=record.origin,
        seed=None if fairness.seed is None else bytes.fromhex(fairness.seed),
        deal=fairness.deal,
    )


def is_open(record: Record) -> bool:
    """Return whether the first entry of a game's hash chains (the opening, :func:`opening_in`) can be recomputed.

    If a game began from a position, the seed was used to seal the position, and the opening contains the seal. So the
    opening can be recomputed only if the record has the seed. In older records, openings contain no such seal.
    """
    sealed = record.origin is not None and record.origin.chained
    return not sealed or (record.fairness is not None and record.fairness.seed is not None)


def lines_in(record: Record) -> list[Line]:
    """Return the log of a record with a proof, in order: the plies, the notes, and the moves that were taken back."""
    assert record.proof is not None
    undone = {one.row: one for one in undone_in(record.proof)}
    others: dict[int, Note | Undone] = {note.row: note for note in record.proof.notes}
    others |= undone
    levels = {row: level for level, rows in record.proof.bots.items() for row in rows}
    plies = iter(record.plies)
    lines = []
    for number in range(1, len(record.plies) + len(others) + 1):
        entry = others.get(number) or next(plies)
        lines.append(Line(number, entry.seat, entry.text, entry.ms, levels.get(number), number in undone))
    return lines


def undone_in(proof: Proof) -> tuple[Undone, ...]:
    """Return the moves of the game that were taken back."""
    return () if isinstance(proof.undone, msgspec.UnsetType) else proof.undone


def plies_before(record: Record, row: int) -> int:
    """Return the number of plies before a row of the log. Rows count from 1.

    If the row is a ply, the result is the number of this ply, from 0.
    """
    assert record.proof is not None
    beside = [*(note.row for note in record.proof.notes), *(one.row for one in undone_in(record.proof))]
    return row - 1 - sum(other < row for other in beside)


class Branch:
    """A copy of a viewer's match, in which to play moves that were taken back later in the game.

    The viewer's match does not change.
    """

    def __init__(self, viewer: MatchViewer) -> None:
        self._main = viewer
        self._match: Match | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the branch has no moves, or all of them have been taken back."""
        return self._match is None or not self._match.plies

    @property
    def state(self) -> State | None:
        """The state after the branch's moves (later taken back), or None if the branch is empty (:attr:`is_empty`)."""
        return None if self._match is None or not self._match.plies else self._match.state

    @property
    def newest(self) -> Action:
        """The newest move in this branch (a copy of the match) that is not taken back yet. There must be one."""
        assert self._match is not None
        return cast(Action, self._match.plies[-1].deed)

    def play(self, line: Line, ply: int) -> tuple[bool, tuple[Event, ...]]:
        """Play a move that was taken back later in the game.

        Return two values: whether the viewer's hash chain has an entry for the move, and the move's events as the
        viewer saw them. ``ply`` is the number of plies of the match before this move. Raise SpelunkeError if the
        move can't be played.
        """
        main = self._main.match
        if self.is_empty:
            self._match = main.match_at(ply)
        assert self._match is not None
        number = self._match.act(line.seat, self._match.parse(line.text)).number
        viewer = MatchViewer(self._match, self._main.seat)
        told = viewer.told(number)
        return viewer.notices(number, told), told

    def take_back(self) -> None:
        """Take back the newest move. Raise BadRecord or IllegalMove if there is none."""
        if self._match is None:
            raise BadRecord("there is no move to take back")
        self._match.undo()


def follow(opening: Opening, lines: Sequence[Line], viewer: MatchViewer) -> Iterator[tuple[int, bytes]]:
    """Yield a pair for each row in a viewer's hash chain: the number of the row in the log, and the row's link.

    The first entry of the chain, the opening, is not a row and gives no pair. The viewer's match must contain all
    plies of ``lines``. Stop early if a move in ``lines`` can't be played or taken back.
    """
    link = opening.link(viewer.seat)
    branch = Branch(viewer)
    seen = ply = 0
    for line in lines:
        noticed, events = True, tuple[Event, ...]()
        try:
            if line.undone:
                noticed, events = branch.play(line, ply)
            elif line.text == UNDO:
                branch.take_back()
        except SpelunkeError:  # a changed record, which `find_wrong_undo` explains
            return
        if not (line.is_note or line.undone):
            events = viewer.told(ply)
            noticed = viewer.notices(ply, events)
        if noticed:
            seen += 1
            link = next_link(link, tell_row(seen, line, events))
            yield line.number, link
        ply += not (line.is_note or line.undone)


def head_of(opening: Opening, lines: Sequence[Line], match: Match, seat: int | None) -> Head:
    """Return the last link of a viewer's hash chain, and the number of rows in the chain.

    The viewer is a seat, or the spectators if ``seat`` is None.
    """
    links = [opening.link(seat), *(link for _, link in follow(opening, lines, MatchViewer(match, seat)))]
    return Head(viewer=seat, seen=len(links) - 1, link=links[-1].hex())


def seal(
    record: Record,
    *,
    opening: Opening,
    lines: Sequence[Line],
    given: Sequence[Given],
    heads: Sequence[Head],
    seed: bytes,
    signer: Signer | None,
) -> Record:
    """Return the record in format 2, with its proof. If ``signer`` is given, the record is signed."""
    chain = RowChain(opening, seed)
    links = [chain.link]
    bots: dict[str, list[int]] = {}
    for line in lines:
        links.append(chain.add(line))
        if line.level is not None:
            bots.setdefault(line.level, []).append(line.number)
    undone = tuple(Undone(line.number, line.seat, line.text, line.ms) for line in lines if line.undone)
    proof = Proof(
        started=opening.started,
        nonces=tuple(given),
        notes=tuple(Note(line.number, line.seat, line.text, line.ms) for line in lines if line.is_note),
        bots={level: tuple(rows) for level, rows in bots.items()},
        links="".join(link.hex()[:SHORT] for link in links),
        undone=undone or msgspec.UNSET,
        head=chain.link.hex(),
        heads=tuple(heads),
    )
    sealed = msgspec.structs.replace(record, format=PROVEN, proof=proof)
    return sealed if signer is None else sign(sealed, signer)


def signed_bytes(record: Record) -> bytes:
    """Return the bytes to sign for a record: the record without its signature, as canonical JSON."""
    assert record.proof is not None
    plain = to_plain(record)
    proof = msgspec.to_builtins(record.proof)
    del proof["signature"]
    plain["proof"] = proof
    return canonical(plain)


def sign(record: Record, signer: Signer) -> Record:
    """Return the record with the signer's public key and signature in its proof.

    Raise BadRecord if the record has no proof.
    """
    if record.proof is None:
        raise BadRecord("a record without a proof can't be signed", "proof")
    keyed = msgspec.structs.replace(record, proof=msgspec.structs.replace(record.proof, key=signer.public))
    assert keyed.proof is not None
    signature = signer.sign(signed_bytes(keyed))
    return msgspec.structs.replace(keyed, proof=msgspec.structs.replace(keyed.proof, signature=signature))


def is_sealed(record: Record) -> bool:
    """Return whether the record has a valid signature by the owner of its key."""
    proof = record.proof
    if proof is None or proof.key is None or proof.signature is None:
        return False
    return is_signed(proof.key, signed_bytes(record), proof.signature)
