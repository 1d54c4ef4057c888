"""GET /api/pre-orders/{id}, /api/orders and /api/ledger."""

from decimal import Decimal
from typing import Any

import pytest
import stripe

from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.preorders.settlement.payments import apply_payment_intent
from tests.factories import MembershipFactory, PreOrderFactory, SpecialOfferFactory
from tests.refusals import without_codes

NOWHERE = ["00000000-0000-4000-8000-000000000000", "cs_test_unknown", "nonsense", "-1"]


@pytest.fixture
def order(cast, clock):
    return PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.restaurant), quantity=2)


class TestOneOrderForEverybody:
    def test_an_order_is_found_by_its_id_and_by_its_checkout_session(self, api, cast, order):
        reported = {
            "dish": {"id": str(order.offer_id), "name": order.offer.name, "imageUrl": None},
            "restaurant": {
                "id": str(cast.restaurant.pk),
                "name": "Luigi's",
                "address": cast.restaurant.address,
                "phone": cast.restaurant.phone,
            },
            "preorder": {
                "id": str(order.pk),
                "quantity": 2,
                "totalAmount": "51.84",
                "currency": "usd",
                "status": "pending",
                "paymentStatus": "authorized",
                "createdAt": "2027-03-22T16:00:00Z",
            },
        }
        for client in (api(), api(at=cast.restaurant)):
            for reference in (order.pk, order.checkout_session_id):
                assert client.get(f"/api/pre-orders/{reference}").json() == reported

    def test_the_public_answer_has_no_personal_data(self, api, order):
        """DECISIONS X33."""
        answer = api().get(f"/api/pre-orders/{order.pk}")
        assert answer.status_code == 200
        text = answer.content.decode()
        for personal in (order.customer_name, order.customer_email, order.customer_phone):
            assert personal not in text

    @pytest.mark.parametrize(
        ("reference", "status"), [*((each, 404) for each in NOWHERE), ("%00", 400)]
    )
    def test_an_unknown_order_is_not_found(self, api, order, reference, status):
        answer = api().get(f"/api/pre-orders/{reference}")
        assert answer.status_code == status
        assert answer.json()["message"]

    def test_an_order_is_not_found_on_another_restaurants_host(self, api, cast, order):
        for reference in (order.pk, order.checkout_session_id):
            assert api(at=cast.other).get(f"/api/pre-orders/{reference}").status_code == 404


class TestTheRestaurantsOrders:
    def test_an_order_of_the_list_has_every_field(self, api, cast, order):
        (line,) = api(cast.owner).get("/api/orders").json()["orders"]
        assert line == {
            "id": str(order.pk),
            "code": str(order.pk)[-8:].upper(),
            "offerId": str(order.offer_id),
            "offerName": order.offer.name,
            "offerServeDate": "2027-03-24",
            "source": "web",
            "customerName": "Dana Guest",
            "customerEmail": "dana@example.test",
            "customerPhone": "+1 212 555 0199",
            "quantity": 2,
            "totalAmount": "51.84",
            "refundedAmount": "0.00",
            "currency": "usd",
            "status": "pending",
            "statusLabel": "Pending",
            "paymentStatus": "authorized",
            "paymentLabel": "Card held",
            "note": "",
            "notesCount": 0,
            "slot": None,
            "serviceMode": "",
            "party": None,
            "servesAlternative": False,
            "servedName": order.offer.name,
            "actions": ["cancel", "resend", "new_link", "note"],
            "createdAt": "2027-03-22T16:00:00Z",
        }

    def test_all_pages_hold_every_order_once_newest_first(self, api, cast, clock):
        offer = SpecialOfferFactory(restaurant=cast.restaurant)
        PreOrderFactory.create_batch(60, offer=offer)  # all of one moment: ids tell them apart
        clock.advance(minutes=1)
        PreOrderFactory.create_batch(60, offer=offer)
        seen, cursor, sizes = [], None, []
        while True:
            asked: dict[str, Any] = {"cursor": cursor} if cursor else {}
            page = api(cast.owner).get("/api/orders", asked).json()
            seen += [(line["createdAt"], line["id"]) for line in page["orders"]]
            sizes.append(len(page["orders"]))
            cursor = page["nextCursor"]
            if not cursor:
                break
            assert "+" not in cursor  # it may be put into a URL as it is
        assert sizes == [50, 50, 20]
        assert len(set(seen)) == 120
        assert seen == sorted(seen, reverse=True)

    def test_the_list_is_filtered_by_offer(self, api, cast, order):
        PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.restaurant))
        page = api(cast.owner).get("/api/orders", {"offer": str(order.offer_id)}).json()
        assert [line["id"] for line in page["orders"]] == [str(order.pk)]

    @pytest.mark.parametrize(
        "cursor",
        ["x", "|", "2027-03-22T16:00:00|x", "2020-03-22T16:00:00|" + NOWHERE[0], "\x00", "1|1"],
    )
    def test_a_cursor_that_cannot_be_read_is_refused(self, api, cast, order, cursor):
        refused = api(cast.owner).get("/api/orders", {"cursor": cursor})
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_cursor")

    def test_a_page_has_as_many_orders_as_are_asked_for(self, api, cast, order):
        PreOrderFactory(offer=order.offer)
        first = api(cast.owner).get("/api/orders", {"limit": 1}).json()
        rest = api(cast.owner).get("/api/orders", {"limit": 1, "cursor": first["nextCursor"]})
        shown = [*first["orders"], *rest.json()["orders"]]
        assert len({line["id"] for line in shown}) == 2
        assert rest.json()["nextCursor"] is None

    def test_an_unknown_offer_has_no_orders_and_no_offers_id_is_refused(self, api, cast, order):
        unknown = api(cast.owner).get("/api/orders", {"offer": NOWHERE[0]})
        assert unknown.json()["orders"] == []
        assert api(cast.owner).get("/api/orders", {"offer": "x"}).status_code == 400

    def test_a_restaurant_sees_only_its_own_orders(self, api, cast, order):
        foreign = PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.other))
        assert [line["id"] for line in api(cast.outsider).get("/api/orders").json()["orders"]] == [
            str(foreign.pk)
        ]
        asked = {"offer": str(foreign.offer_id)}
        assert api(cast.owner).get("/api/orders", asked).json()["orders"] == []
        path = f"/api/orders?restaurant={cast.other.pk}"
        assert api(cast.owner).get(path).status_code == 404

    def test_the_team_and_staff_see_orders_and_nobody_else(self, api, cast, order):
        def status(person=None):
            return api(person).get(f"/api/orders?restaurant={cast.restaurant.pk}").status_code

        for person in (cast.owner, cast.manager, cast.kitchen, cast.staff):
            assert status(person) == 200
        assert status(cast.outsider) == 404
        assert api(cast.stranger).get("/api/orders").status_code == 403
        assert status() == 401

    def test_queries_do_not_grow_with_the_orders(
        self, api, cast, order, django_assert_max_num_queries
    ):
        client = api(cast.owner)
        client.get("/api/orders")
        PreOrderFactory.create_batch(30, offer=order.offer)
        with django_assert_max_num_queries(6):
            client.get("/api/orders")


class TestTheLedger:
    def test_a_charge_and_a_refund_in_five_figures(self, world, api):
        """$25.92 charged twice at 3 %: share 78, processing 157 each; one refunded."""
        offer = world.offer(min_preorders=2, revenue_share_rate=Decimal("3.00"))
        stored, back = world.authorized_order(offer), world.authorized_order(offer)
        world.settle(offer)
        refund(world, back)
        owner = api()
        owner.force_login(member(offer.restaurant))
        ledger = owner.get("/api/ledger").json()
        assert ledger["totals"] == {
            "captured": "51.84",
            "platformFees": "0.78",
            "processingFees": "1.57",
            "refunded": "25.92",
            "disputed": "0.00",
            "payout": "23.57",
        }
        lines = [(line["orderCode"], line["type"], line["amount"]) for line in ledger["entries"]]
        for order in (stored, back):
            for line in [
                ("authorization", "25.92"),
                ("capture", "25.92"),
                ("fee", "1.57"),
                ("transfer", "23.57"),
            ]:
                assert (order.code, *line) in lines
        assert (back.code, "refund", "25.92") in lines
        assert len(lines) == 9

    def test_a_restaurant_sees_only_its_own_ledger(self, world, api):
        other = world.open_restaurant(name="Ming's", subdomain="mings")
        for restaurant in (world.restaurant, other):
            offer = world.offer(restaurant=restaurant, min_preorders=1)
            world.authorized_order(offer, 1 if restaurant == other else 2)
            world.settle(offer)
        totals = []
        for restaurant in (world.restaurant, other):
            owner = api(member(restaurant))
            totals.append(owner.get("/api/ledger").json()["totals"]["captured"])
            foreign = other if restaurant != other else world.restaurant
            assert owner.get(f"/api/ledger?restaurant={foreign.pk}").status_code == 404
        assert totals == ["51.84", "25.92"]

    def test_owners_and_staff_see_the_ledger_and_nobody_else(self, api, cast):
        def status(person=None):
            return api(person).get(f"/api/ledger?restaurant={cast.restaurant.pk}").status_code

        assert status(cast.owner) == status(cast.staff) == 200
        assert status(cast.manager) == status(cast.kitchen) == 403
        assert status(cast.outsider) == 404
        assert status() == 401

    def test_a_new_restaurant_has_an_empty_ledger(self, api, cast):
        ledger = api(cast.owner).get("/api/ledger").json()
        assert ledger["entries"] == []
        assert set(ledger["totals"].values()) == {"0.00"}


class TestWhatARefundWouldComeTo:
    @pytest.fixture
    def order(self, world):
        offer = world.offer(min_preorders=1, revenue_share_rate=Decimal("3.00"))
        order = world.authorized_order(offer, 2)
        world.settle(offer)
        return world.fresh(order)

    @pytest.fixture
    def ask(self, api, order):
        owner = api(member(order.restaurant))
        return lambda query="": owner.get(f"/api/orders/{order.pk}/refund{query}")

    def test_a_preview_shows_what_a_partial_and_a_full_refund_return(self, ask, order):
        assert ask("?amount=12.96").json() == {
            "amount": "12.96",
            "revenueShare": "0.39",
            "processingFee": "0.71",
            "lessPayout": "11.86",
            "currency": "usd",
            "needsConfirmation": False,
            "advance": "",
        }
        assert ask().json() == {
            "amount": "51.84",
            "revenueShare": "1.56",
            "processingFee": "2.84",
            "lessPayout": "47.44",
            "currency": "usd",
            "needsConfirmation": False,
            "advance": "",
        }
        assert not order.operations.filter(kind="refund").exists()

    @pytest.mark.parametrize(
        ("amount", "says"),
        [
            ("51.85", "You can refund at most $51.84, the remaining amount."),
            ("0", "Enter a refund amount such as 12.50."),
            ("much", "Enter a refund amount such as 12.50."),
        ],
    )
    def test_an_amount_that_cannot_be(self, ask, amount, says):
        answer = ask(f"?amount={amount}")
        assert answer.status_code == 400
        assert without_codes(answer.json()) == {
            "message": says,
            "errors": [{"field": "amount", "message": says}],
        }

    def test_another_restaurants_order_is_not_found(self, world, api, order):
        other = world.open_restaurant(name="Ming's", subdomain="mings")
        answer = api(member(other)).get(f"/api/orders/{order.pk}/refund")
        assert answer.status_code == 404


def member(restaurant):
    return MembershipFactory(restaurant=restaurant).user


def refund(world, order):
    """Refund the order by hand at Stripe, and process the news."""
    stripe.Refund.create(
        payment_intent=order.payment_intent_id, reverse_transfer=True, refund_application_fee=True
    )
    apply_payment_intent(order.payment_intent_id, now=world.later(minutes=1))
    order = world.fresh(order)
    assert order.status == PreOrderStatus.CANCELLED
    assert order.payment_status == PaymentStatus.REFUNDED
