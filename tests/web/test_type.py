"""The typefaces are small, are preloaded from this server, and have the letters and digits that pages need."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fontTools.ttLib import TTFont
from starlette.testclient import TestClient

import spelunke.web

from .conftest import Server
from .test_browser import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STATIC = Path(spelunke.web.__file__).parent / "static"
MOST = 60_000
LETTERS = string.ascii_letters + "ÄÖÜäöüßÉÈÊËÀÂÇÎÏÔÙÛŸŒœéèêëàâçîïôùûÿìòóíúÅåŠšŽž„“”‚‘’–—…€−"
SIGNS = "✓✗★●○◆◂▸▾←→↑↓⇄☾☀♠♥♦♣"

_WIDTHS = """async (face) => {
  await document.fonts.ready;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = face;
  return [..."0123456789"].map((figure) => pen.measureText(figure).width);
}"""
_GAPS = """async (face) => {
  await document.fonts.ready;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = face;
  return [..."♠♥♦♣"].flatMap((sign) => {
    const drawn = pen.measureText(sign);
    return [-drawn.actualBoundingBoxLeft, drawn.width - drawn.actualBoundingBoxRight];
  });
}"""
_MISSING = """async ([families, letters]) => {
  const found = [];
  for (const family of families) {
    await document.fonts.load(`400 20px "${family}"`, letters);
    const pen = document.createElement("canvas").getContext("2d");
    for (const letter of letters) {
      const width = (rest) => { pen.font = `400 40px "${family}", ${rest}`; return pen.measureText(letter).width; };
      if (Math.abs(width("monospace") - width("sans-serif")) > 0.01) found.push(letter);
    }
  }
  return found;
}"""


def test_all_typefaces_together_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in STATIC.glob("*.woff2")}
    assert len(sizes) == 4
    assert sum(sizes.values()) <= MOST, sizes
    licences = (STATIC / "fonts.LICENSES.txt").read_text(encoding="utf-8")
    assert licences.count("SIL OPEN FONT LICENSE Version 1.1") == 2


def test_a_space_between_words_is_half_as_wide_as_a_figure() -> None:
    font = TTFont(STATIC / "alegreya.woff2")
    names, widths = font.getBestCmap(), font["hmtx"]
    assert widths[names[ord(" ")]][0] >= widths[names[ord("5")]][0] / 2


def test_a_page_preloads_the_addresses_that_its_style_sheet_uses(client: TestClient) -> None:
    page = client.get("/").text
    loaded = re.findall(r'<link rel="preload" href="([^"]+)" as="font"', page)
    sheet = client.get(re.findall(r'href="(/static/house.css[^"]+)"', page)[0]).text
    assert len(loaded) == 2
    for address in loaded:
        assert f'url("{address}")' in sheet
        answer = client.get(address)
        assert answer.headers["content-type"] == "font/woff2"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.content[:4] == b"wOF2"
    used = set(re.findall(r'url\("?([^")]+)', sheet))
    assert all(address.startswith("/static/") and "?v=" in address for address in used), used


@pytest.mark.deep
def test_figures_have_one_width_and_no_letter_is_missing(browser: Browser, server: Server) -> None:
    with person(browser, (1280, 800)) as page:
        page.goto(server.url)
        for face in ('400 40px "House Text"', '700 40px "House Text"', '700 40px "House Slab"'):
            page.evaluate("(face) => document.fonts.load(face)", face)
            widths = page.evaluate(_WIDTHS, face)
            assert len({round(width, 2) for width in widths}) == 1, (face, widths)
        assert page.evaluate(_MISSING, [["House Text", "House Slab"], LETTERS + SIGNS]) == []


def test_no_space_seems_to_follow_the_sign_of_a_card(browser: Browser, server: Server) -> None:
    with person(browser, (1280, 800)) as page:
        page.goto(server.url)
        for face in ('400 100px "House Text"', '700 100px "House Text"', '700 100px "House Slab"'):
            page.evaluate("(face) => document.fonts.load(face)", face)
            gaps = page.evaluate(_GAPS, face)
            assert max(gaps) <= 6, (face, gaps)
