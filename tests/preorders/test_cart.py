"""POST /api/create-multi-offer-payment-intent: starting a cart, and every refusal."""

from datetime import timedelta
from typing import Any

import pytest
import stripe

from apps.billing import stripe_gateway
from apps.billing.models import ConnectAccount
from apps.offers.card_terms import AGREES_TO_TERMS, card_terms, charge_in_brief
from apps.offers.models import PickupSlot, SpecialOffer
from apps.offers.pickup_slots import slots_of
from apps.offers.seats import sentence_with_yours
from apps.offers.states import OfferStatus
from apps.preorders.models import Cart, PreOrder
from apps.preorders.settlement import deadline
from apps.restaurants.models import Restaurant
from tests.factories import DishFactory, RestaurantFactory, SpecialOfferFactory
from tests.refusals import without_codes

PATH = "/api/create-multi-offer-payment-intent"
DANA = {"name": "Dana Guest", "email": "dana@example.test", "phone": "+1 212 555 0199"}
EMPTY = "Please add items to your cart before proceeding."
NO_PAYMENT = "Unable to initialize payment. Please try again."


def item(offer, quantity=1, **more):
    sent = {"dishId": str(offer.pk), "name": offer.name, "price": 24, "quantity": quantity}
    return {name: value for name, value in {**sent, **more}.items() if value is not ...}


def body(*items, **more):
    sent = {"items": list(items), "guest": DANA, **more}
    return {name: value for name, value in sent.items() if value is not ...}


def refusal(answer, status, message=None, field=None):
    """Check that the answer is a refusal in the API's format, that nothing was reserved, and that
    Stripe wasn't called."""
    assert answer.status_code == status, answer.content
    reported = answer.json()
    if message:
        assert reported["message"] == message
    if field:
        assert [error["field"] for error in reported["errors"]] == [field]
    assert not PreOrder.objects.exists()
    assert not Cart.objects.exists()
    assert set(SpecialOffer.objects.values_list("reserved_portions", flat=True)) <= {0}
    return reported


@pytest.fixture
def two(world):
    return [world.offer(name="Osso Buco"), world.offer(name="Ribollita")]


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


class TestOneItem:
    def test_the_answer_has_what_the_browser_needs_and_the_servers_figures(self, world, guest):
        offer = world.offer(name="Osso Buco")
        answer = guest.post(PATH, body(item(offer, 2), total=5184))
        assert answer.status_code == 201
        order = PreOrder.objects.get()
        (intent,) = world.intents(order)
        assert answer.json() == {
            "clientSecret": intent.client_secret,
            "checkoutId": str(order.cart_id),
            "publishableKey": "pk_test_localstripelocalstripelocal",
            "accountId": None,
            "mandate": f"{card_terms(offer, world.now)}\nBy continuing, you allow Luigi's to hold "
            f"$51.84 on your card. {AGREES_TO_TERMS}",
            "totalAmount": "51.84",
            "currency": "usd",
            "expiresAt": "2027-03-22T16:10:00Z",
            "address": "1 Mulberry Street, New York, NY 10013",
            "items": [
                {
                    "preorderId": str(order.pk),
                    "offerId": str(offer.pk),
                    "name": "Osso Buco",
                    "imageUrl": None,
                    "photoUrl": None,
                    "served": "Wed, Mar 24 · Dine in or pickup",
                    "quantity": 2,
                    "subtotal": "48.00",
                    "tax": "3.84",
                    "totalAmount": "51.84",
                    "status": "pending",
                    "seatsSentence": sentence_with_yours(offer, world.now, 2),
                    "isShort": True,
                    "chargeInBrief": charge_in_brief(offer),
                }
            ],
        }
        assert world.fresh(offer).reserved_portions == 2
        assert world.fresh(offer).ordered_portions == 0

    def test_a_single_items_own_intent_is_confirmed_as_on_a_hosted_page(self, world, guest):
        offer = world.offer()
        SpecialOffer.objects.filter(pk=offer.pk).update(revenue_share_rate="3.00")
        guest.post(PATH, body(item(offer, 2)))
        order = PreOrder.objects.get()
        (intent,) = world.intents(order)
        assert intent.id.startswith("pi_")
        assert (intent.status, intent.amount, intent.capture_method) == (
            "requires_payment_method",
            5184,
            "manual",
        )
        assert intent.application_fee_amount == 156 + 284
        assert intent.transfer_data.destination == offer.restaurant.connect_account.account_id
        assert (intent.setup_future_usage, intent.payment_method_types) == ("off_session", ["card"])
        guest_details = stripe.Customer.retrieve(intent.customer)
        assert (guest_details.name, guest_details.email) == ("Dana Guest", "dana@example.test")
        assert order.payment_intent_id == intent.id


class TestSeveralItems:
    def test_several_items_ask_for_one_card_and_hold_nothing_yet(self, world, guest, two):
        answer = guest.post(PATH, body(item(two[0], 2), item(two[1]), total=7776))
        assert answer.status_code == 201
        cart = Cart.objects.get()
        setup: Any = stripe.SetupIntent.retrieve(str(cart.setup_intent_id))
        assert answer.json()["clientSecret"] == setup.client_secret
        assert setup.client_secret.startswith("seti_")
        assert (setup.usage, setup.payment_method_types) == ("off_session", ["card"])
        assert setup.metadata.to_dict() == {"cart_id": str(cart.pk)}
        assert setup.on_behalf_of == world.restaurant.connect_account.account_id
        assert stripe.PaymentIntent.list().data == []
        items = answer.json()["items"]
        assert [(cart_item["name"], cart_item["totalAmount"]) for cart_item in items] == [
            ("Osso Buco", "51.84"),
            ("Ribollita", "25.92"),
        ]
        assert "hold $77.76 on your card." in answer.json()["mandate"]
        assert [world.fresh(offer).reserved_portions for offer in two] == [2, 1]

    def test_each_line_is_an_order_with_its_own_wishes(self, world, guest, two):
        first, second = two
        first.has_alternative = True
        first.alternative_dish = DishFactory(restaurant=first.restaurant, price="15.00")
        first.save()
        noon = first.deadline + timedelta(hours=1)
        slot = PickupSlot.objects.create(
            offer=second,
            restaurant=second.restaurant,
            starts_at=noon,
            ends_at=noon + timedelta(minutes=30),
        )
        wishes = {"alternativeConsent": True, "note": "No nuts"}
        sent = body(item(first, **wishes), item(second, slotId=slot.pk))
        assert guest.post(PATH, sent).status_code == 201
        stored = PreOrder.objects.order_by("offer__name").values_list(
            "note", "alternative_price", "pickup_slot", "customer_name"
        )
        assert [(note, str(price), place, name) for note, price, place, name in stored] == [
            ("No nuts", "15.00", None, "Dana Guest"),
            ("", "None", slot.pk, "Dana Guest"),
        ]

    def test_a_time_with_too_few_portions_left_names_those_that_fit(self, world, guest, two):
        """In the special's own form, a wallet sends the order here."""
        offer = two[0]
        noon = offer.deadline + timedelta(hours=24)
        small, _large = [
            PickupSlot.objects.create(
                offer=offer,
                restaurant=offer.restaurant,
                starts_at=noon + timedelta(hours=number),
                ends_at=noon + timedelta(hours=number + 1),
                capacity=capacity,
            )
            for number, capacity in enumerate((1, 5))
        ]
        labels = [each.label for each in slots_of(offer)]
        message = f"Osso Buco: {labels[0]} has room for 1 portion. Try {labels[1]}."
        answer = guest.post(PATH, body(item(offer, 2, slotId=small.pk)))
        refusal(answer, 409, message, "items.0.slotId")

    def test_the_same_special_twice_is_one_line(self, world, guest, two):
        answer = guest.post(PATH, body(item(two[0]), item(two[1]), item(two[0], 2)))
        quantities = {
            cart_item["name"]: cart_item["quantity"] for cart_item in answer.json()["items"]
        }
        assert quantities == {"Osso Buco": 3, "Ribollita": 1}

    def test_the_same_special_twice_in_two_ways_is_refused(self, guest, two):
        sent = body(item(two[0]), item(two[1]), item(two[0], note="No nuts"))
        message = "This special is in your cart twice. Combine its portions."
        refusal(guest.post(PATH, sent), 400, message, "items.2.dishId")

    def test_the_platforms_host_finds_the_restaurant_by_the_first_line(self, api, two):
        assert api().post(PATH, body(item(two[0]), item(two[1]))).status_code == 201


class TestTheTotal:
    # Three items of $9.99: tax .7992 each, 2.3976 on the sum.
    @pytest.mark.parametrize("total", [2997, 3237, ..., None])
    def test_the_total_can_be_without_tax_with_it_or_not_sent(self, world, guest, total):
        offers = [world.offer(special_price="9.99") for _ in range(3)]
        answer = guest.post(PATH, body(*[item(o, price="9.99") for o in offers], total=total))
        assert answer.status_code == 201
        assert answer.json()["totalAmount"] == "32.37"

    def test_the_total_can_have_the_tax_rounded_once_on_the_sum(self, world, guest):
        """Each line of $0.93 has tax 0.0744, which is 7 cents; the sum has 0.2232, which is 22."""
        offers = [world.offer(special_price="0.93") for _ in range(3)]
        items = [item(offer, price="0.93") for offer in offers]
        reported = refusal(guest.post(PATH, body(*items, total=302)), 400, field="total")
        assert reported["errors"][0]["message"] == (
            "The total is now $3.00 with tax. Reload the page to see it."
        )
        answer = guest.post(PATH, body(*items, total=301))
        assert answer.status_code == 201
        assert answer.json()["totalAmount"] == "3.00"

    def test_the_total_can_be_sent_as_decimals_like_every_other_amount(self, guest, two):
        sent = {"total": ..., "totalAmount": "25.92"}
        assert guest.post(PATH, body(item(two[0]), **sent)).status_code == 201
        refused = guest.post(PATH, body(item(two[1]), **sent | {"totalAmount": "25.91"}))
        assert (refused.status_code, refused.json()["code"]) == (400, "price_changed")

    @pytest.mark.parametrize("total", [7775, 0, 7200 + 1, 10**15])
    def test_a_different_total_is_refused(self, guest, two, total):
        sent = body(item(two[0], 2), item(two[1]), total=total)
        refusal(guest.post(PATH, sent), 400, "Price has changed", "total")

    @pytest.mark.parametrize("total", ["a lot", -1, 51.845, 10**30, True, []])
    def test_a_total_that_is_no_number_of_cents_is_refused(self, guest, two, total):
        refusal(guest.post(PATH, body(item(two[0]), total=total)), 400, field="total")

    def test_a_price_that_has_changed_names_its_line(self, guest, two):
        sent = body(item(two[0]), item(two[1], price="23.00"))
        reported = refusal(guest.post(PATH, sent), 400, "Price has changed", "items.1.price")
        assert reported["errors"][0]["message"] == (
            "Ribollita is now $24.00 a portion. Reload the page to see the new price."
        )


class TestWhatIsRefused:
    @pytest.mark.parametrize("items", [[], None, ..., "all", {}])
    def test_an_empty_cart_is_refused(self, guest, items):
        refusal(guest.post(PATH, body(items=items)), 400, EMPTY, "items")

    @pytest.mark.parametrize(
        ("changes", "field", "message"),
        [
            ({"dishId": "osso-buco"}, "items.0.dishId", "Invalid dish ID"),
            ({"dishId": ...}, "items.0.dishId", "Choose a special."),
            ({"quantity": 0}, "items.0.quantity", "Order at least 1 portion."),
            ({"quantity": "two"}, "items.0.quantity", "Quantity must be a whole number."),
            ({"quantity": 10**30}, "items.0.quantity", None),
            ({"price": "cheap"}, "items.0.price", "The price must be an amount of money."),
            ({"note": "x" * 501}, "items.0.note", None),
            ({"slotId": 5}, "items.0.slotId", None),
            (
                {"quantity": 21},
                "items.0.quantity",
                "Osso Buco: You can order up to 20 portions at once.",
            ),
        ],
    )
    def test_a_bad_item_is_refused_with_its_message(self, guest, two, changes, field, message):
        refusal(guest.post(PATH, body(item(two[0], **changes))), 400, message, field)

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("name", "", "Name is required"),
            ("email", "dana", "Valid email is required"),
            ("phone", None, "Phone is required"),
        ],
    )
    def test_an_incomplete_guest_is_refused(self, guest, two, field, value, message):
        sent = body(item(two[0]), guest={**DANA, field: value})
        refusal(guest.post(PATH, sent), 400, message, f"guest.{field}")

    def test_a_guest_gives_a_phone_number_where_the_restaurant_asks(self, guest, two):
        sent = body(item(two[0]), guest={**DANA, "phone": ""})
        Restaurant.objects.update(asks_for_phone=True)
        refusal(guest.post(PATH, sent), 400, "Phone is required", "guest.phone")
        Restaurant.objects.update(asks_for_phone=False)
        assert guest.post(PATH, sent).status_code == 201

    def test_more_lines_than_a_cart_holds(self, guest, two):
        sent = body(*[item(two[0]) for _ in range(21)])
        refusal(guest.post(PATH, sent), 400, "A cart can hold up to 20 specials.", "items")

    @pytest.mark.parametrize("host", ["restaurant", "platform"])
    def test_a_cart_with_specials_of_two_restaurants_is_refused(self, api, world, two, host):
        foreign = SpecialOfferFactory(restaurant=RestaurantFactory())
        guest = api(at=world.restaurant if host == "restaurant" else None)
        message = (
            "A cart can hold specials from only one restaurant. Order from Luigi's first, then "
            "from the "
            "other."
        )
        refusal(guest.post(PATH, body(item(two[0]), item(foreign))), 400, message, "items.1.dishId")

    def test_an_unknown_special_is_refused(self, guest, two):
        unknown = item(two[0], dishId="00000000-0000-4000-8000-000000000000")
        refusal(guest.post(PATH, body(item(two[0]), unknown)), 404)

    def test_nothing_is_reserved_when_one_special_has_closed(self, world, guest, two):
        SpecialOffer.objects.filter(pk=two[1].pk).update(status=OfferStatus.CLOSING)
        message = (
            "Ribollita: Orders for this special have closed. Your card wasn't held or charged."
        )
        answer = guest.post(PATH, body(item(two[0]), item(two[1])))
        refusal(answer, 409, message, "items.1.dishId")
        assert not PreOrder.objects.exists()
        assert [world.fresh(offer).reserved_portions for offer in two] == [0, 0]
        assert stripe.Customer.list().data == []

    def test_nothing_is_reserved_when_one_special_is_sold_out(self, world, guest, two):
        SpecialOffer.objects.filter(pk=two[1].pk).update(min_preorders=1, max_preorders=1)
        taken = world.begin(two[1])
        answer = guest.post(PATH, body(item(two[0], 3), item(two[1])))
        assert answer.status_code == 409
        message = "Ribollita: Sold out. Your card wasn't held or charged."
        assert without_codes(answer.json()) == {
            "message": message,
            "errors": [{"field": "items.1.quantity", "message": message}],
        }
        assert list(PreOrder.objects.all()) == [taken]
        assert [world.fresh(offer).reserved_portions for offer in two] == [0, 1]
        assert not Cart.objects.exists()

    def test_payments_that_are_not_open(self, guest, two):
        ConnectAccount.objects.update(charges_enabled=False)
        answer = guest.post(PATH, body(item(two[0])))
        refusal(answer, 409, "Osso Buco: Pre-orders open soon", "items.0.dishId")


class TestPressingTwice:
    def test_a_cart_sent_twice_is_one_checkout(self, world, guest, two):
        sent = body(item(two[0]), item(two[1]))
        first, second = guest.post(PATH, sent), guest.post(PATH, sent)
        assert first.json() == second.json()
        assert second.status_code == 201
        assert PreOrder.objects.count() == 2
        assert len(stripe.SetupIntent.list().data) == 1
        assert len(stripe.Customer.list().data) == 1

    def test_a_cart_of_one_item_sent_twice_is_one_checkout(self, world, guest, two):
        sent = body(item(two[0]))
        assert guest.post(PATH, sent).json() == guest.post(PATH, sent).json()
        assert len(stripe.PaymentIntent.list().data) == 1
        # The second press reads it. Stripe forgets a key, and with it what it made, after a day.
        assert world.calls("POST /v1/payment_intents") == 1

    def test_does_not_sell_the_last_portion_out_to_its_own_guest(self, world, guest, two):
        SpecialOffer.objects.update(min_preorders=1, max_preorders=1)
        sent = body(item(two[0]), item(two[1]))
        assert guest.post(PATH, sent).json() == guest.post(PATH, sent).json()

    @pytest.mark.parametrize(
        "change",
        [
            {"guest": {**DANA, "phone": "1"}},
            {"guest": {**DANA, "email": "other@example.test"}},
        ],
    )
    def test_another_person_gets_another_checkout(self, guest, two, change):
        first = guest.post(PATH, body(item(two[0]))).json()
        second = guest.post(PATH, body(item(two[0]), **change)).json()
        assert first["checkoutId"] != second["checkoutId"]

    def test_carts_without_a_name_are_not_shared(self, guest, two):
        sent = body(item(two[0]), guest=...)
        first, second = guest.post(PATH, sent).json(), guest.post(PATH, sent).json()
        assert first["checkoutId"] != second["checkoutId"]

    def test_a_new_checkout_is_started_when_the_last_was_abandoned_or_nearly_over(
        self, world, guest, two
    ):
        sent = body(item(two[0]), item(two[1]))
        first = guest.post(PATH, sent).json()["checkoutId"]
        assert guest.delete(f"/api/checkouts/{first}").status_code == 204
        second = guest.post(PATH, sent).json()["checkoutId"]
        world.later(minutes=22)
        third = guest.post(PATH, sent).json()["checkoutId"]
        assert len({first, second, third}) == 3


class TestWhenStripeDoesNotAnswer:
    @pytest.mark.parametrize("call", ["customers", "setup_intents"])
    def test_nothing_stays_reserved_when_stripe_does_not_answer(self, world, guest, two, call):
        world.stripe.control(
            http_fault={"kind": "500", "path_prefix": f"/v1/{call}", "method": "POST", "times": 2}
        )
        answer = guest.post(PATH, body(item(two[0]), item(two[1])))
        assert answer.status_code == 503
        assert answer.json()["message"] == NO_PAYMENT
        assert not PreOrder.objects.in_checkout().exists()
        assert [world.fresh(offer).reserved_portions for offer in two] == [0, 0]

    @pytest.mark.parametrize("items", [1, 2])
    def test_a_checkout_that_is_open_already_stays_so(self, world, guest, two, items):
        """The guest may be giving the card there right now."""
        sent = body(*[item(offer) for offer in two[:items]])
        opened = guest.post(PATH, sent).json()
        world.stripe.control(http_fault={"kind": "500", "method": "GET", "path_prefix": "/v1"})
        assert guest.post(PATH, sent).status_code == 503
        assert [world.fresh(offer).reserved_portions for offer in two[:items]] == [1] * items
        assert guest.post(PATH, sent).json()["clientSecret"] == opened["clientSecret"]

    def test_a_guest_whom_stripe_limits_continues_with_the_same_portions(self, world, guest, two):
        sent = body(item(two[0]), item(two[1]))
        world.stripe.control(limits={"per_second": 0})
        answer = guest.post(PATH, sent)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3")
        assert answer.json()["message"].startswith("Lots of people are ordering right now.")
        assert [world.fresh(offer).reserved_portions for offer in two] == [1, 1]
        world.stripe.control(limits="off")
        assert guest.post(PATH, sent).status_code == 201
        assert [world.fresh(offer).reserved_portions for offer in two] == [1, 1]
        assert PreOrder.objects.count() == 2

    def test_an_answer_that_is_lost_is_asked_for_again(self, world, guest, two):
        for call in ("customers", "payment_intents"):
            fault = {"kind": "lost_response", "path_prefix": f"/v1/{call}", "method": "POST"}
            world.stripe.control(http_fault=fault)
        assert guest.post(PATH, body(item(two[0]))).status_code == 201
        assert len(stripe.Customer.list().data) == 1
        assert len(stripe.PaymentIntent.list().data) == 1

    @pytest.mark.parametrize("items", [1, 2])
    def test_the_deadline_passes_while_it_is_asked(self, world, guest, two, items, monkeypatch):
        """The closer found orders without an intent and gave them up."""
        name = "create_intent" if items == 1 else "create_setup"
        create = getattr(stripe_gateway, name)

        def slowly(*args, **options):
            made = create(*args, **options)
            for offer in two:
                deadline.close_offer(offer.pk, now=offer.deadline + timedelta(seconds=1))
            return made

        monkeypatch.setattr(stripe_gateway, name, slowly)
        answer = guest.post(PATH, body(*[item(offer) for offer in two[:items]]))
        assert answer.status_code == 409
        intents = stripe.PaymentIntent.list().data + stripe.SetupIntent.list().data
        assert [intent.status for intent in intents] == ["canceled"]
        assert {world.fresh(offer).status for offer in two[:items]} == {"failed"}
