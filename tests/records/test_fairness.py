"""Fair chance: verification repeats the draws, and names the ply at which an outcome, its share or a move was changed.

The share of an outcome is the interval of the random numbers that give this outcome.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from spelunke.core.errors import BadInput, SpelunkeError
from spelunke.games import find_game
from spelunke.records.claims import Kept
from spelunke.records.fairness import check_nonce, commit, new_nonce, new_seed, verify
from spelunke.records.record import Entry, Record, parse_record, write_record
from spelunke.records.replay import replay

sys.path.insert(0, str(Path(__file__).parent))
from forging import CHANGES, honest_records
from random_games import EXAMPLE, GAMES, SIGNER, play_match, record_of

replace: Any = msgspec.structs.replace


def with_ply(record: Record, number: int, entry: Entry) -> Record:
    plies = list(record.plies)
    plies[number] = entry
    return replace(record, plies=tuple(plies))  # type: ignore[no-any-return]


def with_fairness(record: Record, **fields: object) -> Record:
    return replace(record, fairness=replace(record.fairness, **fields))  # type: ignore[no-any-return]


def chance_plies(record: Record) -> list[int]:
    return [number for number, entry in enumerate(record.plies) if entry.seat == -1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_an_unchanged_record_is_verified_as_fair(game: str, seed: int) -> None:
    record = record_of(game, seed)
    verdict = verify(record)
    assert verdict.ok
    assert verdict.deviation is None
    assert verdict.plies == len(record.plies)
    assert verdict.chances == len(chance_plies(record))


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_before_the_seed_is_revealed_nothing_is_proven(game: str) -> None:
    verdict = verify(record_of(game, 1, reveal=False))
    assert verdict.verdict == "unproven"
    assert not verdict.ok
    assert "has not published the seed" in verdict.text
    assert verify(replace(record_of(game, 1), fairness=None)).verdict == "unproven"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("which", [0, 3, 10, -1])
def test_a_changed_outcome_is_found_at_the_right_ply(game: str, which: int) -> None:
    record = record_of(game, 1)
    number = chance_plies(record)[which]
    match, _, _ = play_match(game, 1, number)
    entry = record.plies[number]
    write = match.game.notation.write_chance
    texts = [write(outcome) for outcome, _weight in match.chances()]
    assert texts.count(entry.text) == 1
    assert len(texts) > 1
    others = [text for text in texts if text != entry.text]
    for text in (*others[:3], *others[-3:]):
        deviation = verify(with_ply(record, number, Entry(-1, text, entry.ms, entry.share))).deviation
        assert deviation is not None
        assert deviation.ply == number
        assert f"give {entry.text!r} here, but the record says {text!r}" in deviation.reason
        assert deviation.place == f"plies[{number}]"


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_move_is_found_at_the_right_ply(game: str) -> None:
    record = record_of(game, 2)
    number = next(n for n, entry in enumerate(record.plies) if n > 30 and entry.seat >= 0)
    deviation = verify(with_ply(record, number, Entry(0, "gibberish", record.plies[number].ms))).deviation
    assert deviation is not None
    assert (deviation.ply, deviation.place) == (number, f"plies[{number}]")
    # A missing ply shows at the next one that no longer fits.
    shorter = replace(
        record,
        plies=record.plies[:number] + record.plies[number + 1 :],
        result=replace(record.result, ply=len(record.plies) - 1),
    )
    deviation = verify(shorter).deviation
    assert deviation is not None
    assert deviation.ply is not None
    assert deviation.ply >= number


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_share_is_found_at_the_right_ply(game: str) -> None:
    record = record_of(game, 2)
    number = chance_plies(record)[5]
    entry = record.plies[number]
    assert entry.share is not None
    for changed in (
        replace(entry.share, total=entry.share.total + 1),
        replace(entry.share, high=entry.share.total, low=0),
    ):
        verdict = verify(with_ply(record, number, replace(entry, share=changed)))
        assert verdict.deviation is not None
        assert verdict.deviation.ply == number
        assert "the share of" in verdict.deviation.reason


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_nonce_is_distinguished_from_a_changed_seed(game: str) -> None:
    record = record_of(game, 1)
    assert record.fairness is not None
    nonces = (*record.fairness.nonces[:-1], "another")
    for changed in (with_fairness(record, nonces=nonces), replace(record, table="table2")):
        verdict = verify(changed)
        assert verdict.verdict == "altered"
        assert verdict.deviation is not None
        assert verdict.deviation.place == "fairness.nonces"
        assert verdict.deviation.ply in chance_plies(record)[:10]
    verdict = verify(with_fairness(record, seed="00" * 32))
    assert verdict.deviation is not None
    assert verdict.deviation.place == "fairness.seed"
    assert verdict.deviation.ply in chance_plies(record)[:10]
    assert "the seed was changed" in verdict.text
    verdict = verify(with_fairness(record, commitment="00" * 32))
    assert verdict.deviation is not None
    assert verdict.deviation.place == "fairness.commitment"
    # A seed with its own commitment, as a server would forge it: the outcomes reveal it.
    forged = with_fairness(record, seed="00" * 32, commitment=hashlib.sha256(bytes(32)).hexdigest())
    assert verify(forged).verdict == "altered"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("what", ["move", "outcome", "result", "nothing else"])
@pytest.mark.parametrize("place", ["commitment", "seed", "nonces"])
def test_with_two_changes_no_changed_part_counts_as_proven(game: str, what: str, place: str) -> None:
    """If two parts of a record are changed, verification counts neither as proven.

    One is a ply or the result. The other is the seed, its commitment or a nonce.
    """
    record = record_of(game, 2)
    assert record.fairness is not None
    assert record.result is not None
    assert record.result.scores is not None
    changed = record
    number = chance_plies(record)[3]
    if what == "move":
        number = next(n for n, entry in enumerate(record.plies) if entry.seat >= 0)
        changed = with_ply(record, number, Entry(0, "gibberish", record.plies[number].ms))
    elif what == "outcome":
        changed = with_ply(record, number, replace(record.plies[number], text="gibberish"))
    elif what == "result":
        scores = (record.result.scores[0] + 1, *record.result.scores[1:])
        changed = replace(record, result=replace(record.result, scores=scores))
    nonces = (*record.fairness.nonces[:-1], "another")
    fields: dict[str, object] = {"commitment": "00" * 32, "seed": "00" * 32, "nonces": nonces}
    verdict = verify(with_fairness(changed, **{place: fields[place]}))
    claims = {claim.claim: claim for claim in verdict.claims}
    assert verdict.deviation is not None
    assert verdict.deviation.place == f"fairness.{place}"
    assert claims["chance"].state == "contradicted"
    if verdict.deviation.ply is not None:
        assert record.plies[verdict.deviation.ply].seat == -1
    if place == "commitment":  # all outcomes agree, so the plies can be checked
        due = {"outcome": "not proven", "nothing else": "proven"}.get(what, "contradicted")
        assert claims["rules"].state == due
        assert ("gives every outcome" in claims["chance"].text) == (what in {"result", "nothing else"})
    else:
        assert claims["rules"].state != "proven"


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_after_any_two_changes_each_proven_claim_is_true(game: str) -> None:
    """After any two changes of a record, all claims that are called proven are true.

    An independent check confirms the claims on chance, rules, moves and result.
    """
    rng = random.Random(f"claims {game}")
    honest = write_record(next(honest_records(find_game(game), rng)))
    proven: Counter[str] = Counter()
    for changes in itertools.permutations(CHANGES, 2):
        plain = json.loads(honest)
        for change in changes:
            change(plain, rng)
        try:
            record = parse_record(json.dumps(plain))
            claims = verify(record, Kept(key=SIGNER.public)).claims
        except SpelunkeError:
            continue
        known = {claim.claim for claim in claims if claim.state == "proven"}
        what = [change.__name__ for change in changes]
        assert not {"result", "moves"} & known or plain == json.loads(honest), what
        assert record.fairness is not None
        if "chance" in known:
            assert record.fairness.seed is not None
            seed = hashlib.sha256(bytes.fromhex(record.fairness.seed))
            assert seed.hexdigest() == record.fairness.commitment, what
        if "rules" in known:
            replay(record)
        proven.update(known)
    assert proven["chance"]
    assert proven["rules"]


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_result_is_detected(game: str) -> None:
    record = record_of(game, 1)
    assert record.result is not None
    assert record.result.scores is not None
    scores = (record.result.scores[0] + 1, *record.result.scores[1:])
    verdict = verify(replace(record, result=replace(record.result, scores=scores)))
    assert verdict.deviation is not None
    assert verdict.deviation.place == "result.scores"
    assert verdict.deviation.ply is None


def test_a_reader_can_recompute_chance_from_the_record_alone() -> None:
    """A reader can recompute chance as docs/records.md describes, from the record alone."""
    record = record_of(EXAMPLE, 4)
    assert record.fairness is not None
    assert record.fairness.seed is not None
    seed = bytes.fromhex(record.fairness.seed)
    assert hashlib.sha256(seed).hexdigest() == record.fairness.commitment
    context = "\n".join(["spelunke-chance-1", record.table, *record.fairness.nonces])
    k = 0
    for entry in record.plies:
        if entry.seat != -1:
            continue
        assert entry.share is not None
        low, high, total = entry.share.low, entry.share.high, entry.share.total
        attempt = 0
        while True:
            text = f"{context}\n{k}\n{attempt}".encode()
            number = int.from_bytes(hmac.new(seed, text, "sha256").digest()[:8], "big")
            if number < 2**64 - 2**64 % total:
                break
            attempt += 1
        assert low <= number % total < high
        k += 1
    assert k > 50


@pytest.mark.parametrize("nonce", ["a", "6", "x" * 64, "deadBEEF", "~!#", "0123456789abcdef" * 2])
def test_a_nonce_may_be_any_word(nonce: str) -> None:
    assert check_nonce(nonce) == nonce


def test_a_new_nonce_has_the_right_form_and_is_new() -> None:
    first, second = new_nonce(), new_nonce()
    assert check_nonce(first) == first != second


@pytest.mark.parametrize("nonce", ["", "two words", "x" * 65, "ä", "a\nb", "\x00", "tab\t"])
def test_a_nonce_of_the_wrong_form_is_refused(nonce: str) -> None:
    with pytest.raises(BadInput, match=r"^nonce: it must have 1 to 64"):
        check_nonce(nonce)


def test_seeds_are_new() -> None:
    assert len({new_seed() for _ in range(10)}) == 10
    seed = new_seed()
    assert commit(seed, ["a"]).seed is None
    assert re.fullmatch("[0-9a-f]{64}", commit(seed, ["a"]).commitment)
