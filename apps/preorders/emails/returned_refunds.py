"""The email to owners about a refund that a guest's bank returned, in English like their pages."""

from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from apps.billing.models import Discrepancy
from apps.common import formats
from apps.common.emails import EmailAction, platform_email
from apps.common.links import platform_url
from apps.preorders.emails.disputes import ORDERS_PATH, owners_of, row_for_owner

BATCH_SIZE = 100


def tell_owners(*, now: datetime) -> None:
    """Email the owners of each returned refund, once. A repeat after a crash has the same
    Message-ID, so email programs can drop it."""
    untold = Discrepancy.objects.filter(
        kind=Discrepancy.Kind.REFUND_RETURNED, resolved_at=None, owners_emailed_at=None
    )
    for issue in untold.select_related("pre_order__offer__restaurant", "pre_order__sold")[
        :BATCH_SIZE
    ]:
        _render(issue).send()
        Discrepancy.objects.filter(pk=issue.pk).update(owners_emailed_at=now)


def _render(issue: Discrepancy) -> EmailMultiAlternatives:
    order = issue.pre_order
    assert order is not None  # kind
    restaurant = order.offer.restaurant
    amount = formats.money(order.returned_amount, restaurant.currency)
    owners = owners_of(restaurant) or [restaurant.email]
    message = platform_email(
        "preorders/emails/owner_refund_returned.txt",
        to=owners[0],
        action=EmailAction("See the order", platform_url(f"{ORDERS_PATH}/{order.pk}")),
        reason=f"You're getting this because you own {restaurant.name}.",
        facts={
            "guest": order.customer_name,
            "amount": amount,
        },
        listed=[("Guest", order.customer_name), ("Order code", order.code)],
        shown={"figures": [(amount, "didn't arrive")], "about": row_for_owner(order)},
    )
    message.to = owners
    message.extra_headers["Message-ID"] = f"<issue.{issue.pk}@{settings.ROOT_DOMAIN}>"
    return message
