"""Write the software bill of materials: all parts of an installation of the wheel, in CycloneDX."""

from __future__ import annotations

import base64
import json
import sys
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

from release.building import uv
from release.shell import Failed, run

SPACE = uuid.UUID("7b1f0f0e-2f5d-5c1a-9a55-0f6d3f9f3c11")
"""The namespace of serial numbers, so that a release always gets the same one."""


def write_bill(wheel: Path, folder: Path, scratch: Path, version: str, made: datetime) -> Path:
    """Install a wheel and the packages that it needs into an empty environment. Write the bill of materials.

    The bill lists the installed packages, and the libraries from npm that the website uses. ``folder`` is the clone
    that the wheel was built from. Its constraints.txt gives the versions of the packages. Return the written file.
    """
    environment = scratch / "installed"
    run([*uv(), "venv", "-q", "--python", sys.executable, environment])
    python = environment / "bin/python"
    run([*uv(), "pip", "install", "-q", "--python", python, "-c", folder / "constraints.txt", wheel])
    for file in environment.glob("lib/python*/site-packages/spelunke-*/direct_url.json"):
        file.unlink()  # it names a folder of this machine
    found = scratch / "environment.json"
    run(
        [
            *(Path(sys.executable).parent / "cyclonedx-py", "environment", "--output-reproducible"),
            *("--pyproject", folder / "pyproject.toml", "--sv", "1.6", "--of", "JSON", "-o", found, python),
        ]
    )
    bill = json.loads(found.read_text(encoding="utf-8"))
    text = _complete(bill, _scripts(folder), version, made)
    target = scratch / f"spelunke-{version}.cdx.json"
    target.write_text(text, encoding="utf-8")
    return target


def _scripts(folder: Path) -> list[Any]:
    """Return the libraries from npm that the pages use (package-lock.json), as components."""
    from cyclonedx.factory.license import LicenseFactory
    from cyclonedx.model import HashAlgorithm, HashType
    from cyclonedx.model.component import Component, ComponentType
    from packageurl import PackageURL

    wanted = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    found = []
    for name in sorted(wanted):
        entry = lock[f"node_modules/{name}"]
        kind, _, content = entry["integrity"].partition("-")
        algorithm = {"sha512": HashAlgorithm.SHA_512, "sha256": HashAlgorithm.SHA_256}[kind]
        found.append(
            Component(
                name=name,
                version=entry["version"],
                type=ComponentType.LIBRARY,
                bom_ref=f"npm:{name}@{entry['version']}",
                purl=PackageURL("npm", None, name, entry["version"]),
                licenses=[LicenseFactory().make_from_string(entry["license"])]
                if "license" in entry
                else None,
                hashes=[HashType(alg=algorithm, content=base64.b64decode(content).hex())],
            )
        )
    return found


def _complete(bill: dict[str, Any], scripts: list[Any], version: str, made: datetime) -> str:
    """Return the bill of materials with the scripts, a serial number and a date added.

    Raise Failed if the result is not a valid bill of materials.
    """
    from cyclonedx.model.bom import Bom
    from cyclonedx.output import make_outputter
    from cyclonedx.schema import OutputFormat, SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    reader: Any = Bom
    bom = reader.from_json(bill)
    bom.serial_number = uuid.uuid5(SPACE, version)
    bom.metadata.timestamp = made
    root = bom.metadata.component
    for script in scripts:
        bom.components.add(script)
    if root is not None:
        bom.register_dependency(root, [*scripts, *_direct(bom, root)])
    outputter = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6)
    text = str(outputter.output_as_string(indent=2)) + "\n"
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise Failed(f"The bill of materials is not valid CycloneDX 1.6: {wrong}")
    return text


def _direct(bom: Any, root: Any) -> list[Any]:
    """Return the components that the bill already names as direct dependencies of its root."""
    known = {component.bom_ref: component for component in bom.components}
    for dependency in bom.dependencies:
        if dependency.ref == root.bom_ref:
            return [known[one.ref] for one in dependency.dependencies if one.ref in known]
    return []
