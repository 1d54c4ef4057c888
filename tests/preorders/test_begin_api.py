"""POST /api/pre-orders: from the form to the checkout page."""

from datetime import timedelta

import pytest
import stripe

from apps.billing import stripe_gateway
from apps.billing.models import ConnectAccount
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders import tasks
from apps.preorders.checkout.payment_page import STILL_TRYING, checkout_request
from apps.preorders.models import PreOrder
from apps.preorders.settlement import deadline
from apps.restaurants.models import Restaurant
from tests.factories import DishFactory, RestaurantFactory, SpecialOfferFactory
from tests.preorders.world import DECLINED
from tests.refusals import without_codes

PATH = "/api/pre-orders"
SOLD_OUT = "Sold out. Your card wasn't held or charged."
CLOSED = "Orders for this special have closed. Your card wasn't held or charged."


def body(offer, **changes):
    wanted = {
        "dishId": str(offer.pk),
        "quantity": 2,
        "customerName": "Dana Guest",
        "customerEmail": "dana@example.test",
        "customerPhone": "+1 212 555 0199",
        "totalAmount": "51.84",
        **changes,
    }
    return {name: value for name, value in wanted.items() if value is not ...}


def refusal(answer, status, message=None, field=None):
    """Check that the answer is a refusal in the API's format, and that nothing was reserved."""
    assert answer.status_code == status, answer.content
    refused = answer.json()
    if message:
        assert refused["message"] == message
    if field:
        assert field in {error["field"] for error in refused["errors"]}
    assert not PreOrder.objects.exists()
    assert set(SpecialOffer.objects.values_list("reserved_portions", flat=True)) <= {0}
    return refused


@pytest.fixture
def offer(world):
    return world.offer()


@pytest.fixture
def guest(api, offer):
    return api(at=offer.restaurant)


class TestAnOrder:
    def test_the_answer_leads_to_the_checkout_page(self, world, guest, offer):
        answer = guest.post(PATH, body(offer))
        assert answer.status_code == 201
        order = PreOrder.objects.get()
        (session,) = world.sessions()
        assert answer.json() == {"checkoutUrl": session.url, "preorderId": str(order.pk)}
        assert (session.amount_total, session.currency) == (5184, "usd")
        assert session.metadata.to_dict() == {"pre_order_id": str(order.pk)}
        assert order.checkout_session_id == session.id
        assert world.fresh(offer).reserved_portions == 2
        assert world.fresh(offer).ordered_portions == 0

    @pytest.mark.parametrize(
        ("rate", "lines"),
        [
            ("8", [("Osso Buco", 2, 4800), ("Tax (8%)", 1, 384)]),
            ("0", [("Osso Buco", 2, 4800)]),
        ],
    )
    def test_the_checkout_page_counts_the_portions_and_names_the_tax(
        self, world, guest, offer, rate, lines
    ):
        Restaurant.objects.filter(pk=offer.restaurant_id).update(settings={"taxRate": rate})
        SpecialOffer.objects.filter(pk=offer.pk).update(name="Osso Buco")
        guest.post(PATH, body(offer, totalAmount=...))
        (session,) = world.sessions()
        shown = stripe.checkout.Session.list_line_items(session.id).data
        assert [(line.description, line.quantity, line.amount_total) for line in shown] == lines
        order = PreOrder.objects.get()
        assert sum(line.amount_total for line in shown) == order.total_amount * 100

    @pytest.mark.parametrize(
        ("hold_only", "says"),
        [
            (True, "Wed, Mar 24 · Dine in or pickup · Held now, charged only if it's on"),
            (False, "Wed, Mar 24 · Dine in or pickup"),
        ],
    )
    def test_the_checkout_page_says_at_its_top_whether_it_holds_or_charges(
        self, world, offer, hold_only, says
    ):
        order = world.begin(offer, 2)
        asked = checkout_request(order, expires_at=world.now, hold_only=hold_only, note="")
        assert asked.item.description == says

    def test_what_is_held_is_shared_with_the_restaurant_as_agreed(self, world, guest, offer):
        SpecialOffer.objects.filter(pk=offer.pk).update(revenue_share_rate="3.00")
        guest.post(PATH, body(offer))
        order = PreOrder.objects.get()
        world.pay(order)
        (intent,) = world.intents(order)
        assert (intent.status, intent.amount, intent.capture_method) == (
            "requires_capture",
            5184,
            "manual",
        )
        assert intent.application_fee_amount == 156 + 284  # 155.52, 254.016 + 30
        assert intent.transfer_data.destination == offer.restaurant.connect_account.account_id
        assert intent.setup_future_usage == "off_session"

    def test_the_platforms_host_finds_the_restaurant_by_the_offer(self, api, offer):
        assert api().post(PATH, body(offer)).status_code == 201

    @pytest.mark.parametrize("total", ["48.00", 48, "51.84", 51.84, ..., None])
    def test_the_total_can_be_with_or_without_tax_or_not_sent(self, guest, offer, total):
        assert guest.post(PATH, body(offer, totalAmount=total)).status_code == 201

    def test_an_order_without_a_quantity_is_for_one_portion(self, guest, offer):
        guest.post(PATH, body(offer, quantity=..., totalAmount=...))
        assert PreOrder.objects.get().quantity == 1

    def test_pressing_twice_makes_one_order(self, world, guest, offer):
        first, second = guest.post(PATH, body(offer)), guest.post(PATH, body(offer))
        assert first.json() == second.json()
        assert len(world.sessions()) == 1
        assert PreOrder.objects.count() == 1

    def test_another_number_of_portions_is_another_order(self, world, guest, offer):
        guest.post(PATH, body(offer))
        guest.post(PATH, body(offer, quantity=1, totalAmount=...))
        assert PreOrder.objects.count() == 2

    def test_ordering_again_in_another_language_opens_a_payment_page_in_it(
        self, world, guest, offer
    ):
        SpecialOffer.objects.filter(pk=offer.pk).update(min_preorders=2, max_preorders=2)
        guest.post(PATH, body(offer), headers={"Accept-Language": "es"})
        assert guest.post(PATH, body(offer)).status_code == 201
        newest, earlier = world.sessions()
        assert earlier.custom_text.submit.message.startswith("Hoy no se cobra nada.")
        assert newest.custom_text.submit.message.startswith("No charge today.")
        assert (earlier.locale, newest.locale) == ("es", "en")
        again = guest.post(PATH, body(offer))
        assert again.json()["checkoutUrl"] == newest.url
        assert len(world.sessions()) == 2

    def test_a_guest_gets_the_same_checkout_page_after_a_declined_card(self, world, guest, offer):
        """Their own portions must not make the offer sold out for them."""
        SpecialOffer.objects.filter(pk=offer.pk).update(min_preorders=2, max_preorders=2)
        first = guest.post(PATH, body(offer))
        order = PreOrder.objects.get()
        world.pay(order, DECLINED)
        world.hear(order)
        again = guest.post(PATH, body(offer))
        assert again.status_code == 201
        assert again.json() == first.json()

    def test_a_paid_order_does_not_keep_its_guest_from_another(self, world, guest, offer):
        guest.post(PATH, body(offer))
        order = PreOrder.objects.get()
        world.pay(order)
        world.hear(order)
        guest.post(PATH, body(offer))
        assert PreOrder.objects.count() == 2


class TestWhatTheGuestCanFix:
    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("customerName", "", "Name is required"),
            ("customerName", "   ", "Name is required"),
            ("customerName", ..., "Name is required"),
            ("customerEmail", "", "Valid email is required"),
            ("customerEmail", "dana", "Valid email is required"),
            ("customerEmail", None, "Valid email is required"),
            ("customerPhone", None, "Phone is required"),
            ("quantity", 0, "Order at least 1 portion."),
            ("quantity", -3, "Order at least 1 portion."),
            ("quantity", "two", "Quantity must be a whole number."),
            ("quantity", 1.5, "Quantity must be a whole number."),
            ("dishId", "osso-buco", "Invalid dish ID"),
        ],
    )
    def test_a_bad_field_is_refused_with_its_message(self, guest, offer, field, value, message):
        refused = refusal(guest.post(PATH, body(offer, **{field: value})), 400, message, field)
        assert [(each["field"], each["message"]) for each in refused["errors"]] == [
            (field, message)
        ]

    def test_all_missing_fields_are_named_at_once(self, guest, offer):
        refused = refusal(guest.post(PATH, {"dishId": str(offer.pk)}), 400)
        fields = [error["field"] for error in refused["errors"]]
        assert fields == ["customerName", "customerEmail"]

    def test_an_order_needs_no_phone_unless_the_restaurant_asks_for_one(self, guest, offer, world):
        Restaurant.objects.update(asks_for_phone=True)
        for phone in (..., "", "  "):
            sent = body(offer, customerPhone=phone)
            refusal(guest.post(PATH, sent), 400, "Phone is required", "customerPhone")
        Restaurant.objects.update(asks_for_phone=False)
        assert guest.post(PATH, body(offer, customerPhone=...)).status_code == 201

    @pytest.mark.parametrize("total", ["51.83", "51.85", "0.00", "-51.84", "60.00"])
    def test_a_price_that_has_changed(self, guest, offer, total):
        refused = refusal(
            guest.post(PATH, body(offer, totalAmount=total)), 400, "Price has changed"
        )
        assert refused["errors"][0]["field"] == "totalAmount"
        assert "$51.84" in refused["errors"][0]["message"]

    @pytest.mark.parametrize("total", ["a lot", "51.845", "NaN", [], True])
    def test_a_total_that_is_no_amount(self, guest, offer, total):
        refusal(guest.post(PATH, body(offer, totalAmount=total)), 400, field="totalAmount")

    @pytest.mark.parametrize("quantity", [21, 1000])
    def test_more_than_one_order_can_hold(self, guest, offer, quantity):
        wanted = body(offer, quantity=quantity, totalAmount=...)
        message = "You can order up to 20 portions at once."
        refusal(guest.post(PATH, wanted), 400, message, "quantity")

    @pytest.mark.parametrize("quantity", [1001, 10**30])
    def test_an_absurd_number_is_refused(self, guest, offer, quantity):
        wanted = body(offer, quantity=quantity, totalAmount=...)
        refusal(guest.post(PATH, wanted), 400, field="quantity")


class TestWhatIsNoLongerThere:
    def test_the_deadline_has_passed(self, world, guest, offer):
        world.at(offer.deadline)
        refusal(guest.post(PATH, body(offer)), 409, CLOSED)

    @pytest.mark.parametrize(
        "status", [OfferStatus.CLOSING, OfferStatus.SUCCEEDED, OfferStatus.FAILED]
    )
    def test_an_order_of_a_closed_special_is_refused(self, guest, offer, status):
        SpecialOffer.objects.filter(pk=offer.pk).update(status=status)
        refusal(guest.post(PATH, body(offer)), 409, CLOSED)

    def test_an_order_of_a_deleted_special_is_refused(self, guest, offer):
        SpecialOffer.objects.filter(pk=offer.pk).update(status=OfferStatus.DELETED)
        refusal(guest.post(PATH, body(offer)), 404)

    def test_an_order_of_an_unknown_special_is_refused(self, guest, offer):
        unknown = "00000000-0000-4000-8000-000000000000"
        refusal(guest.post(PATH, body(offer, dishId=unknown)), 404)

    def test_another_restaurants_special_is_not_found_on_this_ones_host(self, guest, offer):
        foreign = SpecialOfferFactory(restaurant=RestaurantFactory())
        refusal(guest.post(PATH, body(offer, dishId=str(foreign.pk))), 404)

    def test_another_restaurants_special_is_not_found_under_this_ones_rid(self, api, offer):
        foreign = SpecialOfferFactory(restaurant=RestaurantFactory())
        path = f"{PATH}?rid={offer.restaurant_id}"
        refusal(api().post(path, body(offer, dishId=str(foreign.pk))), 404)

    def test_an_order_of_a_sold_out_special_is_refused(self, world, guest, offer):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=3)
        world.begin(offer, 3)
        answer = guest.post(PATH, body(offer))
        assert answer.status_code == 409
        assert without_codes(answer.json()) == {
            "message": SOLD_OUT,
            "errors": [{"field": "quantity", "message": SOLD_OUT}],
        }
        assert world.fresh(offer).reserved_portions == 3

    @pytest.mark.parametrize(
        ("left", "quantity", "message"),
        [
            (1, 2, "Only 1 portion is left. Order 1 or choose another special."),
            (2, 3, "Only 2 portions are left. Order 2 or fewer."),
        ],
    )
    def test_an_order_of_more_portions_than_are_left_is_refused(
        self, world, guest, offer, left, quantity, message
    ):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=3)
        world.authorized_order(offer, 3 - left)
        answer = guest.post(PATH, body(offer, quantity=quantity, totalAmount=...))
        assert answer.status_code == 409
        assert answer.json()["message"] == message

    def test_an_abandoned_checkout_gives_its_portions_back(self, world, guest, offer):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=3)
        world.begin(offer, 3)
        world.later(minutes=31)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        assert world.fresh(offer).reserved_portions == 0
        assert guest.post(PATH, body(offer)).status_code == 201


class TestPaymentsThatAreNotOpen:
    """The restaurant can't take payments yet (DECISIONS X68)."""

    def test_an_account_that_takes_no_charges_yet(self, guest, offer):
        ConnectAccount.objects.update(charges_enabled=False)
        refusal(guest.post(PATH, body(offer)), 409, "Pre-orders open soon")

    def test_an_order_is_refused_when_the_restaurant_has_no_payment_account(self, guest, offer):
        ConnectAccount.objects.all().delete()
        refusal(guest.post(PATH, body(offer)), 409, "Pre-orders open soon")

    def test_stripe_does_not_open_a_page(self, world, guest, offer):
        fault = {"kind": "500", "path_prefix": "/v1/checkout/sessions", "times": 2}
        world.stripe.control(http_fault=fault)
        answer = guest.post(PATH, body(offer))
        assert answer.status_code == 503
        assert answer.json()["message"] == "Unable to process payment. Please try again."
        assert world.fresh(offer).reserved_portions == 0
        assert not PreOrder.objects.in_checkout().exists()

    def test_a_guest_is_not_refused_while_stripes_limit_passes(self, world, guest, offer):
        """The call waits, and is sent again with its key."""
        fault = {"kind": "429", "path_prefix": "/v1/checkout/sessions", "times": 2}
        world.stripe.control(http_fault=fault)
        assert guest.post(PATH, body(offer)).status_code == 201
        assert len(world.sessions()) == 1

    def test_a_guest_whom_stripe_limits_is_told_and_keeps_the_portions(self, world, guest, offer):
        world.stripe.control(limits={"per_second": 0})
        answer = guest.post(PATH, body(offer))
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3")
        assert answer.json()["message"] == str(STILL_TRYING)
        assert world.fresh(offer).reserved_portions == 2
        world.stripe.control(limits="off")
        assert guest.post(PATH, body(offer)).status_code == 201
        assert world.fresh(offer).reserved_portions == 2
        assert len(world.sessions()) == 1

    def test_stripe_is_not_there_at_all(self, world, guest, offer, monkeypatch):
        monkeypatch.setattr(stripe, "api_base", "http://127.0.0.1:9")
        assert guest.post(PATH, body(offer)).status_code == 503
        assert world.fresh(offer).reserved_portions == 0

    def test_an_account_stripe_has_closed_meanwhile(self, world, guest, offer):
        ConnectAccount.objects.update(account_id="acct_gone")
        assert guest.post(PATH, body(offer)).status_code == 503
        assert world.fresh(offer).reserved_portions == 0


def test_the_deadline_passes_while_the_page_is_being_opened(world, guest, offer, monkeypatch):
    """The closer found an order without a page and gave it up: its page must not be paid on."""
    create = stripe_gateway.create_checkout

    def slowly(*args, **options):
        opened = create(*args, **options)
        deadline.close_offer(offer.pk, now=offer.deadline + timedelta(seconds=1))
        return opened

    monkeypatch.setattr(stripe_gateway, "create_checkout", slowly)
    answer = guest.post(PATH, body(offer))
    assert answer.status_code == 409
    assert answer.json()["message"] == CLOSED
    assert [session.status for session in world.sessions()] == ["expired"]
    assert world.fresh(offer).status == "failed"


class TestTheAlternative:
    """What a guest chooses for when the minimum is missed (DECISIONS X18)."""

    @pytest.mark.parametrize(("sent", "agreed"), [(True, "15.00"), (False, None), (..., None)])
    def test_a_guest_agrees_to_the_alternative_at_its_price_of_today(
        self, world, guest, offer, sent, agreed
    ):
        offer.has_alternative = True
        offer.alternative_dish = DishFactory(restaurant=offer.restaurant, price="15.00")
        offer.save()
        answer = guest.post(PATH, body(offer, alternativeConsent=sent))
        assert answer.status_code == 201
        price = PreOrder.objects.get().alternative_price
        assert (price and str(price)) == agreed

    @pytest.mark.parametrize("sent", ["perhaps", 7, None, []])
    def test_the_consent_to_the_alternative_is_true_or_false(self, guest, offer, sent):
        answer = guest.post(PATH, body(offer, alternativeConsent=sent))
        refusal(answer, 400, field="alternativeConsent")
