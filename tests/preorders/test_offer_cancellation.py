"""A restaurant cancels a special: every hold is released, and every guest is told why (X16)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.template.loader import render_to_string
from django.utils.html import escape

from apps.common import rls
from apps.common.errors import Conflict, Invalid, NotFound
from apps.offers.presentation import Special
from apps.preorders import tasks
from apps.preorders.core.links import order_path
from apps.preorders.emails import rendering
from apps.preorders.guest.order_status import order_status
from apps.preorders.models import Email, PaymentOperation, WaitlistEntry
from apps.preorders.models.states import OperationKind, PaymentStatus, WaitlistStatus
from apps.preorders.settlement.offer_cancellation import (
    DEADLINE_PASSED,
    REASON_NEEDED,
    cancel_offer,
)
from tests.factories import SpecialOfferFactory
from tests.faults.ledger import assert_ledger_balances

WHY = "The fish did not arrive."


@pytest.fixture
def offer(world):
    return world.offer(name="Osso buco", min_preorders=2)


def cancel(world, offer, reason=WHY):
    return cancel_offer(
        restaurant=offer.restaurant, offer_id=offer.pk, reason=reason, by="Maria", now=world.now
    )


def email_to(order):
    return rendering.render_order_email(Email.objects.get(pre_order=order, kind="cancelled"))


def test_every_hold_is_released_and_every_guest_is_told_why(world, offer):
    orders = [world.authorized_order(offer, 2), world.authorized_order(offer)]
    world.work()
    assert cancel(world, offer).orders == 2
    world.work()
    for order in orders:
        order = world.fresh(order)
        assert (order.status, order.payment_status) == ("cancelled", "released")
        assert world.emails(order) == ["cancelled", "received"]
        assert [intent.status for intent in world.intents(order)] == ["canceled"]
        message = email_to(order)
        assert message.subject == "Luigi's canceled Osso buco. You weren't charged"
        text = message.body.split("\n\n")
        says = text.index("Luigi's says:")
        assert text[says + 1] == f"> {WHY}"
        assert text[says + 2].startswith("We released the hold of")
        assert text[says + 3].startswith("Questions? Reply to this email")
        assert message.body.lower().count("cancel") == 1  # in the headline
    change = offer.changes.get()
    assert (change.kind, change.detail, change.by) == ("canceled", f"Canceled: {WHY}", "Maria")
    assert (change.guests_told, change.at) == (2, world.now)
    row = offer.transitions.get()
    assert (row.new, row.reason_code, row.reason, row.actor) == (
        "deleted",
        "offer_cancelled",
        WHY,
        "Maria",
    )
    assert world.fresh(offer).status == "deleted"
    assert_ledger_balances(world, offer)


def test_the_deadline_of_a_canceled_special_charges_nobody(world, offer):
    order = world.authorized_order(offer, 2)
    cancel(world, offer)
    assert world.settle(offer).status == "deleted"
    assert world.fresh(order).payment_status == PaymentStatus.RELEASED
    assert world.calls("POST /v1/payment_intents/{id}/capture") == 0


def test_a_special_canceled_twice_is_canceled_once(world, offer):
    order = world.authorized_order(offer)
    first = cancel(world, offer)
    assert cancel(world, offer, "Another reason").orders == first.orders == 1
    world.work()
    assert cancel(world, offer).orders == 1
    world.work()
    assert world.emails(order) == ["cancelled", "received"]
    assert PaymentOperation.objects.count() == 1
    assert offer.transitions.get().reason == WHY


def test_what_a_lost_message_carried_is_found_by_the_sweeps(world, offer):
    orders = [world.authorized_order(offer) for _ in range(3)]
    world.work()
    cancel(world, offer)
    world.tasks.waiting.clear()  # the worker that had them died
    world.later(seconds=100)
    tasks.run_due_operations_task.delay()
    tasks.send_pending_emails_task.delay()
    world.work()
    assert {str(world.fresh(order).payment_status) for order in orders} == {"released"}
    assert Email.objects.filter(kind="cancelled", sent_at=None).count() == 0
    assert Email.objects.filter(kind="cancelled").count() == 3


class TestInCheckout:
    def test_the_page_is_closed_and_the_guest_told(self, world, offer):
        order = world.begin(offer)
        cancel(world, offer)
        assert [session.status for session in world.sessions()] == ["open"]
        world.work()
        assert [session.status for session in world.sessions()] == ["expired"]
        assert "Your card wasn't held or charged." in email_to(order).body

    def test_a_card_entered_at_that_moment_is_released_without_a_second_email(self, world, offer):
        order = world.begin(offer)
        world.pay(order)
        cancel(world, offer)
        world.tasks.waiting.clear()
        world.hear_of_intent(order)
        world.work()
        order = world.fresh(order)
        assert (order.status, order.payment_status) == ("cancelled", "released")
        assert world.emails(order) == ["cancelled"]
        assert_ledger_balances(world, offer)


def test_a_card_that_was_charged_early_is_refunded(world):
    offer = world.offer(deadline=world.now + timedelta(days=6, hours=23), min_preorders=1)
    order = world.authorized_order(offer)
    world.work()
    world.later(days=6, hours=1)
    tasks.renew_authorizations_task.delay()
    world.work()
    assert world.fresh(order).payment_status == PaymentStatus.CAPTURED
    cancel(world, offer)
    status = order_status(world.fresh(order), Special(world.fresh(offer), world.now))
    assert status.headline == "We're refunding your $25.92"
    assert (status.why, status.reason) == ("Luigi's canceled the special.", WHY)
    world.work()
    assert email_to(order).subject == f"Luigi's canceled {offer.name}. We're refunding your card"
    assert world.fresh(order).payment_status == PaymentStatus.REFUNDED
    assert world.operation(order, OperationKind.REFUND).reason == WHY
    assert_ledger_balances(world, offer)


def test_the_order_page_says_who_canceled_and_why(world, offer, api):
    held, waiting = world.authorized_order(offer), world.begin(offer)
    cancel(world, offer)
    named = "Luigi's canceled Osso buco. You weren't charged"
    for _ in ("while its hold is released", "afterwards"):
        status = order_status(world.fresh(held), Special(world.fresh(offer), world.now))
        assert (status.headline, status.why) == (named, "")
        assert (status.reason, status.speaker) == (WHY, "Luigi's")
        assert "order again" not in status.text
        world.work()
    page = api(at=offer.restaurant).get(order_path(world.fresh(held))).text
    quotation = render_to_string("components/quotation.html", {"words": WHY, "name": "Luigi's"})
    assert quotation in page
    assert page.count(escape(WHY)) == 1
    waiting = world.fresh(waiting)
    status = order_status(waiting, Special(waiting.offer, world.now))
    assert (status.headline, status.text) == ("Your card wasn't held or charged", "")
    assert (status.why, status.reason) == ("Luigi's canceled the special.", WHY)


def test_the_waitlist_ends_with_it_and_its_guests_are_told(world):
    offer = world.offer(min_preorders=1, max_preorders=1)
    world.authorized_order(offer)
    with rls.acting_as(offer.restaurant_id):
        entry = WaitlistEntry.objects.create(
            restaurant=offer.restaurant,
            offer=offer,
            name="Ben",
            email="ben@example.test",
            phone="+1 212 555 0100",
            portions=1,
            joined_at=world.now,
        )
    cancel(world, offer)
    assert world.fresh(entry).state == WaitlistStatus.ENDED
    world.work()
    cancel(world, offer)
    world.work()
    (message,) = [each for each in mail.outbox if each.to == ["Ben <ben@example.test>"]]
    assert message.subject == f"Canceled: {offer.name}"
    assert f"Luigi's says:\n\n> {WHY}\n" in message.body
    assert "Your card wasn't held or charged." in message.body


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_reason_is_needed(world, offer, reason):
    order = world.authorized_order(offer)
    with pytest.raises(Invalid) as refused:
        cancel(world, offer, reason)
    assert [error.message for error in refused.value.fields] == [REASON_NEEDED]
    assert world.fresh(offer).status == "active"
    assert world.fresh(order).status == "pending"


def test_a_special_cannot_be_canceled_at_its_deadline(world, offer):
    order = world.authorized_order(offer, 2)
    world.at(offer.deadline)
    with pytest.raises(Conflict) as refused:
        cancel(world, offer)
    assert refused.value.message == DEADLINE_PASSED.format(name="Osso buco")
    assert world.emails(order) == ["received"]


def test_another_restaurants_special_cannot_be_canceled(world, offer):
    with pytest.raises(NotFound):
        cancel_offer(
            restaurant=world.open_restaurant(),
            offer_id=offer.pk,
            reason=WHY,
            by="Maria",
            now=world.now,
        )
    assert world.fresh(offer).status == "active"


def test_the_call_answers_how_many_orders_ended(api, cast, clock, platform):
    mine = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
    path = f"/api/specials/{mine.pk}/cancel"
    answer = api(cast.owner).post(path, {"reason": " "}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["message"] == REASON_NEEDED
    answer = api(cast.owner).post(path, {"reason": WHY}, format="json")
    assert answer.status_code == 200
    assert answer.json() == {
        "message": "Special canceled. Nobody had ordered.",
        "offerName": "Osso buco",
        "orders": 0,
    }
    assert api(cast.owner).post(path, {"reason": WHY}, format="json").json()["orders"] == 0


@pytest.mark.parametrize("is_public", [True, False])
def test_the_page_shows_the_reason_only_if_the_owner_says_so(api, cast, platform, is_public):
    special = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
    why = "Our <b>grill</b> broke down & won't be back"
    body = {"reason": why} | ({"isReasonPublic": True} if is_public else {})
    answer = api(cast.owner).post(f"/api/specials/{special.pk}/cancel", body, format="json")
    assert answer.status_code == 200
    page = api(at=cast.restaurant).get(f"/specials/{special.pk}")
    assert page.status_code == 404
    quoted = (
        '<blockquote class="story break-words"><p>“Our &lt;b&gt;grill&lt;/b&gt; broke down &amp; '
        "won&#x27;t be back”</p></blockquote>"
    )
    assert (quoted in page.text) == is_public
    assert ("grill" in page.text) == is_public
    assert ('<figcaption class="small muted">Luigi&#x27;s</figcaption>' in page.text) == is_public


def test_a_suspension_shows_no_reason(world, offer):
    cancel_offer(
        restaurant=offer.restaurant,
        offer_id=offer.pk,
        reason="Unpaid invoices",
        by="Fully Booked",
        is_reason_public=True,
        by_platform=True,
        now=world.now,
    )
    assert world.fresh(offer).public_reason == ""


def test_canceling_again_does_not_change_what_the_page_shows(world, offer):
    cancel(world, offer)
    cancel_offer(
        restaurant=offer.restaurant,
        offer_id=offer.pk,
        reason=WHY,
        by="Maria",
        is_reason_public=True,
        now=world.now,
    )
    assert world.fresh(offer).public_reason == ""
