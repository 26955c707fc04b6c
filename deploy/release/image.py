"""Build the container image from the wheel of the release, with the builder that this machine has."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Sequence
from pathlib import Path

from release.shell import run, succeeds


class NoImage(Exception):
    """Raised if this machine has no program that builds images. Its text is a sentence with the reason."""


def find_builder() -> str:
    """Return ``docker`` if its daemon answers, else ``buildah``. Raise NoImage if this machine has neither."""
    if succeeds(["docker", "info"]):
        return "docker"
    if shutil.which("buildah"):
        return "buildah"
    raise NoImage("No container image was made: no Docker daemon answers here, and buildah is not installed.")


def build_image(
    builder: str, wheel: Path, clone: Path, scratch: Path, version: str, options: Sequence[str]
) -> Path:
    """Build the image from a wheel in the folder of a clone, and write it as an archive that docker and podman load."""
    (clone / "dist").mkdir(exist_ok=True)
    shutil.copy(wheel, clone / "dist")
    package, name = f"dist/{wheel.name}", f"spelunke:{version}"
    archive = scratch / f"spelunke-{version}-image.tar"
    if builder == "docker":
        parts = ["--file", "deploy/Containerfile", "--build-arg", f"PACKAGE={package}", "--tag", name]
        run(["docker", "build", "--quiet", *parts, *options, "."], clone)
        run(["docker", "save", "--output", archive, name])
    else:
        base = ["--from-debian"] if shutil.which("mmdebstrap") else []
        environment = {"STORAGE_DRIVER": "vfs"} | _store(scratch)
        more = ["--build-arg", f"PACKAGE={package}", *options]
        run(["deploy/build-image", *base, "--tag", name, *more], clone, more=environment)
        run(["buildah", "push", "--quiet", name, f"oci-archive:{archive}:{name}"], more=environment)
        run(["buildah", "rmi", "--all", "--force"], more=environment)
    packed = archive.with_suffix(".tar.gz")
    with archive.open("rb") as source, gzip.GzipFile(packed, "wb", compresslevel=6, mtime=0) as target:
        shutil.copyfileobj(source, target)
    archive.unlink()
    return packed


def _store(scratch: Path) -> dict[str, str]:
    """Return environment variables that put the store of container images into the temporary folder."""
    file = scratch / "storage.conf"
    lines = [
        "[storage]",
        'driver = "vfs"',
        f'graphroot = "{scratch / "images"}"',
        f'runroot = "{scratch / "images-run"}"',
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"CONTAINERS_STORAGE_CONF": str(file)}
