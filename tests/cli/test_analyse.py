"""``spelunke analyse``: table, JSON by its schema, page and picture, refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest

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


def test_table_page_and_picture(analyse: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    page, picture = tmp_path / "game.html", tmp_path / "game.svg"
    code, out, err = analyse(str(EXAMPLE), "--html", str(page), "--svg", str(picture))
    assert (code, err) == (0, "")
    for name in (seat["name"] for seat in json.loads(EXAMPLE.read_bytes())["seats"]):
        assert name in out
        assert name in page.read_text(encoding="utf-8")
    assert "luck, points" in out
    assert "Where luck mattered most:" in out
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert not re.search(r"(?:src|href)=\"(?!#)", text)
    for link in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{link}"' in text
    assert picture.read_text(encoding="utf-8").startswith("<svg ")


def test_json_follows_its_schema(analyse: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = analyse(str(EXAMPLE), "--json")
    assert code == 0
    schema = json.loads((ROOT / "docs/schemas/analysis.json").read_bytes())
    jsonschema_rs.validator_for(schema).validate(json.loads(out))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("{", "it ends in the middle"),
        ('{"format": "spelunke-record-1"}', "it lacks the field"),
    ],
)
def test_what_is_no_record_is_refused(
    analyse: Callable[..., tuple[int, str, str]], tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "game.json"
    file.write_text(text, encoding="utf-8")
    code, out, err = analyse(str(file))
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_files_that_can_not_be_written_are_told_before_the_work(
    analyse: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    code, out, err = analyse(str(EXAMPLE), "--html", str(tmp_path / "nowhere/game.html"))
    assert (code, out) == (2, "")
    assert "can't be written" in err
    code, out, err = analyse(str(EXAMPLE), "--html", str(tmp_path / "a"), "--svg", str(tmp_path / "a"))
    assert (code, out) == (2, "")
    assert "files of their own" in err
