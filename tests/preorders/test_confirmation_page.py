"""The page that says what happened to an order: where the payment page returns to, and what the QR
code opens (X20, X33)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.billing import stripe_gateway
from apps.billing.gateway import Unreachable
from apps.billing.hosted_checkout import Checkout, CheckoutState
from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.access import Purpose
from apps.preorders.core.links import order_path, order_token, order_url
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.conftest import NOON, Cast, Clock
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory
from tests.pages import heard_in, text_of
from tests.preorders.access import allow

pytestmark = pytest.mark.usefixtures("clock")

# The order, its operations, its special, the amount of its hold, whether its address gets news, who
# came through its link, how it was changed.
QUERIES = 7
P, S, O = PaymentStatus, PreOrderStatus, OfferStatus  # noqa: E741


def offer_that(cast: Cast, status: OfferStatus) -> SpecialOffer:
    deadline = NOON + timedelta(days=1 if status == O.ACTIVE else -1)
    return SpecialOfferFactory(
        restaurant=cast.restaurant, name="Osso buco", status=status, deadline=deadline
    )


def page_of(guest: Any, order: Any) -> Any:
    return guest.get(f"/pre-order-confirmation?preorder={order.pk}&dish={order.offer_id}")


@pytest.mark.parametrize(
    ("offer", "order", "payment", "headline", "words"),
    [
        (
            O.ACTIVE,
            S.PENDING,
            P.AUTHORIZED,
            "You're in for Osso buco Wed, Mar 24 · Dine in or pickup "
            "0 of 3 ordered , 1 yours 3 more and it's on Closes in 1d 0h 0m",
            "No charge today. Your bank is holding $25.92 on your card.",
        ),
        (
            O.CLOSING,
            S.PENDING,
            P.AUTHORIZED,
            "This is taking longer than usual",
            "Your order is in. Your card is held for",
        ),
        (
            O.SUCCEEDED,
            S.PENDING,
            P.AUTHORIZED,
            "It's on",
            "We're charging your card $25.92",
        ),
        (
            O.FAILED,
            S.PENDING,
            P.AUTHORIZED,
            "Not this time. You weren't charged",
            "We're releasing the hold of $25.92",
        ),
        (
            O.SUCCEEDED,
            S.CONFIRMED,
            P.CAPTURED,
            "Osso buco is on",
            "We charged your card $25.92. Your order is paid, tax included.",
        ),
        (
            O.ACTIVE,
            S.PENDING,
            P.CAPTURED,
            "You're in for Osso buco Wed, Mar 24 · Dine in or pickup "
            "0 of 3 ordered , 1 yours 3 more and it's on",
            "We charged your card $25.92 already",
        ),
        (
            O.SUCCEEDED,
            S.PENDING,
            P.CAPTURE_FAILED,
            "Your payment didn't go through",
            "your bank declined the charge",
        ),
        (
            O.FAILED,
            S.CANCELLED,
            P.RELEASED,
            "Not this time. You weren't charged",
            "portions it needed were ordered",
        ),
        (O.SUCCEEDED, S.CANCELLED, P.RELEASED, "You weren't charged", "had been counted"),
        (
            O.ACTIVE,
            S.CANCELLED,
            P.RELEASED,
            "Order ended.",
            "hold of $25.92 ended before the deadline",
        ),
        (O.DELETED, S.CANCELLED, P.RELEASED, "Order canceled.", "withdrew the special"),
        (O.SUCCEEDED, S.CANCELLED, P.REFUNDED, "We refunded your $25.92", "to the card"),
        (
            O.ACTIVE,
            S.CANCELLED,
            P.UNPAID,
            "Your card wasn't held or charged",
            "The checkout ended before you added a card",
        ),
        (O.ACTIVE, S.PENDING, P.UNPAID, "Your order hasn't been placed yet", "Add your card"),
        (O.ACTIVE, S.PENDING, P.REQUIRES_ACTION, "make sure it's you", "Confirm with your bank"),
    ],
)
def test_every_state_says_what_happened_to_the_card(
    guest: Any, cast: Cast, offer: Any, order: Any, payment: Any, headline: str, words: str
) -> None:
    placed = PreOrderFactory(
        offer=offer_that(cast, offer),
        status=order,
        payment_status=payment,
        checkout_session_id=None,
    )
    page = text_of(page_of(guest, placed))
    assert headline in page
    assert words in page
    has_failed = (offer, order) == (O.FAILED, S.CANCELLED)
    state = "Not enough orders" if has_failed else order.label
    assert f"Order {str(placed.pk)[-8:].upper()} , {state} " in page


@pytest.mark.parametrize(
    ("offer", "payment", "facts", "words"),
    [
        (
            O.ACTIVE,
            P.AUTHORIZED,
            {"alternative_price": Decimal("15.00")},
            "If not, you'll get Penne al forno instead and pay $16.20.",
        ),
        (
            O.FAILED,
            P.AUTHORIZED,
            {"serves_alternative": True},
            "Osso buco didn't get enough orders, so you'll get Penne al forno",
        ),
        (
            O.FAILED,
            P.CAPTURED,
            {"serves_alternative": True},
            "Osso buco didn't get enough orders, so you're getting the dish you chose instead.",
        ),
        (
            O.SUCCEEDED,
            P.CAPTURED,
            {"refunded_amount": Decimal("5.00")},
            "We refunded $5.00 of your $25.92",
        ),
        (
            O.ACTIVE,
            P.AUTHORIZED,
            {"status": S.CANCELLED},
            "We're releasing the hold of $25.92",
        ),
    ],
)
def test_the_alternative_a_part_refunded_and_an_order_called_off(
    guest: Any, cast: Cast, offer: Any, payment: Any, facts: Any, words: str
) -> None:
    special = offer_that(cast, offer)
    special.has_alternative = True
    special.alternative_dish = DishFactory(restaurant=cast.restaurant, name="Penne al forno")
    with rls.acting_as(rls.PLATFORM):
        special.save()
    placed = PreOrderFactory(offer=special, payment_status=payment, **facts)
    assert words in text_of(page_of(guest, placed))


def test_a_hold_released_because_somebody_asked_for_it(guest: Any, cast: Cast) -> None:
    placed = PreOrderFactory(
        offer=offer_that(cast, O.ACTIVE), status=S.CANCELLED, payment_status=P.RELEASED
    )
    with rls.acting_as(rls.PLATFORM):
        PaymentOperation.objects.create(
            restaurant=cast.restaurant,
            pre_order=placed,
            kind="release",
            state="done",
            actor="Maria",
            due_at=NOON,
            created_at=NOON,
        )
    page = text_of(page_of(guest, placed))
    assert (
        "Order canceled. You weren't charged Osso buco Wed, Mar 24 "
        "We released the hold of $25.92 on your card and charged nothing."
    ) in page
    assert "ended before the deadline" not in page


def test_the_page_shows_nothing_personal(guest: Any, special: Any) -> None:
    order = PreOrderFactory(offer=special)
    response = page_of(guest, order)
    for private in (order.customer_name, order.customer_email, order.customer_phone, "Dana"):
        assert private not in response.content.decode()
    assert not response.cookies
    assert "no-store" in response.headers["Cache-Control"]
    assert '<meta name="robots" content="noindex">' in response.content.decode()


class TestComingFromThePaymentPage:
    """The return address names the session, which only the browser that paid knows."""

    def back(self, guest: Any, order: Any) -> Any:
        return guest.get(
            f"/pre-order-confirmation?preorder={order.pk}&session_id={order.checkout_session_id}"
        )

    def test_a_guest_who_paid_is_led_to_the_order_page_with_a_welcome(
        self, guest: Any, special: Any
    ) -> None:
        order = PreOrderFactory(offer=special)
        answer = self.back(guest, order)
        assert answer.status_code == 303
        assert answer.headers["Location"] == order_url(order, then="?done=ordered")
        shown = guest.get(order_path(order, then="?done=ordered"))
        page = text_of(shown)
        assert "Payment Successful! A confirmation email is on its way." in page
        assert "Payment Successful!" not in heard_in(shown)
        assert "You're in for Osso buco" in heard_in(shown)
        assert order.customer_email not in page
        later = text_of(guest.get(order_path(order)))
        assert "Payment Successful!" not in later

    def test_only_the_browser_that_ordered_reads_where_the_email_goes(
        self, guest: Any, special: Any
    ) -> None:
        order = PreOrderFactory(offer=special)
        allow(guest, order, Purpose.CHANGE, now=NOON)
        page = text_of(guest.get(order_path(order, then="?done=ordered")))
        assert f"A confirmation email is on its way to {order.customer_email} ." in page

    def test_the_session_alone_leads_there_too(self, guest: Any, special: Any) -> None:
        order = PreOrderFactory(offer=special)
        answer = guest.get(f"/pre-order-confirmation?session_id={order.checkout_session_id}")
        assert answer.headers["Location"].startswith(order_url(order))

    @pytest.mark.parametrize("session_id", ["", "cs_test_of_another_order"])
    def test_nobody_else_learns_the_signed_link(
        self, guest: Any, special: Any, session_id: str
    ) -> None:
        order = PreOrderFactory(offer=special)
        page = guest.get(f"/pre-order-confirmation?preorder={order.pk}&session_id={session_id}")
        assert page.status_code == 200
        assert order_token(order) not in page.text
        assert "/order/" not in page.text

    def test_an_order_that_is_not_paid_is_not_welcomed(self, guest: Any, special: Any) -> None:
        order = PreOrderFactory(offer=special, status=S.CANCELLED, payment_status=P.UNPAID)
        page = text_of(guest.get(order_path(order, then="?done=ordered")))
        assert order.code in page
        assert "Payment Successful!" not in page

    def test_the_emails_that_follow_are_in_the_language_of_this_page(
        self, guest: Any, special: Any
    ) -> None:
        order = PreOrderFactory(offer=special, language="es")
        self.back(guest, order)
        with rls.acting_as(rls.PLATFORM):
            order.refresh_from_db()
        assert order.language == "en-us"


def test_coming_back_asks_the_processor_and_looks_again_by_itself(
    guest: Any, special: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def still_open(session_id: str) -> Checkout:
        asked.append(session_id)
        return Checkout(session_id, "https://pay.test", CheckoutState.OPEN, None, NOON)

    monkeypatch.setattr(stripe_gateway, "retrieve_checkout", still_open)
    order = PreOrderFactory(offer=special, in_checkout=True, checkout_url="https://pay.test/c/1")
    page = page_of(guest, order).content.decode()
    assert asked == [order.checkout_session_id]
    assert 'data-look-again="4" data-address=""' in page
    assert '<noscript><p class="small"><a href="">Refresh now</a></p></noscript>' in page
    assert "http-equiv" not in page
    button = '<a class="button button-primary button-large" href="https://pay.test/c/1">'
    assert f"{button}Continue to payment</a>" in page


def test_a_silent_processor_is_no_failure_of_the_page(
    guest: Any, special: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(session_id: str) -> Checkout:
        raise Unreachable

    monkeypatch.setattr(stripe_gateway, "retrieve_checkout", silent)
    order = PreOrderFactory(offer=special, in_checkout=True)
    page = page_of(guest, order)
    assert page.status_code == 200
    assert "Your order hasn't been placed yet" in text_of(page)


def test_a_settled_page_stays_as_it_is(guest: Any, special: Any) -> None:
    order = PreOrderFactory(offer=special)
    page = page_of(guest, order)
    assert order.code in text_of(page)
    assert b"data-look-again" not in page.content


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "No pre-order information found"),
        (
            "?preorder=00000000-0000-4000-8000-000000000000",
            "Unable to load pre-order details. Please contact the restaurant directly.",
        ),
        ("?preorder=nonsense", "Unable to load pre-order details."),
        ("?session_id=%00", "Unable to load pre-order details."),
    ],
)
def test_a_link_without_an_order_says_so(guest: Any, cast: Cast, query: str, words: str) -> None:
    page = guest.get(f"/pre-order-confirmation{query}")
    assert page.status_code == 404
    assert words in text_of(page)


def test_another_restaurants_order_is_not_here(api: Any, cast: Cast, special: Any) -> None:
    order = PreOrderFactory(offer=special)
    assert page_of(api(at=cast.other), order).status_code == 404
    assert page_of(api(at=cast.restaurant), order).status_code == 200
    assert page_of(api(), order).status_code == 200


def test_the_queries_are_few(guest: Any, special: Any, django_assert_num_queries: Any) -> None:
    order = PreOrderFactory(offer=special)
    guest.get("/")
    with django_assert_num_queries(QUERIES):
        page_of(guest, order)


def test_a_hold_that_ended_by_itself_is_described_after_the_special_went_ahead(
    guest: Any, cast: Cast
) -> None:
    special = offer_that(cast, O.SUCCEEDED)
    order = PreOrderFactory(
        offer=special,
        status=S.CANCELLED,
        payment_status=P.RELEASED,
        payment_processed_at=special.deadline - timedelta(hours=1),
    )
    page = text_of(page_of(guest, order))
    assert "Order ended. You weren't charged" in page
    assert "Your bank's hold of $25.92 ended before the deadline, and your order with it." in page
    assert "Your bank's hold ended" in page
    assert "The hold was released" not in page


def test_the_deadline_passing_is_seen(guest: Any, special: SpecialOffer, clock: Clock) -> None:
    order = PreOrderFactory(offer=special)
    clock.set(special.deadline)
    assert "We're counting the orders now and will charge your card if" in text_of(
        page_of(guest, order)
    )
