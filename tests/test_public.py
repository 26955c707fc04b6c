"""The public names: they exist, they load on first use, and importing the package is cheap."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import spelunke

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", spelunke.__all__)
def test_each_public_name_has_a_docstring_and_documentation(name: str) -> None:
    found = getattr(spelunke, name)
    assert found.__doc__
    assert name in (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert name in dir(spelunke)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="moonlight"):
        _ = spelunke.moonlight


def test_importing_the_package_loads_neither_numpy_nor_numba() -> None:
    code = "import sys, spelunke; print(sorted({'numpy', 'numba', 'msgspec'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
