"""``spelunke analyse``: its output as text, JSON, page and picture, and its refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema_rs
import msgspec
import pytest

from spelunke.analysis.analysis import MARKS, Alternative, Analysis, Decision, Moment, Total, Value
from spelunke.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs/examples/game.json"


@pytest.fixture
def analyse(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.setenv("COLUMNS", "140")

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["analyse", *arguments])
        found = capsys.readouterr()
        return code, found.out, found.err

    return call


@pytest.mark.deep
def test_analyse_writes_a_table_a_page_and_a_picture(
    analyse: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    page, picture = tmp_path / "game.html", tmp_path / "game.svg"
    code, out, err = analyse(str(EXAMPLE), "--html", str(page), "--svg", str(picture))
    assert (code, err) == (0, "")
    for name in (seat["name"] for seat in json.loads(EXAMPLE.read_bytes())["seats"]):
        assert name in out
        assert name in page.read_text(encoding="utf-8")
    assert "wins gained by luck" in out
    assert "Where luck mattered most:" in out
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert not re.search(r"(?:src|href)=\"(?!#)", text)
    for link in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{link}"' in text
    assert picture.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.deep
def test_json_follows_its_schema(analyse: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = analyse(str(EXAMPLE), "--json")
    assert code == 0
    schema = json.loads((ROOT / "docs/schemas/analysis.json").read_bytes())
    jsonschema_rs.validator_for(schema).validate(json.loads(out))


def secret_game() -> Analysis:
    """Return the analysis of a game with two decisions: a secret choice, and a bid that got few playouts."""

    def worth(chance: float, points: float, *, bounded: bool = False) -> Value:
        return Value(points, chance, False, 1.0, 0.002, rank=1.5, bounded=bounded)

    card = Decision(
        ply=22,
        seat=0,
        part=1,
        played="card 6",
        alternatives=(
            Alternative("card 2", worth(0.491, -0.8), 0.76),
            Alternative("card 5", worth(0.490, -0.9), 0.24),
            Alternative("card 6", worth(0.441, -4.7), 0.0),
        ),
        cost_points=3.9,
        cost_chance=0.05,
        forced=False,
        mark="mistake",
        cost_error=0.005,
        secret=True,
    )
    bid = Decision(
        ply=30,
        seat=1,
        part=2,
        played="bid grey 11",
        alternatives=(
            Alternative("pass", worth(0.62, 9.5)),
            Alternative("bid grey 11", worth(0.53, 2.5)),
            Alternative("bid red 8", worth(0.4, 0.0, bounded=True)),
        ),
        cost_points=7.0,
        cost_chance=0.09,
        forced=False,
        mark="mistake",
        cost_error=0.006,
    )
    nothing = dict.fromkeys((name for name, _least in MARKS), 0)
    total = Total(0, 1, 0, nothing, 3.9, 0.05, 0.0, 0.0, None, None, None, None)
    return Analysis(
        game="halunken",
        rules=1,
        table="abc",
        seats=("Anna", "Bert"),
        method="Guessed, for a test.",
        thresholds=dict(MARKS),
        decisions=(card, bid),
        luck=(),
        curve=tuple(Moment(ply, 1, (0.0, 0.0), (0.5, 0.5)) for ply in (0, 40)),
        turning_points=(),
        totals=(total, total),
    )


@pytest.mark.parametrize("everything", [(), ("--all",)])
def test_a_mixture_has_a_separate_column_and_the_table_fits_80_characters(
    analyse: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, everything: tuple[str, ...]
) -> None:
    monkeypatch.setattr("spelunke.solvers.analysis.analyse", lambda *_given: secret_game())
    code, out, err = analyse(str(EXAMPLE), *everything)
    assert (code, err) == (0, "")
    table = out[out.index("moves") :].split("in 100: ")[0]
    assert all(len(line) <= 80 for line in table.splitlines())
    lines = {line[: line.index(" %")].strip(): line.split() for line in table.splitlines() if " %" in line}
    heads = {head: cells for head, cells in lines.items() if "card" in head}
    assert [cells[-3:] for cells in heads.values()] == [
        ["-4.7", "0", "mistake"],
        ["5.0", "%", "±0.5"],
        ["%", "-0.9", "24"],
    ]
    assert "76" in next(line for line in table.splitlines() if "card 2" in line).split()
    assert "out of 100" in out
    assert "at most 40.0 %" in out or not everything


def test_games_without_secret_choices_have_no_mixture_column(
    analyse: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = secret_game()
    open_game = msgspec.structs.replace(found, decisions=found.decisions[1:])
    monkeypatch.setattr("spelunke.solvers.analysis.analyse", lambda *_given: open_game)
    _code, out, _err = analyse(str(EXAMPLE))
    assert "moves" in out
    assert "in 100" not in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("{", "it ends in the middle"),
        ('{"format": "spelunke-record-1"}', "it lacks the field"),
    ],
)
def test_an_invalid_record_is_refused(
    analyse: Callable[..., tuple[int, str, str]], tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "game.json"
    file.write_text(text, encoding="utf-8")
    code, out, err = analyse(str(file))
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_files_that_cannot_be_written_are_reported_before_the_analysis(
    analyse: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    code, out, err = analyse(str(EXAMPLE), "--html", str(tmp_path / "nowhere/game.html"))
    assert (code, out) == (2, "")
    assert "can't be written" in err
    code, out, err = analyse(str(EXAMPLE), "--html", str(tmp_path / "a"), "--svg", str(tmp_path / "a"))
    assert (code, out) == (2, "")
    assert "two different files" in err
