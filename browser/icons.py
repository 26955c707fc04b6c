"""Draw the site's icon in the sizes that phones ask for: `python browser/icons.py`, with Chromium and Playwright.

The icon is `icon.svg`, a lantern. Some phones cut icons to their own shape (the maskable icon, and the one for
Apple). In these icons the background reaches the edge, and the lantern is within the inner circle that every
shape keeps.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parent.parent / "src" / "spelunke" / "web" / "static"
ROUND = 'rx="7" '
SIZES = {"icon-192.png": (192, True), "icon-512.png": (512, True)}
WHOLE = {"icon-whole-512.png": (512, False), "icon-apple.png": (180, False)}


def draw() -> None:
    """Write all icons."""
    sign = (STATIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=found, args=["--headless", "--no-sandbox"])
        for name, (size, rounded) in (SIZES | WHOLE).items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = sign if rounded else sign.replace(ROUND, "")
            svg = svg.replace("<svg ", f'<svg width="{size}" height="{size}" style="display:block" ', 1)
            page.set_content(f"<body style='margin:0;background:transparent'>{svg}</body>")
            page.screenshot(path=str(STATIC / name), omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    draw()
