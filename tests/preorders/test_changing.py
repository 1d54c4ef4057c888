"""What a guest can change before the deadline, and what that does to the money (decision 26)."""

from datetime import datetime, time, timedelta
from decimal import Decimal

import pytest

from apps.billing import stripe_gateway
from apps.billing.gateway import Unreachable
from apps.common.errors import Conflict, Invalid
from apps.offers.models import PickupSlot
from apps.offers.pickup_slots import SlotTerms, set_slots
from apps.preorders.core.email_queue import queue_email
from apps.preorders.emails import rendering
from apps.preorders.guest import changes, choices, replacement
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import EmailKind, OperationKind, OperationStage, OperationStatus
from apps.preorders.settlement import payments, worker
from tests.factories import DishFactory
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import ASKS_ONCE, DECLINED, GOOD, OFF_SESSION_DECLINED

RENEW = OperationKind.RENEW


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, max_preorders=6, max_per_order=5)


@pytest.fixture
def order(world, offer):
    return world.authorized_order(offer, 2)


def slot_of(offer, *, capacity, hour=0):
    """A pick-up hour on the serve day, `hour` hours after five."""
    zone = offer.restaurant.zone
    starts_at = datetime.combine(offer.serve_date, time(17 + hour), zone)
    return PickupSlot.objects.create(
        offer=offer,
        restaurant_id=offer.restaurant_id,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(hours=1),
        capacity=capacity,
    )


def change(world, order, quantity, slot=None):
    return changes.change_quantity(
        order=world.fresh(order),
        quantity=quantity,
        slot_id=slot.pk if slot else None,
        now=world.now,
    )


def held(world, order):
    """What Stripe holds for the order, in cents."""
    return [i.amount for i in world.intents(order) if i.status == "requires_capture"]


def newest_email(order, kind):
    """The body of the order's newest email of this kind, as it would be sent now."""
    email = order.emails.filter(kind=kind).latest("number")
    return " ".join(str(rendering.render_order_email(email).body).split())


class TestFewer:
    def test_are_charged_as_a_part_of_the_hold(self, world, offer, order):
        full = order.total_amount
        changed = change(world, order, 1)
        assert (changed.quantity, changed.total_amount * 2) == (1, full)
        assert world.fresh(offer).ordered_portions == 1
        world.authorized_order(offer, 1)
        world.settle(world.fresh(offer))
        done = world.fresh(order)
        assert (done.payment_status, done.total_amount * 2) == ("captured", full)
        assert_ledger_balances(world, offer)

    def test_free_their_portions_at_once(self, world, offer, order):
        world.authorized_order(offer, 4)
        with pytest.raises(Conflict, match="Sold out"):
            world.begin(offer, 1)
        change(world, order, 1)
        assert world.begin(offer, 1).quantity == 1

    def test_fewer_portions_and_back_again_need_no_new_hold(self, world, offer, order):
        change(world, order, 1)
        again = change(world, order, 2)
        assert (again.quantity, again.total_amount) == (2, order.total_amount)
        assert not PaymentOperation.objects.filter(pre_order=order).exists()
        assert world.calls("POST /v1/payment_intents") == 0
        world.settle(offer)
        assert_ledger_balances(world, offer)

    def test_emails_name_the_hold_that_stays(self, world, offer, order):
        change(world, order, 1)
        received = newest_email(world.fresh(order), EmailKind.RECEIVED)
        assert "Your bank is holding $51.84 on your card." in received
        assert "earlier hold" not in received
        assert "We'll charge $25.92 at most and release the rest." in received
        cancel_own_order(order=world.fresh(order), now=world.now)
        canceled = newest_email(world.fresh(order), EmailKind.CANCELLED)
        assert "We're releasing the hold of $51.84 on your card. You pay nothing" in canceled

    @pytest.mark.parametrize(
        ("language", "subject", "headline"),
        [
            ("en-us", "Changed: 1 portion of Osso Buco on ", "Changed to 1 portion (was 2)\n"),
            ("es", "Cambio: 1 porción de Osso Buco para el ", "Cambio: 1 porción (antes 2)\n"),
        ],
    )
    def test_are_what_the_email_is_about(self, world, language, subject, headline):
        order = world.authorized_order(world.offer(name="Osso Buco"), 2)
        type(order).objects.filter(pk=order.pk).update(language=language)
        change(world, order, 1)
        first, again = world.fresh(order).emails.filter(kind=EmailKind.RECEIVED).order_by("number")
        message = rendering.render_order_email(again)
        assert message.subject.startswith(subject)
        assert headline in str(message.body)
        assert not rendering.render_order_email(first).subject.startswith(subject[:6])

    def test_an_email_sent_again_by_hand_is_of_no_change(self, world, order):
        queue_email(order, EmailKind.RECEIVED, now=world.now, again=True)
        again = order.emails.get(kind=EmailKind.RECEIVED, number=2)
        assert rendering.render_order_email(again).subject.startswith("You're in for ")

    @pytest.mark.parametrize("quantity", [0, -1])
    def test_none_at_all_is_a_cancellation(self, world, order, quantity):
        with pytest.raises(Invalid, match="at least 1 portion"):
            change(world, order, quantity)
        assert world.fresh(order).quantity == 2


class TestAFormThatIsSentAgain:
    """A browser sends along the number of portions that the page showed, as `shown`."""

    def send(self, world, order, quantity, *, shown):
        return changes.change_quantity(
            order=world.fresh(order), quantity=quantity, shown=shown, now=world.now
        )

    def test_after_a_later_change_does_nothing_and_says_so(self, world, order):
        self.send(world, order, 1, shown=2)
        self.send(world, order, 3, shown=1)
        world.work()
        calls = world.calls("POST /v1/payment_intents")
        with pytest.raises(Conflict, match="changed after you opened the page"):
            self.send(world, order, 1, shown=2)
        assert world.fresh(order).quantity == 3
        assert world.calls("POST /v1/payment_intents") == calls
        assert len(held(world, order)) == 1

    def test_at_once_is_one_change(self, world, order):
        self.send(world, order, 3, shown=2)
        self.send(world, order, 3, shown=2)
        world.work()
        assert world.fresh(order).quantity == 3
        assert PaymentOperation.objects.filter(pre_order=order, kind=RENEW).count() == 1


class TestMore:
    def test_have_a_larger_hold_in_the_place_of_the_first(self, world, offer, order):
        changed = change(world, order, 3)
        assert (changed.quantity, changed.total_amount) == (3, order.total_amount * 3 / 2)
        assert changed.payment_intent_id != order.payment_intent_id
        world.work()
        assert held(world, order) == [int(changed.total_amount * 100)]
        assert world.fresh(offer).ordered_portions == 3
        assert world.fresh(offer).reserved_portions == 3
        world.settle(world.fresh(offer))
        assert world.fresh(order).payment_status == "captured"
        assert_ledger_balances(world, offer)

    def test_asked_for_twice_are_one_change(self, world, offer, order):
        change(world, order, 3)
        change(world, order, 3)
        world.work()
        assert len(held(world, order)) == 1
        assert PaymentOperation.objects.filter(pre_order=order, kind=RENEW).count() == 1

    def test_more_portions_than_the_special_has_left_are_refused(self, world, offer, order):
        world.authorized_order(offer, 3)
        with pytest.raises(Conflict, match="Only 1 more portion is left. Choose up to 3."):
            change(world, order, 4)
        assert world.fresh(order).quantity == 2
        assert world.calls("POST /v1/payment_intents") == 0

    def test_an_order_cannot_have_more_portions_than_its_maximum(self, world, order):
        with pytest.raises(Invalid, match="up to 5 portions"):
            change(world, order, 6)

    def test_more_portions_at_another_price_are_another_order(self, world, offer, order):
        type(offer).objects.filter(pk=offer.pk).update(special_price=offer.special_price - 1)
        with pytest.raises(Conflict, match="place a new one for the other portions"):
            change(world, order, 3)

    def test_wait_for_room_at_their_pick_up_time(self, world, offer):
        order = world.authorized_order(offer, 2)
        slot = slot_of(offer, capacity=2)
        type(order).objects.filter(pk=order.pk).update(pickup_slot=slot)
        with pytest.raises(Conflict, match="Choose 2 or fewer") as refused:
            change(world, order, 3)
        assert [each.field for each in refused.value.fields] == ["slotId"]

    @pytest.mark.parametrize(
        ("capacities", "says"),
        [
            ((3, 4, 3), "5:00–6:00 PM has room for 3 portions. Try 6:00–7:00 PM."),
            ((3, 2), "5:00–6:00 PM has room for 3 portions. Choose 3 or fewer."),
            (
                (2, 3),
                "5:00–6:00 PM has room for 2 portions. The most at one time is 3 portions, at "
                "6:00–7:00 PM.",
            ),
        ],
    )
    def test_a_time_without_room_for_them_says_which_has(self, world, offer, capacities, says):
        order = world.authorized_order(offer, 2)
        own, *_ = [
            slot_of(offer, capacity=capacity, hour=hour) for hour, capacity in enumerate(capacities)
        ]
        type(order).objects.filter(pk=order.pk).update(pickup_slot=own)
        with pytest.raises(Conflict) as refused:
            change(world, order, 4)
        assert refused.value.message == says

    def test_move_to_another_time_with_the_same_change(self, world, offer):
        order = world.authorized_order(offer, 2)
        own, other = slot_of(offer, capacity=2), slot_of(offer, capacity=3, hour=1)
        type(order).objects.filter(pk=order.pk).update(pickup_slot=own)
        changed = change(world, order, 3, other)
        assert (changed.quantity, changed.pickup_slot_id) == (3, other.pk)
        again = changed.emails.get(kind=EmailKind.RECEIVED, number=2)
        message = rendering.render_order_email(again)
        assert message.subject == f"Changed: 3 portions of {order.sold.name} on Wed, Mar 24"
        rows = changed.transitions.filter(field__in=("slot", "quantity")).order_by("pk")
        assert [(row.field, row.old, row.new) for row in rows] == [
            ("slot", "5:00–6:00 PM", "6:00–7:00 PM"),
            ("quantity", "2", "3"),
        ]

    def test_stay_out_of_another_time_that_has_no_room_for_all_of_them(self, world, offer):
        order = world.authorized_order(offer, 2)
        own, other = slot_of(offer, capacity=2), slot_of(offer, capacity=2, hour=1)
        type(order).objects.filter(pk=order.pk).update(pickup_slot=own)
        with pytest.raises(Conflict, match="6:00–7:00 PM has room for 2 portions"):
            change(world, order, 3, other)
        same = world.fresh(order)
        assert (same.quantity, same.pickup_slot_id) == (2, own.pk)
        assert world.calls("POST /v1/payment_intents") == 0

    def test_the_time_alone_moves_without_a_new_hold_and_while_one_is_renewed(self, world, offer):
        order = world.authorized_order(offer, 2)
        own, other = slot_of(offer, capacity=2), slot_of(offer, capacity=2, hour=1)
        type(order).objects.filter(pk=order.pk).update(pickup_slot=own)
        PaymentOperation.objects.create(
            restaurant_id=order.restaurant_id,
            pre_order=order,
            kind=RENEW,
            stage=OperationStage.PAY_LINK,
            created_at=world.now,
            due_at=world.now + timedelta(hours=1),
        )
        assert change(world, order, 2, other).pickup_slot_id == other.pk
        renewal = PaymentOperation.objects.get(pre_order=order, kind=RENEW)
        assert renewal.state == OperationStatus.PENDING
        with pytest.raises(Conflict, match="is being renewed"):
            change(world, order, 3, other)
        assert world.fresh(order).quantity == 2


class TestABankThatWantsItsGuest:
    @pytest.fixture
    def order(self, world, offer):
        return world.authorized_order(offer, 2, OFF_SESSION_DECLINED)

    @pytest.fixture
    def asked(self, world, order):
        return change(world, order, 3)

    def operation(self, order):
        return PaymentOperation.objects.get(pre_order=order, kind=RENEW)

    def test_the_order_stays_as_it_is_until_the_card_is_given(self, world, offer, order, asked):
        assert (asked.quantity, asked.total_amount) == (2, order.total_amount)
        operation = self.operation(order)
        assert (operation.stage, operation.quantity) == (OperationStage.PAY_LINK, 3)
        assert changes.page_to_finish(asked, now=world.now).startswith("http")
        assert world.fresh(offer).reserved_portions == 3, "the third is same for them"
        assert world.fresh(offer).ordered_portions == 2
        assert world.emails(order) == ["received"], "they are looking at the page"

    def test_a_card_entered_on_the_page_completes_the_change(self, world, offer, order, asked):
        world.stripe.pay(self.operation(order).reference, number=GOOD)
        world.hear_of_intent(order)
        world.work()
        done = world.fresh(order)
        assert (done.quantity, done.total_amount) == (3, order.total_amount * 3 / 2)
        assert held(world, order) == [int(done.total_amount * 100)]
        assert self.operation(order).state == OperationStatus.DONE
        world.settle(world.fresh(offer))
        assert_ledger_balances(world, offer)

    @pytest.fixture
    def times(self, world, offer, order):
        own, other = slot_of(offer, capacity=2), slot_of(offer, capacity=4, hour=1)
        type(order).objects.filter(pk=order.pk).update(pickup_slot=own)
        return own, other

    def test_the_time_changes_with_the_portions_and_not_before(self, world, offer, order, times):
        own, other = times
        asked = change(world, order, 3, other)
        assert (asked.quantity, asked.pickup_slot_id) == (2, own.pk)
        assert change(world, order, 3, other).quantity == 2
        world.stripe.pay(self.operation(order).reference, number=GOOD)
        world.hear_of_intent(order)
        world.work()
        done = world.fresh(order)
        assert (done.quantity, done.pickup_slot_id) == (3, other.pk)
        assert held(world, order) == [7776]

    def test_keeping_the_order_keeps_its_time(self, world, offer, order, times):
        own, other = times
        change(world, order, 3, other)
        same = self.keep(world, order)
        assert (same.quantity, same.pickup_slot_id) == (2, own.pk)

    def test_another_time_takes_the_first_ones_place(self, world, offer, order, times):
        own, other = times
        third = slot_of(offer, capacity=4, hour=2)
        change(world, order, 3, other)
        change(world, order, 3, third)
        rows = PaymentOperation.objects.filter(pre_order=order, kind=RENEW).order_by("pk")
        assert [(row.pickup_slot_id, row.state) for row in rows] == [
            (other.pk, "failed"),
            (third.pk, "pending"),
        ]
        assert world.fresh(order).pickup_slot_id == own.pk

    def test_a_hold_for_a_time_that_filled_up_meanwhile_is_released(
        self, world, offer, order, times
    ):
        own, other = times
        change(world, order, 3, other)
        type(other).objects.filter(pk=other.pk).update(capacity=2)
        world.stripe.pay(self.operation(order).reference, number=GOOD)
        world.hear_of_intent(order)
        world.work()
        same = world.fresh(order)
        assert (same.quantity, same.pickup_slot_id) == (2, own.pk)
        assert held(world, order) == [5184]

    def test_a_time_that_filled_up_is_not_worth_releasing_the_hold_for(
        self, world, offer, order, times
    ):
        own, other = times
        change(world, order, 3, other)
        type(other).objects.filter(pk=other.pk).update(capacity=2)
        with pytest.raises(Conflict, match="has room for 2 portions"):
            replacement.release_first(order=world.fresh(order), now=world.now)
        same = world.fresh(order)
        assert (same.quantity, same.payment_status) == (2, "authorized")
        assert held(world, order) == [5184]

    def test_releasing_the_hold_first_takes_the_new_time_along(self, world, offer, order, times):
        own, other = times
        change(world, order, 3, other)
        done = replacement.release_first(order=world.fresh(order), now=world.now)
        assert (done.quantity, done.pickup_slot_id, done.payment_status) == (3, other.pk, "unpaid")

    def test_a_time_that_a_change_asks_for_cannot_be_removed(self, world, offer, order, times):
        own, other = times
        change(world, order, 3, other)
        terms = [SlotTerms(own.starts_at, own.ends_at, own.capacity)]
        with pytest.raises(Conflict, match="has orders, so you can't remove it"):
            set_slots(restaurant=world.restaurant, offer_id=offer.pk, terms=terms, now=world.now)

    def keep(self, world, order, shown=2):
        return changes.drop_change(order=world.fresh(order), shown=shown, now=world.now)

    def test_the_guest_can_keep_the_order_as_it_was(self, world, offer, order, asked):
        page = self.operation(order).reference
        for _ in range(2):
            assert self.keep(world, order).quantity == 2
        assert self.operation(order).state == OperationStatus.FAILED
        assert world.fresh(offer).reserved_portions == 2
        assert next(each for each in world.sessions() if each.id == page).status == "expired"
        assert not changes.was_dropped_despite_hold(world.fresh(order))
        assert world.calls("POST /v1/checkout/sessions/{id}/expire") == 1
        assert world.emails(order) == ["received"]
        world.settle(world.fresh(offer))
        assert_ledger_balances(world, offer)

    def test_a_card_held_at_the_moment_of_keeping_is_released(self, world, offer, order, asked):
        """Stripe held it, and its news comes after the guest's press, also twice."""
        world.stripe.pay(self.operation(order).reference, number=GOOD)
        assert self.keep(world, order).quantity == 2
        assert changes.was_dropped_despite_hold(world.fresh(order))
        assert held(world, order) == [5184]
        world.hear_of_intent(order)
        world.hear_of_intent(order)
        world.work()
        assert self.keep(world, order).quantity == 2
        done = world.fresh(order)
        assert (done.quantity, done.payment_intent_id) == (2, order.payment_intent_id)
        assert held(world, order) == [5184]
        assert world.fresh(offer).reserved_portions == 2
        world.settle(world.fresh(offer))
        assert_ledger_balances(world, offer)

    def test_keeping_the_order_while_the_bank_asks_leaves_no_hold_to_release(
        self, world, offer, order, asked
    ):
        """The guest entered a card and left the bank's page: the page's intent holds nothing."""
        page = self.operation(order).reference
        world.stripe.pay(page, number=ASKS_ONCE, authenticate="leave")
        assert [each.status for each in world.intents(order)][0] == "requires_action"
        assert self.keep(world, order).quantity == 2
        assert not changes.was_dropped_despite_hold(world.fresh(order))
        assert [each.status for each in world.intents(order)][0] == "canceled"
        assert held(world, order) == [5184]
        assert world.calls("POST /v1/payment_intents/{id}/cancel") == 0
        world.settle(world.fresh(offer))
        assert_ledger_balances(world, offer)

    def test_a_change_that_was_made_first_stays_and_is_told(self, world, offer, order, asked):
        world.stripe.pay(self.operation(order).reference, number=GOOD)
        world.hear_of_intent(order)
        world.work()
        with pytest.raises(Conflict, match="your order is for 3 portions now"):
            self.keep(world, order)
        assert world.fresh(order).quantity == 3
        assert held(world, order) == [7776]

    def test_a_page_that_cannot_be_closed_holds_nothing_for_long(
        self, world, offer, order, asked, monkeypatch
    ):
        page = self.operation(order).reference

        def lost(*_, **__):
            raise Unreachable("no answer")

        with monkeypatch.context() as patched:
            patched.setattr(stripe_gateway, "expire_checkout", lost)
            assert self.keep(world, order).quantity == 2
        assert world.fresh(offer).reserved_portions == 2
        world.stripe.pay(page, number=GOOD)
        assert sorted(held(world, order)) == [5184, 7776]
        for intent in world.intents(order):
            payments.apply_payment_intent(intent.id, now=world.now)
        assert held(world, order) == [5184]
        assert world.fresh(order).quantity == 2

    def test_left_unused_the_portions_are_free_again(self, world, offer, order, asked):
        world.later(minutes=32)
        worker.run_operation(self.operation(order).pk, now=world.now)
        assert self.operation(order).state == OperationStatus.FAILED
        assert world.fresh(offer).reserved_portions == 2
        assert world.fresh(order).quantity == 2
        world.settle(world.fresh(offer))
        assert_ledger_balances(world, offer)

    def test_another_number_takes_the_first_ones_place(self, world, offer, order, asked):
        first = self.operation(order).reference
        change(world, order, 4)
        rows = PaymentOperation.objects.filter(pre_order=order, kind=RENEW).order_by("pk")
        assert [(row.quantity, row.state) for row in rows] == [(3, "failed"), (4, "pending")]
        page = next(each for each in world.sessions() if each.id == first)
        assert page.status == "expired"
        assert world.fresh(offer).reserved_portions == 4

    def test_a_card_given_for_the_number_before_is_refunded(self, world, offer, order, asked):
        world.stripe.pay(self.operation(order).reference, number=GOOD)
        change(world, order, 4)
        for intent in world.intents(order):
            payments.apply_payment_intent(intent.id, now=world.now)
        assert world.fresh(order).quantity == 2
        assert held(world, order) == [int(order.total_amount * 100)]

    def test_the_decision_does_not_wait_for_it(self, world, offer, order, asked):
        link = self.operation(order).reference
        world.settle(offer)
        world.stripe.pay(link, number=GOOD)
        world.hear_of_intent(order)
        done = world.fresh(order)
        assert (done.quantity, done.payment_status) == (2, "captured")
        assert held(world, order) == []
        assert_ledger_balances(world, offer)

    def test_a_declined_card_changes_nothing(self, world, offer, order, asked):
        world.stripe.pay(self.operation(order).reference, number=DECLINED)
        assert world.fresh(order).quantity == 2
        assert held(world, order) == [int(order.total_amount * 100)]


class TestTooLate:
    def test_the_deadline_ends_it(self, world, offer, order):
        world.at(offer.deadline)
        for action in (
            lambda: change(world, order, 1),
            lambda: choices.change_note(order=order, note="x", now=world.now),
            lambda: choices.change_slot(order=order, slot_id=None, now=world.now),
            lambda: changes.renew_authorization(order=order, now=world.now),
        ):
            with pytest.raises(Conflict, match="The deadline has passed"):
                action()
        assert world.fresh(order).quantity == 2

    def test_a_cancelled_order_has_ended(self, world, order):
        world.cancel(order)
        with pytest.raises(Conflict, match="has ended"):
            change(world, order, 1)

    def test_an_order_without_a_card_cannot_be_changed(self, world, offer):
        begun = world.begin(offer, 2)
        with pytest.raises(Conflict, match="Finish the checkout first"):
            change(world, begun, 1)


class TestWhatCostsNothing:
    def test_a_guest_changes_the_note(self, world, order):
        choices.change_note(order=order, note="No nuts", now=world.now)
        choices.change_note(order=order, note="No nuts", now=world.now)
        assert world.fresh(order).note == "No nuts"
        assert order.transitions.filter(field="note").count() == 1

    def test_a_guest_moves_to_a_pickup_time_with_room(self, world, offer, order):
        slot, full = slot_of(offer, capacity=2), slot_of(offer, capacity=1, hour=1)
        choices.change_slot(order=order, slot_id=slot.pk, now=world.now)
        assert world.fresh(order).pickup_slot_id == slot.pk
        with pytest.raises(Conflict, match="has room for 1 portion"):
            choices.change_slot(order=order, slot_id=full.pk, now=world.now)
        assert world.fresh(order).pickup_slot_id == slot.pk

    def test_another_time_is_confirmed_by_email_once(self, world, offer, order):
        slot = slot_of(offer, capacity=2)
        for _ in range(2):
            choices.change_slot(order=order, slot_id=slot.pk, now=world.now)
        assert world.emails(order) == ["received", "received"]
        again = world.fresh(order).emails.get(kind=EmailKind.RECEIVED, number=2)
        message = rendering.render_order_email(again)
        assert message.subject == f"Changed to 5:00–6:00 PM: {order.sold.name} on Wed, Mar 24"
        assert "Changed to 5:00–6:00 PM\n" in str(message.body)

    def test_the_email_names_the_time_before_in_the_guests_language(self, world, offer, order):
        earlier, later = (slot_of(offer, capacity=4, hour=hour) for hour in (0, 1))
        type(order).objects.filter(pk=order.pk).update(language="es")
        for slot in (earlier, later):
            choices.change_slot(order=world.fresh(order), slot_id=slot.pk, now=world.now)
            world.later(minutes=1)
        received = newest_email(world.fresh(order), EmailKind.RECEIVED)
        assert "Cambio: 6:00–7:00 p. m. (antes 5:00–6:00 p. m.)" in received
        change(world, world.fresh(order), 1, earlier)
        received = newest_email(world.fresh(order), EmailKind.RECEIVED)
        assert "(antes 2), 5:00–6:00 p. m. (antes 6:00–7:00 p. m.)" in received
        later.delete()
        received = newest_email(world.fresh(order), EmailKind.RECEIVED)
        assert "Cambio: 1 porción (antes 2), 5:00–6:00 p. m. " in received
        assert "6:00–7:00" not in received

    def test_portions_and_their_time_are_confirmed_with_one_email(self, world, offer, order):
        change(world, order, 3, slot_of(offer, capacity=4))
        world.work()
        assert world.emails(order) == ["received", "received"]
        received = newest_email(world.fresh(order), EmailKind.RECEIVED)
        assert "Changed to 3 portions (was 2), 5:00–6:00 PM Wed, Mar 24 · 5:00–6:00 PM" in received
        assert "If your bank shows the earlier hold, too: we released it" in received

    def test_a_charged_order_gets_no_email_about_a_hold_for_another_time(self, world, offer, order):
        type(order).objects.filter(pk=order.pk).update(payment_status="captured")
        choices.change_slot(order=order, slot_id=slot_of(offer, capacity=2).pk, now=world.now)
        assert world.emails(order) == ["received"]

    def test_a_guest_changes_the_choice_of_the_alternative(self, world):
        dish = DishFactory(restaurant=world.restaurant, price="9.00")
        offer = world.offer(min_preorders=9, has_alternative=True, alternative_dish=dish)
        order = world.authorized_order(offer, 1)
        choices.choose_alternative(order=order, accepted=True, now=world.now)
        assert world.fresh(order).alternative_price == Decimal("9.00")
        world.settle(offer)
        done = world.fresh(order)
        assert (done.serves_alternative, done.payment_status) == (True, "captured")
        assert_ledger_balances(world, offer)

    @pytest.mark.parametrize(
        ("accepted", "terms"),
        [(True, "you'll get Penne instead and pay $9.72"), (False, "you pay nothing")],
    )
    def test_a_guest_is_emailed_the_choice_of_the_alternative(self, world, accepted, terms):
        dish = DishFactory(restaurant=world.restaurant, name="Penne", price="9.00")
        offer = world.offer(min_preorders=9, has_alternative=True, alternative_dish=dish)
        order = world.authorized_order(offer, 1, consent=not accepted)
        for _ in range(2):  # once, although it's saved twice
            choices.choose_alternative(order=order, accepted=accepted, now=world.now)
        assert world.emails(order) == ["received", "received"]
        again = world.fresh(order).emails.get(kind=EmailKind.RECEIVED, number=2)
        message = rendering.render_order_email(again)
        assert message.subject == f"Your choice for {order.sold.name} on Wed, Mar 24 is saved"
        assert "Your choice is saved\n" in str(message.body)
        assert terms in str(message.body).replace("\n", " ")
        # Another change is one again.
        world.later(minutes=1)
        change(world, order, 2)
        world.work()
        assert "Changed to 2 portions (was 1)" in newest_email(
            world.fresh(order), EmailKind.RECEIVED
        )

    def test_an_alternative_that_is_not_there(self, world, order):
        with pytest.raises(Conflict, match="no alternative"):
            choices.choose_alternative(order=order, accepted=True, now=world.now)


class TestRenewing:
    def test_a_hold_that_lives_long_enough_stays(self, world, order):
        with pytest.raises(Conflict, match="don't need to renew it"):
            changes.renew_authorization(order=order, now=world.now)

    def test_a_hold_that_would_end_too_early_is_replaced_by_a_new_one(self, world):
        offer = world.offer(min_preorders=9, deadline=world.now + timedelta(days=7))
        order = world.authorized_order(offer, 1)
        world.later(days=1)
        asked = changes.renew_authorization(order=order, now=world.now)
        assert asked.payment_intent_id == order.payment_intent_id
        operation = PaymentOperation.objects.get(pre_order=order, kind=RENEW)
        assert operation.stage == OperationStage.PAY_LINK, "a hold nobody confirms ends too soon"
        world.stripe.pay(operation.reference, number=GOOD)
        world.hear_of_intent(order)
        world.work()
        renewed = world.fresh(order)
        assert renewed.payment_intent_id != order.payment_intent_id
        assert (renewed.quantity, renewed.total_amount) == (1, order.total_amount)
        assert renewed.capture_before > order.capture_before + timedelta(hours=23)
        assert len(held(world, order)) == 1
        assert world.emails(order) == ["received"]
