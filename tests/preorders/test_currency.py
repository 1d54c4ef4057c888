"""A restaurant that charges in euros, from the first form to the ledger."""

from decimal import Decimal
from typing import Any

import pytest
import stripe

from apps.billing.models import Discrepancy
from apps.common import rls
from apps.preorders.core.quantities import can_replace_authorization
from apps.preorders.documents.receipt import receipt_of
from apps.preorders.emails import rendering
from apps.preorders.manage.activity import activity_of, load_activity
from apps.preorders.manage.money_summary import money_of
from apps.preorders.models import Email, PaymentOperation
from apps.preorders.settlement.reconciliation import reconcile
from apps.restaurants.models import Restaurant
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.test_receipt import said_in


@pytest.fixture(autouse=True)
def euros(world):
    Restaurant.objects.filter(pk=world.restaurant.pk).update(currency="eur")
    world.restaurant.refresh_from_db()


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=1, name="Osso Buco")


def words_of(email):
    message = rendering.render_order_email(email)
    return message.body


def test_an_order_in_euros_is_held_charged_emailed_and_recorded_in_euros(world, offer):
    order = world.begin(offer, 2)
    session = stripe.checkout.Session.retrieve(order.checkout_session_id)
    assert (session.currency, session.amount_total) == ("eur", 5184)
    world.pay(order)
    world.hear(order)
    world.settle(offer)
    order = world.fresh(order)
    intent: Any = stripe.PaymentIntent.retrieve(order.payment_intent_id, expand=["latest_charge"])
    assert (intent.currency, intent.latest_charge.currency) == ("eur", "eur")
    assert (intent.amount_received, order.payment_status) == (5184, "captured")
    # 4.9 % of 51.84 and 25 cents.
    assert order.processing_fee == Decimal("2.79")
    with rls.acting_as(world.restaurant):
        emails = [words_of(email) for email in Email.objects.filter(pre_order=order)]
        load_activity(order)
        story = " ".join(f"{one.text} {one.detail}" for one in activity_of(order))
        assert money_of(order).total == Decimal("51.84")
        receipt = said_in(receipt_of(order))
    assert len(emails) == 2
    assert all("2 portions, €51.84 with tax" in message for message in emails)
    assert "Charged €51.84" in story
    assert {"2 × Osso Buco (€24.00) €48.00", "Total charged €51.84", "All amounts in EUR."} <= set(
        receipt
    )
    assert not any("$" in text for text in [*emails, story, *receipt])
    assert_ledger_balances(world, offer)


def test_a_cart_and_its_mandate_are_in_euros(world, offer):
    other = world.offer(min_preorders=1, name="Risotto")
    begun = world.begin_cart(offer, other)
    assert "hold €51.84 on your card." in begun.mandate
    world.give_card(begun)
    world.confirm_cart(begun)
    intents = [intent for item in begun.items for intent in world.intents(item)]
    assert [(intent.currency, intent.amount) for intent in intents] == [("eur", 2592)] * 2


def test_guests_read_euros_on_the_list_and_the_special(world, offer, api):
    guest = api(at=world.restaurant)
    for path in ("/specials", f"/specials/{offer.pk}"):
        page = guest.get(path).content.decode()
        assert '<html lang="en-US" data-currency="eur">' in page
        assert "€24.00" in page
        assert "$" not in page
    assert '"priceCurrency": "EUR"' in page


def test_the_platforms_own_pages_are_in_its_own_currency(world, api):
    page = api().get("/").content.decode()
    assert 'data-currency="usd"' in page
    assert "$0.30" in page


def test_money_in_another_currency_is_a_difference_for_a_person(world, offer):
    order = world.authorized_order(offer)
    Restaurant.objects.filter(pk=world.restaurant.pk).update(currency="gbp")
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    said = Discrepancy.objects.values_list("description", "resolved_at")
    assert list(said) == [("Stripe says eur, the restaurant charges in gbp", None)]
    assert world.fresh(order).payment_status == "authorized"
    Restaurant.objects.filter(pk=world.restaurant.pk).update(currency="eur")
    assert reconcile(now=world.now) == 0
    assert Discrepancy.objects.get().resolved_at is not None


def test_a_hold_of_other_money_takes_no_place(world, offer):
    from apps.billing import stripe_gateway

    order = world.authorized_order(offer)
    hold = stripe_gateway.retrieve_intent(order.payment_intent_id)
    renewal = PaymentOperation(pre_order=order, kind="renew")
    with rls.acting_as(world.restaurant):
        order = world.fresh(order)
        assert can_replace_authorization(renewal, order, hold)
        order.offer.restaurant.currency = "usd"
        assert not can_replace_authorization(renewal, order, hold)
