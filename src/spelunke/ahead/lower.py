"""Compile the kernels of a game to machine code, in one object file.

Numba compiles each kernel. This module depends on Numba's internals: the LLVM text of a compiled kernel
(``library.get_llvm_str``), its name in this text (``fndesc.llvm_func_name``), and its calling convention. If Numba
changes one of them, ``tests/test_ahead.py`` fails.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import llvmlite.binding as llvm
import numba
from numba import types

from spelunke.ahead.exports import Export, symbol_of
from spelunke.core.kernel import bind
from spelunke.games.game import Game

ELEMENTS: dict[str, tuple[types.Type, int]] = {
    "h": (types.int16, 2),
    "b": (types.int8, 1),
    "?": (types.boolean, 1),
    "f": (types.float32, 4),
    "l": (types.int64, 8),
    "d": (types.float64, 8),
    "q": (types.float64, 8),
}
"""For each letter of an array, the type of its elements, and their size in bytes.

A capital letter means an array with two dimensions, and ``Q`` an array with four.
"""
RESULTS = {"i": "i64", "x": "double", "?": "i8", "v": "ptr"}
"""For each letter of a result, its LLVM type."""
TOLD = re.compile(r"^(define [^\n]*@__excinfo_unwrap_args\w+\([^\n]*)\{\n.*?^\}", re.MULTILINE | re.DOTALL)
UNTOLD = r"\1{\n  ret ptr null\n}"
"""The replacement for functions that make Python objects for an exception. It only returns a null pointer.

Libraries don't need these objects, because their kernels report an exception only by their status.
"""
TARGET = re.compile(r"^target (datalayout|triple) = .*\n", re.MULTILINE)
RELEASE = re.compile(r"@llvm\.x86\.atomic\.sub\.cc\.i64(?=\()")
RELEASED = re.compile(r"^declare [^\n]*@llvm\.x86\.atomic\.sub\.cc\.i64\([^\n]*\n", re.MULTILINE)
PLAIN_RELEASE = """
define internal i8 @spelunke_release(ptr %count, i64 %less, i32 %condition) alwaysinline {
  %before = load i64, ptr %count, align 8
  %after = sub i64 %before, %less
  store i64 %after, ptr %count, align 8
  %none = icmp eq i64 %after, 0
  %result = zext i1 %none to i8
  ret i8 %result
}
"""
"""Portable code that decrements a reference count and tests it for zero. It replaces an x86-64 instruction."""
DONE, NOTHING = 0, -2
"""The statuses of a kernel that returned a result (``DONE``) or None (``NOTHING``). Others mean an exception."""


@dataclass(frozen=True)
class Lowered:
    """A compiled kernel.

    ``symbol`` is its name in the library. ``letters`` and ``result`` are the types of its arguments and of its result.
    ``text`` is its LLVM text, and ``wrapper`` the LLVM text of the function that calls it (:func:`_wrap`).
    """

    symbol: str
    letters: str
    result: str
    text: str
    wrapper: str


def type_of(letter: str, record: types.Type) -> types.Type:
    """Return Numba's type for an argument with this letter (:mod:`.exports` lists the letters).

    ``record`` is Numba's type for a state record.
    """
    if letter in "in":
        return types.int64
    if letter == "x":
        return types.float64
    if letter == "r":
        return record
    if letter == "p":
        return types.Array(record, 1, "C")
    return types.Array(ELEMENTS[letter.lower()][0], _dimensions(letter), "C")


def _dimensions(letter: str) -> int:
    return 4 if letter == "Q" else 2 if letter.isupper() else 1


def signature_of(letters: str, record: types.Type, made: tuple[type, ...]) -> tuple[types.Type, ...]:
    """Return Numba's types for the arguments of a kernel.

    ``letters`` has a letter for each argument (:mod:`.exports`). Each pair of parentheses in ``letters`` is a named
    tuple. ``made`` has the classes of these tuples, in order. ``record`` is Numba's type for a state record.
    """
    found: list[types.Type] = []
    left, inside, members = list(made), False, list[types.Type]()
    for letter in letters:
        if letter == "(":
            inside, members = True, []
        elif letter == ")":
            inside = False
            kind = left.pop(0)
            found.append(_tuple_of(members, kind))
        else:
            (members if inside else found).append(type_of(letter, record))
    return tuple(found)


def _tuple_of(members: list[types.Type], kind: type) -> types.Type:
    if all(member == members[0] for member in members):
        return types.NamedUniTuple(members[0], len(members), kind)  # type: ignore[no-untyped-call]
    return types.NamedTuple(members, kind)  # type: ignore[no-untyped-call]


def lower(game: Game, export: Export) -> Iterator[tuple[str, Lowered]]:
    """Compile the kernels of an export (a module with kernels) for a game.

    Yield the name of each kernel with the compiled kernel. Raise TypeError if the type of a kernel's
    result is not in ``RESULTS``.
    """
    record = numba.from_dtype(game.rules.STATE)
    size = game.rules.STATE.itemsize
    module = (
        bind(export.module, *export.sources) if export.sources else importlib.import_module(export.module)
    )
    for name, letters in export.kernels.items():
        # Compile again, without the cache, which contains only machine code. Callees may come from the cache.
        make = numba.njit(nogil=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]
        anew = make(getattr(module, name).py_func)
        signature = signature_of(letters, record, export.tuples)
        anew.compile(signature)
        made = anew.overloads[signature]
        result = _result_letter(_plain(made.signature.return_type))
        symbol = symbol_of(game, export.module, name)
        wrapper = _wrap(symbol, made.fndesc.llvm_func_name, letters, result, size)
        yield name, Lowered(symbol, letters, result, made.library.get_llvm_str(), wrapper)


def _plain(kind: types.Type) -> types.Type:
    """Convert a literal type, such as ``Literal[int](3)``, to its general type. Return other types unchanged."""
    return cast(types.Type, types.unliteral(kind))  # type: ignore[no-untyped-call]


def _result_letter(kind: types.Type) -> str:
    if kind == types.none:
        return "v"
    if kind == types.boolean:
        return "?"
    if kind == types.float64:
        return "x"
    if kind == types.int64:
        return "i"
    raise TypeError(
        f"a kernel that is compiled ahead returns an integer, a real number, a boolean or nothing, not {kind}"
    )


def _wrap(symbol: str, inner: str, letters: str, result: str, record: int) -> str:
    """Return the LLVM text of an exported function that calls a kernel.

    The function reads the kernel's arguments from an array of 64-bit slots. Numba passes an array as several
    arguments: two pointers to its owner (here null), the number of elements, the size of an element in bytes, the
    address, the lengths and the strides.
    """
    lines, given, slot = [], [], 0

    def load(kind: str) -> str:
        nonlocal slot
        lines.append(f"  %p{slot} = getelementptr i64, ptr %given, i64 {slot}")
        lines.append(f"  %s{slot} = load {kind}, ptr %p{slot}, align 8")
        slot += 1
        return f"%s{slot - 1}"

    for letter in letters:
        if letter in "()":
            continue
        if letter in "in":
            given.append(f"i64 {load('i64')}")
        elif letter == "x":
            given.append(f"double {load('double')}")
        elif letter == "r":
            given.append(f"ptr {load('ptr')}")
        else:
            size = record if letter == "p" else ELEMENTS[letter.lower()][1]
            data, lengths = load("ptr"), [load("i64") for _ in range(_dimensions(letter))]
            # The stride of the last dimension comes first. The last entry will be the size of the array in bytes.
            strides = [str(size)]
            for length in reversed(lengths):
                lines.append(f"  %w{slot}_{len(strides)} = mul i64 {length}, {strides[-1]}")
                strides.append(f"%w{slot}_{len(strides)}")
            lines.append(f"  %n{slot} = udiv i64 {strides.pop()}, {size}")
            given += ["ptr null", "ptr null", f"i64 %n{slot}", f"i64 {size}", f"ptr {data}"]
            given += [f"i64 {one}" for one in (*lengths, *reversed(strides))]
    kind = RESULTS[result]
    kinds = ", ".join(["ptr", "ptr", *(one.split()[0] for one in given)])
    store = "" if result == "v" else f"  %r = load {kind}, ptr %got\n"
    if result == "?":
        store += "  %wide = zext i8 %r to i64\n  store i64 %wide, ptr %found\n"
    elif store:
        store += f"  store {kind} %r, ptr %found\n"
    body = "\n".join(lines)
    return f"""
declare i32 @"{inner}"({kinds})
define i32 @{symbol}(ptr %given, ptr %found) {{
{body}
  %got = alloca {kind}
  %why = alloca ptr
  %status = call i32 @"{inner}"({", ".join(["ptr %got", "ptr %why", *given])})
  switch i32 %status, label %failed [ i32 {DONE}, label %done
                                      i32 {NOTHING}, label %done ]
done:
{store}  ret i32 0
failed:
  ret i32 %status
}}
"""


def _retarget(text: str, machine: llvm.TargetMachine) -> str:
    """Convert the LLVM text of a kernel, which Numba made for this machine, to a text for another ``machine``.

    The result declares the other machine's data layout. Instructions that only this machine's processor has are
    replaced.

    The offsets in Numba's text are those of a 64-bit machine, but they are right on a 32-bit machine too: the text
    stores pointers only in blocks of Numba's runtime, and ``runtime.h`` gives these blocks the same layout on every
    machine.
    """
    text = TARGET.sub("", text)
    if RELEASED.search(text):
        text = RELEASE.sub("@spelunke_release", RELEASED.sub("", text)) + PLAIN_RELEASE
    return f'target datalayout = "{machine.target_data}"\ntarget triple = "{machine.triple}"\n{text}'


def assemble(lowered: list[Lowered], machine: llvm.TargetMachine) -> bytes:
    """Return an object file with all kernels.

    The file contains each function once. It exports only the functions that :func:`_wrap` makes.
    """
    whole = llvm.parse_assembly("")
    for one in lowered:
        text = TOLD.sub(UNTOLD, one.text)
        part = llvm.parse_assembly(
            text if machine.triple == llvm.get_default_triple() else _retarget(text, machine)
        )
        for function in part.functions:
            if function.name.startswith(("_ZN7cpython", "cfunc.")) and not function.is_declaration:
                function.linkage = "internal"  # Numba's own entry point from Python
        whole.triple, whole.data_layout = part.triple, part.data_layout
        whole.link_in(part)
    for one in lowered:
        part = llvm.parse_assembly(one.wrapper)
        part.triple, part.data_layout = whole.triple, whole.data_layout
        whole.link_in(part)
    seen = {one.symbol for one in lowered}
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in seen and not value.name.startswith("llvm."):
            value.linkage = "internal"
        elif value.name in seen and "windows" in machine.triple:
            value.storage_class = "dllexport"
    whole.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_always_inliner_pass()
    passes.add_merge_functions_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(whole, builder)
    found: bytes = machine.emit_object(whole)
    return found


def machine_of(triple: str = "", features: str = "", reloc: str = "pic") -> llvm.TargetMachine:
    """Return LLVM's target machine for a generic processor of the platform ``triple``.

    If ``triple`` is empty, the platform is this system.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple or llvm.get_default_triple())
    return target.create_target_machine("", features, opt=3, reloc=reloc, codemodel="default")


def browser_machine() -> llvm.TargetMachine:
    """Return LLVM's target machine for WebAssembly, with the features that all browsers since 2022 have."""
    features = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext"
    return machine_of("wasm32-unknown-unknown", features, "static")
