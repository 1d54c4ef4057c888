"""The steps of a random history: guests, the restaurant, banks, Stripe, and time. Refusals by the
program, and calls that Stripe doesn't answer, are part of the history.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import stripe as stripe_api
from local_stripe.testing import ControlRefused

from apps.billing import tasks as billing_tasks
from apps.billing.gateway import GatewayError
from apps.billing.models import ConnectAccount
from apps.common.errors import DomainError
from apps.offers.models import SpecialOffer
from apps.preorders import tasks, webhooks
from apps.preorders.disputes import services as dispute_services
from apps.preorders.guest import replacement
from apps.preorders.guest.changes import change_quantity
from apps.preorders.guest.friends import reserve_for_friends
from apps.preorders.manage import fulfillment
from apps.preorders.models import Dispute, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    OPEN_DISPUTES,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.preorders.special import rescue
from tests.preorders.world import (
    CAPTURE_DECLINED,
    GOOD,
    OFF_SESSION_DECLINED,
    REFUND_FAILS,
    REFUND_PENDING,
    World,
)

CARDS = (GOOD, GOOD, REFUND_PENDING, REFUND_FAILS, CAPTURE_DECLINED, OFF_SESSION_DECLINED)
FAULTS = ("lost_response", "500", "429")
PATHS = ("/v1/refunds", "/v1/payment_intents", "/v1/checkout", "/v1/transfers", "/v1/disputes")
OUTCOMES = ("won", "lost", "closed", "escalated", "prevented")
# What an account can lose: everything, one capability, or only its payouts.
LOSSES: tuple[dict[str, Any], ...] = (
    {},
    {"capabilities": ["transfers"], "payouts": False},
    {"capabilities": ["card_payments"], "payouts": False},
    {"reason": "rejected.fraud"},
)
KINDS_OF_DISPUTE: tuple[dict[str, Any], ...] = ({}, {"inquiry": True}, {"amount": 900})
PLENTY = 1_000_000_00  # cents
LONGEST_STANDSTILL = 60  # hours
SWEEPS = (
    tasks.close_due_offers_task,
    tasks.run_due_operations_task,
    tasks.end_abandoned_checkouts_task,
    tasks.lapse_reservations_task,
    tasks.authorize_forgotten_carts_task,
    tasks.renew_authorizations_task,
    tasks.reconcile_payments_task,
    tasks.reconcile_disputes_task,
    billing_tasks.schedule_payouts,
)
RECEIVERS = {
    **dict.fromkeys(webhooks.INTENT_EVENTS, webhooks.intent_changed),
    **dict.fromkeys(webhooks.REFUND_EVENTS, webhooks.refund_changed),
    **dict.fromkeys(webhooks.DISPUTE_EVENTS, webhooks.dispute_changed),
    **dict.fromkeys(webhooks.FRAUD_WARNING_EVENTS, webhooks.fraud_warning_changed),
}


@dataclass
class History:
    """One restaurant with a special and another one for carts, and the guests who ordered them."""

    world: World
    offer: SpecialOffer
    other: SpecialOffer
    orders: list[PreOrder] = field(default_factory=list)

    @property
    def offers(self) -> tuple[SpecialOffer, SpecialOffer]:
        return self.offer, self.other

    def take(self, step: tuple[Any, ...]) -> None:
        """Do one step."""
        name, *details = step
        with suppress(DomainError, GatewayError, ControlRefused):
            getattr(self, name)(*details)

    def _order(self, number: int) -> PreOrder | None:
        return self.world.fresh(self.orders[number % len(self.orders)]) if self.orders else None

    @property
    def account(self) -> str:
        return str(ConnectAccount.objects.get(restaurant=self.offer.restaurant).account_id)

    # --- guests and the restaurant ----------------------------------------------------------------
    def order(self, card: int, quantity: int) -> None:
        order = self.world.begin(self.offer, quantity)
        self.orders.append(order)
        self.world.pay(order, CARDS[card % len(CARDS)])
        self.world.hear(order)

    def join(self, number: int, card: int) -> None:
        """A friend orders from the link of a guest's table."""
        starter = self._order(number)
        if starter is None or starter.offer_id != self.offer.pk:
            return
        reserve_for_friends(order=starter, portions=2, now=self.world.now)
        order = self.world.begin(self.offer, friend_of=starter)
        self.orders.append(order)
        self.world.pay(order, CARDS[card % len(CARDS)])
        self.world.hear(order)

    def fill_cart(self, card: int) -> None:
        """Both specials with one card; each is held, or declined, by itself."""
        begun = self.world.begin_cart(*self.offers)
        self.orders.extend(begun.items)
        self.world.give_card(begun, CARDS[card % len(CARDS)])
        self.world.confirm_cart(begun)

    def change(self, number: int, quantity: int) -> None:
        if order := self._order(number):
            change_quantity(order=order, quantity=quantity, now=self.world.now)

    def replace_hold(self, number: int, card: int) -> None:
        """More portions on a card without room: the old hold is released before the new one is
        placed."""
        if order := self._order(number):
            order = replacement.release_first(order=order, now=self.world.now)
            replacement.page_for_new_hold(order, now=self.world.now)
            self.world.pay(self.world.fresh(order), CARDS[card % len(CARDS)])
            self.world.hear(order)

    def extend(self, hours: int) -> None:
        self._rescue(rescue.Extend(self.world.fresh(self.offer).deadline + timedelta(hours=hours)))

    def add_portions(self, portions: int) -> None:
        self._rescue(rescue.RestaurantPortions(portions))

    def lower_minimum(self, minimum: int) -> None:
        self._rescue(rescue.LowerMinimum(minimum))

    def go_ahead(self) -> None:
        self._rescue(rescue.GoAhead())

    def _rescue(self, action: Any) -> None:
        rescue.rescue_offer(
            restaurant=self.offer.restaurant,
            offer_id=self.offer.pk,
            action=action,
            by="Maria",
            now=self.world.now,
        )

    def call_off(self) -> None:
        """The restaurant cancels the whole special."""
        cancel_offer(
            restaurant=self.offer.restaurant,
            offer_id=self.offer.pk,
            reason="ill",
            by="Maria",
            now=self.world.now,
        )

    def cancel(self, number: int) -> None:
        if order := self._order(number):
            self.world.cancel(order)

    def refund(self, number: int, amount: str | None) -> None:
        if order := self._order(number):
            self.world.refund(order, amount)

    def refund_in_the_dashboard(self, number: int) -> None:
        order = self._order(number)
        if order and order.payment_status == PaymentStatus.CAPTURED:
            with suppress(stripe_api.StripeError):
                stripe_api.Refund.create(
                    payment_intent=str(order.payment_intent_id),
                    amount=700,
                    reverse_transfer=True,
                    refund_application_fee=True,
                )

    def pick_up(self, number: int) -> None:
        order = self._order(number)
        if order is None:
            return
        fulfillment.mark_picked_up(
            restaurant=self.offer.restaurant, order_id=order.pk, by="Maria", now=self.world.now
        )
        refunds = PaymentOperation.objects.filter(
            pre_order=order, kind=OperationKind.REFUND, state=OperationStatus.PENDING
        )
        if order.status != PreOrderStatus.FULFILLED:
            assert order.payment_status == PaymentStatus.CAPTURED, "a meal that nobody paid"
            assert not order.disputed_amount, "a meal whose money the bank has"
            assert not refunds.filter(refund_up_to=None), "a meal and all of its money back"

    # --- banks ------------------------------------------------------------------------------------
    def _dispute(self, number: int) -> Any:
        """The newest dispute of an order at Stripe."""
        order = self._order(number)
        if order is None or not order.payment_intent_id:
            return None
        found = stripe_api.Dispute.list(payment_intent=order.payment_intent_id).data
        return found[0] if found else None

    def dispute(self, number: int, kind: int) -> None:
        order = self._order(number)
        earlier = self._dispute(number)
        if order is None or not order.payment_intent_id:
            return
        if earlier is not None and earlier.status not in ("won", "warning_closed"):
            return
        how = KINDS_OF_DISPUTE[kind % len(KINDS_OF_DISPUTE)]
        self.world.stripe.control(dispute={"payment_intent": order.payment_intent_id, **how})

    def answer(self, number: int) -> None:
        order = self._order(number)
        found = Dispute.objects.filter(pre_order=order).last()
        if found is not None:
            dispute_services.answer_dispute(
                restaurant=self.offer.restaurant,
                dispute_id=found.pk,
                remarks="They picked it up.",
                by="Maria",
                now=self.world.now,
            )

    def decide_dispute(self, number: int, outcome: int) -> None:
        if found := self._dispute(number):
            self.world.stripe.control(
                decide_dispute={
                    "dispute": found.id,
                    "outcome": OUTCOMES[outcome % len(OUTCOMES)],
                    "return_fee": bool(outcome % 2),
                }
            )

    def warn_of_fraud(self, number: int) -> None:
        order = self._order(number)
        if order and order.payment_status == PaymentStatus.CAPTURED:
            self.world.stripe.control(warn_of_fraud={"payment_intent": order.payment_intent_id})

    def fail_refund(self, number: int) -> None:
        order = self._order(number)
        if order and order.payment_intent_id:
            for refund in stripe_api.Refund.list(payment_intent=order.payment_intent_id).data[:1]:
                self.world.stripe.control(fail_refund=refund.id)

    def fail_payout(self) -> None:
        for payout in stripe_api.Payout.list(stripe_account=self.account).data[:1]:
            self.world.stripe.control(fail_payout={"payout": payout.id, "code": "account_closed"})

    # --- Stripe -----------------------------------------------------------------------------------
    def restrict(self, loss: int) -> None:
        restriction = {"account": self.account, **LOSSES[loss % len(LOSSES)]}
        self.world.stripe.control(restrict=restriction)

    def restore(self) -> None:
        self.world.stripe.control(onboard=self.account)

    def fund(self, cents: int) -> None:
        self.world.stripe.control(platform_funds=cents)

    def news(self, seed: int) -> None:
        """Webhooks arrive in any order, some twice, some never."""
        random = Random(seed)
        events = list(stripe_api.Event.list(limit=40).data)
        chosen = [event for event in events if event.type in RECEIVERS and random.random() < 0.8]
        chosen += random.sample(chosen, len(chosen) // 3)
        random.shuffle(chosen)
        for event in chosen:
            data = {"object": event.data.object.to_dict()}
            news = SimpleNamespace(id=event.id, type=event.type, data=data)
            RECEIVERS[event.type](sender=None, event=news)
            if random.random() < 0.5:
                self.world.work()
        self.world.work()

    def fault(self, kind: int, path: int) -> None:
        self.world.stripe.control(
            http_fault={
                "kind": FAULTS[kind % len(FAULTS)],
                "method": "POST",
                "path_prefix": PATHS[path % len(PATHS)],
                "times": 1,
            }
        )

    # --- time -------------------------------------------------------------------------------------
    def work(self) -> None:
        self.world.work()

    def decide(self) -> None:
        """Run the schedule until both deadlines have passed, which can be weeks away."""
        last = max(self.world.fresh(offer).deadline for offer in self.offers)
        while self.world.now + timedelta(hours=LONGEST_STANDSTILL) < last:
            self.sweep(hours=LONGEST_STANDSTILL)
        self.world.at(max(self.world.now, last + timedelta(minutes=11)))
        for offer in self.offers:
            self.world.close(offer)

    def wait(self, hours: int) -> None:
        """Let the schedule stop for days, but not longer than its passes reach back in Stripe's
        lists."""
        while hours > 0:
            self.sweep(hours=min(hours, LONGEST_STANDSTILL))
            hours -= LONGEST_STANDSTILL

    def stand_still(self, hours: int) -> None:
        """Nothing runs and no webhook arrives for longer than the lists of each pass reach back."""
        self.sweep(hours=hours)

    def sweep(self, **parts: float) -> None:
        self.world.later(**parts)
        for task in SWEEPS:
            task.delay()
        self.world.work()

    def finish(self) -> None:
        """Stripe works again, banks decide, and time passes until nothing is left to do."""
        self.fund(PLENTY)
        self.restore()
        self.decide()
        self.sweep(minutes=20)
        for dispute in Dispute.objects.filter(
            pre_order__offer__in=self.offers, status__in=OPEN_DISPUTES
        ):
            with suppress(ControlRefused):
                self.world.stripe.control(
                    decide_dispute={"dispute": dispute.dispute_id, "outcome": "lost"}
                )
        for parts in [{"minutes": 20}] * 2 + [{"hours": 7}] * 5 + [{"minutes": 20}] * 2:
            self.sweep(**parts)
