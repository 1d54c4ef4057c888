"""A first month is registered once, whoever hears of it at the same moment."""

from functools import partial
from typing import Any

import pytest
import stripe as stripe_api

from apps.billing import tasks
from apps.billing.models import Subscription, SubscriptionSignUp
from apps.billing.subscriptions import registration
from apps.restaurants.models import Restaurant
from tests.threads import Meeting, at_once

NORA = {"email": "nora@noras.test", "name": "Nora's", "acceptedTerms": True}
PRICE = {"amount": 2900, "currency": "usd"}
PAY, REGISTER = "/api/create-subscription-payment-intent", "/api/restaurant/register"


@pytest.fixture(autouse=True)
def _sold(settings: Any) -> None:
    settings.BILLING_MODE = "subscription"


@pytest.fixture
def paid(api: Any, world: Any) -> tuple[Any, dict[str, Any]]:
    """A visitor who has paid, and what they send to register."""
    visitor = api()
    intent_id = visitor.post(PAY, {**PRICE, **NORA}).json()["paymentIntentId"]
    world.stripe.control(pay={"intent": intent_id})
    return visitor, {**NORA, "paymentIntentId": intent_id}


def test_browser_webhook_and_job_at_once_register_one_restaurant(
    api: Any, world: Any, paid: tuple[Any, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor, body = paid
    other_tab = api()
    other_tab.cookies = visitor.cookies.copy()
    sign_up_id = SubscriptionSignUp.objects.get().pk
    # All three have read the payment before one of them registers it.
    meeting = Meeting(3)
    pays_for = meeting.before(registration._pays_for)
    monkeypatch.setattr(registration, "_pays_for", pays_for)
    answers = at_once(
        partial(visitor.post, REGISTER, body),
        partial(other_tab.post, REGISTER, body),
        partial(tasks.finish_sign_up_task.apply, args=(str(sign_up_id),), throw=True),
    )
    assert meeting.has_happened
    statuses = sorted(getattr(each, "status_code", 0) for each in answers)
    # The second tab may find the owner signed in by the first.
    assert statuses in ([0, 201, 201], [0, 201, 409]), answers
    assert Restaurant.objects.filter(name="Nora's").count() == 1
    world.work()
    assert Subscription.objects.count() == 1
    assert len(stripe_api.Subscription.list(status="all").data) == 1


def test_two_tabs_of_an_owner_begin_one_payment(world: Any, api: Any, cast: Any) -> None:
    tabs = [api(cast.owner) for _ in range(2)]
    body = {**PRICE, **NORA}
    answers = at_once(*[partial(tab.post, PAY, body) for tab in tabs])
    assert {each.status_code for each in answers} == {200}, answers
    assert len({each.json()["paymentIntentId"] for each in answers}) == 1
    assert len(stripe_api.PaymentIntent.list().data) == 1
