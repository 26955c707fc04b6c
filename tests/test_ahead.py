"""Libraries of rules compiled ahead of time: they play like the Python rules, and need no Numba.

A library is not used if the rules have changed since.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from compiling import library_folder, make_library, sizes, smallest
from spelunke.ahead.build import build_front
from spelunke.ahead.link import NoCompiler
from spelunke.ahead.targets import TARGETS
from spelunke.core.native import FRONT
from spelunke.games import find_game, shelf

TESTS = Path(__file__).parent
NO_NUMBA = "import sys; sys.modules.update(numba=None, llvmlite=None)\n"
TWIN = NO_NUMBA + "import runpy; sys.argv[0] = 'twin.py'; runpy.run_module('twin', run_name='__main__')"
FOUND = """
import json, sys
from spelunke import Match, find_game
match = Match(find_game(sys.argv[1]))
while match.chance:
    match.apply_chance(match.chances()[0][0])
step = match._step
print(json.dumps([type(step).__name__, "numba" in sys.modules, len(match.legal(match.actors[0]))]))
"""
CHECKED = """
import ctypes, json, random, sys
library, name = ctypes.CDLL(sys.argv[1]), sys.argv[2]
size, actions, outcomes, setup = (int(one) for one in sys.argv[3:])
do = {one: getattr(library, f"spelunke_{name}_{one}") for one in (
    "start", "actors", "legal", "play", "chances", "apply_chance", "usual", "result")}
for function in do.values():
    function.restype = ctypes.c_int64
do["usual"].restype = ctypes.c_void_p
chosen, refused, ended = random.Random(4), 0, 0
state = (ctypes.c_char * size)()
out, weights = (ctypes.c_int16 * actions)(), (ctypes.c_int16 * outcomes)()
fates = (ctypes.c_int16 * outcomes)()
number = ctypes.c_int64
do["start"](state, ctypes.c_void_p(do["usual"]()))
for _ in range(3000):
    before = state.raw
    for wrong in (-1, actions, 2**40, -2**63, chosen.randrange(actions)):
        for seat in (-1, 0, 1, 99, 2**40):
            listed = out[:do["legal"](state, number(seat), out)]
            if wrong in listed:
                continue
            if do["play"](state, number(seat), number(wrong)) < 0:
                refused += 1
                assert state.raw == before
            before = state.raw  # else it changed what it had sealed
        if do["apply_chance"](state, number(wrong)) < 0:
            assert state.raw == before
        else:
            before = state.raw
    who = do["actors"](state)
    if who == -4:
        ended += 1
        assert do["result"](state, out, weights) == 0
        do["start"](state, ctypes.c_void_p(do["usual"]()))
    elif who == -1:
        count = do["chances"](state, fates, weights)
        assert do["apply_chance"](state, number(fates[chosen.randrange(count)])) == 0
    else:
        seat = (who & -who).bit_length() - 1
        count = do["legal"](state, number(seat), out)
        assert do["play"](state, number(seat), number(out[chosen.randrange(count)])) == 0
print(json.dumps([refused > 1000, do["result"](state, out, weights) in (0, -12)]))
"""


SIZES = sizes()
GAMES = [
    pytest.param(game, marks=() if game == smallest() else pytest.mark.deep)
    for game in sorted(SIZES, key=SIZES.__getitem__)[:-1]
]
"""All games but the largest, whose games, golden games and perft tables the test of thousands compares."""


@functools.cache
def libraries(game: str) -> Path:
    """Return a folder with the compiled library of this game, and maybe with those of other games."""
    place = library_folder()
    try:
        make_library(game, place)
    except NoCompiler as error:
        pytest.skip(str(error))
    return place


def run(
    script: str, *arguments: str, native: Path | str, **environment: str
) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "SPELUNKE_JIT": "1",
        "NUMBA_BOUNDSCHECK": "0",
        "SPELUNKE_NATIVE": str(native),
        **environment,
    }
    env["PYTHONPATH"] = os.pathsep.join([str(TESTS), env.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], env=env, capture_output=True, text=True, check=False
    )


def answer(script: str, *arguments: str, native: Path | str, **environment: str) -> tuple[list[object], str]:
    done = run(script, *arguments, native=native, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("nosuch", "--wasm"), "there is no game 'nosuch'"),
        ((smallest(), "--platform", "win-amd64"), "no tool dlltool"),
    ],
)
def test_a_failed_compilation_is_reported_without_a_traceback(
    tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    broken = tmp_path / "ziglang"
    broken.mkdir()
    (broken / "__init__.py").touch()
    (broken / "__main__.py").write_text("import sys; sys.exit(f'no tool {sys.argv[1]}')")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "spelunke.ahead", *arguments, "--into", str(tmp_path / "made")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("The rules are not compiled: ")
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_without_ziglang_it_is_said_that_other_machines_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NoCompiler, match="compiling for other machines or for browsers needs ziglang"):
        build_front(TARGETS["win-amd64"], tmp_path)


def test_libraries_compiled_by_the_test_run_are_found() -> None:
    """The folder of libraries is the same with and without checks of bounds. Otherwise all would be compiled twice."""
    assert os.environ["NUMBA_BOUNDSCHECK"] == "1"
    done = run("from compiling import library_folder; print(library_folder())", native="")
    assert done.stdout.strip() == str(library_folder())


@pytest.mark.parametrize("game", GAMES)
def test_libraries_and_plain_rules_play_the_same_games(game: str) -> None:
    """Compiled libraries and plain rules play the same random games, also with other values of each option.

    The libraries also reproduce the stored golden games and perft tables.
    """
    ahead = run(TWIN, game, "2:600", "each:30", "written", native=libraries(game))
    plain = run(TWIN, game, "2:600", "each:30", native="", SPELUNKE_JIT="0")
    assert ahead.stderr == ""
    *games, written = ahead.stdout.splitlines()
    assert games == plain.stdout.splitlines() != []
    assert {one.partition(":")[2] for one in written.split()} == {"True"}


@pytest.mark.deep
@pytest.mark.parametrize("game", shelf())
def test_libraries_and_plain_rules_agree_on_thousands_of_games(game: str) -> None:
    place = libraries(game)
    for file in place.glob(f"{game}.*"):
        if file.suffix in (".so", ".dylib", ".dll"):
            found = f"{file.name} names a source file"
            assert b"/spelunke/games/" not in file.read_bytes(), (
                found
            )  # two releases of one commit would differ
    ahead = run(TWIN, game, "100:8000", "each:4000", "written", native=place)
    plain = run(TWIN, game, "100:8000", "each:4000", native="", SPELUNKE_JIT="0")
    *games, written = ahead.stdout.splitlines()
    assert games == plain.stdout.splitlines() != []
    assert {one.partition(":")[2] for one in written.split()} == {"True"}, ahead.stderr


@pytest.mark.parametrize("game", GAMES)
def test_a_match_imports_no_numba_where_rules_are_compiled_ahead(game: str) -> None:
    (kind, numba, legal), said = answer(FOUND, game, native=libraries(game))
    assert (kind, numba, said) == ("Bound", False, "")
    assert legal


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Return a copy of the smallest game's libraries. The test may break this copy."""
    return Path(shutil.copytree(libraries(smallest()), tmp_path / "native"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"digest": "0" * 64}, "it was made from other sources than those beside it"),
        ({"files": ["core/gone.py"]}, "it was made from files that are not here"),
        ({"platform": "amiga-m68k"}, "it was made for amiga-m68k, and this is"),
        ({"format": 0}, "it was made by another version"),
        ({"bindings": None}, "its description is damaged"),
        ({"files": 7}, "description is damaged"),
    ],
)
def test_another_library_is_not_used_and_one_line_says_why(
    broken: Path, change: dict[str, object], why: str
) -> None:
    game = smallest()
    file = broken / f"{game}.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    (kind, _, legal), said = answer(NO_NUMBA + FOUND, game, native=broken)
    assert kind == "module"
    assert legal
    assert why in said
    assert said.splitlines()[0].startswith(f"The compiled rules of {game} are not used: ")


def test_a_library_that_lacks_a_kernel_is_not_used(broken: Path) -> None:
    game = smallest()
    file = broken / f"{game}.json"
    description = json.loads(file.read_text())
    kernels = next(iter(description["bindings"].values()))["kernels"]
    name = next(iter(kernels))
    kernels[name] = ["spelunke_gone", *kernels[name][1:]]
    file.write_text(json.dumps(description))
    (kind, _, legal), said = answer(NO_NUMBA + FOUND, game, native=broken)
    assert kind == "module"
    assert legal
    assert said.startswith(f"The compiled rules of {game} are not used: it lacks a kernel")


def test_a_damaged_library_is_not_used(broken: Path) -> None:
    game = smallest()
    library = broken / f"{game}.so"
    library.write_bytes(library.read_bytes()[:5000])
    (kind, _, legal), said = answer(NO_NUMBA + FOUND, game, native=broken)
    assert kind == "module"
    assert legal
    assert said.startswith(f"The compiled rules of {game} are not used: it is damaged")


def front_cut(place: Path) -> None:
    (place / FRONT).write_bytes((place / FRONT).read_bytes()[:5000])


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (front_cut, f"{FRONT} is damaged, or was made by another version"),
        (lambda place: (place / f"{FRONT}.sha256").unlink(), f"the digest of {FRONT} is missing or damaged"),
    ],
)
def test_a_damaged_front_is_not_loaded(broken: Path, damage: Callable[[Path], None], why: str) -> None:
    game = smallest()
    damage(broken)
    (kind, _, legal), said = answer(NO_NUMBA + FOUND, game, native=broken)
    assert kind == "module"
    assert legal
    assert f"The compiled rules of {game} are not used: {why}." in said.splitlines()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("missing", "why"),
    [
        (FRONT, "The compiled rules in {place} are not used: {front} is missing."),
        ("{game}.json", "There are no compiled rules of {game} in {place}."),
        ("{game}.so", "The compiled rules of {game} are not used: {game}.so is missing."),
    ],
)
def test_a_missing_library_is_named_and_the_rules_run_plain(broken: Path, missing: str, why: str) -> None:
    game = smallest()
    (broken / missing.format(game=game)).unlink()
    (kind, _, legal), said = answer(NO_NUMBA + FOUND, game, native=broken)
    assert kind == "module"
    assert legal
    assert said.splitlines().count(why.format(game=game, place=broken, front=FRONT)) == 1
    assert "Some rules run plain" in said.splitlines()[-1]


FALLEN_BACK = """
import json, sys
from spelunke.adapters.desk import Desk, Table
from spelunke.core.chance import seed_stream
from spelunke.core.kernel import bind
from spelunke.games import find_game
table = Table(find_game(sys.argv[1]))
played = bind("spelunke.core.playout", table.game.rules.__name__).playouts
desk, stream = Desk(table), seed_stream(1)
print(json.dumps([type(played).__name__, int(played(desk.pool, 0, table.setup, stream, 2)), int(stream[0])]))
"""


@pytest.mark.deep
def test_numba_compiles_the_rules_if_their_library_is_stale(broken: Path) -> None:
    """If the library of a game is stale, Numba compiles its rules, and also shared kernels, such as those of chance."""
    game = smallest()
    expected, said = answer(FALLEN_BACK, game, native=broken)
    assert (expected[0], said) == ("builtin_function_or_method", "")
    file = broken / f"{game}.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"digest": "0" * 64}))
    checked = {"NUMBA_BOUNDSCHECK": os.environ["NUMBA_BOUNDSCHECK"]}  # these kernels are in the cache already
    found, said = answer(FALLEN_BACK, game, native=broken, **checked)
    assert found == ["CPUDispatcher", *expected[1:]]
    assert said.splitlines()[0].startswith(f"The compiled rules of {game} are not used: ")


@pytest.mark.deep
def test_a_named_folder_without_libraries_is_named(tmp_path: Path) -> None:
    (kind, _, legal), said = answer(FOUND, smallest(), native=tmp_path / "gone", SPELUNKE_JIT="1")
    assert kind == "module"
    assert legal
    assert said == f"The compiled rules in {tmp_path / 'gone'} are not used: {FRONT} is missing.\n"


@pytest.mark.parametrize("game", GAMES)
def test_the_header_declares_every_kernel(game: str) -> None:
    header = (libraries(game) / f"spelunke_{game}.h").read_text(encoding="utf-8")
    description = json.loads((libraries(game) / f"{game}.json").read_text(encoding="utf-8"))
    kernels = [one for binding in description["bindings"].values() for one in binding["kernels"].values()]
    for symbol, letters, result in kernels:
        assert (
            f"int32_t {symbol}(const uint64_t *given, uint64_t *found); /* {letters}, {result} */" in header
        )
    assert description["digest"] in header


@pytest.mark.parametrize("game", GAMES)
def test_the_c_interface_refuses_illegal_actions(game: str) -> None:
    """The test runs in a process of its own, because a failure would be a crash."""
    rules, card = find_game(game).rules, find_game(game)
    setup = len(card.setup(card.usual_seats, card.settle(card.usual_seats)))
    sizes = (rules.STATE.itemsize, rules.ACTIONS, rules.OUTCOMES, setup)
    library = libraries(game) / f"{game}.so"
    assert answer(CHECKED, str(library), game, *map(str, sizes), native="")[0] == [True, True]


BOTS = """
import json, sys
from spelunke import Match, find_game
from spelunke.bots.levels import levels, seat_bot
from spelunke.core.chance import seed_stream
game, found = find_game(sys.argv[1]), {}
for level in levels(game):
    match, bot, stream = Match(game), seat_bot(game, level.name), seed_stream(7)
    while not match.over and match.ply - match.chances_taken < 8:
        if match.chance:
            outcomes = match.chances()
            match.apply_chance(outcomes[match.ply % len(outcomes)][0])
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    found[level.name] = match.state.tobytes().hex()
print(json.dumps([found]))
"""


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_bots_of_every_level_choose_the_same_without_numba(game: str) -> None:
    ahead, _ = answer(NO_NUMBA + BOTS, game, native=libraries(game))
    compiled, _ = answer(BOTS, game, native="", NUMBA_BOUNDSCHECK=os.environ["NUMBA_BOUNDSCHECK"])
    assert ahead == compiled


HELD = """
import gc, json, sys
from spelunke.adapters.desk import Desk, Table
from spelunke.core.chance import seed_stream
from spelunke.core.native import front, hold
from spelunke.games import find_game
table, stream = Table(find_game(sys.argv[1])), seed_stream(1)
desk, plain = Desk(table), Desk(table)
step, other = desk.stepper(stream), seed_stream(1)
seat, decisions = step(0, -1), 0
assert seat == plain.advance(0, -1, other)
gc.collect()
while seat != -4:
    action = int(table.numbers[1])
    was, seat = seat, step(seat, action)
    assert plain.advance(was, action, other) == seat
    assert desk.pool.tobytes() == plain.pool.tobytes()
    decisions += 1
told = []
def attempt(do, *given):
    try:
        do(*given)
        told.append("nothing")
    except Exception as error:
        told.append(type(error).__name__ + ": " + str(error))
kernel = table.sweep.advance_at
attempt(step, 1)
attempt(step, 1, "x")
attempt(step, 1, 2**70)
attempt(front().hold, len, 1)
attempt(front().hold, kernel, desk.pool)
attempt(front().hold, kernel, None, 0, None, None, stream, table.numbers)
attempt(front().hold, kernel, desk.pool, 7, None, None, stream, table.numbers)
del step
print(json.dumps([decisions, told]))
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_held_kernel_plays_the_same_games_and_refuses_wrong_arguments(game: str) -> None:
    (decisions, told), said = answer(NO_NUMBA + HELD, game, native=libraries(game))
    assert said == ""
    assert decisions > 5
    assert [one.partition(":")[0] for one in told] == [
        *("TypeError", "TypeError", "OverflowError"),
        *("TypeError", "TypeError", "TypeError", "IndexError"),
    ]


TAKEN_OVER = """
import json, sys
from spelunke.core import kernel
kernel.PATIENCE_S = 0.0
from spelunke import Match, find_game
game = find_game(sys.argv[1])
match = Match(game)
rules = game.rules
who = rules.actors(match.state)
before, numba = type(rules.actors).__name__, "numba" in sys.modules
again = rules.actors(match.state)
print(json.dumps([numba, type(rules.actors).__name__, int(who) == int(again)]))
"""


@pytest.mark.deep
def test_numba_compiles_rules_that_run_plain_for_long() -> None:
    game = smallest()
    assert answer(TAKEN_OVER, game, native=libraries(game))[0] == [True, "CPUDispatcher", True]
    (_, kind, same), said = answer(NO_NUMBA + TAKEN_OVER, game, native=libraries(game))
    assert (kind, same) == ("function", True)
    assert said.startswith("Some rules run plain")
