"""Hooks: mistakes in a game's hooks are refused when the registry opens, and docs/hooks.md agrees with the code."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spelunke.core.errors import BadGame
from spelunke.games import hooks as page
from spelunke.games import shelf
from spelunke.games.checks import check_hooks
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks, hook_names

ROOT = Path(__file__).resolve().parent.parent
GAMES = shelf().values()
each_hook = pytest.mark.parametrize("name", hook_names())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
HEAD = "from spelunke.games.hooks import Hooks\n\n\nclass RaftHooks(Hooks):\n"


@pytest.fixture
def raft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Yield a function that installs a game's package with the given text as ``hooks.py``.

    The function returns the name of the game.
    """

    def write(hooks: str) -> str:
        folder = tmp_path / "raft"
        folder.mkdir()
        card = 'GAME = Game(name="raft", title="Raft", package=__name__, seats=(2,), version=1)\n'
        (folder / "__init__.py").write_text(f"from spelunke.games.game import Game\n{card}")
        (folder / "hooks.py").write_text(hooks)
        told = tmp_path / "raft-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text("Metadata-Version: 2.1\nName: raft\nVersion: 1.0\n")
        (told / "entry_points.txt").write_text("[spelunke.games]\nraft = raft:GAME\n")
        monkeypatch.syspath_prepend(tmp_path)
        shelf.cache_clear()
        return "raft"

    yield write
    shelf.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "raft"]:
        del sys.modules[name]


def methods(*parts: str) -> str:
    return HEAD + textwrap.indent("\n".join(parts), "    ") + "\n\n\nHOOKS = RaftHooks()\n"


def test_a_game_with_valid_hooks_is_accepted(raft: Callable[[str], str]) -> None:
    raft(
        methods(
            "def prompt(self, scene):", "    return self._words()", "def _words(self):", "    return 'Row!'"
        )
    )
    hooks = shelf()["raft"].hooks
    assert hooks.has(Hooks.prompt)
    assert not hooks.has(Hooks.render_board)
    assert shelf()["raft"].hooks is hooks, "the file is loaded once"


@pytest.mark.parametrize(
    ("hooks", "sentence"),
    [
        pytest.param(
            methods("def promt(self, scene):", "    return ''"),
            "raft.hooks: there is no hook 'promt'; begin the name of a helper with _, or use one of answer_window_ms, ",
            id="misspelt",
        ),
        pytest.param(
            methods("def prompt(self, stage):", "    return ''"),
            "raft.hooks: the hook 'prompt' takes (self, scene), not (self, stage)",
            id="another parameter",
        ),
        pytest.param(
            methods("def prompt(self):", "    return ''"),
            "raft.hooks: the hook 'prompt' takes (self, scene), not (self)",
            id="a parameter is missing",
        ),
        pytest.param(
            methods("def prompt(self, scene, *more, loud=False):", "    return ''"),
            "raft.hooks: the hook 'prompt' takes (self, scene), not (self, scene, more, loud)",
            id="more parameters",
        ),
        pytest.param(
            methods("async def prompt(self, scene):", "    return ''"),
            "raft.hooks: the hook 'prompt' is called and not awaited: write def, not async def",
            id="async",
        ),
        pytest.param(
            methods("prompt = str"),
            "raft.hooks: 'prompt' is not a method; write a hook as a method, and begin any other name with _",
            id="no method",
        ),
        pytest.param(
            HEAD + "    pass\n",
            "raft.hooks: this file must define HOOKS, an instance of Hooks",
            id="no HOOKS",
        ),
    ],
)
def test_wrongly_written_hooks_are_refused_when_the_games_are_listed(
    raft: Callable[[str], str], hooks: str, sentence: str
) -> None:
    package = raft(hooks)
    for ask in (shelf, lambda: check_hooks(package)):
        with pytest.raises(BadGame) as refusal:
            ask()
        assert str(refusal.value).startswith(sentence)
    assert "raft.hooks" not in sys.modules, "it was read and not run"


def test_hooks_of_another_type_are_refused_when_loaded(raft: Callable[[str], str]) -> None:
    raft("HOOKS = 'none'\n")
    with pytest.raises(BadGame, match=r"raft\.hooks: this file must define HOOKS, an instance of Hooks"):
        _ = shelf()["raft"].hooks


def test_a_game_without_hooks_has_the_defaults(raft: Callable[[str], str], tmp_path: Path) -> None:
    raft("")
    (tmp_path / "raft" / "hooks.py").unlink()
    hooks = shelf()["raft"].hooks
    assert type(hooks) is Hooks
    assert not any(hooks.has(vars(Hooks)[name]) for name in hook_names())


@each_game
def test_each_game_defines_only_documented_hooks(game: Game) -> None:
    own = [name for kind in type(game.hooks).__mro__ for name in vars(kind) if kind not in Hooks.__mro__]
    public = {name for name in own if not name.startswith("_")}
    assert public <= set(hook_names())
    for name in public:
        mine, theirs = vars(type(game.hooks))[name], vars(Hooks)[name]
        assert list(inspect.signature(mine).parameters) == list(inspect.signature(theirs).parameters), name
        assert not inspect.iscoroutinefunction(mine), name
        assert game.hooks.has(theirs)


def declared() -> dict[str, ast.FunctionDef]:
    tree = ast.parse(Path(page.__file__).read_text(encoding="utf-8"))
    (hooks,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Hooks")
    return {part.name: part for part in hooks.body if isinstance(part, ast.FunctionDef)}


def told() -> dict[str, str]:
    """Return the text below each hook's heading in the docs."""
    text = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
    parts = re.split(r"^### (\w+)\n", text, flags=re.MULTILINE)
    return dict(
        zip(
            parts[1::2], (re.split(r"^## ", part, flags=re.MULTILINE)[0] for part in parts[2::2]), strict=True
        )
    )


def test_the_docs_list_exactly_the_hooks_in_the_order_of_the_code() -> None:
    assert tuple(told()) == hook_names()


@each_hook
def test_the_docs_show_the_signature_of_each_hook(name: str) -> None:
    text = told()[name]
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (written,) = ast.parse(code).body
    assert isinstance(written, ast.FunctionDef)
    assert written.name == name
    assert ast.unparse(written.args) == ast.unparse(declared()[name].args)
    assert written.returns is not None
    assert ast.unparse(written.returns) == ast.unparse(declared()[name].returns or ast.Constant(None))
    for part in ("\nCalled ", "\nDefault: "):
        assert part in text, f"docs/hooks.md doesn't say of {name}:{part}"


@each_hook
def test_the_docstring_of_each_hook_names_the_default(name: str) -> None:
    said = inspect.getdoc(vars(Hooks)[name]) or ""
    assert "Default: " in said, name
