"""The benchmark programs: their refusals, their errors, and the choice of stored games that they use again."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from spelunke.games import find_game

BENCH = Path(__file__).resolve().parent.parent / "bench"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the benchmarks. `strength` writes its results into a temporary file of the test."""
    monkeypatch.syspath_prepend(str(BENCH))
    import strength

    monkeypatch.setattr(strength, "FILE", tmp_path / "strength.md")
    return BENCH


def program(name: str) -> ModuleType:
    return __import__(name)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("strength duel answer:to=nobody shipsboy --game halunken", "no level 'nobody'"),
        ("strength duel nobody shipsboy --game halunken", "no level 'nobody'"),
        ("strength duel shipsboy mate --game whist", "whist"),
        ("strength duel shipsboy mate --game halunken --seats 9", "9"),
        ("strength duel shipsboy mate --game halunken --rounds 1", "--rounds"),
        ("strength duel shipsboy mate --game halunken --file .", "--file"),
        ("strength ladder --game halunken --keep FILE", "--keep"),
        ("strength ladder --game halunken --keep FILE/inside", "can't be a folder"),
        ("hands --curve FILE", "--curve"),
        ("hands --curve FILE/inside", "can't be a folder"),
        ("hands --rounds 1", "--rounds"),
        ("searches calibration shanghaien --level quick", "no quick players in kernels"),
        ("searches calibration halunken --level nobody", "no level 'nobody'"),
        ("searches calibration halunken --games 0", "--games"),
        ("searches calibration whist", "whist"),
        ("searches calibration halunken --option mode", "NAME=VALUE"),
        ("searches curve --keep FILE", "--keep"),
    ],
)
def test_bad_options_are_refused_in_a_sentence_and_nothing_is_written(
    given: str,
    said: str,
    bench: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("mine", encoding="utf-8")
    name, *rest = given.split()
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *rest])
    with pytest.raises(SystemExit) as ended:
        program("commands").run_app(program(name).APP)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["FILE"]


def test_positions_of_one_game_are_not_counted_as_many(bench: Path) -> None:
    doubt_of = program("searches").doubt_of
    rng = np.random.default_rng(3)
    won = (rng.random(400) < 0.3).astype(np.float64)
    alone = doubt_of(won, np.arange(400.0))
    assert alone == pytest.approx(2 * won.std(ddof=1) / 20)
    # Twenty positions of each game, which share its outcome, give no more information than one of them.
    assert doubt_of(np.repeat(won, 20), np.repeat(np.arange(400.0), 20)) == pytest.approx(alone)
    # Games may have any number of positions. This is how much means of such samples really differ.
    found = []
    for _ in range(400):
        ends, sizes = rng.random(150) < 0.3, 1 + rng.integers(0, 12, 150)
        games = np.repeat(np.arange(150.0), sizes)
        values = np.repeat(ends, sizes).astype(np.float64)
        found.append((values.mean(), doubt_of(values, games)))
    means, doubts = np.array(found).T
    assert doubts.mean() == pytest.approx(2 * means.std(), rel=0.12)
    assert (abs(means - 0.3) < doubts).mean() > 0.9


def test_a_changed_level_uses_other_stored_games_of_the_ladder(
    bench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strength, game = program("strength"), find_game("sanghai")

    def names() -> list[str]:
        pairs = (("uncle", "cousin"), ("grandmother", "uncle"))
        return [strength.games_of(game, *pair, 4) for pair in pairs]

    before = names()
    assert names() == before
    assert before[0].startswith("sanghai-uncle-cousin-4-")
    with monkeypatch.context() as changed:
        changed.setitem(game.levels["cousin"], "slips", 0.1)
        after = names()
    assert after[0] != before[0]
    assert after[1] == before[1]
    (tmp_path / "hands.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(strength, "learned_files", lambda game: [tmp_path / "hands.json"])
    assert not set(names()) & set(before)


def test_the_files_with_learned_weights_of_each_game_are_found(bench: Path) -> None:
    found = {
        name: {file.name for file in program("strength").learned_files(find_game(name))}
        for name in ("shanghaien", "halunken", "sanghai")
    }
    assert found == {
        "shanghaien": {"crews.json", "crews.npz"},
        "halunken": {"weights.py"},
        "sanghai": {"hands.json"},
    }


def test_the_learning_curve_changes_only_the_hands(
    bench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = program("hands")
    fitted: list[tuple[np.ndarray, int]] = []
    kinds = 5

    def gather(parts: int, seed: int, folder: Path, after: object, size: int) -> tuple[list, list]:
        rng = np.random.default_rng(seed)
        rows = [rng.normal(size=(size, 41)).astype(np.float32) for _ in range(parts)]
        for kind, part in enumerate(rows):
            part[:, 16] = kind
        return rows, [20 * part[:, 0] for part in rows]

    def fit(x: np.ndarray, y: np.ndarray, steps: int, seed: int) -> tuple[np.ndarray, float]:
        fitted.append((x, steps))
        return np.zeros((1, 43)), float(y.mean())

    monkeypatch.setattr(hands, "gather", gather)
    monkeypatch.setattr(hands, "fit", fit)
    monkeypatch.setattr(hands, "put", lambda title, lines: told.extend(lines))
    told: list[str] = []
    hands.draw_curve(tmp_path, 1, kinds, 1000)
    assert [len(x) for x, _ in fitted] == [166, 500, 1500, 4500]
    assert len({steps for _, steps in fitted}) == 1
    for x, _ in fitted:
        assert set(x[:, 16]) == set(range(kinds))
    assert [line.split("|")[1].strip() for line in told[2:7]][1:] == ["166", "500", "1,500", "4,500"]
    assert "500 hands, which differ" in " ".join(told)


@pytest.mark.parametrize("name", ["devices", "wasm"])
def test_missing_modules_are_named_with_the_command_that_makes_them(
    name: str,
    bench: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--modules", str(tmp_path), "--dry"])
    with pytest.raises(SystemExit) as ended:
        program(name).main()
    assert ended.value.code == 2
    assert ".wasm is missing: run “make wasm”" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("title", "extra", "mean", "asked", "fault"),
    [
        ("a pass that nobody hears", 0.0, 0.0, "a look of a spectator", ""),
        ("a pass that nobody hears", 0.0, 0.02, "a look of a spectator", "the times differ"),
        ("a pass that nobody hears", 0.0, -0.02, "a move of another seat", "the times differ"),
        ("nothing", 0.0, 0.02, "a look of a spectator", "the times differ"),
        ("longer", 0.03, 0.03, "a look of a spectator", ""),
        ("longer", 0.03, 0.0, "a look of a spectator", "the times should have differed"),
        ("longer", 0.03, 0.0, "a move of another seat", ""),
    ],
)
def test_times_that_differ_and_controls_that_fail_make_the_program_fail(
    title: str, extra: float, mean: float, asked: str, fault: str, bench: Path
) -> None:
    hidden_times = program("hidden_times")
    case = hidden_times.Case("sanghai", title, extra=extra)
    logs = np.random.default_rng(2).normal(mean, 0.01, 60).tolist()
    said = f"sanghai, {title}, {asked}: {fault}"
    assert hidden_times.judge({case: {asked: logs}}) == ([said] if fault else [])
