"""What a subscription leaves in the activity log, from its first month to its end."""

from typing import Any

import pytest

from tests.billing.subscriber import OFF_SESSION_DECLINED, Subscriber

pytestmark = pytest.mark.usefixtures("world")


@pytest.fixture(autouse=True)
def _sold(settings: Any) -> None:
    settings.BILLING_MODE = "subscription"


def test_a_subscription_that_fails_and_is_paid_and_ends_is_told_in_order(
    api: Any, cast: Any, world: Any
) -> None:
    subscriber = Subscriber(api, cast, world).subscribe(OFF_SESSION_DECLINED)
    subscriber.later(days=31)
    subscriber.hear()
    subscriber.later(days=8)
    subscriber.look_after()
    subscriber.pay_bill()
    subscriber.hear()
    for action in ("cancel", "resume", "cancel"):
        assert subscriber.client.post(f"/api/subscriptions/{action}").status_code == 200
    subscriber.later(days=31)
    subscriber.hear()
    assert subscriber.kinds() == [
        "subscription_started",
        "subscription_unpaid",
        "subscription_lapsed",
        "subscription_paid",
        "subscription_canceled",
        "subscription_resumed",
        "subscription_canceled",
        "subscription_ended",
    ]
