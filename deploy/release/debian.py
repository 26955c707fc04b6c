"""Build the Debian package: the wheel in a virtual environment, the units of deploy/systemd, and a user.

The package's metadata, scripts and settings are in deploy/debian. The package holds libraries that are compiled for
Debian's minor version of Python, so it depends on exactly this version.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import textwrap
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path

from release import changelog
from release.building import uv
from release.shell import Failed, run

PYTHON = Path("/usr/bin/python3")
HOME = "usr/lib/spelunke"
SCRIPTS = ("postinst", "prerm", "postrm")
CONFIGURED = ("etc/spelunke/environment",)


class NoDebian(Exception):
    """Raised if this machine can't build the package. Its text is a sentence with the reason."""


def check_debian() -> None:
    """Raise NoDebian if this machine cannot build the package."""
    if shutil.which("dpkg-deb") is None or not PYTHON.exists():
        raise NoDebian("No Debian package was made: dpkg-deb and Debian's python3 are needed.")


def build_package(wheel: Path, folder: Path, scratch: Path, out: Path, version: str, made: datetime) -> Path:
    """Build spelunke_VERSION-1_ARCHITECTURE.deb from a wheel and text files of the clone in ``folder``."""
    root = scratch / "debian"
    shutil.rmtree(root, ignore_errors=True)
    minor = run([PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]).strip()
    architecture = run(["dpkg", "--print-architecture"]).strip()
    _install(wheel, folder, root)
    _place(folder, root, version, made)
    size = sum(file.lstat().st_size for file in root.rglob("*") if file.is_file()) // 1024
    _control(
        folder,
        root,
        {
            "VERSION": f"{version}-1",
            "ARCHITECTURE": architecture,
            "SIZE": str(size),
            "PYTHON": minor,
            "NEXT": f"3.{int(minor.split('.')[1]) + 1}",
        },
    )
    for place in [root, *root.rglob("*")]:
        if not place.is_symlink():
            place.chmod(0o755 if place.is_dir() or _runs(place, root) else 0o644)
    package = out / f"spelunke_{version}-1_{architecture}.deb"
    run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package],
        more={"SOURCE_DATE_EPOCH": str(int(made.timestamp()))},
    )
    return package


def _install(wheel: Path, folder: Path, root: Path) -> None:
    """Install the wheel into the package's virtual environment, which works only in /usr/lib/spelunke."""
    home = root / HOME
    run([*uv(), "venv", "-q", "--python", PYTHON, home])
    constraints = folder / "constraints.txt"
    run([*uv(), "pip", "install", "-q", "--python", home / "bin/python", "-c", constraints, wheel])
    for file in home.glob("lib/python*/site-packages/spelunke-*/direct_url.json"):
        file.unlink()  # it names a folder of this machine
    for name in ("CACHEDIR.TAG", ".gitignore", ".lock"):
        (home / name).unlink(missing_ok=True)
    for file in (home / "bin").iterdir():
        if file.name not in {"python", "python3", "spelunke"}:
            file.unlink()
    python = home / "bin/python"
    python.unlink()
    python.symlink_to(PYTHON)
    script = home / "bin/spelunke"
    _, _, body = script.read_text(encoding="utf-8").partition("\nimport ")
    script.write_text(f"#!/{HOME}/bin/python\nimport {body}", encoding="utf-8")
    settings = home / "pyvenv.cfg"
    text = re.sub(r"^home = .*$", "home = /usr/bin", settings.read_text(encoding="utf-8"), flags=re.MULTILINE)
    settings.write_text(text, encoding="utf-8")
    for place in [*home.rglob("__pycache__"), home / "share"]:  # bytecode, and other packages' manual pages
        shutil.rmtree(place, ignore_errors=True)


def _place(folder: Path, root: Path, version: str, made: datetime) -> None:
    """Put systemd units, settings and documents into the folders that Debian has for them."""
    units, settings = root / "usr/lib/systemd/system", root / "etc/spelunke"
    documents = root / "usr/share/doc/spelunke"
    for place in (units, settings, documents, root / "usr/bin", root / "usr/share/lintian/overrides"):
        place.mkdir(parents=True)
    for unit in sorted((folder / "deploy/systemd").glob("spelunke*")):
        text = unit.read_text(encoding="utf-8").replace("/opt/spelunke/bin/spelunke", "/usr/bin/spelunke")
        (units / unit.name).write_text(text, encoding="utf-8")
    shutil.copy(folder / "deploy/debian/environment", settings / "environment")
    (root / "usr/bin/spelunke").symlink_to(os.path.relpath(root / HOME / "bin/spelunke", root / "usr/bin"))
    shutil.copy(folder / "deploy/debian/copyright", documents / "copyright")
    shutil.copy(folder / "deploy/debian/lintian-overrides", root / "usr/share/lintian/overrides/spelunke")
    notes = changelog.notes((folder / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    lines = [line[2:] for line in notes.splitlines() if line.startswith("- ")]
    text = f"spelunke ({version}-1) stable; urgency=medium\n\n"
    for line in lines:
        text += textwrap.fill(line, 78, initial_indent="  * ", subsequent_indent="    ") + "\n"
    text += f"\n -- Spelunke contributors <spelunke@house.example>  {format_datetime(made)}\n"
    with gzip.GzipFile(documents / "changelog.Debian.gz", "wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())


def _control(folder: Path, root: Path, values: dict[str, str]) -> None:
    place = root / "DEBIAN"
    place.mkdir()
    text = (folder / "deploy/debian/control").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    if left := re.findall(r"@[A-Z]+@", text):
        raise Failed(f"deploy/debian/control has {', '.join(left)}, which the release does not know.")
    (place / "control").write_text(text, encoding="utf-8")
    (place / "conffiles").write_text("".join(f"/{name}\n" for name in CONFIGURED), encoding="utf-8")
    for name in SCRIPTS:
        shutil.copy(folder / "deploy/debian" / name, place / name)


def _runs(file: Path, root: Path) -> bool:
    """Return whether a file of the package is a program."""
    return file.parent == root / HOME / "bin" or (file.parent.name == "DEBIAN" and file.name in SCRIPTS)
