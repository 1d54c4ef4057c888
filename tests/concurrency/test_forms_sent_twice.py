"""Forms that move money, sent twice at the same moment: it happens once (decision 105)."""

from datetime import timedelta
from functools import partial

import pytest
import stripe as stripe_api
from django.test.client import MULTIPART_CONTENT

from apps.preorders.core.links import order_path
from apps.preorders.models import Dispute, EarlyFraudWarning, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, PaymentStatus
from tests.factories import MembershipFactory, UserFactory
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.access import allow
from tests.preorders.disputes import FRAUDULENT, WARNING, at_stripe, charged, check_ledger, hear
from tests.preorders.test_guest_page import OURS
from tests.preorders.world import OFF_SESSION_DECLINED
from tests.threads import at_once


@pytest.fixture
def owner(api, world):
    user = UserFactory()
    MembershipFactory(user=user, restaurant=world.restaurant, role="owner")
    return partial(api, user)


@pytest.fixture
def press_twice(api, world):
    """Send the form of the guest's order page in two requests at the same moment."""

    def press(order, action, **fields):
        path = order_path(PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk))
        guests = [api(at=world.restaurant) for _ in range(2)]
        for guest in guests:
            allow(guest, order, now=world.now)
        sent = {"action": action, **fields}
        answers = at_once(
            *[partial(each.post, path, sent, MULTIPART_CONTENT, headers=OURS) for each in guests]
        )
        # To the order, or to the card page that the first of the two has opened.
        assert {each.status_code for each in answers} <= {302, 303}, answers
        world.work()
        return world.fresh(order)

    return press


def operations(order, kind):
    return PaymentOperation.objects.filter(pre_order=order, kind=kind).count()


class TestTheGuests:
    @pytest.fixture
    def offer(self, world):
        return world.offer(min_preorders=1, max_preorders=9)

    def test_more_portions_are_one_larger_hold(self, world, offer, press_twice):
        order = world.authorized_order(offer, 2)
        changed = press_twice(order, "portions", quantity="3", shown="2")
        assert changed.quantity == 3
        assert operations(order, OperationKind.RENEW) == 1
        held = [each.amount for each in world.intents(order) if each.status == "requires_capture"]
        assert held == [7776]
        world.settle(world.fresh(offer))
        assert_ledger_balances(world, offer)

    def test_a_cancellation_is_one_release(self, world, offer, press_twice):
        order = world.authorized_order(offer)
        assert press_twice(order, "cancel").payment_status == PaymentStatus.RELEASED
        assert operations(order, OperationKind.RELEASE) == 1
        assert world.emails(order).count("cancelled") == 1

    def test_a_renewal_opens_one_card_page(self, world, press_twice):
        offer = world.offer(min_preorders=9, deadline=world.now + timedelta(days=7))
        order = world.authorized_order(offer)
        world.later(days=1)
        pages = len(world.sessions())
        press_twice(order, "renew")
        assert operations(order, OperationKind.RENEW) == 1
        assert len(world.sessions()) == pages + 1

    def test_letting_the_hold_go_first_is_one_release(self, world, offer, press_twice):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        press_twice(order, "portions", quantity="3", shown="2")
        gone = press_twice(order, "release_first")
        assert (gone.payment_status, gone.quantity) == (PaymentStatus.UNPAID, 3)
        assert world.calls("POST /v1/payment_intents/{id}/cancel") == 1
        assert [each for each in world.intents(order) if each.status == "requires_capture"] == []


class TestTheTeams:
    def press_twice(self, owner, path, sent):
        answers = at_once(*[partial(owner().post, path, sent, MULTIPART_CONTENT) for _ in range(2)])
        assert [each.status_code for each in answers] == [302, 302], answers

    @pytest.fixture
    def dispute(self, world):
        order = charged(world, FRAUDULENT)
        hear(world, ("charge.dispute.created", at_stripe(order)[0].id))
        return Dispute.objects.get()

    def test_an_answer_to_a_dispute_reaches_the_bank_once(self, world, owner, dispute):
        sent = {"action": "answer", "remarks": "They picked it up."}
        self.press_twice(owner, f"/restaurant/disputes/{dispute.pk}", sent)
        assert operations(dispute.pre_order, OperationKind.ANSWER_DISPUTE) == 1
        world.work()
        (found,) = at_stripe(dispute.pre_order)
        assert found.evidence_details.submission_count == 1

    def test_a_dispute_is_accepted_once(self, world, owner, dispute):
        sent = {"action": "accept", "sure": "yes"}
        self.press_twice(owner, f"/restaurant/disputes/{dispute.pk}", sent)
        assert operations(dispute.pre_order, OperationKind.ACCEPT_DISPUTE) == 1
        world.work()
        assert [each.status for each in at_stripe(dispute.pre_order)] == ["lost"]
        check_ledger(dispute.pre_order)

    def test_a_charge_under_warning_is_refunded_once(self, world, owner):
        order = charged(world, WARNING)
        (found,) = stripe_api.radar.EarlyFraudWarning.list(
            payment_intent=order.payment_intent_id
        ).data
        hear(world, ("radar.early_fraud_warning.created", found.id))
        warning = EarlyFraudWarning.objects.get()
        self.press_twice(owner, f"/restaurant/fraud-warnings/{warning.pk}/refund", {})
        assert operations(order, OperationKind.REFUND) == 1
        world.work()
        sent = stripe_api.Refund.list(payment_intent=order.payment_intent_id).data
        assert [each.amount for each in sent] == [int(order.total_amount * 100)]
        check_ledger(order)
