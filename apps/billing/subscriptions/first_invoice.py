"""The invoice of a subscription's first month, so that the portal lists every month (decision 84).

The month is paid before there is a subscription. Once there is, an invoice is made and its payment
attached. The row has the invoice's id, and its status at Stripe says what is left to do, so this
can stop after any line and be repeated.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.billing.models import Subscription, SubscriptionSignUp
from apps.billing.subscriptions.terms import a_month_after
from apps.common.money import Money

logger = logging.getLogger(__name__)

# Longer than Stripe repeats an answer of 500 to the same key, which is a day at least:
# https://docs.stripe.com/api/idempotent_requests
TRY_FOR = timedelta(days=3)


def invoice_first_month(sign_up_id: UUID, *, now: datetime) -> None:
    """Make the invoice, or go on with it. Raises GatewayError; the job repeats."""
    sign_up = SubscriptionSignUp.objects.get(pk=sign_up_id)
    if sign_up.invoiced_at or not sign_up.registered_at or not sign_up.payment_intent_id:
        return
    key = f"first-invoice:{sign_up.pk}"
    if not sign_up.invoice_id:
        sign_up.invoice_id = gateway.create_paid_invoice(
            customer_id=sign_up.customer_id,
            currency=sign_up.currency,
            sign_up_id=str(sign_up.pk),
            key=key,
        )
        sign_up.save(update_fields=["invoice_id"])
    is_paid = gateway.finish_paid_invoice(
        sign_up.invoice_id,
        payment_intent_id=sign_up.payment_intent_id,
        customer_id=sign_up.customer_id,
        price=Money.of(sign_up.price),
        currency=sign_up.currency,
        period=(sign_up.registered_at, a_month_after(sign_up.registered_at)),
        key=key,
    )
    if is_paid:
        SubscriptionSignUp.objects.filter(pk=sign_up.pk).update(invoiced_at=now)
    else:
        logger.error("the invoice %s of a paid month isn't paid", sign_up.invoice_id)


def invoice_first_months(*, now: datetime) -> None:
    """What the job does: the invoices that a task didn't finish."""
    waiting = Subscription.objects.filter(
        sign_up__invoiced_at=None, subscription_id__isnull=False, started_at__gte=now - TRY_FOR
    )
    for sign_up_id in waiting.order_by("pk").values_list("sign_up_id", flat=True):
        try:
            invoice_first_month(sign_up_id, now=now)
        except GatewayError as error:
            logger.warning("the first invoice of sign-up %s waits: %s", sign_up_id, error)
