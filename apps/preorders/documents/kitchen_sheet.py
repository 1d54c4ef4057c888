"""The kitchen sheet: portions, special requests, and pickup times of a special or a day.

The page, its printout, and the email sent at the decision all use it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from apps.common import formats
from apps.offers.dietary import (
    Allergen,
    Diet,
    mentioned_allergens,
    mentions_allergy,
    tag_labels,
)
from apps.offers.models import PickupSlot, SpecialOffer
from apps.offers.querysets import SpecialOfferQuerySet
from apps.offers.serving import ServiceMode
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

ANY_TIME = "Any time"
_MODES = {
    ServiceMode.DINE_IN: "Dine in",
    ServiceMode.PICKUP: "Pickup",
    ServiceMode.BOTH: "Not chosen",
}
_SHEET_OFFER_STATUSES = (
    OfferStatus.ACTIVE,
    OfferStatus.CLOSING,
    OfferStatus.SUCCEEDED,
    OfferStatus.FAILED,
)
_SERVED_STATUSES = frozenset(
    {PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW}
)


@dataclass(frozen=True, slots=True)
class DishCount:
    """The portions of one dish; `kind` is "special", "alternative", or "house"."""

    name: str
    portions: int
    kind: str
    allergens: list[str] = field(default_factory=list)
    diets: list[str] = field(default_factory=list)

    @property
    def remark(self) -> str:
        return {"alternative": "served instead", "restaurant": "restaurant portions"}.get(
            self.kind, ""
        )


@dataclass(frozen=True, slots=True)
class SlotList:
    """The orders of one pickup slot."""

    label: str
    orders: list[PreOrder]

    @property
    def portions(self) -> int:
        return sum(order.quantity for order in self.orders)


@dataclass(frozen=True, slots=True)
class GuestNote:
    """What a guest wrote; `clash` names the allergens in the dish that it may be about. Guests are
    allergic to what is no listed allergen, too."""

    order: PreOrder
    clash: str

    @property
    def is_allergy(self) -> bool:
        """Whether it may be about an allergy."""
        return bool(self.clash) or mentions_allergy(self.order.note)


@dataclass(frozen=True, slots=True)
class ChangedOrder:
    """An order that was promised something other than what the kitchen makes now."""

    order: PreOrder
    changes: list[str]


@dataclass(frozen=True, slots=True)
class Party:
    """Friends who ordered one by one with a guest's link (decision 88): the guest who invited them,
    and everybody's orders."""

    name: str
    orders: list[PreOrder]

    @property
    def comes_apart(self) -> bool:
        """Whether they come at several times."""
        return len({order.pickup_slot_id for order in self.orders}) > 1


@dataclass(frozen=True, slots=True)
class OfferSheet:
    """One special's part of the sheet; `decision_note` is empty once the special is decided."""

    offer: SpecialOffer
    decision_note: str
    dishes: list[DishCount]
    lists: list[SlotList]
    notes: list[GuestNote]  # possible allergies first
    parties: list[Party]
    changed: list[ChangedOrder]
    unpaid: list[PreOrder]
    disputed: list[PreOrder]  # made, but not handed over by itself (decision 43)

    @property
    def portions(self) -> int:
        return sum(dish.portions for dish in self.dishes)

    @property
    def has_slots(self) -> bool:
        return any(each.label != ANY_TIME for each in self.lists)

    @property
    def orders(self) -> int:
        return sum(len(each.orders) for each in self.lists)

    @property
    def is_served_both_ways(self) -> bool:
        return self.offer.service_mode == ServiceMode.BOTH

    @property
    def modes(self) -> list[tuple[str, int]]:
        """The guests' portions by how they are eaten, of a special served both ways."""
        if not self.is_served_both_ways:
            return []
        portions = dict.fromkeys(ServiceMode, 0)
        for order in (order for each in self.lists for order in each.orders):
            portions[order.served_mode] += order.quantity
        return [(_MODES[mode], number) for mode, number in portions.items() if number]


@dataclass(frozen=True, slots=True)
class KitchenSheet:
    day: date
    restaurant: Restaurant
    offers: list[OfferSheet]

    @property
    def portions(self) -> int:
        return sum(sheet.portions for sheet in self.offers)


def sheet_of_offer(*, restaurant: Restaurant, offer_id: UUID) -> KitchenSheet | None:
    """One special's sheet; None if it was deleted or doesn't belong to the restaurant."""
    offer = _offers(restaurant).filter(pk=offer_id).first()
    return _sheet(restaurant, offer.serve_date, [offer], keep_empty=True) if offer else None


def sheet_of_day(*, restaurant: Restaurant, day: date) -> KitchenSheet:
    """The sheet of everything that is or might be served on `day`, without empty specials."""
    offers = _offers(restaurant).filter(serve_date=day).order_by("deadline", "name")
    return _sheet(restaurant, day, list(offers), keep_empty=False)


def _offers(restaurant: Restaurant) -> SpecialOfferQuerySet:
    offers = SpecialOffer.objects.filter(restaurant=restaurant, status__in=_SHEET_OFFER_STATUSES)
    return offers.select_related("alternative_dish")


def _sheet(
    restaurant: Restaurant, day: date, offers: Sequence[SpecialOffer], *, keep_empty: bool
) -> KitchenSheet:
    """Build the sheet; the number of queries doesn't depend on the number of orders."""
    orders = _orders_of(offers)
    slots: dict[UUID, list[PickupSlot]] = {}
    for slot in PickupSlot.objects.filter(offer__in=offers):
        slots.setdefault(slot.offer_id, []).append(slot)
    sheets = []
    for offer in offers:
        offer.restaurant = restaurant
        found = _offer_sheet(offer, orders.get(offer.pk, []), slots.get(offer.pk, []))
        if keep_empty or found.portions or found.unpaid:
            sheets.append(found)
    return KitchenSheet(day, restaurant, sheets)


def _orders_of(offers: Iterable[SpecialOffer]) -> dict[UUID, list[PreOrder]]:
    """Orders whose card is held or charged, and those waiting for a payment by link."""
    by_offer = {offer.pk: offer for offer in offers}
    found = PreOrder.objects.filter(offer__in=list(by_offer)).reserving()
    grouped: dict[UUID, list[PreOrder]] = {}
    found = found.select_related("pickup_slot", "sold", "friend_of").order_by(
        "customer_name", "created_at"
    )
    for order in found:
        order.offer = by_offer[order.offer_id]
        grouped.setdefault(order.offer_id, []).append(order)
    return grouped


def _offer_sheet(
    offer: SpecialOffer, orders: list[PreOrder], slots: list[PickupSlot]
) -> OfferSheet:
    made = [order for order in orders if _is_made(order)]
    unpaid = [order for order in orders if order.payment_status == PaymentStatus.CAPTURE_FAILED]
    return OfferSheet(
        offer=offer,
        decision_note=_undecided_note(offer, made),
        dishes=_dishes(offer, made),
        lists=_slot_lists(offer, made, slots),
        notes=_notes(offer, made),
        parties=_parties(made),
        changed=_changed(made),
        unpaid=unpaid,
        disputed=[order for order in made if is_withheld(order)],
    )


def _parties(made: Iterable[PreOrder]) -> list[Party]:
    """Those of two orders or more. The guest who invited the others may have canceled."""
    grouped: dict[UUID, list[PreOrder]] = {}
    names: dict[UUID, str] = {}
    for order in made:
        starter = order.friend_of or order
        names[starter.pk] = starter.customer_name
        grouped.setdefault(starter.pk, []).append(order)
    return [Party(names[key], orders) for key, orders in grouped.items() if len(orders) > 1]


def is_withheld(order: PreOrder) -> bool:
    """Whether an order is made but only an owner or a manager can hand it over: the guest's bank
    has the money, and it wasn't handed over yet."""
    return bool(order.disputed_amount) and order.status != PreOrderStatus.FULFILLED


def _changed(made: Iterable[PreOrder]) -> list[ChangedOrder]:
    found = [ChangedOrder(order, changes_since_ordered(order)) for order in made]
    return [each for each in found if each.changes]


def _is_made(order: PreOrder) -> bool:
    """Whether the kitchen makes this order: counted, and after the decision certain."""
    if order.status in _SERVED_STATUSES:
        return True
    failed = order.offer.status == OfferStatus.FAILED
    held = order.payment_status in (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED)
    return held and (not failed or order.serves_alternative)


def _notes(offer: SpecialOffer, made: Sequence[PreOrder]) -> list[GuestNote]:
    notes = []
    for order in made:
        if not order.note:
            continue
        dish = offer.alternative_dish if order.serves_alternative else None
        mentioned = mentioned_allergens(order.note, (dish or offer).allergens)
        clash = formats.listed([str(each.label).lower() for each in mentioned]) if mentioned else ""
        notes.append(GuestNote(order, clash))
    return sorted(notes, key=lambda note: not note.is_allergy)


def _undecided_note(offer: SpecialOffer, made: Sequence[PreOrder]) -> str:
    if offer.status in DECIDED:
        return ""
    ordered = sum(order.quantity for order in made) + offer.restaurant_portions
    deadline = formats.moment(offer.deadline, offer.restaurant.zone)
    return (
        f"Not decided yet: {ordered} of {formats.count(offer.min_preorders, 'portion')} ordered. "
        f"Pre-orders close {deadline}."
    )


def _dishes(offer: SpecialOffer, made: Sequence[PreOrder]) -> list[DishCount]:
    alternative = sum(order.quantity for order in made if order.serves_alternative)
    special = sum(order.quantity for order in made) - alternative
    reserved_portions = 0 if offer.status == OfferStatus.FAILED else offer.restaurant_portions
    marks = tag_labels(Allergen, offer.allergens), tag_labels(Diet, offer.dietary)
    dishes = []
    if special or not alternative:
        dishes.append(DishCount(offer.name, special, "special", *marks))
    if alternative and offer.alternative_dish:
        dish = offer.alternative_dish
        dishes.append(
            DishCount(
                dish.name,
                alternative,
                "alternative",
                tag_labels(Allergen, dish.allergens),
                tag_labels(Diet, dish.dietary),
            )
        )
    if reserved_portions:
        dishes.append(DishCount(offer.name, reserved_portions, "restaurant", *marks))
    return dishes


def _slot_lists(
    offer: SpecialOffer, made: Sequence[PreOrder], slots: Iterable[PickupSlot]
) -> list[SlotList]:
    """All slots, including empty ones, then the orders without a pickup time."""
    zone = offer.restaurant.zone
    lists = [
        SlotList(
            formats.span(slot.starts_at, slot.ends_at, zone),
            [order for order in made if order.pickup_slot_id == slot.pk],
        )
        for slot in slots
    ]
    free = [order for order in made if order.pickup_slot_id is None]
    return [*lists, SlotList(ANY_TIME, free)] if free else lists
