"""Without a card, nobody can keep a special sold out or test stolen cards (decision 51)."""

import itertools
import json
import logging
from datetime import timedelta

import pytest
import stripe
from djstripe.models import Event

from apps.accounts import bot_check
from apps.accounts.rate_limits import TooManyAttempts
from apps.billing.models import Discrepancy
from apps.billing.stripe_gateway import OWN_EVENTS
from apps.common import rls
from apps.preorders import tasks, webhooks
from apps.preorders.checkout import limits
from apps.preorders.core.cart_items import AUTHENTICATION_REQUIRED
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.preorders.models.states import OperationStage, PreOrderStatus
from apps.preorders.webhooks import DECLINED_EVENTS
from tests.pages import text_of
from tests.preorders.world import CAPTURE_DECLINED, DECLINED, GOOD

PRE_ORDERS = "/api/pre-orders"
CART = "/api/create-multi-offer-payment-intent"
MACHINE = "203.0.113.9"
BYSTANDER = "198.51.100.20"
_events = itertools.count(1)
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def offer(world):
    return world.offer(max_preorders=40, min_preorders=10, max_per_order=10)


@pytest.fixture
def hcaptcha(settings, monkeypatch):
    """hCaptcha that accepts tokens starting with `good`, each once."""
    settings.HCAPTCHA_SITE_KEY, settings.HCAPTCHA_SECRET_KEY = "site", "secret"
    used = set()

    def ask(token, address):
        fresh = token.startswith("good") and token not in used
        used.add(token)
        return fresh

    monkeypatch.setattr(bot_check, "_ask_provider", ask)


def guest_of(number):
    return {
        "customerName": f"Guest {number}",
        "customerEmail": f"guest{number}@example.test",
        "customerPhone": f"+1 212 555 {number:04}",
    }


def begin(api, offer, number, quantity=1, address=MACHINE, browser="Robot/1", **proof):
    body = {"dishId": str(offer.pk), "quantity": quantity, **guest_of(number), **proof}
    return api(at=offer.restaurant).post(
        PRE_ORDERS, body, REMOTE_ADDR=address, headers={"User-Agent": browser}
    )


def begin_cart(api, offer, number, address=MACHINE, browser="Robot/1", **proof):
    guest = guest_of(number)
    body = {
        "items": [{"dishId": str(offer.pk), "quantity": 1}],
        "guest": {
            "name": guest["customerName"],
            "email": guest["customerEmail"],
            "phone": guest["customerPhone"],
        },
        **proof,
    }
    return api(at=offer.restaurant).post(
        CART, body, REMOTE_ADDR=address, headers={"User-Agent": browser}
    )


def proof(answer, world, **more):
    """What a person sends after passing the check that this answer asks for."""
    check = answer.json()["botCheck"]
    world.later(seconds=3)
    return {"startedAt": check["startedAt"], **more}


def deliver_declines(world, *, order_id="", cart_id="", times=1):
    """Process Stripe's webhooks about declined cards."""
    for _ in range(times):
        event = f"evt_{next(_events)}"
        tasks.count_declined_card_task(event, str(order_id), str(cart_id))


class TestKeepingASpecialSoldOut:
    def test_120_checkouts_from_one_machine_leave_the_special_open(self, world, api, offer):
        answers = []
        for number in range(120):
            answer = begin(api, offer, number, browser=f"Robot/{number}")
            if answer.status_code == 403:  # a robot answers the check that needs no key too
                again = proof(answer, world)
                answer = begin(api, offer, number, browser=f"Robot/{number}", **again)
            answers.append(answer.status_code)
        assert answers.count(201) == 20
        assert set(answers) == {201, 429}
        assert world.fresh(offer).reserved_portions <= 20
        asked = begin(api, offer, 500, 10, address=BYSTANDER)
        assert asked.status_code == 403  # half of the special is reserved without a card
        person = begin(api, offer, 500, 10, address=BYSTANDER, **proof(asked, world))
        assert person.status_code == 201

    def test_what_lapsed_counts_so_the_same_machine_cannot_go_on(self, world, api, offer):
        taken = []
        for number in range(60):  # two hours, a portion of ten each two minutes
            answer = begin(api, offer, number, 10)
            if answer.status_code == 403:
                begin(api, offer, number, 10, **proof(answer, world))
            world.later(minutes=2)
            with rls.acting_as(rls.PLATFORM):
                tasks.lapse_reservations_task()
            taken.append(world.fresh(offer).reserved_portions)
        assert max(taken) <= 20
        assert taken.count(0) >= 45

    def test_many_networks_are_asked_for_a_check_at_half_the_special(
        self, world, api, offer, hcaptcha
    ):
        answers = [
            begin(api, offer, number, address=f"2001:db8:{number:x}::1").status_code
            for number in range(40)
        ]
        assert answers == [201] * 20 + [403] * 20
        person = begin(api, offer, 500, address=BYSTANDER, hcaptchaToken="good-1")
        assert person.status_code == 201

    def test_an_ipv6_network_is_one_machine(self, world, api, offer, hcaptcha):
        answers = [
            begin(api, offer, number, address=f"2001:db8:1:2::{number + 1:x}", browser=f"B{number}")
            for number in range(20)
        ]
        assert [each.status_code for each in answers] == [201] * 10 + [403] * 10

    def test_one_email_or_phone_has_one_orders_worth(self, world, api, offer, hcaptcha):
        for number, same in enumerate(("customerEmail", "customerPhone")):
            body = {"dishId": str(offer.pk), "quantity": 6}
            answers = []
            for turn in range(2):
                one = guest_of(900 + number) if turn == 0 else guest_of(950 + 10 * number + turn)
                guest = {**one, same: guest_of(900 + number)[same]}
                answers.append(
                    api(at=offer.restaurant)
                    .post(
                        PRE_ORDERS,
                        body | guest,
                        REMOTE_ADDR=f"198.51.{number}.{turn}",
                        headers={"User-Agent": "Phone"},
                    )
                    .status_code
                )
            assert answers == [201, 403], same

    def test_a_paid_order_uses_up_no_ones_limit(self, world, api, offer):
        for number in range(4):
            assert begin(api, offer, number, 5).status_code == 201
            order = PreOrder.objects.latest("created_at")
            world.pay(order)
            world.hear(order)
            world.later(seconds=1)
        assert world.fresh(offer).ordered_portions == 20

    def test_going_back_uses_up_no_ones_limit(self, world, api, offer):
        for number in range(6):
            answer = begin(api, offer, number, 10)
            assert answer.status_code == 201
            order = answer.json()["preorderId"]
            path = f"/specials/{offer.pk}?cancelled=1&preorder={order}"
            api(at=offer.restaurant).get(path)

    def test_without_a_maximum_there_is_nothing_to_keep(self, world, api):
        offer = world.offer(max_preorders=None, max_per_order=10)
        answers = [begin(api, offer, number, 10).status_code for number in range(12)]
        assert set(answers) == {201}

    def test_an_order_of_the_usual_size_is_always_possible(self, world, api):
        offer = world.offer(max_preorders=10, min_preorders=2, max_per_order=10)
        assert begin(api, offer, 1, 10).status_code == 201

    def test_ordering_again_lets_the_guests_earlier_reservation_lapse(self, world, api):
        offer = world.offer(max_preorders=30, min_preorders=2, max_per_order=20)
        first = begin(api, offer, 1, 20).json()["preorderId"]
        asked = begin(api, offer, 1, 18)
        assert asked.status_code == 403
        assert world.fresh(offer).reserved_portions == 20
        assert begin(api, offer, 1, 18, **proof(asked, world)).status_code == 201
        assert world.fresh(offer).reserved_portions == 18
        assert PreOrder.objects.get(pk=first).reservation == "lapsed"

    def test_one_machine_reserves_half_at_a_time_even_where_orders_can_be_large(self, world, api):
        offer = world.offer(max_preorders=30, min_preorders=2, max_per_order=20)
        for number in range(6):
            answer = begin(api, offer, number, 10, browser=f"B{number}")
            if answer.status_code == 403:
                begin(api, offer, number, 10, browser=f"B{number}", **proof(answer, world))
        assert world.fresh(offer).reserved_portions == 20

    def test_the_refusal_says_what_to_do_and_when(self, world, api, offer):
        for number in range(2):
            answer = begin(api, offer, number, 10)
            if answer.status_code == 403:
                begin(api, offer, number, 10, **proof(answer, world))
        refused = begin(api, offer, 3)
        assert refused.status_code == 429
        assert refused.json()["message"] == (
            "Too many orders were started here without a card. Finish one of them, or try "
            "again later. You can also call the restaurant to order."
        )
        assert 0 < int(refused.headers["Retry-After"]) <= 2 * 60 * 60

    def test_a_cart_counts_like_an_order(self, world, api, offer, hcaptcha):
        answers = [begin_cart(api, offer, number).status_code for number in range(12)]
        assert answers == [201] * 10 + [403] * 2


class TestTheCheck:
    def test_it_is_not_asked_for_without_pressure(self, world, api, offer, hcaptcha):
        assert begin(api, offer, 1, 10).status_code == 201

    def test_nothing_is_reserved_until_it_is_passed(self, world, api, offer, hcaptcha):
        begin(api, offer, 1, 10)
        asked = begin(api, offer, 2)
        assert asked.status_code == 403
        assert asked.json()["botCheck"]["siteKey"] == "site"
        assert asked.json()["errors"][0]["field"] == "hcaptchaToken"
        assert begin(api, offer, 2, hcaptchaToken="bad").status_code == 400
        assert PreOrder.objects.count() == 1
        assert begin(api, offer, 2, hcaptchaToken="good").status_code == 201

    def test_a_passed_check_counts_once(self, world, api, offer, hcaptcha):
        begin(api, offer, 1, 10)
        assert begin(api, offer, 2, hcaptchaToken="good").status_code == 201
        assert begin(api, offer, 3, hcaptchaToken="good").status_code == 400

    def test_without_a_key_a_signed_time_counts_once(self, world, api, offer):
        begin(api, offer, 1, 10)
        used = proof(begin(api, offer, 2), world)
        assert begin(api, offer, 2, **used).status_code == 201
        assert begin(api, offer, 3, **used).status_code == 400

    def test_without_a_key_it_takes_the_time_a_person_takes(self, world, api, offer):
        begin(api, offer, 1, 10)
        early = {"startedAt": begin(api, offer, 2).json()["botCheck"]["startedAt"]}
        assert begin(api, offer, 2, **early).status_code == 400


class TestTheForm:
    def post(self, api, offer, number, **more):
        sent = {"quantity": "1", "unitPrice": "24.00", **guest_of(number), **more}
        body = "&".join(f"{name}={value}" for name, value in sent.items())
        return api(at=offer.restaurant).post(
            f"/specials/{offer.pk}/pre-order",
            body.replace("+", "%2B").replace(" ", "+"),
            FORM,
            REMOTE_ADDR=MACHINE,
        )

    def test_under_pressure_it_asks_again_with_everything_still_filled_in(self, world, api, offer):
        begin(api, offer, 1, 10, browser="")
        page = self.post(api, offer, 2)
        assert page.status_code == 403
        assert "Press Pre-Order Now again" in text_of(page)
        assert "We're getting a lot of requests right now." in text_of(page)
        assert "Confirm that you're a person" not in text_of(page)  # nothing to confirm it with
        assert 'value="guest2@example.test"' in page.content.decode()
        assert "Your order hasn't been placed yet. Your card wasn't held or charged." in text_of(
            page
        )
        assert "Pre-order Failed" not in text_of(page)
        assert "h-captcha" not in page.content.decode()
        # A script sends it again once that has taken the time that a person takes.
        assert ' data-retry-after="3"' in page.content.decode()

    def test_without_a_key_or_a_script_sending_it_again_is_enough(self, world, api, offer):
        begin(api, offer, 1, 10, browser="")
        page = self.post(api, offer, 2).content.decode()
        started = page.split('name="startedAt" value="')[1].split('"')[0]
        world.later(seconds=3)
        again = self.post(api, offer, 2, startedAt=started.replace("&#x27;", "'"), website="")
        assert again.status_code == 303

    def test_the_hidden_field_gives_a_robot_away(self, world, api, offer):
        begin(api, offer, 1, 10, browser="")
        page = self.post(api, offer, 2).content.decode()
        started = page.split('name="startedAt" value="')[1].split('"')[0]
        world.later(seconds=3)
        assert self.post(api, offer, 2, startedAt=started, website="x").status_code == 400

    def test_with_a_key_it_shows_hcaptcha_in_the_guests_language(self, world, api, offer, hcaptcha):
        begin(api, offer, 1, 10, browser="")
        page = self.post(api, offer, 2).content.decode()
        assert 'class="h-captcha" data-sitekey="site"' in page
        assert "https://js.hcaptcha.com/1/api.js?hl=en" in page
        assert "This check needs JavaScript." in page
        assert "data-retry-after" not in page
        passed = self.post(api, offer, 2, **{"h-captcha-response": "good"})
        assert passed.status_code == 303

    def test_without_pressure_it_has_no_check(self, world, api, offer, hcaptcha):
        page = api(at=offer.restaurant).get(f"/specials/{offer.pk}").content.decode()
        assert "h-captcha" not in page
        assert 'id="bot-check"' not in page


class TestTheWaitlist:
    def join(self, api, offer, number, email=None, address=MACHINE, **more):
        sent = {"quantity": "1", **guest_of(number), **more}
        sent["customerEmail"] = email or sent["customerEmail"]
        body = "&".join(f"{name}={value}" for name, value in sent.items())
        return api(at=offer.restaurant).post(
            f"/specials/{offer.pk}/waitlist",
            body.replace("+", "%2B").replace(" ", "+"),
            FORM,
            REMOTE_ADDR=address,
        )

    @pytest.fixture
    def full(self, world):
        offer = world.offer(max_preorders=4, min_preorders=2, max_per_order=4)
        world.authorized_order(offer, 4)
        return offer

    def test_one_machine_cannot_fill_it_with_invented_addresses(self, world, api, full, hcaptcha):
        answers = [self.join(api, full, number).status_code for number in range(40)]
        assert answers == [303] * 3 + [403] * 9 + [429] * 28
        assert WaitlistEntry.objects.count() == 3
        assert self.join(api, full, 900, address=BYSTANDER).status_code == 303

    def test_a_person_who_passes_the_check_joins(self, world, api, full, hcaptcha):
        for number in range(3):
            self.join(api, full, number)
        asked = self.join(api, full, 4)
        assert "Confirm that you're a person" in text_of(asked)
        assert self.join(api, full, 4, **{"h-captcha-response": "good"}).status_code == 303


class TestCardTesting:
    def test_five_declined_cards_end_a_checkout(self, world, api, offer):
        answer = begin_cart(api, offer, 1)
        order = PreOrder.objects.get()
        deliver_declines(world, order_id=order.pk, times=4)
        assert world.fresh(order).status == PreOrderStatus.PENDING
        deliver_declines(world, order_id=order.pk)
        assert world.fresh(order).status == PreOrderStatus.CANCELLED
        assert world.intents(order)[0].status == "canceled"
        assert world.fresh(offer).reserved_portions == 0
        refused = world.stripe.confirm(answer.json()["clientSecret"], GOOD)
        assert "error" in refused

    def test_five_declined_cards_on_stripes_page_end_the_checkout(self, world, api, offer):
        begin(api, offer, 1)
        order = PreOrder.objects.get()
        deliver_declines(world, order_id=order.pk, times=5)
        assert world.fresh(order).status == PreOrderStatus.CANCELLED
        assert world.sessions()[0].status == "expired"

    def test_and_in_a_cart_of_several_where_the_card_is_only_saved(self, world, api, offer):
        other = world.offer(name="Bread")
        begun = world.begin_cart(offer, other)
        deliver_declines(world, cart_id=begun.cart.pk, times=5)
        assert {world.fresh(item).status for item in begun.items} == {"cancelled"}
        assert "error" in world.give_card(begun)

    def test_the_guest_reads_why(self, world, api, offer):
        begin(api, offer, 1)
        order = PreOrder.objects.get()
        deliver_declines(world, order_id=order.pk, times=5)
        page = api(at=offer.restaurant).get(f"/pre-order-confirmation?preorder={order.pk}")
        assert "Several cards were declined, so we closed the checkout." in text_of(page)

    def test_an_event_that_comes_twice_counts_once(self, world, api, offer):
        begin(api, offer, 1)
        order = PreOrder.objects.get()
        for _ in range(20):
            tasks.count_declined_card_task("evt_same", str(order.pk), "")
        assert world.fresh(order).status == PreOrderStatus.PENDING

    def test_a_charge_without_the_guest_is_no_card_test(self, world, offer):
        order = world.authorized_order(offer)
        deliver_declines(world, order_id=order.pk, times=10)
        assert world.fresh(order).payment_status == "authorized"

    def test_a_bank_that_asks_about_each_item_of_a_cart_declined_none(self, world, offer):
        order = world.begin(offer)
        for error, status in ((AUTHENTICATION_REQUIRED, "pending"), ("card_declined", "cancelled")):
            for number in range(limits.DECLINES_BY_CHECKOUT.times):
                intent = {
                    "metadata": {"pre_order_id": str(order.pk)},
                    "last_payment_error": {"code": error},
                }
                event = Event(
                    id=f"evt_{error}_{number}",
                    type="payment_intent.payment_failed",
                    data={"object": intent},
                )
                webhooks.card_declined(sender=Event, event=event)
            world.work()
            assert world.fresh(order).status == status

    def test_a_machine_whose_cards_are_declined_starts_no_more(self, world, api, offer, hcaptcha):
        """Each try with a fresh order, email, and browser, and every check passed."""
        statuses = []
        for number in range(60):
            answer = begin_cart(
                api, offer, number, browser=f"B{number}", hcaptchaToken=f"good{number}"
            )
            statuses.append(answer.status_code)
            if answer.status_code == 201:
                order = PreOrder.objects.get(pk=answer.json()["items"][0]["preorderId"])
                deliver_declines(world, order_id=order.pk, times=5)
        assert statuses == [201] * 6 + [429] * 54

    def test_an_attack_from_everywhere_asks_all_guests_for_a_check(
        self, world, api, offer, hcaptcha, caplog
    ):
        order = None
        for number in range(limits.DECLINES_BY_RESTAURANT.times):
            address = f"2001:db8:{number:x}::1"
            answer = begin_cart(api, offer, number, address=address)
            assert answer.status_code == 201, number
            order = PreOrder.objects.get(pk=answer.json()["items"][0]["preorderId"])
            with caplog.at_level(logging.ERROR):
                deliver_declines(world, order_id=order.pk)
            path = f"/api/checkouts/{answer.json()['checkoutId']}"
            api(at=offer.restaurant).delete(path)
        (alarm,) = Discrepancy.objects.filter(kind=Discrepancy.Kind.CARD_TESTING)
        assert (alarm.restaurant_id, alarm.pre_order) == (offer.restaurant_id, order)
        assert "Many cards were declined" in caplog.text
        assert begin(api, offer, 700, address=BYSTANDER).status_code == 403
        world.at(world.now)  # Stripe's clock went on meanwhile
        person = begin(api, offer, 700, address=BYSTANDER, hcaptchaToken="good")
        assert person.status_code == 201  # no bystander is locked out
        elsewhere = world.open_restaurant(name="Ming's", subdomain="mings")
        other = world.offer(restaurant=elsewhere)
        assert begin(api, other, 701, address=BYSTANDER).status_code == 201

    def test_ten_thousand_tries_are_stopped_and_logged(self, world, api, offer, caplog):
        """A robot that passes the check without a key, changes its browser and email each time."""
        declined, refused = 0, 0
        with caplog.at_level(logging.WARNING):
            while declined + refused < 10_000:
                number = declined + refused
                if refused > 60:  # from here on, the limit alone: a request costs 10 ms here
                    for _ in range(10_000 - number):
                        with pytest.raises(TooManyAttempts):
                            limits.TOO_MANY_BY_NETWORK.check(limits._digest(MACHINE))
                        refused += 1
                    break
                answer = begin_cart(api, offer, number, browser=f"B{number}")
                if answer.status_code == 403:
                    again = proof(answer, world)
                    answer = begin_cart(api, offer, number, browser=f"B{number}", **again)
                if answer.status_code != 201:
                    assert answer.status_code == 429
                    refused += 1
                    continue
                order = answer.json()["items"][0]["preorderId"]
                while world.fresh(PreOrder.objects.get(pk=order)).status == PreOrderStatus.PENDING:
                    world.stripe.confirm(answer.json()["clientSecret"], DECLINED)
                    deliver_declines(world, order_id=order)
                    declined += 1
        assert (declined, declined + refused) == (limits.TOO_MANY_BY_NETWORK.times, 10_000)
        assert "limit too-many-declines-by-network is reached" in caplog.text
        passed = begin(api, offer, 9_000, address=BYSTANDER)
        if passed.status_code == 403:  # the restaurant is under attack: a check, not a refusal
            passed = begin(api, offer, 9_000, address=BYSTANDER, **proof(passed, world))
        assert passed.status_code == 201

    def test_a_payment_link_closes_after_too_many_declined_cards(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer, card=CAPTURE_DECLINED)
        stripe.PaymentMethod.detach(order.payment_method_id)  # no charge without the guest
        world.settle(offer)
        link = world.operation(order)
        assert (link.stage, link.reference[:3]) == (OperationStage.PAY_LINK, "cs_")
        deliver_declines(world, order_id=order.pk, times=4)
        assert stripe.checkout.Session.retrieve(link.reference).status == "open"
        deliver_declines(world, order_id=order.pk)
        assert stripe.checkout.Session.retrieve(link.reference).status == "expired"
        assert world.fresh(order).payment_status == "capture_failed"  # as if nobody had paid

    def test_stripe_is_subscribed_to_every_decline(self):
        assert set(DECLINED_EVENTS) <= set(OWN_EVENTS)


class TestReadingFromStripe:
    def retrievals(self, world):
        return sum(
            world.calls(call)
            for call in (
                "GET /v1/checkout/sessions/{id}",
                "GET /v1/payment_intents/{id}",
                "GET /v1/setup_intents/{id}",
            )
        )

    def test_opening_pages_again_and_again_asks_stripe_once(self, world, api, offer, monkeypatch):
        monkeypatch.setattr(limits, "READ_EVERY_SECONDS", 600)  # real seconds, on a slow machine
        begun = world.begin_cart(offer)
        order = world.begin(offer)
        client = api(at=offer.restaurant)
        before = self.retrievals(world)
        for _ in range(20):
            client.get(f"/api/checkouts/{begun.cart.pk}")
            client.get(f"/pre-order-confirmation?preorder={order.pk}")
        assert self.retrievals(world) - before == 2

    def test_many_orders_from_one_machine_are_limited_too(self, world, api, offer):
        for _ in range(limits.READS_BY_NETWORK.times):
            limits.READS_BY_NETWORK.record("127.0.0.1")
        order = world.begin(offer)
        before = self.retrievals(world)
        page = api(at=offer.restaurant).get(f"/pre-order-confirmation?preorder={order.pk}")
        assert page.status_code == 200
        assert self.retrievals(world) == before


def test_the_limits_can_be_switched_off_to_measure(world, api, offer, settings):
    settings.CHECKOUT_LIMITS = False
    answers = [begin(api, offer, number, 10).status_code for number in range(4)]
    assert answers == [201] * 4
    assert json.dumps(answers)
    assert timedelta(hours=2) == limits.UNPAID_MEMORY
