"""The checkout page that a step opens for a guest whose card needs them."""

from datetime import datetime

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.preorders.checkout.payment_page import checkout_request
from apps.preorders.checkout.terms import card_note, change_note, charge_note
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.links import order_url
from apps.preorders.core.locks import lock_order
from apps.preorders.core.notices import notify_owners
from apps.preorders.core.quantities import with_requested_change
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import EmailKind, NoticeKind, OperationKind
from apps.preorders.settlement.operations import LINK_GRACE, claimed_by, key_of


def send_link(
    operation: PaymentOperation, now: datetime, email_kind: EmailKind | None, expires_at: datetime
) -> None:
    """Create a checkout page, and email its link unless the guest is waiting for it on screen."""
    order = with_requested_change(operation.pre_order, operation)
    paying = operation.kind == OperationKind.CAPTURE
    before = operation.pre_order.quantity
    is_change = order.quantity != before
    note = charge_note(order) if paying else card_note(order, now)
    if is_change:
        note = change_note(order, now, before=before)
    checkout = gateway.create_checkout(
        checkout_request(
            order,
            expires_at=expires_at,
            hold_only=not paying,
            note=note,
            back=order_url(order),
            done="" if operation.quantity is None else "?done=portions",
            before=before if is_change else None,
        ),
        key=key_of(operation, "link"),
    )
    with transaction.atomic():
        locked = lock_order(order.pk)
        updated = claimed_by(operation).update(
            reference=checkout.session_id, due_at=checkout.expires_at + LINK_GRACE
        )
        if updated and email_kind:
            queue_email(locked, email_kind, now=now, action_url=checkout.url)
        if updated and email_kind == EmailKind.PAYMENT_NEEDED:
            notify_owners(NoticeKind.PAYMENT_PROBLEM, locked.offer, now=now)
    if not updated:  # the operation was superseded meanwhile
        gateway.expire_checkout(checkout.session_id)
