"""The demo's offers and orders: published, ordered, paid, and settled by the product's services."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from apps.common import clock
from apps.offers.images import photo_url
from apps.offers.models import Dish, OfferSeries, SpecialOffer
from apps.offers.pickup_slots import SlotTerms, set_slots, slots_of
from apps.offers.series.schedule import WEEK
from apps.offers.series.services import create_series, skip_date, suggested_terms
from apps.offers.services import delete_offer, publish_offer
from apps.offers.serving import ServiceMode
from apps.preorders.checkout.phone_orders import begin_phone_order
from apps.preorders.checkout.services import GuestDetails, begin_order
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.preorders.models.states import CHECKOUT_STATUSES
from apps.preorders.settlement.payments import refresh_order
from apps.preorders.waitlist.services import join_waitlist
from apps.restaurants.models import Restaurant
from demo import audience, history, processor
from demo.plan import GUESTS, PlannedOffer, PlannedRestaurant, guest_email
from demo.visits import make_visits

# Keys in the restaurant's settings: what the plan's times are relative to, for the history and for
# the open offers, which are published again once all of them are over.
BEGINNING, RENEWED = "demoSince", "demoRenewed"

CARD = "4242424242424242"
# Authorized like any other; later off-session charges are declined.
WEAK_CARD = "4000000000000341"
# How long a past offer stays open while its orders are created.
WHILE_LOADING = timedelta(days=1)
CHECKOUT_TAKES = timedelta(minutes=2)
OPENS_DAYS_BEFORE = 5  # of a weekly special, before its deadline


def make_offers(
    plan: PlannedRestaurant, restaurant: Restaurant, *, now: datetime, with_payments: bool
) -> None:
    """Create the restaurant's history, then its open offers. The caller acts as the restaurant.

    Without payments, only offers that nobody ordered are created.
    """
    beginning = datetime.fromisoformat(restaurant.settings[BEGINNING])
    renewed = _renewed(plan, restaurant, now)
    guests = 0
    audience.make_followers(plan, restaurant, since=beginning)
    for offer_plan in plan.offers:
        since = beginning if offer_plan.is_history else renewed
        scene = Scene(offer_plan, restaurant, since, first_guest=guests)
        guests += len(offer_plan.orders)
        if offer_plan.is_history:
            if with_payments or not offer_plan.orders:
                scene.make_history(now)
        else:
            scene.make_open(now, with_payments=with_payments)


def _renewed(plan: PlannedRestaurant, restaurant: Restaurant, now: datetime) -> datetime:
    """The start of the plan's open offers: now, once all of them are over."""
    since = datetime.fromisoformat(
        restaurant.settings.get(RENEWED) or restaurant.settings[BEGINNING]
    )
    still_to_come = any(
        offer.deadline(since, restaurant.zone) > now
        and _published(restaurant, offer, since) is None
        for offer in plan.offers
        if not offer.is_history
    )
    # Weekly specials don't count: one is open in most weeks.
    planned = SpecialOffer.objects.filter(restaurant=restaurant, series_date=None)
    if still_to_come or planned.open(now).exists():
        return since
    restaurant.settings[RENEWED] = now.isoformat()
    Restaurant.objects.filter(pk=restaurant.pk).update(settings=restaurant.settings)
    return now


def _published(restaurant: Restaurant, plan: PlannedOffer, since: datetime) -> SpecialOffer | None:
    return SpecialOffer.objects.filter(
        restaurant=restaurant, name=plan.name, created_at=plan.opened_at(since)
    ).first()


class Scene:
    """One planned offer at one restaurant, relative to one start."""

    def __init__(
        self, plan: PlannedOffer, restaurant: Restaurant, since: datetime, *, first_guest: int
    ) -> None:
        self.plan = plan
        self.restaurant = restaurant
        self.zone: ZoneInfo = restaurant.zone
        self.opened = plan.opened_at(since)
        self.deadline = plan.deadline(since, self.zone).astimezone(UTC)
        self.since = since
        self.first_guest = first_guest

    def make_open(self, now: datetime, *, with_payments: bool) -> None:
        """Create an offer that is open now. One whose deadline has passed stays as it is."""
        if self.deadline <= now:
            return
        offer = _published(self.restaurant, self.plan, self.since) or self._publish()
        if self.plan.weekly:
            self._repeat(offer, now)
        if with_payments and _takes_orders(offer, now):
            if self.plan.campaign:  # before the orders that it leads to
                audience.send_campaign(self.plan.campaign, offer, opened=self.opened)
            self._take_orders(offer, until=now)
            history.date_first_order_notices(offer)
            self._fill_waitlist(offer, now=now)
            audience.count_orders(now=now)
        self._make_visits(offer, until=now)

    def make_history(self, now: datetime) -> None:
        """Create an offer that was decided, or deleted, before the demo's start."""
        offer = _published(self.restaurant, self.plan, self.since)
        if offer is None:
            offer = self._publish_in_the_past(now)
        if self.plan.deleted:
            return
        self._make_visits(offer, until=self.deadline)
        if _takes_orders(offer, now):
            self._take_orders(offer, until=self.deadline)
            audience.follow_after_ordering(offer)
            history.decide(offer, deadline=self.deadline)
        history.settle(offer, self.plan, deadline=self.deadline, zone=self.zone, now=now)

    def _repeat(self, offer: SpecialOffer, now: datetime) -> None:
        """Repeat the special every week, unless one of the restaurant's repeats already."""
        if OfferSeries.objects.filter(restaurant=self.restaurant).exists():
            return
        series = create_series(
            restaurant=self.restaurant,
            offer_id=offer.pk,
            terms=suggested_terms(offer) | {"opens_days_before": OPENS_DAYS_BEFORE},
            now=now,
        )
        week_off = offer.serve_date + 3 * WEEK
        skip_date(restaurant=self.restaurant, series_id=series.pk, serve_date=week_off, now=now)

    def _make_visits(self, offer: SpecialOffer, *, until: datetime) -> None:
        orders = len(self.plan.orders)
        make_visits(offer, orders=orders, opened=self.opened, until=until, zone=self.zone)

    @transaction.atomic
    def _publish(self) -> SpecialOffer:
        plan = self.plan
        dishes = Dish.objects.filter(restaurant=self.restaurant).select_related("photo")
        dish = dishes.get(name=plan.dish)
        alternative = dishes.get(name=plan.alternative) if plan.alternative else None
        offer = publish_offer(
            restaurant=self.restaurant,
            terms={
                "name": plan.name,
                "description": plan.description,
                "regular_price": plan.price,
                "special_price": plan.special,
                "image_url": photo_url(dish.photo) if dish.photo else "",
                "serve_date": plan.serve_date(self.since, self.zone),
                "deadline": self.deadline,
                "min_preorders": plan.minimum,
                "max_preorders": plan.maximum,
                "has_alternative": alternative is not None,
                "alternative_dish_id": alternative.pk if alternative else None,
                "allergens": dish.allergens,
                "dietary": dish.dietary,
                "service_mode": plan.service_mode,
                "serve_from": plan.served[0] if plan.served else None,
                "serve_until": plan.served[1] if plan.served else None,
                "story": plan.story,
                "translations": {"es": dict(plan.spanish)} if plan.spanish else {},
            },
            now=self.opened,
        )
        if plan.slots:
            set_slots(
                restaurant=self.restaurant,
                offer_id=offer.pk,
                terms=[self._slot(offer, *slot) for slot in plan.slots],
                now=self.opened,
            )
        return offer

    def _slot(self, offer: SpecialOffer, start: time, end: time, portions: int) -> SlotTerms:
        begins, ends = (datetime.combine(offer.serve_date, at, self.zone) for at in (start, end))
        return SlotTerms(begins.astimezone(UTC), ends.astimezone(UTC), portions)

    @transaction.atomic
    def _publish_in_the_past(self, now: datetime) -> SpecialOffer:
        """Publish at the time the plan says, with a deadline that is still ahead.

        The offer gets its real deadline once its orders are in; until then nothing may decide it.
        """
        offer = self._publish()
        if self.plan.deleted:
            taken_down = self.opened + timedelta(hours=3)
            return delete_offer(restaurant=self.restaurant, offer_id=offer.pk, now=taken_down)
        offer.deadline = now + WHILE_LOADING
        offer.save(update_fields=["deadline"])
        return offer

    def _take_orders(self, offer: SpecialOffer, *, until: datetime) -> None:
        """Create every order of the plan, spread evenly from publication to `until`."""
        step = (until - self.opened) / (len(self.plan.orders) + 1)
        slots = slots_of(offer)
        for index, quantity in enumerate(self.plan.orders):
            name = GUESTS[(self.first_guest + index) % len(GUESTS)]
            card = WEAK_CARD if index == self.plan.unpaid else CARD
            ordered_at = self.opened + step * (index + 1)
            wanted = Wish(
                quantity=quantity,
                note=self.plan.wishes.get(index, ""),
                slot_id=slots[index % len(slots)].slot.pk if slots else None,
                service_mode=self._mode(index),
                by_phone=index == self.plan.by_phone,
            )
            _take_order(offer, name, wanted, card=card, ordered_at=ordered_at)

    def _mode(self, index: int) -> str:
        """Every third guest picks up what is served both ways; a caller doesn't say."""
        if self.plan.service_mode != ServiceMode.BOTH or index == self.plan.by_phone:
            return ""
        return ServiceMode.PICKUP if index % 3 == 2 else ServiceMode.DINE_IN

    def _fill_waitlist(self, offer: SpecialOffer, *, now: datetime) -> None:
        """Put the plan's guests on the waitlist, in order. Those already on it stay."""
        for index, portions in enumerate(self.plan.waiting):
            name = GUESTS[(self.first_guest + len(self.plan.orders) + index) % len(GUESTS)]
            guest = GuestDetails(name, guest_email(name), "+1 555 0100")
            if not WaitlistEntry.objects.filter(offer=offer, email=guest.email).exists():
                moment = now + timedelta(seconds=index)
                join_waitlist(offer_id=offer.pk, guest=guest, portions=portions, now=moment)


def _takes_orders(offer: SpecialOffer, now: datetime) -> bool:
    return SpecialOffer.objects.filter(pk=offer.pk).open(now).exists()


@dataclass(frozen=True)
class Wish:
    """What one guest orders, and how."""

    quantity: int
    note: str
    slot_id: int | None
    service_mode: str
    by_phone: bool


def _take_order(
    offer: SpecialOffer,
    name: str,
    wanted: Wish,
    *,
    card: str,
    ordered_at: datetime,
) -> None:
    """Create one guest's order with an authorized card, dated `ordered_at`, unless it exists."""
    email = guest_email(name)
    order = PreOrder.objects.filter(offer=offer, customer_email=email).first()
    if order is None:
        # Now, not when the load began: a checkout has to stay open for half an hour from now.
        order = _begin(offer, GuestDetails(name, email, "+1 555 0100"), wanted, clock.now())
    elif order.payment_status in CHECKOUT_STATUSES:
        # The previous load stopped here, perhaps after the card was entered.
        refresh_order(order, now=ordered_at)
        order.refresh_from_db()
    if order.payment_status not in CHECKOUT_STATUSES or not order.checkout_session_id:
        return
    processor.pay(order.checkout_session_id, card)
    refresh_order(order, now=ordered_at)
    PreOrder.objects.filter(pk=order.pk).update(
        created_at=ordered_at - CHECKOUT_TAKES, authorized_at=ordered_at
    )


def _begin(offer: SpecialOffer, guest: GuestDetails, wanted: Wish, now: datetime) -> PreOrder:
    if wanted.by_phone:
        return begin_phone_order(
            offer_id=offer.pk,
            quantity=wanted.quantity,
            guest=guest,
            note=wanted.note,
            slot_id=wanted.slot_id,
            now=now,
        )
    return begin_order(
        offer_id=offer.pk,
        quantity=wanted.quantity,
        guest=guest,
        claimed_total=None,
        note=wanted.note,
        slot_id=wanted.slot_id,
        service_mode=wanted.service_mode,
        now=now,
    )
