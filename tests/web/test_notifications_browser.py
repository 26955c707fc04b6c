"""Push messages in a real browser: its service worker, one press that subscribes, and the shown notification."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from waiting import wait_until

from .conftest import Guest, Server

# A browser without its maker's push service can't subscribe: the page's script gets a subscription instead.
SUBSCRIBE = """
PushManager.prototype.subscribe = async function (options) {
  window.asked = options.applicationServerKey.length;
  return { endpoint: "https://push.example/abc",
    toJSON: () => ({ keys: { p256dh: "%s", auth: "AAAAAAAAAAAAAAAAAAAAAA" } }) };
};
"""
# It can't show notifications without a screen either.
SHOW = """() => {
  self.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, { data }) => {
    self.shown.push([title, data.url]);
  };
}"""
POINT = "BCbvzr0O6eNKZpGH4Ys6kSKy9zOUW2Scyfn5Ien52tgSkCOL3pzHuzMNFQxncE3SWucFUgV0S28xv0BwdFhy0OY"
TOLD = {"title": "It is your turn: Shanghaien with Ben", "body": "", "url": "/t/abc", "tag": "/t/abc"}


def test_one_press_subscribes_and_the_browser_shows_pushed_messages(browser: Any, server: Server) -> None:
    from playwright.sync_api import expect

    context = browser.new_context(service_workers="allow")
    page = context.new_page()
    page.add_init_script(SUBSCRIBE % POINT)
    context.request.post(f"{server.url}/me", form={"name": "Anna"})
    page.goto(f"{server.url}/me/notifications/choices")
    page.get_by_role("button", name="Notify me on this device").click()
    expect(page.get_by_text("On my devices · ")).to_be_visible()

    (worker,) = context.service_workers
    worker.evaluate(SHOW)
    wire = context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    wire.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    wire.send("ServiceWorker.enable")

    def registered() -> str | None:
        page.evaluate("1")  # events come while the browser is called
        return next((one["registrationId"] for one in found if one["scopeURL"] == f"{server.url}/"), None)

    registration = wait_until(registered, "the worker is not registered")
    given = {"origin": server.url, "registrationId": registration, "data": json.dumps(TOLD)}
    wire.send("ServiceWorker.deliverPushMessage", given)
    assert wait_until(lambda: worker.evaluate("shown")) == [[TOLD["title"], TOLD["url"]]]
    context.close()


@pytest.mark.deep
def test_the_bell_follows_when_its_page_is_shown_again(browser: Any, server: Server) -> None:
    from playwright.sync_api import expect

    with httpx2.Client(base_url=server.url) as line:
        anna, ben = Guest(line), Guest(line, "Ben")
        table = anna.table("me", "open")
        ben.post(f"/tables/{table}/join", {})
        anna.post(f"/tables/{table}/start")
        anna.post(f"/tables/{table}/resign", {"key": "k" * 8})
        context = browser.new_context()
        context.add_cookies([{"name": "guest", "value": ben.token, "url": server.url}])
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator(".bell .sr")).to_have_text("Notifications")
        assert anna.post(f"/tables/{table}/rematch").status_code == 200
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator(".bell b")).to_have_text("1")
        context.close()
