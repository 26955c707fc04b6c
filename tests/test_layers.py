"""Imports between layers run one way, and nothing outside a game's folder knows that game."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src" / "spelunke"
TOOLKITS = frozenset({"core", "boards", "analysis"})
BELOW_ARENA = TOOLKITS | {"games", "records", "solvers", "bots"}
# Each layer and the layers that it may import, besides itself. A new folder of src/spelunke gets its line here.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "core": frozenset(),
    # Three toolkits that games are made with: rules, boards (HTML), analysis.
    "boards": frozenset({"core"}),
    "analysis": frozenset({"core"}),
    "games": TOOLKITS,
    "records": TOOLKITS | {"games"},
    "solvers": frozenset({"core", "analysis", "games", "records"}),
    "bots": frozenset({"core", "analysis", "games", "records", "solvers"}),
    "arena": BELOW_ARENA,
    "adapters": frozenset({"core", "games", "records"}),
    "ahead": BELOW_ARENA | {"adapters"},
    "house": TOOLKITS | {"games", "records", "solvers", "bots"},
    "web": TOOLKITS | {"games", "records", "bots", "house"},
    # The terminal knows a server by its HTTP API alone.
    "tui": BELOW_ARENA,
    "cli": BELOW_ARENA | {"arena", "adapters", "house", "web", "tui"},
    # The public names, for those who use the package as a library.
    "": BELOW_ARENA | {"arena", "adapters"},
}
# The packages of the house: each may import those before it. The other modules of `house/` (plan, messages,
# refusals) are its input and output; `house.py` wires all, `operations.py` lists what can be done with it.
HOUSE = (
    "refusals",
    "readable",
    "budgets",
    "plan",
    "messages",
    "table",
    "store",
    "outbox",
    "people",
    "notifications",
    "sight",
    "play",
    "study",
    "ratings",
    "lobby",
    "matching",
    "daily",
    "events",
    "work",
    "hosting",
    "backup",
    "inputs",
    "house",
    "operation",
    "operations",
)
# Files outside a game's folder that name a game, each with its reason. Ideally there are none.
MAY_NAME_A_GAME: dict[str, str] = {}
# The syntax that names modules.
READ = (ast.Call, ast.Constant, ast.Import, ast.ImportFrom)
# Downloaded, not ours.
NOT_OURS = {"web/static/vendor.js", "web/static/vendor.LICENSES.txt"}

GAMES = sorted(f.name for f in (SRC / "games").iterdir() if (f / "__init__.py").is_file())


@cache
def imports(file: Path) -> tuple[tuple[int, str], ...]:
    """Return line and dotted name of each import in ``file``, and of each string that is a module of this package.

    Each file is parsed once for all tests.
    """
    return tuple(imports_of(ast.parse(file.read_text(encoding="utf-8")), file))


def imports_of(tree: ast.Module, file: Path) -> Iterator[tuple[int, str]]:
    package = ["spelunke", *file.relative_to(SRC).parts[:-1]]
    nodes = [node for node in ast.walk(tree) if isinstance(node, READ)]
    loggers = {
        argument
        for node in nodes
        if isinstance(node, ast.Call) and name_of(node.func) == "get_logger"
        for argument in node.args
    }
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*up, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{name.name}") for name in node.names)
        elif (
            isinstance(node, ast.Constant)
            and node not in loggers
            and isinstance(node.value, str)
            and re.fullmatch(r"spelunke(\.\w+)+", node.value)
            # entry point groups are names of the package metadata, not modules
            and node.value != "spelunke.games"
        ):
            yield node.lineno, node.value


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def layer(dotted: str) -> str:
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else ""


def ours() -> Iterator[Path]:
    for file in sorted(SRC.rglob("*.py")):
        parts = file.relative_to(SRC).parts
        if not (parts[0] == "games" and "tests" in parts):
            yield file


def test_every_folder_has_a_layer() -> None:
    folders = {f.name for f in SRC.iterdir() if f.is_dir() and any(f.glob("*.py"))}
    assert folders <= set(MAY_IMPORT), "give the new folder its line in MAY_IMPORT"


def test_layers_import_only_permitted_layers() -> None:
    wrong = []
    seen = 0
    for file in ours():
        here = file.relative_to(SRC).parts[0] if file.parent != SRC else ""
        for line, dotted in imports(file):
            if dotted.split(".")[0] != "spelunke":
                continue
            there = layer(dotted)
            seen += 1
            # `spelunke` itself holds the public names: within the package, import each from its own module.
            if there == "" and dotted.endswith(".__version__"):
                continue
            if there != here and there not in MAY_IMPORT[here]:
                wrong.append(f"{file.relative_to(SRC)}:{line}: {here or 'the package'} imports {dotted}")
    assert wrong == []
    assert seen > 500


def test_the_packages_of_the_house_import_one_way() -> None:
    house = SRC / "house"
    found = {f.stem for f in house.glob("*.py") if f.stem != "__init__"} | {
        f.name for f in house.iterdir() if (f / "__init__.py").is_file()
    }
    assert found == set(HOUSE), "give the new package its place in HOUSE"
    wrong = []
    for file in sorted(house.rglob("*.py")):
        here = file.relative_to(house).parts[0].removesuffix(".py")
        for line, dotted in imports(file):
            there = dotted.removeprefix("spelunke.house.").split(".")[0]
            if here in HOUSE and there in HOUSE and HOUSE.index(there) > HOUSE.index(here):
                wrong.append(f"{file.relative_to(SRC)}:{line}: {here} imports {dotted}")
    assert wrong == []


def test_no_code_imports_modules_inside_another_package_of_the_house() -> None:
    """At the top of a file, imports name only the other package. Imports inside functions may name its modules."""
    house = SRC / "house"
    packages = {f.name for f in house.iterdir() if (f / "__init__.py").is_file()}
    wrong = []
    for file in ours():
        own = file.relative_to(house).parts[0] if file.is_relative_to(house) else ""
        text = file.read_text(encoding="utf-8")
        for node in ast.parse(text).body if "spelunke.house." in text else ():
            for one in node.body if isinstance(node, ast.If) else [node]:
                way = (
                    (getattr(one, "module", None) or "").split(".") if isinstance(one, ast.ImportFrom) else []
                )
                if way[:2] == ["spelunke", "house"] and len(way) > 3 and way[2] in packages - {own}:
                    wrong.append(f"{file.relative_to(SRC)}:{one.lineno}: imports {'.'.join(way)}")
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_only_toolkits_and_parts_of_the_same_game(game: str) -> None:
    others = tuple(f"spelunke.games.{name}." for name in GAMES if name != game)
    wrong = []
    for file in sorted((SRC / "games" / game).rglob("*.py")):
        if "tests" in file.relative_to(SRC).parts:
            continue
        for line, dotted in imports(file):
            if dotted.split(".")[0] != "spelunke":
                continue
            if layer(dotted) not in TOOLKITS | {"games"} or f"{dotted}.".startswith(others):
                wrong.append(f"{file.relative_to(SRC)}:{line}: imports {dotted}")
    assert wrong == []


def test_nothing_outside_a_games_folder_names_the_game() -> None:
    names = re.compile("|".join(map(re.escape, GAMES)), re.IGNORECASE)
    wrong = []
    for file in sorted(f for f in SRC.rglob("*") if f.is_file()):
        inside = file.relative_to(SRC)
        if inside.parts[0] == "games" and len(inside.parts) > 2:
            continue
        if (
            "__pycache__" in inside.parts
            or inside.as_posix() in NOT_OURS
            or inside.as_posix() in MAY_NAME_A_GAME
        ):
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        wrong += [
            f"{inside}:{number}: {line.strip()[:80]}"
            for number, line in enumerate(text.splitlines(), 1)
            if names.search(line)
        ]
    assert wrong == []


@cache
def graph() -> dict[str, set[str]]:
    """Return for each module the modules that it imports, also inside functions and for the type checker.

    Imports for the type checker count because two modules that need each other's types can't be understood
    separately, and because such an import easily becomes a real one. Their common part belongs in a module
    below them.
    """
    files = {".".join(("spelunke", *file.relative_to(SRC).with_suffix("").parts)): file for file in ours()}
    modules = {name.removesuffix(".__init__"): file for name, file in files.items()}
    found: dict[str, set[str]] = {}
    for name, file in modules.items():
        found[name] = set()
        for _, dotted in imports(file):
            # `from package import name`: the module of that name, or else the package. A package's own __init__,
            # which runs on the way to a module in it, does not count.
            there = dotted if dotted in modules else dotted.rpartition(".")[0]
            if there in modules and there != name:
                found[name].add(there)
    return found


def circles(needs: dict[str, set[str]]) -> list[list[str]]:
    """Return the sets of modules that all need each other, directly or not (Tarjan's components)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        path.append(name)
        for other in sorted(needs[name]):
            if other not in order:
                visit(other)
            if other in path:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == order[name]:
            ring = path[path.index(name) :]
            del path[path.index(name) :]
            if len(ring) > 1:
                found.append(sorted(ring))

    for name in sorted(needs):
        if name not in order:
            visit(name)
    return found


def test_the_check_finds_import_cycles() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"e"}, "e": {"a", "d"}}) == [
        ["b", "c"],
        ["d", "e"],
    ]


def test_no_modules_import_each_other_in_a_cycle() -> None:
    """Imports inside functions count too. They are there to make the start faster, and must not hide a cycle."""
    assert circles(graph()) == []


def test_no_module_in_the_wheel_imports_an_excluded_module() -> None:
    """The wheel needs no program that trains bots. These programs are only in the sources (pyproject.toml)."""
    build = tomllib.loads((SRC.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"][
        "build"
    ]
    left_out = {
        name.removeprefix("src/").removesuffix(".py").replace("/", ".")
        for name in build["targets"]["wheel"]["exclude"]
        if name.endswith(".py")
    }
    needs = graph()
    assert left_out <= set(needs), "a file that is left out is not there"
    assert len(left_out) > 3
    wrong = [
        f"{name} imports {other}"
        for name, others in sorted(needs.items())
        if name not in left_out
        for other in sorted(others & left_out)
    ]
    assert wrong == []


def test_each_file_on_the_allow_list_names_a_game() -> None:
    for name in MAY_NAME_A_GAME:
        text = (SRC / name).read_text(encoding="utf-8").lower()
        assert any(game in text for game in GAMES), f"{name} names no game any more: take it off the list"


def test_listing_the_games_does_not_load_the_compiler() -> None:
    """`spelunke --help`, the lobby and the docs list games; loading Numba for that would take a second."""
    code = (
        "import sys; from spelunke.games import shelf; games = shelf(); assert games; "
        "print(*sorted({'numba', 'sqlalchemy', 'starlette'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
