"""The documentation site is built without a warning, has no broken link, and obeys the server's content policy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from spelunke.web.app import create_app
from spelunke.web.settings import BadSetting, read_settings

from .conftest import make_settings, serve

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs/site/build.py"), str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return folder


@pytest.mark.deep
def test_each_document_is_a_page_and_the_versions_are_listed(site: Path) -> None:
    [version] = json.loads((site / "versions.json").read_text())
    folder = site / version["version"]
    for page in ("index.html", "hooks.html", "why/store.html", "rules/sanghai.html", "contributing.html"):
        assert (folder / page).is_file()
    api = (folder / "api/play-and-inspect-games.html").read_text()
    assert "spelunke.games.match.Match.undo" in api
    assert ":func:" not in api
    assert f"url={version['version']}/index.html" in (site / "index.html").read_text()


def test_the_server_sends_the_documentation_with_its_security_headers(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<title>Documentation</title>")
    app = create_app(make_settings(tmp_path, docs=str(tmp_path / "site")))
    with TestClient(app, follow_redirects=True) as client:
        front = client.get("/")
        page = client.get("/docs/")
        assert page.status_code == 200
        assert 'href="/docs/"' in front.text
        for name in ("content-security-policy", "x-content-type-options", "cross-origin-resource-policy"):
            assert page.headers[name] == front.headers[name]
        assert page.headers["content-language"] == "en"
        assert client.get("/docs/nothing.html").status_code == 404
        assert client.get("/docs/%2e%2e/house.sqlite3").status_code == 404
        assert client.post("/docs/index.html").status_code == 405


def test_without_the_setting_the_server_has_no_documentation(client: TestClient) -> None:
    assert client.get("/docs/").status_code == 404
    assert "/docs/" not in client.get("/").text


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    environ = {"SPELUNKE_DATABASE": f"sqlite:///{tmp_path / 'h'}", "SPELUNKE_DOCS": str(tmp_path)}
    with pytest.raises(BadSetting, match=r"SPELUNKE_DOCS.*no index\.html"):
        read_settings(environ)


@pytest.mark.deep
def test_search_and_colours_work_under_the_content_policy(site: Path, tmp_path: Path, page: Page) -> None:
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    with serve(tmp_path, docs=str(site)) as server:
        page.goto(f"{server.url}/docs/")
        page.wait_for_url("**/index.html")
        page.get_by_role("button", name="Select version").wait_for()
        body = page.locator("body")
        assert body.get_attribute("data-md-color-scheme") == "default"
        page.locator("label[title='Dark colours']").click()
        page.locator("body[data-md-color-scheme='slate']").wait_for()
        page.get_by_role("button", name="Search").click()
        page.keyboard.type("perft")
        page.locator("a[href*='glossary']").filter(has_text="perft").first.wait_for()
        assert [url for url in asked if not url.startswith((server.url, "blob:"))] == []
    assert said == []
