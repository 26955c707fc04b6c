"""A dry run of the whole release, in a clone of this checkout: everything is built twice, signed, and listed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from release.changelog import unreleased
from release.checks import current, following
from release.image import NoImage, find_builder

from spelunke.ahead.targets import TARGETS

ROOT = Path(__file__).parents[2]
CONFIGURED = ("/etc/pip.conf", "/etc/ssl/certs", "/usr/local/share/ca-certificates")
"""The files in which a machine names its package sources; the image's build uses them as well."""


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a dry run of a release from the newest commit, and return the folder with its files."""
    clone = tmp_path_factory.mktemp("release") / "checkout"
    run("git", "clone", "-q", "--no-hardlinks", ROOT, clone, folder=ROOT)
    run("git", "checkout", "-q", "-B", "main", folder=clone)
    log = clone / "CHANGELOG.md"
    if not unreleased(log.read_text(encoding="utf-8")):  # right after a release
        text = log.read_text(encoding="utf-8")
        log.write_text(
            text.replace("## Unreleased\n", "## Unreleased\n\n### Fixed\n\n- A test.\n", 1), encoding="utf-8"
        )
        who = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
        run("git", *who, "commit", "-q", "-a", "-m", "Have something to release", folder=clone)
    before = run("git", "for-each-ref", folder=clone)
    options = " ".join(f"--volume {name}:{name}:ro" for name in CONFIGURED if Path(name).exists())
    command = [sys.executable, "-m", "release", "--dry-run", "--root", str(clone), "--image-options", options]
    environment = {**os.environ, "PYTHONPATH": str(clone / "deploy")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert run("git", "for-each-ref", folder=clone) == before
    assert run("git", "status", "--porcelain", folder=clone) == ""
    return clone / f"build/release/spelunke-{following(current(ROOT))}"


pytestmark = pytest.mark.deep(minutes=60)


def test_a_dry_run_makes_all_files_of_a_release(made: Path, tmp_path: Path) -> None:
    version = made.name.removeprefix("spelunke-")
    run("sha256sum", "--check", "--strict", "SHA256SUMS", folder=made)
    check_wheels(made, version)
    check_bill(made / f"spelunke-{version}.cdx.json", version)
    check_formula(made, tmp_path)
    if shutil.which("dpkg-deb"):
        check_package(next(made.glob("*.deb")), version, tmp_path)
    try:
        find_builder()
    except NoImage:
        return
    with tarfile.open(made / f"spelunke-{version}-image.tar.gz") as image:
        assert {"index.json", "manifest.json"} & {name.removeprefix("./") for name in image.getnames()}


def check_wheels(made: Path, version: str) -> None:
    wheels = sorted(made.glob("*.whl"))
    assert len(wheels) == len(TARGETS)
    for file in wheels:
        check_wheel_of(file, ".dll" if "-win_" in file.name else ".so")
    with tarfile.open(made / f"spelunke-{version}.tar.gz") as sources:
        assert f"spelunke-{version}/tests/compatibility/{version}/house.sql" in sources.getnames()


def check_wheel_of(file: Path, suffix: str) -> None:
    with zipfile.ZipFile(file) as wheel:
        names = set(wheel.namelist())
        times = {info.date_time for info in wheel.infolist()}
        for name in names:
            if name.endswith((".so", ".dll", ".pyd", ".json", ".py", ".wasm")):
                assert b"spelunke-release-" not in wheel.read(name), f"{name} names the folder of its build"
    for game in ("shanghaien", "halunken", "sanghai"):
        assert f"spelunke/native/{game}{suffix}" in names
        assert f"spelunke/web/modules/{game}.wasm" in names
    assert len(times) == 1


def check_bill(file: Path, version: str) -> None:
    bill = json.loads(file.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    root = bill["metadata"]["component"]
    assert (root["name"], root["version"]) == ("spelunke", version)
    found = {one["name"] for one in bill["components"]}
    assert {"numpy", "starlette", "sqlalchemy", "htmx.org", "sortablejs"} <= {name.lower() for name in found}
    assert "numba" not in found
    assert "file://" not in file.read_text(encoding="utf-8")


def check_formula(made: Path, folder: Path) -> None:
    text = (made / "spelunke.rb").read_text(encoding="utf-8")
    (digest,) = re.findall(r'^  sha256 "([0-9a-f]{64})"$', text, re.MULTILINE)
    sums = (made / "SHA256SUMS").read_text(encoding="utf-8")
    assert re.search(rf"^{digest}  spelunke-[\d.]+\.tar\.gz$", sums, re.MULTILINE)
    if ruby := shutil.which("ruby"):
        assert "Syntax OK" in run(ruby, "-c", made / "spelunke.rb", folder=folder)


def check_package(package: Path, version: str, folder: Path) -> None:
    assert run("dpkg-deb", "--field", package, "Version", folder=folder).strip() == f"{version}-1"
    root = folder / "root"
    run("dpkg-deb", "--extract", package, root, folder=folder)
    # The environment is found from its program, so it also runs from another folder than its own.
    said = run(root / "usr/lib/spelunke/bin/python", "-m", "spelunke.cli", "--version", folder=folder)
    assert version in said
    for unit in (root / "usr/lib/systemd/system").iterdir():
        assert "/opt/" not in unit.read_text(encoding="utf-8")
    if lintian := shutil.which("lintian"):
        done = subprocess.run(
            [lintian, "--fail-on", "none", "--tag-display-limit", "0", str(package)],
            capture_output=True,
            text=True,
            check=False,
        )
        errors = re.findall(r"^E: spelunke: (\S+)", done.stdout, re.MULTILINE)
        assert errors == [], done.stdout
