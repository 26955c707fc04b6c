"""Records of format 2: any single change is named, and a link (hash) that a player kept exposes a complete forgery."""

from __future__ import annotations

import copy
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from spelunke.core.errors import BadInput, BadRecord, SpelunkeError
from spelunke.games import find_game
from spelunke.records.chain import nonce_commitment, write_head
from spelunke.records.claims import Kept, KeptLink
from spelunke.records.evidence import Links
from spelunke.records.fairness import verify
from spelunke.records.kept import read_link
from spelunke.records.proof import Given
from spelunke.records.record import Record, parse_record, write_record
from spelunke.records.replay import replay
from spelunke.records.sealing import is_sealed, lines_in, plies_before, sign
from spelunke.records.signing import Signer, new_signing_key, words_of

sys.path.insert(0, str(Path(__file__).parent))
from random_games import EXAMPLE, GAMES, SIGNER, record_of, sealed_of

replace: Any = msgspec.structs.replace
KNOWN = Kept(key=SIGNER.public)
"""The knowledge of a reader who has seen the page of the house."""
SHORT = 24
"""The number of plies that is enough if a game need not be whole."""


def claims(record: Record, kept: Kept | None = None) -> dict[str, Any]:
    return {claim.claim: claim for claim in verify(record, kept).claims}


def states(record: Record, kept: Kept | None = None) -> dict[str, str]:
    return {name: claim.state for name, claim in claims(record, kept).items()}


@pytest.mark.parametrize("game", GAMES)
def test_a_record_of_a_house_proves_moves_and_result(game: str) -> None:
    record = sealed_of(game, 1, SHORT)
    data = write_record(record)
    assert parse_record(data) == record
    assert write_record(parse_record(data)) == data
    assert verify(record, KNOWN).verdict == "fair"
    assert verify(record).verdict == "unproven", "anybody can sign with a key of their own"
    assert set(states(record, KNOWN).values()) == {"proven"}


@pytest.mark.parametrize("game", GAMES)
def test_a_record_signed_with_an_unknown_key_is_not_proven(game: str) -> None:
    record = sign(sealed_of(game, 1, SHORT), Signer(new_signing_key()))
    found = states(record)
    assert {name for name, state in found.items() if state == "proven"} == {"chance", "rules"}
    assert set(found.values()) == {"proven", "not proven"}
    assert verify(record).verdict == "unproven"
    assert "a key of their own" in claims(record)["result"].text
    assert states(record, KNOWN)["kept"] == "not proven"
    assert "from another server, or forged" in claims(record, KNOWN)["kept"].text
    assert verify(record, KNOWN).verdict == "unproven"


@pytest.mark.parametrize("game", GAMES)
def test_only_a_signature_proves_how_nonces_were_given(game: str) -> None:
    record = unsigned(sealed_of(game, 1, SHORT))
    assert "sent" not in {given.how for given in record.proof.nonces}  # type: ignore[union-attr]
    assert states(record)["nonces"] == "not proven"
    assert "no server signed" in claims(record)["nonces"].text


def test_a_whole_game_is_proven() -> None:
    assert verify(sealed_of(EXAMPLE, 2), KNOWN).verdict == "fair"
    assert states(sealed_of(EXAMPLE, 2), KNOWN)["moves"] == "proven"


@pytest.mark.parametrize("game", GAMES)
def test_an_old_record_says_what_it_does_not_prove(game: str) -> None:
    record = record_of(game, 1, SHORT)
    assert verify(record).verdict == "unproven"
    assert record.fairness is not None
    verdict = verify(record, Kept(commitment=record.fairness.commitment))
    assert verdict.verdict == "fair"
    assert "Not proven: moves and result" in verdict.text
    found = states(record_of(game, 1, SHORT), Kept(links=(KeptLink(link="0" * 64),)))
    assert {name for name, state in found.items() if state == "proven"} == {"chance", "rules"}


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all values in a JSON document."""
    if isinstance(value, dict | list) and value:
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*way, name))
    else:
        yield way


def other(value: Any) -> Any:
    """Return a different value: a text for a text, and a number for a number."""
    if isinstance(value, str):
        return value[:-1] + ("1" if value[-1:] != "1" else "2")
    if isinstance(value, bool) or value is None:
        return "other"
    return value + 1 if isinstance(value, int) else ["x"]


def parsed(plain: Any) -> Record | None:
    """Return the record, or None if its form is refused with a reason."""
    try:
        return parse_record(json.dumps(plain))
    except SpelunkeError as error:
        refusal = error
    assert str(refusal)
    return None


@pytest.mark.parametrize(
    ("game", "every"),
    [(game, 9) for game in GAMES] + [pytest.param(game, 1, marks=pytest.mark.deep) for game in GAMES],
)
def test_each_single_change_of_a_record_is_named(game: str, every: int) -> None:
    plain = json.loads(write_record(sealed_of(game, 3, SHORT)))
    for way in list(leaves(plain))[::every]:
        changed = copy.deepcopy(plain)
        here = changed
        for name in way[:-1]:
            here = here[name]
        here[way[-1]] = other(here[way[-1]])
        record = parsed(changed)
        if record is None:
            continue
        verdict = verify(record)
        assert verdict.verdict == "altered", way
        assert verdict.deviation is not None
        assert "contradicted" in states(record).values()
        if way[0] == "plies" and len(way) == 3:
            assert verdict.deviation.ply == way[1], way


def unsigned(record: Record) -> Record:
    """Return the record without its signature, as a forger without the house's key would pass it on."""
    return replace(record, proof=replace(record.proof, key=None, signature=None))  # type: ignore[no-any-return]


@pytest.mark.parametrize("game", GAMES)
def test_the_chain_alone_finds_a_changed_row(game: str) -> None:
    record = unsigned(sealed_of(game, 3, SHORT))
    assert states(record)["moves"] == "not proven"
    assert states(record)["result"] == "not proven"
    later = [replace(one, ms=one.ms + 5) for one in record.plies[17:]]
    slower = replace(record, plies=(*record.plies[:17], *later))
    assert verify(slower).deviation.ply == 17  # type: ignore[union-attr]
    assert record.proof is not None
    note = record.proof.notes[0]
    for notes in (record.proof.notes[1:], (replace(note, seat=0), *record.proof.notes[1:])):
        changed = replace(record, proof=replace(record.proof, notes=notes))
        if len(notes) == len(record.proof.notes):
            assert verify(changed).deviation.ply == plies_before(record, note.row)  # type: ignore[union-attr]
        else:
            with pytest.raises(SpelunkeError):  # the rows of the others don't follow
                parse_record(write_record(replace(changed, plies=record.plies[:2])))
    bots = replace(record, proof=replace(record.proof, bots={}))
    found = verify(bots).deviation
    first = next((n for n, one in enumerate(record.plies) if one.seat == 0), None)
    assert (found.ply if found else None) == first
    assert found is None or "its player was changed" in found.reason


def test_a_shortened_game_is_detected() -> None:
    whole = sealed_of(EXAMPLE, 1)
    assert whole.result is not None
    assert whole.proof is not None
    cut = len(whole.plies) - 40
    result = replace(whole.result, reason="resigned", scores=None, ranks=(1, 2), seat=1, ply=cut)
    row = next(line.number for line in lines_in(whole) if plies_before(whole, line.number) == cut)
    note = msgspec.convert([row, 1, "!resign", whole.plies[cut - 1].ms], type(whole.proof.notes[0]))
    proof = replace(whole.proof, notes=(*whole.proof.notes, note), bots={})
    for notes in (proof, whole.proof):
        forged = replace(whole, plies=whole.plies[:cut], result=result, proof=notes)
        found = verify(unsigned(forged))
        assert found.verdict == "altered"
        assert found.deviation is not None
        assert found.deviation.ply is not None
        assert found.deviation.ply <= cut


def test_a_changed_reason_or_loser_contradicts_the_log() -> None:
    record = unsigned(sealed_of(EXAMPLE, 1, SHORT))
    assert record.result is not None
    for fields in ({"seat": 0, "ranks": (2, 1)}, {"reason": "agreed", "seat": None, "ranks": (1, 1)}):
        found = verify(replace(record, result=replace(record.result, **fields)))
        assert found.deviation is not None
        assert found.deviation.place in {"result.seat", "result.reason"}
        assert found.deviation.ply == SHORT


def test_a_changed_nonce_or_start_is_detected() -> None:
    record = unsigned(sealed_of(EXAMPLE, 1, SHORT))
    assert record.proof is not None
    started = replace(record, proof=replace(record.proof, started=record.proof.started + 1))
    assert "was made for another table" in verify(started).text
    for given in (Given(None, "none"), Given(nonce_commitment("another"), "committed"), Given(None, "sent")):
        nonces = (*record.proof.nonces[:-1], given)
        found = verify(replace(record, proof=replace(record.proof, nonces=nonces)))
        assert found.deviation is not None
        assert found.deviation.place == "fairness.nonces[1]"


def test_doubtful_nonces_are_reported() -> None:
    record = unsigned(sealed_of("sanghai", 1, SHORT))
    assert record.proof is not None
    given = record.proof.nonces
    sent = replace(given[1], how="sent")
    assert (
        "sent without an earlier commitment"
        in claims(replace(record, proof=replace(record.proof, nonces=(given[0], sent, *given[2:]))))[
            "nonces"
        ].text
    )
    fairness = replace(record.fairness, nonces=("", "", *record.fairness.nonces[2:]))  # type: ignore[union-attr]
    unopened = replace(record.proof, nonces=(given[0], replace(given[1], how="unopened"), *given[2:]))
    assert (
        "choose between two deals"
        in claims(replace(record, fairness=fairness, proof=unopened))["nonces"].text
    )


# --- kept evidence


def test_a_nonce_alone_proves_nothing() -> None:
    """Kept nonces prove nothing: a forger can copy them from the honest record, and choose another seed for them."""
    record = sign(sealed_of("shanghaien", 1, SHORT), Signer(new_signing_key()))
    assert record.fairness is not None
    nonces = dict(enumerate(record.fairness.nonces))
    assert states(record, Kept(nonces=nonces))["kept"] == "not proven"
    assert "every reader of the record" in claims(record, Kept(nonces=nonces))["kept"].text
    assert verify(record, Kept(nonces=nonces)).verdict == "unproven"
    with_commitment = Kept(nonces=nonces, commitment=record.fairness.commitment)
    assert verify(record, with_commitment).verdict == "fair"
    other = Kept(nonces={0: "another nonce"})
    assert states(record, other)["kept"] == "contradicted"


def links_of(record: Record) -> Links:
    return Links(record, find_game(record.game), replay(record))


@pytest.mark.parametrize("game", GAMES)
def test_a_link_that_a_player_kept_exposes_a_forged_game(game: str) -> None:
    """If the house chains and signs a forged game with the same seed, a kept link of the true game contradicts it."""
    record, forged = sealed_of(game, 1, SHORT), sealed_of(game, 1, SHORT + 6)
    seen = len(links_of(record).of(1)) - 1
    row, link = links_of(record).of(1)[seen]
    for text in (link.hex(), words_of(link)):
        kept = Kept(links=(KeptLink(link=text),), key=SIGNER.public)
        assert states(record, kept)["kept"] == "proven"
        assert "the page of Anna 1 showed this link at step" in claims(record, kept)["kept"].text
        assert verify(forged, KNOWN).verdict == "fair"
        assert states(forged, kept)["kept"] == "contradicted"
    assert row == len(lines_in(record))  # the last row is a note that everybody sees
    told = KeptLink(link=link.hex(), seen=seen, viewer=1)
    found = verify(forged, Kept(links=(told,))).deviation
    assert found is not None
    assert found.ply is not None
    assert found.ply >= SHORT


def test_a_signed_link_is_evidence_against_the_house() -> None:
    record, forged = sealed_of(EXAMPLE, 1, SHORT), sealed_of(EXAMPLE, 1, SHORT + 6)
    assert record.proof is not None
    head = record.proof.heads[2]
    signature = SIGNER.sign(write_head(record.table, head.viewer, head.seen, head.link))
    copied = {
        "table": record.table,
        "viewer": 1,
        "seen": head.seen,
        "link": head.link,
        "words": "six of them",
    }
    copied |= {"key": SIGNER.public, "signature": signature}
    kept = Kept(links=(read_link(f"My link: {json.dumps(copied)}"),))
    assert "which the server signed" in claims(record, kept)["kept"].text
    assert (
        f"the server signed this hash-chain link with the key {SIGNER.public}"
        in claims(forged, kept)["kept"].text
    )
    copied["signature"] = "0" * 128
    assert states(record, Kept(links=(read_link(json.dumps(copied)),)))["kept"] == "contradicted"
    copied["table"] = "table2"
    assert states(record, Kept(links=(read_link(json.dumps(copied)),)))["kept"] == "contradicted"


def test_the_key_of_another_house_does_not_prove_a_record() -> None:
    record = sign(sealed_of(EXAMPLE, 1, SHORT), Signer(new_signing_key()))
    assert is_sealed(record)
    assert verify(record).verdict == "unproven"
    assert verify(record, Kept(key=record.proof.key)).verdict == "fair"  # type: ignore[union-attr]
    assert verify(record, KNOWN).verdict == "unproven", "it may well be honest"


def test_a_key_without_a_signature_is_refused() -> None:
    record = unsigned(sealed_of(EXAMPLE, 1, SHORT))
    with pytest.raises(BadRecord, match="a signature needs a key"):
        verify(replace(record, proof=replace(record.proof, key=SIGNER.public)), KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "apple",
        "zoo " * 6 + "zoo",
        "a b c d e f",
        "12=",
        "g" * 64,
        "{}",
        '{"table": "x"}',
        "{" * 3000,
        "²=x",
        "9999999=" + "0" * 64,
    ],
)
def test_invalid_links_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"link: "):
        read_link(text)


def test_the_words_of_a_link_encode_66_bits() -> None:
    rng = random.Random(1)
    links = [rng.randbytes(32) for _ in range(50)]
    assert len({words_of(link) for link in links}) == 50
    for link in links:
        assert read_link("  " + words_of(link).upper() + " ").link == words_of(link)
        assert read_link(words_of(link).title().replace(" ", ",\n") + ".").link == words_of(link)
        near = bytes([*link[:8], link[8] ^ 0x40, *link[9:]])
        assert words_of(near) != words_of(link)
        assert words_of(bytes([*link[:8], link[8] ^ 0x20, *link[9:]])) == words_of(link)


# --- old records stay readable for ever

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_the_format_1_record_in_the_docs_verifies_as_in_earlier_versions() -> None:
    record = parse_record((EXAMPLES / "game.json").read_bytes())
    assert record.format == "spelunke-record-1"
    assert states(record) == {
        "chance": "proven",
        "nonces": "not proven",
        "rules": "proven",
        "moves": "not proven",
        "result": "not proven",
        "kept": "not proven",
    }


def test_the_format_2_record_in_the_docs_keeps_the_same_links() -> None:
    data = (EXAMPLES / "proven.json").read_bytes()
    record = parse_record(data)
    assert write_record(record) == data
    kept = Kept(links=(read_link(WORDS),), key=SIGNER.public)
    assert {name for name, state in states(record, kept).items() if state == "proven"} == set(states(record))


WORDS = "globe broom elephant year until yard"
"""The last link of seat 1, as its page showed it."""
