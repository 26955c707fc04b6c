"""Mutated input for every interface causes no unexpected error, and refused input changes nothing. See `fuzzing`."""

from __future__ import annotations

import random

import pytest

from fuzzing.find import Find
from fuzzing.games import CORPUS, Moves
from fuzzing.hunt import faces, fell, hunt, make_small

SHORT = 120
LONG = 40_000
PARTS = 4  # they run in parallel


def test_a_hundred_inputs_cause_no_unexpected_error() -> None:
    with faces() as opened:
        found = hunt(opened, SHORT, 7)
    assert not found.finds, found.tell()
    assert all(found.inputs[face.name] for face in opened)


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize("part", range(PARTS))
def test_many_inputs_cause_no_unexpected_error(part: int) -> None:
    with faces() as opened:
        found = hunt(opened, LONG // PARTS, 100 + part)
    print(found.tell())
    assert not found.finds, found.tell()
    assert found.inputs.total() > LONG // PARTS * 0.99


def test_inputs_that_once_failed_cause_no_unexpected_error() -> None:
    asked = 0
    with faces() as opened:
        for face in opened:
            for file in sorted((CORPUS / face.name).glob("*")):
                data = file.read_bytes()
                inputs = [data] if face.name != "moves" else [b"%d %s" % (k, data) for k in range(24)]
                for one in inputs:
                    assert not fell(face, one), file
                    asked += 1
    assert asked > 10


def test_the_same_seed_makes_the_same_inputs() -> None:
    first, again, other = (
        [face.take(rng) for _ in range(20)]
        for face, rng in ((Moves(), random.Random(seed)) for seed in (1, 1, 2))
    )
    assert first == again
    assert first != other


def test_the_fuzzer_finds_a_bug_and_minimises_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer itself works: it finds an input with a word at which a parser fails, and cuts it to that word."""
    from spelunke.records import position

    apply = position.apply

    def break_at(match: object, texts: str) -> None:
        if "hep" in texts:
            raise ValueError("a mistake")
        apply(match, texts)  # type: ignore[arg-type]

    monkeypatch.setattr(position, "apply", break_at)
    with faces(["moves"]) as opened:
        (face,) = opened
        found = fell(face, b"9 what a heppy day")
        assert isinstance(found, Find)
        assert "ValueError" in found.kind
        assert make_small(face, b"9 what a heppy day", found.kind).endswith(b"hep")
        assert hunt(opened, 400, 1).finds
