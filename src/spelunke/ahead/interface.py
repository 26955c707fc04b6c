"""The C interface of a game's library: its header and its source.

Before a function plays an action or applies an outcome, it checks whether this is allowed. If not, it returns an error
and does not change the state. The functions whose names end in ``_unchecked`` skip this check, so they are faster in
loops. The kernels in the header check nothing. No function checks a setup or the contents of a state.
"""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.core.kernel import home_of
from spelunke.core.native import Binding
from spelunke.games.game import Game

HEADER = """\
/* The rules of @TITLE@ as machine code: made by `python -m spelunke.ahead`, not to be changed by hand.

   A state is @CELLS@ numbers of 16 bits, in the order of the offsets below. It is made by spelunke_@GAME@_start, may be
   copied as bytes, and must not be changed by hand: its contents are not checked. */
#ifndef SPELUNKE_@NAME@_H
#define SPELUNKE_@NAME@_H

#include <stdint.h>

#define SPELUNKE_@NAME@_RULES @VERSION@
#define SPELUNKE_@NAME@_DIGEST "@DIGEST@"
#define SPELUNKE_@NAME@_STATE_BYTES @BYTES@
#define SPELUNKE_@NAME@_ACTIONS @ACTIONS@     /* actions are the numbers below this */
#define SPELUNKE_@NAME@_OUTCOMES @OUTCOMES@   /* outcomes of chance are */
#define SPELUNKE_@NAME@_SEATS @SEATS@         /* at most */
#define SPELUNKE_@NAME@_SETUP @SETUP@         /* numbers that a start takes: seats, then the options */

/* Where the fields of a state begin, in numbers of 16 bits. */
@FIELDS@

#ifndef SPELUNKE_CODES
#define SPELUNKE_CODES
enum { SPELUNKE_CHANCE = -1, SPELUNKE_OVER = -4 }; /* results of spelunke_x_actors instead of a bit for each seat */
enum { SPELUNKE_DONE = 0, SPELUNKE_NOT_ALLOWED = -11, SPELUNKE_NOT_NOW = -12, SPELUNKE_FAILED = -13 };
#endif

/* The digest of the sources that this library was made from. */
const char *spelunke_@GAME@_digest(void);

/* Start: setup[0] seats, then the options, which are not checked. The defaults: spelunke_@GAME@_usual. */
int64_t spelunke_@GAME@_start(void *state, const int16_t setup[@SETUP@]);
const int16_t *spelunke_@GAME@_usual(void);

/* A bit for each seat that may act, or SPELUNKE_CHANCE, or SPELUNKE_OVER. */
int64_t spelunke_@GAME@_actors(const void *state);

/* The seat's legal actions, ascending; return their number. `out` needs space for all actions. */
int64_t spelunke_@GAME@_legal(const void *state, int64_t seat, int16_t out[@ACTIONS@]);

/* Play an action: SPELUNKE_DONE. SPELUNKE_NOT_NOW (the seat may not act) and SPELUNKE_NOT_ALLOWED change nothing. */
int64_t spelunke_@GAME@_play(void *state, int64_t seat, int64_t action);
int64_t spelunke_@GAME@_play_unchecked(void *state, int64_t seat, int64_t action);

/* The possible outcomes of chance and their weights; return their number. */
int64_t spelunke_@GAME@_chances(const void *state, int16_t outcomes[@OUTCOMES@], int16_t weights[@OUTCOMES@]);
int64_t spelunke_@GAME@_apply_chance(void *state, int64_t outcome);
int64_t spelunke_@GAME@_apply_chance_unchecked(void *state, int64_t outcome);

/* Of a game that is over: each seat's points and rank (1 is best). SPELUNKE_NOT_NOW before. */
int64_t spelunke_@GAME@_result(const void *state, int16_t points[@SEATS@], int16_t ranks[@SEATS@]);

/* Play this number of random games in `state`; return the number of decisions. The stream is 1 or more, and moves. */
int64_t spelunke_@GAME@_playouts(void *state, const int16_t setup[@SETUP@], int64_t *stream, int64_t games);

@KERNELS@
#endif
"""

KERNELS = """\
/* All kernels. `given` has the arguments in slots of 64 bits: a number, or the address of an array and then its
   lengths. `found` receives the result. A result other than 0 means that the kernel failed. Nothing is checked. The
   letters after each kernel name the types of its arguments and of its result (spelunke/ahead/exports.py). */
@ALL@
"""

SOURCE = """\
#include "runtime.h"
#include "spelunke_@GAME@.h"

#if defined(_WIN32)
#define SHOWN __declspec(dllexport)
#else
#define SHOWN __attribute__((visibility("default")))
#endif
#define AT(p) ((uint64_t)(uintptr_t)(p))
typedef const uint64_t *Given;

@DECLARATIONS@

SHOWN const char *spelunke_@GAME@_digest(void) { return SPELUNKE_@NAME@_DIGEST; }

SHOWN const int16_t *spelunke_@GAME@_usual(void) {
    static const int16_t usual[] = {@USUAL@};
    return usual;
}

static int64_t asked(int32_t (*kernel)(Given, uint64_t *), Given given) {
    uint64_t found = 0;
    return kernel(given, &found) ? SPELUNKE_FAILED : (int64_t)found;
}

SHOWN int64_t spelunke_@GAME@_start(void *state, const int16_t *setup) {
    return asked(@STEP@__start_at, (uint64_t[]){AT(state), 1, 0, AT(setup), SPELUNKE_@NAME@_SETUP});
}

SHOWN int64_t spelunke_@GAME@_actors(const void *state) {
    return asked(@STEP@__actors_at, (uint64_t[]){AT(state), 1, 0});
}

static int64_t listed(int32_t (*kernel)(Given, uint64_t *), const void *state, int64_t seat, int16_t *out) {
    if (seat < 0 || seat >= SPELUNKE_@NAME@_SEATS) return 0;
    return asked(kernel, (uint64_t[]){AT(state), 1, 0, (uint64_t)seat, AT(out), SPELUNKE_@NAME@_ACTIONS});
}

SHOWN int64_t spelunke_@GAME@_legal(const void *state, int64_t seat, int16_t *out) {
    return listed(@STEP@__legal_at, state, seat, out);
}

static int among(int64_t wanted, const int16_t *numbers, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        if (numbers[k] == wanted) return 1;
    }
    return 0;
}

SHOWN int64_t spelunke_@GAME@_play_unchecked(void *state, int64_t seat, int64_t action) {
    return asked(@STEP@__play_at, (uint64_t[]){AT(state), 1, 0, (uint64_t)seat, (uint64_t)action});
}

SHOWN int64_t spelunke_@GAME@_play(void *state, int64_t seat, int64_t action) {
    int16_t out[SPELUNKE_@NAME@_ACTIONS];
    int64_t count = listed(@STEP@__legal_at, state, seat, out), all = count;
    if (count < 0) return count;
    int may = among(action, out, count);
@OTHERS@    if (!may) return all ? SPELUNKE_NOT_ALLOWED : SPELUNKE_NOT_NOW;
    return spelunke_@GAME@_play_unchecked(state, seat, action);
}

SHOWN int64_t spelunke_@GAME@_chances(const void *state, int16_t *outcomes, int16_t *weights) {
    if (spelunke_@GAME@_actors(state) != SPELUNKE_CHANCE) return 0;
    return asked(@STEP@__chances_at, (uint64_t[]){AT(state), 1, 0, AT(outcomes), SPELUNKE_@NAME@_OUTCOMES, AT(weights),
                                                  SPELUNKE_@NAME@_OUTCOMES});
}

SHOWN int64_t spelunke_@GAME@_apply_chance_unchecked(void *state, int64_t outcome) {
    return asked(@STEP@__apply_chance_at, (uint64_t[]){AT(state), 1, 0, (uint64_t)outcome});
}

SHOWN int64_t spelunke_@GAME@_apply_chance(void *state, int64_t outcome) {
    int16_t outcomes[SPELUNKE_@NAME@_OUTCOMES], weights[SPELUNKE_@NAME@_OUTCOMES];
    int64_t count = spelunke_@GAME@_chances(state, outcomes, weights);
    if (count <= 0) return count < 0 ? count : SPELUNKE_NOT_NOW;
    if (!among(outcome, outcomes, count)) return SPELUNKE_NOT_ALLOWED;
    return spelunke_@GAME@_apply_chance_unchecked(state, outcome);
}

SHOWN int64_t spelunke_@GAME@_result(const void *state, int16_t *points, int16_t *ranks) {
    if (spelunke_@GAME@_actors(state) != SPELUNKE_OVER) return SPELUNKE_NOT_NOW;
    return asked(@STEP@__result_at, (uint64_t[]){AT(state), 1, 0, AT(points), SPELUNKE_@NAME@_SEATS, AT(ranks),
                                                 SPELUNKE_@NAME@_SEATS});
}

SHOWN int64_t spelunke_@GAME@_playouts(void *state, const int16_t *setup, int64_t *stream, int64_t games) {
    return asked(@PLAYOUT@__playouts, (uint64_t[]){AT(state), 1, 0, AT(setup), SPELUNKE_@NAME@_SETUP, AT(stream), 1,
                                                   (uint64_t)games});
}
"""

OTHER = """\
    if (!may) {
        count = listed(@KERNEL@, state, seat, out);
        if (count < 0) return count;
        all += count;
        may = among(action, out, count);
    }
"""


def fill(text: str, game: Game, digest: str) -> str:
    """Return the C source or header that a template makes for a game. ``text`` is the template, with placeholders."""
    rules, name = game.rules, game.name.upper()
    fields = dict(rules.STATE.fields or {})
    places = [f"#define SPELUNKE_{name}_AT_{field.upper()} {fields[field][1] // 2}" for field in fields]
    usual = game.setup(game.usual_seats, game.settle(game.usual_seats))
    symbols = {
        kernel: f"spelunke_{game.name}__spelunke_core_{module}__{kernel}"
        for module, kernels in {
            "step": (
                "start_at",
                "actors_at",
                "legal_at",
                "play_at",
                "chances_at",
                "apply_chance_at",
                "result_at",
            ),
            "playout": ("playouts",),
            **{one: (f"{one}_at",) for one in ("revise", "variants") if home_of(rules.__name__, one)},
        }.items()
        for kernel in kernels
    }
    others = [
        OTHER.replace("@KERNEL@", symbols[f"{one}_at"])
        for one in ("revise", "variants")
        if f"{one}_at" in symbols
    ]
    for mark, value in {
        "TITLE": game.title,
        "GAME": game.name,
        "NAME": name,
        "CELLS": rules.STATE.itemsize // 2,
        "BYTES": rules.STATE.itemsize,
        "VERSION": rules.VERSION,
        "DIGEST": digest,
        "ACTIONS": max(1, rules.ACTIONS),
        "OUTCOMES": max(1, rules.OUTCOMES),
        "SEATS": max(game.seats),
        "SETUP": len(usual),
        "FIELDS": "\n".join(places),
        "USUAL": ", ".join(str(number) for number in usual.tolist()),
        "DECLARATIONS": "\n".join(
            f"int32_t {one}(Given given, uint64_t *found);" for one in symbols.values()
        ),
        "OTHERS": "".join(others),
        "STEP": f"spelunke_{game.name}__spelunke_core_step",
        "PLAYOUT": f"spelunke_{game.name}__spelunke_core_playout",
    }.items():
        text = text.replace(f"@{mark}@", str(value))
    return text


def write_header(game: Game, digest: str, bindings: Mapping[str, Binding] | None = None) -> str:
    """Return the C header ``spelunke_<game>.h``, with the layout of a state and the declarations of all functions.

    The header also declares the kernels in ``bindings``. If ``bindings`` is None, it declares no kernels.
    """
    lines = [
        f"int32_t {symbol}(const uint64_t *given, uint64_t *found); /* {letters}, {result} */"
        for binding in (bindings or {}).values()
        for symbol, letters, result in binding["kernels"].values()
    ]
    kernels = KERNELS.replace("@ALL@", "\n".join(lines)) if lines else ""
    return fill(HEADER.replace("@KERNELS@", kernels), game, digest)


def write_source(game: Game, digest: str) -> str:
    """Return the C source of the functions that the game's header declares.

    They call the kernels in the game's object file.
    """
    return fill(SOURCE, game, digest)
