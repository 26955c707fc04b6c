"""Kernels: the files that their machine code depends on, and the switch from plain to compiled ones during a game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spelunke.core.sources import cache_folder, sources
from spelunke.games import shelf

SWITCHED = """
import json, random, sys
from spelunke.core.kernel import postpone, switch
postpone()
from spelunke.games.match import Match
from spelunke.games import find_game

def play(game, switch_at):
    match, chosen = Match(game), random.Random(5)
    while not match.over and match.ply < 300:
        if match.ply == switch_at:
            switch(game.package)
        if match.chance:
            match.land(chosen.choice([chance for chance, weight in match.chances()]))
        else:
            seat = min(match.actors)
            match.act(seat, chosen.choice(match.legal(seat)))
    return match.state.tobytes().hex()

game = find_game(sys.argv[1])
plain = play(game, -1)
early = "numba" in sys.modules, type(game.rules.play).__name__
changed = play(game, 20)
print(json.dumps([early, type(game.rules.play).__name__, plain == changed == play(game, -1)]))
"""

WARMED = """
import json, threading
from spelunke.core.kernel import postpone
postpone()
from spelunke.bots.warming import Warming
from spelunke.games import shelf

games = sorted(shelf().values(), key=lambda game: game.minutes)[:2]
done, both = [], threading.Event()
def then(game):
    done.append((game.name, type(game.rules.play).__name__))
    if len(done) == 2:
        both.set()
warming = Warming(games, then)
warming.hurry(games[1])
warming.start()
both.wait(500)
warming.stop()
print(json.dumps([[game.name for game in games], done]))
"""


VECTOR = """
import json, sys
from spelunke.adapters.gymnasium import SpelunkeVector
tables = SpelunkeVector(sys.argv[1], 3)
tables.reset(seed=1)
print(json.dumps(tables.step(tables.choose())[0]["action_mask"].sum(axis=1).tolist()))
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def run(script: str, *arguments: str, **environment: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, "SPELUNKE_JIT": "1", **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return json.loads(done.stdout)


def test_a_kernel_depends_on_all_modules_that_the_rules_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        tmp_path / "quayside",
        {
            "__init__.py": "raise RuntimeError('looking for files runs nothing')",
            "rules.py": "import os, quayside.ropes\nfrom quayside.crew import (\n    hire,\n)\nfrom .deck import x",
            "ropes.py": "",
            "crew.py": "from spelunke.core.chance import below\nfrom quayside import names",
            "names.py": "",
            "deck/__init__.py": "from . import cards",
            "deck/cards.py": "",
            "page.py": "from quayside import rules",
        },
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = {file.relative_to(tmp_path) for file in sources(("quayside.rules",)) if tmp_path in file.parents}
    wanted = (
        "rules.py",
        "ropes.py",
        "crew.py",
        "names.py",
        "deck/__init__.py",
        "deck/cards.py",
        "__init__.py",
    )
    assert found == {Path("quayside", name) for name in wanted}
    assert any(file.name == "chance.py" for file in sources(("quayside.rules",)))
    with pytest.raises(ModuleNotFoundError):
        sources(("quayside.sails",))


def test_only_a_change_of_callable_code_compiles_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPELUNKE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    folders = []
    files = {
        "rules.py": "from lagoon import crew",
        "crew.py": "",
        "events.py": "from lagoon import rules",
        "__init__.py": "",
    }
    write(tmp_path / "lagoon", files)
    for name, text in (("rules.py", files["rules.py"]), ("events.py", "SAID = 1"), ("crew.py", "WORTH = 2")):
        write(tmp_path / "lagoon", {name: text})
        cache_folder.cache_clear()
        folders.append(cache_folder(("lagoon.rules",)))
    cache_folder.cache_clear()
    assert folders[0] == folders[1] != folders[2]


@pytest.mark.sampled
@pytest.mark.parametrize("game", list(shelf()))
def test_compiled_rules_take_over_in_mid_game(game: str) -> None:
    (loaded, before), after, same = run(SWITCHED, game)
    assert (loaded, before) == (False, "function"), "nothing is compiled before the switch"
    assert after == "CPUDispatcher"
    assert same, "the same game, whichever runs"


@pytest.mark.deep
def test_an_opened_game_is_compiled_before_the_other_games() -> None:
    (quick, slow), done = run(WARMED)
    assert done == [[slow, "CPUDispatcher"], [quick, "CPUDispatcher"]]


@pytest.mark.deep
@pytest.mark.parametrize("game", list(shelf()))
def test_vector_kernels_compile_with_an_empty_cache(game: str, tmp_path: Path) -> None:
    assert min(run(VECTOR, game, SPELUNKE_CACHE=str(tmp_path))) > 0
