"""Write the Homebrew formula of a release from deploy/homebrew/spelunke.rb."""

from __future__ import annotations

from pathlib import Path

from release.shell import Failed


def write_formula(folder: Path, out: Path, version: str, address: str, sha256: str) -> Path:
    """Fill the address and the digest of the sources into the formula."""
    text = (folder / "deploy/homebrew/spelunke.rb").read_text(encoding="utf-8")
    for name, value in {"@URL@": address, "@SHA256@": sha256}.items():
        if text.count(name) != 1:
            raise Failed(f"deploy/homebrew/spelunke.rb needs {name} once.")
        text = text.replace(name, value)
    if version not in address:
        raise Failed(f"Homebrew reads the version from the address, and {address} has no {version}.")
    file = out / "spelunke.rb"
    file.write_text(text, encoding="utf-8")
    return file
