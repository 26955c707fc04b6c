"""Build a game's rules as WebAssembly, for browsers and Node: ``make wasm`` (docs/why/native.md).

The WebAssembly module has the kernels that browsers need: some kernels of the game's native library (``MODULES``), and
the kernels that a game has only for browsers. The module's functions take and return only 32-bit integers and real
numbers, so that JavaScript needs no BigInt. Most arrays are at fixed addresses in the module's memory. For the arrays
of an analysis, the caller reserves memory. The ES module ``web/static/engine.js`` calls these functions.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path

from spelunke.ahead.build import HERE, Compiled, put
from spelunke.ahead.exports import Export, browsers_own, exports_of, symbol_of
from spelunke.ahead.interface import fill, write_header, write_source
from spelunke.ahead.link import run_linker, zig
from spelunke.ahead.vocabulary import vocabulary_of
from spelunke.core.native import FORMAT
from spelunke.games.game import Game

MODULES = {
    "spelunke.core.step": None,
    "spelunke.core.revise": None,
    "spelunke.core.variants": None,
    "spelunke.core.playout": None,
    "spelunke.core.digest": None,
    "spelunke.adapters.sweep": ("view_at",),
    "spelunke.solvers.playouts": ("play_out",),
}
"""For each module, the names of its kernels for browsers; None means all kernels of the module."""
FLAGS = ("--target=wasm32-wasi", "-mexec-model=reactor", "-O2", "-std=c11", "-s")

SOURCE = """
#define TO_JS(name) __attribute__((export_name(#name)))
#define CELLS (@BYTES@ / 8 + 1)

int32_t @SWEEP@__view_at(Given given, uint64_t *found);
int32_t @DIGESTS@__digest(Given given, uint64_t *found);

/* The places for arguments: a state, lists of actions or outcomes and of weights, features, the stream of chance. */
static int64_t state[CELLS], copies[@DEEPEST@][CELLS], stream[1];
static int16_t numbers[@MOST@], weights[@MOST@];
static float seen[@FEATURES@];

TO_JS(place_state) void *place_state(void) { return state; }
TO_JS(place_numbers) void *place_numbers(void) { return numbers; }
TO_JS(place_weights) void *place_weights(void) { return weights; }
TO_JS(place_view) void *place_view(void) { return seen; }
TO_JS(place_usual) const void *place_usual(void) { return spelunke_@GAME@_usual(); }

/* Constants of the game, in the order that engine.js reads. */
TO_JS(sizes) const int32_t *sizes(void) {
    static const int32_t all[] = {@BYTES@, @ACTIONS@, @OUTCOMES@, @SEATS@, @SETUP@, @FEATURES@, @VERSION@};
    return all;
}

TO_JS(start) int32_t start_game(void) { return spelunke_@GAME@_start(state, numbers); }
TO_JS(actors) int32_t actors(void) { return spelunke_@GAME@_actors(state); }
TO_JS(legal) int32_t legal(int32_t seat) { return spelunke_@GAME@_legal(state, seat, numbers); }
TO_JS(play) int32_t play(int32_t seat, int32_t action) { return spelunke_@GAME@_play(state, seat, action); }
TO_JS(chances) int32_t chances(void) { return spelunke_@GAME@_chances(state, numbers, weights); }
TO_JS(apply_chance) int32_t apply_chance(int32_t outcome) { return spelunke_@GAME@_apply_chance(state, outcome); }
TO_JS(result) int32_t result(void) { return spelunke_@GAME@_result(state, numbers, weights); }

TO_JS(view) int32_t view(int32_t seat) {
    if (seat < 0 || seat >= @SEATS@) return SPELUNKE_NOT_ALLOWED;
    return asked(@SWEEP@__view_at, (uint64_t[]){AT(state), 1, 0, (uint64_t)seat, AT(seen), @FEATURES@});
}

/* The number of decisions, or a status below 0. The halves are those of the stream, which is 1 or more. */
TO_JS(playouts) double playouts(int32_t high, uint32_t low, int32_t games) {
    stream[0] = (int64_t)high << 32 | low;
    return (double)spelunke_@GAME@_playouts(state, numbers, stream, games);
}

TO_JS(digest) double digest(int32_t high, uint32_t low, int32_t plies, int32_t stride) {
    stream[0] = (int64_t)high << 32 | low;
    return (double)asked(@DIGESTS@__digest, (uint64_t[]){AT(state), 1, AT(state), @BYTES@ / 2, AT(numbers), @SETUP@,
                                                         AT(stream), 1, (uint64_t)plies, (uint64_t)stride});
}

/* The number of sequences of this length from the state, and NaN where a kernel failed. */
static double sequences(const int64_t *from, int32_t depth) {
    int16_t found[@MOST@], parts[@MOST@];
    if (!depth) return 1;
    int64_t who = spelunke_@GAME@_actors(from);
    if (who == SPELUNKE_OVER) return 0;
    double sum = 0;
    int64_t *next = copies[depth - 1];
    for (int seat = 0; seat < (who == SPELUNKE_CHANCE ? 1 : @SEATS@); seat++) {
        if (who != SPELUNKE_CHANCE && !(who >> seat & 1)) continue;
        int64_t count = who == SPELUNKE_CHANCE ? spelunke_@GAME@_chances(from, found, parts)
                                               : spelunke_@GAME@_legal(from, seat, found);
        if (count < 0) return __builtin_nan("");
        for (int64_t k = 0; k < count; k++) {
            __builtin_memcpy(next, from, sizeof copies[0]);
            if (who == SPELUNKE_CHANCE ? spelunke_@GAME@_apply_chance_unchecked(next, found[k])
                                       : spelunke_@GAME@_play_unchecked(next, seat, found[k])) return __builtin_nan("");
            sum += sequences(next, depth - 1);
        }
    }
    return sum;
}

TO_JS(perft) double perft(int32_t depth) {
    return depth < 0 || depth > @DEEPEST@ ? __builtin_nan("") : sequences(state, depth);
}
"""
SPACE = """
#include <stdlib.h>

/* Space for arrays, or 0 if there is not enough memory. */
TO_JS(reserve) void *reserve(uint32_t bytes) { return malloc(bytes); }
TO_JS(release) void release(void *space) { free(space); }
"""
"""The part of the source for games whose analyses browsers can compute (:mod:`spelunke.solvers.elsewhere`)."""
PLAYOUTS = """
int32_t @PLAYOUTS@__play_out(Given given, uint64_t *found);

/* Play lines out, for analyses (spelunke.solvers.playouts). The arrays are checked by engine.js. */
TO_JS(play_out) int32_t play_out(void *worlds, uint32_t count, int16_t *who, int16_t *steps, uint32_t lines,
                                 uint32_t longest, int64_t *seeds, uint32_t games, int32_t parts, int32_t knower,
                                 double *samples, int16_t *left) {
    uint64_t given[] = {AT(worlds), count, AT(state), 1, AT(who), lines, longest, AT(steps), lines, longest,
                        AT(seeds), games, (uint64_t)(int64_t)parts, (uint64_t)(int64_t)knower, AT(numbers), @MOST@,
                        AT(samples), lines, games, @SEATS@, 3, AT(left), lines};
    return (int32_t)asked(@PLAYOUTS@__play_out, given);
}
"""
"""The part of the source for games whose positions are evaluated by playouts."""
OWN = """
int32_t @SYMBOL@(Given given, uint64_t *found);

/* A kernel of the game's own. Each array is given by its address and its length (engine.js). */
TO_JS(@KERNEL@) int32_t @KERNEL@(const uint64_t *given) { return (int32_t)asked(@SYMBOL@, given); }
"""
"""A template for one kernel that a game has only for browsers. The source has a copy for each such kernel."""
DEEPEST = 16


def exports_for_browsers(game: Game) -> list[Export]:
    """Return the exports (modules with kernels) that a game needs in browsers."""
    from spelunke.solvers.elsewhere import plays_out  # compiled code does not depend on it

    found = []
    for export in exports_of(game):
        if export.module == "spelunke.solvers.playouts" and not plays_out(game):
            continue
        if export.module in MODULES:
            named = MODULES[export.module]
            kernels = {
                name: letters for name, letters in export.kernels.items() if named is None or name in named
            }
            found.append(Export(export.module, export.sources, kernels))
    return [*found, *browsers_own(game)]


def build_wasm(game: Game, compiled: Compiled, place: Path) -> None:
    """Write ``<game>.wasm`` and the game's vocabulary (:mod:`.vocabulary`) into a folder.

    If the game's hook ``device_file`` returns data, write them into the file ``<game>.weights``. ``compiled`` must
    contain the kernels for browsers. Its other kernels are left out. Raise NoCompiler if ``ziglang`` is not installed.
    Raise RuntimeError with the linker's output if linking fails.
    """
    from spelunke.ahead.lower import assemble, browser_machine  # it imports Numba
    from spelunke.solvers.elsewhere import (
        can_play_elsewhere,
        plays_out,
    )  # compiled code does not depend on them

    command = zig()
    wanted = {
        symbol_of(game, export.module, name)
        for export in exports_for_browsers(game)
        for name in export.kernels
    }
    lowered = [one for one in compiled.kernels if one.symbol in wanted]
    with tempfile.TemporaryDirectory() as folder:
        parts = Path(folder)
        (parts / "kernels.o").write_bytes(assemble(lowered, browser_machine()))
        template = (
            SOURCE + (SPACE if can_play_elsewhere(game) else "") + (PLAYOUTS if plays_out(game) else "")
        )
        for export in browsers_own(game):
            for name in export.kernels:
                symbol = symbol_of(game, export.module, name)
                template += OWN.replace("@KERNEL@", name).replace("@SYMBOL@", symbol)
        source = write_source(game, compiled.digest) + fill(_sized(template, game), game, compiled.digest)
        (parts / "module.c").write_text(source, encoding="utf-8")
        header = write_header(game, compiled.digest)
        (parts / f"spelunke_{game.name}.h").write_text(header, encoding="utf-8")
        output = parts / f"{game.name}.wasm"
        places = [f"-I{HERE}", f"-I{parts}"]
        inputs = [str(parts / "module.c"), str(parts / "kernels.o")]
        run_linker([*command, *FLAGS, *places, *inputs, "-o", str(output), "-lm"], output.name)
        content = output.read_bytes()
    put(place / output.name, content)
    weights = game.hooks.device_file()
    if weights is not None:
        put(place / f"{game.name}.weights", weights)
    description = {
        "format": FORMAT,
        "game": game.name,
        "version": game.rules.VERSION,
        "digest": compiled.digest,
        "sha256": hashlib.sha256(content).hexdigest(),
        "weights": hashlib.sha256(weights or b"").hexdigest(),
        "files": compiled.files,
        **vocabulary_of(game),
    }
    text = json.dumps(description, ensure_ascii=False, separators=(",", ":"))
    put(place / f"{game.name}.words.json", text.encode())


def _sized(text: str, game: Game) -> str:
    """Return the C source ``text`` after replacing the placeholders that :func:`.interface.fill` does not know.

    Some of these placeholders stand for sizes. The others stand for the first part of a kernel's name: the part with
    the names of the game and the module.
    """
    rules = game.rules
    for mark, value in {
        "MOST": max(1, rules.ACTIONS, rules.OUTCOMES, *game.seats),
        "FEATURES": game.view.FEATURES,
        "DEEPEST": DEEPEST,
        "SWEEP": f"spelunke_{game.name}__spelunke_adapters_sweep",
        "DIGESTS": f"spelunke_{game.name}__spelunke_core_digest",
        "PLAYOUTS": f"spelunke_{game.name}__spelunke_solvers_playouts",
    }.items():
        text = text.replace(f"@{mark}@", str(value))
    return text
