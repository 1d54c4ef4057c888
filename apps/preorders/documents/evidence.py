"""The evidence pack of a dispute: one PDF, and the texts that go to the bank with it.

It contains what we recorded: the order, what was sold, what the guest agreed to and when, the
emails, and who handed the food over. In English, and short: banks take at most 19 to 50 pages and
4.5 MB, and advise against color: https://docs.stripe.com/disputes/best-practices
"""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation import get_language_info

from apps.billing.gateway import Evidence
from apps.billing.models import PaymentHistory
from apps.common import formats
from apps.offers.sold_dishes import dish_sold
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.selectors import card_of, slot_label
from apps.preorders.documents.dispute_reasons import reason_label
from apps.preorders.documents.pdf import MUTED, Document
from apps.preorders.models import Dispute, Email, PreOrder
from apps.preorders.models.states import EmailKind, OrderSource, PreOrderStatus

LANGUAGE = "en-us"
Lines = Iterator[tuple[str, str]]
_MONEY_MOVED = {
    PaymentHistory.Type.CAPTURE: "Card charged",
    PaymentHistory.Type.REFUND: "Refunded to the card",
}


def evidence_of(dispute: Dispute, *, now: datetime) -> Evidence:
    """The answer to the dispute, with the restaurant's remarks."""
    order = dispute.pre_order
    with translation.override(LANGUAGE):
        picked_up = pickup_sentence(order)
        return Evidence(
            customer_name=order.customer_name,
            customer_email=order.customer_email,
            product_description=_product(order),
            service_date=formats.date_with_year(order.offer.serve_date),
            refund_policy=_terms(order),
            remarks=dispute.remarks or picked_up,
            document=evidence_pdf(dispute, now=now),
            file_name=file_name(dispute),
        )


def file_name(dispute: Dispute) -> str:
    return f"dispute-{dispute.pre_order.code}.pdf"


def evidence_pdf(dispute: Dispute, *, now: datetime) -> bytes:
    """The pack as of now. Asks the payment provider which card was charged."""
    with translation.override(LANGUAGE):
        order = dispute.pre_order
        restaurant = order.offer.restaurant
        page = Document(
            title=f"Dispute of order {order.code}", author=restaurant.name, created_at=now
        )
        page.line_of_text(f"Order {order.code}: evidence", size=20, bold=True, height=10)
        for text in (restaurant.name, restaurant.address, restaurant.phone, restaurant.email):
            if text:
                page.line_of_text(text, color=MUTED)
        if dispute.remarks:
            _section(page, "From the restaurant")
            page.line_of_text(dispute.remarks, size=12, height=6.5)
        _section(page, "Dispute", _dispute(dispute))
        _section(page, "Order", _order(order))
        _section(page, "What was sold", _sold(order))
        _section(page, "What the guest agreed to")
        page.line_of_text(_terms(order), size=12, height=6.5)
        _section(page, "What happened", _history(order))
        _section(page, "Emails to the guest", _emails(order))
        _section(page, "Pickup")
        page.line_of_text(pickup_sentence(order), size=12, height=6.5)
        return bytes(page.output())


def _section(page: Document, title: str, pairs: Lines | None = None) -> None:
    page.ln(4)
    page.line_of_text(title, size=14, bold=True, height=8)
    for label, value in pairs or ():
        if value:
            page.pair(label, value, size=12)


def _dispute(dispute: Dispute) -> Lines:
    restaurant = dispute.pre_order.offer.restaurant
    yield "Reason", reason_label(dispute.reason)
    yield "Amount", formats.money(dispute.amount, restaurant.currency)
    yield "Charge", dispute.charge_id
    yield "Payment", dispute.payment_intent_id
    yield "Card", card_of(dispute.pre_order)


def _order(order: PreOrder) -> Lines:
    restaurant = order.offer.restaurant
    yield "Order code", order.code
    yield "Guest", order.customer_name
    yield "Email", order.customer_email
    yield "Phone", order.customer_phone
    how = "by phone" if order.source == OrderSource.PHONE else "on the restaurant's website"
    yield "Ordered", f"{_moment(order.created_at, restaurant.zone)}, {how}"
    unit = formats.money(order.unit_price, restaurant.currency)
    yield "Portions", f"{order.quantity} × {unit}"
    tax = formats.money(order.tax, restaurant.currency)
    total = formats.money(order.total_amount, restaurant.currency)
    yield "Total", f"{total}, {tax} tax included"
    if order.refunded_amount:
        yield "Refunded", formats.money(order.refunded_amount, restaurant.currency)
    yield "Note", order.note


def _sold(order: PreOrder) -> Lines:
    """What the guest was shown when they ordered; not what the special says today."""
    sold = dish_sold(order.sold, alternative=order.serves_alternative)
    yield "Dish", sold.name
    yield "Description", sold.description
    yield "Contains", capfirst(sold.contains)
    yield "Dietary tags", sold.diets
    yield "Served on", formats.date_with_year(order.offer.serve_date)
    yield "Time" if order.is_eaten_there else "Pickup time", slot_label(order)
    yield "Ordered as", order.get_service_mode_display()
    yield "Where", order.offer.restaurant.address
    yield "Changed later", " ".join(changes_since_ordered(order))


def _product(order: PreOrder) -> str:
    day = formats.date_with_year(order.offer.serve_date)
    portions = formats.count(order.quantity, "portion")
    restaurant = order.offer.restaurant.name
    return f"{portions} of {order.served_name}, served by {restaurant} on {day}."


def _terms(order: PreOrder) -> str:
    """How the guest agreed to the charge, and to which words: those stored with the order."""
    zone = order.offer.restaurant.zone
    placed = _moment(order.created_at, zone)
    sentences = [
        f"The restaurant took the order by phone on {placed} and sent a payment link."
        if order.source == OrderSource.PHONE
        else f"The guest placed the order on {placed}."
    ]
    if order.consent_text and order.consented_at:
        agreed = _moment(order.consented_at, zone)
        sentences.append(f"On {agreed} they agreed to these words: “{order.consent_text}”")
        if order.language != LANGUAGE:
            language = get_language_info(order.language)["name"]
            sentences.append(
                f"In English (they read {language}): the card is charged at the deadline if enough "
                "portions are ordered, and otherwise not at all."
            )
    if order.terms_version:
        sentences.append(f"The terms of service were those of {order.terms_version}.")
    if order.authorized_at:
        held = _moment(order.authorized_at, zone)
        sentences.append(f"The guest then entered the card, which was held on {held}.")
    deadline = _moment(order.offer.deadline, zone)
    if _emails_about(order).filter(kind=EmailKind.EXTENDED).exists():
        sentences.append(f"The deadline was later moved to {deadline}, and we emailed the guest.")
    sentences.append(f"Until {deadline} they could cancel free of charge on the order's page.")
    return " ".join(sentences)


def _history(order: PreOrder) -> Lines:
    zone = order.offer.restaurant.zone
    events = [(order.created_at, "Order placed")]
    if order.authorized_at:
        events.append((order.authorized_at, "Card held"))
    for entry in order.payment_history.all():
        if what := _MONEY_MOVED.get(PaymentHistory.Type(entry.transaction_type)):
            amount = formats.money(entry.amount, order.offer.restaurant.currency)
            events.append((entry.processed_at, f"{what}: {amount}"))
    for change in order.transitions.filter(field="status").order_by("pk"):
        label = str(PreOrderStatus(change.new).label)
        actor = f", recorded by {change.actor}" if change.actor else ""
        events.append((change.at, f"{label}{actor}"))
    for at, what in sorted(events, key=lambda event: event[0]):
        yield _moment(at, zone), what


def _emails(order: PreOrder) -> Lines:
    zone = order.offer.restaurant.zone
    for email in _emails_about(order):
        assert email.sent_at is not None
        yield (
            _moment(email.sent_at, zone),
            f"“{EmailKind(email.kind).label}” to {order.customer_email}",
        )


def _emails_about(order: PreOrder) -> QuerySet[Email]:
    """The emails that the guest was sent about the order, oldest first."""
    return Email.objects.filter(pre_order=order, sent_at__isnull=False).order_by("sent_at")


def pickup_sentence(order: PreOrder) -> str:
    """Who recorded the pickup, and when."""
    zone = order.offer.restaurant.zone
    changes = order.transitions.filter(field="status", new=order.status)
    last = changes.order_by("-pk").first()
    by = f" by {last.actor}" if last and last.actor else ""
    at = f" on {_moment(last.at, zone)}" if last else ""
    if order.status == PreOrderStatus.FULFILLED:
        return f"The order was picked up. It was recorded{by} at the counter{at}."
    if order.status == PreOrderStatus.NO_SHOW:
        return f"The guest didn't pick the order up. It was recorded{by}{at}."
    return "The order isn't recorded as picked up."


def _moment(at: datetime, zone: ZoneInfo) -> str:
    return f"{formats.moment(at, zone)}, {at.astimezone(zone).year}"
