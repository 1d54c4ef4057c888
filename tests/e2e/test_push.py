"""Push messages in a real browser. Its push service is ours, because the browser's own can't be
reached from here: what we send is decrypted, and handed to the browser as its service would.

The last step is not the browser's: one without a window refuses notifications
(https://github.com/puppeteer/puppeteer/issues/3432), so the worker's calls are written down. What a
press on a notification opens is in `frontend/src/features/storefront/push-worker.test.ts`.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually
from tests.push_device import Device
from tests.receiver import listening

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]

SUBSCRIBE = """
    const keys = %s;
    const { endpoint } = keys;
    const subscription = { endpoint, toJSON: () => ({ endpoint, keys }) };
    PushManager.prototype.subscribe = async () => subscription;
    PushManager.prototype.getSubscription = async () => subscription;
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
"""
WRITE_DOWN = """() => {
    self.shown = [];
    registration.showNotification = async (...shown) => void self.shown.push(shown);
}"""


def deliver(page: Page, message: dict[str, Any]) -> None:
    """Hand the message to the page's service worker:
    https://chromedevtools.github.io/devtools-protocol/tot/ServiceWorker/#method-deliverPushMessage
    """
    session = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    # A call to the page lets its events in.
    eventually(lambda: bool(page.evaluate("origin") and found), True)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": page.evaluate("origin"),
            "registrationId": found[-1]["registrationId"],
            "data": json.dumps(message),
        },
    )
    session.detach()


def test_a_guest_sees_on_their_device_that_it_is_on_and_stops_it_from_there(
    stack: Stack, visitor: Visitor
) -> None:
    special = calls.publish(stack, "Bollito misto", minimum=2)
    guest = visitor(phone=True)
    guest.context.grant_permissions(["notifications"])
    with listening() as service:
        service.will_answer(201)
        device = Device(f"{service.url}/device/1")
        keys = json.dumps(device.subscription)
        guest.context.add_init_script(SUBSCRIBE % keys)
        guest.goto(calls.link_to(stack, special))
        guest.get_by_role("button", name="Notify me on this device").click()
        expect(guest.get_by_role("button", name="Stop notifying this device")).to_be_visible()
        calls.place_order(stack, special, "paolo@push.test", portions=2)
        eventually(lambda: len(service.received), 1)
        message = device.read(service.received[0])

    [worker] = guest.context.service_workers
    worker.evaluate(WRITE_DOWN)
    deliver(guest, message)
    eventually(lambda: worker.evaluate("self.shown.length"), 1)
    [[title, options]] = worker.evaluate("self.shown")
    assert title == "It's on: Bollito misto"
    assert options["body"].startswith("Enough guests ordered at Luigi's Trattoria.")
    assert options["actions"] == [{"action": "stop", "title": "Stop"}]
    assert options["data"] == {
        "url": calls.link_to(stack, special),
        "stopUrl": message["stop"]["url"],
    }

    # Where the notification's button leads, the messages to this device end.
    other = guest.context.new_page()
    other.goto(message["stop"]["url"])
    expect(other.get_by_role("button", name="Notify me on this device")).to_be_visible()
    eventually(
        lambda: stack.query(
            "SELECT count(*) FROM preorders_pushsubscription WHERE offer_id = %s", special
        ),
        [(0,)],
    )
