"""The email to the restaurant when a special is decided: a short kitchen sheet."""

from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from apps.common import formats
from apps.common.emails import EmailAction, one_line, platform_email
from apps.common.links import platform_url
from apps.offers.dietary import in_words
from apps.offers.serving import serving_of
from apps.preorders.documents.kitchen_sheet import GuestNote, OfferSheet, sheet_of_offer
from apps.preorders.emails.dinner import offer_row
from apps.preorders.models import Email
from apps.restaurants.services.contact import addresses_for_guest_data

TEMPLATE = "preorders/emails/kitchen_sheet.txt"


def render_kitchen_email(email: Email) -> EmailMultiAlternatives:
    """The email, to confirmed addresses alone; to nobody while there is none.

    Its Message-ID derives from the row, so a repeat is the same message.
    """
    offer = email.offer
    assert offer is not None
    restaurant = offer.restaurant
    found = sheet_of_offer(restaurant=restaurant, offer_id=offer.pk)
    assert found is not None  # a decided offer cannot be deleted
    (sheet,) = found.offers
    message = platform_email(
        TEMPLATE,
        to=restaurant.email,
        action=EmailAction(
            "Print the kitchen sheet", platform_url(f"/restaurant/kitchen?offer={offer.pk}")
        ),
        reason=f"You're getting this because {restaurant.name} has its kitchen sheets sent here.",
        facts={
            "offer": offer,
            "sheet": sheet,
            "portions": formats.count(sheet.portions, "portion"),
            "orders": formats.count(sheet.orders, "order"),
            "serve_day": formats.day(offer.serve_date),
        },
        listed=_lines(sheet),
        shown={
            "about": {**offer_row(offer), "sum": ""},  # a cook needs no price
            "figures": _figures(sheet),
            "alerts": _allergies(sheet),
        },
    )
    message.to = addresses_for_guest_data(restaurant)
    message.extra_headers["Message-ID"] = f"<{email.pk}@{settings.ROOT_DOMAIN}>"
    return message


def _figures(sheet: OfferSheet) -> list[tuple[str, str]]:
    served = serving_of(sheet.offer)
    orders = sheet.orders
    return [
        (f"{sheet.portions:,}", "portion" if sheet.portions == 1 else "portions"),
        (f"{orders:,}", "order" if orders == 1 else "orders"),
        *([(formats.time_of_day(served.start), "start of service")] if served.start else []),
    ]


def _lines(sheet: OfferSheet) -> list[tuple[str, str]]:
    """What to make, who comes when, and the guests' other notes with their names."""
    lines = _dishes(sheet)
    lines += [(mode, formats.count(portions, "portion")) for mode, portions in sheet.modes]
    if sheet.has_slots:
        lines += [
            (slot.label, f"{formats.count(slot.portions, 'portion')}: {_names(slot.orders)}")
            for slot in sheet.lists
            if slot.orders
        ]
    lines += [
        (
            "Friends",
            one_line(
                f"{party.name}’s party, {formats.count(len(party.orders), 'order')}: "
                f"{_names(party.orders)}"
            ),
        )
        for party in sheet.parties
    ]
    lines += [
        ("Changed", one_line(f"{each.order.customer_name}: {' '.join(each.changes)}"))
        for each in sheet.changed
    ]
    lines += [
        ("Ask first", one_line(f"{each.customer_name} ({each.quantity}): payment disputed"))
        for each in sheet.disputed
    ]
    lines += [
        ("Note", one_line(f"{each.order.customer_name}: {each.order.note}"))
        for each in sheet.notes
        if not each.is_allergy
    ]
    return lines


def _dishes(sheet: OfferSheet) -> list[tuple[str, str]]:
    """The portions of each dish, unless it is the one that the headline names and counts."""
    if [dish.kind for dish in sheet.dishes] == ["special"]:
        return [("Contains", in_words(sheet.dishes[0].allergens))]
    lines = []
    for dish in sheet.dishes:
        contains = f" Contains: {in_words(dish.allergens)}." if dish.allergens else ""
        remark = f" ({dish.remark})" if dish.remark else ""
        lines.append((formats.count(dish.portions, "portion"), f"{dish.name}{remark}.{contains}"))
    return lines


def _allergies(sheet: OfferSheet) -> dict[str, Any]:
    """The notes that may be about an allergy, which nobody may miss."""
    notes = [each for each in sheet.notes if each.is_allergy]
    title = "Possible allergy" if len(notes) == 1 else f"{len(notes)} possible allergies"
    rows = [
        (
            one_line(f"{each.order.customer_name} ({each.order.quantity})"),
            one_line(f"“{each.order.note}”{_contains(each)}"),
        )
        for each in notes
    ]
    return {"title": title, "rows": rows} if rows else {}


def _contains(note: GuestNote) -> str:
    return f" The dish contains {note.clash}." if note.clash else ""


def _names(orders: list[Any]) -> str:
    return ", ".join(f"{order.customer_name} ({order.quantity})" for order in orders)
