"""What Stripe's documentation leaves open about accounts, checkouts, and subscriptions: the program
is right in either case. See tests/preorders/test_either_way.py."""

import pytest
import stripe as stripe_api

from apps.billing import services, stripe_gateway
from apps.billing.gateway import Refused
from apps.billing.models import ConnectAccount
from apps.common.errors import Conflict, DomainError
from tests.billing.subscriber import Subscriber
from tests.factories import RestaurantFactory


def refuse(monkeypatch, name, code):
    def refused(*_args, **_more):
        raise Refused(code, "Stripe's own words.")

    monkeypatch.setattr(stripe_gateway, name, refused)


@pytest.mark.parametrize("code", ["country_unsupported", "a_code_of_tomorrow", ""])
def test_a_refused_account_says_why_whatever_the_code(world, monkeypatch, code):
    restaurant = RestaurantFactory(country="PT", account=None)
    monkeypatch.setattr(services, "require_confirmed_owner", lambda _restaurant: None)
    refuse(monkeypatch, "create_account", code)
    with pytest.raises(Conflict, match="Stripe"):
        services.begin_onboarding(restaurant=restaurant, now=world.now)
    assert not ConnectAccount.objects.filter(restaurant=restaurant).exclude(account_id="").exists()


@pytest.mark.parametrize("code", ["insufficient_capabilities_for_transfer", "region", ""])
def test_a_checkout_that_stripe_refuses_holds_nothing_and_frees_its_portions(
    world, monkeypatch, code
):
    offer = world.offer(max_preorders=3)
    with monkeypatch.context() as patched:
        refuse(patched, "create_checkout", code)
        with pytest.raises(DomainError):
            world.begin(offer, 3)
    assert list(stripe_api.PaymentIntent.list().data) == []
    order = world.begin(offer, 3)
    assert order.checkout_session_id


@pytest.mark.parametrize("otherwise", [[], ["anchored_start_has_invoice"]])
def test_a_subscription_goes_on_whether_or_not_its_start_has_an_invoice(
    api, cast, world, settings, otherwise
):
    settings.BILLING_MODE = "subscription"
    world.stripe.control(otherwise=otherwise)
    subscriber = Subscriber(api, cast, world).subscribe()
    before = (subscriber.row.status, subscriber.row.period_ends_at, subscriber.kinds())
    subscriber.hear()
    subscriber.look_after()
    assert (subscriber.row.status, subscriber.row.period_ends_at, subscriber.kinds()) == before
    subscriber.later(days=31)
    subscriber.hear()
    charges = stripe_api.PaymentIntent.list(customer=subscriber.row.sign_up.customer_id).data
    assert [each.amount for each in charges if each.status == "succeeded"] == [2900, 2900]
    assert subscriber.row.status == "active"
