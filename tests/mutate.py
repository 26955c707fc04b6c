"""Change the code on purpose, and report which changes the tests notice: ``make mutate``. See docs/why/tests.md.

Cosmic Ray finds possible changes (an operator, a number, a condition, ...) in rules, house and records. A seed picks
some of them, a line first and then one change of that line; each is made in a copy of the tree, whose tests run with
plain kernels.

python tests/mutate.py --count 30 --seed 9 --only house
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("src", "tests", "docs", "examples", "conftest.py", "pyproject.toml", "README.md", "package.json")
SHARED = ("test_examples", "test_conformance", "test_secrets", "test_perft", "test_golden")
# A kernel without its decorator runs plain all the same.
LEFT_OUT = {"core/RemoveDecorator"}
AREAS = {
    "rules": "src/spelunke/games/*/*.py",
    "house": "src/spelunke/house/**/*.py",
    "records": "src/spelunke/records/*.py",
}
clock = itertools.count(1)
running: set[subprocess.Popen[str]] = set()


@dataclass(frozen=True)
class Mutant:
    """One change of one file: an operator of Cosmic Ray, and the place where it is applied."""

    area: str
    file: str
    line: int
    operator: str
    occurrence: int

    def rounds(self) -> list[list[str]]:
        """Return the arguments of pytest for each round, the most sensitive tests first.

        A later round runs only if the earlier ones noticed nothing.
        """
        if self.area == "rules":
            game = self.file.split("/")[3]
            return [
                [f"src/spelunke/games/{game}/tests"],
                [*(f"tests/{name}.py" for name in SHARED), "-k", game],
            ]
        if self.area == "house":
            pages = ("test_pages", "test_bad_input", "test_drafts", "test_security")
            return [["tests/house", "-k", "not postgres"], [f"tests/web/{name}.py" for name in pages]]
        return [
            ["tests/records"],
            ["tests/house/test_play.py", "tests/cli/test_commands.py", "-k", "not postgres"],
        ]


def annotations(tree: ast.AST) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the places of type annotations. A change there has no effect on a run."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            found = getattr(node, name, None)
            if isinstance(found, ast.expr):
                yield (found.lineno, found.col_offset), (found.end_lineno or 0, found.end_col_offset or 0)


def mutants_of(area: str, path: Path) -> Iterator[Mutant]:
    """Yield the changes that Cosmic Ray's operators without arguments can make in a file.

    Leave out changes of type annotations, and the removal of decorators.
    """
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    source = path.read_text(encoding="utf-8")
    types = list(annotations(ast.parse(source)))
    nodes = list(ast_nodes(get_ast(source)))
    for name in sorted(set(operator_names()) - LEFT_OUT):
        kind = get_operator(name)
        if kind.arguments():
            continue
        operator = kind()
        places = (place for node in nodes for place in operator.mutation_positions(node))
        for occurrence, (start, _end) in enumerate(places):
            if not any(first <= start < last for first, last in types):
                yield Mutant(area, path.relative_to(ROOT).as_posix(), start[0], name, occurrence)


def operator_applied(source: str, name: str, occurrence: int) -> str | None:
    """Return the source with one change by an operator of Cosmic Ray, or None if it can't be made."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    code = mutate_code(source, get_operator(name)(), occurrence)
    return None if code is None else str(code)


def tell(mutant: Mutant) -> str:
    """Return the changed part of a line, before and after the change, or an empty text if nothing differs."""
    before = (ROOT / mutant.file).read_text(encoding="utf-8")
    after = operator_applied(before, mutant.operator, mutant.occurrence) or before
    for old, new in zip(before.splitlines(), after.splitlines(), strict=False):
        if old != new:
            same = sum(
                1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
            )
            first = max(0, same - 24)
            return f"{old[first : same + 24].strip()}  ->  {new[first : same + 24].strip()}"
    return ""


def choose(areas: Iterable[str], count: int, seed: int) -> list[Mutant]:
    """Return ``count`` changes of different lines. The numbers of changes in two areas differ by at most one.

    The same seed and tree give the same changes.
    """
    rng = random.Random(seed)
    found: list[Mutant] = []
    shares = list(areas)
    for number, area in enumerate(shares):
        share = count // len(shares) + (number < count % len(shares))
        files = sorted(file for file in ROOT.glob(AREAS[area]) if "migrations" not in file.parts)
        lines = [
            (file, line)
            for file in files
            for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
            if text.strip()
        ]
        rng.shuffle(lines)
        by_line: dict[Path, dict[int, list[Mutant]]] = {}
        for file, line in lines:
            if share == 0:
                break
            if file not in by_line:
                by_line[file] = defaultdict(list)
                for mutant in mutants_of(area, file):
                    by_line[file][mutant.line].append(mutant)
            if by_line[file][line]:
                mutant = rng.choice(by_line[file][line])
                if tell(mutant):
                    found.append(mutant)
                    share -= 1
    return found


class Trees:
    """Copies of the source tree, one for each parallel run of tests."""

    def __init__(self, folder: Path, count: int) -> None:
        self._free = []
        for number in range(count):
            copy = folder / f"tree{number}"
            for name in COPIED:
                place = ROOT / name
                if place.is_dir():
                    shutil.copytree(place, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
                elif place.exists():
                    copy.mkdir(exist_ok=True)
                    shutil.copy(place, copy / name)
            self._free.append(copy)
        self._lock = threading.Condition()

    def take(self) -> Path:
        """Wait until a copy of the source tree is free, and return it. No other run uses it until `give`."""
        with self._lock:
            self._lock.wait_for(lambda: self._free)
            return self._free.pop()

    def give(self, tree: Path) -> None:
        """Return a copy to the pool, unchanged."""
        with self._lock:
            self._free.append(tree)
            self._lock.notify()


def end(process: subprocess.Popen[str]) -> None:
    """Kill a run of tests with all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run(tree: Path, asked: list[str], limit: float) -> tuple[str, float]:
    """Run the tests ``asked`` in the copy ``tree``. Return "passed", "failed" or "too long", and the seconds."""
    environment = {
        **os.environ,
        "SPELUNKE_JIT": "0",
        "PYTHONPATH": str(tree / "src"),
        "SPELUNKE_CACHE": str(tree),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        *asked,
    ]
    begun = time.monotonic()
    with subprocess.Popen(
        command,
        cwd=tree,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        running.add(process)
        try:
            told, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            end(process)
            return "too long", time.monotonic() - begun
        finally:
            running.discard(process)
    if process.returncode == 5:
        raise SystemExit(f"no test was found by {asked}:\n{told}")
    return "passed" if process.returncode == 0 else "failed", time.monotonic() - begun


def write(file: Path, text: str) -> None:
    """Write a file with a unique modification time.

    Otherwise Python could use old bytecode. It compares only the size of the source and the modification time, which it
    rounds down to seconds.
    """
    file.write_text(text, encoding="utf-8")
    moment = 1_000_000_000 + next(clock)
    os.utime(file, (moment, moment))


def attempt(mutant: Mutant, trees: Trees, limit: float) -> tuple[Mutant, str, float]:
    """Make the change, run the tests that may notice it, and undo the change. Return the verdict and the seconds."""
    tree = trees.take()
    file = tree / mutant.file
    source = file.read_text(encoding="utf-8")
    code = operator_applied(source, mutant.operator, mutant.occurrence)
    assert code is not None
    total = 0.0
    try:
        write(file, code)
        for asked in mutant.rounds():
            verdict, took = run(tree, asked, limit)
            total += took
            if verdict != "passed":
                return mutant, "caught" if verdict == "failed" else "caught (endless)", total
        return mutant, "SURVIVED", total
    finally:
        write(file, source)
        trees.give(tree)


def try_whole(asked: tuple[str, ...], trees: Trees, limit: float) -> tuple[str, float]:
    """Run the tests ``asked`` on the unchanged code. Return the result and the seconds."""
    tree = trees.take()
    try:
        return run(tree, list(asked), limit)
    finally:
        trees.give(tree)


def show(mutant: Mutant) -> str:
    """Return the change as a diff."""
    before = (ROOT / mutant.file).read_text(encoding="utf-8")
    after = operator_applied(before, mutant.operator, mutant.occurrence) or before
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), mutant.file, mutant.file, lineterm="", n=2
    )
    return "\n".join(lines)


def main() -> None:
    """Choose changes, try each of them, and print the verdicts."""
    ask = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ask.add_argument("--count", type=int, default=30, help="how many changes (30)")
    ask.add_argument("--seed", type=int, default=9, help="which (9)")
    ask.add_argument("--only", choices=AREAS, action="append", help="this area alone; may be given again")
    ask.add_argument("--workers", type=int, default=2, help="how many at a time (2)")
    ask.add_argument("--limit", type=float, default=600, help="seconds for the tests of one change (600)")
    given = ask.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    chosen = choose(given.only or AREAS, given.count, given.seed)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="spelunke-mutate-"))
        stack.callback(lambda: [end(process) for process in tuple(running)])
        trees = Trees(Path(folder), given.workers)
        rounds = {tuple(asked) for mutant in chosen for asked in mutant.rounds()}
        pool = ThreadPoolExecutor(given.workers)
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        for asked, (verdict, took) in pool.map(
            lambda asked: (asked, try_whole(asked, trees, given.limit)), sorted(rounds)
        ):
            print(f"unchanged: {verdict:8} {took:5.0f} s  {' '.join(asked)}", flush=True)
            if verdict != "passed":
                raise SystemExit(1)
        found = []
        for mutant, verdict, took in pool.map(lambda one: attempt(one, trees, given.limit), chosen):
            found.append((mutant, verdict))
            place = f"{mutant.file.removeprefix('src/spelunke/')}:{mutant.line}"
            print(f"{verdict:16} {took:5.0f} s  {place:40} {tell(mutant)}", flush=True)
    for area in AREAS:
        mine = [verdict for mutant, verdict in found if mutant.area == area]
        if mine:
            print(f"{area}: {sum(verdict != 'SURVIVED' for verdict in mine)} of {len(mine)} caught")
    for mutant, verdict in found:
        if verdict == "SURVIVED":
            print(f"\n{show(mutant)}")


if __name__ == "__main__":
    main()
