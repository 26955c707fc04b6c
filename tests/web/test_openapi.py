"""The API keeps the promises of its document, and the document is published."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from spelunke.web.openapi import write_openapi

DOCUMENT = write_openapi("0")


@pytest.mark.deep
def test_answers_are_as_documented() -> None:
    """The API passes Schemathesis, in a process of its own.

    Schemathesis makes its cases when pytest collects tests. Here, each pytest worker would make them again.
    """
    operations = sum(len(path) for name, path in DOCUMENT["paths"].items() if not name.endswith("/stream"))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-p",
            "schemathesis",
            str(Path(__file__).with_name("api_cases.py")),
        ],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) == operations > 20


def test_the_document_is_published(client: TestClient) -> None:
    served = client.get("/api/v1/openapi.json").json()
    kept = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text(encoding="utf-8"))
    for document in (served, kept):
        document["info"].pop("version")
    assert served == kept, "docs/openapi.json is stale: write it with `python -m spelunke.web.openapi`"


def test_every_operation_has_a_unique_name_and_a_description() -> None:
    operations = [operation for path in DOCUMENT["paths"].values() for operation in path.values()]
    assert len(operations) > 20
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    for operation in operations:
        assert operation["summary"][0].isupper()
        assert all(answer["description"].strip() for answer in operation["responses"].values())
