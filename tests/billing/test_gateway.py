"""What each failure of the payment provider means for us: ask again, and with which key, or accept
the refusal."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import stripe as stripe_api
from django.utils import translation

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import (
    Declined,
    IntentStatus,
    NeedsAuthentication,
    Refused,
    ServerError,
    StillWorking,
    Unreachable,
)
from apps.billing.hosted_checkout import CheckoutState
from apps.billing.stripe_gateway import checkout
from apps.common.money import Money
from apps.preorders.checkout.payment_page import charge_of, checkout_request
from apps.preorders.models import PreOrder
from tests.preorders.world import ASKS_EVERY_TIME, OFF_SESSION_DECLINED
from tests.threads import at_once

INTENTS = "/v1/payment_intents"


@pytest.fixture
def held(world):
    return world.authorized_order(world.offer())


def charge(what, order, *, key="a key", hold_only=True):
    """Charge the order's card without the guest."""
    return gateway.charge_off_session(
        what,
        customer_id=order.payment_customer_id,
        payment_method_id=order.payment_method_id,
        hold_only=hold_only,
        key=key,
    )


@pytest.mark.parametrize(("kind", "error"), [("lost_response", Unreachable), ("500", ServerError)])
def test_a_failed_call_raises_our_error_and_changes_no_hold(world, held, kind, error):
    world.stripe.control(http_fault={"kind": kind, "path_prefix": INTENTS})
    with pytest.raises(error):
        gateway.retrieve_intent(held.payment_intent_id)
    assert gateway.retrieve_intent(held.payment_intent_id).state is IntentStatus.HELD


@pytest.mark.parametrize("kind", ["429", "lock_timeout"])
def test_what_stripe_refused_as_too_early_is_asked_again(world, held, kind):
    world.stripe.control(http_fault={"kind": kind, "path_prefix": INTENTS, "times": 2})
    assert gateway.retrieve_intent(held.payment_intent_id).state is IntentStatus.HELD


def test_a_call_fails_as_unreachable_when_stripe_cannot_be_reached(held, monkeypatch):
    monkeypatch.setattr(stripe_api, "api_base", "http://127.0.0.1:9")
    with pytest.raises(Unreachable):
        gateway.retrieve_intent(held.payment_intent_id)


def test_a_definite_failure_is_said_again_for_its_key(world, held):
    world.stripe.control(http_fault={"kind": "500", "path_prefix": INTENTS})
    for _ in range(2):
        with pytest.raises(ServerError):
            gateway.release(held.payment_intent_id, key="one")
    assert gateway.release(held.payment_intent_id, key="two").state is IntentStatus.DEAD


def test_a_key_that_is_in_use_says_so(world, held):
    """Taking another key then would do the thing a second time beside the first."""
    world.stripe.control(latency={"path_prefix": INTENTS, "seconds": 0.2})
    what = charge_of(held)
    answers = at_once(*[lambda: charge(what, held)] * 2)
    assert sorted(type(answer).__name__ for answer in answers) == ["IntentSnapshot", "StillWorking"]
    assert issubclass(StillWorking, Unreachable)
    world.stripe.control(latency={"path_prefix": INTENTS, "seconds": 0})
    assert charge(what, held).intent_id in {getattr(answer, "intent_id", "") for answer in answers}
    assert len(world.intents(held)) == 2


def test_a_key_that_was_used_for_something_else(world, held):
    gateway.release(held.payment_intent_id, key="one")
    with pytest.raises(ServerError):
        gateway.capture(held.payment_intent_id, amount=Money(2592), fee=Money(0), key="one")


@pytest.mark.parametrize(
    ("card", "error"), [(OFF_SESSION_DECLINED, Declined), (ASKS_EVERY_TIME, NeedsAuthentication)]
)
def test_a_declined_charge_raises_the_banks_answer_as_our_error(world, card, error):
    order = world.begin(world.offer())
    world.pay(order, card)
    world.hear(order)
    with pytest.raises(error):
        charge(charge_of(order), world.fresh(order))


def test_stripe_refuses_too_large_a_capture_and_an_unknown_intent(world, held):
    with pytest.raises(Refused) as refusal:
        gateway.capture(held.payment_intent_id, amount=Money(9999), fee=Money(0), key="too much")
    assert refusal.value.code == "amount_too_large"
    with pytest.raises(Refused):
        gateway.retrieve_intent("pi_unknown")


def card_page(world, offer):
    world.pay(world.begin(offer))


def cart_of_one(world, offer):
    world.give_card(world.begin_cart(offer))


def cart_of_two(world, offer):
    begun = world.begin_cart(offer, world.offer())
    world.give_card(begun)
    world.confirm_cart(begun)
    world.work()


def off_session(world, offer):
    order = world.authorized_order(offer)
    charge(charge_of(order), order, hold_only=False)


@pytest.mark.parametrize(
    ("way", "intents"), [(card_page, 1), (cart_of_one, 1), (cart_of_two, 2), (off_session, 2)]
)
def test_every_way_to_pay_charges_in_the_name_of_the_restaurant(world, way, intents):
    """Its country then decides the fees and currency, its name stands on the statement."""
    way(world, world.offer())
    account = world.restaurant.connect_account.account_id
    found = stripe_api.PaymentIntent.list(limit=100).data
    assert [intent.on_behalf_of for intent in found] == [account] * intents
    assert [intent.transfer_data.destination for intent in found if intent.transfer_data] == [
        account
    ] * intents


def test_closing_a_page_that_is_closed_tells_how_it_ended(world):
    offer = world.offer()
    paid, left = world.begin(offer), world.begin(offer)
    world.pay(paid)
    assert gateway.expire_checkout(paid.checkout_session_id).state is CheckoutState.COMPLETE
    for _ in range(2):
        assert gateway.expire_checkout(left.checkout_session_id).state is CheckoutState.EXPIRED


@pytest.mark.parametrize("fee", [Money(100), Money(0)])
def test_a_refund_refunds_the_fee_where_there_was_one(held, fee):
    taken = charge(replace(charge_of(held), fee=fee), held, hold_only=False)
    assert taken.fee == fee
    give_back = {"with_fee": bool(fee.cents)}
    part = gateway.refund(taken.intent_id, amount=Money(1000), key="a part", **give_back)
    assert (part.refunded, part.captured) == (Money(1000), Money(2592))
    rest = gateway.refund(taken.intent_id, amount=Money(1592), key="the rest", **give_back)
    assert rest.refunded == rest.captured == Money(2592)


def test_what_a_capture_leaves_of_a_hold_is_not_refunded(held):
    """Stripe counts it among the refunded; nobody had paid it."""
    taken = gateway.capture(held.payment_intent_id, amount=Money(2000), fee=Money(60), key="part")
    assert (taken.captured, taken.refunded) == (Money(2000), Money(0))
    back = gateway.refund(taken.intent_id, amount=Money(500), with_fee=True, key="refund")
    assert (back.captured, back.refunded) == (Money(2000), Money(500))


def test_intents_are_listed_to_the_end(world, held):
    for number in range(3):
        charge(charge_of(held), held, key=f"key {number}")
    found = list(gateway.intents_of_customer(held.payment_customer_id))
    assert len(found) == 4
    assert {hold.pre_order_id for hold in found} == {str(held.pk)}
    recent = gateway.intents_page(world.now - timedelta(hours=1))
    assert recent.is_last
    assert {hold.intent_id for hold in recent.intents} >= {hold.intent_id for hold in found}


@pytest.mark.parametrize(("language", "locale"), [("en-us", "en"), ("es", "es"), ("fr", "auto")])
def test_the_page_has_the_guests_language_and_the_restaurants_currency(world, language, locale):
    """Without `adaptive_pricing`, a setting of the account could show another currency."""
    with translation.override(language):
        order = world.begin(world.offer())
    PreOrder.objects.filter(pk=order.pk).update(language=language)
    session = gateway.create_checkout(
        checkout_request(
            world.fresh(order),
            expires_at=world.now + timedelta(hours=1),
            hold_only=True,
            note="No charge today.",
        ),
        key=f"page in {language}",
    )
    page: Any = stripe_api.checkout.Session.retrieve(session.session_id)
    assert page.adaptive_pricing.enabled is False
    assert (page.locale, page.currency) == (locale, "usd")


def page_request(world, order, **changes):
    request = checkout_request(
        world.fresh(order),
        expires_at=world.now + timedelta(hours=1),
        hold_only=True,
        note="No charge today.",
    )
    return replace(request, **changes)


def look_of(session_id):
    page: Any = stripe_api.checkout.Session.retrieve(session_id)
    look = page.branding_settings
    return look.display_name, look.background_color, look.button_color, look.logo


def test_the_page_has_our_look_and_the_restaurants_name(world):
    offer = world.offer()
    order = world.begin(offer)
    expected = (offer.restaurant.name, "#fbf8f3", "#b4380a", None)
    assert look_of(order.checkout_session_id) == expected


def test_the_page_has_the_color_and_the_logo_that_the_restaurant_published(world):
    offer = world.offer()
    offer.restaurant.subscription_tier = "branded"
    offer.restaurant.branding_options = {"accent": "#1d5b8f", "logo": "/media/photos/logo.jpg"}
    offer.restaurant.save(update_fields=["subscription_tier", "branding_options"])
    name, paper, button, logo = look_of(world.begin(offer).checkout_session_id)
    assert (name, paper, button) == (offer.restaurant.name, "#fbf8f3", "#1d5b8f")
    assert logo.type == "url"
    assert logo.url.endswith("/media/photos/logo.jpg")


def lines_of(session_id):
    lines: Any = stripe_api.checkout.Session.list_line_items(session_id)
    return {(line.description, line.quantity, line.amount_total) for line in lines.data}


@pytest.mark.parametrize("rate", ["8.00", "8.875", "0.00"])
def test_the_page_has_the_portions_and_their_tax_as_lines(world, rate):
    offer = world.offer(name="Osso Buco", special_price=Decimal("24.35"))
    offer.restaurant.settings = {"taxRate": rate}
    offer.restaurant.save(update_fields=["settings"])
    order = world.begin(offer, 3)
    tax = Money.of(order.tax).cents
    expected = {("Osso Buco", 3, 7305)}
    if tax:
        expected.add((f"Tax ({Decimal(rate).normalize():f}%)", 1, tax))
    assert lines_of(order.checkout_session_id) == expected
    page: Any = stripe_api.checkout.Session.retrieve(order.checkout_session_id)
    assert page.amount_total == Money.of(order.total_amount).cents


def test_the_lines_add_up_to_what_is_held_whatever_the_order_says(world):
    order = world.begin(world.offer(name="Osso Buco"), 2)
    request = page_request(world, order)
    assert request.charge.amount.cents == 5184
    for cents in (5184, 4800, 4799, 100):
        charge = replace(request.charge, amount=Money(cents))
        lines = replace(request, charge=charge).items
        assert sum(line.unit.cents * line.quantity for line in lines) == cents
        assert all(line.unit.cents > 0 for line in lines)


@pytest.mark.parametrize(
    ("photo_url", "is_stripe", "is_sent"),
    [
        ("https://luigis.example/media/1.jpg", True, True),
        ("http://luigis.localhost:8000/media/1.jpg", True, False),
        ("http://luigis.localhost:8000/media/1.jpg", False, True),
        ("https://bucket.example/1.jpg?X-Amz-Signature=1", True, False),
        ("", False, False),
    ],
)
def test_a_photo_is_sent_if_stripe_can_fetch_it(
    world, settings, photo_url, is_stripe, is_sent, monkeypatch
):
    asked: list[Any] = []

    def remember(method, path, **params):
        asked.append(params)
        raise stripe_api.APIConnectionError("not asked")

    request = page_request(world, world.begin(world.offer()))
    monkeypatch.setattr(checkout, "ask", remember)
    if is_stripe:
        settings.STRIPE_API_BASE = "https://api.stripe.com"
    with pytest.raises(Unreachable):
        gateway.create_checkout(
            replace(request, item=replace(request.item, photo_url=photo_url)), key="a photo"
        )
    product = asked[0]["line_items"][0]["price_data"]["product_data"]
    assert product.get("images") == ([photo_url] if is_sent else None)
