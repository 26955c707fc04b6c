"""Libraries for other platforms: each has its format and all kernels, and those that run here play the same games."""

from __future__ import annotations

import functools
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from compiling import AS_PLAYED, smallest
from spelunke.ahead.build import build_front, files_of
from spelunke.ahead.link import NoCompiler, zig
from spelunke.ahead.targets import TARGETS, Target
from spelunke.core.native import digest_of
from spelunke.games import find_game

PROGRAM = Path(__file__).with_name("play_library.c")
EMULATED = Path("/usr/aarch64-linux-gnu")
"""The C library of aarch64, from Debian's package libc6-arm64-cross."""
WINE = ("wine64", "/usr/lib/wine/wine64")
GAMES = "1000"

pytestmark = pytest.mark.deep(minutes=4)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the libraries of the smallest game for all platforms."""
    try:
        zig()
    except NoCompiler as error:
        pytest.skip(str(error))
    place = tmp_path_factory.mktemp("platforms")
    asked = [part for name in TARGETS for part in ("--platform", name)]
    command = [sys.executable, "-m", "spelunke.ahead", smallest(), "--here", "--into", str(place), *asked]
    way = {**AS_PLAYED, "SPELUNKE_JIT": "1", "SPELUNKE_NATIVE": "", "PYTHONHASHSEED": "0"}
    subprocess.run(command, env={**os.environ, **way}, check=True)
    for target in TARGETS.values():
        build_front(target, place / target.platform)
    return place


def kind_of(content: bytes) -> tuple[str, int]:
    """Return the format of a library, and the code by which this format denotes the library's type of processor."""
    if content[:5] == b"\x7fELF\x02":
        return "ELF", struct.unpack_from("<H", content, 18)[0]
    if content[:4] == b"\xcf\xfa\xed\xfe":
        return "Mach-O", struct.unpack_from("<I", content, 4)[0]
    at = struct.unpack_from("<I", content, 0x3C)[0]
    assert content[:2] == b"MZ"
    assert content[at : at + 4] == b"PE\0\0"
    assert struct.unpack_from("<H", content, at + 22)[0] & 0x2000, "it is a library"
    return "PE", struct.unpack_from("<H", content, at + 4)[0]


def commands_of(content: bytes) -> dict[int, bytes]:
    """Return the load commands of a Mach-O file."""
    found, at = {}, 32
    for _ in range(struct.unpack_from("<I", content, 16)[0]):
        kind, size = struct.unpack_from("<II", content, at)
        found[kind] = content[at : at + size]
        at += size
    return found


KINDS = {
    "linux-x86_64": ("ELF", 62),
    "linux-aarch64": ("ELF", 183),
    "macosx-x86_64": ("Mach-O", 0x01000007),
    "macosx-arm64": ("Mach-O", 0x0100000C),
    "win-amd64": ("PE", 0x8664),
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda one: one.platform)
def test_each_library_has_its_format_and_all_kernels(made: Path, target: Target) -> None:
    place, game = made / target.platform, smallest()
    description = json.loads((place / f"{game}.json").read_text(encoding="utf-8"))
    assert (description["platform"], description["tag"]) == (target.platform, target.tag)
    assert description["digest"] == digest_of(files_of(find_game(game)))
    library = (place / description["library"]).read_bytes()
    front = (place / target.front).read_bytes()
    assert kind_of(library) == kind_of(front) == KINDS[target.platform]
    assert description["digest"].encode() in library
    kernels = [one[0] for binding in description["bindings"].values() for one in binding["kernels"].values()]
    assert len(kernels) > 20
    for name in (*kernels, f"spelunke_{game}_digest", f"spelunke_{game}_play"):
        assert name.encode() + b"\0" in library, f"{name} can't be found by its name"
    assert b"PyInit__front" in front
    for content in (library, front):
        assert tempfile.gettempdir().encode() + b"/" not in content, "the same bytes in each folder"
    if target.system == "win":
        assert b"python3.dll" in front
    if target.system == "macosx":
        for content in (library, front):
            check_mach(content, target)


def check_mach(content: bytes, target: Target) -> None:
    """Check that the platform's tag for wheels names the oldest version of macOS on which the library runs.

    A library for Apple's processors must also have a signature, because they require one.
    """
    commands = commands_of(content)
    if target.platform == "macosx-arm64":
        assert 0x1D in commands, "without a signature"
    oldest = struct.unpack_from("<I", commands[0x32], 12)[0] if 0x32 in commands else 0
    oldest = oldest or struct.unpack_from("<I", commands[0x24], 8)[0]
    assert f"macosx_{oldest >> 16}_{oldest >> 8 & 255}_" in target.tag


@functools.cache
def program(target: Target, folder: Path) -> Path:
    """Return a program that plays a game by calling a library."""
    output = folder / f"play-{target.platform}.exe"
    command = [*zig(), "-target", target.zig, "-O2", "-fPIC", "-s", str(PROGRAM), "-o", str(output)]
    command += ["-ldl"] if target.system == "linux" else []
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True, capture_output=True)
    return output


def runner_of(target: Target) -> list[str] | None:
    """Return the command that runs programs of a platform here, or None."""
    if target.platform == "linux-aarch64":
        emulator = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
        return [emulator, "-L", str(EMULATED)] if emulator and EMULATED.is_dir() else None
    if target.platform == "win-amd64":
        wine = next(filter(None, map(shutil.which, WINE)), None)
        return [wine] if wine else None
    return []


def play(target: Target, made: Path, runner: list[str]) -> list[str]:
    game = smallest()
    file = program(target, made)
    asked = [str(made / target.platform / f"{game}{target.library}"), game]
    asked += [str(find_game(game).rules.STATE.itemsize), GAMES]
    environment = {**os.environ, "WINEPREFIX": str(made / "wine"), "WINEDEBUG": "-all"}
    done = subprocess.run(
        [*runner, str(file), *asked], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout.split()


@pytest.mark.parametrize("name", ["linux-aarch64", "win-amd64"])
def test_an_emulated_platform_plays_the_same_games(made: Path, name: str) -> None:
    if not sys.platform.startswith("linux") or os.uname().machine != "x86_64":
        pytest.skip("the programs to compare with are for Linux on x86-64")
    runner = runner_of(TARGETS[name])
    if runner is None:
        pytest.skip("qemu-user-static with libc6-arm64-cross, or wine64, is not installed; Debian has them")
    here = play(TARGETS["linux-x86_64"], made, [])
    assert here[0] == digest_of(files_of(find_game(smallest())))
    assert int(here[1]) > 1000
    assert here[2] == "0", "what is not legal was refused each time"
    assert play(TARGETS[name], made, runner) == here
