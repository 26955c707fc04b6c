"""The statements of docs/security-asvs.md about pages, cookies, forms, logs and nginx, each checked directly."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
import structlog
from starlette.testclient import TestClient

from spelunke.web.app import create_app, set_up_logs

from .conftest import make_settings

PASSWORD = "lantern mussel quarry tin"
NGINX = Path(__file__).parents[2] / "deploy" / "nginx"

pytestmark = pytest.mark.usefixtures("quick_passwords")


@pytest.fixture
def phone(client: TestClient) -> TestClient:
    """Return another browser at the same house."""
    return TestClient(client.app, follow_redirects=False)


def become(client: TestClient, name: str = "Anna") -> Any:
    return client.post("/member", data={"name": name, "password": PASSWORD})


def test_a_password_can_be_pasted_kept_and_looked_at(client: TestClient) -> None:
    pages = {"/login": "current-password", "/member": "new-password"}
    for path, kind in pages.items():
        page = client.get(path).text
        (field,) = re.findall(r'<input[^>]*type="password"[^>]*>', page)
        assert f'autocomplete="{kind}"' in field
        assert "onpaste" not in page
        assert 'data-show="' in page
    script = (Path(__file__).parents[2] / "src/spelunke/web/static/account.js").read_text(encoding="utf-8")
    assert "paste" not in script


def test_the_login_page_warns_of_an_unencrypted_connection(client: TestClient) -> None:
    page = client.get("/login", headers={"host": "house.example"}).text
    assert "not encrypted" in page.partition('type="password"')[0]


def test_passkeys_come_before_passwords(tmp_path: Path) -> None:
    with TestClient(create_app(make_settings(tmp_path, base_url="https://house.example"))) as client:
        before, field, _after = client.get("https://house.example/login").text.partition('type="password"')
    assert field
    assert "Log in with a passkey" in before


def test_each_log_in_has_a_token_of_its_own_of_256_bits(client: TestClient) -> None:
    become(client)
    tokens = {client.cookies["device"]}
    for _ in range(4):
        browser = TestClient(client.app, follow_redirects=False)
        browser.cookies.set("device", "chosen-by-somebody-else")
        browser.post("/login", data={"name": "Anna", "password": PASSWORD})
        tokens |= {cookie.value or "" for cookie in browser.cookies.jar if cookie.name == "device"}
    tokens.discard("chosen-by-somebody-else")
    assert len(tokens) == 5
    for token in tokens:
        secret = token.rpartition(".")[2]
        assert len(base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))) >= 32


@pytest.mark.parametrize(
    "path", ["/static", "/static/", "/static/%2e%2e%2fapp.py", "/static/.", "/static/templates"]
)
def test_folders_are_not_listed(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_if_a_form_repeats_a_field_the_last_value_counts(client: TestClient, phone: TestClient) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    client.post("/member?name=Cleo", content=f"name=Anna&name=Bea&password={PASSWORD}", headers=form)
    for name, status in {"Anna": 403, "Cleo": 403, "Bea": 303}.items():
        assert phone.post("/login", data={"name": name, "password": PASSWORD}).status_code == status


def test_logins_and_failed_logins_are_logged_and_names_cannot_forge_lines(
    client: TestClient, phone: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logs(make_settings(tmp_path))
    try:
        become(client)
        phone.post("/login", data={"name": "Anna", "password": "not this one at all"})
        phone.post("/login", data={"name": 'A\n{"event": "forged"}', "password": PASSWORD})
        phone.post("/login", data={"name": "Anna", "password": PASSWORD})
    finally:
        structlog.reset_defaults()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    events = {line["event"] for line in lines}
    assert events >= {"became a member", "wrong password", "came in"}
    assert "forged" not in events
    assert all(line["timestamp"].endswith("Z") for line in lines)
    (joined,) = (line for line in lines if line["event"] == "became a member")
    assert any(joined.get("person") == line.get("person") for line in lines if line["event"] == "came in")


def test_nginx_leads_to_https_and_keeps_its_own_ciphers() -> None:
    text = (NGINX / "spelunke.conf").read_text(encoding="utf-8")
    assert "return 301 https://" in text
    assert "Strict-Transport-Security" in text
    assert "ssl_ciphers" not in text
    assert "ssl_protocols" not in text or "TLSv1.1" not in text
