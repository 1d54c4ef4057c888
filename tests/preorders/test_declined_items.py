"""A cart item whose hold was declined: its guest is told once, and can finish the order from its
own page for as long as its portions are reserved (decision 23)."""

import html
import re
from datetime import timedelta

import pytest
from django.core import mail

from apps.billing import stripe_gateway
from apps.billing.gateway import CardUnusable, Declined, Unreachable
from apps.preorders.cart import confirmation
from apps.preorders.core.declines import decline_sentence, reason_shown
from apps.preorders.core.links import order_path
from apps.preorders.emails import reminders
from apps.preorders.emails.outbox import pending_emails, send_email
from apps.preorders.models import Email
from apps.preorders.settlement.checkout_expiry import end_abandoned_checkouts
from tests.preorders.access import allow
from tests.preorders.world import ASKS_EVERY_TIME, DECLINED, GOOD

MASTERCARD = "5555555555554444"


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def begun_with(world, kind, *, minutes_left=600):
    """Start a cart of two specials: one is held, and the bank answered this to the other."""
    offers = [
        world.offer(
            name=name, min_preorders=1, deadline=world.now + timedelta(minutes=minutes_left)
        )
        for name in ("Arancini", "Bucatini")
    ]
    begun = world.begin_cart(*offers)
    refused = next(item for item in begun.items if item.offer.name == "Bucatini")
    world.stripe.control(hold_fault={"kind": kind, "pre_order": str(refused.pk)})
    world.give_card(begun)
    world.confirm_cart(begun)
    world.work()
    mail.outbox.clear()
    return begun, refused


def send_what_is_due(world):
    """Send what the sweep finds; returns the emails about the declined item."""
    for email_id in pending_emails(now=world.now):
        send_email(email_id, now=world.now)
    return [each for each in mail.outbox if "Bucatini" in each.subject]


def page_of(world, guest, order):
    answer = guest.get(order_path(world.fresh(order)))
    text = re.sub(r"<(style|script)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    return answer, " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


class TestTheEmail:
    def test_comes_when_the_guest_did_not_fix_it_and_says_until_when_it_can_be(self, world):
        _, refused = begun_with(world, "generic_decline")
        assert send_what_is_due(world) == []
        world.later(minutes=6)
        [email] = send_what_is_due(world)
        assert email.subject == "Your card was declined for Bucatini"
        shown = str(email.alternatives[0][0])
        assert "Tue, Mar 23" in shown[shown.index("<h1") : shown.index("</h1>")]
        assert email.to == ["Dana Guest <dana@example.test>"]
        assert "so your card wasn't held or charged for this order." in email.body
        assert "If you do nothing, the order ends then and you pay nothing." in email.body
        assert f"{order_path(world.fresh(refused))}/open?access=" in email.body
        assert "then=%2Fcard" in email.body
        assert "You can order now" not in email.body  # it can still be finished
        world.later(minutes=6)
        assert len(send_what_is_due(world)) == 1

    def test_asks_for_the_guest_where_the_bank_does(self, world):
        begun_with(world, "authentication_required")
        world.later(minutes=6)
        [email] = send_what_is_due(world)
        assert email.subject == "Your bank needs you to confirm your order for Bucatini"
        assert "it wants to make sure it's you" in email.body

    def test_comes_once_when_the_banks_check_failed_and_the_other_item_stays_held(self, world):
        begun, refused = begun_with(world, "authentication_required")
        retry = confirmation.retry_cart_item(
            cart_id=begun.cart.pk, order_id=refused.pk, another_card=False, now=world.now
        )
        world.stripe.confirm(retry.client_secret, ASKS_EVERY_TIME, authenticate="fail")
        assert world.confirm_cart(begun) == {
            "Arancini": "held",
            "Bucatini": "requires_action",
        }
        world.work()
        world.later(minutes=6)
        [email] = send_what_is_due(world)
        assert email.subject == "Your bank needs you to confirm your order for Bucatini"
        held = next(item for item in begun.items if item.offer.name == "Arancini")
        assert world.fresh(held).payment_status == "authorized"
        assert [each.status for each in world.intents(refused)] == ["requires_payment_method"]
        world.later(minutes=6)
        assert len(send_what_is_due(world)) == 1

    def test_does_not_come_once_it_is_fixed(self, world):
        begun, refused = begun_with(world, "generic_decline")
        retry = confirmation.retry_cart_item(
            cart_id=begun.cart.pk, order_id=refused.pk, another_card=False, now=world.now
        )
        world.stripe.confirm(retry.client_secret, GOOD)
        assert world.confirm_cart(begun)["Bucatini"] == "held"
        world.work()
        world.later(minutes=6)
        assert [each.subject for each in send_what_is_due(world)] == [
            "You're in for Bucatini on Tue, Mar 23"
        ]
        assert Email.objects.get(pre_order=refused, kind="declined").dropped_at == world.now

    def test_does_not_come_to_who_turned_back_or_cancelled(self, world):
        begun, refused = begun_with(world, "generic_decline")
        confirmation.abandon_cart(cart_id=begun.cart.pk, now=world.now)
        _, other = begun_with(world, "generic_decline")
        world.cancel(other)
        world.work()
        mail.outbox.clear()
        world.later(minutes=6)
        assert send_what_is_due(world) == []

    def test_an_email_that_comes_too_late_says_so_and_how_to_order_again(self, world):
        _, refused = begun_with(world, "generic_decline")
        world.offer(name="Cannoli")
        world.later(minutes=31)
        end_abandoned_checkouts(now=world.now)
        [email] = send_what_is_due(world)
        assert email.subject == "Your order for Bucatini wasn't placed"
        assert "You can order again until" in email.body
        assert f"/specials/{refused.offer_id}?again=" in email.body
        assert "%2Fcard" not in email.body
        assert f"You can order now at {world.restaurant.name}\n" in email.body
        assert "Cannoli, $24.00 instead of $30.00\n" in email.body
        assert "Arancini, $24.00" not in email.body  # it was ordered with the same card
        shown = str(email.alternatives[0][0])
        assert "text-decoration:line-through" in shown[: shown.index("Tue, Mar 23")]

    def test_an_email_in_the_grace_names_the_end_of_the_grace(self, world):
        _, refused = begun_with(world, "generic_decline", minutes_left=1)
        world.later(minutes=6)
        [email] = send_what_is_due(world)
        grace_ends = refused.offer.deadline + timedelta(minutes=10)
        local = grace_ends.astimezone(world.restaurant.zone)
        assert f"{local:%-I:%M %p}" in email.body

    def test_an_email_after_the_grace_asks_for_nothing(self, world):
        begun_with(world, "generic_decline", minutes_left=1)
        world.later(minutes=12)
        [email] = send_what_is_due(world)
        assert email.subject == "Your order for Bucatini wasn't placed"
        assert "You don't need to do anything." in email.body

    def test_a_guest_who_got_the_email_gets_no_reminder_of_the_unfinished_order(self, world):
        _, refused = begun_with(world, "generic_decline")
        world.later(minutes=6)
        send_what_is_due(world)
        world.later(minutes=60)
        end_abandoned_checkouts(now=world.now)
        world.later(minutes=31)
        reminders.queue_reminders(now=world.now)
        assert "unfinished" not in world.emails(refused)


class TestAnotherCard:
    """The guest can't confirm the saved card with its bank, and gives another one instead."""

    def test_holds_the_one_intent_once_after_the_banks_check_failed(self, world, guest):
        begun, refused = begun_with(world, "authentication_required")
        path = f"/api/checkouts/{begun.cart.pk}/items/{refused.pk}/retry"
        saved = guest.post(path).json()
        world.stripe.confirm(saved["clientSecret"], ASKS_EVERY_TIME, authenticate="fail")
        assert world.confirm_cart(begun)["Bucatini"] == "requires_action"
        other = guest.post(path, {"anotherCard": True}).json()
        assert other == {"clientSecret": saved["clientSecret"], "savedCard": False}
        world.stripe.confirm(other["clientSecret"], MASTERCARD)
        assert world.confirm_cart(begun) == {"Arancini": "held", "Bucatini": "held"}
        world.work()
        [intent] = world.intents(refused)
        assert (intent.status, intent.amount_capturable) == ("requires_capture", intent.amount)
        assert world.fresh(refused).payment_method_id == intent.payment_method
        held = next(item for item in begun.items if item.offer.name == "Arancini")
        assert world.fresh(held).payment_method_id != intent.payment_method

    def test_ends_a_check_that_the_guest_left_open(self, world, guest):
        begun, refused = begun_with(world, "authentication_required")
        path = f"/api/checkouts/{begun.cart.pk}/items/{refused.pk}/retry"
        saved = guest.post(path).json()
        left = world.stripe.confirm(saved["clientSecret"], ASKS_EVERY_TIME, authenticate="leave")
        assert left["status"] == "requires_action"
        assert guest.post(path, {"anotherCard": True}).json()["savedCard"] is False
        world.stripe.confirm(saved["clientSecret"], MASTERCARD)
        assert world.confirm_cart(begun)["Bucatini"] == "held"
        assert [each.status for each in world.intents(refused)] == ["requires_capture"]

    def test_can_still_be_the_saved_one(self, world, guest):
        begun, refused = begun_with(world, "authentication_required")
        path = f"/api/checkouts/{begun.cart.pk}/items/{refused.pk}/retry"
        assert guest.post(path, {"anotherCard": True}).json()["savedCard"] is False
        again = guest.post(path).json()
        assert again["savedCard"] is True
        world.stripe.confirm(again["clientSecret"], None)
        assert world.confirm_cart(begun)["Bucatini"] == "held"
        assert [each.status for each in world.intents(refused)] == ["requires_capture"]

    def test_is_refused_once_the_hold_is_there(self, world, guest):
        begun, refused = begun_with(world, "authentication_required")
        path = f"/api/checkouts/{begun.cart.pk}/items/{refused.pk}/retry"
        world.stripe.confirm(guest.post(path).json()["clientSecret"], None)
        assert guest.post(path, {"anotherCard": True}).status_code == 409
        world.work()
        assert [each.status for each in world.intents(refused)] == ["requires_capture"]


class TestTheOrdersOwnPage:
    def test_leads_to_where_another_card_is_given(self, world, guest):
        begun, refused = begun_with(world, "generic_decline")
        allow(guest, refused, now=world.now)
        answer, words = page_of(world, guest, refused)
        assert "Your card was declined" in words
        assert "Your card wasn't held or charged for it." in words
        assert "data-look-again" not in answer.text
        assert f'href="{order_path(world.fresh(refused))}/card">Add a card</a>' in answer.text
        onward = guest.get(order_path(world.fresh(refused), then="/card"))
        assert onward.status_code == 302
        assert onward["Location"].endswith(f"/cart/return?checkout={begun.cart.pk}")

    def test_says_that_the_bank_asks(self, world, guest):
        _, refused = begun_with(world, "authentication_required")
        _, words = page_of(world, guest, refused)
        assert "Your bank wants to make sure it's you" in words
        assert "Confirm with your bank" in words

    @pytest.mark.parametrize("ended", [False, True])
    def test_says_plainly_when_it_is_too_late(self, world, guest, ended):
        _, refused = begun_with(world, "generic_decline", minutes_left=2)
        world.later(minutes=13)
        if ended:
            end_abandoned_checkouts(now=world.now)
            world.close(refused.offer)
        allow(guest, refused, now=world.now)
        answer, words = page_of(world, guest, refused)
        assert "Your card wasn't held or charged" in words
        assert "the time to add another card has passed" in words
        assert "/card" not in answer.text
        onward = guest.get(order_path(world.fresh(refused), then="/card"))
        assert onward["Location"] == order_path(world.fresh(refused))

    def test_the_other_items_order_page_names_the_decline_at_the_declined_item_alone(
        self, world, guest
    ):
        begun, refused = begun_with(world, "generic_decline")
        held = next(item for item in begun.items if item.offer.name == "Arancini")
        answer, words = page_of(world, guest, held)
        assert "You made Arancini happen!" in words
        other = "1 × Bucatini Tue, Mar 23 · Dine in or pickup Your card was declined"
        assert f"Ordered together {other}" in words
        assert words.count("declined") == 1
        assert order_path(world.fresh(refused)) in answer.text


class TestWhatTheGuestIsTold:
    def told(self, world, guest, kind, language):
        begun, _ = begun_with(world, kind)
        address = f"/api/checkouts/{begun.cart.pk}"
        reported = guest.get(address, headers={"Accept-Language": language}).json()
        return [item["message"] for item in reported["items"] if item["status"] == "declined"]

    @pytest.mark.parametrize(
        ("kind", "language", "sentence"),
        [
            ("generic_decline", "en", "Your card was declined. Try another card."),
            ("generic_decline", "es", "Tu tarjeta fue rechazada. Prueba con otra."),
            (
                "insufficient_funds",
                "en",
                "Your card doesn't have enough funds. Try another card.",
            ),
            (
                "insufficient_funds",
                "es",
                "Tu tarjeta no tiene fondos suficientes. Prueba con otra.",
            ),
        ],
    )
    def test_a_decline_is_told_in_the_guests_language_with_a_reason_that_helps(
        self, world, guest, kind, language, sentence
    ):
        assert self.told(world, guest, kind, language) == [sentence]

    def test_a_decline_that_we_have_no_words_for_is_told_in_the_processors(self):
        assert decline_sentence("card_velocity_exceeded", "Too often.") == "Too often."
        unusable = CardUnusable("resource_missing", "No such PaymentMethod.")
        assert decline_sentence(reason_shown(unusable), "") == (
            "Your card was declined. Try another card."
        )

    def test_that_a_card_is_reported_stolen_is_not_told(self):
        stolen = Declined("card_declined", "Your card was declined.", "pi_1", "stolen_card")
        assert reason_shown(stolen) == "card_declined"


class TestTheCheckoutOfOneItem:
    def test_knows_of_a_decline_before_anybody_confirms(self, world, guest):
        begun = world.begin_cart(world.offer(name="Arancini"))
        world.give_card(begun, DECLINED)
        reported = guest.get(f"/api/checkouts/{begun.cart.pk}").json()
        assert [item["status"] for item in reported["items"]] == ["declined"]

    def test_says_what_was_heard_when_the_processor_cannot_be_read(self, world, guest, monkeypatch):
        begun = world.begin_cart(world.offer(name="Arancini"))

        def silence(intent_id):
            raise Unreachable("no answer")

        monkeypatch.setattr(stripe_gateway, "retrieve_intent", silence)
        reported = guest.get(f"/api/checkouts/{begun.cart.pk}")
        assert reported.status_code == 200
        assert [item["status"] for item in reported.json()["items"]] == ["open"]
