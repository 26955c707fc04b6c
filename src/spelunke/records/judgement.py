"""Judge a record: for each of its claims, give the proof, or the reason why the claim is not proven."""

from __future__ import annotations

import msgspec

from spelunke.core.catalogues import LISTED
from spelunke.core.words import plain
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.claims import Claim, Deviation, Kept, contradicted, proven, unproven
from spelunke.records.evidence import (
    Links,
    compare_kept,
    doubts_about_nonces,
    find_changed_ending,
    find_changed_head,
    find_changed_nonce,
    find_changed_row,
    find_changed_seal,
    is_signed_with,
)
from spelunke.records.record import Deal, Record
from spelunke.records.sealing import is_open, is_sealed, undone_in

OLD = plain("a record of format 1 has no hash chain and no signature")
ENDS = {
    "resigned": plain("a player resigned"),
    "agreed": plain("the players agreed on a draw"),
    "time": plain("a player's time was up"),
    "left": plain("a player left"),
    "called_off": plain("the game was called off"),
}
"""A clause for each reason for which a game ends early."""


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """The results of playing a record.

    ``rules`` is the deviation at the first move or result that the rules contradict. ``chance`` is the deviation at
    the first wrong outcome of chance, or at the seed, its commitment or a nonce if one of these was changed.
    If an outcome of chance is wrong, playing stops there, and ``stopped`` is the ply of this outcome. ``chances`` is
    the number of outcomes that are correct. ``seeded`` is true if the record has a seed.
    """

    rules: Deviation | None
    chance: Deviation | None
    stopped: int | None
    chances: int
    seeded: bool


def judge(
    record: Record, game: Game, match: Match, findings: Findings, kept: Kept
) -> tuple[tuple[Claim, ...], Deviation | None]:
    """Return the claims of a record (statements, proven or not), and the deviation to report first, or None.

    ``match`` is the record's match, played as far as possible. For the order of deviations, see :func:`_first`.
    """
    moves = _judge_moves(record, game, match, findings, kept)
    links = None if record.proof is None else Links(record, game, match)
    found = (
        (_judge_chance(record, findings), findings.chance),
        _judge_nonces(record, kept),
        (_judge_rules(record, findings), findings.rules),
        moves,
        _judge_result(record, kept),
        _judge_kept(record, kept, links),
    )
    return tuple(claim for claim, _ in found), _first([deviation for _, deviation in found])


def _first(found: list[Deviation | None]) -> Deviation | None:
    """Return the deviation to report first, or None.

    A deviation of the seed, its commitment or a nonce comes first, because everything else depends on these.
    Otherwise the deviation with the lowest ply comes first.
    """
    there = [deviation for deviation in found if deviation is not None]
    for deviation in there:
        if deviation.place.startswith("fairness."):
            return deviation
    return min(there, key=lambda one: (one.ply is None, one.ply or 0), default=None)


def _judge_chance(record: Record, findings: Findings) -> Claim:
    if findings.chance is not None:
        return contradicted("chance", findings.chance)
    if record.fairness is None:
        return unproven("chance", "the dice and cards of this game did not come from a server")
    if not findings.seeded:
        return unproven("chance", "the server has not revealed its seed")
    if record.fairness.deal is not None:
        return _prove_shared(record.fairness.deal, findings)
    chances = findings.chances
    if findings.rules is None:
        return proven(
            "chance",
            f"the seed matches its commitment, and with the players' texts (nonces) it gives all {chances} outcomes",
        )
    return proven(
        "chance",
        f"the seed matches its commitment, and with the players' texts (nonces) it gives all {chances} outcomes that "
        "could be checked",
    )


def _prove_shared(deal: Deal, findings: Findings) -> Claim:
    text = (
        f"the seed of {deal.event} gives all {findings.chances} outcomes. All tables with deal {deal.number} of this "
        "event get the same outcomes as long as their players make the same moves. Only a "
        "commitment that you saw before the tournament or the day began proves that the seed was fixed by then. "
        "The players added no texts (nonces) to the seed, so the server could have chosen this seed from "
        "many, and it knew all "
        "outcomes beforehand"
    )
    if findings.rules is not None:
        text = f"{text}. Outcomes after the first error in the record were not checked"
    return proven("chance", text)


def _doubt_about_signature(record: Record, kept: Kept) -> str:
    """Return an empty text if a server whose key the reader knows has signed the record.

    Otherwise, return the reason for the doubt.
    """
    assert record.proof is not None
    if record.proof.signature is None:
        return "no server signed this record"
    if not is_sealed(record):
        return "the signature does not belong to this record"
    if record.proof.key not in kept.keys:
        return (
            f"the record is signed with the key {record.proof.key}, but anybody can sign with a key of "
            "their own; to check this key, give the key of your server"
        )
    return ""


def _judge_nonces(record: Record, kept: Kept) -> tuple[Claim, Deviation | None]:
    if record.fairness is None:
        return unproven("nonces", "no player gave a text"), None
    if record.fairness.deal is not None:
        return unproven(
            "nonces",
            "players gave no texts (nonces) for the dice and cards, "
            "because several tables share the same dice and cards",
        ), None
    if record.proof is None:
        return unproven(
            "nonces",
            f"{OLD}, so the player who gave the last text could have influenced the outcomes with the server's help",
        ), None
    if (found := find_changed_nonce(record)) is not None:
        return contradicted("nonces", found), found
    if doubts := doubts_about_nonces(record.proof.nonces, record.seats):
        return unproven("nonces", doubts), None
    if doubt := _doubt_about_signature(record, kept):
        return unproven("nonces", f"each text agrees with its commitment, but {doubt}"), None
    return proven("nonces", "each seat had committed to its text before any text was shown"), None


def _judge_rules(record: Record, findings: Findings) -> Claim:
    if findings.rules is not None:
        return contradicted("rules", findings.rules)
    if findings.stopped is not None:
        return unproven(
            "rules",
            f"the outcome of chance at ply {findings.stopped} is wrong, so the plies after it were not checked",
        )
    if record.result is None:
        return proven("rules", f"all {len(record.plies)} plies are legal; the game is unfinished")
    if record.result.reason != "played":
        reason = ENDS[record.result.reason]
        return proven(
            "rules", f"all {len(record.plies)} plies are legal; the game was not played to its end ({reason})"
        )
    return proven("rules", f"all {len(record.plies)} plies are legal, and scores and places follow from them")


def _judge_moves(
    record: Record, game: Game, match: Match, findings: Findings, kept: Kept
) -> tuple[Claim, Deviation | None]:
    proof, fairness = record.proof, record.fairness
    if proof is None or fairness is None:
        return unproven(
            "moves", f"{OLD}, so these moves could have been invented, although they follow the rules"
        ), None
    if fairness.seed is None:
        return unproven(
            "moves", "the hash chain can be checked only with the seed, which the server has not revealed"
        ), None
    if findings.chance is not None and findings.chance.place.startswith("fairness."):
        return unproven(
            "moves", f"the hash chain can't be checked, because {findings.chance.place} was changed"
        ), None
    found = find_changed_row(record, game) or find_changed_ending(record)
    if found is None and findings.rules is None and findings.chance is None:
        found = find_changed_head(record, game, match)
    if found is not None:
        return contradicted("moves", found), found
    if doubt := _doubt_about_signature(record, kept):
        return unproven("moves", f"the moves agree with the hash chain, but {doubt}"), None
    rows = len(record.plies) + len(proof.notes) + len(undone_in(proof))
    text = f"all {rows} rows and their times agree with the hash chain, and the server signed the chain"
    if record.origin is not None and record.origin.chained:
        text = f"{text}; the chain begins with the position from which the game began"
    elif record.origin is not None:
        text = f"{text}; only the signature proves the position from which the game began"
    return proven("moves", text), None


def _judge_result(record: Record, kept: Kept) -> tuple[Claim, Deviation | None]:
    if record.proof is None:
        return unproven(
            "result", f"{OLD}, so somebody could have changed the result, names, times or the end of the game"
        ), None
    if record.proof.signature is None:
        return unproven("result", "no server signed this record"), None
    if (found := find_changed_seal(record)) is not None:
        return contradicted("result", found), found
    if doubt := _doubt_about_signature(record, kept):
        return unproven("result", doubt), None
    return proven(
        "result",
        "result, scores, players, times and length are as the server signed them with the key that you know",
    ), None


def _say_signer(record: Record) -> str:
    if record.proof is None or record.proof.signature is None:
        return "no server signed this record"
    return f"the record is signed with the key {record.proof.key}, so it is from another server, or forged"


def _judge_kept(record: Record, kept: Kept, links: Links | None) -> tuple[Claim, Deviation | None]:
    if not kept:
        return unproven(
            "kept",
            "you gave nothing to compare with; only a value that you kept during the game, such as the six words on "
            "the page of your table, can reveal a complete forgery",
        ), None
    if links is None and kept.links:
        return unproven("kept", f"{OLD}, so there is nothing to compare your hash-chain link with"), None
    if kept.links and not is_open(record):
        return unproven(
            "kept",
            "the game began from a given position; without the seed, which the server has not revealed, your "
            "hash-chain link can't be compared with the record",
        ), None
    agree, found = compare_kept(record, kept, links)
    if found is not None:
        return contradicted("kept", found), found
    if kept.key is not None and not is_signed_with(record, kept.key):
        return unproven("kept", f"{_say_signer(record)}; the key of your server is {kept.key}"), None
    if not (kept.commitment or kept.key or kept.links):
        return unproven(
            "kept",
            "your nonces are in the record, but every reader of the record knows them, so they prove little; also "
            "give one of these: the commitment, a hash-chain link, your server's key, or your server's address",
        ), None
    return proven("kept", f"the record agrees with what you kept: {LISTED.join(agree)}"), None
