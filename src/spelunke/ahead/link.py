"""Link object files into shared libraries, with the machine's C compiler or with ``ziglang`` from PyPI."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from spelunke.ahead.targets import Target

STABLE = Path(__file__).with_name("python3.def")
"""A file for the linker of Windows. It lists the names from Python's stable interface that ``front.c`` uses."""
MISSING = "compiling for other machines or for browsers needs ziglang: `pip install ziglang`"


class NoCompiler(Exception):
    """The error if a build needs a C compiler, ``ziglang`` or Python's headers, and this machine doesn't have them."""


def compiler() -> list[str]:
    """Return the command of a C compiler: the machine's own, or else ``ziglang``. Raise NoCompiler if there is none."""
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return [found]
    return zig("there is no C compiler; one comes with `pip install ziglang`")


def zig(missing: str = MISSING) -> list[str]:
    """Return the command of the C compiler in PyPI's ``ziglang``, which compiles for every target.

    Raise NoCompiler with the text ``missing`` if ``ziglang`` is not installed.
    """
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise NoCompiler(missing)


def link(
    inputs: Sequence[Path],
    output: Path,
    target: Target,
    *,
    includes: Sequence[Path] = (),
    python: bool = False,
) -> None:
    """Compile C files and link them with object files into a shared library.

    ``inputs`` are the C files and object files, and ``includes`` the folders of headers. If ``python`` is true,
    symbols of the Python interpreter may stay undefined. Raise NoCompiler if no compiler for ``target`` is installed.
    Raise RuntimeError with the compiler's output if compiling or linking fails.
    """
    command = [*zig(), "-target", target.zig] if target.zig else compiler()
    command += ["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-std=c11"]
    if target.system == "macosx":
        # Otherwise the library contains the path of the temporary folder in which it was linked.
        command += [f"-Wl,-install_name,@rpath/{output.name}"]
        command += ["-undefined", "dynamic_lookup"] if python else []
    elif not python and target.system != "win":
        command += ["-Wl,-z,defs"]
    command += ["-s"] if target.system == "linux" or target.zig else []
    command += [f"-I{place}" for place in includes]
    run_linker([*command, *map(str, inputs), "-o", str(output), "-lm"], output.name)


def run_linker(command: Sequence[str], name: str) -> None:
    """Run a compiler or linker that makes the file ``name``. If it fails, raise RuntimeError with its output."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"linking {name} failed:\n{done.stdout}{done.stderr}")


def link_front(source: Path, output: Path, target: Target) -> None:
    """Compile and link the extension module through which Python calls the games' libraries.

    Raise NoCompiler if Python's headers or a compiler are missing, and RuntimeError if compiling or linking fails.
    """
    headers = Path(sysconfig.get_paths()["include"])
    if not (headers / "Python.h").is_file():
        raise NoCompiler("Python's headers are missing; on Debian: apt-get install python3-dev")
    inputs = [source]
    if target.zig:
        headers = Path(shutil.copytree(headers, output.parent / "include"))
        (headers / "pyconfig.h").write_text(target.described, encoding="utf-8")
    if target.system == "win":
        stubs = output.with_name("python3.lib")
        tool = [*zig()[:-1], "dlltool", "-m", "i386:x86-64"]
        run_linker([*tool, "-d", str(STABLE), "-l", str(stubs)], stubs.name)
        inputs.append(stubs)
    link(inputs, output, target, includes=[headers], python=True)
