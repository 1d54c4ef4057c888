"""One email for the orders of a cart whose cards are held together, and one for those whose cards
aren't (decision 148).

Each order queues its own email, with the bank's answer. Whoever sends the first takes along those
that weren't sent yet, and waits while another item's card is being held.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.mail import EmailMultiAlternatives
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import clock, formats
from apps.common.emails import EmailAction, one_line, render_email_text
from apps.common.money import Money
from apps.offers.card_terms import several_card_terms
from apps.offers.presentation import Special
from apps.offers.sold_dishes import dish_sold
from apps.preorders.checkout.terms import terms_of
from apps.preorders.core.access import guest_url
from apps.preorders.core.cart_items import AUTHENTICATION_REQUIRED, arrival_notes_of
from apps.preorders.core.friends import greeting_name
from apps.preorders.documents.calendar import calendar_part
from apps.preorders.emails.actions import after_decline, can_finish, why_sent
from apps.preorders.emails.dinner import guest_row, order_buttons, where_layout
from apps.preorders.emails.reminders import not_held_yet
from apps.preorders.emails.rendering import message_to_guest
from apps.preorders.emails.sharing import invitation
from apps.preorders.emails.texts import bank_facts, dish_facts, what_is_left
from apps.preorders.models import Cart, Email, PaymentOperation, PreOrder
from apps.preorders.models.states import EmailKind, OperationKind, OperationStatus, PaymentStatus

# How long the emails of a cart wait for a guest whose bank asked about another of its items.
BANKS_CHECK = timedelta(minutes=3)
# One that is sent again by hand isn't joined.
JOINED_KINDS = frozenset({EmailKind.RECEIVED, EmailKind.DECLINED})


def lock_visit(cart_id: UUID) -> None:
    """Until the caller's transaction ends, no other worker takes an email of this cart. Orders
    that refer to the cart can still be written."""
    Cart.objects.select_for_update(no_key=True).get(pk=cart_id)


def is_card_being_held(cart_id: UUID, *, now: datetime) -> bool:
    """Whether another item of the cart may be held in a moment, so that its email can join: its
    bank is answering, or asked the guest just now, who is there."""
    is_answering = Q(state=OperationStatus.PENDING, error="")
    is_asking = Q(
        state=OperationStatus.FAILED,
        reason_code=AUTHENTICATION_REQUIRED,
        finished_at__gt=now - BANKS_CHECK,
        pre_order__in=PreOrder.objects.in_checkout(),
    )
    holds = PaymentOperation.objects.filter(is_answering | is_asking, kind=OperationKind.AUTHORIZE)
    return holds.filter(pre_order__cart=cart_id).exists()


def emails_to_join(email: Email, *, now: datetime) -> list[Email]:
    """The cart's other first emails of this kind that are still true and that no worker has taken,
    or whose turn has come again."""
    waiting = Email.objects.filter(
        Q(attempts=0) | Q(due_at__lte=now),
        pre_order__in=_addressees(EmailKind(email.kind)),
        pre_order__cart=email.order.cart_id,
        pre_order__customer_email__iexact=email.order.customer_email,
        kind=email.kind,
        number=1,
        sent_at=None,
        dropped_at=None,
    ).exclude(pk=email.pk)
    joined = waiting.select_related(
        "pre_order__offer__restaurant", "pre_order__sold__photo", "pre_order__pickup_slot"
    )
    return list(joined.select_for_update(of=("self",)).order_by("pk"))


def _addressees(kind: EmailKind) -> QuerySet[PreOrder]:
    if kind == EmailKind.DECLINED:
        return not_held_yet()
    return PreOrder.objects.filter(payment_status=PaymentStatus.AUTHORIZED)


def render_visit_email(emails: Sequence[Email]) -> EmailMultiAlternatives:
    """One email about the orders of these, in the language of the first."""
    first = min(emails, key=lambda email: email.pk)
    with translation.override(first.order.language):
        return _message(first, [email.order for email in emails])


def _message(email: Email, orders: list[PreOrder]) -> EmailMultiAlternatives:
    orders.sort(key=lambda order: (order.offer.serve_date, order.served_name))
    restaurant = orders[0].offer.restaurant
    total = sum((Money.of(order.total_amount) for order in orders), Money(0))
    is_declined = email.kind == EmailKind.DECLINED
    facts = {
        "restaurant": restaurant,
        "guest": one_line(greeting_name(orders[0].customer_name)),
        "number": len(orders),
        "total": formats.money(total, restaurant.currency),
        "can_finish": any(map(can_finish, orders)),
        "terms": several_card_terms([order.offer for order in orders], clock.now()),
    }
    words = render_email_text(f"preorders/emails/{email.kind}_cart.txt", facts)
    layout: dict[str, Any] = {
        "lead": words.lead,
        "headline": words.headline,
        "about": _about(orders, total),
        "paragraphs": words.paragraphs,
        "notes": words.notes,
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": why_sent(
            _("You're getting this because you ordered at %(restaurant)s.")
            % {"restaurant": one_line(restaurant.name)},
            *orders,
        ),
        **(_declined(orders) if is_declined else _received(orders)),
    }
    message = message_to_guest(email, orders[0], subject=words.subject, layout=layout, headers={})
    if not is_declined:
        for order in orders:
            message.attach(calendar_part(order))
    return message


def _about(orders: list[PreOrder], total: Money) -> dict[str, Any]:
    """How many dishes, and their sum; each of them has a row of its own below."""
    restaurant = orders[0].offer.restaurant
    name = ngettext(
        "%(number)s dish at %(restaurant)s", "%(number)s dishes at %(restaurant)s", len(orders)
    )
    return {
        "name": name % {"number": len(orders), "restaurant": one_line(restaurant.name)},
        "sum": _("%(total)s with tax") % {"total": formats.money(total, restaurant.currency)},
        **where_layout(restaurant),
    }


def _dish(order: PreOrder, now: datetime) -> dict[str, Any]:
    """What differs between the dishes: what was ordered, how close it is to being on, when its card
    is charged, and the ways to change that."""
    share = invitation(order, now=now)
    to_friends = [EmailAction(_("Share"), share.ways[-1].url)] if share else []
    total = formats.money(order.total_amount, order.offer.restaurant.currency)
    facts = [*dish_facts(dish_sold(order.sold)), (_("Your note"), order.note)]
    return {
        **guest_row(order),
        "name": f"{order.quantity} × {one_line(order.served_name)}",
        "sum": _("%(total)s with tax") % {"total": total},
        "code": order.code,
        "terms": f"{Special(order.offer, now).sentence}. {terms_of(order, now, is_brief=True)}",
        "buttons": [*order_buttons(order, are_brief=True), *to_friends],
        "facts": [(label, one_line(value)) for label, value in facts if value],
    }


def _received(orders: list[PreOrder]) -> dict[str, Any]:
    now = clock.now()
    return {
        "arrival_notes": arrival_notes_of(orders),
        "action": EmailAction(_("See your orders"), guest_url(orders[0])),
        "dishes": [_dish(order, now) for order in orders],
        "facts": [(label, one_line(value)) for label, value in bank_facts(orders[0]) if value],
    }


def _declined(orders: list[PreOrder]) -> dict[str, Any]:
    """Each order says itself until when it can be finished; the button leads to all that can."""
    action = after_decline(next(filter(can_finish, orders), orders[0]))
    if len(list(filter(can_finish, orders))) > 1:
        action = replace(action, text=_("Finish your orders"))
    return {
        "action": action,
        "orders": [{**guest_row(order), "terms": what_is_left(order)} for order in orders],
        "facts": [],
    }
