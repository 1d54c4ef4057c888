"""A restaurant, its guests, and a real local Stripe, for tests about money. The program and Stripe
share the test's clock. Nothing replaces the gateway: every call goes over HTTP.
"""

import itertools
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeVar, cast
from uuid import UUID

import httpx
import stripe as stripe_api
from django.db.models import Model
from local_stripe.testing import LocalStripe

from apps.billing import stripe_gateway as gateway
from apps.billing.models import ConnectAccount
from apps.common import rls
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders.cart import confirmation
from apps.preorders.cart import items as cart_items
from apps.preorders.cart import services as cart_services
from apps.preorders.checkout import phone_orders
from apps.preorders.checkout import services as checkout_services
from apps.preorders.core.friends import friends_token
from apps.preorders.models import Email, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import cancellation, deadline, payments, refunds
from apps.restaurants.models import Restaurant
from tests.factories import RestaurantFactory, SpecialOfferFactory
from tests.tasks import TaskQueue

GOOD = "4242424242424242"
DECLINED = "4000000000000002"
ASKS_EVERY_TIME = "4000000000003220"
ASKS_ONCE = "4000002500003155"
# The hold is granted and its capture declined; a later charge without the guest succeeds.
CAPTURE_DECLINED = "4000000000009987"
# The hold is granted; every later charge without the guest is declined.
OFF_SESSION_DECLINED = "4000000000000341"
# Refunds are pending for a minute, or fail a minute after they succeeded.
REFUND_PENDING = "4000000000007726"
REFUND_FAILS = "4000000000005126"

DANA = checkout_services.GuestDetails("Dana Guest", "dana@example.test", "+1 212 555 0199")
_names = itertools.count(1)
Row = TypeVar("Row", bound=Model)


class World:
    def __init__(self, stripe: LocalStripe, clock: Any, tasks: TaskQueue) -> None:
        self.stripe = stripe
        self.clock = clock
        self.tasks = tasks
        self._restaurant: Restaurant | None = None
        self.at(clock.now)

    # --- time -------------------------------------------------------------------------------------
    @property
    def now(self) -> datetime:
        return cast("datetime", self.clock.now)

    def at(self, moment: datetime) -> datetime:
        """Set the clock here and at Stripe, which does what is due there by then."""
        self.clock.set(moment)
        self.stripe.control(now=int(moment.timestamp()))
        return moment

    def later(self, **parts: float) -> datetime:
        """`world.later(minutes=5)`"""
        return self.at(self.clock.advance(**parts))

    def work(self) -> list[str]:
        """Let a worker do what is queued."""
        return self.tasks()

    # --- the cast ---------------------------------------------------------------------------------
    @property
    def restaurant(self) -> Restaurant:
        """A restaurant whose account at Stripe takes money."""
        if self._restaurant is None:
            self._restaurant = self.open_restaurant(name="Luigi's", subdomain="luigis")
        return self._restaurant

    def open_restaurant(self, **facts: Any) -> Restaurant:
        restaurant = RestaurantFactory(**facts)
        account = gateway.create_account(
            email=restaurant.email,
            name=restaurant.name,
            country=restaurant.country,
            key=f"account:{restaurant.pk}",
        )
        self.stripe.control(onboard=account.account_id)
        with rls.acting_as(rls.PLATFORM):
            ConnectAccount.objects.filter(restaurant=restaurant).update(
                account_id=account.account_id, country=account.country, currency=account.currency
            )
        return Restaurant.objects.get(pk=restaurant.pk)

    def offer(self, **facts: Any) -> SpecialOffer:
        return SpecialOfferFactory(**{"restaurant": self.restaurant, **facts})

    # --- guests -----------------------------------------------------------------------------------
    def begin(
        self,
        offer: SpecialOffer,
        quantity: int = 1,
        *,
        consent: bool = False,
        friend_of: PreOrder | None = None,
        shows_first_name: bool = False,
        slot_id: int | None = None,
        known: Collection[UUID] = (),
        **guest: str,
    ) -> PreOrder:
        """Fill in the form; the order waits for a card. With `consent` the guest accepts the
        alternative; with `friend_of` they followed that guest's link for friends."""
        name = guest.get("name") or f"Guest {next(_names)}"
        who = checkout_services.GuestDetails(
            name=name,
            email=guest.get("email") or f"{name.replace(' ', '.').lower()}@example.test",
            phone=guest.get("phone") or "+1 212 555 0199",
        )
        with rls.acting_as(offer.restaurant_id):
            return checkout_services.begin_order(
                offer_id=offer.pk,
                quantity=quantity,
                guest=who,
                claimed_total=None,
                alternative_consent=consent,
                friends_link=friends_token(friend_of) if friend_of else "",
                shows_first_name=shows_first_name,
                slot_id=slot_id,
                known=known,
                now=self.now,
            )

    def pay(self, order: PreOrder, card: str = GOOD, **more: Any) -> dict[str, Any]:
        """Enter a card on the order's page. The program doesn't know of it yet."""
        return self.stripe.pay(str(order.checkout_session_id), number=card, **more)

    def authenticate(self, order: PreOrder, *, passed: bool = True) -> None:
        """Answer the bank's 3-D Secure page, which was left open."""
        intent = self.intents(order)[0].id
        answer = {"outcome": "complete" if passed else "fail"}
        with httpx.Client(base_url=self.stripe.address) as browser:
            browser.post(f"/3ds/{intent}", data=answer)

    def authorized_order(
        self, offer: SpecialOffer, quantity: int = 1, card: str = GOOD, *, consent: bool = False
    ) -> PreOrder:
        """An order whose card is held, which the program knows."""
        order = self.begin(offer, quantity, consent=consent)
        self.pay(order, card)
        self.hear(order)
        return self.fresh(order)

    def hear(self, order: PreOrder) -> None:
        """Do what the return page does: ask about the order's checkout."""
        payments.refresh_order(self.fresh(order), now=self.now)

    def hear_of_intent(self, order: PreOrder) -> None:
        """Do what a webhook does, whatever state the order is in."""
        payments.apply_payment_intent(self.intents(order)[0].id, now=self.now)

    # --- carts ------------------------------------------------------------------------------------
    def begin_cart(
        self, *offers: SpecialOffer, guest: checkout_services.GuestDetails | None = DANA
    ) -> cart_services.StartedCart:
        """Start a cart with a portion of each offer; it waits for a card."""
        with rls.acting_as(offers[0].restaurant_id):
            return cart_services.begin_cart(
                restaurant=offers[0].restaurant,
                items=[cart_items.CartEntry(offer.pk, 1) for offer in offers],
                guest=guest,
                claimed_total=None,
                now=self.now,
            )

    def give_card(
        self, begun: cart_services.StartedCart, card: str = GOOD, **more: Any
    ) -> dict[str, Any]:
        """Enter the card in the browser. The program doesn't know of it yet."""
        return self.stripe.confirm(begun.client_secret, card, **more)

    def confirm_cart(
        self,
        begun: cart_services.StartedCart,
        guest: checkout_services.GuestDetails | None = None,
    ) -> dict[str, str]:
        """Send the confirmation that the browser sends next; returns each item's state by its
        special's name."""
        with rls.acting_as(begun.cart.restaurant_id):
            outcome = confirmation.confirm_cart(cart_id=begun.cart.pk, guest=guest, now=self.now)
        return {item.order.offer.name: str(item.state) for item in outcome.items}

    # --- the deadline -----------------------------------------------------------------------------
    def close(self, offer: SpecialOffer) -> str:
        """Run one settlement pass over the offer, at the current time."""
        return deadline.close_offer(offer.pk, now=self.now)

    def settle(self, offer: SpecialOffer) -> SpecialOffer:
        """Let the deadline pass, and let everything that follows happen."""
        self.at(max(self.now, offer.deadline))
        self.close(offer)
        self.work()
        return self.fresh(offer)

    # --- what the restaurant's people do ----------------------------------------------------------
    def refund(self, order: PreOrder, dollars: str | None = None, reason: str = "late") -> PreOrder:
        """Request a refund. A worker has yet to carry it out."""
        amount = None if dollars is None else Money.of(dollars)
        return refunds.refund_order(
            order=order, amount=amount, reason=reason, by="Maria", now=self.now
        )

    def cancel(self, order: PreOrder, reason: str = "ill") -> PreOrder:
        """Request the cancellation of an order."""
        return cancellation.cancel_order(order=order, reason=reason, by="Maria", now=self.now)

    def phone(self, offer: SpecialOffer, quantity: int = 1, email: str = "") -> PreOrder:
        """Take an order by phone."""
        who = checkout_services.GuestDetails(
            name=f"Caller {next(_names)}", email=email, phone="+1 212 555 0142"
        )
        return phone_orders.begin_phone_order(
            offer_id=offer.pk, quantity=quantity, guest=who, now=self.now
        )

    # --- reading ----------------------------------------------------------------------------------
    def fresh(self, row: Row) -> Row:
        with rls.acting_as(rls.PLATFORM):
            return type(row)._default_manager.get(pk=row.pk)

    def operation(self, order: PreOrder, *kinds: OperationKind) -> PaymentOperation:
        wanted = kinds or (OperationKind.CAPTURE, OperationKind.RELEASE)
        return PaymentOperation.objects.get(pre_order=order, kind__in=wanted)

    def emails(self, order: PreOrder) -> list[str]:
        """The kinds of emails queued for the order, oldest first."""
        rows = Email.objects.filter(pre_order=order).order_by("due_at", "pk")
        return sorted(str(row.kind) for row in rows)

    def intents(self, order: PreOrder) -> list[Any]:
        """Every intent at Stripe that names the order, newest first."""
        return self.intents_by_order()[str(order.pk)]

    def intents_by_order(self) -> defaultdict[str, list[Any]]:
        """Every intent at Stripe by the order that it names, newest first."""
        page = stripe_api.PaymentIntent.list(limit=100, expand=["data.latest_charge"])
        found = defaultdict(list)
        for intent in page.auto_paging_iter():
            found[intent.metadata.to_dict().get("pre_order_id", "")].append(intent)
        return found

    def sessions(self) -> list[Any]:
        """Every checkout page at Stripe, newest first."""
        return list(stripe_api.checkout.Session.list(limit=100).auto_paging_iter())

    def calls(self, method_and_path: str) -> int:
        """How often Stripe got this call, such as `POST /v1/payment_intents/{id}/capture`."""
        return int(self.stripe.look()["calls"].get(method_and_path, 0))
