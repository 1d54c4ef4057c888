"""Every place that says when a card is charged says it in the same words."""

import html
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
import stripe
from django.utils import translation
from django.utils.text import capfirst

from apps.common import formats
from apps.offers.card_terms import (
    AGREES_TO_TERMS,
    Instead,
    card_steps,
    card_terms,
    charge_condition,
    charge_in_brief,
)
from apps.preorders import tasks
from apps.preorders.checkout.terms import otherwise_of, terms_of, terms_of_hold
from apps.preorders.core.links import order_path
from apps.preorders.emails import rendering
from apps.preorders.emails import waitlist as emails_waitlist
from apps.preorders.guest import changes
from apps.preorders.models import Email
from apps.preorders.models.states import EmailKind
from apps.preorders.waitlist import services as waitlist_services
from tests.factories import DishFactory
from tests.preorders.world import CAPTURE_DECLINED, DANA, OFF_SESSION_DECLINED

HOLD = "Your bank holds the total until then."
ONLY = "You'll pay only for what's cooked, and can cancel each for free until it's charged."


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def one_line(text: str) -> str:
    """The text with plain spaces in place of the special ones in Spanish times."""
    return " ".join(text.split())


def said(answer: Any) -> str:
    text = re.sub(r"<(style|script)\b.*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return one_line(html.unescape(re.sub(r"<[^>]+>", " ", text)))


def in_email(order: Any, kind: str) -> str:
    return str(rendering.render_order_email(Email.objects.get(pre_order=order, kind=kind)).body)


@pytest.mark.parametrize("language", ["en-us", "es"])
def test_every_place_says_the_same_about_the_card(world, guest, language):
    offer = world.offer(name="Osso Buco", min_preorders=12, deadline=world.now + timedelta(days=2))
    speaks = {"Accept-Language": language}
    with translation.override(language):
        terms = card_terms(offer, world.now)
        order = world.begin(offer, 2)

        condition = charge_condition(offer, world.now)
        steps = [
            formats.unbroken_times(step.text)
            for step in card_steps(offer, world.now, total="$25.92")
            if step.is_now
        ]
        hold = translation.gettext("Your bank holds the total until then.")

    # Before the card is given: the special's page, in steps; the cart; the payment provider's page.
    page = guest.get(f"/specials/{offer.pk}", headers=speaks)
    assert said(page).count(one_line(condition)) == 1
    note = page.content.decode().partition('id="card-note">')[2].partition("</ul>")[0]
    assert [step for step in steps if step in note] == steps
    [shown] = guest.get(f"/api/cart/offers?ids={offer.pk}", headers=speaks).json()["offers"]
    assert shown["cardTerms"] == terms
    with translation.override(language):
        accepts = str(AGREES_TO_TERMS)
        [one, agreed] = world.begin_cart(offer).mandate.split("\n")
    # The form says what a guest agrees to; in the cart, a guest agrees by giving the card.
    assert world.sessions()[0].custom_text.submit.message == f"{terms} {hold}"
    assert order.consent_text == f"{terms} {accepts}"
    assert "$25.92" in agreed
    assert one == terms
    assert agreed.endswith(f" {accepts}")

    # Afterwards: both pages of the order, and the emails.
    world.pay(order)
    world.hear(order)
    with translation.override(language):
        placed = world.fresh(order)
        in_full = terms_of(placed, world.now)
        # The page has it in two places: the hold in its notice, the rest where it happens.
        on_page = [
            terms_of_hold(placed, world.now, total="$51.84"),
            capfirst(formats.moment(offer.deadline, offer.restaurant.zone))
            + f" {otherwise_of(placed)}",
        ]
    for path in (f"/pre-order-confirmation?preorder={order.pk}", order_path(placed)):
        page = said(guest.get(path, headers=speaks))
        assert [words for words in on_page if one_line(words) not in page] == []
    assert one_line(in_full) in in_email(order, "received")


def test_a_cart_says_one_sentence_of_all_and_the_rest_at_each_special(world, guest):
    offers = [world.offer(name=name, min_preorders=12) for name in ("Arancini", "Bucatini")]
    wanted = {
        "items": [{"dishId": str(offer.pk), "quantity": 1} for offer in offers],
        "guest": {"name": "Dana Guest", "email": "dana@example.test"},
    }
    begun = guest.post("/api/create-multi-offer-payment-intent", wanted).json()
    [terms, agreed] = begun["mandate"].split("\n")
    assert terms == f"No charge today. {ONLY}"
    assert agreed == (
        "By continuing, you allow Luigi's to hold $51.84 on your card. "
        "By ordering, you agree to the terms of service."
    )
    said_of_each = [item["chargeInBrief"] for item in begun["items"]]
    assert said_of_each == [charge_in_brief(offer) for offer in offers]


def test_a_cart_with_a_deadline_today_says_yet_instead_of_today(world):
    soon = world.offer(name="Arancini", deadline=world.now + timedelta(hours=2))
    late = world.offer(name="Bucatini", deadline=world.now + timedelta(days=2))
    said_of_all = world.begin_cart(late, soon).mandate.split("\n")[0]
    assert said_of_all == f"No charge yet. {ONLY}"


def test_an_agreed_alternative_is_in_the_terms(world):
    dish = DishFactory(restaurant=world.restaurant, name="Penne al forno", price=Decimal("15.00"))
    offer = world.offer(min_preorders=5, has_alternative=True, alternative_dish=dish)
    order = world.authorized_order(offer, 2, consent=True)
    terms = card_terms(world.fresh(offer), world.now, instead=Instead("Penne al forno", "$32.40"))
    agreed = card_terms(offer, world.now, instead=Instead("Penne al forno", "$32.40"))
    assert world.sessions()[0].custom_text.submit.message == f"{agreed} {HOLD}"
    assert one_line(terms) in in_email(order, "received")


def test_the_page_of_a_link_to_pay_says_that_it_charges_now(world):
    offer = world.offer(name="Osso Buco", min_preorders=1)
    order = world.authorized_order(offer, card=CAPTURE_DECLINED)
    stripe.PaymentMethod.detach(str(order.payment_method_id))
    world.settle(offer)
    assert world.sessions()[0].custom_text.submit.message == (
        "We'll charge your card now. Luigi's is making your Osso Buco."
    )


def test_the_page_of_a_link_to_renew_says_what_it_said_at_first(world):
    offer = world.offer(deadline=world.now + timedelta(days=6, hours=23), min_preorders=9)
    order = world.authorized_order(offer, card=OFF_SESSION_DECLINED)
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.delay()
    world.work()
    first, link = reversed(world.sessions())
    assert link.custom_text.submit.message == f"{terms_of(world.fresh(order), world.now)} {HOLD}"
    assert "No charge today." in link.custom_text.submit.message
    assert first.id == order.checkout_session_id


def test_the_page_of_a_change_says_that_it_is_one_and_that_the_order_stays(world):
    offer = world.offer(deadline=world.now + timedelta(days=2), min_preorders=9)
    order = world.authorized_order(offer, 1, OFF_SESSION_DECLINED)
    changes.change_quantity(order=world.fresh(order), quantity=3, now=world.now)
    world.work()
    page = world.sessions()[0]
    assert page.custom_text.submit.message == (
        "You're changing your order from 1 portion to 3. Until you finish here, it stays as it is. "
        f"The new hold replaces the current one. {terms_of(world.fresh(order), world.now)} {HOLD}"
    )
    assert (page.amount_total, page.submit_type) == (7776, "book")
    held = f"{order.serving.text} · Held now, charged only if it's on"
    shown = html.unescape(httpx.get(page.url).text)
    assert f"Change from 1 portion to 3 · {held}" in shown


def test_a_link_by_phone_and_a_place_on_the_waitlist_say_it_too(world):
    offer = world.offer(min_preorders=12, deadline=world.now + timedelta(days=2))
    order = world.phone(offer, 1, email="carla@example.test")
    assert card_terms(offer, world.now) in in_email(order, "pay_link")
    full = world.offer(min_preorders=1, max_preorders=1)
    first = world.authorized_order(full)
    waitlist_services.join_waitlist(offer_id=full.pk, guest=DANA, portions=1, now=world.now)
    world.cancel(first)
    world.work()
    email = Email.objects.get(kind=EmailKind.WAITLIST_INVITED)
    assert (
        card_terms(world.fresh(full), world.now)
        in emails_waitlist.render_waitlist_email(email).body
    )
