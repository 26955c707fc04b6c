"""Files and pages are compressed if that reveals nothing: docs/why/compression.md."""

from __future__ import annotations

import gzip
import re

import brotli
import pytest
from starlette.testclient import TestClient

from spelunke.web.compressing import choose_coding


@pytest.mark.parametrize(
    ("accept", "coding"),
    [
        ("", ""),
        ("identity", ""),
        ("gzip", "gzip"),
        ("gzip, deflate, br", "br"),
        ("gzip;q=1.0, br;q=0.5", "br"),
        ("br;q=0, gzip", "gzip"),
        ("BR;q=0.0, GZIP ; q=0.1", "gzip"),
        ("gzip;q=0,br;q=0.000", ""),
        ("deflate, zstd", ""),
        ("*", ""),
        ("gzip;;;,br x", ""),
    ],
)
def test_the_shortest_coding_that_the_reader_takes_is_chosen(accept: str, coding: str) -> None:
    assert choose_coding(accept) == coding


def _raw(client: TestClient, path: str, **headers: str) -> tuple[bytes, dict[str, str]]:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    with client.stream("GET", path, headers=given) as answer:
        assert answer.status_code == 200
        return b"".join(answer.iter_raw()), dict(answer.headers)


def test_a_file_is_the_same_in_every_coding(client: TestClient) -> None:
    page = client.get("/").text
    for path in re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js)[^"]*)"', page):
        plain, head = _raw(client, path, accept_encoding="identity")
        assert "content-encoding" not in head
        assert head["vary"] == "accept-encoding"
        for coding, read in (("br", brotli.decompress), ("gzip", gzip.decompress)):
            body, head = _raw(client, path, accept_encoding=coding)
            assert head["content-encoding"] == coding
            assert head["vary"] == "accept-encoding"
            assert int(head["content-length"]) == len(body) < len(plain)
            assert read(body) == plain
            assert "immutable" in head["cache-control"]


def test_a_file_that_compression_would_not_shrink_is_sent_uncompressed(client: TestClient) -> None:
    body, head = _raw(client, "/static/icon-192.png", accept_encoding="br, gzip")
    assert "content-encoding" not in head
    assert body.startswith(b"\x89PNG")


def test_pages_are_compressed_and_never_kept(client: TestClient) -> None:
    plain, _head = _raw(client, "/", accept_encoding="identity")
    for coding, read in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        body, head = _raw(client, "/", accept_encoding=coding)
        assert head["content-encoding"] == coding
        assert head["cache-control"] == "no-store"
        assert "accept-encoding" in head["vary"]
        assert len(body) * 3 < len(plain)
        assert read(body) == plain


def test_a_page_that_another_site_opens_for_somebody_known_is_not_compressed(client: TestClient) -> None:
    """The length of a compressed page would reveal its contents to the other site (BREACH)."""
    client.base_url = client.base_url.copy_with(scheme="https")
    client.post("/tables", data={"game": "shanghaien", "quick": "link"}, headers={"sec-fetch-site": "none"})
    for site in ("cross-site", "same-site", ""):
        headers = {"accept_encoding": "br, gzip"} | ({"sec_fetch_site": site} if site else {})
        assert "content-encoding" not in _raw(client, "/", **headers)[1]
    for site in ("same-origin", "none"):
        head = _raw(client, "/", accept_encoding="br, gzip", sec_fetch_site=site)[1]
        assert head["content-encoding"] == "br"
    client.cookies.clear()
    head = _raw(client, "/", accept_encoding="br, gzip", sec_fetch_site="cross-site")[1]
    assert head["content-encoding"] == "br", "of a stranger the page holds nothing"
