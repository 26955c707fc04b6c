"""Fair chance: commit to a seed, add the players' nonces, reveal the seed, and verify the outcomes.

For the proof and its limits, see docs/why/fair-chance.md.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Literal

import msgspec

from spelunke.core.chance import Chance, Verifiable
from spelunke.core.chance import commitment as commitment_of
from spelunke.core.contract import CHANCE
from spelunke.core.errors import BadInput, BadRecord, SpelunkeError
from spelunke.core.values import ChanceOutcome
from spelunke.games.match import Match
from spelunke.records.claims import Claim, Deviation, Kept
from spelunke.records.dealt import DealtChance
from spelunke.records.judgement import Findings, judge
from spelunke.records.record import Deal, Entry, Fairness, Record, Share, check_record, share_of
from spelunke.records.replay import check_result, open_match, step
from spelunke.records.sealing import undone_in
from spelunke.records.sentences import UNKNOWN, VERDICTS
from spelunke.records.undoing import find_wrong_undo

NONCE = re.compile(r"[!-~]{1,64}")


def new_seed() -> bytes:
    """Return 32 bytes that nobody can predict."""
    return secrets.token_bytes(32)


def new_nonce() -> str:
    """Return a new random nonce of 32 hexadecimal digits."""
    return secrets.token_hex(16)


def is_nonce(text: str) -> bool:
    """Return whether the text is a nonce: 1 to 64 printable ASCII characters without spaces."""
    return NONCE.fullmatch(text) is not None


def check_nonce(text: str, place: str = "nonce") -> str:
    """Return the nonce. Raise BadInput unless it is 1 to 64 printable ASCII characters without spaces.

    The nonce need not be random. It is enough that the server could not know the nonce when the server committed to
    its seed.
    """
    if not is_nonce(text):
        raise BadInput(
            "it must have 1 to 64 ASCII characters (plain letters, digits or signs) and no spaces", place
        )
    return text


def commit(seed: bytes, nonces: Sequence[str], *, reveal: bool = False, deal: Deal | None = None) -> Fairness:
    """Return the part of a record about chance: the commitment to the seed, the players' nonces, and the deal.

    ``nonces`` has a text for each seat, empty if the seat gave none. The seed itself is included only if ``reveal`` is
    true.
    """
    return Fairness(
        commitment=commitment_of(seed),
        nonces=tuple(nonces),
        seed=seed.hex() if reveal else None,
        deal=deal,
    )


def decide(match: Match, chance: Chance | DealtChance) -> ChanceOutcome:
    """Return the outcome that a source of chance gives for the match's next chance event, without applying it.

    Raise BadInput if chance does not decide now.
    """
    if isinstance(chance, DealtChance):
        return chance.decide(match)
    outcomes = match.chances()
    if not outcomes:
        raise BadInput("no outcome of chance is due now")
    return outcomes[chance.pick(match.chances_taken, [weight for _, weight in outcomes])][0]


def open_chance(fairness: Fairness, table: str) -> Verifiable | DealtChance | None:
    """Return the source of chance of a recorded game, or None if the record does not contain the seed."""
    if fairness.seed is None:
        return None
    seed = bytes.fromhex(fairness.seed)
    if fairness.deal is not None:
        return DealtChance(seed, fairness.deal)
    return Verifiable(seed, table, fairness.nonces)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of verifying a record.

    ``verdict`` is ``fair`` if everything that was recomputed agrees with the record and with data that the reader
    kept: a server's key, a link of a hash chain, or a commitment from before the game. It is ``unproven`` if nothing
    is wrong, but the reader kept no data that could expose a complete forgery. It is also ``unproven`` if chance
    can't be recomputed, because there is no seed yet or the dice were real. It is ``altered`` if there is a
    contradiction; ``deviation`` is the first one.

    ``plies`` and ``chances`` are the numbers of plies and outcomes that agreed. ``claims`` are the statements of
    the record. Each says whether it is proven.
    """

    verdict: Literal["fair", "unproven", "altered"]
    game: str
    table: str
    plies: int
    chances: int
    deviation: Deviation | None = None
    claims: tuple[Claim, ...] = ()
    text: str

    @property
    def ok(self) -> bool:
        """Whether chance was recomputed and nothing contradicts the record.

        If this is true, the whole record may still be forged.
        """
        return self.deviation is None and any(
            (claim.claim, claim.state) == ("chance", "proven") for claim in self.claims
        )


def verify(record: Record, kept: Kept | None = None) -> Verdict:
    """Return the verdict on a record.

    Recompute the commitment, every outcome of chance, every move, the result and the hash chains, as far as the record
    allows. ``kept`` is the data that the reader kept during the game, to compare with the record. Raise the errors of
    `check_record` and `open_match`. Report any other error in the record in the verdict.
    """
    game = check_record(record)
    fairness = record.fairness
    stream = None if fairness is None else open_chance(fairness, record.table)
    match = open_match(record, game)
    broken, chances = _play(record, match, stream)
    outcome = broken if broken is not None and _is_chance(record, broken) else None
    chance = _diagnose(record, broken) or outcome
    rules = None
    if outcome is None:
        rules = broken or _examine_result(record, match) or find_wrong_undo(record, match)
    findings = Findings(
        rules=rules,
        chance=chance,
        stopped=outcome.ply if outcome else None,
        chances=chances,
        seeded=stream is not None,
    )
    claims, deviation = judge(record, game, match, findings, kept or Kept())
    return _judge(record, deviation, match.ply, chances, claims)


def _play(
    record: Record, match: Match, stream: Verifiable | DealtChance | None
) -> tuple[Deviation | None, int]:
    """Play the record as far as possible.

    Return the first deviation or None, and the number of correct outcomes of chance.
    """
    chances = 0
    for number, entry in enumerate(record.plies):
        place = f"plies[{number}]"
        try:
            if entry.seat == CHANCE and match.chance:
                reason = _examine_chance(match, entry, stream)
                if reason:
                    return Deviation(place=place, ply=number, reason=reason), chances
                chances += 1
            step(match, entry)
        except SpelunkeError as error:
            return Deviation(place=place, ply=number, reason=str(error)), chances
    return None, chances


def _is_chance(record: Record, broken: Deviation) -> bool:
    return broken.ply is not None and record.plies[broken.ply].seat == CHANCE


def _examine_result(record: Record, match: Match) -> Deviation | None:
    """Return the deviation if the result does not follow from the plies, else None."""
    try:
        check_result(record, match)
    except BadRecord as error:
        return Deviation(place=error.place, reason=error.reason)
    return None


def _examine_chance(match: Match, entry: Entry, stream: Verifiable | DealtChance | None) -> str:
    """Return a clause that describes an error in a recorded outcome of chance, or an empty text if there is none.

    The outcome must be possible. If the entry has a share, it must be the share of this outcome (:func:`share_of`). If
    ``stream`` (the source of chance) is given, it must give this outcome.
    """
    write = match.game.notation.write_chance
    said = match.game.notation.parse_chance(entry.text)
    if said not in (outcome for outcome, _ in match.chances()):
        return f"the outcome {entry.text!r} is not possible here"
    if stream is not None:
        due = decide(match, stream)
        if said != due:
            return f"the seed and the nonces give {write(due)!r} here, but the record says {entry.text!r}"
    share = share_of(match, said)
    if entry.share is not None and entry.share != share:
        return f"the share of {entry.text!r} is {_share(share)}, but the record says {_share(entry.share)}"
    return ""


def _share(share: Share) -> str:
    return f"[{share.low}, {share.high}, {share.total}]"


def _diagnose(record: Record, found: Deviation | None) -> Deviation | None:
    """Return a deviation that says what was changed: the seed, its commitment, a nonce, or most outcomes of chance.

    Return None if none of these was changed, or if the record has no seed. ``found`` is the first deviation that was
    found by playing the record, or None.

    If at least half of the outcomes agree with the seed, the seed and the nonces are right. In this case, ``found``
    comes from a changed ply, so check only the commitment.

    If less than half of the outcomes agree, the returned deviation has the ply of the first wrong outcome.
    """
    fairness = record.fairness
    if fairness is None or fairness.seed is None:
        return None
    if fairness.deal is not None:
        return _diagnose_shared(record, found)
    agree, total, first = _count_agreeing(record)
    bound = commitment_of(bytes.fromhex(fairness.seed)) == fairness.commitment
    if agree * 2 >= total:
        return None if bound else _diagnose_commitment(agree, total, found)
    ply = found.ply if found is not None and _is_chance(record, found) else first
    if not bound:
        return Deviation(
            place="fairness.seed",
            ply=ply,
            reason=f"the SHA-256 of the seed is not the commitment, and from ply {ply} on, the outcomes of chance are "
            "not those of this seed; the seed was changed",
        )
    return Deviation(
        place="fairness.nonces",
        ply=ply,
        reason=f"the seed matches its commitment, but only {agree} of {total} outcomes of chance agree with this seed "
        f"and these nonces (the first wrong one is ply {ply}); at least one of these was changed: a nonce, the name of "
        "the table, the outcomes, or the seed together with its commitment",
    )


def _diagnose_commitment(agree: int, total: int, found: Deviation | None) -> Deviation:
    """Return the deviation for a record whose commitment is not the SHA-256 of the seed.

    Use this function only if at least half of the compared outcomes agree with the seed. Then the seed is right, and
    the commitment is wrong.
    """
    if not total:
        reason = "the commitment is not the SHA-256 of the seed"
    elif found is None:
        reason = (
            "the seed gives every outcome of this record, but the SHA-256 of the seed is not the commitment; the "
            "commitment was changed"
        )
    else:
        reason = (
            f"the seed gives {agree} of {total} outcomes of this record, but the SHA-256 of the seed is not the "
            "commitment; the commitment was changed"
        )
    return Deviation(place="fairness.commitment", reason=reason)


def _diagnose_shared(record: Record, found: Deviation | None) -> Deviation | None:
    """Return a deviation if the seed does not match its commitment, else None.

    Use this function for a game whose chance came from the seed of a tournament or another event. The outcomes of such
    a game depend on the rules too, so they don't show whether the seed or a ply was changed. ``found`` is the first
    deviation that was found by playing the record, or None. The returned deviation has the ply of ``found`` if an
    outcome of chance is wrong there.
    """
    fairness = record.fairness
    assert fairness is not None
    assert fairness.seed is not None
    if commitment_of(bytes.fromhex(fairness.seed)) == fairness.commitment:
        return None
    return Deviation(
        place="fairness.seed",
        ply=found.ply if found is not None and _is_chance(record, found) else None,
        reason="the SHA-256 of this seed is not the commitment in this record; the seed or the commitment was changed",
    )


def _count_agreeing(record: Record) -> tuple[int, int, int | None]:
    """Return the number of outcomes of chance that agree with the seed, and the number of compared ones.

    Also return the ply of the first outcome that does not agree, or None. Compare only outcomes whose entry in the
    record has a share (the random numbers that give this outcome). The comparison does not need the game's rules.
    """
    fairness = record.fairness
    assert fairness is not None
    assert fairness.seed is not None
    stream = Verifiable(bytes.fromhex(fairness.seed), record.table, fairness.nonces)
    outcomes = [(ply, entry.share) for ply, entry in enumerate(record.plies) if entry.seat == CHANCE]
    agree = total = 0
    first = None
    for k, (ply, share) in enumerate(outcomes):
        if share is None:
            continue
        total += 1
        if stream.pick(k, (share.low, share.high - share.low, share.total - share.high)) == 1:
            agree += 1
        elif first is None:
            first = ply
    return agree, total, first


def _judge(
    record: Record,
    found: Deviation | None,
    plies: int,
    chances: int,
    claims: tuple[Claim, ...],
) -> Verdict:
    """Return the verdict that follows from the claims, with its text."""
    state = {claim.claim: claim.state for claim in claims}
    kind: Literal["fair", "unproven", "altered"] = "altered" if found else "unproven"
    if found is not None:
        text = VERDICTS["altered"].format(place=found.place, reason=f"{found.reason}.")
    elif state["chance"] == "proven" == state["kept"]:
        kind = "fair"
        text = f"{VERDICTS['fair'].format(chances=chances)} {_say_rules(record, plies)} {_say_more(claims)}"
    elif state["chance"] == "proven":
        told = f"The seed gives all {chances} outcomes of chance."
        text = f"{VERDICTS['unproven']} {UNKNOWN} {told} {_say_rules(record, plies)}"
    else:
        missing = "undecided" if record.fairness is None else "unseeded"
        text = f"{VERDICTS[missing]} {_say_rules(record, plies)}"
    if record.origin is not None:
        begun = (
            f"The game began from the position at ply {record.origin.ply} of table "
            f"{record.origin.table}. Earlier plies are not checked here."
        )
        text = f"{text} {begun}"
    return Verdict(
        verdict=kind,
        game=record.game,
        table=record.table,
        plies=plies,
        chances=chances,
        deviation=found,
        claims=claims,
        text=text,
    )


def _say_rules(record: Record, plies: int) -> str:
    """Return sentences that say how many plies follow the rules, and how many moves were taken back.

    Use this function only for a record that nothing contradicts.
    """
    played = record.result is not None and record.result.reason == "played"
    told = (
        f"All {plies} plies follow the rules, and so does the result."
        if played
        else f"All {plies} plies follow the rules."
    )
    undone = 0 if record.proof is None else len(undone_in(record.proof))
    if not undone:
        return told
    return f"{told} {f'{undone} moves were taken back.' if undone > 1 else '1 move was taken back.'}"


def _say_more(claims: tuple[Claim, ...]) -> str:
    """Return a sentence that says whether the moves and the result are proven, and if not, why."""
    open_claims = [
        claim for claim in claims if claim.claim in {"moves", "result"} and claim.state != "proven"
    ]
    if not open_claims:
        return "The moves and the result are as the server signed them."
    reason = open_claims[0].text
    if len(open_claims) > 1:
        return f"Not proven: moves and result ({reason})."
    return (
        f"Not proven: moves ({reason})."
        if open_claims[0].claim == "moves"
        else f"Not proven: result ({reason})."
    )
