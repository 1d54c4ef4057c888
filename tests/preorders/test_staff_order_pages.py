"""The team's page of an order, the QR code of its payment link, and the pickup page."""

from datetime import timedelta
from typing import Any

import pytest

from apps.preorders.models import PreOrder
from apps.preorders.models.states import OrderSource, PaymentStatus, PreOrderStatus
from tests.conftest import NOON, Cast
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.pages import props_of

pytestmark = pytest.mark.usefixtures("clock", "platform")
PAID = {"status": PreOrderStatus.CONFIRMED, "payment_status": PaymentStatus.CAPTURED}


@pytest.fixture
def served_today(cast: Cast) -> Any:
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        status="succeeded",
        created_at=NOON - timedelta(days=2),
        serve_date=NOON.date(),
    )


@pytest.fixture
def by_phone(cast: Cast) -> PreOrder:
    return PreOrderFactory(
        offer=SpecialOfferFactory(restaurant=cast.restaurant),
        source=OrderSource.PHONE,
        payment_status=PaymentStatus.UNPAID,
        checkout_url="https://checkout.test/pay/1",
        checkout_expires_at=NOON + timedelta(hours=3),
    )


class TestAnOrdersPage:
    def test_the_page_has_the_whole_order_in_it(
        self, api: Any, cast: Cast, served_today: Any
    ) -> None:
        order = PreOrderFactory(offer=served_today, quantity=2, **PAID)
        props = props_of(api(cast.kitchen).get(f"/restaurant/orders/{order.pk}"))
        asked = api(cast.kitchen).get(f"/api/orders/{order.pk}").json()
        assert props["detail"] == asked
        assert props["version"] == api(cast.kitchen).get("/api/orders/changes").json()["version"]
        assert props["timeZone"] == cast.restaurant.timezone

    def test_someone_elses_order_is_not_there(
        self, api: Any, cast: Cast, served_today: Any
    ) -> None:
        order = PreOrderFactory(offer=served_today, **PAID)
        for path in ("", "/pay-link.svg"):
            answer = api(cast.outsider).get(f"/restaurant/orders/{order.pk}{path}")
            assert answer.status_code == 404

    def test_the_link_to_pay_is_drawn_while_it_can_be_used(
        self, api: Any, cast: Cast, by_phone: PreOrder, clock: Any
    ) -> None:
        path = f"/restaurant/orders/{by_phone.pk}/pay-link.svg"
        drawn = api(cast.manager).get(path)
        assert drawn.headers["Content-Type"] == "image/svg+xml"
        assert drawn.content.lstrip().startswith((b"<?xml", b"<svg"))
        assert "no-store" in drawn.headers["Cache-Control"]
        clock.advance(hours=3)
        assert api(cast.manager).get(path).status_code == 404

    def test_the_link_to_pay_is_shown_with_its_end(
        self, api: Any, cast: Cast, by_phone: PreOrder, clock: Any
    ) -> None:
        def shown() -> tuple[Any, Any]:
            detail = api(cast.manager).get(f"/api/orders/{by_phone.pk}").json()
            return detail["payUrl"], detail["payUntil"]

        assert shown() == ("https://checkout.test/pay/1", "2027-03-22T19:00:00Z")
        clock.advance(hours=3)
        assert shown() == (None, None)


class TestSignInNeeded:
    def test_the_count_is_todays_charged_orders_of_this_restaurant(
        self, api: Any, cast: Cast, served_today: Any
    ) -> None:
        PreOrderFactory(offer=served_today, quantity=2, **PAID)
        fetched = {**PAID, "status": PreOrderStatus.FULFILLED}
        PreOrderFactory(offer=served_today, quantity=3, **fetched)
        PreOrderFactory(offer=served_today, **{**PAID, "status": PreOrderStatus.NO_SHOW})
        PreOrderFactory(offer=served_today, payment_status=PaymentStatus.CAPTURE_FAILED)
        PreOrderFactory(
            offer=served_today,
            status=PreOrderStatus.CANCELLED,
            payment_status=PaymentStatus.REFUNDED,
        )
        PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.restaurant), **PAID)
        PreOrderFactory(
            offer=SpecialOfferFactory(restaurant=cast.other, serve_date=NOON.date()), **PAID
        )
        count = {"orders": 3, "pickedUp": 1, "portions": 6, "portionsPickedUp": 3}
        assert api(cast.kitchen).get("/api/pick-up/today").json() == count
        assert props_of(api(cast.kitchen).get("/restaurant/pick-up"))["today"] == count

    def test_this_page_alone_can_use_the_camera_and_a_worker_of_its_own(
        self, api: Any, cast: Cast
    ) -> None:
        pickup_page = api(cast.kitchen).get("/restaurant/pick-up")
        assert "camera=(self)" in pickup_page.headers["Permissions-Policy"]
        assert "worker-src 'self' blob:" in pickup_page.headers["Content-Security-Policy"]
        elsewhere = api(cast.kitchen).get("/restaurant?tab=orders")
        assert "camera=()" in elsewhere.headers["Permissions-Policy"]
        assert "worker-src" not in elsewhere.headers["Content-Security-Policy"]

    def test_staff_can_look_but_not_pick_up(self, api: Any, cast: Cast) -> None:
        answer = api(cast.staff).get(f"/restaurant/pick-up?restaurant={cast.restaurant.pk}")
        assert answer.status_code == 403


class TestTheOrdersTab:
    def test_the_page_is_rendered_with_the_orders_its_address_asks_for(
        self, api: Any, cast: Cast, served_today: Any
    ) -> None:
        maria = PreOrderFactory(offer=served_today, customer_name="Maria Rossi", **PAID)
        PreOrderFactory(offer=served_today, customer_name="Ben Gold", **PAID)
        page = props_of(api(cast.owner).get("/restaurant?tab=orders&q=maria"))
        assert [order["id"] for order in page["orders"]["orders"]] == [str(maria.pk)]
        totals = {"rows": 1, "orders": 1, "portions": maria.quantity}
        assert page["orders"]["totals"] == totals

    def test_a_filter_nobody_offers_leaves_the_answer_to_the_api(
        self, api: Any, cast: Cast
    ) -> None:
        answer = api(cast.owner).get("/restaurant?tab=orders&day=soon&offer=x")
        assert answer.status_code == 200
        assert "orders" not in props_of(answer)

    def test_declined_cards_that_can_still_be_fixed_are_counted(
        self, api: Any, cast: Cast, served_today: Any
    ) -> None:
        PreOrderFactory(offer=served_today, payment_status=PaymentStatus.CAPTURE_FAILED)
        PreOrderFactory(
            offer=SpecialOfferFactory(restaurant=cast.other),
            payment_status=PaymentStatus.CAPTURE_FAILED,
        )
        assert props_of(api(cast.owner).get("/restaurant"))["failedPayments"] == 1
