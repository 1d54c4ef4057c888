"""Links into Stripe's dashboard, for staff.

The form of the address is dj-stripe's (`StripeModel.get_stripe_dashboard_url`); Stripe documents
none, so it is *unverified* for accounts' own objects.
"""

from django.conf import settings

DASHBOARD = "https://dashboard.stripe.com"
STRIPES_API = "https://api.stripe.com"


def dashboard_url(section: str, stripe_id: str, *, account: str = "") -> str:
    """Where Stripe's dashboard shows this object; empty with local Stripe, which has none.

    `section` is the dashboard's name of such objects (`payments`, `connect/accounts`).
    `account` is the connected account that the object belongs to.
    """
    if not stripe_id or settings.STRIPE_API_BASE != STRIPES_API:
        return ""
    parts = [DASHBOARD, account, "" if settings.STRIPE_LIVE_MODE else "test", section, stripe_id]
    return "/".join(part for part in parts if part)
