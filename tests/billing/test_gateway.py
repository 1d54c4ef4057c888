"""What each failure of the payment provider means for us: ask again, and with which key, or accept
the refusal."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import stripe as stripe_api
from django.utils import translation

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import (
    CheckoutState,
    Declined,
    IntentStatus,
    NeedsAuthentication,
    Refused,
    ServerError,
    StillWorking,
    Unreachable,
)
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
def test_what_went_wrong_at_stripe(world, held, kind, error):
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
def test_what_the_bank_says(world, card, error):
    order = world.begin(world.offer())
    world.pay(order, card)
    world.hear(order)
    with pytest.raises(error):
        charge(charge_of(order), world.fresh(order))


def test_what_does_not_go(world, held):
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
